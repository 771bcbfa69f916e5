"""Branches of a shell script for one site each, which give a queue manager to several.

    case $1 in
    prod) QM=ORDQM1; HOST=mq1.leeds.example ;;
    dr)   QM=ORDQM1; HOST=mq1.derby.example ;;
    esac

The script then makes ORDQM1 at two sites. Its variables are those of the site: see
`mqlint.language.variables.jobs`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from mqlint.config.estate.roles import role_of
from mqlint.dataclass import NamedTuple
from mqlint.patterns import later

_CASE = later(r"(?m)^[ \t]*case[ \t]+[^\n]{1,80}[ \t]in\b")
_LABEL = later(r"\s*+(?:\([ \t]*+)?([\w\"'|*?. \t-]{1,200})\)")
_IF = later(
    r"\b(?:el)?if[ \t]+\[{1,2}[ \t]+[\"']?\$\{?\w{1,80}\}?[\"']?[ \t]+={1,2}[ \t]+"
    r"[\"']?([\w-]{1,80})[\"']?[ \t]+\]{1,2}\s*+(?:;\s*+)?then\b"
)
_SET = later(
    r"(?<![\w$.{-])([A-Za-z_]\w{0,80}+)(\+?)=(?:\"([^\"\n]*)\"|'([^'\n]*)'|([^\s;&|<>()\"'`]*))"
)
_NAMES_QUEUE_MANAGER = later(r"(?i)(?:\w{0,40}_)?QM(?:GR)?_?(?:NAME)?(?:_\w{1,40})?")
_STANDBY = "standby"
_INSTANCES = later(r"\bstrmqm[ \t]+(?:-\w+[ \t]+){0,4}-x\b|\baddmqinf\b")
"""Commands for an instance of a multi-instance queue manager, which a standby may be."""
_END = later(r"(?m)^[ \t]*(elif|else|fi)\b")
_REST = "production"
"""The site of the branch `else` after a question for DR."""


class Branch(NamedTuple):
    """A branch: the word for its site, and the variables that it sets, None if not known."""

    label: str
    values: Mapping[str, str | None]


@lru_cache(maxsize=8)  # readers ask for one script several times
def branches_of_sites(text: str) -> Sequence[Branch]:
    """Return the branches of a script if two of different roles give a queue manager one name.

    Only variables that are set nowhere else count.
    """
    found = [
        (role, Branch(label, dict(_set_in(body))))
        for label, body in (*_of_cases(text), *_of_questions(text))
        if (role := role_of(label)) is not None
    ]
    named = {
        (name, value, role)
        for role, branch in found
        for name, value in branch.values.items()
        if value is not None and _NAMES_QUEUE_MANAGER.fullmatch(name)
    }
    has_standby = any(_STANDBY in label.lower() for _, (label, _) in found)
    if has_standby and _INSTANCES.search(text) is not None:
        return ()
    if len(named) == len({(name, value) for name, value, _ in named}):
        return ()
    inside = Counter(name for _, branch in found for name in branch.values)
    whole = Counter(name for name, _ in _set_in(text))
    own = {name for name, count in inside.items() if whole[name] == count}
    return [
        Branch(label, {name: value for name, value in values.items() if name in own})
        for _, (label, values) in found
    ]


def set_by_site(text: str) -> frozenset[str]:
    """Return the variables of `branches_of_sites`."""
    return frozenset(name for branch in branches_of_sites(text) for name in branch.values)


def _set_in(text: str) -> Iterator[tuple[str, str | None]]:
    for name, sign, *forms in _SET.findall(text):
        value = "".join(forms)
        yield name, None if sign or "$" in value or "`" in value else value


def _of_cases(text: str) -> Iterator[tuple[str, str]]:
    at = 0
    while (case := _CASE.search(text, at)) is not None:
        at = text.find("esac", case.end())
        at = len(text) if at < 0 else at
        for branch in text[case.end() : at].split(";;"):
            label = _LABEL.match(branch)
            if label is not None:
                yield label[1], branch[label.end() :]


def _of_questions(text: str) -> Iterator[tuple[str, str]]:
    at = 0
    while (asked := _IF.search(text, at)) is not None:
        end = _END.search(text, asked.end())
        at = len(text) if end is None else end.start()
        yield asked[1], text[asked.end() : at]
        is_dr = asked[0].startswith("if") and role_of(asked[1]) == "dr"
        if is_dr and end is not None and end[1] == "else":
            last = _END.search(text, end.end())
            yield _REST, text[end.end() : len(text) if last is None else last.start()]
