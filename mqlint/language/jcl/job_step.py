"""One EXEC statement of a job with its DD statements, and what follows from several of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from fnmatch import fnmatchcase

from mqlint.dataclass import mutable
from mqlint.language.declaration import Declared
from mqlint.language.feeding import Member
from mqlint.language.jcl import COMMAND
from mqlint.language.jcl.cards import Card
from mqlint.language.jcl.guards import FAILED, Guards
from mqlint.language.jcl.statements import Operand, operands, plain
from mqlint.language.script.step import Step, StepOption
from mqlint.language.text.templates import is_known
from mqlint.number import is_digits
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.vocabulary.distance import same_but_for_digits
from mqlint.vocabulary.unknown import UNKNOWN, Unknown

Text = str | Unknown
_NUMBERED = later(r"CSQ([PST])(\d{2,4})")
_QUALIFIER = later(r"[A-Z@#$][A-Z0-9@#$}-]{0,7}")
_MEMBER = later(r"([^()/\s]+)\(([A-Za-z@#$][A-Za-z0-9@#$]{0,7})\)")
_LIBRARY = later(r"(.{1,40})\.SCSQ(?:AUTH|ANL[A-Z]|MVR1|LOAD|CICS|MACS|PROC|SNL[A-Z])")
_OF_OTHERS = later(r".*\.(?:SCEERUN2?|SCLBDLL2?|SIEALNKE|SDSNLOAD|SDSNLOD2|SDSNEXIT|SDFHLOAD)")
"""Libraries of the language environment, of TLS, Db2 and CICS, which have no module of MQ."""
_RELEASE = later(r"(?:^|\.)(V\d(?:R\d(?:M\d{1,2})?|\d\d?))(?=\.|\Z)")
"""A qualifier with a release of MQ: V934, V9R3M4."""
_OF_RELEASE = later(r"(?:MQ|[MV])(?:7[015]|80|9[0-5])\d?")
"""A qualifier for a release of MQ, as short as a name of a queue manager: MQ93, MQ940, V934."""
_FILLED_IN = later(r"([%!?~^_])[A-Z0-9_-]{1,40}\1")
"""A word between two signs that no name has, which a tool of the site replaces."""
_SYMBOLS = ("QM", "QMGR", "QMNAME", "QMGRNAME", "SSID", "MQSSID", "SUBSYS")
"""Symbols with which procedures of sites get the name of a queue manager."""
INITIAL = ("CSQINP1", "CSQINP2", "CSQINPX", "CSQINPT")
"""DD names from which a queue manager and its channel initiator read commands when they start."""
PROCEDURE = "CSQYASCP"
"""The program of a queue manager."""
STARTED = frozenset({PROCEDURE, "CSQXJST"})
_OWN = later(r"(?:CSQP\d{3,4}|BSDS[12])")
_LONGEST = 44
"""Characters of the name of a data set."""
_PROGRAMS = frozenset({"STEPLIB", "JOBLIB"})
_PURPOSES = (
    ("restore", later(r"REST(?!A)|RECOV|RCVR|RSTR")),
    ("backup", later(r"BACK|BKUP|BKP|DUMP|SAVE")),
)


@mutable
class DataDefinition:
    """One DD statement; those without a name that follow it are concatenated to it.

    `parts` are the in-stream data of it and of the `others` that are concatenated to it. `symbols`
    are the values of those that in-stream data may use.
    """

    name: str
    operands: tuple[Operand, ...] | None
    span: Span
    parts: list[Span] = field(default_factory=list)
    others: list[DataDefinition] = field(default_factory=list)
    symbols: dict[str, str] = field(default_factory=dict)

    @property
    def data(self) -> Span | None:
        """Its in-stream data, None if it has none or several parts of it."""
        return self.parts[0] if len(self.parts) == 1 else None

    @property
    def is_partial(self) -> bool:
        """Whether some of what it reads is in a data set."""
        return len(self.parts) <= len(self.others)

    def members(self, entry: str) -> Iterator[Member]:
        """Yield the members of libraries that it reads; `entry` is that of `Member`.

        A symbol may be part of the library's name.
        """
        for each in (self, *self.others):
            found = (item for item in each.operands or () if item.key in ("DSN", "DSNAME"))
            for operand in found:
                match = _MEMBER.fullmatch(operand.written)
                if match is not None:
                    yield Member(match[1].upper(), match[2].upper(), entry)

    def value(self, *keys: str) -> Text:
        """Return an operand's value, blank when it is not written."""
        if self.operands is None:
            return UNKNOWN
        found = next((operand for operand in self.operands if operand.key in keys), None)
        return "" if found is None else found.plain

    @property
    def is_dummy(self) -> bool:
        """Whether it is an empty file, as DUMMY makes it."""
        first = self.operands[0] if self.operands else None
        return first is not None and first.key == "" and first.plain == "DUMMY"

    @property
    def written(self) -> str:
        """The name of its data set with symbols and templates, blank for none."""
        found = (item for item in self.operands or () if item.key in ("DSN", "DSNAME"))
        operand = next(found, None)
        return "" if operand is None else operand.written.partition("(")[0].strip("'").upper()

    @property
    def data_set(self) -> Text:
        """The name of its data set, without a member or generation; UNKNOWN for several."""
        name = self.value("DSN", "DSNAME")
        return name if isinstance(name, Unknown) else name.partition("(")[0].upper()

    @property
    def qualifiers(self) -> Sequence[str]:
        """The qualifiers of its data set, none if its name is not known."""
        name = self.data_set
        return name.split(".") if isinstance(name, str) else ()

    def sibling(self, queue_manager: str) -> str:
        """The queue manager that its name shows, if that differs only in digits; blank for none.

        It is a qualifier or the beginning of the member. A zero is rather that of a group, members
        of IBM begin with CSQ4, and MQ93 is rather a release.
        """
        member = self.generation
        start = member[: len(queue_manager)].upper() if isinstance(member, str) else queue_manager
        if start == queue_manager:
            return ""
        words = (start,) if queue_manager in self.qualifiers else (start, *self.qualifiers)
        for word in words:
            is_alike = len(word) == len(queue_manager) and same_but_for_digits(word, queue_manager)
            is_other = "0" in word or word == "CSQ4" or _OF_RELEASE.fullmatch(word) is not None
            if is_alike and not is_other:
                return word
        return ""

    @property
    def fault(self) -> str:
        """What is wrong with the name of its data set; blank for nothing, or a name in quotes."""
        operand = next(
            (item for item in self.operands or () if item.key in ("DSN", "DSNAME")), None
        )
        title = self.data_set
        if operand is None or isinstance(title, Unknown) or str(operand.value).startswith("'"):
            return ""
        if _FILLED_IN.search(title):
            return ""
        if len(title) > _LONGEST:
            return f"data set name {title} has more than {_LONGEST} characters"
        words = () if not title or title.startswith("*.") else title.split(".")
        wrong = next((word for word in words if not _QUALIFIER.fullmatch(word)), None)
        return "" if wrong is None else f"{wrong or 'blank'} is not a valid qualifier in {title}"

    @property
    def generation(self) -> Text:
        """The text in parentheses after the data set's name."""
        name = self.value("DSN", "DSNAME")
        return name if isinstance(name, Unknown) else name.partition("(")[2].rstrip(")")

    def releases(self) -> Sequence[str]:
        """The releases in the names of MQ's libraries that are concatenated, each once: V934.

        V93, V930 and V9R3M0 may be the same one.
        """
        found: dict[str, str] = {}
        for each in (self, *self.others):
            name = each.data_set
            library = _LIBRARY.fullmatch(name) if isinstance(name, str) else None
            release = _RELEASE.search(library[1]) if library is not None else None
            if release is not None:
                digits = "".join(filter(is_digits, release[1]))
                if not any(digits.startswith(each) or each.startswith(digits) for each in found):
                    found[digits] = release[1]
        return tuple(found.values())

    def lacking(self, libraries: frozenset[str]) -> frozenset[str]:
        """The libraries of MQ that are not concatenated, if all that are have IBM's names.

        Without a library of MQ, all of them may be in the link list.
        """
        found = set()
        for each in (self, *self.others):
            name = each.data_set
            if isinstance(name, str) and _LIBRARY.fullmatch(name):
                found.add(name.rpartition(".")[2])
            elif not isinstance(name, str) or not _OF_OTHERS.fullmatch(name):
                return frozenset()
        return libraries - found if found else frozenset()

    @property
    def disposition(self) -> Text:
        """The first word of DISP; NEW by default."""
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
class StepOwner:
    """The part of a job step that shows its queue manager, for what the step declares or does.

    `at` is the offset of the step, `own` the page sets and bootstrap data sets of a procedure,
    `names` are other data sets.
    """

    job: str
    at: int
    queue_manager: str | None = None
    own: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


@mutable
class JobStep:
    """One EXEC statement and its DD statements by name.

    `program` is blank if a procedure is called. `guards` decide whether the step runs. `open` is
    true if DD statements may come from elsewhere, `repeated` are those whose name the step has
    already. `queue_manager` is the one that it names: in PARM of CSQUTIL, or by the procedure's
    name. `fed` are the names of DD statements whose MQSC its program reads. `long_name` is a name
    in PARM that is too long for a queue manager. `parm` is the value of PARM.
    """

    card: Card
    label: str
    job: str
    program: str
    maybe: bool
    owner: StepOwner
    queue_manager: str | None = None
    guards: Guards = field(default_factory=Guards)
    open: bool = False
    dds: dict[str, DataDefinition] = field(default_factory=dict)
    repeated: list[DataDefinition] = field(default_factory=list)
    fed: set[str] = field(default_factory=set)
    long_name: str = ""
    parm: Text = ""
    _pages: list[tuple[str, str]] | None = None

    @staticmethod
    def of(card: Card, job: str, guards: Guards) -> JobStep:
        """Make the step of an EXEC statement in the job or procedure `job`.

        `guards` are those around it, to which its own COND is added.
        """
        found = operands(card.operands) or ()
        values = {operand.key: operand for operand in found}
        program = values["PGM"].plain if "PGM" in values else ""
        cond = values["COND"].plain if "COND" in values else ""
        word = program.upper() if isinstance(program, str) else ""
        only = not isinstance(cond, str) or "ONLY" in cond.upper()
        maybe = guards.branches != () or only
        step = JobStep(card, card.name, job, word, maybe, StepOwner(job, card.span[0]))
        own = (cond,) if cond else ()
        step.guards = Guards((*guards.conditions, *own), guards.branches)
        step.queue_manager = _named(word, values.get("PARM"), job)
        if "PGM" not in values:
            symbol = next((values[key] for key in _SYMBOLS if key in values), None)
            step.queue_manager = _named("CSQUTIL", symbol, job)
        step.long_name = _long_name(word, values.get("PARM"))
        step.parm = plain_of(values.get("PARM"))
        return step

    def as_utility(self, text: str) -> JobStep | None:
        """Return the step of CSQUTIL that a called procedure has, None if none is known.

        Only CSQUTIL reads COMMAND DDNAME(...) from SYSIN. DD statements of a step of the procedure
        have its name before theirs (`//UTIL.SYSIN DD *`).
        """
        if self.program:
            return None
        for name, dd in self.dds.items():
            step, _, own = name.rpartition(".")
            if own == "SYSIN" and dd.data is not None and COMMAND.search(text, *dd.data):
                dds = {
                    each.rpartition(".")[2]: other
                    for each, other in self.dds.items()
                    if each.rpartition(".")[0] in ("", step)
                }
                return replace(self, program="CSQUTIL", dds=dds, open=True)
        return None

    def add(self, card: Card, last: DataDefinition | None) -> DataDefinition:
        """Add a DD statement; one without a name is concatenated to the `last`."""
        if not card.name and last is not None:
            last.others.append(DataDefinition("", operands(card.operands), card.span))
            last.parts += [card.data] if card.data is not None else []
            return last
        parts = [card.data] if card.data is not None else []
        dd = DataDefinition(card.name.upper(), operands(card.operands), card.span, parts)
        if not is_known(card.name) or "&" in card.name:
            self.open = True
        elif "." in card.name:
            self.open = True  # it is of a step of a procedure that is called
        if self.dds.setdefault(dd.name, dd) is not dd:
            self.repeated.append(dd)
        return dd

    def loose(self, data: Span) -> None:
        """Take a line that follows no DD statement: SYSIN, as the system generates it."""
        known = self.dds.get("SYSIN")
        if known is None:
            self.dds["SYSIN"] = DataDefinition("SYSIN", (), data, [data])
        elif known.data is not None and known.span == (known.data[0], known.span[1]):
            known.parts = [(known.data[0], data[1])]

    def streams(self) -> Iterator[Span]:
        return (part for dd in self.dds.values() for part in dd.parts)

    @property
    def name(self) -> str:
        return f"{self.job}.{self.label}"

    def data_sets(self) -> Iterator[str]:
        """Yield the names of its data sets as they are written, apart from program libraries."""
        for dd in self.dds.values():
            if dd.name not in _PROGRAMS:
                yield from (each.written for each in (dd, *dd.others) if each.written)

    @property
    def purpose(self) -> str:
        """The purpose in the names of the job and the step: backup, restore, or blank."""
        words = f"{self.job} {self.label}".upper()
        found = [purpose for purpose, form in _PURPOSES if form.search(words)]
        return found[0] if len(found) == 1 else ""

    def of_others(self) -> Iterator[tuple[DataDefinition, str]]:
        """Yield DD statements of a started procedure for another queue manager, with its name.

        If most page sets and bootstrap data sets have the name of the queue manager as a qualifier,
        the others have that of another one there. Initial commands may be common to a group, whose
        name has another letter or a zero.
        """
        name = self.queue_manager
        if name is None or self.program not in STARTED:
            return
        own = [dd for each, dd in self.dds.items() if _OWN.fullmatch(each)]
        words = [(dd, dd.qualifiers) for dd in own]
        places = [found.index(name) for _, found in words if name in found]
        for dd, found in words if 2 * len(places) > len(words) else ():
            other = found[places[0]] if places[0] < len(found) else ""
            is_release = _OF_RELEASE.fullmatch(other) is not None
            if name not in found and len(other) == len(name) and not is_release:
                yield dd, other
        for dd in (self.dds[each] for each in INITIAL if each in self.dds):
            found_in = ((part, part.sibling(name)) for part in (dd, *dd.others))
            yield from (each for each in found_in if each[1])

    def bsds_of_other(self, text: str) -> Iterator[tuple[DataDefinition, str, str]]:
        """Yield the DD statement of CSQJU003 for the BSDS of another queue manager, and both names.

        The names differ in one qualifier as short as a queue manager. Statements of the step have
        one of the two in the names of logs of both copies, and not the other. A qualifier of one
        copy alone is rather that of its volumes.
        """
        first, second = self.dds.get("SYSUT1"), self.dds.get("SYSUT2")
        stream = self.dds.get("SYSIN")
        if first is None or second is None or stream is None or stream.data is None:
            return
        names = first.qualifiers, second.qualifiers
        pairs = [pair for pair in zip(*names, strict=False) if pair[0] != pair[1]]
        alike = [pair for pair in pairs if len(pair[0]) == 4 and same_but_for_digits(*pair)]
        if len(names[0]) != len(names[1]) or len(alike) != 1 or pairs[-1:] == alike:
            return
        lines = text[slice(*stream.data)].upper().splitlines()
        (one, other), dds = alike[0], (first, second)
        copies = {name: _copies(name, lines) for name in alike[0]}
        if sorted(map(len, copies.values())) == [0, 2]:
            own, foreign = (one, other) if copies[one] else (other, one)
            yield dds[foreign == other], foreign, own

    def page_sets(self) -> Sequence[tuple[str, str]]:
        """Return how its page sets correspond, which is the same for all its statements."""
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


def _copies(name: str, statements: Iterable[str]) -> set[str]:
    """The copies of the log, 1 and 2, of which statements name a data set with this qualifier."""
    return {
        copy
        for statement in statements
        if name in re.split(r"[.,=\s]+", statement)
        for copy in re.findall(r"COPY([12])", statement)
    }


def plain_of(parm: Operand | None) -> Text:
    """The value of PARM without parentheses and quotation marks, blank for none."""
    value = parm.plain if parm is not None else ""
    return plain(value) if isinstance(value, str) else value


def _named(program: str, parm: Operand | None, job: str) -> str | None:
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


def _page_sets(job: JobStep) -> Iterator[tuple[str, str]]:
    """Yield how sources and targets of page sets correspond, as options."""
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


# -- messages that are copied and deleted ----------------------------------------------------------


_KEYS = ("QUEUE", "Q", "PSID")
_RENAMES = ("RENAME", "RENAMEU", "RENAMEUNCONDITIONAL", "REN", "RENUNC")


@mutable
class Copies:
    """Messages and page sets that the steps of each job have copied, by what later steps destroy.

    `steps` are those that copy the messages of a queue or page set, by the job and what they copy.
    `restored` are the patterns of data sets that a step restored, by the job, each with the step.
    """

    steps: dict[tuple[str, str, str], str] = field(default_factory=dict)
    restored: dict[str, dict[str, str]] = field(default_factory=dict)

    def noted(self, job: JobStep, found: Iterable[Step]) -> Iterator[Step]:
        """Yield the statements of a job step, with options if they destroy what was copied."""
        for step in found:
            self.note_restored(job, step)
            added = self.emptied(job, step) or self.formatted(job, step)
            options = (StepOption(name, value, step.span, step.span) for name, value in added)
            yield replace(step, options=(*step.options, *options)) if added else step

    def emptied(self, job: JobStep, step: Step) -> tuple[tuple[str, str], ...]:
        """What an EMPTY empties, and the step with its copy, if it runs even if that failed."""
        option = step.option(*_KEYS)
        what = option.value if option is not None else None
        if option is None or not isinstance(what, str):
            return ()
        kind = "PSID" if option.name == "PSID" else "QUEUE"
        key = job.job, kind, what.strip("'").lstrip("0")
        if step.action == "unload":
            self.steps.setdefault(key, job.label)
        copied = self.steps.get(key, "") if step.action == "empty" else ""
        if copied in ("", job.label) or not job.guards.let_run_after(copied, FAILED):
            return ()
        emptied = f"{'page set' if kind == 'PSID' else 'queue'} {key[2]}"
        return ("emptied", emptied), ("copied", copied)

    def note_restored(self, job: JobStep, step: Step) -> None:
        """Note the data sets that a step restores under their own names."""
        names = self.restored.setdefault(job.job, {})
        if step.action == "erase":
            names.clear()
        elif step.action in ("copy", "restore"):
            listed = step.text("to").split()
            if step.command == "RESTORE" and step.option(*_RENAMES) is None:
                listed += included(step.text("DATASET") or step.text("DS"))
            names.update(dict.fromkeys(listed, job.label))

    def formatted(self, job: JobStep, step: Step) -> tuple[tuple[str, str], ...]:
        """The data set that a FORMAT makes a new page set although a step restored it before."""
        kind = step.text("TYPE").upper()
        if step.action != "format" or kind not in ("", "NEW") or not job.job:
            return ()
        for dd in job.numbered("P").values():
            for pattern, label in self.restored.get(job.job, {}).items():
                if isinstance(name := dd.data_set, str) and name and fnmatchcase(name, pattern):
                    runs = job.guards.let_run_after(label, 0)
                    return (("restored", name), ("restored_by", label)) if runs else ()
        return ()


def included(dataset: str) -> list[str]:
    """The patterns in INCLUDE of DATASET for ADRDSSU, or all of it; none with a filter."""
    if re.search(r"\b(?:BY|FILTERDD)\b", dataset, re.IGNORECASE):
        return []
    found = re.search(r"INC(?:LUDE)?\s*\(([^()]*)", dataset, re.IGNORECASE)
    listed = found[1] if found is not None else plain(dataset)
    return [word.upper() for word in re.split(r"[\s,]+", listed.strip()) if word]


# -- queue managers of job steps -------------------------------------------------------------------


_NAMED = later(r"(?:.*\.)?(?!V\d{3}\.)(?=[A-Z@#$]*(?:\d|MQ|QM))([A-Z@#$][A-Z0-9@#$]{3})\.[A-Z]+\d+")
"""A data set with a qualifier that is hardly the name of an environment (PROD) or a release."""
_PARTS = ("from", "to", "DSNAME")


def settle(job: JobStep) -> None:
    """Give the owner of a job step the names that its DD statements have."""
    owner = job.owner
    owner.queue_manager = job.queue_manager
    if job.program == PROCEDURE:
        owner.own = tuple(dd.written for name, dd in job.dds.items() if _OWN.fullmatch(name))
    else:
        owner.names = tuple(job.data_sets())


def bind(owners: Sequence[StepOwner]) -> None:
    """Give steps without a queue manager the one that their data sets name, of those of a text.

    Its name, of up to four characters, by convention is a qualifier: `MQ.MQ7A.PSID01`.

    Otherwise they are for the queue manager that other steps of the same job name.
    """
    known = {owner.queue_manager for owner in owners if owner.queue_manager is not None}
    of_job: dict[str, set[str]] = {}
    for owner in owners if len(known) > 1 else ():
        if owner.queue_manager is None:
            found = known & {word for name in owner.names for word in name.split(".")}
            owner.queue_manager = found.pop() if len(found) == 1 else None
        if owner.queue_manager is not None:
            of_job.setdefault(owner.job, set()).add(owner.queue_manager)
    for owner in owners if known else ():
        names = known if len(known) == 1 else of_job.get(owner.job, set())
        if owner.queue_manager is None and len(names) == 1:
            owner.queue_manager = next(iter(names))


def owner_signs(
    owners: Iterable[StepOwner],
    steps: Iterable[tuple[Step, StepOwner]],
    declared: Iterable[tuple[Declared, StepOwner]],
) -> Iterator[tuple[str, str, int]]:
    """Yield what shows the queue managers of a text, with the places of its job steps.

    Each is the queue manager of a procedure and a data set that it has as its own. For a step
    without a queue manager, that is blank: the step is for whom the data set belongs to. A name
    without a period is that of the job.
    """
    for owner in owners:
        stated = owner.queue_manager or _by_names(owner.own)
        yield from ((stated, name, owner.at) for name in owner.own)
        if owner.queue_manager is None:
            yield "", owner.job.upper(), owner.at
            yield from (("", name, owner.at) for name in owner.names)
    for step, owner in steps:
        for text in map(step.text, _PARTS) if owner.queue_manager is None else ():
            yield from (("", name, owner.at) for name in text.split())
    for found, owner in declared:
        if owner.queue_manager is None and found.type == "data_set":
            yield "", found.name, owner.at


def _by_names(own: Sequence[str]) -> str:
    """The queue manager that is the last but one qualifier of all data sets, blank for none."""
    matches = [_NAMED.fullmatch(name) for name in own]
    found = {match[1] if match is not None else "" for match in matches}
    return found.pop() if len(found) == 1 else ""
