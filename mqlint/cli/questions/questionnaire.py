"""The questionnaire as text, as Markdown to be filled in, and for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from mqlint.engine.questions import Addressee, QuestionEntry
from mqlint.report.json import Json, dump
from mqlint.report.markdown import escaped
from mqlint.report.terminal import counted, visible, wrap

_REHEARSED = "In a scenario of mqlint rehearse"
_MOST_SHOWN = 8
"""More than these lines of what is known are counted, not shown."""


def text(entries: Sequence[QuestionEntry], width: int) -> Iterator[str]:
    for theme, group in groupby(entries, lambda entry: entry.question.theme):
        yield theme
        for entry in group:
            question = entry.question
            yield ""
            yield from wrap(question.ask, width, f"  {question.id}  ", "         ")
            yield from wrap(f"Why: {question.why}", width, "         ")
            if question.scenario:
                yield f"         {_REHEARSED}: {question.scenario}"
            for who, party in _parties(entry.asked):
                yield from wrap(
                    f"{_box(party)} {visible(who)}", width, "         ", "             "
                )
                for line in _known(party):
                    yield from wrap(visible(line), width, "             - ", "               ")
        yield ""
    yield _summary(entries)


def markdown(entries: Sequence[QuestionEntry], width: int = 0) -> Iterator[str]:
    """Yield the lines of the questionnaire as Markdown; answers are to be written below."""
    yield "# Questions for DR"
    yield ""
    yield _summary(entries)
    for theme, group in groupby(entries, lambda entry: entry.question.theme):
        yield from ("", f"## {escaped(theme)}")
        for entry in group:
            question = entry.question
            yield from ("", f"### {question.id}: {escaped(question.ask)}", "")
            yield from (escaped(question.why), "")
            if question.scenario:
                yield from (f"{_REHEARSED}: `{question.scenario}`", "")
            for who, party in _parties(entry.asked or (Addressee("", "", (), answered=False),)):
                yield f"- {_box(party)} **{escaped(who)}**:"
                for line in _known(party):
                    yield f"  - {escaped(line)}"


def as_json(entries: Sequence[QuestionEntry], width: int = 0) -> Iterator[str]:
    """Yield one JSON list, a question a line."""
    yield "["
    for number, entry in enumerate(entries, start=1):
        yield dump(_object(entry)) + ("," if number < len(entries) else "")
    yield "]"


FORMS: Mapping[str, Callable[[Sequence[QuestionEntry], int], Iterator[str]]] = {
    "text": text,
    "markdown": markdown,
    "json": as_json,
}
"""The forms of a questionnaire, by the word for `--format`."""


def _object(entry: QuestionEntry) -> Json:
    question = entry.question
    return {
        "id": question.id,
        "theme": question.theme,
        "ask": question.ask,
        "why": question.why,
        "rows": question.rows,
        "scenario": question.scenario or None,
        "of": question.of,
        "answered": entry.answered,
        "asked": [
            {
                "site": policy.site or None,
                "queue_manager": policy.queue_manager or None,
                "known": policy.known,
                "answered": policy.answered,
            }
            for policy in entry.asked
        ],
    }


def _box(asked: Addressee) -> str:
    return "[x]" if asked.answered else "[ ]"


def _parties(asked: Iterable[Addressee]) -> Iterator[tuple[str, Addressee]]:
    """Those who are asked, by name; queue managers of a site of which the same is known, once."""
    alike: dict[Addressee, list[str]] = {}
    for party in asked:
        alike.setdefault(replace(party, queue_manager=""), []).append(party.queue_manager)
    for party, names in alike.items():
        managers = ", ".join(filter(None, names))
        yield " at ".join(filter(None, (managers, party.site))) or "the estate", party


def _known(asked: Addressee) -> Iterator[str]:
    yield from asked.known[:_MOST_SHOWN]
    more = len(asked.known) - _MOST_SHOWN
    if more > 0:
        yield f"and {more:,} more"


def _summary(entries: Sequence[QuestionEntry]) -> str:
    answered = sum(entry.answered for entry in entries)
    known = f", {answered} of them answered by the files" if answered else ""
    return f"{counted(len(entries), 'question')}{known}."
