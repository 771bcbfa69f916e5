"""The documents of a project, and the queue managers that they describe together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from mqlint.config.settings import Settings
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.assembly.building import describe
from mqlint.engine.assembly.contribution import Contribution
from mqlint.engine.assembly.links import links_of
from mqlint.engine.assembly.relate import related_assembly
from mqlint.engine.document.analyse import Analyser
from mqlint.engine.document.reading import Reading
from mqlint.engine.loading.isolation import load_each
from mqlint.engine.loading.load import Input, Loaded
from mqlint.grouping import grouped
from mqlint.model.core.key import QueueManagerKey
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.facts.registry import Facts
from mqlint.vocabulary import Vocabulary


def load_all(
    inputs: Sequence[Input], settings: Settings, analyser: Analyser, *, apart: bool = False
) -> dict[str, Loaded]:
    """Read every input; with `apart` in another process, which may die of one of them."""
    return dict(load_each(inputs, settings, analyser, apart=apart))


def readings_of(loaded: Mapping[str, Loaded]) -> dict[str, Reading]:
    """Return the readings of documents, by path, of those that have one."""
    found = ((path, document.reading) for path, document in loaded.items())
    return {path: reading for path, reading in found if reading is not None}


def assembly_of(
    settings: Settings, vocabulary: Vocabulary, readings: Mapping[str, Reading]
) -> Assembly:
    """Return what assigns documents to queue managers, from what all of them say."""
    alone = Assembly(settings, vocabulary)
    links = {path: links_of(path, reading, alone) for path, reading in readings.items()}
    return related_assembly(settings, vocabulary, links)


def contributions_of(
    readings: Mapping[str, Reading], assembly: Assembly
) -> dict[QueueManagerKey, list[Contribution]]:
    return grouped(
        pair for path, reading in readings.items() for pair in assembly.contributions(path, reading)
    )


def queue_managers(readings: Mapping[str, Reading], assembly: Assembly) -> Iterator[list[Facts]]:
    """Yield the descriptions of each queue manager that documents describe, in order of keys."""
    found = contributions_of(readings, assembly)
    for key in sorted(found):
        yield describe(assembly, key, found[key])


class Project:
    """Loaded documents by path, with what all of them together say of queue managers."""

    def __init__(
        self, loaded: Mapping[str, Loaded], settings: Settings, vocabulary: Vocabulary
    ) -> None:
        self.loaded = loaded
        self.readings = readings_of(loaded)
        self.assembly = assembly_of(settings, vocabulary, self.readings)

    @classmethod
    def of(cls, inputs: Sequence[Input], settings: Settings, analyser: Analyser) -> Project:
        return cls(load_all(inputs, settings, analyser), settings, analyser.vocabulary)

    @cached_property
    def contributions(self) -> dict[QueueManagerKey, list[Contribution]]:
        return contributions_of(self.readings, self.assembly)

    def descriptions(self) -> Iterator[list[Facts]]:
        """Yield the descriptions of each queue manager in order of keys."""
        return queue_managers(self.readings, self.assembly)

    def managers(self) -> list[QueueManager]:
        """Return each queue manager by its first description: its scripts override its dump."""
        return [descriptions[0].manager for descriptions in self.descriptions()]
