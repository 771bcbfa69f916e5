"""Conventions: what nearly all objects of an estate have in common, and the few that deviate.

A convention says that nearly all objects of a group (a type, at sites of one role or everywhere)
have the same value, one of a few values, a number in a range, any value, or a form of name. A
default of MQ is not a convention, because no administrator chose it.

The certainty of a convention is the lower bound (95 %) of Wilson's interval for the share of
objects that follow it, which is lower for few objects (E. B. Wilson, "Probable inference", 1927).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from math import sqrt

from mqlint.config.node import Plain
from mqlint.dataclass import frozen
from mqlint.model.core.action import subtype_word
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.shipped import product_default
from mqlint.model.core.value import UNKNOWN, Value
from mqlint.patterns import later
from mqlint.vocabulary import AttributeSpec, Kind, Vocabulary

_NORMAL = 1.96
"""The quantile of the normal distribution for a certainty of 95 %."""
_MOST_VALUES = 3
"""A convention lists at most this many values."""
_RARE = 0.15
"""A list has only values that at least this share of the objects have."""
_FEWEST = 3
"""A list has only values that at least this number of objects have."""
_WIDEST = 20
"""The highest number of a range is at most this many times its lowest."""
_TYPES = (
    *("qmgr", "qlocal", "qalias", "qremote", "qmodel", "channel", "topic", "sub", "process"),
    *("listener", "service", "authinfo"),
)
_PARTED_BY = {"qlocal": "USAGE"}
"""The attribute that divides objects of a type into groups, if the type has no subtype."""
_OWN = frozenset(
    "CONNAME RNAME RQMNAME XMITQ TARGET TARGETQ TOPICSTR CLUSTER CLUSNL PORT LOCLADDR QMID DEST"
    " DESTQMGR APPLICID STARTCMD STARTARG STOPCMD STOPARG SUBUSER QMNAME".split()
)
"""Attributes whose values depend on the purpose of an object."""
_TEXTS = frozenset({"DESCR", "CUSTOM", "USERDATA", "ENVRDATA"})
"""Free text: that it is set can be a convention, but its value cannot."""
_NUMBER = later(r"[0-9]{1,9}")

QUEUE_MANAGER = "QMA"
"""The queue manager in the cases of policies."""


@frozen
class ComparedGroup:
    """Objects that are compared: type, dividing attribute with its value, and role of the sites."""

    type: str
    part: tuple[str, str] | None = None
    role: str = ""

    @property
    def match(self) -> dict[str, Plain]:
        own: dict[str, Plain] = {"object": self.type}
        if self.part is not None:
            own[self.part[0]] = self.part[1]
        if self.role:
            own["site.role"] = self.role
        if self.type != "qmgr":
            own["name"] = {"not": {"like": "SYSTEM.*"}}
        return own


@frozen
class Convention:
    """A property that nearly all objects of a group share.

    `test` is the condition of a policy on `key`, which is an attribute or `name`, and `description`
    is the test in words. `example` is a value that satisfies it, `other` one that does not.
    """

    group: ComparedGroup
    key: str
    test: Plain
    description: str
    example: str
    other: str
    number: int
    deviants: tuple[MQObject, ...]

    @property
    def followed(self) -> int:
        return self.number - len(self.deviants)

    @property
    def certainty(self) -> float:
        """The lower bound of the share of objects that follow it."""
        return lower_bound(self.followed, self.number)


def lower_bound(followed: int, number: int) -> float:
    """Return the lower bound of Wilson's interval for a share, 0 for no objects."""
    if not number:
        return 0.0
    share, square = followed / number, _NORMAL**2
    middle = share + square / (2 * number)
    spread = _NORMAL * sqrt(share * (1 - share) / number + square / (4 * number**2))
    return (middle - spread) / (1 + square / number)


def conventions(
    managers: Iterable[QueueManager], vocabulary: Vocabulary, least: int, certainty: float
) -> list[Convention]:
    """Return the conventions of groups of at least `least` objects, the most certain first."""
    groups: dict[ComparedGroup, list[MQObject]] = defaultdict(list)
    for manager in managers:
        for found in manager.all_objects():
            if found.type in _TYPES and found.exists and _has_own_name(found):
                group = _group_of(found)
                groups[group].append(found)
                if manager.site is not None:
                    groups[ComparedGroup(group.type, group.part, manager.site.role)].append(found)
    by_group: dict[tuple[ComparedGroup, str], Convention] = {}
    for group in sorted(groups, key=lambda group: (bool(group.role), str(group))):
        objects = groups[group]
        whole = ComparedGroup(group.type, group.part)
        if len(objects) < least or (group.role and len(objects) == len(groups[whole])):
            continue
        for convention in _of_group(group, objects, vocabulary, least, certainty):
            if (whole, convention.key) not in by_group:
                by_group[group, convention.key] = convention
    return sorted(
        by_group.values(),
        key=lambda found: (-found.certainty, found.group.type, found.key, str(found.group)),
    )


def _has_own_name(found: MQObject) -> bool:
    """Whether an object is a queue manager, or has a name that MQ did not choose."""
    if not found.is_named:
        return False
    return found.type == "qmgr" or not found.name.startswith(("SYSTEM.", "AMQ."))


def _group_of(found: MQObject) -> ComparedGroup:
    word = subtype_word(found.type) or _PARTED_BY.get(found.type)
    value = found.value(word) if word else None
    return ComparedGroup(found.type, (word, value) if word and isinstance(value, str) else None)


def _of_group(
    group: ComparedGroup,
    objects: Sequence[MQObject],
    vocabulary: Vocabulary,
    least: int,
    certainty: float,
) -> Iterator[Convention]:
    """Yield at most one convention for each attribute of a group, and one for its names."""
    if group.type != "qmgr":
        yield from _first(_names(group, objects), certainty)
    command = vocabulary.command("ALTER" if group.type == "qmgr" else "DEFINE", group.type.upper())
    written = Counter(word for found in objects for word in found.written_values())
    parting = group.part[0] if group.part else ""
    required = {spec.word for spec in command.required(None)} if command is not None else set()
    for word in sorted(written):
        spec = command.attribute(word) if command is not None else None
        if spec is None or written[word] < least or word in required or word == parting:
            continue
        if not (spec.secret or word in _OWN or spec.domain.kind is Kind.FLAG):
            yield from _first(_values(group, word, spec, objects, vocabulary), certainty)


def _first(found: Iterator[Convention], certainty: float) -> Iterator[Convention]:
    """Yield the first convention that is certain enough; the strictest ones come first."""
    yield from islice((each for each in found if each.certainty >= certainty), 1)


def _values(
    group: ComparedGroup,
    word: str,
    spec: AttributeSpec,
    objects: Sequence[MQObject],
    vocabulary: Vocabulary,
) -> Iterator[Convention]:
    known = [(found, value) for found in objects if isinstance(value := found.value(word), str)]
    defaults = {default for found in objects for default in _defaults(found, word, vocabulary)}
    if known and all(isinstance(default, str) for default in defaults):
        usual = frozenset(default.strip() for default in defaults if isinstance(default, str))
        yield from _Values(group, spec, word, known, usual).conventions()


@frozen(slots=False)
class _Values:
    """The known values of an attribute in a group, and what they have in common.

    `usual` are the values that objects have if nothing is written.
    """

    group: ComparedGroup
    spec: AttributeSpec
    word: str
    known: Sequence[tuple[MQObject, str]]
    usual: frozenset[str]

    def conventions(self) -> Iterator[Convention]:
        """Yield the strictest ones first."""
        is_number = self.spec.domain.kind is Kind.INT
        if self.word not in _TEXTS:
            yield from self._one()
            if not is_number:
                yield from self._few()
        if is_number:
            yield from self._range()
        if self.usual == {""}:
            yield self._made({"blank": False}, f"{self.word} is set", "X", bool)

    @cached_property
    def _counts(self) -> Counter[str]:
        return Counter(value.strip() for _, value in self.known)

    def _one(self) -> Iterator[Convention]:
        ((value, _),) = self._counts.most_common(1)
        if value and value not in self.usual:
            description = f"{self.word}({value})"
            yield self._made(value, description, value, lambda text: text == value)

    def _few(self) -> Iterator[Convention]:
        rare = max(_FEWEST, _RARE * len(self.known))
        common = self._counts.most_common(_MOST_VALUES)
        few = [text for text, number in common if number >= rare]
        if len(few) > 1 and "" not in few and not self.usual & {*few}:
            description = f"{self.word}: {', '.join(sorted(few))}"
            yield self._made([*sorted(few)], description, few[0], lambda text: text in few)

    def _range(self) -> Iterator[Convention]:
        written = self._counts.keys() - self.usual
        numbers = sorted(int(text) for text in written if _NUMBER.fullmatch(text))
        if len(numbers) < 2 or not 0 < numbers[0] <= numbers[-1] <= _WIDEST * numbers[0]:
            return
        low, high = numbers[0], numbers[-1]

        def is_within(text: str) -> bool:
            return bool(_NUMBER.fullmatch(text)) and low <= int(text) <= high

        if all(_NUMBER.fullmatch(text) and not is_within(text) for text in self.usual):
            description = f"{self.word} from {low} to {high}"
            yield self._made({"ge": low, "le": high}, description, str(low), is_within)

    def _made(
        self, test: Plain, description: str, example: str, holds: Callable[[str], bool]
    ) -> Convention:
        deviants = tuple(found for found, value in self.known if not holds(value.strip()))
        other, number = min(self.usual), len(self.known)
        return Convention(
            self.group, self.word, test, description, example, other, number, deviants
        )


def _defaults(found: MQObject, word: str, vocabulary: Vocabulary) -> Iterator[Value]:
    """Yield the product's default, that of each platform if it depends on an unknown one."""
    about, target = (found.type, found.subtype, word), found.manager.target
    default = product_default(vocabulary, target, *about)
    if default is UNKNOWN:
        for platform in sorted(target.platforms):
            yield product_default(vocabulary, replace(target, platform=platform), *about)
    else:
        yield default


def _names(group: ComparedGroup, objects: Sequence[MQObject]) -> Iterator[Convention]:
    def made(
        test: Plain, description: str, example: str, holds: Callable[[MQObject], bool]
    ) -> Convention:
        deviants = tuple(found for found in objects if not holds(found))
        return Convention(group, "name", test, description, example, "Z", len(objects), deviants)

    named = {found.manager.key.name for found in objects if not found.manager.key.anonymous}
    if len(named) > 1:
        yield made(
            {"starts_with": {"key": "queue_manager"}},
            "the name starts with that of the queue manager",
            f"{QUEUE_MANAGER}.A",
            lambda found: found.name.startswith(found.manager.key.name),
        )
        yield made(
            {"ends_with": {"key": "queue_manager"}},
            "the name ends with that of the queue manager",
            f"A.{QUEUE_MANAGER}",
            lambda found: found.name.endswith(found.manager.key.name),
        )
    for at, sign in ((0, "{}.*"), (-1, "*.{}")):
        parts = Counter(found.name.split(".")[at] for found in objects if "." in found.name)
        if parts:
            part = parts.most_common(1)[0][0]
            yield made(
                {"like": sign.format(part)},
                f"the name is like {sign.format(part)}",
                sign.format(part).replace("*", "A"),
                lambda found, part=part, at=at: (  # type: ignore[misc]
                    "." in found.name and found.name.split(".")[at] == part
                ),
            )
    depths = Counter(found.name.count(".") for found in objects)
    depth = depths.most_common(1)[0][0]
    if depth:
        form = r"^[A-Z0-9_]+" + r"[.][A-Z0-9_]+" * depth + "$"
        pattern = later(form.replace("$", r"\Z"))
        yield made(
            {"matches": form},
            f"the name has {depth + 1} parts in capitals, separated by periods",
            ".".join("A" * (depth + 1)),
            lambda found: pattern.match(found.name) is not None,
        )
