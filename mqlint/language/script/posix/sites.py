"""Branches of a shell script for one site each, which give a queue manager to several.

    case $1 in
    prod) QM=ORDQM1; HOST=mq1.leeds.example ;;
    dr)   QM=ORDQM1; HOST=mq1.derby.example ;;
    esac

The script then makes ORDQM1 at two sites. Its variables are those of the site: see
`mqlint.language.variables.jobs`. A branch also sets what a function that it calls gets as
parameters: `prod) deploy ORDQM1 mq1.leeds.example ;;`. Labels may be names of hosts, as in
`case $(hostname) in mqprod1)`. If each site has a name of its own, the branch tells the site of the
queue manager: see `named_by_site`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache

from mqlint.config.estate.roles import role_of_all, roles_of_pairs
from mqlint.config.settings import Role
from mqlint.dataclass import NamedTuple
from mqlint.grouping import grouped
from mqlint.language.script.blocks import functions_in
from mqlint.patterns import later
from mqlint.source.lines import Span

_CASE = later(r"(?m)^[ \t]*case[ \t]+[^\n]{1,80}[ \t]in\b")
_LABEL = later(r"\s*+(?:\([ \t]*+)?([\w\"'|*?. \t-]{1,200})\)")
_IF = later(
    r"\b(?:el)?if[ \t]+\[{1,2}[ \t]+[\"']?\$\{?\w{1,80}\}?[\"']?[ \t]+={1,2}[ \t]+"
    r"[\"']?([\w-]{1,80})[\"']?[ \t]+\]{1,2}\s*+(?:;\s*+)?then\b"
)
_HOST = later(r"[\w.*-]{1,255}")
_NAME = later(r"[\w-]++")
_SET = later(
    r"(?<![\w$.{-])([A-Za-z_]\w{0,80}+)(\+?)=(?:\"([^\"\n]*)\"|'([^'\n]*)'|([^\s;&|<>()\"'`]*))"
)
_PARAMETER = later(r"(?<![\w$.{-])([A-Za-z_]\w{0,80}+)=[\"']?\$\{?([1-9])\}?[\"']?(?=[\s;]|\Z)")
_CALL = later(r"(?m)(?:^|[;&])[ \t]*+([\w-]{1,80}+)((?:[ \t]++[^\s;&|<>#()`]{1,200}+)++)")
_NAMES_QUEUE_MANAGER = later(r"(?i)(?:\w{0,40}_)?QM(?:GR)?_?(?:NAME)?(?:_\w{1,40})?")
_RUNS = later(r"\b(?:runmqsc|(?:crt|str|end|dlt|rcr|rcd|dsp)mq\w{1,4})\b")
_STANDBY = "standby"
_INSTANCES = later(r"\bstrmqm[ \t]+(?:-\w+[ \t]+){0,4}-x\b|\baddmqinf\b")
"""Commands for an instance of a multi-instance queue manager, which a standby may be."""
_KEYWORD = later(
    r"(?m)(?:^|[;&|{(]|(?<=\bthen)|(?<=\belse)|(?<=\bdo))[ \t]*"
    r"(?P<word>elif|else|fi|if(?=[ \t][^\n]{0,200}(?:\n[^\n]{0,200}){0,2}?\bthen\b))\b"
)
"""The words of questions; text for people may begin with an `if` too."""
_REST = "production"
"""The site of the branch `else` after a question for DR."""


_DEEPEST = 4
"""How deep questions for sites may be in each other: the text of each is read by itself."""


class _Question(NamedTuple):
    """An open question: its label, blank if it is not for a site, and the start of its branch.

    `is_dr`: its `else` is for production. `depth` is the number of those for sites around it.
    """

    label: str
    start: int
    is_dr: bool
    depth: int


class Branch(NamedTuple):
    """A branch: the word for its site, and the variables that it sets, None if not known."""

    label: str
    values: Mapping[str, str | None]


def branches_of_sites(text: str) -> Sequence[Branch]:
    """Return the branches of a script if two of different roles give a queue manager one name.

    Or if none names one: the script then has one name for both. Only variables that are set nowhere
    else count.
    """
    return _read(text).branches


def given_by_site(text: str) -> Sequence[Branch]:
    """Return all branches of a text for sites, with what they set for scripts that read the text.

    None unless they are for production and for DR, or if the text itself runs commands of MQ.
    """
    return _read(text).given


def called_by_site(text: str) -> Set[str]:
    """Return the functions that only `branches_of_sites` call, each of them once."""
    return _read(text).functions


def set_by_site(text: str) -> frozenset[str]:
    """Return the variables of `branches_of_sites`."""
    return frozenset(name for branch in branches_of_sites(text) for name in branch.values)


def named_by_site(text: str) -> Mapping[str, Role]:
    """Return the queue managers that branches or calls for one site name, with its role."""
    return {**_named_in_calls(text), **_read(text).sited}


def _named_in_calls(text: str) -> Mapping[str, Role]:
    """The words of calls of one function, of which one word names production or DR each time."""
    functions = {name for name, _ in functions_in(text)}
    named: list[tuple[str, Role]] = []
    calls = (found for found in _CALL.finditer(text) if found[1] in functions)
    for arguments in grouped((found[1], found[2].split()) for found in calls).values():
        listed = [[word.strip("\"'") for word in words] for words in arguments]
        roles = [{role for word in words if (role := role_of_all(word))} for words in listed]
        sites = {role for found in roles if len(found) == 1 for role in found}
        if {"production", "dr"} <= sites:
            named += (
                (word, role)
                for words, found in zip(listed, roles, strict=True)
                for role in (found if len(found) == 1 else ())
                for word in words
            )
    by_name = grouped(named)
    return {name: given[0] for name, given in by_name.items() if len({*given}) == 1}


class _Script(NamedTuple):
    branches: Sequence[Branch] = ()
    functions: Set[str] = frozenset()
    sited: Mapping[str, Role] = {}
    given: Sequence[Branch] = ()


@lru_cache(maxsize=8)  # readers ask for one script several times
def _read(text: str) -> _Script:
    bodies = [(label, text[slice(*span)]) for label, span in bodies_of(text)]
    roles = _roles({label for label, _ in bodies})
    bodies = [(label, body) for label, body in bodies if label in roles]
    functions = _functions(text, [body for _, body in bodies]) if bodies else {}
    set_here = [dict(_set_in(body)) for _, body in bodies]
    found = [
        (roles[label], label, dict(_given_in(body, functions)) | values)
        for (label, body), values in zip(bodies, set_here, strict=True)
    ]
    named = {
        (name, value, role)
        for role, _, values in found
        for name, value in values.items()
        if value is not None and _NAMES_QUEUE_MANAGER.fullmatch(name)
    }
    if are_instances(text, roles):
        return _Script()
    by_name = grouped((value, role) for _, value, role in named)
    sited = {name: given[0] for name, given in by_name.items() if len({*given}) == 1}
    is_for_both = {"production", "dr"} <= {role for role, _, _ in found}
    if not named and (not is_for_both or _INSTANCES.search(text) is not None):
        return _Script()
    inside = Counter(name for values in set_here for name in values)
    inside += Counter(name for parameters in functions.values() for name in parameters)
    whole = Counter(name for name, _ in _set_in(text))
    own = {name for name, count in whole.items() if inside[name] == count}
    branches = [
        Branch(
            label if role_of_all(label) else role,
            {name: value for name, value in values.items() if name in own},
        )
        for role, label, values in found
    ]
    given = branches if is_for_both and _RUNS.search(text) is None else ()
    if named and len(named) == len({(name, value) for name, value, _ in named}):
        return _Script(sited=sited, given=given)
    return _Script(branches, frozenset(functions), sited, given)


def _roles(labels: Set[str]) -> Mapping[str, Role]:
    """The roles of labels: words for one, or names of hosts that tell one beside each other."""
    words = {label: _HOST.findall(label) for label in labels}
    pairs = roles_of_pairs(word for found in words.values() for word in found)
    by_label = grouped(
        (label, role)
        for label, hosts in words.items()
        for role in (role_of_all(label), *(pairs.get(host.casefold()) for host in hosts))
        if role is not None
    )
    return {label: roles[0] for label, roles in by_label.items() if len({*roles}) == 1}


def _functions(text: str, bodies: Sequence[str]) -> Mapping[str, Mapping[str, int]]:
    """The functions that only some branches call, once each, with the numbers of parameters."""
    called = Counter(call[1] for body in bodies for call in _CALL.finditer(body))
    written = Counter(_NAME.findall(text))
    found = {
        function: {name: int(number) for name, number in _PARAMETER.findall(text, *span)}
        for function, span in functions_in(text)
    }
    return {
        name: parameters
        for name, parameters in found.items()
        if parameters and written[name] == 1 + called[name]
    }


def _given_in(
    body: str, functions: Mapping[str, Mapping[str, int]]
) -> Iterator[tuple[str, str | None]]:
    """Yield the variables of functions that a branch calls, with their values."""
    for call in _CALL.finditer(body) if functions else ():
        words = [word.strip("\"'") for word in call[2].split()]
        for name, number in functions.get(call[1], {}).items():
            if number <= len(words):
                yield name, None if "$" in words[number - 1] else words[number - 1]


def _set_in(text: str) -> Iterator[tuple[str, str | None]]:
    for name, sign, *forms in _SET.findall(text):
        value = "".join(forms)
        yield name, None if sign or "$" in value or "`" in value else value


def are_instances(text: str, labels: Iterable[str]) -> bool:
    """Return whether a script makes the instances of one queue manager, of which one is standby."""
    has_standby = any(_STANDBY in label.lower() for label in labels)
    return has_standby and _INSTANCES.search(text) is not None


def bodies_of(text: str) -> Iterator[tuple[str, Span]]:
    """Yield the branches of `case`, and those of questions for a site, each with its label."""
    at = 0
    while (case := _CASE.search(text, at)) is not None:
        at = text.find("esac", case.end())
        at = len(text) if at < 0 else at
        start = case.end()
        for branch in text[start:at].split(";;"):
            label = _LABEL.match(branch)
            if label is not None:
                yield label[1], (start + label.end(), start + len(branch))
            start += len(branch) + 2
    yield from _of_questions(text)


def _of_questions(text: str) -> Iterator[tuple[str, Span]]:
    opened: list[_Question] = []
    for keyword in _KEYWORD.finditer(text):
        word, at = keyword["word"], keyword.start("word")
        if word != "if" and opened:
            label, start, is_dr, _ = opened.pop()
            if label:
                yield label, (start, at)
            if word == "else":
                _open(opened, _REST if is_dr else "", keyword.end())
        if word in ("if", "elif"):
            asked = _IF.match(text, at)
            label, start = (asked[1], asked.end()) if asked is not None else ("", at)
            _open(opened, label, start, is_dr=word == "if" and role_of_all(label) == "dr")


def _open(opened: list[_Question], label: str, start: int, *, is_dr: bool = False) -> None:
    """Add a question to those around it; without its label, if it is in too many for sites."""
    depth = opened[-1].depth if opened else 0
    label = label if depth < _DEEPEST else ""
    opened.append(_Question(label, start, is_dr, depth + bool(label)))
