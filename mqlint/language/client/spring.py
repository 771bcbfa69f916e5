"""Connections of Spring Boot applications: `ibm.mq.*` in documents, each perhaps for a profile.

A document for a profile is read on top of those that are for all ("Externalized Configuration" of
Spring Boot). Variables of a container replace settings, and fill placeholders. Other keys are those
that an application names itself: a section of them with a queue manager and a channel is a
connection. Quarkus writes the profile into the key (`%prod.mq.channel`, "Configuration Reference
Guide" of Quarkus).
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field

from mqlint.dataclass import NamedTuple, mutable
from mqlint.language.client.connection import (
    Setting,
    Settings,
    add_address,
    connection,
    is_written_out,
    setting_at,
    topic_uri,
)
from mqlint.language.client.mapped import (
    connections_of_section,
    is_of_other_broker,
    names_queue,
    own_attribute,
)
from mqlint.language.client.properties import Property, properties
from mqlint.language.declaration import Declared, FieldValue
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.vocabulary.applications import application_formats
from mqlint.vocabulary.unknown import UNKNOWN

_PLACEHOLDER = later(r"\$\{([\w.-]{1,100})(?::[^{}\n]{0,200})?\}")
_NEXT_DOCUMENT = later(r"(?m)^[#!]---[ \t]*\r?$")
SPRING = application_formats()["spring"]
PREFIX = "ibm.mq."
_STARTER = "ibm.mq"
_CALLS = frozenset({"host", "port", "CONNAME", "QMNAME"})
"""Attributes of a section that is a connection."""
_VARIABLE = "IBM_MQ_"
_OF_FRAMEWORK = ("spring.", "camel.", "quarkus.")
"""Beginnings of keys with a meaning of their own, which name no queue of the application."""
_PROFILES = frozenset({"spring.profiles", "spring.config.activate.onprofile"})
_DESTINATION = "spring.jms.template.defaultdestination"
_TOPICS = "spring.jms.pubsubdomain"
"""If true, the destination is a topic ("Common Application Properties" of Spring Boot)."""
_NAME = "spring.application.name"
_BUNDLES = "spring.ssl.bundle."
OF_VARIABLES = {key.replace(".", ""): attribute for key, attribute in SPRING.attributes.items()}
"""The attributes by the names of variables, without their prefix and signs (`JKS_KEYSTORE`)."""


class Container(NamedTuple):
    """The variables of a container by name, and more settings by attribute."""

    variables: Settings
    more: Settings

    @property
    def settings(self) -> dict[str, Setting]:
        """The settings of the starter that variables give, by attribute."""
        found = {}
        for name, setting in self.variables.items():
            attribute = OF_VARIABLES.get(folded(name.removeprefix(_VARIABLE)))
            if attribute is not None and name.startswith(_VARIABLE):
                found[attribute] = setting
        return found

    @property
    def profiles(self) -> tuple[str, ...]:
        """The active profiles, none if that is not known."""
        active = self.variables.get("SPRING_PROFILES_ACTIVE")
        is_known = active is not None and isinstance(active.value, str)
        return tuple(active.text.replace(" ", "").split(",")) if active and is_known else ()


_LONGEST = 1000
"""Limit of the characters of a value that is made of several."""
_MOST_BELOW = 6
"""Limit of the sections around a value."""


@mutable
class Page:
    """One document: its settings by attribute, and the profile that it is for, if any.

    `own` are settings under keys of the application, by the section that the keys share, and by
    attribute. `queues` are what other keys of the application name, by the whole key. `bundles` are
    the TLS bundles of Spring that it defines, `written` all settings of the starter, with the key
    as it is written. `has_other_broker`: a key is about another product with queues.
    """

    settings: dict[str, Setting] = field(default_factory=dict)
    profile: FieldValue = ""
    name: Setting | None = None
    destination: Setting | None = None
    topics: Setting | None = None
    own: dict[str, dict[str, Setting]] = field(default_factory=dict)
    queues: dict[str, Setting] = field(default_factory=dict)
    bundles: set[str] = field(default_factory=set)
    written: list[tuple[str, Setting]] = field(default_factory=list)
    has_other_broker: bool = False

    def take(self, key: str, setting: Setting) -> None:
        """Take the value of a key, which may be written in any of the forms of Spring."""
        section, _, last = key.rpartition(".")
        if key.startswith(_BUNDLES) and section.count(".") >= _BUNDLES.count("."):
            self.bundles.add(key.removeprefix(_BUNDLES).split(".")[1])
        self.has_other_broker |= is_of_other_broker(key)
        written, key = key, folded(key)
        if key.startswith(PREFIX):
            self.written.append((written, setting))
        if key in _PROFILES:
            self.profile = setting.value or UNKNOWN
        elif key == _NAME:
            self.name = setting
        elif key == _DESTINATION:
            self.destination = setting
        elif key == _TOPICS:
            self.topics = setting
        else:
            attribute = SPRING.attributes.get(key.removeprefix(PREFIX).replace(".xmsc", "."))
            if attribute is not None and key.startswith(PREFIX):
                self.settings[attribute] = setting
            elif (attribute := own_attribute(last)) is not None:
                self.own.setdefault(folded(section), {})[attribute] = setting
            elif not key.startswith(_OF_FRAMEWORK) and names_queue(key, setting):
                self.queues[key] = setting

    @property
    def of_profile(self) -> bool:
        return self.profile != ""

    def changed(self, change: Callable[[Setting], Setting]) -> Page:

        def new(setting: Setting | None) -> Setting | None:
            return None if setting is None else change(setting)

        def all_new(settings: Mapping[str, Setting]) -> dict[str, Setting]:
            return {key: change(setting) for key, setting in settings.items()}

        own = {section: all_new(given) for section, given in self.own.items()}
        alone = (new(self.name), new(self.destination), new(self.topics))
        queues = all_new(self.queues)
        settings, other = all_new(self.settings), self.has_other_broker
        return Page(settings, self.profile, *alone, own, queues, has_other_broker=other)

    @property
    def opened(self) -> list[Setting]:
        """The queues of the application that are surely of the starter's queue manager.

        A section with a connection of its own has its own queues, and beside another broker or
        queue manager a queue may be of that.
        """
        own = {key: given for key, given in self.own.items() if key != _STARTER}
        names = {given["QMNAME"].value for given in own.values() if "QMNAME" in given}
        beside = self.settings.get("QMNAME") or self.own.get(_STARTER, {}).get("QMNAME")
        if self.has_other_broker or names - ({beside.value} if beside is not None else set()):
            return []
        sections = [f"{key}." for key, given in own.items() if key and _CALLS & given.keys()]
        return [queue for key, queue in self.queues.items() if not key.startswith((*sections,))]

    def placed(self, place: Callable[[Span], Span]) -> Page:
        return self.changed(lambda setting: Setting(setting.value, place(setting.span)))


def folded(key: str) -> str:
    """Return a key as Spring compares it: without case, hyphens and underscores."""
    return key.replace("-", "").replace("_", "").lower()


def pages_of_properties(text: str, lines: Iterable[Property]) -> list[Page]:
    ends = [found.start() for found in _NEXT_DOCUMENT.finditer(text)]
    pages = [Page() for _ in range(len(ends) + 1)]
    profiles: dict[str, Page] = {}
    for key, span, setting in lines:
        _take(pages[bisect(ends, span[0])], profiles, key, setting)
    return [*pages, *profiles.values()]


def _take(page: Page, profiles: dict[str, Page], key: str, setting: Setting) -> None:
    """Take the value of a key for a document, or for the profile that the key begins with."""
    profile, _, rest = key.partition(".")
    if profile.startswith("%"):
        page, key = profiles.setdefault(profile, Page(profile=profile[1:])), rest
    page.take(key, setting)


def pages_of(path: str, text: str) -> list[Page]:
    """Return the documents of a file, by the ending of its name."""
    if path.endswith(".properties"):
        return pages_of_properties(text, properties(text))
    return pages_of_yaml(read_documents(text))


def moved(page: Page, by: int) -> Page:
    """Return a document at another place, so many characters further on."""
    return page.placed(lambda span: (span[0] + by, span[1] + by))


def pages_of_yaml(documents: Iterable[Node]) -> list[Page]:
    pages = []
    profiles: dict[str, Page] = {}
    for document in documents:
        page = Page()
        for key, value in _leaves(document, "", 0):
            _take(page, profiles, key, setting_at(value))
        pages.append(page)
    return [*pages, *profiles.values()]


def _leaves(node: Node, path: str, depth: int) -> Iterator[tuple[str, Node]]:
    """The values below a node, each with its path of keys."""
    for key, value in node.pairs.items():
        below = f"{path}.{key}".removeprefix(".")
        if value.kind == "scalar":
            yield below, value
        elif value.kind == "mapping" and depth < _MOST_BELOW:
            yield from _leaves(value, below, depth + 1)


def connections_of_json(setting: Setting) -> Iterator[Declared]:
    """Yield the connections of settings that are the text of one value, all at its place."""
    for page in pages_of_yaml(read_documents(setting.text)):
        yield from connections_of_pages([page.placed(lambda _: setting.span)])


def merged(pages: Iterable[Page]) -> Page:
    """Return one document with the settings of all; a later one replaces an earlier one."""
    whole = Page()
    for page in pages:
        _add(whole, page)
    return whole


def connections_of_pages(
    pages: Sequence[Page], containers: Sequence[Container] = (), text: str = ""
) -> Iterator[Declared]:
    """Yield the connection of all documents without a profile, then that of each profile.

    If variables of `containers` change settings of the documents in `text`, the connections of
    these containers come instead of the first.
    """
    general = merged(page for page in pages if not page.of_profile)
    run = [(page, running) for running in containers if (page := _deployed(pages, running, text))]
    for page in [page for page, _ in run] or [general]:
        yield from _connection(page)
    active = {name for _, container in run for name in container.profiles}
    for page in pages:
        if page.of_profile and page.profile not in active and (page.settings or page.own):
            yield from _connection(merged((general, page)), page)


def _deployed(pages: Iterable[Page], container: Container, text: str) -> Page | None:
    """The settings of a container; None if its variables change none, or its profile is unknown."""
    names = container.profiles
    general, profiled = list[Page](), list[Page]()
    for page in pages:
        if not page.of_profile:
            general.append(page)
        elif page.settings or page.own:
            if not names or not _is_profile(page.profile):
                return None
            profiled.extend([page] if page.profile in names else [])
    written = merged([*general, *profiled])
    whole = written.changed(lambda setting: _filled(setting, container.variables, text))
    variables = container.settings
    # One with both needs no file, and may be another program.
    is_own = "QMNAME" in variables and "channel" in variables
    if is_own or not (written.settings or written.own):
        return None
    whole.settings.update(variables)
    if whole == written:
        return None
    whole.settings.update(container.more)
    return whole


def _is_profile(profile: FieldValue) -> bool:
    """Whether a document is for one profile, not for an expression of several."""
    return isinstance(profile, str) and profile.replace("-", "").replace("_", "").isalnum()


def _filled(setting: Setting, variables: Settings, text: str) -> Setting:
    raw = text[slice(*setting.span)].strip("\"' ")
    if setting.value is not UNKNOWN or "${" not in raw:
        return setting
    alone = _PLACEHOLDER.fullmatch(raw)
    if alone is not None:
        return variables.get(_variable(alone[1]), setting)

    known = [variables.get(_variable(found[1])) for found in _PLACEHOLDER.finditer(raw)]
    values = [value.value for value in known if value is not None and isinstance(value.value, str)]
    if len(values) != len(known) or len(raw) + sum(map(len, values)) > _LONGEST:
        return setting
    texts = iter(values)
    filled = _PLACEHOLDER.sub(lambda _: next(texts), raw)
    return setting if "${" in filled else Setting(filled, setting.span)


def _variable(name: str) -> str:
    """Return the variable that Spring asks for a name, as in `${mq.channel}`."""
    return name.replace(".", "_").replace("-", "").upper() if "." in name else name


def _add(page: Page, later: Page) -> None:
    page.settings.update(later.settings)
    for section, settings in later.own.items():
        page.own[section] = {**page.own.get(section, {}), **settings}
    page.queues.update(later.queues)
    page.has_other_broker |= later.has_other_broker
    page.name = later.name or page.name
    page.destination = later.destination or page.destination
    page.topics = later.topics or page.topics


def _connection(page: Page, changes: Page | None = None) -> Iterator[Declared]:
    """Yield the connections of a document; with `changes` only those that these settings change."""
    changed = page if changes is None else changes
    for section, section_settings in page.own.items():
        if section in changed.own and section != _STARTER:
            yield from connections_of_section(section_settings, "keys").declared
    if not (changed.settings or _STARTER in changed.own):
        return
    beside = page.own.get(_STARTER, {})
    names = ("QMNAME", "channel", "user", "password", "SSLCIPH")
    settings = {key: beside[key] for key in names if key in beside} | page.settings
    add_address(settings, beside, "host", "port")
    if page.name is not None and "application" not in settings and settings:
        settings = {**settings, "application": page.name}
    is_queue = page.topics is None or page.topics.value in ("", "false")
    is_topic = page.topics is not None and page.topics.value == "true"
    destination = page.destination if is_queue else topic_uri(page.destination)
    uris = (destination if is_queue or is_topic else None, beside.get("queue"))
    queues = [("open", queue) for queue in (*uris, *page.opened) if queue]
    whole = is_written_out(settings)
    yield from connection("spring", settings, whole=whole, queues=queues)
