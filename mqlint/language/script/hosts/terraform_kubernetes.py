"""Resources of Kubernetes and tasks of Amazon ECS, for which Terraform has types, as YAML.

    resource "kubernetes_stateful_set" "pay" {
      metadata { name = "pay" }
      spec {
        template {
          spec {
            container {
              image = "icr.io/ibm-messaging/mq:9.4.0.0-r1"
              ...

A block that may be repeated is an item of a list, and its name is that of one item. An expression
that is not written out is unknown, except the name of another resource of the file. (Reference of
the provider "kubernetes".)
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Final

from mqlint.dataclass import NamedTuple
from mqlint.grouping import grouped
from mqlint.language.script.hosts.hcl_values import add_value, as_yaml
from mqlint.language.text.hcl import Block, Expression, Text, read_hcl
from mqlint.language.text.mapped import MappedText, MappedTextBuilder, joined
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import headed, later
from mqlint.source.lines import Span

_RESOURCE = later(
    r"(?m)^resource[ \t]+\"(?P<type>(?:kubernetes_|aws_(?=ecs_task_definition\"))"
    r"(?P<kind>[a-z_]{1,60}?)(?:_v\d)?)\""
    r"[ \t]+\"(?P<label>[\w-]{1,100})\"[ \t]*\{"
)
_KINDS: Final = {
    "config_map": ("v1", "ConfigMap"),
    "secret": ("v1", "Secret"),
    "service": ("v1", "Service"),
    "pod": ("v1", "Pod"),
    "persistent_volume_claim": ("v1", "PersistentVolumeClaim"),
    "deployment": ("apps/v1", "Deployment"),
    "stateful_set": ("apps/v1", "StatefulSet"),
    "daemonset": ("apps/v1", "DaemonSet"),
    "network_policy": ("networking.k8s.io/v1", "NetworkPolicy"),
}
_TASK: Final = "ecs_task_definition"
_TOP: Final = frozenset({"metadata", "spec", "data", "binary_data", "type"})
"""What a resource has of its kind; the rest is for Terraform."""
_OF_TASK: Final = frozenset({"family", "container_definitions", "volume"})
_IN_SECRET: Final = {"data": "stringData", "binary_data": "data"}
_LISTS: Final = {
    "container": "containers",
    "init_container": "initContainers",
    "port": "ports",
    "volume": "volumes",
    "volume_mount": "volumeMounts",
    "volume_claim_template": "volumeClaimTemplates",
    "toleration": "tolerations",
    **{
        name: name
        for name in "env env_from ports items ingress egress from to image_pull_secrets".split()
    },
}
"""Blocks that are items of a list, each with the name of the list, in words."""
_OTHERS: Final = {"cluster_ip": "clusterIP", "host_ip": "hostIP", "external_ips": "externalIPs"}
_LOCALS = later(r"(?m)^locals[ \t]*\{")
_NAMES = ("metadata[0].name", "metadata.0.name")
"""How a reference names a resource."""
_LONGEST: Final = 1000
"""Limit of the characters of a local value that is repeated."""


class Typed(NamedTuple):
    """The resources as one text of several documents, None for none, and their places."""

    resources: MappedText | None
    places: list[Span]

    def hold(self, offset: int) -> bool:
        """Whether an offset is in one of the resources."""
        before = bisect_right(self.places, (offset, offset)) - 1
        return before >= 0 and offset < self.places[before][1]


def typed_resources(text: str) -> Typed:
    """Return the resources of a file that are written out: none that has a `dynamic` block."""
    if _RESOURCE.search(text) is None:
        return Typed(None, [])
    local = [block for _, block in _blocks(_LOCALS, text)]
    names = _values_of(text, local, _values_of(text, local, {}))
    kinds = {*_KINDS, _TASK}
    read = [found for found in _blocks(_RESOURCE, text) if found[0]["kind"] in kinds]
    for match, block in read:
        for name in _NAMES:
            names[f"{match['type']}.{match['label']}.{name}"] = _name(block)
    whole = [
        (match, block)
        for match, block in read
        if block.is_whole and all(inner.words[0] != "dynamic" for inner in _below(block))
    ]
    documents = [_document(text, match, block, names) for match, block in whole]
    places = [(match.start(), block.end) for match, block in whole]
    return Typed(joined(documents, "\n---\n") if documents else None, places)


_Names = Mapping[str, str]
"""What references stand for, as YAML."""


def _below(block: Block) -> Iterator[Block]:
    return (inner for outer in block.walk() for inner in outer.blocks)


def _name(resource: Block) -> str:
    """The name of a resource, unknown if it is not written out."""
    metadata = next((block for block in resource.blocks if block.words[0] == "metadata"), resource)
    found = metadata.attributes.get("name")
    return f'"{found.text}"' if isinstance(found, Text) else PLACEHOLDER


def _values_of(text: str, blocks: Iterable[Block], known: _Names) -> dict[str, str]:
    """The local values of the file, by the words that stand for them; `known` are in others."""
    found = {
        f"local.{key}": as_yaml(text, value, known).text
        for block in blocks
        for key, value in block.attributes.items()
    }
    return {name: value for name, value in found.items() if len(value) <= _LONGEST}


def _blocks(pattern: re.Pattern[str], text: str) -> Iterator[tuple[re.Match[str], Block]]:
    """Yield the blocks that a pattern begins, each up to where the next begins at most."""
    for match, end in headed(pattern, text):
        yield match, read_hcl(text, match.end(), end)


def _document(text: str, resource: re.Match[str], block: Block, names: _Names) -> MappedText:
    builder = MappedTextBuilder()
    kind, start = resource["kind"], resource.start()
    version, word = _KINDS.get(kind, ("", ""))
    builder.add(f"{{apiVersion: {version}, kind: {word}, " if word else "{", start, 0)
    renamed = _IN_SECRET if kind == "secret" else {}
    own = _TOP if word else _OF_TASK
    entries = (
        (at, renamed.get(key, key), values) for at, key, values in _entries(block) if key in own
    )
    _add_entries(builder, text, entries, names)
    builder.add("}", block.end - 1, 1)
    return builder.finish(block.end)


_Entry = tuple[int, str, Sequence[Expression | Block]]
"""The place of a key, the key, and all blocks or the one value of it."""


def _entries(block: Block) -> Sequence[_Entry]:
    """Return the entries of a block in their order."""
    blocks = grouped((inner.words[0], inner) for inner in block.blocks)
    found: list[_Entry] = [(listed[0].start, name, listed) for name, listed in blocks.items()]
    found += ((block.starts[name], name, [value]) for name, value in block.attributes.items())
    return sorted(found, key=itemgetter(0))


def _add(builder: MappedTextBuilder, text: str, value: Expression | Block, names: _Names) -> None:
    if not isinstance(value, Block):
        add_value(builder, text, value, names)
        return
    builder.add("{", value.start, 0)
    _add_entries(builder, text, _entries(value), names)
    builder.add("}", value.start, 0)


def _add_entries(
    builder: MappedTextBuilder, text: str, entries: Iterable[_Entry], names: _Names
) -> None:
    for at, key, values in entries:
        is_list = key in _LISTS and isinstance(values[0], Block)
        builder.add(f"{_camel(_LISTS[key] if is_list else key)}: ", at, len(key))
        builder.add("[" if is_list else "", at, 0)
        for item in values if is_list else values[:1]:
            _add(builder, text, item, names)
            builder.add(", " if is_list else "", at, 0)
        builder.add("], " if is_list else ", ", at, 0)


def _camel(name: str) -> str:
    """The name in Kubernetes of a name whose words are joined by underscores."""
    if name in _OTHERS:
        return _OTHERS[name]
    first, *words = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in words)
