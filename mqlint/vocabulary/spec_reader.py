"""From the compiled, plain data to typed attributes and commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import cast

from mqlint.vocabulary.spec import (
    ALWAYS,
    AttributeSpec,
    CommandSpec,
    Domain,
    Kind,
    Page,
    Standing,
)
from mqlint.vocabulary.target import ALL_PLATFORMS, Since, parse_level, platforms_named

Raw = Mapping[str, object]

_CONFINING = frozenset({"since", "deprecated", "removed", "instead", "platforms"})


def read_attribute(raw: Raw) -> AttributeSpec:
    """Return the attribute that a compiled entry describes."""
    word = str(raw["word"])
    types = raw.get("types")
    return AttributeSpec(
        word=word,
        name=str(raw.get("pair", word)),
        domain=read_domain(raw),
        evidence=str(raw["evidence"]),
        types=None if types is None else frozenset(_texts(types)),
        zos_types=frozenset(_texts(raw.get("zos_types", []))),
        standing=_standing(raw, None),
        default=_default(raw.get("default")),
        required=_required(raw.get("required", {})),
        excludes=cast("str | None", raw.get("excludes")),
        opposite=cast("str | None", raw.get("opposite")),
        repeatable=bool(raw.get("repeat")),
        secret=bool(raw.get("secret")),
        read_only=bool(raw.get("read_only")),
        option=bool(raw.get("option")),
        recalled_bounds=raw.get("bounds") == "recall" or raw["evidence"] == "recall",
        values={
            value: read_standing(details)
            for value, details in cast("dict[str, Raw]", raw.get("values", {})).items()
        },
    )


def read_command(
    verb: str, noun: str | None, raw: Raw, specs: Callable[[int], AttributeSpec]
) -> CommandSpec:
    """Return the command that a compiled entry describes."""
    named = cast("Raw | None", raw.get("named"))
    waiver = ("LIKE", "") if verb == "DEFINE" else None
    for word, value in cast("dict[str, str]", raw.get("waiver", {})).items():
        waiver = (word, value)
    return CommandSpec(
        verb,
        noun,
        cast("dict[str, int]", raw["has"]),
        specs,
        name_domain=None if named is None else replace(read_domain(named), blank=False),
        name_optional=bool(named and named.get("optional")),
        standing=read_standing(raw),
        page=_page(raw.get("page")),
        subtype_word=cast("str | None", raw.get("subtype")),
        one_of=tuple(tuple(group) for group in cast("list[list[str]]", raw.get("one_of", []))),
        waiver=waiver,
    )


def read_domain(raw: Raw) -> Domain:
    """Return the domain whose keys stand in a compiled entry."""
    words = tuple(_texts(raw["words"])) if "words" in raw else ()
    empty = bool(raw.get("empty"))
    if "flag" in raw:
        return Domain(Kind.FLAG)
    if "list" in raw:
        item = read_domain(cast(Raw, raw["list"]))
        return Domain(Kind.LIST, item=item, most=_int(raw.get("most", 0)), empty=empty)
    if "int" in raw:
        low, high = cast("list[int]", raw["int"])
        return Domain(Kind.INT, words=words, low=low, high=high, empty=empty)
    for kind in (Kind.TEXT, Kind.NAME, Kind.ADDRESSES, Kind.PATTERN):
        if kind.value in raw:
            length = _int(raw[kind.value])
            zos, generic = _int(raw.get("zos", 0)), bool(raw.get("generic"))
            return Domain(kind, length=length, length_zos=zos, generic=generic, empty=empty)
    return Domain(Kind.WORDS, words=words) if words else Domain(Kind.ANY)


def _platforms(raw: Raw) -> frozenset[str]:
    words = raw.get("platforms")
    if words is None:
        return ALL_PLATFORMS
    return frozenset().union(*(platforms_named(word) for word in _texts(words)))


def read_standing(raw: Raw) -> Standing:
    """Return since when and where what a compiled entry describes is right."""
    types = raw.get("types")
    return _standing(raw, None if types is None else frozenset(_texts(types)))


def _standing(raw: Raw, types: frozenset[str] | None) -> Standing:
    if types is None and _CONFINING.isdisjoint(raw):
        return ALWAYS
    return Standing(
        since=_since(raw.get("since")),
        deprecated=_since(raw.get("deprecated")),
        removed=_since(raw.get("removed")),
        instead=str(raw.get("instead", "")),
        platforms=_platforms(raw),
        types=types,
    )


def _page(raw: object) -> Page | None:
    if raw is None:
        return None
    page = cast("dict[str, str]", raw)
    return Page(page["page"], page["of"], page["read"])


def _since(raw: object) -> Since | None:
    if raw is None:
        return None
    releases = cast("dict[str, str]", raw)
    cd = releases.get("cd")
    return Since(
        parse_level(releases["lts"]),
        None if cd is None else parse_level(cd),
        recalled=releases.get("evidence") == "recall",
    )


def _default(raw: object) -> str | dict[str, str] | None:
    if raw is None:
        return None
    if isinstance(raw, dict):
        return {str(key): str(value) for key, value in raw.items()}
    return str(raw)


def _required(raw: object) -> dict[str, frozenset[str] | None]:
    if isinstance(raw, dict):
        return {str(verb): frozenset(_texts(types)) for verb, types in raw.items()}
    return dict.fromkeys(_texts(raw), None)


def _texts(value: object) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else [str(value)]


def _int(value: object) -> int:
    if isinstance(value, int):
        return value
    raise TypeError(f"{value!r} is no number")
