"""Files that hold scripts: crontabs, units, Dockerfiles, pipelines.

What a file of such a name must have in it to be read: a key or an instruction that holds a script,
and one of MQ's commands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial

from mqlint.language.base import Language, Sample, Sign, called, contains, named_after
from mqlint.language.client.signs import has_client, names_connection
from mqlint.language.script.unread.mentions import (
    NAMES_MQ,
    OF_MQ,
    SETS_MQ,
    mentions,
    names_command,
    names_command_in_any_case,
)
from mqlint.patterns import later

_HERE = "mqlint.language.script.hosts"
_FIELD = r"[\d*][\w*,/-]*|[a-zA-Z]{3}(?:[,-][a-zA-Z]{3})*"
_NAMED_TIMES = "@(?:reboot|yearly|annually|monthly|weekly|daily|midnight|hourly)"
TIMES = later(rf"[ \t]*((?:(?:{_FIELD})[ \t]+){{4}}(?:{_FIELD})|{_NAMED_TIMES})[ \t]+(?=\S)")
"""The times at the beginning of a line of a crontab, as the first group (crontab(5))."""
_ASSIGNMENT = later(r"[A-Za-z_]\w*[ \t]*=")
_EXEC = later(r"(?m)^[ \t]*Exec\w+[ \t]*=")
_NUMBERED = later(r"\d\d-")
"""The beginning of the name of a file that is for such a folder."""
_LIMITS = later(r"(?m)^[ \t]*(?:- +)?(?:community\.general\.)?pam_limits[ \t]*:")
_SYSCTL = later(r"(?m)^[ \t]*(?:- +)?(?:ansible\.posix\.)?sysctl[ \t]*:")
_OF_USER = later(r"(?m)^[ \t]*@?mqm[ \t]+(?:soft|hard|-)[ \t]")
_JOB = later(r"(?m)^[ \t]*(?:(?:pre|post)-(?:start|stop)[ \t]+)?(?:script[ \t]*$|exec[ \t])")
_EVENT = later(r"(?m)^(?:start|stop)[ \t]+on[ \t]")
_RECIPE = later(r"(?m)^[^\s#:=][^:=\n]{0,400}:[^\n]*\n(?:[ \t]*(?:#[^\n]*)?\n|if[^\n]*\n){0,9}\t")
_INSTRUCTION = later(r"(?mi)^[ \t]*(?:RUN|CMD|ENTRYPOINT)\b")
_COPIES = later(r"(?mi)^[ \t]*(?:COPY|ADD)[ \t][^\n]{0,500}[ \t\"]/etc/mqm(?=[/\s\"])")
_STEP = later(r"\b(?:sh|bat|powershell|pwsh)[ \t]*+\(?[ \t]*+(?:script[ \t]*+:)?[ \t]*+['\"]")
_HEREDOC = later(r"(?m)<<-?[A-Za-z_]\w{0,60}[ \t]*\r?$")


def _one_of(words: Iterable[str]) -> str:
    """Return the part of a pattern that is one of some words."""
    return "|".join(map(re.escape, words))


_SHELL_MODULES, _WINDOWS_MODULES = ("shell", "command", "raw"), ("win_shell", "win_command")
SCRIPT_KEYS = (
    *("run", "script", "before_script", "after_script", "bash", "powershell", "pwsh"),
    *(f"{prefix}{name}" for prefix in ("", "ansible.builtin.") for name in _SHELL_MODULES),
    *(f"{prefix}{name}" for prefix in ("", "ansible.windows.") for name in _WINDOWS_MODULES),
    *("runcmd", "bootcmd"),
    "UserData",
)
"""Keys of CI, Ansible, cloud-init and CloudFormation whose values are scripts."""
_SCRIPT_KEY = later(rf"(?m)^[ \t]*(?:- +)?(?:{_one_of(SCRIPT_KEYS)})[ \t]*:")
_CHEF = later(
    r"(?m)^[ \t]*(?:execute|bash|script|ksh|directory|file)[ \t]+[\"'][^\n]{1,200}[ \t]do\b"
)
_EXPECT = later(r"#!\S*/(?:env[ \t]+)?expect\b")
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
_CI_PATH = later(r"(?:^|/)(?:tasks|handlers|roles|playbooks)/|\.gitlab-ci\.ya?ml")
"""Folders of CI and Ansible."""

MODULE = later(
    r"(?m)^[ \t]*(?:- +)?(?:ibm_messaging\.ibmmq\.)?queue_manager[ \t]*:[ \t]*(?:#[^\n]*)?\r?\n"
    r"(?:[ \t]*+(?:[#\w-][^\n]*+|\r?)\n){0,12}?[ \t]+qmname[ \t]*:"
)
"""The module of IBM's collection for Ansible."""
_COLLECTIONS = ("", "ansible.builtin.", "ansible.legacy.", "ansible.posix.", "community.general.")


def _in_collections(*modules: str) -> frozenset[str]:
    return frozenset(f"{prefix}{name}" for name in modules for prefix in _COLLECTIONS)


EDITING_MODULES = _in_collections(
    "file", "lineinfile", "replace", "blockinfile", "ini_file", "copy", "template"
)
UNPACKING_MODULES = _in_collections("unarchive")
PACKING_MODULES = _in_collections("archive")
SYNCHRONIZING_MODULES = _in_collections("synchronize")
MOUNTING_MODULES = _in_collections("mount")
CLOSING_MODULES = _in_collections(
    *"iptables firewalld ufw nftables win_firewall_rule ec2_security_group ec2_group".split(),
    *"azure_rm_securitygroup".split(),
)
"""Modules of Ansible for firewalls and security groups."""
INCLUDING_MODULES = _in_collections("include_role", "import_role", "include_tasks", "import_tasks")
RUNNING_OTHERS = INCLUDING_MODULES | _in_collections("import_playbook") | {"roles"}
SERVICE_MODULES = _in_collections("service", "systemd", "systemd_service", "sysvinit")
MAY_DO_ANYTHING = later(
    rf"(?m)^[ \t]*(?:- +)?(?:{_one_of(sorted(RUNNING_OTHERS | SERVICE_MODULES))})[ \t]*:"
)
"""Tasks of Ansible that run what is in other files, and those that start and stop services."""
FILE_MODULES = (
    EDITING_MODULES | PACKING_MODULES | UNPACKING_MODULES | SYNCHRONIZING_MODULES | MOUNTING_MODULES
) | CLOSING_MODULES
"""Modules of Ansible that write, change, remove or mount files, or close a network."""
PACKAGE_MODULES = _in_collections("apt", "dnf", "package", "yum", "zypper")
CONTAINER_MODULES = (
    *("docker_container", "community.docker.docker_container"),
    *("podman_container", "containers.podman.podman_container"),
)
"""The modules of Ansible that start containers."""
FILE_MODULE = later(
    rf"(?m)^[ \t]*(?:- +)?(?:{_one_of(sorted(FILE_MODULES | PACKAGE_MODULES))})[ \t]*:"
)
STARTS = later(rf"(?m)^[ \t]*(?:- +)?(?:{_one_of(CONTAINER_MODULES)})[ \t]*:[ \t]*(?:#[^\n]*)?\r?$")
_WRITES_FILES = later(
    r"(?m)^write_files[ \t]*:[^\n]*+\n(?:[ \t#-][^\n]*+\n|\r?\n)*?"
    r"[ \t-]*path[ \t]*:[ \t]*[\"']?[^\n]{0,200}\.mqsc?\b"
)
"""A file of MQSC that cloud-init writes."""
FOLDED = later(r"(?m):[ ]*+>[-+]?[ ]*+\r?$")
"""A text of which YAML joins the lines."""
HIDES = later(
    r"(?mi)^[ \t]*(?:- +)?(?:ignore_errors|failed_when|continue-on-error|continueOnError"
    r"|allow_failure)[ \t]*:[ \t]*(?:true|yes|on|false|no|off)\b"
)
"""Keys of Ansible and of pipelines by which a failure may not count."""
_OF_CONTAINER = later(r"\bMQ_(?:QMGR_NAME|ADMIN_PASSWORD|APP_PASSWORD|DEV)\b")
AS_OBJECT = "runCommandJSON"
_SENDING = later(r"(?m)^[ \t]*(?:- +)?(?:ansible\.builtin\.)?uri[ \t]*:")
_OPERATES = later(
    r"(?m)^[ \t]*cmd[ \t]*:[ \t]*[^\s#][^\n]*[ \t]"
    r"(?:DEF|ALT|DEL|DIS|CLE|STA|STO|SET|REF|RES)[A-Z]{0,5}[ \t]+"
    r"(?:Q|CH|TOPIC|SUB|NAMEL|PROC|STGC|AUTHI|CFSTR|PSID|BUFFP|SECUR|LOG|USAGE|LST)"
)
"""An operator's command of MQ on z/OS: `cmd: "+MQ7A DISPLAY QLOCAL(PAY.IN)"`."""
_REQUEST = later(r"(?m)(?:^|[{,-])[ \t]*[\"']?type[\"']?[ \t]*:[ \t]*[\"']?runCommandJSON\b")


def _holds(pattern: re.Pattern[str], sample: Sample) -> bool:
    """Return whether `pattern` is found, as the sign of a script, and MQ's commands are named."""
    return mentions(sample.text) and pattern.search(sample.text) is not None


def _is_image(sample: Sample) -> bool:
    """Return whether a Dockerfile runs a command of MQ, makes an image of MQ, or sets a client."""
    is_of_mq = OF_MQ.search(sample.text) is not None or _COPIES.search(sample.text) is not None
    return is_of_mq or _holds(_INSTRUCTION, sample) or names_connection(sample.text)


def _runs(pattern: re.Pattern[str], sample: Sample) -> bool:
    """Return whether a file runs a command of MQ, or sets a variable of a client."""
    return _holds(pattern, sample) or names_connection(sample.text)


def _is_job(sample: Sample) -> bool:
    """Return whether a file is a job of Upstart that runs a command of MQ."""
    return _EVENT.search(sample.text) is not None and _holds(_JOB, sample)


def _has_recipes(sample: Sample) -> bool:
    """Return whether a recipe follows a target, and MQ is named: a command, or its container."""
    names_mq = mentions(sample.text) or SETS_MQ.search(sample.text) is not None
    return names_mq and _RECIPE.search(sample.text) is not None


_PROVISIONER = later(r"\bprovisioner[ \t]+\"(?:local|remote)-exec\"")
FILE_READ = later(
    r"\b(?:file|filebase64|templatefile)\([ \t]*\"\$\{path\.module\}/"
    r"(?P<name>[\w./-]{1,200}\.\w{1,20})\""
)
"""A file of the folder that a function of Terraform reads."""


def _is_terraform(sample: Sample) -> bool:
    has_mqsc = mentions(sample.text) or ".mqsc" in sample.text
    is_of_client = sample.ending == "tf" and has_client(sample.text)
    signs = (_HEREDOC, _PROVISIONER, FILE_READ) if sample.ending == "tf" else (_HEREDOC,)
    return is_of_client or (has_mqsc and any(sign.search(sample.text) for sign in signs))


def _is_task_definition(sample: Sample) -> bool:
    return '"containerDefinitions"' in sample.text and has_client(sample.text)


_OF_MQ_BY_ITSELF = (
    contains(_WRITES_FILES, mark="write_files"),
    contains(MODULE, mark="qmname"),
    contains(STARTS, _OF_CONTAINER, mark="_container"),
    contains(_OPERATES, mark="zos_operator"),
    contains(_LIMITS, mark="mqm"),
)
"""What only a file of CI or Ansible about MQ has."""


_OF_MANAGER = later(
    r"(?i)(?<![a-z])(?:qm(?:gr)?(?:[_-]?name)?|queue[_-]manager)(?:[_-]name)?s?\b"
    r"(?![\"']?[ \t]*:[ \t]*\r?\n[ \t]{1,80}(?!value\b)[\w.]{1,80}[ \t]*:)"
)
"""A variable for the name of a queue manager, not a module of Ansible with its parameters."""


def _names_manager(sample: Sample) -> bool:
    """Whether jobs, plays or loops give a queue manager to other files, by a variable."""
    if _OF_MANAGER.search(sample.text) is None:
        return False
    from mqlint.language.variables.signs import (  # few files name such a one
        LOOPED_INCLUDE,
        PLAY,
        has_jobs,
    )

    signs = (PLAY, LOOPED_INCLUDE)
    has_sign = any(pattern.search(sample.text) is not None for pattern in signs)
    return has_sign or has_jobs(sample.path, sample.text)


def _is_ci(sample: Sample) -> bool:
    if _KIND.search(sample.text) is not None and _holds(_HELD_SCRIPT, sample):
        return True
    if any(is_of_mq(sample) for is_of_mq in _OF_MQ_BY_ITSELF) or _names_manager(sample):
        return True
    if "kernel." in sample.text and _SYSCTL.search(sample.text) is not None:
        return NAMES_MQ.search(f"{sample.path}\n{sample.text}") is not None
    if contains(_SENDING, _REQUEST, mark=AS_OBJECT)(sample):
        return True
    if not _holds(_SCRIPT_KEY, sample) and not _holds(FILE_MODULE, sample):
        return False
    return _CI_KEY.search(sample.text) is not None or _CI_PATH.search(sample.path) is not None


_SENDS = later(
    r"(?<![\w$])send[ \t]+(?:-\S+[ \t]+){0,8}\"[^\"\n]{0,200}?(?:mqcli|mq[a-z]|[a-z]{2,4}mq)"
)


def _is_expect(sample: Sample) -> bool:
    """Return whether a script of Expect sends a command of MQ."""
    if sample.ending not in ("exp", "expect") and not _begins_as_expect(sample):
        return False
    return _SENDS.search(sample.text) is not None and names_command(sample.text)


def _begins_as_expect(sample: Sample) -> bool:
    return sample.head.startswith("#!") and _EXPECT.match(sample.head) is not None


def _is_dockerfile(sample: Sample) -> bool:
    first = re.split(r"[._-]", sample.name, maxsplit=1)[0]
    is_suffixed = sample.name.startswith("dockerfile") and "." not in sample.name
    is_named = is_suffixed or "dockerfile" in (first, sample.ending)
    return is_named or sample.name.startswith("containerfile")


def _is_vagrantfile(sample: Sample) -> bool:
    return sample.name.startswith("vagrantfile")


def _mounts_mq(sample: Sample) -> bool:
    from mqlint.language.script.faults.mounts import names_mount_of_mq  # only for these names

    return "nfs" in sample.text and names_mount_of_mq(sample.text)


def _is_exports(sample: Sample) -> bool:
    return sample.name == "exports"


def _exports_mq(sample: Sample) -> bool:
    from mqlint.language.script.faults.mounts import names_export_of_mq  # only for this name

    return names_export_of_mq(sample.text)


def _is_limits(sample: Sample) -> bool:
    """Return whether a file may be limits.conf, sysctl.conf or one of their folders."""
    is_in_folder = "limits" in sample.path or "sysctl" in sample.path
    return sample.ending == "conf" and (is_in_folder or _NUMBERED.match(sample.name) is not None)


def _limits_mq(sample: Sample) -> bool:
    """Return whether such a file is for MQ: it has limits of mqm, or its name or text names MQ."""
    has_kernel = "kernel." in sample.text or "fs.file-max" in sample.text
    return _OF_USER.search(sample.text) is not None or (
        has_kernel and NAMES_MQ.search(f"{sample.name}\n{sample.text}") is not None
    )


def _is_rotation(sample: Sample) -> bool:
    """Return whether a file may be one of logrotate: in its folder, or named after it."""
    return "logrotate" in sample.path.lower() and sample.ending in ("", "conf", "cfg")


def _rotates_mq(sample: Sample) -> bool:
    from mqlint.language.script.faults.rotation import rotates_files_of_mq  # only for these names

    return rotates_files_of_mq(sample.text)


def _is_crontab(sample: Sample) -> bool:
    """Return whether the first job is one, and a command of MQ is named.

    In a file with the name of a crontab, any job may name the command.
    """
    jobs = [line for line in sample.lines if not line.lstrip().startswith("#")]
    jobs = [line for line in jobs if not _ASSIGNMENT.match(line)]
    if not jobs or not names_command(sample.text):
        return False
    judged = jobs[:20] if "cron" in sample.name or "cron" in sample.ending else jobs[:1]
    return any(TIMES.match(job) is not None for job in judged)


def _is_task(sample: Sample) -> bool:
    return "windows/2004/02/mit/task" in sample.head and names_command_in_any_case(sample.text)


CRONTAB = Language(
    name="crontab",
    files="lines with times, when one of MQ's commands is named",
    content="the same, with the schedule",
    signs=(
        Sign(
            80,
            frozenset({"", "cron", "crontab", "tab", "txt"}),
            lambda sample: sample.name.startswith("crontab"),
            _is_crontab,
        ),
    ),
    reader="mqlint.language.script.hosts.crontab:read",
    by_path=True,
    scheduled=True,
    settings=True,
    documented=True,
)
SYSTEMD = Language(
    name="systemd",
    files="`*.service`",
    content="`ExecStart=`, `ExecStop=` and the others; each runs by itself, at boot (`scheduled`)",
    signs=(Sign(52, frozenset({"service"}), None, partial(_runs, _EXEC), decides=True),),
    reader=f"{_HERE}.unit:Unit.read",
    scheduled=True,
)
MOUNTS = Language(
    name="mounts",
    files="`fstab` and `*.mount` of systemd, with an NFS mount whose name shows MQ, `exports`, "
    "`limits.conf` and `sysctl.conf`, also in their folders, when MQ is named, and files of "
    "logrotate with a path of MQ",
    content="the options of NFS mounts and exports, limits of mqm, settings of the kernel, "
    "files that logrotate renames",
    signs=(
        Sign(57, frozenset({"mount"}), named_after("fstab"), _mounts_mq, decides=True),
        Sign(57, frozenset({"exports"}), _is_exports, _exports_mq, decides=True),
        Sign(57, frozenset(), _is_limits, _limits_mq, decides=True),
        Sign(57, frozenset(), _is_rotation, _rotates_mq, decides=True),
    ),
    reader="mqlint.language.script.faults.mounts:read",
    ownership="declared",
    variables=False,
    documented=True,
)
TASK = Language(
    name="task",
    files="`*.xml` of the Windows Task Scheduler, when one of MQ's commands is named",
    content="`Command` with `Arguments`; each task runs separately, at its time (`scheduled`)",
    signs=(Sign(33, frozenset({"xml"}), looks_like=_is_task),),
    reader=f"{_HERE}.unit:Task.read",
    scheduled=True,
    variables=False,
    comments=False,
    documented=True,
)
UPSTART = Language(
    name="upstart",
    files="`*.conf` with `start on`",
    content="`exec` and the text between `script` and `end script`, also of `pre-start` and the "
    "others; each runs by itself, at boot (`scheduled`)",
    signs=(Sign(51, frozenset({"conf"}), looks_like=_is_job),),
    reader=f"{_HERE}.unit:Job.read",
    scheduled=True,
    documented=True,
)
MAKEFILE = Language(
    name="makefile",
    files="`Makefile`, `GNUmakefile`, `Makefile.*`, `*.mk`, when one of MQ's commands is named, or "
    "a variable of MQ's container is set",
    content="the recipes, with the variables that are set once",
    signs=(
        Sign(
            56,
            frozenset({"mk", "mak", "make"}),
            called("makefile", "gnumakefile", "bsdmakefile"),
            _has_recipes,
            decides=True,
        ),
    ),
    reader=f"{_HERE}.makefile:Makefile.read",
    documented=True,
)
DOCKER = Language(
    name="docker",
    files="`Dockerfile`, `*.dockerfile`, `Containerfile`",
    content="`RUN`, `CMD`, `ENTRYPOINT` and `HEALTHCHECK`, as shell, as a list of words and as a "
    "here-document; of an image of MQ, or with a variable of its container, also `FROM`, `ENV` "
    "and `ARG`",
    signs=(Sign(54, frozenset(), _is_dockerfile, _is_image, decides=True),),
    reader=f"{_HERE}.image:Dockerfile.read",
)
JENKINS = Language(
    name="jenkins",
    files="`Jenkinsfile`",
    content="the strings that `sh`, `bat`, `powershell` and `pwsh` are given",
    signs=(
        Sign(54, frozenset(), named_after("jenkinsfile"), _names_manager),
        Sign(55, frozenset(), named_after("jenkinsfile"), partial(_runs, _STEP), decides=True),
    ),
    reader=f"{_HERE}.jenkins:Jenkinsfile.read",
    documented=True,
)
TERRAFORM = Language(
    name="terraform",
    files="`*.tf`, `Vagrantfile`; JSON with `containerDefinitions` (Amazon ECS)",
    content="heredocs: those that are MQSC, and those that begin with `#!` or belong to "
    "`user_data`, `command` and similar keys; each of these by itself; variables of "
    "a client that containers and functions get; commands of `local-exec` and "
    "`remote-exec`. Other text in quotes is not read",
    signs=(
        Sign(53, frozenset({"tf"}), _is_vagrantfile, _is_terraform, decides=True),
        Sign(54, frozenset({"json"}), looks_like=_is_task_definition),
    ),
    reader=f"{_HERE}.terraform:Terraform.read",
    connects=True,
    documented=True,
)
CI = Language(
    name="pipeline",
    files="`*.yml`, `*.yaml` that are not manifests",
    content="`run:` of GitHub, `script:`, `before_script:` and `after_script:` of GitLab, "
    "`shell:`, `command:` (also with `argv:`) and `raw:` of Ansible; as PowerShell or cmd "
    "`powershell:` and `pwsh:` of Azure, `win_shell:` and `win_command:` of "
    "Ansible, and `run:` next to `shell: pwsh` or `cmd`; scripts in `UserData:` of "
    "CloudFormation; `queue_manager:` of IBM's collection for "
    "Ansible as the control commands that it runs; `file:`, `lineinfile:`, `copy:`, "
    "`unarchive:`, `synchronize:` and similar "
    "modules on files of queue managers; `pam_limits:` and `sysctl:` for MQ; "
    "bodies `type: runCommandJSON` of `uri:`; commands of MQ that `zos_operator:` sends",
    signs=(Sign(50, frozenset({"yml", "yaml"}), looks_like=_is_ci),),
    reader=f"{_HERE}.pipeline:Pipeline.read",
)
EXPECT = Language(
    name="expect",
    files="`*.exp`, `*.expect` or a first line that names expect, when a command of MQ is sent",
    content="what `send` sends, also to `mqcli` of the MQ Appliance; after `runmqsc`, MQSC to a "
    "line `end`; in braces it may not be sent",
    signs=(Sign(19, frozenset({"exp", "expect"}), _begins_as_expect, _is_expect),),
    reader=f"{_HERE}.expect:ExpectScript.read",
    documented=True,
)
CHEF = Language(
    name="chef",
    files="`*.rb` with `execute`, `bash`, `file` or `directory`, and one of MQ's commands",
    content="recipes: `command` and `code`, MQSC in `content`, and folders with `action :delete`",
    signs=(Sign(60, frozenset({"rb"}), None, partial(_holds, _CHEF), decides=True),),
    reader=f"{_HERE}.chef:Recipe.read",
)
LANGUAGES = (
    *(CHEF, EXPECT, CRONTAB, SYSTEMD, MOUNTS, TASK, UPSTART),
    *(DOCKER, JENKINS, MAKEFILE, TERRAFORM, CI),
)
