"""Rooms import one way: the contracts of pyproject.toml hold."""

from __future__ import annotations

import sys
from graphlib import TopologicalSorter

import grimp
import pytest

from tests.packaging.conftest import ROOT, Run


@pytest.mark.long  # `make lint`, with which `make test` begins, does the same
def test_import_contracts_hold(run: Run) -> None:
    lint = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports())"
    run(sys.executable, "-c", lint, cwd=ROOT)


def test_no_modules_import_each_other() -> None:
    graph = grimp.build_graph("mqlint", exclude_type_checking_imports=True)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    TopologicalSorter(imports).prepare()  # CycleError names a circle
