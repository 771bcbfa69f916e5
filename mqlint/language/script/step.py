"""What a script does, one command at a time, and the documents that stand inside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mqlint.dataclass import frozen
from mqlint.finding import Diagnostic
from mqlint.language.declaration import Declared
from mqlint.language.text.mapped import MappedText, Segments, host_offset
from mqlint.vocabulary.unknown import Unknown

Span = tuple[int, int]
"""Offsets into the script, the end exclusive."""

WHY = ("function", "branch", "loop")
"""The reasons for which a statement may not run; blank is for a host that gives none."""


@frozen
class StepWord:
    """An operand; `value` is UNKNOWN when it depends on running.

    `globs` tells that the shell may put names of files in its place: it holds `*`, `?` or `[`
    outside quotes.
    """

    value: str | Unknown
    span: Span
    globs: bool = False


@frozen
class StepOption:
    """An option without its hyphen.

    `value` is None where it has none, UNKNOWN when it depends on running, a `Secret` where it
    must not be kept. `known` is False for an option that the vocabulary does not have. `globs` is
    that of the word of its value.
    """

    name: str
    value: str | Unknown | None
    span: Span
    value_span: Span | None = None
    known: bool = True
    globs: bool = False


@frozen
class StepPath:
    """A path of a queue manager's files; `part` is what of it the path leads to."""

    path: str
    part: str
    span: Span


@frozen
class Step:
    """One control command, or one command that touches a queue manager's files.

    `queue_manager` is None when it is not named or depends on running; `every` tells that the
    step is about all queue managers of its host. `maybe` tells that it stands in a branch, a loop
    or a function; `open` that a word which may hold any option is not known. `reads` is the file
    of MQSC that runmqsc is given, `also` are further files, or other names under which it may
    stand; `lost` tells that it is given something else that is not known. `schedule` is
    that of a crontab line, as written. `paths` are the queue manager's files that it touches,
    `other` is where they go or come from. `output` is where what it prints goes: `discarded`,
    `kept`, `captured`, blank where the script says nothing; `folder` is the folder of the file that
    keeps it, blank where that is not known.
    `checked` tells whether the script looks at what it returns, None where that is not known.
    `unguarded` are variables in its paths that may be empty for all the script does about it.
    `why` is the reason, in a word, for which it may not run (`WHY`). `at` is the offset of the call
    of the function that it is in, where that call is what runs it.
    """

    command: str
    action: str
    options: tuple[StepOption, ...]
    operands: tuple[StepWord, ...]
    queue_manager: str | None
    span: Span
    command_span: Span
    maybe: bool = False
    open: bool = False
    reads: StepWord | None = None
    schedule: str | None = None
    paths: tuple[StepPath, ...] = ()
    other: StepWord | None = None
    every: bool = False
    output: str = ""
    folder: str = ""
    checked: bool | None = None
    unguarded: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    lost: bool = False
    why: str = ""
    at: int | None = None

    def option(self, *names: str) -> StepOption | None:
        """Return the last of the options called one of `names`, None when there is none."""
        return next((option for option in reversed(self.options) if option.name in names), None)

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

    `segments` lead from its offsets to those of the script. `expands_variables` tells that the
    shell puts values for variables into it; those not known are covered. `encoded` tells that it
    stands there in base64, `verbatim` that a command is given it with nothing more replaced.
    `model` tells texts without a known `queue_manager` apart: those with the same one go to the
    same queue manager, blank is that of the whole document. `entry` is the name by which manifests
    in other files may say whose it is, blank where it has none. `applied` tells that the queue
    manager runs it when it starts. `why` is the reason, in a word, for which it may not run
    (`WHY`), `at` the offset of the call of the function that it is in, where that call runs it.
    `spelling` is the form in which the file writes what stands here as MQSC, blank for that of
    MQSC (`mqlint.language.objects.spelling`).
    """

    language: str
    text: str
    segments: Segments
    end: int
    queue_manager: str | None
    expands_variables: bool
    maybe: bool = False
    schedule: str | None = None
    encoded: bool = False
    model: str = ""
    entry: str = ""
    applied: bool = False
    why: str = ""
    at: int | None = None
    verbatim: bool = False
    spelling: str = ""

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
    ) -> Embedded:
        """Return a document that a file of keys and values holds; no shell expands variables."""
        return cls(
            *(language, mapped.text, mapped.segments, mapped.end, queue_manager),
            expands_variables=False,
            maybe=maybe,
            encoded=encoded,
            model=model,
            spelling=spelling,
        )

    def host(self, offset: int) -> int:
        """Return the script's offset of the character at `offset`."""
        return host_offset(self.segments, offset, self.end)

    @property
    def mapping(self) -> Segments:
        """The segments, and after them where the text ends."""
        return (*self.segments, (len(self.text), self.end))


@frozen
class Typo:
    """A word that is near one of MQ's: `written` and `meant`.

    `kind` is `command`, `derived` (a command's name with a letter more or less at an end, as people
    call programs of their own), `capitals` (of a command), `file` or `folder`. `names` are the
    other words of its command, or the name below a folder, by which it may be told from a program
    or folder that is really called so; `fits` tells that a command has options of the one that is
    meant, and no others.
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

    `secrets` are the stretches that no report may show, `calls` the offsets of commands that may
    do anything: other scripts, functions, commands for other hosts, MQSC from elsewhere. `typos`
    are words that are near one of MQ's. `remote` are control commands that run on other hosts or in
    containers, so that their order and effects are not those of this host. `declared` and
    `diagnostics` are of the resources of Kubernetes in it. `fed` are files of requests, each with
    the queue manager that it is sent to.
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

    @classmethod
    def merged(cls, scripts: Sequence[ShellScript], borders: Iterable[int] = ()) -> ShellScript:
        """Return the scripts as one; at each of the `borders` anything may happen."""
        return cls(
            tuple(step for script in scripts for step in script.steps),
            tuple(inner for script in scripts for inner in script.embedded),
            tuple(secret for script in scripts for secret in script.secrets),
            (*borders, *(call for script in scripts for call in script.calls)),
            tuple(typo for script in scripts for typo in script.typos),
            tuple(found for script in scripts for found in script.declared),
            tuple(fault for script in scripts for fault in script.diagnostics),
            tuple(step for script in scripts for step in script.remote),
            tuple(feed for script in scripts for feed in script.fed),
        )
