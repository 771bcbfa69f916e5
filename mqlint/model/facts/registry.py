"""The facts of a queue manager by type.

MQ objects come from the queue manager. Every other type of fact is in `FACT_TYPES`, and is defined
in a module of its own, which is imported when the first queue manager may have such a fact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from mqlint.late import imported
from mqlint.model.core.action import family
from mqlint.model.core.fact import Fact, FactType
from mqlint.model.core.queue_manager import QueueManager

_TYPES: Final[Mapping[str, Mapping[str, str]]] = {
    "facts.queue_manager.qmgr": {"qmgr": ""},
    "facts.files.resources": {
        word: word
        for word in (
            "manifest route dspmq instance rdqm rdqm_peer rdqm_node rdqm_host drbd drbd_host"
            " drbd_mesh"
        ).split()
    },
    "facts.application.client_channel": {"client_channel": "client_channel channel clntconn"},
    "facts.routing.cluster": {"cluster": "qmgr channel clntconn"},
    "facts.security.authority": {"authority": "authrec"},
    "facts.security.blocklist": {"blocklist": "chlauth"},
    "facts.conflict": {"conflict": ""},
    "facts.conflict.drift": {"difference": "dump"},
    "facts.files.status": {"clusqmgr": "event", "chstatus": "event"},
    "facts.names.folded_name": {"name": "", "user": "", "cased_text": ""},
    "facts.routing.path": {"path": "queue sub"},
    "facts.files.stanza": {"stanza": "stanza"},
    "availability.group": {
        "rdqm_group": "stanza",
        "rdqm_member": "stanza",
        "native_ha": "stanza manifest",
    },
    "availability.replication": {"replication": "step"},
    "availability.floating": {"floating": "step rdqm"},
    "procedure.steps": {"step": "script", "command": "command"},
    "zos.data_sets": {
        word: word
        for word in "system_parameters page_set bsds data_set log_entry log_change".split()
    },
    "facts.files.mqsc_file": {"document": ""},
    "facts.names.definition": {"definition": ""},
    "facts.names.unresolved": {"unresolved": ""},
    "facts.application.connection": {"connection": "connection"},
    "facts.application.queue_use": {"use": "use", "agent": "agent"},
    "facts.application.topic_use": {"topic_use": "topic_use"},
    "facts.files.port": {"port": "script"},
    "facts.security.certificate_label": {"certificate_label": "script"},
}
"""The types that the modules of `mqlint.model` define, each as a constant of its name in capitals.

With each are the kinds of content of which one must be there for such a fact, as `Facts.inputs`
names them; blank if every queue manager may have one.
"""
_MODULE_OF: Final = {word: module for module, words in _TYPES.items() for word in words}
_INPUTS_OF: Final = {
    word: frozenset(inputs.split()) for words in _TYPES.values() for word, inputs in words.items()
}


class _FactTypes(Mapping[str, FactType]):
    """The types by their words; the module of a type is imported when the type is asked for."""

    def __init__(self) -> None:
        self._known: dict[str, FactType] = {}

    def __getitem__(self, word: str) -> FactType:
        if word not in self._known:
            self._known[word] = imported(f"mqlint.model.{_MODULE_OF[word]}:{word.upper()}")
        return self._known[word]

    def __iter__(self) -> Iterator[str]:
        return iter(_MODULE_OF)

    def __len__(self) -> int:
        return len(_MODULE_OF)

    def __contains__(self, word: object) -> bool:
        return word in _MODULE_OF

    def get(self, word: str, default: Any = None) -> Any:  # noqa: ANN401 as of Mapping
        """Return a type; without an exception for each type of object, as it is asked often."""
        return self._known.get(word) or (self[word] if word in _MODULE_OF else default)


FACT_TYPES: Final[Mapping[str, FactType]] = _FactTypes()
"""The types of facts other than MQ objects, by the word policies use."""

OF_HOSTS = frozenset({"rdqm_group", "rdqm_member", "drbd", "drbd_host", "drbd_mesh"})
"""Types of facts about hosts, which are compared even without a queue manager."""


class Facts:
    def __init__(self, manager: QueueManager) -> None:
        """Take a queue manager to which every command was applied."""
        self.manager = manager

    def of(self, object_type: str) -> Iterator[Fact]:
        fact_type = FACT_TYPES.get(object_type)
        if fact_type is None:
            return self.manager.objects(object_type)
        return iter(self.manager.cached(fact_type.find))

    def possible(self, types: Iterable[str]) -> Sequence[str]:
        """Return the types that may have facts, by `inputs` alone: most have none."""
        inputs = self.inputs
        return [kind for kind in types if _may_have(kind, inputs)]

    @property
    def inputs(self) -> frozenset[str]:
        """The kinds of content of the queue manager that facts can be made of."""
        return self.manager.cached(_inputs)

    def named(self, object_type: str, name: str) -> Iterator[Fact]:
        """Return the facts of one type that have this name, one after the other."""
        fact_type = FACT_TYPES.get(object_type)
        if fact_type is None:
            return self.manager.named(object_type, name)
        return iter(self.manager.cached(fact_type.by_name).get(name, ()))

    def exists(self, object_type: str, name: str) -> bool | None:
        """Whether there is a fact of this type and name; None when the text does not decide it."""
        if object_type not in FACT_TYPES:
            return self.manager.exists(object_type, name)
        if any(True for _ in self.named(object_type, name)):
            return True
        return False if self.has_all(object_type) else None

    def has_all(self, object_type: str) -> bool:
        """Whether no fact of this type is left out: then one that is not here does not exist."""
        fact_type = FACT_TYPES.get(object_type)
        if fact_type is None:
            return self.manager.has_all(object_type)
        return self.manager.cached(fact_type.has_all)


def _inputs(manager: QueueManager) -> frozenset[str]:
    """The families of its objects, the types of its declarations, and words for the rest."""
    scripts = *manager.scripts, *manager.loose
    others = {
        "authrec": manager.records,
        "command": any(script.steps for script in scripts),
        "dump": manager.observed,
        "event": manager.events,
        "script": scripts,
        "stanza": manager.stanzas,
        "step": manager.steps,
    }
    found = {word for word, content in others.items() if content}
    return frozenset(found.union(manager.families(), (each.type for each, _ in manager.declared)))


def _may_have(object_type: str, inputs: frozenset[str]) -> bool:
    """Whether a queue manager with these inputs may have facts of a type."""
    needed = _INPUTS_OF.get(object_type)
    if needed is not None:
        return not needed or not needed.isdisjoint(inputs)
    return family(object_type) in inputs or (object_type == "channel" and "clntconn" in inputs)
