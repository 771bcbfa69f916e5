"""Faults of manifests: unknown keys and words, and names of resources that do not exist."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from mqlint.dataclass import frozen
from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.kubernetes.faults.variables import variable_faults
from mqlint.language.kubernetes.pod import may_be_same, number_of
from mqlint.language.kubernetes.quantity import quantity_faults, resource_faults
from mqlint.language.kubernetes.source import ConfigurationSource
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.vocabulary.container import GRACE_SECONDS
from mqlint.vocabulary.distance import (
    distance,
    nearest,
    nearest_in_any_case,
    nearest_or_short,
    same_but_for_tag,
)
from mqlint.vocabulary.kubernetes import (
    OperatorVocabulary,
    Path,
    WorkloadVocabulary,
    kubernetes_vocabulary,
    releases_of_licences,
)

_OPERATOR = kubernetes_vocabulary().operator
_API = "mq.ibm.com/v1beta1"
_ENDINGS = {"mqsc": ".mqsc", "ini": ".ini"}
_QUEUE_MANAGER = ("spec", "queueManager")
_GROUP, _KIND = "mq.ibm.com", "QueueManager"
_CONTAINER = "qmgr"
"""The name of the queue manager's container in a pod of the Operator."""
_BOOLEANS = frozenset({"true", "false", "yes", "no", "on", "off"})
_VERSION = later(r"\d{1,2}(?:\.\d{1,3}){3}-\S{1,60}")
_FILLED_IN = later(r"__\w{1,60}__|%\w{1,60}%|[A-Z][A-Z0-9]{0,30}(?:_[A-Z0-9]{1,30}){1,9}")
"""A word that a script replaces before the file is used, as `sed s/QM_NAME/qm1/` does."""
MOST_COMPARED = 20
"""Of how many resources it is looked for one that is meant: more are not compared."""


@frozen
class Holder:
    """A ConfigMap or Secret of the file: its entries, and the language of those that are read.

    `is_open` is true if it may have more entries than are written, `is_read` if a queue manager of
    the file names it, `is_generated` if a kustomization makes it.
    """

    kind: str
    name: str
    namespace: str
    languages: Mapping[str, str | None]
    is_open: bool
    is_read: bool
    is_generated: bool = False


def faults_of_resource(document: Node) -> Iterator[Diagnostic]:
    for path, known in _OPERATOR.keys.items():
        node = document.get(*path)
        if node is not None:
            yield from key_faults(node, known)
            yield from keys_of_other_levels(node, path, _OPERATOR, "the MQ Operator")
    for path, known in _OPERATOR.lists.items():
        for entry in document.entries(*path):
            yield from key_faults(entry, known)
            for source in entry.pairs.values():
                yield from key_faults(source, _OPERATOR.source_keys)
    for path, words in _OPERATOR.words.items():
        node = document.get(*path)
        if node is not None:
            yield from word_faults(node, path[-1], words)

    yield from _values_of_resource(document)
    yield from _containers_of_resource(document)
    yield from _volumes_of_instances(document)
    yield from grace_faults(document.get("spec", "terminationGracePeriodSeconds"))
    yield from keys_twice(document)
    for entry in document.entries("spec", "pki", "keys"):
        yield from certificate_faults(entry)


def grace_faults(grace: Node | None) -> Iterator[Diagnostic]:
    """Yield the seconds that a pod has to end, if they are fewer than the default."""
    seconds = number_of(grace)
    if grace is not None and seconds is not None and seconds < GRACE_SECONDS:
        yield diagnostic("grace-short", grace.span, seconds=str(seconds), least=str(GRACE_SECONDS))


def word_faults(node: Node, key: str, words: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield the value of a key that takes none but these words, in this case."""
    value = node.word()
    if value and value not in words and _FILLED_IN.fullmatch(value) is None:
        yield _unknown_word(node, key, ", ".join(words), nearest_in_any_case(value, words))


def _unknown_word(node: Node, key: str, words: str, near: str) -> Diagnostic:
    """Report the value of a key; `words` are valid, and `near` may be meant, or is blank."""
    return diagnostic(
        "manifest-unknown-word", node.span, word=node.word(), key=key, words=words, nearest=near
    )


def keys_twice(node: Node) -> Iterator[Diagnostic]:
    """Yield keys that a mapping has again, anywhere below a node; branches of templates aside."""
    for below in node.walk():
        seen: set[str] = set()
        for key, span, value in below.pairs if not below.is_partial else ():
            if key in seen and not value.maybe and key != "<<":
                yield diagnostic("manifest-key-again", span, word=key)
            if not value.maybe:
                seen.add(key)


def certificate_faults(entry: Node) -> Iterator[Diagnostic]:
    """Yield items of a key in `pki` without the private key, or its certificate.

    The container takes a file `NAME.key`, and files whose names begin with NAME and end in `.crt`
    (internal/tls/tls.go of ibm-messaging/mq-container).
    """
    items = entry.get("secret", "items")
    names = [item.value for item in items.items] if items is not None else []
    if items is None or items.open or not names:
        return
    known = [name for name in names if isinstance(name, str)]
    missing = "" if len(known) < len(names) else missing_of_key(known)
    if missing:
        yield diagnostic("certificate-part", items.span, missing=missing)


def missing_of_key(names: Sequence[str]) -> str:
    """Return what the files of a key lack, its private key or its certificate; blank for none."""
    private = [name.removesuffix(".key") for name in names if name.endswith(".key")]
    if not private:
        return "private key (*.key)"
    if any(name.startswith(private[-1]) and name.endswith(".crt") for name in names):
        return ""
    return f"certificate ({private[-1]}*.crt)"


def _containers_of_resource(document: Node) -> Iterator[Diagnostic]:
    """Yield containers that neither change the one of the queue manager nor have an image."""
    for entry in document.entries("spec", "template", "pod", "containers"):
        name = entry.child("name")
        if name is not None and not entry.open and entry.child("image") is None:
            yield from word_faults(name, "name", (_CONTAINER,))


def _volumes_of_instances(document: Node) -> Iterator[Diagnostic]:
    """Yield volumes for data or log of several instances that are ephemeral: each has its own."""
    if document.word(*_QUEUE_MANAGER, "availability", "type") != "MultiInstance":
        return
    for volume in ("persistedData", "recoveryLogs"):
        node = document.get(*_QUEUE_MANAGER, "storage", volume, "type")
        if node is not None and node.value == "ephemeral":
            yield diagnostic("instances-apart", node.span, volume=volume)


_OF_EVERY_RESOURCE = frozenset({"apiVersion", "kind", "metadata", "spec", "status"})


def faults_of_kind(document: Node) -> Iterator[Diagnostic]:
    """Yield a version of the API, or a kind, that the Operator does not have, and typos beside."""
    version, kind = document.get("apiVersion"), document.get("kind")
    if kind is not None and kind.value == _KIND and version is None:
        yield from key_faults(document, _OF_EVERY_RESOURCE)
    if version is None or kind is None or not isinstance(kind.value, str):
        return
    if not isinstance(version.value, str) or version.value.partition("/")[0] != _GROUP:
        return
    if kind.value == _KIND and version.value != _API:
        yield _unknown_word(version, "apiVersion", _API, _API)
    elif kind.value != _KIND and nearest(kind.value.casefold(), (_KIND.casefold(),)):
        yield _unknown_word(kind, "kind", _KIND, _KIND)


def _values_of_resource(document: Node) -> Iterator[Diagnostic]:
    """Yield values of a QueueManager that are no booleans, words, names, versions or amounts."""
    for switch in _OPERATOR.switches:
        node, value = document.get(*switch), document.word(*switch)
        if node is None or not value:
            continue
        if node.is_quoted or value.casefold() not in _BOOLEANS:
            booleans = "true or false without quotation marks" if node.is_quoted else "true, false"
            yield _unknown_word(node, switch[-1], booleans, "")
    for path, words in _OPERATOR.near_words.items():
        node, value = document.get(*path), document.word(*path)
        if node is None or not value or value in words:
            continue
        near = _OPERATOR.mistaken.get(value) or nearest(value, words)
        if near in words:
            yield _unknown_word(node, path[-1], ", ".join(words), near)
    licence, word = document.get("spec", "license", "license"), _licence(document)
    if licence is not None and word:
        yield _unknown_word(licence, "license", word, word)
    version = document.get("spec", "version")
    written = version.value if version is not None else None
    if version is not None and isinstance(written, str) and not _VERSION.fullmatch(written):
        yield _unknown_word(version, "version", "versions such as 9.4.2.0-r1", "")
    name = document.get("spec", "queueManager", "name")
    if name is not None and name.kind == "scalar":
        yield from variable_faults({"MQ_QMGR_NAME": (name.value, name.span, name.span)})
    yield from resource_faults(document.get("spec", "queueManager", "resources"))
    for place in _OPERATOR.sizes:
        size = document.get(*place)
        if size is not None:
            yield from quantity_faults(size, "size")


def _licence(document: Node) -> str:
    """The licence that one which is not known is a typo of; blank for none."""
    written = document.word("spec", "license", "license")
    licences = releases_of_licences()
    if written in licences:
        return ""
    return next((known for known in licences if distance(written, known, 1) == 1), "")


def key_faults(node: Node, known: frozenset[str]) -> Iterator[Diagnostic]:
    for key, span, _ in node.pairs:
        near = "" if key in known else nearest_in_any_case(key, known)
        if key not in known and not near:
            near = next(
                (name for name in _OPERATOR.mistaken_keys.get(key, ()) if name in known), ""
            )
        if near:
            yield diagnostic("manifest-unknown-key", span, word=key, nearest=near)


def keys_of_other_levels(
    node: Node, path: Path, table: OperatorVocabulary | WorkloadVocabulary, reader: str
) -> Iterator[Diagnostic]:
    """Yield keys that are not for the mapping at `path`, but for one around it or within it.

    One of the same name, as `securityContext` of a pod and of a container, counts too.
    """
    known = table.keys[path]
    for key, span, value in node.pairs:
        if key in known or nearest(key.casefold(), known):
            continue
        places = [
            other
            for other, keys in table.keys.items()
            if key in keys
            and _is_related(other, path)
            and value.value in table.words.get((*other, key), (value.value,))
        ]
        near = min(((abs(len(other) - len(path)), -len(other)) for other in places), default=None)
        meant = [
            ".".join(other)
            for other in places
            if (abs(len(other) - len(path)), -len(other)) == near
        ]
        if meant:
            words = {"word": key, "key": ".".join(path), "meant": " or ".join(meant)}
            words["reader"] = reader
            yield diagnostic("manifest-key-of-other-level", span, **words)


def _is_related(path: Path, other: Path) -> bool:
    """Whether one path is within the other, or both are of parts of one kind that have one name."""
    shortest = min(len(path), len(other))
    is_within = path[:shortest] == other[:shortest]
    return is_within or (path[0] == other[0] and path[-1] == other[-1] == "securityContext")


def faults_of_sources(
    sources: Iterable[ConfigurationSource], namespace: str, holders: Mapping[str, list[Holder]]
) -> Iterator[Diagnostic]:
    """Yield the faults of the sources of a queue manager's configuration.

    `holders` are the ConfigMaps and Secrets of the file, by name.
    """
    is_small = len(holders) <= MOST_COMPARED
    every = [holder for group in holders.values() for holder in group] if is_small else []
    sources, taken = list(sources), dict[str, set[str]]()
    for source in sources:
        keys = {"*"} if source.items is None else {item.text for item in source.items}
        taken.setdefault(source.name, set()).update(keys)
    for source in sources:
        group = holders.get(source.name, [])
        if source.applies and not group and 0 < len(every) <= MOST_COMPARED:
            yield from _other_name(source, taken, namespace, every)
        elif source.applies and len(group) <= MOST_COMPARED:
            yield from _other_kind(source, namespace, group)
        found = [
            holder
            for holder in (group if len(group) <= MOST_COMPARED else ())
            if holder.kind == source.kind and may_be_same(holder.namespace, namespace)
        ]
        holder = found[0] if len(found) == 1 else None
        for item in source.items or ():
            yield from _item(item, source, holder)
        if holder is not None and source.applies and not source.use:
            yield from _mounted(source, holder)


def _other_kind(
    source: ConfigurationSource, namespace: str, group: Iterable[Holder]
) -> Iterator[Diagnostic]:
    """Report a resource that the file has only in another kind or namespace."""
    alike = [holder for holder in group if holder.kind == source.kind]
    if any(may_be_same(holder.namespace, namespace) for holder in alike):
        return
    if alike:
        meant = f"{source.name} of the namespace {alike[0].namespace}"
    else:
        near = [holder for holder in group if may_be_same(holder.namespace, namespace)]
        keys = source.needed()
        if not near or not keys <= near[0].languages.keys():
            return
        meant = f"the {near[0].kind} of this name"
    data = {"word": source.name, "kind": source.kind, "nearest": meant}
    where = source.node.child("name") or source.node.child("secretName")
    yield diagnostic("source-missing", (where or source.node).span, **data)


def _mounted(source: ConfigurationSource, holder: Holder) -> Iterator[Diagnostic]:
    """Report MQSC and stanzas that a container has under a name which crtmqm does not read."""
    if source.items is None:
        entries = [*holder.languages.items()]
        names = {key: key for key, _ in entries}
    elif source.file and len(source.items) == 1:
        key = source.items[0].text
        entries, names = [(key, holder.languages.get(key))], {key: source.file}
    else:
        return  # each entry may have another name in the container
    for key, language in entries:
        ending = _ENDINGS.get(language or "", "")
        if ending and not names[key].endswith(ending):
            data = {"word": names[key], "holder": source.name, "kind": source.kind}
            where = source.at or source.node
            yield diagnostic("entry-not-applied", where.span, **data, ending=ending)


def _other_name(
    source: ConfigurationSource,
    taken: Mapping[str, set[str]],
    namespace: str,
    every: Iterable[Holder],
) -> Iterator[Diagnostic]:
    """Report a name that is a typo of that of a resource of the file.

    Nothing reads that resource, or the queue manager reads other entries of it: those `taken`. The
    name of a resource that a kustomization makes for nothing else may differ more. A name with an
    underscore is that of a template: no resource of Kubernetes has one.
    """
    if "_" in source.name:
        return
    keys = source.needed()
    fitting = {
        holder.name: holder
        for holder in every
        if holder.kind == source.kind and may_be_same(holder.namespace, namespace)
        if not holder.is_read
        or (holder.name in taken and taken[holder.name].isdisjoint({*keys, "*"}))
        if keys and keys <= holder.languages.keys()
    }
    near = nearest_or_short(source.name, fitting)
    if not near and [holder.is_generated for holder in fitting.values()] == [True]:
        (near,) = fitting
    if near and not same_but_for_tag(near, source.name):
        data = {"word": source.name, "kind": source.kind, "nearest": near}
        where = source.node.child("name") or source.node.child("secretName")
        yield diagnostic("source-missing", (where or source.node).span, **data)


def _item(item: Node, source: ConfigurationSource, holder: Holder | None) -> Iterator[Diagnostic]:
    key = item.value
    if not isinstance(key, str) or not key:
        return
    data = {"word": key, "holder": source.name, "kind": source.kind}
    ending = _ENDINGS.get(source.use, "")
    has_name = source.keeps_names or "." in key  # published resources have keys without an ending
    if ending and has_name and not key.endswith(ending):
        yield diagnostic("entry-not-applied", item.span, **data, ending=ending)
        return
    if holder is None:
        return
    if key not in holder.languages:
        if not holder.is_open:
            yield diagnostic("entry-missing", item.span, **data)
        return
    language = holder.languages[key]
    is_own_name = bool(source.use)  # a volume may give it another one, see `_mounted`
    if language is not None and is_own_name and key.endswith(tuple(_ENDINGS.values())):
        expected = "mqsc" if key.endswith(".mqsc") else "ini"
        if language != expected:
            what = {"mqsc": "MQSC", "ini": "stanzas"}
            data |= {"is": what[language], "wanted": what[expected]}
            yield diagnostic("entry-of-other-language", item.span, **data)


# -- values of charts ------------------------------------------------------------------------------


_KEYS = kubernetes_vocabulary().chart.keys
_FOREIGN = 2
"""Unknown keys at the top, typos apart, that tell the values of another chart, such as those of
IBM/charts, which are the origin of this one and spell some of its keys in another way.
"""
_SWITCHES = ("enable", "enabled")
_GROUP_ID = "nativehaGroupId"
_GROUP_ROLES = ("Live", "Recovery")
"""The roles with which templates/config-map.yaml of the chart does not fail."""


def faults_of_chart(values: Node) -> Iterator[Diagnostic]:
    """Yield keys that the chart does not read and that are near one that it does.

    Of the two modes of availability it takes one (templates/stateful-set.yaml), and a group of
    Native HA must be one of those listed (README.md). Values with keys of another chart are not
    judged.
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
    yield from resource_faults(values.child("resources"))
    group = values.get("queueManager", "nativeha", "nativehaGroup")
    groups = values.entries("queueManager", "nativeha", "nativehaGroups")
    names = [entry.word(_GROUP_ID) for entry in groups]
    if group is not None and names and all(names):
        yield from word_faults(group, "nativehaGroup", names)
        installed = (
            entry.child("role") for entry in groups if group.word() == entry.word(_GROUP_ID)
        )
        for role in filter(None, installed):
            yield from word_faults(role, "role", _GROUP_ROLES)
    for path, known in _KEYS.items():
        members = values.members(*path)
        present = {key for key, _, _ in members}
        for key, span, _ in members:
            meant = "" if key in known else _meant(key, known, present)
            if meant:
                yield diagnostic("chart-unknown-key", span, word=key, nearest=meant)


def _meant(key: str, known: frozenset[str], present: set[str]) -> str:
    """The key that is meant; blank for none, or if that key exists too.

    A key that begins another one is not a typo of it: another chart may have both.
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
