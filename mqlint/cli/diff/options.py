"""The options of `mqlint diff` and `mqlint plan` that say what is compared."""

from __future__ import annotations

from collections.abc import Callable

import click

from mqlint.cli.common.options import option
from mqlint.dataclass import frozen
from mqlint.model.comparison.difference import Ignored

ORDER = "attributes objects renames"
"""The options, as `--help` lists them."""


def renames_help(side: str) -> dict[str, str]:
    """Return the help of --rename, which maps the names of one side."""
    text = f"Read OLD as NEW in names and values of {side}. May be given several times."
    return {"renames": text}


@frozen
class ComparisonOptions:
    """What is left out of a comparison, and which names of one side are mapped."""

    attributes: tuple[str, ...] = option(
        "--ignore",
        metavar="ATTRIBUTE",
        multiple=True,
        help="Leave out an attribute: DESCR, channel.CONNAME, stanza.*. May be given several "
        "times.",
    )
    objects: tuple[str, ...] = option(
        "--ignore-object",
        metavar="NAME",
        multiple=True,
        help="Leave out objects: 'SYSTEM.*', 'qlocal:TMP.*'. May be given several times.",
    )
    renames: tuple[str, ...] = option("--rename", metavar="OLD=NEW", multiple=True)

    @property
    def ignored(self) -> Ignored:
        return Ignored(tuple(map(str.upper, self.attributes)), tuple(map(str.upper, self.objects)))

    @property
    def rename(self) -> Callable[[str], str]:
        """What renames as --rename says; BadParameter if it is not OLD=NEW."""
        pairs = []
        for word in self.renames:
            old, sign, new = word.partition("=")
            if not old or not sign:
                raise click.BadParameter(f"--rename {word!r}: write it as OLD=NEW")
            pairs.append((old, new))
        if not pairs:
            return str

        def rename(text: str) -> str:
            for old, new in pairs:
                text = text.replace(old, new)
            return text

        return rename
