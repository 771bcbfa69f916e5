"""`mqlint rehearse`: stories of DR tests, told day by day."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import Result
from jsonschema import Draft202012Validator

from mqlint.config.forms import names
from mqlint.rehearsal.scenario import ACTIONS, KEYS, OF_COPY
from tests.cli.conftest import Mqlint

ROOT = Path(__file__).parents[2]

STORIES: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "rehearsals.yaml").read_text("utf-8")
)
PRODUCTION: dict[str, dict[str, Any]] = {
    "FR1": {"full": True},
    "FR2": {"full": True},
    "QMA": {"queues": ["Q1"]},
    "QMB": {},
}
COPY = """\
production: leeds
dr: derby
chlauth: admits
made_by: file-copy
queue_managers: {QMA: {}}
events:
  - {day: 0, start: derby}
  - {day: 0, refresh: derby}
  - {day: 2, delete: derby}
"""


def put_estate(
    production: Mapping[str, Mapping[str, Any]],
    dr: Mapping[str, Mapping[str, Any]],
    level: str = "9.2.0",
    platform: str = "linux",
) -> None:
    """Write the files of two sites, each queue manager in the cluster ORDERS."""
    Path("mqlint.yaml").write_text(
        "sites:\n"
        '  leeds: {role: production, paths: ["prod/**"], networks: [10.1.0.0/16]}\n'
        '  derby: {role: dr, stands_in_for: leeds, paths: ["dr/**"], networks: [10.2.0.0/16]}\n'
        'queue_managers: "{site}/{queue_manager}.mqsc"\n'
        f"target: {{level: {level}, platform: {platform}}}\n"
    )
    for number, (folder, managers) in enumerate((("prod", production), ("dr", dr)), start=1):
        Path(folder).mkdir()
        for host, (name, facts) in enumerate(managers.items(), start=1):
            sender = facts.get("to", "FR2" if name == "FR1" else "FR1")
            address = facts.get("sender", "10.1.0.2" if name == "FR1" else "10.1.0.1")
            lines = [
                "ALTER QMGR REPOS(ORDERS)" if facts.get("full") else "ALTER QMGR REPOS(' ')",
                f"DEFINE CHANNEL(TO.{name}) CHLTYPE(CLUSRCVR) CLUSTER(ORDERS) "
                f"CONNAME('10.{number}.0.{host}(1414)')",
                f"DEFINE CHANNEL(TO.{sender}) CHLTYPE(CLUSSDR) CLUSTER(ORDERS) "
                f"CONNAME('{address}(1414)')",
                *(f"DEFINE QLOCAL({queue}) CLUSTER(ORDERS)" for queue in facts.get("queues", ())),
            ]
            Path(folder, f"{name}.mqsc").write_text("\n".join(lines) + "\n")


def rehearse(mqlint: Mqlint, scenario: str, *words: str) -> Result:
    Path("drill.yaml").write_text(scenario)
    return mqlint("rehearse", "--scenario", "drill.yaml", *words)


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story["story"])
def test_a_story_goes_as_the_sources_say(
    story: Mapping[str, Any], mqlint: Mqlint, project: Path
) -> None:
    put_estate(
        {**PRODUCTION, **story.get("production", {})},
        story.get("dr", {}),
        story.get("level", "9.2.0"),
        story.get("platform", "linux"),
    )
    result = rehearse(mqlint, story["scenario"], "--format", "json")
    found = json.loads(result.stdout)
    rows = [(entry["day"], entry["kind"]) for entry in found["calendar"]]
    at = 0
    for day, kind, who, *messages in story.get("calendar", ()):
        entry = next(
            entry
            for entry in found["calendar"]
            if (entry["day"], entry["kind"]) == (day, kind) and (not who or who in entry["who"])
        )
        assert set(messages) <= {
            *entry["messages"],
            "assumed" if entry["assumed"] else "certain",
        }
        assert day >= at
        at = day
    assert not {kind for _, kind in rows} & set(story.get("never", ()))
    verdicts = {trial["key"]: trial["verdict"] for trial in found["remedies"]}
    wanted = story.get("remedies", {})
    assert {key: verdicts[key] for key in wanted} == wanted
    assert not set(story.get("no_remedy", ())) & verdicts.keys()
    assert {branch["key"] for branch in found["undecided"]} >= set(story.get("undecided", ()))
    assert result.exit_code == story["status"]


def test_every_source_that_is_named_is_listed(mqlint: Mqlint, project: Path) -> None:
    put_estate(PRODUCTION, {})
    found = json.loads(rehearse(mqlint, COPY, "--format", "json").stdout)
    named = {key for entry in found["calendar"] for key in entry["sources"]}
    assert named <= set(found["sources"])
    costs = [
        (trial["restarts"], trial["queue_managers"], trial["commands"])
        for trial in found["remedies"]
        if trial["verdict"] in ("prevents", "repairs")
    ]
    assert costs == sorted(costs)


def test_the_text_says_what_the_json_says(mqlint: Mqlint, project: Path) -> None:
    put_estate(PRODUCTION, {})
    text = rehearse(mqlint, COPY).stdout
    for word in (
        "day 27   QMA at leeds: records published; full repositories ignore them",
        "(AMQ9456)",
        "1. close the network between the sites while DR runs: prevents (0 queue managers",
        "No remedy",
        "DR: IBM: Avoiding MQ cluster problems after Disaster Recovery testing (2019)",
    ):
        assert word in text
    only = rehearse(mqlint, COPY, "--queue-manager", "FR2").stdout
    assert "FR1 at leeds and FR2 at leeds: the record of the channel" in only.replace(
        "FR1 at leeds, FR2 at leeds and partial", "FR1 at leeds and FR2"
    )
    assert "QMA at derby: deleted" not in only


def test_each_form_says_what_decides_an_open_question(mqlint: Mqlint, project: Path) -> None:
    put_estate(PRODUCTION, {"QMA": {"queues": ["Q1"]}})
    draft = mqlint("rehearse", "--init").stdout
    found = json.loads(rehearse(mqlint, draft, "--format", "json").stdout)["undecided"]
    open_questions = [branch for branch in found if branch["if_yes"] != branch["if_no"]]
    settings = [branch["setting"] for branch in open_questions if branch["setting"]]
    assert settings
    for form in ("text", "html"):
        shown = " ".join(html.unescape(rehearse(mqlint, draft, "--format", form).stdout).split())
        assert all(" ".join(setting.split()) in shown for setting in settings), form


def test_init_writes_a_scenario_that_can_be_rehearsed(mqlint: Mqlint, project: Path) -> None:
    put_estate(PRODUCTION, {"QMA": {"queues": ["Q1"]}})
    draft = mqlint("rehearse", "--init").stdout
    assert "depends on 3 questions" in " ".join(rehearse(mqlint, draft).stdout.split())
    assert "QMA: {}  # TO.QMA is also the channel of QMA at leeds" in draft
    result = rehearse(mqlint, draft)
    assert "messages for Q1 go to QMA at derby only" in result.stdout
    config = Path("mqlint.yaml").read_text().replace("stands", "reinstated_by: file-copy, stands")
    Path("mqlint.yaml").write_text(config)
    copied = mqlint("rehearse", "--init").stdout
    assert "FR1: {backup_day: 0, own_address: false}" in copied
    assert rehearse(mqlint, copied).exit_code == 1


def test_a_site_without_full_repository_has_an_assumed_one(mqlint: Mqlint, project: Path) -> None:
    put_estate({"QMA": {"queues": ["Q1"]}}, {})
    result = rehearse(mqlint, COPY)
    assert "the files name no full repository of ORDERS at leeds" in result.stdout
    assert "day 90   applications at leeds: no record of Q1 is left" in result.stdout.replace(
        "         applications", "day 90   applications"
    )


WRONG = [
    ("prodution: leeds\n", "unknown key 'prodution': did you mean 'production'?"),
    ("production: leads\ndr: derby\n", "did you mean 'leeds'?"),
    ("production: leeds\ndr: leeds\n", "is the site of production"),
    ("production: leeds\ndr: derby\ndays: 100000\n", "expected a number from 0 to 1000"),
    (COPY + "  - {day: 3, refresh: QMC}\n", "no queue manager 'QMC' in this rehearsal"),
    (COPY + "  - {day: 3, refresh: QMA}\n", "several queue managers are named 'QMA'"),
    (COPY.replace("queue_managers: {QMA: {}}\n", ""), "no queue manager of 'derby' takes part"),
    (COPY + "  - {day: 3, reset: QMA@derby, remove: FR1}\n", "of production only"),
    (COPY + "  - {day: 3, refesh: FR1}\n", "no action 'refesh': did you mean 'refresh'?"),
    (COPY + "  - {day: 3, start: FR1, end: FR2}\n", "an event has one action"),
    (COPY + "  - {day: 3, reset: FR1}\n", "the key 'remove' is missing"),
    (COPY.replace("{QMA: {}}", "{QMX: {}}"), "no file describes 'QMX' at production"),
    (COPY.replace("made_by: file-copy\n", ""), "no file describes"),
    (COPY + "  - {day: 3, stop: QMA@derby}\n", "no action 'stop': did you mean 'end'?"),
    (COPY + "  - {day: 2026-03-01, end: FR1}\n", "days count from the start of the test"),
    (COPY + "  - {day: 130, end: FR1}\n", "after the last day of the calendar: set days: 130"),
    (
        COPY.replace("{day: 0, start: derby}", "{day: 1, start: derby}"),
        "no event starts QMA@derby",
    ),
    (COPY.partition("events:")[0], "a scenario needs events"),
    (COPY.partition("events:")[0] + "events: {day: 0}\n", "expected a list of events"),
    (COPY.replace("{QMA: {}}", "[QMA]"), "expected the name of each queue manager"),
    (COPY.replace("dr: derby", "dr: derbi"), "no site 'derbi': did you mean 'derby'?"),
    ("days: 3\n", "the key 'production' is missing"),
    ("", "expected 'key: value' pairs"),
    ("[" * 200, "not valid YAML"),
    ("password: hunter2\n", "no known key"),
]


@pytest.mark.parametrize(("wrong", "message"), WRONG)
def test_a_wrong_scenario_is_explained(
    wrong: str, message: str, mqlint: Mqlint, project: Path
) -> None:
    put_estate(PRODUCTION, {})
    result = rehearse(mqlint, wrong)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "hunter2" not in result.stderr


def test_what_cannot_be_rehearsed_is_refused(mqlint: Mqlint, project: Path) -> None:
    assert mqlint("rehearse").exit_code == 2
    assert "no queue manager of a site is in a cluster" in mqlint("rehearse", "--init").stderr
    put_estate(PRODUCTION, {})
    assert "cannot read missing.yaml" in mqlint("rehearse", "--scenario", "missing.yaml").stderr
    Path("drill.yaml").write_bytes(b"\xff\xfe\x00")
    assert "it is not UTF-8" in mqlint("rehearse", "--scenario", "drill.yaml").stderr
    assert "role dr" in mqlint("rehearse", "--init").stderr


def test_the_page_has_a_lane_for_each_queue_manager_and_no_script(
    mqlint: Mqlint, project: Path
) -> None:
    put_estate(PRODUCTION, {})
    page = rehearse(mqlint, COPY, "--format", "html").stdout
    assert page.startswith("<!DOCTYPE html>")
    assert "<script" not in page
    assert '<text x="0" y="48">QMA at derby<title>' in page
    assert "FR1 at leeds and FR2 at leeds, day 30 to 89: a record has expired" in page
    assert "<td>AMQ9456</td>" in page
    assert "applications at leeds, day 90 to 120: a record is removed" in page
    assert "://" not in page.partition("<h2>Sources")[0].replace("http://www.w3.org", "")


def test_a_lane_is_as_bad_as_the_worst_in_it(mqlint: Mqlint, project: Path) -> None:
    put_estate(PRODUCTION, {"QMA": {"queues": ["Q1"]}})
    scenario = COPY.replace("file-copy", "definitions") + "  - {day: 40, alter: QMA@leeds}\n"
    page = rehearse(mqlint, scenario, "--format", "html").stdout
    spans = re.findall(r"<title>applications at leeds, (day \d+ to \d+: [a-z ]+)", page)
    assert spans == [
        "day 0 to 39: a record is removed",
        "day 40 to 120: as without the test",
    ]


def test_names_from_files_are_text_in_every_form(mqlint: Mqlint, project: Path) -> None:
    put_estate({**PRODUCTION, "QMA": {"queues": ["'<b>\x1b[31m&'"]}}, {})
    for form in ("text", "json", "html"):
        shown = rehearse(mqlint, COPY, "--format", form).stdout
        assert "\x1b" not in shown
        assert form != "html" or "<b>\\" not in shown


BEYOND = (
    *("did you mean 'leeds'?", "is the site of production", "no queue manager", "several queue"),
    *(
        "no file describes",
        "after the last day",
        "no event starts",
        "no site",
        "of production only",
    ),
)
"""What only the files, or the scenario as a whole, can tell."""


def test_the_schema_is_that_of_the_reader(mqlint: Mqlint) -> None:
    schema = json.loads(mqlint("schema", "scenario").stdout)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    for story in STORIES:
        validator.validate(yaml.safe_load(story["scenario"]))
    for wrong, message in WRONG:
        if not message.startswith(("not valid", "no known", "expected 'key")):
            fits = validator.is_valid(yaml.safe_load(wrong))
            assert not fits or any(words in message for words in BEYOND), wrong


def test_questions_name_what_says_the_answer_in_a_scenario() -> None:
    asked = yaml.safe_load((ROOT / "policies" / "questions.yaml").read_text("utf-8"))["questions"]
    named = {question["scenario"] for question in asked if "scenario" in question}
    assert named
    events = {f"events: {action}" for action in ACTIONS}
    assert named <= {*KEYS, *names(OF_COPY.keys), *events}
