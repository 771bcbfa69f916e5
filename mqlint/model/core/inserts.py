"""Inserts: the text that replaces `+NAME+` when a queue manager runs a script at its start.

`+QMNAME+` is its name, `+AUTOCL+` the cluster of its AutoCluster stanza; others are from the
Variables stanza of qm.ini, which `crtmqm -iv` writes (IBM MQ documentation, "Variables stanza of
the qm.ini file", "Creating a new uniform cluster"). Helm replaces `{{ .Values.KEY }}` before that,
Ansible `{{ NAME }}`, Terraform `${var.NAME}`, shells and envsubst `${NAME}` and `$NAME`, and
pipelines `${{ inputs.NAME }}` and `$(NAME)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from mqlint.language.mqsc import Command, Templated, decode
from mqlint.language.mqsc.templates import INSERT
from mqlint.language.text.templates import CHOSEN
from mqlint.model.core.key import QueueManagerKey
from mqlint.model.core.value import UNKNOWN, Value
from mqlint.patterns import later

if TYPE_CHECKING:
    from mqlint.language.ini.parser import Stanza
    from mqlint.language.script.step import Step

Inserts = Mapping[str, Value]
"""The values of inserts by name, unknown if the files do not decide.

Names of MQ are in upper case. Those of values of a chart, and of Ansible's variables, begin with a
dot, those of Terraform and of shells with a dollar sign; their case counts.
"""

NO_INSERTS: Inserts = {}
EARLY = (".", "$")
"""The first characters of names of values that are replaced before MQ reads the text."""

_FORM = later(
    r"(?i)"
    + INSERT.pattern
    + r"|\{\{-? *(?:\.values(?P<key>\.[\w.]{1,200}) *(?P<quote>\| *squote *)?"
    r"|(?P<name>[a-z_][\w.]{0,100}(?:\[[\w.'\"]{1,60}\][\w.]{0,60}){0,4}) *"
    r"(?P<upper>\| *upper *)?)-?\}\}"
    r"|(?P<dollar>\$)(?:\{(?:var\.)?(?P<shell>[a-z_]\w{0,100}|[1-9])\}"
    r"|\{\{ *(?:(?:parameters|inputs|matrix|env|variables)\.)?(?P<given>[a-z_][\w.-]{0,100}) *\}\}"
    r"|\((?:params\.)?(?P<run>[a-z_][\w-]{0,100})\)|(?P<plain>[a-z_]\w{0,100}))"
    r"|__(?P<between>[a-z](?:[a-z0-9]|_(?!_)){0,63})__"
    r"|@@?(?P<at>[a-z_]\w{0,63})@@?|%%(?P<percent>[a-z_]\w{0,63})%%"
    r"|<%=-? *[@$]?(?:\w{1,60}(?:::|\.)){0,4}"
    r"(?P<erb>\w{1,60}(?:\[['\":]?\w{1,60}['\"]?\]){0,4}) *-?%>",
)
_NAMES = ("shell", "given", "run", "plain", "between", "at", "percent")
"""The groups of the form that have the name of such a variable."""
_KEY = later(r"\[(?:'([\w-]+)'|\"([\w-]+)\"|(\d+)|[\w.]+)\]")
_WORDS = later(r"\w+")
_OF_SHELL = later(r"\$([A-Za-z_]\w{0,100}|[1-9])")
_OF_RUBY = later(r"#\{@?(?:\w{1,60}\.){0,4}(\w{1,60}(?:\[['\":]?\w{1,60}['\"]?\]){0,4})\}")
_OF_CMD = later(r"%([A-Za-z_]\w{0,100})%")
_PLAIN = later(r"(?:(?!__)[\w.,:()/' -])*")
"""Text around inserts, if no template of another form is part of it."""


def inserts_of(key: QueueManagerKey, stanzas: Iterable[Stanza], steps: Iterable[Step]) -> Inserts:
    """Return the inserts of a queue manager that its ini files and its creation declare."""
    found: dict[str, Value] = {} if key.anonymous else {"QMNAME": key.name}
    for name, value in (*_of_stanzas(stanzas), *_of_steps(steps)):
        found[name] = value if found.get(name, value) == value else UNKNOWN
    return found


def with_values(inserts: Inserts, given: Iterable[Mapping[str, str]]) -> Inserts:
    """Return inserts with values that are replaced early, by their names; two may differ."""
    found = dict(inserts)
    for path, value in (item for values in given for item in values.items()):
        name = path if path.startswith("$") else f".{path}"
        found[name] = value if found.get(name, value) == value else UNKNOWN
    return found


def replaced(raw: Templated, inserts: Inserts) -> str | None:
    """Return the value of `raw` with its inserts replaced; None if a part of it is unknown.

    Values of a chart are there before MQ reads the command, so it folds those without quotes.
    """
    found = [*_FORM.finditer(raw)] if inserts else []
    if not found or _PLAIN.fullmatch(_FORM.sub(" ", raw)) is None:
        return None
    values = []
    for insert in found:
        name = _name_of(insert)
        value = inserts.get(name)
        if not isinstance(value, str):
            return None
        is_early = name.startswith(EARLY) and not insert["quote"]
        is_folded = insert["upper"] or (is_early and "'" not in raw)
        values.append(value.upper() if is_folded else value)
    texts = iter(values)
    return _FORM.sub(lambda _: next(texts), decode(raw))


def _name_of(insert: re.Match[str]) -> str:
    if insert["name"] is None and insert["key"] is None and not insert[1]:
        return _of_dollar(insert)
    return f".{_dotted(insert['name'])}" if insert["name"] else insert["key"] or insert[1].upper()


def _dotted(name: str) -> str:
    """The name of a variable of Ansible; an entry that another variable chooses is `?`."""
    return _KEY.sub(lambda key: f".{key[1] or key[2] or key[3] or CHOSEN}", name)


def variables_in(text: str) -> set[str]:
    """Return the names of the variables in a text; those with a dollar sign begin with it."""
    found = [*_FORM.finditer(text)]
    names = {_dotted(each["name"]) for each in found if each["name"]}
    return names | {name for each in found if (name := _of_dollar(each)) != "$"}


def _of_dollar(insert: re.Match[str]) -> str:
    """The name of a variable of a shell, or of what fills a template in with such variables."""
    name = next(filter(None, map(insert.__getitem__, _NAMES)), "")
    words = _WORDS.findall(insert["erb"] or "")  # the last key of `node['mq']['qm']`
    return f"${name or ''.join(words[-1:])}"


def sole_variable(text: str) -> str:
    """Return the variable that a text consists of, as `variables_in` does; blank for others."""
    plain = _OF_SHELL.fullmatch(text)
    if plain is not None:
        return f"${plain[1]}"
    of_cmd = _OF_CMD.fullmatch(text)
    if of_cmd is not None:
        return f"${of_cmd[1].upper()}"
    of_ruby = _OF_RUBY.fullmatch(text)
    if of_ruby is not None:
        return f"${_WORDS.findall(of_ruby[1])[-1]}"
    found = _FORM.fullmatch(text)
    names = variables_in(text) if found is not None and not found["upper"] else set[str]()
    return names.pop() if names else ""


def name_with_inserts(raw: Templated, command: Command, inserts: Inserts) -> str:
    """Return the raw name of an object with its inserts replaced.

    In that of a cluster-sender, MQ itself puts the partner's name ("Cluster attributes available on
    channel definition commands" in IBM's documentation), so only early values are known.
    """
    if decode(command.get("CHLTYPE") or "") == "CLUSSDR":
        inserts = {name: value for name, value in inserts.items() if name.startswith(EARLY)}
    name = replaced(raw, inserts)
    return raw if name is None else f"'{name}'"


def _of_stanzas(stanzas: Iterable[Stanza]) -> Iterator[tuple[str, Value]]:
    for stanza in stanzas:
        kind = stanza.name.lower()
        for entry in stanza.entries if kind in ("variables", "autocluster") else ():
            is_known = not (entry.templated or stanza.conditional)
            value: Value = entry.value if is_known else UNKNOWN
            if kind == "variables":
                yield entry.key.upper(), value
            elif entry.key.lower() == "clustername":
                yield "AUTOCL", value


def _of_steps(steps: Iterable[Step]) -> Iterator[tuple[str, Value]]:
    for step in steps:
        for option in step.options if step.command == "crtmqm" else ():
            if option.name == "iv" and isinstance(option.value, str):
                name, _, value = option.value.partition("=")
                yield name.upper(), UNKNOWN if step.execution.maybe else value
