"""Folders of many files that say something about each other, by what they say."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.growth.findings import Files

_APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {{name: mq-{number}}}
spec: {{source: {{path: mq/b{number}}}}}
"""
_MAP = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: mqsc}
data:
  a.mqsc: DEFINE QLOCAL(A)
"""
_JOB = """\
on: push
jobs:
  apply:
    strategy:
      matrix:
        site: [prod, dr]
    steps:
      - run: ssh mq-${{ matrix.site }} runmqsc QM < a.mqsc
"""


def _applications(count: int) -> Files:
    """Applications at two sites, each of a folder of its own."""
    files: dict[str, str] = {}
    for number in range(count):
        files[f"mq/b{number}/map.yaml"] = _MAP
        for site in ("prod", "dr"):
            files[f"{site}/app{number}.yaml"] = _APPLICATION.format(number=number)
    return files


def _pipelines(count: int) -> Files:
    """Scripts in pipelines, each of which runs for two sites."""
    return {f".github/workflows/p{number}.yaml": _JOB for number in range(count)}


FOLDERS: Mapping[str, Callable[[int], Files]] = {
    "applications of Argo CD": _applications,
    "pipelines with a matrix": _pipelines,
}
