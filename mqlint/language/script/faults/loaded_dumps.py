"""Dumps of one queue manager that a shell script loads into another one as they are.

The dump goes through a pipe, or through a file that the script names twice: once to write it and
once to load it, so that nothing changes it between them. A variable that is set to another one has
the same queue manager.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from mqlint.finding import Diagnostic, diagnostic
from mqlint.patterns import later

_WORDS = r"(?:[ \t]+(?:[^\s|;&<>\"']{1,80}|\"[^\s|;&<>\"']{1,80}\"))"
_DUMP = rf"(?m)^(?P<before>[^\n#|]*?)(?<![\w.-])dmpmqcfg(?P<dump>{_WORDS}{{0,9}}+)[\"']?[ \t]*"
_LOAD = rf"(?<![\w.-])(?P<load>runmqsc)(?P<options>{_WORDS}{{0,5}}+)"
_PIPED = later(_DUMP + r"\|(?P<between>[^\n|;&<]{0,120}?)" + _LOAD)
_KEPT = later(_DUMP + r">[ \t]*\"?(?P<file>[^\s\"|;&<>]{1,120})\"?[ \t]*\r?$")
_READ = later(
    r"(?m)^(?P<between>[^\n#|]*?)" + _LOAD + r"[ \t]*<[ \t]*\"?(?P<file>[^\s\"|;&<>]{1,120})"
)
_HOST = later(
    r"\b(?:ssh|(?:docker|podman|kubectl|oc)[ \t][^\n]{0,80}?exec)(?:[ \t]+-\w)*[ \t]+([^\s\"']+)"
)
_LIMITED = later(
    r"(?:^|[ \t])(?:-t[ \t]*+(?!(?:all|channel|chl)\b)|-x[ \t]*+(?!(?:all|object)\b)"
    r"|-n[ \t]*+(?!\*)|-o[ \t]*\w*mqaut)"
)
"""Options of dmpmqcfg that leave channels out."""
_NAMED = later(r"(?:^|[ \t])-m[ \t]*(\S+)")
_VALUED = later(r"[ \t]-[uUw][ \t]*\S+")
_VARIABLE = later(r"\$\{?(?P<name>\w{1,80})\}?")
_SET_TO_OTHER = later(
    r"(?m)^[ \t]*(?:(?:export|local|readonly)[ \t]+)?(?P<name>[A-Za-z_]\w{0,80})="
    r"[\"']?\$\{?(?P<other>\w{1,80})\}?[\"']?[ \t]*\r?(?:$|[;#])"
)
_DEFAULT = "the default queue manager"
_MOST = 100
"""Limit of the files of a script that are compared: each is searched for in all of its text."""


def loaded_dumps(text: str) -> Iterator[Diagnostic]:
    """Yield each runmqsc that loads the dump of another queue manager, with its channels."""
    if "dmpmqcfg" not in text or "runmqsc" not in text:
        return
    others = {found["name"]: found["other"] for found in _SET_TO_OTHER.finditer(text)}
    origins = _origins(others)
    for found in _PIPED.finditer(text):
        yield from _loaded(found, found, origins)
    kept = {found["file"]: found for found in islice(_KEPT.finditer(text), _MOST)}
    twice = {file for file in kept if text.count(file) == 2}
    for load in _READ.finditer(text) if twice else ():
        dump = kept[load["file"]] if load["file"] in twice else None
        if dump is not None and dump.end() <= load.start():
            yield from _loaded(dump, load, origins)


def _loaded(
    dump: re.Match[str], load: re.Match[str], origins: Mapping[str, str]
) -> Iterator[Diagnostic]:
    options = _VALUED.sub("", load["options"]).split()
    if _LIMITED.search(dump["dump"]) is not None or "-v" in options:
        return
    named = _NAMED.search(dump["dump"])
    source = named[1].strip('"') if named is not None else ""
    target = next((word for word in options if not word.startswith("-")), "").strip('"')
    hosts = [_HOST.search(place) for place in (dump["before"], load["between"])]
    here, there = (host[1] if host is not None else "" for host in hosts)
    if (_origin(source, origins), here) != (_origin(target, origins), there):
        into = target or _DEFAULT
        place = f"{into} at {there}" if there else into
        yield diagnostic("dump-loaded", load.span("load"), source=source or _DEFAULT, target=place)


def _origins(others: Mapping[str, str]) -> Mapping[str, str]:
    """The first variable from which each has its value; `others` has the next one of each."""
    found: dict[str, str] = {}
    for name in others:
        way: dict[str, None] = {}
        while name in others and name not in found and name not in way:
            way[name] = None
            name = others[name]
        found.update(dict.fromkeys(way, found.get(name, name)))
    return found


def _origin(name: str, origins: Mapping[str, str]) -> str:
    """The name of the variable from which a variable has its value, or the name as it is."""
    variable = _VARIABLE.fullmatch(name)
    if variable is None:
        return name
    return f"${origins.get(variable['name'], variable['name'])}"
