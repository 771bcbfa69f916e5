"""What a folder shows about an estate without a configuration: for `mqlint config init`."""

from __future__ import annotations

import posixpath
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import field

from mqlint.config.estate.roles import role_of
from mqlint.config.loader import load_settings
from mqlint.config.project import CONFIG_NAMES
from mqlint.config.settings import Role, Twins
from mqlint.config.settings_text import Plain, flow
from mqlint.dataclass import frozen
from mqlint.engine.project import Project
from mqlint.language.mqsc.dump import DumpHeader
from mqlint.number import is_digits
from mqlint.patterns import later

_NAME = later(r"[A-Z][A-Z0-9._]*\Z")
_WILD = later(r"[*?\[\]{}\\]")


# What names queue managers in MQSC: a destination, and channels named after their ends.
_NAMED = (
    later(r"(?i)\bRQMNAME\s*\(\s*'?([\w./%]+)'?\s*\)"),
    later(r"(?i)\bCHANNEL\s*\(\s*'?([\w/%]+)[._]TO[._][\w/%]+'?\s*\)"),
    later(r"(?i)\bCHANNEL\s*\(\s*'?(?:[\w/%]+[._])?TO[._]([\w/%]+)'?\s*\)"),
)


@frozen
class FoundFile:
    """A file of MQ's: its path, the header if it is a dump, and queue managers that it names."""

    path: str
    header: DumpHeader | None = None
    names: frozenset[str] = frozenset()


@frozen
class FoundSite:
    """A site guessed from names of folders and files; `paths` are patterns of its files."""

    name: str
    role: Role
    paths: tuple[str, ...]


@frozen
class Survey:
    """What was found: the number of files read, sites, patterns of queue managers, dumps.

    `candidates` are folders that may be sites, although no name shows a role. `sure` are patterns
    that a dump or a qm.ini proves, folders of one name at two sites, or files that name all of
    them; `probable` those that only their own names suggest. `twins` are stretches of names at
    production, each with what a twin at DR has instead.
    """

    files: int = 0
    sites: tuple[FoundSite, ...] = ()
    candidates: tuple[str, ...] = ()
    sure: tuple[str, ...] = ()
    probable: tuple[str, ...] = ()
    headers: tuple[DumpHeader, ...] = field(default_factory=tuple)
    twins: tuple[tuple[str, str], ...] = ()


def survey(project: Project) -> Survey:
    """Survey what is read of a folder without a configuration."""
    found = list(_files(project))
    relations = project.assembly.relations
    roles = relations.roles
    sites: dict[tuple[str, Role], set[str]] = {}
    for found_file in found:
        site = _site_pattern(found_file.path, roles)
        if site is not None:
            name, role, pattern = site
            sites.setdefault((name, role), set()).add(pattern)
    candidates = frozenset[str]() if sites else _with_namesakes(found)
    known = {key.name.upper() for key in project.contributions if not key.anonymous}
    sure, guessed = _patterns(found, candidates, known)
    return Survey(
        len(found),
        tuple(FoundSite(*site, tuple(sorted(sites[site]))) for site in sorted(sites)),
        tuple(sorted(candidates)),
        sure,
        guessed,
        tuple(found_file.header for found_file in found if found_file.header is not None),
        _renamed(relations.twins),
    )


def _files(project: Project) -> Iterator[FoundFile]:
    for path, reading in project.readings.items():
        headers = (part.header for part in reading.parts)
        is_mqsc = reading.language == "mqsc"
        names = (found.upper() for pattern in _NAMED for found in pattern.findall(reading.text))
        yield FoundFile(
            path,
            next(filter(None, headers), None) if is_mqsc else None,
            frozenset(names if is_mqsc else ()),
        )


def _renamed(twins: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """What makes the names of queue managers at DR those of their twins; none if it fits not all.

    `twins` are the names at DR, each with that at production.
    """
    found = dict.fromkeys(_difference(first, second) for second, first in sorted(twins.items()))
    rename = Twins(tuple(found))
    fits = all(rename.first(second) == first for second, first in twins.items())
    return rename.rename if fits and all(map(all, found)) else ()


def _difference(first: str, second: str) -> tuple[str, str]:
    """The stretches in which two names differ."""
    before = len(posixpath.commonprefix([first, second]))
    rest = first[before:], second[before:]
    after = len(posixpath.commonprefix([part[::-1] for part in rest]))
    return rest[0][: len(rest[0]) - after], rest[1][: len(rest[1]) - after]


def _site_pattern(path: str, roles: Mapping[str, Role]) -> tuple[str, Role, str] | None:
    """The name and role of the site that a path tells, and a pattern for the files of its folder.

    `roles` are those that names tell only beside each other; such a site has the name of its role.
    """
    folder = _site_folder(path)
    if folder is not None:
        name = folder.rpartition("/")[2]
        role = role_of(name)
        return None if role is None else (name, role, f"{folder}/**")
    *folders, file = path.split("/")
    for name in [file.rpartition(".")[0] or file, *reversed(folders)]:
        role = roles.get(name.casefold())
        if role is not None and not _WILD.search(path):
            depth = folders.index(name) + 1 if name in folders else 0
            return role, role, "/".join(folders[:depth]) + "/**" if depth else path
    return None


def _site_folder(path: str, candidates: Set[str] = frozenset()) -> str | None:
    """The innermost folder of a path whose name shows a role, or that is a candidate."""
    folders = path.split("/")[:-1]
    for depth in range(len(folders), 0, -1):
        folder = "/".join(folders[:depth])
        if folder in candidates or role_of(folders[depth - 1]) is not None:
            return None if _WILD.search(folder) else folder
    return None


def _with_namesakes(found: Iterable[FoundFile]) -> frozenset[str]:
    """Folders beside each other with queue managers of one name: that may be a site and its DR.

    A folder has the name of its queue manager, or a file has, as QM1.mqsc.
    """
    parents: dict[tuple[str, str], set[str]] = {}
    for found_file in found:
        folder, _, file = found_file.path.rpartition("/")
        above, _, name = folder.rpartition("/")
        stem = file.rpartition(".")[0]
        files = [(folder, stem)] if _is_numbered(stem) else []
        for site, manager in [(above, name), *files]:
            if site and _NAME.match(manager) and not _WILD.search(site):
                parents.setdefault((posixpath.dirname(site), manager), set()).add(site)
    return frozenset[str]().union(*(some for some in parents.values() if len(some) > 1))


def _patterns(
    found: Sequence[FoundFile], candidates: Set[str], managers: Set[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Patterns of queue managers' folders or files: those that are proved, and likely ones.

    `managers` are the names of queue managers that the files show, in capitals.
    """
    proved: set[str] = set()
    probable: set[str] = set()
    names: dict[str, set[tuple[str | None, str]]] = defaultdict(set)
    for found_file in found:
        folder, rest = _split(found_file.path, candidates)
        if not folder:
            folder, rest = _below_common(rest)
        site = _site_folder(found_file.path)
        if len(rest) < 2:
            stem, dot, ending = rest[0].rpartition(".")
            pattern = f"{folder}{{queue_manager}}{dot}{ending}"
            if _is_numbered(stem):
                probable.add(pattern)
            names[pattern].add((site, stem))
            continue
        pattern = f"{folder}{{queue_manager}}/*" + "*" * (len(rest) > 2)
        named = found_file.header is not None and found_file.header.queue_manager == rest[0]
        is_proved = len(rest) == 2 and (named or rest[1] == "qm.ini")
        if is_proved and not (candidates and folder):  # `{site}` needs declared sites
            proved.add(pattern)
        elif _NAME.match(rest[0]):
            probable.add(pattern)
        names[pattern].add((site, rest[0]))
    proved |= {pattern for pattern in probable if _has_twins(names[pattern])}
    known = frozenset(managers).union(*(found_file.names for found_file in found))
    for pattern, folders in names.items():
        is_open = bool(candidates) and "{site}" in pattern
        if len(folders) > 1 and all(name in known for _, name in folders) and not is_open:
            proved.add(pattern)
    return tuple(sorted(proved)), tuple(sorted(probable - proved))


def _has_twins(folders: Set[tuple[str | None, str]]) -> bool:
    """Whether names look like those of queue managers, and two sites have one of the same name."""
    counts = Counter(name for site, name in folders if site is not None)
    return all(_NAME.match(name) for _, name in folders) and any(
        number > 1 and _is_numbered(name) for name, number in counts.items()
    )


def _is_numbered(name: str) -> bool:
    """Whether a name looks like that of a queue manager and has a digit, unlike COMMON."""
    return _NAME.match(name) is not None and any(map(is_digits, name))


def _below_common(names: list[str]) -> tuple[str, list[str]]:
    """The folders of a path before the first that may be a queue manager, and the names after."""
    depth = next((at for at, name in enumerate(names[:-1]) if _NAME.match(name)), 0)
    if any(map(_WILD.search, names[:depth])):
        depth = 0
    return "".join(f"{name}/" for name in names[:depth]), names[depth:]


def _split(path: str, candidates: Set[str]) -> tuple[str, list[str]]:
    """The part of a path up to its site, with `{site}` for its name, and the names after it."""
    site = _site_folder(path, candidates)
    if site is None:
        return "", path.split("/")
    above, _, _ = site.rpartition("/")
    return (f"{above}/" if above else "") + "{site}/", path[len(site) + 1 :].split("/")


def draft(found: Survey) -> str:
    """Return the text of a first `mqlint.yaml`; it is one that loads."""
    text = "\n".join(_draft(found)) + "\n"
    load_settings(text, CONFIG_NAMES[0])
    return text


def _draft(found: Survey) -> Iterator[str]:
    yield "# Settings of mqlint for this estate. Complete lines that begin with # as needed."
    yield "# To see the settings of one file and their sources: mqlint config show FILE"
    yield ""
    yield from _sites(found)
    yield ""
    yield (
        "# Which folder belongs to which queue manager. Rules that compare queue managers need it."
    )
    yield from _queue_managers(found)
    yield ""
    if found.twins:
        yield "# How names at production become the names of their twins at DR, by their pairs."
        yield f"twins: {flow({'rename': dict(found.twins)})}"
        yield ""
    yield "# The release and platform that scripts are for."
    yield f"# target: {flow(_target(found.headers))}"
    yield ""
    yield "# Names that exist although no file here defines them; a * at the end makes one generic."
    yield "# external: {queues: [], channels: []}"
    yield ""
    yield '# "complete" lets rules say that something is missing, not only that something is wrong.'
    yield "# inventory: {objects: partial, jobs: partial}"
    yield ""
    yield "# Files that mqlint must not read."
    yield "# exclude: []"
    yield ""
    yield "# Folders with your own policies, and the file that mqlint baseline create writes."
    yield "# policies: [policies]"
    yield "# baseline: mqlint-baseline.json"
    yield ""
    yield "# Lowest severity that fails a check: note, warning or error."
    yield "fail_on: error"


def _sites(found: Survey) -> Iterator[str]:
    sites = found.sites
    if found.candidates:
        yield "# Queue managers in these folders have the same names: they may be sites. If so,"
        yield "# set their roles: production, dr, test or development. A DR site also needs"
        yield "# stands_in_for: the name of the site that it replaces."
        yield "# sites:"
        for folder in found.candidates:
            name = folder.rpartition("/")[2]
            yield f"#   {flow(name)}: {{role: ..., paths: {flow([f'{folder}/**'])}}}"
        return
    if not sites:
        yield "# No folder name shows a site. Set which files belong to which site; a role is"
        yield "# production, dr, test or development."
        yield "# sites:"
        yield '#   leeds: {role: production, paths: ["prod/**"]}'
        yield '#   derby: {role: dr, stands_in_for: leeds, paths: ["dr/**"]}'
        return
    yield "# Guessed from folder names: set the names of your sites, and check the roles"
    yield "# (production, dr, test or development). Optional keys of a site:"
    yield "#   networks: [10.10.0.0/16]    its addresses"
    yield "#   tokens: [PRD]               text that marks its object names"
    yield "#   isolation: none             or network, production-ended, chlauth, names"
    yield "#   reinstated_by: definitions  or file-copy, backup-queue-manager, replication"
    yield "sites:"
    production = [site.name for site in sites if site.role == "production"]
    for site in sites:
        keys: dict[str, Plain] = {"role": site.role}
        if site.role == "dr" and len(production) == 1:
            keys["stands_in_for"] = production[0]
        keys["paths"] = [*site.paths]
        yield f"  {flow(site.name)}: {flow(keys)}"
        if site.role == "dr" and len(production) != 1:
            yield f"  # {site.name} stands in for which site? Add stands_in_for to it."


def _queue_managers(found: Survey) -> Iterator[str]:
    if found.sure:
        yield f"queue_managers: {flow(list(found.sure))}"
        if found.probable:
            yield f"# Possibly also: {flow(list(found.probable))}"
    else:
        yield f"# queue_managers: {flow(list(found.probable) or ['{queue_manager}/**'])}"


def _target(headers: Sequence[DumpHeader]) -> dict[str, Plain]:
    """The target in the headers of most dumps, otherwise an example."""
    levels = Counter(header.level for header in headers if header.level is not None)
    if not levels:
        return {"level": "9.4.0", "platform": "linux"}
    return {"level": str(levels.most_common(1)[0][0])}
