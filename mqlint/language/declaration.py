"""What a file of another system declares: data sets, parameters of a system, page sets.

A declaration is a name and fields, whatever language it was written in; the model makes facts
of it.
"""

from __future__ import annotations

from mqlint.dataclass import frozen
from mqlint.vocabulary.unknown import Unknown

Span = tuple[int, int]
FieldValue = str | tuple[str, ...] | Unknown

CONNECTION = "connection"
"""The type of a declaration that describes how an application connects."""
USE = "use"
"""The type of a declaration that names a queue which an application opens."""
CLIENT_TYPES = (CONNECTION, USE)
"""The types of declarations that belong to the queue manager to which an application connects."""


@frozen
class Field:
    """One value of a declaration, and where it stands; UNKNOWN when a symbol decides it."""

    name: str
    value: FieldValue
    span: Span


@frozen
class Declared:
    """One declaration.

    `type` is the type of fact it makes, `name` its name (`Templated` when it is not known).
    `queue_manager` is None where the document does not name one; `model` is then that of the texts
    which belong to it (see `Embedded`). `open` tells that more may be
    written about it elsewhere, so that a field that is not here is unknown.
    """

    type: str
    name: str
    fields: tuple[Field, ...]
    span: Span
    queue_manager: str | None = None
    open: bool = False
    model: str = ""

    def field(self, name: str) -> Field | None:
        """Return the field of a name, None when it is not written."""
        return next((field for field in self.fields if field.name == name), None)
