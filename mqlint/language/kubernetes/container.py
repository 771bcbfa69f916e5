"""A queue manager in a container: its image and its environment.

Source: the environment that the container of ibm-messaging/mq-container takes. Dockerfiles, Compose
files and `docker run` write the same settings in three forms.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from mqlint.finding import Diagnostic
from mqlint.language.declaration import ENTRIES, Declared, Field
from mqlint.language.kubernetes.environment import Variable, security_fields
from mqlint.language.kubernetes.faults.variables import variable_faults
from mqlint.language.kubernetes.fields import derived_of
from mqlint.language.kubernetes.source import sources_of_container
from mqlint.language.script.unread.mentions import MQ_IMAGE
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.vocabulary.container import may_bring_mqsc
from mqlint.vocabulary.unknown import UNKNOWN

_IS_MQ = later(rf"(?i){MQ_IMAGE}")
PORT = later(r"([\d.]{7,15}:|\[[\da-fA-F:]{2,45}\]:)?(?:(\d{1,5}):)?(\d{1,5})(?:/tcp)?")
"""A published port: address and port of the host, and port of the container."""
_OF_MQ = ("MQ_QMGR_NAME", "MQ_DEV")
PASSWORDS = ("MQ_ADMIN_PASSWORD", "MQ_APP_PASSWORD")
_OF_CLIENT = later(
    r"(?i)(?:\w{0,40}_)?MQ_?(?:QMGR_?)?(?:HOST|CONN_?NAME|CONNECTION|(?P<channel>CHANNEL|CHL(?![^_])))\w{0,40}"
)
"""Names that applications choose for what they connect to; the container has none of them."""
_MODES = (("MQ_NATIVE_HA", "NativeHA"), ("MQ_MULTI_INSTANCE", "MultiInstance"))
_ANSWERS = (("LICENSE", "license.accept", ("accept",)), ("MQ_DEV", "dev", ("true", "1")))
"""Variables, the fields that they give, and the values that mean yes."""

_OF_MQ_ADVANCED = later(
    r"(?i)(?:^|/)(?:ibm-?)?mq-?advanced(?![^/]{0,200}(?<![a-z])dev(?:elopers?)?(?![a-z]))[^/]*$"
)


def is_root(user: str) -> bool:
    """Return whether the user of a container, with or without a group, is root."""
    return user.partition(":")[0] in ("0", "root")


def is_mq_image(image: str) -> bool:
    return _IS_MQ.fullmatch(image) is not None


def is_for_production(image: str, environment: Mapping[str, Variable]) -> bool:
    """Whether an image is MQ Advanced by its name, and not that for developers.

    One of another name may be for developers too: the public image is called `mq`.
    """
    dev = environment.get("MQ_DEV")
    is_dev = dev is not None and dev.value != "false"
    is_dev = is_dev or not environment.keys().isdisjoint(PASSWORDS)
    return _OF_MQ_ADVANCED.search(image) is not None and not is_dev


def runs_image_of_mq(container: Node) -> bool:
    """Whether a container runs the image of MQ with the program of the image, not a tool of it."""
    has_other = any(map(container.child, ("command", "args")))
    return is_mq_image(container.word("image")) and not has_other


def is_client(variables: Collection[str]) -> bool:
    """Return whether variables are those of an application, which has names of its own for them.

    An application has an address of MQ. A container that accepts the licence runs a queue manager,
    unless it has a channel too.
    """
    found = [match for match in map(_OF_CLIENT.fullmatch, variables) if match is not None]
    has_channel = any(match["channel"] is not None for match in found)
    has_address = any(match["channel"] is None for match in found)
    return has_address and (has_channel or "LICENSE" not in variables)


def is_of_mq(variables: Collection[str]) -> bool:
    """Return whether a container runs a queue manager, by the names of its variables."""
    if any(variable in variables for variable in _OF_MQ):
        return not is_client(variables)
    has_password = any(variable in variables for variable in PASSWORDS)
    return has_password and not any(_OF_CLIENT.fullmatch(variable) for variable in variables)


def environment_faults(environment: Mapping[str, Variable]) -> Iterator[Diagnostic]:
    """Yield the faults of variables of a container that runs a queue manager."""
    return variable_faults(
        {
            name: (variable.value, variable.name_span, variable.value_span)
            for name, variable in environment.items()
        }
    )


def container(
    kind: Field,
    name: str,
    image: Field | None,
    environment: Mapping[str, Variable],
    span: Span,
    model: str = "",
) -> Declared:
    """Return the queue manager that a container runs.

    `kind` is the form in which it is written, `span` its place, if not that of its name. `model` is
    that of `Declared`.
    """
    fields = [kind] if image is None else [kind, image]
    for variable, key, yes in _ANSWERS:
        setting = environment.get(variable)
        if setting is not None and setting.value != "view":  # prints the licence, and ends
            known = isinstance(setting.value, str)
            answer = str(setting.value in yes).lower() if known else UNKNOWN
            fields.append(Field(key, answer, setting.value_span))
    for variable, mode in _MODES:
        setting = environment.get(variable)
        if setting is not None and setting.value != "false":
            value = mode if isinstance(setting.value, str) else UNKNOWN
            fields.append(Field("availability", value, setting.value_span))
    fields.extend(security_fields({name: environment[name] for name in sorted(environment)}))
    fields.extend(derived_of(fields))
    name_variable = environment.get("MQ_QMGR_NAME")
    owner = (
        name_variable.value
        if name_variable is not None and isinstance(name_variable.value, str)
        else ""
    )
    where = span if name_variable is None else name_variable.value_span
    return Declared("manifest", name, tuple(fields), where, owner or None, True, model)


_BRINGS_MORE = frozenset({"command", "args", "envFrom", "lifecycle"})
"""Keys of a container with which other programs may make objects."""


def entries_of_container(document: Node, spec: Node, container: Node) -> Iterator[Field]:
    """How many entries of MQSC make the objects, if no image, program or volume brings more."""
    is_open = document.open or spec.open or container.open or spec.child("initContainers")
    more = any(key in _BRINGS_MORE for key in container.pairs.names())
    if is_open or more or not is_mq_image(container.word("image")):
        return
    mounts = container.entries("volumeMounts")
    count = sum(1 for mount in mounts if may_bring_mqsc(mount.word("mountPath")))
    sources = [
        source
        for source in sources_of_container(spec, container)
        if source.applies and (source.file == "" or source.file.endswith(".mqsc"))
    ]
    if len(sources) != count or any(source.items is None for source in sources):
        return
    files = [source.file or item.word() for source in sources for item in source.items or ()]
    number = sum(1 for file in files if file.endswith(".mqsc"))
    yield Field(ENTRIES, str(number), container.span)
