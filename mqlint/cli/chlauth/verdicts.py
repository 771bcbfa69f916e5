"""Verdicts on connections, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mqlint.chlauth.access import Channel
from mqlint.chlauth.address import AddressSet, everything
from mqlint.chlauth.auth_record import Record
from mqlint.chlauth.connection import Answer, Connection, Outcome
from mqlint.chlauth.region import Region
from mqlint.model.core.key import QueueManagerKey
from mqlint.report.json import Json
from mqlint.report.terminal import listing, wrap
from mqlint.source.display import listed
from mqlint.vocabulary.chlauth import evaluation_steps

_PATTERNS = 4


def lines_of(answer: Answer, width: int) -> Iterator[str]:
    yield from _outcome(answer.outcome, width)
    for outcome in answer.possible:
        yield "  either"
        yield from (f"  {line}" for line in _outcome(outcome, width - 2))
    results = (check.result for check in answer.outcome.checks)
    yield from listing("evaluated, in this order", results, width)
    skipped = (
        f"{passed.record.written()}: {passed.why}{_at(passed.record)}"
        for passed in answer.passed_over
    )
    yield from listing("skipped", skipped, width)
    yield from listing("given that", answer.outcome.assumptions, width)
    yield f"confidence: {answer.outcome.confidence}"


def _outcome(outcome: Outcome, width: int) -> Iterator[str]:
    user = f" as {outcome.user}" if outcome.user and outcome.verdict.value != "blocked" else ""
    yield from wrap(f"{outcome.verdict.value}{user}: {outcome.why}", width, "", "  ")
    if outcome.record is not None:
        text = f"{outcome.record.written()}{_at(outcome.record)}"
        yield from wrap(text, width, "  by ")


def _at(record: Record) -> str:
    if record.place is None:
        return f" (shipped with {record.supplier})"
    return f" ({record.place.line_text})"


def region_lines(regions: Iterable[Region], width: int) -> Iterator[str]:
    """Yield regions for people, one after the other."""
    for region in regions:
        yield from wrap(addresses_of(region.addresses), width, "", "  ")
        yield from (f"  {line}" for line in _outcome(region.outcome, width - 2))
        for possible in region.possible:
            first, *rest = _outcome(possible, width - 11)
            yield f"    either {first}"
            yield from (f"           {line}" for line in rest)


def addresses_of(addresses: AddressSet) -> str:
    if everything() <= addresses:
        return "any address"
    return listed(addresses.written(), _PATTERNS)


def answer_json(answer: Answer) -> dict[str, Json]:
    outcome = answer.outcome
    return {
        **outcome_json(outcome),
        "confidence": outcome.confidence,
        "checks": [_check(check.step, check.result) for check in outcome.checks],
        "passed_over": [
            {"record": record_json(passed_over.record), "why": passed_over.why}
            for passed_over in answer.passed_over
        ],
        "assumptions": list(outcome.assumptions),
        "possible": [outcome_json(outcome) for outcome in answer.possible],
    }


def outcome_json(outcome: Outcome) -> dict[str, Json]:
    return {
        "verdict": outcome.verdict.value,
        "user": outcome.user,
        "record": None if outcome.record is None else record_json(outcome.record),
        "why": outcome.why,
    }


def manager_json(key: QueueManagerKey) -> dict[str, Json]:
    """Return what identifies a queue manager: its name, or the file that names none."""
    return {
        "queue_manager": None if key.anonymous else key.name,
        "site": key.site or None,
        "file": key.name if key.anonymous else None,
    }


def record_json(record: Record) -> dict[str, Json]:
    """Return a record for programs: in words, and its place; none for a shipped one."""
    place = record.place
    return {
        "text": record.written(),
        "path": None if place is None else place.path,
        "line": None if place is None else place.start.line,
    }


def region_json(region: Region) -> dict[str, Json]:
    return {
        "addresses": region.addresses.written(),
        **outcome_json(region.outcome),
        "confidence": region.outcome.confidence,
        "assumptions": list(region.outcome.assumptions),
        "possible": [outcome_json(outcome) for outcome in region.possible],
    }


def _check(step: str, result: str) -> dict[str, Json]:
    found = evaluation_steps()[step]
    return {"step": step, "says": result, "source": found.source, "read": found.read}


def runcheck(channel: Channel, connection: Connection) -> tuple[str | None, str]:
    """Return the DISPLAY CHLAUTH that asks a live queue manager, or None and what it lacks."""
    words = [f"DISPLAY CHLAUTH({quoted(channel.name)}) MATCH(RUNCHECK) ALL"]
    if connection.address is None:
        return None, "an address"
    words.append(f"ADDRESS({quoted(connection.address)})")
    user = connection.credentials or connection.user
    name, value = ("CLNTUSER", user) if channel.is_client else ("QMNAME", connection.queue_manager)
    if not value:
        return None, "--client-user" if channel.is_client else "--remote-queue-manager"
    words.append(f"{name}({quoted(value)})")
    for word, shown in (("SSLPEER", connection.peer), ("SSLCERTI", connection.issuer)):
        if shown:
            words.append(f"{word}({quoted(shown)})")
    return " ".join(words), ""


def quoted(text: str) -> str:
    """Return a text in quotes, so that nothing in it ends them."""
    return "'" + text.replace("'", "''") + "'"
