"""Findings of a report as messages of the Language Server Protocol."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path, PurePosixPath

from lsprotocol import types
from pygls.workspace import TextDocument

from mqlint.cli.lsp.checking import Json
from mqlint.finding import UNJUDGED
from mqlint.report.markdown import escaped, prose
from mqlint.report.terminal import visible
from mqlint.report.uri import file_name

_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}
_MISSED = {"unreadable", "excluded"}


class Messages:
    """What a report says about one document, at its places in the text that was checked."""

    def __init__(self, report: Json, path: Path, document: TextDocument, text: str) -> None:
        """`path` is that of the document, and `text` the one that was checked."""
        self._coverage = report["coverage"]
        self._uri = document.uri
        self._lines = text.split("\n")  # lines of pygls also end at form feeds
        self._units_of_line: dict[int, array[int]] = {}
        self._codec = document.position_codec
        self._path = self._root = path
        self._findings: list[Json] = []
        for finding in report["findings"]:
            place = PurePosixPath(file_name(finding["path"]))
            if not place.is_absolute() and path.parts[-len(place.parts) :] == place.parts:
                self._root = path.parents[len(place.parts) - 1]
                self._findings.append(finding)

    def diagnostics(self) -> list[types.Diagnostic]:
        """Return a diagnostic for each finding, and hints at other lines that were not judged."""
        found = [self._diagnostic(finding) for finding in self._findings]
        lines = {diagnostic.range.start.line for diagnostic in found}
        hints = (hint for hint in self._unjudged() if hint.range.start.line not in lines)
        return [*found, *self._unread(), *hints]

    def hover(self, at: types.Position) -> types.Hover | None:
        """Return why the findings at a position matter, and what to do; None without any."""
        texts = [_guide(finding) for finding in self._findings if _holds(self._range(finding), at)]
        content = types.MarkupContent(types.MarkupKind.Markdown, "\n\n---\n\n".join(texts))
        return types.Hover(content) if texts else None

    def fixes(self, within: types.Range) -> Iterator[types.CodeAction]:
        """Yield the proven fixes of findings in a range of the text."""
        for finding in self._findings:
            where = self._range(finding)
            if "edit" not in finding or not _meets(where, within):
                continue
            edit = finding["edit"]
            change = types.TextEdit(self._range(edit), edit["text"])
            yield types.CodeAction(
                title=f"Fix {finding['rule']}: {finding['name']}",
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[self._diagnostic(finding)],
                edit=types.WorkspaceEdit(changes={self._uri: [change]}),
                is_preferred=edit["safe"],
            )

    def _diagnostic(self, finding: Json) -> types.Diagnostic:
        return types.Diagnostic(
            range=self._range(finding),
            message=visible(finding["message"]),
            severity=_SEVERITIES[finding["severity"]],
            code=finding["rule"],
            source="mqlint",
            related_information=[self._related(related) for related in finding["related"]],
        )

    def _related(self, related: Json) -> types.DiagnosticRelatedInformation:
        path = self._root / file_name(related["path"])
        is_here = path == self._path
        # Lines of other files are not at hand, so their columns count characters.
        where = self._range(related) if is_here else _characters(related)
        location = types.Location(self._uri if is_here else path.as_uri(), where)
        return types.DiagnosticRelatedInformation(location, visible(related["message"]))

    def _unread(self) -> Iterator[types.Diagnostic]:
        missed = [row for row in self._coverage["not_checked"] if row["status"] in _MISSED]
        for row in (*missed, *self._coverage["read_in_part"]):
            how = "not checked" if row in missed else "checked in part"
            yield self._hint(1, f"{how}: {row['reason']}", types.DiagnosticSeverity.Information)

    def _unjudged(self) -> Iterator[types.Diagnostic]:
        for row in self._coverage["not_judged"]:
            reason = f" ({row['reason']})" if row["reason"] else ""
            message = f"{UNJUDGED[row['kind']]}{reason}"
            yield self._hint(row["line"], message, types.DiagnosticSeverity.Hint)

    def _hint(
        self, line: int, message: str, severity: types.DiagnosticSeverity
    ) -> types.Diagnostic:
        text = self._lines[line - 1].rstrip() if line <= len(self._lines) else ""
        start = len(text) - len(text.lstrip())
        where = self._in_units(
            types.Range(types.Position(line - 1, start), types.Position(line - 1, len(text)))
        )
        return types.Diagnostic(where, visible(message), severity=severity, source="mqlint")

    def _range(self, place: Json) -> types.Range:
        return self._in_units(_characters(place))

    def _in_units(self, where: types.Range) -> types.Range:
        """A range whose columns count what the editor counts, UTF-16 if it does not say."""
        return types.Range(self._position(where.start), self._position(where.end))

    def _position(self, at: types.Position) -> types.Position:
        line = self._lines[at.line] if at.line < len(self._lines) else ""
        if line.isascii():
            return at
        units = self._units_of_line.get(at.line)
        if units is None:  # counted once: a line may be long, and have many findings
            counts = accumulate(map(self._codec.client_num_units, line), initial=0)
            units = self._units_of_line[at.line] = array("I", counts)
        return types.Position(at.line, units[min(at.character, len(line))])


def _characters(place: Json) -> types.Range:
    start, end = (
        types.Position(place[side]["line"] - 1, place[side]["column"] - 1)
        for side in ("start", "end")
    )
    return types.Range(start, end)


def _holds(where: types.Range, at: types.Position) -> bool:
    return where.start <= at <= where.end


def _meets(where: types.Range, other: types.Range) -> bool:
    return where.start <= other.end and other.start <= where.end


def _guide(finding: Json) -> str:
    """The texts of a rule as Markdown in which nothing from a file is a mark."""
    title = f"**{escaped(finding['rule'])}** {escaped(finding['name'])}"
    return "\n\n".join((title, *prose(finding["why"]), *prose(finding["fix"])))
