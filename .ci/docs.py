"""Write docs/vocabulary from what the vocabulary knows; `make docs` runs it."""

from pathlib import Path

from mqlint.vocabulary.load import load_vocabulary
from mqlint.vocabulary.pages import write

write(load_vocabulary(), Path(__file__).parents[1] / "docs" / "vocabulary")
