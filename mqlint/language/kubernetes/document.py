"""Reads a file of resources or values, and the scripts in it."""

from __future__ import annotations

from mqlint.finding import Diagnostic
from mqlint.language.base import Context, Parsed
from mqlint.language.kubernetes.manifest import MOST_JOINED, read_manifest
from mqlint.language.script.hosts.crontab import schedule_faults
from mqlint.language.script.hosts.host import read_scripts
from mqlint.language.script.hosts.inline_image import inline_images
from mqlint.language.script.hosts.pipeline import Pipeline
from mqlint.language.script.step import Embedded, ShellScript
from mqlint.language.script.unread.mentions import has_mqsc, names_command
from mqlint.language.text.mapped import MappedText
from mqlint.language.yaml.reader import read_documents


def read(text: str, context: Context) -> Parsed:
    budget, of_text = context.budget, list[Diagnostic]()
    trees = read_documents(text, budget, of_text)
    parsed = read_manifest(text, trees, budget).parsed()
    faults = [*parsed.diagnostics, *of_text]
    parsed.joins = parsed.joins and len(text) <= MOST_JOINED
    images = [*inline_images(trees, context)] if "ockerfile" in text else []
    if names_command(text) or has_mqsc(text):
        pipeline = Pipeline(text, budget)
        pipeline.documents = trees
        blocks = pipeline.blocks()
        del pipeline, trees
        documents: list[Embedded | MappedText] = [*parsed.embedded]
        documents += (source for source, _ in images)
        commands = context.vocabulary.control
        parsed.script = read_scripts(text, blocks, documents, commands, budget)
        if "schedule" in text or "cron" in text:
            faults += schedule_faults(text)
    for _, image in images:
        faults += image.diagnostics
        parsed.script = ShellScript.merged(filter(None, (parsed.script, image.script)))
    parsed.diagnostics = faults
    return parsed
