"""Connections in `server.xml` of Liberty: factories, activation specifications, their queues.

Sources: "Deploying JMS applications to Liberty to use the IBM MQ messaging provider"
(twlp_dep_msg_wmq), where the user may configure a resource adapter with an `id` of its own, and
"Variable substitution" and "authData" of Open Liberty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from mqlint.dataclass import NamedTuple, frozen
from mqlint.language.client.connection import (
    Setting,
    add_address,
    asks_for_value,
    by_attribute,
    connection,
    is_port,
    setting_of,
    topic_uri,
    uses,
)
from mqlint.language.client.elements import Element
from mqlint.language.client.references import Reference, lost_references
from mqlint.language.client.signs import ADAPTER
from mqlint.language.declaration import Declared, FieldValue
from mqlint.language.text.templates import is_known
from mqlint.patterns import later
from mqlint.source.masking import is_mask
from mqlint.vocabulary.applications import application_formats
from mqlint.vocabulary.limits import CHANNEL_NAME, NAME, PORT
from mqlint.vocabulary.unknown import UNKNOWN

_ADAPTER = later(ADAPTER)
_VARIABLE = later(r"\$\{([\w./-]{1,80})\}")
LIBERTY = application_formats()["liberty"]


_LOCATION = "wmqJmsClient.rar.location"
_JAKARTA = later(r"wmq\.jakarta\.jmsra[\w.-]{0,40}\.rar\Z")
_OF_JAVAX, _OF_JAKARTA = "wmqJmsClient-", "wmqMessagingClient-"
_OF_ADAPTER = (_OF_JAVAX, _OF_JAKARTA)
"""Features that load the adapter: for `javax.jms`, and from Messaging 3.0 for `jakarta.jms`."""
_LONGEST = {"channel": CHANNEL_NAME, "queueManager": NAME}
_TO_BE_SET = ("", "0", "-1")
_NO_LETTER = later(r"[^A-Za-z0-9]")
_OF_PROCESS = "env."
_POOL = "connectionManager"
_DESTINATIONS = frozenset({"jmsQueue", "jmsTopic", "jmsDestination", "adminObject"})
_USER = "authData"
_NESTED_USERS = (_USER, "containerAuthData")
"""Elements with a user and a password in a specification, or in a factory."""
_USERS = ("authDataRef", "containerAuthDataRef")
_REFERENCES = {
    "destinationRef": Reference(
        _DESTINATIONS, "destination of the file has this id or jndiName", elsewhere=False
    ),
    "connectionManagerRef": Reference(
        frozenset({_POOL}), "connectionManager of the file has this id"
    ),
    **dict.fromkeys(_USERS, Reference(frozenset({_USER}), "authData of the file has this id")),
}
"""The keys that refer to elements."""


class Variables(NamedTuple):
    """Variables that other files set: in `bootstrap.properties`, and in the environment."""

    bootstrap: Mapping[str, Setting] = {}
    environment: Mapping[str, Setting] = {}

    def get(self, name: str) -> Setting | None:
        """Return a variable as Liberty finds it.

        A variable of the environment may have other signs as underscores, and capitals.
        """
        if name in self.bootstrap:
            return self.bootstrap[name]
        if name.startswith(_OF_PROCESS):
            return self.environment.get(name.removeprefix(_OF_PROCESS))
        plain = _NO_LETTER.sub("_", name)
        found = (self.environment.get(word) for word in (name, plain, plain.upper()))
        return next(filter(None, found), None)


@frozen
class Server:
    """The elements of `server.xml`, those of MQ with the values of variables.

    `names` are those of elements with the properties of MQ's resource adapter. `joins`: other files
    may set a variable that it uses, or use one that it sets. `defaults` are keys with the default
    of the variable that they have.
    """

    elements: Sequence[Element]
    names: frozenset[str]
    joins: bool
    defaults: Sequence[tuple[str, Setting]] = ()

    @staticmethod
    def of(
        elements: Sequence[Element],
        text: str,
        outer: Variables = Variables(),  # noqa: B008 - immutable
        override: Callable[[Element], bool] = lambda element: False,
    ) -> Server:
        """Return the elements of a text; of variables those that `override` replace others."""
        names = _names(elements, text)
        variables = _variables(elements, override)

        def expanded(setting: Setting) -> Setting:
            return _expanded(setting, text, variables, outer)

        def with_values(element: Element) -> Element:
            settings = {key: expanded(value) for key, value in element.attributes.items()}
            return replace(element, replaced=settings)

        has_variables = "${" in text
        found = tuple(
            with_values(element) if has_variables and element.name in names else element
            for element in elements
        )
        is_open = has_variables and any(element.name in names for element in elements)
        defaults = tuple(
            (key, default)
            for key, name, default in (_defaults(elements, names, text) if has_variables else ())
            if name not in variables and outer.get(name) is None
        )
        return Server(found, names, bool(variables) or is_open, defaults)

    def resources(self) -> Iterator[Element]:
        return (element for element in self.elements if element.name in self.names)

    def accounts(self) -> list[Element]:
        """Return the users with which the factories and specifications of MQ connect."""
        found = (resource.account for resource in _resources(self.elements, self.names))
        return [*{account.span: account for account in found if account is not None}.values()]

    def lost(self) -> Iterator[tuple[str, Setting, str]]:
        """Yield references to elements that the file lacks: see `lost_references`."""
        holders = (
            {**(resource.parent.attributes if resource.parent else {}), **resource.attributes}
            for resource in self.resources()
        )
        return lost_references(self.elements, holders, _REFERENCES)

    def wrong_defaults(self) -> Iterator[tuple[str, Setting, str]]:
        """Yield defaults of variables that their key cannot have.

        One that asks the reader for a value, or the port 0 or -1, is to be overridden.
        """
        for key, default in self.defaults:
            value = default.text
            if value in _TO_BE_SET or is_mask(value) or asks_for_value(value):
                continue
            if key == "port" and not is_port(value):
                yield key, default, f"has the default {value[:20]}, which is not from 1 to {PORT}"
            elif (size := len(value)) > _LONGEST.get(key, size):
                fault = f"has a default of {size} characters, and the limit is {_LONGEST[key]}"
                yield key, default, fault

    def adapters(self) -> Iterator[tuple[str, Setting, str]]:
        """Yield an adapter of the other Java namespace than the feature of the file has."""
        features = {element.text.text for element in self.elements if element.name == "feature"}
        for element in self.elements:
            attributes = element.attributes
            value = attributes.get("value") or attributes.get("defaultValue")
            if _name(attributes, "name") != _LOCATION or value is None or not value.text:
                continue
            if _ADAPTER.search(value.text) is None:
                continue
            is_jakarta = _JAKARTA.search(value.text) is not None
            other = _OF_JAVAX if is_jakarta else _OF_JAKARTA
            named = {feature for feature in features if feature.startswith(_OF_ADAPTER)}
            if named and all(feature.startswith(other) for feature in named):
                space = "jakarta.jms" if is_jakarta else "javax.jms"
                fault = f"names an adapter for {space}, which {min(named)} does not have"
                yield _LOCATION, value, fault

    def connections(self) -> Iterator[Declared]:
        return _connections(self.elements, self.names)


def _names(elements: Iterable[Element], text: str) -> frozenset[str]:
    """The names of the elements of Liberty with the properties of MQ's resource adapter."""
    names = {"properties.wmqJms"}
    for element in elements:
        if element.name != "resourceAdapter":
            continue
        attributes = element.attributes
        location, own = attributes.get("location"), attributes.get("id")
        if location is None or own is None:
            continue
        if _ADAPTER.search(text, *location.span) is not None:
            names.add(f"properties.{own.value}")
    return frozenset(names)


def _variables(
    elements: Iterable[Element], override: Callable[[Element], bool]
) -> dict[str, Setting]:
    """The variables that the files set by `value`; unknown if several do.

    Only the command line overrides `value`, but several sources override `defaultValue`
    ("Variable overrides" in the documentation of Liberty).
    """
    values: dict[str, Setting] = {}
    for element in sorted(elements, key=override):
        if element.name != "variable":
            continue
        attributes = element.attributes
        name, value = attributes.get("name"), attributes.get("value")
        if name is None or value is None:
            continue
        word = str(name.value)
        is_single = word not in values or override(element)
        values[word] = value if is_single else Setting(UNKNOWN, value.span)
    return values


def _defaults(
    elements: Sequence[Element], names: frozenset[str], text: str
) -> Iterator[tuple[str, str, Setting]]:
    """The keys of MQ whose value is a variable with a default, the variable and the default."""
    found = {
        _name(element.attributes, "name"): element.attributes["defaultValue"]
        for element in elements
        if element.name == "variable" and "defaultValue" in element.attributes
    }
    for element in elements if found else ():
        for key, setting in element.attributes.items() if element.name in names else ():
            variable = _VARIABLE.fullmatch(text, *setting.span)
            if variable is not None and variable[1] in found:
                yield key, variable[1], found[variable[1]]


def _expanded(
    setting: Setting, text: str, variables: Mapping[str, Setting], outer: Variables
) -> Setting:
    """Return a value with those of its variables; at the place of one that is the whole value."""
    names = _VARIABLE.findall(text, *setting.span)
    found = [variables.get(name) or outer.get(name) for name in names]
    known = [value for value in found if value is not None and isinstance(value.value, str)]
    if not names or len(known) != len(names):
        return setting
    raw = text[slice(*setting.span)]
    values = iter(str(value.value) for value in known)
    value = _VARIABLE.sub(lambda _: next(values), raw)
    is_whole = _VARIABLE.fullmatch(raw) is not None
    span = known[0].span if is_whole else setting.span
    return setting_of(value, span, is_plain=is_known(value))


class _Resource(NamedTuple):
    """An element with properties of MQ's adapter, and what the element around it has or refers to.

    `holder` are the attributes of that factory, specification or destination.
    """

    element: Element
    holder: Mapping[str, Setting]
    account: Element | None
    pool: Setting | None


def _resources(elements: Sequence[Element], names: frozenset[str]) -> Iterator[_Resource]:
    inside = {
        (each.parent and each.parent.span, each.name): each
        for each in elements
        if each.name in (_POOL, *_NESTED_USERS)
    }
    known = {
        (each.name, name): each
        for each in elements
        if each.name in (_POOL, _USER) and (name := _name(each.attributes, "id"))
    }
    for element in elements:
        if element.name not in names:
            continue
        parent = element.parent
        holder, place = (parent.attributes, parent.span) if parent is not None else ({}, None)
        accounts = [inside.get((place, name)) for name in _NESTED_USERS]
        accounts += [known.get((_USER, _name(holder, key))) for key in _USERS]
        pools = (
            inside.get((place, _POOL)),
            known.get((_POOL, _name(holder, "connectionManagerRef"))),
        )
        pool = next(filter(None, pools), None)
        size = pool.attributes.get("maxPoolSize") if pool is not None else None
        yield _Resource(element, holder, next(filter(None, accounts), None), size)


def _name(attributes: Mapping[str, Setting], key: str) -> str:
    """The name that an attribute has or refers to, blank for none and for an unknown one."""
    return attributes[key].text if key in attributes else ""


def _connections(elements: Sequence[Element], names: frozenset[str]) -> Iterator[Declared]:
    """The connections of factories and activation specifications; these name their queue."""
    resources = [*_resources(elements, names)]
    queues, managers = _queues_of_liberty(resources)
    factories: list[Declared] = []
    read: set[Setting] = set()
    for element, _, account, pool in resources:
        attributes = element.attributes
        if _base(attributes) is not None:
            continue
        mode = attributes.get("transportType")
        if mode is not None and mode.value != "CLIENT":
            continue
        settings = by_attribute(attributes, LIBERTY.attributes)
        add_address(settings, attributes, "hostName", "port")
        if pool is not None:
            settings["pool"] = pool
        if account is not None:
            for key in ("user", "password"):
                if key in account.attributes:
                    settings.setdefault(key, account.attributes[key])
        for declared in connection("liberty", settings, whole=True):
            yield declared
            queue = queues.get(_name(attributes, "destinationRef"))
            if queue is not None:
                read.add(queue)
                yield from uses(declared, [("get", queue)])
            elif "destinationRef" not in attributes:
                factories.append(declared)
    if len(factories) == 1:  # of several, the application decides
        local = ("", factories[0].value("QMNAME") or "")
        others = [base for base, name in managers.items() if base not in read and name in local]
        yield from uses(factories[0], [("open", base) for base in others])


def _base(attributes: Mapping[str, Setting]) -> Setting | None:
    return attributes.get("baseQueueName") or topic_uri(attributes.get("baseTopicName"))


def _queues_of_liberty(
    resources: Iterable[_Resource],
) -> tuple[dict[str, Setting], dict[Setting, FieldValue]]:
    """Return the queues by the names of their destinations, and the queue manager of each."""
    queues: dict[str, Setting] = {}
    managers: dict[Setting, FieldValue] = {}
    for element, holder, _, _ in resources:
        attributes = element.attributes
        base = _base(attributes)
        if base is not None:
            names = (_name(holder, key) for key in ("id", "jndiName"))
            queues.update((name, base) for name in names if name)
            manager = attributes.get("baseQueueManagerName")
            managers[base] = manager.value if manager is not None else ""
    return queues, managers
