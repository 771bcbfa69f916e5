"""The faults of a configuration of a cluster manager, whichever of them it is."""

from __future__ import annotations

from mqlint.language.base import Context, Parsed
from mqlint.language.failover.pacemaker import cib_faults, cluster_faults
from mqlint.language.failover.veritas import main_faults


def read(text: str, context: Context) -> Parsed:
    del context
    if "SystemList" in text:
        return Parsed(diagnostics=[*main_faults(text)])
    faults = cib_faults(text) if "<primitive" in text else cluster_faults(text)
    return Parsed(diagnostics=[*faults])
