"""The options and operands of one control command: each alone, and together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.mqsc.value import Secret
from mqlint.language.text.templates import is_filled_in, is_known
from mqlint.patterns import later
from mqlint.vocabulary.control import ControlSpec
from mqlint.vocabulary.distance import distance
from mqlint.vocabulary.limits import NAME, log_files_on
from mqlint.vocabulary.unknown import UNKNOWN

if TYPE_CHECKING:
    from mqlint.language.script.step import Step, StepOption

_ALIKE = str.maketrans("10", "lo")
_LONG_OPTION = 5
"""How many characters an option must have for another to be a typo of it."""
_LONGEST_OPTION = 20
"""How many characters an option has at most, its hyphen too."""
HELP = frozenset({"?", "h", "help", "-help", "version", "-version"})
"""What people write to see how a command is called."""


def option_fault(
    option: StepOption, spec: ControlSpec, cased: bool, platform: str
) -> Diagnostic | None:
    """Return the fault of an option: a typo of a known one, or a value that it cannot have.

    `cased` is true if capitals make another option; `platform` is blank if it is not known.
    """
    return _value_fault(option, spec, platform) if option.known else _unknown(option, spec, cased)


def _unknown(option: StepOption, spec: ControlSpec, cased: bool) -> Diagnostic | None:
    meant = meant_option(option.name, spec, cased)
    data = {"option": f"-{option.name[:40]}", "command": spec.name}
    if not meant and spec.evidence == "recall":  # there may be options that are not known
        return None
    if meant in spec.flags and spec.action == "authorise":
        return None  # an authority to remove, which is judged as in SET AUTHREC
    if meant:
        return diagnostic("control-option", option.span, **data, meant=f"-{meant}")
    if not cased and option.name.lower() in spec.values | spec.flags:
        return None
    if option.name in HELP or not is_known(option.name) or not spec.values | spec.flags:
        return None
    if _are_joined(option.name, spec):
        return None
    return diagnostic("control-option-unknown", option.span, **data)


def _value_fault(option: StepOption, spec: ControlSpec, platform: str) -> Diagnostic | None:
    data = {"option": f"-{option.name}", "command": spec.name}
    place, value = option.value_span or option.span, option.value
    lacks = lacks_value(option, spec)
    if lacks:
        return diagnostic("control-value", option.span, **data, value=lacks, expected="a value")
    if isinstance(value, Secret) and option.name in spec.secret and not value.encoded:
        return diagnostic("control-password", place, **data)
    if not isinstance(value, str):
        return None
    expected = _expected(option.name, value, spec, platform)
    if expected is None:
        return None
    return diagnostic("control-value", place, **data, value=value, expected=expected)


def _expected(name: str, value: str, spec: ControlSpec, platform: str) -> str | None:
    if name in spec.inserts and "=" not in value:
        return "NAME=VALUE"
    domain = spec.domain(name, platform)
    return None if domain is None or domain.accepts(value) else domain.expected(value)


def _are_joined(name: str, spec: ControlSpec) -> bool:
    """Whether a word has the letters of several options, the last with its value (`-wt 9`).

    The commands accept those without a value (`endmqm -is`). No page is about such a last one.
    """
    return spec.flags.issuperset(name[:-1]) and name[-1] in spec.flags | spec.values


def lacks_value(option: StepOption, spec: ControlSpec) -> str:
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


def meant_option(name: str, spec: ControlSpec, cased: bool) -> str:
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


_QUEUE_MANAGER = later(r"[A-Za-z0-9._/%]*")
_NAME_LAST = frozenset({"crtmqm"})
"""Commands whose page says that the queue manager is the last word (q083120_)."""
_PLAIN = later(r"[A-Za-z0-9._]+")
_MOST = 50
"""How many operands a command may have if its page does not limit them."""


def word_faults(step: Step, spec: ControlSpec, platform: str) -> Iterator[Diagnostic]:
    """Yield what is wrong with the words of a command on a platform together."""
    lacking = list(_lacking(step, spec))
    yield from lacking
    yield from _same_values(step, spec)
    yield from _alternatives(step, spec)
    yield from _accompanied(step, spec)
    yield from _action(step, spec)
    yield from _log_files(step, spec, platform)
    if not lacking:  # a name may have an option in it
        yield from _bad_name(step, spec)


def _lacking(step: Step, spec: ControlSpec) -> Iterator[Diagnostic]:
    """Yield required options and operands that the command lacks, and operands that it rejects.

    A command without arguments is not judged: it may print its syntax, or test that it exists.
    """
    options = {option.name for option in step.options}
    are_known = all(option.known for option in step.options)
    refused = spec.evidence != "recall" and not are_known
    asks = options & (HELP - spec.flags - spec.values)
    if step.open or not (options or step.operands) or asks or refused:
        return
    fault = ""
    words = options if are_known and not step.operands else options | {"operand"}
    lacks = next(_required(step, spec, words), None)
    if lacks is not None:
        fault = _lack(step, lacks)
    elif are_known and not any(lacks_value(option, spec) for option in step.options):
        fault = _operand_fault(step, spec)
    if fault:
        yield _fault(step, spec, fault)


def _required(step: Step, spec: ControlSpec, words: set[str]) -> Iterator[tuple[str, ...]]:
    """Yield options and operands of which a command needs one and has none of its `words`."""
    options = {option.name for option in step.options}
    after = [others for names, others in spec.after.items() if options.issuperset(names.split())]
    needed = (tuple(other.split("|")) for others in after for other in others)
    for choice in (*spec.needs, *needed):
        if words.isdisjoint(choice) and not _is_excused(step, spec.unless.get(choice[0], ())):
            yield choice


def _lack(step: Step, choice: tuple[str, ...]) -> str:
    """The fault of a command without one of these, and a word that ends with one of them."""
    if "operand" in choice:
        return "lacks a required operand"
    signs = [f"-{name}" for name in choice]
    values = (option.value for option in step.options if isinstance(option.value, str))
    joined = ((value, sign) for value in values for sign in signs if value.endswith(sign))
    word, sign = next(joined, ("", ""))
    reason = f", because {word[:40]} has no blank before {sign}" if word else ""
    return f"lacks {' or '.join(signs)}{reason}"


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
    words = [operand.value for operand in step.operands]
    if spec.action == "authorise":  # its operands are authorities, with a sign or without
        plain = (word for word in words if isinstance(word, str) and _PLAIN.fullmatch(word))
        words, most = [word for word in plain if word not in spec.flags], 0
    extra = words[most] if len(words) > most else UNKNOWN
    return f"does not accept the argument {extra[:40]}" if isinstance(extra, str) else ""


def _is_excused(step: Step, values: Iterable[str]) -> bool:
    """Whether an option has one of the `values` (`t qmgr`), or a value that is not known."""
    for excuse in values:
        name, _, value = excuse.partition(" ")
        option = step.option(name)
        if option is not None and not isinstance(option.value, str):
            return True
        if option is not None and isinstance(option.value, str) and option.value.lower() == value:
            return True
    return False


def _same_values(step: Step, spec: ControlSpec) -> Iterator[Diagnostic]:
    """Yield options that have the same value and must differ."""
    for names in spec.differ:
        values = [option.value for option in step.options if option.name in names]
        if len(values) > 1 and isinstance(values[0], str) and len({*values}) == 1:
            words = " and ".join(f"-{name}" for name in names)
            yield _fault(step, spec, f"has the same value {values[0][:40]} for {words}")


def _fault(step: Step, spec: ControlSpec, fault: str) -> Diagnostic:
    return diagnostic(_words_code(spec), step.span, command=step.command, fault=fault)


def _words_code(spec: ControlSpec) -> str:
    """The code of a fault, another one if the syntax of the command is not documented here."""
    return "control-words-recalled" if spec.evidence == "recall" else "control-words"


def _alternatives(step: Step, spec: ControlSpec) -> Iterator[Diagnostic]:
    """Options of which a command takes one, and that are given together."""
    for names in spec.alternatives:
        options = [option for option in step.options if option.name in names]
        first = options[0].name if options else ""
        other = next((option for option in options if option.name != first), None)
        if other is not None:
            words = {"option": f"-{other.name}", "other": f"-{first}", "command": step.command}
            yield diagnostic("control-alternatives", other.span, **words)


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


def _action(step: Step, spec: ControlSpec) -> Iterator[Diagnostic]:
    """Yield a fault if the second option is not valid after the first one."""
    options = step.options[:2]
    if len(options) < 2 or options[0].name not in spec.actions:
        return
    name, possible = options[1].name, spec.actions[options[0].name]
    if name in possible or name in HELP or not is_known(name):
        return
    if options[1].known or not meant_option(name, spec, cased=True):  # else reported as a typo
        fault = f"-{options[0].name} does not accept -{name[:40]}, only -{', -'.join(possible)}"
        yield diagnostic(_words_code(spec), options[1].span, command=step.command, fault=fault)


def _log_files(step: Step, spec: ControlSpec, platform: str) -> Iterator[Diagnostic]:
    """Primary and secondary log files that crtmqm is given and that are too many together."""
    options = [step.option(name) for name in ("lp", "ls")] if step.command == "crtmqm" else []
    numbers = [
        option.value
        for option in options
        if option is not None
        and isinstance(option.value, str)
        and _expected(option.name, option.value, spec, platform) is None
    ]
    last, limit = options[-1] if options else None, log_files_on(platform)
    if last is None or len(numbers) < 2 or sum(map(int, numbers)) <= limit:
        return
    yield diagnostic(
        "control-value",
        last.value_span or last.span,
        option="-ls",
        value=numbers[-1],
        expected=f"a number that makes at most {limit} files with -lp",
        command=step.command,
    )


_TO_REPLACE = later(r"(?i:your-.*|.*-name)")
"""A name that stands for another one, as documentation has it: YOUR-QM, QMGR-NAME."""


def _bad_name(step: Step, spec: ControlSpec) -> Iterator[Diagnostic]:
    """Yield the name of a queue manager that none can have: crtmqm refuses it (q083120_).

    Of other commands, a name that is only wrong by its hyphens: others may be placeholders.
    """
    name = step.queue_manager
    if name is None or not is_known(name) or is_filled_in(name) or _TO_REPLACE.fullmatch(name):
        return
    if name.startswith("SYSTEM."):
        yield _fault(step, spec, f"has the object name {name} instead of a queue manager name")
        return
    is_judged = step.command == "crtmqm" or _QUEUE_MANAGER.fullmatch(name.replace("-", "_"))
    if len(name) > NAME and is_judged:
        yield _fault(
            step, spec, f"does not accept a name of {len(name)} characters, only up to {NAME}"
        )
    elif is_judged and not _QUEUE_MANAGER.fullmatch(name):
        allowed = "only letters, digits and the characters . / _ %"
        yield _fault(step, spec, f"does not accept the name {name}, {allowed}")
