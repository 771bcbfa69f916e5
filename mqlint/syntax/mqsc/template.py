"""Templates that stand in scripts before a tool renders them.

They are found before quotes are, because a template may hold quotes. Each is covered by as many
characters of one private-use code point, so that no offset moves; the scanner then sees an
ordinary word whose text is unknown.
"""

from __future__ import annotations

import re

COVER = "\ue000"

_HINT = re.compile(r"\{\{|\{%|\$[{(]|@[A-Za-z_]|#\{|<[%A-Za-z]")
_TEMPLATE = re.compile(
    r"""
      \{\{ (?:[^}\n]|\}(?!\}))*+ \}\}             # Jinja, Helm, Go, Ansible
    | \{%  (?:[^%\n]|%(?!\}))*+ %\}               # Jinja statement
    | \$\{ [^{}\n]*+ \}                           # shell, Maven, Ant, envsubst
    | \$\( [A-Za-z_][\w.]*+ \)                    # make, Kubernetes
    | @@? [A-Za-z_][\w.-]*+ @@?                   # RapidDeploy, autoconf, Maven resources
    | \#\{ [^{}\n]*+ \}\#?                        # Octopus, Azure DevOps
    | <% (?:[^%\n]|%(?!>))*+ %>                   # ERB
    | < [A-Za-z][\w.\ -]*+ >                      # a hand-written "fill this in"
    """,
    re.VERBOSE,
)


def cover(text: str) -> str:
    """Return `text` with every template covered, at the same length."""
    if _HINT.search(text) is None:
        return text
    return _TEMPLATE.sub(lambda match: COVER * len(match.group()), text)
