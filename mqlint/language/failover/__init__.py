"""Configurations of cluster managers that start and end queue managers: Pacemaker, Veritas."""

from __future__ import annotations

from mqlint.language.base import Language, Sample, Sign, contains
from mqlint.patterns import later

_CRM = later(r"(?m)^[ \t]*primitive[ \t]+\S+[ \t]+\S*(?:ocf|systemd|lsb|service):")
_VCS = later(r"(?m)^[ \t]*(?:group|system|cluster)[ \t]+[\w.-]+[ \t]*\(")
_OF_MQ = later(r"(?i)(?<![a-z])(?:websphere)?mq(?!tt)|qmname|qmgr")


_is_crm = contains(_CRM, _OF_MQ, mark="primitive")
_is_vcs = contains(_VCS, _OF_MQ, mark="SystemList")


def _is_cib(sample: Sample) -> bool:
    return (
        "<cib" in sample.head
        and "<primitive" in sample.text
        and _OF_MQ.search(sample.text) is not None
    )


def _is_any(sample: Sample) -> bool:
    return _is_vcs(sample) or _is_cib(sample) or _is_crm(sample)


FAILOVER = Language(
    name="failover",
    signs=(
        Sign(32, {"xml"}, looks_like=_is_cib),
        Sign(49, {"cf", "cib", "crm", "conf", "cfg", "txt", ""}, looks_like=_is_any),
    ),
    reader="mqlint.language.failover.reader:read",
    ownership="declared",
)
LANGUAGES = (FAILOVER,)
