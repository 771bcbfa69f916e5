"""What a reading takes from a script: its steps, the files it feeds, its connections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from operator import attrgetter
from posixpath import basename, splitext
from typing import TYPE_CHECKING

from mqlint.engine.document.reading import Reported
from mqlint.language.client.signs import is_of_client
from mqlint.language.declaration import NamedFile
from mqlint.model.core.inserts import sole_variable
from mqlint.patterns import later
from mqlint.source.budget import Budget
from mqlint.vocabulary import Target, Vocabulary

if TYPE_CHECKING:
    from mqlint.language.declaration import Declared
    from mqlint.language.script.step import ShellScript, Step
    from mqlint.language.script.target import Play
    from mqlint.vocabulary.control import ControlSpec


_AUTOMATIC = {"ic": ".mqsc", "ii": ".ini"}
"""Options of crtmqm that name a file, or a folder of files with the ending, which the queue manager
reads at each start (IBM's pages "Automatic configuration").
"""
_PLAIN = later(r"[\w./-]{1,200}\.\w{1,20}")
_WORKS_ELSEWHERE = later(
    r"(?mi)\bworking[-_]?dir(?:ectory)?\b[\"']?(?:[ \t]*:|[ \t]+=)|^WorkingDirectory=|\bchdir[:=]"
    r"|\bdir[ \t]*\([ \t]*[\"']|^[ \t]*-[ \t]+[\"']?(?:cd|pushd)[ \t]"
)
"""A folder in which a pipeline, play, unit or configuration runs scripts, or one of its items."""
_MOST_NAMED = 100
"""Limit of the files that a text feeds and that are searched in it, each in the whole text."""


def steps_for_each(steps: Sequence[Step], budget: Budget) -> Iterator[Step]:
    """Return the steps; one about all queue managers counts for each name among the steps.

    If there are too many, it may be about any of them, and about none for certain.
    """
    names = len({step.queue_manager for step in steps} - {None})
    for step in steps:
        if step.every and names > 1:
            start, end = step.span
            if not budget.spend((end - start) * names, names):
                yield replace(step, every=False)
                continue
        yield step


def files_fed(steps: Iterable[Step]) -> Iterable[tuple[str, str]]:
    """The files that are fed to queue managers, under all names they may have."""
    for step in steps:
        if step.action == "mqsc" and step.queue_manager:
            for name in step.feeds:
                yield name, step.queue_manager
        elif step.action == "create" and step.queue_manager:
            for option, ending in _AUTOMATIC.items():
                name = step.text(option)
                if name:
                    path = step.from_script(name)
                    is_file = splitext(path)[1] != ""
                    yield path if is_file else f"{path.rstrip('/')}/*{ending}", step.queue_manager


def naming_variables(
    play: Play, steps: Iterable[Step], known: Mapping[str, ControlSpec], language: str
) -> Iterator[str]:
    """Yield the variables with which control commands name a queue manager, each once.

    Those that the text sets itself are none, nor are those of PowerShell, which sets all of them.
    """
    # Most files have no scripts.
    from mqlint.language.script.lookups.lookups import lookups_in
    from mqlint.language.script.target import Targets

    text = play.text
    names = dict.fromkeys(filter(None, (_naming_variable(text, step, known) for step in steps)))
    script = Targets(text, is_file=True)
    lookups = lookups_in(text)
    looked_up = lookups.variables if lookups is not None else frozenset[str]()
    for name in names:
        if name.startswith("$"):
            is_set = language == "powershell" or script.sets(name[1:])
            is_set = is_set and name[1:] not in looked_up
        else:
            is_set = name.partition(".")[0] in play.changes
        if not is_set:
            first, dot, rest = name.partition(".")
            is_of_loop = first == "item" and play.looped
            yield f"{play.looped}.*{dot}{rest}" if is_of_loop else name


def _naming_variable(text: str, step: Step, known: Mapping[str, ControlSpec]) -> str:
    """The variable with which a step names its queue manager, blank if it has none."""
    from mqlint.language.script.lookups.lookups import lookups_in  # most files have no scripts

    spec = known.get(step.command)
    if spec is None:
        return ""
    if spec.queue_manager == "operand":
        span = step.operands[-1].span if step.operands else None
    else:
        option = step.option(spec.queue_manager)
        span = option.value_span if option is not None else None
    if span is None:
        return ""
    lookups = lookups_in(text)
    looked_up = lookups.variables_at(*span) if lookups is not None else ()
    if len(looked_up) == 1:
        return f"${looked_up[0]}"
    return sole_variable(text[slice(*span)].strip("\"'"))


_OF_PRODUCT = "/opt/mqm"
"""The folder of programs and samples of MQ."""


def fed_files_named(
    text: str, fed: Iterable[tuple[str, str]], script: ShellScript | None
) -> Iterator[NamedFile]:
    """The files that are fed or run, if nothing else in a text is about them and may make them.

    Those that `script` reads on another host, or in a folder elsewhere, are not here, nor is any
    if the text sets the folder for its scripts. Of a file in a folder of the host, a copy of the
    same name may be here.
    """
    if _WORKS_ELSEWHERE.search(text) is not None:
        return
    sent = script.remote if script else ()
    steps = (*(script.steps if script else ()), *(each for each in sent if _reads_here(each, text)))
    moved = [step for step in steps if step.directory and not step.is_elsewhere]
    written = {step.from_script(name): name for step in moved for name in step.inputs}
    away = (*sent, *filter(attrgetter("is_elsewhere"), steps))
    elsewhere = {
        name for name, _ in files_fed(each for each in away if not _reads_here(each, text))
    }
    # Which queue manager reads a file may be known only when the script runs.
    every = chain((name for name, _ in fed), chain.from_iterable(step.feeds for step in steps))
    names = (name for name in dict.fromkeys(every) if name not in elsewhere)
    for file in islice(names, _MOST_NAMED):
        name = written.get(file, file).removeprefix("./")
        name = name if name in text else basename(name)  # the folder may be in a variable
        at = text.find(name)
        plain = not name.startswith(("~", ":")) and _PLAIN.fullmatch(name.removeprefix("/"))
        if plain and at >= 0 and text.count(basename(name)) == 1:
            is_of_host = file.startswith("/") and not file.startswith(_OF_PRODUCT)
            if is_of_host or not file.startswith("/"):
                path = basename(file) if is_of_host else file.removeprefix("./")
                yield NamedFile(path, (at, at + len(name)))
    for run in script.runs[:_MOST_NAMED] if script else ():
        if text.count(basename(run.name)) == 1:
            yield run


def _reads_here(step: Step, text: str) -> bool:
    """Whether the shell of the script opens the input of a command that ssh or docker runs."""
    sent_at, file = step.execution.sent_at, step.reads
    if sent_at is None or file is None or step.directory != "":
        return False
    before = text[sent_at : file.span[0]]
    is_quoted = any(before.count(sign) % 2 for sign in "'\"")
    return not is_quoted and before.rstrip().endswith("<")


def step_faults(
    script: ShellScript, vocabulary: Vocabulary, target: Target, cased: bool, platform: str
) -> Iterable[Reported]:
    """Faults of the control commands of a script; `cased` is true if case counts.

    They run on `platform`, blank if that is not known.
    """
    from mqlint.validity.control_commands import check_control

    known = vocabulary.control
    for step, found in check_control(script, known, target, cased=cased, platform=platform):
        if step is None:
            yield Reported(found)
        else:
            yield Reported(found, "step", step.command, step.queue_manager)
    edits = [step for step in script.steps if step.action == "edit"]
    if edits:
        from mqlint.validity.ini_files import edit_faults  # few scripts edit such a file

        for edit in edits:
            for found in edit_faults(edit, vocabulary.ini):
                yield Reported(found, "step", edit.command, edit.queue_manager)


def connections_in(text: str) -> tuple[Declared, ...]:
    """The connections of applications that variables and commands in a script describe."""
    if not is_of_client(text):
        return ()
    from mqlint.language.client.environment import connections_of_script  # few scripts have them

    return tuple(connections_of_script(text))
