"""Commands of PowerShell that read, write and pass on text, and all others.

They are put in the terms of a shell: `Set-Content` is a `cat` into a file, and `Start-Process` is
the program that it starts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mqlint.language.script.command import Command, HereDocument, Word
from mqlint.language.script.powershell.pipeline import Element, Output, single
from mqlint.language.script.scanner import Written, in_lower_case, with_slashes
from mqlint.language.text.mapped import MappedText, joined, mapped_at
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later

_READING = frozenset({"get-content", "gc", "cat", "type"})
_PRINTERS = frozenset({"write-output", "echo", "write"})
_PASSING = frozenset({"out-string", "tee-object", "tee", "select-object", "select", "sort-object"})
_WRITING = frozenset({"set-content", "sc", "add-content", "ac", "out-file"})
EACH = frozenset({"foreach-object", "foreach", "%"})
SELECTING = frozenset({"where-object", "where", "?"})
_LISTING = frozenset({"get-childitem", "gci", "dir", "ls"})
_MOVING = frozenset({"set-location", "push-location", "cd", "chdir", "sl", "pushd"})
_STARTING = frozenset({"start-process", "saps", "start"})
_REMOVING = frozenset("remove-item ri rm del rd rmdir erase".split())
_COPYING = frozenset("copy-item cpi copy cp".split())
_KILLING = frozenset("stop-process spps kill".split())
_NAMING = frozenset({"-path", "-literalpath", "-filepath", "-lp", "-pspath"})
_VALUE = frozenset({"-value", "-inputobject", "-argumentlist", "-args"})
_TAKING = frozenset(
    "-encoding -totalcount -head -tail -delimiter -readcount -width -filter -include -exclude "
    "-stream -redirectstandardoutput -redirectstandarderror -workingdirectory -windowstyle "
    "-credential -verb -property -first -last -skip -foregroundcolor -backgroundcolor "
    "-destination -name -processname -id -erroraction -ea -outvariable -ov".split()
)
_HARMLESS = later(
    r"(?:[a-z]+-(?:host|output|verbose|warning|error|debug|information|progress|content|item"
    r"|itemproperty|childitem|location|path|object|string|null|file|date|sleep|transcript|variable"
    r"|module|command|csv|json|psdrive|random|strictmode|executionpolicy|hash|help|member|type)"
    r"|(?:get|stop)-process|get-service|cd|cls|dir|ls|del|rm|copy|cp|move|mv|md|mkdir|rd|rmdir|ren|pwd|sleep|set|select|where|\?"
    r"|sort|measure|sls|findstr|find|setmqenv(?:\.cmd)?|whoami|hostname|timeout|ping|chcp|icacls)"
)
"""What does nothing to a queue manager."""
_SILENT = later(
    r"(?:write-(?:host|verbose|warning|error|debug|information|progress)|out-(?:null|host)"
    r"|start-(?:sleep|transcript)|stop-transcript|set-(?:location|variable|strictmode)|cd|sleep"
    r"|remove-item|rm|del|import-module|md|mkdir|new-item)"
)
"""What puts nothing into a pipe."""
_PROGRAM = later(r"[^/\\]*$")


def output_of(element: Element, fed: Output, maybe: bool) -> Output:
    """Return the output of a command, and its effect as commands of a shell.

    `fed` is its input from the pipe, and `maybe` is true if it may not run.
    """
    if not element.words:
        return Output(silent=True)
    first = element.words[0]
    name = first.text.lower()
    if element.has_block and (len(element.words) == 1 or name in EACH):  # & { ... }
        return Output(element.block)
    path, value, rest = _arguments(element)
    if name in _READING:
        return Output(file=path or (rest[0] if len(rest) == 1 else None))
    if name in _PRINTERS:
        return _redirected(element, value or _all(element.values[1:]), first, maybe)
    if name in _PASSING:
        return Output(fed.value, fed.file, fed.silent, listing=fed.listing)
    if name in SELECTING and fed.listing:
        age = [_named("-mtime", first), _named("0", first)] if element.by_age else []
        return Output(listing=[*fed.listing, *age])
    if name in _LISTING and (path or rest):
        return Output(listing=_listing(element, path, rest))
    if name in _WRITING:
        return _written(name, path, value, rest, fed, first, maybe)
    if name == "join-path":
        return Output(_path([word for word in element.words[1:] if word.text[:1] != "-"]))
    if name in _STARTING:
        return _started(element, path, maybe)
    if name == "out-null" and fed.commands:
        fed.commands[-1].captured, fed.commands[-1].outputs = False, [_named("nul", first)]
        return Output(silent=True)
    as_shell = _on_files_and_processes(element, name, path, rest)
    if name in _REMOVING and not as_shell and fed.listing:
        as_shell = [*fed.listing, _named("-delete", first)]
    if as_shell:
        return Output(silent=True, commands=[Command(as_shell, maybe=maybe)])
    if _HARMLESS.fullmatch(_PROGRAM.findall(name)[0]):
        return Output(silent=_SILENT.fullmatch(name) is not None)
    return Output(commands=[_command(element, fed, maybe)])


def _on_files_and_processes(
    element: Element, name: str, path: Word | None, rest: list[Word]
) -> list[Word]:
    """Return Remove-Item, Copy-Item and Stop-Process as commands of a shell, else nothing.

    Set-Location is one too. Their parameters have names; a word without one is a path, or for a
    copy its target.
    """
    paths = [*([path] if path is not None else []), *rest]
    switches = {word.text.lower() for word in element.words[1:] if not word.quoted}
    is_deep = any(len(word) > 1 and "-recurse".startswith(word) for word in switches)
    if name in _REMOVING and paths:
        return [_named("rm", element.words[0]), *_flag(is_deep, "-rf", element), *paths]
    if name in _MOVING and len(paths) == 1:
        return [_named("cd", element.words[0]), *paths]
    if name in _COPYING:
        target = _after(element, "-destination")
        words = [*paths, *([target] if target is not None else [])]
        return [_named("cp", element.words[0]), *_flag(is_deep, "-r", element), *words]
    if name == "compress-archive":
        target = _after(element, "-destinationpath") or (rest[1] if len(rest) > 1 else None)
        sources = [word for word in paths if word is not target]
        return [_named("zip", element.words[0]), *([target] if target else []), *sources]
    process = _after(element, "-name", "-processname")
    if name in _KILLING and (process or rest):
        return [_named("pkill", element.words[0]), *([process] if process else rest)]
    return []


def _listing(element: Element, named: Word | None, rest: list[Word]) -> list[Word]:
    """Return the `find` that lists the files of Get-ChildItem: in its path, by its filter."""
    path, first = named or rest[0], element.words[0]
    positional = [word for word in rest if word is not path]
    pattern = _after(element, "-filter", "-include") or next(iter(positional), None)
    names = [_named("-name", first), pattern] if pattern is not None else []
    return [_named("find", first), path, *names]


def _flag(is_set: bool, flag: str, element: Element) -> list[Word]:
    return [_named(flag, element.words[0])] if is_set else []


def _after(element: Element, *parameters: str) -> Word | None:
    words = element.words
    found = (at for at, word in enumerate(words[:-1], 1) if word.text.lower() in parameters)
    return next((words[at] for at in found), None)


def _arguments(element: Element) -> tuple[Word | None, Written | None, list[Word]]:
    """Return the file of a cmdlet, its value, and the words without a parameter."""
    path: Word | None = None
    value: Written | None = None
    rest: list[Word] = []
    parameter = ""
    for word, worth in zip(element.words[1:], element.values[1:], strict=True):
        text = word.text.lower()
        if parameter in _NAMING:
            path, parameter = word, ""
        elif parameter in _VALUE:
            value, parameter = worth, ""
        elif parameter:
            parameter = ""
        elif text.startswith("-") and not word.quoted:
            parameter = text if text in _NAMING | _VALUE | _TAKING else ""
        else:
            rest.append(word)
    return path, value, rest


def _all(values: Sequence[Written | None]) -> Written | None:
    """Return the lines of all values, None when one is not known."""
    found = Written()
    for value in values:
        if value is None:
            return None
        found.take(value.as_lines())
    return found


def _path(words: Sequence[Word]) -> Written:
    return single(joined((word.mapped for word in words), "/"))


def _redirected(element: Element, value: Written | None, first: Word, maybe: bool) -> Output:
    """The output of a command, or nothing if it goes to files."""
    if not element.outputs:
        return Output(value)
    made = _file(first, element.outputs, value, element.appends, maybe)
    return Output(silent=True, commands=[made])


def _written(
    name: str,
    path: Word | None,
    value: Written | None,
    rest: list[Word],
    fed: Output,
    first: Word,
    maybe: bool,
) -> Output:
    """Set-Content, Add-Content and Out-File: a text goes into a file."""
    file = path or next(iter(rest), None)
    if file is None:
        return Output(silent=True)
    if value is None and path is None and len(rest) == 2 and name != "out-file":
        value = single(rest[1].mapped)
    text = value if value is not None else fed.value
    if text is None and fed.commands:
        printing = fed.commands[-1]
        printing.captured, printing.outputs = False, [with_slashes(file)]
        printing.appends = name in ("add-content", "ac")
        return Output(silent=True)
    return Output(
        silent=True, commands=[_file(first, [file], text, name in ("add-content", "ac"), maybe)]
    )


def _file(
    first: Word, files: Sequence[Word], value: Written | None, appends: bool, maybe: bool
) -> Command:
    """Return the `cat` that puts a text into files; of a text not known, one that says nothing."""
    outputs = list(map(with_slashes, files))
    command = Command([_named("cat", first)], outputs=outputs, appends=appends, maybe=maybe)
    if value is not None and value.lines:
        body = value.text()
        ended = MappedText(f"{body.text}\n", (*body.segments, (len(body.text), body.end)), body.end)
        command.here = HereDocument("", PLACEHOLDER in body.text, False, ended)
        command.maybe = maybe or value.maybe
    else:
        command.words.append(_named(PLACEHOLDER, first))
    return command


def _started(element: Element, path: Word | None, maybe: bool) -> Output:
    """Start-Process: the program with its arguments, and the file that it reads."""
    program, stdin = path, None
    arguments: list[Word] = []
    parameter = ""
    for word in element.words[1:]:
        text = word.text.lower()
        if text.startswith("-") and not word.quoted:
            parameter = text
        elif parameter == "-redirectstandardinput":
            stdin, parameter = word, ""
        elif parameter in _VALUE:
            arguments += _split(word)
        elif parameter in _NAMING:
            program, parameter = word, ""
        elif parameter in _TAKING:
            parameter = ""
        elif program is None:
            program, parameter = word, "-args"
    if program is None:
        return Output()
    command = Command(
        [in_lower_case(program), *arguments], stdin=stdin and with_slashes(stdin), maybe=maybe
    )
    return Output(silent=True, commands=[command])


def _split(word: Word) -> list[Word]:
    """Return the words that a single string of arguments holds."""
    if " " not in word.text or PLACEHOLDER in word.text:
        return [word]
    words = []
    for match in re.finditer(r"\S+", word.text):
        start, end = map(word.mapped.host, match.span())
        words.append(Word(mapped_at(match.group(), start, end), start, end))
    return words


def _command(element: Element, fed: Output, maybe: bool) -> Command:
    """Return the command of a program, with the input of the pipe."""
    words = [in_lower_case(element.words[0]), *element.words[1:]]
    command = Command(words, maybe=maybe, outputs=list(map(with_slashes, element.outputs)))
    command.appends = element.appends
    if fed.value is not None and fed.value.lines:
        text = fed.value.text()
        command.string = Word(text, text.host(0), text.end)
        command.maybe = maybe or fed.value.maybe
    elif fed.file is not None:
        command.stdin = with_slashes(fed.file)
    elif element.stdin is not None:
        command.stdin = with_slashes(element.stdin)
    return command


def _named(name: str, place: Word) -> Word:
    """A word that the script does not have, at the place of one that it has."""
    return Word(mapped_at(name, place.start, place.end), place.start, place.end)
