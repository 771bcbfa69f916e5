"""Dumps of one queue manager that a shell script loads into another one as they are.

The dump goes through a pipe, or through a file that the script names twice: once to write it and
once to load it, so that nothing changes it between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mqlint.finding import Diagnostic, diagnostic
from mqlint.patterns import later

_WORDS = r"(?:[ \t]+(?:[^\s|;&<>\"']{1,80}|\"[^\s|;&<>\"']{1,80}\"))"
_DUMP = rf"(?m)^(?P<before>[^\n#|]*?)(?<![\w.-])dmpmqcfg(?P<dump>{_WORDS}{{0,9}}+)[\"']?[ \t]*"
_LOAD = rf"(?<![\w.-])(?P<load>runmqsc)(?P<options>{_WORDS}{{0,5}}+)"
_PIPED = later(_DUMP + r"\|(?P<between>[^\n|;&<]{0,120}?)" + _LOAD)
_KEPT = later(_DUMP + r">[ \t]*\"?(?P<file>[^\s\"|;&<>]{1,120})\"?[ \t]*$")
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


def loaded_dumps(text: str) -> Iterator[Diagnostic]:
    """Yield each runmqsc that loads the dump of another queue manager, with its channels."""
    if "dmpmqcfg" not in text or "runmqsc" not in text:
        return
    for found in _PIPED.finditer(text):
        yield from _loaded(found, found)
    kept = {found["file"]: found for found in _KEPT.finditer(text)}
    for load in _READ.finditer(text) if kept else ():
        dump = kept.get(load["file"])
        if dump is not None and dump.end() <= load.start() and text.count(load["file"]) == 2:
            yield from _loaded(dump, load)


def _loaded(dump: re.Match[str], load: re.Match[str]) -> Iterator[Diagnostic]:
    options = _VALUED.sub("", load["options"]).split()
    if _LIMITED.search(dump["dump"]) is not None or "-v" in options:
        return
    named = _NAMED.search(dump["dump"])
    source = named[1] if named is not None else ""
    target = next((word for word in options if not word.startswith("-")), "")
    hosts = [_HOST.search(place) for place in (dump["before"], load["between"])]
    here, there = (host[1] if host is not None else "" for host in hosts)
    if (source, here) != (target, there):
        into = target or "the default queue manager"
        place = f"{into} at {there}" if there else into
        yield diagnostic("dump-loaded", load.span("load"), source=source or "one", target=place)
