"""Names of files that a document feeds to a queue manager, as `fed` of a reading has them.

The last part of a name may be a pattern (`mq/*.mqsc`). `CONTEXT/./FILE` is a Dockerfile whose COPY
begins in the folder CONTEXT. `//LIBRARY(MEMBER)/DD` is a member that a job reads. What a Dockerfile
copies for whoever runs its image has a blank queue manager, and a file of which an entry of a
ConfigMap is made has the name of the entry instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from mqlint.dataclass import NamedTuple
from mqlint.patterns import later
from mqlint.vocabulary.container import CONFIGURATION_FOLDER

_HERE = later(r"(?i)(?:\$(?:PWD|\{PWD\}|\(pwd\))|`pwd`|%cd%)[\"']?(?=[/\\])")
_BUILT = "/./"
_OF_PATTERN = frozenset("*?[")
OF_STEM = "*"
"""The queue manager of a pattern of which each file is for the one that it is named after."""
CONFIGURATION_ENDINGS = (".mqsc", ".ini")
"""The endings of the files of /etc/mqm that the container gives to its queue manager."""

_MEMBER = later(r"//([^()/]+)\(([^()/]+)\)/(\w*)")
_ENTRY = ":"
"""The first character of the name of an entry."""


def entry_name(kind: str, name: str, key: str) -> str:
    """Return the name that identifies an entry of a ConfigMap or Secret among files.

    No file has such a name. The key `*` means all entries.
    """
    return f":{kind}:{name.replace('/', ':')}/{key.replace('/', ':')}"


def is_entry(queue_manager: str) -> bool:
    """Return whether what a file is fed to is an entry, for the queue managers that take it."""
    return queue_manager.startswith(_ENTRY)


def files_of_folder(folder: str) -> Iterator[str]:
    """Yield the patterns of the configuration in a folder that is mounted or copied."""
    folder = folder.rstrip("/") or "/"
    yield from (f"{folder}/*{ending}" for ending in CONFIGURATION_ENDINGS)


def built_from(context: str, dockerfile: str) -> str:
    """Return the name of a Dockerfile, relative to its context, as one that is built."""
    return f"{context.rstrip('/') or '.'}{_BUILT}{dockerfile}"


def build_context(name: str) -> str | None:
    """Return the context of a Dockerfile that is built; None for any other file."""
    context, sign, _ = name.partition(_BUILT)
    return context if sign else None


def is_pattern(name: str) -> bool:
    return not _OF_PATTERN.isdisjoint(name.rpartition("/")[2])


def is_direct(name: str, queue_manager: str) -> bool:
    """Return whether no other file is needed to know what is fed, and to which queue manager."""
    if not queue_manager or is_entry(queue_manager):
        return False
    return not is_pattern(name) and build_context(name) is None and Member.of(name) is None


class Member(NamedTuple):
    """A member of a library of z/OS, and the name of the DD statement that reads it.

    The name of the DD statement is blank unless the queue manager reads it when it starts.
    """

    library: str
    member: str
    entry: str

    @property
    def feeding(self) -> str:
        """The name that identifies the member among files; `of` reads it."""
        return f"//{self.library}({self.member})/{self.entry}"

    @classmethod
    def of(cls, name: str) -> Self | None:
        """Return the member of a name in `fed`; None for a file."""
        found = _MEMBER.fullmatch(name)
        return cls(*found.groups()) if found is not None else None


class Mount(NamedTuple):
    """A file or folder of the host, and its path in a container."""

    source: str
    target: str

    @classmethod
    def of(cls, text: str) -> Self:
        """Return the mount of `source:target`, with or without options after it."""
        source, _, rest = _HERE.sub(".", text).partition(":")
        return cls(source, rest.partition(":")[0])

    @property
    def is_known(self) -> bool:
        return self.source != "" and not {"$", "`", "%"} & {*self.source}

    @property
    def is_file(self) -> bool:
        """Whether it is mounted as a file of MQSC or stanzas in the folder of the configuration."""
        folder, _, name = self.target.rpartition("/")
        ends = any(path.endswith(CONFIGURATION_ENDINGS) for path in (self.source, name))
        return folder == CONFIGURATION_FOLDER and self.is_known and name != "" and ends

    def files(self) -> Iterator[str]:
        """Yield the file, or the patterns of the files, that the container gets as configuration.

        A folder is given by its path; other names are of volumes.
        """
        is_folder = self.source.startswith((".", "/", "~"))
        if self.is_file:
            yield self.source
        elif is_folder and self.is_known and self.target.rstrip("/") == CONFIGURATION_FOLDER:
            yield from files_of_folder(self.source)
