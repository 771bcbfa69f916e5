"""Names of users as records compare them: by case, and cut to 12 characters."""

from __future__ import annotations

_LONGEST = 12
"""Characters of a user for which authority is checked, except on Windows."""
_CASE = "qm.ini is not here, and ChlauthIgnoreUserCase decides whether the case of a user matters"
_CUT = "the queue manager may cut a user of more than 12 characters to 12"
"""IBM: q013310, "Identifying and authenticating users through the MQCSP structure"."""


def short_user(user: str) -> str:
    """Return a user as platforms other than Windows may cut it."""
    return user[:_LONGEST]


def account(user: str) -> str:
    r"""Return a user of a domain of Windows, `name@domain` or `domain\name`, as its name alone."""
    return user.partition("@")[0].rpartition("\\")[2].lower()


def why_open(name: str, user: str) -> str:
    """Return why it is not known whether the name in a record is that of a user."""
    return _CASE if user == short_user(user) else _CUT
