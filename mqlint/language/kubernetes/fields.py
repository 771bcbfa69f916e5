"""The fields that manifests of each kind have for a queue manager, under the same names.

Sources: the QueueManager API mq.ibm.com/v1beta1, values.yaml and README of ibm-messaging/mq-helm,
and the environment that the container of ibm-messaging/mq-container takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from mqlint.language.declaration import ENTRIES, Field
from mqlint.language.kubernetes.environment import environment_of, security_fields, variables_in
from mqlint.language.kubernetes.pod import TASK, may_have_more_variables, may_have_more_volumes
from mqlint.language.kubernetes.source import sources_of_resource
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.vocabulary.container import DATA_FOLDER
from mqlint.vocabulary.distance import nearest
from mqlint.vocabulary.kubernetes import Path, kubernetes_vocabulary, licence_fits
from mqlint.vocabulary.sni import SUFFIX, channel_of_host
from mqlint.vocabulary.unknown import UNKNOWN, Unknown

_TAG = later(r"(?:^|/)[^/:@]+:([^/:@]+)$")
_TRUE = frozenset({"true", "1", "yes"})


def fields_of_resource(document: Node) -> list[Field]:
    fields = [
        Field("kind", "QueueManager", document.span),
        *_written(document, kubernetes_vocabulary().operator.fields),
    ]
    if is_whole(document):
        if not any(field.name == "availability" for field in fields):
            fields.append(Field("availability", "SingleInstance", document.key_span("spec")))
        fields.extend(_licence_missing(document))
        fields.extend(_entries(document))
        fields.extend(_partners(document))
    pod = document.get("spec", "template", "pod")
    if pod is not None and pod.child("volumes"):
        fields.append(Field("certificates", UNKNOWN, pod.span))  # volumes may hold them
    else:
        fields.extend(_certificates(document.get("spec", "pki", "keys")))
    for container in pod.entries("containers") if pod is not None else ():
        environment = environment_of(container.child("env"))
        fields.extend(security_fields(environment))
        developer = environment.get("MQ_DEV")
        if developer is not None:
            value = developer.value
            state = str(value.lower() in _TRUE) if isinstance(value, str) else ""
            fields.append(Field("dev", state.lower() or UNKNOWN, developer.value_span))
    return fields


def _entries(document: Node) -> Iterator[Field]:
    """How many entries of MQSC make the objects, if no image or volume can bring more."""
    manager, pod = document.get("spec", "queueManager"), document.get("spec", "template", "pod")
    spec = document.child("spec")
    if spec is None or spec.open or manager is None or manager.open or manager.child("image"):
        return
    if pod is not None and (pod.open or pod.child("volumes") or pod.child("initContainers")):
        return
    lists = [manager.child("mqsc"), *manager.entries("mqsc")]
    if any(node is not None and node.open for node in lists):
        return
    sources = [source for source in sources_of_resource(document) if source.use == "mqsc"]
    if sources and all(source.items is not None for source in sources):
        count = sum(len(source.items or ()) for source in sources)
        yield Field(ENTRIES, str(count), document.span)


def _partners(document: Node) -> Iterator[Field]:
    """The names and addresses of the groups to which Native HA replicates the log."""
    manager = document.get("spec", "queueManager")
    for key in (("availability", "nativeHAGroups"), ("nativeHAGroups",)):
        remotes = None if manager is None else manager.get(*key, "remotes")
        if remotes is None or remotes.open:
            continue
        names = [(group, group.child("name")) for group in remotes.items]
        known = [str(name.value) for _, name in names if name and isinstance(name.value, str)]
        if known and len(known) == len(names):
            yield Field("group.partners", tuple(known), remotes.span)
        lists = [group.child("addresses") for group in remotes.items]
        items = [item for addresses in lists if addresses is not None for item in addresses.items]
        found = [item.value for item in items if isinstance(item.value, str)]
        if found and len(found) == len(items):
            yield Field("group.addresses", ", ".join(sorted(found)), items[0].span)


def is_whole(document: Node) -> bool:
    """Return whether a QueueManager is more than a patch, so that what it omits is absent.

    A resource must have a licence. The patch of a kustomization may have only that.
    """
    spec = document.child("spec")
    if spec is None or spec.child("license") is None:
        return False
    return spec.child("version") is not None or spec.child("queueManager") is not None


def _licence_missing(document: Node) -> Iterator[Field]:
    """That a resource with a licence does not accept it: `accept` is absent, and then false."""
    spec = document.child("spec")
    licence = spec.child("license") if spec is not None else None
    if spec is None or licence is None or licence.kind != "mapping" or licence.open:
        return
    if licence.child("accept") is None and licence.child("license") is not None:
        yield Field("license.accept", "false", spec.key_span("license"))


def fields_of_route(document: Node) -> Iterator[Field]:
    """Yield the fields of a route: its host, the channel of that host, how TLS ends.

    `sni` is `channel` for the host name of a channel, `broken` for a similar one that no client
    asks for, absent for any other.
    """
    host, ended = document.get("spec", "host"), document.get("spec", "tls", "termination")
    if host is not None and host.kind == "scalar":
        yield Field("host", host.value, host.span)
        if not isinstance(host.value, str):
            yield from (Field(name, UNKNOWN, host.span) for name in ("sni", "channel"))
        elif host.value.lower().endswith(SUFFIX):
            channel = channel_of_host(host.value)
            yield Field("sni", "broken" if channel is None else "channel", host.span)
            if channel is not None:
                yield Field("channel", channel, host.span)
    if ended is not None and ended.kind == "scalar":
        yield Field("termination", ended.value, ended.span)


_REPLACED_BY_USERS = later(r"not accepted|[A-Z]{1,20}(?:_[A-Z]{1,20}){1,4}")
"""The value for the licence in IBM's chart itself, and one in capitals for sed to replace."""
_MEANS_ACCEPT = frozenset("accept accepted agree agreed on true view y yes 1".split())
"""What people write for `accept`, and what only prints the licence."""


def fields_of_values(values: Node) -> list[Field]:
    fields = [
        Field("kind", "HelmValues", values.span),
        *_written(values, kubernetes_vocabulary().chart.fields),
    ]
    answer = values.child("license")
    if answer is not None and answer.kind == "scalar":
        # The chart's own value is not an answer, and others have placeholders for `--set`.
        value = answer.value if isinstance(answer.value, str) else ""
        is_meant = value.casefold() in _MEANS_ACCEPT or bool(nearest(value, ("accept",)))
        state = "false" if is_meant else UNKNOWN
        accepted = "true" if value == "accept" else state
        fields.append(Field("license.accept", accepted, answer.span))
    settings = values.child("queueManager")
    if settings is not None:
        modes = (("nativeha", "NativeHA"), ("multiinstance", "MultiInstance"))
        fields.append(_mode(settings, modes))
        fields.extend(_chart_group(settings))
        variables = environment_of(settings.child("envVariables"))
        developer = settings.child("dev")
        users = dict(variables_in(developer)) if developer is not None else {}
        fields.extend(security_fields({**variables, **users}))
    fields.extend(_chart_storage(values))
    fields.extend(_certificates(values.get("pki", "keys")))
    return fields


def fields_of_container(
    document: Node,
    spec: Node,
    container: Node,
    environment: Mapping[str, Node],
    kind: str,
) -> list[Field]:
    """Return the fields of a workload for the queue manager in one of its containers."""
    fields = [Field("kind", kind, document.span)]
    image, replicas = container.child("image"), document.get("spec", "replicas")
    for name, node in (("image", image), ("replicas", replicas)):
        if node is not None and node.kind == "scalar":
            fields.append(Field(name, node.value, node.span))
    switches = {name: variable.child("value") for name, variable in environment.items()}
    modes = (("MQ_NATIVE_HA", "NativeHA"), ("MQ_MULTI_INSTANCE", "MultiInstance"))
    on = [mode for name, mode in modes if _is_on(switches.get(name)) is not False]
    is_open = may_have_more_variables(container)
    certain = [mode for name, mode in modes if _is_on(switches.get(name))]
    place = next((environment[name] for name, _ in modes if name in environment), container)
    mode = certain[0] if certain else (UNKNOWN if on or is_open else "SingleInstance")
    if kind != TASK or mode != "SingleInstance":  # a task cannot have instances
        fields.append(Field("availability", mode, place.span))
    tls = _is_on(switches.get("MQ_NATIVE_HA_TLS"))
    if tls is not False:
        fields.append(Field("replication.tls", "true" if tls else UNKNOWN, container.span))
    for name, switch in (("MQ_DEV", "dev"), ("MQ_ENABLE_METRICS", "metrics")):
        node = switches.get(name)
        if node is not None:
            state = _is_on(node)
            value = UNKNOWN if state is None else str(state).lower()
            fields.append(Field(switch, value, node.span))
    answer = switches.get("LICENSE")
    if answer is not None and answer.kind == "scalar":
        word = answer.value
        is_open = not isinstance(word, str) or _REPLACED_BY_USERS.fullmatch(word) is not None
        accepted = UNKNOWN if is_open else str(word == "accept").lower()
        fields.append(Field("license.accept", accepted, answer.span))
    fields.extend(security_fields(environment_of(container.child("env"))))
    fields.append(_container_storage(document, spec, container))
    return fields


def derived_of(fields: Iterable[Field]) -> Iterator[Field]:
    """Yield what follows from others: log type, tag of the image, whether the licence fits."""
    by_name = {field.name: field for field in fields}
    mode = by_name.get("availability")
    if mode is not None and mode.value == "NativeHA":
        yield Field("log.type", "replicated", mode.span)
    image = by_name.get("image")
    if image is not None and "image.tag" not in by_name:
        yield Field("image.tag", _tag(image.value), image.span)
    licence, version = by_name.get("license.id"), by_name.get("version")
    if licence is not None and version is not None:
        known = isinstance(licence.value, str) and isinstance(version.value, str)
        fits = licence_fits(str(licence.value), str(version.value)) if known else None
        yield Field("license.fits", UNKNOWN if fits is None else str(fits).lower(), licence.span)


def _tag(image: object) -> str | Unknown:
    """The tag of an image: `latest` by default, blank for a digest."""
    if not isinstance(image, str):
        return UNKNOWN
    if "@" in image:
        return ""
    match = _TAG.search(image)
    return match[1] if match is not None else "latest"


def _written(node: Node, paths: Mapping[str, tuple[Path, ...]]) -> Iterator[Field]:
    """The values at the first of their paths."""
    for name, places in paths.items():
        value = next((below for path in places if (below := node.get(*path)) is not None), None)
        if value is not None and value.kind == "scalar":
            yield Field(name, value.value, value.span)


def _is_on(node: Node | None) -> bool | None:
    """Return whether a switch is on; None if a tool decides. A missing switch is off."""
    if node is None or node.kind == "empty":
        return False
    value = node.value
    return value.lower() in _TRUE if isinstance(value, str) else None


def _mode(settings: Node, modes: tuple[tuple[str, str], ...]) -> Field:
    """The availability that switches of a chart choose."""
    maybe = False
    for key, mode in modes:
        switch = settings.get(key, "enable")
        state = _is_on(switch)
        if state and switch is not None:
            return Field("availability", mode, switch.span)
        maybe = maybe or state is None
    return Field("availability", UNKNOWN if maybe else "SingleInstance", settings.span)


def _chart_group(settings: Node) -> Iterator[Field]:
    """The role and the name of the Native HA group that a chart installs, one of a list."""
    installed = settings.word("nativeha", "nativehaGroup")
    for group in settings.entries("nativeha", "nativehaGroups"):
        if installed and group.word("nativehaGroupId") == installed:
            yield from _written(group, {"group.role": (("role",),), "group.name": (("name",),)})


def _chart_storage(values: Node) -> Iterator[Field]:
    """Return whether the volume of a chart outlives its pod; the chart has a default."""
    for path in (("persistence", "qmPVC", "enable"), ("persistence", "enabled")):
        switch = values.get(*path)
        if switch is None or switch.kind != "scalar":
            continue
        state = _is_on(switch)
        others = (values.get("persistence", key, "enable") for key in ("dataPVC", "logPVC"))
        if any(_is_on(other) is not False for other in others) or state is None:
            yield Field("storage.type", UNKNOWN, switch.span)
        else:
            yield Field("storage.type", "persistent-claim" if state else "ephemeral", switch.span)
        return


def _container_storage(document: Node, spec: Node, container: Node) -> Field:
    """The volume that is mounted where the container keeps a queue manager, /mnt/mqm.

    If a claim is mounted elsewhere, an image of one's own may keep the queue manager there. A mount
    whose place is unknown may be the one.
    """
    mounts = container.child("volumeMounts")
    claims = {*_claims(document, spec)}
    # The unknown value of a variable hides no mount.
    open_nodes = () if mounts is None else (node for node in mounts.walk() if node.is_partial)
    known = not container.is_partial and not any(open_nodes)
    has_more = bool(container.entries("volumeMounts")) and may_have_more_volumes(document, spec)
    for mount in container.entries("volumeMounts"):
        path, name = mount.child("mountPath"), mount.child("name")
        if path is not None and str(path.value).startswith(DATA_FOLDER):
            kind = _volume(document, spec, name.text if name is not None else "")
            return Field("storage.type", kind, path.span)
        is_elsewhere = path is not None and path.value is not UNKNOWN
        if name is None or name.value is UNKNOWN:
            known = known and is_elsewhere and not (claims or has_more)
        else:
            known = known and is_elsewhere and not (name.text in claims or has_more)
    span = mounts.span if mounts is not None else container.key_span("name")
    return Field("storage.type", "ephemeral" if known else UNKNOWN, span)


def _claims(document: Node, spec: Node) -> Iterator[str]:
    """Yield the names of the volumes that outlive their pod."""
    for template in document.entries("spec", "volumeClaimTemplates"):
        name = template.get("metadata", "name")
        if name is not None:
            yield name.text
    for volume in spec.entries("volumes"):
        name = volume.child("name")
        if volume.child("persistentVolumeClaim") is not None and name is not None:
            yield name.text


def _volume(document: Node, spec: Node, name: str) -> str | Unknown:
    if name in _claims(document, spec):
        return "persistent-claim"
    for item in spec.entries("volumes"):
        own = item.child("name")
        if own is not None and own.text == name and item.child("emptyDir") is not None:
            return "ephemeral"
    return UNKNOWN


def _certificates(keys: Node | None) -> Iterator[Field]:
    """The labels of the certificates that a queue manager is given."""
    if keys is not None and keys.items:
        labels = [item.child("name") for item in keys.items]
        yield Field("certificates", tuple(label.text for label in labels if label), keys.span)
