"""Shells of UNIX: sh, ksh, bash and their relatives."""

from __future__ import annotations

from itertools import takewhile

from mqlint.language.base import TEXT_ENDINGS, Language, Sample, Sign
from mqlint.language.client.signs import FACTORY, holds_channel_table
from mqlint.language.jcl import holds_job
from mqlint.language.mqsc.command_line import begins_command
from mqlint.language.script.unread.mentions import SETS_MQ, hides_command, is_about_mq, writes_mqsc
from mqlint.patterns import later

_SHEBANG = later(r"#![ \t]*\S*/(?:env[ \t]+(?:-\S+[ \t]+)*)?(?:bash|sh|ksh\d*|dash|zsh)\b")
_LOGIN = frozenset(".profile .bash_profile .bash_login .bashrc .kshrc".split())
"""The names of files that a shell runs when a user logs in."""
_GRANT = later(r"setmqaut[ \t]+-\w|setmqspl[ \t]+-\w")
"""The first line of what `dmpmqcfg -o setmqaut` and `dspmqspl -export` write."""
_FEED = later(
    r"runmqsc(?:[ \t]+[^\s<>|]{1,60}){0,4}[ \t]*<[ \t]*[^\s<]"
    r"|echo[ \t]+(?:\"[^\"\n]{1,400}\"|'[^'\n]{1,400}')[ \t]*\|[ \t]*runmqsc\b"
)
"""The first line of a list of runs of runmqsc."""
_APPLIES = later(r"(?:cat|(?:sudo[ \t]+)?(?:oc|kubectl))\b[^\n:]*<<-?[ \t]*['\"\\]?[A-Za-z_]")
"""A line of a shell that begins a here-document, as no YAML has it."""
_COMMENTED = (
    "dockerfile",
    "containerfile",
    "jenkinsfile",
    "makefile",
    "vagrantfile",
    "crontab",
    ".env",
)
"""Names of files whose reader takes a first line `#!/usr/bin/env groovy` for a comment."""
_FEEDS = later(
    r"(?i)<<[<-]?[ \t]*(?:[\"'\\]?\w{1,40}[\"']?[^\n]{0,200}\n\s{0,80})?[\"'$]{0,2}"
    r"(?:def(?:ine)?|alt(?:er)?|set)[ \t]+"
    r"(?:qmgr\b|(?:q(?:l(?:ocal)?|a(?:lias)?|r(?:emote)?)|ch(?:anne)?l|chlauth)[ \t]*\()"
)
"""MQSC that a command reads, whatever that is called."""
_RUNS = later(r"(?:sudo[ \t]+)?(?:docker|podman|nerdctl)[ \t]+(?:container[ \t]+)?run[ \t]")
"""The command that starts a container."""


def _shebang(sample: Sample) -> str:
    """The line that names the shell, blank if there is none; remarks may be above it."""
    if "#!" not in sample.head:  # the lines of most files are not needed
        return ""
    remarks = takewhile(lambda line: line.startswith("#"), sample.lines)
    return next((line for line in remarks if line.startswith("#!")), "")


def _has_shebang(sample: Sample) -> bool:
    return _shebang(sample) != ""


def _is_program(sample: Sample) -> bool:
    """Whether a text is a login script, or only its first line says what it is, not its name."""
    if sample.name in _LOGIN:
        return True
    is_named = sample.ending not in TEXT_ENDINGS or sample.name.startswith(_COMMENTED)
    return not is_named and _has_shebang(sample)


def _is_misnamed(sample: Sample) -> bool:
    """Whether a script for runmqsc is one of a shell; to runmqsc the first line is only a typo."""
    return _has_shebang(sample) and _is_shell(sample) and not any(map(begins_command, sample.lines))


def _is_shell(sample: Sample) -> bool:
    shebang = _shebang(sample)
    if shebang and not _SHEBANG.match(shebang):
        return False
    text = sample.text
    if is_about_mq(text) or writes_mqsc(text) or hides_command(text):
        return True
    if "<<" not in text:
        return False
    if any(form.search(text) for form in (_FEEDS, FACTORY)) or holds_channel_table(text):
        return True
    return holds_job(text)


def _is_pasted(sample: Sample) -> bool:
    """Return whether a file of YAML is the command that applies it: `cat <<EOF | oc apply -f -`."""
    return _APPLIES.match(_first_line(sample)) is not None and _is_shell(sample)


def _is_list_of_commands(sample: Sample) -> bool:
    """Tell whether a text begins with a command that gives authorities, or starts a container."""
    first = _first_line(sample)
    if _GRANT.match(first) is not None:
        return True
    return _RUNS.match(first) is not None and SETS_MQ.search(sample.text) is not None


def _is_list_of_runs(sample: Sample) -> bool:
    return _FEED.match(_first_line(sample)) is not None


def _first_line(sample: Sample) -> str:
    return next((line for line in sample.lines if not line.startswith("#")), "")


SHELL = Language(
    name="shell",
    signs=(
        Sign(20, {"sh", "ksh", "bash", "profile"}, _is_program, _is_shell, decides=True),
        Sign(21, {"yaml", "yml"}, looks_like=_is_pasted),
        Sign(39, {"mqsc", "mqs"}, looks_like=_is_misnamed),
        Sign(120, TEXT_ENDINGS, looks_like=_is_list_of_commands),
        Sign(131, TEXT_ENDINGS, looks_like=_is_list_of_runs),  # not of a batch file
        # The first line is a comment in YAML and other files, which are asked first
        Sign(205, frozenset(), _has_shebang, _is_shell, decides=True),
    ),
    reader="mqlint.language.script.document:read",
    variables=True,
    by_name=True,
)
LANGUAGES = (SHELL,)
