"""Signs of the configuration of applications in a text."""

from __future__ import annotations

from posixpath import basename

from mqlint.config.estate.roles import role_of
from mqlint.patterns import later

READ_BY_SCRIPTS = frozenset("cfg cnf conf config inc mk properties var vars".split())
"""Endings of files of variables that scripts read; files of other kinds have them too."""
TABLES = frozenset("csv dat list lst tab tsv txt".split())
"""Endings of files that may be tables of sites."""
_READ_BY_SCRIPTS = tuple(f".{ending}" for ending in sorted(READ_BY_SCRIPTS))
_TABLE = later(r"\"channel\"\s*:\s*\[")
_LIST_OF_OTHER_NAME = later(r"\A\s*\{\s*\"[A-Za-z]{5,9}\"\s*:\s*\[\s*\{")
_CHANNEL_TYPE = later(r"\"type\"\s*:\s*\"clientConnection\"")
_STEMS = (
    *("MQSERVER", "MQCHL", "MQCCDTURL", "IBM_MQ_", "IBMMQ_CONNECTION_", "fteCreate", "fteSetup"),
    *("fteCancel", "fteDelete", "fteModify", "ftePing", "fteStart", "fteStop"),
    *("-Dibm.mq.", "--ibm.mq.", "-ibmmq."),
)
_VARIABLE = later(
    r"\bMQ(?:SERVER|CHLLIB|CHLTAB|CCDTURL)\b|\bIBM_MQ_(?:QUEUE_?MANAGER|CHANNEL|CONN_?NAME|CCDT_?URL)\b"
    r"|\bIBMMQ_CONNECTION_(?:QUEUEMANAGER|CHANNEL|CONNNAME|CCDTURL)\b"
    r"|\bfte(?:Create(?:Agent|BridgeAgent|Transfer|Monitor)|Setup(?:Commands|Coordination)"
    r"|(?:Delete|Modify|Ping|Start|Stop)Agent|(?:Delete|Start|Stop)Monitor|CancelTransfer)\b"
    r"|(?<![\w.-])(?:-D|--)ibm\.mq\.(?:queue-?[Mm]anager|channel|conn-?[Nn]ame|ccdt-?[Uu]rl)="
    r"|(?<![\w.-])--?ibmmq\.(?:queueManager|channel|connName|ccdtUrl)(?=[= \t])"
)

VARIABLES = "variables"
"""The folder beside `server.xml` with a file for each variable, named like it."""
ADAPTER = r"wmq[\w.]{0,60}\.jmsra(?:-\d[\w.-]{0,40})?\.rar"
"""A pattern of the file name of MQ's resource adapter, in Maven with its version."""
POOL_ADAPTER = r"wmq[\w.]{0,60}jmsra"
"""A pattern of its name in GlassFish and Payara: that of its file without `.rar`."""
MFT_CREDENTIALS = r"[\"']http://wmqfte\.ibm\.com/\w{0,40}Credentials[\"']"
"""A pattern of the namespace of a file with passwords of Managed File Transfer or its bridges."""
TRANSFERS = later(r"<managedTransfer\b|/xmlns/wmqfte/[\d.]{1,10}/MonitorDefinition[\"' ]")
"""A request of a transfer, or the definition of a resource monitor."""
POLICY = later(
    r"(?m)^remoteDefaultQueueManager:[ \t]*[\"']?(?P<whole>\{(?P<project>[\w. -]{1,100})\}:"
    r"(?P<name>[\w. -]{0,99}[\w-]))[\"']?[ \t]*(?:#[^\n]*|\r)?$"
)
"""The policy by which an integration server of App Connect Enterprise connects to MQ."""
FACTORY = later(
    r"(?im)^[ \t]*(?:InitCtx[^>\n]{0,200}>[ \t]*)?(?:DEFINE|DEF|ALTER|ALT)[ \t]+"
    r"(?:XA)?[QT]?CF[ \t]*\([^()\n]{1,200}\)[ \t]*(?:\+|[A-Z]\w{0,40}[ \t]*\(|\r?$)"
)
"""A command of JMSAdmin that defines a factory."""


BOUND = later(
    r"/ClassName[ \t]*=[ \t]*com\.ibm\.mq\.(?:jakarta\.)?jms\.MQ\w{0,20}ConnectionFactory\b"
)
"""A factory of MQ that a file of JNDI's file system context holds."""


def is_channel_table(text: str) -> bool:
    """Return whether a text is a table of channels and nothing else."""
    return text.lstrip().startswith("{") and holds_channel_table(text)


def holds_channel_table(text: str) -> bool:
    if '"clientConnection"' not in text:
        return False
    if _TABLE.search(text) is not None:
        return True
    return _LIST_OF_OTHER_NAME.match(text) is not None and _CHANNEL_TYPE.search(text) is not None


def names_connection(text: str) -> bool:
    """Return whether a text sets a variable of a connection, or has a command of MFT."""
    return any(stem in text for stem in _STEMS) and _VARIABLE.search(text) is not None


_CONNECTOR = later(r"\"mq\.queue\.manager\"[ \t]*:")


def is_of_client(text: str) -> bool:
    """Return whether a script names a connection, or has a connector of Kafka Connect in JSON."""
    return names_connection(text) or _CONNECTOR.search(text) is not None


_CALLS = later(
    r"\bSPRING_APPLICATION_JSON\b(?s:.){0,400}?\bibm\W{1,8}mq\b|\btype[\"']?:[ \t]*[\"']?ibmmq\b"
    r"|\bname[\"']?:[ \t]*[\"']?jms-ibm-mq-(?:source|sink)\b|(?<![\w.+-])mq://\S{1,300}?[?&]channel="
    r"|(?:\A|[\s{])[\"']?QMGR[\"']?[ \t]*(?:[:=,}]|\r?\n)"
    r"|\b(?:IBM_?|WEBSPHERE_?|WS_?)?W?MQ_?CHANNEL(?:_?NAME)?\b"
    r"|\b(?:[Ii][Bb][Mm]|[Ww]eb[Ss]phere|[Ww])?[Mm][Qq]\.[Cc]hannel(?:[Nn]ame)?(?![\w.])"
    r"|\b[A-Za-z]{0,20}M[Qq][A-Za-z]{0,20}__[A-Za-z]{0,20}(?:Channel|QueueManager|QMgr)"
)
"""Settings of Spring Boot in a variable, KEDA, a Kamelet of Camel, own variables, those of .NET."""


def has_client(text: str) -> bool:
    """Return whether resources have variables of a connection, documented or not."""
    may_call = "QMGR" in text or "mq" in text.lower()  # most texts have none, and calls need one
    return names_connection(text) or (may_call and _CALLS.search(text) is not None)


_APPLICATION = later(r"application(?:-(?P<profile>[\w-]{1,60}))?\.(?:ya?ml|properties)")

SETTINGS = later(r"(?i)appsettings(?:\.(?P<environment>[\w-]{1,60}))?\.json")


def profile_of(path: str) -> str | None:
    """Return the profile of a file of Spring Boot, blank for none; None for any other file."""
    match = _APPLICATION.fullmatch(basename(path.replace("\\", "/")))
    return None if match is None else match["profile"] or ""


def environment_of_settings(path: str) -> str | None:
    """Return the environment of a file `appsettings*.json` of .NET, as `profile_of` does."""
    match = SETTINGS.fullmatch(basename(path.replace("\\", "/")))
    return None if match is None else match["environment"] or ""


def is_tree(path: str) -> bool:
    """Whether a file of resources may be a manifest: no settings of an application."""
    is_flat = (
        is_environment(path)
        or is_server_variable(path)
        or is_image(path)
        or is_shell(path)
        or is_jenkinsfile(path)
        or path.lower().endswith((".tf", ".tfvars", ".xml", *_READ_BY_SCRIPTS))
    )
    return not is_flat and profile_of(path) is None and environment_of_settings(path) is None


_SET = later(r"[ \t](?:-e|--env)(?:=|[ \t]+)[\"']?([A-Z][A-Z0-9_]{3,60})\b")
"""A variable that `docker run` sets, or takes from the shell."""


def variables_set(text: str) -> list[str]:
    """Return the names of the variables that a script gives to containers with `-e` or `--env`."""
    return _SET.findall(text) if names_connection(text) else []


def is_shell(path: str) -> bool:
    """Whether the name of a file is that of a script of a shell."""
    return path.lower().endswith((".sh", ".bash", ".ksh"))


def may_be_sourced(path: str) -> bool:
    """Whether the name of a file may be that of one which scripts of a shell source."""
    return is_shell(path) or is_environment(path) or _is_read_by_scripts(path)


def _is_read_by_scripts(path: str) -> bool:
    is_plain = "." not in basename(path.replace("\\", "/"))
    return is_plain or path.lower().endswith(_READ_BY_SCRIPTS)


def is_batch(path: str) -> bool:
    """Whether the name of a file is that of a batch file of Windows."""
    return path.lower().endswith((".bat", ".cmd"))


def is_windows_script(path: str) -> bool:
    """Whether the name of a file is that of a script of Windows."""
    return is_batch(path) or path.lower().endswith(".ps1")


def is_jenkinsfile(path: str) -> bool:
    name = basename(path.replace("\\", "/")).lower()
    return name.startswith("jenkinsfile") or name.endswith(".jenkinsfile")


def is_image(path: str) -> bool:
    """Whether the name of a file is that of a Dockerfile."""
    name = basename(path.replace("\\", "/")).lower()
    return name.startswith(("dockerfile", "containerfile")) or name.endswith(".dockerfile")


def is_server_variable(path: str) -> bool:
    """Whether the place of a file is that of a variable of Liberty."""
    is_of_other_kind = path.lower().endswith((".yml", ".yaml", ".json"))
    return f"/{VARIABLES}/" in f"/{path}" and not is_of_other_kind


NAMES_MQ = later(
    r"(?i)(?<![a-z])(?:ibm|w)?mq(?![a-z]{0,3}tt)|mqsc|q(?:ueue)?[-_]?m(?:ana)?ge?r"
    r"|(?<![a-z])qm(?![a-z])|(?<!\d)1414(?!\d)"
)
"""What names MQ in files of parameters."""


def is_parameters(path: str, text: str) -> bool:
    """Whether a file has the parameters of a template of Terraform, CloudFormation or Azure."""
    name = path.lower()
    if name.endswith((".tfvars", ".tfvars.json")):
        return True
    return name.endswith(".json") and (
        '"ParameterKey"' in text or "deploymentParameters.json#" in text
    )


def is_environment(path: str) -> bool:
    """Whether the name of a file is that of a file of variables."""
    name = basename(path.replace("\\", "/")).lower()
    if name.startswith("env.") and role_of(name) is not None:
        return True  # `. env.$SITE`
    return name.startswith(".env") or name.endswith((".env", "env.list"))


_VALUE = r"(?:\"(?:[^\"`$\n]|\$(?!\())*+\"|'[^'\n]*+'|(?:[^\s\"'`;&|<>()$]|\$(?!\())*+)"
_ARGUMENTS = rf"(?:[ \t]++(?![;&|<>#]){_VALUE})*+"
_SETTING = r"(?:(?:export|readonly)[ \t]++)?[A-Za-z_]\w*+[ \t]*+[:?]?=[ \t]*+"
_CALL = (
    r"(?:sudo[ \t]++(?:-u[ \t]*+\w++[ \t]++|-[nEHi]++[ \t]++)*+)?"
    r"(?:(?:exec|bash|ksh|sh|source|\.)[ \t]++)?[\"']?[\w$./{}-]{1,120}\.(?:sh|ksh|bash)\b[\"']?"
)
_NEUTRAL = r"(?:set\b|export\b|readonly\b|cd\b|exit\b)"
_FOLDER = r"\"?\$\((?:cd[ \t]++\"?\$\()?dirname\b[^\n;|()]{0,60}\)[^\n;|()]{0,20}\)?\"?"
"""The folder of the script itself."""
_STATEMENT = (
    rf"(?:{_SETTING}(?:{_FOLDER}|{_VALUE})(?:[ \t]++{_SETTING}{_VALUE})*+"
    rf"|(?:{_CALL}|{_NEUTRAL}){_ARGUMENTS}|echo\b[^\n|;&<>()`$]*+)"
)
_FLAT = later(
    rf"\ufeff?(?:[ \t]*+(?:{_STATEMENT}(?:[ \t]*+(?:;|&&|\|\|)[ \t]*+{_STATEMENT})*+)?"
    r"(?:[ \t]*+\r?\n|[ \t]*+#[^\n]*+\n))++"
)
"""Variables, and calls of scripts with these: no other command."""


_FLAT_BATCH = later(
    r"(?i)\ufeff?(?:[ \t]*+@?(?:set[ \t]++\"?[a-z_]\w*+=[^\n&|<>]*+"
    r"|(?:call[ \t]++)?\"?[\w.%~:\\-]{1,200}\.(?:bat|cmd)\b[^\n&|<>]*+"
    r"|(?:echo|rem|setlocal|endlocal|exit|pause|goto[ \t]*+:eof|cd|pushd|popd|title)\b[^\n&|<>]*+"
    r"|::[^\n]*+)?"
    r"[ \t]*+\r?\n)++"
)
"""The same of a batch file."""


def is_of_variables(path: str, text: str) -> bool:
    """Whether a file sets variables for scripts, or calls them, and has no other commands."""
    if is_environment(path):
        return True
    if is_batch(path):
        return _FLAT_BATCH.fullmatch(f"{text}\n") is not None
    is_read = _is_read_by_scripts(path) or is_shell(path)
    return is_read and only_sets(text)


def only_sets(text: str) -> bool:
    """Whether a text for a shell sets variables, or calls scripts, and has no other commands."""
    return _FLAT.fullmatch(f"{text}\n") is not None
