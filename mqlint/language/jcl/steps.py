"""The statements that the program of a job step reads, with what its DD statements say of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from mqlint.language.execution import CERTAIN, MAYBE
from mqlint.language.jcl.cards import lines_end
from mqlint.language.jcl.job_step import DataDefinition, JobStep, Text, included
from mqlint.language.jcl.statements import Operand, operands
from mqlint.language.mqsc.value import Secret
from mqlint.language.script.step import Step, StepOption
from mqlint.language.text.mapped import MappedText
from mqlint.language.text.templates import is_known
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.vocabulary.distance import typo_of
from mqlint.vocabulary.unknown import UNKNOWN, Unknown
from mqlint.vocabulary.zos import ProgramSpec

_CHANGING = later(
    r"(?im)^[ \t]*(?:def(?:ine)?|alt(?:er)?|set|start|sta|stop|sto|ref(?:resh)?|res(?:et)?"
    r"|cle(?:ar)?|move|backup|recover|archive|resume|suspend|resolve|r(?:e)?verify|ping)\b"
)
"""A command of MQSC that does more than display or delete, at the beginning of its line."""
_DISPLAY = later(r"(?im)^[ \t]*DIS(?:PLAY)?[ \t]+([A-Z]+)[ \t]*(?:\([ \t]*+'?(\*)?+[^)\n]*+\))?")
_MQSC_VERBS = frozenset("DEFINE DEF ALTER ALT DISPLAY DIS DELETE SET START STOP CLEAR".split())
_KINDS = {"Q": "QUEUE", "CHL": "CHANNEL", "NL": "NAMELIST", "PRO": "PROCESS", "STC": "STGCLASS"}
_INPUTS = ("INFILE", "IFILE", "INDD", "INDDNAME")
_OUTPUTS = ("OUTFILE", "OFILE", "OUTDD", "OUTDDNAME")
_DD_NAMES = {
    "CSQUTIL": ("DDNAME", "DD", "MAKEDEF", "MAKEDEL", "MAKEREP", "MAKEALT", "MAKECLNT", "DATA"),
    "IDCAMS": (*_INPUTS, *_OUTPUTS),
    "ADRDSSU": (*_INPUTS, *_OUTPUTS),
}


class Options:
    def __init__(self, span: Span) -> None:
        """`span` is the place of options without a place of their own."""
        self.span = span
        self.found: list[StepOption] = []

    def add(self, name: str, value: Text, span: Span | None = None) -> None:
        """Add one; a blank value is none."""
        if value != "":
            where = span or self.span
            self.found.append(StepOption(name, value, where, where))


def exec_step(job: JobStep, spec: ProgramSpec, text: str) -> Step:
    """Return the step of a program whose statements are not read, in the job `text`."""
    options = Options(job.card.span)
    options.add("program", spec.name)
    options.add("step", job.name)
    options.add("wrong", _wrong_parm(job, spec), job.card.span)
    options.add("without_dd", _missing(job, spec) or _none_of(job, spec, text))
    misspelt = next(_misspelt_files(job, spec), None)
    if misspelt is not None:
        dd, meant = misspelt
        fault = f"{dd.name} is not a DD name of {spec.name}, the nearest is {meant}"
        options.add("wrong", fault, dd.span)
    return _step(job, spec.name, spec.action, options, job.card.span)


def _wrong_parm(job: JobStep, spec: ProgramSpec) -> str:
    """The fault of the function in PARM, blank for none; `ADD QMGR,MQ7A,QSG1,DSG1,DB2A`."""
    if not spec.parm or not isinstance(job.parm, str) or not job.parm:
        return ""
    function, *names = (word.strip() for word in job.parm.split(","))
    found = spec.parm.get(" ".join(function.upper().split()))
    if found is None:
        return f"{function[:40]} is not a valid function, valid: {', '.join(spec.parm)}"
    limits = [int(limit) for limit in found.split()]
    given = [name for name in names if name]
    if len(given) != len(limits):
        return f"{function} needs {len(limits)} names, not {len(given)}"
    pairs = zip(given, limits, strict=True)
    long = next(((name, limit) for name, limit in pairs if len(name) > limit), None)
    return f"{long[0][:40]} has more than {long[1]} characters" if long is not None else ""


def _missing(job: JobStep, spec: ProgramSpec) -> str:
    """The DD names that a step lacks: first ones of series, and those of each step in a job."""
    series = {_series(name) for name in job.dds if name not in spec.first}
    needs = {name for name in spec.first if _series(name) in series}
    needs |= spec.needs if job.job else frozenset()
    return "" if job.open else " ".join(sorted(needs - job.dds.keys()))


def _none_of(job: JobStep, spec: ProgramSpec, text: str) -> str:
    """The DD names of which a step in a job needs one, such as ACTIVE1 for ACTIVE, and has none."""
    stream = job.dds.get("SYSIN")
    listed = text[slice(*stream.data)] if stream is not None and stream.data is not None else ""
    bare = "".join(line for line in listed.upper().splitlines(keepends=True) if line[:1] != "*")
    for keyword, names in spec.either.items() if job.job and not job.open else ():
        is_asked = keyword == "always" or keyword in "".join(bare.split())
        if is_asked and not any(name.startswith(names) for name in job.dds):
            return " or ".join(names)
    return ""


def _series(name: str) -> tuple[str, int]:
    """What the DD names of a series have in common; one with fewer digits is of no series."""
    return name.rstrip("0123456789"), len(name)


def _misspelt_files(job: JobStep, spec: ProgramSpec) -> Iterator[tuple[DataDefinition, str]]:
    """Yield DD statements with a typo in their names, each with the name that the step lacks."""
    missing = spec.files - job.dds.keys()
    for name, dd in job.dds.items():
        meant = typo_of(name, missing) if name not in spec.files else ""
        if meant and not job.open:
            yield dd, meant


def without_files(job: JobStep, spec: ProgramSpec, names: frozenset[str]) -> Step | None:
    """Return the step of a program that lacks one of these DD statements, or has no statements."""
    options = Options(job.card.span)
    options.add("program", spec.name)
    options.add("without_dd", " ".join(sorted(names - job.dds.keys())))
    stream = job.dds.get("SYSIN")
    if stream is not None and stream.is_dummy:
        options.add("wrong", "SYSIN is DUMMY, so the step has no statements", stream.span)
    is_wrong = len(options.found) > 1
    return _step(job, spec.name, "nothing", options, job.card.span) if is_wrong else None


def one_data_set_twice(job: JobStep, spec: ProgramSpec) -> Step | None:
    """Return the step of CSQJU003 whose DD statements name one data set for both BSDS."""
    first, second = job.dds.get("SYSUT1"), job.dds.get("SYSUT2")
    title = second.data_set if second is not None else ""
    if first is None or second is None or not title or first.data_set != title:
        return None
    if isinstance(title, Unknown):
        return None
    options = Options(second.span)
    options.add("program", spec.name)
    options.add("wrong", f"SYSUT1 and SYSUT2 are both {title}")
    return _step(job, spec.name, "nothing", options, second.span)


def statement_step(
    job: JobStep, spec: ProgramSpec, source: MappedText, secrets: list[Span]
) -> Step | None:
    """Return the step of one statement; None if it is not one of the program's.

    The rest of a broken statement is a step of class `fragment`.
    """
    verb = re.match(r"\s*([A-Za-z0-9]*)", source.text)
    word = verb[1].upper() if verb is not None else ""
    action = spec.statements.get(word)
    begin = len(source.text) - len(source.text.lstrip())
    span = (source.host(begin), max(source.end, source.host(begin)))
    options = Options(span)
    options.add("program", spec.name)
    options.add("step", job.name)
    options.add("job", job.job)
    if action is None:
        wrong = _not_a_statement(word, spec, source.text)
        if wrong is None or not is_known(source.text):
            return None
        if not wrong:
            return _step(job, word or "(", "fragment", options, span)
        options.add("wrong", wrong)
        return _step(job, word, "misspelt", options, span)
    rest = source.part(begin + len(word), len(source.text))
    found = operands(rest, "words" if spec.style == "words" else "operands")
    for operand in found or ():
        key, plain = operand.key, operand.plain
        if key in spec.secret:
            secrets.append(operand.span)
            value = operand.value
            secret = value if isinstance(value, Unknown) else Secret.of(value)
            options.found.append(StepOption(key, secret, operand.span, operand.span))
        elif key:
            options.add(key, "true" if plain == "" else plain, operand.span)
        elif isinstance(plain, str) and spec.style == "commas":
            options.add(plain.upper(), "true")
        elif isinstance(plain, str):
            options.add("NAME", plain)
        for wrong in _wrong_operands(operand, word, spec):
            options.add("wrong", wrong, operand.span)
    for wrong in _wrong_together(word, found or (), spec):
        options.add("wrong", wrong)
    _resolve(job, spec, word, found or (), options)
    return _step(job, word, action, options, span, is_open=found is None)


def _not_a_statement(word: str, spec: ProgramSpec, text: str) -> str | None:
    """The fault of a text that is no statement; blank for the rest of one, None if unknown."""
    if spec.name == "CSQUTIL" and word in _MQSC_VERBS:
        return f"{word} is MQSC, which must be in the data set that COMMAND DDNAME names"
    if word in spec.within or text.lstrip().startswith("("):
        return ""
    meant = typo_of(word, spec.statements) if spec.evidence == "document" else ""
    return f"{word} is not a valid function, the nearest is {meant}" if meant else None


def _wrong_operands(operand: Operand, word: str, spec: ProgramSpec) -> Iterator[str]:
    value = operand.plain if isinstance(operand.plain, str) else None
    allowed = spec.takes.get(f"{word} {operand.key}")
    if allowed and value is not None and value.upper() not in allowed:
        yield f"{operand.key}({value[:40]}) is not valid, valid: {', '.join(allowed)}"
    key = operand.key or value or ""
    meant = typo_of(key.upper(), spec.within) if spec.evidence == "document" else ""
    if meant:
        yield f"{key[:40]} is not a valid keyword of {word}, the nearest is {meant}"


def _wrong_together(word: str, found: Sequence[Operand], spec: ProgramSpec) -> Iterator[str]:
    """Yield the faults of a statement whose operands do not belong together."""
    values = {operand.key or operand.written.upper(): operand for operand in found}
    if not found or any("&" in key or not is_known(key) for key in values):
        return

    def groups(table: Mapping[str, Sequence[str]]) -> Iterator[tuple[list[str], list[str]]]:
        for group in table.get(word, ()):
            yield group.split(), [key for key in group.split() if key in values]

    for group, there in groups(spec.one):
        if not there:
            yield f"{word} lacks {' or '.join(group)}"
    for _, there in (*groups(spec.one), *groups(spec.most)):
        if len(there) > 1:
            yield f"{word} cannot have both {there[0]} and {there[1]}"
    for group, there in groups(spec.whole):
        if there and there != group:
            missing = next(key for key in group if key not in there)
            yield f"{word} has {there[0]} without {missing}"
    for key, operand in values.items():
        end, value = spec.ends.get(f"{word} {key}", ""), operand.plain
        if isinstance(value, str) and not value.rstrip("'").endswith(end):
            yield f"{key}={value[:40]} does not end in {end}"


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
        MAYBE if job.maybe else CERTAIN,
        is_open,
    )


def _resolve(
    job: JobStep, spec: ProgramSpec, word: str, found: Sequence[Operand], options: Options
) -> None:
    """Add what DD statements say about a statement: data sets, dispositions, missing ones."""
    values = {operand.key: operand.plain for operand in found}
    options.add("purpose", job.purpose)
    options.add("long_name", job.long_name, job.card.span)
    job.long_name = ""  # one finding is enough for all statements of the step
    missing = _without_dd(job, spec, word, found)
    options.add("without_dd", missing)
    if spec.name in ("IDCAMS", "ADRDSSU"):
        _ends(job, values, found, options)
    elif word in ("RESETPAGE", "COPYPAGE"):
        for name, value in job.page_sets():
            options.add(name, value)
    elif word == "SDEFS":
        is_there = "CSQP0000" in job.dds
        options.add("page_set_0", UNKNOWN if job.open and not is_there else str(is_there).lower())
    elif word == "COMMAND":
        options.add("makes", next((key for key in values if key.startswith("MAKE")), ""))
    if word in ("COPY", "SCOPY", "LOAD", "SLOAD"):
        _queue_data(job, values, options)


def _without_dd(job: JobStep, spec: ProgramSpec, verb: str, found: Sequence[Operand]) -> Text:
    """The DD names that a statement asks for and the step does not have."""
    keys = _DD_NAMES.get(spec.name, ())
    asked = [operand.plain for operand in found if operand.key in keys and operand.value != ""]
    if job.open or any(isinstance(name, Unknown) for name in asked):
        return UNKNOWN
    default = spec.dd.get(verb, "")
    begin = default.rstrip("n")
    if default and not asked and not any(name.startswith(begin) for name in job.dds):
        return default
    words = [name.partition(",")[0].strip().upper() for name in asked if isinstance(name, str)]
    words.append(spec.reads.get(verb, ""))
    gone = [word for word in words if word and word not in job.dds]
    return " ".join(gone) if gone else "none"


def _ends(
    job: JobStep, values: dict[str, Text], found: Sequence[Operand], options: Options
) -> None:
    """Add the source and the target of data."""
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
    listed = [] if isinstance(chosen.value, Unknown) else included(chosen.value)
    return " ".join(listed) if listed else UNKNOWN


def with_displays(step: Step, text: str, parts: Iterable[Span]) -> Step:
    """Return a COMMAND step with the kinds of objects that its commands display, and how.

    `changes` is false if none of them does more than display or delete.
    """
    parts = [*parts]
    found: dict[str, bool] = {}
    for match in chain.from_iterable(_DISPLAY.finditer(text, *part) for part in parts):
        line = text[match.start() : lines_end(text, match.start())].upper()
        whole = re.search(r"\bALL\b", line) is not None or line.rstrip().endswith(("+", "-"))
        kind = _KINDS.get(match[1].upper(), match[1].upper())
        word = f"{kind}(*)" if match[2] else kind
        found[word] = found.get(word, False) or whole
    options = Options(step.span)
    changes = any(_CHANGING.search(text, *part) is not None for part in parts)
    options.add("changes", str(changes).lower())
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
