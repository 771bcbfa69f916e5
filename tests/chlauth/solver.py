"""Whether a partner gets in, asked of a solver: the rules of CHLAUTH written down a second time.

Nothing of mqlint decides here. A partner is a handful of variables (four numbers of an address, a
user, a password, a queue manager, a certificate); the records are formulas about them, the
strongest first; the solver looks for values with which the partner is let in.
"""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import z3

USERS = ("anna", "bob", "mqm", "app", "nobody")
NETWORK = (10, 1)
PATTERNS = ("*", "10.*", "10.1.*", "10.1.2.*", "10.1.2.3", "10.1.2.0-127", "10.1.3-9.*", "10.2.*")
MANAGERS = ("*", "QM*", "QM2", "QM2*", "X*")
NAMES = ("CN=app", "CN=ap*", "CN=other", "O=Example", "CN=app,O=Example", "CN=*")
ISSUERS = ("", "", "CN=root", "CN=old")


class Row(NamedTuple):
    """One record: whom it is for, from where, and what it does."""

    profile: str
    kind: str
    partner: str
    issuer: str
    address: str
    source: str
    user: str

    @property
    def key(self) -> tuple[str, ...]:
        return self[:5]

    def text(self) -> str:
        words = {"USERMAP": "CLNTUSER", "QMGRMAP": "QMNAME", "SSLPEERMAP": "SSLPEER"}
        partner = f" {words[self.kind]}('{self.partner}')" if self.kind in words else ""
        issuer = f" SSLCERTI('{self.issuer}')" if self.issuer else ""
        address = f" ADDRESS('{self.address}')" if self.address else ""
        user = f" MCAUSER('{self.user}')" if self.source == "MAP" else ""
        return (
            f"SET CHLAUTH('{self.profile}') TYPE({self.kind}){partner}{issuer}{address} "
            f"USERSRC({self.source}){user} ACTION(REPLACE)"
        )


class Problem(NamedTuple):
    """A queue manager with one channel."""

    kind: str
    user: str
    cipher: bool
    required: bool
    rows: tuple[Row, ...]
    blocked: tuple[tuple[str, tuple[str, ...]], ...]
    adopts: bool
    early: bool

    @property
    def channel(self) -> str:
        return "APP.A" if self.kind == "SVRCONN" else "TO.QM1"

    def text(self) -> str:
        connauth = "PW" if self.adopts else " "
        lines = [
            f"ALTER QMGR CHLAUTH(ENABLED) CHAD(DISABLED) REVDNS(DISABLED) CONNAUTH('{connauth}')",
            "DEFINE AUTHINFO(PW) AUTHTYPE(IDPWOS) CHCKCLNT(OPTIONAL) ADOPTCTX(YES)",
            "SET CHLAUTH('*') TYPE(BLOCKUSER) ACTION(REMOVEALL)",
        ]
        tls = ""
        if self.cipher:
            tls = f" SSLCIPH(ANY_TLS12) SSLCAUTH({'REQUIRED' if self.required else 'OPTIONAL'})"
        lines.append(
            f"DEFINE CHANNEL({self.channel}) CHLTYPE({self.kind}) TRPTYPE(TCP) "
            f"MCAUSER('{self.user}'){tls}"
        )
        lines += [row.text() for row in self.rows]
        for profile, users in self.blocked:
            listed = ",".join(f"'{user}'" for user in users)
            lines.append(f"SET CHLAUTH('{profile}') TYPE(BLOCKUSER) USERLIST({listed})")
        return "\n".join(lines) + "\n"

    def ini(self) -> str:
        return f"CHANNELS:\n   MaxChannels=9\n   ChlauthEarlyAdopt={'Y' if self.early else 'N'}\n"


def problem(random: Random) -> Problem:
    """Return one made by chance, of words few enough to meet."""
    kind = random.choice(["SVRCONN", "SVRCONN", "RCVR"])
    rows = {row.key: row for row in (_row(random) for _ in range(random.randrange(1, 9)))}
    if random.random() < 0.7:
        row = Row("*", "ADDRESSMAP", "", "", "*", "NOACCESS", "")
        rows[row.key] = row
    lists = {
        random.choice(["*", "APP.*", "APP.A"]): tuple(
            random.sample(["*MQADMIN", "bob", "app", "nobody"], random.randrange(1, 4))
        )
        for _ in range(random.randrange(3))
    }
    cipher = random.random() < 0.5
    return Problem(
        kind,
        random.choice(["", "", "app", "mqm", "*NOACCESS"]),
        cipher,
        random.random() < 0.5,
        tuple(rows.values()),
        tuple(lists.items()),
        random.random() < 0.4,
        random.random() < 0.5,
    )


def _row(random: Random) -> Row:
    profile = random.choice(["*", "APP.*", "APP.A", "TO.*", "TO.QM1"])
    kind = random.choice(["ADDRESSMAP", "ADDRESSMAP", "USERMAP", "QMGRMAP", "SSLPEERMAP"])
    address = random.choice(PATTERNS)
    if kind != "ADDRESSMAP" and random.random() < 0.5:
        address = ""
    partner = {
        "ADDRESSMAP": "",
        "USERMAP": random.choice(USERS),
        "QMGRMAP": random.choice(MANAGERS),
        "SSLPEERMAP": random.choice(NAMES),
    }[kind]
    issuer = random.choice(ISSUERS) if kind == "SSLPEERMAP" else ""
    source = random.choice(["MAP", "CHANNEL", "NOACCESS", "NOACCESS"])
    user = random.choice(["app", "bob", "mqm", "nobody"]) if source == "MAP" else ""
    return Row(profile, kind, partner, issuer, address, source, user)


# -- the same as formulas -----------------------------------------------------------------------


class _Partner:
    """The variables of a partner."""

    def __init__(self) -> None:
        self.address = [z3.Int(f"octet{number}") for number in range(4)]
        self.user = z3.String("user")
        self.password = z3.Bool("password")
        self.known_as = z3.String("known_as")
        self.manager = z3.String("manager")
        self.shows = z3.Bool("shows")
        self.names = {word: z3.String(word) for word in ("CN", "O")}
        self.has = {word: z3.Bool(f"has_{word}") for word in ("CN", "O")}
        self.issuer = z3.String("issuer")


def gets_in(found: Problem) -> bool:
    """Whether some partner from 10.1.0.0/16 gets in."""
    solver = z3.Solver()
    partner = _Partner()
    for octet in partner.address:
        solver.add(octet >= 0, octet <= 255)
    solver.add(partner.address[0] == NETWORK[0], partner.address[1] == NETWORK[1])
    if not found.cipher:
        solver.add(z3.Not(partner.shows))
    if found.cipher and found.required:
        solver.add(partner.shows)
    adopted = z3.And(partner.password, found.adopts, found.kind == "SVRCONN")
    early = z3.And(adopted, found.early)
    asserted = z3.If(early, partner.known_as, partner.user)
    own = asserted if not found.user else z3.StringVal(found.user)
    if found.kind != "SVRCONN" and not found.user:
        own = z3.StringVal("(the channel program)")
    of_channel = z3.If(early, asserted, own)
    refused: Any = z3.BoolVal(False)
    user: Any = of_channel
    for row in sorted(_fitting(found), key=_rank, reverse=True):
        fits = _fits(row, found, partner, asserted)
        refused = z3.If(fits, z3.BoolVal(row.source == "NOACCESS"), refused)
        mapped = z3.StringVal(row.user) if row.source == "MAP" else of_channel
        user = z3.If(fits, mapped, user)
    solver.add(z3.Not(refused), user != z3.StringVal("*NOACCESS"))
    if found.kind == "SVRCONN":
        final = z3.If(z3.And(adopted, z3.Not(early)), partner.known_as, user)
        solver.add(z3.Not(_is_blocked(found, final)))
    return bool(solver.check() == z3.sat)


def _fitting(found: Problem) -> list[Row]:
    def matches(profile: str) -> bool:
        if profile.endswith("*"):
            return found.channel.startswith(profile[:-1])
        return found.channel == profile

    other = "QMGRMAP" if found.kind == "SVRCONN" else "USERMAP"
    return [row for row in found.rows if matches(row.profile) and row.kind != other]


def _rank(row: Row) -> tuple[object, ...]:
    """The precedence; the smallest wins."""
    kinds = {"SSLPEERMAP": 0, "USERMAP": 1, "QMGRMAP": 1, "ADDRESSMAP": 2}
    return (
        _name_rank(row.profile),
        kinds[row.kind],
        _dn_rank(row.partner) if row.kind == "SSLPEERMAP" else (_name_rank(row.partner or "*"),),
        _dn_rank(row.issuer) if row.kind == "SSLPEERMAP" else (),
        _address_rank(row.address),
    )


def _name_rank(name: str) -> tuple[int, int]:
    """A whole name, then the pattern with most before its asterisk."""
    return (1, -len(name)) if name.endswith("*") else (0, 0)


def _dn_rank(name: str) -> tuple[object, ...]:
    """CN is looked at before O: a whole value, then a pattern, then none."""
    parts = dict(part.split("=") for part in name.split(",")) if name else {}
    return tuple(_name_rank(parts[word]) if word in parts else (2, 0) for word in ("CN", "O"))


def _address_rank(pattern: str) -> tuple[object, ...]:
    if pattern in ("", "*"):
        return ((3, 0),)
    found: list[tuple[int, int]] = []
    for at, part in enumerate(pattern.split(".")):
        low, dash, high = part.partition("-")
        if part == "*":
            found.append((2, at - 4))
        else:
            found.append((1, int(high) - int(low)) if dash else (0, 0))
    return tuple(found)


def _fits(row: Row, found: Problem, partner: _Partner, asserted: Any) -> Any:  # noqa: ANN401
    parts = [_has_address(row.address, partner)]
    if row.kind == "USERMAP":
        parts.append(asserted == z3.StringVal(row.partner))
    elif row.kind == "QMGRMAP":
        parts.append(_matches(row.partner, partner.manager))
    elif row.kind == "SSLPEERMAP":
        parts.append(z3.And(partner.shows, z3.BoolVal(found.cipher)))
        for part in row.partner.split(","):
            word, _, value = part.partition("=")
            parts.append(z3.And(partner.has[word], _matches(value, partner.names[word])))
        if row.issuer:
            parts.append(partner.issuer == z3.StringVal(row.issuer))
    return z3.And(*parts)


def _matches(pattern: str, text: Any) -> Any:  # noqa: ANN401 a formula
    if pattern.endswith("*"):
        return z3.PrefixOf(z3.StringVal(pattern[:-1]), text)
    return text == z3.StringVal(pattern)


def _has_address(pattern: str, partner: _Partner) -> Any:  # noqa: ANN401 a formula
    parts = []
    for octet, part in zip(partner.address, (pattern or "*").split("."), strict=False):
        if part == "*":
            break
        low, _, high = part.partition("-")
        parts += [octet >= int(low), octet <= int(high or low)]
    return z3.And(*parts)


def _is_blocked(found: Problem, user: Any) -> Any:  # noqa: ANN401 a formula
    """Of the lists whose profile fits, the one of the most specific profile counts alone."""
    lists = [
        (profile, users)
        for profile, users in found.blocked
        if found.channel.startswith(profile.rstrip("*"))
        and (profile.endswith("*") or profile == found.channel)
    ]
    if not lists:
        return z3.BoolVal(False)
    _, users = min(lists, key=lambda entry: _name_rank(entry[0]))
    names = ["mqm" if name == "*MQADMIN" else name for name in users]
    return z3.Or(*(user == z3.StringVal(name) for name in names))
