"""Properties of an MQSC text that the text does not state, although its reading depends on them."""

from __future__ import annotations

from mqlint.dataclass import frozen


@frozen
class Dialect:
    """How a text is read.

    `zos`: it goes to z/OS, so that of records with 80 columns only 72 count, and `WORD=value` is an
    attribute ("Building command scripts" and "Generic values and characters with special meanings"
    in IBM's documentation). `percent` and `double_underscore`: `%NAME%` and `__NAME__` are
    templates, although they are valid names of MQ. `verbatim`: a script gives it to a queue manager
    unchanged, so that nothing replaces `$NAME`.
    """

    zos: bool = False
    percent: bool = True
    double_underscore: bool = True
    verbatim: bool = False


PLAIN = Dialect()
"""As nothing is known."""
