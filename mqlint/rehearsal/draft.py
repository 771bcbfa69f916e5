"""A first scenario, from what the files and the configuration tell of an estate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mqlint.config.settings import Site
from mqlint.config.settings_text import flow, printable
from mqlint.rehearsal.member import Member

_TEST_DAYS = 2
_NETWORKS = {"network": "closed"}


def draft(members: Sequence[Member], production: Sequence[Site], dr: Site) -> Iterator[str]:
    """Yield the lines of a scenario: all that DR may start, on day 0, deleted two days later."""
    names = [site.name for site in production]
    yield "# A DR test, for: mqlint rehearse --scenario FILE"
    yield "# Written from the files and mqlint.yaml. Check every line: it is what is simulated."
    yield "days: 120"
    yield f"production: {flow(names[0] if len(names) == 1 else names)}"
    yield f"dr: {flow(dr.name)}"
    yield f"network: {_NETWORKS.get(dr.isolation, 'open')}  # isolation: {dr.isolation}"
    chlauth = "refuses" if dr.isolation == "chlauth" else "unknown"
    yield f"chlauth: {chlauth}  # refuses, admits, or unknown: what the files prove"
    yield "last_published: 0  # the day, at most 0, on which production published its records last"
    yield f"made_by: {dr.reinstated_by}  # for queue managers that do not say otherwise"
    yield "queue_managers:"
    yield from _queue_managers(members, names, dr)
    yield "events:"
    if dr.isolation == "production-ended":
        yield from (f"  - {{day: 0, end: {flow(name)}}}" for name in names)
    yield f"  - {{day: 0, start: {flow(dr.name)}}}"
    refresh = f"- {{day: 0, refresh: {flow(dr.name)}}}"
    if dr.reinstated_by in ("file-copy", "backup-queue-manager"):
        yield f"  {refresh}  # IBM asks for it after a restore"
    else:
        yield f"  # {refresh}"
    yield f"  - {{day: {_TEST_DAYS}, delete: {flow(dr.name)}}}"
    if dr.isolation == "production-ended":
        day = _TEST_DAYS + 1
        yield from (f"  - {{day: {day}, start: {flow(name)}}}" for name in names)


def _queue_managers(
    members: Sequence[Member], production: Sequence[str], dr: Site
) -> Iterator[str]:
    if dr.reinstated_by == "definitions":
        owners = {
            (part.cluster, part.channel): member.title
            for member in members
            if member.site in production
            for part in member.memberships
        }
        for member in members:
            if member.site == dr.name:
                shared = [
                    f"{part.channel} is also the channel of {owners[part.cluster, part.channel]}"
                    for part in member.memberships
                    if (part.cluster, part.channel) in owners
                ]
                comment = f"  # {shared[0]}" if shared else ""
                yield f"  {flow(member.name)}: {{}}{printable(comment)}"
        return
    yield "  # copies of production's queue managers; backup_day: -7 is a backup a week old,"
    yield "  # own_address: true a cluster-receiver channel with an address of the DR site"
    for member in members:
        if member.site in production:
            yield f"  {flow(member.name)}: {{backup_day: 0, own_address: false}}"
