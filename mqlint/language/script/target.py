"""Commands of a script for the same queue manager, although its name is not known."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial

from mqlint.language.mqsc.lines import stored
from mqlint.language.script.blocks import functions_in
from mqlint.language.script.command import Word
from mqlint.language.script.lookups.lookups import lookups_in
from mqlint.language.script.posix.sites import set_by_site
from mqlint.language.script.posix.tables import set_by_table
from mqlint.language.script.step import Embedded, Step
from mqlint.language.text.mapped import MappedText
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.number import is_digits
from mqlint.patterns import later
from mqlint.source.lines import Span

_VARIABLE = later(r"[$%]\{?(?:[A-Za-z]\w{0,80}:)?(\w{1,80})")
_CHANGE = later(
    r"(?i)(?<![\w$.-])\$?(\w{1,80})[ \t]*+(?:\+=(?!=)|=(?!=|[$%]\{?\1[}%]?(?:[\s\"'`;,)\]]|\Z)))"
    r"|(?:\b(?:read|for|foreach|select|unset|getopts|mapfile|readarray|printf[ \t]++-v|let)\b"
    r"|\(\()(?=([^\n;|&]{1,200}+))"
)
"""A name that is set, and not to itself, or the words after a command that sets names."""
_IN_PROSE = later(
    r"(?:#|(?<![\w$=-])(?!(?i:builtin|command|do|elif|else|if|then|time|until|while)\b)"
    r"[A-Za-z]?[a-z]{1,40}[,.]?)[ \t]++\Z"
)
"""The end of the text before a word that is no command, as in `echo "waiting for $QM"`."""
_NEAR = 80
_NAME = later(r"\w{1,80}")
_WORD = later(r"[\w-]+")
_READS = later(r"(?m)^[ \t]*+(?:\.|source|eval)[ \t]+\S")
"""Commands that run other texts, which may change any variable."""
_PARAMETERS = later(
    r"(?m)^[ \t]*(?:shift\b|set[ \t]+[-$\"'\w]|\}|:\w|function\b|[\w-]{1,80}+[ \t]*+\(\))"
)
"""Places at which numbered parameters may change: ends of functions, shift and set."""


_COVERED = later(rf"{PLACEHOLDER}(\d{{1,12}})-(\d{{1,12}})\Z")
_PARAMETER = later(
    r"(?m)^[ \t]*+(?:(?:readonly|export|typeset|declare)[ \t]++)?([A-Za-z_]\w{0,80}+)="
    r"[\"']?\$(?:([1-9])|\{([1-9])(?::?[?-][^}\n]{0,200})?\})[\"']?[ \t]*+(?:[;#&|]|\r?$)"
)
_PARAMETER_OF_CMD = later(
    r"(?im)^[ \t]*+@?set[ \t]++(?P<quote>\"?)([a-z_]\w{0,80}+)="
    r"(?P<inner>\"?)%~?([1-9])(?P=inner)(?P=quote)[ \t]*+\r?$"
)
_BRACED = later(r"\A\$\{(\w{1,80})\}\Z")
_ALONE = later(r"\$\w{1,80}|\$\{\w{1,80}\}|%\w{1,80}%")
_HELD = later(r"\w{1,80}=(\"?[$/][^\s;&|\"'`()]{1,400}\"?)(?=[\s;&|]|\Z)")
"""A variable that is set to a path."""
_MOVES = later(r"(?m)^[ \t]*+(?:shift\b|set[ \t]++--|while[ \t]++getopts\b)")
"""Commands after which a numbered parameter is another one."""
_COVER = later(f"{PLACEHOLDER}+")
_OF_SHELL = later(r"(?:\$(?:[A-Za-z_]\w{0,80}+|\{[A-Za-z_]\w{0,80}+\}))+")
_OF_OTHERS = frozenset({"chef", "expect", "powershell", "puppet"})
"""Languages whose own variables look the same."""
_OF_JOBS = frozenset({"jenkins", "pipeline"})
_OF_JOB = later(r"(?m)^[ \t]*+[A-Za-z_]\w{0,80}+[ \t]++=(?!=)|\bexport[ \t]++[A-Za-z_]\w{0,80}+=")
"""Where a job sets a variable: see `mqlint.language.variables.jobs`, which knows the value."""
_OF_CMD = later(r"(?:%[A-Za-z_]\w{0,80}+%)+")
_OF_TERRAFORM = later(r"(?:\$\{var\.[A-Za-z_]\w{0,80}+\})+")
_OF_MAKE = later(r"(?:\$(?:\([A-Za-z_]\w{0,80}+\)|\{[A-Za-z_]\w{0,80}+\}))+")
_FORMS = {"makefile": _OF_MAKE, "cmd": _OF_CMD, "terraform": _OF_TERRAFORM}
_SOLE = later(rf"[^:|{PLACEHOLDER}]*+:{PLACEHOLDER}++\|{PLACEHOLDER}[\d-]+\Z")
"""The model of a command whose queue manager is named by one template and nothing else."""
_OF_PLAY = later(r"[\"']?(\{\{(?!item\b)([A-Za-z_]\w{0,100})[\w.'\"[\]]{0,100}\}\})[\"']?\Z")
"""A variable of Ansible that no plain loop sets."""
_OF_ITEM = later(r"[\"']?(\{\{item(?:\.\w{1,100})?\}\})[\"']?\Z")
_OF_CALLER = later(
    r"[\"']?(\$\{\{(?:parameters|inputs|matrix|env|variables)\.[\w-]{1,100}\}\})[\"']?\Z"
)
"""What a job, or the caller of a template of Azure or of a workflow of GitHub, sets."""
_LOOPS = later(r"(?m)^[ \t-]*(?:loop|with_\w{1,20})[ \t]*:[ \t]*([^\n]*)")
_LIST = later(r"[\"']?\{\{ *([A-Za-z_]\w{0,100}) *\}\}[\"']?[ \t]*\r?")
_SET_BY_ANSIBLE = later(
    r"\b(?:register|loop_var|index_var)[ \t]*+:[ \t]*+[\"']?(?P<result>[A-Za-z_]\w{0,100})"
    r"|(?<![\w.$-])(?P<name>[A-Za-z_]\w{0,100}+)[\"']?[ \t]*+(?::(?=\s)|=(?!=))"
    r"(?!\s*+[\"']?\{\{ *(?P=name) *\}\})"
)
"""A key or an argument, by which variables are set too, unless its value is its own variable."""
_READ_BY_ANSIBLE = later(r"\binclude_vars\b")
_TASKS = later(r"(?m)^[ \t-]*(?:pre_tasks|tasks|roles|block)[ \t]*:")
_HOSTS = later(r"(?m)^[ \t-]*hosts[ \t]*:")
_USED = later(r"\{\{\s*+([A-Za-z_]\w{0,100})")


class Play:
    """The variables of Ansible in a file of tasks or plays."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def changes(self) -> dict[str, list[int]]:
        """The offsets at which the file sets variables, by their names."""
        found: dict[str, list[int]] = {}
        for place in _SET_BY_ANSIBLE.finditer(self.text):
            found.setdefault(place["result"] or place["name"], []).append(place.start())
        return found

    @cached_property
    def _head(self) -> int:
        """The length of what is before the tasks of the one play, 0 in any other file."""
        tasks = _TASKS.search(self.text)
        is_one = tasks is not None and len(_HOSTS.findall(self.text)) == 1
        return tasks.start() if tasks is not None and is_one else 0

    @cached_property
    def _used_before_reading(self) -> frozenset[str]:
        """The variables that are used before the file last reads those of another file."""
        last = max((place.start() for place in _READ_BY_ANSIBLE.finditer(self.text)), default=0)
        return frozenset(_USED.findall(self.text, 0, last))

    @cached_property
    def looped(self) -> str:
        """The one variable over which all loops of the file go, blank for none."""
        found = {loop[1] for loop in _LOOPS.finditer(self.text)}
        one = _LIST.fullmatch(found.pop()) if len(found) == 1 else None
        return one[1] if one is not None and self.keeps(one[1]) else ""

    def keeps(self, name: str) -> bool:
        """Return whether a variable has one value in all tasks.

        It has if the file does not set it, or if its one play does so before its tasks.
        """
        places = self.changes.get(name, ())
        is_kept = len(places) <= 1 and all(at < self._head for at in places)
        return is_kept and name not in self._used_before_reading


def with_names(embedded: Iterable[Embedded], play: Play) -> tuple[Embedded, ...]:
    """Return the texts of a document with the templates that name their queue managers.

    Templates of one length look the same while they are covered, so texts for two queue managers
    would be one. `play` is that of the file.
    """
    return tuple(
        replace(inner, model=_named(inner.model, play)) if PLACEHOLDER in inner.model else inner
        for inner in embedded
    )


def with_variables(embedded: Iterable[Embedded], text: str, language: str) -> tuple[Embedded, ...]:
    """Return the MQSC of a file with `${NAME}` for variables of a shell that the file never sets.

    The shell, make or cmd replaces them, so they were covered. Files of variables may set them. For
    cmd, which ignores the case, the names are in upper case.
    """
    lookups = lookups_in(text)
    if language in _OF_OTHERS and lookups is None:
        return tuple(embedded)
    script = Targets(_OF_JOB.sub("", text) if language in _OF_JOBS else text, is_file=True)
    form = _FORMS.get(language, _OF_SHELL)

    def shown(inner: Embedded) -> Embedded:
        if inner.language != "mqsc" or inner.encoded or PLACEHOLDER not in inner.text:
            return inner
        mapped = MappedText(inner.text, inner.segments, inner.end)

        def written(cover: re.Match[str]) -> str:
            start, end = mapped.host(cover.start()), mapped.host(cover.end())
            looked_up = lookups.variables_at(start, end) if lookups is not None else ()
            if looked_up or language in _OF_OTHERS:
                return "".join(map("${{{}}}".format, looked_up)) or cover[0]
            whole = form.match(text, mapped.host(cover.start()))
            is_at_end = cover.end() == len(mapped.text)
            if whole is None or not (is_at_end or whole.end() == mapped.host(cover.end())):
                return cover[0]
            names = _NAME.findall(whole[0].upper() if language == "cmd" else whole[0])
            if language == "terraform":
                names = names[1::2]  # `var.NAME`, which nothing sets
            elif any(map(script.sets, names)):
                return cover[0]
            return "".join(map("${{{}}}".format, names))

        found = mapped.sub(_COVER, written)
        return replace(inner, text=found.text, segments=stored(found.segments))

    return tuple(map(shown, embedded))


def steps_with_names(steps: Iterable[Step], play: Play) -> Iterator[Step]:
    """Yield the steps of a document likewise; the model of one is None unless a tool names it."""
    for step in steps:
        if step.model is not None and PLACEHOLDER in step.model:
            model = _named(step.model, play)
            yield replace(step, model=model if model.startswith(("{{", "${")) else None)
        else:
            yield step


def _named(model: str, play: Play) -> str:
    """The variable that names a queue manager, otherwise the model with its template.

    A variable that changes names another queue manager in each command.
    """
    name = _COVERED.sub(partial(_template, play.text), model)
    if _SOLE.match(model) is None:
        return name
    place, lookups = _COVERED.search(model), lookups_in(play.text)
    if place is not None and lookups is not None:
        looked_up = lookups.variables_at(int(place[1]), int(place[2]))
        if len(looked_up) == 1:
            return f"${{{looked_up[0]}}}"
    whole = _OF_CALLER.search(name) or (_OF_ITEM.search(name) if play.looped else None)
    of_play = _OF_PLAY.search(name) if whole is None else None
    if of_play is not None:
        return of_play[1] if play.keeps(of_play[2]) else model
    return whole[1] if whole is not None else name


def _plain_path(text: str) -> str:
    return text.replace("\\", "/").replace('"', "").rstrip("/")


def _template(text: str, place: re.Match[str]) -> str:
    return "".join(text[int(place[1]) : int(place[2])].split())


class Targets:
    """The queue managers that a script names by variables.

    `text` is that of the script. With `is_file` it is the whole file, so that offsets of the file
    are those of the text.
    """

    def __init__(self, text: str, *, is_file: bool) -> None:
        self._text = text
        self._is_file = is_file
        self._found: dict[str, list[int]] = {}
        self._calls: dict[str, int | None] = {}

    def model(
        self,
        at: int,
        words: Iterable[Word],
        *,
        remote: bool = False,
        called_at: int | None = None,
    ) -> str:
        """Return the same text for commands that name the same queue manager by the same words.

        `at` is the offset of the command, `called_at` that of the call of its function in the file,
        and `words` name the queue manager. Two texts are equal only if no variable in the words
        changes between the commands. For a `remote` command the words before it count too.
        """
        texts = [self._text[word.start : word.end].strip("\"'") for word in words]
        if remote:
            texts.insert(0, self._before(at))
        return self._model(" ".join(texts), at, called_at)

    def folder_model(self, at: int, word: Word, depth: int, *, called_at: int | None = None) -> str:
        """Return the model of the queue manager whose folder is in a path; blank if it is unknown.

        `depth` is the number of parts of the path after the folder. The path may begin with a
        variable that the script sets once: `DATA=/var/mqm/qmgrs/$QM`.
        """
        written, place = _plain_path(self._text[word.start : word.end]), at
        begin = _VARIABLE.match(written)
        set_at = self._assigned.get(begin[1].lower(), []) if begin is not None else []
        held = _HELD.match(self._text, set_at[0]) if len(set_at) == 1 else None
        if begin is not None and held is not None:
            rest = written[begin.end() :].removeprefix("}")
            written, place, called_at = _plain_path(held[1]) + rest, set_at[0], None
        parts = written.split("/")
        folder = parts[-1 - depth] if depth < len(parts) else ""
        return self._model(folder, place, called_at) if _ALONE.fullmatch(folder) else ""

    def _model(self, written: str, at: int, called_at: int | None) -> str:
        written = _BRACED.sub(r"$\1", written)
        changes = (
            f"{variable}{bisect(self._changes(variable), self._place(variable, at, called_at))}"
            for variable in sorted(set(_VARIABLE.findall(written)))
        )
        return f"{written}|{','.join(changes)}"

    def sets(self, variable: str) -> bool:
        """Whether the script sets a variable, in letters of any case.

        One that it sets to what its caller says, in branches for sites, or only to what a loop
        reads from a table, counts as not set.
        """
        places = self._assigned.get(variable.lower(), ())
        if not places or variable in self.parameters or variable in set_by_site(self._text):
            return False
        return len(places) > 1 or variable not in set_by_table(self._text)

    @cached_property
    def parameters(self) -> Mapping[str, int]:
        """The variables that only get a numbered parameter of the script, each with the number."""
        if _MOVES.search(self._text) is not None:
            return {}
        of_shell = (
            (found[1], found[2] or found[3])
            for found in _PARAMETER.finditer(self._text)
            if self._function(found.start()) is None
        )
        of_cmd = ((found[2].upper(), found[4]) for found in _PARAMETER_OF_CMD.finditer(self._text))
        return {
            name: int(number)
            for name, number in (*of_shell, *of_cmd)
            if len(self._assigned[name.lower()]) == 1
        }

    def is_same_in_calls(self, words: Iterable[Word]) -> bool:
        """Whether words name the same queue manager in each call of the function around them.

        They do if all their variables are the script's.
        """
        return self._is_file and not any(
            self._is_local(variable, word.start)
            for word in words
            for variable in _VARIABLE.findall(self._text, word.start, word.end)
        )

    def is_of_first_call(self, model: str, called_at: int | None) -> bool:
        """Whether a command is not of a further call of a function: parameters may differ then."""
        return self._calls.setdefault(model, called_at) == called_at

    def _place(self, variable: str, at: int, called_at: int | None) -> int:
        """The offset at which a variable gets its value: a function takes those of its caller."""
        if called_at is None or not self._is_file or self._is_local(variable, at):
            return at
        return called_at

    def _before(self, at: int) -> str:
        start = max(self._text.rfind(sign, 0, at) for sign in "\n|;&(")
        return self._text[start + 1 : at].strip()

    def _is_local(self, variable: str, at: int) -> bool:
        """Whether the function at an offset gives a variable its value."""
        if is_digits(variable):
            return True
        function = self._function(at)
        own = self._assigned.get(variable.lower(), ())
        return function is not None and bisect(own, function[1][0]) < bisect(own, function[1][1])

    def _changes(self, variable: str) -> Sequence[int]:
        """The offsets at which a variable may get another value.

        These are assignments, calls of functions that have one, and texts that are read.
        """
        if is_digits(variable):
            return self._parameters
        variable = variable.lower()
        found = self._found.get(variable)
        if found is None:
            own = self._assigned.get(variable, [])
            functions = filter(None, map(self._function, own))
            calls = {at for name, _ in functions for at in self._mentions[name]}
            found = self._found[variable] = sorted({*own, *calls, *self._reads})
        return found

    def _function(self, at: int) -> tuple[str, Span] | None:
        """The function around an offset, None if there is none."""
        number = bisect(self._functions, at, key=lambda function: function[1][0]) - 1
        found = self._functions[number] if number >= 0 else None
        return found if found is not None and at < found[1][1] else None

    @cached_property
    def _assigned(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for change in _CHANGE.finditer(self._text):
            start = change.start()
            if change[2] and _IN_PROSE.search(self._text[max(0, start - _NEAR) : start]):
                continue
            names = [change[1]] if change[1] else _NAME.findall(change[2].partition(" in ")[0])
            for name in names:
                found.setdefault(name.lower(), []).append(start)
        return found

    @cached_property
    def _functions(self) -> list[tuple[str, Span]]:
        return [*functions_in(self._text)]

    @cached_property
    def _mentions(self) -> dict[str, list[int]]:
        """The places at which the name of each function is: its calls are among them."""
        found: dict[str, list[int]] = {name: [] for name, _ in self._functions}
        for word in _WORD.finditer(self._text) if found else ():
            if word[0] in found:
                found[word[0]].append(word.start())
        return found

    @cached_property
    def _reads(self) -> list[int]:
        return [change.start() for change in _READS.finditer(self._text)]

    @cached_property
    def _parameters(self) -> list[int]:
        return [change.start() for change in _PARAMETERS.finditer(self._text)]
