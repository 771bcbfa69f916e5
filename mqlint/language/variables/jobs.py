"""Jobs of pipelines, and other parts of files that run once for each site, with their variables.

A variable that the settings of a server or a secret give is not followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from mqlint.grouping import grouped
from mqlint.language.client.signs import is_jenkinsfile, is_shell
from mqlint.language.script.lookups.branches import SET_FOR_TARGET
from mqlint.language.script.lookups.lookups import lookups_in
from mqlint.language.script.posix.sites import branches_of_sites
from mqlint.language.script.posix.tables import Row, rows_of
from mqlint.language.variables.jenkins_jobs import jobs_of_jenkins
from mqlint.language.variables.job import Job, settled
from mqlint.language.variables.signs import is_makefile
from mqlint.language.variables.yaml_jobs import jobs_of_documents
from mqlint.language.yaml.reader import read_documents
from mqlint.patterns import later

_SET_IN_MAKE = later(
    r"(?m)^(?:export[ \t]+)?(?P<name>[A-Za-z_]\w{0,80})[ \t]*:{0,3}\??=[ \t]*"
    r"(?P<value>[^\n#]{0,200})"
)
"""A variable of a Makefile."""


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
        found = chain(found, jobs_of_jenkins(text))
    elif lookups is None or path.endswith((".yml", ".yaml")):
        found = chain(found, jobs_of_documents(read_documents(text), text, given, resource))
    yield from settled(found)


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
