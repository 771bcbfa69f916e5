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

from mqlint.config.loader import settings_from
from mqlint.config.node import Node
from mqlint.config.reader import read_yaml
from mqlint.config.settings import PROFILES, Settings
from mqlint.dataclass import frozen
from mqlint.finding.waiver import date_of
from mqlint.policy.language.forms import Body
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
    profiles: tuple[str, ...]
    flagged: tuple[str, ...]
    also: tuple[str, ...]
    today: date
    base: tuple[tuple[str, str], ...] | None = None
    fixed: tuple[tuple[str, str], ...] = ()


def cases_of(source: PolicySource) -> list[Case]:
    """Return the cases of a policy file; ConfigError when one is not well formed."""
    root = read_yaml(source.text, source.path)
    return [_case(node) for node in root.require("cases").sequence()]


def _case(node: Node) -> Case:
    Body(node, CASE)
    config, profiles, today = node.get("config"), node.get("profiles"), node.get("today")
    base, fixed = node.get("base"), node.get("fixed")
    return Case(
        name=node.require("name").text(),
        place=f"{node.path}:{node.line}",
        files=_files(node.require("files")),
        settings=Settings() if config is None else settings_from(config),
        profiles=() if profiles is None else tuple(map(_profile, profiles.sequence())),
        flagged=tuple(sorted(node.require("flagged").strings())),
        also=_also(node),
        today=_NEW_YEAR if today is None else date_of(today),
        base=None if base is None else _files(base),
        fixed=() if fixed is None else _files(fixed),
    )


def _files(node: Node) -> tuple[tuple[str, str], ...]:
    return tuple((path, text.text()) for path, text in node.mapping().items())


def _profile(node: Node) -> str:
    return node.one_of(PROFILES)


def _also(node: Node) -> tuple[str, ...]:
    """The other rules that a clean case may raise."""
    also = node.get("also")
    if also is None:
        return ()
    if node.require("flagged").sequence():
        raise also.key_error("also is only for cases without findings")
    return tuple(sorted(also.strings()))
