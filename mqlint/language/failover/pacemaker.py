"""Pacemaker: commands of pcs and crm in scripts, the text of crm, and the CIB in XML."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.failover.resources import Cluster, Members, Pair, Resource
from mqlint.patterns import later
from mqlint.source.lines import Span

_WORD = later(r"(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s\"'])++")
_LINE = later(r"(?m)^(?:[^\n\\]|\\\n|\\[^\n])*")
_COMMAND = later(
    r"(?m)^[ \t]*(?:sudo[ \t]+)?(?:/\S{1,40}/)?(?:(pcs)(?:[ \t]+-f[ \t]+\S+)?[ \t]+"
    r"(property[ \t]+set|resource[ \t]+create|resource[ \t]+group[ \t]+add|constraint[ \t]+order"
    r"|constraint[ \t]+colocation(?=[ \t]+add[ \t]))"
    r"|(?:crm(?:[ \t]+-\S+)*[ \t]+configure[ \t]+)?(property|primitive|group|colocation))[ \t]+"
)
_ENABLES = later(r"\bsystemctl[ \t]+(?:--now[ \t]+)?enable[ \t]+(?:--now[ \t]+)?([\w@.:-]{2,80})")
_STARTS = frozenset({"start", "promote"})
_ROLES = frozenset("add with master slave promoted unpromoted started".split())
_NEVER = later(r"(?i)(?:score=)?[\"']?-inf(?:inity)?[\"']?:?$")
"""The score with which two resources never run on one node."""
_STOP = later(r"\bop[ \t]+stop[ \t]+|[ \t]stop[ \t]+(?=timeout=|interval=)")
_TIMEOUT = later(r"(?:\w+=\S+[ \t]+){0,6}?timeout=[\"']?(\w+)")
_TAG = later(r"<(/?)(\w+)((?:[ \t\r\n]+[\w-]+=(?:\"[^\"]*\"|'[^']*'))*)[ \t\r\n]*(/?)>")
_ATTRIBUTE = later(r"(?<![\w-])([\w-]++)=(?:\"([^\"]*)\"|'([^']*)')")


def cluster_faults(text: str) -> Iterator[Diagnostic]:
    """Yield the faults of what pcs and crm configure in a script, or of the text of crm."""
    if "pcs " in text or "crm " in text or "primitive " in text:
        cluster = _cluster(text)
        yield from cluster.faults()
        yield from _enabled_units(text, cluster)


def _enabled_units(text: str, cluster: Cluster) -> Iterator[Diagnostic]:
    """Yield units of queue managers that systemd starts at boot beside the cluster manager."""
    units = {
        resource.agent.partition(":")[2].removesuffix(".service"): resource.name
        for resource in cluster.resources.values()
        if resource.agent.startswith("systemd:") and resource.is_queue_manager
    }
    for found in _ENABLES.finditer(text) if units else ():
        name = units.get(found[1].removesuffix(".service"))
        if name is not None:
            yield diagnostic("failover-unit-enabled", found.span(1), unit=found[1], name=name)


def _cluster(text: str) -> Cluster:
    cluster = Cluster()
    joining: dict[str, Members] = {}
    joined = text.replace("\\\n", "  ")
    for found in _COMMAND.finditer(text):
        verb = (found[2] or found[3]).split()[-1]
        line = _LINE.match(text, found.start())
        end = line.end() if line is not None else found.end()
        words = list(_WORD.finditer(joined, found.end(), end))
        if verb in ("set", "property"):
            cluster.options += _options(words)
        elif verb in ("create", "primitive") and len(words) > 1:
            cluster.add(_resource(text, words, end))
            _join_group(joining, words)
        elif verb == "colocation":
            apart, together = _colocated(words)
            cluster.apart += apart
            cluster.together += together
        elif verb == "order":
            cluster.groups.append(_ordered(words))
            cluster.ordered.update(word[0].partition(":")[0] for word in words)
        elif verb in ("add", "group"):
            members = [(word[0], word.span()) for word in words[1:] if "=" not in word[0]]
            cluster.groups.append(
                [member for member in members if member[0] not in ("meta", "params")]
            )
    cluster.groups += joining.values()
    return cluster


def _join_group(groups: dict[str, Members], words: list[re.Match[str]]) -> None:
    """Add the resource of `pcs resource create NAME ... --group GROUP` at the end of its group."""
    plain = [word[0] for word in words]
    if "--group" in plain[:-1] and not {"--before", "--after"}.intersection(plain):
        group = groups.setdefault(plain[plain.index("--group") + 1], [])
        group.append((plain[0], words[0].span()))


def _ordered(words: list[re.Match[str]]) -> Members:
    """Return the two resources of `pcs constraint order`, the first to start first."""
    plain = [word[0] for word in words]
    if "then" not in plain or {"stop", "demote", "set"}.intersection(plain):
        return []
    ends = plain.index("then"), len(plain)
    ordered = [
        [word for word in words[first:end] if word[0] not in _STARTS]
        for first, end in ((0, ends[0]), (ends[0] + 1, ends[1]))
    ]
    return [(member[0][0], member[0].span()) for member in ordered if member]


def _colocated(words: list[re.Match[str]]) -> tuple[list[Pair], list[Pair]]:
    """Return the two resources of a colocation with its place, as kept apart or as together."""
    score = next((word for word in words if _NEVER.match(word[0]) is not None), None)
    named = [word for word in words if word is not score and "=" not in word[0]]
    names = [name for word in named if (name := word[0].partition(":")[0]).lower() not in _ROLES]
    if score is not None:  # crm writes the name of the constraint first
        return [(names[-2], names[-1], score.span())] if len(names) > 1 else [], []
    plain = [word[0].removeprefix("score=") for word in words]
    is_certain = "with" in plain and not any(word.startswith("-") for word in plain)
    return [], [(names[0], names[1], words[0].span())] if is_certain and len(names) > 1 else []


def _options(words: list[re.Match[str]]) -> Iterator[tuple[str, str, Span]]:
    for word in words:
        name, sign, value = word[0].partition("=")
        if sign:
            yield name, value.strip("\"'"), word.span()


def _resource(text: str, words: list[re.Match[str]], end: int) -> Resource:
    name, agent = words[0], words[1]
    stop = _STOP.search(text, agent.end(), end)
    time = _TIMEOUT.match(text, stop.end(), end) if stop is not None else None
    stop_time = None if time is None else (time[1], time.span(1))
    return Resource(name[0], agent[0], text[name.start() : end], name.span(), stop_time)


def cib_faults(text: str) -> Iterator[Diagnostic]:
    cluster = Cluster()
    group: Members | None = None
    name, agent, start, stop = "", "", 0, None
    span = 0, 0
    for tag in _TAG.finditer(text):
        kind, is_end = tag[2], tag[1] == "/"
        values = {found[1]: found[2] or found[3] or "" for found in _ATTRIBUTE.finditer(tag[3])}
        if kind == "group":
            group = None if is_end else []
            if group is not None:
                cluster.groups.append(group)
        elif kind == "primitive" and not is_end:
            name, span, start, stop = values.get("id", ""), tag.span(), tag.start(), None
            agent = ":".join(values.get(key, "") for key in ("class", "provider", "type"))
            if group is not None:
                group.append((name, span))
        elif kind == "rsc_colocation" and _NEVER.match(values.get("score", "")) is not None:
            cluster.apart.append((values.get("rsc", ""), values.get("with-rsc", ""), tag.span()))
        elif kind == "op" and values.get("name") == "stop" and "timeout" in values:
            stop = values["timeout"], tag.span()
        elif kind == "nvpair" and not name:
            cluster.options.append((values.get("name", ""), values.get("value", ""), tag.span()))
        if kind == "primitive" and (is_end or tag[4]):
            cluster.add(Resource(name, agent, text[start : tag.end()], span, stop))
            name = ""
    yield from cluster.faults()
