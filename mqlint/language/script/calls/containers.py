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


class _Option(NamedTuple):
    """An option of `docker run`: its own word, the word with its value, and the value.

    A flag has no value. The image, which comes last, is one without a name.
    """

    name: str
    word: Word
    setting: Word
    text: str


class _Run:
    """What `docker run` is given before the command of the container; no image if it has none."""

    def __init__(self, words: Sequence[Word]) -> None:
        """Read the words after `run`."""
        self.options = [*_options(words)]
        has_image = bool(self.options) and not self.options[-1].name
        self.image = self.options.pop().word if has_image else None
        self.has_command = self.image is not words[-1] if words else False
        settings = (option.text.partition("=") for option in self.given("-e", "--env"))
        self.names = [name for name, _, _ in settings]

    def given(self, *names: str) -> list[_Option]:
        """Return the options called one of `names`, in their order."""
        return [option for option in self.options if option.name in names]


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


def published(words: Sequence[Word]) -> Published | None:
    """Return what a container publishes that `docker run -d` starts, None for another command."""
    run = _Run(words[2:]) if len(words) > 1 and words[1].text == "run" else None
    if run is None or run.image is None:
        return None
    if not any(option.text in ("", "true") for option in run.given("-d", "--detach")):
        return None
    names = [option.text for option in run.given("--name") if option.setting.known]
    found = ((PORT.fullmatch(port.text), port.setting) for port in run.given("-p", "--publish"))
    ports = [
        ((port[1] or "").strip("[]:"), port[2], word)
        for port, word in found
        if port is not None and port[2]
    ]
    is_mq = is_mq_image(run.image.text) or "LICENSE" in run.names
    return Published(names[-1] if names else "", is_mq, ports)


def container_run(words: Sequence[Word], binder: Binder) -> Started | None:
    """Return the queue manager of a container that a command starts.

    None if it starts none. The first of `words` is one of `CONTAINER_PROGRAMS`.
    """
    at = next((at for at, word in enumerate(words) if word.text in _STARTS), 0)
    run = _Run(words[at + 1 :]) if at in (1, 2) else None  # docker run, docker container run
    if run is None or run.image is None:
        return None
    image, environment = run.image, _environment(run, binder)
    if not (is_mq_image(image.text) or is_of_mq(environment)):
        return None
    span = binder.span(words[:1])
    run_of = Field("image", _known(image, image.text), binder.span([image]))
    is_certain = is_mq_image(image.text) or "LICENSE" in environment
    faults = [*environment_faults(environment), *_privileges(run, binder)] if is_certain else []
    faults += _unlicensed(run, binder)
    kind = Field("kind", "container", span)
    declared = container(kind, "", run_of, environment, span, f"#{span[0]}")
    mounts = sorted(_mounts(run, binder), key=itemgetter(1))
    files = [file for mount in mounts for file in mount.files()]
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


def _environment(run: _Run, binder: Binder) -> dict[str, Variable]:
    found: dict[str, Variable] = {}
    for option in run.given("-e", "--env"):
        name, sign, value = option.text.partition("=")
        if sign:
            span = binder.span([option.setting])
            found[name] = Variable(value, _known(option.setting, value), span, span)
    return found


def _mounts(run: _Run, binder: Binder) -> Iterator[Mount]:
    for name, _, setting, text in run.given("-v", "--volume", "--mount"):
        if name != "--mount":
            before = len(setting.text) - len(text)  # the option, if the word has both
            yield Mount.of(_written(setting, binder)[before:])
            continue
        settings = dict(part.split("=", 1) for part in setting.text.split(",") if "=" in part)
        source = settings.get("source", settings.get("src", ""))
        target = settings.get("target", settings.get("dst", settings.get("destination", "")))
        yield Mount(source if setting.known else "", target)


def _privileges(run: _Run, binder: Binder) -> Iterator[Diagnostic]:
    """Options that give the container the rights of root."""
    for name, word, setting, text in run.options:
        if name in ("-u", "--user") and setting.known and is_root(text):
            yield diagnostic("runs-as-root", binder.span([setting]), how=f"user is {text[:60]}")
        elif name == "--privileged" and text in ("", "true"):
            yield diagnostic("runs-as-root", binder.span([word]), how="--privileged")


def _unlicensed(run: _Run, binder: Binder) -> Iterator[Diagnostic]:
    """The image of MQ that is run without a licence, and without another command."""
    is_known = run.image is not None and run.image.known
    if not is_known or not all(option.setting.known for option in run.options):
        return
    if run.given("--env-file", "--entrypoint") or run.image is None or run.has_command:
        return
    is_licensed = any(distance(name, "LICENSE", 2) <= 2 for name in run.names)
    if not is_licensed and is_mq_image(run.image.text):
        yield diagnostic("container-license", binder.span([run.image]))


def _written(word: Word, binder: Binder) -> str:
    """The text of a word, or as it is written if it has a variable."""
    return word.text if word.known else binder.source.text[word.start : word.end].replace('"', "")


def _known(word: Word, text: str) -> FieldValue:
    return text if word.known else UNKNOWN
