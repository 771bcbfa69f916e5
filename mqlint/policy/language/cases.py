"""The cases that a policy carries: small estates with the places that the policy must flag.

A case has `files` (path to text), optionally a `config` (what mqlint.yaml would say) and
`profiles`, and `flagged`, the list of `path:line` at which the policy must have a finding: all
of them and no others. A file called mqlint-waivers.yaml holds waivers, which are judged on the day
`today` (2026-01-01 by default). With `base`, the files as they were, the case is a change, and
what is new is flagged; then mqlint.yaml, mqlint-baseline.json and the folder policies are read
too. `mqlint.engine.cases` runs cases.
"""

from __future__ import annotations

from datetime import date

from mqlint.config.forms import Readers, names, read_keys
from mqlint.config.loader import settings_from
from mqlint.config.node import Node
from mqlint.config.reader import read_yaml
from mqlint.config.settings import Settings
from mqlint.dataclass import frozen
from mqlint.finding.waiver import date_of
from mqlint.policy.language.table import CASE
from mqlint.policy.load import PolicySource

_NEW_YEAR = date(2026, 1, 1)


@frozen
class Case:
    """One case as written; `place` is `file:line` of the case itself."""

    name: str
    place: str
    files: tuple[tuple[str, str], ...]
    settings: Settings
    flagged: tuple[str, ...]
    profiles: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    today: date = _NEW_YEAR
    base: tuple[tuple[str, str], ...] | None = None
    fixed: tuple[tuple[str, str], ...] = ()


def cases_of(source: PolicySource) -> list[Case]:
    """Return the cases of a policy file; ConfigError when one is not well formed."""
    root = read_yaml(source.text, source.path)
    return [_case(node) for node in root.require("cases").sequence()]


def _case(node: Node) -> Case:
    node.keys_allowed(names(CASE.keys))
    readers: Readers = {
        "config": settings_from,
        "today": date_of,
        "flagged": _sorted,
        "also": lambda also: _also(also, node),
    }
    values = read_keys(node, CASE.keys, readers)
    settings = values.pop("config", Settings())
    return Case(place=f"{node.path}:{node.line}", settings=settings, **values)


def _sorted(node: Node) -> tuple[str, ...]:
    return tuple(sorted(node.strings()))


def _also(node: Node, case: Node) -> tuple[str, ...]:
    """The other rules that a clean case may raise."""
    if case.require("flagged").sequence():
        raise node.key_error("also is only for cases without findings")
    return _sorted(node)
