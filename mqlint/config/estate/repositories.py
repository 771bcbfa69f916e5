"""`estate.yaml`: the repositories and dump folders of an estate, with the settings of each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field, fields, replace
from typing import Literal

from mqlint.config.estate.teams import TeamPattern, checked_pattern
from mqlint.config.globs import GlobError
from mqlint.config.loader import settings_from
from mqlint.config.node import Node
from mqlint.config.object_store import has_secret_setting
from mqlint.config.settings import Settings
from mqlint.dataclass import frozen
from mqlint.patterns import later

EntryKind = Literal["repository", "dumps"]

_URI = later(r"[A-Za-z][A-Za-z0-9+.-]+:/")
_CLONED = later(
    r"(?i)(?:ssh|git(?:\+ssh)?)://|https?://(?!.*\.(?:zip|tgz|tar(?:\.\w+)?)\Z)|[\w.-]+@[\w.-]+:"
)
"""Addresses from which Git clones."""

_HERE = later(
    r"file:(?://(?:localhost)?(?=/))?(?:/(?=[A-Za-z]:))?(?=/(?!/)|[A-Za-z]:)", re.IGNORECASE
)
_HOST = later(
    r"[A-Za-z][A-Za-z0-9+.-]+://(?:[^/:@]*@)?(?:\[[0-9A-Fa-f:.]*\]|[^/:@]*)(?::\d*)?(?:/|\Z)"
)
_FORBIDDEN = ("policies", "fail_on")
_FILES = ("waivers", "baseline")
_REPOSITORY_KEYS = (
    *("path", "name", "ref", "team", "labels", "defaults", "override"),
    "accepted_in",
)
_DUMPS_KEYS = tuple(key for key in _REPOSITORY_KEYS if key != "ref")


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
        """Whether the path is one of a file system that Spark reads, such as hdfs or s3a."""
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


def is_uri(path: str) -> bool:
    """Return whether a path begins with a scheme: file:/a, hdfs://host/a. `C:/a` does not."""
    return _URI.match(path) is not None


def estate_from(root: Node) -> Estate:
    """Return the estate that a YAML value describes; ConfigError at the first fault."""
    root.keys_allowed(
        (
            "labels",
            "defaults",
            "override",
            "inventory",
            "teams",
            "controls",
            "repositories",
            "dumps",
        )
    )
    labels = _labels(root.get("labels"))
    common = _given(root.get("defaults")), _given(root.get("override"))
    kinds: tuple[tuple[str, EntryKind], ...] = (
        ("repositories", "repository"),
        ("dumps", "dumps"),
    )
    entries = [
        _entry(node, kind, labels, *common) for key, kind in kinds for node in _items(root.get(key))
    ]
    if not entries:
        raise root.error("neither `repositories` nor `dumps` is set: an estate needs at least one")
    _no_name_twice(entries)
    return Estate(
        tuple(entries),
        _file(root.get("inventory")),
        tuple(_files(root.get("controls"))),
        tuple(_teams(root.get("teams"))),
    )


def merged(own: WrittenSettings, entry: EstateEntry) -> tuple[Settings, tuple[str, ...]]:
    """Return the settings of one repository, and those keys of its own that are overridden.

    What the entry overrides counts first, then what the repository's own `mqlint.yaml` says, then
    the entry's defaults. A key counts as a whole.
    """
    settings = Settings()
    for given in (entry.defaults, own, entry.override):
        settings = _laid_over(settings, given)
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


def _laid_over(settings: Settings, given: WrittenSettings) -> Settings:
    known = {setting.name for setting in fields(Settings)}
    keys = [key for key in given.keys if key in known]
    keys += ["own_profiles"] if "profiles" in keys else []
    return replace(settings, **{key: getattr(given.settings, key) for key in keys})


def _file(node: Node | None) -> Node | None:
    """The name of a file."""
    if node is None or node.is_empty:
        return None
    node.text()
    return node


def _files(node: Node | None) -> Iterator[Node]:
    """Names of files; one needs no list."""
    if node is None or node.is_empty:
        return
    for item in node.sequence() if node.kind == "sequence" else [node]:
        item.text()
        yield item


def _teams(node: Node | None) -> Iterator[Node | TeamPattern]:
    """Files of patterns, and patterns; one file needs no list."""
    if node is None or node.is_empty:
        return
    for item in [node] if node.kind in ("plain", "quoted") else node.sequence():
        if item.kind in ("plain", "quoted"):
            item.text()
            yield item
            continue
        item.keys_allowed(("paths", "team"))
        paths = item.require("paths")
        for path in paths.sequence() if paths.kind == "sequence" else [paths]:
            try:
                yield checked_pattern(path.text(), _text(item.require("team")))
            except GlobError as error:
                raise path.error(str(error)) from None


def _items(node: Node | None) -> list[Node]:
    if node is None or node.is_empty:
        return []
    return node.sequence()


def _entry(
    node: Node,
    kind: EntryKind,
    labels: Mapping[str, str],
    defaults: WrittenSettings,
    override: WrittenSettings,
) -> EstateEntry:
    """One entry, given as its path alone or with more words."""
    if node.kind in ("plain", "quoted"):
        return EstateEntry(
            kind, _path(node, kind), node, None, None, None, labels, defaults, override
        )
    node.keys_allowed(_REPOSITORY_KEYS if kind == "repository" else _DUMPS_KEYS)
    path = node.require("path")
    team, accepted_in = node.get("team"), node.get("accepted_in")
    return EstateEntry(
        kind,
        _path(path, kind),
        path,
        _name(node.get("name"), path, kind),
        _ref(node.get("ref"), path),
        None if team is None else _text(team),
        {**labels, **_labels(node.get("labels"))},
        _both(defaults, _given(node.get("defaults"))),
        _both(override, _given(node.get("override"))),
        None if accepted_in is None else _text(accepted_in),
    )


def _both(first: WrittenSettings, second: WrittenSettings) -> WrittenSettings:
    """The second where it speaks, else the first."""
    return WrittenSettings(
        _laid_over(first.settings, second), tuple({**_set(first), **_set(second)})
    )


def _set(given: WrittenSettings) -> dict[str, None]:
    return dict.fromkeys(given.keys)


def _given(node: Node | None) -> WrittenSettings:
    if node is None or node.is_empty:
        return WrittenSettings()
    for key in _FORBIDDEN:
        value = node.get(key)
        if value is not None:
            raise value.key_error(
                f"{key!r} cannot be set for one repository: set it on the command line"
            )
    return given_by(node)


def _labels(node: Node | None) -> dict[str, str]:
    if node is None or node.is_empty:
        return {}
    return {key: value.text() for key, value in node.mapping().items()}


def _text(node: Node) -> str:
    text = node.string()
    if not text.strip():
        raise node.error("the text is blank")
    if "\0" in text:
        raise node.error("the text has a NUL character")
    return text


def _path(node: Node, kind: EntryKind) -> str:
    """A path as it is written, a file: URI as the path it is; what it says of a host is checked."""
    path = _local(_text(node))
    if kind == "repository" and _CLONED.match(path):
        raise node.error(
            "mqlint does not clone: run `git clone --mirror`, and name the folder that it makes"
        )
    if not is_uri(path):
        return path
    if path.lower().startswith("file:"):
        raise node.error("a file: URI of another machine: only `file:/a/path` can be read")
    if "://" in path and not _HOST.match(path):
        # Not quoted: what stands there may be a password.
        raise node.error(
            "a URI has a password before its host, or no port after it: passwords are for "
            "Spark's settings, as in spark.hadoop.fs.ftp.password.HOST, not for paths"
        )
    if has_secret_setting(path):
        raise node.error("a URI with a password: passwords are for the environment")
    if kind == "repository" and any(sign in path for sign in "*?["):
        raise node.error(
            "a pattern of repositories at a URI: name each of them, or make them one of `dumps`"
        )
    return path


def _local(path: str) -> str:
    """The path that a file: URI is: what is written there is taken as it is, as Hadoop does."""
    return _HERE.sub("", path, count=1)


def _name(node: Node | None, path: Node, kind: EntryKind) -> str | None:
    if node is None:
        return None
    name = node.text()
    if not is_name(name):
        raise node.error(
            f"{name[:60]!r} is not a valid repository name: use printable text with parts "
            "separated by slashes"
        )
    if kind == "repository" and any(sign in path.raw for sign in "*?["):
        raise node.error("a pattern can match several repositories, which are named by their paths")
    return name


def is_name(name: str) -> bool:
    """Return whether a text may be the name of a repository: what paths in reports begin with."""
    parts = name.split("/")
    return name.isprintable() and name == name.strip() and not {"", ".", ".."} & set(parts)


def _ref(node: Node | None, path: Node) -> str | None:
    if node is None:
        return None
    ref = node.text()
    if is_uri(_local(path.raw)):
        raise node.error("git is read on paths only, not at a URI: omit `ref`")
    if ref.startswith("-") or re.search(r"[\x00-\x20\x7f]", ref):
        raise node.error(f"{ref[:60]!r} is not the name of a branch, a tag or a commit")
    return ref


def _no_name_twice(entries: list[EstateEntry]) -> None:
    seen: set[str] = set()
    for entry in entries:
        if entry.name is not None and entry.name in seen:
            raise entry.place.error(f"two repositories are named {entry.name!r}")
        seen.add(entry.name or "")
