"""Ways to run a command of MQ: each is followed, or its line is listed as not followed."""

from __future__ import annotations

from base64 import b64encode
from gzip import compress
from pathlib import Path

import pytest

from tests.cli.conftest import Mqlint

RUN = "crtmqm -lf 5 QM1"
"""What each of them runs. If it is followed, CTL004 reports the option."""

MQSC = "DEFINE QLOCAL(PAY.IN) MAXDEPTH(5)\nALTER QMGR CHLAUTH(DISABLED)\n"

JOB = "//A JOB 1\n//S EXEC PGM=CSQUTIL,PARM='MQ7A'\n//SYSIN DD *\n FORMAT TYPE(OLD)\n/*\n"
"""A job of z/OS. If it is read, ZOS068 reports its statement."""

SHELL = {
    "IFS": "IFS=,\nx=crtmqm,-lf,5,QM1\n$x",
    "docker commit": f"docker commit --change 'RUN {RUN}' a b",
    "docker import": f"docker import -c 'CMD {RUN}' a.tar b",
    "arguments of the script": "IFS=:\nset -- 'crtmqm:-lf:5:QM1'\n$1",
    "env -vS": f"env -vS'{RUN}'",
    "env -iS": f"env -iS '{RUN}'",
    "letters that bash changes": "strmqm QM0\nx=CRTMQM\n${x,,} -lf 5 QM1",
    "letters that tr changes": "$(echo CRTMQM | tr A-Z a-z) -lf 5 QM1",
    "end of a name": "${verb}mqm QM1",
    "rest of a variable": "strmqm QM0\nx=aacrtmqm\n${x#aa} -lf 5 QM1",
    "part of a variable": "strmqm QM0\nx=aacrtmqm\n${x:2} -lf 5 QM1",
    "changed variable": "strmqm QM0\nx=cXtmqm\n${x/X/r} -lf 5 QM1",
    "letters that cut prints": "strmqm QM0\n$(echo xcrtmqm | cut -c2-) -lf 5 QM1",
    "letters that printf makes": "strmqm QM0\n\"$(printf 'c\\x72tmqm')\" -lf 5 QM1",
    "braces in a name": "strmqm QM0\ncrt{mqm,} -lf 5 QM1",
    "IFS as a blank": "crtmqm${IFS}-lf${IFS}5${IFS}QM1",
    "MQSC from a download": "curl -s https://h.example/x | runmqsc QM1",
    "MQSC that a program prints": 'awk \'{print "DELETE QLOCAL(" $1 ")"}\' list | runmqsc QM1',
    "MQSC that tr changes": "echo 'delete qlocal(pay.in)' | tr a-z A-Z | runmqsc QM1",
    "MQSC that a function prints": "make() { cat <<E\nALTER QMGR FORCE\nE\n}\nmake | runmqsc QM1",
    "helper of git": "git clone 'ext::crtmqm -lf 5 qm1' x",
    "other end of git": f"git fetch -u '{RUN}' host:/x",
    "program of psql": f"psql -c \"copy t from program '{RUN}'\"",
    "shell of a database": f"sqlcmd -Q \"exec xp_cmdshell '{RUN}'\"",
    "name in small letters": "python3 -c 'import os; os.system(\"strmqm qm1\")'",
    "two words in small letters": "ansible all -m shell -a 'amqmdain auto qm1'",
    "name that begins with a digit": "clush -w h1 'endmqm -9 1qm'",
    "xargs without a command": f"echo {RUN} | xargs env",
    "parallel that reads": f"parallel <<E\n{RUN}\nE",
    "incrontab": f"echo '/data IN_CREATE {RUN}' | incrontab -",
    "file of at": "strmqm QM0\nat -f tonight.txt 22:00",
    "service of monit": f"echo 'start program = \"/opt/mqm/bin/{RUN}\"' >> /etc/monit/conf.d/mq",
    "key of ssh": f"echo 'command=\"{RUN}\" ssh-ed25519 AAAA' >> ~/.ssh/authorized_keys",
    "job that is written": f"strmqm QM0\ncat > a.jcl <<E\n{JOB}E\nsubmit a.jcl",
    "job that is sent": f"strmqm QM0\nzowe zos-jobs submit stdin <<E\n{JOB}E",
    "console": "strmqm QM0\nzowe console issue command '+MQ7A ALTER QMGR CHLAUTH(DISABLED)'",
    "function of a library": "strmqm QM0\nrun_mqsc QM0 'ALTER QMGR CHLAUTH(DISABLED)'",
    "here-document with a substitution": f"cat <<EOF\n$({RUN})\nEOF",
    "here-document with backquotes": f"cat <<EOF\n`{RUN}`\nEOF",
    "default of a variable": f'echo "${{x:-$({RUN})}}"',
    "sg": f"sg mqm '{RUN}'",
    "su --command": f"su --command='{RUN}' mqm",
    "su with a joined -c": f"su -c'{RUN}' mqm",
    "su --session-command": f"su --session-command '{RUN}' mqm",
    "runuser and an option of the command": "runuser -u mqm -- crtmqm -cfoo -lf 5 QM1",
    "runuser and a shell": f"runuser -u mqm -- bash -c '{RUN}'",
    "bash -ce": f"bash -ce '{RUN}'",
    "bash -c -e": f"bash -c -e '{RUN}'",
    "bash -c --": f"bash -c -- '{RUN}'",
    "bash -eo pipefail -c": f"bash -eo pipefail -c 'X=1 {RUN}'",
    "ssh ProxyCommand": f"ssh -o ProxyCommand='{RUN}' host ls",
    "ssh LocalCommand": f"ssh -o LocalCommand='{RUN}' host",
    "sed runs its lines": f"echo '{RUN}' | sed e",
    "sed runs what it made": f"echo '{RUN}' | sed 's/$/ -q/e'",
    "perl qw": "perl -e 'exec qw(crtmqm -lf 5 QM1)'",
    "ruby %x": f"ruby -e '%x({RUN})'",
    "socat EXEC": f"socat - EXEC:'{RUN}'",
    "socat SYSTEM": f"socat TCP-LISTEN:9,fork SYSTEM:'{RUN}'",
    "vim": f"vim -es -c ':silent !{RUN}' -c 'q!'",
    "emacs": f"emacs --batch --eval '(shell-command \"{RUN}\")'",
    "osascript": f"osascript -e 'do shell script \"{RUN}\"'",
    "conman": f"conman 'sbd mq#\"{RUN}\"'",
    "npm exec": f"npm exec -c '{RUN}'",
    "bind": f"bind -x '\"\\C-x\": {RUN}'",
    "BASH_ENV": f"BASH_ENV=/dev/stdin bash -c : <<'EOF'\n{RUN}\nEOF",
    "declared variable": f"declare -x E='{RUN}'\n$E",
    "variable that is read": f"read -r c <<< '{RUN}'\n$c",
    "variable of a loop": f"while read -r c; do\n$c\ndone <<EOF\n{RUN}\nEOF",
    "copied program": "cp /opt/mqm/bin/crtmqm /tmp/x\n/tmp/x -lf 5 QM1",
    "linked program": "ln -s /opt/mqm/bin/crtmqm /tmp/ls\n/tmp/ls -lf 5 QM1",
    "hashed program": "hash -p /opt/mqm/bin/crtmqm ls\nls -lf 5 QM1",
    "ssh with quotes for the other host": f"ssh -tt h sudo su - mqm -c \"'{RUN}'\"",
    "ssh to a shell that reads": f"ssh h 'bash -l' <<< '{RUN}'",
    "autostart": f"cat > ~/.config/autostart/x.desktop <<E\nExec={RUN}\nE",
    "systemctl edit": f"systemctl edit mq --stdin <<E\n[Service]\nExecStart=/opt/mqm/bin/{RUN}\nE",
    "line that sed inserts": f"sed -i '1i {RUN}' /usr/local/bin/mq",
    "text that sed replaces": f"sed -i -e 's/^#START/{RUN}/' /etc/init.d/mq",
    "at -f": f"at -f <(echo {RUN}) now",
    "plink -m": f"plink h -m <(echo {RUN})",
    "logrotate": f"logrotate -f <(printf '/x {{\\npostrotate\\n{RUN}\\nendscript\\n}}')",
    "after a password and a sign": f"strmqm QM0\nPASSWORD=x9&{RUN}",
    "in a default that is a secret": f'strmqm QM0\neval "${{PASSWORD:-{RUN}}}"',
    "file that a container gets": "docker run -e LICENSE=accept -e MQ_QMGR_NAME=QM1 "
    "-v /tmp/x.mqsc:/etc/mqm/x.mqsc icr.io/ibm-messaging/mq",
    "input of the script": f"exec 0< <(echo '{RUN}')\nrunmqsc QM1",
    "tso": f'tso "osh {RUN}"',
    "svccfg": f"svccfg -s mq setprop start/exec='{RUN}'",
    "inittab": f"echo 'mq:2:once:/opt/mqm/bin/{RUN}' >> /etc/inittab",
    "default as a name": "strmqm QM0\n${x:-crtmqm} -lf 5 QM1",
    "default of a default": 'strmqm QM0\n"${x:-${y-crtmqm}}" -lf 5 QM1',
    "default in a folder": "strmqm QM0\n/opt/mqm/bin/${1:-crtmqm} -lf 5 QM1",
    "name that is read": "strmqm QM0\nread -rp 'what? ' c\n$c -lf 5 QM1",
    "element of an array": 'strmqm QM0\nc[0]=crtmqm\nc[1]=-lf\n"${c[@]}" 5 QM1',
    "element by a name": "strmqm QM0\ndeclare -A c=([up]=crtmqm)\n${c[up]} -lf 5 QM1",
    "name of a variable": "strmqm QM0\na=crtmqm\ndeclare -n b=a\n$b -lf 5 QM1",
    "variable that printf sets": "strmqm QM0\nprintf -v c %s%s crt mqm\n$c -lf 5 QM1",
    "menu": "strmqm QM0\nselect c in crtmqm; do $c -lf 5 QM1; done",
    "programs of a folder": "strmqm QM0\nfor c in /opt/mqm/bin/cr*m; do $c -lf 5 QM1; done",
    "name in a file": "strmqm QM0\nc=$(cat name)\nd=x$c\n$d -lf 5 QM1",
    "parts in Python": 'strmqm QM0\npython3 -c \'run("crt" + "mqm -lf 5 QM1")\'',
    "parts in the input of Python": "strmqm QM0\npython3 - <<E\nrun('crt''mqm -lf 5 QM1')\nE",
    "parts in Perl": 'strmqm QM0\nperl -e \'system("crt"."mqm QM1")\'',
    "parts in awk": 'strmqm QM0\nawk \'BEGIN { system("crt" "mqm QM1") }\'',
    "subscript": f"strmqm QM0\ntest -v 'x[$({RUN})]'",
    "link in this folder": "strmqm QM0\nln -s /opt/mqm/bin/crtmqm x\n./x -lf 5 QM1",
    "written without an ending": f"strmqm QM0\necho '{RUN}' > x\nchmod +x x\n./x",
    "printed into a temporary file": f"strmqm QM0\nprintf '{RUN}' > /tmp/x\nsh /tmp/x",
    "written and read in": f"strmqm QM0\necho '{RUN}' > x.env\n. ./x.env",
    "substitution in braces": f"x=${{ {RUN}; }}",
    "backquotes in backquotes": f"x=`echo \\`{RUN}\\``",
    "backquotes in quotes in backquotes": f'x=`echo "\\`{RUN}\\`"`',
    "awk prints to a shell": f'strmqm QM0\nawk \'{{print "{RUN}" | "/bin/sh"}}\' x',
    "sed runs what it replaces": f"strmqm QM0\necho x | sed 's/x/{RUN}/e'",
    "udev": f"echo 'RUN+=\"/opt/mqm/bin/{RUN}\"' > /etc/udev/rules.d/1.rules",
}
OTHER = {
    "a.cmd": f"echo {RUN}> x.cmd\ncall x.cmd\n",
    "b.cmd": f'mshta vbscript:CreateObject("WScript.Shell").Run("{RUN}")(window.close)\n',
    "c.cmd": "%verb%mqm QM1\n",
    "d.cmd": "strmqm QM0\nset A=xxcrtmqm\n%A:~2% -lf 5 QM1\n",
    "packed.yaml": "kind: ConfigMap\nmetadata: {name: mq}\nbinaryData:\n"
    f"  a.mqsc.gz: {b64encode(compress(MQSC.encode())).decode()}\n",
    "e.ps1": '& "${verb}mqm" QM1\n',
    "f.ps1": "& ('crt' + 'mqm') -lf 5 QM1\n",
    "a.ps1": f"(New-Object -ComObject WScript.Shell).Run('{RUN}')\n",
    "b.ps1": f"([wmiclass]'Win32_Process').Create('{RUN}')\n",
    "c.ps1": "Invoke-CimMethod -ClassName Win32_Process -MethodName Create "
    f"-Arguments @{{CommandLine='{RUN}'}}\n",
    "d.ps1": f"Send-SSMCommand -DocumentName D -Parameter @{{commands='{RUN}'}}\n",
    "e.cmd": "for %%i in (crtmqm) do %%i -lf 5 QM1\n",
    "f.cmd": "strmqm QM0\nset /p what=verb?\n%what% QM1\n",
    "g.cmd": "strmqm QM0\nfor /f %%a in (x.txt) do set what=%%a\n%what% QM1\n",
    "h.cmd": "call :sub crtmqm\nexit /b\n:sub\n%1 -lf 5 QM1\n",
    "i.cmd": "strmqm QM0\r\ncrt\rmqm -lf 5 QM1\r\n",
    "g.ps1": "& ('{0}{1}' -f 'crt','mqm') -lf 5 QM1\n",
    "h.ps1": "strmqm QM0\n$c = Read-Host\n& $c QM1\n",
    "i.ps1": "$h = @{a='crtmqm'}\n& $h.a -lf 5 QM1\n",
    "j.ps1": "'crtmqm' | % { & $_ -lf 5 QM1 }\n",
    "k.ps1": f"param($x = $({RUN}))\n",
    "l.ps1": f"$x = @{{a = {RUN}}}\n",
    "m.ps1": f"# start\r{RUN}\n",
    "n.ps1": f"[powershell]::Create().AddScript('{RUN}').Invoke()\n",
    "o.ps1": "$alias:x = 'crtmqm'\nx -lf 5 QM1\n",
    "u.ps1": "${alias:x} = 'crtmqm'\nx -lf 5 QM1\n",
    "p.ps1": "Set-Item alias:x crtmqm\nx -lf 5 QM1\n",
    "q.ps1": f"$block = [scriptblock]::Create('{RUN}')\n$block.Invoke()\n",
    "r.ps1": "(New-Object -ComObject Shell.Application).ShellExecute('crtmqm', '-lf 5 QM1')\n",
    "s.ps1": 'Add-Type \'class A { static void F() { Process.Start("crtmqm", "QM1"); } }\'\n',
    "t.ps1": "& \u2018crtmqm\u2019 -lf 5 QM1\n",
    "j.cmd": "strmqm QM0\ncmd /q < steps.txt\n",
    "k.cmd": "strmqm QM0\npowershell -NoProfile -Command - < steps.txt\n",
    "l.cmd": f"echo {RUN} | cmd /q\n",
    "m.cmd": "mklink x.exe C:\\MQ\\bin\\crtmqm.exe\nx -lf 5 QM1\n",
    "n.cmd": "copy C:\\MQ\\bin\\crtmqm.exe x.exe\nx -lf 5 QM1\n",
    "python/crontab": "SHELL=/usr/bin/python3\n"
    f"0 1 * * * import os; os.system('strmqm QM0'); os.system('{RUN}')\n",
    "random/crontab": f"0 1 * * * strmqm QM0\n0~30 2 * * * {RUN}\n",
    "quiet/crontab": f"0 1 * * * strmqm QM0\n-0 2 * * * {RUN}\n",
    "often/crontab": f"0 1 * * * strmqm QM0\n@every_minute {RUN}\n",
    "mq/init.sls": f"mq:\n  cmd.run:\n    - name: {RUN}\n",
    "Makefile": f"all:\n\t-{RUN}\n",
    "Dockerfile": "# escape=`\nFROM x\nRUN crtmqm `\n  -lf 5 QM1\n",
    "site.yml": "- hosts: mq\n  tasks:\n  - script: x.sh\n    args: {creates: x}\n"
    f"  - local_action: command {RUN}\n",
}
SCRIPTS = {**{f"{name}.sh": f"#!/bin/bash\n{text}\n" for name, text in SHELL.items()}, **OTHER}


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_command_that_runs_is_never_silent(project: Path, mqlint: Mqlint, name: str) -> None:
    (project / name).parent.mkdir(exist_ok=True)
    (project / name).write_text(SCRIPTS[name], encoding="utf-8")
    done = mqlint("check", ".")
    signs = ("not followed: ", "CTL004", "ZOS068")
    assert any(sign in done.output for sign in signs), done.output


UNREAD = {
    "incron.d/mq": f"/data IN_CLOSE_WRITE {RUN}\n",
    "anacrontab": f"1 5 mq.daily {RUN}\n",
    "nagios.cfg": f"define command {{\n command_line {RUN}\n}}\n",
    "ha.cf": f"respawn mqm /opt/mqm/bin/{RUN}\n",
    "preseed.cfg": f"d-i preseed/late_command string in-target {RUN}\n",
    "build.xml": '<exec executable="runmqsc" input="a.mqsc"><arg value="QM1"/></exec>\n',
    "jobs.xml": f"<SCRIPT>&#99;{RUN[1:]}</SCRIPT>\n",
    "package.json": f'{{"scripts": {{"up": "\\u0063{RUN[1:]}"}}}}\n',
    "steps.ipynb": f'{{"cells": [{{"source": ["!{RUN}"]}}]}}\n',
    "CMakeLists.txt": "add_custom_target(up COMMAND ${MQ}/bin/strmqm qm1)\n",
    "inetd.conf": "mq stream tcp nowait mqm /opt/mqm/bin/runmqsc runmqsc qm1\n",
    "collectd.conf": '<Plugin exec>\n Exec "mqm" "/opt/mqm/bin/strmqm" "qm1"\n</Plugin>\n',
    "setup.iss": '[Run]\nFilename: "{app}\\bin\\strmqm.exe"; Parameters: "QM1"\n',
    "setup.nsi": "Section\n ExecWait '\"$INSTDIR\\bin\\strmqm.exe\" QM1'\nSectionEnd\n",
    "fcrontab": "@mail(no) 30 /opt/mqm/bin/strmqm qm1\n",
    "mq.robot": "*** Tasks ***\nUp\n    Run Process    strmqm    QM1\n",
    "Earthfile": "up:\n  LOCALLY\n  RUN docker run x strmqm qm1\n",
    ".vimrc": "autocmd BufWritePost * !strmqm QM1\n",
    "up.clj": '(sh "strmqm" "qm1")\n',
    "supervisord.conf": "[program:mq]\ncommand=/opt/mqm/bin/strmqm qm1\n",
    "pod.yaml": "lifecycle: {preStop: {exec: {command: [endmqm, qm1]}}}\n",
    "steps.yaml": "steps:\n- entrypoint: [/opt/mqm/bin/strmqm, qm1]\n",
    "send.vbs": 'text = "alter qmgr chlauth(disabled)"\n',
    "set.rb": "text = 'set chlauth(APP) type(blockuser)'\n",
    "send.tcl": "set text {define qlocal(PAY.IN) maxdepth(5)}\n",
    "send.json": '{"text": "define channel(APP) chltype(svrconn)"}\n',
    "template.txt": f"## template: jinja\n#cloud-config\nruncmd:\n - {RUN}\n",
    "user-data.txt": f"#cloud-config\nruncmd:\n - {RUN}\n",
    "packed.tf": f'user_data = "{b64encode(compress(MQSC.encode())).decode()}"\n',
    "parts.txt": "Content-Type: multipart/mixed; boundary=x\n\n--x\n"
    f"Content-Type: text/x-shellscript\n\n#!/bin/sh\n{RUN}\n--x--\n",
}


@pytest.mark.parametrize("name", UNREAD)
def test_a_file_of_another_program_that_runs_a_command_is_listed(
    project: Path, mqlint: Mqlint, name: str
) -> None:
    (project / name).parent.mkdir(exist_ok=True)
    (project / name).write_text(UNREAD[name], encoding="utf-8")
    assert f"not read: {name}: " in mqlint("check", ".").output


PADDING = "# a line of a long file\n" * 4_000
NOT_RUN = {
    "notes.js": "define qlocal (a name) and alter qmgr as you need\n",
    "queue.py": "def qlocal(name):\n    channel(name)\n",
    "queue.ts": "class Socket { set channel(value) {} set listener(value) {} }\n",
    "remove.py": "print('delete channel(s) and alter listener(s) first')\n",
    "queue.h": "#define qlocal(name) (name)\n",
    "list.yaml": "known: [strmqm, endmqm]\ncommands: [strmqm, endmqm]\n",
    "list.cfg": "tags = strmqm, endmqm\nsee = strmqm is the command of MQ\n",
    "sudoers": "Cmnd_Alias MQ = /opt/mqm/bin/strmqm, /opt/mqm/bin/endmqm\n",
    "checks.toml": 'title = "strmqm qm1"\ndescription = "strmqm starts it"\n# strmqm qm1\n',
}


@pytest.mark.parametrize("name", NOT_RUN)
def test_a_file_that_only_names_a_command_is_not_listed(
    project: Path, mqlint: Mqlint, name: str
) -> None:
    (project / name).write_text(NOT_RUN[name], encoding="utf-8")
    assert "not read" not in mqlint("check", ".").output


BEHIND_PADDING = {
    "justfile": f"{PADDING}up:\n  {RUN}\n",
    "tox.ini": f"{PADDING}[testenv]\ncommands = {RUN}\n",
    "set_up.lua": f"{PADDING}os.execute('{RUN}')\n",
    "package.json": f'{{"keywords": [{", ".join(["0"] * 30_000)}], "scripts": {{"up": "{RUN}"}}}}',
    "beside_a_policy.yaml": "--- {kind: ConfigMap, data: {a.mqsc: ALTER QMGR FORCE}}\n---\n"
    "severity: {}\nmessage: x\ncases:\n- x\n",
    ".travis.yml": f"{PADDING}install: {RUN}\n",
}


@pytest.mark.parametrize("name", BEHIND_PADDING)
def test_a_command_far_behind_in_a_file_is_listed(project: Path, mqlint: Mqlint, name: str) -> None:
    (project / name).write_text(BEHIND_PADDING[name], encoding="utf-8")
    assert f"not read: {name}: " in mqlint("check", ".").output


MESSAGES = {
    "here-document": f"strmqm QM1\ncat <<EOF\nRun {RUN} first, see \\$({RUN})\nEOF",
    "quoted here-document": f"strmqm QM1\ncat <<'EOF'\n$({RUN})\nEOF",
    "default of a variable": 'strmqm "${QM:-QM1}"\necho "${MQ_HOME:-$(pwd)}"',
    "copies of programs": "strmqm QM1\ncp /opt/mqm/bin/strmqm /backup/\n"
    "ln -s /opt/mqm/bin/strmqm /usr/bin/strmqm",
    "programs that are replaced": "strmqm QM1\nmv own.sh /usr/local/bin/strmqm\n./own.sh",
    "sed that edits": "strmqm QM1\nsed -e 's/a/b/' x\nsed '/e/d' y\nsed -i s/a/b/ /etc/init.d/mq",
    "unit": "strmqm QM1\nsystemctl status mq\nsystemctl edit mq --stdin <<E\nA=1\nE",
    "comparison": f"strmqm QM1\ndiff <(echo '{RUN}') x",
    "files of a program": "strmqm QM1\nvim /var/mqm/qmgrs/QM1/qm.ini\nnpm install",
    "file for a container": "docker run -e LICENSE=accept -e MQ_QMGR_NAME=QM1 "
    "-v $PWD/own.mqsc:/etc/mqm/own.mqsc -v data:/mnt/mqm icr.io/ibm-messaging/mq",
    "message of a commit": "strmqm QM1\ngit commit -m 'ALTER QMGR CHLAUTH(DISABLED)'\n"
    "log_info 'DEFINE QLOCAL(PAY.IN)'\ngrep -q 'DEFINE QLOCAL(PAY.IN)' own.mqsc",
    "search that xargs gets": "strmqm QM1\ngrep -l 'strmqm QM1' *.txt | xargs rm",
    "job that is shown": f"strmqm QM1\ncat <<E\n{JOB}E",
    "message of the day": "strmqm QM1\necho 'strmqm QM1 starts it' > /etc/motd\n"
    "echo '192.0.2.1 mqhost' >> /etc/hosts\nat -f own.sh 22:00",
    "input that is known": "strmqm QM1\necho 'DISPLAY QMGR' | runmqsc QM1\n"
    'cat own.mqsc | runmqsc QM1\ncat "$1" | runmqsc QM1\n./own.sh | runmqsc QM1',
    "parts of variables": 'strmqm QM1\nx=${0##*/}\n${0%/*}/own.sh\n$RUN "$(echo x)"\n'
    "echo a{b,c}${IFS}d",
    "file that is only shown": f"strmqm QM1\necho '{RUN}' > x\ncat x\ngrep mqm x",
    "file of settings": "strmqm QM1\necho 'QM=QM1' > x.env\n. ./x.env\nstrmqm $QM",
    "file of a message": "strmqm QM1\necho 'run strmqm first' > x\nsh x",
    "query in backquotes": "strmqm QM1\nx=`echo \\`dspmq -m QM1\\``",
    "programs of awk and sed": "strmqm QM1\n"
    "awk '{print \"strmqm\" | \"sort\"}' x\nsed 's/strmqm QM1/x/g' x",
    "log": f"strmqm QM1\necho '{RUN}' >> /var/log/mq.log",
    "commit by git": "strmqm QM1\ngit push\ngit commit -m 'strmqm qm1'\n$SUDO systemctl restart x",
    "names that are known or given": "strmqm QM1\nread -r answer\nJAVA=$(command -v java)\n"
    '$JAVA -jar x.jar "$answer"\n${SUDO:-sudo} ls\n$1 "$2"\nfor x in strmqm; do echo $x; done',
    "parts of a message": 'strmqm QM1\nperl -e \'print "it" . "is "\'\n[ -n "${x[0]}" ]',
    "ssh": "ssh -o ConnectTimeout=5 -p 22 host strmqm QM1",
}


@pytest.mark.parametrize("name", MESSAGES)
def test_a_message_is_not_listed(project: Path, mqlint: Mqlint, name: str) -> None:
    (project / "own.mqsc").write_text("DISPLAY QMGR\n", encoding="utf-8")
    (project / "own.sh").write_text("strmqm QM1\n", encoding="utf-8")
    (project / "a.sh").write_text(f"#!/bin/bash\n{MESSAGES[name]}\n", encoding="utf-8")
    assert "not followed" not in mqlint("check", ".").output
