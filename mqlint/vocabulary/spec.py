"""What MQ knows about one attribute and one command."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from mqlint.config.node import Node, Plain
from mqlint.dataclass import frozen
from mqlint.vocabulary import shape
from mqlint.vocabulary.domain import DOMAIN_KEYS, Domain, read_domain
from mqlint.vocabulary.shape import FLAG, TEXT, WORDS, Shape, inline, optional
from mqlint.vocabulary.target import (
    ALL_PLATFORMS,
    PLATFORM_WORDS,
    FirstReleases,
    parse_level,
    platforms_named,
)

NO_TYPES: frozenset[str] = frozenset()


_levels = shape.keys({"lts": shape.level}, {"cd": shape.level, "evidence": shape.EVIDENCE.check})


def _check_release(node: Node) -> Plain:
    """A release, or the two kinds of it: `9.4.0` is short for `{lts: 9.4.0}`."""
    return _levels(node) if node.kind == "mapping" else {"lts": shape.level(node)}


def _since(raw: Mapping[str, str]) -> FirstReleases:
    cd = parse_level(raw["cd"]) if "cd" in raw else None
    return FirstReleases(parse_level(raw["lts"]), cd, recalled=raw.get("evidence") == "recall")


_RELEASE = Shape(_check_release, _since)
_PLATFORMS: Shape[frozenset[str]] = Shape(
    shape.several(shape.word(*PLATFORM_WORDS)),
    lambda words: NO_TYPES.union(*map(platforms_named, words)),
)


@frozen
class Availability:
    """The releases and platforms that have a command, an attribute or one of its values.

    `deprecated` and `removed` are the releases from which it is so, `instead` what to write then.
    `types` are the subtypes to which a value is confined, None for all.
    """

    since: FirstReleases | None = optional(_RELEASE, None)
    deprecated: FirstReleases | None = optional(_RELEASE, None)
    removed: FirstReleases | None = optional(_RELEASE, None)
    instead: str = optional(TEXT, "")
    platforms: frozenset[str] = optional(_PLATFORMS, ALL_PLATFORMS)
    types: frozenset[str] | None = optional(WORDS, None)


ALWAYS = Availability()
_AVAILABILITY_KEYS = shape.checks_of(Availability, without=("types",))


def _availability(raw: Mapping[str, Any]) -> Availability:
    """The availability of an entry whose key `types` is about something else."""
    limits = {key: raw[key] for key in _AVAILABILITY_KEYS if key in raw}
    return shape.load(Availability, limits) if limits else ALWAYS


def _scalars(check: shape.Check) -> shape.Check:
    """The check of a mapping, or of the one value that all of its keys would have."""
    values = shape.table(check)
    return lambda node: values(node) if node.kind == "mapping" else check(node)


def _verbs(raw: Mapping[str, list[str]] | list[str]) -> dict[str, frozenset[str] | None]:
    if isinstance(raw, list):
        return dict.fromkeys(raw, None)
    return {verb: frozenset(types) for verb, types in raw.items()}


_DEFAULT: Shape[str | Mapping[str, str]] = Shape(_scalars(Node.text), lambda raw: raw)
_REQUIRED: Shape[Mapping[str, frozenset[str] | None]] = Shape(_scalars(shape.texts), _verbs)
_CONDITIONS = shape.table_of(WORDS)


@frozen
class AttributeSpec:
    """One attribute, as it belongs to one or more commands.

    `word` is the word itself, `name` the word under which its value is known: the same, but for
    the second of a pair of flags (NOSHARE has the name SHARE). `types` are the subtypes (values
    of CHLTYPE, AUTHTYPE, TYPE) it belongs to, None for all; `zos_types` those on z/OS only.
    `default` is the decoded value or a mapping from object, subtype, `zos` and `else` to it; None
    when there is none. `required` maps a verb to the subtypes on which it must be given, None for
    all; `filled` are the subtypes on which it must not be blank where it is written. `excludes`
    names the attribute that may not be given together with this one. `only_with` maps other
    attributes to the values with which this one, or only its values `confined`, is valid,
    `idle_without` to those with which it has an effect, `needed_with` to those with which it must
    be given. `evidence` is product, document or recall, `bounds` is recall if only the bounds of
    its numbers are.
    `availability` says since when and where it is right; `values` says it of single values, by
    their word, where `#` in a word stands for any hexadecimal digit.
    """

    word: str
    name: str
    evidence: str = shape.required(shape.EVIDENCE)
    domain: Domain = inline(DOMAIN_KEYS, read_domain)
    types: frozenset[str] | None = optional(WORDS, None)
    zos_types: frozenset[str] = optional(WORDS, NO_TYPES)
    availability: Availability = inline(_AVAILABILITY_KEYS, _availability)
    default: str | Mapping[str, str] | None = optional(_DEFAULT, None)
    required: Mapping[str, frozenset[str] | None] = optional(_REQUIRED, {})
    filled: frozenset[str] = optional(WORDS, NO_TYPES)
    excludes: str | None = optional(TEXT, None)
    only_with: Mapping[str, frozenset[str]] = optional(_CONDITIONS, {})
    confined: frozenset[str] = optional(WORDS, NO_TYPES)
    idle_without: Mapping[str, frozenset[str]] = optional(_CONDITIONS, {})
    needed_with: Mapping[str, frozenset[str]] = optional(_CONDITIONS, {})
    opposite: str | None = optional(TEXT, None)
    repeatable: bool = optional(FLAG, False, "repeat")
    secret: bool = optional(FLAG, False)
    read_only: bool = optional(FLAG, False)
    option: bool = optional(FLAG, False)
    bounds: str = optional(shape.one_of("recall"), "")
    values: Mapping[str, Availability] = optional(shape.table_of(shape.shape_of(Availability)), {})

    @property
    def recalled_bounds(self) -> bool:
        return "recall" in (self.bounds, self.evidence)

    @property
    def domain_words(self) -> tuple[str, ...]:
        """The keywords it takes, those of the elements of a list."""
        item = self.domain.item
        return self.domain.words if item is None else item.words

    @property
    def platforms(self) -> frozenset[str]:
        return self.availability.platforms


def read_attribute(raw: Mapping[str, Any]) -> AttributeSpec:
    """Return the attribute that a compiled entry describes."""
    return shape.load(AttributeSpec, raw, word=raw["word"], name=raw.get("pair", raw["word"]))


@frozen
class Page:
    """IBM's page that a command was compared with.

    `name` is its number (q085710) or last words, `level` the newest release of it that was seen,
    `read` says how much of it: its syntax `diagram`, or the list of its `parameters`.
    """

    name: str = shape.required(TEXT, "page")
    level: str = shape.required(Shape(shape.level, str), "of")
    read: str = shape.required(shape.one_of("diagram", "parameters"))


@frozen
class _Name:
    """The name in parentheses after a command."""

    domain: Domain = inline(DOMAIN_KEYS, lambda raw: replace(read_domain(raw), blank=False))
    optional: bool = optional(FLAG, False)


@frozen(eq=False, slots=False)
class CommandSpec:
    """One command: its name in parentheses, its attributes, where it may be used.

    `numbers` are those under which `specs` knows the attributes, by their words. `page` is IBM's
    page that the data was compared with, None when none was. Of each group in `one_of` one
    attribute must be given. `serves` are the subtypes of objects that it can be used for, None for
    all.
    """

    verb: str
    noun: str | None
    numbers: Mapping[str, int]
    specs: Callable[[int], AttributeSpec]
    page: Page | None = None
    availability: Availability = inline(_AVAILABILITY_KEYS, _availability)
    named: _Name | None = optional(shape.shape_of(_Name), None)
    subtype_word: str | None = optional(TEXT, None, "subtype")
    one_of: tuple[tuple[str, ...], ...] = optional(shape.GROUPS, ())
    waivers: Mapping[str, str] = optional(shape.PAIRS, {}, "waiver")
    serves: frozenset[str] | None = optional(WORDS, None)

    @property
    def name_domain(self) -> Domain | None:
        return None if self.named is None else self.named.domain

    @property
    def name_optional(self) -> bool:
        return self.named is not None and self.named.optional

    @property
    def waiver(self) -> tuple[str, str] | None:
        """An attribute, and its value if one matters, with which nothing else is required."""
        like = ("LIKE", "") if self.verb == "DEFINE" else None
        return next(iter(self.waivers.items()), like)

    @property
    def platforms(self) -> frozenset[str]:
        return self.availability.platforms

    @property
    def words(self) -> tuple[str, ...]:
        """The words of its attributes, synonyms among them."""
        return tuple(self.numbers)

    @property
    def is_display(self) -> bool:
        """Whether it only asks: its words are filters and requests, whose values hardly matter."""
        return self.verb == "DISPLAY"

    @property
    def text(self) -> str:
        return f"{self.verb} {self.noun}" if self.noun else self.verb

    def attribute(self, word: str) -> AttributeSpec | None:
        """Return the attribute that the upper-case `word` or synonym names; None for no one."""
        number = self.numbers.get(word)
        return None if number is None else self.specs(number)

    @property
    def attributes(self) -> tuple[AttributeSpec, ...]:
        return tuple(map(self.specs, dict.fromkeys(self.numbers.values())))

    def required(self, subtype: str | None) -> Iterator[AttributeSpec]:
        """Yield the attributes that must be given for an object of `subtype`."""
        for attribute in self._required:
            types = attribute.required[self.verb]
            if types is None or subtype in types:
                yield attribute

    @cached_property
    def _required(self) -> tuple[AttributeSpec, ...]:
        return tuple(attribute for attribute in self.attributes if self.verb in attribute.required)

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
        return self.platforms & attribute.platforms


def read_command(
    verb: str, noun: str | None, raw: Mapping[str, Any], specs: Callable[[int], AttributeSpec]
) -> CommandSpec:
    page = shape.load(Page, raw["page"]) if "page" in raw else None
    return shape.load(
        CommandSpec, raw, verb=verb, noun=noun, numbers=raw["has"], specs=specs, page=page
    )
