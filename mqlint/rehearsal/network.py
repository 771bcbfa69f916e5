"""Which full repositories a queue manager reaches: by senders, networks and channel records."""

from __future__ import annotations

from collections.abc import Callable

from mqlint.rehearsal.texts import Answers
from mqlint.rehearsal.world import Contacts, Instance, World, contacts_of


class Reach:
    """The way of cluster records, from the queue manager that publishes them.

    A queue manager sends them to the full repositories that its cluster-senders lead to, and those
    pass them on over their own. (IBM MQ documentation, "Cluster channels".)
    """

    def __init__(self, world: World, is_up: Callable[[str], bool], answers: Answers) -> None:
        """Take what says whether the channels of a queue manager run."""
        self.world = world
        self.network_open = True
        self._is_up = is_up
        self._answers = answers
        self._contacts: dict[tuple[str, str], Contacts] = {}
        self._forgetting: set[tuple[str, str]] = set()
        self._wanted: dict[tuple[str, str], frozenset[str]] = {}
        self._reached: dict[tuple[str, str], frozenset[str]] = {}

    def changed(self) -> None:
        """Forget what was reached: a queue manager or the network has changed."""
        self._reached.clear()

    def forget(self, who: str, cluster: str) -> None:
        """Leave a queue manager with the cluster-senders that are defined manually."""
        self._forgetting.add((who, cluster))
        self._contacts.pop((who, cluster), None)
        self._wanted.pop((who, cluster), None)
        self.changed()

    def wanted(self, instance: Instance, cluster: str) -> frozenset[str]:
        """Return the full repositories that are reached if all runs and nothing is closed."""
        key = self._key(instance, cluster)
        if key not in self._wanted:
            self._wanted[key] = self._closure(instance, cluster, lambda *_: True)
        return self._wanted[key]

    def reached(self, instance: Instance, cluster: str) -> set[str]:
        """Return the full repositories that are reached now."""
        key = self._key(instance, cluster)
        if key not in self._reached:
            self._reached[key] = self._closure(instance, cluster, self._is_linked)
        return set(self._reached[key])

    def _key(self, instance: Instance, cluster: str) -> tuple[str, str]:
        """What production's partial repositories reach is the same for all of them."""
        part = instance.membership(cluster)
        if instance.is_dr or (part is not None and part.is_full):
            return instance.id, cluster
        return "", cluster

    def _closure(
        self, instance: Instance, cluster: str, linked: Callable[[Instance, str, str], bool]
    ) -> frozenset[str]:
        part = instance.membership(cluster)
        found = {instance.id} if part is not None and part.is_full else set[str]()
        ahead = [instance]
        while ahead:
            sender = ahead.pop()
            for who in self.contacts_of(sender, cluster):
                if who not in found and linked(sender, who, cluster):
                    found.add(who)
                    ahead.append(self.world.instances[who])
        return frozenset(found)

    def contacts_of(self, instance: Instance, cluster: str) -> frozenset[str]:
        """Return the full repositories that the cluster-senders of a member lead to."""
        key = (instance.id, cluster)
        if key not in self._contacts:
            forgets = key in self._forgetting
            self._contacts[key] = contacts_of(self.world, instance, cluster, forgets=forgets)
        contacts = self._contacts[key]
        if not contacts.doubtful:
            return contacts.certain
        if self._answers.ask("host-names"):
            return contacts.certain | contacts.doubtful
        away = {who for who in contacts.doubtful if not self.world.instances[who].is_dr}
        return contacts.certain | (contacts.doubtful - away)

    def _is_linked(self, sender: Instance, who: str, cluster: str) -> bool:
        target = self.world.instances[who]
        if not self._is_up(who):
            return False
        if sender.is_dr == target.is_dr:
            return True
        return self.network_open and not (sender.is_dr and self.refuses(who, cluster))

    def refuses(self, who: str, cluster: str) -> bool:
        """Whether the channel records of a production queue manager refuse DR."""
        by_scenario = self.world.scenario.chlauth
        if by_scenario != "unknown":
            return by_scenario == "refuses"
        proven = self.world.refusals.get((who, cluster))
        return self._answers.ask("chlauth") if proven is None else proven
