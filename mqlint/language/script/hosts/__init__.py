"""Files that hold scripts: crontabs, units, Dockerfiles, pipelines."""

from __future__ import annotations

from mqlint.language.base import Language, Sign, called, named_after
from mqlint.language.script.hosts import recognised

_HERE = "mqlint.language.script.hosts"

CRONTAB = Language(
    name="crontab",
    files="lines with times, when one of MQ's commands is named",
    content="the same, with the schedule",
    signs=(
        Sign(
            80,
            frozenset({"", "cron", "crontab", "tab", "txt"}),
            lambda sample: sample.name.startswith("crontab"),
            recognised.is_crontab,
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
    files="`*.service`; `*.timer` that names MQ",
    content="`ExecStart=`, `ExecStop=` and the others; each runs by itself, at boot "
    "(`scheduled`); of timers `OnCalendar=` and `Unit=`",
    signs=(
        Sign(52, frozenset({"service"}), None, recognised.runs_in_unit, decides=True),
        Sign(52, frozenset({"timer"}), None, recognised.is_timer),
    ),
    reader=f"{_HERE}.unit:Unit.read",
    scheduled=True,
)
MOUNTS = Language(
    name="mounts",
    files="`fstab` and `*.mount` of systemd, with an NFS mount whose name shows MQ, such maps of "
    "the automounter (`auto.*`), `exports`, `limits.conf` and `sysctl.conf`, also in their "
    "folders, when MQ is named, files of logrotate with a path of MQ, and files of rsnapshot, "
    "lsyncd, borgmatic, Bacula and IBM Storage Protect (`dsm.sys`) that copy queue managers",
    content="the options of NFS mounts and exports, limits of mqm, settings of the kernel, "
    "files that logrotate renames, folders that backups copy",
    signs=(
        Sign(57, frozenset({"mount"}), named_after("fstab"), recognised.mounts_mq, decides=True),
        Sign(57, frozenset(), named_after("auto."), recognised.automounts_mq),
        Sign(
            57, frozenset({"exports"}), recognised.is_exports, recognised.exports_mq, decides=True
        ),
        Sign(57, frozenset(), recognised.is_limits, recognised.limits_mq, decides=True),
        Sign(57, frozenset(), recognised.is_rotation, recognised.rotates_mq, decides=True),
        Sign(48, frozenset(), recognised.is_archiver, recognised.archives_mq),
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
    signs=(Sign(33, frozenset({"xml"}), looks_like=recognised.is_task),),
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
    signs=(Sign(51, frozenset({"conf"}), looks_like=recognised.is_job),),
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
            recognised.has_recipes,
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
    signs=(Sign(54, frozenset(), recognised.is_dockerfile, recognised.is_image, decides=True),),
    reader=f"{_HERE}.image:Dockerfile.read",
)
JENKINS = Language(
    name="jenkins",
    files="`Jenkinsfile`; `*.groovy` of a shared library, or of a pipeline, with steps that run "
    "commands of MQ",
    content="the strings that `sh`, `bat`, `powershell` and `pwsh` are given",
    signs=(
        Sign(54, frozenset(), named_after("jenkinsfile"), recognised.names_manager),
        Sign(55, frozenset(), named_after("jenkinsfile"), recognised.runs_in_step, decides=True),
        Sign(55, frozenset({"groovy"}), looks_like=recognised.runs_in_step),
    ),
    reader=f"{_HERE}.jenkins:Jenkinsfile.read",
    documented=True,
)
TERRAFORM = Language(
    name="terraform",
    files="`*.tf`, `Vagrantfile`, `*.pkr.hcl` of Packer; JSON with `containerDefinitions` (Amazon "
    "ECS)",
    content="heredocs: those that are MQSC, and those that begin with `#!` or belong to "
    "`user_data`, `command` and similar keys; each of these by itself; variables of "
    "a client that containers and functions get; commands of `local-exec`, `remote-exec`, "
    "and of `shell` of Packer; variables of MQ's containers. Other text in quotes is not read",
    signs=(
        Sign(
            53, frozenset({"tf"}), recognised.is_vagrantfile, recognised.is_terraform, decides=True
        ),
        Sign(53, frozenset({"hcl"}), looks_like=recognised.is_terraform),
        Sign(54, frozenset({"json"}), looks_like=recognised.is_task_definition),
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
    signs=(Sign(50, frozenset({"yml", "yaml"}), looks_like=recognised.is_ci),),
    reader=f"{_HERE}.pipeline:Pipeline.read",
)
EXPECT = Language(
    name="expect",
    files="`*.exp`, `*.expect` or a first line that names expect, when a command of MQ is sent",
    content="what `send` sends, also to `mqcli` of the MQ Appliance; after `runmqsc`, MQSC to a "
    "line `end`; in braces it may not be sent",
    signs=(
        Sign(19, frozenset({"exp", "expect"}), recognised.begins_as_expect, recognised.is_expect),
    ),
    reader=f"{_HERE}.expect:ExpectScript.read",
    documented=True,
)
CHEF = Language(
    name="chef",
    files="`*.rb` with `execute`, `bash`, `file` or `directory`, and one of MQ's commands",
    content="recipes: `command` and `code`, MQSC in `content`, and folders with `action :delete`",
    signs=(Sign(60, frozenset({"rb"}), None, recognised.has_resource_of_chef, decides=True),),
    reader=f"{_HERE}.chef:Recipe.read",
)
LANGUAGES = (
    *(CHEF, EXPECT, CRONTAB, SYSTEMD, MOUNTS, TASK, UPSTART),
    *(DOCKER, JENKINS, MAKEFILE, TERRAFORM, CI),
)
