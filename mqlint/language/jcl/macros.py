"""The macros of a queue manager's system parameters, in assembler source.

"High Level Assembler Language Reference", "Statement coding": a statement has columns 1 to 71, a
sign in column 72 continues it at column 16 of the next line. Files that went through editors have
lost these columns: a comma at the end of the operands continues them as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.declaration import Declared, Field
from mqlint.language.jcl.statements import Operand, operands
from mqlint.language.text.mapped import MappedTextBuilder
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.vocabulary.cl import fits
from mqlint.vocabulary.distance import typo_of
from mqlint.vocabulary.unknown import UNKNOWN
from mqlint.vocabulary.zos import MacroSpec, ZosVocabulary

_WRONG = "wrong"
"""The name of fields that say what is wrong with a macro."""
_READ = 71
_BEYOND = 3
"""Characters without a blank around column 72 that are operands, not a sign of continuation."""
_KEYWORD = later(r"[A-Z][A-Z0-9]{2,7}=")
_MACRO = later(r"(?i)(?:[A-Za-z@#$]\S*)?[ \t]+(CSQ6\w+)(?=[ \t]|\Z)[ \t]*")


def macros(text: str, data: Span, zos: ZosVocabulary) -> Iterator[Declared]:
    """Yield the macros in a stretch of a text: each with its written parameters and defaults."""
    lines = list(_lines(text, data))
    number = 0
    while number < len(lines):
        at, line = lines[number]
        number += 1
        match = _MACRO.match(line) if not line.startswith("*") else None
        name = match[1].upper() if match is not None else ""
        if match is None or name not in zos.macros:
            continue
        builder = MappedTextBuilder()
        start = at + match.start(1)
        marked: list[bool] = []
        ends: list[int] = []
        rest, offset = line[match.end() : _READ], at + match.end()
        while True:
            field = _operand_field(rest)
            builder.add(field, offset)
            stop = offset + len(field)
            marked.append(line[_READ : _READ + 1].strip() != "")
            ends.append(stop)
            if not field.endswith(",") and (field.strip() or len(line) <= _READ):
                break
            while number < len(lines) and lines[number][1].startswith("*"):
                number += 1
            if number >= len(lines) or not lines[number][1][:1].isspace():
                break
            at, line = lines[number]
            number += 1
            left = len(line) - len(line.lstrip())
            rest, offset = line[left:_READ], at + left
        fields = list(_cut(marked, ends))
        following = lines[number][1].lstrip() if number < len(lines) else ""
        if len("".join(line[_READ - 1 : _READ + 2].split())) == _BEYOND and field:
            fault = "the operands go beyond column 71, and the rest of the line is not read"
            fields.append(Field(_WRONG, fault, (stop - 1, stop)))
        elif marked[-1] and not field.endswith(",") and _KEYWORD.match(following):
            fault = "no comma ends the line, so the operands on the next lines are ignored"
            fields.append(Field(_WRONG, fault, (stop - 1, stop)))
        yield _declared(name, operands(builder.finish(stop)), (start, stop), zos, fields)


def _cut(marked: list[bool], ends: list[int]) -> Iterator[Field]:
    """Yield the first line of a macro that is not continued, if other lines of the macro are.

    The assembler ends the macro there, and rejects the next line. A file in which no line has the
    sign has lost these columns.
    """
    for is_marked, end in zip(marked[:-1], ends, strict=False):
        if any(marked) and not is_marked:
            fault = "column 72 of the line is blank, so the macro ends here"
            yield Field(_WRONG, fault, (end - 1, end))
            return


def _operand_field(text: str) -> str:
    """The operands at the beginning of a text: they end at a blank outside quotation marks."""
    quoted = False
    for index, character in enumerate(text):
        if character == "'":
            quoted = not quoted
        elif character in " \t" and not quoted:
            return text[:index]
    return text


def _declared(
    name: str,
    found: tuple[Operand, ...] | None,
    span: Span,
    zos: ZosVocabulary,
    more: list[Field],
) -> Declared:
    written = tuple(
        Field(operand.key, operand.plain, operand.span)
        for operand in found or ()
        if operand.key and operand.value != ""
    )
    known = {field.name for field in written}
    spec = zos.macros[name]
    missing = [] if found is None else spec.defaults.items()
    for operand in found or ():
        faults = _operand_faults(operand, spec, zos)
        more += (Field(_WRONG, fault, operand.span) for fault in faults)
    left = tuple(
        Field(key, value, (span[0], span[0] + len(name)))
        for key, value in missing
        if key not in known
    )
    stated = Field("stated", tuple(sorted(known)) if found is not None else UNKNOWN, span)
    return Declared(
        "system_parameters", name, (*written, *left, stated, *more), span, open=found is None
    )


def _operand_faults(operand: Operand, spec: MacroSpec, zos: ZosVocabulary) -> Iterator[str]:
    key, value = operand.key, operand.plain
    other = next((name for name, macro in zos.macros.items() if key in macro.names), spec.name)
    meant = typo_of(key, spec.names)
    if key not in spec.names and other != spec.name:
        yield f"{key} is a parameter of {other}"
    elif meant:
        yield f"{key} is not a valid parameter, the nearest is {meant}"
    if not isinstance(value, str) or value == "":
        return
    allowed = spec.takes.get(key, ())
    if allowed and not any(fits(value.upper(), word) for word in allowed):
        yield f"{key}={value[:40]} is not valid, valid: {', '.join(allowed)}"
    for word, longest in zip(value.split(","), spec.longest.get(key, "").split(), strict=False):
        if len(word.strip()) > int(longest):
            yield f"{word.strip()[:40]} in {key} has more than {longest} characters"


def macro_faults(declared: Iterable[Declared]) -> Iterator[Diagnostic]:
    for macro in declared:
        for field in macro.fields:
            if field.name == _WRONG:
                yield diagnostic(
                    "macro-value", field.span, macro=macro.name, fault=str(field.value)
                )


def _lines(text: str, data: Span) -> Iterator[tuple[int, str]]:
    at, end = data
    for line in text[at:end].split("\n"):
        yield at, line.removesuffix("\r")
        at += len(line) + 1
