"""Templates of charts as values render them."""

from __future__ import annotations

from posixpath import dirname

import pytest

from mqlint.language.kubernetes.composed import composed, compositions_of
from mqlint.language.kubernetes.helm.charts import rendered
from mqlint.language.kubernetes.helm.releases import Release
from mqlint.language.kubernetes.helm.values import values_of
from mqlint.language.yaml.reader import read_documents
from mqlint.source.budget import Budget

VALUES = """\
name: Orders
empty: ''
quoted: 'no'
none: []
queues: [A.IN, A.OUT]
managers:
  - {name: QM1, port: 1414}
  - {name: QM2}
hosts: {b: two, a: one}
"""
SET = values_of(read_documents(VALUES), lambda offset: ("c/values.yaml", offset))
RELEASE = Release("c/values.yaml", "c/values.yaml", "c", tuple(SET.items()))
TOO_LONG = "its templates make too long a text"
TOO_DEEP = "its templates are nested too deeply"


def text_of(template: str) -> str:
    """What a template is with the values, without the values themselves."""
    text = f"{VALUES}\n---\n{template}\n---\n"
    start = len(VALUES) + len("\n---\n")
    files = (("c/values.yaml", 0, len(VALUES)), ("c/templates/t.yaml", start, len(text) - 5))
    found = rendered(RELEASE, text, files, Budget(len(text)))
    assert all(0 <= found.text.host(at) <= len(text) for at in range(len(found.text.text)))
    return found.text.text[start:].removesuffix("\n---\n")


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{ .Values.name }}", "Orders"),
        ('"{{ .Values.name | lower }}"', '"orders"'),
        ("{{ .Values.name | upper | quote }}", '"ORDERS"'),
        ("{{ quote (lower .Values.name) }}", '"orders"'),
        ("a: {{- .Values.name -}} \n b", "a:Ordersb"),
        ("{{/* note {{ */}}x", "x"),
        ("{{ .Values.other }}", "{{ .Values.other }}"),
        ('{{ .Values.other | default "x" }}', '{{ .Values.other | default "x" }}'),
        ('{{ default "x" .Values.empty }}', "x"),
        ('{{ printf "%s-%s" .Values.name "mq" | lower }}', "orders-mq"),
        ('{{ printf "%05d" .Values.name }}', '{{ printf "%05d" .Values.name }}'),
        ("{{ .Values.name | trunc 3 }}", "Ord"),
        ('{{ replace "r" "-" .Values.name }}', "O-de-s"),
        ("{{ .Values.name | sha256sum }}", "{{ .Values.name | sha256sum }}"),
        ('{{ required "x" .Values.name }}', "Orders"),
        ('{{ required "x" .Values.empty }}', '{{ required "x" .Values.empty }}'),
        ("{{ $x := .Values.name }}{{ $x }}", "Orders"),
        ('{{ $x := "a" }}{{ if .Values.name }}{{ $x = "b" }}{{ end }}{{ $x }}', "b"),
        (
            '{{ $x := "a" }}{{ if .Other }}{{ $x = "b" }}{{ end }}{{ $x }}',
            "{{ if .Other }}{{ end }}{{ $x }}",
        ),
        ("{{ if .Values.quoted }}a{{ else }}b{{ end }}", "a"),
        ("{{ if .Values.none }}a{{ else if .Values.name }}b{{ else }}c{{ end }}", "b"),
        ("{{ if .Values.hosts }}{{ else }}b{{ end }}x", "x"),
        ("{{ if .x }}a{{ else }}b{{ end }}", "{{ if .x }}a{{ else }}b{{ end }}"),
        ("{{ if and .Values.name (not .Values.empty) }}a{{ end }}", "a"),
        ("{{ if or .x .Values.name }}a{{ end }}", "{{ if or .x .Values.name }}a{{ end }}"),
        ('{{ if eq .Values.name "Orders" }}a{{ end }}', "a"),
        ("{{ with .Values.hosts }}{{ .a }}{{ $.Values.name }}{{ end }}", "oneOrders"),
        ("{{ with .Values.other }}{{ .a }}{{ end }}", "{{ with .Values.other }}{{ .a }}{{ end }}"),
        ("{{ range .Values.queues }}{{ . }} {{ end }}", "A.IN A.OUT "),
        ("{{ range $i, $q := .Values.queues }}{{ $i }}={{ $q }} {{ end }}", "0=A.IN 1=A.OUT "),
        ("{{ range $k, $v := .Values.hosts }}{{ $k }}={{ $v }} {{ end }}", "a=one b=two "),
        ("{{ range .Values.none }}a{{ else }}b{{ end }}", "b"),
        ("{{ range .Values.managers }}{{ .port | default 1 }} {{ end }}", "1414 1 "),
        (
            "{{ range .Values.managers }}{{ f .name }} {{ $.Release.Name }} {{ end }}",
            "{{ f .name #0 }} {{ .Release.Name }} {{ f .name #1 }} {{ .Release.Name }} ",
        ),
        ("{{ range .Values.x }}{{ .y }}{{ end }}", "{{ range .Values.x }}{{ .y }}{{ end }}"),
        (
            '{{ define "n" }}<{{ .name }}>{{ end }}'
            '{{ range .Values.managers }}{{ include "n" . }}{{ end }}',
            "<QM1><QM2>",
        ),
        ('{{ define "n" }}a\nb{{ end }}x:{{ include "n" . | nindent 2 }}', "x:\n  a\n  b"),
        (
            '{{ define "n" }}{{ .q.name }}{{ .r.Values.name }}{{ end }}'
            '{{ range .Values.managers }}{{ template "n" dict "q" . "r" $ }} {{ end }}',
            "QM1Orders QM2Orders ",
        ),
        ('{{ define "n" }}{{ if .x }}{{ end }}{{ end }}{{ include "n" . }}', '{{ include "n" . }}'),
        ('{{ define "n" }}{{ include "n" . }}{{ end }}{{ include "n" . }}', '{{ include "n" . }}'),
        ("{{ if .Values.name }}a", "{{ if .Values.name }}a"),
        ("{{ end }}{{ .Values.name }}", "{{ end }}Orders"),
        ("{{ .Values.name | }}{{ ( }}", "{{ .Values.name | }}{{ ( }}"),
    ],
)  # fmt: skip
def test_what_values_make_of_a_template(template: str, expected: str) -> None:
    assert text_of(template) == expected


def _named(number: int) -> str:
    """A named template that includes the one before it ten times."""
    inside = f'{{{{ include "n{number - 1}" . }}}}' * 10 if number else "x"
    return f'{{{{ define "n{number}" }}}}{inside}{{{{ end }}}}'


@pytest.mark.parametrize(
    ("template", "why"),
    [
        ("{{ range $.Values.queues }}" * 30 + "x" + "{{ end }}" * 30, TOO_LONG),
        ("{{ range $.Values.queues }}" * 30 + "{{ end }}" * 30, TOO_LONG),
        ("".join(map(_named, range(11))) + '{{ include "n10" . }}', TOO_LONG),
        ('{{ $x := "a" }}' + '{{ $x = printf "%s%s" $x $x }}' * 60, TOO_LONG),
        ('{{ $x := "a" }}' + '{{ $x = replace "a" "aaaaaaaaa" $x }}' * 60, TOO_LONG),
        ('{{ $x := "a\\nb" }}' + "{{ $x = $x | nindent 60 | indent 60 }}" * 600, TOO_LONG),
        ("{{ if .Values.name }}" * 400 + "x" + "{{ end }}" * 400, TOO_DEEP),
        ("{{ if .other }}" * 400 + "x" + "{{ end }}" * 400, TOO_DEEP),
    ],
)  # fmt: skip
def test_a_chart_beyond_its_budget_is_undecided(template: str, why: str) -> None:
    files = (("c/templates/t.yaml", template), ("c/values-prod.yaml", VALUES))
    (chart,), _ = compositions_of(dict(files), dirname)
    assert composed(chart) == (None, set(), why)


def test_brackets_are_followed_up_to_a_limit() -> None:
    nested = "{{ " + 28 * "(" + ".Values.name" + 28 * ")" + " }}"
    assert text_of(nested) == nested
