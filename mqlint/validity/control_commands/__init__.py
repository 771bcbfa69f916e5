"""Control commands against what MQ knows of them.

What the vocabulary does not have is not wrong: there are other programs, and options of newer
releases. A word is reported only if it is a typo of a known one, and, where programs or
folders may really be called so, when the script names a queue manager with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from mqlint.finding import Diagnostic, diagnostic
from mqlint.validity.availability import verdict
from mqlint.validity.control_commands.script import script_faults
from mqlint.validity.control_commands.words import option_fault, word_faults
from mqlint.vocabulary import Availability
from mqlint.vocabulary.control import ControlSpec
from mqlint.vocabulary.target import Target, level_text, platforms_named

if TYPE_CHECKING:
    from mqlint.language.script.step import ShellScript, Step


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
            yield from ((step, found) for found in _quotes_passed_on(step))
    for steps, own in ((script.steps, here), (script.remote, target)):
        for step in steps:
            spec = known.get(step.command)
            if spec is not None:
                yield from ((step, found) for found in _step(step, spec, own, cased))
    yield from script_faults(script, known)


def _step(step: Step, spec: ControlSpec, target: Target, cased: bool) -> Iterator[Diagnostic]:
    gone = _gone(step, spec, target)
    if gone is not None:
        yield gone
    platform = target.platform or ""
    refused = False  # the command ends at the first option that it does not know
    for option in step.options:
        found = option_fault(option, spec, cased, platform)
        if found is not None and not (refused and found.code == "control-option-unknown"):
            refused = refused or found.code == "control-option-unknown"
            yield found
    yield from word_faults(step, spec, platform)


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
            code, data = found
            yield diagnostic(code, span, **{"word": word, **data})


def _quotes_passed_on(step: Step) -> Iterator[Diagnostic]:
    """Yield words in single quotes in a script of cmd, which passes the quotes to the command."""
    words = [(option.value, option.value_span or option.span) for option in step.options]
    words += [(operand.value, operand.span) for operand in step.operands]
    for word, span in words:
        if isinstance(word, str) and len(word) > 2 and word[0] == word[-1] == "'":
            fault = "cmd does not remove single quotes, so they are part of the word"
            yield diagnostic("expansion", span, word=word[:60], fault=fault)
            return


def _gone(step: Step, spec: ControlSpec, target: Target) -> Diagnostic | None:
    """A command that is gone at the level of `target`.

    That may be a command of another host, at another level: `target:` is about the queue managers.
    """
    if spec.removed is None or target.level is None or target.level < spec.removed:
        return None
    return diagnostic(
        "removed",
        step.command_span,
        word=spec.name,
        since=level_text(spec.removed),
        level=target.level_text,
        hint=f"; use {spec.instead}" if spec.instead else "",
    )
