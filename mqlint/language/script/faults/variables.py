"""Variables of scripts and pipelines: those that a text sets or gets, and typos of them."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable
from functools import cached_property

from mqlint.grouping import grouped
from mqlint.number import is_digits
from mqlint.patterns import later
from mqlint.vocabulary.distance import deletions, distance, same_but_for_digits

SET_IN_SHELL = later(
    r"(?m)(?:^|[;&|({\s])(?:export[ \t]+|local[ \t]+|readonly[ \t]+"
    r"|(?:declare|typeset)[ \t]+(?:-\w+[ \t]+){0,8})?([A-Za-z_]\w{0,60})(?:=|\[)"
    r"|\b(?:for|read(?:[ \t]+-\w+){0,8}|select|getopts[ \t]+\S+)[ \t]+([A-Za-z_]\w{0,60})"
)
_EXPORTED = later(r"\b(?:export|(?:declare|typeset)[ \t]+-\w*x\w*)[ \t]+([^\n;|&]{1,500})")
_NAME = later(r"[A-Za-z_]\w*")
_EXPORTS_ALL = later(r"(?m)^[ \t]*set[ \t]+(?:-\w*a|-o[ \t]+allexport)")
SHORTEST_NAME = 4
"""Characters of a variable for another to be a typo of it."""
_SHORTEST_BEGINNING = 2
"""Characters of a variable that is the beginning of another: QM and QMGR."""
SETS_OTHERS = later(
    r"(?m)(?:^|[;&|{(]|\bthen)[ \t]*(?:\.|source|eval)[ \t](?![ \t]*[^\s;&|]{0,200}\bsetmqenv\b)"
    r"|^include:|^[ \t]*-[ \t]+\{?(?:group|template):[ \t]+\S"
)
"""What may set variables that a text does not name; those of setmqenv are known.

A file that GitLab includes may do so, and a group or a template of variables of Azure.
"""
_FOR_LATER = later(
    r"\bsetvariable[ \t]+variable=(?P<azure>[\w.-]{1,60})"
    r"|\benv(?:\.|\[[\"'])(?P<jenkins>\w{1,60})(?:[\"']\])?[ \t]*=(?!=)"
    r"|\bexportVariable\([ \t]*[\"'`](?P<action>\w{1,60})"
    r"|(?:(?<=[\s\"'`({;])|(?<=\\n))(?P<github>[A-Za-z_]\w{0,60})(?:=|<<)"
)
"""A variable that a step sets for the steps after it: Azure, Jenkins, and a file of GitHub."""
_FILE_FOR_LATER = "GITHUB_ENV"
_NAMES_FOR_LATER = later(r"(?m)^(?=[^\n]*GITHUB_ENV)(?![^\n]*(?:=|<<|\}[^\n]{0,9}>))")
"""A line that puts variables into the file, but does not show their names."""
_OF_SETMQENV = tuple(
    f"MQ_{name}"
    for name in (
        *("INSTALLATION_NAME", "INSTALLATION_PATH", "DATA_PATH", "FILE_PATH", "ENV_MODE"),
        *("JAVA_INSTALL_PATH", "JAVA_DATA_PATH", "JAVA_LIB_PATH", "JAVA_JVM_FLAG", "JRE_PATH"),
    )
)
_OF_SYSTEM = frozenset(
    "HOME HOSTNAME LANG LOGNAME OLDPWD PATH PWD SHELL TERM TMPDIR USER"
    " APPDATA COMPUTERNAME PROGRAMDATA PROGRAMFILES PUBLIC SYSTEMDRIVE SYSTEMROOT"
    " TEMP TMP USERNAME USERPROFILE WINDIR".split()
)
"""Variables that POSIX, a login or Windows sets."""
_OF_QUEUE_MANAGER = later(r"(?i)q_?m(?:gr)?(?:_?name)?|queue_?m(?:gr|anager)(?:_?name)?")
_WORD = later(r"\w+")
_TYPE = later(
    r"(?i)(?:(?<=-t )|(?<=\balter )|(?<=\balt )|(?<=\bdisplay )|(?<=\bdis )|(?<=objtype\())"
    r"[\"']?(qmgr)\b"
)
"""The queue manager as a type of object, in a command of MQSC or an option."""


def variables_for_later_steps(text: str) -> set[str]:
    """Return the variables that steps of a pipeline set for those after them."""
    has_file = _FILE_FOR_LATER in text
    if not (has_file or any(word in text for word in ("setvariable", "env", "exportVariable"))):
        return set()
    found = _FOR_LATER.finditer(text)
    names = {str(each[each.lastgroup or 0]) for each in found if has_file or not each["github"]}
    return {*names, *(name.upper().replace(".", "_") for name in names)}


def shows_all_for_later_steps(text: str) -> bool:
    """Return whether a text has the names of all variables that its steps set."""
    return _FILE_FOR_LATER not in text or _NAMES_FOR_LATER.search(text) is None


class VariableNames:
    """Names of variables, in an index for typos of them."""

    def __init__(self, names: Iterable[str], shortest: int = 0, text: str = "") -> None:
        """Take names of a text; those with fewer characters than `shortest` have no typos."""
        self.names = frozenset(names)
        self._shortest = shortest
        self._text = text

    @cached_property
    def _similar(self) -> dict[str, list[str]]:
        """The names by what `deletions` makes of each: made for the first name that no one sets."""
        return grouped(
            (key, name)
            for name in self.names
            if len(name) >= self._shortest
            for key in deletions(name)
        )

    def cut_from(self, name: str) -> str:
        """Return the only variable of which `name` is the beginning, or that it begins with.

        Of a name that is too short for typos it may be one, and a name for the queue manager is
        that of the only variable for one (QMNAME, QMGR). Blank if there is none, or if the
        environment may set `name`: the text has it more than once, or the system does. A variable
        that the text uses is another one, unless both are for the queue manager.
        """
        is_set_elsewhere = self._counts[name] > 1 or name.upper() in _OF_SYSTEM
        if len(name) < _SHORTEST_BEGINNING or is_digits(name[-1]) or is_set_elsewhere:
            return ""
        at = bisect_left(self._sorted, name)
        longer = [other for other in self._sorted[at : at + 2] if other.startswith(name)]
        starts = (name[:end] for end in range(_SHORTEST_BEGINNING, len(name)))
        found = [*longer, *(start for start in starts if start in self.names)]
        if not found and len(name) == self._shortest - 1:
            found = self._near(name)
        if not found and _OF_QUEUE_MANAGER.fullmatch(name):
            found = [other for other in self.names if _OF_QUEUE_MANAGER.fullmatch(other)]
        if len(found) != 1:
            return ""
        are_same = all(_OF_QUEUE_MANAGER.fullmatch(each) for each in (name, found[0]))
        return found[0] if are_same or self._counts[found[0]] <= 1 else ""

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(self.names)

    @cached_property
    def _counts(self) -> Counter[str]:
        """How often the text has each word, unless it is a type of object."""
        counts = Counter(found[0] for found in _WORD.finditer(self._text))
        counts.subtract(found[1] for found in _TYPE.finditer(self._text))
        return counts

    def meant_by(self, name: str) -> str:
        """Return the first variable in the alphabet that `name` is a typo of, blank for none."""
        return min(self._near(name), default="") if len(name) >= self._shortest else ""

    def _near(self, name: str) -> list[str]:
        """The variables that differ by one typing error, and not as a series: QM_1 and QM_2."""
        near = {other for key in deletions(name) for other in self._similar.get(key, ())}
        near = {other for other in near if distance(name, other, 1) <= 1}
        return [other for other in near if not same_but_for_digits(name, other)]


class ScriptVariables(VariableNames):
    """The variables of a text: its `own`, which it sets or reads, and those `given` to it."""

    def __init__(self, text: str, given: Collection[str]) -> None:
        assigned: set[str] = set()
        read: set[str] = set()
        for found in SET_IN_SHELL.finditer(text):
            (assigned if found[1] else read).add(found[1] or found[2])
        of_mq = _OF_SETMQENV if "setmqenv" in text else ()
        names = (*assigned, *read, *of_mq, *given, *variables_for_later_steps(text))
        super().__init__(names, SHORTEST_NAME, text)
        self.own = assigned | read
        self.looped = read - assigned
        self.are_all = SETS_OTHERS.search(text) is None
        self.exports_all = _EXPORTS_ALL.search(text) is not None
        self.exported = {
            name for found in _EXPORTED.finditer(text) for name in _NAME.findall(found[1])
        }

    def begun_by(self, name: str) -> str:
        """Return a variable that `name` begins with before an underscore, blank for none.

        The shell takes an underscore as part of a name. Other files may set the longer one, and so
        may the environment: one that the text has more than once, or that is for a queue manager.
        """
        is_set_elsewhere = self._counts[name] > 1 or _OF_QUEUE_MANAGER.fullmatch(name)
        parts = name.split("_") if self.are_all and not is_set_elsewhere else ()
        beginnings = ("_".join(parts[:count]) for count in range(1, len(parts)))
        return next((start for start in beginnings if start in self.names), "")
