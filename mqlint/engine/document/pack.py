"""Readings and findings as plain JSON, to send between machines and to keep.

Each form is sent once, as its skeleton, and is computed again on the other side, which mostly knows
it already.
"""

from __future__ import annotations

import json
import sys
import zlib
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import fields
from itertools import accumulate, pairwise
from typing import Final

from mqlint.engine.document.codec import Codec, Json
from mqlint.engine.document.reading import Part, Reading, Reported
from mqlint.finding import (
    Awaited,
    Diagnostic,
    Finding,
    Location,
    Position,
    Related,
    Rule,
    Subject,
    Suppression,
    Unjudged,
)
from mqlint.language.declaration import Declared, Field, NamedFile
from mqlint.language.execution import Execution
from mqlint.language.ini.parser import IniEntry, Stanza
from mqlint.language.mqsc import (
    Command,
    DumpHeader,
    Form,
    LongCommand,
    Parser,
)
from mqlint.language.mqsc.lines import stored
from mqlint.language.script.step import Step, StepOption, StepPath, StepWord
from mqlint.source.lines import LineMap, offsets

RECORDS: Final = Codec(
    *(Declared, Field, NamedFile, Diagnostic, DumpHeader, IniEntry, Reported, Stanza),
    *(Execution, Step, StepOption, StepPath, StepWord),
    *(Location, Position, Related, Subject, Suppression, Unjudged, Awaited),
)
"""Packs what readings and findings are made of, and comments that suppress findings."""


class NotPackedError(ValueError):
    """Data that this program did not write."""


def to_bytes(reading: Reading) -> bytes:
    return zlib.compress(json.dumps(pack(reading), separators=(",", ":")).encode(), 1)


def from_bytes(data: bytes, parser: Parser) -> Reading:
    """Return the reading that `to_bytes` made `data` of; NotPackedError for other data."""
    try:
        return unpack(json.loads(zlib.decompress(data)), parser)
    except Exception as error:  # what another program wrote, or nobody, may be anything
        raise NotPackedError(
            f"it is not a reading of this program ({type(error).__name__})"
        ) from None


def pack(reading: Reading) -> Json:
    lines = reading.lines
    return {
        **_pack_fields(reading, _APART),
        "starts": [after - before for before, after in pairwise(lines.starts)],
        "lines": _little_endian(array("H", lines.digests)).tobytes().hex(),
        "spellings": lines.spellings,
        "parts": [_pack_part(part) for part in reading.parts],
    }


def unpack(packed: Json, parser: Parser) -> Reading:
    """Return the reading that `pack` made `packed` of; its forms are those of `parser`."""
    starts = offsets(sum(packed["starts"]))
    starts.extend(accumulate(packed["starts"], initial=0))
    lines = LineMap(starts, _little_endian(array("H", bytes.fromhex(packed["lines"]))))
    lines.spellings = [(start, end, form) for start, end, form in packed["spellings"]]
    parts = [_unpack_part(part, parser) for part in packed["parts"]]
    return Reading(lines=lines, parts=parts, **_unpack_fields(Reading, packed, _APART))


_APART = ("lines", "parts", "text")
"""The fields of a reading that have a form of their own, or are not packed."""
_APART_OF_PART = ("commands", "segments")


def _pack_fields(record: Reading | Part, apart: Sequence[str]) -> dict[str, Json]:
    names = (member.name for member in fields(record) if member.name not in apart)
    return {name: RECORDS.encode(getattr(record, name)) for name in names}


def _unpack_fields(of: type[Reading | Part], packed: Json, apart: Sequence[str]) -> dict[str, Json]:
    """The fields that `_pack_fields` packed; a list is a list again."""
    values = {}
    for member in fields(of):
        if member.name not in apart:
            value = RECORDS.decode(packed[member.name])
            values[member.name] = list(value) if member.default_factory is list else value
    return values


def _little_endian(digests: array[int]) -> array[int]:
    """Convert numbers in place from this machine's order of bytes, or back to it."""
    if sys.byteorder == "big":
        digests.byteswap()
    return digests


def _pack_part(part: Part) -> Json:
    """Commands as rows: form, start, marks, values, and the segments of one of many lines."""
    skeletons: dict[tuple[str, bool], int] = {}
    rows = []
    for command in part.commands:
        form = (command.form.skeleton, command.form.is_joined)
        row = [skeletons.setdefault(form, len(skeletons)), command.start, command.marks]
        rows.append([*row, command.bound])
        if isinstance(command, LongCommand):
            rows[-1].append(RECORDS.encode(tuple(command.segments or ())))
    segments = None if part.segments is None else RECORDS.encode(tuple(part.segments))
    own = {"forms": list(skeletons), "rows": rows, "segments": segments}
    return {**own, **_pack_fields(part, _APART_OF_PART)}


def _unpack_part(packed: Json, parser: Parser) -> Part:
    forms = [_form(skeleton, joined, parser) for skeleton, joined in packed["forms"]]
    commands = [_command(forms[form], *row) for form, *row in packed["rows"]]
    segments = RECORDS.decode(packed["segments"])
    segments = None if segments is None else stored(segments)
    return Part(commands, segments=segments, **_unpack_fields(Part, packed, _APART_OF_PART))


def _command(form: Form, start: int, marks: int, bound: str, segments: Json = None) -> Command:
    if not isinstance(bound, str):
        raise TypeError("the values of a packed command are not text")
    if segments is None:
        return Command(form, bound, start, marks)
    return LongCommand(form, bound, start, marks, RECORDS.decode(segments))


def _form(skeleton: str, joined: bool, parser: Parser) -> Form:
    forms = parser.forms
    if joined:
        form = forms.joined_form(skeleton)
    else:
        form = forms.regular.get(skeleton) or forms.regular_form(skeleton)
    if form is None:
        raise ValueError("a packed form is none: packed by another version?")
    return form


def pack_finding(finding: Finding) -> str:
    """Return a finding as JSON text; its rule goes by its id."""
    values = {field.name: getattr(finding, field.name) for field in fields(finding)}
    values["rule"] = finding.rule.id
    return json.dumps({name: RECORDS.encode(value) for name, value in values.items()})


def unpack_finding(text: str, rules: Mapping[str, Rule]) -> Finding:
    values = {name: RECORDS.decode(value) for name, value in json.loads(text).items()}
    values["rule"] = rules[values["rule"]]
    return Finding(**values)
