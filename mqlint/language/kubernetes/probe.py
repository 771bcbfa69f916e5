"""Programs with which Compose and Kubernetes ask a container of MQ whether it works.

Sources: the reference of Compose files (`healthcheck`), the programs of ibm-messaging/mq-container.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.kubernetes.faults.check import word_faults
from mqlint.language.script.faults.answers import states_in_capitals
from mqlint.language.yaml.tree import Node
from mqlint.number import is_digits
from mqlint.patterns import later
from mqlint.vocabulary.container import CONTAINER_PORTS, MQ_PORT, PROBES
from mqlint.vocabulary.distance import nearest
from mqlint.vocabulary.kubernetes import kubernetes_vocabulary

_TAKES_VALUE = later(r"-[mo]")
_OPTION = later(r"-(?:[nsxac]|[mo]\S+)")
_ASKED = later(
    r"(?:(?<=[\s/|;&])|\A)(runmqsc(?=[ \t])|dspmq(?=[ \t]+-m))(?:[ \t]+-[emn])?[ \t]+"
    r"([A-Za-z][\w./%]{0,47})(?=[\s;|&<>\"')]|\Z)"
)
"""A program of the image, and the queue manager that it is about."""
_STARTS = ("CMD", "CMD-SHELL", "NONE")
"""The first item of a list `test` (reference of Compose files, "healthcheck")."""
_NAME = later(r"[A-Za-z0-9._/%]{1,48}")


def health_faults(test: Node | None, name: object = None) -> Iterator[Diagnostic]:
    """Report the health check of a service of Compose that always fails, or always succeeds.

    `name` is the queue manager of the service, if it is known.
    """
    if test is None:
        return
    for word in test.items or (test,):
        for asked in _ASKED.finditer(word.word()) if isinstance(name, str) and name else ():
            if asked[2] != name:
                fault = f"asks queue manager {asked[2]}, but this container runs {name}"
                yield diagnostic("control-words", word.span, command=asked[1], fault=fault)
    if test.kind == "scalar":
        yield from command_faults(test, test.word())
        return
    for item in test.items[:1]:
        yield from word_faults(item, "test", _STARTS)
    first, words = (test.items[0].word() if test.items else ""), test.items[1:]
    if first == "CMD-SHELL" and words:
        yield from command_faults(words[0], words[0].word())
    elif first == "CMD":
        yield from program_faults(words)


def program_faults(words: Sequence[Node]) -> Iterator[Diagnostic]:
    """Report a program that is run without a shell, with its arguments, as `command_faults` does.

    `exec` of Kubernetes takes the first word as a path, so a program with blanks is not found.
    """
    if not words or not all(word.word() for word in words):
        return
    program, _, rest = words[0].word().partition(" ")
    if program in PROBES and rest:
        yield diagnostic("probe-program", words[0].span, word=words[0].word(), nearest=program)
        return
    yield from command_faults(words[0], " ".join(word.word() for word in words))


def port_faults(probe: Node, container: Node) -> Iterator[Diagnostic]:
    """Report a probe of a port that a container of MQ does not have, or that has no HTTP server.

    A container need not declare its ports, and its MQSC may define other listeners, so a number is
    compared only with ports that are declared.
    """
    ports = container.child("ports")
    if ports is None or ports.open or not ports.items:
        return
    declared = {port.word("name"): port.word("containerPort") for port in ports.items}
    for kind in ("tcpSocket", "httpGet"):
        port = probe.get(kind, "port")
        word = port.word() if port is not None else ""
        if port is None or not word or not all(declared.values()):
            continue
        number = word if is_digits(word) else declared.get(word, "")
        fault = ""
        if not number:
            fault = "the container has no port of this name"
        elif number not in {*declared.values(), *map(str, CONTAINER_PORTS)}:
            fault = f"the queue manager listens at {MQ_PORT}"
        elif kind == "httpGet" and number == str(MQ_PORT):
            fault = "the listener of a queue manager does not answer HTTP"
        if fault:
            yield diagnostic("service-port", port.span, port=word, fault=fault)


def command_faults(place: Node, command: str) -> Iterator[Diagnostic]:
    """Report a command that the container does not have, or that says nothing about its state."""
    program = command.split()[0].rpartition("/")[2] if command.split() else ""
    if program in kubernetes_vocabulary().container.foreign_probes:
        yield diagnostic("probe-program", place.span, word=program, nearest=PROBES[0])
    elif program.startswith("chk") and program not in PROBES and nearest(program, PROBES):
        yield diagnostic(
            "probe-program", place.span, word=program, nearest=nearest(program, PROBES)
        )
    elif program == "dspmq":
        yield from _dspmq(place, command.split()[1:])
        for found in states_in_capitals(command):
            yield replace(found, start=place.span[0], end=place.span[1])


def _dspmq(place: Node, words: list[str]) -> Iterator[Diagnostic]:
    """Dspmq alone succeeds in every state; with a name that has no option it always fails."""
    if words[-3:-1] == ["||", "exit"]:
        words = words[:-3]
    is_value = False
    for word in words:
        if is_value or _OPTION.fullmatch(word) is not None:
            is_value = False
        elif _TAKES_VALUE.fullmatch(word) is not None:
            is_value = True
        elif _NAME.fullmatch(word) is not None:
            fault = f"does not accept the argument {word}"
            yield diagnostic("control-words", place.span, command="dspmq", fault=fault)
            return
        else:
            return
    yield diagnostic("probe-always-succeeds", place.span, word=" ".join(["dspmq", *words]))
