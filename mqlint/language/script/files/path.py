"""Paths of a queue manager's files: whose they are, and which part of it.

IBM's pages "Directory structure on AIX and Linux systems" and "Understanding IBM MQ file names":
`qmgrs/NAME` holds the data, `log/NAME` the recovery log, with `.` written `!` and `/` written `&`
in NAME; `mqs.ini` names all queue managers of a host. Folders that hold no messages (errors,
trace, exits) are no part.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from mqlint.dataclass import frozen
from mqlint.language.text.templates import PLACEHOLDER, is_known
from mqlint.patterns import later

LONGEST = 1_024
"""How many characters of a path are looked at."""

_SLASHES = later(r"[/\\]+")
_DATA = later(r"(?i)(?:^|.*/)(?:qmgrs|vols/[^/]+/qmgr)(?:/([^/]+)(?:/(.*))?)?/?$")
_LOG = later(
    r"(?i)(?:^|.*/)(?:(?:mqm(?:/data)?|ibm/mq|websphere mq|vols/[^/]+)/log|mqha/logs?)"
    r"(?:/([^/]+)(?:/(.*))?)?/?$"
)
_ACTIVE = later(
    r"(?i)^.*/(?:[^/m]++|m(?!q))*+mq[^/]*+(?:/logs?)?/((?!logs?/)[^/]++)/(active(?:/.*)?)/?$"
)
"""The log of a queue manager in a folder of its own: `/mqlogs/QM1/active`."""
_WHOLE = later(
    r"(?i)(?:^|.*/)(?:var/mqm|mnt/mqm(?:/data)?|(?<!program files/)"
    r"(?<!program files \(x86\)/)ibm/mq|mqha|^[a-z]:/mqm)(?:/[*.]*)?$"
)
"""Folders of all queue managers of a host or container; that of the programs has none."""
_HOST = later(r"(?i)(?:^|.*/)(?:var/mqm|programdata/ibm/mq)/mqs\.ini$")
"""The file that names the queue managers of a host."""
_VOLUME = later(r"(?:^|.*/)var/mqm/vols(?:/([^/]+))?/?$")
_EXTENT = later(r"(?i)s[\d*?]{1,7}\.log$")
_FILES = {
    "amqhlctl.lfh": "log",
    "qm.ini": "configuration",
    "mqs.ini": "configuration",
    "mqat.ini": "configuration",
    "mqinst.ini": "installations",
    "qmstatus.ini": "data",
    "amqrsyna.dat": "synchronisation",
    "amqclchl.tab": "client-channels",
    "amqalchk.fil": "checkpoint",
}
_KINDS = {".ini": "configuration", ".env": "configuration", ".tab": "client-channels"}
"""Parts whose files are known by the ends of their names, in any folder."""
_LIVE = later(r"(?i)(?:[a-z]:)?/(?:var/mqm|mnt/mqm|mqha|etc/opt/mqm|programdata/ibm/mq)(?:/|$)")
"""Folders of files in use: those of the product, and of IBM's examples of shared storage."""
_SAVED = later(
    r"(?i)(?:^|[/_.-])(?:backups?|bkps?|bcks?|bak|saved?|safe|snap(?:shot)?s?|(?:mq)?arch(?:ives?)?|old|orig|copy|"
    r"copies|restore|dumps?|tmp|temp)(?:[/_.-]|\d|$)"
)
_SAVED_BESIDE = later(r"(?i)[._-](?:old|bak|bkp|backup|save|saved|orig|copy)[\w.-]*")
_OTHERS = later(r"(?i)\.(?:json|ya?ml|mqsc|txt|sh|bak|kdb|sth|rdb|crl|p12|pem|crt|cer)$")
_TELLING = frozenset({"log", "synchronisation", "checkpoint", "installations"})
"""Parts whose files are known by their names alone; a qm.ini may be any template."""
_SIDE = frozenset("errors trace exits exits64 web sockets ssl autocfg".split())
_NO_NAMES = frozenset({"@system", "@ipcc"})
_WILD = frozenset("*?[")


@frozen
class QueueManagerPath:
    """The files that a path leads to.

    `part` is `whole` (all of all queue managers), `data`, `log`, `configuration`, `checkpoint`,
    `synchronisation`, `client-channels` or `installations` (mqinst.ini). `queue_manager` is None if
    the path names none; `every` is true if it includes all of them. `is_folder` is true for the
    folder of one queue manager, or for those of all.
    """

    part: str
    queue_manager: str | None = None
    every: bool = False
    is_folder: bool = False


def queue_manager_path(text: str) -> QueueManagerPath | None:
    """Return the files that a path leads to, None if they are not of a queue manager.

    Backslashes count as slashes; unknown text is covered.
    """
    if len(text) > LONGEST:
        return None
    path = _SLASHES.sub("/", text.strip("\"'"))
    if _WHOLE.fullmatch(path):
        return QueueManagerPath("whole", every=True)
    for pattern, part in ((_DATA, "data"), (_LOG, "log"), (_ACTIVE, "log")):
        match = pattern.match(path)
        if match is not None:
            return _inside(part, match[1], match[2] or "")
    if _HOST.match(path):
        return QueueManagerPath("configuration", every=True)
    volume = _VOLUME.fullmatch(path)
    if volume is not None:
        return QueueManagerPath("whole", every=volume[1] is None, is_folder=True)
    part = _file(path.rpartition("/")[2])
    return QueueManagerPath(part) if part in _TELLING else None


def _inside(part: str, folder: str | None, rest: str) -> QueueManagerPath | None:
    """The files of a path below `qmgrs` or `log`."""
    first, _, _ = rest.partition("/")
    if part == "data" and first.lower() in _SIDE:
        return None
    if folder is not None and folder.lower() in _NO_NAMES:
        return None
    file = rest.rpartition("/")[2]
    if _OTHERS.search(file):
        return None
    part = _file(file) or _KINDS.get(file[-4:].lower(), part)
    if folder is None or _WILD.intersection(folder):
        return QueueManagerPath(part, every=True, is_folder=not rest)
    name = name_of(folder) if is_known(folder) else None
    return QueueManagerPath(part, name, is_folder=not rest)


def depth_below(text: str) -> int | None:
    """Return how many parts of a path follow the folder of a queue manager; None without one."""
    path = _SLASHES.sub("/", text.strip("\"'"))[:LONGEST].rstrip("/")
    match = _DATA.match(path) or _LOG.match(path)
    if match is None or match[1] is None:
        return None
    return match[2].count("/") + 1 if match[2] else 0


def below_unknown_manager(text: str) -> str:
    """Return a path below the folder of a queue manager whose name alone is unknown, as `*`.

    Blank for any other path.
    """
    path = _SLASHES.sub("/", text.strip("\"'"))[:LONGEST]
    match = _DATA.match(path)
    if match is None or match[1] is None or match[1].strip(PLACEHOLDER):
        return ""
    start, end = match.span(1)
    found = f"{path[:start]}*{path[end:]}"
    return found if is_known(found) else ""


def liveness(text: str) -> int:
    """Return how surely a queue manager uses the files at a path.

    2 for folders of the product, 0 for a folder named as a backup, 1 for any other.
    """
    path = _SLASHES.sub("/", text.strip("\"'"))[:LONGEST]
    if _LIVE.match(path):
        return 2
    return 0 if _SAVED.search(path) else 1


def is_saved_beside(source: str, target: str) -> bool:
    """Return whether `source` is a copy next to `target` with its name: QM1.old and QM1."""
    copy, original = (_SLASHES.sub("/", text.strip("\"'")).rstrip("/") for text in (source, target))
    if not copy.startswith(original):
        return False
    return _SAVED_BESIDE.fullmatch(copy[len(original) :]) is not None


def has_below(folder: str, paths: Sequence[str]) -> bool:
    """Return whether a path is in a folder or below it; `paths` are in order."""
    prefix = f"{folder.rstrip('/')}/"
    at = bisect_left(paths, prefix)
    return at < len(paths) and paths[at].startswith(prefix)


def name_of(folder: str) -> str:
    return folder.replace("!", ".").replace("&", "/")


def _file(name: str) -> str:
    """The part that a file of this name is, blank for any other."""
    return "log" if _EXTENT.fullmatch(name) else _FILES.get(name.lower(), "")
