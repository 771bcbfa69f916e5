"""The first error of a text in YAML or JSON."""

from __future__ import annotations

from collections.abc import Iterator

import yaml

from mqlint.finding import Diagnostic
from mqlint.language.text.well_formed import broken, is_final, is_json
from mqlint.language.yaml.events import NestingError, events


def broken_yaml(text: str) -> Iterator[Diagnostic]:
    """Yield the first error of a text in YAML or JSON, if no tool may change the text first."""
    plain = text.removeprefix("\ufeff")
    is_tree = plain.lstrip()[:1] in ("{", "[")
    if not is_final(plain) or (is_tree and is_json(plain)):
        return
    try:
        for _ in events(plain):
            pass
    except NestingError:
        return
    except yaml.MarkedYAMLError as error:
        last = error.problem_mark
        if last is None or not error.problem:
            return
        # where the word begins that has no end
        first = error.context_mark if isinstance(error, yaml.scanner.ScannerError) else None
        before = len(text) - len(plain)
        places = (before + (first or last).index, before + last.index)
        yield from broken(text, *places, "JSON" if is_tree else "YAML", error.problem)
    except (yaml.YAMLError, UnicodeError):
        return
