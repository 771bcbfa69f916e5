"""Commands of MQ that a script runs in a way that is not followed.

The report lists them, so that a text which is not judged is not taken for one without a fault. A
name of a command of MQ in a message, a comment, a search or a path is none. Commands that only
show do not count.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, chain, pairwise

from mqlint.language.mqsc.language import MQSC_ENDINGS, is_mqsc
from mqlint.language.script.command import Command, Word, base_name
from mqlint.language.script.unread.mentions import (
    ACTING,
    may_name_command,
    mqsc_in_code,
    splits_command,
    without_line_signs,
)
from mqlint.language.script.unread.unseen import is_interpreter
from mqlint.language.text.shell_pattern import matches_glob
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.source.masking import hidden_stretches
from mqlint.vocabulary.control import ControlSpec

_SAMPLE = "amqs"
_PRINTERS = ("echo", "printf")
_FINDERS = frozenset("which type whence command realpath readlink whereis where".split())
"""Commands that print the path of another one."""
_ABOUT = frozenset(
    "case select function which where whereis type hash man help file strings ldd ln alias visudo"
    " setcap getcap pkill killall pidof service chkconfig systemctl rpm apk pip npm brew choco"
    " install update-alternatives get-command gcm where.exe command".split()
)
"""Commands that are about a command, and do not run it."""
_TAKES_TEXT = frozenset(
    ": true cat tee read mapfile readarray grep egrep fgrep sed tr cut sort uniq head tail wc diff"
    " patch column fold fmt nl less more mail mailx mutt sendmail logger wall base64 gzip openssl"
    " sha256sum md5sum jq yq xmllint curl wget git gh dd cp envsubst while done".split()
)
"""Commands that show, search, change, send or keep the text of their input."""
_PASSES_ON = frozenset(
    "gtar man nc ncat netcat rsync scp sftp sort split systemctl tar telnet xz zip".split()
)
"""Commands that may run a text among their words, or send their input to a host."""
_SUBSCRIPTED = frozenset("[ declare let local printf read test typeset unset".split())
"""Commands of bash that evaluate the subscripts of variables that they name."""
_OF_GIT = frozenset(
    "config bisect submodule rebase filter-branch difftool mergetool"
    " clone fetch pull push remote ls-remote archive".split()
)
"""What git does that may run a text among the words after it."""
SPEAKS = later(
    r"(?i)(?:^|[_.-])(?:echo|print|write|log|say|show|msg|message|die|fail|abort|exit|err|warn|info"
    r"|debug|note|notice|usage|banner|title|head|step|desc|comment|test|assert|check|require|need|help"
    r"|has|have|is)|echo"
)
"""Parts of the names of functions that print their words, or look for a program."""
_PROSE = later(
    r"(?i)\b(?:fail(?:ed|ure|s)?|errors?|rc|return(?:ed|s)?|success\w{0,5}|complete\w?|not|is|was"
    r"|has|the|with|of|please|must|should|can|cannot)\b"
)
_SHELL_FILES = (
    *(".sh", ".ksh", ".bash", ".profile", ".bashrc", ".bash_profile", ".kshrc", ".zshrc"),
    *(".bash_login", ".bash_logout", ".zlogin", ".zlogout", ".zprofile", ".zshenv", ".xprofile"),
    *("/rc.local", ".service", ".desktop", ".timer", ".cron", ".cmd", ".bat", ".ps1"),
)
"""Ends of the names of files whose text is run later."""
_RUN_LATER = later(r"/(?:s?bin|init\.d|cron(?:tab)?s?(?:\.\w+)?)/[^/]+\Z|/etc/inittab\Z")
_NAMES_PROGRAMS = later(
    r"/etc/(?!motd|issue)(?:[^\n]{0,200}\.(?:conf|rules|ini|cfg)\Z"
    r"|[^.\n]{0,200}(?:\.d/[^./\n]{0,100})?\Z)|/\.ssh/"
)
"""Files of supervisors, udev, ssh and the like, which name programs after keys."""
_RENAMES = frozenset("cp install ln hash copy copy-item mklink mv move".split())
ALIASING = frozenset("alias set-alias new-alias sal nal".split()) | _RENAMES
"""Commands that give another one a name."""
_AWK = frozenset({"awk", "gawk", "mawk", "nawk"})
_PROGRAM_OPTIONS = ("f", "--file")
_PROGRAM_IN_INPUT = later(r"(?:-[a-zA-Z]{0,4}f|--file=)(?:-|/dev/stdin|/dev/fd/0)")
_HAS_PROGRAM = later(
    r"(?:bind|emacs|n?vim?|ex|socat|osascript|conman|lua|tclsh|jshell|groovy|jjs|mshta|rundll32"
    r"|[cw]script|npm|npx|virsh|tso|dbx|invoke-(?:cim|wmi)method)[\d.]*(?:\.exe)?"
)
"""Programs whose words may be a program in a language of their own, as those of interpreters."""
_COPIES = frozenset({"cp", "install"})
_IN_PLACE = later(r"-[nErsz]*i|--in-place")
_STDIN = ("-", "/dev/stdin", "/dev/fd/0")
_AT_TIMES = (
    r"(?<![\d*/,-])(?:[\d*/,-]++[ \t]+){3}(?:[\w*/,-]++[ \t]+){2,3}"
    r"|@(?:reboot|midnight|(?:hour|dai|week|month|year)ly)[ \t]"
    r"|[ \t]IN_[A-Z_,]{1,80}[ \t]|(?:\n|\A)\d{1,4}[ \t]+\d{1,4}[ \t]+[\w.-]{1,40}[ \t]"
)
"""The fields before a command in a crontab, with a user or without, an incrontab, an anacrontab."""
_OPENS = later(
    r"(?:[|;&\n`{]|\$\(|[(\[][\"']|\b(?:sudo|spawn|exec|system|then|do|else)"
    rf"|\n[ \t]*@|{_AT_TIMES}|\b(?:PROGRAM|program|xp_cmdshell|CMD|ENTRYPOINT|ext::)"
    r"|[ \t]-[a-z]{0,2}c[ \t]+[\"']"
    r"|\b[Cc][Mm][Dd](?:\.[Ee][Xx][Ee])?[ \t]+/[CcKk]"
    r"|\A(?:-{0,2}[\w./-]{1,40}=)?(?:\w{1,20}=)?(?:[:\\]?!|(?:host|\.?shell|\.system|RUN)[ \t])?"
    r")[\s\"'\\]*\Z"
)
"""What is before a command in a text of a shell or of a program.

The last are those of options (`--to-command=`, `ProxyCommand=`), vi, gdb and sqlite.
"""
_SIGNS_BEFORE = "|;&`{([=:>-"
_GAP = " \t\r\n\"'\\"
_WORD_BEFORE = later(
    r"\b(?:sudo|spawn|exec|system|then|do|else|CMD|RUN|COMMAND|SH|command_line|in-target)\Z|\$\(shell\Z"
    r"|\b(?:local_)?action[ \t]*[:=][ \t]*[\"']?(?:[\w.]{1,80}\.)?(?:win_)?"
    r"(?:command|shell|raw|script)\Z"
    r"|[\"']!\Z|(?:\n|\A)[ \t]*(?:[:\\]?!|host|\.?shell|\.system|e)\Z"
)
"""Words before a command; the last are those of ed, ex, ftp, psql, sqlplus, gdb and sed."""
_IN_AWK = later(r"[|({;\n][\s\"'\\]*\Z")
_PIPES_TO_SHELL = later(r"\|&?[ \t]*+\"(?:[^\"\n]{0,80}[/ \t])?(?:ba|k|z|da)?sh\b")
"""A program of awk that prints to a shell."""
_IN_PROGRAM = later(r"(?:\A|[^\w.-])\Z")
_IN_SED = later(r"(?:\A|[;{\n])[ \t]*+(?:(?:[\d$,]{1,20}|/[^/\n]{0,80}/)[ \t]*+)?e[ \t]+\Z")
_SED_RUNS = later(r"(?:(?:[\d$,]{1,20}|/[^/\n]{0,80}/)[ \t]*+)?e|s(\W).{0,200}\1\w{0,3}e\w{0,3}")
"""A program of sed that runs the lines it reads, or what it made of them."""
_IN_PATH = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$%{}:/\\-"
_STARTED = later(
    r"(?im)^[^#\n]*?(?:Process(?:\]::|\.)Start\(|\.FileName[ \t]*=|\$\{?alias:\w{1,60}\}?[ \t]*="
    r"|-item(?:[ \t]+-path)?[ \t]+alias:\w{1,60}(?:[ \t]+-value)?"
    r"|scriptblock\]::Create\(|\.ShellExecute\("
    r"|\.(?:Run|Exec|Create|Add(?:Script|Command)|InvokeScript|NewScriptBlock)\("
    r"|\bcommand(?:line|s)[ \t]*="
    r"|ProcessStartInfo(?:\]::new)?(?:[ \t]*+\()?)"
    r"[ \t]*+\\?[\"']?(?:[^\"'\n]{0,200}[\\/])?([a-z]\w{1,20})(?:\.exe)?\b"
)
"""The program of a process of .NET, WMI or a shell object."""
_BY_OBJECT = later(
    r"(?i)process|wscript|\.run\(|ssmcommand|powershell|\.invoke|\balias:|shellexecute|scriptblock\]"
)
_ARGUMENT = r"[ \t]+(?:-\w|[A-Z$%@{\"'<])"
_SIMPLE = r"(?:[ \t]+[a-z0-9][\w./%]{0,80}(?![\w./%])){1,2}"
"""The beginning of an argument that no prose has, and words that prose has too: `strmqm qm1`."""
_WORDS = (
    rf"(?:\.exe)?(?:[\"']?{_ARGUMENT}"
    rf"|{_SIMPLE}(?:{_ARGUMENT}|:?[\s\\]*\Z|[\s\\]*[\"'<|;>&\n`#,)\]}}]))"
)
_GOES_ON = later(
    rf"{_WORDS}|(?:\.exe)?(?:[\"'\\]*\s*(?:\Z|[<|;>&\n`])|[\"']\s*[,\])]|[\"']\s+\w{{1,40}}=)"
)
"""What is after it: its words, or the end."""
_NEXT_ITEM = later(r"[ \t]*,[ \t]*(?:-[A-Za-z]|(?!(?:MQ|IBM)\b)[A-Z$%{][^\s,\[\]]*[ \t]*[,\]])")
"""What is after it in a list of words without quotes: an option, or the name of a queue manager."""
_RUN_LIST = later(
    r"(?i)\b(?:command|cmd|entrypoint|argv)[\"']?[ \t]*+[:=][ \t]*+\[[ \t]*+[\w/.-]{0,80}\Z"
)
"""The beginning of a list of words that is run: `command: [strmqm, qm1]`."""
_RUNS_ARGUMENTS = later(
    r"(?m)(?:^|[;&|({`!]|\b(?:then|do|else|if|exec|sudo(?:[ \t]+-\w+[ \t]+\w+)?"
    r"|time|while|until)\b)[ \t]*[\"']?\$[\w{@*]"
    r"|\beval\b|[ \t]-[a-z]?c[ \t]"
)
"""A function that runs a variable."""
_REMARK = later(r"(?i)(?:[^\n]*?\s)?(?:#|//|<!--|REM\b)")
_FOR_PEOPLE = later(
    r"(?i)\b(?:\w{0,40}(?<!file)name|desc\w{0,20}|title|label|\w{0,20}msg|message|print\w{0,9}|summary|help"
    r"|comment|note|usage|about|notify|when|that|until|stage|echo)\b"
    r"[\"']?[ \t]*+(?:[:=(][ \t]*+)?[\"']?\Z"
)
"""The beginning of a line of a remark, and what is before a name or a text for people."""
_ALONE = later(r"[\w.]+[ \t]*+\r?(?:\n|\Z)")
"""A name that ends its line."""
_STATE = later(
    r"\bcmd\.(?:run|script|wait)\b[^\n]*\n[ \t]*-[ \t]*name[ \t]*:[ \t]*[\"']?[\w./-]{0,80}\Z"
)
"""A state of Salt, whose name is the command that it runs."""
_WITH_WORDS = later(_WORDS)
_INSTALLED = ("/mqm/bin/", "\\mq\\bin\\", "\\mq\\bin64\\")
"""The ends of folders with the commands of an installation, in lower case."""
_JOB = later(r"(?m)\A\s*//[^\n]*+\n(?:[^\n]*+\n)*?//\S{0,40}[ ]+EXEC[ ]+(?:PGM=)?CSQ\w")
"""A job of z/OS that runs a program of MQ."""
_FIELDS = later(r"(\w++)[^\w\s./\\()-][^\s()]")
"""A command and its words with a sign between them, which IFS removes: `strmqm,QM1`."""
_UNKNOWN = later(rf"{PLACEHOLDER}+")
_FAR = 120
_FARTHEST = 1_000
_BRACES = later(r"\{([^{}]{1,100})\}")
_GLOBS = later(r"[*?\[]")


@lru_cache(maxsize=8)
def names_of(commands: frozenset[str]) -> re.Pattern[str]:
    """Return a pattern of the names of some commands, each up to its end."""
    names = sorted(commands, key=len, reverse=True)
    return re.compile(r"(?:" + "|".join(map(re.escape, names)) + r")(?![\w-])")


def acting(commands: Mapping[str, ControlSpec]) -> frozenset[str]:
    """Return the commands of MQ that do something."""
    return frozenset(name for name, spec in commands.items() if spec.action != "query")


def run_in(text: str, commands: frozenset[str], *, opens: re.Pattern[str] = _OPENS) -> int:
    """Return the offset of a command of MQ that a text of a shell or a program runs, -1 for none.

    A text that is the name alone is none. `opens` finds what is before a command in the language.
    """
    return next(all_run_in(text, commands, opens=opens), -1)


def all_run_in(
    text: str,
    commands: frozenset[str],
    *,
    opens: re.Pattern[str] = _OPENS,
    anywhere: bool = False,
    foreign: bool = False,
) -> Iterator[int]:
    """Yield the offset of each of these commands.

    With `anywhere` the command may be the value of a key. If the language is `foreign`, a command
    with words of its own may be after anything.
    """
    if not may_name_command(text):
        return
    text = without_line_signs(text).replace(PLACEHOLDER, "$")
    alone = text.strip(" \t\n\"'")
    for found in names_of(commands).finditer(text):
        before = text[max(found.start() - _FAR, 0) : found.start()]
        if before[-1:].isalnum() or before[-1:] in ("_", ".", "-"):
            continue
        if before.endswith(("/", "\\")) and opens in (_OPENS, _IN_PROGRAM):
            before = before.rstrip(_IN_PATH)
        is_cut = found.start() > _FAR and not before.strip("\"'\\ \t\r\n")
        is_open = opens.search(before) is not None or (anywhere and _opens_value(before))
        if not is_open and anywhere and _WITH_WORDS.match(text, found.end()) is not None:
            near = text[max(found.start() - _FAR, 0) : found.start()]
            is_open = foreign or near.lower().endswith(_INSTALLED)
        if is_cut or not is_open:
            continue
        line = text[found.end() : found.end() + _FAR].partition("\n")[0]
        if before[before.rfind("\n") + 1 :].count("`") % 2:  # code in a line, or what `...` runs
            line = line.partition("`")[0]
        has_words = _GOES_ON.match(line) is not None
        if not has_words and anywhere and _is_in_list(before):
            is_run = line.lstrip().startswith(",") and _RUN_LIST.search(before) is not None
            has_words = is_run or _NEXT_ITEM.match(line) is not None
        if found.group() != alone and has_words and _PROSE.search(line) is None:
            yield found.start()


def masked_commands(written: str, text: str) -> Iterator[int]:
    """Yield the places of commands of MQ in what was taken for a secret and masked in `text`."""
    for start, end in hidden_stretches(text):
        at = next(all_run_in(written[start:end], ACTING, anywhere=True), -1)
        if at >= 0:
            yield start + at


def _opens_value(before: str) -> bool:
    """Whether a command may begin after a text, which may end with a key or a quote."""
    bare = before.rstrip(_GAP)
    gap = before[len(bare) :]
    if not bare or bare[-1] in _SIGNS_BEFORE or any(sign in gap for sign in "\n\"'"):
        return True
    if bare[-1] == "," and _is_in_list(before):
        return True
    return _WORD_BEFORE.search(bare) is not None


def _is_in_list(before: str) -> bool:
    """Whether a text ends inside a list in brackets, in one line: `[sh, -c,`."""
    line = before[before.rfind("\n") + 1 :]
    return line.rfind("[") > line.rfind("]")


class _Stretches:
    """The stretches of a file that were read; they may overlap."""

    def __init__(self, read: Iterable[Span]) -> None:
        spans = sorted(read)
        self._ends = [*accumulate((end for _, end in spans), max)]
        self._starts = [start for start, _ in spans]

    def has(self, at: int) -> bool:
        number = bisect_right(self._starts, at) - 1
        return number >= 0 and at < self._ends[number]


def unread_runs(
    text: str,
    read: Iterable[Span],
    commands: frozenset[str],
    *,
    foreign: bool = False,
) -> Iterator[int]:
    """Yield the commands of MQ in a file that are in none of the stretches that were read.

    Remarks, names, descriptions and lines of a list of files are not commands.
    """
    stretches = _Stretches(read)
    for at in all_run_in(text, commands, anywhere=True, foreign=foreign):
        line = line_before(text, at)
        if stretches.has(at) or _REMARK.match(line) is not None:
            continue
        if line.endswith(("/", "\\")):
            line = line.rstrip(_IN_PATH)
            if not line.strip() and _ALONE.match(text, at) is not None:
                continue
        if not is_for_people(line) or _STATE.search(text[max(at - 2 * _FAR, 0) : at]):
            yield at


def unread_mqsc(text: str, read: Iterable[Span]) -> Iterator[int]:
    """Yield the commands of MQSC in a file that are in none of the stretches that were read."""
    stretches = _Stretches(read)
    for at in mqsc_in_code(text):
        line = line_before(text, at)
        if not stretches.has(at) and not is_for_people(line):
            yield at


def is_for_people(before: str) -> bool:
    """Whether what is before a text says that it is a name, or for people to read."""
    return _FOR_PEOPLE.search(before, max(len(before) - _FAR, 0)) is not None


def line_before(text: str, at: int) -> str:
    """What is before an offset in its line, at most 1,000 characters."""
    begin = max(at - _FARTHEST, 0)
    return text[max(text.rfind("\n", begin, at) + 1, begin) : at]


def is_given_mqsc(command: Command) -> bool:
    """Whether a command reads a file of MQSC, a here-document of it, or what echo prints."""
    if command.stdin is not None and command.stdin.text.lower().endswith(MQSC_ENDINGS):
        return True
    return any(is_mqsc(text) for text in _input(command))


def _input(command: Command) -> list[str]:
    """The texts that a command reads: its here-document, and what echo or cat prints."""
    printing = _left_of(command, *_PRINTERS)
    printed = printing.words[1:3] if printing is not None else ()
    return _given_texts(command) + [word.text for word in printed]


def given_to_process(command: Command, name: str, text: str, commands: frozenset[str]) -> bool:
    """Whether a program reads a command of MQ from `<(echo ...)`, as a file of its options."""
    inner = command.substitution.first if command.substitution is not None else None
    if inner is None or not name or name in _TAKES_TEXT or not inner.words:
        return False
    if base_name(inner.words[0].text) not in _PRINTERS:
        return False
    if not any(text.startswith("<(", word.start) for word in command.words[1:]):
        return False
    printed = " ".join(word.text for word in inner.words[1:])
    return next(all_run_in(printed, commands, anywhere=True), -1) >= 0


def gives_lines(command: Command, commands: frozenset[str]) -> bool:
    """Whether a command that runs its input, as xargs may, gets a command of MQ by echo."""
    texts = [text.text for text in (command.body, command.string) if text is not None]
    if (printing := _left_of(command, *_PRINTERS)) is not None:
        texts.append(" ".join(word.text for word in printing.words[1:]))
    return any(run_in(text, commands) >= 0 for text in texts)


def gives_job(command: Command, name: str) -> bool:
    """Whether a command gets a job of z/OS with a program of MQ, other than to show it."""
    if name in _TAKES_TEXT and not command.outputs:
        return False
    return any(_JOB.match(text) is not None for text in _given_texts(command))


def _given_texts(command: Command) -> list[str]:
    """The texts of a here-document and of the word after `<<<`, also of those that cat prints."""
    given = [command.body, command.string]
    if (printing := _left_of(command, "cat")) is not None:
        given += [printing.body, printing.string]
    return [text.text for text in given if text is not None]


def _left_of(command: Command, *names: str) -> Command | None:
    """The command whose output a command reads, if it has one of some names."""
    left = command.piped
    is_named = left is not None and left.words and base_name(left.words[0].text) in names
    return left if is_named else None


def _reads_own_program(name: str, words: Sequence[Word]) -> bool:
    """Whether the input of awk or sed is its program: `awk -f -`, `sed -nf-`, `sed e`."""
    if name not in _AWK and name != "sed":
        return False
    if name == "sed" and any(_SED_RUNS.fullmatch(word.text) is not None for word in words[1:]):
        return True
    return any(
        word.text.endswith(_PROGRAM_OPTIONS) and following.text in _STDIN
        for word, following in pairwise(words)
    ) or any(_PROGRAM_IN_INPUT.fullmatch(word.text) is not None for word in words)


def runs_input(command: Command, words: Sequence[Word], commands: frozenset[str]) -> bool:
    """Whether a command of MQ is in the text that a program reads, which may be its own language.

    In a manifest or a playbook the command may be the value of a key.
    """
    name = base_name(words[0].text)
    if (name in _AWK or name in _TAKES_TEXT) and not _reads_own_program(name, words):
        return False
    found = (all_run_in(text, commands, anywhere=True) for text in _input(command))
    return next(chain.from_iterable(found), None) is not None


def is_unfollowed(command: Command, words: Sequence[Word], commands: frozenset[str]) -> bool:
    """Whether a command that is not known may run one of MQ, or be one of MQ.

    `words` are those after sudo and the like.
    """
    name = base_name(words[0].text)
    if name == "git":
        return _is_run_by_git(words, commands)
    has_program = is_interpreter(name) or _HAS_PROGRAM.fullmatch(name.lower()) is not None
    if has_program and (gives_command(words, commands, opens=_IN_PROGRAM) or _splits_name(words)):
        return True
    if name.lower() in _ABOUT or name.startswith(_SAMPLE):
        return command.body is not None and runs_input(command, words, commands)
    if is_given_mqsc(command) or _is_spelt_otherwise(command, words[0], commands):
        return True
    if SPEAKS.search(name) is not None:
        return False
    if gives_command(words, commands) or any(is_mqsc(word.text) for word in words[1:]):
        return True
    if is_interpreter(name):  # one without a file is not asked here
        return False
    return runs_input(command, words, commands)


def runs_own_text(command: Command, words: Sequence[Word], commands: frozenset[str]) -> bool:
    """Whether a program that is known otherwise runs a command of MQ in its words or its input.

    Those of awk and sed may, options of tar and ssh, what telnet sends, and `set` with arguments.
    """
    name = base_name(words[0].text)
    if name == "set":
        return gives_command(words, commands) or any(_has_fields(word, commands) for word in words)
    passes_on = name in _PASSES_ON
    if passes_on or name in _AWK or name == "sed":
        texts = (word.text for word in words[1:])
        if any(run_in(text, commands, opens=_opens_in(name, text)) >= 0 for text in texts):
            return True
    if name in _AWK and _splits_name(words):
        return True
    if name in _SUBSCRIPTED and any(_is_subscript(word.text, commands) for word in words[1:]):
        return True
    is_read = passes_on or _reads_own_program(name, words)
    return is_read and runs_input(command, words, commands)


def _opens_in(name: str, program: str) -> re.Pattern[str]:
    """Return what is before a command in a program of awk or sed, or in another word."""
    if name in _AWK:
        return _IN_AWK if _PIPES_TO_SHELL.search(program) is None else _IN_PROGRAM
    if name == "sed":
        return _IN_SED if _SED_RUNS.fullmatch(program) is None else _IN_PROGRAM
    return _OPENS


def _splits_name(words: Sequence[Word]) -> bool:
    """Whether a program among the words has the name of a command of MQ only in parts."""
    return any(word.quoted and splits_command(word.text) for word in words[1:])


def _is_subscript(text: str, commands: frozenset[str]) -> bool:
    """Whether a word has a substitution in a subscript, which bash runs also between quotes."""
    return "[$(" in text and run_in(text, commands) >= 0


def _is_run_by_git(words: Sequence[Word], commands: frozenset[str]) -> bool:
    """Whether git is given a command of MQ that it runs, now or later; a message is none."""
    first = next((n for n, word in enumerate(words) if word.text in _OF_GIT), None)
    if first is not None and gives_command(words[first:], commands):
        return True
    settings = (after.text for word, after in pairwise(words) if word.text == "-c")
    return any(run_in(setting, commands) >= 0 for setting in settings)


def gives_command(
    words: Sequence[Word], commands: frozenset[str], *, opens: re.Pattern[str] = _OPENS
) -> bool:
    """Whether the words of a command have a command of MQ with words of its own."""
    for number, word in enumerate(words[1:], 1):
        if base_name(word.text) in commands:
            after = words[number + 1].text if number + 1 < len(words) else ""
            if after and base_name(after) not in commands:
                return True
        elif run_in(word.text, commands, opens=opens) >= 0:
            return True
    return False


def _is_spelt_otherwise(command: Command, word: Word, commands: frozenset[str]) -> bool:
    """Whether the name of a command is a pattern, or braces, or printed by a command."""
    name = base_name(word.text)
    if "mq" in name and PLACEHOLDER in name:  # `${verb}mqm QM1`
        pattern = _UNKNOWN.sub("*", name)
        return any(matches_glob(other, pattern) for other in commands)
    inner = command.substitution.first if command.substitution is not None else None
    printer = inner.words[0] if inner is not None and inner.words else None
    if inner is not None and printer is not None and 0 < printer.start - word.start <= len('"$( '):
        finds = base_name(printer.text) in _FINDERS
        return base_name(printer.text) in _PRINTERS or (
            finds and any(base_name(found.text) in commands for found in inner.words[1:])
        )
    if word.quoted:
        return False
    if _has_fields(word, commands):
        return True
    if (braces := _BRACES.search(name)) is not None:
        before, after = name[: braces.start()], name[braces.end() :]
        return any(f"{before}{part}{after}" in commands for part in braces[1].split(","))
    if _GLOBS.search(name) is None or sum(map(str.isalpha, name)) <= 2:
        return False
    return any(matches_glob(other, name) for other in commands)


def _has_fields(word: Word, commands: frozenset[str]) -> bool:
    """Whether a word is a command of MQ with its words, which IFS takes apart."""
    fields = _FIELDS.match(base_name(word.text))
    return fields is not None and fields[1] in commands


def started_processes(text: str, commands: frozenset[str]) -> Iterator[int]:
    """Yield the commands of MQ that PowerShell starts by the classes of .NET for processes."""
    for found in _STARTED.finditer(text) if _BY_OBJECT.search(text) else ():
        if found[1].lower() in commands:
            yield found.start(1)


def given_commands(command: Command, commands: frozenset[str]) -> bool:
    """Whether a command of MQ is in the text that a command reads, which runs it later."""
    texts = _given_texts(command)
    texts += [word.text for word in command.piped.words[1:]] if command.piped is not None else []
    return any(run_in(text, commands) >= 0 or splits_command(text) for text in texts)


def runs_arguments(body: str) -> bool:
    """Whether the body of a function runs a variable, which may be one of its arguments."""
    return _RUNS_ARGUMENTS.search(body) is not None


def aliases_in(words: Sequence[Word], commands: frozenset[str]) -> Iterator[str]:
    """Yield the names that `alias NAME=VALUE` or `Set-Alias NAME VALUE` gives to commands of MQ.

    A name before a blank is that of another value that ends in one: a shell takes the next word for
    an alias too.
    """
    name = base_name(words[0].text).lower()
    if name in _RENAMES:
        names = [base_name(word.text) for word in words[1:]]
        if name == "mklink":
            names.reverse()
        programs = commands.intersection(names[:-1])
        if len(programs) == 1 and names[-1] not in ("", *programs):
            yield names[-1]
        return
    if name != "alias":
        values = [word.text for word in words[1:] if word.quoted or word.text[:1] != "-"]
        if len(values) > 1 and run_in(f"{values[1]} -x", commands) >= 0:
            yield values[0]
        return
    for word in words[1:]:
        name, _, value = word.text.partition("=")
        if run_in(f"{value} -x", commands) >= 0:  # a name alone runs too, with the words of a call
            yield name
        elif value.endswith((" ", "\t")):
            yield f"{name} "


def runs_alias(words: Sequence[Word], aliases: Container[str]) -> bool:
    """Whether a command is an alias of one of MQ, also after one whose value ends in a blank."""
    for word in words:
        name = base_name(word.text)
        if f"{name} " not in aliases:
            return name in aliases
    return False


def written_scripts(
    command: Command, words: Sequence[Word], commands: frozenset[str]
) -> Iterator[int]:
    """Yield the place of a command of MQ in a script that a command writes into a file."""
    name = base_name(words[0].text)
    into = [word.text for word in command.outputs]
    if name == "tee":
        into += [word.text for word in words[1:]]
    elif name in _COPIES and any(word.text == "/dev/stdin" for word in words[1:]):
        into.append(words[-1].text)
    elif name == "dd":
        into += [word.text[3:] for word in words[1:] if word.text.startswith("of=")]
    elif name == "sed" and any(_IN_PLACE.match(word.text) is not None for word in words[1:]):
        into.append(words[-1].text)
    if not into:
        return
    is_script = any(
        file.lower().endswith(_SHELL_FILES) or _RUN_LATER.search(file) is not None for file in into
    )
    printing = _left_of(command, "cat")
    body = printing.body if command.body is None and printing is not None else command.body
    names_programs = any(
        file.endswith((".service", ".desktop")) or _NAMES_PROGRAMS.search(file) is not None
        for file in into
    )
    may_run = is_script or names_programs or any("." not in base_name(file) for file in into)
    if body is not None and (may_run or body.text.startswith("#!")):
        at = next(all_run_in(body.text, commands, anywhere=names_programs), -1)
        if at >= 0:
            yield body.host(at)
    if (is_script or names_programs) and name in ("echo", "printf", "sed"):
        opens = _IN_PROGRAM if name == "sed" else _OPENS
        text = " ".join(word.text for word in command.words[1:])
        if next(all_run_in(text, commands, opens=opens, anywhere=True), -1) >= 0:
            yield command.words[1].start
