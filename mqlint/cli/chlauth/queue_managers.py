"""The queue managers that files describe, as channel authentication sees them."""

from __future__ import annotations

from collections.abc import Sequence

from mqlint.chlauth.access import ChannelAccess
from mqlint.chlauth.address import AddressSet, NoAddressError, everything, network, union
from mqlint.cli.common.documents import project_of, unread
from mqlint.cli.common.group import Refusal
from mqlint.cli.common.options import option
from mqlint.cli.common.project import Session
from mqlint.cli.common.targets import collect
from mqlint.config.errors import nearest
from mqlint.dataclass import frozen
from mqlint.report.terminal import visible
from mqlint.source.display import listed

_MANY = 12


def accesses_of(session: Session, paths: Sequence[str]) -> list[ChannelAccess]:
    """Return the access of each queue manager in files: its scripts override its dump."""
    project = project_of(session, collect(session, paths).inputs)
    owner_of = project.assembly.placement.queue_manager_of
    gaps = unread(document.coverage for document in project.loaded.values())
    owned = [(row.path, owner_of(row.path)) for row in gaps]
    return [
        ChannelAccess(
            manager, tuple(path for path, owner in owned if owner in (None, manager.key.name))
        )
        for manager in project.managers()
    ]


@frozen
class QueueManagerOptions:
    queue_manager: str | None = option(
        "--queue-manager NAME", "The queue manager, if the files describe several."
    )
    site: str | None = option("--site NAME", "Its site, if several have that name.")

    @property
    def is_given(self) -> bool:
        return self.queue_manager is not None or self.site is not None


def chosen(accesses: Sequence[ChannelAccess], options: QueueManagerOptions) -> ChannelAccess:
    """Return the access of the queue manager that is named; Refusal if none or several are."""
    name, site = options.queue_manager, options.site
    if not accesses:
        raise Refusal("no queue manager is described in these files")
    if name is None:
        if len(accesses) > 1 and all(access.manager.key.anonymous for access in accesses):
            raise Refusal(
                f"each file is for a queue manager of its own: {_titles(accesses)}; give one file,"
                " or set queue_managers: in mqlint.yaml if several are for one"
            )
        if len(accesses) > 1:
            raise Refusal(f"name one with --queue-manager: {_titles(accesses)}")
        return accesses[0]
    found = [
        access
        for access in accesses
        if not access.manager.key.anonymous and access.manager.key.name == name
    ]
    if not found:
        names = {access.manager.key.name for access in accesses if not access.manager.key.anonymous}
        raise Refusal(f"no queue manager {visible(name)!r} in these files{_hint(name, names)}")
    if site is not None:
        sites = {access.manager.key.site for access in found}
        if site not in sites:
            shown = ", ".join(visible(name or "no site") for name in sorted(sites))
            raise Refusal(f"{name} is not at {site}, but at {shown}")
        found = [access for access in found if access.manager.key.site == site]
    if len(found) > 1:
        raise Refusal(
            f"several queue managers are named {name}, choose with --site: {_titles(found)}"
        )
    return found[0]


def networks_of(words: Sequence[str]) -> AddressSet:
    """Return the addresses of networks, `any` for all; Refusal for a word that is not a network."""
    try:
        return union(everything() if word == "any" else network(word) for word in words)
    except NoAddressError as error:
        raise Refusal(f"{error}: write it as 10.20.0.0/16, or any") from None


def _titles(accesses: Sequence[ChannelAccess]) -> str:
    return visible(listed(sorted(access.manager.key.title for access in accesses), _MANY))


def _hint(name: str, names: set[str]) -> str:
    if not names:
        return ": set queue_managers: in mqlint.yaml to name it"
    near = nearest(name, names)
    guess = f": did you mean {visible(near)}?" if near is not None else ":"
    return f"{guess} the files describe {visible(listed(sorted(names), _MANY))}"
