"""Scripts in Jenkinsfiles: the strings that `sh`, `bat` and `powershell` are given, in order.

Groovy is not parsed. Braces are counted outside strings and comments, and the word before a brace
decides whether its content may not run (Jenkins handbook, "Pipeline Syntax").
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from mqlint.finding import Diagnostic
from mqlint.language.script.faults.expansion import expansion_fault
from mqlint.language.script.hosts.host import Block, Host
from mqlint.language.text.mapped import MappedText, MappedTextBuilder, mapped_at
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.language.variables.given import GivenVariables
from mqlint.language.variables.jenkins_jobs import CHOICES, jobs_of_jenkins
from mqlint.language.variables.job import settled
from mqlint.language.variables.signs import gives_values
from mqlint.patterns import later
from mqlint.source.budget import Budget

_PIECE = later(
    r"//[^\n]*|/\*|'''|\"\"\"|['\"{}]"
    r"|\b(?:agent|always|bat|catch|else|finally|for|if|input|node|parallel|post|powershell|pwsh|sh"
    r"|try|waitUntil|when|while)\b"
    r"|\.each\w*\b"
)
_STRINGS = {
    "'": later(r"(?:[^'\\\n]|\\.)*+(?P<end>')?"),
    '"': later(r'(?:[^"\\\n]|\\.)*+(?P<end>")?'),
}
"""What follows the quote of a string, which ends on its line."""
_SH = later(
    r"(?:sh|bat|powershell|pwsh)[ \t]*+\(?[ \t]*+(?:script[ \t]*+:[ \t]*+)?"
    r"('''|\"\"\"|'(?!'')|\"(?!\"\"))"
)
_MADE = later(
    r"(?:sh|bat|powershell|pwsh)(?:[ \t]++|[ \t]*+\([ \t]*+)(?:script[ \t]*+:[ \t]*+)?"
    r"[A-Za-z_]\w*+[ \t]*+(?:[.(;)\r\n}]|\Z)"
)
"""A step with a variable or a call of Groovy as its script."""
_STRIPPED = later(r"[ \t]*+\.[ \t]*+stripIndent\b")
_ESCAPED = later(r"\\([\\\"'$nrt])")
_LETTERS = {"n": "\n", "r": "\r", "t": "\t"}
_GROOVY = later(r"(?<!\\)\$\{(?:(?:env\.)?(\w{1,100})\}|[^}\n]{0,200}\})")
_SYS = later(r"(?<!\\)\$SYS(?=/)")
_AS_GROOVY = "Groovy takes it as a variable, because no backslash is before the dollar sign"
_SETS_APART = later(r"\b(?:withEnv|matrix|parallel|parameters)\b")
"""What may give another value of a variable to each part of a Jenkinsfile."""
_STEPS = {"sh": "shell", "bat": "cmd", "powershell": "powershell", "pwsh": "powershell"}
"""The steps that run a script, and its language."""
_PLACES = frozenset({"agent", "node", "parallel"})
_HARMLESS = frozenset({"agent", "finally", "node", "try"})


class Jenkinsfile(Host):
    """One pass over a Jenkinsfile.

    `braces` says for each open brace whether its content may not run. `word` is the last word that
    has a meaning for what follows, and `always` whether what is below `always` in a `post` runs.
    Before the place of `unclosed` no string with this quote ends.
    """

    def __init__(self, text: str, budget: Budget) -> None:
        super().__init__(text, budget)
        self.braces: list[bool] = [False]
        self.word = ""
        self.always = True
        self.border = -1
        self.begun = False
        self.unclosed = dict.fromkeys(_STRINGS, 0)
        self.found: list[Diagnostic] = []
        jobs = settled(jobs_of_jenkins(text)) if gives_values(text) else ()
        self.given = GivenVariables(jobs, job=None if _SETS_APART.search(text) else 0)
        self.made: list[int] = []

    def given_names(self) -> Collection[str]:
        return self.given.names

    def sets_all_variables(self) -> bool:
        return False  # the controller, a folder and an agent may set more

    def joins(self) -> bool:
        if "mqsc" in self.text and CHOICES.search(self.text) is not None:
            return True
        return gives_values(self.text)

    def faults(self) -> Iterator[Diagnostic]:
        """Yield those of shells, and of texts in double quotes once the scripts were read."""
        yield from super().faults()
        yield from self.found

    def awaited(self) -> Iterator[tuple[str, int]]:
        """Yield the steps whose script Groovy makes, once the scripts were read."""
        yield from (("", at) for at in self.made)

    def blocks(self) -> Iterator[Block]:
        """Yield each script; it has a border if its host was chosen after another script."""
        at, match = 0, _PIECE.search(self.text)
        while match is not None:
            at = match.end()
            piece = match.group()
            if piece in ("/*", "'''", '"""'):
                at = self.after("*/" if piece == "/*" else piece, at)
            elif piece in _STRINGS:
                at = self.after_string(piece, at)
            elif piece in _STEPS:
                found = _SH.match(self.text, match.start())
                end = -1 if found is None else self.closing(found[1], found.end())
                if found is not None and end >= 0:
                    yield self.script(_STEPS[piece], found[1], found.end(), end)
                    at = end + len(found[1])
                elif _MADE.match(self.text, match.start()) is not None:
                    self.made.append(match.start())
            else:
                self.follow(piece, match.start())
            match = _PIECE.search(self.text, at)

    def after_string(self, quote: str, at: int) -> int:
        """Return the offset after a string that begins before `at`; `at` if its line has no end."""
        if at > self.unclosed[quote]:
            found = _STRINGS[quote].match(self.text, at)
            if found is not None and found["end"]:
                return found.end()
            self.unclosed[quote] = at if found is None else found.end()
        return at

    def follow(self, piece: str, at: int) -> None:
        """Read a brace, or a word that gives the next brace a meaning."""
        if piece == "{":
            if self.word == "post":
                self.always = self.braces[-1]
            maybe = self.braces[-1] or (bool(self.word) and self.word not in _HARMLESS)
            self.braces.append(self.always if self.word == "always" else maybe)
            self.word = ""
        elif piece == "}":
            if len(self.braces) > 1:
                self.braces.pop()
            self.word = ""
        elif piece[0] not in "'\"/":
            if piece == "when":
                self.braces[-1] = True
            if piece in _PLACES and self.begun:
                self.border = at
            self.word = piece

    def script(self, language: str, quote: str, start: int, end: int) -> Block:
        """Take the script between `start` and `end`; Groovy puts values into double quotes."""
        inner = self.text[start:end]
        if quote[0] == '"':
            self.found += (
                expansion_fault(start + found.start(), found.group(), _AS_GROOVY)
                for found in _SYS.finditer(inner)
            )
        maybe = self.braces[-1] or (bool(self.word) and self.word not in _HARMLESS)
        border, self.border, self.word, self.begun = self.border, -1, "", True
        is_stripped = _STRIPPED.match(self.text, end + len(quote)) is not None
        source = _without_margin(inner, start) if is_stripped else mapped_at(inner, start)
        given = self.given.at(start)
        if quote[0] == '"':
            source = source.sub(
                _GROOVY,
                lambda found: given.values.get(found[1] or "", PLACEHOLDER * len(found[0])),
            )
        if "\\" in inner:
            source = source.sub(_ESCAPED, lambda found: _LETTERS.get(found[1], found[1]))
        block = Block(source, maybe, border, language=language, given=given, is_alone=True)
        # Source: "sh: Shell Script" in the reference of Jenkins, unless a line begins with #!.
        block.ends_on_fault = language == "shell" and not inner.lstrip().startswith("#!")
        return block

    def closing(self, quote: str, start: int) -> int:
        """Return the end of a string, -1 if it has none, or none in its line."""
        if len(quote) == 1:
            found = _STRINGS[quote].match(self.text, start)
            return -1 if found is None or not found["end"] else found.end() - 1
        return self.text.find(quote, start)

    def after(self, sign: str, at: int) -> int:
        end = self.text.find(sign, at)
        return len(self.text) if end < 0 else end + len(sign)


def _without_margin(text: str, at: int) -> MappedText:
    """A text at an offset without the blanks that all its lines begin with (stripIndent)."""
    lines = text.splitlines(keepends=True)
    written = [line for line in lines if line.strip()]
    margin = min((len(line) - len(line.lstrip(" \t")) for line in written), default=0)
    builder = MappedTextBuilder()
    for line in lines:
        cut = min(margin, len(line) - len(line.lstrip(" \t")))
        builder.add(line[cut:], at + cut)
        at += len(line)
    return builder.finish(at)
