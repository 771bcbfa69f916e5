"""Faults of MQSC and addresses that a shell expands, or does not expand as intended.

POSIX, "Here-Document" and "Quoting": parameters are expanded in the lines of a here-document unless
a part of the delimiter is quoted, and nothing is expanded in single quotes. Quotes inside the lines
protect nothing. A variable that is not set expands to nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator
from functools import cached_property

from mqlint.dataclass import frozen
from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.script.blocks import functions_in
from mqlint.language.script.faults.variables import (
    SET_IN_SHELL,
    SETS_OTHERS,
    ScriptVariables,
)
from mqlint.patterns import later
from mqlint.source.lines import Span, line_spans

_SYS = later(r"(?<![\\$])\$SYS(?=/)")
_HERE = later(r"(?<!<)<<(?!<)-?[ \t]*([\"'\\]?)([A-Za-z_]\w{0,60})")
_AFTER_DELIMITER = ("", '"', "'", "`", ")")
_QUOTED = later(r"'[^'\n]{0,2000}'|\"(?:[^\"\\\n]|\\.){0,2000}\"")
VARIABLE = later(r"(?<![\\$])\$(?:\{([A-Za-z_]\w{0,60})\}|([A-Za-z_]\w{0,60}))")
_POSITIONAL = later(r"(?<![\\$])\$([2-9]|1\d)(?!\w*\{)")
_ARGUMENTS = later(
    r"\$[@*#]|\$\{[@*#\d]|\bshift\b|\bgetopts\b|\bset[ \t]+--|(?<!\\)\$1(?!\d)|=\"?\$[2-9]"
)
_PRINTS = later(r"(?:\b(?:echo|print|printf)(?:[ \t]+-\w+){0,8}[ \t]*|<<<[ \t]*)\Z")
_REPLACED = later(r"\b(?:envsubst|eval|sed|awk|perl|gomplate|j2)\b")
"""Commands that may replace variables in MQSC before runmqsc reads it."""
_FAR = 200
"""Limit of the characters between a command that prints and its text."""
BEGINS_MQSC = later(
    r"(?i)\s*+(?:\*[^\n]*\n\s*+)*+(?:def(?:ine)?|alt(?:er)?|set|del(?:ete)?|dis(?:play)?|start|stop)"
    r"[ \t]+[a-z]{2,12}[ \t]*\("
)
_LOST_QUOTES = later(
    r"\\.|\"(?P<text>(?:[^\"\\\n]|\\.){0,4000})\"|(?P<open>\")"
    r"|'[^'\n]{0,400}\('(?P<name>[\w./%]{0,48}[a-z][\w./%]{0,48})'\)[^'\n]{0,400}'|'[^'\n]{0,4000}'"
)
"""What a shell takes as one: an escaped character, a text in double quotes, one in single quotes.

`name` is in single quotes of MQSC within those of the shell, and has lower case. `open` is a double
quote without its partner: a text of several lines begins or ends there.
"""
_ESCAPED = later(r"\\.|'[^'\"\n]*'|\"[^\"\\\n]*\"")
"""What has no quotation mark that is still open: an escaped character, a text in quotes."""
ADDRESS = r"(?:MQSERVER|IBM_?MQ_(?:CONNECTION_)?CONN_?NAME)="
"""Variables of clients whose values have parentheses."""
_BARE_ADDRESS = later(
    rf"(?m)(?:^[ \t]*+|\b(?:export|(?:declare|typeset)[ \t]++-\w++)[ \t]++|;[ \t]*+)"
    rf"(?P<word>{ADDRESS}[^\s'\"\\;()<>`]{{0,200}}[^\s'\"\\;()<>`$=]\()"
)
_BARE_PATH = later(
    r"(?im)^[ \t]*@?(?:call[ \t]+|&[ \t]*)?"
    r"([a-z]:\\Program Files(?: \(x86\))?)\\[^\n\"<>|&]{1,80}\\"
    r"(?:runmqsc|setmqenv|dspmq|dmpmqcfg|rcdmqimg|setmqaut|(?:crt|str|end|dlt)mqm)\b"
)
_UNFED = later(
    r"(?m)^[ \t]*+(?:\S{1,100}/)?runmqsc(?:[ \t]++[^\s<|>&;#\\-][^\s<|>&;#\\]*+)?[ \t]*+\r?\n"
    r"(?:[ \t]*+\r?\n){0,5}+"
    r"[ \t]*+(DEFINE|ALTER|DELETE|SET|START|STOP|REFRESH|DEF|ALT)[ \t]++[A-Z]{2,12}[ \t]*+\("
)
"""runmqsc with nothing but a queue manager, and a line of MQSC in capitals after it."""
_RUNS_ELSEWHERE = later(
    r"(?:^|[\s;|&(/])(?P<program>su|sudo|runuser|(?:ba|k)?sh)[ \t][^'\";|&<>]{0,200}\Z"
)
"""A command before its script in quotes, which another shell of the same host runs."""
_LOGS_IN = later(
    r"\b(?:su|runuser)[ \t]+(?:-[ \t]|-l\b|--login)|\bsudo[ \t][^\n]{0,99}?-\w{0,9}i\b"
    r"|\bssh\b|exec\b"
)
"""A shell whose own profile, host or container may set the variable; not one of a loop here."""
_GIVEN = later(r"(?<![\w${])(?:(?<=-e )|(?=\w{1,60}=))([A-Za-z_]\w{0,60})")
"""A variable that ssh, env or `docker exec -e` gives to a script."""
_FAR_SHELL = later(r"(?:^|[\s/])(?:ssh|exec)[ \t][^';|&<>]{1,200}\Z")
"""ssh, `docker exec` and the like before a script in quotes."""
_PASSES = later(r"[ \t](?:-\w*E|--preserve-env|\w+=)")
"""How sudo gives variables to what it runs."""
_COMMAND = later(
    r"(?:\$\{?\w{1,60}\}?/(?:bin/)?)?"
    r"\b(?:(?:add|crt|dlt|dmp|end|mig|rcd|rmv|run|set|str)mq\w{1,8}|rcrmqobj)\"?[ \t]"
    r"(?:(?!<<)[^\n;|&#']){0,400}"
)
_KEEPS_FILES = later(
    r"^[ \t]*+(?:sudo[ \t]+)?(?:/\S{1,40}/)?(?:tar|cp|mv|rsync|scp|gzip|zip)[ \t]"
    r"(?=[^\n]{0,400}(?:mqm|qmgrs))[^\n;|&#']{1,400}"
)
"""A command that copies files of queue managers."""
_BEGINS_PATH = later(
    r"(?<=[\s\"=>])\$\{?(?P<name>[A-Za-z_]\w{0,60})\}?\"?/"
    r"|[<>][ \t]*\"?\$\{?(?P<file>[A-Za-z_]\w{0,60})\}?(?=[\"\s]|\Z)"
)
"""A variable at the beginning of a path, or as the file of a redirection."""
_WORDS = later(
    r"\b(?:runmqsc|(?:crt|str|end|dlt)mqm|setmqaut|dspmqaut|dmpmqcfg|rcdmqimg|rcrmqobj)\"?[ \t]"
    r"(?:\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'|[^\n;|&#'\"<]){0,400}"
)
"""A command of MQ with its words."""
_LOOP = later(
    r"\bfor[ \t]++(?P<item>[A-Za-z_]\w{0,60}+)[ \t]++in[ \t]++"
    r"\$\{?(?P<list>[A-Za-z_]\w{0,60}+)\}?[ \t]*+[;\n][ \t\r\n]*+do\b"
    r"(?P<body>(?:(?!\bdone\b|\bfor[ \t]++\w{1,60}+[ \t]++in\b)[^#]){0,4000}+)"
)
"""A loop over a list alone, and its body up to a comment, its end or a loop in it."""
_ONLY_NAME = later(
    r"(?:[ \t]-[mn][ \t]*+|\b(?:runmqsc|(?:crt|str|end|dlt)mqm)\"?[ \t](?:[^\n$<>]{0,200}[ \t])?+)"
    r"\"?\$\{?(?P<name>[A-Za-z_]\w{0,60}+)\}?\"?(?=[ \t]++-|[ \t\r]*+(?:[<>)]|\Z))"
)
"""A variable as the name of the queue manager or object, of which a command takes one."""
_OF_BITBUCKET = later(r"(?m)^pipelines:[ \t]*\r?$")
"""A file of Bitbucket, which sets no variables besides those of its scripts: settings do that."""
_DOTTED = later(r"(?<![\\$])\$\{[A-Za-z_]\w{0,60}(?:\.\w{1,60}){1,5}\}")
_PRINTED = later(r"\b(?:echo|printf?)\b")
_REMARK = later(r"\s*+#")


class _Quotes:
    """Whether a text in quotes is open, from the number of `signs` since `start`."""

    def __init__(self, text: str, start: int, signs: str = "'\"") -> None:
        self._text = text
        self._at = start
        self._open = dict.fromkeys(signs, False)

    def are_open(self, at: int) -> bool:
        """Whether one is open at an offset; asked in rising order."""
        for sign in self._open:
            self._open[sign] ^= self._text.count(sign, self._at, at) % 2 == 1
        self._at = at
        return any(self._open.values())


@frozen
class _Piece:
    """Part of a script. `expands`: the shell replaces variables; `of_runmqsc`: runmqsc reads it."""

    start: int
    end: int
    expands: bool
    of_runmqsc: bool


_NOT_SET = "the script does not set this variable, but sets {}"
_IN_QUOTES = "the shell does not replace this variable in quoted text"


def expansion_faults(
    text: str, given: Collection[str] = (), *, are_all: bool = True
) -> Iterator[Diagnostic]:
    """Yield MQSC text that a shell changes, or does not expand, against the intent of a script.

    `given` are variables that the scripts of the text get from its jobs; they may get others unless
    these `are_all`.
    """
    if "MQ" in text:
        yield from _bare_addresses(text)
    if "<<" in text or "mq" in text:
        yield from _Script(text, given, are_all=are_all).faults()


def _variables_in(text: str, start: int, end: int) -> Iterator[tuple[int, str, str]]:
    """Yield the variables of a stretch: the offset of each, the text of it, and its name."""
    for found in VARIABLE.finditer(text, start, end):
        yield found.start(), found[0], found[1] or found[2]


class _Script:
    """A script with its variables and its pieces; `inside` are the lines of here-documents."""

    def __init__(self, text: str, given: Collection[str], *, are_all: bool) -> None:
        self.text = text
        self.variables = ScriptVariables(text, given)
        self.code = "expansion" if are_all else "variable-outside"
        self.has_other_names = not are_all and _OF_BITBUCKET.search(text) is not None

    @cached_property
    def inside(self) -> frozenset[int]:
        return frozenset(piece.start for piece in _pieces(self.text))

    def faults(self) -> Iterator[Diagnostic]:
        text, variables = self.text, self.variables
        yield from self.without_input()
        if variables.are_all:
            yield from self.misspelt_arguments()
        if variables.own and "mq" in text:
            yield from self.quoted_variables()
        yield from _whole_lists(text)
        yield from _lost_quotes(text)
        has_arguments = _ARGUMENTS.search(text) is not None
        functions = [] if has_arguments else [span for _, span in functions_in(text)]
        for piece in _pieces(text):
            if piece.expands and "SYS" not in variables.names:
                for found in _SYS.finditer(text, piece.start, piece.end):
                    start = found.start()
                    yield diagnostic("sys-expanded", (start, start + len("$SYS")))
            if piece.of_runmqsc:
                yield from self.variables_of(piece)
            number = bisect_left(functions, (piece.start, 0)) - 1
            is_called = number >= 0 and piece.start < functions[number][1]
            if piece.of_runmqsc and piece.expands and not has_arguments and not is_called:
                for found in _POSITIONAL.finditer(text, piece.start, piece.end):
                    fault = "the script uses no arguments, so the shell removes this text"
                    yield expansion_fault(found.start(), found[0], fault)

    def lines(self) -> Iterator[Span]:
        """Yield the lines that are neither comments nor in a here-document."""
        for start, end in line_spans(self.text):
            if start not in self.inside and _REMARK.match(self.text, start, end) is None:
                yield start, end

    def without_input(self) -> Iterator[Diagnostic]:
        """Yield MQSC that follows runmqsc without an input, so that the shell runs it.

        In a here-document runmqsc may read the rest of what its shell reads.
        """
        for found in _UNFED.finditer(self.text):
            if found.start() not in self.inside:
                fault = "runmqsc has no input, so the shell runs this line as a command of its own"
                yield expansion_fault(found.start(1), found[1], fault)

    def misspelt_arguments(self) -> Iterator[Diagnostic]:
        """Yield variables in the words of commands of MQ that are typos of those that are set."""
        for start, end in self.lines():
            quotes = _Quotes(self.text, start, "'")
            commands = [*_COMMAND.finditer(self.text, start, end)]
            printed = _PRINTED.search(self.text, start, end) if commands else None
            for command in commands:
                if not quotes.are_open(command.start()):
                    yield from self.typos(command.span())
                    if printed is None or printed.start() > command.start():
                        yield from self.cut_names(command.span(), _ONLY_NAME)
                        yield from self.cut_names(command.span(), _BEGINS_PATH)
            kept = _KEEPS_FILES.match(self.text[start:end])
            if kept is not None:
                span = start, start + kept.end()
                yield from self.typos(span)
                yield from self.cut_names(span, _BEGINS_PATH)

    def quoted_variables(self) -> Iterator[Diagnostic]:
        """Yield variables of the script in single quotes: in words of MQ's commands, and MQSC."""
        text, replaces = self.text, _REPLACED.search(self.text) is not None
        for at, end in self.lines():
            if text.find("'", at, end) < 0 or text.find("$", at, end) < 0:
                continue
            commands = [found.span() for found in _WORDS.finditer(text, at, end)]
            quotes = _Quotes(text, at)
            for quoted in _QUOTED.finditer(text, at, end):
                start, last = quoted.span()
                if quotes.are_open(start) or quoted[0][0] != "'":
                    continue
                number = bisect_left(commands, (start, start)) - 1
                is_word = number >= 0 and start < commands[number][1]
                before = text[max(start - _FAR, at) : start]
                is_printed = not replaces and _PRINTS.search(before) is not None
                is_printed = is_printed and BEGINS_MQSC.match(text, start + 1, last) is not None
                if is_word or is_printed:
                    yield from self.unexpanded((start, last))
                elif _WORDS.search(text, start, last) is not None:
                    yield from self.of_other_shell(before, (start, last))

    def of_other_shell(self, before: str, span: Span) -> Iterator[Diagnostic]:
        """Yield variables of the script in commands of MQ that another shell runs without them."""
        script, variables = self.text[span[0] + 1 : span[1]], self.variables
        runs = _RUNS_ELSEWHERE.search(before)
        if (runs is None and _FAR_SHELL.search(before) is None) or SETS_OTHERS.search(script):
            return
        gets_exported = runs is not None and (
            runs["program"] != "sudo" or _PASSES.search(before) is not None
        )
        names = variables.own if _LOGS_IN.search(before) is None else variables.looped
        own = {found[1] or found[2] for found in SET_IN_SHELL.finditer(script)}
        own.update(_GIVEN.findall(before))
        for at, written, name in _variables_in(self.text, *span):
            is_given = gets_exported and (variables.exports_all or name in variables.exported)
            if name in names and name not in own and not is_given:
                fault = "the script sets this variable, but another shell runs this text without it"
                yield expansion_fault(at, written, fault)

    def unexpanded(self, span: Span) -> Iterator[Diagnostic]:
        for at, written, name in _variables_in(self.text, *span):
            if name in self.variables.own:
                yield expansion_fault(at, written, _IN_QUOTES)

    def typos(self, span: Span) -> Iterator[Diagnostic]:
        for at, written, name in _variables_in(self.text, *span):
            meant = "" if name in self.variables.names else self.variables.meant_by(name)
            if meant:
                yield self.not_set(at, written, meant)

    def cut_names(self, span: Span, place: re.Pattern[str]) -> Iterator[Diagnostic]:
        """Yield variables that are not set, of which one that is set is the beginning, or an end.

        `place` finds one where a queue manager or a folder is named.
        """
        for found in () if self.has_other_names else place.finditer(self.text, *span):
            group = str(found.lastgroup)
            name, start = found[group], found.start(group)
            if name in self.variables.names or self.variables.meant_by(name):
                continue
            meant = self.variables.cut_from(name)
            if meant:
                start -= 1 + (self.text[start - 1] == "{")
                written = self.text[start : found.end(group)]
                written += "}" * written.startswith("${")
                yield self.not_set(start, written, meant)

    def not_set(self, start: int, word: str, meant: str) -> Diagnostic:
        return expansion_fault(start, word, _NOT_SET.format(meant), self.code)

    def variables_of(self, piece: _Piece) -> Iterator[Diagnostic]:
        """Yield variables that are not expanded, and typos of those that the script sets."""
        if not piece.expands:
            yield from self.unexpanded((piece.start, piece.end))
            return
        for at, written, name in _variables_in(self.text, piece.start, piece.end):
            if name in self.variables.names:
                continue
            meant = self.variables.meant_by(name)
            begun = "" if meant or written[1] == "{" else self.variables.begun_by(name)
            if meant or begun:
                other = meant or f"{begun}, which needs braces before an underscore"
                yield self.not_set(at, written, other)


def dotted_variables(text: str) -> Iterator[Diagnostic]:
    """Yield what looks like a variable of a pipeline, but is a syntax error of the shell."""
    for command in _COMMAND.finditer(text) if "." in text and "${" in text else ():
        line = text.rfind("\n", 0, command.start()) + 1
        if "'" in text[line : command.start()] or _REMARK.match(text, line) is not None:
            continue
        for found in _DOTTED.finditer(text, *command.span()):
            fault = "the shell rejects a dot in the name of a variable, and runs nothing"
            yield expansion_fault(found.start(), found[0], fault)


def _whole_lists(text: str) -> Iterator[Diagnostic]:
    """Yield lists that a command gets as its queue manager or object in the loop over them."""
    for loop in _LOOP.finditer(text):
        names, body = loop["list"], loop.span("body")
        if loop["item"] == names or f"{names}=" in loop["body"]:
            continue
        for command in _COMMAND.finditer(text, *body):
            line = text[text.rfind("\n", 0, command.start()) + 1 : command.start()]
            for found in _ONLY_NAME.finditer(text, *command.span()):
                if found["name"] == names and _PRINTED.search(line) is None:
                    fault = f"the loop sets {loop['item']} to one item, but this is the whole list"
                    yield expansion_fault(found.start("name") - 1, f"${names}", fault)


def _bare_addresses(text: str) -> Iterator[Diagnostic]:
    """Yield assignments of an address whose parentheses are not quoted.

    In a here-document, and in a text of several lines, they are not for this shell.
    """
    if _BARE_ADDRESS.search(text) is None:
        return
    inside = {piece.start for piece in _pieces(text)}
    at, line, quotes = 0, 0, _Quotes(text, 0)
    for found in _BARE_ADDRESS.finditer(text):
        line = text.rfind("\n", at, found.start("word")) + 1 or line
        at = found.start("word")
        if not quotes.are_open(at) and line not in inside:
            fault = "an unquoted parenthesis is a syntax error of the shell"
            yield expansion_fault(at, found["word"], fault)


def _feeds(line: str) -> bool:
    return "runmqsc" in line and _REPLACED.search(line) is None


def bare_paths(text: str) -> Iterator[Diagnostic]:
    """Yield commands of MQ by a path with blanks that is not quoted."""
    for found in _BARE_PATH.finditer(text) if "Program Files" in text else ():
        fault = "without quotation marks the command ends at the first blank of the path"
        yield expansion_fault(found.start(1), found[1], fault)


def unreplaced(
    text: str, assigned: re.Pattern[str], printed: re.Pattern[str]
) -> Iterator[Diagnostic]:
    variables = {found[1].lower() for found in assigned.finditer(text)}
    for at, end in line_spans(text) if variables else ():
        line = text[at:end]
        if _feeds(line):
            for piece in printed.finditer(line, 0, line.find("runmqsc")):
                if not piece[0].startswith('"'):
                    yield from left_as_written(
                        text, at + piece.start(), at + piece.end(), variables
                    )


def expansion_fault(start: int, word: str, fault: str, code: str = "expansion") -> Diagnostic:
    return diagnostic(code, (start, start + len(word)), word=word[:60], fault=fault)


def left_as_written(
    text: str, start: int, end: int, names: Collection[str]
) -> Iterator[Diagnostic]:
    """Yield the variables of these names, in lower case, in a stretch where the shell keeps `$`."""
    for at, written, name in _variables_in(text, start, end):
        if name.lower() in names:
            yield expansion_fault(at, written, "the shell does not replace this variable here")


def _pieces(text: str) -> Iterator[_Piece]:
    """Yield here-documents line by line, and quoted texts of lines that name runmqsc.

    The outer shell expands a here-document in double quotes (`bash -c "runmqsc QM1 <<'EOF' ..."`),
    whatever its delimiter is. One in single quotes is not judged. The closing quotation mark may
    follow the end delimiter.
    """
    end_word, expands, of_runmqsc = "", False, False
    for at, end in line_spans(text):
        line = text[at:end]
        bare = line.strip()
        if end_word:
            if bare.startswith(end_word) and bare[len(end_word) :][:1] in _AFTER_DELIMITER:
                end_word = ""
            else:
                yield _Piece(at, end, expands, of_runmqsc)
        elif not bare.startswith("#"):
            here = _HERE.search(line)
            if here is not None:
                before = _ESCAPED.sub("", line[: here.start()])
                in_text, in_script = before.count('"') % 2, before.count("'") % 2
                end_word, expands = here[2], bool(in_text) or not here[1]
                of_runmqsc = _feeds(line) and (bool(in_text) or not in_script)
            elif "runmqsc" in line:
                feeds = _feeds(line)
                for quoted in _QUOTED.finditer(line):
                    first = max(0, quoted.start() - _FAR)
                    is_printed = _PRINTS.search(line, first, quoted.start()) is not None
                    expands_here = quoted[0].startswith('"')
                    is_input = is_printed and (expands_here or feeds)
                    span = at + quoted.start(), at + quoted.end()
                    yield _Piece(*span, expands_here, is_input)


def _lost_quotes(text: str) -> Iterator[Diagnostic]:
    """Yield names in lower case whose quotes the shell removes before runmqsc reads them."""
    for at, end in line_spans(text) if "runmqsc" in text else ():
        line = text[at:end]
        if "runmqsc" in line and not line.lstrip().startswith("#"):
            for start, name in _unquoted_names(line):
                fault = "the shell removes the quotes, so runmqsc folds this name to upper case"
                yield expansion_fault(at + start, name, fault)


def _unquoted_names(line: str) -> list[tuple[int, str]]:
    """Return names between quotes that end and begin a text in single quotes, with their offsets.

    Double quotes protect single ones, except in a text for another shell (`sh -c "..."`).
    Empty if a double quote is open: the rest of that text is on another line.
    """
    names = []
    for found in _LOST_QUOTES.finditer(line):
        if found["open"] is not None:
            return []
        if found["name"] is not None:
            names.append((found.start("name"), found["name"]))
        elif "runmqsc" in (found["text"] or ""):
            inside = _unquoted_names(found["text"])
            names += [(found.start("text") + offset, name) for offset, name in inside]
    return names
