"""The variables of jobs of pipelines, for their own files and for those that they reach."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from posixpath import basename, dirname, normpath

from mqlint.grouping import grouped, single
from mqlint.language.variables.arguments import Arguments
from mqlint.language.variables.inventory import Inventory
from mqlint.language.variables.job import MOST, Job
from mqlint.language.variables.jobs import jobs_of
from mqlint.language.variables.signs import RESOURCE, has_jobs, names_in
from mqlint.language.variables.sources import ANY, PLAIN
from mqlint.language.variables.yaml_jobs import resources_of
from mqlint.patterns import later

_SITE_WORD = later(r"[A-Za-z0-9]{1,60}")
_DEEPEST = 4
_MOST_CALLS = 1_000
"""Limit of the templates of jobs that are read with the parameters of a caller."""
_REPLACED = later(
    r"\bs(?P<sign>[/|#,;!])(?:@@?|__|%%?|\{\{? ?)(?P<token>[A-Za-z]\w{0,62}?)(?:@@?|__|%%?| ?\}\}?)"
    r"(?P=sign)(?:\$[({]?|\$\{\{ *(?:\w{1,20}\.)?)(?P<variable>[\w.-]{1,80}) *[)}]{0,2}(?P=sign)"
)
"""A word that sed replaces by a variable: `s/@QM@/$qm/`."""


def of_jobs(
    texts: Mapping[str, str],
    site_of: Callable[[str], str],
    naming: Mapping[str, Sequence[str]],
    mentions: Mapping[str, Sequence[str]],
    arguments: Arguments,
) -> Iterator[tuple[str, Inventory]]:
    """Yield the variables of each job, for its own file and for each that it reaches."""
    callers = [path for path, text in texts.items() if has_jobs(path, text)]
    if not callers:
        return
    paths = grouped(
        (key, path) for path in mentions for key in (basename(path), f"{dirname(path)}/*")
    )
    called = _Called(texts, paths)
    found = {caller: [*called.jobs(caller)] for caller in callers}
    inner = {path for caller, jobs in found.items() for path, _ in jobs if path != caller}
    for caller, jobs in found.items():
        of_caller = site_of(caller)
        for number, (path, job) in enumerate(jobs):
            if path == caller and (of_caller or caller in inner):
                continue  # the path has the site, or what calls the file has the values
            text = texts[path]
            scripts = "\n".join(text[start:end] for start, end in job.spans)
            reach = reached(names_in(scripts), paths, mentions)
            names = {name for file in (path, *reach) for name in naming.get(file, ())}
            given = {f"${name}": value for name, value in job.values.items()}
            given |= arguments.given_in(scripts, job.values)
            given |= {
                f"${found['token']}": job.values[found["variable"]]
                for found in _REPLACED.finditer(scripts)
                if found["variable"] in job.values
            }
            values = {
                name: value
                for name, value in given.items()
                if value is not None and PLAIN.fullmatch(value)
            }
            around = "" if of_caller else f"{path}/"
            sites = {site_of(root): root for root in _roots(around, job.sites)}
            if not any(sites):
                sites = {site_of(root): root for root in _roots(around, job.named_sites)}
            shown = [(site, root) for site, root in sites.items() if site]
            by_path = of_caller, f"{caller}/{ANY}"
            site, root = shown[0] if len(shown) == 1 else by_path if not shown else ("", by_path[1])
            root = f"{dirname(root)}/{ANY}{number}"
            name = f"{job.name} ({path} {number})" if path != caller else f"{job.name} ({path})"
            inventory = Inventory.of(root, "", site, name, values, values, names, job.spans)
            yield path, inventory._replace(is_round=job.is_round)
            elsewhere = inventory._replace(spans=())
            yield from ((other, elsewhere) for other in reach if other != path)


class _Called:
    """Finds the jobs in other files that those of a file run with parameters of their own."""

    def __init__(self, texts: Mapping[str, str], paths: Mapping[str, Sequence[str]]) -> None:
        self._texts = texts
        self._paths = paths
        self._resources = grouped(
            (name, path)
            for path, text in texts.items()
            if RESOURCE.search(text) is not None
            for name in resources_of(text)
        )
        self._rest = _MOST_CALLS
        self._named = single((basename(path), text) for path, text in texts.items())

    def jobs(self, path: str) -> Iterator[tuple[str, Job]]:
        """Yield the jobs that a file runs, each with the path of the file that has it."""
        for job in jobs_of(path, self._texts[path], tables=self._named):
            yield from self._inner(path, job, 0)

    def _inner(self, path: str, job: Job, depth: int) -> Iterator[tuple[str, Job]]:
        if not job.called:
            yield path, job
            return
        self._rest -= 1
        target = self._target(path, job.called)
        if not target or depth >= _DEEPEST or self._rest < 0:
            return
        resource = job.called if job.called in self._resources else ""
        for inner in jobs_of(target, self._texts[target], job.values, resource):
            inner = inner._replace(
                sites=(*job.sites, *inner.sites),
                named_sites=(*job.named_sites, *inner.named_sites),
                values={**job.values, **inner.values},
            )
            yield from self._inner(target, inner, depth + 1)

    def _target(self, path: str, called: str) -> str:
        """The path of the one file that has a name, or the resource with it; blank for none."""
        near = normpath(f"{dirname(path)}/{called}").lstrip("/")
        listed = self._paths.get(basename(called), ())
        name = called.removeprefix("./").lstrip("/")
        named = [each for each in listed if f"/{each}".endswith(f"/{name}")]
        found = self._resources.get(called) or ([near] if near in listed else named)
        return found[0] if len(found) == 1 and found[0] in self._texts else ""


def _roots(around: str, names: Iterable[str]) -> Iterator[str]:
    """Paths of the sites that names, or words in them, may show."""
    for name in names:
        for word in (name, *_SITE_WORD.findall(name)):
            yield f"{around}{word}/{ANY}"


def reached(
    names: Iterable[str], paths: Mapping[str, Sequence[str]], mentions: Mapping[str, Sequence[str]]
) -> dict[str, None]:
    """Return the paths of the files with some names, and of those that scripts among them name.

    `paths` are all of the project, by the last part of their names, and `mentions` the names of
    files in its scripts. A name that several files may have is none of them.
    """
    found: dict[str, None] = {}
    waiting = [*names]
    while waiting and len(found) < MOST:
        name = waiting.pop()
        folder, _, last = name.rpartition("/")
        listed = paths.get(last, ()) if "*" not in last else paths.get(f"{folder}/*", ())
        fitting = [path for path in listed if "*" in last or f"/{path}".endswith(f"/{name}")]
        for path in fitting if "*" in last or len(fitting) == 1 else ():
            if path not in found:
                found[path] = None
                waiting += mentions.get(path, ())
    return found
