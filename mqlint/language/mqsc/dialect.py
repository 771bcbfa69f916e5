"""What a text of MQSC does not say of itself, and what the reading of it depends on."""

from __future__ import annotations

from mqlint.dataclass import frozen


@frozen
class Dialect:
    """How a text is to be read.

    `zos` tells that it goes to z/OS: of records of 80 columns only 72 count, and `WORD=value` is
    an attribute ("Building command scripts" and "Generic values and characters with special
    meanings" in IBM's documentation). `percent` and `double_underscore` take `%NAME%` and
    `__NAME__` for templates, which are legal names of MQ as well. `verbatim` tells that a script
    gives it to a queue manager as it stands, so that nothing replaces `$NAME`.
    """

    zos: bool = False
    percent: bool = True
    double_underscore: bool = True
    verbatim: bool = False


PLAIN = Dialect()
"""As nothing is known."""
