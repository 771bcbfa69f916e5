"""The MQSC command for an object of keys and values.

Keywords and numbers are written as they are, and other texts in quotes, so that the queue manager
gets the values of the object. Text that a template or a reference decides is covered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mqlint.dataclass import frozen, mutable
from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.text.mapped import MappedText, MappedTextBuilder, mapped_at, mapped_slice
from mqlint.language.text.templates import PLACEHOLDER, is_known, with_placeholders
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.vocabulary import Vocabulary
from mqlint.vocabulary.domain import Kind
from mqlint.vocabulary.spec import AttributeSpec, CommandSpec

_WORD = later(r"[A-Za-z][\w.]*")
_STRANGE = later(r"[^\w.]")
_PLAIN = later(r"[A-Z0-9._/%*-]+")
_NUMBER = later(r"-?[0-9]{1,20}")
_QUOTED = later(r"(?s)\(?'.*'\)?")
_ESCAPED = later(r"'|[\r\n]")
_UNKNOWN = PLACEHOLDER * 3
_YES = frozenset({"yes", "true"})
_NO = frozenset({"no", "false"})


@frozen
class Attribute:
    """A key of an object and its values; an empty list has none.

    `values` is None if they are not known. `is_list` is true for a list, `is_flag` if the key is a
    word without a value in any command.
    """

    key: MappedText
    values: tuple[MappedText, ...] | None
    is_list: bool = False
    is_flag: bool = False

    @property
    def word(self) -> str:
        return _as_word(self.key.text).upper()

    def within(self, outer: MappedText) -> Attribute:
        """Return the same attribute with the host of `outer`."""
        values = self.values
        if values is not None:
            values = tuple(value.within(outer) for value in values)
        return Attribute(self.key.within(outer), values, self.is_list, self.is_flag)


@mutable
class ObjectCommand:
    """An object that is a command; `qualifier` and `name` are None if it has none.

    `words` are those without a value after the attributes. `open` is true if a template may add
    attributes.
    """

    verb: MappedText
    qualifier: MappedText | None
    name: MappedText | None
    attributes: Sequence[Attribute]
    words: Sequence[MappedText] = ()
    open: bool = False

    def within(self, outer: MappedText) -> ObjectCommand:
        """Return the same command with the host of `outer`, where `outer` is the host of this."""
        return ObjectCommand(
            self.verb.within(outer),
            None if self.qualifier is None else self.qualifier.within(outer),
            None if self.name is None else self.name.within(outer),
            tuple(attribute.within(outer) for attribute in self.attributes),
            tuple(word.within(outer) for word in self.words),
            self.open,
        )

    def secrets(self, vocabulary: Vocabulary) -> Iterator[Span]:
        """Yield the places of attribute values that no report may show."""
        for attribute in self.attributes:
            if vocabulary.is_secret(attribute.word):
                for value in attribute.values or ():
                    if value.text.strip():
                        yield value.host(0), max(value.end, value.host(0) + 1)

    def repeated(self) -> Iterator[Diagnostic]:
        """Yield repeated keys: of several with one word only the last one counts."""
        seen: set[str] = set()
        for attribute in self.attributes:
            if attribute.word in seen:
                key, start = attribute.key, attribute.key.host(0)
                span = (start, max(key.end, start + 1))
                yield diagnostic("repeated-key", span, key=key.text, attribute=attribute.word)
            seen.add(attribute.word)

    def mqsc(self, vocabulary: Vocabulary) -> MappedText:
        """Return the command of MQSC, mapped to the file.

        The keys of an object have no order. The type of the object comes first, as MQSC needs it.
        """
        builder = _Writer()
        start = self.verb.host(0)
        builder.word(self.verb)
        if self.qualifier is not None:
            builder.glue(" ")
            builder.word(self.qualifier)
        if self.name is not None:
            builder.glue("(")
            builder.value(self.name, is_plain=False)
            builder.glue(")")
        command = self._command(vocabulary)
        counting = {attribute.word: attribute for attribute in self.attributes}
        subtype = command.subtype_word if command is not None else None
        for attribute in sorted(counting.values(), key=lambda other: other.word != subtype):
            builder.glue(" ")
            spec = command.attribute(attribute.word) if command is not None else None
            _write(builder, attribute, command, spec)
        for word in self.words:
            builder.glue(" ")
            builder.word(word)
        if self.open:
            builder.glue(f" {_UNKNOWN}")
        return builder.finish(max(builder.furthest, start + 1))

    def _command(self, vocabulary: Vocabulary) -> CommandSpec | None:
        verb = vocabulary.verb(self.verb.text.upper())
        noun = vocabulary.noun(self.qualifier.text.upper()) if self.qualifier is not None else None
        return None if verb is None else vocabulary.command(verb, noun)


def _write(
    builder: _Writer,
    attribute: Attribute,
    command: CommandSpec | None,
    spec: AttributeSpec | None,
) -> None:
    values = attribute.values
    if attribute.is_flag:
        builder.word(attribute.key)
        return
    if spec is not None and spec.domain.kind is Kind.FLAG:
        _write_flag(builder, attribute, command)
        return
    builder.word(attribute.key)
    builder.glue("(")
    if values is None:
        builder.glue(_UNKNOWN)
    else:
        for number, value in enumerate(values):
            if number:
                builder.glue(",")
            builder.value(value, is_plain=_is_plain(value.text, spec))
        if not values and not attribute.is_list:
            builder.glue(" ")
    builder.glue(")")


def _write_flag(builder: _Writer, attribute: Attribute, command: CommandSpec | None) -> None:
    """Write a word without parentheses, as its value (`yes` or `no`) requires.

    The effect of `no` is not documented for words with an opposite, so it is unknown then.
    """
    value = attribute.values[0].text.lower() if attribute.values else ""
    if value in _YES:
        builder.word(attribute.key)
        return
    opposite = command is not None and command.attribute(f"NO{attribute.word}") is not None
    if value not in _NO or opposite:
        builder.glue(_UNKNOWN)


def _is_plain(text: str, spec: AttributeSpec | None) -> bool:
    """Whether a value is written without quotes: a keyword, a number, or a name in capitals."""
    if spec is None:
        return _PLAIN.fullmatch(text) is not None
    kind = spec.domain.kind if spec.domain.item is None else spec.domain.item.kind
    if text.upper() in spec.domain_words:
        return True
    if kind is Kind.INT:
        return _NUMBER.fullmatch(text) is not None or _WORD.fullmatch(text) is not None
    if kind is Kind.WORDS:
        return _WORD.fullmatch(text) is not None
    return _PLAIN.fullmatch(text) is not None and kind is not Kind.TEXT


def _as_word(text: str) -> str:
    """A key as one word of MQSC: signs that no word has are underscores."""
    return _STRANGE.sub("_", text)


class _Writer(MappedTextBuilder):
    """Writes a command; text without a place in the file is mapped to the place before it."""

    __slots__ = ("furthest", "last")

    def __init__(self) -> None:
        super().__init__()
        self.last = self.furthest = 0

    def glue(self, text: str) -> None:
        """Add text that the file does not have."""
        self.add(text, max(self.last - 1, 0), 0)

    def word(self, mapped: MappedText) -> None:
        """Add a word: a verb, a qualifier or a key."""
        covered = with_placeholders(mapped.text)
        text = covered if PLACEHOLDER in covered else _as_word(covered)
        self._piece(MappedText(text, mapped.segments, mapped.end))

    def value(self, mapped: MappedText, *, is_plain: bool) -> None:
        """Add a value, in quotes unless it is plain."""
        covered = MappedText(with_placeholders(mapped.text), mapped.segments, mapped.end)
        if is_plain:
            self._piece(covered)
            return
        self._reach(covered.host(0) + bool(covered.text))
        self.glue("'")
        done = 0
        for sign in _ESCAPED.finditer(covered.text):
            self._piece(covered.part(done, sign.start()))
            self.add("''" if sign[0] == "'" else " ", covered.host(sign.start()), 0)
            done = sign.end()
            self._reach(covered.host(done - 1) + 1)
        self._piece(covered.part(done, len(covered.text)))
        self.glue("'")

    def _piece(self, mapped: MappedText) -> None:
        if mapped.text:
            self.add_mapped(mapped)
            self._reach(mapped.end)

    def _reach(self, end: int) -> None:
        self.last = end
        self.furthest = max(self.furthest, end)


# -- objects of YAML and JSON ----------------------------------------------------------------------


def key_of(name: str, span: Span, text: str) -> MappedText:
    """Return a key of a mapping, its quotes left out, with the way to the file's `text`."""
    start = span[0] + (text[span[0] : span[1]][:-1][:1] in ('"', "'"))  # a lone quote is the key
    if text[start : start + len(name)] == name:
        return mapped_slice(text, start, start + len(name))
    return mapped_at(name, start, span[1])


def text_of(node: Node | None) -> MappedText | None:
    """Return the text of a scalar, with its templates; one that is not known is covered."""
    if node is None or node.kind == "empty":
        return None
    mapped = node.mapped
    if mapped is None or node.maybe or not (node.known or _is_partly_known(mapped.text)):
        return mapped_at(_UNKNOWN, node.start, max(node.end, node.start + 1))
    return mapped


def _is_partly_known(text: str) -> bool:
    """Whether a text that is not known is one with a template or a hidden secret in it."""
    return not is_known(with_placeholders(text))


def attributes_of(mapping: Node | None, text: str) -> Iterator[Attribute]:
    """Yield the keys of a mapping with their values."""
    for name, span, value in mapping.pairs if mapping is not None else ():
        key = key_of(name, span, text)
        if value.kind == "list":
            items = _texts(value.items)
            yield Attribute(key, None if value.open else items, is_list=True)
        elif value.kind == "empty":
            yield Attribute(key, ())
        else:
            yield Attribute(key, _texts((value,)))


def _texts(nodes: Iterable[Node]) -> tuple[MappedText, ...] | None:
    """The values of scalars; None if it is not documented how the product reads one of them.

    A text that has the quotes of MQSC in it, `('CN=A')`, may lose them on its way.
    """
    found = tuple(map(text_of, nodes))
    if any(text is not None and _QUOTED.fullmatch(text.text) is not None for text in found):
        return None
    return None if None in found else tuple(text for text in found if text is not None)
