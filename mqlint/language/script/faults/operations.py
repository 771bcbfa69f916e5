"""Commands that harm a queue manager from outside MQ: those of DRBD, Pacemaker and containers.

Of Kubernetes, those that delete its volumes, or give it pods that it cannot use.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from math import inf

from mqlint.dataclass import NamedTuple
from mqlint.language.script.command import Word, operands_of
from mqlint.number import is_digits
from mqlint.patterns import later
from mqlint.vocabulary.container import GRACE_SECONDS

_OF_MQ = later(r"(?i)mq|qm")
_OTHER = later(
    r"(?i)mqtt|(?:rabbit|active|zero|rocket|emqx?|bull)[_-]?mq|emqx|client|exporter|metric|app\b"
    r"|consumer|producer|bridge|worker|adapter|proxy|reader|writer"
)
"""Other products whose names have the letters, and programs that only use a queue manager."""
_RDQM = later(r"\brdqm|\bcrtmqm\b[^\n]{0,200}[ \t]-(?:sxs?|rr)\b")
_MOVES = frozenset({"move", "migrate", "ban", "relocate"})
_CLAIMS = frozenset(
    "pvc pvcs persistentvolumeclaim persistentvolumeclaims pv persistentvolume".split()
)
_PODS = frozenset({"pod", "pods", "po"})
_STATEFUL = frozenset("sts statefulset statefulsets statefulset.apps statefulsets.apps".split())
_CLUSTER_VERBS = frozenset({"delete", "scale", "autoscale"})
_WITH_VALUES = frozenset(
    "-n --namespace --context --cluster --kubeconfig --user -l --selector -o --output -f --filename"
    " --replicas --max --grace-period --timeout -s --server --token".split()
)
"""Options of kubectl whose value is the next word."""
_INSTANCES = ((0, 1, 3), (0, 1, 2, 3))
"""Numbers of pods that a queue manager can have: none, one, or the three of Native HA.

If the script sets none before, two may be those of a multi-instance queue manager again.
"""
_MOST_DIGITS = 4
_TO_NONE = later(r"--replicas[= \t]0(?![0-9])")
_SHORT_V = later(r"-[a-zA-Z]*v[a-zA-Z]*$")
_SHORT_F = later(r"-[a-zA-Z]*f[a-zA-Z]*$")
_ENDS_SERVICE = frozenset({"stop", "restart", "down"})
_COMPOSE_UP = later(r"\bcompose\b[^\n]{0,200}[ \t]up\b")
_IMAGE = later(r"(?:ibm-messaging/mq|ibmcom/mq|cp\.icr\.io/cp/\S{0,40}mq)\S{0,80}")


_VOLUMES_REMOVED = "volumes-removed"
_ON_PURPOSE = later(
    r"(?i)clean|reset|empty|fresh|wipe|destroy|purge|scratch|tear[ -]?down|uninstall|\btests?\b"
    r"|dltmqm|decommission"
)
"""What a script says before it removes volumes on purpose."""
_REMOVED = later(
    r"\b(?:kubectl|oc)\b[^\n;&|]{0,99}[ \t]delete[ \t]+(?:queuemanager|qmgr)s?\b"
    r"|\bhelm[ \t]+(?:delete|uninstall)\b"
)
"""How a script removes a queue manager itself, before its volumes."""
_KILLED = "container-killed"
_AT_ONCE = "is killed instead of stopped"
_IN_TIME = "has only {} seconds to end"
_LEAST_SECONDS = 10
"""What `docker stop` and `podman stop` wait by default."""
_ENDED = later(r"\bendmqm\b|\b(?:stop|down)\b(?P<names>[^\n;&|]*)")
"""How a container, or the queue manager in it, ends in order before it is removed."""
_CLEARED = later(
    r"\b(?:pcs|crm)\b[^\n]{0,80}\b(?:clear|unmove|unmigrate)\b([^\n;&|]*)"
    r"|\bcrm_resource\b(?=[^\n]{0,200}[ \t](?:--clear|-U)\b)([^\n;&|]*)"
)
"""How a resource may run on every node again; the groups have the words with its name."""
_RUN = later(r"\b(?:docker|podman|nerdctl)[ \t]+(?:container[ \t]+)?run\b")
_MOUNTED = later(r"[ \t](?:-v|--volumes?(?:-from)?|--mount)\b")
_NEAR = 300
"""Characters before a command in which a script says what it does."""
_FAR = 2000
"""Characters before a command in which a script removes the queue manager."""


class Operation(NamedTuple):
    """A fault of a command: its code, what the command does it to, and how."""

    code: str
    name: str
    how: str = ""


def operation_fault(name: str, words: Sequence[Word], text: str) -> Operation | None:
    """Return the fault of the command `name` with its `words`; `text` is the whole script."""
    read = _READERS.get(name)
    fault = None if read is None or len(words) < 2 else read(words, text)
    if fault is None:
        return None
    start = words[0].start
    near = max(0, start - _NEAR), start
    if fault.code == _VOLUMES_REMOVED and (
        _ON_PURPOSE.search(text, *near) is not None
        or _REMOVED.search(text, max(0, start - _FAR), start) is not None
    ):
        return None
    if fault.code == _KILLED and any(
        found["names"] is None or _may_name(found["names"], fault.name)
        for found in _ENDED.finditer(text, *near)
    ):
        return None
    return fault


def _may_name(words: str, name: str) -> bool:
    """Whether the words of a command have a name, or one that only running it shows."""
    if any(sign in words for sign in "$`(*"):
        return True
    named = [word for word in words.split() if not word.startswith("-") and not is_digits(word)]
    return name in words or not named or not name.replace("-", "").replace("_", "").isalnum()


def _replica(words: Sequence[Word], text: str) -> Operation | None:
    """Drbdadm and drbdsetup: a replica made primary although it may not have all data."""
    texts = [word.text for word in words[1:]]
    is_forced = any(text in ("--force", "--overwrite-data-of-peer") for text in texts)
    if not is_forced or "primary" not in texts or _RDQM.search(text) is None:
        return None
    operands = operands_of(words[1:])
    return Operation("replica-forced", operands[-1].text)


def _pacemaker(words: Sequence[Word], text: str) -> Operation | None:
    """Crm, pcs and crm_resource: a resource of RDQM that is moved."""
    texts = [word.text for word in words[1:4]]
    is_short = words[0].text.rpartition("/")[2] == "crm_resource"
    moves = any(word.lstrip("-") in _MOVES for word in texts[:1] if is_short)
    moves = moves or (texts[:1] == ["resource"] and bool(_MOVES.intersection(texts[1:2])))
    if not moves or _RDQM.search(text) is None:
        return None
    operands = [word for word in texts[1:] if not word.startswith("-") and word != "resource"]
    name = next((word for word in operands if word not in _MOVES), texts[-1])
    cleared = (found[1] or found[2] or "" for found in _CLEARED.finditer(text, words[-1].end))
    if any(_may_name(each, name) for each in cleared):
        return None
    return Operation("moved-by-pacemaker", name)


def _container(words: Sequence[Word], text: str) -> Operation | None:
    """Docker and podman: volumes removed, a container killed, or taken for a backup."""
    texts = [word.text for word in words[1:]]
    if "compose" in texts[:1]:
        return _compose(words[1:], text)
    operands = operands_of(words[1:])
    verbs = [word.text for word in operands[:2]]
    if verbs[:1] == ["container"]:
        operands, verbs = operands[1:], [word.text for word in operands[1:3]]
    of_mq = [word for word in operands[1:] if _is_of_mq(word, text)]
    if not of_mq:
        return None
    if verbs == ["volume", "rm"]:
        return Operation(_VOLUMES_REMOVED, of_mq[0].text)
    if verbs[:1] == ["commit"]:
        if _RUN.search(text) is not None and _MOUNTED.search(text) is None:
            return None  # without a volume, the image has the data
        return Operation("container-committed", of_mq[0].text)
    is_forced = any(text == "--force" or _SHORT_F.match(text) for text in texts)
    if verbs[:1] == ["kill"] or (verbs[:1] == ["rm"] and is_forced):
        if verbs[:1] == ["kill"] and any(re.match(r"-s|--signal", text) for text in texts):
            return None
        return Operation(_KILLED, of_mq[0].text, _AT_ONCE)
    seconds = _time_to_end(texts, "-t", "--time", "--timeout")
    if verbs[:1] in (["stop"], ["restart"]) and seconds < _LEAST_SECONDS:
        return Operation(_KILLED, of_mq[0].text, _IN_TIME.format(seconds))
    return None


def _time_to_end(texts: Sequence[str], *options: str) -> float:
    """The seconds that a command gives a container to end, infinity if it sets none."""
    time = next(filter(None, (_option(texts, option) for option in options)), "")
    return int(time) if is_digits(time) and len(time) <= _MOST_DIGITS else inf


def _compose(words: Sequence[Word], text: str) -> Operation | None:
    """Compose: `down -v`, which removes the volumes, before the containers start again.

    Or a stop of a service that leaves a queue manager little time.
    """
    texts = [word.text for word in words[1:]]
    verb = next((at for at, word in enumerate(texts, 2) if word in _ENDS_SERVICE), len(words))
    of_mq = [word for word in operands_of(words[verb:]) if _is_of_mq(word, text)]
    seconds = _time_to_end(texts, "-t", "--timeout")
    if of_mq and seconds < _LEAST_SECONDS:
        return Operation(_KILLED, of_mq[-1].text, _IN_TIME.format(seconds))
    removes = any(text == "--volumes" or _SHORT_V.match(text) for text in texts)
    starts = _COMPOSE_UP.search(text, words[-1].end)
    if "down" not in texts or not removes or starts is None:
        return None
    return Operation(_VOLUMES_REMOVED, "the Compose project")


def _cluster(words: Sequence[Word], text: str) -> Operation | None:
    """Kubectl and oc: claims and pods of a queue manager that are deleted, or more pods for one."""
    texts = [word.text for word in words[1:]]
    is_tried = any(text.startswith("--dry-run") for text in texts)
    pairs = zip(["", *texts], texts, strict=False)
    operands = [text for last, text in pairs if text[:1] != "-" and last not in _WITH_VALUES]
    at = next((at for at, word in enumerate(operands) if word in _CLUSTER_VERBS), None)
    if at is None or len(operands) <= at + 1 or is_tried:
        return None
    kind, sign, name = operands[at + 1].partition("/")
    names = [name] if sign else operands[at + 2 :]
    of_mq = [name for name in names if _is_name_of_mq(name)]
    if not of_mq:
        return None
    if operands[at] == "delete" and kind.lower() in _PODS:
        seconds = 1 if "--now" in texts else _time_to_end(texts, "--grace-period")
        is_killed = seconds < GRACE_SECONDS
        return Operation(_KILLED, of_mq[0], _IN_TIME.format(seconds)) if is_killed else None
    if operands[at] == "delete":
        return Operation(_VOLUMES_REMOVED, of_mq[0]) if kind.lower() in _CLAIMS else None
    option = "--replicas" if operands[at] == "scale" else "--max"
    pods = _option(texts, option)
    if kind.lower() not in _STATEFUL or not is_digits(pods) or len(pods) > _MOST_DIGITS:
        return None
    is_restored = _TO_NONE.search(text) is not None
    return None if int(pods) in _INSTANCES[is_restored] else Operation("scaled", of_mq[0])


def _option(texts: Sequence[str], name: str) -> str:
    """The value of an option, after a sign or as the next word, blank if it is not set."""
    for at, text in enumerate(texts):
        option, sign, value = text.partition("=")
        if option == name:
            return value if sign else "".join(texts[at + 1 : at + 2])
    return ""


def _is_of_mq(word: Word, text: str) -> bool:
    """Whether a word names a container or volume of a queue manager."""
    return _is_name_of_mq(word.text) and (word.known or _IMAGE.search(text) is not None)


def _is_name_of_mq(name: str) -> bool:
    return _OF_MQ.search(name[:200]) is not None and _OTHER.search(name[:200]) is None


_READERS: Mapping[str, Callable[[Sequence[Word], str], Operation | None]] = {
    **dict.fromkeys(("drbdadm", "drbdsetup"), _replica),
    **dict.fromkeys(("crm", "pcs", "crm_resource"), _pacemaker),
    **dict.fromkeys(("docker", "podman", "nerdctl"), _container),
    "docker-compose": _compose,
    **dict.fromkeys(("kubectl", "oc"), _cluster),
}
