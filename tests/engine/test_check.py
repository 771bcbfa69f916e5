"""A run: the same findings whatever the order, the names, the number of processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from mqlint.config.settings import Settings
from mqlint.engine import Analyser, Run, inputs_of
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.loading.load import load
from mqlint.finding import NO_TEXT, Finding
from mqlint.language.unsupported import ENCRYPTED
from tests.engine.conftest import Lint, estate_files, estate_settings, settings_of
from tests.shipped import shipped_vocabulary

Order = Callable[[list[str]], Iterable[str]]

SITES = """
sites:
  leeds: {role: production, paths: ["prod/**"]}
  derby: {role: dr, paths: ["dr/**"]}
queue_managers: "*/{queue_manager}/*"
"""
RECEIVER = "DEFINE CHANNEL(C.QMA) CHLTYPE(CLUSRCVR) CLUSTER(C) CONNAME('h(1414)') TRPTYPE(TCP)\n"


@pytest.fixture(scope="module")
def estate_run(lint: Lint) -> Run:
    return lint(estate_files(), estate_settings())


def prints(findings: list[Finding]) -> set[str]:
    return {finding.fingerprint for finding in findings}


@pytest.mark.slow
def test_the_estate_has_findings_of_single_files_and_of_sites_together(estate_run: Run) -> None:
    assert {finding.rule.group for finding in estate_run.findings} >= {
        "vocabulary",
        "dr",
        "cluster",
    }
    assert len(prints(estate_run.findings)) == len(estate_run.findings)


@pytest.mark.slow
@pytest.mark.parametrize("order", [reversed, lambda names: sorted(names, key=lambda n: n[::-1])])
def test_the_order_of_files_does_not_matter(order: Order, estate_run: Run, lint: Lint) -> None:
    files = estate_files()
    shuffled = {path: files[path] for path in order(list(files))}
    assert lint(shuffled, estate_settings()).findings == estate_run.findings


@pytest.mark.slow
def test_two_processes_find_what_one_finds(estate_run: Run, lint: Lint) -> None:
    run = lint(estate_files(), estate_settings(), jobs=2)
    assert run.findings == estate_run.findings
    assert run.coverage == estate_run.coverage
    assert run.texts == estate_run.texts


@pytest.mark.slow
def test_context_is_read_but_not_reported(estate_run: Run, lint: Lint) -> None:
    files = estate_files()
    mine = {path: data for path, data in files.items() if path.startswith("dr/")}
    theirs = {path: data for path, data in files.items() if path not in mine}
    run = lint(mine, estate_settings(), context=theirs)
    wanted = [finding for finding in estate_run.findings if finding.location.path in mine]
    assert [finding.fingerprint for finding in run.findings] == [
        finding.fingerprint for finding in wanted
    ]
    assert any(
        finding.related[0].location.path in theirs for finding in run.findings if finding.related
    )
    assert {row.path for row in run.coverage.files} == set(mine)


def test_a_file_that_is_input_and_context_is_judged_once(lint: Lint) -> None:
    files = {"a.mqsc": "DEFINE QLOCAL(A) MAXDEPHT(1)\n"}
    assert len(lint(files, context=files).findings) == 1


@pytest.mark.slow
def test_fingerprints_survive_moved_lines_and_renamed_files(estate_run: Run, lint: Lint) -> None:
    moved = {
        path.replace(".mqsc", "-renamed.mqsc"): b"\n" + data
        for path, data in estate_files().items()
        if not path.endswith((".sh", "mq-jobs"))
    }
    run = lint(moved, estate_settings())
    still = {path.replace("-renamed", "") for path in moved}
    unmoved = lint({p: d for p, d in estate_files().items() if p in still}, estate_settings())
    assert prints(run.findings) == prints(unmoved.findings)


def test_fingerprints_of_files_of_nobody_do_not_depend_on_their_path(lint: Lint) -> None:
    text = "DEFINE QLOCAL(A) MAXDEPHT(1)\n"
    one, other = lint({"a.mqsc": text}), lint({"sub/b.mqsc": "* moved\n\n" + text})
    assert prints(one.findings) == prints(other.findings)


def test_fingerprints_do_not_depend_on_values(lint: Lint) -> None:
    one = lint({"a.mqsc": "DEFINE QLOCAL(A) MAXDEPTH(9999999999)\n"})
    other = lint({"a.mqsc": "DEFINE QLOCAL(A) MAXDEPTH(9999999998)\n"})
    assert prints(one.findings) == prints(other.findings) != set()


def test_equal_complaints_are_told_apart_and_the_first_stays(lint: Lint) -> None:
    text = "DEFINE QLOCAL(A) MAXDEPHT(1)\n"
    once, twice = lint({"a.mqsc": text}), lint({"a.mqsc": text + "ALTER QLOCAL(A) MAXDEPHT(1)\n"})
    assert len(prints(twice.findings)) == 2
    assert twice.findings[0].fingerprint == once.findings[0].fingerprint


def test_one_incident_for_all_members_of_a_wrong_group(lint: Lint) -> None:
    run = lint({"prod/QMA/c.mqsc": RECEIVER, "dr/QMA/c.mqsc": RECEIVER}, settings_of(SITES))
    shared = [finding for finding in run.findings if finding.rule.id == "DR001"]
    assert {finding.location.path for finding in shared} == {"prod/QMA/c.mqsc", "dr/QMA/c.mqsc"}
    assert len({finding.incident for finding in shared}) == 1
    assert shared[0].incident is not None


def test_a_dump_and_scripts_that_say_the_same_are_found_once(lint: Lint) -> None:
    dump = (
        "*******************************************************************************\n"
        "* Queue manager name: QMA\n"
        "* Command issued: dmpmqcfg -m QMA -a\n"
        "*******************************************************************************\n"
    )
    settings = settings_of(SITES)
    other = {"dr/QMA/c.mqsc": RECEIVER}
    both = lint({"prod/QMA/c.mqsc": RECEIVER, "prod/QMA/d.txt": dump + RECEIVER, **other}, settings)
    script = lint({"prod/QMA/c.mqsc": RECEIVER, **other}, settings)
    shared = [[o for o in run.findings if o.rule.id == "DR001"] for run in (both, script)]
    assert [one.location.path for one in shared[0]] == ["dr/QMA/c.mqsc", "prod/QMA/c.mqsc"]
    assert [one.fingerprint for one in shared[0]] == [one.fingerprint for one in shared[1]]


def test_what_became_of_each_file(lint: Lint) -> None:
    files: dict[str, str | bytes] = {
        "a.mqsc": "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B) NOSUCH(1)\nDEFINE\n",
        "b/qm.ini": "Log:\n   LogType=LINEAR\n",
        "c.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        "d.md": "# Queues\nDefine a queue first.\n",
        "e.sh": "#!/bin/sh\nrunmqsc QMA <<EOF\nDEFINE QLOCAL(A)\nEOF\n",
        "f.txt": "makedrprimary -m QMA\n",
        "u.mqsc": "DEFINE QLOCAL(A)\n".encode("utf-16"),
    }
    run = lint(files)
    rows = {
        row.path: (row.status, row.language, row.commands, row.understood)
        for row in run.coverage.files
    }
    assert rows == {
        "a.mqsc": ("checked", "mqsc", 3, 1),
        "b/qm.ini": ("checked", "ini", 0, 0),
        "c.png": ("not-recognised", None, 0, 0),
        "d.md": ("not-recognised", None, 0, 0),
        "f.txt": ("not-recognised", None, 0, 0),
        "e.sh": ("checked", "shell", 1, 1),
        "u.mqsc": ("checked", "mqsc", 1, 1),
    }
    assert run.coverage.commands == 5


def test_files_of_mq_that_are_not_read_say_what_they_are(lint: Lint) -> None:
    files: dict[str, str | bytes] = {
        "AMQCLCHL.TAB": b"AMQR\0\1\2\3",
        "c.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        "d.md": "# Queues\nDefine a queue first.\n",
        "vault.sh": "$ANSIBLE_VAULT;1.1;AES256\n3461\n",
        "vault.mqsc": "$ANSIBLE_VAULT;1.1;AES256\n3461\n",
    }
    assert {row.path: row.reason for row in lint(files).coverage.files} == {
        "AMQCLCHL.TAB": "a binary channel table",
        "c.png": NO_TEXT,
        "d.md": None,
        "vault.sh": ENCRYPTED,
        "vault.mqsc": ENCRYPTED,
    }


def test_key_stores_are_not_even_opened(tmp_path: Path) -> None:
    settings, analyser = Settings(), Analyser(shipped_vocabulary())
    status = {}
    for name in ("key.kdb", "key.sth", "a.mqsc"):
        (tmp_path / name).symlink_to(tmp_path / "nowhere")  # opening one would be said
        (one,) = inputs_of([tmp_path / name], tmp_path)
        status[name] = load(one, Assembly(settings, analyser.vocabulary), analyser).coverage.status
    assert status == {
        "key.kdb": "not-recognised",
        "key.sth": "not-recognised",
        "a.mqsc": "unreadable",
    }


def test_a_guessed_site_is_said_to_be_one(lint: Lint) -> None:
    files = {"prod/QMA/a.mqsc": "DEFINE QLOCAL(A)\n", "prod/QMB/a.mqsc": "DEFINE QLOCAL(A)\n"}
    (assumption,) = lint(files).assumptions
    assert "prod" in assumption
    assert lint(files, settings_of(SITES)).assumptions == []


def test_two_names_that_differ_in_the_role_are_of_two_sites(lint: Lint) -> None:
    text = "DEFINE CHANNEL(PAY.ONE) CHLTYPE(CLUSRCVR) CONNAME('a.example(1414)') CLUSTER(PAY)\n"
    for original, copy in (("QMPROD1", "QMDR1"), ("QM1", "QM1DR")):
        found = lint({f"mq/{original}/a.mqsc": text, f"mq/{copy}/a.mqsc": text})
        assert "DR001" in {finding.rule.id for finding in found.findings}
        assert f"site dr guessed from the path of mq/{copy}/a.mqsc" in found.assumptions


def test_names_of_queue_managers_tell_their_sites(lint: Lint) -> None:
    text = "DEFINE CHANNEL(PAY.ONE) CHLTYPE(CLUSRCVR) CONNAME('a.example(1414)') CLUSTER(PAY)\n"
    script = "#!/bin/sh\nrunmqsc QMPROD1 < a.mqsc\nrunmqsc {} < a.mqsc\n"
    found = lint({"a.mqsc": text, "a.sh": script.format("QMDR1")})
    assert {each.subject.queue_manager for each in found.findings if each.rule.id == "DR001"} == {
        "QMPROD1",
        "QMDR1",
    }
    assert found.assumptions == [
        "site dr guessed from the name of QMDR1",
        "site production guessed from the name of QMPROD1",
        "QMDR1 at DR is the twin of QMPROD1, by its name",
    ]
    found = lint(
        {"a.mqsc": text, "a.sh": "#!/bin/sh\nrunmqsc Q1 < a.mqsc\nrunmqsc Q1DR < a.mqsc\n"}
    )
    assert {each.subject.site for each in found.findings if each.rule.id == "DR001"} == {
        "production",
        "dr",
    }
    found = lint({"a.mqsc": text, "a.sh": script.format("QMDR2")})
    assert "DR001" not in {each.rule.id for each in found.findings}
    assert found.assumptions == []


def test_files_that_are_fed_to_one_queue_manager_are_of_one_site(lint: Lint) -> None:
    queue = "DEFINE QLOCAL(A)\n"
    script = "#!/bin/sh\nrunmqsc QM1 < base.mqsc\nrunmqsc QM1 < {}.mqsc\n"
    for copy in ("base-dr", "basedr", "base2"):
        files = {"base.mqsc": queue, f"{copy}.mqsc": queue, "a.sh": script.format(copy)}
        found = {finding.rule.id for finding in lint(files).findings}
        assert "DR002" not in found
        assert ("DRF008" in found) == (copy != "base-dr")  # of the site that its own name tells


@pytest.mark.parametrize(
    ("production", "dr"), [("qmgrs", "qmgrs-dr"), ("prod", "dr"), ("mq/prod", "mq/standby")]
)
def test_a_script_of_no_site_is_about_the_site_of_what_it_feeds(
    lint: Lint, production: str, dr: str
) -> None:
    text = "DEFINE CHANNEL(PAY.ONE) CHLTYPE(CLUSRCVR) CONNAME('a.example(1414)') CLUSTER(PAY)\n"
    script = (
        f"#!/bin/sh\ncrtmqm -ll -ls 10 QM1\nstrmqm QM1\nrunmqsc QM1 < ../{production}/QM1.mqsc\n"
    )
    files = {f"{production}/QM1.mqsc": text, f"{dr}/QM1.mqsc": text, "bin/create.sh": script}
    found = [each.subject for each in lint(files).findings if each.rule.id == "DR001"]
    assert {(each.queue_manager, each.site) for each in found} == {
        ("QM1", "production"),
        ("QM1", "dr"),
    }
    both = {**files, "bin/create.sh": f"{script}runmqsc QM1 < ../{dr}/QM1.mqsc\n"}
    found = [each.subject for each in lint(both).findings if each.rule.id.startswith("CTL")]
    assert {each.site for each in found} <= {None}


def test_a_script_that_feeds_nothing_of_a_site_leaves_others_open(lint: Lint) -> None:
    feeding = "#!/bin/sh\ncrtmqm -lc QM1\nstrmqm QM1\nrunmqsc QM1 < "
    files = {
        "prod/QM1.mqsc": "DEFINE QLOCAL(A) REPLACE\n",
        "bin/up.sh": f"{feeding}../prod/QM1.mqsc\n",
        "bin/takeover.sh": f"{feeding}/mnt/backup/QM1.mqsc\n",
    }
    circular = [each for each in lint(files).findings if each.rule.id == "LOG001"]
    assert {each.subject.site for each in circular} == {None}
    del files["bin/takeover.sh"]
    circular = [each for each in lint(files).findings if each.rule.id == "LOG001"]
    assert {each.subject.site for each in circular} == {"production"}


@pytest.mark.parametrize(
    ("file", "is_member"),
    [("zos/QUEUES.mqsc", True), ("linux/queues.mqsc", False), ("zos/CSQ2/QUEUES.mqsc", False)],
)
def test_a_member_of_a_library_is_near_the_job_that_reads_it(
    lint: Lint, file: str, is_member: bool
) -> None:
    job = "//{0}MSTR PROC\n//P EXEC PGM=CSQYASCP,PARM='{0}'\n"
    files = {
        "zos/CSQ1MSTR.jcl": job.format("CSQ1") + "//CSQINP2 DD DSN=MQ.CSQ1.INP(QUEUES),DISP=SHR\n",
        "zos/CSQ2MSTR.jcl": job.format("CSQ2"),
        file: "DEFINE QLOCAL(A)\nDEFINE QLOCL(B)\n",
    }
    found = [each.subject for each in lint(files).findings if each.rule.id == "VOC001"]
    assert [each.queue_manager == "CSQ1" for each in found] == [is_member]


def test_the_name_of_a_config_map_is_no_name_of_a_queue_manager(lint: Lint) -> None:
    text = "DEFINE CHANNEL(PAY.ONE) CHLTYPE(CLUSRCVR) CONNAME('a.example(1414)') CLUSTER(PAY)\n"
    script = "#!/bin/sh\nrunmqsc QM1 < a.mqsc\nrunmqsc QM1DR < a.mqsc\n"
    makes = "#!/bin/sh\noc create configmap mq-prod --from-file=b.mqsc\n"
    files = {"a.mqsc": text, "a.sh": script, "b.mqsc": "DEFINE QLOCAL(B)\n"}
    found = lint({**files, "make.sh": makes})
    assert "site dr guessed from the name of QM1DR" in found.assumptions
    assert found.assumptions == lint(files).assumptions


_RESOURCE = """\
apiVersion: mq.ibm.com/v1beta1
kind: QueueManager
metadata: {{name: pay, namespace: {}}}
spec: {{queueManager: {{name: PAY, mqsc: [{{configMap: {{name: pay, items: [a.mqsc]}}}}]}}}}
---
kind: ConfigMap
metadata: {{name: pay, namespace: {}}}
data: {{a.mqsc: DEFINE QLOCAL(A)}}
"""


def test_namespaces_tell_sites_or_other_queue_managers(lint: Lint) -> None:
    one, two = _RESOURCE.format("mq-prod", "mq-prod"), _RESOURCE.format("mq-dr", "mq-dr")
    found = lint({"one.yaml": one, "two.yaml": two})
    assert {each.subject.site for each in found.findings if each.rule.id == "DR002"} == {
        "production",
        "dr",
    }
    assert found.assumptions == [
        "site production guessed from the namespace of one.yaml",
        "site dr guessed from the namespace of two.yaml",
    ]
    account = "---\nkind: RoleBinding\nsubjects: [{kind: ServiceAccount, namespace: mq-dr}]\n"
    alone = _RESOURCE.replace(", namespace: {}", "").replace("{{", "{").replace("}}", "}")
    assert lint({"one.yaml": alone + account}).assumptions == []
    # In one file, they are not one queue manager whose queue is defined twice.
    found = lint({"all.yaml": f"{one}---\n{two}"})
    assert "DRF008" not in {each.rule.id for each in found.findings}
    again = lint({"all.yaml": f"{one}---\n{one}"})
    assert "DRF008" in {each.rule.id for each in again.findings}


@pytest.mark.parametrize(("word", "is_beyond"), [("mqtt", False), ("mq", True)])
def test_calls_that_concern_mq_are_followed(word: str, is_beyond: bool, lint: Lint) -> None:
    body = "".join(f"start_{word}_client {number}\n" for number in range(400))
    text = f"#!/bin/sh\nwork() {{\n{body}}}\n" + "work\n" * 60 + "strmqm QMA\n"
    found = {finding.rule.id for finding in lint({"a.sh": text}).findings}
    assert ("SYN022" in found) is is_beyond


def test_nothing_in_nothing_out(lint: Lint) -> None:
    run = lint({}, Settings())
    assert run.findings == []
    assert run.coverage.files == ()
