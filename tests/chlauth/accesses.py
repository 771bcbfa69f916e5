"""Queue managers made of text, and connections to them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from mqlint.chlauth.access import ChannelAccess
from mqlint.config.settings import Settings
from mqlint.engine import Analyser, Input
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.project import load_all, queue_managers
from tests.shipped import shipped_vocabulary


@cache
def analyser() -> Analyser:
    return Analyser(shipped_vocabulary())


def access_of(text: str, ini: str = "", settings: Settings | None = None) -> ChannelAccess:
    """What stands before the channels of the one queue manager that MQSC and qm.ini describe."""
    files = {"QM1/a.mqsc": text, **({"QM1/qm.ini": ini} if ini else {})}
    (access,) = accesses_of(files, settings)
    return access


def accesses_of(files: Mapping[str, str], settings: Settings | None = None) -> list[ChannelAccess]:
    """What stands before the channels of each queue manager of some files."""
    settings = settings or Settings(queue_managers=("{queue_manager}/*",))
    inputs = [Input(path, data=text.encode()) for path, text in files.items()]
    loaded = load_all(inputs, settings, analyser())
    readings = {
        path: document.reading for path, document in loaded.items() if document.reading is not None
    }
    assembly = Assembly(settings, analyser().vocabulary)
    return [ChannelAccess(found[0].manager) for found in queue_managers(readings, assembly)]
