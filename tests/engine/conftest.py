"""Checks of texts and of the example estate, by nearly all profiles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from mqlint.config.loader import settings_from
from mqlint.config.reader import read_yaml
from mqlint.config.settings import Settings
from mqlint.engine import Analyser, Input, Run, check
from mqlint.policy.rulebook import Rulebook

ESTATE = Path(__file__).resolve().parents[2] / "examples" / "estate"
PROFILES = {"default", "production", "audit", "migration", "cluster-review", "dr-test"}

Lint = Callable[..., Run]


@pytest.fixture(scope="session")
def lint(analyser: Analyser, rulebook: Rulebook) -> Lint:
    """Checks texts or bytes by path, under nearly all profiles; `context` is read only."""

    def run(
        files: Mapping[str, str | bytes],
        settings: Settings | None = None,
        *,
        context: Mapping[str, str | bytes] | None = None,
        jobs: int = 1,
    ) -> Run:
        return check(
            inputs(files),
            settings or Settings(),
            analyser,
            rulebook,
            context=inputs(context or {}),
            profiles=PROFILES,
            jobs=jobs,
        )

    return run


def inputs(files: Mapping[str, str | bytes]) -> list[Input]:
    return [
        Input(path, data=text if isinstance(text, bytes) else text.encode())
        for path, text in files.items()
    ]


def settings_of(text: str) -> Settings:
    return settings_from(read_yaml(text, "mqlint.yaml"))


def estate_files() -> dict[str, bytes]:
    """The files of the example estate by path."""
    return {
        path.relative_to(ESTATE).as_posix(): path.read_bytes()
        for path in sorted(ESTATE.rglob("*"))
        if path.is_file() and path.name not in ("MISTAKES.md", "mqlint.yaml")
    }


def estate_settings() -> Settings:
    return settings_of((ESTATE / "mqlint.yaml").read_text("utf-8"))
