"""Dataclasses that cost little to define: their methods are made without compiling text.

`dataclasses` writes the text of six methods of a frozen class and compiles each, which was a
quarter of the start of the program. Here `__init__` is compiled when the first object is made,
and most classes have none in a run; the other methods are closures over the names of the fields.
What is frozen is so to type checkers only: at run time an assignment is not refused, so making an
object costs no `object.__setattr__` for each field. `NamedTuple` is the same for tuples: that of
`typing` compiles a function for each class, and each annotation.

How a frozen class stores places, and fields that are `shared`, is in `mqlint.compact`.
"""

from __future__ import annotations

from collections import _tuplegetter  # type: ignore[attr-defined]
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, field, fields, make_dataclass
from operator import attrgetter, ge, gt, le, lt
from typing import TYPE_CHECKING, Any, TypeVar, cast, dataclass_transform, overload

from mqlint.compact import SHARED, is_place, place_in, setstate_of_shared, sharing

T = TypeVar("T")
Values = Callable[[object], tuple[Any, ...]]


@overload
def frozen(cls: type[T], /) -> type[T]: ...


@overload
def frozen(
    *, eq: bool = True, order: bool = False, slots: bool = True, shared: str = ""
) -> Callable[[type[T]], type[T]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(
    cls: type[T] | None = None,
    /,
    *,
    eq: bool = True,
    order: bool = False,
    slots: bool = True,
    shared: str = "",
) -> type[T] | Callable[[type[T]], type[T]]:
    """Make a class a dataclass that nothing assigns to; options as of `dataclasses.dataclass`.

    `dataclasses.fields`, `replace` and `asdict` take it. A method that the class has itself is
    left as it is. `shared` are names of fields, with blanks between them, that most objects have
    in common; their values can be hashed.
    """

    def made(cls: type[T]) -> type[T]:
        names = tuple(shared.split())
        return _made(cls, eq=eq, order=order, slots=slots, is_frozen=True, shared=names)

    return made if cls is None else made(cls)


@overload
def mutable(cls: type[T], /) -> type[T]: ...


@overload
def mutable(*, eq: bool = True, slots: bool = True) -> Callable[[type[T]], type[T]]: ...


@dataclass_transform(field_specifiers=(field,))
def mutable(
    cls: type[T] | None = None, /, *, eq: bool = True, slots: bool = True
) -> type[T] | Callable[[type[T]], type[T]]:
    """Make a class a dataclass whose fields change; options as of `dataclasses.dataclass`."""

    def made(cls: type[T]) -> type[T]:
        return _made(cls, eq=eq, order=False, slots=slots, is_frozen=False)

    return made if cls is None else made(cls)


def names_of(cls: type) -> tuple[str, ...]:
    return tuple(member.name for member in fields(cls))


def _made(
    cls: type[T],
    *,
    eq: bool,
    order: bool,
    slots: bool,
    is_frozen: bool,
    shared: tuple[str, ...] = (),
) -> type[T]:
    members = _members(cls)
    own = {**cls.__dict__}
    methods = _methods([*members.values()], eq=eq, order=order, is_frozen=is_frozen)
    if slots and is_frozen:
        names = [*members]
        setstate = setstate_of_shared if shared else _setstate(names)
        methods |= {"__getstate__": _getstate(names), "__setstate__": setstate}
    made: dict[str, Any] = {
        name: value for name, value in methods.items() if name not in own or value is None
    }
    made["__match_args__"] = tuple(member.name for member in members.values() if member.init)
    for name in cls.__annotations__:
        if isinstance(own.get(name), Field):
            del own[name]
            if members[name].default is not MISSING and not slots:
                own[name] = members[name].default
    own["__doc__"] = own.get("__doc__") or cls.__name__
    if slots:
        own = _with_slots(cls, own, members, shared if is_frozen else None)
    for name in ("__dict__", "__weakref__"):
        own.pop(name, None)
    content = {**own, **made, "__dataclass_fields__": members}
    result = cast(Any, type(cls))(cls.__name__, cls.__bases__, content)
    result.__qualname__ = cls.__qualname__
    if shared:
        result.__init__ = _init(result, [*members.values()], shared)
    elif "__init__" not in own:
        result.__init__ = _init_later(result, [*members.values()])
    return cast(type[T], result)


def _with_slots(
    cls: type, own: dict[str, Any], members: dict[str, Field[Any]], shared: tuple[str, ...] | None
) -> dict[str, Any]:
    """Return the attributes of a class with slots for its fields.

    `shared` are the fields of a frozen class that objects have in common, None for a mutable one.
    """
    own = {name: value for name, value in own.items() if name not in members}
    slots_of = (base.__dict__.get("__slots__", ()) for base in cls.__mro__[1:])
    inherited = {name for names in slots_of for name in names}
    stored = [*members]
    if shared is not None:
        own |= {name: place_in(f"_{name}") for name in members if is_place(members[name])}
        own |= {name: property(attrgetter(f"{SHARED}.{name}")) for name in shared}
        stored = [f"_{name}" if name in own else name for name in stored if name not in shared]
    stored = [SHARED, *stored] if shared else stored
    own["__slots__"] = tuple(name for name in stored if name not in inherited)
    return own


def _members(cls: type) -> dict[str, Field[Any]]:
    """The fields of a class by name: those of its bases, then its own."""
    members: dict[str, Field[Any]] = {}
    for base in reversed(cls.__mro__[1:]):
        members |= base.__dict__.get("__dataclass_fields__") or {}
    own = cls.__dict__
    for name, annotation in cls.__annotations__.items():
        if not annotation.startswith("ClassVar"):
            default = own.get(name, MISSING)
            member: Any = default if default.__class__ is Field else field(default=default)
            member.name, member.type = name, annotation
            member._field_type = _OF_CLASS
            members[name] = member
    return members


_DOCUMENTED = {"__doc__": "One that has none is given its signature, and that takes a tokenizer."}
(_SAMPLE,) = fields(
    make_dataclass("_Sample", ["sample"], init=False, repr=False, eq=False, namespace=_DOCUMENTED)
)
_OF_CLASS = cast(Any, _SAMPLE)._field_type
"""What `dataclasses` itself sets in a field, without which its functions do not take the field."""


def _methods(
    members: Sequence[Field[Any]], *, eq: bool, order: bool, is_frozen: bool
) -> dict[str, Callable[..., Any] | None]:
    methods: dict[str, Callable[..., Any] | None] = {
        "__repr__": _repr([member.name for member in members if member.repr])
    }
    values = _values([member.name for member in members if member.compare])
    if eq:
        methods["__eq__"] = _eq(values)
        methods["__hash__"] = _hash(values) if is_frozen else None
    if order:
        for compare in (lt, le, gt, ge):
            methods[f"__{compare.__name__}__"] = _compared(values, compare)
    return methods


def _init_later(cls: type, members: Sequence[Field[Any]]) -> Callable[..., None]:
    """An `__init__` that assigns what it is given, until the class has `_FEW` objects.

    Then the compiled one takes its place, which costs as much as that many objects but is faster.
    """
    by_place = [member.name for member in members if member.init and member.kw_only is not True]
    after = getattr(cls, "__post_init__", None)
    made = 0

    def __init__(self: object, *args: object, **values: object) -> None:
        nonlocal made
        made += 1
        given = {**dict(zip(by_place, args, strict=False)), **values}
        if made > _FEW or not _assigned(self, members, given, len(args) + len(values)):
            compiled = _init(cls, members)
            type.__setattr__(cls, "__init__", compiled)
            compiled(self, *args, **values)
        elif after is not None:
            self.__post_init__()  # type: ignore[attr-defined]

    return __init__


_FEW = 8
"""How many objects a class has before its `__init__` is compiled."""


def _assigned(
    target: object, members: Sequence[Field[Any]], given: dict[str, object], number: int
) -> bool:
    """Assign the `given` values and the defaults; False if they are not what `__init__` takes."""
    used = 0
    for member in members:
        if member.init and member.name in given:
            used += 1
            setattr(target, member.name, given[member.name])
        elif member.default_factory is not MISSING:
            setattr(target, member.name, member.default_factory())
        elif member.default is not MISSING:
            setattr(target, member.name, member.default)
        elif member.init:
            return False
    return used == number


def _init(
    cls: type, members: Sequence[Field[Any]], shared: tuple[str, ...] = ()
) -> Callable[..., None]:
    """What `dataclasses` makes: it assigns each parameter, or what its default is or makes."""
    known: dict[str, Any] = {"MISSING": MISSING}
    parameters: dict[bool, list[str]] = {False: [], True: []}
    body = []
    for member in members:
        name, value = member.name, member.name
        default = ""
        if member.default_factory is not MISSING:
            known[f"make_{name}"] = member.default_factory
            default = "=MISSING"
            made = f"make_{name}()"
            value = f"{made} if {name} is MISSING else {name}" if member.init else made
        elif member.default is not MISSING:
            known[f"default_{name}"] = member.default
            default = f"=default_{name}"
            value = name if member.init else f"default_{name}"
        if member.init:
            parameters[member.kw_only is True].append(name + default)
        if (member.init or default) and name not in shared:
            body.append(f"self.{name} = {value}")
    if shared:
        record = _RecordMaker("Shared", (_Record,), {"__annotations__": dict.fromkeys(shared)})
        known["share"] = sharing(record)
        body.append(f"self.{SHARED} = share(({', '.join(shared)},))")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    by_name = ["*", *parameters[True]] if parameters[True] else []
    head = ", ".join(["self", *parameters[False], *by_name])
    text = f"def __init__({head}):\n " + "\n ".join(body or ["pass"])
    exec(text, known)  # noqa: S102 names of fields that the source of this program has
    return cast(Callable[..., None], known["__init__"])


def _values(names: list[str]) -> Values:
    """What reads fields as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    getters = [attrgetter(name) for name in names]
    return lambda self: tuple(get(self) for get in getters)


def _repr(names: list[str]) -> Callable[[object], str]:
    def __repr__(self: object) -> str:
        shown = (f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__qualname__}({', '.join(shown)})"

    return __repr__


def _eq(values: Values) -> Callable[[object, object], bool]:
    def __eq__(self: object, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return values(self) == values(other)

    return __eq__


def _hash(values: Values) -> Callable[[object], int]:
    return lambda self: hash(values(self))


def _compared(values: Values, compare: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def compared(self: object, other: object) -> Any:  # noqa: ANN401 bool or NotImplemented
        if other.__class__ is not self.__class__:
            return NotImplemented
        return compare(values(self), values(other))

    return compared


def _getstate(names: list[str]) -> Callable[[object], tuple[Any, ...]]:
    values = _values(names)
    return lambda self: values(self)  # a getter of `operator` would not be bound to an object


def _setstate(names: list[str]) -> Callable[[object, tuple[Any, ...]], None]:
    def __setstate__(self: object, state: tuple[Any, ...]) -> None:
        for name, value in zip(names, state, strict=True):
            setattr(self, name, value)

    return __setstate__


class _Record(tuple[Any, ...]):
    """What named tuples share."""

    __slots__ = ()
    _fields: tuple[str, ...]

    def __repr__(self) -> str:
        shown = (f"{name}={value!r}" for name, value in self._asdict().items())
        return f"{type(self).__name__}({', '.join(shown)})"

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)

    @classmethod
    def _make(cls, values: Iterable[object]) -> _Record:
        return cast(_Record, cast(Any, cls)(*values))

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self, strict=True))

    def _replace(self, /, **values: object) -> _Record:
        return type(self)(**{**self._asdict(), **values})


class _RecordMaker(type):
    """Makes a tuple with names of each class that has `NamedTuple` as its base."""

    def __new__(cls, name: str, bases: tuple[type, ...], content: dict[str, Any]) -> type:
        if not bases:
            return super().__new__(cls, name, bases, content)
        names = tuple(content.get("__annotations__", ()))
        defaults = {name: content.pop(name) for name in names if name in content}
        content |= {"__slots__": (), "_fields": names, "__match_args__": names}
        content |= {name: _tuplegetter(place, None) for place, name in enumerate(names)}
        return type(name, (_Record,), {**content, "__new__": _new_later(names, defaults)})


def _new_later(names: tuple[str, ...], defaults: Mapping[str, object]) -> Callable[..., Any]:
    """A `__new__` that is compiled after `_FEW` objects, as `_init_later` does."""
    made = 0

    def __new__(cls: type[_Record], *args: object, **values: object) -> _Record:
        nonlocal made
        made += 1
        given = {**defaults, **dict(zip(names, args, strict=False)), **values}
        is_right = len(given) == len(names) and len(args) + len(values) <= len(names)
        if made <= _FEW and is_right:
            return tuple.__new__(cls, [given[name] for name in names])
        text = f"lambda _cls, {', '.join(names)}: make(_cls, ({', '.join(names)},))"
        compiled = eval(text, {"make": tuple.__new__})  # noqa: S307 names of fields, as in `_init`
        compiled.__defaults__ = tuple(defaults.values())
        type.__setattr__(cls, "__new__", staticmethod(compiled))
        return cast(_Record, compiled(cls, *args, **values))

    return __new__


if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:

    class NamedTuple(metaclass=_RecordMaker):
        """As `typing.NamedTuple`, but costs little to define."""
