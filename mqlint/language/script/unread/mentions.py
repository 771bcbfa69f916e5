"""Whether a text names one of MQ's commands, shows it or not, or writes a file of MQSC.

Nothing of a text is run. Where a name is split by escapes, or encoded, the report must say that
commands were not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mqlint.language.client.signs import is_of_client
from mqlint.language.rest import AS_TEXT
from mqlint.patterns import later
from mqlint.source.encoded import encoded_texts
from mqlint.source.secrets.pieces import Unescaped

_COMMANDS = (
    "crtmqm strmqm endmqm dltmqm rcdmqimg rcrmqobj runmqsc dmpmqcfg setmqaut setmqspl addmqinf "
    "rmvmqinf migmqlog rdqmadm rdqmint rdqmdr runmqdlq runmqlsr endmqlsr runmqchi runmqchl "
    "runmqtrm runmqtmc runmqckm runmqakm runmqktool strmqikm strmqweb setmqm setmqinst amqmdain "
    "strmqcsv endmqcsv strmqtrc endmqtrc rsvmqtrn dspmq dspmqtrn dmpmqaut dspmqaut setmqweb "
    "endmqweb amqmfsck crtmqdir crtmqenv crtmqcvx setmqenv dspmqinf dmpmqlog dspmqinst crtmqinst "
    "dltmqinst runswchl dspmqrte dmpmqmsg dspmqspl amqiclen rdqmstatus"
).split()
_MQSC_COMMAND = later(
    r"\b(?:DEF(?:INE)?|ALT(?:ER)?|DEL(?:ETE)?|SET)[ \t]+(?:REPLACE[ \t]+)?"
    r"(?:QL(?:OCAL)?|QR(?:EMOTE)?|QA(?:LIAS)?|QMGR|CHANNEL|CHL|CHLAUTH|AUTHREC|AUTHINFO|LISTENER)"
    r"[ \t]*[ (]|\bMQCMD_(?:CREATE|CHANGE|SET|DELETE)_\w++"
    r"(?![ \t]*+:?[ \t]*+\d|[ \t:]*+(?:\w++[ \t]*+)?=(?!=))"
    r"|\b(?:alter qmgr \w{2,20}|set (?:chlauth|authrec)|(?<!#)(?:define|alter|delete) (?:replace )?"
    r"(?:q(?:l(?:ocal)?|r(?:emote)?|a(?:lias)?)|channel|chl|authinfo|listener))\((?!s\))"
)
"""A command of MQSC, or one of PCF, as programs and tables have them.

In small letters nothing is between an attribute and its parenthesis, as in no sentence, and SET is
the one of channel authentication and authority records: `set listener(value)` is JavaScript.

A header that gives the commands of PCF their numbers sends none.
"""
_OBJECTS = "QL QR QA QMGR CHANNEL CHL AUTHREC AUTHINFO LISTENER MQCMD_".split()
_VERBS = ("DEF", "ALT", "DEL", "SET", "MQCMD_")
_IN_SMALL = ("define ", "alter ", "delete ", "set ")
_OBJECTS_IN_SMALL = "ql qr qa qmgr ch auth listener".split()
"""What each of these commands has, and few other texts: a search of the pattern is slow."""

ACTING = frozenset(
    name
    for name in _COMMANDS
    if not name.startswith(("dsp", "dmp")) and name not in ("setmqenv", "crtmqenv", "rdqmstatus")
)
"""Those that do something."""
_IN_COMMANDS = ("mq", "rdqm", "runswchl", "/MQHA/")
"""Each of the commands has one of them; most texts of other things have none."""
_OF_OTHERS = ("activemq", "rabbitmq", "rocketmq", "mqtt")
"""Products and protocols whose names are in each file of some projects, and in no command."""
_MENTION = later(
    "|".join(
        rf"{command}(?:(?<![\w.-]{command})|(?<=[\t@+]-{command}))(?![\w-])"
        for command in _COMMANDS
    )
    + r"|/var/mqm(?:/(?:qmgrs|log|vols)\b|/?(?=[\s\"';]))|cd[ \t]+[\"']?/var/mqm(?![\w.-])"
    + r"|ibm[\\/]mq[\\/](?:qmgrs|log)\b"
    + r"|programdata[%}]?[\\/]ibm[\\/]mq(?:[\\/](?=[\s\"';*])|(?=[\s\"';]|$))"
    + r"|/mnt/mqm(?:/data)?(?:/(?:qmgrs|log)\b|/?(?=[\s\"';]|$))"
    + r"|/MQHA/(?:qmgrs|logs?)\b|/mqha/(?:qmgrs|logs?)\b"
    + r"|ipcrm\b(?=[\s\S]{0,2000}\bmqm\b)|ipcs\b(?=[^\n]{0,200}\bmqm\b)"
)
"""One of the commands, as a word, or a folder of queue managers. A search is fast if its pattern
begins with letters, so the character before the word is checked after it, and upper case is removed
from the text instead.
"""

NAMES_MQ = later(r"(?i)(?<![a-z])(?:ibm[ _-]?)?mqm?(?![a-z])|websphere[ _-]?mq")
"""MQ, or its user, as a word."""
_WRITES_MQSC = later(
    r"(?m)>[ \t]*[\"']?[^\s>\"']{1,200}\.mqsc\b|\btee[ \t][^\n]{0,200}\.mqsc\b"
    r"|^[ \t]+[\"']?(?:[\w.-]{0,200}[.-])?mqsc[\"']?[ \t]*:[ \t]*[|>]"
)
_PRINTS_MQSC = later(
    r"(?i)\b(?:echo|print|printf)[ \t]+(?:-\w+[ \t]+)?[\"'](?:def(?:ine)?|alt(?:er)?|set)[ \t]+"
    r"(?:q(?:l(?:ocal)?|a(?:lias)?|r(?:emote)?|mgr)|ch(?:anne)?l|chlauth|authrec|topic|listener)\b"
    r"[^\n]{0,400}>"
)
"""A command of MQSC that is written into a file, whatever that is called."""

_REMARK = later(r"[ \t]*+/?\*(?=[\s*/])|(?:[^\n]*?[ \t])??(?:#(?!define\b|[!{])|//)")
"""What is before the words of a remark in a program."""
_FARTHEST = 1_000
"""Characters before a command that are searched for the sign of a remark."""


def mentions(text: str) -> bool:
    """Return whether one of MQ's commands is named, in lower case, or MQSC is written."""
    return names_command(text) or writes_mqsc(text)


def names_command(text: str) -> bool:
    """Return whether one of MQ's commands is named in lower case."""
    return may_name_command(text) and _MENTION.search(without_line_signs(text)) is not None


def may_name_command(text: str) -> bool:
    """Return whether a text has a part of the names of MQ's commands: other texts have none."""
    if "mq" in text:
        for name in _OF_OTHERS:
            text = text.replace(name, "")
    return any(part in text for part in _IN_COMMANDS)


def without_line_signs(text: str) -> str:
    r"""Return a text, of the same length, that has lines where a string has `\n`."""
    return text.replace("\\n", " \n") if "\\n" in text else text


def names_in_code(text: str) -> bool:
    """Return whether a program names one of MQ's commands, other than in a remark."""
    is_named = may_name_command(text) and next(_in_code(_MENTION, text), None) is not None
    return is_named or has_mqsc_in_code(text)


def has_mqsc(text: str) -> bool:
    """Return whether a text has a command of MQSC in capital letters, or one of PCF."""
    return _may_have_mqsc(text) and _MQSC_COMMAND.search(without_line_signs(text)) is not None


def _may_have_mqsc(text: str) -> bool:
    if any(verb in text for verb in _VERBS) and any(part in text for part in _OBJECTS):
        return True
    verbs = [verb for verb in _IN_SMALL if verb in text]
    return any(f"{verb}{name}" in text for verb in verbs for name in _OBJECTS_IN_SMALL)


def has_mqsc_in_code(text: str) -> bool:
    """Return whether a program has a command of MQSC or PCF, other than in a remark."""
    return next(mqsc_in_code(text), None) is not None


def mqsc_in_code(text: str) -> Iterator[int]:
    """Yield the offset of each command of MQSC or PCF, other than in a remark."""
    if _may_have_mqsc(text):
        yield from (found.start() for found in _in_code(_MQSC_COMMAND, text))


def _in_code(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    at, text = 0, without_line_signs(text)
    while at >= 0 and (found := pattern.search(text, at)) is not None:
        begin = max(found.start() - _FARTHEST, 0)
        line = max(text.rfind("\n", begin, found.start()) + 1, begin)
        if _REMARK.match(text, line, found.start()) is None:
            yield found
            at = found.end()
        else:
            at = text.find("\n", found.end())  # a remark takes the rest of its line


def names_command_in_any_case(text: str) -> bool:
    """Return whether one of MQ's commands is named, as shells of Windows may write it."""
    return names_command(text.lower())


def writes_mqsc(text: str) -> bool:
    """Return whether a script writes MQSC, or a queue manager of Kubernetes, for another program.

    That may be the web server of MQ, to which it is sent, or of which messages are asked.
    """
    if "curl" in text and ("/admin/action/qmgr/" in text or "/ibmmq/rest/" in text):
        return True
    if "apiVersion: mq.ibm.com/" in text or "kind: QueueManager" in text:
        return True
    if "MQ_QMGR_NAME" in text and "containers:" in text:
        return True
    if AS_TEXT in text and "/mqsc" in text:  # a request of the administrative REST API
        return True
    if "--from-file" in text and ".mqsc" in text:  # a ConfigMap is made of it
        return True
    if "mqsc" in text and _WRITES_MQSC.search(text) is not None:
        return True
    lowered = text.lower() if ">" in text else ""  # its search is slow
    return ("echo" in lowered or "print" in lowered) and _PRINTS_MQSC.search(text) is not None


# -- images and variables of MQ's container --------------------------------------------------------


_PART = (
    r"[_-]?(?:advanced|server|dev|developer|integration|qmgr|qm|base|custom|local|test|demo|sample"
    r"|container|image|docker|ha|cluster|amd64|arm64|\d[\d.]{0,9})"
)
"""Names of images of queue managers after `ibm-mq`; images of clients have others."""
MQ_IMAGE = (
    rf"(?:[\w.:/-]{{0,200}}/)?(?:mq|mq-?advanced[\w-]{{0,60}}|ibm-?mq(?:{_PART}){{0,6}})"
    r"(?:[:@][\w.:${}-]{1,200})?"
)
_VARIABLE = r"MQ_(?:QMGR_NAME|ADMIN_PASSWORD|APP_PASSWORD|DEV|NATIVE_HA|MULTI_INSTANCE)"
OF_MQ = later(
    rf"(?mi)^[ \t]*+FROM[ \t]++(?:--\S{{1,80}}[ \t]++)*+{MQ_IMAGE}(?=\s|$)"
    rf"|(?<![\w${{]){_VARIABLE}=|^[ \t]*+(?:ENV|ARG)[ \t]++{_VARIABLE}[ \t]"
)
"""An image of MQ, or a variable that only the container of MQ has."""
SETS_MQ = later(rf"(?<![\w${{])(?:{_VARIABLE}|MQSNOAUT)=")
"""A variable that only MQ has, and its value."""


# -- scripts about MQ ------------------------------------------------------------------------------


_CLUSTERED = later(
    r"(?i)\b(?:pcs[ \t]+resource[ \t]+create|crm[ \t]+configure[ \t]+primitive)[ \t]"
    r"[^\n]{0,400}?(?<![a-z])(?:websphere)?(?:mq|qmname)"
)
"""A resource of Pacemaker that is called after MQ."""
_BY_ZOWE = later(r"\bzowe mq run mqsc(?:-command)?[ \t]")
_SCALED = later(
    r"\b(?:kubectl|oc)[ \t](?>[^\n]{0,200}?\b(?:scale|delete)[ \t])"
    r"(?>[^\n]{0,200}?\b(?:sts|statefulsets?|pvcs?|persistentvolumeclaims?)[ \t/])"
    r"[^\n]{0,200}?(?:(?<![a-z])(?:ibm-?)?mq(?!tt)|qm)"
)
"""A workload of Kubernetes, or its volume, that is called after MQ."""
_MISSPELT = later(r"(?i)(?<![\w./-])[a-z]{3,6}mq[a-z0-9]{2,4}[ \t]+-m[ \t]+\S")
"""What may be a misspelt command of MQ with its queue manager: `rccmqimg -m QM1`."""
_JOINED = later(r"(?:\$\w{1,40}|[\w-][}%])mq(?:m|sc|mimg|inf|csv|web|trc)(?=[\"']?[ \t])")
"""A variable that begins the name of a command: `${verb}mqm QM1`."""
_PROCESS = later(
    r"amq(?:zxma0|zmuc0|zmur0|zlaa0|rmppa|hasmx|zfuma|rrmfa)(?![a-z0-9])"
    r"|grep[ \t]{1,9}(?:-\w{1,20}[ \t]{1,9}){0,9}[\"']?\[?a\]?mq(?![a-z0-9])"
)
_EXTENTS = later(r"(?i)(?<![a-z0-9.])s(?:0*[*?]|[0-9?\[\]-]{7,40})\.log\b")
_FOLDER_OF_MQ = later(r"(?i)/[\w.-]{0,60}mq[\w.-]{0,60}/")
"""A mask for log extents (`S*.LOG`), and a folder with a name of MQ."""
_KILL = later(r"(?i)(?<![a-z])(?:p|task)?kill(?:all)?(?![a-z])|stop-process|(?<![a-z])spps[ \t]")
"""A process of a queue manager, and a command that ends processes."""


def is_about_mq(text: str) -> bool:
    """Tell whether a script of any shell has a command of MQ, or a variable that only MQ has."""
    if names_command_in_any_case(text) or SETS_MQ.search(text) is not None:
        return True
    if "amq" in text and _PROCESS.search(text) is not None and _KILL.search(text) is not None:
        return True
    if ".LOG" in text and _EXTENTS.search(text) is not None and _FOLDER_OF_MQ.search(text):
        return True
    if "mq" in text and (_MISSPELT.search(text) or _JOINED.search(text)) is not None:
        return True
    if "zowe mq" in text and _BY_ZOWE.search(text) is not None:
        return True
    if ("kubectl" in text or "oc " in text) and _SCALED.search(text) is not None:
        return True
    return is_of_client(text) or _CLUSTERED.search(text) is not None


# -- hidden commands -------------------------------------------------------------------------------


_SPLIT = later(
    r"(?<=[A-Za-z])(?:\\\r?\n|\^(?:\r?\n)?|`(?:\r?\n)?|\\|\"\"|''"
    r"|[\"'](?:[ \t]{0,9}[+.,]?[ \t]{0,9}[\"'])?)(?=[A-Za-z])"
)
"""Signs inside a word that its shell removes."""


def hides_command(text: str) -> bool:
    """Return whether a text names a command of MQ only with escapes, or in another encoding."""
    return splits_command(text) or next(encoded_commands(text), -1) >= 0


def splits_command(text: str) -> bool:
    """Return whether the name of a command of MQ is in a text only in parts: `"crt" + "mqm"`."""
    plain = Unescaped.of(text)
    joined = _SPLIT.sub("", text if plain is None else plain.text)
    is_shorter = len(joined) < len(text) and names_command_in_any_case(joined)
    return is_shorter and not names_command_in_any_case(text)


def encoded_commands(text: str) -> Iterator[int]:
    """Yield the offset of each encoded text that has a command of MQ."""
    for start, _, texts in encoded_texts(text):
        if any(names_command_in_any_case(each) or has_mqsc(each) for each in texts):
            yield start
