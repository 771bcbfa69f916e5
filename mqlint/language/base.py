"""The record of a language: how its files are recognised, and how they are read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Set
from functools import cached_property
from typing import TYPE_CHECKING, Literal, Protocol

from mqlint.dataclass import frozen, mutable
from mqlint.language.text.templates import PLACEHOLDER, with_placeholders
from mqlint.patterns import later

if TYPE_CHECKING:
    from mqlint.config.settings import Client
    from mqlint.finding import Diagnostic
    from mqlint.language.declaration import Declared, NamedFile
    from mqlint.language.ini.parser import IniFile, Stanza
    from mqlint.language.mqsc import Dialect, Parser, Script
    from mqlint.language.script.step import Embedded, ShellScript
    from mqlint.source.budget import Budget
    from mqlint.vocabulary import Vocabulary

_LOOKED_AT = 8_192
"""How many characters of a file its head has after the remarks that it begins with."""
_LINES = 60
_REMARKS = later(
    r"(?:[ \t]*+(?:(?:[*#;]|//\*)[^\n]*|/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/[ \t\r]*+"
    r"|<!--[^-]*+(?:-(?!->)[^-]*+)*+-->[ \t\r]*+|\r?)(?:\n|\Z))*+"
)
"""The remarks at the beginning of a text, as any language writes them, and blank lines."""

TEXT_ENDINGS = frozenset(
    "in inp txt text asc tst mq cmd def dump dmp scr script run cfg conf notes bak old orig sav"
    " csqinp1 csqinp2 csqinpt csqinpx".split()
) | {""}
"""The endings of files that may be text in any language."""

TEMPLATE_ENDINGS = (
    *(".j2", ".jinja", ".jinja2", ".tpl", ".tmpl", ".template", ".erb", ".epp", ".default"),
    *(".tftpl", ".gotmpl", ".ctmpl", ".hbs", ".mustache"),
)


class Sample:
    """A file to be recognised: its path, and its text or the beginning of it."""

    def __init__(self, path: str, text: str) -> None:
        """`path` may have slashes of either kind."""
        self.path = path.replace("\\", "/")
        self.text = text
        self.name = self.path.rpartition("/")[2].lower()
        self.stem, self.ending = _stem_and_ending(self.name)
        self._begin = begin = found.end() if (found := _REMARKS.match(text)) else 0
        self.head = text[: begin + _LOOKED_AT]

    @cached_property
    def lines(self) -> list[str]:
        """The first lines that are neither blank nor template statements.

        At most 60 of the remarks at the beginning, however many these are, and 60 after them.
        """
        remarks, rest = self.text[: self._begin], self.head[self._begin :]
        return _first_lines(remarks[:_LOOKED_AT]) + _first_lines(rest)


def _first_lines(text: str) -> list[str]:
    lines = (line.rstrip() for line in with_placeholders(text).splitlines())
    return [line for line in lines if line.strip(" \t" + PLACEHOLDER)][:_LINES]


def _stem_and_ending(name: str) -> tuple[str, str]:
    """Return the stem and the ending of a file's name, without endings of template languages."""
    for _ in range(3):
        ending = next((ending for ending in TEMPLATE_ENDINGS if name.endswith(ending)), "")
        if not name.removesuffix(ending) or not ending:
            break
        name = name.removesuffix(ending)
    stem, dot, ending = name.rpartition(".")
    return (stem, ending) if dot and stem else (name, "")


Predicate = Callable[[Sample], bool]
"""A question about a file."""


def contains(*patterns: str | re.Pattern[str], mark: str = "") -> Predicate:
    """Return whether all `patterns` are found in a text; without `mark` none of them can be."""
    wanted = [later(each) if isinstance(each, str) else each for each in patterns]
    return lambda sample: (
        mark in sample.text and all(pattern.search(sample.text) for pattern in wanted)
    )


def of_path(question: Callable[[str], bool]) -> Predicate:
    """Return a question about a file that its path alone answers."""
    return lambda sample: question(sample.path)


def named_as(pattern: str) -> Predicate:
    """Return whether the whole name of a file, in lower case, fits a pattern."""
    wanted = later(pattern)
    return lambda sample: wanted.fullmatch(sample.name) is not None


def named(*names: str) -> Predicate:
    """Return whether a file has one of these names, in lower case."""
    return lambda sample: sample.name in names


def name_ends(end: str) -> Predicate:
    """Return whether the name of a file, in lower case, ends with a text."""
    return lambda sample: sample.name.endswith(end)


def called(*names: str) -> Predicate:
    """Return whether a file has one of these names, without its ending."""
    return lambda sample: sample.stem in names


def named_after(word: str) -> Predicate:
    """Return whether the name of a file begins with a word, or its ending is that word."""
    return lambda sample: sample.name.startswith(word) or sample.ending == word


@frozen
class Sign:
    """One way to recognise a language: by the name of a file, then by its text.

    The signs of all languages are asked in the order of `rank`. A file fits if its ending (in lower
    case, without the dot, blank for none) is one of `endings` or `named` is true of it, and
    `looks_like` is true of it. If `decides` is set, no later sign is asked about a file whose name
    fits, except those that are a `last_resort`: they are asked about every file that fits no other.
    Those for `when_named` are asked only about files that the user names.
    """

    rank: int
    endings: Set[str] = frozenset()
    named: Callable[[Sample], bool] | None = None
    looks_like: Callable[[Sample], bool] | None = None
    decides: bool = False
    last_resort: bool = False
    when_named: bool = False

    def fits_name(self, sample: Sample) -> bool:
        return sample.ending in self.endings or (self.named is not None and self.named(sample))

    def fits(self, sample: Sample) -> bool:
        """Return whether the file is in the language, if no earlier sign fits."""
        return self.fits_name(sample) and (self.looks_like is None or self.looks_like(sample))


@frozen
class Context:
    """The input of a reader besides the text.

    `language` is the name of the language to read, and `path` that of the file, blank for a text
    without one. `clients` are those of the settings to which the path belongs. `sourced` are
    the variables of the files that a script sources, None for a value that is not sure; None for
    files that are not known.
    """

    language: str
    vocabulary: Vocabulary
    budget: Budget
    mqsc: Parser
    dialect: Dialect
    clients: tuple[Client, ...] = ()
    path: str = ""
    sourced: Mapping[str, str | None] | None = None


class ClientContext(Protocol):
    """What readers of files of applications need of a `Context`."""

    @property
    def budget(self) -> Budget: ...

    @property
    def clients(self) -> tuple[Client, ...]: ...

    @property
    def path(self) -> str: ...


@mutable
class Parsed:
    """The result of a reader; a language leaves out the fields that it does not have.

    `embedded` and `declared` are in addition to those of `script`. `stanzas` are settings that the
    output of a command shows. `diagnostics` are about objects of the type `about`. `wired` are
    entries of other files (see `Embedded`), and `fed` are other files, each with the queue manager
    that is created with it. `joins`: it describes resources that other files may name, or names
    some. `files` are files that it names besides those that it feeds. `secrets` are places of
    secrets that are not found by their form. `unfollowed` are the places of what may have commands
    of MQ and was not followed, in addition to those of `script`. `data_sets` are those of z/OS,
    each with the queue manager whose procedure has it as its own, otherwise a blank, and the place
    of the step that names it.
    """

    mqsc: Script | None = None
    script: ShellScript | None = None
    stanza_file: IniFile | None = None
    stanzas: tuple[Stanza, ...] = ()
    declared: tuple[Declared, ...] = ()
    embedded: Iterable[Embedded] = ()
    diagnostics: Iterable[Diagnostic] = ()
    about: str | None = None
    wired: tuple[tuple[str, str], ...] = ()
    fed: tuple[tuple[str, str], ...] = ()
    joins: bool = False
    files: Iterable[NamedFile] = ()
    secrets: Iterable[tuple[int, int]] = ()
    unfollowed: tuple[int, ...] = ()
    data_sets: tuple[tuple[str, str, int], ...] = ()


Reader = Callable[[str, Context], Parsed]

Ownership = Literal["named", "declared", "program"]


@frozen
class Language:
    """A language that mqlint reads.

    `reader` is the module and the function that reads it (`module:function`), or the method of a
    class (`module:Class.method`). They are loaded for the first file of the language.

    `ownership` says to which queue manager steps and declarations without a name belong:

    - `named`: to none. They are judged alone; each queue manager of the script may be concerned.
    - `declared`: to the queue manager whose folder the file is in.
    - `program`: the same, and a command that names a queue manager belongs to that one alone.

    `platform` is that of all its files. `scheduled`: a clock or the start of the host runs it.
    `variables`: a shell replaces `$name`. `settings`: its lines are `name=value`. `ignores_case`:
    names of commands and options have no case. `comments`: comments can suppress findings.
    `general`: most files with such names are about other things than MQ. `by_name`: the name of the
    file has a part in what it says, `by_path`: its folders too. `recorded`: it is output of a
    program, with control characters. `connects`: its reader yields the connections of variables
    that its scripts set.
    """

    name: str
    signs: tuple[Sign, ...]
    reader: str
    ownership: Ownership = "named"
    platform: str | None = None
    scheduled: bool = False
    variables: bool = False
    settings: bool = False
    ignores_case: bool = False
    comments: bool = True
    by_name: bool = False
    by_path: bool = False
    recorded: bool = False
    connects: bool = False
    general: bool = True

    def accepts(self, path: str, text: str) -> bool:
        """Return whether a text has a sign of this language, even if it has signs of others."""
        sample = Sample(path, text)
        return any(sign.fits(sample) for sign in self.signs)
