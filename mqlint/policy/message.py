"""Messages: a rule's template and the words that fill it."""

from __future__ import annotations

import re
from collections.abc import Mapping

_PLACEHOLDER = re.compile(r"\{([\w.-]+)\}")


def placeholders(template: str) -> tuple[str, ...]:
    """Return the names that stand in braces in `template`, in order, each once."""
    return tuple(dict.fromkeys(_PLACEHOLDER.findall(template)))


def fill(template: str, data: Mapping[str, str]) -> str:
    """Return `template` with its placeholders replaced; one without data becomes `?`."""
    return _PLACEHOLDER.sub(lambda found: data.get(found[1], "?"), template)
