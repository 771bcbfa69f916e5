"""A real hdfs: a NameNode and a DataNode of Hadoop 2.7.3, on this machine.

The source distribution of pyspark 2.4.8 has the classes of the servers, which no later one has.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.standalone import PATIENCE
from mqlint.cli.estate.java import find_java
from tests.conftest import ROOT

JARS = ROOT / ".make" / "hdfs"
_RELEASE = "pyspark==2.4.8"
_WANTED = ("hadoop-", "commons-", "guava-", "protobuf-", "jetty-", "jackson-", "javax.")
_LOGS = ("log4j-1", "slf4j-", "htrace-", "netty-", "leveldbjni-", "xercesImpl-")
_OPEN = ("lang", "util", "net")
_OWNER = "hdfs"
_HOME = "127.0.0.1"
_TRIES = 100
_SITE = """\
dfs.webhdfs.enabled=false
dfs.replication=1
dfs.namenode.name.dir={folder}/names
dfs.datanode.data.dir={folder}/blocks
dfs.namenode.http-address=127.0.0.1:0
dfs.datanode.address=127.0.0.1:0
dfs.datanode.ipc.address=127.0.0.1:0
dfs.datanode.http.address=127.0.0.1:0
"""


def jars() -> Path:
    """Return the folder of the classes, fetched once."""
    if not JARS.is_dir():
        draft = JARS.with_name("hdfs-draft")
        draft.mkdir(parents=True, exist_ok=True)
        fetch = ("download", "--no-deps", "--no-binary=:all:", "--no-build-isolation")
        words = [sys.executable, "-m", "pip", *fetch, _RELEASE, "-q", "-d", str(draft)]
        subprocess.run(words, check=True, capture_output=True)
        (archive,) = draft.glob("*.tar.gz")
        with tarfile.open(archive) as packed:
            for member in packed:
                name = Path(member.name).name
                if name.startswith((*_WANTED, *_LOGS)) and name.endswith(".jar"):
                    member.name = name
                    packed.extract(member, draft, filter="data")
        archive.unlink()
        draft.rename(JARS)
    return JARS


@dataclass(slots=True)
class Hdfs:
    """A file system; `root` has all that it keeps on the disk of this machine."""

    root: Path
    address: str

    def shell(self, *words: str | Path) -> None:
        """Run `hadoop fs` as the user that all belongs to."""
        command = _command(self.root, "org.apache.hadoop.fs.FsShell", *map(str, words))
        subprocess.run(command, env=_environment(), capture_output=True, check=True)

    def block_of(self, file: Path) -> Path:
        """Return what the DataNode keeps of a small file, of which `file` is the original."""
        blocks = (self.root / "blocks").rglob("blk_*[0-9]")
        return next(block for block in blocks if block.read_bytes() == file.read_bytes())


@contextmanager
def hdfs(folder: Path) -> Iterator[Hdfs]:
    """Start an empty file system; it ends with the block."""
    with socket.socket() as free:
        free.bind((_HOME, 0))
        address = f"hdfs://{_HOME}:{free.getsockname()[1]}"
    site = dict(line.split("=") for line in _SITE.format(folder=folder).splitlines())
    _configure(folder / "conf", {"core": {"fs.defaultFS": address}, "hdfs": site})
    name_node = "org.apache.hadoop.hdfs.server.namenode.NameNode"
    format_it = _command(folder, name_node, "-format")
    subprocess.run(format_it, check=True, capture_output=True, env=_environment())
    servers = [
        subprocess.Popen(
            _command(folder, server), env=_environment(), stderr=subprocess.DEVNULL, text=True
        )
        for server in (name_node, "org.apache.hadoop.hdfs.server.datanode.DataNode")
    ]
    try:
        there = Hdfs(folder, address)
        _await(there)
        yield there
    finally:
        for server in servers:
            server.terminate()
            server.wait(PATIENCE)


def _await(there: Hdfs) -> None:
    """Wait until a file can be written."""
    for left in reversed(range(_TRIES)):
        try:
            there.shell("-put", "-f", there.root / "conf" / "core-site.xml", "/started")
        except subprocess.CalledProcessError:
            if not left:
                raise
        else:
            return
        time.sleep(0.5)


def _configure(folder: Path, sites: dict[str, dict[str, str]]) -> None:
    for page in ("hdfs", "datanode", "secondary", "static"):
        inside = folder / "webapps" / page / "WEB-INF"
        inside.mkdir(parents=True)
        (inside / "web.xml").write_text("<web-app/>")
    for site, values in sites.items():
        properties = "".join(
            f"<property><name>{name}</name><value>{value}</value></property>"
            for name, value in values.items()
        )
        (folder / f"{site}-site.xml").write_text(f"<configuration>{properties}</configuration>")


def _command(folder: Path, *words: str) -> list[str]:
    opened = [f"--add-opens=java.base/java.{name}=ALL-UNNAMED" for name in _OPEN]
    opened.append("--add-opens=java.base/sun.nio.ch=ALL-UNNAMED")
    classes = f"{folder / 'conf'}:{jars()}/*"
    return [str(find_java() / "bin" / "java"), "-Xmx256m", *opened, "-cp", classes, *words]


def _environment() -> dict[str, str]:
    """The servers run as another user, to whom no permission is refused."""
    return {**os.environ, "HADOOP_USER_NAME": _OWNER}
