"""A text that is to be judged, and where it came from."""

from __future__ import annotations

from mqlint.dataclass import frozen
from mqlint.source.decode import Decoded, decode
from mqlint.source.digest import hex_digest
from mqlint.source.lines import LineMap


@frozen
class SourceText:
    """One file's text.

    `path` is the display form (see `discover.display_path`), `digest` the SHA-256 of the bytes in
    hexadecimal. `decoded` has the text and what writes the bytes again.
    """

    path: str
    text: str
    decoded: Decoded
    digest: str

    @classmethod
    def of(cls, path: str, data: bytes, *, encoding: str | None = None) -> SourceText:
        """Return the text that the bytes `data` are; `encoding` is a hint for `decode`."""
        decoded = decode(data, encoding=encoding)
        return cls(path, decoded.text, decoded, hex_digest(data))

    def lines(self) -> LineMap:
        """Return the map from offsets to lines; built at every call."""
        return LineMap.of(self.text)
