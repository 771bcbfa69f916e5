"""Write what is made from data (`make docs`).

These are docs/vocabulary, docs/policies, docs/catalogue.md, docs/policy-language.md, the table of
docs/estate.md, the last table of docs/quality.md, the output of the commands in docs/tutorial.md
and docs/guides, and the JSON Schemas.
"""

import sys
from pathlib import Path

import policy_pages
import policy_reference
import table_columns
import vocabulary_pages
from catalogue import Coverage, load_catalogue, page

from mqlint.config import schema
from mqlint.config.estate import repositories
from mqlint.config.forms import schema_text
from mqlint.finding import waiver
from mqlint.policy.language.schema import policy_schema
from mqlint.policy.load import load_rulebook
from mqlint.policy.questions import load_questions, rows_asked
from mqlint.vocabulary.load import load_vocabulary

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from tests.docs import transcripts  # noqa: E402  it is beside this folder, and not installed
from tests.fuzz.ledger import Ledger  # noqa: E402
from tests.recall.table import section  # noqa: E402

DOCS = ROOT / "docs"

vocabulary = load_vocabulary()
vocabulary_pages.write(vocabulary, DOCS / "vocabulary")
asked = rows_asked(load_questions(vocabulary))
book, catalogue = load_rulebook(vocabulary), load_catalogue()
coverage = Coverage(catalogue, book.rules.values(), asked)
policy_pages.write(policy_pages.pages(book, catalogue), DOCS / "policies")
(DOCS / "catalogue.md").write_text(page(coverage), encoding="utf-8")
(DOCS / "policy-language.md").write_text(policy_reference.page(), encoding="utf-8")
SCHEMAS = {
    "config/estate.schema.json": repositories.SCHEMA,
    "config/mqlint.schema.json": schema.SCHEMA,
    "finding/waivers.schema.json": waiver.SCHEMA,
    "policy/policy.schema.json": policy_schema(),
}
for path, published in SCHEMAS.items():
    (ROOT / "mqlint" / path).write_text(schema_text(published), encoding="utf-8")
estates = DOCS / "estate.md"
estates.write_text(table_columns.with_columns(estates.read_text("utf-8")), encoding="utf-8")
quality = DOCS / "quality.md"
fuzzed = section(quality.read_text("utf-8"), "fuzzed", Ledger().as_markdown())
quality.write_text(fuzzed, encoding="utf-8")
transcripts.update(transcripts.PAGES)
