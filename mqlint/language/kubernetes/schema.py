"""The keys and words of a QueueManager of the Operator (mq.ibm.com/v1beta1), as far as they matter.

Source: "API reference for QueueManager (mq.ibm.com/v1beta1)", IBM MQ 9.2 to 10.0. Newer releases of
the Operator may add keys, so an unknown key is wrong only if it is near a known one.
"""

from __future__ import annotations

from collections.abc import Mapping

_STORAGE = frozenset("type class size sizeLimit deleteClaim".split())
KEYS: Mapping[tuple[str, ...], frozenset[str]] = {
    ("spec",): frozenset(
        "affinity annotations imagePullSecrets labels license pki queueManager securityContext"
        " telemetry template terminationGracePeriodSeconds tracing version web".split()
    ),
    ("spec", "license"): frozenset("accept license metric use".split()),
    ("spec", "web"): frozenset("console enabled manualConfig route".split()),
    ("spec", "queueManager", "route"): frozenset({"enabled"}),
    ("spec", "queueManager", "availability", "tls"): frozenset("cipherSpec secretName".split()),
    ("spec", "pki"): frozenset("keys trust".split()),
    ("spec", "queueManager"): frozenset(
        "availability debug image imagePullPolicy ini livenessProbe logFormat metrics mqsc name"
        " nativeHAGroups readinessProbe recovery resources route startupProbe storage"
        " updateStrategy".split()
    ),
    ("spec", "queueManager", "availability"): frozenset(
        "nativeHAGroups tls type updateStrategy".split()
    ),
    ("spec", "queueManager", "metrics"): frozenset("enabled tls".split()),
    ("spec", "queueManager", "resources"): frozenset("claims limits requests".split()),
    ("spec", "queueManager", "storage"): frozenset(
        "additionalVolumes allowVolumeExpansion defaultClass defaultDeleteClaim persistedData"
        " queueManager recoveryLogs scratch tmp volumes".split()
    ),
    ("spec", "queueManager", "storage", "queueManager"): _STORAGE,
    ("spec", "queueManager", "storage", "persistedData"): _STORAGE,
    ("spec", "queueManager", "storage", "recoveryLogs"): _STORAGE,
}
"""The keys of the mappings at these paths."""

LISTS: Mapping[tuple[str, ...], frozenset[str]] = {
    ("spec", "queueManager", "mqsc"): frozenset("configMap secret".split()),
    ("spec", "queueManager", "ini"): frozenset("configMap secret".split()),
    ("spec", "pki", "keys"): frozenset("name secret".split()),
    ("spec", "pki", "trust"): frozenset("name secret".split()),
}
"""The keys of each entry of the lists at these paths."""
SOURCE_KEYS = frozenset("name secretName items".split())

_TYPES = ("ephemeral", "persistent-claim")
WORDS: Mapping[tuple[str, ...], tuple[str, ...]] = {
    ("spec", "queueManager", "availability", "type"): (
        *("SingleInstance", "MultiInstance", "NativeHA"),
    ),
    ("spec", "queueManager", "availability", "updateStrategy"): ("RollingUpdate", "OnDelete"),
    ("spec", "queueManager", "storage", "queueManager", "type"): _TYPES,
    ("spec", "queueManager", "storage", "persistedData", "type"): _TYPES,
    ("spec", "queueManager", "storage", "recoveryLogs", "type"): _TYPES,
    ("spec", "queueManager", "logFormat"): ("Basic", "JSON"),
    ("spec", "queueManager", "imagePullPolicy"): ("Always", "IfNotPresent", "Never"),
}
"""The words that the values at these paths can be, in this case."""
API = "mq.ibm.com/v1beta1"
SWITCHES = (
    ("spec", "license", "accept"),
    ("spec", "web", "enabled"),
    ("spec", "queueManager", "metrics", "enabled"),
    ("spec", "queueManager", "route", "enabled"),
)
"""The paths of booleans."""
NEAR_WORDS: Mapping[tuple[str, ...], tuple[str, ...]] = {
    ("spec", "license", "metric"): (
        *("ProcessorValueUnit", "VirtualProcessorCore", "ManagedVirtualServer"),
    ),
    ("spec", "license", "use"): ("Production", "NonProduction", "Development"),
}
"""Words that the values at these paths can be; newer licences may add others."""
MISTAKEN = {
    "PVU": "ProcessorValueUnit",
    "VPC": "VirtualProcessorCore",
    "MVS": "ManagedVirtualServer",
    "Prod": "Production",
    "NonProd": "NonProduction",
    "Dev": "Development",
}
"""Words that people write for one of these; they are no typos of it."""
SIZES = tuple(
    ("spec", "queueManager", "storage", volume, "size")
    for volume in ("queueManager", "persistedData", "recoveryLogs")
)
