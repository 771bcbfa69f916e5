"""What the two descriptions of a queue manager say besides the object that changes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property

from mqlint.model.change.described import DescribedObject, Text
from mqlint.model.comparison.written import Rename, written_words
from mqlint.model.core.action import family, key_words
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.shipped import default_object_name
from mqlint.model.facts.names.uses import uses_of
from mqlint.model.facts.security.oam_profile import is_generic
from mqlint.validity.address_pattern import crossing

_Keys = tuple[tuple[str, str], ...]


class Surroundings:
    """The other objects of one queue manager, before and after a change.

    `now` is its present description, `wanted` the other one. `rename` returns the name in `now` for
    a name of `wanted`.
    """

    def __init__(self, now: QueueManager, wanted: QueueManager, rename: Rename) -> None:
        self._now = now
        self._wanted = wanted
        self._rename = rename
        self._used = {(family(use.target), use.name) for use in uses_of(now)}
        self._still_used = {(family(use.target), rename(use.name)) for use in uses_of(wanted)}
        self.profiles_now = {found.name for found in now.objects("authrec")}
        self.profiles_wanted = {rename(found.name) for found in wanted.objects("authrec")}

    def of_defaults(self, described: DescribedObject) -> set[str]:
        """Return the attributes that a default object has on one side or the other."""
        words: set[str] = set()
        name = default_object_name(described.type, described.subtype)
        for manager in (self._now, self._wanted):
            default = name and manager.find(described.type, name, described.subtype)
            if default and default is not described.found:
                words |= written_words(default, set())
        return words - set(key_words(described.type))

    def takes_a_port(self, b: DescribedObject) -> bool:
        """Whether a new listener has the port of one that is deleted, and so was running."""
        names = {self._rename(found.name) for found in self._wanted.objects("listener")}
        return b.type == "listener" and any(
            found.value("PORT") == b.value("PORT")
            for found in self._now.objects("listener")
            if found.name not in names
        )

    def is_no_longer_used(self, described: DescribedObject) -> bool:
        """Whether another object names it now, and none does after the change."""
        use = family(described.type), described.name
        return use in self._used and use not in self._still_used

    def is_in_the_way(self, a: DescribedObject) -> bool:
        """Whether the queue manager refuses a new object as long as this one exists.

        A topic string belongs to one topic (3300); ranges of addresses must not cross (3343).
        """
        if a.type == "topic":
            return a.value("TOPICSTR") in self._topic_strings
        address = a.value("ADDRESS")
        if a.type != "chlauth" or not isinstance(address, str) or "-" not in address:
            return False
        others = self._ranges.get((a.name, _keys_but_address(a)), ())
        return any(crossing((address, other)) is not None for other in others)

    @cached_property
    def _topic_strings(self) -> set[Text | None]:
        topics = (DescribedObject(found, self._rename) for found in self._wanted.objects("topic"))
        return {topic.value("TOPICSTR") for topic in topics} - {None}

    @cached_property
    def _ranges(self) -> Mapping[tuple[str, _Keys], list[str]]:
        """Wanted ranges of addresses, by what must be alike so that they can cross."""
        found = defaultdict[tuple[str, _Keys], list[str]](list)
        for record in self._wanted.objects("chlauth"):
            described = DescribedObject(record, self._rename)
            address = described.value("ADDRESS")
            if isinstance(address, str) and "-" in address:
                found[described.name, _keys_but_address(described)].append(address)
        return found

    @cached_property
    def generic_now(self) -> Mapping[_Keys, list[DescribedObject]]:
        return _generic(self._now, str)

    @cached_property
    def generic_wanted(self) -> Mapping[_Keys, list[DescribedObject]]:
        return _generic(self._wanted, self._rename)

    def unseen_authority(self, a: DescribedObject) -> Iterator[str]:
        """DELETE takes authority records with it, which files without any cannot bring back."""
        if self.profiles_now or self.profiles_wanted or not a.deletes_authority:
            return
        yield f"the authority records of {a.noun}({a.name}), which are not in these files"


def _keys_but_address(record: DescribedObject) -> _Keys:
    return tuple((word, value) for word, value in record.keys if word != "ADDRESS")


def _generic(manager: QueueManager, rename: Rename) -> Mapping[_Keys, list[DescribedObject]]:
    """Authority records of generic profiles, by whom they are for."""
    found = defaultdict[_Keys, list[DescribedObject]](list)
    for record in manager.objects("authrec"):
        described = DescribedObject(record, rename)
        if is_generic(described.name):
            found[tuple(described.keys)].append(described)
    return found
