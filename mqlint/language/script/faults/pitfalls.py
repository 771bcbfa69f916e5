"""Commands around those of MQ in shell scripts that do not do what the script expects of them.

They are found by lines: `su` without a command, a result that is asked for too late, samples with
local bindings beside MQSERVER, groups that are replaced, states in capitals, by the result of dspmq
or never reached, queues that never get empty, kills right after endmqm, backups that are removed
while new, and dumps that another queue manager loads.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.script.faults.fed_files import misspelt_inputs
from mqlint.language.script.faults.loaded_dumps import loaded_dumps
from mqlint.language.script.faults.looped_dumps import looped_commands, looped_dumps
from mqlint.language.script.files.path import has_below
from mqlint.language.script.here_document import HereText
from mqlint.language.script.unread.mentions import names_command
from mqlint.patterns import later
from mqlint.source.lines import line_spans
from mqlint.vocabulary.distance import distance

_COMMAND = later(
    r"[ \t]*(?:(?:cat|echo|printf)[ \t][^\n|&;]*\|[ \t]*)?"
    r"(?:sudo[ \t]+(?:-u[ \t]+\w{1,32}[ \t]+)?)?(?:/\S{1,200}/)?"
    r"(?:runmqsc|(?:crt|str|end|dlt|set)mqm|dmpmqcfg|rcdmqimg|rcrmqobj|setmqaut)\b"
    r"(?:[^\n|&;\\]|>&\d)*$"
)
"""A line that is a command of MQ, or a pipe that ends with one."""


_ENDS_ON_FAULT = later(
    r"(?m)^[ \t]*set[ \t]+(?:-[a-z]*e|-o[ \t]+errexit)|^#![^\n]{0,80}[ \t]-[a-z]*e"
)


def pitfall_faults(text: str, here: Iterable[HereText]) -> Iterator[Diagnostic]:
    """Yield the faults of a shell script; `here` are its here-documents."""
    bodies = sorted(here)
    scripts = [body for body in bodies if body.is_script]
    yield from _shells_without_command(text, scripts)
    yield from _lost_arguments(text)
    if ("$?" in text or "|" in text) and _ENDS_ON_FAULT.search(text) is None:
        yield from _late_results(text, bodies)
    for script in scripts:
        if script.expands:
            yield from _early_results(text, script)
    yield from local_samples(text)
    if "usermod" in text:
        yield from _replaced_groups(text)
    if "find" in text:
        yield from _removed_backups(text)
    yield from states_in_capitals(text)
    if "dspmq" in text:
        yield from _states_by_result(text)
        yield from _endless_waits(text)
    yield from _left_in_maintenance(text)
    yield from _never_drained(text)
    yield from unused_keys(text)
    yield from _overwritten_commands(text)
    yield from printed_pipes(text)
    yield from _killed_at_once(text)
    yield from _vain_traps(text)
    if "openssl" in text or "keytool" in text:
        yield from _weak_keys(text)
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


def _left_in_maintenance(text: str) -> Iterator[Diagnostic]:
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
    r"(?m)^(?![^\n]{0,200}\becho\b)[^#\n]{0,200}?\bendmqm(?:[ \t]+-[cz])*[ \t]+"
    r"(?P<name>[\w.$%{}/][^\s;|&\"']{0,60})[\"']?"
    r"[ \t]*(?:\d?>[^\n;|]{0,200})?\n(?:[ \t]*(?:(?:#|echo\b)[^\n]*)?\n){0,9}"
    r"(?P<kill>[^#\n]{0,300}?\b(?:pkill|killall|kill)[ \t]+-(?:9|KILL|SIGKILL)\b[^\n]{0,300})"
)
"""endmqm that does not wait, and what follows next: a signal that no process can catch."""


def _killed_at_once(text: str) -> Iterator[Diagnostic]:
    for found in _KILLED_AT_ONCE.finditer(text) if "endmqm" in text and "kill" in text else ():
        if _kills_manager(found["kill"], found["name"]):
            yield diagnostic("killed-at-once", found.span("kill"), queue_manager=found["name"])


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


_WEAK_KEY = later(
    r"(?m)^[ \t]*(?:[\w/.-]{0,80}/)?openssl[ \t]+"
    r"(?:genrsa(?:[ \t]+[^\s;&|#]{1,200}){0,9}?[ \t]+(?=\d+[ \t]*(?:$|[;&|>#]|\d>))"
    r"|\w+[ \t](?:[^\n;&|#]|\\\n){0,400}?\brsa(?:_keygen_bits)?:)(512|768|1024|1536)\b"
    r"|^[ \t]*(?:[\w/.-]{0,80}/)?keytool[ \t](?=(?:[^\n;&|#]|\\\n){0,400}?-keyalg[ \t]+RSA\b)"
    r"(?:[^\n;&|#]|\\\n){0,400}?[ \t]-keysize[ \t]+(512|768|1024|1536)\b"
)
"""An RSA key of openssl or keytool with fewer bits than 2048.

`genrsa` has the number as its last word.
"""


def _weak_keys(text: str) -> Iterator[Diagnostic]:
    """Yield the sizes of RSA keys that openssl or keytool makes too short (NIST SP 800-131A)."""
    for found in _WEAK_KEY.finditer(text):
        group, tool = (1, "openssl") if found[1] else (2, "keytool")
        yield diagnostic("weak-key", found.span(group), bits=found[group], tool=tool)


_ESSENTIAL = later(
    r"\bamq(?:z(?:xma|muc|mur|mgr|fuma|laa)|rrmfa|pcsea)\w{0,4}(?P<rest>[^\s\"';|&)]*)"
)
"""A process without which a queue manager ends, and what the pattern of pkill has after it."""
_WAITS = later(r"\b(?:while|until|sleep|wait|timeout)\b")


def _kills_manager(line: str, name: str) -> bool:
    """Whether a line kills processes of a queue manager: an essential one, or all with its name.

    A pattern after the process that is not the name may be that of another queue manager.
    """
    if _WAITS.search(line) is not None:
        return False
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
    r"(amqs(?:put|get|bcg|gbr|pub|sub))(?=[ \t])"
)
_NOT_ONLY_CLIENT = later(
    r"(?i)\bamqs[a-z]{3,8}c\b|MQ_CONNECT_TYPE|\b(?:(?:crt|str|end)mqm|runmqsc)\b"
    r"|unset[ \t]+MQSERVER"
)
"""What may use the variable, changes how samples connect, or works on a local queue manager."""


def local_samples(text: str) -> Iterator[Diagnostic]:
    """Yield samples that connect to a local queue manager in a script that only sets MQSERVER."""
    if "amqs" not in text or _SETS_CLIENT.search(text) is None:
        return
    if _NOT_ONLY_CLIENT.search(text) is None:
        for found in _LOCAL_SAMPLE.finditer(text):
            yield diagnostic("sample-is-local", found.span(1), command=found[1])


_KEYS_FOLDER = (
    r"(?P<owner>[^\s\"'$%]{0,100}[/\\]qmgrs[/\\][^/\\\s\"'$%]{1,60}[/\\]|\$\{?\w{1,60}\}?[/\\])"
)
"""The folder of one queue manager, or one that a variable has."""
_KEYS_MADE = later(
    r"(?m)^[^#\n]{0,80}\brunmq(?:akm|ckm)[ \t](?=[^\n]{0,300}-keydb)(?=[^\n]{0,300}-create)"
    rf"[^\n]{{0,300}}?-db[ \t]+[\"']?(?P<path>{_KEYS_FOLDER}[^\s\"'$%]{{1,100}}\.(?:kdb|p12))\b"
)
_KEYS_NAMED = later(rf"\bSSLKEYR[ \t]*\([ \t]*'(?P<path>{_KEYS_FOLDER}[^\s'$%]{{1,100}})'")


def unused_keys(text: str) -> Iterator[Diagnostic]:
    """Yield the only key repository that is created, if SSLKEYR names one that nothing makes.

    Both are in the folder of one queue manager, or in one that a variable has, if one name is a
    typo of the other. SSLKEYR may lack the ending of the file. A path without its ending elsewhere
    in the script is in use, for example by keystore.conf.
    """
    if "SSLKEYR" not in text or "-keydb" not in text:
        return
    made, configured = [*_KEYS_MADE.finditer(text)], [*_KEYS_NAMED.finditer(text)]
    if len(made) != 1 or len(configured) != 1 or made[0]["owner"] != configured[0]["owner"]:
        return
    path = made[0]["path"].rpartition(".")[0]
    used = configured[0]["path"].removesuffix(".kdb").removesuffix(".p12")
    if made[0]["owner"].startswith("$") and distance(path, used, 1) > 1:
        return
    rest = text.replace(used, "")
    is_used = rest.count(path) != rest.count(f"{path}.")
    if path != used and not is_used and text.count(f"{used}.") + text.count(f"{used}'") == 1:
        yield diagnostic("keys-unused", made[0].span("path"), path=made[0]["path"], used=used)


_SU = later(
    r"(?m)^[ \t]*(?:sudo[ \t]+)?(?P<word>su[ \t]+(?:(?:-l|--login|-)[ \t]+)?mqm"
    r"|sudo[ \t]+(?:-u[ \t]*mqm[ \t]+-[is]|-[is][ \t]+-u[ \t]*mqm))[ \t]*(?:#[^\n]*)?$"
)
_ARGUMENTS = later(r"\$#|\"\$\{?[1-9@]\}?\"|(?:dir|base)name[ \t]+\"?\$\{?0")
"""What a shell script says about the arguments with which it is called."""


def _shells_without_command(text: str, scripts: Sequence[HereText]) -> Iterator[Diagnostic]:
    """Yield each `su - mqm` on a line of its own, if a command of MQ follows before the next.

    In the input of a shell, the shell of su reads the lines that follow, so they run as mqm. A text
    that names no interpreter may be such an input: `ssh HOST < FILE`, unless it has arguments.
    """
    if not text.startswith("#!") and _ARGUMENTS.search(text) is None:
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


_MQ = r"(?:runmqsc|(?:crt|str|end|dlt)mqm|dmpmqcfg|rcdmqimg|rcrmqobj|setmqaut)\b"
_PIPED = (
    r"(?:cat[ \t][^\n|&;]{1,200}\|[ \t]*)?(?:sudo[ \t]+(?:-u[ \t]+\w{1,32}[ \t]+)?)?"
    rf"\"?(?:[/$]\S{{1,200}}/)?{_MQ}"
    r"[^\n|;]{0,300}\|[ \t]*(?P<last>tee|logger|ts|sed|tr|cat|tail)\b"
    r"(?:\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'|[^\n|;&\"']){0,300}"
)
_PASSED_ON = later(rf"[ \t]*{_PIPED}$")
"""A command of MQ whose pipe ends with a program that succeeds whatever it reads."""
_ASKED_AT_ONCE = later(
    rf"[ \t]*(?:if[ \t]+(?:![ \t]+)?)?{_PIPED}(?P<asks>\|\|(?![ \t]*(?:true\b|:))|;[ \t]*then\b)"
)
"""The same, in the condition of an `if` or with what to do if it fails."""
_DECLARED = later(
    r"[ \t]*(?P<last>local|typeset|declare|export|readonly)[ \t]+(?:-\w+[ \t]+)?\w{1,60}=\"?"
    rf"\$\((?:sudo[ \t]+(?:-u[ \t]+\w{{1,32}}[ \t]+)?)?\"?(?:[/$]\S{{1,200}}/)?{_MQ}"
    r"[^\n|;]{0,300}\)\"?[ \t]*$"
)
"""A variable that is declared with the output of a command of MQ: the declaration succeeds."""
_SENT = later(
    r"[ \t]*(?:ssh|su|sudo|docker[ \t]+exec|kubectl[ \t]+exec)\b"
    r"(?![^\n]*(?:\|\||&&|\bset[ \t]+-|\bexit\b))"
    rf"[^\n]{{0,300}}?{_MQ}[^\n\"']{{0,300}};[ \t]*(?P<last>cat|echo|rm|date|logger|tail|head|ls)\b"
    r"[^\n\"';|&]{0,200}[\"'][ \t]*$"
)
"""Commands for another shell, of which the last one decides the result."""
_PRINTS = later(r"[ \t]*(echo|printf|print|date|logger)\b(?:[^\n;|&]*[^\n;|&\\])?$")
_ASKS = later(
    r"[ \t]*+(?:if[ \t]++(?:(?:![ \t]*+)?\[\[?|\(\(|test\b)|\[\[?|test\b|case\b|exit\b|return\b"
    r"|(?:(?:local|typeset|declare)[ \t]++(?:-\w++[ \t]++)?)?\w{1,32}=)[ \t]*+[\"']?(\$\?)"
)


def _late_results(text: str, bodies: Sequence[HereText]) -> Iterator[Diagnostic]:
    """Yield tests of `$?` after a command that prints, after a command of MQ or in its pipe."""
    state, after = "", ""
    waiting = deque(bodies)
    is_own = "pipefail" in text
    for start, end in line_spans(text):
        line = text[start:end]
        bare = line.strip()
        while waiting and waiting[0].end < start:
            waiting.popleft()
        if not bare or bare.startswith("#") or (waiting and waiting[0].start < end):
            continue
        asks = _ASKS.match(text, start, end) if state == "printed" else None
        if asks is not None:
            yield diagnostic("result-too-late", asks.span(1), command=after)
        prints = _PRINTS.match(line)
        passed_on = None if is_own else _PASSED_ON.match(line)
        passed_on = passed_on or _DECLARED.match(line) or _SENT.match(line)
        at_once = None if is_own else _ASKED_AT_ONCE.match(text, start, end)
        if at_once is not None:
            yield diagnostic("result-too-late", at_once.span("last"), command=at_once["last"])
        if passed_on is not None and "<<" not in line:
            state, after = "printed", passed_on["last"]
        elif _COMMAND.match(line) is not None:
            state = "run"
        elif state and prints is not None:
            state, after = "printed", prints[1]
        else:
            state = ""


_RESULT = later(r"(?<!\\)(?:\\\\)*(\$\?)")


def _early_results(text: str, script: HereText) -> Iterator[Diagnostic]:
    """Yield the first `$?` that the outer shell replaces in a script for another shell."""
    has_command = False
    for start, end in line_spans(text, script.start):
        if start >= script.end:
            break
        result = _RESULT.search(text, start, end) if has_command else None
        if result is not None:
            yield diagnostic("result-too-early", result.span(1))
            break
        has_command = has_command or _COMMAND.match(text, start, end) is not None


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


_CAPITALS = later(
    r"(?m)\bdspmq(?P<options>(?:[ \t]+(?!-n\b)[^\s|;&]{1,100}){0,8}(?:[ \t]+2>&1)?)[ \t]*\|[ \t]*"
    r"[ef]?grep(?P<how>(?:[ \t]+-(?!-?\w*i)[\w-]{1,20}){0,5})[ \t]+(?P<quote>[\"']?)"
    r"(?P<word>(?:STATUS\\?\()?(?:RUNNING|ENDED|STARTING)(?:\\?\))?)(?P=quote)"
    r"(?=[\"'\s;|&)`]|$)(?![ \t]+-)"
)
"""A state in capitals that grep searches in the output of dspmq without -n."""


def states_in_capitals(text: str) -> Iterator[Diagnostic]:
    """Yield states of dspmq that a case-sensitive search never finds: it prints `Running`."""
    for found in _CAPITALS.finditer(text) if "dspmq" in text else ():
        yield diagnostic("state-in-capitals", found.span("word"), word=found["word"])


_WAITS_FOR_STATE = later(
    r"(?m)^[ \t]*(?:until|while[ \t]+!)[ \t](?:[ \t]*\[{1,2}[ \t]+-n[ \t])?[^\n#!\[]{0,200}?"
    r"\bdspmq\b(?![^\n|]{0,200}[ \t]-n\b)"
    r"[^\n|]{0,200}\|[ \t]*[ef]?grep\b(?:[ \t]+-(?!\w*v)\w+)*+[ \t]+[\"']?[^\n|\"'\\]{0,40}?"
    r"(?P<state>Ended normally)[^\n|\"'\\]{0,8}[\"']?[ \t]*(?:;|\)|>|$)"
)
"""A loop that ends with this state: not one that ends without it, by another `!`, -v or -z."""
_ENDS = later(r"(?m)^[^#\n]{0,200}?\bendmqm\b(?P<options>[^\n;&|]{0,200})")
_AT_ONCE = later(r"(?:^|\s)-(i|p)\b")
_OF_MANAGER = later(r"\bdspmq[ \t]+-m[ \t]*[\"']?([^\s\"'|;&]{1,60})")
_LEAVES_LOOP = later(r"\b(?:break|exit|return)\b")
_NAMES = later(r"[^\s\"'|;&]{1,60}")
_LONGEST_LOOP = 2000
"""Characters in which the body of a loop ends."""
_STATES = {"i": "Ended immediately", "p": "Ended preemptively"}


def _endless_waits(text: str) -> Iterator[Diagnostic]:
    """Yield loops that wait for `Ended normally` although each endmqm ends in another way.

    That is each endmqm of the queue manager that dspmq shows. A loop that can be left another way
    is not endless.
    """
    if "Ended normally" not in text:
        return
    ways: dict[str, set[str]] = {}
    for found in _ENDS.finditer(text):
        at_once = _AT_ONCE.search(found["options"])
        for name in ("", *_NAMES.findall(found["options"])):
            ways.setdefault(name, set()).add("" if at_once is None else at_once[1])
    for found in _WAITS_FOR_STATE.finditer(text):
        named = _OF_MANAGER.search(found[0])
        own = ways.get("" if named is None else named[1], set())
        way = next(iter(own)) if len(own) == 1 else ""
        body = text[found.end() : found.end() + _LONGEST_LOOP].partition("done")[0]
        if way and _LEAVES_LOOP.search(body) is None:
            yield diagnostic(
                "never-normally", found.span("state"), option=f"-{way}", state=_STATES[way]
            )


_ASKS_STATE = later(
    r"(?m)^[ \t]*(?P<if>(?:if|while|until)[ \t]+(?:![ \t]*)?)?(?:/\S{1,80}/)?(?P<call>dspmq"
    r"[ \t]+-m[ \t]*(?P<name>[^\s|;&<>]{1,60}))"
    r"(?:[ \t]*+(?:\d?>{1,2}|&>)[ \t]*+&?[^\s|;&<>]{1,100}+)*+(?P<end>[ \t]*(?:\|\||&&|;|\n))"
)
"""dspmq of one queue manager whose output nothing reads; other options give other codes."""
_ABOUT_STATE = later(
    r"\bstrmqm\b|\b(?:OK|UP|DOWN|CRITICAL)\b|\b(?:is|not)[ \t]+(?:running|up|down|active)\b"
)
_ABOUT_EXISTENCE = later(
    r"\b(?:crt|dlt)mqm\b|exist|\b(?:add|rmv)mqinf\b|[Nn]ot[ \t]+(?:found|defined|known)|[Uu]nknown"
)
_STARTED = later(r"^(?:[ \t\n]|then\b|&&)*(?:[^\s;&|]*/)?strmqm\b")
"""A start where dspmq succeeds: the script asks only whether the queue manager is on this host."""
_NEAR_STATE = 160
"""Characters after dspmq in which a script says what it takes the result for."""


def _states_by_result(text: str) -> Iterator[Diagnostic]:
    """Yield each dspmq whose result decides what a script says or does about a state."""
    for found in _ASKS_STATE.finditer(text):
        if not found["if"] and found["end"].strip() not in ("||", "&&"):
            continue
        after = text[found.end() : found.end() + _NEAR_STATE]
        if not found["if"]:
            after = after.partition("\n")[0]
        on_success = "!" not in (found["if"] or "") and found["end"].strip() != "||"
        if on_success and _STARTED.match(after) is not None:
            continue
        if _ABOUT_STATE.search(after) is not None and _ABOUT_EXISTENCE.search(after) is None:
            yield diagnostic("dspmq-as-state", found.span("call"), queue_manager=found["name"])


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
