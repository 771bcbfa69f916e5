"""Faults of the variables of a container that runs a queue manager."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.declaration import FieldValue
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.vocabulary.container import MQ_PORT
from mqlint.vocabulary.distance import nearest
from mqlint.vocabulary.kubernetes import kubernetes_vocabulary
from mqlint.vocabulary.limits import NAME

_CONTAINER = kubernetes_vocabulary().container
_ADDRESS = later(r"MQ_NATIVE_HA_INSTANCE_(\d)_REPLICATION_ADDRESS")
_QUEUE_MANAGER = later(rf"[A-Za-z0-9._/%]{{1,{NAME}}}")
Variables = Mapping[str, tuple[FieldValue, Span, Span]]
"""The value of each variable, with the places of its name and its value."""


def variable_faults(variables: Variables) -> Iterator[Diagnostic]:
    """Yield misspelt variables, and values that a variable does not take."""
    yield from _replication(variables)
    for name, (value, name_span, value_span) in variables.items():
        words = _CONTAINER.variables.get(name)
        if words is None:
            meant = _CONTAINER.mistaken.get(name) or nearest(name, _CONTAINER.variables)
            is_typo = meant and meant not in variables and not _is_numbered(name, meant)
            if is_typo:
                yield diagnostic("container-variable", name_span, word=name, nearest=meant)
        elif words and isinstance(value, str) and value.casefold() not in words:
            expected = " or ".join(words[:2])
            yield diagnostic(
                "container-value", value_span, name=name, value=value, expected=expected
            )
        elif name == "MQ_QMGR_NAME" and isinstance(value, str) and value:
            if _QUEUE_MANAGER.fullmatch(value) is not None:
                continue
            yield diagnostic("container-name", value_span, name=value)


def _replication(variables: Variables) -> Iterator[Diagnostic]:
    """Yield addresses of Native HA that two instances have, or with the port of the listener."""
    seen = dict[str, str]()
    for name, (value, _, span) in variables.items():
        match = _ADDRESS.fullmatch(name)
        if match is None or not isinstance(value, str):
            continue
        address = value.replace(" ", "").casefold()
        if address in seen:
            words = {"value": value, "other": seen[address], "name": name}
            yield diagnostic("native-ha-address", span, **words, fault="is also that of")
        elif address.endswith(f"({MQ_PORT})"):
            words = {"value": value, "other": str(MQ_PORT), "name": name}
            yield diagnostic("native-ha-address", span, **words, fault="has the listener port")
        seen.setdefault(address, f"instance {match[1]}")


def _is_numbered(name: str, meant: str) -> bool:
    """Whether a name is another with a number, as the variables of several queue managers are."""
    return re.sub(r"_?\d+", "", name) == re.sub(r"_?\d+", "", meant)
