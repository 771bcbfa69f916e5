"""A seeded generator of large dumps, in the shape of a real shop.

Of the commands two thirds are SET AUTHREC, as in the dumps of shops that grant by group; a queue
has 35 writable attributes in the mean; faults are rare. The same seed gives the same bytes.
"""

from __future__ import annotations

from random import Random
from typing import Final

from benchmarks import system
from benchmarks.dump import Dump
from benchmarks.estate import generate_estate

__all__ = ["Sections", "fill", "frame", "generate_dump", "generate_estate"]

_ANY_TLS: Final = "ANY_TLS12_OR_HIGHER"
_WORDS: Final = (
    ("Bookings", "Prices", "Orders", "Stock", "Invoices", "Claims", "Routes", "Payments"),
    ("of depots", "from partners", "for the web shop", "to be printed", "by batch", "of today"),
)
_CHANNELS: Final = ("SDR", "SVRCONN", "SDR", "RCVR", "SDR", "CLNTCONN", "SDR", "RQSTR")
_FAULT_EVERY: Final = 20
"""Applications between two faults: about one in 660 commands."""


class Sections:
    """The sections of a dump, each written on its own and joined in the product's order.

    Names of applications begin with `stem`; `date` is the day of the dump, yyyy-mm-dd, and
    `created` the day and time of the queue manager's creation.
    """

    def __init__(
        self,
        name: str,
        seed: int | str,
        stem: str = "APP0",
        date: str = "2026-06-02",
        created: tuple[str, str] = ("2023-09-18", "08.41.15"),
    ) -> None:
        self.random = Random(seed)
        self.stem = stem
        self.head, self.queues, self.channels, self.records, self.authority = (
            Dump(name, date, "04.30.00", created) for _ in range(5)
        )
        self.size = 0
        self._seen = [0] * 5

    def sections(self) -> tuple[Dump, ...]:
        """All sections, in order."""
        return self.head, self.queues, self.channels, self.records, self.authority

    def measure(self) -> int:
        """Bytes written so far, counting only the lines that are new."""
        for number, section in enumerate(self.sections()):
            lines = section.lines
            self.size += sum(len(line) + 1 for line in lines[self._seen[number] :])
            self._seen[number] = len(lines)
        return self.size

    def text(self) -> str:
        """The whole dump with its trailer."""
        whole = Dump(self.head.name, self.head.date, self.head.time, self.head.created)
        for section in self.sections():
            whole.lines += section.lines
            whole.counts.update(section.counts)
        whole.trailer()
        return whole.text()


def generate_dump(size: int, seed: int = 1, name: str = "PRDBIG1") -> str:
    """Return a dump of about `size` bytes (at most one application, 16 KB, more)."""
    parts = Sections(name, seed)
    frame(parts, "ldsbig01")
    fill(parts, size)
    return parts.text()


def fill(parts: Sections, size: int) -> None:
    """Add applications until the dump has `size` bytes."""
    number = 0
    while parts.measure() < size:
        number += 1
        _application(parts, number)


def frame(parts: Sections, host: str, **changes: str) -> None:
    """The queue manager itself, as `changes` say, and its SYSTEM objects."""
    head = parts.head
    head.header(host, "mqm", f"dmpmqcfg -a -m {head.name}")
    head.queue_manager(
        AUTHOREV="ENABLED",
        CHLEV="EXCEPTION",
        DEADQ="'SYSTEM.DEAD.LETTER.QUEUE'",
        IMGSCHED="AUTO",
        MONCHL="MEDIUM",
        MONQ="MEDIUM",
        PERFMEV="ENABLED",
        SSLEV="ENABLED",
        **changes,
    )
    system.system_queues(parts.queues)
    system.system_lists(parts.queues)
    system.system_channels(parts.channels)
    system.system_services(parts.channels, 1414)
    system.system_topics(parts.channels)
    parts.channels.define("SUB", "SYSTEM.DEFAULT.SUB")
    system.shipped_chlauth(parts.records)
    system.owner_authority(parts.authority)


def _application(parts: Sections, number: int) -> None:
    """Nine queues, a channel, a channel authentication record and 22 authorities."""
    prefix = f"{parts.stem}{number:04d}"
    faulty = number % _FAULT_EVERY == 0
    kind = _CHANNELS[number % len(_CHANNELS)]
    sends = kind == "SDR"
    _local_queues(parts, prefix, number, sends, faulty)
    lender = prefix if sends else f"{parts.stem}{number - 1:04d}"
    _other_queues(parts, prefix, lender if number > 1 else "")
    _channel(parts, prefix, kind, number)
    _authorities(parts, prefix, sends)


def _description(parts: Sections) -> str:
    """A short description in quotes."""
    return "'" + " ".join(parts.random.choice(words) for words in _WORDS) + "'"


def _local_queues(parts: Sections, prefix: str, number: int, sends: bool, faulty: bool) -> None:
    """Request, backout, reply, audit and the queue towards a partner."""
    depth = parts.random.choice(("20000", "50000", "100000", "200000"))
    define = parts.queues.define
    kept = {"DEFPSIST": "YES", "MAXDEPTH": depth, "QDPHIEV": "ENABLED"}
    backout = f"'{prefix}.GONE'" if faulty else f"'{prefix}.BO'"
    define("QLOCAL", f"{prefix}.AUDIT", **kept, DESCR=_description(parts))
    define("QLOCAL", f"{prefix}.BO", **kept, DESCR=_description(parts))
    define("QLOCAL", f"{prefix}.REPLY", DESCR=_description(parts), MAXDEPTH=depth)
    more = {"BOQNAME": backout, "BOTHRESH": "3", "DESCR": _description(parts)}
    define("QLOCAL", f"{prefix}.REQUEST", **kept, **more)
    partner = dict(kept)
    if sends:
        partner |= {"USAGE": "XMITQ", "TRIGGER": "TRIGGER", "TRIGDATA": f"'{prefix}.TO.PARTNER'"}
        partner |= {"INITQ": "'SYSTEM.CHANNEL.INITQ'"}
    define("QLOCAL", f"{prefix}.XMIT", **partner, DESCR=_description(parts))


def _other_queues(parts: Sections, prefix: str, lender: str) -> None:
    """Two aliases, and two remote queues over the transmission queue of `lender`."""
    define = parts.queues.define
    define("QALIAS", f"{prefix}.IN", TARGET=f"'{prefix}.REQUEST'", DESCR=_description(parts))
    define("QALIAS", f"{prefix}.OUT", TARGET=f"'{prefix}.REPLY'", DESCR=_description(parts))
    way = f"'{lender}.XMIT'" if lender else "'SYSTEM.CLUSTER.TRANSMIT.QUEUE'"
    for tail in ("FAR.BOOKING", "FAR.STATUS"):
        remote = {"RNAME": f"'{tail}'", "RQMNAME": "'PARTNER1'", "XMITQ": way}
        define("QREMOTE", f"{prefix}.{tail}", **remote, DEFPSIST="YES", DESCR=_description(parts))


def _channel(parts: Sections, prefix: str, kind: str, number: int) -> None:
    """One channel, of a type that changes with the number, and who may start it."""
    octet, host = number % 250 + 1, number // 250
    changes = {"DESCR": _description(parts), "SSLCIPH": f"'{_ANY_TLS}'"}
    if kind in ("SDR", "RQSTR", "CLNTCONN"):
        changes["CONNAME"] = f"'mq{number}.partner.example(1414)'"
    if kind == "SDR":
        changes["XMITQ"] = f"'{prefix}.XMIT'"
    if kind in ("RCVR", "RQSTR", "SVRCONN"):
        changes["MCAUSER"] = "'nobody'"
    if kind == "SVRCONN":
        changes |= {"MAXINST": "200", "MAXINSTC": "20", "SHARECNV": "1"}
    if kind == "CLNTCONN":
        changes["QMNAME"] = "'PARTNER'"
    parts.channels.define(kind, f"{prefix}.TO.PARTNER", **changes)
    parts.records.chlauth(
        f"{prefix}.TO.PARTNER",
        "SSLPEERMAP",
        "DESCR(' ')",
        "CUSTOM(' ')",
        f"SSLPEER('CN=mq{number}.partner.example,O=Partner,C=GB')",
        "SSLCERTI('CN=Partner CA,O=Partner,C=GB')",
        f"ADDRESS('10.30.{host % 250}.{octet}')",
        "USERSRC(MAP)",
        f"MCAUSER('app{number % 997}')",
        "CHCKCLNT(ASQMGR)",
    )


def _authorities(parts: Sections, prefix: str, sends: bool) -> None:
    """22 records: the application, the operators, and the partner on what it touches."""
    record = parts.authority.authrec
    app, rights = prefix.lower(), "BROWSE,GET,INQ,PUT"
    tails = ("AUDIT", "BO", "FAR.BOOKING", "FAR.STATUS", "IN", "OUT", "REPLY", "REQUEST", "XMIT")
    for tail in tails:
        record(f"{prefix}.{tail}", app, "QUEUE", "INQ" if tail == "XMIT" and sends else rights)
        record(f"{prefix}.{tail}", "mqops", "QUEUE", "BROWSE,CLR,DSP,INQ")
    record(f"{prefix}.REQUEST", f"{app}in", "QUEUE", "PUT,SETALL")
    record(f"{prefix}.IN", f"{app}in", "QUEUE", "PUT,SETALL")
    record(f"{prefix}.TO.PARTNER", "mqops", "CHANNEL", "DSP,CTRL,CTRLX")
    record("self", app, "QMGR", "CONNECT,DSP,INQ")
