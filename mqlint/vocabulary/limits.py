"""How long and how many IBM MQ lets things be (the product's headers, "MQ_*_LENGTH")."""

from __future__ import annotations

from typing import Final

NAME: Final = 48
"""Characters of the name of a queue, a cluster, a namelist and most other objects."""

CHANNEL_NAME: Final = 20
"""Characters of the name of a channel."""

NAME_IN_IDENTIFIERS: Final = 12
"""Characters of a queue manager's name in the identifiers it makes ("CorrelId (MQBYTE24)")."""

NAMES_IN_LIST: Final = 256
"""Names in a namelist ("List of Names", q083970_)."""

COMMAND: Final = 32_768
"""Characters of one MQSC command (MQ_COMMAND_MQSC_LENGTH)."""

PORT: Final = 65_535
"""The highest port of TCP."""

LOG_FILES: Final = 511
"""Primary and secondary log files together (q018950_)."""

LOG_FILES_ON_WINDOWS: Final = 255
"""Primary and secondary log files together on Windows (q018950_)."""


def log_files_on(platform: str | None) -> int:
    """Return how many log files a queue manager may have; None or blank is unknown."""
    return LOG_FILES_ON_WINDOWS if platform == "windows" else LOG_FILES


OPEN_FILES: Final = 10_240
"""Open files that IBM asks for as the limit of the user who starts queue managers on Linux."""

PROCESSES: Final = 4_096
"""Processes and threads that IBM asks for as the limit of that user (q008550_)."""

KERNEL: Final = {
    "kernel.shmmni": (4_096,),
    "kernel.shmmax": (268_435_456,),
    "kernel.shmall": (2_097_152,),
    "kernel.sem": (32, 4_096, 32, 128),
    "kernel.threads-max": (32_768,),
    "kernel.pid_max": (32_768,),
    "fs.file-max": (OPEN_FILES,),  # of all users, so that of one is the least
}
"""The least values of settings of the Linux kernel, in the order of their numbers (q008550_)."""
