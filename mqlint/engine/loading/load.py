"""One file: from its bytes to its reading."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from mqlint.config.settings import Templates
from mqlint.dataclass import frozen, mutable
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.document.analyse import Analyser
from mqlint.engine.document.reading import Reading
from mqlint.engine.document.unjudged import note_unjudged
from mqlint.finding import DOCUMENT, NO_TEXT, FileCoverage
from mqlint.language.markdown import ENDINGS
from mqlint.language.registry import LANGUAGES, is_general, is_policy, recognise
from mqlint.language.unsupported import encrypted, unsupported
from mqlint.source.decode import is_ebcdic
from mqlint.source.display import display_path
from mqlint.source.read import Unreadable, read
from mqlint.source.sniff import HEAD, is_program, is_text, without_controls
from mqlint.source.source_text import SourceText
from mqlint.vocabulary import Target

CONTROLS = "it has NUL bytes or control characters, which a program that runs it may ignore"
"""The reason for a file that has control characters and would otherwise be a script."""

POINTER = "it is a pointer of Git LFS, its content was not fetched: run `git lfs pull`"
"""The reason for a file whose text is kept elsewhere by Git LFS."""

_POINTER = b"version https://git-lfs.github.com/spec/"


@frozen
class Input:
    """A document to read: its path as shown, and its bytes or the file that has them.

    `fault` is the reason not to read it, blank for none. `language` is set by the user, blank if
    its name and its text decide. `named` is true if the user named it, false if it was found in a
    folder; a named file that is not checked is a finding. `excluded` is the pattern of `exclude`
    that omits it, blank for none. `unread` is the reason why a file that was found
    is not read; it counts as not recognised. `judged` is false if others are judged with it as
    context: its own faults are not looked for.
    """

    path: str
    file: Path | None = None
    data: bytes = b""
    fault: str = ""
    language: str = ""
    named: bool = False
    excluded: str = ""
    unread: str = ""
    judged: bool = True

    def load(self) -> bytes | Unreadable:
        """Return the bytes, or why there are none."""
        if self.fault:
            return Unreadable(self.fault)
        return self.data if self.file is None else read(self.file)

    def size(self) -> int:
        """Return the number of bytes; 0 if it is not known before they are read."""
        if self.file is None:
            return len(self.data)
        try:
            return self.file.stat().st_size
        except (OSError, ValueError):
            return 0


@mutable
class Loaded:
    """A document after reading: its text without secrets and its reading, or a reason for none."""

    coverage: FileCoverage
    text: str = ""
    reading: Reading | None = None


def inputs_of(files: Iterable[Path], root: Path) -> list[Input]:
    """Return the inputs of files found below or beside `root`."""
    return [Input(display_path(file, root), file) for file in files]


def typed(source: Input, assembly: Assembly) -> Input:
    """Return an input in the language that the settings say its path is in, if they say one."""
    language = source.language or assembly.placement.language_of(source.path)
    return replace(source, language=language) if language else source


def unreadable(path: str, reason: str) -> Loaded:
    return Loaded(FileCoverage(path, "unreadable", reason=reason))


def _no_text(source: Input, data: bytes = b"") -> Loaded:
    """The result for a file that is not text; one that would be run all the same is unreadable."""
    plain = b"" if is_program(source.path, data) else without_controls(data)
    if plain and recognise(source.path, SourceText.of(source.path, plain).text) is not None:
        return Loaded(FileCoverage(source.path, "unreadable", reason=CONTROLS))
    reason = unsupported(source.path) or NO_TEXT
    return Loaded(FileCoverage(source.path, "not-recognised", reason=reason))


@frozen
class Opened:
    """A document that is read and recognised, and not yet analysed; `judged` as of its input."""

    document: SourceText
    language: str
    judged: bool = True


def load(source: Input, assembly: Assembly, analyser: Analyser) -> Loaded:
    return load_for(source, assembly.target(source.path), assembly.settings.forms, analyser)


def load_for(source: Input, target: Target, templates: Templates, analyser: Analyser) -> Loaded:
    """Read, recognise and analyse one input, as `analysed`."""
    if analyser.cache is None:  # the bytes are freed before the document is analysed
        found = opened(source)
        return found if isinstance(found, Loaded) else analysed(found, target, templates, analyser)
    data = _content(source)
    if isinstance(data, Loaded):
        return data

    def read() -> Loaded:
        found = _recognised(source, data)
        return found if isinstance(found, Loaded) else analysed(found, target, templates, analyser)

    settings = target, target.source, templates, source.judged
    return analyser.cache.of(source, data, settings, read)


def opened(source: Input) -> Opened | Loaded:
    """Read and recognise one input; return the result if it is not to be analysed."""
    data = _content(source)
    return data if isinstance(data, Loaded) else _recognised(source, data)


def _content(source: Input) -> bytes | Loaded:
    """Return the bytes of an input, or the result if it is not to be read."""
    if source.excluded:
        excluding = f"excluded by `exclude: {source.excluded}` in the configuration"
        return Loaded(FileCoverage(source.path, "excluded", reason=excluding))
    if source.unread:
        return Loaded(FileCoverage(source.path, "not-recognised", reason=source.unread))
    if not is_text(source.path, b""):  # by its name: no key store is ever read
        return _no_text(source)
    data = source.load()
    if isinstance(data, Unreadable):
        return unreadable(source.path, data.reason)
    return unreadable(source.path, POINTER) if data.startswith(_POINTER) else data


def _recognised(source: Input, data: bytes) -> Opened | Loaded:
    if not is_text(source.path, data[:HEAD]):
        return _no_text(source, data)
    document = SourceText.of(source.path, data)
    encoding = document.decoded.encoding
    given = source.language if source.language in LANGUAGES else None
    language = given or recognise(document.path, document.text, named=source.named)
    sealed = encrypted(document.text)
    if sealed is not None:
        status = "not-recognised" if language is None else "unreadable"
        return Loaded(FileCoverage(document.path, status, encoding=encoding, reason=sealed))
    has_nul = "\0" in document.text and not is_ebcdic(encoding)
    if language is None:
        if has_nul:  # as UTF-16 that is damaged: it is not read by its byte order mark
            return _no_text(source, data)
        reason = None
        if not is_policy(document.path, document.text):
            reason = unsupported(document.path, document.text) or _document(document)
        status = "not-recognised" if reason or not is_general(document.path) else "without-mq"
        return Loaded(FileCoverage(document.path, status, encoding=encoding, reason=reason))
    if has_nul and not LANGUAGES[language].recorded:
        return Loaded(FileCoverage(document.path, "unreadable", encoding=encoding, reason=CONTROLS))
    return Opened(document, language, source.judged)


def _document(document: SourceText) -> str | None:
    """Say that a file is a document with commands of MQ, which is read only if it is named."""
    if document.path.rpartition(".")[2].lower() not in ENDINGS:
        return None
    language = recognise(document.path, document.text, named=True)
    return DOCUMENT if language is not None else None


def analysed(found: Opened, target: Target, templates: Templates, analyser: Analyser) -> Loaded:
    """Analyse a document for `target`, with what its settings take for templates."""
    document, language = found.document, found.language
    reading = analyser.analyse(
        document.text, language, target, document.path, templates, judged=found.judged
    )
    reading.digest = document.digest
    if found.judged:
        note_unjudged(reading)
    row = FileCoverage(
        document.path,
        "checked",
        language,
        document.decoded.encoding,
        commands=reading.commands,
        understood=reading.understood,
        reason="; ".join(reading.limits) or None,
        counts=reading.counts,
        unjudged=reading.unjudged,
    )
    return Loaded(row, reading.text, reading)
