"""Classes made here do what those of the standard library's `dataclasses` do."""

from __future__ import annotations

import copy
import pickle
from dataclasses import asdict, dataclass, field, fields, replace
from operator import ge, gt, le, lt
from typing import Any, ClassVar
from typing import NamedTuple as PlainTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqlint.dataclass import NamedTuple, frozen, mutable, names_of


@frozen(order=True)
class Ours:
    name: str
    number: int = 0
    note: str = field(default="", compare=False, repr=False)
    items: tuple[int, ...] = field(default_factory=tuple)


@dataclass(frozen=True, slots=True, order=True)
class Theirs:
    name: str
    number: int = 0
    note: str = field(default="", compare=False, repr=False)
    items: tuple[int, ...] = field(default_factory=tuple)


VALUES = st.tuples(
    st.text(max_size=2), st.integers(0, 2), st.text(max_size=1), st.tuples(st.integers(0, 1))
)


@pytest.mark.slow
@given(VALUES, VALUES)
def test_comparisons_are_those_of_dataclasses(
    left: tuple[str, int, str, tuple[int, ...]], right: tuple[str, int, str, tuple[int, ...]]
) -> None:
    ours, theirs = (Ours(*left), Ours(*right)), (Theirs(*left), Theirs(*right))
    assert (ours[0] == ours[1]) == (theirs[0] == theirs[1])
    assert hash(ours[0]) == hash(theirs[0])
    for compare in (lt, le, gt, ge):
        assert compare(*ours) == compare(*theirs)
    assert repr(ours[0]) == repr(theirs[0]).replace("Theirs", "Ours")
    assert asdict(ours[0]) == asdict(theirs[0])


def test_another_class_is_not_equal_and_has_no_order() -> None:
    other: object = Theirs("a")
    assert Ours("a") != other
    with pytest.raises(TypeError):
        assert Ours("a") < other  # type: ignore[operator]


def test_copies_and_pickles_are_equal() -> None:
    ours = Ours("a", 1, "note", (2,))
    pickled = pickle.loads(pickle.dumps(ours))  # noqa: S301 our own
    for copied in (pickled, copy.copy(ours), replace(ours)):
        assert (copied, copied.note) == (ours, "note")
    assert replace(ours, number=5) == Ours("a", 5, "other", (2,))


def test_fields_are_in_order_and_in_slots() -> None:
    assert names_of(Ours) == tuple(member.name for member in fields(Theirs))
    assert not hasattr(Ours("a"), "__dict__")


@frozen
class OneField:
    name: str

    def __repr__(self) -> str:
        return "its own"


@frozen
class NoField:
    pass


@mutable
class Mutable:
    number: int = 0


@frozen(eq=False)
class ByIdentity:
    number: int = 0


def test_a_method_of_the_class_is_kept() -> None:
    assert repr(OneField("a")) == "its own"
    assert OneField("a") == OneField("a")
    assert {OneField("a"): 1}[OneField("a")] == 1


def test_classes_of_few_fields() -> None:
    assert NoField() == NoField()
    assert repr(NoField()) == "NoField()"
    assert ByIdentity() != ByIdentity()
    assert len({ByIdentity(), ByIdentity()}) == 2


def test_what_changes_has_no_hash() -> None:
    changing = Mutable()
    changing.number = 3
    assert changing == Mutable(3)
    with pytest.raises(TypeError):
        hash(changing)


@mutable
class Base:
    """Has a field for each way to get a value."""

    count: ClassVar[int] = 7
    name: str
    made: list[int] = field(default_factory=list)
    derived: str = field(init=False)
    fixed: list[str] = field(init=False, default_factory=list)
    required: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        self.derived = self.name.upper()


@mutable
class Derived(Base):
    more: int = 1


# The first objects are made by another `__init__` than later ones.
@pytest.mark.parametrize("number", range(20))
def test_every_object_has_its_values(number: int) -> None:
    made = Derived(f"n{number}", [number], required=True)
    assert (made.name, made.made, made.derived) == (f"n{number}", [number], f"N{number}")
    assert (made.fixed, made.required, made.more, made.count) == ([], True, 1, 7)
    assert Derived("a").made is not Derived("a").made
    assert names_of(Derived) == ("name", "made", "derived", "fixed", "required", "more")


@pytest.mark.parametrize("number", range(20))
@pytest.mark.parametrize(
    ("places", "names"),
    [((), {}), (("a", 1, "b", (), 5), {}), (("a",), {"name": "b"}), (("a",), {"unknown": 1})],
)
def test_wrong_arguments_are_refused(
    number: int, places: tuple[object, ...], names: dict[str, object]
) -> None:
    made: type = dataclasses_anew()
    for _ in range(number):
        made("a")
    with pytest.raises(TypeError):
        made(*places, **names)


def dataclasses_anew() -> type:
    @frozen
    class Anew:
        name: str
        number: int = 0
        note: str = ""
        items: tuple[int, ...] = field(default_factory=tuple)

    return Anew


Span = tuple[int, int]


@frozen(shared="kind flags")
class Compact:
    name: str
    span: Span
    kind: str = ""
    other: Span | None = None
    flags: tuple[bool, ...] = ()


@frozen
class CompactDerived(Compact):
    last: Span = (0, 0)


PLACES = [(0, 0), (3, 70), (0, (1 << 30) - 1), (5, 1 << 30), (1 << 40, 1 << 41), (-1, 2), (9, 4)]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("number", range(0, 20, 5))
def test_places_and_shared_values_are_as_given(place: Span, number: int) -> None:
    made = [Compact(f"n{each}", place, "k", flags=(True,)) for each in range(number + 1)][-1]
    assert (made.span, made.kind, made.other, made.flags) == (place, "k", None, (True,))
    for copied in (pickle.loads(pickle.dumps(made)), copy.copy(made), replace(made)):  # noqa: S301
        assert (copied, hash(copied), repr(copied)) == (made, hash(made), repr(made))
    changed = replace(made, other=place, kind="l")
    assert (changed.other, changed.kind, changed.flags) == (place, "l", (True,))
    assert asdict(changed)["span"] == changed.span == place
    derived = CompactDerived("d", place, "m", None, (), place)
    assert (derived.span, derived.kind, derived.last) == (place, "m", place)


def test_many_different_values_are_shared_too() -> None:
    made = [Compact("a", (0, 1), str(number)) for number in range(3_000)]
    assert [each.kind for each in made] == [str(number) for number in range(3_000)]


class OurRow(NamedTuple):
    name: str
    number: int = 0

    def doubled(self) -> int:
        return 2 * self.number


class TheirRow(PlainTuple):
    name: str
    number: int = 0

    def doubled(self) -> int:
        return 2 * self.number


@pytest.mark.parametrize("made", [1, 50])
@pytest.mark.parametrize(
    ("args", "values"),
    [
        (("a",), {}),
        (("a", 1), {}),
        (("a",), {"number": 1}),
        ((), {"number": 1, "name": "a"}),
        ((), {}),
        (("a", 1, 2), {}),
        (("a",), {"name": "b"}),
        (("a",), {"other": 1}),
        ((), {"number": 1}),
    ],
)
def test_tuples_are_those_of_typing(
    made: int, args: tuple[Any, ...], values: dict[str, Any]
) -> None:
    for _ in range(made):
        try:
            theirs = TheirRow(*args, **values)
        except TypeError:
            with pytest.raises(TypeError):
                OurRow(*args, **values)
            continue
        ours = OurRow(*args, **values)
        assert tuple(ours) == tuple(theirs)
        assert (ours.name, ours.number, ours.doubled()) == (*theirs, theirs.doubled())
        assert repr(ours) == repr(theirs).replace("Their", "Our")
        assert ours._replace(number=5) == OurRow(theirs.name, 5)
        assert type(ours._replace(name="b")) is OurRow
        assert ours._asdict() == theirs._asdict()
        assert OurRow._make(theirs) == ours
        for twin in (copy.deepcopy(ours), pickle.loads(pickle.dumps(ours))):  # noqa: S301 our own
            assert (twin, type(twin)) == (ours, OurRow)


def test_tuples_have_no_room_for_other_values() -> None:
    assert OurRow._fields == OurRow.__match_args__ == TheirRow._fields
    with pytest.raises(AttributeError):
        OurRow("a").other = 1  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        OurRow("a").name = "b"  # type: ignore[misc]
