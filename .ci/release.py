"""Make what a release consists of (`make release`): equal sources give equal files.

`python .ci/release.py SOURCE OUT` builds the checkout in SOURCE into the folder OUT: the wheel, the
source distribution, `mqlint.pyz`, a wheelhouse to install from without a network, a bill of
materials (CycloneDX), the changelog of the version, and SHA256SUMS. pip gets the dependencies,
and takes only files whose digests are in requirements.txt.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import uuid
import zipfile
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

BOOT = Path(__file__).with_name("pyz_main.py")
EPOCH = 1_577_836_800
"""2020-01-01, the time of files if SOURCE_DATE_EPOCH is not set: archives of zip know no 1970."""

PYTHONS = ("3.11", "3.12", "3.13")
"""The versions whose wheels of PyYAML are in the wheelhouse, for the system that builds it."""

_ZIP_TIME = (2020, 1, 1, 0, 0, 0)
_ONLY_TO_BUILD = "setuptools"
_LEFT_OUT = (".so", ".pyd", ".dist-info/RECORD", ".dist-info/WHEEL", ".dist-info/INSTALLER")


def release(source: Path, out: Path) -> list[Path]:
    """Build a release of the checkout in `source` into `out`; return the files."""
    shutil.rmtree(out, ignore_errors=True)
    house = out / "wheelhouse"
    house.mkdir(parents=True)
    wheel, sdist = built(source, out)
    dependencies = downloaded(source / "requirements.txt", house)
    shutil.copyfile(wheel, house / wheel.name)
    (house / "requirements.txt").write_text(pins(source, wheel), encoding="utf-8")
    written = {
        "mqlint.pyz": pyz([wheel, *dependencies]),
        "sbom.cdx.json": bill(wheel, dependencies),
        "CHANGES.md": changes(source, wheel).encode(),
    }
    for name, content in written.items():
        (out / name).write_bytes(content)
    (out / "mqlint.pyz").chmod(0o755)
    packed = out / f"{sdist.name.removesuffix('.tar.gz')}-wheelhouse.tar.gz"
    packed.write_bytes(tarball({f"wheelhouse/{file.name}": file for file in house.iterdir()}))
    shutil.rmtree(house)
    made = [wheel, sdist, packed, *(out / name for name in written)]
    sums = "".join(f"{digest(file)}  {file.name}\n" for file in sorted(made))
    (out / "SHA256SUMS").write_text(sums, encoding="utf-8")
    return [*made, out / "SHA256SUMS"]


def built(source: Path, out: Path) -> tuple[Path, Path]:
    """Build the wheel and the source distribution of a checkout."""
    for path in source.rglob("*"):  # what the umask of a checkout leaves is not part of a release
        if path.is_file() and not path.is_symlink():
            path.chmod(0o755 if os.access(path, os.X_OK) else 0o644)
    stable = {"SOURCE_DATE_EPOCH": os.environ.get("SOURCE_DATE_EPOCH", str(EPOCH))}
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out)]
    for kind in ("--wheel", "--sdist"):
        run([*command, kind, str(source)], {**stable, "PYTHONHASHSEED": "0"})
    (wheel,), (sdist,) = out.glob("mqlint-*.whl"), out.glob("mqlint-*.tar.gz")
    sdist.write_bytes(repacked(sdist))
    return wheel, sdist


def run(command: list[str], environment: Mapping[str, str] | None = None) -> None:
    """Run a command; what it prints is shown only if it fails."""
    done = subprocess.run(  # noqa: S603 commands of this file
        command, env={**os.environ, **(environment or {})}, capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")


def downloaded(requirements: Path, house: Path) -> list[Path]:
    """Have pip put the pinned dependencies into a folder; return those that mqlint runs with."""
    options = "--quiet --disable-pip-version-check --no-deps --require-hashes --only-binary :all:"
    pip = [sys.executable, "-m", "pip", "download", *options.split(), "--dest", str(house)]
    for version in PYTHONS:
        run([*pip, "--python-version", version, "--requirement", str(requirements)])
    for file in house.glob(f"{_ONLY_TO_BUILD}-*"):
        file.unlink()
    by_name = {file.name.split("-")[0]: file for file in sorted(house.glob("*.whl"), reverse=True)}
    return sorted(by_name.values())


def pins(source: Path, wheel: Path) -> str:
    """Return the requirements of a wheelhouse: mqlint and its dependencies with their digests."""
    pinned = (source / "requirements.txt").read_text("utf-8")
    entries = re.split(r"\n(?=[a-z])", pinned)
    kept = [text for text in entries if not text.startswith(("#", _ONLY_TO_BUILD))]
    own = f"mqlint=={version_of(wheel)} \\\n    --hash=sha256:{digest(wheel)}"
    return "\n".join([own, *(text.rstrip("\n") for text in kept)]) + "\n"


def version_of(wheel: Path) -> str:
    """Return the version in the name of a wheel."""
    return wheel.name.split("-")[1]


def digest(file: Path) -> str:
    """Return the SHA-256 of a file."""
    return sha256(file.read_bytes()).hexdigest()


def pyz(wheels: Iterable[Path]) -> bytes:
    """Return one file that Python runs: all that is pure Python in some wheels."""
    members: dict[str, bytes] = {}
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if not name.endswith(("/", *_LEFT_OUT)):
                    members[name] = archive.read(name)
    contents = sha256()
    for name, content in sorted(members.items()):
        contents.update(f"{name}\0{len(content)}\0".encode() + content)
    boot = BOOT.read_text("utf-8").replace("@DIGEST@", contents.hexdigest()[:32])
    out = io.BytesIO(b"#!/usr/bin/env python3\n")
    out.seek(0, io.SEEK_END)
    with zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted({**members, "__main__.py": boot.encode()}.items()):
            entry = zipfile.ZipInfo(name, _ZIP_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return out.getvalue()


def repacked(sdist: Path) -> bytes:
    """Return a source distribution without what differs from build to build."""
    files = {}
    with tarfile.open(sdist) as archive:
        for member in archive.getmembers():
            content = archive.extractfile(member) if member.isfile() else None
            if content is not None:
                mode = 0o755 if member.mode & 0o100 else 0o644
                files[member.name] = mode, content.read()
    return _tarball(files)


def tarball(files: Mapping[str, Path]) -> bytes:
    """Return an archive of files by their names in it."""
    return _tarball({name: (0o644, file.read_bytes()) for name, file in files.items()})


def _tarball(files: Mapping[str, tuple[int, bytes]]) -> bytes:
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, (mode, content) in sorted(files.items()):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode, entry.mtime = len(content), mode, EPOCH
            archive.addfile(entry, io.BytesIO(content))
    return gzip.compress(plain.getvalue(), mtime=0)


def bill(wheel: Path, dependencies: Iterable[Path]) -> bytes:
    """Return what a release contains, in CycloneDX 1.5."""
    own = component(wheel, "application")
    parts = [component(file, "library") for file in dependencies]
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, digest(wheel))}",
        "version": 1,
        "metadata": {"component": own},
        "components": parts,
        "dependencies": [
            {"ref": own["bom-ref"], "dependsOn": [part["bom-ref"] for part in parts]},
            *({"ref": part["bom-ref"]} for part in parts),
        ],
    }
    return (json.dumps(document, indent=2) + "\n").encode()


def component(wheel: Path, kind: str) -> dict[str, object]:
    """Return an entry of a bill of materials for a wheel."""
    name, version = wheel.name.split("-")[:2]
    with zipfile.ZipFile(wheel) as archive:
        (file,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = archive.read(file).decode()
    found = re.search(r"^License(?:-Expression)?: (\S.*)$", metadata, re.MULTILINE)
    reference = f"pkg:pypi/{name}@{version}"
    entry: dict[str, object] = {
        "type": kind,
        "bom-ref": reference,
        "name": name,
        "version": version,
        "purl": reference,
        "hashes": [{"alg": "SHA-256", "content": digest(wheel)}],
    }
    if found is not None:
        entry["licenses"] = [{"license": {"name": found[1]}}]
    return entry


def changes(source: Path, wheel: Path) -> str:
    """Return the section of the changelog for a version, or what is not released yet."""
    text = (source / "CHANGELOG.md").read_text("utf-8")
    sections = re.split(r"^(?=## \[)", text, flags=re.MULTILINE)[1:]
    by_title = {section[4 : section.index("]")]: section for section in sections}
    return by_title.get(version_of(wheel)) or by_title["Unreleased"]


def main() -> None:
    """Build, and say what was made."""
    os.umask(0o022)  # archives keep the modes of files
    source, out = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    for file in release(source, out):
        sys.stdout.write(f"{file.stat().st_size:>10,}  {file.name}\n")


if __name__ == "__main__":
    main()
