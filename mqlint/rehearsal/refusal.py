"""Whether production's channel authentication records refuse every connection from DR."""

from __future__ import annotations

from collections.abc import Iterable

from mqlint.chlauth.access import ChannelAccess
from mqlint.chlauth.address import network, union
from mqlint.chlauth.prove import Prover
from mqlint.config.settings import Site
from mqlint.model.core.queue_manager import QueueManager
from mqlint.rehearsal.member import Member
from mqlint.rehearsal.scenario import id_of


def refusals_of(
    managers: Iterable[QueueManager], members: Iterable[Member], dr: Site | None
) -> dict[tuple[str, str], bool | None]:
    """Return, by id of a full repository and cluster, True if every connection is refused.

    Connections come from the networks of the DR site, as listeners see them. Anything but a proof
    is None: whether the records admit DR depends on its certificates and names.
    """
    listed = [] if dr is None else [str(found) for found in dr.seen_as or dr.networks]
    if not listed:
        return {}
    addresses = union(map(network, listed))
    by_key = {(found.key.name, found.key.site): found for found in managers}
    result: dict[tuple[str, str], bool | None] = {}
    for member in members:
        full = [part for part in member.memberships if part.is_full]
        manager = by_key.get((member.name, member.site)) if full else None
        if manager is None:
            continue
        access = ChannelAccess(manager)
        prover = Prover(access, addresses)
        for part in full:
            proof = prover.prove(access.channel(part.channel))
            result[id_of(member.name, member.site), part.cluster] = proof.is_refused or None
    return result
