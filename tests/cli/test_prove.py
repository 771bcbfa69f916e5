"""`mqlint chlauth prove`: certificates for people and programs, and their exit statuses."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Mqlint

CONFIG = """\
queue_managers: "{site}/{queue_manager}/*"
inventory: {objects: complete}
sites:
  leeds: {role: production, paths: ["leeds/**"], networks: [10.10.0.0/16]}
  derby: {role: dr, paths: ["derby/**"], networks: [10.20.0.0/16]}
"""
SCRIPT = """\
ALTER QMGR CHLAUTH(ENABLED) CHAD(DISABLED) CONNAUTH(' ')
DEFINE CHANNEL(APP.SVRCONN) CHLTYPE(SVRCONN)
DEFINE CHANNEL(TO.QM1) CHLTYPE(RCVR) TRPTYPE(TCP)
SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('10.20.*') USERSRC(NOACCESS)
"""


@pytest.fixture
def leeds(project: Path) -> Path:
    """The script of a queue manager of Leeds; Derby has one without channels."""
    (project / "mqlint.yaml").write_text(CONFIG)
    for name in ("leeds/QM1", "derby/QM2"):
        (project / name).mkdir(parents=True)
        (project / name / "a.mqsc").write_text(SCRIPT)
    return project / "leeds" / "QM1" / "a.mqsc"


WORDS = ("chlauth", "prove", "--from", "derby", "--to", "leeds")


def test_all_is_refused(leeds: Path, mqlint: Mqlint) -> None:
    done = mqlint(*WORDS)
    assert done.exit_code == 0
    assert "QM1 at leeds: refused" in done.output
    assert "10.20.*: by ADDRESSMAP(*) ADDRESS(10.20.*) (leeds/QM1/a.mqsc:4)" in done.output
    assert "Proven: every connection from derby to leeds is refused." in done.output
    assert hashlib.sha256(leeds.read_bytes()).hexdigest() in done.output


def test_a_witness_gets_in(leeds: Path, mqlint: Mqlint) -> None:
    more = "SET CHLAUTH('APP.SVRCONN') TYPE(USERMAP) CLNTUSER('anna') USERSRC(CHANNEL)\n"
    leeds.write_text(SCRIPT + more)
    done = mqlint(*WORDS, "--format", "json")
    assert done.exit_code == 1
    found = json.loads(done.stdout)
    assert (found["version"], found["verdict"]) == (1, "open")
    (manager,) = found["queue_managers"]
    (channel,) = [one for one in manager["channels"] if one["verdict"] == "open"]
    assert channel["name"] == "APP.SVRCONN"
    assert channel["witness"]["who"] == "user anna"
    assert channel["witness"]["address"] == "10.20.0.0"
    assert channel["witness"]["record"]["line"] == 5
    text = mqlint(*WORDS)
    assert "user anna gets in from 10.20.0.0 as anna" in text.output
    assert "Open: a connection from derby to leeds gets in." in text.output


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (
            "SET CHLAUTH('APP.*') TYPE(ADDRESSMAP) ADDRESS('a.example.com') USERSRC(CHANNEL)\n",
            "host name",
        ),
        ("DEFINE CHANNEL({{ name }}) CHLTYPE(SVRCONN)\n", "template"),
        ("SET CHLAUTH('APP.*' TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)\n", "not understood"),
    ],
)
def test_what_is_not_known_is_not_proven(leeds: Path, mqlint: Mqlint, more: str, why: str) -> None:
    leeds.write_text(SCRIPT + more)
    done = mqlint(*WORDS)
    assert done.exit_code == 4
    assert why in done.output
    assert "Not proven: the files do not decide" in done.output


def test_every_address_is_tried_without_networks(leeds: Path, mqlint: Mqlint) -> None:
    config = Path("mqlint.yaml")
    config.write_text(CONFIG.replace(", networks: [10.20.0.0/16]", ""))
    done = mqlint(*WORDS)
    assert done.exit_code == 1
    assert "any address, as the site has no networks" in " ".join(done.output.split())


def test_wrong_usage_is_an_error(leeds: Path, mqlint: Mqlint) -> None:
    for source, target in (("derby", "derby"), ("derbi", "leeds"), ("derby", "none")):
        done = mqlint("chlauth", "prove", "--from", source, "--to", target)
        assert done.exit_code == 2
    leeds.unlink()
    assert mqlint(*WORDS).exit_code == 2
    assert mqlint("chlauth", "prove", "--from", "derby").exit_code == 2
