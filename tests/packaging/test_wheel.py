"""The wheel holds what git tracks and works where nothing else is."""

from __future__ import annotations

import tarfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from mqlint.config.data import PACKAGE
from mqlint.vocabulary.load import DOCUMENTS, TABLES
from tests.files import write
from tests.packaging.conftest import STALE, Run, new_environment

pytestmark = pytest.mark.slow

# Folder of the checkout -> folder of the wheel.
SHIPPED = {"mqlint/": "mqlint/", "grammar/": "mqlint/grammar/", "policies/": "mqlint/policies/"}

VOCABULARY = {f"vocabulary_{name}.py" for name in (*DOCUMENTS, *TABLES)}
RULES = ("__init__.py", "policies.py", "policies_described.py")
COMPILED = {*RULES, *VOCABULARY}

SCRIPT = """\
DEFINE QLOCAL(ORDERS.IN) REPLACE +
       MAXDEPTH(5000) +
       MAXDEPHT(7000)
"""


def shipped_name(name: str) -> str | None:
    for folder, target in SHIPPED.items():
        if name.startswith(folder):
            return target + name.removeprefix(folder)
    return None


@pytest.fixture(scope="session")
def installed(wheel: Path, run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the commands of an empty environment that got the wheel and what it needs."""
    folder = tmp_path_factory.mktemp("environment")
    commands, pip = new_environment(folder, run)
    run(*pip, "install", "--quiet", wheel, cwd=folder)
    return commands


def test_wheel_holds_what_git_tracks(wheel: Path, tracked: list[str]) -> None:
    expected = {shipped_name(name) for name in tracked} - {None}
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if name.startswith("mqlint/")}
    assert names == expected | {f"mqlint/{PACKAGE}/{name}" for name in COMPILED}


def test_what_an_earlier_build_left_is_not_shipped(release: Path) -> None:
    names: list[str] = []
    for file in (*release.glob("*.whl"), *release.glob("*.pyz")):
        with zipfile.ZipFile(file) as archive:
            names += archive.namelist()
    assert "mqlint/policies/dr/dr001.yaml" in names
    assert [name for name in names if Path(STALE).name in name] == []


def test_source_distribution_holds_what_git_tracks(release: Path, tracked: list[str]) -> None:
    (sources,) = (file for file in release.glob("mqlint-*.tar.gz") if "wheelhouse" not in file.name)
    with tarfile.open(sources) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    folders = (*SHIPPED, "tests/", "examples/", "benchmarks/")
    assert {name for name in tracked if name.startswith(folders)} <= names


def test_installed_wheel_says_its_version(installed: Path, wheel: Path, run: Run) -> None:
    said = run(installed / "mqlint", "--version", cwd=installed).stdout
    assert wheel.name.split("-")[1] in said


def test_installed_wheel_checks_a_script(installed: Path, run: Run, tmp_path: Path) -> None:
    (tmp_path / "queues.mqsc").write_text(SCRIPT, encoding="utf-8")
    done = run(installed / "mqlint", "check", "queues.mqsc", cwd=tmp_path, status=1)
    assert "queues.mqsc:3:8" in done.stdout
    assert "MAXDEPHT" in done.stdout


def test_installed_wheel_is_silent_on_a_good_script(
    installed: Path, run: Run, tmp_path: Path
) -> None:
    good = "".join(line for line in SCRIPT.splitlines(keepends=True) if "MAXDEPHT" not in line)
    (tmp_path / "queues.mqsc").write_text(good.replace("5000) +", "5000)"), encoding="utf-8")
    run(installed / "mqlint", "check", "queues.mqsc", cwd=tmp_path)


def test_installed_wheel_compiles_no_rule_even_if_it_can_keep_no_cache(
    installed: Path, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "queues.mqsc").write_text(SCRIPT, encoding="utf-8")
    code = (
        "import sys\nfrom mqlint.cli import main\n"
        "try: main(['check', '--no-cache', 'queues.mqsc'])\nexcept SystemExit: pass\n"
        "print(*sys.modules, sep='\\n', file=sys.stderr)"
    )
    done = run(installed / "python", "-c", code, cwd=tmp_path)
    assert "MAXDEPHT" in done.stdout
    assert not {"yaml", "mqlint.policy.language.check"} & set(done.stderr.split())


@pytest.mark.parametrize(
    "patterns",
    [
        pytest.param((*RULES, "vocabulary_*.py"), id="vocabulary together"),
        pytest.param(sorted(COMPILED), id="each", marks=pytest.mark.long),
    ],
)
def test_installed_wheel_has_the_rules_of_its_yaml(
    patterns: Sequence[str], installed: Path, run: Run, tmp_path: Path
) -> None:
    """A damaged or missing module of compiled rules costs time, and changes nothing."""
    (tmp_path / "queues.mqsc").write_text(SCRIPT, encoding="utf-8")
    check = (installed / "mqlint", "check", "--no-cache", "--format", "json", "queues.mqsc")
    with_rules = run(*check, cwd=tmp_path, status=1).stdout
    where = "import mqlint, pathlib; print(pathlib.Path(mqlint.__file__).parent)"
    package = Path(run(installed / "python", "-c", where, cwd=tmp_path).stdout.strip())
    for pattern in patterns:
        contents = {file: file.read_bytes() for file in (package / PACKAGE).glob(pattern)}
        assert contents
        for file, content in contents.items():
            file.write_bytes(content[:-40])
        try:
            assert run(*check, cwd=tmp_path, status=1).stdout == with_rules
        finally:
            for file, content in contents.items():
                file.write_bytes(content)


def test_installed_wheel_keeps_to_its_own_copy(installed: Path, run: Run, tmp_path: Path) -> None:
    ask = "import mqlint, importlib.resources as r; print(r.files('mqlint.policies'))"
    where = run(installed / "python", "-c", ask, cwd=tmp_path).stdout
    assert str(installed.parent) in where


def test_package_that_is_installed_is_extended_and_not_imported(
    installed: Path, run: Run, tmp_path: Path
) -> None:
    python = installed / "python"
    place = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = Path(run(python, "-c", place, cwd=tmp_path).stdout.strip())
    files = {
        "acme_rules/__init__.py": "raise SystemExit('imported')\n",
        "acme_rules/mqlint.yaml": "severity: {VOC002: warning}\n",
        "acme_rules-1.0.dist-info/METADATA": "Name: acme-rules\nVersion: 1.0\n",
        "acme_rules-1.0.dist-info/RECORD": "acme_rules/__init__.py,,\nacme_rules/mqlint.yaml,,\n",
    }
    write(packages, files)
    # The same name in the checkout is not the one that is installed.
    (tmp_path / "acme_rules-2.0.dist-info").mkdir()
    (tmp_path / "acme_rules-2.0.dist-info" / "METADATA").write_text("Name: acme-rules\n")
    (tmp_path / "queues.mqsc").write_text(SCRIPT, encoding="utf-8")
    own = tmp_path / "mqlint.yaml"
    own.write_text("extends: {package: acme-rules}\n")
    check = (installed / "mqlint", "check", "--no-cache", "queues.mqsc")
    asked = run(*check, cwd=tmp_path, status=2, PYTHONPATH=str(tmp_path)).stderr
    digest = asked.split("digest: ")[1].strip()
    own.write_text(f"extends: {{package: acme-rules, digest: '{digest}'}}\n")
    done = run(*check, cwd=tmp_path, PYTHONPATH=str(tmp_path))
    assert "warning VOC002" in done.stdout
    assert "extends: package acme-rules 1.0" in done.stdout
    (packages / "acme_rules" / "mqlint.yaml").write_text("severity: {VOC002: off}\n")
    assert "check what changed" in run(*check, cwd=tmp_path, status=2).stderr
