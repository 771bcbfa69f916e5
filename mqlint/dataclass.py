"""Dataclasses that cost little to define: most of their methods are made without compiling text.

`dataclasses` writes the text of six methods of a frozen class and compiles each, which was a
quarter of the start of the program. Here it compiles `__init__` alone; the other methods are
closures over the names of the fields. What is frozen is so to type checkers only: at run time an
assignment is not refused, so making an object costs no `object.__setattr__` for each field.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import Field, dataclass, field, fields
from operator import attrgetter, ge, gt, le, lt
from typing import Any, TypeVar, cast, dataclass_transform, overload

T = TypeVar("T")
Values = Callable[[object], tuple[Any, ...]]


@overload
def frozen(cls: type[T], /) -> type[T]: ...


@overload
def frozen(
    *, eq: bool = True, order: bool = False, slots: bool = True
) -> Callable[[type[T]], type[T]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(
    cls: type[T] | None = None, /, *, eq: bool = True, order: bool = False, slots: bool = True
) -> type[T] | Callable[[type[T]], type[T]]:
    """Make a class a dataclass that nothing assigns to; options as of `dataclasses.dataclass`.

    `dataclasses.fields`, `replace` and `asdict` take it. A method that the class has itself is
    left as it is.
    """

    def made(cls: type[T]) -> type[T]:
        return _made(cls, eq=eq, order=order, slots=slots, is_frozen=True)

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
    """Return the names of the fields of a dataclass, in order."""
    return tuple(member.name for member in fields(cls))


def _made(cls: type[T], *, eq: bool, order: bool, slots: bool, is_frozen: bool) -> type[T]:
    own = {*cls.__dict__}
    result = dataclass(repr=False, eq=False, slots=slots)(cls)
    members = fields(cast(Any, result))
    methods = _methods(members, eq=eq, order=order, is_frozen=is_frozen)
    if slots and is_frozen:
        names = [member.name for member in members]
        methods |= {"__getstate__": _getstate(names), "__setstate__": _setstate(names)}
    for name, method in methods.items():
        if name not in own or method is None:
            setattr(result, name, method)
    return result


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
