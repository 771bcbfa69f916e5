"""Dockerfiles: what RUN, CMD and ENTRYPOINT run, and the queue manager of FROM, ENV and ARG.

Sources: the environment that the container of ibm-messaging/mq-container takes, and the Dockerfile
reference of Docker.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from posixpath import dirname, join, normpath, split, splitext

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
from mqlint.language.script.hosts.host import Block, Host
from mqlint.language.script.unread.mentions import OF_MQ
from mqlint.language.text.mapped import MappedText, MappedTextBuilder, mapped_at
from mqlint.patterns import later
from mqlint.source.budget import Budget
from mqlint.source.lines import Span
from mqlint.source.masking import HIDDEN
from mqlint.vocabulary.container import CONFIGURATION_FOLDER
from mqlint.vocabulary.distance import distance, nearest, same_but_for_digits
from mqlint.vocabulary.unknown import UNKNOWN

_INSTRUCTION = later(r"^[ \t]*(FROM|ENV|ARG)[ \t]+", re.MULTILINE | re.IGNORECASE)
_FROM = later(r"(?:--\S{1,80}[ \t]+)*([^\s#]+)(?:[ \t]+AS[ \t]+(\S+))?", re.IGNORECASE)
_PAIR = later(
    r"(?<!\w)([A-Za-z_]\w*+)=(\"(?:[^\"\\]++|\\.){0,500}+\"|'[^']*'|(?:[^\s\\]|\\[^\r\n])*)"
)
_OLD_PAIR = later(r"([A-Za-z_]\w*)[ \t]+([^\r\n]*)")
_COPY = later(
    r"^[ \t]*+(?:COPY|ADD)[ \t]++(?:--ch\S{1,80}[ \t]++)*+([^\[\s][^\[\n]{0,500}?)"
    r"[ \t]{1,9}(/etc/mqm/?\S{0,200})[ \t]*\r?$",
    re.MULTILINE | re.IGNORECASE,
)
_ANY_COPY = later(
    r"^[ \t]*+(?:COPY|ADD)[ \t]++(?:--ch\S{1,80}[ \t]++)*+"
    r"([^\[\s-][^\[\n\\]{0,500}[ \t]/[^\s\\]{1,200})[ \t]*\r?$",
    re.MULTILINE | re.IGNORECASE,
)
_ELSEWHERE = later(
    rf"(?im)^[ \t]*+((?:ADD|COPY)[ \t](?=[^\n]{{0,300}}?(?:--from=|://))"
    rf"[^\n]{{1,500}}?[ \t]{CONFIGURATION_FOLDER}[/ \t\r\n])"
)
_SOURCE = later(r"(?<!\S)(?!/)[\w./-]{1,200}\.\w{1,20}(?!\S)")
"""A file without variables and patterns."""
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
_NAMED_STAGE = later(r"(?im)^[ \t]*FROM[ \t]+[^\n#]{1,300}?[ \t]AS[ \t]+([\w.-]{1,100})[ \t]*\r?$")
_FROM_STAGE = later(
    r"(?im)^[ \t]*COPY[ \t]+(?:--ch\S{1,80}[ \t]+)*--from=([a-z][\w.-]{1,100})(?=[ \t])"
)
_USER = later(r"^[ \t]*(?:USER)[ \t]+([^\s:]{1,64})", re.MULTILINE | re.IGNORECASE)
_UNPRIVILEGED = later(
    r"(?:(?:[\w.-]{1,80}\.)?icr\.io/(?:cp/)?(?:ibm-messaging/mq|ibm-mqadvanced-server[\w-]{0,40})"
    r"(?::(?:latest|9\.[2-9][\w.-]{0,40}|[1-9]\d[\w.-]{0,40}))?"
    r"|(?:docker\.io/)?ibmcom/mq(?::(?:latest|9\.[2-9][\w.-]{0,40}))?)",
    re.IGNORECASE,
)
"""Images of MQ that run as a user without privileges."""
_OF_ROOT = later(
    r"(?:^|[;&|])[\s\\]*(?:/usr/s?bin/)?(useradd|usermod|groupadd|adduser|chown|rpm(?=[ \t]+-[iU])"
    r"|(?:apt-get|apt|yum|dnf|microdnf)(?=[ \t]+(?:-\S+[ \t]+)*(?:install|update)))(?![\w./-])"
)
"""Commands that change users, owners or packages."""
_CONTINUED = later(r"(?:[^\n]*\\[ \t]*\r?\n(?:[ \t]*+(?:#[^\n]*+|\r)?+\n)*+)*[^\n]*")
_RUN = later(r"^[ \t]*(?:RUN|CMD|ENTRYPOINT)[ \t]+(?:--\S{1,200}[ \t]+)*", re.M | re.I)
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


class Dockerfile(Host):
    of_containers = True

    def __init__(self, text: str, budget: Budget) -> None:
        super().__init__(text, budget)
        self.image = _image(text)

    def blocks(self) -> Iterator[Block]:
        """Yield what instructions run: as shell, as a list of words, or as a here-document."""
        text = self.text
        done = 0
        for match in _RUN.finditer(text):
            start = match.end()
            if start < done:
                continue
            here = _HERE.match(text, start)
            if here is not None:
                close = re.compile(rf"^[ \t]*{here[1]}[ \t]*\r?$", re.M).search(text, here.end())
                done = close.start() if close is not None else len(text)
                yield Block(mapped_at(text[here.end() : done], here.end()))
                continue
            command = _instruction(text, start)
            done = command.end
            if text.startswith("[", start):
                yield from _words(text, start, done)
            else:
                yield Block(command)

    def declared(self) -> Iterable[Declared]:
        return () if self.image is None else (self.image[0],)

    def fed(self) -> Iterator[tuple[str, str]]:
        """Yield what the image has in /etc/mqm, also for those that run it under another name."""
        for image in self.declared():
            for name in dict.fromkeys((image.queue_manager or "", "")):
                yield from ((file, name) for file in _copied(self.text))

    def awaited(self) -> Iterator[tuple[str, int]]:
        """Yield what the image has in /etc/mqm from elsewhere: a URL, or another image."""
        for found in _ELSEWHERE.finditer(self.text) if self.image is not None else ():
            yield "", found.start(1)

    def files(self) -> Iterator[NamedFile]:
        """Yield the files that an image of MQ gets, other than its configuration."""
        fed = set(_copied(self.text))
        for copy in _ANY_COPY.finditer(self.text) if self.image is not None else ():
            at = copy.start(1)
            for source in _SOURCE.finditer(self.text, at, at + copy[1].rindex(" ")):
                if source[0] not in fed:
                    yield NamedFile(source[0], source.span())
        if "MQCHL" in self.text or "MQCCDTURL" in self.text:
            yield from _table_files(self.text)

    def faults(self) -> Iterator[Diagnostic]:
        yield from () if self.image is None else self.image[1]
        yield from expansion_faults(self.text)
        yield from _ended_at_once(self.text)
        if "--from=" in self.text and self.image is not None:
            yield from _other_stage(self.text, self.budget)
        if "strmqm" in self.text:
            yield from _left_running(self.text)


def _instruction(text: str, start: int) -> MappedText:
    """Return an instruction from `start` on, without the remarks and blank lines inside it."""
    builder = MappedTextBuilder()
    end = start
    while end < len(text):
        begin, newline = end, text.find("\n", end)
        end = len(text) if newline < 0 else newline + 1
        line = text[begin:end]
        if begin > start and (not line.strip() or line.lstrip().startswith("#")):
            continue
        builder.add(line, begin)
        if not line.rstrip().endswith("\\"):
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


def _ended_at_once(text: str) -> Iterator[Diagnostic]:
    """Yield the last CMD or ENTRYPOINT if it only starts a queue manager.

    A container ends with its first process, and strmqm ends when the queue manager has started.
    """
    last = None
    for found in _MAIN.finditer(text):
        if last is None or found[1].upper() == "ENTRYPOINT" or last[1].upper() != "ENTRYPOINT":
            last = found
    if last is not None and _ONLY_STARTS.match(last[2]) is not None:
        yield diagnostic("image-ends-at-once", last.span(1), instruction=last[1].upper())


def _other_stage(text: str, budget: Budget) -> Iterator[Diagnostic]:
    """Yield names after `COPY --from=` that are typos of a stage; others may be images.

    Names that differ only in digits are not: ubi9 may be an image, and builder a named context.
    """
    stages = {stage[1].lower() for stage in _NAMED_STAGE.finditer(text)}
    cost = sum(map(len, stages))
    for found in _FROM_STAGE.finditer(text):
        name = found[1].lower()
        if name in stages:
            continue
        if not budget.spend(cost, len(stages)):
            return
        meant = nearest(name, stages)
        if meant and not same_but_for_digits(meant, name):
            yield diagnostic("stage-misspelt", found.span(1), word=found[1], meant=meant)


def _left_running(text: str) -> Iterator[Diagnostic]:
    """Yield the last start of a queue manager in each RUN that does not end it afterwards.

    The processes of a build step end with it, and the container starts without them.
    """
    done = 0
    for match in _RUN.finditer(text):
        if match.start() < done or match[0].lstrip()[:3].upper() != "RUN":
            continue
        source = _instruction(text, match.end())
        done = source.end
        start = None
        for found in _STARTS.finditer(source.text):
            start = found
        if start is not None and source.text.find("endmqm", start.end()) < 0:
            at = source.host(start.start(1))
            yield diagnostic("image-starts-in-build", (at, at + len("strmqm")))


def _image(text: str) -> tuple[Declared, Sequence[Diagnostic]] | None:
    """Return the queue manager of the image of a Dockerfile, and faults of the file.

    None for an image that is not one of MQ.
    """
    if OF_MQ.search(text) is None:
        return None
    image, settings = _environment(text)
    if image is None:
        return None
    kind = Field("kind", "Dockerfile", image.value_span)
    run = Field("image", image.value, image.value_span)
    declared = container(kind, "", run, settings, image.value_span)
    if not is_mq_image(image.text):
        return declared, ()
    own = (*_copies(text), *_user(text), *_passwords(text), *_without_root(text))
    return declared, [*environment_faults(settings), *own]


def _environment(text: str) -> tuple[Variable | None, dict[str, Variable]]:
    """Return the image that counts, and the variables that instructions set."""
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
    return image, settings


def _table_files(text: str) -> Iterator[NamedFile]:
    """Yield the channel table that variables name, beside a file that goes to the same folder.

    Nothing if another instruction names the table, or if there are several stages.
    """
    path, span = table_path(_environment(text)[1])
    folder, name = split(path)
    if not path.startswith("/") or text.count(name) > 1 or len(_STAGE.findall(text)) > 1:
        return
    tables: dict[str, None] = {}
    for copy in _ANY_COPY.finditer(text):
        *sources, target = copy[1].split()
        is_folder = target.rstrip("/") == folder
        for source in sources:
            is_file = bool(splitext(source)[1])
            if is_file and (is_folder or dirname(target) == folder):
                tables[normpath(join(dirname(source), name))] = None
            elif is_folder and not is_file:
                tables[normpath(join(source, name))] = None
    yield from (NamedFile(file, span) for file in tables)


def _passwords(text: str) -> Iterator[Diagnostic]:
    """Passwords of users that RUN sets: they stay in the history of the image."""
    for piped in _PIPED.finditer(text) if "chpasswd" in text else ():
        if text.rfind("#", text.rfind("\n", 0, piped.start()) + 1, piped.start()) < 0:
            yield diagnostic("image-password", piped.span(1))


def _has_misspelt_ending(file: str) -> bool:
    return distance(file.rpartition("/")[2].rpartition(".")[2].lower(), "mqsc", 1) == 1


def _misspelt_endings(copy: re.Match[str]) -> Iterator[Diagnostic]:
    """Files whose ending is a typo of that of MQSC, which the container does not read."""
    for source in copy[1].split()[:-1]:
        if _has_misspelt_ending(source):
            start = copy.start(1) + copy[1].index(source)
            span = (start, start + len(source))
            yield diagnostic("image-entry-not-applied", span, word=source, ending=".mqsc or .ini")


def _copies(text: str) -> Iterator[Diagnostic]:
    """Report configuration that is copied to a folder that the container does not read.

    A folder that the file makes by itself is for programs of its own.
    """
    made = {made[1].rstrip("/") for made in _MADE.finditer(text)}
    for copy in _ANY_COPY.finditer(text):
        *sources, target = copy[1].split()
        configuration = [source for source in sources if source.endswith(CONFIGURATION_ENDINGS)]
        start = copy.start(1) + copy[1].rindex(target)
        span = (start, start + len(target))
        folder, _, file = target.rpartition("/")
        if target.rstrip("/") == CONFIGURATION_FOLDER:
            yield from _misspelt_endings(copy)
            continue
        if folder == CONFIGURATION_FOLDER:
            is_meant = configuration or _has_misspelt_ending(file)
            if is_meant and not file.endswith(CONFIGURATION_ENDINGS):
                yield diagnostic("image-entry-not-applied", span, word=file, ending=".mqsc or .ini")
            continue
        is_near = distance("/".join(target.split("/")[:3]), CONFIGURATION_FOLDER, 2) <= 2
        if configuration and is_near and target.rstrip("/") not in made:
            yield diagnostic("mount-path", span, path=target, meant=CONFIGURATION_FOLDER)


def _user(text: str) -> Iterator[Diagnostic]:
    """The user root, if it is the last that the file names."""
    stages = [found.start() for found in _STAGE.finditer(text)]
    users = [found for found in _USER.finditer(text) if stages and found.start() > stages[-1]]
    if _OWN_PROGRAM.search(text) is None and users and users[-1][1] in ("root", "0"):
        yield diagnostic("runs-as-root", users[-1].span(1), how=f"USER is {users[-1][1]}")


def _without_root(text: str) -> Iterator[Diagnostic]:
    """Yield commands that only root may run, in a stage whose user is still that of the image.

    Images of MQ from 9.2 on have the user 1001 (docs/security.md of ibm-messaging/mq-container).
    """
    stages = [*_STAGE.finditer(text)]
    for stage, following in zip(stages, [*stages[1:], None], strict=True):
        end = following.start() if following is not None else len(text)
        found = _FROM.match(text, stage.end())
        if found is None or _UNPRIVILEGED.fullmatch(found[1]) is None:
            continue
        user = _USER.search(text, stage.end(), end)
        end = user.start() if user is not None else end
        for run in _RUN.finditer(text, stage.end(), end):
            source = _instruction(text, run.end())
            command = _OF_ROOT.search(source.text)
            if run[0].lstrip()[:3].upper() == "RUN" and command and "sudo" not in source.text:
                at = source.host(command.start(1))
                span = (at, at + len(command[1]))
                yield diagnostic("image-needs-root", span, command=command[1])
                break


def _copied(text: str) -> Iterator[str]:
    """Yield the files of MQSC and of stanzas, and the folders, that are copied into /etc/mqm."""
    for copy in _COPY.finditer(text):
        for source in copy[1].split():
            if source.endswith(CONFIGURATION_ENDINGS):
                yield source
            elif copy[2].rstrip("/") == CONFIGURATION_FOLDER:
                yield from files_of_folder(source.removesuffix("/*"))


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
