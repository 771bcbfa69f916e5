"""The words of a plan: effects, steps, sources."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from mqlint.chlauth.admission import Admission, user_of
from mqlint.cli.chlauth.verdicts import addresses_of, outcome_json
from mqlint.cli.diff.render import ONLY_IN, attribute_text, value_text
from mqlint.cli.plan.plans import Plans
from mqlint.model.change.between import Precedence
from mqlint.model.change.dependants import Dependant
from mqlint.model.change.plan import Plan, is_comment
from mqlint.model.change.step import AttributeChange, PlanStep
from mqlint.model.comparison.difference import Difference
from mqlint.patterns import later
from mqlint.report.json import Json, fields_of
from mqlint.report.terminal import counted, visible
from mqlint.source.display import listed
from mqlint.vocabulary.effects import Effect

WHEN: Mapping[str, str] = {
    "now": "at once",
    "connection": "for new connections",
    "open": "for applications that open the queue after the change",
    "channel": "after a restart of the channel",
    "listener": "after a restart of the listener",
    "manager": "after a restart of the queue manager",
    "ssl": "after REFRESH SECURITY TYPE(SSL), which restarts TLS channels",
    "connauth": "after REFRESH SECURITY TYPE(CONNAUTH)",
    "creation": "only for queue managers that are created after the change",
    "fixed": "refused by ALTER: the object is deleted and defined again",
    "unknown": "unknown: no source states when it takes effect",
}
_NUMBER = later(r"q\d{6}")
_LAST = later(r"(?<![\w-])[\w-]++(?=\.html?$|$)")
_MANY = 12


def effect_text(effect: Effect) -> str:
    """Return when a change takes effect, with the number or name of IBM's page."""
    source = _NUMBER.search(effect.see) or _LAST.search(effect.see)
    page = f" ({source[0]})" if source else ""
    is_known = effect.when != "unknown"
    text = f"{WHEN[effect.when]}{page if is_known else ''}"
    if effect.refused:
        text += f"; refused if {effect.refused}"
    if effect.then:
        text += f"; {effect.then}"
    if effect.lost:
        text += f"; lost: {effect.lost}"
    if not is_known:
        text += page
    return text


def change_text(change: AttributeChange) -> str:
    values = f"{value_text(change.before)} -> {value_text(change.after)}"
    return f"{change.attribute}: {values}: {effect_text(change.effect)}"


def step_title(step: PlanStep) -> str:
    verb = {"replace": "delete and define"}.get(step.kind, step.kind)
    if step.kind == "define" and step.type in ("chlauth", "authrec", "policy"):
        verb = "add"
    return f"{verb} {object_title(step)}"


def object_title(step: PlanStep) -> str:
    return " ".join(filter(None, (step.type, step.name)))


def precedence_texts(found: Sequence[Precedence]) -> Iterator[str]:
    """Yield what must be done at one queue manager before something at another."""
    for each in found[:_MANY]:
        steps = (f"{own.queue_manager}: {step_title(own.step)}" for own in (each.first, each.then))
        yield ", before ".join(steps)
    if len(found) > _MANY:
        yield f"{len(found) - _MANY:,} more: --format json lists them"


def dependants_text(step: PlanStep) -> str:
    """Return what depends on the object of a step, blank if nothing in the files does."""
    texts = dict.fromkeys(_dependant(found) for found in step.dependants)
    if not texts:
        return ""
    return f"depends on it: {listed([*texts], _MANY)}"


def _dependant(found: Dependant) -> str:
    name = " ".join(filter(None, (found.type, found.name, found.attribute)))
    if found.queue_manager:
        name += f" of {found.queue_manager}"
        name += f" at {found.site}" if found.site else ""
    return name


def left_text(found: Difference, effect: Effect | None = None) -> str:
    """Return a difference that no command of the plan makes, and when an edit takes effect."""
    what = ONLY_IN.get(found.state, "")
    name = " ".join(filter(None, (found.type, found.name)))
    if found.attribute:
        name += f" {attribute_text(found)}"
    edit = "" if effect is None else f"edit the file: {effect_text(effect)}"
    detail = "; ".join(filter(None, (what, found.why, edit)))
    return f"{name}: {detail}" if detail else name


def left_out_text(found: Plans) -> str:
    """Return what the configuration leaves out, blank if that is nothing."""
    words = ", ".join(found.result.left_out)
    return f"left out by the configuration: {words}" if words else ""


GIVEN = "Given that"


def sections(plan: Plan, admitted: Sequence[Admission]) -> Iterator[tuple[str, list[str]]]:
    """Yield the lists of a plan beside its steps and questions, each with its title."""
    undone = (
        f"{found.text} [{found.place.line_text}]" if found.place else found.text
        for found in plan.undone
    )
    lists = (
        ("Connections", [admission_text(found) for found in admitted]),
        (GIVEN, assumptions(admitted)),
        (
            "No command makes these differences",
            [left_text(found.difference, found.effect) for found in plan.left],
        ),
        ("May undo the change at the next start", list(undone)),
    )
    return ((title, texts) for title, texts in lists if texts)


def outcome(plans: tuple[Plan, ...], alone: int) -> str:
    steps = sum(len({(step.type, step.name) for step in plan.steps}) for plan in plans)
    left = sum(len(plan.left) for plan in plans) + alone
    if not steps and not left:
        return f"No differences in {counted(len(plans), 'queue manager')}."
    commands = sum(not is_comment(line) for plan in plans for line in plan.commands)
    text = f"{counted(steps, 'object')} to change by {counted(commands, 'command')}"
    return f"{text}; {counted(left, 'difference')} without a command." if left else f"{text}."


def admission_text(found: Admission) -> str:
    if found.same_as:
        return f"{found.kind}: on {found.channel} as on {found.same_as}"
    if found.fault:
        return f"not decided: {found.who} on {found.channel}: {found.fault}"
    users = [user_of(outcome) for outcome in (found.before, found.after)]
    if found.kind == "other user":
        user = (
            f" as {users[1] or 'the user it asserts'}, not as {users[0] or 'the user it asserts'}"
        )
    else:
        named = users[found.kind == "newly admitted"]
        user = f" as {named}" if named else ""
    places = [
        record.place.line_text
        for record in (found.before.record, found.after.record)
        if record is not None and record.place is not None
    ]
    at = f" [{' | '.join(dict.fromkeys(places))}]" if places else ""
    who = "" if found.who == "anybody" else f" ({found.who})"
    where = addresses_of(found.addresses)
    return f"{found.kind}: {where}{user} on {found.channel}{who}, for example {found.witness}{at}"


def admission_json(found: Admission) -> dict[str, Json]:
    return {
        **fields_of(found, "kind channel who"),
        "addresses": found.addresses.written(),
        "witness": found.witness or None,
        "before": {**outcome_json(found.before), "user": user_of(found.before) or None},
        "after": {**outcome_json(found.after), "user": user_of(found.after) or None},
        **fields_of(found, "fault? same_as?"),
    }


def assumptions(found: Iterable[Admission]) -> list[str]:
    notes: dict[str, None] = {}
    for admission in found:
        for outcome in (admission.before, admission.after):
            notes.update(dict.fromkeys(outcome.assumptions))
    return list(notes)


def script_lines(found: Plans, *, is_undo: bool) -> Iterator[str]:
    """Yield the script of each plan, with comments about what it does not do."""
    for plan in found.plans:
        if plan.steps:
            yield from _script(plan, is_undo=is_undo)


def _script(plan: Plan, *, is_undo: bool) -> Iterator[str]:
    what = "undo of the plan for" if is_undo else "plan for"
    yield comment(f"{what} {plan.now.key.title}")
    for note in script_notes(plan, is_undo=is_undo):
        yield comment(note)
    yield from plan.undo if is_undo else plan.commands


def script_notes(plan: Plan, *, is_undo: bool) -> Iterator[str]:
    """Yield what the script does not do: secrets, and values that the files do not say."""
    # With its CONNAUTH in force and no password, an LDAP object lets nobody in.
    refreshes = any(command.startswith("REFRESH SECURITY") for command in plan.commands)
    when = ", before REFRESH SECURITY" if refreshes else ""
    for step in plan.steps:
        for word in () if is_undo else step.by_hand:
            yield f"by hand{when}: {object_title(step)} {word}, a secret"
        for gap in step.gaps if is_undo else ():
            yield f"not undone: {object_title(step)}: {gap}"


def comment(text: str) -> str:
    """Return a comment line of MQSC; one that ends in a sign of continuation would go on."""
    return "* " + visible(text).replace("\n", " ").rstrip("+- ")
