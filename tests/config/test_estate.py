"""estate.yaml: what it says, what is wrong with it, and its JSON Schema."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import jsonschema
import pytest

from mqlint.config.errors import ConfigError
from mqlint.config.estate.address import is_name, is_uri
from mqlint.config.estate.repositories import SCHEMA, Estate, estate_from, given_by, merged
from mqlint.config.reader import read_yaml

WHOLE = """\
labels: {tier: gold, floor: 3}
defaults: {target: {level: 9.3.0}, profiles: [production]}
override: {severity: {DR001: error}}
repositories:
  - checkouts/*
  - {path: mirrors/orders.git, name: shop/orders, ref: v1, team: orders, labels: {tier: tin}}
dumps:
  - path: hdfs://host/dumps
    defaults: {target: {platform: zos}}
    override: {inventory: {objects: complete}}
    accepted_in: shop/orders
"""


def load(text: str) -> Estate:
    return estate_from(read_yaml(text, "estate.yaml"))


def test_a_whole_file() -> None:
    checkouts, orders, dumps = load(WHOLE).entries
    assert (checkouts.kind, checkouts.path, checkouts.name) == ("repository", "checkouts/*", None)
    assert (orders.name, orders.ref, orders.team) == ("shop/orders", "v1", "orders")
    assert orders.labels == {"tier": "tin", "floor": "3"}
    assert (dumps.kind, dumps.is_uri, dumps.labels) == ("dumps", True, checkouts.labels)
    assert (orders.accepted_in, dumps.accepted_in) == (None, "shop/orders")
    assert dumps.defaults.keys == ("target", "profiles")
    assert dumps.defaults.settings.target.platform == "zos"
    assert dumps.defaults.settings.profiles == ("production",)
    assert set(dumps.override.keys) == {"severity", "inventory"}


def test_override_counts_before_the_repository_and_that_before_defaults() -> None:
    (entry,) = load(
        "repositories:\n- {path: a, defaults: {target: {level: 9.1}, profiles: [audit]},"
        " override: {severity: {DR001: error}, exclude: [x]}}"
    ).entries
    own = given_by(read_yaml("target: {level: 9.4}\nseverity: {DR001: note}", "mqlint.yaml"))
    settings, overridden = merged(own, entry)
    assert settings.target.level is not None
    assert settings.target.level.text == "9.4"
    assert settings.profiles == ("audit",)
    assert settings.severity == {"DR001": "error"}
    assert settings.exclude == ("x",)
    assert overridden == ("severity",)


def test_an_override_that_says_the_same_overrides_nothing() -> None:
    (entry,) = load("dumps:\n- {path: a, override: {profiles: [audit]}}").entries
    assert merged(given_by(read_yaml("profiles: [audit]", "m")), entry)[1] == ()


FAULTS = {
    "{}": "neither `repositories` nor `dumps`",
    "repositories: []": "neither `repositories` nor `dumps`",
    "repository: [a]": "unknown key 'repository': did you mean 'repositories'?",
    "repositories: [{name: a}]": "the key 'path' is missing",
    "repositories: [{path: ''}]": "the text is blank",
    "repositories: [{path: 'a*', name: b}]": "a pattern can match several repositories",
    "repositories: [{path: a, name: ../b}]": "is not a valid repository name",
    "repositories: [{path: a, ref: -x}]": "is not the name of a branch",
    "dumps: [{path: a, ref: x}]": "unknown key 'ref'",
    "repositories: [{path: a, name: x}, {path: b, name: x}]": "two repositories are named 'x'",
    "dumps: [{path: a, defaults: {policies: [p]}}]": "set it on the command line",
    "dumps: [{path: a, defaults: {sites: [p]}}]": "expected 'key: value' pairs",
    "dumps: [{path: a, labels: [p]}]": "expected 'key: value' pairs",
    "repositories: [git@git.example.com:mq/pay.git]": "mqlint does not clone",
    "repositories: ['ssh://git@git.example.com/mq/pay.git']": "mqlint does not clone",
    "repositories: [{path: 'https://git.example.com/mq/pay'}]": "mqlint does not clone",
}


@pytest.mark.parametrize(("text", "said"), FAULTS.items())
def test_a_fault_is_said_with_its_place(text: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(text)
    assert str(caught.value).startswith("estate.yaml:1:")
    assert said in str(caught.value)


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    text = files("mqlint.config").joinpath("estate.schema.json").read_text("utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def test_what_is_published_is_what_the_reader_goes_by(schema: dict[str, Any]) -> None:
    assert schema == SCHEMA


def test_the_schema_is_one_and_takes_a_whole_file(schema: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(read_yaml(WHOLE, "e").plain())


UNSEEN = ("repositories: []", "two", "name: ../b", "path: 'a*'", "sites: [p]", "git")
"""Faults that a schema does not see."""


@pytest.mark.parametrize("text", [t for t in FAULTS if not any(one in t for one in UNSEEN)])
def test_the_schema_refuses_what_the_reader_refuses(text: str, schema: dict[str, Any]) -> None:
    validator = jsonschema.Draft202012Validator(schema)
    if "name: x" not in text:
        assert not validator.is_valid(read_yaml(text, "e").plain())


def test_names_and_addresses() -> None:
    assert is_name("a/b c/é")
    assert not any(map(is_name, ("", "/a", "a/", "a//b", ".", "a/../b", "a\nb", " a")))
    assert is_uri("s3a://bucket/x")
    assert is_uri("file:/x")
    assert not any(map(is_uri, ("C:/x", "/x", "a:b")))
