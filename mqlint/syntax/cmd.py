"""MQ's commands in batch files of Windows (`.cmd`, `.bat`), and the MQSC that the files hold."""

from __future__ import annotations

from collections.abc import Mapping

from mqlint.syntax.cmd_scan import CmdScanner
from mqlint.syntax.shell import parse_scanned
from mqlint.syntax.step import ShellScript
from mqlint.vocabulary.control import ControlSpec


def parse_cmd(text: str, commands: Mapping[str, ControlSpec]) -> ShellScript:
    """Read a batch file; whatever the text, something is returned.

    `commands` are the control commands to look for.
    """
    return parse_scanned(text, CmdScanner(text).scan(), commands)
