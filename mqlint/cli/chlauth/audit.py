"""`mqlint chlauth audit`: who can start each channel, from where, as whom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click

from mqlint.chlauth.access import ChannelAccess
from mqlint.chlauth.audit import AlikeChannels, AuditEntry, audit
from mqlint.chlauth.connection import STRANGER, Outcome
from mqlint.chlauth.region import Region
from mqlint.cli.chlauth.queue_managers import (
    QueueManagerOptions,
    accesses_of,
    chosen,
    networks_of,
)
from mqlint.cli.chlauth.verdicts import addresses_of, manager_json, region_json
from mqlint.cli.common.options import format_option, options, paths_argument
from mqlint.cli.common.output import echo, echo_lines, terminal_width
from mqlint.cli.common.project import ProjectOptions
from mqlint.report.json import Json, dump
from mqlint.report.terminal import listing, visible, wrap

_NARROW = 120
_MOST_SHARED = 20
"""Addresses that are written for each of several channels that share them."""


@click.command("audit", short_help="Show who can start each channel, and as which user.")
@paths_argument
@options(
    "queue_manager site", {"queue_manager": "Only this queue manager."}, only=QueueManagerOptions
)
@click.option(
    "--from",
    "networks",
    metavar="NETWORK",
    multiple=True,
    default=("any",),
    help="Only addresses of this network. May be given several times. Default: any.",
)
@format_option
@options("config cache no_cache", project=ProjectOptions)
def command(
    paths: tuple[str, ...],
    only: QueueManagerOptions,
    networks: tuple[str, ...],
    form: str,
    project: ProjectOptions,
) -> int:
    """Show who can start each channel, from where, and as which user.

    Partners that no record names come first, then the users, queue managers and certificates
    that records name. Addresses are those that the listener sees. The exit status is always 0:
    `mqlint check` reports faults.
    """
    asked = networks_of(networks)
    session = project.session(paths)
    accesses = accesses_of(session, paths or (".",))
    if only.is_given:
        accesses = [chosen(accesses, only)]
    if form == "json":
        managers: list[Json] = [_manager(access, audit(access, asked)) for access in accesses]
        missed = sorted({path for access in accesses for path in access.unread})
        head: dict[str, Json] = {"version": 1, "from": list(networks), "not_read": [*missed]}
        echo(dump({**head, "queue_managers": managers}) + "\n")
    else:
        width = terminal_width(_NARROW)
        for access in accesses:
            found = audit(access, asked)
            if found:
                echo_lines(_lines(access, found, width))
    return 0


def _lines(access: ChannelAccess, found: Iterable[AlikeChannels], width: int) -> Iterator[str]:
    yield visible(access.manager.key.title)
    notes: dict[str, None] = {}
    for alike in found:
        for channel in alike.channels:
            place = channel.place
            at = f"  {place.line_text}" if place is not None else ""
            yield visible(f"  {channel.name} ({channel.type}){at}")
        for entry in alike.entries:
            yield visible(f"    {entry.who}")
            if entry.fault:
                yield visible(f"      not worked out: {entry.fault}")
            for region in entry.regions:
                yield from _region(region, width)
                notes.update(dict.fromkeys(region.outcome.assumptions))
    yield from listing("given that", notes, width, "  ")


def _region(region: Region, width: int) -> Iterator[str]:
    effects = " or ".join(_effect(outcome) for outcome in region.possible or (region.outcome,))
    record = region.outcome.record
    at = ""
    if record is not None and record.place is not None:
        at = f" ({record.place.line_text})"
    text = f"{effects} from {addresses_of(region.addresses)}{at}"
    yield from wrap(text, width, "      ", "        ")


def _effect(outcome: Outcome) -> str:
    verdict, user = outcome.effect
    shown = "the user that it sends" if user == STRANGER else user
    return f"{verdict.value} as {shown}" if shown else verdict.value


def _manager(access: ChannelAccess, found: Iterable[AlikeChannels]) -> dict[str, Json]:
    return {**manager_json(access.manager.key), "channels": list(_rows(found))}


def _rows(found: Iterable[AlikeChannels]) -> Iterator[Json]:
    """Yield a row for each partner of a channel; long outcomes that channels share once."""
    channels = [(channel, alike) for alike in found for channel in alike.channels]
    for channel, alike in sorted(channels, key=lambda pair: pair[0].name):
        first = alike.channels[0].name
        head: dict[str, Json] = {"name": channel.name, "type": channel.type}
        if first != channel.name and _length(alike.entries) > _MOST_SHARED:
            yield {**head, "who": None, "fault": None, "regions": [], "same_as": first}
            continue
        for entry in alike.entries:
            regions: list[Json] = [region_json(region) for region in entry.regions]
            fault = entry.fault or None
            yield {**head, "who": entry.who, "fault": fault, "regions": regions, "same_as": None}


def _length(entries: Iterable[AuditEntry]) -> int:
    """The number of addresses, patterns and networks in what is written of entries."""
    found = (region.addresses.boxes for entry in entries for region in entry.regions)
    return sum(map(len, found))
