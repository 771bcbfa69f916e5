"""`mqlint plan`: the commands of a change make of A what B says, and the undo gives A again."""

from __future__ import annotations

import html
import json
import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from mqlint.vocabulary import AttributeSpec, CommandSpec, Domain, Kind, Vocabulary, parse_level
from mqlint.vocabulary.effects import Effects
from mqlint.vocabulary.load import load_vocabulary
from tests.cli.conftest import Mqlint

CONFIG = "target: {level: 9.4.0, platform: linux}\ninventory: {objects: complete}\n"
LEVEL = parse_level("9.4.0")
CHANNELS = ("SDR", "SVR", "RCVR", "RQSTR", "SVRCONN", "CLNTCONN", "CLUSSDR", "CLUSRCVR")
TYPES: dict[str, tuple[str | None, ...]] = {
    **dict.fromkeys(("QLOCAL", "QALIAS", "QREMOTE", "QMODEL", "PROCESS", "NAMELIST"), (None,)),
    **dict.fromkeys(("TOPIC", "SUB", "LISTENER", "SERVICE", "COMMINFO"), (None,)),
    "CHANNEL": CHANNELS,
    "AUTHINFO": ("CRLLDAP", "OCSP", "IDPWOS", "IDPWLDAP"),
}
TEXTS = ("' '", "'it''s'", "'a (b), c'", "'+x-'", "'* star'", "'many words and '", "'''quoted'''")
LONG = "'{}'".format("long-text. " * 20)


def planned(project: Path, mqlint: Mqlint, a: str, b: str, *words: str) -> dict[str, Any]:
    """The plan of two texts in JSON."""
    (project / "mqlint.yaml").write_text(CONFIG)
    (project / "a.mqsc").write_text(a)
    (project / "b.mqsc").write_text(b)
    done = mqlint("plan", "a.mqsc", "b.mqsc", "--format", "json", *words)
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["version"] == 1
    assert done.exit_code == (0 if found["equal"] else 1)
    plan: dict[str, Any] = found["queue_managers"][0]
    return plan


def equal(project: Path, mqlint: Mqlint, a: str, b: str) -> list[Any]:
    """What two texts differ in."""
    (project / "one.mqsc").write_text(a)
    (project / "two.mqsc").write_text(b)
    done = mqlint("diff", "one.mqsc", "two.mqsc", "--format", "json")
    rows: list[Any] = json.loads(done.stdout)["queue_managers"][0]["differences"]
    return rows


# -- the plan and its undo do what they say -------------------------------------------------------


def value(rand: random.Random, domain: Domain) -> str:
    """A value that an attribute may have, as it is written."""
    if domain.kind is Kind.WORDS:
        return rand.choice(domain.words)
    if domain.kind is Kind.INT:
        return str(rand.randint(domain.low, domain.high))
    if domain.kind is Kind.NAME:
        return rand.choice(("'A'", "'b.C'", "'X%Y'"))
    if domain.kind is Kind.LIST and domain.item is not None:
        return ",".join(value(rand, domain.item) for _ in range(rand.randint(1, 2)))
    if domain.kind is Kind.ADDRESSES:
        return rand.choice(("'h1(1414)'", "'10.1.2.3(1500)'"))
    return rand.choice((*TEXTS, LONG)) if domain.length >= 300 else rand.choice(TEXTS[:2])


def attributes(spec: CommandSpec, subtype: str | None) -> Iterator[AttributeSpec]:
    """The attributes that an object of a type may have on Linux."""
    for found in spec.attributes:
        on_linux = "linux" in spec.platforms_of(found)
        since = found.availability.since
        is_there = since.reached(LEVEL) if since is not None else True
        is_plain = not (found.option or found.read_only or found.secret)
        is_one = found.word == found.name and found.word not in ("CLUSNL", "APPLTYPE")
        # Without a known default, a description that omits it leaves the value open.
        is_decided = found.default is not None or found in spec.required(subtype)
        is_whole = is_plain and is_one and is_decided
        if is_whole and on_linux and is_there and spec.applies(found, subtype, False):
            yield found


@cache
def vocabulary() -> Vocabulary:
    """What the package ships."""
    return load_vocabulary()


def definition(rand: random.Random, noun: str, name: str, subtype: str | None) -> str:
    """DEFINE of an object with some of its attributes."""
    spec = vocabulary().command("DEFINE", noun)
    assert spec is not None
    must = {found.word for found in spec.required(subtype)} | {"TOPICSTR"}
    words: list[str] = []
    for found in attributes(spec, subtype):
        if found.word in ("CHLTYPE", "AUTHTYPE"):
            words.insert(0, f"{found.word}({subtype})")
        elif found.word == "TRPTYPE":
            words.append("TRPTYPE(TCP)")
        elif found.domain.kind is Kind.FLAG:
            words += [rand.choice((found.word, found.opposite or found.word))]
        elif found.word in must or rand.random() < 0.25:
            words.append(f"{found.word}({value(rand, found.domain)})")
    return " +\n ".join((f"DEFINE {noun}('{name}')", *words))


def description(seed: int) -> str:
    """A queue manager with objects of all types and records, at random."""
    rand = random.Random(seed)  # noqa: S311 objects, no secrets
    lines = []
    for noun, subtypes in TYPES.items():
        for subtype in subtypes:
            for number in range(3):
                kind = subtype
                if noun == "CHANNEL" and subtype != "CLNTCONN" and rand.random() < 0.2:
                    kind = rand.choice([other for other in CHANNELS if other != "CLNTCONN"])
                family = "q" if noun.startswith("Q") and rand.random() < 0.5 else noun
                if rand.random() < 0.7:
                    name = f"{family}.{subtype or ''}{number}"
                    lines.append(definition(rand, noun, name, kind))
    seen = set()
    kept = []
    for line in lines:  # queues of all types share their names
        name = line.partition("'")[2].partition("'")[0]
        if name not in seen:
            kept.append(line)
        seen.add(name)
    return "\n".join((*kept, *records(rand))) + "\n"


def records(rand: random.Random) -> Iterator[str]:
    """Channel authentication and authority records, and attributes of the queue manager."""
    for number in range(3):
        channel = f"SET CHLAUTH('ch.{number}')"
        if rand.random() < 0.7:
            source = rand.choice(("NOACCESS", "CHANNEL"))
            yield f"{channel} TYPE(ADDRESSMAP) ADDRESS('10.{number}.*') USERSRC({source})"
        if rand.random() < 0.7:
            yield f"{channel} TYPE(BLOCKUSER) USERLIST('{rand.choice('ab')}','c')"
        if rand.random() < 0.7:
            peer = f'CN="{rand.choice("ab")}"'
            yield f"{channel} TYPE(SSLPEERMAP) SSLPEER('{peer}') MCAUSER('{rand.choice('uv')}')"
        if rand.random() < 0.7:
            listed = rand.choice(("GET", "GET,PUT", "ALL", "BROWSE"))
            who = f"GROUP('{rand.choice('gh')}') AUTHADD({listed})"
            yield f"SET AUTHREC PROFILE('q.{number}') OBJTYPE(QUEUE) {who}"
    if rand.random() < 0.5:
        yield "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('x') AUTHADD(CONNECT)"
    if rand.random() < 0.5:
        yield "ALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) MAXDEPTH(7) DESCR('q')"
    if rand.random() < 0.5:
        yield "ALTER CHANNEL(SYSTEM.DEF.SVRCONN) CHLTYPE(SVRCONN) MAXINST(7)"
    yield f"ALTER QMGR DEADQ({rand.choice('AB')}) MAXHANDS({rand.choice('12')})"


def prove(project: Path, mqlint: Mqlint, seed: int) -> None:
    """The plan of A and B makes of A what B says, and the undo gives A again."""
    a, b = description(2 * seed), description(2 * seed + 1)
    plan = planned(project, mqlint, a, b)
    assert plan["left"] == []
    after = a + "\n".join(plan["commands"]) + "\n"
    assert equal(project, mqlint, after, b) == []
    assert equal(project, mqlint, after + "\n".join(plan["undo"]) + "\n", a) == []
    (project / "plan.mqsc").write_text("\n".join([*plan["commands"], *plan["undo"]]) + "\n")
    checked = json.loads(mqlint("check", "plan.mqsc", "--format", "json").stdout)
    wrong = [found for found in checked["findings"] if found["rule"].startswith("SYN")]
    assert wrong == []
    assert max(map(len, (project / "plan.mqsc").read_text().splitlines())) <= 72


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_the_plan_makes_b_of_a_and_the_undo_a_again(
    seed: int, project: Path, mqlint: Mqlint
) -> None:
    prove(project, mqlint, seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3, 60))
def test_many_plans_make_b_of_a(seed: int, project: Path, mqlint: Mqlint) -> None:
    prove(project, mqlint, seed)


# -- what a plan says -----------------------------------------------------------------------------

A = """\
DEFINE PROCESS(P1) APPLICID('a')
DEFINE QLOCAL(APP.IN) MAXDEPTH(100)
DEFINE QLOCAL(OLD)
DEFINE CHANNEL(APP.SVRCONN) CHLTYPE(SVRCONN) MCAUSER('app')
DEFINE CHANNEL(C1) CHLTYPE(RCVR)
DEFINE QALIAS(AL) TARGET(APP.IN)
DEFINE SUB(S) TOPICSTR('a/b') DEST(APP.IN)
DEFINE LISTENER(L) TRPTYPE(TCP) PORT(1414)
ALTER QMGR CONNAUTH(X)
"""
B = """\
DEFINE PROCESS(P2) APPLICID('a')
DEFINE QLOCAL(APP.IN) PROCESS(P2) TRIGGER MAXDEPTH(100)
DEFINE CHANNEL(APP.SVRCONN) CHLTYPE(SVRCONN) MCAUSER('app2')
DEFINE CHANNEL(C1) CHLTYPE(SVRCONN)
DEFINE CHANNEL(S1) CHLTYPE(SDR) CONNAME('h') XMITQ(X)
DEFINE CHANNEL(Z1) CHLTYPE(RCVR)
DEFINE QREMOTE(AL) RNAME(X) RQMNAME(Y) XMITQ(X)
DEFINE SUB(S) TOPICSTR('a/c') DEST(APP.IN)
DEFINE LISTENER(L) TRPTYPE(TCP) PORT(1415)
ALTER QMGR CONNAUTH(Y)
"""


def test_effects_are_those_of_the_vocabulary(project: Path, mqlint: Mqlint) -> None:
    plan = planned(project, mqlint, A, B)
    found = {
        (step["kind"], step["name"], change["attribute"]): change["effect"]
        for step in plan["steps"]
        for change in step["changes"]
    }
    assert found == {
        ("define", "P2", None): "now",
        ("alter", "APP.IN", "PROCESS"): "now",
        ("alter", "APP.IN", "TRIGGER"): "now",
        ("replace", "AL", None): "now",
        ("replace", "AL", "type"): "fixed",
        ("replace", "S", None): "now",
        ("replace", "S", "TOPICSTR"): "fixed",
        ("alter", "APP.SVRCONN", "MCAUSER"): "channel",
        ("replace", "C1", None): "now",
        ("replace", "C1", "CHLTYPE"): "fixed",
        ("define", "Z1", None): "now",
        ("define", "S1", None): "now",
        ("alter", "L", "PORT"): "listener",
        ("alter", "", "CONNAUTH"): "connauth",
        ("delete", "OLD", None): "now",
        ("delete", "P1", None): "now",
    }
    asked = [question["command"] or "" for question in plan["questions"]]
    assert any("DISPLAY QSTATUS('OLD')" in command for command in asked)


def test_commands_are_in_an_order_that_works(project: Path, mqlint: Mqlint) -> None:
    plan = planned(project, mqlint, A, B)
    order = [
        "DEFINE PROCESS('P2')",
        "ALTER QLOCAL('APP.IN')",
        "DEFINE CHANNEL('Z1')",
        "STOP CHANNEL('APP.SVRCONN')",
        "DEFINE CHANNEL('S1')",
        "ALTER QMGR",
        "DELETE QLOCAL('OLD')",
        "DELETE PROCESS('P1')",
        "REFRESH SECURITY TYPE(CONNAUTH)",
        "START CHANNEL('APP.SVRCONN')",
    ]
    places = [
        next(at for at, text in enumerate(plan["commands"]) if text.startswith(begin))
        for begin in order
    ]
    assert places == sorted(places)
    back = [text.split(" +")[0] for text in plan["undo"]]
    assert back.index("DEFINE PROCESS('P1') APPLICID('a')") < back.index("DEFINE QLOCAL('OLD')")
    assert back.index("ALTER QLOCAL('APP.IN')") < back.index("DELETE PROCESS('P2')")


XMITQ = "DEFINE QLOCAL(QMB) USAGE(XMITQ) TRIGGER\n"
SCRIPTS = {
    "a new initiation queue comes before the queue that names it": (
        "DEFINE QLOCAL(A)",
        "DEFINE QLOCAL(A) TRIGGER INITQ(I)\nDEFINE QLOCAL(I)",
        ["DEFINE QLOCAL('I')", "ALTER QLOCAL('A') INITQ('I') TRIGGER"],
        ["ALTER QLOCAL('A') INITQ(' ') NOTRIGGER", "DELETE QLOCAL('I')"],
    ),
    "ALTER AUTHINFO needs the type": (
        "DEFINE AUTHINFO(OS) AUTHTYPE(IDPWOS) CHCKCLNT(REQUIRED)",
        "DEFINE AUTHINFO(OS) AUTHTYPE(IDPWOS) CHCKCLNT(OPTIONAL)",
        [
            "ALTER AUTHINFO('OS') AUTHTYPE(IDPWOS) CHCKCLNT(OPTIONAL)",
            "REFRESH SECURITY TYPE(CONNAUTH)",
        ],
        [
            "ALTER AUTHINFO('OS') AUTHTYPE(IDPWOS) CHCKCLNT(REQUIRED)",
            "REFRESH SECURITY TYPE(CONNAUTH)",
        ],
    ),
    "ALTER TOPIC takes no topic string": (
        "DEFINE TOPIC(T) TOPICSTR('a')",
        "DEFINE TOPIC(T) TOPICSTR('b')",
        ["DELETE TOPIC('T') AUTHREC(NO)", "DEFINE TOPIC('T') TOPICSTR('b')"],
        ["DELETE TOPIC('T') AUTHREC(NO)", "DEFINE TOPIC('T') TOPICSTR('a')"],
    ),
    "the routing of a topic changes while it is in no cluster": (
        "DEFINE TOPIC(T) TOPICSTR('a') CLUSTER(F) CLROUTE(DIRECT)",
        "DEFINE TOPIC(T) TOPICSTR('a') CLUSTER(F) CLROUTE(TOPICHOST)",
        ["ALTER TOPIC('T') CLUSTER(' ')", "ALTER TOPIC('T') CLUSTER('F') CLROUTE(TOPICHOST)"],
        ["ALTER TOPIC('T') CLUSTER(' ')", "ALTER TOPIC('T') CLUSTER('F') CLROUTE(DIRECT)"],
    ),
    "a topic that leaves the cluster at the same time": (
        "DEFINE TOPIC(T) TOPICSTR('a') CLUSTER(F) CLROUTE(TOPICHOST)",
        "DEFINE TOPIC(T) TOPICSTR('a')",
        ["ALTER TOPIC('T') CLUSTER(' ')", "ALTER TOPIC('T') CLUSTER(' ') CLROUTE(DIRECT)"],
        ["ALTER TOPIC('T') CLROUTE(TOPICHOST) CLUSTER('F')"],
    ),
    "a topic string is free before another topic has it": (
        "DEFINE TOPIC(OLD) TOPICSTR('a')\nDEFINE TOPIC(T1) TOPICSTR('b')",
        "DEFINE TOPIC(NEW) TOPICSTR('b')\nDEFINE TOPIC(T1) TOPICSTR('a')",
        [
            "DELETE TOPIC('OLD')",
            "DELETE TOPIC('T1') AUTHREC(NO)",
            "DEFINE TOPIC('T1') TOPICSTR('a')",
            "DEFINE TOPIC('NEW') TOPICSTR('b')",
        ],
        [
            "DELETE TOPIC('NEW')",
            "DELETE TOPIC('T1') AUTHREC(NO)",
            "DEFINE TOPIC('T1') TOPICSTR('b')",
            "DEFINE TOPIC('OLD') TOPICSTR('a')",
        ],
    ),
    "a subscription is defined again after the topic that it names": (
        "DEFINE TOPIC(T) TOPICSTR('a')\nDEFINE SUB(S) TOPICOBJ(T) DEST(Q)",
        "DEFINE TOPIC(U) TOPICSTR('a')\nDEFINE SUB(S) TOPICOBJ(U) DEST(Q)",
        [
            "DELETE TOPIC('T')",
            "DEFINE TOPIC('U') TOPICSTR('a')",
            "DELETE SUB('S')",
            "DEFINE SUB('S') DEST('Q') TOPICOBJ('U')",
        ],
        [
            "DELETE TOPIC('U')",
            "DEFINE TOPIC('T') TOPICSTR('a')",
            "DELETE SUB('S')",
            "DEFINE SUB('S') DEST('Q') TOPICOBJ('T')",
        ],
    ),
    "two topics exchange their strings": (
        "DEFINE TOPIC(T1) TOPICSTR('a')\nDEFINE TOPIC(T2) TOPICSTR('b')",
        "DEFINE TOPIC(T1) TOPICSTR('b')\nDEFINE TOPIC(T2) TOPICSTR('a')",
        [
            "DELETE TOPIC('T1') AUTHREC(NO)",
            "DELETE TOPIC('T2') AUTHREC(NO)",
            "DEFINE TOPIC('T1') TOPICSTR('b')",
            "DEFINE TOPIC('T2') TOPICSTR('a')",
        ],
        [
            "DELETE TOPIC('T2') AUTHREC(NO)",
            "DELETE TOPIC('T1') AUTHREC(NO)",
            "DEFINE TOPIC('T2') TOPICSTR('b')",
            "DEFINE TOPIC('T1') TOPICSTR('a')",
        ],
    ),
    "a range of addresses that crosses the new one is removed first": (
        "SET CHLAUTH(C) TYPE(ADDRESSMAP) ADDRESS('10.1-5.*') USERSRC(NOACCESS)",
        "SET CHLAUTH(C) TYPE(ADDRESSMAP) ADDRESS('10.3-8.*') USERSRC(NOACCESS)",
        [
            "SET CHLAUTH('C') TYPE(ADDRESSMAP) ADDRESS('10.1-5.*') ACTION(REMOVE)",
            "SET CHLAUTH('C') TYPE(ADDRESSMAP) ADDRESS('10.3-8.*') USERSRC(NOACCESS) ACTION(ADD)",
        ],
        [
            "SET CHLAUTH('C') TYPE(ADDRESSMAP) ADDRESS('10.3-8.*') ACTION(REMOVE)",
            "SET CHLAUTH('C') TYPE(ADDRESSMAP) ADDRESS('10.1-5.*') USERSRC(NOACCESS) ACTION(ADD)",
        ],
    ),
    "other networks, partners and profiles do not cross": (
        "SET CHLAUTH(C) TYPE(ADDRESSMAP) ADDRESS('10.1.*') USERSRC(NOACCESS)\n"
        "SET CHLAUTH(D) TYPE(ADDRESSMAP) ADDRESS('10.1-5.*') USERSRC(NOACCESS)",
        "SET CHLAUTH(C) TYPE(ADDRESSMAP) ADDRESS('10.3-8.*') USERSRC(NOACCESS)",
        [
            "SET CHLAUTH('C') TYPE(ADDRESSMAP) ADDRESS('10.3-8.*') USERSRC(NOACCESS) ACTION(ADD)",
            "SET CHLAUTH('C') TYPE(ADDRESSMAP) ADDRESS('10.1.*') ACTION(REMOVE)",
            "SET CHLAUTH('D') TYPE(ADDRESSMAP) ADDRESS('10.1-5.*') ACTION(REMOVE)",
        ],
        [
            "SET CHLAUTH('D') TYPE(ADDRESSMAP) ADDRESS('10.1-5.*') USERSRC(NOACCESS) ACTION(ADD)",
            "SET CHLAUTH('C') TYPE(ADDRESSMAP) ADDRESS('10.1.*') USERSRC(NOACCESS) ACTION(ADD)",
            "SET CHLAUTH('C') TYPE(ADDRESSMAP) ADDRESS('10.3-8.*') ACTION(REMOVE)",
        ],
    ),
    "a sender that takes over a transmission queue is started": (
        f"{XMITQ}DEFINE CHANNEL(OLD) CHLTYPE(SDR) CONNAME(H) XMITQ(QMB)",
        f"{XMITQ}DEFINE CHANNEL(NEW) CHLTYPE(SDR) CONNAME(H) XMITQ(QMB)",
        [
            "DEFINE CHANNEL('NEW') CHLTYPE(SDR) CONNAME('H') XMITQ('QMB')",
            "STOP CHANNEL('OLD')",
            "DELETE CHANNEL('OLD')",
            "START CHANNEL('NEW')",
        ],
        [
            "DEFINE CHANNEL('OLD') CHLTYPE(SDR) CONNAME('H') XMITQ('QMB')",
            "STOP CHANNEL('NEW')",
            "DELETE CHANNEL('NEW')",
            "START CHANNEL('OLD')",
        ],
    ),
    "a transmission queue that no sender is started on is open for get again": (
        f"{XMITQ}DEFINE CHANNEL(OLD) CHLTYPE(SDR) CONNAME(H) XMITQ(QMB)",
        XMITQ,
        [
            "STOP CHANNEL('OLD')",
            "DELETE CHANNEL('OLD')",
            "ALTER QLOCAL('QMB') GET(ENABLED) TRIGGER",
        ],
        [
            "DEFINE CHANNEL('OLD') CHLTYPE(SDR) CONNAME('H') XMITQ('QMB')",
            "START CHANNEL('OLD')",
        ],
    ),
    "a sender that leaves its transmission queue": (
        f"{XMITQ}DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME(H) XMITQ(QMB)",
        f"{XMITQ}DEFINE QLOCAL(QMC) USAGE(XMITQ)\n"
        "DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME(H) XMITQ(QMC)",
        [
            "DEFINE QLOCAL('QMC') USAGE(XMITQ)",
            "STOP CHANNEL('C')",
            "ALTER CHANNEL('C') CHLTYPE(SDR) XMITQ('QMC')",
            "ALTER QLOCAL('QMB') GET(ENABLED) TRIGGER",
            "START CHANNEL('C')",
        ],
        [
            "STOP CHANNEL('C')",
            "ALTER CHANNEL('C') CHLTYPE(SDR) XMITQ('QMB')",
            "DELETE QLOCAL('QMC')",
            "START CHANNEL('C')",
        ],
    ),
    "a channel that has a queue open is stopped before the queue changes": (
        "DEFINE QLOCAL(A)\nDEFINE QLOCAL(QMB) USAGE(XMITQ) SHARE\n"
        "DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME(H) XMITQ(QMB)",
        "DEFINE QLOCAL(A) MAXDEPTH(9)\nDEFINE QLOCAL(QMB) USAGE(XMITQ) NOSHARE\n"
        "DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME(H) XMITQ(QMB) HBINT(9)",
        [
            "ALTER QLOCAL('A') MAXDEPTH(9)",
            "STOP CHANNEL('C')",
            "ALTER QLOCAL('QMB') NOSHARE",
            "ALTER CHANNEL('C') CHLTYPE(SDR) HBINT(9)",
            "START CHANNEL('C')",
        ],
        [
            "STOP CHANNEL('C')",
            "ALTER CHANNEL('C') CHLTYPE(SDR) HBINT(300)",
            "ALTER QLOCAL('QMB') SHARE",
            "ALTER QLOCAL('A') MAXDEPTH(5000)",
            "START CHANNEL('C')",
        ],
    ),
    "a queue manager leaves a cluster before its channels stop": (
        "DEFINE QLOCAL(Q) CLUSTER(F)\n"
        "DEFINE CHANNEL(F.ME) CHLTYPE(CLUSRCVR) CLUSTER(F) CONNAME(M)\n"
        "DEFINE CHANNEL(F.HUB) CHLTYPE(CLUSSDR) CLUSTER(F) CONNAME(H)",
        "DEFINE QLOCAL(Q)",
        [
            "ALTER QLOCAL('Q') CLUSTER(' ')",
            "ALTER CHANNEL('F.ME') CHLTYPE(CLUSRCVR) CLUSTER(' ')",
            "STOP CHANNEL('F.ME')",
            "STOP CHANNEL('F.HUB')",
            "DELETE CHANNEL('F.ME')",
            "DELETE CHANNEL('F.HUB')",
        ],
        [
            "DEFINE CHANNEL('F.ME') CHLTYPE(CLUSRCVR) CLUSTER('F') CONNAME('M')",
            "DEFINE CHANNEL('F.HUB') CHLTYPE(CLUSSDR) CLUSTER('F') CONNAME('H')",
            "ALTER QLOCAL('Q') CLUSTER('F')",
            "START CHANNEL('F.ME')",
            "START CHANNEL('F.HUB')",
        ],
    ),
    "a full repository says so before its channels leave": (
        "DEFINE CHANNEL(ME) CHLTYPE(CLUSRCVR) CLUSTER(F) CONNAME(M)\nALTER QMGR REPOS(F)",
        "DEFINE CHANNEL(ME) CHLTYPE(CLUSRCVR) CLUSTER(' ') CONNAME(M)\nALTER QMGR REPOS(' ')",
        ["ALTER QMGR REPOS(' ')", "ALTER CHANNEL('ME') CHLTYPE(CLUSRCVR) CLUSTER(' ')"],
        ["ALTER CHANNEL('ME') CHLTYPE(CLUSRCVR) CLUSTER('F')", "ALTER QMGR REPOS('F')"],
    ),
    "a queue manager stops to be a full repository before all else": (
        "DEFINE QLOCAL(Q)\nALTER QMGR REPOS(F) DESCR('a')",
        "DEFINE QLOCAL(Q) MAXDEPTH(9)\nALTER QMGR REPOS(' ') DESCR('b')",
        ["ALTER QMGR REPOS(' ')", "ALTER QLOCAL('Q') MAXDEPTH(9)", "ALTER QMGR DESCR('b')"],
        ["ALTER QMGR DESCR('a')", "ALTER QLOCAL('Q') MAXDEPTH(5000)", "ALTER QMGR REPOS('F')"],
    ),
    "a full repository that names its clusters in a list remains one": (
        "DEFINE NAMELIST(N) NAMES(F,G)\nALTER QMGR REPOS(F)",
        "DEFINE NAMELIST(N) NAMES(F,G)\nALTER QMGR REPOS(' ') REPOSNL(N)",
        ["ALTER QMGR REPOS(' ') REPOSNL('N')"],
        ["ALTER QMGR REPOS('F') REPOSNL(' ')"],
    ),
    "the queue manager takes longer messages before its queues do": (
        "DEFINE QLOCAL(Q)\nALTER QMGR MAXMSGL(4194304) MONQ(OFF)",
        "DEFINE QLOCAL(Q) MAXMSGL(9000000)\nALTER QMGR MAXMSGL(9000000) MONQ(LOW)",
        [
            "ALTER QMGR MAXMSGL(9000000)",
            "ALTER QLOCAL('Q') MAXMSGL(9000000)",
            "ALTER QMGR MONQ(LOW)",
        ],
        [
            "ALTER QMGR MONQ(OFF)",
            "ALTER QLOCAL('Q') MAXMSGL(4194304)",
            "ALTER QMGR MAXMSGL(4194304)",
        ],
    ),
    "the queue manager takes shorter messages after its queues do": (
        "DEFINE QLOCAL(Q) MAXMSGL(9000000)\nALTER QMGR MAXMSGL(9000000)",
        "DEFINE QLOCAL(Q) MAXMSGL(8000000)\nALTER QMGR MAXMSGL(8000000)",
        ["ALTER QLOCAL('Q') MAXMSGL(8000000)", "ALTER QMGR MAXMSGL(8000000)"],
        ["ALTER QMGR MAXMSGL(9000000)", "ALTER QLOCAL('Q') MAXMSGL(9000000)"],
    ),
    "a subscription keeps the topic string that it was made with": (
        "DEFINE TOPIC(T) TOPICSTR('a')\nDEFINE SUB(S) TOPICOBJ(T) DEST(Q)\n"
        "DEFINE SUB(OTHER) TOPICSTR('c') DEST(Q)",
        "DEFINE TOPIC(T) TOPICSTR('b')\nDEFINE SUB(S) TOPICOBJ(T) DEST(Q)\n"
        "DEFINE SUB(OTHER) TOPICSTR('c') DEST(Q)",
        [
            "DELETE TOPIC('T') AUTHREC(NO)",
            "DEFINE TOPIC('T') TOPICSTR('b')",
            "DELETE SUB('S')",
            "DEFINE SUB('S') DEST('Q') TOPICOBJ('T')",
        ],
        [
            "DELETE TOPIC('T') AUTHREC(NO)",
            "DEFINE TOPIC('T') TOPICSTR('a')",
            "DELETE SUB('S')",
            "DEFINE SUB('S') DEST('Q') TOPICOBJ('T')",
        ],
    ),
    "a namelist that is no longer used changes after its users": (
        "DEFINE NAMELIST(N) NAMES(C1,C2)\nALTER QMGR REPOSNL(N)",
        "DEFINE NAMELIST(N) NAMES(C1)\nDEFINE NAMELIST(M) NAMES(C1,C2)\nALTER QMGR REPOSNL(M)",
        [
            "DEFINE NAMELIST('M') NAMES('C1','C2')",
            "ALTER QMGR REPOSNL('M')",
            "ALTER NAMELIST('N') NAMES('C1')",
        ],
        [
            "ALTER NAMELIST('N') NAMES('C1','C2')",
            "ALTER QMGR REPOSNL('N')",
            "DELETE NAMELIST('M')",
        ],
    ),
    "an LDAP server that no longer has the revocation list": (
        "DEFINE AUTHINFO(A) AUTHTYPE(CRLLDAP) CONNAME('l')",
        "DEFINE AUTHINFO(A) AUTHTYPE(OCSP) OCSPURL('http://o')",
        [
            "DELETE AUTHINFO('A')",
            "DEFINE AUTHINFO('A') AUTHTYPE(OCSP) OCSPURL('http://o')",
            "REFRESH SECURITY TYPE(SSL)",
        ],
        [
            "DELETE AUTHINFO('A')",
            "DEFINE AUTHINFO('A') AUTHTYPE(CRLLDAP) CONNAME('l')",
            "REFRESH SECURITY TYPE(SSL)",
        ],
    ),
    "a listener that takes over a port is started": (
        "DEFINE LISTENER(L1) TRPTYPE(TCP) PORT(1414)",
        "DEFINE LISTENER(L2) TRPTYPE(TCP) PORT(1414)\nDEFINE LISTENER(L3) TRPTYPE(TCP) PORT(1415)",
        [
            "DEFINE LISTENER('L2') PORT(1414) TRPTYPE(TCP)",
            "DEFINE LISTENER('L3') PORT(1415) TRPTYPE(TCP)",
            "STOP LISTENER('L1')",
            "DELETE LISTENER('L1')",
            "START LISTENER('L2')",
        ],
        [
            "DEFINE LISTENER('L1') PORT(1414) TRPTYPE(TCP)",
            "STOP LISTENER('L3')",
            "STOP LISTENER('L2')",
            "DELETE LISTENER('L3')",
            "DELETE LISTENER('L2')",
            "START LISTENER('L1')",
        ],
    ),
    "a secret that files before the change do not have is not blanked": (
        "DEFINE AUTHINFO(A) AUTHTYPE(IDPWLDAP) CONNAME('l') SHORTUSR('u')",
        "DEFINE AUTHINFO(A) AUTHTYPE(IDPWLDAP) CONNAME('l') SHORTUSR('u') LDAPPWD('p')",
        ["REFRESH SECURITY TYPE(CONNAUTH)"],
        ["REFRESH SECURITY TYPE(CONNAUTH)"],
    ),
    "each signer of a policy is a parameter of its own": (
        "SET POLICY(Q) SIGNALG(SHA256) SIGNER('CN=b,O=x') SIGNER('CN=a')",
        "SET POLICY(Q) SIGNALG(SHA256) SIGNER('CN=a') SIGNER('CN=c')",
        [
            "SET POLICY('Q') SIGNALG(SHA256) SIGNER('CN=a') SIGNER('CN=c') ACTION(REPLACE)",
        ],
        [
            "SET POLICY('Q') SIGNALG(SHA256) SIGNER('CN=a') SIGNER('CN=b,O=x') ACTION(REPLACE)",
        ],
    ),
    "a policy without the recipients that it had": (
        "SET POLICY(Q) SIGNALG(SHA256) ENCALG(AES256) RECIP('CN=a') RECIP('CN=b')",
        "SET POLICY(Q) SIGNALG(SHA256)",
        ["SET POLICY('Q') SIGNALG(SHA256) ACTION(REPLACE)"],
        [
            "SET POLICY('Q') ENCALG(AES256) RECIP('CN=a') RECIP('CN=b') SIGNALG(SHA256)"
            " ACTION(REPLACE)"
        ],
    ),
    "fewer authorities than ALLMQI": (
        "SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) GROUP('app') AUTHADD(ALLMQI)\n",
        "SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) GROUP('app') AUTHADD(PUT,GET,DSP)\n",
        [
            "SET AUTHREC PROFILE('Q') OBJTYPE(QUEUE) GROUP('app') AUTHADD(DSP)"
            " AUTHRMV(BROWSE,INQ,PASSALL,PASSID,SET,SETALL,SETID)"
        ],
        [
            "SET AUTHREC PROFILE('Q') OBJTYPE(QUEUE) GROUP('app')"
            " AUTHADD(BROWSE,INQ,PASSALL,PASSID,SET,SETALL,SETID) AUTHRMV(DSP)"
        ],
    ),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_commands_are_those_that_the_queue_manager_accepts(
    name: str, project: Path, mqlint: Mqlint
) -> None:
    a, b, commands, undo = SCRIPTS[name]
    plan = planned(project, mqlint, a, b)
    assert [" ".join(text.replace("+", "").split()) for text in plan["commands"]] == commands
    assert [" ".join(text.replace("+", "").split()) for text in plan["undo"]] == undo


def test_a_script_says_where_to_wait(project: Path, mqlint: Mqlint) -> None:
    channel = "DEFINE CHANNEL(C) CHLTYPE(SVRCONN) HBINT({})\n"
    listener = "DEFINE LISTENER(L) TRPTYPE(TCP) PORT({})\n"
    plan = planned(project, mqlint, *(channel.format(n) + listener.format(n) for n in (10, 20)))
    for name in ("commands", "undo"):
        wait = plan[f"{name}_wait"]
        stops = plan[name][: wait["before"]]
        assert {text.split("(")[0] for text in stops} == {"STOP CHANNEL", "STOP LISTENER"}
        assert sorted(wait["displays"]) == ["DISPLAY CHSTATUS('C')", "DISPLAY LSSTATUS('L')"]
    script = mqlint("plan", "a.mqsc", "b.mqsc", "--format", "mqsc").stdout.splitlines()
    at = script.index("* DISPLAY CHSTATUS('C')")
    assert script[at - 2] == "STOP LISTENER('L')"
    assert script[at - 1].startswith("* Wait until")
    assert script[at + 1 : at + 3] == ["* DISPLAY LSSTATUS('L')", "ALTER CHANNEL('C') +"]


def test_a_script_waits_until_a_cluster_is_left_before_it_stops(
    project: Path, mqlint: Mqlint
) -> None:
    channel = "DEFINE CHANNEL(F.ME) CHLTYPE(CLUSRCVR) CLUSTER(F) CONNAME(M)\n"
    plan = planned(project, mqlint, channel, " ")
    left, stopped = plan["commands_waits"]
    assert left == {
        "before": 1,
        "displays": ["DISPLAY CLUSQMGR(*) WHERE(CHANNEL EQ 'F.ME')"],
    }
    assert stopped == plan["commands_wait"]
    assert plan["commands"][1] == "STOP CHANNEL('F.ME')"
    assert stopped["before"] == 2
    assert plan["undo_waits"] == []


def test_a_plan_that_stops_nothing_waits_for_nothing(project: Path, mqlint: Mqlint) -> None:
    plan = planned(project, mqlint, "DEFINE QLOCAL(Q)", "DEFINE QLOCAL(Q) DESCR('a')")
    assert plan["commands_wait"] is plan["undo_wait"] is None


GRANT = "SET AUTHREC PROFILE(OTHER) OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(GET)\n"


@pytest.mark.parametrize(("more", "is_said"), [("", True), (GRANT, False)])
def test_authority_that_a_deletion_takes_away_is_said(
    more: str, is_said: bool, project: Path, mqlint: Mqlint
) -> None:
    plan = planned(project, mqlint, more + "DEFINE QLOCAL(OTHER)\nDEFINE QLOCAL(A)", more)
    lost = [text for step in plan["steps"] for text in step["not_undone"]]
    assert any("authority records of QLOCAL(A)" in text for text in lost) is is_said


def test_secrets_are_set_by_hand(project: Path, mqlint: Mqlint) -> None:
    line = "DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME(h) XMITQ(X) USERID('u')"
    plan = planned(project, mqlint, "DEFINE QLOCAL(Q)\n", f"{line} PASSWORD('swordfish')\n")
    assert [step["by_hand"] for step in plan["steps"]] == [["PASSWORD"], []]
    plan = planned(project, mqlint, f"{line} PASSWORD('swordfish')\n", f"{line}\n")
    assert plan["commands"][1].endswith("PASSWORD(' ')")
    assert plan["steps"][0]["not_undone"] == ["PASSWORD: a secret, set it by hand"]
    for form in ("text", "json", "markdown", "mqsc", "undo"):
        assert "swordfish" not in mqlint("plan", "a.mqsc", "b.mqsc", "--format", form).output


def test_what_the_files_leave_open_is_asked(project: Path, mqlint: Mqlint) -> None:
    a = "DEFINE QLOCAL(Q)\nALTER QMGR DEADQ(D)\n"
    b = "DEFINE QLOCAL(Q) MAXDEPTH({{ depth }})\nALTER QMGR MAXHANDS(9)\n"
    plan = planned(project, mqlint, a, b)
    assert plan["commands"] == ["ALTER QMGR MAXHANDS(9)"]
    assert plan["undo"] == []
    asked = [question["command"] for question in plan["questions"]]
    assert "DISPLAY QMGR MAXHANDS" in asked
    assert [found["attribute"] for found in plan["left"]] == ["MAXDEPTH"]


CHLAUTH = """\
ALTER QMGR CHLAUTH(ENABLED) CONNAUTH(' ')
DEFINE CHANNEL(APP.SVRCONN) CHLTYPE(SVRCONN)
DEFINE CHANNEL(WEB.SVRCONN) CHLTYPE(SVRCONN)
SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)
"""
MAP = "SET CHLAUTH({}.SVRCONN) TYPE(ADDRESSMAP) ADDRESS('{}') USERSRC(MAP) MCAUSER('{}')\n"
CONNECTIONS: dict[str, tuple[str, str, set[tuple[str, str, str, str]]]] = {
    "another network": (
        MAP.format("APP", "10.10.*", "app1"),
        MAP.format("APP", "10.20.*", "app1"),
        {
            ("no longer admitted", "APP.SVRCONN", "10.10.*", "10.10.0.0"),
            ("newly admitted", "APP.SVRCONN", "10.20.*", "10.20.0.0"),
        },
    ),
    "a part of a network": (
        MAP.format("APP", "10.10.1.*", "app1"),
        MAP.format("APP", "10.10.*", "app1"),
        {
            ("newly admitted", "APP.SVRCONN", "10.10.0.*", "10.10.0.0"),
            ("newly admitted", "APP.SVRCONN", "10.10.2-255.*", "10.10.0.0"),
        },
    ),
    "another user": (
        MAP.format("APP", "10.10.*", "app1"),
        MAP.format("APP", "10.10.*", "app2"),
        {("other user", "APP.SVRCONN", "10.10.*", "10.10.0.0")},
    ),
    "a record that changes nothing": (
        MAP.format("APP", "10.10.*", "app1"),
        MAP.format("APP", "10.10.*", "app1") + MAP.format("APP", "10.10.3.*", "app1"),
        set(),
    ),
    "an attribute of the queue manager": (
        "",
        "ALTER QMGR CHLAUTH(DISABLED)\n",
        {
            ("newly admitted", name, "0-255.*", "0.0.0.0")  # noqa: S104 an address to admit
            for name in ("APP.SVRCONN", "WEB.SVRCONN")
        },
    ),
}


def test_each_form_says_what_a_plan_assumes_and_leaves_out(project: Path, mqlint: Mqlint) -> None:
    (project / "mqlint.yaml").write_text(f"{CONFIG}compare: {{ignore: [DESCR]}}\n")
    (project / "a.mqsc").write_text(CHLAUTH)
    (project / "b.mqsc").write_text(CHLAUTH + MAP.format("APP", "10.10.*", "app1"))
    for form in ("text", "json", "markdown", "html"):
        shown = mqlint("plan", "a.mqsc", "b.mqsc", "--format", form).stdout
        assert "app1 is not an MQ administrator" in html.unescape(shown), form
        assert "DESCR" in shown, form


def test_a_password_that_a_change_asks_for_is_a_difference(project: Path, mqlint: Mqlint) -> None:
    records = (
        "ALTER QMGR CONNAUTH(OS)\n"
        "DEFINE AUTHINFO(OS) AUTHTYPE(IDPWOS) CHCKCLNT({}) ADOPTCTX(NO)\n"
        "DEFINE CHANNEL(PAY) CHLTYPE(SVRCONN) MCAUSER('payapp')\n"
        "SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)\n"
        "SET CHLAUTH(PAY) TYPE(ADDRESSMAP) ADDRESS('{}') USERSRC(CHANNEL)\n"
    )

    def found(before: str, after: str) -> set[tuple[str, ...]]:
        return {
            (each["kind"], each["who"], *each["addresses"])
            for each in planned(project, mqlint, before, after)["connections"]
            if each["channel"] == "PAY"
        }

    assert found(records.format("OPTIONAL", "10.1.*"), records.format("REQUIRED", "10.2.*")) == {
        ("no longer admitted", "anybody without a password", "10.1.*"),
        ("no longer admitted", "anybody with a password", "10.1.*"),
        ("newly admitted", "anybody with a password", "10.2.*"),
    }
    alike = found(records.format("OPTIONAL", "10.1.*"), records.format("OPTIONAL", "10.2.*"))
    assert {who for _, who, *_ in alike} == {"anybody"}


def test_a_cipher_that_is_added_is_compared_for_both_kinds_of_partners(
    project: Path, mqlint: Mqlint
) -> None:
    records = (
        "SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)\n"
        "SET CHLAUTH(PAY) TYPE(ADDRESSMAP) ADDRESS('{}') USERSRC(MAP) MCAUSER('payapp')\n"
        "DEFINE CHANNEL(PAY) CHLTYPE(SVRCONN){}\n"
    )
    before = records.format("10.1.*", "")
    after = records.format("10.*", " SSLCIPH(ANY_TLS12_OR_HIGHER)")
    plan = planned(project, mqlint, before, after)
    found = {
        (each["kind"], each["who"], *each["addresses"])
        for each in plan["connections"]
        if each["channel"] == "PAY"
    }
    assert found == {
        ("no longer admitted", "anybody without a certificate", "10.1.*"),
        ("newly admitted", "anybody with a certificate", "10.0.*", "10.2-255.*"),
    }


@pytest.mark.parametrize("name", CONNECTIONS)
def test_channel_authentication_is_compared_as_sets(
    name: str, project: Path, mqlint: Mqlint
) -> None:
    a, b, wanted = CONNECTIONS[name]
    plan = planned(project, mqlint, CHLAUTH + a, CHLAUTH + b)
    found = {
        (each["kind"], each["channel"], addresses, each["witness"])
        for each in plan["connections"]
        for addresses in each["addresses"]
        if each["channel"] in ("APP.SVRCONN", "WEB.SVRCONN") and ":" not in addresses
    }
    assert found == wanted


@pytest.mark.slow
def test_connections_beyond_the_budget_are_not_decided(project: Path, mqlint: Mqlint) -> None:
    channels = "".join(
        f"DEFINE CHANNEL(C{n}) CHLTYPE(SVRCONN) MCAUSER('m{n}')\n" for n in range(70)
    )
    records = "".join(
        f"SET CHLAUTH(*) TYPE(ADDRESSMAP) ADDRESS('10.1.{n}.*') USERSRC(MAP) MCAUSER('u{n}')\n"
        for n in range(70)
    )
    plan = planned(project, mqlint, channels, channels + records)
    faults = {row["fault"] for row in plan["connections"] if row["kind"] == "not decided"}
    assert faults == {"too many connections to compare for the number of commands"}
    assert len(plan["connections"]) < 70 * 70


def test_what_depends_on_an_object_is_listed(project: Path, mqlint: Mqlint) -> None:
    (project / "mqlint.yaml").write_text(
        'queue_managers: "*/{queue_manager}.mqsc"\n'
        "sites: {leeds: {role: production, paths: ['*/QM2.mqsc']}}\n"
    )
    one = (
        "DEFINE QLOCAL(ORDERS) MAXDEPTH({})\nDEFINE QALIAS(AL) TARGET(ORDERS)\n"
        "DEFINE CHANNEL(A.B) CHLTYPE(RCVR) MAXMSGL({}00)\n"
    )
    two = (
        "DEFINE QREMOTE(TO) RNAME(ORDERS) RQMNAME(QM1) XMITQ(QM1)\n"
        "DEFINE CHANNEL(A.B) CHLTYPE(SDR) CONNAME('h') XMITQ(QM1)\n"
    )
    for side, depth in (("one", 1), ("two", 2)):
        (project / side).mkdir()
        (project / side / "QM1.mqsc").write_text(one.format(depth, depth))
        (project / side / "QM2.mqsc").write_text(two)
    found = json.loads(mqlint("plan", "one", "two", "--format", "json").stdout)
    steps = next(plan["steps"] for plan in found["queue_managers"] if plan["a"] == "QM1")
    assert {
        (step["name"], each["type"], each["name"], each["queue_manager"], each["site"])
        for step in steps
        for each in step["dependants"]
    } == {
        ("ORDERS", "qalias", "AL", None, None),
        ("ORDERS", "qremote", "TO", "QM2", "leeds"),
        ("A.B", "channel", "A.B", "QM2", "leeds"),
    }


def test_only_a_channel_of_a_matching_type_is_the_other_end(project: Path, mqlint: Mqlint) -> None:
    (project / "mqlint.yaml").write_text('queue_managers: "*/{queue_manager}.mqsc"\n')
    sender = "DEFINE CHANNEL(TO.HUB) CHLTYPE(CLUSSDR) CLUSTER(C) CONNAME('h{}')\n"
    receiver = "DEFINE CHANNEL(TO.HUB) CHLTYPE(CLUSRCVR) CLUSTER(C) CONNAME('h1')\n"
    for side, number in (("one", 1), ("two", 2)):
        (project / side).mkdir()
        for name in ("QM1", "QM2"):
            (project / side / f"{name}.mqsc").write_text(sender.format(number))
        (project / side / "HUB.mqsc").write_text(receiver)
    found = json.loads(mqlint("plan", "one", "two", "--format", "json").stdout)
    dependants = {
        (plan["a"], each["queue_manager"])
        for plan in found["queue_managers"]
        for step in plan["steps"]
        for each in step["dependants"]
    }
    assert dependants == {("QM1", "HUB"), ("QM2", "HUB")}


def test_an_object_with_an_unknown_value_is_not_made(project: Path, mqlint: Mqlint) -> None:
    a = "DEFINE QLOCAL(ORDERS)\n"
    b = f"{a}DEFINE PROCESS(ORDERS.PROC) APPLICID('{{{{ program }}}}')\n"
    plan = planned(project, mqlint, a, b)
    assert [found["why"] for found in plan["left"]] == ["the files do not decide APPLICID"]
    assert plan["commands"] == []


def test_no_command_has_a_name_that_mqsc_cannot_hold(project: Path, mqlint: Mqlint) -> None:
    b = "DEFINE QLOCAL('a\x07b')\nDEFINE QLOCAL({{ name }})\nDEFINE QLOCAL(OK)\n"
    plan = planned(project, mqlint, "DEFINE QALIAS(A) TARGET(OK)\n", b)
    assert plan["commands"] == ["DEFINE QLOCAL('OK')", "DELETE QALIAS('A')"]


def test_what_default_objects_change_is_written(project: Path, mqlint: Mqlint) -> None:
    a = "ALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) MAXDEPTH(7)\nDEFINE QLOCAL(Q)\n"
    plan = planned(project, mqlint, a, "DEFINE QLOCAL(Q)\nDEFINE QLOCAL(R)\n")
    after = a + "\n".join(plan["commands"]) + "\n"
    assert equal(project, mqlint, after, "DEFINE QLOCAL(Q)\nDEFINE QLOCAL(R)\n") == []
    assert "DEFINE QLOCAL('R') MAXDEPTH(5000)" in plan["commands"]


def test_default_objects_that_a_dump_leaves_out_are_not_deleted(
    project: Path, mqlint: Mqlint
) -> None:
    head = "* Queue manager name: QMA\n* Command issued: dmpmqcfg -m QMA -t all\n"
    head = f"{'*' * 90}\n* Script generated on 2015-07-08   at 13.36.04\n{head}{'*' * 90}\n"
    b = head + "DEFINE CHANNEL('APP') CHLTYPE(SVRCONN)\n"
    a = b + "ALTER CHANNEL('SYSTEM.DEF.SVRCONN') CHLTYPE(SVRCONN) MCAUSER('app')\n"
    commands = planned(project, mqlint, a, b)["commands"]
    assert not any("DELETE" in command for command in commands)
    listed = "DEFINE CHANNEL('SYSTEM.DEF.RECEIVER') CHLTYPE(RCVR)\n"
    commands = planned(project, mqlint, a + listed, b + listed)["commands"]
    assert any("DELETE CHANNEL('SYSTEM.DEF.SVRCONN')" in command for command in commands)


NEIGHBOURS = {
    "a queue is there before a remote queue leads to it, and deleted after it": (
        {
            "QMA": "DEFINE QREMOTE(PAY) RNAME(PAY.1) RQMNAME(QMB) XMITQ(QMB)\n",
            "QMB": "DEFINE QLOCAL(PAY.1)\n",
        },
        {
            "QMA": "DEFINE QREMOTE(PAY) RNAME(PAY.2) RQMNAME(QMB) XMITQ(QMB)\n",
            "QMB": "DEFINE QLOCAL(PAY.2)\n",
        },
        [("QMB define PAY.2", "QMA alter PAY"), ("QMA alter PAY", "QMB delete PAY.1")],
    ),
    "a receiver is there before its sender": (
        {"QMA": "DEFINE QLOCAL(Q)\n", "QMB": "DEFINE QLOCAL(Q)\n"},
        {
            "QMA": "DEFINE QLOCAL(Q)\nDEFINE CHANNEL(A.B) CHLTYPE(SDR) CONNAME(b) XMITQ(Q)\n",
            "QMB": "DEFINE QLOCAL(Q)\nDEFINE CHANNEL(A.B) CHLTYPE(RCVR)\n",
        },
        [("QMB define A.B", "QMA define A.B")],
    ),
    "a sender goes before its receiver": (
        {
            "QMA": "DEFINE QLOCAL(Q)\nDEFINE CHANNEL(A.B) CHLTYPE(SDR) CONNAME(b) XMITQ(Q)\n",
            "QMB": "DEFINE QLOCAL(Q)\nDEFINE CHANNEL(A.B) CHLTYPE(RCVR)\n",
        },
        {"QMA": "DEFINE QLOCAL(Q)\n", "QMB": "DEFINE QLOCAL(Q)\n"},
        [("QMA delete A.B", "QMB delete A.B")],
    ),
    "several queue managers may be called, or a queue is of this one": (
        dict.fromkeys(("QMA", "QMB", "QMC"), "DEFINE QLOCAL(Q)\n"),
        {
            "QMA": "DEFINE QLOCAL(Q)\nDEFINE CHANNEL(C) CHLTYPE(CLNTCONN) CONNAME(b)\n"
            "DEFINE QLOCAL(R)\nDEFINE QREMOTE(S) RNAME(R) RQMNAME(QMA)\n",
            **dict.fromkeys(
                ("QMB", "QMC"), "DEFINE QLOCAL(Q)\nDEFINE CHANNEL(C) CHLTYPE(SVRCONN)\n"
            ),
        },
        [],
    ),
}


@pytest.mark.parametrize("name", NEIGHBOURS)
def test_what_one_queue_manager_needs_before_another_is_said(
    name: str, project: Path, mqlint: Mqlint
) -> None:
    now, wanted, expected = NEIGHBOURS[name]
    (project / "mqlint.yaml").write_text(CONFIG + 'queue_managers: "*/{queue_manager}.mqsc"\n')
    for folder, files in (("a", now), ("b", wanted)):
        (project / folder).mkdir()
        for file, text in files.items():
            (project / folder / f"{file}.mqsc").write_text(text)

    def told(step: dict[str, str]) -> str:
        return f"{step['queue_manager']} {step['kind']} {step['name']}"

    found = json.loads(mqlint("plan", "a", "b", "--format", "json").stdout)["between"]
    assert [(told(each["first"]), told(each["then"])) for each in found] == expected
    for form in ("text", "markdown", "html"):
        output = mqlint("plan", "a", "b", "--format", form).output
        assert ("etween queue managers" in output) == bool(expected)


MAPPED = (
    "ALTER QMGR CHLAUTH(ENABLED) CONNAUTH(' ')\n"
    "DEFINE CHANNEL({0}.APP) CHLTYPE(SVRCONN)\n"
    "SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)\n"
    "SET CHLAUTH({0}.APP) TYPE(ADDRESSMAP) ADDRESS('{1}.1.*') USERSRC(MAP) MCAUSER('app')\n"
)
MAPPED_MORE = "SET CHLAUTH(PRD.APP) TYPE(ADDRESSMAP) ADDRESS('10.10.7.*') MCAUSER('app')\n"


def test_connections_are_compared_after_names_and_networks_are_mapped(
    project: Path, mqlint: Mqlint
) -> None:
    dr, production = MAPPED.format("DRS", "10.20"), MAPPED.format("PRD", "10.10") + MAPPED_MORE
    words = ("--rename", "PRD=DRS", "--rename", "10.10.=10.20.")
    plan = planned(project, mqlint, dr, production, *words)
    (found,) = plan["connections"]
    assert (found["kind"], found["channel"]) == ("newly admitted", "DRS.APP")
    assert found["addresses"] == ["10.20.7.*"]
    assert found["after"]["record"]["line"] == 5
    # A mapping of a word of commands would give other commands.
    plan = planned(project, mqlint, dr, production, *words, "--rename", "CHLAUTH=CHLAUTHS")
    assert plan["connections"] == []
    (project / "b.mqsc").write_bytes(production.encode() + b"* \xe9\n")
    done = mqlint("plan", "a.mqsc", "b.mqsc", *words, "--format", "json")
    assert json.loads(done.stdout)["queue_managers"][0]["connections"] == []


def test_names_of_b_are_mapped(project: Path, mqlint: Mqlint) -> None:
    a = "DEFINE QREMOTE(DRS.IN) RNAME(X) RQMNAME(DRSQM) XMITQ(X)\n"
    b = a.replace("DRS", "PRD").replace("RNAME(X)", "RNAME(PRD.X)")
    plan = planned(project, mqlint, a, b, "--rename", "PRD=DRS")
    assert plan["commands"] == ["ALTER QREMOTE('DRS.IN') RNAME('DRS.X')"]
    assert plan["undo"] == ["ALTER QREMOTE('DRS.IN') RNAME('X')"]


HOSTILE = "DEFINE QLOCAL(Q) DESCR('<img src=x onerror=alert(1)>')\nALTER QMGR MAXHANDS({})\n"


def test_the_page_has_the_whole_plan_and_no_script(project: Path, mqlint: Mqlint) -> None:
    for name, text in (("a", A), ("b", B)):
        (project / f"{name}.mqsc").write_text(text)
    plan = json.loads(mqlint("plan", "a.mqsc", "b.mqsc", "--format", "json").stdout)
    page = mqlint("plan", "a.mqsc", "b.mqsc", "--format", "html").stdout
    assert page.startswith("<!DOCTYPE html>")
    assert "Content-Security-Policy" in page
    text = html.unescape(page)
    for manager in plan["queue_managers"]:
        wanted = [*manager["commands"], *manager["undo"], *manager["questions"]]
        for item in wanted:
            assert (item if isinstance(item, str) else item["text"]) in text
    requests = re.findall(r"<(?:script|img|link|iframe)|src=|@import|url\(", page)
    assert not requests


def test_names_from_files_are_text_in_the_page(project: Path, mqlint: Mqlint) -> None:
    (project / "<b>a.mqsc").write_text(HOSTILE.format(1), "utf-8")
    (project / "b.mqsc").write_text(HOSTILE.format(2).replace("alert", "print"), "utf-8")
    page = mqlint("plan", "<b>a.mqsc", "b.mqsc", "--format", "html").stdout
    assert "&lt;img src=x onerror=print(1)&gt;" in page
    assert "<img" not in page
    assert "<b>" not in page
    assert "unknown</span>" in page


def test_scripts_are_for_one_queue_manager(project: Path, mqlint: Mqlint) -> None:
    (project / "mqlint.yaml").write_text('queue_managers: "*/{queue_manager}/*"\n')
    for side, depth in (("one", 1), ("two", 2)):
        for name in ("QM1", "QM2"):
            folder = project / side / name
            folder.mkdir(parents=True)
            (folder / "x.mqsc").write_text(f"DEFINE QLOCAL(Q) MAXDEPTH({depth})\n")
    (project / "one" / "QM1" / "qm.ini").write_text("AutoConfig:\n   MQSCConfig=/x.mqsc\n")
    done = mqlint("plan", "one", "two", "--format", "mqsc")
    assert done.exit_code == 2
    assert "--queue-manager" in done.output
    done = mqlint("plan", "one", "two", "--format", "undo", "--queue-manager", "QM1")
    assert done.output.splitlines() == [
        "* undo of the plan for QM1",
        "ALTER QLOCAL('Q') MAXDEPTH(1)",
    ]
    text = mqlint("plan", "one", "two").output
    assert "automatic configuration runs MQSC at each start" in text
    assert mqlint("plan", "one", "two", "--queue-manager", "QM9").exit_code == 2


def test_any_bytes_are_taken(project: Path, mqlint: Mqlint) -> None:
    (project / "a.mqsc").write_bytes(bytes(range(1, 256)) * 3 + b"\nDEFINE QLOCAL('\x1b[31m')\n")
    (project / "b.mqsc").write_bytes(b"DEFINE QLOCAL(A) LIKE(A)\nDEFINE QLOCAL(B) LIKE(A) X(+\n")
    for form in ("text", "json", "markdown", "mqsc", "undo"):
        done = mqlint("plan", "a.mqsc", "b.mqsc", "--format", form)
        assert done.exit_code in (0, 1, 2)
        assert "\x1b" not in done.output
        assert "fault of mqlint" not in done.output


def test_wrong_usage_is_an_error(project: Path, mqlint: Mqlint) -> None:
    (project / "a.mqsc").write_text("DEFINE QLOCAL(Q)\n")
    for words in ((), ("a.mqsc", "gone"), ("a..b",), ("a.mqsc", "a.mqsc", "--rename", "x")):
        assert mqlint("plan", *words).exit_code == 2
    assert mqlint("plan", "a.mqsc", "a.mqsc").exit_code == 0


EDITS = {
    "a number of files": ("Log:\n LogPrimaryFiles=3\n", "Log:\n LogPrimaryFiles=4\n", "manager"),
    "their size": ("Log:\n LogFilePages=4096\n", "log:\n logfilepages=8192\n", "creation"),
    "a limit": ("Channels:\n MaxChannels=1\n", "Channels:\n MaxChannels=2\n", "manager"),
    "a new stanza": ("Log:\n", "Log:\nTCP:\n KeepAlive=Yes\n", "manager"),
}


@pytest.mark.parametrize("name", EDITS)
def test_edits_of_ini_files_have_effects_too(name: str, project: Path, mqlint: Mqlint) -> None:
    before, after, when = EDITS[name]
    for side, text in (("a", before), ("b", after)):
        (project / side / "QMA").mkdir(parents=True)
        (project / side / "QMA" / "qm.ini").write_text(text)
    (project / "mqlint.yaml").write_text('queue_managers: "*/{queue_manager}/*"\n')
    found = json.loads(mqlint("plan", "a", "b", "--format", "json").stdout)
    (left,) = found["queue_managers"][0]["left"]
    assert left["effect"] == when
    assert left["see"].startswith("https://")
    assert "edit the file: " in mqlint("plan", "a", "b", "--format", "markdown").stdout


PROFILES = {
    "the same group": ("GROUP('ops')", "APP.**", "APP.IN", True),
    "another group": ("GROUP('app')", "APP.**", "APP.IN", False),
    "a queue that the wider profile does not fit": ("GROUP('ops')", "APP.*", "APP.A.IN", False),
    "a generic profile": ("GROUP('ops')", "APP.**", "APP.*", False),
}


@pytest.mark.parametrize("name", PROFILES)
def test_a_narrower_profile_takes_authority_away(name: str, project: Path, mqlint: Mqlint) -> None:
    who, wide, narrow, is_said = PROFILES[name]
    record = "SET AUTHREC PROFILE({}) OBJTYPE(QUEUE) {} AUTHADD({})\n"
    wider = record.format(wide, "GROUP('ops')", "PUT,GET")
    more = wider + record.format(narrow, who, "GET")
    for a, b, text in ((wider, more, "takes away PUT"), (more, wider, "grants PUT")):
        (step,) = planned(project, mqlint, a, b)["steps"]
        assert (text in (step["changes"][0]["then"] or "")) is is_said


def test_secrets_are_set_before_they_count(project: Path, mqlint: Mqlint) -> None:
    ldap = "DEFINE AUTHINFO(L) AUTHTYPE(IDPWLDAP) CONNAME('l') SHORTUSR('u') LDAPPWD('s3cret')\n"
    planned(project, mqlint, "DEFINE QLOCAL(Q)\n", f"{ldap}ALTER QMGR CONNAUTH(L)\n")
    shown = mqlint("plan", "a.mqsc", "b.mqsc", "--format", "mqsc").stdout
    assert "* by hand, before REFRESH SECURITY: authinfo L LDAPPWD" in shown


def test_what_a_deletion_loses_is_said_before_it_runs(project: Path, mqlint: Mqlint) -> None:
    sub = "DEFINE SUB(S) TOPICSTR('{}') DEST(Q)\n"
    planned(project, mqlint, sub.format("a"), sub.format("b"))
    shown = " ".join(mqlint("plan", "a.mqsc", "b.mqsc").stdout.split())
    assert "lost: publications from now until the subscription is defined again" in shown


def test_effects_are_about_attributes_that_exist() -> None:
    for effect in Effects(vocabulary()).entries:
        assert effect.see or effect.lost
        for noun in effect.of - {"STANZA"}:
            known = vocabulary().attributes_of(noun.lower())
            assert known, noun
            assert effect.attributes <= known, (noun, effect.attributes)
        if "STANZA" in effect.of:
            kinds = {
                stanza: vocabulary().ini.stanza(INI.get(stanza, "qm.ini"), stanza)
                for stanza in effect.types
            }
            for name, stanza in kinds.items():
                assert stanza is not None, name
                assert all(stanza.key(key) is not None for key in effect.attributes), name


INI = {"LogDefaults": "mqs.ini"}


def test_channels_that_share_many_differences_name_the_first(project: Path, mqlint: Mqlint) -> None:
    channels = "".join(f"DEFINE CHANNEL(C{number}) CHLTYPE(SVRCONN)\n" for number in range(9))
    record = (
        "SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('10.1.{0}.7') USERSRC(MAP) MCAUSER({1}{0})\n"
    )
    before, after = ("".join(record.format(number, user) for number in range(30)) for user in "ab")
    connections = planned(project, mqlint, channels + before, channels + after)["connections"]
    first = [row for row in connections if row["channel"] == "C0"]
    assert len(first) == 30
    assert {row["same_as"] for row in first} == {None}
    others = [(row["kind"], row["same_as"]) for row in connections if row["channel"] == "C5"]
    assert others == [("other user", "C0")]
    assert "other user: on C5 as on C0" in mqlint("plan", "a.mqsc", "b.mqsc").stdout
