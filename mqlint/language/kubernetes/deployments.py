"""Folders and scripts that are applied at several sites, so that they are read once for each.

Source: "jobs.<job_id>.strategy.matrix" in the documentation of GitHub Actions, "parallel:matrix" in
that of GitLab; for Argo CD see `mqlint.language.kubernetes.applications`. An Application, or an
element of a generator or of a matrix, is of the site of its file, or of the one site that its
destination or its values name. What a chart, Kustomize or a plug-in gets is not followed here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from functools import lru_cache
from itertools import accumulate
from posixpath import basename, dirname

from mqlint.dataclass import NamedTuple
from mqlint.grouping import grouped
from mqlint.language.client.signs import is_jenkinsfile
from mqlint.language.kubernetes import KUSTOMIZATIONS
from mqlint.language.kubernetes.applications import Application, Paths, applications_of, root_of
from mqlint.language.script.hosts.pipeline import MATRIX
from mqlint.language.variables.jenkins_jobs import CHOICES
from mqlint.language.yaml.reader import read_documents
from mqlint.patterns import later
from mqlint.source.budget import DEEPEST

_KIND = later(r"(?m)^kind:[ \t]*[\"']?Application(?:Set)?\b")
_WORDS = later(r"[A-Za-z0-9]{1,60}")
_CHANGES = (
    *(("helm",), ("kustomize",), ("plugin",)),
    *(("directory", "include"), ("directory", "exclude"), ("directory", "jsonnet")),
)
"""What may change the files of a source, or leave some out."""
_PICKS = later(r"[=!]=|\bcase[ \t]|\bif[ \t]+(?:\[|test\b)|\bif:[^\n]{0,200}\bmatrix\.")
"""A condition, which may leave out an element of a matrix."""
_MOST = 50
"""Limit of the words of a choice or a matrix."""
_READ = 64
"""Files whose documents are kept: several ApplicationSets may read the same ones."""
_LEAVES_OUT = later(r"\b(?:when|if|switch)\b[ \t]*[({]")
"""A condition in a Jenkinsfile."""


class Deployed(NamedTuple):
    """For each site to which a folder or a script is applied a path of that site.

    `is_deep`: with the folders in it.
    """

    roots: tuple[str, ...]
    is_deep: bool


def deployed_of(texts: Mapping[str, str], site_of: Callable[[str], str]) -> dict[str, Deployed]:
    """Return the folders and scripts that are applied at several sites, by their paths.

    `texts` are manifests and scripts, by path.
    """
    paths = Paths(texts)
    read = lru_cache(_READ)(lambda path: read_documents(texts[path]))
    found = [
        source
        for path, text in texts.items()
        if _KIND.search(text) is not None
        for document in read_documents(text)
        for application in applications_of(path, document, paths, read, site_of)
        for source in _sources(application)
    ]
    own = _folders_named({written for written, _, _ in found}, texts)
    built = {dirname(path) for path in texts if basename(path) in KUSTOMIZATIONS}
    applied = grouped(
        (own[written][0], (is_deep, root))
        for written, is_deep, root in sorted(found)
        if len(own.get(written, ())) == 1
    )
    deployed: dict[str, Deployed] = {}
    for folder, sources in applied.items():
        sites = {site_of(root): root for _, root in sources}
        if len(sites) > 1:
            is_whole = folder in built or all(is_deep for is_deep, _ in sources)
            deployed[folder] = Deployed(tuple(sorted(sites.values())), is_whole)
    for path, text in texts.items():
        if not site_of(path) and _PICKS.search(text) is None:
            find = _roots_of_choices if is_jenkinsfile(path) else _roots_of_jobs
            sites = {site_of(root): root for root in find(text, site_of)}
            if len(sites) > 1:
                deployed[path] = Deployed(tuple(sorted(sites.values())), is_deep=False)
    return deployed


def _folders_named(names: Set[str], paths: Iterable[str]) -> dict[str, list[str]]:
    """Return the folders of paths that have a name, or end with it, by the name."""
    depths = sorted({name.count("/") + 1 for name in names if name.count("/") < DEEPEST})
    split = (dirname(path).split("/") for path in paths)
    folders = {above for words in split for above in accumulate(words, "{}/{}".format)}
    parts = [(folder, folder.split("/")) for folder in folders] if names else ()
    ends = (
        ("/".join(words[-depth:]), folder)
        for folder, words in parts
        for depth in depths
        if depth <= len(words)
    )
    return grouped((end, folder) for end, folder in ends if end in names)


def _roots_of_choices(text: str, site_of: Callable[[str], str]) -> Iterable[str]:
    """Paths of the sites that the user of a job of Jenkins may choose, or that an axis has."""
    if _LEAVES_OUT.search(text) is not None:
        return
    for found in CHOICES.finditer(text):
        words = _WORDS.findall((found["choices"] or found["values"]).replace("\\n", " "))
        yield from (root for word in words[:_MOST] if (root := root_of([word], site_of)))


def _roots_of_jobs(text: str, site_of: Callable[[str], str]) -> Iterable[str]:
    """Paths of the sites for which each job with commands of MQ runs; none if jobs differ."""
    found: set[frozenset[str]] = set()
    for document in read_documents(text) if MATRIX.search(text) is not None else ():
        jobs = document.child("jobs") or document
        for job in jobs.pairs.values():
            scalars = (node.text for node in job.walk() if node.kind == "scalar")
            if job.kind != "mapping" or not any("mqsc" in scalar for scalar in scalars):
                continue
            matrix = job.get("strategy", "matrix") or job.get("parallel", "matrix")
            if matrix is not None and matrix.child("exclude") is not None:
                return ()
            elements = [*(matrix.items if matrix is not None else ()), *filter(None, [matrix])]
            words = [
                [value.text for value in values.items if value.kind == "scalar"]
                for element in elements
                for values in element.pairs.values()
            ]
            roots = (
                [root for word in given[:_MOST] if (root := root_of([word], site_of))]
                for given in words
            )
            found.add(max(map(frozenset, roots), key=len, default=frozenset()))
    return found.pop() if len(found) == 1 else ()


def _sources(found: Application) -> Iterator[tuple[str, bool, str]]:
    """Yield each folder, whether with those in it, and a path of the site where it is applied."""
    for source, folder in found.folders() if found.place else ():
        if not any(source.get(*path) is not None for path in _CHANGES):
            yield folder, source.word("directory", "recurse") == "true", found.place
