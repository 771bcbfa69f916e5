"""What jobs and procedures declare: page sets, bootstrap data sets, data sets, log inventories."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mqlint.language.declaration import Declared, Field, FieldValue
from mqlint.language.jcl.job_step import DataDefinition, JobStep
from mqlint.language.jcl.statements import Operand, inner, operands
from mqlint.language.mqsc.value import Templated
from mqlint.language.script.step import Step
from mqlint.language.text.mapped import MappedText
from mqlint.patterns import later
from mqlint.vocabulary.unknown import UNKNOWN, Unknown

_PAGE_SET = later(r"CSQP(\d{3,4})")
_BSDS = later(r"BSDS([12])")
_HEX = later(r"(?:X')?([0-9A-Fa-f]{1,16})'?")
_ORGANIZATIONS = {
    "LINEAR": "linear",
    "LIN": "linear",
    "LDS": "linear",
    "INDEXED": "indexed",
    "IXD": "indexed",
    "NONINDEXED": "nonindexed",
    "NIXD": "nonindexed",
    "NUMBERED": "numbered",
    "NUMD": "numbered",
}
_SPACES = ("RECORDS", "CYLINDERS", "TRACKS", "KILOBYTES", "MEGABYTES")
_WRITTEN = (
    *("VOLUMES", "SHAREOPTIONS", "KEYS", "RECORDSIZE", "CONTROLINTERVALSIZE"),
    *_SPACES,
)
_NAMES = {
    "VOL": "VOLUMES",
    "VOLUME": "VOLUMES",
    "SHR": "SHAREOPTIONS",
    "CYL": "CYLINDERS",
    "TRK": "TRACKS",
    "REC": "RECORDS",
    "RECSZ": "RECORDSIZE",
    "CISZ": "CONTROLINTERVALSIZE",
    "MB": "MEGABYTES",
    "KB": "KILOBYTES",
}


def resources(job: JobStep) -> Iterator[Declared]:
    """Yield the page sets and bootstrap data sets that a queue manager's procedure names."""
    if job.program != "CSQYASCP":
        return
    for name, dd in job.dds.items():
        page, bsds = _PAGE_SET.fullmatch(name), _BSDS.fullmatch(name)
        if page is not None:
            number = str(int(page[1]))
            fields = (Field("number", _written(int(page[1])), dd.span), *_data_set(dd))
            digits = Field("digits", str(len(page[1])), dd.span)
            yield Declared("page_set", number, (*fields, digits), dd.span, open=job.open)
        elif bsds is not None:
            second = Field("second_bsds", _second_bsds(job, "BSDS2"), dd.span)
            yield Declared("bsds", name, (*_data_set(dd), second), dd.span, open=job.open)


def _written(number: int) -> tuple[str, ...]:
    """A page set's number in all ways it is written."""
    return tuple(dict.fromkeys((str(number), f"{number:02}", f"{number:03}", f"{number:04}")))


def _data_set(dd: DataDefinition) -> Iterator[Field]:
    yield Field("data_set", dd.data_set if dd.data_set != "" else UNKNOWN, dd.span)


def clusters(step: Step, source: MappedText) -> Iterator[Declared]:
    """Yield the cluster that DEFINE CLUSTER of IDCAMS makes."""
    if step.command not in ("DEFINE", "DEF"):
        return
    found = operands(_after(source), "words") or ()
    cluster = next((operand for operand in found if operand.key in ("CLUSTER", "CL")), None)
    if cluster is None or isinstance(cluster.value, Unknown):
        return
    rest = _after(source)
    own = {
        _NAMES.get(operand.key, operand.key): operand for operand in inner(cluster, rest, "words")
    }
    for operand in found:
        if operand.key == "DATA" and not isinstance(operand.value, Unknown):
            for other in inner(operand, rest, "words"):
                own.setdefault(_NAMES.get(other.key, other.key), other)
    name = own.get("NAME")
    if name is None:
        return
    title = name.plain
    fields = tuple(_cluster_fields(own, step.span))
    word = Templated("") if isinstance(title, Unknown) else title.upper()
    yield Declared("data_set", word, fields, step.span, open="MODEL" in own or "LIKE" in own)


def _after(source: MappedText) -> MappedText:
    left = len(source.text) - len(source.text.lstrip())
    verb = re.match(r"[A-Za-z]+", source.text[left:])
    return source.part(left + (verb.end() if verb is not None else 0), len(source.text))


def _cluster_fields(own: dict[str, Operand], span: tuple[int, int]) -> Iterator[Field]:
    words = [key for key in own if key in _ORGANIZATIONS]
    place = own[words[0]].span if words else span
    unsure = {"MODEL", "LIKE", "DATACLASS", "DATACLAS", "DATACL"} & own.keys()
    kind: FieldValue = _ORGANIZATIONS[words[0]] if words else (UNKNOWN if unsure else "indexed")
    yield Field("organization", kind, place)
    if "SHAREOPTIONS" not in own:
        yield Field("SHAREOPTIONS", UNKNOWN if unsure else "1 3", span)
    for key in _WRITTEN:
        operand = own.get(key)
        if operand is not None:
            items = operand.items
            listed = items if isinstance(items, Unknown) or key == "VOLUMES" else " ".join(items)
            yield Field(key, listed, operand.span)
    spaces = [space for space in _SPACES if space in own]
    if len(spaces) == 1:
        items = own[spaces[0]].items
        if not isinstance(items, Unknown):
            yield Field("space", f"{spaces[0]} {' '.join(items[:1])}", own[spaces[0]].span)


# -- the log inventory ---------------------------------------------------------------------------


def rba(value: object) -> str | None:
    """Return a log address of up to 16 digits with all of them; None when it is not known."""
    match = _HEX.fullmatch(value) if isinstance(value, str) else None
    return match[1].upper().zfill(16) if match is not None else None


def _of(step: Step, name: str) -> object:
    option = step.option(name)
    return option.value if option is not None else None


def log_entry(step: Step) -> Declared:
    """Return the log that a NEWLOG adds to the inventory."""
    fields = [
        Field("copy", number, step.span)
        for number in ("1", "2")
        if step.option(f"COPY{number}", f"COPY{number}VOL")
    ]
    fields.append(Field("archive", str(_is_archive(step)).lower(), step.span))
    for key, name in (("STARTRBA", "start"), ("ENDRBA", "end")):
        option = step.option(key)
        if option is not None:
            fields.append(Field(name, rba(option.value) or UNKNOWN, option.span))
    start, end = rba(_of(step, "STARTRBA")), rba(_of(step, "ENDRBA"))
    if start is not None and end is not None:
        word = "backwards" if start >= end else "forwards"
        fields.append(Field("direction", word, step.span))
    data_set = _of(step, "DSNAME")
    title: str = data_set.upper() if isinstance(data_set, str) else Templated("")
    return Declared("log_entry", title, tuple(fields), step.span)


def _is_archive(step: Step) -> bool:
    return step.option("COPY1VOL", "COPY2VOL") is not None


def change_of(job: JobStep, steps: Sequence[Step]) -> Declared:
    """Return what one run of CSQJU003 does to the inventory, as a whole."""
    active = [step for step in steps if step.command == "NEWLOG" and not _is_archive(step)]
    firsts = [step for step in active if step.option("COPY1")]
    seconds = [step for step in active if step.option("COPY2")]
    span = job.card.span
    fields = [
        Field("first", str(len(firsts)), span),
        Field("second", str(len(seconds)), span),
        Field("copies", _balance(firsts, seconds), span),
        Field("ranges", _ranges(firsts, seconds), _last_range(seconds, span)),
        Field("second_bsds", _second_bsds(job, "SYSUT2"), span),
        Field("late_delete", _late_delete(steps), span),
        Field("step", job.name, span),
    ]
    restart = next((step for step in steps if step.command == "CRESTART"), None)
    if restart is not None and restart.option("CREATE"):
        option = restart.option("ENDRBA")
        place = option.span if option is not None else restart.span
        fields.append(Field("restart", _restart(restart, active), place))
    return Declared("log_change", job.name, tuple(fields), span, open=job.open)


def _balance(firsts: Sequence[Step], seconds: Sequence[Step]) -> str:
    if not firsts or not seconds:
        return "one"
    return "equal" if len(firsts) == len(seconds) else "unequal"


def _ranges(firsts: Sequence[Step], seconds: Sequence[Step]) -> FieldValue:
    """Whether the ranges on both copies are the same ones: equal or unequal."""
    if not firsts or not seconds:
        return "none"
    ranges = []
    for steps in (firsts, seconds):
        found = []
        for step in steps:
            if step.option("STARTRBA") is None and step.option("ENDRBA") is None:
                continue
            pair = (rba(_of(step, "STARTRBA")), rba(_of(step, "ENDRBA")))
            if None in pair:
                return UNKNOWN
            found.append(pair)
        ranges.append(sorted(found, key=str))
    if not ranges[0] or not ranges[1]:
        return "none"
    return "equal" if ranges[0] == ranges[1] else "unequal"


def _last_range(steps: Sequence[Step], otherwise: tuple[int, int]) -> tuple[int, int]:
    """The place of the last range that is entered."""
    ends = [step.option("ENDRBA") for step in steps]
    return next((end.span for end in reversed(ends) if end is not None), otherwise)


def _second_bsds(job: JobStep, name: str) -> FieldValue:
    if name in job.dds:
        return "true"
    return UNKNOWN if job.open else "false"


def _late_delete(steps: Sequence[Step]) -> FieldValue:
    """The first data set that is added before the old entry of the same name is deleted."""
    added: set[str] = set()
    for step in steps:
        name = _of(step, "DSNAME")
        if not isinstance(name, str):
            continue
        if step.command == "DELETE" and name.upper() in added:
            return "true"
        if step.command == "NEWLOG":
            added.add(name.upper())
    return "false"


def _restart(restart: Step, active: Sequence[Step]) -> FieldValue:
    """Return how the restart relates to the end of the last log: follows, differs."""
    end = rba(_of(restart, "ENDRBA"))
    ends = [_of(step, "ENDRBA") for step in active if step.option("ENDRBA")]
    known = [rba(value) for value in ends]
    if end is None or not known or None in known:
        return UNKNOWN
    highest = max(int(value, 16) for value in known if value is not None)
    return "follows" if int(end, 16) == highest + 1 else "differs"
