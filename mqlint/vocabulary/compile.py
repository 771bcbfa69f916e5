"""The vocabulary's YAML documents checked and joined into one plain, JSON-able mapping.

A document has `verbs`, `nouns`, `aliases` (words.yaml), `commands`, `read_only`, `attributes`,
`displays` and `pages`. The joined mapping names every attribute of every command by its number in
one list, so that reading it back costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

Raw = Mapping[str, object]

_ATTRIBUTE_KEYS = {
    *("words", "int", "text", "name", "addresses", "pattern", "list", "flag", "opposite"),
    *("most", "zos", "generic"),
    *("bounds", "empty", "of", "types", "default", "required", "excludes", "repeat", "synonyms"),
    *("secret", "evidence", "option", "zos_types", "values"),
    *("platforms", "since", "deprecated", "removed", "instead"),
}
_COMMAND_KEYS = {
    *("verbs", "noun", "named", "subtype", "one_of", "waiver"),
    *("platforms", "since", "deprecated", "removed", "instead"),
}
_DISPLAY_KEYS = {"named", "platforms", "since", "shows", "words", "like"}
_VALUE_KEYS = {"platforms", "since", "deprecated", "removed", "instead", "types"}
_PAGE_KEYS = {"page", "of", "read"}
_RELEASES = ("since", "deprecated", "removed")
_LEVEL_KEYS = {"lts", "cd", "evidence"}
_EVIDENCE = {"product", "document", "recall"}
_OBJECT_VERBS = ("DEFINE", "ALTER", "SET")
_ANYWHERE = ("ALL", "CMDSCOPE", "WHERE")
_READ_ONLY: dict[str, object] = {"read_only": True, "evidence": "product"}


class VocabularyError(ValueError):
    """A fault in the vocabulary's own data; the text names the word at fault."""


class _Joiner:
    """Takes the documents one after the other."""

    def __init__(self) -> None:
        self.verbs: dict[str, str] = {}
        self.nouns: dict[str, str] = {}
        self.aliases: dict[str, object] = {}
        self.specs: list[dict[str, object]] = []
        self.commands: dict[str, dict[str, object]] = {}
        self.words: dict[str, dict[str, int]] = {}
        self.facts: dict[str, dict[str, int]] = {}
        self.secrets: set[str] = set()

    def commands_of(self, document: Raw) -> None:
        self._synonyms(document, "verbs", self.verbs)
        self._synonyms(document, "nouns", self.nouns)
        self.aliases.update(_mapping(document.get("aliases", {}), "aliases"))
        for entry in _sequence(document.get("commands", []), "commands"):
            command = _mapping(entry, "commands")
            _only(command, _COMMAND_KEYS, str(command))
            for verb in _texts(command["verbs"]):
                self._command(verb, command.get("noun"), command)

    def attributes_of(self, document: Raw) -> None:
        for noun, words in _mapping(document.get("read_only", {}), "read_only").items():
            for word in _texts(words):
                self.facts.setdefault(noun, {})[word] = self._add({"word": word, **_READ_ONLY})
        for word, entry in _mapping(document.get("attributes", {}), "attributes").items():
            for one in entry if isinstance(entry, list) else [entry]:
                self._attribute(word, _mapping(one, word))

    def displays_of(self, document: Raw) -> None:
        displays = _mapping(document.get("displays", {}), "displays")
        for noun, entry in displays.items():
            display = _mapping(entry, noun)
            _only(display, _DISPLAY_KEYS, noun)
            like = display.get("like")
            self._display(noun, _mapping(displays[str(like)], noun) if like else display)

    def pages_of(self, document: Raw) -> None:
        for name, entry in _mapping(document.get("pages", {}), "pages").items():
            page = _mapping(entry, f"pages: {name}")
            _only(page, _PAGE_KEYS, f"pages: {name}")
            if name not in self.commands:
                raise VocabularyError(f"pages: there is no command {name}")
            self.commands[name]["page"] = page

    def _synonyms(self, document: Raw, key: str, into: dict[str, str]) -> None:
        for word, others in _mapping(document.get(key, {}), key).items():
            into[word] = word
            for other in _texts(others):
                if other in into:
                    raise VocabularyError(f"{other} stands for {into[other]} and for {word}")
                into[other] = word

    def _command(self, verb: str, noun: object, details: Raw) -> None:
        key = f"{verb} {noun}" if noun else verb
        if key in self.commands:
            raise VocabularyError(f"the command {key} stands there twice")
        self.verbs.setdefault(verb, verb)
        if noun:
            self.nouns.setdefault(str(noun), str(noun))
        kept = {name: value for name, value in details.items() if name not in ("verbs", "noun")}
        _releases(kept, key)
        self.commands[key] = kept
        self.words[key] = {}

    def _attribute(self, word: str, entry: Raw) -> None:
        _only(entry, _ATTRIBUTE_KEYS, word)
        if entry.get("evidence") not in _EVIDENCE:
            raise VocabularyError(f"{word}: evidence is one of {', '.join(sorted(_EVIDENCE))}")
        details = {key: value for key, value in entry.items() if key not in ("of", "synonyms")}
        _releases(details, word)
        if "values" in details:
            details["values"] = dict(self._values(word, _mapping(details["values"], word)))
        opposite = entry.get("opposite")
        numbers = {word: self._add({"word": word, **details})}
        for synonym in _texts(entry.get("synonyms", [])):
            numbers[synonym] = numbers[word]
        if opposite:
            other = {**details, "word": opposite, "pair": word, "opposite": word}
            numbers[str(opposite)] = self._add(other)
        if entry.get("secret"):
            self.secrets.add(word)
        for command in self._commands_named(word, _texts(entry.get("of", []))):
            known = self.words[command]
            for each, number in numbers.items():
                if each in known:
                    raise VocabularyError(f"{each} stands twice for {command}")
                known[each] = number

    @staticmethod
    def _values(word: str, entries: Raw) -> Iterator[tuple[str, Raw]]:
        for value, entry in entries.items():
            where = f"{word}({value})"
            details = dict(_mapping(entry, where))
            _only(details, _VALUE_KEYS, where)
            _releases(details, where)
            yield value, details

    def _commands_named(self, word: str, of: Sequence[str]) -> Iterator[str]:
        if not of:
            raise VocabularyError(f"{word} belongs to no command")
        for name in of:
            found = [name] if " " in name else [f"{verb} {name}" for verb in ("DEFINE", "ALTER")]
            found = [command for command in found if command in self.words]
            if not found:
                raise VocabularyError(f"{word}: there is no {name}")
            yield from found

    def _display(self, noun: str, details: Raw) -> None:
        kept = {key: details[key] for key in ("named", "platforms", "since") if key in details}
        self._command("DISPLAY", noun, kept)
        words = self.words[f"DISPLAY {noun}"]
        for shown in _texts(details.get("shows", [])):
            for verb in _OBJECT_VERBS:
                words.update(self.words.get(f"{verb} {shown}", {}))
            words.update(self.facts.get(shown, {}))
        for word in (*_texts(details.get("words", [])), *_ANYWHERE):
            if word not in words:
                words[word] = self._add({"word": word, "evidence": "document"})

    def _add(self, spec: dict[str, object]) -> int:
        self.specs.append(spec)
        return len(self.specs) - 1

    def joined(self) -> dict[str, object]:
        for command, words in self.words.items():
            self.commands[command]["has"] = words
        return {
            "verbs": self.verbs,
            "nouns": self.nouns,
            "aliases": self.aliases,
            "specs": self.specs,
            "commands": self.commands,
            "facts": self.facts,
            "secrets": sorted(self.secrets),
        }


def compile_mqsc(documents: Mapping[str, object]) -> dict[str, object]:
    """Join the parsed YAML `documents`, by name, into what `Vocabulary.from_compiled` takes.

    Raises VocabularyError where a document has an unknown key, no evidence, a word twice for one
    command, or a command that is not there.
    """
    joiner = _Joiner()
    parsed = [_mapping(documents[name], name) for name in sorted(documents)]
    for document in parsed:
        joiner.commands_of(document)
    for document in parsed:
        joiner.attributes_of(document)
    for document in parsed:
        joiner.displays_of(document)
    for document in parsed:
        joiner.pages_of(document)
    return joiner.joined()


def _mapping(value: object, where: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise VocabularyError(f"{where} should be a mapping")
    return value


def _sequence(value: object, where: str) -> Sequence[object]:
    if not isinstance(value, list):
        raise VocabularyError(f"{where} should be a list")
    return value


def _texts(value: object) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else [str(value)]


def _releases(entry: dict[str, object], where: str) -> None:
    """Write a release in short, which is one of both kinds, out as the others."""
    for key in _RELEASES:
        value = entry.get(key)
        if isinstance(value, str):
            entry[key] = {"lts": value}
        elif value is not None:
            _only(_mapping(value, where), _LEVEL_KEYS, f"{where}: {key}")


def _only(entry: Raw, keys: set[str], where: str) -> None:
    strange = sorted(set(entry) - keys)
    if strange:
        raise VocabularyError(f"{where}: unknown key {strange[0]}")
