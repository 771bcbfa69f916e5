"""A release: one command makes it, equal sources give equal files, each works by itself."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tarfile
import zipfile
from functools import partial
from hashlib import sha256
from pathlib import Path

import pytest

from tests.packaging.conftest import ROOT, Run, make_release, new_environment

pytestmark = pytest.mark.slow

SCRIPT = "DEFINE QLOCAL(ORDERS.IN) REPLACE MAXDEPHT(7000)\n"

# Without the packages of this environment.
ALONE = (sys.executable, "-I", "-S")


@pytest.fixture
def script(tmp_path: Path) -> Path:
    (tmp_path / "queues.mqsc").write_text(SCRIPT, encoding="utf-8")
    return tmp_path


def test_sums_are_those_of_all_files(release: Path) -> None:
    lines = (release / "SHA256SUMS").read_text("utf-8").splitlines()
    sums = {name: digest for digest, name in (line.split("  ") for line in lines)}
    files = {file.name: sha256(file.read_bytes()).hexdigest() for file in release.iterdir()}
    del files["SHA256SUMS"]
    assert sums == files
    kinds = ("whl", "tar.gz", "pyz", "json", "md")
    assert all(any(name.endswith(kind) for name in files) for kind in kinds)


@pytest.mark.long
def test_two_builds_have_the_same_digests(
    release: Path, tree: Path, run: Run, tmp_path: Path
) -> None:
    """In another folder, with files of other times and modes, and other hashes of texts."""
    other = tmp_path / "elsewhere"
    shutil.copytree(tree, other)
    for file in other.rglob("*.yaml"):
        os.utime(file, (0, 0))
        file.chmod(0o600)
    again = make_release(other, tmp_path / "dist", run, PYTHONHASHSEED="7", TZ="Asia/Tokyo")
    assert (again / "SHA256SUMS").read_text() == (release / "SHA256SUMS").read_text()


def test_one_file_runs_with_nothing_but_python(release: Path, script: Path, run: Run) -> None:
    cache = script / "cache"
    check = (*ALONE, release / "mqlint.pyz", "check", "queues.mqsc")
    for _ in range(2):
        done = run(*check, cwd=script, status=1, XDG_CACHE_HOME=str(cache))
        assert "MAXDEPHT" in done.stdout
        assert done.stderr == ""
    (folder,) = (cache / "mqlint-pyz").iterdir()
    assert (folder / "mqlint" / "__pycache__").is_dir()


@pytest.mark.skipif(sys.platform == "win32", reason="folders have access lists there")
@pytest.mark.parametrize("state", ["no folder", "others may write", "a link", "a checkout"])
def test_one_file_unpacks_only_where_nobody_else_can_write(
    release: Path, script: Path, run: Run, state: str
) -> None:
    cache = script / "cache"
    if state == "no folder":
        cache.write_text("a file")
    elif state == "others may write":
        (cache / "mqlint-pyz").mkdir(parents=True)
        (cache / "mqlint-pyz").chmod(0o777)
    elif state == "a checkout":
        (script / ".git").mkdir()
    else:
        (script / "elsewhere").mkdir()
        cache.mkdir()
        (cache / "mqlint-pyz").symlink_to(script / "elsewhere")
    check = (*ALONE, release / "mqlint.pyz", "check", "queues.mqsc")
    done = run(*check, cwd=script, status=1, XDG_CACHE_HOME=str(cache))
    assert "MAXDEPHT" in done.stdout
    assert [*script.glob("cache/mqlint-pyz/*")] == [*script.glob("elsewhere/*")] == []


def test_one_file_imports_nothing_of_the_working_folder(
    release: Path, script: Path, run: Run, tmp_path_factory: pytest.TempPathFactory
) -> None:
    (script / "yaml.py").write_text("raise SystemExit('imported from the working folder')")
    (script / "mqlint.yaml").write_text("target: {level: 9.3.0}\n")
    # Not in the folder: what is unpacked would be read as part of the project.
    env = {"XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache"))}
    done = run(sys.executable, release / "mqlint.pyz", "check", ".", cwd=script, status=1, **env)
    assert "MAXDEPHT" in done.stdout


def test_wheelhouse_installs_without_an_index(release: Path, script: Path, run: Run) -> None:
    with tarfile.open(next(release.glob("*-wheelhouse.tar.gz"))) as archive:
        archive.extractall(script, filter="data")
    commands, pip = new_environment(script / "venv", run)
    options = "install --quiet --no-index --require-hashes --find-links wheelhouse"
    requirements = ("-r", "wheelhouse/requirements.txt")
    index = "https://index.invalid"
    run(*pip, *options.split(), *requirements, cwd=script, PIP_INDEX_URL=index)
    assert (
        "MAXDEPHT" in run(commands / "mqlint", "check", "queues.mqsc", cwd=script, status=1).stdout
    )


def test_bill_of_materials_names_what_one_file_holds(release: Path) -> None:
    bill = json.loads((release / "sbom.cdx.json").read_text("utf-8"))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")
    named = {part["name"] for part in (bill["metadata"]["component"], *bill["components"])}
    with zipfile.ZipFile(release / "mqlint.pyz") as archive:
        names = (name.partition("/")[0] for name in archive.namelist())
        held = {name.partition("-")[0] for name in names if name.endswith(".dist-info")}
    assert named == held
    references = {part["bom-ref"] for part in bill["components"]}
    assert set(bill["dependencies"][0]["dependsOn"]) == references


def test_changes_are_those_of_the_version(release: Path, tree: Path) -> None:
    text = (release / "CHANGES.md").read_text("utf-8")
    assert text.startswith("## [")
    assert text.count("\n## ") == 0
    assert text in (tree / "CHANGELOG.md").read_text("utf-8")


def test_image_is_as_a_linter_wants_it(run: Run) -> None:
    linter = shutil.which("hadolint", path=f"{Path(sys.executable).parent}{os.pathsep}{os.defpath}")
    if linter is None:
        pytest.skip("hadolint is not installed")
    run(linter, ROOT / "container" / "Dockerfile", cwd=ROOT)


@pytest.mark.long
def test_image_is_built_and_checks_a_folder(release: Path, script: Path, run: Run) -> None:
    """Needs buildah, and both base images in its store or a registry that has them."""
    builder = shutil.which("buildah")
    if builder is None:
        pytest.skip("buildah is not installed")
    buildah = partial(run, builder, cwd=release, BUILDAH_ISOLATION="chroot", STORAGE_DRIVER="vfs")
    definition = ROOT / "container" / "Dockerfile"
    for base in re.findall(r"^FROM (\S+)", definition.read_text("utf-8"), re.MULTILINE):
        if buildah("pull", "--policy", "missing", base, status=None).returncode:
            pytest.skip(f"no base image {base}")
    image = buildah("build", "--quiet", "-f", definition, release).stdout.split()[-1]
    container = buildah("from", image).stdout.strip()
    try:
        config = json.loads(buildah("inspect", "--type", "image", image).stdout)["OCIv1"]["config"]
        buildah("copy", container, script, "/work")
        words = (*config["Entrypoint"], *config["Cmd"])
        done = buildah("run", "--user", config["User"], container, "--", *words, status=1)
        assert config["User"] == "65532"
        assert "VOC002" in done.stdout
    finally:
        buildah("rm", container)
        buildah("rmi", image)
