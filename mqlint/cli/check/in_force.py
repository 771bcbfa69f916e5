"""What is in force in a run: the settings that make it less or more strict, and what they hide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace

from mqlint.cli.check.run import ProjectRun, RunOptions
from mqlint.cli.common.project import Session
from mqlint.cli.common.targets import Targets
from mqlint.config.estate.placement import MAPPED
from mqlint.config.node import Positions
from mqlint.config.settings import SEVERITIES, External, Settings, SeverityWord, Target
from mqlint.dataclass import frozen
from mqlint.finding import Finding, Rule, Severity
from mqlint.report import Known
from mqlint.report.in_force import KINDS, InForce, Kind
from mqlint.report.terminal import counted
from mqlint.source.display import display_path


def in_force(outcome: ProjectRun, targets: Targets, options: RunOptions) -> list[InForce]:
    session = outcome.session
    numbers = Counter(targets.left_out.values())
    rows = of_project(session, outcome.run.ignored, outcome.known, options)
    counted = (replace(row, number=numbers[row.name]) for row in rows if row.kind == "exclude")
    return [
        *(row for row in counted if row.number),
        *(row for row in rows if row.kind != "exclude"),
    ]


def of_project(
    session: Session, ignored: Sequence[Finding], known: Sequence[Known], options: RunOptions
) -> list[InForce]:
    """Return what is in force in a run of a project, without the number of excluded files."""
    root, config = session.project.root, session.project.config_path
    path = "" if config is None else display_path(config, root)
    names = {shared.path: shared.name for shared in session.shared}
    places = None if session.written is None else Positions(session.written, names)
    file = _File(path, session.files.label.removeprefix(" at ") or None, places)
    waivers = display_path(session.waivers or root / session.settings.waivers, root)
    return [
        *(InForce("extends", shared.name, path=path) for shared in session.shared),
        *_of_settings(session.settings, session.rulebook.rules, file, options),
        *_of_command_line(options),
        *_suppressed(ignored, waivers),
        *_known(known),
    ]


def of_repository(
    name: str,
    settings: Settings,
    rules: Mapping[str, Rule],
    ignored: Sequence[Finding],
    options: RunOptions,
) -> list[InForce]:
    """Return what is in force in a repository of an estate, given by its name instead of files."""
    comments = sum(
        finding.ignored is not None and finding.ignored.by == "comment" for finding in ignored
    )
    numbers: tuple[tuple[Kind, int], ...] = (
        ("comment", comments),
        ("waiver", len(ignored) - comments),
    )
    return [
        *_of_settings(settings, rules, _File(name), options),
        *(InForce(kind, number=number, path=name) for kind, number in numbers if number),
    ]


def of_command_line(options: RunOptions, known: Sequence[Known]) -> list[InForce]:
    """Return what the command line puts in force in an estate, and what baselines know."""
    return [*_of_command_line(options), *_known(known)]


def in_order(rows: Iterable[InForce]) -> list[InForce]:
    """Return rows kind by kind, each once."""
    return sorted(dict.fromkeys(rows), key=lambda row: KINDS.index(row.kind))


@frozen
class _File:
    """A configuration: its path, its commit, and where its settings are if that is known."""

    path: str
    commit: str | None = None
    places: Positions | None = None

    def row(self, kind: Kind, keys: Sequence[str], name: str = "", value: str = "") -> InForce:
        line, path = None, self.path
        if self.places is not None:
            line, path = self.places.of(keys)[0], self.places.file_of(keys) or path
        return InForce(kind, name, value, None, path, line, self.commit)


def _of_settings(
    settings: Settings, rules: Mapping[str, Rule], file: _File, options: RunOptions
) -> Iterator[InForce]:
    for pattern in dict.fromkeys(settings.exclude):
        yield file.row("exclude", ("exclude", pattern), pattern)
    for keys, word in _severities(settings, options.profiles or settings.profiles):
        key = keys[-1]
        own = max(rules[key].severity.values(), default=0) if key in rules else Severity.ERROR
        if SEVERITIES.index(word) < own:
            yield file.row("severity", keys, key, word)
    for parameter in settings.parameters:
        yield file.row(
            "parameter",
            ("parameters", parameter.rule, parameter.name),
            f"{parameter.rule} {parameter.name}",
        )
    for profile in settings.profiles if not options.profiles else ():
        yield file.row("profile", ("profiles", profile), profile)
    if settings.fail_on != Settings().fail_on and options.fail_on is None:
        yield file.row("fail_on", ("fail_on",), value=settings.fail_on)
    if settings.target != Target():
        yield file.row("target", ("target",), value=settings.target.text)
    yield from _of_files(settings, file)


def _of_files(settings: Settings, file: _File) -> Iterator[InForce]:
    """Yield what is set for some files, and what is outside the files."""
    for override in settings.overrides:
        words = (override.target.text, *(override.profiles or ()))
        value = " ".join(filter(None, words))
        yield file.row("override", ("overrides",), ", ".join(override.paths), value)
    for pattern, language in settings.files.types.items():
        yield file.row("types", ("files", "types", pattern), pattern, language)
    for client in settings.clients:
        yield file.row("types", ("clients",), client.files, MAPPED)
    for item in fields(External):
        names = getattr(settings.external, item.name)
        if names:
            plural = item.name.replace("_", " ")
            noun = plural.removesuffix("es" if plural == "processes" else "s")
            value = counted(len(names), noun, plural)
            yield file.row("external", ("external", item.name), item.name, value)


def _severities(
    settings: Settings, profiles: Sequence[str]
) -> Iterator[tuple[tuple[str, ...], SeverityWord]]:
    """The severities of rules with the keys that lead to them, those of own profiles too."""
    for rule, word in settings.severity.items():
        yield ("severity", rule), word
    if not settings.own_profiles:
        return
    from mqlint.config.profiles import reached

    chosen = {*profiles, *(name for item in settings.overrides for name in item.profiles or ())}
    for profile in reached(chosen, settings.own_profiles):
        for rule, word in profile.severity.items():
            yield ("profiles", profile.name, "severity", rule), word


def _of_command_line(options: RunOptions) -> Iterator[InForce]:
    choice = options.choice
    if choice.select:
        yield InForce("select", ", ".join(choice.select))
    if choice.ignore:
        yield InForce("ignore", ", ".join(choice.ignore))
    yield from (InForce("severity", word, severity) for word, severity in choice.severity)
    yield from (InForce("profile", profile) for profile in options.profiles)
    if options.fail_on is not None:
        yield InForce("fail_on", value=options.fail_on)
    if choice.target:
        yield InForce("target", value=choice.target)


def _suppressed(ignored: Sequence[Finding], waivers: str) -> Iterator[InForce]:
    """Findings that comments suppress, by their file, and those that `waivers` do."""
    comments = Counter(
        finding.location.path
        for finding in ignored
        if finding.ignored and finding.ignored.by == "comment"
    )
    for path, number in sorted(comments.items()):
        yield InForce("comment", number=number, path=path)
    waived = len(ignored) - comments.total()
    if waived:
        yield InForce("waiver", number=waived, path=waivers)


def _known(known: Sequence[Known]) -> Iterator[InForce]:
    for group in known:
        if group.kind == "base":
            yield InForce("base", group.source, number=len(group.findings))
        elif group.findings:
            yield InForce("baseline", number=len(group.findings), path=group.source)
