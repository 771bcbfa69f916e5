"""The folder of a script, which scripts work out from `$0` to name the files beside them.

    HERE=$(cd "$(dirname "$0")" && pwd)
    runmqsc QM1 < "$HERE/queues.mqsc"

It is `.` in the names of files, as paths are read from the folder of the script. It is not known
if the script goes to another folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from mqlint.language.script.scanner import assigned_once
from mqlint.patterns import later

_SELF = r"\"?\$(?:0|\{0\}|BASH_SOURCE|\{BASH_SOURCE(?:\[0\])?\})\"?"
_REAL = rf"(?:{_SELF}|\"?\$\((?:readlink -f|realpath) (?:-- )?{_SELF}\)\"?)"
_FOLDER = (
    rf"(?:\$\(dirname (?:-- )?{_REAL}\)|`dirname (?:-- )?{_SELF}`"
    r"|\$\{(?:0|BASH_SOURCE(?:\[0\])?)%/\*\})"
)
_BELOW = r"(?P<below>(?:/[\w.-]{1,60}){0,8})"
_QUIET = r"(?: ?(?:&|1)?> ?/dev/null(?: 2>&1)?)?"
_PRINTED = (
    rf"\$\((?:CDPATH= ?)?cd (?:-P )?(?:-- )?\"?{_FOLDER}{_BELOW}\"?{_QUIET} ?(?:&&|;) ?"
    r"pwd(?: -P)?\)"
)
_SETS = later(rf"(?<![\w$.-])([A-Za-z_]\w{{0,60}})=\"?(?:{_FOLDER}|{_PRINTED})\"?(?=[\s;&]|\Z)")
_NAMED = later(
    rf"(?:{_FOLDER}|{_PRINTED}|\$(?P<name>[A-Za-z_]\w{{0,60}})|\$\{{(?P<braced>[A-Za-z_]\w{{0,60}})\}})"
    r"(?=\"?/)"
)
"""A folder in the name of a file."""
_HELD = later(r"\"?\$\{?(\w{1,60})\}?\"?")
_ENTERS_OTHER = later(
    r"(?m)(?:^|[;&|{]|(?<!\$)\(|\b(?:then|do|else)\b)[ \t]{0,40}(?:cd|pushd)[ \t]{1,8}"
    rf"(?!\"?(?:{_FOLDER}|{_PRINTED})\"?(?![\"/]))"
    r"(?:\"?\$\{?(?P<name>\w{1,60})\}?\"?(?=[\s;&|)]|\Z))?"
)
"""The `cd` of a script to another folder than its own, or to that in a variable."""


@lru_cache(maxsize=8)  # each variable in a text asks
def own_folders(text: str) -> Mapping[str, str]:
    """Return the paths of the variables that hold the folder of the script, or one below it.

    The blank name is for the folder itself; without it none is known.
    """
    if "dirname" not in text and "%/*" not in text:
        return {}
    once = assigned_once(text)
    found = {match[1]: f".{match['below'] or ''}" for match in _SETS.finditer(text)}
    found = {"": "."} | {name: path for name, path in found.items() if name in once}
    leaves = any(found.get(match["name"] or "?") != "." for match in _ENTERS_OTHER.finditer(text))
    return {} if leaves else found


def folder_at(text: str, at: int) -> tuple[int, str] | None:
    """Return the end of the script's folder at `at` in the name of a file, and its path."""
    folders = own_folders(text)
    found = _NAMED.match(text, at) if folders else None
    if found is None:
        return None
    path = folders.get(found["name"] or found["braced"] or "")
    return None if path is None else (found.end(), path + (found["below"] or ""))


def is_own_folder(text: str, start: int, end: int) -> bool:
    """Whether a word is a variable that holds the folder of the script."""
    found = _HELD.fullmatch(text, start, end)
    return found is not None and own_folders(text).get(found[1]) == "."
