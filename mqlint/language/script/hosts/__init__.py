"""Files that hold scripts: crontabs, units, Dockerfiles, pipelines."""

from __future__ import annotations

from functools import partial

from mqlint.language.base import Language, Sign, called, named_after
from mqlint.language.script.hosts import signs

_HERE = "mqlint.language.script.hosts"
_of_shell = partial(Language, variables=True)
"""A language whose scripts a shell reads, which replaces variables."""

_SOURCE = frozenset("cs go gradle groovy java js kt kts mjs scala ts".split())

LANGUAGES = (
    _of_shell(
        name="chef",
        signs=(Sign(60, {"rb"}, looks_like=signs.has_resource_of_chef, decides=True),),
        reader=f"{_HERE}.chef:Recipe.read",
    ),
    _of_shell(
        name="expect",
        signs=(Sign(19, {"exp", "expect"}, signs.begins_as_expect, signs.is_expect),),
        reader=f"{_HERE}.expect:ExpectScript.read",
    ),
    _of_shell(
        name="crontab",
        signs=(
            Sign(
                80,
                {"", "cron", "crontab", "tab", "txt"},
                lambda sample: sample.name.startswith("crontab"),
                signs.is_crontab,
            ),
        ),
        reader=f"{_HERE}.crontab:read",
        by_path=True,
        scheduled=True,
        settings=True,
    ),
    _of_shell(
        name="systemd",
        signs=(
            Sign(52, {"service"}, looks_like=signs.runs_in_unit, decides=True),
            Sign(52, {"timer"}, looks_like=signs.is_timer),
        ),
        reader=f"{_HERE}.unit:Unit.read",
        scheduled=True,
    ),
    Language(
        name="mounts",
        signs=(
            Sign(57, {"mount"}, named_after("fstab"), signs.mounts_mq, decides=True),
            Sign(57, frozenset(), named_after("auto."), signs.automounts_mq),
            Sign(57, {"exports"}, signs.is_exports, signs.exports_mq, decides=True),
            Sign(57, frozenset(), signs.is_limits, signs.limits_mq, decides=True),
            Sign(57, frozenset(), signs.is_rotation, signs.rotates_mq, decides=True),
            Sign(48, frozenset(), signs.is_archiver, signs.archives_mq),
        ),
        reader="mqlint.language.script.faults.mounts:read",
        ownership="declared",
    ),
    Language(
        name="task",
        signs=(Sign(33, {"xml"}, looks_like=signs.is_task),),
        reader=f"{_HERE}.unit:Task.read",
        scheduled=True,
        comments=False,
    ),
    _of_shell(
        name="upstart",
        signs=(Sign(51, {"conf"}, looks_like=signs.is_job),),
        reader=f"{_HERE}.unit:Job.read",
        scheduled=True,
    ),
    _of_shell(
        name="docker",
        signs=(Sign(54, frozenset(), signs.is_dockerfile, signs.is_image, decides=True),),
        reader=f"{_HERE}.image:Dockerfile.read",
    ),
    _of_shell(
        name="jenkins",
        signs=(
            Sign(54, frozenset(), named_after("jenkinsfile"), signs.names_manager),
            Sign(55, frozenset(), named_after("jenkinsfile"), signs.runs_in_step, decides=True),
            Sign(55, {"groovy"}, looks_like=signs.runs_in_step),
        ),
        reader=f"{_HERE}.jenkins:Jenkinsfile.read",
    ),
    _of_shell(
        name="makefile",
        signs=(
            Sign(
                56,
                {"mk", "mak", "make"},
                called("makefile", "gnumakefile", "bsdmakefile"),
                signs.has_recipes,
                decides=True,
            ),
        ),
        reader=f"{_HERE}.makefile:Makefile.read",
    ),
    _of_shell(
        name="terraform",
        signs=(
            Sign(53, {"tf"}, signs.is_vagrantfile, signs.is_terraform, decides=True),
            Sign(53, {"hcl"}, looks_like=signs.is_terraform),
        ),
        reader=f"{_HERE}.terraform:Terraform.read",
        connects=True,
    ),
    *(
        Language(
            name=name,
            signs=(
                Sign(130, endings, looks_like=looks_like),
                Sign(130, frozenset(), signs.begins_as(name), looks_like, last_resort=True),
            ),
            reader=f"{_HERE}.program:{reader}.read",
        )
        for name, endings, reader, looks_like in (
            ("python", {"py"}, "PythonProgram", signs.is_python),
            ("perl", {"pl", "pm"}, "PerlProgram", signs.is_perl),
            ("rexx", {"rex", "rexx"}, "RexxProgram", signs.is_rexx),
            ("source", _SOURCE, "CodeProgram", signs.is_code),
        )
    ),
    _of_shell(
        name="pipeline",
        signs=(
            Sign(50, {"yml", "yaml"}, looks_like=signs.is_ci),
            Sign(50, {"sls"}, looks_like=signs.is_state),
        ),
        reader=f"{_HERE}.pipeline:Pipeline.read",
    ),
)
