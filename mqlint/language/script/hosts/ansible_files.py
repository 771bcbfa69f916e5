"""Modules of Ansible that write, change or remove files, as the commands of a shell that do so.

Source: documentation of ansible.builtin and ansible.posix. `file` with `state: absent` removes a
folder with all that is in it; `lineinfile`, `replace` and `blockinfile` change a file in place;
`copy` and `template` replace it; `unarchive` and `synchronize` bring folders, `archive` packs
them; `mount` (of ansible.posix) mounts a file system. `apt`, `dnf`, `package`, `yum` and `zypper`
change packages if their state is latest or absent. Only tasks on files of queue managers, on MQ's
folder or on mqinst.ini are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from mqlint.language.script.hosts import (
    CLOSING_MODULES,
    EDITING_MODULES,
    INCLUDING_MODULES,
    MOUNTING_MODULES,
    PACKAGE_MODULES,
    PACKING_MODULES,
    SYNCHRONIZING_MODULES,
    UNPACKING_MODULES,
)
from mqlint.language.script.hosts.ansible import Words, arguments, line
from mqlint.language.script.hosts.host import Block
from mqlint.language.script.input.source import STANZA_FILES
from mqlint.language.script.results import stanzas_of
from mqlint.language.script.step import Embedded
from mqlint.language.text.templates import with_placeholders
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later

_COPYING = (
    (EDITING_MODULES, "cp", ""),
    (UNPACKING_MODULES, "tar -x -f", "-C"),
    (SYNCHRONIZING_MODULES, "rsync -a", ""),
    (MOUNTING_MODULES, "mount", ""),
)
"""Modules, and the command that does what they do with `src`: before it, and before `dest`."""
_OF_MQ = later(r"/qmgrs/|/var/mqm/?$|/var/mqm/(?:log|vols)\b|/MQHA\b|mqinst\.ini$|mqs\.ini$")


_ISOLATES = later(r"(?i)isolat|firewall|fence|close|network|quarantine")
_CLOSES = later(r"(?i)\b(?:drop|reject|deny|block)\b")


def file_tasks(documents: Iterable[Node]) -> Iterator[Block]:
    documents = list(documents)
    tasks = [
        (start, task, maybe, before, between)
        for modules, before, between in _COPYING
        for task, start, maybe in arguments(documents, modules)
    ]
    for start, task, maybe, before, between in sorted(tasks, key=lambda task: task[0]):
        target = task.child("path") or task.child("dest") or task.child("name")
        if target is None or target.kind != "scalar" or _OF_MQ.search(target.text) is None:
            continue
        for number, words in enumerate(_commands(task, target, (before, between))):
            nodes = [node for _, node in words if node is not None]
            # Places only go forward: the command begins at the first of its words, if it can.
            at = min(node.start for node in nodes) if nodes == _sorted(nodes) else start
            yield Block(line(at + number, words), maybe=maybe, plain=True)
    yield from _archives(documents)
    yield from _packages(documents)


def _archives(documents: Iterable[Node]) -> Iterator[Block]:
    """Yield the tasks that pack folders of queue managers into an archive."""
    for task, _, maybe in arguments(documents, PACKING_MODULES):
        path, archive = task.child("path"), task.child("dest")
        sources = [] if path is None else (path.items if path.kind == "list" else [path])
        nodes = [node for node in (archive, *sources) if node is not None and node.kind == "scalar"]
        if archive is None or len(nodes) <= len(sources):
            continue
        if any(_OF_MQ.search(source.text) for source in sources):
            words = [("-f" if node is archive else "", node) for node in _sorted(nodes)]
            at = min(node.start for node in nodes)
            yield Block(line(at, [("tar -c", None), *words]), maybe=maybe, plain=True)


def closings(documents: Iterable[Node]) -> Iterator[Block]:
    """Yield the tasks that close a network, as a command that does so.

    What a security group lets through is not worked out: it counts as closed. So does what a role
    does whose name says that it isolates.
    """
    documents = list(documents)
    tasks = [
        (task, start, maybe, closes)
        for modules, closes in ((CLOSING_MODULES, _CLOSES), (INCLUDING_MODULES, _ISOLATES))
        for task, start, maybe in arguments(documents, modules)
    ]
    for task, start, maybe, closes in tasks:
        texts = [value.text for _, _, value in task.pairs if value.kind == "scalar"]
        is_group = closes is _CLOSES and any(value.kind != "scalar" for _, _, value in task.pairs)
        if is_group or any(map(closes.search, texts)):
            yield Block(line(start, [("iptables -j DROP", None)]), maybe=maybe, plain=True)


_CHANGES_PACKAGES = {"latest": "upgrade", "absent": "remove", "removed": "remove"}
"""The states of packages that change or remove installed ones, and what dnf calls it."""


def _packages(documents: Iterable[Node]) -> Iterator[Block]:
    """Yield the tasks that change or remove packages."""
    for task, _, maybe in arguments(documents, PACKAGE_MODULES):
        names, change = task.child("name"), _CHANGES_PACKAGES.get(task.word("state"))
        packages = () if names is None else (names.items or (names,))
        if change is None or not packages or any(node.kind != "scalar" for node in packages):
            continue
        words = [("", node) for node in packages]
        at = packages[0].start
        yield Block(line(at, [(f"dnf {change}", None), *words]), maybe=maybe, plain=True)


def stanza_texts(documents: Iterable[Node]) -> Iterator[Embedded]:
    """Yield the stanzas that the tasks write into qm.ini, mqs.ini or mqclient.ini."""
    for task, _, maybe in arguments(documents, EDITING_MODULES):
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
_CHANGES = ("line", "replace", "block", "option", "regexp")


def _change(task: Node) -> Node | None:
    """What a task writes into a file, None if it does not change one in place."""
    found = (task.child(key) for key in _CHANGES)
    return next((node for node in found if node is not None), None)
