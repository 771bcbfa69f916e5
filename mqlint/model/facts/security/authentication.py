"""How a queue manager checks users and passwords: the object that CONNAUTH names."""

from __future__ import annotations

from functools import cached_property

from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.shipped import authentication_type, product_default
from mqlint.model.core.value import UNKNOWN, known_text

_CHECKING = ("IDPWOS", "IDPWLDAP")
_NEW = "SYSTEM.DEFAULT.AUTHINFO.IDPWOS"
"""The object that CONNAUTH of a new queue manager names (a dump of one)."""


class Authentication:
    """What CONNAUTH decides for clients; None is not known."""

    def __init__(self, manager: QueueManager) -> None:
        self._manager = manager
        self._qmgr = manager.own_object()

    @cached_property
    def is_assumed(self) -> bool:
        """Whether only a change of the object says that CONNAUTH names it, as a new one does."""
        is_open = self._qmgr is None or not self._qmgr.writes("CONNAUTH")
        changed = self._manager.find("authinfo", _NEW) if is_open else None
        return changed is not None and self._manager.target.platform != "zos"

    @cached_property
    def name(self) -> str | None:
        """The object that CONNAUTH names, blank for none."""
        if self.is_assumed:
            return _NEW
        if self._qmgr is None or self._qmgr.has_refused_command:
            return None
        return known_text(self._qmgr.value("CONNAUTH"))

    @cached_property
    def may_be_blank(self) -> bool:
        """Whether commands leave open what CONNAUTH names: by a branch, template or order."""
        return self.name is None and self._qmgr is not None and self._qmgr.writes("CONNAUTH")

    @cached_property
    def is_of_wrong_type(self) -> bool:
        """Whether CONNAUTH names an object that checks no passwords: of CRLs, or of OCSP."""
        return bool(self.name) and self._type not in (None, *_CHECKING)

    @cached_property
    def check(self) -> str | None:
        """How far clients must give a user and a password: NONE, OPTIONAL, REQDADM, REQUIRED."""
        return "NONE" if self.name == "" else self._value("CHCKCLNT")

    @cached_property
    def may_ask_everybody(self) -> bool:
        """Whether all clients may have to give a password, if `check` is not known."""
        manager, name = self._manager, self.name
        if name is None and not self.may_be_blank:
            return any(map(_may_ask_everybody, manager.objects("authinfo")))
        found = manager.find("authinfo", name) if name else None
        return name != _NEW if found is None else _may_ask_everybody(found)

    @cached_property
    def adopts(self) -> bool | None:
        """Whether who gave a right password is the user from then on."""
        if self.check == "NONE":
            return False
        found = self._value("ADOPTCTX")
        return None if found is None else found == "YES"

    @cached_property
    def takes_system_groups(self) -> bool | None:
        """Whether groups of the operating system decide who is privileged.

        With LDAP and an AUTHORMD other than OS only the user who started the queue manager is.
        (IBM: "LDAP administration" of AIX, Linux and Windows.)
        """
        if not self._is_ldap:
            return True
        mode = self._value("AUTHORMD")
        return None if mode is None else mode == "OS"

    def adopted(self, user: str) -> str | None:
        """Return the user that is adopted for one who gave a right password; None if not known.

        With LDAP that is the value of SHORTUSR in the entry of the user, whom a distinguished name
        or a value of USRFIELD names. (IBM: q013310, "Relationship between MQCSP and AdoptCTX".)
        """
        if not self._is_ldap:
            return user
        short, field = ((self._value(word) or "").lower() for word in ("SHORTUSR", "USRFIELD"))
        attribute, is_name, value = user.partition("=")
        if is_name:
            attribute, user = attribute.strip().lower(), value.partition(",")[0].strip()
        return user if short and short == (attribute if is_name else field) else None

    @cached_property
    def _is_ldap(self) -> bool:
        return self._type == "IDPWLDAP"

    @cached_property
    def _type(self) -> str | None:
        if not self.name:
            return None
        found = self._manager.find("authinfo", self.name)
        return authentication_type(self.name) if found is None else found.subtype

    def _value(self, attribute: str) -> str | None:
        if not self.name:
            return None
        manager = self._manager
        found = manager.find("authinfo", self.name)
        if found is not None:
            return None if found.has_refused_command else known_text(found.value(attribute))
        kind = authentication_type(self.name)
        if kind is None or manager.exists("authinfo", self.name) is not True:
            return None
        shipped = product_default(manager.vocabulary, manager.target, "authinfo", kind, attribute)
        return known_text(shipped)


def _may_ask_everybody(found: MQObject) -> bool:
    """Whether an object asks all clients for a password, or commands leave that open.

    Without CHCKCLNT an object of type IDPWOS asks at most administrators.
    """
    check = found.value("CHCKCLNT")
    is_open = found.has_refused_command or (check is UNKNOWN and found.writes("CHCKCLNT"))
    return check == "REQUIRED" or is_open
