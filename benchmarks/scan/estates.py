"""A seeded generator of large estates: repositories, nightly dumps, and copies of some of them.

A queue manager has a full dump of about 300 KB, three scripts and a qm.ini. What is written of it
depends on the seed and its own number alone: a small estate is the beginning of a larger one.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Final

from benchmarks.estate import (
    CONFIGURATION,
    TLS,
    Member,
    cluster_script,
    created,
    member_of,
    qm_ini,
    queues_script,
)
from benchmarks.generate import Sections, fill, frame
from benchmarks.scan.breaking import broken

SIZE: Final = (260_000, 320_000)
"""Bytes of a dump before its last application: about 300 KB in the mean."""

PAIRS: Final = 5
"""Production queue managers, each with its DR twin, in one repository and one cluster."""

COPIED: Final = 3
"""Of ten dumps, how many a second repository has a copy of."""

WHOLE: Final = 20
"""One in so many files is at fault as a file."""

CHANGED_OF: Final = 80
"""One queue manager in so many changes between two nights: 1% of all documents."""

BASE: Final = f"""\
* What every queue manager of this house has, release 14
ALTER QMGR AUTHOREV(ENABLED) CHLEV(EXCEPTION) PERFMEV(ENABLED) SSLEV(ENABLED) +
      MONQ(MEDIUM) MONCHL(MEDIUM) DEADQ('SYSTEM.DEAD.LETTER.QUEUE')

DEFINE QLOCAL(HOUSE.HEALTH) DEFPSIST(NO) DESCR('Read by the monitor') REPLACE
DEFINE CHANNEL(HOUSE.MONITOR) CHLTYPE(SVRCONN) TRPTYPE(TCP) +
       MCAUSER('nobody') SSLCIPH({TLS}) MAXINST(20) MAXINSTC(4) SHARECNV(1) REPLACE
SET CHLAUTH(HOUSE.MONITOR) TYPE(SSLPEERMAP) SSLPEER('CN=monitor,O=House') +
    SSLCERTI('CN=House CA,O=House') ADDRESS('10.30.*') USERSRC(MAP) MCAUSER('monitor') +
    ACTION(REPLACE)
SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS) ACTION(REPLACE)
"""

_LIMITS: Final = "   MaxChannels=2000\n   MaxActiveChannels=2000\n"
_ENTRIES: Final = """\
labels: {estate: generated}
repositories:
"""
_DUMPS: Final = """\
dumps:
  - {path: dumps/night, name: night, team: platform}
  - {path: dumps/copies, name: copies, team: recovery}
"""


@dataclass(frozen=True, slots=True)
class Document:
    """A file to be written: its path below the estate, its bytes, whether it is broken."""

    path: str
    data: bytes
    broken: bool


@dataclass(frozen=True, slots=True)
class Written:
    """What was written: files in order of writing, which of them are broken, bytes in all.

    Paths are relative to the estate; mqlint.yaml and estate.yaml are not among them.
    """

    files: tuple[str, ...]
    broken: frozenset[str]
    size: int


@dataclass(frozen=True, slots=True)
class Estate:
    """An estate of `queue_managers` queue managers below `folder`."""

    folder: Path
    queue_managers: int
    seed: int = 1

    @property
    def file(self) -> Path:
        """The file that a scan is given."""
        return self.folder / "estate.yaml"

    def write(self) -> Written:
        """Write all of it, in place of what is there."""
        shutil.rmtree(self.folder, ignore_errors=True)
        repositories = _repositories(self.queue_managers)
        for home in ("dumps/night", "dumps/copies", *(path for path, _team in repositories)):
            (self.folder / home).mkdir(parents=True)
            (self.folder / home / "mqlint.yaml").write_text(CONFIGURATION, encoding="utf-8")
        written = self._put(_every(self.seed, range(self.queue_managers), night=0))
        lines = (f"  - {{path: {path}, team: {team}}}\n" for path, team in repositories)
        self.file.write_text(_ENTRIES + "".join(lines) + _DUMPS, encoding="utf-8")
        return written

    def change(self) -> Written:
        """Write what the next night changes, and say what that is."""
        return self._put(self._changed(0, 1))

    def restore(self) -> None:
        """Take `change` back."""
        self._put(self._changed(1, 0))

    def _changed(self, before: int, after: int) -> Iterator[Document]:
        """The documents of the night `after` that are other ones than in the night `before`."""
        first = min(CHANGED_OF, self.queue_managers) // 2
        indices = range(first, self.queue_managers, CHANGED_OF)
        nights = (_every(self.seed, indices, night) for night in (before, after))
        return (new for old, new in zip(*nights, strict=True) if new.data != old.data)

    def _put(self, documents: Iterable[Document]) -> Written:
        files, wrong, size = [], set(), 0
        for document in documents:
            target = self.folder / document.path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(document.data)
            files.append(document.path)
            size += len(document.data)
            if document.broken:
                wrong.add(document.path)
        return Written(tuple(files), frozenset(wrong), size)


def _repositories(queue_managers: int) -> list[tuple[str, str]]:
    """Path and team of each repository that holds scripts."""
    pairs = (queue_managers + 1) // 2
    count = (pairs + PAIRS - 1) // PAIRS
    return [(f"repositories/mq-{number:03d}", f"team{number % 12:02d}") for number in range(count)]


def _every(seed: int, indices: Iterable[int], night: int) -> Iterator[Document]:
    for index in indices:
        yield from _documents(seed, index, night)


def _documents(seed: int, index: int, night: int) -> Iterator[Document]:
    """The files of one queue manager."""
    random = Random(f"{seed}/{index}")
    member = member_of(index, random)
    group = (member.number - 1) // PAIRS
    member = replace(member, group=f"{group:03d}", first=group * PAIRS + 1)
    depth, files = (50_000, 10) if not night else (60_000, 12)
    home = f"repositories/mq-{group:03d}/{member.folder}/{member.name}"
    dump = _dump(member, seed, night)
    place = f"{member.folder}/{member.name}/dmpmqcfg.mqsc"
    texts = {
        f"dumps/night/{place}": dump,
        f"{home}/base.mqsc": BASE,
        f"{home}/cluster.mqsc": _cluster(member, night),
        f"{home}/queues.mqsc": queues_script(member, depth),
        f"{home}/qm.ini": qm_ini(member, files) + _LIMITS,
    }
    at_fault = [_chosen(seed, len(texts) * index + number) for number in range(len(texts))]
    if index % 10 in Random(f"{seed}/copies/{index // 10}").sample(range(10), COPIED):
        texts[f"dumps/copies/{place}"] = dump
        at_fault.append(Random(f"{seed}/copy/{index}").randrange(WHOLE) == 0)
    for (path, text), fault in zip(texts.items(), at_fault, strict=True):
        data = text.encode()
        yield Document(path, broken(data, Random(f"{seed}/{path}")) if fault else data, fault)


def _chosen(seed: int, number: int) -> bool:
    """Whether this file is the one at fault of the twenty that it is among."""
    return number % WHOLE == Random(f"{seed}/fault/{number // WHOLE}").randrange(WHOLE)


def _dump(member: Member, seed: int, night: int) -> str:
    """What `dmpmqcfg -a` would say of a queue manager on which the scripts were run."""
    # Twins run the same applications, so both dumps come from the number that they share.
    twins = Random(f"{seed}/{member.number}")
    size = twins.randint(*SIZE)
    parts = Sections(
        member.name,
        f"{seed}/{member.number}",
        stem=f"A{member.number:04d}",
        date=f"2026-06-0{2 + night}",
        created=created(member),
    )
    host = f"{member.folder}mq{member.number:04d}"
    frame(parts, host, REPOS=f"'{member.cluster}'" if member.full else "' '")
    _scripted(parts, member, 60_000 if night else 50_000)
    fill(parts, size)
    return parts.text()


def _scripted(parts: Sections, member: Member, depth: int) -> None:
    """What the scripts define, as the dump says it."""
    tls = {"SSLCIPH": f"'{TLS}'"}
    cluster = {"CLUSTER": f"'{member.cluster}'", **tls}
    (receiver, own), (sender, hub) = member.receiver, member.sender
    define = parts.channels.define
    define("CLUSRCVR", receiver, CONNAME=f"'{own}'", MCAUSER="'mqclus'", **cluster)
    define("CLUSSDR", sender, CONNAME=f"'{hub}'", **cluster)
    limits = {"MAXINST": "20", "MAXINSTC": "4", "SHARECNV": "1"}
    define("SVRCONN", "HOUSE.MONITOR", MCAUSER="'nobody'", **limits, **tls)
    for prefix, wrong in member.applications:
        kept = {"DEFPSIST": "YES", "MAXDEPTH": str(depth), "DESCR": "'Requests'"}
        backout = f"'{prefix}{'.GONE' if wrong else '.BO'}'"
        parts.queues.define("QLOCAL", f"{prefix}.IN", BOTHRESH="3", BOQNAME=backout, **kept)
        failed = {"DEFPSIST": "YES", "DESCR": "'Requests that failed'"}
        parts.queues.define("QLOCAL", f"{prefix}.BO", **failed)
        parts.queues.define("QALIAS", f"{prefix}.ASK", TARGET=f"'{prefix}.IN'")
    parts.queues.define("QLOCAL", "HOUSE.HEALTH", DESCR="'Read by the monitor'")
    _records(parts, member)


def _records(parts: Sections, member: Member) -> None:
    """The channel authentication records that the scripts set."""
    none = ("DESCR(' ')", "CUSTOM(' ')")
    record = parts.records.chlauth
    record("*", "ADDRESSMAP", *none, "ADDRESS('*')", "USERSRC(NOACCESS)", "WARN(NO)")
    record(
        "HOUSE.MONITOR",
        "SSLPEERMAP",
        *none,
        "SSLPEER('CN=monitor,O=House')",
        "SSLCERTI('CN=House CA,O=House')",
        "ADDRESS('10.30.*')",
        "USERSRC(MAP)",
        "MCAUSER('monitor')",
        "CHCKCLNT(ASQMGR)",
    )
    address = f"ADDRESS('{_allowed(member)}')"
    source = ("USERSRC(CHANNEL)", "CHCKCLNT(ASQMGR)")
    record(member.receiver[0], "ADDRESSMAP", *none, address, *source)


def _allowed(member: Member) -> str:
    """Who may start its cluster-receiver; here and there somebody opened it to all."""
    return "*" if member.number % 4 == 0 else f"{member.network}.*"


def _cluster(member: Member, night: int) -> str:
    """The cluster script; of a later night it has been looked at."""
    return (
        cluster_script(member)
        + f"SET CHLAUTH({member.receiver[0]}) TYPE(ADDRESSMAP) ADDRESS('{_allowed(member)}') +\n"
        + "    USERSRC(CHANNEL) ACTION(REPLACE)\n"
        + "* looked at\n" * night
    )
