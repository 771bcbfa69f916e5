"""Secrets recognised by their form in scripts and settings: each form with the stems it needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mqlint.source.secrets.forms import (
    MIXED,
    NAMED_VARIABLE,
    UNLIKE_NAMES,
    Form,
    finder,
    form,
)

_SIGN = r"(?:pass(?!age|e[ds]|ing|ive|through)|pw|secret|token)"
_ORACLE_USER = r"[A-Za-z][\w$#]{0,30}/"
_FORMAT = r"{0}(?=(?>[^{0}\n]*?" + _SIGN + r")[^{0}\n]*?%s)[^{0}\n]*+{0}[ \t]++([^\n|;&>)]++)"
_LOOPED = rf"(?!token\b){NAMED_VARIABLE}"
"""A parser of words calls each of them `token`."""

_ARGUMENT = r"(?:\"[^\"\n]{0,200}+\"|'[^'\n]{0,200}+'|[^\"'(),]{1,80}+|\([^()]{0,200}+\)){1,8}+,"
"""An argument of a call, with calls in it, and the comma after it."""

_LOGIN_KEY = r"key:[ \t]*(?!ssh-)[\"']?([^\s\"'#|>~/.][^\s\"'#/.]*)[\"']?[ \t]*\r?$"
_LOGIN_USER = r"(?:user|username):[ \t][^\n]+(?:\n|\Z)"
_USERISH = r"(?i:user|usr|qsygetph|uid|login|logon|admin|signon)"


OF_SCRIPTS: Final[Sequence[Form]] = (
    # Headers of HTTP.
    form(
        ("authorization", "api-key", "auth-token", "private-token", "cookie", "x-auth"),
        r"(?i)(?:authorization|api-key|auth-token|private-token|cookie|x-auth)[\"']?\]?"
        r"(?:\s*+(?:[;,]\s*+)?[\"']?value[\"']?\s*+[:=]\s*+|\s*+[:=,]\s*+"
        r"(?:[\"']value[\"']\s*:\s*)?)[\"']?"
        # a word to replace: base64 has no such sign
        r"(?!basic\s+(?:[a-z]+_[a-z_]+|(?-i:[A-Z][A-Z0-9]*+_[A-Z0-9_]+))(?:[\s\"',;]|$))"
        r"(?:\\[ ])?(?:(?:basic|bearer|token|digest|negotiate|apikey|splunk)"
        r"(?:\\?\s)+)?([^\s\"',;]+)",
    ),
    # What curl reads as its options.
    form(
        ("user =", "user="),
        r"\bcurl\b[^\n]{0,300}?[ \t](?:-K|--config)[ \t=]*-(?=\s)[^\n]*(?:\n[^\n]{0,200}){0,4}?"
        r"\b(?:proxy-)?user[ \t]*=[ \t]*\\?[\"']?[^\s:\"'\\]{1,80}:([^\s\"'\\]+)",
    ),
    # Tokens and logins as a header has them, elsewhere.
    form(
        ("bearer", "basic"),
        r"\b[Bb](?:earer|EARER)\s+([A-Za-z0-9._~+/=-]{8,})"
        r"|[\"'=:]\s*[Bb]asic\s+(?=[a-z]*[A-Z0-9+/=])([A-Za-z0-9+/=]{8,})",
    ),
    # Tokens of well-known services.
    form(
        tuple(
            "akia ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- xox aiza hvs. eyj npm_ pypi- asia"
            " hvb."
            " hvr. glrt- gldt- glptt- sg. xapp- k_live_ k_test_ dckr_pat_ _v1_ hf_ age-secret-key-"
            " nrak- pmak- atatt atctt atbb dapi akcp glsa_ dp. lin_api_ sq0".split()
        ),
        r"(?<![A-Za-z0-9])(?:AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}"
        r"|glpat-[\w-]{16,}"
        r"|xox[abprs]-[\w-]{10,}|AIza[\w-]{30,}|hvs\.\w{16,}"
        r"|eyJ[\w-]{8,1000}+\.[\w-]{8,}(?:\.[\w-]*)?|npm_\w{30,}|pypi-\w{16,}"
        r"|ASIA[0-9A-Z]{16}|hv[br]\.\w{16,}|gl(?:rt|dt|ptt)-[\w-]{16,}|SG\.[\w-]{16,}\.[\w-]{16,}"
        r"|xapp-\d-[\w-]{10,}|[sr]k_(?:live|test)_\w{16,}|dckr_pat_[\w-]{16,}|do[opr]_v1_\w{32,}"
        r"|hf_[A-Za-z0-9]{30,}|AGE-SECRET-KEY-1[0-9A-Z]{20,}|NRAK-[0-9A-Z]{20,}|PMAK-[\w-]{30,}"
        r"|AT(?:ATT|CTT|BB)[\w=-]{20,}|dapi[0-9a-f]{32}|AKCp[A-Za-z0-9]{30,}|glsa_\w{30,}"
        r"|dp\.(?:pt|st)\.[\w.]{30,}|lin_api_\w{30,}|sq0\w{3}-[\w-]{20,})",
    ),
    # A password of openssl: `-passin pass:text`.
    form("pass:", r"(?<![\w:])pass:([^\s\"')]+)"),
    # Lines of .netrc.
    form("password ", r"(?i)\b(?:login|user|machine)\s+\S+\s+(?:login\s+\S+\s+)?password\s+(\S+)"),
    # An address of JDBC: `jdbc:oracle:thin:app/text@host`.
    form("jdbc:", r"jdbc:(?:[^\s\"'/@]{0,200}+/){1,20}+([^\s\"'/@]{1,200}+)@"),
    # The account of a service of Windows.
    form(
        "password=",
        r"(?i)\bsc(?:\.exe)?\s+(?:config|create)\b[^\n]{0,500}?\bpassword=\s+\"?([^\s\"][^\"\n]*)",
    ),
    # SQL: IDENTIFIED BY.
    form(
        "identified",
        r"(?i)\bidentified\s+(?:with\s+\S{1,60}\s+(?:by|as)|by)\s+\\?[\"']?([^\s\"';\\]+)"
        r"(?:\\?[\"']?\s+replace\s+\\?[\"']?([^\s\"';\\]+))?",
    ),
    # Users and communities of SNMP.
    form(
        ("createuser", "community", "com2sec"),
        r"(?im)\bcreateUser[ \t]+\S{1,60}[ \t]+(?:MD5|SHA[\w-]{0,5})[ \t]+[\"']?([^\s\"']+)"
        r"(?:[\"']?[ \t]+(?:AES|DES)\w{0,5}[ \t]+[\"']?([^\s\"']+))?"
        r"|^[ \t]*r[ow]community6?[ \t]+[\"']?([^\s\"']+)"
        r"|^[ \t]*com2sec6?[ \t]+\S{1,60}[ \t]+\S{1,60}[ \t]+([^\s\"']+)",
    ),
    # A key in the files of keys of chrony and ntp.
    form(
        (" md5 ", " sha", " aes"),
        r"(?m)^[ \t]*\d{1,5}[ \t]+(?:MD5|SHA\d{0,3}|AES\d{3})[ \t]+(?:HEX:|ASCII:)?(\S+)[ \t]*\r?$",
    ),
    # A login of SMTP.
    form("auth plain", r"(?im)^[ \t]*AUTH[ \t]+PLAIN[ \t]+(\S+)"),
    # A header that a proxy adds.
    form(
        "_set_header",
        r"(?i)_set_header[ \t]+X-[\w-]{0,40}(?:Key|Token|Secret)[ \t]+[\"']?([^\s\"';$]+)",
    ),
    # Several values of a variable of PowerShell.
    form(
        ("passwords", "passwds", "pwds", "secrets", "tokens"),
        r"(?i)\$\w{0,40}(?:passwords|passwds|pwds|secrets|tokens)[ \t]*=[ \t]*(?:@\([ \t]*)?"
        r"([\"'][^\"'\n]+[\"'](?:[ \t]*,[ \t]*[\"'][^\"'\n]+[\"']){1,40})",
    ),
    # A value of systemd, or of a file of properties, that begins after a backslash.
    form(
        ("setcredential", "password \\", "secret \\", "token \\", "passphrase \\"),
        r"(?im)\bSetCredential(?:Encrypted)?=[^\s:]{1,80}:[ \t]*\\\r?\n[ \t]*(\S+)"
        r"|^[ \t]*[\w.-]{0,100}(?:password|secret|token|passphrase)[ \t]+\\\r?\n[ \t]+([^\s-]\S*)",
    ),
    # The key with which Spring encrypts.
    form(
        "encrypt:",
        r"(?m)^(?P<lead>[ \t]*)encrypt:[ \t]*\r?\n(?:(?P=lead)[ \t]+[\w-]+:[^\n]*\n){0,5}?"
        r"(?P=lead)[ \t]+key:[ \t]*[\"']?([^\s\"'#/{$][^\s\"'#/]*)",
    ),
    # The default of a parameter of CloudFormation that is not shown.
    form(
        "noecho",
        r"(?m)^([ \t]+)(?:NoEcho:[ \t]*[\"']?true[\"']?[ \t]*\r?\n(?:\1\w[^\n]*\n){0,8}?"
        r"\1Default:[ \t]*[\"']?([^\"'\s][^\"'\n]*)"
        r"|Default:[ \t]*[\"']?([^\"'\s][^\"'\n]*+)[\"']?[ \t]*\r?\n(?:\1\w[^\n]*\n){0,8}?"
        r"\1NoEcho:[ \t]*[\"']?true\b)",
    ),
    # The key in a section of settings of ASP.NET.
    form(
        '"jwt',
        r"(?i)\"jwt\w{0,20}\"\s*:\s*\{[^{}]{0,500}?\"(?:secret|signing)?key\"\s*:\s*\"([^\"\n]+)",
    ),
    # A setting that a command changes: `aws configure set`.
    form(
        " set ",
        r"(?i)\b(?:configure|config)\s+set\s+\S*(?:secret|passw|token)\S*\s+[\"']?([^\s\"';]+)",
    ),
    # CONNECT TO ... USER ... USING of Db2.
    form(
        " using ",
        r"(?i)\b(?:connect|attach)\s+(?:to\s+)?\S+\s+user\s+\S+\s+using\s+"
        r"(?:'{1,2}([^'\n]+)'|\"([^\"\n]*)\"|([^\s\"';]+))",
    ),
    # CONNECT of SQL*Plus.
    form("conn", r"(?i)\bconn(?:ect)?[ \t]+[^\s/\"'@:]+/(?:\"([^\"\n]+)\"|([^\s@\"';/]+))@"),
    # Commands of Windows: net use, schtasks, and others with `/p:`.
    form(
        ("net use", "net.exe use", "/rp ", "/p:"),
        r"(?i)\bnet(?:\.exe)?[ \t]+use[ \t]+(?:[a-z*]:?[ \t]+)?[\"']?\\\\\S+[ \t]+"
        r"(?:/\w+:\S+[ \t]+)*+((?![/>|&*])\S+)"
        r"|\s/rp\s+(\S+)|\s/p:(\S+)",
    ),
    # An option of PowerShell. `-p:NAME=VALUE` is a property of a build.
    form(
        ("-p:", "-p="),
        r"(?im)(?<=\s)-p[:=][ \t]*(?!\d{1,5}(?:[\s:]|$)|\w+=)(?:\"([^\"\n]+)|'([^'\n]+)"
        r"|([^\s\"';|&]+))",
    ),
    # `set data` of tools for tests.
    form("set data", r"(?i)\bset\s+data\s+\S+\s+(?:[\w.-]+=\S+\s+)*?[\w.-]+=(\S+)"),
    # Variables and user profiles in CL.
    form(
        ("&", "usrprf"),
        r"(?i)&(?=\w*?(?:PW|PASS|SECRET|TOKEN))\w++[ \t]++"
        r"(?:(?:TYPE\()?\*\w++\)?[ \t]++(?:(?:LEN\()?\d++\)?[ \t]*+)?)?"
        r"(?:VALUE\()?'([^'\n]+)'"
        r"|(?:CRT|CHG)USRPRF[ \t]++(?:USRPRF\(\w++\)|\w++)[ \t]++"
        r"(?!PASSWORD)([^\s()*&+-][^\s()]*+)(?![()])",
    ),
    # A user and a password as parameters of a program whose name, or that of the user, says so.
    form(
        ("call", "'-p"),
        rf"(?i)\bCALL(?:PRC)?\b(?=[^\n]{{0,80}}{_USERISH})[^'\n]{{0,80}}"
        r"\([ \t]*(?:'[^'\n]{1,80}'[ \t]+){1,3}'([^'\n]+)'"
        r"|\bCALL[ \t]+'[^'\n]{1,80}\)'[ \t]+'[^'/\n]{1,20}/([^'\n]+)'"
        r"|'--?p(?:w|wd|ass\w*)?'[ \t]+'(?!\d{1,5}')([^'\n]+)'",
    ),
    # What a dialogue of Expect sends.
    form(
        ("spawn", "expect"),
        r"\b(?:send|exp_send)(?:[ \t]+-[hs-])*[ \t]+(?:\\?\"|\{)?(?!(?:(?:crt|str|end|dlt)mqm"
        r"|runmqsc"
        r"|mqcli|dspmq|setmqaut|rcdmqimg|exit|(?i:end)|(?i:def(?:ine)?|alt(?:er)?|set|dis(?:play)?"
        r"|start"
        r"|refresh)(?=[ \t]))\b)((?![\\\"{-])[^\"\\\n}\s;]+)"
        r"(?=\\|\"|\}|[ \t;]|$)",
    ),
    # A variable of Tcl.
    form(
        ("spawn", "expect"),
        rf"(?i)\bset[ \t]+(?:::)?(?:env\()?{NAMED_VARIABLE}\)?[ \t]+(?:\{{([^{{}}\n]+)\}}"
        rf"|\"([^\"\n]+)\")",
    ),
    # A secure string of PowerShell.
    form(
        "securestring",
        r"(?i)ConvertTo-SecureString(?:(?:[ \t]|`\r?\n)++-(?:AsPlainText|Force|String))*+(?:[ \t]"
        r"|`\r?\n)++"
        r"(?:@[\"'][ \t]*+\r?\n|\$?\([ \t]*+(?=[\"']))?[\"']?"
        r"((?![-(@`$])[^\"'\n|)]{1,500}?)(?=[\"'\n|)]|(?<![ \t])[ \t]++-)"
        r"|(?<!-Content )(?<!Path )[\"']([^\"'\n]+)[\"'][ \t]*\|[ \t]*ConvertTo-SecureString",
    ),
    # A credential of PowerShell.
    form("credential", r"(?i)Credential[^\n]{0,40}?[\"'][^\"'\n]*[\"']\s*,\s*[\"']([^\"'\n]+)"),
    # A placeholder that sed replaces.
    form(
        ("s/", "s|", "s#", "s,"),
        rf"(?i)\bs[/|#,](?=[^/|#,\n]*?{_SIGN})[^/|#,\n]++[/|#,]([^/|#,\n]++)[/|#,]",
    ),
    # What printf puts into a text about a secret.
    form(
        "printf",
        r"(?i)\bprintf[ \t]++(?:--[ \t]++)?"
        rf"(?:{_FORMAT.format(chr(34))}|{_FORMAT.format(chr(39))})",
    ),
    # The values of a variable of a loop.
    form("for ", rf"(?i)\bfor[ \t]++{_LOOPED}[ \t]++in[ \t]++([^\n;]+)"),
    # What a variable is compared with.
    form("case ", rf"(?i)\bcase[ \t]++\"?\$\{{?{_LOOPED}\}}?\"?[ \t]++in[ \t]++([^\n)]+)\)"),
    # A user and a password before they become base64: one text, or two with a colon between them.
    form(
        ("getbytes", "base64", "b64encode"),
        r"(?i)\bGetBytes\([ \t]*[\"'][^\"':\n]{0,200}:([^\"'\n]+)[\"']"
        r"|[\"'][^\"':\s]{1,80}:([^\"'\s]+)[\"'][ \t]*\|[ \t]*b64encode"
        r"|[\"'][^\"'\s:]{0,80}:[\"'][ \t]*\+[ \t]*[\"'](?!\d+[\"']|//)([^\"'\n]+)[\"']"
        r"|[\"']\{0\}:\{1\}[\"'][ \t]+-f[ \t]+[\"'][^\"'\n]{1,80}[\"'][ \t]*,"
        r"[ \t]*[\"']([^\"'\n]+)[\"']",
    ),
    # A user and a password, or a file of them, for a registry of images.
    form(
        ("auth", "dockerconfig"),
        r"\"?(?:\bauth|\.?\bdockerconfig(?:json)?)\"?[ \t]*:[ \t]*\"?"
        r"(?=[a-z]*[A-Z0-9+/])((?:[A-Za-z0-9+/]{4}){2,}(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}="
        r"|[A-Za-z0-9+/]{2}==))"
        r"(?![A-Za-z0-9+/=])",
    ),
    # The key of a PassTicket, in commands of RACF.
    form(("keymasked", "keyencrypted"), r"(?i)\bKEY(?:MASKED|ENCRYPTED)\([ \t]*'?([^)'\n]+)"),
    # A text that openssl hashes.
    form(
        "openssl",
        r"\bopenssl[ \t]+passwd\b(?:[ \t]+-salt[ \t]+\S+|[ \t]+-(?!salt)\w+)*[ \t]+([^\s|;&)-]\S*)",
    ),
    # A value of LDIF in base64.
    form("::", r"(?im)^[ \t]*\w*(?:passw(?:or)?d|pw)::[ \t]+(\S+)"),
    # An element of XML with a value.
    form(
        "<",
        r"(?i)<(?=[\w:]{0,40}(?:passw(?:or)?d|secret|token))(?P<name>[\w:]++)\s"
        r"(?:[^<>]{0,200}?\s)?value\s*+=\s*+"
        r"[\"']([^\"'<]+)",
    ),
    # A variable that printf sets.
    form(
        "printf",
        rf"(?i)\bprintf[ \t]++-v[ \t]++{NAMED_VARIABLE}[ \t]++"
        r"(?:\"[^\"\n]*+\"|'[^'\n]*+'|\S++)[ \t]++([^\n;|&]++)",
    ),
    # A value that Terraform gives to Helm.
    form("set_sensitive", r"\bset_sensitive[ \t]*\{[^{}]*?\bvalue[ \t]*=[ \t]*\"([^\"\n]+)\""),
    # A variable of several lines in a makefile.
    form(
        "endef",
        rf"(?im)^(?:override[ \t]+)?define[ \t]+{NAMED_VARIABLE}[ \t]*[:?+]*=?[ \t]*\r?\n"
        r"((?:(?!endef)[^\n]*\n)*+)",
    ),
    # A variable of Azure Pipelines.
    form(
        "task.setvariable",
        rf"(?i)##vso\[task\.setvariable[ \t]+variable={NAMED_VARIABLE}[^\]\n]*\]([^\s\"'\n]+)",
    ),
    # Words that a pipeline is to mask, and addresses that are a secret.
    form(
        ("::add-mask::", "hooks.", "api.telegram", "webhook"),
        r"::add-mask::([^\s\"']+)|hooks\.slack\.com/services/\w+/\w+/(\w+)"
        r"|api\.telegram\.org/bot\d+:([\w-]+)|webhook\.office\.com/webhookb2/([^\s\"'<>]+)"
        r"|discord(?:app)?\.com/api/webhooks/\d+/([\w-]+)",
    ),
    # A command that prints a secret and nothing else: `--password-command 'echo text'`.
    form(
        ("echo ", "printf "),
        r"(?i)(?:pass(?:word|phrase|wd)?|secret|token)[_-]?(?:command|cmd|program)\b[\"']?"
        r"[ \t]*+(?:[=:][ \t]*+)?[\"']?(?:echo|printf)[ \t]+([^\s\"';|$]+)",
    ),
    # A user and a password as words of a call of well-known libraries.
    form(
        ("auth", "connect", "context"),
        r"(?:\bauth[ \t]*=[ \t]*|BasicAuth|authorization_basic|\bdb\.auth"
        r"|\bcreate\w{0,20}?(?:Connection|Context))\([ \t]*"
        r"(?:[\"'][^\"'\n]{0,200}[\"']|(?=[\w.]{0,40}?(?i:user|uid|login))[\w.]{1,80}+(?:\(\))?)"
        r"[ \t]*,[ \t]*[\"']([^\"'\n]+)"
        rf"|\b(?:pymqi\.connect\((?:{_ARGUMENT}){{4}}|connect_tcp_client\((?:{_ARGUMENT}){{5}})\s*"
        r"b?[\"']([^\"'\n]+)",
    ),
    # A user and a password for the pages of HAProxy.
    form("stats auth", r"\bstats[ \t]+auth[ \t]+[^\s:]{1,80}:(\S+)"),
    # The users of a cluster of VCS with their passwords.
    form("usernames", r"\bUserNames[ \t]*=[ \t]*\{([^{}]{1,2000})\}"),
    # The same in awk.
    form("sub(/", rf"(?i)\bg?sub\(/(?=[^/\n]*?{_SIGN})[^/\n]++/[ \t]*,[ \t]*\\?\"([^\"\\\n]+)"),
    # A text that is encrypted, and the key of an API in a collection of Postman.
    form(
        ("crypt(", '"key"'),
        r"\bcrypt\([ \t]*\\?[\"']([^\"'\\\n]+)"
        r"|\"key\"\s*:\s*\"value\"\s*,\s*\"value\"\s*:\s*\"([^\"\n]+)\"",
    ),
    form("move ", r"(?i)\bMOVE[ \t]+[\"']([^\"'\n]+)[\"'][ \t]+TO[ \t]+(?P<name>[\w-]++)"),
    # A text that is compared with a variable after it.
    form(
        ('= "$', "= $", '-eq "$', "-eq $", '-ne "$', "-ne $", "-ceq $", "-cne $"),
        r"(?:\"([^\"\n]+)\"|'([^'\n]+)')[ \t]+(?:-c?(?:eq|ne)|={1,2}|!=)"
        r"[ \t]+\"?\$\{?(?P<name>\w+)",
    ),
    # A command of PowerShell that gives a value to what `-Name` says, in any order.
    form(
        "-value",
        r"(?i)\b[A-Za-z]{2,20}-[A-Za-z]{2,40}"
        r"(?=[^\n|;]{0,300}?[ \t]-Name[: \t]+[\"']?(?P<name>[\w.-]++))[^\n|;]{0,300}?"
        r"[ \t]-Value[: \t]+"
        r"(?:\"([^\"\n]+)\"|'([^'\n]+)'|([^\s\"'$()|;-][^\s\"'()|;]*))",
    ),
    # An argument that is compared with a word as names hardly are.
    form(
        ("$", "%"),
        r"(?i)(?:(?<=\[[ \t])|\b(?:test|if(?:[ \t]+/i)?(?:[ \t]+not)?)[ \t(]*)[\"']?"
        r"(?:\$\{?[1-9]\}?|%~?[1-9]|\$args\[\d\])[\"']?[ \t]*(?:={1,2}|!=|-c?(?:eq|ne)\b|EQU|NEQ)"
        r"[ \t]*"
        rf"[\"']?{UNLIKE_NAMES}([\w!#%^*+~]{{8,64}}+)(?=[\"'\s\]);])",
    ),
    # A list of keys, in which one is not like a name.
    form(
        "keys",
        r"\bkeys[\"']?[ \t]*[:=]\s*\["
        rf"(?=[^\[\]{{}}]*?[\s\"'\[]{UNLIKE_NAMES}[\w!#%^*+~-]{{10,200}}[\s\"',])([^\[\]{{}}]+)",
    ),
    # A key beside a user, as actions that use ssh take it.
    form(
        "key:",
        rf"(?m)^(?P<lead>[ \t]+)(?:{_LOGIN_USER}"
        rf"(?:(?P=lead)\w[^\n]*\n){{0,6}}?(?P=lead){_LOGIN_KEY}"
        rf"|{_LOGIN_KEY}(?=(?:\n(?P=lead)\w[^\n]*){{0,6}}?\n(?P=lead){_LOGIN_USER}))",
    ),
    # A distinguished name and a password in one word.
    form(
        ("cn=", "uid=", "dc="),
        r"(?i)\b(?:cn|uid|ou|dc|o)=[^%\"'\n]{1,200}%(?!20)([^%\"'\s=,]{4,100})(?=[\"'\s]|\Z)",
    ),
    # A user and a password as all of a text.
    form(
        ("admin:", "administrator:", "root:"),
        r"[\"'](?:admin|administrator|mqadmin|root):(?!//)" + MIXED + r"([^\s\"':/]{6,64})[\"']",
    ),
    # A text that a program in C copies into a variable.
    form(
        ("cpy", "ncat(", "strcat", "move("),
        r"\b(?:str|mem|wcs|wmem)n?(?:cpy|cat|move)(?:_s)?\([ \t]*(?:\w+(?:\.|->))*+(?P<name>\w++)"
        r"[ \t]*,(?:[^,\"\n]{0,60},)?[ \t]*\"([^\"\n]+)\"",
    ),
    # A user and a password of Oracle: `userid=app/text`, `DB_LOGON=app/text@service`.
    form(
        ("userid", "logon", "login", "conn", "sql "),
        rf"(?i)\buserid[ \t]*=[ \t]*\\?[\"']?{_ORACLE_USER}([^\s@\"';/)]+)"
        r"|\b(?:(?:[A-Za-z]\w{0,30}_)?(?:log[io]n|connect\w{0,8}|conn(?:_?str\w{0,3})?"
        r"|userid)[\"']?"
        rf"[ \t]*[:=]|sql[ \t])[ \t]*[\"']?{_ORACLE_USER}([^\s@\"';/$]+)@(?!v\d)[\w/]",
    ),
    # A logon of Teradata.
    form(".logon", r"(?i)\.logon[ \t]+[^\s,;]{1,200},[ \t]*([^\s;\"']+)"),
    form(
        ("reg ", "reg.exe "),
        rf"(?i)\breg(?:\.exe)?[ \t]+add\b[^\n]{{0,300}}?[ \t]/v"
        rf"[ \t]+\"?{NAMED_VARIABLE}\"?[^\n]{{0,100}}?"
        r"[ \t]/d[ \t]+(?:\"([^\"\n]+)\"|([^\s\"]+))",
    ),
    # The password that a task of Ansible gives to runmqsc -u.
    form(
        "stdin:",
        r"\brunmqsc\b(?:[ \t]++(?!-u\b)\S{1,60}){0,6}[ \t]++-u[ \t][^\n]{0,200}\n"
        r"(?:[ \t]*args:[ \t]*\n)?[ \t]*stdin:"
        r"(?:[ \t]*[|>][-+]?[ \t]*\n)?[ \t]*[\"']?([^\s\"']+)",
    ),
    # A password of lftp, and others in clear text.
    form(
        ("clear-text", "open -u"),
        r"\bclear-text[ \t]*=[ \t]*[\"']([^\"'\n]+)|\bopen[ \t]+-u[ \t]+[^\s,]{1,200},([^\s\"';]+)",
    ),
    # A password among the references of a bindings file of JNDI.
    form(
        "refaddr/",
        r"/RefAddr/\d{1,3}/Type[ \t]*=[ \t]*(?P<name>\w{1,40})[ \t\r]*\n"
        r"(?:[^\n]{0,400}/Encoding[^\n]{0,400}\n)?"
        r"[^\n]{0,400}/RefAddr/\d{1,3}/Content[ \t]*=[ \t]*(\S+)",
    ),
)
in_forms_of_scripts: Final = finder(OF_SCRIPTS)
