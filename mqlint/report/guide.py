"""What there is to say about a rule, in parts: `mqlint explain`, its page and SARIF's help.

`guide` puts the parts together once; `plain` writes them for a terminal, and
`mqlint.report.markdown` for a web page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mqlint.dataclass import frozen
from mqlint.finding import Rule
from mqlint.policy.language.parameters import Parameter, shown
from mqlint.report.terminal import paragraphs, visible, wrap

if TYPE_CHECKING:
    from mqlint.config.node import Plain

_EVIDENCE = {
    "product": "seen in the output of a real queue manager",
    "document": "IBM's documentation",
    "recall": "known from practice, not confirmed by a page or a product",
}

_REPAIRS = {
    "safe": "`mqlint fix`",
    "unsafe": "`mqlint fix --unsafe`, in places where one fix is certain",
}


@frozen
class ExampleFile:
    """A file of an example; `flagged` are the numbers of the lines that have a finding."""

    path: str
    text: str
    flagged: frozenset[int] = frozenset()

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines as they are shown, an arrow before each that is flagged."""
        return tuple(
            f"{'>' if number in self.flagged else ' '} {visible(line)}".rstrip()
            for number, line in enumerate(self.text.rstrip("\n").split("\n"), 1)
        )


@frozen
class Example:
    """One case of a rule: small files, and whether the rule finds something in them."""

    name: str
    files: tuple[ExampleFile, ...]
    is_flagged: bool


@frozen
class Prose:
    """Paragraphs; lines that start with a blank are kept as they are."""

    text: str


@frozen
class Words:
    """Words to search for, such as the names of messages."""

    words: tuple[str, ...]


@frozen
class NamedTexts:
    points: tuple[tuple[str, str], ...]


@frozen
class Links:
    """Addresses on the web, or the names of other sources."""

    links: tuple[str, ...]


@frozen
class Files:
    files: tuple[ExampleFile, ...]


Body = Prose | Words | NamedTexts | Links | Files
"""What is under a heading."""


@frozen
class Guide:
    """All texts about a rule: `facts` are short, `sections` have headings."""

    rule: Rule
    facts: tuple[tuple[str, str], ...]
    sections: tuple[tuple[str, Body], ...]


def guide(
    rule: Rule,
    examples: Sequence[Example] = (),
    parameters: Sequence[Parameter] = (),
    rows: Sequence[tuple[str, str]] = (),
) -> Guide:
    """Return what there is to say; `rows` are ids of the catalogue with what each finds."""
    return Guide(rule, tuple(_facts(rule)), tuple(_sections(rule, examples, parameters, rows)))


def severities(rule: Rule) -> str:
    """Return the severity, and that of each profile which has another one.

    The rules of the profile `default` run in every run.
    """
    usual = rule.severity.get("default")
    words = [usual.word] if usual is not None else []
    for profile, severity in rule.severity.items():
        if severity != usual:
            words.append(f"{profile}: {severity.word}")
    if rule.habit:
        words.append("at test and development sites: note")
    return ", ".join(words)


def plain(guide: Guide, width: int) -> Iterator[str]:
    """Yield the lines of a guide for a terminal of `width` cells."""
    yield f"{guide.rule.id} {visible(guide.rule.name)}"
    yield from wrap(guide.rule.summary, width, "  ")
    yield ""
    for name, text in guide.facts:
        yield from wrap(text, width, f"  {name:<12}")
    for title, body in guide.sections:
        yield ""
        yield visible(title)
        yield from _plain_body(body, width)


def parameter_points(parameters: Sequence[Parameter]) -> NamedTexts:
    """Return what users may set, with the values that hold."""
    return NamedTexts(tuple((parameter.name, _setting(parameter)) for parameter in parameters))


def plain_points(body: NamedTexts, width: int) -> Iterator[str]:
    for name, text in body.points:
        yield from wrap(f"{name}: {text}", width, "  ", "    ")


def _setting(parameter: Parameter) -> str:
    default = f", default {_value(parameter.default)}" if parameter.is_set else ""
    return f"{_value(parameter.value)} ({parameter.type}{default}): {parameter.says}"


def _value(value: Plain) -> str:
    return shown(value) or "empty"


def _facts(rule: Rule) -> Iterator[tuple[str, str]]:
    yield "severity", severities(rule)
    yield "confidence", rule.confidence.word
    if rule.evidence:
        yield "evidence", _EVIDENCE[rule.evidence]
    if rule.repair:
        yield "repair", _REPAIRS[rule.repair]
    if rule.aliases:
        yield "formerly", ", ".join(rule.aliases)
    if not rule.ignorable:
        yield "ignorable", "comments and waivers cannot suppress it"


def _sections(
    rule: Rule,
    examples: Sequence[Example],
    parameters: Sequence[Parameter],
    rows: Sequence[tuple[str, str]],
) -> Iterator[tuple[str, Body]]:
    if rule.why.strip():
        yield "Why", Prose(rule.why)
    if rule.fix.strip():
        yield "What to do", Prose(rule.fix)
    if rule.more.strip():
        yield "Details", Prose(rule.more)
    if parameters:
        yield "Parameters in mqlint.yaml", parameter_points(parameters)
    if rule.messages:
        yield "In the logs", Words(rule.messages)
    for example in examples:
        yield (
            f"{'Flagged' if example.is_flagged else 'Not flagged'}: {example.name}",
            Files(example.files),
        )
    if rows:
        yield "In the catalogue", NamedTexts(tuple(rows))
    if rule.see:
        yield "See", Links(rule.see)


def _plain_body(body: Body, width: int) -> Iterator[str]:
    match body:
        case Prose(text):
            yield from paragraphs(text, width, "  ")
        case Words(words):
            yield from wrap(", ".join(words), width, "  ")
        case NamedTexts():
            yield from plain_points(body, width)
        case Links(links):
            yield from (f"  {visible(link)}" for link in links)
        case Files(files):
            for file in files:
                yield f"  {visible(file.path)}"
                yield from (f"  {line}".rstrip() for line in file.lines)
