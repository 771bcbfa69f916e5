"""Where reports go: standard output and files, several in one run."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mqlint.cli.common.group import Refusal, close_quietly
from mqlint.config.errors import not_among
from mqlint.report import FORMATS, Report, Style, renderer

if TYPE_CHECKING:
    from click.decorators import FC

_NARROWEST, _WIDEST, _NOT_A_TERMINAL = 40, 240, 100
_CHUNK = 1 << 16


def report_options(formats: str) -> Callable[[FC], FC]:
    """Add `--format`, which `formats` explains, and `--fail-on`."""

    def add(function: FC) -> FC:
        function = click.option(
            "--fail-on",
            type=click.Choice(["note", "warning", "error", "never"]),
            help="Exit with 1 from this severity on. Default: what mqlint.yaml says, else error.",
        )(function)
        return click.option(
            "--format",
            "places",
            metavar="FORMAT[=FILE]",
            multiple=True,
            callback=outputs,
            help=f"{formats} May be given several times.",
        )(function)

    return add


@dataclass(frozen=True, slots=True)
class Output:
    """One `--format`: a format, and the file it goes to (None: standard output)."""

    format: str
    file: Path | None = None


def outputs(ctx: click.Context, param: click.Parameter, words: Sequence[str]) -> tuple[Output, ...]:
    """Read the `FORMAT[=FILE]` of all `--format`; without one, text on standard output.

    BadParameter for an unknown format and for two outputs to one place.
    """
    asked = tuple(map(_output, words)) or (Output("text"),)
    places = [None if o.file is None else o.file.absolute() for o in asked]
    if places.count(None) > 1:
        raise click.BadParameter(
            "only one format can go to standard output: write the others as FORMAT=FILE"
        )
    for place in places:
        if place is not None and places.count(place) > 1:
            raise click.BadParameter(f"two formats go to the file {place}")
    return asked


def _output(word: str) -> Output:
    name, separator, file = word.partition("=")
    if name not in FORMATS:
        raise click.BadParameter(f"unknown format {name!r}: {not_among(name, FORMATS)}")
    if separator and not file:
        raise click.BadParameter(f"no file is named after {word!r}")
    return Output(name, Path(file) if file else None)


def write(
    report: Report,
    outputs: Iterable[Output],
    color: str = "auto",
    alike: int | None = 5,
    quiet: bool = False,
) -> None:
    """Write a report in each format asked for; Refusal when one cannot be written."""
    for output in sorted(outputs, key=lambda o: o.file is None):
        style = Style(_width(output), _colored(output, color), alike, quiet)
        pieces = _chunks(renderer(output.format)(report, style))
        if output.file is None:
            _print(pieces)
        else:
            write_file(output.file, pieces)


def echo(text: str) -> None:
    """Print text of a command that writes no report; ends quietly when nobody reads it."""
    _print([text])


def terminal_width() -> int:
    """The cells of a line of the terminal; a middling number where there is no terminal."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) > 0:
        width = int(columns)
    else:
        try:
            width = os.get_terminal_size(sys.stdout.fileno()).columns or _NOT_A_TERMINAL
        except (OSError, ValueError):
            width = _NOT_A_TERMINAL
    return max(_NARROWEST, min(width, _WIDEST))


def _width(output: Output) -> int:
    return _NOT_A_TERMINAL if output.file else terminal_width()


def _colored(output: Output, color: str) -> bool:
    """Colours: when asked for; else on a terminal only (https://no-color.org, force-color.org)."""
    if color != "auto":
        return color == "always"
    if output.file is not None or os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def _chunks(pieces: Iterable[str]) -> Iterator[str]:
    """Join small pieces: a write to a terminal or a pipe is dear."""
    waiting: list[str] = []
    size = 0
    for piece in pieces:
        waiting.append(piece)
        size += len(piece)
        if size >= _CHUNK:
            yield "".join(waiting)
            waiting, size = [], 0
    yield "".join(waiting)


def _print(pieces: Iterable[str]) -> None:
    if reconfigure := getattr(sys.stdout, "reconfigure", None):
        reconfigure(errors="backslashreplace")  # a terminal of few characters is no reason to stop
    try:
        for piece in pieces:
            click.echo(piece, nl=False, color=True)
    except BrokenPipeError:
        close_quietly()


def write_file(file: Path, pieces: Iterable[str]) -> None:
    """Write a file as a whole or not at all; Refusal where it cannot be written."""
    try:
        target = file.resolve()
        if target.exists() and not target.is_file():
            _write_plain(target, pieces)  # a pipe or a device, as in json=/dev/stderr
        else:
            _write_atomically(target, pieces)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise Refusal(f"cannot write {click.format_filename(file)}: {reason}") from None


def _write_plain(target: Path, pieces: Iterable[str]) -> None:
    with target.open("w", encoding="utf-8", newline="\n") as stream:
        stream.writelines(pieces)


def _write_atomically(target: Path, pieces: Iterable[str]) -> None:
    """Readers of the file see the old text or the new one, never half of it."""
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        _write_plain(draft, pieces)
        draft.replace(target)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
