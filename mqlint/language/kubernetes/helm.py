"""Charts of Helm: templates with the values that replace `{{ .Values.KEY }}` in them.

Source: "Values Files" and "Template Functions and Pipelines" of Helm. Only a value that stands
alone, or is piped to `quote`, `squote` or `default`, is replaced. All else stays a template, so it
is unknown. A key has the value of `values.yaml`, unless the one other file of values, or the one
Application of Argo CD, of the chart sets it. Of several such, none decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from posixpath import basename, dirname

from mqlint.dataclass import NamedTuple
from mqlint.language.text.mapped import MappedText, MappedTextBuilder
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.source.budget import Budget

_VALUES = ("values.yaml", "values.yml")
_OTHER_VALUES = later(r"(?:[\w.-]*[-_.])?values(?:[-_.][\w.-]*)?\.ya?ml")
_REFERENCE = later(
    r"(?P<outer>[\"'])?\{\{ *\.Values\.(?P<path>[\w.]{1,200}) *"
    r"(?:\| *(?P<quote>s?quote) *|\| *default [^{}|\n]{1,80})?\}\}(?P<close>(?P=outer))?"
)
_PLAIN = later(r"[\w.:/()*,@ -]{1,200}")
"""A value that is the same in MQSC, in YAML and in quotes."""
_QUOTES = {"quote": '"', "squote": "'"}
_BETWEEN = "\n---\n"
_DEEPEST = 8
_APPLICATION = "Application"

Value = tuple[str, int] | None
"""A value and its place; None if it is not known."""
Found = Mapping[tuple[str, ...], Value]
"""The values by the path of their keys."""


def charts_of(texts: Mapping[str, str]) -> Iterator[tuple[str, set[str]]]:
    """Yield the values of each chart, with its templates, other values and Applications."""
    applications = [path for path, text in texts.items() if _is_application(text)]
    for root in sorted(texts):
        if basename(root) not in _VALUES:
            continue
        folder = dirname(root)
        inside = f"{folder}/" if folder else ""
        templates = {path for path in texts if path.startswith(f"{inside}templates/")}
        if templates and any(_REFERENCE.search(texts[path]) for path in templates):
            others = {
                path
                for path in texts
                if dirname(path) == folder and _OTHER_VALUES.fullmatch(basename(path))
            }
            installed = {path for path in applications if _installs(texts[path], folder)}
            yield root, {root, *templates, *others, *installed}


def _is_application(text: str) -> bool:
    return f"kind: {_APPLICATION}" in text and "helm:" in text


def _installs(text: str, folder: str) -> bool:
    """Whether an Application installs the chart in a folder of this repository."""
    for document in read_documents(text):
        for source in _sources(document):
            path = source.word("path").strip("/").removeprefix("./")
            if path and (folder == path or folder.endswith(f"/{path}")):
                return True
    return False


def _sources(document: Node) -> Iterator[Node]:
    if document.word("kind") == _APPLICATION:
        one = document.get("spec", "source")
        yield from (one,) if one is not None else ()
        yield from document.entries("spec", "sources")


class Rendered(NamedTuple):
    """The text of all files of a chart with its values in it, and whether any was replaced."""

    text: MappedText
    is_changed: bool


def is_chart(root: str) -> bool:
    """Whether a composition with this root is a chart."""
    return basename(root) in _VALUES


def rendered(
    root: str,
    documents: Mapping[str, Sequence[Node]],
    text: str,
    files: Iterable[tuple[str, int, int]],
    budget: Budget,
) -> Rendered:
    """Return the files of a chart, as (path, start, end) in `text`, with its values in them.

    Other files of values, and Applications, are only read for their values.
    """
    values = _values(root, documents)
    builder, is_changed = MappedTextBuilder(), False
    end = 0
    for path, start, end in files:
        if path != root and (_OTHER_VALUES.fullmatch(basename(path)) or path not in documents):
            continue
        if any(True for document in documents[path] for _ in _sources(document)):
            continue
        at = start
        for found in _REFERENCE.finditer(text, start, end):
            value = values.get(tuple(found["path"].split(".")))
            if value is None or not budget.spend(len(value[0])):
                continue
            opening = found["outer"] or "" if found["close"] is None else ""
            quote = _QUOTES.get(found["quote"] or "", "") or (found["close"] or "")
            builder.add(text[at : found.start()] + opening, at)
            builder.add(quote, value[1], 0)
            builder.add(*value)
            builder.add(quote, value[1] + len(value[0]), 0)
            at, is_changed = found.end(), True
        builder.add(text[at:end] + _BETWEEN, at)
    return Rendered(builder.finish(end), is_changed)


def _values(root: str, documents: Mapping[str, Sequence[Node]]) -> Found:
    """The values of a chart: those of the one environment that is here, if there is only one."""
    folder = dirname(root)
    others: list[Found] = []
    for path, own in documents.items():
        if path != root and dirname(path) == folder and _OTHER_VALUES.fullmatch(basename(path)):
            others.append(dict(_leaves(own)))
        for document in own:
            others.extend(_of_application(source) for source in _sources(document))
    found: dict[tuple[str, ...], Value] = dict(_leaves(documents.get(root, ())))
    if len(others) == 1:
        return {**found, **others[0]}
    for other in others:
        for key, value in other.items():
            before = found.get(key)
            is_same = before is not None and value is not None and before[0] == value[0]
            found[key] = before if is_same else None
    return found


def _of_application(source: Node) -> Found:
    helm = source.child("helm")
    if helm is None:
        return {}
    found: dict[tuple[str, ...], Value] = {}
    written = helm.child("values")
    inner = written.mapped if written is not None else None
    if inner is not None:
        for key, value in _leaves(read_documents(inner.text)):
            found[key] = None if value is None else (value[0], inner.host(value[1]))
    own = helm.child("valuesObject")
    found.update(_leaves([own] if own is not None else []))
    for parameter in helm.entries("parameters"):
        found[tuple(parameter.word("name").split("."))] = _plain(parameter.child("value"))
    return found


def _leaves(documents: Iterable[Node]) -> Iterator[tuple[tuple[str, ...], Value]]:
    """The scalars below some documents, by the path of their keys."""
    waiting: list[tuple[tuple[str, ...], Node]] = [((), document) for document in documents]
    while waiting:
        path, node = waiting.pop()
        for key, _, value in node.pairs if len(path) < _DEEPEST else ():
            if value.kind == "scalar":
                yield (*path, key), _plain(value)
            waiting.append(((*path, key), value))


def _plain(node: Node | None) -> Value:
    """A value that is written out; None for any other."""
    if node is None or not isinstance(node.value, str) or _PLAIN.fullmatch(node.text) is None:
        return None
    return node.text, node.start
