"""Dockerfiles: what their instructions run, and the queue manager of FROM, ENV and ARG.

Sources: the environment that the container of ibm-messaging/mq-container takes, and the Dockerfile
reference of Docker.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from posixpath import dirname, join, normpath, split, splitext

from mqlint.dataclass import frozen
from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.declaration import Declared, Field, NamedFile
from mqlint.language.feeding import CONFIGURATION_ENDINGS, files_of_folder
from mqlint.language.kubernetes.container import (
    container,
    environment_faults,
    is_mq_image,
)
from mqlint.language.kubernetes.environment import Variable
from mqlint.language.kubernetes.tables import table_path
from mqlint.language.script.faults.expansion import expansion_faults
from mqlint.language.script.faults.permissions import permission_faults
from mqlint.language.script.hosts.host import Block, Host
from mqlint.language.script.unread.mentions import OF_MQ
from mqlint.language.text.mapped import MappedText, MappedTextBuilder, mapped_at
from mqlint.language.variables.given import NOTHING_GIVEN, with_variables
from mqlint.patterns import later
from mqlint.source.budget import Budget
from mqlint.source.lines import Span
from mqlint.source.masking import HIDDEN
from mqlint.vocabulary.container import (
    CONFIGURATION_FOLDER,
    has_misspelt_ending,
    is_ignored_certificate,
)
from mqlint.vocabulary.distance import distance, nearest, same_but_for_digits
from mqlint.vocabulary.unknown import UNKNOWN

_INSTRUCTION = later(r"[ \t]*([A-Za-z]{2,20})[ \t]+((?:--\S{1,200}[ \t]+)*)")
_ESCAPES = later(
    r"(?i)\A(?:[ \t]*#[ \t]*\w{1,20}[ \t]*=[^\n]*\n){0,9}?[ \t]*#[ \t]*escape[ \t]*=[ \t]*`"
)
"""The directive of images of Windows, by which a backquote continues a line."""
_CONTINUES = later(r"(?m)[\\`](?=[ \t]*\r?$)")
_JOINS = later(r"\\\s*\Z")
_ARGUMENT = later(r"\S+")
_FROM = later(r"(?i)([^\s#]+)(?:[ \t]+AS[ \t]+(\S+))?")
_PAIR = later(
    r"(?<!\w)([A-Za-z_]\w*+)=(\"(?:[^\"\\]++|\\.){0,500}+\"|'[^']*'|(?:[^\s\\]|\\[^\r\n])*)"
)
_OLD_PAIR = later(r"([A-Za-z_]\w*)[ \t]+([^\r\n]*)")
_RUNNING = ("RUN", "CMD", "ENTRYPOINT")
_HEALTH = later(r"(?i)\bCMD[ \t]+")
_USER = later(r"[^\s:]{1,64}")
_UNPRIVILEGED = later(
    r"(?i)(?:(?:[\w.-]{1,80}\.)?icr\.io/(?:cp/)?(?:ibm-messaging/mq|ibm-mqadvanced-server[\w-]{0,40})"
    r"(?::(?:latest|9\.[2-9][\w.-]{0,40}|[1-9]\d[\w.-]{0,40}))?"
    r"|(?:docker\.io/)?ibmcom/mq(?::(?:latest|9\.[2-9][\w.-]{0,40}))?)"
)
"""Images of MQ that run as a user without privileges."""
_OF_ROOT = later(
    r"(?:^|[;&|])[\s\\]*(?:/usr/s?bin/)?(useradd|usermod|groupadd|adduser|chown|rpm(?=[ \t]+-[iU])"
    r"|(?:apt-get|apt|yum|dnf|microdnf)"
    r"(?=[ \t]+(?:-[^\s;&|]{1,40}[ \t]+){0,8}(?:install|update)))(?![\w./-])"
)
"""Commands that change users, owners or packages."""
_IN_CONFIGURATION = later(rf"{CONFIGURATION_FOLDER}/")
_SOURCE = later(
    r"(?:\./)?(?P<name>(?:\w[\w.-]{0,100}/){0,20}(?:[\w.-]{1,200}\.\w{1,20}|[\w-]{5,200}))"
    r"/?(?:/[\w.-]*\*[\w.*-]*)?\Z"
)
"""A file or folder without variables; a pattern is for the names in a folder.

A short name without an ending may be that of a program that is built, such as `app`.
"""
_MADE = later(r"\bmkdir[ \t]++(?:-\S{1,20}[ \t]++)*+(/[^\s;&\\]{1,200})")
_ONLY_STARTS = later(
    r"(?:\[[ \t]*\"(?:/[\w./-]{1,80}/)?strmqm\"(?:[ \t]*,[ \t]*\"[^\"\n]{0,60}\"){0,6}[ \t]*\]"
    r"|(?:/[\w./-]{1,80}/)?strmqm(?:[ \t]+[\w.$\{\}/-]{1,60}){0,6})\s*\Z"
)
_FROM_STAGE = later(r"(?i)--from=([A-Za-z][\w.-]{1,100})(?=[ \t])")
_HERE = later(r"<<-?[ \t]*[\"']?(\w{1,40})[\"']?[ \t]*\r?\n")
_STARTS = later(
    r"(?:^|[;&|({]|(?<!\S)-c[ \t]{1,9}[\"'])[\s\\]*(?:/[\w./-]{1,80}/)?(strmqm)(?=[\s\"']|$)"
)
"""strmqm as a command of a shell."""
_PIPED = later(
    rf"(?<=:)({HIDDEN}{{1,200}})[\"']?[\s\\]{{0,200}}\|[\s\\]{{0,200}}"
    r"(?:sudo[ \t]+)?(?:/[\w/]{1,80}/)?chpasswd\b"
)
"""A user and a literal password on their way to chpasswd."""
_STRING = later(r"\"((?:[^\"\\\n]++|\\.){0,500}+)\"")
_PLAIN_WORD = later(r"[\w./:=@%+,-]+$")


@frozen
class Instruction:
    """One instruction: its word in capitals, its options, and what follows them.

    The `source` has all lines of it without the remarks between them. With `is_here` it is the
    here-document that the instruction begins with. `options` are at `options_at`.
    """

    word: str
    start: int
    options: str
    options_at: int
    source: MappedText
    is_here: bool = False

    def word_span(self) -> Span:
        return self.start, self.start + len(self.word)

    def span(self, found: re.Match[str], group: int = 0) -> Span:
        """Return the place of what was found in the source."""
        start, end = found.span(group)
        first = self.source.host(start)
        return first, self.source.host(end - 1) + 1 if end > start else first

    def arguments(self) -> list[tuple[str, Span]]:
        """Return the words, each with its place."""
        return [(found[0], self.span(found)) for found in _ARGUMENT.finditer(self.source.text)]


def instructions(text: str) -> Iterator[Instruction]:
    at = 0
    while at < len(text):
        found = _INSTRUCTION.match(text, at)
        if found is None:
            at = text.find("\n", at) + 1 or len(text)
            continue
        word, here = found[1].upper(), None
        if word in _RUNNING:
            here = _HERE.match(text, found.end())
        if here is None:
            source = _instruction(text, found.end())
        else:
            close = re.compile(rf"^[ \t]*{here[1]}[ \t]*\r?$", re.M).search(text, here.end())
            end = close.start() if close is not None else len(text)
            source = mapped_at(text[here.end() : end], here.end())
        yield Instruction(word, found.start(1), found[2], found.start(2), source, here is not None)
        at = max(source.end, found.end())
        if here is not None:
            at = text.find("\n", at) + 1 or len(text)


@frozen
class _Copy:
    """Files of the context that COPY or ADD puts at an absolute path of the image."""

    sources: Sequence[tuple[str, Span]]
    target: str
    span: Span


class Dockerfile(Host):
    of_containers = True

    def __init__(self, text: str, budget: Budget) -> None:
        if _ESCAPES.match(text) is not None:
            text = _CONTINUES.sub(lambda sign: "\\" if sign[0] == "`" else "/", text)
        super().__init__(text, budget)
        self.instructions = [*instructions(text)]
        self.copies = [*self._copies()]
        self.image = self._image()

    def _of(self, *words: str) -> Iterator[Instruction]:
        return (each for each in self.instructions if each.word in words)

    def blocks(self) -> Iterator[Block]:
        """Yield what instructions run: as shell, as a list of words, or as a here-document."""
        given = NOTHING_GIVEN
        for instruction in self._of(*_RUNNING, "HEALTHCHECK", "FROM", "ENV"):
            source = instruction.source
            if instruction.word == "FROM":
                given = NOTHING_GIVEN
                continue
            if instruction.word == "ENV":
                pairs = ((name, variable.value) for name, variable in _settings(instruction))
                texts = {name: value if isinstance(value, str) else None for name, value in pairs}
                given = with_variables(given, texts)
                continue
            if instruction.word == "HEALTHCHECK":
                check = _HEALTH.search(source.text)
                if check is None:
                    continue
                source = source.part(check.end(), len(source.text))
            if source.text.startswith("[") and not instruction.is_here:
                yield from _words(self.text, source.host(0), source.end)
            else:
                # What a container runs may get other values than its image has.
                is_run = instruction.word == "RUN"
                yield Block(source, given=given if is_run else NOTHING_GIVEN, is_alone=is_run)

    def declared(self) -> Iterable[Declared]:
        return () if self.image is None else (self.image[0],)

    def fed(self) -> Iterator[tuple[str, str]]:
        """Yield what the image has in /etc/mqm, also for those that run it under another name."""
        for image in self.declared():
            for name in dict.fromkeys((image.queue_manager or "", "")):
                yield from ((file, name) for file in self._fed_files())

    def awaited(self) -> Iterator[tuple[str, int]]:
        """Yield what the image has in /etc/mqm from elsewhere: a URL, or another image."""
        for copy in self._of("COPY", "ADD") if self.image is not None else ():
            targets = [f"{word}/" for word, _ in copy.arguments()[1:]]
            is_elsewhere = "--from=" in copy.options or "://" in copy.source.text
            if is_elsewhere and any(map(_IN_CONFIGURATION.match, targets)):
                yield "", copy.start

    def files(self) -> Iterator[NamedFile]:
        """Yield the files that an image of MQ gets, other than its configuration."""
        fed = set(self._fed_files())
        for copy in self.copies if self.image is not None else ():
            for source, span in copy.sources:
                is_fed = source in fed and "*" not in source
                found = None if is_fed else _SOURCE.match(source)
                if found is not None:
                    yield NamedFile(found["name"], span)
        if "MQCHL" in self.text or "MQCCDTURL" in self.text:
            yield from self._table_files()

    def faults(self) -> Iterator[Diagnostic]:
        yield from () if self.image is None else self.image[1]
        yield from expansion_faults(self.text)
        yield from permission_faults(self.text)
        yield from self._ended_at_once()
        if "--from=" in self.text and self.image is not None:
            yield from self._other_stage()
        if "strmqm" in self.text:
            yield from self._left_running()

    def _copies(self) -> Iterator[_Copy]:
        for instruction in self._of("COPY", "ADD"):
            arguments = instruction.arguments()
            is_list = "[" in instruction.source.text
            if len(arguments) > 1 and not is_list and "--from=" not in instruction.options:
                *sources, (target, span) = arguments
                if target.startswith("/") and target != "/":
                    yield _Copy(sources, target, span)

    def _fed_files(self) -> Iterator[str]:
        """Yield the files of MQSC and of stanzas, and the folders, copied into /etc/mqm."""
        for copy in self.copies:
            if not copy.target.startswith(CONFIGURATION_FOLDER):
                continue
            for source, _ in copy.sources:
                if source.endswith(CONFIGURATION_ENDINGS):
                    yield source
                elif copy.target.rstrip("/") == CONFIGURATION_FOLDER:
                    yield from files_of_folder(source.removesuffix("/*"))

    def _ended_at_once(self) -> Iterator[Diagnostic]:
        """Yield the last CMD or ENTRYPOINT if it only starts a queue manager.

        A container ends with its first process, and strmqm ends when the queue manager has started.
        """
        programs = [*self._of("ENTRYPOINT")] or [*self._of("CMD")]
        for last in programs[-1:]:
            if _ONLY_STARTS.match(last.source.text) is not None:
                yield diagnostic("image-ends-at-once", last.word_span(), instruction=last.word)

    def _other_stage(self) -> Iterator[Diagnostic]:
        """Yield names after `COPY --from=` that are typos of a stage; others may be images.

        Names that differ only in digits are not: ubi9 may be an image, and builder a named context.
        """
        found_stages = (_FROM.match(each.source.text) for each in self._of("FROM"))
        stages = {stage[2].lower() for stage in found_stages if stage is not None and stage[2]}
        cost = sum(map(len, stages))
        for copy in self._of("COPY"):
            found = _FROM_STAGE.search(copy.options)
            name = "" if found is None else found[1].lower()
            if found is None or name in stages:
                continue
            if not self.budget.spend(cost, len(stages)):
                return
            meant = nearest(name, stages)
            if meant and not same_but_for_digits(meant, name):
                start = copy.options_at + found.start(1)
                span = (start, start + len(name))
                yield diagnostic("stage-misspelt", span, word=found[1], meant=meant)

    def _left_running(self) -> Iterator[Diagnostic]:
        """Yield the last start of a queue manager in each RUN that does not end it afterwards.

        The processes of a build step end with it, and the container starts without them.
        """
        for instruction in self._of("RUN"):
            start = None
            for found in _STARTS.finditer(instruction.source.text):
                start = found
            if start is not None and "endmqm" not in instruction.source.text[start.end() :]:
                yield diagnostic("image-starts-in-build", instruction.span(start, 1))

    def _image(self) -> tuple[Declared, Sequence[Diagnostic]] | None:
        """Return the queue manager of the image of a Dockerfile, and faults of the file.

        None for an image that is not one of MQ.
        """
        if OF_MQ.search(self.text) is None:
            return None
        image, settings = self._environment()
        if image is None:
            return None
        kind = Field("kind", "Dockerfile", image.value_span)
        run = Field("image", image.value, image.value_span)
        declared = container(kind, "", run, settings, image.value_span)
        if not is_mq_image(image.text):
            return declared, ()
        own = (*self._misplaced(), *self._user(), *_passwords(self.text), *self._without_root())
        return declared, [*environment_faults(settings), *own]

    def _environment(self) -> tuple[Variable | None, dict[str, Variable]]:
        """Return the image that counts, and the variables that instructions set.

        It is that of the last stage of MQ; none if the last stage only copies files from it.
        """
        settings: dict[str, Variable] = {}
        image: Variable | None = None
        last: Variable | None = None
        name, names = "", set[str]()
        for instruction in self._of("FROM", "ENV", "ARG"):
            if instruction.word == "FROM":
                found = _FROM.match(instruction.source.text)
                if found is None:
                    continue
                span = instruction.span(found, 1)
                last = _variable(found[1], span, span)
                if image is None or is_mq_image(found[1]):
                    image, name = last, (found[2] or "").lower()
                names.add((found[2] or "").lower())
            else:
                settings.update(_settings(instruction))
        is_copied = name != "" and any(
            each.options.lower().strip() == f"--from={name}" for each in self._of("COPY")
        )
        is_other = last is not image and last is not None and isinstance(last.value, str)
        if is_copied and is_other and last is not None and last.text.lower() not in names:
            return None, settings
        return image, settings

    def _table_files(self) -> Iterator[NamedFile]:
        """Yield the channel table that variables name, beside a file that goes to the same folder.

        Nothing if another instruction names the table, or if there are several stages.
        """
        path, span = table_path(self._environment()[1])
        folder, name = split(path)
        is_one = len([*self._of("FROM")]) <= 1
        if not path.startswith("/") or self.text.count(name) > 1 or not is_one:
            return
        tables: dict[str, None] = {}
        for copy in self.copies:
            is_folder = copy.target.rstrip("/") == folder
            for source, _ in copy.sources:
                is_file = bool(splitext(source)[1])
                if is_file and (is_folder or dirname(copy.target) == folder):
                    tables[normpath(join(dirname(source), name))] = None
                elif is_folder and not is_file:
                    tables[normpath(join(source, name))] = None
        yield from (NamedFile(file, span) for file in tables)

    def _misplaced(self) -> Iterator[Diagnostic]:
        """Report configuration that is copied to a folder that the container does not read.

        A folder that the file makes by itself is for programs of its own.
        """
        made = {made[1].rstrip("/") for made in _MADE.finditer(self.text)}
        for copy in self.copies:
            target = copy.target.rstrip("/")
            folder, _, file = copy.target.rpartition("/")
            is_configuration = any(
                source.endswith(CONFIGURATION_ENDINGS) for source, _ in copy.sources
            )
            if is_ignored_certificate(folder, file):
                path, meant = copy.target, f"{folder}/NAME"
                yield diagnostic("mount-path", copy.span, path=path, meant=meant)
            elif target == CONFIGURATION_FOLDER:
                for source, span in copy.sources:
                    if has_misspelt_ending(source):
                        yield _not_applied(source, span)
            elif folder == CONFIGURATION_FOLDER:
                is_meant = is_configuration or has_misspelt_ending(file)
                if is_meant and not file.endswith(CONFIGURATION_ENDINGS):
                    yield _not_applied(file, copy.span)
            elif is_configuration and target not in made:
                near = distance("/".join(target.split("/")[:3]), CONFIGURATION_FOLDER, 2)
                if near <= 2:
                    meant = CONFIGURATION_FOLDER
                    yield diagnostic("mount-path", copy.span, path=copy.target, meant=meant)

    def _user(self) -> Iterator[Diagnostic]:
        """The user root, if it is the last that the file names."""
        last = None
        for instruction in self._of("FROM", "USER", "ENTRYPOINT"):
            if instruction.word == "ENTRYPOINT":
                return
            last = instruction if instruction.word == "USER" else None
        found = _USER.match(last.source.text) if last is not None else None
        if last is not None and found is not None and found[0] in ("root", "0"):
            yield diagnostic("runs-as-root", last.span(found), how=f"USER is {found[0]}")

    def _without_root(self) -> Iterator[Diagnostic]:
        """Yield commands that only root may run, in a stage whose user is still that of the image.

        Images of MQ from 9.2 on have the user 1001 (docs/security.md of mq-container).
        """
        is_image_user = False
        owned: list[str] = []  # the targets of files that the user of the image may own
        for instruction in self._of("FROM", "USER", "RUN", "COPY", "ADD"):
            text = instruction.source.text
            if instruction.word in ("COPY", "ADD"):
                if "--chown" in instruction.options:
                    owned += (word.strip('"]').rstrip("/") for word in text.split()[-1:])
            elif instruction.word == "FROM":
                found = _FROM.match(text)
                is_image_user = found is not None and bool(_UNPRIVILEGED.fullmatch(found[1]))
            elif instruction.word == "USER":
                is_image_user = False
            elif is_image_user and "sudo" not in text:
                command = _OF_ROOT.search(text)
                words = re.split(r"[;&|]", text[command.end() :], maxsplit=1)[0] if command else ""
                is_own = any(path and ("$" in path or path in words) for path in owned)
                if command is not None and not (is_own and command[1] == "chown"):
                    is_image_user = False
                    if "||" in text[command.end() :]:
                        continue
                    span = instruction.span(command, 1)
                    yield diagnostic("image-needs-root", span, command=command[1])


def _instruction(text: str, start: int) -> MappedText:
    """Return an instruction from `start` on, without the remarks and blank lines inside it.

    Docker joins its lines before a shell reads them, within quotation marks too.
    """
    builder = MappedTextBuilder()
    end = start
    while end < len(text):
        begin, newline = end, text.find("\n", end)
        end = len(text) if newline < 0 else newline + 1
        line = text[begin:end]
        if begin > start and (not line.strip() or line.lstrip().startswith("#")):
            continue
        joined = _JOINS.search(line)
        builder.add(line if joined is None else line[: joined.start()], begin)
        if joined is None:
            break
    return builder.finish(end)


def _words(text: str, start: int, end: int) -> Iterator[Block]:
    """Yield the exec form: `["sh", "-c", "script"]`, or a command and its words."""
    found = list(_STRING.finditer(text, start, end))
    plain = [match[1] for match in found]
    if len(found) > 2 and re.search(r"(?:^|/)(?:ba|k)?sh$", plain[0]) and plain[1] == "-c":
        yield Block(mapped_at(plain[2], found[2].start(1)))
    elif found and all(_PLAIN_WORD.match(word) for word in plain):
        builder = MappedTextBuilder()
        for match in found:
            builder.add(match[1], match.start(1))
            builder.add(" ", match.end(1), 0)
        yield Block(builder.finish(found[-1].end(1)), plain=True)


def _passwords(text: str) -> Iterator[Diagnostic]:
    """Passwords of users that RUN sets: they stay in the history of the image."""
    for piped in _PIPED.finditer(text) if "chpasswd" in text else ():
        if text.rfind("#", text.rfind("\n", 0, piped.start()) + 1, piped.start()) < 0:
            yield diagnostic("image-password", piped.span(1))


def _not_applied(file: str, span: Span) -> Diagnostic:
    return diagnostic("image-entry-not-applied", span, word=file, ending=".mqsc or .ini")


def _variable(text: str, name_span: Span, value_span: Span) -> Variable:
    known = UNKNOWN if "$" in text or "{{" in text else text
    return Variable(text, known, name_span, value_span)


def _settings(instruction: Instruction) -> Iterator[tuple[str, Variable]]:
    """The variables of one instruction, in either form."""
    text, span = instruction.source.text, instruction.span
    old = _OLD_PAIR.match(text)
    if old is not None:
        yield old[1], _variable(old[2].strip().strip("\"'"), span(old, 1), span(old, 2))
        return
    for pair in _PAIR.finditer(text):
        yield pair[1], _variable(pair[2].strip("\"'"), span(pair, 1), span(pair, 2))
