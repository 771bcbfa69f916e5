"""The group of commands: loads each on first use, and prints no traceback."""

from __future__ import annotations

import errno
import gc
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any, NoReturn, cast

import click

from mqlint import __version__
from mqlint.source.gc_control import gc_paused

_WARNS_OF_LEAKS = "_duckdb"
"""A module that prints warnings at the end of Python if the collector has not freed its objects."""

FAILED = 2
"""Exit status of everything but a result: wrong usage, no place to write, a fault."""

INTERRUPTED = 130
"""Exit status after Ctrl-C: what shells give for a program that SIGINT ended."""

_UNWRITTEN = "cannot write to standard output"

_APOLOGY = """mqlint {version} stopped: {error}.
This is a fault of mqlint, not of your files. Please report it with this line and the command
you ran; MQLINT_DEBUG=1 prints a traceback, which can quote your files, so read it first."""


class Refusal(click.ClickException):
    """An error that the user can fix: its lines, made visible, and exit status 2."""

    exit_code = 2

    def __init__(self, *lines: str) -> None:
        from mqlint.report.terminal import visible  # here, as it is seldom needed

        super().__init__("\n".join(map(visible, lines)))


@contextmanager
def refusing(kind: type[Exception], what: str) -> Iterator[None]:
    """Turn errors of one kind into the refusal that says what cannot be done, and why."""
    try:
        yield
    except kind as error:
        raise Refusal(f"{what}: {error}") from None


_LONGEST = 1_000
"""Characters of a word of the command line that an error shows."""


class LazyGroup(click.Group):
    """A group whose commands are imported on first use."""

    def __init__(
        self,
        *args: Any,  # noqa: ANN401 click's own parameters are passed through
        commands_in: Mapping[str, tuple[str, str]] | None = None,
        **kwargs: Any,  # noqa: ANN401
    ) -> None:
        """`commands_in` maps a command's name to its line of help, and what in mqlint.cli it is.

        That is `module:function`, or a module of which it is `command`.
        """
        super().__init__(*args, **kwargs)
        self._commands_in = {
            name: (place if ":" in place else f"{place}:command", line)
            for name, (place, line) in (commands_in or {}).items()
        }

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*self._commands_in, *super().list_commands(ctx)})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._commands_in:
            return super().get_command(ctx, cmd_name)
        from mqlint.late import imported  # here, as the help of the program needs none of it

        with gc_paused():
            command = imported(f"mqlint.cli.{self._commands_in[cmd_name][0]}")
        return cast(click.Command, command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; the error for a file, or for a typo, says what to write instead."""
        try:
            name, command, words = super().resolve_command(ctx, args)
        except click.UsageError as error:
            hint = self._hint(ctx, args[0])
            if hint is None:
                raise
            raise click.UsageError(f"No such command {args[0]!r}. {hint}", ctx) from error
        if command is not None:
            _require_values(command, words)
        return name, command, words

    def _hint(self, ctx: click.Context, word: str) -> str | None:
        from mqlint.config.errors import nearest
        from mqlint.report.terminal import visible

        names = self.list_commands(ctx)
        if "check" in names and Path(word).exists():
            from shlex import quote  # here, as only a typo needs it

            return f"To check this path: mqlint check {visible(quote(word))}"
        near = nearest(word, names)
        return near and f"Did you mean {near!r}?"

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing one."""
        rows = {name: command.short_help or "" for name, command in self.commands.items()}
        rows |= {name: row[1] for name, row in self._commands_in.items()}
        with formatter.section("Commands"):
            formatter.write_dl(sorted(rows.items()))


class Program(LazyGroup):
    """The whole program: turns what a command returns or raises into an exit status."""

    def main(  # type: ignore[override]
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = "mqlint",
        complete_var: str | None = None,
        **extra: Any,  # noqa: ANN401
    ) -> NoReturn:
        """Run the command line `args` and exit: with what the command returned, 0 for None."""
        extra["standalone_mode"] = False
        reopen_closed_streams()
        try:
            _require_no_file(sys.argv[1:] if args is None else args)
            status = super().main(args, prog_name, complete_var, **extra)
            message = ""
        except click.ClickException as error:
            status, message = error.exit_code, ""
            with suppress(OSError):  # no stream is left to write to
                _show(error)
        except (click.Abort, KeyboardInterrupt):
            status, message = INTERRUPTED, ""
        except BrokenPipeError:
            close_quietly()
            status, message = 0, ""
        except Exception as error:
            status, message = FAILED, _explained(error)
        if unwritten := flush_output():
            status, message = FAILED, unwritten
        if message:
            with suppress(OSError):
                click.echo(_shortened(message), err=True)
        if _WARNS_OF_LEAKS not in sys.modules:
            gc.freeze()  # nothing is left for the collector, which walks all objects as Python ends
        sys.exit(status if isinstance(status, int) else 0)


def _show(error: click.ClickException) -> None:
    """Print an error with visible characters alone, and without most of a very long word.

    Words of a command line may be names of a stranger's files: `*` of a shell gives them.
    """
    import io  # here, as only an error needs it

    from mqlint.report.terminal import visible_lines

    written = io.StringIO()
    error.show(written)
    text = written.getvalue().replace("\n\t", "\n  ")  # click puts choices under each other
    click.echo(_shortened(visible_lines(text)), nl=False, err=True)


def _shortened(message: str) -> str:
    import re  # here, as only an error needs it

    message = re.sub(rf"(\S{{{_LONGEST // 2}}})\S{{{_LONGEST // 2},}}", r"\1...", message)
    return quoting_no_secret(message)


def quoting_no_secret(text: str) -> str:
    """Return a text for people without the secrets in what it quotes, and in its single words.

    The words together are none: `token: expected a list` speaks of a key.
    """
    import re  # here, as few runs need it

    from mqlint.source.masking import shown
    from mqlint.source.secrets import without_secrets

    pieces = r"\"[^\"\n]*\"|'[^'\n]*'|[^\s\"']+|[\"']"
    return re.sub(pieces, lambda piece: shown(without_secrets(piece[0])), text)


def _require_no_file(words: Sequence[str]) -> None:
    """Refuse an option that is also the name of a file in the working folder.

    A shell's `*` and pre-commit pass names without `--` before them, so whoever can add a file
    `--exit-zero` could choose the options of a run.
    """
    for word in takewhile(lambda word: word != "--", words):
        if word.startswith("-") and os.path.lexists(word):
            raise Refusal(
                f"{word} is an option and also a file here: write ./{word} for "
                "the file, or `--` before the paths; for the option, rename the file"
            )


def _require_values(command: click.Command, words: Sequence[str]) -> None:
    """Refuse an option without its value: click would take the option after it for the value."""
    named = {
        name: item
        for item in command.params
        if isinstance(item, click.Option)
        for name in (*item.opts, *item.secondary_opts)
    }
    for word, value in pairwise(takewhile(lambda word: word != "--", words)):
        takes_value = word in named and not named[word].is_flag and not named[word].count
        if takes_value and (value in named or value.startswith("--")):
            from mqlint.report.terminal import visible  # here, as it is seldom needed

            shown = visible(value)
            advice = f"If that is the value, write {word}={shown}."
            message = f"Option {word!r} requires a value, but {shown} follows. {advice}"
            raise click.BadOptionUsage(word, message)


def _explained(error: Exception) -> str:
    if os.environ.get("MQLINT_DEBUG"):
        import traceback  # here, as it costs five milliseconds

        return "".join(traceback.format_exception(error)).rstrip()
    return excuse(error)


def excuse(error: Exception) -> str:
    """Return the message for an error: a fault of a file, of the system, or of mqlint."""
    from mqlint.config.errors import ConfigError
    from mqlint.report.terminal import visible

    if isinstance(error, ConfigError):
        return "Error: " + visible(str(error))
    if isinstance(error, OSError):
        return f"Error: {visible(_place(error))}{_reason(error)}"
    return apology(error)


def apology(error: Exception) -> str:
    """Return the message for an unexpected error: its type and place in mqlint, no content.

    The error's own words are left out: they may quote a file, and a file may hold a secret.
    """
    from mqlint.source.fault import kind_and_place

    return _APOLOGY.format(version=__version__, error=kind_and_place(error))


def reopen_closed_streams() -> None:
    """Prevent that a file takes the number of a closed standard stream.

    Nothing can be read from it, and writing to standard output is an error, as it should be.
    """
    if None not in (sys.stdin, sys.stdout, sys.stderr):
        return
    for number, flags in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, flags)  # the lowest number that is free: this one
    sys.stdin = sys.stdin or os.fdopen(0, closefd=False)
    sys.stdout = sys.stdout or os.fdopen(1, "w", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", closefd=False)


def flush_output() -> str:
    """Flush standard output; return the error message if that fails, otherwise blank."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        close_quietly()
    except OSError as error:
        close_quietly()
        return f"Error: {_UNWRITTEN}: {_reason(error)}"
    return ""


def _place(error: OSError) -> str:
    """What could not be read or written, and a colon; blank if that is not known."""
    if error.filename:
        return f"{os.fsdecode(error.filename)}: "
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    printing = trace is not None and trace.tb_frame.f_code is click.echo.__code__
    return f"{_UNWRITTEN}: " if printing else ""


def _reason(error: OSError) -> str:
    if error.errno == errno.EBADF:
        return "it is closed"
    return (error.strerror or type(error).__name__).lower()


def close_quietly() -> None:
    """Discard unprinted output: its reader has ended (as in `mqlint ... | head`)."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
    except (OSError, ValueError):  # no file behind it, as in a test
        pass
