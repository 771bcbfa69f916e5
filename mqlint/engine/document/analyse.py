"""From text to a reading: the stages that need only one document.

The modules of a language are imported for its first document.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from mqlint.config.estate.roles import names_dr
from mqlint.config.globs import Globs, compile_glob
from mqlint.config.settings import Client, Forms, Templates
from mqlint.engine.document.hint import hinted, hinted_by_manifests, levels_of_manifests
from mqlint.engine.document.mqsc_reading import Verdict, add_mqsc, moved, reported_of
from mqlint.engine.document.reading import Part, Reading, Reported
from mqlint.engine.document.script_reading import (
    connections_in,
    fed_files_named,
    files_fed,
    naming_variables,
    step_faults,
    steps_for_each,
)
from mqlint.engine.document.secrets import Secrets
from mqlint.finding import Diagnostic, diagnostic
from mqlint.finding.finding import SIGN
from mqlint.language.base import Context, Language, Parsed
from mqlint.language.mqsc import Command, Dialect, Parser, Script
from mqlint.language.mqsc.lines import stored
from mqlint.language.mqsc.secrets import secrets_in
from mqlint.language.mqsc.session.transcript import begins_as_transcript
from mqlint.language.registry import LANGUAGES, reader_of
from mqlint.source.budget import Budget
from mqlint.source.lines import LineMap, forget_lines
from mqlint.source.masking import masked
from mqlint.source.memo import Memo
from mqlint.source.secrets import in_encoded, secret_spans
from mqlint.validity import Validity
from mqlint.vocabulary import Target, Vocabulary
from mqlint.vocabulary.target import Level

if TYPE_CHECKING:
    from mqlint.engine.loading.reading_cache import ReadingCache
    from mqlint.language.declaration import Declared
    from mqlint.language.ini.parser import IniFile
    from mqlint.language.script.step import Embedded, ShellScript, Step
    from mqlint.language.script.target import Play


Owned = TypeVar("Owned", "Declared", "Part", "Step")
"""What concerns a queue manager: each has its name, or the `model` of one without a name."""

_NO_MORE_TEMPLATES = Templates()
_MOST_READINGS = 4
"""Limit of the readings of one document: secrets that the last one finds are only masked."""
CONFLICT = "<<<<<<<"
"""A mark in every text with an unresolved merge conflict."""


class Analyser:
    """Reads documents of all languages; caches what it learns for the next document."""

    def __init__(self, vocabulary: Vocabulary, cache: ReadingCache | None = None) -> None:
        """Judge words by `vocabulary`; `cache` has readings of earlier commands."""
        self.vocabulary = vocabulary
        self.cache = cache
        self.parser = Parser(vocabulary)
        self._validity: dict[tuple[Target, str], Validity] = {}

    @property
    def languages(self) -> frozenset[str]:
        return frozenset(LANGUAGES)

    def analyse(
        self,
        text: str,
        language: str,
        target: Target,
        path: str = "",
        templates: Templates = _NO_MORE_TEMPLATES,
        *,
        judged: bool = True,
        sourced: Mapping[str, str | None] | None = None,
    ) -> Reading:
        """Return the reading of `text` in `language`, judged word by word for `target`.

        `path` counts in languages `by_name` or `by_path`, and for the clients of settings.
        `templates` are forms of templates that are not certain by themselves. When a reader finds a
        secret, the text is masked and read again, so nothing in the reading comes from a text that
        had a secret that was found.
        `sourced` are the variables of all files that a script sources.
        Without `judged` words are only judged where that decides how the text is read.
        """
        known = LANGUAGES[language]
        scripts, variables = language != "mqsc", known.variables
        spans = secret_spans(text, scripts=scripts, settings=known.settings)
        written, text = text, masked(text, spans, variables=variables)
        if known.platform is not None:  # whatever the files around it are for
            target = replace(target, platform=known.platform)
        dialect = Dialect(target.platform == "zos", templates.percent, templates.double_underscore)
        for _ in range(_MOST_READINGS):
            document = _Analysis(
                self, known, text, target, path, dialect, templates, judged=judged, sourced=sourced
            )
            spans = [*document.secrets.spans(), *document.secrets.unread(in_encoded(text))]
            hidden = masked(text, spans, variables=variables)
            if hidden == text:
                break
            text = hidden
        document.note_hidden(written, text)
        forget_lines()
        document.reading.text = masked(text, document.secrets.encoded())
        document.note_called()
        if document.joins:
            document.reading.resources = document.reading.text
        return document.reading

    def validity(self, target: Target) -> Validity:
        key = target, target.source
        validity = self._validity.get(key)
        if validity is None:
            validity = self._validity[key] = Validity(self.vocabulary, target)
        return validity


class _Analysis:
    """One reading of one document, and the secrets that were found in it."""

    def __init__(
        self,
        analyser: Analyser,
        language: Language,
        text: str,
        target: Target,
        path: str,
        dialect: Dialect,
        templates: Templates,
        *,
        judged: bool,
        sourced: Mapping[str, str | None] | None,
    ) -> None:
        self._analyser = analyser
        self._judged = judged
        self._vocabulary = analyser.vocabulary
        self._language = language
        self._target = target
        self._dialect = dialect
        self.secrets = Secrets(text)
        self.reading = reading = Reading(language.name, LineMap.of(text))
        budget = Budget(len(text))
        if CONFLICT in text:
            from mqlint.language.text.merge import without_conflicts

            text, conflicts = without_conflicts(text)
            reading.reported.extend(map(Reported, conflicts))
        if "\r" in text or not text.isascii():
            from mqlint.language.text.misleading import misleading

            reading.reported.extend(map(Reported, misleading(text, language.name)))
        clients = clients_of(path, templates) if isinstance(templates, Forms) else ()
        context = Context(
            *(
                language.name,
                self._vocabulary,
                budget,
                analyser.parser,
                dialect,
                clients,
                path,
                sourced,
            )
        )
        self.joins = False
        self._has_script = False
        self._begun: set[int] = set()
        self._add(text, reader_of(language.name)(text, context), path)
        reading.reported[:] = _once(reading.reported)
        reading.steps = tuple(_admitted(steps_for_each(reading.steps, budget), budget))
        reading.declared = tuple(_admitted(reading.declared, budget))
        reading.parts[:] = _admitted(reading.parts, budget)
        reading.limits = budget.notes
        reading.reported.extend(Reported(_limited(text, note)) for note in reading.limits)

    def note_hidden(self, written: str, text: str) -> None:
        """Note the commands of a script that are in base64, or in what `text` has as a secret."""
        if not self._has_script:
            return
        # Most files have no scripts.
        from mqlint.language.script.unread.mentions import encoded_commands
        from mqlint.language.script.unread.unfollowed import masked_commands

        hidden = chain(encoded_commands(written), masked_commands(written, text))
        places = ((place, place + 1) for place in hidden)
        self.reading.unfollowed += tuple(start for start, _ in self.secrets.unread(places))

    def note_called(self) -> None:
        """Note what callers of a script that gets variables from one need to know.

        A reading from a cache has no text, so this is not left to what relates documents.
        """
        reading = self.reading
        if not (reading.fed or any(name.startswith("$") for name in reading.named_by)):
            return
        # Few scripts get it.
        from mqlint.language.script.target import Targets
        from mqlint.language.variables.signs import names_in

        reading.mentions = tuple(names_in(reading.text))
        reading.parameters = tuple(Targets(reading.text, is_file=True).parameters.items())

    def _add(self, text: str, parsed: Parsed, path: str) -> None:
        reading = self.reading
        self.joins = parsed.joins
        if parsed.mqsc is not None:
            self._add_document(text, parsed.mqsc)
            return
        reading.declared, reading.stanzas = parsed.declared, parsed.stanzas
        reading.wired, reading.fed = parsed.wired, parsed.fed
        reading.unfollowed, reading.data_sets = parsed.unfollowed, parsed.data_sets
        self.secrets.add(parsed.secrets)
        reading.reported.extend(Reported(found, parsed.about) for found in parsed.diagnostics)
        if parsed.stanza_file is not None:
            self._add_stanzas(parsed.stanza_file, path)
        embedded = tuple(parsed.embedded)
        if parsed.script is not None:
            embedded += self._add_script(text, parsed.script)
        if names_dr(text):
            self._find_sites(text, path, embedded)
        if any(inner.language == "rest" for inner in embedded):
            embedded = tuple(self._expanded(embedded, Budget(len(text))))
        embedded = self._about_one(embedded)
        named = fed_files_named(text, reading.fed, parsed.script)
        reading.files = (*parsed.files, *named)
        is_marked = self._language.comments and SIGN in text
        spans = [(inner.host(0), inner.end) for inner in embedded] if is_marked else []
        waiting = [*reversed(embedded)]
        del parsed, embedded
        while waiting:  # each is freed when it has been read: a script may have thousands
            self._add_inner(waiting.pop())
        if is_marked:
            from mqlint.engine.document.comments import in_lines

            statements = [step.span for step in reading.steps]
            reading.suppressions.extend(in_lines(text, reading.lines, statements, spans))

    def _add_script(self, text: str, script: ShellScript) -> tuple[Embedded, ...]:
        """Add the steps and connections of a script; return the texts that it embeds."""
        # Most files have no scripts.
        from mqlint.language.script.lookups.lookups import lookups_in
        from mqlint.language.script.target import Play, with_names, with_variables

        reading = self.reading
        self._has_script = True
        self.joins = self.joins or lookups_in(text) is not None
        play = Play(text)
        self._add_steps(play, script)
        reading.declared += script.declared
        reading.wired += script.wired
        reading.sited = script.sited
        if not self._language.connects:
            reading.declared += connections_in(text)
        reading.reported.extend(Reported(found, "manifest") for found in script.diagnostics)
        return with_variables(with_names(script.embedded, play), text, self._language.name)

    def _find_sites(self, text: str, path: str, embedded: Iterable[Embedded]) -> None:
        """Find the parts of a document that are each for one site."""
        from mqlint.language.variables.stretches import stretches_of  # few files name DR

        steps = (*self.reading.steps, *self.reading.remote)
        sent = [(step.span, step.execution.host) for step in steps]
        sent += (((inner.host(0), inner.end), inner.execution.host) for inner in embedded)
        self.reading.stretches = stretches_of(self._language.name, path, text, sent)

    def _about_one(self, embedded: tuple[Embedded, ...]) -> tuple[Embedded, ...]:
        """Give the whole document the model of its one queue manager without a name, if it has."""
        reading = self.reading
        nameless = {inner.model for inner in embedded if inner.queue_manager is None}
        nameless = nameless or {step.model for step in reading.steps if step.model is not None}
        if len(nameless) != 1:
            return embedded
        reading.declared = tuple(replace(found, model="") for found in reading.declared)
        reading.steps = tuple(
            replace(step, model="") if step.model in nameless else step for step in reading.steps
        )
        return tuple(replace(inner, model="") for inner in embedded)

    def _expanded(self, embedded: Iterable[Embedded], budget: Budget) -> Iterator[Embedded]:
        """Yield the texts, and for each request of the REST API the MQSC that it asks for."""
        from mqlint.language.objects.requests import expanded  # few files have such requests

        for inner in embedded:
            if inner.language != "rest":
                yield inner
                continue
            texts, reader = expanded(inner, self._vocabulary, budget)
            self.secrets.add(reader.secrets)
            self.reading.reported.extend(Reported(found) for found in reader.diagnostics)
            yield from texts

    def _add_document(self, text: str, script: Script) -> None:
        self.secrets.add(secrets_in(script, text, self._vocabulary))
        part = Part(script.commands, script.session, header=script.header, branches=script.branches)
        if script.header is not None:
            part.queue_manager = script.header.queue_manager
        target = hinted(self._target, script.header, script.commands)
        reading = self.reading
        state = len(reading.reported), reading.commands, reading.understood
        verdict = self._add_mqsc(script, part, target)
        if not verdict.fits and script.header is not None and target.level != self._target.level:
            # No dump has what its queue manager lacks: this is a script that was made from one.
            del reading.reported[state[0] :]
            _, reading.commands, reading.understood = state
            reading.unclear.clear()
            reading.parts.remove(part)
            part.header = replace(script.header, edited=True, leaves_defaults=False)
            script.diagnostics[:] = [
                found for found in script.diagnostics if found.code != "truncated-dump"
            ]
            self._add_mqsc(script, part, hinted(self._target, part.header, script.commands))
        _suppress(text, script, part, self.reading)
        if begins_as_transcript(text):
            from mqlint.engine.document.record import parts_of

            self.reading.parts = list(parts_of(script.commands, text, self._analyser.parser))

    def _add_steps(self, play: Play, script: ShellScript) -> None:
        from mqlint.language.ini.parser import secrets_written
        from mqlint.language.script.input.looped import feeds_of_loops  # most files have no scripts
        from mqlint.language.script.target import steps_with_names

        text = play.text
        self.secrets.add(script.secrets)
        self.secrets.add(secrets_written(text, self._vocabulary.ini.secret_keys))
        self.reading.steps = tuple(steps_with_names(script.steps, play))
        cased = not self._language.ignores_case
        platform = "windows" if self._language.name == "cmd" else ""
        known, target = self._vocabulary, self._target
        if self._judged:
            self.reading.reported.extend(step_faults(script, known, target, cased, platform))
        steps = (*script.steps, *script.remote)
        self.reading.named_by = tuple(
            naming_variables(play, steps, known.control, self._language.name)
        )
        self.reading.fed += (*files_fed(steps), *feeds_of_loops(text, steps), *script.fed)
        self.reading.calls = script.calls
        self.reading.remote = script.remote
        self.reading.unfollowed += script.unfollowed
        self.reading.used_files += script.awaited

    def _add_stanzas(self, ini: IniFile, path: str) -> None:
        from mqlint.validity.ini_files import check_ini, ini_kind

        self.secrets.add(ini.secrets)
        kind, known = ini_kind(path, ini), self._vocabulary.ini
        self.reading.stanzas = tuple(replace(stanza, file=kind) for stanza in ini.stanzas)
        for fault in check_ini(ini, kind, known, self._target) if self._judged else ():
            self.reading.reported.append(Reported(fault))

    def _add_inner(self, inner: Embedded) -> None:
        """Add a text that is part of another: MQSC, or an ini file."""
        if inner.encoded:
            self.secrets.add_encoded(inner)
            inner = replace(inner, text=self._without_secrets(inner))
        if inner.language == "ini":
            self._add_inner_ini(inner)
            return
        is_zos = self._dialect.zos or inner.platform == "zos"
        dialect = replace(self._dialect, verbatim=inner.verbatim, zos=is_zos)
        script = self._analyser.parser.parse(inner.text, dialect)
        self.secrets.add_inner(inner, secrets_in(script, inner.text, self._vocabulary))
        part = Part(
            script.commands,
            inner.queue_manager,
            segments=stored(inner.mapping),
            execution=inner.execution,
            model=inner.model,
            entry=inner.entry,
            branches=script.branches,
        )
        if inner.spelling:
            self.reading.lines.spellings.append((inner.host(0), inner.end, inner.spelling))
        fault = self._add_mqsc(script, part, self._target_of(inner)).fault
        if inner.applied and fault is not None:
            found = diagnostic("mqsc-stops-start", fault)
            self.reading.reported.append(reported_of(found, None, part))
        begin = inner.host(0)
        if begin not in self._begun:  # a loop may run one text several times
            self._begun.add(begin)
            _suppress(inner.text, script, part, self.reading)

    def _add_mqsc(self, script: Script, part: Part, target: Target) -> Verdict:
        # What has the header of a dump may be a script made from one: its words tell.
        is_judged = self._judged or script.header is not None
        judge = self._analyser.validity(target).judge if is_judged else _not_judged
        return add_mqsc(self.reading, script, part, judge)

    @cached_property
    def _levels(self) -> dict[str | None, Level]:
        """The levels of its manifests, for the documents that are embedded in them."""
        return levels_of_manifests(self.reading.declared)

    def _target_of(self, inner: Embedded) -> Target:
        target = self._target
        if inner.platform:
            target = replace(target, platform=inner.platform)
        return hinted_by_manifests(target, self._levels, inner.queue_manager)

    def _without_secrets(self, inner: Embedded) -> str:
        from mqlint.language.ini.parser import parse_ini

        settings = inner.language == "ini"
        text = masked(inner.text, secret_spans(inner.text, settings=settings))
        if settings:
            return masked(text, parse_ini(text, self._vocabulary.ini.secret_keys).secrets)
        script = self._analyser.parser.parse(text, self._dialect)
        return masked(text, secrets_in(script, text, self._vocabulary))

    def _add_inner_ini(self, inner: Embedded) -> None:
        """Add the stanzas of an ini file inside the document, at their places there."""
        from mqlint.language.embedding import declared_in
        from mqlint.language.ini.parser import connections_of, hosted, parse_ini
        from mqlint.language.text.mapped import MappedText
        from mqlint.validity.ini_files import check_ini, ini_kind

        ini = parse_ini(inner.text, self._vocabulary.ini.secret_keys)
        self.secrets.add_inner(inner, ini.secrets)
        kind = ini_kind(inner.file or inner.entry, ini)
        self.reading.stanzas += hosted(
            ini.stanzas,
            inner.host,
            file=kind,
            queue_manager=inner.queue_manager,
            model=inner.model,
            entry=inner.entry,
        )
        text = MappedText(inner.text, inner.segments, inner.end)
        self.reading.declared += tuple(declared_in(own, text) for own in connections_of(ini))
        for fault in check_ini(ini, kind, self._vocabulary.ini, self._target_of(inner)):
            found = moved(fault, inner.mapping)
            self.reading.reported.append(
                Reported(found, queue_manager=inner.queue_manager, entry=inner.entry)
            )


def _once(given: Iterable[Reported]) -> Iterable[Reported]:
    """The diagnostics, each once: a text that runs several times has the same ones each time."""
    found: dict[tuple[object, ...], Reported] = {}
    for reported in given:
        fault = reported.diagnostic
        found.setdefault((*fault.place, *fault.data.items()), reported)
    return found.values()


def _admitted(found: Iterable[Owned], budget: Budget) -> Iterator[Owned]:
    """Yield what concerns the queue managers that a document may be about."""
    return (each for each in found if budget.admits((each.queue_manager, each.model)))


def _limited(text: str, note: str) -> Diagnostic:
    """Say at the first line of a text that not all of it is followed."""
    line = text.partition("\n")[0].rstrip()
    start = len(line) - len(line.lstrip())
    return diagnostic("beyond-limits", (start, max(len(line), start + 1)), what=note)


def _suppress(text: str, script: Script, part: Part, reading: Reading) -> None:
    """Keep the comments of an MQSC text that suppress findings."""
    if SIGN in text:
        from mqlint.engine.document.comments import in_mqsc

        reading.suppressions.extend(in_mqsc(text, script, reading.lines, part.segments))


def _not_judged(command: Command) -> tuple[Sequence[Diagnostic], bool]:
    """Return what a judge returns of a command in which nothing is wrong."""
    return (), True


_files_of_clients: Memo[int, tuple[tuple[Client, ...], Globs]] = Memo()
"""By the identity of the clients of a project, which are kept: to hash thousands takes long."""


def clients_of(path: str, forms: Forms) -> tuple[Client, ...]:
    clients = forms.clients
    known = _files_of_clients.get(id(clients))
    if known is None:
        files = Globs([compile_glob(client.files, floating=True) for client in clients])
        known = _files_of_clients.store(id(clients), (clients, files))
    return tuple(clients[at] for at in known[1].matching(path))
