"""What a language is to the program: its files, its reader, and what follows from being in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from mqlint.dataclass import frozen, mutable
from mqlint.language.text.templates import PLACEHOLDER, with_placeholders

if TYPE_CHECKING:
    from mqlint.config.settings import Client
    from mqlint.finding import Diagnostic
    from mqlint.language.declaration import Declared
    from mqlint.language.ini.parser import IniFile, Stanza
    from mqlint.language.mqsc import Dialect, Parser, Script
    from mqlint.language.script.step import Embedded, ShellScript
    from mqlint.source.budget import Budget
    from mqlint.vocabulary import Vocabulary

LOOKED_AT = 8_192
"""How many characters of a file its head has."""

TEXT_ENDINGS = frozenset(
    "in inp txt text asc tst mq cmd def dump dmp scr script run cfg conf notes bak old orig sav"
    " csqinp1 csqinp2 csqinpt csqinpx".split()
) | {""}
"""The endings of files that may be text in any language."""

_TEMPLATE_ENDINGS = (".j2", ".jinja", ".jinja2", ".tpl", ".tmpl", ".template", ".erb", ".default")


class Sample:
    """A file whose language is to be recognised: its path and its text, or the beginning of it."""

    def __init__(self, path: str, text: str) -> None:
        """`path` may have slashes of either kind."""
        self.path = path.replace("\\", "/")
        self.text = text
        self.name = self.path.rpartition("/")[2].lower()
        self.stem, self.ending = _stem_and_ending(self.name)
        self.head = text[:LOOKED_AT]

    @cached_property
    def lines(self) -> list[str]:
        """The first lines that are neither blank nor template statements, at most 60."""
        lines = (line.rstrip() for line in with_placeholders(self.head).splitlines())
        return [line for line in lines if line.strip(" \t" + PLACEHOLDER)][:60]


def _stem_and_ending(name: str) -> tuple[str, str]:
    """Return the stem and the ending of a file's name, without endings of template languages."""
    for _ in range(3):
        ending = next((ending for ending in _TEMPLATE_ENDINGS if name.endswith(ending)), "")
        if not name.removesuffix(ending) or not ending:
            break
        name = name.removesuffix(ending)
    stem, dot, ending = name.rpartition(".")
    return (stem, ending) if dot and stem else (name, "")


def contains(pattern: re.Pattern[str]) -> Callable[[Sample], bool]:
    """Return what tells whether `pattern` is found in the text of a file."""
    return lambda sample: pattern.search(sample.text) is not None


@frozen
class Sign:
    """One way to recognise a language: by the name of a file, then by its text.

    The signs of all languages are asked in the order of `rank`. A file fits if its ending (in
    lower case, without the dot, blank for none) is one of `endings` or `named` is true of it, and
    `looks_like` is true of it. If `decides` is set, no later sign is asked about a file whose name
    fits, except those that are a `last_resort`: they are asked about every file that fits no other.
    Those for `when_named` are asked only about files that somebody names.
    """

    rank: int
    endings: frozenset[str] = frozenset()
    named: Callable[[Sample], bool] | None = None
    looks_like: Callable[[Sample], bool] | None = None
    decides: bool = False
    last_resort: bool = False
    when_named: bool = False

    def fits_name(self, sample: Sample) -> bool:
        """Tell whether a file of this name may be in the language."""
        return sample.ending in self.endings or (self.named is not None and self.named(sample))

    def fits(self, sample: Sample) -> bool:
        """Tell whether the file is in the language, if no earlier sign fits."""
        return self.fits_name(sample) and (self.looks_like is None or self.looks_like(sample))


@frozen
class Context:
    """What a reader needs besides the text; `language` is the name of the one to be read.

    `clients` are the keys of applications that the settings map, of this file's path.
    """

    language: str
    vocabulary: Vocabulary
    budget: Budget
    mqsc: Parser
    dialect: Dialect
    clients: tuple[Client, ...] = ()


@mutable
class Parsed:
    """What a reader found in a text; the parts that its language does not have are left out.

    `embedded` and `declared` are those that are not part of `script`. `stanzas` are settings that
    are known from output of a command. `diagnostics` are about objects of the type `about`.
    `wired` are entries of other files (see `Embedded`), each with the queue manager that is made
    with it, and `fed` files. `secrets` are stretches of the text that no other sign tells.
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
    secrets: Iterable[tuple[int, int]] = ()


Reader = Callable[[str, Context], Parsed]

Ownership = Literal["named", "declared", "program"]


@frozen
class Language:
    """A language that is read.

    `reader` is the module and the function (`module:function`) that read it: a run that meets
    no file of the language does not load them. `files` and `content` say in Markdown which files
    are taken for it, and what is read.

    `ownership` says to which queue manager steps and declarations belong that name none:

    - `named`: to none. They are judged by themselves; each queue manager of the script is
      treated as possibly concerned.
    - `declared`: to the queue manager whose folder the file is in.
    - `program`: the same, and commands that name one belong to that one alone.

    `platform` is that of all its files. `scheduled` tells that a clock or the start of the host
    runs it. `variables` tells that a shell replaces `$name`, `settings` that lines are
    `name=value`. `ignores_case` is about the names of commands and options. `comments` tells that
    comments can suppress findings. `general` tells that most files of its names are about other
    things: one without MQ in it is nothing unusual. `by_name` tells that the name of the file
    decides what is valid in it. `recorded` tells that it is what a program printed, control
    characters included.
    """

    name: str
    files: str
    content: str
    signs: tuple[Sign, ...]
    reader: str
    ownership: Ownership = "named"
    platform: str | None = None
    scheduled: bool = False
    variables: bool = True
    settings: bool = False
    ignores_case: bool = False
    comments: bool = True
    by_name: bool = False
    recorded: bool = False
    general: bool = True

    def accepts(self, path: str, text: str) -> bool:
        """Tell whether a text looks like this language, whatever else it may look like."""
        sample = Sample(path, text)
        return any(sign.fits(sample) for sign in self.signs)
