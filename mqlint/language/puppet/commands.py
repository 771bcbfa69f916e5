"""Commands that manifests of Puppet run: `exec`, and `file` with `ensure => absent`.

Source: Puppet, "Resource Type: exec" and "file". An exec with `unless`, `onlyif` or `refreshonly`
may not run, nor one that `creates` what exists. The default provider runs no shell, but commands
with pipes and redirections are written for one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mqlint.finding import Diagnostic
from mqlint.language.puppet.scanner import Resource, resources
from mqlint.language.script.hosts.host import Block, read_blocks, removal
from mqlint.language.script.permissions import resource_faults
from mqlint.language.script.step import ShellScript
from mqlint.language.text.mapped import MappedText
from mqlint.source.budget import Budget
from mqlint.vocabulary.control import ControlSpec

_TYPES = frozenset({"exec", "file"})
_CONDITIONS = frozenset({"unless", "onlyif", "refreshonly", "creates"})


def commands_of(text: str, commands: Mapping[str, ControlSpec], budget: Budget) -> ShellScript:
    """Read the commands of a manifest, in the order of their places."""
    blocks = (block for block in _blocks(text) if budget.spend(len(block.source.text)))
    return read_blocks(blocks, commands, budget)


def _blocks(text: str) -> Iterator[Block]:
    for resource in resources(text, _TYPES):
        values = {key.text: value for key, value in resource.attributes}
        maybe = resource.maybe or bool(_CONDITIONS.intersection(values))
        if resource.type == "exec":
            command = _text(resource, "command")
            if command is not None:
                yield Block(command, maybe)
        else:
            ensure, path = _text(resource, "ensure", titled=False), _text(resource, "path")
            if ensure is not None and ensure.text == "absent" and path is not None:
                yield Block(removal(path), maybe)


def file_faults(text: str) -> Iterator[Diagnostic]:
    """Yield owners and modes that `file` sets, with which others than mqm use the files."""
    is_set = "mode" in text or "owner" in text
    for resource in resources(text, frozenset({"file"})) if is_set else ():
        path = _text(resource, "path")
        if path is not None:
            values = resource.single_values()
            settings = ((key, item.text, (item.host(0), item.end)) for key, item in values)
            yield from resource_faults(path.text, settings)


def _text(resource: Resource, attribute: str, *, titled: bool = True) -> MappedText | None:
    """The value of an attribute; that of the title if it is not given."""
    for key, value in resource.attributes:
        if key.text == attribute:
            return value.items[0] if value.items and len(value.items) == 1 else None
    return resource.title if titled else None
