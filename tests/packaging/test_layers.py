"""Rooms import one way: the contracts of pyproject.toml hold."""

from __future__ import annotations

import sys

import pytest

from tests.packaging.conftest import ROOT, Run

pytestmark = pytest.mark.slow


def test_import_contracts_hold(run: Run) -> None:
    lint = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports())"
    run(sys.executable, "-c", lint, cwd=ROOT)
