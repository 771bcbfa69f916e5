"""Records, connections and networks made by chance, from few enough words that they meet."""

from __future__ import annotations

from random import Random

from mqlint.chlauth.connection import Connection

CHANNELS = ("APP.A", "APP.B", "TO.QM1", "SYSTEM.DEF.SVRCONN")
PROFILES = ("*", "APP.*", "APP.A", "TO.*", "*.QM1", "APP*A", "SYSTEM.*")
USERS = ("anna", "ANNA", "mqm", "bob")
MANAGERS = ("QM2", "QM3", "QMX")
NAMES = ("CN=app,O=Example", "CN=app,OU=a,OU=b,O=Example", "CN=other,O=Elsewhere")
PEERS = ("CN=app", "CN=ap*,O=Example", "O=Example", "OU=a", "OU=a,OU=b", "CN=*")
ISSUERS = ("CN=root,O=Trust", "CN=old,O=Trust")
HOSTS = ("app1.example.com", "db.example.com")
PATTERNS = (
    *("*", "10.*", "10.1.*", "10.1.2.*", "10.1.2.3", "10.1-2.*", "10.*.3", "10.*.2.3"),
    *("10.1.2.0-127", "10.1.2.64-191", "192.0.2.*", "2001:DB8:*", "2001:DB8:0:0:0:0:0:0-FF"),
    *("::FFFF:10.1.2.3", "*.3", "0-127.*", "app*.example.com", "db.example.com"),
)
OBJECTS = ("PW", "PW", "' '")
ADDRESSES = (
    *("10.1.2.3", "10.1.2.100", "10.2.2.3", "10.9.9.3", "192.0.2.7", "127.0.0.1"),
    *("2001:db8::9", "2001:db8::1:9", "fe80::1", "::ffff:10.1.2.3"),
)


def estate(random: Random) -> tuple[str, str]:
    """The MQSC of a queue manager, and its qm.ini, blank for none."""
    lines = []
    if random.random() < 0.7:
        lines.append(f"ALTER QMGR CHLAUTH({random.choice(['ENABLED'] * 6 + ['DISABLED'])})")
    lines.append(f"ALTER QMGR REVDNS({random.choice(['ENABLED', 'DISABLED'])})")
    if random.random() < 0.7:
        lines.append("DEFINE AUTHINFO(PW) AUTHTYPE(IDPWOS) " + _authentication(random))
        lines.append(f"ALTER QMGR CONNAUTH({random.choice(OBJECTS)})")
    lines += [
        f"DEFINE CHANNEL({channel}) CHLTYPE(SVRCONN) {_channel(random)}" for channel in CHANNELS[:2]
    ]
    lines.append("DEFINE CHANNEL(TO.QM1) CHLTYPE(RCVR) TRPTYPE(TCP) " + _channel(random))
    lines += [record(random) for _ in range(random.randrange(1, 9))]
    switch = random.choice(["", "MaxChannels=9\n", "ChlauthEarlyAdopt=Y\n"])
    case = random.choice(["", "ChlauthIgnoreUserCase=Yes\n"])
    ini = f"CHANNELS:\n   {switch}   {case}" if switch else ""
    return "\n".join(lines) + "\n", ini


def _authentication(random: Random) -> str:
    check = random.choice(["NONE", "OPTIONAL", "REQUIRED", "REQDADM"])
    return f"CHCKCLNT({check}) ADOPTCTX({random.choice(['YES', 'NO'])})"


def _channel(random: Random) -> str:
    attributes = [f"MCAUSER('{random.choice(['', '', 'app', '*NOACCESS'])}')"]
    if random.random() < 0.5:
        attributes.append("SSLCIPH(ANY_TLS12_OR_HIGHER)")
        attributes.append(f"SSLCAUTH({random.choice(['REQUIRED', 'OPTIONAL'])})")
        attributes.append(random.choice(["", "SSLPEER('O=Example')"]))
    if random.random() < 0.15:
        attributes.append("SCYEXIT('exit(go)')")
    return " ".join(attributes)


def record(random: Random) -> str:
    """One SET CHLAUTH."""
    profile = random.choice(PROFILES)
    kind = random.choice(
        ["ADDRESSMAP"] * 3 + ["USERMAP", "QMGRMAP", "SSLPEERMAP", "BLOCKUSER", "BLOCKADDR"]
    )
    address = random.choice(PATTERNS)
    condition = {
        "ADDRESSMAP": f"ADDRESS('{address}')",
        "USERMAP": f"CLNTUSER('{random.choice(USERS)}')",
        "QMGRMAP": f"QMNAME('{random.choice(['*', 'QM*', 'QM2'])}')",
        "SSLPEERMAP": f"SSLPEER('{random.choice(PEERS)}')",
        "BLOCKUSER": f"USERLIST('{random.choice(['*MQADMIN', 'bob', 'nobody'])}')",
        "BLOCKADDR": f"ADDRLIST('{random.choice(PATTERNS[:-2])}')",
    }[kind]
    if kind == "BLOCKADDR":
        profile = "*"
    warn = random.choice(["", "", "", " WARN(YES)"])
    if kind.startswith("BLOCK"):
        return f"SET CHLAUTH('{profile}') TYPE({kind}) {condition}{warn} ACTION(REPLACE)"
    if kind == "SSLPEERMAP" and random.random() < 0.3:
        condition += f" SSLCERTI('{random.choice(ISSUERS)}')"
    if kind != "ADDRESSMAP" and random.random() < 0.5:
        condition += f" ADDRESS('{address}')"
    source = random.choice(["MAP", "CHANNEL", "NOACCESS", "NOACCESS"])
    effect = f" USERSRC({source})" + (warn if source == "NOACCESS" else "")
    if source == "MAP":
        effect += f" MCAUSER('{random.choice(['app', 'bob', 'mqm'])}')"
    if kind != "QMGRMAP" and random.random() < 0.2:
        effect += f" CHCKCLNT({random.choice(['REQUIRED', 'REQDADM'])})"
    return f"SET CHLAUTH('{profile}') TYPE({kind}) {condition}{effect} ACTION(REPLACE)"


def connection(random: Random) -> Connection:
    """A connection of which some things are not given."""

    def perhaps(values: tuple[str, ...]) -> str | None:
        return random.choice([None, *values])

    return Connection(
        channel=random.choice(CHANNELS),
        address=random.choice(ADDRESSES),
        user=perhaps(USERS),
        queue_manager=perhaps(MANAGERS),
        peer=perhaps(("", *NAMES)),
        issuer=perhaps(ISSUERS),
        hosts=None,
        credentials=perhaps(("", "anna", "carl")),
    )
