"""The folder of the tables of scans: a path, or an address in an object store and its copy here."""

from __future__ import annotations

from contextlib import AbstractContextManager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from mqlint.cli.common.group import Refusal, refusing
from mqlint.cli.common.project import require_untracked, shown_path
from mqlint.config.cache import own_folder
from mqlint.config.object_store import (
    has_secret_setting,
    sends_credentials_in_clear,
    store_address,
)
from mqlint.config.project import absolute_path
from mqlint.config.user_cache import user_cache
from mqlint.dataclass import frozen
from mqlint.estate.history import WHOLE

if TYPE_CHECKING:
    from mqlint.estate.history.object_store import ObjectStore
    from mqlint.estate.history.store import Manifest, Publish


@frozen
class TablesFolder:
    """Where the tables of scans are.

    `path` is their folder here. If they are in an object store, `address` is the URI that Arrow
    takes, and `path` the folder of the copy, or that of one scan in it.
    """

    path: Path
    address: str | None = None

    def __str__(self) -> str:
        """Return the path, or the URI without its settings."""
        return str(self.path) if self.address is None else self.address.partition("?")[0]

    @property
    def argument(self) -> str:
        """What names it on a command line."""
        return shown_path(self.path) if self.address is None else self.address

    @property
    def shown(self) -> str:
        """What a person calls it: a short path, or the URI without its settings."""
        return self.argument if self.address is None else str(self)

    def pulled(self, *, history: bool = True) -> Path:
        """Return the folder with what an object store has; Refusal if that cannot be read."""
        store = self._store()
        if store is not None:
            with self._explained("read"):
                store.pull(self._copy, history=history)
        return self.path

    def publisher(self, history: int) -> Publish | None:
        """Return what copies a scan to the object store; None if the tables are in a folder."""
        store = self._store()
        if store is None:
            return None

        def publish(folder: Path, manifest: Manifest) -> None:
            with self._explained("write to"):
                store.push(folder, manifest, history)

        return publish

    def absolute(self) -> TablesFolder:
        return TablesFolder(absolute_path(self.path), self.address)

    @property
    def _copy(self) -> Path:
        return self.path.parent if self.path.name.startswith(WHOLE) else self.path

    def _store(self) -> ObjectStore | None:
        if self.address is None:
            return None
        from mqlint.estate.history.object_store import ObjectStore

        if not own_folder(self._copy):
            raise Refusal(
                f"cannot keep a copy of {self}: {self._copy} must be a "
                "folder of yours that nobody else may write to (chmod 700), and no link"
            )
        require_untracked(self._copy)
        with self._explained("use"):
            return ObjectStore(self.address)

    def _explained(self, verb: str) -> AbstractContextManager[None]:
        from mqlint.estate.history.object_store import StoreError

        return refusing(StoreError, f"cannot {verb} {self}")


def tables_folder(name: str) -> TablesFolder:
    """Return the folder of tables that a path or the URI of an object store names.

    ValueError, which does not quote the URI, if that has a password, or credentials without TLS.
    """
    uri = store_address(name)
    if uri is None:
        return TablesFolder(Path(name))
    scheme, _, rest = uri.partition("://")
    place, mark, settings = rest.partition("?")
    if _has_password(scheme, place.partition("/")[0]) or has_secret_setting(uri):
        raise ValueError("a URI with a password: passwords are for the environment")
    if sends_credentials_in_clear(uri):
        raise ValueError("enable_tls=false needs credential_kind=anonymous")
    above, _, last = place.rstrip("/").rpartition("/")
    scan = last if last.startswith(WHOLE) else ""
    address = f"{scheme}://{above if scan else place.rstrip('/')}{mark}{settings}"
    copy = Path(user_cache()) / "tables" / sha256(address.encode()).hexdigest()[:16]
    return TablesFolder(copy / scan if scan else copy, address)


def _has_password(scheme: str, authority: str) -> bool:
    """Whether a URI has a password, or a user whom only a password follows.

    Azure's accounts and containers are before an @, and a public bucket of Google is `anonymous@`.
    """
    user, at, _ = authority.rpartition("@")
    is_public = scheme == "gs" and user == "anonymous"
    is_named = scheme.startswith("abfs") and ":" not in user
    return bool(at) and not (is_public or is_named)
