"""How a policy reads a value from a fact: attributes of MQ, and keys derived from them.

A key in upper case is an attribute of MQ, one in lower case is derived: by `DERIVED` of any fact,
by the `FACT_TYPES` of `mqlint.model.facts.registry` of facts of one type. What follows an
attribute after a dot (`SUFFIXES`) is read out of its value. `qmgr.KEY` is KEY of the fact's queue
manager.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from operator import attrgetter, methodcaller

from mqlint.chlauth import REACHABILITY
from mqlint.config.settings import Site
from mqlint.dataclass import NamedTuple
from mqlint.language.mqsc import Templated
from mqlint.late import late
from mqlint.model.core.fact import Fact
from mqlint.model.core.layer import Change
from mqlint.model.core.queue_manager import MQObject
from mqlint.model.core.value import ABSENT, UNKNOWN, Value, flag, hosts, listed
from mqlint.model.facts.queue_manager.qmgr import is_qmgr, qmgr_of
from mqlint.model.facts.registry import Facts
from mqlint.model.facts.routing.cluster import clusters_of, retry_seconds, use_of_queue
from mqlint.model.facts.security.authority import granted
from mqlint.model.zos.disposition import dispositions_of, initialization_of, made_in
from mqlint.policy.compile.chlauth_accessors import (
    RECORDS,
    Reader,
    application,
    mapped,
    privilege,
    reachability,
    whom,
)
from mqlint.policy.compile.site_names import found_roles, roles, sites_in
from mqlint.vocabulary.authorities import AUTHORITIES
from mqlint.vocabulary.limits import NAME_IN_IDENTIFIERS


class Derived(NamedTuple):
    """A derived key: how it is read, and one line on what it is for the reference."""

    read: Reader
    about: str


class Suffix(NamedTuple):
    """What may follow an attribute: how that is read of an attribute, and one line on it."""

    reader: Callable[[str], Reader]
    about: str


OF_VALUE = frozenset(
    {".written", ".secret", ".hosts", ".addresses", ".repeated", ".ports", ".items"}
)
"""Suffixes of attributes that ask nothing but the value that commands give the attribute."""


HAS = "has."
"""Before a type of facts: whether a queue manager may have such a fact. No policy names it."""


@lru_cache(maxsize=4096)
def reader(key: str) -> Reader:
    if key in DERIVED:
        return DERIVED[key].read
    if key.startswith("qmgr."):
        inner = reader(key.removeprefix("qmgr."))
        return lambda fact: inner(qmgr_of(fact.manager))
    if key.startswith(HAS):
        return partial(_has, key.removeprefix(HAS))
    attribute, dot, tail = key.rpartition(".")
    suffix = SUFFIXES.get(dot + tail)
    return methodcaller("value", key) if suffix is None else suffix.reader(attribute)


def _has(object_type: str, fact: Fact) -> Value:
    """Whether a queue manager may have a fact of a type; unknown if only other files may."""
    return "true" if Facts(fact.manager).possible((object_type,)) else UNKNOWN


def _of_sites(key: str, find: Callable[[str, Iterable[Site]], tuple[str, ...]]) -> Reader:
    read = reader(key)
    return lambda fact: _listed(read(fact), lambda text: find(text, fact.manager.settings.sites))


def _found_roles(key: str) -> Reader:
    """The roles of a host or name that files of one role alone give to queue managers."""
    read = reader(key)
    return lambda fact: _listed(
        read(fact), lambda text: found_roles(text, fact.manager.settings.found_sites)
    )


def _of_object(read: Callable[[MQObject], Value]) -> Reader:
    return lambda fact: read(fact) if isinstance(fact, MQObject) else ABSENT


def _of_late(function: str, **arguments: str) -> Reader:
    """What a function of `mqlint.model` reads of an object, loaded when it is first asked."""
    return _of_object(partial(late(f"mqlint.model.{function}"), **arguments))


def _addresses(text: str) -> tuple[str, ...]:
    """The hosts of a connection name without their ports."""
    return tuple(dict.fromkeys(address.rpartition("(")[0] for address in hosts(text)))


def _ports(text: str) -> tuple[str, ...]:
    """The ports of a connection name, 1414 where none is written."""
    found = (address.rpartition("(")[2].rstrip(")") for address in hosts(text))
    return tuple(dict.fromkeys(found))


def _repeated(text: str) -> tuple[str, ...]:
    """The addresses that a connection name has several times."""
    return tuple(address for address, count in Counter(hosts(text)).items() if count > 1)


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


def _written(fact: Fact, attribute: str) -> Value:
    """The value of an attribute that is written for an object; absent if it is a default."""
    if isinstance(fact, MQObject) and fact.writes(attribute):
        return fact.value(attribute)
    return ABSENT


def _altered(fact: Fact, attribute: str) -> Value:
    """Whether an ALTER sets an attribute of an object: what it is now is a decision."""
    layers = fact.layers if isinstance(fact, MQObject) else ()
    altering = (layer for layer in layers if layer.change is Change.ALTER)
    is_set = any(layer.value(attribute) is not None for layer in altering)
    return flag(is_set)


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
        value, first = read(fact), fact.manager.settings.twins.first
        if isinstance(value, tuple):
            names = tuple(map(first, value))
            renamed = tuple(name for name in names if name is not None)
            return renamed if len(renamed) == len(names) else UNKNOWN
        return _known(first(value)) if isinstance(value, str) else value

    return twin


def _known(name: str | None) -> Value:
    return UNKNOWN if name is None else name


def _mirror(read: Reader) -> Reader:
    """The name that the second of two twin sites has for it; unknown without `twins:`."""

    def mirror(fact: Fact) -> Value:
        value, twins = read(fact), fact.manager.settings.twins
        return _known(twins.second(value)) if twins.rename and isinstance(value, str) else UNKNOWN

    return mirror


def _initial(fact: Fact) -> Value:
    found = getattr(fact, "source", fact)  # of a definition: the object
    if isinstance(found, MQObject):
        return made_in(found)
    if fact.type != "step":
        return ABSENT
    from mqlint.model.procedure.step_facts import MqscFact  # here, as few files have steps

    return initialization_of(fact.origin) if isinstance(fact, MqscFact) else ABSENT


def _queue_manager(fact: Fact) -> Value:
    key = fact.manager.key
    return UNKNOWN if key.anonymous else key.name


def _start(fact: Fact) -> Value:
    """The part of a queue manager's name that goes into the message identifiers it makes.

    IBM MQ documentation, "CorrelId (MQBYTE24)": the first twelve characters.
    """
    name = _queue_manager(fact)
    return name[:NAME_IN_IDENTIFIERS] if isinstance(name, str) else name


def _folded(fact: Fact) -> Value:
    """The name of the queue manager in lower case, as RDQM calls its resources and folders."""
    name = _queue_manager(fact)
    return name.lower() if isinstance(name, str) else name


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


_shown_reinstatement: Reader = late("mqlint.model.facts.queue_manager.availability:reinstated_by")
_configured_reinstatement = _site("reinstated_by")


def _reinstated_by(fact: Fact) -> Value:
    """How its site gets its queue manager: as configured, or by the replication that files show."""
    configured, manager = _configured_reinstatement(fact), fact.manager
    is_open = configured == "definitions" and (manager.stanzas or manager.steps or manager.declared)
    return _shown_reinstatement(fact) if is_open else configured


def _granted(authority: str) -> Reader:
    """The users and groups that have an authority on an object or the queue manager."""
    return lambda fact: (
        granted(fact, authority) if isinstance(fact, MQObject) or is_qmgr(fact) else ABSENT
    )


def _split(split: Callable[[str], tuple[str, ...]]) -> Callable[[str], Reader]:
    """A suffix that splits the text of an attribute into a list."""
    return lambda attribute: lambda fact: _listed(fact.value(attribute), split)


DERIVED: Mapping[str, Derived] = {
    "name": Derived(_name, "name of the fact"),
    "type": Derived(lambda fact: fact.type, "type of the fact; the four types of `queue` differ"),
    "queue_manager": Derived(_queue_manager, "name of the queue manager"),
    "queue_manager.start": Derived(
        _start, "first twelve characters of that name, which are part of message identifiers"
    ),
    "queue_manager.folded": Derived(_folded, "name of the queue manager in lower case"),
    "platform": Derived(
        lambda fact: fact.manager.target.platform or UNKNOWN, "platform of the queue manager"
    ),
    "target.level": Derived(
        _target_level, "release by `target:`, else by the header of a dump or a manifest"
    ),
    "target.source": Derived(
        lambda fact: fact.manager.target.source or UNKNOWN, "what names that release"
    ),
    "migration.from": Derived(_migration("from"), "release that `migration:` starts from"),
    "migration.to": Derived(_migration("to"), "release that `migration:` leads to"),
    "twin": Derived(_twin(_name), "name of the object as the first of two twin sites has it"),
    "queue_manager.twin": Derived(_twin(_queue_manager), "the same of the queue manager"),
    "mirror": Derived(_mirror(_name), "name of the object as the second of two twin sites has it"),
    "queue_manager.mirror": Derived(_mirror(_queue_manager), "the same of the queue manager"),
    "clusters": Derived(_of_object(clusters_of), "clusters of an object, by CLUSTER or CLUSNL"),
    "trigger": Derived(
        _of_late("facts.routing.trigger:trigger_of"),
        "`off`, `ready`, or what prevents the trigger of a local queue from firing",
    ),
    "pair": Derived(
        _of_late("facts.routing.pair:pair_of"),
        "what both ends of a message channel have in common: name and target",
    ),
    "called.port": Derived(
        _of_late("facts.application.connection:called_port"),
        "of a client-connection channel: `closed` if it calls a host of this queue manager at a "
        "port without a listener, else `open`",
    ),
    "listens_elsewhere": Derived(
        _of_late("facts.application.connection:listens_elsewhere"),
        "of a channel: whether its queue manager may listen at ports that no listener object has, "
        "by a command, a service or a default",
    ),
    "server.cipher": Derived(
        _of_late("facts.application.cipher:server_cipher"),
        "of a client-connection channel: SSLCIPH of the server-connection channel of its name",
    ),
    "client.cipher": Derived(
        _of_late("facts.application.cipher:client_cipher"),
        "of a client-connection channel: how its SSLCIPH fits `server.cipher`, `missing`,"
        " `unexpected`, `different` or `equal`",
    ),
    "partner.manager": Derived(
        _of_late("facts.routing.pair:partner_of"),
        "of a sender or server: the queue manager that it leads to",
    ),
    "partner.named": Derived(
        _of_late("facts.routing.pair:named_partner"),
        "of a message channel or CHLAUTH record: the queue manager at the other end, if the name "
        "of the channel has it",
    ),
    "own.name": Derived(
        _of_late("facts.routing.pair:own_name_of"),
        "of a sender or server that is named after another queue manager than its own: the name "
        "that it has after its own, if no channel here has it",
    ),
    "peer.stray": Derived(
        _of_late("facts.routing.pair:stray_peer"),
        "of a message channel: CN in SSLPEER, of a CHLAUTH record: QMNAME, in lower case, if it is "
        "not `partner.named`",
    ),
    "stream.target": Derived(
        _of_late("facts.routing.path:stream_target"),
        "of a queue: the local queue to which STREAMQ leads, by an alias or not",
    ),
    "neighbours.called": Derived(
        _of_late("facts.routing.pair:called_neighbours"),
        "of a channel: `host(port)` that cluster-senders of its clusters here call",
    ),
    "retry.seconds": Derived(
        _of_object(retry_seconds), "how long a channel tries to connect again before it gives up"
    ),
    "held": Derived(
        _of_late("procedure.held:held"),
        "of a channel: whether a script stops it, or channels do not start",
    ),
    "spare_ports": Derived(
        _of_late("facts.routing.local_ports:spare_ports"),
        "of a channel: ports in the range of LOCLADDR beyond one for each channel with this range",
    ),
    "buffer_pool": Derived(
        _of_late("zos.data_sets:number_of", resource="buffpool"),
        "of a buffer pool or a page set: the number of the buffer pool, without zeros",
    ),
    "page_set": Derived(
        _of_late("zos.data_sets:number_of", resource="psid"),
        "of a page set or a storage class: the number of the page set, without zeros",
    ),
    "served": Derived(
        _of_late("facts.names.uses:served"),
        "of a service: the queue manager that a program of MQ in it is started for",
    ),
    "dispositions": Derived(
        _of_object(dispositions_of), "values of QSGDISP with which commands define the object"
    ),
    "initial": Derived(
        _initial, "initialization data set of z/OS that has the command, or defines the object"
    ),
    "use_of_queue": Derived(
        _of_object(use_of_queue), "CLWLUSEQ of a local queue, or with QMGR of its queue manager"
    ),
    **{
        f"topic.{word}": Derived(
            _of_late("facts.routing.topic_tree:topic_value", attribute=word),
            f"of a topic, subscription or topic alias: {word} in force, by the topic tree",
        )
        for word in ("PUB", "SUB", "DURSUB")
    },
    "topic.alike": Derived(
        _of_late("facts.routing.topic_tree:topic_alike"),
        "of a subscription: the topic string of a topic object that almost equals its own",
    ),
    "topic.string": Derived(
        _of_late("facts.routing.topic_tree:topic_string"),
        "of a subscription: that of TOPICOBJ and TOPICSTR together",
    ),
    "topic.within": Derived(
        _of_late("facts.routing.topic_tree:topic_within"),
        "of a subscription: the topic strings with wildcards that include all of its topics",
    ),
    "topic.join": Derived(
        _of_late("facts.routing.topic_tree:topic_join"),
        "of a subscription: `repeated` if TOPICSTR begins with the topic string of TOPICOBJ again,"
        " `empty` if it begins with a slash although TOPICOBJ has a topic string",
    ),
    **{
        f"granted.{word}": Derived(_granted(word), f"users and groups with the authority {word}")
        for word in AUTHORITIES
    },
    "mapped": Derived(mapped, "whether a record gives the partners of a channel a user"),
    **{
        f"record.{word}": Derived(reachability(word), f"of a CHLAUTH record: {RECORDS[word]}")
        for word in REACHABILITY
    },
    "record.identity": Derived(
        _of_object(attrgetter("key")), "of an object or record: what tells it from all others"
    ),
    "chlauth.verdict": Derived(
        application("verdict"),
        "of a connection: what CHLAUTH and CONNAUTH decide from any host of its site, `blocked`,"
        " `unauthenticated` or `allowed`",
    ),
    "chlauth.user": Derived(
        application("mapped_user"), "of a connection: the user for whom authority is checked"
    ),
    "chlauth.record": Derived(
        application("blocking_record"), "of a connection: `record.identity` of what blocks it"
    ),
    "privilege": Derived(
        privilege,
        "of a channel with MCAUSER or a CHLAUTH record with MCAUSER: what happens to its partners",
    ),
    "record.partner": Derived(
        _twin(whom), "of a CHLAUTH record: whom it is about at any site; absent for an address"
    ),
    "partner.known": Derived(
        _of_late("facts.routing.pair:names_known_partner"),
        "of a CHLAUTH record: whether QMNAME is a name that queues or channels here have or name",
    ),
    "role": Derived(
        lambda fact: "none" if fact.manager.site is None else fact.manager.site.role,
        "role of the site; `none` without a site",
    ),
    "site.name": Derived(_site("name"), "name of the site, from the configuration"),
    "site.role": Derived(_site("role"), "role of the site; unknown without a site"),
    "site.isolation": Derived(_site("isolation"), "`isolation:` of the site"),
    "site.reinstated_by": Derived(
        _reinstated_by,
        "`reinstated_by:` of the site; `replication` if the queue manager's files show it",
    ),
}
"""The keys that facts of every type have; those of one type are in `FACT_TYPES`."""

SUFFIXES: Mapping[str, Suffix] = {
    ".written": Suffix(
        lambda key: lambda fact: _written(fact, key),
        "value if a command writes it out; absent if it is a default",
    ),
    ".altered": Suffix(
        lambda key: lambda fact: _altered(fact, key),
        "`true` if an ALTER command sets it, else `false`",
    ),
    ".hosts": Suffix(_split(hosts), "list of `host(port)` in a connection name, in lower case"),
    ".addresses": Suffix(_split(_addresses), "list of the hosts without their ports"),
    ".repeated": Suffix(
        _split(_repeated), "`host(port)` that a connection name has several times, in lower case"
    ),
    ".ports": Suffix(_split(_ports), "list of the ports; 1414 if omitted"),
    ".items": Suffix(lambda key: lambda fact: listed(fact.value(key)), "elements of a list"),
    ".found_roles": Suffix(
        _found_roles,
        "roles of the only site whose files have this address or name for a queue manager",
    ),
    ".roles": Suffix(
        lambda key: _of_sites(key, roles), "roles of the sites whose token or address it contains"
    ),
    ".sites": Suffix(lambda key: _of_sites(key, sites_in), "names of those sites"),
    ".twin": Suffix(lambda key: _twin(reader(key)), "value as the first of two twin sites has it"),
    ".secret": Suffix(
        lambda key: lambda fact: _secret(fact, key), "`none`, `plain` or `encrypted`"
    ),
}
"""What may follow an attribute, to read something out of its value."""
