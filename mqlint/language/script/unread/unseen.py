"""Texts that a shell runs and that no file of the project shows.

They are downloaded, decoded, unpacked or made while the script runs. What made such a text does not
matter: only a text that is in the script itself, or the file that the script names, is known.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from mqlint.language.script.calls.wrappers import SHELLS, is_settings_file
from mqlint.language.script.command import Command, Word, base_name, operands_of
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later
from mqlint.vocabulary.container import CONFIGURATION_FOLDER

_EVALUATING = frozenset({"iex", "invoke-expression"})
_WINDOWS_SHELL = later(r"(?:powershell|pwsh)(?:_ise)?")
_ONLY_OPTIONS = later(r"(?i)(?:[ ]|/(?:[adqsu]|[efv]:(?:on|off))|-no\w+)*+")
"""Options of cmd and PowerShell without a script."""
_EVALUATES = later(
    r"(?i)\b(?:iex|invoke-expression)\b|\bscriptblock\]::create\b|\A-e(?:nc\w*|c)?\Z"
)
_INTERPRETER = later(r"(?:python|perl|ruby|node|php|pwsh|powershell)[\d.]*")
_STDIN = ("-", "/dev/stdin")
_PRINTS_SETTINGS = later(
    r"(?:(?:^|[/_.-])(?:env|(?:ssh|gpg)-agent|keychain|dircolors|lesspipe|getopt)"
    r"|^(?:[a-z]{2,12}env|completions?))$|@sh\b"
)
"""Words of commands that print settings for a shell, as their manuals ask to evaluate."""
_FOR_SHELL = frozenset({"init", "hook", "activate"})
"""Words before the name of the shell, or `-`, for which a program prints its settings."""
_DOWNLOADS = frozenset(
    "curl wget invoke-webrequest iwr invoke-restmethod irm start-bitstransfer certutil".split()
)
_COPIES = frozenset("scp rsync aws gsutil gcloud azcopy git svn hg".split())
_FROM_OTHER = later(r"[a-z0-9+]{1,10}://|[^/]{1,100}:")
_SCRIPT = later(r"(?i)\.(?:(?:ba|k|z|da|c)?sh|ps1|bat|cmd)\Z")
_OF_SYSTEM = later(
    r"/etc/|(?:/usr)?/lib/|/usr/share/|(?:[^\n]*/)?(?:\.[^/\n]+|setmqenv|\w{0,20}profile)\Z"
)
_OF_PRODUCT = later(r"/(?:opt|usr)/")
_INSTALLED = later(r"/opt/mqm[^/\n]*/bin/")
_PROGRAM = later(r"\A[^/\\]+\Z|[/\\]s?bin[/\\]")
_ENDING = later(r"\.([A-Za-z]{1,10})\Z")
_BLOCK = later(
    r"(?i)\(*+\[scriptblock\]::create"
    r"|\([^\n]{0,200}?(?:-(?:f|join|replace)\b|\[char\]|\.(?:replace|substring)\()"
)
_BLANK = f"{PLACEHOLDER} \t\r\n\"';"
_VARIABLE = later(r"[\"']?\$(?:(\w{1,60})|\{(\w{1,60})\})[\"']?")
_USED = later(r"\$\{?[!#]?(\w{1,60})")
_ASSIGNED = later(r"(?<![\w$])(\w{1,60})=[\"']?([^\s\"';)&|]{0,80})")
_ANSWER = later(r"\A\Z|(?:\A|:-)(?:true|false)\b")
_POSITIONAL = later(r"[\"']?(?:\$\{?[@*1-9]\}?[\"' ]*)+\Z")


def is_blank(text: str) -> bool:
    """Whether nothing of a text is known; one without characters is known."""
    return PLACEHOLDER in text and not text.strip(_BLANK)


class RunVariables:
    """The variables of a script that are commands; `text` is the script's.

    The readers of its functions share it, so that the text is searched once.
    """

    def __init__(self, text: str) -> None:
        self._text = text

    def may_be_command(self, written: str) -> bool:
        """Whether a word may be a whole command: neither an argument, nor `true` or `false`."""
        if self._is_blank:  # noted with the command that runs it
            return False
        found = _VARIABLE.fullmatch(written)
        name = "" if found is None else found[1] or found[2]
        return not is_argument(written) and name not in self._answers

    def uses(self, name: str) -> bool:
        """Whether the script has the value of a variable anywhere: `$NAME`, `${NAME...}`.

        What bash runs at prompts is read as a text of its own.
        """
        return name == "PROMPT_COMMAND" or name in self._used

    @cached_property
    def _used(self) -> frozenset[str]:
        return frozenset(_USED.findall(self._text))

    @cached_property
    def _is_blank(self) -> bool:
        return is_blank(self._text)

    @cached_property
    def _answers(self) -> frozenset[str]:
        """The variables whose values are all `true` or `false`."""
        found: dict[str, bool] = {}
        for name, value in _ASSIGNED.findall(self._text):
            found[name] = found.get(name, True) and _ANSWER.search(value) is not None
        return frozenset(name for name, is_answer in found.items() if is_answer)


def is_argument(written: str) -> bool:
    """Whether a word is the arguments of a script or function, which its caller knows."""
    return _POSITIONAL.match(written) is not None


def prints_settings(command: Command | None) -> bool:
    """Whether a command is known to print settings of the shell that evaluates its output."""
    words = command.words if command is not None else ()
    if not words or base_name(words[0].text).lower() in _DOWNLOADS:
        return False
    if any(
        word.text in _FOR_SHELL and (following.text in SHELLS or following.text == "-")
        for word, following in pairwise(words)
    ):
        return True
    return any(
        _PRINTS_SETTINGS.search(word.text) is not None or is_settings_file(word.text)
        for word in words
    )


def is_interpreter(name: str) -> bool:
    return _INTERPRETER.fullmatch(name) is not None


def reads_program(name: str, words: Sequence[Word]) -> bool:
    """Whether an interpreter, or a shell of Windows, reads its program from its input."""
    if is_windows_shell(name):
        options = " ".join(word.text for word in words[1:])
        return words[-1].text == "-" or _ONLY_OPTIONS.fullmatch(options) is not None
    return is_interpreter(name) and all(word.text in _STDIN for word in words[1:])


def is_windows_shell(name: str) -> bool:
    """Whether a command is cmd or PowerShell."""
    return name.lower() == "cmd" or _WINDOWS_SHELL.fullmatch(name.lower()) is not None


def is_given_unknown(words: Sequence[Word]) -> bool:
    """Whether words give a shell or an interpreter a program text that is not known."""
    runs = False
    for word, following in pairwise(words):
        if runs and word.text in ("-c", "-e") and is_blank(following.text):
            return True
        name = base_name(word.text)
        runs = runs or name in SHELLS or is_interpreter(name)
    return False


def evaluates(name: str, words: Sequence[Word]) -> bool:
    """Whether a command of PowerShell runs a text that is not one string in the script."""
    if name in _EVALUATING:
        return len(words) != 2 or not (words[1].quoted and words[1].known)
    if _WINDOWS_SHELL.fullmatch(name) is None:
        return False
    return any(_EVALUATES.search(word.text) is not None for word in words[1:])


def fetched(name: str, words: Sequence[Word]) -> Iterator[Word]:
    """Yield words of a command that may name what it gets from another host."""
    if name not in _DOWNLOADS and name not in _COPIES:
        return
    operands = operands_of(words[1:])
    if name in _COPIES:
        places = (at for at, word in enumerate(operands) if _FROM_OTHER.match(word.text))
        first = next(places, len(operands))
        operands = operands[first:]
        if len(operands) < 2 and name not in ("git", "svn", "hg"):
            return
    yield from operands


def is_configuration(name: str) -> bool:
    """Whether a file is in the folder whose MQSC a container runs."""
    return name.startswith(f"{CONFIGURATION_FOLDER}/")


def makes_block(text: str, at: int) -> bool:
    """Whether PowerShell makes a block, or the name of a command: `& ([scriptblock]...`."""
    return _BLOCK.match(text, at) is not None


def is_no_script(name: str) -> bool:
    """Whether a file that a shell reads has the ending of another kind of file: `steps.txt`."""
    is_other = _ENDING.search(name) is not None and not is_script_file(name)
    return is_other or name.startswith("/dev/")


def is_of_system(name: str) -> bool:
    """Whether a file comes with the system or a product, or is the settings of a user."""
    is_of_product = _OF_PRODUCT.match(name) is not None
    return _OF_SYSTEM.match(name) is not None or (is_of_product and is_settings_file(name))


def is_of_product(name: str, commands: Collection[str]) -> bool:
    """Whether a script is one of MQ's own, such as mqlicense.sh, or `bash strmqweb`."""
    base = base_name(name).lower()
    is_command = base in commands or base.rpartition(".")[0] in commands
    return is_command or _INSTALLED.match(name) is not None


def is_fed_unseen(command: Command) -> bool:
    """Whether a program prints what a command reads: `awk ... | runmqsc`; a script is read too."""
    if command.piped is None or not command.piped.words:
        return False
    name = command.piped.words[0].text
    return not is_blank(name) and not may_be_script(name)


def is_script_file(name: str) -> bool:
    """Whether a command is a script by its ending."""
    return _SCRIPT.search(name) is not None


def may_be_script(name: str) -> bool:
    """Whether a command is a script in a folder, not a program that the path finds."""
    return is_script_file(name) or _PROGRAM.search(name) is None
