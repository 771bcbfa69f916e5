"""Definitions of queues and channels for the plug-in "IBM MQ for z/OS" of UrbanCode Deploy."""

from __future__ import annotations

from mqlint.language.base import Language, Sample, Sign
from mqlint.patterns import later

_RESOURCE = later(r"\A\ufeff?\s*\{\s*\"resource\"\s*:\s*\{\s*\"(?:queue|channel)\"")


def _is_definition(sample: Sample) -> bool:
    return _RESOURCE.match(sample.head) is not None


MQDEF = Language(
    name="mqdef",
    signs=(
        Sign(
            27,
            frozenset({"mqdef_base", "mqdef_overrides"}),
            lambda sample: sample.ending.startswith("mqdef_"),
            _is_definition,
            decides=True,
        ),
    ),
    reader="mqlint.language.urbancode.reader:read",
    ownership="declared",
    variables=False,
    comments=False,
    general=False,
)
LANGUAGES = (MQDEF,)
