"""Audits of channel authentication: how regions and time grow with records, and where it ends."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import process_time

from benchmarks.timing import Line
from mqlint.chlauth.access import ChannelAccess
from mqlint.chlauth.address import everything, network
from mqlint.chlauth.audit import AuditEntry, audit
from mqlint.chlauth.connection import Connection
from mqlint.chlauth.prove import proofs
from mqlint.chlauth.region import merged, regions
from mqlint.config.settings import Settings
from mqlint.engine import Analyser, Input
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.project import load_all, queue_managers
from mqlint.vocabulary.load import load_vocabulary

RECORDS, CHANNELS, LIMIT = 1_000, 500, 10.0
Address = Callable[[Random], str]


def auditing() -> list[Line]:
    """All lines on channel authentication."""
    return [_whole_audit(), _whole_proof(), *(_growth(one) for one in (250, 500)), _adversarial()]


def address(random: Random) -> str:
    """An address or network as shops write them."""
    parts = ["10", *(str(random.randrange(256)) for _ in range(3))]
    return ".".join([*parts[: random.choice((2, 3))], "*"] if random.random() < 0.6 else parts)


def hostile(random: Random) -> str:
    """A pattern that crosses most others."""
    one, two = random.randrange(256), random.randrange(256)
    return random.choice([f"{one}.*.{two}", f"*.{one}.{two}", f"{one}.{two}.*.{one}"])


def access_of(records: int, channels: int, made: Address, seed: int = 6) -> ChannelAccess:
    """A queue manager with as many records, some for all its channels and some for one."""
    random = Random(seed)
    lines = ["ALTER QMGR CHLAUTH(ENABLED)"]
    names = [f"CH{number:03}.{'SVR' if number % 2 else 'RCV'}" for number in range(channels)]
    for number, name in enumerate(names):
        kind = "SVRCONN" if number % 2 else "RCVR"
        lines.append(f"DEFINE CHANNEL({name}) CHLTYPE({kind}) TRPTYPE(TCP)")
    for number in range(records):
        profile = random.choice(["*", "CH0*", "CH1*", "*.SVR", random.choice(names)])
        lines.append(
            f"SET CHLAUTH('{profile}') TYPE(ADDRESSMAP) ADDRESS('{made(random)}') USERSRC(MAP) "
            f"MCAUSER('u{number % 9}') ACTION(REPLACE)"
        )
    lines.append("SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)")
    return _access("\n".join(lines))


def _access(text: str) -> ChannelAccess:
    settings, analyser = Settings(), Analyser(load_vocabulary())
    loaded = load_all([Input("a.mqsc", data=text.encode())], settings, analyser)
    readings = {path: one.reading for path, one in loaded.items() if one.reading is not None}
    (found,) = queue_managers(readings, Assembly(settings, analyser.vocabulary))
    return ChannelAccess(found[0].manager)


def timed(access: ChannelAccess) -> tuple[list[AuditEntry], float]:
    """The audit of a queue manager, and its CPU time in seconds."""
    start = process_time()
    found = audit(access, everything())
    entries = [entry for alike in found for entry in alike.entries for _ in alike.channels]
    return entries, process_time() - start


def count(records: int, seed: int) -> int:
    """The number of regions of one channel under as many records."""
    access = access_of(records, 1, address, seed)
    connection = Connection("CH000.RCV", queue_manager="?", peer="")
    return len(merged(regions(access, connection, everything())))


def _whole_audit() -> Line:
    entries, spent = timed(access_of(RECORDS, CHANNELS, address))
    faults = sum(bool(entry.fault) for entry in entries)
    bar = f"{RECORDS:,} records, {CHANNELS} channels: {LIMIT:g} s"
    figure = f"{spent:.1f} s of CPU, {len(entries):,} kinds of partners, {faults} not worked out"
    return Line("chlauth audit", bar, figure, spent <= LIMIT and not faults)


def _whole_proof() -> Line:
    access = access_of(RECORDS, CHANNELS, address)
    start = process_time()
    found = list(proofs(access, network("10.20.0.0/16")))
    spent = process_time() - start
    bar = f"{RECORDS:,} records, {CHANNELS} channels: {LIMIT:g} s"
    figure = f"{spent:.1f} s of CPU, {len(found)} channels"
    return Line("chlauth prove", bar, figure, spent <= LIMIT)


def _growth(records: int) -> Line:
    ratios = sorted(count(2 * records, seed) / count(records, seed) for seed in range(5))
    middle = ratios[2]
    bar, figure = "at most 4 times the regions", f"{middle:.2f} times the regions"
    return Line(f"chlauth {records} to {2 * records} records", bar, figure, middle <= 4)


def _adversarial() -> Line:
    entries, spent = timed(access_of(RECORDS, 10, hostile))
    told = sum(bool(entry.fault) for entry in entries)
    figure = f"{spent:.1f} s of CPU, {told} of {len(entries)} told to be too many"
    return Line("chlauth, patterns that cross", f"ends within {LIMIT:g} s", figure, spent <= LIMIT)
