"""An object as one side describes it, and the commands that make, alter and delete it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from mqlint.dataclass import mutable
from mqlint.language.mqsc import Templated
from mqlint.model.change import mqsc
from mqlint.model.comparison.written import Rename, written_words
from mqlint.model.core.action import key_words, subtype_word
from mqlint.model.core.authorities import expanded
from mqlint.model.core.queue_manager import MQObject
from mqlint.model.core.shipped import default_object_name, product_default
from mqlint.model.core.value import ABSENT, UNKNOWN, Unknown

Text = str | tuple[str, ...]

_EXCLUDED_BY: Mapping[str, str] = {"REPOS": "REPOSNL", "REPOSNL": "REPOS"}
"""Attributes of which one is blank if the other one is not (IBM MQ documentation, ALTER QMGR)."""


class UnknownValueError(Exception):
    """No command can be written, because the files do not decide a value that it needs."""


@mutable
class Written:
    """Attributes as they are written in a command, and attributes that cannot be written.

    `by_hand` are secrets, which are never printed. `unknown` are attributes whose values the files
    do not decide, or MQSC cannot express.
    """

    words: list[str]
    by_hand: list[str]
    unknown: list[str]

    def require(self) -> None:
        """Raise UnknownValueError if an attribute cannot be written."""
        if self.unknown:
            raise UnknownValueError(f"the files do not decide {', '.join(self.unknown)}")


class DescribedObject:
    """An object of one side; `rename` returns the name in the plan for a name of this side."""

    def __init__(self, found: MQObject, rename: Rename) -> None:
        self.found = found
        self.type = found.type
        self.noun = found.type.upper()
        self.name = rename(found.name)
        self.subtype = found.subtype
        self.vocabulary = found.manager.vocabulary
        self.rename = rename

    def value(self, word: str) -> Text | None:
        """Return the value of an attribute, None if the files do not say it."""
        value = self.found.value(word)
        if isinstance(value, str):
            return self.rename(value)
        if isinstance(value, tuple):
            return tuple(map(self.rename, value))
        other = self.found.value(_EXCLUDED_BY.get(word, ""))
        return "" if isinstance(other, str) and other else None

    @property
    def authorities(self) -> tuple[str, ...] | None:
        """The authorities of a record one by one; None if they are not known."""
        found = expanded(str(self.value("OBJTYPE")), self.value("AUTHADD") or ABSENT)
        return None if isinstance(found, Unknown) else found

    def is_secret(self, word: str) -> bool:
        """Whether the attribute has a value that must not be shown."""
        return self.found.secret(word) is not None

    @property
    def keys(self) -> list[tuple[str, str]]:
        """The attributes that with the name tell the record apart, with their values."""
        parts = self.found.key.split("\x1f")[1:]
        pairs = zip(key_words(self.type), parts, strict=False)
        return [(word, self.rename(part)) for word, part in pairs if part]

    @property
    def is_default_object(self) -> bool:
        """Whether DEFINE of others takes from it what it omits."""
        return self.name == default_object_name(self.type, self.subtype)

    @property
    def can_be_named(self) -> bool:
        """Whether MQSC can hold its name, and no template decides it."""
        found = self.found.name
        return not isinstance(found, Templated) and mqsc.can_be_written(self.name)

    @property
    def deletes_authority(self) -> bool:
        """Whether DELETE also deletes the authority records of its name."""
        spec = self.vocabulary.command("DELETE", self.noun)
        has_records = self.found.manager.target.on_zos is not True
        return has_records and spec is not None and spec.attribute("AUTHREC") is not None

    # -- commands ---------------------------------------------------------------------------

    def written(self, verb: str, values: Iterable[tuple[str, Text | None]]) -> Written:
        found = Written([], [], [])
        spec = self.vocabulary.command(verb, self.noun)
        for word, value in values:
            text = None
            if spec is not None and value is not None:
                text = mqsc.attribute(spec, word, value)
            if text is None:
                found.unknown.append(word)
            elif text:
                found.words.append(text)
        return found

    def definition(self, more: Iterable[str] = ()) -> tuple[str, Written]:
        """Return DEFINE with all attributes that differ from the product's defaults.

        `more` are attributes to write besides.
        """
        values: list[tuple[str, Text | None]] = []
        by_hand = []
        wanted = set(more)
        for word in self._words(wanted):
            value = self.value(word)
            if self.is_secret(word):
                by_hand.append(word)
            elif word not in wanted and self._is_default(word, value):
                continue
            elif value is not None or self.found.writes(word):
                values.append((word, value))
        found = self.written("DEFINE", values)
        found.by_hand = by_hand
        return mqsc.command("DEFINE", self.noun, self.name, found.words), found

    def _words(self, more: set[str]) -> Iterator[str]:
        """What to write: first the subtype, which follows the name at once."""
        first = subtype_word(self.type)
        words = (written_words(self.found, set()) | more) - {"LIKE", "REPLACE"}
        if first is not None:
            yield first
        yield from sorted(words - {first})

    def _is_default(self, word: str, value: Text | None) -> bool:
        if word in mqsc.needed(self.vocabulary, "DEFINE", self.type, self.subtype):
            return False
        manager = self.found.manager
        return value == product_default(
            manager.vocabulary, manager.target, self.type, self.subtype, word
        )

    def alteration(self, values: Mapping[str, Text | None]) -> tuple[str, Written]:
        """Return ALTER with values of attributes; no command if none can be written."""
        fixed = [
            word
            for word in mqsc.needed(self.vocabulary, "ALTER", self.type, self.subtype)
            if word not in values
        ]
        group = self.value("QSGDISP")
        if group not in (None, "QMGR") and "QSGDISP" not in values:
            fixed.append("QSGDISP")
        first = self.written("ALTER", ((word, self.value(word)) for word in fixed))
        found = self.written("ALTER", values.items())
        if not found.words:
            return "", found
        name = None if self.type == "qmgr" else self.name
        return mqsc.command("ALTER", self.noun, name, [*first.words, *found.words]), found

    def deletion(self, *, keeps_authority: bool) -> str:
        """Return DELETE; `keeps_authority` keeps the authority records of its name."""
        words = []
        if self.type == "channel" and self.subtype == "CLNTCONN":
            words.append("CHLTABLE(CLNTTBL)")
        if self.type == "channel" and self.subtype == "MQTT":
            words.append("CHLTYPE(MQTT)")
        group = self.value("QSGDISP")
        if isinstance(group, str) and group != "QMGR":
            words.append(f"QSGDISP({group})")
        if keeps_authority and self.deletes_authority:
            words.append("AUTHREC(NO)")
        return mqsc.command("DELETE", self.noun, self.name, words)

    def acts(self, verb: str) -> str:
        """Return START or STOP of a channel or listener."""
        words = ["CHLTYPE(MQTT)"] if self.subtype == "MQTT" else []
        return mqsc.command(verb, self.noun, self.name, words)

    # -- records ----------------------------------------------------------------------------

    def record(self, action: str, values: Mapping[str, Text | None] | None) -> tuple[str, Written]:
        """Return SET CHLAUTH or SET POLICY with an ACTION; with all its values if None is given."""
        keys = self.written("SET", self.keys)
        if values is None:
            written = written_words(self.found, set()) - {"ACTION", *key_words(self.type)}
            values = {word: self.value(word) for word in sorted(written)}
            is_open = {word for word in values if self.found.value(word) is UNKNOWN}
            values = {
                word: value
                for word, value in values.items()
                if value is not None or (word in is_open and self.found.writes(word))
            }
        found = self.written("SET", values.items())
        found.unknown += keys.unknown
        words = [*keys.words, *found.words, f"ACTION({action})"]
        return mqsc.command("SET", self.noun, self.name, words), found

    def authority(self, verb: str, added: Text = (), taken: Text = ()) -> tuple[str, Written]:
        """Return SET AUTHREC or DELETE AUTHREC; that of the queue manager has no profile."""
        values: list[tuple[str, Text | None]] = list(self.keys)
        if ("OBJTYPE", "QMGR") not in self.keys or self.name == "@class":
            values.insert(0, ("PROFILE", self.name))
        if added:
            values.append(("AUTHADD", added))
        if taken:
            values.append(("AUTHRMV", taken))
        found = self.written(verb, values)
        return mqsc.command(verb, self.noun, None, found.words), found
