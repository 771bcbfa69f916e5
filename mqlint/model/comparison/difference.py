"""One difference between two descriptions of queue managers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Literal, TypeVar

from mqlint.dataclass import frozen
from mqlint.finding import Location
from mqlint.patterns import later

T = TypeVar("T")
State = Literal["only-in-a", "only-in-b", "differs", "undecided"]


@frozen
class Difference:
    """A difference between A and B.

    `type` is the word of MQ (`qlocal`, `channel`, `qmgr`) or `stanza`, `queue manager`, `file`,
    `steps`. `attribute` is blank for the object as a whole. `a` and `b` are the values as text,
    None for none; a secret is masked. `why` says which value is unknown or missing, and the reason.
    `key` identifies the object, empty for anything else.
    """

    state: State
    type: str
    name: str
    attribute: str = ""
    a: str | None = None
    b: str | None = None
    place_a: Location | None = None
    place_b: Location | None = None
    why: str = ""
    key: tuple[str, ...] = ()

    def flipped(self) -> Difference:
        """Return the same with A and B exchanged."""
        return replace(
            self,
            state=_FLIPPED.get(self.state, self.state),
            a=self.b,
            b=self.a,
            place_a=self.place_b,
            place_b=self.place_a,
            why=_SIDE.sub(lambda side: "B" if side[0] == "A" else "A", self.why),
        )


def side(in_a: bool) -> str:
    return "A" if in_a else "B"


def on_side(found: T | None, in_a: bool) -> tuple[T | None, T | None]:
    """Return what only one side has as a pair of both."""
    return (found, None) if in_a else (None, found)


_FLIPPED: Mapping[State, State] = {"only-in-a": "only-in-b", "only-in-b": "only-in-a"}
_SIDE = later(r"\b[AB]\b")


@frozen
class Ignored:
    """The attributes and objects that a comparison omits, as patterns in upper case.

    A pattern of an attribute is its word (`DESCR`) or has a type before it (`CHANNEL.CONNAME`). One
    of an object is its name, or has a type before a colon (`QLOCAL:TMP.*`).
    """

    attributes: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()

    def attribute(self, object_type: str, word: str) -> bool:
        names = (word.upper(), f"{object_type}.{word}".upper())
        return any(fnmatchcase(name, pattern) for pattern in self.attributes for name in names)

    def object(self, object_type: str, name: str) -> bool:
        names = (name.upper(), f"{object_type}:{name}".upper())
        return any(fnmatchcase(text, pattern) for pattern in self.objects for text in names)
