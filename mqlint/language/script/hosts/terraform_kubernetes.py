"""Resources of Kubernetes for which Terraform has a type, as the YAML that they become.

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
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Final

from mqlint.dataclass import NamedTuple
from mqlint.grouping import grouped
from mqlint.language.script.hosts.hcl_values import TOKEN, end_of_value, flow, literal
from mqlint.language.text.mapped import MappedText, MappedTextBuilder, joined, mapped_at
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later
from mqlint.source.lines import Span

_RESOURCE = later(
    r"(?m)^resource[ \t]+\"kubernetes_(?P<kind>[a-z_]{1,60}?)(?:_v\d)?\""
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
_TOP: Final = frozenset({"metadata", "spec", "data", "binary_data", "type"})
"""What a resource has of its kind; the rest is for Terraform."""
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
_REFERENCE = later(
    r"kubernetes_(?P<kind>[a-z_]{1,60}?)(?:_v\d)?\.(?P<label>[\w-]{1,100})"
    r"\.metadata(?:\[0\]|\.0)\.name|(?P<local>local\.[\w-]{1,100})"
)
_LOCALS = later(r"(?m)^locals[ \t]*\{")
_LONGEST: Final = 1000
"""Limit of the characters of a local value that is repeated."""
_DEEPEST: Final = 40


class _Body(NamedTuple):
    """The entries of a block: key, place of the key, and value, which may be another block."""

    entries: list[tuple[str, int, MappedText | _Body]]
    is_whole: bool

    def text(self, *path: str) -> str:
        """The value at a path of keys, without its quotes; blank if it is not written out."""
        found: MappedText | _Body | None = self
        for name in path:
            entries = found.entries if isinstance(found, _Body) else []
            found = next((value for key, _, value in entries if key == name), None)
        return found.text.strip('"') if isinstance(found, MappedText) else ""


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
    names = _locals(text, _locals(text, {}))
    read = [found for found in _blocks(_RESOURCE, text, names) if found[0]["kind"] in _KINDS]
    for match, body, _ in read:
        names[f"{match['kind']}.{match['label']}"] = _quoted(body.text("metadata", "name"))
    whole = [found for found in read if found[1].is_whole]
    documents = [
        _document(match["kind"], match.start(), body, end, names) for match, body, end in whole
    ]
    places = [(match.start(), end) for match, _, end in whole]
    return Typed(joined(documents, "\n---\n") if documents else None, places)


_Names = Mapping[str, str]
"""What references stand for, as YAML."""


def _quoted(name: str) -> str:
    return f'"{name}"' if name else PLACEHOLDER


def _locals(text: str, known: _Names) -> dict[str, str]:
    """The local values of the file, by the words that stand for them; `known` are in others."""
    return {
        f"local.{key}": value.text
        for _, body, _ in _blocks(_LOCALS, text, known)
        for key, _, value in body.entries
        if isinstance(value, MappedText) and len(value.text) <= _LONGEST
    }


def _blocks(
    pattern: re.Pattern[str], text: str, known: _Names
) -> Iterator[tuple[re.Match[str], _Body, int]]:
    """Yield the blocks that a pattern begins, each with its end: at most where the next begins."""
    found = [*pattern.finditer(text)]
    for match, following in zip_longest(found, found[1:]):
        end = following.start() if following is not None else len(text)
        yield match, *_body(text, match.end(), end, known)


def _document(kind: str, start: int, body: _Body, end: int, names: _Names) -> MappedText:
    builder = MappedTextBuilder()
    version, word = _KINDS[kind]
    builder.add(f"{{apiVersion: {version}, kind: {word}, ", start, 0)
    for key, at, value in body.entries:
        if key in _TOP:
            renamed = _IN_SECRET.get(key, key) if kind == "secret" else key
            builder.add(f"{_camel(renamed)}: ", at, len(key))
            _add(builder, value, at, names)
            builder.add(", ", at, 0)
    builder.add("}", end - 1, 1)
    return builder.finish(end)


def _add(builder: MappedTextBuilder, value: MappedText | _Body, at: int, names: _Names) -> None:
    """Append the value of a key that is at a place."""
    if isinstance(value, _Body):
        _add_block(builder, value, at, names)
    elif (named := _REFERENCE.fullmatch(value.text)) is not None:
        name = named["local"] or f"{named['kind']}.{named['label']}"
        builder.add(names.get(name, PLACEHOLDER), value.host(0), len(value.text))
    else:
        builder.add_mapped(value)


def _add_block(builder: MappedTextBuilder, block: _Body, start: int, names: _Names) -> None:
    builder.add("{", start, 0)
    for key, found in grouped((key, (at, value)) for key, at, value in block.entries).items():
        at, first = found[0]
        is_list = key in _LISTS and isinstance(first, _Body)
        builder.add(f"{_camel(_LISTS[key] if is_list else key)}: ", at, len(key))
        builder.add("[" if is_list else "", at, 0)
        for place, value in found if is_list else found[:1]:
            _add(builder, value, place, names)
            builder.add(", " if is_list else "", place, 0)
        builder.add("], " if is_list else ", ", at, 0)
    builder.add("}", start, 0)


def _camel(name: str) -> str:
    """The name in Kubernetes of a name whose words are joined by underscores."""
    if name in _OTHERS:
        return _OTHERS[name]
    first, *words = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in words)


def _body(text: str, start: int, end: int, known: _Names, depth: int = 0) -> tuple[_Body, int]:
    """Read a block up to its closing brace, and return where it ends."""
    entries: list[tuple[str, int, MappedText | _Body]] = []
    key, place, at, is_whole = "", start, start, True
    while (token := TOKEN.match(text, at, end)) is not None:
        written, at = token[0], token.end()
        if written == "}":
            return _Body(entries, is_whole), at
        if written == "{" and depth >= _DEEPEST:
            break
        if written == "{":
            inner, at = _body(text, at, end, known, depth + 1)
            is_whole = is_whole and inner.is_whole and key not in ("", "dynamic")
            entries.append((key, place, inner))
            key = ""
        elif written == "=" and key:
            value, at = _value(text, at, end, known)
            entries.append((key, place, value))
            key = ""
        elif token["word"] and not key:
            key, place = written, token.start()
        elif token["line"]:
            key = ""
    return _Body(entries, False), end


def _value(text: str, start: int, end: int, known: _Names) -> tuple[MappedText, int]:
    """Return the value of an attribute as YAML, a reference as it is written, and its end."""
    at = start
    while (token := TOKEN.match(text, at, end)) is not None and token["blank"]:
        at = token.end()
    if text[at : at + 1] in ("{", "["):
        found, after = flow(text, at, end, known)
        return found or mapped_at(PLACEHOLDER, at, after), after
    after = end_of_value(text, at, end)
    value = text[at:after]
    written = value if _REFERENCE.fullmatch(value) is not None else literal(value)
    return mapped_at(written, at, after), after
