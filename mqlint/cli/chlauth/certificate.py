"""The proof about two sites: each queue manager, and the files that it is proven from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mqlint.chlauth.access import ChannelAccess
from mqlint.chlauth.address import AddressSet, everything, network, union
from mqlint.chlauth.decide import ENABLED, SHIPPED
from mqlint.chlauth.prove import Proof, proofs
from mqlint.cli.common.group import Refusal
from mqlint.cli.common.project import Session
from mqlint.cli.common.targets import collect
from mqlint.config.errors import not_among
from mqlint.config.settings import Site
from mqlint.dataclass import frozen
from mqlint.engine import Analyser
from mqlint.engine.load import Loaded
from mqlint.engine.project import Project
from mqlint.model.core.queue_manager import QueueManager
from mqlint.report.terminal import visible

PROVEN, OPEN, NOT_PROVEN = 0, 1, 4
"""Exit statuses by the verdict; 2 stands for every error of usage or configuration."""

_NETWORKS = "partners have addresses of these networks, as the listener sees them: {}"
_OUTBOUND = "connections that {} starts itself (senders, clients) are not part of the proof"
_CHANNELS = (
    "only MQ channels are part of the proof: not the REST API, MQTT, or the hosts themselves"
)
_STATE = "each queue manager is as these files leave it"
_CERTIFICATES = "a partner may have any user, any certificate and any queue manager name"


@frozen
class ManagerProof:
    """The proof about one queue manager; `unknown` is what was not read of its files."""

    access: ChannelAccess
    proofs: list[Proof]
    unknown: tuple[str, ...]

    @property
    def status(self) -> int:
        return _worst(map(status_of, self.proofs), self.unknown)


@frozen
class Certificate:
    """The proof about two sites, with the files that it is proven from."""

    source: Site
    target: Site
    networks: tuple[str, ...]
    managers: list[ManagerProof]
    unknown: tuple[str, ...]
    inputs: Mapping[str, str]

    @property
    def status(self) -> int:
        return _worst((manager.status for manager in self.managers), self.unknown)

    @property
    def assumptions(self) -> list[str]:
        """What the proof assumes, each once."""
        notes = [
            _NETWORKS.format(", ".join(self.networks)),
            _CERTIFICATES,
            _STATE,
            _OUTBOUND.format(self.target.name),
            _CHANNELS,
        ]
        for manager in self.managers:
            access = manager.access
            if access.enabled is None:
                notes.append(ENABLED)
            if access.enabled is not False and access.rules.assumed:
                notes.append(SHIPPED)
            notes += (note for proof in manager.proofs for note in proof.assumptions)
        return list(dict.fromkeys(notes))


def certificate_of(
    session: Session, paths: tuple[str, ...], source: str, target: str
) -> Certificate:
    """Return what the files of `paths` prove; Refusal for sites that are not known."""
    settings, vocabulary = session.settings, session.vocabulary
    partner, own = (_site(settings.sites, name) for name in (source, target))
    if partner == own:
        raise Refusal("--from and --to name the same site")
    listed = tuple(str(found) for found in partner.seen_as or partner.networks)
    networks = union(map(network, listed)) if listed else everything()
    project = Project.of(collect(session, paths).inputs, settings, Analyser(vocabulary))
    managers = [
        manager
        for manager in project.managers()
        if manager.key.site == own.name and _is_one(manager)
    ]
    if not managers:
        raise Refusal(f"no queue manager of {visible(own.name)} is described in these files")
    used = {path for manager in managers for path in _paths(manager)}
    placement, readings = project.assembly.placement, project.readings
    unread = [
        f"{path}: {document.coverage.reason or document.coverage.status}"
        for path, document in sorted(project.loaded.items())
        if document.coverage.is_missed and _belongs(placement.site_of(path), own)
    ]
    return Certificate(
        partner,
        own,
        listed or ("any address, as the site has no networks: in mqlint.yaml",),
        [_manager(manager, networks, project.loaded) for manager in managers],
        tuple(unread),
        {path: readings[path].digest for path in sorted(used) if path in readings},
    )


def _belongs(place: object, own: Site) -> bool:
    """Whether a file belongs to a site, or to no known site."""
    site = getattr(place, "site", None)
    return site is None or site.name == own.name


def _site(sites: Iterable[Site], name: str) -> Site:
    known = {site.name: site for site in sites}
    if not known:
        raise Refusal("no sites: set sites: in mqlint.yaml, with the networks of each")
    if name not in known:
        raise Refusal(f"unknown site {visible(name)!r}: {not_among(name, known)}")
    return known[name]


def _is_one(manager: QueueManager) -> bool:
    """Whether it is a queue manager, not a file without commands for one."""
    return not manager.key.anonymous or any(True for _ in manager.all_recorded())


def _paths(manager: QueueManager) -> list[str]:
    return list(dict.fromkeys(origin.path for origin in manager.origins))


def _manager(
    manager: QueueManager, networks: AddressSet, loaded: Mapping[str, Loaded]
) -> ManagerProof:
    access = ChannelAccess(manager)
    unknown = []
    for path in _paths(manager):
        row = loaded[path].coverage
        if row.commands > row.understood:
            missed = row.commands - row.understood
            unknown.append(f"{path}: {missed} of {row.commands} commands not understood")
        if row.reason:
            unknown.append(f"{path}: {row.reason}")
    return ManagerProof(access, list(proofs(access, networks)), tuple(unknown))


def status_of(proof: Proof) -> int:
    if proof.witness is not None:
        return OPEN
    return PROVEN if proof.is_refused else NOT_PROVEN


def _worst(verdicts: Iterable[int], unknown: tuple[str, ...]) -> int:
    found = set(verdicts)
    if OPEN in found:
        return OPEN
    return NOT_PROVEN if NOT_PROVEN in found or unknown else PROVEN
