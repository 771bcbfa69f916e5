"""Every command of mqlint as words of a command line, and processes that run them."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import click

from mqlint.cli import main

SCRIPT = Path(sys.executable).with_name("mqlint")
"""The command as pip installs it."""

PATIENCE = 1800
"""Seconds after which a test gives up; nothing is asserted of any less."""

FORMS: Mapping[str, Sequence[str]] = {
    "script": (str(SCRIPT),),
    "isolated": (sys.executable, "-I", "-m", "mqlint"),
    "safe path": (sys.executable, "-P", "-m", "mqlint"),
}
"""The ways to start mqlint that the documentation shows."""

GOOD = "DEFINE CHANNEL(TO.YORK) CHLTYPE(SVRCONN) TRPTYPE(TCP)\nDEFINE QLOCAL(ORDERS) REPLACE\n"
BAD = "DEFINE QLOCAL(INVOICES) MAXDEPHT(5)\n"
CLUSTERED = """#!/bin/sh
crtmqm NAME
runmqsc NAME <<E
ALTER QMGR REPOS(NORTH)
DEFINE CHANNEL(NORTH.NAME) CHLTYPE(CLUSRCVR) CLUSTER(NORTH) CONNAME('a.example(1414)')
E
"""
"""A script that makes a full repository called NAME."""


@dataclass(frozen=True, slots=True)
class Command:
    """One run of mqlint: its words, and standard input. `{out}` stands for a folder to write to.

    `prints` says that it writes to standard output, `needs_java` that it runs on Spark.
    """

    words: str
    stdin: str = ""
    prints: bool = True
    needs_java: bool = False

    def filled(self, out: Path) -> list[str]:
        """The words, with a folder to write to."""
        return [word.format(out=out) for word in self.words.split()]


COMMANDS = (
    Command("check ."),
    Command("check sub"),
    Command("check --jobs 2 . sub"),
    Command("check --diff HEAD ."),
    Command("check - --stdin-filename sub/given.mqsc", GOOD),
    Command("check . --format json --no-cache"),
    Command("completion bash"),
    Command("check . --format sarif"),
    Command("check . --format github"),
    Command("baseline create --jobs 2 --force", prints=False),
    Command("baseline update", prints=False),
    Command("baseline show"),
    Command("baseline convert", prints=False),
    Command("chlauth audit ."),
    Command("chlauth prove --from leeds --to york ."),
    Command("config show sub/good.mqsc"),
    Command("config init {out}", prints=False),
    Command("diff bad.mqsc sub/good.mqsc"),
    Command("plan bad.mqsc sub/good.mqsc"),
    Command("doctor ."),
    Command("explain DR001"),
    Command("fix --unsafe bad.mqsc"),
    Command("format --diff bad.mqsc"),
    Command("policy check sub/OWN001.yaml"),
    Command("policy learn ."),
    Command("policy list"),
    Command("policy new OWN002 --folder {out}", prints=False),
    Command("policy schema"),
    Command("policy show DR001"),
    Command("policy test sub/OWN001.yaml"),
    Command("questions ."),
    Command("rehearse --init ."),
    Command("rules"),
    Command("runcheck --channel TO.YORK --address 10.0.0.1 --client-user app sub/good.mqsc"),
    Command("schema"),
    Command("lsp", prints=False),
    Command("server --idle 0.001", prints=False),
    Command("show sub/good.mqsc"),
    Command("why DR001 sub/good.mqsc:1"),
    Command("show -", GOOD),
    Command("estate scan . --engine process --quiet --out {out}/scan"),
    Command("estate tables --out {out}/scan"),
    Command('estate query SELECT*FROM"findings" --out {out}/scan'),
    Command("estate diff {out}/scan {out}/scan"),
    Command("estate report {out}/scan --out {out}/report"),
    Command("estate evidence {out}/scan --out {out}/scan/evidence.json", prints=False),
    Command("estate verify {out}/scan/evidence.json"),
    Command("estate report {out}/scan --out {out}/page"),
    Command("estate package --out {out}/package"),
    Command("estate scan . --master local[2] --quiet --out {out}/spark", needs_java=True),
    Command(
        "estate query SELECT*FROM(findings) --master local[1] --out {out}/spark", needs_java=True
    ),
)
"""Runs of each command, in an order in which one finds what another has left."""

WITHOUT_JAVA = tuple(command for command in COMMANDS if not command.needs_java)
FEW = tuple(
    command
    for command in WITHOUT_JAVA
    if command.words.startswith(("check .", "check --jobs", "policy test", "show -", "estate scan"))
)
"""Some of each kind: with files, with several processes, with standard input, with tables."""
_FIRST = {command.words.split()[0]: command for command in reversed(WITHOUT_JAVA)}
ONE_EACH = tuple(
    command for command in WITHOUT_JAVA if command in FEW or command in _FIRST.values()
)
"""FEW, and the first of each other command or group."""


def leaves(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the names of all commands, as they are typed."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from leaves(command, (*path, name))
        else:
            yield " ".join((*path, name))


def missing_commands() -> list[str]:
    """The commands that COMMANDS does not run."""
    words = [f"{command.words} " for command in COMMANDS]
    return [name for name in leaves(main) if not any(word.startswith(f"{name} ") for word in words)]


def environment(home: Path, **more: str) -> dict[str, str]:
    """The environment of a user who has set nothing: home, cache, sockets and programs."""
    dropped = ("PYTHON", "MQLINT_", "GIT_", "SPARK", "PYSPARK")
    variables = {name: text for name, text in os.environ.items() if not name.startswith(dropped)}
    own = {
        "HOME": str(home),
        "MQLINT_CACHE_DIR": str(home / "cache"),
        "XDG_RUNTIME_DIR": _sockets(),
    }
    return {**variables, **own, **more}


@cache
def _sockets() -> str:
    """A folder for sockets, whose paths must be short."""
    folder = tempfile.mkdtemp(prefix="mq")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def run(
    words: Sequence[str],
    cwd: Path,
    env: Mapping[str, str],
    stdin: str = "",
    setup: Callable[[], None] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end; `setup` is called in the new process before."""
    return subprocess.run(
        words,
        cwd=cwd,
        env=env,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        preexec_fn=setup,
    )


def forbid_nothing() -> None:
    """Take the umask of a careless user: files are for everyone unless mqlint says otherwise."""
    os.umask(0)


def open_to_others(folder: Path) -> list[Path]:
    """Return what in a folder, and the folder itself, somebody but the owner may read or change."""
    every = stat.S_IRWXG | stat.S_IRWXO
    return [path for path in (folder, *folder.rglob("*")) if path.stat().st_mode & every]


def children_of(pid: int) -> set[int]:
    """The processes that a process has started, and those that these have."""
    parents: dict[int, int] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] != "Z":
            parents[int(status.parent.name)] = int(fields[1])
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {pid}


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and was not waited for does not."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return text.rpartition(")")[2].split()[0] != "Z"


def end(pids: set[int]) -> None:
    """End processes that a failed test has left."""
    for pid in filter(is_alive, pids):
        os.kill(pid, signal.SIGKILL)
