"""Secrets recognised by their form, not by a name: addresses, headers, keys, statements."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.source.secrets.lower_case import LowerCase
from mqlint.source.secrets.names import Sign, judge

Finder = Callable[[str, LowerCase], Iterator[Span]]
"""Takes a text, and the same in lower case."""

UNLIKE_NAMES = r"(?=[\w!#%^*+~]*?(?-i:[a-z]))(?=[\w!#%^*+~]*?(?-i:[A-Z]))(?=[\w!#%^*+~]*?[0-9])"
"""A word with small letters, capitals and digits, as names of objects hardly are."""
_MIXED = r"(?=[^\s\"'<>{}()%$]{0,80}[A-Za-z])(?=[^\s\"'<>{}()%$]{0,80}[0-9])"

_URI = later(
    r"://([^\s/?#@:\"'<>]{8,}):x-oauth-basic@"
    r"|://[^\s/?#@:\"'<>]*:((?!\d+/)[^\s\"'<>]{1,500})@|://([^\s/?#@:\"'<>]{20,})@"
    r"|(?<![\w/.:-])\w[\w.-]*:((?!//)[^\s:@\"'(),;=]{3,})@[\w.-]+"
)
_HEADER = later(
    r"(?:authorization|api-key|auth-token|private-token|cookie|x-auth)[\"']?\]?"
    r"(?:\s*+(?:[;,]\s*+)?[\"']?value[\"']?\s*+[:=]\s*+|\s*+[:=,]\s*+(?:[\"']value[\"']\s*:\s*)?)[\"']?"
    # a word to replace: base64 has no such sign
    r"(?!basic\s+(?:[a-z]+_[a-z_]+|(?-i:[A-Z][A-Z0-9]*+_[A-Z0-9_]+))(?:[\s\"',;]|$))"
    r"(?:\\[ ])?(?:(?:basic|bearer|token|digest|negotiate|apikey|splunk)(?:\\?\s)+)?([^\s\"',;]+)",
    re.IGNORECASE,
)
_BEARER = later(
    r"\b[Bb](?:earer|EARER)\s+([A-Za-z0-9._~+/=-]{8,})"
    r"|[\"'=:]\s*[Bb]asic\s+(?=[a-z]*[A-Z0-9+/=])([A-Za-z0-9+/=]{8,})"
)
_PEM = later(
    r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----([^\n]*?(?:-----END|$)"
    r"(?:\n(?![ \t#*>|\"'+]*-----END)[ \t#*>|\"'+]*+"
    r"(?:[\w-]+:[ \t][^\n()]*|[^\s()]*)[ \t\r\"'+,;\\]*$)*)",
    re.MULTILINE,
)
"""A key in one line, or in lines that have one word or a header each."""
_SHAPES = later(
    r"(?<![A-Za-z0-9])(?:AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}"
    r"|xox[abprs]-[\w-]{10,}|AIza[\w-]{30,}|hvs\.\w{16,}"
    r"|eyJ[\w-]{8,1000}+\.[\w-]{8,}(?:\.[\w-]*)?|npm_\w{30,}|pypi-\w{16,}"
    r"|ASIA[0-9A-Z]{16}|hv[br]\.\w{16,}|gl(?:rt|dt|ptt)-[\w-]{16,}|SG\.[\w-]{16,}\.[\w-]{16,}"
    r"|xapp-\d-[\w-]{10,}|[sr]k_(?:live|test)_\w{16,}|dckr_pat_[\w-]{16,}|do[opr]_v1_\w{32,}"
    r"|hf_[A-Za-z0-9]{30,}|AGE-SECRET-KEY-1[0-9A-Z]{20,}|NRAK-[0-9A-Z]{20,}|PMAK-[\w-]{30,}"
    r"|AT(?:ATT|CTT|BB)[\w=-]{20,}|dapi[0-9a-f]{32}|AKCp[A-Za-z0-9]{30,}|glsa_\w{30,}"
    r"|dp\.(?:pt|st)\.[\w.]{30,}|lin_api_\w{30,}|sq0\w{3}-[\w-]{20,})"
)
"""Tokens of well-known services."""
_SHAPE_STEMS = tuple(
    "akia ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- xox aiza hvs. eyj npm_ pypi- asia hvb."
    " hvr. glrt- gldt- glptt- sg. xapp- k_live_ k_test_ dckr_pat_ _v1_ hf_ age-secret-key-"
    " nrak- pmak- atatt atctt atbb dapi akcp glsa_ dp. lin_api_ sq0".split()
)
_HEADER_STEMS = ("authorization", "api-key", "auth-token", "private-token", "cookie", "x-auth")
_PIN = later(r"GSK_PKCS11\s*=[^;\n]{0,500};[^;\n]{0,500};([^;\n'\")]*)", re.IGNORECASE)
_OPEN_STRING = later(r"\bacc=p/[^/\s+]{1,200}/([^/\s+\"'<>]{1,200})", re.IGNORECASE)
"""The user and password of the string that opens Oracle as a resource manager (XAOpenString)."""
_PASS_SOURCE = later(r"(?<![\w:])pass:([^\s\"')]+)")
_LOGIN = later(r"\b(?:login|user|machine)\s+\S+\s+(?:login\s+\S+\s+)?password\s+(\S+)", re.I)
_JDBC = later(r"jdbc:(?:[^\s\"'/@]{0,200}+/){1,20}+([^\s\"'/@]{1,200}+)@")
_SERVICE = later(
    r"\bsc(?:\.exe)?\s+(?:config|create)\b[^\n]{0,500}?\bpassword=\s+\"?([^\s\"][^\"\n]*)",
    re.IGNORECASE,
)
_IDENTIFIED = later(
    r"\bidentified\s+(?:with\s+\S{1,60}\s+(?:by|as)|by)\s+\\?[\"']?([^\s\"';\\]+)"
    r"(?:\\?[\"']?\s+replace\s+\\?[\"']?([^\s\"';\\]+))?",
    re.IGNORECASE,
)
_OF_SNMP = later(
    r"\bcreateUser[ \t]+\S{1,60}[ \t]+(?:MD5|SHA[\w-]{0,5})[ \t]+[\"']?([^\s\"']+)"
    r"(?:[\"']?[ \t]+(?:AES|DES)\w{0,5}[ \t]+[\"']?([^\s\"']+))?"
    r"|^[ \t]*r[ow]community6?[ \t]+[\"']?([^\s\"']+)"
    r"|^[ \t]*com2sec6?[ \t]+\S{1,60}[ \t]+\S{1,60}[ \t]+([^\s\"']+)",
    re.IGNORECASE | re.MULTILINE,
)
_KEY_OF_TIME = later(
    r"^[ \t]*\d{1,5}[ \t]+(?:MD5|SHA\d{0,3}|AES\d{3})[ \t]+(?:HEX:|ASCII:)?(\S+)[ \t]*\r?$",
    re.MULTILINE,
)
"""A key in the files of keys of chrony and ntp."""
_SMTP = later(r"^[ \t]*AUTH[ \t]+PLAIN[ \t]+(\S+)", re.IGNORECASE | re.MULTILINE)
_OF_PROXY = later(
    r"_set_header[ \t]+X-[\w-]{0,40}(?:Key|Token|Secret)[ \t]+[\"']?([^\s\"';$]+)", re.IGNORECASE
)
_LISTED = later(
    r"\$\w{0,40}(?:passwords|passwds|pwds|secrets|tokens)[ \t]*=[ \t]*(?:@\([ \t]*)?"
    r"([\"'][^\"'\n]+[\"'](?:[ \t]*,[ \t]*[\"'][^\"'\n]+[\"']){1,40})",
    re.IGNORECASE,
)
"""Several values of a variable of PowerShell."""
_ON_NEXT_LINE = later(
    r"\bSetCredential(?:Encrypted)?=[^\s:]{1,80}:[ \t]*\\\r?\n[ \t]*(\S+)"
    r"|^[ \t]*[\w.-]{0,100}(?:password|secret|token|passphrase)[ \t]+\\\r?\n[ \t]+([^\s-]\S*)",
    re.IGNORECASE | re.MULTILINE,
)
"""A value of systemd, or of a file of properties, that begins after a backslash."""
_OF_ENCRYPT = later(
    r"^(?P<lead>[ \t]*)encrypt:[ \t]*\r?\n(?:(?P=lead)[ \t]+[\w-]+:[^\n]*\n){0,5}?"
    r"(?P=lead)[ \t]+key:[ \t]*[\"']?([^\s\"'#/{$][^\s\"'#/]*)",
    re.MULTILINE,
)
"""The key with which Spring encrypts."""
_LOGIN_MODULE = later(r"LoginModule\b[^;]{1,2000}")
_JAAS_USER = later(r"\buser_\w{1,60}[ \t]*=[ \t]*\\?[\"']([^\"'\\\n]+)")
"""A user of the PLAIN mechanism of Kafka, and the password."""
_NO_ECHO = later(
    r"^([ \t]+)(?:NoEcho:[ \t]*[\"']?true[\"']?[ \t]*\r?\n(?:\1\w[^\n]*\n){0,8}?"
    r"\1Default:[ \t]*[\"']?([^\"'\s][^\"'\n]*)"
    r"|Default:[ \t]*[\"']?([^\"'\s][^\"'\n]*+)[\"']?[ \t]*\r?\n(?:\1\w[^\n]*\n){0,8}?"
    r"\1NoEcho:[ \t]*[\"']?true\b)",
    re.MULTILINE,
)
"""The default of a parameter of CloudFormation that is not shown."""
_JWT_KEY = later(
    r"\"jwt\w{0,20}\"\s*:\s*\{[^{}]{0,500}?\"(?:secret|signing)?key\"\s*:\s*\"([^\"\n]+)",
    re.IGNORECASE,
)
"""The key in a section of settings of ASP.NET."""
_SETTING = later(
    r"\b(?:configure|config)\s+set\s+\S*(?:secret|passw|token)\S*\s+[\"']?([^\s\"';]+)",
    re.IGNORECASE,
)
_USING = later(
    r"\b(?:connect|attach)\s+(?:to\s+)?\S+\s+user\s+\S+\s+using\s+"
    r"(?:'{1,2}([^'\n]+)'|\"([^\"\n]*)\"|([^\s\"';]+))",
    re.IGNORECASE,
)
_OF_BINDINGS = later(
    r"/RefAddr/\d{1,3}/Type[ \t]*=[ \t]*(?P<name>\w{1,40})[ \t\r]*\n"
    r"(?:[^\n]{0,400}/Encoding[^\n]{0,400}\n)?"
    r"[^\n]{0,400}/RefAddr/\d{1,3}/Content[ \t]*=[ \t]*(\S+)"
)
"""A password among the references of a bindings file of JNDI."""
_CONNECT = later(
    r"\bconn(?:ect)?[ \t]+[^\s/\"'@:]+/(?:\"([^\"\n]+)\"|([^\s@\"';/]+))@", re.IGNORECASE
)
_ORACLE_USER = r"[A-Za-z][\w$#]{0,30}/"
_USER_ID = later(
    rf"\buserid[ \t]*=[ \t]*\\?[\"']?{_ORACLE_USER}([^\s@\"';/)]+)"
    r"|\b(?:(?:[A-Za-z]\w{0,30}_)?(?:log[io]n|connect\w{0,8}|conn(?:_?str\w{0,3})?|userid)[\"']?"
    rf"[ \t]*[:=]|sql[ \t])[ \t]*[\"']?{_ORACLE_USER}([^\s@\"';/$]+)@(?!v\d)[\w/]",
    re.IGNORECASE,
)
"""A user and a password of Oracle: `userid=app/text`, `DB_LOGON=app/text@service`."""
_DIALOGUE_LOGON = later(r"\.logon[ \t]+[^\s,;]{1,200},[ \t]*([^\s;\"']+)", re.IGNORECASE)
_QUERY = later(
    r"[?&;](?:sig|(?:x-\w{1,20}-)?signature)=([^\s&\"'<>;]+)",
    re.IGNORECASE,
)
_AUTHORISATION = later(
    r"(?<![^\W_])(?:auth|basic|login|user_?pwd|creds?)[\"']?\s*[:=]\s*[\"'][^\s:\"'/$]{1,80}+:(?!\d+\b|//)"
    r"([^\s\"',;}$]+)"
    r"|\bbasic[._-]?auth(?:entication)?(?:\.user(?:s|\.info))?[\"']?\s*[:=]\s*[\"']?[^\s:\"']{1,80}+:([^\s\"',;}]+)",
    re.IGNORECASE,
)
_WINDOWS = later(
    r"\bnet(?:\.exe)?[ \t]+use[ \t]+(?:[a-z*]:?[ \t]+)?[\"']?\\\\\S+[ \t]+"
    r"(?:/\w+:\S+[ \t]+)*+((?![/>|&*])\S+)"
    r"|\s/rp\s+(\S+)|\s/p:(\S+)",
    re.IGNORECASE,
)
_ASSIGNED = later(r"\bset\s+data\s+\S+\s+(?:[\w.-]+=\S+\s+)*?[\w.-]+=(\S+)", re.IGNORECASE)
_OF_CL = later(
    r"&(?=\w*?(?:PW|PASS|SECRET|TOKEN))\w++[ \t]++"
    r"(?:(?:TYPE\()?\*\w++\)?[ \t]++(?:(?:LEN\()?\d++\)?[ \t]*+)?)?"
    r"(?:VALUE\()?'([^'\n]+)'"
    r"|(?:CRT|CHG)USRPRF[ \t]++(?:USRPRF\(\w++\)|\w++)[ \t]++"
    r"(?!PASSWORD)([^\s()*&+-][^\s()]*+)(?![()])",
    re.IGNORECASE,
)
_SEND = later(
    r"\b(?:send|exp_send)(?:[ \t]+-[hs-])*[ \t]+(?:\\?\"|\{)?(?!(?:(?:crt|str|end|dlt)mqm|runmqsc"
    r"|mqcli|dspmq|setmqaut|rcdmqimg|exit|(?i:end)|(?i:def(?:ine)?|alt(?:er)?|set|dis(?:play)?|start"
    r"|refresh)(?=[ \t]))\b)((?![\\\"{-])[^\"\\\n}\s;]+)"
    r"(?=\\|\"|\}|[ \t;]|$)"
)
_CONVERT = later(
    r"ConvertTo-SecureString(?:(?:[ \t]|`\r?\n)++-(?:AsPlainText|Force|String))*+(?:[ \t]|`\r?\n)++"
    r"(?:@[\"'][ \t]*+\r?\n|\$?\([ \t]*+(?=[\"']))?[\"']?"
    r"((?![-(@`$])[^\"'\n|)]{1,500}?)(?=[\"'\n|)]|(?<![ \t])[ \t]++-)"
    r"|(?<!-Content )(?<!Path )[\"']([^\"'\n]+)[\"'][ \t]*\|[ \t]*ConvertTo-SecureString",
    re.IGNORECASE,
)
_CREDENTIAL = later(
    r"Credential[^\n]{0,40}?[\"'][^\"'\n]*[\"']\s*,\s*[\"']([^\"'\n]+)", re.IGNORECASE
)
_SIGN = r"(?:pass(?!age|e[ds]|ing|ive|through)|pw|secret|token)"
_SUBSTITUTE = later(
    rf"\bs[/|#,](?=[^/|#,\n]*?{_SIGN})[^/|#,\n]++[/|#,]([^/|#,\n]++)[/|#,]",
    re.IGNORECASE,
)
_SUBSTITUTE_OF_AWK = later(
    rf"\bg?sub\(/(?=[^/\n]*?{_SIGN})[^/\n]++/[ \t]*,[ \t]*\\?\"([^\"\\\n]+)", re.IGNORECASE
)
_FORMAT = r"{0}(?=(?>[^{0}\n]*?" + _SIGN + r")[^{0}\n]*?%s)[^{0}\n]*+{0}[ \t]++([^\n|;&>)]++)"
_PRINTED = later(
    r"\bprintf[ \t]++(?:--[ \t]++)?"
    rf"(?:{_FORMAT.format(chr(34))}|{_FORMAT.format(chr(39))})",
    re.IGNORECASE,
)
_ENCODED_LOGIN = later(
    r"\bGetBytes\([ \t]*[\"'][^\"':\n]{0,200}:([^\"'\n]+)[\"']"
    r"|[\"'][^\"':\s]{1,80}:([^\"'\s]+)[\"'][ \t]*\|[ \t]*b64encode"
    r"|[\"'][^\"'\s:]{0,80}:[\"'][ \t]*\+[ \t]*[\"'](?!\d+[\"']|//)([^\"'\n]+)[\"']"
    r"|[\"']\{0\}:\{1\}[\"'][ \t]+-f[ \t]+[\"'][^\"'\n]{1,80}[\"'][ \t]*,"
    r"[ \t]*[\"']([^\"'\n]+)[\"']",
    re.IGNORECASE,
)
"""A user and a password before they become base64: one text, or two with a colon between them."""
_REGISTRY = later(
    r"\"?(?:\bauth|\.?\bdockerconfig(?:json)?)\"?[ \t]*:[ \t]*\"?"
    r"(?=[a-z]*[A-Z0-9+/])((?:[A-Za-z0-9+/]{4}){2,}(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==))"
    r"(?![A-Za-z0-9+/=])"
)
"""A user and a password, or a file of them, for a registry of images."""
_MASKED_KEY = later(r"\bKEY(?:MASKED|ENCRYPTED)\([ \t]*'?([^)'\n]+)", re.IGNORECASE)
"""The key of a PassTicket, in commands of RACF."""
_HASHED = later(
    r"\bopenssl[ \t]+passwd\b(?:[ \t]+-salt[ \t]+\S+|[ \t]+-(?!salt)\w+)*[ \t]+([^\s|;&)-]\S*)"
)
_ELEMENT = later(
    r"<(?=[\w:]{0,40}(?:passw(?:or)?d|secret|token))(?P<name>[\w:]++)\s(?:[^<>]{0,200}?\s)?value\s*+=\s*+"
    r"[\"']([^\"'<]+)",
    re.IGNORECASE,
)
_VARIABLE = r"(?=\w*?(?:pass|pw|secret|token))(?P<name>\w++)"
_SET_BY_PRINTF = later(
    rf"\bprintf[ \t]++-v[ \t]++{_VARIABLE}[ \t]++"
    r"(?:\"[^\"\n]*+\"|'[^'\n]*+'|\S++)[ \t]++([^\n;|&]++)",
    re.IGNORECASE,
)
_RESOURCE = later(
    r"\bresource[ \t]+\"\w{0,60}(?:secret|ssm_parameter)\w{0,60}\"[^{\n]{0,200}\{"
    rf"|\b(?:variable|output)[ \t]+\"{_VARIABLE}\"[ \t]*\{{"
    r"|\b(?:variable|output)[ \t]+\"\w+\"[ \t]*\{(?=[^{}]*\bsensitive[ \t]*=[ \t]*true\b)",
    re.IGNORECASE,
)
_OF_RESOURCE = later(
    r"^[ \t]*(?:(?:plaintext_)?value|default|secret_data)[ \t]*=[ \t]*(?:\w+\()?\"([^\"\n]+)\""
    r"|^[ \t]*data_json[ \t]*=[ \t]*<<[-~]?[ \t]*(?P<tag>\w+)[ \t]*\r?\n"
    r"(?P<text>(?:(?![ \t]*(?P=tag)\b)[^\n]*\n)*+)",
    re.MULTILINE,
)
_MAP = later(
    r"\b(?:(?:string_|binary_)?data|data_json|secret_string|value)[ \t]*=[ \t]*"
    r"(?:\w+\([ \t]*)?\{([^{}]*)"
)
_OF_MAP = later(r"=[ \t]*(?:\w+\()?(?:\"([^\"\n]+)\"|(?=(?:local|var)\.))")
_LDIF = later(r"^[ \t]*\w*(?:passw(?:or)?d|pw)::[ \t]+(\S+)", re.MULTILINE | re.IGNORECASE)
_LOOPED = rf"(?!token\b){_VARIABLE}"
"""A parser of words calls each of them `token`."""
_LOOP = later(rf"\bfor[ \t]++{_LOOPED}[ \t]++in[ \t]++([^\n;]+)", re.IGNORECASE)
_CASE = later(
    rf"\bcase[ \t]++\"?\$\{{?{_LOOPED}\}}?\"?[ \t]++in[ \t]++([^\n)]+)\)",
    re.IGNORECASE,
)

_SENSITIVE = later(r"\bset_sensitive[ \t]*\{[^{}]*?\bvalue[ \t]*=[ \t]*\"([^\"\n]+)\"")
_DEFINED = later(
    rf"^(?:override[ \t]+)?define[ \t]+{_VARIABLE}[ \t]*[:?+]*=?[ \t]*\r?\n"
    r"((?:(?!endef)[^\n]*\n)*+)",
    re.MULTILINE | re.IGNORECASE,
)
_SET_BY_TCL = later(
    rf"\bset[ \t]+(?:::)?(?:env\()?{_VARIABLE}\)?[ \t]+(?:\{{([^{{}}\n]+)\}}|\"([^\"\n]+)\")",
    re.IGNORECASE,
)
_OF_PIPELINES = later(
    rf"##vso\[task\.setvariable[ \t]+variable={_VARIABLE}[^\]\n]*\]([^\s\"'\n]+)", re.IGNORECASE
)
_ADDED_MASK = later(
    r"::add-mask::([^\s\"']+)|hooks\.slack\.com/services/\w+/\w+/(\w+)"
    r"|api\.telegram\.org/bot\d+:([\w-]+)|webhook\.office\.com/webhookb2/([^\s\"'<>]+)"
    r"|discord(?:app)?\.com/api/webhooks/\d+/([\w-]+)"
)
"""Words that a pipeline is to mask, and addresses that are a secret."""
_PRINTED_BY_OPTION = later(
    r"(?:pass(?:word|phrase|wd)?|secret|token)[_-]?(?:command|cmd|program)\b[\"']?"
    r"[ \t]*+(?:[=:][ \t]*+)?[\"']?(?:echo|printf)[ \t]+([^\s\"';|$]+)",
    re.IGNORECASE,
)
"""A command that prints a secret and nothing else: `--password-command 'echo text'`."""
_STATS = later(r"\bstats[ \t]+auth[ \t]+[^\s:]{1,80}:(\S+)")
"""A user and a password for the pages of HAProxy."""
_USER_NAMES = later(r"\bUserNames[ \t]*=[ \t]*\{([^{}]{1,2000})\}")
"""The users of a cluster of VCS with their passwords."""
_ARGUMENT = r"(?:\"[^\"\n]{0,200}+\"|'[^'\n]{0,200}+'|[^\"'(),]{1,80}+|\([^()]{0,200}+\)){1,8}+,"
"""An argument of a call, with calls in it, and the comma after it."""
_CALL = later(
    r"(?:\bauth[ \t]*=[ \t]*|BasicAuth|authorization_basic|\bdb\.auth"
    r"|\bcreate\w{0,20}?(?:Connection|Context))\([ \t]*"
    r"(?:[\"'][^\"'\n]{0,200}[\"']|(?=[\w.]{0,40}?(?i:user|uid|login))[\w.]{1,80}+(?:\(\))?)"
    r"[ \t]*,[ \t]*[\"']([^\"'\n]+)"
    rf"|\b(?:pymqi\.connect\((?:{_ARGUMENT}){{4}}|connect_tcp_client\((?:{_ARGUMENT}){{5}})\s*"
    r"b?[\"']([^\"'\n]+)"
)
"""A user and a password as words of a call of well-known libraries."""
_FED_BY_ANSIBLE = later(
    r"\brunmqsc\b(?:[ \t]++(?!-u\b)\S{1,60}){0,6}[ \t]++-u[ \t][^\n]{0,200}\n"
    r"(?:[ \t]*args:[ \t]*\n)?[ \t]*stdin:"
    r"(?:[ \t]*[|>][-+]?[ \t]*\n)?[ \t]*[\"']?([^\s\"']+)"
)
_CLEAR = later(
    r"\bclear-text[ \t]*=[ \t]*[\"']([^\"'\n]+)|\bopen[ \t]+-u[ \t]+[^\s,]{1,200},([^\s\"';]+)"
)

_OF_CALLS = later(
    r"\bcrypt\([ \t]*\\?[\"']([^\"'\\\n]+)"
    r"|\"key\"\s*:\s*\"value\"\s*,\s*\"value\"\s*:\s*\"([^\"\n]+)\""
)
"""A text that is encrypted, and the key of an API in a collection of Postman."""
_COMPARED = later(
    r"(?:\"([^\"\n]+)\"|'([^'\n]+)')[ \t]+(?:-c?(?:eq|ne)|={1,2}|!=)[ \t]+\"?\$\{?(?P<name>\w+)"
)
"""A text that is compared with a variable after it."""
_ARGUMENT_COMPARED = later(
    r"(?:(?<=\[[ \t])|\b(?:test|if(?:[ \t]+/i)?(?:[ \t]+not)?)[ \t(]*)[\"']?"
    r"(?:\$\{?[1-9]\}?|%~?[1-9]|\$args\[\d\])[\"']?[ \t]*(?:={1,2}|!=|-c?(?:eq|ne)\b|EQU|NEQ)[ \t]*"
    rf"[\"']?{UNLIKE_NAMES}([\w!#%^*+~]{{8,64}}+)(?=[\"'\s\]);])",
    re.IGNORECASE,
)
"""An argument that is compared with a word as names hardly are."""
_LISTED_KEY = later(
    r"\bkeys[\"']?[ \t]*[:=]\s*\["
    rf"(?=[^\[\]{{}}]*?[\s\"'\[]{UNLIKE_NAMES}[\w!#%^*+~-]{{10,200}}[\s\"',])([^\[\]{{}}]+)"
)
"""A list of keys, in which one is not like a name."""
_LOGIN_KEY = r"key:[ \t]*(?!ssh-)[\"']?([^\s\"'#|>~/.][^\s\"'#/.]*)[\"']?[ \t]*\r?$"
_LOGIN_USER = r"(?:user|username):[ \t][^\n]+(?:\n|\Z)"
_OF_LOGIN = later(
    rf"^(?P<lead>[ \t]+)(?:{_LOGIN_USER}(?:(?P=lead)\w[^\n]*\n){{0,6}}?(?P=lead){_LOGIN_KEY}"
    rf"|{_LOGIN_KEY}(?=(?:\n(?P=lead)\w[^\n]*){{0,6}}?\n(?P=lead){_LOGIN_USER}))",
    re.MULTILINE,
)
"""A key beside a user, as actions that use ssh take it."""
_AFTER_DN = later(
    r"\b(?:cn|uid|ou|dc|o)=[^%\"'\n]{1,200}%(?!20)([^%\"'\s=,]{4,100})(?=[\"'\s]|\Z)", re.IGNORECASE
)
"""A distinguished name and a password in one word."""
_ADMINISTRATOR = later(
    r"[\"'](?:admin|administrator|mqadmin|root):(?!//)" + _MIXED + r"([^\s\"':/]{6,64})[\"']"
)
"""A user and a password as all of a text."""
_MOVED = later(r"\bMOVE[ \t]+[\"']([^\"'\n]+)[\"'][ \t]+TO[ \t]+(?P<name>[\w-]++)", re.IGNORECASE)
_GIVEN_BEFORE_NAME = later(
    r"\b[A-Za-z]{2,20}-[A-Za-z]{2,40}"
    r"(?=[^\n|;]{0,300}?[ \t]-Name[: \t]+[\"']?(?P<name>[\w.-]++))[^\n|;]{0,300}?[ \t]-Value[: \t]+"
    r"(?:\"([^\"\n]+)\"|'([^'\n]+)'|([^\s\"'$()|;-][^\s\"'()|;]*))",
    re.IGNORECASE,
)
"""A command of PowerShell that gives a value to what `-Name` says, in any order."""
_COPIED_TEXT = later(
    r"\b(?:str|mem|wcs|wmem)n?(?:cpy|cat|move)(?:_s)?\([ \t]*(?:\w+(?:\.|->))*+(?P<name>\w++)"
    r"[ \t]*,(?:[^,\"\n]{0,60},)?[ \t]*\"([^\"\n]+)\""
)
"""A text that a program in C copies into a variable."""
_USER_AND_PASSWORD = later(
    r"(?<=[ \t])--?(?:u|user(?:-?(?:name|id))?|login)[= \t][ \t]*"
    r"[\"']?(?!(?:and|or)\s)[A-Za-z][\w.@\\-]{0,60}[\"']?[ \t]+-[pw](?:[ \t]+|=)"
    r"(?:\"([^\"\n$]+)\"|'([^'\n]+)'"
    r"|(?!(?:[\d.:,-]+|(?-i:[A-Z][A-Z0-9]*(?:[._%][A-Z0-9]+)+))(?:[\s\"']|$))"
    r"([^\s\"'/$%{}<>()\[\];|&=-][^\s\"'/${}<>()\[\];|&]*)(?=[\s;|&)]|$))",
    re.IGNORECASE | re.MULTILINE,
)
"""An option for a user, and after it `-p` or `-w` with a word: no port, path, or name in capitals.

IBM's samples for JMS take a password after `-w`.
"""
_ASKS_AFTER_P = later(r"\b(?:mysql|mariadb)[\w-]{0,12}[ \t][^\n|;&]*\Z", re.IGNORECASE)
"""The beginning of a command that asks for a password after `-p`: the next word is a database."""
_REGISTERED = later(
    rf"\breg(?:\.exe)?[ \t]+add\b[^\n]{{0,300}}?[ \t]/v[ \t]+\"?{_VARIABLE}\"?[^\n]{{0,100}}?"
    r"[ \t]/d[ \t]+(?:\"([^\"\n]+)\"|([^\s\"]+))",
    re.IGNORECASE,
)
_USERISH = r"(?i:user|usr|qsygetph|uid|login|logon|admin|signon)"
_CALL_OF_CL = later(
    rf"\bCALL(?:PRC)?\b(?=[^\n]{{0,80}}{_USERISH})[^'\n]{{0,80}}"
    r"\([ \t]*(?:'[^'\n]{1,80}'[ \t]+){1,3}'([^'\n]+)'"
    r"|\bCALL[ \t]+'[^'\n]{1,80}\)'[ \t]+'[^'/\n]{1,20}/([^'\n]+)'"
    r"|'--?p(?:w|wd|ass\w*)?'[ \t]+'(?!\d{1,5}')([^'\n]+)'",
    re.IGNORECASE,
)
"""A user and a password as parameters of a program whose name, or that of the user, says so."""
_EXIT = later(
    r"\"security\"\s*:\s*\{(?:[^{}]{0,400}?\{[^{}]{0,400}\})?[^{}]{0,400}?\"userData\"\s*:\s*\"((?:[^\"\\\n]|\\.)*)\"",
    re.IGNORECASE,
)
"""The data of a security exit in a channel table: SCYDATA in MQSC."""
_COLON_OPTION = later(
    r"(?<=\s)-p[:=][ \t]*(?!\d{1,5}(?:[\s:]|$)|\w+=)(?:\"([^\"\n]+)|'([^'\n]+)|([^\s\"';|&]+))",
    re.IGNORECASE | re.MULTILINE,
)
"""An option of PowerShell. `-p:NAME=VALUE` is a property of a build."""

_UNLIKE_WORDS = r"(?=[^\s/]{0,80}[a-z])(?=[^\s/]{0,80}[A-Z])(?=[^\s/]{0,80}[0-9])"
_PROSE = later(
    r"\b(?:pass(?:word|wd|phrase|code)|pwd?)\b(?:[ \t]++(?!is\b)[A-Za-z][\w.@-]{0,30}){0,4}?"
    rf"(?:[ \t]*+:|[ \t]++is:?+)[ \t]++[\"']?{_MIXED}([^\s\"'<>{{}}()%$/\\]{{6,80}})"
    r"(?![\w/\\(])"
    r"|\b(?-i:[Pp]ass(?:word|phrase|code)|pw)[ \t]++(?=[^\s\"'/\\]*(?-i:[a-z]))"
    rf"{_MIXED}([^\s\"'<>{{}}()%$/\\.=:-]{{8,80}})(?![\w/\\(.=:-])"
    r"|\b(?:pass(?:word|phrase|code)?|pw)\b(?:[ \t]++[A-Za-z][\w.-]{0,30}){0,4}[ \t]++(?:->|=>)"
    rf"[ \t]++(?-i:{_UNLIKE_WORDS})([^\s\"'<>{{}}()%$/\\]{{8,80}})(?![\w/\\(])"
    r"|\b(?:user|login)(?:[ \t]++(?:user|login))?[ \t]++[\w.@-]{1,40}[ \t]*+[/,][ \t]*+"
    rf"(?:pass|pw)[ \t]++(?-i:{_UNLIKE_WORDS})([^\s\"'<>{{}}()%$/\\]{{8,80}})(?![\w/\\(])"
    r"|\blog(?:in|on|[ \t]in)[ \t]++(?:with|as)[ \t]++[\w.@-]{1,40}/"
    rf"(?-i:{_UNLIKE_WORDS})([^\s\"'<>{{}}()%$/\\]{{8,80}})(?![\w/\\(])"
    r"|\b(?:api|access|secret)[ \t]key[ \t]++"
    rf"(?-i:{_UNLIKE_WORDS})([^\s\"'<>{{}}()%$/\\]{{8,80}})(?![\w/\\(])"
    r"|\b(?:log[io]n|user(?:name)?|credentials?)(?:[ \t]++[A-Za-z][\w.-]{0,30}){0,4}"
    r"[ \t]*+[:=][ \t]*+[\w.@-]{1,40}[ \t]*+/[ \t]*+"
    rf"{_MIXED}([^\s\"'<>{{}}()%$/\\]{{6,80}})(?![\w/\\(])"
    r"|\b(?:user|login|console)(?:[ \t]++(?:user|login))?[ \t]++[\w.@-]{1,40}[ \t]++/[ \t]++"
    rf"(?-i:{_UNLIKE_WORDS})([^\s\"'<>{{}}()%$/\\]{{8,80}})(?![\w/\\(])"
    r"|\bpass(?:word|phrase)[ \t]++(?:(?:of|for)[ \t]++`[^`\n]{1,60}`[ \t]++)?(?:is[ \t]++)?"
    r"`(?!(?-i:[A-Z][A-Z0-9_]*)`)([\w!#%^*+~?.@=-]{4,64})`",
    re.IGNORECASE,
)
"""A word in backticks after `password`, or one with letters and digits after `password of mqm is`,
`pw`, or `login: mqm /`."""


_PROMPT = later(
    r"^[ \t]*(?:(?:re-?)?enter|re-?type|confirm|verify)[^\n:]{0,60}pass(?:word|phrase)[^\n:]{0,60}:"
    r"[ \t]*\r?\n[ \t]*(\S+)[ \t]*\r?$",
    re.MULTILINE | re.IGNORECASE,
)
"""A prompt of a program, and the answer in the next line."""


def _finder(*forms: tuple[re.Pattern[str], tuple[str, ...]]) -> Finder:
    """Return a finder of patterns, each of which matches only where a stem of it is in the text.

    A secret is what the groups without a name match, else all of it. A group `name` is the name
    before it.
    """
    patterns = [(stem, pattern) for pattern, stems in forms for stem in stems]

    def find(text: str, low: LowerCase) -> Iterator[Span]:
        lines = low.lines
        for pattern in dict.fromkeys([pattern for stem, pattern in patterns if stem in lines]):
            for found in pattern.finditer(text):
                yield from _secrets_of(found)

    return find


def _finder_at_stems(pattern: re.Pattern[str], *stems: str) -> Finder:
    """Return a finder of a pattern that begins with a stem: it is tried only at these places."""

    def find(text: str, low: LowerCase) -> Iterator[Span]:
        end = 0
        for at in low.places(stems):
            found = pattern.match(text, at) if at >= end else None
            if found is not None:
                end = found.end()
                yield from _secrets_of(found)

    return find


def _secrets_of(found: re.Match[str]) -> Iterator[Span]:
    named = found.re.groupindex
    if "name" in named and judge(found["name"]) is Sign.NONE:
        return
    numbers = {*range(1, len(found.groups()) + 1)} - {*named.values()}
    groups = [found.span(number) for number in sorted(numbers)]
    yield from (span for span in groups or [found.span()] if span[0] >= 0)


def of_users_and_passwords(text: str, low: LowerCase) -> Iterator[Span]:
    """The words after `-p` or `-w` behind an option for a user, in programs that take one there."""
    if not any(option in low.lines for option in (" -p ", " -p=", " -w ", " -w=")):
        return
    for found in _USER_AND_PASSWORD.finditer(text):
        line = text.rfind("\n", max(found.start() - 500, 0), found.start()) + 1
        if _ASKS_AFTER_P.search(text, line, found.start()) is None:
            yield from _secrets_of(found)


def of_uris(text: str, low: LowerCase) -> Iterator[Span]:
    """The passwords before the hosts of addresses: only lines with an `@` are searched."""
    at = text.find("@")
    while at >= 0:
        start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
        end = end if end >= 0 else len(text)
        for found in _URI.finditer(text, start, end):
            yield from _secrets_of(found)
        at = text.find("@", end)


def of_resources(text: str, low: LowerCase) -> Iterator[Span]:
    """The values of resources and variables of Terraform that hold a secret."""
    if not any(word in low.lines for word in ("resource", "variable", "output")):
        return
    for resource in _RESOURCE.finditer(text):
        if resource["name"] is not None and judge(resource["name"]) is Sign.NONE:
            continue
        end = text.find("\n}", resource.end())
        end = end if end >= 0 else len(text)
        is_parameter = "ssm_parameter" in resource[0].lower()
        if not is_parameter or "SecureString" in text[resource.end() : end]:
            found = [*_OF_RESOURCE.finditer(text, resource.end(), end)]
            for data in _MAP.finditer(text, resource.end(), end):
                found += _OF_MAP.finditer(text, *data.span(1))
            spans = (_value_of(value) for value in found)
            yield from (span for span in spans if "${" not in text[slice(*span)])


def in_login_modules(text: str, low: LowerCase) -> Iterator[Span]:
    """The passwords of the users that a login module of JAAS lists."""
    if "loginmodule" in low.lines:
        for module in _LOGIN_MODULE.finditer(text):
            yield from (user.span(1) for user in _JAAS_USER.finditer(text, *module.span()))


def _value_of(found: re.Match[str]) -> Span:
    if found[1] is not None:
        return found.span(1)
    return found.span("text") if "text" in found.re.groupindex else (found.end(), found.end())


in_forms_anywhere: Final = _finder(
    (_PEM, ("private key",)),
    (_PIN, ("gsk_pkcs11",)),
    (_OPEN_STRING, ("acc=p/",)),
    (_EXIT, ("userdata",)),
    (_PROMPT, ("password:", "passphrase:")),
    (_QUERY, ("sig=", "signature=")),
)
"""Forms that MQSC may contain too."""
in_prose: Final = _finder_at_stems(
    _PROSE,
    *("pass", "pw", "login", "logon", "log in", "user", "credential", "console"),
    *("api key", "access key", "secret key"),
)
_AFTER_NAME = "\"':= \t\r\n\u00a0"
"""What may follow a name before its value: most words of MQSC that begin with `auth` go on."""
in_authorisations: Final = _finder_at_stems(
    _AUTHORISATION,
    *("basic", "login", "userpwd", "user_pwd", "cred"),
    *(f"auth{sign}" for sign in _AFTER_NAME),
)
in_forms_of_scripts: Final = _finder(
    (_HEADER, _HEADER_STEMS),
    (_BEARER, ("bearer", "basic")),
    (_SHAPES, _SHAPE_STEMS),
    (_PASS_SOURCE, ("pass:",)),
    (_LOGIN, ("password ",)),
    (_JDBC, ("jdbc:",)),
    (_SERVICE, ("password=",)),
    (_IDENTIFIED, ("identified",)),
    (_OF_SNMP, ("createuser", "community", "com2sec")),
    (_KEY_OF_TIME, (" md5 ", " sha", " aes")),
    (_SMTP, ("auth plain",)),
    (_OF_PROXY, ("_set_header",)),
    (_LISTED, ("passwords", "passwds", "pwds", "secrets", "tokens")),
    (_ON_NEXT_LINE, ("setcredential", *(f"{n} \\" for n in ("password", "secret", "token")))),
    (_ON_NEXT_LINE, ("passphrase \\",)),
    (_OF_ENCRYPT, ("encrypt:",)),
    (_NO_ECHO, ("noecho",)),
    (_JWT_KEY, ('"jwt',)),
    (_SETTING, (" set ",)),
    (_USING, (" using ",)),
    (_CONNECT, ("conn",)),
    (_WINDOWS, ("net use", "net.exe use", "/rp ", "/p:")),
    (_COLON_OPTION, ("-p:", "-p=")),
    (_ASSIGNED, ("set data",)),
    (_OF_CL, ("&", "usrprf")),
    (_CALL_OF_CL, ("call", "'-p")),
    (_SEND, ("spawn", "expect")),
    (_SET_BY_TCL, ("spawn", "expect")),
    (_CONVERT, ("securestring",)),
    (_CREDENTIAL, ("credential",)),
    (_SUBSTITUTE, ("s/", "s|", "s#", "s,")),
    (_PRINTED, ("printf",)),
    (_LOOP, ("for ",)),
    (_CASE, ("case ",)),
    (_ENCODED_LOGIN, ("getbytes", "base64", "b64encode")),
    (_REGISTRY, ("auth", "dockerconfig")),
    (_MASKED_KEY, ("keymasked", "keyencrypted")),
    (_HASHED, ("openssl",)),
    (_LDIF, ("::",)),
    (_ELEMENT, ("<",)),
    (_SET_BY_PRINTF, ("printf",)),
    (_SENSITIVE, ("set_sensitive",)),
    (_DEFINED, ("endef",)),
    (_OF_PIPELINES, ("task.setvariable",)),
    (_ADDED_MASK, ("::add-mask::", "hooks.", "api.telegram", "webhook")),
    (_PRINTED_BY_OPTION, ("echo ", "printf ")),
    (_CALL, ("auth", "connect", "context")),
    (_STATS, ("stats auth",)),
    (_USER_NAMES, ("usernames",)),
    (_SUBSTITUTE_OF_AWK, ("sub(/",)),
    (_OF_CALLS, ("crypt(", '"key"')),
    (_MOVED, ("move ",)),
    (_COMPARED, ('= "$', "= $", '-eq "$', "-eq $", '-ne "$', "-ne $", "-ceq $", "-cne $")),
    (_GIVEN_BEFORE_NAME, ("-value",)),
    (_ARGUMENT_COMPARED, ("$", "%")),
    (_LISTED_KEY, ("keys",)),
    (_OF_LOGIN, ("key:",)),
    (_AFTER_DN, ("cn=", "uid=", "dc=")),
    (_ADMINISTRATOR, ("admin:", "administrator:", "root:")),
    (_COPIED_TEXT, ("cpy", "ncat(", "strcat", "move(")),
    (_USER_ID, ("userid", "logon", "login", "conn", "sql ")),
    (_DIALOGUE_LOGON, (".logon",)),
    (_REGISTERED, ("reg ", "reg.exe ")),
    (_FED_BY_ANSIBLE, ("stdin:",)),
    (_CLEAR, ("clear-text", "open -u")),
    (_OF_BINDINGS, ("refaddr/",)),
)
