"""What the attributes of one command ask of one another, as the vocabulary says it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from mqlint.language.mqsc import Command, Secret, Shape, Templated, decode
from mqlint.vocabulary import UNKNOWN, AttributeSpec, CommandSpec

Fault = tuple[str, str, dict[str, str]]
"""A code, the attribute at fault ('' for the noun), and data."""

Further = Callable[[Command], Iterable[Fault]]

_SHIPPED = "SYSTEM.DEF"
"""The default objects of the product, whose attributes are blank until they are copied."""


def relations_of(
    command: CommandSpec, shape: Shape, subtype: str | None, waived: bool
) -> Iterator[Further]:
    """Yield what is to be asked of the values of each command of `shape`.

    `waived` says that another object supplies what the command does not write (LIKE).
    """
    if command.is_display:
        return
    is_whole = command.verb != "ALTER" and not waived and not shape.open
    for spec in command.attributes:
        is_written = spec.word in shape.words
        if is_written and spec.only_with:
            yield partial(_only_with, command, spec, spec.only_with, "attribute-conflict", is_whole)
        if is_written and spec.idle_without:
            yield partial(_only_with, command, spec, spec.idle_without, "attribute-idle", is_whole)
        if is_written and subtype is not None and subtype in spec.filled:
            yield partial(_filled, command, spec, f" {command.subtype_word}({subtype})")
        if is_whole and spec.needed_with:
            yield partial(_needed_with, command, spec)


def _only_with(
    command: CommandSpec,
    spec: AttributeSpec,
    conditions: Mapping[str, frozenset[str]],
    code: str,
    is_whole: bool,
    written: Command,
) -> Iterator[Fault]:
    """A value that another attribute excludes; a blank and the default exclude nothing."""
    raw = written.get(spec.word)
    if raw is None or isinstance(raw, Templated):
        return
    if not isinstance(raw, Secret) and decode(raw) in ("", spec.default):
        return
    for other, allowed in conditions.items():
        value = _value(command, other, is_whole, written)
        if value is not None and value not in allowed:
            shown = f"with {other}({', '.join(sorted(allowed))})"
            data = {"other": f"{other}({value})", "allowed": shown}
            yield code, spec.word, {"command": command.text, **data}


def _filled(
    command: CommandSpec, spec: AttributeSpec, subtype: str, written: Command
) -> Iterator[Fault]:
    raw = written.get(spec.word)
    is_blank = raw is not None and not isinstance(raw, Templated | Secret) and not decode(raw)
    if is_blank and not (written.name or "").startswith(_SHIPPED):
        yield "blank-attribute", spec.word, {"command": command.text + subtype}


def _needed_with(command: CommandSpec, spec: AttributeSpec, written: Command) -> Iterator[Fault]:
    raw = written.get(spec.word)
    if isinstance(raw, Templated | Secret) or (raw is not None and decode(raw)):
        return
    if (written.name or "").startswith(_SHIPPED):
        return
    for other, values in spec.needed_with.items():
        value = _value(command, other, True, written)
        if value is not None and value in values:
            text = f"{command.text} with {other}({value})"
            if written.get(other) is None:
                text += ", its default,"
            if raw is None:
                yield "missing-attribute", "", {"command": text, "word": spec.word}
            else:
                yield "blank-attribute", spec.word, {"command": text}


def _value(command: CommandSpec, word: str, is_whole: bool, written: Command) -> str | None:
    """The value of an attribute in upper case, its default if it is not written; None if unknown.

    A default that depends on the platform, the type or an installation is unknown.
    """
    raw = written.get(word)
    if raw is not None:
        if isinstance(raw, Templated):
            return None
        value = decode(raw).upper()
    elif word in written.shape.words or not is_whole:
        return None
    else:
        spec = command.attribute(word)
        default = None if spec is None else spec.default
        value = default if isinstance(default, str) and default != UNKNOWN.value else ""
    return value or None
