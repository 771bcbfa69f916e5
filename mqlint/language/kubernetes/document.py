"""Reads a file of resources or values, and the scripts in it."""

from __future__ import annotations

from mqlint.language.base import Context, Parsed
from mqlint.language.kubernetes.manifest import MOST_JOINED, parse_manifest
from mqlint.language.script.hosts.crontab import schedule_faults
from mqlint.language.script.hosts.host import read_blocks
from mqlint.language.script.hosts.pipeline import Pipeline
from mqlint.language.script.unread.mentions import names_command


def read(text: str, context: Context) -> Parsed:
    parsed = parse_manifest(text, context.budget).parsed()
    parsed.joins = parsed.joins and len(text) <= MOST_JOINED
    if names_command(text):
        blocks = Pipeline(text, context.budget).blocks()
        parsed.script = read_blocks(blocks, context.vocabulary.control, context.budget)
        if "CronJob" in text:
            parsed.diagnostics = [*parsed.diagnostics, *schedule_faults(text)]
    return parsed
