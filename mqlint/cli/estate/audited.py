"""What an audit adds to a scan: the register of queue managers, teams, and who ran it."""

from __future__ import annotations

import getpass
import platform
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mqlint.cli.common.files import bytes_of, text_of
from mqlint.cli.common.group import Refusal
from mqlint.cli.common.options import EXISTING_FILE, option
from mqlint.cli.common.project import shown_path
from mqlint.config.estate.controls import KEYS, Control, controls_from
from mqlint.config.estate.teams import TeamPattern, Teams, teams_from
from mqlint.config.node import Node
from mqlint.config.reader import read_kind
from mqlint.dataclass import frozen
from mqlint.engine.judgement.register import Registered, register_from
from mqlint.finding import names_of
from mqlint.source.decode import decode

if TYPE_CHECKING:
    from mqlint.config.estate.repositories import Estate
    from mqlint.estate.stages.audit import About
    from mqlint.policy.rulebook import Rulebook

_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""How workbooks of spreadsheets begin, of today and of old."""


@frozen
class AuditOptions:
    """The options that name the register of queue managers, and who owns which files."""

    inventory: Path | None = option(
        "--inventory FILE",
        "The register of queue managers: CSV with the column queue_manager, optionally site. "
        "Report what it or the repositories lack.",
        type=EXISTING_FILE,
    )
    controls: tuple[Path, ...] = option(
        "--controls FILE",
        "Map controls of a standard to rules, by a YAML file. May be given several times.",
        multiple=True,
        type=EXISTING_FILE,
    )
    teams: Path | None = option(
        "--teams FILE",
        "Who owns which files: CODEOWNERS, or CSV with the columns pattern and team.",
        type=EXISTING_FILE,
    )


@frozen
class Audited:
    """The register and its content, None without one; mappings of controls; and the teams.

    Of `controls` each has its text and the path that messages show. `notes` say what is assumed.
    """

    register: Sequence[Registered] | None = None
    content: bytes | None = None
    teams: Teams = Teams()
    controls: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()

    def about(self, rulebook: Rulebook, engine: str, words: Sequence[str] | None = None) -> About:
        """Return what the tables for an auditor tell of the run.

        `words` are its options, by default those of the command line.
        """
        from mqlint.estate.stages.audit import About

        try:
            operator = getpass.getuser()
        except (KeyError, OSError):  # a user without a name
            operator = ""
        host, given = platform.node(), tuple(sys.argv[1:] if words is None else words)
        controls = self._controls(rulebook)
        return About(rulebook, operator, host, engine, given, self.content, controls)

    def _controls(self, rulebook: Rulebook) -> tuple[Control, ...]:
        """The controls of all mappings; ConfigError if one is wrong or names no rule."""
        named = names_of(rulebook.rules.values()) if self.controls else {}

        def rule_of(node: Node) -> str:
            rule = named.get(node.text().casefold())
            if rule is None:
                raise node.error(f"rule {node.text()!r} does not exist")
            return rule.id

        return tuple(
            control
            for text, path in self.controls
            for control in controls_from(read_kind(text, path, KEYS), rule_of)
        )


def audited_by(files: AuditOptions, estate: Estate | None = None, base: Path = Path()) -> Audited:
    """Return what the command line names, or ESTATE in the folder `base`.

    Refusal if a file cannot be read, ConfigError if it is wrong.
    """
    notes: list[str] = []
    inventory, shown = files.inventory, ""
    if inventory is not None:
        shown = shown_path(inventory)
    elif estate is not None and estate.inventory is not None:
        inventory, shown = base / estate.inventory.text(), estate.inventory.text()
    register, content = None, None
    if inventory is not None:
        content = bytes_of(inventory)
        register = register_from(_text_of_sheet(content, inventory, shown, notes), shown)
    patterns: list[TeamPattern] = []
    for item in estate.teams if estate is not None else ():
        if isinstance(item, TeamPattern):
            patterns.append(item)
        else:
            patterns += _teams_of(base / item.text(), item.text(), notes)
    if files.teams is not None:
        patterns += _teams_of(files.teams, shown_path(files.teams), notes)
    controls = [(text_of(file), shown_path(file)) for file in files.controls]
    nodes = estate.controls if estate is not None else ()
    controls += [(text_of(base / node.text()), node.text()) for node in nodes]
    teams = Teams(tuple(patterns))
    return Audited(register, content, teams, tuple(controls), tuple(notes))


def _teams_of(file: Path, shown: str, notes: list[str]) -> tuple[TeamPattern, ...]:
    return teams_from(_text_of_sheet(bytes_of(file), file, shown, notes), shown)


def _text_of_sheet(data: bytes, file: Path, shown: str, notes: list[str]) -> str:
    """The text of a list that a spreadsheet may have written; adds a note if it is not UTF-8.

    Refusal if it is a workbook.
    """
    if data.startswith(_WORKBOOKS):
        raise Refusal(f"cannot read {file}: it is a workbook, save it as CSV")
    found = decode(data)
    if found.encoding == "latin-1":
        found = decode(data, encoding="cp1252")  # as Excel writes it
    if found.assumed or found.encoding == "cp1252":
        notes.append(f"{shown} is not UTF-8, it was read as {found.encoding}")
    return found.text
