"""Where a file belongs: its site, its queue manager, its target, its place in the order."""

from __future__ import annotations

from collections.abc import Mapping

from mqlint.computed import Computed
from mqlint.config.estate.roles import role_of, sources_of_tests
from mqlint.config.globs import Glob, Globs, compile_glob
from mqlint.config.settings import Override, Role, Settings, Site, Target
from mqlint.dataclass import frozen
from mqlint.grouping import grouped
from mqlint.patterns import later

# IBM MQ documentation, "Rules for naming IBM MQ objects"; a queue manager's name has 48 at most.
_QUEUE_MANAGER = later(r"[A-Za-z0-9._/%]{1,48}\Z")

TRIED_OUT: tuple[Role, ...] = ("test", "development")
"""Roles of sites where what only production must do is a note."""
_WORDS = later(r"[A-Za-z]+")
_FEW_WORDS = 2

MAPPED = "client-keys"
"""The language of files whose keys `clients` maps."""


@frozen
class SiteMatch:
    """The site of a file; `guessed` is true if no pattern of the configuration names it.

    `by` is what names it: the pattern, or for a guess the name of the folder, file or namespace.
    `is_of_pair` is true if that name tells it only beside another one (see `roles_of_pairs`).
    """

    site: Site
    guessed: bool
    by: str = ""
    is_of_pair: bool = False

    @property
    def role(self) -> Role | None:
        """The role that decides severities; a guessed one counts only if it lowers them."""
        role = self.site.role
        if not self.guessed:
            return role
        # "dev" and "shop-test" are environments, "mq-dev-patterns" is what a project is called.
        is_environment = len(_WORDS.findall(self.by)) <= _FEW_WORDS
        return role if role in TRIED_OUT and is_environment else None


@frozen
class _SitePath:
    glob: Glob
    site: Site


class Placement:
    """Answers, for one project's settings, where a file belongs; remembers every answer.

    Paths are relative to the project's root, with forward slashes. With a `prefix`, as of one
    repository of an estate, they begin with it, and the settings speak of what follows it.
    """

    def __init__(
        self,
        settings: Settings,
        prefix: str = "",
        roles: Mapping[str, Role] | None = None,
        namespaces: Mapping[str, str] | None = None,
        fed_roles: Mapping[str, Role] | None = None,
    ) -> None:
        """`roles` are those that names tell only beside each other: see `roles_of_pairs`.

        `namespaces` are those of manifests, by their paths. `fed_roles` are those of queue managers
        that the files fed to them tell.
        """
        self.settings = settings
        self.prefix = prefix
        self.roles = roles or {}
        self.namespaces = namespaces or {}
        self.fed_roles = fed_roles or {}
        paths = [
            _SitePath(compile_glob(path), site) for site in settings.sites for path in site.paths
        ]
        # The most specific pattern first; sorting is stable, so else the one written first.
        self._site_paths = sorted(paths, key=lambda item: -item.glob.weight)
        self._site_globs = Globs([item.glob for item in self._site_paths])
        self._queue_managers = [
            compile_glob(pattern, placeholders=True) for pattern in settings.queue_managers
        ]
        self._queue_manager_globs = Globs(self._queue_managers)
        types = settings.files.types
        clients = [client.files for client in settings.clients]
        self._languages = (*types.values(), *(MAPPED for _ in clients))
        self._types = Globs(
            [compile_glob(pattern, floating=True) for pattern in (*types, *clients)]
        )
        self._order = Globs([compile_glob(pattern) for pattern in settings.order])
        overrides = settings.overrides
        self._scopes = [override for override in overrides for _ in override.paths]
        self._scope_globs = Globs([compile_glob(path) for each in overrides for path in each.paths])
        self._sites_by_name = {site.name.casefold(): site for site in settings.sites}
        self._sites_by_role = grouped((site.role, site) for site in settings.sites)
        self._sites = Computed(self._site_of)
        self._names = Computed(self._queue_manager_of)

    def own(self, path: str) -> str:
        """Return a path as the settings speak of it: without the prefix."""
        return path.removeprefix(self.prefix)

    def site_of(self, path: str) -> SiteMatch | None:
        """Return the site of the file, or None if no pattern matches.

        Asked in turn: the sites' patterns, the most specific first; `{site}` in a pattern of
        `queue_managers`; then, as a guess, a folder named like a site, and folders named like a
        role (prod, dr, uat, dev ...), the innermost first; last the namespace of a manifest.
        """
        return self._sites[path]

    def site_named(self, queue_manager: str) -> SiteMatch | None:
        """Return the site that a name tells beside another one, or the files that are fed to it."""
        role = self.roles.get(queue_manager.casefold()) or self.fed_roles.get(queue_manager)
        site = self._of_role(role)
        if site is None:
            return None
        return SiteMatch(site, guessed=True, by=queue_manager, is_of_pair=True)

    def site_name_of(self, path: str) -> str:
        """Return the name of the file's site, blank if there is none."""
        place = self.site_of(path)
        return "" if place is None else place.site.name

    def role_of(self, path: str) -> Role | None:
        """Return the role of the file's site, None if there is none or it does not count."""
        place = self.site_of(path)
        return None if place is None else place.role

    def queue_manager_of(self, path: str) -> str | None:
        """Return the queue manager's name that the first fitting pattern finds, or None.

        What could be no name of a queue manager is none.
        """
        return self._names[path]

    def queue_manager_pattern_of(self, path: str) -> str | None:
        """Return the pattern that found the queue manager's name, None when none did."""
        named = self.queue_manager_of(path) is not None
        return self._parts(self.own(path))[0] if named else None

    def overrides_of(self, path: str) -> tuple[Override, ...]:
        found = (self._scopes[at] for at in self._scope_globs.matching(self.own(path)))
        return tuple({id(override): override for override in found}.values())

    def target_of(self, path: str) -> Target:
        """Return what the file is for; where overrides disagree the last one counts."""
        level, platform = self.settings.target.level, self.settings.target.platform
        for override in self.overrides_of(path):
            level = override.target.level or level
            platform = override.target.platform or platform
        return Target(level, platform)

    def profiles_of(self, path: str) -> tuple[str, ...]:
        """Return the profiles the file is judged by; the last override that names any counts."""
        named = (override.profiles for override in reversed(self.overrides_of(path)))
        return next((found for found in named if found is not None), self.settings.profiles)

    def language_of(self, path: str) -> str:
        """Return the language that the first fitting pattern of `files: types` names, or blank."""
        return next((self._languages[at] for at in self._types.matching(self.own(path))), "")

    def order_of(self, path: str) -> int | None:
        """Return the index of the first pattern of `order` that fits, or None."""
        return next(self._order.matching(self.own(path)), None)

    def _site_of(self, path: str) -> SiteMatch | None:
        return self._find_site(self.own(path)) or self._guess(self.namespaces.get(path, ""))

    def _queue_manager_of(self, path: str) -> str | None:
        name = self._parts(self.own(path))[1].get("queue_manager", "")
        return name if _QUEUE_MANAGER.match(name) else None

    def _find_site(self, path: str) -> SiteMatch | None:
        at = next(self._site_globs.matching(path), None)
        if at is not None:
            item = self._site_paths[at]
            return SiteMatch(item.site, guessed=False, by=item.glob.pattern)
        pattern, parts = self._parts(path)
        named = self.settings.site(parts.get("site", ""))
        if named is not None:
            return SiteMatch(named, guessed=False, by=pattern)
        return self._guess(path)

    def _parts(self, path: str) -> tuple[str, dict[str, str]]:
        """The first pattern of `queue_managers` that fits, and what it finds."""
        at = next(self._queue_manager_globs.matching(path), None)
        if at is None:
            return "", {}
        glob = self._queue_managers[at]
        return glob.pattern, glob.parts(path) or {}

    def _guess(self, path: str) -> SiteMatch | None:
        *folders, file = path.split("/")
        by_name = self._sites_by_name
        stem, _, ending = file.rpartition(".")
        if not stem or ending.casefold() in by_name or role_of(ending) is not None:  # .env.prod
            stem = file
        for name in [*reversed(folders), stem]:
            words = name.casefold().split(".") if name is stem else [name.casefold()]
            named = (by_name[word] for word in words if word in by_name)
            site = next(named, None) or self._of_role(role_of(name))
            if site is not None:
                return SiteMatch(site, guessed=True, by=name)
            site = self._of_role(self.roles.get(name.casefold()))
            if site is not None:
                return SiteMatch(site, guessed=True, by=name, is_of_pair=True)
        folder = sources_of_tests(path)
        site = self._of_role("test" if folder is not None else None)
        return None if site is None else SiteMatch(site, guessed=True, by=folder or "")

    def _of_role(self, role: Role | None) -> Site | None:
        if role is None:
            return None
        if not self.settings.sites:
            return Site(role, role, stands_in_for="production" if role == "dr" else None)
        # The patterns of a site, if it has some, name all its files.
        sites = self._sites_by_role.get(role, [])
        return sites[0] if len(sites) == 1 and not sites[0].paths else None
