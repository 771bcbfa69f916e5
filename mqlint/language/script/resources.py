"""Resources of Kubernetes that a script holds: `oc apply -f - <<EOF`, `cat > map.yaml <<EOF`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from mqlint.language.script.command import Command
from mqlint.language.script.step import Embedded
from mqlint.language.text.mapped import MappedText
from mqlint.source.budget import Budget

_RESOURCE = re.compile(r"^[ \t]{0,8}kind:[ \t]*[\"']?(?:ConfigMap|Secret|List)\b", re.MULTILINE)


def in_resources(
    command: Command, source: MappedText, budget: Budget, *, maybe: bool
) -> Iterator[Embedded]:
    """Yield the MQSC and the stanzas in the resources of a command's here-document.

    `source` says where the script stands in the file, `maybe` whether it may not run.
    """
    body = command.here.body if command.here is not None else None
    if body is None or _RESOURCE.search(body.text) is None:
        return
    from mqlint.language.kubernetes.manifest import parse_manifest  # only for scripts that hold one

    outer = body.within(source)
    for embedded in parse_manifest(body.text, budget).embedded:
        inner = MappedText(embedded.text, embedded.segments, embedded.end).within(outer)
        may_not_run = maybe or command.maybe or embedded.maybe
        yield replace(embedded, segments=inner.segments, end=inner.end, maybe=may_not_run)
