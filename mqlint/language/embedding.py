"""What is in an embedded text, moved to its places in the file."""

from __future__ import annotations

from dataclasses import replace

from mqlint.finding import Diagnostic
from mqlint.language.base import Parsed
from mqlint.language.declaration import Declared
from mqlint.language.script.step import Embedded, ShellScript, Step
from mqlint.language.text.mapped import MappedText
from mqlint.source.lines import Span


def reported_in(fault: Diagnostic, outer: MappedText) -> Diagnostic:
    end = _end(outer, *fault.span)
    return replace(fault, start=outer.host(fault.start), end=end)


def declared_in(declared: Declared, outer: MappedText) -> Declared:
    return replace(
        declared,
        span=span_in(declared.span, outer),
        fields=tuple(replace(field, span=span_in(field.span, outer)) for field in declared.fields),
        model=model_in(declared.model, outer),
    )


def placed_in(found: Parsed, outer: MappedText) -> Parsed:
    """Return declarations and faults at their places in the file."""
    found.declared = tuple(declared_in(declared, outer) for declared in found.declared)
    found.diagnostics = [reported_in(fault, outer) for fault in found.diagnostics]
    return found


def embedded_in(embedded: Embedded, outer: MappedText, *, maybe: bool) -> Embedded:
    """Return a document apart from those of other texts; `maybe` says that it may not run."""
    mapped = MappedText(embedded.text, embedded.segments, embedded.end).within(outer)
    return replace(
        embedded,
        segments=mapped.segments,
        end=mapped.end,
        execution=replace(embedded.execution, maybe=True) if maybe else embedded.execution,
        model=model_in(embedded.model, outer),
    )


def script_in(script: ShellScript, outer: MappedText, *, maybe: bool) -> ShellScript:
    """Return the steps and documents of a job; `maybe` says that it may not run."""
    return replace(
        script,
        steps=tuple(_step_in(step, outer, maybe) for step in script.steps),
        embedded=tuple(embedded_in(each, outer, maybe=maybe) for each in script.embedded),
        secrets=tuple(span_in(span, outer) for span in script.secrets),
        calls=tuple(map(outer.host, script.calls)),
        unfollowed=tuple(map(outer.host, script.unfollowed)),
        awaited=tuple((name, outer.host(at)) for name, at in script.awaited),
        typos=tuple(replace(typo, span=span_in(typo.span, outer)) for typo in script.typos),
        runs=tuple(replace(file, span=span_in(file.span, outer)) for file in script.runs),
        declared=tuple(declared_in(declared, outer) for declared in script.declared),
        diagnostics=tuple(reported_in(fault, outer) for fault in script.diagnostics),
    )


def _step_in(step: Step, outer: MappedText, maybe: bool) -> Step:
    return replace(
        step,
        span=span_in(step.span, outer),
        command_span=span_in(step.command_span, outer),
        options=tuple(
            replace(
                option,
                span=span_in(option.span, outer),
                value_span=option.value_span and span_in(option.value_span, outer),
            )
            for option in step.options
        ),
        execution=replace(step.execution, maybe=True) if maybe else step.execution,
    )


def span_in(span: Span, outer: MappedText) -> Span:
    return outer.host(span[0]), _end(outer, *span)


def _end(outer: MappedText, start: int, end: int) -> int:
    """Where a stretch ends in the file: after its last character."""
    return outer.host(max(end - 1, start)) + (end > start)


def model_in(model: str, outer: MappedText) -> str:
    """Return the model of a text at its place in the file: apart from other texts there."""
    return f"{outer.host(0)}{model}" if model else ""
