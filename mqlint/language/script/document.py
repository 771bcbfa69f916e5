"""Reads a file that is a script: its steps, the files it names, and what is wrong in its text."""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.base import Context, Parsed
from mqlint.language.client.signs import is_shell, variables_set
from mqlint.language.declaration import NamedFile
from mqlint.language.failover.pacemaker import cluster_faults
from mqlint.language.script.commands import TextContext
from mqlint.language.script.faults.answers import answer_faults
from mqlint.language.script.faults.checks import relevant_faults
from mqlint.language.script.faults.comments import outside_comments
from mqlint.language.script.faults.environment import environment_faults, unsourced
from mqlint.language.script.faults.expansion import dotted_variables, expansion_faults
from mqlint.language.script.faults.keys import key_faults, weak_keys
from mqlint.language.script.faults.members import member_faults
from mqlint.language.script.faults.mounts import mount_faults
from mqlint.language.script.faults.permissions import windows_permission_faults
from mqlint.language.script.faults.pitfalls import (
    left_in_maintenance,
    local_samples,
    log_faults,
    pitfall_faults,
    printed_pipes,
)
from mqlint.language.script.faults.results import result_faults
from mqlint.language.script.faults.typos import transfer_faults
from mqlint.language.script.input.written import WrittenFiles
from mqlint.language.script.posix.sites import branches_of_sites, named_by_site
from mqlint.language.script.posix.tables import set_by_table
from mqlint.language.script.reader import read_script, scanned_in
from mqlint.language.script.results import ScriptResults
from mqlint.language.script.sourced import joins_others
from mqlint.language.text.mapped import mapped_slice
from mqlint.patterns import later
from mqlint.vocabulary.control import in_any_case

_FIRST_LINE = 200
"""Limit of the characters of a first line."""


def read(text: str, context: Context) -> Parsed:
    """Read a script of sh, a batch file or a script of PowerShell."""
    is_posix = context.language == "shell"
    control = context.vocabulary.control
    commands = control if is_posix else in_any_case(control)
    results = ScriptResults(
        commands,
        WrittenFiles(context.budget),
        read_job=lambda job: _read_job(job, context),
        sourced=context.sourced,
    )
    results.sited += named_by_site(text).items() if is_posix else ()
    script = read_script(
        results,
        TextContext(mapped_slice(text), globs=is_posix, is_file=True),
        scanned=scanned_in(context.language, text, context.budget),
    )
    faults = (
        _faults_of_shell(text, results) if is_posix else faults_of_windows(text, context.language)
    )
    joins = (
        is_posix
        and is_shell(context.path)
        and (
            joins_others(text, script)
            or any(asked(text) for asked in (variables_set, branches_of_sites, set_by_table))
        )
    )
    return Parsed(
        script=script,
        diagnostics=[*outside_comments(text, (*environment_faults(text), *faults))],
        files=tuple(channel_tables(text) if is_posix else ()),
        joins=joins,
    )


def _read_job(text: str, context: Context) -> Parsed:
    """Read a job of z/OS in a here-document."""
    from mqlint.language.jcl.parser import read  # few scripts have jobs

    return read(text, context)


def _faults_of_shell(text: str, results: ScriptResults) -> Iterator[Diagnostic]:
    yield from unsourced(text)
    yield from mount_faults(text)
    yield from expansion_faults(text)
    yield from line_end_faults(text)
    yield from cluster_faults(text)
    bodies = sorted(results.here.values())
    scripts = [body for body in bodies if body.is_script]
    yield from pitfall_faults(text, scripts, is_script=False)
    yield from left_in_maintenance(text)
    yield from result_faults(text, bodies, scripts)
    yield from _faults_of_lines(text)
    yield from key_faults(text)
    yield from relevant_faults([*results.checks.values()], text)
    yield from member_faults(text)


def _faults_of_lines(text: str) -> Iterator[Diagnostic]:
    """Yield the faults that the lines around them show, in a script or in a part of a file."""
    yield from log_faults(text)
    if "dspmq" in text:
        yield from answer_faults(text)
    yield from transfer_faults(text)
    yield from weak_keys(text)


def faults_of_part(text: str, *, is_ended_by_faults: bool) -> Iterator[Diagnostic]:
    """Yield the faults of a script in another file, less those that its other scripts may undo.

    `is_ended_by_faults`: its shell may get the option -e or pipefail, so that it tests no result.
    """
    yield from unsourced(text)
    yield from dotted_variables(text)
    yield from pitfall_faults(text, (), is_script=True)
    if not (is_ended_by_faults or "<<" in text):
        yield from result_faults(text, (), ())
    yield from _faults_of_lines(text)


def faults_of_windows(text: str, language: str) -> Iterator[Diagnostic]:
    """Yield what is wrong in the text of a batch file or of a script of PowerShell."""
    if language == "cmd":
        from mqlint.language.script.batch.expansion import batch_faults

        yield from batch_faults(text)
    else:
        from mqlint.language.script.powershell.expansion import powershell_faults

        yield from powershell_faults(text)
    yield from local_samples(text)
    yield from printed_pipes(text)
    yield from member_faults(text)
    yield from windows_permission_faults(text)


def line_end_faults(text: str) -> Iterator[Diagnostic]:
    """Yield the first line of a script if it ends as on Windows and names its shell.

    POSIX, "Shell Command Language": the carriage return is part of the last word of the line.
    """
    end = text.find("\n", 0, _FIRST_LINE)
    if text.startswith("#!") and end > 0 and text[end - 1] == "\r":
        yield diagnostic("script-line-ends", (0, end - 1))


# -- channel tables --------------------------------------------------------------------------------


_BESIDE = (
    r"(?:\.|\$PWD|\$\{PWD\}|\$\(pwd\)|\$\(dirname[ ]\"?\$(?:0|\{BASH_SOURCE(?:\[0\])?\})\"?\))"
)
"""The folder of a script, as scripts write it; `.` is that of a script that changes no folder."""
_TABLE_FOLDER = later(rf"\bMQCHLLIB=[\"']?{_BESIDE}((?:/[\w.-]+)*)/?[\"']?(?=[\s;&]|$)")
_TABLE_NAME = later(r"\bMQCHLTAB=[\"']?([\w.-]+)[\"']?(?=[\s;&]|$)")
_TABLE_ADDRESS = later(rf"\bMQCCDTURL=[\"']?file:(?://)?{_BESIDE}/([\w./-]+)[\"']?(?=[\s;&]|$)")
_CHANGES_FOLDER = later(r"(?m)(?:^|[;&|])[ \t]*(?:cd|pushd)[ \t]")
_NOT_SET = later(r"(?:^|[ \t])#|\b(?:echo|printf)[ \t]")
"""What is before a variable in a comment, or in a text that is printed."""


def channel_tables(text: str) -> Iterator[NamedFile]:
    """Yield the channel table that variables of a script name, if it is below the script's folder.

    Sources: MQCCDTURL, MQCHLLIB, MQCHLTAB ("Connecting client applications to queue managers using
    environment variables", q027450_).
    """
    if "MQCCDTURL" in text:
        within = found = _TABLE_ADDRESS.search(text)
        folder, is_one = "", text.count("MQCCDTURL=") == 1
    else:
        within = _TABLE_FOLDER.search(text) if "MQCHLTAB" in text else None
        found = _TABLE_NAME.search(text) if within is not None else None
        folder = within[1].lstrip("/") if within is not None else ""
        is_one = text.count("MQCHLTAB=") == text.count("MQCHLLIB=") == 1
    if found is None or within is None or not is_one or _CHANGES_FOLDER.search(text) is not None:
        return
    if not (_sets(text, within.start()) and _sets(text, found.start())):
        return
    if text.count(found[1]) == 1:  # otherwise the script may make the table
        yield NamedFile(f"{folder}/{found[1]}" if folder else found[1], found.span(1))


def _sets(text: str, start: int) -> bool:
    """Whether the variable at `start` is not in a comment or a text that is printed."""
    return _NOT_SET.search(text[text.rfind("\n", 0, start) + 1 : start]) is None
