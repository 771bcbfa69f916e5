"""Jobs in YAML with their variables: of GitLab, GitHub, Azure Pipelines and Tekton.

Source: "CI/CD YAML syntax reference" (`variables`, `extends`, `parallel:matrix`) of GitLab,
"Workflow syntax for GitHub Actions" (`env`, `strategy.matrix`), "Define variables" of Azure
Pipelines. Jobs in another file get values as parameters: "Template usage reference" of Azure
Pipelines, "Reuse workflows" of GitHub, "TaskRuns" and "PipelineRuns" of Tekton.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product

from mqlint.language.variables.ansible_hosts import written_variables
from mqlint.language.variables.choices import alternatives, elements, excludes
from mqlint.language.variables.job import LONGEST, MOST, Job, Values, filled
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later

_EXPORT = later(r"(?m)\bexport[ \t]++((?:\w{1,100}=[^\s;&|]{0,200}[ \t]*)++)")
_SET = later(r"(\w{1,100})=[\"']?([^\s\"';&|]{0,200})")
_SCRIPTS = ("script", "before_script", "after_script", "steps", "run", "bash")
_NAMES = ("environment", "stage", "deployment", "job")
_ANCHOR = later(r"&([^\s,\[\]{}]{1,100})")
_DEEPEST = 8
_MOST_VARIABLES = 200
"""Limit of the variables at one place."""


def jobs_of_documents(
    documents: Iterable[Node], text: str, given: Mapping[str, str | None] = {}, resource: str = ""
) -> Iterator[Job]:
    """Yield the jobs of documents, or of the one with a `resource`, blank for all of them."""
    for document in documents:
        if resource and _resource(document) != resource:
            continue
        jobs = dict(document.pairs.items())
        bases = _bases(document, text)
        if bases:
            top = _variables(document)
            for name in jobs:
                chain = [*_extended(name, jobs, bases)]
                if not name.startswith(".") and any(_has_scripts(each) for each in chain):
                    yield from _combined(name, chain, top, (name,), text)
        else:
            sites = () if document.child("metadata") is None else tuple(_of_resource(document))
            values = {**_defaults(document), **given}
            for label, chosen in alternatives(document, given):
                for job in _below(document, "", {**values, **chosen}, (*sites, label), text, 0):
                    yield job._replace(values={**job.values, **chosen})


def _of_resource(document: Node) -> Iterator[str]:
    """The names of a resource that may show its site."""
    for key in ("name", "namespace"):
        yield document.word("metadata", key)


def _defaults(document: Node) -> Values:
    """The values of parameters that a caller may omit."""
    listed = [*document.entries("parameters"), *document.entries("spec", "params")]
    found = {each.word("name"): each.child("default") for each in listed}
    inputs = document.members("on", "workflow_call", "inputs")
    found |= {name: each.child("default") for name, _, each in inputs}
    texts: Values = {}
    for name, each in found.items():
        if each is not None and each.kind == "scalar":
            texts[name] = each.text
        elif each is not None:
            texts.update((f"{name}.{key}", text) for key, text in written_variables([each]))
    return texts


_REFERENCES = (("taskRef", "Task"), ("pipelineRef", "Pipeline"))


def resources_of(text: str) -> Iterator[str]:
    """Yield what a `Job.called` may name of the resources of a file."""
    for document in read_documents(text):
        if document.word("kind") in ("Task", "Pipeline"):
            yield _resource(document)


def _resource(document: Node) -> str:
    return f"{document.word('kind')} {document.word('metadata', 'name')}"


def _called(node: Node) -> tuple[str, Node | None]:
    """What has the jobs that a mapping runs, blank for none, and the parameters that these get."""
    for key, kind in _REFERENCES:
        if node.word(key, "name"):
            return f"{kind} {node.word(key, 'name')}", node.child("params")
    if node.word("template").endswith((".yml", ".yaml")):
        return node.word("template"), node.child("parameters")
    if node.word("uses").startswith("./"):
        return node.word("uses"), node.child("with")
    return "", None


def _bases(document: Node, text: str) -> Mapping[str, Sequence[str]]:
    """The names of what jobs merge (`<<: *base`) and extend, by the name of the job."""
    anchors = {
        anchor[1]: name
        for name, (_, end), node in document.pairs
        for anchor in [_ANCHOR.search(text, end, node.start)]
        if anchor is not None
    }
    found: dict[str, list[str]] = {}
    for name, _, node in document.pairs:
        merged, extended = _texts_of(node.child("<<")), _texts_of(node.child("extends"))
        if merged or extended:
            found[name] = [*(anchors.get(each[1:], "") for each in merged), *reversed(extended)]
    return found


def _texts_of(node: Node | None) -> list[str]:
    """Return the texts of a list, or the only one."""
    return [] if node is None else [item.text for item in node.items] or [node.text]


def _extended(
    name: str, jobs: Mapping[str, Node], bases: Mapping[str, Sequence[str]]
) -> Iterator[Node]:
    """Yield a job and those that it extends, the nearest first."""
    waiting, seen = [name], set[str]()
    while waiting:
        name = waiting.pop(0)
        if name in jobs and name not in seen:
            seen.add(name)
            yield jobs[name]
            waiting += bases.get(name, ())


def _below(
    node: Node, name: str, outer: Values, sites: tuple[str, ...], text: str, depth: int
) -> Iterator[Job]:
    """Yield the jobs in a mapping or list, with the variables of what is around them."""
    asked = [node.word("if"), node.word("condition")]
    asked += [rule.word("if") for rule in node.entries("rules")][:1]
    if any(excludes(condition, outer) for condition in asked):
        return
    if node.kind == "mapping" and _has_scripts(node):
        yield from _combined(name, [node], outer, (*sites, name), text)
        return
    called, parameters = _called(node)
    if called:
        given = _given(parameters) if parameters is not None else {}
        values = {
            key: None if value is None else filled(value, outer) for key, value in given.items()
        }
        yield Job(name, (*sites, *_named(node), name), values, (), called=called)
        return
    variables = _variables(node)
    values = {**outer, **variables} if variables else outer
    own = (*sites, *_named(node))
    for key, inner in node.pairs.items() if depth < _DEEPEST else ():
        if key.startswith("${{") and excludes(key, values):
            continue
        for label, element in elements(key, values):
            yield from _below(inner, name, {**values, **element}, (*own, label), text, depth + 1)
        if not key.startswith("${{ each") and key not in ("variables", "env", "matrix"):
            yield from _below(inner, key, values, (*own, key), text, depth + 1)
    for item in node.items if depth < _DEEPEST else ():
        yield from _below(item, name, values, own, text, depth + 1)


def _has_scripts(node: Node) -> bool:
    return any(node.child(key) is not None for key in _SCRIPTS)


def _named(node: Node) -> Iterator[str]:
    for key in _NAMES:
        child = node.child(key)
        if child is not None:
            yield child.text if child.kind == "scalar" else child.word("name")


def _combined(
    name: str, chain: Sequence[Node], outer: Values, sites: tuple[str, ...], text: str
) -> Iterator[Job]:
    """Yield a job, given with those that it extends, for each combination of its matrix."""
    values = dict(outer)
    for node in reversed(chain):
        values.update(_variables(node))
    for step in chain[0].entries("steps"):
        for key, value in _variables(step).items():
            values[key] = value if values.get(key, value) == value else None
    scripts = [
        next((node.child(key) for node in chain if node.child(key) is not None), None)
        for key in _SCRIPTS
    ]
    spans = tuple(
        scalar.span
        for script in scripts
        if script is not None
        for scalar in _scalars_of(script, values)
    )
    if not spans:
        return
    values.update(_exported(text[start:end] for start, end in spans))
    sites = (*sites, *(named for node in chain for named in _named(node)))
    matrix = next(filter(None, (node.get(*path) for node in chain for path in _MATRICES)), None)
    if matrix is None:
        yield Job(name, sites, values, spans)
    else:
        for number, element in enumerate(islice(_combinations(matrix), MOST)):
            yield Job(f"{name} {number}", sites, {**values, **element}, spans)


def _scalars_of(script: Node, values: Values) -> Iterator[Node]:
    """Yield the scalars of a script without those below a condition that is not true."""
    waiting = [script]
    while waiting:
        node = waiting.pop()
        if node.kind == "scalar":
            yield node
        waiting += reversed(node.items)
        waiting += (
            inner
            for key, inner in reversed([*node.pairs.items()])
            if not (key.startswith("${{") and excludes(key, values))
        )


_MATRICES = (("strategy", "matrix"), ("parallel", "matrix"))


def _combinations(matrix: Node) -> Iterator[Values]:
    """Yield the combinations of a matrix of GitLab or GitHub; none if some are left out."""
    if matrix.child("exclude") is not None:
        return
    for element in matrix.items:
        yield from _product(element)
    if matrix.kind != "mapping":
        return
    found = [*islice(_product(matrix), MOST)]
    axes = {key for values in found for key in values}
    for more in matrix.entries("include"):
        values = _scalars(more)
        same = {key: value for key, value in values.items() if key in axes}
        alike = [each for each in found if axes and same.items() <= each.items()]
        for each in alike:
            each.update(values)
        found += [] if alike else [values]
    yield from found


def _product(element: Node) -> Iterator[Values]:
    axes = [
        (key, [item.text for item in node.items] or [node.text])
        for key, node in element.pairs.items()
        if key != "include" and node.kind != "mapping"
    ]
    for values in product(*(given for _, given in axes)) if axes else ():
        yield dict(zip((key for key, _ in axes), values, strict=True))


def _variables(node: Node) -> Values:
    """The variables that a mapping has, as a mapping or as a list of names and values."""
    found: Values = {}
    for key in ("variables", "env"):
        child = node.child(key)
        if child is not None:
            found.update(_given(child))
    return found


def _given(node: Node) -> Values:
    found = _scalars(node)
    for item in islice(node.items, _MOST_VARIABLES):
        name, value = item.word("name"), item.child("value")
        if name:
            found[name] = value.text if value is not None else None
    return found


def _scalars(node: Node) -> Values:
    """The texts of a mapping; a variable of GitLab may have its text below `value`."""
    found: Values = {}
    for key, _, value in islice(node.pairs, _MOST_VARIABLES):
        inner = value.child("value") or value
        is_plain = inner.kind == "scalar" and not inner.maybe
        found[key] = inner.text if is_plain and inner.end - inner.start <= LONGEST else None
    return found


def _exported(scripts: Iterable[str]) -> Values:
    """The variables that scripts export once."""
    found: Values = {}
    for script in scripts:
        for export in _EXPORT.finditer(script):
            for name, value in _SET.findall(export[1]):
                found[name] = None if name in found else value
    return found
