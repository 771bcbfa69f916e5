"""A stanza file against what MQ knows of it.

What the vocabulary does not know is not wrong: keys of a newer release, of a support program or of
an exit are in such files. An unknown name is reported only if it is a typo of a known one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.ini.parser import IniEntry, IniFile, IniProblem, Stanza
from mqlint.language.mqsc.value import Secret
from mqlint.language.text.templates import is_known
from mqlint.patterns import later
from mqlint.vocabulary.distance import nearest_in_any_case, same_but_for_digits
from mqlint.vocabulary.ini import INI_KINDS, IniVocabulary, StanzaSpec
from mqlint.vocabulary.limits import log_files_on
from mqlint.vocabulary.target import Target, level_text

if TYPE_CHECKING:
    from mqlint.language.script.step import Step

STOPPING = frozenset({"channels", "ssl"})
"""The stanzas of qm.ini whose syntax strmqm checks before it starts (AMQ9224)."""

_TELLING = (
    ("rdqm.ini", frozenset({"node", "drgroup"})),
    ("mqs.ini", frozenset({"allqueuemanagers", "defaultqueuemanager", "logdefaults"})),
    ("mqat.ini", frozenset({"allactivitytrace"})),
    ("qm.ini", frozenset({"log", "service", "exitpath", "instancedata", "qmerrorlog"})),
    ("mqclient.ini", frozenset({"clientexitpath", "messagebuffer", "preconnect", "application"})),
)
_OF_CLIENTS = frozenset(
    {
        *("serverconnectionparms", "defrecon", "recondelay", "mqreconnecttimeout"),
        *("channeldefinitiondirectory", "channeldefinitionfile", "ccdturl"),
    }
)
"""Keys of CHANNELS that only mqclient.ini has (IBM: q016860_)."""
_MORE_ON_LINE = later(r"\s\w+\s*=")
_WRITTEN = later(
    r"(?:^|[/|#,@%])[ \t]*([A-Za-z][A-Za-z0-9]{3,40})[ \t]*=[ \t]*([^\s/|#@%,'\"\\*&]{1,80})[ \t]*"
    r"(?:[/|#,@%][gI\d]{0,3})?$"
)
"""A setting as a whole line, or as what sed puts in the place of another text."""
_OF_WINDOWS = later(r"[A-Za-z]:[\\/]")
"""The beginning of a folder on Windows."""
_REGISTERED = ("Name", "Prefix", "Directory", "DataPath")
"""Keys of mqs.ini that tell queue managers apart (IBM: q018810_)."""
_AUTHORIZATION = "AuthorizationService"
_DECLARING = {
    "mqs.ini": ("ini-default-unknown", ("queuemanager", "Name"), ("defaultqueuemanager", "Name")),
    "qm.ini": ("ini-service-unknown", ("service", "Name"), ("servicecomponent", "Service")),
}
"""What a file must declare if it uses it, by the kind of file (IBM: q018810_, q018930_).

The code of the finding, the stanza and key with the declared names, and those with the used ones.
"""


def ini_kind(path: str, ini: IniFile) -> str:
    """Return which of MQ's files this is: by its name, else by its stanzas, else qm.ini."""
    name = path.replace("\\", "/").rpartition("/")[2].casefold()
    for kind in sorted(INI_KINDS, key=len, reverse=True):
        if name.startswith(kind) or (kind != "qm.ini" and kind.removesuffix(".ini") in name):
            return kind
    found = {stanza.name.casefold() for stanza in ini.stanzas}
    keys = {entry.key.casefold() for stanza in ini.stanzas for entry in stanza.entries}
    default = "mqclient.ini" if keys & _OF_CLIENTS else "qm.ini"
    return next((kind for kind, names in _TELLING if found & names), default)


def check_ini(
    ini: IniFile, kind: str, known: IniVocabulary, target: Target | None = None
) -> list[Diagnostic]:
    """Return what is wrong with a file of `kind` (one of INI_KINDS), in order of place.

    `target` is what the installation is, None if nothing is known of it.
    """
    found = [_syntax(problem, kind) for problem in ini.problems]
    platform = (target or Target()).platform or _platform(ini)
    for stanza in ini.stanzas:
        found.extend(_stanza(stanza, kind, known, platform))
        found.extend(_deprecated(stanza, known.stanza(kind, stanza.name), target or Target()))
    found.extend(_repeated_stanzas(ini, kind, known))
    found.extend(_registered_twice(ini, kind))
    found.extend(_undeclared(ini, kind))
    return sorted(found, key=lambda fault: (fault.start, fault.code))


def edit_faults(step: Step, known: IniVocabulary) -> Iterator[Diagnostic]:
    """Yield settings that a command such as `sed -i` writes to qm.ini and that MQ does not take."""
    if step.action != "edit" or not any(path.path.endswith("qm.ini") for path in step.paths):
        return
    stanzas = [stanza for stanza in known.stanzas if "qm.ini" in stanza.kinds]
    for operand in step.operands:
        found = _WRITTEN.search(operand.value) if isinstance(operand.value, str) else None
        fault = "" if found is None else _edit_fault(found[1], found[2], stanzas)
        if fault:
            yield diagnostic("ini-edit", operand.span, fault=fault)


def _edit_fault(name: str, value: str, stanzas: Sequence[StanzaSpec]) -> str:
    """What is wrong with a setting of any stanza, blank for nothing."""
    keys = [key for key in (stanza.key(name) for stanza in stanzas) if key is not None]
    if not keys:
        near = _typo(name, [key.name for stanza in stanzas for key in stanza.keys.values()])
        return f"setting {name} is unknown and may be a typo of {near}" if near else ""
    if not is_known(value) or not all(key.checked and not key.accepts(value) for key in keys):
        return ""
    return f"value {value} of {keys[0].name} is not valid (expected {keys[0].expected()})"


def _platform(ini: IniFile) -> str:
    """Return the platform that the folders in a file tell, blank if they tell none or several."""
    folders = [entry.value for stanza in ini.stanzas for entry in stanza.entries]
    found = {
        "windows" if _OF_WINDOWS.match(folder) else "unix"
        for folder in folders
        if folder.startswith("/") or _OF_WINDOWS.match(folder)
    }
    return found.pop() if len(found) == 1 else ""


def _syntax(problem: IniProblem, kind: str) -> Diagnostic:
    stops = kind == "qm.ini" and problem.stanza.casefold() in STOPPING
    code = "ini-stops-start" if stops else "ini-syntax"
    return diagnostic(code, problem.span, problem=problem.message, stanza=problem.stanza)


def _stanza(stanza: Stanza, kind: str, known: IniVocabulary, platform: str) -> Iterator[Diagnostic]:
    spec = known.stanza(kind, stanza.name)
    if spec is None:
        yield from _stanza_name(stanza, kind, known)
        return
    for entry in stanza.entries:
        yield from _entry(entry, stanza, spec, platform)
        yield from _misplaced(entry, spec, kind, known)
    if not stanza.conditional:
        yield from _repeated(stanza, spec)
        yield from _incomplete(stanza, spec)
    yield from _log_files(stanza, spec, platform)


def _stanza_name(stanza: Stanza, kind: str, known: IniVocabulary) -> Iterator[Diagnostic]:
    near = "" if known.knows(stanza.name) else _typo(stanza.name, known.names(kind))
    if near:
        yield diagnostic("ini-misspelt-stanza", stanza.span, name=stanza.name, nearest=near)


def _entry(
    entry: IniEntry, stanza: Stanza, spec: StanzaSpec, platform: str
) -> Iterator[Diagnostic]:
    key = spec.key(entry.key, platform)
    if key is None:
        names = [] if spec.open else [value.name for value in spec.keys.values()]
        near = _typo(entry.key, names)
        if near:
            yield diagnostic(
                "ini-misspelt-key", entry.key_span, key=entry.key, nearest=near, stanza=spec.name
            )
        return
    if not key.checked or not _judged(entry) or key.accepts(entry.value):
        return
    yield diagnostic(
        "ini-silent-default" if spec.silent else "ini-bad-value",
        entry.value_span,
        key=key.name,
        value=entry.value,
        expected=key.expected(),
        stanza=spec.name,
        default=f", {key.default}" if key.default is not None else "",
    )


def _misplaced(
    entry: IniEntry, spec: StanzaSpec, kind: str, known: IniVocabulary
) -> Iterator[Diagnostic]:
    """Report a key that only one other stanza of the file has."""
    if spec.open or spec.evidence == "recall" or spec.key(entry.key) is not None:
        return
    homes = known.homes(kind, entry.key)
    if len(homes) == 1:
        yield diagnostic(
            "ini-misplaced-key", entry.key_span, key=entry.key, stanza=spec.name, home=homes[0]
        )


def _incomplete(stanza: Stanza, spec: StanzaSpec) -> Iterator[Diagnostic]:
    """Report the first key that a stanza needs and that it lacks."""
    lacks = next((key for key in spec.needs if stanza.get(key) is None), None)
    templated = any(not is_known(entry.key) for entry in stanza.entries)
    if lacks is not None and stanza.entries and not templated:
        yield diagnostic("ini-incomplete", stanza.span, stanza=spec.name, key=lacks)


def _deprecated(stanza: Stanza, spec: StanzaSpec | None, target: Target) -> Iterator[Diagnostic]:
    """Report keys in whose place another one is to be used at the level of `target`."""
    level = target.level
    for entry in stanza.entries if spec is not None and level is not None else ():
        key = spec.key(entry.key) if spec is not None else None
        if key is None or key.deprecated is None or level is None or level < key.deprecated:
            continue
        yield diagnostic(
            "deprecated",
            entry.key_span,
            word=f"{key.name} of the {stanza.name} stanza",
            since=level_text(key.deprecated),
            level=target.level_text,
            hint=f"; use {key.instead}" if key.instead else "",
            instead=key.instead or "",
        )


def _repeated_stanzas(ini: IniFile, kind: str, known: IniVocabulary) -> Iterator[Diagnostic]:
    """Report the second stanza of a name of which only the first may be read."""
    if any(stanza.conditional for stanza in ini.stanzas):
        return  # branches of a template: not all of them need to be there
    seen: set[str] = set()
    for stanza in ini.stanzas:
        spec = known.stanza(kind, stanza.name)
        if spec is None or not spec.single:
            continue
        if spec.name in seen:
            yield diagnostic("ini-repeated-stanza", stanza.span, stanza=spec.name)
        seen.add(spec.name)


def _registered_twice(ini: IniFile, kind: str) -> Iterator[Diagnostic]:
    """Report a queue manager of mqs.ini with the name, or the data directory, of one before it."""
    if kind != "mqs.ini" or any(stanza.conditional for stanza in ini.stanzas):
        return
    seen: dict[tuple[str, ...], str] = {}
    for stanza in ini.stanzas:
        entries = {key: stanza.get(key) for key in _REGISTERED}
        known = {key: entry for key, entry in entries.items() if entry and not entry.templated}
        if stanza.name.casefold() != "queuemanager" or "Name" not in known:
            continue
        name = known["Name"].value
        for keys in (("Name",), ("DataPath",), ("Prefix", "Directory")):
            if "DataPath" in known and keys[-1] == "Directory":
                continue
            found = [known[key] for key in keys if key in known]
            if len(found) < len(keys):
                continue
            other = seen.setdefault((*keys, *(entry.value for entry in found)), name)
            is_again = other != name if keys != ("Name",) else ("", name) in seen
            if is_again:
                last = found[-1]
                words = {"key": keys[-1], "value": last.value, "other": other}
                yield diagnostic("ini-registered-twice", last.value_span, **words)
        seen["", name] = name


def _judged(entry: IniEntry) -> bool:
    """Whether the value is one known value: more keys may be on the same line."""
    unknown = entry.templated or isinstance(entry.value, Secret) or not entry.value
    return not unknown and _MORE_ON_LINE.search(entry.value) is None


def _typo(word: str, names: list[str]) -> str:
    """Return the name that `word` is a typo of; names that differ in a digit are none."""
    near = nearest_in_any_case(word, names) if word.isascii() and len(word) > 2 else ""
    return "" if same_but_for_digits(near.casefold(), word.casefold()) else near


def _repeated(stanza: Stanza, spec: StanzaSpec) -> Iterator[Diagnostic]:
    """Report a key that is set to another value further down: the last one counts."""
    first: dict[str, IniEntry] = {}
    for entry in stanza.entries:
        key = spec.key(entry.key)
        if key is None or key.repeatable:
            continue
        before = first.setdefault(key.name, entry)
        if before.value.casefold() != entry.value.casefold():
            yield diagnostic("ini-repeated-key", entry.key_span, key=key.name, stanza=spec.name)


def _log_files(stanza: Stanza, spec: StanzaSpec, platform: str) -> Iterator[Diagnostic]:
    """Report primary and secondary log files that are too many together."""
    entries = [stanza.get(key) for key in ("LogPrimaryFiles", "LogSecondaryFiles")]
    primary, secondary = entries
    if primary is None or secondary is None or not spec.name.startswith("Log"):
        return
    keys = (spec.key(primary.key, platform), spec.key(secondary.key, platform))
    values = (primary.value, secondary.value)
    if not all(key and key.accepts(value) for key, value in zip(keys, values, strict=True)):
        return
    limit = log_files_on(platform)
    if sum(map(int, values)) > limit:
        yield diagnostic(
            "ini-bad-value",
            secondary.value_span,
            key="LogSecondaryFiles",
            value=secondary.value,
            expected=f"at most {limit} primary and secondary files together",
            stanza=spec.name,
            default="",
        )


def _undeclared(ini: IniFile, kind: str) -> Iterator[Diagnostic]:
    """Report the names of a stanza that its file does not declare."""
    if kind not in _DECLARING or any(stanza.conditional for stanza in ini.stanzas):
        return
    code, (declares, key), (uses, other) = _DECLARING[kind]
    declared, used = _entries(ini, declares, key), _entries(ini, uses, other)
    is_whole = kind == "qm.ini" and _is_whole(ini)
    if any(entry.templated for entry in declared) or not (declared or is_whole):
        return
    names = {entry.value for entry in declared}
    for entry in used:
        if not entry.templated and entry.value not in names:
            yield diagnostic(code, entry.value_span, name=entry.value)
    if is_whole:
        yield from _unserved(declared, used)


def _is_whole(ini: IniFile) -> bool:
    """Whether a qm.ini is not a file of overrides, and none is replayed at each start.

    A whole one has the type and the folder of the log since crtmqm made it.
    """
    is_made = any(_entries(ini, "log", word) for word in ("LogType", "LogPath"))
    return is_made and not _entries(ini, "autoconfig", "IniConfig")


def _unserved(services: Sequence[IniEntry], used: Sequence[IniEntry]) -> Iterator[Diagnostic]:
    """Report an authorization service without a component: it makes no checks (IBM: q027810_)."""
    is_served = any(entry.templated or entry.value == _AUTHORIZATION for entry in used)
    for entry in services:
        if entry.value == _AUTHORIZATION and not is_served:
            yield diagnostic("ini-service-unserved", entry.value_span, name=entry.value)


def _entries(ini: IniFile, name: str, key: str) -> list[IniEntry]:
    found = [stanza.get(key) for stanza in ini.stanzas if stanza.name.casefold() == name]
    return [entry for entry in found if entry is not None]
