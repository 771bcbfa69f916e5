"""Words of a command as operands and options of a step, at their places in the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mqlint.compact import recent
from mqlint.dataclass import frozen
from mqlint.language.ini.parser import holds_secret
from mqlint.language.mqsc.language import MQSC_ENDINGS
from mqlint.language.mqsc.value import Secret
from mqlint.language.script.command import Command, Word
from mqlint.language.script.control import FormOption
from mqlint.language.script.files.path import below_unknown_manager
from mqlint.language.script.files.touched import FileCommand, option_names
from mqlint.language.script.step import StepOption, StepPath, StepWord
from mqlint.language.text.mapped import MappedText
from mqlint.language.text.templates import PLACEHOLDER, is_filled_in, is_known
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.source.masking import is_hidden
from mqlint.vocabulary.control import ControlSpec
from mqlint.vocabulary.unknown import UNKNOWN, Unknown

_NOWHERE = frozenset({"/dev/null", "nul"})
_PATTERN = later(r"[*?]|\[.{1,200}\]")
_FILE = later(
    r"(?i)(?:\$\{?|%|@|\{\{ ?)\w{0,60}(?:(?<!pro)file|script)_?(?:name|path)?(?:\}|%|@| ?\}\})?"
)
"""A variable, or what a tool fills in, that is called a file."""


_KEYS_OF = frozenset({"db", "target", "keystore"})
"""Options for the file of keys, of which the part below the queue manager's folder is kept."""


@frozen
class Binder:
    """Binds the words of one text; `source` maps the text to the file.

    `globs` is true if the shell replaces patterns by names of files.
    """

    source: MappedText
    globs: bool

    def span(self, words: Sequence[Word], of: Sequence[Word] = ()) -> Span:
        """Return the place of some words in the file, which begin the command `of`.

        What a variable holds beyond the length of its name is at the end of the name, so it takes
        the last character of it. A value that is kept where make sets it, before the command, does
        not belong to its place.
        """
        start, end = self.source.host(words[0].start), self.source.host(words[-1].end)
        end = end if end >= start else self.source.host(words[0].end)
        after = self.source.host(of[-1].end) if of else end
        after = after if after >= start else end
        return min(start, after - 1), end

    def word(self, word: Word, offset: int = 0) -> StepWord:
        """Bind one word, or the part of it from `offset`."""
        start = word.mapped.host(offset) if offset else word.start
        span = (self.source.host(start), self.source.host(word.end))
        globs = self.globs and _is_pattern(word)
        text = word.text[offset:]
        is_open = not word.known or is_filled_in(text)
        return StepWord(UNKNOWN if is_open else recent(text), span, globs)

    def operand(self, spec: ControlSpec, word: Word) -> StepWord:
        """Bind one operand; of runmqsc, the name of a variable that is called a file is kept."""
        bound = self.word(word)
        variable = self.source.text[word.start : word.end][:200].strip("\"'")
        if spec.action != "mqsc" or bound.value is not UNKNOWN or not _FILE.fullmatch(variable):
            return bound
        return StepWord(recent(variable), bound.span, bound.globs)

    def option(
        self,
        spec: ControlSpec,
        words: Sequence[Word],
        option: FormOption,
        printed: Sequence[Word] = (),
    ) -> StepOption:
        """Bind one option of a control command; the value of a password is not kept.

        `printed` are the words of `$(echo ...)`, which may be a password.
        """
        word, name = words[option.word], recent(option.name)
        span = self.span([word])
        if option.value < 0:
            return StepOption(name, None, span, known=option.known)
        bound = self.word(words[option.value], option.offset)
        value: str | Unknown = bound.value
        text = words[option.value].text[option.offset :]
        key = text.partition("=")[0].strip("\"'") if name in spec.inserts and "=" in text else ""
        key = recent(key) if is_known(key) else ""
        if name in _KEYS_OF and value is UNKNOWN:
            value = recent(below_unknown_manager(text)) or UNKNOWN
        if name in spec.secret and _is_output(words[option.value], printed):
            literal = Secret.of(printed[-1].text) if is_hidden(printed[-1].text) else UNKNOWN
            return StepOption(name, literal, span, self.span(printed), option.known)
        if name in spec.secret:
            value = Secret.of(text) if is_hidden(text) else UNKNOWN  # a template, or not masked yet
        elif name in spec.inserts and holds_secret(key):
            value = Secret.of(text)
        return StepOption(name, value, span, bound.span, option.known, bound.globs, key)

    def file_options(self, touching: FileCommand, name: str) -> Iterator[StepOption]:
        """Yield the options of the file command `name`, one for each letter of a bundle."""
        for word, after in touching.options:
            span = self.span([word])
            for option, value in option_names(name, word.text):
                if after is None:
                    yield StepOption(option, value, span)
                else:
                    bound = self.word(after)
                    yield StepOption(option, bound.value, span, bound.span)

    def paths(self, touching: FileCommand) -> Iterator[StepPath]:
        """Yield the paths of a file command that lead to a queue manager's files."""
        for touched in touching.touched:
            yield StepPath(touched.path, touched.leads_to.part, self.span([touched.word]))


def printed_text(command: Command) -> Sequence[Word]:
    """Return the words that the only substitution of a command prints, if they are literal."""
    inner = command.substitution.only if command.substitution is not None else None
    if inner is None or not inner.words or inner.words[0].text not in ("echo", "printf", "print"):
        return ()
    words = inner.words[1:]
    return words if all(word.known or is_hidden(word.text) for word in words) else ()


def _is_output(word: Word, printed: Sequence[Word]) -> bool:
    """Whether a word is the substitution that prints these words: `"$(echo secret)"`."""
    return bool(printed) and 0 < printed[0].start - word.start <= len('"$(printf  ')


def _is_pattern(word: Word) -> bool:
    """Return whether a word has `*`, `?` or `[...]` outside quotes."""
    return not word.quoted and _PATTERN.search(word.text[:200]) is not None


_MOVES = later(r"\b(?:cd|chdir|pushd)\b")
_SEARCHED = 100_000
"""In texts of how many characters other uses of a file are looked for."""


def where_output_goes(command: Command) -> str:
    """Return `discarded`, `kept` (in a file), `captured`, or blank if the script does not say."""
    if command.captured:
        return "captured"
    if not command.outputs:
        return ""
    gone = all(word.text.lower() in _NOWHERE for word in command.outputs)
    return "discarded" if gone else "kept"


def output_folder(command: Command) -> str:
    """Return the folder of the last file that output is written to.

    The name of the file itself may depend on running. If the folder does, the part of it that is
    known, with a slash at its end; blank for none.
    """
    files = [word for word in command.outputs if word.text.lower() not in _NOWHERE]
    file = files[-1].text.strip("\"'") if files else ""
    folder = file.rpartition("\\" if "\\" in file and "/" not in file else "/")[0]
    if is_known(folder):
        return folder
    above, sign, _ = folder.partition(PLACEHOLDER)[0].rpartition("/")
    return above + sign if is_known(above) else ""


def output_replaced(command: Command, text: str) -> str:
    """Return the file that the output replaces and that no other command of the `text` names.

    Blank if there is none, if it depends on running or on the folder that a command changes to, or
    if the text is very long.
    """
    files = [word for word in command.outputs if word.text.lower() not in _NOWHERE]
    if (
        len(files) != 1
        or not files[0].text
        or not files[0].known
        or command.appends
        or len(text) > _SEARCHED
    ):
        return ""
    if _MOVES.search(text) is not None and not files[0].text.startswith("/"):
        return ""
    before = text.split(files[0].text)[:-1]
    is_used = any(not piece.rstrip(" \t\"'").endswith(">") for piece in before)
    return "" if is_used else files[0].text


def queue_manager_of(
    spec: ControlSpec, options: Sequence[StepOption], operands: Sequence[StepWord]
) -> str | None:
    """Return the queue manager that a command names, None if it is not known."""
    value = next(reversed(_naming(spec, options, operands)), None)
    return value if isinstance(value, str) and value else None


def _naming(
    spec: ControlSpec, options: Sequence[StepOption], operands: Sequence[StepWord]
) -> list[str | Unknown | None]:
    """The words that may name the queue manager, of which the last one counts."""
    if spec.queue_manager == "operand":
        reads = spec.name == "runmqsc"
        return [word.value for word in operands if not (reads and _is_file(word.value))]
    if spec.queue_manager == "second":
        # amqmdain reg NAME, amqmdain qmgr start NAME
        at = 2 if operands and operands[0].value == "qmgr" else 1
        return [word.value for word in operands[at : at + 1]]
    if spec.queue_manager == "Name":
        settings = (option.value for option in options if option.name in spec.inserts)
        pairs = (setting.partition("=") for setting in settings if isinstance(setting, str))
        return [value for key, sign, value in pairs if key == "Name" and sign]
    return [option.value for option in options if option.name == spec.queue_manager]


def leaves_out_queue_manager(
    spec: ControlSpec, options: Sequence[StepOption], operands: Sequence[StepWord]
) -> bool:
    """Whether a command that is about one queue manager does not name it, so takes the default."""
    if spec.queue_manager in ("none", "Name"):
        return False
    if spec.queue_manager in ("operand", "second"):
        return len(operands) <= (spec.queue_manager == "second")
    return not any(option.name == spec.queue_manager for option in options)


def _is_file(value: str | Unknown) -> bool:
    """Return whether a word is a file of MQSC without its `<`, and not a queue manager."""
    if not isinstance(value, str):
        return False
    return value.lower().endswith(MQSC_ENDINGS) or _FILE.fullmatch(value) is not None


def first_line_apart(mapped: MappedText) -> tuple[tuple[int, int], MappedText]:
    """Return the place of the first line, and the text after it.

    The line is the password for `runmqsc -u`.
    """
    line = mapped.text.find("\n")
    cut = len(mapped.text) if line < 0 else line + 1
    password = (mapped.host(0), mapped.host(max(cut - 1, 0)) + (line < 0))
    segments = tuple(
        (max(at, cut) - cut, mapped.host(max(at, cut))) for at, _ in _segments_beyond(mapped, cut)
    )
    return password, MappedText(mapped.text[cut:], segments, mapped.end)


def _segments_beyond(mapped: MappedText, cut: int) -> Iterator[tuple[int, int]]:
    borders = [*(at for at, _ in mapped.segments[1:]), len(mapped.text)][: len(mapped.segments)]
    return (segment for segment, end in zip(mapped.segments, borders, strict=True) if end > cut)
