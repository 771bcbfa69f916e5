"""One value against its domain."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial

from mqlint.config.errors import shortened
from mqlint.dataclass import frozen
from mqlint.language.mqsc import decode, items
from mqlint.patterns import later
from mqlint.validity.address_pattern import BadRangeError, fault_of_pattern, is_host
from mqlint.validity.availability import Doubt
from mqlint.vocabulary import Domain, Kind, nearest

_INSERT = later(r"\+[A-Za-z_][A-Za-z0-9_]*\+")
_QUOTED = later(r"\s*'(?:[^']|'')*+'\s*")
_SINGLE = (Kind.TEXT, Kind.NAME, Kind.WORDS, Kind.INT)
_NUMBER = later(r"[+-]?[0-9]+")
_STRANGE = later(r"[^A-Za-z0-9./_%]")
_ALLOWED = "letters, digits and . / _ %"
_NO_CAPITAL = later(r"[^A-Z0-9]")
_GROUPED = later(r"[0-9]{1,3}(?:[ ,._'][0-9]{3})+")
_ALIKE = (
    ("YES", "ON", "TRUE", "ENABLED", "ENABLE", "Y", "PERSISTENT"),
    ("NO", "OFF", "FALSE", "DISABLED", "DISABLE", "N", "NONE", "NONPERSISTENT"),
    ("SDR", "SENDER"),
    ("SVR", "SERVER"),
    ("RCVR", "RECEIVER"),
    ("RQSTR", "REQUESTER"),
    ("CLNTCONN", "CLIENT", "CLTCONN", "CLIENTCONN"),
    ("SVRCONN", "SERVERCONN", "SERVER-CONNECTION"),
    ("CLUSSDR", "CLUSTERSENDER", "CLSSDR"),
    ("CLUSRCVR", "CLUSTERRECEIVER", "CLSRCVR"),
)
"""Words that are taken for one another."""
LONG = 512
"""A command may be too long by values that are longer than this."""

_MOST_SHOWN = 60
_DIGITS = 18
_HEXADECIMAL = later(r"[0-9A-F]{2,4}")


@frozen
class Problem:
    """What is wrong with a value: the code of the rule and what its message needs."""

    code: str
    data: Mapping[str, str]


Judge = Callable[[str], Problem | None]
"""Takes a raw value as written and says what is wrong with it; None when nothing is."""


def judge_of(domain: Domain, zos: bool | None) -> Judge | None:
    """Return the judge of values of `domain`; None if any value is right.

    `zos` says whether the script is for z/OS, where some lengths differ; None when not known.
    """
    judge = _plain_judge(domain, zos)
    if judge is None:
        return None
    return partial(_unless_empty, domain, judge)


def plain_of(domain: Domain, zos: bool | None) -> Callable[[str], object]:
    """Return what takes a raw value and gives None, unless it is right and as nearly all are.

    Such texts have no quotes in them and no blank at the beginning; `+` may begin a symbol.
    """
    length = min(_length(domain, zos), LONG)
    if length >= 1 and domain.kind is Kind.NAME:
        characters = "A-Z0-9" if domain.capital else "A-Za-z0-9./_%"
        return re.compile(f"'[{characters}]{{1,{length}}}'").fullmatch
    if length >= 1 and domain.kind is Kind.TEXT:
        return re.compile(f"'[!-&(-*,-~][ -&(-*,-~]{{0,{length - 1}}}'").fullmatch
    return nothing_is_plain


def nothing_is_plain(raw: str) -> None:
    """Take no text for plainly right."""


def doubting(judge: Judge | None, doubts: tuple[Doubt, ...], domain: Domain) -> Judge:
    """Return `judge` with an eye for the values in `doubts`."""
    by_word = {doubt.word: doubt for doubt in doubts}
    split = items if domain.kind is Kind.LIST else (lambda raw: [decode(raw)])
    return partial(_doubted, judge, by_word, any("#" in word for word in by_word), split)


def _doubted(
    judge: Judge | None,
    doubts: Mapping[str, Doubt],
    has_digits: bool,
    split: Callable[[str], list[str]],
    raw: str,
) -> Problem | None:
    problem = judge(raw) if judge is not None else None
    if problem is not None:
        return problem
    for value in split(raw):
        word = value.upper()
        if has_digits and _HEXADECIMAL.fullmatch(word):
            word = "#" * len(word)
        doubt = doubts.get(word)
        if doubt is not None:
            return Problem(doubt.code, {"value": _cut(value.upper()), **dict(doubt.data)})
    return None


def _plain_judge(domain: Domain, zos: bool | None) -> Judge | None:
    if domain.kind is Kind.WORDS:
        return partial(_word, domain.words)
    if domain.kind is Kind.INT:
        return partial(_number, domain)
    if domain.kind in (Kind.TEXT, Kind.ADDRESSES):
        return partial(_text, _length(domain, zos))
    if domain.kind is Kind.NAME:
        return partial(_name, _length(domain, zos), domain.generic, domain.capital)
    if domain.kind is Kind.PATTERN:
        return partial(_pattern, domain.length, domain.generic)
    if domain.kind is Kind.LIST and domain.item is not None:
        item = _plain_judge(domain.item, zos)
        return partial(_list, domain, item) if item is not None else None
    return None


def _length(domain: Domain, zos: bool | None) -> int:
    if not domain.length_zos or zos is False:
        return domain.length
    return domain.length_zos if zos else max(domain.length, domain.length_zos)


def _unless_empty(domain: Domain, judge: Judge, raw: str) -> Problem | None:
    if not raw.strip(" \t,"):
        return None if domain.empty else Problem("empty-value", {})
    if not domain.blank and not decode(raw):
        return Problem("empty-value", {})
    if _INSERT.search(raw):
        return None
    if "'" in raw and domain.kind in _SINGLE and not _QUOTED.fullmatch(raw):
        return Problem("misquoted-value", {"value": _cut(raw)})
    if domain.kind is Kind.TEXT and _is_several(raw):
        return Problem("unquoted-blank", {"value": _cut(raw)})
    return judge(raw)


def _is_several(raw: str) -> bool:
    """Whether blanks split a value that is not quoted into several words.

    What has parentheses of its own (a port, a list of addresses) is left alone.
    """
    text = raw.strip(" \t,")
    return "'" not in text and "(" not in text and len(text.split()) > 1


def _word(words: tuple[str, ...], raw: str) -> Problem | None:
    value = decode(raw).upper()
    if value in words:
        return None
    return _bad(raw, ", ".join(words), nearest(value, words) or _meant(value, words))


def _meant(value: str, words: tuple[str, ...]) -> str:
    """The word that says the same as `value` in the language of this attribute."""
    alike = next((group for group in _ALIKE if value in group), ())
    return next((word for word in words if word in alike), "")


def _plain_number(value: str) -> str:
    """The number without its separators; blank if it is not a number."""
    return re.sub(r"[ ,._']", "", value) if _GROUPED.fullmatch(value) else ""


def _number(domain: Domain, raw: str) -> Problem | None:
    value = decode(raw).upper()
    if value in domain.words:
        return None
    bounds = f"{domain.low} to {domain.high}"
    if not _NUMBER.fullmatch(value):
        allowed = ", ".join((f"a number from {bounds}", *domain.words))
        return _bad(raw, allowed, nearest(value, domain.words) or _plain_number(value))
    if len(value) <= _DIGITS and domain.low <= int(value) <= domain.high:
        return None
    return Problem("out-of-range", {"value": _shown(raw), "allowed": bounds})


def _text(length: int, raw: str) -> Problem | None:
    value = decode(raw)
    if len(value) > length:
        return _too_long("too-long", raw, len(value), length)
    if not value.isascii():
        size = len(value.encode("utf-8", "replace"))
        if size > length:
            return _too_long("too-long-in-bytes", raw, size, length)
    return None


def _name(length: int, generic: bool, capital: bool, raw: str) -> Problem | None:
    value = decode(raw)
    pattern = _NO_CAPITAL if capital else _STRANGE
    strange = pattern.search(value.replace("*", "") if generic else value)
    if strange is not None:
        found = strange.group()
        character = found if found.isprintable() and found != " " else _in_words(found)
        data = {"value": _shown(raw), "character": character, "allowed": _ALLOWED, "hint": ""}
        if capital:
            data["allowed"] = "capital letters and digits"
        return Problem("bad-name", data)
    return _text(length, raw)


def _pattern(length: int, hosts: bool, raw: str) -> Problem | None:
    value = decode(raw)
    try:
        fault = fault_of_pattern(value)
    except BadRangeError as error:
        return Problem("address-range", {"value": _shown(raw), "fault": str(error)})
    if fault is not None:
        return Problem("bad-address", {"value": _shown(raw), "fault": fault})
    if is_host(value) and not hosts:
        hint = " (host names are only for ADDRESS)"
        data = {"value": _shown(raw), "allowed": "IP addresses and their patterns", "hint": hint}
        return Problem("bad-value-recalled", {**data, "suggestion": ""})
    return _text(length, raw)


def _list(domain: Domain, judge: Judge, raw: str) -> Problem | None:
    values, most = items(raw), domain.most
    if most and len(values) > most:
        data = {"count": str(len(values)), "limit": str(most), "value": _shown(raw), "hint": ""}
        return Problem("too-many-items", {**data, "allowed": f"up to {most} items"})
    for value in values:
        problem = judge("'" + value.replace("'", "''") + "'")
        if problem is not None:
            return problem
    lone = next((value.upper() for value in values if value.upper() in domain.alone), "")
    if lone and len(values) > 1:
        others = domain.item.words if domain.item is not None else ()
        allowed = ", ".join((f"{lone} alone", *(word for word in others if word != lone)))
        return _bad(raw, allowed, "")
    return None


def _bad(raw: str, allowed: str, suggestion: str) -> Problem:
    hint = f" (did you mean {suggestion}?)" if suggestion else ""
    data = {"value": _shown(raw), "allowed": allowed, "suggestion": suggestion, "hint": hint}
    return Problem("bad-value", data)


def _too_long(code: str, raw: str, size: int, limit: int) -> Problem:
    data = {"value": _shown(raw), "length": str(size), "limit": str(limit)}
    return Problem(code, data)


def _in_words(character: str) -> str:
    """Return words for a character that cannot be shown: `a blank`, `U+0009`."""
    return "a blank" if character == " " else f"U+{ord(character):04X}"


def _shown(raw: str) -> str:
    return _cut(decode(raw))


def _cut(text: str) -> str:
    return shortened(" ".join(text.split()), _MOST_SHOWN)
