"""What is masked of a text, what is not, and what stays of its layout."""

from __future__ import annotations

from base64 import b64encode

import pytest

from mqlint.config.settings import Settings
from mqlint.engine import Analyser, Input
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.loading.load import load
from mqlint.source.masking import HIDDEN, masked, shown
from mqlint.source.secrets import secret_spans
from tests.linear import is_linear_in_time
from tests.shipped import shipped_vocabulary

ANALYSER = Analyser(shipped_vocabulary())
ASSEMBLY = Assembly(Settings(), ANALYSER.vocabulary)

COVERED = [
    "DEFINE CHANNEL(A) CHLTYPE(SDR) PASSWORD('hush') USERID(U)",
    "DEFINE CHANNEL(A) CHLTYPE(SDR) PASSWORD(hush)",
    "define channel(a) password ( 'hush' )",
    "ALTER QMGR SSLCRYP('GSK_PKCS11=/lib/x.so;slot;hush;')",
    "ALTER QMGR KEYRPWD('hush)')",
    "ALTER QMGR KEYRPWD('it''s hush')",
    "DEFINE AUTHINFO(A) LDAPPWD('hush",
    "DEFINE AUTHINFO(A) LDAPPWD(hush",
    "DEFINE CHANNEL(A) PASWORD('hush')",
    "DEFINE CHANNEL(A) PASSWROD('hush')",
    "DEFINE CHANNEL(A) PASSWORD1('hush')",
    "DEFINE CHANNEL(A) CHLTYPE(SDR) PASSWORD('a')('hush')('hush')",
    "DEFINE CHANNEL(A) CHLTYPE(SDR) PASSWORD() ('hush')",
    "DEFINE CHANNEL(A) PASSWORD 'hush'",
    "DEFINE AUTHINFO(A) LDAPWD('hush')",
    "DEFINE CHANNEL(A) PASSWORD +\n  ('hush')",
    "DEFINE CHANNEL(A) PASSWORD( +\n  'hush')",
    "DEFINE CHANNEL(A) PASSWORD('no+\n  hush')",
    "DEFINE CHANNEL(A) PASSWORD('no-\nhush')",
    "DEFINE CHANNEL(A) PASSW+\n  ORD('hush')",
    "DEFINE CHANNEL(A) REPLACE+\n  SSLCRYP('hush')",
    "DEFINE CHANNEL(A) PASSWORD( +\n* a remark +\n  'hush')",
    "DEFINE CHANNEL(A) PASSWORD(\n'hush')",
    "DEFINE CHANNEL(A) PASSWORD( +\n" + " +\n" * 500 + "'hush')",
    "* the old one: password: hush",
    "* password for the directory: hush4you",
    "* the password of mqadmin is hush4you",
    "DEFINE QLOCAL(A) DESCR('user app pw hush4you')",
    "* login: mqadmin / hush4you",
    "<privateKey name='a' keyPassword='hush'>-----BEGIN</privateKey>",
    "Password=hush hush",
    'net { shared-secret "hush"; }',
    "net { shared-secret hush; ping-int 3; }",
    "MQ_ADMIN_PASSWORD=hush runmqsc",
    "CHGMQMCHL CHLNAME(A) SCYUSRDTA('hush')",
    "ADDENVVAR ENVVAR(MQ_PASSWORD) VALUE('hush')",
    "ADDENVVAR ENVVAR('MQ_PASSWORD') VALUE('hush')",
    "MQ_CONNAUTH=app:hush runmqsc",
    "setenv MQ_PASSWORD hush",
    "setenv MQ_PASSWORD 'hush'",
    '<entry key="api.secret">hush</entry>',
    "<password>\n hush hush\n</password>",
    "<password>\n hush\n</passwrd>",
    "<password> hush hush <!-- not closed",
    "<entry type='a' key='password' >hush</entry>",
    "<property><name>pwd</name><value>hush</value></property>",
    "<context-param><param-name>password</param-name> <param-value>hush</param-value>",
    "<init-param>\n <param-name>token</param-name>\n <param-value>hush</param-value>",
    "command: runmqserver --pass hush",
    'exec: {command: [curl, -u, "u:hush", h]}',
    'CMD ["/usr/bin/curl", "-u", "u:hush", "https://h"]',
    "CMD ['mysql', '-phush']",
    'CMD ["mysqladmin", "ping", "-p(hush]"]',
    "https://blob.example/x?sv=2022&sig=hush",
    "https://s3.example/x?X-Amz-Signature=hush&a=b",
    '"basicAuth": "u:hush"',
    "* login for the console: admin / hush4you",
    "* log in with app/hushHush7",
    "* user app / pass hushHush7",
    "* passphrase for the key ring -> hushHush7",
    "* API key hushHush7",
    "DEFINE PROCESS(A) USERDATA('app/hushHush7')",
    "DEFINE CHANNEL(A) CHLTYPE(SVRCONN) RCVDATA('key=hush')",
    "DEFINE PROCESS(A) USERDATA('-user app -password hush')",
]

IN_SCRIPTS = [
    "Parameters:\n  MqKey:\n    NoEcho: true\n    Type: String\n    Default: hush\n",
    "Parameters:\n  Code:\n    Default: hush\n    NoEcho: 'true'\n",
    "su - mqm <<EOF\nhush\nls /tmp\nEOF",
    "CONNECT scott/hush@ORDERS",
    'conn scott/"hush"@ORDERS',
    "args: [\n  sshpass,\n  -p,\n  hush\n]\nother: [curl, -u, 'u:hush']",
    'secretGenerator:\n- name: s\n  literals:\n  - misc="hush"',
    "secretGenerator:\n- name: s\n  literals: [\"misc='hush'\"]",
    "rclone config create a sftp user mq pass hush",
    "rclone config update a client_secret=hush",
    'L=app:hush; http --follow -a "$L" https://h.example',
    "L=app:hush\nhttp --auth $L https://h.example",
    'L=app%hush; smbclient //h/s -U "$L"',
    "X=SG.hushhushhushhush1.hushhushhushhush2",
    "echo dckr_pat_hushhushhushhush12 | cat",
    "curl https://api.telegram.org/bot123456789:hushhush_hush1/sendMessage",
    "restic --password-command 'echo hush' backup /a",
    "BORG_PASSCOMMAND='echo hush' borg list",
    "dsconf -D cn=a -w hush ldap://h backup create",
    "Log in as `mqm` with the password `hush`.",
]

IN_SCRIPTS += [
    "while IFS=: read -r user password; do\n  useradd $user\ndone <<EOF\napp:hush\nEOF",
    "cat > users <<EOF\napp hush\nEOF\nwhile read user password; do :; done < users",
    "{ cat <<EOF\napp:hush\nEOF\n} | chpasswd",
    "echo hush | xargs sshpass -p",
    "echo hush | xargs -I{} sshpass -p {} ssh h",
    "printf 'addent -password -p mq@R -k 1 -e aes\\nhush\\nwkt k\\n' | ktutil",
    "CALL PGM(X) PARM('user' 'hush')",
    "CALL PGM(MQLOGON) PARM('MQUSER' 'hush')",
    "entitlement:\n  key: hush",
    "echo 'app hush' | while read user password; do useradd $user; done",
    "for u in app:hush adm:hush; do echo $u | chpasswd; done",
    "{\n  echo hush\n  cat a.mqsc\n} | runmqsc -u app QM1",
    "echo hush | xargs -I% runmqakm -keydb -create -db k.kdb -pw %",
    "echo hush | xargs runmqakm -keydb -create -db k.kdb -pw",
    "sshpass -d 0 ssh h <<< hush",
    "cat > ~/.smbcredentials <<EOF\nusername=u\npassword hush\nEOF",
    "mapfile -t PASSWORDS <<EOF\nhush\nEOF",
    "systemd-ask-password --echo=no <<< hush",
    "echo hush | systemd-creds encrypt - x",
    "secret-tool store --label=mq k v <<< hush",
    "security add-generic-password -a u -s mq -w hush",
    "pass insert -e mq/admin <<< hush",
    'mqweb=hush; curl -u "mqadmin:$mqweb" https://h.example',
    "echo quote PASS hush>> ftp.txt",
    "echo user u hush>> ftp.txt",
    "$p.Add([IBM.WMQ.MQC]::PASSWORD_PROPERTY, 'hush')",
    "Set-Content -Path C:\\mq\\password.txt -Value 'hush'",
    "'hush' | Out-File C:\\mq\\password.txt",
    "'hush' > C:\\mq\\password.txt",
    "Add-Content pw.txt hush",
    "//S EXEC PGM=DMBATCH\n//SYSIN DD *\n SIGNON USERID=(MQU,hush)\n/*",
    "//S EXEC PGM=DMBATCH\n//SYSIN DD *\n SUBMIT PROC=X SNODEID=(MQU,hush)\n/*",
    "//S EXEC PGM=IKJEFT01\n//SYSTSIN DD *\n CALL 'A.B(MQLOGON)' 'MQU/hush'\n/*",
    "RUNJVA CLASS(x) PARM('-u' 'u' '-p' 'hush')",
    "CALL MQLOGON ('MQUSER' 'hush')",
    "CALLPRC PRC(LOGON) PARM('MQUSER' 'hush')",
    "  - command: passwd --stdin mqm\n    args:\n      stdin: hush",
    "  - command:\n      cmd: kinit x\n      stdin: hush",
    '  - command:\n      cmd: chpasswd\n      stdin: "mqm:hush"',
    "  - command: runmqcred\n    args:\n      stdin: |\n        hush",
    "  - copy:\n      dest: /run/secrets/mqAdminPassword\n      content: hush",
    "  - copy:\n      content: hush\n      dest: /etc/mq/password",
    "  - copy: content=hush dest=/etc/mq/password",
    "  - shell: sshpass -p {{ pw | default('hush') }} ssh h",
    "ibm.mq.password=${MQ_PASSWORD:hush}",
    "ibm.mq.password=${mq-password:hush}",
    "ibm.mq.password=${MQ_PASSWORD:${OTHER:hush}}",
    "MQ_ADMIN_PASSWORD=${ADMIN_PASSWORD:-${PASSWORD:-hush}}",
    "ibm.mq.password=${MQ_PASSWORD:ENC(hush)}",
    "imageCredentials:\n  registry: x\n  key: hush",
    "auth:\n  basic: 'u:hush'",
    "qm:\n  initialKey: hush",
    "build job: 'x', parameters: [[$class: 'PasswordParameterValue', name: 'X', value: 'hush']]",
    "writeFile file: 'password.txt', text: 'hush'",
    "writeFile(text: 'hush', file: 'pw')",
    '    labels:\n      - "traefik.http.middlewares.a.basicauth.users=u:hush"',
    "    entrypoint:\n      - curl\n      - -u\n      - u:hush\n      - https://h.example",
    "    command:\n    - sshpass\n    - -p\n    - hush\n    - ssh",
    "app.login=u/hush4you",
    '"env": [{"key": "x", "value": "hush", "type": "secret"}]',
    '"parameters": {"adm": {"type": "securestring", "defaultValue": "hush"}}',
    '"variable": [{"key": "a", "value": "hush", "type": "secret"}]',
    "file { '/etc/mq/password': content => 'hush' }",
    "file { '/run/secrets/mqAdminPassword':\n  ensure  => file,\n  content => \"hush\\n\",\n}",
    "execute 'y' do\n  command 'runmqcred'\n  input 'hush'\nend",
    "file '/etc/mq/password' do\n  content 'hush'\nend",
    '{"kind": "Secret",\n "apiVersion": "v1",\n "stringData": {\n  "x": "hush"\n }\n}',
    "<Exec><Command>sshpass</Command><Arguments>-p hush ssh h</Arguments></Exec>",
    '"exits": {"security": {"name": "x(y)", "options": {"a": 1}, "userData": "hush"}}',
    "echo 'app/hush@db' | sqlplus -s",
    "htpasswd -i users app <<< hush",
    "CALL PGM(MYLIB/LOGONMQ) PARM('QM1' 'MQUSER' 'hush')",
    '{"apiVersion":"v1","stringData":{"x":"hush"},"kind":"Secret"}',
    "$x = 'hush'\n$x | runmqcred",
    "New-Item password.txt -Value 'hush'",
    "x='hush'; curl -u \"admin:${x}\" https://h",
    "printf 'open h\\nuser mqm hush\\nput a\\n' | ftp -n",
    "parallel runmqakm -keydb -create -db {1} -pw {2} ::: a.kdb ::: hush",
    "parallel --link sshpass -p {2} ssh mqm@{1} ::: h1 h2 ::: hush hush",
    "parallel sshpass -p ::: hush",
    "echo u:hush | xargs -I{} curl -u {} https://h",
    "USERS=('a:hush'\n 'b:hush')\nfor u in ${USERS[@]}; do echo \"$u\" | chpasswd; done",
    'for up in a:hush; do\n IFS=: read u p <<< "$up"\n echo "$p" | passwd --stdin $u\ndone',
    "read u p <<< 'a hush'\ncurl -u \"$u:$p\" h\nsshpass -p $p ssh h",
    "exec 3<<<'hush'\nrunmqakm -keydb -create -db k -pw \"$(cat <&3)\"",
    "exec 3<<<'hush'\nread -r PW <&3",
    "coproc APP { amqsput Q QM1; }\necho 'hush' >&\"${APP[1]}\"",
    "coproc runmqcred\necho hush >&${COPROC[1]}",
    'mk() { runmqakm -keydb -create -db "$1" -pw "$2"; }\nmk a.kdb hush\nmk b.kdb \'hush\'',
    "mk() {\n local db=$1 pass=$2\n sshpass -p $pass ssh $db\n}\nmk h hush",
    'function mk {\n  echo "$1" | chpasswd\n}\nmk hush',
    'for /f "tokens=1,2" %%a in ("app1 hush") do net user %%a %%b /add',
    "for %%p in (hush) do runmqakm -keydb -create -db k.kdb -pw %%p",
    "<nul set /p=hush> keystore.pwd",
    '$pair = "u:hush"\n[Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes($pair))',
    "$p = 'u' + ':' + 'hush'\n[Convert]::ToBase64String($b)",
    "$p = \"{0}:{1}\" -f 'u', 'hush'\n[Convert]::ToBase64String($b)",
    "Authorization: \"Basic {{ 'u:hush' | b64encode }}\"",
    "AUTH=u:hush; echo -n $AUTH | base64",
    "set mq_pw hush\nset port 1414",
    "<variable name='a' value='{xor}hush'/>",
    "PASSWORD\u00a0=\u2007hush",
    "echo -e 'hush\\nhush' | runmqakm -keydb -create -db k.kdb -stash",
    "keytool -import -keystore k.jks <<EOF\nhush\nyes\nEOF",
    'mysql -e "GRANT ALL ON x TO a IDENTIFIED BY \\"hush\\""',
    '{"items":[{"kind":"Secret","apiVersion":"v1","data":{"a":"hush"},"stringData":{"b":"hush"}}]}',
    "[Service]\nStandardInputText=hush\nStandardInputText=DISPLAY QMGR\n"
    "ExecStart=/opt/mqm/bin/runmqsc -u a QM1",
    "spawn x\nset env(MQ_PASSWORD) {hush}",
    "uri=jms:queue:X?password=RAW(hush)",
    "usercreate -u a -p hush -g mq",
    "(echo open h; echo user mqm hush; echo ls) | ftp -n",
    "ftp -n h <<!\nuser mqm hush\n!",
    'while IFS=, read -r usr cred; do\n useradd -p "$cred" $usr\ndone <<< "a,hush"',
    'for u in a/hush; do echo "${u%%/*}:${u##*/}" | chpasswd; done',
    "cat <<< hush | runmqicred",
    "awk 'BEGIN{print \"mqm:hush\"}' | chpasswd",
    'spawn x\nsend -s "hush\\r"',
    "call :mk a.kdb hush\ngoto :eof\n:mk\nrunmqakm -keydb -create -db %1 -pw %2\nexit /b",
    "function New-Ks($db, $p) { runmqakm -keydb -create -db $db -pw $p }\nNew-Ks a.kdb 'hush'",
    "function New-Ks($db, $p) { runmqakm -db $db -pw $p }\nNew-Ks -p 'hush' -db a.kdb",
    "$plain = 'hush'\n$s = ConvertTo-SecureString $plain -AsPlainText -Force",
    "$plain = 'hush'\n$s = $plain | ConvertTo-SecureString -AsPlainText -Force",
    "runmqsc -u a QM1 <<%%\nhush\nDEFINE QLOCAL(A)\n%%",
]
"""Input of programs, content of files, and entries that say what a value is for."""


IN_SCRIPTS += [
    "v=hush; k=v; export MQ_PASSWORD=${!k}",
    "v=hush\nk=v\ncurl -u admin:${!k} https://h",
    "declare -n r=k\nk=hush\nsshpass -p $r ssh h",
    "set K=V\nset V=hush\nset PASSWORD=!%K%!",
    "a=hush\nb=$a\nPASSWORD=$b",
    'a=hush\nb=$a\nc=${b}\nd="$c"\nexport MQ_APP_PASSWORD=$d',
    "$a = 'hush'\n$b = $a\n$password = $b",
    "set A=hush\r\nset B=%A%\r\nset PASSWORD=%B%\r\n",
    "login() { curl -u u:$1 h; }; login hush",
    "login() { PASSWORD=$1; }\nlogin hush",
    "login() { shift; curl -u u:$1 h; }\nlogin QM1 hush",
    "login() { local h=$1; shift 2; local w=$1; sshpass -p $w ssh $h; }\nlogin h x hush",
    'outer() { inner "$1"; }\ninner() { sshpass -p $1 ssh h; }\nouter hush',
    'set -- app hush\ncurl -u "$1:$2" h',
    "set -- hush; PASSWORD=$1",
    "call :login hush\n:login\nset PASSWORD=%1",
    "function Login { param([string]$u,[string]$w) curl -u \"${u}:$w\" h }\nLogin -u app -w 'hush'",
    "def login(p) { sh \"sshpass -p ${p} ssh h\" }\nlogin('hush')",
    'x=hush; printf -v auth \'u:%s\' "$x"; curl -u "u:$x" h',
    "printf -v w '%s' hush\nPASSWORD=$w",
    "P=$(echo hush); PASSWORD=$P",
    "X=$(cat <<E\nhush\nE\n)\nexport MQ_PASSWORD=$X",
    "AUTH=admin:hush\ncurl -u $AUTH h",
    "LOGIN=app/hush\nsqlplus $LOGIN@db",
    "W=hush\nENV MQ_ADMIN_PASSWORD=$W",
    'vars:\n  w: hush\nuser:\n  password: "{{ w }}"',
    "- name: A\n  value: hush\n- name: MQ_PASSWORD\n  value: $(A)",
    "<variable name='w' value='hush'/><x password='${w}'/>",
    'locals {\n  a = "hush"\n}\nx {\n  password = local.a\n}',
    'variable "w" {\n  sensitive = true\n  default = "hush"\n}',
    "$w = 'hush'\nmq_channel { 'C': password => $w }",
    "DCL VAR(&W) TYPE(*CHAR) LEN(9) VALUE('hush')\nCHGUSRPRF USRPRF(A) PASSWORD(&W)",
    'v=hush; expect <<E\nspawn x\nsend "$v\\r"\nE',
    "export JWT=hush",
    "env: {JWT: hush}",
    "echo hush | su -c 'strmqm QM1'",
    "echo hush | su - mqm -c strmqm",
    "echo hush | doas strmqm QM1",
    "telnet h <<E\nmqm\nhush\nls\nE",
    "telnet h 110 <<E\nuser mqm\npass hush\nquit\nE",
    "(echo mqm; sleep 1; echo hush; echo ls) | telnet h",
    "ftp -inv h <<E\nuser mqm\nhush\nput a\nE",
    "ftp h <<E\nmqm\nhush\nbin\nE",
    "(echo open h; echo user mqm; echo hush; echo bin) | ftp -n",
    "echo open h> a.txt\necho user mqm>> a.txt\necho hush>> a.txt\nftp -n -s:a.txt",
    "gpg --batch --passphrase-fd 3 3<<< hush -d a",
    "openssl enc -pass fd:3 3<<< hush",
    'kubectl patch secret s -p \'{"stringData":{"x":"hush"}}\'',
    "$a = 'u:' + 'hush'\n[Convert]::ToBase64String($b)",
    "Enter password:\nhush\nStarting MQSC for queue manager QM1.",
    "CALL PGM(QSYGETPH) PARM('MQU' 'hush')",
    "curl -u $A h.example\nA=u:hush\nfor A in (",
    "runmqakm -cert -list -pw %\u00b2%\nexport MQ_PASSWORD=hush",
    "f() {\nshift \u00b2\nrunmqakm -cert -list -pw $1\n}\nexport MQ_PASSWORD=hush",
    f"shift {'9' * 5_000}\nrunmqakm -cert -list -pw $1\nexport MQ_PASSWORD=hush",
    ": ${P:=hush}\nrunmqakm -keydb -pw $P",
    ': "${P:-hush}"\ncurl -u app:${P:-hush} https://h',
    "get() { echo hush; }\nrunmqakm -keydb -pw $(get)",
    'get() {\n  echo "hush"\n}\nP=$(get x)\nrunmqakm -keydb -pw "$P"',
    "function get {\n  printf '%s\\n' hush\n}\nPASSWORD=`get`",
    'get() {\n  local r=hush\n  echo $r\n}\nPASSWORD="$(get)"',
    "get() {\n  cat <<E\nhush\nE\n}\nPASSWORD=$(get)",
    'get() { echo "$1"; }\nPASSWORD=$(get hush)',
    'mapfile -t L <<< "hush"\nrunmqakm -keydb -pw ${L[0]}',
    "$global:p = 'hush'\nrunmqakm -keydb -pw $global:p",
    "Set-Variable -Name p -Value 'hush'\nrunmqakm -keydb -pw $p",
    "$env:P = 'hush'\nrunmqakm -keydb -pw $env:P",
    "$p = @'\nhush\n'@\nrunmqakm -keydb -pw $p",
    "\"ALTER QMGR KEYRPWD('{0}')\" -f 'hush' | runmqsc QM1",
    "$p='hush'\n'user={0};password={1}' -f 'u',$p | Out-File x",
    '[string]::Format("password={0}", "hush")',
    "function Get-P { 'hush' }\n$password = Get-P",
    "function Get-P { return 'hush' }\nrunmqakm -keydb -pw (Get-P)",
    "$password = if ($x) { 'hush' } else { 'b' }",
    "$password = $env:X ?? 'hush'",
    'kind: Secret\nstringData:\n  a: x\n{{- $p := default "hush" .Values.x }}\n  b: {{ $p }}',
    'kind: Secret\nstringData:\n{{- $p := "hush" }}{{- $q := $p }}\n  b: {{ $q | b64enc }}',
    "x: &v hush\nkind: Secret\nstringData:\n  a: *v",
    "password: *c\na: &b hush\nd: &c *b",
    "a: &a hush\nb: &b [*a]\npasswords: *b",
    "first: &pw hush\npassword: *pw",
    "common: &c\n  value: hush\npassword: *c",
    "env:\n- name: P\n  value: hush\ncommand: [runmqakm, -keydb, -pw, $(P)]",
    "variables:\n  P: hush\n  MQ_PASSWORD: ${{ env.P }}",
    "variables:\n  P:\n    value: hush\n  MQ_PASSWORD: $P",
    "shell: runmqakm -keydb -pw {{ d['p'] }}\nvars:\n  d: {p: hush}",
    "shell: runmqakm -keydb -pw {{ item }}\nloop:\n- hush",
    'password = coalesce(var.x, "hush")',
    'password = coalesce(\n    var.x,\n    "hush"\n  )',
    "Q := $(strip  hush )\nb:\n\tsshpass -p $(Q) ssh h",
    "export Q ?= hush\nb:\n\tsshpass -p $${Q} ssh h",
    'password = lookup(var.m, "k", "hush")',
    'password = var.y ? "hush" : var.x',
    'locals {\n  z = try(var.x, "hush")\n}\nresource "a" "b" {\n  password = local.z\n}',
    "password = trimspace(<<-E\n    hush\n  E\n)",
    'secrets = {\n  a = "x"\n  b = "hush"\n}',
    'output "o" {\n  value = "hush"\n  sensitive = true\n}',
    "P ?= hush\nb:\n\trunmqakm -keydb -pw $(P)",
    "export P := hush\nb:\n\trunmqakm -keydb -pw $$P",
    "define P\nhush\nendef\nb:\n\trunmqakm -keydb -pw $(P)",
    "P := $(or $(X),hush)\nb:\n\trunmqakm -keydb -pw ${P}",
    "$password = lookup('x', String, 'first', 'hush')",
    "mq::p: hush\nmq::admin_password: \"%{lookup('mq::p')}\"",
    "password: ${app.p}\napp:\n  p: hush",
    '<!DOCTYPE x [<!ENTITY p "hush">]><authData password="&p;"/>',
    '<entry key="password"><value>hush</value></entry>',
    "// SET P=hush\n//X JOB 1,PASSWORD=&P",
    "CHGVAR &P 'hush'\nCRTUSRPRF USRPRF(U) PASSWORD(&P)",
    'spawn su\nset p "hush"\nsend "$p\\r"',
    "p = 'hush'\nAdminTask.create(['-alias','a','-password',p])",
    "secretGenerator: [{name: s, literals: [a=hush]}]",
]
"""Values that pass through variables and functions, and dialogues with programs."""


@pytest.mark.parametrize("text", COVERED)
def test_a_secret_is_masked(text: str) -> None:
    loaded = load(
        Input("objects.mqsc", data=f"DEFINE QLOCAL(A)\n{text}\n".encode()), ASSEMBLY, ANALYSER
    )
    assert "hush" not in loaded.text
    assert HIDDEN in loaded.text
    assert "hush" not in repr(loaded.reading)


IN_SCRIPTS += [
    "java JmsProducer -m QMA -d Q -h h -p 1414 -l APP -u app -w hush",
    "nssm set mqmon ObjectName .\\mqm hush",
    "samba-tool user create mqsvc hush --use-username-as-cn",
    "listen s\n  stats auth admin:hush",
    " UserNames = { admin = hush, guest = hush }",
    "glab variable set MQ_ADMIN_PASSWORD hush",
    "chamber write mq admin hush",
    "db2look -d MQDB -i mq -w hush",
    'perl -e \'$r->authorization_basic("mqadmin", "hush")\'',
    "lynx -auth=mqadmin:hush https://h.example",
    "openconnect --passwd-on-stdin vpn.example <<< hush",
    '[ "${MQ_PASSWORD}" = "hush" ]',
    "[[ ${ADMIN_PASSWORD} != 'hush' ]]",
    "if [ ${LDAP_PW} == hush ]; then exit; fi",
    "awk '{gsub(/@PASSWORD@/, \"hush\")}1' a.mqsc",
    "tmux send-keys -t mq 'runmqsc -c -u app QM1' C-m 'hush4you' C-m",
    'tmux send-keys -t mq "hush4you" Enter',
    'screen -S mq -X stuff "hush4you\\n"',
    "xdotool type 'hush4you'",
    "- expect:\n    command: runmqsc -c -u app QM1\n    responses:\n      Enter: hush\n",
    "- expect:\n    responses:\n      'User': app1\n      '(?i)pin': 'hush'\n    command: x\n",
    "mysql -u mq -phush mqdb",
    "jq '.password=\"x1\"' a; yq -i '.spec.adminPassword = \"hush\"' b; yq '.c = 1' d",
]

NUMBERS = [
    ("keystorePass: 7729103", "7729103"),
    ("export MQ_PASS='7729103'", "7729103"),
    ("SECURITY_CREDENTIALS=7729103", "7729103"),
    ("DEFINE SERVICE(S) STARTARG('-u app -p 7729103')", "7729103"),
]
SHOWN_NUMBERS = [
    ("PASS=14", "14"),
    ("key: 7729103", "7729103"),
    ("DEFINE SERVICE(S) STARTARG('-h host -p 51414')", "51414"),
]

PLAIN = [
    "tmux send-keys -t mq 'runmqsc QM1' Enter",
    "tmux send-keys -t mq \"$COMMAND\" Enter; tmux send-keys -t mq 'ORD.QM1' Enter",
    "- uri:\n    responses:\n- debug: msg=x1\n",
    "mysql -h h -u mqmon -p mqdb -e 'select 1'",
    "mysqldump --user=mqmon -p mqdb",
    "net user mqm /active:yes",
    "1 SHA256 of the file follows",
    "$tokenQueues = 'Q1', 'Q2'",
    "jq '.password=$pw' a.json; jq '.other=\"text\"' a.json; yq '.last = 1' a.yaml",
    "case $token in first) shift;; esac",
    "for token in first second; do echo $token; done",
    'echo "MQ_PASSWORD: not set"',
    "Password: see the safe of the team",
    "LABEL token.owner=team",
    "metadata: {labels: {key-owner: team}}",
    "PASS_THROUGH=first",
    "ansible.builtin.user: {name: a, update_password: on_create}",
    "curl -H 'ibm-mq-rest-csrf-token: value' https://h.example",
    'send "$env(MQ_PASSWORD)\\r"',
    "withCredentials([usernamePassword(credentialsId: 'a', usernameVariable: 'U')]) { sh 'x' }",
    "withCredentials([string(credentialsId: 'token-of-a', variable: 'T')]) { sh 'x' }",
    "secrets:\n  MQ_PASSWORD: {vault: mq/admin/password@kv}",
    "id_tokens:\n  VAULT_ID_TOKEN: {aud: https://h.example}",
    '[ "${KEYWORD}" = "first" ] && [ "${PASSED}" = "yes" ]',
    "DEFINE SERVICE(S) STOPCMD('/opt/mqm/amqsstop') STOPARG('-m +QMNAME+ -p +MQ_SERVER_PID+')\n",
    ': "${PASSWORD:?password is missing}"',
    "\"Queue {0} of {1}\" -f 'TOKEN.REQUEST', 'QM1'",
    "password = var.mq_password",
    'queue = coalesce(var.q, "TOKEN.REQUEST")',
    "//SECRET DD DSN=MQ.TOKEN.LIB,DISP=SHR",
    "x: &q TOKEN.QUEUE\nqueue: *q",
    "QUEUE := TOKEN.REQUEST\nb:\n\techo $(QUEUE)",
    "(sleep 10;echo) | $events -m QM1 -t 'x' | tee -a $log",
    "su - mqm <<EOF\n. /opt/mqm/bin/setmqenv -s\nexit $?\nEOF",
    "sudo su - mqm << end\nexport Q=QM1\nend",
    "DEFINE CHANNEL(A) CHLTYPE(SDR) CONNAME('here(1414)')",
    "ALTER QMGR SSLKEYR('/var/mqm/ssl/key') SSLCRLNL(X)",
    "DEFINE CHANNEL(A) SSLCIPH(ANY_TLS12) SSLPEER('CN=a') SSLCAUTH(REQUIRED)",
    "DEFINE AUTHINFO(L) LDAPPWD(' ') LDAPUSER('u') CHCKCLNT(REQUIRED)",
    "* passwords are kept elsewhere",
    "PASSWORD_FILE=/run/secrets/mq",
    "passwordFile: /etc/mq/pw",
    "secretName: mq-tls",
    "key: config.mqsc",
    "cd $PWD && PWD=/var/mqm",
    "tool -p x --port 1414",
    "PASS=$1",
    'PASSWORD="${MQ_PASSWORD}"',
    "PASSWORD=$(cat /run/secrets/pw)",
    "password: {{ vault_password }}",
    "password: ${{ secrets.MQ }}",
    "password: ${MQ_PASSWORD:#{null}}",
    "password: ${MQ_PASSWORD:${OTHER_PASSWORD}}",
    "MQ_ADMIN_PASSWORD=${ADMIN_PASSWORD:-${PASSWORD}}",
    "set PASS=%1",
    "MQ_PASSWORD: ",
    "read -s PASSWORD",
    "runmqakm -keydb -create -db k.kdb -stash -pw $PW",
    "secretKeyRef: {name: mq, key: password}",
    "echo $TOKEN | docker login --password-stdin",
    "ssh mqm@host runmqsc QM1",
    "git@github.com:team/mq.git",
    "http://host.example:9443/ibmmq/console",
    "secret: {secretName: mq, items: [{key: qm.mqsc, path: qm.mqsc}]}",
    "- secret:\n    name: mq\n    items:\n    - qm.mqsc\nother: x",
    "secrets:\n  - mq_admin\nother:\n  - x",
    "secrets:\n  mq_admin:\n    file: ./a.txt\n  app: {external: true}",
    "? secret\n: name: mq\nother: x",
    "token:\nother: x",
    "dotnet build -p:Version=1.2",
    "tool -p:1414",
    "security: {'userData': x}",
    "SENDEXITINIT(x)",
    "CONNECT A/B",
    "[curl, --silent, https://h]",
    '<entry key="user">x</entry>',
    "<property><name>password.file</name><value>x</value></property>",
    "setenv MQ_USER x",
    "ENVVAR(LANG) VALUE('x')",
    "-pass /etc/mq/pass",
    "https://h/x?design=1&signal=2",
    "net use Z: \\\\fs1\\backup\r\nstrmqm QM1",
    "for password_file in /etc/mq/a /etc/mq/b; do cat $password_file; done",
    'case "$SECRET_NAME" in mq-cert) deploy;; esac',
    "printf -v passcount '%d' 3",
    "printf \"DEFINE QLOCAL(%s) DESCR('passed on')\\n\" APP.IN | runmqsc QM1",
    "printf 'passive node %s\\n' QM2",
    "sed s/@PASSIVE@/QM2/ q.mqsc",
    'variable "secret_name" {\n  default = "mq-tls"\n}',
    '<tokenQueue value="APP.TOKENS"/>',
    '"auth" : "basicAuthentication"',
    "vault read secret/mq",
    "vault kv get -field=x secret/mq",
    "vault status",
    "echo APP.IN | cat - a.mqsc | runmqsc QM1",
    'echo "DEFINE QLOCAL(A)" | cat - a.mqsc | runmqsc -u app QM1',
    "mc cp a b",
    "gh pr list -b main",
    "openssl dgst -sha256 a",
    "realm list",
    "the words of key, queue and topic",
    "auth=(a b)",
    "open -a x",
    "net use z: \\\\h\\s /persistent:no",
    "net use \\\\h\\s > nul",
    "AuthToken:\n   KeyStorePwdFile=x",
    "existingSecret: mq-tls",
    "password.encoder=bcrypt",
    "secrets: [mq_admin]",
    "setmqweb properties -k httpPort -v 9443",
    "keytool -list -keystore a -alias b",
    "pcs status -p x",
    "echo x > users.txt",
    "COPY <<E /etc/motd\nx\nE",
    "auth: 'https://h.example/realm'",
    "login: 'db.example:1521'",
    "MOVE 'A' TO WS-USER",
    "reg add HKLM\\x /v DefaultUser /d u",
    "basicAuth: true",
    "Authentication: Basic authentication",
    "while read -r name; do :; done <<< APP.IN",
    '{"data":{"a":"b"},"kind":"ConfigMap"}',
    'output "secret_name" {\n  value = "mq-tls"\n}',
    "git clone https://gitlab.example:8443/x@y",
    "> list.txt echo x",
    "net use z: \\\\h\\s /delete & strmqm QM1",
    "net start mq",
    "ini_file: {option: LogPath, value: /x}",
    "regexp: '^MaxChannels'\n  replace: 'MaxChannels=5'",
    "argv: [strmqm, -x, QM1]",
    "vars: &v\n  qm: QM1\nother: *v",
    "configMapGenerator:\n- name: c\n  literals:\n  - MQ_QMGR_NAME=QM1\n"
    "secretGenerator:\n- name: s\n  files:\n  - a.txt",
    "secretGenerator:\n- name: s\n  envs: [x.env]\nconfigMapGenerator:\n"
    "- name: c\n  literals: [a=b]",
    "- op: replace\n  path: /data/x\n  value: secret-name",
    "httpHeaders:\n- name: Accept\n  value: text/plain",
    'set_sensitive {\n  name = "a"\n  value = var.x\n}\nset {\n'
    '  name = "replicas"\n  value = "2"\n}',
    "data_json = <<EOT\nx\nEOT",
    "QM ?= QM1\nQMS ::= QM1 QM2",
    "define QMS\nQM1\nendef",
    "**Queue**: APP.IN",
    "DEFINE NAMELIST(N) NAMES(PASSWORD,'APP')",
    "basic.auth.credentials.source=USER_INFO",
    "key.converter=org.example.StringConverter",
    'echo "##vso[task.setvariable variable=queue]APP.IN"',
    'echo "##vso[task.setvariable variable=tokenFile]a.txt"',
    "pymqi.connect('QM1', 'APP.SVRCONN', 'h(1414)')",
    "parser.add_argument('--queue', default='APP.IN')",
    "<queue><!-- password -->APP.IN</queue>",
    '<add key="MQ:Queue" value="APP.IN"/>',
    "# <admin_password>; strmqm QM1; echo a",
    "# usage: connections <name> <admin_password>\n\nstrmqm QM1\nrunmqsc QM1 </tmp/a.mqsc",
    "# usage: connections <admin_password>\nfor (( i=0; i<9; i++ )); do strmqm QM1; done",
    'echo "usage: up [--password <password>] [--quick]" 1>&2\nrunmqsc QM1 < a.mqsc',
    'echo "usage: up --password <password>" 1>&2\nrunmqsc QM1 < a.mqsc',
    '{"userData": "-t 5", "name": "x"}',
    "use -pw, then restart",
    "* the password of mqadmin is in vault2",
    "* password of QM1ADMIN expires in 90 days",
    "* the password policy of 2024 applies",
    "DEFINE QLOCAL(A) DESCR('password reset, version 12')",
    "* user: mqm / group: mqbrkrs1",
    "read -s PASSWORD appuser1\npasswd appuser1",
    "<allowCredentials>\n  true\n</allowCredentials>",
    '"allowCredentials": true,\n"x": 1',
    "cat <<E |\nAPP.IN\nE\n  runmqsc -c QM1",
    "cat <<E |\nDEFINE QLOCAL(A)\nE\n  runmqsc -u app QM1",
    "smtp_pass_file /run/secrets/mail\nsmtp_port 587",
    "get_password QM1\nset_secret QM1",
    "pymqi.connect(qm, channel, conn, user, password)",
    "createContext(queue, 'APP.IN')",
    "mosquitto_passwd users.txt",
    "echo 3 > tests_pass.txt",
    "CRTUSRPRF USRPRF(A) PASSWORD(*NONE)",
    "CHGUSRPRF USRPRF(A) PASSWORD(&PWD)",
    "CRTUSRPRF A PASSWORD(*NONE) USRCLS(*USER)",
    "CRTUSRPRF USRPRF(A) PASSWORD USRCLS(*USER)",
    "while read name queue; do :; done <<EOF\nA B\nEOF",
    "cat > queues <<EOF\nA B\nEOF\nwhile read queue; do :; done < queues",
    "{ echo APP.IN; cat <<EOF\nA\nEOF\n} | sort",
    "echo APP.IN | xargs -n1 runmqsc -w 5",
    "ls | xargs -I{} tar -p -f {}",
    "stdin: APP.IN\ncommand: sort",
    "copy:\n  dest: /etc/mq/qm.ini\n  content: x",
    "writeFile file: 'queues.txt', text: 'APP.IN'",
    "file { '/etc/motd': content => 'x' }",
    '{"type": "string", "value": "x", "key": "a"}',
    "CALL PGM(AMQSPUT4) PARM('APP.IN' 'QM1')",
    "SNODE=(A) DSN=(A,B)",
    "queue=APP.IN; echo $queue | sort",
    'conf=x; echo "$conf" | base64',
    "- strmqm\n- -x\n- QM1",
    "configuration:\n  key: a.mqsc",
    "Set-Content -Path queues.txt -Value 'APP.IN'",
    "<Command>strmqm</Command><Arguments>-x QM1</Arguments>",
    "security find-identity -w x",
    "mapfile -t queues <<EOF\nA\nEOF",
    "New-Item queues.txt -Value 'A'",
    "$queue | sort",
    "CALL PGM(MQINIT) PARM('QM1' 'APP.IN' 'A')",
    '{"data":{"x":"a"},"kind":"ConfigMap"}',
    'for /f "tokens=1,2 delims=:" %%a in (list.txt) do runmqsc %%a < %%b',
    'for /f "usebackq tokens=1,* delims==" %%a in ("mq.properties") do set %%a=%%b',
    "for /f \"tokens=2\" %%i in ('dspmq -o status') do echo %%i",
    'load() { cat | runmqsc -u app "$1"; }\nload QM1',
    "parallel runmqsc {} '<' a.mqsc ::: QM1 QM2",
    "read -r host port <<< 'mq1 1414'",
    "exec 3<<<'APP.IN'\nread -r queue <&3",
    "url = host + ':' + '1414'\nbase64",
    "set password $value\nset passwords [list]\nset password for orders",
    "binaryData:\n  a.gz: AAAAAAAAAAAAAAAAAA/PwAAAA==",
    "$t = 'DEFINE QLOCAL(A)'\n[Text.Encoding]::UTF8.GetBytes($t)\n[Convert]::ToBase64String($b)",
    "set queue {APP.IN}\nspawn runmqsc QM1",
    '{"items":[{"kind":"ConfigMap","data":{"a":"b"}},{"kind":"Secret"}]}',
    '{"kind":"Secret","apiVersion":"v1"}',
    "<nul set /p=APP.IN> queue.txt",
    "coproc runmqsc QM1\necho 'DEFINE QLOCAL(A)' >&${COPROC[1]}",
    "(echo x& echo DISPLAY QMGR)| runmqsc QM1",
    "$p = Get-Content a.txt\n$s = ConvertTo-SecureString $p",
    "call :load QM1\ngoto :eof\n:load\nrunmqsc %1 < a.mqsc",
    "function Load($q) { runmqsc $q }\nLoad QM1",
    "while read q d; do runmqsc $q < $d; done <<< 'QM1 a.mqsc'",
    "[Service]\nStandardInputText=DISPLAY QMGR\nExecStart=/opt/mqm/bin/runmqsc QM1",
    '{"kind":"Job","data":{"a":"b"}}\n{"kind":"Secret","metadata":{"name":"x"}}',
    "PASSWORD=$pw_file\npw_file=pw.txt",
    "PASSWORD=$(get_pw $QM)\nQM=QM1",
    "secret=$name\nname=mq-tls",
    'docker login -p="$REGISTRY_PASSWORD" "$REGISTRY"\nREGISTRY=quay.example',
    "mk() { sshpass -p ${!2} ssh $1; }\nmk h MQ_APP_PASSWORD",
    "f() { shift $((OPTIND-1)); PASSWORD=$1; }\nf QM1",
    "f() { while [ $# -gt 1 ]; do shift; done; PASSWORD=$1; }\nf QM1",
    "load() { runmqsc $1 < $2; }; load QM1 a.mqsc",
    "set -- QM1 QM2\nstrmqm $1",
    "a() { :; }\nset -- QM1\nb() { PASSWORD=$1; }",
    "for /f %%i in ('Powershell -Command x') do set PASSWORD=%%i",
    'echo "DIS QMGR" | su - mqm -c "runmqsc QM1"',
    "echo QM1 | su mqm -c 'xargs strmqm'",
    'su - mqm -c "runmqsc QM1" <<EOF\n* objects\nDEFINE QLOCAL(A)\nEOF',
    "telnet h 1414 <<E\nGET / HTTP/1.0\nE",
    "ftp -n h <<E\nbin\nprompt\ncd data\nE",
    "(echo open h; echo bin; echo put a.txt) | ftp -n",
    "jwt:\n  issuer: mq\n  audience: app",
    "JWT_ISSUER=mq",
    "TOKEN_ISSUER=mq",
    "auth: jwt",
    "for key in QM1 QM2; do strmqm $key; done",
    "# Store the credentials in GitHub",
    "- name: A\n  value: QM1\n- name: MQ_QMGR_NAME\n  value: $(A)",
    'variable "w" {\n  default = "QM1"\n}',
    "Enter the name of the queue:\nAPP.IN",
    "docker run -u mqm -p 1414:1414 mq",
    "sudo -u mqm mkdir -p /var/mqm/x",
    "load.sh -u app -p APP.IN",
    "The -u and -p options",
    "echo 'type: x' >> $TEMP_SECRETS_FILE",
    "uses: azure/login@v1",
    "connect: actions/checkout@v4",
    "openssl dgst -macopt digest:sha256 f",
    "exec 3<<<'APP.IN'\nsort <&3",
    "New-Variable -Value 'APP.IN' -Name Queue",
    'strncpy(od.ObjectName, "APP.IN", 48);',
    "nc h 1414 <<< 'AUTHREC'",
    "AppAccessKey1:\n  Type: x\naws_access_key: !Ref AppAccessKey1",
    "TOKEN_TTL=hour",
    "aws secretsmanager get-secret-value --secret-id mq/app",
    "set /p PW=Enter the password of mqm:",
    "$cred = Get-Credential -UserName mqm",
    "$pw = Get-Content 'pw.txt' | ConvertTo-SecureString",
    "x: \"{{ lookup('hashi_vault', 'secret=mq/app') }}\"",
    "openssl rsa -passin env:KEY_VARIABLE -in a.pem",
    "DEFINE PROCESS(A) USERDATA('queueOne/queueTwo')",
    "DEFINE PROCESS(A) USERDATA('DEV/QM1')",
    "L=QM1:QM2; echo $L; http -a $U:$P https://h.example",
    "Set the password in `MQ_PASSWORD` or the password `PASSWORD` attribute",
    "L=/etc/a:/etc/b; export PATH=$L",
    "BORG_PASSCOMMAND='cat /etc/pw' borg list",
]


@pytest.mark.parametrize(
    "text",
    [
        "PASSWORD='Hush4you!'\n# vault: {}",
        "curl -u app:{} https://h.example; echo tried {} > run.log",
        "MQ_PASSWORD={}\nif grep {} run.log; then exit 1; fi",
        "ALTER CHANNEL(A) CHLTYPE(SDR) PASSWORD('{}')\n* was {} until May",
    ],
)
def test_copies_of_a_secret_are_masked(text: str) -> None:
    text = text.replace("{}", "Hush4you!" if "!" in text else "Hush4you")
    assert "Hush4you" not in masked(text, secret_spans(text))


@pytest.mark.parametrize("text", IN_SCRIPTS)
def test_a_secret_of_scripts_is_masked(text: str) -> None:
    assert "hush" not in masked(text, secret_spans(text))


@pytest.mark.parametrize(
    "text",
    [
        "DEFINE TOPIC(SECRETS) TOPICSTR(secrets/app)",
        "DEFINE TOPIC(T) TOPICSTR('password/reset/requests')",
        "DEFINE TOPIC(T) TOPICSTR('/auth/token:new')",
        "DEFINE PROCESS(P) APPLICID('/opt/token/bin/start')",
        "DEFINE SERVICE(S) STARTCMD('/opt/secrets/run') STARTARG('-f /etc/token/conf')",
        "DEFINE AUTHINFO(A) AUTHTYPE(OCSP) OCSPURL('http://token.example.com/secret/')",
        "ALTER QMGR SSLKEYR('/secrets/password/key')",
        "* secrets/app holds tokens; the password is kept in a safe",
    ],
)
def test_topic_strings_and_paths_are_not_masked(text: str) -> None:
    loaded = load(Input("objects.mqsc", data=f"{text}\n".encode()), ASSEMBLY, ANALYSER)
    assert loaded.text == f"{text}\n"


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_no_secret_is_not_masked(text: str) -> None:
    assert masked(text, secret_spans(text), variables=True) == text


@pytest.mark.slow
def test_a_text_may_end_anywhere() -> None:
    for text in (*IN_SCRIPTS, *PLAIN, *COVERED):
        for cut in range(1, len(text), max(len(text) // 12, 1)):
            for part in (text[:cut], text[cut:]):
                spans = list(secret_spans(part))
                assert all(0 <= start < end <= len(part) for start, end in spans)


def test_layout_and_offsets_stay() -> None:
    text = "X PASSWORD('one +\n   two') Y(${P:-abc}) -pw <MQI>!2!abc=="
    secrets = ("one +\n   two", "${P:-abc}", "<MQI>!2!abc==")
    spans = [(text.index(secret), text.index(secret) + len(secret)) for secret in secrets]
    assert len(masked(text, spans)) == len(text)
    assert shown(masked(text, spans)) == "X PASSWORD('**** +\n   ****') Y(${P:-****}) -pw <****"


def test_a_password_that_the_product_encrypted_is_still_told_from_plain_text() -> None:
    text = "ALTER QMGR KEYRPWD('<MQI>!2!kkK4Q/hush')"
    assert shown(masked(text, secret_spans(text))) == "ALTER QMGR KEYRPWD('<****')"


BEFORE_STATEMENTS = [
    "(sleep 1; echo app:hush) | chpasswd",
    'PASS=ab"hush"',
    "printf '%s\\n' mqm:hush \"hush\" | chpasswd",
    "# -----BEGIN PRIVATE KEY-----",
    "# tee /run/secrets/pw <<EOF",
    "#amqsput Q QM1 <<XX\n#hush\n# XX",
    "echo on\n#  amqsput Q QM1 <<XX",
    "echo Password: ; strmqm QM1",
    ": '\nkind: Secret\ndata:\n  '",
    "# secrets:",
    "# password: |",
    "# token: {",
    "# define password",
    "PASSWORDS=(\n  hush\n)",
]
"""Each with a secret that has no end, or a quote that has no partner without it."""


@pytest.mark.parametrize("before", BEFORE_STATEMENTS)
@pytest.mark.parametrize("indent", ["", "  "])
def test_no_secret_takes_the_statements_after_it(before: str, indent: str) -> None:
    text = (
        f"#!/bin/sh\n{before}\n{indent}runmqsc QM1 <<XX\n{indent}DEFINE QLOCAL(A) NOSUCH(1)\nXX\n"
    )
    loaded = load(Input("set-up.sh", data=text.encode()), ASSEMBLY, ANALYSER)
    assert "hush" not in loaded.text
    assert loaded.reading is not None
    assert "NOSUCH" in repr(loaded.reading.reported)


INSIDE_STATEMENTS = {
    "objects.mqsc": [
        "* -----BEGIN PRIVATE KEY-----\nDEFINE QLOCAL(A) NOSUCH(1)",
        "DEFINE QLOCAL(A) DESCR('password:') NOSUCH(1)",
        "DEFINE QLOCAL(A) DESCR('password: +\n x') NOSUCH(1)",
    ],
    "set-up.cmd": [
        "set PW=hush & runmqsc -nosuch QM1",
        "set password=hush| runmqsc -nosuch QM1",
    ],
    "set-up.sh": [
        "secret: hush; runmqsc -nosuch QM1",
        "runmqsc -u app QM1 <<EOF\nhush\nDEFINE QLOCAL(A) NOSUCH(1)\nEOF",
        "cat <<EOF | runmqsc -u app QM1\nhush\nDEFINE QLOCAL(A) NOSUCH(1)\nEOF",
        "printf '%s\\n' hush 'DEFINE QLOCAL(A) NOSUCH(1)' | runmqsc -u app QM1",
        'echo -e "hush\\nDEFINE QLOCAL(A) NOSUCH(1)" | runmqsc -u app QM1',
        "{ echo hush; cat <<E\nDEFINE QLOCAL(A) NOSUCH(1)\nE\n} | runmqsc -u app QM1",
    ],
    "set-up.ps1": [
        "$in = @'\nhush\nDEFINE QLOCAL(A) NOSUCH(1)\n'@\n$in | runmqsc -u app QM1",
        "@('hush', 'DEFINE QLOCAL(A) NOSUCH(1)') | runmqsc -u app QM1",
    ],
}


@pytest.mark.parametrize(
    ("name", "text"), [(name, text) for name, texts in INSIDE_STATEMENTS.items() for text in texts]
)
def test_statements_beside_a_secret_are_read(name: str, text: str) -> None:
    """A file that hides a statement would pass; a password is the first line of `runmqsc -u`."""
    loaded = load(Input(name, data=f"{text}\n".encode()), ASSEMBLY, ANALYSER)
    assert "hush" not in loaded.text
    assert loaded.reading is not None
    assert sum("nosuch" in repr(found).lower() for found in loaded.reading.reported) == 1


HOSTILE = {
    "logins of programs": "http -a $A; ",
    "texts in base64": "TVFfUEFTU1dPUkQ9aHVzaGh1c2g= ",
    "names": "PASSWORD ",
    "assignments": "PASSWORD=x ",
    "open parentheses": "PASSWORD(",
    "open quotes": "PASSWORD='",
    "escaped quotes": 'PASSWORD=\\"',
    "one long name": "PASSWORD",
    "continued": "PASSWORD +\n",
    "blocks": "password: |\n",
    "elements": "<password>",
    "templates": "PASSWORD=${A:-",
    "names and values": "name: PASSWORD\n",
    "commands": "sshpass -p ",
    "pipes": "echo x | ",
    "prose": "password of a b is ",
    "logins": "login: a / ",
    "here-documents": "chpasswd <<A\n",
    "here-strings": "su <<< x ",
    "kinds": "kind: Secret\ndata:\n",
    "addresses": "://a:",
    "keys": "-----BEGIN PRIVATE KEY-----",
    "headers": "Authorization: ",
    "arguments": "STARTARG('-p ",
    "curls": "curl -u a:b ",
    "substitutions": "s/pass/x ",
    "texts to print": 'printf "pass%s" ',
    "loops": "for pw in x ",
    "dialogues": "spawn send x ",
    "below a name": "passwords:\n  a: b\n",
    "below a name, in braces": "passwords: {a: ",
    "values before names": "value: x\nname: PASSWORD\n",
    "redirects": "echo x > /secrets/",
    "groups": "runmqsc { echo a; ",
    "quoted names": '"PASSWORD=a b',
    "users in addresses": "a:bcd@",
    "sinks": "x | sudo ",
    "users": "curl -ku ",
    "vaults": "vault write x a=b ",
    "escapes": '"pass\\u0077ord": "',
    "lists below a name": "token: [a, ",
    "open brackets below a name": "token: [",
    "explicit keys": "? token\n: - a\n",
    "texts of Puppet": "password => @(A)\n",
    "data of exits": '"security": {"userData": ',
    "jobs": "//A EXEC PGM=FTP\n//INPUT DD *\n",
    "open pipes": "cat <<A |\n",
    "parameters": "CHGUSRPRF A(B) PASSWORD ",
    "calls": "pymqi.connect(a, ",
    "variables of CL": "DCL &PW TYPE(*CHAR) ",
    "jobs with a user": "//A DD *\nuser a -p ",
    "blanks after a name": "PASSWORD" + " " * 50,
    "documents of no program": "cat <<A\n",
    "open pipes of documents": "cat <<A |\n",
    "documents of loops": "while read password; do done <<A\n",
    "brackets before pipes": "{ { echo a; } | su\n",
    "files that are read": "sudo tee /a < /b\n",
    "arguments of xargs": "echo a | xargs -I% su %\n",
    "statements in secrets": "password: |\n runmqsc x\n",
    "statements in a line": "PW=a & runmqsc x & ",
    "settings after an option": "az --secrets a=b ",
    "users and keys": " user: a\n b: c\n key: \n",
    "keys before a user": " key: a\n",
    "names with a percent sign": "cn=a%bcde f",
    "lists of keys": "keys: [a ",
    "arguments that are compared": "if $1 = ",
    "documents with statements": "chpasswd <<A; runmqsc x\n",
    "inputs of entries": "stdin: a\n",
    "texts of entries": 'text "',
    "types of entries": "type: secret value: x ",
    "variables of commands": "bc=x curl -u a:$bc\n",
    "rows of commands": "- a\n- -p\n",
    "tasks": "<Command>a</Command><Arguments>",
    "quoted options": "'-p' 'x",
    "programs of IBM i": "CALL PGM(USER) PARM('a' ",
    "entitlements": "entitlement:\n key:",
    "chains": "a=$b\nb=$a\nPASSWORD=$a\n",
    "indirect names": "PASSWORD=${!k}\nk=v\nv=x\n",
    "shifts": "f() { shift; PASSWORD=$1\n",
    "shifts in loops": "f() { shift; done; PASSWORD=$1; }; f x; ",
    "calls with parentheses": "def f(p) { sshpass -p $p }\nf('x')\n",
    "arguments of a shell": "set -- x\nPASSWORD=$1\n",
    "dialogues of FTP": "echo user x> a\nftp -s:a\n",
    "dialogues in brackets": "(echo a; echo b) | telnet h\n",
    "dialogues of documents": "telnet h <<A\nuser a\n",
    "sensitive variables": 'variable "a" { sensitive ',
    "patches": '"stringData":{"a":"b"',
    "prompts": "Enter password:\n",
    "variables of logins": "curl -u $a ",
    "references": "local -n a=b\nPASSWORD=$a\n",
    "functions": 'f() { sshpass -p "$1"\n}\nf x\n',
    "calls of a function": 'f() { sshpass -p "$1"; }\n' + "f x\n" * 50,
    "names read from loops": "while read b; do sshpass -p $b; done <<< x\n",
    "labels": "call :a x\n:a\nsshpass -p %1\n",
    "functions of PowerShell": "function A($p) { sshpass -p $p }\nA x\n",
    "secure texts": "$p = 'x'; ConvertTo-SecureString $p\n",
    "names read from texts": "read a b <<< x\nsshpass -p $b\n",
    "tokens of loops": 'for /f %%a in ("x") do net user u %%a\n',
    "lists of parallel": "parallel sshpass -p ::: a ",
    "words of parallel": "parallel ",
    "coprocesses": "coproc APP { runmqcred; }\n",
    "descriptors": "exec 3<<<x\nread PW <&3\n",
    "maps of JSON": '"kind":"Secret","data":{"a":"b"},',
    "open maps of JSON": '{"kind":"Secret","data":{"a":"b"}',
    "logins before base64": 'X=a:b; echo "$X" | base64\n',
    "input of units": "StandardInputText=a\nExecStart=runmqsc -u a\n",
    "anchors": "password: *a\nk: &a [",
    "nested anchors": "a: &a [*a, ",
    "variables without a sign": "setenv PW a\n",
    "variables of templates": "{{ $a := $b ",
    "functions and their output": "a() { echo $(a)\n",
    "expressions": 'password = a(b, "c", ',
    "formats": "'pw={0}' -f ",
    "variables of make": "PW := $(or $(A),\n",
    "definitions": "define PW\n",
    "calls of make": "A = $(1)\nPW := $(call A,$(B),x)\n",
    "open calls of make": "PW := $(call A,(b",
    "variables in texts": 'a№=x\nPASSWORD="b${a№}c"\n',
    "texts put together": "password='a' + $b + 'c' + ",
    "brackets of other keys": "a№: [PASSWORD=$a№ ",
    "literals of kustomize": "secretGenerator:\n- literals:\n  - &a b=c\n",
    "remarks after values": "pw: #",
    "variables of Tcl": "spawn a\nset env(PW) {x\n",
    "fields of objects": "PASSWORD=${a№.x}\nx=b\n",
    "functions that do not end": "f№() {\n echo a\nPASSWORD=$(f№)\n",
    "assignments in a quoted text": "PASSWORD=$x x='",
    "texts of PowerShell": "password=@'\n",
    "keys in one line": '{"password":"x","a":"b"}',
    "plain values in one line": "{password: x, a: b}",
    "copies": "PASSWORD=Hush4you№\n# Hush4you№\n",
    "names of PowerShell with one value": "$password,",
    "remarks after names": "name: token\n#",
}
"""What is repeated; the sign № is the number of the repetition."""


@pytest.mark.growth
@pytest.mark.sample(6)
@pytest.mark.parametrize("sign", HOSTILE.values(), ids=HOSTILE.keys())
def test_time_grows_with_the_text(sign: str) -> None:
    def read(size: int) -> None:
        text = "".join(sign.replace("№", str(number)) for number in range(size // len(sign)))
        masked(text, secret_spans(text), variables=True)

    assert is_linear_in_time(read, 10_000)


SIGNS = (
    "runmqsc QM1 <<< x > y | z; authorization bearer private key pass: password= password jdbc: @ "
    "identified set using vault set data stringdata spawn securestring credential s/ printf for &\n"
)
"""Words without which some patterns are not tried."""
LINES = (
    *("a", "a ", "a=", "://a:", "cat ", "su -", "sudo ", "docker ", "echo a ", "(echo a "),
    *("secret ", "s/pass", "printf 'pass", "sc config ", "Credential ", "vault write a ", "<<a"),
    *("connect to a user a ", "case $pass in ", "for pass in ", "x --pass", "'", '"', "\\", "$("),
)


@pytest.mark.growth
@pytest.mark.sample(6)
@pytest.mark.parametrize("piece", LINES)
def test_time_grows_with_a_line(piece: str) -> None:
    def read(size: int) -> None:
        secret_spans(SIGNS + piece * (size // len(piece)))

    assert is_linear_in_time(read, 20_000)


@pytest.mark.parametrize("head", ["trim(" * 2_000, "Sensitive(" * 2_000, "[string] [a.b]"])
def test_a_value_inside_functions_or_types_is_masked(head: str) -> None:
    text = f"password = {head}'hush'"
    assert "hush" not in masked(text, secret_spans(text))


@pytest.mark.parametrize(
    "text",
    [
        "A ?= hush\nPASSWORD := $(strip $(A))\n",
        "A = hush\nPASSWORD = $(or $(B),${A})\n",
        "function Get-It { 'hush' }\n$x = Get-It\n$password = $x\n",
    ],
)
def test_a_secret_through_calls_is_masked(text: str) -> None:
    assert "hush" not in masked(text, secret_spans(text))


def test_what_an_inner_function_prints_is_masked() -> None:
    text = "f() {\n  g() {\n    echo hush1\n  }\n  echo hush2\n}\nA=$(g)\nPASSWORD=$(f)\n"
    assert "hush" not in masked(text, secret_spans(text))


@pytest.mark.slow
@pytest.mark.parametrize("before", [0, 1_990, 3_995, 30_000, 100_000])
@pytest.mark.parametrize("piece", ["x ", "x", '{"a":"b"},'])
def test_secrets_in_long_lines_are_found(piece: str, before: int) -> None:
    command = ' echo "hush hush" | passwd --stdin; docker login -u me --password=hush; '
    text = piece * before + command + piece * 20_000
    assert "hush" not in masked(text, secret_spans(text))


_HIDDEN_MQSC = "DEFINE QLOCAL(A)\nALTER AUTHINFO(B) AUTHTYPE(IDPWLDAP) LDAPPWD('hush')\n"


def _in_base64(text: str) -> str:
    return b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("s.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata:\n  a.mqsc: TEXT\n"),
        (
            "s.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: s}\nbinaryData:\n  a.mqsc: TEXT\n",
        ),
        (
            "user-data.yaml",
            "#cloud-config\nwrite_files:\n- path: /etc/mqm/a.mqsc\n  encoding: b64\n"
            "  content: TEXT\nruncmd:\n- strmqm QM1\n",
        ),
    ],
)
def test_a_text_in_base64_with_a_secret_is_read_and_not_shown(name: str, form: str) -> None:
    encoded = _in_base64(_HIDDEN_MQSC)
    loaded = load(Input(name, data=form.replace("TEXT", encoded).encode()), ASSEMBLY, ANALYSER)
    assert loaded.reading is not None
    assert loaded.reading.commands == 2
    assert "hush" not in repr(loaded.reading)
    assert not [part for part in (encoded[:12], encoded[-12:]) if part in loaded.text]


@pytest.mark.parametrize(
    "form", ["X=TEXT; echo $X | base64 -d | sh", "powershell -EncodedCommand TEXT", "# TEXT"]
)
@pytest.mark.parametrize(
    ("plain", "is_masked"),
    [
        (_HIDDEN_MQSC, True),
        ("export MQ_PASSWORD=hush", True),
        ("\0".join("$password = 'hush'") + "\0", True),
        ("DEFINE QLOCAL(A) DESCR('no secret')", False),
    ],
)
def test_a_text_in_base64_that_is_not_read_is_masked_with_its_secret(
    form: str, plain: str, is_masked: bool
) -> None:
    encoded = _in_base64(plain)
    text = form.replace("TEXT", encoded) + "\nstrmqm QM1\n"
    loaded = load(Input("set-up.sh", data=text.encode()), ASSEMBLY, ANALYSER)
    assert (encoded[:12] not in loaded.text) is is_masked


ADDED = [
    "$env:MQ_PASSWORD ??= 'hush'",
    "datadog-agent config set api_key hush",
    "nrinstall -license_key hush",
    "RUNSQL SQL('CONNECT TO MQ USER APP USING ''hush''')",
    "# shared-secret hush",
    "cf/RefAddr/1/Type=PASSWORD\ncf/RefAddr/1/Encoding=String\ncf/RefAddr/1/Content=hush",
    "The password of `mqadmin` is `hush`.",
    "password: not my hush",
    "password: see hush",
    "az container create --secure-environment-variables MQ_CODE=a OTHER=hush --name x",
    "    user: app\n    port: 22\n    key: hush",
    "    key: hush\n    host: h.example\n    username: app",
    'LDAP_BIND="cn=mq,dc=example%hush"',
    "SSH_KEY: hush",
    "headers: {X-Auth: hush}",
    'echo "the password is hushed"',
]


@pytest.mark.parametrize("text", ADDED)
def test_a_secret_after_an_unusual_sign_is_masked(text: str) -> None:
    assert "hush" not in masked(text, secret_spans(text))


def test_a_user_and_a_password_of_a_remark_are_masked() -> None:
    for text in ("* Console user mqadm / Hush4you (May)", "# login admin / Hush4you"):
        assert "Hush4you" not in masked(text, secret_spans(text))


UNLIKE_NAMES = [
    '[ "$1" != "Hush4you" ] && exit',
    "if test $2 = Hush4you; then",
    'if /i not "%~1"=="Hush4you" exit /b',
    "if ($args[0] -ne 'Hush4you') { exit }",
    '{"keys": ["a", "Hush4youAll"]}',
    'note: "admin:Hush4you"',
]


@pytest.mark.parametrize("text", UNLIKE_NAMES)
def test_a_word_unlike_a_name_is_masked_after_a_weak_sign(text: str) -> None:
    assert "Hush4you" not in masked(text, secret_spans(text))


READABLE = [
    "image: registry.example/mq:main_0123456789abcdef0123456789abcdef01234567.tar",
    "runmqsc QM1 < objects_20261201a20261202b20261203c1.mqsc",
    "image: mq@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    "APP_PATH: /opt/mq-products/bin",
    "code: task-management-of-queue-managers-2026",
    "x: {{ qmgr | default('PRDORD1') }}",
    "cargo login --help",
    '[ "$1" != "frankfurt" ] && exit',
    'if "%1"=="PRDORD1" exit',
    '{"keys": ["orderId", "customerId"]}',
    'note: "admin:payments"',
    "az container create --environment-variables MQ_QMGR_NAME=QM1 --name mq1",
    "vault kv put secret/mq code=@file.json",
    "    with:\n      path: cache\n      key: mq-linux-build",
    "SSH_KEY: ssh-ed25519 AAAAC3 mqm@h.example",
    "SSLPEER('CN=%NAME%,OU=MQ')",
    'echo "the token was renewed"',
    "mq.password=${file:/opt/kafka/mq.properties:mq.password}",
    "environment { MQ = credentials('mq-admin') }",
    "parameters { password(name: 'MQ_PASSWORD', description: 'of the console') }",
    "permissions:\n  id-token: write\n",
    "key-prefix: orders",
    "key_pair = deploy",
    "SecretsFilter: 'mq-*'",
    "MQ_PASSWORD: not set",
    "password: see https://wiki.example/mq",
    "cf/RefAddr/1/Type=CHAN\ncf/RefAddr/1/Encoding=String\ncf/RefAddr/1/Content=APP.SVRCONN",
    "# Token lifetime",
    "# user guide / appendix2",
    "# log in with admin/console, user app / pass through",
    "# passphrase for the key ring -> vault",
    'data "vault_generic_secret" "mq" {',
    'resource "kubernetes_secret" "mq" {',
    "secret_backend: hashivault",
    "password.encoder.iterations=4096",
    'user_name="app"; user_group="mqm"',
    "Parameters:\n  Name:\n    NoEcho: false\n    Default: plain\n",
]


@pytest.mark.parametrize("text", READABLE)
def test_names_beside_secrets_are_readable(text: str) -> None:
    assert masked(text, secret_spans(text)) == text


@pytest.mark.parametrize(("text", "number"), NUMBERS)
def test_a_long_number_may_be_a_password(text: str, number: str) -> None:
    assert number not in masked(text, secret_spans(text))


@pytest.mark.parametrize(("text", "number"), SHOWN_NUMBERS)
def test_a_count_a_port_and_a_key_are_shown(text: str, number: str) -> None:
    assert number in masked(text, secret_spans(text))
