"""The places that set variables, and the values that several of them give.

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

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from posixpath import basename, dirname

from mqlint.config.estate.roles import role_as, role_of_all, tell_both_sites
from mqlint.dataclass import NamedTuple
from mqlint.grouping import grouped
from mqlint.language.client.dotenv import parameters_of, variables_of
from mqlint.language.client.signs import is_batch, is_of_variables, is_shell
from mqlint.language.script.lookups.lookups import site_of_row
from mqlint.language.script.posix.sites import given_by_site
from mqlint.language.text.templates import CHOSEN
from mqlint.language.variables.ansible_hosts import (
    LONGEST,
    VARIABLE,
    Hosts,
    add_hosts,
    written_variables,
)
from mqlint.language.variables.arguments import Arguments
from mqlint.language.variables.data import project_of_data, rows_of_sites, values_of_data
from mqlint.language.variables.signs import is_inventory
from mqlint.language.yaml.reader import read_documents
from mqlint.number import is_digits
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.vocabulary.unknown import Unknown

_PLACE = later(
    r"(?P<base>(?:.*/)?)(?:(?P<default>defaults/)|(?P<all>group_vars/all(?=[./]))|(?P<group>group_vars/)"
    r"|(?P<host>host_vars/)|(?P<role>vars/)).*\.ya?ml"
)
_RANKS = ("default", "", "", "all", "group", "", "host", "role")
"""The places of Ansible; later ones override earlier ones. Blank: those in an inventory."""
_ALL_INSIDE, GROUP_INSIDE, _ALL, _GROUP, _HOST_INSIDE, HOST = range(1, 7)
_ENDING = later(r"\.ya?ml\Z")
_OF_A_FOLDER = frozenset({"vars.yml", "vars.yaml"})
"""Files that plays read by their names, with variables for what is in their folder."""
_INVENTORIES = frozenset(
    {
        *("inventories", "inventory", "environments", "environment", "envs", "env", "tfvars"),
        *("parameters", "params", "config", "conf", "cfg", "vars", "settings", "profiles"),
        *("etc", "properties", "props", "sites"),
    }
)
TESTS = frozenset({"molecule"})
"""Folders of playbooks that test a role, with inventories of their own."""
ANSIBLE, _TERRAFORM, _SHELL = "{{", "var.", "$"
PLAIN = later(r"[\w.:/()*,@ -]{1,200}")
"""A value that is the same in MQSC and in YAML."""
ANY = "any"
"""A name of a file that shows no site."""
_DEEPEST = 4
"""Limit of the variables that a value is made of, one in another."""


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

    def is_general(self, project: str) -> bool:
        """Whether it is for all of a project: of no site, and of no inventory beside those."""
        folder = self.base.rstrip("/")
        is_other = self.form == ANSIBLE and basename(dirname(folder)) in _INVENTORIES | TESTS
        is_here = folder == project or not is_other
        return not self.site and is_here and is_in(self.path, project)


class _Place(NamedTuple):
    """The site of a host or group in an inventory, with a path of it, and the groups of a host."""

    site: str
    root: str
    groups: Mapping[str, int] = {}


def place_in_ansible(path: str) -> tuple[str, int] | None:
    """Return the folder that a file of variables of Ansible belongs to, and its rank."""
    found = _PLACE.fullmatch(path)
    if found is None:
        return (_folder_of(path), _ALL) if basename(path) in _OF_A_FOLDER else None
    rank = next(at for at, name in enumerate(_RANKS) if name and found[name] is not None)
    return found["base"], rank


class SourceReader:
    """Reads the sources of a project.

    `groups` are those of each host of an inventory, by the folder that the inventory is for. `cut`
    are inventories with too many hosts.
    """

    def __init__(
        self, texts: Mapping[str, str], site_of: Callable[[str], str], arguments: Arguments
    ) -> None:
        self._texts = texts
        self._site_of = site_of
        self._arguments = arguments
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
        for source in self._sources():
            rows = [*rows_by_site(source.values)] if not source.site else []
            of_rows = {name for _, values in rows for name in values}
            yield source._replace(
                values={name: text for name, text in source.values.items() if name not in of_rows}
            )
            yield from self._of_rows(source, rows)

    def _of_rows(
        self,
        source: Source,
        rows: Iterable[tuple[str, Mapping[str, str | None]]],
        number: int | str = "",
    ) -> Iterator[Source]:
        """Yield a source for each row of a table of sites, with the text that names its site."""
        for label, values in rows:
            root = f"{source.base}{label}/{ANY}{number}"
            if site := self._site_of(root):
                yield source._replace(site=site, root=root, values=values)

    def _sources(self) -> Iterator[Source]:
        for path, text in sorted(self._texts.items()):
            if path in self._inventories:
                yield from self._of_inventory(path, self._inventories[path])
            elif (data_for := project_of_data(path, text)) is not None:
                form = ANSIBLE if path.endswith(".sls") else _SHELL
                values = values_of_data(path, text)
                yield self._of_folder(path, form, values)._replace(project=data_for)
            elif (place := place_in_ansible(path)) is not None:
                yield self._of_ansible(path, text, *place)
            elif path.endswith((".tfvars", ".tfvars.json")):
                given = {f"${name}": each.value for name, each in parameters_of(path, text)}
                yield self._of_folder(path, _TERRAFORM, given)
            elif is_of_variables(path, text):
                given = dict(_variables(path, text))
                is_script = is_shell(path) or is_batch(path)
                called = self._arguments.given_in(text) if is_script else {}
                yield self._of_folder(path, _SHELL, {**given, **called})
            elif rows := rows_of_sites(path, text):
                yield from self._of_list(path, rows)
            elif is_shell(path):
                source = self._of_folder(path, _SHELL, {})
                branches = given_by_site(text) if not source.site else ()
                sited = ((label, _for_shell(values)) for label, values in branches)
                yield from self._of_rows(source, sited)

    def _of_list(
        self, path: str, rows: Sequence[tuple[str, Mapping[str, str | None]]]
    ) -> Iterator[Source]:
        """Yield the rows of a list of sites; several of one site are as hosts of it."""
        several = Counter(role_of_all(label) for label, _ in rows)
        for number, (label, values) in enumerate(rows):
            host = f"{path} {number}" if several[role_of_all(label)] > 1 else ""
            for form, given in ((ANSIBLE, values), (_SHELL, _for_shell(values))):
                source = self._of_folder(path, form, {})._replace(host=host)
                yield from self._of_rows(source, [(label, given)], number)

    def _place(self, path: str, hosts: Hosts) -> None:
        """Find the site of each host: that of the file, of a group, or what its name shows."""
        base, project = _folder_of(path), _project(_folder_of(path), self._site_of)
        of_file = self._site_of(path)
        roles = {name: role_as(name) for name in hosts.groups}
        labels = roles if tell_both_sites(roles.values()) else {name: name for name in roles}
        sites = {name: self._site_of(f"{base}{label}/{ANY}") for name, label in labels.items()}
        depths = hosts.depths()
        for number, host in enumerate(hosts.hosts):
            groups = hosts.groups_of(host, depths)
            by_group = {sites[name]: name for name in sorted(groups) if sites.get(name)}
            above = (
                [*map(labels.__getitem__, by_group.values())]
                if len(by_group) == 1 and not of_file
                else []
            )
            folder = "/".join([path, *above])
            site = (
                of_file or self._site_of(f"{folder}/{ANY}") or self._site_of(f"{base}{host}/{ANY}")
            )
            names = (f"{folder}/{host}", f"{base}{host}/{ANY}", f"{folder}/{ANY}{number}")
            root = next((name for name in names if self._site_of(name) == site), path)
            place = _Place(site, root, groups)
            self._hosts.setdefault((project, host), []).append(place)
            for name in groups:
                self._groups.setdefault((project, name), []).append(place)

    def _of_inventory(self, path: str, hosts: Hosts) -> Iterator[Source]:
        base = _folder_of(path)
        project, site = _project(base, self._site_of), self._site_of(path)
        source = Source(path, ANSIBLE, _ALL_INSIDE, site, path, project, base, {})
        for name, values in hosts.groups.items():
            if name == "all":
                yield source._replace(values=values)
            else:
                of_group = source._replace(rank=GROUP_INSIDE, group=name, values=values)
                yield self._of_group(of_group, name)
        for host, values in hosts.hosts.items():
            of_host = source._replace(rank=_HOST_INSIDE, host=host, values=values)
            yield self._at(of_host, self._hosts[project, host])

    def _of_ansible(self, path: str, text: str, base: str, rank: int) -> Source:
        project, below = _project(base, self._site_of), path[len(base) :]
        values = dict(written_variables(read_documents(text)))
        site = self._site_of(path)
        source = Source(path, ANSIBLE, rank, site, path, project, base, values)
        if rank == HOST:
            host = _name(below)
            return self._at(source._replace(host=host), self._hosts.get((project, host), ()))
        if rank == _GROUP:
            return self._of_group(source._replace(group=_name(below)), below)
        return source

    def _of_group(self, source: Source, below: str) -> Source:
        """A source of a group; one of no site may have that of all its hosts."""
        source = source._replace(is_open=not self._site_of(f"{below}/{ANY}"))
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
        site, base = self._site_of(path), _folder_of(path)
        project = _project(base, self._site_of)
        return Source(path, form, _ALL_INSIDE + bool(site), site, path, project, base, values)


def _variables(path: str, text: str) -> Iterable[tuple[str, str | Unknown]]:
    fold = str.upper if is_batch(path) else str
    return ((f"${fold(name)}", node.value) for name, node in variables_of(text))


def _for_shell(values: Mapping[str, str | None]) -> Mapping[str, str | None]:
    return {f"${name}": value for name, value in values.items()}


def rows_by_site(
    values: Mapping[str, str | None],
) -> Iterator[tuple[str, Mapping[str, str | None]]]:
    """Yield the rows of the lists and mappings of which one row is for production and one for DR.

    Each has the text that names its site, and its values: `sites.prod.qm`, which is `sites.?.qm`
    too, or `sites.0.qm`.
    """
    tables: dict[str, dict[str, dict[str, str | None]]] = {}
    for name, text in values.items():
        table, _, rest = name.partition(".")
        key, dot, field = rest.partition(".")
        if dot:
            tables.setdefault(table, {}).setdefault(key, {})[field] = text
    for table, rows in tables.items():
        labels = {key: site_of_row(key, row) for key, row in rows.items()}
        if tell_both_sites(labels.values()):
            for key, row in rows.items():
                yield (
                    labels[key],
                    {
                        f"{table}.{each}.{field}": text
                        for each in ([key] if is_digits(key) else [key, CHOSEN])
                        for field, text in row.items()
                    },
                )


def is_in(path: str, project: str) -> bool:
    """Whether a file is in the folder of a project."""
    return not project or path.startswith(f"{project}/")


def _folder_of(path: str) -> str:
    folder = dirname(path)
    return f"{folder}/" if folder else ""


def _name(place: str) -> str:
    """The host or group of a file `host_vars/HOST.yml` or `group_vars/GROUP/NAME.yml`."""
    _, name, *more = place.split("/")
    return name if more else _ENDING.sub("", name)


def _project(base: str, site_of: Callable[[str], str]) -> str:
    """The folder whose roles and templates the variables in a folder are for."""
    folder = base.rstrip("/")
    while folder and site_of(f"{folder}/all"):
        folder = dirname(folder).rstrip("/")
    return dirname(folder) if basename(folder) in _INVENTORIES else folder


def decided(sources: Iterable[Source]) -> dict[str, str | None]:
    """Return the text of each variable by its name, None if it is not known.

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


def resolved(name: str, raw: Mapping[str, str | None]) -> tuple[str | None, set[str]]:
    """Return the value of a variable, None if it is not known, and the variables that are in it."""
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
    if text is None or PLAIN.fullmatch(text) is None:
        return None, used
    return text, used


def replaced_variables(texts: Mapping[str, str]) -> dict[str, frozenset[Span]]:
    """Return the places of the values that a more specific file of variables sets too, by path."""
    found: dict[str, tuple[str, int, dict[str, Span]]] = {}
    for path, text in texts.items():
        base, rank = place_in_ansible(path) or ("", HOST + 1)
        if rank <= HOST:
            pairs = (pair for document in read_documents(text) for pair in document.pairs)
            values = {name: value.span for name, _, value in pairs}
            found[path] = base if rank else "", rank, values
    names = grouped(
        (place, name)
        for base, rank, values in found.values()
        for place in ({(base, lower) for lower in range(1, rank)} | ({("", 0)} if rank else set()))
        for name in values
    )
    more_specific = {place: frozenset(own) for place, own in names.items()}
    replaced = {}
    for path, (base, rank, values) in found.items():
        specific = more_specific.get((base, rank), frozenset()).intersection(values)
        if specific:
            replaced[path] = frozenset(values[name] for name in specific)
    return replaced
