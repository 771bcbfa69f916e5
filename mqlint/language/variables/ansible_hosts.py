"""Inventories of Ansible: hosts, the groups that they are in, and variables of both.

Source: "How to build your inventory" and `ansible.builtin.ini`, `ansible.builtin.yaml` (inventory)
in the documentation of Ansible. Scripts and plug-ins that make an inventory are not followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from itertools import islice

from mqlint.dataclass import mutable
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.number import is_digits
from mqlint.patterns import later

_SECTION = later(r"\[(?P<name>[^\]:]{1,80})(?::(?P<kind>vars|children))?\]\s*(?:[#;].*)?")
_SETTING = later(r"(?P<name>[A-Za-z_]\w{0,100})[ \t]*=[ \t]*(?P<value>.*)")
_WORD = later(r"(?:[^\s\"'#]|\"[^\"\n]*+\"|'[^'\n]*+')++|#.*")
_RANGE = later(r"\[(?P<first>\w{1,6}):(?P<last>\w{1,6})(?::(?P<step>\d{1,4}))?\]")
_PORT = later(r":\d{1,5}\Z")
VARIABLE = later(r"\{\{ *([A-Za-z_][\w.]{0,100}) *\}\}")
LONGEST = 400
"""Limit of the characters of a value."""
_DEEPEST_KEY = 4
_MOST_ITEMS = 50
"""Limit of the items of a list."""
_DEEPEST = 16
MOST_HOSTS = 3_000
"""Limit of the hosts in all groups of an inventory."""
MOST_GROUPS = 100
"""Limit of the groups of a host."""

Variables = dict[str, str | None]
"""The texts of variables, None for one that is not a plain text."""

_BOOLEAN = later(r"[Yy]es|YES|[Nn]o|NO|[Oo]n|ON|[Oo]ff|OFF|[Tt]rue|TRUE|[Ff]alse|FALSE")
"""What YAML 1.1 reads as a truth value; a word of mixed case is a text."""


@mutable
class Hosts:
    """The content of inventories that are used together.

    `hosts` and `groups` are variables by name, `within` the groups of each host and `above` those
    around each group. `room` is how many hosts may be added; without any, hosts are left out.
    """

    hosts: dict[str, Variables] = field(default_factory=dict)
    groups: dict[str, Variables] = field(default_factory=dict)
    within: dict[str, set[str]] = field(default_factory=dict)
    above: dict[str, set[str]] = field(default_factory=dict)
    room: int = MOST_HOSTS

    def groups_of(self, host: str, depths: Mapping[str, int]) -> Mapping[str, int]:
        """Return the groups of a host, each with its depth; none of a host with too many."""
        found, waiting = set[str](), [*self.within[host]]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += self.above.get(name, ())
            if len(found) > MOST_GROUPS:
                self.room = 0
                return {}
        return {name: depths.get(name, 1) for name in found}

    def depths(self) -> Mapping[str, int]:
        """Return the depth of each group within others: a deeper one overrides the others.

        A group within itself, which Ansible rejects, is at the greatest depth.
        """
        depths = dict.fromkeys(self.groups, 1)
        for _ in range(_DEEPEST):
            for name, outer in self.above.items():
                depths[name] = min(1 + max(depths.get(each, 1) for each in outer), _DEEPEST)
        return depths


def add_hosts(hosts: Hosts, path: str, text: str) -> None:
    if path.lower().endswith((".yml", ".yaml")) or text.lstrip().startswith("---"):
        for document in read_documents(text):
            for name, group in document.pairs.items():
                _add_group(hosts, name, "", group, 0)
    else:
        _add_lines(hosts, text)


def _add_lines(hosts: Hosts, text: str) -> None:
    name, kind = "ungrouped", ""
    for line in map(str.strip, text.splitlines()):
        if not line or line[0] in "#;":
            continue
        section = _SECTION.fullmatch(line)
        if section is not None:
            name, kind = section["name"], section["kind"] or ""
            hosts.groups.setdefault(name, {})
        elif kind == "children":
            hosts.above.setdefault(line.split()[0], set()).add(name)
        elif kind == "vars":
            setting = _SETTING.fullmatch(line)
            if setting is not None:
                hosts.groups[name][setting["name"]] = _plain(setting["value"])
        else:
            words = [word[0] for word in _WORD.finditer(line) if word[0][0] != "#"]
            given = [*filter(None, map(_SETTING.fullmatch, words[1:]))]
            values = {setting["name"]: _plain(setting["value"]) for setting in given}
            _add_host(hosts, words[0] if words else "[", name, values)


def _add_group(hosts: Hosts, name: str, above: str, group: Node, depth: int) -> None:
    variables = group.child("vars")
    hosts.groups.setdefault(name, {}).update(written_variables([variables] if variables else []))
    if above and above != "all":
        hosts.above.setdefault(name, set()).add(above)
    for pattern, values in group.members("hosts").items():
        _add_host(hosts, pattern, name, dict(written_variables([values])))
    for child, inner in group.members("children").items() if depth < _DEEPEST else ():
        _add_group(hosts, child, name, inner, depth + 1)


def _add_host(hosts: Hosts, pattern: str, group: str, values: Variables) -> None:
    for host in _hosts_named(_PORT.sub("", pattern)):
        if hosts.room == 0:
            return
        hosts.room -= 1
        hosts.hosts.setdefault(host, {}).update(values)
        hosts.within.setdefault(host, set()).update({group} - {"all", "ungrouped"})


def _hosts_named(pattern: str) -> Iterator[str]:
    """The hosts that a pattern with ranges names: `qm[01:03].example`."""
    found = _RANGE.search(pattern)
    if found is None:
        yield from [pattern] if "[" not in pattern else []
        return
    before, after = pattern[: found.start()], pattern[found.end() :]
    rest = [*islice(_hosts_named(after), MOST_HOSTS)] if "[" in after else [after]
    for element in _elements(found["first"], found["last"], int(found["step"] or 1)):
        yield from (f"{before}{element}{end}" for end in rest)


def _elements(first: str, last: str, step: int) -> list[str]:
    if is_digits(first) and is_digits(last):
        width = len(first) if first.startswith("0") else 0
        numbers = range(int(first), int(last) + 1, max(1, step))[:MOST_HOSTS]
        return [str(number).zfill(width) for number in numbers]
    if len(first) == len(last) == 1 and first.isalpha() and last.isalpha():
        return [chr(code) for code in range(ord(first), ord(last) + 1, max(1, step))]
    return []


def written_variables(documents: Iterable[Node]) -> Iterator[tuple[str, str | None]]:
    """The scalars of variables in YAML, by the path of their keys; None for a long or odd one."""
    waiting: list[tuple[str, Node, int]] = [("", document, 0) for document in documents]
    while waiting:
        path, node, depth = waiting.pop()
        for key, value in node.pairs.items() if depth < _DEEPEST_KEY else ():
            if value.kind == "scalar":
                is_sure = not value.maybe and value.end - value.start <= LONGEST
                is_sure = is_sure and (value.known or VARIABLE.search(value.text) is not None)
                yield f"{path}{key}", _rendered(value) if is_sure else None
            waiting.append((f"{path}{key}.", value, depth + 1))
        for at, item in enumerate(node.items[:_MOST_ITEMS] if depth < _DEEPEST_KEY else ()):
            if item.kind == "scalar":
                is_sure = not item.maybe and item.end - item.start <= LONGEST and item.known
                yield f"{path}{at}", _rendered(item) if is_sure else None
            waiting.append((f"{path}{at}.", item, depth + 1))


def _rendered(value: Node) -> str | None:
    """What a template writes for a scalar: `True` for `yes` without quotes, nothing for `null`.

    Source: "YAML Syntax", Gotchas, in the documentation of Ansible.
    """
    if value.is_quoted or _BOOLEAN.fullmatch(value.text) is None:
        is_null = value.text in ("~", "null", "Null", "NULL") and not value.is_quoted
        return None if is_null else value.text
    return str(value.text.lower() in ("yes", "true", "on"))


def _plain(value: str) -> str | None:
    """The text of a value, None for a list, a map or a long text."""
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
        value = value[1:-1]
    return None if len(value) > LONGEST or (value[:1] in "[{" and value[:2] != "{{") else value
