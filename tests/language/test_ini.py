"""Stanza files: what is read, what is reported, and that no text is too much."""

from __future__ import annotations

import pytest

from mqlint.language.ini.parser import IniFile, parse_ini
from tests.linear import is_linear_in_time
from tests.shipped import shipped_vocabulary

SETTINGS = [
    # text, what each stanza holds
    ("Log:\n  LogType=LINEAR\n", [("Log", {"LogType": "LINEAR"})]),
    ("Log:\r\n  LogType=LINEAR\r\n", [("Log", {"LogType": "LINEAR"})]),
    ("   Log:   \n\tLogType = LINEAR  \n", [("Log", {"LogType": "LINEAR"})]),
    ("#x\n\n;y\nTCP: ; a\n Port = 1515 ; b\n", [("TCP", {"Port": "1515"})]),
    ("TCP: # a\n Port=1515 # b", [("TCP", {"Port": "1515"})]),
    ("Log: LogType=LINEAR\n", [("Log", {"LogType": "LINEAR"})]),
    ("Log:\nLogPath=\n", [("Log", {"LogPath": ""})]),
    ("Log:\nLogPath= ; none\n", [("Log", {"LogPath": ""})]),
    ("Log:\nLogPath=C:\\mq\\a;b#c\n", [("Log", {"LogPath": "C:\\mq\\a;b#c"})]),
    ("Variables:\n A=x=y\n", [("Variables", {"A": "x=y"})]),
    ("Node:\n Name=a\nNode:\n Name=b\n", [("Node", {"Name": "a"}), ("Node", {"Name": "b"})]),
    ("Log:\n junk\n LogType=LINEAR", [("Log", {"LogType": "LINEAR"})]),
    ("[SSL]\nOutboundSNI=HOSTNAME", [("SSL", {"OutboundSNI": "HOSTNAME"})]),
]

PROBLEMS = [
    # text, the stretches at fault, the stanza of each
    ("Log:\n  LogType LINEAR\n", [("LogType LINEAR", "Log")]),
    ("Channels: 2\n", [("2", "Channels")]),
    ("LogType=LINEAR\nLogPath=/x\n", [("LogType=LINEAR", "")]),
    ("[Log]\nLogType=LINEAR\n", [("[Log]", "Log")]),
    ("Log:\n =x\n", [("=x", "Log")]),
    ("Log:\n  LogType=LINEAR\n", []),
    ("{% for h in hosts %}\nNode:\n  Name={{ h }}\n{% endfor %}\n", []),
]

SECRETS = [
    # text, the stretch that must not be shown
    ("SSL:\n KeyRepositoryPassword=hunter2 # no remark\n", "hunter2 # no remark"),
    ("SSL:\n sslkeyrepositorypasswrd=hunter2\n", "hunter2"),
    ("XAResourceManager:\n XAOpenString=Oracle_XA+Acc=P/u/hunter2\n", "Oracle_XA+Acc=P/u/hunter2"),
    ("#KeyRepositoryPassword=hunter2\n", "=hunter2"),
    ("SSL:\n KeyRepositoryPassword hunter2\n", " hunter2"),
]


def contents(ini: IniFile) -> list[tuple[str, dict[str, str]]]:
    return [
        (stanza.name, {entry.key: entry.value for entry in stanza.entries})
        for stanza in ini.stanzas
    ]


@pytest.mark.parametrize(("text", "expected"), SETTINGS)
def test_stanzas_and_settings_are_read(
    text: str, expected: list[tuple[str, dict[str, str]]]
) -> None:
    ini = parse_ini(text)
    assert contents(ini) == expected
    for stanza in ini.stanzas:
        assert text[slice(*stanza.span)] == stanza.name
        for entry in stanza.entries:
            assert text[slice(*entry.key_span)] == entry.key
            assert text[slice(*entry.value_span)] == entry.value


@pytest.mark.parametrize(("text", "expected"), PROBLEMS)
def test_a_bad_line_is_reported_and_costs_itself_only(
    text: str, expected: list[tuple[str, str]]
) -> None:
    problems = parse_ini(text).problems
    assert [(text[slice(*problem.span)], problem.stanza) for problem in problems] == expected


@pytest.mark.parametrize(("text", "hidden"), SECRETS)
def test_a_secret_is_kept_nowhere(text: str, hidden: str) -> None:
    ini = parse_ini(text, shipped_vocabulary().ini.secret_keys)
    assert [text[slice(*span)] for span in ini.secrets] == [hidden]
    assert "hunter2" not in repr(ini)


@pytest.mark.parametrize(
    "line",
    [
        "KeyRepositoryPassword=",
        "InitialKeyFile=/etc/k",
        "PasswordProtection=warn",
        "SSLKeyRepository=/var/mqm/ssl/key",
    ],
)
def test_a_blank_or_a_file_name_is_no_secret(line: str) -> None:
    keys = {"sslkeyrepositorypassword", "keyrepositorypassword"}
    assert parse_ini(f"SSL:\n{line}\n", keys).secrets == ()


@pytest.mark.parametrize(
    "value",
    [
        *("{{ kind }}", "${KIND}", "LIN{{ x }}", "@kind@", "<kind>"),
        *("$KIND", "$env:KIND", "%KIND%", "__KIND__", "[KIND]", "/log/$QM"),
    ],
)
def test_a_template_is_unknown(value: str) -> None:
    stanza = parse_ini(f"Log:\n LogType={value}\n").stanzas[0]
    assert (stanza.entries[0].value, stanza.entries[0].templated) == (value, True)


def test_a_stanza_with_a_template_statement_is_conditional() -> None:
    ini = parse_ini("Node:\n{% if a %}\n Name=x\n{% else %}\n Name=y\n{% endif %}\nLog:\n")
    assert [stanza.conditional for stanza in ini.stanzas] == [True, False]


def test_the_last_of_equal_keys_counts_in_any_case() -> None:
    stanza = next(parse_ini("LOG:\n logtype=CIRCULAR\n LOGTYPE=LINEAR\n").named("Log"))
    entry = stanza.get("LogType")
    assert entry is not None
    assert entry.value == "LINEAR"


@pytest.mark.growth
@pytest.mark.parametrize(
    "unit",
    ["{{", "{%", "${", "<%", "@a", "<a", "a=", "a: ", "; ", "\n=", "[x] ", "pwd", "a" + " " * 60],
)
def test_time_grows_with_the_text(unit: str) -> None:
    assert is_linear_in_time(lambda size: parse_ini(unit * (size // len(unit))), 50_000)
