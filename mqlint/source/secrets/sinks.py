"""Programs that read a secret from their input, and files that are meant to hold one."""

from __future__ import annotations

import re

from mqlint.patterns import later
from mqlint.source.secrets.names import Sign, judge

_END_OF_COMMAND = later(r"[\n|;&]+")
_PROGRAM = later(
    r"\b(chpasswd|kinit|smbpasswd|lpass|su|run\w{1,8}cred|mqiptPW|passwd"
    r"|cryptsetup|base64|ldappasswd|vault|ansible-vault|realm|sudo|docker|podman|gcloud|gh|kubectl|oc|amqs\w+|runmqsc|dmpmqcfg|endmqm)"
    r"(?=[\s;)\"']|$)"
)
_COMMAND_OPTION = later(r"\s-\w*c\b")
_READS_PASSWORD = later(r"\s(?:-\w*S|--stdin)")
_STATUS = later(r"\s+-S")
_OF_SECRETS = later(r"\ssecrets?\s")
_USER = later(r"\s-u\s")
_FROM_INPUT = later(
    r"(?<=\S)\s+-(?:-?pass\w*-(?:stdin|fd[= ]0)|-key-file[= ]-(?!\S)|-stdin-pass\w*"
    r"|pass(?:in|out)?[= ]stdin)"
)
_WRITES = later(r"\b(?:tee|cat)\b")
_KEPT_FILE = later(r"[/\s][\w.-]*?(?:pass|secret|token|pw)")

_READ = later(r"\bread\b(?:[ \t]{1,9}-\w{1,20}){0,6}[ \t]{1,9}(\w+)[ \t]*+(?:;[ \t]*do\b[^\n]*)?\Z")
_COPIED = later(r"^[ \t]*(?:COPY|ADD)[ \t][^\n]*[ \t](\S+)[ \t]*\Z")
_KEPT = frozenset("htpasswd sth pw pwd pass passwd secret token key".split())
"""Endings of such files."""
_KEPT_NAME = later(r"[a-z][_-]pass$", re.IGNORECASE)
_REDIRECT = later(r"(?<!<)>>?[ \t]*([^\s;&|)<>]+)")


def takes_secret(line: str) -> bool:
    """Return whether a command of a line reads a secret from its input or writes it to a file."""
    return any(map(_takes_secret, _END_OF_COMMAND.split(line)))


def _takes_secret(command: str) -> bool:
    """Tell the same of one command; each pattern runs over it once."""
    if _FROM_INPUT.search(command):
        return True
    last: dict[re.Pattern[str], int] = {}

    def comes_after(option: re.Pattern[str], at: int) -> bool:
        if option not in last:
            last[option] = max((found.start() for found in option.finditer(command)), default=-1)
        return last[option] >= at

    for program in _PROGRAM.finditer(command):
        name, end = program[1], program.end()
        if name == "su":
            takes = not comes_after(_COMMAND_OPTION, end)
        elif name == "sudo":
            takes = comes_after(_READS_PASSWORD, end)
        elif name == "passwd":
            takes = _STATUS.match(command, end) is None
        elif name in ("docker", "podman", "gcloud", "gh", "kubectl", "oc"):
            takes = comes_after(_OF_SECRETS, end)
        elif name in ("runmqsc", "dmpmqcfg", "endmqm"):
            takes = comes_after(_USER, end)
        else:
            takes = True
        if takes:
            return True
    written = _WRITES.search(command)
    return written is not None and _KEPT_FILE.search(command, written.end()) is not None


def is_kept(file: str) -> bool:
    """Return whether a file is by its name one that holds nothing but a secret."""
    name, _, ending = file.strip("\"'").rpartition("/")[2].lstrip(".").partition(".")
    is_named = (
        judge(name) is Sign.STRONG
        or ending.lower() in _KEPT
        or (not ending and _KEPT_NAME.search(name) is not None)
    )
    return "/secrets/" in file or is_named


def is_written(line: str) -> bool:
    """Return whether a line sends its input to such a file."""
    file = _REDIRECT.search(line) or _COPIED.search(line)
    return file is not None and is_kept(file[1])


def takes_text(line: str) -> bool:
    """Return whether a command takes a secret from the text that follows its line."""
    return takes_secret(line) or _is_variable(line)


def _is_variable(line: str) -> bool:
    """Return whether a line reads its input into a variable that is named like a secret."""
    reads = _READ.search(line)
    return reads is not None and judge(reads[1]) is Sign.STRONG
