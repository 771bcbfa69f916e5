"""Files of one application that are read together: what one sets, another replaces or uses.

They are files of Spring Boot with those for profiles, `appsettings.json` of .NET with those for
environments ("Configuration in ASP.NET Core"), and `server.xml` of Liberty with the files that set
its variables ("Server configuration overview" of Open Liberty).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from posixpath import basename, dirname, join, normpath

from mqlint.dataclass import NamedTuple
from mqlint.grouping import grouped
from mqlint.language.client.connection import Setting, setting_of
from mqlint.language.client.dotenv import variables_of
from mqlint.language.client.elements import elements_of
from mqlint.language.client.liberty import Server, Variables
from mqlint.language.client.mapped import (
    Sections,
    connections_of_section,
    own_attribute,
    sections_of,
)
from mqlint.language.client.properties import properties
from mqlint.language.client.settings import declared_by_files
from mqlint.language.client.signs import (
    VARIABLES,
    environment_of_settings,
    is_environment,
    profile_of,
)
from mqlint.language.client.spring import Container, moved, pages_of
from mqlint.language.declaration import Declared
from mqlint.language.text.templates import is_known, with_placeholders
from mqlint.language.yaml.reader import read_documents
from mqlint.patterns import later
from mqlint.vocabulary.unknown import UNKNOWN

_SERVER = "server.xml"
_ENVIRONMENTS = ("ASPNETCORE_ENVIRONMENT", "DOTNET_ENVIRONMENT")
_OVERRIDES = "configDropins/overrides"
_INCLUDE = later(r"<include\b[^>]{0,300}?\blocation[ \t]*=[ \t]*[\"']([^\"'<>$]{1,200})[\"']")
_OWN_FOLDER = "${server.config.dir}/"


class PlacedFile(NamedTuple):
    """A file of an application: its path, its text, and where that begins among all of them."""

    path: str
    text: str
    start: int


def applications(texts: Mapping[str, str]) -> Iterator[tuple[str, set[str]]]:
    """Yield the files of each application, after the one that the others change.

    It may be the only one: variables of containers may change it.
    """
    for role_of in (profile_of, environment_of_settings):
        folders = grouped(
            (dirname(path), path) for path in sorted(texts) if role_of(path) is not None
        )
        for paths in folders.values():
            general = [path for path in paths if role_of(path) == ""]
            if len(general) == 1:
                yield general[0], {*paths}
    roots = [path for path in sorted(texts) if basename(path) == _SERVER]
    ordered = sorted(texts) if roots else []
    for path in roots:
        yield path, {path, *_of_server(path, texts, ordered)}


def below(folder: str, ordered: Sequence[str]) -> range:
    """Return the places of the sorted paths in a folder, which is blank or ends with a slash."""
    if not folder:
        return range(len(ordered))
    after = f"{folder[:-1]}0"  # 0 is the character after the slash
    return range(bisect_left(ordered, folder), bisect_left(ordered, after))


def _of_server(root: str, texts: Mapping[str, str], ordered: Sequence[str]) -> Iterator[str]:
    """Yield the files beside a `server.xml` that Liberty reads with it."""
    folder = dirname(root)
    names = ["bootstrap.properties", "server.env"]
    names += [name.removeprefix(_OWN_FOLDER) for name in _INCLUDE.findall(texts[root])]
    yield from (path for name in names if (path := normpath(join(folder, name))) in texts)
    yield from (ordered[at] for at in below(join(folder, VARIABLES, ""), ordered))
    for kind in ("defaults", "overrides"):
        dropins = join(folder, "configDropins", kind)
        found = (ordered[at] for at in below(f"{dropins}/", ordered))
        yield from (path for path in found if dirname(path) == dropins and path.endswith(".xml"))


def is_application(root: str) -> bool:
    """Whether the first file of a composition is that of an application."""
    roles = (profile_of(root), environment_of_settings(root))
    return basename(root) == _SERVER or any(role is not None for role in roles)


def declared_together(
    root: str, files: Sequence[PlacedFile], containers: Sequence[Container]
) -> tuple[Declared, ...]:
    """Return what the files of an application say together, and the containers that run it."""
    if basename(root) == _SERVER:
        return _of_liberty(files, containers)
    if profile_of(root) is not None:
        return _of_spring(files, containers)
    return tuple(_of_settings(files, containers))


def _of_spring(
    files: Sequence[PlacedFile], containers: Sequence[Container]
) -> tuple[Declared, ...]:
    """What files of Spring Boot say: properties replace YAML, profiles what is general."""
    found = []
    whole = ""
    for path, text, start in sorted(files, key=lambda file: file.start):
        whole = whole.ljust(start) + text
        profile = profile_of(path) or ""
        order = (bool(profile), path.endswith(".properties"), path)
        found.append((order, profile, [moved(page, start) for page in pages_of(path, text)]))
    ordered = ((profile, pages) for _, profile, pages in sorted(found))
    return declared_by_files(ordered, containers, whole)


def _of_settings(
    files: Iterable[PlacedFile], containers: Sequence[Container]
) -> Iterator[Declared]:
    """What files of .NET say: the settings for all environments, then those of each.

    Variables of a container replace what its environment has (`Mq__ChannelName`).
    """
    wholes: dict[str, Sections] = {"": {}}
    for path, text, start in sorted(
        files, key=lambda file: environment_of_settings(file.path) or ""
    ):
        general, own = wholes[""], dict[tuple[str, ...], dict[str, Setting]]()
        for section, section_settings in sections_of(read_documents(text)).items():
            placed = {key: _moved(setting, start) for key, setting in section_settings.items()}
            own[section] = {**general.get(section, {}), **placed}
        wholes[environment_of_settings(path) or ""] = own
    changed = [found for container in containers for found in _changed_settings(container, wholes)]
    overridden = {section for section, _ in changed}
    for name, sections in wholes.items():
        for section, settings in sections.items():
            if name or section not in overridden:
                yield from connections_of_section(settings, "keys").declared
    for _, settings in changed:
        yield from connections_of_section(settings, "keys").declared


def _changed_settings(
    container: Container, wholes: Mapping[str, Sections]
) -> Iterator[tuple[tuple[str, ...], dict[str, Setting]]]:
    """Yield the sections that variables of a container change, as they are then."""
    names = (container.variables.get(name) for name in _ENVIRONMENTS)
    owner = next(filter(None, names), None)
    chosen = wholes.get(str(owner.value), {}) if owner is not None else {}
    sections = {**wholes[""], **chosen}
    changed: dict[tuple[str, ...], dict[str, Setting]] = {}
    for name, setting in container.variables.items():
        *path, key = name.split("__")
        attribute = own_attribute(key)
        section = tuple(part.lower() for part in path)
        if attribute is not None and section in sections:
            changed.setdefault(section, {})[attribute] = setting
    for section, settings in changed.items():
        whole = {**sections[section], **settings}
        if whole != sections[section]:
            yield section, whole


def _moved(setting: Setting, by: int) -> Setting:
    return Setting(setting.value, (setting.span[0] + by, setting.span[1] + by))


def _of_liberty(
    files: Sequence[PlacedFile], containers: Sequence[Container]
) -> tuple[Declared, ...]:
    """What `server.xml` and the files beside it say, in each container if it sets variables."""
    environment: dict[str, Setting] = {}
    bootstrap: dict[str, Setting] = {}
    placed: dict[str, Setting] = {}
    text, overrides = "", list[range]()
    for path, own, start in sorted(files, key=lambda file: file.start):
        text = text.ljust(start)
        if path.endswith(".xml"):
            text += own
            overrides += [range(start, len(text))] if _OVERRIDES in path else []
        elif is_environment(path):
            for name, node in variables_of(own, start):
                environment[name] = Setting(node.value, node.span)
        elif path.endswith(".properties"):
            settings = {key: _moved(setting, start) for key, _, setting in properties(own)}
            (placed if f"{VARIABLES}/" in path else bootstrap).update(settings)
        else:
            name, value = path.rpartition(f"{VARIABLES}/")[2], own.strip()
            at = start + own.find(value)
            is_plain = is_known(with_placeholders(value))
            placed[name] = setting_of(value, (at, at + len(value)), is_plain=is_plain)
    bootstrap |= placed  # variables of files have precedence
    elements = elements_of(text)

    def connections(variables: Mapping[str, Setting]) -> tuple[Declared, ...]:
        """Return the connections with these variables, unless `server.env` has the same."""
        twice = {
            name: Setting(UNKNOWN, variables[name].span)
            for name in variables
            if name in environment
        }
        server = Server.of(
            elements,
            text,
            Variables(bootstrap, {**environment, **variables, **twice}),
            lambda element: any(element.span[0] in place for place in overrides),
        )
        return tuple(server.connections())

    alone = connections({})
    deployed = (connections(container.variables) for container in containers)
    found = dict.fromkeys(group for group in deployed if group != alone)
    return tuple(dict.fromkeys(connection for group in found for connection in group)) or alone
