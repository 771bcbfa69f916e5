"""Files of CI, of Ansible, Salt and cloud-init: scripts, tasks of Ansible, MQSC and requests.

ConfigMaps hold scripts too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property

from mqlint.dataclass import mutable
from mqlint.finding import Diagnostic
from mqlint.language.declaration import Declared, NamedFile
from mqlint.language.embedding import reported_in
from mqlint.language.rest import AS_OBJECT
from mqlint.language.script.calls.wrappers import SHELLS
from mqlint.language.script.command import base_name
from mqlint.language.script.faults.expansion import expansion_fault
from mqlint.language.script.faults.permissions import permission_faults
from mqlint.language.script.faults.variables import (
    SHORTEST_NAME,
    VariableNames,
    shows_all_for_later_steps,
    variables_for_later_steps,
)
from mqlint.language.script.hosts.ansible import (
    argument_lists,
    command_faults,
    containers,
    copied_mqsc,
    handler_faults,
    ignored_failures,
    line,
    module_scripts,
    places_of_others,
    serial_faults,
    state_faults,
    text_of_word,
)
from mqlint.language.script.hosts.ansible_files import file_commands, files_sent, stanza_texts
from mqlint.language.script.hosts.ansible_loops import (
    LOOPS,
    Element,
    elements_of,
    in_turn,
    variables_of,
)
from mqlint.language.script.hosts.crontab import schedule_faults
from mqlint.language.script.hosts.host import Block, Host, covered
from mqlint.language.script.hosts.keys import (
    FILE_MODULE,
    MAY_DO_ANYTHING,
    MODULE,
    SCRIPT_KEYS,
    STARTS,
)
from mqlint.language.script.hosts.salt import state_commands, state_mqsc
from mqlint.language.script.hosts.signs import STATE
from mqlint.language.script.step import Embedded
from mqlint.language.text.mapped import MappedText, joined, mapped_slice
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.language.variables.ansible_hosts import written_variables
from mqlint.language.variables.given import GivenVariables
from mqlint.language.variables.signs import LOOPED_INCLUDE, PLAY, SETS_FACTS, gives_values
from mqlint.language.yaml.embedded_mqsc import CONDITIONS, folded_mqsc, mqsc_in
from mqlint.language.yaml.fault import broken_yaml
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.scalar import BLOCKS
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.source.budget import Budget

_OF_PROJECT = later(r"(?m)^[ \t]*(?:-[ \t]+)?(?:(?:before_|after_)?script|bash|task|pool)[ \t]*:")
"""A pipeline of GitLab or Azure, for which a project may set variables."""
_STDIN = later(r"(?m)^[ ]*+(stdin:[^\n]{0,200}?\{\{)")
"""The input of a task of Ansible that a template makes."""
MATRIX = later(r"(?m)^[ \t]+matrix:")
"""A job that runs once for each of several values, which may be sites."""


class Pipeline(Host):
    def given_names(self) -> Collection[str]:
        return self.given.names

    def sets_all_variables(self) -> bool:
        if "runs-on:" in self.text:
            return shows_all_for_later_steps(self.text)
        return _OF_PROJECT.search(self.text) is None

    def joins(self) -> bool:
        if "mqsc" in self.text and MATRIX.search(self.text) is not None:
            return True
        signs = (PLAY, LOOPED_INCLUDE, SETS_FACTS)
        return gives_values(self.text) or any(sign.search(self.text) for sign in signs)

    @cached_property
    def documents(self) -> Sequence[Node]:
        """The trees of the file, parsed once for all that ask for them."""
        return read_documents(self.text, self.budget)

    @cached_property
    def has_file_modules(self) -> bool:
        return FILE_MODULE.search(self.text) is not None

    @cached_property
    def has_states(self) -> bool:
        return STATE.search(self.text) is not None

    @cached_property
    def file_tasks(self) -> Sequence[Block]:
        """The tasks that change files, mount file systems or close a network, as commands."""
        return [*file_commands(self.documents)] if self.has_file_modules else ()

    @cached_property
    def containers(self) -> tuple[Sequence[Declared], Sequence[Diagnostic]]:
        """The queue managers of containers that tasks start, and faults of their settings."""
        if STARTS.search(self.text) is None:
            return (), ()
        return containers(self.documents)

    @cached_property
    def given(self) -> GivenVariables:
        """The variables of its jobs."""
        if not gives_values(self.text):
            return GivenVariables(())
        from mqlint.language.variables.job import settled  # few files have variables
        from mqlint.language.variables.yaml_jobs import jobs_of_documents

        return GivenVariables(settled(jobs_of_documents(self.documents, self.text)))

    def misspelt_variables(self) -> Iterator[Diagnostic]:
        """Yield variables of `env` that no job sets, and that are typos of one that a job sets."""
        given = self.given.names
        if not given or not self.sets_all_variables():
            return
        names = VariableNames(given | variables_for_later_steps(self.text), SHORTEST_NAME)
        for found in _OF_ENV.finditer(self.text):
            meant = "" if found[1] in names.names else names.meant_by(found[1])
            if meant:
                fault = f"the file does not set this variable, but sets {meant}"
                yield expansion_fault(found.start(), found[0], fault)

    def blocks(self) -> list[Block]:
        blocks = _scripts(self.text, self.documents, self.given, self.budget)
        has_modules, has_lists = MODULE.search(self.text) is not None, "argv:" in self.text
        if not (has_modules or has_lists or self.has_file_modules or self.has_states):
            return blocks
        if self.has_states:
            blocks += state_commands(self.documents)
        if has_modules:
            blocks += module_scripts(self.documents, self.budget)
        blocks += self.file_tasks
        if has_lists:
            blocks += argument_lists(self.documents)
        return sorted(blocks, key=lambda block: block.source.host(0))

    def awaited(self) -> Iterator[tuple[str, int]]:
        if "runmqsc" in self.text:
            for found in _STDIN.finditer(self.text):
                yield "", found.start(1)

    def unseen(self) -> Iterator[int]:
        if MAY_DO_ANYTHING.search(self.text) is not None:
            yield from places_of_others(self.documents)

    def embedded(self) -> Iterator[Embedded]:
        if self.has_states:
            yield from state_mqsc(self.documents)
        elif "zos_operator" in self.text or "mqs" in self.text.lower():
            for document in self.documents:
                yield from mqsc_in(document)
        if "ini" in self.text and self.has_file_modules:
            yield from stanza_texts(self.documents)
        if AS_OBJECT in self.text:
            yield Embedded.of("rest", mapped_slice(self.text), None, maybe=False, spelling="yaml")

    def declared(self) -> Sequence[Declared]:
        return self.containers[0]

    def fed(self) -> Iterator[tuple[str, str]]:
        for found in copied_mqsc(self.documents) if "mqsc_local" in self.text else ():
            if found.queue_manager:
                yield found.name, found.queue_manager

    def files(self) -> Iterator[NamedFile]:
        for found in copied_mqsc(self.documents) if "mqsc_local" in self.text else ():
            yield NamedFile(found.name, found.span)
        if self.has_file_modules:
            yield from files_sent(self.documents)

    def faults(self) -> Iterator[Diagnostic]:
        yield from super().faults()
        yield from self.misspelt_variables()
        yield from broken_yaml(self.text)
        if "mqs" in self.text.lower() and _FOLDED.search(self.text) is not None:
            for document in self.documents:
                yield from folded_mqsc(document)
        if "command:" in self.text:
            yield from command_faults(self.text)
        if "qmname" in self.text:
            yield from state_faults(self.documents)
        if "hosts:" in self.text and ("endmqm" in self.text or "rdqmadm" in self.text):
            yield from serial_faults(self.documents)
        if "notify:" in self.text and "handlers:" in self.text:
            yield from handler_faults(self.documents)
        if "schedule" in self.text or "cron" in self.text:
            yield from schedule_faults(self.text)
        if _HIDES.search(self.text) is not None:
            yield from ignored_failures(self.text, self.documents)
        for block in self.file_tasks:
            for fault in permission_faults(block.source.text):
                yield reported_in(fault, block.source)
        yield from self.containers[1]


# -- scripts ---------------------------------------------------------------------------------------


_FOLDED = later(r"(?m):[ ]*+>[-+]?[ ]*+\r?$")
"""A text of which YAML joins the lines."""
_HIDES = later(
    r"(?mi)^[ \t]*(?:- +)?(?:ignore_errors|failed_when|continue-on-error|continueOnError"
    r"|allow_failure)[ \t]*:[ \t]*(?:true|yes|on|false|no|off)\b"
)
"""Keys of Ansible and of pipelines by which a failure may not count."""
_SCRIPTS = frozenset({*SCRIPT_KEYS, "args", "cmd"})
_LANGUAGES = {
    **dict.fromkeys(("powershell", "pwsh", "win_shell"), "powershell"),
    "win_command": "cmd",
    "bash": "shell",
}
"""The languages of keys of Azure and Ansible, less their namespace."""
_OTHER = "other"
_SHELLS = {
    **dict.fromkeys(("powershell", "pwsh"), "powershell"),
    "cmd": "cmd",
    **dict.fromkeys(("python", "python3", "perl", "node", "ruby"), _OTHER),
}
"""The languages of what a step of GitHub may name as its shell; programs are not read."""
_ALL_SHELLS = {**_SHELLS, "bash": "shell", "sh": "shell"}
_TASKS = {
    **dict.fromkeys(("powershell", "azurepowershell"), "powershell"),
    "bash": "shell",
    "batchscript": "cmd",
}
"""The languages of tasks of Azure, whose input `script` is in no other."""
_TYPES = {**dict.fromkeys(("ps", "pscore"), "powershell"), "bash": "shell", "batch": "cmd"}
"""The languages that the input `scriptType` of AzureCLI chooses."""
_AGENTS = {"runs-on": "powershell", "pool": "cmd", "tags": "powershell"}
"""Keys that choose the host of a job of GitHub, Azure or GitLab, and its shell on Windows."""
_WINDOWS = later(r"(?i)(?<![a-z])win(?:dows)?(?![a-z])")
_PROGRAM_ACTIONS = frozenset({"actions/github-script"})
"""Actions of GitHub whose script is a program."""
_CHOOSES_ELEMENT = later(r"item\.\w{1,80} *== *[a-z_]\w{0,80}|[a-z_]\w{0,80} *== *item\.\w{1,80}")
"""A condition that chooses the elements of a loop that are for a site or a host."""
_PLAIN = frozenset({"command", "raw", "cmd", "win_command"})
"""Keys of Ansible whose text no shell reads, or one on another host."""
_ALONE = frozenset({"run", "script", "shell"})
"""Keys of which each value has a shell of its own."""
_ONE_SHELL = frozenset({"script", "before_script"})
"""Keys of GitLab and Travis whose list one shell reads."""
_AFTER = frozenset({"rescue", "handlers"})
"""Keys of Ansible below which scripts run after a failure or a change."""
_CONDITIONS = CONDITIONS.union("if unless only except rules retries condition".split()) - _AFTER
"""Keys beside a script by which it may not run."""
_ALWAYS = later(r"(?:\$\{\{ *)?(?:always|success|succeeded|succeededOrFailed)\(\)(?: *\}\})?")
"""A condition under which a step runs after all steps before it."""
_LOOPS = frozenset(LOOPS)
_PLACES = frozenset({"hosts", "runs-on", "stage"})
"""Keys that choose a place or time for all that follows, so that the order is not known."""
_SHEBANG = later(r"[ \t]*+#![^\n]{1,80}sh\b")
_ANCHOR = later(r"&([^\s,\[\]{}]{1,60})[ \t]*(?:\r?\n[ \t-]*)?$")
_REFERENCE = later(r"!reference[ \t]*$")
"""The tag by which a job of GitLab has the script of another, which is read where it is."""
_UNENDED = frozenset("[{*")
"""How a list with an error begins, or an alias without an anchor: neither is a script."""
_PROGRAM = later(r"[\w./@+-]{1,200}")
_EXPANDED = later(r"\$(?:\(\w{1,80}\)|\{[^{}\n]{1,120}\}|\w{1,80})")
"""A variable that Kubernetes or Compose replaces, in a command that no shell reads."""
_OF_ENV = later(r"\$\{\{ *env\.([\w-]{1,100}) *\}\}")
_PUT_IN = later(
    r"\$\{\{ *(?:env|variables|parameters|inputs|matrix)\.([\w-]{1,100}) *\}\}"
    r"|\$\(([\w.-]{1,100})\)"
)
"""What GitHub or Azure replaces by the value of a variable before a script runs."""
_OF_PLAY = later(r"\{\{ *([A-Za-z_]\w{0,100}) *\}\}")
_SETS = later(
    r"(?m)(?:^[ \t-]*|[{,][ \t]*)([A-Za-z_]\w{0,100})[ \t]*:"
    r"|\b(?:register|loop_var|index_var|name)[ \t]*:[ \t]*([A-Za-z_]\w{0,100})[ \t]*$"
    r"|(?<![\w.])([A-Za-z_]\w{0,100})=(?!=)"
)
"""A key, which may set a variable, or a variable that a task names to set it."""
_OPEN_VARIABLES = frozenset({"vars_files", "vars_prompt"})
_WORDS = ("command", "args")
"""Keys of a container with the words of one command."""
_READS_NEXT = later(r"-[a-zA-Z]{0,10}c")
"""The option of a shell after which its script comes."""
_FREE = later(r"[ \t](?:chdir|creates|removes|executable)=\S*")


@mutable
class _Reader:
    """One pass over the documents of a file, in the order of their text.

    `anchors` are the lists with an anchor, `taken` the places of the scripts that are read.
    `schedule` is that of the CronJob of Kubernetes at the place. `is_looped`: a loop over a list is
    the only reason why a script there may not run. `is_listed`: it is one of a list, of which one
    shell may read all. `elements` are those of the loop over the place,
    `variables` those that loops may name. `is_without_shell`: a workflow of GitHub names no shell,
    so the runner gives the option -e to bash, without pipefail. `play` are the variables that a
    play of Ansible sets, and nothing else in the file.
    """

    text: str
    anchors: Mapping[str, Node]
    given: GivenVariables
    variables: Mapping[str, Node]
    budget: Budget
    elements: Sequence[Element] = ()
    blocks: list[Block] = field(default_factory=list)
    taken: set[int] = field(default_factory=set)
    border: int = -1
    place: str = ""
    schedule: str | None = None
    is_looped: bool = False
    is_listed: bool = False
    is_without_shell: bool = False
    play: Mapping[str, str] = field(default_factory=dict)

    def mapping(self, node: Node, module: str, language: str, *, maybe: bool, top: bool) -> None:
        """Read what is below the keys of a mapping, which is the value of the key `module`."""
        conditions = _CONDITIONS.intersection(node.pairs.names())
        if _CHOOSES_ELEMENT.fullmatch(node.word("when")) is not None:
            conditions -= {"when"}
        certain = (key for key in ("if", "condition") if _ALWAYS.fullmatch(node.word(key)))
        conditions -= {*certain}
        outer, elements, play = self.is_looped, self.elements, self.play
        if "hosts" in node.pairs.names():
            self.play = _variables_of_play(node, self.text)
        if not conditions.isdisjoint(_LOOPS):
            self.elements = elements_of(node, self.variables)
        self.is_looped = conditions <= _LOOPS and (outer if maybe else bool(conditions))
        maybe = maybe or bool(conditions)
        shell = node.word("shell") or node.word("defaults", "run", "shell")
        language = _ALL_SHELLS.get(shell.partition(" ")[0], _default_language(node, language))
        if node.word("uses").partition("@")[0] in _PROGRAM_ACTIONS:
            language = _OTHER
        arguments = _arguments(node)
        has_words = bool(arguments)
        for key, span, value in node.pairs:
            if top or key in _PLACES:
                self.place_at(key, span[0], value)
            is_shell = key == "shell" and value.text.partition(" ")[0] in _SHELLS
            doubtful = maybe or key in _AFTER
            if has_words and key in _WORDS and value.items:
                self.arguments(arguments, language, maybe=doubtful)
                arguments = []  # of two keys of one name, in branches of a template, the last
            elif not is_shell and (key in _SCRIPTS or self.is_file(key, value)):
                name = (module if key == "cmd" else key).rpartition(".")[2]
                self.value(value, name, _LANGUAGES.get(name, language), maybe=doubtful)
            else:
                self.below(value, key, language, maybe=doubtful)
        self.is_looped, self.elements, self.play = outer, elements, play

    def below(self, node: Node, key: str, language: str, *, maybe: bool, top: bool = False) -> None:
        maybe = maybe or node.maybe
        if node.word("kind") == "CronJob" and self.schedule is None:
            number, self.schedule = len(self.blocks), covered(node.word("spec", "schedule"))
            self.mapping(node, key, language, maybe=maybe, top=top)
            jobs, self.schedule = self.blocks[number:], None
            run = node.start, max((block.source.end for block in jobs), default=node.start)
            for block in jobs:
                block.run = run
        else:
            self.mapping(node, key, language, maybe=maybe, top=top)
        for item in node.items:
            self.below(item, key, language, maybe=maybe)

    def value(self, node: Node, key: str, language: str, *, maybe: bool) -> None:
        """Read the value of a key that has a script, or several in a list."""
        node = self.anchors.get(node.text, node)
        maybe = maybe or node.maybe
        if node.pairs:
            self.mapping(node, key, language, maybe=maybe, top=False)
        elif node.mapped is not None and self.text[node.start] in _UNENDED:
            return
        elif node.mapped is not None:
            self.add(node, node.mapped, key, language, maybe=maybe)
        elif key in _ONE_SHELL and self.are_lines(node.items):
            lines = [item.mapped for item in node.items if item.mapped is not None]
            self.add(node, joined(lines, "\n"), key, language, maybe=maybe)
        elif node.items and node.start not in self.taken and not self.is_reference(node):
            self.taken.add(node.start)
            outer, self.is_listed = self.is_listed, True
            for item in _less_shell(node.items):
                if _are_words(item.items) and " " not in covered(item.items[0].text):
                    self.add(item, _command(item.items), "command", language, maybe=maybe)
                else:
                    self.value(item, key, language, maybe=maybe)
            self.is_listed = outer

    def are_lines(self, items: Sequence[Node]) -> bool:
        """Whether the items of a list are surely the lines of one script."""
        return _are_words(items) and not any(
            item.maybe or item.text in self.anchors or self.text[item.start] in _UNENDED
            for item in items
        )

    def arguments(self, lists: list[Node], language: str, *, maybe: bool) -> None:
        """Read the words of one command that no shell reads, unless a template adds others."""
        words = [word for found in lists for word in found.items]
        if words and not any(found.open for found in lists):
            written = _command(words)
            hidden = _EXPANDED.sub(lambda found: PLACEHOLDER * len(found[0]), written.text)
            source = MappedText(hidden, written.segments, written.end)
            self.add(words[0], source, "command", language, maybe=maybe)
        self.taken.update(word.start for word in words)

    def add(self, node: Node, written: MappedText, key: str, language: str, *, maybe: bool) -> None:
        """Add a script, unless it is read already."""
        if node.start in self.taken:
            return
        self.taken.add(node.start)
        given = self.given.at(node.start)
        if given.values:
            values = given.values
            written = written.sub(_PUT_IN, lambda found: values.get(found[1] or found[2], found[0]))
        if self.play:
            play = self.play
            written = written.sub(_OF_PLAY, lambda found: play.get(found[1], found[0]))
        turns = [in_turn(written, element) for element in self.elements]
        if not turns or not self.budget.spend(sum(len(turn.text) for turn in turns), len(turns)):
            turns = [written]
        for turn in turns if language != _OTHER else ():
            text = _FREE.sub(lambda found: " " * len(found[0]), covered(turn.text))
            source = MappedText(text, turn.segments, turn.end)
            block = Block(source, maybe, self.border, key in _PLAIN, language, self.schedule)
            block.is_looped, block.given = self.is_looped and not node.maybe, given
            block.is_alone = key in _ALONE and not self.is_listed
            block.ends_on_fault = key == "run" and self.is_without_shell
            block.may_end_on_fault = key == "run" or key in _ONE_SHELL
            self.blocks.append(block)
            self.border = -1

    def is_reference(self, node: Node) -> bool:
        return _REFERENCE.search(self.text, max(node.start - 20, 0), node.start) is not None

    def is_file(self, key: str, value: Node) -> bool:
        """Whether a value is the file of a script, as a ConfigMap holds it from a line on."""
        if value.kind != "scalar" or self.text[value.start] not in BLOCKS:
            return False
        return key.endswith((".sh", ".bash", ".ksh")) or _SHEBANG.match(value.text) is not None

    def place_at(self, key: str, start: int, value: Node) -> None:
        """Add a border where another host, or another job of GitLab, may begin.

        Plays for the same hosts continue the one before.
        """
        place = f"{key} {value.text}"
        if self.blocks and (place != self.place or key == "runs-on"):
            self.border = start
        self.place = place


def _variables_of_play(play: Node, text: str) -> dict[str, str]:
    """Return the texts of variables that a play alone sets, and that nothing overrides.

    Source: "Variable precedence" of Ansible: play vars override those of inventories and defaults.
    """
    variables = play.child("vars")
    if (
        variables is None
        or "include_vars" in text
        or not _OPEN_VARIABLES.isdisjoint(play.pairs.names())
    ):
        return {}
    times = Counter(found[1] or found[2] or found[3] for found in _SETS.finditer(text))
    written = written_variables([variables])
    return {name: value for name, value in written if value is not None and times[name] <= 1}


def _default_language(node: Node, language: str) -> str:
    """Return the language of scripts in a job, or in a step that names none.

    Sources: "Workflow syntax for GitHub Actions" (`shell`), "steps.script" of Azure Pipelines,
    "Types of shells supported by GitLab Runner". Tags of Ansible do not choose a host.
    """
    language = _TASKS.get(node.word("task").lower().partition("@")[0], language)
    language = _TYPES.get(node.word("scriptType"), language)
    for key, chosen in _AGENTS.items():
        agent = node.child(key)
        if agent is None or (key == "tags" and node.child("script") is None):
            continue
        if any(_WINDOWS.search(name.text) is not None for name in agent.walk()):
            return chosen
    return language


def _arguments(node: Node) -> list[Node]:
    """Return the lists of words of the command of a container, if no shell reads them.

    Lists of lines, whose first line is more than a program, are scripts.
    """
    lists = [child for key in _WORDS if (child := node.child(key)) is not None and child.items]
    words = [word for child in lists for word in child.items]
    if not _are_words(words) or _PROGRAM.fullmatch(words[0].text) is None:
        return []
    return [] if any(base_name(word.text) in SHELLS for word in words) else lists


def _less_shell(items: Sequence[Node]) -> Sequence[Node]:
    """Return the script of `[sh, -c, SCRIPT, WORD...]`; none of `[sh, -c]`, which `args` continues.

    Items of other lists are scripts or lines.
    """
    if not _are_words(items) or base_name(items[0].text) not in SHELLS:
        return items
    options = (at for at, word in enumerate(items) if _READS_NEXT.fullmatch(word.text))
    at = next(options, None)
    return items if at is None else items[at + 1 : at + 2]


def _are_words(nodes: Sequence[Node]) -> bool:
    return bool(nodes) and all(node.mapped is not None for node in nodes)


def _command(words: Sequence[Node]) -> MappedText:
    """Return a command of some words, with those that the file has earlier mapped to its first."""
    last = -1
    pairs: list[tuple[str, Node | None]] = []
    for word in words:
        is_later = word.start > last
        pairs.append(("", word) if is_later else (f"'{text_of_word(word)}'", None))
        last = max(last, word.start)
    return line(words[0].end, pairs)


def _anchored(text: str, documents: Sequence[Node]) -> dict[str, Node]:
    """Return the collections with an anchor, each by the text of its alias."""
    found: dict[str, Node] = {}
    if "&" not in text:
        return found
    for document in documents:
        for node in document.walk():
            for _, (_, after), value in node.pairs:
                anchor = _ANCHOR.search(text, after, value.start) if value.items else None
                if anchor is not None:
                    found[f"*{anchor[1]}"] = value
    return found


def _scripts(
    text: str, documents: Sequence[Node], given: GivenVariables, budget: Budget
) -> list[Block]:
    """Return the scripts of a file, in the order of their text; for any text."""
    has_loops = any(f"{key}:" in text for key in LOOPS)
    variables = variables_of(documents) if has_loops else {}
    reader = _Reader(text, _anchored(text, documents), given, variables, budget)
    reader.is_without_shell = "runs-on:" in text and "shell:" not in text
    for document in documents:
        reader.below(document, "", "shell", maybe=False, top=True)
    return sorted(reader.blocks, key=lambda block: block.source.host(0))
