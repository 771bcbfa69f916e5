"""The attributes by which objects name other objects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from mqlint.dataclass import NamedTuple
from mqlint.language.mqsc import Form
from mqlint.model.core.fact import Fact
from mqlint.model.core.queue_manager import MQObject
from mqlint.model.core.value import ABSENT, Value
from mqlint.model.facts.names.beginning import beginning_of, beginnings
from mqlint.source.memo import Memo

_BLANK: Final = frozenset({"", " ", "''", "' '"})
"""Texts of a blank value; others are possible."""


class Attribute(NamedTuple):
    """An attribute that names an object of the type `target`; `applies` tests its holder."""

    word: str
    target: str
    applies: Callable[[Fact], bool] = lambda _: True


class Attributes:
    """The attributes by which objects of one type name others."""

    def __init__(self, *attributes: Attribute) -> None:
        self._all = attributes
        self._of_form: Memo[tuple[Form, object], Sequence[tuple[Attribute, int]]] = Memo()

    def of(self, found: MQObject) -> Sequence[Attribute]:
        """Return those that may not be blank: most of a dump are, and are not read any further."""
        layer, source = found.sole_layer(), found.default_source()
        if layer is None or source is None:
            return self._all
        key = layer.command.form, source
        known = self._of_form.get(key)
        if known is None:
            words = {*layer.action.words, *layer.command.form.facts}
            may_name = [
                each for each in self._all if each.word in words or text_of(found.value(each.word))
            ]
            slots = layer.action.slots
            numbered = [(each, slots.get(each.word, -1)) for each in may_name]
            known = self._of_form.store(key, numbered)
        values = layer.command.values
        return [each for each, slot in known if slot < 0 or values[slot] not in _BLANK]


def text_of(value: Value) -> str:
    return value.strip() if isinstance(value, str) else ""


def _has(word: str, *values: str) -> Callable[[Fact], bool]:
    return lambda found: found.value(word) in values


def _is_own_destination(found: Fact) -> bool:
    manager = found.value("DESTQMGR")
    is_own = manager is ABSENT or manager in ("", found.manager.key.name)
    return is_own and found.value("DESTCLAS") == "PROVIDED"


def _triggers_a_channel(found: Fact) -> bool:
    return found.value("USAGE") == "XMITQ" and found.value("TRIGGER") == "YES"


def _names_channel(found: Fact) -> bool:
    """Whether it is the name of one channel, or a misspelt beginning of names of channels."""
    name = text_of(found.value("CLCHNAME"))
    beginning = beginning_of(name)
    if not beginning:
        return "*" not in name
    known = found.manager.cached_for(beginnings, "channel")
    return not known.has(beginning) and known.similar(beginning) != ""


def _needs_queue_of_manager_name(found: Fact) -> bool:
    """Whether only a queue of the name in RQMNAME leads on from a remote queue.

    Not from an alias of a queue manager, whose RNAME is blank, or of a reply-to queue, which may be
    here, and not where RQMNAME may be the queue manager itself (IBM MQ documentation, q103620_:
    XmitQName).
    """
    queue = text_of(found.value("RNAME"))
    if not queue or found.value("XMITQ") not in ("", ABSENT):
        return False
    is_reply = found.manager.find("queue", queue) not in (None, found)
    return not is_reply and _is_far(found, "RQMNAME")


def _needs_queue_of_destination(found: Fact) -> bool:
    """Whether only a queue of the name in DESTQMGR leads on from a subscription."""
    return found.value("DESTCLAS") == "PROVIDED" and _is_far(found, "DESTQMGR")


def _is_far(found: Fact, word: str) -> bool:
    """Whether an attribute names another queue manager, to which no default queue leads."""
    manager = found.manager
    if manager.key.anonymous or found.value(word) == manager.key.name:
        return False
    own = manager.own_object()
    # Without a command that sets it, it is blank as far as the files show.
    return own is None or not own.writes("DEFXMITQ") or own.value("DEFXMITQ") in ("", ABSENT)


_SAMPLE_CLASSES = frozenset("DEFAULT NODEFINE REMOTE SYSLNGLV SYSVOLAT".split())
"""Storage classes of IBM's sample CSQ4INYS, beside those that begin with SYSTEM."""


def _is_on_page_set(found: Fact) -> bool:
    """Whether a storage class that is not a sample decides where messages of a queue are."""
    name = found.value("STGCLASS")
    is_sample = isinstance(name, str) and (name in _SAMPLE_CLASSES or name.startswith("SYSTEM"))
    return not is_sample and found.value("QSGDISP") != "SHARED"


ATTRIBUTES: Final = {
    "qlocal": Attributes(
        Attribute("INITQ", "queue", _has("TRIGGER", "YES")),
        Attribute("PROCESS", "process", _has("TRIGGER", "YES")),
        Attribute("BOQNAME", "queue"),
        Attribute("STREAMQ", "queue"),
        Attribute("TRIGDATA", "channel", _triggers_a_channel),
        Attribute("CLUSNL", "namelist"),
        Attribute("CLCHNAME", "channel", _names_channel),
        Attribute("CFSTRUCT", "cfstruct"),
        Attribute("STGCLASS", "stgclass", _is_on_page_set),
    ),
    "qmodel": Attributes(
        Attribute("BOQNAME", "queue"),
        Attribute("STREAMQ", "queue"),
        Attribute("CFSTRUCT", "cfstruct"),
    ),
    "qalias": Attributes(
        Attribute("TARGET", "queue", _has("TARGTYPE", "QUEUE")),
        Attribute("TARGET", "topic", _has("TARGTYPE", "TOPIC")),
        Attribute("CLUSNL", "namelist"),
    ),
    "qremote": Attributes(
        Attribute("XMITQ", "queue"),
        Attribute("RQMNAME", "queue", _needs_queue_of_manager_name),
        Attribute("CLUSNL", "namelist"),
    ),
    "channel": Attributes(
        Attribute("XMITQ", "queue", _has("CHLTYPE", "SDR", "SVR")),
        Attribute("TMPMODEL", "qmodel", _has("CHLTYPE", "AMQP")),
        Attribute("CLUSNL", "namelist"),
    ),
    "topic": Attributes(
        Attribute("MDURMDL", "qmodel"),
        Attribute("MNDURMDL", "qmodel"),
        Attribute("COMMINFO", "comminfo"),
    ),
    "sub": Attributes(
        Attribute("DEST", "queue", _is_own_destination),
        Attribute("DESTQMGR", "queue", _needs_queue_of_destination),
        Attribute("TOPICOBJ", "topic"),
    ),
}


OF_QUEUE_MANAGER: Final = (
    Attribute("DEADQ", "queue"),
    Attribute("DEFXMITQ", "queue"),
    Attribute("CONNAUTH", "authinfo"),
    Attribute("SSLCRLNL", "namelist"),
    Attribute("REPOSNL", "namelist"),
    Attribute("PARENT", "queue", lambda found: _is_far(found, "PARENT")),
)

OF_CLUSTER: Final = Attributes(Attribute("CLUSTER", "cluster"))
OF_REPOSITORY: Final = Attributes(Attribute("REPOS", "cluster"))
