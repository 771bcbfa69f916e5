"""Commands around those of MQ in shell scripts that do not do what the script expects of them.

They are found by lines: `su` without a command, samples with local bindings beside MQSERVER, groups
that are replaced, queues that never get empty, kills right after endmqm, backups that are removed
while new, lists that ssh reads before a loop does, and dumps that another queue manager loads.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.script.faults.answers import own_commands
from mqlint.language.script.faults.fed_files import misspelt_inputs
from mqlint.language.script.faults.loaded_dumps import loaded_dumps
from mqlint.language.script.faults.looped_dumps import looped_commands, looped_dumps
from mqlint.language.script.files.path import has_below
from mqlint.language.script.here_document import HereText
from mqlint.language.script.unread.mentions import names_command
from mqlint.patterns import later


def pitfall_faults(
    text: str, scripts: Sequence[HereText], *, is_script: bool
) -> Iterator[Diagnostic]:
    """Yield the faults of a shell script; `scripts` are its here-documents for other shells.

    `is_script`: the text is a script that runs, and not the input of an open shell.
    """
    yield from _shells_without_command(text, scripts, is_script=is_script)
    yield from _lost_arguments(text)
    yield from local_samples(text)
    if "usermod" in text:
        yield from _replaced_groups(text)
    if "find" in text:
        yield from _removed_backups(text)
    if "ssh" in text and "read" in text and "ssh" not in own_commands(text):
        yield from _lists_read_by_ssh(text)
    yield from _never_drained(text)
    yield from _overwritten_commands(text)
    yield from printed_pipes(text)
    yield from _killed_at_once(text)
    yield from _vain_traps(text)
    yield from loaded_dumps(text)
    yield from looped_dumps(text)
    yield from looped_commands(text)
    yield from misspelt_inputs(text)


_GETS_OFF = later(
    r"(?i)\balt(?:er)?[ \t]+ql(?:ocal)?[ \t]*\([ \t]*'?(?P<queue>[^\s()']{1,60})'?[ \t]*\)"
    r"(?:[^\n\"#|]{0,120}[ \t])?get[ \t]*\([ \t]*(?P<word>disabled)[ \t]*\)"
)
"""A queue from which nothing can be taken."""
_DEPTH_ASKED = later(
    r"(?i)\bdis(?:play)?[ \t]+ql?(?:ocal|ueue|s(?:tatus)?)?[ \t]*"
    r"\([ \t]*'?(?P<queue>[^\s()']{1,60})'?[ \t]*\)[^\n]{0,80}\bcurdepth\b"
)
_LOOP_EDGE = later(r"(?m)(?:^|[;&|])[ \t]*(while|until|done)\b")
_TAKES_OFF = later(r"(?i)\bget[ \t]*\([ \t]*enabled|\bcle(?:ar)?[ \t]+ql|\bdel(?:ete)?[ \t]+ql")
"""What makes a queue empty although gets are inhibited, or ends that."""


def _never_drained(text: str) -> Iterator[Diagnostic]:
    """Yield GET(DISABLED) for a queue before a loop that waits until the queue is empty."""
    if _GETS_OFF.search(text) is None:
        return
    edges = [(found.start(1), found[1]) for found in _LOOP_EDGE.finditer(text)]
    waits: dict[str, list[int]] = {}
    for asked in _DEPTH_ASKED.finditer(text):
        before = bisect_left(edges, (asked.start(),)) - 1
        if before >= 0 and edges[before][1] != "done":
            waits.setdefault(asked["queue"], []).append(asked.start())
    takes = [found.start() for found in _TAKES_OFF.finditer(text)] if waits else []
    for off in _GETS_OFF.finditer(text):
        later_waits = waits.get(off["queue"], [])
        next_wait = bisect_left(later_waits, off.end())
        next_take = bisect_left(takes, off.end())
        if next_wait == len(later_waits):
            continue
        if next_take == len(takes) or takes[next_take] > later_waits[next_wait]:
            yield diagnostic("never-drained", off.span("word"), queue=off["queue"])


_MAINTAINED = later(
    r"(?m)^[ \t]*(?:sudo[ \t]+)?"
    r"(?:pcs[ \t]+property[ \t]+set|crm[ \t]+configure[ \t]+property)[ \t]+"
    r"(?P<option>maintenance-mode=true)\b"
)
"""A cluster that no longer watches or moves its resources."""
_WATCHED_AGAIN = later(
    r"(?m)maintenance-mode=[\"']?(?:(?:false|no?|off|0)\b|\$|[\"']?[ \t]*(?:$|[;&|)]))"
    r"|maintenance-mode\b[^\n=]{0,80}[ \t](?:-v|--update)[ =]?[\"']?(?:false|no?|off|0)\b"
    r"|(?:unset|delete|-D)\b[^\n]{0,80}maintenance-mode|\bcrm[ \t]+maintenance[ \t]+off\b"
)
"""How the property is reset: to a word for false, to a variable, or to nothing."""


def left_in_maintenance(text: str) -> Iterator[Diagnostic]:
    if "strmqm" not in text or _WATCHED_AGAIN.search(text) is not None:
        return
    for found in _MAINTAINED.finditer(text) if "maintenance-mode" in text else ():
        if text.find("strmqm", found.end()) >= 0:
            yield diagnostic("maintenance-left-on", found.span("option"))


_OVERWRITTEN = later(
    r"(?m)^[ \t]*(?:sudo[ \t]+(?:-u[ \t]+\w{1,32}[ \t]+)?)?(?:/\S{1,80}/)?runmqsc"
    r"(?:[ \t]+(?!-f)[\w.$%\"{}-]{1,80}){0,4}[ \t]*>[ \t]*[\"']?"
    r"(?P<file>[^\s\"'<>|;&]{1,200}\.mqsc)[\"']?[ \t]*\r?$"
)
"""runmqsc without input, whose output goes to a file of commands."""
_GOES_ON = later(r"(?:\||\\)[ \t]*\r?\n\Z")
"""The end of a line whose command goes on in the next one."""
_FEEDS_BLOCK = later(r"(?m)^[ \t]*(?:\}|\)|done|fi|esac|exec)[^\n<]{0,80}<")
"""Input of a block or of the rest of a script, which its commands read."""


def _overwritten_commands(text: str) -> Iterator[Diagnostic]:
    """Yield files of commands that are overwritten by runmqsc, which has no input."""
    if "runmqsc" not in text or _FEEDS_BLOCK.search(text) is not None:
        return
    for found in _OVERWRITTEN.finditer(text):
        if _GOES_ON.search(text, max(found.start() - 80, 0), found.start()) is None:
            yield diagnostic("mqsc-overwritten", found.span("file"), file=found["file"])


_PRINTED_PIPE = later(
    r"(?im)^[ \t]*@?echo[ \t]+(?P<quote>[\"']?)"
    r"(?:def(?:ine)?|alt(?:er)?|del(?:ete)?|dis(?:play)?|set|sta(?:rt)?|stop|refresh|reset|clear)"
    r"[ \t]+(?:qmgr\b|qmstatus\b|security\b|[a-z]{2,12}[ \t]?\^?\()"
    r"(?:(?!:[ \t]|\becho\b)[^\n\"|>]){0,400}"
    r"(?P<pipe>\|)[ \t]*(?:[^\s\"'|>]{0,80}[/\\\\])?"
    r"runmqsc\b(?P<rest>[^\n>]{0,400})$"
)
"""MQSC that echo writes with the pipe and the command after it, and into no file.

A sentence for people has no parenthesis after its second word, or a command that begins with echo.
"""
_ONE_NAME = later(r"(?:[ \t]+-\w+(?:[ \t]+\d+)?){0,5}(?:[ \t]+[^\s\"']+)?[ \t]*")
"""What follows runmqsc in a command. In a sentence more words follow."""


def printed_pipes(text: str) -> Iterator[Diagnostic]:
    """Yield pipes to runmqsc that quotation marks, or the caret of a batch file, make a text."""
    for found in _PRINTED_PIPE.finditer(text) if "runmqsc" in text else ():
        quote, rest = found["quote"], found["rest"].rstrip()
        if quote:
            is_printed, rest = rest.endswith(quote), rest[:-1]
        else:
            is_printed, rest = text[found.start("pipe") - 1] == "^", rest.partition("|")[0]
        if is_printed and _ONE_NAME.fullmatch(rest) is not None:
            yield diagnostic("pipe-printed", found.span("pipe"))


_KILLED_AT_ONCE = later(
    r"(?m)^(?![^\n]{0,200}\becho\b)[^#\n]{0,200}?\bendmqm(?P<options>(?:[ \t]+-[czw])*)[ \t]+"
    r"[\"']?(?P<name>[\w.$%{}/][^\s;|&\"']{0,60})[\"']?"
    r"(?P<after>[ \t]*(?:\d?>[^\n;|]{0,200}|&[ \t]*)?)\n"
    r"(?:[ \t]*(?:(?:#|echo\b|sleep[ \t]+\d\b)[^\n]*)?\n){0,9}"
    r"(?P<kill>(?:[ \t]*\w{1,40}=[^#\n]{1,300}\n)?"
    r"(?P<line>[^#\n]{0,300}?\b(?:pkill|killall|kill)[ \t]+-(?:9|KILL|SIGKILL)\b[^\n]{0,300}))"
)
"""endmqm that waits for seconds or not at all, and a signal that no process can catch.

The line before the signal, or one before endmqm, may set a variable to the processes that get it.
"""
_SETTING = later(r"(?m)^[ \t]*(?P<name>\w{1,40})=[^\n]{1,300}")
_PROCESSES = later(r"\bkill[ \t]+-\w+[ \t]+\"?\$\{?(?P<name>\w{1,40})\}?\"?[ \t]*(?:$|[;&|>)])")


def _killed_at_once(text: str) -> Iterator[Diagnostic]:
    if "endmqm" not in text or "kill" not in text:
        return
    settings = {found["name"]: found[0] for found in _SETTING.finditer(text)}
    for found in _KILLED_AT_ONCE.finditer(text):
        if "-w" in found["options"] and not found["after"].endswith("&"):
            continue
        variable = _PROCESSES.search(found["line"])
        setting = settings.get(variable["name"], "") if variable is not None else ""
        if _kills_manager(f"{setting}\n{found['kill']}", found["name"]):
            yield diagnostic("killed-at-once", found.span("line"), queue_manager=found["name"])


_VAIN_TRAP = later(
    r"(?m)(?:^|[;&|{(]|\bthen\b)[ \t]*(trap[ \t]+(?:--[ \t]+)?"
    r"(?:'[^'\n]{1,400}'|\"[^\"\n]{1,400}\"|\w[\w-]{0,80})"
    r"(?:[ \t]+(?:(?:SIG)?(?:KILL|STOP)|9)\b){1,9})[ \t]*(?:$|[;&|#}\r])"
)
"""A trap for signals of which none can be caught (POSIX, "trap")."""


def _vain_traps(text: str) -> Iterator[Diagnostic]:
    """Yield traps that never run."""
    for found in _VAIN_TRAP.finditer(text):
        signal = found[1].split()[-1]
        yield diagnostic("vain-trap", found.span(1), signal=signal)


_ESSENTIAL = later(
    r"\bamq(?:z(?:xma|muc|mur|mgr|fuma|laa)|rrmfa|pcsea)\w{0,4}(?P<rest>[^\s\"';|&)]*)"
)
"""A process without which a queue manager ends, and what the pattern of pkill has after it."""
_ONE_LETTER = later(r"\[(\w)\]")
"""How a search finds a process, and not itself: `[a]mqzxma0`."""
_WAITS = later(r"\b(?:while|until|sleep|wait|timeout)\b")


def _kills_manager(line: str, name: str) -> bool:
    """Whether a line kills processes of a queue manager: an essential one, or all with its name.

    A pattern after the process that is not the name may be that of another queue manager.
    """
    if _WAITS.search(line) is not None:
        return False
    line = _ONE_LETTER.sub(r"\1", line)
    process = _ESSENTIAL.search(line)
    if process is not None:
        return name in line or not process["rest"].strip(".*$ ")
    searched = re.findall(r"\bgrep[ \t]+(?!-v)(?:-\w+[ \t]+)?[\"']?([^\s\"'|;]+)", line)
    return searched == [name]


_SETS_CLIENT = later(
    r"(?mi)^[ \t]*(?:@?set[ \t]+|export[ \t]+|\$env:)?\"?MQSERVER[ \t]*=[ \t]*[^\s;]"
)
_LOCAL_SAMPLE = later(
    r"(?mi)(?:^|[|;&(]|\bdo\b|\bthen\b)[ \t]*(?:[^\s|;&]{1,200}[\\/])?"
    r"(amqs(?:put|get|bcg|gbr|pub|sub))(?=[ \t])(?P<operands>[^\n|;&<>]{0,300})"
)
_CLIENT_SAMPLE = later(r"(?i)\bamqs[a-z]{3,8}c\b(?P<operands>[^\n|;&<>]{0,300})")
_NOT_ONLY_CLIENT = later(
    r"(?i)MQ_CONNECT_TYPE|\b(?:(?:crt|str|end)mqm|runmqsc)\b|unset[ \t]+MQSERVER"
    r"|MQSERVER[^\n]{0,80}(?:localhost|127\.0\.0\.1|hostname)"
)
"""What changes how samples connect, or works on a local queue manager."""


def local_samples(text: str) -> Iterator[Diagnostic]:
    """Yield samples that connect to a local queue manager in a script that only sets MQSERVER.

    If a client uses the variable, only those with the same queue manager count.
    """
    sets = _SETS_CLIENT.search(text) if "amqs" in text else None
    if sets is None or _NOT_ONLY_CLIENT.search(text) is not None:
        return
    clients = [found["operands"].split()[1:2] for found in _CLIENT_SAMPLE.finditer(text)]
    for found in _LOCAL_SAMPLE.finditer(text, sets.end()):
        if not clients or found["operands"].split()[1:2] in clients:
            yield diagnostic("sample-is-local", found.span(1), command=found[1])


_SU = later(
    r"(?m)^[ \t]*(?:sudo[ \t]+)?(?P<word>su[ \t]+(?:(?:-l|--login|-)[ \t]+)?mqm"
    r"|sudo[ \t]+(?:-u[ \t]*mqm[ \t]+-[is]|-[is][ \t]+-u[ \t]*mqm))[ \t]*(?:#[^\n]*)?$"
)
_ARGUMENTS = later(r"\$#|\"\$\{?[1-9@]\}?\"|(?:dir|base)name[ \t]+\"?\$\{?0")
"""What a shell script says about the arguments with which it is called."""


def _shells_without_command(
    text: str, scripts: Sequence[HereText], *, is_script: bool
) -> Iterator[Diagnostic]:
    """Yield each `su - mqm` on a line of its own, if a command of MQ follows before the next.

    In the input of a shell, the shell of su reads the lines that follow, so they run as mqm. A text
    that names no interpreter may be such an input: `ssh HOST < FILE`, unless it has arguments.
    """
    if not (is_script or text.startswith("#!") or _ARGUMENTS.search(text) is not None):
        return
    found = list(_SU.finditer(text))
    ends = (*(other.start() for other in found[1:]), len(text))
    for shell, end in zip(found, ends, strict=False):
        before = bisect_left(scripts, (shell.start("word") + 1,)) - 1
        is_input = before >= 0 and shell.start("word") < scripts[before].end
        if not is_input and names_command(text[shell.end() : end]):
            fault = "has no command, so the commands after it do not run as mqm"
            yield diagnostic(
                "su-without-command", shell.span("word"), word=shell["word"], fault=fault
            )


_FIRST_WORD = later(
    r"(?m)^(?![^\n]{0,300}(?:#|\b(?:echo|printf?|usage)\b))[^\n]{0,300}?"
    r"(?P<word>\b(?:(?:su|runuser)[ \t]+(?:(?:-|-l|--login)[ \t]+){0,2}\w{1,32}"
    r"|(?:ba|k|z)?sh(?:[ \t]+(?:-l|--login))?)[ \t]+-l?c)[ \t]+"
    r"(?P<command>(?:/[^\s\\]{1,200}/)?(?:(?:crt|dlt|end|str)mqm|runmqsc|setmqaut))"
    r"[ \t]+(?!-s[ \t]*/|--shell\b|\d?[<>])[\"']?[^\s;|&<>\"')]"
)
"""A shell that gets a command of MQ and its words as several words, of which it runs the first.

After `su -c COMMAND` the user may follow, and after the command the shell that su runs.
"""


def _lost_arguments(text: str) -> Iterator[Diagnostic]:
    for found in _FIRST_WORD.finditer(text) if "mq" in text else ():
        fault = f"takes one word as its command, so {found['command']} gets no arguments"
        yield diagnostic("su-without-command", found.span("word"), word=found["word"], fault=fault)


_GROUPS = later(
    r"(?m)^[ \t]*(?:sudo[ \t]+)?(?:/\S{1,80}/)?usermod[ \t]+"
    r"(?P<word>(?:-G[ \t]*|--groups[ \t=]+)(?:\w[\w.-]{0,31},){0,8}mqm(?:,\w[\w.-]{0,31}){0,8})"
    r"[ \t]+[\"']?(?P<user>[$\w.{}-]{1,60})[\"']?[ \t]*$"
)
_CREATED = later(
    r"(?m)^[^#\n]{0,80}\b(?:useradd|adduser|mkuser)[ \t][^\n]{0,300}?"
    r"[\"']?([$\w.{}-]{1,60})[\"']?[ \t]*$"
)


def _replaced_groups(text: str) -> Iterator[Diagnostic]:
    """Yield `usermod -G` and `--groups` with the group mqm, unless the script creates the user."""
    created = {found[1] for found in _CREATED.finditer(text)}
    for found in _GROUPS.finditer(text):
        if found["user"] not in created:
            yield diagnostic("groups-replaced", found.span("word"), user=found["user"])


_PRUNES = later(
    r"(?m)(?:^|[;&|])[ \t]*(?:sudo[ \t]+)?(?:/\S{1,40}/)?find[ \t]+[\"']?"
    r"(?P<folder>[^\s\"']{2,200})[\"']?[^\n;|&]{0,300}?"
    r"-(?:mtime|mmin|ctime|cmin)[ \t]+(?P<age>-\d{1,6})\b[^\n;&]{0,300}?"
    r"(?:-delete\b|-exec[ \t]+(?:/bin/)?rm\b|\|[ \t]*xargs[^\n|;&]{0,80}\brm\b)"
)
_OTHERWISE = later(r"[ \t](?:\\?!|-not|-size|-empty)[ \t]|\.(?:tmp|temp|part|lock)\b")
"""Tests of find that choose no new backups: one that is negated, or the remains of failures."""
_WRITES = later(r">[ \t]*[\"']?([^\s\"'|;&<>]{2,200})")


def _removed_backups(text: str) -> Iterator[Diagnostic]:
    """Yield the age by which find removes new files from a folder that a command writes to."""
    if not names_command(text):
        return
    written = sorted(found[1] for found in _WRITES.finditer(text))
    for found in _PRUNES.finditer(text):
        if has_below(found["folder"], written) and _OTHERWISE.search(found[0]) is None:
            yield diagnostic(
                "backup-removed-new", found.span("age"), age=found["age"], folder=found["folder"]
            )


_READS = later(r"(?m)^([ \t]*)(?!#)(?:[^\n]{0,200}\|[ \t]*)?while[ \t][^\n#]{0,80}?\bread\b[^\n]*$")
_SSH = later(r"(?m)^[^#\n|<'\"]{0,100}?(?<![\w./-])(?P<word>ssh)(?P<rest>[ \t][^\n<]*[^\n<\\])$")
_NO_INPUT = later(r"[ \t]-[a-zA-Z]*[nf]\b|(?<![&>|])&(?![&>])|(?:;|&&)[ \t]*(?:break|exit)\b")
"""What keeps ssh from the list: an option, the background; or the loop ends after it by design."""
_LEAVES = later(r"\s*(?:break|exit|return)\b")
_OTHER_INPUT = later(r"\bexec\b[^\n#]{0,80}<")


def _lists_read_by_ssh(text: str) -> Iterator[Diagnostic]:
    """Yield the first ssh in a loop over lines that also reads them, as it has no other input."""
    for loop in _READS.finditer(text):
        end = text.find(f"\n{loop[1]}done", loop.end())
        close = text[end : text.find("\n", end + 1)] if end >= 0 else ""
        feeds = "|" in loop[0].partition("while")[0] or "<" in close
        if end < 0 or not feeds or "-u" in loop[0] or "<&" in loop[0] or "3<" in close:
            continue
        for found in _SSH.finditer(text, loop.end(), end):
            if _OTHER_INPUT.search(text, loop.end(), found.start()) is not None:
                break
            reads = _NO_INPUT.search(found["rest"]) is None
            if reads and names_command(found["rest"]) and not _LEAVES.match(text, found.end()):
                yield diagnostic("list-read-by-ssh", found.span("word"))
                break


_FOREIGN = later(r"(?m)^[^#\n]*\b(AMQ746[02]|CSQI02[45]I)")
_RESTART = later(r"(?m)^[^#\n]*\b(AMQ7467|RECLOG)")
_MEDIA = later(r"(?i)AMQ7468|MEDIALOG")
_REMOVES = later(r"(?:^|[;&|({\s])(?:rm|unlink|gzip|mv)[ \t]|[ \t]-delete\b")


def log_faults(text: str) -> Iterator[Diagnostic]:
    """Yield what is wrong with how a script chooses log files to remove or archive.

    AMQ7467 and RECLOG name the oldest log file for a restart, AMQ7468 and MEDIALOG the oldest for
    media recovery. AMQ7460 and AMQ7462 are those of IBM i, CSQI024I and CSQI025I those of z/OS.
    """
    restart = _RESTART.search(text)
    if restart is not None and _MEDIA.search(text) is None and _REMOVES.search(text) is not None:
        yield diagnostic("log-floor", restart.span(1), word=restart[1])
    for found in _FOREIGN.finditer(text):
        system = "z/OS" if found[1].startswith("CSQ") else "IBM i"
        yield diagnostic("message-of-other-system", found.span(1), word=found[1], of=system)
