"""Jobs of pipelines with the variables that their scripts get.

Source: "CI/CD YAML syntax reference" (`variables`, `extends`, `parallel:matrix`) of GitLab,
"Workflow syntax for GitHub Actions" (`env`, `strategy.matrix`), "Define variables" of Azure
Pipelines, "Pipeline Syntax" (`environment`, `withEnv`) of Jenkins. Jobs in another file get values
as parameters: "Template usage reference" of Azure Pipelines, "Reuse workflows" of GitHub,
"TaskRuns" and "PipelineRuns" of Tekton. A variable that the settings of a server or a secret give
is not followed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, product

from mqlint.config.estate.roles import tell_both_sites
from mqlint.dataclass import NamedTuple, mutable
from mqlint.grouping import grouped
from mqlint.language.client.signs import is_jenkinsfile, is_shell
from mqlint.language.script.lookups.branches import SET_FOR_TARGET
from mqlint.language.script.lookups.lookups import lookups_in
from mqlint.language.script.posix.sites import branches_of_sites
from mqlint.language.script.posix.tables import Row, rows_of
from mqlint.language.variables.ansible_hosts import written_variables
from mqlint.language.variables.choices import (
    MOST_LABELS,
    alternatives,
    chosen_in,
    elements,
    excludes,
)
from mqlint.language.variables.signs import is_makefile
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.source.lines import Span

_NAMES_SITE = later(
    r"(?i)(?:.*_)?(?:site|env|environment|stage|target|tier|dc|data_?cent(?:er|re)|region|role)"
)
"""A variable whose value may be a site."""
_EXPRESSION = later(
    r"\$\{\{ *(?:(?:matrix|env|variables|parameters|inputs)\.)?([\w.-]{1,100}) *\}\}"
    r"|\$\((?:params\.)?([\w-]{1,100})\)"
    r"|\$\{(?:params\.|env\.)?(\w{1,100})\}|\$(\w{1,100})"
)
_WHEN = later(r"\bwhen[ \t]*\{([^{}]{0,200}(?:\{[^{}]{0,400}\})?)")
_EXPORT = later(r"(?m)\bexport[ \t]++((?:\w{1,100}=[^\s;&|]{0,200}[ \t]*)++)")
_SET = later(r"(\w{1,100})=[\"']?([^\s\"';&|]{0,200})")
_SET_IN_MAKE = later(
    r"(?m)^(?:export[ \t]+)?(?P<name>[A-Za-z_]\w{0,80})[ \t]*:{0,3}\??=[ \t]*"
    r"(?P<value>[^\n#]{0,200})"
)
"""A variable of a Makefile."""
_REPLACED = later(
    r"\bs(?P<sign>[/|#,;!])(?:@@?|__|%%?|\{\{? ?)(?P<token>[A-Za-z]\w{0,62}?)(?:@@?|__|%%?| ?\}\}?)"
    r"(?P=sign)(?:\$[({]?|\$\{\{ *(?:\w{1,20}\.)?)(?P<variable>[\w.-]{1,80}) *[)}]{0,2}(?P=sign)"
)
_SCRIPTS = ("script", "before_script", "after_script", "steps", "run", "bash")
_NAMES = ("environment", "stage", "deployment", "job")
_ANCHOR = later(r"&([^\s,\[\]{}]{1,100})")
_LONGEST = 400
_DEEPEST = 8
_MOST = 100
"""Limit of the combinations of a matrix, and of the jobs of a file."""
_MOST_VARIABLES = 200
"""Limit of the variables at one place."""
Values = dict[str, str | None]


class Job(NamedTuple):
    """A job: its name, texts that may name its site, its variables, and the places of its scripts.

    A variable is None if its value is not known. `named_sites` are values of variables that may
    name the site, if the other texts do not. `called` is the file, or the kind and name of the
    resource, that has the job itself and gets the variables. `is_round`: it is one of a loop.
    """

    name: str
    sites: tuple[str, ...]
    values: Mapping[str, str | None]
    spans: tuple[Span, ...]
    named_sites: tuple[str, ...] = ()
    called: str = ""
    is_round: bool = False


def jobs_of(
    path: str,
    text: str,
    given: Mapping[str, str | None] = {},
    resource: str = "",
    tables: Mapping[str, str] = {},
) -> Iterator[Job]:
    """Yield the jobs of a file, those of a matrix once for each combination.

    `given` are the parameters that another file gives to it, or to the one `resource` in it, and
    `tables` the files of rows that its loops may read, by name.
    """
    lookups = lookups_in(text)
    found = _of_tables(lookups.rows(tables)) if lookups is not None else iter(())
    if is_shell(path):
        found = chain(found, _of_shell(text, tables))
    elif is_makefile(path):
        found = chain(found, _of_make(text))
    elif is_jenkinsfile(path):
        found = chain(found, _of_jenkins(text))
    elif lookups is None or path.endswith((".yml", ".yaml")):
        found = chain(found, _of_yaml(read_documents(text), text, dict(given), resource))
    yield from _settled(found)


def jobs_of_pipeline(documents: Iterable[Node], text: str) -> Iterator[Job]:
    """Yield the jobs of a file of a pipeline, of which the trees are `documents`."""
    return _settled(_of_yaml(documents, text, {}, ""))


def jobs_of_jenkinsfile(text: str) -> Iterator[Job]:
    """Yield the stages of a Jenkinsfile, and its blocks `withEnv`."""
    return _settled(_of_jenkins(text))


def _settled(jobs: Iterable[Job]) -> Iterator[Job]:
    """Yield jobs, up to the limit, with the variables in their values replaced."""
    for job in islice(jobs, _MOST):
        values = {name: _resolved(name, job.values) for name in job.values}
        sites = tuple(filled(site, values) or "" for site in job.sites)
        named = (value or "" for name, value in values.items() if _NAMES_SITE.fullmatch(name))
        yield job._replace(values=values, sites=sites, named_sites=tuple(named))


def _of_shell(text: str, tables: Mapping[str, str]) -> Iterator[Job]:
    for label, values in branches_of_sites(text):
        yield Job(label, (label,), values, ((0, len(text)),))
    yield from _of_tables(rows_of(text, tables))


def _of_tables(rows: Iterable[Row]) -> Iterator[Job]:
    for row in rows:
        yield Job(row.label, (row.label,), row.values, (row.body,), is_round=row.is_round)


def _of_make(text: str) -> Iterator[Job]:
    """The targets of a Makefile with variables of their own, which what they depend on gets too."""
    general = {found["name"]: found["value"].strip() for found in _SET_IN_MAKE.finditer(text)}
    for target, own in grouped(
        (each["target"], each) for each in SET_FOR_TARGET.finditer(text)
    ).items():
        values = {each["name"]: each["value"].strip() for each in own}
        yield Job(target, (target,), {**general, **values}, ((0, len(text)),))


def tokens_in(scripts: str) -> Iterator[tuple[str, str]]:
    """Yield the words that sed replaces by variables, each with its variable: `s/@QM@/$qm/`."""
    return ((found["token"], found["variable"]) for found in _REPLACED.finditer(scripts))


def reached(
    names: Iterable[str], paths: Mapping[str, Sequence[str]], mentions: Mapping[str, Sequence[str]]
) -> dict[str, None]:
    """Return the paths of the files with some names, and of those that scripts among them name.

    `paths` are all of the project, by the last part of their names, and `mentions` the names of
    files in its scripts. A name that several files may have is none of them.
    """
    found: dict[str, None] = {}
    waiting = [*names]
    while waiting and len(found) < _MOST:
        name = waiting.pop()
        folder, _, last = name.rpartition("/")
        listed = paths.get(last, ()) if "*" not in last else paths.get(f"{folder}/*", ())
        fitting = [path for path in listed if "*" in last or f"/{path}".endswith(f"/{name}")]
        for path in fitting if "*" in last or len(fitting) == 1 else ():
            if path not in found:
                found[path] = None
                waiting += mentions.get(path, ())
    return found


# -- YAML ------------------------------------------------------------------------------------------


def _of_yaml(documents: Iterable[Node], text: str, given: Values, resource: str) -> Iterator[Job]:
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
        for number, element in enumerate(islice(_combinations(matrix), _MOST)):
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
    found = [*islice(_product(matrix), _MOST)]
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
        found[key] = inner.text if is_plain and inner.end - inner.start <= _LONGEST else None
    return found


def _exported(scripts: Iterable[str]) -> Values:
    """The variables that scripts export once."""
    found: Values = {}
    for script in scripts:
        for export in _EXPORT.finditer(script):
            for name, value in _SET.findall(export[1]):
                found[name] = None if name in found else value
    return found


# -- Jenkins ---------------------------------------------------------------------------------------


_PIECE = later(
    r"//[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)|'''(?:[^']|'(?!''))*+(?:'''|\Z)"
    r"|\"\"\"(?:[^\"]|\"(?!\"\"))*+(?:\"\"\"|\Z)"
    r"|(?P<block>\bstage[ \t]*\([ \t]*['\"](?P<stage>[^'\"\n]{1,100})['\"][ \t]*\)"
    r"|\bwithEnv[ \t]*\([ \t]*\[(?P<given>[^\]]{0,2000}+)\][ \t]*\)"
    r"|\benvironment(?=[ \t]*\{))[ \t]*"
    r"|'[^'\n]*+'|\"[^\"\n]*+\"|[{}]"
)
_ASSIGNED = later(
    r"(?<![\w.])(\w{1,100}+)[ \t]*+=(?!=)[ \t]*+(?:'([^'\n]*)'|\"([^\"\n]*)\"|[^\n]*)"
)
_GIVEN = later(r"['\"](\w{1,100})=([^'\"\n]{0,400})['\"]")


_CHOICE = later(r"\bchoice[ \t]*+\(([^()]{0,600}+)\)")
_NAMED = later(r"\bname[ \t]*+:[ \t]*+['\"](\w{1,100})['\"]")
_LIST_OF = later(r"\A[^\[]*+\[|\][^\]]*+\Z")
"""What is around a list."""
_TEXT = later(r"['\"]([^'\"\n]{1,100})['\"]")
_DEEPEST_BLOCK = 50


@mutable
class _Block:
    """A block in braces; `is_job` is true for a stage and for `withEnv`."""

    start: int
    is_job: bool
    name: str
    values: Values
    holds: bool = False


def _of_jenkins(text: str) -> Iterator[Job]:
    for choice in _CHOICE.finditer(text):
        name, labels = _NAMED.search(choice[1]), _TEXT.findall(_LIST_OF.sub("", choice[1]))
        if name is not None and tell_both_sites(labels):
            for label in labels[:MOST_LABELS]:
                for job in _in_blocks(text, {name[1]: label}):
                    when = _WHEN.search(text, *job.spans[0])
                    if when is None or not excludes(when[1], job.values):
                        yield job._replace(sites=(*job.sites, label))
            return
    yield from _in_blocks(text, {})


def _in_blocks(text: str, chosen: Values) -> Iterator[Job]:
    blocks = [_Block(0, False, "", {**chosen})]
    begun: re.Match[str] | None = None
    for piece in _PIECE.finditer(text):
        if piece["block"] is not None:
            begun = piece
        elif piece[0] == "{":
            outer = blocks[-1]
            is_job = begun is not None and (begun["stage"] or begun["given"]) is not None
            stage = (begun["stage"] if begun is not None else None) or outer.name
            given = _GIVEN.findall((begun["given"] or "") if begun is not None else "")
            is_variables = begun is not None and not is_job
            values = {**outer.values, **dict(given)} if len(blocks) < _DEEPEST_BLOCK else {}
            inner = _Block(piece.end(), is_job, stage, values)
            inner.values = outer.values if is_variables else inner.values
            blocks.append(inner)
            outer.holds |= is_job
            begun = None
        elif piece[0] == "}" and len(blocks) > 1:
            block = blocks.pop()
            if block.values is blocks[-1].values:
                for found in _ASSIGNED.finditer(text, block.start, piece.start()):
                    value = found[2] if found[2] is not None else found[3]
                    block.values[found[1]] = value
            elif block.is_job and not block.holds:
                yield Job(block.name, (block.name,), block.values, ((block.start, piece.start()),))
            blocks[-1].holds |= block.holds
        elif begun is not None:
            begun = None


def _resolved(name: str, values: Mapping[str, str | None]) -> str | None:
    value = values[name]
    for _ in range(4):
        value = filled(value, values) if value is not None else None
    return None if value is None or "$" in value else value


def filled(text: str, values: Mapping[str, str | None]) -> str | None:
    """A text with the variables in it replaced, None if one is not known."""
    text = chosen_in(text, values) or text
    names = [next(filter(None, found.groups()), "") for found in _EXPRESSION.finditer(text)]
    if any(values.get(name) is None for name in names) or len(text) > _LONGEST:
        return None
    return _EXPRESSION.sub(lambda found: values[next(filter(None, found.groups()), "")] or "", text)
