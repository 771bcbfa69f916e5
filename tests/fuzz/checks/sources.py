"""What must hold whatever the bytes are that a run is given: files, archives, git's objects."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import tarfile
import tempfile
import warnings
import zipfile
import zlib
from functools import cache
from pathlib import Path

from mqlint.language.registry import recognise
from mqlint.source.archive import members_of
from mqlint.source.decode import ENCODINGS, decode, encode
from mqlint.source.git import GitError, contents_of, files_of
from mqlint.source.lines import LineMap
from mqlint.source.sniff import is_text
from tests.fuzz.program import ANALYSER, refused, run_of, text_of

NAMES = (
    *("a.mqsc", "qm.ini", "mqs.ini", "a.sh", "crontab", "cron.d/mq-jobs", "dump.txt", "a"),
    *("mqclient.ini.j2", "a.tpl", "x\\a.TST", "jobs.cron", ".mqsc", "a.ini", "a.yaml"),
    *("up.bat", "up.cmd", "up.ps1", "Dockerfile", "Jenkinsfile", "main.tf", "mq.service"),
    *("a.jcl", "a.clle", "ccdt.json", "application.properties", "qma.res"),
)
LIMIT, TOTAL = 4_000, 20_000
"""Bytes of one file of an archive that are read, and of all."""
_BLOCK = 512
_FILES = 16


def recognised(data: bytes) -> None:
    """The same text under the same name is the same language, and one that can be read."""
    text = text_of(data)
    name = NAMES[len(data) % len(NAMES)]
    assert is_text(name, data) in (True, False)
    language = recognise(name, text)
    assert language is None or language in ANALYSER.languages
    assert recognise("some/folder/" + name, text) in (language, None, "ini", "crontab")


def recognised_and_run(data: bytes) -> None:
    run_of({NAMES[len(data) % len(NAMES)]: data})


def decoded(data: bytes) -> None:
    """The bytes come back; every offset has a place, in order."""
    for hint in (None, ENCODINGS[len(data) % len(ENCODINGS)]):
        found = decode(data, encoding=hint)
        assert encode(found) == data
    text = found.text
    lines = LineMap.of(text)
    places = [lines.position(offset) for offset in range(len(text) + 1)]
    assert places == sorted(set(places))
    assert places[-1].line == text.count("\n") + 1


def decoded_and_run(data: bytes) -> None:
    run_of({"a.mqsc": data, "qm.ini": data})


def archive(data: bytes) -> None:
    """Nothing raises, no name leads out, nothing is larger than it may be; twice is the same."""
    name, packed = packed_as(data)
    found = [
        (member.name, member.data)
        for member in members_of(io.BytesIO(packed), name, limit=LIMIT, total=TOTAL)
    ]
    bodies = [(path, body) for path, body in found if isinstance(body, bytes)]
    assert all(len(body) <= LIMIT for _, body in bodies)
    assert sum(len(body) for _, body in bodies) <= TOTAL
    assert len({path for path, _ in bodies}) == len(bodies)
    for path, _ in bodies:
        assert not path.startswith(("/", "../")), path
        assert "\0" not in path, path
        assert ".." not in path.split("/"), path
    assert [path for path, _ in found[:-1]].count("") == 0
    again = members_of(io.BytesIO(packed), name, limit=LIMIT, total=TOTAL)
    assert [(member.name, member.data) for member in again] == found


def packed_as(data: bytes) -> tuple[str, bytes]:
    """The name and the bytes of the archive that an input stands for.

    The first byte chooses: the rest is the archive as it is, or what is in it before it is
    packed, which lets changes get past checksums.
    """
    kind, body = data[:1], data[1:]
    match kind:
        case b"z":
            return "a.zip", body
        case b"Z":
            return "a.zip", _zip_of(body)
        case b"t":
            return "a.tar", body
        case b"g":
            return "a.tgz", body
        case b"x":
            return "a.tar.xz", body
        case b"G":
            return "a.tgz", gzip.compress(_checked(body), 1, mtime=0)
        case b"B":
            return "a.tar.bz2", bz2.compress(_checked(body), 1)
        case b"X":
            return "a.tar.xz", lzma.compress(_checked(body), preset=0)
        case b"N":
            return "a.zip", _zip_of(b"inner.zip\0" + _zip_of(body))
    return "a.tar", _checked(body)


def _checked(tape: bytes) -> bytes:
    """A tape whose headers have the right checksums."""
    blocks = [tape[at : at + _BLOCK] for at in range(0, len(tape), _BLOCK)]
    for at, block in enumerate(blocks):
        if b"ustar" in block[257:265]:
            plain = block[:148] + b" " * 8 + block[156:]
            blocks[at] = block[:148] + b"%06o\0 " % sum(plain) + block[156:]
    return b"".join(blocks)


def _zip_of(body: bytes) -> bytes:
    """A zip of files written as NAME, NUL, BYTES, with two NULs between them; a name may recur."""
    packed = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        warnings.simplefilter("ignore", UserWarning)
        for file in body.split(b"\0\0")[:_FILES]:
            name, _, content = file.partition(b"\0")
            info = zipfile.ZipInfo("x")
            info.filename = name.decode("latin-1")
            info.external_attr = (len(content) % 3 == 2) * 0o120777 << 16
            archive.writestr(info, content * (50 if content[:1] == b"*" else 1))
    return packed.getvalue()


def tape_of(*files: tuple[str, bytes, bytes]) -> bytes:
    """A tape of names, kinds and contents."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as tape:
        for name, kind, content in files:
            info = tarfile.TarInfo(name)
            info.type, info.size, info.linkname = kind, len(content), "../../etc/passwd"
            tape.addfile(info, io.BytesIO(content))
    return packed.getvalue().rstrip(b"\0") + bytes(_BLOCK)


def git_tree(data: bytes) -> None:
    """A commit's tree made of any bytes is listed and read, or git refuses it."""
    folder = _repository()
    tree = _store(folder, b"tree", data)
    try:
        blobs, _ = files_of(folder, tree)
        contents = list(contents_of(folder, [blob.oid for blob in blobs], LIMIT))
    except GitError as error:
        refused(error)
        return
    assert len(contents) == len(blobs)
    assert all(content is None or len(content) <= LIMIT for content in contents)


@cache
def _repository() -> Path:
    """A bare repository with one content, in a temporary folder."""
    folder = Path(tempfile.mkdtemp(prefix="mqlint-fuzz-"))
    for name in ("objects", "refs/heads"):
        (folder / name).mkdir(parents=True)
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / "config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = true\n")
    _store(folder, b"blob", GIT_CONTENT)
    return folder


GIT_CONTENT = b"DEFINE QLOCAL(A)\n"
GIT_OID = hashlib.sha1(b"blob %d\0" % len(GIT_CONTENT) + GIT_CONTENT, usedforsecurity=False)


def _store(folder: Path, kind: bytes, body: bytes) -> str:
    whole = kind + b" %d\0" % len(body) + body
    oid = hashlib.sha1(whole, usedforsecurity=False).hexdigest()
    path = folder / "objects" / oid[:2] / oid[2:]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(zlib.compress(whole, 1))
    return oid
