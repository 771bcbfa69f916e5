"""What is wrong with a text that is not JSON, in words of ours."""

from __future__ import annotations

import json

import pytest

from mqlint.config.json_reader import json_fault, read_json


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"a": 1', "a comma or a closing bracket is missing"),
        ("[1 2]", "a comma or a closing bracket is missing"),
        ('{"a" 1}', "a colon is missing after a name"),
        ("{a: 1}", "a name in quotation marks is missing"),
        ('{"a": }', "a value is missing"),
        ("", "a value is missing"),
        ("[1]]", "more text follows its end"),
        ('["a', "a string has no closing quotation mark"),
        ('["\x01"]', "a string contains a control character"),
        (r'["\x41"]', "a string contains an escape that JSON does not have"),
        (r'["\u12"]', "a string contains an escape that JSON does not have"),
    ],
)
def test_each_fault_has_its_words(text: str, says: str) -> None:
    with pytest.raises(json.JSONDecodeError) as raised:
        read_json(text)
    assert json_fault(raised.value) == says
