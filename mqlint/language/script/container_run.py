"""Containers that a script starts: `docker run`, and what says the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mqlint.finding import Diagnostic
from mqlint.language.declaration import Declared, Field, FieldValue
from mqlint.language.kubernetes.container import (
    container,
    environment_faults,
    is_mq_image,
    is_of_mq,
)
from mqlint.language.kubernetes.environment import Variable
from mqlint.language.script.binding import Binder
from mqlint.language.script.command import Word
from mqlint.patterns import later
from mqlint.vocabulary.unknown import UNKNOWN

PROGRAMS = frozenset({"docker", "podman", "nerdctl"})
_STARTS = frozenset({"run", "create"})
_FLAG = later(
    r"-[ditPq]+"
    r"|--(?:detach|interactive|tty|rm|privileged|init|read-only|quiet|help)"
)
"""Options of docker run without a value; one with a value that is another word is not here."""


def container_run(
    words: Sequence[Word], binder: Binder
) -> tuple[Declared, Sequence[Diagnostic]] | None:
    """Return the queue manager of a container that a command starts, and faults of its variables.

    None if it starts none. The first of `words` is one of `PROGRAMS`.
    """
    at = next((at for at, word in enumerate(words) if word.text in _STARTS), 0)
    if at not in (1, 2):  # docker run, docker container run
        return None
    image, environment = _read(words[at + 1 :], binder)
    if image is None or not (is_mq_image(image.text) or is_of_mq(environment)):
        return None
    span = binder.span(words[:1])
    run = Field("image", _known(image, image.text), binder.span([image]))
    kind = Field("kind", "container", span)
    is_certain = is_mq_image(image.text) or "LICENSE" in environment
    faults = [*environment_faults(environment)] if is_certain else []
    return container(kind, "", run, environment, span, f"#{span[0]}"), faults


def _read(words: Sequence[Word], binder: Binder) -> tuple[Word | None, dict[str, Variable]]:
    """The image, and the variables before it."""
    environment: dict[str, Variable] = {}
    waiting = iter(words)
    for word in waiting:
        name, sign, value = word.text.partition("=")
        if not word.text.startswith("-"):
            return word, environment
        if name in ("-e", "--env"):
            setting = word if sign else next(waiting, None)
            if setting is not None:
                environment.update(_variables(setting, value if sign else setting.text, binder))
        elif not sign and _FLAG.fullmatch(word.text) is None:
            next(waiting, None)
    return None, environment


def _variables(word: Word, text: str, binder: Binder) -> Iterator[tuple[str, Variable]]:
    name, sign, value = text.partition("=")
    if sign:
        span = binder.span([word])
        yield name, Variable(value, _known(word, value), span, span)


def _known(word: Word, text: str) -> FieldValue:
    return text if word.known else UNKNOWN
