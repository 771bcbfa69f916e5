"""Trees of YAML and JSON: what stands where, whatever the text."""

from __future__ import annotations

import pytest
import yaml

from mqlint.language.yaml import events
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.source.budget import DEEPEST, Budget
from mqlint.vocabulary.unknown import UNKNOWN
from tests.linear import is_linear_in_time

Plain = str | list["Plain"] | dict[str, "Plain"] | None


def plain(node: Node) -> Plain:
    """The tree without its places; None for what is empty, `?` for what is not known."""
    if node.kind == "mapping":
        return {key: plain(value) for key, _, value in node.pairs}
    if node.kind == "list":
        return [plain(item) for item in node.items]
    if node.kind == "empty":
        return None
    return "?" if node.value is UNKNOWN else node.text


CASES = {
    "mappings in each other": (
        "a:\n  b: 1\n  c: two words # remark\nd:\n",
        [{"a": {"b": "1", "c": "two words"}, "d": None}],
    ),
    "lists at the column of their key": (
        "a:\n- 1\n- b: 2\n  c: 3\nd: 4\n",
        [{"a": ["1", {"b": "2", "c": "3"}], "d": "4"}],
    ),
    "lists in lists": ("- - a\n  - b\n- c\n", [[["a", "b"], "c"]]),
    "quotes": (
        "a: 'it''s'\nb: \"x\\ty\\u0041\"\n\"c d\": e\n",
        [{"a": "it's", "b": "x\tyA", "c d": "e"}],
    ),
    "quotes over lines": ('a: "one\n  two\n\n  three"\n', [{"a": "one two\nthree"}]),
    "a block with its lines": (
        "a: |\n  one\n    two\n\n  three\nb: 1\n",
        [{"a": "one\n  two\n\nthree\n", "b": "1"}],
    ),
    "a block without the last line end": ("a: |-\n  one\n  two\n", [{"a": "one\ntwo"}]),
    "a block that is folded": ("a: >\n  one\n  two\n\n  three\n", [{"a": "one two\nthree\n"}]),
    "a block that says its indentation": ("a: |2\n    one\n  two\n", [{"a": "  one\ntwo\n"}]),
    "plain text over lines": ("a: one\n  two\nb: 1\n", [{"a": "one two", "b": "1"}]),
    "flow": ("a: {b: [1, 'x'], c: {d: e}}\n", [{"a": {"b": ["1", "x"], "c": {"d": "e"}}}]),
    "JSON": (
        '{"a": [{"b": 1, "c": "x"}],\n "d": true}\n',
        [{"a": [{"b": "1", "c": "x"}], "d": "true"}],
    ),
    "several documents": ("a: 1\n---\nb: 2\n...\n---\n# nothing\n", [{"a": "1"}, {"b": "2"}]),
    "templates are unknown": (
        'a: {{ .Values.x }}\nb: x-${Y}\nc: ["{{ z }}"]\n',
        [{"a": "?", "b": "?", "c": ["?"]}],
    ),
    "what branches say is unknown": (
        "{{- if .Values.x }}\na: 1\n{{- end }}\nb: 2\n",
        [{"a": "?", "b": "2"}],
    ),
    "an alias has the text of its scalar": (
        "a: &x 1\nb: *x\nc: &y |\n  q\n  r\nd: [*y, *z]\n",
        [{"a": "1", "b": "1", "c": "q\nr\n", "d": ["q\nr\n", "?"]}],
    ),
    "an alias of the last anchor of its name, in its document": (
        "a: &x 1\nb: &x 2\nc: *x\nd: &x {e: f}\ng: *x\n---\nh: *x\n",
        [{"a": "1", "b": "2", "c": "2", "d": {"e": "f"}, "g": "?"}, {"h": "?"}],
    ),
    "comments of templates at the margin": (
        "{{- /*\n Copyright: {a\n b: 1\n*/ -}}\na: 1\n{# b: [\nc #}\nd: 2\n",
        [{"a": "1", "d": "2"}],
    ),
    "a comment of templates without an end": ("a: 1\n{# b: 2\n", [{"a": "1"}]),
    "line ends of Windows": ("a: 1\r\nb: |\r\n  x\r\n  y\r\n", [{"a": "1", "b": "x\ny\n"}]),
    "an anchor given twice, a tag nobody knows": (
        "a: &x 1\nb: &x !Own {c: !Ref d}\n",
        [{"a": "1", "b": {"c": "d"}}],
    ),
    "merge keys add nothing": (
        "a: &x {b: 1}\nc:\n  <<: *x\n",
        [{"a": {"b": "1"}, "c": {"<<": "?"}}],
    ),
    "a byte order mark": ("\ufeffa: 1\nb: 2\n", [{"a": "1", "b": "2"}]),
    "JSON with tabs": ('{\n\t"a":\t[1,\t2]\t}\n', [{"a": ["1", "2"]}]),
    "tabs for blanks": ("a: 1\n\t\nb:\tc\n  \t# remark\nd: e\n", [{"a": "1", "b": "c", "d": "e"}]),
    "quotes that are never closed are unknown": (
        "a: 1\nb: 'x\nc: 3\n",
        [{"a": "1", "b": "?", "c": "3"}],
    ),
    "a second colon makes the value unknown": ("a: b: c\nd: 1\n", [{"a": "?", "d": "1"}]),
    "a line with the wrong indentation is lost": (
        "a:\n   b: 1\n  c: 2\nd: 3\n",
        [{"a": {"b": "1"}, "d": "3"}],
    ),
    "a line of a block with the wrong indentation is part of it": (
        "a: |\n    one\n  two\n    three\nb: 1\n",
        [{"a": "one\ntwo\nthree\n", "b": "1"}],
    ),
    "lines of templates in a block are part of it": (
        "a: |\n  one\n{{ if x }}\n  two\n{{ end }}\nb: 1\n",
        [{"a": "one\n{{ if x }}\ntwo\n", "b": "1"}],
    ),
    "a bracket that is never closed ends with the document": (
        "a: [1, 2\n---\nb: 1\n",
        [{"a": ["1", "2"]}, {"b": "1"}],
    ),
    "characters that YAML forbids": ("a: x\0y\nb: 1\n", [{"a": "x\0y", "b": "1"}]),
    "what cannot be read is left out": ("a: 1\n   - x\nb: 2\n", [{"a": "1", "b": "2"}]),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_a_text_is_read(text: str, expected: list[Plain]) -> None:
    assert [plain(document) for document in read_documents(text)] == expected


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_a_text_is_read_without_libyaml(
    text: str, expected: list[Plain], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "LOADER", yaml.SafeLoader)
    assert [plain(document) for document in read_documents(text)] == expected


@pytest.mark.parametrize("piece", ["[", "{a: ", "- ", '{"a":[', "? ", "[\n"])
def test_what_is_nested_too_deep_is_left_out(piece: str) -> None:
    budget = Budget(1)
    first, *_ = read_documents(f"---\na: 1\n---\n{piece * 20_000}", budget)
    assert plain(first) == {"a": "1"}
    assert budget.notes == (f"text nested more than {DEEPEST} levels deep is not read",)


def test_a_character_of_a_block_is_where_it_stands() -> None:
    text = "x:\n  a.mqsc: |-\n    DEFINE QLOCAL(A) +\n      MAXDEPTH(5)\n"
    (root,) = read_documents(text)
    value = root.get("x", "a.mqsc")
    assert value is not None
    assert value.mapped is not None
    at = value.text.index("MAXDEPTH")
    assert text[value.mapped.host(at) :].startswith("MAXDEPTH")


HOSTILE = [
    *("- ", "{", '[{"a":', "a:\n", '"\n', "'", "a: |\n x\n", "a:\n b\n c\n", "x: &a ", "k: 'a\n"),
    *("a:\n - b\n", " c\n", "---\n", "{{", "? ", "a: >\n\n\n"),
]


@pytest.mark.growth
@pytest.mark.parametrize("piece", HOSTILE)
def test_time_grows_with_the_text(piece: str) -> None:
    def work(times: int) -> object:
        return read_documents("a:\n b\n" + piece * times)

    assert is_linear_in_time(work, 4_000)


LANDINGS = {
    "in the mapping at its column": (
        "a:\n  b:\n    c: 1\n    {{- toYaml .x | nindent 4 }}\n",
        "a.b",
    ),
    "in the mapping above": ("a:\n  b:\n    c: 1\n  {{- toYaml .x | nindent 2 }}\n", "a a.b"),
    "without a minus sign": ("a:\n  b:\n    c: 1\n{{ toYaml .x | indent 4 }}\n", "a.b"),
    "in an empty value": ("a:\n  b:\n    {{- toYaml .x | nindent 4 }}\n  c: 1\n", "a.b"),
    "before what is in a value": ("a:\n  b:\n    {{- .x | nindent 4 }}\n    c: 1\n", "a.b"),
    "in an entry after a dash": ("a:\n  -\n    {{ .x | nindent 4 }}\n    c: 1\n", "a.0"),
    "after a value": ("a:\n  b: c {{ .x | nindent 2 }}\n", "a a.b"),
    "in a branch": ("a:\n  {{- with .x }}\n  {{ . | nindent 2 }}\n  {{ end }}\n  b: 1\n", "a"),
    "below each": ("a:\n  {{ if .x }}\n  b:\n  {{ else }}\n  c:\n  {{ end }}\n  - d\n", "a.b a.c"),
    "nowhere": ("a:\n  {{/* x */}}\n  b: {c: 1}\n  {{- $x := 1 }}\n  d: 1\n", ""),
    "an entry of one line": ("a:\n  b:\n  - c\n  - {{ .x | quote }}\n", "a a.b"),
    "a key": ("a:\n  {{ .x }}: 1\n  b: {c: 1}\n  {{- if .x }}\n  {{- end }}\n", "a"),
    "anywhere": ("a:\n  b:\n    c: 1\n    {{- include .x }}\n", " a a.b"),
    "anywhere after another": ("a:\n  b: {}\n{{ .x | nindent 2 }}{{ .y }}\n", " a"),
    "anywhere for other templates": ("a:\n  b: 1\n  ${X}\n", " a"),
    "with an anchor": ("a: &b\n  b: 1\n  c: {}\n  {{ .x | nindent 6 }}\n", "a"),
}


@pytest.mark.parametrize(("text", "expected"), LANDINGS.values(), ids=LANDINGS.keys())
def test_only_what_a_template_lands_in_has_more(text: str, expected: str) -> None:
    """Paths of what is partial; the root is a blank one."""
    (root,) = read_documents(text)
    found: list[str] = []
    waiting = [("", root)]
    while waiting:
        path, node = waiting.pop()
        found += [path] if node.is_partial else []
        items = ((str(at), item) for at, item in enumerate(node.items))
        below = *node.pairs.items(), *items
        waiting += [(f"{path}.{key}".strip("."), each) for key, each in below]
    assert " ".join(sorted(found)) == expected
