"""An MQSC document: slices that cover it wholly, and the commands among them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import overload

from mqlint.dataclass import frozen, mutable
from mqlint.finding import Diagnostic
from mqlint.language.mqsc.command import Command
from mqlint.language.mqsc.dump import DumpHeader
from mqlint.source.pairs import Pairs

_KINDS = ("blank", "comment", "template", "reply", "broken", "unread")
_NUMBERS = {kind: number for number, kind in enumerate(_KINDS)}


@frozen
class Slice:
    """A stretch of the document: `kind` is blank, comment, template, reply, broken or unread."""

    kind: str
    start: int
    end: int


class Slices(Sequence[Slice]):
    """The slices of one text, in 9 bytes each; a `Slice` is made when it is asked for."""

    __slots__ = ("_kinds", "_spans")

    def __init__(self, size: int) -> None:
        """Start with none; `size` is the length of the text."""
        self._kinds = bytearray()
        self._spans = Pairs(size)

    def add(self, kind: str, start: int, end: int) -> None:
        self._kinds.append(_NUMBERS[kind])
        self._spans.append(start, end)

    def __len__(self) -> int:
        return len(self._kinds)

    @overload
    def __getitem__(self, index: int) -> Slice: ...

    @overload
    def __getitem__(self, index: slice) -> list[Slice]: ...

    def __getitem__(self, index: int | slice) -> Slice | list[Slice]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        return Slice(_KINDS[self._kinds[index]], *self._spans[index])

    def __iter__(self) -> Iterator[Slice]:
        for kind, (start, end) in zip(self._kinds, self._spans, strict=True):
            yield Slice(_KINDS[kind], start, end)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Slices):
            return NotImplemented
        return self._kinds == other._kinds and self._spans == other._spans

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr([*self])


@mutable
class Script:
    """The content of one MQSC text.

    `commands` and `slices` together cover the text of `size` characters; `spans` has start and end
    of each command's slice. `diagnostics` are faults of form. `session` is the queue manager of the
    session that the text records. `branches` are stretches that a template language may omit. `cut`
    are the starts of commands whose next line begins with an attribute.
    """

    size: int
    commands: list[Command] = field(default_factory=list)
    spans: Pairs = field(init=False)
    slices: Slices = field(init=False)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    header: DumpHeader | None = None
    broken: int = 0
    session: str | None = None
    branches: tuple[tuple[int, int], ...] = ()
    cut: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Make room for the places of the text."""
        self.spans = Pairs(self.size)
        self.slices = Slices(self.size)
