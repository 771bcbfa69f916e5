"""Files of MQ that mqlint does not read, with their kind, for the report of the coverage."""

from __future__ import annotations

from mqlint.config.project import CONFIG_NAMES
from mqlint.language.markdown import ENDINGS as DOCUMENTS
from mqlint.language.script.unread.mentions import (
    ACTING,
    encoded_commands,
    has_mqsc,
    has_mqsc_in_code,
    names_command,
    names_in_code,
    writes_mqsc,
)
from mqlint.patterns import later
from mqlint.source.secrets.pieces import Unescaped

ENCRYPTED = "an encrypted file"
_BINDINGS = later(r"com\.ibm\.(?:mq|msg)\b")
_TABLE = later(r"(?i)(?:amqclchl|\w*ccdt\w*)\.tab")
_OF_NATIVE_IMAGE = "META-INF/native-image/"
"""A folder of lists in which GraalVM finds the classes of a program, those of MQ among them."""
_PROGRAMS = {
    "cs": "C#",
    "exp": "Expect",
    "expect": "Expect",
    "go": "Go",
    "groovy": "Groovy",
    "java": "Java",
    "js": "JavaScript",
    "kt": "Kotlin",
    "kts": "Kotlin",
    "mjs": "JavaScript",
    "pl": "Perl",
    "pm": "Perl",
    "pp": "Puppet",
    "py": "Python",
    "rb": "Ruby",
    "rex": "REXX",
    "rexx": "REXX",
    "scala": "Scala",
    "tcl": "Tcl",
    "ts": "TypeScript",
    "vbs": "VBScript",
}
"""The languages of programs that configure queue managers, by the endings of their files."""
_READ_IN_PART = frozenset("cs go groovy java js kt kts mjs pl pm py rex rexx scala ts".split())
"""Programs of which strings are read if they are not for tests."""
_PROGRAM = later(r"#!\S*/(?:env[ \t]+)?(expect|perl|python|ruby|tclsh)")
_SETTINGS = frozenset("cfg cli conf env hcl ini json properties tf toml xml yaml yml".split())
"""The endings of settings that programs of any kind have."""
_TABLES = frozenset({"csv", "tsv"})
_CELLS = later(r"[;,|\t]")
_COLUMNS = frozenset(
    "chltype conname connname xmitq sslciph sslpeer sslcauth mcauser rqmname clusnl boqname".split()
)
"""Names of columns that are attributes of MQSC, and that other tables do not have."""
_PAGES = frozenset("csv css htm html log lst out po rpt svg tsv txt".split())
"""The endings of pages, tables and records, which show commands."""
_OF_CMAKE = "CMakeLists.txt"
_SHELLS = frozenset("bash bat cmd ksh ps1 sh".split())
_OF_JMSADMIN = later(
    r"(?i)\bdef(?:ine)?[ \t]+(?:xa)?[qt]?cf[ \t]*\([^()\n]{1,80}\)[^\n]{0,200}\bchan"
    r"(?:nel)?[ \t]*\("
)
"""A factory that a script defines with its channel, as a line that it prints."""
_FACTORY = later(
    r"com\.ibm\.(?:mq\.(?:jakarta\.)?jms\.MQ\w{0,20}ConnectionFactory|mq\.connector\.\w"
    r"|msg\.client\.(?:jakarta\.)?wmq\b)|wmq\.jmsra\b|createWMQ"
    r"(?:\w{0,20}ConnectionFactory|Queue|Topic|ActivationSpec)\b"
)
"""A class of MQ's JMS that settings of an application name, the adapter that has it, or a command
of wsadmin.
"""
_DEAD_LETTERS = later(
    r"(?im)^[ \t]*+(?:(?!ACTION\b)\w[\w ]{0,19}\([^()\n]{0,200}\)[ \t]*+)*+ACTION[ \t]*\([ \t]*"
    r"(?:DISCARD|FWD|IGNORE|RETRY)[ \t]*\)"
)
"""A rule of the dead-letter queue handler ("DLQ rules table", q020720_)."""
_NO_VERSION = later(r"(?m)^kind:[ \t]*[\"']?QueueManager\b[^\n]*\nmetadata:")
"""A resource of the MQ Operator, which is read if its API is named."""
_CONTAINER = later(r"(?<![$\w{])MQ_QMGR_NAME\b")
_MANAGER_KEY = later(
    r"(?im)^(?![ \t]*+[#!;/])[^\n]{0,400}?(?:q(?:ueue)?[-_.]?(?:manager|mgr)(?:[-_.]?name|s)?"
    r"|manager[-_.]?name)"
    r"(?:[\"']?[ \t]*[:=](?![ \t]*+\d++,?$)|>[^<\s])"
)
_CHANNEL_KEY = later(
    r"(?im)^(?![ \t]*+[#!;/])[^\n]{0,400}?channel(?:[-_.]?name)?"
    r"(?:[\"']?[ \t]*[:=](?![ \t]*+\d++,?$)|>[^<\s])"
)
_CLIENT_CHANNEL = later(
    r"(?im)^(?![ \t]*+[#!;/])[^\n]{0,400}?channel(?:[-_.]?name)?(?:[\"']?[ \t]*[:=][ \t]*[\"']?|>)"
    r"[\w.%/]{0,20}SVRCONN\b"
)
"""A key for the name of a server-connection channel, which a convention ends with SVRCONN."""
_LABELS = later(r"\w\{[^{}\n]{0,1000}\}")
"""Labels that a query of Prometheus selects, as dashboards and alerts have them."""
_BASELINE = later(r"\{\"version\": \d, \"findings\": \[\s*\{\"rule\": \"")
"""The beginning of a baseline of mqlint."""
_ENCRYPTED = later(
    r"\s*+(?:\$ANSIBLE_VAULT;[\w.;-]{1,100}+\r?\n[0-9a-f\s]*+"
    r"|-----BEGIN (?P<kind>PGP MESSAGE|AGE ENCRYPTED FILE)-----\r?\n(?:[A-Z][\w-]{1,40}:[^\n]*\n)*+"
    r"(?:[A-Za-z0-9+/=]*+\r?\n)*+-----END (?P=kind)-----\s*+)\Z"
)
"""A text of nothing else than what Ansible Vault, PGP or age encrypted."""
_SEALED_VALUES = later(r"(?m)^sops:|^[ \t]*\"sops\":|^sops_")
"""The part of a file in which SOPS keeps how it encrypted the values."""
_USER_DATA = later(
    r"(?:\s|##[^\n]*+\n|#[ \t][^\n]*+\n)*+"
    r"(?:#cloud-(?:config|boothook)\b|#!|(?i:Content-Type|MIME-Version):)"
)
"""The beginning of what cloud-init or a shell runs, whatever its name is."""
_ESCAPED = later(r"\\(?:u00|x)[46-7][\da-fA-F]|&#")
"""An escape that may stand for a letter."""
_TRANSFER = later(r"\bfte(?:Create|Delete|Start|Stop|Set|Cancel)[A-Z][A-Za-z]{2,30}\b")


def unsupported(path: str, text: str = "") -> str | None:
    """Return the kind of an MQ file that is not read; None for any other file.

    `text` is blank for a file that is no text, which its name alone tells.
    """
    name = path.replace("\\", "/").rpartition("/")[2]
    if name in CONFIG_NAMES:  # its `clients` have the keys of connections
        return None
    if "baseline" in name and _BASELINE.match(text) is not None:  # objects are called by commands
        return None
    if _TABLE.fullmatch(name) is not None and not text:
        return "a binary channel table"
    if _OF_NATIVE_IMAGE in path:
        return None
    if name == ".bindings" or name.endswith(".bindings"):
        return "JNDI bindings of JMS" if _BINDINGS.search(text) else None
    ending = name.lower().rpartition(".")[2] if "." in name and name != _OF_CMAKE else ""
    return _program(name, text) or _settings(ending, text) or _commands(ending, text)


def encrypted(text: str) -> str | None:
    """Return the reason not to read a text that is encrypted as a whole, None for any other."""
    if not (text[:1] in ("$", "-") or text[:1].isspace()):  # most texts: nothing is compiled
        return None
    is_encrypted = _ENCRYPTED.match(text) is not None and not names_command(text)
    return ENCRYPTED if is_encrypted else None


def _settings(ending: str, text: str) -> str | None:
    """Say that settings, or a script, are about MQ in a form that is not read."""
    if "ACTION" in text.upper() and _DEAD_LETTERS.search(text) is not None:
        return "rules of the dead-letter queue handler inside another text"
    if ending in _SHELLS and _TRANSFER.search(text) is not None:
        return "commands of Managed File Transfer that mqlint does not read"
    if ending in _SHELLS and _OF_JMSADMIN.search(text) is not None:
        return "commands of JMSAdmin in a form that mqlint does not read"
    if "ENC[" in text and _SEALED_VALUES.search(text) is not None:
        return ENCRYPTED
    if ending in _SETTINGS | {"py"} and _FACTORY.search(text) is not None:
        return "JMS objects of MQ in a form that mqlint does not read"
    if ending in _TABLES and has_mqsc(text):
        return "MQSC in the cells of a table: write it to a file of its own to check it"
    if ending in _TABLES and _has_columns(text):
        return "a table of MQ objects: write them as MQSC to a file of its own to check them"
    if ending not in _SETTINGS:
        return None
    if _CONTAINER.search(text) is not None:
        return "a container of MQ in a form that mqlint does not read"
    if _NO_VERSION.search(text) is not None:
        return "a QueueManager without apiVersion: mq.ibm.com/v1beta1"
    if "expr" in text:
        text = _LABELS.sub("", text)
    has_keys = "mq" in text.lower().replace("promql", "") and _MANAGER_KEY.search(text) is not None
    has_keys = has_keys and _CHANNEL_KEY.search(text) is not None
    if has_keys or ("SVRCONN" in text and _CLIENT_CHANNEL.search(text) is not None):
        return "a connection to MQ in an application's own keys: map them with clients"
    return None


def _has_columns(text: str) -> bool:
    """Whether the first line of a table has several attributes of MQSC."""
    cells = _CELLS.split(text[:1_000].partition("\n")[0].lower())
    names = {"".join(filter(str.isalnum, cell)) for cell in cells}
    return len(_COLUMNS & names) > 1


def _commands(ending: str, text: str) -> str | None:
    """Say that a file of any other kind runs a command of MQ; a document may speak of one."""
    if (ending in DOCUMENTS or ending in _PAGES) and _USER_DATA.match(text) is None:
        return None
    from mqlint.language.script.unread.unfollowed import unread_runs  # as most files are read

    if has_mqsc_in_code(text) or next(unread_runs(text, (), ACTING, foreign=True), -1) >= 0:
        return "a file that runs MQ commands, in a form that mqlint does not read"
    if _is_only_escaped(text):
        return "a file with MQ commands behind escapes, in a form that mqlint does not read"
    if next(encoded_commands(text), -1) >= 0:
        return "a file with MQ commands in base64 or hexadecimal, which mqlint does not read"
    return None


def _is_only_escaped(text: str) -> bool:
    """Whether a text has commands of MQ only if its escapes are replaced by their letters."""
    plain = Unescaped.of(text) if _ESCAPED.search(text) is not None else None
    if plain is None or names_command(text) or has_mqsc(text):
        return False
    return names_command(plain.text) or has_mqsc(plain.text)


def _program(name: str, text: str) -> str | None:
    """Say that a program holds commands of MQ, in a language that is not read."""
    ending = name.lower().rpartition(".")[2]
    if ending not in _PROGRAMS:
        first = _PROGRAM.match(text) if text.startswith("#!") else None
        ending = {"perl": "pl", "python": "py", "ruby": "rb", "tclsh": "tcl"}.get(
            first[1] if first is not None else "", "expect" if first is not None else ""
        )
    if ending not in _PROGRAMS or not (names_in_code(text) or writes_mqsc(text)):
        return None
    if ending in _READ_IN_PART:
        return "a program with MQ commands in a form that mqlint does not read"
    return f"a program with MQ commands; mqlint does not read {_PROGRAMS[ending]}"
