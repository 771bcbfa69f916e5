"""What MQ knows: commands, attributes, value domains, defaults, releases and platforms."""

from mqlint.vocabulary.distance import distance, nearest
from mqlint.vocabulary.domain import Domain, Kind
from mqlint.vocabulary.spec import ALWAYS, AttributeSpec, Availability, CommandSpec, Page
from mqlint.vocabulary.target import FirstReleases, Target, parse_level
from mqlint.vocabulary.unknown import UNKNOWN, Unknown
from mqlint.vocabulary.vocabulary import Vocabulary, family_of

__all__ = [
    "ALWAYS",
    "UNKNOWN",
    "AttributeSpec",
    "Availability",
    "CommandSpec",
    "Domain",
    "FirstReleases",
    "Kind",
    "Page",
    "Target",
    "Unknown",
    "Vocabulary",
    "distance",
    "family_of",
    "nearest",
    "parse_level",
]
