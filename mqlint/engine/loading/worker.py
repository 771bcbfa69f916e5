"""A process that reads documents for another one, and ends when that one does.

Requests come on standard input, answers go to standard output: pickled, each after its length. A
document over the memory limit has no answer: the process ends, and its parent starts another one.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import IO, Any

from mqlint.config.settings import Templates
from mqlint.dataclass import NamedTuple
from mqlint.engine.document.analyse import Analyser
from mqlint.engine.document.pack import pack
from mqlint.engine.loading.load import Input, Loaded, load_for, unreadable
from mqlint.engine.loading.memory_limit import MemoryLimit, die_first
from mqlint.engine.loading.messages import receive, send
from mqlint.source.fault import why_unread
from mqlint.vocabulary import Target

OUT_OF_MEMORY = 17
"""Exit status of a process that had not enough memory for a document."""

READY = "ready"
"""The first answer, once the process is ready."""


class Request(NamedTuple):
    document: Input
    target: Target
    templates: Templates


Response = tuple[Loaded, Any]
"""What became of a document, and its reading, packed; None if it has none."""


def work() -> None:
    """Answer requests until standard input ends, which it also does if the other process dies.

    A thread waits for that, to notice it in the middle of a document too.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started this
    die_first()
    responses = _only_for_responses()
    requests: SimpleQueue[Request] = SimpleQueue()
    analyser = Analyser(receive(sys.stdin.buffer))
    Thread(target=_listen, args=(sys.stdin.buffer, requests), daemon=True).start()
    limit = MemoryLimit()
    send(responses, pickle.dumps(READY))
    try:
        while True:
            send(responses, _response(requests.get(), analyser, limit))
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    except OSError:
        os._exit(0)  # the parent process has ended


def _listen(stream: IO[bytes], requests: SimpleQueue[Request]) -> None:
    with suppress(Exception):
        while True:
            requests.put(receive(stream))
    os._exit(0)


def _response(request: Request, analyser: Analyser, limit: MemoryLimit) -> bytes:
    """The packed answer; MemoryError for a document that takes too much."""
    document, target, templates = request
    with limit.of(document.size()):
        try:
            loaded = load_for(document, target, templates, analyser)
        except MemoryError:
            raise
        except Exception as error:
            loaded = unreadable(document.path, why_unread(error))
        reading, loaded.reading = loaded.reading, None
        response: Response = loaded, None if reading is None else pack(reading)
        return pickle.dumps(response)


def _only_for_responses() -> IO[bytes]:
    """Return standard output and replace it, so that nothing else is taken for an answer."""
    responses = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)
    return responses
