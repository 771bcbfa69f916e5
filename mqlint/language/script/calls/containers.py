"""Containers that a script starts: `docker run`, and what says the same.

It is loaded for scripts that start containers: it needs what reads resources of Kubernetes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter
from posixpath import join, relpath

from mqlint.dataclass import NamedTuple
from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.declaration import Declared, Field, FieldValue
from mqlint.language.feeding import Mount, built_from
from mqlint.language.kubernetes.container import (
    PORT,
    container,
    environment_faults,
    is_mq_image,
    is_of_mq,
    is_root,
)
from mqlint.language.kubernetes.environment import Variable
from mqlint.language.script.binding import Binder
from mqlint.language.script.command import Word
from mqlint.patterns import later
from mqlint.vocabulary.distance import distance
from mqlint.vocabulary.unknown import UNKNOWN

_STARTS = frozenset({"run", "create"})
_BUILD_FLAG = later(r"-q|--(?:quiet|no-cache|pull|push|load|rm|force-rm|squash|compress)")
_KEEPS = frozenset(
    "run create pull build tag push login logs ps inspect exec cp network volume images image wait "
    "version info port top".split()
)
"""Commands of docker that end no container and lead to no other host."""
_FLAG = later(r"--(?:detach|interactive|tty|rm|privileged|init|read-only|quiet|help)")
"""Options of docker run without a value; one with a value that is another word is not here."""
_SHORT = later(r"-(?P<flags>[ditPq]*)(?P<name>[a-zA-Z]?)=?(?P<value>[\s\S]*)")
"""Options of one letter, of which the last may have its value in the same word: `-dp1414:1414`."""


class Started(NamedTuple):
    """A container that runs a queue manager, faults of its variables, and the files it gets."""

    declared: Declared
    faults: Sequence[Diagnostic]
    image: str
    files: Sequence[str]


class Published(NamedTuple):
    """Ports of the host that a container publishes: address, number and word of each.

    `name` is that of the container, blank if it is not known.
    """

    name: str
    is_mq: bool
    ports: Sequence[tuple[str, str, Word]]


def keeps_containers(words: Sequence[Word]) -> bool:
    """Whether all containers that run before a command of docker run after it, on one host."""
    return len(words) > 1 and words[1].known and words[1].text in _KEEPS


def published(words: Sequence[Word]) -> Published | None:
    """Return what a container publishes that `docker run -d` starts, None for another command."""
    if len(words) < 2 or words[1].text != "run":
        return None
    name, detached = "", False
    ports: list[tuple[str, str, Word]] = []
    environment: list[str] = []
    for option in _options(words[2:]):
        if not option.name:
            is_mq = is_mq_image(option.text) or "LICENSE" in environment
            return Published(name, is_mq, ports) if detached else None
        detached = detached or (option.name in ("-d", "--detach") and option.text in ("", "true"))
        if option.name in ("-p", "--publish"):
            found = PORT.fullmatch(option.text)
            if found is not None and found[2]:
                ports.append(((found[1] or "").strip("[]:"), found[2], option.setting))
        elif option.name == "--name" and option.setting.known:
            name = option.text
        elif option.name in ("-e", "--env"):
            environment.append(option.text.partition("=")[0])
    return None


class _Option(NamedTuple):
    """An option of `docker run`: its own word, the word with its value, and the value.

    A flag has no value. The image, which comes last, is one without a name.
    """

    name: str
    word: Word
    setting: Word
    text: str


def _options(words: Sequence[Word]) -> Iterator[_Option]:
    waiting = iter(words)
    for word in waiting:
        name, sign, value = word.text.partition("=")
        if not word.text.startswith("-"):
            yield _Option("", word, word, word.text)
            return
        short = _SHORT.fullmatch(word.text) if not word.text.startswith("--") else None
        if short is not None:
            yield from (_Option(f"-{flag}", word, word, "") for flag in short["flags"])
            name, value = f"-{short['name']}", short["value"]
            if not short["name"] and not value:
                continue
        if sign or value or _FLAG.fullmatch(word.text) is not None:
            yield _Option(name, word, word, value)
            continue
        setting = next(waiting, None)
        if setting is None:
            return
        yield _Option(name, word, setting, setting.text)


def container_run(words: Sequence[Word], binder: Binder) -> Started | None:
    """Return the queue manager of a container that a command starts.

    None if it starts none. The first of `words` is one of `CONTAINER_PROGRAMS`.
    """
    at = next((at for at, word in enumerate(words) if word.text in _STARTS), 0)
    if at not in (1, 2):  # docker run, docker container run
        return None
    image, environment, mounts = _read(words[at + 1 :], binder)
    if image is None or not (is_mq_image(image.text) or is_of_mq(environment)):
        return None
    span = binder.span(words[:1])
    run = Field("image", _known(image, image.text), binder.span([image]))
    kind = Field("kind", "container", span)
    is_certain = is_mq_image(image.text) or "LICENSE" in environment
    faults = [*environment_faults(environment)] if is_certain else []
    faults += _privileges(words[at + 1 :], binder) if is_certain else []
    faults += _unlicensed(words[at + 1 :], binder)
    declared = container(kind, "", run, environment, span, f"#{span[0]}")
    files = [file for mount in sorted(mounts, key=itemgetter(1)) for file in mount.files()]
    return Started(declared, faults, image.text, files)


def image_build(words: Sequence[Word]) -> tuple[str, str] | None:
    """Return the name of an image that a command builds, and its Dockerfile as one that is built.

    None for a command that builds none, or one that is not known.
    """
    at = next((at for at, word in enumerate(words) if word.text == "build"), 0)
    if at not in (1, 2) or not all(word.known for word in words[at:]):
        return None
    options: dict[str, str] = {}
    waiting = iter(words[at + 1 :])
    for word in waiting:
        name, sign, value = word.text.partition("=")
        if not word.text.startswith("-"):
            tag = options.get("-t") or options.get("--tag", "")
            file = options.get("-f") or options.get("--file") or join(word.text, "Dockerfile")
            return (tag, built_from(word.text, relpath(file, word.text))) if tag else None
        if sign or _BUILD_FLAG.fullmatch(name) is None:
            options[name] = value if sign else getattr(next(waiting, None), "text", "")
    return None


def _read(
    words: Sequence[Word], binder: Binder
) -> tuple[Word | None, dict[str, Variable], list[Mount]]:
    """The image, and the variables and mounts before it."""
    environment: dict[str, Variable] = {}
    mounts: list[Mount] = []
    for name, _, setting, text in _options(words):
        if not name:
            return setting, environment, mounts
        if name in ("-e", "--env"):
            environment.update(_variables(setting, text, binder))
        elif name in ("-v", "--volume"):
            before = len(setting.text) - len(text)  # the option, if the word has both
            mounts.append(Mount.of(_written(setting, binder)[before:]))
        elif name == "--mount":
            settings = dict(part.split("=", 1) for part in setting.text.split(",") if "=" in part)
            source = settings.get("source", settings.get("src", ""))
            target = settings.get("target", settings.get("dst", settings.get("destination", "")))
            mounts.append(Mount(source if setting.known else "", target))
    return None, environment, mounts


def _privileges(words: Sequence[Word], binder: Binder) -> Iterator[Diagnostic]:
    """Options that give the container the rights of root."""
    for name, word, setting, text in _options(words):
        if not name:
            return
        if name in ("-u", "--user") and setting.known and is_root(text):
            yield diagnostic("runs-as-root", binder.span([setting]), how=f"user is {text[:60]}")
        elif name == "--privileged" and text in ("", "true"):
            yield diagnostic("runs-as-root", binder.span([word]), how="--privileged")


def _unlicensed(words: Sequence[Word], binder: Binder) -> Iterator[Diagnostic]:
    """The image of MQ that is run without a licence, and without another command."""
    for name, _, setting, text in _options(words):
        if not setting.known or name in ("--env-file", "--entrypoint"):
            return
        if name in ("-e", "--env") and distance(text.partition("=")[0], "LICENSE", 2) <= 2:
            return
        if not name and setting is words[-1] and is_mq_image(text):
            yield diagnostic("container-license", binder.span([setting]))


def _written(word: Word, binder: Binder) -> str:
    """The text of a word, or as it is written if it has a variable."""
    return word.text if word.known else binder.source.text[word.start : word.end].replace('"', "")


def _variables(word: Word, text: str, binder: Binder) -> Iterator[tuple[str, Variable]]:
    name, sign, value = text.partition("=")
    if sign:
        span = binder.span([word])
        yield name, Variable(value, _known(word, value), span, span)


def _known(word: Word, text: str) -> FieldValue:
    return text if word.known else UNKNOWN
