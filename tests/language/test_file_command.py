"""Commands on files of queue managers: what they do, to whose files, and which part of them."""

from __future__ import annotations

import pytest

from mqlint.language.script.files.path import queue_manager_path
from mqlint.language.script.step import Step
from tests.languages import script_in
from tests.linear import is_linear_in_time
from tests.shipped import shipped_vocabulary

CONTROL = shipped_vocabulary().control

PATHS = [
    # path, part, queue manager; * for all of a host
    ("/var/mqm", "whole", "*"),
    ("/var/mqm/", "whole", "*"),
    ("/var/mqm/*", "whole", "*"),
    ("/var/mqm/qmgrs", "data", "*"),
    ("/var/mqm/qmgrs/*/", "data", "*"),
    ("/var/mqm/qmgrs/QMA", "data", "QMA"),
    ("/var/mqm/qmgrs/PAY!QM!1/queues", "data", "PAY.QM.1"),
    ("/var/mqm/qmgrs/A&B", "data", "A/B"),
    ("/var/mqm//qmgrs//QMA/", "data", "QMA"),
    ("/shared/mq/qmgrs/QMA", "data", "QMA"),
    ("\ue000/qmgrs/QMA", "data", "QMA"),
    ("/var/mqm/qmgrs/\ue000", "data", None),
    ("/var/mqm/log/QMA/active", "log", "QMA"),
    ("/var/mqm/log/QMA/active/S*.LOG", "log", "QMA"),
    ("/var/mqm/log", "log", "*"),
    ("/var/mqm/vols/qma/log/qma", "log", "qma"),
    ("/var/mqm/vols/qma/qmgr/qma", "data", "qma"),
    ("/MQHA/log/QMA", "log", "QMA"),
    ("/MQHA/logs/QMA", "log", "QMA"),
    ("/var/mqm/logs/QMA", "", None),
    (r"C:\ProgramData\IBM\MQ\qmgrs\QMA", "data", "QMA"),
    (r"C:\Program Files\IBM\WebSphere MQ\log\QMA", "log", "QMA"),
    ("/var/mqm/qmgrs/QMA/qm.ini", "configuration", "QMA"),
    ("S0000012.LOG", "log", None),
    ("amqhlctl.lfh", "log", None),
    ("qm.ini", "", None),
    ("/var/mqm/errors", "", None),
    ("/var/mqm/qmgrs/QMA/errors/AMQERR01.LOG", "", None),
    ("/var/mqm/qmgrs/QMA/ssl", "", None),
    ("/var/mqm/qmgrs/*/errors/*", "", None),
    ("/var/mqm/qmgrs/@SYSTEM", "", None),
    ("/var/log/messages", "", None),
    ("/opt/mqm", "", None),
    ("/var/mqm/exits64", "", None),
    ("", "", None),
]

SCRIPTS = [
    # script, steps as: class command queue-manager parts > other
    ("tar czf /b/a.tgz /var/mqm/qmgrs/QMA", ["copy tar QMA data > /b/a.tgz"]),
    ("tar -C /var/mqm -czf /b/a.tgz qmgrs/QMA log/QMA", ["copy tar QMA data,log > /b/a.tgz"]),
    ("cd /var/mqm && tar cf /b/a.tar qmgrs log", ["copy tar * data,log > /b/a.tar"]),
    ("cd /var/mqm/qmgrs\ntar --create -f /b/a QMA", ["copy tar QMA data > /b/a"]),
    ("tar -cf /b/a -C /var/mqm .", ["copy tar * whole > /b/a"]),
    ("tar xzf /b/a.tgz -C /var/mqm/qmgrs/QMA", ["restore tar QMA data > /b/a.tgz"]),
    ("tar xf /b/a.tgz -C /", ["unpack tar *  > /b/a.tgz"]),
    ("cd / && tar xzf /b/a.tgz", ["unpack tar *  > /b/a.tgz"]),
    ("tar xf /b/a.tgz -C /opt/app", []),
    ("tar tf /b/a.tgz -C /", []),
    ("tar tf /b/a.tgz /var/mqm", []),
    ("cp -rp /var/mqm/qmgrs/QMA /b/", ["copy cp QMA data > /b/"]),
    ("cp -rp /b/QMA /var/mqm/qmgrs/QMA", ["restore cp QMA data > /b/QMA"]),
    ("cp new/qm.ini /var/mqm/qmgrs/QMA/qm.ini", ["edit cp QMA configuration > new/qm.ini"]),
    ("cp /var/mqm/qmgrs/QMA/qm.ini /b", ["keep cp QMA configuration > /b"]),
    ("tar czf /b/a.tgz --exclude=/var/mqm/qmgrs --exclude=/var/mqm/log /var/mqm", []),
    ("rsync -a --exclude qmgrs /var/mqm/ /b/", []),
    ("cp -r /var/mqm/qmgrs/QMA/autocfg /b", []),
    ("cp qm.ini /b", []),
    ("cp new/qm.ini /var/mqm/qmgrs/QMA/", ["edit cp QMA configuration > new/qm.ini"]),
    ("rsync -a c/qm.ini c/a.env /var/mqm/qmgrs/QMA", ["edit rsync QMA configuration > c/qm.ini"]),
    ("cp -p /var/mqm/qmgrs/QMA/*.ini /b", ["keep cp QMA configuration > /b"]),
    ("cp mqclient.ini /var/mqm/", []),
    ("scp drhost:/etc/mq/mqs.ini /var/mqm", ["edit scp * configuration > drhost:/etc/mq/mqs.ini"]),
    ("cp ccdt.json key.kdb /var/mqm/qmgrs/QMA/@ipcc/", []),
    ("cp A.TAB /var/mqm/qmgrs/QMA/@ipcc/", ["restore cp QMA client-channels > A.TAB"]),
    ('cp "$F" /var/mqm/qmgrs/QMA/', []),
    ('cp -r "$F" /var/mqm/qmgrs/QMA/', ["restore cp QMA data > Unknown.UNKNOWN"]),
    ("cp /b/QMA/* /var/mqm/qmgrs/QMA", ["restore cp QMA data > /b/QMA/*"]),
    ("cp q /var/mqm/qmgrs/QMA/queues/A", ["restore cp QMA data > q"]),
    ("sed -i s/a/b/ /var/mqm/qmgrs/QMA/qm.ini", ["edit sed QMA configuration > -"]),
    ("sed s/a/b/ /var/mqm/qmgrs/QMA/qm.ini", []),
    ("rsync -a /var/mqm/log/QMA/ drhost:/x/", ["copy rsync QMA log > drhost:/x/"]),
    (
        "scp -r drhost:/var/mqm/qmgrs/QMA /var/mqm/qmgrs/QMA",
        ["restore scp QMA data > drhost:/var/mqm/qmgrs/QMA"],
    ),
    ("scp x drhost:/var/mqm/qmgrs/QMA", []),
    ("mv /var/mqm/log/QMA/active/S0000001.LOG /arc", ["remove mv QMA log > /arc"]),
    ("rm -f /var/mqm/log/QMA/active/S*.LOG", ["remove rm QMA log > -"]),
    ("sudo rm -rf /var/mqm/qmgrs/QMA /var/mqm/log/QMA", ["remove rm QMA data,log > -"]),
    ("rm -f /var/mqm/errors/*.FDC", []),
    ("gzip /var/mqm/log/QMA/active/S0000001.LOG", ["remove gzip QMA log > -"]),
    ("gzip -c /var/mqm/log/QMA/active/S0000001.LOG > x", []),
    ("find /var/mqm/log/QMA/active -name 'S*.LOG' -mtime +7 -delete", ["remove find QMA log > -"]),
    ("find /var/mqm/log -mtime +7 -exec rm {} \\;", ["remove find * log > -"]),
    ("find /var/mqm/log/QMA -mtime +7 | xargs rm -f", ["remove xargs QMA log > -"]),
    ("find /var/mqm/log -name x -print", []),
    ("find /var/mqm -name '*.FDC' -exec rm {} +", []),
    ("find /var/mqm/log -name '*.LOG' -delete", ["remove find * log > -"]),
    ("find /var/mqm/qmgrs -name '*.LOG' -delete", []),
    ("find /var/mqm -name 'S*.LOG' -delete", ["remove find * whole > -"]),
    ("find /var/mqm/errors -mtime +7 -delete", []),
    ("dd if=/var/mqm/log/QMA of=/dev/x", ["copy dd QMA log > of=/dev/x"]),
    ("zip -r /b/a.zip /var/mqm/qmgrs/QMA", ["copy zip QMA data > /b/a.zip"]),
    ("unzip /b/a.zip -d /var/mqm/qmgrs/QMA", ["restore unzip QMA data > /b/a.zip"]),
    (
        "aws --profile mq s3 sync /var/mqm/log/QMA s3://b/QMA --delete",
        ["copy aws QMA log > s3://b/QMA"],
    ),
    ("gsutil -m cp -r gs://b/QMA /var/mqm/qmgrs/QMA", ["restore gsutil QMA data > gs://b/QMA"]),
    ("aws s3 ls s3://b/QMA /var/mqm/qmgrs/QMA", []),
    ("aws s3 cp a.tgz s3://b/", []),
    ("restic restore latest --target /", ["unpack restic *  > -"]),
    ("restic backup /var/mqm", []),
    ("lvcreate -s -n snap -L 5G /dev/vg0/mqm", ["snapshot lvcreate *  > /dev/vg0/mqm"]),
    ("lvcreate -n mqm -L 5G /dev/vg0/mqm", []),
    ("zfs snapshot tank/mqm@night", ["snapshot zfs *  > tank/mqm@night"]),
    ("zfs snapshot tank/home@night", []),
    ("pkill -9 -u mqm amqzxma0", ["kill pkill *  > -"]),
    ("ps -ef | grep java | xargs kill", ["query ps *  > -"]),
    ("ps -ef | grep amq | xargs kill -9", ["query ps *  > -", "kill xargs *  > -"]),
    ("date -s '2020-01-01'", ["clock date *  > -"]),
    ("date +%F", []),
    ("systemctl enable mq@QMA.service", ["service systemctl QMA  > -"]),
    ("systemctl stop httpd", []),
    ("if x; then rm -rf /var/mqm/qmgrs/QMA; fi", ["remove rm QMA data > - ?"]),
    ("cp -r $D/qmgrs/$Q /b", ["copy cp None data > /b"]),
    ("tar", []),
    ("cp -t", []),
    ("find", []),
]

BATCHES = [
    (r"xcopy /s C:\ProgramData\IBM\MQ\qmgrs\QMA D:\b", [r"copy xcopy QMA data > D:\b"]),
    (r"robocopy D:\b C:\ProgramData\IBM\MQ\qmgrs\QMA /mir", [r"restore robocopy QMA data > D:\b"]),
    (r"del /q C:\ProgramData\IBM\MQ\log\QMA\active\S*.LOG", ["remove del QMA log > -"]),
    (r"copy a.txt b.txt", []),
]


def told(step: Step) -> str:
    name = "*" if step.every else step.queue_manager
    parts = ",".join(dict.fromkeys(path.part for path in step.paths))
    other = step.other.value if step.other is not None else "-"
    maybe = " ?" if step.execution.maybe else ""
    return f"{step.action} {step.command} {name} {parts} > {other}{maybe}"


@pytest.mark.parametrize(("path", "part", "name"), PATHS)
def test_a_path_tells_part_and_queue_manager(path: str, part: str, name: str | None) -> None:
    found = queue_manager_path(path)
    if not part:
        assert found is None
        return
    assert found is not None
    assert (found.part, "*" if found.every else found.queue_manager) == (part, name)


@pytest.mark.parametrize(("text", "expected"), SCRIPTS)
def test_what_a_script_does_to_files(text: str, expected: list[str]) -> None:
    assert [told(step) for step in script_in("shell", text).steps] == expected


@pytest.mark.parametrize(("text", "expected"), BATCHES)
def test_what_a_batch_file_does_to_files(text: str, expected: list[str]) -> None:
    assert [told(step) for step in script_in("cmd", text).steps] == expected


def test_options_keep_their_values() -> None:
    step = script_in("shell", "find /var/mqm/log/QMA -mtime +7 -delete").steps[0]
    mtime, delete = step.option("mtime"), step.option("delete")
    assert mtime is not None
    assert mtime.value == "+7"
    assert delete is not None
    assert delete.value is None


@pytest.mark.growth
@pytest.mark.parametrize("word", ["/" * 40, "/qmgrs/a" * 5, "-C ", "vols/a/log/", "a/../"])
def test_time_grows_linearly(word: str) -> None:
    def run(times: int) -> object:
        return script_in("shell", "tar cf x " + (word + " ") * times)

    assert is_linear_in_time(run, 1_000)
