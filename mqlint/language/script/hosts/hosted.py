"""Files that hold scripts: units, Dockerfiles, Jenkinsfiles, Makefiles, Terraform, CI, Ansible.

Each stretch of shell in them is read as a script of its own, with its characters at their places in
the file. Text that a tool inserts before the script runs (`{{ }}`, `%i`) is covered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from mqlint.language.base import Context, Parsed
from mqlint.language.execution import Execution
from mqlint.language.script.command import Command
from mqlint.language.script.environment import environment_faults
from mqlint.language.script.expansion import expansion_faults
from mqlint.language.script.hosts import AS_OBJECT, FILE_MODULE, HIDES, MODULE, STARTS
from mqlint.language.script.hosts.block import Block, stretch
from mqlint.language.script.hosts.chef import ignored_by, recipe_blocks
from mqlint.language.script.hosts.ci import pipeline_scripts
from mqlint.language.script.hosts.expect import sent_scripts, sent_secrets
from mqlint.language.script.hosts.image import copied_by, ended_at_once, image_of
from mqlint.language.script.hosts.jenkins import jenkins_scripts
from mqlint.language.script.hosts.makefile import recipe_scripts
from mqlint.language.script.hosts.task import task_scripts
from mqlint.language.script.hosts.terraform import heredoc_scripts, mqsc_in_heredocs
from mqlint.language.script.hosts.unit import unit_faults
from mqlint.language.script.hosts.upstart import job_scripts
from mqlint.language.script.mounts import mount_faults
from mqlint.language.script.reader import batch_commands, parse_embedded_command
from mqlint.language.script.step import Embedded, ShellScript
from mqlint.language.text.mapped import MappedText, MappedTextBuilder
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later
from mqlint.source.budget import Budget
from mqlint.vocabulary.control import ControlSpec

BOOT = "boot"
"""The schedule of the commands of a unit."""
_SCHEDULES = {"systemd": BOOT, "upstart": BOOT, "task": "task"}


def parse_hosted(
    text: str,
    language: str,
    commands: Mapping[str, ControlSpec],
    budget: Budget | None = None,
) -> ShellScript:
    """Read the scripts in a file, whatever its text.

    `language` is the name of one of the languages of this package, except `crontab`.
    """
    budget = budget or Budget(len(text))
    script = scripts_of(text, language, commands, budget)
    documents = _DOCUMENTS[language](text, budget) if language in _DOCUMENTS else ()
    return replace(script, embedded=(*script.embedded, *documents))


def scripts_of(
    text: str, language: str, commands: Mapping[str, ControlSpec], budget: Budget
) -> ShellScript:
    """Read the scripts in a file, and no other documents in it."""
    schedule = _SCHEDULES.get(language)
    blocks = list(_BLOCKS[language](text, budget))
    scripts = [
        parse_embedded_command(
            block.source,
            Execution(block.maybe, schedule=schedule),
            commands,
            budget,
            globs=not block.plain and block.language == "shell",
            scanned=_scanned(block, budget),
            shared=language == "makefile",
        )
        for block in blocks
    ]
    borders = tuple(block.border for block in blocks if block.border >= 0)
    return ShellScript.merged(scripts, borders)


def read(text: str, context: Context) -> Parsed:
    control = context.vocabulary.control
    script = parse_hosted(text, context.language, control, context.budget)
    if context.language == "expect":
        script = replace(script, secrets=(*script.secrets, *sent_secrets(text)))
    if context.language != "docker":
        of_unit = context.language == "systemd"
        of_text = unit_faults(text) if of_unit else environment_faults(text)
        found = [*of_text, *mount_faults(text), *expansion_faults(text)]
        if context.language == "chef":
            found += ignored_by(text)
        if context.language == "pipeline" and "command:" in text:
            from mqlint.language.script.hosts.ansible import command_faults  # few are of Ansible

            found += command_faults(text)
        if context.language == "pipeline" and HIDES.search(text) is not None:
            from mqlint.language.script.hosts.ansible import ignored_failures  # few ignore any

            found += ignored_failures(text, context.budget)
        if context.language == "pipeline" and FILE_MODULE.search(text) is not None:
            from mqlint.language.script.hosts.ansible_files import task_faults  # as above

            found += task_faults(text, context.budget)
        if context.language == "pipeline" and STARTS.search(text) is not None:
            from mqlint.language.script.hosts.ansible import containers  # few start containers

            started, faults = containers(text, context.budget)
            script = replace(script, declared=(*script.declared, *started))
            found += faults
        return Parsed(script=script, diagnostics=found)
    image = image_of(text)
    declared = () if image is None else (image[0],)
    of_image = () if image is None else tuple(image[1])
    script = replace(script, declared=(*script.declared, *declared))
    owners = [found.queue_manager for found in declared if found.queue_manager is not None]
    fed = tuple((file, owner) for owner in owners for file in copied_by(text))
    return Parsed(script=script, fed=fed, diagnostics=[*of_image, *ended_at_once(text)])


def _scanned(block: Block, budget: Budget) -> Iterator[Command] | None:
    """The simple commands of a script of Windows; None for one of a shell."""
    if block.language == "cmd":
        return batch_commands(block.source.text, budget)
    if block.language == "powershell":
        from mqlint.language.script.powershell.scanner import (
            PowershellScanner,  # only for what has some
        )

        return PowershellScanner(block.source.text, budget).scan()
    return None


# -- systemd ---------------------------------------------------------------------------------------

_EXEC = later(r"^[ \t]*Exec(?:Start|StartPre|StartPost|Stop|StopPost|Reload)[ \t]*=", re.M)
_PREFIX = later(r"[ \t]*[-@+!:|]*")
_SPECIFIER = later(r"%[a-zA-Z]")


def _units(text: str) -> Iterator[Block]:
    """The command of each Exec line, continued lines joined by the shell's rules."""
    done = 0
    for match in _EXEC.finditer(text):
        if match.start() < done:
            continue
        prefix = _PREFIX.match(text, match.end())
        start = prefix.end() if prefix is not None else match.end()
        done = _line_end(text, start)
        covered = _SPECIFIER.sub(PLACEHOLDER * 2, text[start:done])
        yield Block(stretch(covered, start), plain=True)


def _line_end(text: str, start: int) -> int:
    """Return the end of the line, with the lines that a backslash joins to it."""
    while True:
        end = text.find("\n", start)
        if end < 0:
            return len(text)
        if not text[start:end].rstrip("\r").endswith("\\"):
            return end
        start = end + 1


# -- Dockerfiles -----------------------------------------------------------------------------------

_RUN = later(r"^[ \t]*(?:RUN|CMD|ENTRYPOINT)[ \t]+(?:--\S{1,200}[ \t]+)*", re.M | re.I)
_HERE = later(r"<<-?[ \t]*[\"']?(\w{1,40})[\"']?[ \t]*\r?\n")
_STRING = later(r"\"((?:[^\"\\\n]++|\\.){0,500}+)\"")
_PLAIN_WORD = later(r"[\w./:=@%+,-]+$")


def _docker(text: str) -> Iterator[Block]:
    """What RUN, CMD and ENTRYPOINT run: as shell, as a list of words, or as a here-document."""
    done = 0
    for match in _RUN.finditer(text):
        start = match.end()
        if start < done:
            continue
        here = _HERE.match(text, start)
        if here is not None:
            close = re.compile(rf"^[ \t]*{here[1]}[ \t]*\r?$", re.M).search(text, here.end())
            done = close.start() if close is not None else len(text)
            yield Block(stretch(text[here.end() : done], here.end()))
            continue
        command = _instruction(text, start)
        done = command.end
        if text.startswith("[", start):
            yield from _words(text, start, done)
        else:
            yield Block(command)


def _instruction(text: str, start: int) -> MappedText:
    """Return an instruction from `start` on, with the lines of remarks inside it left out."""
    builder = MappedTextBuilder()
    end = start
    while end < len(text):
        begin, newline = end, text.find("\n", end)
        end = len(text) if newline < 0 else newline + 1
        line = text[begin:end]
        if begin > start and line.lstrip().startswith("#"):
            continue
        builder.add(line, begin)
        if not line.rstrip().endswith("\\"):
            break
    return builder.finish(end)


def _words(text: str, start: int, end: int) -> Iterator[Block]:
    """The exec form: `["sh", "-c", "script"]`, or a command and its words."""
    found = list(_STRING.finditer(text, start, end))
    plain = [match[1] for match in found]
    if len(found) > 2 and re.search(r"(?:^|/)(?:ba|k)?sh$", plain[0]) and plain[1] == "-c":
        yield Block(stretch(plain[2], found[2].start(1)))
    elif found and all(_PLAIN_WORD.match(word) for word in plain):
        builder = MappedTextBuilder()
        for match in found:
            builder.add(match[1], match.start(1))
            builder.add(" ", match.end(1), 0)
        yield Block(builder.finish(found[-1].end(1)), plain=True)


# -- What each kind of file holds -----------------------------------------------------------------


def _pipeline_documents(text: str, budget: Budget) -> Iterator[Embedded]:
    if "zos_operator" in text or "mqs" in text.lower():
        from mqlint.language.yaml.embedded_mqsc import mqsc_in_text  # few need the YAML reader

        yield from mqsc_in_text(text, budget)
    if AS_OBJECT in text:
        from mqlint.language.text.mapped import whole

        yield Embedded.of("rest", whole(text), None, maybe=False, spelling="yaml")


def _pipeline_blocks(text: str, budget: Budget) -> list[Block]:
    blocks = pipeline_scripts(text)
    if MODULE.search(text) is not None:
        from mqlint.language.script.hosts.ansible import module_scripts  # few of them have modules

        blocks += module_scripts(text, budget)
        blocks.sort(key=lambda block: block.source.host(0))
    if FILE_MODULE.search(text) is not None:
        from mqlint.language.script.hosts.ansible_files import file_tasks  # few change files of MQ

        blocks += file_tasks(text, budget)
        blocks.sort(key=lambda block: block.source.host(0))
    if "argv:" in text:
        from mqlint.language.script.hosts.ansible import argument_lists  # few write lists

        blocks += argument_lists(text, budget)
        blocks.sort(key=lambda block: block.source.host(0))
    return blocks


_BLOCKS: Mapping[str, Callable[[str, Budget], Iterable[Block]]] = {
    "systemd": lambda text, _: _units(text),
    "upstart": lambda text, _: job_scripts(text),
    "docker": lambda text, _: _docker(text),
    "jenkins": lambda text, _: jenkins_scripts(text),
    "makefile": recipe_scripts,
    "terraform": lambda text, _: heredoc_scripts(text),
    "pipeline": _pipeline_blocks,
    "expect": lambda text, _: sent_scripts(text),
    "task": lambda text, _: task_scripts(text),
    "chef": lambda text, _: recipe_blocks(text),
}
_DOCUMENTS: Mapping[str, Callable[[str, Budget], Iterable[Embedded]]] = {
    "terraform": lambda text, _: mqsc_in_heredocs(text),
    "pipeline": _pipeline_documents,
}
"""The documents that a file holds besides its scripts."""
