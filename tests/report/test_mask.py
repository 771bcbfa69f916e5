"""No secret is shown, however it is written."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mqlint.report import Report
from mqlint.report.mask import Mask
from mqlint.report.secret import looks_secret
from tests.linear import is_linear_in_steps

COVERED = [
    "DEFINE CHANNEL(A) CHLTYPE(SDR) PASSWORD('hush') USERID(U)",
    "DEFINE CHANNEL(A) CHLTYPE(SDR) PASSWORD(hush)",
    "define channel(a) password ( 'hush' )",
    "ALTER QMGR SSLCRYP('GSK_PKCS11=/lib/x.so;slot;hush;')",
    "ALTER QMGR KEYRPWD('hush)')",
    "ALTER QMGR KEYRPWD('it''s hush')",
    "DEFINE AUTHINFO(A) LDAPPWD('hush",
    "DEFINE AUTHINFO(A) LDAPPWD(hush",
    "DEFINE CHANNEL(A) PASWORD('hush')",
    "DEFINE CHANNEL(A) PASSWROD('hush')",
    "DEFINE CHANNEL(A) PASSWORD1('hush')",
    "DEFINE CHANNEL(A) PASSWORD 'hush'",
    "DEFINE AUTHINFO(A) LDAPWD('hush')",
    "DEFINE CHANNEL(A) PASSWORD +\n  ('hush')",
    "DEFINE CHANNEL(A) PASSWORD( +\n  'hush')",
    "DEFINE CHANNEL(A) PASSWORD('no+\n  hush')",
    "DEFINE CHANNEL(A) PASSWORD('no-\nhush')",
    "DEFINE CHANNEL(A) PASSW+\n  ORD('hush')",
    "DEFINE CHANNEL(A) REPLACE+\n  SSLCRYP('hush')",
    "DEFINE CHANNEL(A) PASSWORD( +\n* a remark +\n  'hush')",
    "DEFINE CHANNEL(A) PASSWORD(\n'hush')",
    "DEFINE CHANNEL(A) PASSWORD( +\n" + " +\n" * 500 + "'hush')",
    "* the old one: password: hush",
    "Password=hush hush",
    "MQ_ADMIN_PASSWORD=hush runmqsc",
    '"password": "hush"',
    'net { shared-secret "hush"; }',
    "net { shared-secret hush; ping-int 3; }",
    "runmqakm -cert -import -pw hush -file x.p12",
    "runmqakm -target_pw 'hush' -x",
    "tool --password=hush -v",
    "tool --db-password hush=1 --db-password=hush",
]


@pytest.mark.parametrize("text", COVERED[:-1])
def test_secret_is_covered(
    render: Callable[..., str], one: Callable[..., Report], text: str
) -> None:
    line = text.count("\n") + 1
    shown = render("text", one(text + "\n", line, 1, 5), 200)
    assert "hush" not in shown
    assert "****" in shown


@pytest.mark.parametrize("text", COVERED[:-1])
def test_secret_is_covered_on_each_of_its_lines(
    render: Callable[..., str], one: Callable[..., Report], text: str
) -> None:
    for line in range(1, min(text.count("\n") + 2, 9)):
        assert "hush" not in render("text", one(text + "\n", line, 1, 5), 200)


PLAIN = [
    "DEFINE CHANNEL(A) CHLTYPE(SDR) CONNAME('here(1414)')",
    "ALTER QMGR SSLKEYR('/var/mqm/ssl/key') SSLCRLNL(X)",
    "DEFINE CHANNEL(A) SSLCIPH(ANY_TLS12) SSLPEER('CN=a') SSLCAUTH(REQUIRED)",
    "* passwords are kept elsewhere",
    "tool -p x --port 1414",
]


@pytest.mark.parametrize("text", PLAIN)
def test_other_values_are_shown(text: str) -> None:
    assert Mask(text).spans(0, len(text)) == []


def test_what_follows_a_secret_is_shown(
    render: Callable[..., str], one: Callable[..., Report]
) -> None:
    shown = render("text", one("DEFINE CHANNEL(A) PASSWORD('a)b') USERID(U)\n", 1, 35, 41))
    source, mark = shown.splitlines()[2:4]
    assert source == "  1 | DEFINE CHANNEL(A) PASSWORD(****) USERID(U)"
    assert mark.index("^") == source.index("USERID")


def test_fault_in_a_secret_marks_the_cover_and_not_its_length(
    render: Callable[..., str], one: Callable[..., Report]
) -> None:
    shown = render("text", one("A PASSWORD('a very long secret')\n", 1, 14, 16))
    source, mark = shown.splitlines()[2:4]
    assert source[mark.index("^") : mark.rindex("^") + 1] == "****"


def test_words_of_the_vocabulary_are_asked_for() -> None:
    text = "RIDDLE('hush')"
    assert Mask(text, lambda word: word == "RIDDLE").spans(0, len(text)) == [(7, 13)]
    assert not looks_secret("RIDDLE")


def test_lines_of_one_long_command_are_read_once() -> None:
    def read(lines: int) -> None:
        mask = Mask("DEFINE CHANNEL(A) +\n" + "PASSWORD('x') +\n" * lines)
        for start in range(20, 20 + 16 * lines, 16):
            assert len(mask.spans(start, start + 15)) == 1

    assert is_linear_in_steps(read, 1_000)


def test_base64_of_a_secret_is_covered() -> None:
    text = "data:\n  a.mqsc: QUxURVIgUU1HUiBERVNDUignJyk=\n  name: plain-words-are-shown\n"
    (span,) = Mask(text).spans(6, 46)
    assert text[slice(*span)] == "QUxURVIgUU1HUiBERVNDUignJyk="
    last = text.index("  name")
    assert Mask(text).spans(last, len(text)) == []
