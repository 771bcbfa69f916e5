"""Readings, findings and claims as plain JSON, to send between machines and to keep.

Each form is sent once, as its skeleton, and is computed again on the other side, which mostly knows
it already. Values have no secrets, as these were replaced when they were bound.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cache
from itertools import accumulate, pairwise
from typing import Any

from mqlint.dataclass import names_of
from mqlint.engine.reading import Part, Reading, Reported
from mqlint.finding import (
    Diagnostic,
    Finding,
    Location,
    Position,
    Related,
    Rule,
    Severity,
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
    Secret,
    Templated,
)
from mqlint.language.script.step import Step, StepOption, StepPath, StepWord
from mqlint.policy.run.claim import Aggregate, Claim, Example
from mqlint.source.lines import LineMap
from mqlint.vocabulary.unknown import UNKNOWN

Json = Any
"""What `json` reads and writes."""

_CLASSES: Mapping[str, type] = {
    item.__name__: item
    for item in (
        *(Declared, Field, NamedFile, Diagnostic, DumpHeader, IniEntry, Reported, Stanza),
        *(Execution, Step, StepOption, StepPath, StepWord),
        *(Claim, Location, Position, Related, Subject, Aggregate, Suppression, Example, Unjudged),
    )
}
_UNKNOWN = {"unknown": True}
_PLAIN = frozenset({str, int, bool, type(None)})
"""Types of most values, which are sent as they are; not their subclasses."""
_names_of = cache(names_of)


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
    """Return `reading` as plain JSON."""
    lines = reading.lines
    return {
        **_pack_fields(reading, _APART),
        "starts": [after - before for before, after in pairwise(lines.starts)],
        "lines": _packed_digests(lines.digests),
        "spellings": lines.spellings,
        "parts": [_pack_part(part) for part in reading.parts],
    }


def unpack(packed: Json, parser: Parser) -> Reading:
    """Return the reading that `pack` made `packed` of; its forms are those of `parser`."""
    lines = LineMap([*accumulate(packed["starts"], initial=0)], _digests(packed["lines"]))
    lines.spellings = [(start, end, form) for start, end, form in packed["spellings"]]
    parts = [_unpack_part(part, parser) for part in packed["parts"]]
    return Reading(lines=lines, parts=parts, **_unpack_fields(Reading, packed, _APART))


_APART = ("lines", "parts", "text")
"""The fields of a reading that have a form of their own, or are not packed."""


def _pack_fields(record: Reading | Part, apart: Sequence[str]) -> dict[str, Json]:
    names = (member.name for member in fields(record) if member.name not in apart)
    return {name: _encode(getattr(record, name)) for name in names}


def _unpack_fields(of: type[Reading | Part], packed: Json, apart: Sequence[str]) -> dict[str, Json]:
    """The fields that `_pack_fields` packed; a list is a list again."""
    values = {}
    for member in fields(of):
        if member.name not in apart:
            value = _decode(packed[member.name])
            values[member.name] = list(value) if member.default_factory is list else value
    return values


def _packed_digests(digests: Sequence[int]) -> str:
    return struct.pack(f"<{len(digests)}H", *digests).hex()


def _digests(packed: str) -> Sequence[int]:
    return struct.unpack(f"<{len(packed) // 4}H", bytes.fromhex(packed))


def _pack_part(part: Part) -> Json:
    """Commands as rows: form, start, marks, values, and the segments of one of many lines."""
    skeletons: dict[tuple[str, bool], int] = {}
    rows = []
    for command in part.commands:
        form = (command.form.skeleton, command.form.is_joined)
        row = [skeletons.setdefault(form, len(skeletons)), command.start, command.marks]
        rows.append([*row, command.bound])
        if isinstance(command, LongCommand):
            rows[-1].append(_encode(tuple(command.segments or ())))
    return {"forms": list(skeletons), "rows": rows, **_pack_fields(part, ("commands",))}


def _pack_value(raw: str) -> Json:
    if isinstance(raw, Secret):
        return {"width": raw.width, "encoded": raw.encoded}
    return {"template": str(raw)}


def _unpack_part(packed: Json, parser: Parser) -> Part:
    forms = [_form(skeleton, joined, parser) for skeleton, joined in packed["forms"]]
    commands = [_command(forms[form], *row) for form, *row in packed["rows"]]
    return Part(commands, **_unpack_fields(Part, packed, ("commands",)))


def _command(form: Form, start: int, marks: int, bound: str, segments: Json = None) -> Command:
    if segments is None:
        return Command(form, bound, start, marks)
    return LongCommand(form, bound, start, marks, _decode(segments))


def _form(skeleton: str, joined: bool, parser: Parser) -> Form:
    forms = parser.forms
    if joined:
        form = forms.joined_form(skeleton)
    else:
        form = forms.regular.get(skeleton) or forms.regular_form(skeleton)
    if form is None:
        raise ValueError("a packed form is none: packed by another version?")
    return form


def _unpack_value(packed: Json) -> str:
    if "width" in packed:
        return Secret.restored(packed["width"], packed["encoded"])
    return Templated(packed["template"])


def _encode(value: object) -> Json:
    """Plain values as they are, tuples as lists, known classes by name and fields."""
    if type(value) in _PLAIN:
        return value
    if value is UNKNOWN:
        return _UNKNOWN
    if isinstance(value, Secret | Templated):
        return {"text": _pack_value(value)}
    if isinstance(value, list | tuple):
        return [_encode(item) for item in value]
    if isinstance(value, Severity):
        return {"severity": int(value)}
    if isinstance(value, Mapping):
        return {"map": {key: _encode(item) for key, item in value.items()}}
    name = type(value).__name__
    if name in _CLASSES:
        names = _names_of(_CLASSES[name])
        return {"is": name, "of": [_encode(getattr(value, field)) for field in names]}
    return value


def _decode(packed: Json) -> Json:
    """The inverse of `_encode`; lists come back as tuples."""
    if isinstance(packed, list):
        return tuple(_decode(item) for item in packed)
    if not isinstance(packed, dict):
        return packed
    if "is" in packed:
        return _CLASSES[packed["is"]](*(_decode(item) for item in packed["of"]))
    if "severity" in packed:
        return Severity(packed["severity"])
    if "map" in packed:
        return {key: _decode(item) for key, item in packed["map"].items()}
    return _unpack_value(packed["text"]) if "text" in packed else UNKNOWN


def pack_finding(finding: Finding) -> str:
    """Return a finding as JSON text; its rule goes by its id."""
    values = {field.name: getattr(finding, field.name) for field in fields(finding)}
    values["rule"] = finding.rule.id
    return json.dumps({name: _encode(value) for name, value in values.items()})


def unpack_finding(text: str, rules: Mapping[str, Rule]) -> Finding:
    values = {name: _decode(value) for name, value in json.loads(text).items()}
    values["rule"] = rules[values["rule"]]
    return Finding(**values)


def pack_claim(claim: Claim | Aggregate) -> str:
    """Return a claim, or a summary of claims, as JSON text."""
    return json.dumps(_encode(claim))


def unpack_claim(text: str) -> Claim:
    claim: Claim = _decode(json.loads(text))
    return claim


def unpack_summary(text: str) -> Aggregate:
    summary: Aggregate = _decode(json.loads(text))
    return summary


def pack_suppressions(suppressions: Sequence[Suppression]) -> str:
    """Return the comments of a file that suppress findings as JSON text."""
    return json.dumps(_encode(tuple(suppressions)))


def unpack_suppressions(text: str) -> list[Suppression]:
    return list(_decode(json.loads(text)))
