"""All languages, found by their packages, and the recognition of files.

A file of no known language is better than a file in the wrong one: prose that begins with "Display
queue status" is not MQSC, and of all `.ini` files only those with MQ's stanzas are read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from importlib import import_module
from typing import cast

import mqlint.language
from mqlint.config.data import data_of
from mqlint.config.errors import not_among
from mqlint.language.base import TEXT_ENDINGS, Language, Reader, Sample, Sign
from mqlint.late import imported

_OF_POLICY = frozenset(("severity", "message", "cases"))
_KEYS_OF_POLICIES = _OF_POLICY | frozenset(
    (
        "id name summary confidence evidence why fix more see messages covers aliases habit "
        "yields ignorable parameters match check unless repair"
    ).split()
)
_LAYOUT = ("", " ", "\r", "#", "-")
"""How a line begins that has no key of its own."""


def _entries() -> set[str]:
    """Return the names of what is beside this module; pkgutil looks into each folder for that."""
    try:
        return {name for folder in mqlint.language.__path__ for name in os.listdir(folder)}  # noqa: PTH208
    except OSError:  # in an archive
        return {entry.name for entry in data_of("mqlint.language").iterdir()}


def _languages() -> Iterator[Language]:
    for name in sorted(_entries()):
        if name.isidentifier() and not name.startswith("_"):
            yield from getattr(import_module(f"mqlint.language.{name}"), "LANGUAGES", ())


LANGUAGES: Mapping[str, Language] = {language.name: language for language in _languages()}
"""The languages by their names: what the packages beside this module export as LANGUAGES."""

SIGNS: tuple[tuple[Sign, Language], ...] = tuple(
    sorted(
        ((sign, language) for language in LANGUAGES.values() for sign in language.signs),
        key=lambda row: row[0].rank,
    )
)
"""The signs of all languages in the order of their ranks."""


def recognise(path: str, text: str, *, named: bool = False) -> str | None:
    """Return the name of the language of a file; None if it is in none of them.

    `text` is the decoded file, or its beginning. `named` is true if the user names the file; false
    if it was found in a folder.
    """
    sample = Sample(path, text)
    if "\0" in sample.head or _is_policy(sample):
        return None
    for sign, language in _signs_of(sample.ending):
        if sign.when_named and not named:
            continue
        if sign.fits_name(sample):
            if sign.looks_like is None or sign.looks_like(sample):
                return language.name
            if sign.decides:
                break
    last = (pair for pair in SIGNS if pair[0].last_resort and pair[0].fits(sample))
    return next((language.name for _, language in last), None)


@lru_cache(maxsize=256)
def _signs_of(ending: str) -> tuple[tuple[Sign, Language], ...]:
    """The signs that a file with an ending may fit, without those that are a last resort."""
    return tuple(
        (sign, language)
        for sign, language in SIGNS
        if not sign.last_resort and (ending in sign.endings or sign.named is not None)
    )


def is_policy(path: str, text: str) -> bool:
    """Return whether a file is a policy: the texts of its cases are examples, not configuration.

    It has keys of policies alone, so that no other file can be one by a few of them.
    """
    return _is_policy(Sample(path, text))


def _is_policy(sample: Sample) -> bool:
    if sample.ending not in ("yaml", "yml") or "\ncases:" not in sample.text:
        return False
    if "\n---" in sample.text:  # another document belongs to no case
        return False
    keys = {row.partition(":")[0] for row in sample.text.split("\n") if row[:1] not in _LAYOUT}
    return _OF_POLICY <= keys <= _KEYS_OF_POLICIES


def is_general(path: str) -> bool:
    """Whether a file of this name is in a language that most files in it write other things in."""
    sample = Sample(path, "")
    return any(
        language.general
        and (
            sample.ending in sign.endings - TEXT_ENDINGS
            or (sign.named is not None and not sign.last_resort and sign.named(sample))
        )
        for sign, language in SIGNS
    )


def unknown_types(types: Mapping[str, str]) -> list[str]:
    """Return an error message for each unknown language in `files: types`."""
    return [
        f"{language!r} is not a language: {not_among(language, LANGUAGES)}"
        for language in dict.fromkeys(types.values())
        if language not in LANGUAGES
    ]


@cache
def reader_of(name: str) -> Reader:
    """Return what reads the language `name`; its modules are loaded when it is first met."""
    return cast(Reader, imported(LANGUAGES[name].reader))
