"""What must hold whatever the text; each check raises when it does not."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from mqlint.config.errors import ConfigError
from mqlint.config.loader import load_settings
from mqlint.config.node import Node
from mqlint.config.reader import read_yaml
from mqlint.config.settings import PROFILES, Settings
from mqlint.engine import Analyser, check
from mqlint.engine.pack import pack, unpack
from mqlint.policy.check import check_policy
from mqlint.policy.load import load_rulebook
from mqlint.policy.rulebook import Rulebook
from mqlint.report import FORMATS, Report, Style, renderer
from mqlint.source.decode import ENCODINGS, decode, encode
from mqlint.source.likely import likely
from mqlint.source.lines import LineMap
from mqlint.syntax.captured import parse_captured
from mqlint.syntax.ccdt import parse_ccdt
from mqlint.syntax.cl import parse_cl
from mqlint.syntax.client_settings import parse_properties, parse_spring_yaml
from mqlint.syntax.cmd import parse_cmd
from mqlint.syntax.control import parse_control
from mqlint.syntax.crontab import parse_crontab
from mqlint.syntax.declared import Declared
from mqlint.syntax.drbd import parse_drbd
from mqlint.syntax.ini import parse_ini
from mqlint.syntax.jcl import parse_jcl, parse_macros
from mqlint.syntax.manifest import parse_manifest
from mqlint.syntax.mqsc import Parser, Secret
from mqlint.syntax.powershell import parse_powershell
from mqlint.syntax.recognise import recognise
from mqlint.syntax.script_host import parse_hosted
from mqlint.syntax.shell import parse_shell
from mqlint.syntax.step import ShellScript, Span, Step
from mqlint.syntax.yaml_reader import read_documents
from mqlint.vocabulary import Target
from mqlint.vocabulary.load import load_vocabulary
from tests.engine.conftest import inputs, settings_of
from tests.syntax.mqsc.invariants import check_cover, check_spans, check_twin, check_words

ANALYSER = Analyser(load_vocabulary())
RULEBOOK = load_rulebook(ANALYSER.vocabulary)
CONTROL = ANALYSER.vocabulary.control
HOSTING = ("systemd", "docker", "jenkins", "terraform", "pipeline")
LANGUAGES = (
    *HOSTING,
    *("mqsc", "ini", "shell", "cmd", "powershell", "crontab", "captured", "drbd"),
    *("jcl", "zparm", "cl"),
    *("manifest", "ccdt", "client-yaml", "client-properties"),
)
NAMES = (
    *("a.mqsc", "qm.ini", "mqs.ini", "a.sh", "crontab", "cron.d/mq-jobs", "dump.txt", "a"),
    *("mqclient.ini.j2", "a.tpl", "x\\a.TST", "jobs.cron", ".mqsc", "a.ini", "a.yaml"),
    *("up.bat", "up.cmd", "up.ps1"),
)
SITES = settings_of(
    "sites:\n"
    '  leeds: {role: production, paths: ["prod/**"]}\n'
    '  derby: {role: dr, paths: ["dr/**"], stands_in_for: leeds}\n'
    'queue_managers: "*/{queue_manager}/*"\n'
)
BASE = (
    b"DEFINE QLOCAL(DERBY.XMIT) USAGE(XMITQ)\n"
    b"DEFINE CHANNEL(LEEDS.DERBY) CHLTYPE(SDR) CONNAME('h(1414)') XMITQ(DERBY.XMIT)\n"
    b"DEFINE CHANNEL(C.QMA) CHLTYPE(CLUSRCVR) CLUSTER(C) CONNAME('h(1414)')\n"
    b"SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)\n"
)


def text_of(data: bytes) -> str:
    """The text that the tool sees in the bytes."""
    return decode(data).text


def inside(span: Span, text: str) -> None:
    assert 0 <= span[0] <= span[1] <= len(text)


def mqsc(data: bytes) -> None:
    """Slices cover the text, places lie in their command, and a plain parse gives the same."""
    text = text_of(data)
    script = ANALYSER.parser.parse(text)
    check_cover(text, script)
    check_spans(text, script)
    check_words(text, script)


def mqsc_with_twin(data: bytes) -> None:
    text = text_of(data)
    check_twin(text, Parser(ANALYSER.vocabulary).parse(text))
    in_the_engine("mqsc", "a.mqsc", data)


def ini(data: bytes) -> None:
    """Lines cover the text; what is bound stands where it is said to stand."""
    text = text_of(data)
    file = parse_ini(text)
    assert "".join(text[line.start : line.end] for line in file.lines) == text
    for problem in file.problems:
        inside(problem.span, text)
        assert problem.span[0] < problem.span[1]
    for span in file.secrets:
        inside(span, text)
    for stanza in file.stanzas:
        assert text[slice(*stanza.span)] == stanza.name
        for entry in stanza.entries:
            assert text[slice(*entry.key_span)] == entry.key
            if isinstance(entry.value, Secret):
                assert entry.value_span in file.secrets
            else:
                assert text[slice(*entry.value_span)] == entry.value


def shell(data: bytes) -> None:
    text = text_of(data)
    _script(parse_shell(text, CONTROL), text)


def cmd(data: bytes) -> None:
    text = text_of(data)
    _script(parse_cmd(text, CONTROL), text)


def powershell(data: bytes) -> None:
    text = text_of(data)
    _script(parse_powershell(text, CONTROL), text)


def hosted(data: bytes) -> None:
    """A file that holds scripts is read as each kind of them."""
    text = text_of(data)
    for language in HOSTING:
        _script(parse_hosted(text, language, CONTROL), text)


def crontab(data: bytes) -> None:
    text = text_of(data)
    _script(parse_crontab(text, CONTROL), text)


def jcl(data: bytes) -> None:
    """Places of what is read lie in the text, and streams lead back into it."""
    text = text_of(data)
    found = parse_jcl(text, ANALYSER.vocabulary.zos)
    _script(ShellScript(found.steps, found.embedded, found.secrets, found.calls), text)
    for one in (*found.declared, *parse_macros(text, ANALYSER.vocabulary.zos).declared):
        inside(one.span, text)
        for field in one.fields:
            inside(field.span, text)


def cl(data: bytes) -> None:
    text = text_of(data)
    _script(parse_cl(text, ANALYSER.vocabulary.cl, CONTROL), text)


def captured(data: bytes) -> None:
    """A capture is read, and what it tells stands in it."""
    text = text_of(data)
    found = parse_captured(text)
    _declared(found.declared, text)
    for entry in (entry for one in found.stanzas for entry in one.entries):
        inside(entry.value_span, text)


def drbd(data: bytes) -> None:
    """A resource file is read, and what it tells stands in it."""
    text = text_of(data)
    _declared(parse_drbd(text), text)


def _declared(found: Iterable[Declared], text: str) -> None:
    for one in found:
        inside(one.span, text)
        for field in one.fields:
            inside(field.span, text)


def _script(script: ShellScript, text: str) -> None:
    """Places lie in the text, and every place of a document inside leads back into it."""
    for step in script.steps:
        _step(step, text)
    for span in script.secrets:
        inside(span, text)
    for inner in script.embedded:
        assert inner.text
        assert inner.segments[0][0] == 0
        assert [at for at, _ in inner.segments] == sorted({at for at, _ in inner.segments})
        for at in range(len(inner.text)):
            inside((inner.host(at), inner.end), text)
        parsed = ANALYSER.parser.parse(inner.text)
        check_cover(inner.text, parsed)


def _step(step: Step, text: str) -> None:
    inside(step.span, text)
    inside(step.command_span, text)
    assert step.span[0] == step.command_span[0] < step.command_span[1] <= step.span[1]
    for word in step.operands:
        inside(word.span, text)
    for option in step.options:
        inside(option.span, text)
        if option.value_span is not None:
            inside(option.value_span, text)


def control(data: bytes) -> None:
    """Every word of a command is bound once."""
    words = text_of(data).split(" ")
    spec = CONTROL.get(words[0]) or sorted(CONTROL.items())[len(data) % len(CONTROL)][1]
    form = parse_control(spec, words)
    bound = [one.word for one in form.options] + list(form.operands)
    bound += [one.value for one in form.options if one.value not in (-1, one.word)]
    assert sorted(bound) == list(range(1, len(words)))
    for option in form.options:
        if option.value >= 0:
            assert 0 <= option.offset <= len(words[option.value])


def manifest(data: bytes) -> None:
    """Whatever is declared or embedded stands in the text."""
    text = text_of(data)
    for document in read_documents(text):
        for node in document.walk():
            inside(node.span, text)
    found = parse_manifest(text)
    for inner in found.embedded:
        for offset in (0, len(inner.text) // 2, len(inner.text)):
            assert 0 <= inner.host(offset) <= len(text)
    settings = (*parse_spring_yaml(text), *parse_properties(text))
    for one in (*found.declared, *parse_ccdt(text).declared, *settings):
        inside(one.span, text)
        for field in one.fields:
            inside(field.span, text)


def yaml(data: bytes) -> None:
    """A configuration is read, or refused at a place that there is."""
    text = text_of(data)
    try:
        root = read_yaml(text, "mqlint.yaml")
    except ConfigError as error:
        _place(error, text)
        return
    _nodes(root, text)
    try:
        load_settings(text, "mqlint.yaml")
    except ConfigError as error:
        _place(error, text)


def _place(error: ConfigError, text: str) -> None:
    assert 1 <= error.line <= len(text.splitlines()) + 1
    assert error.column >= 1
    assert str(error)


def _nodes(root: Node, text: str) -> None:
    lines = len(text.splitlines()) + 1
    left = [root]
    while left:
        node = left.pop()
        assert 1 <= node.line <= lines
        left += node.pairs.values() if node.kind == "mapping" else ()
        left += node.items if node.kind == "sequence" else ()


def policy(data: bytes) -> None:
    """A policy is compiled and can judge, or is refused at a place that there is."""
    yaml(data)
    text = text_of(data)
    try:
        compiled = check_policy(text, "own.yaml", "own", ANALYSER.vocabulary)
    except ConfigError as error:
        _place(error, text)
        return
    rulebook = Rulebook([json.loads(json.dumps(compiled))])
    _run({"prod/QMA/a.mqsc": BASE, "dr/QMB/a.mqsc": BASE}, SITES, rulebook)


def recognised(data: bytes) -> None:
    """The same text under the same name is the same language."""
    text = text_of(data)
    name = NAMES[len(data) % len(NAMES)]
    assert likely(name, data) in (True, False)
    found = recognise(name, text)
    assert found in (None, *LANGUAGES)
    assert recognise("some/folder/" + name, text) in (found, None, "ini", "crontab")


def recognised_and_run(data: bytes) -> None:
    run_of({NAMES[len(data) % len(NAMES)]: data})


def decoded(data: bytes) -> None:
    """The bytes come back; every offset has a place, in order."""
    for hint in (None, ENCODINGS[len(data) % len(ENCODINGS)]):
        found = decode(data, encoding=hint)
        assert encode(found) == data
    text = found.text
    lines = LineMap.of(text)
    places = [lines.position(offset) for offset in range(len(text) + 1)]
    assert places == sorted(set(places))
    assert places[-1].line == text.count("\n") + 1


def decoded_and_run(data: bytes) -> None:
    run_of({"a.mqsc": data, "qm.ini": data})


def in_the_engine(language: str, name: str, data: bytes) -> None:
    """A reading survives its journey, and a whole run of a small estate ends in reports."""
    text = text_of(data)
    reading = ANALYSER.analyse(text, language, Target(), name)
    packed = json.dumps(pack(reading))
    again = unpack(json.loads(packed), Analyser(ANALYSER.vocabulary).parser)
    assert json.dumps(pack(again)) == packed
    assert 0 <= reading.understood <= reading.commands
    for one in reading.reported:
        inside((one.diagnostic.start, one.diagnostic.end), text)
    run_of(
        {
            f"prod/QMA/{name}": data,
            f"dr/QMA/{name}": data,
            "prod/QMB/base.mqsc": BASE,
        }
    )


def run_of(files: Mapping[str, bytes]) -> None:
    """A run ends, and what it finds can be reported in every format."""
    _run(files, SITES, RULEBOOK)


def _run(files: Mapping[str, bytes], settings: Settings, rulebook: Rulebook) -> None:
    run = check(inputs(files), settings, ANALYSER, rulebook, profiles=PROFILES)
    assert [row.path for row in run.coverage.files] == sorted(files)
    report = Report(run.findings, run.coverage, run.assumptions, run.text_of)
    for form in FORMATS:
        "".join(renderer(form)(report, Style())).encode("utf-8", "surrogatepass")
    for one in run.findings:
        text = run.text_of(one.location.path)
        assert text is not None
        assert one.location.start <= one.location.end
        assert one.location.start.line <= text.count("\n") + text.count("\r") + 1
    assert len(set(_prints(run.findings))) == len(run.findings)


def _prints(findings: Sequence[object]) -> Iterable[object]:
    return (getattr(one, "fingerprint", None) for one in findings)
