"""Resources of Kubernetes and values of charts in Terraform, as the YAML that they become.

    resource "kubernetes_manifest" "pay" {
      manifest = { apiVersion = "mq.ibm.com/v1beta1", kind = "QueueManager", ... }
    }
    resource "helm_release" "pay" {
      chart = "ibm-mq"
      set {
        name  = "queueManager.nativeha.enable"
        value = "true"
      }
    }

Objects of HCL and settings of a chart become YAML in brackets. An expression that is not written
out is unknown (Terraform, "Types and Values"; Helm, "The Format and Limitations of --set").
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from mqlint.language.kubernetes import MANIFEST
from mqlint.language.script.hosts.hcl_values import INTERPOLATION, as_yaml
from mqlint.language.text.hcl import Object, value_at
from mqlint.language.text.mapped import MappedText, MappedTextBuilder
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later
from mqlint.source.lines import Span

_OBJECT = later(r"\bmanifest[ \t]*=[ \t]*(?=\{)|\b(?:yaml|json)encode\(\s*(?=\{)")
_RELEASE = later(r"(?m)^resource[ \t]+\"helm_release\"[^\n{]{1,200}\{")
_RELEASE_END = later(r"(?m)^(?:\}|resource\b)")
_OF_CHART = later(r"\bchart[ \t]*=[ \t]*\"(?:[^\"\n]{0,200}/)?ibm-mq\"")
_SET = later(r"\bset[ \t]*(?:=[ \t]*\[|(?=\{))")
_SETTING = later(
    r"\s*\{\s*name[ \t]*=[ \t]*\"(?P<name>[A-Za-z][\w.]{0,200})\"[ \t]*[,\n]\s*value[ \t]*=[ \t]*"
    r"(?:\"(?P<text>[^\"\\\n]{0,400})\"|(?P<word>true|false|\d{1,9}))"
    r"[^{}\n]{0,80}\n?[ \t]*\}[ \t]*,?"
)
_PLAIN = later(r"[\w./:-]{1,400}")

_Tree = dict[str, "_Tree | tuple[str, int]"]
"""Settings of a chart by the parts of their names; a value has its place."""


def resources_of_terraform(text: str, others: Iterable[MappedText]) -> Iterator[MappedText]:
    """Yield what is a resource of MQ, or values of its chart, as YAML; `others` may be too.

    The settings of a chart replace its values, so values beside settings are not read.
    """
    replaced: list[Span] = [(0, 0)]
    for start, end in _releases(text):
        settings = _settings(text, start, end)
        if settings is not None:
            replaced.append((start, end))
            yield settings
    for found in (*_objects(text), *others):
        at = found.host(0)
        is_replaced = at < replaced[bisect_right(replaced, (at, len(text))) - 1][1]
        if not is_replaced and MANIFEST.accepts("resource.yaml", found.text.lstrip()):
            yield found


def _releases(text: str) -> Iterator[Span]:
    """Yield the places of the releases of IBM's chart."""
    for found in _RELEASE.finditer(text):
        closing = _RELEASE_END.search(text, found.end())
        end = closing.start() if closing is not None else len(text)
        if _OF_CHART.search(text, found.end(), end) is not None:
            yield found.end(), end


def _settings(text: str, start: int, end: int) -> MappedText | None:
    """Return the settings of a release, None if it has none; a list in a name is not read."""
    tree: _Tree = {}
    for opened in _SET.finditer(text, start, end):
        at = opened.end()
        while (found := _SETTING.match(text, at, end)) is not None:
            _add_setting(tree, found)
            at = found.end()
    builder = MappedTextBuilder()
    _add_tree(builder, tree, start)
    return builder.finish(end) if tree else None


def _add_setting(tree: _Tree, found: re.Match[str]) -> None:
    *above, last = found["name"].split(".")
    below: _Tree | tuple[str, int] = tree
    for part in above:
        below = below.setdefault(part, {}) if isinstance(below, dict) else below
    group = "word" if found["word"] else "text"
    if isinstance(below, dict) and not isinstance(below.get(last), dict):
        below[last] = _scalar(found[group]), found.start(group)


def _scalar(written: str) -> str:
    """A value of `--set`, where words such as `true` have their meaning in YAML."""
    if INTERPOLATION.search(written) is not None:
        return PLACEHOLDER
    return written if _PLAIN.fullmatch(written) is not None else f'"{written}"'


def _add_tree(builder: MappedTextBuilder, tree: _Tree, start: int) -> None:
    """Append settings as YAML in brackets; no name has more than a hundred parts."""
    builder.add("{", start, 0)
    for key, below in tree.items():
        builder.add(f"{key}: ", start, 0)
        if isinstance(below, dict):
            _add_tree(builder, below, start)
        else:
            builder.add(*below)
        builder.add(", ", start, 0)
    builder.add("}", start, 0)


def _objects(text: str) -> Iterator[MappedText]:
    """Yield the objects that are manifests, or that a function writes as YAML or JSON."""
    at = 0
    while (found := _OBJECT.search(text, at)) is not None:
        value = value_at(text, found.end())
        at = value.span[1]
        if isinstance(value, Object) and value.is_whole:
            yield as_yaml(text, value)
