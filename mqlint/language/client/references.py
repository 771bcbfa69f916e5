"""References in the XML of Liberty to elements that the file lacks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from mqlint.dataclass import NamedTuple
from mqlint.language.client.connection import Setting
from mqlint.language.client.elements import Element
from mqlint.vocabulary.distance import extended, same_but_for_digits, typo_of
from mqlint.vocabulary.unknown import UNKNOWN


class Reference(NamedTuple):
    """What a key of Liberty refers to: elements by their `id` or `jndiName`.

    `what` completes the message. `elsewhere`: files of `configDropins` often have such elements, so
    only a typo of an element in the file counts. `built_in` exists in each server.
    """

    kinds: frozenset[str]
    what: str
    elsewhere: bool = True
    built_in: str = ""


def lost_references(
    elements: Sequence[Element],
    holders: Iterable[Mapping[str, Setting]],
    references: Mapping[str, Reference],
) -> Iterator[tuple[str, Setting, str]]:
    """Yield references of the holders to elements that the file lacks: key, value, and message.

    Nothing if the file includes others, or has no element of the kind or one of unknown name.
    """
    if any(element.name == "include" for element in elements):
        return
    known: dict[frozenset[str], set[str]] = {}
    for kinds in {reference.kinds for reference in references.values()}:
        found = [element.attributes for element in elements if element.name in kinds]
        own = [names[key] for names in found for key in ("id", "jndiName") if key in names]
        is_whole = all(name.value is not UNKNOWN for name in own)
        known[kinds] = {name.text for name in own} - {""} if is_whole else set()
    for holder in holders:
        for key, reference in references.items():
            names, named = known[reference.kinds], holder.get(key)
            if not names or named is None or not named.text:
                continue
            names = names | {reference.built_in}
            if named.text in names:
                continue
            if not reference.elsewhere or _has_similar(named.text, names):
                yield key, named, f"names {named.text[:80]}, and no {reference.what}"


def _has_similar(name: str, names: Set[str]) -> bool:
    """Whether a name is a typo of another, or longer or shorter without another number."""
    longer = extended(name, names)
    return bool(typo_of(name, names) or (longer and not same_but_for_digits(longer, name)))
