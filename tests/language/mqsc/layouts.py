"""Well-formed commands in every layout that MQSC allows, for hypothesis."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from hypothesis import strategies as st

from mqlint.language.text.templates import with_placeholders

Draw = st.DrawFn


@dataclass
class Value:
    """What stands between parentheses: the tokens, and what the queue manager makes of them."""

    tokens: list[str]
    decoded: list[str]
    is_list: bool = False


@dataclass
class Written:
    """A command as it was laid out: the text, and where each of its tokens came to stand."""

    words: list[tuple[str, Value | None]]
    text: str = ""
    word_spans: list[tuple[int, int]] = field(default_factory=list)
    value_spans: list[tuple[int, int] | None] = field(default_factory=list)


_NAMES = st.text("ABCxyz019._/%", min_size=1, max_size=12)
_PLAIN = st.characters(exclude_characters="\n\0\ue000\ue001", exclude_categories=["Cs"])
_QUOTED = st.text(
    st.one_of(st.sampled_from("ab '+-*();,\"&="), _PLAIN), min_size=1, max_size=12
).filter(lambda text: with_placeholders(text) == text)
_HEADS = (
    ("DEFINE", "QLOCAL"),
    ("DEF", "QR"),
    ("ALTER", "CHANNEL"),
    ("ALT", "QL"),
    ("DEFINE", "NAMELIST"),
    ("SET", "CHLAUTH"),
    ("DISPLAY", "QUEUE"),
)
_WORDS = st.sampled_from(
    "DESCR PUT GET REPLACE NOREPLACE CONNAME XMITQ NAMES MAXDEPTH CLUSTER X AA".split()
)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


@st.composite
def _values(draw: Draw) -> Value:
    kind = draw(st.sampled_from(["name", "quoted", "list", "nested", "empty"]))
    if kind == "empty":
        return Value([], [""])
    if kind == "name":
        name = draw(_NAMES)
        return Value([name], [name.upper()])
    if kind == "quoted":
        text = draw(_QUOTED)
        return Value([_quoted(text)], [text.rstrip(" ")])
    if kind == "nested":
        host, port = draw(_NAMES), draw(st.integers(1, 65535))
        return Value([f"{host}({port})"], [f"{host}({port})".upper()])
    parts = draw(st.lists(st.one_of(_NAMES, _QUOTED.map(_quoted)), min_size=1, max_size=4))
    decoded = [
        part[1:-1].replace("''", "'").rstrip(" ") if part[0] == "'" else part.upper()
        for part in parts
    ]
    return Value(parts, decoded, is_list=True)


class _Writer:
    """Lays tokens out and remembers where they stand."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.text = ""

    def gap(self, required: bool) -> None:
        """Blanks, commas, continuations; at least one separator when `required`."""
        for _ in range(self.draw(st.integers(0, 2))):
            self.text += self.draw(st.sampled_from([" ", "  ", "\t", ",", " , "]))
            if self.draw(st.booleans()):
                self.turn("")
        if required:
            self.text += self.draw(st.sampled_from([" ", ","]))
            if self.draw(st.booleans()):
                self.turn("")

    def token(self, token: str) -> tuple[int, int]:
        """Write a token, perhaps over several lines; return where it stands."""
        start = len(self.text)
        cut = 0
        if len(token) > 1:
            for at in sorted(self.draw(st.sets(st.integers(1, len(token) - 1), max_size=2))):
                self.text += token[cut:at]
                self.turn(token[at:])
                start = len(self.text) if cut == at == 0 else start
                cut = at
        self.text += token[cut:]
        return start, len(self.text)

    def turn(self, rest: str) -> None:
        """Go on in the next line so that `rest` can follow unchanged."""
        must_indent = rest.startswith("*")
        # `+` would take the blanks that lead `rest`; a line of blanks would be dropped.
        may_plus = not rest.startswith(tuple(" \t\r\f\v"))
        may_minus = not must_indent and rest[:1].strip(" \t\r\f\v") != ""
        sign = self.draw(st.sampled_from([*("+" * may_plus), *("-" * may_minus)] or [""]))
        if not sign:
            return
        self.text += sign + self.draw(st.sampled_from(["", " ", "\t", " \r"])) + "\n"
        for _ in range(self.draw(st.integers(0, 2))):
            self.text += self.draw(
                st.sampled_from(["\n", " \t\n", "* it's (\n", "*  CRDATE(2026-01-01) +\n", "*-\n"])
            )
        if sign == "+":
            indents = [" ", "   ", "\t"] if must_indent else ["", " ", "   ", "\t"]
            self.text += self.draw(st.sampled_from(indents))


def _cased(draw: Draw, word: str) -> str:
    return draw(st.sampled_from([word, word.lower(), word.title()]))


@st.composite
def commands(draw: Draw) -> Written:
    """A command and its layout; it ends with its last line."""
    verb, noun = draw(st.sampled_from(_HEADS))
    words: list[tuple[str, Value | None]] = [(verb, None), (noun, draw(_values()))]
    words += draw(st.lists(st.tuples(_WORDS, st.none() | _values()), max_size=5))
    written = Written(words)
    writer = _Writer(draw)
    glued = False
    for index, (word, value) in enumerate(words):
        if index:
            writer.gap(required=not glued)
        else:
            writer.text += draw(st.sampled_from(["", " ", "\t"]))
        written.word_spans.append(writer.token(_cased(draw, word)))
        written.value_spans.append(None)
        glued = value is not None
        if value is not None:
            writer.gap(required=False)
            written.value_spans[-1] = _write_value(writer, value.tokens)
    writer.text += draw(st.sampled_from(["", " ", ";", " ; "]))
    written.text = writer.text + draw(st.sampled_from(["\n", "\r\n", " \n"]))
    return written


def _write_value(writer: _Writer, tokens: Iterable[str]) -> tuple[int, int]:
    """Write parentheses and what stands in them; return where that stands."""
    opened = len(writer.text)
    writer.text += "("
    spans: list[tuple[int, int]] = []
    for token in tokens:
        writer.gap(required=bool(spans))
        spans.append(writer.token(token))
    writer.gap(required=False)
    writer.text += ")"
    return (spans[0][0], spans[-1][1]) if spans else (opened, len(writer.text))
