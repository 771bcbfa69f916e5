"""One rehearsal from files and a scenario: the calendar, its branches, the remedies tried."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mqlint.cli.common.documents import project_of
from mqlint.cli.common.files import text_of
from mqlint.cli.common.group import Refusal
from mqlint.cli.common.project import Session
from mqlint.cli.common.targets import collect
from mqlint.config.errors import not_among
from mqlint.config.reader import read_kind
from mqlint.config.settings import Site
from mqlint.dataclass import frozen
from mqlint.model.core.queue_manager import QueueManager
from mqlint.rehearsal.member import Member, members_of
from mqlint.rehearsal.outcome import Branch, Outcome, branches_of, outcome_of
from mqlint.rehearsal.refusal import refusals_of
from mqlint.rehearsal.remedies import Trial, trials_of
from mqlint.rehearsal.scenario import KEYS
from mqlint.rehearsal.scenario_reader import scenario_of
from mqlint.rehearsal.simulation import Result, simulate
from mqlint.rehearsal.world import World, world_of
from mqlint.report.terminal import visible

_LARGEST = 1 << 20


@frozen
class ClusteredEstate:
    """The queue managers of the files, and those of them that are in clusters."""

    managers: list[QueueManager]
    members: list[Member]
    sites: Sequence[Site]
    configured: Sequence[str] = ()


@frozen
class Rehearsal:
    world: World
    result: Result
    outcome: Outcome
    branches: list[Branch]
    trials: list[Trial]


def estate_of(session: Session, paths: Sequence[str]) -> ClusteredEstate:
    """Return the queue managers that files describe; Refusal if none is in a cluster."""
    managers = project_of(session, collect(session, paths).inputs).managers()
    members = members_of(managers)
    if not members:
        raise Refusal(
            "no queue manager of a site is in a cluster in these files: "
            "set sites: and queue_managers: in mqlint.yaml"
        )
    sites = {manager.site.name: manager.site for manager in managers if manager.site is not None}
    configured = [site.name for site in session.settings.sites]
    return ClusteredEstate(managers, members, list(sites.values()), configured)


def sites_of(estate: ClusteredEstate, name: str | None) -> tuple[list[Site], Site]:
    """Return the sites of production, and that of DR; Refusal if they are not known."""
    found = [site for site in estate.sites if site.role == "dr"]
    if name is not None:
        names = {site.name for site in estate.sites}
        if name not in names:
            raise Refusal(f"unknown site {visible(name)!r}: {not_among(name, names)}")
        found = [site for site in estate.sites if site.name == name]
    if len(found) != 1:
        names = {site.name for site in found}
        more = f": name one with --site: {', '.join(sorted(map(visible, names)))}" if found else ""
        raise Refusal(f"{len(found)} sites of the files have the role dr{more}")
    dr = found[0]
    production = [
        site
        for site in estate.sites
        if site.role == "production" and dr.stands_in_for in (None, site.name)
    ]
    if not production:
        raise Refusal(f"no site of the files is the production of {dr.name}")
    return production, dr


def rehearsed(estate: ClusteredEstate, file: Path) -> Rehearsal:
    """Return the rehearsal of a scenario; ConfigError if the file is wrong."""
    node = read_kind(text_of(file, _LARGEST), visible(str(file)), KEYS)
    scenario = scenario_of(node, estate.members, estate.configured)
    dr = next((site for site in estate.sites if site.name == scenario.dr), None)
    refusals = (
        refusals_of(estate.managers, estate.members, dr) if scenario.chlauth == "unknown" else {}
    )
    world = world_of(scenario, estate.members, estate.sites, refusals)
    result = simulate(world)
    return Rehearsal(
        world, result, outcome_of(result), branches_of(world, result), trials_of(world, result)
    )
