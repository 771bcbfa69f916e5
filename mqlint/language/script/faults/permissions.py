"""Owners and modes with which others than mqm read, write or own MQ's files.

They are found by lines: `chmod`, `chown`, and `find` with one of them. Only a key without a folder
is found by its command, because that has the folder which `cd` leads to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.script.command import Word, operands_of
from mqlint.patterns import later

_OF_QUEUE_MANAGERS = r"/(?:var/mqm|MQHA|mnt/mqm)(?:/(?:qmgrs|log|vols)\S{0,200})?"
_OF_MQ = rf"(?:{_OF_QUEUE_MANAGERS}|/(?:var|mnt)/mqm/exits(?:64)?\S{{0,200}})"
"""Who writes into the folders of exits runs code as mqm; a queue manager only reads them."""
_OPEN_TO_ALL = later(
    r"(?m)^[^#\n]*(?<![\w-])chmod[ \t]+(?:-\w+[ \t]+)*+[\"']?"
    r"(0?[0-7]{2}[2367]|(?:[ao]|ugo)\+(?=\w*w)\w++)[\"']?[ \t]+"
    rf"[\"']?({_OF_MQ})(?=[\"']?(?:\s|$))"
)
_KEYS_OPEN = later(
    r"(?m)^[^#\n]*(?<![\w-])chmod[ \t]+(?:-\w+[ \t]+)*+[\"']?"
    r"(0?[0-7]{2}[4-7]|(?:[ao]|ugo)\+(?=\w*r)\w++)[\"']?[ \t]++"
    r"(?:[^\s#;&|]{1,200}+[ \t]++){0,5}?[\"']?"
    r"([^\s#;&|\"']{0,200}/(?:qmgrs|mqm/ssl)/[^\s#;&|\"']{0,200}\.(?:kdb|sth|p12|\*)"
    r"|[^\s#;&|\"']{0,200}(?:MQMFT|ProtocolBridge|ConnectDirect)Credentials\.xml(?![\w.-]))"
)
_READ_BY_ALL = later(r"0?[0-7]{2}[4-7]|(?:[ao]|ugo)\+(?=\w*r)\w++")
_KEYS = later(r"[\w.-]{1,60}\.(?:kdb|sth|p12)")
_FOLDER_OPEN = later(
    r"(?m)^[^#\n]*(?<![\w-])chmod((?:[ \t]+-{1,2}\w+)*+)[ \t]+[\"']?"
    r"(0?[0-7]{2}[4-7]|(?:[ao]|ugo)\+(?=\w*r)\w++)[\"']?[ \t]+"
    r"[\"']?([^\s#;&|\"'*]{1,200}+)(\*?)[\"']?[ \t]*(?=[\r;&|]|$)"
)
"""Options, a mode with which every user reads, a folder, and whether all its files are meant."""
_KEYS_MADE = later(
    r"(?<![\w-])runmq(?:a|c)km[ \t][^\n]{0,400}?[ \t]-db[ \t]+"
    r"[\"']?([^\s\"']{1,200})/[^\s/\"']{1,100}\.(?:kdb|p12)\b"
)
"""The folder in which a command makes or changes a key database."""
_FOUND_OPEN = later(
    r"(?m)^[^#\n]*(?<![\w-])find[ \t]+[\"']?"
    r"(?P<path>/[^\s\"'|;]{1,200})(?P<tests>[^\n|;]{0,300}?)"
    r"(?:-exec|-execdir|\|[ \t]*xargs[^\n|;]{0,40}?)[ \t]+chmod[ \t]+(?:-\w+[ \t]+)*+[\"']?"
    r"(?P<mode>0?[0-7]{2}[2-7]|(?:[ao]|ugo)\+(?=\w*[rw])\w++)(?=[\"']?(?:\s|$))"
)
"""A mode for all files that `find` finds, where every user may read or write them."""
_NAMES_OF_FOUND = later(r"-i?name[ \t]+[\"']?([^\s\"']+)")
_NAME_OF_KEYS = later(r"(?:key|\*|[\w-]+)\.(?:kdb|sth|p12|\*)")
_NARROWER = later(
    r"(?:^|\s)(?:!|-not|-prune|-i?path|-i?regex|-user|-perm|-o|-type[ \t]+[^fd])(?=\s)"
)
"""Tests of `find` that are not followed here."""
_IS_FOLDER = later(r"-type[ \t]+d\b")
_MQ_FOLDER = later(rf"{_OF_MQ}/?")
_COMMAND_OF = {"mode": "chmod", "owner": "chown"}
_KEYS_OF_MQ = later(r"/(?:qmgrs/[^/\s]+|mqm)/ssl[\"'/]*\s*$")
_KEY_OF_MQ = later(r"/(?:qmgrs/[^/\s]+|mqm)/ssl/[\w.-]{1,60}\.(?:kdb|sth|p12|\*)\Z")
_FOREIGN_OWNER = later(
    r"(?m)^[^#\n]*(?<![\w-])chown[ \t]+(?:-\w+[ \t]+)*+[\"']?(root|nobody)(?::(?!mqm\b)\w*)?[\"']?"
    rf"[ \t]+[\"']?({_OF_QUEUE_MANAGERS})(?=[\"']?(?:\s|$))"
)
_ROOT = later(
    r"(?m)^[^#\n]{0,80}(?:\bid[ \t]+-u\b|\bEUID\b)[^\n]{0,20}?"
    r"(?:(?:!=|-ne|-gt)[ \t]*[\"']?0\b(?![^\n]{0,20}\|\|)"
    r"(?:(?!\bfi\b)(?s:.)){0,400}?\bex(?:it|ec)\b"
    r"|(?:(?<!!)==?|-eq)[ \t]*[\"']?0\b[^\n;|&]{0,8}\|\|)"
    r"|^[^#\n]{0,80}\b(?:su[ \t]+(?:(?:-l|--login|-)[ \t]+)?mqm|runuser[ \t][^\n]{0,40}\bmqm"
    r"|sudo[ \t]+cp)\b"
)
"""What shows that a script, or its cp, runs as root: a script that ends for another user, or su.

One that ends if root calls it does not.
"""
_TEXT_FOR_MQM = later(
    r"(?m)^[^#\n]{0,80}\b(?:su|runuser|sudo)\b[^\n]{0,60}\bmqm\b[^\n\"']{0,60}"
    r"(?:<<-?[ \t]*[\"'\\]?(?P<end>\w{1,40})[^\n]*|[ \t](?:-\w*c|--command)[ \t=]*(?P<quote>[\"']))"
)
"""What begins a text, here or in quotation marks, that mqm runs."""
_COPIES = later(
    r"(?m)^(?P<before>[^#\n]{0,80}?)(?<![\w-])(?P<word>cp)(?P<options>(?:[ \t]+-{1,2}[\w=-]+)++)"
    r"(?:[ \t]+[^\s;|&#]{1,200}+){1,4}?[ \t]+[\"']?"
    r"(?P<path>/var/mqm/(?:qmgrs|log)/[^\s;|&#\"']{1,200}+)[\"']?[ \t]*(?=[;&|\r\n]|$)"
)
"""A copy of several files, with options, into the data or the log of a queue manager."""
_KEEPS_OWNER = later(r"(?:^|\s)-(?:[a-zA-Z]*[ap]|-archive|-preserve)")
_GIVEN_TO_MQM = later(
    r"(?m)^[^#\n]{0,200}\b(?:chown|chgrp|setfacl|rsync|install)\b[^\n]{0,200}\bmqm\b"
)

_GRANTED = later(
    r"(?im)^[^#\n]{0,80}\bicacls(?:\.exe)?[ \t]+[\"']?"
    r"(?P<path>[a-z]:\\[^\"'\n]{0,200}?\\(?:mq|mqm|websphere mq)"
    r"\\(?:qmgrs|log|ssl)\b[^\"'\n/]{0,200}?)"
    r"[\"']?[ \t]+(?:/[a-z][ \t]+){0,4}/grant(?::r)?[ \t]+[\"']?(?:BUILTIN\\)?"
    r"(?P<who>Everyone|Users|Authenticated Users|\*S-1-1-0|\*S-1-5-32-545):"
    r"(?:\((?:OI|CI|IO|NP|I)\)){0,5}\(?(?P<rights>F|M|RX|R|W|(?:[a-z]{1,3},){0,8}[a-z]{1,3})\)?[\"']?(?=\s|$)"
)
_KEYS_OF_WINDOWS = later(r"(?i)\\ssl\b|\.(?:kdb|sth|p12)\b")


def permission_faults(text: str) -> Iterator[Diagnostic]:
    """Yield owners and modes with which others than mqm read, write or own MQ's files."""
    if "chmod" in text:
        for found in _OPEN_TO_ALL.finditer(text):
            yield _open_to_all(found, "write")
        for found in _KEYS_OPEN.finditer(text):
            if _OPEN_TO_ALL.match(text, found.start()) is None:
                yield _open_to_all(found, "read")
        yield from _open_folders(text)
        yield from _found_files(text)
    if "chown" in text:
        for found in _FOREIGN_OWNER.finditer(text):
            yield _foreign_owner("chown", found.span(1), found[1], found[2])
    if "cp" in text and _ROOT.search(text) is not None:
        yield from _copied_by_root(text)


def _copied_by_root(text: str) -> Iterator[Diagnostic]:
    """Yield copies into the folders of queue managers that root makes, and that nothing chowns.

    Without -a or -p, cp gives the new files to the user who runs it.
    """
    given = max((found.end() for found in _GIVEN_TO_MQM.finditer(text)), default=0)
    for stretch in _not_for_mqm(text):
        for found in _COPIES.finditer(text, *stretch):
            is_other_user = "mqm" in found["before"] or found.end() < given
            if not is_other_user and _KEEPS_OWNER.search(found["options"]) is None:
                yield _foreign_owner("cp", found.span("word"), "root", found["path"])


def _not_for_mqm(text: str) -> Iterator[tuple[int, int]]:
    """Yield the stretches of a script between the texts that it has mqm run."""
    done = 0
    for begin in _TEXT_FOR_MQM.finditer(text):
        if begin.start() < done:
            continue
        yield done, begin.end()
        last = rf"^[ \t]*{begin['end']}[ \t]*\r?$" if begin["end"] else begin["quote"]
        end = re.compile(last, re.MULTILINE).search(text, begin.end())
        done = end.end() if end is not None else len(text)
    yield done, len(text)


def _foreign_owner(command: str, span: tuple[int, int], owner: str, path: str) -> Diagnostic:
    return diagnostic("foreign-owner", span, command=command, owner=owner, path=path)


def _open_folders(text: str) -> Iterator[Diagnostic]:
    """Yield modes with which every user reads all files of a folder that has keys.

    It is that of a queue manager's keys, or the script makes a key database there before.
    """
    made: dict[str, int] = {}
    for found in _KEYS_MADE.finditer(text):
        made.setdefault(_plain(found[1]), found.end())
    for found in _FOLDER_OPEN.finditer(text):
        options, mode, path, star = found.groups()
        if not star and "R" not in options and "--recursive" not in options:
            continue
        if (star and not path.endswith("/")) or _OPEN_TO_ALL.match(text, found.start()):
            continue
        folder = _plain(path.rstrip("/"))
        is_made = made.get(folder, len(text)) < found.start()
        if is_made or _KEYS_OF_MQ.search(folder) is not None:
            yield _open(found.span(2), f"chmod {mode}", "read", path + star)


def _found_files(text: str) -> Iterator[Diagnostic]:
    """Yield modes that `find` gives to the files of a queue manager or to its keys."""
    for found in _FOUND_OPEN.finditer(text) if "find" in text else ():
        path, mode = found["path"], found["mode"]
        does = _opened(path, found["tests"], mode)
        if does:
            yield _open(found.span("mode"), f"chmod {mode}", does, path)


def _opened(path: str, tests: str, mode: str) -> str:
    """What every user may do with the files of MQ that `find` finds below a path, blank for none.

    `write` any file of a queue manager, or `read` keys.
    """
    names = [name[1] for name in _NAMES_OF_FOUND.finditer(tests)]
    if _NARROWER.search(tests) is not None or len(names) > 1:
        return ""
    has_keys = any(_NAME_OF_KEYS.fullmatch(name) and name != "*.*" for name in names)
    is_of_mq = _MQ_FOLDER.fullmatch(path) is not None
    is_of_keys = _KEYS_OF_MQ.search(path.rstrip("/")) is not None
    are_all = has_keys or not names
    if is_of_mq and are_all and (mode[-1] in "2367" or "w" in mode):
        return "write"
    are_keys = are_all if is_of_keys else is_of_mq and has_keys
    return "read" if are_keys and _IS_FOLDER.search(tests) is None else ""


def _plain(path: str) -> str:
    """A path without the braces of its variables."""
    return path.replace("{", "").replace("}", "")


def resource_faults(
    path: str, settings: Iterable[tuple[str, str, tuple[int, int]]]
) -> Iterator[Diagnostic]:
    """Yield the faults of a file that a tool describes: its path, and its `mode` and `owner`.

    Each of the `settings` has its name, its value and the place of that.
    """
    for name, value, span in settings:
        command = _COMMAND_OF.get(name, "")
        for fault in permission_faults(f"{command} {value} {path}") if command else ():
            yield replace(fault, start=span[0], end=span[1])


def opened_keys(words: Sequence[Word], folder: str) -> tuple[Word, str] | None:
    """Return the mode with which a chmod lets every user read a key, and the key.

    It is in the folder of the command, or a variable has the folder.
    """
    operands = operands_of(words[1:])
    is_here = _KEYS_OF_MQ.search(folder) is not None
    keys = (
        word.text
        for word in operands[1:]
        if (is_here and _KEYS.fullmatch(word.text) is not None)
        or (word.end - word.start < len(word.text) and _KEY_OF_MQ.search(word.text) is not None)
    )
    key = next(keys, None)
    if key is None or _READ_BY_ALL.fullmatch(operands[0].text) is None:
        return None
    return operands[0], key


def _open_to_all(found: re.Match[str], does: str) -> Diagnostic:
    return _open(found.span(1), f"chmod {found[1]}", does, found[2])


def _open(span: tuple[int, int], command: str, does: str, path: str) -> Diagnostic:
    return diagnostic("open-to-all", span, command=command, does=does, path=path)


def windows_permission_faults(text: str) -> Iterator[Diagnostic]:
    """Yield grants of `icacls` with which every user writes MQ's files or reads its keys."""
    for found in _GRANTED.finditer(text) if "icacls" in text.lower() else ():
        letters = {*found["rights"].upper()}
        writes = not letters.isdisjoint("FMW")
        if writes or (not letters.isdisjoint("R") and _KEYS_OF_WINDOWS.search(found["path"])):
            command = f"icacls {found['who']}"
            yield _open(found.span("who"), command, "write" if writes else "read", found["path"])
