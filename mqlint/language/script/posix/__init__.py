"""Shells of UNIX: sh, ksh, bash and their relatives."""

from __future__ import annotations

from itertools import takewhile

from mqlint.language.base import TEXT_ENDINGS, Language, Sample, Sign
from mqlint.language.client.signs import FACTORY, holds_channel_table, names_connection
from mqlint.language.script.hosts.mq_image import SETS_MQ
from mqlint.language.script.mentions import names_command_in_any_case, writes_mqsc
from mqlint.patterns import later

_SHEBANG = later(r"#![ \t]*\S*/(?:env[ \t]+(?:-\S+[ \t]+)*)?(?:bash|sh|ksh\d*|dash|zsh)\b")
_GRANT = later(r"setmqaut[ \t]+-\w|setmqspl[ \t]+-\w")
"""The first line of what `dmpmqcfg -o setmqaut` and `dspmqspl -export` write."""
_APPLIES = later(r"(?:cat|(?:sudo[ \t]+)?(?:oc|kubectl))\b[^\n:]*<<-?[ \t]*['\"\\]?[A-Za-z_]")
"""A line of a shell that begins a here-document, as no YAML has it."""


def _shebang(sample: Sample) -> str:
    """The line that names the shell, blank if there is none; remarks may be above it."""
    if "#!" not in sample.head:  # the lines of most files are not needed
        return ""
    remarks = takewhile(lambda line: line.startswith("#"), sample.lines)
    return next((line for line in remarks if line.startswith("#!")), "")


def _has_shebang(sample: Sample) -> bool:
    return _shebang(sample) != ""


def _is_shell(sample: Sample) -> bool:
    shebang = _shebang(sample)
    if shebang and not _SHEBANG.match(shebang):
        return False
    text = sample.text
    starts_container = SETS_MQ.search(text) is not None
    if names_command_in_any_case(text) or writes_mqsc(text) or starts_container:
        return True
    if names_connection(text):
        return True
    return "<<" in text and (holds_channel_table(text) or FACTORY.search(text) is not None)


def _is_pasted(sample: Sample) -> bool:
    """Tell whether a file of YAML is the command that applies it: `cat <<EOF | oc apply -f -`."""
    lines = (line for line in sample.lines if not line.startswith("#"))
    return _APPLIES.match(next(lines, "")) is not None and _is_shell(sample)


def _is_grants(sample: Sample) -> bool:
    return bool(sample.lines) and _GRANT.match(sample.lines[0]) is not None


SHELL = Language(
    name="shell",
    files="`*.sh`, `*.ksh`, `*.bash` or a first line that names such a shell, when one of MQ's "
    "commands is named, or a variable of MQ's container or of a client is set",
    content="control commands, the MQSC that `runmqsc` is given, and containers that `docker run` "
    "starts",
    signs=(
        Sign(20, frozenset({"sh", "ksh", "bash"}), _has_shebang, _is_shell, decides=True),
        Sign(21, frozenset({"yaml", "yml"}), looks_like=_is_pasted),
        Sign(120, TEXT_ENDINGS, looks_like=_is_grants),
    ),
    reader="mqlint.language.script.reader:read_shell",
)
LANGUAGES = (SHELL,)
