"""Which YAML, JSON and properties files speak of MQ: manifests, channel tables, clients."""

from __future__ import annotations

import re

from mqlint.vocabulary.sni import SUFFIX

ENDINGS = frozenset({"yaml", "yml", "json", "properties"})
"""The endings that are asked about here."""

_RESOURCE = re.compile(r"^(?:[ \t]{0,3}- )?apiVersion:[ \t]*[\"']?mq\.ibm\.com/", re.MULTILINE)
_HOLDER = re.compile(r"^(?:[ \t]{0,3}- )?kind:[ \t]*[\"']?(?:ConfigMap|Secret)\b", re.MULTILINE)
_ROUTE = re.compile(r"^(?:[ \t]{0,3}- )?kind:[ \t]*[\"']?Route\b", re.MULTILINE)
_KIND = re.compile(r"^(?:[ \t]{0,3}- )?kind:", re.MULTILINE)
_INSIDE = re.compile(
    r"^[ \t]+(?![ \t])(?:[^\n:#]{1,200}\.(?:mqsc|ini)[\"']?[ \t]*:"
    r"|[\"']?[\w.-]{0,100}mqsc[\w.-]{0,100}[\"']?[ \t]*:[ \t]*[|>]"
    r"|(?:define|def|alter|alt|set)[ \t]+(?:q(?:local|l|remote|r|alias|a|mgr)|channel|chl|chlauth"
    r"|authrec|authinfo|listener|lstr|topic|namelist)[ \t]*\()",
    re.MULTILINE | re.IGNORECASE,
)
"""An entry of MQSC or stanzas, whatever puts its name together, or a command in one."""
_KEPT = re.compile(
    r"^[ \t]*(?:- +)?[\"']?[\w.-]{0,100}mqsc[\w.-]{0,100}[\"']?[ \t]*:"
    r"(?:[ \t]*\r?\n[ \t]*(?:-|[\w.-]{1,100}[ \t]*:))?[ \t]*[|>\"']",
    re.MULTILINE | re.IGNORECASE,
)
_VALUES = re.compile(
    r"(?:^|/)(?:[\w.-]*values[\w.-]*$|(?:group_vars|host_vars|vars|defaults)/)", re.IGNORECASE
)
"""Where values of charts and variables of Ansible stand."""
_CHART = re.compile(r"^[ \t]{0,4}queueManager:[ \t]*(?:#[^\n]*)?\r?$", re.MULTILINE)
_CHART_WORD = re.compile(
    r"^[ \t]{0,8}(?:nativeha|multiinstance|mqscConfigMaps|mqscSecrets|qminiConfigMaps|qminiSecrets"
    r"|envVariables|license):",
    re.MULTILINE,
)
_TABLE = re.compile(r"\"channel\"\s*:\s*\[")
_PROPERTY = re.compile(r"^[ \t]*ibm\.mq\.\w", re.MULTILINE)
_SPRING = re.compile(r"^ibm:[ \t]*\r?\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]+mq:", re.MULTILINE)


def recognise_tree(ending: str, text: str) -> str | None:
    """Return `manifest`, `ccdt`, `client-yaml` or `client-properties`; None for any other file.

    `ending` is one of `ENDINGS`.
    """
    if ending == "json":
        return "ccdt" if '"clientConnection"' in text and _TABLE.search(text) else None
    if ending == "properties":
        return "client-properties" if _PROPERTY.search(text) else None
    if "kind:" in text and _is_resource(text):
        return "manifest"
    if "kind:" not in text and _CHART.search(text) and _CHART_WORD.search(text):
        return "manifest"
    return "client-yaml" if _SPRING.search(text) else None


def keeps_mqsc(path: str, text: str) -> bool:
    """Whether values of a chart, or variables of Ansible, have texts below a key of MQSC.

    What the texts hold is not asked. Other YAML is left alone: that of tests has such keys too.
    """
    if "mqsc" not in text and "MQSC" not in text:
        return False
    return _VALUES.search(path) is not None and _KEPT.search(text) is not None


def _is_resource(text: str) -> bool:
    """Whether a resource of Kubernetes is about MQ."""
    if _RESOURCE.search(text) is not None:
        return True
    if _HOLDER.search(text) is not None and _INSIDE.search(text) is not None:
        return True
    if SUFFIX in text and _ROUTE.search(text) is not None:
        return True
    return "MQ_QMGR_NAME" in text and "containers:" in text and _KIND.search(text) is not None
