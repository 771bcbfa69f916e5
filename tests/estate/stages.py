"""The stages of a scan one after the other in this process: what a scan does, without its tables.

Rows go through Arrow batches of few rows, and are sorted as Spark's shuffles sort them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex

from mqlint.config.settings import Settings
from mqlint.engine import Input
from mqlint.estate.io.content import Place
from mqlint.estate.io.sources import LISTED, ListedFile
from mqlint.estate.stages import steps
from mqlint.estate.stages.collect import SETTLED, Configuration, Rules, settled
from mqlint.estate.stages.comparison import compare
from mqlint.estate.stages.context import Job, Setup, setup_for, worker_context
from mqlint.estate.stages.findings import StoredFindings
from mqlint.estate.stages.judging import judge
from mqlint.estate.stages.local import LocalEngine
from mqlint.estate.stages.messages import MESSAGES, Message
from mqlint.estate.stages.relations import relate
from mqlint.estate.tables.batches import batches, records
from mqlint.estate.tables.schema import Stamp
from mqlint.estate.tables.writer import Sink
from mqlint.finding import Finding, with_ordinals
from mqlint.policy.rulebook import Rulebook


def setup_of(
    vocabulary: Mapping[str, Mapping[str, object]],
    rulebook: Rulebook,
    settings: Settings,
    profiles: Sequence[str] = (),
) -> Setup:
    """Return what executors need for one project, which is a repository without a name."""
    return setup_for(vocabulary, rulebook, {"": settings}, {}, profiles)


def staged(inputs: Sequence[Input], setup: Setup, scratch: Path) -> list[Finding]:
    """Return all findings, those that are suppressed too."""
    scratch.mkdir(exist_ok=True)
    sink = Sink(scratch / "tables", (), Stamp(token_hex(4), datetime.now(UTC)), {})
    job = Job(setup, scratch / "keep", sink)
    engine = LocalEngine(scratch)
    documents = (
        engine.rows([listed(one) for one in inputs], LISTED)
        .shuffled(["bucket"], ["bucket", "repository", "path", "kind"])
        .through(steps.identify(job))
        .shuffled(["facts"], ["facts", "repository", "path"])
        .through(steps.parse(job))
        .persist()
    )
    job = relate(job, documents.through(steps.links(job)))
    judged = (
        documents.where("status", "checked")
        .through(steps.assign(job))
        .shuffled(["key"], ["kind", "key", "path"])
        .through(judge(job))
        .persist()
    )
    compared = engine.stored(compare(job, engine, judged), MESSAGES)
    found = judged.union(compared).where("kind", "finding", "ignores")
    messages = records(found.shuffled(["key"], ["key", "repository"]).batches(), Message)
    context = worker_context(setup)
    rules = Rules(context)
    rows = settled(
        messages, Configuration(setup), context, rules, lambda names: dict.fromkeys(names, ())
    )
    store = StoredFindings(scratch, rules)
    for batch in batches(rows, SETTLED):
        store.add(batch)
    for frame in (documents, judged):
        frame.drop()
    return sorted(with_ordinals(store), key=lambda finding: (finding.location, finding.rule.id))


def listed(one: Input) -> ListedFile:
    """The row of a file."""
    return ListedFile("file", "", one.path, one.path, "", Place("file", str(one.file)).packed())
