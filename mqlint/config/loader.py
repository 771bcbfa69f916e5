"""`mqlint.yaml` to `Settings`: every word checked, every fault said with its place."""

from __future__ import annotations

from mqlint.config.entries import glob_of, globs_of, name_of, names_of, word_of
from mqlint.config.estate.sites import sites_of
from mqlint.config.reader import Node, read_kind
from mqlint.config.settings import (
    MIGRATION_KEYS,
    PLATFORMS,
    PROFILES,
    SEVERITIES,
    THRESHOLDS,
    External,
    Inventory,
    Level,
    Migration,
    Override,
    Setting,
    Settings,
    SeverityWord,
    Target,
    Templates,
    Twins,
    keys_of,
    parse_level,
)

COMPLETENESS = ("complete", "partial")
"""What `inventory` can say of a kind of thing."""


def load_settings(text: str, path: str) -> Settings:
    """Return the settings that the text of `mqlint.yaml` holds; an empty text gives the defaults.

    `path` is only for messages. Raises ConfigError at the first fault.
    """
    return settings_from(read_settings(text, path))


def read_settings(text: str, path: str) -> Node:
    """Return the YAML value of the text of `mqlint.yaml`; ConfigError where it is none."""
    return read_kind(text, path, keys_of(Settings))


def settings_from(root: Node) -> Settings:
    """Return the settings that a YAML value holds; ConfigError at the first fault."""
    if root.is_empty:
        return Settings()
    root.keys_allowed(keys_of(Settings))
    get = root.get
    return Settings(
        repository=_repository(get("repository")),
        sites=sites_of(get("sites")),
        queue_managers=_queue_managers(get("queue_managers")),
        order=globs_of(get("order")),
        twins=_twins(get("twins")),
        target=_target(get("target")),
        overrides=_overrides(get("overrides")),
        profiles=_profiles(get("profiles")),
        migration=_migration(get("migration")),
        inventory=_inventory(get("inventory")),
        external=_external(get("external")),
        exclude=globs_of(get("exclude")),
        fail_on=word_of(get("fail_on"), THRESHOLDS, "error"),
        severity=_severity(get("severity")),
        parameters=_parameters(get("parameters")),
        policies=names_of(get("policies")),
        templates=_templates(get("templates")),
        waivers=_file(get("waivers"), Settings().waivers),
        baseline=_file(get("baseline"), Settings().baseline),
    )


def _repository(node: Node | None) -> str:
    return "" if node is None else name_of(node)


def _file(node: Node | None, default: str) -> str:
    """The name of a file, blank where two quotes say that there is none."""
    if node is None:
        return default
    return "" if node.kind == "quoted" and not node.raw else name_of(node)


def _queue_managers(node: Node | None) -> tuple[str, ...]:
    if node is None:
        return ()
    items = node.sequence() if node.kind == "sequence" else [node]
    patterns = tuple(glob_of(item, placeholders=True) for item in items)
    for item, pattern in zip(items, patterns, strict=True):
        if "{queue_manager}" not in pattern:
            raise item.error(f"{{queue_manager}} does not stand in the pattern {pattern!r}")
    return patterns


def _twins(node: Node | None) -> Twins:
    if node is None:
        return Twins()
    node.keys_allowed(keys_of(Twins))
    rename = node.get("rename")
    pairs = rename.mapping() if rename is not None else {}
    for old, value in pairs.items():
        if not old.strip() or name_of(value) == old:
            raise value.key_error(f"{old!r} is renamed to itself or is blank")
    return Twins(tuple((old, value.string()) for old, value in pairs.items()))


def _target(node: Node | None) -> Target:
    if node is None:
        return Target()
    node.keys_allowed(keys_of(Target))
    platform = node.get("platform")
    level = node.get("level")
    return Target(
        level=None if level is None else _level(level),
        platform=None if platform is None else word_of(platform, PLATFORMS, "multi"),
    )


def _level(node: Node) -> Level:
    text = node.text()
    level = parse_level(text)
    if level is None:
        raise node.error(
            f"found {text!r}, expected a release such as 9.4.0, 9.4 or a command level such as 940"
        )
    return level


def _profiles(node: Node | None) -> tuple[str, ...]:
    return () if node is None else tuple(item.one_of(PROFILES) for item in node.sequence())


def _migration(node: Node | None) -> Migration | None:
    if node is None:
        return None
    node.keys_allowed(MIGRATION_KEYS)
    source, to = (_level(node.require(key)) for key in MIGRATION_KEYS)
    if to.parts < source.parts:
        raise node.require("to").error(f"{to.text} is older than {source.text}")
    return Migration(source, to)


def _overrides(node: Node | None) -> tuple[Override, ...]:
    return () if node is None else tuple(_override(item) for item in node.sequence())


def _override(node: Node) -> Override:
    node.keys_allowed(keys_of(Override))
    profiles = node.get("profiles")
    override = Override(
        paths=globs_of(node.require("paths")),
        target=_target(node.get("target")),
        profiles=None if profiles is None else _profiles(profiles),
    )
    if override.target == Target() and override.profiles is None:
        raise node.error("an override needs a target or profiles")
    return override


def _inventory(node: Node | None) -> Inventory:
    if node is None:
        return Inventory()
    node.keys_allowed(keys_of(Inventory))
    return Inventory(
        jobs=word_of(node.get("jobs"), COMPLETENESS, "partial") == "complete",
        objects=word_of(node.get("objects"), COMPLETENESS, "partial") == "complete",
        scripts=word_of(node.get("scripts"), COMPLETENESS, "partial") == "complete",
    )


def _external(node: Node | None) -> External:
    if node is None:
        return External()
    node.keys_allowed(keys_of(External))
    return External(**{kind: _generic_names(names) for kind, names in node.mapping().items()})


def _generic_names(node: Node) -> tuple[str, ...]:
    names = tuple(name_of(item) for item in node.sequence())
    for item, name in zip(node.sequence(), names, strict=True):
        if "*" in name[:-1]:
            raise item.error(f"in {name!r} only the last character may be '*', as in MQ")
    return names


def _severity(node: Node | None) -> dict[str, SeverityWord]:
    if node is None:
        return {}
    return {rule: word_of(value, SEVERITIES, "off") for rule, value in node.mapping().items()}


def _parameters(node: Node | None) -> tuple[Setting, ...]:
    """The values of parameters; whether there are such ones the policies know."""
    if node is None:
        return ()
    return tuple(
        Setting(rule, name, value.plain(), value.path, value.line, value.column)
        for rule, names in node.mapping().items()
        for name, value in names.mapping().items()
    )


def _templates(node: Node | None) -> Templates:
    if node is None:
        return Templates()
    node.keys_allowed(keys_of(Templates))
    return Templates(**{form: value.boolean() for form, value in node.mapping().items()})
