"""The release and platform that a script is for, and what is available there."""

from __future__ import annotations

from dataclasses import field, replace

from mqlint.dataclass import frozen
from mqlint.patterns import later

Level = tuple[int, int, int]
"""Version, release and modification: (9, 4, 0) is the LTS release 9.4, (9, 4, 3) a CD release."""

MULTI = frozenset({"aix", "linux", "windows", "ibmi", "appliance"})
"""The platforms that IBM calls Multiplatforms."""

ZOS = frozenset({"zos"})

ALL_PLATFORMS = MULTI | ZOS

_NAMES = {
    "appliance": frozenset({"appliance", "linux"}),  # a Linux inside; pages rarely tell them apart
    "multi": MULTI,
    "unix": frozenset({"aix", "linux"}),
    "": ALL_PLATFORMS,
}
PLATFORM_WORDS = ("multi", "unix", *sorted(ALL_PLATFORMS))
"""The words for platforms in the data of the vocabulary."""

_LEVEL = later(r"(\d{1,2})\.(\d{1,2})(?:\.(\d{1,2}))?(?:\.\d{1,3})?")


def platforms_named(word: str) -> frozenset[str]:
    """Return the platforms that `word` means: `multi`, `unix`, or one platform.

    '' and a platform that the vocabulary does not have (NonStop) mean all of them: unknown is not
    wrong.
    """
    return _NAMES.get(word) or (frozenset({word}) & ALL_PLATFORMS) or ALL_PLATFORMS


def parse_level(text: str) -> Level:
    """Return the level written as V.R, V.R.M or V.R.M.F; ValueError if it is not a level."""
    match = _LEVEL.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} is not a release such as 9.4.0")
    return int(match[1]), int(match[2]), int(match[3] or 0)


@frozen
class Target:
    """The release and platform that a script is written for; None if not known.

    `platform` is aix, linux, windows, ibmi, appliance, zos, or one of the wider words unix and
    multi. `level` is the release, and `source` describes what names it. `implied` is True if no
    text states the platform, but other files of the queue manager tell it.
    """

    level: Level | None = None
    platform: str | None = None
    source: str = field(default="", compare=False)
    implied: bool = field(default=False, compare=False)

    @property
    def platforms(self) -> frozenset[str]:
        return platforms_named(self.platform or "")

    @property
    def level_text(self) -> str:
        """The level as messages show it, with its source: `9.4.0 (configured target)`."""
        if self.level is None:
            return ""
        return (
            f"{level_text(self.level)} ({self.source})" if self.source else level_text(self.level)
        )

    def narrowed(self, platforms: frozenset[str]) -> Target:
        """Return the target of something that is found on `platforms` alone.

        Which of z/OS and Multiplatforms it is, is then known where nothing else says it.
        """
        if self.platform is None:
            for word in ("multi", "zos"):
                if platforms <= platforms_named(word):
                    return replace(self, platform=word)
        return self

    @property
    def on_zos(self) -> bool | None:
        """Whether it is z/OS; None when not known."""
        return self.has_platform(ZOS)

    def has_platform(self, platforms: frozenset[str]) -> bool | None:
        """Whether what is found on `platforms` is found at the target; None when not known."""
        mine = self.platforms
        if mine <= platforms:
            return True
        return None if mine & platforms else False


def level_text(level: Level) -> str:
    return ".".join(map(str, level))


def level_of_number(number: int) -> Level | None:
    """Return the level that a command level (930, 1000) means; None if it is not one.

    The last two digits are release and modification, those before them the version.
    """
    return (number // 100, number // 10 % 10, number % 10) if 500 <= number < 3000 else None


@frozen
class FirstReleases:
    """The first long-term and the first continuous-delivery release that has something.

    `cd` is None if no earlier continuous-delivery release is known to have it. `recalled` says that
    no document was read for the releases.
    """

    lts: Level
    cd: Level | None = None
    recalled: bool = False

    @property
    def text(self) -> str:
        """The releases in words: `9.2.3 (CD) and 9.3.0 (LTS)`."""
        lts = f"{level_text(self.lts)} (LTS)"
        return lts if self.cd is None else f"{level_text(self.cd)} (CD) and {lts}"

    def reached(self, level: Level | None) -> bool | None:
        """Return whether `level` has it; None if that is not known."""
        if level is None:
            return None
        if level >= self.lts or (self.cd is not None and level >= self.cd):
            return True
        return None if self.cd is None and level[2] > 0 and level[:2] < self.lts[:2] else False
