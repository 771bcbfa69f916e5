"""States of Salt: the commands of `cmd.run`, and the MQSC that `file.managed` writes.

    mq_start:
      cmd.run:
        - name: strmqm QM1
        - unless: dspmq -m QM1 | grep -q Running

Source: salt.states.cmd and salt.states.file in the documentation of Salt. Without `name` or `names`
the identifier of a state is its command, or the path of its file. A state with a requisite that
decides whether it runs may not run. States run in the order of their text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from mqlint.dataclass import NamedTuple
from mqlint.language.mqsc.language import MQSC_ENDINGS
from mqlint.language.script.hosts.host import Block, covered
from mqlint.language.script.step import Embedded
from mqlint.language.text.mapped import MappedText, mapped_at
from mqlint.language.yaml.embedded_mqsc import lines_of
from mqlint.language.yaml.tree import Keys, Node

_RUNNING = frozenset({"cmd.run", "cmd.wait"})
_WRITING = frozenset({"file.managed", "file.append"})
_CONDITIONS = frozenset(
    "unless onlyif creates onchanges onchanges_any onfail onfail_any watch watch_any prereq".split()
)
_SHELLS = {"powershell": "powershell", "pwsh": "powershell", "cmd": "cmd"}


class _State(NamedTuple):
    """One function of a state: its arguments as one mapping, and what it is named after."""

    function: str
    names: list[MappedText]
    arguments: Node
    maybe: bool


def _states(documents: Iterable[Node], functions: Collection[str]) -> Iterator[_State]:
    for document in documents:
        for identifier, span, state in document.pairs:
            for function, _, listed in state.pairs:
                if function not in functions:
                    continue
                keys = Keys(pair for item in listed.items for pair in item.pairs)
                arguments = Node(*listed.span, "mapping", pairs=keys)
                given = [*arguments.entries_or_value("name"), *arguments.entries("names")]
                names = [name.mapped for name in given if name.mapped is not None]
                maybe = any(node.maybe for node in (state, listed, *listed.items))
                maybe = maybe or not _CONDITIONS.isdisjoint(keys.names())
                quotes = (span[1] - span[0] - len(identifier)) // 2
                own = mapped_at(identifier, span[0] + quotes, span[1] - quotes)
                yield _State(function, names or [own], arguments, maybe)


def state_commands(documents: Iterable[Node]) -> Iterator[Block]:
    """Yield the commands that states run."""
    for function, names, arguments, maybe in _states(documents, _RUNNING):
        language = _SHELLS.get(arguments.word("shell"), "shell")
        for name in names:
            source = MappedText(covered(name.text), name.segments, name.end)
            may_wait = maybe or function == "cmd.wait"
            yield Block(source, may_wait, language=language, is_alone=True)


def state_mqsc(documents: Iterable[Node]) -> Iterator[Embedded]:
    """Yield the MQSC that states write to files."""
    for function, names, arguments, maybe in _states(documents, _WRITING):
        contents = arguments.child("text" if function == "file.append" else "contents")
        text = None if contents is None else lines_of(contents)
        if text is not None and any(name.text.lower().endswith(MQSC_ENDINGS) for name in names):
            yield Embedded.of("mqsc", text, None, maybe=maybe, model=f"#{text.host(0)}")
