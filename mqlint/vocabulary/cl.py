"""What commands of CL do with a queue manager on IBM i, and what they take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mqlint.vocabulary.compile import VocabularyError

TOUCHES = (
    *("journal", "receiver", "library", "objects", "files", "job", "subsystem", "exit", "system"),
    "",
)
_KEYS = frozenset(
    {
        *("class", "queue_manager", "parameters", "complete", "as", "mqsc", "words", "defaults"),
        *("instead", "touches", "runs", "schedule", "batch", "evidence", "see"),
    }
)
_EVIDENCE = ("product", "document", "recall")
_GONE = frozenset({"programs", "libraries", "journals"})
_SHOWING = ("DSP", "RTV", "WRK")


@dataclass(frozen=True, slots=True)
class ClSpec:
    """One command.

    `action` is its class. `queue_manager` is the parameter that names it, blank where none does.
    `parameters` may be given without their keywords, in this order; `complete` tells that there
    are no others. `same` maps a parameter with its value (`STRSVC *NO`) to the option of the
    control command that does the same. `mqsc` is the MQSC command that does the same, `words` what
    values of a parameter are called there, `defaults` what is meant where one is left out.
    `instead` maps words that are no parameters to those that are. `touches` tells what a command
    of the system is about. `runs` are parameters whose value is a command, which a clock
    (`schedule`) or another job (`batch`) runs.
    """

    name: str
    action: str
    queue_manager: str
    parameters: tuple[str, ...]
    complete: bool
    same: Mapping[str, str]
    mqsc: str
    words: Mapping[str, Mapping[str, str]]
    defaults: Mapping[str, str]
    instead: Mapping[str, str]
    touches: str
    runs: tuple[str, ...]
    schedule: bool
    batch: bool


@dataclass(frozen=True, slots=True)
class ClVocabulary:
    """The commands by name, those that change nothing, and what old releases had.

    `programs`, `libraries` and `journals` are gone since release 5.1.
    """

    commands: Mapping[str, ClSpec]
    quiet: frozenset[str]
    programs: frozenset[str]
    libraries: frozenset[str]
    journals: frozenset[str]

    def is_quiet(self, name: str) -> bool:
        """Whether a command changes nothing of a queue manager: it shows, asks, or waits."""
        return name in self.quiet or name.startswith(_SHOWING)


def compile_cl(document: object) -> dict[str, object]:
    """Check the parsed YAML of cl.yaml and return plain, JSON-able data."""
    if not isinstance(document, Mapping) or set(document) != {"commands", "quiet", "gone"}:
        raise VocabularyError("cl.yaml should have commands, quiet and gone")
    entries = _entries(document["commands"])
    commands = {name: _resolved(name, entries) for name in entries}
    for name, entry in commands.items():
        _check(name, entry)
    gone = document["gone"]
    if not isinstance(gone, Mapping) or set(gone) != _GONE:
        raise VocabularyError(f"gone should have {', '.join(sorted(_GONE))}")
    return {"commands": commands, "quiet": document["quiet"], "gone": dict(gone)}


def _resolved(name: str, entries: Mapping[str, Mapping[str, object]]) -> dict[str, object]:
    """An entry, or that of the command that is read alike."""
    entry = entries[name]
    other = entry.get("same_as")
    if other is None:
        return dict(entry)
    if len(entry) > 1 or str(other) not in entries or "same_as" in entries[str(other)]:
        raise VocabularyError(f"{name}: same_as stands alone and names a command of its own")
    return dict(entries[str(other)])


def _check(name: str, entry: Mapping[str, object]) -> None:
    if set(entry) - _KEYS or "class" not in entry:
        raise VocabularyError(f"{name}: should have keys out of {', '.join(sorted(_KEYS))}")
    if entry.get("evidence") not in _EVIDENCE:
        raise VocabularyError(f"{name}: evidence is one of {', '.join(_EVIDENCE)}")
    if entry.get("touches", "") not in TOUCHES:
        raise VocabularyError(f"{name}: touches is one of {', '.join(TOUCHES)}".rstrip(", "))


def read_cl(compiled: Mapping[str, object]) -> ClVocabulary:
    """Return what `compile_cl` made plain data of."""
    gone = compiled["gone"]
    lists = gone if isinstance(gone, Mapping) else {}
    return ClVocabulary(
        {name: _spec(name, entry) for name, entry in _entries(compiled["commands"]).items()},
        frozenset(_texts(compiled["quiet"])),
        frozenset(_texts(lists.get("programs"))),
        frozenset(_texts(lists.get("libraries"))),
        frozenset(_texts(lists.get("journals"))),
    )


def _spec(name: str, entry: Mapping[str, object]) -> ClSpec:
    words = entry.get("words")
    return ClSpec(
        name=name,
        action=str(entry["class"]),
        queue_manager=str(entry.get("queue_manager", "")),
        parameters=_texts(entry.get("parameters")),
        complete=bool(entry.get("complete")),
        same=_pairs(entry.get("as")),
        mqsc=str(entry.get("mqsc", "")),
        words={k: _pairs(v) for k, v in words.items()} if isinstance(words, Mapping) else {},
        defaults=_pairs(entry.get("defaults")),
        instead=_pairs(entry.get("instead")),
        touches=str(entry.get("touches", "")),
        runs=_texts(entry.get("runs")),
        schedule=bool(entry.get("schedule")),
        batch=bool(entry.get("batch")),
    )


def _entries(value: object) -> dict[str, Mapping[str, object]]:
    if not isinstance(value, Mapping):
        raise VocabularyError("expected a mapping of names")
    return {str(name): entry for name, entry in value.items() if isinstance(entry, Mapping)}


def _pairs(value: object) -> dict[str, str]:
    return {str(k): str(v) for k, v in value.items()} if isinstance(value, Mapping) else {}


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else ()
