"""The folders of a queue manager: where its log and its data are.

IBM MQ documentation, "QueueManager stanza of the mqs.ini file": DataPath overrides Prefix and
Directory. "Understanding IBM MQ file names": in folders `.` is written `!` and `/` is written `&`.
"""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import join
from typing import TYPE_CHECKING

from mqlint.dataclass import NamedTuple
from mqlint.finding import Location
from mqlint.model.core.ini_settings import setting, setting_place, written
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.model.facts.queue_manager.section import Section, made_at
from mqlint.patterns import later

if TYPE_CHECKING:
    from mqlint.language.ini.parser import Stanza
    from mqlint.language.script.step import Step

_DEFAULT_DATA = "/var/mqm/qmgrs"
"""The folder in which crtmqm without -md puts the data, unless mqs.ini has another prefix."""
_OTHER_FOLDERS = ("windows", "ibmi", "zos")
_SLASHES = later(r"[/\\]+")
_OF_DATA = later(r"[/\\]qmgrs[/\\]+([^/\\]+)[/\\]")
_DEFAULT_LABEL = "ibmwebspheremq"
"""The beginning of the default certificate label, which ends with the name in lower case."""


class Registration(NamedTuple):
    """The folder of the data of a queue manager according to one host."""

    path: str
    place: Location


def _also(manager: QueueManager) -> Value:
    """The path that the second host registers, if the hosts disagree."""
    registered = manager.cached(registrations)
    other = _other(registered)
    return UNKNOWN if other is None else other.path


def _first(manager: QueueManager) -> Value:
    registered = manager.cached(registrations)
    return registered[0].path if registered else UNKNOWN


def _disagrees(manager: QueueManager) -> Value:
    registered = manager.cached(registrations)
    if len(registered) < 2:
        return UNKNOWN
    return "false" if _other(registered) is None else "true"


def _place(manager: QueueManager, attribute: str) -> Location | None:
    if attribute.startswith("log."):
        return setting_place(manager.stanzas, "log", "LogPath") or made_at(manager)
    registered = manager.cached(registrations)
    other = _other(registered) if attribute == "data.disagrees" else None
    return (other or registered[0]).place if registered else made_at(manager)


def registrations(manager: QueueManager) -> tuple[Registration, ...]:
    """Return the folders of the data that mqs.ini, dspmqinf and addmqinf register.

    addmqinf is for a further host, so crtmqm counts with it as the registration of the first.
    """
    return tuple(_registered(manager))


def _registered(manager: QueueManager) -> Iterator[Registration]:
    for stanza, origin in manager.host:
        path = _of_stanza(stanza) if stanza.name.lower() == "queuemanager" else UNKNOWN
        if isinstance(path, str):
            entry = stanza.get("DataPath") or stanza.get("Directory")
            span = stanza.span if entry is None else entry.value_span
            yield Registration(_normal(path), origin.location(span))
    added = list(manager.control_steps("addmqinf"))
    if added and not manager.host:
        for step, origin in manager.control_steps("crtmqm"):
            path = _made_in(manager, step)
            if isinstance(path, str):
                yield Registration(_normal(path), origin.location(step.span))
            break
    for step, origin in added:
        path = UNKNOWN if step.execution.maybe else _of_step(step)
        if isinstance(path, str):
            yield Registration(_normal(path), origin.location(step.span))


def _of_stanza(stanza: Stanza) -> Value:
    values = {key: written(stanza.get(key)) for key in ("DataPath", "Prefix", "Directory")}
    return _joined(values)


def _of_step(step: Step) -> Value:
    """The folder that `addmqinf -v Prefix=... -v Directory=...` registers."""
    if step.open:
        return UNKNOWN
    values: dict[str, Value | None] = {}
    for option in step.options:
        if option.name != "v":
            continue
        if not isinstance(option.value, str):
            return UNKNOWN
        key, _, value = option.value.partition("=")
        values[key.strip()] = value.strip()
    return _joined(values)


def _made_in(manager: QueueManager, step: Step) -> Value:
    """The folder that crtmqm makes for the data: below -md, else in the default folder."""
    if step.execution.maybe or step.open:
        return UNKNOWN
    option = step.option("md")
    folder = _folder_name(manager)
    if option is None:
        return UNKNOWN if manager.target.platform in _OTHER_FOLDERS else join(_DEFAULT_DATA, folder)
    return join(option.value, folder) if isinstance(option.value, str) else UNKNOWN


def _folder_name(manager: QueueManager) -> str:
    return manager.key.name.replace(".", "!").replace("/", "&")


def _joined(values: dict[str, Value | None]) -> Value:
    data, prefix, directory = (values.get(key) for key in ("DataPath", "Prefix", "Directory"))
    if isinstance(data, str) and data:
        return data
    if data is UNKNOWN or not isinstance(prefix, str) or not isinstance(directory, str):
        return UNKNOWN
    return join(prefix, "qmgrs", directory)


def _other(found: tuple[Registration, ...]) -> Registration | None:
    """The first registration that names another folder than the first of all."""
    return next((each for each in found if each.path != found[0].path), None)


def _normal(path: str) -> str:
    return _SLASHES.sub("/", path).rstrip("/")


def _log_path(manager: QueueManager) -> Value:
    """The folder of the log: that of qm.ini, otherwise that of crtmqm -ld."""
    found = written(setting(manager.stanzas, "log", "LogPath"))
    if found is None:
        return _created(manager, "ld")
    return found.rstrip("/") if isinstance(found, str) else found


def _data_path(manager: QueueManager) -> Value:
    """The folder of the data: that of the host's mqs.ini, otherwise that of crtmqm -md."""
    for stanza, _ in manager.host:
        if stanza.name.lower() == "queuemanager":
            path = _of_stanza(stanza)
            if isinstance(path, str):
                return path.rstrip("/")
            if stanza.get("DataPath") is not None or stanza.get("Prefix") is not None:
                return UNKNOWN
    return _created(manager, "md")


def _created(manager: QueueManager, option: str) -> Value:
    """The folder that crtmqm makes below the one it is given."""
    for step, _ in manager.control_steps("crtmqm"):
        found = step.option(option)
        if found is not None and isinstance(found.value, str):
            return UNKNOWN if step.execution.maybe else join(found.value, _folder_name(manager))
    return UNKNOWN


def _called_after(path: Value) -> Value:
    """The name of the queue manager that the last folder of a path is called after."""
    from mqlint.language.script.files.path import name_of  # here, as few policies ask

    return name_of(_normal(path).rpartition("/")[2]) or UNKNOWN if isinstance(path, str) else path


def _owner_of_repository(manager: QueueManager) -> Value:
    """The queue manager in whose folder of data the key repository is."""
    path = _own_value(manager, "SSLKEYR")
    found = _OF_DATA.search(path) if isinstance(path, str) else None
    if found is None:
        return ABSENT if isinstance(path, str) else path
    return _called_after(found[1])


def _owner_of_label(manager: QueueManager) -> Value:
    """The queue manager, in lower case, that has the certificate label by default."""
    label = _own_value(manager, "CERTLABL")
    if not isinstance(label, str) or not label.lower().startswith(_DEFAULT_LABEL):
        return ABSENT if isinstance(label, str) else label
    return label.lower().removeprefix(_DEFAULT_LABEL)


def _own_value(manager: QueueManager, attribute: str) -> Value:
    own = manager.own_object()
    return ABSENT if own is None else own.value(attribute)


FOLDERS = Section(
    {
        "log.path": lambda manager: manager.cached(_log_path),
        "log.folder": lambda manager: _called_after(manager.cached(_log_path)),
        "data.path": lambda manager: manager.cached(_data_path),
        "data.folder": lambda manager: _called_after(manager.cached(_data_path)),
        "data.disagrees": _disagrees,
        "data.first": _first,
        "data.also": _also,
        "repository.owner": _owner_of_repository,
        "label.owner": _owner_of_label,
    },
    _place,
)
"""The folders of a queue manager."""
