"""Other linters on files of the same size: bytes a second, each in a process of its own."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from benchmarks.generate import generate_dump
from benchmarks.subject import Subject
from benchmarks.timing import Line, Task, medians

SIZE: Final = 200_000


def neighbours(folder: Path, rounds: int) -> list[Line]:
    """One line a linter; those that are not installed are said to be absent."""
    dump = folder / "neighbour.mqsc"
    dump.write_text(generate_dump(SIZE), encoding="utf-8")
    commands = {"mqlint": Subject.process(sys.executable, [dump], folder / "warm")}
    absent = []
    for tool, arguments, name, text in _others():
        program = _installed(tool)
        if program is None:
            absent.append(tool)
            continue
        path = folder / name
        path.write_text(text, encoding="utf-8")
        commands[tool] = [program, *arguments, str(path)]
    times = medians({tool: _task(command) for tool, command in commands.items()}, rounds)
    what = f"{SIZE // 1000} KB, whole process: "
    return [
        *(
            Line(f"{what}{tool}", "", f"{SIZE / time / 1000:.0f} KB/s")
            for tool, time in times.items()
        ),
        *(Line(f"{what}{tool}", "", "not installed") for tool in absent),
    ]


def _installed(tool: str) -> str | None:
    """The program, beside this interpreter or on the path."""
    beside = Path(sys.executable).with_name(tool)
    return str(beside) if beside.exists() else shutil.which(tool)


def _others() -> list[tuple[str, list[str], str, str]]:
    """Tool, arguments, file name, and a clean text of SIZE bytes for it."""
    return [
        ("yamllint", ["-d", "relaxed"], "neighbour.yaml", _yaml()),
        ("cfn-lint", [], "neighbour.template.json", _template()),
        ("ruff", ["check", "--no-cache", "--isolated"], "neighbour.py", _python()),
    ]


def _repeated(opening: str, unit: str) -> str:
    """`unit` with growing numbers until SIZE bytes are full."""
    count = (SIZE - len(opening)) // len(unit.format(number=10_000))
    return opening + "".join(unit.format(number=10_000 + number) for number in range(count))


def _yaml() -> str:
    """Queues, as a team might keep them in YAML."""
    unit = "queue{number}:\n  description: Orders of today\n  depth: 5000\n  persistent: true\n"
    return _repeated("---\n", unit)


def _python() -> str:
    """Functions of four lines."""
    unit = 'def depth_{number}(used: int, most: int) -> float:\n    """How full a queue is."""\n'
    return _repeated("", unit + "    share = used / most\n    return share\n\n\n")


def _template() -> str:
    """A CloudFormation template: queues, at most 400 of them, the rest in descriptions."""
    queue = {"Type": "AWS::SQS::Queue", "Properties": {"MessageRetentionPeriod": 345600}}
    resources: dict[str, object] = {f"Queue{number}": queue for number in range(400)}
    template = {"AWSTemplateFormatVersion": "2010-09-09", "Resources": resources}
    text = json.dumps(template, indent=2)
    return text + " " * max(0, SIZE - len(text) - 1) + "\n"


def _task(command: list[str]) -> Task:
    """The tool as a task; findings are no failure."""
    return lambda: subprocess.run(command, capture_output=True, check=False)
