"""Commands of MQSC that JSON, YAML, Puppet, Ansible and calls of curl hold as objects."""

from __future__ import annotations

import json
import re

import pytest

from mqlint.config.settings import Settings
from mqlint.engine import Analyser, Input, check
from mqlint.engine.document.pack import from_bytes, to_bytes
from mqlint.engine.document.reading import Reading
from mqlint.language.mqsc import decode
from mqlint.language.registry import recognise
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.vocabulary import Target
from tests.shipped import shipped_rulebook, shipped_vocabulary

ANALYSER = Analyser(shipped_vocabulary())

_URL = "https://h:9443/ibmmq/rest/v2/admin/action/qmgr/QMA/mqsc"
_BODY = {
    "type": "runCommandJSON",
    "command": "define",
    "qualifier": "qlocal",
    "name": "Pay.in",
    "parameters": {"maxdepth": 5, "descr": "it's so (or not)", "noshare": "yes", "get": "disabled"},
}
_PLAIN = _BODY | {"parameters": {"put": "enabled"}}
_QUEUE = "DEFINE QLOCAL Pay.in MAXDEPTH=5 DESCR=it's so (or not) NOSHARE GET=DISABLED"
_TEXT = {"type": "runCommand", "parameters": {"command": "DEFINE QLOCAL(A)"}}
_ITEM = {"name": "a", "request": {"url": {"raw": _URL}, "body": {"mode": "raw"}}}
_TASK = "- hosts: all\n  tasks:\n    - name: a\n"

COMMANDS: dict[str, tuple[str, str, list[str]]] = {
    "a body": ("a.json", json.dumps(_BODY), [_QUEUE]),
    "bodies in a list, of both kinds": (
        "a.json",
        json.dumps([_BODY, _TEXT]),
        [_QUEUE, "DEFINE QLOCAL A"],
    ),
    "a collection of Postman": (
        "a.json",
        json.dumps(
            {
                "item": [
                    _ITEM | {"request": {"url": _URL, "body": {"raw": json.dumps(_BODY, indent=1)}}}
                ]
            }
        ),
        [f"QMA: {_QUEUE}"],
    ),
    "lists, a word that is off, DISPLAY with what it asks for": (
        "a.json",
        json.dumps(
            [
                _BODY
                | {"qualifier": "namelist", "parameters": {"names": ["a", "b"], "replace": "no"}},
                {
                    "type": "runCommandJSON",
                    "command": "display",
                    "qualifier": "qmgr",
                    "responseParameters": ["deadq"],
                },
                {"type": "runCommandJSON", "command": "end"},
            ]
        ),
        ["DEFINE NAMELIST Pay.in NAMES='a','b'", "DISPLAY QMGR DEADQ"],
    ),
    "a list of commands in YAML, with templates and an alias": (
        "a.yml",
        "mq_commands:\n  - command: define\n    qualifier: channel\n    name: '{{ app }}.SVRCONN'\n"
        "    parameters: {chltype: svrconn, descr: &d 'x', mcauser: '{{ u | default(\"a\") }}',\n"
        "      userdata: *d, conname: 'h(1414)'}\n",
        ["DEFINE CHANNEL ?.SVRCONN CHLTYPE=SVRCONN DESCR=x MCAUSER=? USERDATA=x CONNAME=h(1414)"],
    ),
    "the type of the object is last, a text has quotes of MQSC, a key comes again": (
        "a.yml",
        "mq_commands:\n  - command: set\n    qualifier: chlauth\n    name: A\n    parameters:\n"
        "      descr: a\n      sslpeer: \"('CN=A')\"\n      descr: b\n      type: sslpeermap\n",
        ["SET CHLAUTH A TYPE=SSLPEERMAP DESCR=b SSLPEER=?"],
    ),
    "a body in a task of Ansible": (
        "a.yml",
        f"{_TASK}      ansible.builtin.uri:\n        url: '{_URL}'\n        body:\n"
        "          type: runCommandJSON\n          command: alter\n          qualifier: qmgr\n"
        "          parameters: {deadq: DLQ}\n",
        ["QMA: ALTER QMGR DEADQ=DLQ"],
    ),
    "a body in a task with a condition": (
        "a.yml",
        f"{_TASK}      when: late\n      uri:\n        url: '{_URL}'\n        body:\n"
        "          {type: runCommandJSON, command: alter, qualifier: qmgr}\n",
        ["QMA: maybe ALTER QMGR"],
    ),
    "curl with a word, a variable and a here-document": (
        "a.sh",
        f"#!/bin/sh\nQ=QMA\ncurl -k -d '{json.dumps(_PLAIN, indent=1)}' {_URL}\n"
        'curl --data "{\\"type\\": \\"runCommand\\", \\"parameters\\": {\\"command\\": '
        '\\"ALTER QMGR DEADQ($D)\\"}}" https://h/ibmmq/rest/v3/admin/action/qmgr/$Q/mqsc\n'
        f"curl --json @- {_URL} <<E\n{json.dumps(_TEXT)}\nE\n",
        [
            "QMA: DEFINE QLOCAL Pay.in PUT=ENABLED",
            "QMA: ALTER QMGR DEADQ=?",
            "QMA: DEFINE QLOCAL A",
        ],
    ),
    "what Expect sends to runmqsc, for certain and in braces": (
        "a.exp",
        '#!/usr/bin/expect\nspawn ssh h\nexpect "assword:"\nsend -- "$word\\r"\n'
        'send "mqcli\\nrunmqsc QMA\\n"\nsend "alter qmgr deadq($dlq)\\n"\n# send "strmqm QMX"\n'
        'send "END\\n"\nif {$late} {\n  send "runmqsc QMB\\nDEFINE QLOCAL(\\$A)\\nend\\n"\n}\n',
        ["QMA: ALTER QMGR DEADQ=?", "QMB: maybe DEFINE QLOCAL $A"],
    ),
    "a definition of UrbanCode": (
        "a.mqdef_base",
        '{"resource": {"queue": [{"command": "DEFINE", "name": "A", "type": "alias", '
        '"alias": {"targetName": "b"}, "general": {"inhibitPut": true}, "optionalParms": '
        '{"replace": true, "force": false}, "applicationDefaults": {"sharedInput": false}}],\n'
        '"channel": [{"command": "DELETE", "name": "C", "type": "receiver"}, '
        '{"command": "DEFINE", "name": "D", "type": "sender"}]}}',
        [
            "DEFINE QALIAS A TARGET=b PUT=DISABLED REPLACE NOSHARE",
            "DELETE CHANNEL C",
            "DEFINE CHANNEL D CHLTYPE=SDR",
        ],
    ),
    "an override of UrbanCode": (
        "a.mqdef_overrides",
        '{"resource": {"queue": [{"command": "DEFINE", "name": "A", "type": "local", '
        '"deploymentTargets": [{"targetEnvName": "Dev", "deploy": false}, '
        '{"targetEnvName": "Live", "deploy": true, "storage": {"maximumDepth": 9}}]}]}}',
        ["maybe DEFINE QLOCAL A MAXDEPTH=9 LIKE=?"],
    ),
    "resources of Puppet": (
        "a.pp",
        "# mq_queue { 'QMA/QLOCAL/NO': }\nmq_manager { 'QMA': ensure => present, deadq => 'DLQ' }\n"
        "-> mq_queue { ['QMA/QLOCAL/B', \"QMA/QALIAS/${x}.C\"]:\n  put => $p ? { 'a' => 'b' },\n"
        "  descr => \"it's\",\n}\nif $x {\n  mq_channel { 'QMB/D': ensure => absent; }\n}\n"
        "mq_channel { 'QMA/E': descr => 'e' }\n",
        [
            "QMA: ALTER QMGR DEADQ=DLQ",
            "QMA: DEFINE QLOCAL B PUT=? DESCR=it's LIKE=?",
            "QMA: DEFINE QALIAS ?.C PUT=? DESCR=it's LIKE=?",
            "QMA: DEFINE CHANNEL E CHLTYPE=? DESCR=e LIKE=?",
            "QMB: maybe DELETE CHANNEL D",
        ],
    ),
    "a file of Puppet, with escapes": (
        "a.pp",
        "exec { 'apply': command => '/opt/mqm/bin/runmqsc QMA < /var/mqm/a.mqsc' }\n"
        "file { '/var/mqm/a.mqsc':\n  ensure => file,\n"
        "  content => \"DEFINE QLOCAL(A) DESCR('a\\sb')\\nDEFINE QLOCAL(B)\\n\",\n}\n",
        ["DEFINE QLOCAL A DESCR=a b", "DEFINE QLOCAL B"],
    ),
    "data of Puppet": (
        "a.yaml",
        "role: mq\nibm_profile::mq_managers:\n  QMA: {ensure: present, deadq: DLQ}\n"
        "ibm_profile::mq_machine::messaging_setup::queue_list:\n"
        "  QMA/SYSTEM.DEAD.LETTER.QUEUE: {qtype: QLOCAL, maxdepth: '5'}\n"
        "ibm_profile::mq_machine::messaging_setup::topic_list:\n"
        "  QMA/SYSTEM.BASE.TOPIC: {descr: Root, topicstr: '', topcistr: x}\n"
        "  QMA/TILLS: {topicstr: shop/tills}\n",
        [
            "QMA: ALTER QMGR DEADQ=DLQ",
            "QMA: ALTER QLOCAL SYSTEM.DEAD.LETTER.QUEUE MAXDEPTH=5",
            "QMA: ALTER TOPIC SYSTEM.BASE.TOPIC DESCR=Root TOPCISTR=x",
            "QMA: DEFINE TOPIC TILLS TOPICSTR=shop/tills LIKE=?",
        ],
    ),
}


def reading_of(path: str, text: str) -> Reading:
    language = recognise(path, text)
    assert language is not None
    return ANALYSER.analyse(text, language, Target(), path)


def written(reading: Reading) -> list[str]:
    """The commands of a document, each with its queue manager and its values."""
    found = []
    for part in reading.parts:
        owner = f"{part.queue_manager}: " if part.queue_manager else ""
        for command in part.commands:
            words = [command.verb or "", command.noun or "", command.name or ""]
            for word in command.shape.words:
                value = command.get(word)
                shown = value if value is None or "','" in value else decode(value)
                words.append(word if shown is None else f"{word}={shown}")
            text = re.sub(f"{PLACEHOLDER}+", "?", " ".join(filter(None, words)))
            found.append(f"{owner}{'maybe ' if part.execution.maybe else ''}{text}")
    return found


@pytest.mark.parametrize("case", COMMANDS)
def test_objects_are_commands(case: str) -> None:
    path, text, expected = COMMANDS[case]
    assert written(reading_of(path, text)) == expected


MESSAGES: dict[str, tuple[str, str, str]] = {
    "JSON": (
        "a.json",
        json.dumps(_BODY | {"parameters": {"maxdepht": 5}}, indent=1),
        'a.json:7:4 VOC002 DEFINE QLOCAL has no attribute "maxdepht" (did you mean "maxdepth"?)',
    ),
    "JSON, with a value": (
        "a.json",
        json.dumps(_BODY | {"parameters": {"maxdepth": -1}}, indent=1),
        'a.json:7:15 VOC007 "maxdepth": "-1" in DEFINE QLOCAL is outside the range 0 to 999999999',
    ),
    "YAML": (
        "a.yml",
        "mq_commands:\n  - command: alter\n    qualifier: qmgr\n    parameters:\n"
        "      chlauth: disabled\n",
        "a.yml:5:7 SEC001 channel authentication is disabled: chlauth: DISABLED",
    ),
    "Puppet": (
        "a.pp",
        "mq_manager { 'QMA':\n  chlauth => 'DISABLED',\n}\n",
        "a.pp:2:3 SEC001 channel authentication is disabled: chlauth => 'DISABLED'",
    ),
    "UrbanCode": (
        "a.mqdef_base",
        '{"resource": {"queue": [{"command": "DEFINE", "name": "A",\n'
        ' "storage": {"maximumDepth": -1}}]}}',
        "a.mqdef_base:2:30 VOC007 storage.maximumDepth: -1 in DEFINE QLOCAL is outside the range "
        "0 to 999999999",
    ),
    "a text of MQSC in JSON": (
        "a.json",
        json.dumps({"type": "runCommand", "parameters": {"command": "ALTER QMGR DEADD(X)"}}),
        "a.json:1:62 VOC002 ALTER QMGR has no attribute DEADD (did you mean DEADQ?)",
    ),
    "setmqaut": (
        "a.sh",
        "#!/bin/sh\nsetmqaut -m QMA -n A.Q -t queue -g app -get +putt +inq\n",
        "a.sh:2:46 VOC005 setmqaut: +putt is not valid, allowed values: none, altusr, browse, chg, "
        "clr, connect, crt, dlt, dsp, get, inq, put, passall, passid, set, setall, setid, sub, "
        "resume, pub, system, ctrl, ctrlx, all, alladm, allmqi (did you mean +put?)",
    ),
    "an option of setmqaut": (
        "a.sh",
        f"#!/bin/sh\nsetmqaut -m QMA -n {'A' * 49} -t queue -g app +get\n",
        f"a.sh:2:9 VOC009 -n {'A' * 49} in setmqaut has 49 characters, but the limit is 48",
    ),
}


@pytest.mark.parametrize("case", MESSAGES)
def test_messages_speak_in_the_terms_of_the_file(case: str) -> None:
    path, text, expected = MESSAGES[case]
    run = check([Input(path, data=text.encode())], Settings(), ANALYSER, shipped_rulebook())
    found = [
        f"{path}:{finding.location.start.line}:{finding.location.start.column} "
        f"{finding.rule.id} {finding.message}"
        for finding in run.findings
    ]
    assert expected in found


def test_what_is_sent_to_another_process_is_spelled_alike() -> None:
    reading = reading_of(*MESSAGES["JSON"][:2])
    unpacked = from_bytes(to_bytes(reading), ANALYSER.parser)
    start = reading.reported[0].diagnostic.start
    assert unpacked.lines.spelling(start) == reading.lines.spelling(start) == "json"
    assert reading.lines.spelling(0) == ""


TASK = (
    "- hosts: all\n  tasks:\n    - ibm_messaging.ibmmq.queue_manager:\n        qmname: [QMA, QMB]\n"
    "        state: {state}\n        log_primary: 9\n        mqsc_file: objects.mqsc\n"
)


@pytest.mark.parametrize(
    ("state", "steps"),
    [
        ("present", ["crtmqm -lp 9", "strmqm", "runmqsc", "endmqm"]),
        ("running", ["crtmqm? -lp 9", "strmqm", "runmqsc"]),
        ("stopped", ["runmqsc", "endmqm"]),
        ("absent", ["dltmqm"]),
    ],
)
def test_the_module_of_ansible_runs_control_commands(state: str, steps: list[str]) -> None:
    reading = reading_of("a.yml", TASK.replace("{state}", state))
    for name in ("QMA", "QMB"):
        own = [step for step in reading.steps if step.queue_manager == name]
        found = []
        for step in own:
            options = [f"-{one.name} {one.value}" for one in step.options if one.name == "lp"]
            found.append(" ".join([step.command + "?" * step.execution.maybe, *options]))
        assert found == steps
    fed = [("objects.mqsc", "QMA"), ("objects.mqsc", "QMB")] if "runmqsc" in steps else []
    assert list(reading.fed) == fed


def test_the_module_of_ansible_runs_no_command_in_vain() -> None:
    states = ("present", "running", "present", "running", "absent", "present")
    reading = reading_of("a.yml", "".join(TASK.replace("{state}", state) for state in states))
    runs = [
        step.command
        for step in reading.steps
        if step.queue_manager == "QMA" and not step.execution.maybe
    ]
    assert runs == [
        *("crtmqm", "strmqm", "runmqsc", "endmqm"),
        *("strmqm", "runmqsc"),
        *("runmqsc", "runmqsc"),
        *("dltmqm", "crtmqm", "strmqm", "runmqsc", "endmqm"),
    ]


NEIGHBOURS = [
    ("hook.json", '{"then": {"type": "runCommand", "command": "npm test"}}'),
    ("notes.json", '{"text": "see runCommandJSON of IBM"}'),
    ("commands.yml", "mq_commands:\n  - purge_queue\n  - add_user\n"),
    ("a.exp", '#!/usr/bin/expect\nspawn su\nsend "ls /opt/mqm\\n"\n'),
    ("a.yml", "text: |\n      mq_commands:\n        - command: define\n"),
    ("site.pp", "rabbitmq_queue { 'a@b':\n  durable => true,\n}\n"),
    ("site.pp", "# mq_queue { 'QMA/QLOCAL/A': }\n"),
    ("data.yaml", "ibm_profile::was_machine::users:\n  a: {}\n"),
    ("a.mqdef_base", '{"resources": []}'),
    ("a.mqdef_properties", '{"LQMGR": "QMA"}'),
    ("play.yml", "- hosts: all\n  tasks:\n    - queue_manager:\n        name: rabbit\n"),
    ("a.sh", '#!/bin/sh\ncurl -d \'{"type": "runCommand"}\' https://h/hooks\n'),
]


@pytest.mark.parametrize(("path", "text"), NEIGHBOURS, ids=lambda value: value[:20])
def test_what_only_looks_alike_is_in_no_language(path: str, text: str) -> None:
    assert recognise(path, text) is None


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("a.yml", "a: &a\n  command: define\nmq_commands:\n  - <<: *a\n    name: A\n", 4),
        ("a.pp", "# create_resources(mq_queue, {})\ncreate_resources('mq_queue', $queues)\n", 2),
    ],
)
def test_objects_that_a_reference_makes_are_not_followed(path: str, text: str, line: int) -> None:
    places = reading_of(path, text).unfollowed
    assert [text.count("\n", 0, place) + 1 for place in places] == [line]


SECRETS = {
    "a.json": '{"type": "runCommandJSON", "command": "alter", "qualifier": "authinfo", "name": "L",'
    ' "parameters": {"ldappwd": "{}", "ldappwdd": "x\\"{}", "ldappw": ["{}"]}}',
    "a.yml": "mq_commands:\n  - command: alter\n    qualifier: qmgr\n    parameters:\n"
    "      keyrpwd: {}\n      initkey: |\n        a'{}\n",
    "a.pp": "mq_manager { 'QMA': keyrpwd => 'x\\'{}', initkey => {}, }\n",
    "a.sh": '#!/bin/sh\ncurl -d \'{"type": "runCommandJSON", "command": "alter", "qualifier": '
    f'"qmgr", "parameters": {{"keyrpwd": "{{}}"}}}}\' {_URL}\n',
    "a.exp": '#!/usr/bin/expect\nexpect "Password:"\nsend "x{}\\r"\nexpect {\n "assword" {\n'
    '  send "a b {}\\r" } }\nsend "runmqsc QMA\\nalter qmgr keyrpwd({})\\nend\\n"\n',
    "a.mqdef_base": '{"resource": {"channel": [{"command": "DEFINE", "name": "A", '
    '"type": "sender", "security": {"password": "{}", "passwrd": "a\\u0041{}"}}]}}',
}


@pytest.mark.parametrize("path", SECRETS)
def test_no_secret_of_an_object_is_kept(path: str) -> None:
    word = "Hyacinth"
    reading = reading_of(path, SECRETS[path].replace("{}", word))
    assert reading.commands == 1
    assert word not in reading.text
    assert word not in repr(written(reading))
    assert word.encode() not in to_bytes(reading)
