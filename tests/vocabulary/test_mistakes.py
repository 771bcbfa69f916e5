"""A mistake in the data of a vocabulary is refused, with its place and the nearest right word."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files

import pytest

from mqlint.config.errors import ConfigError
from mqlint.config.node import Node
from mqlint.config.reader import read_yaml
from mqlint.vocabulary import (
    applications,
    ccdt,
    chlauth,
    cl,
    control,
    effects,
    ini,
    kubernetes,
    urbancode,
    zos,
)
from mqlint.vocabulary.compile import compile_mqsc

COMPILERS: dict[str, Callable[..., object]] = {
    "mqsc": compile_mqsc,
    "control.yaml": control.SHAPE.check,
    "ini.yaml": ini.SHAPE.check,
    "cl.yaml": cl.SHAPE.check,
    "zos.yaml": zos.SHAPE.check,
    "effects.yaml": effects.SHAPE.check,
    "applications.yaml": applications.SHAPE.check,
    "ccdt.yaml": ccdt.SHAPE.check,
    "chlauth.yaml": chlauth.SHAPE.check,
    "kubernetes.yaml": kubernetes.SHAPE.check,
    "urbancode.yaml": urbancode.SHAPE.check,
}
DATA = files("mqlint.vocabulary").joinpath("data")


def roots(file: str, text: str | None = None) -> list[Node]:
    """The documents of a vocabulary, `text` instead of its document `file`."""
    folder, _, name = file.rpartition("/")
    if not folder:
        return [read_yaml(text or DATA.joinpath(file).read_text("utf-8"), file)]
    texts = {entry.name: entry.read_text("utf-8") for entry in DATA.joinpath(folder).iterdir()}
    texts[name] = text or texts[name]
    return [read_yaml(texts[each], f"{folder}/{each}") for each in sorted(texts)]


@pytest.mark.parametrize("file", ["mqsc/words.yaml", *list(COMPILERS)[1:]])
def test_what_is_shipped_is_right(file: str) -> None:
    COMPILERS[file.split("/")[0]](*roots(file))


QUEUES, WORDS, COMMON, SHOWS = (
    f"mqsc/{name}.yaml" for name in ("queues", "words", "common", "displays")
)
PAGES = "mqsc/pages.yaml"
MISTAKES = [
    # -- MQSC: keys, words, releases, what is repeated, names of what is not there
    (QUEUES, "evidence: document", "evidense: document", "unknown key 'evidense': did you mean"),
    (QUEUES, "evidence: document", "evidence: dokument", "found 'dokument': did you mean"),
    (QUEUES, "platforms: zos", "platforms: zso", "found 'zso': did you mean 'zos'?"),
    (QUEUES, "since: {lts: ", "since: {ltz: ", "unknown key 'ltz': did you mean 'lts'?"),
    (QUEUES, "since: {lts: ", "since: {lts: v", "is not a release such as 9.4.0"),
    (QUEUES, "since: {lts: ", "since: {cd: ", "the key 'lts' is missing"),
    (QUEUES, "of: [QLOCAL", "of: [QLOCAL, QLOCAL", "'QLOCAL' is in the list twice"),
    (QUEUES, "of: [QLOCAL", "of: [QLOCA", "unknown command or object 'QLOCA': did you mean"),
    (QUEUES, "attributes:", "atributes:", "unknown key 'atributes': did you mean 'attributes'?"),
    (QUEUES, "attributes:", "attributes: {}\nattributes:", "is repeated, first in line"),
    (QUEUES, "int: [0, ", "int: [zero, ", "expected a whole number, found the text 'zero'"),
    (QUEUES, "flag: true", "flag: yes", "expected true or false, found the text 'yes'"),
    (COMMON, "of: [QALIAS, ", "of: [QALIAS, DEFINE QALIAS, ", "has the attribute CLUSNL twice"),
    (WORDS, "ALTER: [ALT]", "ALTER: [ALT, DEF]", "DEF is a synonym of ALTER and of DEFINE"),
    (WORDS, "RESUME QMGR}", "RESUM QMGR}", "unknown command 'RESUM QMGR': did you mean"),
    (SHOWS, "shows: [AUTHINFO]", "shows: [AUTHINF]", "unknown object 'AUTHINF': did you mean"),
    (SHOWS, "like: ", "like: X", "unknown display "),
    (PAGES, "ALTER AUTHINFO:", "ALTER AUTHINF:", "unknown command ALTER AUTHINF"),
    (PAGES, "read: diagram", "read: diagrams", "found 'diagrams': did you mean 'diagram'?"),
    (PAGES, "of: 9.4.0", "of: newest", "'newest' is not a release such as 9.4.0"),
    # -- control commands
    ("control.yaml", "evidence:", "evidense:", "unknown key 'evidense': did you mean 'evidence'?"),
    ("control.yaml", "evidence: document", "evidence: documant", "found 'documant': did you mean"),
    ("control.yaml", "removed: ", "removed: v", "is not a release such as 9.4.0"),
    ("control.yaml", "flags: [lc,", "flags: [lc, lc,", "'lc' is in the list twice"),
    ("control.yaml", "flags: [lc,", "flags: [lc, ar,", "the option 'ar' is among the flags too"),
    ("control.yaml", "secret: [fp]", "secret: [fpp]", "unknown option 'fpp': did you mean"),
    ("control.yaml", "queue_manager: operand", "queue_manager: operant", "did you mean 'operand'?"),
    ("control.yaml", "lf: 32..65535", "lf: 32-65535", "expected a list of words, or LEAST..MOST"),
    ("control.yaml", "lf: 32..65535", "lq: 32..65535", "unknown option 'lq' with a value"),
    ("control.yaml", "strmqm:\n", "crtmqm:\n", "the key 'crtmqm' is repeated, first in line"),
    ("control.yaml", "class: create", "klass: create", "unknown key 'klass': did you mean 'class'"),
    # -- stanzas
    ("ini.yaml", "evidence:", "evidense:", "unknown key 'evidense': did you mean 'evidence'?"),
    ("ini.yaml", "in: [qm.ini]", "in: [qm.in]", "found 'qm.in': did you mean 'qm.ini'?"),
    ("ini.yaml", "deprecated: 9.2.1", "deprecated: nine", "'nine' is not a release such as 9.4.0"),
    ("ini.yaml", "also: [LogPath,", "also: [LogPath, LogPath,", "'LogPath' is in the list twice"),
    ("ini.yaml", "also: [LogPath,", "also: [LogType,", "'LogType' is among the keys too"),
    ("ini.yaml", "ThreadedListener: yesno", "ThreadedListener: yesn", "did you mean 'yesno'?"),
    ("ini.yaml", "secret: [HTTPSKeyS", "secret: [HTTPKeyS", "unknown key 'HTTPKeyStorePas"),
    ("ini.yaml", "int: [2, 510]", "int: [510, 2]", "the least and the greatest"),
    ("ini.yaml", "stanzas:", "stanza:", "unknown key 'stanza': did you mean 'stanzas'?"),
    # -- CL
    ("cl.yaml", "evidence:", "evidense:", "unknown key 'evidense': did you mean 'evidence'?"),
    ("cl.yaml", "touches: journal", "touches: jounal", "found 'jounal': did you mean 'journal'?"),
    ("cl.yaml", "complete: true", "complete: Y", "expected true or false, found the text 'Y'"),
    ("cl.yaml", "[MQMNAME, RDEF", "[MQMNAME, MQMNAME, RDEF", "'MQMNAME' is in the list twice"),
    ("cl.yaml", "  STRMQM:\n", "  CRTMQM:\n", "the key 'CRTMQM' is repeated, first in line"),
    ("cl.yaml", "same_as: ", "same_as: X", "unknown command 'X"),
    ("cl.yaml", "  journals: [", "  journal: [", "unknown key 'journal': did you mean 'journals'"),
    # -- z/OS
    ("zos.yaml", "evidence:", "evidense:", "unknown key 'evidense': did you mean 'evidence'?"),
    ("zos.yaml", "style: words", "style: word", "found 'word': did you mean 'words'?"),
    ("zos.yaml", "within: [DDNAME,", "within: [DDNAME, DDNAME,", "'DDNAME' is in the list twice"),
    ("zos.yaml", "quiet: true", "quiet: Y", "expected true or false, found the text 'Y'"),
    ("zos.yaml", "macros:", "macro:", "unknown key 'macro': did you mean 'macros'?"),
    ("zos.yaml", "  CSQJU003:", "  CSQUTIL:", "the key 'CSQUTIL' is repeated, first in line"),
    # -- applications, channel authentication
    ("applications.yaml", "  synonyms:\n", "  synonims:\n", "unknown key 'synonims': did you"),
    ("applications.yaml", "[client, b", "[client, client, b", "'client' is in the list twice"),
    ("ccdt.yaml", "number: [0, 99]", "number: [99, 0]", "the least and the greatest"),
    ("ccdt.yaml", "{attribute: AFF", "{atribute: AFF", "unknown key 'atribute': did you mean"),
    ("urbancode.yaml", "{flag: REPLACE}", "{flg: REPLACE}", "unknown key 'flg': did you mean"),
    ("kubernetes.yaml", "  switches:", "  switchs:", "unknown key 'switchs': did you mean"),
    ("kubernetes.yaml", "[configMap, secret]", "configMap", "expected a list, found the text"),
    ("chlauth.yaml", "    read: false", "    read: no", "expected true or false, found"),
]


@pytest.mark.parametrize(("file", "right", "wrong", "message"), MISTAKES)
def test_a_mistake_is_refused_at_its_place(file: str, right: str, wrong: str, message: str) -> None:
    text = DATA.joinpath(file).read_text("utf-8")
    body = text.index("\n\n") if file != WORDS and "\n\n" in text else 0
    at = text.index(right, body)
    line = text.count("\n", 0, at) + 1
    planted = text[:at] + wrong + text[at + len(right) :]
    with pytest.raises(ConfigError) as error:
        COMPILERS[file.split("/")[0]](*roots(file, planted))
    assert message in str(error.value)
    path, found, column, _ = str(error.value).split(":", 3)
    assert (path, int(column) > 0) == (file, True)
    assert int(found) - line in range(-4, 3), "near what was planted"
