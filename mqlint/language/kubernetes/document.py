"""Reads a file of resources or values, and the scripts in it."""

from __future__ import annotations

from mqlint.language.base import Context, Parsed
from mqlint.language.kubernetes.manifest import MOST_JOINED, parse_manifest
from mqlint.language.script.hosts.hosted import scripts_of
from mqlint.language.script.unread.mentions import names_command


def read(text: str, context: Context) -> Parsed:
    parsed = parse_manifest(text, context.budget).parsed()
    parsed.joins = parsed.joins and len(text) <= MOST_JOINED
    if names_command(text):
        control = context.vocabulary.control
        parsed.script = scripts_of(text, "pipeline", control, context.budget)
        if "CronJob" in text:
            from mqlint.language.script.hosts.crontab import schedule_faults  # loaded late

            parsed.diagnostics = [*parsed.diagnostics, *schedule_faults(text)]
    return parsed
