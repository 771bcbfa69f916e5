"""The memory of a check of one large file of each kind, by the byte of its text."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from benchmarks.generate import generate_dump
from benchmarks.subject import Subject

SIZE: Final = 2_000_000
"""The least number of bytes of each text."""

_MQSC: Final = """\
DEFINE QLOCAL('APP{0:05d}.IN') REPLACE DESCR('Requests of {0}') DEFPSIST(YES) MAXDEPTH({1})
DEFINE QALIAS('APP{0:05d}.ALIAS') REPLACE TARGET('APP{0:05d}.IN')
DEFINE CHANNEL('APP{0:05d}.SVR') CHLTYPE(SVRCONN) TRPTYPE(TCP) REPLACE MCAUSER('nobody')
SET AUTHREC PROFILE('APP{0:05d}.IN') OBJTYPE(QUEUE) GROUP('app') AUTHADD(GET,PUT,INQ)
"""


def _mqsc(number: int) -> str:
    return _MQSC.format(number, 5_000 + number % 7)


def _manifest(number: int) -> str:
    lines = "".join(f"    {line}\n" for line in _mqsc(number).splitlines())
    head = f"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: app{number:05d}\ndata:\n"
    return f"---\n{head}  objects.mqsc: |\n{lines}"


def _job(number: int) -> str:
    step = f"//S{number:06d} EXEC PGM=CSQUTIL,PARM='QM01'\n//SYSPRINT DD SYSOUT=*\n"
    lines = _mqsc(number).replace(" REPLACE ", " REPLACE +\n  ").replace(" OBJ", " +\n  OBJ")
    return f"{step}//SYSIN DD *\nCOMMAND DDNAME(CMD)\n/*\n//CMD DD *\n{lines}/*\n"


def _script(number: int) -> str:
    name = f"APPQM{number:05d}"
    return f"crtmqm -lc {name}\nstrmqm {name}\nrunmqsc {name} <<EOF\n{_mqsc(number)}EOF\n"


def _repeated(piece: Callable[[int], str], start: str = "") -> str:
    text, number, size = [start], 0, 0
    while size < SIZE:
        text.append(piece(number))
        size += len(text[-1])
        number += 1
    return "".join(text)


TEXTS: Final[Mapping[str, Callable[[], str]]] = {
    "dump.txt": lambda: generate_dump(SIZE),
    "objects.mqsc": lambda: _repeated(_mqsc),
    "job.jcl": lambda: _repeated(_job, "//MQJOB JOB (ACCT),'MQ',CLASS=A\n"),
    "manifests.yaml": lambda: _repeated(_manifest),
    "create.sh": lambda: _repeated(_script, "#!/bin/sh\n"),
}
"""The files, each with what makes its text."""


def peak_of(file: Path, python: str, cache: Path) -> int:
    """Return the most memory that a check of a file has, in bytes."""
    words = Subject.process(python, [file], cache)
    with subprocess.Popen([*words, "--jobs", "1"], stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"the check of {file} ended with {process.returncode}")
    return usage.ru_maxrss << 10


def main() -> None:
    """Print a line for each kind that the command line names, for all without a name."""
    names = [name for name in TEXTS if not sys.argv[1:] or name in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        cache = root / "cache"
        cache.mkdir(mode=0o700)
        for name in ("empty.mqsc", *names):
            text = TEXTS[name]() if name in TEXTS else ""
            file = root / name.partition(".")[0] / name
            file.parent.mkdir()
            file.write_text(text, encoding="utf-8")
            if not text:
                peak_of(file, sys.executable, cache)  # compiles the rules
                empty = peak_of(file, sys.executable, cache)
                print(f"{name}: {empty / (1 << 20):.0f} MB")
            else:
                above = peak_of(file, sys.executable, cache) - empty
                print(f"{name}: {above / len(text.encode()):.1f} bytes for each of the text")


if __name__ == "__main__":
    main()
