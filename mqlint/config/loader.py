"""`mqlint.yaml` to `Settings`: each word is checked, and each fault is reported with its place."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from mqlint.config.entries import (
    Readers,
    check_glob,
    glob_of,
    globs_of,
    name_of,
    names_of,
    section_of,
    word_reader,
)
from mqlint.config.estate.sites import sites_of
from mqlint.config.node import Node
from mqlint.config.profiles import chosen_in, own_profiles_of, severities_of
from mqlint.config.settings import (
    CLIENT_KEYS,
    MIGRATION_KEYS,
    PLATFORMS,
    PROFILES,
    THRESHOLDS,
    Client,
    Compare,
    External,
    Files,
    Inventory,
    Level,
    Migration,
    Override,
    OwnProfile,
    ParameterValue,
    Settings,
    Target,
    Templates,
    Twins,
    keys_of,
    parse_level,
)
from mqlint.patterns import later

_KEY_PATH = later(r"\$(?:\.[\w-]{1,80}|\[\*\]){1,20}")
COMPLETENESS = ("complete", "partial")
"""What `inventory` can say of a kind of thing."""


def load_settings(text: str, path: str) -> Settings:
    """Return the settings that the text of `mqlint.yaml` holds; an empty text gives the defaults.

    `path` is only for messages. Raises ConfigError at the first fault.
    """
    return settings_from(read_settings(text, path))


def read_settings(text: str, path: str) -> Node:
    """Return the YAML value of the text of `mqlint.yaml`; ConfigError where it is none."""
    from mqlint.config.reader import read_kind  # here, as a text in the cache needs no yaml

    return read_kind(text, path, KEYS)


def settings_from(root: Node) -> Settings:
    """Return the settings that a YAML value holds; ConfigError at the first fault.

    What it extends is in it already (`mqlint.config.extends`).
    """
    if root.is_empty:
        return Settings()
    root.keys_allowed(KEYS)
    if "extends" in root.mapping():
        raise root.pairs["extends"].key_error("extends cannot be used here: write the keys out")
    own = own_profiles_of(root.get("profiles"))
    readers: Readers = {
        **_READERS,
        "profiles": partial(chosen_in, own=own),
        "overrides": partial(_overrides, own),
    }
    return section_of(root, Settings, readers, own_profiles=own)


def _file(node: Node) -> str:
    """The name of a file, blank if two quotes say that there is none."""
    return "" if node.kind == "quoted" and not node.raw else name_of(node)


def _queue_managers(node: Node) -> tuple[str, ...]:
    items = node.sequence() if node.kind == "sequence" else [node]
    patterns = tuple(glob_of(item, placeholders=True) for item in items)
    for item, pattern in zip(items, patterns, strict=True):
        if "{queue_manager}" not in pattern:
            raise item.error(f"{{queue_manager}} is not in the pattern {pattern!r}")
    return patterns


def _twins(node: Node) -> Twins:
    node.keys_allowed(keys_of(Twins))
    rename = node.get("rename")
    pairs = rename.mapping() if rename is not None else {}
    for old, value in pairs.items():
        if not old.strip() or name_of(value) == old:
            raise value.key_error(f"{old!r} is renamed to itself, or is blank")
    return Twins(tuple((old, value.string()) for old, value in pairs.items()))


def _compare(node: Node) -> Compare:
    return section_of(node, Compare, dict.fromkeys(keys_of(Compare), names_of))


def _target(node: Node) -> Target:
    return section_of(node, Target, {"level": _level, "platform": word_reader(PLATFORMS)})


def _level(node: Node) -> Level:
    text = node.text()
    level = parse_level(text)
    if level is None:
        raise node.error(
            f"found {text!r}, expected a release such as 9.4.0, 9.4 or a command level such as 940"
        )
    return level


def _migration(node: Node) -> Migration | None:
    node.keys_allowed(MIGRATION_KEYS)
    source, to = (_level(node.require(key)) for key in MIGRATION_KEYS)
    if to.parts < source.parts:
        raise node.require("to").error(f"{to.text} is older than {source.text}")
    return Migration(source, to)


def _overrides(own: Sequence[OwnProfile], node: Node) -> tuple[Override, ...]:
    return tuple(_override(item, own) for item in node.sequence())


def _override(node: Node, own: Sequence[OwnProfile]) -> Override:
    node.keys_allowed(keys_of(Override))
    node.require("paths")
    known = (*PROFILES, *(profile.name for profile in own))
    profiles = partial(_names_among, known)
    readers: Readers = {"paths": globs_of, "target": _target, "profiles": profiles}
    override = section_of(node, Override, readers)
    if override.target == Target() and override.profiles is None:
        raise node.error("an override needs a target or profiles")
    return override


def _names_among(known: Sequence[str], node: Node) -> tuple[str, ...]:
    return tuple(item.one_of(known) for item in node.sequence())


def _is_complete(node: Node) -> bool:
    return node.one_of(COMPLETENESS) == "complete"


def _inventory(node: Node) -> Inventory:
    return section_of(node, Inventory, dict.fromkeys(keys_of(Inventory), _is_complete))


def _external(node: Node) -> External:
    return section_of(node, External, dict.fromkeys(node.mapping(), _generic_names))


def _generic_names(node: Node) -> tuple[str, ...]:
    names = tuple(name_of(item) for item in node.sequence())
    for item, name in zip(node.sequence(), names, strict=True):
        if "*" in name[:-1]:
            raise item.error(f"in {name!r} only the last character may be '*', as in MQ")
    return names


def _files(node: Node) -> Files:
    return section_of(node, Files, {"types": _types})


def _types(node: Node) -> dict[str, str]:
    """The languages of files, by patterns; whether there are such ones `mqlint.language` knows."""
    for pattern, value in node.mapping().items():
        check_glob(pattern, value.key_error, floating=True)
    return {pattern: name_of(value) for pattern, value in node.mapping().items()}


def _clients(node: Node) -> tuple[Client, ...]:
    return tuple(_client(item) for item in node.sequence())


def _client(node: Node) -> Client:
    """Files of an application, and where in them its keys are."""
    node.keys_allowed(("files", *CLIENT_KEYS))
    pattern = node.require("files")
    check_glob(name_of(pattern), pattern.error, floating=True)
    keys = []
    for word, value in node.mapping().items():
        if word != "files":
            if _KEY_PATH.fullmatch(value.string()) is None:
                raise value.error(f"{value.string()!r} is not a path such as $.mq.host")
            keys.append((CLIENT_KEYS[word], value.string()))
    if not keys:
        raise node.error(f"a client needs the path of a key: {', '.join(CLIENT_KEYS)}")
    return Client(name_of(pattern), tuple(keys))


def _parameters(node: Node) -> tuple[ParameterValue, ...]:
    """The values of parameters; whether there are such ones the policies know."""
    return tuple(
        ParameterValue(rule, name, value.plain(), value.path, value.line, value.column)
        for rule, names in node.mapping().items()
        for name, value in names.mapping().items()
    )


def _templates(node: Node) -> Templates:
    return section_of(node, Templates, dict.fromkeys(node.mapping(), Node.boolean))


KEYS = ("extends", *keys_of(Settings))
"""The keys of the file."""

_READERS: Readers = {
    "repository": name_of,
    "sites": sites_of,
    "queue_managers": _queue_managers,
    "order": globs_of,
    "twins": _twins,
    "compare": _compare,
    "target": _target,
    "migration": _migration,
    "inventory": _inventory,
    "external": _external,
    "exclude": globs_of,
    "files": _files,
    "fail_on": word_reader(THRESHOLDS),
    "severity": severities_of,
    "parameters": _parameters,
    "policies": names_of,
    "templates": _templates,
    "clients": _clients,
    "waivers": _file,
    "baseline": _file,
}
"""What reads each key of the file but those of profiles, which depend on each other."""
