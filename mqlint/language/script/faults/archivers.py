"""Files of queue managers that programs for backups copy and logrotate renames: their settings.

rsnapshot(1), lsyncd(1), borgmatic's "Configuration reference", Bacula's "FileSet Resource", IBM
Storage Protect's "Domain". They copy a file system while programs write to it, unless a command
that they run before ends the queue managers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mqlint.dataclass import NamedTuple
from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.script.files.path import queue_manager_path
from mqlint.patterns import later

_WHOLE = frozenset({"whole", "data", "log"})


class _Program(NamedTuple):
    """A program: what its configuration has, the paths that it copies, and what runs before."""

    name: str
    sign: re.Pattern[str]
    copied: re.Pattern[str]
    before: re.Pattern[str]


_PROGRAMS = (
    _Program(
        "rsnapshot",
        later(r"(?m)^snapshot_root[ \t]"),
        later(r"(?m)^backup[ \t]+(?:[\w.@-]{1,200}:)?(/[^\s#]{1,300})"),
        later(r"(?m)^(?:cmd_preexec|backup_exec|backup_script)[ \t]"),
    ),
    _Program(
        "lsyncd",
        later(r"(?m)^[ \t]*sync[ \t]*\{"),
        later(r"(?m)^[ \t]*source[ \t]*=[ \t]*[\"'](/[^\s\"']{1,300})"),
        later(r"(?m)^[ \t]*(?:onStartup|init)[ \t]*="),
    ),
    _Program(
        "borgmatic",
        later(r"(?m)^[ \t]*source_directories[ \t]*:"),
        later(r"(?m)^[ \t]*-[ \t]+[\"']?(/[^\s\"'#]{1,300})"),
        later(r"(?m)^[ \t]*-?[ \t]*(?:before(?:_\w{1,20})?|zfs|lvm|btrfs)[ \t]*:"),
    ),
    _Program(
        "Bacula",
        later(r"(?m)^[ \t]*FileSet[ \t]*\{"),
        later(r"(?m)^[ \t]*File[ \t]*=[ \t]*\"?(/[^\s\"#]{1,300})"),
        # Another file may have the job of a file set, with its commands.
        later(
            r"(?mi)^[ \t]*(?:(?:Client ?)?Run ?Before ?Job|Run ?Script)\b"
            r"|\A(?![\s\S]*?^[ \t]*Job(?:Defs)?[ \t]*\{)"
        ),
    ),
    _Program(
        "IBM Storage Protect",
        later(r"(?mi)^[ \t]*(?:SERVERNAME|NODENAME|COMMMETHOD|TCPSERVERADDRESS)[ \t]"),
        later(
            r"(?mi)^[ \t]*(?:DOMAIN|INCLUDE|VIRTUALMOUNTPOINT)[ \t]+"
            r"(?:[^\n]{0,200}?[ \t])??\"?(/[^\s\"]{0,200}?mq[^\s\"]{0,200})"
        ),
        # INCLEXCL names a file of what is excluded.
        later(
            r"(?mi)^[ \t]*"
            r"(?:PRESCHEDULECMD|PRENSCHEDULECMD|PRESNAPSHOTCMD|SNAPSHOTPROVIDERFS|INCLEXCL)\b"
        ),
    ),
)
_EXCLUDED = later(r"(?mi)^[ \t]*(?:exclude|-[ \t])[^\n/]{0,40}(/[^\s\"',]{1,300})")
_EXCLUDED_BY_NAME = later(r"(?mi)^[ \t]*(?:exclude|-[ \t])[^\n]{0,200}?(?<!\w)qmgrs(?!\w)")
_PATH = later(r"/[^\s\"'{}]{1,300}")
_EXCLUDED_BLOCK = later(r"(?i)\bexclude\s*+\{[^{}]*+\}")


def copies_files_of_mq(text: str) -> bool:
    """Whether a program for backups copies folders of queue managers."""
    return next(_copied(text), None) is not None


def archiver_faults(text: str) -> Iterator[Diagnostic]:
    """Yield the folders of queue managers that a program copies, if it runs no command before."""
    copied = [*_copied(text)]
    program = copied[0][0] if copied else None
    if program is None or program.before.search(text) or _is_excluded(program, text):
        return
    for _, found in copied:
        yield diagnostic("archiver-copies", found.span(1), program=program.name, path=found[1])


def _copied(text: str) -> Iterator[tuple[_Program, re.Match[str]]]:
    """The folders of queue managers that the program of a configuration copies."""
    if "mq" not in text.lower():
        return
    program = next((each for each in _PROGRAMS if each.sign.search(text) is not None), None)
    # What a block excludes is not copied. Places in the text stay.
    text = _EXCLUDED_BLOCK.sub(lambda block: " " * len(block[0]), text)
    for found in program.copied.finditer(text) if program is not None else ():
        if program is not None and _is_of_queue_managers(found[1]):
            yield program, found


def _is_of_queue_managers(path: str) -> bool:
    leads_to = queue_manager_path(path) if "snap" not in path.lower() else None
    return leads_to is not None and leads_to.part in _WHOLE


def _is_excluded(program: _Program, text: str) -> bool:
    """Whether a line excludes the data of queue managers: folders below those that are copied."""
    if program.name == "borgmatic":
        _, _, text = text.partition("exclude_patterns")
    if _EXCLUDED_BY_NAME.search(text) is not None:
        return True
    blocks = (path for block in _EXCLUDED_BLOCK.findall(text) for path in _PATH.findall(block))
    paths = (*_EXCLUDED.findall(text), *blocks)
    return any(_is_of_queue_managers(path.rstrip("*/.")) for path in paths)


# -- logrotate -------------------------------------------------------------------------------------


_BLOCK = later(r"(?m)^(?P<paths>[ \t]*[\"']?/[^{}#]{1,600}?)\{(?P<body>[^{}]{0,4000}+)")
"""Paths, which may be on several lines, and what follows the brace after them."""
_ROTATED = later(r"/[^\s{}\"']{1,200}")
_FOLDER = r"/(?:var/mqm|MQHA|mnt/mqm)"
_EXTENTS = later(
    rf"{_FOLDER}/(?:[^/]{{1,60}}/)?logs?/[^/]{{1,60}}/(?:active/)?(?:\*|(?:S|\*)\S{{0,20}}\.LOG|S\*)"
)
"""The extents of a log: S0000000.LOG in the folder `active` of a queue manager."""
_ERROR_LOGS = later(
    rf"{_FOLDER}(?:/qmgrs/[^/]{{1,60}})?/errors/(?:AMQERR\S{{0,12}}|\*|\*\.LOG|\*\.\*)"
)
_COPIES = later(r"(?m)^[ \t]*(copy(?:truncate)?)\b")


def rotates_files_of_mq(text: str) -> bool:
    """Whether a file of logrotate has a path of MQ."""
    return any("/mq" in found["paths"].lower() for found in _BLOCK.finditer(text))


def rotation_faults(text: str) -> Iterator[Diagnostic]:
    """Yield the extents that logrotate renames or truncates, and the error logs that it renames.

    What is outside of the blocks counts for all of them.
    """
    copies_all = _COPIES.search(_BLOCK.sub("", text))
    for block in _BLOCK.finditer(text):
        copies = _COPIES.search(block["body"]) or copies_all
        if copies is not None and copies[1] == "copy":
            continue
        for path in _ROTATED.finditer(text, *block.span("paths")):
            if _EXTENTS.fullmatch(path[0]) is not None:
                yield diagnostic("extents-rotated", path.span(), path=path[0])
            elif copies is None and _ERROR_LOGS.fullmatch(path[0]) is not None:
                yield diagnostic("errors-rotated", path.span(), path=path[0])
