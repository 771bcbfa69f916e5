"""Variables of a container of MQ that configure its queue manager.

Source: the environment that the container of ibm-messaging/mq-container takes. Resources of
Kubernetes, Dockerfiles, Compose files and `docker run` write the same settings in several forms.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mqlint.dataclass import frozen
from mqlint.language.declaration import Field, FieldValue
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.source.masking import is_hidden, is_hidden_default
from mqlint.vocabulary.unknown import UNKNOWN

_PASSWORDS = frozenset(("MQ_ADMIN_PASSWORD", "MQ_APP_PASSWORD", "adminPassword", "appPassword"))
"""Passwords of the users of the container: its variables, and keys of `queueManager.dev` in values
of the chart ibm-mqadvanced-server-dev (IBM/charts), which passes them to the container.
"""
OAM_OFF = "MQSNOAUT"
"""The variable for crtmqm that switches the object authority manager off.

Source: "Configuring authorization service stanzas on UNIX and Linux" (q027810_).
"""

FILLER = later(r"[xX]{3,}|\*{3,}|\.{3,}")
"""Text that replaces a removed password."""


@frozen
class Variable:
    """A variable of a container: its text as written, its value, and their places."""

    text: str
    value: FieldValue
    name_span: Span
    value_span: Span

    @property
    def is_plain(self) -> bool:
        """Whether a value that would be a secret in a password is written out, or is a default."""
        if not self.text or FILLER.fullmatch(self.text) is not None:
            return False
        if is_hidden(self.text) or is_hidden_default(self.text):
            return True
        return isinstance(self.value, str)


def environment_of(node: Node | None) -> dict[str, Variable]:
    """Return the variables of a list of `name` and `value`; one with two values is unknown."""
    found: dict[str, Variable] = {}
    for item in node.items if node is not None else ():
        name, value = item.child("name"), item.child("value")
        if name is not None and value is not None:
            variable = Variable(value.text, value.value, name.span, value.span)
            if found.setdefault(name.text, variable).text != variable.text:
                found[name.text] = Variable("", UNKNOWN, name.span, value.span)
        elif name is not None:
            found[name.text] = Variable("", UNKNOWN, name.span, name.span)
    return found


def variables_in(node: Node) -> Iterator[tuple[str, Variable]]:
    """Yield the variables that the keys of a mapping name."""
    for key, span, value in node.pairs:
        if value.kind == "scalar":
            yield key, Variable(value.text, value.value, span, value.span)


def security_fields(environment: Mapping[str, Variable]) -> Iterator[Field]:
    """Yield passwords in plain text by name, and whether authority is checked.

    The passwords are not stored. Any value of the variable switches the checks off.
    """
    plain = [name for name in environment if name in _PASSWORDS and environment[name].is_plain]
    if plain:
        yield Field("passwords", tuple(plain), environment[plain[0]].name_span)
    if OAM_OFF in environment:
        yield Field("oam", "off", environment[OAM_OFF].name_span)
