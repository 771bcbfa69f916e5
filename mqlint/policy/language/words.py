"""The words that may stand in a policy: one list, for the loader, the schema and the messages."""

from __future__ import annotations

import re

from mqlint.model.facts.registry import FACT_TYPES

HEADER = (
    "id name summary severity confidence evidence why fix see messages covers aliases ignorable "
    "parameters match check unless message cases"
).split()
REQUIRED = "id name summary severity confidence why fix check message cases".split()
PARAMETER = ("type", "default", "says")
"""What stands under the name of a parameter: all of it must."""

CONFIDENCES = ("high", "medium", "low")
EVIDENCES = ("product", "document", "recall")
SEVERITIES = ("note", "warning", "error")
OBJECTS = (
    *"qmgr queue qlocal qalias qremote qmodel channel namelist process topic sub listener".split(),
    *"service authinfo comminfo chlauth authrec policy stgclass cfstruct psid buffpool".split(),
    *(type_ for type_ in FACT_TYPES if type_ != "qmgr"),
)

ID = re.compile(r"[A-Z]{2,4}\d{3}\Z")
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*\Z")
PARAMETER_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*\Z")


def is_id(text: str) -> bool:
    """Whether a text can be the id of a policy: two to four letters and three digits."""
    return ID.match(text) is not None
