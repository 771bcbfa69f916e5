"""`mqlint chlauth`: questions about the channel authentication of whole queue managers."""

from __future__ import annotations

from mqlint.cli.common.group import LazyGroup

command = LazyGroup(
    "chlauth",
    help="Ask who can start which channels, as whom.",
    commands_in={"audit": ("chlauth.audit", "Say who can start each channel, as whom.")},
)
