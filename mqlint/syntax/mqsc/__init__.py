"""MQSC: from text to commands, one broken command at a time."""

from mqlint.syntax.mqsc.command import Command, LongCommand
from mqlint.syntax.mqsc.dialect import Dialect
from mqlint.syntax.mqsc.dump import DumpHeader
from mqlint.syntax.mqsc.form import Form
from mqlint.syntax.mqsc.parser import Parser
from mqlint.syntax.mqsc.script import Script, Slice
from mqlint.syntax.mqsc.shape import Names, Shape
from mqlint.syntax.mqsc.value import Secret, Templated, decode, is_quoted, items

__all__ = [
    "Command",
    "Dialect",
    "DumpHeader",
    "Form",
    "LongCommand",
    "Names",
    "Parser",
    "Script",
    "Secret",
    "Shape",
    "Slice",
    "Templated",
    "decode",
    "is_quoted",
    "items",
]
