"""The parts of a file that are each for one site: branches, functions, targets, jobs, hosts.

    case $1 in
    prod) runmqsc ORDQM1 < prod.mqsc ;;
    dr)   runmqsc ORDQM1 < dr.mqsc ;;
    esac

What is in such a part belongs to its site, if the file itself is of none. A file has such parts if
one is for production and one for DR.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from mqlint.config.estate.roles import role_of, role_of_all, roles_of_pairs, word_for_site
from mqlint.dataclass import NamedTuple
from mqlint.language.script.blocks import blocks_in, functions_in
from mqlint.language.script.posix.sites import are_instances, bodies_of
from mqlint.language.variables.jobs import jobs_of
from mqlint.language.variables.signs import PLAY
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.source.lines import Span

_CHOICE = later(
    r"(?im)^([ \t]*+)(?:\}[ \t]*)?"
    r"(?:(?:else)?if[ \t]*+\([ \t]*+\$\w{1,80}+[ \t]++-c?i?eq[ \t]++)?"
    r"['\"]([\w-]{1,80}+)['\"][ \t]*+\)?\s*+\{"
)
"""A question of PowerShell for a value, or one of the values of a `switch`."""
_TARGET = later(r"(?m)^([^\s#:=][^\n#:=]*+):(?!:?=)")
_EXCLUDED = later(r"![^:,]*+")
_LABEL = later(r"(?m)^[ \t]*+:([\w.-]{1,80}+)[ \t]*+\r?$")
_BLOCK = later(
    r"(?m)^([ \t]*+)(?:resource|module)[ \t]++(?:\"[^\"\n]{1,80}\"[ \t]++)?"
    r"\"([^\"\n]{1,80})\"[ \t]*+\{"
)
_DOCUMENT = later(r"(?m)^---(?=\s)")
_NAMESPACE = later(r"\bnamespace[\"']?[ \t]*+:[ \t]*+[\"']?([\w.-]{1,63})")


class Stretch(NamedTuple):
    """A part of a file, and a name that tells its role."""

    start: int
    end: int
    name: str


def stretches_of(
    language: str, path: str, text: str, sent: Sequence[tuple[Span, str]]
) -> tuple[Stretch, ...]:
    """Return the parts of a file that are each for one site, in order; none overlap.

    What a loop sends to several hosts is a part for each. `sent` are the places of what a script
    sends to a host, with the name of the host. If these tell the sites, nothing else does.
    """
    pairs = roles_of_pairs(host for _, host in sent)
    on_hosts = [
        Stretch(start, end, host if role_of(host) else pairs.get(host.casefold(), ""))
        for (start, end), host in sent
    ]
    found = _of_both(on_hosts) or _of_both(_parts(language, path, text))
    return () if are_instances(text, (each.name for each in found)) else found


def _of_both(parts: Iterable[Stretch]) -> tuple[Stretch, ...]:
    """The parts whose names tell a role, if one is for production and one for DR."""
    roles = {each: role_of_all(each.name) for each in parts}
    found = sorted(each for each, role in roles.items() if role is not None)
    if not {"production", "dr"} <= {*roles.values()}:
        return ()
    overlapping = (one.end > other.start and one[:2] != other[:2] for one, other in pairwise(found))
    return () if any(overlapping) else tuple(found)


def _parts(language: str, path: str, text: str) -> Iterator[Stretch]:
    if language == "shell":
        yield from _stretches((*bodies_of(text), *functions_in(text)))
    elif language == "manifest":
        starts = [0, *(line.end() for line in _DOCUMENT.finditer(text))]
        spaces = [_NAMESPACE.search(text, *span) for span in pairwise((*starts, len(text)))]
        spaced = [place[1] if place is not None else "" for place in spaces]
        yield from _up_to_next([*zip(starts, spaced, strict=True)], text)
    elif language == "powershell":
        yield from _stretches((*functions_in(text), *blocks_in(_CHOICE, text)))
    elif language == "terraform":
        yield from _stretches(blocks_in(_BLOCK, text))
    elif language in ("makefile", "cmd"):
        heads = (_TARGET if language == "makefile" else _LABEL).finditer(text)
        yield from _up_to_next([(head.start(), "|".join(head[1].split())) for head in heads], text)
    elif language == "pipeline" and PLAY.search(text) is not None:
        plays = (play for document in read_documents(text) for play in document.items)
        yield from _up_to_next([(play.start, _hosts(play)) for play in plays], text)
    elif language in ("jenkins", "pipeline"):
        for job in jobs_of(path, text):
            if name := word_for_site(job.sites):
                yield from _stretches((name, span) for span in job.spans)


def _stretches(named: Iterable[tuple[str, Span]]) -> Iterator[Stretch]:
    return (Stretch(start, end, name) for name, (start, end) in named)


def _hosts(play: Node) -> str:
    """The groups and hosts of a play, without those that it excludes: `prod:!dr`."""
    hosts = play.child("hosts")
    listed = [item.text for item in hosts.items] if hosts is not None else []
    return _EXCLUDED.sub("", ",".join(listed) or play.word("hosts"))


def _up_to_next(heads: Sequence[tuple[int, str]], text: str) -> Iterator[Stretch]:
    """Yield the parts from the start of each head to that of the next."""
    for (start, name), (end, _) in pairwise([*heads, (len(text), "")]):
        yield Stretch(start, end, name)
