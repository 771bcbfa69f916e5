"""Write the pages that are made from data: docs/vocabulary, docs/catalogue.md (`make docs`)."""

from pathlib import Path

from mqlint.policy.catalogue import Coverage, load_catalogue
from mqlint.policy.catalogue_page import page
from mqlint.policy.load import load_rulebook
from mqlint.vocabulary.load import load_vocabulary
from mqlint.vocabulary.pages import write

DOCS = Path(__file__).parents[1] / "docs"

vocabulary = load_vocabulary()
write(vocabulary, DOCS / "vocabulary")
coverage = Coverage(load_catalogue(), load_rulebook(vocabulary).rules.values())
(DOCS / "catalogue.md").write_text(page(coverage), encoding="utf-8")
