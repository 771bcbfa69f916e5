"""Where the text of a line of templates lands: which levels of YAML it may add to.

Source: "Template Function List" of Helm. `indent` and `nindent` put blanks before each line of a
text, so none of its lines is further to the left. A minus sign adds the first one to the line
before, of whose value it is a part.
"""

from __future__ import annotations

from mqlint.patterns import later

ANYWHERE = 0
"""The column of a text of which nothing is known."""
NOWHERE = 1_000_000
"""The column of a text that is empty."""

_ACTION = later(r"\{\{-?([^{}\n]{0,500})\}\}|\{%-?([^{}%\n]{0,500})%\}")
_SILENT = later(
    r"(?:if|else|elif|end|endif|endfor|for|range|with|define)(?![\w.])|/\*|\$\w{0,60}\s*:?=(?!=)"
)
_INDENTED = later(r"\|\s*n?indent\s+(\d{1,3})\Z")
_ONE_LINE = later(r"[ \t]*-[ \t]+\{\{-?[^{}\n]{0,500}\|\s*quote\s*-?\}\}\s*")
"""An entry of a list: the text is in quotation marks, which have no line break inside."""


def column_of(line: str) -> int:
    """Return the column that no text of a line of templates is left of."""
    if _ONE_LINE.fullmatch(line) is not None:
        return line.index("-")
    if not line.lstrip().startswith("{"):
        return ANYWHERE  # an entry of a list with any lines, or another form of template
    column, rest = NOWHERE, _ACTION.sub("", line)
    for action in _ACTION.finditer(line):
        body = (action[1] or action[2] or "").removesuffix("-").strip()
        if _SILENT.match(body) is not None:
            continue
        indented = _INDENTED.search(body)
        if indented is None:
            return ANYWHERE
        column = min(column, int(indented[1]))
    return ANYWHERE if rest.strip() else column
