"""When a change of an attribute takes effect, and the page that says so."""

from __future__ import annotations

from typing import Final

from mqlint.computed import Computed
from mqlint.dataclass import frozen
from mqlint.vocabulary.shape import (
    TEXT,
    WORDS,
    list_of,
    one_of,
    optional,
    required,
    sections,
    shape_of,
)
from mqlint.vocabulary.vocabulary import Vocabulary

UNKNOWN_EFFECT: Final = "unknown"
WHEN: Final = (
    *("now", "connection", "open", "channel", "listener", "manager", "ssl", "connauth"),
    *("creation", "fixed", UNKNOWN_EFFECT),
)
"""The words for when a change takes effect; effects.yaml describes them."""

_NO_WORDS: frozenset[str] = frozenset()


@frozen
class Effect:
    """When a change takes effect.

    `on` is the verb it is about. `refused` is a state in which the queue manager refuses the
    command, `blank` are attributes that must be blank while this one changes, `lost` is what no
    undo brings back, `then` says what else to do. `see` is the address (or IBM's number) of the
    page that says it, blank if none is known.
    """

    when: str = required(one_of(*WHEN))
    of: frozenset[str] = optional(WORDS, _NO_WORDS)
    attributes: frozenset[str] = optional(WORDS, _NO_WORDS)
    types: frozenset[str] = optional(WORDS, _NO_WORDS)
    on: str = optional(one_of("alter", "define", "delete"), "alter")
    refused: str = optional(TEXT, "")
    blank: frozenset[str] = optional(WORDS, _NO_WORDS)
    lost: str = optional(TEXT, "")
    then: str = optional(TEXT, "")
    see: str = optional(TEXT, "")

    def fits(self, on: str, noun: str, subtype: str | None, attribute: str) -> bool:
        """Whether it is about an attribute of objects of this type and subtype."""
        return (
            on == self.on
            and noun in self.of
            and (not self.attributes or attribute in self.attributes)
            and (not self.types or subtype in self.types)
        )


_NOT_KNOWN: Final = Effect(when=UNKNOWN_EFFECT)
_AT_ONCE: Final = Effect(when="now")
"""A command that makes or deletes an object is what makes it exist or not."""


SHAPE: Final = sections({"effects": list_of(shape_of(Effect))})


class Effects:
    """The effects of changes, by object and attribute."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.entries = SHAPE.load(vocabulary.compiled_document("effects"))["effects"]
        self._vocabulary = vocabulary
        self._known = Computed(self._find)

    def of(
        self, object_type: str, subtype: str | None, attribute: str, on: str = "alter"
    ) -> Effect:
        """Return the effect of a change of an attribute of a lower-case object type.

        `on` is the verb in lower case; an object that is made or deleted has no attribute.
        """
        return self._known[on, object_type.upper(), subtype, attribute]

    def of_setting(self, stanza: str, key: str) -> Effect:
        """Return the effect of a change of a key of an ini file, or of a whole stanza without one.

        Names count in any case.
        """
        found = [
            item
            for item in self.entries
            if "STANZA" in item.of
            and (not item.types or stanza.casefold() in map(str.casefold, item.types))
            and (not item.attributes or key.casefold() in map(str.casefold, item.attributes))
        ]
        return found[-1] if found else _NOT_KNOWN

    def _find(self, of: tuple[str, str, str | None, str]) -> Effect:
        on, noun, subtype, attribute = of
        found = [item for item in self.entries if item.fits(on, noun, subtype, attribute)]
        if on != "alter":
            return found[-1] if found else _AT_ONCE
        alter = self._vocabulary.command("ALTER", noun)
        define = self._vocabulary.command("DEFINE", noun)
        is_fixed = alter is not None and alter.attribute(attribute) is None
        if is_fixed and define is not None and define.attribute(attribute) is not None:
            page = None if alter is None else alter.page
            return Effect(when="fixed", see="" if page is None else page.name)
        return found[-1] if found else _NOT_KNOWN
