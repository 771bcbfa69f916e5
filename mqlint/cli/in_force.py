"""What is in force in a run: the settings that make it less or more strict, and what they hide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from mqlint.cli.choice import Choice
from mqlint.cli.judging import How, Outcome
from mqlint.cli.project import Session
from mqlint.cli.targets import Targets
from mqlint.config.node import Node
from mqlint.config.places import place_of
from mqlint.config.settings import SEVERITIES, Settings, Target
from mqlint.finding import Finding, Rule
from mqlint.report import Known
from mqlint.report.in_force import InForce, Kind
from mqlint.source.display import display_path


def in_force(outcome: Outcome, targets: Targets, how: How) -> list[InForce]:
    """Return what is in force in the run of one project, kind by kind."""
    session = outcome.session
    config = session.project.config_path
    label = session.files.label.removeprefix(" at ") or None
    file = _File("" if config is None else display_path(config, session.project.root), label)
    return [
        *_excluded(session.settings, session.written, targets.left_out, file),
        *(_of_settings(session.settings, session.written, session.rulebook.rules, file, how)),
        *_of_command_line(how),
        *_suppressed(outcome.run.ignored, _waivers_of(session)),
        *_known(outcome.known),
    ]


def _waivers_of(session: Session) -> str:
    root = session.project.root
    return display_path(session.waivers or root / session.settings.waivers, root)


def of_settings(settings: Settings, rules: Mapping[str, Rule], path: str) -> list[InForce]:
    """Return what settings put in force of which the lines are not known."""
    file = _File(path, None)
    return list(_of_settings(settings, None, rules, file, How()))


ORDER: tuple[Kind, ...] = (
    *("exclude", "select", "ignore", "severity", "parameter", "profile", "fail_on", "target"),
    *("comment", "waiver", "baseline", "base"),
)
"""The kinds as reports have them."""


class _File:
    """A configuration: makes the rows of what is in it."""

    def __init__(self, path: str, commit: str | None) -> None:
        self.path = path
        self.commit = commit

    def row(
        self,
        kind: Kind,
        written: Node | None,
        keys: Sequence[str],
        name: str = "",
        value: str = "",
        number: int | None = None,
    ) -> InForce:
        """Return a row with the line that keys lead to."""
        line = None if written is None else place_of(written, keys)[0]
        return InForce(kind, name, value, number, self.path, line, self.commit)


def _excluded(
    settings: Settings, written: Node | None, left_out: Mapping[Path, str], file: _File
) -> Iterator[InForce]:
    numbers = Counter(left_out.values())
    for pattern in dict.fromkeys(settings.exclude):
        if numbers[pattern]:
            keys = ("exclude", pattern)
            yield file.row("exclude", written, keys, pattern, number=numbers[pattern])


def _of_settings(
    settings: Settings, written: Node | None, rules: Mapping[str, Rule], file: _File, how: How
) -> Iterator[InForce]:
    for key, word in settings.severity.items():
        if key in rules and SEVERITIES.index(word) < max(rules[key].severity.values(), default=0):
            yield file.row("severity", written, ("severity", key), key, word)
    for one in settings.parameters:
        keys = ("parameters", one.rule, one.name)
        yield file.row("parameter", written, keys, f"{one.rule} {one.name}")
    for profile in settings.profiles if not how.profiles else ():
        yield file.row("profile", written, ("profiles", profile), profile)
    if settings.fail_on != Settings().fail_on and how.fail_on is None:
        yield file.row("fail_on", written, ("fail_on",), value=settings.fail_on)
    if settings.target != Target():
        yield file.row("target", written, ("target",), value=_target(settings.target))


def _target(target: Target) -> str:
    level = target.level.text if target.level is not None else ""
    return "/".join([level, target.platform] if target.platform else [level])


def _of_command_line(how: How) -> Iterator[InForce]:
    choice: Choice = how.choice
    if choice.select:
        yield InForce("select", ", ".join(choice.select))
    if choice.ignore:
        yield InForce("ignore", ", ".join(choice.ignore))
    yield from (InForce("severity", word, severity) for word, severity in choice.severity)
    yield from (InForce("profile", profile) for profile in how.profiles)
    if how.fail_on is not None:
        yield InForce("fail_on", value=how.fail_on)
    if choice.target:
        yield InForce("target", value=choice.target)


def _suppressed(ignored: Sequence[Finding], waivers: str) -> Iterator[InForce]:
    """Findings that comments suppress, by their file, and those that `waivers` do."""
    comments = Counter(
        one.location.path for one in ignored if one.ignored and one.ignored.by == "comment"
    )
    for path, number in sorted(comments.items()):
        yield InForce("comment", number=number, path=path)
    waived = len(ignored) - comments.total()
    if waived:
        yield InForce("waiver", number=waived, path=waivers)


def _known(known: Sequence[Known]) -> Iterator[InForce]:
    for one in known:
        if one.kind == "base":
            yield InForce("base", one.source, number=len(one.findings))
        elif one.findings:
            yield InForce("baseline", number=len(one.findings), path=one.source)
