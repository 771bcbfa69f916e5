"""What can be asked of the vocabulary."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mqlint.vocabulary import UNKNOWN, FirstReleases, Target, distance, nearest, parse_level
from mqlint.vocabulary.distance import same_but_for_tag
from mqlint.vocabulary.load import load_vocabulary
from tests.shipped import shipped_vocabulary

VOCABULARY = shipped_vocabulary()
ZOS = Target(platform="zos")
LINUX = Target(platform="linux")


@pytest.mark.parametrize(
    ("word", "full"),
    [("DEF", "DEFINE"), ("DEFINE", "DEFINE"), ("EXIT", "END"), ("DEFI", None), ("QLOCAL", None)],
)
def test_verbs(word: str, full: str | None) -> None:
    assert VOCABULARY.verb(word) == full


@pytest.mark.parametrize(
    ("word", "full"),
    [("QL", "QLOCAL"), ("CHL", "CHANNEL"), ("PROC", "PROCESS"), ("DQM", "CHINIT"), ("QLOC", None)],
)
def test_nouns(word: str, full: str | None) -> None:
    assert VOCABULARY.noun(word) == full


def test_res_is_two_verbs() -> None:
    resume = VOCABULARY.command(VOCABULARY.verb("RES") or "", "QMGR")
    resolve = VOCABULARY.command(VOCABULARY.verb("RES") or "", "CHANNEL")
    assert resume is not None
    assert resume.text == "RESUME QMGR"
    assert resolve is not None
    assert resolve.text == "RESOLVE CHANNEL"


def test_synonyms_of_attributes_are_one_attribute() -> None:
    command = VOCABULARY.command("DEFINE", "QALIAS")
    assert command is not None
    assert command.attribute("TARGQ") is command.attribute("TARGET")


def test_a_pair_of_flags_is_one_value() -> None:
    command = VOCABULARY.command("ALTER", "QLOCAL")
    assert command is not None
    first, second = command.attribute("TRIGGER"), command.attribute("NOTRIGGER")
    assert first is not None
    assert second is not None
    assert (first.name, second.name, second.word) == ("TRIGGER", "TRIGGER", "NOTRIGGER")
    assert "NOTRIGGER" not in VOCABULARY.attributes_of("qlocal")


@pytest.mark.parametrize(
    ("object_type", "subtype", "attribute", "target", "expected"),
    [
        ("qlocal", None, "MAXDEPTH", LINUX, "5000"),
        ("qlocal", None, "MAXDEPTH", ZOS, "999999999"),
        ("qlocal", None, "MAXDEPTH", Target(), UNKNOWN),
        ("qlocal", None, "SHARE", LINUX, "SHARE"),
        ("qmodel", None, "SHARE", LINUX, "NOSHARE"),
        ("qmodel", None, "SHARE", Target(), "NOSHARE"),
        ("qmodel", None, "DEFSOPT", Target(), "EXCL"),
        ("qlocal", None, "HARDENBO", LINUX, "HARDENBO"),
        ("qlocal", None, "HARDENBO", Target(), UNKNOWN),
        ("qlocal", None, "DESCR", Target(), ""),
        ("qlocal", None, "RNAME", LINUX, None),
        ("qlocal", None, "REPLACE", LINUX, None),
        ("qlocal", None, "STGCLASS", LINUX, None),
        ("qlocal", None, "STGCLASS", ZOS, "DEFAULT"),
        ("qlocal", None, "STGCLASS", Target(), UNKNOWN),
        ("channel", "SVRCONN", "DISCINT", Target(), "0"),
        ("channel", "SDR", "DISCINT", Target(), "6000"),
        ("channel", None, "DISCINT", Target(), UNKNOWN),
        ("channel", "RCVR", "XMITQ", Target(), None),
        ("channel", "SVRCONN", "PUTAUT", LINUX, None),
        ("channel", "SVRCONN", "PUTAUT", ZOS, "DEF"),
        ("channel", "SVRCONN", "PUTAUT", Target(), UNKNOWN),
        ("authinfo", "IDPWLDAP", "CHCKCLNT", LINUX, "REQUIRED"),
        ("authinfo", "IDPWOS", "CHCKCLNT", LINUX, "REQDADM"),
        ("authinfo", "IDPWOS", "CHCKCLNT", ZOS, UNKNOWN),
        ("authinfo", "IDPWOS", "ADOPTCTX", LINUX, "YES"),
        ("qmgr", None, "CHLAUTH", LINUX, "ENABLED"),
        ("qmgr", None, "IMGSCHED", LINUX, "MANUAL"),
        ("qmgr", None, "CERTLABL", LINUX, UNKNOWN),
        ("chlauth", "ADDRESSMAP", "USERSRC", LINUX, "MAP"),
        ("chlauth", "BLOCKUSER", "USERSRC", LINUX, None),
        ("nosuch", None, "DESCR", LINUX, None),
    ],
)
def test_defaults(
    object_type: str, subtype: str | None, attribute: str, target: Target, expected: object
) -> None:
    assert VOCABULARY.default(object_type, subtype, attribute, target) == expected


def test_an_attribute_is_absent_before_its_release() -> None:
    def default(level: str) -> object:
        target = Target(parse_level(level), "linux")
        return VOCABULARY.default("qlocal", None, "CAPEXPRY", target)

    assert [default(level) for level in ("9.2.0", "9.4.0", "10.0.0")] == [
        None,
        "NOLIMIT",
        "NOLIMIT",
    ]


@pytest.mark.parametrize(
    ("since", "level", "reached"),
    [
        (FirstReleases((9, 3, 0), (9, 2, 3)), "9.2.0.20", False),
        (FirstReleases((9, 3, 0), (9, 2, 3)), "9.2.3", True),
        (FirstReleases((9, 3, 0), (9, 2, 3)), "9.3", True),
        (FirstReleases((10, 0, 0), (9, 4, 3)), "9.4.0.15", False),
        (FirstReleases((9, 4, 0)), "9.3.5", None),
        (FirstReleases((9, 4, 0)), "9.3.0", False),
    ],
)
def test_long_term_and_continuous_releases(
    since: FirstReleases, level: str, reached: bool | None
) -> None:
    assert since.reached(parse_level(level)) is reached
    assert since.reached(None) is None


@pytest.mark.parametrize(
    ("platform", "has"),
    [
        ("zos", False),
        ("linux", True),
        ("unix", True),
        ("multi", None),
        ("nonstop", None),
        (None, None),
    ],
)
def test_what_a_platform_has(platform: str | None, has: bool | None) -> None:
    assert Target(platform=platform).has_platform(frozenset({"aix", "linux"})) is has


@pytest.mark.parametrize("text", ["", "9", "nine", "9.4.0.1.2", "9.4x", "9..4"])
def test_what_is_no_release(text: str) -> None:
    with pytest.raises(ValueError, match="release"):
        parse_level(text)


@pytest.mark.parametrize(
    "word",
    "LDAPPWD KEYRPWD PASSWORD SSLKEYP INITKEY SSLCRYP PASWORD PASSWRD LDAPPW KEYPWD INITKY "
    "PASSPHRASE MYPASSWORD".split(),
)
def test_secrets_and_typos_of_them(word: str) -> None:
    assert VOCABULARY.is_secret(word)


@pytest.mark.parametrize("word", ["SSLKEYR", "INITQ", "LDAPUSER", "PASSTKTA", "PORT", "X"])
def test_what_is_no_secret(word: str) -> None:
    assert not VOCABULARY.is_secret(word)


def test_read_only_attributes() -> None:
    assert {"QMID", "SYNCPT", "CMDLEVEL"} <= VOCABULARY.facts("QMGR")
    assert "DEFTYPE" in VOCABULARY.facts("QLOCAL")
    assert "DEFTYPE" not in VOCABULARY.facts("QMODEL")
    assert VOCABULARY.is_fact("SUB", "DISTYPE")
    assert {"QMID", "DEADQ"} <= VOCABULARY.attributes_of("qmgr")


@pytest.mark.parametrize(
    ("left", "right", "typos"),
    [("MAXDEPTH", "MAXDEPTH", 0), ("MAXDEPHT", "MAXDEPTH", 1), ("MAXDPTH", "MAXDEPTH", 1)],
)
def test_typos(left: str, right: str, typos: int) -> None:
    assert distance(left, right, 2) == distance(right, left, 2) == typos


@pytest.mark.parametrize(
    ("word", "other", "is_same"),
    [
        ("mq-a-pay", "mq-b-pay", True),
        ("eu.mq", "us.mq", True),
        ("mq-1", "mq-12", True),
        ("pay-mq", "pay-qm", False),
        ("pay-mq", "pay-mg", False),
        ("mq-pay", "mq-pal", False),
        ("a", "b", False),
    ],
)
def test_names_that_differ_in_a_tag(word: str, other: str, is_same: bool) -> None:
    assert same_but_for_tag(word, other) is same_but_for_tag(other, word) is is_same


@pytest.mark.parametrize(
    ("word", "near"),
    [("FAILEDDLAY", "FAILDLAY"), ("PTU", "PUT"), ("", ""), ("Q" * 5000, ""), ("NOTHINGLIKE", "")],
)
def test_the_nearest_word(word: str, near: str) -> None:
    assert nearest(word, ["FAILDLAY", "PUT", "GET", "SUB"]) == near


def test_what_was_compiled_comes_back_from_the_cache(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    first = load_vocabulary(folder)
    (kept,) = folder.glob("*.json")
    again = load_vocabulary(folder)
    assert json.loads(kept.read_text())["value"] == json.loads(json.dumps(first.compiled["mqsc"]))
    assert first.commands() == again.commands()
    assert again.default("qlocal", None, "MAXDEPTH", LINUX) == "5000"
