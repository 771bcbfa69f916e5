"""`mqlint lsp` as an editor uses it: findings of the text that is written, hovers and fixes."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient

from tests.files import write
from tests.process.runs import PATIENCE, environment

pytestmark = pytest.mark.slow

T = TypeVar("T")

CONFIG = """\
sites:
  leeds: {role: production, paths: ["prod/**"]}
  derby: {role: dr, stands_in_for: leeds, paths: ["dr/**"], isolation: none,
          reinstated_by: definitions}
queue_managers: "{site}/{queue_manager}/*"
"""
RECEIVER = (
    "DEFINE CHANNEL(TO.ORD) CHLTYPE(CLUSRCVR) CLUSTER(LOG) CONNAME('h.example(1414)') REPLACE\n"
)
FILES = {
    "mqlint.yaml": CONFIG,
    "prod/PRDORD1/cluster.mqsc": RECEIVER,
    "dr/DRSORD1/cluster.mqsc": "* nothing yet\n",
}
TYPO = "DEFINE QLOCAL(A.B) DESCR('\N{FISH CAKE WITH SWIRL DESIGN}') MAXDEPHT(1) REPLACE\n"

SESSION = [
    '{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}',
    '{"jsonrpc": "2.0", "id": 2, "method": "shutdown"}',
    '{"jsonrpc": "2.0", "method": "exit"}',
]
LONG = "Content-Length: 99999999999999999999\r\n\r\n"

odd_names = pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")


class Editor:
    """An editor that has opened one file."""

    def __init__(self, client: LanguageClient, file: Path) -> None:
        self._client = client
        self.uri = file.as_uri()
        self._version = 1
        self.published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.shown: asyncio.Queue[str] = asyncio.Queue()

    async def found(self) -> list[types.Diagnostic]:
        """Wait for what the server says of the text as it is now."""
        while True:
            params = await asyncio.wait_for(self.published.get(), PATIENCE)
            if params.version in {None, self._version}:
                return list(params.diagnostics)

    def write(self, text: str) -> None:
        self._version += 1
        self._client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version=self._version, uri=self.uri),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    def open(self, uri: str, text: str) -> None:
        item = types.TextDocumentItem(uri, "mqsc", 1, text)
        self._client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def save(self) -> None:
        self._client.text_document_did_save(
            types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(self.uri))
        )

    def close(self) -> None:
        self._client.text_document_did_close(
            types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(self.uri))
        )

    async def hover(self, at: types.Position) -> str:
        params = types.HoverParams(types.TextDocumentIdentifier(self.uri), at)
        answer = await self._client.text_document_hover_async(params)
        assert answer is not None
        assert isinstance(answer.contents, types.MarkupContent)
        return answer.contents.value

    async def fixes(self, within: types.Range) -> list[types.CodeAction]:
        params = types.CodeActionParams(
            types.TextDocumentIdentifier(self.uri), within, types.CodeActionContext([])
        )
        answer = await self._client.text_document_code_action_async(params)
        return [action for action in answer or () if isinstance(action, types.CodeAction)]


@asynccontextmanager
async def editing(folder: Path, home: Path, file: str) -> AsyncIterator[Editor]:
    client = LanguageClient("an editor", "1")
    path = folder / file
    editor = Editor(client, path)

    @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
    def published(params: types.PublishDiagnosticsParams) -> None:
        editor.published.put_nowait(params)

    @client.feature(types.WINDOW_SHOW_MESSAGE)  # type: ignore[untyped-decorator]
    def shown(params: types.ShowMessageParams) -> None:
        editor.shown.put_nowait(params.message)

    # No socket has so long a path: the checks run without a server that would remain.
    variables = environment(home, XDG_RUNTIME_DIR=f"/{'x' * 200}")
    program = str(Path(sys.executable).with_name("mqlint"))
    await client.start_io(program, "lsp", "--stdio", env=variables, cwd=str(folder))
    await client.initialize_async(types.InitializeParams(types.ClientCapabilities()))
    client.initialized(types.InitializedParams())
    editor.open(editor.uri, path.read_text("utf-8"))
    yield editor
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()  # type: ignore[no-untyped-call]


def edit(
    tmp_path: Path,
    home: Path,
    work: Callable[[Editor], Awaitable[T]],
    file: str = "dr/DRSORD1/cluster.mqsc",
    **files: str,
) -> T:
    """Let an editor work on a file; `files` are written over those of `FILES`."""
    write(tmp_path, {**FILES, **files})

    async def run() -> T:
        async with editing(tmp_path, home, file) as editor:
            return await work(editor)

    return asyncio.run(run())


def codes(found: list[types.Diagnostic]) -> list[object]:
    return [diagnostic.code for diagnostic in found]


def test_text_is_checked_before_it_is_saved(tmp_path: Path, home: Path) -> None:
    """The other site is read from the disk, and its place is a related one."""

    async def work(editor: Editor) -> None:
        assert await editor.found() == []
        editor.write(RECEIVER)
        found = [row for row in await editor.found() if row.code == "DR001"]
        assert [row.severity for row in found] == [types.DiagnosticSeverity.Warning]
        (related,) = found[0].related_information or ()
        assert related.location.uri == (tmp_path / "prod/PRDORD1/cluster.mqsc").as_uri()
        assert "cluster-receiver" in await editor.hover(found[0].range.start)
        editor.write("* nothing\n")
        assert await editor.found() == []

    edit(tmp_path, home, work)


def test_columns_count_what_the_editor_counts(tmp_path: Path, home: Path) -> None:
    """A character outside of the first plane is two units of UTF-16."""

    async def work(editor: Editor) -> None:
        await editor.found()
        editor.write(f"* one line\f\x85\u2028of three for Python\r\n{TYPO}")
        (typo,) = [row for row in await editor.found() if row.code == "VOC002"]
        before = TYPO[: TYPO.index("MAXDEPHT")].encode("utf-16-le")
        assert typo.range.start == types.Position(1, len(before) // 2)
        (fix,) = await editor.fixes(typo.range)
        assert fix.edit is not None
        (change,) = (fix.edit.changes or {})[editor.uri]
        assert (change.new_text, change.range) == ("MAXDEPTH", typo.range)
        editor.write(TYPO.replace("MAXDEPHT", change.new_text))
        assert "VOC002" not in codes(await editor.found())

    edit(tmp_path, home, work)


@odd_names
def test_a_file_has_its_name_byte_for_byte(tmp_path: Path, home: Path) -> None:
    """Else its text on the disk would be that of another file, which disagrees with this one."""

    async def work(editor: Editor) -> None:
        await editor.found()
        editor.write(f"DEFINE QLOCAL(A.B) MAXDEPTH(2)\n{TYPO.replace('A.B', 'C.D')}")
        assert codes(await editor.found()) == ["VOC002"]

    name = os.fsdecode(b"dr/DRSORD1/\xff;1#\n%.mqsc")
    edit(tmp_path, home, work, name, **{name: "DEFINE QLOCAL(A.B) MAXDEPTH(1)\n"})


@odd_names
def test_a_place_in_another_file_is_related_byte_for_byte(tmp_path: Path, home: Path) -> None:
    name = os.fsdecode(b"dr/DRSORD1/\xff;.mqsc")

    async def work(editor: Editor) -> None:
        found = await editor.found()
        (related,) = next(row.related_information or () for row in found if row.code == "DRF005")
        assert related.location.uri == (tmp_path / name).as_uri()

    text = "DEFINE QLOCAL(A.B) MAXDEPTH({})\n"
    files = {
        name: text.format(1),
        "dr/DRSORD1/\N{LATIN SMALL LETTER Y WITH DIAERESIS}.mqsc": text.format(2),
    }
    edit(tmp_path, home, work, "dr/DRSORD1/\N{LATIN SMALL LETTER Y WITH DIAERESIS}.mqsc", **files)


def test_a_path_that_no_program_takes_is_shown_and_ends_nothing(tmp_path: Path, home: Path) -> None:
    async def work(editor: Editor) -> None:
        await editor.found()
        for name in ("x" * 300_000, "a%00b"):
            editor.open(f"{editor.uri}{name}.mqsc", TYPO)
        assert "does not start" in await asyncio.wait_for(editor.shown.get(), PATIENCE)
        editor.write(RECEIVER)
        assert "DR001" in codes(await editor.found())

    edit(tmp_path, home, work)


def test_only_the_last_text_counts(tmp_path: Path, home: Path) -> None:
    async def work(editor: Editor) -> None:
        await editor.found()
        for number in range(20):
            editor.write(f"DEFINE QLOCAL(A.{number}) MAXDEPHT(1) REPLACE\n")
        editor.write("* nothing\n")
        assert await editor.found() == []
        assert editor.published.empty()

    edit(tmp_path, home, work)


def test_a_wrong_configuration_is_shown_once(tmp_path: Path, home: Path) -> None:
    async def work(editor: Editor) -> None:
        assert "sties" in await asyncio.wait_for(editor.shown.get(), PATIENCE)
        editor.write(RECEIVER)
        editor.save()
        (tmp_path / "mqlint.yaml").write_text(CONFIG)
        editor.save()
        assert "DR001" in codes(await editor.found())
        assert editor.shown.empty()

    edit(tmp_path, home, work, **{"mqlint.yaml": "sties: {}\n"})


def test_what_is_not_judged_is_a_hint_and_a_closed_file_has_none(
    tmp_path: Path, home: Path
) -> None:
    async def work(editor: Editor) -> None:
        hints = [
            (row.range.start.line, row.severity) for row in await editor.found() if row.code is None
        ]
        assert hints == [(1, types.DiagnosticSeverity.Hint)]
        editor.close()
        assert await editor.found() == []

    script = "#!/bin/sh\n$RUN QM1 <<EOF\nDEFINE QLOCAL(A.B) REPLACE\nEOF\n"
    edit(tmp_path, home, work, "deploy.sh", **{"deploy.sh": script})


@pytest.mark.parametrize(
    ("messages", "status", "error"),
    [
        (SESSION, 0, ""),
        ([], 0, ""),
        ([LONG], 1, "Error: a message of the editor is longer than memory\n"),
    ],
    ids=["as an editor ends it", "no message", "a message without an end"],
)
def test_a_session_ends_without_a_word(
    tmp_path: Path, home: Path, messages: list[str], status: int, error: str
) -> None:
    done = _session(tmp_path, home, messages)
    assert (done.returncode, done.stderr) == (status, error)


def _session(folder: Path, home: Path, messages: list[str]) -> subprocess.CompletedProcess[str]:
    program = str(Path(sys.executable).with_name("mqlint"))
    sent = "".join(
        message if message is LONG else f"Content-Length: {len(message)}\r\n\r\n{message}"
        for message in messages
    )
    return subprocess.run(
        [program, "lsp", "--stdio"],
        input=sent,
        env=environment(home),
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


def _opening(**others: object) -> str:
    """A message that opens a document with a password, with other values at its top."""
    text = "DEFINE AUTHINFO(A) AUTHTYPE(IDPWLDAP) LDAPPWD('hunter2') CONNAME('h(1)')"
    item = {"uri": "file:///nowhere/a.mqsc", "languageId": "mqsc", "version": 1, "text": text}
    message = {"method": "textDocument/didOpen", "params": {"textDocument": item}}
    return json.dumps({"jsonrpc": "2.0", **message, **others})


REFUSED = {
    "of another protocol": _opening(jsonrpc="1.0"),
    "of no protocol": _opening(jsonrpc=None),
    "without its end": _opening()[:-1],
    "no object": json.dumps([_opening()]),
    "for a document with a wrong address": _opening().replace("file:///nowhere", "file://[x]"),
    "with a wrong version": _opening().replace('"version": 1', '"version": {}'),
    "a request that is unknown": _opening(id=7, method="no/method"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_message_that_is_refused_is_quoted_nowhere(tmp_path: Path, home: Path, name: str) -> None:
    """Editors keep what a server writes to standard error in a log."""
    messages = [SESSION[0], REFUSED[name], *SESSION[1:]]
    done = _session(tmp_path, home, messages)
    assert (done.returncode, done.stderr) == (0, "")
    assert '"id": 2' in done.stdout
    assert "hunter2" not in done.stdout


def test_without_pygls_the_command_says_what_to_install() -> None:
    program = "import sys; sys.modules['pygls'] = None; from mqlint.cli import main; main(['lsp'])"
    done = subprocess.run(
        [sys.executable, "-I", "-c", program], stdin=subprocess.DEVNULL, capture_output=True
    )
    assert done.returncode == 2
    assert b"mqlint lsp needs pygls: install mqlint with the extra lsp" in done.stderr
