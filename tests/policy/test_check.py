"""A policy that is not right does not load, and the message leads to the place and the cure."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqlint.config.errors import ConfigError
from mqlint.config.node import Node, Plain
from mqlint.config.reader import read_yaml
from mqlint.policy.load import (
    PolicySource,
    builtin_sources,
    compile_sources,
    load_rulebook,
    user_sources,
)
from tests.policy.making import analyser, policy

TABLE = Path(__file__).with_name("errors.yaml")


def rows() -> list[object]:
    table = read_yaml(TABLE.read_text("utf-8"), TABLE.name)
    return [pytest.param(row, id=str(row.line)) for row in table.sequence()]


def loaded(text: str) -> str:
    """What is wrong with a policy, blank when nothing is."""
    try:
        compile_sources([PolicySource("x/tst001.yaml", "x", text)], analyser().vocabulary)
    except ConfigError as error:
        return str(error)
    return ""


@pytest.mark.slow
def test_the_policy_the_others_differ_from_is_right() -> None:
    assert loaded(policy()) == ""


@pytest.mark.parametrize("row", rows())
def test_a_policy_that_is_wrong(row: Node) -> None:
    changed, left_out = row.get("with"), row.get("without")
    parts: dict[str, Plain] = {} if left_out is None else {left_out.string(): None}
    if changed is not None:
        parts |= {key: part.plain() for key, part in changed.mapping().items()}
    place, _, message = row.require("says").string().partition(" ")
    found = loaded(policy(**parts))
    assert found.startswith(f"x/tst001.yaml:{place}: ")
    assert message in found


def test_what_to_do_keeps_its_indented_lines() -> None:
    fix = "Make it deeper,\nas here:\n  ALTER QLOCAL(A) +\n    MAXDEPTH(9)\n\nor empty\nit.\n"
    source = PolicySource("x/tst001.yaml", "x", policy(fix=fix))
    (compiled,) = compile_sources([source], analyser().vocabulary)
    lines = [
        "Make it deeper, as here:",
        "  ALTER QLOCAL(A) +",
        "    MAXDEPTH(9)",
        "",
        "or empty it.",
    ]
    assert compiled["fix"].split("\n") == lines


def test_no_yaml_at_all() -> None:
    assert loaded("id: [").startswith("x/tst001.yaml:")
    assert loaded("") != ""


def user_file(folder: Path, **parts: Plain) -> Path:
    file = folder / "mine.yaml"
    file.write_text(policy(**parts), "utf-8")
    return file


@pytest.mark.slow
def test_a_users_policy_stands_beside_the_tools_own(tmp_path: Path) -> None:
    user_file(tmp_path)
    rules = load_rulebook(analyser().vocabulary, user=user_sources([tmp_path])).rules
    assert rules["TST001"].group == tmp_path.name
    assert set(rules) == {"TST001", *load_rulebook(analyser().vocabulary).rules}


@pytest.mark.slow
def test_an_id_that_is_taken(tmp_path: Path) -> None:
    file = user_file(tmp_path, id="DR001")
    with pytest.raises(ConfigError, match="the id DR001 is taken") as error:
        load_rulebook(analyser().vocabulary, user=user_sources([file]))
    assert str(error.value).startswith(f"{file}:1:")
    one, two = tmp_path / "one.yaml", tmp_path / "two.yaml"
    for each in (one, two):
        each.write_text(policy(), "utf-8")
    with pytest.raises(ConfigError, match="the id TST001 is taken"):
        load_rulebook(analyser().vocabulary, user=user_sources([one, two]))


def test_diagnostics_belong_to_the_tool(tmp_path: Path) -> None:
    file = user_file(tmp_path, check={"diagnostic": "unknown-attribute"}, match=None)
    with pytest.raises(ConfigError, match="reserved"):
        load_rulebook(analyser().vocabulary, user=user_sources([file]))


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_bytes(b"\xff\xfe\xfa")
    for path in (tmp_path / "bad.yaml", tmp_path / "none.yaml"):
        with pytest.raises(ConfigError, match="cannot be read"):
            load_rulebook(analyser().vocabulary, user=user_sources([path]))


@pytest.mark.slow
def test_what_comes_out_of_the_cache_is_what_went_in(tmp_path: Path) -> None:
    first = load_rulebook(analyser().vocabulary, tmp_path)
    second = load_rulebook(analyser().vocabulary, tmp_path)
    assert second.compiled == first.compiled
    assert second.rules == first.rules
    assert len(first.rules) == len(builtin_sources())
