"""The plan of a change: the steps of one queue manager in the order that works."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, groupby

from mqlint.dataclass import frozen
from mqlint.finding import Location
from mqlint.model.change.dependants import Dependants
from mqlint.model.change.described import UnknownValueError
from mqlint.model.change.mqsc import quoted
from mqlint.model.change.order import needed_first
from mqlint.model.change.questions import status_of
from mqlint.model.change.step import PlanQuestion, PlanStep
from mqlint.model.change.steps import Steps
from mqlint.model.comparison.difference import Difference
from mqlint.model.comparison.managers import Comparison
from mqlint.model.comparison.written import Key, Rename, by_key
from mqlint.model.core.ini_settings import setting_place
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.vocabulary.effects import Effect, Effects


@frozen
class UndoingSetting:
    """A setting that undoes changes at the next start of the queue manager, and its `place`."""

    text: str
    place: Location | None = None


@frozen
class RemainingDifference:
    """A difference that no command can make; `effect` is that of editing an ini file."""

    difference: Difference
    effect: Effect | None = None


@frozen(eq=False)
class Plan:
    """The steps that turn a queue manager into the one that another description defines.

    `now` and `wanted` are both descriptions. `steps` are in an order that works, with the commands
    `stops` before and `starts` after them. `left` are differences without a command: the files do
    not decide them, or no MQSC command changes them.
    """

    now: QueueManager
    wanted: QueueManager
    steps: tuple[PlanStep, ...]
    left: tuple[RemainingDifference, ...]
    undone: tuple[UndoingSetting, ...]
    notes: tuple[tuple[str, int], ...]

    @property
    def commands(self) -> list[str]:
        """The MQSC in the order that works; a comment says where to wait."""
        return _script([_Part(step, step.commands, step.stops, step.starts) for step in self.steps])

    @property
    def undo(self) -> list[str]:
        """The MQSC that takes it back, in the order that works."""
        backwards = _topics_before_subscriptions(_receivers_first(self.steps[::-1]))
        return _script(
            [_Part(step, step.undo, step.undo_stops, step.undo_starts) for step in backwards]
        )

    @property
    def questions(self) -> list[PlanQuestion]:
        """What must be asked first, each once."""
        return list(dict.fromkeys(question for step in self.steps for question in step.questions))


@frozen
class _Part:
    """What a step has in a script; that of an undo is other than that of the plan."""

    step: PlanStep
    commands: tuple[str, ...]
    stops: tuple[str, ...]
    starts: tuple[str, ...]


def _script(parts: Sequence[_Part]) -> list[str]:
    first = _first_stopped(parts)
    ended = _each(part.stops for part in parts)
    stops = [command for command in ended if command.startswith("STOP ")]
    leaving = [command for command in ended if command not in stops]
    return [
        *_in_order(parts[:first]),
        *leaving,
        *_waits_of_leaving(parts, leaving),
        *stops,
        *_waits(stops),
        *_in_order(parts[first:]),
        *_each(part.step.refresh for part in parts),
        *_each(part.starts for part in parts),
    ]


def _first_stopped(parts: Sequence[_Part]) -> int:
    """The index of the first step for which something must be stopped.

    What is changed before travels on, such as a queue that leaves a cluster.
    """
    queues = {queue for part in parts if part.stops for queue in part.step.queues}
    for index, part in enumerate(parts):
        step = part.step
        if part.stops or (step.type == "qlocal" and step.name in queues and step.kind != "define"):
            return index
    return 0


def is_comment(line: str) -> bool:
    """Whether a line of a script is a comment that says where to wait."""
    return line.startswith("*")


def _waits_of_leaving(parts: Sequence[_Part], leaving: Sequence[str]) -> Iterator[str]:
    """Comments that say how to see that cluster-receivers have left their clusters.

    They leave while they run (IBM MQ documentation, csqzah061j).
    """
    if leaving:
        yield "* Wait until these show nothing on a full repository of the cluster:"
    for part in parts:
        if any(command in leaving for command in part.stops):
            name = quoted(part.step.name)
            yield f"* DISPLAY CLUSQMGR(*) WHERE(CHANNEL EQ {name})"


def _waits(stops: Sequence[str]) -> Iterator[str]:
    """Comments that say how to see that what is stopped has ended: STOP does not wait for it."""
    if stops:
        yield "* Wait until none of these shows a running instance, then run the rest:"
    for status in map(status_of, stops):
        if status:
            yield f"* {status}"


def _receivers_first(backwards: Sequence[PlanStep]) -> Sequence[PlanStep]:
    """The steps of an undo; cluster-receivers are defined again before cluster-senders."""
    found: list[PlanStep] = []
    for is_back, group in groupby(backwards, _is_deleted_channel):
        steps = list(group)
        if is_back:
            steps.sort(key=lambda step: step.subtype == "CLUSSDR")
        found += steps
    return found


def _is_deleted_channel(step: PlanStep) -> bool:
    return step.type == "channel" and step.kind == "delete"


def _topics_before_subscriptions(backwards: Sequence[PlanStep]) -> Sequence[PlanStep]:
    """The steps of an undo; a subscription that is defined again may name a topic that is, too."""
    first = next((at for at, step in enumerate(backwards) if step.type == "sub"), len(backwards))
    rest = backwards[first:]
    topics = [step for step in rest if step.type == "topic"]
    return [*backwards[:first], *topics, *(step for step in rest if step.type != "topic")]


def _in_order(parts: Sequence[_Part]) -> Iterator[str]:
    """Commands of steps; topics that are defined again are all deleted first.

    Two of them may exchange their topic strings, and a string belongs to one topic (IBM: 3300).
    """
    for is_topic, group in groupby(parts, _is_replaced_topic):
        commands = [part.commands for part in group]
        rows = zip(*commands, strict=True) if is_topic else commands
        yield from chain.from_iterable(rows)


def _is_replaced_topic(part: _Part) -> bool:
    step = part.step
    return step.type == "topic" and step.kind == "replace" and len(part.commands) == 2


def _each(groups: Iterable[Sequence[str]]) -> list[str]:
    """Commands of several steps, equal ones once."""
    return list(dict.fromkeys(command for group in groups for command in group))


def plan_of(
    comparison: Comparison, rename: Rename, effects: Effects, dependants: Dependants
) -> Plan:
    """Return the plan that turns the queue manager `comparison.b` into `comparison.a`.

    The wanted description comes first in the comparison, because `rename` is about its names.
    """
    now, wanted = comparison.b, comparison.a
    groups: dict[Key, list[Difference]] = {}
    left: list[Difference] = []
    for difference in comparison.differences:
        found = difference.flipped()
        if found.key:
            groups.setdefault(found.key, []).append(found)
        else:
            left.append(found)
    steps: list[PlanStep] = []
    if groups:
        here, there = by_key(now, str), by_key(wanted, rename)
        maker = Steps(now, wanted, rename, effects)
        _add_subscriptions(groups, here, there, rename)
        for key, differences in chain.from_iterable(map(_first_and_rest, groups.items())):
            try:
                step = maker.step(here.get(key), there.get(key), differences)
            except UnknownValueError as unknown:
                left += [replace(each, why=each.why or str(unknown)) for each in differences]
                continue
            if step is None:
                left += differences
                continue
            on = here.get(key) or there.get(key)
            if step.kind != "define" and on is not None:
                subject = (on.type, on.subtype, str(key[1]))
                step = replace(step, dependants=tuple(dependants.of(wanted, *subject)))
            steps.append(step)
    steps.sort(key=lambda step: step.rank)
    undone = tuple(_undone(now)) if steps else ()
    remaining = tuple(_left(difference, effects) for difference in left)
    return Plan(now, wanted, tuple(steps), remaining, undone, comparison.notes)


def _first_and_rest(group: tuple[Key, list[Difference]]) -> Iterator[tuple[Key, list[Difference]]]:
    """The differences of one object that the other steps need, and the others."""
    key, differences = group
    first = needed_first(differences)
    for is_first in (True, False):
        part = [found for found in differences if (found.attribute in first) is is_first]
        if part:
            yield key, part


def _add_subscriptions(
    groups: dict[Key, list[Difference]],
    here: Mapping[Key, MQObject],
    there: Mapping[Key, MQObject],
    rename: Rename,
) -> None:
    """Add the subscriptions whose topic gets another topic string.

    A subscription keeps the topic string that it was made with (IBM MQ documentation, q020890_).
    """
    strings = {
        found.name: found
        for differences in groups.values()
        for found in differences
        if found.type == "topic" and found.attribute == "TOPICSTR" and found.state == "differs"
    }
    for key in [key for key in here if key in there and key not in groups] if strings else ():
        sub = there[key]
        topic = strings.get(rename(str(sub.value("TOPICOBJ"))))
        if sub.type == "sub" and topic is not None:
            groups[key] = [replace(topic, type="sub", name=str(key[1]), key=key)]


def _left(difference: Difference, effects: Effects) -> RemainingDifference:
    """A difference without a command; that of a queue manager's file takes effect by itself."""
    file, _, stanza = difference.name.partition(" ")
    is_known = difference.attribute or difference.state != "undecided"
    if difference.type != "stanza" or file == "mqclient.ini" or not is_known:
        return RemainingDifference(difference)
    return RemainingDifference(
        difference, effects.of_setting(stanza.split(" ")[0], difference.attribute)
    )


def _undone(manager: QueueManager) -> Iterator[UndoingSetting]:
    """What runs at each start of the queue manager, and may set other values again."""
    place = setting_place(manager.stanzas, "autoconfig", "MQSCConfig")
    if place is not None:
        text = "automatic configuration runs MQSC at each start (AutoConfig, MQSCConfig)"
        yield UndoingSetting(text, place)
    for step, origin in manager.control_steps("crtmqm"):
        option = step.option("ic")
        if option is not None and place is None:
            span = option.value_span
            where = None if span is None else origin.location(span)
            yield UndoingSetting(
                "automatic configuration runs MQSC at each start (crtmqm -ic)", where
            )
    if manager.target.on_zos:
        yield UndoingSetting("CSQINP2 of the started task runs MQSC at each start")
