"""Loading the vocabulary that the package ships."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from mqlint.config.reader import read_yaml
from mqlint.vocabulary.compile import compile_mqsc
from mqlint.vocabulary.vocabulary import Vocabulary


def load_vocabulary(cache_folder: Path | None = None) -> Vocabulary:
    """Return the MQSC vocabulary, compiled from YAML or, where there is one, from the cache.

    With a `cache_folder` the compiled form is kept there under the digest of its sources.
    """
    return Vocabulary.from_compiled(_compiled())


def _compiled() -> dict[str, object]:
    documents: dict[str, object] = {}
    for entry in files("mqlint.vocabulary").joinpath("data", "mqsc").iterdir():
        if entry.name.endswith(".yaml"):
            documents[entry.name] = read_yaml(entry.read_text("utf-8"), entry.name).plain()
    return compile_mqsc(documents)
