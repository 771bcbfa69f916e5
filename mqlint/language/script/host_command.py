"""Commands on a queue manager's host: its processes, units, packages, clock, volumes, network.

What opens a network again (`-D`, `delete`, `allow`) does not count as closing it. A list of rules
that is read from a file does: a script that opens the network names the port.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from mqlint.language.script.command import (
    Word,
    base_name,
    processes_named,
    service_words,
    stops_queue_manager,
)
from mqlint.language.script.files.path import queue_manager_path
from mqlint.language.script.files.touched import (
    FileCommand,
    FileCommandReader,
    Touched,
    split,
    touched_by,
)
from mqlint.patterns import later

# -- networks --------------------------------------------------------------------------------------


_TABLES = later(
    r"(?!(?:.{0,400} )?(?:-D|--delete|-C|--check) ).{0,400}(?<![\w-])(?:DROP|REJECT)(?![\w-])"
)
_FILE = later(r"")
_CLOSES: Mapping[str, re.Pattern[str]] = {
    **dict.fromkeys(("iptables", "ip6tables", "ebtables"), _TABLES),
    **dict.fromkeys(("iptables-restore", "ip6tables-restore", "ifdown"), _FILE),
    "nft": later(r"(?!delete|list|flush).{0,400}(?<![\w-])(?:drop|reject|-f|--file)(?![\w-])"),
    "firewall-cmd": later(
        r"(?!.{0,400}--(?:remove|query|list|get)-).{0,400}"
        r"(?:--panic-on|(?<![\w-])(?:drop|reject|DROP|REJECT|block)(?![\w-]))"
    ),
    "ufw": later(r"(?!.{0,80}\b(?:delete|allow|status)\b).{0,400}\b(?:deny|reject|enable)\b"),
    "pfctl": later(r".{0,200}-(?:e|f|ef)\b"),
    "unshare": later(r"(?:-\S{1,40} ){0,8}?(?:-[A-Za-z]{0,12}n[A-Za-z]{0,12}|--net)(?: |\Z)"),
    "ip": later(
        r".{0,80}\blink set\b.{0,80}\bdown\b|.{0,80}\broute del"
        r"|.{0,80}\broute add (?:blackhole|unreachable|prohibit)\b"
    ),
    "ifconfig": later(r".{0,80}\bdown\b"),
    "nmcli": later(r".{0,80}\b(?:down|disconnect|off)\b"),
    "route": later(r".{0,200}(?:-reject|-blackhole|\breject\b|\bdel(?:ete)?\b)"),
    "netsh": later(r"(?i).{0,400}(?:action=block|blockoutbound|admin=disable)"),
    "new-netfirewallrule": later(r"(?i).{0,400}-Action Block\b"),
    "set-netfirewallprofile": later(r"(?i).{0,400}OutboundAction Block\b"),
    "disable-netadapter": _FILE,
    "aws": later(
        r"ec2 (?:revoke-security-group-|replace-network-acl-association\b|delete-route\b"
        r"|(?:create|replace)-network-acl-entry\b.{0,400}\bdeny\b"
        r"|modify-(?:instance|network-interface)-attribute\b.{0,400}--groups\b"
        r"|delete-(?:vpc-peering-connection|transit-gateway))"
    ),
    "az": later(
        r"(?i)network (?:nsg rule (?:create|update)\b.{0,400}--access[ =]Deny\b"
        r"|vnet peering delete\b|nic update\b.{0,400}--network-security-group\b)"
    ),
    "gcloud": later(
        r"(?i)compute (?:firewall-rules create\b.{0,400}(?:--action[ =]deny\b|--rules[ =]deny)"
        r"|networks peerings delete\b)"
    ),
}
"""The programs, and how their words begin if they close the network."""


# -- commands --------------------------------------------------------------------------------------


_VOLUME_OF_MQ = later(r"(?i)mq|qm")
_VOLUME_OF_COPIES = later(r"(?i)back|bkp|bck|arch|dump|export|restore|install|iso|media")
"""Names of file systems that a queue manager does not need to run."""
_PLACE_OF_COPIES = later(r"(?i)/(?:mnt|media|tmp|backup)\b.*(?:snap|clone|copy)")
"""Where a copy is mounted to be read; from there no queue manager runs."""
_MOUNTS = {"mount": "mount", "umount": "unmount"}
_MAKES_CLONE = {
    "aws": later(
        r"ec2 create-volume\b.{0,400}--snapshot-id\b|ec2 create-replace-root-volume-task\b"
        r"|fsx create-(?:volume|file-system)-from-(?:backup|snapshot)\b|backup start-restore-job\b"
    ),
    "az": later(
        r"disk create\b.{0,400}--source\b|netappfiles volume create\b.{0,400}--snapshot-id"
    ),
    "gcloud": later(r"compute disks create\b.{0,400}--source-(?:snapshot|disk|instant-snapshot)\b"),
    **dict.fromkeys(("symrdf", "symmir"), later(r"(?:.{0,400} )?split\b")),
    "symclone": later(r"(?:.{0,400} )?activate\b"),
    "volume": later(r"clone create\b"),
    "rbd": later(r"clone\b"),
}
"""Commands of clouds and storage systems that make a disk of a copy of another one.

Also those that make the second disk of a pair writable, while the first one is used on.
"""
_OF_MQ = r"(?=.{0,900}(?:mq|qm|MQ|QM))"
_MAKES_SNAPSHOT = {
    "aws": later(rf"ec2 create-snapshot {_OF_MQ}"),
    "az": later(rf"snapshot create\b{_OF_MQ}"),
    "gcloud": later(rf"compute (?:disks snapshot|snapshots create)\b{_OF_MQ}"),
    **dict.fromkeys(("new-azsnapshot", "new-ec2snapshot"), later(_OF_MQ)),
    "purevol": later(rf"snap\b{_OF_MQ}"),
    "rbd": later(rf"snap create\b{_OF_MQ}"),
    "volume": later(rf"snapshot create\b{_OF_MQ}"),
}
"""Commands of clouds and storage systems that copy one disk; `volume` is that of ONTAP.

`aws ec2 create-snapshots` copies all of a machine, `purepgroup snap` those of a group.
"""
_FREEZES = dict.fromkeys(("fsfreeze", "xfs_freeze"), later(r"(?:-f|--freeze)\b"))
"""Commands that stop writing to a file system, so that snapshots of several are of one instant."""
_OF_DISKS_AND_NETWORKS = (
    ("freeze", _FREEZES),
    ("clone", _MAKES_CLONE),
    ("snapshot", _MAKES_SNAPSHOT),
    ("isolate", _CLOSES),
)
_UNIT = later(r"(?i)(?=[\w-]*?mq)[\w-]++@([\w.%/-]{1,48}?)(?:\.service)?$")
_MQ_UNIT = later(r"(?i)(?=[\w-]*?(?:mq|qm))[\w@.-]++$")

_MQ_PACKAGE = later(r"['\"]?(?:MQSeries|ibmmq-|(?i:IBM[ ._-]?MQ[^/\\]*\.ms[ip]$))")
_ONLY_TRIED = frozenset(
    ("--downloadonly", "--download-only", "--assumeno", "--dry-run", "--simulate", "--test")
)
"""Options with which packages are fetched or listed, but not installed."""
_RPM_CHANGES = later(r"-[a-z]*[UFe]|--(?:upgrade|freshen|erase|reinstall)$")
_INSTALLP_CHANGES = later(r"-(?=[A-Zb-ce-oqs-tv-z]{0,9}[aru])[A-QS-Zabce-oq-z]{1,20}(?:d|$)")
"""Apply, reject or uninstall in the default folder, where -p would only preview it."""
_MQ_FILESET = later(r"mqm(?:\.[\w.*]*)?$")
_CHANGES_PACKAGES = frozenset(
    "update upgrade localinstall localupdate downgrade reinstall remove erase purge dist-upgrade "
    "--only-upgrade --remove -r -P /i /p /x /package /update /uninstall".split()
)


ON_NUMBERS = {"kill": "kill", "ipcrm": "memory"}
"""Commands that get numbers, of processes or of shared memory, and the classes of their steps."""


def on_numbers(name: str, processes: frozenset[str]) -> FileCommand | None:
    """Return what kill or ipcrm does, which get their numbers from commands that name `processes`.

    Shared memory belongs to the user mqm, which ipcs shows.
    """
    is_of_mq = stops_queue_manager(processes)
    return FileCommand(ON_NUMBERS[name], every=True) if is_of_mq else None


def _snapshot(name: str, words: Sequence[Word], folder: str) -> FileCommand | None:
    """Lvcreate, zfs and btrfs: the name of a volume may say which files are on it."""
    options, operands = split(name, words[1:])
    texts = [word.text for word in words[1:]]
    if name == "lvcreate":
        is_snapshot = any(text in ("--snapshot",) or re.match(r"-[a-z]*s", text) for text in texts)
    else:
        is_snapshot = "snapshot" in texts[:2]
    volumes = [word for word in operands if _VOLUME_OF_MQ.search(word.text[:200])]
    if not is_snapshot or not volumes:
        return None
    return FileCommand(
        "snapshot", touched_by(volumes, folder), volumes[0], tuple(options), every=True
    )


def _zfs(name: str, words: Sequence[Word], folder: str) -> FileCommand | None:
    """Zfs: a snapshot, a clone of one, or the folder at which a file system is mounted."""
    options, operands = split(name, words[1:])
    if len(operands) < 3 or operands[0].text not in ("clone", "set"):
        return _snapshot(name, words, folder)
    settings = (value for word, value in options if word.text == "-o" and value is not None)
    folders = [word for word in (*settings, *operands) if word.text.startswith("mountpoint=")]
    touched = tuple(
        found for word in folders for found in _mounted_at(word, word.text.partition("=")[2])
    )
    if operands[0].text == "clone":
        return FileCommand("restore" if touched else "clone", touched, operands[-1], every=True)
    return FileCommand("mount", touched, operands[-1], every=True) if touched else None


def _disk_or_network(name: str, words: Sequence[Word], folder: str) -> FileCommand | None:
    """Firewalls, routes, tools of clouds and storage: a closed network, a disk that is copied."""
    is_service = name in _MAKES_CLONE
    text = service_words(words) if is_service else " ".join(word.text for word in words[1:])[:1_000]
    for action, forms in _OF_DISKS_AND_NETWORKS:
        if name in forms and forms[name].match(text) is not None:
            return FileCommand(action, every=True)
    return None


def _kill_by_name(name: str, words: Sequence[Word], folder: str) -> FileCommand | None:
    """Pkill, killall and taskkill of MQ's processes."""
    return on_numbers("kill", processes_named(word.text[:200] for word in words[1:]))


def _mount(name: str, words: Sequence[Word], folder: str) -> FileCommand | None:
    """Mount and umount of a file system whose name shows MQ."""
    _, operands = split(name, words[1:])
    names = [word.text[:200] for word in operands]
    touched = _mounted_at(operands[-1], operands[-1].text) if name == "mount" and operands else ()
    of_mq = any(map(_VOLUME_OF_MQ.search, names)) and not any(map(_VOLUME_OF_COPIES.search, names))
    if not (of_mq or touched) or _PLACE_OF_COPIES.match(names[-1]) is not None:
        return None
    source = operands[0] if len(operands) > 1 else None
    return FileCommand(_MOUNTS[name], touched, source, every=True)


def _mounted_at(word: Word, folder: str) -> tuple[Touched, ...]:
    """The folder of all queue managers, or of one, at which a file system is mounted."""
    leads_to = queue_manager_path(folder)
    return () if leads_to is None else (Touched(word, folder, leads_to),)


def _processes(name: str, words: Sequence[Word], folder: str) -> FileCommand:
    """Ps, pgrep, pidof and tasklist: a loop with them may wait until a queue manager has ended."""
    return FileCommand("query", every=True)


def _clock(name: str, words: Sequence[Word], folder: str) -> FileCommand | None:
    """Date -s, timedatectl set-time, hwclock --set."""
    texts = {word.text for word in words[1:]}
    sets = {"date": {"-s"}, "timedatectl": {"set-time"}, "hwclock": {"--set"}}[name]
    is_set = bool(texts & sets) or any(text.startswith("--set=") for text in texts)
    return FileCommand("clock", every=True) if is_set else None


def _service(name: str, words: Sequence[Word], folder: str) -> FileCommand | None:
    """Systemctl on a unit that bears a queue manager's name: mq@QMA."""
    options, operands = split(name, words[1:])
    units = [word for word in operands[1:] if _MQ_UNIT.match(word.text[:80])]
    if not units:
        return None
    unit = _UNIT.match(units[0].text[:80])
    unit_name = unit[1] if unit is not None and "%" not in unit[1] else None
    return FileCommand("service", (), None, tuple(options), unit_name, every=unit_name is None)


def _packages(name: str, words: Sequence[Word], folder: str) -> FileCommand | None:
    """Commands of package managers that replace or remove MQ's packages."""
    texts = [word.text.lower() if name == "msiexec" else word.text for word in words[1:]]
    if _ONLY_TRIED.intersection(texts):
        return None
    if name == "installp":
        changes = any(_INSTALLP_CHANGES.match(text[:200]) for text in texts) and "-R" not in texts
        of_mq = any(_MQ_FILESET.match(text[:200]) for text in texts)
        return FileCommand("packages", every=True) if changes and of_mq else None
    if name == "rpm":
        changes = any(_RPM_CHANGES.match(text) for text in texts)
    else:
        changes = any(text in _CHANGES_PACKAGES for text in texts)
    of_mq = any(_MQ_PACKAGE.match(base_name(text[:200])) for text in texts)
    return FileCommand("packages", every=True) if changes and of_mq else None


_PACKAGERS = ("rpm", "yum", "dnf", "zypper", "apt-get", "apt", "dpkg", "msiexec", "installp")
HOST_READERS: Mapping[str, FileCommandReader] = {
    **{name: _disk_or_network for _, forms in _OF_DISKS_AND_NETWORKS for name in forms},
    **dict.fromkeys(("lvcreate", "btrfs"), _snapshot),
    "zfs": _zfs,
    **dict.fromkeys(("pkill", "killall", "taskkill"), _kill_by_name),
    **dict.fromkeys(("date", "timedatectl", "hwclock"), _clock),
    **dict.fromkeys(_PACKAGERS, _packages),
    **dict.fromkeys(_MOUNTS, _mount),
    "systemctl": _service,
    **dict.fromkeys(("ps", "pgrep", "pidof", "tasklist"), _processes),
}
"""The readers of these commands, by their names."""
