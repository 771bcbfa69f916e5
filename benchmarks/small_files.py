"""A seeded generator of many small MQSC files, as a folder with many checkouts holds them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final

CONFIGURATION: Final = 'queue_managers: ["*/managers/{queue_manager}/*"]\n'
_EACH: Final = 50
"""Files of one checkout: half are for no named queue manager, half for five named ones."""
_NAMES: Final = ("queues", "channels", "auth", "topics", "extra")


def generate_small_files(folder: Path, files: int, seed: int = 1) -> Path:
    """Write `files` scripts of 5 to 15 commands each under `folder` and return `folder`."""
    random = Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "mqlint.yaml").write_text(CONFIGURATION, encoding="utf-8")
    for number in range(files):
        script = folder / _path(number)
        script.parent.mkdir(parents=True, exist_ok=True)
        script.write_text(_script(random, number), encoding="utf-8")
    return folder


def _path(number: int) -> str:
    checkout, place = divmod(number, _EACH)
    if place % 2:
        return f"team{checkout:04d}/services/service{place:02d}/mq/objects.mqsc"
    manager, name = divmod(place // 2, len(_NAMES))
    return f"team{checkout:04d}/managers/QM{checkout:04d}{manager}/{_NAMES[name]}.mqsc"


def _script(random: Random, number: int) -> str:
    prefix = f"APP{number:05d}"
    commands = [_queue(prefix, random)]
    while len(commands) < random.randint(5, 15):
        commands.append(random.choice(_COMMANDS)(f"{prefix}.{len(commands)}", random))
    return f"* Objects of {prefix}\n" + "\n".join(commands) + "\n"


def _queue(name: str, random: Random) -> str:
    depth = random.choice((5000, 20000, 50000))
    return (
        f"DEFINE QLOCAL('{name}') REPLACE +\n"
        f"  DESCR('Requests of {name}') DEFPSIST(YES) MAXDEPTH({depth})"
    )


def _alias(name: str, random: Random) -> str:
    return f"DEFINE QALIAS('{name}.ALIAS') REPLACE TARGET('{name[:8]}')"


def _remote(name: str, random: Random) -> str:
    return (
        f"DEFINE QREMOTE('{name}.FAR') REPLACE +\n"
        f"  RNAME('FAR.IN') RQMNAME('PARTNER{random.randint(1, 9)}') XMITQ('{name}.XMIT')\n"
        f"DEFINE QLOCAL('{name}.XMIT') REPLACE USAGE(XMITQ)"
    )


def _channel(name: str, random: Random) -> str:
    return (
        f"DEFINE CHANNEL('{name}') CHLTYPE(SVRCONN) TRPTYPE(TCP) REPLACE +\n"
        f"  MCAUSER('nobody') SSLCIPH(ANY_TLS12_OR_HIGHER) MAXINST({random.randint(5, 99)})\n"
        f"SET CHLAUTH('{name}') TYPE(ADDRESSMAP) ADDRESS('10.{random.randint(1, 99)}.*') +\n"
        f"  USERSRC(MAP) MCAUSER('app') ACTION(REPLACE)"
    )


def _topic(name: str, random: Random) -> str:
    return f"DEFINE TOPIC('{name}.T') TOPICSTR('{name}/prices') REPLACE"


def _grant(name: str, random: Random) -> str:
    return f"SET AUTHREC PROFILE('{name}') OBJTYPE(QUEUE) GROUP('app') AUTHADD(GET,PUT,INQ)"


_COMMANDS: Final[tuple[Callable[[str, Random], str], ...]] = (
    *(_queue, _queue, _queue, _alias, _alias),
    *(_remote, _channel, _topic, _grant, _grant),
)


if __name__ == "__main__":
    generate_small_files(Path(sys.argv[1]), int(sys.argv[2]))
