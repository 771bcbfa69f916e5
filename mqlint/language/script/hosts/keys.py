"""Keys of CI, Ansible and cloud-init that hold scripts, act on files or start containers."""

from __future__ import annotations

import re
from collections.abc import Iterable

from mqlint.patterns import later


def _one_of(words: Iterable[str]) -> str:
    """Return the part of a pattern that is one of some words."""
    return "|".join(map(re.escape, words))


_SHELL_MODULES, _WINDOWS_MODULES = ("shell", "command", "raw"), ("win_shell", "win_command")
SCRIPT_KEYS = (
    *("run", "script", "before_script", "after_script", "bash", "powershell", "pwsh"),
    *(f"{prefix}{name}" for prefix in ("", "ansible.builtin.") for name in _SHELL_MODULES),
    *(f"{prefix}{name}" for prefix in ("", "ansible.windows.") for name in _WINDOWS_MODULES),
    *("runcmd", "bootcmd"),
    *("inline", "Inline", "inlineScript"),
    "UserData",
)
"""Keys of CI, Ansible, cloud-init and CloudFormation whose values are scripts.

`inline` is that of the task SSH of Azure Pipelines, `Inline` and `inlineScript` those of
AzurePowerShell and AzureCLI.
"""
SCRIPT_KEY = later(rf"(?m)^[ \t]*(?:- +)?(?:{_one_of(SCRIPT_KEYS)})[ \t]*:")

MODULE = later(
    r"(?m)^[ \t]*(?:- +)?(?:ibm_messaging\.ibmmq\.)?queue_manager[ \t]*:[ \t]*(?:#[^\n]*)?\r?\n"
    r"(?:[ \t]*+(?:[#\w-][^\n]*+|\r?)\n){0,12}?[ \t]+qmname[ \t]*:"
)
"""The module of IBM's collection for Ansible."""
_COLLECTIONS = ("", "ansible.builtin.", "ansible.legacy.", "ansible.posix.", "community.general.")


def _in_collections(*modules: str) -> frozenset[str]:
    return frozenset(f"{prefix}{name}" for name in modules for prefix in _COLLECTIONS)


EDITING_MODULES = _in_collections(
    "file", "lineinfile", "replace", "blockinfile", "ini_file", "copy", "template"
)
UNPACKING_MODULES = _in_collections("unarchive")
PACKING_MODULES = _in_collections("archive")
SYNCHRONIZING_MODULES = _in_collections("synchronize")
MOUNTING_MODULES = _in_collections("mount")
CLOSING_MODULES = _in_collections(
    *"iptables firewalld ufw nftables win_firewall_rule ec2_security_group ec2_group".split(),
    *"azure_rm_securitygroup".split(),
)
"""Modules of Ansible for firewalls and security groups."""
INCLUDING_MODULES = _in_collections("include_role", "import_role", "include_tasks", "import_tasks")
RUNNING_OTHERS = INCLUDING_MODULES | _in_collections("import_playbook") | {"roles"}
SERVICE_MODULES = _in_collections("service", "systemd", "systemd_service", "sysvinit")
MAY_DO_ANYTHING = later(
    rf"(?m)^[ \t]*(?:- +)?(?:{_one_of(sorted(RUNNING_OTHERS | SERVICE_MODULES))})[ \t]*:"
)
"""Tasks of Ansible that run what is in other files, and those that start and stop services."""
FILE_MODULES = (
    EDITING_MODULES | PACKING_MODULES | UNPACKING_MODULES | SYNCHRONIZING_MODULES | MOUNTING_MODULES
) | CLOSING_MODULES
"""Modules of Ansible that write, change, remove or mount files, or close a network."""
PACKAGE_MODULES = _in_collections("apt", "dnf", "package", "yum", "zypper")
CONTAINER_MODULES = (
    *("docker_container", "community.docker.docker_container"),
    *("podman_container", "containers.podman.podman_container"),
)
"""The modules of Ansible that start containers."""
FILE_MODULE = later(
    rf"(?m)^[ \t]*(?:- +)?(?:{_one_of(sorted(FILE_MODULES | PACKAGE_MODULES))})[ \t]*:"
)
STARTS = later(rf"(?m)^[ \t]*(?:- +)?(?:{_one_of(CONTAINER_MODULES)})[ \t]*:[ \t]*(?:#[^\n]*)?\r?$")
