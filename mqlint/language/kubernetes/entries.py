"""Entries of ConfigMaps and Secrets: documents in other languages, and who reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain

from mqlint.dataclass import frozen
from mqlint.language.declaration import NamedFile
from mqlint.language.feeding import entry_name
from mqlint.language.ini import INI
from mqlint.language.kubernetes.faults.check import Holder
from mqlint.language.kubernetes.pod import may_be_same
from mqlint.language.kubernetes.source import ConfigurationSource
from mqlint.language.mqsc.language import MQSC
from mqlint.language.script.step import Embedded
from mqlint.language.script.unread.mentions import encoded_commands
from mqlint.language.yaml.embedded_mqsc import decoded, lines_of, mqsc_in
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.source.budget import Budget

HOLDERS = frozenset({"ConfigMap", "Secret"})
PARTS = ("data", "stringData", "binaryData")
"""The keys of the entries of a ConfigMap or Secret."""
_FILE_NAME = later(
    r"(?:[\w.-]{1,100}/){0,20}[\w-][\w.-]{0,100}"
    r"\.(?:ya?ml|json|mqsc|ini|sh|xml|properties|conf|cfg)"
)
_FOLDER = later(r"(?:\.{1,2}/){1,20}(?:[\w.-]{1,100}/){0,20}[.-]{0,8}\w[\w.-]{0,100}/?")
"""A path that is certainly local: without the dots it may be the address of a repository."""
GENERATORS = {"configMapGenerator": "ConfigMap", "secretGenerator": "Secret"}


@frozen
class Reader:
    """A queue manager that reads entries of a ConfigMap or Secret, and the names that it uses.

    `namespace` is that of both, blank if nothing states it.
    """

    queue_manager: str | None
    model: str
    source: ConfigurationSource
    namespace: str


class _Readers:
    """Who reads each entry of one ConfigMap or Secret."""

    def __init__(self, kind: str, namespace: str, readers: Iterable[Reader]) -> None:
        self._of_all: list[Reader] = []
        self._of_key: dict[str, list[Reader]] = {}
        for reader in readers:
            if reader.source.kind != kind or not may_be_same(reader.namespace, namespace):
                continue
            if reader.source.items is None:
                self._of_all.append(reader)
            for item in reader.source.items or ():
                self._of_key.setdefault(item.text, []).append(reader)

    def takes_stanzas(self, key: str) -> bool:
        """Whether a queue manager reads an entry as stanzas, whatever is in it."""
        return any(reader.source.use == "ini" for reader in self._of_key.get(key, ()))

    def of(self, key: str) -> Iterator[Reader]:
        """Yield the readers of an entry, each queue manager once."""
        seen: set[tuple[str | None, str]] = set()
        for reader in chain(self._of_key.get(key, ()), self._of_all):
            if (reader.queue_manager, reader.model) not in seen:
                seen.add((reader.queue_manager, reader.model))
                yield reader


def embedded_in(
    document: Node, readers_by_name: Mapping[str, list[Reader]], budget: Budget
) -> Iterator[Embedded]:
    """The MQSC and stanza files that a document holds, those of ConfigMaps once for each reader."""
    kind = document.word("kind")
    if kind not in HOLDERS:
        yield from mqsc_in(document)
        return
    name = document.word("metadata", "name")
    namespace = document.word("metadata", "namespace")
    readers = _Readers(kind, namespace, readers_by_name.get(name, ()))
    for part in PARTS:
        for key, value in document.members(part).items():
            if value.mapped is None or not value.known:
                continue
            encoded = part == "binaryData" or (kind == "Secret" and part == "data")
            mapped = decoded(value) if encoded else lines_of(value)
            holds = mapped is not None and mapped.text.strip()
            language = _language(key, mapped.text) if mapped is not None and holds else None
            if language is None and holds and readers.takes_stanzas(key):
                language = "ini"
            if mapped is None or language not in ("mqsc", "ini"):
                continue
            found = Embedded.of(
                *(language, mapped, None),
                maybe=value.maybe,
                encoded=encoded,
                model=f"#{value.start}",
            )
            number = -1
            for number, reader in enumerate(readers.of(key)):
                if number and not budget.spend(len(mapped.text), len(mapped.segments)):
                    break
                applied = reader.source.applies and key.endswith(".mqsc")
                owner = reader.queue_manager
                yield replace(found, queue_manager=owner, model=reader.model, applied=applied)
            if number < 0:
                yield replace(found, entry=entry_name(kind, name, key) if name else "")


_PARTS_OF_MANAGERS = frozenset(
    {"spec", "template", "containers", "env", "queueManager", "mqsc", "ini"}
)
"""Keys of resources below which there may be a queue manager, its variables or its files."""


def undecoded_entries(document: Node) -> Iterator[int]:
    """Yield the places of files of MQ whose base64 holds no text, such as one that is packed."""
    if document.word("kind") == "ConfigMap":
        for key, value in document.members("binaryData").items():
            if value.mapped is None or not value.known or decoded(value) is not None:
                continue
            is_file = key.endswith((".mqsc", ".ini"))
            if is_file or next(encoded_commands(value.mapped.text), -1) >= 0:
                yield value.start


def merged_entries(document: Node, text: str) -> Iterator[int]:
    """Yield where a ConfigMap or Secret takes entries from elsewhere in the file, by an alias.

    Also where any other resource takes a part from there that may describe a queue manager.
    """
    for node in document.walk() if document.word("kind") and "*" in text else ():
        for key, value in node.pairs.items() if node.kind == "mapping" else ():
            is_alias = value.kind == "scalar" and value.open and text.startswith("*", value.start)
            if key in _PARTS_OF_MANAGERS and is_alias:
                yield value.start
    for part in PARTS if document.word("kind") in HOLDERS else ():
        entries = document.child(part)
        if entries is None:
            continue
        if text.startswith("*", entries.start):
            yield entries.start
        if entries.open:
            yield from (span[0] for key, span, _ in entries.pairs if key == "<<")


def is_kustomization(document: Node) -> bool:
    if document.word("kind"):
        is_component = document.word("apiVersion").startswith("kustomize.config.k8s.io/")
        return document.word("kind") == "Kustomization" or is_component
    return any(document.entries(key) for key in ("resources", "bases", "components", *GENERATORS))


def is_patch(document: Node) -> bool:
    """Whether a document is a list of operations that change another (RFC 6902)."""
    return document.kind == "list" and any(item.word("op") for item in document.items)


def generated_by(document: Node, readers: Mapping[str, list[Reader]]) -> Iterator[Holder]:
    """Yield the ConfigMaps and Secrets that a kustomization makes of files and literals."""
    for generator, kind in GENERATORS.items() if is_kustomization(document) else ():
        for made in document.entries(generator):
            is_open = made.open or any(made.child(key) for key in ("envs", "env", "behavior"))
            entries = [item.text for key in ("files", "literals") for item in made.entries(key)]
            keys = (entry.partition("=")[0].rpartition("/")[2] for entry in entries)
            name, namespace = made.word("name"), made.word("namespace")
            yield Holder(
                *(kind, name, namespace or document.word("namespace")),
                dict.fromkeys(keys),
                is_open,
                name in readers,
                is_generated=True,
            )


MADE_SECRETS = {
    "Certificate": (("spec", "secretName"),),
    "ExternalSecret": (("spec", "target", "name"), ("metadata", "name")),
    "SealedSecret": (("spec", "template", "metadata", "name"), ("metadata", "name")),
    "VaultStaticSecret": (("spec", "destination", "name"),),
}
"""Resources of which a controller makes a Secret, with the first place that has its name."""


_OF_CERTIFICATE = ("ca.crt", "tls.crt", "tls.key")
_MORE_ENTRIES = ("keystores", "additionalOutputFormats")
"""Keys of a Certificate that ask for entries besides these three."""


def secret_of_controller(document: Node, readers: Mapping[str, list[Reader]]) -> Iterator[Holder]:
    """Yield the Secret that a controller makes; cert-manager writes the key and certificates."""
    kind, spec = document.word("kind"), document.child("spec")
    names = (document.word(*path) for path in MADE_SECRETS.get(kind, ()))
    name = next(filter(None, names), "")
    if name and spec is not None:
        keys = _OF_CERTIFICATE if kind == "Certificate" else ()
        is_open = not keys or spec.open or any(spec.child(key) for key in _MORE_ENTRIES)
        namespace = document.word("metadata", "namespace")
        yield Holder("Secret", name, namespace, dict.fromkeys(keys), is_open, name in readers)


def files_of_kustomization(document: Node) -> Iterator[NamedFile]:
    """Yield the files and folders that a kustomization names, but not what may be elsewhere."""
    if not is_kustomization(document):
        return
    made = (
        entry for item in document.entries("configMapGenerator") for entry in item.entries("files")
    )
    patches = (patch.child("path") for patch in document.entries("patches"))
    keys = ("resources", "bases", "components", "patchesStrategicMerge")
    listed = (node for part in keys for node in document.entries(part))
    for node in (*listed, *made, *filter(None, patches)):
        name = node.word().rpartition("=")[2]
        if _FILE_NAME.fullmatch(name) or _FOLDER.fullmatch(name):
            yield NamedFile(name, node.span, is_certain=True)


def holder_of(document: Node, readers: Mapping[str, list[Reader]]) -> Holder:
    """A ConfigMap or Secret with the languages of its entries, by what these begin with."""
    languages: dict[str, str | None] = {}
    is_open = document.open
    for part in PARTS:
        entries = document.child(part)
        if entries is None:
            continue
        is_open = is_open or entries.open or entries.kind not in ("mapping", "empty")
        for key, value in entries.pairs.items():
            text = value.text if part == "data" and value.known else ""
            languages[key] = _content(text) if text.strip() else None
    name, kind = document.word("metadata", "name"), document.word("kind")
    namespace = document.word("metadata", "namespace")
    return Holder(kind, name, namespace, languages, is_open, name in readers)


_OF_STANZAS = later(r"(?:[\w.-]{1,100}[_-])?ini")
"""The name of an entry that is a file of stanzas under another name, such as `ini`."""


def _content(text: str) -> str | None:
    """The language of an entry by its content alone."""
    if MQSC.accepts("", text):
        return "mqsc"
    return "ini" if INI.accepts("a.ini", text) else None


def _language(key: str, text: str) -> str | None:
    """The language of an entry: by its name and content, or else by its content alone."""
    of_stanzas = f"{key}.ini" if _OF_STANZAS.fullmatch(key) is not None else key
    for language, name in ((MQSC, key), (INI, of_stanzas), (MQSC, "")):
        if language.accepts(name, text):
            return language.name
    return None
