"""Control commands against what MQ knows of them.

What the vocabulary does not have is not wrong: there are other programs, and options of newer
releases. A word is reported only if it is a typo of a known one, and, where programs or
folders may really be called so, when the script names a queue manager with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from mqlint.finding import Diagnostic
from mqlint.language.mqsc.value import Secret
from mqlint.language.text.templates import is_known
from mqlint.patterns import later
from mqlint.validity.availability import verdict
from mqlint.validity.other_hosts import other_hosts
from mqlint.vocabulary import Availability
from mqlint.vocabulary.control import ControlSpec
from mqlint.vocabulary.distance import distance
from mqlint.vocabulary.limits import LOG_FILES, NAME
from mqlint.vocabulary.target import Target, level_text, platforms_named
from mqlint.vocabulary.unknown import UNKNOWN

if TYPE_CHECKING:
    from mqlint.language.script.step import ShellScript, Step, StepOption, Typo

_CODES = {
    "command": "control-misspelt",
    "derived": "control-derived",
    "capitals": "control-capitals",
    "file": "control-path",
    "folder": "control-path",
}
_ALIKE = str.maketrans("10", "lo")
_OWN_KEYS = later(r"(?i:[/\\]qmgrs[/\\].{1,200}\.kdb\Z)")
"""The path of a CMS key repository in the folder of a queue manager."""
_DIGITS = later(r"\d+")
_QUEUE_MANAGER = later(r"[A-Za-z0-9._/%]*")
_NAME_LAST = frozenset({"crtmqm"})
"""Commands whose page says that the queue manager is the last word (q083120_)."""
_STAYING = frozenset({"listen", "trigger-monitor", "start-initiator"})
"""Actions that end only when their queue manager or another command ends them."""
_SHORTEST = 4
"""How many characters a name must have for another to be a typo of it."""
_LONG_OPTION = 5
"""How many characters an option must have for another to be a typo of it."""
_LONGEST_OPTION = 20
"""How many characters an option has at most, its hyphen too."""
_MOST = 50
"""For how many names of a script a similar one is looked for."""
_SIBLINGS = frozenset("ABCDEFGHPQRSTU")
"""Letters in which the names of related queue managers differ: ORDA and ORDB, ORDP and ORDT."""
_HELP = frozenset({"?", "h", "help", "-help", "version", "-version"})
"""What people write to see how a command is called."""


def check_control(
    script: ShellScript,
    known: Mapping[str, ControlSpec],
    target: Target,
    *,
    cased: bool,
    platform: str = "",
) -> Iterator[tuple[Step | None, Diagnostic]]:
    """Yield what is wrong with the commands of a script, each with its step where it has one.

    Only with a level of `target` is a command reported as removed. `cased` is true if capitals make
    another word. The steps that do not run on other hosts run on `platform`, blank if unknown.
    """
    here = replace(target, platform=platform) if platform and target.platform is None else target
    for step in script.steps:
        spec = known.get(step.command)
        if spec is not None:
            yield from ((step, found) for found in _not_here(step, spec, here))
        if platform == "windows":
            yield from ((step, found) for found in _kept_quotes(step))
    for step in (*script.steps, *script.remote):
        spec = known.get(step.command)
        if spec is not None:
            yield from ((step, found) for found in _step(step, spec, target, cased))
    yield from _waiting(script, known)
    yield from _unstashed(script)
    yield from _other_names(script)
    yield from _other_unit(script)
    yield from other_hosts(script)
    yield from ((None, found) for found in _typos(script))


def _step(step: Step, spec: ControlSpec, target: Target, cased: bool) -> Iterator[Diagnostic]:
    gone = _gone(step, spec, target)
    if gone is not None:
        yield gone
    refused = False  # the command ends at the first option that it does not know
    for option in step.options:
        found = _option(option, spec, cased)
        if found is not None and not (refused and found.code == "control-option-unknown"):
            refused = refused or found.code == "control-option-unknown"
            yield found
    yield from _lacking(step, spec)
    yield from _same_values(step, spec)
    yield from _alternatives(step, spec)
    action = _action(step, spec)
    if action is not None:
        yield action
    yield from _log_files(step)
    yield from _new_name(step, spec)


def _not_here(step: Step, spec: ControlSpec, target: Target) -> Iterator[Diagnostic]:
    """Yield a command, or options of it, that the platform of `target` does not have."""
    if target.platform in (None, "appliance"):  # pages of the appliance have options of their own
        return
    words = [(step.command, step.command_span, spec.platform)]
    for platform, names in spec.platforms.items():
        words += [
            (f"-{option.name} of {step.command}", option.span, platform)
            for option in step.options
            if option.name in names
        ]
    for word, span, platform in words:
        found = verdict(Availability(), target, platforms_named(platform))
        if found is not None:
            yield Diagnostic(found[0], *span, {"word": word, **found[1]})


def _kept_quotes(step: Step) -> Iterator[Diagnostic]:
    """Yield words in single quotes in a script of cmd, which passes the quotes to the command."""
    words = [(option.value, option.value_span or option.span) for option in step.options]
    words += [(operand.value, operand.span) for operand in step.operands]
    for word, span in words:
        if isinstance(word, str) and len(word) > 2 and word[0] == word[-1] == "'":
            fault = "cmd does not remove single quotes, so they are part of the word"
            yield Diagnostic("expansion", *span, {"word": word[:60], "fault": fault})
            return


def _waiting(
    script: ShellScript, known: Mapping[str, ControlSpec]
) -> Iterator[tuple[Step, Diagnostic]]:
    """Yield commands that do not end by themselves, if a later one of the script waits for them."""
    following = ""
    for step in reversed([step for step in script.steps if step.command in known]):
        if step.waits and step.action in _STAYING and following:
            data = {"command": step.command, "next": following}
            yield step, Diagnostic("control-waits", *step.span, data)
        following = following if step.execution.maybe else step.command


def _unstashed(script: ShellScript) -> Iterator[tuple[Step, Diagnostic]]:
    """Yield the key repositories of queue managers that are created without a stash file.

    KEYRPWD can hold the password too, which runqmcred encrypts.
    """
    steps = (*script.steps, *script.remote)
    is_set = any("KEYRPWD" in inner.text.upper() for inner in script.embedded)
    if is_set or any(step.command == "runqmcred" for step in steps):
        return
    stashings = (step.option("db") for step in steps if _has(step, "stashpw"))
    stashed = {db.value for db in stashings if db is not None}
    for step in steps:
        db = step.option("db") if _has(step, "keydb") and _has(step, "create") else None
        if db is None or step.open or _has(step, "stash") or stashed & {db.value, UNKNOWN}:
            continue
        if isinstance(db.value, str) and _OWN_KEYS.search(db.value) is not None:
            yield step, Diagnostic("keys-unstashed", *step.span, {"command": step.command})


def _has(step: Step, option: str) -> bool:
    return step.option(option) is not None


def _lacking(step: Step, spec: ControlSpec) -> Iterator[Diagnostic]:
    """Yield required options and operands that the command lacks, and operands that it rejects.

    A command without arguments is not judged: it may print its syntax, or test that it exists.
    """
    given = {option.name for option in step.options}
    refused = spec.evidence != "recall" and any(not option.known for option in step.options)
    asks = given & (_HELP - spec.flags - spec.values)
    if step.open or not (given or step.operands) or asks or refused:
        return
    needed = [*spec.needs]
    for names, others in spec.after.items():
        if given.issuperset(names.split()):
            needed += [tuple(other.split("|")) for other in others]
    has_words = step.operands or not all(option.known for option in step.options)
    words = given | {"operand"} if has_words else given
    lacks = [
        choice
        for choice in needed
        if words.isdisjoint(choice) and not _is_excused(step, spec.unless.get(choice[0], ()))
    ]
    if lacks and "operand" in lacks[0]:
        yield _fault(step, spec, "lacks a required operand")
    elif lacks:
        yield _fault(step, spec, f"lacks {' or '.join(f'-{name}' for name in lacks[0])}")
    elif all(option.known and not _lacks_value(option, spec) for option in step.options):
        fault = _operand_fault(step, spec)
        if fault:
            yield _fault(step, spec, fault)


def _operand_fault(step: Step, spec: ControlSpec) -> str:
    """What is wrong with the number or the place of the operands, blank for nothing."""
    least, most = spec.operands or (0, _MOST)
    count = len(step.operands)
    if count < least:
        is_excused = _is_excused(step, spec.unless.get("operand", ()))
        return "" if is_excused else "lacks a required operand"
    has_options = step.command in _NAME_LAST and bool(step.options)
    if has_options and step.operands[-1].span < step.options[-1].span:
        return "has options after the queue manager name"
    extra = step.operands[most].value if count > most else UNKNOWN
    return f"does not accept the argument {extra[:40]}" if isinstance(extra, str) else ""


def _is_excused(step: Step, values: Iterable[str]) -> bool:
    """Whether an option has one of the `values` (`t qmgr`), or a value that is not known."""
    for each in values:
        name, _, value = each.partition(" ")
        option = step.option(name)
        if option is not None and not isinstance(option.value, str):
            return True
        if option is not None and isinstance(option.value, str) and option.value.lower() == value:
            return True
    return False


def _same_values(step: Step, spec: ControlSpec) -> Iterator[Diagnostic]:
    """Yield options that have the same value and must differ."""
    for names in spec.differ:
        given = [option.value for option in step.options if option.name in names]
        if len(given) > 1 and isinstance(given[0], str) and len({*given}) == 1:
            words = " and ".join(f"-{name}" for name in names)
            yield _fault(step, spec, f"has the same value {given[0][:40]} for {words}")


def _fault(step: Step, spec: ControlSpec, fault: str) -> Diagnostic:
    return Diagnostic(_words_code(spec), *step.span, {"command": step.command, "fault": fault})


def _words_code(spec: ControlSpec) -> str:
    """The code of a fault, another one if the syntax of the command is not documented here."""
    return "control-words-recalled" if spec.evidence == "recall" else "control-words"


def _alternatives(step: Step, spec: ControlSpec) -> Iterator[Diagnostic]:
    """Options of which a command takes one, and that are given together."""
    for names in spec.alternatives:
        given = [option for option in step.options if option.name in names]
        first = given[0].name if given else ""
        other = next((option for option in given if option.name != first), None)
        if other is not None:
            data = {"option": f"-{other.name}", "other": f"-{first}", "command": step.command}
            yield Diagnostic("control-alternatives", *other.span, data)
    yield from _accompanied(step, spec)


def _accompanied(step: Step, spec: ControlSpec) -> Iterator[Diagnostic]:
    """Yield the option that takes no other one and no operand, if it has one."""
    lone = next((option for option in step.options if option.name in spec.alone), None)
    if lone is None:
        return
    others = [f"-{option.name[:20]}" for option in step.options if option.name != lone.name]
    operands = [operand.value for operand in step.operands]
    rest = [*others, *(word[:48] for word in operands if isinstance(word, str))]
    if rest:
        yield _fault(step, spec, f"-{lone.name} does not accept {rest[0]} or any other word")


def _action(step: Step, spec: ControlSpec) -> Diagnostic | None:
    """Return a fault if the second option is not valid after the first one, else None."""
    options = step.options[:2]
    if len(options) < 2 or options[0].name not in spec.actions:
        return None
    name, possible = options[1].name, spec.actions[options[0].name]
    if name in possible or name in _HELP or not is_known(name):
        return None
    if not options[1].known and _meant(name, spec, cased=True):
        return None  # it is reported as a typo
    fault = f"-{options[0].name} does not accept -{name[:40]}, only -{', -'.join(possible)}"
    data = {"command": step.command, "fault": fault}
    return Diagnostic(_words_code(spec), *options[1].span, data)


def _gone(step: Step, spec: ControlSpec, target: Target) -> Diagnostic | None:
    """A command that is gone at the level of `target`.

    That may be a command of another host, at another level: `target:` is about the queue managers.
    """
    if spec.removed is None or target.level is None or target.level < spec.removed:
        return None
    data = {
        "word": spec.name,
        "since": level_text(spec.removed),
        "level": target.level_text,
        "hint": f"; use {spec.instead}" if spec.instead else "",
    }
    return Diagnostic("removed", *step.command_span, data)


def _option(option: StepOption, spec: ControlSpec, cased: bool) -> Diagnostic | None:
    """An option that is a typo of a known one, or that cannot have its value."""
    if not option.known:
        meant = _meant(option.name, spec, cased)
        data = {"option": f"-{option.name[:40]}", "command": spec.name}
        if not meant and spec.evidence == "recall":  # there may be options that are not known
            return None
        if meant in spec.flags and spec.action == "authorise":
            return None  # an authority to remove, which is judged as in SET AUTHREC
        if meant:
            return Diagnostic("control-option", *option.span, {**data, "meant": f"-{meant}"})
        if not cased and option.name.lower() in spec.values | spec.flags:
            return None
        if option.name in _HELP or not is_known(option.name) or not spec.values | spec.flags:
            return None
        if _are_joined(option.name, spec):
            return None
        return Diagnostic("control-option-unknown", *option.span, data)
    value = option.value
    lacks = _lacks_value(option, spec)
    if lacks:
        data = {
            "option": f"-{option.name}",
            "value": lacks,
            "expected": "a value",
            "command": spec.name,
        }
        return Diagnostic("control-value", *option.span, data)
    if isinstance(value, Secret) and option.name in spec.secret and not value.encoded:
        data = {"option": f"-{option.name}", "command": spec.name}
        return Diagnostic("control-password", *(option.value_span or option.span), data)
    if not isinstance(value, str):
        return None
    domain = spec.takes.get(option.name)
    if option.name in spec.inserts and "=" not in value:
        expected = "NAME=VALUE"
    elif domain is None or domain.accepts(value):
        return None
    else:
        expected = domain.expected(value)
    data = {
        "option": f"-{option.name}",
        "value": value[:80],
        "expected": expected,
        "command": spec.name,
    }
    return Diagnostic("control-value", *(option.value_span or option.span), data)


def _are_joined(name: str, spec: ControlSpec) -> bool:
    """Whether a word has the letters of several options, the last with its value (`-ir`, `-wt 9`).

    No page says whether the commands accept that.
    """
    return spec.flags.issuperset(name[:-1]) and name[-1] in spec.flags | spec.values


def _lacks_value(option: StepOption, spec: ControlSpec) -> str:
    """What follows an option that must have a value: an option, or nothing; blank for a value.

    The command takes the next word for the value, whatever it is.
    """
    if option.name not in spec.values or option.name in spec.flags:
        return ""
    if option.value is None and option.value_span is None:
        return "" if spec.evidence == "recall" else "the end of the command"
    value = option.value
    if not isinstance(value, str) or not value.startswith("-") or len(value) > _LONGEST_OPTION:
        return ""
    return value if value[1:] in spec.flags | spec.values else ""


def _meant(name: str, spec: ControlSpec, cased: bool) -> str:
    """The option that is meant: with letters for digits that look alike, without capitals.

    An option that is a word may also have a typing error. Options that are only recalled are not
    all known, so that one in capitals may be another.
    """
    options = spec.flags | spec.values
    others = [name.translate(_ALIKE), *([name.lower()] if cased else [])]
    meant = next((other for other in others if other != name and other in options), "")
    if meant and spec.evidence != "recall":
        return meant
    if not is_known(name) or len(name) < _LONG_OPTION:
        return ""
    long = (option for option in sorted(options) if len(option) >= _LONG_OPTION)
    return next((option for option in long if distance(name, option, 1) <= 1), "")


def _log_files(step: Step) -> Iterator[Diagnostic]:
    """Primary and secondary log files that crtmqm is given and that are too many together."""
    options = [step.option(name) for name in ("lp", "ls")] if step.command == "crtmqm" else []
    values = [option.value for option in options if option is not None]
    numbers = [value for value in values if isinstance(value, str)]
    if len(numbers) < 2 or not all(number.isascii() and number.isdigit() for number in numbers):
        return
    last = options[-1]
    most = sum(int(number[:9]) for number in numbers)
    if last is None or most <= LOG_FILES or any(int(number[:9]) > 510 for number in numbers):
        return
    data = {
        "option": "-ls",
        "value": numbers[-1],
        "expected": f"a number that makes at most {LOG_FILES} files with -lp",
        "command": step.command,
    }
    yield Diagnostic("control-value", *(last.value_span or last.span), data)


def _new_name(step: Step, spec: ControlSpec) -> Iterator[Diagnostic]:
    """Yield the name for a new queue manager if crtmqm refuses it (q083120_)."""
    name = step.queue_manager if step.command == "crtmqm" else None
    if name is None or not is_known(name):
        return
    if len(name) > NAME:
        yield _fault(
            step, spec, f"does not accept a name of {len(name)} characters, only up to {NAME}"
        )
    elif not _QUEUE_MANAGER.fullmatch(name):
        allowed = "only letters, digits and the characters . / _ %"
        yield _fault(step, spec, f"does not accept the name {name}, {allowed}")


def _other_names(script: ShellScript) -> Iterator[tuple[Step, Diagnostic]]:
    """Steps whose queue manager is named once, and nearly like one that the script creates.

    Where it creates none, one that it starts, or otherwise names several times. Names that differ
    in their numbers are of different queue managers. A secondary (crtmqm -sxs) creates no queue
    manager of its own.
    """
    steps = [step for step in script.steps if step.queue_manager is not None]
    times = Counter(step.queue_manager for step in steps)
    often = {step.queue_manager for step in steps if times[step.queue_manager] > 1}
    created = {
        step.queue_manager for step in steps if step.action == "create" and not step.is_secondary
    }
    made = created or {step.queue_manager for step in steps if step.action == "start"} or often
    names = [name for name in made if name is not None and len(name) >= _SHORTEST]
    if len(names) > _MOST:
        return
    for step in steps:
        name = step.queue_manager or ""
        if times[name] > 1 or name in made or len(name) < _SHORTEST:
            continue
        near = next((other for other in names if _is_typo(name, other)), None)
        if near is not None:
            data = {"written": name, "meant": near, "command": step.command}
            yield step, Diagnostic("control-other-manager", *step.span, data)


def _is_typo(name: str, other: str) -> bool:
    """Whether a name of a queue manager is likely a typo of another."""
    if _DIGITS.sub("", name) == _DIGITS.sub("", other):
        return False
    changed = [pair for pair in zip(name, other, strict=False) if pair[0] != pair[1]]
    if len(name) == len(other) and len(changed) == 1 and _SIBLINGS.issuperset(changed[0]):
        return False
    return distance(name.casefold(), other.casefold(), 1) <= 1


def _other_unit(script: ShellScript) -> Iterator[tuple[Step, Diagnostic]]:
    """Steps of a unit that end another queue manager than the one that it starts."""
    named = [step for step in script.steps if step.queue_manager]
    at_boot = [step for step in named if step.execution.schedule == "boot"]
    started = [step.queue_manager for step in at_boot if step.action == "start"]
    for step in at_boot:
        if step.action == "end" and started and step.queue_manager not in started:
            meant = started[0] or ""
            if not _is_typo(step.queue_manager or "", meant):
                data = {"written": step.queue_manager or "", "meant": meant}
                data["command"] = step.command
                yield step, Diagnostic("control-other-manager", *step.span, data)


def _typos(script: ShellScript) -> Iterator[Diagnostic]:
    """Report words of the script that are typos of MQ's, if other words of it confirm that."""
    names = {step.queue_manager for step in script.steps if step.queue_manager is not None}
    names |= {found.queue_manager for found in script.declared if found.queue_manager is not None}
    given = Counter(
        name for typo in script.typos if typo.kind == "command" for name in set(typo.names)
    )
    names |= {name for name, times in given.items() if times > 1 and not name.startswith("-")}
    folders = {name.replace(".", "!").replace("/", "&") for name in names} | names
    for typo in script.typos:
        code = _CODES[typo.kind]
        if typo.kind == "folder" and _is_own_folder(typo, script, folders):
            continue
        if typo.kind in ("command", "derived") and not (
            typo.fits or names.intersection(typo.names)
        ):
            continue
        yield Diagnostic(code, *typo.span, {"written": typo.written, "meant": typo.meant})


def _is_own_folder(typo: Typo, script: ShellScript, folders: set[str]) -> bool:
    """Whether the user may have made it: it is of no queue manager, or crtmqm names folders."""
    made = (step for step in script.steps if step.command == "crtmqm")
    return folders.isdisjoint(typo.names) or any(
        step.option("ld", "md") is not None for step in made
    )
