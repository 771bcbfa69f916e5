"""Words of a shell: plain text, quotes, escapes, comments, and the values of variables."""

from __future__ import annotations

from abc import abstractmethod

from mqlint.language.script.command import WordBuilder, passed_over
from mqlint.language.script.here_document import Finder
from mqlint.language.script.input.printed import ESCAPED, unescaped
from mqlint.language.script.posix.bindings import Bindings
from mqlint.language.script.posix.frames import Scope, ShellFrame
from mqlint.language.script.posix.own_folder import folder_at
from mqlint.language.script.scanner import CommandScanner
from mqlint.language.text.templates import FILLED_IN, PLACEHOLDER
from mqlint.patterns import later
from mqlint.source.budget import Budget

_PLAIN = later(rf"{FILLED_IN}|(?:[^\s\\'\"`$;&|<>()#{{]|(?!{FILLED_IN})\{{)+")
"""Text without a meaning for the shell."""
_SPLIT = later(rf"(?:{FILLED_IN}|\S)++")
"""A word that the shell makes of a value."""
_QUOTED = later(r'[^"\\`$]+')
_BLANKS = later(r"[^\S\n]+")
_EXPANSION = later(r"\$(?:([A-Za-z_]\w*|[0-9*])|\{([A-Za-z_]\w*|[0-9]{1,3}|\*)\}|[@#?!$-])")
_BRACES = later(r"\\.|\$\{|\}|\n")
_RUNS = later(r"\$\(|`|(?<=\$\{)[ \t\n|]")
"""The beginning of code in `${...}`; a blank or a bar there begins a command (bash 5.3, ksh93)."""
_LONGEST_EXPANSION = 1_000
_DEEPEST_EXPANSION = 20
_NO_WORDS = later(r"[\\'\"`$*?\[(\n]")
"""Characters of a value that a shell does not simply split at blanks."""


class WordScanner(CommandScanner):
    """Reads the words of a script in the open frame.

    The scanner of commands decides what ends a word, and what a word is for. `last_quote` is where
    the last quoted text begins, and `in_last_quote` is true if the script ends before it does.
    `swapped` is where the first text begins that ends with a mark that seems to open one, or -1.
    `left_open` says at the end what the script does not close, blank for nothing. `exited` is where
    an `exit` ends it in any case, -1 if none does.
    """

    def __init__(self, text: str, budget: Budget, bindings: Bindings) -> None:
        """`bindings` are the variables of the script."""
        super().__init__(text, budget)
        self.frame = ShellFrame("top", [Scope(names=None)])
        self.finder = Finder(text)
        self.bindings = bindings
        self.values = bindings.values
        self.last_quote = 0
        self.in_last_quote = False
        self.swapped = -1
        self.left_open = ""
        self.exited = -1

    @abstractmethod
    def end_word(self, at: int) -> None:
        """Finish the word being read and give it to its command."""

    @abstractmethod
    def newline(self, at: int) -> int:
        """End the line's command."""

    @abstractmethod
    def operator(self, char: str, at: int) -> int:
        """Read a sign that ends a word, and may end a command."""

    @abstractmethod
    def push(self, kind: str, at: int) -> int:
        """Open a substitution, and return where to go on."""

    @abstractmethod
    def pop(self, at: int) -> None:
        """Close it again."""

    @property
    def open_quote(self) -> int:
        """Where the text in quotes begins that a script seems not to close."""
        return self.last_quote if self.swapped < 0 else self.swapped

    def close_quote(self, start: int, end: int) -> None:
        """Note a text of several lines whose last mark is before a word, as an opening one is."""
        if (
            self.swapped < 0
            and self.text[end - 1] in " \t="
            and self.text.find("\n", start, end) > 0
        ):
            following = self.text[end + 1 : end + 2]
            if following.isalnum() or following in (".", "/", "$"):
                self.swapped = start

    def builder(self, at: int, quoted: bool = False) -> WordBuilder:
        """Return the word being read, begun at `at` if there is none."""
        word = self.frame.word
        if word is None:
            word = self.frame.word = WordBuilder(at)
        if quoted:
            word.quoted = True
        return word

    def plain(self, at: int) -> int:
        match = _PLAIN.match(self.text, at)
        if match is not None:
            self.builder(at).add(match.group(), at)
            at = match.end()
        blanks = _BLANKS.match(self.text, at)
        if blanks is not None or at == len(self.text):  # a loop that ends here may go on
            self.end_word(at)
        if blanks is not None or match is not None:
            return at if blanks is None else blanks.end()
        char = self.text[at]
        if char == "\n":
            return self.newline(at)
        if char == "#":
            return self.hash(at)
        if char in "\\'\"`$":
            return self.special(char, at)
        return self.operator(char, at)

    def hash(self, at: int) -> int:
        """Read a comment, or a hash inside a word."""
        if self.frame.word is not None:
            self.builder(at).add("#", at)
            return at + 1
        end = self.text.find("\n", at)
        return len(self.text) if end < 0 else end

    def special(self, char: str, at: int) -> int:
        """Read a quote, an escape or an expansion."""
        if char == "'":
            end = self.text.find("'", at + 1)
            tick = self.finder.next("`", at) if self.frame.kind == "backtick" else -1
            if at < tick < (end if end >= 0 else len(self.text)):
                self.builder(at, quoted=True).add(self.text[at + 1 : tick], at + 1)
                return tick  # nothing goes on after the backquote that ends the command
            if end < 0:
                end, self.last_quote, self.in_last_quote = len(self.text), at, True
            self.close_quote(at, end)
            self.builder(at, quoted=True).add(self.text[at + 1 : end], at + 1)
            return end + 1
        if char == '"':
            self.builder(at, quoted=True)
            self.frame.in_quotes, self.last_quote = True, at
            return at + 1
        if char == "\\":
            following = self.text[at + 1 : at + 2]
            if following == "\r" and self.text.startswith("\n", at + 2):
                return at + 3
            if following == "`" and self.frame.kind == "backtick":
                return self.nested(at)
            if following != "\n":
                self.builder(at, quoted=True).add(following, at + 1)
            return at + 2
        return self.expansion(char, at)

    def nested(self, at: int) -> int:
        """Pass over a command between backquotes with backslashes, which is inside of another."""
        end = self.finder.after("\\`", at + 2)
        self.builder(at).add(PLACEHOLDER, at, 1)
        self.ended += passed_over(self.text, at + 2, end)
        return end

    def quoted(self, at: int) -> int:
        match = _QUOTED.match(self.text, at)
        if match is not None:
            self.builder(at).add(match.group(), at)
            return match.end()
        char = self.text[at]
        if char == '"':
            self.frame.in_quotes = False
            self.close_quote(self.last_quote, at)
            return at + 1
        if char == "\\":
            following = self.text[at + 1 : at + 2]
            if following == "`" and self.frame.kind == "backtick":
                return self.nested(at)
            if following in ("\\", '"', "$", "`"):
                self.builder(at).add(following, at + 1)
            elif following != "\n":
                self.builder(at).add(self.text[at : at + 2], at)
            return at + 2
        return self.expansion(char, at)

    def expansion(self, char: str, at: int) -> int:
        folder = folder_at(self.text, at)
        if folder is not None:
            end, path = folder
            self.builder(at).add(path, at, end - at)
            return end
        if char == "`":
            if self.frame.kind == "backtick":
                self.pop(at)
                return at + 1
            self.builder(at).add(PLACEHOLDER, at, 1)
            return self.push("backtick", at + 1)
        match = _EXPANSION.match(self.text, at)
        if match is not None:
            name = match[1] or match[2] or ""
            if name == "IFS" and not self.frame.in_quotes and name not in self.bindings.assigned:
                self.end_word(at)  # it stands for a blank
                return match.end()
            value = self.values.expanded(name)
            if value is not None and self.are_words(value):
                return self.several_words(value, at, match.end())
            if value is None or not (self.frame.in_quotes or _SPLIT.fullmatch(value)):
                value = PLACEHOLDER
            self.builder(at).add(value, at, match.end() - at)
            return match.end()
        following = self.text[at + 1 : at + 2]
        if following == "'" and not self.frame.in_quotes:
            return self.escaped(at)
        if following == '"' and not self.frame.in_quotes:  # translated, which MQSC never is
            return at + 1
        if following not in ("{", "("):
            self.builder(at).add("$", at)
            return at + 1
        return self.bracketed(following, at)

    def are_words(self, value: str) -> bool:
        """Whether the shell makes several words of a value, as the command or its options."""
        if self.frame.in_quotes or self.frame.word is not None or self.frame.redirect:
            return False
        return len(_SPLIT.findall(value)) > 1 and _NO_WORDS.search(value) is None

    def several_words(self, value: str, at: int, end: int) -> int:
        """Read a variable that several words replace."""
        words = _SPLIT.findall(value)
        for number, word in enumerate(words, 1):
            self.builder(at).add(word, at, end - at)
            if number < len(words):
                self.end_word(end)
        return end

    def escaped(self, at: int) -> int:
        """Read `$'...'`, in which a backslash begins a character that cannot be typed."""
        word = self.builder(at, quoted=True)
        at += 2
        while at < len(self.text):
            match = ESCAPED.match(self.text, at)
            piece = match.group() if match is not None else "\\"
            if piece == "'":
                return at + 1
            word.add(unescaped(piece) if piece[0] == "\\" else piece, at, len(piece))
            at += len(piece)
        return at

    def bracketed(self, opening: str, at: int) -> int:
        """Read `${...}`, `$((...))` or the start of `$(...)`."""
        self.builder(at).add(PLACEHOLDER, at, 1)
        if opening == "{":
            end = self.after_braces(at + 2)
            if _RUNS.search(self.text, at + 2, end) is not None:  # `${NAME:-$(...)}`
                self.ended += passed_over(self.text, at + 2, end)
            return end
        if self.text.startswith("$((", at):
            end = self.finder.after("))", at + 3)
            if end > at + 3:
                self.ended += passed_over(self.text, at + 3, end - 2)
                return end
        return self.push("substitution", at + 2)

    def after_braces(self, at: int) -> int:
        """Return the offset after `${...}` of a line, which may hold others; `at` begins its name.

        Without its end among the next characters, or with too many others in it, the first brace
        is taken for it.
        """
        depth = 1
        for found in _BRACES.finditer(self.text, at, at + _LONGEST_EXPANSION):
            depth += 1 if found[0] == "${" else -1 if found[0] == "}" else 0
            if found[0] == "\n" or depth > _DEEPEST_EXPANSION:
                break
            if not depth:
                return found.end()
        return self.finder.after("}", at)
