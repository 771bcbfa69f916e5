"""`mqlint chlauth`: questions about the channel authentication of whole queue managers."""

from __future__ import annotations

from mqlint.cli.common.group import LazyGroup

command = LazyGroup(
    "chlauth",
    help="Show who can start which channels, and as which user.",
    commands_in={
        "audit": ("chlauth.audit", "Show who can start each channel, and as which user."),
        "prove": ("chlauth.prove", "Prove that no connection from a site gets into another."),
    },
)
