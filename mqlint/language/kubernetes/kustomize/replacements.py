"""Replacements of Kustomize: fields of resources that get the value of another field.

Sources: "replacements" in the Kustomization File reference, and api/filters/replacement of
kubernetes-sigs/kustomize. Since 5.0.0 the build fails if a target lacks the field and `create` is
not set (kubernetes-sigs/kustomize#4789).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from mqlint.finding import diagnostic
from mqlint.language.kubernetes.kustomize.resources import Part, Resource, Selector
from mqlint.language.kubernetes.merge import Undecided, changed, mapping, scalar, with_child
from mqlint.language.yaml.tree import Node
from mqlint.number import signed_number, whole_number
from mqlint.patterns import later
from mqlint.source.budget import DEEPEST

_STEP = later(r"(?:\\.|\[[^\]\n]{0,200}\]|[^.\\])+")
_ESCAPED = later(r"\\(.)")
_ENTRY = later(r"\[([^=\]]+)=([^\]]*)\]")
_NAME = "metadata.name"
"""The field that is meant if none is named."""


_Spend = Callable[[int], None]


def replace_fields(replacement: Node, own: Part, spend: _Spend) -> None:
    """Apply one replacement to resources, and add what makes the build fail to their faults.

    The value of a resource that is not among the files is unknown. `spend` counts the steps.
    """
    spend(len(own.resources))
    value = _value(replacement, own, spend)
    if value is None:
        return
    for target in replacement.entries("targets"):
        select = target.child("select")
        if select is None:
            raise Undecided("a replacement selects no target")
        wanted, rejected = Selector(select), [*map(Selector, target.entries("reject"))]
        spend(len(own.resources) * (1 + len(rejected)))
        paths = [*target.entries("fieldPaths")]
        for resource in own.resources:
            is_rejected = any(selector.takes(resource) for selector in rejected)
            if is_rejected or not _is_in(select, resource) or not wanted.takes(resource):
                continue
            spend(resource.size * (1 + len(paths)))
            for path in paths or [select]:
                _replace(resource, path, value, target, own, spend)


def _replace(
    resource: Resource, path: Node, value: Node, target: Node, own: Part, spend: _Spend
) -> None:
    options = target.child("options")
    creates = options is not None and options.word("create") == "true"
    written = path.text or _NAME

    def replaced(old: Node | None) -> Node:
        return _joined(old, value, options, spend)

    node = _with_field(resource.node, _steps(written), replaced, creates=creates)
    if node is not None:
        resource.node = node
    elif any(below.open for below in resource.node.walk()):
        raise Undecided("a replacement changes a resource with templates")
    else:
        _fault(own, path, f"{resource.kind} {resource.names[0]} has no field {written[:200]}")


def _fault(own: Part, place: Node, text: str) -> None:
    own.built.faults.append(diagnostic("replacement-unmatched", place.span, fault=text))


def _steps(path: str) -> list[str]:
    """The steps of a path; brackets without an equal sign are around a key with dots."""
    steps = [_ESCAPED.sub(r"\1", step) for step in _STEP.findall(path)]
    if not 0 < len(steps) <= DEEPEST:
        raise Undecided("a replacement has a path that is not followed")
    return [step if "=" in step else step.strip("[]") for step in steps]


def _is_in(selector: Node, resource: Resource) -> bool:
    """Whether a resource has the namespace that a selector asks for."""
    namespace = selector.word("namespace")
    return not namespace or namespace == resource.node.word("metadata", "namespace")


def _value(replacement: Node, own: Part, spend: _Spend) -> Node | None:
    """The value of the source, None if the build fails because it has none."""
    source, plain = replacement.child("source"), replacement.child("sourceValue")
    if plain is not None:
        return plain
    if source is None:
        raise Undecided("a replacement has no source")
    selector = Selector(source)
    found = [
        resource
        for resource in own.resources
        if _is_in(source, resource) and selector.takes(resource)
    ]
    unknown = Node(*source.span, kind="scalar", known=False)
    name = " ".join(filter(None, (source.word("kind"), source.word("name")))) or "the source"
    if not found:
        if own.built.may_have_more(source.word("kind")):
            return unknown
        _fault(own, source.child("name") or source, f"{name} is not among the resources")
        return None
    if len(found) > 1:
        raise Undecided("a replacement has several sources")
    path = source.child("fieldPath")
    written = path.text if path is not None else _NAME
    values = [*_fields(found[0].node, _steps(written))]
    if len(values) != 1:
        if values or any(below.open for below in found[0].node.walk()):
            return unknown
        _fault(own, path or source, f"{name} has no field {written[:200]}")
        return None
    is_encoded = found[0].kind == "Secret" and found[0].is_generated  # its data are in base64
    return unknown if is_encoded else _part(values[0], source.child("options"), spend) or unknown


def _part(value: Node, options: Node | None, spend: _Spend) -> Node | None:
    """The part of a value that options choose, None if it is not known."""
    delimiter = options.word("delimiter") if options is not None else ""
    if value.kind == "empty" or options is None or not delimiter:
        return value if value.kind != "empty" else None
    spend(len(value.text))
    parts = value.text.split(delimiter)
    at = whole_number(options.word("index") or "0")
    if at is None or at >= len(parts) or not isinstance(value.value, str):
        return None
    return scalar(parts[at], value.span)


def _joined(old: Node | None, value: Node, options: Node | None, spend: _Spend) -> Node:
    """The new value of a field, of which options may change only a part."""
    delimiter = options.word("delimiter") if options is not None else ""
    if old is None or options is None or not delimiter:
        return value
    at = signed_number(options.word("index") or "0")
    is_plain = isinstance(value.value, str) and isinstance(old.value, str)
    if at is None or not is_plain or "\n" in old.text:
        return Node(*old.span, kind="scalar", known=False)
    spend(len(old.text) + len(value.text))  # a field may be joined to itself, again and again
    parts = old.text.split(delimiter)
    if at < 0:
        parts.insert(0, value.text)
    else:
        parts[at : at + 1] = [value.text]
    return scalar(delimiter.join(parts), value.span)


def _fields(node: Node, steps: list[str]) -> Iterator[Node]:
    """Yield the values that a path leads to."""
    if not steps:
        yield node
        return
    if node.kind == "list":
        chosen: Iterable[Node] = (node.items[at] for at in _chosen(node, steps[0]))
    else:
        chosen = filter(None, [node.child(steps[0])])
    for below in chosen:
        yield from _fields(below, steps[1:])


def _chosen(node: Node, step: str) -> list[int]:
    """The entries of a list that a step of a path chooses."""
    found = _ENTRY.fullmatch(step)
    if found is not None:
        return [at for at, item in enumerate(node.items) if item.word(found[1]) == found[2]]
    at = whole_number(step)
    if step != "*" and at is None:
        raise Undecided("a replacement has a path that is not followed")
    return [each for each in range(len(node.items)) if at is None or each == at]


def _with_field(
    node: Node, steps: list[str], replaced: Callable[[Node | None], Node], *, creates: bool
) -> Node | None:
    """Return a tree with a new value of a field, None if it has no such field."""
    step, rest = steps[0], steps[1:]
    if node.kind == "list":
        items = list(node.items)
        chosen = _chosen(node, step)
        for at in chosen:
            inner = _with_field(items[at], rest, replaced, creates=creates) if rest else None
            items[at] = inner or (items[at] if rest else replaced(items[at]))
            if rest and inner is None and step != "*":
                return None
        return changed(node, items=items) if chosen or step == "*" else None
    below = node.child(step)
    if below is None and not creates:
        return None
    if not rest:
        return with_child(node, step, replaced(below))
    inner = _with_field(below or mapping((), node.span), rest, replaced, creates=creates)
    return None if inner is None else with_child(node, step, inner)
