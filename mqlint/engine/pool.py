"""Reading documents in several processes.

Each process keeps its own parser and vocabulary; readings come back packed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from mqlint.config.settings import Settings
from mqlint.engine.analyse import Analyser
from mqlint.engine.assemble import Assembly
from mqlint.engine.load import Input, Loaded, load
from mqlint.engine.pack import pack, unpack
from mqlint.vocabulary import Vocabulary

_CHUNK = 16

_Packed = tuple[str, Loaded, Any]


def load_in_pool(
    inputs: Sequence[Input], settings: Settings, analyser: Analyser, jobs: int
) -> Iterator[tuple[str, Loaded]]:
    """Yield each input's path and what it says, read in up to `jobs` processes."""
    chunks = [inputs[start : start + _CHUNK] for start in range(0, len(inputs), _CHUNK)]
    with ProcessPoolExecutor(
        min(jobs, len(chunks)),
        mp_context=get_context("spawn"),
        initializer=_start,
        initargs=(analyser.vocabulary, settings),
    ) as pool:
        for packed in pool.map(_load_chunk, chunks):
            yield from _unpacked(packed, analyser)


def _unpacked(packed: Iterable[_Packed], analyser: Analyser) -> Iterator[tuple[str, Loaded]]:
    for path, loaded, reading in packed:
        if reading is not None:
            loaded.reading = unpack(reading, analyser.parser)
        yield path, loaded


class _Worker:
    """What a process keeps between chunks."""

    assembly: Assembly
    analyser: Analyser


def _start(vocabulary: Vocabulary, settings: Settings) -> None:
    _Worker.analyser = Analyser(vocabulary)
    _Worker.assembly = Assembly(settings, vocabulary)


def _load_chunk(chunk: Sequence[Input]) -> list[_Packed]:
    result: list[_Packed] = []
    for one in chunk:
        loaded = load(one, _Worker.assembly, _Worker.analyser)
        reading, loaded.reading = loaded.reading, None
        result.append((one.path, loaded, None if reading is None else pack(reading)))
    return result
