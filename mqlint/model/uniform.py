"""The uniform clusters of a queue manager."""

from __future__ import annotations

from mqlint.model.queue_manager import QueueManager
from mqlint.model.setting import setting, written
from mqlint.model.value import UNKNOWN, Value


def uniform_clusters(manager: QueueManager) -> Value:
    """Return the uniform clusters of a queue manager, by AutoCluster and TuningParameters.

    IBM MQ documentation, "Using automatic cluster configuration" (q133780_).
    """
    kind = written(setting(manager.stanzas, "autocluster", "Type"))
    named = written(setting(manager.stanzas, "tuningparameters", "UniformClusterName"))
    automatic = written(setting(manager.stanzas, "autocluster", "ClusterName"))
    found = [named]
    if isinstance(kind, str) and kind.lower() == "uniform":
        found.append(automatic)
    if UNKNOWN in found:
        return UNKNOWN
    return tuple(dict.fromkeys(one for one in found if isinstance(one, str) and one)) or UNKNOWN
