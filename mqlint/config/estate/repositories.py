"""`estate.yaml`: the repositories and dump folders of an estate, with the settings of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, fields, replace
from typing import Any, TypeVar

from mqlint.config.estate.address import (
    EntryKind,
    is_uri,
    path_of,
    ref_of,
    repository_name,
)
from mqlint.config.estate.teams import TeamPattern, checked_pattern
from mqlint.config.forms import (
    NAME,
    Form,
    Key,
    Readers,
    any_of,
    document,
    items,
    name_of,
    names,
    of_keys,
    read_by,
    read_keys,
    several,
    table,
    with_some,
)
from mqlint.config.globs import GlobError
from mqlint.config.loader import settings_from
from mqlint.config.node import Node
from mqlint.config.settings import Settings
from mqlint.dataclass import frozen

T = TypeVar("T")
_FORBIDDEN = ("policies", "fail_on")
_FILES = ("waivers", "baseline")


@frozen
class WrittenSettings:
    """The settings that are given: `keys` are those of `mqlint.yaml` that are written.

    The others are in `settings` as they are without a file.
    """

    settings: Settings = field(default_factory=Settings)
    keys: tuple[str, ...] = ()


@frozen
class EstateEntry:
    """One line of the file: repositories, or dumps that stand for one.

    `path` is a folder, a bare mirror, an archive, a pattern of such, or a URI; a relative one
    starts at the file's folder. `name` is None if the path tells it. `ref` is the commit of a
    mirror. `accepted_in` names a repository whose baseline and waivers count here too. `place` is
    where the entry is, for messages.
    """

    kind: EntryKind
    path: str
    place: Node = field(compare=False, repr=False)
    name: str | None = None
    ref: str | None = None
    team: str | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    defaults: WrittenSettings = field(default_factory=WrittenSettings)
    override: WrittenSettings = field(default_factory=WrittenSettings)
    accepted_in: str | None = None

    @property
    def is_uri(self) -> bool:
        """Whether the path is one of a file system elsewhere, such as hdfs or s3a."""
        return is_uri(self.path)


@frozen
class Estate:
    """What `estate.yaml` says, its entries in the order written.

    `inventory` names the register of queue managers, `controls` mappings of controls to rules.
    `teams` are files of patterns, and patterns.
    """

    entries: tuple[EstateEntry, ...]
    inventory: Node | None = field(default=None, compare=False, repr=False)
    controls: tuple[Node, ...] = field(default=(), compare=False, repr=False)
    teams: tuple[Node | TeamPattern, ...] = field(default=(), compare=False, repr=False)


def estate_from(root: Node) -> Estate:
    """Return the estate that a YAML value describes; ConfigError at the first fault."""
    root.keys_allowed(KEYS)
    values = read_keys(root, _KEYS)
    labels = values.pop("labels", {})
    common = [values.pop(key, WrittenSettings()) for key in ("defaults", "override")]
    kinds: tuple[tuple[str, EntryKind], ...] = (
        ("repositories", "repository"),
        ("dumps", "dumps"),
    )
    entries = [
        _entry(node, kind, labels, *common) for key, kind in kinds for node in values.pop(key, ())
    ]
    if not entries:
        raise root.error("neither `repositories` nor `dumps` is set: an estate needs at least one")
    _no_name_twice(entries)
    return Estate(tuple(entries), **values)


def merged(own: WrittenSettings, entry: EstateEntry) -> tuple[Settings, tuple[str, ...]]:
    """Return the settings of one repository, and those keys of its own that are overridden.

    What the entry overrides counts first, then what the repository's own `mqlint.yaml` says, then
    the entry's defaults. A key counts as a whole.
    """
    settings = _laid_over(_laid_over(entry.defaults, own), entry.override).settings
    changed = [
        key
        for key in entry.override.keys
        if key in own.keys and getattr(own.settings, key) != getattr(settings, key)
    ]
    return settings, tuple(changed)


def files_named(entry: EstateEntry) -> tuple[str, ...]:
    """Return the files of waivers and baselines that an entry names for its repositories."""
    given = [(source, key) for source in (entry.defaults, entry.override) for key in _FILES]
    found = (getattr(source.settings, key) for source, key in given if key in source.keys)
    return tuple(dict.fromkeys(filter(None, found)))


def given_by(root: Node) -> WrittenSettings:
    """Return what the YAML value of a `mqlint.yaml` gives; ConfigError at the first fault."""
    if root.is_empty:
        return WrittenSettings()
    return WrittenSettings(settings_from(root), tuple(root.mapping()))


def _laid_over(base: WrittenSettings, above: WrittenSettings) -> WrittenSettings:
    """What both give: `above` if it has a key, otherwise the base."""
    known = {setting.name for setting in fields(Settings)}
    keys = [key for key in above.keys if key in known]
    keys += ["own_profiles"] if "profiles" in keys else []
    settings = replace(base.settings, **{key: getattr(above.settings, key) for key in keys})
    return WrittenSettings(settings, tuple(dict.fromkeys((*base.keys, *above.keys))))


def _unless_empty(read: Callable[[Node], T], nothing: T) -> Callable[[Node], T]:
    """Return a reader of a key that may be without a value."""
    return lambda node: nothing if node.is_empty else read(node)


def _file(node: Node) -> Node:
    """The name of a file, which must be a text."""
    node.text()
    return node


def _files(node: Node) -> tuple[Node, ...]:
    """Names of files; one needs no list."""
    return tuple(map(_file, items(node)))


def _teams(node: Node) -> tuple[Node | TeamPattern, ...]:
    """Files of patterns, and patterns; one file needs no list."""
    written = [node] if node.kind in ("plain", "quoted") else node.sequence()
    return tuple(team for item in written for team in _team(item))


def _team(node: Node) -> Iterator[Node | TeamPattern]:
    if node.kind in ("plain", "quoted"):
        yield _file(node)
        return
    node.keys_allowed(names(_TEAM))
    for path in items(node.require("paths")):
        try:
            yield checked_pattern(path.text(), name_of(node.require("team")))
        except GlobError as error:
            raise path.error(str(error)) from None


def _entry(
    node: Node,
    kind: EntryKind,
    labels: Mapping[str, str],
    defaults: WrittenSettings,
    override: WrittenSettings,
) -> EstateEntry:
    """One entry, given as its path alone or with more words."""
    place = node
    values: dict[str, Any] = {}
    if node.kind in ("plain", "quoted"):
        values["path"] = path_of(node, kind)
    else:
        keys = _ENTRY if kind == "repository" else _DUMPS
        node.keys_allowed(names(keys))
        place = node.require("path")
        readers: Readers = {
            "path": lambda path: path_of(path, kind),
            "name": lambda name: repository_name(name, place, kind),
            "ref": lambda ref: ref_of(ref, place),
        }
        values = read_keys(node, keys, readers)
    values["labels"] = {**labels, **values.get("labels", {})}
    values["defaults"] = _laid_over(defaults, values.get("defaults", WrittenSettings()))
    values["override"] = _laid_over(override, values.get("override", WrittenSettings()))
    return EstateEntry(kind, place=place, **values)


def _given(node: Node) -> WrittenSettings:
    for key in _FORBIDDEN:
        value = node.get(key)
        if value is not None:
            raise value.key_error(
                f"{key!r} cannot be set for one repository: set it on the command line"
            )
    return given_by(node)


def _no_name_twice(entries: list[EstateEntry]) -> None:
    seen: set[str] = set()
    for entry in entries:
        if entry.name is not None and entry.name in seen:
            raise entry.place.error(f"two repositories are named {entry.name!r}")
        seen.add(entry.name or "")


_LABELS = read_by(
    _unless_empty(table(Form("", {}, read=Node.text)).read, {}),
    {
        "type": ["object", "null"],
        "description": "Your own labels: a column of the tables.",
        "additionalProperties": {"type": ["string", "number", "boolean"]},
    },
)
_SETTINGS = read_by(
    _unless_empty(_given, WrittenSettings()),
    {
        "type": ["object", "null"],
        "description": "Keys of mqlint.yaml.",
        "not": {"anyOf": [{"required": [key]} for key in _FORBIDDEN]},
    },
)
_OWNER = Key(
    "team", read_by(name_of, NAME.schema), "The team that owns it: a column of the tables."
)
_TEAM = (
    Key("paths", several(NAME), required=True),
    Key("team", NAME, _OWNER.about, required=True),
)
_PATH = Key(
    "path",
    NAME,
    "A path, a pattern of paths, or a URI such as hdfs://host/dumps. Relative ones start at the "
    "folder of this file.",
    required=True,
    notes={
        "examples": [
            "checkouts/*",
            "/srv/mirrors/*.git",
            "dumps/nightly.tar.gz",
            "s3a://bucket/dumps",
        ]
    },
)
_DUMPS = (
    _PATH,
    Key("name", NAME, "The first part of paths in reports. Default: the last part of the path."),
    _OWNER,
    Key("labels", _LABELS),
    Key("defaults", _SETTINGS),
    Key("override", _SETTINGS),
    Key(
        "accepted_in",
        read_by(name_of, NAME.schema),
        "The name of another repository of this file. Its baseline and its waivers apply here too.",
    ),
)
_ENTRY = (
    *_DUMPS,
    Key(
        "ref",
        Form("", {"type": "string", "pattern": r"^[^-\s][^\s]*$"}),
        "Read the files of this branch, tag or commit from Git, not the files on disk. Default for "
        "a bare mirror: HEAD.",
    ),
)


def _list_of(keys: tuple[Key, ...]) -> Form:
    entry = any_of(_PATH.schema, of_keys(keys))
    return read_by(_unless_empty(Node.sequence, []), {"type": ["array", "null"], "items": entry})


_KEYS = (
    Key("labels", _LABELS, "Labels of every entry."),
    Key(
        "defaults",
        _SETTINGS,
        "Settings for keys that a repository's own mqlint.yaml does not set.",
    ),
    Key(
        "override",
        _SETTINGS,
        "Settings that override a repository's own; the scan reports where they do.",
    ),
    Key(
        "inventory",
        read_by(_unless_empty(_file, None), NAME.schema),
        "The register of queue managers: a CSV file with the column queue_manager, optionally "
        "site.",
    ),
    Key(
        "controls",
        read_by(_unless_empty(_files, ()), several(NAME).schema),
        "Files that map controls of a standard to rules.",
    ),
    Key(
        "teams",
        read_by(
            _unless_empty(_teams, ()),
            any_of(NAME.schema, {"type": "array", "items": any_of(NAME.schema, of_keys(_TEAM))}),
        ),
        "Who owns which files: CODEOWNERS or CSV files (pattern,team), and patterns. The last "
        "pattern that matches decides.",
    ),
    Key(
        "repositories",
        _list_of(_ENTRY),
        "Checkouts, bare mirrors and archives, each a repository with its own mqlint.yaml.",
    ),
    Key(
        "dumps",
        _list_of(_DUMPS),
        "Folders, archives, patterns of files and URIs; each entry is one repository.",
    ),
)
KEYS = names(_KEYS)
"""The keys of the file."""
SCHEMA = document(
    "estate.yaml",
    "The repositories and dump folders of an estate, for `mqlint estate scan`. See docs/estate.md.",
    {"minProperties": 1, **with_some(of_keys(_KEYS), "repositories", "dumps")},
)
