"""Files of parameters, of which a template gets one at each site or in each environment.

`*.tfvars` and `*.tfvars.json` of Terraform ("Input Variables"), files of CloudFormation (`aws
cloudformation deploy --parameter-overrides`) and of Azure ("Create Resource Manager parameter
file"). Lists and maps are not read.
"""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.language.client.connection import (
    Setting,
    SettingText,
    add_address,
    connection,
    setting_at,
)
from mqlint.language.client.environment import connections_of_variables
from mqlint.language.client.mapped import own_attribute
from mqlint.language.client.signs import NAMES_MQ
from mqlint.language.declaration import Declared
from mqlint.language.yaml.reader import read_documents
from mqlint.patterns import later

_LINE = later(
    r"(?m)^(?P<name>[A-Za-z_][\w-]{0,100})[ \t]*+=[ \t]*+"
    r"(?:\"(?P<text>[^\"\\\n]*+)\"|(?P<number>\d{1,9})(?=[ \t]*+(?:[#/\r]|$)))"
    r"|^(?:[^\n\"#/<]|/(?![/*])|<(?!<))*+(?:/\*(?:[^*]|\*(?!/))*+"
    r"|<<-?(?P<mark>[A-Za-z_]\w{0,60}+)[ \t]*\r?\n"
    r"(?:(?![ \t]*(?P=mark)[ \t]*\r?$)[^\n]*\n)*+[^\n]*)"
)
"""A parameter; or a comment or a heredoc of several lines, in which no line is one."""

Parameter = tuple[str, Setting]


def parameters_of(path: str, text: str) -> Iterator[Parameter]:
    """Yield the parameters of a file that are texts or numbers, by name."""
    if not path.lower().endswith(".json"):
        settings = SettingText(text)
        for line in _LINE.finditer(text):
            if line["text"] is not None or line["number"] is not None:
                place = line.span("number" if line["number"] else "text")
                yield line["name"], settings.setting(place)
        return
    for document in read_documents(text):
        for item in document.items:
            key, value = item.word("ParameterKey"), item.child("ParameterValue")
            if key and value is not None:
                yield key, setting_at(value)
        below = document.child("parameters") or document.child("Parameters") or document
        for key, node in below.pairs.items():
            value = node.child("value") if node.kind == "mapping" else node
            if value is not None and value.kind == "scalar":
                yield key, setting_at(value)


def connections_of_parameters(parameters: list[Parameter]) -> Iterator[Declared]:
    """Yield the connection that parameters describe, or else their one address of MQ.

    A template has the channel and the queue manager of such an address.
    """
    found = [*connections_of_variables(parameters)]
    yield from found
    own: dict[str, list[Setting]] = {}
    for name, setting in parameters if not found else ():
        if NAMES_MQ.search(name) is not None and (attribute := own_attribute(name)) is not None:
            own.setdefault(attribute, []).append(setting)
    single = {name: given[0] for name, given in own.items() if len(given) == 1}
    settings = {name: setting for name, setting in single.items() if name == "CONNAME"}
    add_address(settings, single, "host", "port")
    if settings:
        yield from connection("parameters", settings)
