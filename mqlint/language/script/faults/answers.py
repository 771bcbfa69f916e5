"""Answers of dspmq that scripts misread: states in capitals, or never reached, and its result."""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.script.scanner import assigned_once
from mqlint.patterns import later

_OWN_COMMAND = later(
    r"(?m)^[ \t]*(?:alias[ \t]+(ssh|dspmq)=|(?:function[ \t]+)?(ssh|dspmq)[ \t]*\(\))"
)
"""A function or an alias of the script that runs instead of the command, and may do otherwise."""


def own_commands(text: str) -> set[str]:
    """Return which of ssh and dspmq are functions or aliases of a script."""
    return {found[1] or found[2] for found in _OWN_COMMAND.finditer(text)}


def answer_faults(text: str) -> Iterator[Diagnostic]:
    """Yield the faults of a shell script with dspmq."""
    yield from states_in_capitals(text)
    yield from _states_by_result(text)
    yield from _endless_waits(text)
    if "dspmq" not in own_commands(text):
        yield from _whole_answers(text)
    yield from _vain_switches(text)


_CAPITALS = later(
    r"(?m)\bdspmq(?P<options>(?:[ \t]+(?!-n\b)[^\s|;&]{1,100}){0,8}(?:[ \t]+2>&1)?)[ \t]*\|[ \t]*"
    r"[ef]?grep(?P<how>(?:[ \t]+-(?!-?\w*i)[\w-]{1,20}){0,5})[ \t]+(?P<quote>[\"']?)"
    r"(?P<word>(?:STATUS\\?\()?(?:RUNNING|ENDED|STARTING)(?:\\?\))?)(?P=quote)"
    r"(?=[\"'\s;|&)`]|$)(?![ \t]+-)"
)
"""A state in capitals that grep searches in the output of dspmq without -n."""


_HELD_PART = later(
    r"(?m)^[ \t]*(?:(?:local|export|readonly)[ \t]+)?(?P<name>[A-Za-z_]\w{0,60})=\"?"
    r"(?:\$\(|`)[ \t]*(?P<part>(?:[\w/.-]{1,80}/)?dspmq[ \t][^\n|]{0,100}\|[^\n]{1,300})"
)
"""A variable that gets a part of what dspmq prints."""
_CHANGES_CASE = later(r"(?i)\btr\b|upper|lower|\by/|\\U|[ \t]-n\b|RUNNING|ENDED|&&|;")
_KEEPS_CAPITALS = later(r"\b(?:typeset|declare|local)[ \t]+-[a-z]*u|\^\^|shopt|,,")
_IS_CAPITAL = later(
    r"\[[ \t]+\"?\$\{?(?P<name>\w{1,60})\}?\"?[ \t]+(?:!=|==?)[ \t]+"
    r"[\"']?(?P<word>RUNNING|STARTING|QUIESCING|ENDED(?:[ ]NORMALLY|[ ]IMMEDIATELY)?)[\"']?[ \t]+\]"
)
"""A test whether a variable is a state in capitals."""


def states_in_capitals(text: str) -> Iterator[Diagnostic]:
    """Yield states of dspmq that a search, or a test of a variable, never finds.

    It prints `Running`, and both distinguish case.
    """
    if "dspmq" not in text:
        return
    for found in _CAPITALS.finditer(text):
        word = found["word"]
        yield diagnostic("state-in-capitals", found.span("word"), word=word, search="grep")
    held = {
        found["name"]
        for found in _HELD_PART.finditer(text)
        if _CHANGES_CASE.search(found["part"]) is None
    }
    if not held or _KEEPS_CAPITALS.search(text) is not None:
        return
    held &= assigned_once(text)
    for found in _IS_CAPITAL.finditer(text):
        if found["name"] in held:
            word = found["word"]
            yield diagnostic("state-in-capitals", found.span("word"), word=word, search="the test")


_WAITS_FOR_STATE = later(
    r"(?m)^[ \t]*(?:until|while[ \t]+!)[ \t](?:[ \t]*\[{1,2}[ \t]+-n[ \t])?[^\n#!\[]{0,200}?"
    r"\bdspmq\b(?![^\n|]{0,200}[ \t]-n\b)"
    r"[^\n|]{0,200}\|[ \t]*[ef]?grep\b(?:[ \t]+-(?!\w*v)\w+)*+[ \t]+[\"']?[^\n|\"'\\]{0,40}?"
    r"(?P<state>Ended normally)[^\n|\"'\\]{0,8}[\"']?[ \t]*(?:;|\)|>|$)"
)
"""A loop that ends with this state: not one that ends without it, by another `!`, -v or -z."""
_ENDS = later(r"(?m)^[^#\n]{0,200}?\bendmqm\b(?P<options>[^\n;&|]{0,200})")
_AT_ONCE = later(r"(?:^|\s)-(i|p)\b")
_OF_MANAGER = later(r"\bdspmq[ \t]+-m[ \t]*[\"']?([^\s\"'|;&]{1,60})")
_LEAVES_LOOP = later(r"\b(?:break|exit|return)\b")
_NAMES = later(r"[^\s\"'|;&]{1,60}")
_LONGEST_LOOP = 2000
"""Characters in which the body of a loop ends."""
_STATES = {"i": "Ended immediately", "p": "Ended preemptively"}


def _endless_waits(text: str) -> Iterator[Diagnostic]:
    """Yield loops that wait for `Ended normally` although each endmqm ends in another way.

    That is each endmqm of the queue manager that dspmq shows. A loop that can be left another way
    is not endless.
    """
    if "Ended normally" not in text:
        return
    ways: dict[str, set[str]] = {}
    for found in _ENDS.finditer(text):
        at_once = _AT_ONCE.search(found["options"])
        for name in ("", *_NAMES.findall(found["options"])):
            ways.setdefault(name, set()).add("" if at_once is None else at_once[1])
    for found in _WAITS_FOR_STATE.finditer(text):
        named = _OF_MANAGER.search(found[0])
        own = ways.get("" if named is None else named[1], set())
        way = next(iter(own)) if len(own) == 1 else ""
        body = text[found.end() : found.end() + _LONGEST_LOOP].partition("done")[0]
        if way and _LEAVES_LOOP.search(body) is None:
            yield diagnostic(
                "never-normally", found.span("state"), option=f"-{way}", state=_STATES[way]
            )


_ASKS_STATE = later(
    r"(?m)^[ \t]*(?P<if>(?:if|while|until)[ \t]+(?:![ \t]*)?)?(?:/\S{1,80}/)?(?P<call>dspmq"
    r"[ \t]+-m[ \t]*(?P<name>[^\s|;&<>]{1,60}))"
    r"(?:[ \t]*+(?:\d?>{1,2}|&>)[ \t]*+&?[^\s|;&<>]{1,100}+)*+(?P<end>[ \t]*(?:\|\||&&|;|\n))"
)
"""dspmq of one queue manager whose output nothing reads; other options give other codes."""
_TESTS_RESULT = later(
    r"[ \t]*if[ \t]+\[{1,2}[ \t]+\"?\$\?\"?[ \t]+(?P<how>-eq|-ne|==?|!=)[ \t]+\"?0\"?[ \t]+\]"
)
"""The next command, if it tests whether dspmq has succeeded."""
_ABOUT_STATE = later(
    r"\bstrmqm\b|\b(?:OK|UP|DOWN|CRITICAL)\b|\b(?:is|not)[ \t]+(?:running|up|down|active)\b"
)
_ABOUT_EXISTENCE = later(
    r"\b(?:crt|dlt)mqm\b|exist|\b(?:add|rmv)mqinf\b|[Nn]ot[ \t]+(?:found|defined|known)|[Uu]nknown"
)
_STARTED = later(r"^(?:[ \t\n]|then\b|&&)*(?:[^\s;&|]*/)?strmqm\b")
"""A start where dspmq succeeds: the script asks only whether the queue manager is on this host."""
_NEAR_STATE = 160
"""Characters after dspmq in which a script says what it takes the result for."""


def _states_by_result(text: str) -> Iterator[Diagnostic]:
    """Yield each dspmq whose result decides what a script says or does about a state."""
    for found in _ASKS_STATE.finditer(text):
        end = found["end"].strip()
        tested = _TESTS_RESULT.match(text, found.end()) if end not in ("||", "&&") else None
        if not found["if"] and tested is None and end not in ("||", "&&"):
            continue
        after = text[found.end() : found.end() + _NEAR_STATE]
        if not found["if"] and tested is None:
            after = after.partition("\n")[0]
        on_success = "!" not in (found["if"] or "") and end != "||"
        if tested is not None:
            after, on_success = (
                after[len(tested[0]) :].lstrip("]; "),
                tested["how"] in ("-eq", "=", "=="),
            )
        if on_success and _STARTED.match(after) is not None:
            continue
        if _ABOUT_STATE.search(after) is not None and _ABOUT_EXISTENCE.search(after) is None:
            yield diagnostic("dspmq-as-state", found.span("call"), queue_manager=found["name"])


_DSPMQ = r"\$\((?:[\w/.-]{1,80}/)?dspmq(?:[ \t]+[^()|\n#]{0,80})?\)"
_HELD = later(rf"(?m)(?<![\w$.-])([A-Za-z_]\w{{0,60}})=\"?{_DSPMQ}\"?[ \t]*(?:$|[;#&|])")
_COMPARED = later(
    rf"\[[ \t]+\"?(?:{_DSPMQ}|\$\{{?(?P<name>\w{{1,60}})\}}?)\"?[ \t]+(?:!=|==?)[ \t]+"
    r"(?P<state>\"?'?(?:STATUS\()?(?i:running|ended|starting|quiescing)\b[^*\]\n]{0,40}?)[ \t]+\]"
)
"""A test whether all that dspmq prints, or a variable, is a state."""


def _whole_answers(text: str) -> Iterator[Diagnostic]:
    """Yield states with which the line `QMNAME(QM1) STATUS(Running)` is compared."""
    held = {found[1] for found in _HELD.finditer(text)} & assigned_once(text)
    for found in _COMPARED.finditer(text):
        if found["name"] is None or found["name"] in held:
            state = found["state"].strip("\"'")
            yield diagnostic("answer-never-equal", found.span("state"), state=state)


_ENDS_MANAGER = later(
    r"(?m)^[^#\n]{0,200}?\b(?P<command>endmqm(?P<options>(?:[ \t]+-\w+(?:[ \t]+\d+)?)*)"
    r"[ \t]+[\"']?(?P<name>[\w.$%{}/]{1,60}))"
)
_OTHER_WAYS = later(r"[ \t]-[sx]\b")
_EXPECTED = later(
    r"(?m)^(?![^\n]{0,300}(?:-eq|=|-v)[ \t])[^#\n]{0,80}\b(?:until|while[ \t]+!|if[ \t]+!)[ \t]"
    r"[^#\n]{0,200}\bdspmq\b(?P<words>[^\n]{0,200})\bRunning\b"
    r"|^[^#\n]{0,200}\bdspmq\b(?P<other>[^\n]{0,200})\bRunning\b[^\n|]{1,20}\|\|"
)
"""A wait until a queue manager runs, or a test that fails if it does not."""
_SAYS_SWITCHED = later(
    r"(?m)^[ \t]*(?:echo|print|printf|logger|log)[ \t][^\n]{0,200}"
    r"\b(?:(?:took|taken?|takes|taking|failed|switched)[ -]over|switched[ ]to)\b"
)
_MAY_START = later(r"\bstrmqm\b|\bstart|\b(?:systemctl|service|pcs|crm|rdqmadm)\b")


def _vain_switches(text: str) -> Iterator[Diagnostic]:
    """Yield the endmqm that ends all instances of what a script then expects to run.

    Nothing of the script starts it again, and the script speaks of standby instances.
    """
    if "endmqm" not in text or "tandby" not in text or _MAY_START.search(text) is not None:
        return
    ends = [*_ENDS_MANAGER.finditer(text)]
    if len(ends) != 1 or _OTHER_WAYS.search(ends[0]["options"]) is not None:
        return
    name, end = ends[0]["name"], ends[0].end()
    waits = (found["words"] or found["other"] for found in _EXPECTED.finditer(text, end))
    if any(name in words for words in waits) or _SAYS_SWITCHED.search(text, end) is not None:
        yield diagnostic("switch-expected", ends[0].span("command"), queue_manager=name)
