"""The example of channel authentication holds, and what breaks it is found."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mqlint.chlauth.address import network
from mqlint.chlauth.connection import Connection, Verdict
from mqlint.chlauth.region import regions
from mqlint.config.loader import settings_from
from mqlint.config.reader import read_yaml
from mqlint.config.settings import Settings
from mqlint.engine import Analyser, Input, check
from tests.chlauth.accesses import accesses_of
from tests.shipped import shipped_rulebook, shipped_vocabulary

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "chlauth"
ROW = re.compile(r"\| (prod|dr) \| `(.+?)` \| .+ \| (CHA\d{3}) \|")
ROWS = ROW.findall((FOLDER / "README.md").read_text("utf-8"))


def settings() -> Settings:
    return settings_from(read_yaml((FOLDER / "mqlint.yaml").read_text("utf-8"), "mqlint.yaml"))


def files(script: str = "", line: str = "") -> dict[str, str]:
    """The scripts of the example, one of them with a line more."""
    found = {path.relative_to(FOLDER).as_posix(): path for path in FOLDER.rglob("*.mqsc")}
    more = "ALTER QMGR REVDNS(DISABLED)\n" if "*.tills" in line else ""
    return {
        name: path.read_text("utf-8") + (f"{more}{line}\n" if name.startswith(f"{script}/") else "")
        for name, path in found.items()
        if script or not line
    }


def rules_found(script: str = "", line: str = "") -> set[str]:
    analyser = Analyser(shipped_vocabulary())
    inputs = [Input(path, data=text.encode()) for path, text in files(script, line).items()]
    run = check(inputs, settings(), analyser, shipped_rulebook())
    return {finding.rule.id for finding in run.findings}


def test_the_example_is_met_with_silence() -> None:
    assert rules_found() == set()


def test_what_the_readme_promises_of_addresses_holds() -> None:
    derby, leeds = accesses_of(files(), settings())
    own = Connection("MARKET.DRSSALES", queue_manager="PRDSTOCK", peer="")
    (found,) = regions(derby, own, network("10.10.0.0/16"))
    assert (found.outcome.verdict, found.outcome.user) == (Verdict.ALLOWED, "canary")
    other = Connection("MARKET.PRDSALES", queue_manager="DRSSTOCK", peer="")
    for seen in ("10.20.0.0/16", "192.0.2.20/32"):
        (found,) = regions(leeds, other, network(seen))
        assert found.outcome.verdict is Verdict.BLOCKED


def test_each_kind_of_break_is_told_of() -> None:
    assert len(ROWS) == 11


@pytest.mark.parametrize(("script", "line", "rule"), ROWS, ids=lambda text: text[:60])
def test_what_breaks_it_is_found(script: str, line: str, rule: str) -> None:
    assert rule in rules_found(script, line)
