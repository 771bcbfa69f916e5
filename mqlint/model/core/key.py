"""The identity of queue managers, and of facts within one."""

from __future__ import annotations

from mqlint.dataclass import frozen


@frozen(order=True)
class QueueManagerKey:
    """The identity of a queue manager: repository, site and name, and sometimes a folder.

    A document without a known queue manager has its path instead of a name and `anonymous` True.
    If its texts are for several such queue managers, `model` distinguishes them. The QMID is a fact
    about a queue manager, never its key, because two with the same QMID are a fault to find.
    `folder` is blank unless folders of one repository each create a queue manager of the name.
    """

    repository: str
    site: str
    name: str
    anonymous: bool = False
    model: str = ""
    folder: str = ""

    @property
    def title(self) -> str:
        """The queue manager as people call it: its name and site, or its file."""
        return f"{self.name} at {self.site}" if self.site and not self.anonymous else self.name

    @property
    def scope(self) -> str:
        """A text that is equal only for the same queue manager."""
        parts = (self.repository, self.site, self.name, self.model, self.folder)
        return "\x1f".join(parts).rstrip("\x1f")


class Numbered:
    """Distinguishes facts with the same name: the first keeps it, others get a number."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def count(self, name: str) -> int:
        """Return which one the next fact of this name is."""
        number = self._seen[name] = self._seen.get(name, 0) + 1
        return number


def numbered(name: str, number: int) -> str:
    """Return the key of the fact that is the `number`th of its name."""
    return name if number == 1 else f"{name}\x1f{number}"
