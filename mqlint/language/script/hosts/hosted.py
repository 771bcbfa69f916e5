"""Files that hold scripts: units, Dockerfiles, Jenkinsfiles, Makefiles, Terraform, CI, Ansible.

Each stretch of shell in them is read as a script of its own, with its characters at their places in
the file. Text that a tool inserts before the script runs (`{{ }}`, `%i`) is covered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from mqlint.language.base import Context, Parsed
from mqlint.language.client.signs import names_connection
from mqlint.language.script.hosts.chef import Recipe
from mqlint.language.script.hosts.expect import ExpectScript
from mqlint.language.script.hosts.host import Block, Host, read_blocks
from mqlint.language.script.hosts.image import Dockerfile
from mqlint.language.script.hosts.jenkins import Jenkinsfile
from mqlint.language.script.hosts.makefile import Makefile
from mqlint.language.script.hosts.pipeline import Pipeline
from mqlint.language.script.hosts.terraform import Terraform
from mqlint.language.script.hosts.unit import Job, Task, Unit
from mqlint.language.script.step import ShellScript
from mqlint.language.script.unread.unfollowed import acting, unread_runs
from mqlint.source.budget import Budget
from mqlint.source.lines import Span
from mqlint.vocabulary.control import ControlSpec

_HOSTS: Mapping[str, type[Host]] = {
    "systemd": Unit,
    "upstart": Job,
    "docker": Dockerfile,
    "jenkins": Jenkinsfile,
    "makefile": Makefile,
    "terraform": Terraform,
    "pipeline": Pipeline,
    "expect": ExpectScript,
    "task": Task,
    "chef": Recipe,
}
"""The languages of this package, except `crontab` and `mounts`."""
_OF_CONTAINERS = ("docker", "terraform")
"""Those with variables of containers, of which one replaces the other."""


def scripts_of(
    text: str, language: str, commands: Mapping[str, ControlSpec], budget: Budget
) -> ShellScript:
    """Read the scripts in a file, and no other documents in it."""
    host = _HOSTS[language](text, budget)
    return read_blocks(host.blocks(), commands, budget, shares_files=host.shares_files)


def read(text: str, context: Context) -> Parsed:
    host = _HOSTS[context.language](text, context.budget)
    commands = context.vocabulary.control
    read: list[Span] = []
    blocks = _noted(host.blocks(), read)
    script = read_blocks(blocks, commands, host.budget, shares_files=host.shares_files)
    documents = [*host.embedded()]
    read += ((document.host(0), document.end) for document in (*script.embedded, *documents))
    script = replace(
        script,
        unfollowed=(
            *script.unfollowed,
            *host.unseen(),
            *unread_runs(text, read, acting(commands)),
        ),
        embedded=(*script.embedded, *documents),
        secrets=(*script.secrets, *host.secrets()),
        declared=(*script.declared, *host.declared()),
    )
    fed, files = tuple(host.fed()), tuple(host.files())
    joins = context.language in _OF_CONTAINERS and names_connection(text)
    return Parsed(script=script, fed=fed, files=files, diagnostics=[*host.faults()], joins=joins)


def _noted(blocks: Iterable[Block], places: list[Span]) -> Iterator[Block]:
    """Yield blocks, and note the place of each."""
    for block in blocks:
        places.append((block.source.host(0), block.source.end))
        yield block
