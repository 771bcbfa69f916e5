"""The values that variables have at each site and host, for MQSC that all of them share.

Source: "Understanding variable precedence" and "Organizing host and group variables" in the
documentation of Ansible, "Input Variables" in that of Terraform. The site of a file of variables
is that of its path, as in `inventories/prod/group_vars/all.yml`, `group_vars/dr.yml`, `dr.tfvars`
or `dr.env`. Where files of one rank, or of one site's hosts, differ, a value is unknown for the
site, and each of several hosts (`host_vars/HOST.yml`) has values of its own. So is one in which a
group differs from all hosts, as nothing says which hosts are in it. Values of other variables in a
value are followed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from posixpath import basename, dirname

from mqlint.dataclass import NamedTuple
from mqlint.grouping import grouped
from mqlint.language.client.dotenv import variables_of
from mqlint.language.client.parameters import parameters_of
from mqlint.language.client.signs import is_environment
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.source.digest import hex_digest

_PLACE = later(
    r"(?P<base>(?:.*/)?)(?:(?P<default>defaults/)|group_vars/(?:(?P<all>all(?=[./]))|(?P<group>))"
    r"|(?P<host>host_vars/)|(?P<role>vars/)).*\.ya?ml"
)
_RANKS = ("default", "all", "group", "host", "role")
_ALL, _GROUP, _HOST = (_RANKS.index(name) for name in ("all", "group", "host"))
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
_VARIABLE = later(r"\{\{ *([A-Za-z_][\w.]{0,100}) *\}\}")
_PLAIN = later(r"[\w.:/()*,@ -]{1,200}")
"""A value that is the same in MQSC and in YAML."""
_LONGEST = 400
_DEEPEST = 4
_MOST = 200
"""Limit of the files of variables of a project."""


class Inventory(NamedTuple):
    """The variables of a site or of one host, for what is in the folder `project` and of no site.

    `root` is the first of its files. `own` are the names whose values the files of the site, or of
    the `host`, decide. `site` is the first file of the site. `queue_manager` is the one that the
    commands of the project name by such a variable, None if they name several or none. `digest` is
    of all that.
    """

    root: str
    project: str
    site: str
    host: str
    queue_manager: str | None
    own: frozenset[str]
    values: Mapping[str, str]
    digest: str

    def __repr__(self) -> str:
        """Return a text by which inventories are compared for each file, so it is short."""
        return f"Inventory({self.digest})"

    def holds(self, path: str) -> bool:
        """Whether a file is in the folder of the project."""
        return _is_in(path, self.project)


def applied(inventories: Iterable[Inventory], path: str, used: Set[str]) -> Sequence[Inventory]:
    """Return the inventories for each of which a file that uses variables is applied.

    None unless they are several. If hosts of a site set some of the variables themselves, each host
    for which all these have a value counts, and the site counts no more. If a queue manager is
    known for some of these hosts, only they count. Otherwise, hosts with equal values are instances
    of one queue manager, and the first counts.
    """
    held = [each for each in inventories if each.holds(path)]
    using = [each.project for each in held if not used.isdisjoint(each.own)]
    nearest = max(using, key=len, default="")
    sites = grouped((each.site, each) for each in held if each.project == nearest)
    found = [each for near in sites.values() for each in _applied(near, used)]
    return found if len(found) > 1 else ()


def _applied(near: Iterable[Inventory], used: Set[str]) -> Iterable[Inventory]:
    """The hosts of one site, or the site, for which variables decide."""
    hosts = [each for each in near if each.host]
    wanted = used & frozenset().union(*(host.own for host in hosts))
    if not wanted:
        return [each for each in near if not each.host and not used.isdisjoint(each.own)]
    found = [host for host in hosts if wanted <= host.values.keys()]
    named = [host for host in found if host.queue_manager]
    alike = grouped((tuple(host.values[name] for name in sorted(wanted)), host) for host in found)
    return named or [same[0] for same in alike.values()]


def common_values(inventories: Sequence[Inventory]) -> Mapping[str, str]:
    """Return the variables that have one value in several inventories."""
    same = set(inventories[0].values.items()).intersection(
        *(each.values.items() for each in inventories)
    )
    return dict(sorted(same))


class _File(NamedTuple):
    path: str
    form: str
    rank: int
    site: str
    project: str
    host: str
    base: str
    group: bool
    """Whether it is for a group of hosts that need not be those of MQ."""


def _placed(path: str) -> tuple[str, int, str] | None:
    """The form of a file of variables, its rank, and the folder that they are for."""
    found = _PLACE.fullmatch(path)
    if found is not None:
        rank = next(at for at, name in enumerate(_RANKS) if found[name] is not None)
        return _ANSIBLE, rank, found["base"]
    if path.endswith((".tfvars", ".tfvars.json")):
        return _TERRAFORM, 1, dirname(path)
    return (_SHELL, 1, dirname(path)) if is_environment(path) else None


def inventories_of(
    texts: Mapping[str, str],
    site_of: Callable[[str], str],
    naming: Mapping[str, Sequence[str]],
) -> tuple[Inventory, ...]:
    """Return the inventories of projects with variables for several sites or hosts.

    `naming` are the variables that name the queue managers of commands, by the path of their file.
    """
    files = []
    for path in sorted(texts):
        found = _placed(path)
        if found is not None:
            form, rank, base = found
            site = site_of(path)
            rank += form != _ANSIBLE and bool(site)  # `-var-file` and a later file of variables
            host = _host(path[len(base) :]) if form == _ANSIBLE and rank == _HOST else ""
            group = form == _ANSIBLE and rank == _GROUP and not site_of(path[len(base) :])
            project = _project(base, site_of)
            files.append(_File(path, form, rank, site, project, host, base, group))
    return tuple(
        inventory
        for same in grouped((file.form, file) for file in files).values()
        for inventory in _of_form(same, texts, naming)
    )


def _host(place: str) -> str:
    """The host of a file `host_vars/HOST.yml` or `host_vars/HOST/NAME.yml`."""
    _, name, *more = place.split("/")
    return name if more else _ENDING.sub("", name)


def _of_form(
    files: Sequence[_File], texts: Mapping[str, str], naming: Mapping[str, Sequence[str]]
) -> Iterator[Inventory]:
    places = grouped((file.project, (file.site, file.host)) for file in files)
    several = {project for project, found in places.items() if _are_several(found)}
    if several and len(files) <= _MOST:
        written = {file.path: dict(_variables(file, texts[file.path])) for file in files}
        for project in sorted(several):
            is_ansible = files[0].form == _ANSIBLE
            names = {
                name
                for path, of in naming.items()
                for name in (of if _is_in(path, project) else ())
                if is_ansible != name.startswith("$")
            }
            yield from _of_project(project, files, written, names)


def _are_several(places: Iterable[tuple[str, str]]) -> bool:
    """Whether there are several sites, or several hosts of one."""
    sites, hosts = zip(*places, strict=True)
    return len({*sites} - {""}) > 1 or len({*hosts} - {""}) > 1


def _project(base: str, site_of: Callable[[str], str]) -> str:
    """The folder whose roles and templates the variables in a folder are for."""
    folder = base.rstrip("/")
    while folder and site_of(f"{folder}/all"):
        folder = dirname(folder)
    return dirname(folder) if basename(folder) in _INVENTORIES else folder


def _is_in(path: str, project: str) -> bool:
    """Whether a file is in the folder of a project."""
    return not project or path.startswith(f"{project}/")


def _is_general(file: _File, project: str) -> bool:
    """Whether a file is for all of a project: of no site, and of no inventory beside those."""
    folder = file.base.rstrip("/")
    is_other = file.form == _ANSIBLE and basename(dirname(folder)) in _INVENTORIES | _TESTS
    is_here = folder == project or not is_other
    return not file.site and is_here and _is_in(file.path, project)


def _of_project(
    project: str,
    files: Sequence[_File],
    written: Mapping[str, Mapping[str, str | None]],
    naming: Set[str],
) -> Iterator[Inventory]:
    general = [file for file in files if _is_general(file, project)]
    sites = grouped((file.site, file) for file in files if file.project == project)
    for site, own in sites.items():
        if site:
            yield _inventory(own[0].path, "", own, general, written, naming)
        hosts = grouped((file.host, file) for file in own if file.host)
        shared = [file for file in (*general, *(own if site else ())) if not file.host]
        for host, of_host in hosts.items() if len(hosts) > 1 else ():
            yield _inventory(own[0].path, host, of_host, shared, written, naming)


def _inventory(
    site: str,
    host: str,
    own: Sequence[_File],
    others: Sequence[_File],
    written: Mapping[str, Mapping[str, str | None]],
    naming: Set[str],
) -> Inventory:
    """The values that the files of a site or host give, with those of other files behind them."""
    raw = {**_decided([*others, *own], written), **({_HOST_NAME: host} if host else {})}
    names = {name for file in own for name in written[file.path]}
    values: dict[str, str] = {}
    for name in raw:
        value, used = _resolved(name, raw)
        if value is not None:
            values[name] = value
            names.update([name] if used & names else [])
    decided = frozenset(names & values.keys())
    root, project = own[0].path, own[0].project
    managers = {values.get(name) for name in naming}
    queue_manager = managers.pop() if len(managers) == 1 else None
    digest = hex_digest(
        repr((root, project, site, host, queue_manager, sorted(decided), values)).encode()
    )
    return Inventory(root, project, site, host, queue_manager, decided, values, digest)


def _decided(
    files: Iterable[_File], written: Mapping[str, Mapping[str, str | None]]
) -> Mapping[str, str | None]:
    """The text of each variable by its name, None if it is not known."""
    found: dict[str, str | None] = {}
    of_all: dict[str, str | None] = {}
    for rank, same in sorted(grouped((file.rank, file) for file in files).items()):
        hosts = {file.host for file in same}
        texts = grouped(
            (name, (text, file.host, file.group))
            for file in same
            for name, text in written[file.path].items()
        )
        for name, given in texts.items():
            values, setting, groups = ({*each} for each in zip(*given, strict=True))
            value = values.pop() if len(values) == 1 and setting == hosts else None
            is_sure = False in groups or of_all.get(name, value) == value
            found[name] = value if is_sure else None
        of_all = {name: found[name] for name in texts} if rank == _ALL else of_all
    return found


def _resolved(name: str, raw: Mapping[str, str | None]) -> tuple[str | None, set[str]]:
    """The value of a variable, None if it is not known, and the variables that are in it."""
    text, used = raw[name], set[str]()
    for _ in range(_DEEPEST):
        inside = _VARIABLE.findall(text) if text is not None else []
        if text is None or not inside:
            break
        used.update(inside)
        known = {other: raw.get(other) for other in inside}
        if None in known.values():
            return None, used
        text = _VARIABLE.sub(lambda found: known[found[1]] or "", text)  # noqa: B023
        text = text if len(text) <= _LONGEST else None
    if text is None or _PLAIN.fullmatch(text) is None:
        return None, used
    return text, used


def _variables(file: _File, text: str) -> Iterator[tuple[str, str | None]]:
    """The variables of a file, by their names as `variables_in` has them."""
    if file.form == _ANSIBLE:
        yield from _written(read_documents(text))
    elif file.form == _SHELL:
        for name, node in variables_of(text):
            yield f"${name}", node.text if isinstance(node.value, str) else None
    else:
        for name, setting in parameters_of(file.path, text):
            yield f"${name}", setting.value if isinstance(setting.value, str) else None


def _written(documents: Iterable[Node]) -> Iterator[tuple[str, str | None]]:
    """The scalars of a file of variables, by the path of their keys; None for a long or odd one."""
    waiting: list[tuple[str, Node, int]] = [("", document, 0) for document in documents]
    while waiting:
        path, node, depth = waiting.pop()
        for key, _, value in node.pairs if depth < _DEEPEST else ():
            if value.kind == "scalar":
                is_sure = not value.maybe and value.end - value.start <= _LONGEST
                is_sure = is_sure and (value.known or _VARIABLE.search(value.text) is not None)
                yield f"{path}{key}", value.text if is_sure else None
            waiting.append((f"{path}{key}.", value, depth + 1))
