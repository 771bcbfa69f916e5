"""Files of CI, of Ansible and of cloud-init: scripts, tasks of Ansible, MQSC and requests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from mqlint.finding import Diagnostic
from mqlint.language.declaration import Declared
from mqlint.language.embedding import reported_in
from mqlint.language.script.faults.environment import permission_faults
from mqlint.language.script.hosts import AS_OBJECT, FILE_MODULE, FOLDED, HIDES, MODULE, STARTS
from mqlint.language.script.hosts.ansible import (
    argument_lists,
    command_faults,
    containers,
    ignored_failures,
    module_scripts,
)
from mqlint.language.script.hosts.ansible_files import file_commands, stanza_texts
from mqlint.language.script.hosts.ci import pipeline_scripts
from mqlint.language.script.hosts.crontab import schedule_faults
from mqlint.language.script.hosts.host import Block, Host
from mqlint.language.script.step import Embedded
from mqlint.language.text.mapped import mapped_slice
from mqlint.language.yaml.embedded_mqsc import folded_mqsc, mqsc_in
from mqlint.language.yaml.fault import broken_yaml
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later

_STDIN = later(r"(?m)^[ ]*+(stdin:[^\n]{0,200}?\{\{)")
"""The input of a task of Ansible that a template makes."""
MATRIX = later(r"(?m)^[ \t]+matrix:")
"""A job that runs once for each of several values, which may be sites."""


class Pipeline(Host):
    def joins(self) -> bool:
        return "mqsc" in self.text and MATRIX.search(self.text) is not None

    @cached_property
    def documents(self) -> Sequence[Node]:
        """The trees of the file, parsed once for all that ask for them."""
        return read_documents(self.text, self.budget)

    @cached_property
    def has_file_modules(self) -> bool:
        return FILE_MODULE.search(self.text) is not None

    @cached_property
    def file_tasks(self) -> Sequence[Block]:
        """The tasks that change files, mount file systems or close a network, as commands."""
        return [*file_commands(self.documents)] if self.has_file_modules else ()

    @cached_property
    def containers(self) -> tuple[Sequence[Declared], Sequence[Diagnostic]]:
        """The queue managers of containers that tasks start, and faults of their settings."""
        if STARTS.search(self.text) is None:
            return (), ()
        return containers(self.documents)

    def blocks(self) -> list[Block]:
        blocks = pipeline_scripts(self.text, self.documents)
        has_modules, has_lists = MODULE.search(self.text) is not None, "argv:" in self.text
        if not (has_modules or has_lists or self.has_file_modules):
            return blocks
        if has_modules:
            blocks += module_scripts(self.documents, self.budget)
        blocks += self.file_tasks
        if has_lists:
            blocks += argument_lists(self.documents)
        return sorted(blocks, key=lambda block: block.source.host(0))

    def awaited(self) -> Iterator[tuple[str, int]]:
        if "runmqsc" in self.text:
            for found in _STDIN.finditer(self.text):
                yield "", found.start(1)

    def embedded(self) -> Iterator[Embedded]:
        if "zos_operator" in self.text or "mqs" in self.text.lower():
            for document in self.documents:
                yield from mqsc_in(document)
        if "ini" in self.text and self.has_file_modules:
            yield from stanza_texts(self.documents)
        if AS_OBJECT in self.text:
            yield Embedded.of("rest", mapped_slice(self.text), None, maybe=False, spelling="yaml")

    def declared(self) -> Sequence[Declared]:
        return self.containers[0]

    def faults(self) -> Iterator[Diagnostic]:
        yield from super().faults()
        yield from broken_yaml(self.text)
        if "mqs" in self.text.lower() and FOLDED.search(self.text) is not None:
            for document in self.documents:
                yield from folded_mqsc(document)
        if "command:" in self.text:
            yield from command_faults(self.text)
        if "schedule" in self.text or "cron" in self.text:
            yield from schedule_faults(self.text)
        if HIDES.search(self.text) is not None:
            yield from ignored_failures(self.text, self.documents)
        for block in self.file_tasks:
            for fault in permission_faults(block.source.text):
                yield reported_in(fault, block.source)
        yield from self.containers[1]
