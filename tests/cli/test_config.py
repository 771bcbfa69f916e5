"""`mqlint config`: what holds for a file, and the first file that is written."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from tests.cli.conftest import Mqlint
from tests.files import write

CONFIG = """\
sites:
  leeds: {role: production, paths: ["prod/**"]}
  derby: {role: dr}
queue_managers: ["{site}/{queue_manager}/*"]
target: {level: 9.4.0, platform: linux}
profiles: [production]
order: ["**/first.mqsc"]
overrides:
  - {paths: ["prod/zos/**"], target: {platform: zos}, profiles: [default]}
"""
DUMP = "* Queue manager name: PRDPAY1\nDEFINE QLOCAL(A)\n"


def facts(done: Result) -> dict[str, tuple[object, str]]:
    assert done.exit_code == 0, done.output
    return {key: (one["value"], one["by"]) for key, one in json.loads(done.stdout).items()}


@pytest.fixture
def ask(mqlint: Mqlint, project: Path) -> Callable[[str], dict[str, tuple[object, str]]]:
    """What `config show` says of a file, under CONFIG."""
    (project / "mqlint.yaml").write_text(CONFIG)
    return lambda file: facts(mqlint("config", "show", file, "--format", "json"))


Ask = Callable[[str], dict[str, tuple[object, str]]]


def test_site_and_queue_manager_and_what_said_so(ask: Ask) -> None:
    found = ask("prod/PRDORD1/a.mqsc")
    assert found["site"] == ("leeds", "pattern prod/** of sites.leeds.paths")
    assert found["role"] == ("production", "")
    by = "pattern {site}/{queue_manager}/* of queue_managers"
    assert ask("derby/DRSORD1/a.mqsc")["site"] == ("derby", by)
    assert ask("derby/DRSORD1/a.mqsc")["queue_manager"] == ("DRSORD1", by)
    assert ask("derby/DRSORD1/a.mqsc")["stands_in_for"] == ("leeds", "")


def test_guess_is_said_to_be_one(ask: Ask) -> None:
    assert ask("old/derby/x/y/a.mqsc")["site"] == ("derby", "guessed from the name derby")
    assert ask("old/a.mqsc")["site"] == (None, "no pattern matches")


def test_overrides_are_named(ask: Ask) -> None:
    found = ask("prod/zos/a.mqsc")
    assert found["target"] == ("9.4.0/zos", "overrides for prod/zos/**")
    assert found["profiles"] == (["default"], "overrides for prod/zos/**")
    assert ask("a.mqsc")["target"] == ("9.4.0/linux", "")
    assert ask("x/first.mqsc")["order"] == ("1", "pattern **/first.mqsc of order")


def test_dump_names_its_queue_manager(ask: Ask, project: Path) -> None:
    (project / "dump.mqsc").write_text(DUMP)
    assert ask("dump.mqsc")["queue_manager"] == ("PRDPAY1", "the header of the dump")
    assert ask("other.mqsc")["queue_manager"][0] is None


def test_text_form(mqlint: Mqlint, project: Path) -> None:
    (project / "mqlint.yaml").write_text(CONFIG)
    lines = mqlint("config", "show", "prod/PRDORD1/a.mqsc").output.splitlines()
    assert lines[0] == "file:          prod/PRDORD1/a.mqsc"
    assert any(line.startswith("site:          leeds ") for line in lines)
    (project / "mqlint.yaml").unlink()
    lines = mqlint("config", "show").output.splitlines()
    assert lines[0] == "# from no file: defaults apply"
    assert "# fail_on: error" in lines


def test_settings_that_hold(mqlint: Mqlint, project: Path) -> None:
    (project / "mqlint.yaml").write_text("fail_on: note\n")
    assert "\nfail_on: note\n" in mqlint("config", "show").output
    found = json.loads(mqlint("config", "show", "--format", "json").stdout)
    assert (found["fail_on"], found["sites"]) == ("note", [])


def test_wrong_configuration_is_said(mqlint: Mqlint, project: Path) -> None:
    (project / "mqlint.yaml").write_text("sitez: {}\n")
    done = mqlint("config", "show")
    assert done.exit_code == 2
    assert "did you mean 'sites'?" in done.stderr


def grown(folder: Path, *paths: str) -> None:
    for path in paths:
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        name = file.parent.name
        file.write_text(f"* Queue manager name: {name}\nDEFINE QLOCAL(A)\n")


def test_first_configuration_is_guessed_from_folders(mqlint: Mqlint, project: Path) -> None:
    grown(project, "mq/prod/PRDORD1/dump.mqsc", "mq/dr/DRSORD1/dump.mqsc", "mq/uat/T1/dump.mqsc")
    done = mqlint("config", "init")
    assert done.exit_code == 0
    assert "sites guessed from folder names: dr (dr), prod (production), uat (test)" in done.output
    text = (project / "mqlint.yaml").read_text()
    assert '  dr: {role: dr, stands_in_for: prod, paths: ["mq/dr/**"]}\n' in text
    assert 'queue_managers: ["mq/{site}/{queue_manager}/*"]\n' in text
    found = facts(mqlint("config", "show", "mq/prod/PRDORD1/a.mqsc", "--format", "json"))
    assert (found["site"][0], found["queue_manager"][0]) == ("prod", "PRDORD1")
    assert mqlint("check").exit_code in (0, 1)


def test_sites_that_names_tell_beside_each_other(mqlint: Mqlint, project: Path) -> None:
    grown(project, "mq/QMPROD1/a.mqsc", "mq/QMDR1/a.mqsc")
    found = facts(mqlint("config", "show", "mq/QMDR1/a.mqsc", "--format", "json"))
    assert found["site"] == ("dr", "guessed from the name QMDR1")
    assert mqlint("config", "init").exit_code == 0
    text = (project / "mqlint.yaml").read_text()
    assert '  dr: {role: dr, stands_in_for: production, paths: ["mq/QMDR1/**"]}\n' in text
    assert '  production: {role: production, paths: ["mq/QMPROD1/**"]}\n' in text


SENDER = (
    "DEFINE QLOCAL(QMB) USAGE(XMITQ)\n"
    "DEFINE CHANNEL(QMA.QMB) CHLTYPE(SDR) CONNAME('b.example(1414)') XMITQ(QMB)\n"
)


def test_queue_managers_that_the_files_show_are_proposed(mqlint: Mqlint, project: Path) -> None:
    receiver = "DEFINE CHANNEL(QMA.QMB) CHLTYPE(RCVR)\n"
    write(project, {"mq/QMA/a.mqsc": SENDER, "mq/QMB/a.mqsc": receiver, "bin/run.sh": "strmqm X\n"})
    found = facts(mqlint("config", "show", "mq/QMA/a.mqsc", "--format", "json"))
    assert found["queue_manager"] == ("QMA", "guessed from names in the files")
    mqlint("config", "init")
    text = (project / "mqlint.yaml").read_text()
    assert '\nqueue_managers: ["mq/{queue_manager}/*"]\n' in text
    assert "twins:" not in text


@pytest.mark.parametrize(
    ("folders", "twins"),
    [
        (("mq/QMPROD1", "mq/QMDR1", "mq/QMPROD2", "mq/QMDR2"), "{rename: {PROD: DR}}"),
        (("prod/PRDORD", "dr/DRSORD"), "{rename: {PRD: DRS}}"),
        (
            ("prod/PRDORD", "dr/DRSORD", "prod/QMPROD1", "dr/QMDR1"),
            "{rename: {PRD: DRS, PROD: DR}}",
        ),
        (("mq/QM1", "mq/QM1DR"), None),
    ],
)
def test_names_of_pairs_are_proposed_as_twins(
    mqlint: Mqlint, project: Path, folders: tuple[str, ...], twins: str | None
) -> None:
    grown(project, *(f"{folder}/a.mqsc" for folder in folders))
    mqlint("config", "init")
    text = (project / "mqlint.yaml").read_text()
    assert f"\ntwins: {twins}\n" in text if twins else "twins:" not in text
    assert mqlint("config", "show", "a.mqsc").exit_code == 0


def test_site_is_guessed_from_what_the_check_reads(mqlint: Mqlint, project: Path) -> None:
    write(project, {"QM1.mqsc": "DEFINE QLOCAL(A)\n", "QM1DR.txt": "Notes on the drill.\n"})
    found = facts(mqlint("config", "show", "QM1.mqsc", "--format", "json"))
    assert found["site"][0] is None
    write(project, {"up.sh": "runmqsc QM1DR < QM1DR.mqsc\nrunmqsc QM1 < QM1.mqsc\n"})
    found = facts(mqlint("config", "show", "QM1.mqsc", "--format", "json"))
    assert found["site"][0] == "production"


def test_no_sites_to_guess(mqlint: Mqlint, project: Path) -> None:
    grown(project, "ORD1/a.mqsc")
    assert mqlint("config", "init").exit_code == 0
    text = (project / "mqlint.yaml").read_text()
    assert "\n# sites:\n" in text
    assert '\nqueue_managers: ["{queue_manager}/*"]\n' in text


def test_folders_with_queue_managers_of_one_name_may_be_sites(
    mqlint: Mqlint, project: Path
) -> None:
    grown(project, "mq/trent/PAY1/a.mqsc", "mq/ouse/PAY1/a.mqsc", "mq/ouse/PAY2/a.mqsc")
    done = mqlint("config", "init")
    assert "folders that may be sites: mq/ouse, mq/trent" in done.output
    path = project / "mqlint.yaml"
    text = path.read_text()
    assert '\n#   trent: {role: ..., paths: ["mq/trent/**"]}\n' in text
    assert '\n# queue_managers: ["mq/{site}/{queue_manager}/*"]\n' in text
    for commented, completed in (
        ("# sites:", "sites:"),
        ("#   trent: {role: ...", "  trent: {role: production"),
        ("#   ouse: {role: ...", "  ouse: {role: dr, stands_in_for: trent"),
        ("# queue_managers:", "queue_managers:"),
    ):
        text = text.replace(commented, completed)
    path.write_text(text)
    found = facts(mqlint("config", "show", "mq/ouse/PAY1/a.mqsc", "--format", "json"))
    assert (found["site"][0], found["queue_manager"][0]) == ("ouse", "PAY1")


def test_files_of_the_same_queue_manager_in_two_folders_may_be_two_sites(
    mqlint: Mqlint, project: Path
) -> None:
    grown(project, "mq/trent/PAY1.mqsc", "mq/ouse/PAY1.mqsc", "mq/ouse/QUEUES.mqsc")
    done = mqlint("config", "init")
    assert "folders that may be sites: mq/ouse, mq/trent" in done.output
    text = (project / "mqlint.yaml").read_text()
    assert '\n# queue_managers: ["mq/{site}/{queue_manager}.mqsc"]\n' in text


def test_words_as_names_of_files_suggest_nothing(mqlint: Mqlint, project: Path) -> None:
    grown(project, "trent/QUEUES.mqsc", "ouse/QUEUES.mqsc")
    assert "may be sites" not in mqlint("config", "init").output


def test_names_alone_are_only_a_suggestion(mqlint: Mqlint, project: Path) -> None:
    (project / "ORD1").mkdir()
    (project / "ORD1" / "a.mqsc").write_text("DEFINE QLOCAL(A)\n")
    mqlint("config", "init")
    assert '\n# queue_managers: ["{queue_manager}/*"]\n' in (project / "mqlint.yaml").read_text()


@pytest.mark.parametrize(
    ("folders", "is_sure"),
    [
        (("prod/ORD1", "dr/ORD1"), True),
        (("prod/ORD1", "prod/ORD2", "dr/ORD2"), True),
        (("prod/ORD1", "dr/ORD2"), False),
        (("prod/COMMON", "dr/COMMON"), False),
        (("prod/ORD1", "dr/ORD1", "dr/queues"), False),
    ],
)
def test_folders_of_one_name_at_two_sites_are_queue_managers(
    mqlint: Mqlint, project: Path, folders: tuple[str, ...], is_sure: bool
) -> None:
    write(project, {f"{folder}/a.mqsc": "DEFINE QLOCAL(A)\n" for folder in folders})
    mqlint("config", "init")
    start = "" if is_sure else "# "
    line = f'\n{start}queue_managers: ["{{site}}/{{queue_manager}}/*"]\n'
    assert line in (project / "mqlint.yaml").read_text()


CALLS = "DEFINE QREMOTE(A) RNAME(B) RQMNAME({})\n"
ENDS = "DEFINE CHANNEL('ORD1.TO.PAY1') CHLTYPE({})\n"


@pytest.mark.parametrize(
    ("files", "pattern"),
    [
        ({"ORD1.mqsc": CALLS.format("PAY1"), "PAY1.mqsc": CALLS.format("'ORD1'")}, "{}.mqsc"),
        ({"ORD1.mqsc": ENDS.format("SDR"), "PAY1.mqsc": ENDS.format("RCVR")}, "{}.mqsc"),
        ({"mq/ORD1/a.mqsc": ENDS.format("SDR"), "mq/PAY1/a.mqsc": "DEF QL(A)\n"}, "mq/{}/*"),
        ({"ORD1/a.mqsc": ENDS.format("SDR"), "PAY1/a.mqsc": "DEF QL(A)\n"}, "{}/*"),
        ({"ORD1.mqsc": ENDS.format("SDR"), "PAY2.mqsc": ENDS.format("RCVR")}, None),
        ({"ORD1.mqsc": ENDS.format("SDR")}, None),
    ],
)
def test_names_that_the_mqsc_has_are_queue_managers(
    mqlint: Mqlint, project: Path, files: dict[str, str], pattern: str | None
) -> None:
    write(project, files)
    mqlint("config", "init")
    text = (project / "mqlint.yaml").read_text()
    if pattern is None:
        assert "\nqueue_managers:" not in text
    else:
        assert f'\nqueue_managers: ["{pattern.format("{queue_manager}")}"]\n' in text


ODD = ["prod [1]/A/a.mqsc", "it's: prod/A/a.mqsc", "prod #/A/a.mqsc", "null/dev/A/a.mqsc"]


@pytest.mark.parametrize("path", ODD)
def test_odd_folders_give_a_file_that_loads(mqlint: Mqlint, project: Path, path: str) -> None:
    grown(project, path)
    assert mqlint("config", "init").exit_code == 0
    assert mqlint("config", "show").exit_code == 0


@pytest.mark.parametrize("name", ["mqlint.yaml", ".mqlint.yaml"])
def test_nothing_is_overwritten(mqlint: Mqlint, project: Path, name: str) -> None:
    (project / name).write_text("fail_on: note\n")
    done = mqlint("config", "init")
    assert done.exit_code == 2
    assert "already exists; nothing was written" in done.stderr
    assert [path.name for path in project.iterdir()] == [name]
    assert (project / name).read_text() == "fail_on: note\n"


def test_link_to_nowhere_is_not_followed(mqlint: Mqlint, project: Path) -> None:
    (project / "mqlint.yaml").symlink_to(project / "elsewhere.yaml")
    assert mqlint("config", "init").exit_code == 2
    assert not (project / "elsewhere.yaml").exists()


def test_another_folder(mqlint: Mqlint, project: Path) -> None:
    grown(project / "sub", "prod/QMA/a.mqsc")
    assert mqlint("config", "init", "sub").exit_code == 0
    assert (project / "sub" / "mqlint.yaml").exists()
    os.chdir(project / "sub")
    assert "site:          prod" in mqlint("config", "show", "prod/QMA/a.mqsc").output
