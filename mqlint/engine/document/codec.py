"""Records as plain JSON and back: each by the name of its class and its fields.

Values have no secrets, as these were replaced when they were bound.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any, Final

from mqlint.dataclass import names_of
from mqlint.finding import Severity
from mqlint.language.mqsc import Secret, Templated
from mqlint.vocabulary.unknown import UNKNOWN

Json = Any
"""What `json` reads and writes."""

_PLAIN: Final = frozenset({str, int, bool, type(None)})
"""Types of most values, which are sent as they are; not their subclasses."""
_UNKNOWN: Final = {"unknown": True}
_ENCODER: Final = json.JSONEncoder(check_circular=False)
"""No record contains itself: to look for that takes a quarter of the time."""


class Codec:
    """Knows some classes of records: dataclasses and named tuples.

    Besides records it takes texts, numbers, lists, sets, mappings, unknown and hidden values.
    Lists come back as tuples.
    """

    def __init__(self, *records: type) -> None:
        """Know `records`, which have different names."""
        self._records: dict[str, Callable[..., object]] = {
            record.__name__: record for record in records
        }
        self._fields: dict[type, Callable[[Any], Sequence[object]]] = {
            record: _reader_of(getattr(record, "_fields", None) or names_of(record))
            for record in records
        }

    def packed(self, value: object) -> str:
        return _ENCODER.encode(self.encode(value))

    def unpacked(self, text: str) -> Any:  # noqa: ANN401 whatever was packed
        return self.decode(json.loads(text))

    def encode(self, value: object) -> Json:
        kind = type(value)
        if kind in _PLAIN:
            return value
        fields = self._fields.get(kind)
        if fields is not None:
            return {"is": kind.__name__, "of": self._encoded(fields(value))}
        if kind is tuple or kind is list:
            return self._encoded(value)  # type: ignore[arg-type]
        if value is UNKNOWN:
            return _UNKNOWN
        if isinstance(value, Secret):
            return {"text": {"width": value.width, "encoded": value.encoded}}
        if isinstance(value, Templated):
            return {"text": {"template": str(value)}}
        if isinstance(value, list | tuple):
            return self._encoded(value)
        if isinstance(value, frozenset):
            return {"set": sorted(self.encode(item) for item in value)}
        if isinstance(value, Severity):
            return {"severity": int(value)}
        if isinstance(value, Mapping):
            if all(type(key) is str for key in value):
                return {"map": {key: self.encode(item) for key, item in value.items()}}
            return {"items": [[self.encode(key), self.encode(value[key])] for key in value]}
        return value

    def _encoded(self, values: Sequence[object]) -> list[Json]:
        """The values of a list as JSON; a call for each plain one would take most of the time."""
        encode = self.encode
        return [item if type(item) in _PLAIN else encode(item) for item in values]

    def decode(self, packed: Json) -> Any:  # noqa: ANN401 whatever was encoded
        kind = type(packed)
        if kind in _PLAIN:
            return packed
        if kind is list:
            return tuple(self._decoded(packed))
        if "is" in packed:
            return self._records[packed["is"]](*self._decoded(packed["of"]))
        if "severity" in packed:
            return Severity(packed["severity"])
        if "map" in packed:
            return {key: self.decode(item) for key, item in packed["map"].items()}
        if "items" in packed:
            return dict(self.decode(packed["items"]))
        if "set" in packed:
            return frozenset(self.decode(packed["set"]))
        return _text(packed["text"]) if "text" in packed else UNKNOWN

    def _decoded(self, packed: list[Json]) -> list[Any]:
        """The values of a list: the reverse of `_encoded`."""
        decode = self.decode
        return [item if type(item) in _PLAIN else decode(item) for item in packed]


def _reader_of(names: Sequence[str]) -> Callable[[Any], Sequence[object]]:
    """Return what reads the fields of a record, in this order."""
    if len(names) == 1:
        return lambda record: (getattr(record, names[0]),)
    return attrgetter(*names)


def _text(packed: Json) -> str:
    if "width" in packed:
        return Secret.restored(packed["width"], packed["encoded"])
    return Templated(packed["template"])
