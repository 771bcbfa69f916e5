"""The MQSC vocabulary: verbs, nouns, commands, attributes, defaults, secrets."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypedDict, cast

from mqlint.computed import Computed
from mqlint.source.memo import ComputedMemo, Memo
from mqlint.vocabulary.distance import distance
from mqlint.vocabulary.domain import Domain, Kind
from mqlint.vocabulary.spec import AttributeSpec, CommandSpec, read_attribute, read_command
from mqlint.vocabulary.target import Target
from mqlint.vocabulary.unknown import UNKNOWN, Unknown

if TYPE_CHECKING:
    from mqlint.vocabulary.cl import ClVocabulary
    from mqlint.vocabulary.control import ControlSpec
    from mqlint.vocabulary.ini import IniVocabulary
    from mqlint.vocabulary.zos import ZosVocabulary

Documents = Mapping[str, Mapping[str, object]]
"""Compiled vocabularies by name: plain data."""

_SECRET_PARTS = ("PASSW", "PWD", "PASSPHRASE", "SECRET")
_TYPOS = 2
OBJECT_VERBS = ("DEFINE", "ALTER", "SET")
MAPPING_TYPES = ("SSLPEERMAP", "USERMAP", "QMGRMAP", "ADDRESSMAP")
"""The types of channel authentication records of which one wins, the strongest first.

USERMAP and QMGRMAP are equals.
"""
QUEUES = ("qlocal", "qmodel", "qalias", "qremote")
"""The object types of the family `queue`: their names share one space."""

SUBTYPE_ATTRIBUTES = {"channel": "CHLTYPE", "authinfo": "AUTHTYPE", "chlauth": "TYPE"}
"""The attribute that holds the subtype, by object type."""

_FAMILIES = dict.fromkeys(QUEUES, "queue")


class Compiled(TypedDict):
    """What `compile_mqsc` makes of the YAML documents.

    Of attributes and commands, which are JSON, a run needs few. `words` are all that commands have.
    """

    verbs: dict[str, str]
    nouns: dict[str, str]
    aliases: dict[str, str]
    specs: list[str]
    commands: dict[str, str]
    words: list[str]
    facts: dict[str, dict[str, int]]
    secrets: list[str]
    shipped: dict[str, list[str]]


def family_of(object_type: str) -> str:
    """Return `queue` for the four queue types, every other object type as it is."""
    return _FAMILIES.get(object_type, object_type)


class Vocabulary:
    """What MQ knows. It never changes; what is asked for is built on first use.

    Its own methods are about MQSC; `ini` and `control` know stanza files and control commands.
    """

    def __init__(self, compiled: Compiled, others: Documents) -> None:
        """Take the joined data of MQSC and the `others`; use `from_compiled`."""
        self._compiled = compiled
        self._others = others
        self._verbs = compiled["verbs"]
        self._nouns = compiled["nouns"]
        self._aliases = compiled["aliases"]
        self._raw_specs = compiled["specs"]
        self._raw_commands = compiled["commands"]
        self._facts = compiled["facts"]
        self._secrets = frozenset(compiled["secrets"])
        self._specs: list[AttributeSpec | None] = [None] * len(self._raw_specs)
        self._commands = Computed(self._build)
        self._secret_memo = ComputedMemo[str, bool](
            lambda word: word in self._secrets or self._is_near_secret(word)
        )
        self._attributes: dict[str, frozenset[str]] = {}
        self._all_words: frozenset[str] | None = None
        self._answers: Memo[Hashable, dict[str, Any]] = Memo()

    @classmethod
    def from_compiled(cls, documents: Documents) -> Vocabulary:
        """Return the vocabulary of the compiled documents `mqsc`, `ini` and `control`.

        The latter two may be missing where such files are not read.
        """
        return cls(cast("Compiled", documents["mqsc"]), documents)

    def __reduce__(self) -> tuple[object, ...]:
        """Go to another process as plain data."""
        return Vocabulary.from_compiled, (self.compiled,)

    def answers(self, subject: Hashable) -> dict[str, Any]:
        """Return what follows from this vocabulary alone about a subject; to be filled in."""
        found = self._answers.get(subject)
        return self._answers.store(subject, {}) if found is None else found

    @property
    def compiled(self) -> Documents:
        """The plain data it was made of, to send to other processes."""
        return dict(self._others)

    def compiled_document(self, name: str) -> Mapping[str, object]:
        return self._others[name]

    @cached_property
    def shipped_names(self) -> Mapping[str, frozenset[str]]:
        """The names of objects that the product ships, by type; `queue` for all types of queues."""
        shipped = self._compiled["shipped"].items()
        return {key: frozenset(f"SYSTEM.{name}" for name in names) for key, names in shipped}

    @cached_property
    def ini(self) -> IniVocabulary:
        """The stanzas and keys of ini files: qm.ini, mqs.ini, mqclient.ini and others."""
        from mqlint.vocabulary.ini import SHAPE  # not needed for MQSC alone

        return SHAPE.load(self._others["ini"])

    @cached_property
    def control(self) -> Mapping[str, ControlSpec]:
        from mqlint.vocabulary.control import SHAPE  # not needed for MQSC alone

        return SHAPE.load(self._others["control"])

    @cached_property
    def zos(self) -> ZosVocabulary:
        """The programs and macros of z/OS."""
        from mqlint.vocabulary.zos import SHAPE  # not needed for MQSC alone

        return SHAPE.load(self._others["zos"])

    @cached_property
    def cl(self) -> ClVocabulary:
        from mqlint.vocabulary.cl import SHAPE  # not needed for MQSC alone

        return SHAPE.load(self._others["cl"])

    @property
    def verbs(self) -> frozenset[str]:
        return frozenset(self._verbs.values())

    @property
    def nouns(self) -> frozenset[str]:
        return frozenset(self._nouns.values())

    @property
    def verb_words(self) -> tuple[str, ...]:
        return tuple(self._verbs)

    @property
    def noun_words(self) -> tuple[str, ...]:
        return tuple(self._nouns)

    def verb(self, word: str) -> str | None:
        """Return the full verb of the upper-case `word`; None if it is not a verb."""
        return self._verbs.get(word)

    def noun(self, word: str) -> str | None:
        """Return the full noun of the upper-case `word`; None if it is not a noun."""
        return self._nouns.get(word)

    def commands(self) -> tuple[str, ...]:
        return tuple(self._raw_commands)

    def command(self, verb: str, noun: str | None) -> CommandSpec | None:
        return self._commands[f"{verb} {noun}" if noun else verb]

    def facts(self, noun: str) -> frozenset[str]:
        """The read-only attributes of an object; dumps carry them as comments."""
        return frozenset(self._facts.get(noun, ()))

    def is_fact(self, noun: str | None, word: str) -> bool:
        """Whether `word` is a read-only attribute of an object called `noun`."""
        return word in self._facts.get(noun or "", ())

    def keywords_of(self, object_type: str, attribute: str) -> frozenset[str]:
        """Return the keywords an attribute of a lower-case object type may have, and no others.

        Empty when it may have other values, or when the type has no such attribute.
        """
        found: set[str] = set()
        for domain in self._domains_of(object_type, attribute):
            if domain.kind is not Kind.WORDS:
                return frozenset()
            found.update(domain.words)
        return frozenset() if any("#" in word for word in found) else frozenset(found)

    def numbers_of(self, object_type: str, attribute: str) -> tuple[Domain, ...]:
        """Return the domains of an attribute that has numbers, and perhaps a few keywords.

        Empty when it may have other values, or when the type has no such attribute.
        """
        domains = tuple(self._domains_of(object_type, attribute))
        return domains if all(domain.kind is Kind.INT for domain in domains) else ()

    def _domains_of(self, object_type: str, attribute: str) -> Iterator[Domain]:
        for verb in OBJECT_VERBS:
            command = self.command(verb, object_type.upper())
            for spec in command.attributes if command is not None else ():
                if attribute in (spec.word, spec.name):
                    yield spec.domain

    def attributes_of(self, object_type: str) -> frozenset[str]:
        """All attributes of a lower-case object type, read-only ones among them.

        Options of commands (REPLACE, FORCE, CMDSCOPE ...) are none; of a pair of flags the first.
        """
        if object_type in self._attributes:
            return self._attributes[object_type]
        noun = object_type.upper()
        found = set(self.facts(noun))
        for verb in OBJECT_VERBS:
            command = self.command(verb, noun)
            if command is not None:
                found |= {spec.name for spec in command.attributes if not spec.option}
        self._attributes[object_type] = frozenset(found)
        return self._attributes[object_type]

    def is_attribute(self, word: str) -> bool:
        """Whether some command has an attribute or option called `word` (upper case)."""
        if self._all_words is None:
            self._all_words = frozenset(self._compiled["words"])
        return word in self._all_words

    def is_secret(self, word: str) -> bool:
        """Whether the value of attribute `word` must not be kept.

        True for the secret attributes, and for any word that is not an attribute, and is one or two
        typos away from one of them or speaks of a password.
        """
        return self._secret_memo[word]

    def default(
        self, object_type: str, subtype: str | None, attribute: str, target: Target
    ) -> str | Unknown | None:
        """Return the decoded value that a new object has when a script gives none.

        None when such an object has no such attribute, or it has no default, or the word is an
        option of the command. UNKNOWN when the
        platforms or subtypes in question differ, or nobody knows. `object_type` is lower case;
        the default of a pair of flags is the word of the pair that holds.
        """
        noun = object_type.upper()
        command = self._object_command(noun)
        spec = command.attribute(attribute) if command is not None else None
        if command is None or spec is None:
            return None
        kind = command.attribute(SUBTYPE_ATTRIBUTES.get(object_type, ""))
        value = kind.values.get(subtype) if kind is not None and subtype is not None else None
        target = target.narrowed(command.platforms if value is None else value.platforms)
        zos = target.on_zos
        if spec.option or not command.applies(spec, subtype, zos):
            return None
        if zos is None and subtype in spec.zos_types:
            return UNKNOWN
        present = target.has_platform(command.platforms_of(spec))
        since = spec.availability.since
        reached = since.reached(target.level) if since is not None else True
        if present is False or reached is False or spec.default is None:
            return None
        return UNKNOWN if present is None else _resolve(spec.default, noun, subtype, target)

    def spec(self, number: int) -> AttributeSpec:
        """Return the attribute with this number in the compiled data."""
        found = self._specs[number]
        if found is None:
            found = self._specs[number] = read_attribute(json.loads(self._raw_specs[number]))
        return found

    def _object_command(self, noun: str) -> CommandSpec | None:
        for verb in OBJECT_VERBS:
            command = self.command(verb, noun)
            if command is not None:
                return command
        return None

    def _build(self, key: str) -> CommandSpec | None:
        key = self._aliases.get(key, key)
        raw = self._raw_commands.get(key)
        if raw is None:
            return None
        verb, _, noun = key.partition(" ")
        return read_command(verb, noun or None, json.loads(raw), self.spec)

    def _is_near_secret(self, word: str) -> bool:
        if self.is_attribute(word):
            return False
        if any(part in word for part in _SECRET_PARTS):
            return True
        return any(distance(word, secret, _TYPOS) <= _TYPOS for secret in self._secrets)


def _resolve(
    default: str | Mapping[str, str], noun: str, subtype: str | None, target: Target
) -> str | Unknown:
    """Pick from a mapping what holds for the object, subtype and platform."""
    if isinstance(default, str):
        return UNKNOWN if default == "unknown" else default
    on_zos = target.on_zos if "zos" in default else False
    values = {default["zos"]} if on_zos is not False else set()
    if not on_zos:
        values |= _elsewhere(default, noun, subtype)
    value = values.pop() if len(values) == 1 else "unknown"
    return UNKNOWN if value == "unknown" else value


def _elsewhere(default: Mapping[str, str], noun: str, subtype: str | None) -> set[str]:
    """The values a mapping allows for the object and subtype on Multiplatforms."""
    for key in (noun, subtype or ""):
        if key in default:
            return {default[key]}
    plain = {key: value for key, value in default.items() if key != "zos"}
    if subtype is None or "else" not in plain:
        return set(plain.values())
    return {plain["else"]}
