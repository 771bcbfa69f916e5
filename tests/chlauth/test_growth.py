"""Many records with many channels take steps in line with their number, whatever is generic."""

from __future__ import annotations

from functools import partial

import pytest

from mqlint.chlauth.access import ChannelAccess
from mqlint.chlauth.address import everything
from mqlint.chlauth.audit import audit
from mqlint.chlauth.channel_user import mapped_channels
from mqlint.chlauth.reachability import reachabilities
from tests.chlauth.accesses import access_of
from tests.linear import FACTOR, steps

pytestmark = pytest.mark.growth

FEW = 60
BOUND = 5.0
RECORDS = {
    "the beginning of names": ("C{n:05}*", "10.1.*"),
    "the end of names": ("*{n:05}X", "10.1.*"),
    "the middle of names": ("*{n:05}*", "10.1.*"),
    "both ends of names": ("C*{n:05}X", "10.1.*"),
    "the beginning of addresses": ("*", "10.{high}.{low}.*"),
    "the end of addresses": ("*", "*.1.{high}.{low}"),
    "both ends of addresses": ("*", "10.*.{high}.{low}"),
    "addresses for one channel": ("C00000X", "*.1.{high}.{low}"),
}


def access(profile: str, address: str, count: int) -> ChannelAccess:
    lines = []
    for number in range(count):
        words = {"n": number, "high": number // 256, "low": number % 256}
        lines.append(f"DEFINE CHANNEL(C{number:05}X) CHLTYPE(SVRCONN)")
        lines.append(
            f"SET CHLAUTH('{profile.format(**words)}') TYPE(ADDRESSMAP) "
            f"ADDRESS('{address.format(**words)}') USERSRC(MAP) MCAUSER('u')"
        )
    return access_of("\n".join(lines))


def work(described: ChannelAccess) -> None:
    reachabilities(described.manager)
    mapped_channels(described.manager)


@pytest.mark.parametrize("kind", RECORDS)
def test_records_and_channels_take_steps_in_line_with_their_number(kind: str) -> None:
    once, more = (
        steps(partial(work, access(*RECORDS[kind], count))) for count in (FEW, FACTOR * FEW)
    )
    assert more <= BOUND * once


def partners(count: int) -> ChannelAccess:
    """Channels that each have a user, and as many records for users and for certificates."""
    return access_of(
        "\n".join(
            f"DEFINE CHANNEL(C{number}) CHLTYPE(SVRCONN) SSLCIPH(ANY_TLS12) MCAUSER(u{number})\n"
            f"SET CHLAUTH('C*') TYPE(USERMAP) CLNTUSER(a{number}) USERSRC(MAP) MCAUSER(b{number})\n"
            f"SET CHLAUTH('C*') TYPE(SSLPEERMAP) SSLPEER('CN=p{number}') USERSRC(MAP) MCAUSER(p)"
            for number in range(count)
        )
    )


def test_the_audit_takes_steps_in_line_with_its_entries() -> None:
    """Each channel has an entry for each partner: a square of the number of commands."""
    once, more = (
        steps(partial(audit, partners(count), everything()))
        for count in (FEW // 4, FACTOR * FEW // 4)
    )
    assert more <= BOUND * FACTOR * once


@pytest.mark.slow
def test_the_outcomes_of_an_audit_have_a_budget() -> None:
    """Channels that their users tell apart, and partners that records tell apart: a square."""
    found = audit(partners(120), everything())
    faults = [entry.fault for alike in found for entry in alike.entries if entry.fault]
    assert set(faults) == {"too many outcomes for the number of commands"}
    assert len(faults) <= 2 * len(found)


@pytest.mark.slow
def test_crossing_ranges_have_a_budget() -> None:
    """Their number of parts grows with a power of the number of records."""
    patterns = (
        f"1-{number % 250 + 1}.*.*.{number // 250}"
        if number % 2
        else f"*.{number % 250}-255.{number // 250}.*"
        for number in range(300)
    )
    described = access_of(
        "DEFINE CHANNEL(C) CHLTYPE(SVRCONN)\n"
        + "".join(
            f"SET CHLAUTH(C) TYPE(ADDRESSMAP) ADDRESS('{pattern}') USERSRC(MAP) MCAUSER('u')\n"
            for pattern in patterns
        )
    )
    (found,) = (alike for alike in audit(described, everything()) if alike.channels[0].name == "C")
    faults = {entry.fault for entry in found.entries}
    assert "too many addresses to compare for the number of commands" in faults
    assert "" not in faults
    assert described.manager.undecided == ["addresses of partners"]
