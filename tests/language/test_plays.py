"""Plays of Ansible with variables of their own."""

from __future__ import annotations

import pytest

from mqlint.language.variables.plays import plays_of

FILES = {"vars/a.yml": "A: file\nB: file\n", "other/b.yml": "A: other\n"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- hosts: dr\n  vars: {A: a}\n  roles: [r]\n", [("dr", {"A": "a"}, ["r"])]),
        (
            "- name: x\n  hosts: dr\n  vars: {A: a, B: b, C: c}\n  vars_files: [../vars/a.yml]\n",
            [("dr", {"A": "file", "B": "file", "C": "c"}, [])],
        ),
        ("- hosts: dr\n  vars: {A: a}\n  vars_files: ['{{ env }}.yml']\n", []),
        ("- hosts: dr\n  vars: {A: a}\n  vars_files: [../vars/missing.yml]\n", []),
        ("- hosts: dr\n  roles: [r]\n", []),
        ("- import_playbook: b.yml\n  vars: {A: a}\n", []),
        (
            "- hosts: dr\n  vars: {A: a}\n  roles: [{role: x, tags: y}]\n"
            "  tasks:\n  - include_role: {name: z}\n  - import_role:\n      name: w\n",
            [("dr", {"A": "a"}, ["x", "z", "w"])],
        ),
        (
            "- hosts: dr\n  roles:\n  - {role: x, A: a, when: b}\n  - {role: y, vars: {A: b}}\n"
            "  tasks:\n  - include_role: {name: z}\n    vars: {A: a}\n",
            [("dr", {"A": "a"}, ["x", "z"]), ("dr", {"A": "b"}, ["y"])],
        ),
    ],
)
def test_the_variables_of_a_play(
    text: str, expected: list[tuple[str, dict[str, str], list[str]]]
) -> None:
    found = plays_of("plays/site.yml", text, FILES)
    assert [(play.hosts, dict(play.values), [*play.roles]) for play in found] == expected
