"""Programs that read a secret from their input, and files that are meant to hold one."""

from __future__ import annotations

import re

from mqlint.patterns import later

_END_OF_COMMAND = later(r"[\n|;&]+")
_PROGRAM = later(
    r"\b(chpasswd|kinit|smbpasswd|su|runmqcred|runqmcred|runamscred|runp11cred|mqiptPW|passwd"
    r"|cryptsetup|base64|ldappasswd|vault|ansible-vault|realm|sudo|docker|podman|gcloud|gh|kubectl|oc|amqs\w+|runmqsc|dmpmqcfg|endmqm)"
    r"(?=[\s;)\"']|$)"
)
_COMMAND_OPTION = later(r"\s-\w*c\b")
_READS_PASSWORD = later(r"\s-\w*S")
_STATUS = later(r"\s+-S")
_OF_SECRETS = later(r"\ssecrets?\s")
_USER = later(r"\s-u\s")
_FROM_INPUT = later(
    r"(?<=\S)\s+-(?:-?pass\w*-(?:stdin|fd[= ]0)|-stdin-pass\w*|pass(?:in|out)?[= ]stdin)"
)
_WRITES = later(r"\b(?:tee|cat)\b")
_KEPT_FILE = later(r"[/\s][\w.-]*?(?:pass|secret|token|pw)")


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
