"""The values of Secrets of Kubernetes, in a manifest or in a text that holds one."""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.patterns import later
from mqlint.source.lines import Span, line_spans
from mqlint.source.secrets.lower_case import LowerCase
from mqlint.source.secrets.names import Sign, judge
from mqlint.source.secrets.statements import is_mqsc
from mqlint.source.secrets.values import value_after

_KIND = later(
    r"(?m)(?:^[ \t{?-]*|[,{][ \t]*)[\"']?kind[\"']?[ \t]*(?:\r?\n[ \t]*)?:[ \t]*"
    r"(?:[&!]\S*[ \t]+){0,2}[\"']?(?:Sealed|External)?Secret(?:List)?\b"
)
_DOCUMENT = later(r"(?m)^---")
_DATA = later(r"(?m)^([ \t-]*)[\"']?(?:data|stringData)[\"']?[ \t]*:[^\n]*\n?")
_GENERATOR = later(
    r"(?m)^([ \t]*)[\"']?secretGenerator[\"']?:[ \t]*(?:[&!]\S*[ \t]*)?(?:#[^\n]*)?"
    r"(\[[^\n]*|\r?\n(?:\1[ \t-][^\n]*(?:\n|\Z)|[ \t]*\r?\n)*+)"
)
_LITERAL = later(
    r"(?:(?P<item>-)(?=\s)|[\[,])(?:[ \t]+[&!]\S{1,80}){0,2}+"
    r"(?:[ \t]+[|>][-+0-9]{0,3}+)?[ \t]*+(?:\r?\n[ \t]++)?"
    r"(?P<quote>[\"'])?[\w.-]++=(?:(?!(?P=quote))[\"'])?"
    r"(?P<value>(?(quote)[^\n\"']+|(?(item)[^\n\"']+|[^\s\"',\]]+)))"
)
"""An entry of a generator; in brackets its value ends at a comma."""
_VARIABLE = later(r"\$(?:\{\w+\}|\(\w+\))")
"""A value that another tool puts in."""
_PATCH = later(
    r"\bpath\\?[\"']?[ \t]*:[ \t]*\\?[\"']?(/[^\s\"',\\]{1,200})\\?[\"']?,?"
    r"\s*\\?[\"']?value\\?[\"']?"
    r"[ \t]*:[ \t]*\\?[\"']?([^\n\"',}\\]+)"
)
_JSON = later(
    r"(?<![\w.-])[\"']?(?P<key>data|stringData|kind)(?P<quote>[\"'])?\s*:\s*"
    r"(?:\{([^{}\n]{1,20000}+)\}|[\"']?(\w+))"
)
"""What tells of a Secret in JSON, which kubectl keeps in an annotation too, or in YAML."""
_TEMPLATES = later(r"[ \t]*+(?:\{\{[^{}\n]*+\}\}[ \t\r]*+)++\Z")
"""A line without an entry: conditions and variables of a template."""
_NEAR = 2_000
_BRACKETS = later(r"\{[^{}]*\}")
_FLOW = later(r":[ \t]*[\"']?([^\"'\n,}]+)")
_ENTRY = later(r"[ \t]*([^\s:#][^:\n]*)(?=:)")
_OBJECT = later(
    r"(?:ibm[_.-]?)?mq[_.-]?(?:connection_)?(?:channel|qmgr|queue[_.-]?manager)(?:[_.-]?name)?"
)
_NAME = later(r"[A-Za-z0-9._/%]{1,48}")


def in_manifests(text: str, low: LowerCase) -> Iterator[Span]:
    """Yield all values of the documents of kind Secret; `low` is the text in lower case."""
    if "secretgenerator" in low.lines or ("path" in low.lines and "value" in low.lines):
        yield from _in_kustomizations(text)
    if '"stringdata"' in low.lines:
        for found in _JSON.finditer(text):
            if found["key"] == "stringData" and found[3] is not None:
                yield from (value.span(1) for value in _FLOW.finditer(text, *found.span(3)))
    if "secret" not in low.lines or "kind" not in low.lines:
        return
    start = 0
    for border in (*(found.start() for found in _DOCUMENT.finditer(text)), len(text)):
        if _KIND.search(text, start, border):
            yield from _data(text, start, border)
            for data in _in_json(text, start, border):
                yield from (value.span(1) for value in _FLOW.finditer(text, *data))
        start = border


def _in_kustomizations(text: str) -> Iterator[Span]:
    """The texts of which kustomize makes a Secret, and those that a patch puts into one."""
    for generator in _GENERATOR.finditer(text):
        for literal in _LITERAL.finditer(text, *generator.span(2)):
            if _VARIABLE.fullmatch(literal["value"].strip()) is None:
                yield literal.span("value")
    for patch in _PATCH.finditer(text):
        if "/stringData/" in patch[1] or judge(patch[1].rpartition("/")[2]) is Sign.STRONG:
            yield patch.span(2)


def _in_json(text: str, start: int, end: int) -> Iterator[Span]:
    """The maps in the same object as the kind: no bracket between both is open or closes."""
    found = [*_JSON.finditer(text, start, end)]
    for number, data in enumerate(found):
        for kind in found[max(number - 3, 0) : number + 4]:
            between = text[min(data.end(), kind.end()) : max(data.start(), kind.start())]
            if data[3] is None or "Secret" not in (kind[4] or "") or len(between) > _NEAR:
                continue
            if "\n" in between and not data["quote"]:
                continue  # not in the same braces
            between = _BRACKETS.sub("", _BRACKETS.sub("", between))
            if "{" not in between and "}" not in between:
                yield data.span(3)


def _data(text: str, start: int, end: int) -> Iterator[Span]:
    """The values below `data` and `stringData`: those of its keys, and what goes on below them."""
    at = start
    while data := _DATA.search(text, at, end):
        at = data.end()
        inside = text.find("{", *data.span())
        if inside >= 0:
            at = text.find("}", inside, end)
            at = end if at < 0 else at
            yield from (found.span(1) for found in _FLOW.finditer(text, inside, at))
            continue
        first, is_read = -1, False
        for start, stop in line_spans(text, at, end):
            at, row = start, text[start:stop]
            depth = len(row) - len(row.lstrip(" \t"))
            if _TEMPLATES.match(text, start, stop) is not None:
                continue
            if row.strip() and depth <= len(data[1]) and not row.startswith("#"):
                break
            first = depth if first < 0 and row.strip() else first
            entry = _ENTRY.match(text, at, stop) if depth == first else None
            if entry is not None:
                value = value_after(text, entry.start(1), entry.end(1))
                is_read = value is not None and _is_configuration(entry[1], text[slice(*value)])
                if value is not None and not is_read:
                    yield value
            elif row.strip() and not is_read and not row.lstrip().startswith("#"):
                yield at + depth, stop
        else:
            at = end


def _is_configuration(key: str, value: str) -> bool:
    """Return whether an entry is a file of MQ, in which secrets are looked for one by one.

    The name of a channel or of a queue manager is not a secret either.
    """
    key = key.lower().strip("\"'")
    if key.endswith((".mqsc", ".ini")):
        return True
    try:
        from base64 import b64decode  # here, as few texts have a secret in base64

        text = b64decode("".join(value.split()), validate=True).decode()
    except ValueError:
        text = value
    is_name = _OBJECT.fullmatch(key) is not None and _NAME.fullmatch(text.strip("\"'")) is not None
    return is_name or is_mqsc(text)
