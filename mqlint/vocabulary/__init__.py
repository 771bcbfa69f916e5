"""What MQ knows: commands, attributes, value domains, defaults, releases and platforms."""

from mqlint.vocabulary.distance import distance, nearest
from mqlint.vocabulary.spec import (
    ALWAYS,
    AttributeSpec,
    CommandSpec,
    Domain,
    Kind,
    Page,
    Standing,
)
from mqlint.vocabulary.target import Since, Target, parse_level
from mqlint.vocabulary.unknown import UNKNOWN, Unknown
from mqlint.vocabulary.vocabulary import Vocabulary, family_of

__all__ = [
    "ALWAYS",
    "UNKNOWN",
    "AttributeSpec",
    "CommandSpec",
    "Domain",
    "Kind",
    "Page",
    "Since",
    "Standing",
    "Target",
    "Unknown",
    "Vocabulary",
    "distance",
    "family_of",
    "nearest",
    "parse_level",
]
