"""Which language a file is in: by its content first, by its name second.

Only the first few thousand characters are looked at. To take a file for what it is not is worse
than to miss it: prose that begins with "Display queue status" is no MQSC, and of all the .ini
files of the world only those that begin like MQ's own are read.
"""

from __future__ import annotations

import re

from mqlint.syntax.templates import COVER, cover

LOOKED_AT = 8_192
"""How many characters of a file decide what it is."""

_TEMPLATE_ENDINGS = (".j2", ".jinja", ".jinja2", ".tpl", ".tmpl", ".template", ".erb", ".default")
_MQSC_ENDINGS = frozenset({"mqsc", "mqs"})
_SHELL_ENDINGS = frozenset({"sh", "ksh", "bash"})
_TEXT_ENDINGS = frozenset({"", "in", "inp", "txt", "tst", "mq", "cmd", "def", "dump", "scr"})
_CRON_ENDINGS = frozenset({"", "cron", "crontab", "tab", "txt"})
_INI_NAME = re.compile(r"[\w-]*(?:qm|mqs|mqclient|mqat|rdqm)[\w-]*$")
_OWN_NAMES = frozenset({"qm", "mqs", "mqclient", "mqat", "rdqm"})
_ANY_STANZA = re.compile(r"[ \t]*[A-Za-z]\w*[ \t]*:")

_VERBS = (
    "define|def|alter|alt|delete|display|dis|set|start|sta|stop|clear|refresh|ref|reset|resolve|"
    "resume|suspend|ping|move|archive|backup|recover|rverify|purge|end"
)
_NAMED = (
    "qlocal|ql|qremote|qr|qalias|qa|qmodel|qm|qcluster|qc|queue|q|channel|chl|chlauth|chstatus|"
    "chs|process|pro|proc|namelist|nl|topic|tpc|tpstatus|sub|sbstatus|listener|lstr|lsstatus|"
    "service|svstatus|authinfo|authrec|authserv|entauth|comminfo|stgclass|stc|cfstruct|cfstatus|"
    "buffpool|bp|psid|policy|clusqmgr|cluster|qstatus|qs|conn|appl|subpool|thread|usage|smds"
)
_NAMELESS = (
    "authrec|qmgr|qmstatus|security|sec|chinit|chi|cmdserv|cs|log|archive|arc|system|trace|group"
)
_COMMAND = re.compile(
    rf"(?:{_VERBS})[\s,]+(?:(?:{_NAMED})(?P<gap>[\s,]*)\(|(?P<bare>{_NAMELESS})(?![\w.:'-]))", re.I
)
_REST = re.compile(
    r"[\s,]*+(?:[A-Za-z\ue000][\w\ue000]*+(?:\s*+\([^()]*+\)?+)?+[\s,]*+)*+[+;-]?\s*+"
)
_DUMP = re.compile(
    r"\*+\s*(?:Script generated (?:on|by)|Queue manager name:|Command issued: *dmpmqcfg)", re.I
)
_STANZA = re.compile(
    r"[ \t]*(?:Log|LogDefaults|Channels|TCP|SSL|Security|Service|ServiceComponent|ExitPath|"
    r"ExitProperties(?:Local)?|ApiExit(?:Local|Common|Template)|QMErrorLog|Diagnostic\w+Messages|"
    r"DiagnosticMessages(?:Template)?|TuningParameters|AutoConfig|AutoCluster|Variables|"
    r"NativeHA\w+|InstanceData|Filesystem|RestrictedMode|XAResourceManager|AllQueueManagers|"
    r"DefaultQueueManager|QueueManager|ClientExitPath|MessageBuffer|PreConnect|Application|"
    r"AllActivityTrace|ApplicationTrace|Node|DRGroup|AuthToken|JWKS|LU62|NETBIOS|SPX|Subpool)"
    r"[ \t]*:[ \t]*(?:[;#].*)?",
    re.I,
)
_SETTING = re.compile(r"[ \t]*[A-Za-z]\w*[ \t]*=")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*[ \t]*=")
_SHEBANG = re.compile(r"#![ \t]*\S*/(?:env[ \t]+(?:-\S+[ \t]+)*)?(?:bash|sh|ksh\d*|dash|zsh)\b")
_MENTION = re.compile(
    r"(?<![\w.-])(?:crtmqm|strmqm|endmqm|dltmqm|rcdmqimg|rcrmqobj|runmqsc|dmpmqcfg)(?![\w-])"
)


def recognise(path: str, text: str) -> str | None:
    """Return `mqsc`, `ini`, `shell` or `crontab`; None for a file that is none of these.

    `path` may have slashes of either kind; `text` is the decoded file, or its beginning.
    """
    head = text[:LOOKED_AT]
    if "\0" in head:
        return None
    name = path.replace("\\", "/").rpartition("/")[2].lower()
    stem, ending = _parts(name)
    if head.startswith("#!") or ending in _SHELL_ENDINGS:
        return "shell" if _is_shell(head, text, ending) else None
    if ending in _MQSC_ENDINGS:
        return "mqsc"
    lines = _significant(head)
    if ending == "ini" or ".ini." in name:
        return "ini" if _is_ini(stem, lines) else None
    if ending in _CRON_ENDINGS and _is_crontab(lines, text):
        return "crontab"
    if ending in _TEXT_ENDINGS and _is_mqsc(head, lines):
        return "mqsc"
    return None


def _parts(name: str) -> tuple[str, str]:
    """Return a file's name and ending, those of templates taken off."""
    for _ in range(3):
        plain = next(
            (name.removesuffix(one) for one in _TEMPLATE_ENDINGS if name.endswith(one)), ""
        )
        if not plain:
            break
        name = plain
    stem, dot, ending = name.rpartition(".")
    return (stem, ending) if dot and stem else (name, "")


def _significant(head: str) -> list[str]:
    """Return the first lines that are neither blank nor template statements, at most 60."""
    lines = (line.rstrip() for line in cover(head).splitlines())
    return [line for line in lines if line.strip(" \t" + COVER)][:60]


def _is_shell(head: str, text: str, ending: str) -> bool:
    """Whether a script for a shell names one of MQ's commands."""
    if head.startswith("#!") and not _SHEBANG.match(head):
        return False
    return _MENTION.search(text) is not None


def _is_ini(stem: str, lines: list[str]) -> bool:
    """Whether the first stanza is one of MQ's, written as MQ writes them."""
    said = any("module name" in line.lower() and ".ini" in line for line in lines)
    settings = [line for line in lines if line.lstrip()[0] not in "#;"]
    if not settings:
        return False
    if stem in _OWN_NAMES and _ANY_STANZA.match(settings[0]):
        return True
    if not _STANZA.fullmatch(settings[0]):
        return False
    return said or bool(_INI_NAME.match(stem)) or _has_setting(settings)


def _has_setting(settings: list[str]) -> bool:
    """Whether a setting follows the first stanza."""
    return len(settings) > 1 and _SETTING.match(settings[1]) is not None


def _is_crontab(lines: list[str], text: str) -> bool:
    """Whether the first job is one, and one of MQ's commands is named."""
    jobs = [line for line in lines if not line.lstrip().startswith("#")]
    jobs = [line for line in jobs if not _ASSIGNMENT.match(line)]
    if not jobs or _MENTION.search(text) is None:
        return False
    from mqlint.syntax.crontab import is_schedule  # only for what mentions a command of MQ

    return is_schedule(jobs[0])


def _is_mqsc(head: str, lines: list[str]) -> bool:
    """Whether a dump's header or an MQSC command comes first."""
    commands = [line for line in lines if not line.startswith("*")]
    if any(_DUMP.match(line) for line in lines[: len(lines) - len(commands)]):
        return True
    if not commands or not lines:
        return False
    first = commands[0].strip()
    match = _COMMAND.match(first)
    if match is None or first[-1] in ":{=":
        return False
    if match["bare"]:
        return _reads_as_command(first, match.end())
    return not match["gap"] or first == first.upper() or "(" in first[match.end() :]


def _reads_as_command(line: str, behind: int) -> bool:
    """Whether a command without a name is one: `REFRESH SECURITY`, but no prose."""
    rest = line[behind:]
    if not rest.strip(" +-;"):
        return True
    return _REST.fullmatch(rest) is not None and ("(" in rest or line == line.upper())
