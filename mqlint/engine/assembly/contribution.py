"""What documents give to queue managers, and queue managers filled with it."""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from mqlint.dataclass import frozen, mutable
from mqlint.engine.document.hint import hinted, hinted_by_manifests, levels_of_manifests
from mqlint.engine.document.reading import Part
from mqlint.language.declaration import CLIENT_TYPES
from mqlint.language.execution import Execution
from mqlint.language.registry import LANGUAGES
from mqlint.model.core.inserts import NO_INSERTS, Inserts, inserts_of, with_values
from mqlint.model.core.key import QueueManagerKey
from mqlint.model.core.origin import Document, Files, Origin
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.script_steps import Script, Text
from mqlint.source.lines import LineMap
from mqlint.vocabulary import Target, Vocabulary
from mqlint.vocabulary.target import MULTI, ZOS

if TYPE_CHECKING:
    from mqlint.language.declaration import Declared
    from mqlint.language.ini.parser import Stanza
    from mqlint.language.mqsc import Shape
    from mqlint.language.script.step import Step

Rank = tuple[int, str, int]
"""A place in an order that is known: of the configuration, or of a script that feeds files."""

_LAST: Rank = (2, "", 0)
_MANY_CALLS = 16
"""From so many calls of a document on, those that make no difference are left out."""
_CREATES = "crtmqm"
_ScriptKey = tuple[str, bool, str]
"""Path, whether a clock runs its lines, and the host to which it sends commands."""
_LONGEST_NAME_ON_ZOS = 4
_NO_VALUES: Mapping[str, str] = {}
_MULTI = frozenset(
    "crtmqm strmqm endmqm dltmqm setmqaut dspmqaut dmpmqaut rcdmqimg rcrmqobj migmqlog".split()
)
"""Control commands of a local queue manager that z/OS does not have."""
_STORAGE = ("BUFFPOOL", "PSID")
"""What only the initialization input of z/OS defines: other files have no such commands."""


@mutable
class Contribution:
    """The content of one document for one queue manager.

    `steps` are certainly about it. `unbound`, and the commands at the offsets `calls`, may be about
    any. `loose` are steps of no queue manager, or of other hosts, which are judged as commands;
    `unbound` are then the other steps of the script, which name one. `sent` are those of the
    `calls` that are ssh with steps of a known host, and `calls_of_hosts` the others, which any of
    its hosts may run: None before the first host needs them. `rebuilt` are the queue managers that
    the document deletes and creates again, if it deletes no others. `files` are those of its
    places, if there are several. `values` are those of the variables in it. `root` is a path of its
    site, if its own tells none. `document` is the path of the document that yields it, if `path` is
    another.
    """

    path: str
    lines: LineMap
    rank: Rank | None
    language: str
    digest: str
    part: Part | None = None
    stanzas: tuple[Stanza, ...] = ()
    host: tuple[Stanza, ...] = ()
    steps: Sequence[Step] = ()
    unbound: tuple[Step, ...] = ()
    loose: tuple[Step, ...] = ()
    calls: tuple[int, ...] = ()
    sent: frozenset[int] = frozenset()
    calls_of_hosts: list[int] | None = None
    declared: tuple[Declared, ...] = ()
    rebuilt: tuple[str, ...] = ()
    files: Files = ()
    values: Mapping[str, str] = field(default_factory=lambda: _NO_VALUES)
    root: str = ""
    document: str = ""

    @property
    def source(self) -> str:
        """The path of the document that yields it, which may be in another file (`path`)."""
        return self.document or self.path

    @property
    def size(self) -> int:
        return 0 if self.part is None else len(self.part.commands)

    @property
    def at(self) -> int:
        """The offset of its MQSC in the document, 0 if it has none."""
        return self.part.segments[0][1] if self.part is not None and self.part.segments else 0

    @property
    def has_more(self) -> bool:
        """Whether it has more than MQSC; thousands of texts in one script have not."""
        return bool(self.stanzas or self.host or self.steps or self.declared or self.loose)

    @property
    def generated(self) -> str:
        """When the dump was made, blank when it does not say."""
        header = self.part.header if self.part is not None else None
        return (header.generated or "") if header is not None else ""

    @property
    def is_dump(self) -> bool:
        """Return whether this is a dump, which shows the present state, not the intended one."""
        return self.part is not None and self.part.header is not None

    @property
    def is_shown(self) -> bool:
        """Whether this is what DISPLAY showed of a queue manager."""
        return self.part is not None and self.part.role == "shown"

    @property
    def is_script(self) -> bool:
        """Whether this is MQSC that was run, or is to be."""
        return self.part is not None and not (self.is_dump or self.is_shown)

    @property
    def is_of_client(self) -> bool:
        """Whether this is how an application connects: its path says nothing of who is called."""
        return bool(self.declared) and all(found.type in CLIENT_TYPES for found in self.declared)

    @property
    def is_timed(self) -> bool:
        """Whether its lines run by themselves, each at its time."""
        return LANGUAGES[self.language].scheduled


@frozen(eq=False)
class Description:
    """Contributions that together describe a queue manager: a dump or none, and MQSC after it.

    With `supposed` they are one text that may not run, read as if it ran.
    """

    dumps: Sequence[Contribution] = ()
    scripts: Sequence[Contribution] = ()
    supposed: bool = False

    @property
    def is_partial(self) -> bool:
        """Return whether it certainly omits objects: output of DISPLAY, or a text alone."""
        return self.supposed or any(script.is_shown for script in self.scripts)


def in_order(given: Iterable[Contribution]) -> list[Contribution]:
    """Return contributions in the known order of their effects, others after them.

    The first one decides the site of the queue manager, so those of applications come last.
    """
    return sorted(given, key=lambda each: (each.is_of_client, each.rank or _LAST, each.path))


def descriptions(given: Sequence[Contribution]) -> Iterator[Description]:
    """Yield the descriptions of a queue manager: by scripts, by a dump, by DISPLAY.

    Of several dumps the newest counts. The first description exists even without any MQSC.
    """
    newest = sorted(
        (contribution for contribution in given if contribution.is_dump),
        key=lambda contribution: contribution.generated,
    )[-1:]
    scripts = [contribution for contribution in given if contribution.is_script]
    shown = [contribution for contribution in given if contribution.is_shown]
    if scripts or not (newest or shown):
        yield Description(newest, scripts)
    if newest:
        yield Description(newest)
    if shown:
        yield Description(scripts=shown)


def suppositions(given: Iterable[Contribution]) -> Iterator[Contribution]:
    """Yield each text that may not run, alone: what one choice decides.

    That is a function, a branch or a loop of a script, or a branch of a template. Its own content
    does not depend on whether it runs. A queue manager that a script makes under an unknown name is
    one too.
    """
    for contribution in given:
        alone = partial(replace, contribution, part=None, stanzas=(), host=(), steps=[], loose=())
        if contribution.part is not None:
            for commands in contribution.part.choices():
                yield alone(part=replace(contribution.part, commands=commands))
        here = (step for step in contribution.loose if step.execution.sent_at is None)
        for steps in _of_nameless(here):
            yield alone(steps=steps)


def _of_nameless(steps: Iterable[Step]) -> Iterator[list[Step]]:
    """Yield each crtmqm with the steps up to the next: what makes a queue manager, and follows."""
    made: list[Step] = []
    for step in steps:
        if step.command == _CREATES:
            if made:
                yield made
            made = []
        if made or step.command == _CREATES:
            made.append(step)
    if made:
        yield made


def stated_target(
    target: Target,
    queue_manager: QueueManagerKey,
    dumps: Iterable[Contribution],
    given: Sequence[Contribution],
    vocabulary: Vocabulary,
) -> Target:
    """Return `target`, with missing parts taken from the documents and the name.

    A name of more than four characters is not one of z/OS (IBM MQ documentation, q088710_).
    """
    platforms = {LANGUAGES[contribution.language].platform for contribution in given} - {None}
    if platforms:
        target = replace(target, platform=max(platforms, key=str))  # z/OS before IBM i
    for dump in dumps:
        if dump.part is not None:
            target = hinted(target, dump.part.header, dump.part.commands)
    for contribution in given if target.level is None else ():
        levels = levels_of_manifests(contribution.declared)
        target = hinted_by_manifests(target, levels, queue_manager.name)
    if target.platform is None:
        each = {*_platforms(given, vocabulary)}
        if any(map(_is_of_multiplatforms, given)):
            each = {MULTI}
        elif any(map(_defines_storage, given)):
            each = {ZOS}
        shown = {target.narrowed(found) for found in each} - {target}
        if len(queue_manager.name) > _LONGEST_NAME_ON_ZOS and not queue_manager.anonymous:
            each.add(MULTI)
        implied = {target.narrowed(found) for found in each} - {target}
        if len(implied) == 1:
            target = replace(implied.pop(), implied=bool(shown) and not queue_manager.anonymous)
    return target


def _is_of_multiplatforms(contribution: Contribution) -> bool:
    """Whether it is qm.ini, or has control commands that only Multiplatforms have."""
    return bool(contribution.stanzas) or any(step.command in _MULTI for step in contribution.steps)


def _defines_storage(contribution: Contribution) -> bool:
    shapes = _shapes(contribution)
    return any(shape.verb == "DEFINE" and shape.noun in _STORAGE for shape in shapes)


def _platforms(given: Iterable[Contribution], vocabulary: Vocabulary) -> Iterator[frozenset[str]]:
    """Yield the platforms of the commands of one queue manager."""
    for shape in chain.from_iterable(map(_shapes, given)):
        spec = vocabulary.command(shape.verb, shape.noun) if shape.verb is not None else None
        if spec is not None and not spec.is_display:
            yield spec.platforms


def _shapes(contribution: Contribution) -> Iterable[Shape]:
    commands = contribution.part.commands if contribution.part is not None else ()
    # By identity: a shape has many words to hash.
    return {id(command.form.shape): command.form.shape for command in commands}.values()


def fill(manager: QueueManager, chosen: Description, given: Sequence[Contribution]) -> None:
    """Apply the MQSC that is chosen, and attach all else that is given."""
    declared = inserts_of(
        manager.key,
        [stanza for contribution in given for stanza in contribution.stanzas],
        [step for contribution in given for step in contribution.steps],
    )
    manager.inserts = with_values(declared, (contribution.values for contribution in given))
    orders: dict[tuple[int, str], Origin] = {}
    origins = {
        id(dump): _apply(manager, dump, dump.part, orders, supposed=chosen.supposed)
        for dump in (*chosen.dumps, *chosen.scripts)
        if dump.part is not None
    }
    for contribution in given:
        if contribution.has_more or id(contribution) not in origins:
            _attach(manager, contribution)
    if not chosen.supposed:  # by itself a text is in no order
        manager.scripts.extend(_scripts(given, origins))
    is_changed = any(contribution.is_script for contribution in given)
    manager.superseded = bool(chosen.dumps) and not chosen.scripts and is_changed


def _apply(
    manager: QueueManager,
    contribution: Contribution,
    part: Part,
    orders: dict[tuple[int, str], Origin],
    *,
    supposed: bool,
) -> Origin:
    """Apply one text, and return its origin; texts in a known order share one of the `orders`."""
    origin = _origin(contribution, part, manager.inserts, supposed=supposed)
    manager.origins.append(origin)
    order = orders.setdefault(_order_of(contribution), origin)
    manager.apply(part.commands, origin, order, part.header)
    if part.segments is None and not supposed:
        manager.documents.append(
            Document(contribution.language, contribution.digest, origin, part.commands)
        )
    return origin


def _origin(
    contribution: Contribution,
    part: Part,
    inserts: Inserts = NO_INSERTS,
    *,
    supposed: bool = False,
) -> Origin:
    return Origin(
        contribution.path,
        contribution.lines,
        part.segments,
        contribution.is_dump,
        part.execution.maybe,
        contribution.is_shown,
        inserts,
        supposed,
        contribution.files,
        part.entry,
    )


def _order_of(contribution: Contribution) -> tuple[int, str]:
    """The key that texts in a known order share: the configuration, or one script."""
    rank = contribution.rank
    return (_LAST[0], contribution.path) if rank is None else rank[:2]


def _attach(manager: QueueManager, contribution: Contribution) -> None:
    """Add everything except MQSC."""
    origin = Origin(contribution.path, contribution.lines, files=contribution.files)
    manager.origins.append(origin)
    manager.stanzas.extend((stanza, origin) for stanza in contribution.stanzas)
    manager.host.extend((stanza, origin) for stanza in contribution.host)
    if contribution.steps:
        manager.steps.append((contribution.steps, origin))
    manager.declared.extend((declared, origin) for declared in contribution.declared)
    if contribution.loose:
        named, calls = list(contribution.unbound), list(contribution.calls)
        manager.loose.append(
            Script(origin, list(contribution.loose), named, calls, timed=contribution.is_timed)
        )


def _scripts(given: Iterable[Contribution], origins: Mapping[int, Origin]) -> Iterable[Script]:
    """The steps of the documents; a dump has few. `origins` are those of texts that were applied.

    Steps that a program leaves to the clock are lines of a schedule, not of the program. Those
    that it sends to another host are a script of that host.
    """
    scripts: dict[_ScriptKey, Script] = {}
    for contribution in given:
        part = contribution.part if contribution.is_script else _resets(contribution)
        if part is None and not contribution.steps:
            continue
        own = _script(scripts, contribution, contribution.is_timed)
        for step in contribution.steps:
            _run_by(step.execution, own, scripts, contribution).steps.append(step)
        if contribution.steps:
            own.unbound[:] = contribution.unbound
        if part is not None:
            origin = origins.get(id(contribution)) or _origin(contribution, part)
            run_by = _run_by(part.execution, own, scripts, contribution)
            run_by.texts.append(Text(origin, part.commands, part.execution))
    return [replace(script, calls=[*_nearest(script)]) for script in scripts.values()]


def _resets(contribution: Contribution) -> Part | None:
    """What dmpmqcfg -s adds to a dump: RESET CHANNEL, each with its channel; None without."""
    part = contribution.part if contribution.is_dump else None
    commands = part.commands if part is not None else ()
    reset = {command.name for command in commands if command.form.shape.verb == "RESET"}
    if part is None or not reset:
        return None
    return replace(
        part,
        commands=[
            command
            for command in commands
            if command.form.shape.noun == "CHANNEL" and command.name in reset
        ],
    )


def _is_late(execution: Execution, contribution: Contribution) -> bool:
    """Whether the document leaves a command to the clock, and is not a schedule itself."""
    return execution.schedule is not None and not contribution.is_timed


def _nearest(script: Script) -> Sequence[int]:
    """Of the calls between two steps the first and the last, as any of them may do anything.

    A document may have thousands of calls, and as many queue managers.
    """
    calls = script.calls
    if len(calls) < _MANY_CALLS:
        return calls
    own = {step.span[0] for step in script.steps}
    called = (step.execution.called_at for step in script.steps)
    own.update(offset for offset in called if offset is not None)
    own.update(text.position(command)[0] for text in script.texts for command in text.commands)
    found: dict[int, None] = {}
    done = 0
    for place in (*sorted(own), sys.maxsize):
        end = bisect_left(calls, place, done)
        if end > done:
            found |= {calls[done]: None, calls[end - 1]: None}
        done = end
    return list(found)


def _run_by(
    execution: Execution,
    own: Script,
    scripts: dict[_ScriptKey, Script],
    contribution: Contribution,
) -> Script:
    """The script that a command belongs to: the clock's, that of another host, or `own`."""
    if _is_late(execution, contribution):
        return _script(scripts, contribution, True)
    if execution.host:
        return _script_of_host(scripts, contribution, execution.host)
    return own


def _script_of_host(
    scripts: dict[_ScriptKey, Script], contribution: Contribution, host: str
) -> Script:
    """The commands that a document sends to a host; what it sends elsewhere does not matter."""
    key = contribution.path, False, host
    if key not in scripts:
        if contribution.calls_of_hosts is None:
            others = (call for call in contribution.calls if call not in contribution.sent)
            contribution.calls_of_hosts = [*others]
        origin = Origin(contribution.path, contribution.lines)
        scripts[key] = Script(origin, calls=contribution.calls_of_hosts)
    return scripts[key]


def _script(scripts: dict[_ScriptKey, Script], contribution: Contribution, timed: bool) -> Script:
    """The script of a document, or the lines of it that a clock runs."""
    key = contribution.path, timed, ""
    if key not in scripts:
        scripts[key] = Script(
            Origin(contribution.path, contribution.lines),
            unbound=list(contribution.unbound),
            calls=list(contribution.calls),
            timed=timed,
            rebuilt=contribution.rebuilt,
        )
    return scripts[key]
