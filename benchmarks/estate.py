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
TLS: Final = "ANY_TLS12_OR_HIGHER"


@dataclass(frozen=True, slots=True)
class Member:
    """One queue manager of the estate, and what is wrong with it (`fault`, often nothing).

    `number` counts the twins; those of one `group` share a cluster, of which the queue managers
    `first` and the one after it are full repositories.
    """

    folder: str
    token: str
    number: int
    name: str
    fault: str
    group: str = ""
    first: int = 1

    @property
    def network(self) -> str:
        """The first two octets of its site."""
        return "10.10" if self.folder == "prod" else "10.20"

    @property
    def cluster(self) -> str:
        """The cluster of its site."""
        return f"{self.token}NET{self.group}"

    @property
    def connection(self) -> str:
        """Where its listener is reached, were it where it belongs."""
        return _connection(self.network, self.number)

    @property
    def full(self) -> bool:
        """Whether it holds a full repository."""
        return self.number in (self.first, self.first + 1)

    @property
    def receiver(self) -> tuple[str, str]:
        """Name and CONNAME of its cluster-receiver."""
        token = "PRD" if self.fault == "receiver" else self.token
        network = "10.10" if self.fault == "conname" else self.network
        return f"{token}NET{self.group}.QM{self.number:04d}", _connection(network, self.number)

    @property
    def sender(self) -> tuple[str, str]:
        """Name and CONNAME of its cluster-sender, to the other or first full repository."""
        wrong = self.fault == "sender"
        token, network = ("PRD", "10.10") if wrong else (self.token, self.network)
        hub = self.first + 1 if self.number == self.first else self.first
        return f"{token}NET{self.group}.QM{hub:04d}", _connection(network, hub)

    @property
    def applications(self) -> tuple[tuple[str, bool], tuple[str, bool]]:
        """What the queues of its two applications begin with, and whether BOQNAME is wrong."""
        token = "PRD" if self.fault == "script" else self.token
        one, two = (
            (f"{token}.APP{self.number:04d}{which}", (self.number + which) % 11 == 0)
            for which in range(2)
        )
        return one, two

    @property
    def log_type(self) -> str:
        """LogType of its qm.ini."""
        return "CIRCULAR" if self.fault == "circular" or self.number % 9 == 0 else "LINEAR"


def _connection(network: str, number: int) -> str:
    return f"{network}.{number // 200}.{number % 200 + 10}(1414)"


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
        _write_member(folder, member_of(index, random))
    _write_jobs(folder, queue_managers)
    return folder


def member_of(index: int, random: Random) -> Member:
    """The queue manager with this number; even ones are production."""
    twin, number = index % 2 == 1, index // 2 + 1
    fault = random.choice(_FAULTS) if twin and number > 2 and random.random() < 0.25 else ""
    token = "DRS" if twin else "PRD"
    owner = "PRD" if fault in ("name", "qmid") else token
    return Member("dr" if twin else "prod", token, number, f"{owner}QM{number:04d}", fault)


def _write_member(folder: Path, member: Member) -> None:
    """Dump, scripts and qm.ini of one queue manager."""
    home = folder / member.folder / member.name
    home.mkdir(parents=True, exist_ok=True)
    for name, text in (
        ("dmpmqcfg.mqsc", _dump(member)),
        ("cluster.mqsc", cluster_script(member)),
        ("queues.mqsc", queues_script(member)),
        ("qm.ini", qm_ini(member)),
    ):
        (home / name).write_text(text, encoding="utf-8")


def created(member: Member) -> tuple[str, str]:
    """Day and time of its creation; a copy of production has production's."""
    day = "2022-02-14" if member.folder == "prod" or member.fault == "qmid" else "2022-06-20"
    return day, f"11.{member.number % 60:02d}.05"


def _dump(member: Member) -> str:
    """The queue manager alone, as `dmpmqcfg -t qmgr` gives it."""
    dump = Dump(member.name, "2026-06-02", "05.00.00", created(member))
    dump.header(
        f"{member.folder}mq{member.number:04d}", "mqm", f"dmpmqcfg -a -m {member.name} -t qmgr"
    )
    dump.queue_manager(
        DEADQ="'SYSTEM.DEAD.LETTER.QUEUE'",
        IMGSCHED="AUTO" if member.number % 3 else "MANUAL",
        REPOS=f"'{member.cluster}'" if member.full else "' '",
    )
    dump.trailer()
    return dump.text()


def cluster_script(member: Member) -> str:
    """One receiver and one sender to a full repository of the site."""
    (receiver, own), (sender, hub) = member.receiver, member.sender
    return (
        f"* {member.name} in {member.cluster}\n\n"
        f"DEFINE CHANNEL({receiver}) CHLTYPE(CLUSRCVR) TRPTYPE(TCP) +\n"
        f"       CLUSTER({member.cluster}) CONNAME('{own}') +\n"
        f"       SSLCIPH({TLS}) MCAUSER('mqclus') REPLACE\n\n"
        f"DEFINE CHANNEL({sender}) CHLTYPE(CLUSSDR) TRPTYPE(TCP) +\n"
        f"       CLUSTER({member.cluster}) CONNAME('{hub}') +\n"
        f"       SSLCIPH({TLS}) REPLACE\n"
    )


def queues_script(member: Member, depth: int = 50_000) -> str:
    """Queues of two applications; with the fault `script` the text of the production twin."""
    token = "PRD" if member.fault == "script" else member.token
    texts = [f"* Applications of {token}QM{member.number:04d}\n"]
    for prefix, wrong in member.applications:
        backout = ".GONE" if wrong else ".BO"
        texts.append(
            f"DEFINE QLOCAL({prefix}.IN) DEFPSIST(YES) MAXDEPTH({depth}) +\n"
            f"       DESCR('Requests') BOTHRESH(3) BOQNAME({prefix}{backout}) REPLACE\n"
            f"DEFINE QLOCAL({prefix}.BO) DEFPSIST(YES) DESCR('Requests that failed') REPLACE\n"
            f"DEFINE QALIAS({prefix}.ASK) TARGET({prefix}.IN) REPLACE\n"
        )
    return "\n".join(texts)


def qm_ini(member: Member, files: int = 10) -> str:
    """The stanzas of a qm.ini that matter to logging."""
    management = "   LogManagement=Automatic\n" if member.log_type == "LINEAR" else ""
    return (
        f"Log:\n   LogPrimaryFiles={files}\n   LogSecondaryFiles=5\n   LogFilePages=16384\n"
        f"   LogType={member.log_type}\n   LogPath=/var/mqm/log/{member.name}/\n{management}"
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
