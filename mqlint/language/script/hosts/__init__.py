"""Files that hold scripts: crontabs, units, Dockerfiles, pipelines."""

from __future__ import annotations

from mqlint.language.base import Language, Sign, called, named_after
from mqlint.language.script.hosts import recognised

_HERE = "mqlint.language.script.hosts"

LANGUAGES = (
    Language(
        name="chef",
        signs=(Sign(60, frozenset({"rb"}), None, recognised.has_resource_of_chef, decides=True),),
        reader=f"{_HERE}.chef:Recipe.read",
    ),
    Language(
        name="expect",
        signs=(
            Sign(
                19, frozenset({"exp", "expect"}), recognised.begins_as_expect, recognised.is_expect
            ),
        ),
        reader=f"{_HERE}.expect:ExpectScript.read",
    ),
    Language(
        name="crontab",
        signs=(
            Sign(
                80,
                frozenset({"", "cron", "crontab", "tab", "txt"}),
                lambda sample: sample.name.startswith("crontab"),
                recognised.is_crontab,
            ),
        ),
        reader=f"{_HERE}.crontab:read",
        by_path=True,
        scheduled=True,
        settings=True,
    ),
    Language(
        name="systemd",
        signs=(
            Sign(52, frozenset({"service"}), None, recognised.runs_in_unit, decides=True),
            Sign(52, frozenset({"timer"}), None, recognised.is_timer),
        ),
        reader=f"{_HERE}.unit:Unit.read",
        scheduled=True,
    ),
    Language(
        name="mounts",
        signs=(
            Sign(
                57, frozenset({"mount"}), named_after("fstab"), recognised.mounts_mq, decides=True
            ),
            Sign(57, frozenset(), named_after("auto."), recognised.automounts_mq),
            Sign(
                57,
                frozenset({"exports"}),
                recognised.is_exports,
                recognised.exports_mq,
                decides=True,
            ),
            Sign(57, frozenset(), recognised.is_limits, recognised.limits_mq, decides=True),
            Sign(57, frozenset(), recognised.is_rotation, recognised.rotates_mq, decides=True),
            Sign(48, frozenset(), recognised.is_archiver, recognised.archives_mq),
        ),
        reader="mqlint.language.script.faults.mounts:read",
        ownership="declared",
        variables=False,
    ),
    Language(
        name="task",
        signs=(Sign(33, frozenset({"xml"}), looks_like=recognised.is_task),),
        reader=f"{_HERE}.unit:Task.read",
        scheduled=True,
        variables=False,
        comments=False,
    ),
    Language(
        name="upstart",
        signs=(Sign(51, frozenset({"conf"}), looks_like=recognised.is_job),),
        reader=f"{_HERE}.unit:Job.read",
        scheduled=True,
    ),
    Language(
        name="docker",
        signs=(Sign(54, frozenset(), recognised.is_dockerfile, recognised.is_image, decides=True),),
        reader=f"{_HERE}.image:Dockerfile.read",
    ),
    Language(
        name="jenkins",
        signs=(
            Sign(54, frozenset(), named_after("jenkinsfile"), recognised.names_manager),
            Sign(
                55, frozenset(), named_after("jenkinsfile"), recognised.runs_in_step, decides=True
            ),
            Sign(55, frozenset({"groovy"}), looks_like=recognised.runs_in_step),
        ),
        reader=f"{_HERE}.jenkins:Jenkinsfile.read",
    ),
    Language(
        name="makefile",
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
    ),
    Language(
        name="terraform",
        signs=(
            Sign(
                53,
                frozenset({"tf"}),
                recognised.is_vagrantfile,
                recognised.is_terraform,
                decides=True,
            ),
            Sign(53, frozenset({"hcl"}), looks_like=recognised.is_terraform),
            Sign(54, frozenset({"json"}), looks_like=recognised.is_task_definition),
        ),
        reader=f"{_HERE}.terraform:Terraform.read",
        connects=True,
    ),
    *(
        Language(
            name=name,
            signs=(
                Sign(130, endings, looks_like=looks_like),
                Sign(130, frozenset(), recognised.begins_as(name), looks_like, last_resort=True),
            ),
            reader=f"{_HERE}.program:{reader}.read",
            variables=False,
        )
        for name, endings, reader, looks_like in (
            ("python", frozenset({"py"}), "PythonProgram", recognised.is_python),
            ("perl", frozenset({"pl", "pm"}), "PerlProgram", recognised.is_perl),
        )
    ),
    Language(
        name="pipeline",
        signs=(Sign(50, frozenset({"yml", "yaml"}), looks_like=recognised.is_ci),),
        reader=f"{_HERE}.pipeline:Pipeline.read",
    ),
)
