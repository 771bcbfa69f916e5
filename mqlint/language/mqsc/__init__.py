"""MQSC: from text to commands, one broken command at a time."""

from mqlint.language.mqsc.command import Command, LongCommand
from mqlint.language.mqsc.dialect import Dialect
from mqlint.language.mqsc.dump import DumpHeader
from mqlint.language.mqsc.form import Form
from mqlint.language.mqsc.language import LANGUAGES
from mqlint.language.mqsc.parser import Parser
from mqlint.language.mqsc.script import Script, Slice
from mqlint.language.mqsc.shape import Names, Shape
from mqlint.language.mqsc.value import Secret, Templated, decode, is_quoted, items

__all__ = [
    "LANGUAGES",
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
