"""Whether something is there at a target: on its platform, at its release."""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.dataclass import frozen
from mqlint.vocabulary import AttributeSpec, Availability, FirstReleases, Target
from mqlint.vocabulary.target import ALL_PLATFORMS, MULTI, Level

Verdict = tuple[str, dict[str, str]]
"""The code of a rule and what its message needs."""


@frozen
class Doubt:
    """A value that its attribute takes, though not here: the code and what the message needs.

    `word` is in upper case; `#` in it stands for any hexadecimal digit.
    """

    word: str
    code: str
    data: tuple[tuple[str, str], ...]


def verdict(
    availability: Availability, target: Target, platforms: frozenset[str]
) -> Verdict | None:
    """Return what is wrong with something of this availability at `target`; None when nothing is.

    `platforms` are those that have it all in all. What is not known of the target is not judged.
    """
    if target.has_platform(platforms) is False:
        data = {"platforms": platform_names(platforms), "target": platform_names(target.platforms)}
        return "wrong-platform", data
    if target.level is None:
        return None
    return _at_level(availability, target, target.level)


def _at_level(availability: Availability, target: Target, level: Level) -> Verdict | None:
    if availability.since is not None and availability.since.reached(level) is False:
        code = "not-available-recalled" if availability.since.recalled else "not-available"
        return code, _shown(availability, target, availability.since)
    for code, since in (("removed", availability.removed), ("deprecated", availability.deprecated)):
        if since is not None and since.reached(level) is True:
            return code, _shown(availability, target, since)
    return None


def _shown(availability: Availability, target: Target, since: FirstReleases) -> dict[str, str]:
    return {
        "level": target.level_text,
        "hint": f"; use {availability.instead}" if availability.instead else "",
        "since": since.text,
        "instead": availability.instead or "",
    }


def doubts_of(
    spec: AttributeSpec, target: Target, kind: str | None, subtype: str | None
) -> tuple[Doubt, ...]:
    """Return the values of `spec` that are not right at `target` for an object of `subtype`.

    `kind` is the word that has the subtype as its value (CHLTYPE).
    """
    return tuple(_doubts(spec, target, kind or "", subtype)) if spec.values else ()


def _doubts(spec: AttributeSpec, target: Target, kind: str, subtype: str | None) -> Iterator[Doubt]:
    other_types = {
        word: ", ".join(sorted(value.types))
        for word, value in spec.values.items()
        if value.types is not None and subtype is not None and subtype not in value.types
    }
    allowed = ", ".join(word for word in spec.domain_words if word not in other_types)
    for word, value in spec.values.items():
        if word in other_types:
            hint = f" ({word} is for {kind} {other_types[word]})"
            yield Doubt(
                word, "bad-value", (("allowed", allowed), ("suggestion", ""), ("hint", hint))
            )
            continue
        found = verdict(value, target, value.platforms)
        if found is not None:
            yield Doubt(word, found[0], tuple(found[1].items()))


def platform_names(platforms: frozenset[str]) -> str:
    if platforms == ALL_PLATFORMS:
        return "all platforms"
    if platforms == MULTI:
        return "Multiplatforms (AIX, IBM i, Linux, Windows)"
    return ", ".join(_NAMES[word] for word in sorted(platforms, key=_NAMES.__getitem__))


_NAMES = {
    "aix": "AIX",
    "appliance": "the MQ Appliance",
    "ibmi": "IBM i",
    "linux": "Linux",
    "windows": "Windows",
    "zos": "z/OS",
}
