"""Loops of tasks of Ansible over lists and mappings that the file itself writes out.

    - shell: echo "DEFINE QLOCAL({{ item.key }}) DEFPSIST({{ item.value.persist }})" | runmqsc QM1
      loop: "{{ queues | dict2items }}"

Source: "Loops" in the documentation of Ansible. YAML 1.1 reads `yes` without quotes as true, which
a template writes as `True`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from mqlint.language.text.mapped import MappedText
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later

Element = Mapping[str, str]
"""What the variable of a loop and its parts (`item.value.depth`) stand for in one turn."""

LOOPS = ("loop", "with_items", "with_dict")
_LIST = later(r"\{\{ *([A-Za-z_]\w{0,80}) *(\| *dict2items *)?\}\}")
_PART = r"(?:\.\w{1,80}|\[ *(?:\"\w{1,80}\"|'\w{1,80}') *\])"
_REFERENCE = later(rf"\{{\{{-? *([A-Za-z_]\w{{0,80}}{_PART}{{0,4}}) *-?\}}\}}")
_BRACKETS = later(r"\[ *[\"'](\w+)[\"'] *\]")
_BOOLEAN = later(
    r"(?P<true>yes|Yes|YES|true|True|TRUE|on|On|ON)|no|No|NO|false|False|FALSE|off|Off|OFF"
)
_ODD = later(
    r"~|null|Null|NULL|[-+]?0[xXbBoO][0-9a-fA-F_]{1,40}"
    r"|[-+]?[0-9][0-9_:]{0,40}(?:\.[0-9_]{0,40})?(?:[eE][-+]?[0-9]{1,9})?|[-+]?\.[0-9]{1,40}"
)
"""A value without quotes whose text YAML may change, unless it is a plain number."""
_NUMBER = later(r"0|[1-9][0-9]{0,18}")
_SETTING = frozenset({"set_fact", "ansible.builtin.set_fact", "register"})
_MOST, _MOST_PARTS, _DEEPEST, _LONGEST = 50, 100, 4, 200
"""Limits of the elements of a loop, of the parts of one, of their keys and of a value."""


def variables_of(documents: Sequence[Node]) -> Mapping[str, Node]:
    """Return the lists and mappings in `vars` of the file that nothing else in it may set."""
    found: dict[str, Node] = {}
    doubtful: set[str] = set()
    for document in documents:
        for node in document.walk():
            for name, value in node.members("vars").items():
                doubtful |= {name} & found.keys()
                found[name] = value
            for key in _SETTING.intersection(node.pairs.names()):
                doubtful.update(node.members(key).names(), [node.word(key)])
    return {name: node for name, node in found.items() if name not in doubtful}


def elements_of(task: Node, variables: Mapping[str, Node]) -> Sequence[Element]:
    """Return what each turn of the loop of a task has, in order.

    None are known if the list is not written out, or if a condition chooses some of its elements.
    """
    key = next((key for key in LOOPS if task.child(key) is not None), None)
    looped = task.child(key) if key is not None else None
    if looped is None or key is None:
        return ()
    is_mapping = key == "with_dict"
    if looped.kind == "scalar":
        named = _LIST.fullmatch(looped.text)
        looped = variables.get(named[1]) if named is not None else None
        is_mapping |= named is not None and named[2] is not None
    if looped is None or looped.open or looped.maybe:
        return ()
    name = task.word("loop_control", "loop_var") or "item"
    conditions = task.entries_or_value("when")
    if any(re.search(rf"\b{re.escape(name)}\b", condition.text) for condition in conditions):
        return ()
    if is_mapping:
        pairs = islice(looped.pairs.items(), _MOST)
        return [{f"{name}.key": key, **_parts(value, f"{name}.value")} for key, value in pairs]
    return [_parts(item, name) for item in looped.items[:_MOST]]


def _parts(node: Node, path: str) -> Element:
    return dict(islice(_flat(node, path, 0), _MOST_PARTS))


def _flat(node: Node, path: str, depth: int) -> Iterator[tuple[str, str]]:
    """Yield the scalars of a value by their paths; one whose text is not known is left out."""
    if node.kind == "scalar" and isinstance(node.value, str):
        text = node.text if node.is_quoted else _as_template(node.text)
        if text and len(text) <= _LONGEST and "\n" not in text:
            yield path, text
    for name, value in node.pairs.items() if depth < _DEEPEST else ():
        yield from _flat(value, f"{path}.{name}", depth + 1)


def _as_template(text: str) -> str:
    """Return what a template writes for a value without quotes, blank if that is not known."""
    boolean = _BOOLEAN.fullmatch(text)
    if boolean is not None:
        return "False" if boolean["true"] is None else "True"
    is_odd = _ODD.fullmatch(text) is not None and _NUMBER.fullmatch(text) is None
    return "" if is_odd else text


def in_turn(written: MappedText, element: Element) -> MappedText:
    """Return a text as it is in one turn of its loop; what the element does not say stays."""

    def value(found: re.Match[str]) -> str:
        return element.get(_BRACKETS.sub(r".\1", found[1]), found[0])

    return written.sub(_REFERENCE, value)
