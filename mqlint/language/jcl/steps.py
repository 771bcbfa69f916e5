"""One step of a job: its program, its DD statements, and each statement its program reads."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import field, replace

from mqlint.dataclass import mutable
from mqlint.language.jcl.cards import Card, lines_end
from mqlint.language.jcl.statements import Operand, operands, plain
from mqlint.language.mqsc.value import Secret
from mqlint.language.script.step import Step, StepOption
from mqlint.language.text.mapped import MappedText
from mqlint.language.text.templates import is_known
from mqlint.patterns import later
from mqlint.vocabulary.distance import distance
from mqlint.vocabulary.unknown import UNKNOWN, Unknown
from mqlint.vocabulary.zos import ProgramSpec

Span = tuple[int, int]
Text = str | Unknown

_SHORTEST = 4
"""Characters of a word for another one to be a typo of it."""
_NUMBERED = later(r"CSQ([PST])(\d{2,4})")
_PURPOSES = (
    ("restore", later(r"REST(?!A)|RECOV|RCVR|RSTR")),
    ("backup", later(r"BACK|BKUP|BKP|DUMP|SAVE")),
)
_DISPLAY = later(
    r"^[ \t]*DIS(?:PLAY)?[ \t]+([A-Z]+)[ \t]*(?:\([ \t]*+'?(\*)?+[^)\n]*+\))?",
    re.IGNORECASE | re.MULTILINE,
)
_KINDS = {"Q": "QUEUE", "CHL": "CHANNEL", "NL": "NAMELIST", "PRO": "PROCESS", "STC": "STGCLASS"}
_INPUTS = ("INFILE", "IFILE", "INDD", "INDDNAME")
_OUTPUTS = ("OUTFILE", "OFILE", "OUTDD", "OUTDDNAME")
_DD_NAMES = {
    "CSQUTIL": ("DDNAME", "MAKEDEF", "MAKEDEL", "MAKEREP", "MAKEALT", "MAKECLNT", "DATA"),
    "IDCAMS": (*_INPUTS, *_OUTPUTS),
    "ADRDSSU": (*_INPUTS, *_OUTPUTS),
}


@mutable
class DataDefinition:
    """One DD statement; those without a name that follow it are concatenated to it."""

    name: str
    operands: tuple[Operand, ...] | None
    span: Span
    data: Span | None = None
    more: int = 0

    def value(self, *keys: str) -> Text:
        """Return an operand's value, blank when it is not written."""
        if self.operands is None:
            return UNKNOWN
        found = next((operand for operand in self.operands if operand.key in keys), None)
        return "" if found is None else found.plain

    @property
    def data_set(self) -> Text:
        """The name of its data set, without a member or generation; UNKNOWN for several."""
        name = self.value("DSN", "DSNAME")
        return name if isinstance(name, Unknown) else name.partition("(")[0].upper()

    @property
    def generation(self) -> Text:
        """What stands in parentheses behind the data set's name."""
        name = self.value("DSN", "DSNAME")
        return name if isinstance(name, Unknown) else name.partition("(")[2].rstrip(")")

    @property
    def disposition(self) -> Text:
        """The first word of DISP; NEW where it is left out."""
        found = self.value("DISP")
        return found if isinstance(found, Unknown) else (found.split(",")[0].strip() or "NEW")

    def sub(self, key: str) -> Text:
        """Return RECFM, LRECL and the like, whether written alone or inside DCB."""
        alone = self.value(key)
        dcb = self.value("DCB")
        if alone or isinstance(dcb, Unknown):
            return alone or dcb
        found = re.search(rf"(?:^|,){key}=([^,]*)", dcb)
        return found[1].upper() if found is not None else ""


@mutable
class JobStep:
    """One EXEC statement and its DD statements by name.

    `program` is blank where a procedure is called. `open` tells that DD statements may come from
    elsewhere. `queue_manager` is the one it names: in PARM of CSQUTIL, or by the procedure's name.
    `fed` are the names of DD statements whose MQSC its program was given. `long_name` is what PARM
    has instead of a queue manager name, if it is longer than four characters.
    """

    card: Card
    label: str
    job: str
    program: str
    maybe: bool
    queue_manager: str | None = None
    conditional: bool = False
    open: bool = False
    dds: dict[str, DataDefinition] = field(default_factory=dict)
    fed: set[str] = field(default_factory=set)
    long_name: str = ""
    _pages: list[tuple[str, str]] | None = None

    @staticmethod
    def of(card: Card, job: str, maybe: bool) -> JobStep:
        """Make the step of an EXEC statement in the job or procedure `job`."""
        found = operands(card.operands) or ()
        values = {operand.key: operand for operand in found}
        program = values["PGM"].plain if "PGM" in values else ""
        cond = values["COND"].plain if "COND" in values else ""
        word = program.upper() if isinstance(program, str) else ""
        only = not isinstance(cond, str) or "ONLY" in cond.upper()
        step = JobStep(card, card.name, job, word, maybe or only)
        step.conditional = bool(cond)
        step.queue_manager = _named(word, values.get("PARM"), job)
        step.long_name = _long_name(word, values.get("PARM"))
        return step

    def add(self, card: Card, last: DataDefinition | None) -> DataDefinition:
        """Add a DD statement; one without a name goes on with the `last`."""
        if not card.name and last is not None:
            last.more += 1
            if last.data is not None or card.data is not None:
                last.data = None if card.data is None or last.data is not None else card.data
            return last
        dd = DataDefinition(card.name.upper(), operands(card.operands), card.span, card.data)
        if not is_known(card.name) or "&" in card.name:
            self.open = True
        elif "." in card.name:
            self.open = True  # it is of a step of a procedure that is called
        self.dds.setdefault(dd.name, dd)
        return dd

    def loose(self, data: Span) -> None:
        """Take a line that follows no DD statement: SYSIN, as the system generates it."""
        known = self.dds.get("SYSIN")
        if known is None:
            self.dds["SYSIN"] = DataDefinition("SYSIN", (), data, data)
        elif known.data is not None and known.span == (known.data[0], known.span[1]):
            known.data = (known.data[0], data[1])

    def streams(self) -> Iterator[Span]:
        """Yield the stretches of in-stream data."""
        return (dd.data for dd in self.dds.values() if dd.data is not None)

    @property
    def name(self) -> str:
        """The job and the step."""
        return f"{self.job}.{self.label}"

    @property
    def purpose(self) -> str:
        """What the names of the job and the step say it is for: backup, restore, or nothing."""
        words = f"{self.job} {self.label}".upper()
        found = [purpose for purpose, form in _PURPOSES if form.search(words)]
        return found[0] if len(found) == 1 else ""

    def page_sets(self) -> Sequence[tuple[str, str]]:
        """Return how its page sets stand to each other, which holds for all its statements."""
        if self._pages is None:
            self._pages = list(_page_sets(self))
        return self._pages

    def numbered(self, letter: str) -> dict[str, DataDefinition]:
        """Return the DD statements CSQPnnnn, CSQSnnnn or CSQTnnnn by their digits."""
        found: dict[str, DataDefinition] = {}
        for name, dd in self.dds.items():
            match = _NUMBERED.fullmatch(name)
            if match is not None and match[1] == letter:
                found[match[2]] = dd
        return found


def _named(program: str, parm: Operand | None, job: str) -> str | None:
    """The queue manager that a step names."""
    if program == "CSQUTIL" and parm is not None and isinstance(parm.plain, str):
        first = plain(parm.plain).split(",")[0].strip().strip("'").strip()
        return first if re.fullmatch(r"[A-Z@#$][A-Z0-9@#$]{0,3}", first) else None
    ends = {"CSQYASCP": "MSTR", "CSQXJST": "CHIN"}.get(program)
    if ends is not None and job.upper().endswith(ends) and len(job) > len(ends):
        return job[: -len(ends)].upper()
    return None


def _long_name(program: str, parm: Operand | None) -> str:
    """The name in PARM of CSQUTIL that is too long for a queue manager, blank for none."""
    if program != "CSQUTIL" or parm is None or not isinstance(parm.plain, str):
        return ""
    name = plain(parm.plain).split(",")[0].strip().strip("'").strip()
    return name if re.fullmatch(r"[A-Z@#$][A-Z0-9@#$]{4,20}", name) else ""


class Options:
    """Collects the options of a step."""

    def __init__(self, span: Span) -> None:
        """`span` is where what has no place of its own is said to stand."""
        self.span = span
        self.found: list[StepOption] = []

    def add(self, name: str, value: Text, span: Span | None = None) -> None:
        """Add one; a blank value is none."""
        if value != "":
            where = span or self.span
            self.found.append(StepOption(name, value, where, where))


def exec_step(job: JobStep, spec: ProgramSpec) -> Step:
    """Return the step of a program that has no statements."""
    options = Options(job.card.span)
    options.add("program", spec.name)
    options.add("step", job.name)
    return _step(job, spec.name, spec.action, options, job.card.span)


def statement_step(
    job: JobStep, spec: ProgramSpec, source: MappedText, secrets: list[Span]
) -> Step | None:
    """Return the step of one statement; None where it is not one of the program's.

    What is left of a statement that broke off is a step of class `fragment`.
    """
    verb = re.match(r"\s*([A-Za-z0-9]*)", source.text)
    word = verb[1].upper() if verb is not None else ""
    action = spec.statements.get(word)
    begin = len(source.text) - len(source.text.lstrip())
    span = (source.host(begin), max(source.end, source.host(begin)))
    options = Options(span)
    options.add("program", spec.name)
    options.add("step", job.name)
    if action is None:
        inside = word in spec.within or source.text.lstrip().startswith("(")
        meant = _meant(word, spec.statements) if spec.evidence == "document" else ""
        if not (inside or meant) or not is_known(source.text):
            return None
        if not inside:
            options.add("wrong", f"{word} is not a valid function, the nearest is {meant}")
            return _step(job, word, "misspelt", options, span)
        return _step(job, word or "(", "fragment", options, span)
    found = _operands(source, begin + len(word), spec)
    for operand in found or ():
        if operand.key in spec.secret:
            secrets.append(operand.span)
            value = (
                operand.value if isinstance(operand.value, Unknown) else Secret.of(operand.value)
            )
            options.found.append(StepOption(operand.key, value, operand.span, operand.span))
        elif operand.key:
            written = operand.plain
            options.add(operand.key, "true" if written == "" else written, operand.span)
        elif isinstance(operand.plain, str):
            options.add(
                operand.plain.upper() if spec.style == "commas" else "NAME", _mark(operand, spec)
            )
        allowed = spec.takes.get(f"{word} {operand.key}")
        given = operand.plain
        if allowed and isinstance(given, str) and given.upper() not in allowed:
            text = f"{operand.key}({given[:40]}) is not valid, valid: {', '.join(allowed)}"
            options.add("wrong", text, operand.span)
        key = operand.key or (operand.plain if isinstance(operand.plain, str) else "")
        meant = _meant(key.upper(), spec.within) if spec.evidence == "document" else ""
        if meant:
            text = f"{key[:40]} is not a valid keyword of {word}, the nearest is {meant}"
            options.add("wrong", text, operand.span)
    _resolve(job, spec, word, found or (), options)
    return _step(job, word, action, options, span, is_open=found is None)


def _meant(word: str, known: Collection[str]) -> str:
    """The word of a program that another one is a typo of, blank for none."""
    if len(word) < _SHORTEST or word in known:
        return ""
    return next((other for other in sorted(known) if distance(word, other, 1) == 1), "")


def _mark(operand: Operand, spec: ProgramSpec) -> Text:
    return "true" if spec.style == "commas" else operand.plain


def _operands(source: MappedText, begin: int, spec: ProgramSpec) -> Sequence[Operand] | None:
    rest = source.part(begin, len(source.text))
    return operands(rest, "words" if spec.style == "words" else "operands")


def _step(
    job: JobStep, word: str, action: str, options: Options, span: Span, is_open: bool = False
) -> Step:
    command_span = (span[0], min(span[0] + len(word), span[1]))
    return Step(
        word,
        action,
        tuple(options.found),
        (),
        None,
        span,
        command_span if word and command_span[0] < command_span[1] else (span[0], span[0] + 1),
        job.maybe,
        is_open,
    )


def _resolve(
    job: JobStep, spec: ProgramSpec, word: str, found: Sequence[Operand], options: Options
) -> None:
    """Add what the DD statements say of a statement: data sets, dispositions, what is missing."""
    values = {operand.key: operand.plain for operand in found}
    options.add("purpose", job.purpose)
    options.add("long_name", job.long_name, job.card.span)
    job.long_name = ""  # one finding is enough for all statements of the step
    missing = _without_dd(job, spec, found)
    options.add("without_dd", missing)
    if spec.name in ("IDCAMS", "ADRDSSU"):
        _ends(job, values, found, options)
    elif word in ("RESETPAGE", "COPYPAGE"):
        for name, value in job.page_sets():
            options.add(name, value)
    elif word == "SDEFS":
        options.add("page_set_0", _there(job, "CSQP0000"))
    elif word == "COMMAND":
        options.add("makes", next((key for key in values if key.startswith("MAKE")), ""))
    if word in ("COPY", "SCOPY", "LOAD", "SLOAD"):
        _queue_data(job, values, options)


def _there(job: JobStep, name: str) -> Text:
    """Whether a step has a DD statement."""
    if name in job.dds:
        return "true"
    return UNKNOWN if job.open else "false"


def _without_dd(job: JobStep, spec: ProgramSpec, found: Sequence[Operand]) -> Text:
    """The DD names that a statement asks for and the step does not have."""
    keys = _DD_NAMES.get(spec.name, ())
    asked = [operand.plain for operand in found if operand.key in keys and operand.value != ""]
    if job.open or any(isinstance(name, Unknown) for name in asked):
        return UNKNOWN
    words = [
        name.split(",")[0].split()[0].upper() for name in asked if isinstance(name, str) and name
    ]
    gone = [word for word in words if word not in job.dds]
    return " ".join(gone) if gone else "none"


def _ends(
    job: JobStep, values: dict[str, Text], found: Sequence[Operand], options: Options
) -> None:
    """Add where data comes from and goes to."""
    for end, files, names in (
        ("from", _INPUTS, ("INDATASET", "IDS")),
        ("to", _OUTPUTS, ("OUTDATASET", "ODS")),
    ):
        direct = next((values[key] for key in names if key in values), None)
        if direct is not None:
            name = direct if isinstance(direct, Unknown) else direct.strip("'").upper()
            options.add(end, name)
            continue
        asked = next((values[key] for key in files if key in values), None)
        dd = job.dds.get(asked.split()[0].upper()) if isinstance(asked, str) and asked else None
        if dd is None:
            continue
        options.add(end, dd.data_set)
        options.add(f"{end}.disp", dd.disposition)
        options.add(f"{end}.generation", dd.generation or "none")
        options.add(f"{end}.unit", dd.value("UNIT"))
        for key in ("RECFM", "LRECL"):
            options.add(f"{end}.{key.lower()}", dd.sub(key))
    chosen = next((operand for operand in found if operand.key in ("DATASET", "DS")), None)
    if chosen is not None and not any(number.name == "from" for number in options.found):
        options.add("from", _included(chosen))


def _included(chosen: Operand) -> Text:
    """The patterns of data sets that ADRDSSU includes, joined by blanks; unknown with a filter."""
    if isinstance(chosen.value, Unknown) or re.search(r"\b(?:BY|FILTERDD)\b", chosen.value, re.I):
        return UNKNOWN
    found = re.search(r"INC(?:LUDE)?\s*\(([^()]*)", chosen.value, re.IGNORECASE)
    listed = found[1] if found is not None else plain(chosen.value)
    return " ".join(re.split(r"[\s,]+", listed.strip())).upper()


def _page_sets(job: JobStep) -> Iterator[tuple[str, str]]:
    """Yield how sources and targets of page sets stand to each other, as options."""
    sources, targets = job.numbered("S"), job.numbered("T")
    if job.open or not sources or not targets:
        return
    odd = sorted(sources.keys() ^ targets.keys())
    yield "unpaired", " ".join(odd) if odd else "none"
    both = [
        (dd.data_set, targets[number].data_set)
        for number, dd in sources.items()
        if number in targets
    ]
    same = any(name == other and name for name, other in both if isinstance(name, str))
    yield "onto_itself", "true" if same else "false"
    shared = [dd for dd in (*sources.values(), *targets.values()) if dd.disposition == "SHR"]
    yield "shared", "true" if shared else "false"
    yield "pages", " ".join(sorted(sources))


def with_displays(step: Step, text: str, data: Span) -> Step:
    """Return a COMMAND step with the kinds of objects that its commands display, and how."""
    found: dict[str, bool] = {}
    for match in _DISPLAY.finditer(text, *data):
        line = text[match.start() : lines_end(text, match.start())].upper()
        whole = re.search(r"\bALL\b", line) is not None or line.rstrip().endswith(("+", "-"))
        kind = _KINDS.get(match[1].upper(), match[1].upper())
        word = f"{kind}(*)" if match[2] else kind
        found[word] = found.get(word, False) or whole
    options = Options(step.span)
    options.add("displays", " ".join(found))
    options.add("partly", " ".join(word for word, whole in found.items() if not whole) or "none")
    return replace(step, options=(*step.options, *options.found))


def _queue_data(job: JobStep, values: dict[str, Text], options: Options) -> None:
    """Add the data set that messages are copied to or loaded from."""
    asked = values.get("DDNAME")
    dd = job.dds.get(asked.upper()) if isinstance(asked, str) else None
    if dd is None:
        return
    options.add("data", dd.data_set)
    options.add("data.recfm", dd.sub("RECFM"))
