"""Which files hold scripts: what must stand in a file of such a name."""

from __future__ import annotations

import re

_HOSTED = {
    "systemd": re.compile(r"^[ \t]*Exec\w+[ \t]*=", re.MULTILINE),
    "docker": re.compile(r"^[ \t]*(?:RUN|CMD|ENTRYPOINT)\b", re.MULTILINE | re.IGNORECASE),
    "jenkins": re.compile(
        r"\b(?:sh|bat|powershell|pwsh)[ \t]*\(?[ \t]*(?:script[ \t]*:)?[ \t]*['\"]"
    ),
    "terraform": re.compile(r"<<-?[A-Za-z_]\w{0,60}[ \t]*\r?$", re.MULTILINE),
    "pipeline": re.compile(
        r"^[ \t]*(?:- +)?"
        r"(?:run|script|(?:before|after)_script|(?:ansible\.builtin\.)?(?:shell|command|raw)|bash"
        r"|powershell|pwsh|(?:ansible\.windows\.)?win_(?:shell|command))"
        r"[ \t]*:",
        re.MULTILINE,
    ),
}
"""What must stand in a file that holds scripts."""
_PIPELINE = re.compile(
    r"^(?:- +| +(?:- +)?)?(?:hosts|tasks|handlers|become|become_user|jobs|runs-on|steps"
    r"|changed_when|stages?|image|pool|(?:before|after)_script"
    r"|ansible\.(?:builtin|windows)\.[a-z_]+)[ \t]*:",
    re.MULTILINE,
)
_OF_ROLES = re.compile(r"(?:^|/)(?:tasks|handlers|roles|playbooks)/|\.gitlab-ci\.ya?ml")
"""What tells YAML of CI and Ansible from other YAML: a key of theirs, or where it stands."""


def holds(host: str, path: str, text: str) -> bool:
    """Whether a file of such a name holds scripts.

    `host` is what its name tells: systemd, docker, jenkins, terraform or pipeline.
    """
    if _HOSTED[host].search(text) is None:
        return False
    if host != "pipeline" or _PIPELINE.search(text) is not None:
        return True
    return _OF_ROLES.search(path.replace("\\", "/")) is not None
