"""What must hold whatever stands in a file of settings, policies, waivers or known findings."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from mqlint.config.errors import ConfigError
from mqlint.config.estate.repositories import estate_from
from mqlint.config.loader import load_settings
from mqlint.config.node import Node
from mqlint.config.reader import read_yaml
from mqlint.finding.baseline import BaselineError, parsed, written
from mqlint.finding.waiver import waivers_from
from mqlint.policy.compile.pattern import PatternError, compile_pattern
from mqlint.policy.language.check import check_policy
from mqlint.policy.rulebook import Rulebook
from mqlint.vocabulary import Target
from tests.fuzz.program import ANALYSER, BASE, RULEBOOK, SITES, refused, run_of, text_of

Found = TypeVar("Found")
COMMENTED = (("mqsc", "a.mqsc"), ("shell", "a.sh"), ("cmd", "a.cmd"), ("ini", "qm.ini"))
"""Languages whose comments may suppress findings, each in its own form."""


def project(data: bytes) -> None:
    """A mqlint.yaml is read twice alike, or refused at a place that there is."""
    text = text_of(data)
    settings = _read(text, lambda: load_settings(text, "mqlint.yaml"))
    if settings is not None:
        assert load_settings(text, "mqlint.yaml") == settings


def project_and_run(data: bytes) -> None:
    """Files are judged by whatever settings can be read."""
    text = text_of(data)
    settings = _read(text, lambda: load_settings(text, "mqlint.yaml"))
    if settings is None:
        return
    try:
        run_of({"prod/QMA/a.mqsc": BASE, "dr/QMB/a.mqsc": BASE}, settings)
    except ConfigError as error:
        refused(error)


def estate(data: bytes) -> None:
    """An estate.yaml names entries, or is refused."""
    text = text_of(data)
    found = _read(text, lambda: estate_from(read_yaml(text, "estate.yaml")))
    assert found is None or found.entries


def waivers(data: bytes) -> None:
    """Waivers are about rules that exist, or the file is refused."""
    text = text_of(data)
    found = _read(text, lambda: waivers_from(read_yaml(text, "waivers.yaml"), RULEBOOK.rules))
    for waiver in found or ():
        assert waiver.rules
        assert set(waiver.rules) <= set(RULEBOOK.rules)
        assert waiver.location.start <= waiver.location.end


def baseline(data: bytes) -> None:
    """A baseline that is read and written again says the same."""
    try:
        entries = parsed(data)
    except BaselineError as error:
        refused(error)
        return
    assert sorted(parsed("".join(written(entries)).encode())) == sorted(
        parsed("".join(written(sorted(entries))).encode())
    )
    assert len(parsed("".join(written(entries)).encode())) == len(entries)


def policy(data: bytes) -> None:
    """A policy is compiled, or refused at a place that there is."""
    text = text_of(data)
    _read(text, lambda: check_policy(text, "own.yaml", "own", ANALYSER.vocabulary))


def policy_and_run(data: bytes) -> None:
    """A policy that is compiled can judge."""
    text = text_of(data)
    compiled = _read(text, lambda: check_policy(text, "own.yaml", "own", ANALYSER.vocabulary))
    if compiled is not None:
        rulebook = Rulebook([json.loads(json.dumps(compiled))])
        run_of({"prod/QMA/a.mqsc": BASE, "dr/QMB/a.mqsc": BASE}, SITES, rulebook)


def pattern(data: bytes) -> None:
    """What fits as a whole is found anywhere, asked first or later; the value follows the line."""
    source, _, value = text_of(data).partition("\n")
    try:
        compiled = compile_pattern(source)
        whole = compile_pattern(f"^(?:{source})$")
    except PatternError as error:
        refused(error)
        return
    answer = compiled.search(value)
    assert answer == compiled.search(value) == compile_pattern(source).search(value)
    assert answer is not False or not whole.search(value)


def pattern_once(data: bytes) -> None:
    """Compile a pattern and ask it."""
    source, _, value = text_of(data).partition("\n")
    with suppress(PatternError):
        compile_pattern(source).search(value)


def comments(data: bytes) -> None:
    """Comments that suppress findings lie in the text and cover what follows them."""
    text = text_of(data)
    for language, name in COMMENTED:
        reading = ANALYSER.analyse(text, language, Target(), name)
        last = reading.lines.position(len(text))
        for comment in reading.suppressions:
            assert comment.start < comment.end <= last
            assert comment.since <= comment.until <= last


def comments_and_run(data: bytes) -> None:
    run_of({f"prod/QMA/{name}": data for _, name in COMMENTED})


def _read(text: str, read: Callable[[], Found]) -> Found | None:
    """What `read` returns; None where it refuses the text, at a place that there is."""
    try:
        return read()
    except ConfigError as error:
        _at_a_place(error, text)
        return None


def _at_a_place(error: ConfigError, text: str) -> None:
    assert 1 <= error.line <= len(text.splitlines()) + 1
    assert error.column >= 1
    refused(error)


def nodes(data: bytes) -> None:
    """Every value of a YAML file has a line that there is."""
    text = text_of(data)
    root = _read(text, lambda: read_yaml(text, "any.yaml"))
    waiting: list[Node] = [] if root is None else [root]
    while waiting:
        node = waiting.pop()
        assert 1 <= node.line <= len(text.splitlines()) + 1
        waiting += node.pairs.values() if node.kind == "mapping" else ()
        waiting += node.items if node.kind == "sequence" else ()
