"""Arguments with which scripts and jobs call a script, as values of its variables.

    ./build.sh ORDQM1 mq1.leeds.example

In `build.sh` the variable of `QM=$1` then has the value ORDQM1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from posixpath import basename

from mqlint.grouping import settled, single
from mqlint.language.variables.job import filled
from mqlint.patterns import later

_CALL = later(
    r"(?<![\w.$/\\{}%~-])(?:[\w$./\\{}:%~-]{0,120}[/\\0])?"
    r"([\w-]{1,80}\.(?:sh|ksh|bash|bat|cmd))[\"']?(?=[ \t])"
    r"((?:[ \t]+(?:\"[^\"\n]{1,200}\"|'[^'\n]{1,200}'|[^\s;&|<>#\"'()`]{1,200}))+)"
)
_ARGUMENT = later(r"\"([^\"]+)\"|'([^']+)'|(\S+)")


class Arguments:
    """The variables that get the arguments of calls, for the scripts of a project.

    `parameters` are the variables of each script with the number of their parameter, by its path.
    """

    def __init__(self, parameters: Mapping[str, Sequence[tuple[str, int]]]) -> None:
        named = ((basename(path), {*pairs}) for path, pairs in parameters.items())
        self._parameters = single(named)

    def given_in(
        self, text: str, values: Mapping[str, str | None] = {}
    ) -> Mapping[str, str | None]:
        """Return the variables that calls in a text set, None if several set one differently.

        `values` are those of variables in the arguments. Names begin with a dollar sign.
        """
        return settled(self._given(text, values)) if self._parameters else {}

    def _given(
        self, text: str, values: Mapping[str, str | None]
    ) -> Iterator[tuple[str, str | None]]:
        at, is_comment = 0, False
        for call in _CALL.finditer(text):
            _, line_break, before = text[at : call.start()].rpartition("\n")
            at, is_comment = call.start(), "#" in before or (is_comment and not line_break)
            if call[1] not in self._parameters or is_comment:
                continue
            words = [next(filter(None, found)) for found in _ARGUMENT.findall(call[2])]
            for variable, number in self._parameters[call[1]]:
                if number <= len(words):
                    yield f"${variable}", filled(words[number - 1], values)
