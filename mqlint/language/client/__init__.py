"""Settings of client applications, and client channel definition tables."""

from __future__ import annotations

from mqlint.language.base import Language, Sample, Sign, contains
from mqlint.language.client.signs import holds_channel_table
from mqlint.patterns import later

_PROPERTY = later(r"(?m)^[ \t]*ibm\.mq\.\w")
_SPRING = later(r"(?m)^ibm:[ \t]*\r?\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]+mq:")


def _is_table(sample: Sample) -> bool:
    return holds_channel_table(sample.text)


CCDT = Language(
    name="ccdt",
    files="`*.json` with a list `channel` and `clientConnection`",
    content="client channels",
    signs=(Sign(30, frozenset({"json", "json_template"}), looks_like=_is_table),),
    reader="mqlint.language.client.ccdt:read",
    ownership="declared",
    variables=False,
    comments=False,
)
PROPERTIES = Language(
    name="client-properties",
    files="`*.properties` with `ibm.mq.`",
    content="the client channel they describe",
    signs=(
        Sign(30, frozenset({"properties", "properties_template"}), looks_like=contains(_PROPERTY)),
    ),
    reader="mqlint.language.client.settings:read_properties",
    ownership="declared",
    variables=False,
    settings=True,
)
SPRING = Language(
    name="client-yaml",
    files="YAML with `ibm:` `mq:` (Spring Boot)",
    content="the client channel they describe",
    signs=(
        Sign(
            32,
            frozenset({"yaml", "yml", "yaml_template", "yml_template"}),
            looks_like=contains(_SPRING),
        ),
    ),
    reader="mqlint.language.client.settings:read_spring",
    ownership="declared",
    variables=False,
)
LANGUAGES = (CCDT, PROPERTIES, SPRING)
