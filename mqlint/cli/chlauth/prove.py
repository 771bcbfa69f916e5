"""`mqlint chlauth prove`: that no connection from one site gets into another, or one that does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

import click

from mqlint import __version__
from mqlint.chlauth.access import ChannelAccess
from mqlint.chlauth.address import AddressSet, everything, network, union
from mqlint.chlauth.connection import STRANGER, Outcome
from mqlint.chlauth.decide import ENABLED, SHIPPED
from mqlint.chlauth.prove import Proof, proofs
from mqlint.chlauth.region import Region
from mqlint.cli.chlauth.verdicts import addresses_of, outcome_json
from mqlint.cli.common.group import Refusal
from mqlint.cli.common.options import format_option, options, paths_argument
from mqlint.cli.common.output import answer
from mqlint.cli.common.project import ProjectOptions, Session
from mqlint.cli.common.targets import collect
from mqlint.config.errors import not_among
from mqlint.config.settings import Site
from mqlint.dataclass import frozen
from mqlint.engine import Analyser
from mqlint.engine.loading.load import Loaded
from mqlint.engine.project import Project
from mqlint.model.core.queue_manager import QueueManager
from mqlint.report.json import Json
from mqlint.report.terminal import listing, visible, wrap

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
            if access.is_assumed_enabled:
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
        raise Refusal(f"no queue manager of {own.name} is described in these files")
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
    unknown: list[str] = []
    for path in _paths(manager):
        unknown += (f"{path}: {gap}" for gap in loaded[path].coverage.gaps)
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


VERSION = 1
"""Raised when a field of the JSON form changes its meaning or goes away."""

_WORDS = {PROVEN: "refused", OPEN: "open", NOT_PROVEN: "not proven"}


@click.command("prove", short_help="Prove that no connection from a site gets into another.")
@paths_argument
@click.option(
    "--from",
    "source",
    metavar="SITE",
    required=True,
    help="The site whose networks must have no access, from `sites:` in mqlint.yaml.",
)
@click.option("--to", "target", metavar="SITE", required=True, help="The site to protect.")
@format_option
@options("config cache no_cache", project=ProjectOptions)
def command(
    paths: tuple[str, ...], source: str, target: str, form: str, project: ProjectOptions
) -> int:
    """Prove that no connection from a site gets into another, or show one that does.

    Every channel of every queue manager of the target is tried, for every address of the source's
    networks, every user, certificate and queue manager name. What the files do not decide is
    not proven, never refused.

    \b
    Exit status:
      0  every connection is refused
      1  a connection gets in
      2  an error
      4  not proven
    """  # noqa: D301 a mark for click: keep these lines
    session = project.session(paths)
    certificate = certificate_of(session, paths or (".",), source, target)
    answer(form, lambda: _json(certificate), lambda width: _lines(certificate, width))
    return certificate.status


def _lines(found: Certificate, width: int) -> Iterator[str]:
    for manager in found.managers:
        yield visible(f"{manager.access.manager.key.title}: {_WORDS[manager.status]}")
        for reason in manager.unknown:
            yield from wrap(reason, width, "  not proven: ", "    ")
        yield from _channels(manager.proofs, width)
    for reason in found.unknown:
        yield from wrap(reason, width, "not proven: ", "  ")
    yield from listing("given that", found.assumptions, width)
    yield "from these files (SHA-256)"
    for path, digest in found.inputs.items():
        yield visible(f"  {digest}  {path}")
    yield ""
    yield from wrap(_conclusion(found), width)


def _conclusion(found: Certificate) -> str:
    names = f"{found.source.name} to {found.target.name}"
    if found.status == PROVEN:
        return f"Proven: every connection from {names} is refused."
    if found.status == OPEN:
        return f"Open: a connection from {names} gets in."
    return f"Not proven: the files do not decide whether a connection from {names} gets in."


def _channels(found: Iterable[Proof], width: int) -> Iterator[str]:
    """The channels, those together that are refused by the same records."""
    ordered = sorted(found, key=lambda proof: (status_of(proof) == PROVEN, _reasons(proof)))
    for status, alike in groupby(ordered, key=lambda proof: (status_of(proof), _reasons(proof))):
        proofs = list(alike)
        names = ", ".join(_named(proof) for proof in proofs)
        yield from wrap(f"{names}: {_WORDS[status[0]]}", width, "  ", "    ")
        yield from _why(proofs[0], width)


def _named(proof: Proof) -> str:
    kind = proof.channel.type
    return f"{proof.channel.name} ({kind})" if kind else proof.channel.name


def _reasons(proof: Proof) -> tuple[str, ...]:
    if proof.witness is not None:
        witness = proof.witness
        return ("", witness.who, witness.address, witness.outcome.why, str(witness.outcome.user))
    if proof.unknown:
        return ("", *proof.unknown)
    return tuple(_refusal(region) for region in proof.refused)


def _refusal(region: Region) -> str:
    record = region.outcome.record
    if record is None:
        by = region.outcome.why
    else:
        place = record.place
        at = "new queue managers have it" if place is None else place.line_text
        by = f"{record.written()} ({at})"
    return f"{addresses_of(region.addresses)}: by {by}"


def _why(proof: Proof, width: int) -> Iterator[str]:
    if proof.witness is not None:
        outcome = proof.witness.outcome
        user = f" as {outcome.user}" if outcome.user not in (None, "", STRANGER) else ""
        text = f"{proof.witness.who} gets in from {proof.witness.address}{user}: {outcome.why}"
        yield from wrap(text, width, "    ", "      ")
        if outcome.record is not None:
            place = outcome.record.place
            at = "" if place is None else f" ({place.line_text})"
            yield from wrap(f"by {outcome.record.written()}{at}", width, "      ")
        return
    for reason in proof.unknown or _reasons(proof):
        yield from wrap(reason, width, "    ", "      ")


def _json(found: Certificate) -> dict[str, Json]:
    return {
        "version": VERSION,
        "tool": f"mqlint {__version__}",
        "from": found.source.name,
        "to": found.target.name,
        "networks": list(found.networks),
        "verdict": _WORDS[found.status],
        "queue_managers": [_manager_json(manager) for manager in found.managers],
        "unknown": list(found.unknown),
        "assumptions": list(found.assumptions),
        "inputs": [{"path": path, "sha256": digest} for path, digest in found.inputs.items()],
    }


def _manager_json(manager: ManagerProof) -> dict[str, Json]:
    key = manager.access.manager.key
    return {
        "queue_manager": None if key.anonymous else key.name,
        "file": key.name if key.anonymous else None,
        "verdict": _WORDS[manager.status],
        "unknown": list(manager.unknown),
        "channels": [
            {
                "name": proof.channel.name,
                "type": proof.channel.type,
                "verdict": _WORDS[status_of(proof)],
                "refused": [
                    {
                        "addresses": region.addresses.written(),
                        **outcome_json(region.outcome),
                    }
                    for region in proof.refused
                ],
                "witness": None
                if proof.witness is None
                else {
                    "address": proof.witness.address,
                    "who": proof.witness.who,
                    **_outcome_json(proof.witness.outcome),
                },
                "unknown": list(proof.unknown),
            }
            for proof in manager.proofs
        ],
    }


def _outcome_json(outcome: Outcome) -> dict[str, Json]:
    """An outcome; a user that no record names has no name."""
    found = outcome_json(outcome)
    return {**found, "user": None} if outcome.user == STRANGER else found
