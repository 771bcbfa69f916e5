"""Texts in Terraform: the heredocs that are MQSC, and those that are scripts of a shell.

    data = {
      "objects.mqsc" = <<-EOT
        DEFINE QLOCAL(PAY.IN) DESCR('${var.what}')
      EOT
    }

Commands of the provisioners `local-exec` and `remote-exec`, and of `shell` of Packer, are read too:

    provisioner "local-exec" { command = "runmqsc QMA < ${path.module}/objects.mqsc" }

Of the rest only variables of containers are read. `${ }` and `%{ }` are unknown, though
`${var.what}` may have a value at each site, and a heredoc with a `%{ }` may be another text
(Terraform, "Strings and Templates"). The heredocs of a Vagrantfile and a recipe of Chef are those
of Ruby, in which `#{ }` is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from operator import attrgetter
from textwrap import dedent

from mqlint.finding import Diagnostic
from mqlint.language.client.connection import Setting, SettingText, setting_of
from mqlint.language.client.environment import connections_of_variables
from mqlint.language.client.signs import has_client
from mqlint.language.declaration import Declared, Field, NamedFile
from mqlint.language.embedding import declared_in
from mqlint.language.ini import INI
from mqlint.language.kubernetes import MANIFEST
from mqlint.language.mqsc.language import MQSC
from mqlint.language.script.hosts.host import Block, Host
from mqlint.language.script.hosts.signs import FILE_READ, GIVES_VARIABLES
from mqlint.language.script.hosts.terraform_kubernetes import Typed, typed_resources
from mqlint.language.script.posix import SHELL
from mqlint.language.script.step import Embedded
from mqlint.language.script.unread.unfollowed import line_before
from mqlint.language.text.hcl import Text, parts_of, read_hcl
from mqlint.language.text.mapped import MappedText, MappedTextBuilder
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later

_TOKEN = later(
    r"#[^\n]*|//[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/)?|[\[\]{}(),]"
    r"|\"(?P<quoted>(?:[^\"\\\n]|\\.)*+)\"|\"(?:[^\"\\\n]|\\.)*+"
    r"|(?P<word>[A-Za-z_][\w.-]{0,200})|(?P<sign>[=:])|\n"
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


def _connections(text: str, typed: Typed) -> Iterator[Declared]:
    for scope in _scopes(text):
        if not typed.hold(scope.variables[0][1].span[0]):
            yield from connections_of_variables(scope.variables)


def _containers(text: str, typed: Typed) -> Iterator[tuple[Declared, Iterator[Diagnostic]]]:
    """Yield the queue managers of containers, and the faults of their variables.

    They are resources of Docker and Amazon ECS, by the variables beside each other, and those of
    Kubernetes that are not read whole, as `typed` are.
    """
    if "LICENSE" not in text:
        return
    from mqlint.language.kubernetes import container  # few files have one
    from mqlint.language.kubernetes.environment import Variable

    for scope in _scopes(text):
        variables = {
            name: Variable(setting.text, setting.value, setting.span, setting.span)
            for name, setting in scope.variables
        }
        if "LICENSE" in variables and container.is_of_mq(variables):
            place = variables["LICENSE"].name_span
            if typed.hold(place[0]):
                continue
            kind = Field("kind", "container", place)
            own = container.container(kind, "", None, variables, place, f"#{place[0]}")
            yield own, container.environment_faults(variables)


def _scopes(text: str) -> Iterator[_Scope]:
    """Yield the brackets that hold variables, in the order in which they end."""
    settings = SettingText(text)
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
            is_plain = group == "quoted" and settings.is_known(span)
            setting = settings.setting(span, is_plain=is_plain and "\\" not in token[group])
            item = _ITEM.fullmatch(token[group]) if group == "quoted" and not is_value else None
            if is_value:
                waiting[-1].take(key, setting)
                key, is_value = "", False
            elif item is not None:
                value = setting_of(item[2], span, is_plain=is_plain)
                waiting[-1].variables.append((item[1], value))
            else:
                key = token[group] if _NAME.fullmatch(token[group]) else ""


_HEREDOC = later(
    r"(?:\"?(?P<key>[\w./${}-]{1,100})\"?[ \t]*[=:][ \t]*(?:\w+\([ \t]*)?)?"
    r"<<(?P<strip>[-~]?)(?P<mark>[A-Za-z_]\w{0,60})[ \t]*\r?$"
)
_PIECE = later(r"\$\$\{|%%\{|[$%#]\{[^}\n]{0,400}\}|[^$%#]+|[$%#]")
_QUOTED_PIECE = later(
    r"\\(?P<escaped>.)|\$\{path\.module\}/|\$\$\{|%%\{"
    r"|\$\{(?:var|local)\.(?P<variable>[A-Za-z_]\w{0,100})\}|[$%]\{[^}\n]{0,400}\}|[^\\$%]+|[$%]"
)
"""A part of a text in quotes ("Strings and Templates"); `path.module` is the folder of the file."""
_OPENED = later(r"[$%]\{")
_ESCAPES = {"n": "\n", "t": "\t", "r": " "}
_MADE = later(r"\bfilename[ \t]*=[ \t]*\"\$\{path\.module\}/([\w./-]{1,200})\"")
"""A file that a resource writes."""
_MAY_LACK = later(r"#|//|\b(?:try|can|fileexists)\(")
"""What is before a file that need not be there: a comment, or a function that asks for it."""
_OF_PACKER = ("provisioner shell", "provisioner shell-local")
_PROVISIONERS = ("provisioner local-exec", "provisioner remote-exec", *_OF_PACKER)
_INPUT = later(r"\$\{var\.(?P<name>[A-Za-z_]\w{0,100})\}")
"""An input variable, which MQSC takes for a template too."""
_SCRIPTS = later(r"(?i)user_?data|startup|script|command|inline|cmd")
"""Keys whose text a shell reads, even without a first line that says so."""


class Terraform(Host):
    of_containers = True

    @cached_property
    def _typed(self) -> Typed:
        found = typed_resources(self.text)
        text = found.resources.text if found.resources is not None else ""
        return found if MANIFEST.accepts("resource.yaml", text) else Typed(None, [])

    def blocks(self) -> Iterator[Block]:
        for language, source, maybe in _heredocs(self.text):
            if language == "shell":
                source = source.sub(_INPUT, lambda found: f"${{TF_VAR_{found['name']}}}")
                yield Block(source, maybe, source.host(0))
        yield from _provisioners(self.text)

    def embedded(self) -> Iterator[Embedded]:
        return mqsc_in_heredocs(self.text)

    def resources(self) -> Iterator[MappedText]:
        from mqlint.language.script.hosts.terraform_resources import (  # few files have any
            resources_of_terraform,
        )

        heredocs = [source for language, source, _ in _heredocs(self.text) if language == "yaml"]
        typed = [self._typed.resources] if self._typed.resources is not None else []
        yield from resources_of_terraform(self.text, [*heredocs, *typed])

    def joins(self) -> bool:
        return super().joins() or GIVES_VARIABLES.search(self.text) is not None

    def files(self) -> Iterator[NamedFile]:
        """Yield the files that functions read from the folder of the file, and must be there."""
        made = {found[1] for found in _MADE.finditer(self.text)}
        for found in FILE_READ.finditer(self.text):
            may_lack = _MAY_LACK.search(line_before(self.text, found.start())) is not None
            if not may_lack and found["name"] not in made:
                yield NamedFile(found["name"], found.span("name"))

    def faults(self) -> Iterator[Diagnostic]:
        yield from super().faults()
        for _, faults in _containers(self.text, self._typed):
            yield from faults

    def declared(self) -> Iterator[Declared]:
        """Yield containers, the connections of variables, and of those that scripts set."""
        yield from (own for own, _ in _containers(self.text, self._typed))
        if has_client(self.text):
            from mqlint.language.client.environment import connections_of_script  # few files do

            yield from _connections(self.text, self._typed)
            for block in self.blocks():
                found = connections_of_script(block.source.text)
                yield from (declared_in(declared, block.source) for declared in found)


def _provisioners(text: str) -> Iterator[Block]:
    """Yield the commands of provisioners that a shell of POSIX runs, if they are clear.

    Those of `remote-exec` begin in the home folder of a user on another host.
    """
    blocks = read_hcl(text).walk() if "provisioner" in text else ()
    for block in sorted(blocks, key=attrgetter("end")):
        kind, values = " ".join(block.words), block.attributes
        given = [values.get("command"), *parts_of(values.get("inline"))]
        commands = [value.span for value in given if isinstance(value, Text)]
        is_clear = all(_is_closed(text, *span) for span in commands)
        shell = {text[slice(*part.span)] for part in parts_of(values.get("interpreter"))}
        is_of_shell = {word.rpartition("/")[2] for word in shell} <= _SHELL_WORDS
        if kind not in _PROVISIONERS or not commands or not is_clear or not is_of_shell:
            continue
        start, end = commands[0][0], commands[-1][1]
        builder = MappedTextBuilder()
        builder.add("cd ~\n" if "remote" in kind or kind == _OF_PACKER[0] else "", start)
        for command in commands:
            _add_quoted(builder, text, *command)
            builder.add("\n", command[1])
        is_at_end = "when" in values and text[slice(*values["when"].span)] == "destroy"
        maybe = is_at_end or any("%{" in text[slice(*span)] for span in commands)
        yield Block(builder.finish(end), maybe, start - 1)  # the quotation mark is the border


def _is_closed(text: str, start: int, end: int) -> bool:
    """Whether no interpolation goes on beyond a text in quotes: another quote may be inside."""
    return _OPENED.search(text, max(text.rfind("}", start, end), start), end) is None


_SHELL_WORDS = frozenset({"sh", "bash", "ksh", "-c", "-e", "-ec", "-exc"})


def _add_quoted(builder: MappedTextBuilder, text: str, start: int, end: int) -> None:
    """Append a text in quotes, as a shell gets it."""
    for piece in _QUOTED_PIECE.finditer(text, start, end):
        written, at = piece.group(), piece.start()
        if piece["escaped"] is not None:
            builder.add(_ESCAPES.get(piece["escaped"], piece["escaped"]), at + 1)
        elif written in ("$${", "%%{"):
            builder.add(written[1:], at + 1)
        elif written == "${path.module}":
            builder.add(".", at)
        elif piece["variable"]:  # to a shell it is one of its own, with the same value everywhere
            builder.add(f"${{TF_VAR_{piece['variable']}}}", at, len(written))
        elif written[1:2] == "{" and written != "${path.module}/":
            builder.add(PLACEHOLDER * len(written), at)
        elif written[1:2] != "{":
            builder.add(written, at)


def mqsc_in_heredocs(text: str) -> Iterator[Embedded]:
    """Yield the MQSC and the stanzas that heredocs hold, in their order."""
    for language, source, maybe in _heredocs(text):
        if language in ("mqsc", INI.name):
            yield Embedded.of(language, source, None, maybe=maybe, model=f"#{source.host(0)}")


def _heredocs(text: str) -> Iterator[tuple[str, MappedText, bool]]:
    """Yield the language of a heredoc, its text, and if it may be another."""
    lines = text.splitlines(keepends=True)
    at = number = 0
    while number < len(lines):
        found = _HEREDOC.search(lines[number])
        at += len(lines[number])
        number += 1
        if found is None:
            continue
        begun = number
        while number < len(lines) and lines[number].strip() != found["mark"]:
            number += 1
        body = "".join(lines[begun:number])
        language = _language(found["key"] or "", body) if body.strip() else None
        if language is not None:
            mapped = _mapped(lines[begun:number], at, strip=bool(found["strip"]))
            yield language, mapped, "%{" in body
        at += len(body)


def _language(key: str, text: str) -> str | None:
    """The language of a heredoc: by its content, or by its key if it has no first line."""
    if MQSC.accepts(key if key.endswith(".mqsc") else "", text.lstrip()):
        return "mqsc"
    if key.endswith(".ini"):
        return INI.name if INI.accepts(key.rpartition("/")[2], dedent(text)) else None
    if ("queueManager:" in text or "kind:" in text) and MANIFEST.accepts(
        "resource.yaml", dedent(text)
    ):
        return "yaml"
    if text.lstrip().startswith("#!") or _SCRIPTS.search(key) is not None:
        return SHELL.name if SHELL.accepts("script.sh", text.lstrip()) else None
    return None


def _mapped(lines: list[str], at: int, *, strip: bool) -> MappedText:
    """The text of a heredoc whose lines begin at `at`, without the indentation of all lines."""
    margins = [len(line) - len(line.lstrip(" ")) for line in lines if line.strip()]
    margin = min(margins, default=0) if strip else 0
    builder = MappedTextBuilder()
    for line in lines:
        cut = min(margin, len(line) - len(line.lstrip(" ")))
        for piece in _PIECE.finditer(line, cut):
            written = piece.group()
            if written in ("$${", "%%{"):
                builder.add(written[1:], at + piece.start() + 1)
            elif written[1:2] == "{" and _INPUT.fullmatch(written) is None:
                builder.add(PLACEHOLDER * len(written), at + piece.start())
            else:
                builder.add(written, at + piece.start())
        at += len(line)
    return builder.finish(at)
