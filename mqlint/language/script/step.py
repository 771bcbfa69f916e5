"""The result for a script: its steps, and the documents that are embedded in it."""

from __future__ import annotations

from collections.abc import Iterable
from posixpath import join
from typing import Any

from mqlint.config.settings import Role
from mqlint.dataclass import frozen
from mqlint.finding import Diagnostic
from mqlint.language.declaration import Declared, NamedFile
from mqlint.language.execution import CERTAIN, MAYBE, Execution
from mqlint.language.text.mapped import MappedText, Segments, host_offset
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.vocabulary.unknown import Unknown

_BELOW = later(r"(?!\.\.)[\w.][\w. @+-]*+(?:/[\w.][\w. @+-]*+)*+")
"""A folder below that of a script: any other has no known place among the files of a project."""


@frozen
class StepWord:
    """An operand; `value` is UNKNOWN if it depends on running.

    `globs` is true if the shell may replace it by names of files: it has `*`, `?` or `[` outside
    quotes.
    """

    value: str | Unknown
    span: Span
    globs: bool = False


@frozen(shared="name known globs")
class StepOption:
    """An option without its hyphen.

    `value` is None without a value, UNKNOWN if it depends on running, and a `Secret` if it must not
    be stored. `known` is False for an option that is not in the vocabulary. `globs` is that of the
    word of its value. `key` is the one of NAME=VALUE, blank if there is none or if it is not known.
    """

    name: str
    value: str | Unknown | None
    span: Span
    value_span: Span | None = None
    known: bool = True
    globs: bool = False
    key: str = ""


@frozen
class StepPath:
    """A path of a queue manager's files; `part` is the part of the files that it leads to."""

    path: str
    part: str
    span: Span


@frozen(
    shared="command action open every output folder directory checked fatal unguarded also lost"
    " has_input program replaces failure sole waits background varies of_windows"
)
class Step:
    """One control command, or one command that touches a queue manager's files.

    `queue_manager` is None if it is not named or depends on running; steps for the same one then
    have the same `model`, None if that is not known. `every`: the step is about all queue managers
    of its host. `open`: an unknown word may be any option.

    `reads` is the file that runmqsc reads; `also` are further files, or other names of the file.
    `edited` is the file of which the script makes its input by substitutions of addresses.
    `lost`: it reads something else that is not known. `has_input` says whether a schedule may give
    the dead-letter queue handler an input. `program` is the command with its path, `replaces` the
    file that the output of a dump replaces and that no other command names, or the configuration
    file that it removes and that nothing else names.

    `failure` says how the script hides that it fails: `ignored`, `piped`, `unseen`, or blank.

    `sole` is `data` or `log` for a copy that no other copy of its script completes with the rest.

    `waits` is true if the shell waits for it before the next command of the same script, and
    `background` if an ampersand says that it does not. `varies`: only its values may be others.
    `of_windows` is true if a shell of Windows runs it.

    `paths` are the queue manager's files that it touches, `other` is their source or target.
    `unguarded` are variables in the paths that may be empty. `output` is where its output goes:
    `discarded`, `kept`, `captured`, or blank if the script does not say; `folder` is the folder of
    the file that keeps it, blank if unknown. `directory` is the one that the last `cd` before it
    names, blank if unknown. `checked` says whether the script checks its result, None if that is
    not known, and `fatal` whether the script only ends if it fails, because of its option for that.
    """

    command: str
    action: str
    options: tuple[StepOption, ...]
    operands: tuple[StepWord, ...]
    queue_manager: str | None
    span: Span
    command_span: Span
    execution: Execution = CERTAIN
    open: bool = False
    reads: StepWord | None = None
    paths: tuple[StepPath, ...] = ()
    other: StepWord | None = None
    every: bool = False
    output: str = ""
    folder: str = ""
    directory: str = ""
    checked: bool | None = None
    fatal: bool = False
    unguarded: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    lost: bool = False
    has_input: bool | None = None
    program: str = ""
    replaces: str = ""
    failure: str = ""
    sole: str = ""
    waits: bool = False
    background: bool = False
    varies: bool = False
    of_windows: bool = False
    model: str | None = None
    edited: StepWord | None = None

    def option(self, *names: str) -> StepOption | None:
        """Return the last of the options called one of `names`, None when there is none."""
        return next((option for option in reversed(self.options) if option.name in names), None)

    def text(self, name: str) -> str:
        """Return the known value of an option, blank if it has none."""
        option = self.option(name)
        return option.value if option is not None and isinstance(option.value, str) else ""

    @property
    def feeds(self) -> tuple[str, ...]:
        """The files that runmqsc reads, from the folder of the script.

        Of several only one is needed: they may be names of one member.
        """
        return tuple(map(self.from_script, self.inputs))

    @property
    def inputs(self) -> tuple[str, ...]:
        """The files that runmqsc reads, as the script has them."""
        name = self.reads.value if self.reads is not None else None
        return (name, *self.also) if isinstance(name, str) else ()

    @property
    def is_elsewhere(self) -> bool:
        """Whether the step runs in a folder that is not that of the script, or one below."""
        return self.directory != "" and _BELOW.fullmatch(self.directory) is None

    def from_script(self, name: str) -> str:
        """Return the path of a file from the folder of the script, or `name` if it is unknown."""
        return name if self.is_elsewhere else join(self.directory, name)

    @property
    def may_not_run(self) -> bool:
        """Whether it may not run, with whatever values."""
        return self.execution.maybe and not self.varies

    @property
    def position(self) -> tuple[int, int]:
        """Its place among the steps of the script, to be compared."""
        return self.execution.position(self.span[0])

    @property
    def is_secondary(self) -> bool:
        """Whether crtmqm makes the secondary of a pair: data and log are those of the primary.

        IBM's page "crtmqm (create queue manager)": -sxs on the other nodes of an RDQM group, and
        -rr s at the other site of a DR pair.
        """
        role = self.option("rr")
        is_other_site = role is not None and role.value == "s"
        return self.command == "crtmqm" and (self.option("sxs") is not None or is_other_site)


@frozen
class Embedded:
    """A document in another language inside a script.

    `segments` map its offsets to those of the script, and `end` is its end there. `verbatim`:
    nothing is replaced any more. `encoded`: it is in base64. `applied`: the queue manager runs it
    when it starts.

    Texts without a `queue_manager` belong together if they have the same `model`; a blank one is
    for the whole document. `entry` is its name in the file, by which others may assign it,
    blank for none: a key of a ConfigMap, the DD name in a job. `spelling` is the form of the file
    for attributes, blank for MQSC (`mqlint.language.objects.spelling`). `file` is the path that the
    text is written to, blank for none. `platform` is that of its queue manager, blank for that of
    the file.
    """

    language: str
    text: str
    segments: Segments
    end: int
    queue_manager: str | None
    execution: Execution = CERTAIN
    encoded: bool = False
    model: str = ""
    entry: str = ""
    applied: bool = False
    verbatim: bool = False
    spelling: str = ""
    file: str = ""
    platform: str = ""

    @classmethod
    def of(
        cls,
        language: str,
        mapped: MappedText,
        queue_manager: str | None,
        *,
        maybe: bool,
        encoded: bool = False,
        model: str = "",
        spelling: str = "",
        file: str = "",
    ) -> Embedded:
        """Return a document that a file of keys and values holds."""
        return cls(
            *(language, mapped.text, mapped.segments, mapped.end, queue_manager),
            MAYBE if maybe else CERTAIN,
            encoded=encoded,
            model=model,
            spelling=spelling,
            file=file,
        )

    def host(self, offset: int) -> int:
        """Return the script's offset of the character at `offset`."""
        return host_offset(self.segments, offset, self.end)

    @property
    def mapping(self) -> Segments:
        return (*self.segments, (len(self.text), self.end))


@frozen
class Typo:
    """A word that may be a typo of one of MQ's: `written` and `meant`.

    `kind` is `command`, `derived` (the name of a command with a letter more or less at an end,
    which may be a program of the site), `capitals` (of a command), `file` or `folder`. `names` are
    the other words of the command, or the name below a folder: they can show that such a program or
    folder exists. `fits`: the command has options of the command that is meant, and no others.
    """

    kind: str
    written: str
    meant: str
    span: Span
    names: tuple[str, ...] = ()
    fits: bool = False


@frozen
class ShellScript:
    """What a script does with MQ.

    `secrets` are places that no report may show. `calls` are the offsets of commands that may do
    anything: other scripts, functions, commands for other hosts, MQSC from elsewhere. `typos` are
    words near those of MQ. `remote` are control commands that run on other hosts or in containers:
    their order among the steps is not known. `declared` and `diagnostics` are of Kubernetes
    resources in it, `wired` are those of `Parsed`. `fed` are files of requests, each with its queue
    manager. `unfollowed` are the offsets of commands that may run one of MQ in a way that is not
    followed. `awaited` are the names of files that are run or read, each with an offset; blank if
    it has no name that a file of the project can have. `runs` are files that are run by their path
    from the folder of the script. `sited` are queue managers that it names in branches for one
    site, each with the role of that.
    """

    steps: tuple[Step, ...]
    embedded: tuple[Embedded, ...]
    secrets: tuple[Span, ...] = ()
    calls: tuple[int, ...] = ()
    typos: tuple[Typo, ...] = ()
    declared: tuple[Declared, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    remote: tuple[Step, ...] = ()
    fed: tuple[tuple[str, str], ...] = ()
    wired: tuple[tuple[str, str], ...] = ()
    unfollowed: tuple[int, ...] = ()
    awaited: tuple[tuple[str, int], ...] = ()
    runs: tuple[NamedFile, ...] = ()
    sited: tuple[tuple[str, Role], ...] = ()

    @classmethod
    def merged(cls, scripts: Iterable[ShellScript], borders: Iterable[int] = ()) -> ShellScript:
        """Return the scripts as one; `borders` are offsets at which anything may happen.

        Each script is freed before the next one is made: a file may have thousands. The borders are
        asked for when all scripts are made.
        """
        found: dict[str, list[Any]] = {part: [] for part in PARTS}
        for script in scripts:
            for part, content in found.items():
                content += getattr(script, part)
        found["calls"] = [*borders, *found["calls"]]
        return cls(**{part: tuple(content) for part, content in found.items()})


PARTS = tuple(ShellScript.__annotations__)
"""The names of the parts of a script."""
