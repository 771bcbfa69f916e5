"""Programs that read a secret from their input, and files that are meant to hold one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import IntEnum

from mqlint.computed import Computed
from mqlint.patterns import later
from mqlint.source.secrets.commands import in_commands
from mqlint.source.secrets.forms import forms
from mqlint.source.secrets.lower_case import LowerCase
from mqlint.source.secrets.names import Sign, judge


class Reads(IntEnum):
    """How much of its input is a secret for a program."""

    NOTHING = 0
    FIRST_LINE = 1
    """A password before commands of MQ."""
    ALL = 2


_END_OF_COMMAND = later(r"[\n|;&]+")
_OF_SECRETS = later(r"\ssecrets?\s")
_USER = later(r"\s-u\s")
_INNER = later(
    r"\b(?:xargs|cat|tee|read|(?:ba|da|k|z)?sh|runmqsc|dspmq|sed|tar|dd|crontab|dmpmqmsg|ssh|su|sudo)"
    r"(?=[\s;)\"']|$)"
)
"""Programs that take the input of the program which runs them."""
_NEEDS: Mapping[str, re.Pattern[str]] = {
    "sudo": later(r"\s(?:-\w*S|--stdin)"),
    "pass": later(r"\sinsert\s"),
    "htpasswd": later(r"\s-\w*i"),
    "keyring": later(r"\sset\s"),
    "systemd-creds": later(r"\sencrypt\s"),
    **dict.fromkeys(("docker", "podman", "gcloud", "gh", "kubectl", "oc"), _OF_SECRETS),
    **dict.fromkeys(("doppler", "wrangler"), _OF_SECRETS),
    "eyaml": later(r"\sencrypt\s"),
    **dict.fromkeys(("runmqsc", "dmpmqcfg", "endmqm", "runmqdlq", "runswchl", "dspmqrte"), _USER),
}
"""Options without which a program reads no secret."""
_NEVER: Mapping[str, re.Pattern[str]] = {
    **dict.fromkeys(("su", "doas"), _INNER),
    "passwd": later(r"\s-S\b"),
    **dict.fromkeys(
        ("runmqakm", "runmqckm", "runmqktool", "keytool", "gsk8capicmd", "gsk8capicmd_64"),
        later(r"\s-(?:pw|stashed|storepass|fips)\b"),
    ),
}
"""Options with which it reads none."""
_ALWAYS = (
    "chpasswd|kinit|smbpasswd|vncpasswd|lpass|run\\w{1,8}cred|mqiptPW|cryptsetup|base64|ldappasswd"
    "|vault|ansible-vault|realm|amqs\\w+|ktutil|secret-tool|systemd-ask-password|mkpasswd"
    "|newusers|runas|ssh-add|kubeseal"
)
_PROGRAM = later(rf"\b({_ALWAYS}|{'|'.join((*_NEEDS, *_NEVER))})(?=[\s;)\"']|$)")
_FIRST_LINE = ("runmqsc", "su", "doas")
_FROM_INPUT = later(
    r"(?<=\S)\s+-(?:-?pass\w*-(?:(?:on-|from-)?stdin|fd[= ]0\b)"
    r"|-key-file[= ]-(?!\S)|-stdin-pass\w*|-with-token"
    r"|pass(?:in|out)?[= ](?:stdin|fd:0\b)|o[ \t]*password_stdin\b)"
    r"|\bsshpass[ \t]+-d|\bopenssl[ \t]+passwd\b[^\n]*?[ \t]-stdin\b"
)
_WRITES = later(r"\b(?:tee|cat|(?i:out-file|(?:set|add)-content))\b")
_SECRET_FILE = later(r"[/\\\s][\w.-]*?(?:pass|secret|token|pw)")
_READ = later(
    r"\b(?:read|mapfile|readarray)\b(?:[ \t]{1,9}-\w{1,20}){0,6}((?:[ \t]{1,9}\w{1,60}){1,8}+)"
    r"[ \t]*+(?:[;<]|\Z)"
)
_ARGUMENTS = later(
    r"\b(?:xargs|parallel)\b"
    r"(?:[ \t]+-(?:I[ \t]*(?P<sign>\S+)|[nPLsdEj][ \t]*\S+|[^\sI]\S*)){0,20}+"
    r"[ \t]+(?P<command>[^-\s].*)"
)
_ARGUMENT = "a:/,%INPUT"
"""What stands for the input: a user and a password, of which a program may take only the second."""
_OPTION = later(rf"(?<!\S)-{{1,2}}([\w-]{{1,60}})[ =][\"']?{_ARGUMENT}\b")
_COPIED = later(r"^[ \t]*(?:COPY|ADD)[ \t][^\n]*[ \t](\S+)[ \t]*\Z")
_SECRET_ENDINGS = frozenset("htpasswd sth stash pw pwd pass passwd secret token key".split())
"""Endings of such files."""
_SECRET_NAME = later(r"(?i)[a-z][_-]pass$|credentials$")
_HOLDS_PASSWORD = later(r"(?i)(?:pass|passw(?:or)?d|passphrase|pwd?|token)_?(?:file|path)$")
"""The end of the name of a file, or of a variable that holds its name: `> $PASSWORD_FILE`."""
_REDIRECT = later(r"(?<!<)>>?[ \t]*([^\s;&|)<>]+)")

LOGINS = tuple((later(form.stems[0]), form.pattern) for form in forms("dialogues"))
"""Programs that take secrets from lines of their input, and the forms of these lines."""


def reads(line: str) -> Reads:
    """Return what the commands of a line read as a secret, or write to a file of secrets."""
    return max(map(_reads, _END_OF_COMMAND.split(line)))


def _reads(command: str) -> Reads:
    """Tell the same of one command; each pattern runs over it once."""
    if _FROM_INPUT.search(command) or reads_variable(command) or _takes_argument(command):
        return Reads.ALL
    last = Computed[re.Pattern[str], int](
        lambda option: max((found.start() for found in option.finditer(command)), default=-1)
    )
    how = Reads.NOTHING
    for program in _PROGRAM.finditer(command):
        name, end = program[1], program.end()
        needs, never = _NEEDS.get(name), _NEVER.get(name)
        if (needs is None or last[needs] >= end) and (never is None or last[never] < end):
            if name not in _FIRST_LINE:
                return Reads.ALL
            how = Reads.FIRST_LINE
    written = _WRITES.search(command)
    fills_secret = written is not None and _SECRET_FILE.search(command, written.end()) is not None
    return Reads.ALL if fills_secret else how


def reads_variable(command: str) -> bool:
    """Return whether a command reads its input into a variable that is named like a secret."""
    variables = _READ.search(command)
    return variables is not None and any(
        judge(name) is Sign.STRONG or name.lower().endswith("pass") for name in variables[1].split()
    )


def _takes_argument(command: str) -> bool:
    """Return whether `xargs` puts its input at the place of a secret in another command."""
    found = _ARGUMENTS.search(command)
    return found is not None and takes_text(found["command"].strip("\"'"), found["sign"] or "{}")


def takes_text(command: str, sign: str) -> bool:
    """Return whether `sign` is at the place of a secret in a command; at its end if it has none."""
    inner = command.replace(sign, _ARGUMENT) if sign in command else f"{command} {_ARGUMENT}"
    option = _OPTION.search(inner)
    if option is not None and judge(option[1]) is Sign.STRONG:
        return True
    spans = in_commands(inner, LowerCase(inner, is_part=True))
    return any(inner[start:end].endswith("INPUT") for start, end in spans)


def is_secret_file(file: str) -> bool:
    """Return whether a file is by its name one that holds nothing but a secret."""
    file = file.strip("\"'").replace("\\", "/")
    name, _, ending = file.rpartition("/")[2].lstrip(".").partition(".")
    is_named = (
        judge(name) is Sign.STRONG
        or ending.lower() in _SECRET_ENDINGS
        or (not ending and _SECRET_NAME.search(name) is not None)
        or _HOLDS_PASSWORD.search(name.rstrip("}")) is not None
    )
    return "/secrets/" in file or is_named


def file_written(line: str) -> str:
    """Return the file to which a line sends its input, blank if there is none."""
    file = _REDIRECT.search(line) or _COPIED.search(line)
    return file[1] if file is not None else ""
