"""MQSC in the texts of YAML: values of a chart, variables and tasks of Ansible.

A template or a task gives it to a queue manager later. Three kinds of text count: MQSC below a key
about it, text that a task or cloud-init writes to a file of MQSC, and input of runmqsc.
"""

from __future__ import annotations

import binascii
from base64 import b64decode
from collections.abc import Iterator

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.mqsc.command_line import begins_command, is_command
from mqlint.language.mqsc.language import MQSC_ENDINGS, is_mqsc
from mqlint.language.script.step import Embedded
from mqlint.language.text.mapped import MappedText
from mqlint.language.text.templates import with_placeholders
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later

_OF_QUEUE_MANAGER = later(r"(?i)queue[-_]?manager|qmgr")
"""Keys below which a name is that of a queue manager."""
_RUN = later(
    r"(?<![\w.-])runmqsc(?:[ \t]+-\S+(?:[ \t]+\d+)?)*"
    r"(?:[ \t]+(?:([\w./%]+)|\{\{[^{}\n]*\}\}))?[ \t]*$"
)
_LONG = 200
CONDITIONS = frozenset("when loop with_items with_dict until delegate_to rescue handlers".split())
"""Keys of Ansible by which a task may not run, or not here."""
_BASE64 = ("b64", "base64")
"""Encodings of a file that cloud-init writes ("Write Files" in its documentation)."""
_WRITTEN = ("content", "block")
_RUNNING = ("cmd", "argv", "_raw_params", "command", "ansible.builtin.command")
_OPERATOR = frozenset({"zos_operator", "ibm.ibm_zos_core.zos_operator"})
_PREFIXED = later(r"[ \t]*((?:\{\{[^{}]*\}\}|[^\s{}])+)[ \t]+(?=[A-Za-z]{3,8}[ \t])")
"""The prefix by which an operator sends a command to a queue manager: `+MQ7A DISPLAY ...`."""
_DOUBLED = later("''")
_OF_DB2 = later(r"(?i)\w+[ \t]+(?:THREAD|TRACE|LOG|ARCHIVE|BSDS|GROUP)\b")
"""Commands that subsystems of Db2 have too."""


def lines_of(node: Node) -> MappedText | None:
    """Return the text of a scalar of MQSC, with line ends where YAML folds commands into one line.

    Then each command and each comment begins a line, and the lines of a command are joined.
    """
    written = node.unfolded if _lost(node) else None
    if written is None:
        return node.mapped
    lines = written.text.split("\n")
    meant = lines[0]
    for line in lines[1:]:
        begins = not line.strip() or line.startswith("*") or begins_command(line.strip())
        meant += ("\n" if begins else " ") + line
    return MappedText(meant, written.segments, written.end)


def decoded(value: Node) -> MappedText | None:
    """The text in base64; each of its lines is mapped to its approximate place in the file."""
    packed = "".join(value.text.split())
    try:
        text = b64decode(packed, validate=True).decode()
    except (binascii.Error, ValueError):
        return None
    segments = [(0, value.start)]
    at = text.find("\n")
    while at >= 0:
        segments.append((at + 1, min(value.start + (at + 1) * 4 // 3, value.end - 1)))
        at = text.find("\n", at + 1)
    return MappedText(text.replace("\r\n", " \n"), tuple(segments), value.end)


def folded_mqsc(document: Node) -> Iterator[Diagnostic]:
    """Yield the texts of MQSC in which YAML joins a command to the line before it."""
    for node in document.walk():
        lost = _lost(node) if node.kind == "scalar" else 0
        if lost:
            yield diagnostic("folded-mqsc", (node.start, node.start + 1), number=str(lost))


def _lost(node: Node) -> int:
    """How many commands of a scalar begin a line in the file, and none in its value."""
    written = node.unfolded
    if written is None or not is_mqsc(written.text):
        return 0
    return _commands(written.text) - _commands(node.text)


def _commands(text: str) -> int:
    return sum(begins_command(line.strip()) for line in text.splitlines())


def mqsc_in(document: Node) -> Iterator[Embedded]:
    """Yield the MQSC that a document holds, in the order of its keys.

    It is for the queue manager that a mapping around it names (`queueManager: {name: ...}`), or
    that its task runs `runmqsc` for.
    """
    yield from _below(document, "", None, False, "")


def _below(
    node: Node, key: str, queue_manager: str | None, maybe: bool, model: str
) -> Iterator[Embedded]:
    """Yield the MQSC below a key; `model` distinguishes it from that of other keys."""
    below_mqsc = "mqsc" in key.lower()
    maybe = maybe or node.maybe
    if node.kind == "scalar":
        text = lines_of(node) if below_mqsc else None
        if text is not None and is_mqsc(text.text):
            yield Embedded.of("mqsc", text, queue_manager, maybe=maybe, model=model)
        return
    if _OF_QUEUE_MANAGER.search(key):
        queue_manager = node.word("name") or queue_manager
    if key in _OPERATOR:
        yield from _of_operator(node, maybe)
    stdin, target = _given(node)
    for item in node.items:
        yield from _below(item, key, queue_manager, maybe, model)
    doubtful = maybe or any(below in CONDITIONS for below in node.pairs.names())
    for below, value in node.pairs.items():
        own = f"#{value.start}"
        is_given = value is stdin or (stdin is not None and value.child("stdin") is stdin)
        if is_given and stdin is not None and stdin.mapped and stdin.mapped.text.strip():
            name, encoding = target or queue_manager, node.word("encoding")
            encoded = encoding in _BASE64
            text = decoded(stdin) if encoded else lines_of(stdin) or stdin.mapped
            if text is not None and not encoding.startswith("gz"):
                yield Embedded.of("mqsc", text, name, maybe=doubtful, encoded=encoded, model=own)
        else:
            inside = f"mqsc.{below}" if below_mqsc else below
            yield from _below(value, inside, queue_manager, doubtful, own)


def _given(task: Node) -> tuple[Node | None, str | None]:
    """The MQSC that a task writes to a file, or gives to runmqsc for a queue manager."""
    file = task.word("dest") or task.word("path")
    if file.lower().endswith(MQSC_ENDINGS):
        return next(filter(None, map(task.child, _WRITTEN)), None), None
    arguments = task.child("args") or task
    for key in _RUNNING:
        command = task.child(key)
        run = _RUN.search(command.text[-_LONG:]) if command is not None else None
        if run is not None:
            return arguments.child("stdin"), run[1]
    return None, None


def _of_operator(task: Node, maybe: bool) -> Iterator[Embedded]:
    """Yield the MQSC that a task of the module zos_operator gives to a queue manager of z/OS.

    Apostrophes are doubled ("zos_operator", `cmd`, of IBM's collection ibm_zos_core). Texts with
    the same prefix are for the same queue manager.
    """
    written = task.child("cmd")
    mapped = written.mapped if written is not None else None
    prefix = _PREFIXED.match(mapped.text) if mapped is not None else None
    if mapped is None or prefix is None:
        return
    command = mapped.part(prefix.end(), len(mapped.text))
    plain = command.sub(_DOUBLED, lambda _: "'")
    covered = with_placeholders(plain.text)
    if is_command(covered.strip()) and _OF_DB2.match(covered) is None:
        yield Embedded.of("mqsc", plain, None, maybe=maybe, model=f"#{prefix[1]}")
