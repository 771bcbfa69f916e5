"""What a Dockerfile says of the queue manager that its image runs: FROM, ENV and ARG.

Sources: the environment that the container of ibm-messaging/mq-container takes, and the Dockerfile
reference of Docker.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mqlint.language.declaration import Declared, Field, FieldValue
from mqlint.language.kubernetes.fields import PASSWORDS, derived_of
from mqlint.language.script.hosts.mq_image import MQ_IMAGE, OF_MQ
from mqlint.language.script.step import Span
from mqlint.source.masking import is_hidden
from mqlint.vocabulary.unknown import UNKNOWN

_INSTRUCTION = re.compile(r"^[ \t]*(FROM|ENV|ARG)[ \t]+", re.MULTILINE | re.IGNORECASE)
_FROM = re.compile(r"(?:--\S{1,80}[ \t]+)*([^\s#]+)(?:[ \t]+AS[ \t]+(\S+))?", re.IGNORECASE)
_IS_MQ = re.compile(MQ_IMAGE, re.IGNORECASE)
_PAIR = re.compile(r"([A-Za-z_]\w*)=(\"(?:[^\"\\]|\\.)*\"|'[^']*'|(?:[^\s\\]|\\[^\r\n])*)")
_OLD_PAIR = re.compile(r"([A-Za-z_]\w*)[ \t]+([^\r\n]*)")
_COPY = re.compile(
    r"^[ \t]*+(?:COPY|ADD)[ \t]++(?:--ch\S{1,80}[ \t]++)*+([^\[\s][^\[\n]{0,500}?)"
    r"[ \t]{1,9}/etc/mqm/?\S{0,200}[ \t]*\r?$",
    re.MULTILINE | re.IGNORECASE,
)
_CONTINUED = re.compile(r"(?:[^\n]*\\[ \t]*\r?\n(?:[ \t]*#[^\n]*\n)*)*[^\n]*")


@dataclass(frozen=True, slots=True)
class _Setting:
    name: str
    value: str
    name_span: Span
    value_span: Span

    @property
    def known(self) -> FieldValue:
        return UNKNOWN if "$" in self.value or "{{" in self.value else self.value


def declared_by(text: str) -> Iterator[Declared]:
    """Yield the queue manager of the image that a Dockerfile makes, if that is one of MQ."""
    if OF_MQ().search(text) is None:
        return
    settings: dict[str, _Setting] = {}
    image: _Setting | None = None
    done = 0
    for instruction in _INSTRUCTION.finditer(text):
        if instruction.start() < done:
            continue
        if instruction[1].upper() == "FROM":
            found = _from(text, instruction.end())
            if found is not None and (image is None or _IS_MQ.fullmatch(found.value)):
                image = found
        else:
            continued = _CONTINUED.match(text, instruction.end())
            done = continued.end() if continued is not None else instruction.end()
            for setting in _settings(text, instruction.end(), done):
                settings[setting.name] = setting
    if image is None:
        return
    fields = [Field("kind", "Dockerfile", image.value_span)]
    fields.append(Field("image", image.known, image.value_span))
    accepted = settings.get("LICENSE")
    if accepted is not None:
        value = accepted.known
        answer = str(value == "accept").lower() if isinstance(value, str) else UNKNOWN
        fields.append(Field("license.accept", answer, accepted.value_span))
    dev = settings.get("MQ_DEV")
    if dev is not None:
        value = dev.known
        answer = str(value in ("true", "1")).lower() if isinstance(value, str) else UNKNOWN
        fields.append(Field("dev", answer, dev.value_span))
    plain = [settings[name] for name in PASSWORDS if name in settings and _is_plain(settings[name])]
    if plain:
        names = tuple(setting.name for setting in plain)
        fields.append(Field("passwords", names, plain[0].name_span))
    fields.extend(derived_of(fields))
    named = settings.get("MQ_QMGR_NAME")
    name = named.known if named is not None else UNKNOWN
    queue_manager = name if isinstance(name, str) and name else None
    where = named.value_span if named is not None else image.value_span
    yield Declared("manifest", "", tuple(fields), where, queue_manager, open=True)


def copied_by(text: str) -> Iterator[str]:
    """Yield the files of MQSC and of stanzas that a Dockerfile copies into /etc/mqm."""
    for copy in _COPY.finditer(text):
        yield from (word for word in copy[1].split() if word.endswith((".mqsc", ".ini")))


def _is_plain(setting: _Setting) -> bool:
    return bool(setting.value) and (is_hidden(setting.value) or isinstance(setting.known, str))


def _from(text: str, start: int) -> _Setting | None:
    found = _FROM.match(text, start)
    if found is None:
        return None
    return _Setting("FROM", found[1], found.span(1), found.span(1))


def _settings(text: str, start: int, end: int) -> Iterator[_Setting]:
    """The variables of one instruction, in either form."""
    old = _OLD_PAIR.match(text, start, end)
    if old is not None:
        yield _Setting(old[1], old[2].strip().strip("\"'"), old.span(1), old.span(2))
        return
    for pair in _PAIR.finditer(text, start, end):
        yield _Setting(pair[1], pair[2].strip("\"'"), pair.span(1), pair.span(2))
