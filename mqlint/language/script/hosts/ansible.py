"""Modules of Ansible: `queue_manager` of IBM's collection, and those that start containers.

Source: plugins/modules/queue_manager.py and docs/QUEUE_MANAGER.md of ibm-messaging/mq-ansible, as
of January 2026. `present` runs crtmqm, `running` runs crtmqm if there is no such queue manager and
then strmqm, `stopped` runs endmqm and `absent` dltmqm. `mqsc_file` is given to `runmqsc -f`, for
which a queue manager that does not run is started and ended.

`docker_container` (community.docker) and `podman_container` (containers.podman) have the image and
the environment of a container, as a service of Compose has them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from posixpath import basename

from mqlint.dataclass import NamedTuple
from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.declaration import Declared, Field
from mqlint.language.kubernetes.compose.services import environment_of_service
from mqlint.language.kubernetes.container import (
    container,
    environment_faults,
    is_mq_image,
    is_of_mq,
)
from mqlint.language.script.hosts.host import Block
from mqlint.language.script.hosts.keys import CONTAINER_MODULES, RUNNING_OTHERS, SERVICE_MODULES
from mqlint.language.script.hosts.unit import OPERATORS, WORDS
from mqlint.language.script.unread.mentions import names_command
from mqlint.language.text.mapped import MappedText, MappedTextBuilder
from mqlint.language.text.templates import PLACEHOLDER, with_placeholders
from mqlint.language.yaml.embedded_mqsc import CONDITIONS
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.source.budget import Budget
from mqlint.source.lines import Span

_MODULES = frozenset({"queue_manager", "ibm_messaging.ibmmq.queue_manager"})
_PLAYS = later(
    r"(?m)^[ ]*+(?:-[ ]*+)?"
    r"(?:hosts|tasks|become|register|changed_when|notify|ansible\.builtin\.\w+):"
)
"""Keys of playbooks and roles; pipelines have `when` too, and their `command` uses a shell."""
_COMMAND = later(
    r"(?m)^[ ]*+(?:-[ ]*+)?(?:ansible\.(?:builtin|legacy)\.)?command:[ ]++(?:cmd:[ ]*+)?"
    r"(?:[|>][-+]?[ ]*+\n[ ]++)?([^\s|>'\"][^\n]*)$"
)
_LISTING = frozenset({"command", "ansible.builtin.command", "ansible.legacy.command"})
_RUNNING = frozenset(
    "run script shell command raw ansible.builtin.shell ansible.builtin.command"
    " ansible.builtin.raw ansible.legacy.shell ansible.legacy.command".split()
)
"""Keys of tasks of Ansible, and of steps and jobs of pipelines, whose values run."""
_PASSING = {
    "ignore_errors": ("true", "yes", "on"),
    "failed_when": ("false", "no", "off"),
    "continue-on-error": ("true",),
    "allow_failure": ("true",),
    "continueOnError": ("true",),
}
"""Keys, and the values with which a failure does not count."""
_NAMING = frozenset({"register", "id"})
"""Keys that give the result of a task, or a step, a name."""
_INCLUDING = later(r"(?:include|import)_(?:tasks|role)[ \t]*:")
_ASKED = later(
    r"(?<![\w-])([A-Za-z_][\w-]{0,60})"
    r"(?:\.(?:rc|failed|outcome|conclusion|stdout|stderr|stdout_lines|stderr_lines|results|msg)\b"
    r"|[ \t]+is[ \t]+(?:not[ \t]+)?(?:failed|failure|succeeded|success)\b)"
)
"""A question for such a result."""
_MATTERING = later(
    r"(?<![\w.-])(runmqsc|setmqaut|setmqspl|dmpmqcfg|rcdmqimg|rcrmqobj|migmqlog|runmqakm)(?![\w.-])"
)
_ASKING = later(r"(?i:(?<![\w-])(?:dis|display|del|delete|stop|ping)[ \t]+[a-z])")
"""MQSC that is expected to fail, or changes nothing."""
_CHANGING = later(
    r"(?i:(?<![\w-])(?:def|define|alt|alter|set|ref|refresh|res|reset|cle|clear)[ \t]+[a-z])"
    r"|(?<!<)<[ \t]*[\w./$\"'{]"
)
"""MQSC that is expected to succeed, or a file of it."""
_SHELLS = frozenset({"sh", "bash", "ksh", "zsh"})
_SERVICE_OF_MQ = later(r"(?i)mq|qm|\{\{|websphere")
_LONGEST_SERVICE = 200
_EVERY = "ALL_QMGRS"
_LEAVES = {"present": "present", "running": "running", "stopped": "present", "absent": "absent"}
"""The state that a queue manager has after a task, by the state that the task asks for."""
_STATES = ("present", "running", "stopped", "absent")
"""Those that the module has, in small letters only."""
_OPTIONS = (
    ("data_dir", "-md"),
    ("log_dir", "-ld"),
    ("log_file_size", "-lf"),
    ("log_primary", "-lp"),
    ("log_secondary", "-ls"),
    ("description", "-c"),
)


def command_faults(text: str) -> Iterator[Diagnostic]:
    """Yield redirections and the like in the module `command`, which uses no shell.

    Source: documentation of ansible.builtin.command. Signs in templates (`{{ name | upper }}`) and
    comments are not of the command.
    """
    if _PLAYS.search(text) is None:
        return
    for found in _COMMAND.finditer(with_placeholders(text)):
        words = list(WORDS.finditer(found[1])) if names_command(found[1].lower()) else []
        if not words or words[0].group().rpartition("/")[2] in _SHELLS:
            continue
        sign = next((word for word in words if word.group() in OPERATORS), None)
        if sign is not None:
            span = found.start(1) + sign.start(), found.start(1) + sign.end()
            yield diagnostic("module-command", span, sign=sign.group(), caller="the module command")


_WORD = later(r"[A-Za-z]{1,40}")
"""A state that is a word, and not the sign of a template."""


def state_faults(documents: Iterable[Node]) -> Iterator[Diagnostic]:
    """Yield the states of queue managers that the module does not have: it fails the task."""
    for task in tasks_in(documents, _MODULES):
        state = task.arguments.child("state")
        if task.arguments.child("qmname") is None or state is None:
            continue
        word = state.value if isinstance(state.value, str) else ""
        if _WORD.fullmatch(word) is not None and word != "null" and word not in _STATES:
            yield diagnostic("module-state", state.span, state=word)


_ONE_HOST = later(r"localhost|[\[.]")
"""Hosts of a play that are, or may be, a single one."""
_SWITCHES = later(r"\bendmqm\b[^\n]{0,80}[ \t]-s\b|\brdqmadm[ \t]+-s\b")
"""How a queue manager leaves a host, so that an instance on another one takes over."""
_UPDATES = later(r"\bMQSeries|\bibmmq-|\bmqinstallp?\b")
_IN_TURN = frozenset("serial throttle run_once strategy delegate_to when order".split())
"""Keys by which the hosts of a play do not all do the same at once."""
_CHOSEN = later(r"groups\[|play_hosts")


def serial_faults(documents: Iterable[Node]) -> Iterator[Diagnostic]:
    """Yield the hosts of plays that end all instances of a queue manager at once, to update MQ.

    Without `serial`, each task runs on all hosts of the play before the next one. Several plays
    that update MQ run one after the other.
    """
    plays = [play for document in documents for play in document.items if play.child("hosts")]
    updating = [play for play in plays if _says(play, _UPDATES)]
    if len(updating) != 1 or any(play.child("serial") for play in plays):
        return
    (play,) = updating
    keys = {key for node in play.walk() for key in node.pairs.names()}
    if not keys.isdisjoint(_IN_TURN) or _says(play, _CHOSEN) or not _says(play, _SWITCHES):
        return
    hosts, names = play.child("hosts"), play.word("hosts")
    if hosts is not None and names and _ONE_HOST.search(names) is None:
        yield diagnostic("all-hosts-at-once", hosts.span, hosts=names[:80])


def handler_faults(documents: Iterable[Node]) -> Iterator[Diagnostic]:
    """Yield the names that tasks notify and that no handler of their play has.

    Source: Ansible's "Handlers: running operations on change". Roles and included files may bring
    handlers, so a play with either is left alone.
    """
    for play in chain.from_iterable(document.items for document in documents):
        handlers = play.child("handlers")
        keys = {key for node in play.walk() for key in node.pairs.names()}
        if handlers is None or not handlers.items or not keys.isdisjoint(RUNNING_OTHERS):
            continue
        names = [
            name
            for handler in handlers.items
            for key in ("name", "listen")
            for name in handler.entries_or_value(key)
        ]
        known = {name.text.strip() for name in names}
        if not all(_is_plain(name) for name in names):
            continue
        for node in play.walk():
            for name in node.entries_or_value("notify"):
                if _is_plain(name) and name.text.strip() and name.text.strip() not in known:
                    yield diagnostic("handler-missing", name.span, name=name.text.strip()[:80])


def _is_plain(name: Node) -> bool:
    return name.kind == "scalar" and isinstance(name.value, str) and "{{" not in name.text


def _says(node: Node, form: re.Pattern[str]) -> bool:
    return any(form.search(inner.text) is not None for inner in node.walk())


def module_scripts(documents: Iterable[Node], budget: Budget) -> list[Block]:
    """Return the commands that the tasks with this module run, in the order of the tasks."""
    states: dict[str, str] = {}
    tasks = tasks_in(documents, _MODULES)
    return [block for task in tasks for block in _task(task, states, budget)]


def containers(documents: Iterable[Node]) -> tuple[list[Declared], list[Diagnostic]]:
    """Return the queue managers of containers that tasks start, and faults of their settings."""
    declared: list[Declared] = []
    faults: list[Diagnostic] = []
    for _, task, _, _ in tasks_in(documents, CONTAINER_MODULES):
        environment, image = environment_of_service(task), task.child("image")
        if not is_of_mq(environment) and (image is None or not is_mq_image(image.text)):
            continue
        run = None if image is None else Field("image", image.value, image.span)
        kind, model = Field("kind", "Ansible", task.span), f"#{task.start}"
        name = task.word("name")
        declared.append(container(kind, name, run, environment, task.span, model))
        faults += environment_faults(environment)
    return declared, faults


def argument_lists(documents: Iterable[Node]) -> Iterator[Block]:
    """Yield the commands that tasks give as a list of words, `argv`."""
    for _, task, start, maybe in tasks_in(documents, _LISTING):
        words = task.child("argv")
        if words is not None and words.items:
            yield Block(line(start, [("", word) for word in words.items]), maybe=maybe, plain=True)


def ignored_failures(text: str, documents: Iterable[Node]) -> Iterator[Diagnostic]:
    """Yield keys of tasks and jobs by which a failed command of MQ does not count.

    It counts if something in the file asks for the result under the name that the task gives it,
    or may ask in tasks that the file includes. A job that is started by hand is optional.
    """
    includes = _INCLUDING.search(text) is not None
    asked = {match[1] for match in _ASKED.finditer(text)}
    for document in documents:
        for node in document.walk():
            keys = dict(node.pairs.items())
            passed = (key for key, words in _PASSING.items() if _is_one_of(keys.get(key), words))
            ignoring = next(passed, "")
            command = _first_mattering(text, keys) if ignoring else None
            names = {keys[key].text for key in _NAMING.intersection(keys)}
            is_asked = bool(names & asked or (names and includes))
            if (
                command is not None
                and not is_asked
                and not _is_one_of(keys.get("when"), ["manual"])
            ):
                span = [place for key, place, _ in node.pairs if key == ignoring][-1]
                yield diagnostic("failure-ignored", span, key=ignoring, command=command[1])


def _is_one_of(value: Node | None, words: Collection[str]) -> bool:
    return value is not None and value.text.lower() in words


def _first_mattering(text: str, keys: Mapping[str, Node]) -> re.Match[str] | None:
    """Return the first command whose failure matters in the values that run."""
    values = (keys[key] for key in sorted(_RUNNING.intersection(keys)))
    found = (mattering(text, value.start, _end(value)) for value in values)
    return next((match for match in found if match is not None), None)


def mattering(text: str, start: int, end: int) -> re.Match[str] | None:
    """Return the first command whose failure matters, None for MQSC that only asks or deletes."""
    match = _MATTERING.search(text, start, end)
    if match is None or match[1] != "runmqsc" or _ASKING.search(text, start, end) is None:
        return match
    return None if _CHANGING.search(text, start, end) is None else match


def _end(node: Node) -> int:
    """Return the end of a value, with the last of its entries."""
    while node.kind != "scalar" and (node.items or node.pairs):
        node = node.items[-1] if node.items else node.pairs.values()[-1]
    return node.end


def places_of_others(documents: Iterable[Node]) -> Iterator[int]:
    """Yield the places of tasks, roles and playbooks of other files, and of services of MQ.

    Any of them may start or stop a queue manager.
    """
    for document in documents:
        for node in document.walk():
            for key, span, value in node.pairs:
                is_other = key in RUNNING_OTHERS and (key != "roles" or node.child("hosts"))
                if is_other or (key in SERVICE_MODULES and _is_service_of_mq(value)):
                    yield span[0]


def _is_service_of_mq(arguments: Node) -> bool:
    """Whether a task is about a service that may be a queue manager's; `arguments` may be text."""
    named = arguments.child("name")
    text = arguments.text if named is None else named.text
    if arguments.child("state") is None and "state=" not in text:
        return False
    return _SERVICE_OF_MQ.search(text[:_LONGEST_SERVICE]) is not None


class Task(NamedTuple):
    """A task: its module and the arguments of that, its place, and whether it may not run."""

    module: str
    arguments: Node
    start: int
    maybe: bool


def tasks_in(documents: Iterable[Node], modules: Collection[str]) -> list[Task]:
    found: list[Task] = []
    for document in documents:
        waiting = [(document, False)]
        while waiting:
            node, maybe = waiting.pop()
            maybe = maybe or node.maybe or any(key in CONDITIONS for key in node.pairs.names())
            for key, span, value in node.pairs:
                if key in modules and value.kind == "mapping":
                    found.append(Task(key, value, span[0], maybe))
                else:
                    waiting.append((value, maybe or key in CONDITIONS))
            waiting += ((item, maybe) for item in node.items)
    return sorted(found, key=lambda task: task.start)


def _task(found: Task, states: dict[str, str], budget: Budget) -> Iterator[Block]:
    """Yield the commands of a task, unless it is about every queue manager of a host.

    `states` are those after earlier tasks: the module omits commands without effect.
    """
    _, task, start, maybe = found
    for at, name in enumerate(task.entries_or_value("qmname")):
        if name.kind != "scalar" or name.text == _EVERY:
            continue
        commands = _commands(task.word("state"), name, task, states.get(name.text, ""))
        for number, (words, is_certain) in enumerate(commands):
            # Their order is that of places: each begins at another one of the module's name.
            source = line(start + number, words)
            if at and not budget.spend(len(source.text)):
                return
            yield Block(source, maybe=maybe or not is_certain)
        stays = task.word("state") == "present" and states.get(name.text) == "running"
        if not stays:
            states[name.text] = _LEAVES.get(task.word("state"), "")


class CopiedMqsc(NamedTuple):
    """A file of MQSC beside the play, the place of its name, and the queue manager that gets it."""

    name: str
    span: Span
    queue_manager: str


def copied_mqsc(documents: Sequence[Node]) -> Iterator[CopiedMqsc]:
    """Yield the files that the role getconfig copies to a host, once for each `mqsc_file` of them.

    `mqsc_local` is its variable (roles/getconfig of ibm-messaging/mq-ansible). The name of the
    queue manager is blank if none gets the file, or if an earlier file has the same name.
    """
    given: dict[str, list[str]] = {}
    for task in tasks_in(documents, _MODULES):
        arguments = task.arguments
        file = basename(arguments.word("mqsc_file"))
        for name in arguments.entries_or_value("qmname") if file else ():
            if isinstance(name.value, str) and name.value != _EVERY:
                given.setdefault(file, []).append(name.value)
    for node in (node for document in documents for node in document.walk()):
        local = node.child("mqsc_local")
        if local is not None and local.kind == "scalar" and isinstance(local.value, str):
            for owner in given.pop(basename(local.value), [""]):
                yield CopiedMqsc(local.value, local.span, owner)


Words = list[tuple[str, Node | None]]


def _commands(state: str, name: Node, task: Node, before: str) -> Iterator[tuple[Words, bool]]:
    """Yield the commands of a task for a queue manager, and whether they certainly run.

    A command is pairs of a word and its value. `before` is the state that an earlier task left,
    blank without one. To start a queue manager, the module creates it first if it does
    not exist.
    """
    file = task.child("mqsc_file")
    stopped = before != "running"
    mqsc: list[tuple[Words, bool]] = []
    if file is not None and file.text:
        mqsc.append(([("runmqsc", name), ("-f", file)], True))
    options = [*_options(task)]
    create: Words = [("crtmqm", None), *options, ("", name)]
    if state == "present":
        yield create, before in ("", "absent")
        if mqsc:
            yield [("strmqm", name)], stopped
            yield from mqsc
            yield [("endmqm", name)], stopped
    elif state == "running":
        if before == "absent" or (options and not before):
            yield create, before == "absent"
        yield [("strmqm", name)], stopped
        yield from mqsc
    elif state == "stopped":
        yield from mqsc
        yield [("endmqm", name)], True
    elif state == "absent":
        yield [("dltmqm", name)], True


def _options(task: Node) -> Iterator[tuple[str, Node | None]]:
    for key, option in _OPTIONS:
        value = task.child(key)
        if value is not None and value.kind == "scalar" and value.text:
            yield option, value


def text_of_word(value: Node) -> str:
    """Return the text of a word in quotes of a shell; what is not known is covered."""
    covered = with_placeholders(value.text)
    text = covered if value.known or covered != value.text else PLACEHOLDER * 3
    return text.replace("'", PLACEHOLDER).replace("\n", " ")


def line(start: int, words: Words) -> MappedText:
    """Return a command for the shell; all its own words are mapped to the name of the module."""
    builder = MappedTextBuilder()
    end = start + 1
    for word, value in words:
        if word:
            builder.add(f"{word} ", start, 0)
        if value is None or value.mapped is None:
            continue
        builder.add("'", value.start, 0)
        builder.add_mapped(MappedText(text_of_word(value), value.mapped.segments, value.mapped.end))
        builder.add("' ", value.mapped.end, 0)
        end = value.mapped.end
    builder.add("\n", end, 0)
    return builder.finish(end)
