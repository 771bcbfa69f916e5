"""Folders and scripts that several sites apply."""

from __future__ import annotations

import pytest

from mqlint.language.kubernetes.deployments import deployed_of

APPLICATION = "kind: Application\nspec: {source: {path: mq, %s}}\n"
SET = """\
kind: ApplicationSet
spec:
  generators:
  - list: {elements: [{site: prod}, {site: dr}]}%s
  template: {spec: {source: {path: mq}}}
"""
WORKFLOW = """\
jobs:
  apply:
    strategy:
      matrix: {site: [prod, dr]%s}
    steps:
    - run: runmqsc QMA < mq/a.mqsc
"""


def site_of(path: str) -> str:
    """The site that the first folder of a path has the name of."""
    folder = path.partition("/")[0]
    return folder if folder in ("prod", "dr") else ""


def applied(manifest: str) -> dict[str, str]:
    return {**{f"{site}/a.yaml": manifest for site in ("prod", "dr")}, "mq/a.yaml": ""}


@pytest.mark.parametrize(
    ("texts", "folders"),
    [
        (applied(APPLICATION % ""), ["mq"]),
        (applied(APPLICATION % "directory: {recurse: true}"), ["mq"]),
        (applied(APPLICATION % "helm: {}"), []),
        (applied(APPLICATION % "directory: {exclude: 'a*'}"), []),
        (applied(APPLICATION % "directory: {include: 'b*'}"), []),
        (applied(APPLICATION % "") | {"other/mq/a.yaml": ""}, []),
        ({"a.yaml": SET % "", "mq/a.yaml": ""}, ["mq"]),
        ({"a.yaml": SET % "\n    selector: {matchLabels: {site: dr}}", "mq/a.yaml": ""}, []),
        ({"a.yaml": WORKFLOW % ""}, ["a.yaml"]),
        ({"a.yaml": WORKFLOW % ", exclude: [{site: dr}]"}, []),
        ({"a.yaml": WORKFLOW % ", include: [{site: dr}]"}, ["a.yaml"]),
    ],
)
def test_what_several_sites_apply(texts: dict[str, str], folders: list[str]) -> None:
    assert [*deployed_of(texts, site_of)] == folders
