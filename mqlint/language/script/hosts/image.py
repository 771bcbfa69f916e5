"""What a Dockerfile says of the queue manager that its image runs: FROM, ENV and ARG.

Sources: the environment that the container of ibm-messaging/mq-container takes, and the Dockerfile
reference of Docker.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mqlint.language.declaration import Declared, Field
from mqlint.language.kubernetes.container import Variable, container, is_mq_image
from mqlint.language.script.hosts.mq_image import OF_MQ
from mqlint.language.script.step import Span
from mqlint.vocabulary.unknown import UNKNOWN

_INSTRUCTION = re.compile(r"^[ \t]*(FROM|ENV|ARG)[ \t]+", re.MULTILINE | re.IGNORECASE)
_FROM = re.compile(r"(?:--\S{1,80}[ \t]+)*([^\s#]+)(?:[ \t]+AS[ \t]+(\S+))?", re.IGNORECASE)
_PAIR = re.compile(r"([A-Za-z_]\w*)=(\"(?:[^\"\\]|\\.)*\"|'[^']*'|(?:[^\s\\]|\\[^\r\n])*)")
_OLD_PAIR = re.compile(r"([A-Za-z_]\w*)[ \t]+([^\r\n]*)")
_COPY = re.compile(
    r"^[ \t]*+(?:COPY|ADD)[ \t]++(?:--ch\S{1,80}[ \t]++)*+([^\[\s][^\[\n]{0,500}?)"
    r"[ \t]{1,9}/etc/mqm/?\S{0,200}[ \t]*\r?$",
    re.MULTILINE | re.IGNORECASE,
)
_CONTINUED = re.compile(r"(?:[^\n]*\\[ \t]*\r?\n(?:[ \t]*#[^\n]*\n)*)*[^\n]*")


def declared_by(text: str) -> Iterator[Declared]:
    """Yield the queue manager of the image that a Dockerfile makes, if that is one of MQ."""
    if OF_MQ().search(text) is None:
        return
    settings: dict[str, Variable] = {}
    image: Variable | None = None
    done = 0
    for instruction in _INSTRUCTION.finditer(text):
        if instruction.start() < done:
            continue
        if instruction[1].upper() == "FROM":
            found = _from(text, instruction.end())
            if found is not None and (image is None or is_mq_image(found.text)):
                image = found
        else:
            continued = _CONTINUED.match(text, instruction.end())
            done = continued.end() if continued is not None else instruction.end()
            settings.update(_settings(text, instruction.end(), done))
    if image is None:
        return
    kind = Field("kind", "Dockerfile", image.value_span)
    run = Field("image", image.value, image.value_span)
    yield container(kind, "", run, settings, image.value_span)


def copied_by(text: str) -> Iterator[str]:
    """Yield the files of MQSC and of stanzas that a Dockerfile copies into /etc/mqm."""
    for copy in _COPY.finditer(text):
        yield from (word for word in copy[1].split() if word.endswith((".mqsc", ".ini")))


def _variable(text: str, name_span: Span, value_span: Span) -> Variable:
    known = UNKNOWN if "$" in text or "{{" in text else text
    return Variable(text, known, name_span, value_span)


def _from(text: str, start: int) -> Variable | None:
    found = _FROM.match(text, start)
    return None if found is None else _variable(found[1], found.span(1), found.span(1))


def _settings(text: str, start: int, end: int) -> Iterator[tuple[str, Variable]]:
    """The variables of one instruction, in either form."""
    old = _OLD_PAIR.match(text, start, end)
    if old is not None:
        yield old[1], _variable(old[2].strip().strip("\"'"), old.span(1), old.span(2))
        return
    for pair in _PAIR.finditer(text, start, end):
        yield pair[1], _variable(pair[2].strip("\"'"), pair.span(1), pair.span(2))
