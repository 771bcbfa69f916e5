"""Each rule has a page that `make docs` wrote, and that Markdown shows as it is meant."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from catalogue import load_catalogue
from policy_pages import pages, themes, write

from tests.docs.markdown import faults
from tests.shipped import shipped_rulebook

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parents[2] / "docs" / "policies"


@cache
def made() -> dict[str, str]:
    return pages(shipped_rulebook(), load_catalogue())


@pytest.fixture(scope="module")
def written() -> dict[str, str]:
    if not FOLDER.is_dir():
        pytest.skip("no docs here")
    return {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}


def test_the_pages_in_the_repository_are_up_to_date(written: dict[str, str]) -> None:
    stale = {
        name for name in made().keys() | written.keys() if made().get(name) != written.get(name)
    }
    assert stale == set(), "run `make docs`"


def test_pages_are_sound_markdown(written: dict[str, str]) -> None:
    found = {name: faults(text, FOLDER) for name, text in written.items()}
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_the_index_names_every_rule_under_a_theme() -> None:
    by_theme = made()["README.md"].partition("## By message")[0]
    listed = re.findall(r"^\| \[(\w+)\]\(\1\.md\) \| \S", by_theme, re.MULTILINE)
    assert sorted(listed) == sorted(shipped_rulebook().rules)


def test_the_index_names_the_rules_of_each_message() -> None:
    table = made()["README.md"].partition("## By message")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", table, re.MULTILINE))
    rules = shipped_rulebook().rules.values()
    assert rows.keys() == {word for rule in rules for word in rule.messages}
    assert "[DR001](DR001.md)" in rows["AMQ9456"]


def test_code_of_a_page_is_at_the_margin() -> None:
    assert "\n\n    REFRESH CLUSTER(the.cluster) REPOS(NO)\n" in made()["DR001.md"]


def test_every_theme_has_a_heading() -> None:
    groups = {rule.group for rule in shipped_rulebook().rules.values()}
    assert groups - themes().keys() == set()


def test_a_former_id_leads_to_the_page_of_the_rule() -> None:
    assert "SYN021 is now [SYN020](SYN020.md)" in made()["SYN021.md"]
    assert "| SYN021 | [SYN020](SYN020.md) |" in made()["README.md"]


def test_a_page_says_what_the_rule_says() -> None:
    text = made()["DR001.md"]
    for part in (
        "# DR001 shared-cluster-receiver-name\n",
        "- theme: [Disaster recovery](README.md#disaster-recovery)\n",
        "- severity: warning, production: error, dr-test: error\n",
        "## Why\n\nProduction applications can lose access to cluster queues",
        "`AMQ9456`, `AMQ9469`",
        "## Details\n\nIf the DR copy is a clone",
        "## Flagged: same name, no isolation between the sites\n\nprod/QMA/c.mqsc\n\n```text\n> ",
        "## Not flagged: names differ\n\nprod/QMA/c.mqsc\n\n```text\nDEFINE",
        "isolation: none",
        "## In the catalogue\n\n- `",
        "[Its file](../../policies/dr/dr001.yaml)",
    ):
        assert part in text


def test_the_page_of_a_rule_that_is_gone_goes_too(tmp_path: Path) -> None:
    (tmp_path / "OLD001.md").write_text("a rule of last year")
    write({"README.md": "now\n"}, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]


def test_an_example_shows_what_its_settings_say_and_no_more() -> None:
    text = made()["DR001.md"]
    assert 'mqlint.yaml\n\n```text\nqueue_managers: ["*/{queue_manager}/*"]\n```' in text
    assert (
        "\ndr/QMA/c.mqsc\n\n```text\n  DEFINE NAMELIST(BOTH) NAMES(CLUS0, CLUS1)\n> DEFINE" in text
    )


def test_a_profile_that_is_in_every_run_is_no_setting_of_an_example() -> None:
    assert "profiles: [default]" not in made()["ZOS037.md"]
    assert "profiles: [audit]" in "".join(made().values())
