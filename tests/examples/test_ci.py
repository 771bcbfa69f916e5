"""The examples of pipelines: their schemas, their commands, and the hooks run by git."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import click
import pytest
import yaml

from mqlint.cli import main

ROOT = Path(__file__).parents[2]
CI = ROOT / "examples" / "ci"
EXAMPLES = sorted(path for path in CI.iterdir() if path.name != "README.md")
GUIDE = (ROOT / "docs" / "guides" / "run-in-a-pipeline.md").read_text("utf-8")
SCHEMAS = {
    "github.yml": ("vendor.github-workflows",),
    "gitlab-ci.yml": ("vendor.gitlab-ci", "--data-transform", "gitlab-ci"),
    "azure-pipelines.yml": ("vendor.azure-pipelines", "--data-transform", "azure-pipelines"),
    "bitbucket-pipelines.yml": ("vendor.bitbucket-pipelines",),
}
COMMAND = re.compile(r"\bmqlint\"?,? (check\b[^\n|&)]*(?:\n +--[^\n|&)]*)*)")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_guide_and_list_show_the_example(path: Path) -> None:
    assert path.read_text("utf-8") in GUIDE
    assert f"`{path.name}`" in (CI / "README.md").read_text("utf-8")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_options_in_the_example_exist(path: Path) -> None:
    text = path.read_text("utf-8")
    if path.name == "github.yml":
        steps = yaml.safe_load(text)["jobs"]["mqlint"]["steps"]
        commands = [f"check {steps[-1]['with']['args']}"]
    elif path.name in ("ansible-playbook.yml", "argocd-presync-hook.yaml"):
        commands = [words.replace(",", " ") for words in re.findall(r"\[.*(check,[^\]]*)\]", text)]
    else:
        commands = COMMAND.findall(text)
    check = main.get_command(click.Context(main), "check")
    assert commands
    assert check is not None
    known = {name for param in check.params for name in param.opts}
    for command in commands:
        options = set(re.findall(r"--[a-z-]+", command))
        assert options <= known, path.name


@pytest.mark.slow
@pytest.mark.parametrize("name", SCHEMAS)
def test_example_follows_its_schema(name: str) -> None:
    pytest.importorskip("check_jsonschema")
    check = ("check_jsonschema", "--regex-variant", "python", "--builtin-schema", *SCHEMAS[name])
    subprocess.run([sys.executable, "-m", *check, str(CI / name)], check=True)


@pytest.mark.parametrize("name", ["tekton-task.yaml", "argocd-presync-hook.yaml"])
def test_containers_have_no_rights(name: str) -> None:
    document = yaml.safe_load((CI / name).read_text("utf-8"))
    assert {"apiVersion", "kind", "metadata", "spec"} == document.keys()
    text = (CI / name).read_text("utf-8")
    for right in ("allowPrivilegeEscalation: false", "runAsNonRoot: true", "drop: [ALL]"):
        assert right in text


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("git") is None or os.name == "nt", reason="needs git and sh")
def test_hooks_of_git_stop_what_is_wrong(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "mqlint"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\nexec '{sys.executable}' -m mqlint \"$@\"\n")
    program.chmod(0o755)
    variables = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
    variables |= {"PATH": f"{program.parent}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}

    def git(*words: str, folder: Path, status: int = 0) -> str:
        who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
        command = ["git", *who, "-c", "init.defaultBranch=main", *words]
        done = subprocess.run(
            command, cwd=folder, env=variables, capture_output=True, text=True, check=False
        )
        assert (done.returncode != 0) == bool(status), done.stdout + done.stderr
        return done.stdout + done.stderr

    def install(example: str, hook: Path) -> None:
        shutil.copy(CI / example, hook)
        hook.chmod(hook.stat().st_mode | stat.S_IXUSR)

    server, work = tmp_path / "server.git", tmp_path / "work"
    git("init", "-q", "--bare", str(server), folder=tmp_path)
    git("init", "-q", str(work), folder=tmp_path)
    install("git-pre-receive.sh", server / "hooks" / "pre-receive")
    install("git-pre-commit.sh", work / ".git" / "hooks" / "pre-commit")
    (work / "a.mqsc").write_text("DEFINE QLOCAL(A) MAXDEPHT(5)\n")
    git("add", ".", folder=work)
    assert "VOC002" in git("commit", "-qm", "bad", folder=work, status=1)
    git("commit", "-qnm", "bad", folder=work)
    assert "rejected" in git("push", "-q", str(server), "main", folder=work, status=1)
    (work / "a.mqsc").write_text("DEFINE QLOCAL(A) MAXDEPTH(5)\n")
    git("commit", "-qam", "good", folder=work)
    git("push", "-q", str(server), "main", folder=work)
