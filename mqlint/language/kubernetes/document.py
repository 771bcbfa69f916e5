"""Reads a file of resources or values, and the scripts in it."""

from __future__ import annotations

from mqlint.language.base import Context, Parsed
from mqlint.language.kubernetes.manifest import MOST_JOINED, parse_manifest
from mqlint.language.script.hosts.crontab import schedule_faults
from mqlint.language.script.hosts.host import read_scripts
from mqlint.language.script.hosts.pipeline import Pipeline
from mqlint.language.script.unread.mentions import has_mqsc, names_command


def read(text: str, context: Context) -> Parsed:
    parsed = parse_manifest(text, context.budget).parsed()
    parsed.joins = parsed.joins and len(text) <= MOST_JOINED
    if names_command(text) or has_mqsc(text):
        blocks, documents = Pipeline(text, context.budget).blocks(), tuple(parsed.embedded)
        commands = context.vocabulary.control
        parsed.script = read_scripts(text, blocks, documents, commands, context.budget)
        if "CronJob" in text:
            parsed.diagnostics = [*parsed.diagnostics, *schedule_faults(text)]
    return parsed
