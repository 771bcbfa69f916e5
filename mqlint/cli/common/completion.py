"""What shells offer for the words of a command line; modules are loaded when a shell asks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

import click


def formats(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from mqlint.report import FORMATS

    return _beginning(FORMATS, incomplete)


def profiles(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Offer the profiles, those of the project among them."""
    from mqlint.cli.common.project import ProjectOptions
    from mqlint.config.errors import ConfigError
    from mqlint.config.settings import PROFILES

    own: list[str] = []
    with suppress(ConfigError, click.ClickException):  # a run reports the error
        own += [profile.name for profile in ProjectOptions().session().settings.own_profiles]
    return _beginning((*PROFILES, *own), incomplete)


def rules(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Offer ids, names and groups of rules; of a list with commas its last word."""
    begun, comma, word = incomplete.rpartition(",")
    return [f"{begun}{comma}{name}" for name in _beginning(_names_of_rules(), word)]


def _beginning(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.casefold().startswith(incomplete.casefold())]


def _names_of_rules() -> Iterator[str]:
    from mqlint.cli.common.project import ProjectOptions

    rules = ProjectOptions().session().rulebook.rules.values()
    yield from sorted({rule.group for rule in rules})
    for rule in rules:
        yield rule.id
        yield rule.name
