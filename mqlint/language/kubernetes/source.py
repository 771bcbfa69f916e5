"""ConfigMaps and Secrets from which manifests give a queue manager its MQSC and stanzas.

Sources: the QueueManager API mq.ibm.com/v1beta1 and the README of ibm-messaging/mq-helm.
"""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.dataclass import frozen
from mqlint.language.feeding import entry_name
from mqlint.language.yaml.tree import Node

_CHART_LISTS = (
    ("mqscConfigMaps", "ConfigMap", "mqsc"),
    ("mqscSecrets", "Secret", "mqsc"),
    ("qminiConfigMaps", "ConfigMap", "ini"),
    ("qminiSecrets", "Secret", "ini"),
)
_NEEDED = {"key": ("tls.crt", "tls.key"), "web": ("mqwebuser.xml",)}
"""The entries that a source must have if none is named, by its use."""
_CONFIGURATION = "/etc/mqm"
"""The folder whose `*.mqsc` and `*.ini` the container gives to crtmqm."""


@frozen
class ConfigurationSource:
    """A ConfigMap or Secret from which a queue manager has its configuration.

    `kind` and `name` are those of the resource, and `node` is the place where it is named. `items`
    are the entries that are taken, None for all, or if a template decides. `use` is `mqsc`, `ini`,
    `key` (of a certificate), `web` (of the web server), `variable`, or blank if the name of each
    entry decides. `applies` is
    true if the queue manager is created with it: other folders of a container do not count. `file`
    is the name of its only entry in the container, blank for the entry's own, and `at` the place of
    that name. `keeps_names` is false if the MQ Operator chooses the names in the container.
    """

    kind: str
    name: str
    items: tuple[Node, ...] | None
    use: str
    node: Node
    applies: bool = True
    file: str = ""
    at: Node | None = None
    keeps_names: bool = True

    def needed(self) -> set[str]:
        """Return the keys that the resource must have; those of a Secret of TLS have one name."""
        if self.items is None:
            return set(_NEEDED.get(self.use, ()))
        return {item.text for item in self.items}

    def entries(self) -> list[str]:
        """Return the names of the entries that are taken (see `entry_name`)."""
        if self.use == "web":
            return []
        if self.items is None:
            return [entry_name(self.kind, self.name, "*")]
        keys = [item.value for item in self.items]
        return [entry_name(self.kind, self.name, key) for key in keys if isinstance(key, str)]


def sources_of_resource(document: Node) -> list[ConfigurationSource]:
    return [
        ConfigurationSource(
            kind, source.word("name"), _items(source), use, source, keeps_names=False
        )
        for use in ("mqsc", "ini")
        for item in document.entries("spec", "queueManager", use)
        for key, kind in (("configMap", "ConfigMap"), ("secret", "Secret"))
        if (source := item.child(key)) is not None
    ] + [
        *_of_web(document.get("spec", "web", "manualConfig")),
        *_certificates(document.get("spec", "pki")),
        *_of_replication(document.get("spec", "queueManager", "availability", "tls")),
    ]


def _of_web(manual: Node | None) -> Iterator[ConfigurationSource]:
    """Yield the ConfigMap or Secret with the configuration of the web server."""
    for key, kind in (("configMap", "ConfigMap"), ("secret", "Secret")):
        source = manual.child(key) if manual is not None else None
        if source is not None and source.child("name") is not None:
            yield ConfigurationSource(kind, source.word("name"), None, "web", source)


def _of_replication(tls: Node | None) -> Iterator[ConfigurationSource]:
    """Yield the Secret with which the instances of Native HA encrypt the log that they send."""
    if tls is not None and tls.child("secretName") is not None:
        yield ConfigurationSource("Secret", tls.word("secretName"), None, "key", tls)


def _certificates(pki: Node | None) -> list[ConfigurationSource]:
    """Return the Secrets that hold keys, and the ones with certificates that are trusted."""
    return [
        ConfigurationSource("Secret", source.word("secretName"), _items(source), "key", source)
        for use in ("keys", "trust")
        for item in (pki.entries(use) if pki is not None else ())
        if (source := item.child("secret")) is not None
    ]


def sources_of_values(values: Node) -> list[ConfigurationSource]:
    return [
        ConfigurationSource(kind, item.word("name"), _items(item), use, item)
        for key, kind, use in _CHART_LISTS
        for item in values.entries("queueManager", key)
    ] + _certificates(values.child("pki"))


def sources_of_container(spec: Node, container: Node) -> list[ConfigurationSource]:
    """Return the sources of what a container mounts; `spec` is that of the pod."""
    volumes = {volume.word("name"): volume for volume in spec.entries("volumes")}
    found: list[ConfigurationSource] = []
    for mount in container.entries("volumeMounts"):
        path, volume = mount.word("mountPath").rstrip("/"), volumes.get(mount.word("name"))
        folder, _, file = path.rpartition("/") if mount.child("subPath") else (path, "", "")
        if volume is not None:
            found.extend(_mounted(volume, mount, file, applies=folder == _CONFIGURATION))
    return found


def sources_of_variables(pod: Node) -> Iterator[ConfigurationSource]:
    """Yield where the containers of a pod have variables from, unless the entry may be missing."""
    for container in pod.entries("containers"):
        for variable in container.entries("env"):
            for key, kind in (("configMapKeyRef", "ConfigMap"), ("secretKeyRef", "Secret")):
                source = variable.get("valueFrom", key)
                entry = source.child("key") if source is not None else None
                if source is not None and entry is not None and not source.child("optional"):
                    name = source.word("name")
                    yield ConfigurationSource(kind, name, (entry,), "variable", source)


def _mounted(
    volume: Node, mount: Node, file: str, *, applies: bool
) -> Iterator[ConfigurationSource]:
    """The sources of a volume, a projected one among them."""
    part = mount.child("subPath")
    for holder in (volume, *volume.entries("projected", "sources")):
        for kind, words in (("ConfigMap", ("name",)), ("Secret", ("secretName", "name"))):
            source = holder.child(kind[0].lower() + kind[1:])
            if source is None:
                continue
            name = next(filter(None, map(source.word, words)), "")
            items = source.entries("items")
            keys = tuple(node for item in items if (node := item.child("key")) is not None)
            if part is not None and not items:
                keys = (part,)
            at = mount.child("mountPath") if file else None
            yield ConfigurationSource(kind, name, keys or None, "", source, applies, file, at)


def _items(source: Node) -> tuple[Node, ...] | None:
    """The entries that a source lists; None if it lists none, or unknown ones."""
    items = source.child("items")
    if items is None or items.open or any(not isinstance(item.value, str) for item in items.items):
        return None
    return tuple(items.items) or None
