"""The values that variables have at each site and host, for MQSC that all of them share.

Source: "Understanding variable precedence" and "Organizing host and group variables" in the
documentation of Ansible, "Input Variables" in that of Terraform. The site of a file of variables
is that of its path, as in `inventories/prod/group_vars/all.yml`, `group_vars/dr.yml`, `dr.tfvars`
or `dr.env`; in an inventory, that of its path, of a group of the host, or of the host's name.

Each place that sets variables is a `Source`. Where sources of one rank, or of one site's hosts,
differ, a value is unknown for the site, and each of several hosts has values of its own. So is one
in which a group differs from all hosts, if no inventory says which hosts are in it. Values of other
variables in a value are followed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from posixpath import basename, dirname, normpath

from mqlint.dataclass import NamedTuple
from mqlint.grouping import grouped
from mqlint.language.client.ansible_hosts import (
    LONGEST,
    MOST_GROUPS,
    MOST_HOSTS,
    VARIABLE,
    Hosts,
    add_hosts,
    written_variables,
)
from mqlint.language.client.dotenv import variables_of
from mqlint.language.client.jobs import Job, jobs_of, reached, resources_of
from mqlint.language.client.parameters import parameters_of
from mqlint.language.client.plays import includes_of, plays_of
from mqlint.language.client.signs import is_environment
from mqlint.language.client.variable_signs import RESOURCE, has_jobs, is_inventory, names_in
from mqlint.language.yaml.reader import read_documents
from mqlint.patterns import later
from mqlint.source.checkout import folders_above
from mqlint.source.digest import hex_digest
from mqlint.source.lines import Span

_PLACE = later(
    r"(?P<base>(?:.*/)?)(?:(?P<default>defaults/)|(?P<all>group_vars/all(?=[./]))|(?P<group>group_vars/)"
    r"|(?P<host>host_vars/)|(?P<role>vars/)).*\.ya?ml"
)
_RANKS = ("default", "", "", "all", "group", "", "host", "role")
"""The places of Ansible; later ones override earlier ones. Blank: those in an inventory."""
_ALL_INSIDE, _GROUP_INSIDE, _ALL, _GROUP, _HOST_INSIDE, _HOST = range(1, 7)
_ENDING = later(r"\.ya?ml\Z")
_HOST_NAME = "inventory_hostname"
"""The variable of Ansible that has the name of a host."""
_INVENTORIES = frozenset(
    {
        *("inventories", "inventory", "environments", "environment", "envs", "env", "tfvars"),
        *("parameters", "params", "config"),
    }
)
_TESTS = frozenset({"molecule"})
"""Folders of playbooks that test a role, with inventories of their own."""
_ANSIBLE, _TERRAFORM, _SHELL = "{{", "var.", "$"
_PLAIN = later(r"[\w.:/()*,@ -]{1,200}")
"""A value that is the same in MQSC and in YAML."""
_ANY = "any"
"""A name of a file that shows no site."""
_OF_ROLE = later(r"(?:.*/)?roles/([\w.-]{1,100})/")
_SITE_WORD = later(r"[A-Za-z0-9]{1,60}")
_DEEPEST = 4
_MOST_CALLS = 1_000
"""Limit of the templates of jobs that are read with the parameters of a caller."""
_MOST = 200
"""Limit of the files of variables of a project."""


class Inventory(NamedTuple):
    """The variables of a site or of one host, for what is in the folder `project` and of no site.

    `root` is a path of its site. `own` are the names whose values the files of the site, or of the
    `host`, decide. `site` is a path that its site shares. `queue_manager` is the one that the
    commands of the project name by such a variable, None if they name several or none. `digest` is
    of all that. A job of a pipeline counts as a host, for one file that it reaches, with the places
    of its scripts if the file has all jobs.
    """

    root: str
    project: str
    site: str
    host: str
    queue_manager: str | None
    own: frozenset[str]
    values: Mapping[str, str]
    digest: str
    spans: tuple[Span, ...] = ()
    looped: str = ""

    def reaches(self, at: int, used: Set[str]) -> bool:
        """Whether it is for what is at an offset of a file and uses some variables."""
        if self.looped and self.looped not in used:
            return False
        return not self.spans or any(start <= at < end for start, end in self.spans)


class Inventories(NamedTuple):
    """The inventories of one folder, the names that any of them decides, and a digest of all."""

    sites: tuple[tuple[Inventory, ...], ...]
    own: frozenset[str]
    digest: str


def applied(
    inventories: Mapping[str, Inventories], path: str, used: Set[str], places: Sequence[int] = (0,)
) -> Sequence[Sequence[Inventory]]:
    """Return the inventories for each of which a file that uses variables is applied.

    Those for each of the `places`, offsets of what uses them. None unless they are several, or jobs
    in this file. If hosts of a site set some of the variables themselves, each host
    for which all these have a value counts, and the site counts no more. If a queue manager is
    known for some of these hosts, only they count. Otherwise, hosts with equal values are instances
    of one queue manager, and the first counts.
    """
    using = (each for each in inventories_around(inventories, path) if used & each.own)
    nearest = next(using, None)
    sites = nearest.sites if nearest is not None else ()
    if not any(each.spans for near in sites for each in near):
        return [_applied_at(sites, used, places[0])] * len(places)
    return [_applied_at(sites, used, at) for at in places]


def _applied_at(
    sites: Iterable[Sequence[Inventory]], used: Set[str], at: int
) -> Sequence[Inventory]:
    reaching = ([each for each in near if each.reaches(at, used)] for near in sites)
    found = [each for near in reaching for each in _applied(near, used)]
    return found if len(found) > 1 or any(each.spans for each in found) else ()


def inventories_around(inventories: Mapping[str, Inventories], path: str) -> Iterator[Inventories]:
    """Return the inventories for a file, and for the folders around it, the innermost first."""
    return (inventories[at] for at in (path, *folders_above(path)) if at in inventories)


def _applied(near: Sequence[Inventory], used: Set[str]) -> Iterable[Inventory]:
    """The hosts of one site, or the site, for which variables decide."""
    hosts = [each for each in near if each.host]
    wanted = used & frozenset().union(*(used & host.own for host in hosts))
    if not wanted:
        return [each for each in near if not each.host and not used.isdisjoint(each.own)]
    found = [host for host in hosts if all(name in host.values for name in wanted)]
    named = [host for host in found if host.queue_manager]
    alike = grouped((tuple(host.values[name] for name in sorted(wanted)), host) for host in found)
    return named or [same[0] for same in alike.values()]


def common_values(inventories: Sequence[Inventory], used: Set[str]) -> Mapping[str, str]:
    """Return the variables of those used that have one value in several inventories."""
    found = {name: {each.values.get(name) for each in inventories} for name in sorted(used)}
    same = ((name, values.pop()) for name, values in found.items() if len(values) == 1)
    return {name: value for name, value in same if value is not None}


class Source(NamedTuple):
    """Variables that are set at one place.

    `root` is a path of the site, and `base` the folder that the place belongs to. `host` or `group`
    is the one of Ansible that they are for, blank for none. `is_open`: they may not be for MQ. A
    group of a greater `depth` overrides others.
    """

    path: str
    form: str
    rank: int
    site: str
    root: str
    project: str
    base: str
    values: Mapping[str, str | None]
    host: str = ""
    group: str = ""
    is_open: bool = False
    depth: int = 0


def inventories_of(
    texts: Mapping[str, str],
    site_of: Callable[[str], str],
    naming: Mapping[str, Sequence[str]],
    mentions: Mapping[str, Sequence[str]] = {},
) -> tuple[dict[str, Inventories], tuple[str, ...]]:
    """Return the inventories of folders with variables for several sites or hosts.

    And what is not followed. `naming` are the variables that name the queue managers of commands,
    and `mentions` names of files, by the path of each file of the project.
    """
    reader = _Reader(texts, site_of)
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
        for project in several:
            names = {
                name
                for name in named_in.get(project, ())
                if (form == _ANSIBLE) != name.startswith("$")
            }
            loops = [_Loop.of(name) for name in names if ".*" in name]
            loops += (loop for loop in included if _nearest(loop.file, several) == project)
            lists = grouped((loop.looped, loop) for loop in loops)
            for each in _of_project(project, sources, reader.groups, names):
                made.append((project, each))
                for loop, element in _elements(each, lists):
                    made.append((loop.file or project, element))
    made += _of_jobs(texts, site_of, naming, mentions)
    of_roles = found_in.get(_ANSIBLE, [])
    if all(_OF_ROLE.match(each.path) is not None for each in of_roles):
        made += _of_plays(texts, site_of, naming, mentions, of_roles)
    return (
        {
            project: Inventories(
                tuple(map(tuple, grouped((each.site, each) for each in inventories).values())),
                frozenset().union(*(each.own for each in inventories)),
                hex_digest("".join(each.digest for each in inventories).encode()),
            )
            for project, inventories in grouped(made).items()
        },
        tuple(dict.fromkeys(undecided)),
    )


# -- sources ---------------------------------------------------------------------------------------


class _Place(NamedTuple):
    """The site of a host or group in an inventory, with a path of it, and the groups of a host."""

    site: str
    root: str
    groups: Mapping[str, int] = {}


class _Reader:
    """Reads the sources of a project.

    `groups` are those of each host of an inventory, by the folder that the inventory is for. `cut`
    are inventories with too many hosts.
    """

    def __init__(self, texts: Mapping[str, str], site_of: Callable[[str], str]) -> None:
        self._texts = texts
        self._site_of = site_of
        self._inventories: dict[str, Hosts] = {}
        self._hosts: dict[tuple[str, str], list[_Place]] = {}
        self._groups: dict[tuple[str, str], list[_Place]] = {}
        for path in sorted(texts):
            if is_inventory(path):
                hosts = self._inventories[path] = Hosts()
                add_hosts(hosts, path, texts[path])
                self._place(path, hosts)
        self.cut = [path for path, hosts in self._inventories.items() if hosts.room == 0]
        self.groups = {
            place: found[0].groups for place, found in self._hosts.items() if len(found) == 1
        }

    def sources(self) -> Iterator[Source]:
        """Yield all sources, those of each file in the order of the paths."""
        for path, text in sorted(self._texts.items()):
            if path in self._inventories:
                yield from self._of_inventory(path, self._inventories[path])
            elif (found := _PLACE.fullmatch(path)) is not None:
                rank = next(
                    at for at, name in enumerate(_RANKS) if name and found[name] is not None
                )
                yield self._of_ansible(path, text, found["base"], rank)
            elif path.endswith((".tfvars", ".tfvars.json")):
                given = {f"${name}": each.value for name, each in parameters_of(path, text)}
                yield self._of_folder(path, _TERRAFORM, given)
            elif is_environment(path):
                given = {f"${name}": node.value for name, node in variables_of(text)}
                yield self._of_folder(path, _SHELL, given)

    def _place(self, path: str, hosts: Hosts) -> None:
        """Find the site of each host: that of the file, of a group, or what its name shows."""
        base, project = _folder_of(path), _project(_folder_of(path), self._site_of)
        of_file = self._site_of(path)
        sites = {name: self._site_of(f"{base}{name}/{_ANY}") for name in hosts.groups}
        depths = hosts.depths()
        for number, host in enumerate(hosts.hosts):
            groups = hosts.groups_of(host, depths)
            by_group = {sites[name]: name for name in sorted(groups) if sites.get(name)}
            above = [*by_group.values()] if len(by_group) == 1 and not of_file else []
            folder = "/".join([path, *above])
            site = (
                of_file
                or self._site_of(f"{folder}/{_ANY}")
                or self._site_of(f"{base}{host}/{_ANY}")
            )
            names = (f"{folder}/{host}", f"{base}{host}/{_ANY}", f"{folder}/{_ANY}{number}")
            root = next((name for name in names if self._site_of(name) == site), path)
            place = _Place(site, root, groups)
            self._hosts.setdefault((project, host), []).append(place)
            for name in groups:
                self._groups.setdefault((project, name), []).append(place)

    def _of_inventory(self, path: str, hosts: Hosts) -> Iterator[Source]:
        base = _folder_of(path)
        project, site = _project(base, self._site_of), self._site_of(path)
        source = Source(path, _ANSIBLE, _ALL_INSIDE, site, path, project, base, {})
        for name, values in hosts.groups.items():
            if name == "all":
                yield source._replace(values=values)
            else:
                of_group = source._replace(rank=_GROUP_INSIDE, group=name, values=values)
                yield self._of_group(of_group, name)
        for host, values in hosts.hosts.items():
            of_host = source._replace(rank=_HOST_INSIDE, host=host, values=values)
            yield self._at(of_host, self._hosts[project, host])

    def _of_ansible(self, path: str, text: str, base: str, rank: int) -> Source:
        project, below = _project(base, self._site_of), path[len(base) :]
        values = dict(written_variables(read_documents(text)))
        site = self._site_of(path)
        source = Source(path, _ANSIBLE, rank, site, path, project, base, values)
        if rank == _HOST:
            host = _name(below)
            return self._at(source._replace(host=host), self._hosts.get((project, host), ()))
        if rank == _GROUP:
            return self._of_group(source._replace(group=_name(below)), below)
        return source

    def _of_group(self, source: Source, below: str) -> Source:
        """A source of a group; one of no site may have that of all its hosts."""
        source = source._replace(is_open=not self._site_of(f"{below}/{_ANY}"))
        return self._at(source, self._groups.get((source.project, source.group), ()))

    def _at(self, source: Source, places: Sequence[_Place]) -> Source:
        """A source at the one site of some places, if it has no other."""
        sites = {place.site for place in places}
        if len(sites) != 1 or source.site not in ("", places[0].site):
            return source
        return source._replace(site=places[0].site, root=places[0].root)

    def _of_folder(self, path: str, form: str, given: Mapping[str, object]) -> Source:
        """A file `*.tfvars` or `*.env`; that of a site is read later, as with `-var-file`."""
        values = {name: value if isinstance(value, str) else None for name, value in given.items()}
        site, base = self._site_of(path), dirname(path)
        project = _project(base, self._site_of)
        return Source(path, form, _ALL_INSIDE + bool(site), site, path, project, base, values)


def _folder_of(path: str) -> str:
    folder = dirname(path)
    return f"{folder}/" if folder else ""


def _name(place: str) -> str:
    """The host or group of a file `host_vars/HOST.yml` or `group_vars/GROUP/NAME.yml`."""
    _, name, *more = place.split("/")
    return name if more else _ENDING.sub("", name)


def _named_in(naming: Mapping[str, Sequence[str]]) -> Mapping[str, Set[str]]:
    """The variables that name queue managers in each folder and those below; blank for all."""
    found: dict[str, set[str]] = {}
    for path, names in naming.items():
        for folder in folders_above(path):
            found.setdefault(folder, set()).update(names)
    return found


# -- loops ---------------------------------------------------------------------------------------


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
    return max((each for each in projects if _is_in(path, each)), key=len, default=None)


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
                    ),
                )


# -- plays ---------------------------------------------------------------------------------------


def _of_plays(
    texts: Mapping[str, str],
    site_of: Callable[[str], str],
    naming: Mapping[str, Sequence[str]],
    paths: Iterable[str],
    sources: Iterable[Source],
) -> Iterator[tuple[str, Inventory]]:
    """Yield the variables of each play for the files of its roles; `sources` are those of roles."""
    ranked = grouped((source.rank > _HOST, source) for source in sources)
    below, above = _decided(ranked.get(False, ())), _decided(ranked.get(True, ()))
    of_roles = grouped(
        (found[1], path) for path in paths if (found := _OF_ROLE.match(path)) is not None
    )
    for path, text in sorted(texts.items()):
        for number, play in enumerate(plays_of(path, text, texts)):
            root = path if site_of(path) else f"{path}/{play.hosts}/{_ANY}{number}"
            files = [file for role in play.roles for file in of_roles.get(role, ())]
            names = {name for file in files for name in naming.get(file, ())}
            raw = {**below, **play.values, **above}
            values = {name: value for name in raw if (value := _resolved(name, raw)[0]) is not None}
            managers = {values.get(name) for name in names}
            queue_manager = managers.pop() if len(managers) == 1 else None
            name = f"{path} {number}"
            digest = hex_digest(repr((root, name, queue_manager, values)).encode())
            found_at = Inventory(
                *(root, "", site_of(root), name, queue_manager),
                *(frozenset(play.values.keys() & values.keys()), values, digest),
            )
            yield from ((file, found_at) for file in files)


# -- jobs ---------------------------------------------------------------------------------------


def _of_jobs(
    texts: Mapping[str, str],
    site_of: Callable[[str], str],
    naming: Mapping[str, Sequence[str]],
    mentions: Mapping[str, Sequence[str]],
) -> Iterator[tuple[str, Inventory]]:
    """Yield the variables of each job, for its own file and for each that it reaches."""
    callers = [path for path, text in texts.items() if has_jobs(path, text)]
    if not callers:
        return
    paths = grouped(
        (key, path) for path in mentions for key in (basename(path), f"{dirname(path)}/*")
    )
    called = _Called(texts, paths)
    found = {caller: [*called.jobs(caller)] for caller in callers}
    inner = {path for caller, jobs in found.items() for path, _ in jobs if path != caller}
    for caller, jobs in found.items():
        of_caller = site_of(caller)
        for number, (path, job) in enumerate(jobs):
            if path == caller and (of_caller or caller in inner):
                continue  # the path has the site, or what calls the file has the values
            text = texts[path]
            scripts = "\n".join(text[start:end] for start, end in job.spans)
            reach = reached(names_in(scripts), paths, mentions)
            names = {name for file in (path, *reach) for name in naming.get(file, ())}
            values = {
                f"${name}": value
                for name, value in job.values.items()
                if value is not None and _PLAIN.fullmatch(value)
            }
            managers = {values.get(name) for name in names}
            queue_manager = managers.pop() if len(managers) == 1 else None
            around = "" if of_caller else f"{path}/"
            sites = {site_of(root): root for root in _roots(around, job.sites)}
            if not any(sites):
                sites = {site_of(root): root for root in _roots(around, job.named_sites)}
            shown = [(site, root) for site, root in sites.items() if site]
            by_path = of_caller, f"{caller}/{_ANY}"
            site, root = shown[0] if len(shown) == 1 else by_path if not shown else ("", by_path[1])
            root = f"{dirname(root)}/{_ANY}{number}"
            name = f"{job.name} ({path} {number})" if path != caller else f"{job.name} ({path})"
            digest = hex_digest(repr((root, site, name, queue_manager, values, job.spans)).encode())
            found_at = Inventory(
                *(root, "", site, name, queue_manager, frozenset(values), values, digest)
            )
            yield path, found_at._replace(spans=job.spans)
            yield from ((other, found_at) for other in reach if other != path)


class _Called:
    """Finds the jobs in other files that those of a file run with parameters of their own."""

    def __init__(self, texts: Mapping[str, str], paths: Mapping[str, Sequence[str]]) -> None:
        self._texts = texts
        self._paths = paths
        self._resources = grouped(
            (name, path)
            for path, text in texts.items()
            if RESOURCE.search(text) is not None
            for name in resources_of(text)
        )
        self._rest = _MOST_CALLS

    def jobs(self, path: str) -> Iterator[tuple[str, Job]]:
        """Yield the jobs that a file runs, each with the path of the file that has it."""
        for job in jobs_of(path, self._texts[path]):
            yield from self._inner(path, job, 0)

    def _inner(self, path: str, job: Job, depth: int) -> Iterator[tuple[str, Job]]:
        if not job.called:
            yield path, job
            return
        self._rest -= 1
        target = self._target(path, job.called)
        if not target or depth >= _DEEPEST or self._rest < 0:
            return
        resource = job.called if job.called in self._resources else ""
        for inner in jobs_of(target, self._texts[target], job.values, resource):
            inner = inner._replace(
                sites=(*job.sites, *inner.sites),
                named_sites=(*job.named_sites, *inner.named_sites),
                values={**job.values, **inner.values},
            )
            yield from self._inner(target, inner, depth + 1)

    def _target(self, path: str, called: str) -> str:
        """The path of the one file that has a name, or the resource with it; blank for none."""
        near = normpath(f"{dirname(path)}/{called}").lstrip("/")
        listed = self._paths.get(basename(called), ())
        name = called.removeprefix("./").lstrip("/")
        named = [each for each in listed if f"/{each}".endswith(f"/{name}")]
        found = self._resources.get(called) or ([near] if near in listed else named)
        return found[0] if len(found) == 1 and found[0] in self._texts else ""


def _roots(around: str, names: Iterable[str]) -> Iterator[str]:
    """Paths of the sites that names, or words in them, may show."""
    for name in names:
        for word in (name, *_SITE_WORD.findall(name)):
            yield f"{around}{word}/{_ANY}"


# -- inventories -----------------------------------------------------------------------------------


def _are_several(places: Iterable[tuple[str, str]]) -> bool:
    """Whether there are several sites, or several hosts of one."""
    sites, hosts = zip(*places, strict=True)
    return len({*sites} - {""}) > 1 or len({*hosts} - {""}) > 1


def _project(base: str, site_of: Callable[[str], str]) -> str:
    """The folder whose roles and templates the variables in a folder are for."""
    folder = base.rstrip("/")
    while folder and site_of(f"{folder}/all"):
        folder = dirname(folder).rstrip("/")
    return dirname(folder) if basename(folder) in _INVENTORIES else folder


def _is_in(path: str, project: str) -> bool:
    """Whether a file is in the folder of a project."""
    return not project or path.startswith(f"{project}/")


def _is_general(source: Source, project: str) -> bool:
    """Whether a file is for all of a project: of no site, and of no inventory beside those."""
    folder = source.base.rstrip("/")
    is_other = source.form == _ANSIBLE and basename(dirname(folder)) in _INVENTORIES | _TESTS
    is_here = folder == project or not is_other
    return not source.site and is_here and _is_in(source.path, project)


def _of_project(
    project: str,
    sources: Sequence[Source],
    groups: Mapping[tuple[str, str], Mapping[str, int]],
    naming: Set[str],
) -> Iterator[Inventory]:
    general = [source for source in sources if _is_general(source, project)]
    sites = grouped((source.site, source) for source in sources if source.project == project)
    for site, own in sites.items():
        if site:
            yield _inventory("", own, _decided([*general, *own]), naming)
        hosts = grouped((source.host, source) for source in own if source.host)
        shared = [source for source in (*general, *(own if site else ())) if not source.host]
        known = {source.group for source in shared if source.rank == _GROUP_INSIDE}
        for host, of_host in hosts.items() if len(hosts) > 1 else ():
            around = groups.get((project, host))
            found = shared if around is None else [*_around(shared, around, known)]
            deciding = [source for source in found if around and source.group in around]
            raw = {**_decided([*found, *of_host]), _HOST_NAME: host}
            yield _inventory(host, [*of_host, *deciding], raw, naming)


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
    """The values of a site or host, of which the sources `own` decide some."""
    names = {name for source in own for name in source.values}
    values: dict[str, str] = {}
    for name in raw:
        value, used = _resolved(name, raw)
        if value is not None:
            values[name] = value
            names.update([name] if used & names else [])
    decided = frozenset(names & values.keys())
    root, project, site = own[0].root, own[0].project, own[0].site
    managers = {values.get(name) for name in naming}
    queue_manager = managers.pop() if len(managers) == 1 else None
    digest = hex_digest(
        repr((root, project, site, host, queue_manager, sorted(decided), values)).encode()
    )
    return Inventory(root, project, site, host, queue_manager, decided, values, digest)


def _decided(sources: Iterable[Source]) -> dict[str, str | None]:
    """The text of each variable by its name, None if it is not known.

    A list or a mapping replaces all of another one, as without `hash_behaviour`.
    """
    found: dict[str, str | None] = {}
    of_all: dict[str, str | None] = {}
    within: dict[str, list[str]] = {}
    ranks = grouped(((source.rank, source.depth), source) for source in sources)
    for (rank, _), same in sorted(ranks.items()):
        hosts = {source.host for source in same}
        texts = grouped(
            (name, (text, source.host, source.is_open))
            for source in same
            for name, text in source.values.items()
        )
        for name in {name.partition(".")[0] for name in texts if "." in name}:
            for other in within.pop(name, ()):
                found.pop(other, None)
        for name, given in texts.items():
            if "." in name:
                within.setdefault(name.partition(".")[0], []).append(name)
            values, setting, is_open = ({*each} for each in zip(*given, strict=True))
            value = values.pop() if len(values) == 1 and setting == hosts else None
            is_sure = False in is_open or of_all.get(name, value) == value
            found[name] = value if is_sure else None
        if rank in (_ALL_INSIDE, _ALL):
            of_all = {**of_all, **{name: found[name] for name in texts}}
    return found


def _resolved(name: str, raw: Mapping[str, str | None]) -> tuple[str | None, set[str]]:
    """The value of a variable, None if it is not known, and the variables that are in it."""
    text, used = raw[name], set[str]()
    for _ in range(_DEEPEST):
        inside = VARIABLE.findall(text) if text is not None else []
        if text is None or not inside:
            break
        used.update(inside)
        known = {other: raw.get(other) for other in inside}
        if None in known.values():
            return None, used
        text = VARIABLE.sub(lambda found: known[found[1]] or "", text)  # noqa: B023
        text = text if len(text) <= LONGEST else None
    if text is None or _PLAIN.fullmatch(text) is None:
        return None, used
    return text, used
