"""Signs of what sets variables: inventories of Ansible, plays, jobs of pipelines."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from posixpath import basename

from mqlint.language.client.signs import is_jenkinsfile, is_shell
from mqlint.patterns import later

_NAME = later(
    r"(?i)(?:hosts?|inventory|inventory[_-]\w{1,40}|\w{1,40}[_-](?:hosts|inventory))"
    r"(?:\.(?:ini|ya?ml|cfg))?|[\w-]{1,60}\.inventory"
)
_FOLDER = later(
    r"(?:^|/)(?:inventories|inventory)/(?:[\w.-]{1,60}/)?[\w-]{1,60}(?:\.(?:ini|ya?ml))?\Z"
)
_BESIDE = later(r"(?:^|/)(?:group_vars|host_vars|vars|defaults|tasks|templates|files)/")
IS_INVENTORY = later(
    r"(?m)^\[[\w.-]{1,80}(?::(?:vars|children))?\][ \t]*(?:[#;][^\n]*)?\r?$"
    r"|^[ \t]*[\"']?hosts[\"']?:[ \t]*(?:\{[^\n]*|#[^\n]*)?\r?$"
)
"""A section of an inventory, or the hosts of a group in YAML."""
PLAY = later(r"(?m)^-[ \t]+(?:[\w.]{1,40}:[^\n]*\n[ \t]+)*?hosts[ \t]*:")
"""The start of a play with hosts."""
LOOPED_INCLUDE = later(
    r"(?m)^[ \t-]*+(?:ansible\.builtin\.)?include_tasks[ \t]*+:[^\n]*+\n"
    r"(?:(?![ \t]++(?:loop|with_items)[ \t]*+:)[ \t]++[^\n]*+\n){0,6}+"
    r"[ \t]++(?:loop|with_items)[ \t]*+:[ \t]*+[\"']?\{\{"
)
"""A file of tasks that runs once for each element of a list."""
SETS_FACTS = later(r"(?m)^[ \t-]{2,80}(?:(?:ansible\.builtin\.)?set_fact|vars|register)[ \t]*:")
"""Tasks that set variables."""
_SETS_VARIABLES = later(
    r"(?<![\w.-])(?:variables|env|matrix|parameters|with|inputs|params)[\"']?[ \t]*:"
    r"|\bwithEnv\b|\benvironment[ \t]*\{"
    r"|\bexport[ \t]+\w+="
)
"""What gives variables to a job, or to one in another file."""
GIVES_NAME = later(r"\.(?:sh|ksh|bash|bat|cmd)[\"']?[ \t]+(?=[\"'\w$])[^\n]{0,200}(?i:qm|mq)")
"""A call of a script with an argument that may be the name of a queue manager."""
_JOB = later(r"(?<![\w.-])(?:script|steps|run|bash|template|uses)[\"']?[ \t]*:")
_RUN = later(r"(?m)^kind:[ \t]*[\"']?(?:Task|Pipeline)Run\b")
"""A run of Tekton."""
RESOURCE = later(r"(?m)^kind:[ \t]*[\"']?(?:Task|Pipeline)\b")
"""What runs of Tekton give parameters to."""
_FILE = later(r"(?:\.{0,2}/)?(?:[\w.-]{1,80}/){0,8}[\w.*-]{1,80}\.[\w*]{1,20}(?![\w/])")
_MOST = 100
"""Limit of the names of files in a text."""


def is_inventory(path: str) -> bool:
    low = path.lower()
    if ("host" not in low and "inventor" not in low) or _BESIDE.search(path) is not None:
        return False
    return _NAME.fullmatch(basename(path)) is not None or _FOLDER.search(path) is not None


def gives_values(text: str) -> bool:
    """Whether a text may give variables or arguments to scripts."""
    return any(each.search(text) is not None for each in (_SETS_VARIABLES, GIVES_NAME))


def has_jobs(path: str, text: str) -> bool:
    """Whether a file has jobs with variables of their own."""
    from mqlint.language.script.lookups.branches import SET_FOR_TARGET  # few files are asked
    from mqlint.language.script.lookups.lookups import lookups_in

    if lookups_in(text) is not None:
        return True
    if is_makefile(path):
        return SET_FOR_TARGET.search(text) is not None
    if is_shell(path):
        # Few files are asked.
        from mqlint.language.script.posix.sites import branches_of_sites
        from mqlint.language.script.posix.tables import set_by_table

        return bool(branches_of_sites(text) or set_by_table(text))
    if not gives_values(text):
        return False
    is_of_yaml = is_pipeline(path) and _JOB.search(text) is not None
    return is_jenkinsfile(path) or is_of_yaml or _RUN.search(text) is not None


def is_makefile(path: str) -> bool:
    name = basename(path).lower()
    return name in ("makefile", "gnumakefile", "bsdmakefile") or name.endswith(".mk")


def is_pipeline(path: str) -> bool:
    name = basename(path).lower()
    is_named = "gitlab-ci" in name or "pipeline" in name or ".github/workflows/" in f"/{path}"
    return is_named and name.endswith((".yml", ".yaml"))


def names_in(text: str) -> Iterable[str]:
    """Return the names in a text that may be those of files, or patterns of them."""
    return islice(
        dict.fromkeys(found[0].removeprefix("./") for found in _FILE.finditer(text)), _MOST
    )
