"""`python -m mqlint.engine.ship FOLDER`: compile what a wheel brings, as the wheel is built."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from mqlint.config.cache import sealed, sealed_lines
from mqlint.config.shipped import KEY
from mqlint.policy.load import POLICIES, compiled_policies
from mqlint.vocabulary.load import DOCUMENTS, compiled_vocabulary, load_vocabulary


def shipped_files() -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of the files that `mqlint.config.shipped` reads."""
    for name in DOCUMENTS:
        yield f"vocabulary-{name}.json", sealed(KEY, compiled_vocabulary(name))
    yield f"{POLICIES}.jsonl", sealed_lines(KEY, compiled_policies(load_vocabulary()))


def main() -> None:
    """Write the files into the folder that the command line names."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in shipped_files():
        (folder / name).write_bytes(content)


if __name__ == "__main__":
    main()
