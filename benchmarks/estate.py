"""A seeded generator of whole estates: two sites, any number of queue managers, some collisions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from benchmarks.dump import Dump

CONFIGURATION: Final = """\
sites:
  leeds:
    role: production
    paths: ["prod/**"]
    networks: [10.10.0.0/16]
    tokens: [PRD]
  derby:
    role: dr
    stands_in_for: leeds
    paths: ["dr/**"]
    networks: [10.20.0.0/16]
    tokens: [DRS]
    isolation: none
    reinstated_by: definitions
queue_managers: "{site}/{queue_manager}/*"
twins:
  rename: {PRD: DRS}
target: {level: 9.3.0, platform: linux}
profiles: [production]
inventory: {jobs: complete, objects: complete}
"""
_TLS: Final = "ANY_TLS12_OR_HIGHER"


@dataclass(frozen=True, slots=True)
class _Member:
    """One queue manager of the estate, and what is wrong with it (`fault`, often nothing)."""

    folder: str
    token: str
    number: int
    name: str
    fault: str

    @property
    def network(self) -> str:
        """The first two octets of its site."""
        return "10.10" if self.folder == "prod" else "10.20"

    @property
    def cluster(self) -> str:
        """The cluster of its site."""
        return f"{self.token}NET"

    @property
    def connection(self) -> str:
        """Where its listener is reached."""
        return f"{self.network}.{self.number // 200}.{self.number % 200 + 10}(1414)"


_FAULTS: Final = ("name", "qmid", "receiver", "script", "conname", "sender", "circular")
"""What can be wrong across sites, and one fault of logging; each falls on a DR queue manager."""


def generate_estate(folder: Path, queue_managers: int, seed: int = 1) -> Path:
    """Write an estate of `queue_managers` queue managers under `folder` and return `folder`.

    Every second one is the DR twin of the one before; about one twin in four collides with
    production. The same arguments write the same bytes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "mqlint.yaml").write_text(CONFIGURATION, encoding="utf-8")
    random = Random(seed)
    for index in range(queue_managers):
        _write_member(folder, _member(index, random))
    _write_jobs(folder, queue_managers)
    return folder


def _member(index: int, random: Random) -> _Member:
    """The queue manager with this number; even ones are production."""
    twin, number = index % 2 == 1, index // 2 + 1
    fault = random.choice(_FAULTS) if twin and number > 2 and random.random() < 0.25 else ""
    token = "DRS" if twin else "PRD"
    owner = "PRD" if fault in ("name", "qmid") else token
    return _Member("dr" if twin else "prod", token, number, f"{owner}QM{number:04d}", fault)


def _write_member(folder: Path, member: _Member) -> None:
    """Dump, scripts and qm.ini of one queue manager."""
    home = folder / member.folder / member.name
    home.mkdir(parents=True, exist_ok=True)
    kind = "CIRCULAR" if member.fault == "circular" or member.number % 9 == 0 else "LINEAR"
    for name, text in (
        ("dmpmqcfg.mqsc", _dump(member)),
        ("cluster.mqsc", _cluster(member)),
        ("queues.mqsc", _queues(member)),
        ("qm.ini", _ini(member, kind)),
    ):
        (home / name).write_text(text, encoding="utf-8")


def _dump(member: _Member) -> str:
    """The queue manager alone, as `dmpmqcfg -t qmgr` gives it."""
    day = "2022-02-14" if member.folder == "prod" or member.fault == "qmid" else "2022-06-20"
    minute = member.number % 60
    dump = Dump(member.name, "2026-06-02", "05.00.00", (day, f"11.{minute:02d}.05"))
    dump.header(
        f"{member.folder}mq{member.number:04d}", "mqm", f"dmpmqcfg -a -m {member.name} -t qmgr"
    )
    full = member.number <= 2
    dump.queue_manager(
        DEADQ="'SYSTEM.DEAD.LETTER.QUEUE'",
        IMGSCHED="AUTO" if member.number % 3 else "MANUAL",
        REPOS=f"'{member.cluster}'" if full else "' '",
    )
    dump.trailer()
    return dump.text()


def _cluster(member: _Member) -> str:
    """One receiver and one sender to a full repository of the site."""
    own = member.token if member.fault != "receiver" else "PRD"
    hub = 2 if member.number == 1 else 1
    target, network = (member.token, member.network)
    if member.fault == "sender":
        target, network = "PRD", "10.10"
    connection = member.connection
    if member.fault == "conname":
        connection = connection.replace("10.20.", "10.10.", 1)
    return (
        f"* {member.name} in {member.cluster}\n\n"
        f"DEFINE CHANNEL({own}NET.QM{member.number:04d}) CHLTYPE(CLUSRCVR) TRPTYPE(TCP) +\n"
        f"       CLUSTER({member.cluster}) CONNAME('{connection}') +\n"
        f"       SSLCIPH({_TLS}) MCAUSER('mqclus') REPLACE\n\n"
        f"DEFINE CHANNEL({target}NET.QM{hub:04d}) CHLTYPE(CLUSSDR) TRPTYPE(TCP) +\n"
        f"       CLUSTER({member.cluster}) CONNAME('{network}.0.{hub + 10}(1414)') +\n"
        f"       SSLCIPH({_TLS}) REPLACE\n"
    )


def _queues(member: _Member) -> str:
    """Queues of two applications; with the fault `script` the text of the production twin."""
    token = "PRD" if member.fault == "script" else member.token
    texts = [f"* Applications of {token}QM{member.number:04d}\n"]
    for application in range(2):
        prefix = f"{token}.APP{member.number:04d}{application}"
        missing = ".GONE" if (member.number + application) % 11 == 0 else ".BO"
        texts.append(
            f"DEFINE QLOCAL({prefix}.IN) DEFPSIST(YES) MAXDEPTH(50000) +\n"
            f"       DESCR('Requests') BOTHRESH(3) BOQNAME({prefix}{missing}) REPLACE\n"
            f"DEFINE QLOCAL({prefix}.BO) DEFPSIST(YES) DESCR('Requests that failed') REPLACE\n"
            f"DEFINE QALIAS({prefix}.ASK) TARGET({prefix}.IN) REPLACE\n"
        )
    return "\n".join(texts)


def _ini(member: _Member, log_type: str) -> str:
    """The stanzas of a qm.ini that matter to logging."""
    management = "   LogManagement=Automatic\n" if log_type == "LINEAR" else ""
    return (
        f"Log:\n   LogPrimaryFiles=10\n   LogSecondaryFiles=5\n   LogFilePages=16384\n"
        f"   LogType={log_type}\n   LogPath=/var/mqm/log/{member.name}/\n{management}"
        "Channels:\n   ChlauthEarlyAdopt=Y\n"
    )


def _write_jobs(folder: Path, queue_managers: int) -> None:
    """A crontab of the production host that images some of its queue managers."""
    jobs = folder / "prod" / "hosts" / "prodmq" / "cron.d"
    jobs.mkdir(parents=True, exist_ok=True)
    lines = ["# Media images"]
    for number in range(3, (queue_managers + 1) // 2 + 1, 6):
        minute = number % 60
        lines.append(f"{minute} 2 * * * mqm /opt/mqm/bin/rcdmqimg -m PRDQM{number:04d} -t all '*'")
    (jobs / "mq-jobs").write_text("\n".join(lines) + "\n", encoding="utf-8")
