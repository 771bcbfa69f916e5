"""Definitions of queues and channels for the plug-in "IBM MQ for z/OS" of UrbanCode Deploy."""

from __future__ import annotations

from mqlint.language.base import Language, Sign
from mqlint.patterns import later

_RESOURCE = later(r"\A\ufeff?\s*\{\s*\"resource\"\s*:\s*\{\s*\"(?:queue|channel)\"")


MQDEF = Language(
    name="mqdef",
    signs=(
        Sign(
            27,
            {"mqdef_base", "mqdef_overrides"},
            lambda sample: sample.ending.startswith("mqdef_"),
            lambda sample: _RESOURCE.match(sample.head) is not None,
            decides=True,
        ),
    ),
    reader="mqlint.language.urbancode.reader:read",
    ownership="declared",
    comments=False,
    general=False,
)
LANGUAGES = (MQDEF,)
