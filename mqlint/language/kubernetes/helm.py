"""Charts of Helm: templates with the values that replace `{{ .Values.KEY }}` in them.

Source: "Values Files", "Template Functions and Pipelines" and "Controlling Whitespace" of Helm.
Only a value that stands alone, or is piped to `default`, or to `quote`, `squote`, `upper`, `lower`
and `indent`, is replaced, and a branch is left out if its condition is known to be false. All else
stays a template, so it is unknown.

A key has the value of `values.yaml`, unless the one other file of values, or the one Application of
Argo CD or HelmRelease of Flux, sets it. Of several such, none decides, but those of different sites
are one installation each. Defaults alone count only if the chart has the queue manager too: what
installs it may be elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from posixpath import basename, dirname
from re import Match

from mqlint.dataclass import NamedTuple, mutable
from mqlint.grouping import grouped
from mqlint.language.kubernetes import INSTALLED, is_of_chart
from mqlint.language.text.mapped import MappedText, MappedTextBuilder
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.source.budget import Budget
from mqlint.source.lines import Span

_VALUES = ("values.yaml", "values.yml")
_REFERENCE = later(
    r"(?P<outer>[\"'])?(?:\{\{|(?<=[^\s])[ \t]{0,9}\{\{-) *\$?\.Values\.(?P<path>[\w.]{1,200}) *"
    r"(?P<pipes>(?:\| *(?:s?quote|upper|lower|indent +\d) *){0,3}|\| *default [^{}|\n]{1,80})"
    r"(?:\}\}|-\}\}(?=\S))(?P<close>(?P=outer))?"
)
_PIPE = later(r"\| *(?:(?P<quote>s?quote)|(?P<case>upper|lower)|indent +(?P<blanks>\d))")
_PLAIN = later(r"[\w.:/()*,@ -]{1,200}")
"""A value that is the same in MQSC, in YAML and in quotes."""
_QUOTES = {"quote": '"', "squote": "'"}
_BETWEEN = "\n---\n"
_DEEPEST = 8
_MOST = 20
"""Limit of the files of values that are of no chart: with more, it is not known which count."""
_READ = 64
"""Files of values whose trees are kept for the next chart, which may be given the same ones."""

Value = tuple[str, int] | None
"""A value and its place; None if it is not known."""
Key = tuple[str, ...]
"""The path of a value."""
ChartValues = Mapping[Key, Value]
"""The values by the path of their keys."""


def charts_of(
    texts: Mapping[str, str], site_of: Callable[[str], str]
) -> Iterator[tuple[str, set[str]]]:
    """Yield the values of each chart, with its templates and what may give it other values.

    If several sites have a file of values for it, each site's file is yielded, with what is read
    at that site.
    """
    templates: dict[str, set[str]] = {}
    for path in texts:
        folder, is_inside, _ = f"/{path}".rpartition("/templates/")
        if is_inside:
            templates.setdefault(folder.removeprefix("/"), set()).add(path)
    others = {path for path in texts if is_of_chart(path) and dirname(path) not in templates}
    if not templates or len(others) > _MOST:
        return
    taken: set[str] = set()
    files = _Files(lambda path: read_documents(texts.get(path, "")))
    of_charts = grouped((dirname(path), path) for path in texts if is_of_chart(path))
    others |= {path for path, text in texts.items() if INSTALLED.search(text) is not None}
    for folder, inside in sorted(templates.items()):
        beside = {*of_charts.get(folder, ())}
        root = _defaults_in(folder, beside)
        above = of_charts.get(dirname(dirname(folder)), ())
        parent = {path for path in above if _is_parent(path, folder)}
        given = {*beside, *others, *parent} - {root}
        asked = _asked(chain.from_iterable(_REFERENCE.finditer(texts[path]) for path in inside))
        sites = _by_site(root, given, asked, files, site_of)
        if len(sites) > 1 and taken.isdisjoint(paths[0] for paths in sites.values()):
            taken.update(paths[0] for paths in sites.values())
            for paths in sites.values():
                yield paths[0], {*inside, *beside & {root}, *paths}
        elif root in beside:
            yield root, {*inside, root, *given}
        elif len(beside) == 1:
            yield min(beside), {*inside, *given}


class _Files:
    """The trees of files of values, by path, and the values in them."""

    def __init__(self, read: Callable[[str], Sequence[Node]]) -> None:
        self.documents = lru_cache(_READ)(read)
        self.values = lru_cache(_READ)(lambda path: dict(_leaves(self.documents(path))))


def _defaults_in(folder: str, paths: Iterable[str]) -> str:
    """The path of the defaults of the chart in a folder, also if it is not among `paths`."""
    names = [f"{folder}/{name}".removeprefix("/") for name in _VALUES]
    return next((name for name in names if name in paths), names[0])


def _by_site(
    root: str,
    given: set[str],
    asked: Set[Key],
    files: _Files,
    site_of: Callable[[str], str],
) -> Mapping[str, Sequence[str]]:
    """The files that give values to a chart, by site; none if one of them shows no site."""
    if not 1 < len(given) <= _MOST or len({site_of(path) for path in given} - {""}) < 2:
        return {}
    sites = grouped(
        (site_of(path), path)
        for path in sorted(given)
        if any(_environments(root, [path], files, asked))
    )
    return {} if "" in sites else sites


def _is_parent(path: str, folder: str) -> bool:
    """Whether a file has the values of a chart that has the one in a folder as a dependency."""
    charts, above = dirname(folder), dirname(dirname(folder))
    return basename(charts) == "charts" and dirname(path) == above and is_of_chart(path)


class Rendered(NamedTuple):
    """The text of a chart with its values in it; `used` are its files.

    `is_changed`: a value is replaced. `is_installed`: not only defaults are known. `values` are
    those that are known, by the path of their keys.
    """

    text: MappedText
    used: frozenset[str]
    is_changed: bool
    is_installed: bool
    values: Mapping[str, str]


def chart_of(root: str, text: str, paths: Iterable[str]) -> str:
    """The defaults of the chart that a composition with this root installs, blank for any other."""
    if not is_of_chart(root) and INSTALLED.search(text) is None:
        return ""
    paths = set(paths)
    split = (f"/{path}".rpartition("/templates/") for path in sorted(paths))
    folders = [folder.removeprefix("/") for folder, inside, _ in split if inside]
    defaults = [_defaults_in(folder, paths) for folder in folders]
    return next((path for path in defaults if path in paths), defaults[0] if defaults else "")


def rendered(
    root: str,
    documents: Mapping[str, Sequence[Node]],
    text: str,
    files: Iterable[tuple[str, int, int]],
    budget: Budget,
) -> Rendered:
    """Return the values and the templates of a chart; files are (path, start, end) in `text`."""
    inside = f"{dirname(root)}/templates/".removeprefix("/")
    own = [file for file in files if file[0] == root or file[0].startswith(inside)]
    references = {path: [*_REFERENCE.finditer(text, start, end)] for path, start, end in own}
    asked = _asked(chain.from_iterable(references.values()))
    given = _Files(lambda path: documents.get(path, ()))
    others = [other for other in _environments(root, documents, given, asked) if other]
    values = _values(given.values(root), others)
    builder, is_changed, end = MappedTextBuilder(), False, 0
    for path, start, end in own:
        at = start
        dropped = _not_rendered(text, (start, end), values) if path != root else []
        found: list[_Change] = [(*each.span(), each) for each in references[path]]
        found += ((first, last, None) for first, last in dropped)
        for first, last, reference in sorted(found, key=itemgetter(0)):
            value = values.get(_key(reference)) if reference is not None else None
            if first < at or (reference is not None and value is None):
                continue
            if value is not None and not budget.spend(len(value[0])):
                continue
            builder.add(text[at:first], at)
            if reference is not None and value is not None:
                _add_value(builder, reference, value)
            at, is_changed = last, True
        builder.add(text[at:end] + _BETWEEN, at)
    known = {".".join(path): value[0] for path, value in values.items() if value is not None}
    return Rendered(builder.finish(end), frozenset(references), is_changed, bool(others), known)


_Change = tuple[int, int, Match[str] | None]
"""Start and end of a reference to a value, or without one of a stretch that is not rendered."""


def _not_rendered(text: str, span: Span, values: ChartValues) -> list[Span]:
    def written(path: str) -> str | None:
        value = values.get(tuple(path.split(".")))
        is_quoted = value is not None and text.startswith(("'", '"'), value[1])
        return None if value is None else f"'{value[0]}'" if is_quoted else value[0]

    return not_rendered(text, span, written)


def _add_value(builder: MappedTextBuilder, reference: Match[str], value: tuple[str, int]) -> None:
    """Append a value as the pipes of a reference, and the quotes around it, change it."""
    text, place = value
    before, shown, quote = _piped(reference["pipes"], text)
    quote = quote or (reference["close"] or "")
    builder.add(reference["outer"] or "" if reference["close"] is None else "", reference.start())
    builder.add(before + quote, place, 0)
    builder.add(shown, place)
    builder.add(quote, place + len(text), 0)


def _key(reference: Match[str]) -> Key:
    return tuple(reference["path"].split("."))


def _asked(references: Iterable[Match[str]]) -> Set[Key]:
    """The keys that templates refer to."""
    return set(map(_key, references))


def _piped(pipes: str, value: str) -> tuple[str, str, str]:
    """Return the blanks before a value, the value, and the quotation mark around it."""
    before = quote = ""
    for pipe in _PIPE.finditer(pipes):
        quote = _QUOTES.get(pipe["quote"] or "", quote)
        before += " " * int(pipe["blanks"] or 0)
        changed = getattr(value, pipe["case"])() if pipe["case"] else value
        value = changed if len(changed) == len(value) else value
    return before, value, quote


def _values(defaults: ChartValues, others: Sequence[ChartValues]) -> ChartValues:
    """The values of a chart: those of the one environment that is here, if there is only one."""
    if len(others) == 1:
        return {**defaults, **others[0]}
    found = dict(defaults)
    for other in others:
        for key, value in other.items():
            before = found.get(key)
            is_same = before is not None and value is not None and before[0] == value[0]
            found[key] = before if is_same else None
    return found


def _environments(
    root: str, paths: Iterable[str], files: _Files, asked: Set[Key]
) -> Iterator[ChartValues]:
    """The values that other files give to a chart.

    A file of another folder counts if it has a key of the defaults or, without defaults, one that
    templates have `asked` for.
    """
    folder, keys = dirname(root), files.values(root).keys() or asked
    for path in paths:
        own = files.documents(path)
        if path != root and _is_parent(path, folder):
            below = (node.child(basename(folder)) for node in own)
            yield dict(_leaves(filter(None, below)))
        elif path != root and is_of_chart(path):
            found = files.values(path)
            if dirname(path) == folder or not found.keys().isdisjoint(keys):
                yield found
        for document in own:
            yield from _of_installation(document, folder)


def _of_installation(document: Node, folder: str) -> Iterator[ChartValues]:
    """The values that an Application of Argo CD, or a HelmRelease of Flux, gives to a chart."""
    kind, sources = document.word("kind"), list(document.entries("spec", "sources"))
    sources += filter(None, [document.get("spec", "source")])
    for source in sources if kind == "Application" else ():
        helm = source.child("helm")
        if helm is not None and _is_at(source.word("path"), folder):
            yield _of_application(helm)
    values = document.get("spec", "values") if kind == "HelmRelease" else None
    if values is not None and _is_at(document.word("spec", "chart", "spec", "chart"), folder):
        yield dict(_leaves([values]))


def _is_at(path: str, folder: str) -> bool:
    """Whether a path in the repository is that of a folder, which may be further down here."""
    path = path.removeprefix("./").strip("/")
    return bool(path) and (folder == path or folder.endswith(f"/{path}"))


def _of_application(helm: Node) -> ChartValues:
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
        for key, value in node.pairs.items() if len(path) < _DEEPEST else ():
            if value.kind == "scalar":
                yield (*path, key), _plain(value)
            waiting.append(((*path, key), value))


def _plain(node: Node | None) -> Value:
    """A value that is written out; None for any other."""
    if node is None or not isinstance(node.value, str) or _PLAIN.fullmatch(node.text) is None:
        return None
    return node.text, node.start


# -- branches of templates -------------------------------------------------------------------------


_ACTION = later(
    r"\{\{-?[ \t]*(?P<word>if|else|end|range|with|define|block)\b(?P<rest>[^{}\n]{0,300}?)-?\}\}"
)
_ELSE_IF = later(r"[ \t]+if\b")
_CONDITION = later(
    r"[ \t]*(?:(?P<inverted>not[ \t]+)?|(?P<sign>eq|ne)[ \t]+)\$?\.Values\.(?P<path>[\w.]{1,200})"
    r"(?:[ \t]+\"(?P<literal>[^\"]{0,200})\")?[ \t]*"
)
_NO = ("false", "no", "n", "off", "null")
_FALSE = frozenset({"~", *_NO, *map(str.upper, _NO), *map(str.capitalize, _NO)})
"""Words that are false or null in YAML 1.1, which Helm reads (kubernetes-sigs/yaml)."""
_ZERO = later(r"[-+]?(?=\.?0)0*+(?:\.0*+)?")

ValueOf = Callable[[str], str | None]
"""The value of a key as it is written, in quotes if it is; None if it is not known."""


@mutable
class _Branch:
    """A decided `if`: whether one of its branches is rendered, and where the present one begins.

    `start` is None in the branch that is rendered.
    """

    is_taken: bool
    start: int | None


def not_rendered(text: str, span: Span, value_of: ValueOf) -> list[Span]:
    """Return what rendering drops of a template: branches, and the statements around them.

    Nothing is returned if a later branch of an `if` cannot be decided, or an `end` is missing. A
    condition is false for false, zero, an empty text and null ("Flow Control" of Helm). Those with
    `and`, `or`, other functions, or keys whose values are not known stay as they are.
    """
    dropped: list[Span] = []
    waiting: list[_Branch | None] = []
    for action in _ACTION.finditer(text, *span):
        word, rest = action["word"], action["rest"]
        if word not in ("else", "end"):
            verdict = _verdict(rest, value_of) if word == "if" else None
            if verdict is not None:
                dropped.append(action.span())
            start = None if verdict else action.end()
            waiting.append(None if verdict is None else _Branch(verdict, start))
            continue
        if not waiting:
            return []
        branch = waiting[-1] if word == "else" else waiting.pop()
        if branch is None:
            continue
        dropped.append((action.start() if branch.start is None else branch.start, action.end()))
        if word == "else":
            condition = _ELSE_IF.match(rest)
            verdict = condition is None or _verdict(rest[condition.end() :], value_of)
            if verdict is None and not branch.is_taken:
                return []
            is_shown = bool(verdict) and not branch.is_taken
            branch.start = None if is_shown else action.end()
            branch.is_taken = branch.is_taken or is_shown
    return [] if waiting else _merged(dropped)


def _verdict(condition: str, value_of: ValueOf) -> bool | None:
    found = _CONDITION.fullmatch(condition)
    if found is None or (found["sign"] is None) != (found["literal"] is None):
        return None
    written = value_of(found["path"])
    if written is None:
        return None
    if found["sign"] is not None:
        is_same = written.strip("\"'") == found["literal"]
        return is_same == (found["sign"] == "eq")
    is_true = written not in _FALSE and _ZERO.fullmatch(written) is None
    return is_true != bool(found["inverted"])


def _merged(spans: Iterable[Span]) -> list[Span]:
    """Return spans in order, without those inside others."""
    merged: list[Span] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not merged or start >= merged[-1][1]:
            merged.append((start, end))
    return merged
