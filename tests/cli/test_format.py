"""`mqlint format`: the layout, what is left alone, and that nothing changes its meaning."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqlint.language.mqsc import Dialect, Parser
from mqlint.language.mqsc.layout import COLUMNS, formatted
from tests.cli.conftest import Mqlint
from tests.shipped import shipped_vocabulary

TEXT = """\
* The shop.
def ql(orders) maxdepth ( 5 ), descr('Orders   of +
   the shop') noreplace
display qmgr all

  ALTER QMGR -
CHLAUTH(ENABLED);
"""
LAID = """\
* The shop.
DEF QL(orders) +
    MAXDEPTH(5) +
    DESCR('Orders   of the shop') +
    NOREPLACE
DISPLAY QMGR ALL

ALTER QMGR CHLAUTH(ENABLED);
"""

SAME = {
    "a comment inside": "DEFINE QLOCAL(A) +\n* deep\n  MAXDEPTH(5) PUT(ENABLED)\n",
    "a template": "define qlocal({{ name }}) maxdepth(5) put(enabled)\n",
    "a variable": "define qlocal(${NAME}) maxdepth(5) put(enabled)\n",
    "a branch": "{% if x %}\ndefine qlocal(a) maxdepth(5) put(enabled)\n{% endif %}\n",
    "a command that is broken": "define qlocal(a maxdepth(5)\n",
    "a word that is no command": "defnie qlocal(a) maxdepth(5) put(enabled)\n",
    "a value over two lines that is long": (
        "DEFINE QLOCAL(A) +\n"
        "       DESCR('A text that is so long that it does not fit the line +\n"
        "behind its word and so goes on')\n"
    ),
    "what follows END": "END\ndefine   ql(a)\n",
}


def test_the_layout(project: Path, mqlint: Mqlint) -> None:
    file = project / "a.mqsc"
    file.write_text(TEXT)
    file.chmod(0o640)
    assert mqlint("format", "--check", "a.mqsc").exit_code == 1
    assert file.read_text() == TEXT
    done = mqlint("format", "a.mqsc")
    assert done.exit_code == 0
    assert "1 file formatted, 0 unchanged." in done.output
    assert file.read_text() == LAID
    assert file.stat().st_mode & 0o777 == 0o640
    assert mqlint("format", "--check", "a.mqsc").exit_code == 0
    file.with_name("b.mqsc").write_text(TEXT)
    assert mqlint("diff", "a.mqsc", "b.mqsc").exit_code == 0


@pytest.mark.parametrize("name", SAME)
def test_what_is_not_plain_stays_as_it_is(name: str, project: Path, mqlint: Mqlint) -> None:
    (project / "a.mqsc").write_text(SAME[name])
    assert mqlint("format", "a.mqsc").exit_code == 0
    assert (project / "a.mqsc").read_text() == SAME[name]


def test_line_ends_are_kept(project: Path, mqlint: Mqlint) -> None:
    (project / "a.mqsc").write_bytes(TEXT.replace("\n", "\r\n").encode())
    mqlint("format", "a.mqsc")
    assert (project / "a.mqsc").read_bytes() == LAID.replace("\n", "\r\n").encode()
    (project / "a.mqsc").write_bytes(b"def  ql(a)\r\ndef  ql(b)\n")
    done = mqlint("format", "a.mqsc")
    assert "left alone: its lines end in different ways" in done.output


def test_standard_input_is_printed(mqlint: Mqlint) -> None:
    done = mqlint("format", "-", stdin="def  ql(a)\n")
    assert done.stdout == "DEF QL(a)\n"


def test_standard_input_that_is_not_read_is_an_error(mqlint: Mqlint) -> None:
    """A filter that prints nothing and succeeds would empty a buffer of an editor."""
    done = mqlint("format", "-", stdin="hello world\n")
    assert done.exit_code == 2
    assert not done.stdout
    assert "standard input is not formatted: its language is not recognised" in done.stderr


def test_dumps_and_other_languages_are_left_alone(project: Path, mqlint: Mqlint) -> None:
    dump = (
        "* Script generated on 2024-01-02   at 03.04.05\n* Queue manager name: QM1\n"
        "DEFINE  QLOCAL('A') MAXDEPTH(5) PUT(ENABLED)\n"
    )
    script = "#!/bin/sh\nrunmqsc QM1 <<E\ndefine  ql(a) put(enabled) get(enabled)\nE\n"
    (project / "a.mqsc").write_text(dump)
    (project / "b.sh").write_text(script)
    done = mqlint("format", "a.mqsc", "b.sh")
    assert "a.mqsc: left alone: it is a dump" in done.output
    assert "b.sh: left alone: it is not an MQSC script (shell)" in done.output
    assert (project / "a.mqsc").read_text() == dump
    assert (project / "b.sh").read_text() == script


def test_a_diff_shows_no_secret(project: Path, mqlint: Mqlint) -> None:
    (project / "a.mqsc").write_text(
        "DEFINE CHANNEL(C) CHLTYPE(SVRCONN) +\n PASSWORD('hunter2hunter2') +\n DESCR('\x1b[2J')\n"
    )
    done = mqlint("format", "--diff", "a.mqsc")
    assert done.exit_code == 1
    assert "hunter2" not in done.output
    assert "\x1b" not in done.output
    assert "(a line with a secret is not shown)" in done.output
    assert "+       CHLTYPE(SVRCONN) +" in done.output
    mqlint("format", "a.mqsc")
    assert "PASSWORD('hunter2hunter2')" in (project / "a.mqsc").read_text()


_WORDS = st.sampled_from(
    [
        *("DEFINE ", "def ", "ALTER ", "QLOCAL(A) ", "ql('b') ", "MAXDEPTH( 5 ) ", "noreplace "),
        *(
            "DESCR('x  y') ",
            "DESCR('it''s') ",
            "+\n",
            "-\n",
            "\n",
            "* note\n",
            "; ",
            ", ",
            "'",
            "(",
        ),
        *(")", "QMGR ", "CHLAUTH(ENABLED) ", "{{ x }}", "$X ", "\t", "=", "END\n", "\ue000", "\0"),
        *("PASSWORD('s') ", "* mqlint: ignore\n", "\x85", "\u2028", "CONNAME('a(1),b(2)') "),
    ]
)
_PARSER = Parser(shipped_vocabulary())


@pytest.mark.slow
@settings(max_examples=400, deadline=None, derandomize=True)
@given(st.lists(_WORDS, max_size=25).map("".join), st.booleans())
def test_the_layout_is_its_own_layout(text: str, zos: bool) -> None:
    dialect = Dialect(zos)
    once = formatted(text, _PARSER, dialect)
    assert formatted(once.text, _PARSER, dialect).text == once.text
    if once.text != text:
        wide = max(map(len, text.split("\n")))
        assert max(map(len, once.text.split("\n"))) <= max(wide, COLUMNS)
