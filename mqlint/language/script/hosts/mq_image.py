"""Signs of a Dockerfile of MQ."""

from __future__ import annotations

from mqlint.patterns import later

_PART = (
    r"[_-]?(?:advanced|server|dev|developer|integration|qmgr|qm|base|custom|local|test|demo|sample"
    r"|container|image|docker|ha|cluster|amd64|arm64|\d[\d.]{0,9})"
)
"""Names of images of queue managers after `ibm-mq`; images of clients have others."""
MQ_IMAGE = (
    rf"(?:[\w.:/-]{{0,200}}/)?(?:mq|mq-?advanced[\w-]{{0,60}}|ibm-?mq(?:{_PART}){{0,6}})"
    r"(?:[:@][\w.:${}-]{1,200})?"
)
_VARIABLE = r"MQ_(?:QMGR_NAME|ADMIN_PASSWORD|APP_PASSWORD|DEV|NATIVE_HA|MULTI_INSTANCE)"
OF_MQ = later(
    rf"(?mi)^[ \t]*+FROM[ \t]++(?:--\S{{1,80}}[ \t]++)*+{MQ_IMAGE}(?=\s|$)"
    rf"|(?<![\w${{]){_VARIABLE}=|^[ \t]*+(?:ENV|ARG)[ \t]++{_VARIABLE}[ \t]"
)
"""An image of MQ, or a variable that only the container of MQ has."""
SETS_MQ = later(rf"(?<![\w${{])(?:{_VARIABLE}|MQSNOAUT)=")
"""A variable that only MQ has, and its value."""
