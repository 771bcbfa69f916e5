"""The queue managers that the parts of one document are for, by the document and its path."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal

from mqlint.dataclass import NamedTuple
from mqlint.engine.assembly.contribution import Contribution, Rank
from mqlint.engine.document.reading import Part, Reading
from mqlint.grouping import grouped
from mqlint.language.declaration import CLIENT_TYPES
from mqlint.language.mqsc import Command, Templated, decode
from mqlint.language.registry import LANGUAGES
from mqlint.model.core.value import addresses

if TYPE_CHECKING:
    from mqlint.language.declaration import Declared
    from mqlint.language.ini.parser import Stanza
    from mqlint.language.script.step import Step

_MANY_STEPS = 32
"""With more steps than this whose queue manager is not known, the order of steps is unknown."""

_MANY_MODELS = 16
"""With more queue managers than this that a script distinguishes, their steps are judged alone."""

_LAST = "\U0010ffff"
"""A text after all names."""

OpenTo = Literal["all", "manifest", "server", ""]
"""What may supply a missing name: any document, a manifest, an application's target, nothing."""


class Address(NamedTuple):
    """The queue manager that a part of a document is for, by this document and its path.

    `name` is the queue manager, `model` and `entry` are those of `Part`. Without a name, `open_to`
    says what may supply it: anything (`all`), a manifest only, or nothing. The connection of an
    application (`server`) is for the queue manager with the name that it `calls`, otherwise for the
    one at its `hosts`, each as `host(port)`. `is_unnamed`: no other file can give it a name.
    """

    name: str | None
    model: str = ""
    entry: str = ""
    open_to: OpenTo = ""
    calls: str = ""
    hosts: tuple[str, ...] = ()
    is_unnamed: bool = False


def addressed(
    path: str,
    reading: Reading,
    by_path: str | None,
    rank: Rank | None,
    stretches: Sequence[tuple[int, str]] = (),
    *,
    is_given: bool = False,
) -> Iterator[tuple[Address, Contribution]]:
    """Yield the contributions of a document, each with the queue manager that it is for.

    `by_path` is the queue manager that its path names, `rank` its place in the order of documents.
    `stretches` are offsets from which on the text is for another queue manager, blank for none.
    `is_given`: other files give values to variables of it.
    """

    def by_place(offset: int) -> str | None:
        at = bisect_right(stretches, (offset, _LAST)) - 1
        return by_path or (stretches[at][1] if at >= 0 else "") or None

    nameless = [step for step in reading.steps if step.queue_manager is None and not step.every]
    unbound, calls = _of_any(nameless, reading.calls)
    give = partial(
        Contribution,
        path,
        reading.lines,
        rank,
        reading.language,
        reading.digest,
        unbound=unbound,
        calls=calls,
        sent=frozenset(
            at
            for step in reading.steps
            if step.execution.host and (at := step.execution.sent_at) is not None
        ),
        rebuilt=_rebuilt(reading.steps),
    )
    language = LANGUAGES[reading.language]
    for part in reading.parts:
        if part.role != "refused":
            owner = part.queue_manager or by_place(part.segments[0][1] if part.segments else 0)
            for name, of_name in _by_scope(part, owner):
                yield Address(name, part.model, part.entry, "all"), give(part=of_name)
    if reading.stanzas and not language.recorded:
        for (stated, model, entry), stanzas in _by_owner(reading.stanzas).items():
            address = Address(stated or by_path, model, entry, "manifest")
            yield address, give(stanzas=tuple(stanzas))
    for name, host in _registered(reading.stanzas).items():
        yield Address(name), give(host=host)
    if language.ownership == "declared":
        yield from _of_declaring(reading, by_path, by_place, give)
    elif language.ownership == "program":
        yield from _of_program(reading, by_path, give)
    else:
        yield from _of_script(reading, by_path, give, 1 if is_given else 2)


def _by_scope(part: Part, owner: str | None) -> Iterator[tuple[str | None, Part]]:
    """Yield MQSC for each queue manager: CMDSCOPE sends a command to another one of the group."""
    scoped = [each for each in part.commands if "CMDSCOPE" in each.form.shape.words]
    if not scoped or owner is None or part.role != "script":
        yield owner, part
        return
    of_other: dict[str, list[Command]] = {}
    for command in scoped:
        raw = command.get("CMDSCOPE")
        name = "" if raw is None or isinstance(raw, Templated) else decode(raw).strip()
        if name not in ("", "*", owner):
            of_other.setdefault(name, []).append(command)
    sent = {id(command) for commands in of_other.values() for command in commands}
    yield owner, replace(part, commands=[each for each in part.commands if id(each) not in sent])
    for name, commands in of_other.items():
        yield name, replace(part, commands=commands)


def _of_script(
    reading: Reading, by_path: str | None, give: Callable[..., Contribution], least: int
) -> Iterator[tuple[Address, Contribution]]:
    """Yield the declarations and steps of a document, each for the queue manager it names.

    `least` are the steps that make up a queue manager that it does not name.
    """
    for declared in reading.declared:
        owner, model = declared.queue_manager or by_path, declared.model
        address = calling(declared, by_path) or Address(owner, model, open_to="all")
        yield address, give(declared=(declared,))
    for queue_manager, steps in _by_name(reading.steps, by_path).items():
        yield Address(queue_manager), give(steps=steps)
    by_model = _by_model(reading, least)
    for model, steps in by_model.items():
        others, calls = _of_any(_without(reading.steps, steps), reading.calls)
        address = Address(None, model) if model else Address(by_path, open_to="all")
        yield address, give(steps=steps, unbound=others, calls=calls)
    bound = {id(step) for steps in by_model.values() for step in steps}
    loose = tuple(
        step for step in reading.steps if step.queue_manager is None and id(step) not in bound
    )
    if loose or reading.remote:
        named = _without(reading.steps, loose)
        calls = tuple(sorted(reading.calls))
        alone = (*loose, *reading.remote)
        yield Address(None), give(loose=alone, unbound=named, calls=calls)


def _of_any(
    steps: Sequence[Step], calls: Iterable[int]
) -> tuple[tuple[Step, ...], tuple[int, ...]]:
    """Return steps that may be for any queue manager, and the places of what may do anything.

    All queue managers of a document share them. Many steps count as commands that may do anything,
    of which each queue manager keeps only the nearest.
    """
    places = [*calls]
    if len(steps) > _MANY_STEPS:
        places += (step.position[0] for step in steps)
        steps = ()
    return tuple(steps), tuple(sorted(places))


def _of_declaring(
    reading: Reading,
    by_path: str | None,
    by_place: Callable[[int], str | None],
    give: Callable[..., Contribution],
) -> Iterator[tuple[Address, Contribution]]:
    """Yield the declarations of a document for the queue manager that they, or the path, name.

    A declaration without a name is judged alone, as MQSC is.
    """
    found: dict[Address, tuple[list[Step], list[Declared]]] = {}
    for step in reading.steps:
        owner = step.queue_manager or by_place(step.span[0])
        found.setdefault(Address(owner, open_to="all"), ([], []))[0].append(step)
    for declared in reading.declared:
        name = declared.queue_manager or by_place(declared.span[0])
        address = Address(name, "" if name else declared.model, open_to="all")
        address = calling(declared, by_path) or address
        found.setdefault(address, ([], []))[1].append(declared)
    for address, (steps, declarations) in found.items():
        yield address, give(unbound=(), steps=steps, declared=tuple(declarations))


def calling(declared: Declared, by_path: str | None) -> Address | None:
    """The address of an application's connection, None for any other declaration."""
    if declared.type not in CLIENT_TYPES:
        return None
    name, hosts = (declared.value(attribute) for attribute in ("QMNAME", "CONNAME"))
    is_stated = name not in (None, "")
    stated = name if isinstance(name, str) else ""
    called = addresses(hosts or "")
    own = None if is_stated or called else by_path
    is_unnamed = not (is_stated or declared.open)
    return Address(own, "", "", "server", stated.removeprefix("*"), called, is_unnamed)


def _of_program(
    reading: Reading, by_path: str | None, give: Callable[..., Contribution]
) -> Iterator[tuple[Address, Contribution]]:
    """Yield the steps of a CL program for the queue manager that they, or the path, name.

    Commands without a name are judged alone, and may belong to any of the others.
    """
    owned = [(step.queue_manager or by_path, step) for step in reading.steps]
    names = dict.fromkeys(name for name, step in owned if not step.every) or {by_path: None}
    found: dict[str | None, list[Step]] = {name: [] for name in names}
    for owner, step in owned:
        for name in names if step.every else (owner,):
            found[name].append(step)
    named = tuple(step for owner, step in owned if owner is not None and not step.every)
    nameless = [step for owner, step in owned if owner is None and not step.every]
    unbound, calls = _of_any(nameless, reading.calls)
    for name, mine in found.items():
        if name is None:
            yield Address(name), give(steps=mine, unbound=named, calls=tuple(sorted(reading.calls)))
        else:
            yield Address(name), give(steps=mine, unbound=unbound, calls=calls)


def _rebuilt(steps: Iterable[Step]) -> tuple[str, ...]:
    """The queue managers that a document deletes and creates again, if it deletes no others."""
    made: dict[str, set[str]] = {"create": set(), "delete": set()}
    for step in steps:
        if step.action in made and not step.execution.host:
            made[step.action].add(step.queue_manager or "")
    deleted = made["delete"]
    return tuple(sorted(deleted)) if deleted <= made["create"] - {""} else ()


def _registered(stanzas: Iterable[Stanza]) -> dict[str, tuple[Stanza, ...]]:
    """The stanzas of an mqs.ini for each queue manager in it, and those for all."""
    found: dict[str, Stanza] = {}
    general: list[Stanza] = []
    for stanza in stanzas:
        name = stanza.get("Name") if stanza.name.lower() == "queuemanager" else None
        if stanza.name.lower() != "queuemanager":
            general.append(stanza)
        elif name is not None and not name.templated and name.value:
            found.setdefault(name.value, stanza)
    return {name: (stanza, *general) for name, stanza in found.items()}


def _by_owner(stanzas: Iterable[Stanza]) -> dict[tuple[str | None, str, str], list[Stanza]]:
    """The stanzas of each queue manager that their file names or distinguishes."""
    return grouped(
        (
            (
                stanza.queue_manager,
                stanza.model if stanza.queue_manager is None else "",
                stanza.entry,
            ),
            stanza,
        )
        for stanza in stanzas
    )


def _by_name(steps: Iterable[Step], by_path: str | None) -> dict[str, list[Step]]:
    """The steps of each queue manager; steps about all of a host are with each.

    In a script without a name, they are those of the queue manager whose folder it is in.
    """
    named = {step.queue_manager: step for step in steps if step.queue_manager is not None}
    names = list(named) or ([by_path] if by_path is not None else [])
    found: dict[str, list[Step]] = {name: [] for name in names}
    for step in steps:
        for name in names if step.every else (step.queue_manager,):
            if name is not None:
                found[name].append(step)
    return {name: of_name for name, of_name in found.items() if of_name}


def _by_model(reading: Reading, least: int) -> dict[str, list[Step]]:
    """The steps of each queue manager that a script does not name, but distinguishes.

    Fewer steps than `least` are judged alone if nothing else is known to be for their queue
    manager, and so are commands on files in a folder that no command of MQ names: the queue manager
    may have another name. What changes the programs of MQ is a step for each.
    """
    found = grouped((step.model, step) for step in reading.steps if step.model is not None)
    texts = {part.model for part in reading.parts if part.queue_manager is None}
    installs = [step for step in reading.steps if step.every and step.action == "packages"]
    several = {
        model: sorted((*steps, *installs), key=lambda step: step.span) if installs else steps
        for model, steps in found.items()
        if (len(steps) + len(installs) >= least or model in texts)
        and not all(step.paths for step in steps)
    }
    return several if len(several) <= _MANY_MODELS else {}


def _without(steps: Iterable[Step], those: Iterable[Step]) -> tuple[Step, ...]:
    """The steps that name a queue manager, or may name one, apart from those given."""
    left_out = {id(step) for step in those}
    return tuple(step for step in steps if id(step) not in left_out and not step.every)
