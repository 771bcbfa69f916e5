"""`mqlint server`: a resident process that runs the commands of hooks and editors at once."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import click

import mqlint
from mqlint import engine
from mqlint.cli import main
from mqlint.cli.common.group import Refusal
from mqlint.cli.common.project import RESIDENT, Resident, usual_cache
from mqlint.config.data import shipped_value
from mqlint.config.settings import Settings
from mqlint.engine.loading.reading_cache import ReadingCache
from mqlint.language.registry import LANGUAGES, reader_of
from mqlint.policy.load import POLICIES, load_rulebook, policies_digest
from mqlint.report import FORMATS, renderer
from mqlint.report.terminal import visible
from mqlint.server.place import is_available, socket_path
from mqlint.vocabulary.load import load_vocabulary

_IDLE = 15.0
"""Minutes without a command after which a server ends."""
_COMMANDS = ("check.command", "check.diff", "check.comparison", "check.waivers")
_SAMPLE = b"DEFINE QLOCAL('ORDERS') REPLACE\nDEFINE CHANNEL(TO.YORK) CHLTYPE(SVRCONN) REPLACE\n"


@click.command("server", short_help="Keep mqlint loaded, for hooks and editors.")
@click.option(
    "--idle",
    metavar="MINUTES",
    type=click.FloatRange(min=0, min_open=True),
    default=_IDLE,
    show_default=True,
    help="End after this time without a command.",
)
def command(idle: float) -> None:
    """Keep mqlint loaded, so that commands run at once.

    Only commands of the same user that begin `mqlint --server`, or that have MQLINT_SERVER=1 in
    their environment, use it. They print the same as without it. The first such command starts a
    server in the background by itself, so this command is only needed to see it run.
    """
    if not is_available():
        raise Refusal("mqlint server is not available on Windows: commands run without it")
    path = socket_path()
    if path is None:
        raise Refusal(
            "no folder for the socket that is yours alone and has a short path: set XDG_RUNTIME_DIR"
        )
    from mqlint.server.resident import InUseError, serve

    click.echo(f"mqlint server: {visible(path)}", err=True)
    try:
        serve(Path(path), Loaded(), idle * 60)
    except InUseError:
        raise Refusal("a server is running already") from None
    except KeyboardInterrupt:
        return


def serve_in_background() -> None:
    """Run a server that a command has started; it ends at once if another one runs."""
    main(["server"])


class Loaded:
    """The program with all that commands need of it, and what they have read."""

    def __init__(self) -> None:
        """Load it, and let it check a text, which loads the rest."""
        cache = usual_cache()
        vocabulary = load_vocabulary(cache)
        self._cache = ReadingCache()
        analyser = engine.Analyser(vocabulary)
        rulebook = load_rulebook(vocabulary, cache)
        for name in _COMMANDS:
            import_module(f"mqlint.cli.{name}")
        for language in LANGUAGES:
            reader_of(language)
        for form in FORMATS:
            renderer(form)
        engine.check([engine.Input("a.mqsc", data=_SAMPLE)], Settings(), analyser, rulebook)
        rulebook.index.prepare()
        analyser.cache = self._cache
        RESIDENT.append(Resident(analyser, rulebook))
        modules = [*sys.modules.items()]
        files = (module.__file__ for name, module in modules if name.startswith("mqlint"))
        tables = Path(mqlint.__path__[0]).rglob("*.txt")
        self._files = [*map(str, tables), *(file for file in files if file is not None)]
        self._state = self._states()
        gc.collect()
        gc.freeze()

    def run(self) -> int:
        """Run the command line in `sys.argv` and return its exit status."""
        try:
            main()
        except SystemExit as end:
            status = end.code
        return status if isinstance(status, int) else 0

    def packed_readings(self) -> object:
        """Return the documents that this process has read, ready to be pickled."""
        return self._cache.packed()

    def add_readings(self, found: Any) -> None:  # noqa: ANN401 of `packed_readings`
        """Add the documents that a copy of this process has read."""
        self._cache.add(found, RESIDENT[0].analyser.parser)

    def is_current(self) -> bool:
        """Whether no file of the program has changed since it was loaded."""
        with suppress(OSError):
            return self._states() == self._state
        return False

    def _states(self) -> list[object]:
        states = (os.stat(file) for file in self._files)  # noqa: PTH116 hundreds of files
        found: list[object] = [(state.st_mtime_ns, state.st_size, state.st_ino) for state in states]
        # Rules of a checkout may be edited.
        return found if shipped_value(POLICIES) is not None else [*found, policies_digest()]
