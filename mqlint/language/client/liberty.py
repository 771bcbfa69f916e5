"""Connections in `server.xml` of Liberty: factories, activation specifications, their queues.

Sources: "Deploying JMS applications to Liberty to use the IBM MQ messaging provider"
(twlp_dep_msg_wmq), where the user may configure a resource adapter with an `id` of its own, and
"Variable substitution" and "authData" of Open Liberty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from mqlint.dataclass import NamedTuple, frozen
from mqlint.language.client.connection import (
    Setting,
    add_address,
    by_attribute,
    connection,
    setting_of,
    topic_uri,
    uses,
)
from mqlint.language.client.elements import Element
from mqlint.language.client.signs import ADAPTER
from mqlint.language.declaration import Declared, FieldValue
from mqlint.language.text.templates import is_known
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.vocabulary.applications import application_formats
from mqlint.vocabulary.unknown import UNKNOWN

_ADAPTER = later(ADAPTER)
_VARIABLE = later(r"\$\{([\w./-]{1,80})\}")
LIBERTY = application_formats()["liberty"]


_NO_LETTER = later(r"[^A-Za-z0-9]")
_OF_PROCESS = "env."
_POOL = "connectionManager"
_HOLDER = "jms"
"""How the names of factories, specifications and destinations begin."""
_REFERENCES = ("authDataRef", "containerAuthDataRef")


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
    may set a variable that it uses, or use one that it sets.
    """

    elements: Sequence[Element]
    names: frozenset[str]
    joins: bool

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

        found = tuple(
            element._replace(
                attributes={key: expanded(value) for key, value in element.attributes.items()}
            )
            if element.name in names
            else element
            for element in elements
        )
        is_open = any(element.name in names for element in elements) and "${" in text
        return Server(found, names, bool(variables) or is_open)

    def resources(self) -> Iterator[Element]:
        return (element for element in self.elements if element.name in self.names)

    def accounts(self) -> list[Element]:
        """Return the `authData` with which the factories and specifications of MQ connect."""
        found = _accounts(self.elements, self.names).values()
        return [*{account.span: account for account in found}.values()]

    def connections(self) -> Iterator[Declared]:
        return _connections(self.elements, self.names)


def _names(elements: Iterable[Element], text: str) -> frozenset[str]:
    """The names of the elements of Liberty with the properties of MQ's resource adapter."""
    names = {"properties.wmqJms"}
    for element in elements:
        location, own = (element.attributes.get(key) for key in ("location", "id"))
        if element.name != "resourceAdapter" or location is None or own is None:
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
        name, value = (element.attributes.get(key) for key in ("name", "value"))
        if element.name != "variable" or element.is_end or name is None or value is None:
            continue
        word = str(name.value)
        is_single = word not in values or override(element)
        values[word] = value if is_single else Setting(UNKNOWN, value.span)
    return values


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


def _connections(elements: Sequence[Element], resources: frozenset[str]) -> Iterator[Declared]:
    """The connections of factories and activation specifications; these name their queue."""
    queues, managers = _queues_of_liberty(elements, resources)
    factories: list[Declared] = []
    read: set[Setting] = set()
    pools = _pools(elements)
    pool: Setting | None = None
    accounts = _accounts(elements, resources)
    for element in elements:
        if element.name not in resources and not element.is_end:
            named_pool = element.attributes.get("connectionManagerRef")
            pool = pools.get(str(named_pool.value)) if named_pool is not None else None
            if element.name == _POOL:  # it may be inside the factory
                pool = element.attributes.get("maxPoolSize")
        if element.name not in resources or element.is_end or _base(element) is not None:
            continue
        mode = element.attributes.get("transportType")
        if mode is not None and mode.value != "CLIENT":
            continue
        settings = by_attribute(element.attributes, LIBERTY.attributes)
        add_address(settings, element.attributes, "hostName", "port")
        if pool is not None:
            settings["pool"] = pool
        if element.span in accounts:
            given = accounts[element.span].attributes
            for key in ("user", "password"):
                if key in given:
                    settings.setdefault(key, given[key])
        for declared in connection("liberty", settings, whole=True):
            yield declared
            target = element.attributes.get("destinationRef")
            queue = queues.get(str(target.value)) if target is not None else None
            if queue is not None:
                read.add(queue)
                yield from uses(declared, [("get", queue)])
            elif target is None:
                factories.append(declared)
    if len(factories) == 1:  # of several, the application decides
        local = ("", factories[0].value("QMNAME") or "")
        others = [base for base, name in managers.items() if base not in read and name in local]
        yield from uses(factories[0], [("open", base) for base in others])


def _base(element: Element) -> Setting | None:
    """The queue of a destination, or the URI of its topic."""
    attributes = element.attributes
    return attributes.get("baseQueueName") or topic_uri(attributes.get("baseTopicName"))


def _accounts(elements: Sequence[Element], resources: frozenset[str]) -> dict[Span, Element]:
    """Return the `authData` to which what is around a resource refers, by the resource's place."""
    known = {
        str(element.attributes["id"].value): element
        for element in elements
        if element.name == "authData" and "id" in element.attributes
    }
    account: Element | None = None
    found: dict[Span, Element] = {}
    for element in elements:
        if element.name in resources:
            if account is not None and not element.is_end:
                found[element.span] = account
        elif element.name.startswith(_HOLDER):
            given = () if element.is_end else map(element.attributes.get, _REFERENCES)
            named = next((str(setting.value) for setting in given if setting is not None), "")
            account = known.get(named)
    return found


def _pools(elements: Iterable[Element]) -> dict[str, Setting]:
    """Return the sizes of pools of connections by the names of their managers."""
    return {
        str(element.attributes["id"].value): element.attributes["maxPoolSize"]
        for element in elements
        if element.name == _POOL and {"id", "maxPoolSize"} <= element.attributes.keys()
    }


def _queues_of_liberty(
    elements: Sequence[Element], resources: frozenset[str]
) -> tuple[dict[str, Setting], dict[Setting, FieldValue]]:
    """Return the queues by the names of their destinations, and the queue manager of each."""
    queues: dict[str, Setting] = {}
    managers: dict[Setting, FieldValue] = {}
    holder: Element | None = None
    for element in elements:
        if element.name in resources and not element.is_end:
            base = _base(element)
            if base is not None and holder is not None:
                names = (holder.attributes.get(key) for key in ("id", "jndiName"))
                queues.update((str(name.value), base) for name in names if name is not None)
                manager = element.attributes.get("baseQueueManagerName")
                managers[base] = manager.value if manager is not None else ""
        elif not element.is_end:
            holder = element
    return queues, managers
