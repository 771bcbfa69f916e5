"""Two queue managers compared: objects, stanzas, and control commands as text."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from mqlint.dataclass import frozen
from mqlint.language.mqsc import Secret
from mqlint.model.comparison.difference import Difference, Ignored
from mqlint.model.comparison.objects import ObjectComparison
from mqlint.model.comparison.stanzas import stanza_differences
from mqlint.model.comparison.written import Rename
from mqlint.model.core.queue_manager import QueueManager

_CONFIGURING = frozenset(
    "crtmqm dltmqm setmqaut setmqspl setmqm addmqinf rmvmqinf crtmqinst setmqinst setmqcrl".split()
)
"""Control commands that configure a queue manager, by names in lower case."""


@frozen
class Comparison:
    """The differences of two queue managers; `notes` count what is treated as equal, by reason."""

    a: QueueManager
    b: QueueManager
    differences: tuple[Difference, ...]
    notes: tuple[tuple[str, int], ...]


def compared(a: QueueManager, b: QueueManager, ignored: Ignored, rename: Rename) -> Comparison:
    """Compare two queue managers; `rename` returns the name in B for a name of A."""
    objects = ObjectComparison(a, b, ignored, rename)
    found = list(objects.differences())
    notes = objects.notes
    found += stanza_differences(a, b, ignored, rename, notes)
    found += _steps(a, b, rename)
    found += _declarations(a, b, rename)
    found.sort(key=lambda difference: (difference.type, difference.name, difference.attribute))
    return Comparison(a, b, tuple(found), tuple(sorted(notes.items())))


Texts = dict[str, Counter[tuple[object, ...]]]
"""What is compared as text, and how often it is written, by command or type."""


def _steps(a: QueueManager, b: QueueManager, rename: Rename) -> Iterator[Difference]:
    """Compare control commands as text; their effects are not computed."""
    why = "control commands are compared as text only, and these differ"
    for name, mine, other in _differing(_commands(a, rename), _commands(b, str)):
        yield Difference("undecided", "step", name, "", mine, other, why=why)


def _declarations(a: QueueManager, b: QueueManager, rename: Rename) -> Iterator[Difference]:
    """What jobs, macros and manifests declare is compared as text."""
    why = "declarations are compared as text only, and these differ"
    for kind, mine, other in _differing(_declared(a, rename), _declared(b, str)):
        yield Difference("undecided", kind, "declarations", "", mine, other, why=why)


def _differing(left: Texts, right: Texts) -> Iterator[tuple[str, str | None, str | None]]:
    for name in sorted(left.keys() | right.keys()):
        mine, other = left.get(name), right.get(name)
        if mine != other:
            yield name, _count(mine), _count(other)


def _count(found: Counter[tuple[object, ...]] | None) -> str | None:
    return None if found is None else f"{found.total()} times"


def _commands(manager: QueueManager, rename: Rename) -> Texts:
    found: Texts = defaultdict(Counter)
    own = manager.key.name
    for step, _ in manager.all_steps():
        if step.command in _CONFIGURING:
            texts = [_plain(word.value, rename) for word in step.operands]
            options = [(option.name, _plain(option.value, rename)) for option in step.options]
            words = ("" if text == rename(own) else text for text in texts)
            found[step.command][step.action, *options, *words, step.execution.maybe] += 1
    return found


def _declared(manager: QueueManager, rename: Rename) -> Texts:
    found: Texts = defaultdict(Counter)
    for declared, _ in manager.declared:
        fields = ((field.name, _plain(field.value, rename)) for field in declared.fields)
        found[declared.type][_plain(declared.name, rename), *fields] += 1
    return found


def _plain(value: object, rename: Rename) -> object:
    if isinstance(value, Secret):
        return ("secret", value.width)
    return rename(value) if isinstance(value, str) else repr(value)
