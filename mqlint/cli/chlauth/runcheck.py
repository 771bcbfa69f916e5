"""`mqlint runcheck`: what would become of a connection, from the text alone."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import click

from mqlint.chlauth.access import ChannelAccess
from mqlint.chlauth.address import TooManyError, is_address
from mqlint.chlauth.connection import Connection, Verdict
from mqlint.chlauth.decide import decide
from mqlint.chlauth.region import merged, regions
from mqlint.cli.chlauth.gates import chosen, gates_of, networks_of, title
from mqlint.cli.chlauth.verdicts import (
    answer_json,
    lines_of,
    region_json,
    region_lines,
    runcheck,
)
from mqlint.cli.common.group import Refusal
from mqlint.cli.common.output import echo, terminal_width
from mqlint.cli.common.project import cache_options, config_option, open_session
from mqlint.config.errors import nearest
from mqlint.report.json import Json, dump
from mqlint.report.terminal import visible

LET_IN, REFUSED, UNSURE = 0, 1, 4
"""Exit statuses by the verdict; 2 stands for every error of usage or configuration."""

_NAME = re.compile(r"[A-Za-z0-9._/%]+\Z")
_LONGEST = {"channel": 20, "remote queue manager": 48}
_NARROW = 120


@click.command("runcheck", short_help="Say what CHLAUTH would make of a connection.")
@click.argument("paths", metavar="[PATHS]...", nargs=-1)
@click.option("--queue-manager", metavar="NAME", help="The queue manager, where there are several.")
@click.option("--site", metavar="NAME", help="Its site, where several have that name.")
@click.option("--channel", metavar="NAME", required=True, help="The channel that is to start.")
@click.option("--address", metavar="IP", help="The partner's address, as the listener sees it.")
@click.option(
    "--from",
    "networks",
    metavar="NETWORK",
    multiple=True,
    help="Instead of --address: all addresses of a network, or `any`, cut into regions.",
)
@click.option("--client-user", metavar="USER", help="The user that the client asserts.")
@click.option("--remote-queue-manager", metavar="NAME", help="The partner of a message channel.")
@click.option("--sslpeer", metavar="DN", help="Distinguished name in the partner's certificate.")
@click.option("--sslcerti", metavar="DN", help="Distinguished name of who issued it.")
@click.option("--no-certificate", is_flag=True, help="The partner shows no certificate.")
@click.option(
    "--hostname",
    "hosts",
    metavar="NAME",
    multiple=True,
    help="A name that the address resolves to.",
)
@click.option("--authenticated", metavar="USER", help="The user whose right password is given.")
@click.option("--no-password", is_flag=True, help="The client gives no user and password.")
@click.option(
    "--administrator",
    "administrators",
    metavar="USER",
    multiple=True,
    help="A user in the group of MQ administrators, which no file shows.",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@config_option
@cache_options
def command(
    paths: tuple[str, ...],
    queue_manager: str | None,
    site: str | None,
    channel: str,
    address: str | None,
    networks: tuple[str, ...],
    client_user: str | None,
    remote_queue_manager: str | None,
    sslpeer: str | None,
    sslcerti: str | None,
    no_certificate: bool,
    hosts: tuple[str, ...],
    authenticated: str | None,
    no_password: bool,
    administrators: tuple[str, ...],
    form: str,
    config: Path | None,
    cache: Path | None,
) -> int:
    """Say what channel authentication would make of a connection, as PATHS describe it.

    The verdict, the record that decides, every record passed over and why, what else is asked,
    and what had to be taken for granted. Two outcomes are shown where what is not given decides.

    \b
    Exit status:
      0  let in, perhaps with a warning (and always with --from)
      1  blocked
      2  the command line, the configuration or a file named is wrong
      4  unknown: what is not given, or a template, decides
    """  # noqa: D301 a mark for click: keep these lines
    if (address is None) == (not networks):
        raise click.UsageError("give either --address or --from")
    _require_sense(no_certificate and bool(sslpeer or sslcerti), "--no-certificate", "--sslpeer")
    _require_sense(no_password and bool(authenticated), "--no-password", "--authenticated")
    _require_name("channel", channel)
    _require_name("remote queue manager", remote_queue_manager)
    for text in (client_user, sslpeer, sslcerti, authenticated, *hosts, *administrators):
        _require_text(text)
    if address is not None and not is_address(address):
        raise Refusal(f"{visible(address)!r} is no IP address: RUNCHECK takes no name, no pattern")
    session = open_session(paths, config, (), cache)
    gate = chosen(gates_of(session, paths or (".",)), queue_manager, site)
    _require_channel(gate, channel)
    connection = Connection(
        channel,
        address,
        client_user,
        remote_queue_manager,
        "" if no_certificate else sslpeer,
        "" if no_certificate else sslcerti,
        hosts or None,
        "" if no_password else authenticated,
        frozenset(administrators),
    )
    if networks:
        return _from_networks(gate, connection, networks, form)
    return _from_address(gate, connection, form)


def _from_address(gate: ChannelAccess, connection: Connection, form: str) -> int:
    answer = decide(gate, connection)
    asked, lacks = runcheck(gate.channel(connection.channel), connection)
    if form == "json":
        echo(dump({**_head(gate, connection), **answer_json(answer), "runcheck": asked}) + "\n")
    else:
        width = min(terminal_width(), _NARROW)
        lines = [_title(gate, connection), *lines_of(answer, width)]
        lines += ["on a live queue manager", f"  {visible(asked or 'RUNCHECK asks for ' + lacks)}"]
        echo("\n".join(lines) + "\n")
    verdict = answer.outcome.verdict
    return {Verdict.BLOCKED: REFUSED, Verdict.UNKNOWN: UNSURE}.get(verdict, LET_IN)


def _from_networks(
    gate: ChannelAccess, connection: Connection, networks: tuple[str, ...], form: str
) -> int:
    try:
        found = merged(regions(gate, connection, networks_of(networks)))
    except TooManyError as error:
        raise Refusal(f"{error}: ask about a smaller network") from None
    if form == "json":
        shown: list[Json] = [region_json(region) for region in found]
        echo(dump({**_head(gate, connection), "from": list(networks), "regions": shown}) + "\n")
    else:
        width = min(terminal_width(), _NARROW)
        head = f"{_title(gate, connection)}, from {', '.join(networks)}"
        notes = dict.fromkeys(note for region in found for note in region.outcome.assumptions)
        lines = [visible(head), *region_lines(found, width)]
        lines += ["given that", *(f"  - {visible(note)}" for note in notes)] if notes else []
        echo("\n".join(lines) + "\n")
    return LET_IN


def _head(gate: ChannelAccess, connection: Connection) -> dict[str, Json]:
    key = gate.manager.key
    return {
        "version": 1,
        "queue_manager": None if key.anonymous else key.name,
        "site": key.site or None,
        "channel": connection.channel,
        "channel_type": gate.channel(connection.channel).type,
        "address": connection.address,
    }


def _title(gate: ChannelAccess, connection: Connection) -> str:
    kind = gate.channel(connection.channel).type
    where = f" from {connection.address}" if connection.address else ""
    named = f"{connection.channel} ({kind})" if kind else connection.channel
    return visible(f"{title(gate)}: channel {named}{where}")


# -- what is asked ------------------------------------------------------------------------------


def _require_sense(both: bool, one: str, other: str) -> None:
    if both:
        raise click.UsageError(f"{one} and {other} say different things")


def _require_name(kind: str, name: str | None) -> None:
    """Refuse what is no name of MQ's: a generic one above all."""
    if name is None:
        return
    most = _LONGEST[kind]
    if not _NAME.match(name) or len(name) > most:
        told = visible(name)
        raise Refusal(f"{told!r} is no name of a {kind}: one whole name of up to {most} characters")


def _require_text(text: str | None) -> None:
    """Refuse control characters: no user or distinguished name has them."""
    if text is not None and any(unicodedata.category(sign) == "Cc" for sign in text):
        raise Refusal(f"{visible(text)!r} has a control character in it")


def _require_channel(gate: ChannelAccess, name: str) -> None:
    """Refuse a channel that nothing speaks of, with the nearest one that is there."""
    if gate.channel(name).type is not None or gate.channel(name).defined is False:
        return
    near = nearest(name, [channel.name for channel in gate.channels()])
    if near is not None:
        told = f"{visible(title(gate))} has no channel {visible(name)} in these files"
        raise Refusal(f"{told}: did you mean {visible(near)}?")
