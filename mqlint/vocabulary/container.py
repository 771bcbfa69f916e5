"""The container of IBM MQ: its variables, ports, folders and probes.

Sources: README.md and docs of ibm-messaging/mq-container, the templates of ibm-messaging/mq-helm.
Other variables are not judged unless they are a typo of one that is here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_SWITCHES = (
    *("MQ_DEV", "MQ_ENABLE_METRICS", "MQ_ENABLE_INSTANA_TRACING", "MQ_ENABLE_CLEAN_TMP_ON_START"),
    *("MQ_ENABLE_SOFT_FILE_LIMIT_INCREASE", "MQ_LOGGING_METRICS_AUDIT_ENABLED"),
    *("MQ_ENABLE_EMBEDDED_WEB_SERVER", "MQ_ENABLE_TRACE_STRMQM", "MQ_MULTI_INSTANCE"),
    *("MQ_NATIVE_HA", "MQ_NATIVE_HA_TLS"),
)
_BOOLEAN = ("true", "false", "1", "0")
_FORMATS = ("basic", "json")

CONTAINER_VARIABLES: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(_SWITCHES, _BOOLEAN),
    "MQ_LOGGING_CONSOLE_FORMAT": _FORMATS,
    "LOG_FORMAT": _FORMATS,
    **dict.fromkeys(
        (
            *("LICENSE", "LANG", "MQ_QMGR_NAME", "MQ_QMGR_LOG_FILE_PAGES"),
            *("MQ_LOGGING_CONSOLE_SOURCE", "MQ_LOGGING_CONSOLE_EXCLUDE_ID"),
            *("MQ_ADMIN_PASSWORD", "MQ_APP_PASSWORD", "MQ_ADMIN_NAME", "MQ_APP_NAME"),
            *("MQ_ADMIN_USER", "MQ_APP_USER", "MQ_TLS_KEYSTORE", "MQ_TLS_PASSPHRASE"),
            *("MQ_GRACE_PERIOD", "MQ_GENERATE_CERTIFICATE_HOSTNAME", "MQ_EPHEMERAL_PREFIX"),
            *("MQ_NATIVE_HA_CIPHERSPECS", "MQ_NATIVE_HA_KEY_REPOSITORY", "MQ_USER", "MQ_HOST"),
        ),
        (),
    ),
}
"""The variables, each with the words that it takes; none for one that takes any text."""

CONTAINER_PORTS: Final = frozenset({1414, 9414, 9443, 9157, 5672, 5671, 1883, 8883})
"""The ports that the container listens at: channels, Native HA, console, metrics and so on."""

MQ_PORT: Final = 1414
"""The port of the listener that the container defines."""

DATA_FOLDER: Final = "/mnt/mqm"
"""The folder in which the container keeps queue managers; /var/mqm leads to it."""

CONFIGURATION_FOLDER: Final = "/etc/mqm"
"""The folder whose `*.mqsc` and `*.ini` the container gives to its queue manager."""

PROBES: Final = ("chkmqhealthy", "chkmqready", "chkmqstarted")
"""The programs of the container for probes: liveness, readiness and startup."""

FOREIGN_PROBES: Final = frozenset(
    {
        *("redis-cli", "pg_isready", "psql", "mysqladmin", "mysql", "mariadb-admin", "mongo"),
        *("mongosh", "rabbitmq-diagnostics", "rabbitmqctl", "kafka-topics", "kafka-topics.sh"),
        *("kafka-broker-api-versions", "zkServer.sh", "cqlsh", "nodetool", "sqlcmd"),
    }
)
"""Programs for probes of other products, which the container does not have."""

IGNORED_FOLDERS: Final = frozenset(
    {"init.d", "initdb.d", "conf.d", "init", "mqsc", "mqsc.d", "scripts", "startup"}
)
"""Folders below /etc/mqm that the container does not read, unlike `pki` and `web`."""

GRACE_SECONDS: Final = 30
"""The seconds that Kubernetes gives a pod to end where nothing is written, and IBM's chart too."""

LEAST_MEMORY: Final = 512 * 1024 * 1024
"""Bytes; IBM's chart and Operator give a queue manager 1 GiB."""
