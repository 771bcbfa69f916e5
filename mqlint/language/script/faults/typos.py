"""Words of scripts that may be typos of MQ's: commands, files, folders.

A typo is only recorded here. Whether it is one depends on other names in the script: a site may
have programs and folders of such names. Commands of Managed File Transfer have a prefix of their
own ("MFT commands reference", command_summary; "Installed MFT command sets", q130700_; and the
commands of the releases before them).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.script.command import Word, base_name
from mqlint.language.script.control import parse_control
from mqlint.language.script.step import Typo
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.number import is_digits
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.vocabulary.control import ControlSpec
from mqlint.vocabulary.distance import distance

_MAY_BE_ONE = later(r"[A-Za-z][A-Za-z0-9]{4,11}$")
_ALIKE = str.maketrans("10", "lo")
_CONTROL_FILE = "amqhlctl.lfh"
_FILE = later(r"(?i)amq[a-z0-9]{4,7}\.[a-z]{3}$")
_FOLDER = later(r"(?i)(?:/?var/mqm|.*\bibm[/\\]mq|.*websphere mq)[/\\](logs|qmgr)[/\\]+([^/\\]+)")
_HOME = later(r"/var/([a-z]{3})/(?:qmgrs|log)/+([^/]+)")
"""The folder of MQ's data, with a name of its length."""
_BIN = later(r"(?i)mqm?[^/\\]{0,100}[/\\]bin(?:64)?[/\\]")
_FOLDERS = {"logs": "log", "qmgr": "qmgrs"}
_LONGEST = 400


def folded(word: str) -> str:
    """Return a word in lower case with letters for the digits they are taken for."""
    return word.lower().translate(_ALIKE)


def command_typo(
    words: Sequence[Word], commands: Mapping[str, ControlSpec], span: Span, *, is_fed: bool
) -> Typo | None:
    """Return the typo in the first of `words`, None if it is near no command of MQ.

    `is_fed` is true if the command reads MQSC.
    """
    text = words[0].text
    name = base_name(text)
    if name != text and _BIN.search(text[:_LONGEST]) is None:
        return None  # a user's own program, in a folder of its own
    may_be_one = _MAY_BE_ONE.match(name) is not None and {*"mMqQ"}.intersection(name)
    kind, meant = _meant(name, tuple(commands)) if may_be_one else ("", "")
    if not meant:
        return None
    form = parse_control(commands[meant], [word.text for word in words])
    known = {option.name for option in form.options if option.known}
    unknown = sum(not option.known for option in form.options)
    if kind != "capitals" and unknown > len(known):
        return None  # a program of that name, with options of its own
    # No program of a site has a name of MQ with two letters exchanged, and its options.
    is_swapped = bool(known) and sorted(name.lower()) == sorted(meant)
    fits = not unknown and (is_swapped or _are_telling(commands[meant], known))
    fits = fits or (kind != "derived" and is_fed)
    names = tuple(word.text for word in words[1:] if word.known)
    return Typo(kind, sys.intern(name), meant, span, names, fits)


def _are_telling(spec: ControlSpec, options: set[str]) -> bool:
    """Whether a program of a site is unlikely to have these options of a command of MQ."""
    is_long = any(len(option) > 1 for option in options)
    return is_long or (spec.queue_manager in options and len(options) > 1)


@lru_cache(maxsize=4096)
def _meant(name: str, commands: tuple[str, ...]) -> tuple[str, str]:
    """The kind of typo and the command that is meant, blank for none."""
    fold = folded(name)
    if fold in commands:
        return ("capitals" if name.isupper() else "command"), fold
    near = [
        command
        for command in commands
        if command[0] == fold[0] and distance(name.lower(), command, 1) == 1
    ]
    meant = next((command for command in near if not _is_derived(name.lower(), command)), "")
    if meant:
        return "command", meant
    return ("derived", near[0]) if near and not is_digits(name[-1]) else ("", "")


def _is_derived(name: str, other: str) -> bool:
    """Return whether a name is another one with a prefix or suffix, as programs of a site have."""
    shorter, longer = sorted((name, other), key=len)
    return longer.startswith(shorter) or longer.endswith(shorter)


def is_control_file(path: str) -> bool:
    """Return whether a path is that of the log control file, next to which its copies are."""
    return re.split(r"[/\\]", path[-_LONGEST:])[-1].lower() == _CONTROL_FILE


def _is_near(name: str) -> bool:
    return name.lower() != _CONTROL_FILE and distance(folded(name), _CONTROL_FILE, 2) <= 2


def path_typo(word: Word, span: Span) -> Typo | None:
    """Return the typo in a path with the letters mq, None if it has none or MQ has no such path."""
    text = word.text
    if len(text) > _LONGEST:
        return None
    name = re.split(r"[/\\]", text)[-1]
    if _FILE.match(name) is not None and _is_near(name):
        return Typo("file", name, _CONTROL_FILE, span)
    match = _FOLDER.match(text) or _HOME.match(text)
    if match is None or PLACEHOLDER in match[2]:
        return None
    meant = _FOLDERS.get(match[1].lower(), "mqm")
    is_near = distance(match[1].lower(), meant, 1) == 1
    return Typo("folder", match[1], meant, span, (match[2],)) if is_near else None


_NAME = later(
    r"(?m)(?:^[ \t]*|[;&|({`][ \t]*|\b(?:if|then|do|else|while|until|sudo|exec)[ \t]+|![ \t]+"
    r"|/bin/)"
    r"(fte(?:Cancel|Create|Delete|List|Modify|Ping|Setup|Show|Start|Stop)[A-Z][A-Za-z]{2,40})"
    r"(?=[ \t\r\n;|&)\"'`>]|\Z)"
)
"""A name of such a form as a command, or in a folder of programs."""
_OWN = later(r"(?:function |alias )(fte\w{1,60}+)|(fte\w{1,60}+) ?\(\)")
"""A function or an alias of the script."""


def transfer_faults(text: str) -> Iterator[Diagnostic]:
    """Yield the names in a script, unless they are functions or aliases of it."""
    names = [*_NAME.finditer(text)] if "fte" in text else []
    if not names:
        return
    from mqlint.vocabulary.applications import application_formats  # few scripts transfer files

    own = {found[1] or found[2] for found in _OWN.finditer(text)}
    own |= application_formats()["mft"].commands
    for found in names:
        if found[1] not in own:
            yield diagnostic("transfer-command", found.span(1), word=found[1])
