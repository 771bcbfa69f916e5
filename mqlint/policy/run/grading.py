"""The severity of a rule for a queue manager, by its site, the profiles and the settings."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import field
from typing import Protocol

from mqlint.config.estate.placement import TRIED_OUT, SiteMatch
from mqlint.config.settings import COPIES
from mqlint.dataclass import frozen
from mqlint.finding import Severity
from mqlint.model.core.queue_manager import QueueManager

_COPIES = frozenset(COPIES)


class Graded(Protocol):
    """A rule, or a policy, whose rule need not be made for this. The fields are those of `Rule`."""

    @property
    def id(self) -> str: ...
    @property
    def severity(self) -> Mapping[str, Severity]: ...
    @property
    def habit(self) -> bool: ...


@frozen
class CustomProfile:
    """A profile of the project: those of mqlint in it, and severities of rules, None for off."""

    profiles: frozenset[str]
    severity: Mapping[str, Severity | None]


@frozen
class Grading:
    """How severe a rule is for a queue manager.

    `profiles` are those asked for, blank when the configuration decides. The profile `default`
    always runs, and a queue manager at a production site is judged by `production` too.
    `overrides` maps rule ids to the severity a user wants, None for off. `custom` are the profiles
    of the project by name; a severity in them overrides that in the profiles of mqlint.
    """

    profiles: frozenset[str] = frozenset()
    overrides: Mapping[str, Severity | None] = field(default_factory=dict)
    custom: Mapping[str, CustomProfile] = field(default_factory=dict)

    def severity(
        self, rule: Graded, role: str | None = None, configured: Iterable[str] = ()
    ) -> Severity | None:
        """Return the severity of `rule` at a site of `role`; None when it does not run.

        `configured` are the profiles that the configuration sets for the file or queue manager.
        """
        return self.severity_in(self.profiles_at(role, configured), rule, role)

    def severity_in(
        self, profiles: frozenset[str], rule: Graded, role: str | None
    ) -> Severity | None:
        """Return the same for the profiles that judge there."""
        if profiles == _COPIES and profiles.isdisjoint(rule.severity):
            return None
        if rule.id in self.overrides:
            return self.overrides[rule.id]
        custom = self._custom(rule.id, profiles)
        if custom:
            return max(custom, key=lambda severity: severity or 0)
        severities = rule.severity.items()
        found = max((value for profile, value in severities if profile in profiles), default=None)
        if rule.habit and role in TRIED_OUT and profiles - self.custom.keys() == {"default"}:
            return None if found is None else Severity.NOTE
        return found

    def profiles_at(self, role: str | None, configured: Iterable[str]) -> frozenset[str]:
        configured = frozenset(configured)
        if configured == _COPIES:
            return _COPIES
        profiles = (self.profiles or configured) | {"default"}
        for name in profiles & self.custom.keys():
            profiles |= self.custom[name].profiles
        return profiles | {"production"} if role == "production" else profiles

    def runs(self, rule: str, severity: Collection[str], profiles: frozenset[str]) -> bool:
        """Whether a rule runs in one of the profiles, that has a `severity` in some of them."""
        if profiles == _COPIES and profiles.isdisjoint(severity):
            return False
        if rule in self.overrides:
            return self.overrides[rule] is not None
        custom = self._custom(rule, profiles)
        if custom:
            return any(chosen is not None for chosen in custom)
        return not profiles.isdisjoint(severity)

    def identity(self, profiles: frozenset[str]) -> Hashable:
        """Return what two gradings must share to run the same policies in `profiles`.

        Two repositories may define profiles of one name.
        """
        if not (self.overrides or self.custom):
            return ()
        custom = ((name, self.custom[name]) for name in sorted(profiles & self.custom.keys()))
        return (
            frozenset(self.overrides.items()),
            tuple((name, frozenset(profile.severity.items())) for name, profile in custom),
        )

    def _custom(self, rule: str, profiles: frozenset[str]) -> list[Severity | None]:
        if not self.custom:
            return []
        chosen = (self.custom[name] for name in profiles & self.custom.keys())
        return [profile.severity[rule] for profile in chosen if rule in profile.severity]


def role_of(manager: QueueManager) -> str | None:
    """Return the role of the site of a queue manager, None if it has none that counts."""
    if manager.site is None:
        return None
    return SiteMatch(manager.site, manager.site_guessed, manager.site_by).role


def role_and_profiles(manager: QueueManager) -> tuple[str | None, tuple[str, ...]]:
    """Return the role and the profiles of a queue manager: they decide which policies judge it."""
    return role_of(manager), tuple(manager.profiles)
