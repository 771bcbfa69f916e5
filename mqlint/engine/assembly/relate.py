"""The relations between the documents of a project, from the links of each document."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from posixpath import basename, dirname
from typing import TYPE_CHECKING

from mqlint.config.estate.placement import Placement
from mqlint.config.estate.roles import role_of, roles_of_pairs
from mqlint.config.settings import Role, Settings
from mqlint.dataclass import NamedTuple
from mqlint.engine.assembly.addresses import find_sites
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.assembly.composing import compose
from mqlint.engine.assembly.copies import find_copies
from mqlint.engine.assembly.feeds import feeds_of, find_feeds
from mqlint.engine.assembly.homes import homes_of, is_open_ini
from mqlint.engine.assembly.job_owners import job_owners
from mqlint.engine.assembly.links import Links, links_of
from mqlint.engine.assembly.relations import Feed, Owners, Relations, branch, host_of
from mqlint.engine.assembly.sourcing import (
    faults_of_sourced,
    packed_reading,
    readings_with_settings,
)
from mqlint.engine.assembly.twins import find_twins, named_places
from mqlint.engine.assembly.unlabelled import production_beside_dr
from mqlint.engine.assembly.wiring import Wiring, wired_far
from mqlint.grouping import agreed, grouped, single
from mqlint.language.client.signs import is_tree
from mqlint.language.feeding import is_entry
from mqlint.model.core.key import QueueManagerKey
from mqlint.number import is_digits
from mqlint.patterns import later
from mqlint.vocabulary import Vocabulary
from mqlint.vocabulary.container import MQ_PORT

if TYPE_CHECKING:
    from mqlint.language.kubernetes.deployments import Deployed
    from mqlint.language.kubernetes.joined import Shown

_SHORTEST = 3
"""Characters of the name of a file or folder that may be that of a queue manager."""
_WORDS = later(r"[_-]+")
_OF_QUEUE_MANAGER = later(
    r"(?!QMGRS?$|[A-Z0-9]*(?:QMOD|MQM|QMGR(?!.?[0-9]?$)))(?=[A-Z0-9]{3,48}$)"
    r"(?:QM[A-Z]{1,2}$|(?=[A-Z]*[0-9])[A-Z0-9]*QM[A-Z0-9]*$)"
)
"""Names of files, and of folders of qm.ini, that queue managers have by convention: QM1, QMA.

Of letters alone a longer one may be a word for what the file holds: QMSETUP.
"""
_NAMESPACE = later(
    r"(?m)^(?:metadata:[ \t]*+(?:\{[^{}]*?(?<![\w.-])"
    r"|(?:#[^\n]*+)?\r?\n(?:[ \t]++(?!namespace:)[^\n]*+\n)*+[ \t]++))?"
    r"namespace:[ \t]*[\"']?([a-z0-9][a-z0-9-]{0,62})(?![\w.-])"
)
"""The namespace of a resource or kustomization, not of what these name (`subjects`)."""
Namesakes = Mapping[QueueManagerKey, str]
"""For a name and site, the parent of the folders that each have such a queue manager."""


def related_assembly(
    settings: Settings, vocabulary: Vocabulary, links: Mapping[str, Links], repository: str = ""
) -> Assembly:
    """Return the assembly of a project; `links` are those of all documents, by path."""
    alone = Assembly(settings, vocabulary, repository)
    again = readings_with_settings(links, alone)
    links = {**links, **{path: links_of(path, reading, alone) for path, reading in again.items()}}
    copies = find_copies(links, feeds_of(links), alone.placement)
    links = {path: of for path, of in links.items() if path not in copies} if copies else links
    stated = dict(_namespaces(links))
    names = (*(name for of in links.values() for name in of.managers()), *stated.values())
    roles = {} if settings.sites else roles_of_pairs(links, names)
    tells = {name for name in stated.values() if settings.site(name) or role_of(name)} | {*roles}
    namespaces = {path: name for path, name in stated.items() if name in tells}
    guesses = Relations(roles=roles, namespaces=namespaces)
    guessed = alone.related(guesses)
    placement = guessed.placement
    found = compose(links, placement, guessed.judged)
    jobs = job_owners(found.links)
    links = {**found.links, **dict(jobs.links(found.links))}
    paths = sorted(links)
    wired = [(path, entry, manager) for path in paths for entry, manager in links[path].wired]
    if wired:
        held = {path: _entries(links[path]) for path in paths}
        wired += wired_far(wired, held, placement.site_name_of)
    shared = frozenset[tuple[str, str]]().union(*(each.shared for each in links.values()))
    shown = shown_by_folders(links)
    shown = {path: of for path, of in shown.items() if path not in found.compositions.settled}
    joined = {path: tuple(of.faults) for path, of in shown.items() if of.faults}
    links = {**links, **dict(_with_services(links, shown))}
    joined |= found.faults
    for path, faults in faults_of_sourced(links, guessed).items():
        joined[path] = (*joined.get(path, ()), *faults)
    feeds, left_out = find_feeds(links, Wiring(wired))
    joined |= {path: (*joined.get(path, ()), *faults) for path, faults in left_out.items()}
    sent = {**found.compositions.deployed, **dict(_sent_to_sites(links, feeds, placement))}
    relations = Relations(
        wired,
        shared=shared,
        joined=joined,
        composed=found.compositions._replace(deployed=sent),
        feeds=feeds,
        roles=roles,
        namespaces=namespaces,
        copies=copies,
        again={path: packed_reading(reading) for path, reading in again.items()},
        is_of_mq=any(of.addresses or of.creates or of.fed or of.wired for of in links.values()),
    )
    assembly = alone.related(relations)
    assembly = _knowing(assembly, fed_roles=dict(_fed_roles(links, assembly)))
    assembly = _knowing(assembly, namesakes=find_namesakes(links, assembly))
    homes = {} if settings.queue_managers else homes_of(links, placement.site_name_of)
    homes |= jobs.whole
    known = Owners(homes, left_open=found.compositions.undecided, stretches=jobs.stretches)
    assembly = _with_owners(assembly, links, known)
    assembly = _with_production(assembly, links)
    assembly = _knowing(assembly, located=_located(links, assembly))
    assembly = _knowing(
        assembly,
        twins=find_twins(links, assembly),
        sited_by_name=_sited_by_name(links, assembly),
        found_sites=find_sites(links, assembly, named_places(links, assembly)),
        of_one_file=_of_one_file(links, assembly),
    )
    if not any(each.calls for each in links.values()):
        return assembly
    from mqlint.engine.assembly.servers import find_servers  # few projects have applications

    return _knowing(assembly, servers=find_servers(links, assembly))


def _sent_to_sites(
    links: Mapping[str, Links], feeds: Mapping[str, Sequence[Feed]], placement: Placement
) -> Iterator[tuple[str, Deployed]]:
    """Yield the files that scripts feed only in parts for sites, with a path of each site."""
    if not any(of.sent for of in links.values()):
        return
    from mqlint.language.kubernetes.deployments import Deployed  # few scripts have such parts

    for path, found in feeds.items():
        roots: dict[str, str] = {}
        for script in {feed.script for feed in found} if not placement.site_name_of(path) else ():
            at = [part for name, part in links[script].sent if basename(name) == basename(path)]
            if not at or placement.site_name_of(script):
                break
            for root in (f"{script}/{part}/{script}" for part in at):
                roots.setdefault(placement.site_name_of(root), root)
        else:
            if roots:
                yield path, Deployed(tuple(roots.values()), is_deep=False)


def _knowing(assembly: Assembly, **found: object) -> Assembly:
    """Return an assembly that knows more relations: the next ones are found with its help."""
    return assembly.related(assembly.relations._replace(**found))  # type: ignore[arg-type]


def _with_owners(assembly: Assembly, links: Mapping[str, Links], known: Owners) -> Assembly:
    """Return an assembly that knows the queue managers of documents, some of them `known`."""
    assembly = _knowing(assembly, owners=known)
    owners = find_owners(links, assembly)
    owners = owners._replace(
        obvious={**known.obvious, **owners.obvious},
        left_open=(*owners.left_open, *known.left_open),
        stretches=known.stretches,
    )
    return _knowing(assembly, owners=owners)


def _with_production(assembly: Assembly, links: Mapping[str, Links]) -> Assembly:
    """Return an assembly that knows what only the copies at DR show to be of production."""
    named, unnamed = production_beside_dr(links, assembly)
    if not (named or unnamed):
        return assembly
    assembly = _knowing(
        assembly,
        fed_roles={**assembly.placement.fed_roles, **dict.fromkeys(named, "production")},
        namespaces={**assembly.relations.namespaces, **dict.fromkeys(unnamed, "production")},
        unlabelled=(*named, *unnamed),
    )
    return _knowing(assembly, namesakes=find_namesakes(links, assembly))


def _located(links: Mapping[str, Links], assembly: Assembly) -> dict[str, str]:
    """Return the queue managers that only files of one site configure, each with one of these.

    What a script of no site does to one is then about that one. A script of no site that creates a
    queue manager, or feeds it, may do so at another site.
    """
    placement = assembly.placement
    sites: dict[str, dict[str, str]] = {}
    for path in sorted(links):
        found = links[path]
        configured = [each for each in found.addresses if each.open_to in ("all", "manifest")]
        names = {key.name for key in assembly.owners(path, configured) if not key.anonymous}
        names.update(found.creates, (name for _, name in found.fed if not is_entry(name)))
        for name in names:
            sites.setdefault(name, {}).setdefault(placement.site_name_of(path), path)
    alone = {name: [*at.items()] for name, at in sites.items() if len(at) == 1}
    return {name: path for name, [(site, path)] in alone.items() if site}


def _of_one_file(links: Mapping[str, Links], assembly: Assembly) -> frozenset[str]:
    """The queue managers that one file alone configures; none if no file sets variables."""
    if not assembly.relations.composed.inventories:
        return frozenset()
    about = {
        (address.name, path)
        for path, of in links.items()
        for address in of.addresses
        if address.name and address.open_to == "all"
    }
    about.update(
        (feed.queue_manager, path)
        for path, feeds in assembly.feeds.items()
        for feed in feeds
        if feed.queue_manager
    )
    return frozenset(single(about))


def _fed_roles(links: Mapping[str, Links], assembly: Assembly) -> Iterator[tuple[str, Role]]:
    """Yield the queue managers whose files are at one site, as guessed, and whose scripts at none.

    What such a script does beside feeding them is then about the queue manager of this site. If
    another document of no site names the queue manager, it may be that of another site.
    """
    placement = assembly.placement
    fed = grouped(
        (feed.queue_manager, (feed.script, place))
        for path, feeds in assembly.feeds.items()
        if (place := placement.site_of(path)) is not None
        for feed in feeds
        if feed.queue_manager and placement.site_of(feed.script) is None
    )
    others: dict[str, set[str]] = defaultdict(set)
    for path, found in links.items() if fed else ():
        for name in fed.keys() & {*found.managers()}:
            if placement.site_of(path) is None:
                others[name].add(path)
    yield from _labelled_roles(links, placement)
    for name, feeds in fed.items():
        roles = {place.site.role for _, place in feeds}
        is_guessed = all(place.guessed for _, place in feeds)
        if is_guessed and len(roles) == 1 and others[name] <= {script for script, _ in feeds}:
            yield name, roles.pop()


def _labelled_roles(links: Mapping[str, Links], placement: Placement) -> Iterator[tuple[str, Role]]:
    """Yield the queue managers that scripts of no site name in branches for one site."""
    labelled = agreed(
        pair
        for path, found in links.items()
        if found.sited and placement.site_of(path) is None
        for pair in found.sited
    )
    return ((name, role) for name, role in labelled.items() if role_of(name) is None)


def _namespaces(links: Mapping[str, Links]) -> Iterator[tuple[str, str]]:
    """Yield the paths of manifests that state one namespace, with that."""
    for path, found in links.items():
        stated = set(_NAMESPACE.findall(found.resources)) if found.resources else ()
        if len(stated) == 1:
            yield path, *stated


def _sited_by_name(links: Mapping[str, Links], assembly: Assembly) -> list[tuple[str, str]]:
    """The queue managers whose site their names tell, if no path does, with that site."""
    placement = assembly.placement
    pathless = {path: found for path, found in links.items() if placement.site_of(path) is None}
    at_path = named_places({path: links[path] for path in links.keys() - pathless}, assembly)
    known = {name for _, name in at_path} if placement.roles else set[str]()
    found = named_places(pathless, assembly)
    known.update(assembly.relations.unlabelled)
    return sorted({(name, site.name) for site, name in found if name not in known})


def _entries(links: Links) -> list[str]:
    """The entries of ConfigMaps and Secrets whose queue manager another file may name."""
    held = [address.entry for address in links.addresses if address.entry and address.name is None]
    return [*held, *(queue_manager for _, queue_manager in links.fed if is_entry(queue_manager))]


def shown_by_folders(links: Mapping[str, Links]) -> dict[str, Shown]:
    """Return what the other manifests of a folder show of each, by path.

    The templates of a chart belong to the folder of its values.
    """
    folders = grouped(
        (dirname(f"/{path}").removesuffix("/templates").rstrip("/"), path)
        for path in sorted(links)
        if links[path].resources and is_tree(path)
    )
    found: dict[str, Shown] = {}
    for paths in folders.values():
        if len(paths) > 1:
            from mqlint.language.kubernetes.joined import shown_by_others  # few projects have any

            shown = shown_by_others([links[path].resources for path in paths])
            found.update(zip(paths, shown, strict=True))
    if len(folders) > 1:
        from mqlint.language.kubernetes.joined import Shown, typos_across_folders

        for path, faults in typos_across_folders(
            {path: links[path].resources for paths in folders.values() for path in paths}
        ):
            own = found.setdefault(path, Shown([], []))
            own.faults.extend(fault for fault in faults if fault not in own.faults)
    return found


def _with_services(
    links: Mapping[str, Links], shown: Mapping[str, Shown]
) -> Iterator[tuple[str, Links]]:
    """Yield the links of manifests with the addresses that services in other files give them."""
    for path, (_, hosts) in shown.items():
        names = [address.name for address in links[path].addresses]
        more = ((f"{host}({MQ_PORT})", names.index(name)) for host, name in hosts if name in names)
        receives = dict.fromkeys((*links[path].receives, *more))
        yield path, replace(links[path], receives=tuple(receives))


def find_namesakes(links: Mapping[str, Links], assembly: Assembly) -> Namesakes:
    """Return the queue managers of documents that share only their name, and perhaps site.

    A queue manager is created once. If folders beside each other each create one of the same name
    (crtmqm, a container, a manifest), they are different queue managers, and one folder says
    nothing about that of another: QM1 of ten sample projects is ten queue managers.

    A configuration that assigns files (`queue_managers:`) or sites decides. A file beside the
    folders that names the queue manager too makes them one project with one queue manager.
    """
    made = assembly.relations.composed.made if assembly.settings.queue_managers else links
    created: dict[QueueManagerKey, set[str]] = {}
    for path, found in links.items() if made else ():
        if path not in made:
            continue
        for name in found.creates:
            key = assembly.key(path, name)
            if key.repository == assembly.repository and _is_guess(assembly, path):
                created.setdefault(key, set()).add(dirname(path))
    several = {key: folders for key, folders in created.items() if len(folders) > 1}
    if not several:
        return {}
    about: dict[QueueManagerKey, set[str]] = {key: set() for key in several}
    for path, found in links.items():
        for key in assembly.owners(path, found.addresses):
            if key in about:
                about[key].add(dirname(path))
    namesakes = {}
    for key, folders in several.items():
        parent = _common(about[key] | folders)
        branches = {branch(folder, parent) for folder in folders}
        if len(branches) > 1 and parent not in about[key]:
            namesakes[key] = parent
    return namesakes


def _is_guess(assembly: Assembly, path: str) -> bool:
    """Whether the configuration leaves open to which site a file belongs."""
    place = assembly.placement.site_of(path)
    return place is None or place.guessed


def _common(folders: Iterable[str]) -> str:
    parts = [folder.split("/") for folder in folders]
    shared = []
    for level in zip(*parts, strict=False):
        if len(set(level)) > 1:
            break
        shared.append(level[0])
    return "/".join(shared)


def find_owners(links: Mapping[str, Links], assembly: Assembly) -> Owners:
    """Return the queue managers of MQSC that neither its text nor `queue_managers:` names.

    A file that is named like a queue manager of another file, or of an application, is of that one,
    and so are the files of a folder with such a name, qm.ini among them. A file whose listener has
    an address that an application calls is of the queue manager that the file is named after. So is
    one whose cluster-receiver channel has that name in its own, and one to which the remote queues
    or transmission queues of another file lead.
    In a complete inventory (`inventory: {objects: complete}`), the one queue manager that the other
    files of a folder name is that of its MQSC, and a single text of MQSC is a queue manager.
    """
    settings = assembly.settings
    names, called, hosts, nameless, stanzas = _stated(links, assembly)
    changing = {path for path in nameless if not links[path].only_shows}
    if settings.queue_managers:
        return Owners(has_unowned=bool(changing), beside=_several_of_folder(changing))
    everywhere = set().union(*names.values())
    partners = {name.casefold(): name for found in links.values() for name in found.partners}
    homes = {path: list(_homes(assembly.placement.own(path))) for path in (*nameless, *stanzas)}
    homes |= {path: [home for home in homes[path] if home.is_folder] for path in stanzas}
    for path in nameless:
        for home in homes[path]:
            called.update(_named_after(home, links[path], partners))
        stem = basename(path).partition(".")[0]
        is_called = any(host_of(host) in hosts for host, _ in links[path].receives)
        if (stem.isupper() and is_called) or _OF_QUEUE_MANAGER.match(stem):
            called.add(stem)
    inner = (home.name for path in stanzas for home in homes[path][:1])
    called.update(name for name in inner if _OF_QUEUE_MANAGER.match(name))
    known = single((name.casefold(), name) for name in (everywhere | called) - {""})
    alike = _alike(homes, known, links, assembly)
    if not settings.inventory.objects:
        beside = _several_of_folder(changing - alike.keys())
        return Owners(alike, has_unowned=not alike.keys() >= changing, beside=beside)
    models = {(path, model) for path in nameless for model in links[path].texts}
    if len(models) == 1 and not everywhere | {*alike}:
        return Owners(sole=nameless[0])
    near = {path: names[dirname(path)] or everywhere for path in nameless}
    obvious = {path: min(found) for path, found in near.items() if len(found) == 1} | alike
    return Owners(obvious, left_open=_left([path for path in nameless if path not in obvious]))


def _several_of_folder(paths: Iterable[str]) -> frozenset[str]:
    """Return the files that are in one folder with another one."""
    folders = grouped((dirname(path), path) for path in paths).values()
    return frozenset(path for found in folders if len(found) > 1 for path in found)


class _Stated(NamedTuple):
    """What documents state of queue managers, and which files leave that open.

    `names` are those of queue managers by the folder of the file, `called` those that applications
    call, and `hosts` where. `nameless` are files with MQSC, and `stanzas` files qm.ini, of no name.
    """

    names: dict[str, set[str]]
    called: set[str]
    hosts: set[str]
    nameless: list[str]
    stanzas: list[str]


def _stated(links: Mapping[str, Links], assembly: Assembly) -> _Stated:
    found = _Stated({}, set(), set(), [], [])
    for path in sorted(links):
        addresses = links[path].addresses
        named = {key.name for key in assembly.owners(path, addresses) if not key.anonymous}
        found.names.setdefault(dirname(path), set()).update(named)
        found.called.update(address.calls for address in addresses)
        found.hosts.update(host_of(host) for address in addresses for host in address.hosts)
        if links[path].texts and not named:
            found.nameless.append(path)
        elif not named and is_open_ini(path, links[path]):
            found.stanzas.append(path)
    return found


class _Home(NamedTuple):
    """A file or folder that may have the name of the queue manager of its MQSC."""

    path: str
    name: str
    is_folder: bool


def _homes(path: str) -> Iterator[_Home]:
    """Yield the names of a file and of its folders, the innermost first.

    The name of a file may also have a word for its role: QM1_dr.mqsc.
    """
    *folders, file = path.split("/")
    stem = file.partition(".")[0]
    yield _Home(path, stem, is_folder=False)
    if role_of(stem) is not None:
        words = (word for word in _WORDS.split(stem) if role_of(word) is None)
        yield _Home(path, "_".join(words), is_folder=False)
    for depth in range(len(folders), 0, -1):
        name = folders[depth - 1]
        is_word = role_of(name) is not None and not any(map(is_digits, name))
        if len(name) >= _SHORTEST and not is_word:
            yield _Home("/".join(folders[:depth]), name, is_folder=True)


def _named_after(home: _Home, links: Links, partners: Mapping[str, str]) -> Iterator[str]:
    """Yield the queue manager that a file or folder is named after, if its texts or others show it.

    A short name may be chance: `a.mqsc` and a channel A.B. So may be a folder and one word of many.
    """
    name = home.name.casefold()
    if len(name) < _SHORTEST:
        return
    if not home.is_folder or len(links.own_words) == 1:
        yield from (word for word in links.own_words if word.casefold() == name)
    if name in partners and all(partner.casefold() != name for partner in links.partners):
        yield partners[name]


def _alike(
    homes: Mapping[str, Sequence[_Home]],
    known: Mapping[str, str],
    links: Mapping[str, Links],
    assembly: Assembly,
) -> dict[str, str]:
    """The paths whose file, or else folder, has the name of a queue manager; case does not count.

    Several files or folders of one name at one site are not assigned, and no file whose channels
    have another name than its folder, or than its own name without a word for its role. `known`
    are queue managers by their names in small letters.
    """
    found: dict[str, tuple[str, str]] = {}
    for path, named in homes.items():
        first = next((home for home in named if home.name.casefold() in known), None)
        if first is None:
            continue
        name = first.name.casefold()
        own = {word.casefold() for word in links[path].own_words}
        is_whole = first.name == basename(path).partition(".")[0]  # without a word taken away
        if is_whole or not own or name in own:
            outermost = [home.path for home in named if home.name.casefold() == name][-1]
            found[path] = outermost, known[name]
    site_of = assembly.placement.site_name_of
    places = grouped(((site_of(path), owner), home) for path, (home, owner) in found.items())
    return {
        path: owner
        for path, (_, owner) in found.items()
        if len(set(places[site_of(path), owner])) == 1
    }


def _left(paths: list[str]) -> list[str]:
    if not paths:
        return []
    more = f" and {len(paths) - 1:,} more" if len(paths) > 1 else ""
    return [
        f"`inventory: {{objects: complete}}` has no effect on {paths[0]}{more}: no file says which "
        "queue manager it is of; set `queue_managers:`"
    ]
