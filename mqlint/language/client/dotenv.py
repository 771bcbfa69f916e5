"""Files of variables, and of parameters, of which a template gets one for each site.

`.env`, `env_file` of Compose ("env file syntax" of Docker Compose), `EnvironmentFile` of systemd,
`*.tfvars` and `*.tfvars.json` of Terraform ("Input Variables"), files of CloudFormation (`aws
cloudformation deploy --parameter-overrides`) and of Azure ("Create Resource Manager parameter
file"). Lists and maps are not read.
"""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import basename

from mqlint.grouping import single
from mqlint.language.base import Context, Parsed
from mqlint.language.client.connection import (
    Setting,
    SettingText,
    add_address,
    connection,
    setting_at,
    setting_of,
)
from mqlint.language.client.environment import (
    connections_of_variables,
    variable_password_fault,
)
from mqlint.language.client.mapped import own_attribute
from mqlint.language.client.signs import NAMES_MQ, is_parameters
from mqlint.language.declaration import Declared
from mqlint.language.script.posix.tables import is_table
from mqlint.language.text.hcl import Text, read_hcl
from mqlint.language.text.mapped import mapped_at
from mqlint.language.text.templates import is_known, with_placeholders
from mqlint.language.variables.data import project_of_data, rows_of_sites
from mqlint.language.variables.signs import is_inventory
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later

_LINE = later(
    r"(?m)^[ \t]*+(?:export[ \t]++|@?[Ss][Ee][Tt][ \t]++(?P<quote>\"?))?"
    r"(?P<name>[A-Za-z_]\w{0,100})[ \t]*+[:?]?=[ \t]*+"
    r"(?P<value>'[^'\n]*'|\"[^\"\n]*\"|[^\r\n]*+)"
)
_COMMENT = later(r"[ \t]#|;[ \t]*export\b")
_EXAMPLE = later(r"(?i)(?:.*[._-])?(?:example|sample|template|dist)(?:[._-].*)?")
"""The name of a file that users copy, with passwords that they replace."""


def variables_of(text: str, at: int = 0) -> Iterator[tuple[str, Node]]:
    """Yield the variables of a text that begins at the offset `at` of the whole."""
    covered = with_placeholders(text)
    for match in _LINE.finditer(text):
        start, end = match.span("value")
        value = match["value"]
        if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
            start, end = start + 1, end - 1
        elif match["quote"] and '"' in value:
            end = start + value.rindex('"')  # cmd ignores what follows the last quotation mark
        else:
            comment = _COMMENT.search(text, start, end)
            end = comment.start() if comment is not None else end
            end = start + len(text[start:end].rstrip())
        mapped = mapped_at(text[start:end], at + start, at + end)
        is_plain = is_known(covered[start:end])
        yield (
            match["name"],
            Node(at + start, at + end, kind="scalar", known=is_plain, text=mapped),
        )


def read(text: str, context: Context) -> Parsed:
    """Return the connections that the variables, or parameters of a template, describe."""
    is_data = project_of_data(context.path, text) is not None
    is_list = is_table(text) or rows_of_sites(context.path, text)
    if is_data or is_inventory(context.path) or is_list:
        return Parsed(joins=True)
    if is_parameters(context.path, text):
        given = [*parameters_of(context.path, text)]
        return Parsed(declared=tuple(connections_of_parameters(given)), joins=True)
    variables = [
        (name, setting_of(node.text, node.span, is_plain=isinstance(node.value, str)))
        for name, node in variables_of(text)
    ]
    is_example = _EXAMPLE.fullmatch(basename(context.path)) is not None
    return Parsed(
        declared=tuple(connections_of_variables(variables)),
        diagnostics=[
            fault
            for variable in ([] if is_example else variables)
            for fault in variable_password_fault(*variable)
        ],
        joins=True,
    )


# -- parameters of templates -----------------------------------------------------------------------


Parameter = tuple[str, Setting]


def parameters_of(path: str, text: str) -> Iterator[Parameter]:
    """Yield the parameters of a file that are texts or numbers, by name."""
    if not path.lower().endswith(".json"):
        settings = SettingText(text)
        for name, given in read_hcl(text).attributes.items():
            if isinstance(given, Text) and given.text not in ("true", "false"):
                yield name, settings.setting(given.span)
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
    own = single(
        (attribute, setting)
        for name, setting in (parameters if not found else ())
        if NAMES_MQ.search(name) is not None and (attribute := own_attribute(name)) is not None
    )
    settings = {name: setting for name, setting in own.items() if name == "CONNAME"}
    add_address(settings, own, "host", "port")
    if settings:
        yield from connection("parameters", settings)
