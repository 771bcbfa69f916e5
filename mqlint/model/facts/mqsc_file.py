"""Files of MQSC as facts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mqlint.finding import Location
from mqlint.language.mqsc import Command, Shape, decode
from mqlint.model.core.origin import Document
from mqlint.model.core.value import ABSENT, Value
from mqlint.vocabulary import Vocabulary

if TYPE_CHECKING:
    from mqlint.model.core.queue_manager import QueueManager


class DocumentFact:
    """One file of MQSC.

    `path` is where it lies, `digest` that of its bytes, `language` what it is written in,
    `channels` the types of the channels it defines; `templated` is true when something else fills
    in a part of it. `defines` tells what its DEFINE commands do to what is there already:
    `replace` and `keep`, as they say, and `fail` where they say neither.
    """

    type = "document"

    def __init__(self, manager: QueueManager, document: Document) -> None:
        """Take what the file is and where."""
        self.manager = manager
        self.key = document.origin.path
        self.name = self.key.rsplit("/", 1)[-1]
        self._document = document

    def value(self, attribute: str) -> Value:
        """Return `language`, `digest`, `path`, `channels`, `defines` or `templated`."""
        document = self._document
        if attribute == "channels":
            raw = {
                command.get("CHLTYPE")
                for command in document.commands
                if "CHLTYPE" in command.shape.words
            }
            return tuple(sorted({decode(one) for one in raw if one is not None}))
        if attribute == "defines":
            shapes = {command.form.shape for command in document.commands}
            found = {_form_of(shape, self.manager.vocabulary) for shape in shapes}
            return tuple(sorted(form for form in found if form is not None))
        if attribute == "templated":
            return "true" if any(map(_is_templated, document.commands)) else "false"
        values = {"language": document.language, "digest": document.digest, "path": self.key}
        return values.get(attribute, ABSENT)

    def where(self, attribute: str | None = None) -> Location:
        """Return the beginning of the file, or its first DEFINE that cannot be run twice."""
        spans = (one.span() for form, one in self._defines() if form == "fail")
        span = next(spans, None) if attribute == "defines" else None
        return self._document.origin.location(span or (0, 1))

    def _defines(self) -> Iterator[tuple[str, Command]]:
        """Each DEFINE of something that can be replaced, and what it does to what is there."""
        vocabulary = self.manager.vocabulary
        for command in self._document.commands:
            form = _form_of(command.form.shape, vocabulary)
            if form is not None:
                yield form, command


def _form_of(shape: Shape, vocabulary: Vocabulary) -> str | None:
    """What DEFINE commands of a shape do to what is there, None for others; once a shape."""
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


def documents(manager: QueueManager) -> tuple[DocumentFact, ...]:
    """Return the files of MQSC of a queue manager."""
    return tuple(DocumentFact(manager, document) for document in manager.documents)
