"""Names in scripts that look like commands of Managed File Transfer, which does not have them.

Source: "MFT commands reference" (command_summary), "Installed MFT command sets" (q130700_), and the
commands of the releases before them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mqlint.finding import Diagnostic
from mqlint.patterns import later

COMMANDS = frozenset(
    "fteAnt fteBundleConfiguration fteCancelTransfer fteChangeDefaultConfigurationOptions "
    "fteCleanAgent fteClearMonitorHistory fteCreateAgent fteCreateBridgeAgent fteCreateCDAgent "
    "fteCreateEnvironment fteCreateLogger fteCreateMonitor fteCreateTemplate fteCreateTransfer "
    "fteCreateWebAgent fteDefine fteDelete fteDeleteAgent fteDeleteLogger fteDeleteMonitor "
    "fteDeleteScheduledTransfer fteDeleteTemplates fteDisplayVersion fteListAgents "
    "fteListMonitors fteListScheduledTransfers fteListTemplates fteMigrateAgent "
    "fteMigrateConfigurationOptions fteMigrateLogger fteModifyAgent fteModifyDatabaseLogger "
    "fteModifyLogger fteObfuscate ftePingAgent fteRAS fteSetAgentLogLevel fteSetAgentTraceLevel "
    "fteSetLoggerTraceLevel fteSetProductId fteSetupCommands fteSetupCoordination "
    "fteShowAgentDetails fteShowLoggerDetails fteStartAgent fteStartDatabaseLogger fteStartLogger "
    "fteStartMonitor fteStopAgent fteStopDatabaseLogger fteStopLogger fteStopMonitor".split()
)
_NAME = later(
    r"(?:^[ \t]*|[;&|({`][ \t]*|\b(?:if|then|do|else|while|until|sudo|exec)[ \t]+|![ \t]+|/bin/)"
    r"(fte(?:Cancel|Create|Delete|List|Modify|Ping|Setup|Show|Start|Stop)[A-Z][A-Za-z]{2,40})"
    r"(?=[ \t\r\n;|&)\"'`>]|\Z)",
    re.MULTILINE,
)
"""A name of such a form as a command, or in a folder of programs."""
_OWN = later(r"(?:function |alias )(fte\w{1,60}+)|(fte\w{1,60}+) ?\(\)")
"""A function or an alias of the script."""


def transfer_faults(text: str) -> Iterator[Diagnostic]:
    """Yield the names in a script, unless they are functions or aliases of it."""
    if "fte" not in text:
        return
    own = {found[1] or found[2] for found in _OWN.finditer(text)}
    for found in _NAME.finditer(text):
        if found[1] not in COMMANDS and found[1] not in own:
            yield Diagnostic("transfer-command", *found.span(1), {"word": found[1]})
