"""What MQ knows about one attribute and one command."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

from mqlint.vocabulary.target import ALL_PLATFORMS, Since

NO_TYPES: frozenset[str] = frozenset()


class Kind(Enum):
    """How the values of a domain are written."""

    WORDS = "words"
    INT = "int"
    TEXT = "text"
    NAME = "name"
    ADDRESSES = "addresses"
    PATTERN = "pattern"
    LIST = "list"
    FLAG = "flag"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Domain:
    """The values an attribute may have.

    `words` are the keywords, of an INT those allowed beside numbers from `low` to `high`.
    `length` is the greatest number of characters (`length_zos` on z/OS, where it differs);
    `item` the domain of a list's elements and `most` how many there may be. `generic` names may
    end in an asterisk, `generic` patterns name hosts too. `empty` allows parentheses with nothing
    in them, `blank` a value of blanks alone. A PATTERN is one of addresses, as channel
    authentication records have them.
    """

    kind: Kind
    words: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    length: int = 0
    length_zos: int = 0
    item: Domain | None = None
    most: int = 0
    generic: bool = False
    empty: bool = False
    blank: bool = True


@dataclass(frozen=True, slots=True)
class Standing:
    """Since when and where a command, an attribute or one of its values is right.

    `deprecated` and `removed` are the releases from which it is so, `instead` what to write then.
    `types` are the subtypes to which a value is confined, None for all.
    """

    since: Since | None = None
    deprecated: Since | None = None
    removed: Since | None = None
    instead: str = ""
    platforms: frozenset[str] = ALL_PLATFORMS
    types: frozenset[str] | None = None


ALWAYS = Standing()


@dataclass(frozen=True, slots=True)
class Page:
    """IBM's page that a command was compared with.

    `name` is its number (q085710) or last words, `level` the newest release of it that was seen,
    `read` says how much of it: its syntax `diagram`, or the list of its `parameters`.
    """

    name: str
    level: str
    read: str


@dataclass(frozen=True, slots=True)
class AttributeSpec:
    """One attribute, as it belongs to one or more commands.

    `word` is the word itself, `name` the word under which its value is known: the same, but for
    the second of a pair of flags (NOSHARE has the name SHARE). `types` are the subtypes (values
    of CHLTYPE, AUTHTYPE, TYPE) it belongs to, None for all; `zos_types` those on z/OS only.
    `default` is the decoded value or a mapping from object, subtype, `zos` and `else` to it; None
    when there is none. `required` maps a verb to the subtypes on which it must be given, None for
    all. `excludes` names the
    attribute that may not be given together with this one. `evidence` is product, document or
    recall; `recalled_bounds` says that only the bounds of its numbers are recalled.
    `standing` says since when and where it is right; `values` says it of single values, by
    their word, where `#` in a word stands for any hexadecimal digit.
    """

    word: str
    name: str
    domain: Domain
    evidence: str
    types: frozenset[str] | None = None
    zos_types: frozenset[str] = NO_TYPES
    standing: Standing = ALWAYS
    default: str | Mapping[str, str] | None = None
    required: Mapping[str, frozenset[str] | None] = field(default_factory=dict)
    excludes: str | None = None
    opposite: str | None = None
    repeatable: bool = False
    secret: bool = False
    read_only: bool = False
    option: bool = False
    recalled_bounds: bool = False
    values: Mapping[str, Standing] = field(default_factory=dict)

    @property
    def domain_words(self) -> tuple[str, ...]:
        """The keywords it takes, those of the elements of a list."""
        item = self.domain.item
        return self.domain.words if item is None else item.words

    @property
    def platforms(self) -> frozenset[str]:
        """The platforms that have it where they have the command."""
        return self.standing.platforms

    @property
    def since(self) -> Since | None:
        """The first releases that have it; None when all have."""
        return self.standing.since


class CommandSpec:
    """One command: its name in parentheses, its attributes, where it may be used."""

    __slots__ = (
        "_required",
        "_specs",
        "_words",
        "name_domain",
        "name_optional",
        "noun",
        "one_of",
        "page",
        "standing",
        "subtype_word",
        "verb",
        "waiver",
    )

    def __init__(
        self,
        verb: str,
        noun: str | None,
        words: Mapping[str, int],
        specs: Callable[[int], AttributeSpec],
        *,
        name_domain: Domain | None = None,
        name_optional: bool = False,
        standing: Standing = ALWAYS,
        page: Page | None = None,
        subtype_word: str | None = None,
        one_of: tuple[tuple[str, ...], ...] = (),
        waiver: tuple[str, str] | None = None,
    ) -> None:
        """Bind the attribute `words` to the numbers under which `specs` knows them.

        `page` is IBM's page that the data was compared with, None when none was.
        Of each group in `one_of` one attribute must be given. `waiver` is an attribute, and its
        value if one matters, with which nothing else is required.
        """
        self.verb = verb
        self.noun = noun
        self.name_domain = name_domain
        self.name_optional = name_optional
        self.standing = standing
        self.page = page
        self.subtype_word = subtype_word
        self.one_of = one_of
        self.waiver = waiver
        self._words = words
        self._specs = specs
        self._required: tuple[AttributeSpec, ...] | None = None

    @property
    def platforms(self) -> frozenset[str]:
        """The platforms that have it."""
        return self.standing.platforms

    @property
    def since(self) -> Since | None:
        """The first releases that have it; None when all have."""
        return self.standing.since

    @property
    def words(self) -> tuple[str, ...]:
        """The words of its attributes, synonyms among them."""
        return tuple(self._words)

    @property
    def is_display(self) -> bool:
        """Whether it only asks: its words are filters and requests, whose values hardly matter."""
        return self.verb == "DISPLAY"

    @property
    def text(self) -> str:
        """Verb and noun in full."""
        return f"{self.verb} {self.noun}" if self.noun else self.verb

    def attribute(self, word: str) -> AttributeSpec | None:
        """Return the attribute that the upper-case `word` or synonym names; None for no one."""
        index = self._words.get(word)
        return None if index is None else self._specs(index)

    @property
    def attributes(self) -> tuple[AttributeSpec, ...]:
        """All its attributes, each once."""
        return tuple(self._specs(index) for index in dict.fromkeys(self._words.values()))

    def required(self, subtype: str | None) -> Iterator[AttributeSpec]:
        """Yield the attributes that must be given for an object of `subtype`."""
        if self._required is None:
            self._required = tuple(
                attribute for attribute in self.attributes if self.verb in attribute.required
            )
        for one in self._required:
            types = one.required[self.verb]
            if types is None or subtype in types:
                yield one

    def applies(
        self, attribute: AttributeSpec, subtype: str | None, zos: bool | None = None
    ) -> bool:
        """Whether `attribute` belongs to objects of `subtype`; True when that is not known.

        `zos` says whether the command is for z/OS; None when not known.
        """
        if attribute.types is None or subtype is None or subtype in attribute.types:
            return True
        return zos is not False and subtype in attribute.zos_types

    def platforms_of(self, attribute: AttributeSpec) -> frozenset[str]:
        """The platforms on which the command has `attribute`."""
        return self.platforms & attribute.platforms
