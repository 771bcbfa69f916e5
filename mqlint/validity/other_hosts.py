"""Compare the commands of a script for a second host with those for the first.

A multi-instance queue manager is created on one host (`crtmqm -md`) and registered on the other
(`addmqinf`) with the same data path. A DR replicated queue manager is created on both, with the
same port, and with the local address of each as the remote address of the other.
A planned change of the DR primary makes the present primary secondary first.
IBM's pages "Create a multi-instance queue manager on Linux", "Creating a disaster recovery RDQM"
and "rdqmdr (manage DR replicated data queue managers)".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mqlint.finding import Diagnostic
from mqlint.language.script.step import ShellScript, Step


def other_hosts(script: ShellScript) -> Iterator[tuple[Step, Diagnostic]]:
    """Yield commands that do not match the crtmqm for the first host, each with its step."""
    steps = sorted((*script.steps, *script.remote), key=lambda step: step.span)
    created: dict[str, Step] = {}
    promoted: dict[str, Step] = {}
    for step in steps:
        name = step.queue_manager
        if not name or step.open:
            continue
        first = created.get(name)
        if step.command == "crtmqm":
            fault = "" if first is None else _second_creation(first, step)
            created.setdefault(name, step)
        elif step.command == "addmqinf" and first is not None:
            fault = _registration(first, step)
        elif step.command == "rdqmdr" and step.option("p") is not None:
            promoted.setdefault(name, step)
            continue
        elif step.command == "rdqmdr" and step.option("s") is not None and name in promoted:
            demoted, step = step, promoted.pop(name)
            fault = _promotion(step, demoted)
        else:
            continue
        if fault:
            data = {"command": step.command, "fault": fault}
            yield step, Diagnostic("control-other-host", *step.span, data)


def _second_creation(first: Step, second: Step) -> str:
    roles = _value(first, "rr"), _value(second, "rr")
    if set(roles) == {"p", "s"}:
        for own, other in (("rp", "rp"), ("fs", "fs"), ("rl", "ri"), ("ri", "rl")):
            mine, theirs = _value(second, own), _value(first, other)
            if own == "fs" and mine[-1:].upper() != theirs[-1:].upper():
                continue  # 3072M and 3G are equal
            if mine and theirs and _addresses(mine) != _addresses(theirs):
                return f"has -{own} {mine}, but the other site has -{other} {theirs}"
        return ""
    path = _value(first, "md")
    if path and path == _value(second, "md"):
        return f"creates {first.queue_manager} again in {path}, but a second host needs addmqinf"
    return ""


def _promotion(promoted: Step, demoted: Step) -> str:
    """The fault of making one site primary before the other one is secondary."""
    if promoted.execution.host in ("", demoted.execution.host):
        return ""
    other = demoted.execution.host or "this host"
    return f"makes {promoted.queue_manager} primary before {other} is made secondary"


def _registration(first: Step, second: Step) -> str:
    path = _value(first, "md")
    values = [option.value for option in second.options if option.name == "v"]
    texts = [value for value in values if isinstance(value, str)]
    if not path or len(texts) < len(values):
        return ""
    found = [text.partition("=")[2] for text in texts if text.startswith("DataPath=")]
    if not found:
        return f"has no DataPath, but the queue manager was created with -md {path}"
    folder = found[0].rstrip("/")
    if not folder.startswith(f"{path.rstrip('/')}/"):
        return f"has DataPath={folder}, which is not in {path} of crtmqm -md"
    name = (second.queue_manager or "").replace(".", "!").replace("/", "&")
    if folder.rpartition("/")[2].casefold() not in (name.casefold(), f"{name.casefold()}%"):
        return f"has the DataPath of another queue manager, {folder}"
    return ""


def _value(step: Step, name: str) -> str:
    option = step.option(name)
    return option.value if option is not None and isinstance(option.value, str) else ""


def _addresses(text: str) -> Sequence[str]:
    return sorted(text.split(","))
