"""From text to a reading: the stages that need one document and nothing else.

A language that a run does not meet is not loaded: its modules are imported where it is read.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from mqlint.config.settings import Templates
from mqlint.engine.hint import hinted, hinted_by_manifests
from mqlint.engine.reading import Part, Reading, Reported
from mqlint.engine.secrets import Secrets
from mqlint.finding import Diagnostic
from mqlint.finding.suppression import SIGN
from mqlint.language.mqsc import Command, Dialect, Parser, Script
from mqlint.language.mqsc.limits import Counts
from mqlint.language.mqsc.lines import Segments, stretch
from mqlint.language.mqsc.secrets import secrets_in
from mqlint.language.mqsc.session.transcript import begins_as_transcript
from mqlint.source.budget import Budget
from mqlint.source.lines import LineMap
from mqlint.source.masking import masked
from mqlint.source.secrets import secret_spans
from mqlint.validity import Validity
from mqlint.vocabulary import Target, Vocabulary

if TYPE_CHECKING:
    from mqlint.language.script.step import Embedded, ShellScript, Step


_NO_MORE_TEMPLATES = Templates()
HOSTS = ("systemd", "docker", "jenkins", "terraform", "pipeline")
"""The languages whose files hold scripts."""
_WITHOUT_VARIABLES = frozenset(
    {
        *("mqsc", "ini", "jcl", "zparm", "cl", "ccdt", "captured", "drbd", "cmd", "manifest"),
        *("client-properties", "client-yaml"),
    }
)
"""The languages in which `$name` is an ordinary text."""
_TURNS = 4
"""How often a document is read at most: what is found then is masked, and read no more."""
CONFLICT = "<<<<<<<"
"""Stands in every text of which a merge left two versions."""


class Analyser:
    """Reads documents of any language the tool knows; keeps what it learns for the next one."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        """Judge words by `vocabulary`."""
        self.vocabulary = vocabulary
        self.parser = Parser(vocabulary)
        self._dialect = Dialect()
        self._secrets = Secrets("")
        self._budget = Budget(0)
        self._validity: dict[Target, Validity] = {}
        self._readers: Mapping[str, Callable[[str, Reading, Target], None]] = {
            "mqsc": self._read_mqsc,
            "shell": self._read_shell,
            "cmd": self._read_cmd,
            "powershell": self._read_powershell,
            "crontab": self._read_crontab,
            **dict.fromkeys(HOSTS, self._read_host),
            "captured": self._read_captured,
            "drbd": self._read_drbd,
            "jcl": self._read_jcl,
            "zparm": self._read_macros,
            "cl": self._read_cl,
            "manifest": self._read_manifest,
            "ccdt": self._read_ccdt,
            **dict.fromkeys(("client-properties", "client-yaml"), self._read_settings),
        }

    @property
    def languages(self) -> frozenset[str]:
        """The languages of documents that can be read."""
        return frozenset({"ini", *self._readers})

    def analyse(
        self,
        text: str,
        language: str,
        target: Target,
        path: str = "",
        templates: Templates = _NO_MORE_TEMPLATES,
    ) -> Reading:
        """Return what `text` says in `language`, judged word by word for `target`.

        `path` only tells the kinds of ini file apart; `templates` are forms to be taken for
        templates besides those that can be nothing else. Nothing in the reading was taken from a
        text that still held a secret that was found: where a reader finds one, it reads again.
        """
        scripts, settings = language != "mqsc", language in ("ini", "client-properties", "crontab")
        variables = language not in _WITHOUT_VARIABLES
        text = masked(
            text, secret_spans(text, scripts=scripts, settings=settings), variables=variables
        )
        for _ in range(_TURNS):
            secrets = Secrets(text)
            reading = self._analyse(text, language, target, path, templates, secrets)
            hidden = masked(text, secrets.spans(), variables=variables)
            if hidden == text:
                break
            text = hidden
        reading.text = masked(text, secrets.encoded())
        return reading

    def _analyse(
        self,
        text: str,
        language: str,
        target: Target,
        path: str,
        templates: Templates,
        secrets: Secrets,
    ) -> Reading:
        self._secrets = secrets
        self._dialect = Dialect(
            target.platform == "zos", templates.percent, templates.double_underscore
        )
        self._budget = Budget(len(text))
        reading = Reading(language, LineMap.of(text))
        if CONFLICT in text:
            from mqlint.language.text.merge import without_conflicts

            text, conflicts = without_conflicts(text)
            reading.reported.extend(map(Reported, conflicts))
        if language == "ini":
            self._read_ini(text, reading, target, path)
        else:
            self._readers[language](text, reading, target)
        reading.limits = self._budget.notes
        reading.reported.extend(Reported(_limited(text, note)) for note in reading.limits)
        return reading

    def _read_mqsc(self, text: str, reading: Reading, target: Target) -> None:
        script = self.parser.parse(text, self._dialect)
        self._secrets.add(secrets_in(script, text, self.vocabulary))
        part = Part(script.commands, script.session, header=script.header)
        if script.header is not None:
            part.queue_manager = script.header.queue_manager
        target = hinted(target, script.header, script.commands)
        self._add(script, part, reading, target)
        _suppress(text, script, part, reading)
        if begins_as_transcript(text):
            from mqlint.engine.record import parts_of

            reading.parts = list(parts_of(script.commands, text, self.parser))

    def _read_shell(self, text: str, reading: Reading, target: Target) -> None:
        from mqlint.language.script.reader import parse_shell

        script = parse_shell(text, self.vocabulary.control, self._budget)
        self._add_shell(text, script, reading, target)

    def _read_cmd(self, text: str, reading: Reading, target: Target) -> None:
        from mqlint.language.script.batch.parser import parse_cmd

        script = parse_cmd(text, self.vocabulary.control, self._budget)
        self._add_shell(text, script, reading, target)

    def _read_powershell(self, text: str, reading: Reading, target: Target) -> None:
        from mqlint.language.script.powershell.parser import parse_powershell

        script = parse_powershell(text, self.vocabulary.control, self._budget)
        self._add_shell(text, script, reading, target)

    def _read_crontab(self, text: str, reading: Reading, target: Target) -> None:
        from mqlint.language.script.hosts.crontab import parse_crontab

        script = parse_crontab(text, self.vocabulary.control, self._budget)
        self._add_shell(text, script, reading, target)

    def _read_host(self, text: str, reading: Reading, target: Target) -> None:
        from mqlint.language.script.hosts.hosted import parse_hosted

        hosted = parse_hosted(text, reading.language, self.vocabulary.control, self._budget)
        self._add_shell(text, hosted, reading, target)

    def _read_captured(self, text: str, reading: Reading, target: Target) -> None:
        from mqlint.language.captured.printed import parse_captured

        captured = parse_captured(text)
        reading.declared, reading.stanzas = captured.declared, captured.stanzas
        _suppress_lines(text, reading)

    def _read_drbd(self, text: str, reading: Reading, target: Target) -> None:
        from mqlint.language.captured.drbd import parse_drbd

        reading.declared = parse_drbd(text)
        _suppress_lines(text, reading)

    def _add_shell(self, text: str, shell: ShellScript, reading: Reading, target: Target) -> None:
        from mqlint.language.ini.parser import secrets_written

        self._secrets.add(shell.secrets)
        self._secrets.add(secrets_written(text, self.vocabulary.ini.secret_keys))
        reading.steps = tuple(shell.steps)
        reading.reported.extend(_of_steps(shell, self.vocabulary, target, reading.language))
        reading.fed = tuple(_fed(shell.steps))
        reading.calls = shell.calls
        for inner in shell.embedded:
            self._add_inner(inner, reading, target)
        _suppress_lines(text, reading, [step.span for step in shell.steps], shell.embedded)

    def _read_jcl(self, text: str, reading: Reading, target: Target) -> None:
        from mqlint.language.jcl.parser import parse_jcl
        from mqlint.language.script.step import ShellScript

        target = replace(target, platform="zos")  # whatever the files around it are for
        jcl = parse_jcl(text, self.vocabulary.zos, self._budget)
        self._dialect = replace(self._dialect, zos=True)
        reading.declared = jcl.declared
        script = ShellScript(jcl.steps, jcl.embedded, jcl.secrets, jcl.calls)
        self._add_shell(text, script, reading, target)

    def _read_macros(self, text: str, reading: Reading, target: Target) -> None:
        from mqlint.language.jcl.parser import parse_macros

        reading.declared = parse_macros(text, self.vocabulary.zos).declared
        _suppress_lines(text, reading)

    def _read_cl(self, text: str, reading: Reading, target: Target) -> None:
        from mqlint.language.cl.parser import parse_cl

        target = replace(target, platform="ibmi")  # whatever the files around it are for
        script = parse_cl(text, self.vocabulary.cl, self.vocabulary.control, self._budget)
        self._add_shell(text, script, reading, target)

    def _read_ini(self, text: str, reading: Reading, target: Target, path: str) -> None:
        from mqlint.language.ini.parser import parse_ini
        from mqlint.validity.ini_files import check_ini, ini_kind

        ini = parse_ini(text, self.vocabulary.ini.secret_keys)
        self._secrets.add(ini.secrets)
        reading.stanzas = ini.stanzas
        kind, known = ini_kind(path, ini), self.vocabulary.ini
        for diagnostic in check_ini(ini, kind, known, target.level):
            reading.reported.append(Reported(diagnostic))
        _suppress_lines(text, reading)

    def _read_manifest(self, text: str, reading: Reading, target: Target) -> None:
        from mqlint.language.kubernetes.manifest import parse_manifest

        manifest = parse_manifest(text, self._budget)
        reading.declared = tuple(manifest.declared)
        for inner in manifest.embedded:
            its = hinted_by_manifests(target, manifest.declared, inner.queue_manager)
            self._add_inner(inner, reading, its)
        _suppress_lines(text, reading, (), manifest.embedded)

    def _add_inner(self, inner: Embedded, reading: Reading, target: Target) -> None:
        """Read a text that stands in another: MQSC, or an ini file."""
        if inner.encoded:
            self._secrets.add_encoded(inner)
            inner = replace(inner, text=self._without_secrets(inner), encoded=False)
        if inner.language == "ini":
            self._add_inner_ini(inner, reading, target)
            return
        script = self.parser.parse(inner.text, self._dialect)
        self._secrets.add_inner(inner, secrets_in(script, inner.text, self.vocabulary))
        part = Part(script.commands, inner.queue_manager, segments=inner.mapping)
        part.maybe = inner.maybe
        self._add(script, part, reading, target)
        _suppress(inner.text, script, part, reading)

    def _without_secrets(self, inner: Embedded) -> str:
        """The text of a document that its host holds in base64, less its secrets."""
        from mqlint.language.ini.parser import parse_ini

        settings = inner.language == "ini"
        text = masked(inner.text, secret_spans(inner.text, settings=settings))
        if settings:
            return masked(text, parse_ini(text, self.vocabulary.ini.secret_keys).secrets)
        script = self.parser.parse(text, self._dialect)
        return masked(text, secrets_in(script, text, self.vocabulary))

    def _add_inner_ini(self, inner: Embedded, reading: Reading, target: Target) -> None:
        """Keep the stanzas of an ini file inside another, where they stand in that."""
        from mqlint.language.ini.parser import hosted, parse_ini
        from mqlint.validity.ini_files import check_ini

        ini = parse_ini(inner.text, self.vocabulary.ini.secret_keys)
        self._secrets.add_inner(inner, ini.secrets)
        reading.stanzas += hosted(ini.stanzas, inner.host, inner.queue_manager)
        for diagnostic in check_ini(ini, "qm.ini", self.vocabulary.ini, target.level):
            moved = _moved(diagnostic, inner.mapping)
            reading.reported.append(Reported(moved, queue_manager=inner.queue_manager))

    def _read_ccdt(self, text: str, reading: Reading, target: Target) -> None:
        from mqlint.language.client.ccdt import parse_ccdt

        table = parse_ccdt(text, self._budget)
        reading.declared = tuple(table.declared)
        reading.reported.extend(
            Reported(diagnostic, "client_channel") for diagnostic in table.diagnostics
        )

    def _read_settings(self, text: str, reading: Reading, target: Target) -> None:
        from mqlint.language.client.settings import parse_properties, parse_spring_yaml

        is_yaml = reading.language == "client-yaml"
        reading.declared = (
            parse_spring_yaml(text, self._budget) if is_yaml else parse_properties(text)
        )
        _suppress_lines(text, reading)

    def _add(self, script: Script, part: Part, reading: Reading, target: Target) -> None:
        """Keep the commands of a script and what is wrong with them."""
        validity = self._validity.get(target)
        if validity is None:
            validity = self._validity[target] = Validity(self.vocabulary, target)
        reading.parts.append(part)
        reading.commands += len(script.commands) + script.broken
        judge = validity.judge
        for diagnostic in script.diagnostics:
            about = _command_at(part.commands, diagnostic.start)
            reading.reported.append(_reported(diagnostic, about, part))
        counts = Counts()
        for command in script.commands:
            found, understood = judge(command)
            for one in found:
                if counts.takes(one.code, one.start, one.end):
                    reading.reported.append(_reported(one, command, part))
            reading.understood += understood
        reading.reported.extend(_reported(one, None, part) for one in counts.rest())


def _limited(text: str, note: str) -> Diagnostic:
    """Say at the first line of a text that not all of it is followed."""
    line = text.partition("\n")[0].rstrip()
    start = len(line) - len(line.lstrip())
    return Diagnostic("beyond-limits", start, max(len(line), start + 1), {"what": note})


def _suppress(text: str, script: Script, part: Part, reading: Reading) -> None:
    """Keep the comments of an MQSC text that suppress findings."""
    if SIGN in text:
        from mqlint.engine.suppress import in_mqsc

        reading.suppressions.extend(in_mqsc(text, script, reading.lines, part.segments))


def _suppress_lines(
    text: str,
    reading: Reading,
    statements: Iterable[tuple[int, int]] = (),
    embedded: Iterable[Embedded] = (),
) -> None:
    """Keep the comments of a text of lines that suppress findings; not those of texts in it."""
    if SIGN in text:
        from mqlint.engine.suppress import in_lines

        spans = [(inner.host(0), inner.end) for inner in embedded]
        reading.suppressions.extend(in_lines(text, reading.lines, statements, spans))


def _fed(steps: Iterable[Step]) -> Iterable[tuple[str, str]]:
    """The files that are fed to queue managers, under all names they may have."""
    for step in steps:
        reads = step.reads.value if step.reads is not None else None
        if step.action == "mqsc" and step.queue_manager and isinstance(reads, str):
            for name in (reads, *step.also):
                yield name, step.queue_manager


def _of_steps(
    script: ShellScript, vocabulary: Vocabulary, target: Target, language: str
) -> Iterable[Reported]:
    """What is wrong with the control commands of a script; those of Windows have no case."""
    from mqlint.validity.control_commands import check_control

    cased = language not in ("cmd", "powershell")
    for step, found in check_control(script, vocabulary.control, target.level, cased=cased):
        if step is None:
            yield Reported(found)
        else:
            yield Reported(found, "step", step.command, step.queue_manager)


def _command_at(commands: list[Command], offset: int) -> Command | None:
    """The command in which a diagnostic of the form stands, if it stands in one."""
    at = bisect_right(commands, offset, key=lambda command: command.start) - 1
    if at < 0:
        return None
    start, end = commands[at].span()
    return commands[at] if start <= offset < end else None


def _reported(diagnostic: Diagnostic, command: Command | None, part: Part) -> Reported:
    """Bind a diagnostic to its object, and move it to the host's offsets."""
    moved = _moved(diagnostic, part.segments)
    if command is None or command.noun is None:
        return Reported(moved, queue_manager=part.queue_manager)
    return Reported(moved, command.noun.lower(), command.name, part.queue_manager)


def _moved(diagnostic: Diagnostic, segments: Segments | None) -> Diagnostic:
    if segments is None:
        return diagnostic
    start, end = stretch(segments, diagnostic.start, diagnostic.end)
    return Diagnostic(diagnostic.code, start, end, diagnostic.data)
