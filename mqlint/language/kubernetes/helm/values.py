"""Values of charts of Helm, from the files and resources that set them.

Source: "Values Files" of Helm. A list replaces all of another one, and so does a value that is not
a mapping. A value counts if it is the same in MQSC, in YAML and in quotes; all others are unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain
from typing import Any

from mqlint.language.kubernetes.applications import PlacedText
from mqlint.language.kubernetes.helm.pipelines import LISTED, ChartValues, Key
from mqlint.language.text.mapped import MappedText, MappedTextBuilder, mapped_at
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later

_PLAIN = later(r"[\w.:/()*,@ -]{0,200}")
"""A value that is the same in MQSC, in YAML and in quotes."""
_SWITCHES = {
    **dict.fromkeys(("true", "yes", "on"), "true"),
    **dict.fromkeys(("false", "no", "off"), "false"),
}
_OTHER_NUMBER = later(
    r"[-+]?0(?:[xX][\da-fA-F_]+|[oObB]?[\d_]+)|\+[\d._]+|[-+]?\d[\d.]*_[\d_.]*|[-+]?\d*\.\d*0"
    r"|[-+]?\d[\d.]*[eE][-+]?\d+"
)
"""A number that is rendered in another form than it is written."""
_DEEPEST = 8

Values = Mapping[Key, PlacedText | None]
"""The values of a chart with their places; a list has an unknown one with the key `#` too."""
Place = Callable[[int], tuple[str, int]]
"""Returns the file of an offset, and the offset there."""
Fill = Callable[[str, int], PlacedText | None]
"""Returns what parameters make of a text at an offset of its file."""


def values_of(documents: Iterable[Node], place: Place, fill: Fill | None = None) -> Values:
    """The scalars below some documents, by the path of their keys; a list has one too."""
    found: dict[Key, PlacedText | None] = {}
    for key, node in _leaves(documents):
        if node is None:
            found[key] = None
        elif fill is not None and "{{" in node.text:
            found[key] = plain(fill(node.text, place(node.start)[1]))
        else:
            text = _rendered(node)
            found[key] = None if text is None else plain((text, *place(node.start)))
    return found


def values_in(
    block: Node, place: Place, fill: Callable[[MappedText], MappedText] | None = None
) -> Values:
    """The values in a text of YAML that is the value of a key."""
    mapped = block.mapped
    if mapped is None:
        return values_of([block], place)
    text = mapped if fill is None else fill(mapped)
    return values_of(read_documents(text.text), lambda offset: place(text.host(offset)))


def _rendered(node: Node) -> str | None:
    """What a template makes of a scalar; None if that is not known.

    Helm reads YAML 1.1 (helm/helm#12179): without quotes `yes` is true, and 0x10, 010 and 1_000
    are other numbers.
    """
    text = node.text
    if not isinstance(node.value, str) or node.is_quoted:
        return text if isinstance(node.value, str) else None
    word = text.lower()
    if word in _SWITCHES and text in (word, word.title(), word.upper()):
        return _SWITCHES[word]
    return None if _OTHER_NUMBER.fullmatch(text) is not None else text


def plain(found: PlacedText | None) -> PlacedText | None:
    """A value that is the same in MQSC, in YAML and in quotes; None for any other."""
    return found if found is not None and _PLAIN.fullmatch(found[0]) is not None else None


def _leaves(documents: Iterable[Node]) -> Iterator[tuple[Key, Node | None]]:
    """Yield the scalars below some documents, and None for each list."""
    waiting: list[tuple[Key, Node]] = [((), document) for document in documents]
    while waiting:
        path, node = waiting.pop()
        if len(path) >= _DEEPEST:
            continue
        listed = ((f"{LISTED}{at}", item) for at, item in enumerate(node.items))
        if node.kind == "list" and path:
            yield (*path, LISTED), None
        for key, value in chain(node.pairs.items(), listed):
            if value.kind == "scalar":
                yield (*path, key), value
            waiting.append(((*path, key), value))


def merged(layers: Iterable[Values]) -> Values:
    """The values of layers, of which each replaces those of the layers before it."""
    found: dict[Key, PlacedText | None] = {}
    for layer in layers:
        whole = {key[:-1] for key in layer if key[-1] == LISTED} | layer.keys()
        above = {key[:at] for key in layer for at in range(1, len(key))}
        found = {
            key: value
            for key, value in found.items()
            if key not in above and not is_below(key, whole)
        }
        found.update(layer)
    return found


def agreed(defaults: Values, others: Sequence[Values]) -> Values:
    """The values that several files set together; one that they set differently is unknown.

    Lists of several of them are unknown.
    """
    if len(others) == 1:
        return merged([defaults, *others])
    lists = {key[:-1] for other in others for key in other if key[-1] == LISTED}
    found = {key: value for key, value in defaults.items() if not is_below(key, lists)}
    for other in others:
        for key, value in other.items():
            if not is_below(key, lists):
                before = found.get(key)
                is_same = before is not None and value is not None and before[0] == value[0]
                found[key] = before if is_same else None
    return found


def is_below(key: Key, keys: Set[Key]) -> bool:
    return bool(keys) and any(key[:at] in keys for at in range(1, len(key)))


def written(values: ChartValues, text: str) -> MappedText:
    """Return values as YAML, at the places that they have in a text."""
    tree: dict[str, Any] = {}
    for key, value in values.items():
        below = tree
        for name in key[:-1]:
            below = below.setdefault(name, {})
            if not isinstance(below, dict):
                break
        else:
            if key[-1] != LISTED:
                below[key[-1]] = value
    builder = MappedTextBuilder()
    _write(tree, "", text, builder)
    return builder.finish(builder.length)


def _place(value: object) -> int:
    """The place of a value, or of the first one below it."""
    while isinstance(value, dict) and value:
        value = next(iter(value.values()))
    return value[1] if isinstance(value, tuple) else 0


def _write(tree: Mapping[str, Any], blanks: str, text: str, to: MappedTextBuilder) -> None:
    for name, value in tree.items():
        place = _place(value)
        to.add(f"{blanks}-" if name.startswith(LISTED) else f"{blanks}{name}:", place, 0)
        if isinstance(value, dict):
            to.add("\n" if value else " []\n", 0, 0)
            _write(value, f"{blanks}  ", text, to)
        elif value is None:
            to.add(" '{{ }}'\n", 0, 0)
        else:
            mark = text[value[1] : value[1] + 1]
            mark = mark if mark in ("'", '"') else ""
            to.add(f" {mark}", value[1], 0)
            to.add_mapped(mapped_at(value[0], value[1]))
            to.add(f"{mark}\n", value[1], 0)
