"""Keys in values of IBM's chart for queue managers that the chart does not read."""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.kubernetes.faults.check import certificate_faults
from mqlint.language.yaml.tree import Node
from mqlint.vocabulary.distance import nearest
from mqlint.vocabulary.kubernetes import kubernetes_vocabulary

_KEYS = kubernetes_vocabulary().chart.keys
_FOREIGN = 2
"""So many keys at the top that are no typos belong to the values of another chart, such as those of
IBM/charts, which are the origin of this one and spell some of its keys in another way.
"""
_SWITCHES = ("enable", "enabled")


def faults_of_chart(values: Node) -> Iterator[Diagnostic]:
    """Yield keys that the chart does not read and that are near one that it does.

    Of the two modes of availability it takes one (templates/stateful-set.yaml). Values with keys of
    another chart are not judged.
    """
    top = set(values.pairs.names())
    others = top - _KEYS[()]
    if sum(not _meant(key, _KEYS[()], set()) for key in others) >= _FOREIGN:
        return
    modes = [values.get("queueManager", mode, "enable") for mode in ("nativeha", "multiinstance")]
    if all(mode is not None and mode.word() == "true" for mode in modes) and modes[1] is not None:
        yield diagnostic("chart-two-modes", modes[1].span)
    for entry in values.entries("pki", "keys"):
        yield from certificate_faults(entry)
    for path, known in _KEYS.items():
        members = values.members(*path)
        present = {key for key, _, _ in members}
        for key, span, _ in members:
            meant = "" if key in known else _meant(key, known, present)
            if meant:
                yield diagnostic("chart-unknown-key", span, word=key, nearest=meant)


def _meant(key: str, known: frozenset[str], present: set[str]) -> str:
    """The key that is meant; blank for none, or if that key exists too.

    A key that is the beginning of another is no typo of it: another chart may have both.
    """
    if key in _SWITCHES:
        near = next(iter(known.intersection(_SWITCHES)), "")
    else:
        folded = {name.casefold(): name for name in known}
        typo = key.casefold()
        if typo in folded:
            return "" if folded[typo] in present else folded[typo]
        others = (name for name in folded if not name.startswith(typo) or name[:-1] == typo)
        near = folded.get(nearest(typo, others), "")
    return "" if near in present else near
