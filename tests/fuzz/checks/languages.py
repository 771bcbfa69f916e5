"""What must hold whatever the text of a language; each check raises when it does not."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from posixpath import dirname

from mqlint.config.settings import Client
from mqlint.engine import Analyser
from mqlint.engine.document.pack import pack, unpack
from mqlint.finding import Diagnostic
from mqlint.language.captured.drbd import parse_drbd
from mqlint.language.captured.printed import parse_captured
from mqlint.language.client.ccdt import connections_of, parse_ccdt
from mqlint.language.client.environment import connections_of_script
from mqlint.language.client.exporter import connections_of_exporter
from mqlint.language.client.jmsadmin import connections_of_objects
from mqlint.language.client.keystore import keystore_faults
from mqlint.language.client.mapped import connections_of_keys
from mqlint.language.client.passthru import connections_of_routes
from mqlint.language.client.transfer import connections_of_files, connections_of_json
from mqlint.language.client.web import faults_of_server
from mqlint.language.deadletter.rules import read_rules
from mqlint.language.declaration import Declared
from mqlint.language.failover.pacemaker import cib_faults, cluster_faults
from mqlint.language.failover.reader import main_faults
from mqlint.language.ini.parser import parse_ini
from mqlint.language.kubernetes.composed import composed, compositions_of
from mqlint.language.kubernetes.manifest import parse_manifest
from mqlint.language.mqsc import Secret
from mqlint.language.notes.reader import parse_notes
from mqlint.language.script.control import parse_control
from mqlint.language.script.faults.mounts import mount_faults
from mqlint.language.script.step import ShellScript, Step
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.language.yaml.reader import read_documents
from mqlint.source.budget import Budget
from mqlint.source.lines import Span
from mqlint.vocabulary import Target
from tests.fuzz.program import ANALYSER, BASE, run_of, text_of
from tests.language.mqsc.invariants import check_cover, check_spans, check_words
from tests.languages import parsed, script_in

CONTROL = ANALYSER.vocabulary.control


def read(language: str, name: str, data: bytes) -> None:
    """Read and judge a text, word by word: all that is said of it lies in it."""
    text = text_of(data)
    reading = ANALYSER.analyse(text, language, Target(), name)
    assert 0 <= reading.understood <= reading.commands
    for reported in reading.reported:
        inside((reported.diagnostic.start, reported.diagnostic.end), text)
    last = reading.lines.position(len(text))
    for comment in reading.suppressions:
        assert comment.start <= comment.end <= last
        assert comment.since <= comment.until <= last


def run(language: str, name: str, data: bytes) -> None:
    """A reading survives its journey and is made again alike, and a small estate is judged."""
    text = text_of(data)
    packed = json.dumps(pack(ANALYSER.analyse(text, language, Target(), name)))
    fresh = Analyser(ANALYSER.vocabulary)
    assert json.dumps(pack(unpack(json.loads(packed), fresh.parser))) == packed
    assert json.dumps(pack(fresh.analyse(text, language, Target(), name))) == packed
    run_of({f"prod/QMA/{name}": data, f"dr/QMA/{name}": data, "prod/QMB/base.mqsc": BASE})


def mqsc(data: bytes) -> None:
    """Slices cover the text, and places lie in their command."""
    text = text_of(data)
    script = ANALYSER.parser.parse(text)
    check_cover(text, script)
    check_spans(text, script)
    check_words(text, script)


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
            assert entry.key_span[1] <= entry.value_span[0]
            if isinstance(entry.value, Secret):
                assert entry.value_span in file.secrets
            else:
                assert text[slice(*entry.value_span)] == entry.value


def hosted(language: str, data: bytes) -> None:
    """A script, or a file that holds scripts: `language` is its own."""
    text = text_of(data)
    _script(script_in(language, text), text)


shell, cmd, powershell, crontab, cl = (
    partial(hosted, language) for language in ("shell", "cmd", "powershell", "crontab", "cl")
)


def _of_language(language: str, data: bytes) -> None:
    """What a file declares is in its text."""
    text = text_of(data)
    _declared(parsed(language, text).declared, text)


zparm, client_yaml, client_properties, client_xml, connector_properties, environment = (
    partial(_of_language, language)
    for language in (
        *("zparm", "client-yaml", "client-properties", "client-xml", "connector-properties"),
        "environment",
    )
)


def _connections(find: Callable[[str], Iterable[Declared]], data: bytes) -> None:
    text = text_of(data)
    _declared(find(text), text)


jms_objects = partial(_connections, connections_of_objects)
transfer_properties = partial(_connections, connections_of_files)
routes = partial(_connections, connections_of_routes)


def _faults(finders: Sequence[Callable[[str], Iterable[Diagnostic]]], data: bytes) -> None:
    """Faults are in the text, whichever of its forms it has."""
    text = text_of(data)
    for find in finders:
        for fault in find(text):
            inside((fault.start, fault.end), text)


keystore = partial(_faults, [keystore_faults])
dlq_rules = partial(_faults, [lambda text: read_rules(text).diagnostics])
mounts = partial(_faults, [mount_faults])
failover = partial(_faults, [cluster_faults, cib_faults, main_faults])
web_server = partial(_faults, [faults_of_server])


def jcl(data: bytes) -> None:
    text = text_of(data)
    _script(script_in("jcl", text), text)
    _declared(parsed("jcl", text).declared, text)


def captured(data: bytes) -> None:
    text = text_of(data)
    capture = parse_captured(text)
    _declared(capture.declared, text)
    for stanza in capture.stanzas:
        for entry in stanza.entries:
            inside(entry.key_span, text)
            inside(entry.value_span, text)


def notes(data: bytes) -> None:
    """Commands are those of a line, at their places."""
    text = text_of(data)
    for inner in parse_notes(text, ANALYSER.vocabulary):
        for offset in (0, len(inner.text) // 2, len(inner.text)):
            assert 0 <= inner.host(offset) <= len(text)
        lines = map(re.escape, inner.text.split("\n"))  # what is to be filled in is covered
        assert all(re.search(line.replace(PLACEHOLDER, "."), text) for line in lines)


def markdown(data: bytes) -> None:
    """What is embedded stands in the text."""
    text = text_of(data)
    for inner in parsed("markdown", text).embedded:
        for offset in (0, len(inner.text) // 2, len(inner.text)):
            assert 0 <= inner.host(offset) <= len(text)


def drbd(data: bytes) -> None:
    text = text_of(data)
    _declared(parse_drbd(text, Budget(len(text))), text)


def manifest(data: bytes) -> None:
    """Whatever is declared or embedded stands in the text."""
    text = text_of(data)
    for document in read_documents(text):
        for node in document.walk():
            inside(node.span, text)
            for _, span, _ in node.pairs:
                inside(span, text)
    found = parse_manifest(text)
    for inner in found.embedded:
        for offset in (0, len(inner.text) // 2, len(inner.text)):
            assert 0 <= inner.host(offset) <= len(text)
    _declared(found.declared, text)


def ccdt(data: bytes) -> None:
    text = text_of(data)
    table = parse_ccdt(text)
    _declared((*table.declared, *connections_of(table)), text)


def objects(language: str, data: bytes) -> None:
    """The commands that objects stand for, and the secrets among them, stand in the text."""
    text = text_of(data)
    script = parsed(language, text).script
    assert script is not None
    _script(script, text)


def connector(data: bytes) -> None:
    """Connectors of both forms, and variables in the same text."""
    text = text_of(data)
    _declared(parsed("connector", text).declared, text)
    _declared(connections_of_script(text), text)


def composed_manifests(data: bytes) -> None:
    """One text as the files of an overlay and of Compose: all that is said of it lies in a file."""
    text = text_of(data)
    names = ("base/kustomization.yaml", "base/a.yaml", "over/kustomization.yaml", "over/a.yaml")
    more = ("compose.yaml", "compose.override.yaml", "a.env", "helmfile.yaml", "dr.yaml")
    chart = ("charts/mq/values.yaml", "charts/mq/values-dr.yaml", "charts/mq/templates/a.yaml")
    texts = dict.fromkeys((*names, *more, *chart), text)
    head = "resources: [../base, a.yaml]\nservices: {}\n"
    texts["over/kustomization.yaml"] = head + text
    for composition in compositions_of(texts, dirname)[0]:
        found, used, why = composed(composition)
        assert (found is None) or not why
        assert used <= texts.keys()
        if found is None:
            continue
        for fault in found.diagnostics:
            path, start = found.place(fault.start)
            assert 0 <= fault.start - start <= len(texts[path]), fault
            assert fault.end >= fault.start, fault
        for declared in found.declared:
            for field in declared.fields:
                path, start = found.place(field.span[0])
                assert 0 <= field.span[0] - start <= len(texts[path]), field


def transfer_json(data: bytes) -> None:
    """Agents in containers, and exporters: both are trees with few keys."""
    text = text_of(data)
    _declared(connections_of_json(text, Budget(len(text))), text)
    _declared(connections_of_exporter(read_documents(text)), text)


def client_keys(data: bytes) -> None:
    text = text_of(data)
    keys = (("QMNAME", "$.mq.channel.name"), ("host", "$.a[*].name"), ("get", "$.a[*].b[*]"))
    found = connections_of_keys(text, [Client("*", keys)], Budget(len(text)))
    _declared((declared for each in found for declared in each.declared), text)


def control(data: bytes) -> None:
    """Every word of a control command is bound once."""
    words = text_of(data).split(" ")
    spec = CONTROL.get(words[0]) or sorted(CONTROL.items())[len(data) % len(CONTROL)][1]
    form = parse_control(spec, words)
    bound = [option.word for option in form.options] + list(form.operands)
    bound += [option.value for option in form.options if option.value not in (-1, option.word)]
    assert sorted(bound) == list(range(1, len(words)))
    for option in form.options:
        if option.value >= 0:
            assert 0 <= option.offset <= len(words[option.value])


def inside(span: Span, text: str) -> None:
    assert 0 <= span[0] <= span[1] <= len(text)


def _declared(declared: Iterable[Declared], text: str) -> None:
    for item in declared:
        inside(item.span, text)
        for field in item.fields:
            inside(field.span, text)


def _script(script: ShellScript, text: str) -> None:
    """Places lie in the text, and every place of a document inside leads back into it."""
    for step in script.steps:
        _step(step, text)
    for span in script.secrets:
        inside(span, text)
    for call in script.calls:
        assert 0 <= call <= len(text)
    for inner in script.embedded:
        assert inner.text
        assert inner.segments[0][0] == 0
        assert [at for at, _ in inner.segments] == sorted({at for at, _ in inner.segments})
        for place in (inner.end, *map(inner.host, range(len(inner.text)))):
            inside((place, place), text)  # a variable may be set below the command that uses it
        check_cover(inner.text, ANALYSER.parser.parse(inner.text))


def _step(step: Step, text: str) -> None:
    inside(step.span, text)
    inside(step.command_span, text)
    # A task that removes files has no word for the command: its place begins at the first value.
    assert step.span[0] == step.command_span[0] <= step.command_span[1] <= step.span[1]
    assert step.span[0] < step.span[1]
    for word in step.operands:
        inside(word.span, text)
    for path in step.paths:
        inside(path.span, text)
    for option in step.options:
        inside(option.span, text)
        if option.value_span is not None:
            inside(option.value_span, text)
