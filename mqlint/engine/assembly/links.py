"""The part of a document that decides about the queue managers of other documents.

It is small, so that a scan of an estate can collect it for all documents and read none again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mqlint.config.settings import Role
from mqlint.dataclass import frozen
from mqlint.engine.assembly.addressing import Address
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.document.reading import Part, Reading
from mqlint.language.client import CCDT
from mqlint.language.declaration import CONNECTION, LOOPBACK, PUBLISHED, Declared, service_hosts
from mqlint.language.feeding import is_entry
from mqlint.language.mqsc import Command, decode
from mqlint.model.core.action import family
from mqlint.model.core.value import hosts
from mqlint.vocabulary.container import MQ_PORT

_SHARED = frozenset({"SHARED", "GROUP", "COPY"})
"""Dispositions that an object has at every member.

IBM's page "Disposition (global definitions) on z/OS": SHARED is in the shared repository, GROUP is
the master copy there from which each member makes a COPY.
"""
_ALWAYS_SHARED = frozenset({"cfstruct"})
_SENDERS = ("SDR", "SVR")
_NAMING = ("CHANNEL", "QREMOTE", "QLOCAL")
"""Objects with a name or a value that tells the name of a queue manager."""


@frozen
class Links:
    """The part of one document that other documents may need.

    `fed`, `wired`, `named_by`, `mentions`, `parameters` and `sited` are those of its reading.
    `shared` are the families and names of objects that it defines for queue-sharing groups, and
    `creates` the queue managers that it makes. `texts` are the models of its MQSC, one for each
    text that is to be run. `addresses` are those of its parts. `receives` are the `host(port)` at
    which queue managers are called, each with the index of its address. `routes` are (port,
    `route.tls`, `seen_as`) of routes of MQIPT. `tables` are the queue managers that a channel table
    in JSON names, none if an entry names none. `resources` is that of its reading. `folders` are
    those that it registers for the data of queue managers, each with the name of one. `own_words`
    are the parts that the names of its cluster-receiver and sender channels have in common, without
    clusters and transmission queues. `partners` are the queue managers that its remote queues,
    transmission queues and sender channels name. `only_shows`: its MQSC has no other commands than
    DISPLAY. `shows_state`: a dump or the output of DISPLAY is in it. `data_sets` are those of its
    reading. `sent` are names of files that it feeds in a part for one site, with the name of that.
    """

    fed: tuple[tuple[str, str], ...] = ()
    wired: tuple[tuple[str, str], ...] = ()
    named_by: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    parameters: tuple[tuple[str, int], ...] = ()
    sited: tuple[tuple[str, Role], ...] = ()
    shared: frozenset[tuple[str, str]] = frozenset()
    creates: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    addresses: tuple[Address, ...] = ()
    receives: tuple[tuple[str, int], ...] = ()
    routes: tuple[tuple[str, str, str], ...] = ()
    tables: tuple[str, ...] = ()
    resources: str = ""
    folders: tuple[tuple[str, str], ...] = ()
    own_words: frozenset[str] = frozenset()
    partners: frozenset[str] = frozenset()
    only_shows: bool = False
    shows_state: bool = False
    data_sets: tuple[tuple[str, str, int], ...] = ()
    sent: tuple[tuple[str, str], ...] = ()

    @property
    def calls(self) -> bool:
        """Whether it says how applications connect to a queue manager."""
        return any(address.open_to == "server" for address in self.addresses)

    def managers(self) -> Iterator[str]:
        yield from (address.name for address in self.addresses if address.name is not None)
        yield from self.creates
        yield from (name for _, name in self.fed if not is_entry(name))


def links_of(path: str, reading: Reading, assembly: Assembly) -> Links:
    """Return the part of a document that other documents may need."""
    addresses = assembly.addresses(path, reading)
    defined = [command for command in _defined(reading.parts) if command.form.shape.noun in _NAMING]
    partners = frozenset(filter(None, _partners(defined)))
    return Links(
        reading.fed,
        reading.wired,
        reading.named_by,
        reading.mentions,
        reading.parameters,
        reading.sited,
        shared_objects(reading),
        tuple(dict.fromkeys(_creates(reading))),
        tuple(dict.fromkeys(part.model for part in reading.parts if part.role == "script")),
        addresses,
        tuple(_receives(reading, addresses)),
        tuple(_routes(reading)),
        _tables(reading),
        reading.resources,
        tuple(_folders(reading)),
        _own_words((each for each in defined if each.form.shape.noun == "CHANNEL"), partners),
        partners,
        all(map(_only_shows, reading.parts)),
        any(part.header is not None or part.role == "shown" for part in reading.parts),
        reading.data_sets,
        tuple(dict.fromkeys(_sent(reading))),
    )


def _sent(reading: Reading) -> Iterator[tuple[str, str]]:
    for step in (*reading.steps, *reading.remote) if reading.stretches else ():
        stretch = reading.stretch_at(step.span[0], step.execution)
        if stretch:
            yield from ((name, stretch) for name in step.inputs)


def _only_shows(part: Part) -> bool:
    """Return whether no command of a text of MQSC changes a queue manager."""
    if part.role != "script":
        return True
    shows = (command.form.shape.verb == "DISPLAY" for command in part.commands)
    return bool(part.commands) and all(shows)


def _folders(reading: Reading) -> Iterable[tuple[str, str]]:
    """The folders that an mqs.ini or a qm.ini names, each with its queue manager."""
    if not any(stanza.name.lower() in ("queuemanager", "log") for stanza in reading.stanzas):
        return ()
    from mqlint.engine.assembly.homes import registered_folders  # few projects have such a file

    return registered_folders(reading.stanzas)


def _received(part: Part) -> Iterator[str]:
    """Yield the `host(port)` of cluster-receivers, and of listeners.

    A listener that does not name its address is at the host of its dump.
    """
    header = part.header
    own = header.host if header is not None and not header.edited else None
    for command in _defined([part]):
        noun = command.form.shape.noun
        if noun == "CHANNEL" and _word(command, "CHLTYPE").upper() == "CLUSRCVR":
            yield from hosts(_word(command, "CONNAME"))
        elif noun == "LISTENER":
            host, port = _word(command, "IPADDR").strip(" *") or own, _word(command, "PORT")
            if host and port:
                yield f"{host.lower()}({port})"


def _defined(parts: Iterable[Part]) -> Iterator[Command]:
    """Yield the commands that define an object and certainly run."""
    for part in parts:
        for command in part.commands if part.role == "script" and not part.execution.maybe else ():
            if command.form.shape.verb == "DEFINE":
                yield command


def _own_words(defined: Iterable[Command], partners: frozenset[str]) -> frozenset[str]:
    """The parts of the names of channels that are left without cluster and partner.

    A part that only some of these channels have is none.
    """
    found: frozenset[str] | None = None
    for command in defined:
        kind, parts = _word(command, "CHLTYPE").upper(), _parts(command)
        if kind == "CLUSRCVR" or (kind in _SENDERS and parts & partners):
            own = parts - partners - {"TO", _word(command, "CLUSTER")}
            found = own if found is None else found & own
    return found or frozenset()


def _partners(defined: Iterable[Command]) -> Iterator[str]:
    """Yield the queue managers of remote queues and of transmission queues.

    A sender's transmission queue counts if its name is part of that of the channel: ORD1.PAY1.
    """
    for command in defined:
        noun = command.form.shape.noun
        if noun == "QREMOTE":
            yield _word(command, "RQMNAME")
        elif noun == "QLOCAL" and _word(command, "USAGE").upper() == "XMITQ":
            yield command.known_name or ""
        elif noun == "CHANNEL" and _word(command, "CHLTYPE").upper() in _SENDERS:
            yield from _parts(command) & {_word(command, "XMITQ")}


def _parts(command: Command) -> frozenset[str]:
    return frozenset(filter(None, (command.known_name or "").split(".")))


def _word(command: Command, word: str) -> str:
    return command.known(word) or ""


def _receives(reading: Reading, addresses: Sequence[Address]) -> Iterator[tuple[str, int]]:
    """The addresses of queue managers in a document that has MQSC for one of them only.

    Services of Compose, and those of QueueManagers, have a name in the network of their file. An
    application on the host of the containers calls a published port.
    """
    named = {address.name: number for number, address in enumerate(addresses) if address.name}
    for declared in reading.declared if reading.resources else ():
        number = named.get(declared.queue_manager or "")
        if number is not None:
            yield from ((f"{host}({MQ_PORT})", number) for host in service_hosts(declared))
            ports = declared.value(PUBLISHED)
            for port in ports if isinstance(ports, tuple) else ():
                yield from ((f"{host}({port})", number) for host in LOOPBACK)
    owners = [number for number, address in enumerate(addresses) if address.open_to == "all"]
    if len(owners) == 1:
        for part in reading.parts:
            yield from ((host, owners[0]) for host in _received(part))


def _routes(reading: Reading) -> Iterator[tuple[str, str, str]]:
    """The ports at which routes of MQIPT listen, with what is known of each, else blank."""
    for declared in reading.declared:
        values = [declared.value(name) for name in ("listener.port", "route.tls", "seen_as")]
        port, tls, seen_as = (value if isinstance(value, str) else "" for value in values)
        if port:
            yield port, tls, seen_as


def _tables(reading: Reading) -> tuple[str, ...]:
    """The queue managers in the entries of a channel table; none unless all entries name one."""
    if reading.language != CCDT.name:
        return ()
    entries = [found for found in reading.declared if found.type == CONNECTION]
    names = [entry.value("QMNAME") for entry in entries]
    known = {name for name in names if isinstance(name, str) and name.strip("* ")}
    is_whole = all(isinstance(name, str) and name in known for name in names)
    return tuple(sorted(known)) if is_whole else ()


def _creates(reading: Reading) -> Iterable[str]:
    """Yield the names of queue managers that a document creates, instances of others aside."""
    for step in reading.steps:
        if step.queue_manager is not None and step.command == "crtmqm" and not step.is_secondary:
            yield step.queue_manager
    for declared in reading.declared:
        if declared.queue_manager is not None and _is_whole(declared):
            yield declared.queue_manager


def _is_whole(declared: Declared) -> bool:
    """Whether a manifest makes the queue manager alone, not as a part or instance of another."""
    if declared.type != "manifest" or declared.value("kind") == "Dockerfile":
        return False  # what an image says of its queue manager is for whoever runs a container
    availability = declared.value("availability")
    if availability is None:  # a container without orchestration runs if the licence is accepted
        return declared.value("license.accept") == "true"
    return availability == "SingleInstance"


def shared_objects(reading: Reading) -> frozenset[tuple[str, str]]:
    """Return the families and names of the objects that a document defines for whole groups."""
    found: set[tuple[str, str]] = set()
    for part in reading.parts:
        for command in part.commands if part.role != "refused" else ():
            shape = command.form.shape
            if shape.verb != "DEFINE":
                continue
            noun, slot = (command.noun or "").lower(), shape.slot_of.get("QSGDISP", -1)
            if (slot < 0 and noun not in _ALWAYS_SHARED) or command.name is None:
                continue
            disposition = decode(command.values[slot]).upper() if slot >= 0 else ""
            if disposition in _SHARED or noun in _ALWAYS_SHARED:
                found.add((family(noun), command.name))
    return frozenset(found)
