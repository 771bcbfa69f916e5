"""Commands against the vocabulary: the right code at the right tokens, and silence elsewhere."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqlint.config.reader import read_yaml
from mqlint.finding import Diagnostic
from mqlint.language.mqsc import Parser
from mqlint.source.lines import LineMap
from mqlint.validity import Validity
from mqlint.vocabulary import Target, Vocabulary, parse_level
from mqlint.vocabulary.compile import compile_mqsc
from mqlint.vocabulary.limits import COMMAND
from tests.linear import is_linear_in_time
from tests.shipped import shipped_vocabulary

CASES = Path(__file__).with_name("cases.yaml")
VOCABULARY = shipped_vocabulary()


def _cases() -> list[Mapping[str, object]]:
    nodes = read_yaml(CASES.read_text(encoding="utf-8"), CASES.name).sequence()
    return [{key: node.plain() for key, node in case.mapping().items()} for case in nodes]


def check(text: str, platform: object = None, level: object = None) -> list[Diagnostic]:
    """Everything that is wrong with `text`, in order."""
    target = Target(
        None if level is None else parse_level(str(level)),
        None if platform is None else str(platform),
    )
    validity = Validity(VOCABULARY, target)
    script = Parser(VOCABULARY).parse(text)
    assert not script.diagnostics
    return [found for command in script.commands for found in validity.check(command)]


@pytest.mark.parametrize("case", _cases(), ids=lambda case: str(case["name"]))
def test_case(case: Mapping[str, object]) -> None:
    text = str(case["text"])
    lines = LineMap.of(text)
    found = []
    for diagnostic in check(text, case.get("platform"), case.get("level")):
        at = lines.position(diagnostic.start)
        found.append(f"{diagnostic.code} {at.line}:{at.column}")
    assert found == case.get("expect", [])


def test_messages_get_the_words_they_need() -> None:
    found = check("DEFINE QLOCAL(APP.IN) MAXDEPHT(1) DEFPSIST(YSE) RNAME(X)\n")
    assert [diagnostic.data["suggestion"] for diagnostic in found[:2]] == ["MAXDEPTH", "YES"]
    assert found[1].data["allowed"] == "NO, YES"
    assert found[2].data["allowed"] == "DEFINE QREMOTE"


@pytest.mark.parametrize(
    ("command", "suggestion"),
    [
        ("DEFINE QLOCAL(A) GET(YES)", "ENABLED"),
        ("DEFINE QLOCAL(A) DEFPSIST(OFF)", "NO"),
        ("ALTER QMGR MONQ(DISABLED)", "OFF"),
        ("DEFINE CHANNEL(A) CHLTYPE(RECEIVER)", "RCVR"),
        ("DEFINE QLOCAL(A) MAXDEPTH(10,000)", "10000"),
        ("DEFINE QLOCAL(A) MAXDEPTH('1 000 000')", "1000000"),
        ("DEFINE QLOCAL(A) MAXDEPTH(5K)", ""),
        ("ALTER QMGR MAXUMSGL(65536)", "MAXMSGL"),
        ("ALTER QMGR MAXMSGL(65536) MAXUMSGL(65536)", "MAXUMSGS"),
        ("DEFINE QLOCAL(A) PERSISTENCE(YES)", "DEFPSIST"),
        ("DEFINE QLOCAL(A) DEFPSIST(NO) PERSISTENCE(YES)", ""),
        ("DEFINE CHANNEL(A) CHLTYPE(RCVR) PERSISTENCE(YES)", ""),
        ("DEFINE QLOCAL(A) MAXDEPTH(5000) MAXDEPT(5)", "MAXDEPTH"),
        ("DEFINE QLOCAL(A) CONNAME(B)", ""),
        ("DEFINE SUB(A) TOPICSTR('a') DEST(B) DESCR('In')", ""),
    ],
)
def test_words_taken_for_one_another(command: str, suggestion: str) -> None:
    (found,) = check(command + "\n")
    assert found.data["suggestion"] == suggestion


def test_an_attribute_of_quite_another_object_is_told_apart() -> None:
    (found,) = check("DEFINE QLOCAL(A) CHLTYPE(SDR)\n")
    assert found.data["hint"] == " (it belongs to CHANNEL)"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("DEFINE QLOCAL(APP.IN) + DESCR('In')\n", "the + that continues a command ends its line"),
        ("<<<<<<< HEAD\n", "it marks a merge that is not resolved"),
        (">>>>>>> topic\n", "it marks a merge that is not resolved"),
    ],
)
def test_signs_taken_for_words(text: str, hint: str) -> None:
    (found,) = check(text)
    assert found.data["hint"] == f" ({hint})"


def test_no_secret_in_any_diagnostic() -> None:
    text = (
        "DEFINE CHANNEL(TO.A) CHLTYPE(SDR) XMITQ(A) CONNAME('a') PASSWORD hunter2\n"
        "DEFINE CHANNEL(TO.A) CHLTYPE(SDR) XMITQ(A) CONNAME('a') PASSWRD(hunter2)\n"
        "DEFINE CHANNEL(TO.A) CHLTYPE(RCVR) PASSWORD('hunter2 is much too long')\n"
        "ALTER QMGR INITKEY() KEYRPWD('hunter2')\n"
    )
    found = check(text)
    assert found
    assert "hunter2" not in repr(found).lower()


def test_a_command_longer_than_the_product_takes() -> None:
    words = " ".join(f"{word}('{'x' * 9000}')" for word in ("TOPICSTR", "SELECTOR", "USERDATA"))
    room = COMMAND - len(words)
    short = f"DEFINE SUB(S) {words} DEST({' ' * (room - 100)}Q)\n"
    long = f"DEFINE SUB(S) {words} DEST({' ' * room}Q)\n"
    assert [diagnostic.code for diagnostic in check(short)] == []
    assert [diagnostic.code for diagnostic in check(long)] == ["command-too-long"]


def test_values_found_right_once_are_right_for_their_domain_only() -> None:
    validity = Validity(VOCABULARY)
    parser = Parser(VOCABULARY)
    text = "DEFINE QLOCAL(A) DEFPRTY(9) MAXDEPTH(10)\nDEFINE QLOCAL(B) DEFPRTY(10) MAXDEPTH(9)\n"
    codes = [[d.code for d in validity.check(c)] for c in parser.parse(text).commands * 2]
    assert codes == [[], ["out-of-range"], [], ["out-of-range"]]


def test_one_parser_serves_several_targets() -> None:
    command = Parser(VOCABULARY).parse("DEFINE QLOCAL(A) STGCLASS(S)\n").commands[0]
    targets = [Target(platform=platform) for platform in ("zos", "linux", None)]
    found = [[d.code for d in Validity(VOCABULARY, target).check(command)] for target in targets]
    assert found == [[], ["wrong-platform"], []]


@pytest.mark.parametrize(
    ("text", "understood"),
    [
        ("DEFINE QLOCAL(A) MAXDEPTH(1)", True),
        ("DEFINE QLOCAL(A) MAXDEPTH(many)", True),
        ("DEFINE QLOCAL(A) NOSUCH(1)", False),
        ("DEFINE NOSUCH(A)", False),
        ("DEFINE QLOCAL(A) {{ more }}", False),
        ("DISPLAY QLOCAL(A) NOSUCH", False),
    ],
)
def test_what_is_understood(text: str, understood: bool) -> None:
    command = Parser(VOCABULARY).parse(text + "\n").commands[0]
    assert Validity(VOCABULARY).understood(command) is understood


def _faults(path: Path, vocabulary: Vocabulary, target: Target | None = None) -> list[str]:
    text = path.read_text(encoding="utf-8", errors="replace")
    validity = Validity(vocabulary, target)
    return [
        f"{diagnostic.code} {text[diagnostic.start : diagnostic.end]}"
        for command in Parser(vocabulary).parse(text).commands
        for diagnostic in validity.check(command)
    ]


def test_a_real_dump_is_all_right(corpus: Path) -> None:
    (dump,) = corpus.rglob("QM4.txt")
    assert _faults(dump, VOCABULARY) == []


@pytest.mark.parametrize("level", ["9.3.0", "9.3.5", "9.4.0", "9.4.5", "10.0.0"])
@pytest.mark.parametrize("platform", ["linux", "unix", "appliance", None])
def test_a_real_dump_is_all_right_where_it_comes_from_and_later(
    corpus: Path, level: str, platform: str | None
) -> None:
    (dump,) = corpus.rglob("QM4.txt")
    assert _faults(dump, VOCABULARY, Target(parse_level(level), platform)) == []


def test_configuration_of_ibm_is_all_right(corpus: Path) -> None:
    found = {
        path.name: _faults(path, VOCABULARY)
        for path in corpus.glob("ibm-messaging+*/**/*.mqsc*")
        if path.is_file()
    }
    assert found
    assert {name: faults for name, faults in found.items() if faults} == {}


def test_errors_reported_in_the_corpus_are_true_ones(corpus: Path) -> None:
    found = {
        fault
        for path in corpus.rglob("*.mqsc*")
        if path.is_file()
        for fault in _faults(path, VOCABULARY)
    }
    assert found == {
        "unknown-attribute FAILEDDLAY",  # FAILDLAY
        "bad-name QUEUE-ONE",  # a hyphen
        "bad-name QUEUE-TWO",
        "misplaced-attribute SSLPEER",  # in an ADDRESSMAP record
    }


def test_an_attribute_is_one_line_in_one_place() -> None:
    folder = files("mqlint.vocabulary").joinpath("data", "mqsc")
    documents = {entry.name: entry.read_text("utf-8") for entry in folder.iterdir()}
    line = "NEWWORD: {words: [A, B], of: [QLOCAL], default: A, since: 11.0.0, evidence: document}"
    documents["queues.yaml"] += f"  {line}\n"
    roots = [read_yaml(documents[name], name) for name in sorted(documents)]
    vocabulary = Vocabulary.from_compiled({"mqsc": compile_mqsc(*roots)})
    text = "DEFINE QLOCAL(Q) NEWWORD(C)\nDISPLAY QLOCAL(Q) NEWWORD\n"
    codes = []
    for level in ("11.0.0", "10.0.0"):
        validity = Validity(vocabulary, Target(parse_level(level), "linux"))
        commands = Parser(vocabulary).parse(text).commands
        codes.append([found.code for command in commands for found in validity.check(command)])
    assert codes == [["bad-value"], ["not-available", "bad-value"]]
    assert vocabulary.default("qlocal", None, "NEWWORD", Target(parse_level("11.0.0"))) == "A"


@pytest.mark.growth
def test_hostile_values_cost_no_more_than_their_length() -> None:
    text = "DEFINE NAMELIST(N) NAMES({})\n"

    def judge(count: int) -> None:
        for command in Parser(VOCABULARY).parse(text.format("'," * count + "A")).commands:
            Validity(VOCABULARY).check(command)

    assert is_linear_in_time(judge, 10_000)


WORDS = st.sampled_from(
    "DEFINE ALTER SET DISPLAY QLOCAL CHANNEL CHLAUTH AUTHREC QMGR NAMELIST SUB CHLTYPE TYPE SDR "
    "MAXDEPTH NAMES PASSWORD CLUSTER CLUSNL REPLACE NOREPLACE LIKE ACTION X END".split()
)
VALUES = st.text(alphabet="A1'*,+-${} \n\t.é\0", max_size=12)
ELEMENTS = st.one_of(WORDS, st.tuples(WORDS, VALUES).map(lambda pair: f"{pair[0]}({pair[1]})"))


@given(st.lists(ELEMENTS, max_size=8))
def test_any_text_is_judged_without_an_error(elements: list[str]) -> None:
    text = " ".join(elements)
    for platform in (None, "zos", "linux"):
        validity = Validity(VOCABULARY, Target(platform=platform))
        for command in Parser(VOCABULARY).parse(text).commands:
            for diagnostic in validity.check(command):
                assert 0 <= diagnostic.start <= diagnostic.end <= len(text)


def test_every_code_has_a_rule_that_has_its_words() -> None:
    rules = {}
    for file in files("mqlint.policies").joinpath("vocabulary").iterdir():
        rule = read_yaml(file.read_text("utf-8"), file.name)
        code = rule.require("check").get("diagnostic")
        if code is not None:  # another kind of check judges queue managers, not words
            rules[code.string()] = re.findall(r"\{(\w+)\}", rule.require("message").string())
    seen = set()
    for case in _cases():
        for diagnostic in check(str(case["text"]), case.get("platform"), case.get("level")):
            assert set(rules[diagnostic.code]) <= set(diagnostic.data), diagnostic
            seen.add(diagnostic.code)
    rare = {"too-long-recalled", "too-long-in-bytes", "too-many-items", "command-too-long"}
    of_objects_in_yaml = {"repeated-key"}
    assert seen | rare | of_objects_in_yaml == set(rules)
