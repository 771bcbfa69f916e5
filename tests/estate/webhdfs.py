"""A folder as a file system that is not of this machine: the part of WebHDFS that readers use.

The other side is Hadoop's own client, which Spark brings along. Files are opened as Hadoop has it:
who asks the one server is sent to another, here to another path of the same one.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, quote, unquote, urlsplit

HOME = "127.0.0.1"
_NAMES, _DATA = "/webhdfs/v1", "/data/v1"
_FAULTS = {
    404: ("FileNotFoundException", "java.io.FileNotFoundException"),
    403: ("AccessControlException", "org.apache.hadoop.security.AccessControlException"),
    500: ("IOException", "java.io.IOException"),
}


@dataclass(slots=True)
class Served:
    """A folder that is served, and what was asked of it.

    What is `forbidden`, by its path below the folder, is listed and may not be read; `broken` is
    read half; `shrunk` has lost its second half, and `gone` does not exist any more, when it is
    opened. After `ends_after` openings of files nothing is answered any more. Times are told in
    steps of `tick` milliseconds.
    """

    folder: Path
    address: str = ""
    forbidden: set[str] = field(default_factory=set)
    broken: set[str] = field(default_factory=set)
    shrunk: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)
    ends_after: int | None = None
    tick: int = 1
    asked: Counter[str] = field(default_factory=Counter)
    opened: list[str] = field(default_factory=list)

    @property
    def has_ended(self) -> bool:
        """Whether nothing is answered any more."""
        return self.ends_after is not None and len(self.opened) >= self.ends_after


@contextmanager
def serving(folder: Path) -> Iterator[Served]:
    """Serve a folder; `address` is its URI."""
    served = Served(folder)
    server = ThreadingHTTPServer((HOME, 0), partial(_Handler, served))
    server.daemon_threads = True
    served.address = f"webhdfs://{HOME}:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, served: Served, *given: object) -> None:
        self._served = served
        super().__init__(*given)  # type: ignore[arg-type]

    def log_message(self, *words: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        parts = urlsplit(self.path.encode("iso-8859-1").decode())  # the client sends UTF-8
        asked = {name.lower(): value[0] for name, value in parse_qs(parts.query).items()}
        name = unquote(parts.path)
        op = asked.get("op", "").upper()
        if self._served.has_ended:
            self.close_connection = True
            return
        self._served.asked[op] += 1
        if name.startswith(_DATA):
            self._read(name.removeprefix(_DATA).strip("/"), int(asked.get("offset", 0)))
            return
        inside = name.removeprefix(_NAMES).strip("/")
        file = self._served.folder / inside
        if not file.exists():
            self._fault(404, f"File does not exist: /{inside}")
        elif op == "GETFILESTATUS":
            self._send({"FileStatus": self._status(file, "")})
        elif inside in self._served.forbidden:
            self._fault(403, f"Permission denied: user=nobody, access=READ, inode=/{inside}")
        elif op == "CHECKACCESS":
            self._answer(200, b"")
        elif op == "LISTSTATUS":
            here = sorted(file.iterdir()) if file.is_dir() else [file]
            found = [self._status(path, path.name if file.is_dir() else "") for path in here]
            self._send({"FileStatuses": {"FileStatus": found}})
        elif op == "GETFILEBLOCKLOCATIONS":
            self._send({"BlockLocations": {"BlockLocation": []}})
        elif op == "OPEN" and inside in self._served.gone:
            self._fault(404, f"File does not exist: /{inside}")
        elif op == "OPEN":
            port = self.server.server_port  # type: ignore[attr-defined]
            there = f"http://{HOME}:{port}{_DATA}/{quote(inside)}?{parts.query}"
            self._answer(307, b"", Location=there)
        else:
            self._fault(500, f"Invalid operation {op}")

    def _status(self, file: Path, name: str) -> dict[str, object]:
        state = file.stat()
        changed = state.st_mtime_ns // 1_000_000
        return {
            "accessTime": 0,
            "blockSize": 1 << 27,
            "group": "mq",
            "length": 0 if file.is_dir() else state.st_size,
            "modificationTime": changed - changed % self._served.tick,
            "owner": "mq",
            "pathSuffix": name,
            "permission": "755",
            "replication": 1,
            "type": "DIRECTORY" if file.is_dir() else "FILE",
        }

    def _read(self, inside: str, begin: int) -> None:
        self._served.opened.append(inside)
        data = (self._served.folder / inside).read_bytes()
        data = data[begin : len(data) // 2 if inside in self._served.shrunk else None]
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if inside in self._served.broken or self._served.has_ended:
            self.wfile.write(data[: len(data) // 2])
            self.close_connection = True
        else:
            self.wfile.write(data)

    def _fault(self, status: int, message: str) -> None:
        name, java = _FAULTS[status]
        exception = {"exception": name, "javaClassName": java, "message": message}
        self._send({"RemoteException": exception}, status)

    def _send(self, found: object, status: int = 200) -> None:
        """No type of content is told, unlike by Hadoop's server.

        The client of Hadoop 3.5.0 that Spark 4.3 packs lacks a class that it would ask about it.
        """
        self._answer(status, json.dumps(found).encode())

    def _answer(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
