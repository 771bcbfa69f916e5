"""The values that variables have at each site and host, for MQSC that all of them share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set

from mqlint.dataclass import NamedTuple
from mqlint.grouping import grouped
from mqlint.language.variables.ansible_hosts import MOST_GROUPS, MOST_HOSTS
from mqlint.language.variables.arguments import Arguments
from mqlint.language.variables.inventory import Inventories, Inventory
from mqlint.language.variables.job_inventories import of_jobs
from mqlint.language.variables.plays import includes_of, plays_of
from mqlint.language.variables.sources import (
    ANSIBLE,
    ANY,
    GROUP_INSIDE,
    HOST,
    TESTS,
    Source,
    SourceReader,
    decided,
    is_in,
    resolved,
)
from mqlint.language.variables.terraform import of_terraform
from mqlint.patterns import later
from mqlint.source.checkout import folders_above
from mqlint.source.digest import hex_digest

_HOST_NAME = "inventory_hostname"
"""The variable of Ansible that has the name of a host."""
_OF_ROLE = later(r"(?:.*/)?roles/([\w.-]{1,100})/")
_SET = later(r"(?m)^[ \t-]*([A-Za-z_]\w{0,100})[ \t]*[:=]")
"""A variable that a play or a task may set."""
_MOST = 200
"""Limit of the files of variables of a project."""


def inventories_of(
    texts: Mapping[str, str],
    site_of: Callable[[str], str],
    naming: Mapping[str, Sequence[str]],
    mentions: Mapping[str, Sequence[str]] = {},
    parameters: Mapping[str, Sequence[tuple[str, int]]] = {},
) -> tuple[dict[str, Inventories], tuple[str, ...]]:
    """Return the inventories of folders with variables for several sites or hosts.

    And what is not followed. `naming` are the variables that name the queue managers of commands,
    and `mentions` names of files, by the path of each file of the project. `parameters` are the
    variables of scripts that get a parameter, with its number.
    """
    arguments = Arguments(parameters)
    reader = SourceReader(texts, site_of, arguments)
    made: list[tuple[str, Inventory]] = []
    limit = f"{MOST_HOSTS:,}, or {MOST_GROUPS} groups of one"
    undecided = [f"hosts in {path} are not followed after {limit}" for path in reader.cut]
    found_in = grouped((each.form, each) for each in reader.sources())
    named_in = _named_in(naming)
    included = [*_included(texts, naming)]
    for form, sources in found_in.items():
        places = grouped((each.project, (each.site, each.host)) for each in sources)
        several = sorted(project for project, found in places.items() if _are_several(found))
        if several and len({each.path for each in sources}) > _MOST:
            undecided.append(f"variables in more than {_MOST} files are not followed: {several[0]}")
            continue
        if form == ANSIBLE and not several:
            made += _of_one(texts, sources, mentions, named_in)
        for project in several:
            names = {
                name
                for name in named_in.get(project, ())
                if (form == ANSIBLE) != name.startswith("$")
            }
            loops = [_Loop.of(name) for name in names if ".*" in name]
            loops += (loop for loop in included if _nearest(loop.file, several) == project)
            lists = grouped((loop.looped, loop) for loop in loops)
            for each in _of_project(project, sources, reader.groups, names):
                made.append((project, each))
                for loop, element in _elements(each, lists):
                    made.append((loop.file or project, element))
            made += _of_folders(project, sources, names) if form != ANSIBLE else ()
    made += of_jobs(texts, site_of, naming, mentions, arguments)
    rendered, too_many = of_terraform(texts, site_of, naming)
    made += rendered
    undecided += too_many
    of_roles = found_in.get(ANSIBLE, [])
    if all(_OF_ROLE.match(each.path) is not None for each in of_roles):
        made += _of_plays(texts, site_of, naming, mentions, of_roles)
    return (
        {project: Inventories.of(inventories) for project, inventories in grouped(made).items()},
        tuple(dict.fromkeys(undecided)),
    )


def _named_in(naming: Mapping[str, Sequence[str]]) -> Mapping[str, Set[str]]:
    """The variables that name queue managers in each folder and those below; blank for all."""
    found: dict[str, set[str]] = {}
    for path, names in naming.items():
        for folder in folders_above(path):
            found.setdefault(folder, set()).update(names)
    return found


class _Loop(NamedTuple):
    """A loop over a list that names queue managers by the variable `name`.

    In it an element is the variable `element`. `file` is the one that is included for each element,
    blank for all files that use `name`.
    """

    looped: str
    element: str
    name: str
    file: str = ""

    @classmethod
    def of(cls, name: str) -> _Loop:
        """The loop over a list of which `*` in a name is any element."""
        return cls(name.partition(".*")[0], "item", name)

    @property
    def field(self) -> str:
        """The variable of an element that has the name of its queue manager."""
        return self.name if self.file else f"item{self.name.partition('.*')[2]}"


def _nearest(path: str, projects: Sequence[str]) -> str | None:
    """The innermost of some folders around a file."""
    return max((each for each in projects if is_in(path, each)), key=len, default=None)


def _included(texts: Mapping[str, str], naming: Mapping[str, Sequence[str]]) -> Iterator[_Loop]:
    """Yield the loops that include a file; one that several include is none."""
    found = grouped(
        (include.file, include)
        for path, text in sorted(texts.items())
        for include in includes_of(path, text)
    )
    for file, includes in found.items():
        names = naming.get(file, ())
        if len(includes) == len(names) == 1:
            yield _Loop(includes[0].looped, includes[0].variable, names[0], file)


def _elements(
    each: Inventory, lists: Mapping[str, Sequence[_Loop]]
) -> Iterator[tuple[_Loop, Inventory]]:
    """Yield each element of the lists over which loops go, by the list."""
    elements: dict[tuple[str, str], dict[str, str]] = {}
    for key, value in each.values.items() if lists else ():
        words = key.split(".")
        for at in range(1, len(words)):
            looped = ".".join(words[:at])
            if looped in lists:
                field = "".join(f".{word}" for word in words[at + 1 :])
                elements.setdefault((looped, words[at]), {})[field] = value
    for (looped, number), fields in elements.items():
        for loop in lists[looped]:
            own = {f"{loop.element}{field}": value for field, value in fields.items()}
            queue_manager = own.get(loop.field)
            if queue_manager is not None:
                yield (
                    loop,
                    each._replace(
                        host=f"{each.host} {number}",
                        queue_manager=queue_manager,
                        own=frozenset({*own, loop.name}),
                        values={**each.values, **own, loop.name: queue_manager},
                        digest=hex_digest(f"{each.digest} {number} {loop.name}".encode()),
                        looped="" if loop.file else loop.name,
                        is_round=True,
                    ),
                )


def _of_plays(
    texts: Mapping[str, str],
    site_of: Callable[[str], str],
    naming: Mapping[str, Sequence[str]],
    paths: Iterable[str],
    sources: Iterable[Source],
) -> Iterator[tuple[str, Inventory]]:
    """Yield the variables of each play for the files of its roles; `sources` are those of roles."""
    ranked = grouped((source.rank > HOST, source) for source in sources)
    below, above = decided(ranked.get(False, ())), decided(ranked.get(True, ()))
    of_roles = grouped(
        (found[1], path) for path in paths if (found := _OF_ROLE.match(path)) is not None
    )
    tasks = [text for path, text in texts.items() if "/tasks/" in path]
    set_in_tasks = {name for text in tasks for name in _SET.findall(text)}
    for path, text in sorted(texts.items()):
        for number, play in enumerate(plays_of(path, text, texts)):
            root = path if site_of(path) else f"{path}/{play.hosts}/{ANY}{number}"
            files = [file for role in play.roles for file in of_roles.get(role, ())]
            names = {name for file in files for name in naming.get(file, ())}
            raw = {**below, **play.values, **above}
            values = {name: value for name in raw if (value := resolved(name, raw)[0]) is not None}
            own = play.values.keys() & values.keys()
            name = f"{path} {number}"
            inventory = Inventory.of(root, "", site_of(root), name, values, own, names)
            inventory = inventory._replace(is_only=own.isdisjoint(set_in_tasks))
            yield from ((file, inventory) for file in files)


def _are_several(places: Iterable[tuple[str, str]]) -> bool:
    """Whether there are several sites, or several hosts of one."""
    sites, hosts = zip(*places, strict=True)
    return len({*sites} - {""}) > 1 or len({*hosts} - {""}) > 1


def _of_project(
    project: str,
    sources: Sequence[Source],
    groups: Mapping[tuple[str, str], Mapping[str, int]],
    naming: Set[str],
) -> Iterator[Inventory]:
    general = [source for source in sources if source.is_general(project)]
    sites = grouped((source.site, source) for source in sources if source.project == project)
    for site, own in sites.items():
        hosts = grouped((source.host, source) for source in own if source.host)
        if site:
            raw = decided([*general, *own])
            raw.update(zip([_HOST_NAME], hosts, strict=True) if len(hosts) == 1 else ())
            yield _inventory("", own, raw, naming)
        shared = [source for source in (*general, *(own if site else ())) if not source.host]
        known = {source.group for source in shared if source.rank == GROUP_INSIDE}
        for host, of_host in hosts.items() if len(hosts) > 1 else ():
            around = groups.get((project, host))
            found = shared if around is None else [*_around(shared, around, known)]
            deciding = [source for source in found if around and source.group in around]
            raw = {**decided([*found, *of_host]), _HOST_NAME: host}
            yield _inventory(host, [*of_host, *deciding], raw, naming)


def _of_one(
    texts: Mapping[str, str],
    sources: Sequence[Source],
    paths: Iterable[str],
    named_in: Mapping[str, Set[str]],
) -> Iterator[tuple[str, Inventory]]:
    """Yield the values of Ansible for one site, or for none, for each role and what is around it.

    What a play or a task may set otherwise is not known.
    """
    applied = [each for each in sources if TESTS.isdisjoint(each.path.split("/"))]
    by_role = grouped((_role_of(each.path), each) for each in applied)
    shared = sorted(by_role.pop("", ()), key=lambda each: not each.site)
    roles = {*map(_role_of, paths)} - {""}
    folders = {each.project for each in shared} | roles
    read = {each.path for each in sources}
    others = [text for path, text in texts.items() if path not in read]
    set_in_plays = {name for text in others for name in _SET.findall(text)}
    for folder in sorted(folders) if len(folders) <= _MOST else ():
        base = folder.rpartition("roles/")[0].rstrip("/") if folder in roles else ""
        own = [
            each
            for each in (*shared, *by_role.get(folder, ()))
            if is_in(f"{folder}/", each.project) or (folder in roles and is_in(each.path, base))
        ]
        raw = decided(own)
        raw = {name: raw[name] for name in raw if name.partition(".")[0] not in set_in_plays}
        names = {name for name in named_in.get(folder, ()) if not name.startswith("$")}
        inventory = _inventory("", own, raw, names) if own else None
        if inventory is not None and inventory.own:
            yield folder, inventory._replace(is_only=True)


def _role_of(path: str) -> str:
    """The folder of the role that a file is part of, blank for none."""
    found = _OF_ROLE.match(path)
    return found[0].rstrip("/") if found is not None else ""


def _of_folders(
    project: str, sources: Sequence[Source], naming: Set[str]
) -> Iterator[tuple[str, Inventory]]:
    """Yield the values of each folder of a site in which another folder sets some otherwise."""
    general = [source for source in sources if source.is_general(project)]
    of_sites = (each for each in sources if each.project == project and each.site and not each.host)
    for own in grouped((source.site, source) for source in of_sites).values():
        folders = grouped((source.base, source) for source in own)
        for folder, here in folders.items() if len(folders) > 1 else ():
            names = {name for source in here for name in source.values}
            others = [each for each in own if each.base != folder]
            apart = [each for each in others if not names.isdisjoint(each.values)]
            if apart:
                near = [*here, *(each for each in others if each not in apart)]
                yield folder.rstrip("/"), _inventory("", near, decided([*general, *near]), naming)


def _around(
    sources: Iterable[Source], groups: Mapping[str, int], known: Set[str]
) -> Iterator[Source]:
    """Yield the sources for a host, without those of groups in which it is not."""
    for source in sources:
        if source.group in groups:
            yield source._replace(is_open=False, depth=groups[source.group])
        elif source.group not in known:
            yield source


def _inventory(
    host: str, own: Sequence[Source], raw: Mapping[str, str | None], naming: Set[str]
) -> Inventory:
    """The values of a site or host; the sources `own`, and the name of a host, decide some."""
    names = {name for source in own for name in source.values} | (raw.keys() & {_HOST_NAME})
    values: dict[str, str] = {}
    for name in raw:
        value, used = resolved(name, raw)
        if value is not None:
            values[name] = value
            names.update([name] if used & names else [])
    first = own[0]
    decides = names & values.keys()
    return Inventory.of(first.root, first.project, first.site, host, values, decides, naming)
