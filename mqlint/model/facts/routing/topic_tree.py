"""The attribute of a topic that counts for an object: its own, or that of a topic above it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mqlint.grouping import grouped
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value

_INHERITED = "ASPARENT"
_WILDCARDS = {"TOPIC": "#+", "CHAR": "*?"}
_ALL_SIGNS = "#+*?"
_LONGEST = 10_240
"""Characters that a topic string has at most."""
_DEEPEST = 64
"""Levels of a topic string that is compared with others, level by level."""
_MOST = 64
"""Topic strings with wildcards below one node with which a subscription is compared."""


def topic_value(found: MQObject, attribute: str) -> Value:
    """Return the value of a topic attribute in force for a topic, a subscription or a topic alias.

    It is that of the nearest topic object at or above the topic string that does not have
    ASPARENT (IBM MQ documentation, q005010_). Above the wildcards of a subscription nothing is
    certain but what all its topics inherit, so only an object above them counts. Unknown if no
    object of the queue manager decides it, absent of other objects.
    """
    text = _topic_string(found)
    if not isinstance(text, str) or len(text) > _LONGEST:
        return UNKNOWN if isinstance(text, str) else text
    topics = found.manager.cached(_by_string)
    for prefix in _upwards(text):
        topic = topics.get(prefix)
        value = ABSENT if topic is None else topic.value(attribute)
        if value not in (ABSENT, _INHERITED):
            return value
    return UNKNOWN


def topic_alike(found: MQObject) -> Value:
    """Return the topic string of a topic object that a subscription, or a node above, almost has.

    They differ in case, or in slashes at the beginning and end. Absent if a topic object has the
    exact topic string, or one nearer to it than what is alike, or if none is alike.
    """
    text = _of_subscription(found) if found.type == "sub" else ABSENT
    if not isinstance(text, str) or len(text) > _LONGEST:
        return text if text is UNKNOWN else ABSENT
    exact, alike = found.manager.cached(_by_string), found.manager.cached(_by_folded_string)
    for prefix in _upwards(text) if alike else ():
        if prefix in exact:
            return ABSENT
        if found_alike := alike.get(_folded(prefix)):
            return found_alike
    return ABSENT


def topic_join(found: MQObject) -> Value:
    """Return what is doubtful in the topic string that TOPICOBJ and TOPICSTR make together.

    `repeated` if TOPICSTR begins with the topic string of the object again, `empty` if it begins
    with a slash, so that a level has no name ("Combining topic strings", q005040_). Absent if a
    topic object is at or below the resulting node, so that it is meant.
    """
    own = found.value("TOPICSTR") if found.type == "sub" else ABSENT
    above = _of_object(found, "TOPICOBJ") if found.type == "sub" else ABSENT
    if own is UNKNOWN or above is UNKNOWN:
        return UNKNOWN
    if not isinstance(own, str) or not isinstance(above, str) or not own or not above:
        return ABSENT
    first = above.strip("/")
    is_repeated = first != "" and f"{own.lstrip('/')}/".startswith(f"{first}/")
    node = f"{above}/{own[: own.index(first) + len(first)]}/" if is_repeated else f"{above}//"
    if not (is_repeated or own.startswith("/")) or _is_in_tree(found.manager, node):
        return ABSENT
    return "repeated" if is_repeated else "empty"


def _is_in_tree(manager: QueueManager, node: str) -> bool:
    """Whether a topic object is at or below a node."""
    return any(f"{text}/".startswith(node) for text in manager.cached(_by_string))


def topic_string(found: MQObject) -> Value:
    """Return the whole topic string of a subscription."""
    return _joined(found) if found.type == "sub" else ABSENT


def topic_within(found: MQObject) -> Value:
    """Return the topic strings with wildcards that include all topics of a subscription.

    They are all that end in # after plain levels, and others that subscriptions have. Its own topic
    string is not one of them. A subscription above a topic object with WILDCARD(BLOCK) gets nothing
    from there (q005160_), and no wildcard at the beginning includes $SYS.
    """
    whole = _joined(found) if found.type == "sub" and found.value("WSCHEMA") == "TOPIC" else ABSENT
    if not isinstance(whole, str) or not whole or len(whole) > _LONGEST:
        return UNKNOWN if isinstance(whole, str) else whole
    topics, wider = found.manager.cached(_by_string), []
    patterns, levels = found.manager.cached(_patterns), whole.split("/")
    for node in _upwards(whole):
        if node in topics and topics[node].value("WILDCARD") != "PASSTHRU":
            break
        if not node and whole.startswith("$SYS/"):
            break
        wider.append(f"{node}/#" if node else "#")
        others = patterns.get(node, ())
        if len(others) > _MOST:
            return UNKNOWN
        wider += ["/".join(other) for other in others if _includes(other, levels)]
    return tuple(pattern for pattern in wider if pattern != whole)


def _patterns(manager: QueueManager) -> Mapping[str, Sequence[Sequence[str]]]:
    """The topic strings of subscriptions that have more than a last # as wildcard.

    They are in levels, by the plain levels before the first wildcard.
    """
    whole = {_joined(sub) for sub in manager.objects("sub") if sub.value("WSCHEMA") == "TOPIC"}
    texts = sorted(text for text in whole if isinstance(text, str) and len(text) <= _LONGEST)
    levels = ((text, text.split("/")) for text in texts)
    return grouped(
        (plain_levels(text, _WILDCARDS["TOPIC"]), found)
        for text, found in levels
        if len(found) <= _DEEPEST and ("+" in found or "#" in found[:-1])
    )


def _includes(pattern: Sequence[str], levels: Sequence[str]) -> bool:
    """Whether a topic string with wildcards includes all topics of another one ("+" one level)."""
    if len(levels) > _DEEPEST:
        return False
    ends = {0}
    for sign in pattern:
        if sign == "#":
            ends = set(range(min(ends), len(levels) + 1))
        else:
            ends = {
                end + 1
                for end in ends
                if end < len(levels)
                and (levels[end] == sign or (sign == "+" and levels[end] != "#"))
            }
        if not ends:
            return False
    return len(levels) in ends


def _folded(text: str) -> str:
    return text.strip("/").lower()


def _by_folded_string(manager: QueueManager) -> Mapping[str, str]:
    return {_folded(text): text for text in manager.cached(_by_string) if _folded(text)}


def _topic_string(found: MQObject) -> Value:
    if found.type == "topic":
        return found.value("TOPICSTR")
    if found.type == "sub":
        return _of_subscription(found)
    if found.type == "qalias" and found.value("TARGTYPE") == "TOPIC":
        return _of_object(found, "TARGET")
    return ABSENT


def _joined(found: MQObject) -> Value:
    own, above = found.value("TOPICSTR"), _of_object(found, "TOPICOBJ")
    if own is UNKNOWN or above is UNKNOWN:
        return UNKNOWN
    return "/".join(text for text in (above, own) if isinstance(text, str) and text)


def _of_subscription(found: MQObject) -> Value:
    whole = _joined(found)
    if not isinstance(whole, str):
        return whole
    schema = found.value("WSCHEMA")
    return plain_levels(
        whole, _WILDCARDS.get(schema if isinstance(schema, str) else "", _ALL_SIGNS)
    )


def plain_levels(text: str, signs: str = _ALL_SIGNS) -> str:
    """Return the part of a topic string before its first level with a wildcard."""
    levels = text.split("/")
    first = next((at for at, level in enumerate(levels) if _is_wild(level, signs)), len(levels))
    return "/".join(levels[:first])


def topics_above(manager: QueueManager, text: str) -> Iterator[MQObject]:
    """Yield the topic objects at a topic string and at the nodes above it, the nearest first."""
    topics = manager.cached(_by_string)
    found = (topics.get(prefix) for prefix in _upwards(text[:_LONGEST]))
    return (topic for topic in found if topic is not None)


def _is_wild(level: str, signs: str) -> bool:
    """In the schema of topics a wildcard is a whole level, in that of characters part of one."""
    return any(level == sign or (sign in "*?" and sign in level) for sign in signs)


def _of_object(found: MQObject, word: str) -> Value:
    """The topic string of the topic object that an attribute names; blank if it names none."""
    name = found.value(word)
    if not isinstance(name, str):
        return ABSENT if name is ABSENT else UNKNOWN
    if not name.strip():
        return ""
    topic = found.manager.find("topic", name.strip())
    return UNKNOWN if topic is None else topic.value("TOPICSTR")


def _by_string(manager: QueueManager) -> Mapping[str, MQObject]:
    topics = ((topic, topic.value("TOPICSTR")) for topic in manager.objects("topic"))
    return {text: topic for topic, text in topics if isinstance(text, str)}


def _upwards(text: str) -> Iterator[str]:
    """A topic string and those of the nodes above it; that of the root is blank."""
    yield text
    while text:
        text = text.rpartition("/")[0]
        yield text
