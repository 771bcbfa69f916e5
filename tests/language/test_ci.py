"""Scripts in YAML of CI and of Ansible: in every form of YAML, and in files with errors."""

from __future__ import annotations

import pytest

from tests.languages import script_in
from tests.linear import is_linear_in_steps


@pytest.mark.parametrize(
    ("value", "options"),
    [
        ("strmqm\n          -x QMA", ["x"]),
        ('"strmqm\n          -x QMA"', ["x"]),
        ("'strmqm\n          -x QMA'", ["x"]),
        ('"strmqm \\\n          -x QMA"', ["x"]),
    ],
)
def test_a_command_goes_on_in_the_next_line(value: str, options: list[str]) -> None:
    text = f"jobs:\n  a:\n    runs-on: b\n    steps:\n      - run: {value}\n"
    steps = script_in("pipeline", text).steps
    assert [option.name for step in steps for option in step.options] == options
    words = [word.value for step in steps for word in step.operands]
    assert "QMA" in words
    assert all(step.queue_manager == "QMA" for step in steps if step.options)


CONFLICT = """deploy:
  stage: a
  script:
<<<<<<< HEAD
    - strmqm QMA
=======
    - strmqm QMB
>>>>>>> other
    - strmqm QMC
other:
  script: [strmqm QMD, 'strmqm QME']
"""
ALIASES = """.start: &start
  - strmqm QMA
  - *start
job:
  script:
    - *start
    - !reference [.start, script]
again:
  script: *start
"""
CLOUD_FORMATION = """\
Resources:
  A:
    UserData:
      Fn::Base64: !Sub |
        #!/bin/bash
        strmqm QMA
  B:
    UserData: !Base64 |
      #!/bin/bash
      strmqm QMB
  C:
    UserData:
      Fn::Base64:
        Fn::Sub: |
          #!/bin/bash
          strmqm QMC
  D:
    UserData: !Ref Text
"""
READ = [
    # a text, and the queue managers that its scripts start, with `?` if a condition decides
    pytest.param(CONFLICT, ["QMA", "QMB", "QMC", "QMD", "QME"], id="a conflict of a merge"),
    pytest.param("stages: [a, b\n" + CONFLICT, "QMA QMB QMC QMD QME".split(), id="a list unended"),
    pytest.param(ALIASES, ["QMA"], id="a list that is its own entry, and is used twice"),
    pytest.param(
        "runcmd:\n- [strmqm, QMA]\n- - strmqm\n  - -x\n  - QMB\n- strmqm QMC\n",
        ["QMA", "QMB", "QMC"],
        id="lists of words in a list of commands",
    ),
    pytest.param(
        "x: &q QMA\ncommand: [strmqm, QMB]\nruncmd:\n- [strmqm, *q]\n- strmqm QMC\n",
        ["QMB", "QMA", "QMC"],
        id="an alias among words",
    ),
    pytest.param(CLOUD_FORMATION, ["QMA", "QMB", "QMC"], id="user data of CloudFormation"),
    pytest.param("- shell: {cmd: strmqm QMA}\n  when: x\n", ["QMA?"], id="a module in braces"),
]


@pytest.mark.parametrize(("text", "started"), READ)
def test_scripts_are_read_in_any_form_of_yaml(text: str, started: list[str]) -> None:
    script = script_in("pipeline", text)
    assert not script.unfollowed
    steps = [step for step in script.steps if step.command == "strmqm"]
    found = [f"{step.queue_manager}{'?' * step.execution.maybe}" for step in steps]
    assert found == started


def test_a_list_that_does_not_end_is_noted() -> None:
    text = "- shell: ['strmqm QMA'\n- shell: strmqm QMB\n"
    script = script_in("pipeline", text)
    assert [step.queue_manager for step in script.steps] == ["QMB"]
    assert [text[at:] for at in script.unfollowed] == [text[text.index("strmqm QMA") :]]


@pytest.mark.parametrize("where", ["defaults:\n      run: {shell: python}", "shell: python"])
def test_programs_of_another_language_are_not_read(where: str) -> None:
    steps = "\n    steps:\n      - run: strmqm QMA\n"
    text = f"jobs:\n  a:\n    runs-on: x\n    {where}{steps}"
    script = script_in("pipeline", text)
    assert not script.steps
    assert len(script.unfollowed) == 1


def test_arguments_may_stand_before_their_command() -> None:
    text = "containers:\n- args: [QMA]\n  command: [strmqm]\n"
    (step,) = script_in("pipeline", text).steps
    assert (step.command, step.queue_manager) == ("strmqm", "QMA")
    assert text[slice(*step.command_span)] == "strmqm"


def test_anchors_are_found_whatever_the_line_ends() -> None:
    text = ".start: &start\n  - strmqm QMA\njob:\n  script: *start\n".replace("\n", "\r\n")
    (step,) = script_in("pipeline", text).steps
    assert step.queue_manager == "QMA"


@pytest.mark.parametrize(
    "inner", ["[strmqm QMA, strmqm QMB]", "\n    - strmqm QMA\n    - strmqm QMB"]
)
def test_a_list_of_lines_in_a_list_is_no_command(inner: str) -> None:
    steps = script_in("pipeline", f"job:\n  script:\n  - {inner}\n").steps
    assert [step.queue_manager for step in steps] == ["QMA", "QMB"]


def test_the_words_of_a_command_are_read_once() -> None:
    def read(count: int) -> None:
        words, keys = ", QMA" * count, "  args: [QMB]\n" * count
        script_in("pipeline", f"containers:\n- command: [strmqm{words}]\n{keys}")

    assert is_linear_in_steps(read, 40)


@pytest.mark.parametrize("between", ["", "# a remark"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_remarks_and_blank_lines_do_not_end_a_list(between: str, line_end: str) -> None:
    lines = ["script: [", between, "  'strmqm QMA',", "  'strmqm QMB' 'x'", "  ]"]
    (step,) = script_in("pipeline", line_end.join(lines)).steps
    assert step.queue_manager == "QMA"


LOOPED = """- hosts: mq
  vars:
    managers: {{QMA: {{x: yes}}, QMB: {{x: "no"}}}}
    listed: [{{name: QMC}}, {{name: 010}}, {{other: 1}}]
    facts: [QMD]
  tasks:
    - set_fact: {{facts: [QME]}}
    - command: "{}"
      {}
"""


@pytest.mark.parametrize(
    ("command", "loop", "found"),
    [
        ("strmqm {{ item }}", "loop: [QMA, QMB]", ["QMA", "QMB"]),
        ("strmqm Q{{ item }}", "with_items: [1, 0b1]", ["Q1", None]),
        ("strmqm {{ item.key }}", 'with_dict: "{{ managers }}"', ["QMA", "QMB"]),
        ("strmqm {{ item.key }}", 'loop: "{{ managers | dict2items }}"', ["QMA", "QMB"]),
        ("strmqm {{ item.value['x'] }}", 'with_dict: "{{ managers }}"', ["True", "no"]),
        ("strmqm {{ item.name }}", 'loop: "{{ listed }}"', ["QMC", None, None]),
        ("strmqm {{ qm }}", "loop: [QMA]\n      loop_control: {loop_var: qm}", ["QMA"]),
        ("strmqm {{ item }}", 'loop: "{{ facts }}"', [None]),
        ("strmqm {{ item }}", 'loop: "{{ managers | list }}"', [None]),
        ("strmqm {{ item }}", "loop: [QMA]\n      when: item == site", [None]),
        ("strmqm {{ item }}", "loop: [QMA]\n      when: is_up", ["QMA"]),
    ],
)
def test_a_task_is_read_for_each_element_that_its_file_writes_out(
    command: str, loop: str, found: list[str | None]
) -> None:
    steps = script_in("pipeline", LOOPED.format(command, loop)).steps
    assert [step.queue_manager for step in steps] == found
    assert all(step.execution.maybe for step in steps)


STATES = """{% if grains['os_family'] == 'Suse' %}
first:
  cmd.run:
    - name: strmqm QMA
{% endif %}
second:
  cmd.run:
    - name: >
        strmqm
        QMB
    - unless: dspmq -m QMB | grep Running
"strmqm QMC":
  cmd.run:
    - runas: mqm
third:
  cmd.run:
    - names:
      - strmqm QMD
      - strmqm {{ pillar['qm'] }}
    - require:
      - cmd: second
  cmd.wait:
    - name: endmqm -w QME
    - shell: pwsh
fourth:
  cmd.run:
    - name: $q = 'QMF'; strmqm $q
    - shell: powershell
  service.running:
    - name: strmqm QMG
"""


def test_states_of_salt_are_commands() -> None:
    steps = script_in("pipeline", STATES).steps
    assert [f"{step.queue_manager}{'?' * step.execution.maybe}" for step in steps] == [
        *("QMA?", "QMB?", "QMC", "QMD", "None", "QME?", "QMF"),
    ]
    assert all(STATES[step.span[0] :].startswith(step.command) for step in steps)


WRITTEN = """/etc/mqm/a.mqsc:
  file.managed:
    - contents: DEFINE QLOCAL(A)
b:
  file.append:
    - name: /etc/mqm/b.mqsc
    - text: |
        DEFINE QLOCAL(B)
        DEFINE QLOCAL('{{ q }}')
    - onchanges: [{cmd: x}]
/etc/mqm/c.txt:
  file.managed:
    - contents: DEFINE QLOCAL(C)
strmqm QMA:
  cmd.run:
    - runas: mqm
"""


def test_mqsc_that_states_of_salt_write() -> None:
    first, second = script_in("pipeline", WRITTEN).embedded
    assert (first.text, first.execution.maybe) == ("DEFINE QLOCAL(A)", False)
    assert second.text == "DEFINE QLOCAL(B)\nDEFINE QLOCAL('{{ q }}')\n"
    assert second.execution.maybe
    assert WRITTEN.index("DEFINE QLOCAL(B)") == second.host(0)
