"""Commands of MQSC among lines of any kind of text.

A missed command is better than prose that is taken for one: "Display queue (local ones) and wait"
is not a command.
"""

from __future__ import annotations

from mqlint.patterns import later

VERBS = (
    "define|def|alter|alt|delete|display|dis|set|start|sta|stop|clear|refresh|ref|reset|resolve|"
    "resume|suspend|ping|move|archive|backup|recover|rverify|purge|end"
)
NAMED = (
    "qlocal|ql|qremote|qr|qalias|qa|qmodel|qm|qcluster|qc|queue|q|channel|chl|chlauth|chstatus|"
    "chs|process|pro|proc|namelist|nl|topic|tpc|tpstatus|sub|sbstatus|listener|lstr|lsstatus|"
    "service|svstatus|authinfo|authrec|authserv|entauth|comminfo|stgclass|stc|cfstruct|cfstatus|"
    "buffpool|bp|psid|policy|clusqmgr|cluster|qstatus|qs|conn|appl|subpool|thread|usage|smds"
)
_NAMELESS = (
    "authrec|qmgr|qmstatus|security|sec|chinit|chi|cmdserv|cs|log|archive|arc|system|trace|group"
)
_LISTENER = r"(?:listener|lstr)(?=[ \t,]+(?:trptype|port|indisp|ipaddr|luname)[ \t]*\()"
"""A listener of z/OS, which has no name."""
_NO_PAIR = r"(?!(?:def|alt|del|dis)[a-z]*[ \t,]+cluster\b)"
"""Of other programs: IDCAMS has DEFINE CLUSTER."""
_PREFIX = r"(?:[-+=!/&%][a-z][a-z0-9]{0,3}[ ]+)?"
_COMMAND = later(
    rf"(?i){_PREFIX}{_NO_PAIR}(?:{VERBS})[\s,]+(?:(?:no)?replace[\s,]+)?"
    rf"(?:(?:{NAMED})(?P<gap>[\s,]*)\(|(?P<bare>{_NAMELESS}|{_LISTENER})(?![\w.:'-]))"
)
_NAME = later(r"[ \t]*('[^'()\n]{1,300}'|[^\s'\"(),;]{1,300})[ \t]*\)")
_MARKED = later(r"[^a-z]")
_REST = later(r"[\s,]*+(?:[A-Za-z\ue000][\w\ue000]*+(?:\s*+\([^()]*+\)?+)?+[\s,]*+)*+[+;-]?\s*+")
_WORD = later(r"[\s,]*+([A-Za-z\ue000][\w\ue000.]*+)[ \t]*+(\((?:[^()']|'[^']*')*+\))?+")
_END = later(r"[\s,]*+[+;-]?+\s*+")
FLAGS = frozenset(
    "acctg all cancel chinit default force global hardenbo log nohardenbo noreplace noshare"
    " notrigger offload purge replace share stat tolerate trigger".split()
)
"""Words of commands that have no parentheses (attributes of the kind `flag` in the vocabulary)."""


def begins_command(line: str) -> bool:
    """Return whether a text begins with a command, by its first line without blanks."""
    match = _COMMAND.match(line)
    if match is None or line[-1] in ":{=." or line.startswith("s)", match.end()):
        return False  # "queue(s)" is prose, and "DISPLAY Q(1)." is COBOL
    if match["bare"]:
        return _is_nameless_command(line, match.end())
    if not match["gap"] or line == line.upper() or "(" in line[match.end() :]:
        return True
    return is_command(line)


def is_command(line: str) -> bool:
    """Return whether a line without outer blanks can be nothing but a command.

    All its words belong to a command; an unfinished value may go on in the next line.
    """
    match = _COMMAND.match(line)
    if match is None:
        return False
    if match["bare"]:
        return unknown_words(line[match.end() :]) == 0 and "(" in line[match.end() :]
    name = _NAME.match(line, match.end())
    if name is None or name[1] in ("s", "es") or unknown_words(line[name.end() :]) != 0:
        return False
    if not match["gap"] or _MARKED.search(name[1]) is not None:
        return True
    return _END.fullmatch(line, name.end()) is None


def unknown_words(rest: str) -> int | None:
    """Return the number of words in `rest` of a command that no command has.

    Words in parentheses do not count. None if it has other signs than words and parentheses.
    """
    at = unknown = 0
    while (word := _WORD.match(rest, at)) is not None:
        at = word.end()
        unknown += word[2] is None and word[1].lower() not in FLAGS
    return unknown if _END.fullmatch(rest, at) is not None else None


def _is_nameless_command(line: str, end: int) -> bool:
    """Return whether a line is a command such as `REFRESH SECURITY`, and not prose."""
    rest = line[end:]
    if not rest.strip(" +-;"):
        return True
    return _REST.fullmatch(rest) is not None and ("(" in rest or line == line.upper())
