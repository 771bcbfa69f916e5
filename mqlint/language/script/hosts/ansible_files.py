"""Modules of Ansible that write, change or remove files, as the commands of a shell that do so.

Source: documentation of ansible.builtin and ansible.posix. `file` with `state: absent` removes a
folder with all that is in it; `lineinfile`, `replace` and `blockinfile` change a file in place;
`copy` and `template` replace it; `unarchive` and `synchronize` bring folders, `archive` packs
them; `mount` (of ansible.posix) mounts a file system. `apt`, `dnf`, `package`, `yum` and `zypper`
change packages if their state is latest or absent. Only tasks on files of queue managers, on MQ's
folder or on mqinst.ini are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from re import Pattern

from mqlint.language.declaration import NamedFile
from mqlint.language.script.hosts.ansible import Task, Words, line, tasks_in
from mqlint.language.script.hosts.host import Block
from mqlint.language.script.hosts.keys import (
    CLOSING_MODULES,
    EDITING_MODULES,
    INCLUDING_MODULES,
    MOUNTING_MODULES,
    PACKAGE_MODULES,
    PACKING_MODULES,
    SYNCHRONIZING_MODULES,
    UNPACKING_MODULES,
)
from mqlint.language.script.input.written import STANZA_FILES
from mqlint.language.script.results import stanzas_of
from mqlint.language.script.step import Embedded
from mqlint.language.text.templates import with_placeholders
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later

_OF_MQ = later(r"/qmgrs/|/var/mqm/?$|/var/mqm/(?:log|vols)\b|/MQHA\b|mqinst\.ini$|mqs\.ini$")


_ISOLATES = later(r"(?i)isolat|firewall|fence|close|network|quarantine")
_CLOSES = later(r"(?i)\b(?:drop|reject|deny|block)\b")


def file_commands(documents: Iterable[Node]) -> Iterator[Block]:
    """Yield the commands that do what tasks do to files, packages and networks."""
    for task in tasks_in(documents, _READERS):
        yield from _READERS[task.module](task)


def _copied(before: str, between: str, found: Task) -> Iterator[Block]:
    """Yield what a task does to a file; `before` are the words before `src`, `between` `dest`."""
    task = found.arguments
    target = task.child("path") or task.child("dest") or task.child("name")
    if target is None or target.kind != "scalar" or _OF_MQ.search(target.text) is None:
        return
    for number, words in enumerate(_commands(task, target, (before, between))):
        nodes = [node for _, node in words if node is not None]
        # Places only go forward: the command begins at the first of its words, if it can.
        at = min(node.start for node in nodes) if nodes == _sorted(nodes) else found.start
        yield Block(line(at + number, words), maybe=found.maybe, plain=True)


def _packed(found: Task) -> Iterator[Block]:
    """Yield the command of a task that packs folders of queue managers into an archive."""
    path, archive = found.arguments.child("path"), found.arguments.child("dest")
    sources = [] if path is None else (path.items if path.kind == "list" else [path])
    nodes = [node for node in (archive, *sources) if node is not None and node.kind == "scalar"]
    if archive is None or len(nodes) <= len(sources):
        return
    if any(_OF_MQ.search(source.text) for source in sources):
        words = [("-f" if node is archive else "", node) for node in _sorted(nodes)]
        at = min(node.start for node in nodes)
        yield Block(line(at, [("tar -c", None), *words]), maybe=found.maybe, plain=True)


def _closed(closes: Pattern[str], found: Task) -> Iterator[Block]:
    """Yield a command that closes a network, if a task does so.

    What a security group lets through is not worked out: it counts as closed. So does what a role
    does whose name says that it isolates.
    """
    values = found.arguments.pairs.values()
    texts = [value.text for value in values if value.kind == "scalar"]
    is_group = closes is _CLOSES and len(texts) < len(values)
    if is_group or any(map(closes.search, texts)):
        words: Words = [("iptables -j DROP", None)]
        yield Block(line(found.start, words), maybe=found.maybe, plain=True)


_CHANGES_PACKAGES = {"latest": "upgrade", "absent": "remove", "removed": "remove"}
"""The states of packages that change or remove installed ones, and what dnf calls it."""


def _with_packages(found: Task) -> Iterator[Block]:
    """Yield the command of a task that changes or removes packages."""
    change = _CHANGES_PACKAGES.get(found.arguments.word("state"))
    packages = found.arguments.entries_or_value("name")
    if change is not None and packages and all(node.kind == "scalar" for node in packages):
        words: Words = [(f"dnf {change}", None), *(("", node) for node in packages)]
        yield Block(line(packages[0].start, words), maybe=found.maybe, plain=True)


_READERS: Mapping[str, Callable[[Task], Iterator[Block]]] = {
    **dict.fromkeys(EDITING_MODULES, partial(_copied, "cp", "")),
    **dict.fromkeys(UNPACKING_MODULES, partial(_copied, "tar -x -f", "-C")),
    **dict.fromkeys(SYNCHRONIZING_MODULES, partial(_copied, "rsync -a", "")),
    **dict.fromkeys(MOUNTING_MODULES, partial(_copied, "mount", "")),
    **dict.fromkeys(PACKING_MODULES, _packed),
    **dict.fromkeys(PACKAGE_MODULES, _with_packages),
    **dict.fromkeys(CLOSING_MODULES, partial(_closed, _CLOSES)),
    **dict.fromkeys(INCLUDING_MODULES, partial(_closed, _ISOLATES)),
}
"""What reads the tasks with a module."""


def files_sent(documents: Iterable[Node]) -> Iterator[NamedFile]:
    """Yield the files of MQSC and stanzas that tasks send, in the folders of a role and beside.

    A name without a folder is looked for in `templates` or `files` of the role first
    ("Search paths in Ansible").
    """
    for _, task, _, _ in tasks_in(documents, EDITING_MODULES):
        source = task.child("src")
        found = _SENT.fullmatch(source.text) if source is not None else None
        if source is None or found is None or task.word("remote_src").lower() in ("true", "yes"):
            continue
        yield NamedFile(source.text, source.span)
        if "/" not in source.text:
            folder = "templates" if source.text.endswith(".j2") else "files"
            yield NamedFile(f"../{folder}/{source.text}", source.span)


def stanza_texts(documents: Iterable[Node]) -> Iterator[Embedded]:
    """Yield the stanzas that the tasks write into qm.ini, mqs.ini or mqclient.ini."""
    for _, task, _, maybe in tasks_in(documents, EDITING_MODULES):
        target = task.child("path") or task.child("dest")
        text = task.child("block") or task.child("content")
        if maybe or target is None or text is None or text.mapped is None:
            continue
        if target.text.lower().endswith(STANZA_FILES):
            name = with_placeholders(target.text)
            yield from stanzas_of(name, text.mapped, f"#{target.text}")


def _sorted(nodes: list[Node]) -> list[Node]:
    return sorted(nodes, key=lambda node: node.start)


def _commands(task: Node, target: Node, copying: tuple[str, str]) -> Iterator[Words]:
    """Yield the commands of one task, the one that sets the mode last.

    `copying` are the words before `src` and before `dest`.
    """
    state = task.word("state")
    source = task.child("src")
    if copying[0] == "mount":
        if state in ("mounted", "ephemeral") and source is not None and source.kind == "scalar":
            yield [("mount", source), ("", target)]
        return
    change = _change(task)
    if state == "absent" and change is None:
        yield [("rm -rf", target)]
        return
    if change is not None:
        if change.start < target.start:
            yield [("sed -i -e", change), ("", target)]
        else:
            yield [("sed -i", target), ("-e", change)]
    if source is not None and source.kind == "scalar":
        yield [(copying[0], source), (copying[1], target)]
    deep = " -R" if task.word("recurse").lower() in ("true", "yes") else ""
    for key, command in _PERMISSIONS.items():
        value = task.child(key)
        if value is not None and value.kind == "scalar" and value.text not in _DIRECTIONS:
            yield [(f"{command}{deep}", value), ("", target)]


_PERMISSIONS: Mapping[str, str] = {"mode": "chmod", "owner": "chown"}
_DIRECTIONS = frozenset({"push", "pull"})
"""What `mode` says in `synchronize`."""
_SENT = later(r"(?:[\w.-]{1,60}/){0,6}[\w.-]{1,80}(?:\.j2|\.mq\w{1,3}|\.ini)")
_CHANGES = ("line", "replace", "block", "option", "regexp")


def _change(task: Node) -> Node | None:
    """What a task writes into a file, None if it does not change one in place."""
    found = (task.child(key) for key in _CHANGES)
    return next((node for node in found if node is not None), None)
