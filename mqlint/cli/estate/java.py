"""The Java that Spark needs: looked for where Spark looks, and tried before Spark is."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from mqlint.cli.common.group import Refusal
from mqlint.dataclass import frozen
from mqlint.patterns import later
from mqlint.report.terminal import visible
from mqlint.source.child import environment, program

OLDEST = 17
"""The oldest release of Java that Spark 4 runs on."""

MODULE = "jdk.incubator.vector"
"""The module that Spark 4 starts Java with; cut-down runtimes lack it."""

_SECONDS = 30
_VERSION = later(r'version "(?:1\.)?(\d++)[^"]*+"')
_HOME = later(r"(?m)^[ \t]*+java\.home = (.+)$")
_ADVICE = (
    f"Spark needs a Java runtime of release {OLDEST} or newer, for example openjdk-17-jre-headless"
    " or Eclipse Temurin 17: install one, or let JAVA_HOME name its folder."
    " `mqlint check` needs no Java."
)


@frozen
class _Tried:
    """A Java that was tried: its home, or what is wrong with it."""

    home: Path | None
    fault: str = ""


def find_java(checked: Path | None = None) -> Path:
    """Return the home of a Java that Spark runs on; Refusal, with what was found, without one.

    A Java in the folder `checked` is not run.
    """
    faults = []
    for origin, candidate in _candidates(checked):
        tried = _try(candidate)
        if tried.home is not None:
            return tried.home
        faults.append(f"{visible(str(candidate))} (from {origin}) {tried.fault}")
    found = "; ".join(faults) or "found no Java: JAVA_HOME is not set, no `java` is in PATH"
    raise Refusal(f"{found}. {_ADVICE}")


def _candidates(checked: Path | None) -> Iterator[tuple[str, Path]]:
    if home := os.environ.get("JAVA_HOME"):
        yield "JAVA_HOME", Path(home) / "bin" / "java"
    if found := program("java", environment(checked)):
        yield "PATH", Path(found)


def _try(program: Path) -> _Tried:
    if not program.is_absolute():
        return _Tried(None, "is not an absolute path")
    output = _run(program, "-XshowSettings:properties", "-version")
    if output is None:
        return _Tried(None, "does not exist or cannot be run")
    version = _VERSION.search(output)
    if version is None:
        return _Tried(None, "does not report a Java version")
    if int(version[1]) < OLDEST:
        return _Tried(None, f"is Java {version[1]}")
    if _run(program, f"--add-modules={MODULE}", "-version", must_end_well=True) is None:
        return _Tried(None, f"is Java {version[1]}, but without its module {MODULE}")
    home = _HOME.search(output)
    return _Tried(Path(home[1].strip()) if home else program.resolve().parent.parent)


def _run(program: Path, *options: str, must_end_well: bool = False) -> str | None:
    """Return what Java prints, None when it could not be run."""
    try:
        done = subprocess.run(  # noqa: S603 the Java that the user's environment names
            [program, *options], capture_output=True, timeout=_SECONDS, check=must_end_well
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return (done.stderr + done.stdout).decode("utf-8", "replace")
