"""Journals, receivers, libraries and files of a queue manager on IBM i, as CL names them.

IBM's page "Queue manager journals on IBM i": the library of a queue manager is QM and its name in a
unique form, unless CRTMQM names another. The journal in it is AMQxJRN, its receivers are
AMQxrnnnnn, and the data are below /QIBM/UserData/mqm/qmgrs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import pairwise

from mqlint.dataclass import mutable
from mqlint.language.cl.command import ClValue
from mqlint.language.script.files.path import queue_manager_path
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.vocabulary.cl import ClSpec, ClVocabulary
from mqlint.vocabulary.unknown import UNKNOWN, Unknown

Text = str | Unknown
Values = Mapping[str, tuple[ClValue, ...] | Unknown]
"""The values of a command by parameter; a parameter that is not written is not in it."""

_JOURNAL = later(r"AMQ[A-Z]JRN|AMQ[A-Z]{0,4}\*")
_RECEIVER = later(r"AMQ[A-Z]?\d{0,6}\*|AMQ[A-Z]\d{1,6}")
_NUMBERED = later(r"(AMQ[A-Z]\d)(\d{5})")
_LIBRARY = later(r"QM[A-Z0-9$#@_]{1,8}")
_NOT_OURS = frozenset(
    "QMQM QMQMADM QMQMSAMP QMQMJAVA QMGTC QMGTC2 QMPGDATA QMPGLIB QMSE QMU QMLIB".split()
)
"""Libraries of the product and of the system that begin with QM and hold no queue manager."""
_ALL_LIBRARIES = frozenset({"*NONSYS", "*ALL"})
_JOB = later(r"(?:AMQ[A-Z0-9]|RUNMQ)[A-Z0-9]*\*?")
_EVERYTHING = later(r"(?i)/\*?|/QIBM(?:/UserData)?(?:/\*)?")
_ALL_OF_MQ = later(r"(?i)/QIBM/UserData/mqm(?:/\*)?")
_AS_PATH = later(r"(?i)/QSYS\.LIB/([^/]+)\.LIB(?:/(?:\*|[^/]+\.JRN(?:RCV)?))?")
_VARIED = {"*ON": "mount", "*OFF": "unmount"}
_DELETES = "QIBM_QJO_DLT_JRNRCV"


@mutable
class About:
    """The subject of a command of the system.

    `libraries` are those of queue managers, and `queue_managers` are named by their files or
    folders. `parts` are `log` (journals and receivers) and `data`. `facts` are further values for
    policies. `action` is its class, if it differs from that of its command.
    """

    libraries: tuple[str, ...] = ()
    queue_managers: tuple[str, ...] = ()
    parts: tuple[tuple[str, str, Span], ...] = ()
    facts: dict[str, Text] = field(default_factory=dict)
    every: bool = False
    action: str = ""


class Libraries:
    """The libraries of the queue managers that a program names."""

    def __init__(self, vocabulary: ClVocabulary, names: Iterable[str]) -> None:
        """`names` are the queue managers it names, each once."""
        self.vocabulary = vocabulary
        self._names = tuple(names)
        self._assigned: dict[str, str] = {}

    def assign(self, library: str, queue_manager: str) -> None:
        self._assigned[library] = queue_manager

    def is_one(self, library: str) -> bool:
        if library in self._assigned or library in self.vocabulary.libraries:
            return True
        return _LIBRARY.fullmatch(library) is not None and library not in _NOT_OURS

    def owner(self, library: str) -> str | None:
        """Return the queue manager of a library, None if it is not known."""
        if library in self._assigned:
            return self._assigned[library]
        if not self.is_one(library) or library in self.vocabulary.libraries:
            return None
        fitting = [name for name in self._names if _stem(name) == library[2:]]
        if len(fitting) == 1:
            return fitting[0]
        return library[2:] if not self._names and len(library) < _FULL else None


_FULL = 10
"""Characters of a library's name; one that is full may be a longer name cut off."""


def _stem(name: str) -> str:
    """The name of a queue manager's library after QM."""
    return re.sub(r"[^A-Z0-9$#@_]", "", name.upper())[: _FULL - 2]


def about(spec: ClSpec, values: Values, libraries: Libraries) -> About | None:
    """Return the subject of a command of the system; None if it is not about MQ."""
    read = _READERS.get(spec.touches)
    return None if read is None else read(spec, values, libraries)


def may_be(spec: ClSpec, values: Values) -> bool:
    """Return whether the subject of a command depends on running."""
    keys = _NAMING.get(spec.touches, ())
    return any(_unknown(values.get(key)) for key in keys if key in values)


_NAMING = {
    "device": ("CFGOBJ", "STATUS"),
    "journal": ("JRN", "FILE"),
    "receiver": ("JRNRCV", "OBJ"),
    "library": ("LIB", "SAVLIB"),
    "objects": ("OBJ", "LIB", "SAVLIB"),
    "files": ("OBJ", "OBJLNK", "DIR"),
    "job": ("JOB",),
    "subsystem": ("SBS",),
}


def _unknown(found: tuple[ClValue, ...] | Unknown | None) -> bool:
    if found is None or isinstance(found, Unknown):
        return found is not None
    return any(isinstance(cl_value.value, Unknown) for cl_value in found)


def texts(values: Values, *keys: str) -> list[tuple[str, Span]]:
    """Return the known values of the first of these parameters that is written."""
    found = next((values[key] for key in keys if key in values), ())
    if isinstance(found, Unknown):
        return []
    return [(value.value, value.span) for value in found if isinstance(value.value, str)]


def _qualified(text: str) -> tuple[str, str]:
    """The library, blank if none is named, and the name."""
    library, _, name = text.rpartition("/")
    return ("" if library.startswith("*") else library), name


def _journal(spec: ClSpec, values: Values, libraries: Libraries) -> About | None:
    journals = texts(values, "JRN")
    if not journals:
        return None
    (text, span), *_ = journals
    library, name = _qualified(text)
    gone = libraries.vocabulary
    old = library in gone.libraries or any(_covers(text, journal) for journal in gone.journals)
    if _JOURNAL.fullmatch(name) is None and not old:
        return None
    facts: dict[str, Text] = {"journal": name}
    for attached, _ in texts(values, "JRNRCV"):
        _, receiver = _qualified(attached)
        if not receiver.startswith("*"):
            facts["receiver"] = receiver
            facts["family"] = "own" if _fits(name, receiver) else "other"
        break
    return _in_library(library, span, facts, old)


def _covers(name: str, other: str) -> bool:
    """Whether a name, which may be generic, is or takes in another."""
    return other.startswith(name[:-1]) if name.endswith("*") else name == other


def _fits(journal: str, receiver: str) -> bool:
    return re.fullmatch(re.escape(journal[:4]) + r"\d{6}", receiver) is not None


def _receiver(spec: ClSpec, values: Values, libraries: Libraries) -> About | None:
    if "OBJTYPE" in values and not any(text == "*JRNRCV" for text, _ in texts(values, "OBJTYPE")):
        return None
    receivers = texts(values, "JRNRCV", "OBJ")
    if not receivers:
        return None
    (text, span), *_ = receivers
    library, name = _qualified(text)
    old = library in libraries.vocabulary.libraries
    if _RECEIVER.fullmatch(name) is None and not old:
        return None
    facts: dict[str, Text] = {"receiver": name, "generic": str(name.endswith("*")).lower()}
    return _in_library(library, span, facts, old)


def _in_library(library: str, span: Span, facts: dict[str, Text], old: bool) -> About:
    if library:
        facts["library"] = library
    if old:
        facts["old"] = "true"
    path = f"/QSYS.LIB/{library or '*LIBL'}.LIB"
    return About((library,) if library else (), (), ((path, "log", span),), facts)


def _library(spec: ClSpec, values: Values, libraries: Libraries) -> About | None:
    saved = texts(values, "SAVLIB", "LIB")
    whole = [
        (name, span) for name, span in saved if name in _ALL_LIBRARIES or name in ("QM*", "*ALLUSR")
    ]
    if whole and spec.action == "copy":
        text, span = whole[0]
        part = () if text == "*ALLUSR" else (("/QSYS.LIB", "log", span),)
        return About(parts=part, facts={"library": text}, every=text != "*ALLUSR")
    mine = [(text, span) for text, span in saved if libraries.is_one(text)]
    return _of_libraries(mine, libraries) if mine else None


def _of_libraries(mine: Sequence[tuple[str, Span]], libraries: Libraries) -> About:
    """Libraries of queue managers; those of old releases hold data."""
    gone = libraries.vocabulary.libraries
    facts: dict[str, Text] = {"library": " ".join(text for text, _ in mine)}
    if any(text in gone for text, _ in mine):
        facts["old"] = "true"
    parts = tuple(
        (f"/QSYS.LIB/{text}.LIB", "data" if text in gone else "log", span) for text, span in mine
    )
    return About(tuple(text for text, _ in mine), (), parts, facts)


def _objects(spec: ClSpec, values: Values, libraries: Libraries) -> About | None:
    objects = texts(values, "OBJ")
    library_names = texts(values, "LIB", "SAVLIB")
    qualified = [text for text, _ in objects if "/" in text]
    plain = [_qualified(text) for text, _ in objects]
    journals = [name for _, name in plain if _JOURNAL.fullmatch(name) or _RECEIVER.fullmatch(name)]
    mine = [(text, span) for text, span in library_names if libraries.is_one(text)]
    if not mine and not journals:
        return None
    found = _of_libraries(mine, libraries)
    if not mine:
        span = objects[0][1] if objects else (0, 0)
        library = library_names[0][0] if library_names else plain[0][0]
        old = any(f"{library}/{name}" in libraries.vocabulary.journals for name in journals)
        found = _in_library(library, span, {}, old)
    if qualified:
        found.facts["qualified"] = qualified[0]
    if journals:
        found.facts["receiver"] = " ".join(journals)
    found.facts["gap"] = UNKNOWN if _unknown(values.get("OBJ")) else gap(journals)
    return found


def gap(receivers: Iterable[str]) -> str:
    """Return the first receiver that a list leaves out between two of one chain, or `none`."""
    chains: dict[str, list[int]] = {}
    for receiver in receivers:
        match = _NUMBERED.fullmatch(receiver)
        if match is not None:
            chains.setdefault(match[1], []).append(int(match[2]))
    for chain, numbers in chains.items():
        numbers.sort()
        for first, second in pairwise(numbers):
            if second > first + 1:
                return f"{chain}{first + 1:05d}"
    return "none"


def _files(spec: ClSpec, values: Values, libraries: Libraries) -> About | None:
    keys = {"RMVLNK": "OBJLNK", "RMVDIR": "DIR"}
    parts: list[tuple[str, str, Span]] = []
    owners: list[str] = []
    library_names: list[str] = []
    every = False
    for path, span in _included(texts(values, keys.get(spec.name, "OBJ"))):
        library = _AS_PATH.fullmatch(path)
        if library is not None and libraries.is_one(library[1].upper()):
            library_names.append(library[1].upper())
            parts.append((path, "log", span))
            continue
        if _EVERYTHING.fullmatch(path):
            if spec.action == "copy":
                every = True
                parts.append((path, "data", span))
            continue
        if _ALL_OF_MQ.fullmatch(path):
            every = True
            parts.append((path, "data", span))
            continue
        found = queue_manager_path(path)
        if found is None or "/mqm" not in path.lower():
            continue
        every |= found.every
        parts.append((path, found.part, span))
        if found.queue_manager is not None:
            owners.append(found.queue_manager)
    if not parts:
        return None
    return About(tuple(library_names), tuple(owners), tuple(parts), {}, every)


def _included(paths: Sequence[tuple[str, Span]]) -> Iterator[tuple[str, Span]]:
    """The paths of a list of pairs that are not left out."""
    for index, (path, span) in enumerate(paths):
        after = paths[index + 1][0].upper() if index + 1 < len(paths) else ""
        if not path.startswith("*") and after != "*OMIT":
            yield path, span


def _job(spec: ClSpec, values: Values, libraries: Libraries) -> About | None:
    jobs = texts(values, "JOB")
    name = jobs[0][0].rpartition("/")[2] if jobs else ""
    return About(facts={"job": name}) if _JOB.fullmatch(name) else None


def _subsystem(spec: ClSpec, values: Values, libraries: Libraries) -> About | None:
    subsystems = texts(values, "SBS")
    name = subsystems[0][0].rpartition("/")[2] if subsystems else ""
    if name == "*ALL":
        return About(every=True, action="end")
    return About(facts={"job": name}, every=True) if name == "QMQM" else None


def _system(spec: ClSpec, values: Values, libraries: Libraries) -> About | None:
    """The whole system is ended, and every queue manager with it."""
    return About(every=True)


def _exit(spec: ClSpec, values: Values, libraries: Libraries) -> About | None:
    exit_points = texts(values, "EXITPNT")
    return About(every=True) if exit_points and exit_points[0][0] == _DELETES else None


def _device(spec: ClSpec, values: Values, libraries: Libraries) -> About | None:
    """An independent disk pool whose name has MQ: varied on, its file systems can be used."""
    named = [name for name, _ in texts(values, "CFGOBJ") if "MQ" in name]
    kinds = [kind for kind, _ in texts(values, "CFGTYPE")]
    actions = [_VARIED[status] for status, _ in texts(values, "STATUS") if status in _VARIED]
    if not named or kinds != ["*DEV"] or not actions:
        return None
    return About(facts={"device": named[0]}, every=True, action=actions[0])


_READERS = {
    "device": _device,
    "journal": _journal,
    "receiver": _receiver,
    "library": _library,
    "objects": _objects,
    "files": _files,
    "job": _job,
    "subsystem": _subsystem,
    "exit": _exit,
    "system": _system,
}
