"""Labels of certificates that a queue manager uses and that scripts put into its key repository.

IBM MQ documentation, q014340_: "Digital certificate labels, understanding the requirements":
without CERTLABL the label is ibmwebspheremq and the name of the queue manager, in lower case.
The container makes a repository when it starts, with the names of `pki.keys` as labels, and sets
CERTLABL to one of them before it runs the MQSC of the user (internal/tls/tls.go of mq-container).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from mqlint.dataclass import NamedTuple
from mqlint.finding import Location
from mqlint.language.script.files.path import LONGEST, name_of
from mqlint.language.text.templates import is_known
from mqlint.model.core.fact import NamedStatement, Statement, stated_type
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.script_steps import option_value
from mqlint.model.core.similar import SimilarNames
from mqlint.model.core.value import ABSENT, UNKNOWN, Value, flag
from mqlint.model.facts.queue_manager.wholeness import is_made_whole
from mqlint.patterns import later

if TYPE_CHECKING:
    from mqlint.language.script.step import Step

_TOOLS: Final = ("runmqakm", "runmqckm")
_OTHER_TOOLS: Final = ("runmqktool", "strmqikm")
_DEFAULT: Final = "ibmwebspheremq"
_FOLDER: Final = later(r"(?:^|.*[/\\])[qQ][mM][gG][rR][sS][/\\]([^/\\]+)[/\\]")
_FEW: Final = 3
"""Labels that a message names."""
_SLASH: Final = later(r"[/\\]")
_EXTENSION: Final = later(r"\.(?:kdb|p12)$")


class _Keys(NamedTuple):
    """What scripts put into the key repository of a queue manager.

    `labels` are those of all certificates, `personal` those of its own, also of repositories that
    may be its; `own` are those of a repository that certainly is, unless scripts create it.
    `is_new` is true if they create the repository with a certificate of its own, `of_container` if
    the container does, `is_open` if they may put others into it. `names` are the personal ones,
    `created` the first. `deleted` are those that they delete or rename, unless something that is
    not here may put them back.
    """

    labels: frozenset[str]
    personal: frozenset[str]
    own: frozenset[str]
    names: SimilarNames
    created: tuple[str, ...]
    is_new: bool
    of_container: bool
    is_open: bool
    deleted: frozenset[str]


class _Entry(NamedTuple):
    """A certificate that a command puts into a key repository; `label` may be UNKNOWN."""

    repository: Value
    label: Value
    is_personal: bool


def _labels(manager: QueueManager) -> Iterable[NamedStatement]:
    """Return the labels that a queue manager and its channels use, if scripts make its keys."""
    keys = manager.cached(_keys)
    if not keys.personal or keys.is_open or manager.key.anonymous:
        return ()
    return _facts(manager, keys)


CERTIFICATE_LABEL = stated_type(
    "certificate_label",
    _labels,
    ("object.type", "label", "default", "state", "similar", "created"),
)
"""A certificate label that a queue manager, or a channel of it, uses."""


def _facts(manager: QueueManager, keys: _Keys) -> Iterator[NamedStatement]:
    name, own = manager.key.name, manager.own_object()
    holders = [] if own is None else [own]
    holders += (found for found in manager.objects("channel") if found.subtype != "CLNTCONN")
    used = {holder.value("CERTLABL") for holder in holders}
    is_unused = bool(keys.own) and UNKNOWN not in used and keys.own.isdisjoint(used)
    for holder in holders:
        label = holder.value("CERTLABL")
        if isinstance(label, str) and label and holder.is_named:
            of = name if holder is own else holder.name
            is_old = is_unused and holder is own
            yield of, _statement(keys, holder.type, label, holder.where("CERTLABL"), is_old=is_old)
    is_default_used = keys.is_new and not keys.of_container
    channel = _user_of_default(manager, own) if is_default_used else None
    if channel is not None:
        label = _DEFAULT + name.lower()
        yield name, _statement(keys, "qmgr", label, channel.where("SSLCIPH"), is_default=True)


def _user_of_default(manager: QueueManager, own: MQObject | None) -> MQObject | None:
    """A channel that uses the default label: no command sets CERTLABL."""
    if (own is not None and own.writes("CERTLABL")) or not manager.cached(is_made_whole):
        return None
    return next(filter(_has_tls_without_label, manager.objects("channel")), None)


def _has_tls_without_label(channel: MQObject) -> bool:
    cipher = channel.value("SSLCIPH")
    uses_tls = isinstance(cipher, str) and cipher != "" and channel.subtype != "CLNTCONN"
    return uses_tls and channel.value("CERTLABL") in ("", ABSENT)


def _statement(
    keys: _Keys,
    holder: str,
    label: str,
    place: Location,
    *,
    is_default: bool = False,
    is_old: bool = False,
) -> Statement:
    similar = keys.names.find(label)
    is_gone = similar != "" or keys.is_new or label in keys.deleted
    is_missing = label not in keys.labels and is_gone
    other = "old" if is_old else "unknown"
    state = "missing" if is_missing else "present" if label in keys.labels else other
    values: dict[str, Value] = {
        "object.type": holder,
        "label": label,
        "default": flag(is_default),
        "state": state,
        "similar": similar or ABSENT,
        "created": keys.created,
    }
    return Statement(values, place)


# -- key repositories ------------------------------------------------------------------------------


def _keys(manager: QueueManager) -> _Keys:
    scripts = (*manager.scripts, *manager.loose)
    steps = [step for script in scripts for step in (*script.steps, *script.unbound)]
    calls = any(script.calls for script in scripts)
    tools = [step for step in steps if step.command in _TOOLS]
    actions = {_action(step) for step in tools}
    entries = [entry for step in tools if not step.open and (entry := _entry(step)) is not None]
    owned = [(entry, _is_own(manager, entry.repository)) for entry in entries]
    own = [str(entry.label) for entry, is_own in owned if is_own and entry.is_personal]
    possible = [entry for entry, is_own in owned if is_own is not False]
    known = [entry for entry in possible if isinstance(entry.label, str)]
    personal = frozenset(str(entry.label) for entry in known if entry.is_personal)
    is_new = any(_creates_own(manager, step) for step in tools)
    is_open = any(step.open for step in tools) or any(
        step.command in _OTHER_TOOLS for step in steps
    )
    is_received = "cert receive" in actions and "certreq create" not in actions
    given = _of_container(manager)
    personal |= given or frozenset()
    return _Keys(
        frozenset(str(entry.label) for entry in known) | personal,
        personal,
        frozenset() if "keydb create" in actions else personal.intersection(own),
        SimilarNames(personal),
        tuple(sorted(personal)[:_FEW]),
        bool(given) or (is_new and bool(own) and not calls),
        bool(given),
        given is None or is_open or is_received or len(known) < len(possible),
        frozenset() if calls else frozenset(_deleted(manager, tools)),
    )


def _of_container(manager: QueueManager) -> frozenset[str] | None:
    """The labels of the certificates that the manifest gives to its container; None if unknown."""
    own, found = manager.own_object(), set[str]()
    names_other = own is not None and own.writes("SSLKEYR")
    for declared, _ in manager.declarations("manifest"):
        labels = declared.value("certificates")
        if labels is None:
            continue
        if names_other or declared.open or not isinstance(labels, tuple):
            return None
        found.update(labels)
    return frozenset(found) if all(map(is_known, found)) else None


def _creates_own(manager: QueueManager, step: Step) -> bool:
    """Whether a command certainly creates the key repository of the queue manager."""
    repository = option_value(step, "db")
    is_sure = not step.open and not step.execution.maybe and _action(step) == "keydb create"
    return is_sure and _is_own(manager, repository) is True and _is_cms(repository)


def _deleted(manager: QueueManager, steps: Iterable[Step]) -> Iterator[str]:
    """Yield the labels that commands delete or rename in the key repository of the manager."""
    for step in steps:
        is_removed = _action(step) in ("cert delete", "cert rename")
        label = _known(option_value(step, "label")) if is_removed else UNKNOWN
        is_sure = not (step.execution.maybe or step.open)
        if isinstance(label, str) and is_sure and _is_own(manager, option_value(step, "db")):
            yield label


def _action(step: Step) -> str:
    """The object and the action of a command, such as `cert create`."""
    names = {option.name for option in step.options}
    first = next((name for name in ("keydb", "certreq", "cert") if name in names), "")
    actions = ("create", "recreate", "add", "import", "rename", "receive", "delete")
    return f"{first} {next((name for name in actions if name in names), '')}"


def _entry(step: Step) -> _Entry | None:
    """The certificate that a command puts into a key repository."""
    repository, label = option_value(step, "db"), option_value(step, "label")
    renamed = option_value(step, "new_label")
    action = _action(step)
    if action in ("cert create", "certreq create", "certreq recreate", "cert add"):
        return _Entry(repository, _known(label), action != "cert add")
    if action == "cert import":
        repository = option_value(step, "target")
    elif action != "cert rename":
        return None
    return _Entry(repository, _known(label if renamed is ABSENT else renamed), True)


def _known(label: Value) -> Value:
    return label if isinstance(label, str) and label and is_known(label) else UNKNOWN


def _is_own(manager: QueueManager, repository: Value) -> bool | None:
    """Whether a key repository is that of the queue manager; None if that is not known."""
    if not isinstance(repository, str) or not _SLASH.search(repository):
        return None
    own = manager.own_object()
    set_to = own.value("SSLKEYR") if own is not None and own.writes("SSLKEYR") else ABSENT
    if isinstance(set_to, str) and set_to:
        return _stem(repository) == _stem(set_to)
    match = _FOLDER.match(repository[:LONGEST])
    return None if match is None else name_of(match[1]) == manager.key.name


def _is_cms(repository: Value) -> bool:
    """Whether only commands of MQ change a key repository, and not keytool or openssl."""
    return isinstance(repository, str) and repository.lower().endswith(".kdb")


def _stem(repository: str) -> str:
    return _EXTENSION.sub("", repository.replace("\\", "/"))
