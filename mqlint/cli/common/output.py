"""Where reports go: standard output and files, several in one run."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from stat import S_IMODE
from typing import TYPE_CHECKING

import click

from mqlint.cli.common import completion
from mqlint.cli.common.group import Refusal, close_quietly
from mqlint.cli.common.options import option
from mqlint.config.errors import not_among
from mqlint.dataclass import frozen
from mqlint.number import whole_number
from mqlint.report import FORMATS, Report, Style, renderer
from mqlint.source.project_files import link_fault

if TYPE_CHECKING:
    from mqlint.report.json import Json

_NARROWEST, _READABLE, _WIDEST, _NOT_A_TERMINAL = 40, 120, 240, 100
_CHUNK = 1 << 16


@frozen
class Output:
    """One `--format`: a format, and the file it goes to (None: standard output)."""

    format: str
    file: Path | None = None


def outputs(ctx: click.Context, param: click.Parameter, words: Sequence[str]) -> tuple[Output, ...]:
    """Read the `FORMAT[=FILE]` of all `--format`; without one, text on standard output.

    BadParameter for an unknown format and for two outputs to one place.
    """
    asked = tuple(map(_output, words)) or (Output("text"),)
    places = [None if output.file is None else output.file.absolute() for output in asked]
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
        raise click.BadParameter(f"no file name follows {word!r}")
    return Output(name, Path(file) if file else None)


_USUAL = Style()


@frozen
class ReportOptions:
    """The options that say in which formats reports are written, where, and how."""

    places: tuple[Output, ...] = option(
        "--format FORMAT[=FILE]", multiple=True, callback=outputs, shell_complete=completion.formats
    )
    color: str = option(
        "--color",
        "auto: on a terminal, unless NO_COLOR is set.",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
    )
    output_file: Path | None = option(
        "--output-file FILE",
        "Write to FILE what would go to standard output.",
        type=click.Path(path_type=Path, dir_okay=False),
    )
    statistics: bool = option(
        "--statistics", "Instead of findings, print how many each rule, file and queue manager has."
    )
    everything: bool = option("--all", "Print each finding without grouping.")
    quiet: bool = option("-q --quiet", "Print only findings; nothing if no finding exists.")
    verbose: bool = option(
        "-v --verbose",
        "List files and statements that are not checked, and rules that need configuration.",
    )

    def write(self, report: Report) -> None:
        """Write a report in each format asked for; Refusal when one cannot be written."""
        alike = None if self.everything else _USUAL.alike
        style = Style(alike=alike, quiet=self.quiet, verbose=self.verbose)
        write(report, self._outputs(), self.color, style)

    def _outputs(self) -> Iterator[Output]:
        for output in self.places:
            is_counted = self.statistics and output.format == "text"
            yield Output(
                "statistics" if is_counted else output.format, output.file or self.output_file
            )

    def __post_init__(self) -> None:
        """UsageError for options that have nothing to act on."""
        if self.output_file is not None and all(output.file for output in self.places):
            raise click.UsageError("--output-file: each --format already names a file")
        if self.statistics and all(output.format != "text" for output in self.places):
            raise click.UsageError("--statistics is for the format text")


def formats_help(formats: str) -> Mapping[str, str]:
    return {"places": f"{formats} May be given several times."}


def write(
    report: Report,
    outputs: Iterable[Output],
    color: str = "auto",
    style: Style = _USUAL,
) -> None:
    """Write a report in each format asked for; Refusal when one cannot be written.

    The width and the colours of `style` are those of each place.
    """
    for output in sorted(outputs, key=lambda output: output.file is None):
        width = _NOT_A_TERMINAL if output.file else terminal_width()
        own = replace(style, width=width, color=_colored(output, color))
        pieces = _chunks(renderer(output.format)(report, own))
        if output.file is None:
            _print(pieces)
        else:
            write_file(output.file, pieces)


def echo(text: str) -> None:
    """Print text of a command that writes no report; ends quietly when nobody reads it."""
    _print([text])


def put(text: str, file: Path | None) -> None:
    if file is None:
        echo(text)
    else:
        write_file(file, [text])


def echo_lines(lines: Iterable[str]) -> None:
    echo("\n".join(lines) + "\n")


def answer(
    form: str,
    data: Callable[[], Json],
    lines: Callable[[int], Iterable[str]],
    most: int = _READABLE,
    indent: int | None = None,
) -> None:
    """Print what a command found, as JSON or as lines of at most `most` cells for people."""
    if form == "json":
        from mqlint.report.json import dump  # here, as checks print reports

        echo(dump(data(), indent) + "\n")
    else:
        echo_lines(lines(terminal_width(most)))


def terminal_width(most: int = _WIDEST) -> int:
    """The width of the terminal in cells, up to `most`; 100 without a terminal."""
    width = whole_number(os.environ.get("COLUMNS")) or 0
    if not width:
        try:
            width = os.get_terminal_size(sys.stdout.fileno()).columns or _NOT_A_TERMINAL
        except (OSError, ValueError):
            width = _NOT_A_TERMINAL
    return max(_NARROWEST, min(width, most))


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
        reconfigure(errors="backslashreplace")  # the terminal may lack characters
    try:
        for piece in pieces:
            click.echo(piece, nl=False, color=True)
    except BrokenPipeError:
        close_quietly()


def make_folder(folder: Path) -> None:
    """Make a folder for output if need be; Refusal where that cannot be, or it leads out by a link.

    So does `write_file`: a checkout must not choose which file outside of it is overwritten.
    """
    try:
        require_inside(folder)
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(f"to {folder}", error) from None


def unwritable(what: str, error: OSError) -> Refusal:
    """Return the refusal for what the system does not let be written."""
    return Refusal(f"cannot write {what}: {(error.strerror or str(error)).lower()}")


def require_inside(path: Path) -> None:
    """Refuse a path that lies in a checkout and leads out of it by a link."""
    fault = link_fault(path)
    if fault is not None:
        raise Refusal(f"cannot write {click.format_filename(path)}: {fault}")


def write_file(file: Path, pieces: Iterable[str]) -> None:
    """Write a file as a whole or not at all; Refusal where it cannot be written."""
    require_inside(file)
    try:
        if file.exists() and not file.is_file():
            _write_plain(file, pieces)  # a pipe or a device, as in json=/dev/stderr
        else:
            _write_atomically(file.resolve(), pieces)
    except OSError as error:
        raise unwritable(click.format_filename(file), error) from None


def write_new(file: Path, text: str) -> None:
    """Write a file; Refusal where there is one already, or it cannot be written."""
    try:
        with file.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    except FileExistsError:
        raise Refusal(f"{file} already exists; nothing was written") from None
    except OSError as error:
        raise unwritable(str(file), error) from None


def _write_plain(target: Path, pieces: Iterable[str], mode: str = "w") -> None:
    with open(target, mode, encoding="utf-8", newline="\n", opener=_opened) as stream:
        stream.writelines(pieces)


def _opened(path: str, flags: int) -> int:
    """Open a file; a pipe that no program reads is an error, and is not waited for much longer."""
    unblocked = getattr(os, "O_NONBLOCK", 0)
    for pause in (*(0.05,) * 20, None):
        try:
            handle = os.open(path, flags | unblocked, 0o666)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            if pause is None:
                raise OSError(errno.ENXIO, "no program reads this pipe") from None
            time.sleep(pause)
        else:
            break
    if unblocked:
        os.set_blocking(handle, True)
    return handle


def _write_atomically(target: Path, pieces: Iterable[str]) -> None:
    """Readers of the file see the old text or the new one, never half of it; it keeps its mode."""
    draft = target.with_name(f".{target.name}.{os.urandom(4).hex()}.part")
    try:
        _write_plain(draft, pieces, mode="x")
        if target.exists():
            draft.chmod(S_IMODE(target.stat().st_mode))
        draft.replace(target)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
