"""`mqlint server`: commands that it runs print what they print without it, and nobody needs it."""

from __future__ import annotations

import os
import pty
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from tests.process.runs import BAD, PATIENCE, SCRIPT, children_of, environment, is_alive, run

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc"),
]

REFUSED = 99
ASK = (
    "import sys; from mqlint.server.client import ask; status = ask(); "
    f"sys.exit({REFUSED} if status is None else status)"
)
SERVED = (sys.executable, "-c", ASK)
"""The client alone: `REFUSED` where the command would run without the server."""

COMMANDS = (
    "check .",
    "check . --format json",
    "check . --format sarif --all",
    "check . --color always --verbose",
    "check bad.mqsc --jobs 2",
    "check --diff HEAD .",
    "check nowhere.mqsc",
    "check . --no-such-option",
    "check . --config bad.mqsc",
    "explain DR001",
    "rules",
    "--server check sub",
    "--version",
    "chekc .",
)


@pytest.fixture
def variables(home: Path) -> Iterator[dict[str, str]]:
    """The environment of a user whose servers end with the test."""
    yield from _with_sockets(home)


@pytest.fixture
def server(variables: Mapping[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """A server that waits."""
    with _started(variables) as process:
        yield process
        process.kill()


@pytest.fixture(scope="module")
def served(used_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment of a user for whom a server waits, the same one in all tests that ask it."""
    home = shutil.copytree(used_home, tmp_path_factory.mktemp("served") / "home")
    for variables in _with_sockets(home):
        with _started(variables) as process:
            yield variables
            process.kill()


def _with_sockets(home: Path) -> Iterator[dict[str, str]]:
    """Yield an environment with a folder for sockets that has a short path."""
    folder = tempfile.mkdtemp(prefix="mq")
    variables = environment(home, XDG_RUNTIME_DIR=folder)
    yield variables
    for path in Path(folder).glob("mqlint/*.socket"):
        with suppress(OSError):
            os.kill(_owner_of(path), signal.SIGKILL)
    shutil.rmtree(folder)


def _started(variables: Mapping[str, str], idle: str = "60") -> subprocess.Popen[bytes]:
    words = [str(SCRIPT), "server", "--idle", idle]
    process = subprocess.Popen(words, env=variables, stderr=subprocess.DEVNULL)
    _socket_in(variables)
    return process


def _socket_in(variables: Mapping[str, str]) -> Path:
    """The socket of a server, once somebody listens."""
    folder = Path(variables["XDG_RUNTIME_DIR"], "mqlint")
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        for path in folder.glob("*.socket"):
            with suppress(OSError):
                _owner_of(path)
                return path
        time.sleep(0.05)
    raise TimeoutError


def _owner_of(path: Path) -> int:
    """The process that listens; OSError if none does."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(path))
        found = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
        return int(struct.unpack("3i", found)[0])


def _results(
    words: list[str], cwd: Path, variables: Mapping[str, str], stdin: str = ""
) -> tuple[int, str, str]:
    done = run(words, cwd, variables, stdin)
    return done.returncode, done.stdout, done.stderr


def test_commands_print_the_same(checkout: Path, served: dict[str, str]) -> None:
    for command in COMMANDS:
        plain = _results([str(SCRIPT), *command.split()], checkout, served)
        for _ in range(2):
            assert _results([*SERVED, *command.split()], checkout, served) == plain, command


def test_the_client_decides_what_a_command_depends_on(
    checkout: Path, served: dict[str, str]
) -> None:
    cases: tuple[tuple[str, str, dict[str, str], str], ...] = (
        ("sub", "check .", {}, ""),
        (".", "check - --stdin-filename sub/x.mqsc", {}, BAD),
        (".", "check .", {"FORCE_COLOR": "1", "COLUMNS": "60"}, ""),
        (".", "check . --format text", {"PYTHONIOENCODING": "ascii:backslashreplace"}, ""),
        (".", "check .", {"MQLINT_TODAY": "never"}, ""),
    )
    for folder, command, more, stdin in cases:
        own = {**served, **more}
        words = command.split()
        plain = _results([str(SCRIPT), *words], checkout / folder, own, stdin)
        assert _results([*SERVED, *words], checkout / folder, own, stdin) == plain, command


def test_a_file_that_changes_is_read_again(checkout: Path, served: dict[str, str]) -> None:
    words = [*SERVED, "check", "sub", "--format", "concise"]
    before = _results(words, checkout, served)
    (checkout / "sub" / "new.mqsc").write_text(BAD)
    added = _results(words, checkout, served)
    (checkout / "sub" / "new.mqsc").unlink()
    assert (added != before, "sub/new.mqsc" in added[1]) == (True, True)
    assert _results(words, checkout, served) == before


def test_files_are_written_with_the_rights_of_the_client(
    checkout: Path, served: dict[str, str]
) -> None:
    words = [*SERVED, "check", ".", "--format", "json", "--output-file", "report.json"]

    def masked() -> None:
        os.umask(0o027)

    run(words, checkout, served, setup=masked)
    assert (checkout / "report.json").stat().st_mode & 0o777 == 0o640


def test_colours_are_for_the_terminal_of_the_client(checkout: Path, served: dict[str, str]) -> None:
    def printed(words: list[str]) -> bytes:
        master, terminal = pty.openpty()
        own = {**served, "TERM": "xterm"}
        done = subprocess.run(
            [*words, "check", "bad.mqsc"], cwd=checkout, env=own, stdout=terminal, check=False
        )
        os.close(terminal)
        assert done.returncode == 1
        pieces = []
        with suppress(OSError):
            while piece := os.read(master, 1 << 16):
                pieces.append(piece)
        os.close(master)
        return b"".join(pieces)

    plain = printed([str(SCRIPT)])
    assert b"\x1b[" in plain
    assert printed([*SERVED]) == plain


def test_commands_run_at_the_same_time(checkout: Path, served: dict[str, str]) -> None:
    plain = _results([str(SCRIPT), "check", "."], checkout, served)
    with ThreadPoolExecutor(6) as threads:
        found = threads.map(lambda _: _results([*SERVED, "check", "."], checkout, served), range(6))
        assert list(found) == [plain] * 6


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_command_ends_with_its_client(
    checkout: Path, served: dict[str, str], number: signal.Signals
) -> None:
    (checkout / "large.mqsc").write_text("DEFINE QLOCAL(ORDERS) REPLACE MAXDEPTH(5)\n" * 100_000)
    words = [*SERVED, "check", "large.mqsc"]
    client = subprocess.Popen(
        words, cwd=checkout, env=served, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    server = _owner_of(_socket_in(served))
    while not (copies := children_of(server)):
        time.sleep(0.05)
    time.sleep(0.5)
    client.send_signal(number)
    client.communicate()
    assert client.returncode == (130 if number == signal.SIGINT else -number)
    deadline = time.monotonic() + PATIENCE
    while any(map(is_alive, copies)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert (any(map(is_alive, copies)), is_alive(server)) == (False, True)


def test_a_server_that_nobody_asks_ends(variables: dict[str, str], tmp_path: Path) -> None:
    done = run([str(SCRIPT), "server", "--idle", "0.001"], tmp_path, variables)
    assert (done.returncode, done.stderr.startswith("mqlint server: ")) == (0, True)
    assert not [*Path(variables["XDG_RUNTIME_DIR"]).glob("mqlint/*.socket")]


def test_a_killed_server_is_replaced(checkout: Path, variables: dict[str, str]) -> None:
    plain = _results([str(SCRIPT), "check", "."], checkout, variables)
    for _ in range(2):
        assert _results([str(SCRIPT), "--server", "check", "."], checkout, variables) == plain
        os.kill(_owner_of(_socket_in(variables)), signal.SIGKILL)
    wanted = {**variables, "MQLINT_SERVER": "1"}
    assert _results([str(SCRIPT), "check", "."], checkout, wanted) == plain
    _socket_in(variables)
    assert _results([*SERVED, "check", "."], checkout, variables) == plain


def test_without_being_told_no_command_starts_or_asks_a_server(
    checkout: Path, variables: dict[str, str]
) -> None:
    (checkout / ".env").write_text("MQLINT_SERVER=1\n")
    run([str(SCRIPT), "check", "."], checkout, variables)
    assert not [*Path(variables["XDG_RUNTIME_DIR"]).iterdir()]


def test_modules_in_the_checked_folder_are_not_run(checkout: Path, served: dict[str, str]) -> None:
    plain = _results([str(SCRIPT), "check", "bad.mqsc"], checkout, served)
    for name in ("marshal", "socket", "mqlint", "yaml"):
        (checkout / f"{name}.py").write_text("import os\nos._exit(77)\n")
    words = [str(SCRIPT), "--server", "check", "bad.mqsc"]
    assert _results(words, checkout, served) == plain


@pytest.mark.parametrize("spoil", ["mode", "link", "socket"])
def test_a_place_that_others_may_change_is_refused(
    checkout: Path, variables: dict[str, str], server: subprocess.Popen[bytes], spoil: str
) -> None:
    path = _socket_in(variables)
    folder = path.parent
    if spoil == "mode":
        folder.chmod(0o755)
    elif spoil == "link":
        folder.rename(folder.with_name("other"))
        folder.symlink_to(folder.with_name("other"))
    else:
        path.rename(path.with_name("other"))
        path.symlink_to(path.with_name("other"))
    assert _results([*SERVED, "check", "."], checkout, variables)[0] == REFUSED
    if spoil != "socket":
        done = run([str(SCRIPT), "server"], checkout, variables)
        assert (done.returncode, "XDG_RUNTIME_DIR" in done.stderr) == (2, True)
    assert server.poll() is None


def test_there_is_one_server(served: dict[str, str], tmp_path: Path) -> None:
    done = run([str(SCRIPT), "server"], tmp_path, served)
    assert (done.returncode, "running already" in done.stderr) == (2, True)
