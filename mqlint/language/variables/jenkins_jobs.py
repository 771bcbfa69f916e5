"""Stages of a Jenkinsfile with their variables, once for each site that a parameter chooses.

Source: "Pipeline Syntax" of Jenkins (`environment`, `withEnv`, `parameters`, `matrix`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mqlint.config.estate.roles import tell_both_sites
from mqlint.dataclass import mutable
from mqlint.language.variables.choices import MOST_LABELS, excludes
from mqlint.language.variables.job import Job, Values
from mqlint.patterns import later

CHOICES = later(
    r"\bchoices[ \t]*:[ \t]*(?P<choices>\[[^\]\n]{1,400}\]|'[^'\n]{1,400}'|\"[^\"\n]{1,400}\")"
    r"|\bvalues[ \t(]+(?P<values>['\"][^)\n]{1,400})"
)
"""The values of a parameter, or of an axis of a matrix."""
_WHEN = later(r"\bwhen[ \t]*\{([^{}]{0,200}(?:\{[^{}]{0,400}\})?)")
_PIECE = later(
    r"//[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)|'''(?:[^']|'(?!''))*+(?:'''|\Z)"
    r"|\"\"\"(?:[^\"]|\"(?!\"\"))*+(?:\"\"\"|\Z)"
    r"|(?P<block>\bstage[ \t]*\([ \t]*['\"](?P<stage>[^'\"\n]{1,100})['\"][ \t]*\)"
    r"|\bwithEnv[ \t]*\([ \t]*\[(?P<given>[^\]]{0,2000}+)\][ \t]*\)"
    r"|\benvironment(?=[ \t]*\{))[ \t]*"
    r"|'[^'\n]*+'|\"[^\"\n]*+\"|[{}]"
)
_ASSIGNED = later(
    r"(?<![\w.])(\w{1,100}+)[ \t]*+=(?!=)[ \t]*+(?:'([^'\n]*)'|\"([^\"\n]*)\"|[^\n]*)"
)
_GIVEN = later(r"['\"](\w{1,100})=([^'\"\n]{0,400})['\"]")
_CHOICE = later(r"\bchoice[ \t]*+\(([^()]{0,600}+)\)")
_NAMED = later(r"\bname[ \t]*+:[ \t]*+['\"](\w{1,100})['\"]")
_LIST_OF = later(r"\A[^\[]*+\[|\][^\]]*+\Z")
"""What is around a list."""
_TEXT = later(r"['\"]([^'\"\n]{1,100})['\"]")
_DEEPEST = 50


@mutable
class _Block:
    """A block in braces; `is_job` is true for a stage and for `withEnv`."""

    start: int
    is_job: bool
    name: str
    values: Values
    holds: bool = False


def jobs_of_jenkins(text: str) -> Iterator[Job]:
    """Yield the stages and blocks `withEnv` that hold no other of them."""
    for choice in _CHOICE.finditer(text):
        name, labels = _NAMED.search(choice[1]), _TEXT.findall(_LIST_OF.sub("", choice[1]))
        if name is not None and tell_both_sites(labels):
            for label in labels[:MOST_LABELS]:
                for job in _in_blocks(text, {name[1]: label}):
                    when = _WHEN.search(text, *job.spans[0])
                    if when is None or not excludes(when[1], job.values):
                        yield job._replace(sites=(*job.sites, label))
            return
    yield from _in_blocks(text, {})


def _in_blocks(text: str, chosen: Values) -> Iterator[Job]:
    blocks = [_Block(0, False, "", {**chosen})]
    begun: re.Match[str] | None = None
    for piece in _PIECE.finditer(text):
        if piece["block"] is not None:
            begun = piece
        elif piece[0] == "{":
            outer = blocks[-1]
            is_job = begun is not None and (begun["stage"] or begun["given"]) is not None
            stage = (begun["stage"] if begun is not None else None) or outer.name
            given = _GIVEN.findall((begun["given"] or "") if begun is not None else "")
            is_variables = begun is not None and not is_job
            values = {**outer.values, **dict(given)} if len(blocks) < _DEEPEST else {}
            values = outer.values if is_variables else values
            blocks.append(_Block(piece.end(), is_job, stage, values))
            outer.holds |= is_job
            begun = None
        elif piece[0] == "}" and len(blocks) > 1:
            block = blocks.pop()
            if block.values is blocks[-1].values:
                for found in _ASSIGNED.finditer(text, block.start, piece.start()):
                    value = found[2] if found[2] is not None else found[3]
                    block.values[found[1]] = value
            elif block.is_job and not block.holds:
                yield Job(block.name, (block.name,), block.values, ((block.start, piece.start()),))
            blocks[-1].holds |= block.holds
        else:
            begun = None
