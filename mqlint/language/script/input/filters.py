r"""Programs between a text of MQSC and runmqsc: what they keep of the text, and replace.

    sed -e "s/@QM@/$QM/" defs.mqsc | runmqsc "$QM"
    tr -d '\r' < defs.mqsc | runmqsc QM1

A file is read as a document of its own, with its templates unknown. If sed replaces only templates,
runmqsc gets the same document.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mqlint.dataclass import frozen
from mqlint.language.script.command import Word, operands_of
from mqlint.language.script.files.touched import split_options
from mqlint.language.text.mapped import MappedText
from mqlint.language.text.templates import PLACEHOLDER, is_known, with_placeholders
from mqlint.patterns import later

_SUBSTITUTION = later(r"(?a)\s*s(?P<sign>[^\w\s\\])")
_END = later(r"[gIipm0-9]{0,6}\s*(?:[;\n]|$)")
_ESCAPED = later(r"(?a)\\([^\w])")
_META = later(r"(?s)[.*^$\[\]]|\\.")
_TEMPLATE = later(r"(?a)\$\w+|\[\w+\]|%\w+%|__\w+__|@\w+@?")
"""Templates of a plain form, whole."""
_LINE_ENDS = later(r"(?:\\r|\\x0[dD]|\r)?\$?|\[?\[:space:\]\]?\*?\$|[ ]\*\$")
"""Characters at the end of a line that are no part of a command."""
_REMARKS = later(r"\^(?:\\?s\*|\[\[:space:\]\]\*|[ ]\*)?\\?(?:[#*;]|//|\$)?.{0,8}")
"""A pattern of grep for remarks and blank lines."""
_META_OF_ANY = later(r"[*^$\[\]+?|{}]|\\[\w(){}|+?]")
"""What has a meaning in a pattern of sed or of perl, less the dot and parentheses."""
_OF_HOST = later(r"[a-z]|\d\.\d|\A\(\d{2,5}\)\Z|\A\(?CONNAME\('")
_PERL = later(r"-p?i?(?:\.\w{1,8})?p?e")
_IN_PLACE = {
    "sed": later(r"-i(?:\.\w{1,8})?|--in-place(?:=\S{1,20})?"),
    "perl": later(r"-p?i(?:\.\w{1,8})?p?e"),
}
_WITH_VALUE = frozenset({"-e", "--expression", "-f", "--file", "-l"})
STDIN_FILES = ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")
_SAME_TEXT = frozenset({"dos2unix", "iconv", "tee", "cat"})


@frozen
class Edited:
    """What sed does: the texts that it replaces, and the files that it reads, if not its input."""

    replaced: tuple[str, ...]
    files: tuple[Word, ...]
    ignores_case: bool = False

    @property
    def replaces_templates(self) -> bool:
        """Whether nothing is replaced that is not a template in a file, read by itself.

        What a variable of the script holds may be any text.
        """
        return all(is_known(text) and _is_template(text) for text in self.replaced)

    @property
    def spares_names(self) -> bool:
        """Whether it changes no name in capital letters, and no command: hosts, addresses, ports.

        Sed and perl are case-sensitive, and a name has no address in it.
        """
        return not self.ignores_case and all(map(_is_of_host, self.replaced))

    def masked(self, text: MappedText) -> MappedText | None:
        """Return a text with what sed replaces covered; None if that is not known."""
        written = text.text
        for replaced in self.replaced:
            plain = _ESCAPED.sub(r"\1", replaced)
            if not _is_template(replaced) and _META.search(replaced):
                return None
            written = written.replace(plain, PLACEHOLDER * len(plain)) if plain else written
        return MappedText(written, text.segments, text.end)


def _is_of_host(pattern: str) -> bool:
    """Whether a match of a pattern has a small letter, two numbers with a dot, or is a port."""
    if not is_known(pattern) or _META_OF_ANY.search(pattern):
        return False
    plain = _ESCAPED.sub(r"\1", pattern)
    return _OF_HOST.search(plain) is not None or _is_template(pattern)


def changes(name: str, words: Sequence[Word]) -> Edited | None:
    """Return what sed or perl puts into its files, by an option to edit them in place."""
    in_place = [word for word in words if _IN_PLACE[name].fullmatch(word.text)]
    if not in_place:
        return None
    ends_in_script = name == "perl" and in_place[0].text.endswith("e")
    kept = [word for word in words if word is not in_place[0] or ends_in_script]
    return edited(kept, name)


def edited(words: Sequence[Word], name: str = "sed") -> Edited | None:
    """Return what sed, or perl with -p, does; None if it is more than substitutions."""
    if name == "perl":
        flags = [word.text for word in words if word.text.startswith("-")]
        if len(flags) != 1 or _PERL.fullmatch(flags[0]) is None:
            return None
        words = operands_of(words)
    options, files = split_options(words, _WITH_VALUE)
    scripts: list[str] = []
    for option, value in options:
        script = _script_of(option.text, value)
        if script is None:
            return None
        scripts += script
    if not scripts and files:
        scripts.append(files.pop(0).text)
    replaced = [_replaced(script) for script in scripts]
    found = [pair for pairs in replaced if pairs is not None for pair in pairs]
    ignores_case = any("i" in flags.lower() for _, flags in found)
    texts = tuple(text for text, _ in found)
    return Edited(texts, tuple(files), ignores_case) if scripts and None not in replaced else None


def _script_of(option: str, value: Word | None) -> list[str] | None:
    """The script that an option has; None if the option makes sed do more than substitutions."""
    if value is not None:
        return [value.text] if option in ("-e", "--expression") else None
    if option.startswith("--expression="):
        return [option.partition("=")[2]]
    if option.startswith("-e") and len(option) > 2:
        return [option[2:]]
    changes_output = option.startswith(("-n", "-i", "--quiet", "--in-place", "--silent"))
    return None if changes_output else []


def _replaced(script: str) -> list[tuple[str, str]] | None:
    """Return the patterns of the substitutions of a script of sed, each with its flags.

    None if the script does more.
    """
    found: list[tuple[str, str]] = []
    at = 0
    while at < len(script):
        begun = _SUBSTITUTION.match(script, at)
        if begun is None:
            return found if not script[at:].strip() else None
        middle = _closing(script, begun["sign"], begun.end())
        last = _closing(script, begun["sign"], middle + 1)
        end = _END.match(script, last + 1)
        if middle < 0 or last < 0 or end is None:
            return None
        found.append((script[begun.end() : middle], end[0]))
        at = end.end()
    return found


def _closing(script: str, sign: str, start: int) -> int:
    """Return where a part of a substitution ends, -1 where it does not."""
    at = start if start > 0 else len(script)
    while at < len(script):
        if script[at] == "\\":
            at += 1
        elif script[at] == sign:
            return at
        at += 1
    return -1


def _is_template(pattern: str) -> bool:
    """Whether a pattern is a template as it is in a file, or something between commands."""
    if _LINE_ENDS.fullmatch(pattern):
        return True
    plain = _ESCAPED.sub(r"\1", pattern)
    return _TEMPLATE.fullmatch(plain) is not None or not with_placeholders(
        plain, braces=True
    ).strip(PLACEHOLDER)


def keeps_commands(name: str, words: Sequence[Word]) -> bool:
    """Whether a program prints the commands that it reads: less remarks and ends of lines."""
    if name in _SAME_TEXT or name == "envsubst":
        return True
    texts = [word.text for word in words]
    if name == "tr":
        return texts[:1] == ["-d"] and len(texts) == 2 and set(texts[1]) <= set("\\r\r015")
    if name in ("grep", "egrep"):
        leaves_out = any(re.fullmatch(r"-[Ev]+", text) and "v" in text for text in texts)
        pattern = next((text for text in texts if not text.startswith("-")), "x")
        return leaves_out and _REMARKS.fullmatch(pattern) is not None
    return False


def files_of(name: str, words: Sequence[Word]) -> list[Word]:
    """Return the files that a program which `keeps_commands` reads."""
    operands = operands_of(words)
    if name == "cat":
        return [word for word in operands if word.text not in STDIN_FILES]
    return operands[1:] if name in ("grep", "egrep") else []
