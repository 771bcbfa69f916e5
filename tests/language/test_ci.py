"""Scripts in the texts of YAML that have several lines without a block."""

from __future__ import annotations

import pytest

from tests.languages import script_in


@pytest.mark.parametrize(
    ("value", "options"),
    [
        ("strmqm\n          -x QMA", ["x"]),
        ('"strmqm\n          -x QMA"', ["x"]),
        ("'strmqm\n          -x QMA'", ["x"]),
        ('"strmqm \\\n          -x QMA"', []),  # a backslash joins the lines: not read
    ],
)
def test_a_command_goes_on_in_the_next_line(value: str, options: list[str]) -> None:
    text = f"jobs:\n  a:\n    runs-on: b\n    steps:\n      - run: {value}\n"
    steps = script_in("pipeline", text).steps
    assert [option.name for step in steps for option in step.options] == options
    words = [word.value for step in steps for word in step.operands]
    assert ("QMA" in words) is bool(options)
    assert all(step.queue_manager == "QMA" for step in steps if step.options)
