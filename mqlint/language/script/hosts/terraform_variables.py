"""Variables that Terraform gives to containers and functions.

They are pairs of `name` and `value` in a list of objects or in blocks `env`, keys of a map, or
texts `NAME=value` in a list (aws_ecs_task_definition, kubernetes_deployment, aws_lambda_function,
docker_container in the Terraform Registry). What stands beside each other belongs to one process.
"""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.language.client.connection import Setting, setting_of
from mqlint.language.client.environment import connections_of_variables
from mqlint.language.declaration import Declared
from mqlint.language.text.templates import is_known, with_placeholders
from mqlint.patterns import later

_TOKEN = later(
    r"#[^\n]*|//[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/)?|[\[\]{}(),]"
    r"|\"(?P<quoted>(?:[^\"\\\n]|\\.){0,4000})\"|(?P<word>[A-Za-z_][\w.-]{0,200})|(?P<sign>[=:])|\n"
)
_MOST_OPEN = 500
_NAME = later(r"[A-Za-z_][A-Za-z0-9_]{0,100}")
_ITEM = later(r"([A-Za-z_][A-Za-z0-9_]{0,100})=(.*)")

Variable = tuple[str, Setting]


class _Scope:
    """What one pair of brackets holds: its variables, and `name` and `value` of one of them."""

    def __init__(self) -> None:
        self.variables: list[Variable] = []
        self.name: Setting | None = None
        self.value: Setting | None = None

    def take(self, key: str, setting: Setting) -> None:
        if key == "name":
            self.name = setting
        elif key == "value":
            self.value = setting
        else:
            self.variables.append((key, setting))


def connections_of_terraform(text: str) -> Iterator[Declared]:
    """Yield the connections that variables of a text describe."""
    for scope in _scopes(text):
        yield from connections_of_variables(scope.variables)


def _scopes(text: str) -> Iterator[_Scope]:
    """Yield the brackets that hold variables, in the order in which they end."""
    covered = with_placeholders(text)
    waiting = [_Scope()]
    key, is_value = "", False
    for token in _TOKEN.finditer(text):
        written = token[0]
        if written in "[{(" and len(waiting) < _MOST_OPEN:
            waiting.append(_Scope())
            key, is_value = "", False
        elif written in "]})" and len(waiting) > 1:
            scope = waiting.pop()
            if scope.name is not None and isinstance(scope.name.value, str):
                value = scope.value or Setting("", scope.name.span)
                waiting[-1].variables.append((scope.name.value, value))
            if scope.variables:
                yield scope
            key, is_value = "", False
        elif token["sign"]:
            is_value = bool(key)
        elif token["quoted"] is not None or token["word"]:
            group = "word" if token["word"] else "quoted"
            span = token.span(group)
            is_plain = group == "quoted" and is_known(covered[slice(*span)])
            setting = setting_of(token[group], span, is_plain=is_plain and "\\" not in token[group])
            item = _ITEM.fullmatch(token[group]) if group == "quoted" and not is_value else None
            if is_value:
                waiting[-1].take(key, setting)
                key, is_value = "", False
            elif item is not None:
                value = setting_of(item[2], span, is_plain=is_plain)
                waiting[-1].variables.append((item[1], value))
            else:
                key = token[group] if _NAME.fullmatch(token[group]) else ""
