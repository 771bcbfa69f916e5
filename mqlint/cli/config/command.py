"""`mqlint config`: the settings of a file and their origin, and a first configuration."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mqlint.cli.common.group import Refusal, quoting_no_secret
from mqlint.cli.common.options import format_option, options
from mqlint.cli.common.output import echo, write_new
from mqlint.cli.common.project import ProjectOptions, Session, shown_path
from mqlint.config.estate.placement import Placement
from mqlint.config.project import CONFIG_NAMES, Project
from mqlint.config.settings import Target
from mqlint.config.settings_text import Plain, as_plain, flow, settings_lines
from mqlint.dataclass import frozen
from mqlint.report.json import dump
from mqlint.report.terminal import counted, visible
from mqlint.source.display import display_path

if TYPE_CHECKING:
    from mqlint.engine.project import Project as Documents


@click.group("config", short_help="Show the settings in force, or write a first mqlint.yaml.")
def command() -> None:
    """Work on the configuration."""


@command.command("show", short_help="Show the settings in force, or those of one file.")
@click.argument("file", metavar="[FILE]", required=False)
@format_option
@options("config", project=ProjectOptions)
def show(file: str | None, form: str, project: ProjectOptions) -> None:
    """Show the settings in force, or those of FILE: its site, queue manager and target.

    FILE need not exist: the result depends on its path. The header of a dump names its queue
    manager before any pattern does.
    """
    session = project.session((file,) if file else ())
    if file is None:
        settings = session.settings
        bases = {"extends": extends_of(session)} if session.shared else {}
        text = (
            dump({**bases, **as_plain(settings)})
            if form == "json"
            else "\n".join(overview(session))
        )
    else:
        facts = list(facts_of(file, session))
        if form == "json":
            text = dump({fact.key: {"value": fact.value, "by": fact.by} for fact in facts})
        else:
            text = "\n".join(table(facts))
    echo(quoting_no_secret(text) + "\n")


@command.command("init", short_help="Write a first mqlint.yaml with comments.")
@click.argument(
    "folder",
    metavar="[FOLDER]",
    default=".",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
)
def init(folder: Path) -> None:
    """Write a commented mqlint.yaml into FOLDER, from the folders and dumps found there.

    An existing configuration is never changed.
    """
    from mqlint.cli.config.survey import draft, survey  # here, as `config show` needs none of it

    for name in CONFIG_NAMES:
        if (folder / name).exists() or (folder / name).is_symlink():
            raise Refusal(f"{folder / name} already exists; nothing was written")
    session = Session(Project(folder.absolute(), None), config_named=True)
    found = survey(_read(session))
    path = folder / CONFIG_NAMES[0]
    write_new(path, draft(found))
    sites = ", ".join(f"{visible(site.name)} ({site.role})" for site in found.sites)
    guesses = f"sites guessed from folder names: {sites or 'none'}"
    if found.candidates:
        guesses += f"; folders that may be sites: {visible(', '.join(found.candidates))}"
    echo(
        f"wrote {visible(str(path))}: {counted(found.files, 'file')} read, {guesses}\n"
        "review it, then run: mqlint config show FILE\n"
    )


def overview(session: Session) -> Iterator[str]:
    """Yield the settings as a configuration file; defaults are in comments."""
    path = session.project.config_path
    source = visible(shown_path(path)) if path is not None else "no file: defaults apply"
    yield f"# from {source}"
    yield f"# paths are relative to {visible(str(session.project.root))}"
    yield from (f"# extends {visible(words)}" for words in extends_of(session))
    yield from settings_lines(session.settings)


def extends_of(session: Session) -> list[str]:
    """Return the configurations that the project's own one extends, with their digests."""
    return [f"{shared.name} ({shared.digest})" for shared in session.shared]


@frozen
class SettingOrigin:
    """One property of a file by the settings, and the setting that decides it."""

    key: str
    value: Plain
    by: str = ""


def facts_of(file: str, session: Session) -> Iterator[SettingOrigin]:
    project = session.project
    path = display_path(Path(file).absolute(), project.root)
    settings = session.settings
    owner = None
    if settings.sites and settings.queue_managers:
        placement = Placement(settings)
    else:
        assembly = _read(session).assembly
        placement, owner = assembly.placement, assembly.owner(path, None)
    config = project.config_path
    yield SettingOrigin("file", path)
    yield SettingOrigin("configuration", shown_path(config) if config is not None else None)
    yield from _site(path, placement)
    yield from _queue_manager(path, placement, Path(file), owner)
    overrides = placement.overrides_of(path)
    by_target = [override.paths for override in overrides if override.target != Target()]
    yield SettingOrigin("target", placement.target_of(path).text or None, _override(by_target))
    profiles = list(placement.profiles_of(path)) or ["default"]
    by_profiles = [override.paths for override in overrides if override.profiles is not None]
    yield SettingOrigin("profiles", profiles, _override(by_profiles))
    order = placement.order_of(path)
    if order is not None:
        yield SettingOrigin(
            "order", str(order + 1), f"pattern {session.settings.order[order]} of order"
        )


def _read(session: Session) -> Documents:
    """Read a project, as `mqlint check` does."""
    from mqlint.cli.common.targets import collect  # here, as `config show` alone reads nothing
    from mqlint.engine.project import Project as Documents

    inputs = collect(session, (str(session.project.root),)).inputs
    return Documents.of(inputs, session.settings, session.analyser)


def _site(path: str, placement: Placement) -> Iterator[SettingOrigin]:
    place = placement.site_of(path)
    if place is None:
        more = "" if placement.settings.sites else "; its queue manager or namespace may have one"
        yield SettingOrigin("site", None, f"no pattern matches{more}")
        return
    if place.guessed:
        by = f"guessed from the name {place.by}"
    elif place.by in place.site.paths:
        by = f"pattern {place.by} of sites.{place.site.name}.paths"
    else:
        by = f"pattern {place.by} of queue_managers"
    yield SettingOrigin("site", place.site.name, by)
    yield SettingOrigin("role", place.site.role, "guessed" if place.guessed else "")
    if place.site.stands_in_for:
        yield SettingOrigin("stands_in_for", place.site.stands_in_for)


def _queue_manager(
    path: str, placement: Placement, file: Path, owner: str | None
) -> Iterator[SettingOrigin]:
    """`owner` is the queue manager that other files show."""
    in_header = _header_name(file)
    by_path = placement.queue_manager_of(path)
    if in_header is not None:
        yield SettingOrigin("queue_manager", in_header, "the header of the dump")
    elif by_path is not None:
        pattern = placement.queue_manager_pattern_of(path)
        yield SettingOrigin("queue_manager", by_path, f"pattern {pattern} of queue_managers")
    elif owner is not None:
        yield SettingOrigin("queue_manager", owner, "guessed from names in the files")
    else:
        by = "no pattern matches; a script that passes the file to runmqsc may name it"
        yield SettingOrigin("queue_manager", None, by)


def _header_name(file: Path) -> str | None:
    """The queue manager that a dump names, None if it is not a dump or cannot be read."""
    from mqlint.language.mqsc.dump import read_header
    from mqlint.source.read import Unreadable, read
    from mqlint.source.source_text import SourceText

    if not file.is_file():
        return None
    data = read(file)
    header = None if isinstance(data, Unreadable) else read_header(SourceText.of("", data).text)
    return header.queue_manager if header is not None else None


def _override(overrides: list[tuple[str, ...]]) -> str:
    """The override that decides, blank if the project's own setting does."""
    return f"overrides for {', '.join(overrides[-1])}" if overrides else ""


def table(facts: list[SettingOrigin]) -> Iterator[str]:
    column = max(len(fact.key) for fact in facts) + 1
    shown = [visible(_text(fact)) for fact in facts]
    width = min(max(map(len, shown)), 40)
    for fact, text in zip(facts, shown, strict=True):
        by = f"  # {visible(fact.by)}" if fact.by else ""
        yield f"{fact.key + ':':<{column}} {text:<{width}}{by}".rstrip()


def _text(fact: SettingOrigin) -> str:
    value = fact.value
    if value is None:
        return "none, so defaults apply" if fact.key == "configuration" else "unknown"
    return value if isinstance(value, str) else flow(value)
