"""Beans of Spring XML that are factories or destinations of MQ: keys, and references to them.

Spring calls a setter for each `property` (javadoc of `com.ibm.mq.jms.MQConnectionFactory`), and
stops if the class has none, or if a `ref` names a bean that no file defines ("Core Technologies").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from mqlint.dataclass import NamedTuple
from mqlint.finding import Diagnostic
from mqlint.language.client.connection import Setting, setting_fault, unused_address
from mqlint.language.client.elements import Element, parts
from mqlint.number import is_digits
from mqlint.vocabulary.applications import application_formats
from mqlint.vocabulary.distance import nearest, same_but_for_digits, typo_of
from mqlint.vocabulary.unknown import UNKNOWN


class _Property(NamedTuple):
    """A key of a bean, and the reference or the text that is its value."""

    key: Setting
    reference: Setting | None
    value: Setting | None


_BEAN = application_formats()["bean"]
_NAMES = ("id", "name")
SHORT: Final = "p:"
"""The prefix of properties that are attributes ("XML Shortcut with the p-namespace")."""
_OF_REFERENCE = "-ref"
_OPEN = frozenset({"parent", "abstract", "factory-method"})
"""Attributes of a bean that has properties elsewhere ("Bean Definition Inheritance")."""
_ADDRESSES = ("hostName", "connectionNameList", "CCDTURL")
_MOST = 50
"""Factories of a file with which references are compared."""


def bean_faults(
    elements: Sequence[Element], is_factory: Callable[[Element], bool]
) -> Iterator[Diagnostic]:
    """Yield keys that a factory does not have, and references that are a typo of a factory.

    A file that imports another one may refer to the beans of that.
    """
    beans = {str(name.value): bean for bean in elements for name in _names(bean)}
    factories = {name for name, bean in beans.items() if bean.name == "bean" and is_factory(bean)}
    is_whole = all(element.name != "import" for element in elements)
    meant = factories if is_whole and len(factories) <= _MOST else ()
    for bean, inside in parts(elements, lambda element: element.name == "bean"):
        properties = [*_properties(bean, inside)]
        if is_factory(bean):
            yield from _unknown_keys([key for key, _, _ in properties])
            yield from _ports(properties)
            if bean.name == "bean" and not _OPEN.intersection(bean.attributes):
                yield from _unused(properties)
        for key, named, _ in properties:
            near = "" if named is None or named.text in beans else typo_of(named.text, meant)
            if named is not None and near and not same_but_for_digits(near, named.text):
                fault = f"names bean {named.text}, and the file defines {near}"
                yield setting_fault(key.text, named, fault)


def _names(element: Element) -> Iterator[Setting]:
    return (value for key, value in element.attributes.items() if key in _NAMES)


def _ports(properties: Iterable[_Property]) -> Iterator[Diagnostic]:
    """Yield ports that are not numbers: the setter accepts nothing else."""
    for key, _, value in properties:
        word = value.text if value is not None else ""
        if key.text == "port" and value is not None and word.isalnum() and not is_digits(word):
            yield setting_fault("port", value, f"does not accept {word[:60]}, only a number")


def _unused(properties: Sequence[_Property]) -> Iterator[Diagnostic]:
    """Yield the address of a factory that connects in bindings mode, its default."""
    names = {key.casefold(): key for key in _BEAN.keys}
    settings = {
        names.get(key.text.casefold(), key.text): Setting(UNKNOWN, key.span) if own is None else own
        for key, _, own in properties
    }
    yield from unused_address(settings, "transportType", _ADDRESSES, "WMQ_CM_BINDINGS")


def _properties(bean: Element, inside: Sequence[Element]) -> Iterator[_Property]:
    for key, value in bean.attributes.items():
        if key.startswith(SHORT):
            name = key.removeprefix(SHORT)
            is_reference = name.endswith(_OF_REFERENCE)
            own = Setting(name.removesuffix(_OF_REFERENCE), value.span)
            yield _Property(own, *((value, None) if is_reference else (None, value)))
    for element in inside:
        attributes = element.attributes
        if element.name == "property" and element.parent is bean and "name" in attributes:
            yield _Property(attributes["name"], attributes.get("ref"), attributes.get("value"))


def _unknown_keys(keys: Sequence[Setting]) -> Iterator[Diagnostic]:
    """Yield keys that the class has no setter for and that are near one not given."""
    known = {key.casefold(): key for key in _BEAN.keys}
    given = {key.text.casefold() for key in keys}
    for key in keys:
        own = key.text.casefold()
        missing = [name for name in known if name not in given]
        meant = _BEAN.synonyms.get(key.text) or known.get(nearest(own, missing), "")
        if own not in known and meant and meant.casefold() not in given:
            yield setting_fault(key.text, key, f"is not read, and the nearest key is {meant}")
