"""Settings as the text of a `mqlint.yaml` that says the same, one key a line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from typing import Any

from mqlint.config.settings import (
    CLIENT_KEYS,
    Client,
    Inventory,
    Level,
    Migration,
    ParameterValue,
    Settings,
    Site,
    Twins,
)
from mqlint.dataclass import names_of
from mqlint.patterns import later

Plain = str | int | bool | Sequence["Plain"] | Mapping[str, "Plain"] | None
"""What a key of the file holds."""

_WORD = later(r"[A-Za-z][A-Za-z0-9_.-]*\Z")
_NO_TEXT = frozenset({"yes", "no", "on", "off", "true", "false", "null", "y", "n"})


def as_plain(settings: Settings) -> dict[str, Plain]:
    """Return the settings as the values of the file's keys, in the order of the manual."""
    names = (name for name in names_of(Settings) if name != "own_profiles")
    plain = {name: _plain(getattr(settings, name)) for name in names}
    if settings.own_profiles:
        plain["profiles"] = _profiles(settings)
    return {**plain, "parameters": _parameters(settings.parameters)}


def settings_lines(settings: Settings) -> Iterator[str]:
    """Yield the lines of a file; keys that are as they are without a file are comments."""
    usual = as_plain(Settings())
    for key, value in as_plain(settings).items():
        if key == "sites" and isinstance(value, Mapping) and value:
            yield "sites:"
            for name, site in value.items():
                yield f"  {flow(name)}: {flow(site)}"
        elif value == usual[key]:
            yield f"# {key}: {flow(value)}"
        else:
            yield f"{key}: {flow(value)}"


def flow(value: Plain) -> str:
    if isinstance(value, str):
        is_word = _WORD.match(value) and value.casefold() not in _NO_TEXT
        return value if is_word else _quoted(value)
    if isinstance(value, Mapping):
        # Nothing is written for none: `null` is a text to mqlint.
        pairs = (f"{flow(k)}: {'' if item is None else flow(item)}" for k, item in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(map(flow, value)) + "]"
    return json.dumps(value)


def printable(text: str) -> str:
    """Return a text for a comment: what cannot be printed is a question mark."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)


def _quoted(text: str) -> str:
    """A string in double quotes; what cannot be printed is escaped as YAML does it."""
    escaped = json.dumps(text, ensure_ascii=False)
    return "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in escaped)


def _plain(value: object) -> Plain:
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        if value and all(isinstance(site, Site) for site in value):
            return {site.name: _plain(site) for site in value}
        return [_plain(item) for item in value]
    write = _WRITERS.get(type(value))
    if write is not None:
        return write(value)
    return _keys(value) if is_dataclass(value) else str(value)


def _keys(value: Any) -> dict[str, Plain]:  # noqa: ANN401 any settings
    written = ((name, getattr(value, name)) for name in names_of(type(value)))
    return {name: _plain(item) for name, item in written if item not in (None, (), {})}


def _site(site: Site) -> Plain:
    """A site without its name, which is its key."""
    return {key: value for key, value in _keys(site).items() if key != "name"}


def _inventory(inventory: Inventory) -> Plain:
    kinds = names_of(Inventory)
    return {kind: "complete" if getattr(inventory, kind) else "partial" for kind in kinds}


def _client(client: Client) -> Plain:
    words = {key: word for word, key in CLIENT_KEYS.items()}
    return {"files": client.files, **{words[key]: path for key, path in client.keys}}


_WRITERS: Mapping[type, Callable[[Any], Plain]] = {
    Client: _client,
    Inventory: _inventory,
    Level: lambda level: level.text,
    Migration: lambda migration: {"from": migration.source.text, "to": migration.to.text},
    Site: _site,
    Twins: lambda twins: {"rename": dict(twins.rename)} if twins.rename else {},
}
"""What writes settings whose form in the file is not that of their fields."""


def _profiles(settings: Settings) -> dict[str, Plain]:
    """The profiles of the run, and those that the project defines."""
    chosen: dict[str, Plain] = dict.fromkeys(settings.profiles)
    for profile in settings.own_profiles:
        flag: dict[str, Plain] = {} if profile.name in chosen else {"only_if_named": True}
        severity: dict[str, Plain] = {"severity": _plain(profile.severity)}
        chosen[profile.name] = {"extends": _plain(profile.extends), **severity, **flag}
    return chosen


def _parameters(settings: Sequence[ParameterValue]) -> dict[str, Plain]:
    rules: dict[str, dict[str, Plain]] = {}
    for setting in settings:
        rules.setdefault(setting.rule, {})[setting.name] = _plain(setting.value)
    return dict(rules)
