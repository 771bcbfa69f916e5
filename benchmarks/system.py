"""The SYSTEM objects that every new queue manager has, as a dump of level 9.3 shows them."""

from __future__ import annotations

from typing import Final

from benchmarks.dump import Dump, quoted

_ALL_QUEUE: Final = "BROWSE,CHG,CLR,DLT,DSP,GET,INQ,PUT,PASSALL,PASSID,SET,SETALL,SETID"
_RIGHTS: Final = {
    "QUEUE": _ALL_QUEUE,
    "CHANNEL": "CHG,DLT,DSP,CTRL,CTRLX",
    "TOPIC": "CHG,CLR,DLT,DSP,PASSALL,PASSID,SETALL,SETID,CTRL,PUB,SUB,RESUME",
    "AUTHINFO": "CHG,DLT,DSP,INQ",
    "NAMELIST": "CHG,DLT,DSP,INQ",
    "SERVICE": "CHG,DLT,DSP,CTRL",
    "LISTENER": "CHG,DLT,DSP,CTRL",
    "PROCESS": "CHG,DLT,DSP,INQ,SET",
    "COMMINFO": "CHG,DLT,DSP",
    "CLNTCONN": "CHG,DLT,DSP",
    "QMGR": "ALTUSR,CHG,CONNECT,DLT,DSP,INQ,SET,SETALL,SETID,CTRL,SYSTEM",
}
_HUGE: Final = {"MAXDEPTH": "999999999"}
_LONG: Final = {**_HUGE, "MAXMSGL": "104857600"}
_EVENT: Final = {
    "DEFSOPT": "EXCL",
    "MAXDEPTH": "3000",
    "MAXMSGL": "9000",
    "SHARE": "NOSHARE",
    "TRIGTYPE": "NONE",
}
_COMMAND: Final = {**_EVENT, "MAXMSGL": "32762"}
_BIG_EVENT: Final = {"DEFSOPT": "EXCL", "SHARE": "NOSHARE", "TRIGTYPE": "NONE"}
_STATISTICS: Final = {"ACCTQ": "OFF", "MAXDEPTH": "3000", "STATQ": "OFF", "TRIGTYPE": "NONE"}
_STREAM: Final = {"DEFPSIST": "YES", "MSGDLVSQ": "FIFO"}
_KEPT: Final = {"DEFPSIST": "YES", **_HUGE}
_DELAY: Final = {**_HUGE, "DEFSOPT": "EXCL", "MSGDLVSQ": "FIFO", "QDPMAXEV": "DISABLED"}
_SHARED: Final = {"DEFSOPT": "SHARED", "SHARE": "SHARE"}

QUEUES: Final[tuple[tuple[str, str, dict[str, str]], ...]] = (
    ("QLOCAL", "ADMIN.ACCOUNTING.QUEUE", _STATISTICS),
    ("QLOCAL", "ADMIN.ACTIVITY.QUEUE", {}),
    ("QLOCAL", "ADMIN.CHANNEL.EVENT", _EVENT),
    ("QLOCAL", "ADMIN.COMMAND.EVENT", _BIG_EVENT),
    ("QLOCAL", "ADMIN.COMMAND.QUEUE", _COMMAND),
    ("QLOCAL", "ADMIN.CONFIG.EVENT", _BIG_EVENT),
    ("QLOCAL", "ADMIN.LOGGER.EVENT", _EVENT),
    ("QLOCAL", "ADMIN.PERFM.EVENT", _EVENT),
    ("QLOCAL", "ADMIN.PUBSUB.EVENT", {}),
    ("QLOCAL", "ADMIN.QMGR.EVENT", _COMMAND),
    ("QLOCAL", "ADMIN.STATISTICS.QUEUE", _STATISTICS),
    ("QLOCAL", "ADMIN.TRACE.ACTIVITY.QUEUE", _STATISTICS),
    ("QLOCAL", "ADMIN.TRACE.ROUTE.QUEUE", {}),
    ("QLOCAL", "AMQP.COMMAND.QUEUE", _COMMAND),
    ("QLOCAL", "AUTH.DATA.QUEUE", _HUGE),
    ("QLOCAL", "BROKER.ADMIN.STREAM", _STREAM),
    ("QLOCAL", "BROKER.CONTROL.QUEUE", _STREAM),
    ("QLOCAL", "BROKER.DEFAULT.STREAM", _STREAM),
    ("QLOCAL", "BROKER.INTER.BROKER.COMMUNICATIONS", {**_STREAM, **_LONG, "SHARE": "NOSHARE"}),
    (
        "QLOCAL",
        "CHANNEL.INITQ",
        {**_BIG_EVENT, "MAXDEPTH": "1000", "MAXMSGL": "2000"},
    ),
    (
        "QLOCAL",
        "CHANNEL.SYNCQ",
        {
            "DEFPSIST": "YES",
            "MAXDEPTH": "20000",
            "MAXMSGL": "20000",
            "QDEPTHLO": "40",
            "TRIGTYPE": "NONE",
        },
    ),
    ("QLOCAL", "CHLAUTH.DATA.QUEUE", _LONG),
    (
        "QLOCAL",
        "CICS.INITIATION.QUEUE",
        {"MAXDEPTH": "1000", "MAXMSGL": "1000", "TRIGTYPE": "NONE"},
    ),
    ("QLOCAL", "CLUSTER.COMMAND.QUEUE", _HUGE),
    ("QLOCAL", "CLUSTER.HISTORY.QUEUE", _HUGE),
    ("QLOCAL", "CLUSTER.REPOSITORY.QUEUE", _HUGE),
    (
        "QMODEL",
        "CLUSTER.TRANSMIT.MODEL.QUEUE",
        {**_SHARED, **_HUGE, "DEFTYPE": "PERMDYN", "USAGE": "XMITQ"},
    ),
    ("QLOCAL", "CLUSTER.TRANSMIT.QUEUE", {**_HUGE, "TRIGGER": "TRIGGER", "USAGE": "XMITQ"}),
    ("QLOCAL", "DDELAY.LOCAL.QUEUE", {**_DELAY, "SHARE": "NOSHARE"}),
    ("QLOCAL", "DEAD.LETTER.QUEUE", {**_HUGE, "TRIGTYPE": "NONE"}),
    ("QALIAS", "DEFAULT.ALIAS.QUEUE", {}),
    (
        "QLOCAL",
        "DEFAULT.INITIATION.QUEUE",
        {"MAXDEPTH": "1000", "MAXMSGL": "1000", "TRIGTYPE": "NONE"},
    ),
    ("QLOCAL", "DEFAULT.LOCAL.QUEUE", {}),
    ("QMODEL", "DEFAULT.MODEL.QUEUE", {}),
    ("QREMOTE", "DEFAULT.REMOTE.QUEUE", {}),
    ("QLOCAL", "DOTNET.XARECOVERY.QUEUE", _KEPT),
    ("QMODEL", "DURABLE.MODEL.QUEUE", {**_SHARED, **_HUGE, "DEFTYPE": "PERMDYN"}),
    ("QLOCAL", "DURABLE.SUBSCRIBER.QUEUE", _LONG),
    ("QLOCAL", "HIERARCHY.STATE", _KEPT),
    ("QLOCAL", "INTER.QMGR.CONTROL", _KEPT),
    ("QLOCAL", "INTER.QMGR.FANREQ", _KEPT),
    ("QLOCAL", "INTER.QMGR.PUBS", _KEPT),
    ("QLOCAL", "INTERNAL.REPLY.QUEUE", {**_HUGE, "MAXMSGL": "32762"}),
    ("QLOCAL", "INTERNAL.REQUEST.QUEUE", {**_HUGE, "MAXMSGL": "32762"}),
    ("QMODEL", "JMS.TEMPQ.MODEL", {**_SHARED, "MAXMSGL": "104857600"}),
    ("QMODEL", "MQEXPLORER.REPLY.MODEL", {"DEFREADA": "YES"}),
    ("QMODEL", "MQSC.REPLY.QUEUE", {**_HUGE, "MAXMSGL": "32762", "TRIGTYPE": "NONE"}),
    ("QMODEL", "NDURABLE.MODEL.QUEUE", {**_SHARED, **_HUGE, "DEFREADA": "YES"}),
    ("QLOCAL", "PENDING.DATA.QUEUE", {**_DELAY, "SHARE": "NOSHARE"}),
    ("QLOCAL", "PROTECTION.ERROR.QUEUE", _KEPT),
    ("QLOCAL", "PROTECTION.POLICY.QUEUE", _KEPT),
    ("QLOCAL", "REST.REPLY.QUEUE", {**_HUGE, "QDPMAXEV": "DISABLED"}),
    ("QLOCAL", "RETAINED.PUB.QUEUE", {**_LONG, "MSGDLVSQ": "FIFO"}),
    ("QLOCAL", "SELECTION.EVALUATION.QUEUE", _LONG),
    ("QLOCAL", "SELECTION.VALIDATION.QUEUE", _HUGE),
)

CHANNELS: Final = (
    ("RCVR", "AUTO.RECEIVER"),
    ("SVRCONN", "AUTO.SVRCONN"),
    ("AMQP", "DEF.AMQP"),
    ("CLUSRCVR", "DEF.CLUSRCVR"),
    ("CLUSSDR", "DEF.CLUSSDR"),
    ("RCVR", "DEF.RECEIVER"),
    ("RQSTR", "DEF.REQUESTER"),
    ("SDR", "DEF.SENDER"),
    ("SVR", "DEF.SERVER"),
    ("SVRCONN", "DEF.SVRCONN"),
    ("CLNTCONN", "DEF.CLNTCONN"),
)
_ROOT: Final = {
    "DURSUB": "YES",
    "PUB": "ENABLED",
    "SUB": "ENABLED",
    "DEFPSIST": "NO",
    "DEFPRTY": "0",
    "DEFPRESP": "SYNC",
    "PMSGDLV": "ALLDUR",
    "NPMSGDLV": "ALLAVAIL",
    "MDURMDL": "'SYSTEM.DURABLE.MODEL.QUEUE'",
    "MNDURMDL": "'SYSTEM.NDURABLE.MODEL.QUEUE'",
    "MCAST": "DISABLED",
    "USEDLQ": "YES",
}
_BLOCKED: Final = {"WILDCARD": "BLOCK", "MCAST": "DISABLED"}
TOPICS: Final[tuple[tuple[str, dict[str, str]], ...]] = (
    (
        "ADMIN.TOPIC",
        {
            **_ROOT,
            "TOPICSTR": "'$SYS/MQ'",
            "PUBSCOPE": "QMGR",
            "SUBSCOPE": "QMGR",
            "WILDCARD": "BLOCK",
        },
    ),
    (
        "BASE.TOPIC",
        {
            **_ROOT,
            "PUBSCOPE": "ALL",
            "SUBSCOPE": "ALL",
            "COMMINFO": "'SYSTEM.DEFAULT.COMMINFO.MULTICAST'",
        },
    ),
    ("BROKER.ADMIN.STREAM", {**_BLOCKED, "TOPICSTR": "'SYSTEM.BROKER.ADMIN.STREAM'"}),
    ("BROKER.DEFAULT.STREAM", _BLOCKED),
    ("BROKER.DEFAULT.SUBPOINT", _BLOCKED),
    ("DEFAULT.TOPIC", {}),
)


def system_queues(dump: Dump) -> None:
    """The queues named SYSTEM.*."""
    for kind, name, changes in QUEUES:
        dump.define(kind, f"SYSTEM.{name}", **changes)


def system_lists(dump: Dump) -> None:
    """The namelists, and the default process, named SYSTEM.*."""
    dump.define("NAMELIST", "SYSTEM.DEFAULT.NAMELIST")
    streams = quoted(("SYSTEM.BROKER.DEFAULT.STREAM", "SYSTEM.BROKER.ADMIN.STREAM"))
    dump.define("NAMELIST", "SYSTEM.QPUBSUB.QUEUE.NAMELIST", NAMCOUNT="2", NAMES=streams)
    points = "'SYSTEM.BROKER.DEFAULT.SUBPOINT'"
    dump.define("NAMELIST", "SYSTEM.QPUBSUB.SUBPOINT.NAMELIST", NAMCOUNT="1", NAMES=points)
    dump.define("PROCESS", "SYSTEM.DEFAULT.PROCESS")


def system_channels(dump: Dump) -> None:
    """The channels named SYSTEM.*."""
    for kind, name in CHANNELS:
        dump.define(kind, f"SYSTEM.{name}")


def system_services(dump: Dump, port: int) -> None:
    """Authentication information, listeners, services and multicast defaults."""
    for kind in ("IDPWLDAP", "IDPWOS", "OCSP", "CRLLDAP"):
        dump.define(kind, f"SYSTEM.DEFAULT.AUTHINFO.{kind}")
    dump.define("LISTENER", "SYSTEM.DEFAULT.LISTENER.TCP")
    dump.define("LISTENER", "SYSTEM.LISTENER.TCP.1", CONTROL="QMGR", PORT=str(port))
    dump.define("SERVICE", "SYSTEM.DEFAULT.SERVICE")
    dump.define("COMMINFO", "SYSTEM.DEFAULT.COMMINFO.MULTICAST")


def system_topics(dump: Dump) -> None:
    """The topics and the subscription named SYSTEM.*."""
    for name, changes in TOPICS:
        dump.define("TOPIC", f"SYSTEM.{name}", **changes)


def shipped_chlauth(dump: Dump) -> None:
    """The three channel authentication records of a new queue manager."""
    dump.chlauth(
        "SYSTEM.ADMIN.SVRCONN",
        "ADDRESSMAP",
        "DESCR(' ')",
        "CUSTOM(' ')",
        "ADDRESS('*')",
        "USERSRC(CHANNEL)",
        "CHCKCLNT(ASQMGR)",
    )
    blocked = ("DESCR(' ')", "CUSTOM(' ')", "ADDRESS('*')", "USERSRC(NOACCESS)", "WARN(NO)")
    dump.chlauth("SYSTEM.*", "ADDRESSMAP", *blocked)
    users = ("DESCR(' ')", "CUSTOM(' ')", "USERLIST('*MQADMIN')", "WARN(NO)")
    dump.chlauth("*", "BLOCKUSER", *users)


def owner_authority(dump: Dump, group: str = "mqm") -> None:
    """What the owning group holds on the SYSTEM objects: one record each."""
    names = {
        "QUEUE": [name for _kind, name, _changes in QUEUES],
        "CHANNEL": [name for kind, name in CHANNELS if kind != "CLNTCONN"],
        "TOPIC": [name for name, _changes in TOPICS],
    }
    for kind, tails in names.items():
        for tail in tails:
            dump.authrec(f"SYSTEM.{tail}", group, kind, _RIGHTS[kind])
    dump.authrec("self", group, "QMGR", _RIGHTS["QMGR"])
    for kind in _RIGHTS:
        if kind != "QMGR":
            dump.authrec("@class", group, kind, "CRT")
