"""The mqweb server of the MQ Console and the REST API (mqwebuser.xml): roles, users, protection.

Sources: "Roles on the IBM MQ Console and REST API" (q127950_), "Configuring CORS for the REST API"
(q128790_), "setmqweb properties" and the samples of mqwebuser.xml that "Configuring users and
roles" describes. What the file includes, and what LDAP or the operating system knows, is not here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mqlint.finding import Diagnostic
from mqlint.language.base import Context, Parsed
from mqlint.language.client.connection import Setting, Span, password_fault
from mqlint.language.client.xml import Element, elements_of
from mqlint.patterns import later
from mqlint.vocabulary.distance import nearest

_ROLES = ("MQWebAdmin", "MQWebAdminRO", "MQWebUser", "MFTWebAdmin", "MFTWebAdminRO")
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
_OLD_TLS = frozenset({"SSLv2", "SSLv3", "TLSv1", "TLSv1.1"})
_SHOWN = 60


def read(text: str, context: Context) -> Parsed:
    return Parsed(diagnostics=[*faults_of_server(text)])


def faults_of_server(text: str) -> Iterator[Diagnostic]:
    elements = tuple(elements_of(text))
    yield from _roles(elements)
    yield from _passwords(elements)
    yield from _protection(elements)


def _roles(elements: tuple[Element, ...]) -> Iterator[Diagnostic]:
    """Yield roles for everyone, and names of roles and members that do not exist."""
    members = _registry(elements)
    role: Setting | None = None
    for element in elements:
        name = element.attributes.get("name")
        if element.name == "security-role":
            role = None if element.is_end else name
            if role is not None and isinstance(role.value, str) and role.value not in _ROLES:
                meant = nearest(role.value[:_SHOWN], _ROLES)
                if meant:
                    fault = f"is not a role of MQ (did you mean {meant}?)"
                    yield _fault(role.value, role.span, fault)
        elif role is None or not isinstance(role.value, str) or element.is_end:
            continue
        elif element.name == "special-subject":
            kind = element.attributes.get("type")
            if kind is not None and kind.value == "EVERYONE" and role.value in _ROLES:
                yield Diagnostic("web-role-everyone", *kind.span, {"role": role.value})
        elif members is None or "access-id" in element.attributes:
            continue  # of a registry that is not in the file
        elif name is not None and isinstance(name.value, str):
            known = members.get(element.name, set[str]())
            if element.name in ("user", "group") and name.value.casefold() not in known:
                fault = f"has the role {role.value}, but basicRegistry has no such {element.name}"
                yield _fault(name.value, name.span, fault)


def _registry(elements: tuple[Element, ...]) -> Mapping[str, set[str]] | None:
    """The users and groups of the only registry; None if others may exist, or a name is open."""
    names = [element.name for element in elements if not element.is_end]
    if names.count("basicRegistry") != 1 or any(map(_OTHER_USERS.match, names)):
        return None
    found: dict[str, set[str]] = {"user": set(), "group": set()}
    is_inside = False
    for element in elements:
        if element.name == "basicRegistry":
            is_inside = not element.is_end
        elif is_inside and element.name in found and not element.is_end:
            name = element.attributes.get("name")
            if name is None or not isinstance(name.value, str):
                return None
            found[element.name].add(name.value.casefold())
    return found


def _passwords(elements: tuple[Element, ...]) -> Iterator[Diagnostic]:
    for element in elements:
        if element.name in ("user", "keyStore", "ldapRegistry") and not element.is_end:
            key = "bindPassword" if element.name == "ldapRegistry" else "password"
            yield from password_fault(element.attributes.get(key), f"{key} of {element.name}")


def _protection(elements: tuple[Element, ...]) -> Iterator[Diagnostic]:
    """Yield settings that let others read or use what the server protects by default."""
    names = {element.name for element in elements}
    known = [element.text.value for element in elements if element.name == "feature"]
    managers = [element for element in elements if element.name == "featureManager"]
    is_checked = any(_PROTECTED.match(str(value).strip()) for value in known)
    is_whole = "include" not in names and all(isinstance(value, str) for value in known)
    if managers and is_whole and not is_checked:
        yield _fault(
            "featureManager", managers[0].span, "has no appSecurity, so users may not be checked"
        )
    values = {
        str(name.value): element.attributes["value"]
        for element in elements
        if element.name == "variable" and (name := element.attributes.get("name")) is not None
        if "value" in element.attributes
    }
    host, port = values.get("httpHost"), values.get("httpPort")
    if host is not None and port is not None and isinstance(host.value, str):
        is_open = isinstance(port.value, str) and port.value.strip().isdigit()
        if is_open and host.value not in _LOCAL:
            yield _fault("httpPort", port.span, "opens a port without TLS: passwords are readable")
    for element in elements:
        tls, target = (element.attributes.get(key) for key in ("sslEnabled", "host"))
        is_plain = element.name == "ldapRegistry" and tls is not None and tls.value == "false"
        if is_plain and tls is not None and target is not None and target.value not in _LOCAL:
            yield _fault("sslEnabled", tls.span, "is false: passwords go to LDAP without TLS")
        protocol = element.attributes.get("sslProtocol") if element.name == "ssl" else None
        if protocol is not None and protocol.value in _OLD_TLS:
            yield _fault("sslProtocol", protocol.span, "allows SSL 3.0, TLS 1.0 or TLS 1.1 only")
    csrf = values.get("mqRestCsrfValidation")
    if csrf is not None and csrf.value == "false":
        yield _fault("mqRestCsrfValidation", csrf.span, "is false: other sites can send requests")
    cors = values.get("mqRestCorsAllowedOrigins")
    if cors is not None and cors.value == "*":
        yield _fault("mqRestCorsAllowedOrigins", cors.span, "admits scripts of every site")


def _fault(key: str, span: Span, fault: str) -> Diagnostic:
    return Diagnostic("web-setting", *span, {"key": key[:_SHOWN], "fault": fault})
