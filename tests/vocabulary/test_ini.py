"""The vocabulary of stanza files: what is shipped, and what its compiler refuses."""

from __future__ import annotations

import json

import pytest

from mqlint.config.errors import ConfigError
from mqlint.config.reader import read_yaml
from mqlint.vocabulary.ini import SHAPE
from tests.shipped import shipped_vocabulary

FAULTS = [
    {"stanzas": [{"name": "A", "in": ["any.ini"], "evidence": "recall"}]},
    {"stanzas": [{"name": "A", "in": ["qm.ini"], "evidence": "hearsay"}]},
    {"stanzas": [{"name": "A", "in": ["qm.ini"], "evidence": "recall", "kes": {}}]},
    {"stanzas": [{"name": "A", "in": ["qm.ini"], "evidence": "recall", "keys": {"B": "none"}}]},
    {"stanzas": [{"name": "A", "in": ["qm.ini"], "evidence": "recall", "keys": {"B": {"x": 1}}}]},
    {
        "stanzas": [
            {"name": "A", "in": ["qm.ini"], "evidence": "recall", "keys": {"B": {}}, "also": ["B"]}
        ]
    },
]


@pytest.mark.parametrize("document", FAULTS)
def test_a_fault_in_the_data_is_refused(document: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        SHAPE.check(read_yaml(json.dumps(document), "ini.yaml"))


def test_the_compiled_form_survives_json() -> None:
    document = {
        "domains": {"some": {"int": [1, 3], "words": ["OFF"], "default": "2"}},
        "stanzas": [
            {"name": "A", "in": ["qm.ini"], "evidence": "recall", "keys": {"B": "some"}},
        ],
    }
    compiled = json.dumps(SHAPE.check(read_yaml(json.dumps(document), "ini.yaml")))
    stanza = SHAPE.load(json.loads(compiled)).stanza("qm.ini", "a")
    assert stanza is not None
    key = stanza.key("b")
    assert key is not None
    assert [key.accepts(value) for value in ("1", "off", "4", "", "²")] == [
        True,
        True,
        False,
        False,
        False,
    ]
    assert key.expected() == "OFF or a number from 1 to 3"


def test_one_name_can_differ_between_files() -> None:
    known = shipped_vocabulary().ini
    server = known.stanza("qm.ini", "channels")
    client = known.stanza("mqclient.ini", "channels")
    assert server is not None
    assert client is not None
    assert (server.key("MaxChannels") is None, client.key("MaxChannels") is None) == (False, True)


def test_every_documented_stanza_names_its_page() -> None:
    shipped = shipped_vocabulary().ini.stanzas
    assert [
        stanza.name for stanza in shipped if stanza.evidence == "document" and not stanza.see
    ] == []
