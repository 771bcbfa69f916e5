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

Calls of one function for each site are branches too: `create prod ORDQM1; create dr ORDQM1`. A
branch that a variable with one value never chooses is none.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import accumulate

from mqlint.config.estate.roles import (
    role_of_all,
    roles_of_pairs,
    tell_both_sites,
    word_for_site,
)
from mqlint.config.settings import Role
from mqlint.dataclass import NamedTuple
from mqlint.grouping import agreed, grouped, settled
from mqlint.language.script.blocks import functions_in
from mqlint.language.script.lookups.literals import fixed_in
from mqlint.number import is_digits
from mqlint.patterns import later
from mqlint.source.lines import Span

_CASE = later(r"(?m)^[ \t]*case[ \t]+(?P<asked>[^\n]{1,80})[ \t]in\b")
_VARIABLE = later(r"[ \t\"']{0,9}\$\{?(\w{1,80})\}?[ \t\"']{0,9}")
_CHOICES = later(r"[|\"'() \t]++")
_LABEL = later(r"\s*+(?:\([ \t]*+)?([\w\"'|*?. \t-]{1,200})\)")
_IF = later(
    r"\b(?:el)?if[ \t]+\[{1,2}[ \t]+[\"']?\$\{?(?P<asked>\w{1,80})\}?[\"']?[ \t]+={1,2}[ \t]+"
    r"[\"']?(?P<label>[\w-]{1,80})[\"']?[ \t]+\]{1,2}\s*+(?:;\s*+)?then\b"
)
_HOST = later(r"[\w.*-]{1,255}")
_NAME = later(r"[\w-]++")
_SET = later(
    r"(?<![\w$.{-])([A-Za-z_]\w{0,80}+)(\+?)=(?:\"([^\"\n]*)\"|'([^'\n]*)'|([^\s;&|<>()\"'`]*))"
)
_PARAMETER = later(r"(?<![\w$.{-])([A-Za-z_]\w{0,80}+)=[\"']?\$\{?([1-9])\}?[\"']?(?=[\s;]|\Z)")
_WORD = later(r"\"[^\"\n]*\"|'[^'\n]*'|[^\s;&|<>#()`\"']++")
_CALL = later(
    r"(?m)(?:^|[;&])[ \t]*+([\w-]{1,80}+)"
    r"((?:[ \t]++(?:\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'|[^\s;&|<>#()`\"']{1,200}+))++)"
)
_POSITIONAL = later(r"(?<!\\)\$\{?([1-9])(?!\d)")
_MOVES = later(r"\bshift\b|\bset[ \t]++--")
_NAMES_QUEUE_MANAGER = later(r"(?i)(?:\w{0,40}_)?QM(?:GR)?_?(?:NAME)?(?:_\w{1,40})?")
_RUNS = later(r"\b(?:runmqsc|(?:crt|str|end|dlt|rcr|rcd|dsp)mq\w{1,4})\b")
MAKES = later(r"\bcrtmqm\b|(?i:\bCLUSRCVR\b)")
"""What makes a queue manager, or a member of a cluster."""
_REMOTE = later(r"\b(?:ssh|rsh|rexec)\b")
_OPERAND = later(
    r"\b(?:runmqsc|(?:crt|str|end|dlt|rcr|rcd|dsp)mq\w{1,4})\b[^\n;|&<>$]{0,80}"
    r"[ \t][\"']?\$\{?(\w{1,80})\}?"
)
"""A variable that names the queue manager of a command."""
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
    for listed in grouped((found[1], _plain_words(found[2])) for found in calls).values():
        labels = [*map(word_for_site, listed)]
        if tell_both_sites(labels):
            named += (
                (word, role)
                for words, label in zip(listed, labels, strict=True)
                if (role := role_of_all(label)) is not None
                for word in words
            )
    return agreed(named)


class _Script(NamedTuple):
    branches: Sequence[Branch] = ()
    functions: Set[str] = frozenset()
    sited: Mapping[str, Role] = {}
    given: Sequence[Branch] = ()


@lru_cache(maxsize=8)  # readers ask for one script several times
def _read(text: str) -> _Script:
    spans = [*bodies_of(text)]
    bodies = [(label, text[slice(*span)]) for label, span in spans]
    bodies += _calls_for_sites(text, [span for _, span in spans])
    roles = _roles({label for label, _ in bodies})
    bodies = [(label, body) for label, body in bodies if label in roles]
    functions = _functions(text, [body for _, body in bodies]) if bodies else {}
    operands = {*_OPERAND.findall(text)}
    set_here = [dict(_set_in(body)) for _, body in bodies]
    found = [
        (roles[label], label, {**_given_in(body, functions), **values})
        for (label, body), values in zip(bodies, set_here, strict=True)
    ]
    named = {
        (name, value, role)
        for role, _, values in found
        for name, value in values.items()
        if value is not None and (name in operands or _NAMES_QUEUE_MANAGER.fullmatch(name))
    }
    if are_instances(text, roles):
        return _Script()
    sited = agreed((value, role) for _, value, role in named)
    is_for_both = {"production", "dr"} <= {role for role, _, _ in found}
    if not named and (not is_for_both or _INSTANCES.search(text) is not None):
        return _Script()
    inside = Counter(name for values in set_here for name in values)
    inside += Counter(name for parameters in functions.values() for name in parameters)
    whole = Counter(name for name, _ in _set_in(text))
    own = {name for name, count in inside.items() if is_digits(name) or whole[name] == count}
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
    return agreed(
        (label, role)
        for label, hosts in words.items()
        for role in (role_of_all(label), *(pairs.get(host.casefold()) for host in hosts))
        if role is not None
    )


def _functions(text: str, bodies: Sequence[str]) -> Mapping[str, Mapping[str, int]]:
    """The functions that only some branches call, once each, with the numbers of parameters."""
    called = Counter(call[1] for body in bodies for call in _CALL.finditer(body))
    written = Counter(_NAME.findall(text))
    found = {function: _parameters(text[slice(*span)]) for function, span in functions_in(text)}
    return {
        name: parameters
        for name, parameters in found.items()
        if parameters and written[name] == 1 + called[name]
    }


def _parameters(body: str) -> Mapping[str, int]:
    """The variables with parameters of a function, and the parameters; none if these move."""
    if _MOVES.search(body) is not None:
        return {}
    named = {name: int(number) for name, number in _PARAMETER.findall(body)}
    return {**named, **{number: int(number) for number in _POSITIONAL.findall(body)}}


def _given_in(body: str, functions: Mapping[str, Mapping[str, int]]) -> Mapping[str, str | None]:
    """The variables of functions that a branch calls; a value is None if calls differ in it."""
    given: list[tuple[str, str | None]] = []
    for call in _CALL.finditer(body) if functions else ():
        words = _plain_words(call[2])
        given += (
            (name, None if "$" in words[number - 1] else words[number - 1])
            for name, number in functions.get(call[1], {}).items()
            if number <= len(words)
        )
    return settled(given)


def _calls_for_sites(text: str, branches: Sequence[Span]) -> Iterator[tuple[str, str]]:
    """Yield the calls of functions that make something for one site each, with its name.

    Calls for one site are together, the first of each function, the second, and so on. Those in
    branches and in functions are not among them, nor are those for commands on other hosts, of
    which the names show the sites.
    """
    functions = dict(functions_in(text))
    inner = sorted((*branches, *functions.values()))
    starts = [start for start, _ in inner]
    ends = [*accumulate((end for _, end in inner), max)]
    together: dict[tuple[str, int], list[str]] = {}
    numbers = Counter[tuple[str, str]]()
    for call in _CALL.finditer(text) if functions else ():
        function = functions.get(call[1])
        around = bisect(starts, call.start(1)) - 1
        if function is None or (around >= 0 and call.start(1) < ends[around]):
            continue
        label = word_for_site(_plain_words(call[2]))
        makes = MAKES.search(text, *function) is not None
        if label and makes and _REMOTE.search(text, *function) is None:
            numbers[call[1], label] += 1
            together.setdefault((label, numbers[call[1], label]), []).append(call[0].strip(";&"))
    for (label, _), calls in together.items():
        yield label, "\n".join(calls)


def _plain_words(text: str) -> Sequence[str]:
    return [word.strip("\"'") for word in _WORD.findall(text)]


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
    at, fixed = 0, fixed_in(text)
    while (case := _CASE.search(text, at)) is not None:
        at = text.find("esac", case.end())
        at = len(text) if at < 0 else at
        start, variable = case.end(), _VARIABLE.fullmatch(case["asked"])
        value = fixed.get(variable[1]) if variable is not None else None
        for branch in text[start:at].split(";;"):
            label = _LABEL.match(branch)
            if label is not None and _may_be(value, label[1]):
                yield label[1], (start + label.end(), start + len(branch))
            start += len(branch) + 2
    yield from _of_questions(text, fixed)


def _may_be(value: str | None, label: str) -> bool:
    """Whether a value, None if it is not known, may choose the branch with a label."""
    return value is None or "*" in label or value in _CHOICES.split(label)


def _of_questions(text: str, fixed: Mapping[str, str]) -> Iterator[tuple[str, Span]]:
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
            label, start = (asked["label"], asked.end()) if asked is not None else ("", at)
            value = fixed.get(asked["asked"]) if asked is not None else None
            is_dr = word == "if" and role_of_all(label) == "dr" and value != label
            _open(opened, label if _may_be(value, label) else "", start, is_dr=is_dr)


def _open(opened: list[_Question], label: str, start: int, *, is_dr: bool = False) -> None:
    """Add a question to those around it; without its label, if it is in too many for sites."""
    depth = opened[-1].depth if opened else 0
    label = label if depth < _DEEPEST else ""
    opened.append(_Question(label, start, is_dr, depth + bool(label)))
