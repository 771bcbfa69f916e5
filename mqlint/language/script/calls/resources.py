"""What scripts hold for others: `oc apply -f - <<EOF`, channel tables, JMSAdmin, jobs of z/OS."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from posixpath import basename

from mqlint.language.base import Parsed
from mqlint.language.client.signs import FACTORY, is_channel_table
from mqlint.language.embedding import embedded_in, placed_in, script_in
from mqlint.language.feeding import entry_name, files_of_folder
from mqlint.language.jcl import is_job
from mqlint.language.script.command import Command, Word
from mqlint.language.text.mapped import MappedText
from mqlint.patterns import later
from mqlint.source.budget import Budget

_RESOURCE = later(
    r"(?m)^[ \t]{0,12}(?:- )?kind:[ \t]*[\"']?(?:ConfigMap|Secret|List|QueueManager)\b"
)
_HOLDERS = {"configmap": "ConfigMap", "configmaps": "ConfigMap", "cm": "ConfigMap"}
_FROM_FILE = "--from-file"


def files_of_holder(words: Sequence[Word]) -> Iterator[tuple[str, str]]:
    """Yield the files of which `kubectl create` makes a ConfigMap or Secret, each with its entry.

    ("kubectl create configmap": `--from-file` takes a file, KEY=FILE, or a folder.)
    """
    plain = [word.text for word in words if not word.text.startswith("-")]
    if "create" not in plain:
        return
    operands = plain[plain.index("create") + 1 :]
    kind = (
        "Secret"
        if operands[:2] == ["secret", "generic"]
        else _HOLDERS.get("".join(operands[:1]), "")
    )
    name = "".join(operands[2:3] if kind == "Secret" else operands[1:2])
    word_at = dict(enumerate(words))
    for at, word in word_at.items():
        option, sign, text = word.text.partition("=")
        value = word if sign else word_at.get(at + 1)
        if option != _FROM_FILE or value is None or not (kind and name and value.known):
            continue
        key, _, file = (text if sign else value.text).rpartition("=")
        if key or "." in basename(file):
            yield file, entry_name(kind, name, key or basename(file))
        else:
            yield from ((pattern, entry_name(kind, name, "*")) for pattern in files_of_folder(file))


def in_resources(
    command: Command, source: MappedText, budget: Budget, *, maybe: bool
) -> Parsed | None:
    """Return the content of the resources in a command's here-document, None if it has none.

    Channel tables of clients in JSON and commands of JMSAdmin count too. `source` maps the script
    to its file, and `maybe` says whether the script may not run.
    """
    body = command.body
    if body is None:
        return None
    runs_queue_manager = "MQ_QMGR_NAME" in body.text and "containers:" in body.text
    if _RESOURCE.search(body.text) is None and not runs_queue_manager:
        if FACTORY.search(body.text) is not None:
            return _factories(body.within(source))
        return _table(body.within(source), budget) if is_channel_table(body.text) else None
    return read_resources(body.within(source), budget, maybe=maybe or command.maybe)


def read_resources(body: MappedText, budget: Budget, *, maybe: bool) -> Parsed:
    """Return the content of resources, or of a channel table, inside another file."""
    if is_channel_table(body.text):
        return _table(body, budget)
    from mqlint.language.kubernetes.manifest import parse_manifest  # only for scripts that hold one

    found = parse_manifest(body.text, budget).parsed()
    found.embedded = [embedded_in(inner, body, maybe=maybe) for inner in found.embedded]
    return placed_in(found, body)


def in_job(
    command: Command,
    source: MappedText,
    read_job: Callable[[str], Parsed],
    budget: Budget,
    *,
    maybe: bool,
) -> Parsed | None:
    """Return what a job of z/OS does that a command gets, None for any other here-document.

    `submit` of z/OS UNIX gets it, or `cat` that writes it into a file.
    """
    body = command.body
    if body is None or not is_job(body.text) or not budget.spend(len(body.text)):
        return None
    outer = body.within(source)
    found = placed_in(read_job(outer.text), outer)
    if found.script is not None:
        found.script = script_in(found.script, outer, maybe=maybe or command.maybe)
    return found


def _table(body: MappedText, budget: Budget) -> Parsed:
    """The content of a channel table of clients."""
    from mqlint.language.client.ccdt import parse_ccdt  # only for scripts that hold one

    return placed_in(parse_ccdt(body.text, budget), body)


def _factories(body: MappedText) -> Parsed:
    """The factories and destinations of JMS that a script gives to JMSAdmin."""
    from mqlint.language.client.jmsadmin import connections_of_objects  # as above

    return placed_in(Parsed(declared=tuple(connections_of_objects(body.text))), body)
