"""Requests of the administrative REST API in files: bodies, collections of Postman, lists."""

from __future__ import annotations

from mqlint.language.base import Language, Sample, Sign, contains
from mqlint.patterns import later

AS_TEXT = "runCommand"
AS_OBJECT = "runCommandJSON"
"""The types of a request: with MQSC as a text, or as an object."""
_BODY = later(
    r"\"type\"[ \t]*:[ \t]*\"runCommandJSON\""
    r"|\"type\"[ \t]*:[ \t]*\"runCommand\"\s*,\s*\"parameters\"[ \t]*:\s*\{\s*\"command\""
    r"|\\\"type\\\"[ \t]*:[ \t]*\\\"runCommand(?:JSON)?\\\""
)
"""A body, or one as the text of another document."""
_OBJECT = later(r"\A\ufeff?\s*[\[{\ue000]")
_MEMBER = later(r"\"(?:command|parameters)\"|\\\"(?:command|parameters)\\\"")
_LIST = later(r"(?m)^ {0,4}(?:- )?[\"']?mq_commands[\"']?[ \t]*:[ \t]*(?:#[^\n]*)?\r?$")
_ITEM = later(r"(?m)^[ \t]*(?:- )?[\"']?command[\"']?[ \t]*:")
_YAML = frozenset({"yaml", "yml", "yaml_template", "yml_template"})


def _is_request(sample: Sample) -> bool:
    text = sample.text
    return AS_TEXT in text and _BODY.search(text) is not None and _is_object(sample)


def _is_object(sample: Sample) -> bool:
    begins = _OBJECT.match("\n".join(sample.lines[:1])) is not None
    return begins and _MEMBER.search(sample.text) is not None


REST = Language(
    name="rest",
    signs=(Sign(28, {"json", "json_template"}, looks_like=_is_request),),
    reader="mqlint.language.rest.reader:read",
    ownership="declared",
    comments=False,
)
MQ_COMMANDS = Language(
    name="mq-commands",
    signs=(Sign(29, _YAML, looks_like=contains(_LIST, _ITEM)),),
    reader="mqlint.language.rest.reader:read_list",
    ownership="declared",
)
LANGUAGES = (REST, MQ_COMMANDS)
