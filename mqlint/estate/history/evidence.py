"""Evidence of a scan: an in-toto statement of its table files, which any signer can sign.

The statement is https://in-toto.io/Statement/v1. Its subjects are the Parquet files of the scan
with their SHA-256 digests; its predicate says how the scan was made and what it covers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final

from mqlint.config.json_reader import read_json
from mqlint.estate.history.reading import table_rows
from mqlint.estate.history.store import (
    MANIFEST,
    Manifest,
    NoScanError,
    changes_of,
    latest,
    scan_at,
)

STATEMENT: Final = "https://in-toto.io/Statement/v1"
PREDICATE: Final = "urn:uuid:8dd07d2f-1eb6-4c2f-81ac-e41c525b8ca4#mqlint-estate-scan-v1"
"""The type of the predicate. A TypeURI may be any URI and need not resolve
(https://github.com/in-toto/attestation/blob/main/spec/v1/field_types.md#typeuri); a UUID is
unique without a domain name.
"""

_ROWS = ("scans", "repositories", "coverage", "exceptions")


class EvidenceError(Exception):
    """A file that is not evidence, or a scan that cannot give any; the text says why."""


def statement_of(out: Path, manifest: Manifest) -> dict[str, Any]:
    """Return the statement of a scan in `out`; EvidenceError if its files were changed."""
    folder = out / manifest.folder
    if not manifest.files:
        raise EvidenceError("the scan was made by an earlier mqlint, without digests of its files")
    changes = changes_of(folder, manifest.files)
    if changes:
        raise EvidenceError("; ".join(changes[:5]))
    return {
        "_type": STATEMENT,
        "subject": [
            {"name": f"{manifest.folder}/{name}", "digest": {"sha256": digest}}
            for name, digest in manifest.files.items()
        ],
        "predicateType": PREDICATE,
        "predicate": _predicate(out, manifest),
    }


def _predicate(out: Path, manifest: Manifest) -> dict[str, Any]:
    """How a scan was made, and what it covers, by its tables and its manifest."""
    severities = Counter(
        row["severity"] for row in table_rows(out, manifest, "findings", ["severity"])
    )
    return {
        "scan_id": manifest.scan,
        "finished_at": manifest.finished,
        "rows": dict(manifest.tables),
        "findings": dict(sorted(severities.items())),
        **{name: _rows(out, manifest, name) for name in _ROWS if name in manifest.tables},
    }


def _rows(out: Path, manifest: Manifest, table: str) -> list[dict[str, Any]]:
    """The rows of a table that is small, as JSON has them; without what is in all tables."""
    return [
        {name: _plain(value) for name, value in row.items() if name != "scanned"}
        for row in table_rows(out, manifest, table)
    ]


def _plain(value: object) -> object:
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, list):  # a map comes as pairs
        is_map = bool(value) and all(isinstance(item, tuple) for item in value)
        return dict(value) if is_map else value
    return value


def read_statement(text: str) -> Mapping[str, Any]:
    """Return a statement that `statement_of` made; EvidenceError if it is not one.

    A DSSE envelope, which signers make of it, is opened; its signature is not checked.
    """
    import base64  # here, as few statements are in an envelope

    try:
        found = read_json(text)
        if isinstance(found, dict) and "payload" in found:
            found = read_json(base64.b64decode(found["payload"]))
        if found["_type"] != STATEMENT or found["predicateType"] != PREDICATE:
            raise EvidenceError("it is not evidence of an estate scan")
        for item in found["subject"]:
            if not isinstance(item["name"], str) or not isinstance(item["digest"]["sha256"], str):
                raise TypeError
        names = [item["name"] for item in found["subject"]]
        if not names or len(set(names)) < len(names):
            raise EvidenceError("it names no files" if not names else "it names a file twice")
    except (ValueError, KeyError, TypeError):
        raise EvidenceError("it is not evidence of an estate scan") from None
    return dict(found)


def differences(statement: Mapping[str, Any], out: Path) -> list[str]:
    """Return what differs in `out` from a statement, in sentences.

    If all files are those that it names, what it says of the scan is compared with them.
    """
    expected: dict[str, dict[str, str]] = {}
    for item in statement["subject"]:
        folder, _, name = item["name"].partition("/")
        expected.setdefault(folder, {})[name] = item["digest"]["sha256"]
    found = []
    for folder, files in expected.items():
        if Path(folder).name != folder or folder in (".", ".."):
            raise EvidenceError("it names a folder outside DIR")
        if not (out / folder).is_dir():
            found.append(f"{folder} is missing")
            continue
        changes = changes_of(out / folder, files)
        found += [f"{folder}/{change}" for change in changes or _untrue(statement, out / folder)]
    return found


def _untrue(statement: Mapping[str, Any], folder: Path) -> Iterator[str]:
    """What a statement says otherwise than the manifest and the tables of a scan."""
    try:
        out, manifest = scan_at(folder)
        found = _predicate(out, manifest)
    except NoScanError as error:
        yield f"{MANIFEST}: {error}"
        return
    stated = statement.get("predicate")
    stated = stated if isinstance(stated, dict) else {}
    for name in sorted({*stated, *found}):
        if not _agrees(stated.get(name), found.get(name)):
            yield f"{MANIFEST} and the tables do not agree with `{name}` of the statement"
    with suppress(NoScanError):
        current = latest(out)
        if current.scan == manifest.scan and current != manifest:
            yield f"{MANIFEST} is not equal to {MANIFEST} in DIR"


def _agrees(stated: object, found: object) -> bool:
    """Whether a value of a statement is what was found; rows may have columns added since."""
    if not isinstance(stated, list) or not isinstance(found, list):
        return stated == found
    return len(stated) == len(found) and all(
        isinstance(row, dict) and row and row == {name: now.get(name) for name in row}
        for row, now in zip(stated, found, strict=True)
    )
