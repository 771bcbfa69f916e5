"""Setmqaut as the MQSC command that does the same: SET AUTHREC.

The types and their short names, and the authorities, are those of IBM's page on setmqaut; every
authority is called in SET AUTHREC as it follows the sign.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mqlint.language.script.command import Word
from mqlint.language.text.mapped import MappedText, MappedTextBuilder, mapped_at
from mqlint.language.text.templates import PLACEHOLDER

_TYPES = {
    **dict.fromkeys(("authinfo", "ai"), "AUTHINFO"),
    **dict.fromkeys(("channel", "chl"), "CHANNEL"),
    **dict.fromkeys(("clntconn", "clcn"), "CLNTCONN"),
    "comminfo": "COMMINFO",
    **dict.fromkeys(("listener", "lstr"), "LISTENER"),
    **dict.fromkeys(("namelist", "nl"), "NAMELIST"),
    **dict.fromkeys(("process", "prcs"), "PROCESS"),
    **dict.fromkeys(("queue", "q"), "QUEUE"),
    "qmgr": "QMGR",
    **dict.fromkeys(("rqmname", "rqmn"), "RQMNAME"),
    **dict.fromkeys(("service", "srvc"), "SERVICE"),
    **dict.fromkeys(("topic", "top"), "TOPIC"),
}
_VALUES = ("-m", "-n", "-t", "-p", "-g", "-s")


def as_authrecs(words: Sequence[Word]) -> Iterator[MappedText]:
    """Yield the SET AUTHREC commands that do what `words` do, none when that is not known.

    setmqaut takes any number of users and groups (q083500_), SET AUTHREC one (q086620). Their
    characters are where the words of setmqaut are.
    """
    values: dict[str, list[MappedText]] = {name: [] for name in _VALUES}
    signed: list[MappedText] = []
    unknown: list[MappedText] = []
    rest = iter(words[1:])
    for word in rest:
        text = word.text
        if text in _VALUES:
            value = next(rest, None)
            if value is not None:
                values[text].append(value.mapped)
        elif text[:1] in "+-" and text[1:].isalpha() and text.isascii():
            signed.append(word.mapped)
        elif text and not text.removeprefix("+").strip(PLACEHOLDER):
            unknown.append(word.mapped)
        else:
            return
    kind = values["-t"][-1].text.lower() if values["-t"] else ""
    entities = [*values["-p"], *values["-g"]]
    names = [*entities, *values["-n"]]
    if kind not in _TYPES or not entities or any(_ends_a_string(entity.text) for entity in names):
        return
    for option, other in (("-p", "-g"), ("-g", "-p")):
        for entity in {entity.text: entity for entity in values[option]}.values():
            alone = {**values, option: [entity], other: []}
            command = _command(words[0], words[-1].end, _TYPES[kind], alone, signed, unknown)
            if command is not None:
                yield command


def _ends_a_string(text: str) -> bool:
    return "'" in text or "\n" in text or not text


def _command(
    first: Word,
    end: int,
    kind: str,
    values: dict[str, list[MappedText]],
    signed: list[MappedText],
    unknown: list[MappedText],
) -> MappedText | None:
    """Write the command out, of words that end at `end`; unknown words may add authorities."""
    builder = MappedTextBuilder()
    at = first.start
    builder.add("SET AUTHREC ", at, 0)
    if values["-n"]:
        _add(builder, "PROFILE", values["-n"][-1:], at, quoted=True)
    elif kind != "QMGR":
        return None
    builder.add(f"OBJTYPE({kind}) ", at, 0)
    for word, option in (("PRINCIPAL", "-p"), ("GROUP", "-g")):
        if values[option]:
            _add(builder, word, values[option], at, quoted=True)
    for word, sign in (("AUTHADD", "+"), ("AUTHRMV", "-")):
        chosen = [mapped for mapped in signed if mapped.text.startswith(sign)]
        if sign == "-" and any(mapped.text == "-remove" for mapped in chosen):
            return None
        found = [_unsigned(mapped) for mapped in chosen]
        if sign == "+":
            found += (_unsigned(each) if each.text[0] == "+" else each for each in unknown)
        if found:
            _add(builder, word, found, at, quoted=False)
    return builder.finish(end)


def _unsigned(mapped: MappedText) -> MappedText:
    """The name of an authority, in capitals, without its sign.

    `+conn` is `+connect`: IBM's page "Granting full administrative access to all resources on a
    queue manager" has it, and many scripts copy the page.
    """
    name = mapped_at(mapped.text[1:].upper(), mapped.host(1), mapped.end)
    if name.text != "CONN":
        return name
    builder = MappedTextBuilder()
    builder.add_mapped(name)
    builder.add("ECT", mapped.end - 1, 0)
    return builder.finish(mapped.end)


def _add(
    builder: MappedTextBuilder, word: str, values: list[MappedText], at: int, *, quoted: bool
) -> None:
    quote = "'" if quoted else ""
    builder.add(f"{word}({quote}", at, 0)
    for number, value in enumerate(values):
        if number:
            builder.add(f"{quote},{quote}", at, 0)
        builder.add_mapped(value)
        at = value.end - 1
    builder.add(f"{quote}) ", at, 0)
