"""The container of IBM MQ: its ports, folders and probes; kubernetes.yaml has its variables.

Sources: README.md and docs of ibm-messaging/mq-container, the templates of ibm-messaging/mq-helm.
"""

from __future__ import annotations

from typing import Final

from mqlint.patterns import later
from mqlint.vocabulary.distance import distance

CONTAINER_PORTS: Final = frozenset({1414, 9414, 9443, 9157, 5672, 5671, 1883, 8883})
"""The ports that the container listens at: channels, Native HA, console, metrics and so on."""

MQ_PORT: Final = 1414
"""The port of the listener that the container defines."""

METRICS_PORT: Final = 9157
"""The port at which the container has metrics, if MQ_ENABLE_METRICS is true."""

REPLICATION_PORT: Final = 9414
"""The port at which the instances of a Native HA queue manager replicate."""

DATA_FOLDER: Final = "/mnt/mqm"
"""The folder in which the container keeps queue managers; /var/mqm leads to it."""

_KEEPS_DATA: Final = later(r"/(?:mnt/mqm(?:-[\w-]{1,60})?|var/mqm)(?:/.*)?")
"""With Native HA and multi-instance queue managers, logs and data have volumes of their own."""

PROGRAM_FOLDER: Final = "/opt/mqm"
"""The folder of the programs, and of the configuration of telemetry: `mqxr/config`."""

CONFIGURATION_FOLDER: Final = "/etc/mqm"
"""The folder whose `*.mqsc` and `*.ini` the container gives to its queue manager."""

PROBES: Final = ("chkmqhealthy", "chkmqready", "chkmqstarted")
"""The programs of the container for probes: liveness, readiness and startup."""

SECRETS_FOLDER: Final = "/run/secrets"
"""Where the container reads the passwords of its users, each from a file of a fixed name."""

IGNORED_FOLDERS: Final = frozenset(
    {"init.d", "initdb.d", "conf.d", "init", "mqsc", "mqsc.d", "scripts", "startup"}
)
"""Folders below /etc/mqm that the container does not read, unlike `pki` and `web`."""

GRACE_SECONDS: Final = 30
"""The seconds that Kubernetes gives a pod to end where nothing is written, and IBM's chart too."""

LEAST_MEMORY: Final = 512 * 1024 * 1024
"""Bytes; IBM's chart and Operator give a queue manager 1 GiB."""


def may_bring_mqsc(path: str) -> bool:
    """Return whether what is mounted at a path may hold MQSC that the container runs.

    It runs `*.mqsc` of its folder, and no files of folders below, as those of certificates.
    """
    folder, _, name = path.rstrip("/").rpartition("/")
    is_file = folder == CONFIGURATION_FOLDER and name.endswith(".mqsc")
    return is_file or path.rstrip("/") == CONFIGURATION_FOLDER


def keeps_data(path: str) -> bool:
    """Return whether a path in a container is where it keeps queue managers, or below it."""
    return _KEEPS_DATA.fullmatch(path) is not None


def has_misspelt_ending(file: str) -> bool:
    """Return whether the ending of a file is a typo of `.mqsc`."""
    return distance(file.rpartition("/")[2].rpartition(".")[2].lower(), "mqsc", 1) == 1


def is_ignored_certificate(folder: str, name: str) -> bool:
    """Return whether a file is a key or a certificate beside the folders that hold them.

    The image takes them from folders below, each for one key or certificate authority
    (docs/usage.md of ibm-messaging/mq-container, "Supplying TLS certificates").
    """
    is_beside = folder in (f"{CONFIGURATION_FOLDER}/pki/{kind}" for kind in ("keys", "trust"))
    return is_beside and name.endswith((".crt", ".key"))
