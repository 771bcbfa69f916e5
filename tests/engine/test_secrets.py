"""What is secret is in no finding, packed reading or report, also behind a misspelt word."""

from __future__ import annotations

import pytest

from mqlint.engine import Analyser, Run
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.document.pack import pack, pack_finding
from mqlint.engine.loading.load import Input, load
from mqlint.report import Report, Style, renderer
from tests.engine.conftest import Lint, settings_of

WORD = "Hunter2Xq"
SETTINGS = settings_of("queue_managers: '{queue_manager}/*'\n")

MQSC = [
    "DEFINE CHANNEL(TO.B) CHLTYPE(SDR) XMITQ(B) CONNAME('b') USERID('u') PASSWORD('{}')",
    "DEFINE CHANNEL(TO.B) CHLTYPE(SDR) XMITQ(B) CONNAME('b') PASSWORD({})",
    "DEFINE CHANNEL(TO.B) CHLTYPE(SDR) XMITQ(B) CONNAME('b') PASWORD('{}')",
    "DEFINE CHANNEL(TO.B) CHLTYPE(SDR) XMITQ(B) CONNAME('b') PASSWRD({}) MAXDEPHT(1)",
    "DEFINE CHANNEL(TO.B) CHLTYPE(SDR) PASSWORD +\n   ('{}') +\n  NOSUCH(X)",
    "DEFINE CHANNEL(TO.B) CHLTYPE(RCVR) PASSWORD('{} and far too long for it')",
    "DEFINE CHANNEL(TO.B) CHLTYPE(SDR) password( '{}' ) PASSWORD('{}')",
    "DEFINE AUTHINFO(L) AUTHTYPE(IDPWLDAP) CONNAME('l') LDAPUSER('u') LDAPPWD('{}')",
    "DEFINE AUTHINFO(L) AUTHTYPE(CRLLDAP) CONNAME('l') LDAPPW('{}')",
    "ALTER QMGR SSLCRYP('GSK_PKCS11=/usr/lib/x.so;token;{};SYMMETRIC_CIPHER_ON;')",
    "ALTER QMGR KEYRPWD('{}') NOSUCH(1)",
    "ALTER QMGR KEYRPW('{}')",
    "ALTER QMGR INITKEY('{}')",
    "ALTER QMGR INITKY('{}')",
    "ALTER CHANNEL(TO.B) CHLTYPE(SDR) PASSWORD '{}'",
    "ALTER CHANNEL(TO.B) CHLTYPE(SDR) PASSWORD={}",
    "ALTER CHANNEL(TO.B) CHLTYPE(SDR) PASSWRD = {} HBINT(1)",
    "ALTER CHANNEL(TO.B) CHLTYPE(SDR) PASSWORD +\n{} HBINT(1)",
    "ALTER CHANNEL(TO.B) CHLTYPE(SDR) PASSWORD {} HBINT(1)",
    "ALTER CHANNEL(TO.B) CHLTYPE(SDR) PASSWORD('{}",
    "ALTER QLOCAL(A) PASSWORD('{}')",
    "DEFNE CHANNEL(TO.B) PASSWORD('{}')",
    "DEFINE CHANNEL(TO.B) CHLTYPE(CLUSRCVR) CLUSTER(C) CONNAME('b') PASSWORD('{}') PASSWORD('x')",
]
OTHERS = {
    "QMA/qm.ini": "SSL:\n   KeyRepositoryPassword={}\n   AllowTLSV13=MAYBE\n",
    "QMA/mqclient.ini": "SSL:\n   SSLKeyRepositoryPassword={}\n",
    "setup.sh": (
        "#!/bin/sh\nrunmqsc QMA <<EOF\nALTER CHANNEL(C) CHLTYPE(SDR) PASSWRD('{}') NOSUCH(1)\nEOF\n"
    ),
}


def everything(run: Run) -> str:
    report = Report(run.findings, run.coverage, run.assumptions, run.text_of)
    shown = ["".join(renderer(form)(report, Style())) for form in ("text", "json")]
    return "\n".join([*shown, *map(repr, run.findings), *map(pack_finding, run.findings)])


def packed(path: str, text: str, analyser: Analyser) -> str:
    assembly = Assembly(SETTINGS, analyser.vocabulary)
    reading = load(Input(path, data=text.encode()), assembly, analyser).reading
    assert reading is not None
    return repr(pack(reading))


@pytest.mark.parametrize("text", MQSC)
def test_secrets_of_commands(text: str, lint: Lint, analyser: Analyser) -> None:
    said = text.replace("{}", WORD) + "\n"
    files = {"QMA/a.mqsc": said, "QMA/b.mqsc": "DEFINE QLOCAL(A) NOSUCH(1)\n"}
    assert WORD.lower() not in everything(lint(files, SETTINGS)).lower()
    assert WORD.lower() not in packed("QMA/a.mqsc", said, analyser).lower()


@pytest.mark.parametrize("path", OTHERS)
def test_secrets_of_other_languages(path: str, lint: Lint, analyser: Analyser) -> None:
    said = OTHERS[path].replace("{}", WORD)
    assert WORD.lower() not in everything(lint({path: said}, SETTINGS)).lower()
    assert WORD.lower() not in packed(path, said, analyser).lower()
