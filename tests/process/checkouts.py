"""A checkout of git as a stranger may have made it."""

from __future__ import annotations

from pathlib import Path

from tests.files import git, write
from tests.process.runs import BAD, CLUSTERED, GOOD

_POLICY = """\
id: OWN001
name: own-queue
summary: An own policy
severity: {default: warning}
confidence: high
why: The disk fills up.
fix: Lower MAXDEPTH.
match: {object: qlocal}
check:
  attributes: {MAXDEPTH: {le: 10}}
message: "{name} is deep"
cases:
  - name: too deep
    files: {q.mqsc: "DEFINE QLOCAL(A) MAXDEPTH(20)\n"}
    flagged: [q.mqsc:1]
  - name: not too deep
    files: {q.mqsc: "DEFINE QLOCAL(A) MAXDEPTH(5)\n"}
    flagged: []
  - name: unknown
    files: {q.mqsc: "DEFINE QLOCAL(A) MAXDEPTH({{ depth }})\n"}
    flagged: []
"""


def new_checkout(folder: Path) -> Path:
    """Make a checkout with a configuration, and files in the top and in `sub`."""
    files = {
        "mqlint.yaml": (
            "sites:\n  york: {role: production, paths: ['*.*', 'sub/**']}\n"
            "  hull: {role: dr, stands_in_for: york, paths: ['dr/**']}\n"
            "  leeds: {role: test, networks: [10.0.0.0/16]}\n"
        ),
        ".gitignore": "*.py\n",
        "bad.mqsc": BAD,
        "sub/good.mqsc": GOOD,
        "sub/more.sh": "#!/bin/sh\ncrtmqm YORK1\nrunmqsc YORK1 < good.mqsc\n",
        "sub/cluster.sh": CLUSTERED.replace("NAME", "YORK2"),
        "dr/cluster.sh": CLUSTERED.replace("NAME", "HULL2"),
        "sub/OWN001.yaml": _POLICY,
    }
    write(folder, files)
    for words in (("init", "--quiet"), ("add", "."), ("commit", "--quiet", "-m", "all")):
        git(*words, cwd=folder)
    return folder
