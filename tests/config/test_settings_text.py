"""Settings written as a file say the same when they are read again."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqlint.config.loader import load_settings
from mqlint.config.reader import read_yaml
from mqlint.config.settings import Settings
from mqlint.config.settings_text import as_plain, flow, settings_lines
from mqlint.dataclass import names_of

EXAMPLES = sorted(Path(__file__).parents[2].glob("examples/**/mqlint.yaml"))

TEXTS = [
    "",
    "sites: {production: , dr: {isolation: chlauth, networks: ['fd00:20::/32']}}\n",
    "parameters: {CHN007: {most: 100, names: [A, 'no'], strict: true}}\n",
    "migration: {from: 9.2, to: 940}\n",
    "severity: {DR001: off, MED001: note}\nprofiles: [production]\nfail_on: warning\n",
    "overrides: [{paths: ['zos/**'], target: {platform: zos}, profiles: [audit]}]\n",
    "target: {level: 940}\ntemplates: {percent: true}\ninventory: {jobs: complete}\n",
    "external: {queues: ['A.*', 'on', '1']}\nexclude: ['a b/#x', \"it's: so\"]\n",
    "twins: {rename: {PRD: DRS, '1': '2'}}\norder: ['b/**', a]\npolicies: [own]\n",
]


@pytest.mark.parametrize("text", TEXTS)
def test_settings_come_back(text: str) -> None:
    settings = load_settings(text, "mqlint.yaml")
    again = load_settings("\n".join(settings_lines(settings)), "again.yaml")
    assert again == settings


EVERY_KEY = """
repository: payments
sites: {leeds: {role: production, paths: ['prod/**'], networks: [10.1.0.0/16]}}
queue_managers: '{queue_manager}/*'
order: ['a/**']
twins: {rename: {PRD: DRS}}
compare: {ignore: [DESCR], ignore_objects: ['SYSTEM.*']}
target: {level: 9.4, platform: linux}
overrides: [{paths: ['zos/**'], target: {platform: zos}}]
profiles: {bank: {extends: production, severity: {DR001: error}}}
migration: {from: 9.2.0, to: 9.4.0}
inventory: {jobs: complete, objects: complete, scripts: complete}
external: {queues: ['A.*']}
exclude: [old]
files: {types: {'ops/*.txt': mqsc}}
fail_on: warning
severity: {DR001: note}
parameters: {CHN007: {most: 100}}
policies: [own]
templates: {percent: false, double_underscore: false}
clients: [{files: settings.json, conn_name: $.mq.address, channel: $.mq.channel}]
waivers: ''
baseline: known.json
"""


def test_every_key_comes_back() -> None:
    settings, usual = load_settings(EVERY_KEY, "mqlint.yaml"), Settings()
    for name in names_of(Settings):
        assert getattr(settings, name) != getattr(usual, name)
    assert load_settings("\n".join(settings_lines(settings)), "again.yaml") == settings


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.parent.name)
def test_examples_come_back(path: Path) -> None:
    settings = load_settings(path.read_text("utf-8"), str(path))
    assert load_settings("\n".join(settings_lines(settings)), "again.yaml") == settings


def test_what_is_as_usual_is_a_comment() -> None:
    lines = list(settings_lines(Settings()))
    assert all(line.startswith("# ") for line in lines)
    assert len(lines) == len(as_plain(Settings()))


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=20))
def test_any_text_comes_back(text: str) -> None:
    (item,) = read_yaml(f"key: [{flow(text)}]\n", "x").require("key").sequence()
    assert item.string() == text
