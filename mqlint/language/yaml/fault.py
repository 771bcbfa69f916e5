"""The first error of a text in YAML or JSON."""

from __future__ import annotations

from collections.abc import Iterator

import yaml

from mqlint.finding import Diagnostic
from mqlint.language.text.well_formed import broken, is_final, is_json
from mqlint.language.yaml.events import NestingError, events
from mqlint.patterns import later

_TEXT = "this is a text, not a key with a colon, so no keys may follow it"
_QUOTED = "the quotation mark before the brace makes the object a text"
_QUOTED_OBJECT = later(r"\s*+[\"'][{\[]\s*+\"")
_LINE = later(r"([ ]*+)([^ \n#][^\n]*)")


def _text_before(text: str, index: int) -> int:
    """Return where a text begins that goes on in the line of an index; -1 if none does.

    The line before is then as far right, and has no key.
    """
    start = text.rfind("\n", 0, index) + 1
    here, above = _LINE.match(text, start), text[:start].rstrip()
    at = above.rfind("\n") + 1
    found = _LINE.match(text, at)
    if here is None or found is None or here[1] != found[1] or ": " in f"{found[2]} ":
        return -1
    return at + len(found[1]) if found[2][0] not in "-[{\"'|>&*!%@`" else -1


def _is_part_of_json(text: str) -> bool:
    """Return whether a text is the inside of an object in JSON, which other text is put around."""
    inside = text.strip()
    return inside.startswith('"') and is_json(f"{{{inside.removesuffix(',')}}}")


def broken_yaml(text: str) -> Iterator[Diagnostic]:
    """Yield the first error of a text in YAML or JSON, if no tool may change the text first."""
    plain = text.removeprefix("\ufeff")
    is_tree = plain.lstrip()[:1] in ("{", "[")
    if not is_final(plain) or (is_tree and is_json(plain)) or _is_part_of_json(plain):
        return
    before, root = len(text) - len(plain), None
    try:
        for event in events(plain):
            if isinstance(event, yaml.DocumentStartEvent):
                root = None
            elif root is None:
                root = event
    except NestingError:
        return
    except yaml.MarkedYAMLError as error:
        last = error.problem_mark
        if last is None or not error.problem:
            return
        if isinstance(root, yaml.ScalarEvent) and "<document start>" in error.problem:
            at = last.index if root.start_mark is None else root.start_mark.index
        else:
            is_text = not is_tree and "mapping values" in error.problem
            at = _text_before(plain, last.index) if is_text else -1
        if at >= 0:
            fault = ("YAML", _TEXT) if _QUOTED_OBJECT.match(plain) is None else ("JSON", _QUOTED)
            yield from broken(text, before + at, before + last.index, *fault)
            return
        # where the word begins that has no end
        first = error.context_mark if isinstance(error, yaml.scanner.ScannerError) else None
        places = (before + (first or last).index, before + last.index)
        yield from broken(text, *places, "JSON" if is_tree else "YAML", error.problem)
    except (yaml.YAMLError, UnicodeError):
        return
