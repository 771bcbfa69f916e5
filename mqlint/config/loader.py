"""`mqlint.yaml` to `Settings`: every word checked, every fault said with its place."""

from __future__ import annotations

import ipaddress
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar, cast

from mqlint.config.errors import choices, not_among
from mqlint.config.globs import GlobError, compile_glob
from mqlint.config.reader import Node, read_yaml
from mqlint.config.settings import (
    ISOLATIONS,
    MIGRATION_KEYS,
    PLATFORMS,
    PROFILES,
    REINSTATEMENTS,
    ROLES,
    SEVERITIES,
    THRESHOLDS,
    External,
    Inventory,
    Level,
    Migration,
    Override,
    Role,
    Setting,
    Settings,
    SeverityWord,
    Site,
    Target,
    Templates,
    Twins,
    keys_of,
    parse_level,
)

if TYPE_CHECKING:
    from mqlint.config.settings import Network

Word = TypeVar("Word", bound=str)

NAMED_ROLES: dict[str, Role] = {
    "production": "production",
    "prod": "production",
    "dr": "dr",
    "test": "test",
    "development": "development",
    "dev": "development",
}
"""Sites whose name says their role."""

COMPLETENESS = ("complete", "partial")
"""What `inventory` can say of a kind of thing."""


def load_settings(text: str, path: str) -> Settings:
    """Return the settings that the text of `mqlint.yaml` holds; an empty text gives the defaults.

    `path` is only for messages. Raises ConfigError at the first fault.
    """
    return settings_from(read_yaml(text, path))


def settings_from(root: Node) -> Settings:
    """Return the settings that a YAML value holds; ConfigError at the first fault."""
    if root.is_empty:
        return Settings()
    root.keys_allowed(keys_of(Settings))
    get = root.get
    return Settings(
        repository=_repository(get("repository")),
        sites=_sites(get("sites")),
        queue_managers=_queue_managers(get("queue_managers")),
        order=_globs(get("order")),
        twins=_twins(get("twins")),
        target=_target(get("target")),
        overrides=_overrides(get("overrides")),
        profiles=_profiles(get("profiles")),
        migration=_migration(get("migration")),
        inventory=_inventory(get("inventory")),
        external=_external(get("external")),
        exclude=_globs(get("exclude")),
        fail_on=_word(get("fail_on"), THRESHOLDS, "error"),
        severity=_severity(get("severity")),
        parameters=_parameters(get("parameters")),
        policies=_names(get("policies")),
        templates=_templates(get("templates")),
        waivers=_file(get("waivers"), Settings().waivers),
        baseline=_file(get("baseline"), Settings().baseline),
    )


def _word(node: Node | None, allowed: tuple[Word, ...], default: Word) -> Word:
    return default if node is None else cast("Word", node.one_of(allowed))


def _name(node: Node) -> str:
    text = node.string()
    if not text.strip():
        raise node.error("the text is blank")
    return text


def _repository(node: Node | None) -> str:
    return "" if node is None else _name(node)


def _file(node: Node | None, default: str) -> str:
    """The name of a file, blank where two quotes say that there is none."""
    if node is None:
        return default
    return "" if node.kind == "quoted" and not node.raw else _name(node)


def _names(node: Node | None) -> tuple[str, ...]:
    return () if node is None else tuple(_name(item) for item in node.sequence())


def _glob(node: Node, *, placeholders: bool = False) -> str:
    pattern = node.string()
    try:
        compile_glob(pattern, placeholders=placeholders)
    except GlobError as error:
        raise node.error(f"bad path pattern {pattern!r}: {error}") from None
    return pattern


def _globs(node: Node | None) -> tuple[str, ...]:
    return () if node is None else tuple(_glob(item) for item in node.sequence())


def _queue_managers(node: Node | None) -> tuple[str, ...]:
    if node is None:
        return ()
    items = node.sequence() if node.kind == "sequence" else [node]
    patterns = tuple(_glob(item, placeholders=True) for item in items)
    for item, pattern in zip(items, patterns, strict=True):
        if "{queue_manager}" not in pattern:
            raise item.error(f"{{queue_manager}} does not stand in the pattern {pattern!r}")
    return patterns


def _sites(node: Node | None) -> tuple[Site, ...]:
    if node is None:
        return ()
    written = node.mapping()
    sites = tuple(_site(name, site) for name, site in written.items())
    _nothing_shared(written)
    for name, site in written.items():
        _known_original(name, site, written)
    _no_circles(sites, written)
    return tuple(_with_original(site, sites) for site in sites)


def _site(name: str, node: Node) -> Site:
    if node.is_empty and name in NAMED_ROLES:
        return Site(name, NAMED_ROLES[name])
    node.keys_allowed(keys_of(Site))
    role = node.get("role")
    if role is None and name not in NAMED_ROLES:
        raise node.key_error(
            f"the site {name!r} has no role: {choices(ROLES)} "
            "(only a site named production, prod or dr, test, development or dev needs none)"
        )
    original = node.get("stands_in_for")
    return Site(
        name=name,
        role=_word(role, ROLES, NAMED_ROLES.get(name, "test")),
        stands_in_for=None if original is None else _name(original),
        paths=_globs(node.get("paths")),
        networks=_networks(node.get("networks")),
        seen_as=_networks(node.get("seen_as")),
        tokens=_names(node.get("tokens")),
        isolation=_word(node.get("isolation"), ISOLATIONS, "none"),
        reinstated_by=_word(node.get("reinstated_by"), REINSTATEMENTS, "definitions"),
    )


def _networks(node: Node | None) -> tuple[Network, ...]:
    return () if node is None else tuple(_network(item) for item in node.sequence())


def _network(node: Node) -> Network:
    text = node.text()
    try:
        return ipaddress.ip_network(text)
    except ValueError:
        pass
    try:
        wider = ipaddress.ip_network(text, strict=False)
    except ValueError:
        raise node.error(
            f"found {text!r}, expected a network such as 10.20.0.0/16 or fd00:20::/32"
        ) from None
    raise node.error(f"{text!r} is an address in a network: did you mean {str(wider)!r}?")


def _nothing_shared(written: dict[str, Node]) -> None:
    """What tells the site of a file, or of a name, tells one site."""
    _not_shared(written, "paths", "pattern", "a file describes one site")
    _not_shared(written, "tokens", "token", "a name with it would speak of both")


def _not_shared(written: dict[str, Node], key: str, called: str, why: str) -> None:
    owners: dict[str, str] = {}
    for name, site in written.items():
        items = None if site.is_empty else site.get(key)
        for item in items.sequence() if items is not None else []:
            text = item.raw.removeprefix("./")
            owner = owners.setdefault(text.casefold() if key == "tokens" else text, name)
            if owner != name:
                raise item.error(
                    f"the {called} {text!r} belongs to the site {owner!r} already: {why}"
                )


def _known_original(name: str, node: Node, sites: dict[str, Node]) -> None:
    original = None if node.is_empty else node.get("stands_in_for")
    if original is None:
        return
    if original.raw == name:
        raise original.error(f"the site {name!r} cannot stand in for itself")
    if original.raw not in sites:
        others = [other for other in sites if other != name]
        hint = not_among(original.raw, others) if others else "there is no other site"
        raise original.error(f"unknown site {original.raw!r}: {hint}")


def _no_circles(sites: tuple[Site, ...], written: dict[str, Node]) -> None:
    """Sites may stand in for each other, as two that both produce: never one of role dr."""
    named = {site.name: site for site in sites}
    for site in sites:
        passed = [site]
        while passed[-1].stands_in_for is not None:
            following = named[passed[-1].stands_in_for]
            if following == site and any(one.role == "dr" for one in passed):
                chain = " for ".join(one.name for one in (*passed, site))
                raise (
                    written[site.name]
                    .require("stands_in_for")
                    .error(f"the site {site.name!r} stands in for itself in the end: {chain}")
                )
            if following in passed:
                break
            passed.append(following)


def _with_original(site: Site, sites: tuple[Site, ...]) -> Site:
    """Let the only DR site stand in for the only production site, if nothing else is said."""
    production = [other for other in sites if other.role == "production"]
    stand_ins = [other for other in sites if other.role == "dr"]
    if site.stands_in_for or stand_ins != [site] or len(production) != 1:
        return site
    return replace(site, stands_in_for=production[0].name)


def _twins(node: Node | None) -> Twins:
    if node is None:
        return Twins()
    node.keys_allowed(keys_of(Twins))
    rename = node.get("rename")
    pairs = rename.mapping() if rename is not None else {}
    for old, value in pairs.items():
        if not old.strip() or _name(value) == old:
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
        platform=None if platform is None else _word(platform, PLATFORMS, "multi"),
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
        paths=_globs(node.require("paths")),
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
        jobs=_word(node.get("jobs"), COMPLETENESS, "partial") == "complete",
        objects=_word(node.get("objects"), COMPLETENESS, "partial") == "complete",
        scripts=_word(node.get("scripts"), COMPLETENESS, "partial") == "complete",
    )


def _external(node: Node | None) -> External:
    if node is None:
        return External()
    node.keys_allowed(keys_of(External))
    return External(**{kind: _generic_names(names) for kind, names in node.mapping().items()})


def _generic_names(node: Node) -> tuple[str, ...]:
    names = tuple(_name(item) for item in node.sequence())
    for item, name in zip(node.sequence(), names, strict=True):
        if "*" in name[:-1]:
            raise item.error(f"in {name!r} only the last character may be '*', as in MQ")
    return names


def _severity(node: Node | None) -> dict[str, SeverityWord]:
    if node is None:
        return {}
    return {rule: _word(value, SEVERITIES, "off") for rule, value in node.mapping().items()}


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
