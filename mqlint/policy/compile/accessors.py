"""How a policy reads a value from a fact: attributes, and what is derived from them.

Keys in upper case are MQ attributes. Keys in lower case are derived: `name`, `type`,
`queue_manager`, `site.name`, `site.role`, `site.isolation`, `site.reinstated_by`, `platform`,
`target.level`, `migration.from` and `migration.to` (releases, unknown where nothing is said), and
those that one type of fact has of its own (`FACT_TYPES` in `mqlint.model.facts.registry`).
`CONNAME.hosts` is the list of `host(port)` in a connection name, `CONNAME.addresses` that of the
hosts alone,
`CONNAME.ports` that of the ports, `NAMES.items` the elements of a list,
`LDAPPWD.secret` whether a secret is written (none, plain or encrypted), `RQMNAME.roles` the roles
of the sites that a value speaks of, `CONNAME.sites` their names,
`clusters` the clusters an object is in, `granted.PUT` the
users and groups that may put to it, `trigger` what becomes of a queue's trigger,
`retry.seconds` for how long a channel tries again, `use_of_queue` the CLWLUSEQ that counts,
`queue_manager.start` the first twelve characters of its name,
`pair` what a channel shares with its other end,
`record.never` and its like how a channel authentication record stands among the others,
`record.partner` whom it is about at whatever site, `mapped`
whether such a record gives a channel's partners a user, `qmgr.KEY` the
same key of the fact's queue manager.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from ipaddress import ip_address
from operator import methodcaller

from mqlint.chlauth import REACHABILITY
from mqlint.config.settings import Site
from mqlint.language.mqsc import Templated
from mqlint.model.core.fact import Fact
from mqlint.model.core.queue_manager import MQObject
from mqlint.model.core.value import ABSENT, UNKNOWN, Value, hosts, listed
from mqlint.model.facts.authority import AUTHORITIES, granted
from mqlint.model.facts.cluster import clusters_of, retry_seconds, use_of_queue
from mqlint.model.facts.pair import pair_of
from mqlint.model.facts.qmgr import is_qmgr, qmgr_of
from mqlint.model.facts.trigger import trigger_of
from mqlint.vocabulary.limits import NAME_IN_IDENTIFIERS

Reader = Callable[[Fact], Value]

DERIVED = (
    "name",
    "type",
    "queue_manager",
    "queue_manager.start",
    "platform",
    "target.level",
    "migration.from",
    "migration.to",
    "twin",
    "queue_manager.twin",
    "mirror",
    "queue_manager.mirror",
    "clusters",
    "trigger",
    "pair",
    "retry.seconds",
    "use_of_queue",
    *(f"granted.{word}" for word in AUTHORITIES),
    "mapped",
    *(f"record.{word}" for word in REACHABILITY),
    "record.partner",
    "role",
    "site.name",
    "site.role",
    "site.isolation",
    "site.reinstated_by",
)
"""Keys that every type of fact takes; those of one type stand in `FACT_TYPES`."""

SUFFIXES = (".hosts", ".addresses", ".ports", ".items", ".roles", ".sites", ".secret")
"""What may follow an attribute, to read something out of its value."""


def reader(key: str) -> Reader:
    """Return the function that reads `key` from a fact."""
    if key in _SIMPLE:
        return _SIMPLE[key]
    head, dot, tail = key.rpartition(".")
    if not dot:
        return methodcaller("value", key)
    if head == "granted":
        return lambda fact: (
            granted(fact, tail) if isinstance(fact, MQObject) or is_qmgr(fact) else ABSENT
        )
    if key.startswith("qmgr."):
        inner = reader(key.removeprefix("qmgr."))
        return lambda fact: inner(qmgr_of(fact.manager))
    if tail == "hosts":
        return lambda fact: _listed(fact.value(head), hosts)
    if tail == "addresses":
        return lambda fact: _listed(fact.value(head), _addresses)
    if tail == "ports":
        return lambda fact: _listed(fact.value(head), _ports)
    if tail == "items":
        return lambda fact: listed(fact.value(head))
    if tail in ("roles", "sites"):
        return _of_sites(head, roles if tail == "roles" else sites_in)
    if tail == "secret":
        return lambda fact: _secret(fact, head)
    return lambda fact: fact.value(key)


def roles(text: str, sites: Iterable[Site]) -> tuple[str, ...]:
    """Return the roles of the sites of which a token or an address stands in `text`."""
    return tuple(sorted({site.role for site in _spoken_of(text, sites)}))


def sites_in(text: str, sites: Iterable[Site]) -> tuple[str, ...]:
    """Return the names of those sites."""
    return tuple(sorted(site.name for site in _spoken_of(text, sites)))


def _spoken_of(text: str, sites: Iterable[Site]) -> list[Site]:
    sites, folded = tuple(sites), text.casefold()
    found = [site for site in sites if any(token.casefold() in folded for token in site.tokens)]
    if any(site.networks for site in sites):
        for address in hosts(text):
            found += _owners(address.split("(")[0], sites)
    return found


def _owners(host: str, sites: tuple[Site, ...]) -> list[Site]:
    """The sites of an address: of networks within each other the narrowest tells."""
    try:
        address = ip_address(host)
    except ValueError:
        return []
    fitting = [(net.prefixlen, site) for site in sites for net in site.networks if address in net]
    narrowest = max((length for length, _ in fitting), default=0)
    return [site for length, site in fitting if length == narrowest]


def _of_sites(key: str, find: Callable[[str, Iterable[Site]], tuple[str, ...]]) -> Reader:
    read = reader(key)
    return lambda fact: _listed(read(fact), lambda text: find(text, fact.manager.settings.sites))


def _clusters(fact: Fact) -> Value:
    return clusters_of(fact) if isinstance(fact, MQObject) else ABSENT


def _trigger(fact: Fact) -> Value:
    return trigger_of(fact) if isinstance(fact, MQObject) else ABSENT


def _pair(fact: Fact) -> Value:
    return pair_of(fact) if isinstance(fact, MQObject) else ABSENT


def _of_object(read: Callable[[MQObject], Value]) -> Reader:
    return lambda fact: read(fact) if isinstance(fact, MQObject) else ABSENT


def _addresses(text: str) -> tuple[str, ...]:
    """The hosts of a connection name without their ports."""
    return tuple(dict.fromkeys(address.rpartition("(")[0] for address in hosts(text)))


def _ports(text: str) -> tuple[str, ...]:
    """The ports of a connection name, 1414 where none is written."""
    found = (address.rpartition("(")[2].rstrip(")") for address in hosts(text))
    return tuple(dict.fromkeys(found))


def _role(fact: Fact) -> Value:
    return "none" if fact.manager.site is None else fact.manager.site.role


def _listed(value: Value, split: Callable[[str], tuple[str, ...]]) -> Value:
    return split(value) if isinstance(value, str) else value


def _secret(fact: Fact, attribute: str) -> Value:
    """Whether a secret is written: none, plain, or encrypted by the product."""
    owner: object = fact
    if is_qmgr(fact):
        owner = next(fact.manager.objects("qmgr"), None)
    found = owner.secret(attribute) if isinstance(owner, MQObject) else None
    if found is None:
        return "none"
    return "encrypted" if found.encoded else "plain"


def _name(fact: Fact) -> Value:
    name = fact.name
    return UNKNOWN if isinstance(name, Templated) else name


def _target_level(fact: Fact) -> Value:
    level = fact.manager.target.level
    return UNKNOWN if level is None else ".".join(map(str, level))


def _migration(end: str) -> Reader:
    """The release that a migration leads from or to."""

    def read(fact: Fact) -> Value:
        migration = fact.manager.settings.migration
        if migration is None:
            return UNKNOWN
        return migration.source.text if end == "from" else migration.to.text

    return read


def _twin(read: Reader) -> Reader:
    """The name that the first of two twin sites has for it, by `twins:` of the configuration."""

    def twin(fact: Fact) -> Value:
        value = read(fact)
        if isinstance(value, str):
            for first, second in fact.manager.settings.twins.rename:
                value = value.replace(second, first)
        return value

    return twin


def _mirror(read: Reader) -> Reader:
    """The name that the second of two twin sites has for it; unknown without `twins:`."""

    def mirror(fact: Fact) -> Value:
        value, twins = read(fact), fact.manager.settings.twins.rename
        if not twins or not isinstance(value, str):
            return UNKNOWN
        for first, second in twins:
            value = value.replace(first, second)
        return value

    return mirror


def _standing(word: str) -> Reader:
    """How a channel authentication record stands among the others, blank where all is well."""

    def read(fact: Fact) -> Value:
        if fact.type != "chlauth":
            return ABSENT
        from mqlint.chlauth.reachability import reachabilities  # here, as few files have records

        found = fact.manager.once(reachabilities).get(fact.key)
        value: str | None = None if found is None else getattr(found, word)
        return UNKNOWN if value is None else value

    return read


def _whom(fact: Fact) -> Value:
    """Whom a record is about at whatever site, absent where that is an address."""
    if fact.type != "chlauth" or not isinstance(fact, MQObject):
        return ABSENT
    from mqlint.chlauth.auth_record import whom  # here, as few files have records

    return whom(fact)


def _mapped(fact: Fact) -> Value:
    """Whether a record gives those who start a channel a user: true, false, or unknown."""
    if fact.type != "channel":
        return UNKNOWN
    from mqlint.chlauth.reachability import maps_somebody  # here, as few files have channels

    found = fact.manager.once(maps_somebody).get(fact.name)
    return UNKNOWN if found is None else str(found).lower()


def _queue_manager(fact: Fact) -> Value:
    key = fact.manager.key
    return UNKNOWN if key.anonymous else key.name


def _start(fact: Fact) -> Value:
    """The part of a queue manager's name that goes into the message identifiers it makes.

    IBM MQ documentation, "CorrelId (MQBYTE24)": the first twelve characters.
    """
    name = _queue_manager(fact)
    return name[:NAME_IN_IDENTIFIERS] if isinstance(name, str) else name


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
    "type": lambda fact: fact.type,
    "queue_manager": _queue_manager,
    "queue_manager.start": _start,
    "platform": lambda fact: fact.manager.target.platform or UNKNOWN,
    "target.level": _target_level,
    "migration.from": _migration("from"),
    "migration.to": _migration("to"),
    "twin": _twin(_name),
    "queue_manager.twin": _twin(_queue_manager),
    "mirror": _mirror(_name),
    "queue_manager.mirror": _mirror(_queue_manager),
    "clusters": _clusters,
    "trigger": _trigger,
    "pair": _pair,
    "retry.seconds": _of_object(retry_seconds),
    "use_of_queue": _of_object(use_of_queue),
    "role": _role,
    "mapped": _mapped,
    **{f"record.{word}": _standing(word) for word in REACHABILITY},
    "record.partner": _twin(_whom),
    "site.name": _site("name"),
    "site.role": _site("role"),
    "site.isolation": _site("isolation"),
    "site.reinstated_by": _site("reinstated_by"),
}
