"""Files of MQSC as facts."""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.finding import Location
from mqlint.language.mqsc import Command, Shape, decode
from mqlint.model.core.fact import DerivedFact, Readers, derived_type
from mqlint.model.core.origin import Document
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import Value, flag
from mqlint.patterns import later
from mqlint.vocabulary import Vocabulary

DocumentFact = DerivedFact[Document]


def _channels(fact: DocumentFact) -> Value:
    raw = {
        command.get("CHLTYPE")
        for command in fact.source.commands
        if "CHLTYPE" in command.shape.words
    }
    return tuple(sorted({decode(text) for text in raw if text is not None}))


EDITED = " with other addresses"
"""What follows the path of a file if a script replaces addresses in it before it is read."""
_LIKE_ADDRESS = later(r"[a-z]|\d\.\d|[()]")


def _readings(fact: DocumentFact) -> Value:
    """Its path, and its path with `EDITED` if its cluster-receivers are the same after that.

    Their names and clusters are known then, and nothing in them is written like an address.
    """
    path = str(fact.key)
    names: list[object] = []
    for command in fact.source.commands:
        slot, kind = command.form.shape.name_slot, command.get("CHLTYPE")
        if isinstance(kind, str) and decode(kind) == "CLUSRCVR" and slot >= 0:
            names += [command.values[slot], command.get("CLUSTER")]
    is_same = all(isinstance(name, str) and not _LIKE_ADDRESS.search(name) for name in names)
    return (path, f"{path}{EDITED}") if names and is_same else path


def _defines(fact: DocumentFact) -> Value:
    shapes = {command.form.shape for command in fact.source.commands}
    forms = {_form_of(shape, fact.manager.vocabulary) for shape in shapes}
    return tuple(sorted(form for form in forms if form is not None))


def _place(fact: DocumentFact, attribute: str | None) -> Location:
    """The beginning of the file, or its first DEFINE that cannot be run twice."""
    vocabulary = fact.manager.vocabulary
    spans = (
        command.span()
        for command in (fact.source.commands if attribute == "defines" else ())
        if _form_of(command.form.shape, vocabulary) == "fail"
    )
    return fact.source.origin.location(next(spans, (0, 1)))


def _form_of(shape: Shape, vocabulary: Vocabulary) -> str | None:
    """The effect of DEFINE commands of a shape on an existing object, None for others."""
    try:
        return shape.cache["defines"]  # type: ignore[return-value]
    except KeyError:
        found = shape.cache["defines"] = _form(shape, vocabulary)
        return found


def _form(shape: Shape, vocabulary: Vocabulary) -> str | None:
    if shape.verb != "DEFINE" or shape.noun is None:
        return None
    if "REPLACE" in shape.words:
        return "replace"
    if "NOREPLACE" in shape.words:
        return "keep"
    spec = vocabulary.command(shape.verb, shape.noun)
    can_fail = spec is not None and spec.attribute("REPLACE") is not None and not shape.open
    return "fail" if can_fail else None


def _is_templated(command: Command) -> bool:
    return bool(command.marks) or command.form.shape.open


_READERS: Readers[Document] = Readers(
    "document",
    place=_place,
    values={
        "digest": lambda fact: fact.source.digest,
        "language": lambda fact: fact.source.language,
        "path": lambda fact: fact.key,
        "channels": _channels,
        "defines": _defines,
        "readings": _readings,
        "templated": lambda fact: flag(any(map(_is_templated, fact.source.commands))),
    },
    key=lambda fact: fact.source.origin.path,
)


def _documents(manager: QueueManager) -> Iterator[tuple[str, Document]]:
    return ((found.origin.path.rsplit("/", 1)[-1], found) for found in manager.documents)


DOCUMENT = derived_type(_READERS, _documents)
"""One file of MQSC."""
