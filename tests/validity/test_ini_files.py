"""Stanza files against the vocabulary; corpus files without a false word."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqlint.language.ini.parser import parse_ini
from mqlint.validity.ini_files import check_ini, ini_kind
from mqlint.vocabulary.target import Level, Target
from tests.shipped import shipped_vocabulary

KNOWN = shipped_vocabulary().ini

CASES = [
    # file name, text, code and stretch of each diagnostic
    ("qm.ini", "Log:\n LogPrimaryFiles=1\n", [("ini-bad-value", "1")]),
    ("qm.ini", "Log:\n LogPrimaryFiles=2\n", []),
    ("qm.ini", "Log:\n LogPrimaryFiles=three\n", [("ini-bad-value", "three")]),
    ("qm.ini", "Log:\n LogPrimaryFiles=510\n LogSecondaryFiles=2\n", [("ini-bad-value", "2")]),
    ("qm.ini", "Log:\n LogBufferPages=0\n", []),
    ("qm.ini", "Log:\n LogBufferPages=17\n", [("ini-bad-value", "17")]),
    ("qm.ini", "log:\n logtype=circular\n", []),
    ("qm.ini", "Log:\n LogType=LINAER\n", [("ini-bad-value", "LINAER")]),
    ("qm.ini", "Log:\n LogType={{ kind }}\n", []),
    ("qm.ini", "CHANNELS:\n MAXCHANNELS=20 MAXACTIVECHANNELS=10\n", []),
    ("qm.ini", "Channels:\n AdoptNewMCA=SVR, RCVR SDR\n", []),
    ("qm.ini", "Channels:\n AdoptNewMCA=YES\n", [("ini-bad-value", "YES")]),
    ("qm.ini", "Channels:\n ChlauthEarlyAdopt=Y\n", []),
    ("qm.ini", "Channels:\n ChlauthEarlyAdopt=YESS\n", [("ini-bad-value", "YESS")]),
    ("qm.ini", "SSL:\n OCSPAuthentication=NONE\n", [("ini-silent-default", "NONE")]),
    ("mqclient.ini", "SSL:\n OCSPAuthentication=NONE\n", [("ini-bad-value", "NONE")]),
    ("qm.ini", "TCP:\n Port=1\nSSL:\nTCP:\n KeepAlive=Yes\n", [("ini-repeated-stanza", "TCP")]),
    ("qm.ini", "Service:\n Name=NameService\nService:\n Name=AuthorizationService\n", []),
    ("qm.ini", "QMErrorLog:\n SuppressInterval=0\n", [("ini-bad-value", "0")]),
    ("mqat.ini", "AllActivityTrace:\n TraceLevel=FULL\n", [("ini-bad-value", "FULL")]),
    ("mqat.ini", "ApplicationTrace:\n Trace=off\n ApplName=amqsact*\n", []),
    ("mqclient.ini", "MessageBuffer:\n MaximumSize=-1\n PurgeTime=-1\n", [("ini-bad-value", "-1")]),
    (
        "mqclient.ini",
        "Application:\n BalanceTimeout=never\n Type=Managed\n",
        [("ini-bad-value", "Managed")],
    ),
    ("mqclient.ini", "ApplicationDefaults:\n Type=Managed\n BalanceOptions=IgnTrans\n", []),
    ("qm.ini", "SSL:\n OutboundSNI HOSTNAME\n", [("ini-stops-start", "OutboundSNI HOSTNAME")]),
    ("qm.ini", "Channels: 2\n", [("ini-stops-start", "2")]),
    ("mqclient.ini", "SSL:\n OutboundSNI HOSTNAME\n", [("ini-syntax", "OutboundSNI HOSTNAME")]),
    ("qm.ini", "Log:\n LogType LINEAR\n", [("ini-syntax", "LogType LINEAR")]),
    ("qm.ini", "Log:\n LogPrimaryFile=3\n", [("ini-misspelt-key", "LogPrimaryFile")]),
    ("qm.ini", "Log:\n Brandnewkey=3\n", []),
    ("qm.ini", "Channel:\n MaxChannels=3\n", [("ini-misspelt-stanza", "Channel")]),
    ("qm.ini", "SomethingElse:\n MaxChannels=3\n", []),
    ("qm.ini", "Variables:\n Anything=3\n", []),
    ("qm.ini", "ExitPath:\n ExitsDefaultPath32=/x\n", []),
    ("qm.ini", "Log:\n LogType=LINEAR\n LogType=CIRCULAR\n", [("ini-repeated-key", "LogType")]),
    ("qm.ini", "Log:\n LogType=LINEAR\n LogType=linear\n", []),
    ("rdqm.ini", "DRGroup:\n DR_Replication=10.0.0.1\n DR_Replication=10.0.0.2\n", []),
    ("rdqm.ini", "Node:\n HA_Replicaton=10.0.0.1\n", [("ini-misspelt-key", "HA_Replicaton")]),
    ("mqs.ini", "AllQueueManagers:\n DefaultPrefix=/var/mqm\n", []),
    ("mqs.ini", "LogDefaults:\n LogPrimaryFiles=900\n", [("ini-bad-value", "900")]),
    ("mqclient.ini", "CHANNELS:\n DefRecon=MAYBE\n", [("ini-bad-value", "MAYBE")]),
]

KINDS = [
    ("var/mqm/qmgrs/QMA/qm.ini", "", "qm.ini"),
    ("roles/mq/templates/rdqm_dr.ini.j2", "", "rdqm.ini"),
    ("C:\\mq\\mqs.ini", "", "mqs.ini"),
    ("extra.ini", "Node:\n Name=a\n", "rdqm.ini"),
    ("extra.ini", "AllQueueManagers:\n", "mqs.ini"),
    ("extra.ini", "PreConnect:\n", "mqclient.ini"),
    ("extra.ini", "TuningParameters:\n", "qm.ini"),
]

TRUE_FAULTS = {
    # a footnote's number copied with the manual's example; brackets instead of a colon
    ("ODOWDAIBM+mq01/qm.ini", "ini-bad-value"),
    # a trace level that there is not
    ("ibm-messaging+mq-container/28b723d6/internal/mqinimerge/test2qm.ini", "ini-bad-value"),
    ("ODOWDAIBM+mq01/qm.ini", "ini-stops-start"),
    ("ewiger+ibm-mq-mtls/MqPutClient/mqclient.ini", "ini-syntax"),
}


@pytest.mark.parametrize(("name", "text", "expected"), CASES)
def test_what_is_wrong_is_found_at_its_place(
    name: str, text: str, expected: list[tuple[str, str]]
) -> None:
    ini = parse_ini(text)
    found = check_ini(ini, ini_kind(name, ini), KNOWN)
    assert [
        (diagnostic.code, text[diagnostic.start : diagnostic.end]) for diagnostic in found
    ] == expected


@pytest.mark.parametrize(("path", "text", "kind"), KINDS)
def test_the_file_is_told_by_name_then_by_stanza(path: str, text: str, kind: str) -> None:
    assert ini_kind(path, parse_ini(text)) == kind


@given(st.text(st.sampled_from("Log:=SL#FilesPrimary \n0129{}"), max_size=200))
def test_any_text_can_be_checked(text: str) -> None:
    for diagnostic in check_ini(parse_ini(text), "qm.ini", KNOWN):
        assert 0 <= diagnostic.start <= diagnostic.end <= len(text)


def test_the_corpus_has_true_faults_only(corpus: Path) -> None:
    found = set()
    for path in sorted(corpus.rglob("*.ini*")):
        name = path.relative_to(corpus).as_posix()
        ini = parse_ini(path.read_text(encoding="utf-8", errors="replace"))
        found |= {
            (name, diagnostic.code) for diagnostic in check_ini(ini, ini_kind(name, ini), KNOWN)
        }
    assert found == TRUE_FAULTS


def test_the_example_estate_is_clean(estate: Path) -> None:
    for path in sorted(estate.rglob("*.ini")):
        ini = parse_ini(path.read_text(encoding="utf-8"))
        assert check_ini(ini, ini_kind(path.name, ini), KNOWN) == [], path


@pytest.mark.parametrize(
    ("level", "expected"),
    [((9, 2, 1), ["AllowOutboundSNI"]), ((9, 2, 0), []), (None, [])],
)
def test_what_is_deprecated_is_told_from_its_release_on(
    level: Level | None, expected: list[str]
) -> None:
    text = "SSL:\n AllowOutboundSNI=NO\n OutboundSNI=CHANNEL\n"
    found = check_ini(parse_ini(text), "qm.ini", KNOWN, Target(level))
    assert [
        text[diagnostic.start : diagnostic.end]
        for diagnostic in found
        if diagnostic.code == "deprecated"
    ] == expected
