"""Input for a command that docker exec, kubectl exec and the like run in a container.

Docker, "docker container exec": standard input is only attached with -i, and -t needs a terminal.
Kubernetes, "kubectl exec": standard input is only passed with -i.
"""

from __future__ import annotations

from collections.abc import Sequence

from mqlint.finding import Diagnostic
from mqlint.language.script.command import Command, Word, base_name
from mqlint.language.script.wrappers import unwrapped
from mqlint.patterns import later

_TOOLS = frozenset("docker podman nerdctl kubectl oc".split())
"""Those that pass input only with -i; compose passes it always."""
_INTERACTIVE = later(r"-[dt]*i[dit]*|--(?:interactive|stdin)(?:=true)?")
_TERMINAL = later(r"-[di]*t[dit]*|--tty(?:=true)?")
_NO_INPUT = "/dev/null"


def exec_input_fault(
    command: Command, inner: Sequence[Word], span: tuple[int, int]
) -> Diagnostic | None:
    """Return a fault if `inner`, run in a container, does not get the input of `command`."""
    words, _ = unwrapped(command.words)
    tool = base_name(words[0].text) if words else ""
    at = next((at for at, word in enumerate(words) if word.text == "exec"), 0)
    if tool not in _TOOLS or not at or not inner or not _reads_input(inner):
        return None
    is_file = command.stdin is not None and command.stdin.text != _NO_INPUT
    is_piped = command.piped is not None or command.string is not None
    if "compose" in (word.text for word in words[:at]) or not (is_file or is_piped or command.here):
        return None
    options = [word for word in words[at + 1 :] if word.start < inner[0].start]
    if sum(not word.known for word in options) > 1:
        return None  # one is the container, and another may hold options
    fault = ""
    if not any(_INTERACTIVE.fullmatch(word.text) for word in options):
        fault = "has no -i, so runmqsc reads no commands"
    elif tool == "docker" and any(_TERMINAL.fullmatch(word.text) for word in options):
        fault = "has -t, but its input is not a terminal, so it fails"
    data = {"command": f"{tool} exec", "fault": fault}
    return Diagnostic("exec-input", *span, data) if fault else None


def _reads_input(inner: Sequence[Word]) -> bool:
    """Whether runmqsc, or a shell that runs it, reads its commands from the input."""
    words, script = unwrapped(inner)
    if script is not None:
        has_other_input = any(sign in script.text for sign in ("<", "|", " -f"))
        return script.known and "runmqsc" in script.text and not has_other_input
    is_mqsc = bool(words) and base_name(words[0].text) == "runmqsc"
    return is_mqsc and not any(word.text.startswith("-f") for word in words)
