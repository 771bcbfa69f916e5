"""The mqweb server of the MQ Console and the REST API (mqwebuser.xml): roles, users, protection.

Sources: "Roles on the IBM MQ Console and REST API" (q127950_), "Configuring CORS for the REST API"
(q128790_), "setmqweb properties" and the samples of mqwebuser.xml that "Configuring users and
roles" describes. What the file includes, and what LDAP or the operating system knows, is not here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.base import ClientContext, Parsed
from mqlint.language.client.connection import Setting, password_fault
from mqlint.language.client.elements import Element, elements_of, parts
from mqlint.language.client.references import Reference, lost_references
from mqlint.language.client.xml import broken_xml
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.vocabulary.distance import nearest
from mqlint.vocabulary.unknown import UNKNOWN

_ROLES = ("MQWebAdmin", "MQWebAdminRO", "MQWebUser", "MFTWebAdmin", "MFTWebAdminRO")
_OF_MQ = ("MQWeb", "MFTWeb")
"""How the names of roles begin."""
_APPLICATIONS = ("com.ibm.mq.console", "com.ibm.mq.rest")
_STORE = Reference(
    frozenset({"keyStore"}), "keyStore of the file has this id", built_in="defaultKeyStore"
)
_STORES = dict.fromkeys(("keyStoreRef", "trustStoreRef"), _STORE)
"""References to keystores; mqweb.xml configures the default one of Liberty."""
_LOCAL = frozenset({"localhost", "127.0.0.1", "::1", "[::1]"})
_PROTECTED = later(
    r"(?i:.*(?:security|authentication|registry|openid|saml|oauth|jwt|sociallogin|spnego|"
    r"restconnector|admincenter))"
)
"""Features that check users, or that may enable appSecurity."""
_OTHER_USERS = later(
    r"(?i:include$|quickStart|saf|(?!basic).*(?:registry|repository)|openid|saml|oauth|jwt|mpjwt|"
    r"socialLogin|spnego|trustAssociation)"
)
"""Elements that may bring users of whom basicRegistry does not know."""
_UNSAFE = {
    (
        "variable",
        "httpPort",
        later(r"\s*\d+\s*"),
    ): "opens a port without TLS: passwords are readable",
    ("variable", "mqRestCsrfValidation", later("false")): "is false: other sites can send requests",
    ("variable", "mqRestCorsAllowedOrigins", later(r"\*")): "admits scripts of every site",
    ("ldapRegistry", "sslEnabled", later("false")): "is false: passwords go to LDAP without TLS",
    ("ssl", "sslProtocol", later(r"SSLv[23]|TLSv1(?:\.1)?")): (
        "allows SSL 3.0, TLS 1.0 or TLS 1.1 only"
    ),
}
"""What is wrong with a value of an attribute of an element; variables count as attributes."""
_SAFE_HOSTS = {
    "httpPort": ("httpHost", {*_LOCAL, UNKNOWN}),
    "sslEnabled": ("host", _LOCAL),
}
"""The attribute with the host, without which a setting is safe, and hosts that are safe."""


def read(text: str, context: ClientContext) -> Parsed:
    return Parsed(diagnostics=[*faults_of_server(text), *broken_xml(text)])


def faults_of_server(text: str) -> Iterator[Diagnostic]:
    elements = elements_of(text)
    yield from _roles(elements)
    yield from _passwords(elements)
    yield from _protection(elements)
    stores = (element.attributes for element in elements if element.name == "ssl")
    for key, named, fault in lost_references(elements, stores, _STORES):
        yield _fault(key, named.span, fault)


def _roles(elements: Sequence[Element]) -> Iterator[Diagnostic]:
    """Yield roles for everyone, and names of roles and members that do not exist."""
    members = _registry(elements)
    has_many = any(element.name == "ldapRegistry" for element in elements)
    if members is not None:
        has_many = len(members["user"]) > 1
        yield from _members(elements, members["user"])
    for application in elements:
        identity = application.attributes.get("id")
        if application.name == "enterpriseApplication" and identity is not None:
            yield from _misspelt(identity, _APPLICATIONS, "an application")
    for found, inside in parts(elements, lambda element: element.name == "security-role"):
        name = found.attributes.get("name")
        if name is None or not isinstance(name.value, str):
            continue
        is_near = name.value in _ROLES or nearest(name.value, _ROLES) != ""
        if not is_near and name.value.startswith(_OF_MQ) and _is_of_mq(found):
            yield _fault(name.value, name.span, f"is not one of the roles {', '.join(_ROLES)}")
        yield from _misspelt(name, _ROLES, "a role")
        yield from _holders(name.value, inside, members, has_many=has_many)


def _is_of_mq(role: Element) -> bool:
    """Whether a role is that of an application of MQ."""
    around = role.parent
    while around is not None and around.name != "enterpriseApplication":
        around = around.parent
    identity = around.attributes.get("id") if around is not None else None
    return identity is not None and identity.value in _APPLICATIONS


def _misspelt(name: Setting, known: Sequence[str], kind: str) -> Iterator[Diagnostic]:
    meant = "" if name.value in known else nearest(str(name.value), known)
    if meant:
        yield _fault(str(name.value), name.span, f"is not {kind} of MQ (did you mean {meant}?)")


_OF_SAMPLE = frozenset({"mqadmin", "mqreader", "mftadmin", "mftreader"})
"""Users of IBM's sample of a registry: who removes them often leaves their roles, which is safe."""


def _holders(
    role: str,
    inside: Iterable[Element],
    members: Mapping[str, set[str]] | None,
    *,
    has_many: bool,
) -> Iterator[Diagnostic]:
    """Yield a role for everyone, and users and groups with it that the registry does not have."""
    for element in inside:
        attributes = element.attributes
        kind, name = attributes.get("type"), attributes.get("name")
        if element.name == "special-subject" and kind is not None and role in _ROLES:
            yield from _special_subject(role, kind, has_many=has_many)
        elif members is None or "access-id" in attributes or element.name not in members:
            continue  # of a registry that is not in the file
        elif name is not None and isinstance(name.value, str):
            known, used = members[element.name], name.value.casefold()
            if used not in known and used not in _OF_SAMPLE:
                fault = f"has the role {role}, but basicRegistry has no such {element.name}"
                yield _fault(name.value, name.span, fault)


def _special_subject(role: str, kind: Setting, *, has_many: bool) -> Iterator[Diagnostic]:
    """Yield a role for everyone, or that of administrators for all of many users."""
    if kind.value == "EVERYONE":
        yield diagnostic("web-role-everyone", kind.span, role=role)
    elif kind.value == "ALL_AUTHENTICATED_USERS" and role == "MQWebAdmin" and has_many:
        yield diagnostic("web-role-all-users", kind.span, role=role)


def _members(elements: Sequence[Element], users: set[str]) -> Iterator[Diagnostic]:
    """Yield members of groups that are not users of the registry."""
    for element in elements:
        name = element.attributes.get("name") if element.name == "member" else None
        if name is not None and isinstance(name.value, str) and name.value.casefold() not in users:
            yield _fault(name.value, name.span, "is in a group, but basicRegistry has no such user")


def _registry(elements: Sequence[Element]) -> Mapping[str, set[str]] | None:
    """The users and groups of the only registry; None if others may exist, or a name is open."""
    names = [element.name for element in elements]
    if names.count("basicRegistry") != 1 or any(map(_OTHER_USERS.match, names)):
        return None
    found: dict[str, set[str]] = {"user": set(), "group": set()}
    _, inside = next(parts(elements, lambda element: element.name == "basicRegistry"))
    for element in inside:
        if element.name in found:
            name = element.attributes.get("name")
            if name is None or not isinstance(name.value, str):
                return None
            found[element.name].add(name.value.casefold())
    return found


def _passwords(elements: Sequence[Element]) -> Iterator[Diagnostic]:
    for element in elements:
        if element.name in ("user", "keyStore", "ldapRegistry"):
            key = "bindPassword" if element.name == "ldapRegistry" else "password"
            name = element.attributes.get("name")
            is_named = element.name == "user" and name is not None and isinstance(name.value, str)
            holder = f"user {name.value}" if name is not None and is_named else element.name
            yield from password_fault(element.attributes.get(key), f"{key} of {holder}")


def _protection(elements: Sequence[Element]) -> Iterator[Diagnostic]:
    """Yield settings that let others read or use what the server protects by default."""
    yield from _unchecked_users(elements)
    variables = {
        str(name.value): element.attributes["value"]
        for element in elements
        if element.name == "variable" and (name := element.attributes.get("name")) is not None
        if "value" in element.attributes
    }
    sections = [("variable", variables), *((inner.name, inner.attributes) for inner in elements)]
    for (kind, key, unsafe), fault in _UNSAFE.items():
        host_key, safe_hosts = _SAFE_HOSTS.get(key, ("", ()))
        for element_name, settings in sections:
            setting, host = settings.get(key), settings.get(host_key)
            if element_name != kind or setting is None or not unsafe.fullmatch(str(setting.value)):
                continue
            if not host_key or (host is not None and host.value not in safe_hosts):
                yield _fault(key, setting.span, fault)


def _unchecked_users(elements: Sequence[Element]) -> Iterator[Diagnostic]:
    """Yield a list of features of which none checks users."""
    names = {element.name for element in elements}
    known = [element.text.value for element in elements if element.name == "feature"]
    managers = [element for element in elements if element.name == "featureManager"]
    is_checked = any(_PROTECTED.match(str(value).strip()) for value in known)
    is_whole = "include" not in names and all(isinstance(value, str) for value in known)
    if managers and is_whole and not is_checked:
        yield _fault(
            "featureManager", managers[0].span, "has no appSecurity, so users may not be checked"
        )


def _fault(key: str, span: Span, fault: str) -> Diagnostic:
    return diagnostic("web-setting", span, key=key, fault=fault)
