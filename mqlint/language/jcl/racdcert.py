"""Commands of RACF for certificates and key rings, in jobs that run TSO.

IBM's pages "RACDCERT GENCERT" and "RACDCERT CONNECT", and messages IRRD114I, IRRD116I and IRRD121I:
RING and LABEL of CONNECT must both be specified, and must exist. The name before a function is the
owner of the ring, the one inside CONNECT owns the certificate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mqlint.finding import Diagnostic, diagnostic
from mqlint.grouping import grouped
from mqlint.language.jcl.statements import Operand, inner, operands, spaced
from mqlint.language.text.mapped import MappedText
from mqlint.number import is_digits
from mqlint.source.lines import Span
from mqlint.vocabulary.distance import same_but_for_digits, typo_of

_FUNCTIONS = frozenset(
    "ADD ADDRING ADDTOKEN ALTER ALTMAP BIND CHECKCERT CONNECT DELETE DELMAP DELRING DELTOKEN EXPORT"
    " GENCERT GENREQ IMPORT LIST LISTCHAIN LISTMAP LISTRING LISTTOKEN MAP REKEY REMOVE ROLLOVER"
    " UNBIND".split()
)
_KEYWORDS = _FUNCTIONS | frozenset(
    "ID SITE CERTAUTH MULTIID WITHLABEL NEWLABEL SUBJECTSDN SIZE NOTBEFORE NOTAFTER SIGNWITH"
    " KEYUSAGE ALTNAME RSA DSA NISTECC BPECC ICSF PCICC PKDS FROMICSF TRUST NOTRUST HIGHTRUST"
    " PASSWORD FORMAT DSN LABEL FORCE NOFORCE TOKEN RING USAGE DEFAULT".split()
)
_CREATING = ("WITHLABEL", "NEWLABEL")
_NAMING = ("CONNECT", "SIGNWITH", "GENREQ")
_OWNERS = ("CERTAUTH", "SITE")
_USAGES = ("PERSONAL", "SITE", "CERTAUTH")
_CURVES = frozenset({"NISTECC", "BPECC"})
_LENGTHS_OF_CURVES = frozenset({160, 192, 224, 256, 320, 384, 512, 521})
"""Bits of a key that REKEY without a type may give a certificate with a curve."""
_LONGEST_LABEL = 32
_SHORTEST_KEY = 2048
_MANY = 100
"""Rings or labels of one owner in a job; names are not compared with more of them."""

Keywords = Mapping[str, Operand]


def racdcert_faults(text: str, data: Span) -> Iterator[Diagnostic]:
    """Yield the faults of the commands RACDCERT of a stream; `text` is the whole job."""
    commands = [*_commands(text, data)]
    for _, found in commands:
        size = _weak_key(found)
        if size is not None:
            yield diagnostic("racf-weak-key", size.span, size=str(size.plain))
    names = _Names(commands)
    for source, found in commands:
        for operand, fault in (*_wrong_words(source, found), *names.faults(source, found)):
            yield diagnostic("racf-certificate", operand.span, fault=fault)


def _commands(text: str, data: Span) -> Iterator[tuple[MappedText, Keywords]]:
    for source in spaced(text, data):
        found = operands(source, "words") if "RACDCERT" in source.text[:80].upper() else None
        if found and found[0].key == "RACDCERT":
            yield source, {operand.key: operand for operand in found[1:]}


def _inside(operand: Operand | None, source: MappedText) -> Keywords:
    """The keywords in the parentheses of another one."""
    found = inner(operand, source, "words") if operand is not None else ()
    return {each.key: each for each in found}


def _weak_key(command: Keywords) -> Operand | None:
    size = command.get("SIZE")
    if size is None or _CURVES & command.keys() or not isinstance(size.plain, str):
        return None
    bits = int(size.plain) if is_digits(size.plain) else _SHORTEST_KEY
    is_of_rsa = "GENCERT" in command or bits not in _LENGTHS_OF_CURVES
    is_new = command.keys() & {"GENCERT", "REKEY"}
    return size if bits < _SHORTEST_KEY and is_new and is_of_rsa else None


def _wrong_words(source: MappedText, command: Keywords) -> Iterator[tuple[Operand, str]]:
    for key, operand in command.items():
        is_short = any(word.startswith(key) for word in _KEYWORDS)  # TSO takes the beginning of one
        meant = typo_of(key, _KEYWORDS) if key.isalpha() and not is_short else ""
        if meant:
            yield operand, f"{key} is not a keyword of RACDCERT, the nearest is {meant}"
    connect = command.get("CONNECT")
    parts = _inside(connect, source)
    if connect is None or not parts:
        return
    for key in ("LABEL", "RING"):
        if not any(each and key.startswith(each) for each in parts):
            yield connect, f"CONNECT lacks {key}"
    usage = parts.get("USAGE")
    word = usage.plain if usage is not None else ""
    meant = typo_of(word.upper(), _USAGES) if isinstance(word, str) else ""
    if usage is not None and meant:
        yield usage, f"USAGE({word}) is not valid, the nearest is {meant}"


class _Names:
    """The rings and labels that the commands of one stream create, by their owner."""

    def __init__(self, commands: Sequence[tuple[MappedText, Keywords]]) -> None:
        self._labels = grouped(
            (_owner(command), _text(command[key]))
            for _, command in commands
            for key in _CREATING
            if key in command
        )
        self._rings = grouped(
            (_owner(command), _text(command["ADDRING"]).upper())
            for _, command in commands
            if "ADDRING" in command
        )

    def faults(self, source: MappedText, command: Keywords) -> Iterator[tuple[Operand, str]]:
        """Yield the names of a command that differ a little from one that the stream creates."""
        for key in _CREATING:
            label = _text(command[key]) if key in command else ""
            if len(label) > _LONGEST_LABEL:
                fault = f"label {label} has more than {_LONGEST_LABEL} characters"
                yield command[key], fault
        for key in _NAMING:
            parts = _inside(command.get(key), source)
            named = parts.get("LABEL")
            owner = _owner(command if key == "GENREQ" else parts)
            near = _near(_text(named), self._labels.get(owner, ())) if named and owner else ""
            if named is not None and near:
                fault = f"label {_text(named)} is not created for {owner}, but {near} is"
                yield named, fault
        ring = _inside(command.get("CONNECT"), source).get("RING")
        owner = _owner(command)
        if ring is None or not owner:
            return
        near = _near(_text(ring).upper(), self._rings.get(owner, ()))
        if near:
            yield ring, f"ring {_text(ring)} is not created for {owner}, but {near} is"


def _owner(command: Keywords) -> str:
    """The owner that a command names, blank if it leaves that to the user who runs the job."""
    plain = command["ID"].plain if "ID" in command else ""
    fallback = next((word for word in _OWNERS if word in command), "")
    return plain.upper() if isinstance(plain, str) and plain else fallback


def _text(operand: Operand) -> str:
    """A name as RACF gets it: in capitals unless it is in quotes; blank if it is not known."""
    if not isinstance(operand.value, str) or not isinstance(operand.plain, str):
        return ""
    return operand.plain if "'" in operand.value else operand.plain.upper()


def _near(name: str, names: Sequence[str]) -> str:
    """The one of some names that differs from `name` by a typo or by case, blank for none.

    Names of a series are different names.
    """
    if not name or len(names) > _MANY or name in names or "" in names:
        return ""
    other = next((each for each in names if each.upper() == name.upper()), "")
    other = other or typo_of(name, names)
    return "" if _are_of_a_series(name, other) else other


def _are_of_a_series(name: str, other: str) -> bool:
    """Whether names differ in digits, or in one capital letter: `MQPRING` and `MQTRING`."""
    if same_but_for_digits(name, other):
        return True
    pairs = [pair for pair in zip(name, other, strict=False) if pair[0] != pair[1]]
    return len(name) == len(other) and len(pairs) == 1 and "".join(*pairs).isupper()
