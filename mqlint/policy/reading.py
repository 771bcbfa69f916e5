"""How a policy reads a value from a fact: attributes, and what is derived from them.

Keys in upper case are MQ attributes. Keys in lower case are derived: `name`, `subtype`,
`queue_manager`, `site.name`, `site.role`, `site.isolation`, `site.reinstated_by`, `platform`,
`log.type`, `images.scheduled`. `CONNAME.hosts` is the list of `host(port)` in a connection name,
`NAMES.items` the elements of a list, `qmgr.KEY` the same key of the fact's queue manager.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from mqlint.model.fact import Fact, QueueManagerFact
from mqlint.model.value import ABSENT, UNKNOWN, Value
from mqlint.syntax.mqsc import Templated, items

Reader = Callable[[Fact], Value]

DERIVED = (
    "name",
    "queue_manager",
    "platform",
    "log.type",
    "images.scheduled",
    "qmid",
    "command",
    "digest",
    "language",
    "site.name",
    "site.role",
    "site.isolation",
    "site.reinstated_by",
)

_HOST = re.compile(r"([^\s,()]+)\s*(?:\(\s*(\d+)\s*\))?")


def reader(key: str) -> Reader:
    """Return the function that reads `key` from a fact."""
    if key in _SIMPLE:
        return _SIMPLE[key]
    head, _, tail = key.rpartition(".")
    if key.startswith("qmgr."):
        inner = reader(key.removeprefix("qmgr."))
        return lambda fact: inner(QueueManagerFact(fact.manager, []))
    if tail == "hosts":
        return lambda fact: _listed(fact.value(head), hosts)
    if tail == "items":
        return lambda fact: _listed(fact.value(head), lambda text: tuple(items(text)))
    return lambda fact: fact.value(key)


def hosts(text: str) -> tuple[str, ...]:
    """Return the `host(port)` of a connection name, in lower case, port 1414 when left out."""
    return tuple(f"{host.lower()}({port or 1414})" for host, port in _HOST.findall(text))


def _listed(value: Value, split: Callable[[str], tuple[str, ...]]) -> Value:
    return split(value) if isinstance(value, str) else value


def _name(fact: Fact) -> Value:
    return UNKNOWN if isinstance(fact.name, Templated) else fact.name


def _queue_manager(fact: Fact) -> Value:
    key = fact.manager.key
    return UNKNOWN if key.anonymous else key.name


def _site(attribute: str) -> Reader:
    def read(fact: Fact) -> Value:
        site = fact.manager.site
        if site is None:
            return UNKNOWN
        value = getattr(site, attribute)
        if value is None:
            return ABSENT
        return str(value)

    return read


_SIMPLE: dict[str, Reader] = {
    "name": _name,
    "queue_manager": _queue_manager,
    "platform": lambda fact: fact.manager.target.platform or UNKNOWN,
    "site.name": _site("name"),
    "site.role": _site("role"),
    "site.isolation": _site("isolation"),
    "site.reinstated_by": _site("reinstated_by"),
}
