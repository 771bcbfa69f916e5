"""The keys of values of IBM's chart for queue managers, and words of them that nothing reads.

Source: values.yaml, README.md and the templates of charts/ibm-mq in ibm-messaging/mq-helm. Newer
charts may add keys, so an unknown key is wrong only if it is near a known one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mqlint.finding import Diagnostic
from mqlint.language.yaml.tree import Node
from mqlint.vocabulary.distance import nearest

_VOLUME = frozenset("enable name size storageClassName".split())
_PROBE = frozenset(
    "failureThreshold initialDelaySeconds periodSeconds successThreshold timeoutSeconds".split()
)
_KEYS: Mapping[tuple[str, ...], frozenset[str]] = {
    (): frozenset(
        "affinity credentials fullnameOverride image license livenessProbe log metadata metrics"
        " nameOverride persistence pki queueManager readinessProbe resources route security"
        " serviceAccount startupProbe tolerations topologySpreadConstraints trace web".split()
    ),
    ("image",): frozenset("disableDefaultPullSecret pullPolicy pullSecret repository tag".split()),
    ("credentials",): frozenset("enable secret".split()),
    ("persistence",): frozenset("dataPVC logPVC qmPVC".split()),
    ("persistence", "dataPVC"): _VOLUME,
    ("persistence", "logPVC"): _VOLUME,
    ("persistence", "qmPVC"): _VOLUME,
    ("resources",): frozenset("limits requests".split()),
    ("queueManager",): frozenset(
        "envVariables mqscConfigMaps mqscSecrets multiinstance name nativeha qminiConfigMaps"
        " qminiSecrets terminationGracePeriodSeconds updateStrategy".split()
    ),
    ("queueManager", "nativeha"): frozenset("enable nativehaGroup nativehaGroups tls".split()),
    ("queueManager", "nativeha", "tls"): frozenset("cipherSpec secretName".split()),
    ("queueManager", "multiinstance"): frozenset({"enable"}),
    ("pki",): frozenset("keys trust".split()),
    ("livenessProbe",): _PROBE,
    ("readinessProbe",): _PROBE,
    ("startupProbe",): _PROBE,
    ("log",): frozenset("debug format".split()),
    ("metrics",): frozenset({"enabled"}),
    # The templates read `enable`, and the chart's own values have `enabled`.
    ("web",): frozenset("enable enabled manualConfig".split()),
}
"""The keys of the mappings at these paths."""
_FOREIGN = 2
"""So many keys at the top that are no typos belong to the values of another chart, such as those of
IBM/charts, which are the origin of this one and spell some of its keys in another way.
"""
_SWITCHES = ("enable", "enabled")
_MOST_SHOWN = 100


def faults_of_chart(values: Node) -> Iterator[Diagnostic]:
    """Yield keys that the chart does not read and that are near one that it does.

    Of the two modes of availability it takes one (templates/stateful-set.yaml). Values with keys of
    another chart are not judged.
    """
    top = {key for key, _, _ in values.pairs}
    others = top - _KEYS[()]
    if sum(not _meant(key, _KEYS[()], set()) for key in others) >= _FOREIGN:
        return
    modes = [values.get("queueManager", mode, "enable") for mode in ("nativeha", "multiinstance")]
    if all(mode is not None and mode.word() == "true" for mode in modes) and modes[1] is not None:
        yield Diagnostic("chart-two-modes", *modes[1].span)
    for path, known in _KEYS.items():
        node = values.get(*path) if path else values
        pairs = node.pairs if node is not None else ()
        present = {key for key, _, _ in pairs}
        for key, span, _ in pairs:
            meant = "" if key in known else _meant(key, known, present)
            if meant:
                yield Diagnostic(
                    "chart-unknown-key", *span, {"word": key[:_MOST_SHOWN], "nearest": meant}
                )


def _meant(key: str, known: frozenset[str], present: set[str]) -> str:
    """The key that is meant; blank for none, or if that key exists too.

    A key that is the beginning of another is no typo of it: another chart may have both.
    """
    if key in _SWITCHES:
        near = next(iter(known.intersection(_SWITCHES)), "")
    else:
        folded = {name.casefold(): name for name in known}
        typo = key.casefold()[:_MOST_SHOWN]
        if typo in folded:
            return "" if folded[typo] in present else folded[typo]
        others = (name for name in folded if not name.startswith(typo) or name[:-1] == typo)
        near = folded.get(nearest(typo, others), "")
    return "" if near in present else near
