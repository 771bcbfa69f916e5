"""What a project says about its estate in `mqlint.yaml`: sites, layout, target, scope.

`Settings()` is what holds without a file. Nothing here reads YAML (see `loader`), so these types
go wherever the engine goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Literal, get_args

from mqlint.config.errors import ConfigError, guess
from mqlint.dataclass import frozen
from mqlint.patterns import later

if TYPE_CHECKING:
    from ipaddress import IPv4Network, IPv6Network

    from mqlint.config.node import Plain

    Network = IPv4Network | IPv6Network

Role = Literal["production", "dr", "test", "development"]
"""What a site is for; policies speak of roles, never of a site's name."""

Isolation = Literal["none", "network", "production-ended", "chlauth", "names"]
"""What keeps a DR site's queue managers from taking part in production: nothing; no network
between them; production is ended first; CHLAUTH refuses the other site; all names differ."""

Reinstatement = Literal["definitions", "file-copy", "backup-queue-manager", "replication"]
"""How a site gets its queue managers: from scripts, from copied files, as backup queue managers,
or by replication, where equal names and QMIDs are right."""

Threshold = Literal["note", "warning", "error"]
SeverityWord = Literal["off", "note", "warning", "error"]
Platform = Literal["aix", "appliance", "ibmi", "linux", "multi", "nonstop", "windows", "zos"]
"""Where a queue manager runs; `multi` is any platform but z/OS."""

Profile = Literal[
    "default",
    "production",
    "dr-test",
    "new-queue-manager",
    "cluster-review",
    "migration",
    "audit",
    "legacy",
    "copy",
]
"""An occasion to judge for. `default` is part of every run, and `production` of what runs at a
production site; the others are chosen: a test of the DR site, a queue manager that is being made,
a review of clusters, a step to another release, an audit, and what holds for old releases only.
`copy` alone judges files that are copies of others by their names."""

ROLES: tuple[Role, ...] = get_args(Role)
ISOLATIONS: tuple[Isolation, ...] = get_args(Isolation)
REINSTATEMENTS: tuple[Reinstatement, ...] = get_args(Reinstatement)
THRESHOLDS: tuple[Threshold, ...] = get_args(Threshold)
SEVERITIES: tuple[SeverityWord, ...] = get_args(SeverityWord)
PLATFORMS: tuple[Platform, ...] = get_args(Platform)
PROFILES: tuple[Profile, ...] = get_args(Profile)
COPIES: tuple[Profile, ...] = ("copy",)
"""The profiles of a file that is a copy of another one."""

_NUMBERS = later(r"[Vv]?([1-9]\d?(?:\.\d{1,3}){1,3})\Z")
_COMMAND_LEVEL = later(r"([1-9]\d?)(\d)(\d)\Z")


@frozen
class Site:
    """One place where queue managers run.

    `paths` are patterns of the files that describe it, `tokens` the stretches of names that mark
    its objects (PRD, DRS). `networks` are those of its hosts; `seen_as` are the addresses under
    which listeners see what comes from it, where something between translates addresses.
    `stands_in_for` names the site it takes over from; for the only DR site beside the only
    production site it need not be written.
    """

    name: str
    role: Role
    stands_in_for: str | None = None
    paths: tuple[str, ...] = ()
    networks: tuple[Network, ...] = ()
    seen_as: tuple[Network, ...] = ()
    tokens: tuple[str, ...] = ()
    isolation: Isolation = "none"
    reinstated_by: Reinstatement = "definitions"


@frozen
class FoundSite(Site):
    """A site that only the files tell, with the hosts and queue managers that they give it."""

    hosts: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()


@frozen
class Level:
    """A release of MQ.

    `parts` are its numbers: (9, 4, 0) for 9.4.0 and for command level 940, (9, 4) for 9.4, which
    leaves open whether long-term support or a continuous delivery release is meant.
    """

    text: str
    parts: tuple[int, ...]


def parse_level(text: str) -> Level | None:
    """Return the release that `text` names: V.R, V.R.M, V.R.M.F or a command level such as 940.

    The digits of a command level are version, release and modification, 1000 being 10.0.0
    (IBM MQ documentation, "MQCMDL_* (Command Levels)"). None when it is neither, and for a version
    and release that IBM has not shipped.
    """
    dotted = _NUMBERS.match(text)
    if dotted is not None:
        parts = tuple(int(number) for number in dotted[1].split("."))
    elif (level := _COMMAND_LEVEL.match(text)) is not None:
        parts = tuple(int(number) for number in level.groups())
    else:
        return None
    shipped = parts[:2] in _RELEASES or parts[0] == _NEWEST_VERSION
    return Level(text, parts) if shipped else None


_RELEASES = frozenset(
    ((5, 3), (6, 0), (7, 0), (7, 1), (7, 5), (8, 0), (9, 0), (9, 1), (9, 2), (9, 3), (9, 4))
)
"""Version and release of the queue managers that IBM has shipped, before the newest version."""
_NEWEST_VERSION = 10


@frozen
class Target:
    """The release and platform that the configuration is for; None if it does not say."""

    level: Level | None = None
    platform: Platform | None = None

    @property
    def text(self) -> str:
        """The target as the command line has it, such as 9.4.0/linux; blank for none."""
        level = self.level.text if self.level is not None else ""
        return f"{level}/{self.platform}" if self.platform else level


@frozen
class Migration:
    """The releases that a migration leads from and to, in the file `from` and `to`."""

    source: Level
    to: Level


@frozen
class ParameterValue:
    rule: str
    name: str
    value: Plain
    path: str = field(compare=False, repr=False)
    line: int = field(compare=False, repr=False)
    column: int = field(compare=False, repr=False)

    def error(self, message: str, allowed: Iterable[str] = ()) -> ConfigError:
        """Return the error to raise here, with the nearest of the words `allowed`."""
        word = self.name if self.name in message else self.rule
        text = f"parameters: {message}{guess(word, allowed)}"
        return ConfigError(self.path, self.line, self.column, text)


@frozen
class Override:
    """Settings for some paths only; None and an absent target leave the project's own."""

    paths: tuple[str, ...]
    target: Target = field(default_factory=Target)
    profiles: tuple[str, ...] | None = None


@frozen
class Files:
    """What files are, by their paths: `types` maps patterns to the names of languages."""

    types: Mapping[str, str] = field(default_factory=dict)


_LONGEST = 20_480
"""Characters of a name: twice as many as a topic string may have."""


@frozen
class Twins:
    """How names at one site become the names of their twins at the other: (from, to) stretches."""

    rename: tuple[tuple[str, str], ...] = ()

    def first(self, name: str) -> str | None:
        """Return what the first of two twin sites calls what is called `name`; None if too long."""
        return _renamed(name, ((second, first) for first, second in self.rename))

    def second(self, name: str) -> str | None:
        """Return what the second of two twin sites calls what is called `name`."""
        return _renamed(name, self.rename)


def _renamed(name: str, pairs: Iterable[tuple[str, str]]) -> str | None:
    """A name with stretches replaced: each may hold the next, so that it doubles at every pair."""
    for old, new in pairs:
        if len(name) + name.count(old) * (len(new) - len(old)) > _LONGEST:
            return None
        name = name.replace(old, new)
    return name


@frozen
class Compare:
    """What `mqlint diff` and `mqlint plan` leave out: patterns of attributes and of objects."""

    ignore: tuple[str, ...] = ()
    ignore_objects: tuple[str, ...] = ()


@frozen
class Inventory:
    """The kinds of which the repository holds all: what it lacks of them does not exist."""

    jobs: bool = False
    objects: bool = False
    scripts: bool = False


@frozen
class External:
    """Names that exist although no file here defines them; a trailing `*` makes one generic."""

    authinfos: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    clusters: tuple[str, ...] = ()
    listeners: tuple[str, ...] = ()
    namelists: tuple[str, ...] = ()
    processes: tuple[str, ...] = ()
    queue_managers: tuple[str, ...] = ()
    queues: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()

    def of(self, name_space: str) -> tuple[str, ...]:
        """Return the names in a name space of objects: `queue`, `channel` ..."""
        names = {
            "queue": self.queues,
            "channel": self.channels,
            "namelist": self.namelists,
            "process": self.processes,
            "listener": self.listeners,
            "authinfo": self.authinfos,
            "topic": self.topics,
            "qmgr": self.queue_managers,
        }
        return names.get(name_space, ())


@frozen
class OwnProfile:
    """A profile that the project defines.

    It `extends` other profiles; its `severity` by rule overrides that of mqlint's profiles. With
    `only_if_named` a run has it only where --profile or an override names it.
    """

    name: str
    extends: tuple[str, ...]
    severity: Mapping[str, SeverityWord] = field(default_factory=dict)
    only_if_named: bool = False


@frozen
class Templates:
    """Template forms that are also legal MQ names; False says that here they are names."""

    percent: bool = True
    double_underscore: bool = True


CLIENT_KEYS = {
    "queue_manager": "QMNAME",
    "channel": "channel",
    "conn_name": "CONNAME",
    "host": "host",
    "port": "port",
    "ccdt": "ccdt",
    "cipher": "SSLCIPH",
    "user": "user",
    "password": "password",
    "application": "application",
    "get": "get",
    "put": "put",
    "open": "open",
}
"""What the keys of a file of `clients` can say, by the words of `mqlint.yaml`: an attribute of a
connection, a part of its address, or a queue and what is done with it."""


@frozen
class Client:
    """Files of an application with keys of its own.

    `files` is a pattern; `keys` are values of `CLIENT_KEYS`, each with the path of its key in a
    file (`$.mq.host`).
    """

    files: str
    keys: tuple[tuple[str, str], ...]


@frozen
class Forms(Templates):
    """What the reading of a file depends on besides its target."""

    clients: tuple[Client, ...] = ()


@frozen
class Settings:
    """Everything `mqlint.yaml` can say; the fields are its keys.

    `repository` is a name that tells this project's queue managers at no site from those of other
    projects of an estate; `queue_managers` are patterns with `{queue_manager}` and perhaps
    `{site}` in them; `order` lists patterns in the order the files are run; no `profiles` means
    the default one, and `own_profiles` are those that the same key defines; `severity` maps a
    rule's id to the severity it has here; `policies` are folders relative to the file, and so are
    the files `waivers` and `baseline`, blank for none.
    """

    repository: str = ""
    sites: tuple[Site, ...] = ()
    queue_managers: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    twins: Twins = field(default_factory=Twins)
    compare: Compare = field(default_factory=Compare)
    target: Target = field(default_factory=Target)
    overrides: tuple[Override, ...] = ()
    profiles: tuple[str, ...] = ()
    own_profiles: tuple[OwnProfile, ...] = ()
    migration: Migration | None = None
    inventory: Inventory = field(default_factory=Inventory)
    external: External = field(default_factory=External)
    exclude: tuple[str, ...] = ()
    files: Files = field(default_factory=Files)
    fail_on: Threshold = "error"
    severity: Mapping[str, SeverityWord] = field(default_factory=dict)
    parameters: tuple[ParameterValue, ...] = ()
    policies: tuple[str, ...] = ()
    templates: Templates = field(default_factory=Templates)
    clients: tuple[Client, ...] = ()
    waivers: str = "mqlint-waivers.yaml"
    baseline: str = ""

    @property
    def found_sites(self) -> tuple[FoundSite, ...]:
        """The sites that only the files tell, with the addresses of their queue managers."""
        return ()

    @property
    def known_sites(self) -> tuple[Site, ...]:
        """The sites of the configuration, or else those whose addresses the files tell."""
        return self.sites or self.found_sites

    @property
    def forms(self) -> Forms:
        return Forms(self.templates.percent, self.templates.double_underscore, self.clients)

    def site(self, name: str) -> Site | None:
        return next((site for site in self.sites if site.name == name), None)


@frozen
class SettingsAndSites(Settings):
    """The settings of a project, with the sites that its files tell."""

    found: tuple[FoundSite, ...] = ()

    @property
    def found_sites(self) -> tuple[FoundSite, ...]:
        return self.found


def severities_in(settings: Settings) -> Iterator[tuple[str, Mapping[str, SeverityWord]]]:
    """Yield the severities by rule that settings have, each with the key that they are under."""
    if settings.severity:
        yield "severity", settings.severity
    for profile in settings.own_profiles:
        if profile.severity:
            yield f"profiles: {profile.name}: severity", profile.severity
