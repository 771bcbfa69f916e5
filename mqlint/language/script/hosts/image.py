"""The queue manager that the image of a Dockerfile runs: FROM, ENV and ARG.

Sources: the environment that the container of ibm-messaging/mq-container takes, and the Dockerfile
reference of Docker.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mqlint.finding import Diagnostic
from mqlint.language.declaration import Declared, Field
from mqlint.language.kubernetes.container import (
    container,
    environment_faults,
    is_mq_image,
)
from mqlint.language.kubernetes.environment import Variable
from mqlint.language.script.hosts.mq_image import OF_MQ
from mqlint.language.script.step import Span
from mqlint.patterns import later
from mqlint.vocabulary.container import CONFIGURATION_FOLDER
from mqlint.vocabulary.distance import distance
from mqlint.vocabulary.unknown import UNKNOWN

_INSTRUCTION = later(r"^[ \t]*(FROM|ENV|ARG)[ \t]+", re.MULTILINE | re.IGNORECASE)
_FROM = later(r"(?:--\S{1,80}[ \t]+)*([^\s#]+)(?:[ \t]+AS[ \t]+(\S+))?", re.IGNORECASE)
_PAIR = later(
    r"(?<!\w)([A-Za-z_]\w*+)=(\"(?:[^\"\\]++|\\.){0,500}+\"|'[^']*'|(?:[^\s\\]|\\[^\r\n])*)"
)
_OLD_PAIR = later(r"([A-Za-z_]\w*)[ \t]+([^\r\n]*)")
_COPY = later(
    r"^[ \t]*+(?:COPY|ADD)[ \t]++(?:--ch\S{1,80}[ \t]++)*+([^\[\s][^\[\n]{0,500}?)"
    r"[ \t]{1,9}/etc/mqm/?\S{0,200}[ \t]*\r?$",
    re.MULTILINE | re.IGNORECASE,
)
_ANY_COPY = later(
    r"^[ \t]*+(?:COPY|ADD)[ \t]++(?:--ch\S{1,80}[ \t]++)*+"
    r"([^\[\s-][^\[\n\\]{0,500}[ \t]/[^\s\\]{1,200})[ \t]*\r?$",
    re.MULTILINE | re.IGNORECASE,
)
_MADE = later(r"\bmkdir[ \t]++(?:-\S{1,20}[ \t]++)*+(/[^\s;&\\]{1,200})")
_OWN_PROGRAM = later(r"^[ \t]*ENTRYPOINT\b", re.MULTILINE | re.IGNORECASE)
_MAIN = later(
    r"^[ \t]*(CMD|ENTRYPOINT)[ \t]+((?:[^\n\\]|\\(?:\r?\n)?)*)", re.MULTILINE | re.IGNORECASE
)
_ONLY_STARTS = later(
    r"(?:\[[ \t]*\"(?:/[\w./-]{1,80}/)?strmqm\"(?:[ \t]*,[ \t]*\"[^\"\n]{0,60}\"){0,6}[ \t]*\]"
    r"|(?:/[\w./-]{1,80}/)?strmqm(?:[ \t]+[\w.$\{\}/-]{1,60}){0,6})[ \t]*\r?\Z"
)
_STAGE = later(r"^[ \t]*FROM[ \t]", re.MULTILINE | re.IGNORECASE)
_USER = later(r"^[ \t]*(?:USER)[ \t]+([^\s:]{1,64})", re.MULTILINE | re.IGNORECASE)
_CONTINUED = later(r"(?:[^\n]*\\[ \t]*\r?\n(?:[ \t]*#[^\n]*\n)*)*[^\n]*")


def ended_at_once(text: str) -> Iterator[Diagnostic]:
    """Yield the last CMD or ENTRYPOINT if it only starts a queue manager.

    A container ends with its first process, and strmqm ends when the queue manager has started.
    """
    last = None
    for found in _MAIN.finditer(text):
        if last is None or found[1].upper() == "ENTRYPOINT" or last[1].upper() != "ENTRYPOINT":
            last = found
    if last is not None and _ONLY_STARTS.match(last[2]) is not None:
        yield Diagnostic("image-ends-at-once", *last.span(1), {"instruction": last[1].upper()})


def image_of(text: str) -> tuple[Declared, Sequence[Diagnostic]] | None:
    """Return the queue manager of the image of a Dockerfile, and faults of the file.

    None for an image that is not one of MQ.
    """
    if OF_MQ.search(text) is None:
        return None
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
        return None
    kind = Field("kind", "Dockerfile", image.value_span)
    run = Field("image", image.value, image.value_span)
    declared = container(kind, "", run, settings, image.value_span)
    if not is_mq_image(image.text):
        return declared, ()
    return declared, [*environment_faults(settings), *_copies(text), *_user(text)]


def _misspelt_endings(copy: re.Match[str]) -> Iterator[Diagnostic]:
    """Files whose ending is a typo of that of MQSC, which the container does not read."""
    for source in copy[1].split()[:-1]:
        ending = source.rpartition("/")[2].rpartition(".")[2].lower()
        if distance(ending, "mqsc", 1) == 1:
            start = copy.start(1) + copy[1].index(source)
            data = {"word": source[:60], "ending": ".mqsc or .ini"}
            yield Diagnostic("image-entry-not-applied", start, start + len(source), data)


def _copies(text: str) -> Iterator[Diagnostic]:
    """Report configuration that is copied to a folder that the container does not read.

    A folder that the file makes by itself is for programs of its own.
    """
    made = {made[1].rstrip("/") for made in _MADE.finditer(text)}
    for copy in _ANY_COPY.finditer(text):
        *sources, target = copy[1].split()
        named = [source for source in sources if source.endswith((".mqsc", ".ini"))]
        start = copy.start(1) + copy[1].rindex(target)
        span = (start, start + len(target))
        folder, _, file = target.rpartition("/")
        if target.rstrip("/") == CONFIGURATION_FOLDER:
            yield from _misspelt_endings(copy)
            continue
        if folder == CONFIGURATION_FOLDER:
            if named and not file.endswith((".mqsc", ".ini")):
                data = {"word": file[:60], "ending": ".mqsc or .ini"}
                yield Diagnostic("image-entry-not-applied", *span, data)
            continue
        is_near = distance("/".join(target.split("/")[:3]), CONFIGURATION_FOLDER, 2) <= 2
        if named and is_near and target.rstrip("/") not in made:
            data = {"path": target[:60], "meant": CONFIGURATION_FOLDER}
            yield Diagnostic("mount-path", *span, data)


def _user(text: str) -> Iterator[Diagnostic]:
    """The user root, if it is the last that the file names."""
    stages = [found.start() for found in _STAGE.finditer(text)]
    users = [found for found in _USER.finditer(text) if stages and found.start() > stages[-1]]
    if _OWN_PROGRAM.search(text) is None and users and users[-1][1] in ("root", "0"):
        yield Diagnostic("runs-as-root", *users[-1].span(1), {"how": f"USER is {users[-1][1]}"})


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
