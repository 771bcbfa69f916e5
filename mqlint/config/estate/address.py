"""Addresses of repositories and dumps in `estate.yaml`: paths, URIs, names, commits."""

from __future__ import annotations

import re
from typing import Literal

from mqlint.config.forms import name_of
from mqlint.config.node import Node
from mqlint.config.object_store import has_secret_setting
from mqlint.patterns import later

EntryKind = Literal["repository", "dumps"]

_URI = later(r"[A-Za-z][A-Za-z0-9+.-]+:/")
_CLONED = later(
    r"(?i)(?:ssh|git(?:\+ssh)?)://|https?://(?!.*\.(?:zip|tgz|tar(?:\.\w+)?)\Z)|[\w.-]+@[\w.-]+:"
)
"""Addresses from which Git clones."""

_HERE = later(r"(?i)file:(?://(?:localhost)?(?=/))?(?:/(?=[A-Za-z]:))?(?=/(?!/)|[A-Za-z]:)")
_HOST = later(
    r"[A-Za-z][A-Za-z0-9+.-]+://(?:[^/:@]*@)?(?:\[[0-9A-Fa-f:.]*\]|[^/:@]*)(?::\d*)?(?:/|\Z)"
)


def is_uri(path: str) -> bool:
    """Return whether a path begins with a scheme: file:/a, hdfs://host/a. `C:/a` does not."""
    return _URI.match(path) is not None


def path_of(node: Node, kind: EntryKind) -> str:
    """Return the path of an entry; a file: URI becomes a path, any other must have no password."""
    path = _local(name_of(node))
    if kind == "repository" and _CLONED.match(path):
        raise node.error(
            "mqlint does not clone: run `git clone --mirror`, and name the folder that it makes"
        )
    if not is_uri(path):
        return path
    if path.lower().startswith("file:"):
        raise node.error("a file: URI of another machine: only `file:/a/path` can be read")
    if "://" in path and not _HOST.match(path):
        # The message does not quote the URI, which may have a password.
        raise node.error(
            "a URI has a password before its host, or no port after it: passwords are for "
            "the environment, not for paths"
        )
    if has_secret_setting(path):
        raise node.error("a URI with a password: passwords are for the environment")
    if kind == "repository" and any(sign in path for sign in "*?["):
        raise node.error(
            "a pattern of repositories at a URI: name each of them, or make them one of `dumps`"
        )
    return path


def _local(path: str) -> str:
    """Return the path of a file: URI, not decoded, as Hadoop reads it; any other text as it is."""
    return _HERE.sub("", path, count=1)


def repository_name(node: Node, path: Node, kind: EntryKind) -> str:
    name = node.text()
    if not is_name(name):
        raise node.error(
            f"{name[:60]!r} is not a valid repository name: use printable text with parts "
            "separated by slashes"
        )
    if kind == "repository" and any(sign in path.raw for sign in "*?["):
        raise node.error("a pattern can match several repositories, which are named by their paths")
    return name


def is_name(name: str) -> bool:
    """Return whether a text may be the name of a repository: what paths in reports begin with."""
    parts = name.split("/")
    return name.isprintable() and name == name.strip() and not {"", ".", ".."} & set(parts)


def ref_of(node: Node, path: Node) -> str:
    ref = node.text()
    if is_uri(_local(path.raw)):
        raise node.error("git is read on paths only, not at a URI: omit `ref`")
    if ref.startswith("-") or re.search(r"[\x00-\x20\x7f]", ref):
        raise node.error(f"{ref[:60]!r} is not the name of a branch, a tag or a commit")
    return ref
