"""Nothing that lies in the checked folder or the working folder is imported or run."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.process.checkouts import new_checkout
from tests.process.runs import (
    COMMANDS,
    FEW,
    FORMS,
    ONE_EACH,
    SCRIPT,
    WITHOUT_JAVA,
    Command,
    environment,
    forbid_nothing,
    missing_commands,
    open_to_others,
    run,
)

pytestmark = pytest.mark.slow
LONG = pytest.mark.long
OTHER_FORMS = [form for form in FORMS if form != "script"]
TWO = FEW[:2]
"""With one process and with several. Forms differ in how they start, not in what they do then."""
WITH_JAVA = [command for command in COMMANDS if command.needs_java]

PROGRAMS = ("git", "java", "python", "python3", "spark-submit", "bash", "sh", "dirname")
LOADED = (
    "import sys; from mqlint.cli import main\n"
    "import mqlint.engine.loading.worker\n"
    "try: main(sys.argv[1:])\n"
    "except SystemExit: print(*{name.partition('.')[0] for name in sys.modules})"
)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The own folder of a new user: to fill the cache, mqlint imports more."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def modules(home: Path, tmp_path_factory: pytest.TempPathFactory) -> frozenset[str]:
    """Every module that a run could import, and those that it does in the first run of a user."""
    checkout = new_checkout(tmp_path_factory.mktemp("modules"))
    done = run([sys.executable, "-I", "-c", LOADED, "check", "-q", "sub"], checkout, _env(home))
    loaded = done.stdout.splitlines()[-1].split()
    assert {"mqlint", "click", "json", "subprocess"} <= {*loaded}
    known = (loaded, sys.stdlib_module_names, packages_distributions())
    wanted = {"mqlint", "sitecustomize", "usercustomize"}.union(*known)
    return frozenset(name for name in wanted if name.isidentifier())


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    """The file that everything planted writes to."""
    return tmp_path / "trace"


@pytest.fixture
def planted(checkout: Path, modules: frozenset[str], trace: Path) -> Path:
    """The checkout, with packages and programs of a stranger in each of its folders."""
    for folder in (checkout, checkout / "sub"):
        _plant_packages(folder, modules, trace)
        for place in (folder, folder / "bin"):
            _plant_programs(place, trace)
        (folder / "jars").mkdir()
    return checkout


def _plant_packages(folder: Path, names: Iterable[str], trace: Path) -> None:
    for name in names:
        (folder / name).mkdir()
        source = f"with open({str(trace)!r}, 'a') as file: file.write(__name__ + '\\n')\n"
        (folder / name / "__init__.py").write_text(source)


def _plant_programs(folder: Path, trace: Path) -> None:
    folder.mkdir(exist_ok=True)
    for name in PROGRAMS:
        (folder / name).write_text(f"#!/bin/sh\necho {name} >> '{trace}'\n")
        (folder / name).chmod(0o755)


def _env(home: Path, planted: Path | None = None, form: str = "") -> dict[str, str]:
    """A careless user's: PATH leads into the checkout, and so does a PYTHONPATH that `-I` drops."""
    env = environment(home)
    if planted is not None:
        path = (".", "", "bin", str(planted), str(planted / "bin"), env["PATH"], "")
        env["PATH"] = os.pathsep.join(path)
    if planted is not None and form == "isolated":
        env["PYTHONPATH"] = os.pathsep.join((str(planted), ".", ""))
    return env


RunAll = Callable[[Sequence[Command], str, Path], Path]


@pytest.fixture
def run_all(planted: Path, home: Path, trace: Path, tmp_path: Path) -> RunAll:
    """Run commands in a folder of the checkout, in a form; nothing planted leaves a trace.

    It returns the folder that they write to.
    """

    def run_them(commands: Sequence[Command], form: str, folder: Path) -> Path:
        out = tmp_path / "out"
        out.mkdir()
        env = _env(home, planted / folder, form)
        for command in commands:
            words = [*FORMS[form], *command.filled(out)]
            done = run(words, planted / folder, env, command.stdin, forbid_nothing)
            assert done.returncode in (0, 1), (command.words, done.stderr)
            assert not trace.exists(), (command.words, trace.read_text())
        return out

    return run_them


def test_every_command_is_run() -> None:
    assert missing_commands() == []


@pytest.mark.parametrize(
    ("form", "commands"),
    [
        pytest.param("script", ONE_EACH, id="script one each"),
        *(pytest.param(form, TWO, id=f"{form} two") for form in OTHER_FORMS),
        *(pytest.param(form, WITHOUT_JAVA, id=form, marks=LONG) for form in FORMS),
    ],
)
def test_no_command_runs_what_is_planted(
    form: str, commands: Sequence[Command], run_all: RunAll
) -> None:
    run_all(commands, form, Path())


@pytest.mark.spark
@pytest.mark.parametrize(
    ("form", "commands"),
    [
        pytest.param("script", WITH_JAVA[:1], id="script first"),
        *(pytest.param(form, WITH_JAVA, id=form, marks=LONG) for form in ("script", "isolated")),
    ],
)
def test_nor_does_spark_and_what_it_leaves_is_its_owners_alone(
    form: str, commands: Sequence[Command], run_all: RunAll
) -> None:
    # Java and Spark would else be looked for beside the folder that mqlint is called in.
    left = run_all(commands, form, Path("sub")) / "spark"
    assert len([*left.rglob("*")]) > 30
    assert open_to_others(left) == []


def test_what_is_planted_would_run(planted: Path, home: Path, trace: Path) -> None:
    run([sys.executable, "-m", "mqlint", "rules"], planted, environment(home))
    assert "mqlint" in trace.read_text()
    trace.unlink()
    run(["git", "status"], planted, _env(home, planted))
    assert trace.exists()


def test_what_lies_where_mqlint_is_called_does_not_run(
    planted: Path, home: Path, trace: Path, tmp_path: Path
) -> None:
    checked = tmp_path / "checked"
    checked.mkdir()
    (checked / "a.mqsc").write_text("DEFINE QLOCAL(A)\n")
    done = run([str(SCRIPT), "check", "--jobs", "2", str(checked)], planted, _env(home, planted))
    assert (done.returncode, trace.exists()) == (0, False), done.stderr
