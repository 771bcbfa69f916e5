"""`mqlint runcheck`: the outcome of a connection, from the files alone."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

import click

from mqlint.chlauth.access import ChannelAccess
from mqlint.chlauth.address import TooManyError, is_address
from mqlint.chlauth.connection import Connection, Verdict
from mqlint.chlauth.decide import decide_as_given
from mqlint.chlauth.region import merged, regions
from mqlint.cli.chlauth.queue_managers import (
    QueueManagerOptions,
    accesses_of,
    chosen,
    networks_of,
)
from mqlint.cli.chlauth.verdicts import (
    answer_json,
    lines_of,
    region_json,
    region_lines,
    runcheck,
)
from mqlint.cli.common.group import Refusal
from mqlint.cli.common.options import format_option, option, options, paths_argument
from mqlint.cli.common.output import answer
from mqlint.cli.common.project import ProjectOptions
from mqlint.config.errors import nearest
from mqlint.dataclass import frozen
from mqlint.patterns import later
from mqlint.report.json import Json
from mqlint.report.terminal import visible

LET_IN, REFUSED, UNSURE = 0, 1, 4
"""Exit statuses by the verdict; 2 stands for every error of usage or configuration."""

_NAME = later(r"[A-Za-z0-9._/%]+\Z")
_LONGEST = {"channel": 20, "remote queue manager": 48}


def _require_sense(both: bool, first: str, second: str) -> None:
    if both:
        raise click.UsageError(f"{first} and {second} contradict each other")


def _require_name(kind: str, name: str | None) -> None:
    """Refuse a text that is not a valid MQ name, such as a generic one."""
    if name is None:
        return
    most = _LONGEST[kind]
    if not _NAME.match(name) or len(name) > most:
        shown = visible(name)
        raise Refusal(
            f"{shown!r} is not a valid {kind} name: write one whole name of up to {most} characters"
        )


def _require_text(text: str | None) -> None:
    """Refuse control characters: no user or distinguished name has them."""
    if text is not None and any(unicodedata.category(sign) == "Cc" for sign in text):
        raise Refusal(f"{visible(text)!r} has a control character in it")


@frozen
class ConnectionOptions:
    channel: str = option("--channel NAME", "The channel to start.", required=True)
    address: str | None = option("--address IP", "The partner's address, as the listener sees it.")
    networks: tuple[str, ...] = option(
        "--from NETWORK",
        "Instead of --address: all addresses of a network, or `any`, divided into regions.",
        multiple=True,
    )
    client_user: str | None = option("--client-user USER", "The user that the client sends.")
    remote_queue_manager: str | None = option(
        "--remote-queue-manager NAME", "The partner of a message channel."
    )
    sslpeer: str | None = option("--sslpeer DN", "Distinguished name in the partner's certificate.")
    sslcerti: str | None = option("--sslcerti DN", "Distinguished name of its issuer.")
    no_certificate: bool = option("--no-certificate", "The partner sends no certificate.")
    hosts: tuple[str, ...] = option(
        "--hostname NAME", "A name that the address resolves to.", multiple=True
    )
    authenticated: str | None = option(
        "--authenticated USER", "The user whose correct password is given."
    )
    no_password: bool = option("--no-password", "The client gives no user and password.")
    administrators: tuple[str, ...] = option(
        "--administrator USER",
        "A user who is an MQ administrator. No file shows this.",
        multiple=True,
    )

    def connection(self) -> Connection:
        """Return the connection; Refusal or UsageError if the options do not describe one."""
        if (self.address is None) == (not self.networks):
            raise click.UsageError("give either --address or --from")
        has_names = bool(self.sslpeer or self.sslcerti)
        _require_sense(self.no_certificate and has_names, "--no-certificate", "--sslpeer")
        _require_sense(
            self.no_password and bool(self.authenticated), "--no-password", "--authenticated"
        )
        _require_name("channel", self.channel)
        _require_name("remote queue manager", self.remote_queue_manager)
        texts = (self.client_user, self.sslpeer, self.sslcerti, self.authenticated)
        for text in (*texts, *self.hosts, *self.administrators):
            _require_text(text)
        if self.address is not None and not is_address(self.address):
            shown = visible(self.address)
            raise Refusal(f"{shown!r} is not an IP address: RUNCHECK takes no name or pattern")
        return Connection(
            self.channel,
            self.address,
            self.client_user,
            self.remote_queue_manager,
            "" if self.no_certificate else self.sslpeer,
            "" if self.no_certificate else self.sslcerti,
            self.hosts or None,
            "" if self.no_password else self.authenticated,
            frozenset(self.administrators),
        )


@click.command("runcheck", short_help="Show how CHLAUTH decides about a connection.")
@paths_argument
@options(
    "queue_manager site channel address networks client_user remote_queue_manager sslpeer sslcerti"
    " no_certificate hosts authenticated no_password administrators",
    only=QueueManagerOptions,
    partner=ConnectionOptions,
)
@format_option
@options("config cache no_cache", project=ProjectOptions)
def command(
    paths: tuple[str, ...],
    only: QueueManagerOptions,
    partner: ConnectionOptions,
    form: str,
    project: ProjectOptions,
) -> int:
    """Show how channel authentication decides about a connection, as PATHS describe it.

    The report has the verdict, the record that decides, every record that is skipped and why,
    other checks, and assumptions. If the result depends on a value that is not given, it shows
    two outcomes.

    \b
    Exit status:
      0  permitted, possibly with a warning (and always with --from)
      1  blocked
      2  the command line, the configuration or a file named is wrong
      4  unknown: depends on a template or on a value that is not given
    """  # noqa: D301 a mark for click: keep these lines
    connection = partner.connection()
    access = chosen(accesses_of(project.session(paths), paths or (".",)), only)
    _require_channel(access, connection.channel)
    if partner.networks:
        return _from_networks(access, connection, partner.networks, form)
    return _from_address(access, connection, form)


def _from_address(access: ChannelAccess, connection: Connection, form: str) -> int:
    decided = decide_as_given(access, connection)
    asked, lacks = runcheck(access.channel(connection.channel), connection)
    found = {**_head(access, connection), **answer_json(decided), "runcheck": asked}

    def lines(width: int) -> Iterator[str]:
        yield from (_title(access, connection), *lines_of(decided, width))
        live = visible(asked or f"RUNCHECK asks for {lacks}")
        yield from ("on a live queue manager", f"  {live}")

    answer(form, lambda: found, lines)
    verdict = decided.outcome.verdict
    return {Verdict.BLOCKED: REFUSED, Verdict.UNKNOWN: UNSURE}.get(verdict, LET_IN)


def _from_networks(
    access: ChannelAccess, connection: Connection, networks: tuple[str, ...], form: str
) -> int:
    try:
        found = merged(regions(access, connection, networks_of(networks)))
    except TooManyError as error:
        raise Refusal(f"{error}: use a smaller network") from None

    def lines(width: int) -> Iterator[str]:
        yield visible(f"{_title(access, connection)}, from {', '.join(networks)}")
        yield from region_lines(found, width)
        notes = dict.fromkeys(note for region in found for note in region.outcome.assumptions)
        if notes:
            yield from ("given that", *(f"  - {visible(note)}" for note in notes))

    shown = [region_json(region) for region in found]
    head = {**_head(access, connection), "from": list(networks), "regions": shown}
    answer(form, lambda: head, lines)
    return LET_IN


def _head(access: ChannelAccess, connection: Connection) -> dict[str, Json]:
    key = access.manager.key
    return {
        "version": 1,
        "queue_manager": None if key.anonymous else key.name,
        "site": key.site or None,
        "channel": connection.channel,
        "channel_type": access.channel(connection.channel).type,
        "address": connection.address,
    }


def _title(access: ChannelAccess, connection: Connection) -> str:
    kind = access.channel(connection.channel).type
    where = f" from {connection.address}" if connection.address else ""
    named = f"{connection.channel} ({kind})" if kind else connection.channel
    return visible(f"{access.manager.key.title}: channel {named}{where}")


def _require_channel(access: ChannelAccess, name: str) -> None:
    """Refuse a channel that no definition or record names, with the nearest existing one."""
    if access.channel(name).type is not None or access.channel(name).defined is False:
        return
    near = nearest(name, [channel.name for channel in access.channels()])
    if near is not None:
        absent = (
            f"{visible(access.manager.key.title)} has no channel {visible(name)} in these files"
        )
        raise Refusal(f"{absent}: did you mean {near}?")
