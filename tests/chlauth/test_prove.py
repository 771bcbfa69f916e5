"""Proofs about channels, compared with a solver, with single connections, and by hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from mqlint.chlauth.access import ChannelAccess
from mqlint.chlauth.address import network
from mqlint.chlauth.connection import Verdict
from mqlint.chlauth.decide import decide
from mqlint.chlauth.prove import ANY_OTHER, Proof, Prover, proofs
from mqlint.config.settings import Inventory, Settings
from tests.chlauth import chance
from tests.chlauth.accesses import access_of

WHOLE = Settings(queue_managers=("{queue_manager}/*",), inventory=Inventory(objects=True))
SOURCE = network("10.1.0.0/16")


def proof_of(access: ChannelAccess, channel: str) -> Proof:
    return Prover(access, SOURCE).prove(access.channel(channel))


def _agree_with_solver(seed: int, number: int) -> Counter[str]:
    from tests.chlauth import solver

    random = Random(seed)  # noqa: S311 no secret
    counts: Counter[str] = Counter()
    for _ in range(number):
        found = solver.problem(random)
        access = access_of(found.text(), found.ini(), WHOLE)
        proof = proof_of(access, found.channel)
        said = f"{found.text()}\n{found.ini()}\n{proof.witness}\n{proof.unknown}"
        if proof.unknown:
            counts["unknown"] += 1
        elif proof.is_refused:
            counts["refused"] += 1
            assert not solver.gets_in(found), said
        else:
            counts["open"] += 1
            assert solver.gets_in(found), said
    return counts


@pytest.mark.slow
def test_a_solver_says_the_same() -> None:
    pytest.importorskip("z3")
    counts = _agree_with_solver(seed=1, number=150)
    assert counts["refused"] > 20
    assert counts["open"] > 50
    assert counts["unknown"] <= 7


@pytest.mark.long
def test_a_solver_says_the_same_of_many() -> None:
    pytest.importorskip("z3")
    counts = _agree_with_solver(seed=11, number=5_000)
    assert counts["unknown"] <= 200


@pytest.mark.slow
def test_no_single_connection_contradicts_a_proof() -> None:
    random = Random(5)  # noqa: S311 no secret
    counts: Counter[str] = Counter()
    for _ in range(150):
        text, ini = chance.estate(random)
        access = access_of(text, ini, WHOLE)
        for channel in chance.CHANNELS[:3]:
            proof = proof_of(access, channel)
            counts["refused" if proof.is_refused else "other"] += 1
            for _ in range(12):
                connection = chance.connection(random)
                address = f"10.1.{random.randrange(256)}.{random.randrange(256)}"
                found = replace(connection, channel=channel, address=address)
                verdict = decide(access, found).outcome.verdict
                if proof.is_refused:
                    assert verdict is Verdict.BLOCKED, f"{text}\n{ini}\n{found}"
    assert counts["refused"] > 30


def test_host_names_exits_and_templates_are_not_proven() -> None:
    channel = "DEFINE CHANNEL(APP.A) CHLTYPE(SVRCONN) MCAUSER('app') {}\n"
    block = "SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)\n"
    host = "SET CHLAUTH('APP.A') TYPE(ADDRESSMAP) ADDRESS('a.example.com') USERSRC(CHANNEL)\n"
    template = "SET CHLAUTH('APP.A') TYPE(ADDRESSMAP) ADDRESS('{{ net }}') USERSRC(CHANNEL)\n"
    base = "ALTER QMGR CHLAUTH(ENABLED) REVDNS({}) CONNAUTH(' ')\n"
    exits = channel.format("SCYEXIT('x(y)')")
    plain = channel.format("")
    cases = {
        base.format("ENABLED") + plain + block: "refused",
        base.format("ENABLED") + plain + block + host: "host name",
        base.format("DISABLED") + plain + block + host: "refused",
        base.format("ENABLED") + exits + block: "security exit",
        base.format("ENABLED") + plain + block + template: "template",
        base.format("ENABLED") + plain.replace("APP.A", "'APP.A'") + block: "refused",
    }
    for text, wanted in cases.items():
        proof = proof_of(access_of(text, "", WHOLE), "APP.A")
        if wanted == "refused":
            assert proof.is_refused, text
        else:
            assert proof.witness is None
            assert wanted in " ".join(proof.unknown), text


def test_a_user_who_is_adopted_is_not_stopped_by_the_channel() -> None:
    text = (
        "ALTER QMGR CHLAUTH(ENABLED) CONNAUTH(PW)\n"
        "DEFINE AUTHINFO(PW) AUTHTYPE(IDPWOS) CHCKCLNT(OPTIONAL) ADOPTCTX({})\n"
        "DEFINE CHANNEL(APP.A) CHLTYPE(SVRCONN) MCAUSER('mqm')\n"
        "SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('*MQADMIN')\n"
    )
    proof = proof_of(access_of(text.format("NO"), "", WHOLE), "APP.A")
    assert proof.is_refused
    proof = proof_of(access_of(text.format("YES"), "", WHOLE), "APP.A")
    assert proof.witness is not None
    assert "password" in proof.witness.who


def test_a_sender_is_not_proven_unless_a_record_refuses() -> None:
    text = "ALTER QMGR CHLAUTH(ENABLED)\nDEFINE CHANNEL(S) CHLTYPE(SDR) CONNAME(h) XMITQ(X)\n"
    proof = proof_of(access_of(text, "", WHOLE), "S")
    assert "a requester may start a sender" in " ".join(proof.unknown)
    text += "SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('10.*') USERSRC(NOACCESS)\n"
    assert proof_of(access_of(text, "", WHOLE), "S").is_refused


CLOSE_ADMIN = "\nSET CHLAUTH('SYSTEM.ADMIN.SVRCONN') TYPE(ADDRESSMAP) ADDRESS('*') ACTION(REMOVE)"
OTHERS = {
    "CHAD(DISABLED), complete": ("CHAD(DISABLED)", "*", True, None),
    "CHAD(DISABLED), not complete": ("CHAD(DISABLED)", "APP.*", False, "unknown"),
    "CHAD is not set, refused": (CLOSE_ADMIN, "*", True, "refused"),
    "CHAD is not set, shipped record": ("", "*", True, "unknown"),
    "CHAD is not set, not refused": ("", "APP.*", True, "unknown"),
    "CHAD(ENABLED), refused": ("CHAD(ENABLED)" + CLOSE_ADMIN, "*", True, "refused"),
    "CHAD(ENABLED), shipped record": ("CHAD(ENABLED)", "*", True, "open"),
    "CHAD(ENABLED), not refused": ("CHAD(ENABLED)", "APP.*", True, "open"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_channels_that_are_not_defined(name: str) -> None:
    words, profile, whole, wanted = OTHERS[name]
    text = (
        f"ALTER QMGR CHLAUTH(ENABLED) {words}\nDEFINE CHANNEL(APP.A) CHLTYPE(SVRCONN)\n"
        f"SET CHLAUTH('{profile}') TYPE(ADDRESSMAP) ADDRESS('10.1.*') USERSRC(NOACCESS)\n"
    )
    access = access_of(text, "", WHOLE if whole else None)
    found = [proof for proof in proofs(access, SOURCE) if proof.channel.name == ANY_OTHER]
    if wanted is None:
        assert found == []
        return
    (proof,) = found
    kind = "open" if proof.witness else "unknown" if proof.unknown else "refused"
    assert kind == wanted


@pytest.mark.slow
def test_many_records_and_channels_are_proven() -> None:
    random = Random(2)  # noqa: S311 no secret
    lines = ["ALTER QMGR CHLAUTH(ENABLED) CHAD(DISABLED) CONNAUTH(' ')"]
    lines += [
        f"DEFINE CHANNEL(C{number}.SVRCONN) CHLTYPE(SVRCONN) MCAUSER('app')"
        for number in range(500)
    ]
    lines.append("SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)")
    for number in range(999):
        profile = "*" if number % 2 else f"C{number // 2}.SVRCONN"
        address = f"{random.randrange(11, 200)}.{random.randrange(200)}.{number % 256}.*"
        lines.append(
            f"SET CHLAUTH('{profile}') TYPE(ADDRESSMAP) ADDRESS('{address}') USERSRC(CHANNEL)"
        )
    access = access_of("\n".join(lines) + "\n", "", WHOLE)
    found = list(proofs(access, SOURCE))
    assert len(found) > 500
    assert all(proof.is_refused for proof in found)
