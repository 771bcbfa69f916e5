"""Jobs of pipelines with the variables of their scripts."""

from __future__ import annotations

import pytest

from mqlint.language.variables.job_inventories import reached
from mqlint.language.variables.jobs import jobs_of
from mqlint.language.variables.signs import has_jobs, names_in

GITLAB = ".gitlab-ci.yml"
GITHUB = ".github/workflows/a.yml"
AZURE = "azure-pipelines.yml"


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        pytest.param(
            GITLAB,
            "variables: {A: top, B: top}\nx:\n  variables: {A: job}\n  script: [run]\n",
            {"x": {"A": "job", "B": "top"}},
            id="a job overrides the file",
        ),
        pytest.param(
            GITLAB,
            ".a: {variables: {A: a, B: a, C: a}, script: [run]}\n.b: {variables: {B: b, C: b}}\n"
            "x: {extends: [.a, .b], variables: {C: x}}\ny: {extends: .a}\nz: {variables: {A: z}}\n",
            {"x": {"A": "a", "B": "b", "C": "x"}, "y": {"A": "a", "B": "a", "C": "a"}},
            id="extends, the last one first",
        ),
        pytest.param(
            GITLAB,
            ".a: {extends: x, script: [run]}\nx: {extends: .a, variables: {A: x}}\n",
            {"x": {"A": "x"}},
            id="extends in a circle",
        ),
        pytest.param(
            GITLAB,
            "x:\n  parallel: {matrix: [{A: [1, 2], B: c}, {A: 3}]}\n  script: [run]\n",
            {"x 0": {"A": "1", "B": "c"}, "x 1": {"A": "2", "B": "c"}, "x 2": {"A": "3"}},
            id="a matrix of GitLab",
        ),
        pytest.param(
            GITLAB,
            "x:\n  variables: {A: {value: a, description: b}, B: $A.$C, C: c, D: $E, F: $F}\n"
            "  script: [run]\n",
            {"x": {"A": "a", "B": "a.c", "C": "c", "D": None, "F": None}},
            id="variables in variables",
        ),
        pytest.param(
            GITHUB,
            "env: {A: top}\njobs:\n  x:\n    env: {B: job}\n    steps:\n"
            "    - {run: a, env: {C: 1}}\n    - {run: b, env: {C: 2, A: step}}\n",
            {"x": {"A": None, "B": "job", "C": None}},
            id="steps that differ",
        ),
        pytest.param(
            GITHUB,
            "jobs:\n  x:\n    strategy:\n"
            "      matrix: {s: [a, b], include: [{s: a, q: A}, {s: c, q: C}]}\n"
            "    env: {Q: '${{ matrix.q }}'}\n    steps: [{run: a}]\n",
            {
                "x 0": {"s": "a", "q": "A", "Q": "A"},
                "x 1": {"s": "b", "Q": None},
                "x 2": {"s": "c", "q": "C", "Q": "C"},
            },
            id="a matrix of GitHub",
        ),
        pytest.param(
            GITHUB,
            "jobs:\n  x:\n    strategy: {matrix: {s: [a, b], exclude: [{s: a}]}}\n"
            "    steps: [{run: a}]\n",
            {},
            id="a matrix that leaves something out",
        ),
        pytest.param(
            AZURE,
            "variables:\n- {name: A, value: top}\n- group: g\nstages:\n- stage: s\n"
            "  variables: {B: '$(A)'}\n  jobs:\n  - deployment: x\n    environment: dr\n"
            "    strategy: {runOnce: {deploy: {steps: [{bash: a}]}}}\n",
            {"deploy": {"A": "top", "B": "top"}},
            id="a stage of Azure",
        ),
        pytest.param(
            "Jenkinsfile",
            "pipeline {\n environment { A = 'top'\n B = \"${params.B}\" }\n stages {\n"
            "  stage('x') {\n"
            '   environment {\n    C = "c" // {\n   }\n   steps { sh \'echo "}"\' }\n  }\n'
            "  stage(\"y\") { steps { withEnv(['C=d', \"D=e\"]) { sh '''a { ''' } } }\n }\n}\n",
            {
                "x": {"A": "top", "B": None, "C": "c"},
                "y": {"A": "top", "B": None, "C": "d", "D": "e"},
            },
            id="Jenkins",
        ),
        pytest.param(
            "bitbucket-pipelines.yml",
            "pipelines:\n  custom:\n    dr:\n    - step: {script: [export A=a B='b', export C=1, "
            "export C=2, run]}\n",
            {"step": {"A": "a", "B": "b", "C": None}},
            id="what a script exports",
        ),
    ],
)
def test_the_variables_of_a_job(
    path: str, text: str, expected: dict[str, dict[str, str | None]]
) -> None:
    assert has_jobs(path, text)
    assert {job.name: job.values for job in jobs_of(path, text)} == expected


def test_the_scripts_of_a_job_are_those_that_run() -> None:
    text = (
        ".a: {before_script: [one], script: [two], variables: {A: a}}\n"
        "x: {extends: .a, script: [three]}\n"
    )
    (job,) = jobs_of(GITLAB, text)
    assert [text[start:end] for start, end in job.spans] == ["three", "one"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.yml", "variables: {A: a}\nx: {script: [run]}\n"),
        (GITLAB, "x: {script: [run]}\n"),
        (GITLAB, "variables: {A: a}\n"),
        ("prod.sh", "export A=a\n"),
    ],
)
def test_files_without_such_jobs(path: str, text: str) -> None:
    assert not has_jobs(path, text)


FILES: dict[str, list[str]] = {
    "deploy.sh": ["mqsc/a.tmpl", "lib/*.mqsc", "two.mqsc"],
    **{path: [] for path in ("mqsc/a.tmpl", "lib/b.mqsc", "lib/c.mqsc", "x/two.mqsc")},
}
BY_NAME = {
    "deploy.sh": ["deploy.sh"],
    "a.tmpl": ["mqsc/a.tmpl"],
    "lib/*": ["lib/b.mqsc", "lib/c.mqsc"],
    "two.mqsc": ["x/two.mqsc", "y/two.mqsc"],
}


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("./deploy.sh prod", {"deploy.sh", "mqsc/a.tmpl", "lib/b.mqsc", "lib/c.mqsc"}),
        ("envsubst < mqsc/a.tmpl | runmqsc $QM", {"mqsc/a.tmpl"}),
        ("cat other/a.tmpl", set()),
        ("cat x/two.mqsc", {"x/two.mqsc"}),
        ("cat two.mqsc", set()),
    ],
)
def test_the_files_that_a_script_reaches(script: str, expected: set[str]) -> None:
    assert {*reached(names_in(script), BY_NAME, FILES)} == expected
