"""The YAML documents of MQSC checked and joined into one plain, JSON-able mapping.

A document has `verbs`, `nouns`, `aliases` (words.yaml), `commands`, `read_only`, `attributes`,
`displays`, `pages` and `shipped`. The joined mapping names every attribute of every command by its
number in one list. Attributes and commands are JSON in it: a run reads few of them back.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import cast

from mqlint.config.forms import items
from mqlint.config.node import Node, Plain
from mqlint.vocabulary.shape import entry, known, texts
from mqlint.vocabulary.spec import AttributeSpec, CommandSpec, Page

Entry = dict[str, Plain]

_OBJECT_VERBS = ("DEFINE", "ALTER", "SET")
_ANYWHERE = ("ALL", "CMDSCOPE", "WHERE")
_READ_ONLY: Entry = {"read_only": True, "evidence": "product"}

_COMMAND = entry(CommandSpec, {"verbs": texts, "noun": Node.text})
_ATTRIBUTE = entry(AttributeSpec, {"of": texts, "synonyms": texts})
_DISPLAY = entry(CommandSpec, {"shows": texts, "words": texts, "like": Node.text})
_PAGE = entry(Page)
_SECTIONS = (
    *("verbs", "nouns", "aliases", "commands", "read_only", "attributes", "displays", "pages"),
    "shipped",
)


class _Joiner:
    """Takes the documents one after the other."""

    def __init__(self) -> None:
        self.verbs: dict[str, str] = {}
        self.nouns: dict[str, str] = {}
        self.aliases: dict[str, Node] = {}
        self.specs: list[Entry] = []
        self.commands: dict[str, Entry] = {}
        self.words: dict[str, dict[str, int]] = {}
        self.facts: dict[str, dict[str, int]] = {}
        self.secrets: set[str] = set()
        self.shipped: dict[str, Plain] = {}

    def add_commands(self, root: Node) -> None:
        root.keys_allowed(_SECTIONS)
        self._synonyms(root, "verbs", self.verbs)
        self._synonyms(root, "nouns", self.nouns)
        self.aliases |= root.section("aliases")
        self.shipped |= {name: texts(node) for name, node in root.section("shipped").items()}
        section = root.get("commands")
        for command in section.sequence() if section is not None else ():
            details = _COMMAND(command)
            noun = details.pop("noun", None)
            for verb, node in zip(
                cast("list[str]", details.pop("verbs")),
                items(command.require("verbs")),
                strict=True,
            ):
                self._command(verb, cast("str | None", noun), details, node)

    def add_attributes(self, root: Node) -> None:
        for noun, words in root.section("read_only").items():
            for word in cast("list[str]", texts(words)):
                self.facts.setdefault(noun, {})[word] = self._add({"word": word, **_READ_ONLY})
        for word, nodes in root.section("attributes").items():
            for node in items(nodes):
                self._attribute(word, node)

    def add_displays(self, root: Node) -> None:
        displays = root.section("displays")
        for noun, node in displays.items():
            like = _DISPLAY(node).get("like")
            if like is not None:
                node = displays[known(node.require("like"), displays, "display")]
            self._display(noun, node)

    def add_pages(self, root: Node) -> None:
        for name, node in root.section("pages").items():
            if name not in self.commands:
                raise node.key_error(f"unknown command {name}")
            self.commands[name]["page"] = _PAGE(node)

    def _synonyms(self, root: Node, key: str, into: dict[str, str]) -> None:
        for word, synonyms in root.section(key).items():
            into[word] = word
            for node in items(synonyms):
                synonym = node.text()
                if synonym in into:
                    raise node.error(f"{synonym} is a synonym of {into[synonym]} and of {word}")
                into[synonym] = word

    def _command(self, verb: str, noun: str | None, details: Entry, node: Node) -> None:
        key = f"{verb} {noun}" if noun else verb
        if key in self.commands:
            raise node.error(f"the command {key} is repeated")
        self.verbs.setdefault(verb, verb)
        if noun:
            self.nouns.setdefault(noun, noun)
        self.commands[key] = dict(details)
        self.words[key] = {}

    def _attribute(self, word: str, node: Node) -> None:
        details = _ATTRIBUTE(node)
        synonyms = cast("list[str]", details.pop("synonyms", []))
        del details["of"]
        numbers = dict.fromkeys((word, *synonyms), self._add({"word": word, **details}))
        opposite = details.get("opposite")
        if isinstance(opposite, str):
            pair = {**details, "word": opposite, "pair": word, "opposite": word}
            numbers[opposite] = self._add(pair)
        if details.get("secret"):
            self.secrets.add(word)
        for command, place in self._commands_of(word, node.require("of")):
            for name, number in numbers.items():
                if name in self.words[command]:
                    raise place.error(f"{command} has the attribute {name} twice")
                self.words[command][name] = number

    def _commands_of(self, word: str, of: Node) -> Iterator[tuple[str, Node]]:
        if not items(of):
            raise of.error(f"{word} belongs to no command")
        for node in items(of):
            name = node.text()
            names = [name] if " " in name else [f"{verb} {name}" for verb in ("DEFINE", "ALTER")]
            commands = [command for command in names if command in self.words]
            if not commands:
                known(node, {*self.words, *self.nouns}, "command or object")
                raise node.error(f"no command defines or alters {name}")
            yield from ((command, node) for command in commands)

    def _display(self, noun: str, node: Node) -> None:
        details = _DISPLAY(node)
        shows = cast("list[str]", details.pop("shows", []))
        listed = cast("list[str]", details.pop("words", []))
        for item in items(node.get("shows")):
            known(item, {*self.nouns, *self.facts}, "object")
        self._command("DISPLAY", noun, details, node)
        words = self.words[f"DISPLAY {noun}"]
        for shown in shows:
            for verb in _OBJECT_VERBS:
                words.update(self.words.get(f"{verb} {shown}", {}))
            words.update(self.facts.get(shown, {}))
        for word in (*listed, *_ANYWHERE):
            if word not in words:
                words[word] = self._add({"word": word, "evidence": "document"})

    def _add(self, spec: Entry) -> int:
        self.specs.append(spec)
        return len(self.specs) - 1

    def joined(self) -> dict[str, Plain]:
        aliases = {word: known(node, self.words, "command") for word, node in self.aliases.items()}
        for command, words in self.words.items():
            self.commands[command]["has"] = cast("Plain", words)
        plain = {
            "verbs": self.verbs,
            "nouns": self.nouns,
            "aliases": aliases,
            "specs": [*map(json.dumps, self.specs)],
            "commands": {key: json.dumps(command) for key, command in self.commands.items()},
            "words": sorted({word for words in self.words.values() for word in words}),
            "facts": self.facts,
            "secrets": sorted(self.secrets),
            "shipped": self.shipped,
        }
        return cast("dict[str, Plain]", plain)


def compile_mqsc(*roots: Node) -> dict[str, Plain]:
    """Join the YAML documents `roots` into what `Vocabulary.from_compiled` takes.

    Raises ConfigError at the first key, word or release that is wrong, at an attribute or a command
    that is there twice, and at the name of a command or an object that is not there.
    """
    joiner = _Joiner()
    for add in (
        joiner.add_commands,
        joiner.add_attributes,
        joiner.add_displays,
        joiner.add_pages,
    ):
        for root in roots:
            add(root)
    return joiner.joined()
