"""What shows that a file holds scripts: questions about its name and its text.

A file of such a name must have in it a key or an instruction that holds a script, and one of MQ's
commands.
"""

from __future__ import annotations

import re
from functools import partial

from mqlint.language.base import Predicate, Sample, contains
from mqlint.language.client.signs import has_client, names_connection
from mqlint.language.rest import AS_OBJECT
from mqlint.language.script.hosts.keys import FILE_MODULE, MODULE, SCRIPT_KEY, STARTS
from mqlint.language.script.unread.mentions import (
    NAMES_MQ,
    OF_MQ,
    SETS_MQ,
    is_about_mq,
    mentions,
    names_command,
    names_command_in_any_case,
    names_in_code,
)
from mqlint.late import late
from mqlint.patterns import later
from mqlint.source.budget import Budget


def _holds(pattern: re.Pattern[str], sample: Sample) -> bool:
    """Return whether `pattern` is found, as the sign of a script, and MQ's commands are named."""
    return mentions(sample.text) and pattern.search(sample.text) is not None


def _runs(pattern: re.Pattern[str], sample: Sample) -> bool:
    """Return whether a file runs a command of MQ, or sets a variable of a client."""
    return _holds(pattern, sample) or names_connection(sample.text)


_FIELD = r"-?[\d*~][\w*,/~-]*|[a-zA-Z]{3}(?:[,-][a-zA-Z]{3})*"
_NAMED_TIMES = (
    r"@(?:reboot|midnight|(?:annual|year|month|week|dai|hour)ly|every_(?:minute|second)|\d+)"
)
TIMES = later(rf"[ \t]*((?:(?:{_FIELD})[ \t]+){{4}}(?:{_FIELD})|{_NAMED_TIMES})[ \t]+(?=\S)")
"""The times at the beginning of a line of a crontab, as the first group.

(crontab(5); `~` is a random time of cronie and OpenBSD, `-` keeps SUSE's cron from logging, and
FreeBSD has `@every_minute` and `@SECONDS`.)
"""
_ASSIGNMENT = later(r"[A-Za-z_]\w*[ \t]*=")


def is_crontab(sample: Sample) -> bool:
    """Return whether the first job is one, and a job is about MQ.

    In a file with the name of a crontab, any of the first jobs may be the one.
    """
    jobs = [line for line in sample.lines if not line.lstrip().startswith("#")]
    jobs = [line for line in jobs if not _ASSIGNMENT.match(line)]
    if not jobs or not is_about_mq(sample.text):
        return False
    judged = jobs[:20] if "cron" in sample.name or "cron" in sample.ending else jobs[:1]
    return any(TIMES.match(job) is not None for job in judged)


_EXEC = later(r"(?m)^[ \t]*Exec\w+[ \t]*=")
runs_in_unit = partial(_runs, _EXEC)
_TIMER_OF_MQ = later(r"(?i)(?<![a-z])(?:ibm-?)?mq(?![a-z])|qm(?:gr)?(?![a-z])|rcdmqimg|dmpmqcfg")


def is_timer(sample: Sample) -> bool:
    """Return whether a timer of systemd is named after MQ, or names it."""
    names = f"{sample.stem}\n{sample.text}"
    return "[Timer]" in sample.text and _TIMER_OF_MQ.search(names) is not None


def _asks(name: str, mark: str = "") -> Predicate:
    """Return a question about texts with `mark`; few files have a name for which it is asked."""
    asked = late(f"mqlint.language.script.faults.{name}")
    return lambda sample: mark in sample.text and asked(sample.text)


mounts_mq = _asks("mounts:names_mount_of_mq", "nfs")
automounts_mq = _asks("mounts:names_mount_of_mq")
exports_mq = _asks("mounts:names_export_of_mq")
rotates_mq = _asks("archivers:rotates_files_of_mq")
archives_mq = _asks("archivers:copies_files_of_mq")


def is_exports(sample: Sample) -> bool:
    return sample.name == "exports"


_NUMBERED = later(r"\d\d-")
"""The beginning of the name of a file that is for such a folder."""


def is_limits(sample: Sample) -> bool:
    """Return whether a file may be limits.conf, sysctl.conf or one of their folders."""
    is_in_folder = "limits" in sample.path or "sysctl" in sample.path
    return sample.ending == "conf" and (is_in_folder or _NUMBERED.match(sample.name) is not None)


_OF_USER = later(r"(?m)^[ \t]*@?mqm[ \t]+(?:soft|hard|-)[ \t]")


def limits_mq(sample: Sample) -> bool:
    """Return whether such a file is for MQ: it has limits of mqm, or its name or text names MQ."""
    has_kernel = "kernel." in sample.text or "fs.file-max" in sample.text
    return _OF_USER.search(sample.text) is not None or (
        has_kernel and NAMES_MQ.search(f"{sample.name}\n{sample.text}") is not None
    )


def is_rotation(sample: Sample) -> bool:
    """Return whether a file may be one of logrotate: in its folder, or named after it."""
    is_named = sample.ending in ("", "conf", "cfg", "logrotate")
    return is_named and "logrotate" in sample.path.lower()


_ARCHIVER = later(
    r"(?:rsnapshot|lsyncd|borgmatic|bacula|bareos)[\w./-]{0,200}\Z|(?:^|/)dsm\.(?:sys|opt)\Z"
)


def is_archiver(sample: Sample) -> bool:
    """Return whether a file may be the configuration of a program for backups."""
    return _ARCHIVER.search(sample.path.lower()) is not None and "/" in sample.text


def is_task(sample: Sample) -> bool:
    return "windows/2004/02/mit/task" in sample.head and names_command_in_any_case(sample.text)


_JOB = later(r"(?m)^[ \t]*(?:(?:pre|post)-(?:start|stop)[ \t]+)?(?:script[ \t]*$|exec[ \t])")
_EVENT = later(r"(?m)^(?:start|stop)[ \t]+on[ \t]")


def is_job(sample: Sample) -> bool:
    """Return whether a file is a job of Upstart that runs a command of MQ."""
    return _EVENT.search(sample.text) is not None and _holds(_JOB, sample)


_RECIPE = later(r"(?m)^[^\s#:=][^:=\n]{0,400}:[^\n]*\n(?:[ \t]*(?:#[^\n]*)?\n|if[^\n]*\n){0,9}\t")


def has_recipes(sample: Sample) -> bool:
    """Return whether a recipe follows a target, and MQ is named: a command, a container, a name."""
    names_mq = mentions(sample.text) or SETS_MQ.search(sample.text) is not None
    names_mq = names_mq or names_manager(sample)
    return names_mq and _RECIPE.search(sample.text) is not None


def is_dockerfile(sample: Sample) -> bool:
    first = re.split(r"[._-]", sample.name, maxsplit=1)[0]
    is_suffixed = sample.name.startswith("dockerfile") and "." not in sample.name
    is_named = is_suffixed or "dockerfile" in (first, sample.ending)
    return is_named or sample.name.startswith("containerfile")


_INSTRUCTION = later(r"(?mi)^[ \t]*(?:RUN|CMD|ENTRYPOINT)\b")
_COPIES = later(r"(?mi)^[ \t]*(?:COPY|ADD)[ \t][^\n]{0,500}[ \t\"]/etc/mqm(?=[/\s\"])")


def is_image(sample: Sample) -> bool:
    """Return whether a Dockerfile runs a command of MQ, makes an image of MQ, or sets a client."""
    is_of_mq = OF_MQ.search(sample.text) is not None or _COPIES.search(sample.text) is not None
    return is_of_mq or _holds(_INSTRUCTION, sample) or names_connection(sample.text)


_STEP = later(r"\b(?:sh|bat|powershell|pwsh)[ \t]*+\(?[ \t]*+(?:script[ \t]*+:)?[ \t]*+['\"]")
runs_in_step = partial(_runs, _STEP)


def is_vagrantfile(sample: Sample) -> bool:
    return sample.name.startswith("vagrantfile")


_NAMED = later(r"[\"']MQ_[A-Z_]{3,40}[\"'=]")
"""A variable of MQ's container in quotes."""
_HEREDOC = later(r"(?m)<<-?[A-Za-z_]\w{0,60}[ \t]*\r?$")
_PROVISIONER = later(r"\bprovisioner[ \t]+\"(?:(?:local|remote)-exec|shell(?:-local)?)\"")
FILE_READ = later(
    r"\b(?:file|filebase64|templatefile)\([ \t]*\"\$\{path\.module\}/"
    r"(?P<name>[\w./-]{1,200}\.\w{1,20})\""
)
"""A file of the folder that a function of Terraform reads."""


_RESOURCE = later(
    r"[\"']?apiVersion[\"']?[ \t]*[=:][ \t]*[\"']?mq\.ibm\.com/"
    r"|\bchart[ \t]*=[ \t]*\"(?:[^\"\n]{0,200}/)?ibm-mq\""
)
"""A resource of the MQ Operator, or a release of the chart of MQ."""


GIVES_VARIABLES = later(
    r"(?m)\btemplatefile\(|^(?:module[ \t]+\"|(?:inputs|locals)[ \t]*+(?:=[ \t]*+)?\{)"
)
"""What gives values to a template of Terraform, or to a module that has one."""


def is_terraform(sample: Sample) -> bool:
    has_mqsc = mentions(sample.text) or ".mqsc" in sample.text
    is_of_client = sample.ending == "tf" and has_client(sample.text)
    if sample.ending == "tf" and "LICENSE" in sample.text and _NAMED.search(sample.text):
        return True
    if sample.ending == "tf" and _RESOURCE.search(sample.text) is not None:
        return True
    is_own = sample.ending in ("tf", "hcl")
    signs_of_values = (GIVES_VARIABLES, _OF_MANAGER)
    if is_own and all(sign.search(sample.text) is not None for sign in signs_of_values):
        return True
    signs = (_HEREDOC, _PROVISIONER, FILE_READ) if is_own else (_HEREDOC,)
    return is_of_client or (has_mqsc and any(sign.search(sample.text) for sign in signs))


_OF_MANAGER = later(
    r"(?i)(?<![a-z])(?:qm(?:gr)?(?:[_-]?name)?|queue[_-]manager)(?:[_-]name)?s?\b"
    r"(?![\"']?[ \t]*:[ \t]*\r?\n[ \t]{1,80}(?!value\b)[\w.]{1,80}[ \t]*:)"
    r"|(?<![\w-])mq[_-]?(?:host|conn(?:name)?)\b"
)
"""A variable for the name or address of a queue manager, not a module with its parameters."""

_OF_MQ = later(r"(?m)^[ \t-]{2,40}(?:ibm_?)?mq_\w{1,60}[ \t]*:[ \t]*[\w\"']")
"""A variable of MQ, by its prefix."""


def names_manager(sample: Sample) -> bool:
    """Whether jobs, plays or loops give a queue manager to other files, by a variable."""
    from mqlint.language.variables.signs import (  # few files are asked about
        GIVES_NAME,
        LOOPED_INCLUDE,
        PLAY,
        has_jobs,
    )

    if PLAY.search(sample.text) is not None and _OF_MQ.search(sample.text) is not None:
        return True
    if _OF_MANAGER.search(sample.text) is None and GIVES_NAME.search(sample.text) is None:
        return False
    signs = (PLAY, LOOPED_INCLUDE)
    has_sign = any(pattern.search(sample.text) is not None for pattern in signs)
    return has_sign or has_jobs(sample.path, sample.text)


_SYSCTL = later(r"(?m)^[ \t]*(?:- +)?(?:ansible\.posix\.)?sysctl[ \t]*:")
_KIND = later(r"(?m)^(?:- )?kind:")
_HELD_SCRIPT = later(
    r"(?m)^[ \t]+(?:[\w.-]{1,80}\.(?:sh|bash|ksh)[ \t]*:[ \t]*[|>]"
    r"|[\w.-]{1,80}:[ \t]*\|[-+0-9]*[ \t]*\r?\n[ \t]+#!"
    r"|(?:args|command)[ \t]*:[ \t]*(?:\r?\n[ \t]*- [^\n]*){0,4}\r?\n[ \t]*- [|>])"
)
"""A script in a resource of Kubernetes: a file of a ConfigMap, or the command of a container."""
_CI_KEY = later(
    r"(?m)^(?:- +| +(?:- +)?)?(?:hosts|tasks|handlers|become|become_user|jobs|runs-on|steps"
    r"|changed_when|stages?|image|pool|(?:before|after)_script"
    r"|ansible\.(?:builtin|windows)\.[a-z_]+|UserData)[ \t]*:|\A#cloud-config\b"
)
_CI_JOB = later(
    r"(?m)^[\w.][\w. /-]{0,80}:[ \t]*+\r?\n(?:(?:[ \t]++[^\n]*+|\r?)\n){0,20}?"
    r"[ \t]++script[ \t]*+:[ \t]*+\r?\n[ \t]++- "
)
"""A job of GitLab with nothing but its script, in a file that a pipeline includes."""
_CI_PATH = later(r"(?:^|/)(?:tasks|handlers|roles|playbooks)/|\.gitlab-ci\.ya?ml")
"""Folders of CI and Ansible."""
_SENDING = later(r"(?m)^[ \t]*(?:- +)?(?:ansible\.builtin\.)?uri[ \t]*:")
_REQUEST = later(r"(?m)(?:^|[{,-])[ \t]*[\"']?type[\"']?[ \t]*:[ \t]*[\"']?runCommandJSON\b")
_LIMITS = later(r"(?m)^[ \t]*(?:- +)?(?:community\.general\.)?pam_limits[ \t]*:")
_WRITES_FILES = later(
    r"(?m)^write_files[ \t]*:[^\n]*+\n(?:[ \t#-][^\n]*+\n|\r?\n)*?"
    r"[ \t-]*path[ \t]*:[ \t]*[\"']?[^\n]{0,200}\.mqsc?\b"
)
"""A file of MQSC that cloud-init writes."""
_OF_CONTAINER = later(r"\bMQ_(?:QMGR_NAME|ADMIN_PASSWORD|APP_PASSWORD|DEV)\b")
_OPERATES = later(
    r"(?m)^[ \t]*cmd[ \t]*:[ \t]*[^\s#][^\n]*[ \t]"
    r"(?:DEF|ALT|DEL|DIS|CLE|STA|STO|SET|REF|RES)[A-Z]{0,5}[ \t]+"
    r"(?:Q|CH|TOPIC|SUB|NAMEL|PROC|STGC|AUTHI|CFSTR|PSID|BUFFP|SECUR|LOG|USAGE|LST)"
)
"""An operator's command of MQ on z/OS: `cmd: "+MQ7A DISPLAY QLOCAL(PAY.IN)"`."""
_OF_MQ_BY_ITSELF = (
    contains(_WRITES_FILES, mark="write_files"),
    contains(MODULE, mark="qmname"),
    contains(STARTS, _OF_CONTAINER, mark="_container"),
    contains(_OPERATES, mark="zos_operator"),
    contains(_LIMITS, mark="mqm"),
)
"""What only a file of CI or Ansible about MQ has."""


def is_ci(sample: Sample) -> bool:
    if _KIND.search(sample.text) is not None and _holds(_HELD_SCRIPT, sample):
        return True
    if any(is_of_mq(sample) for is_of_mq in _OF_MQ_BY_ITSELF) or names_manager(sample):
        return True
    if "kernel." in sample.text and _SYSCTL.search(sample.text) is not None:
        return NAMES_MQ.search(f"{sample.path}\n{sample.text}") is not None
    if contains(_SENDING, _REQUEST, mark=AS_OBJECT)(sample):
        return True
    if not _holds(SCRIPT_KEY, sample) and not _holds(FILE_MODULE, sample):
        return False
    is_ci = _CI_KEY.search(sample.text) is not None or _CI_PATH.search(sample.path) is not None
    return is_ci or _CI_JOB.search(sample.text) is not None


STATE = later(r"(?m)^[ \t]+(?:cmd\.(?:run|wait)|file\.(?:managed|append))[ \t]*:[ \t]*\r?$")
"""A state of Salt."""
_FILE_OF_MQSC = later(r"(?m)/[\w.-]{1,80}\.mqsc[\"']?:?[ \t]*\r?$")


def is_state(sample: Sample) -> bool:
    """Return whether a file has states of Salt with commands of MQ, or a file of MQSC."""
    if STATE.search(sample.text) is None:
        return False
    return mentions(sample.text) or _FILE_OF_MQSC.search(sample.text) is not None


_EXPECT = later(r"#!\S*/(?:env[ \t]+)?expect\b")


def begins_as_expect(sample: Sample) -> bool:
    return sample.head.startswith("#!") and _EXPECT.match(sample.head) is not None


_PROGRAM = later(r"#!\S*/(?:env[ \t]+)?(perl|python)")


def begins_as(name: str) -> Predicate:
    """Return whether the first line of a file without an ending names a program."""
    return lambda sample: (
        not sample.ending
        and sample.head.startswith("#!")
        and (found := _PROGRAM.match(sample.head)) is not None
        and found[1] == name
    )


_OF_TESTS = later(
    r"(?:^|/)(?:(?:tests?|t|specs?|fixtures|[\w.]{1,80}Tests?)/|(?:test_|conftest\.)[^/]*\Z"
    r"|[^/]*(?:[._-](?:tests?|spec)|Tests?)\.\w+\Z)"
)
"""Programs whose texts are cases of tests, with mistakes that are meant."""


def _is_program(kind: str, sample: Sample) -> bool:
    """Return whether a program that tests nothing has a command of MQ, or MQSC, in its texts."""
    is_of_mq = "pymqi" in sample.text or names_in_code(sample.text)
    if _OF_TESTS.search(sample.path) is not None or not is_of_mq:
        return False
    from mqlint.language.script.hosts import program  # few programs name MQ

    found: bool = getattr(program, kind)(sample.text, Budget(len(sample.text))).is_of_mq
    return found


is_python = partial(_is_program, "PythonProgram")
is_perl = partial(_is_program, "PerlProgram")
is_code = partial(_is_program, "CodeProgram")
is_rexx = partial(_is_program, "RexxProgram")


_SENDS = later(
    r"(?<![\w$])send[ \t]+(?:-\S+[ \t]+){0,8}\"[^\"\n]{0,200}?(?:mqcli|mq[a-z]|[a-z]{2,4}mq)"
)


def is_expect(sample: Sample) -> bool:
    """Return whether a script of Expect sends a command of MQ."""
    if sample.ending not in ("exp", "expect") and not begins_as_expect(sample):
        return False
    return _SENDS.search(sample.text) is not None and names_command(sample.text)


_CHEF = later(
    r"(?m)^[ \t]*(?:execute|bash|script|ksh|directory|file)[ \t]+[\"'][^\n]{1,200}[ \t]do\b"
)
has_resource_of_chef = partial(_holds, _CHEF)
