"""The language server: which documents are open, and when they are checked."""

from __future__ import annotations

import asyncio
import logging
import os
from dataclasses import field
from pathlib import Path
from time import monotonic
from urllib.parse import unquote_to_bytes, urlsplit

import click
from lsprotocol import types
from pygls.exceptions import FeatureRequestError, JsonRpcException, PyglsError
from pygls.lsp.server import LanguageServer

from mqlint import __version__
from mqlint.cli.lsp.checking import CheckError, Json, check
from mqlint.cli.lsp.messages import Messages
from mqlint.dataclass import mutable

_PAUSE = 0.2
"""Seconds without a change after which a text is checked; longer if checks take longer."""
_AT_ONCE = 2
"""Checks that run at the same time."""


@mutable
class _Opened:
    """A document in the editor: its last report, and the check that is under way."""

    messages: Messages | None = None
    task: asyncio.Task[None] | None = None
    pause: float = _PAUSE
    fixes: dict[int | None, Json] = field(default_factory=dict)


class _Server(LanguageServer):
    """Publishes the findings of open documents."""

    def __init__(self) -> None:
        super().__init__("mqlint", __version__)
        self._opened: dict[str, _Opened] = {}
        self._turn = asyncio.Semaphore(_AT_ONCE)
        self._complaint = ""

    def report_server_error(
        self, error: Exception, source: type[PyglsError | JsonRpcException]
    ) -> None:
        """Show that a message was not handled; the words of an error can quote a document."""
        if source is not FeatureRequestError:  # a request has an answer
            self._show(f"mqlint cannot handle a message of the editor: {type(error).__name__}")

    def open(self, uri: str) -> None:
        self._opened[uri] = _Opened()
        self._start(uri, 0)

    def change(self, uri: str) -> None:
        opened = self._opened.get(uri)
        if opened is not None:
            self._start(uri, opened.pause)

    def save(self) -> None:
        """Check all documents: what is saved is context of the others."""
        for uri, opened in self._opened.items():
            opened.fixes = {}
            self._start(uri, 0)

    def close(self, uri: str) -> None:
        opened = self._opened.pop(uri, None)
        if opened is not None and opened.task is not None:
            opened.task.cancel()
        self._publish(uri, [])

    def hover(self, uri: str, at: types.Position) -> types.Hover | None:
        opened = self._opened.get(uri)
        return opened.messages.hover(at) if opened is not None and opened.messages else None

    async def fixes(self, uri: str, within: types.Range) -> list[types.CodeAction]:
        """Return the fixes in a range of the text as it is now; they are proven when asked for."""
        opened, path = self._opened.get(uri), _path(uri)
        if opened is None or path is None:
            return []
        document = self.workspace.get_text_document(uri)
        version = document.version
        if version not in opened.fixes:
            async with self._turn:  # while it waits, another request may have the same answer
                if version not in opened.fixes and document.version == version:
                    try:
                        proven = await check(path, document.source, fixes=True)
                    except CheckError:
                        return []
                    opened.fixes = {version: proven}
        if version not in opened.fixes or document.version != version:
            return []
        report = opened.fixes[version]
        return list(Messages(report, path, document, document.source).fixes(within))

    def _start(self, uri: str, pause: float) -> None:
        opened = self._opened[uri]
        if opened.task is not None:
            opened.task.cancel()
        opened.task = asyncio.create_task(self._check(uri, opened, pause))

    async def _check(self, uri: str, opened: _Opened, pause: float) -> None:
        await asyncio.sleep(pause)
        path = _path(uri)
        if path is None:
            return
        async with self._turn:
            start = monotonic()
            document = self.workspace.get_text_document(uri)
            version, text = document.version, document.source
            try:
                report = await check(path, text)
            except CheckError as error:
                self._complain(str(error))
                return
            opened.pause = max(_PAUSE, monotonic() - start)
        self._complaint = ""
        opened.messages = Messages(report, path, document, text)
        self._publish(uri, opened.messages.diagnostics(), version)

    def _publish(
        self, uri: str, diagnostics: list[types.Diagnostic], version: int | None = None
    ) -> None:
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri, diagnostics, version)
        )

    def _complain(self, text: str) -> None:
        """Show why nothing is checked, once until something else is wrong."""
        if text != self._complaint:
            self._complaint = text
            self._show(text)

    def _show(self, text: str) -> None:
        self.window_show_message(types.ShowMessageParams(types.MessageType.Error, text))


def _path(uri: str) -> Path | None:
    """The path of a document, byte for byte; None if it is in no file."""
    parts = urlsplit(uri)
    path = os.fsdecode(unquote_to_bytes(parts.path))
    if parts.netloc not in ("", "localhost"):
        path = f"//{parts.netloc}{path}"
    elif os.name == "nt":
        path = path.removeprefix("/")  # before the letter of a drive
    is_file = parts.scheme == "file" and "\0" not in path and Path(path).is_absolute()
    return Path(path) if is_file else None


def serve() -> None:
    """Answer an editor until it ends the server, or closes standard input."""
    if not os.environ.get("MQLINT_DEBUG"):
        logging.disable()  # pygls logs messages that it refuses, with the documents in them
    server = _Server()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: types.DidOpenTextDocumentParams) -> None:
        server.open(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: types.DidChangeTextDocumentParams) -> None:
        server.change(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(_params: types.DidSaveTextDocumentParams) -> None:
        server.save()

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        return server.hover(params.text_document.uri, params.position)

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
    )
    async def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        return await server.fixes(params.text_document.uri, params.range)

    # The server closes its streams when the editor ends it; those of the process stay open.
    with os.fdopen(os.dup(0), "rb") as messages, os.fdopen(os.dup(1), "wb") as answers:
        try:
            server.start_io(messages, answers)
        except (MemoryError, OverflowError):
            raise click.ClickException("a message of the editor is longer than memory") from None
