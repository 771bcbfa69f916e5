"""Charts of Helm: their releases, and the templates that the values of these render.

Source: "Values Files" and "Library Charts" of Helm. What an action makes of values is in
`mqlint.language.kubernetes.helm.pipelines`; named templates may be those of another chart. What
tools say of releases is in `mqlint.language.kubernetes.helm.releases`.

Names of files count for sites of which no tool says anything. A key has the value of `values.yaml`,
unless the one other file of values sets it. Of several such, none decides, but those of different
sites are one release each. Defaults alone count only if the chart has the queue manager too: what
installs it may be elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain
from posixpath import basename, dirname

from mqlint.dataclass import NamedTuple
from mqlint.grouping import grouped
from mqlint.language.kubernetes import has_values, is_of_chart
from mqlint.language.kubernetes.helm.pipelines import Key, KnownValues
from mqlint.language.kubernetes.helm.releases import (
    ELSEWHERE,
    Applied,
    Release,
    ReleaseReader,
    defaults_in,
)
from mqlint.language.kubernetes.helm.rendering import Renderer
from mqlint.language.kubernetes.helm.values import Values, agreed, values_of, written
from mqlint.language.text.mapped import MappedText, MappedTextBuilder
from mqlint.patterns import later
from mqlint.source.budget import Budget

_REFERENCE = later(r"\.Values\.(\w+(?:\.\w+)*)")
_BETWEEN = "\n---\n"
_MOST = 20
"""Limit of the files of values that are of no chart: with more, it is not known which count."""


def chart_folders(paths: Iterable[str]) -> dict[str, set[str]]:
    """Return the templates of each chart by its folder."""
    templates: dict[str, set[str]] = {}
    for path in paths:
        folder, is_inside, _ = f"/{path}".rpartition("/templates/")
        if is_inside:
            templates.setdefault(folder.removeprefix("/"), set()).add(path)
    return templates


def releases_of(
    templates: Mapping[str, Set[str]],
    texts: Mapping[str, str],
    reader: ReleaseReader,
    applied: Iterable[Applied],
) -> Iterator[tuple[Release, set[str]]]:
    """Yield the releases of each chart with the paths of their files; `templates` are by chart."""
    declared = grouped((each.chart, each) for each in reader.releases(applied))
    others = {path for path in texts if has_values(path) and dirname(path) not in templates}
    others = others if len(others) <= _MOST else set()
    of_charts = grouped((dirname(path), path) for path in texts if is_of_chart(path))
    named = {path for found in templates.values() for path in found if _is_named(path)}
    for folder, own in sorted(templates.items()):
        inside = {*own, *named}
        root = defaults_in(folder, of_charts.get(folder, ()))
        above = of_charts.get(dirname(dirname(folder)), ())
        parent = {path for path in above if _is_parent(path, folder)}
        given = {*of_charts.get(folder, ()), *others, *parent} - {root}
        asked = _asked(texts[path] for path in inside)
        found = [*declared.get(folder, ())]
        given = {*filter(is_of_chart, given)} if found else given
        found += _of_names(root, folder, given, asked, reader, found)
        yield from ((each, {*inside, *each.files, *({root} & texts.keys())}) for each in found)
    elsewhere = [*declared.get(ELSEWHERE, ())]
    for folder, beside in sorted(of_charts.items() if not elsewhere else ()):
        root = defaults_in(folder, beside)
        if folder not in templates and root in beside and len(beside) <= _MOST:
            has_manager = any("queueManager" in key[:2] for key in reader.values(root))
            given = {*beside} - {root} if has_manager else set()
            named_so = _of_names(root, folder, given, set(), reader, ()) if given else ()
            elsewhere += (each._replace(chart=ELSEWHERE) for each in named_so)
    # What one file says of a release is read with that file.
    yield from ((each, {*each.files}) for each in elsewhere if len(each.files) > 1)


def _of_names(
    root: str,
    folder: str,
    given: Set[str],
    asked: Set[Key],
    reader: ReleaseReader,
    declared: Sequence[Release],
) -> Iterator[Release]:
    """Yield the releases of a chart that names of files tell, besides those that are declared."""
    used = {path for each in declared for path in each.files}
    of_paths = {
        path: [*_environments(root, path, reader, asked)] for path in sorted({*given} - used)
    }
    of_paths = {path: found for path, found in of_paths.items() if found}
    defaults, site_of = reader.defaults(folder), reader.site_of
    by_site = grouped((site_of(path), path) for path in of_paths)
    if defaults and root not in used and site_of(root):
        by_site.setdefault(site_of(root), [root])
    done = {site_of(each.place) for each in declared}
    if len(by_site.keys() | done) > 1 and "" not in by_site:
        for paths in by_site.values():
            layers = [*chain.from_iterable(of_paths.get(path, ()) for path in paths)]
            values = tuple(agreed(defaults, layers).items())
            if site_of(paths[0]) not in done:
                yield Release(paths[0], paths[0], folder, values, bool(layers))
    elif not declared and (defaults or len(of_paths) == 1):
        layers = [*chain.from_iterable(of_paths.values())]
        place = root if defaults else next(iter(of_paths))
        values = tuple(agreed(defaults, layers).items())
        yield Release(place, place, folder, values, bool(layers))


def _is_parent(path: str, folder: str) -> bool:
    """Whether a file has the values of a chart that has the one in a folder as a dependency."""
    charts, above = dirname(folder), dirname(dirname(folder))
    return basename(charts) == "charts" and dirname(path) == above and is_of_chart(path)


class Rendered(NamedTuple):
    """The text of a chart with its values in it; `used` are its files.

    `is_changed`: a value is replaced.
    """

    text: MappedText
    used: frozenset[str]
    is_changed: bool


def rendered(
    release: Release, text: str, files: Iterable[tuple[str, int, int]], budget: Budget
) -> Rendered:
    """Return the values and the templates of a chart; files are (path, start, end) in `text`."""
    places = {path: (start, end) for path, start, end in files}
    known = {
        key: None if value is None else (value[0], places[value[1]][0] + value[2])
        for key, value in release.values
    }
    if release.chart == ELSEWHERE:
        is_own = any(key[0] == "queueManager" for key in known)  # not of a chart that has it
        return Rendered(written(known, text), frozenset(places if is_own else ()), is_changed=True)
    root = defaults_in(release.chart, places)
    inside = f"{release.chart}/templates/".removeprefix("/")
    own = {
        path: places[path]
        for path in places
        if path == root or path.startswith(inside) or _is_named(path)
    }
    renderer = Renderer(
        text, KnownValues(known, text), [own[path] for path in own if path != root], budget
    )
    builder, end = MappedTextBuilder(), 0
    for path, (start, end) in own.items():
        if path == root:
            builder.add(text[start:end], start)
        elif not _is_named(path):
            renderer.render((start, end), builder)
        builder.add(_BETWEEN, end)
    used = {path for path in own if not _is_named(path) or own[path] in renderer.included}
    return Rendered(builder.finish(end), frozenset(used), renderer.is_changed)


def _is_named(path: str) -> bool:
    """Whether a file has only named templates."""
    return "/templates/" in f"/{path}" and basename(path).startswith("_")


def _asked(texts: Iterable[str]) -> Set[Key]:
    """The keys that templates refer to."""
    found = chain.from_iterable(map(_REFERENCE.findall, texts))
    return {tuple(path.split(".")) for path in found}


def _environments(root: str, path: str, reader: ReleaseReader, asked: Set[Key]) -> Iterator[Values]:
    """The values that a file gives to a chart.

    A file of another folder counts if it has a key of the defaults or, without defaults, one that
    templates have `asked` for.
    """
    folder = dirname(root)
    if _is_parent(path, folder):
        below = (node.child(basename(folder)) for node in reader.documents(path))
        yield values_of(filter(None, below), lambda offset: (path, offset))
        return
    found, keys = reader.values(path), reader.values(root).keys() or asked
    if dirname(path) == folder or any(
        key[:at] in keys for key in found for at in range(1, len(key) + 1)
    ):
        yield found
