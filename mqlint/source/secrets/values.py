"""What follows the name of a secret: where the value begins and ends.

The same name is followed by a value in many ways: `NAME=x`, `NAME: x`, `"name": "x"`, `NAME('x')`,
`<name>x</name>`, `${NAME:-x}`, `--name x`. Where a value has no end, as after a broken quote, it
goes on to the end of its line.
"""

from __future__ import annotations

import re

from mqlint.patterns import later
from mqlint.source.lines import Span, line_spans
from mqlint.source.secrets.names import OF_STANZA, Sign, judge
from mqlint.source.secrets.words import (
    LONGEST,
    after_signs,
    closing,
    document_to,
    in_line,
    output_of,
    word_at,
)

BLOCK = later(r"[|>][-+0-9]*[ \t]*(?:\#[^\n]*)?\r?\n")
"""Begins a text of several lines in YAML."""
EXPLICIT_VALUE = later(
    r"(?m)[\"']?(?:[ \t]*(?:\#[^\r\n]{0,1000}+)?\r?\n)++(?P<indent>[ \t]*):(?=[ \t\r\n])[ \t]*"
)
"""The colon and what comes before a value in YAML, after a key that begins with a question mark."""


_JOINED = later(
    r"[\"']?[ \t]*(?:\+|\*T?CAT)[ \t]*(?:\r?\n[ \t]*)?"
    r"(?:\"([^\"\n]*)\"|'([^'\n]*)'|(\$\w+)(?![\w(.\[]))"
)
"""A text or a variable of PowerShell that is put after a text."""


def value_after(text: str, start: int, end: int, *, to_line_end: bool = False) -> Span | None:
    """Return the span of the value of the name at `start` to `end`; None if none follows.

    `to_line_end` tells that the value of a name that begins its line takes all of the line.
    """
    span = _value_after(text, start, end, to_line_end)
    while span is not None and span[0] < span[1] and text[span[0] - 1] in "\"'":
        joined = _JOINED.match(text, span[1])
        if joined is None:
            break
        span = span[0], joined.end(joined.lastindex or 0)
    return span if span is None else (span[0], after_signs(text, *span))


_LINE_BREAK = r"(?:[+\-\\^`]?[ \t]*\r?\n(?:[ \t]*\*[^\n]*\n)*[ \t]*)"
_BLANKS = rf"[ \t]*+(?:{_LINE_BREAK})*+"
_SIGN = later(
    rf"""(?x)
      (?:[%!}}@]{{1,2}}|\*\*)? \\?["']? (?:\]["']?)? (?:\[[^\]\n]{{0,200}}\])? (?:
        [ \t]*+ (?P<attribute> \r?\n\s*+ = \s*+ | = [ \t]*+\r?\n\s*+ ) (?=["'])
      | [ \t]*+ (?P<pair>  :{{1,3}}=|\?{{1,2}}=|\|\|=|=>|->|===?|!==?|=~|\+=|<<<|=
                          | -(?:[ci]?(?:eq|ne)|match)\b
                          | (?<=[ \t])(?:EQU?|NE|NEQ|in)(?=[ \t]) ) [ \t]*+ (?:[`^]\r?\n[ \t]*+)?
      | (?P<comma> (?<=["']) [ \t]*+ , [ \t]*+ (?=["'](?!\w{{1,80}}["'][ \t]*:))
                          | (?<=[A-Z]) , [ \t]*+ (?=")
                          | (?<=_PROPERTY) [ \t]*+ , [ \t]*+ (?=') )
      | [ \t]*+ (?P<colon> :(?![:/]/?) ) [ \t]*+
      | {_BLANKS} (?P<open> \( ) {_BLANKS}
      | (?P<tag>  (?:[ \t]+[\w:.-]+=(?:"[^"\n]*"|'[^'\n]*'))*+ \s*+ > )
      | (?P<quoted> [ \t]+ (?=["']) )
      | (?P<says> [ \t]+(?:is|was|will[ ]be)[ \t]+(?:now[ \t]+|set[ \t]+to[ \t]+)?`? )
      )
    """
)
_COMPARED = later(r"\)(?:[ \t]*,[ \t]*|[\"'][ \t]+[\"'])([^\s,()$\"']+)")
"""What is compared with a variable of make: `ifeq ($(PASSWORD),text)`."""
_COMPARES = later(r"\}[\"']?[ \t]+(?:={1,3}|!==?|=~)[ \t]+(?=[\"'\w])")
"""A comparison with a variable in braces: `[ "${PASSWORD}" = "text" ]`."""
_OTHER_NAMES = later(r"(?:[ \t]*,[ \t]*\$\w++){1,40}+[ \t]*=[ \t]*")
_COLLECTION = later(r"[-?][ \t]|[\w.-]+:[ \t]")


def _value_after(text: str, start: int, end: int, to_line_end: bool) -> Span | None:
    if text.startswith("${", max(start - 2, 0)):
        compared = _COMPARES.match(text, end)
        if compared is not None and judge(text[start:end]) is Sign.STRONG:
            return _value(text, compared.end())
        return _default(text, end)
    if text.startswith("$(", max(start - 2, 0)) and "if" in text[max(start - 12, 0) : start]:
        compared = _COMPARED.match(text, end)
        return compared.span(1) if compared is not None else None
    if text.startswith("$", max(start - 1, 0)):
        others = _OTHER_NAMES.match(text, end)
        if others is not None:
            return others.end(), in_line(text, others.end(), ";")
    explicit = EXPLICIT_VALUE.match(text, end) if is_explicit_key(text, start) else None
    if explicit is not None:
        if _COLLECTION.match(text, explicit.end()):
            return None
        return _after_colon(text, explicit.end("indent"), explicit.end())
    sign = _SIGN.match(text, end)
    if sign is None:
        return None
    if sign["pair"] is not None:
        return _assigned(text, start, end, sign, to_line_end)
    return _beside(text, start, sign)


_PRINTS = later(r"(?:echo|printf)(?:[ \t]+-\w+|[ \t]+[\"']?%s\S*)*[ \t]+")
_NAMES_BEFORE = later(r"\$\w+[ \t]*,[ \t]*\$\Z")
"""Other variables of PowerShell that an assignment of several values gives a value."""
_MAP = later(r"\{\s*+[\w\"-]{1,80}+[ \t]*+=")
"""Begins a map of Terraform."""


def _assigned(
    text: str, start: int, end: int, sign: re.Match[str], to_line_end: bool
) -> Span | None:
    """Return the value after a sign such as `=`, `=>` or `-eq`."""
    at = sign.end()
    if (sign["pair"] == "=>" or text.startswith("[", at)) and _opens_lines(text, at):
        return None
    if sign["pair"] == "=":
        if text.startswith("@{", at) or _MAP.match(text, at) is not None:
            return None
        if _takes_line(text, start, to_line_end):
            return at, _line_end(text, at, continues=to_line_end)
        before = _before(text, start)
        if before is not None and _sets_to_blank(before, to_line_end):
            found = _TO_BLANK.match(text, at)
            if found is not None:
                return found.span()
    if sign["pair"] == "!=" and (prints := _PRINTS.match(text, at)) is not None:
        at = prints.end()
    if _NAMES_BEFORE.search(text, max(start - 80, 0), start):
        return at, in_line(text, at, ";")
    empty = sign["pair"] == "=" and text[end : end + 1] == "=" and text[at - 1] in " \t"
    is_empty = empty and _is_in_line(text, start)
    return _enclosed(text, start, end, at) or (None if is_empty else _in_quotes(text, start, at))


_PROSE = later(
    r"[A-Za-z]++(?:\}|[ \t]+\w)"
    r"|(?:accepted|changed|created|encrypted|expired|issued|needed|refused|rejected|removed|renewed"
    r"|required|revoked|rotated|stored|used)(?=[\s\"'.,;)]|\Z)"
)
"""A word that is not a password: `the password is kept in a safe`, `the token was renewed`."""


def _beside(text: str, start: int, sign: re.Match[str]) -> Span | None:
    """Return the value after a colon, a bracket, the end of a tag, a quote or a verb."""
    at = sign.end()
    if (sign["colon"] or text.startswith("[", at)) and _opens_lines(text, at):
        return None
    if sign["colon"] is not None:
        return _after_colon(text, start, at)
    if sign["open"] is not None:
        return at, closing(text, at)
    if sign["tag"] is not None:
        return _element(text, start, at)
    if sign["quoted"] is not None and text[start - 1 : start] in ("$", "{", "%"):
        return None  # the next argument of a command
    is_prose = sign["says"] is not None and _PROSE.match(text, at) is not None
    return None if is_prose else word_at(text, at)


_EXPLICIT_KEY = later(r"\?[ \t]+(?:[&!]\S*[ \t]+)?(?:[|>][-+0-9]*[ \t]*\r?\n[ \t]*)?[\"']?\Z")


def is_explicit_key(text: str, start: int) -> bool:
    """Return whether a question mark of YAML is before the key at `start`."""
    return _EXPLICIT_KEY.search(text, max(start - 80, 0), start) is not None


def _opens_lines(text: str, at: int) -> bool:
    """Return whether a map begins, or a list that goes on in another line."""
    if text.startswith("[", at):
        end = in_line(text, at, "]")
        return end == in_line(text, at, "") or any(sign in text[at + 1 : end] for sign in "[{")
    is_map = text.startswith("{", at) and not text.startswith("{{", at)
    return is_map and _SCHEME.match(text, at) is None


_OPTION_GAP = later(
    r"(?:[ \t]*=[ \t]*|:|[\"']?[ \t]*\r?\n[ \t]*-[ \t]+|[\"'][ \t]*,\s*(?=[\"'])"
    r"|[\"']?,[ \t]*(?=[^\s\"',\[\]-][^\s\"',\[\]]*[ \t]*[\],])"
    r"|[ \t]+(?:[\\^`+][ \t]*\r?\n[ \t]*)?)(?=[^\s])"
)


def option_value(text: str, end: int) -> Span | None:
    """Return the span of the value of the option that ends at `end`: joined by a sign, or next."""
    gap = _OPTION_GAP.match(text, end)
    if gap is None or (gap.group().isspace() and text[gap.end()] in "-|;&)>"):
        return None
    at = gap.end()
    if text.startswith(("$(", "`"), at):
        return output_of(text, at) or (at, at)
    return word_at(text, at)


_SETS_LINE = later(r"(?im)(?:^|[&(])[ \t]*(?:@?set|rem|::|#|//)[ \t]+(?:[^\"'\n]*[ \t])?\Z")
"""The text before a name whose value takes the rest of its line: batch files, comments."""
_SETS_WORD = later(
    r"(?m)(?:^|[\[,(]|\b(?:export|declare|typeset|readonly|local|env|set)|(?:^|\s)-{1,2}[\w-]+[ =]?"
    r"|Environment=[^\n]*|\s-|\b\w+=)[ \t]*\Z"
)
"""The text before a quoted `NAME=value` that no shell runs."""
_ITEM = later(r"[ \t]*+-[ \t]++\Z")
_ENVIRONMENT = later(
    r"environment[ \t]*+:[ \t]*+(?:#[^\n]*+)?\r?\n(?:[ \t]*+(?:(?:-[ \t]|#)[^\n]*+|\r?)\n)*+"
)
_MOST_ITEMS = 2_000
"""Characters before an item that are searched for the key of its list."""
_SETS_TO_BLANK = later(r"(?:Environment=|(?i:ENV|ARG)[ \t]++)(?:[^\"'\n]*[ \t])?\Z")
_SETS_OF_HOST = later(
    r"[\w.:\[\]-]++(?:[ \t]++[\w.-]++=(?:\"[^\"\n]*+\"|'[^'\n]*+'|[^\s\"'])*+)*+[ \t]++\Z"
)
"""Before a variable of a host in an inventory of Ansible."""
_TO_BLANK = later(r"(?![$`\"'])(?:\"(?:[^\"\\\n]|\\.)*+\"|'[^'\n]*+'|\\.|[^\s\\])++")
"""A value of systemd, a Dockerfile or an inventory: the signs of a shell have no meaning in it."""


def _sets_to_blank(before: str, settings: bool) -> bool:
    """Whether a name that follows `before` in its line gets a value up to the next blank."""
    if settings and _SETS_OF_HOST.match(before) is not None:
        return True
    return _SETS_TO_BLANK.match(before) is not None


_RUNS_WORD = later(r"(?:^|\s)-\w*c[ \t]*\Z|\b(?:ssh|exec|bash|sh|ksh|sudo|su)\b[^\n;|&]*\Z")
_BATCH = later(r"(?i)(?:^|[\s&(@])set[ \t]+\Z")
_LAST_QUOTE = later(r"\"(?=[ \t]*(?:[&|)>\r]|\Z))")
"""What ends `set "NAME=value"` of a batch file, whose value may have quotes."""
_FARTHEST = 300
_NEXT_NAME = later(r"[;&](?=\s*[\w.-]+\s*=)")


def _line_end(text: str, at: int, *, continues: bool) -> int:
    """The end of a value that takes its line, with the lines that backslashes join to it."""
    end = in_line(text, at, "")
    last = min(at + LONGEST, len(text))
    while continues and end < last and text[end - 2 : end].rstrip("\r").endswith("\\"):
        end = in_line(text, end + 1, "")
    return end


def _takes_line(text: str, start: int, settings: bool) -> bool:
    """Return whether the value of an assignment takes the rest of its line."""
    before = _before(text, start)
    if before is None:
        return False
    if settings and not before.strip():
        return True
    if _ITEM.match(before) is not None and _is_environment(text, start - len(before)):
        return text[text.index("=", start) + 1 :][:1] not in ("'", '"')
    return _SETS_LINE.search(before) is not None


def _is_environment(text: str, line: int) -> bool:
    """Whether the item that begins a line is in a list of Compose, whose shell is none."""
    key = text.rfind("environment", max(line - _MOST_ITEMS, 0), line)
    return key >= 0 and _ENVIRONMENT.fullmatch(text, key, line) is not None


def _before(text: str, start: int) -> str | None:
    """The text before a name in its line; None if it is too long to search."""
    line = text.rfind("\n", max(start - _FARTHEST, 0), start) + 1
    return text[line:start] if line or start <= _FARTHEST else None


def _enclosed(text: str, start: int, end: int, at: int) -> Span | None:
    """The value of a `NAME=value` that is quoted as a whole, with its blanks."""
    before = (_before(text, start) or "").rstrip("-")
    for quote in "\"'":
        opens = before.rfind(quote)
        if opens < 0 or before.count(quote) % 2 == 0 or text[at : at + 1] in ("'", '"', "\\", "$"):
            continue
        if quote in text[end:at]:
            continue
        lead, inside = before[:opens], before[opens + 1 :]
        if _RUNS_WORD.search(lead) or (inside and not inside.endswith((";", "&"))):
            return None
        if not inside and not _SETS_WORD.search(lead):
            return None
        end = in_line(text, at, quote)
        if quote == '"' and _BATCH.search(lead) is not None:
            last = _LAST_QUOTE.search(text, at, in_line(text, at, ""))
            end = last.start() if last is not None else end
        following = _NEXT_NAME.search(text, at, end)
        return at, following.start() if following is not None else end
    return None


def _in_quotes(text: str, start: int, at: int) -> Span | None:
    """The value at `at`, up to the quote that closes a text in which the name is."""
    value = _value(text, at)
    before = (_before(text, start) or "").replace('\\"', "")
    if value is None or before.count('"') % 2 == 0 or text[at] in "\"'\\":
        return value
    return value[0], in_line(text, value[0], '"', value[1])


def _is_in_line(text: str, start: int) -> bool:
    """Return whether a name has text before it in its line."""
    before = _before(text, start)
    return before is None or bool(before.strip())


_COMMAND = later(r"[A-Z][a-z]+-[A-Z][A-Za-z]+[ \t]")
"""The name of a command of PowerShell, whose output is a value: `$x = Get-Credential -User y`."""
_DOCUMENT = later(r"<<[-~]?[ \t]*[\"']?(\w+)[\"']?[ \t]*\r?\n")
_ROWS = later(r"[^()\n]{0,400}(?:\n[^()\n]{0,400}){1,40}(?=\s*\))")
"""The words of an array of a shell that has several lines."""
_WRAPPED = later(
    r"(?:(?:[Nn]on)?[Ss]ensitive(?:\.new)?|trim\w*)\(\s*|\$\([ \t]*(?=[\"'])"
    r"|RAW\((?=[^()\s]+\))|(?:\[[A-Za-z][\w.]{0,80}\][ \t]*){1,8}+(?=[\"'])"
    r"|\w{0,40}(?:hash|crypt|encode|base64|sha\d+|md5)\w{0,40}\(\s*(?=[\"'])"
)
"""A type around a text, as in Puppet and PowerShell, or a function that hides it."""
_REFERENCE = later(r"(?<= )(?:var|local|data|module|each)\.[A-Za-z_]|&[A-Z]")
"""The value of another name in Terraform and JCL."""


def _value(text: str, at: int) -> Span | None:
    """What follows an equals sign: a list in brackets, what a command prints, or a word.

    The stretch is empty if the value is that of another name or what a function gives.
    """
    while (wrapped := _WRAPPED.match(text, at)) is not None:
        at = wrapped.end()
    if text.startswith(("$(", "`", '"$(', '"`'), at):
        return output_of(text, at) or _arguments_of_make(text, at) or (at, at)
    if text.startswith("${", at) and (arguments := _arguments_of_make(text, at)) is not None:
        return arguments
    if text.startswith("(", at):
        rows = _ROWS.match(text, at + 1)
        return at + 1, closing(text, at + 1) if rows is None else rows.end()
    document = _DOCUMENT.match(text, at)
    if document is not None:
        return document_to(text, document)
    if text[at - 1] in " =" and _REFERENCE.match(text, at) is not None:
        return _in_expression(text, at) or (at, at)
    if text[at - 1] == " " and _COMMAND.match(text, at) is not None:
        return at, at
    expression = _in_expression(text, at)
    if expression is not None:
        return expression
    if text.startswith("[", at):
        return at + 1, in_line(text, at, "]")
    return word_at(text, at)


_CALL_OF_MAKE = later(
    r"\$[({](?:(?P<first>call|if|and|let|foreach|subst|patsubst|filter(?:-out)?|add\w+|word\w*)"
    r"|or|strip|firstword|lastword|eval)[ \t]+(?P<arguments>"
    r"(?:[^\n(){}]|[({](?:[^\n(){}]|[({][^\n(){}]{0,200}[)}]){0,200}+[)}]){0,400}+)[)}]"
)
"""A function of make; of those in `first` the first argument is a name or a pattern."""
_ARGUMENT_OF_MAKE = later(r"((?:[^,(){}\n]|[({](?:[^\n(){}]|[({][^\n(){}]*+[)}])*+[)}])++),?")
_ONLY_VARIABLES = later(r"(?:\s|\$[({](?:[^\n(){}]|[({][^\n(){}]*+[)}])*+[)}]|\$\w)*+\Z")


def _arguments_of_make(text: str, at: int) -> Span | None:
    """The literal arguments of a function of make, or the last one if all are variables."""
    call = _CALL_OF_MAKE.match(text, at)
    if call is None:
        return None
    found = [*_ARGUMENT_OF_MAKE.finditer(text, *call.span("arguments"))]
    found = found[call["first"] is not None :]
    literal = [argument for argument in found if not _ONLY_VARIABLES.match(argument[1])]
    if literal:
        return literal[0].start(1), literal[-1].end(1)
    return found[-1].span(1) if found else None


_EXPRESSION = later(
    r"(?:if\b|(?:\[[\w.]{1,80}\]::)?\$?(?:\w++::?)*+\w++(?:\[[^\]\n]{1,80}\]|\.\w+)*+[ \t]*"
    r"(?:(?P<call>\()|[!=]=|\?|\|\||or\b))"
)
_PART = later(
    r"(?:[,?:{]|\|\||=>|\b(?:or|else)\b|(?<![\w\]])\[)\s*"
    r"(?:\"(?P<double>[^\"\n]++)\"|'(?P<single>[^'\n]++)')(?![ \t]*(?:=>|[!=:]=|\?)|:)"
)
"""A text in an expression that may be its value, and not what is asked for or compared."""
_CLOSES = later(r"\n[ \t]*+\)")
_MOST_OF_EXPRESSION = 400


def _in_expression(text: str, at: int) -> Span | None:
    """The texts that may be the value of a call with several arguments or of a condition."""
    head = _EXPRESSION.match(text, at)
    if head is None:
        return None
    end = in_line(text, at, "")
    if head["call"] is not None:
        closes = _CLOSES.search(text, head.end(), min(at + _MOST_OF_EXPRESSION, len(text)))
        end = max(end, closes.start() if closes is not None else end)
    parts = [*_PART.finditer(text, at, min(end, at + _MOST_OF_EXPRESSION))]
    spans = [part.span(part.lastgroup or 0) for part in parts]
    spans = [span for span in spans if judge(text[slice(*span)]) is Sign.NONE]
    return (spans[0][0], spans[-1][1]) if spans else None


_ALIAS = later(r"\*[\w.-]++[ \t]*(?=[,}\]\r\n]|\Z)")
_TAG = later(r"(?:&\w+|!(?!vault|Ref|Sub|GetAtt|reference)\S*)[ \t]+")
_CLOSED = later(r"[\s);,]|\Z")
_SCHEME = later(r"\{\w{1,20}\}[^\s,}]")
"""How a value in LDIF says what it is hashed with."""


def _after_colon(text: str, start: int, at: int) -> Span | None:
    """What follows a colon: a quoted text, a block of YAML, or the rest of the line."""
    tag = _TAG.match(text, at)
    at = tag.end() if tag is not None else at
    sign, first = text[at : at + 1], max(start - LONGEST, 0)
    line = text.rfind("\n", first, start) + 1 or first  # of a long line only the end
    is_whole = line == 0 or text[line - 1] == "\n"
    is_odd = sign in ("'", '"') and is_whole and text.count(sign, line, at) % 2
    if is_odd and _CLOSED.match(text, at + 1):
        return None  # the quote closes the text that the name is in
    if sign in ("'", '"', "\\", "["):
        return _value(text, at)
    block = BLOCK.match(text, at)
    if block is not None:
        return block.end(), block_end(text, line, block.end())
    if sign == "#" and text[at - 1] in " \t" and text[at + 1 : at + 2] in " \t":
        at = in_line(text, at, "")
        sign = "\n"
    if sign in ("\r", "\n"):
        return _on_next_line(text, line, at)
    if sign == "*" and _ALIAS.match(text, at) is not None:
        return at, at
    is_map = sign == "{" and text[at + 1 : at + 2] != "{" and _SCHEME.match(text, at) is None
    if sign in ("", "&", "*", "!") or is_map:
        return None
    end = in_line(text, at, "")
    for quote in "\"'":
        if text.count(quote, line, start) % 2:  # the name is inside a quoted text
            end = in_line(text, at, quote, end)
    if "{" in text[line:start]:
        end = in_line(text, at, ",}", end)
    return at, _before_comment(text, at, end)


def _before_comment(text: str, at: int, end: int) -> int:
    """Return where a value of YAML ends: before the blanks of a comment, or at `end`."""
    last = min(end, at + LONGEST)
    signs = [found for sign in (" #", "\t#") if (found := text.find(sign, at, last)) >= 0]
    return at + len(text[at : min(signs)].rstrip(" \t")) if signs else end


_NEXT_LINE = later(r"[ \t]*\r?\n([ \t]+)([^\s#-][^\n]*)")


def _on_next_line(text: str, line: int, at: int) -> Span | None:
    """A YAML scalar below its key."""
    following = _NEXT_LINE.match(text, at)
    if following is None or (following[2][0] in "[{" and following[2][:2] != "{{"):
        return None
    if OF_STANZA.match(following[2]):
        return None  # `AuthToken:` begins a stanza
    if ": " in following[2] or following[2].rstrip().endswith((":", ",", "{")):
        return None
    indent = len(text[line:at]) - len(text[line:at].lstrip(" -"))
    return following.span(2) if len(following[1]) > indent else None


_DEFAULT_SIGN = later(r":?[-=+]|:(?=[^\s}?])")


def _default(text: str, end: int) -> Span | None:
    """What a shell takes where a variable is not set: `${NAME:-value}`."""
    sign = _DEFAULT_SIGN.match(text, end)
    return None if sign is None else (sign.end(), in_line(text, sign.end(), "}"))


_CDATA = later(r"\s*+(?:<!--[^<>]{0,500}-->\s*+)?(?:<value>\s*+)?(?:<!\[CDATA\[)?")
_OPENED = later(r"<([^<>]*)\Z")
_USAGE = ("", "[", "]", "(", ")")
"""What begins the rest of a usage line after `<password>`, blank for nothing."""
_NAMED = later(r"(?i)<[\w:.-]+(?:-|[ \t][^<>]*?\b(?:key|name)[ \t]*=[ \t]*[\"'])\Z")
"""Before the name of the text of an element: `<entry key="password">x</entry>`, `<param-value>`."""


def _element(text: str, start: int, at: int) -> Span | None:
    before = text[max(start - 80, 0) : start]
    if before[-1:] not in ("<", ":", ".") and not _NAMED.search(before):
        return None
    after = at
    inner = _CDATA.match(text, at)
    at = inner.end() if inner is not None else at
    if text[at - 1 : at] == "[":
        end = text.find("]]>", at, at + LONGEST)
        return (at, end) if end > at else None
    end = text.find("<", at, at + LONGEST)
    opened = _OPENED.search(before)
    is_word = end >= 0 and len(text[at:end].split()) == 1
    if not is_word and not (opened and _closes(text, end, opened[1] + text[start:at])):
        # No element, as in `usage: connect <password>`, or one without its end
        line = in_line(text, after, "<;|&\"'")
        return (after, line) if text[after:line].strip(" \t\r\\")[:1] not in _USAGE else None
    return (at, end) if end > at else None


_ELEMENT = later(r"[\w:.-]+")
_CLOSING = later(r"</[ \t]*([\w:.-]+)")


def _closes(text: str, at: int, opening: str) -> bool:
    """Whether the tag at `at` ends the element that begins with `opening`."""
    closing = _CLOSING.match(text, at) if at >= 0 else None
    name = _ELEMENT.match(opening)
    return closing is not None and name is not None and closing[1] in (name[0], "value")


def block_end(text: str, line: int, at: int) -> int:
    """The end of a YAML block scalar whose key is in the line that begins at `line`."""
    key = text[line:at]
    indent = len(key) - len(key.lstrip(" -"))
    for start, end in line_spans(text, at):
        row = text[start:end]
        if row.strip() and len(row) - len(row.lstrip(" ")) <= indent:
            return start
    return len(text)


# -- a name and a value, each after a word of its own ----------------------------------------------


_IS_NAME = later(
    r"(?i)(?:(?:name|key|id|option)[\"']?[ \t]*[:=][ \t]*[\"']?(?:[\w./-]{1,80}[:/])?|/@"
    r"|regexp[\"']?[ \t]*[:=][ \t]*[\"']?[@%^_{]{0,3}"
    r"|(?:-n|-k|-name|--name)[ \t]+\S*|VAR\([&'\"]?|env:"
    r"|<(?:[\w-]{0,40}name|key)>[ \t]*"
    r"|\bvariable[ \t]+[\"']?|add_argument\([ \t]*[\"'](?:-\w[\"'],[ \t]*[\"'])?--?)\Z"
)
_ITS_VALUE = later(
    r"(?i)[\"']?[)]?(?:[ \t]*+\#[^\n]{0,1000}+)?,?[^\n]{0,120}?"
    r"(?:\n[ \t]*+(?:(?:(?:\#|(?:type|sensitive|description|nullable|ephemeral)[ \t]*[=:])"
    r"[^\n]*+)?\n[ \t]*+){0,40}+)?(?:--?|<(?:\w{1,20}-){0,3})?"
    r"(?<![\w])(?:Parameter)?(?P<value>value|default(?:value)?|v|replace(?=[:=]))"
    r"(?=[\"']?[ \t]*[:=(>]|[ \t])"
)
_VALUE_BEFORE = later(
    r"(?i)(?P<value>\b(?:default)?value)[\"']?[ \t]*[:=](?:(?!\bvalue\b)[^\n])*?"
    r"(?:\r?\n[ \t]*|,\s*|[\"'][ \t]+)"
    r"[\"']?(?:name|key)[\"']?[ \t]*[:=][ \t]*[\"']?\Z"
)


def paired_value(text: str, start: int, end: int) -> Span | None:
    """Return the span of the value beside the name at `start` to `end`, if there is one."""
    before = _IS_NAME.search(text, max(start - 80, 0), start)
    if before is None:
        return None
    found = _ITS_VALUE.match(text, end)
    if found is None:
        found = _VALUE_BEFORE.search(text, max(start - 300, 0), start)
    if found is None:
        return None
    return value_after(text, *found.span("value")) or option_value(text, found.end("value"))
