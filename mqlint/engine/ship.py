"""`python -m mqlint.engine.ship FOLDER`: compile what a wheel brings, as the wheel is built."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from mqlint.config.data import module_of
from mqlint.policy.load import DESCRIPTIONS, POLICIES, compiled_policies
from mqlint.vocabulary.load import DOCUMENTS, TABLES, compiled_vocabulary, load_vocabulary


def shipped_modules() -> Iterator[tuple[str, str]]:
    """Yield the names and texts of the modules that `mqlint.config.data` reads."""
    yield "__init__", '"""Rules and vocabulary, compiled when the wheel was built."""\n'
    for name in (*DOCUMENTS, *TABLES):
        yield f"vocabulary_{name}", module_of(compiled_vocabulary(name))
    heads, *parts = compiled_policies(load_vocabulary())
    texts = [*map(json.dumps, parts)]
    described = len(parts) * 2 // 3
    yield POLICIES, module_of([heads, [*texts[:described]]])
    yield DESCRIPTIONS, module_of([*texts[described:]])


def main() -> None:
    """Write the modules into the folder that the command line names."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in shipped_modules():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
