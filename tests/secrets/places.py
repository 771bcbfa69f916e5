"""Texts with a secret in each: those of places.yaml, and those that the vocabularies tell of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.rows import rows_of
from tests.shipped import shipped_vocabulary

HERE = Path(__file__).parent
WORD = "CANARY"

MQSC_FORMS = (
    "{attribute}(CANARY)",
    "{attribute}('CANARY')",
    "{attribute} ('CAN-\nARY')",
    "{attribute} +\n  ('CANARY')",
    "{near}('CANARY')",
    "{attribute}('CANARY') NOSUCH(1)",
    "{attribute}('CANARY",
    "{attribute} CANARY",
    "{attribute}=CANARY",
)
"""Bare, quoted, continued, misspelt, beside a fault, with a broken quote, without parentheses."""
MQSC_HOSTS = {
    "objects.mqsc": "TEXT\n",
    "set-up.sh": "#!/bin/sh\nrunmqsc QM1 <<'EOF'\nTEXT\nEOF\n",
    "set-up.ps1": "@'\nTEXT\n'@ | runmqsc QM1\n",
    "map.yaml": (
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  a.mqsc: |\n    TEXT\n"
    ),
    "job.jcl": (
        "//A JOB 1\n//S EXEC PGM=CSQUTIL,PARM='CSQ1'\n//SYSIN DD *\nCOMMAND DDNAME(C)\n/*\n"
        "//C DD *\nTEXT\n/*\n"
    ),
}
ONE_LINE_FORMS = ("{attribute}('CANARY') NOSUCH(1)", "{near}('CANARY')", "{attribute}('CANARY")
ONE_LINE_HOSTS = {
    "set-up.cmd": "@echo off\r\necho TEXT | runmqsc QM1\r\n",
    "Dockerfile": 'FROM icr.io/ibm-messaging/mq\nRUN echo "TEXT" | runmqsc QM1\n',
    "queue-manager.service": (
        "[Unit]\nDescription=q\n[Service]\n"
        'ExecStart=/bin/sh -c "echo \\"TEXT\\" | /opt/mqm/bin/runmqsc QM1"\n'
    ),
    "crontab": '0 1 * * * echo "TEXT" | /opt/mqm/bin/runmqsc QM1\n',
    ".github/workflows/deploy.yml": (
        "jobs:\n  a:\n    runs-on: x\n    steps:\n    - run: |\n"
        "        runmqsc QM1 <<'EOF'\n        TEXT\n        EOF\n"
    ),
    "Jenkinsfile": "pipeline {\n agent any\n sh '''\nrunmqsc QM1 <<E\nTEXT\nE\n'''\n}\n",
    "main.tf": (
        'resource "x" "y" {\n  user_data = <<EOF\n#!/bin/sh\nrunmqsc QM1 <<E\nTEXT\nE\nEOF\n}\n'
    ),
    "ansible/tasks/main.yml": (
        "- hosts: mq\n  tasks:\n  - shell: |\n      runmqsc QM1 <<'E'\n      TEXT\n      E\n"
    ),
    "values.yaml": "queueManager:\n  mqsc: |\n    TEXT\n",
}
INI_FORMS = ("{key}=CANARY", "{key} = CANARY", "{near}=CANARY", "{key} CANARY", "{key}='CANARY")
INI_HOSTS = {
    "qm.ini": "{stanza}:\n   TEXT\n   NoSuchKey=1\n",
    "set-up.sh": (
        "cat > /var/mqm/qmgrs/QM1/qm.ini <<'EOF'\n{stanza}:\n   TEXT\n   NoSuchKey=1\nEOF\n"
    ),
}
OPTION_FORMS = ("{option} CANARY", "{option}CANARY", "{option} 'CANARY'", '{option} "CANARY')
OPTION_HOSTS = {
    "set-up.sh": "#!/bin/sh\nTEXT\nstrmqm -nosuch QM1\n",
    "set-up.cmd": "@echo off\r\nTEXT\r\nstrmqm -nosuch QM1\r\n",
    "Dockerfile": "FROM icr.io/ibm-messaging/mq\nRUN TEXT\nRUN strmqm -nosuch QM1\n",
}


@dataclass(frozen=True, slots=True)
class Place:
    """A text with a secret: `title` is how a test names it, `name` that of its file."""

    title: str
    name: str
    text: str
    by_hand: bool = False


def places() -> list[Place]:
    """All texts, in a fixed order."""
    return [*_written(), *_of_mqsc(), *_of_stanzas(), *_of_options()]


def _written() -> Iterator[Place]:
    groups = rows_of(HERE / "places.yaml")
    for group, entry in groups.items():
        for written in entry["texts"]:
            text = written if isinstance(written, str) else "\n".join(written)
            whole = entry["around"].replace("TEXT", text.rstrip("\n"))
            yield Place(f"{group}: {text}", entry["name"], whole, by_hand=True)


def _near(word: str) -> str:
    """The word with a letter left out."""
    return word[:3] + word[4:]


def _of_mqsc() -> Iterator[Place]:
    vocabulary = shipped_vocabulary()
    for command in vocabulary.commands():
        verb, _, noun = command.partition(" ")
        spec = vocabulary.command(verb, noun or None)
        if verb not in ("ALTER", "DEFINE") or spec is None:
            continue
        for attribute in spec.attributes:
            if attribute.secret:
                for form in MQSC_FORMS:
                    value = form.format(attribute=attribute.name, near=_near(attribute.name))
                    text = f"{command}{'' if noun == 'QMGR' else '(A)'} {value}"
                    yield from _in(MQSC_HOSTS, f"{command}: {value}", text)
                    if form in ONE_LINE_FORMS:
                        yield from _in(ONE_LINE_HOSTS, f"{command}: {value}", text)


def _of_stanzas() -> Iterator[Place]:
    for stanza in shipped_vocabulary().ini.stanzas:
        for key in stanza.secret:
            for form in INI_FORMS:
                text = form.format(key=key, near=_near(key))
                hosts = {
                    name: around.format(stanza=stanza.name) for name, around in INI_HOSTS.items()
                }
                yield from _in(hosts, f"{stanza.name}: {text}", text)


def _of_options() -> Iterator[Place]:
    for spec in shipped_vocabulary().control.values():
        for option in sorted(spec.secret):
            for form in OPTION_FORMS:
                text = f"{spec.name} {form.format(option=f'-{option}')} QM1"
                yield from _in(OPTION_HOSTS, text, text)


def _in(hosts: dict[str, str], title: str, text: str) -> Iterator[Place]:
    for name, around in hosts.items():
        line = next(row for row in around.split("\n") if "TEXT" in row)
        indent = line[: len(line) - len(line.lstrip())] if "runmqsc" not in line else ""
        inner = text.replace("\n", f"\n{indent}")
        yield Place(f"{name}: {title}", name, around.replace("TEXT", inner))
