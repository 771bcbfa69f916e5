"""What jobs of z/OS run for MQ, and the macros of a queue manager's system parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mqlint.vocabulary.compile import VocabularyError

STYLES = ("words", "commas", "none")
_EVIDENCE = ("product", "document", "recall")
_PROGRAM = frozenset(
    {"style", "class", "statements", "within", "secret", "quiet", "evidence", "see"}
)
_MACRO = frozenset({"evidence", "see", "defaults"})


@dataclass(frozen=True, slots=True)
class ProgramSpec:
    """One program.

    `style` is how its statements are written, `statements` maps each to what it does (its class),
    `within` are words that stand inside statements only, `secret` those whose value is not kept.
    `action` is what running it does where it has no statements. A `quiet` one changes nothing.
    """

    name: str
    style: str
    action: str
    statements: Mapping[str, str]
    within: frozenset[str] = frozenset()
    secret: frozenset[str] = frozenset()
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class ZosVocabulary:
    """The programs by name, and by macro the values of what is not written."""

    programs: Mapping[str, ProgramSpec]
    macros: Mapping[str, Mapping[str, str]]


def compile_zos(document: object) -> dict[str, object]:
    """Check the parsed YAML of zos.yaml and return plain, JSON-able data."""
    if not isinstance(document, Mapping) or set(document) != {"programs", "macros"}:
        raise VocabularyError("zos.yaml should have programs and macros")
    for kind, keys in (("programs", _PROGRAM), ("macros", _MACRO)):
        for name, entry in _entries(document[kind]).items():
            if set(entry) - keys:
                raise VocabularyError(f"{name}: should have keys out of {', '.join(sorted(keys))}")
            if entry.get("evidence") not in _EVIDENCE:
                raise VocabularyError(f"{name}: evidence is one of {', '.join(_EVIDENCE)}")
            if kind == "programs" and entry.get("style") not in STYLES:
                raise VocabularyError(f"{name}: style is one of {', '.join(STYLES)}")
    return dict(document)


def read_zos(compiled: Mapping[str, object]) -> ZosVocabulary:
    """Return what `compile_zos` made plain data of."""
    programs = {
        name: ProgramSpec(
            name=name,
            style=str(entry["style"]),
            action=str(entry.get("class", "")),
            statements=_texts(entry.get("statements", {})),
            within=_words(entry.get("within")),
            secret=_words(entry.get("secret")),
            quiet=bool(entry.get("quiet", False)),
        )
        for name, entry in _entries(compiled["programs"]).items()
    }
    macros = {
        name: _texts(entry.get("defaults", {}))
        for name, entry in _entries(compiled["macros"]).items()
    }
    return ZosVocabulary(programs, macros)


def _entries(value: object) -> dict[str, Mapping[str, object]]:
    if not isinstance(value, Mapping):
        raise VocabularyError("expected a mapping of names")
    return {str(name): entry for name, entry in value.items() if isinstance(entry, Mapping)}


def _texts(value: object) -> dict[str, str]:
    return {str(k): str(v) for k, v in value.items()} if isinstance(value, Mapping) else {}


def _words(value: object) -> frozenset[str]:
    return frozenset(map(str, value)) if isinstance(value, list) else frozenset()
