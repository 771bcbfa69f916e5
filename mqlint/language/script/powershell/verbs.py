"""Commands of PowerShell that read, write and pass on text, and all others.

They are put in the terms of a shell: `Set-Content` is a `cat` into a file, and `Start-Process` is
the program that it starts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from mqlint.language.script.command import Command, HereDocument, Word, split
from mqlint.language.script.powershell.pipeline import Element, Output, single
from mqlint.language.script.scanner import Written, in_lower_case, with_slashes
from mqlint.language.text.mapped import MappedText, joined, mapped_at
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later

EACH = frozenset({"foreach-object", "foreach", "%"})
SELECTING = frozenset({"where-object", "where", "?"})
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


def output_of(element: Element, fed: Output, maybe: bool) -> Output:
    """Return the output of a command, and its effect as commands of a shell.

    `fed` is its input from the pipe, and `maybe` is true if it may not run.
    """
    if not element.words:
        return Output(silent=True)
    call = _Call(element, fed, maybe)
    if element.has_block and (len(element.words) == 1 or call.name in EACH):  # & { ... }
        return Output(element.block)
    cmdlet = _CMDLETS.get(call.name)
    found = cmdlet(call) if cmdlet is not None else None
    return found if found is not None else call.other()


class _Call:
    """A call of a cmdlet or a program: its name, its path, its value, and its other operands.

    `fed` is its input from the pipe, and `maybe` is true if it may not run. Each method that is a
    cmdlet returns its output, None if it is read as any other command.
    """

    def __init__(self, element: Element, fed: Output, maybe: bool) -> None:
        self.element = element
        self.fed = fed
        self.maybe = maybe
        self.first = element.words[0]
        self.name = self.first.text.lower()
        self.path, self.value, self.operands = _arguments(element)

    def named(self, name: str) -> Word:
        """Return a word that the script does not have, at the place of the first one."""
        first = self.first
        return Word(mapped_at(name, first.start, first.end), first.start, first.end)

    def after(self, *parameters: str) -> Word | None:
        words = self.element.words
        found = (at for at, word in enumerate(words[:-1], 1) if word.text.lower() in parameters)
        return next((words[at] for at in found), None)

    def shell(self, name: str, *words: Word | None) -> Output:
        """Return the effect of a command of a shell that does the same."""
        found = [self.named(name), *(word for word in words if word is not None)]
        return Output(silent=True, commands=[Command(found, maybe=self.maybe)])

    @property
    def paths(self) -> list[Word]:
        """Its path, and words without a parameter, which are paths too."""
        return [*([self.path] if self.path is not None else []), *self.operands]

    def flags(self, flag: str) -> list[Word]:
        """Return a flag of a shell if the command goes through folders, else nothing."""
        switches = {word.text.lower() for word in self.element.words[1:] if not word.quoted}
        is_deep = any(len(word) > 1 and "-recurse".startswith(word) for word in switches)
        return [self.named(flag)] if is_deep else []

    # cmdlets that read, list and pass on

    def read(self) -> Output:
        alone = self.operands[0] if len(self.operands) == 1 else None
        return Output(file=self.path or alone)

    def print(self) -> Output:
        """Write-Output; nothing comes out if it goes to files."""
        value = self.value or _all(self.element.values[1:])
        if not self.element.outputs:
            return Output(value)
        return self.file(self.element.outputs, value, appends=self.element.appends)

    def pass_on(self) -> Output:
        fed = self.fed
        return Output(fed.value, fed.file, fed.silent, listing=fed.listing)

    def select(self) -> Output | None:
        if not self.fed.listing:
            return None
        age = [self.named("-mtime"), self.named("0")] if self.element.by_age else []
        return Output(listing=[*self.fed.listing, *age])

    def list(self) -> Output | None:
        """Get-ChildItem as the `find` that lists the files: in its path, by its filter."""
        if not self.paths:
            return None
        path, positional = self.paths[0], self.paths[1:]
        pattern = self.after("-filter", "-include") or next(iter(positional), None)
        names = [self.named("-name"), pattern] if pattern is not None else []
        return Output(listing=[self.named("find"), path, *names])

    def join_path(self) -> Output:
        words = [word for word in self.element.words[1:] if word.text[:1] != "-"]
        return Output(single(joined((word.mapped for word in words), "/")))

    def find(self) -> Output | None:
        """Get-Command, whose result runs as the command that it names."""
        return Output(single(self.operands[0].mapped)) if len(self.operands) == 1 else None

    def discard(self) -> Output | None:
        """Out-Null."""
        if not self.fed.commands:
            return None
        self.fed.commands[-1].captured, self.fed.commands[-1].outputs = False, [self.named("nul")]
        return Output(silent=True)

    # cmdlets on files and processes, whose parameters have names

    def write(self) -> Output:
        """Set-Content, Add-Content and Out-File: a text goes into a file."""
        file, value = next(iter(self.paths), None), self.value
        if file is None:
            return Output(silent=True)
        is_value = self.path is None and len(self.operands) == 2 and self.name != "out-file"
        if value is None and is_value:
            value = single(self.operands[1].mapped)
        text = value if value is not None else self.fed.value
        appends = self.name in ("add-content", "ac")
        if text is None and self.fed.commands:
            printing = self.fed.commands[-1]
            printing.captured, printing.outputs = False, [with_slashes(file)]
            printing.appends = appends
            return Output(silent=True)
        return self.file([file], text, appends=appends)

    def file(self, files: Sequence[Word], value: Written | None, *, appends: bool) -> Output:
        """Return the `cat` that puts a text into files; of one not known, one that says nothing."""
        outputs = list(map(with_slashes, files))
        command = Command([self.named("cat")], outputs=outputs, appends=appends, maybe=self.maybe)
        if value is not None and value.lines:
            body = value.text()
            segments = (*body.segments, (len(body.text), body.end))
            ended = MappedText(f"{body.text}\n", segments, body.end)
            command.here = HereDocument("", PLACEHOLDER in body.text, False, ended)
            command.maybe = self.maybe or value.maybe
        else:
            command.words.append(self.named(PLACEHOLDER))
        return Output(silent=True, commands=[command])

    def remove(self) -> Output | None:
        if self.paths:
            return self.shell("rm", *self.flags("-rf"), *self.paths)
        if not self.fed.listing:
            return None
        words = [*self.fed.listing, self.named("-delete")]
        return Output(silent=True, commands=[Command(words, maybe=self.maybe)])

    def move(self) -> Output | None:
        return self.shell("cd", *self.paths) if len(self.paths) == 1 else None

    def copy(self) -> Output:
        return self.shell("cp", *self.flags("-r"), *self.paths, self.after("-destination"))

    def compress(self) -> Output:
        second = self.operands[1] if len(self.operands) > 1 else None
        target = self.after("-destinationpath") or second
        return self.shell("zip", target, *(word for word in self.paths if word is not target))

    def kill(self) -> Output | None:
        process = self.after("-name", "-processname")
        chosen = [process] if process is not None else self.operands
        return self.shell("pkill", *chosen) if chosen else None

    def start(self) -> Output:
        """Start-Process: the program with its arguments, and the file that it reads."""
        program, stdin = self.path, None
        arguments: list[Word] = []
        parameter = ""
        for word in self.element.words[1:]:
            text = word.text.lower()
            if text.startswith("-") and not word.quoted:
                parameter = text
            elif parameter == "-redirectstandardinput":
                stdin, parameter = word, ""
            elif parameter in _VALUE:
                arguments += split(word)
            elif parameter in _NAMING:
                program, parameter = word, ""
            elif parameter in _TAKING:
                parameter = ""
            elif program is None:
                program, parameter = word, "-args"
        if program is None:
            program = next((word for word in self.element.words[1:] if not word.known), None)
        if program is None:
            return Output()
        command = Command([in_lower_case(program), *arguments], maybe=self.maybe)
        command.stdin = stdin and with_slashes(stdin)
        return Output(silent=True, commands=[command])

    def other(self) -> Output:
        """Return what a harmless command puts into the pipe, or a program with its input."""
        if _HARMLESS.fullmatch(self.name.replace("\\", "/").rpartition("/")[2]):
            return Output(silent=_SILENT.fullmatch(self.name) is not None)
        element, fed = self.element, self.fed
        words = [in_lower_case(self.first), *element.words[1:]]
        command = Command(words, maybe=self.maybe, outputs=list(map(with_slashes, element.outputs)))
        command.appends = element.appends
        if fed.value is not None and fed.value.lines:
            text = fed.value.text()
            command.string = Word(text, text.host(0), text.end)
            command.maybe = self.maybe or fed.value.maybe
        elif fed.file is not None:
            command.stdin = with_slashes(fed.file)
        elif element.stdin is not None:
            command.stdin = with_slashes(element.stdin)
        return Output(commands=[command])


_CMDLETS: Mapping[str, Callable[[_Call], Output | None]] = {
    **dict.fromkeys("get-content gc cat type".split(), _Call.read),
    **dict.fromkeys("write-output echo write".split(), _Call.print),
    **dict.fromkeys(
        "out-string tee-object tee select-object select sort-object".split(), _Call.pass_on
    ),
    **dict.fromkeys(SELECTING, _Call.select),
    **dict.fromkeys("get-childitem gci dir ls".split(), _Call.list),
    **dict.fromkeys("set-content sc add-content ac out-file".split(), _Call.write),
    "join-path": _Call.join_path,
    **dict.fromkeys(("get-command", "gcm"), _Call.find),
    **dict.fromkeys("start-process saps start".split(), _Call.start),
    "out-null": _Call.discard,
    **dict.fromkeys("remove-item ri rm del rd rmdir erase".split(), _Call.remove),
    **dict.fromkeys("set-location push-location cd chdir sl pushd".split(), _Call.move),
    **dict.fromkeys("copy-item cpi copy cp".split(), _Call.copy),
    "compress-archive": _Call.compress,
    **dict.fromkeys("stop-process spps kill".split(), _Call.kill),
}
"""What reads these cmdlets, by their names and aliases."""


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
