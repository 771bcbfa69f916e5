"""Messages between the processes of a run: bytes, each after its length."""

from __future__ import annotations

import pickle
from typing import IO, Any

_LENGTH = 8


def receive(stream: IO[bytes]) -> Any:  # noqa: ANN401 whatever the other side sends
    """Return the next message of the other process; EOFError at the end."""
    size = int.from_bytes(_exactly(stream, _LENGTH), "big")
    return pickle.loads(_exactly(stream, size))  # noqa: S301 of our own process, by a pipe of ours


def send(stream: IO[bytes], packed: bytes) -> None:
    """Send something pickled to the other process."""
    stream.write(len(packed).to_bytes(_LENGTH, "big"))
    stream.write(packed)
    stream.flush()


def _exactly(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) != size:
        raise EOFError
    return data
