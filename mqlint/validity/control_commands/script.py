"""The control commands of one script together.

A multi-instance queue manager is created on one host (`crtmqm -md`) and registered on the other
(`addmqinf`) with the same data path. A DR replicated queue manager is created on both, with the
same port, and with the local address of each as the remote address of the other.
A planned change of the DR primary makes the present primary secondary first.
IBM's pages "Create a multi-instance queue manager on Linux", "Creating a disaster recovery RDQM"
and "rdqmdr (manage DR replicated data queue managers)".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from posixpath import join, normpath
from typing import TYPE_CHECKING

from mqlint.finding import Diagnostic, diagnostic
from mqlint.grouping import grouped
from mqlint.language.script.step import ShellScript, Step
from mqlint.patterns import later
from mqlint.vocabulary.control import ControlSpec
from mqlint.vocabulary.distance import distance, same_but_for_digits
from mqlint.vocabulary.unknown import UNKNOWN, Unknown

if TYPE_CHECKING:
    from mqlint.language.script.step import ShellScript, Step, Typo


# -- hosts -----------------------------------------------------------------------------------------


def other_hosts(script: ShellScript) -> Iterator[tuple[Step, Diagnostic]]:
    """Yield commands that do not match the crtmqm for the first host, each with its step."""
    steps = sorted((*script.steps, *script.remote), key=lambda step: step.span)
    created: dict[str, Step] = {}
    promoted: dict[str, Step] = {}
    local = {id(step) for step in script.steps}
    for step in steps:
        name = step.queue_manager
        if not name or step.open:
            continue
        first = created.get(name)
        if step.command == "crtmqm":
            # RDQ048 and RDQ053 compare the commands that run on this host.
            is_judged = id(first) in local and id(step) in local
            fault = "" if first is None else _second_creation(first, step, is_judged=is_judged)
            created.setdefault(name, step)
        elif step.command == "addmqinf":
            fault = _registration(first, step)
        elif step.command == "rdqmdr" and step.option("p") is not None:
            fault = _second_promotion(promoted.setdefault(name, step), step)
        elif step.command == "rdqmdr" and step.option("s") is not None and name in promoted:
            demoted, step = step, promoted.pop(name)
            fault = _promotion(step, demoted)
        else:
            continue
        if fault:
            words = {"command": step.command, "fault": fault}
            yield step, diagnostic("control-other-host", step.span, **words)


_OF_STANDBY = ("x", "s", "r")
"""Options of strmqm and endmqm for instances of a queue manager that may run on two hosts."""


def _started_early(script: ShellScript) -> Iterator[tuple[Step, Diagnostic]]:
    """Yield each start of a queue manager on one host before the same script ends it on another.

    A script that ended it on the first host before restarts it: it runs a queue manager of one name
    on each host. Commands in branches prove nothing.
    """
    steps = sorted(
        (*script.steps, *script.remote), key=lambda step: step.execution.position(step.span[0])
    )
    started: dict[str, Step] = {}
    ended = set[tuple[str, str]]()
    for step in steps:
        name, host = step.queue_manager, step.execution.host
        if not name or step.command not in ("strmqm", "endmqm"):
            continue
        first = started.get(name)
        if step.command == "endmqm":
            is_elsewhere = first is not None and first.execution.host != host
            if first is not None and is_elsewhere and (name, host) not in ended and _is_sure(step):
                other = host or "the host of the script"
                yield first, diagnostic("started-early", first.span, queue_manager=name, host=other)
            ended.add((name, host))
            started.pop(name, None)
        elif (name, host) not in ended and _is_sure(step):
            started.setdefault(name, step)


def _is_sure(step: Step) -> bool:
    has_standby = any(step.option(name) is not None for name in _OF_STANDBY)
    return not (has_standby or step.open or step.execution.maybe)


def _second_creation(first: Step, second: Step, *, is_judged: bool) -> str:
    roles = first.text("rr"), second.text("rr")
    if set(roles) == {"p", "s"}:
        if is_judged:
            return ""
        for own, other in (("rp", "rp"), ("fs", "fs"), ("rl", "ri"), ("ri", "rl")):
            mine, theirs = second.text(own), first.text(other)
            if own == "fs" and mine[-1:].upper() != theirs[-1:].upper():
                continue  # 3072M and 3G are equal
            if mine and theirs and _addresses(mine) != _addresses(theirs):
                return f"has -{own} {mine}, but the other site has -{other} {theirs}"
        return ""
    path = first.text("md")
    if path and path == second.text("md"):
        return f"creates {first.queue_manager} again in {path}, but a second host needs addmqinf"
    return ""


def _promotion(promoted: Step, demoted: Step) -> str:
    """The fault of making one site primary before the other one is secondary."""
    if promoted.execution.host in ("", demoted.execution.host):
        return ""
    other = demoted.execution.host or "this host"
    return f"makes {promoted.queue_manager} primary before {other} is made secondary"


def _second_promotion(first: Step, second: Step) -> str:
    """The fault of making both sites primary, with nothing between that makes one secondary."""
    host = first.execution.host
    if host == second.execution.host or first.execution.maybe or second.execution.maybe:
        return ""
    other = host or "this host"
    return f"makes {second.queue_manager} primary, and so does the script on {other}"


def _registration(first: Step | None, second: Step) -> str:
    """The fault of the data path of a queue manager, `first` of which creates it."""
    values = [option.value for option in second.options if option.name == "v"]
    texts = [value for value in values if isinstance(value, str)]
    if len(texts) < len(values):
        return ""
    found = [text.partition("=")[2] for text in texts if text.startswith("DataPath=")]
    if first is None:
        return _other_folder(found[0].rstrip("/"), second.queue_manager or "") if found else ""
    path = first.text("md")
    if not path:
        return ""
    if not found:
        return f"has no DataPath, but the queue manager was created with -md {path}"
    folder = found[0].rstrip("/")
    if not folder.startswith(f"{path.rstrip('/')}/"):
        return f"has DataPath={folder}, which is not in {path} of crtmqm -md"
    name = (second.queue_manager or "").replace(".", "!").replace("/", "&")
    if folder.rpartition("/")[2].casefold() not in (name.casefold(), f"{name.casefold()}%"):
        return f"has the DataPath of another queue manager, {folder}"
    return ""


def _other_folder(folder: str, name: str) -> str:
    """The fault of a folder whose name is a typo of the queue manager's, or has other digits."""
    written = folder.rpartition("/")[2].removesuffix("%")
    own = name.replace(".", "!").replace("/", "&")
    is_other = written.casefold() != own.casefold() and written.partition(".")[0] != own
    is_near = same_but_for_digits(written, own) or _is_typo(written, own)
    is_folder = is_other and is_near and len(own) >= _SHORTEST
    return f"has the DataPath of another queue manager, {folder}" if is_folder else ""


def _addresses(text: str) -> Sequence[str]:
    return sorted(text.split(","))


# -- scripts ---------------------------------------------------------------------------------------


_CODES = {
    "command": "control-misspelt",
    "derived": "control-derived",
    "capitals": "control-capitals",
    "file": "control-path",
    "folder": "control-path",
}
_OWN_KEYS = later(r"(?i:[/\\]qmgrs[/\\].{1,200}\.kdb\Z)")
"""The path of a CMS key repository in the folder of a queue manager."""
_ABSOLUTE = later(r"[/\\]|[A-Za-z]:")
_STAYING = frozenset({"listen", "trigger-monitor", "start-initiator"})
"""Actions that end only when their queue manager or another command ends them."""
_SHORTEST = 4
"""How many characters a name must have for another to be a typo of it."""
_MOST = 50
"""For how many names of a script a similar one is looked for."""
_SIBLINGS = frozenset("ABCDEFGHPQRSTU")
"""Letters in which the names of related queue managers differ: ORDA and ORDB, ORDP and ORDT."""
_SITES = frozenset("ABDPRST")
"""Letters that the name of a queue manager gets at another site: ORDQM and ORDQMD."""


def script_faults(
    script: ShellScript, known: Mapping[str, ControlSpec]
) -> Iterator[tuple[Step | None, Diagnostic]]:
    """Yield what is wrong with several commands together, each with its step where it has one."""
    yield from _waiting(script, known)
    yield from _unstashed(script)
    yield from _other_names(script)
    yield from _other_unit(script)
    yield from other_hosts(script)
    yield from _started_early(script)
    yield from _agent_objects(script)
    yield from ((None, found) for found in _typos(script))


def _waiting(
    script: ShellScript, known: Mapping[str, ControlSpec]
) -> Iterator[tuple[Step, Diagnostic]]:
    """Yield commands that do not end by themselves, if a later one of the script waits for them.

    A script may wait for its listener until it is stopped, and then end the queue manager.
    """
    following = ""
    for step in reversed([step for step in script.steps if step.command in known]):
        if step.waits and step.action in _STAYING and following:
            yield step, diagnostic("control-waits", step.span, command=step.command, next=following)
        is_next = not step.execution.maybe and step.action != "end"
        following = step.command if is_next else following


def _unstashed(script: ShellScript) -> Iterator[tuple[Step, Diagnostic]]:
    """Yield key repositories that are created without a stash file, and need one.

    Those of queue managers do, and those that a later command opens with it.
    KEYRPWD can hold the password too, which runqmcred encrypts.
    """
    steps = (*script.steps, *script.remote)
    is_set = any("KEYRPWD" in inner.text.upper() for inner in script.embedded)
    if is_set or any(step.command == "runqmcred" for step in steps):
        return
    stashed = {_key_database(step) for step in steps if _has(step, "stashpw")}
    opened = {_key_database(step) for step in steps if _has(step, "stashed")} - {"", UNKNOWN}
    for step in steps:
        db = _key_database(step) if _has(step, "keydb") and _has(step, "create") else ""
        if step.open or _has(step, "stash") or stashed & {db, UNKNOWN}:
            continue
        if isinstance(db, str) and (db in opened or _OWN_KEYS.search(db) is not None):
            yield step, diagnostic("keys-unstashed", step.span, command=step.command)


def _agent_objects(script: ShellScript) -> Iterator[tuple[Step, Diagnostic]]:
    """Yield runmqsc that defines the queues of an agent at a queue manager that is not the agent's.

    fteCreateAgent writes them to AGENT_create.mqsc, for the queue manager of -agentQMgr.
    """
    managers: dict[str, str] = {}
    for step in script.steps:
        if step.command == "fteCreateAgent":
            managers[step.text("agentName").upper()] = step.text("agentQMgr")
    for step in script.steps if managers else ():
        read = step.reads.value if step.command == "runmqsc" and step.reads is not None else ""
        file = read if isinstance(read, str) else ""
        agent, is_made, _ = file.rpartition("/")[2].partition("_create.mqsc")
        meant = managers.get(agent.upper(), "") if is_made else ""
        if meant and step.queue_manager and step.queue_manager != meant:
            words = {"agent": agent, "written": step.queue_manager, "meant": meant}
            yield step, diagnostic("agent-objects-elsewhere", step.span, **words)


def _key_database(step: Step) -> str | Unknown:
    """The path of -db, below the folder that `cd` names if it is relative; blank for none."""
    db = step.option("db")
    if db is None or not isinstance(db.value, str):
        return "" if db is None or db.value is None else UNKNOWN
    is_relative = step.directory and not _ABSOLUTE.match(db.value)
    return normpath(join(step.directory, db.value) if is_relative else db.value)


def _has(step: Step, option: str) -> bool:
    return step.option(option) is not None


def _other_names(script: ShellScript) -> Iterator[tuple[Step, Diagnostic]]:
    """Steps whose queue manager is named once, and nearly like one that the script creates.

    Where it creates none, one that it starts, or otherwise names several times. Names that differ
    in their numbers are of different queue managers, and so may be those on different hosts. A
    secondary (crtmqm -sxs) creates no queue manager of its own.
    """
    named = [(step, step.queue_manager) for step in script.steps if step.queue_manager is not None]
    times = Counter(name for _, name in named)
    created = {name for step, name in named if step.action == "create" and not step.is_secondary}
    started = {name for step, name in named if step.action == "start"}
    made = created or started or {name for name, number in times.items() if number > 1}
    names = [name for name in made if len(name) >= _SHORTEST]
    at = grouped((name, step.execution.host) for step, name in named)
    for step, name in named if len(names) <= _MOST else ():
        if times[name] > 1 or name in made or len(name) < _SHORTEST:
            continue
        host = step.execution.host
        near = next((other for other in names if host in at[other] and _is_typo(name, other)), None)
        if near is not None:
            yield step, _other_manager(step, near)


def _is_typo(name: str, other: str) -> bool:
    """Whether a name of a queue manager is likely a typo of another."""
    if same_but_for_digits(name, other):
        return False
    changed = [pair for pair in zip(name, other, strict=False) if pair[0] != pair[1]]
    if len(name) == len(other) and len(changed) == 1 and _SIBLINGS.issuperset(changed[0]):
        return False
    short, long = sorted((name, other), key=len)
    if long[:-1] == short and long[-1] in _SITES:
        return False
    return distance(name.casefold(), other.casefold(), 1) <= 1


def _other_unit(script: ShellScript) -> Iterator[tuple[Step, Diagnostic]]:
    """Steps of a unit that end another queue manager than the one that it starts."""
    steps = [step for step in script.steps if step.queue_manager]
    at_boot = [step for step in steps if step.execution.schedule == "boot"]
    started = [step.queue_manager for step in at_boot if step.action == "start"]
    for step in at_boot:
        if step.action == "end" and started and step.queue_manager not in started:
            meant = started[0] or ""
            if not _is_typo(step.queue_manager or "", meant):
                yield step, _other_manager(step, meant)


def _other_manager(step: Step, meant: str) -> Diagnostic:
    words = {"written": step.queue_manager or "", "meant": meant, "command": step.command}
    return diagnostic("control-other-manager", step.span, **words)


def _typos(script: ShellScript) -> Iterator[Diagnostic]:
    """Report words of the script that are typos of MQ's, if other words of it confirm that."""
    names = {step.queue_manager for step in script.steps if step.queue_manager is not None}
    names |= {found.queue_manager for found in script.declared if found.queue_manager is not None}
    times_of = Counter(
        name for typo in script.typos if typo.kind == "command" for name in set(typo.names)
    )
    names |= {name for name, times in times_of.items() if times > 1 and not name.startswith("-")}
    folders = {name.replace(".", "!").replace("/", "&") for name in names} | names
    for typo in script.typos:
        code = _CODES[typo.kind]
        if typo.kind == "folder" and _is_own_folder(typo, script, folders):
            continue
        if typo.kind in ("command", "derived") and not (
            typo.fits or names.intersection(typo.names)
        ):
            continue
        yield diagnostic(code, typo.span, written=typo.written, meant=typo.meant)


def _is_own_folder(typo: Typo, script: ShellScript, folders: set[str]) -> bool:
    """Whether the user may have made it: it is of no queue manager, or crtmqm names folders."""
    made = (step for step in script.steps if step.command == "crtmqm")
    return folders.isdisjoint(typo.names) or any(
        step.option("ld", "md") is not None for step in made
    )
