"""Reads a file of resources or values, and the scripts in it."""

from __future__ import annotations

from mqlint.language.base import Context, Parsed
from mqlint.language.kubernetes.manifest import MOST_JOINED, parse_manifest
from mqlint.language.script.hosts.hosted import scripts_of
from mqlint.language.script.mentions import names_command


def read(text: str, context: Context) -> Parsed:
    manifest = parse_manifest(text, context.budget)
    control = context.vocabulary.control
    has_script = names_command(text)
    return Parsed(
        script=scripts_of(text, "pipeline", control, context.budget) if has_script else None,
        declared=tuple(manifest.declared),
        embedded=manifest.embedded,
        diagnostics=manifest.diagnostics,
        about="manifest",
        wired=tuple(manifest.wired),
        fed=tuple(manifest.fed),
        files=tuple(manifest.files),
        joins=manifest.joins and len(text) <= MOST_JOINED,
    )
