"""Words around a command: sudo, su, `sh -c`, `cmd /c`, ssh, psexec, and tools of containers.

Docker, "docker container exec": standard input is only attached with -i, and -t needs a terminal.
Kubernetes, "kubectl exec": standard input is only passed with -i.
Pages of Microsoft: "PsExec", "winrs", "schtasks create", "New-ScheduledTaskAction".
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from mqlint.config.data import rows_of
from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.script.calls.prefixes import own_words, prefixed, takes_value
from mqlint.language.script.command import Command, Word, base_name, service_words
from mqlint.language.script.posix.texts import DECLARING
from mqlint.language.text.mapped import MappedText, joined, mapped_slice
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later

SHELLS = frozenset({"sh", "bash", "ksh", "dash", "zsh", "su", "runuser"})
_CONTAINERS = frozenset(
    "docker podman nerdctl crictl kubectl oc docker-compose podman-compose".split()
)
"""Programs that run commands in containers, after the word exec, or rsh of oc."""
_EXEC = frozenset(
    {
        *("-u", "--user", "-e", "--env", "--env-file", "-w", "--workdir", "--index"),
        *("-c", "--container", "-n", "--namespace", "--context", "--kubeconfig", "--shell"),
    }
)
_SSH = frozenset(f"-{letter}" for letter in "bcDEeFIiJLlmOopQRSWw")
"""Options with a value."""
_PSEXEC_NAMES = frozenset({"psexec", "psexec64"})
_PSEXEC = frozenset({"-u", "-p", "-n", "-r", "-w", "-a"})
_WINRS_HOST = later(r"(?i)[-/]r(?:emote)?:\S")
_INTERACTIVE = later(r"exec|rsh|-[itd]{1,3}|--(?:tty|stdin|interactive|detach)")
"""Words of a command in a container that do not tell which container it is."""
_FAR = 12
"""Limit of the words of global options before exec."""
_HARMLESS = frozenset(dict(rows_of("mqlint.language.script.calls", "harmless.txt"))["harmless"])
_ON_CLOUD = {
    "aws": later(r"(?:ec2|s3|s3api|fsx|efs|ebs|sts|route53|backup) "),
    "az": later(r"(?:disk|snapshot|network|netappfiles|account|vm (?:disk|show)) "),
    "gcloud": later(
        r"compute (?:disks|snapshots|firewall-rules|networks|addresses) "
        r"|compute instances (?:attach|detach)-disk "
    ),
}
"""Tools of clouds, and what they do to disks and networks: that runs nothing on a host."""
_MESSAGE = later(
    r"(?i)_{0,2}(?:log|print|write|say|show)?[_-]?"
    r"(?:log|debug|info|notice|warn|warning|err|error|msg|message|banner)\d?"
)
"""Names that scripts give their own functions which only print or log a message."""
_RUNNERS = {"find": ("-exec", "-ok", "-execdir"), "trap": ("",)}
_SETTINGS = later(
    r"(?:^|/)(?:setmqenv|\.?(?:bash_|zsh_)?profile|\.(?:bash|ksh|zsh)rc|profile\.d/[\w.-]{1,80}"
    r"|[\w.-]{0,80}(?:env|vars|conf|config|settings|profile)(?:\.(?:sh|ksh|bash|cfg|conf))?"
    r"|[\w.-]{1,80}\.(?:env|conf|cfg|ini))$"
)
"""Files that a script reads for variables: they start and end nothing."""
_STDIN = "/dev/stdin"
_SWITCHING = ("su", "runuser")
_SCRIPT_FLAG = later(r"-[a-z]{0,4}c[a-z]{0,4}")
_SCRIPT_OPTIONS = ("-c", "-lc", "-pc", "-mc", "-fc", "--command", "--session-command")
_JOINED_SCRIPT = later(r"-[lpmf]{0,3}c(?=[^\s-])|--(?:session-)?command=")
_SHELL_VALUES = frozenset({"-o", "+o", "-O", "+O", "--rcfile", "--init-file"})
"""Options of shells: that with a script, and those with a value."""
_ASSIGNED = later(r"[A-Za-z_]\w*=")
_AT_PROMPTS = later(r"PROMPT_COMMAND(?:\[[^\]]{0,20}\])?\+?=")
"""What begins the assignment of a text that bash runs before each prompt."""
_VALUE_BEFORE = later(rf"{PLACEHOLDER}+[ \t]*;?")
_ONLY_DESCRIBES = later(r"-p?[vV]")


def unwrapped(words: Sequence[Word]) -> tuple[Sequence[Word], Word | None]:
    """Return the command after sudo and the like, or the script of su or a shell."""
    at = 0
    while at < len(words):
        name = base_name(words[at].text)
        if name in SHELLS:
            return _shell(name, words[at:])
        if is_batch(words, at):
            rest = words[at + 2 :]
            script = joined((word.mapped for word in rest), " ")
            return words[at:], Word(script, rest[0].start, rest[-1].end)
        found = prefixed(words, at)
        if found is None:
            break
        if name == "command" and words[at + 1 :] and _ONLY_DESCRIBES.fullmatch(words[at + 1].text):
            return (), None  # it tells where a program is, and runs nothing
        after, inner_script = found
        if inner_script is not None:
            return words[at:], inner_script
        at = after
    return words[at:] if at else words, None


def later_script(command: Command, words: Sequence[Word], text: str) -> Word | None:
    """Return the script that a command has the shell run: at once, in a trap, or at each prompt.

    `words` are those after sudo and the like, and `text` is around them.
    """
    for word in words[1:] if words and words[0].text in DECLARING else command.assigned:
        if (set_to := _AT_PROMPTS.match(word.text)) is not None:
            adds = text.count("PROMPT_COMMAND", word.start, word.end) > 1
            before = _VALUE_BEFORE.match(word.text, set_to.end()) if adds else None
            script = word.mapped.part((before or set_to).end(), len(word.text))
            return Word(script, word.start, word.end)
    name = words[0].text if words else ""
    if name == "eval" and len(words) > 1:
        return Word(joined((word.mapped for word in words[1:]), " "), words[1].start, words[-1].end)
    if name == "trap" and len(words) > 2 and len(words[1].text.split()) > 1:
        return words[1]
    return None


def runs_at_exit(words: Sequence[Word]) -> bool:
    """Whether a command sets the trap that the shell runs when the script ends."""
    return words[:1] != [] and words[0].text == "trap" and words[-1].text in ("EXIT", "0")


def _after(words: Sequence[Word], with_value: frozenset[str]) -> Sequence[Word]:
    """Return the words after a wrapper's own options and settings."""
    return words[own_words(words, with_value) :]


def _shell(name: str, words: Sequence[Word]) -> tuple[Sequence[Word], Word | None]:
    """Return the script after -c, or the command after `runuser -u mqm --`."""
    if name not in _SWITCHING:
        after = _after_options(words)
        has_script = any(_SCRIPT_FLAG.fullmatch(word.text) for word in words[1:after])
        return (words, words[after]) if has_script and after < len(words) else ((), None)
    own = next((at for at, word in enumerate(words) if word.text == "--"), len(words))
    for number, word in enumerate(words[1:], 1):
        joined_to = _JOINED_SCRIPT.match(word.text)
        if joined_to is not None and number < own:
            script = word.mapped.part(joined_to.end(), len(word.text))
            return words, Word(script, word.start, word.end)
        if word.text in _SCRIPT_OPTIONS and number + 1 < len(words):
            return words, words[number + 1]
    if name == "runuser":
        return _after(words[1:], frozenset({"-u", "-g", "-G"})), None
    return (), None


def _after_options(words: Sequence[Word]) -> int:
    """Return the number of the words that are a shell's name and options."""
    at = 1
    while at < len(words) and words[at].text[:1] in ("-", "+") and len(words[at].text) > 1:
        if words[at].text == "--":
            return at + 1
        at += 1 + takes_value(words[at].text, _SHELL_VALUES)
    return min(at, len(words))


def is_batch(words: Sequence[Word], at: int = 0) -> bool:
    """Whether the command at `at` is `cmd /c`, which gives its words to the shell of Windows."""
    if len(words) < at + 3 or base_name(words[at].text).lower() != "cmd":
        return False
    return words[at + 1].text.lower() in ("/c", "/k", "//c")


def reads_script(words: Sequence[Word]) -> bool:
    """Return whether the shell after sudo and the like reads its script from its input."""
    if words[0].text in (".", "source"):
        return len(words) > 1 and words[1].text == _STDIN
    number = next((at for at, word in enumerate(words) if base_name(word.text) in SHELLS), -1)
    if number < 0:
        return False
    name = base_name(words[number].text)
    rest = [word.text for word in words[number + 1 :]]
    operands = [text for text in rest if not text.startswith("-") and text != _STDIN]
    flags = {word.text for word in words[number + 1 :]}
    return len(operands) <= (name in _SWITCHING) or "-s" in flags


def script_file(words: Sequence[Word]) -> Word | None:
    """Return the file that a shell runs, or that `source` reads; None if it reads its input."""
    if words[0].text in (".", "source"):
        return words[1] if len(words) > 1 else None
    number = next((at for at, word in enumerate(words) if base_name(word.text) in SHELLS), -1)
    if number < 0 or base_name(words[number].text) in _SWITCHING:
        return None
    after = _after(words[number + 1 :], _SHELL_VALUES)
    return after[0] if after else None


def is_settings_file(name: str) -> bool:
    """Whether a file is known by its name to set variables only."""
    return _SETTINGS.search(name[:200]) is not None


def elsewhere(words: Sequence[Word]) -> Sequence[Word] | None:
    """Return the command that ssh, psexec, winrs or a container tool runs; None for any other.

    It is empty if a shell of that host reads the input.
    """
    name = base_name(words[0].text) if words else ""
    on_host = _on_host(words) if words else None
    if on_host is not None:
        return on_host[1]
    container = _from_container(words) if name in _CONTAINERS else []
    if not container:
        return None
    marked = next((at for at, word in enumerate(words) if word.text == "--"), 0)
    if marked:
        return words[marked + 1 :] or None
    return _after(container[1:], _EXEC) or None


def _on_host(words: Sequence[Word]) -> tuple[Word, Sequence[Word]] | None:
    """Return the word with the host that ssh, psexec or winrs names, and the command after it."""
    name = base_name(words[0].text).lower()
    if name == "ssh":
        after = _after(words[1:], _SSH)
        return (after[0], after[1:]) if after else None
    if name == "winrs":
        own = next((at for at, word in enumerate(words[1:], 1) if word.text[:1] not in "-/"), 0)
        hosts = [word for word in words[1:own] if _WINRS_HOST.match(word.text) is not None]
        return (_after_colon(hosts[0]), words[own:]) if hosts else None
    at = next((at for at, word in enumerate(words[1:3], 1) if word.text.startswith("\\\\")), 0)
    if name not in _PSEXEC_NAMES or not at:
        return None
    after = _after(words[at + 1 :], _PSEXEC)
    return (words[at], after) if after else None


def _after_colon(word: Word) -> Word:
    return Word(word.mapped.part(word.text.index(":") + 1, len(word.text)), word.start, word.end)


def _from_container(words: Sequence[Word]) -> Sequence[Word]:
    """Return the words from the name of the container on, in which exec runs a command."""
    runs = ("exec", "rsh") if base_name(words[0].text) == "oc" else ("exec",)
    at = next((at for at, word in enumerate(words[1:_FAR], 2) if word.text in runs), 0)
    return _after(words[at:], _EXEC) if at else []


def host_of(words: Sequence[Word]) -> str:
    """Return the other host, or the container with its namespace; blank if not known."""
    on_host = _on_host(words)
    if on_host is not None:
        host, _ = on_host
        return host.text.rpartition("@")[2].rpartition("\\")[2].lower() if host.known else ""
    container = _from_container(words)
    naming = words[1 : len(words) - len(container) + 1]
    if not container or not all(word.known for word in naming):
        return ""
    return " ".join(word.text for word in naming if not _INTERACTIVE.fullmatch(word.text)).lower()


_BUILDERS = frozenset("dotnet go gradle gradlew mvn mvnw npm npx pytest tox yarn".split())
_TESTS = later(r"(?i)test|verify")
"""A target of a builder that only runs the tests of an application."""


def is_harmless(words: Sequence[Word]) -> bool:
    """Whether a command is known to do nothing to a queue manager but to its files."""
    name = base_name(words[0].text)
    if name in (".", "source"):
        return len(words) > 1 and is_settings_file(words[1].text)
    if name == "for" or _ASSIGNED.match(words[0].text):
        return True
    on_cloud = _ON_CLOUD.get(name)
    if on_cloud is not None:
        return on_cloud.match(service_words(words)) is not None
    if name in _BUILDERS:
        return any(_TESTS.search(word.text) is not None for word in words)
    begins = _RUNNERS.get(name, ())
    runs = any(word.text.startswith(begins) for word in words[1:]) if begins else False
    return (name in _HARMLESS or _MESSAGE.fullmatch(name) is not None) and not runs


# -- input of commands in containers ---------------------------------------------------------------


CONTAINER_PROGRAMS = frozenset({"docker", "podman", "nerdctl"})
"""Programs that start containers."""
_TOOLS = frozenset("docker podman nerdctl kubectl oc".split())
"""Those that pass input only with -i; compose passes it always."""
_ATTACHED = later(r"-[dt]*i[dit]*|--(?:interactive|stdin)(?:=true)?")
_TERMINAL = later(r"-[di]*t[dit]*|--tty(?:=true)?")
_NO_INPUT = "/dev/null"


def exec_input_fault(
    command: Command, inner: Sequence[Word], span: tuple[int, int], *, scheduled: bool
) -> Diagnostic | None:
    """Return a fault if `inner`, run in a container, does not get the input of `command`.

    `scheduled`: a clock runs it, so that it has no terminal.
    """
    words, _ = unwrapped(command.words)
    tool = base_name(words[0].text) if words else ""
    at = next((at for at, word in enumerate(words) if word.text == "exec"), 0)
    is_exec = tool in _TOOLS and at > 0 and "compose" not in [word.text for word in words[:at]]
    is_given = bool(inner) and _has_input(command) and _reads_input(inner)
    if not is_exec or not inner or not (is_given or scheduled):
        return None
    options = [word for word in words[at + 1 :] if word.start < inner[0].start]
    unknown = sum(
        not word.known and not takes_value(before.text, _EXEC)
        for before, word in pairwise([words[at], *options])
    )
    if unknown > 1:
        return None  # one is the container, and another may hold options
    fault = ""
    is_attached = any(_ATTACHED.fullmatch(word.text) for word in options)
    if not is_attached:  # docker checks for a terminal only if it passes input
        fault = "has no -i, so runmqsc reads no commands" if is_given else ""
    elif tool == "docker" and any(_TERMINAL.fullmatch(word.text) for word in options):
        fault = "has -t, but its input is not a terminal, so it fails"
    return diagnostic("exec-input", span, command=f"{tool} exec", fault=fault) if fault else None


def _has_input(command: Command) -> bool:
    if command.stdin is not None and command.stdin.text != _NO_INPUT:
        return True
    return any(given is not None for given in (command.piped, command.string, command.here))


def _reads_input(inner: Sequence[Word]) -> bool:
    """Whether runmqsc, or a shell that runs it, reads its commands from the input."""
    words, script = unwrapped(inner)
    if script is not None:
        has_other_input = any(sign in script.text for sign in ("<", "|", " -f"))
        return script.known and "runmqsc" in script.text and not has_other_input
    is_mqsc = bool(words) and base_name(words[0].text) == "runmqsc"
    return is_mqsc and not any(word.text.startswith("-f") for word in words)


# -- tasks of the Windows Task Scheduler -----------------------------------------------------------


_PROGRAM = later(
    r"(?i)([\"']?)(?:[^\"'|<>\n]{0,300}?\\(\w{1,30}\.exe)|[^\"'|<>\s]{0,300}\\(\w{1,30}))\1(?=\s|$)"
)
"""A program with its path, which may have blanks, in quotes or not."""


def task_command(words: Sequence[Word]) -> Word | None:
    """Return the command of a task that schtasks or New-ScheduledTaskAction makes."""
    name = base_name(words[0].text).lower() if words else ""
    if name == "schtasks":
        options = ["/tr"]
    elif name == "new-scheduledtaskaction":
        options = ["-execute", "-argument"]
    else:
        return None
    value_of = {word.text.lower(): words[at] for at, word in enumerate(words[:-1], 1)}
    found = [value_of[option] for option in options if option in value_of]
    if options[0] not in value_of or not all(word.known for word in found):
        return None
    return Word(program_call([word.mapped for word in found]), found[0].start, found[-1].end)


def program_call(texts: Sequence[MappedText]) -> MappedText:
    """Return the command with the name of the program only, whose path may have blanks."""
    text = joined(texts, " ")
    program = _PROGRAM.match(text.text)
    if program is None:
        return text
    name = program.span(2 if program[2] else 3)
    parts = [mapped_slice(text.text, *name), mapped_slice(text.text, program.end(), len(text.text))]
    return joined((part.within(text) for part in parts if part.text), "")
