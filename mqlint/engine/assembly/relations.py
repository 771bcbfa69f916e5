"""What the documents of a project say about each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from mqlint.config.settings import Role, Twins
from mqlint.dataclass import NamedTuple, frozen
from mqlint.engine.assembly.composed import Compositions
from mqlint.finding import Diagnostic
from mqlint.model.core.key import QueueManagerKey


@frozen
class Feed:
    """The script that feeds a file to runmqsc, and the index of the file among those it feeds.

    `queue_manager` is blank for that of an image whose name the project does not show. `entry` is
    the DD statement of a procedure by which z/OS reads the file when the queue manager starts.
    """

    script: str
    at: int
    queue_manager: str
    entry: str = ""


class Owners(NamedTuple):
    """The queue managers of MQSC that neither names one nor is assigned by the configuration.

    `obvious` maps paths to queue managers. `sole` is the path of the only text of MQSC, if that is
    a queue manager of its own. `left_open` are sentences about what is not known. `has_unowned`
    is whether some MQSC may be of any queue manager. `beside` are the files with such MQSC that
    have another one in their folder. `stretches` are those of `JobOwners`.
    """

    obvious: Mapping[str, str] = {}
    sole: str = ""
    left_open: Sequence[str] = ()
    has_unowned: bool = False
    beside: frozenset[str] = frozenset()
    stretches: Mapping[str, Sequence[tuple[int, str]]] = {}


class Servers(NamedTuple):
    """The queue managers of a project that applications call.

    `by_host` has those at a `host(port)`, and those that alone have a host, by its name.
    `routes` are the ports at which MQIPT listens, with `route.tls` and `seen_as` of the route, each
    blank if it is not known. `tables` are the queue managers in channel tables, by the names of
    their files. `only` is the one that all definitions are for, if no application names
    another.
    """

    by_name: Mapping[str, Sequence[QueueManagerKey]] = {}
    by_host: Mapping[str, QueueManagerKey] = {}
    routes: Mapping[str, tuple[str, str]] = {}
    tables: Mapping[str, Sequence[str]] = {}
    only: QueueManagerKey | None = None


@frozen
class TwinsByName(Twins):
    """`inferred` are queue managers at DR with their twins, if the configuration tells nothing."""

    inferred: Mapping[str, str] = field(default_factory=dict)

    def first(self, name: str) -> str:
        return self.inferred.get(name, name)


class Relations(NamedTuple):
    """Relations between the documents of a project.

    `wired` are (manifest, entry, queue manager) of entries of ConfigMaps and Secrets. They are
    searched in the folder of the manifest; several queue managers may share an entry.
    `namesakes` are names of queue managers of which each folder has one of its own, with the parent
    of these folders. `shared` are the families and names of objects that all members of a
    queue-sharing group have, None if that is not known. `servers` are the queue managers that
    applications call. `joined` are faults of manifests that only the other files of their folder
    show, by path. `composed` are manifests that are made of several files. `feeds` say how files
    are fed to queue managers, by the path of the file. `twins` are queue managers at DR,
    each with the one of production whose name its own shows. `roles` are those that names of
    folders, files and queue managers tell only beside each other; `sited_by_name` are the queue
    managers whose site only their name tells, each with that site. `fed_roles` are those of queue
    managers that only the files tell that scripts of no site feed to them. `located` are queue
    managers that only files of one site configure, each with one of these. `namespaces` are those
    of manifests whose path tells no site, by path. `found_sites` are the hosts and names of
    queue managers by their role, if only files of that role have them. `copies` are files that
    are kept as copies of others, each with that one. `of_one_file` are the queue managers that one
    file alone configures, if files set variables for sites. `unlabelled` are the queue managers and
    files of production that only the copies at DR show to be so. `again` are the readings, packed,
    of scripts that get variables from the files which they source, by path. `is_of_mq`: a document
    configures a queue manager, or says how applications connect to one.
    """

    wired: Sequence[tuple[str, str, str]] = ()
    namesakes: Mapping[QueueManagerKey, str] = {}
    owners: Owners = Owners()
    shared: frozenset[tuple[str, str]] | None = None
    servers: Servers = Servers()
    joined: Mapping[str, tuple[Diagnostic, ...]] = {}
    composed: Compositions = Compositions()
    feeds: Mapping[str, tuple[Feed, ...]] = {}
    twins: Mapping[str, str] = {}
    roles: Mapping[str, Role] = {}
    sited_by_name: Sequence[tuple[str, str]] = ()
    namespaces: Mapping[str, str] = {}
    fed_roles: Mapping[str, Role] = {}
    located: Mapping[str, str] = {}
    found_sites: Mapping[Role, Sequence[str]] = {}
    copies: Mapping[str, str] = {}
    of_one_file: frozenset[str] = frozenset()
    unlabelled: Sequence[str] = ()
    again: Mapping[str, str] = {}
    is_of_mq: bool = False


def branch(folder: str, parent: str) -> str:
    """Return the folder directly in `parent` that `folder` is or lies in; blank for `parent`."""
    if folder == parent:
        return ""
    inside = folder.removeprefix(parent).lstrip("/")
    return folder[: len(folder) - len(inside)] + inside.partition("/")[0]


def host_of(address: str) -> str:
    return address.partition("(")[0]
