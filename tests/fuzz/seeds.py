"""Where targets start from: the examples, the cases of rules and tests, and a few made here.

All of it is in the repository, so a seed makes the same texts on every machine.
"""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import tarfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from mqlint.config.reader import read_yaml
from mqlint.engine.document.pack import pack
from mqlint.language.registry import recognise
from mqlint.policy.language.cases import cases_of
from mqlint.policy.load import builtin_sources
from mqlint.source.decode import ENCODINGS, Decoded, decode, encode
from mqlint.vocabulary import Target
from tests.fuzz.checks import sources
from tests.fuzz.program import ANALYSER
from tests.language import test_powershell
from tests.language.test_cmd import COMMANDS, DOCUMENTS
from tests.language.test_script_host import HOSTS
from tests.languages import ONE_OF_EACH

ROOT = Path(__file__).parents[2]


def of_language(*languages: str) -> list[bytes]:
    """Every text there is in some languages."""
    return [data for language in languages for data in _by_language()[language]]


def everything() -> list[bytes]:
    """Every text there is, in a fixed order."""
    return [data for texts in _by_language().values() for data in texts]


def encoded() -> list[bytes]:
    """Texts in every encoding that is read, and in UTF-32, which is not."""
    found = []
    for index, data in enumerate(everything()[:600]):
        text = decode(data).text[:2000]
        encoding = ENCODINGS[index % len(ENCODINGS)]
        ends = "nel" if encoding.startswith("cp") and index % 2 else "lf"
        try:
            found.append(encode(Decoded(text, encoding, ends, False)))  # type: ignore[arg-type]
        except (UnicodeEncodeError, ValueError):
            found.append(data)
    return [*found, *(text.encode("utf-32") for text in ("DEFINE QLOCAL(A)\n", "Log:\n"))]


def commands() -> list[bytes]:
    """A line for each control command, with all its options, and a line for each option."""
    lines = []
    for name, spec in sorted(ANALYSER.vocabulary.control.items()):
        flags = [f"-{option}" for option in sorted(spec.flags)]
        values = [f"-{option} v" for option in sorted(spec.values)]
        lines += [" ".join([name, *flags, *values, "QMA"])]
        lines += [f"{name} {option} QMA" for option in (*flags, *values)]
    return [line.encode() for line in lines]


def batch_files() -> list[bytes]:
    """Batch files: those of the tests besides."""
    return [*of_language("cmd"), *(str(row[0]).encode() for row in (*COMMANDS, *DOCUMENTS))]


def powershell() -> list[bytes]:
    """Scripts of PowerShell: those of the tests besides."""
    rows = (*test_powershell.COMMANDS, *test_powershell.DOCUMENTS, *test_powershell.FILES)
    return [*of_language("powershell"), *(str(row[0]).encode() for row in rows)]


def captures() -> list[bytes]:
    """What commands printed, and resource files of DRBD."""
    root = read_yaml((ROOT / "tests/model/cases/host.yaml").read_text("utf-8"), "host.yaml")
    files = [case.require("files").mapping() for case in root.sequence()]
    own = [text.string().encode() for texts in files for text in texts.values()]
    return [*of_language("captured", "drbd"), *own]


def hosted(language: str) -> list[bytes]:
    """Files that hold scripts: those of the tests besides, of all kinds, as they are alike."""
    return [*of_language(language), *(text.encode() for _, _, text, _ in HOSTS)]


def settings() -> list[bytes]:
    """Configurations of projects and estates."""
    files = [data for path, data in _files(ROOT / "examples") if path.endswith(".yaml")]
    return [*files, *(text.encode() for text in (_PROJECT, _ESTATE))]


def policies() -> list[bytes]:
    """The rules themselves."""
    return [source.text.encode() for source in builtin_sources()]


def waivers() -> list[bytes]:
    """Waivers of each scope."""
    entry = (
        b"waivers:\n  - rule: DR001\n    %s\n    owner: a\n    reason: b\n    expires: 2027-03-31\n"
    )
    scopes = (b"site: leeds", b"queue_manager: QM*", b"object: [A, B.*]", b"paths: 'a/**'")
    return [entry % scope for scope in scopes]


def baselines() -> list[bytes]:
    """Baselines of no finding, one and several."""
    known = b'{"rule": "VOC001", "path": "a", "fingerprint": "%s"}' % (b"0a" * 16)
    return [
        b'{"version": 1, "findings": [%s]}' % b",\n".join([known] * number) for number in range(4)
    ]


def patterns() -> list[bytes]:
    """A pattern, and in the next line a value."""
    rows = (r"^(A|B)*C$", r"SYSTEM\..*", r"[A-Z]{2,4}\d+", r"(?:a+)+b", r"\w+@[^.]+\.com", "")
    return [f"{row}\n{value}".encode() for row in rows for value in ("ABAC", "SYSTEM.A", "")]


def addresses() -> list[bytes]:
    """Patterns of addresses and networks, one a line."""
    rows = (
        "10.0.0.*",
        "10.1-5.*",
        "*",
        "2001:db8::*",
        "::ffff:10.0.0.1",
        "10.0.0.0/8",
        "fe80::/10",
    )
    return [f"{row}\n{two}\n192.168.0.1".encode() for row in rows for two in rows]


def names() -> list[bytes]:
    """A pattern of distinguished names, and in the next line a name."""
    rows = (
        "CN=A",
        "CN=A*,OU=B,OU=C,O=D",
        'CN="A, B",O=C',
        r"CN=A\,B,O=C",
        "SERIALNUMBER=1,DC=x,DC=y",
    )
    return [f"{row}\n{two}".encode() for row in rows for two in rows]


def comments() -> list[bytes]:
    """Texts with comments that suppress findings."""
    forms = (
        "* {}\nDEFINE QLOCAL(A) +\n* {}\n MAXDEPHT(5)\n",
        "# {}\ncrtmqm -zz A\n",
        "REM {}\nstrmqm -q\n",
    )
    words = (
        "mqlint:ignore[VOC001] known",
        "mqlint:ignore",
        "mqlint: ignore[a, b]: c +",
        "mqlint:ignore[",
    )
    return [form.format(word, word).encode() for form in forms for word in words]


def archives() -> list[bytes]:
    """Archives of every kind with plain, hostile and nested files."""
    plain = sources.tape_of(("a.mqsc", tarfile.REGTYPE, b"DEFINE QLOCAL(A)\n"))
    hostile = sources.tape_of(
        ("../a", tarfile.REGTYPE, b"a"),
        ("/b", tarfile.REGTYPE, b"b"),
        ("c", tarfile.SYMTYPE, b""),
        ("d", tarfile.LNKTYPE, b""),
        ("e", tarfile.CHRTYPE, b""),
        ("f/" + "g" * 120, tarfile.REGTYPE, bytes(5000)),
    )
    members = b"a.mqsc\0DEFINE QLOCAL(A)\n\0\0../b\0*bbbb\0\0a.mqsc\0again"
    tapes = [kind + tape for kind in (b"T", b"G", b"B", b"X") for tape in (plain, hostile)]
    packed = [
        b"z" + sources.packed_as(b"Z" + members)[1],
        b"z" + sources.packed_as(b"N" + members)[1],
    ]
    return [
        *tapes,
        *packed,
        *(b"Z" + members, b"N" + members, b"t" + plain),
        *(b"g" + gzip.compress(plain, 1, mtime=0), b"x" + lzma.compress(plain)),
        b"t" + bz2.compress(plain),
    ]


def trees() -> list[bytes]:
    """Trees of git that name one content, by plain names and others."""
    oid = bytes.fromhex(sources.GIT_OID.hexdigest())
    rows = (
        (b"100644", b"a.mqsc"),
        (b"120000", b"link"),
        (b"160000", b"module"),
        (b"100644", b"../a"),
    )
    entries = [mode + b" " + name + b"\0" + oid for mode, name in rows]
    return [*entries, b"".join(sorted(entries))]


def packed() -> list[bytes]:
    """Readings as they are sent, one of each language."""
    readings = []
    for path, text in ONE_OF_EACH.items():
        language = recognise(path, text)
        if language is not None:
            readings.append(ANALYSER.analyse(text, language, Target(), path))
    return [json.dumps(pack(reading)).encode() for reading in readings]


def stored() -> list[bytes]:
    """Files of a scan, each behind the byte that chooses it."""
    manifest = b'{"scan": "1", "finished": "x", "folder": "scan-1", "tables": {"findings": 1}}'
    texts = (manifest, manifest, b"scan", b"PAR1", b"kept\0\0\0\0", b'{"key": "key", "value": [1]}')
    return [bytes([at]) + text for at, text in enumerate(texts)]


def hostile() -> list[bytes]:
    """Names of strangers."""
    rows = (
        "QMA\nA.B",
        "\x1b[2J\x9b31m",
        "\u202eesrever\u2066\n\u2028",
        "</script>\n=1+1\n::error::x",
    )
    return [*(row.encode() for row in rows), b"lost\xffbyte\n\0nul\x7f"]


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.stat().st_size < 1 << 20:
            yield path.relative_to(folder).as_posix(), path.read_bytes()


def _cases() -> Iterator[tuple[str, bytes]]:
    """The texts of cases: those of the rules, and of the tests of MQSC."""
    for source in builtin_sources():
        for case in cases_of(source):
            yield from ((path, text.encode("utf-8", "replace")) for path, text in case.files)
    root = read_yaml((ROOT / "tests/seeds/mqsc.yaml").read_text("utf-8"), "mqsc.yaml")
    for rows in root.mapping().values():
        yield from (("a.mqsc", row.require("text").text().encode()) for row in rows.sequence())
    yield "a.mqsc", (ROOT / "tests/language/mqsc/cases.yaml").read_bytes()


@cache
def _by_language() -> dict[str, list[bytes]]:
    """All texts there are, by what they are taken for; `` holds the others."""
    found: dict[str, list[bytes]] = {language: [] for language in sorted(ANALYSER.languages)}
    found[""] = []
    own = ((path, text.encode()) for path, text in ONE_OF_EACH.items())
    page = ("page.md", (ROOT / "docs" / "files.md").read_bytes())
    for path, data in (*own, page, *_files(ROOT / "examples" / "estate"), *_cases()):
        if data:
            found[recognise(path, decode(data).text, named=True) or ""].append(data)
    return found


_PROJECT = """\
repository: mq
sites:
  leeds: {role: production, paths: ["prod/**"], networks: [10.0.0.0/8]}
  derby: {role: dr, paths: ["dr/**"], stands_in_for: leeds}
queue_managers: ["*/{queue_manager}/*"]
order: ["a/*", "b/*"]
twins: {rename: {PRD: DRS}}
target: {level: 9.4.0, platform: unix}
overrides: [{paths: ["zos/**"], target: {platform: zos}, profiles: [production]}]
profiles: [production]
migration: {from: 9.1, to: 9.4}
inventory: {jobs: complete, objects: partial}
external: {queue: ["APP.*"]}
exclude: ["old/**"]
fail_on: warning
severity: {VOC001: off, DR001: error}
parameters: {QUE001: {depth: 5}}
policies: [own]
templates: {percent: true}
waivers: w.yaml
baseline: ""
"""
_ESTATE = """\
labels: {region: eu}
defaults: {target: {level: 9.3}}
override: {severity: {VOC001: error}}
repositories:
  - ../mq-one
  - {path: "repos/*.git", ref: main, team: a, labels: {x: y}}
  - {path: b.tar.gz, name: b}
dumps:
  - {path: "hdfs://h:8020/dumps", name: dumps}
"""
