"""MQ's commands in shell scripts: found where they stand, unknown where they depend on running."""

from __future__ import annotations

import re

import pytest

from mqlint.language.script.faults.environment import environment_faults
from mqlint.language.script.step import ShellScript, Step
from mqlint.language.script.unread.mentions import ACTING
from mqlint.language.script.unread.unfollowed import unread_runs
from mqlint.vocabulary.unknown import UNKNOWN
from tests.languages import script_in
from tests.linear import is_linear_in_steps, is_linear_in_time
from tests.shipped import shipped_vocabulary

CONTROL = shipped_vocabulary().control

COMMANDS = [
    # script, the commands and the queue managers they name
    ("crtmqm -lla QMA\nstrmqm QMA\n", ["crtmqm QMA", "strmqm QMA"]),
    ("/opt/mqm/bin/endmqm -i QMA", ["endmqm QMA"]),
    ("f() { strmqm $1; shift 2; strmqm $1; }; f QMA x QMB", ["strmqm QMA", "strmqm QMB"]),
    ("f() { shift $n; strmqm $1; }; f QMA x QMB", ["strmqm None"]),
    ("f() { [ -n $2 ] && shift 2; strmqm $1; }; f QMA x QMB", ["strmqm None"]),
    ("f() { if $x; then shift; fi; strmqm $1; }; f QMA QMB", ["strmqm None"]),
    ("$MQ_HOME/bin/strmqm QMA", ["strmqm QMA"]),
    ("sudo -u mqm strmqm QMA", ["strmqm QMA"]),
    ("sudo -n -E MQSPREFIX=/x strmqm QMA", ["strmqm QMA"]),
    ("timeout -k 5 30s nice -n 5 endmqm -w QMA", ["endmqm QMA"]),
    ("sudo -niu mqm --group mqm strmqm QMA", ["strmqm QMA"]),
    ("timeout $T strmqm QMA; timeout -- 5 endmqm QMA", ["strmqm QMA", "endmqm QMA"]),
    ("time -p strmqm QMA; OPTIONS=(-p strmqm QMB); x -p strmqm QMC", ["strmqm QMA"]),
    ("stdbuf -oL -e 0 chrt -r 5 taskset -c 0,1 strmqm QMA", ["strmqm QMA"]),
    ("strace -f -o /tmp/t doas -u mqm unshare -m gosu mqm strmqm QMA", ["strmqm QMA"]),
    ("setpriv --reuid mqm --regid=mqm --clear-groups busybox env A=1 strmqm QMA", ["strmqm QMA"]),
    ("env -S 'strmqm QMA'", ["strmqm QMA"]),
    ("env -i -S strmqm QMA", ["strmqm QMA"]),
    ("env --split-string='strmqm -x' QMA; env '-Sstrmqm QMB'", ["strmqm QMA", "strmqm QMB"]),
    ("env -S", []),
    ("flock -n /tmp/lock strmqm QMA", ["strmqm QMA"]),
    ("flock -w 5 /tmp/lock -c 'crtmqm QMA && strmqm QMA'", ["crtmqm QMA", "strmqm QMA"]),
    ("script -qc 'strmqm QMA' /tmp/log; sg mqm -c 'endmqm QMA'", ["strmqm QMA", "endmqm QMA"]),
    ("watch -n 5 'dspmq -m QMA' ; watch dspmq -m QMB", ["dspmq QMA", "dspmq QMB"]),
    ("dspmq | xargs -r -n 1 endmqm -i", ["dspmq None", "endmqm None"]),
    ("echo QMA | xargs -I{} sh -c 'endmqm QM_{}; strmqm QMA'", ["endmqm None", "strmqm QMA"]),
    (
        "xargs --replace=@ strmqm QM@; xargs -i strmqm QM; xargs -I % strmqm Q%",
        ["strmqm None", "strmqm QM", "strmqm None"],
    ),
    ("echo strmqm QMA | xargs; xargs echo strmqm QMA; xargs xargs strmqm QMA; xargs", []),
    (
        "find /x -name q -exec strmqm QMA \\; -exec sh -c 'endmqm {}' + -exec ls {} +",
        ["strmqm QMA", "endmqm None"],
    ),
    ("for x[0 in a b; do strmqm QMA; done", ["strmqm QMA"]),
    ("for x+* in a b; do strmqm QMA; endmqm QMA; done", ["strmqm QMA", "endmqm QMA"]),
    ("find . -name strmqm -exec", []),
    ("runuser -u mqm -- strmqm QMA", ["strmqm QMA"]),
    ('su - mqm -c "crtmqm QMA && strmqm QMA"', ["crtmqm QMA", "strmqm QMA"]),
    ("sudo su - mqm -c \"bash -lc 'strmqm QMA'\"", ["strmqm QMA"]),
    ("strmqm 'QMA'; strmqm \"QMB\" & strmqm Q\\MC", ["strmqm QMA", "strmqm QMB", "strmqm QMC"]),
    ("crtmqm -lp 3 \\\n  -ls 2 \\\r\n QMA", ["crtmqm QMA"]),
    ("rcdmqimg -m QMA -t all '*'", ["rcdmqimg QMA"]),
    ("rcdmqimg -t all -mQMA '*'", ["rcdmqimg QMA"]),
    ('X=$(echo "DIS QMGR" | runmqsc QMA | grep X)', ["runmqsc QMA"]),
    ("X=`dspmq; strmqm QMA`", ["dspmq None", "strmqm QMA"]),
    ('echo "$(strmqm QMA)"', ["strmqm QMA"]),
    ("(cd /; strmqm QMA)", ["strmqm QMA"]),
    ("# strmqm QMA\necho strmqm QMB # strmqm QMC", []),
    ("echo 'strmqm QMA'", []),
    ("mystrmqm QMA; strmqm-old QMA", []),
    ("ssh other strmqm QMA", ["strmqm QMA"]),
    ("ssh other crtmqm QMA", ["crtmqm QMA"]),
    ("ssh other crtmqm QMA; ssh next crtmqm QMA; ssh next crtmqm QMB", ["crtmqm QMB"]),
    ("ssh other strmqm QMA; ssh other crtmqm QMA", ["strmqm QMA"]),
    ("ssh $HOST crtmqm QMA", []),
    ("ssh $HOST strmqm QMA", []),
    ("strmqm", ["strmqm None"]),
    ('strmqm "$1"', ["strmqm None"]),
    ("for q in A B; do strmqm $q; done", ["strmqm A", "strmqm B"]),
    (
        "for q in A B\ndo\n  crtmqm -lc QM_$q\n  strmqm QM_$q\ndone",
        ["crtmqm QM_A", "strmqm QM_A", "crtmqm QM_B", "strmqm QM_B"],
    ),
    (
        "for q in QM{1..3}; do strmqm $q; done\nstrmqm $q",
        ["strmqm QM1", "strmqm QM2", "strmqm QM3", "strmqm None"],
    ),
    ("for q in QM{A,B}.X; do strmqm $q; done", ["strmqm QMA.X", "strmqm QMB.X"]),
    ("for i in $(seq 2); do strmqm QM$i; done", ["strmqm QM1", "strmqm QM2"]),
    ("for i in `seq 08 09`; do strmqm QM$i; done", ["strmqm QM08", "strmqm QM09"]),
    ('L="A B"\nfor q in $L; do strmqm $q; done', ["strmqm A", "strmqm B"]),
    ('L=(A B)\nfor q in "${L[@]}"; do strmqm $q; done', ["strmqm A", "strmqm B"]),
    (
        "for q in A B; do for i in 1 2; do strmqm $q$i; done; done",
        ["strmqm A1", "strmqm A2", "strmqm B1", "strmqm B2"],
    ),
    ("for q in A B; do strmqm $q; done > log\nendmqm C", ["strmqm A", "strmqm B", "endmqm C"]),
    ("for q in A $B; do strmqm $q; done", ["strmqm None"]),
    ("for q in *; do strmqm $q; done", ["strmqm None"]),
    ("for q; do strmqm $q; done", ["strmqm None"]),
    ("for q in A B; do q=C; strmqm $q; done", ["strmqm None"]),
    ("for q in {1..100000}; do strmqm $q; done", ["strmqm None"]),
    ("up() { strmqm $1; }\nup A\nup B", ["strmqm A", "strmqm B"]),
    ("up() { strmqm $1; }\nup A $1\nup $2", ["strmqm A", "strmqm None"]),
    ("up() { local qm=$1; shift; strmqm $qm; endmqm $1; }\nup A B", ["strmqm A", "endmqm B"]),
    ('up() { for q in "$@"; do strmqm $q; done; }\nup A B', ["strmqm A", "strmqm B"]),
    ("up() { down $1; strmqm $1; }\ndown() { endmqm $1; }\nup A", ["endmqm A", "strmqm A"]),
    ("up() { up A; strmqm $1; }\nup A", ["strmqm A"]),
    ("up() { strmqm $1; }\nfor q in A B; do up $q; done", ["strmqm A", "strmqm B"]),
    ("up() { QM=$1; }\nup A\nstrmqm $QM", ["strmqm None"]),
    ("command -v strmqm\ncommand strmqm A", ["strmqm A"]),
    ('QM=QMA\nstrmqm $QM\nstrmqm ${QM}\nstrmqm "$QM"', ["strmqm QMA"] * 3),
    ('QM=QMA\n# a local queue for $QM\necho "Objects for $QM"\nstrmqm $QM', ["strmqm QMA"]),
    ("QM=QMA\necho done; IFS=, read -r QM\nstrmqm $QM", ["strmqm None"]),
    ("QM=QMA\nfor x in $QM; do strmqm $QM; done", ["strmqm QMA"]),
    ("QM=QMA\necho for $QM | while read QM; do strmqm $QM; done", ["strmqm None"]),
    ('QM=QMA\nlog() { echo "QM=$QM"; }\nstrmqm $QM', ["strmqm QMA"]),
    ("QM=QMA\nup() { QM=$QM.2; }\nQM=QMB\nstrmqm $QM", ["strmqm None"]),
    ("export QM=QMA\nstrmqm $QM", ["strmqm QMA"]),
    ("QM=QMA\nstrmqm $QM\nQM=QMB\nstrmqm $QM", ["strmqm QMA", "strmqm QMB"]),
    ("QM=QMA\nQM=$1\nstrmqm $QM", ["strmqm None"]),
    ("QM=QMA\nup() { QM=QMB; }\nQM=QMC\nstrmqm $QM", ["strmqm None"]),
    ("QM=QMA\nif x; then QM=QMB; strmqm $QM; fi\n", ["strmqm QMB"]),
    ("if x; then QM=QMB; else strmqm $QM; fi\n", ["strmqm None"]),
    ("case $1 in a) QM=QMB;; b) strmqm $QM;; esac\n", ["strmqm None"]),
    (
        "if x; then L=-lc; else L=-ll; fi\ncrtmqm $L QMA\nstrmqm QMA\n",
        ["crtmqm QMA", "crtmqm QMA", "strmqm QMA"],
    ),
    ("for ((i=1; i<=2; i++)); do strmqm QM$i; done", ["strmqm QM1", "strmqm QM2"]),
    ("for (( i = 0 ; i < 2 ; i += 1 ))\ndo strmqm QM$i; done", ["strmqm QM0", "strmqm QM1"]),
    ("N=2\nfor ((i=1;i<=$N;++i)); do strmqm QM$i; done", ["strmqm QM1", "strmqm QM2"]),
    ("for ((i=1;i<=N;i++)); do strmqm QM$i; done", ["strmqm None"]),
    ("for ((i=9;i>0;i--)); do strmqm QM$i; done", ["strmqm None"]),
    ("for ((i=1;i<=2;i++)); do i=5; strmqm QM$i; done", ["strmqm None"]),
    ("QM=${QM:-QMA}\nstrmqm $QM", ["strmqm None"]),
    ("if x; then QM=QMA; fi\nstrmqm $QM", ["strmqm None"]),
    ("QM=QMA\nread QM\nstrmqm $QM", ["strmqm None"]),
    ("QM=QMA\n. ./site.env\nstrmqm $QM", ["strmqm None"]),
    ("amqmdain reg QMA -c add", ["amqmdain QMA"]),
    ("amqmdain qmgr start QMA", ["amqmdain QMA"]),
    ("amqmdain qmgr start", ["amqmdain None"]),
    ("QM=QMA\n. /opt/mqm/bin/setmqenv -s\nstrmqm $QM", ["setmqenv None", "strmqm QMA"]),
    ("cat <<E\nstrmqm QMA\nE\nstrmqm QMB", ["strmqm QMB"]),
    ("strmqm QMA </dev/null >/tmp/x 2>&1", ["strmqm QMA"]),
    ("x=$((1<<4))\n(( y << 2 ))\nstrmqm QMA", ["strmqm QMA"]),
]

MAYBE = [
    ("strmqm QMA\nexit 0\nstrmqm QMB", [False, True]),
    ('[ -z "$1" ] && exit 1\nstrmqm QMA || exit 1\n(exit 1)\nstrmqm QMB', [False, False]),
    ("stop() { date; exit; }\n[ -f x ] || stop\nstrmqm QMA", [False]),
    ("if [ -f x ]; then exit 1; fi\nstrmqm QMA", [False]),
    # script, per step whether it may not run
    ("if [ -d x ]; then\n strmqm A\nelse\n strmqm B\nfi\nstrmqm C", [True, True, False]),
    ("if strmqm A; then :; elif strmqm B; then :; fi", [False, True]),
    ("while strmqm A; do strmqm B; done; strmqm C", [False, True, False]),
    ("case $1 in\nstart|strmqm) strmqm A;;\n*) strmqm B;;\nesac\nstrmqm C", [True, True, False]),
    ("case $1 in (start) strmqm A;; (*) strmqm B;; esac\nstrmqm C", [True, True, False]),
    ("up() {\n strmqm A\n}\nstrmqm B", [False, True]),
    ("function up {\n strmqm A\n}\n{ strmqm B; }", [False, True]),
    ("up() {\n strmqm A\n}\nup", [False]),
    ("up() {\n strmqm A\n}\nif true; then up; fi", [True]),
    ("up() { strmqm A; }\nmain() { up; }\nmain", [True]),
    ("up() { if true; then strmqm A; fi; }\nup", [True]),
    ("for q in A B; do strmqm $q; done", [False, False]),
    ("for q in A B; do strmqm $q || break; done", [False, True]),
    ("for try in 1 2 3; do strmqm A && break; done", [False]),
    ('retry() { for i in 1 2; do "$@" && break; done; }\nretry strmqm A', [False]),
    ("if true; then for q in A B; do strmqm $q; done; fi", [True, True]),
    ("[ -f x ] && strmqm A\nstrmqm B", [True, False]),
    ("strmqm A || strmqm B\ncd /x && strmqm C", [False, True, False]),
    ("crtmqm A && strmqm A", [False, False]),
    ("if x; then su mqm -c 'strmqm A'; fi", [True]),
    ("if x; then y=$(strmqm A); fi", [True]),
    ("find . -exec strmqm A \\;\nstrmqm B", [True, False]),
    ("echo | xargs strmqm\nflock x strmqm B", [True, False]),
]

DOCUMENTS = [
    # script, text of the MQSC, queue manager
    ("runmqsc QMA <<EOF\nALTER QMGR\nEOF\n", "ALTER QMGR\n", "QMA"),
    ("runmqsc QMA <<'EOF'\nDESCR('$X')\nEOF\n", "DESCR('$X')\n", "QMA"),
    ("runmqsc QMA <<-EOF\n\tDEF QL(A)\n\t\tEND\n\tEOF\n", "DEF QL(A)\nEND\n", "QMA"),
    ("runmqsc QMA <<EOF\nDEF QL(\\$A)\nEOF\n", "DEF QL($A)\n", "QMA"),
    ("runmqsc QMA <<EOF\nDEF QL(A) \\\nMAXDEPTH(5)\nEOF", "DEF QL(A) MAXDEPTH(5)\n", "QMA"),
    ("runmqsc QMA <<EOF\r\nDIS QMGR\r\nEOF\r\n", "DIS QMGR\r\n", "QMA"),
    ("runmqsc QMA <<EOF\nDIS QMGR\n", "DIS QMGR\n", "QMA"),
    ("N=A\nrunmqsc QMA <<EOF\nDEF QL($N)\nEOF\n", "DEF QL(A)\n", "QMA"),
    ("runmqsc QMA <<EOF\nDEF QL($N)\nEOF\n", "DEF QL(\ue000\ue000)\n", "QMA"),
    ("echo \"DEF QL('A')\" | runmqsc QMA", "DEF QL('A')", "QMA"),
    ("echo \"DEF QL('A')\" | (cat) | (cd /x && runmqsc QMA)", "DEF QL('A')\n", "QMA"),
    ("echo \"DEF QL('A')\" | { sleep 1; runmqsc QMA; }", "DEF QL('A')", "QMA"),
    ("echo \"DEF QL('A')\" |\n(\n( { runmqsc QMA; } )\n)\n", "DEF QL('A')", "QMA"),
    ("echo \"DEF QL('A')\" | for q in QMA; do\nrunmqsc $q\ndone\n", "DEF QL('A')", "QMA"),
    ("{ sleep 1; runmqsc QMA; } <<E\nDIS QMGR\nE\n", "DIS QMGR\n", "QMA"),
    ("( cd /x; runmqsc QMA ) <<< 'DIS QMGR'\n", "DIS QMGR", "QMA"),
    ("dd of=/tmp/a <<E\nDIS QMGR\nE\nrunmqsc QMA < /tmp/a\n", "DIS QMGR\n", "QMA"),
    ("install -m 600 /dev/stdin a <<E\nDIS QMGR\nE\nrunmqsc QMA < a\n", "DIS QMGR\n", "QMA"),
    ('echo "DEF QL($1)" | runmqsc $2', "DEF QL(\ue000)", None),
    ('echo -e "DIS QMGR\\nEND" | runmqsc QMA', "DIS QMGR\nEND", "QMA"),
    ('printf "DIS QMGR\\nEND\\n" | runmqsc QMA', "DIS QMGR\nEND\n", "QMA"),
    ('print -- "DIS QMGR" | runmqsc QMA', "DIS QMGR", "QMA"),
    ('print -r - "DIS QMGR" | runmqsc QMA', "DIS QMGR", "QMA"),
    (
        r"printf 'DIS %s\nDEF QL(A) DESCR(%b) 5%%\n' QMGR 'A\tB'|runmqsc QMA # $",
        "DIS QMGR\nDEF QL(A) DESCR(A\tB) 5%\n",
        "QMA",
    ),
    ("runmqsc QMA <<< $'DIS QMGR\\n\\x45ND'", "DIS QMGR\nEND", "QMA"),
    ("runmqsc QMA <<< $'D\\111S\\40Q\\u004d\\x47R \\q\\8\\377'", "DIS QMGR \\q\\8\ue000", "QMA"),
    (r"printf '\104\x49\123 QMGR\045\x27' | runmqsc QMA # $", "DIS QMGR%'", "QMA"),
    (r"printf %b '\0104\111S' ' \q' | runmqsc QMA # $", "DIS \\q", "QMA"),
    (
        r"echo -e '\x44\0111S' '\u0051MGR\047 \123\a' | runmqsc QMA # $",
        "DIS QMGR' \\123\ue000",
        "QMA",
    ),
    (r"echo 'DIS QMGR\x47 \0111'|runmqsc QMA", r"DIS QMGR\x47 \0111", "QMA"),
    ("echo $'DIS QMGR\\nEND it\\'s'|runmqsc QMA", "DIS QMGR\nEND it's", "QMA"),
    ('printf "%s\\n" "DIS QMGR" END | runmqsc QMA', "DIS QMGR\nEND\n", "QMA"),
    ("cat <<E | runmqsc QMA\nDIS QMGR\nE\n", "DIS QMGR\n", "QMA"),
    ('runmqsc QMA <<< "DIS QMGR"', "DIS QMGR", "QMA"),
    ("su mqm -c 'runmqsc QMA' <<'E'\nDIS QMGR\nE\n", "DIS QMGR\n", "QMA"),
    ("su mqm -c 'echo \"DIS QMGR\" | runmqsc QMA'", "DIS QMGR", "QMA"),
    ("echo 'DIS QMGR' | sudo -u mqm runmqsc -u ann QMA", "DIS QMGR", "QMA"),
    # what runs elsewhere
    ("docker exec -i box runmqsc QMA <<'E'\nDIS QMGR\nE\n", "DIS QMGR\n", "QMA"),
    ("docker exec -u mqm box sh -c \"echo 'DIS QMGR' | runmqsc QMA\"", "DIS QMGR", "QMA"),
    ("podman exec box bash -c 'echo DIS QMGR | runmqsc QMA'", "DIS QMGR", "QMA"),
    ("echo DIS QMGR | kubectl exec -i p -n ns -- runmqsc QMA", "DIS QMGR", "QMA"),
    ("echo DIS QMGR | oc rsh p runmqsc QMA", "DIS QMGR", "QMA"),
    ("echo DIS QMGR | oc -n ns rsh -c qmgr p runmqsc QMA", "DIS QMGR", "QMA"),
    ("oc -n ns exec -i p -c qmgr -- runmqsc QMA <<< 'DIS QMGR'", "DIS QMGR", "QMA"),
    ("docker compose exec -T box runmqsc QMA <<< 'DIS QMGR'", "DIS QMGR", "QMA"),
    ("ssh -i key ann@box sudo runmqsc QMA <<'E'\nDIS QMGR\nE\n", "DIS QMGR\n", "QMA"),
    ("ssh box 'echo DIS QMGR | runmqsc QMA'", "DIS QMGR", "QMA"),
    ("ssh hub ssh box 'echo DIS QMGR | runmqsc QMA'", "DIS QMGR", "QMA"),
    ("ssh box <<'E'\necho DIS QMGR | runmqsc QMA\nE\n", "DIS QMGR", "QMA"),
    ("$AS_MQM runmqsc QMA <<'E'\nDIS QMGR\nE\n", "DIS QMGR\n", "QMA"),
    ("env -S 'runmqsc QMA' <<E\nDIS QMGR\nE\n", "DIS QMGR\n", "QMA"),
    ("flock x -c \"echo 'DIS QMGR' | runmqsc QMA\"", "DIS QMGR", "QMA"),
    ("echo | xargs -I{} sh -c 'echo DIS QMGR | runmqsc QMA'", "DIS QMGR", "QMA"),
    (
        "find . -name '*.x' -exec sh -c 'echo \"DEF QL({})\" | runmqsc QMA' \\;",
        "DEF QL(\ue000)",
        "QMA",
    ),
    # scripts that a shell reads
    ("source /dev/stdin <<'E'\necho DIS QMGR | runmqsc QMA\nE\n", "DIS QMGR", "QMA"),
    ("bash /dev/stdin <<'E'\necho DIS QMGR | runmqsc QMA\nE\n", "DIS QMGR", "QMA"),
    ("su - mqm <<'E'\necho DIS QMGR | runmqsc QMA\nE\n", "DIS QMGR", "QMA"),
    ("sudo -u mqm bash -s <<'E'\necho DIS QMGR | runmqsc QMA\nE\n", "DIS QMGR", "QMA"),
    ("ssh box 'bash -s' <<'E'\necho DIS QMGR | runmqsc QMA\nE\n", "DIS QMGR", "QMA"),
    ("ssh box 'sudo su - mqm' <<'E'\necho DIS QMGR | runmqsc QMA\nE\n", "DIS QMGR", "QMA"),
    # functions of another file, and one that runs its arguments
    (
        "mqsc QMA 'DIS QL(A)'\nnote QMA 'DIS QL(B)'\nmqsc QMA 'define the queue'\n",
        "DIS QL(A)",
        None,
    ),
    ('mq() { /opt/mqm/bin/"$@"; }\nmq runmqsc QMA <<< END\n', "END", "QMA"),
    ("docker exec -i box sh <<'E'\nrunmqsc QMA <<F\nEND\nF\nE\n", "END\n", "QMA"),
    ("cat <<'E' | ssh box 'cat > x.mqsc'\nEND\nE\n", "END\n", None),
    # several commands before a pipe
    ("(echo A B; sleep 1; echo END) | runmqsc QMA", "A B\nEND\n", "QMA"),
    ("{ echo A B\necho\nprintf 'END'; } | runmqsc QMA", "A B\n\nEND", "QMA"),
    ("while read q; do echo END; done | runmqsc QMA", "END\n", "QMA"),
    ("cat <<'E' | tee x.mqsc | runmqsc QMA\nEND\nE\n", "END\n", "QMA"),
    ("envsubst <<'E' | runmqsc QMA\nEND $Q\nE\n", "END $Q\n", "QMA"),
    # files that the script writes
    ("cat > x.mqsc <<'E'\nEND\nE\n", "END\n", None),
    ("tee /etc/mqm/x.mqsc <<'E'\nEND\nE\n", "END\n", None),
    ("echo END | sudo tee -a x.mqsc", "END\n", None),
    ('rm $F\necho A >> $F\necho END>>"${F}"\nrunmqsc QMA <$F', "A\nEND\n", "QMA"),
    ("echo A >t\necho END >t\ncat t | runmqsc QMA", "END\n", "QMA"),
    ("{ echo A; echo END; } > t\nrunmqsc -f ./t QMA", "A\nEND\n", "QMA"),
    ("cat >/tmp/t <<'E'\nEND\nE\ndocker exec box runmqsc QMA </t", "END\n", "QMA"),
    ("echo END > t\nrunmqsc -v QMA < t\nrunmqsc QMA < t", "END\n", "QMA"),
    ('echo END > t\nrunmqsc "$1" < t\nrunmqsc "$2" < t', "END\n", None),
    # arrays
    (
        "a=(\n'DIS QMGR' # x\nEND)\nprintf '%s\\n' \"${a[@]}\"|runmqsc QMA",
        "DIS QMGR\nEND\n",
        "QMA",
    ),
    ("f() {\nlocal a=(DIS)\na+=(QMGR)\necho ${a[*]}|runmqsc QMA\n}", "DIS QMGR", "QMA"),
    ("if x; then a=(A); else a=(B); fi; echo ${a[@]}|runmqsc QMA", "\ue000", "QMA"),
    # variables that hold it
    ("M='DIS QL(A)\nEND'\necho \"$M\" | runmqsc QMA", "DIS QL(A)\nEND", "QMA"),
    ("M='DIS QL(A)'\nM+=' ALL'\nrunmqsc QMA <<< \"${M}\"", "DIS QL(A) ALL", "QMA"),
    ("M='DIS QL(A)'\nM='DIS QL(B)'\necho $M | runmqsc QMA", "DIS QL(B)", "QMA"),
    ("M=$(cat <<'E'\nDIS QL(A)\nE\n)\necho \"$M\" | runmqsc QMA", "DIS QL(A)\n", "QMA"),
    (
        "M=''\nM=`echo $M 'DIS QL(A)'`\nM=`echo $M ALL`\necho $M|runmqsc QMA",
        "DIS QL(A) ALL",
        "QMA",
    ),
    ("if x; then\nM='DIS QL(A)'\necho $M | runmqsc QMA\nfi", "DIS QL(A)", "QMA"),
    ("if x; then M='DIS QL(A)'; fi\necho \"$M\" | runmqsc QMA", "\ue000", "QMA"),
    ("M='DIS QL(A)\nEND'\nread M\necho \"$M\" | runmqsc QMA", "\ue000", "QMA"),
    ("keep x.mqsc 'DIS QL(A)\nEND'\ngrep 'DIS QL(\n' x.mqsc", "DIS QL(A)\nEND", None),
    # what a function of the script gives to runmqsc
    ("f() { docker exec -i b runmqsc QMA; }\nf 'DEF QL(A)'", "DEF QL(A)", "QMA"),
    ("f() { x | runmqsc $2; }\nf 'DEF QL(A)' QMA", "DEF QL(A)", "QMA"),
    ('go() { f "DEF QL($1)"; }\nfunction f {\nx|runmqsc QMA\n}', "DEF QL(\ue000)", "QMA"),
    ("f() { x | runmqsc $QM; }\nf 'DEF QL(A)'\nf READY", "DEF QL(A)", None),
    ("cmd //c 'echo DIS QMGR| runmqsc QMA'", "DIS QMGR", "QMA"),
]

TO_SEVERAL = "echo END > t\nrunmqsc QMA < t\ncat t | runmqsc QMB\nrunmqsc -f t QMC\n"

BRANCHES_OF_CALLS = [
    # body of a function f, its calls, and the MQSC of each
    ('if [ "$1" = a ]; then echo A $2; else echo B $2; fi', "f a 1\nf b 2", ["A 1", "B 2"]),
    ("if [[ $1 != a ]]; then echo A $2; else echo B $2; fi", "f a 1\nf b 2", ["A 2", "B 1"]),
    (
        "if [ $1 = a ]; then echo A; elif [ $1 = b ]; then echo B $2; else echo C; fi",
        "f b 1",
        ["A", "B 1", "C"],
    ),
    ("if [ -n '' ]; then echo A $1; fi", "f a", ["A \ue000"]),
    ('if [ -z "$1" ] || x; then echo A $1; else echo B $1; fi', "f a", ["A a", "B a"]),
    ('if ! [ "$1" = a ]; then echo A $2; else echo B $2; fi', "f a 1\nf b 2", ["A 2", "B 1"]),
    ("if [ $1 = a ]; x; then echo A $1; else echo B $1; fi", "f a", ["A a", "B a"]),
    ("if x | [ $1 = a ]; then echo A $1; else echo B $1; fi", "f a", ["A a", "B \ue000"]),
    ("if [ $1 = a ] | x; then echo A $1; else echo B $1; fi", "f a", ["A a", "B a"]),
    ("if (exit 1); then echo A $1; else echo B $1; fi", "f a", ["A a", "B a"]),
    ("if x $1; then echo A $1; else echo B $1; fi", "f a", ["A a", "B a"]),
    (
        "case $1 in a|b*) echo A $2 ;; $3) echo B $2 ;; *) echo C $2 ;; esac",
        "f bc 1\nf d 2 $X",
        ["A 1", "B 2", "C 2"],
    ),
    ("if [ $1 = a ]; then if [ $2 = b ]; then echo A; else echo B; fi; fi", "f c d", ["A", "B"]),
    ("if [ $1 = b ]; then x=$(echo $1; echo y); else echo A; fi", "f a", ["A"]),
    ("if [ $1 = a ]; then echo A", "f b", ["A"]),
]

_API = "https://h:9443/ibmmq/rest/v2/admin/action/qmgr/QMA/mqsc"
SENT_FILES = [
    (f"curl -k --data @b.json {_API}", [("b.json", "QMA")]),
    (
        f"curl {_API} -d@dir/b.json --data-binary=@c.json",
        [("dir/b.json", "QMA"), ("c.json", "QMA")],
    ),
    (f"Q=QMB; curl -d @b.json {_API.replace('QMA', '$Q')}", [("b.json", "QMB")]),
    (f"curl -d @- -H @headers -F file=@x {_API}", []),
    ("curl -d @b.json https://h/hooks", []),
    (f"curl -d @$F {_API}", []),
]

RESOURCES = """oc apply -f - <<EOF
apiVersion: v1
kind: ConfigMap
metadata:
  name: $OWNER-mq
data:
  own-mqsc: |
    DEFINE QLOCAL(A.$OWNER)
  own.ini: |
    Log:
      LogType=LINEAR
---
apiVersion: v1
kind: Service
EOF
"""

WITHOUT_DOCUMENTS = [
    # scripts of whose MQSC nothing can be told
    "(echo A; generate) | runmqsc QMA",
    "echo A | { read x; runmqsc QMA; }",
    "echo A | sleep 1; runmqsc QMA",
    "echo A | (cat > x); runmqsc QMA",
    "dd if=/x of=t <<E\nA\nE\nrunmqsc QMA < t",
    "echo A > t\ngenerate >> t\nrunmqsc QMA < t",
    "echo A > t.mqsc\nsed -i s/A/B/ t.mqsc\nrunmqsc QMA < t.mqsc",
    "echo A > notes.txt",
    "docker exec box amqsput Q <<E\nDIS QMGR\nE\n",
    "docker run box runmqsc <<E\nDIS QMGR\nE\n",
    "echo DIS QMGR | xargs runmqsc QMA",
    "source ./own.sh <<E\necho DIS QMGR | runmqsc QMA\nE\n",
    "bash ./own.sh <<E\nrunmqsc QMA <<F\nEND\nF\nE\n",
    "ssh box own.sh <<E\nDIS QMGR\nE\n",
    "generate | ssh box 'bash -s' <<< END\nwrite_log 'DIS QL(A)'\n",
]

FILES = [
    ("envsubst < a.mqsc | runmqsc QMA", "a.mqsc"),
    ("runmqsc QMA < defs/a.mqsc > out", "defs/a.mqsc"),
    ("cat defs/a.mqsc | runmqsc QMA", "defs/a.mqsc"),
    ("runmqsc -f defs/a.mqsc QMA", "defs/a.mqsc"),
    ("runmqsc QMA < $1", UNKNOWN),
    ("runmqsc QMA", None),
    ("sed s/A/B/ a.mqsc | runmqsc QMA", None),
]

SECRETS = [
    ("echo hunter2 | docker exec -i box runmqsc -u ann QMA", ["hunter2"]),
    # script, the stretches that must not be shown
    ("printf 'hunter2\\nDIS QMGR\\n' | runmqsc -u ann QMA", ["hunter2"]),
    ("runmqsc -u ann QMA <<E\nhunter2\nDIS QMGR\nE\n", ["hunter2"]),
    ("echo hunter2 | runmqsc -u ann QMA", ["hunter2"]),
    ("crtmqm -iv DBPASSWORD=hunter2 QMA", ["DBPASSWORD=hunter2"]),
    ("crtmqm -fp hunter2 QMA", ["hunter2"]),
    ("crtmqm -iv CONNAME=hunter2 QMA", []),
]


def lines(script: ShellScript) -> list[str]:
    return [f"{step.command} {step.queue_manager}" for step in script.steps]


def only(text: str) -> Step:
    steps = script_in("shell", text).steps
    assert len(steps) == 1
    return steps[0]


@pytest.mark.parametrize(("text", "expected"), COMMANDS)
def test_commands_are_found_with_their_queue_manager(text: str, expected: list[str]) -> None:
    script = script_in("shell", text)
    assert lines(script) == expected
    for step in script.steps:
        assert step.command in text[slice(*step.command_span)]
        assert step.span[0] == step.command_span[0]


@pytest.mark.parametrize(("text", "expected"), MAYBE)
def test_branches_loops_and_functions_may_not_run(text: str, expected: list[bool]) -> None:
    assert [step.execution.maybe for step in script_in("shell", text).steps] == expected


@pytest.mark.parametrize(("text", "files"), SENT_FILES)
def test_files_that_curl_sends_belong_to_the_queue_manager_of_the_address(
    text: str, files: list[tuple[str, str]]
) -> None:
    assert list(script_in("shell", text).fed) == files


@pytest.mark.parametrize(("body", "calls", "expected"), BRANCHES_OF_CALLS)
def test_a_call_runs_the_parts_of_branches_that_its_words_choose(
    body: str, calls: str, expected: list[str]
) -> None:
    piped = re.sub(r"(?<!\()echo [^;]*", r"\g<0>|runmqsc QMA", body)
    script = script_in("shell", f"f() {{\n{piped}\n}}\n{calls}\n")
    assert sorted(given.text.strip() for given in script.embedded) == expected


@pytest.mark.parametrize("text", WITHOUT_DOCUMENTS)
def test_mqsc_that_is_not_known_is_not_guessed(text: str) -> None:
    assert script_in("shell", text).embedded == ()


def test_documents_in_resources_of_kubernetes_are_found() -> None:
    found = script_in("shell", RESOURCES).embedded
    assert [embedded.language for embedded in found] == ["mqsc", "ini"]
    assert found[0].text == "DEFINE QLOCAL(A.\ue000\ue000\ue000\ue000\ue000\ue000)\n"
    assert RESOURCES[found[0].host(0) :].startswith("DEFINE QLOCAL(A.$OWNER)")
    assert RESOURCES[found[0].host(found[0].text.index(")")) :].startswith(")\n  own.ini")


JOB = """\
cat > /tmp/a.jcl <<EOF
//MQDEF JOB (ACCT),'MQ',PASSWORD=chalk
//DEF EXEC PGM=CSQUTIL,PARM='$QM'
//SYSIN DD *
 COMMAND DDNAME(GONE)
 COMMAND DDNAME(CMDS)
//CMDS DD *
DEFINE QLOCAL(A.$OWNER)
/*
//A EXEC PGM=CSQUTLI
EOF
if test -e /tmp/go; then submit /tmp/a.jcl; fi
"""


def test_a_job_in_a_here_document_is_read_at_its_places() -> None:
    text = f"QM=MQ7A\n{JOB}"
    found = script_in("shell", text)
    (mqsc,) = found.embedded
    assert (mqsc.language, mqsc.platform, mqsc.queue_manager) == ("mqsc", "zos", "MQ7A")
    assert text[mqsc.host(0) :].startswith("DEFINE QLOCAL(A.$OWNER)")
    gone, commands = found.steps
    assert text[slice(*gone.span)] == "COMMAND DDNAME(GONE)"
    assert gone.text("without_dd") == "GONE"
    option = commands.option("DDNAME")
    assert option is not None
    assert text[slice(*option.span)] == "DDNAME(CMDS)"
    assert [text[slice(*span)] for span in found.secrets] == ["PASSWORD=chalk"]
    (fault,) = found.diagnostics
    assert text[fault.start : fault.end] == "//A EXEC PGM=CSQUTLI"
    for command in ("submit", "cat >a.jcl", "zowe submit"):
        given = JOB.replace("cat > /tmp/a.jcl", command)
        assert script_in("shell", given).unfollowed == ()


def test_a_job_in_a_branch_of_a_script_may_not_run() -> None:
    found = script_in("shell", f"if test -e /tmp/go; then\n{JOB}fi\n")
    assert [step.execution.maybe for step in found.steps] == [True, True]
    assert [mqsc.execution.maybe for mqsc in found.embedded] == [True]


def test_a_job_of_something_else_is_not_read() -> None:
    text = JOB.replace("CSQUTIL", "IEBCOPY").replace("CSQUTLI", "IEBCOPY")
    assert script_in("shell", text).steps == ()


ELSEWHERE = [
    ("docker exec -it c sh -c 'endmqm QMA; runmqsc QMA' <<< END", ["endmqm c", "runmqsc c"]),
    ("kubectl exec -n pay qm-0 -c qmgr -- endmqm QMA", ["endmqm -n pay qm-0"]),
    ("oc rsh --namespace=pay qm-0 endmqm QMA", ["endmqm --namespace=pay qm-0"]),
    ("ssh mqm@Leeds1 'strmqm QMA'", ["strmqm leeds1"]),
    ("docker exec $C endmqm QMA", []),
    ("kubectl exec -n $NS qm-0 -- endmqm QMA", []),
    ("docker exec c crtmqm QMA", ["crtmqm c"]),
    ("docker exec -i c runmqsc QMA < a.mqsc", []),
]


@pytest.mark.parametrize(("text", "expected"), ELSEWHERE)
def test_what_runs_elsewhere_is_a_step_of_a_host_whose_name_is_known(
    text: str, expected: list[str]
) -> None:
    script = script_in("shell", text)
    assert [f"{step.command} {step.execution.host}" for step in script.steps] == expected
    assert script.calls


@pytest.mark.parametrize(("text", "inner", "queue_manager"), DOCUMENTS)
def test_mqsc_is_found_with_the_way_back(text: str, inner: str, queue_manager: str | None) -> None:
    (document,) = script_in("shell", text).embedded
    assert (document.text, document.queue_manager) == (inner, queue_manager)
    plain = [at for at, char in enumerate(inner) if char.isalnum() and "$" not in text]
    assert [text[document.host(at)] for at in plain] == [inner[at] for at in plain]


def test_a_file_that_the_script_writes_is_for_each_queue_manager_it_is_fed_to() -> None:
    found = script_in("shell", TO_SEVERAL).embedded
    assert [(embedded.text, embedded.queue_manager) for embedded in found] == [
        ("END\n", "QMA"),
        ("END\n", "QMB"),
        ("END\n", "QMC"),
    ]


def test_what_an_unnamed_queue_manager_is_given_by_a_function_may_not_be_for_this_one() -> None:
    (found,) = script_in("shell", "f() { x | runmqsc $QM; }\nf 'DEF QL(A)'").embedded
    assert found.execution.maybe


@pytest.mark.parametrize(("text", "file"), FILES)
def test_the_file_that_is_fed_is_a_fact(text: str, file: object) -> None:
    step = only(text)
    assert (None if step.reads is None else step.reads.value) == file


@pytest.mark.parametrize(("text", "hidden"), SECRETS)
def test_secrets_are_kept_nowhere(text: str, hidden: list[str]) -> None:
    script = script_in("shell", text)
    assert [text[slice(*span)] for span in script.secrets] == hidden
    assert ("hunter2" in repr(script)) == (not hidden)


def test_options_are_bound_with_their_places() -> None:
    text = 'crtmqm -lla -lf 4096 -p1414 -u "$DLQ" -? -oa'
    step = only(text)
    assert [(option.name, option.value, option.known) for option in step.options] == [
        ("lla", None, True),
        ("lf", "4096", True),
        ("p", "1414", True),
        ("u", UNKNOWN, True),
        ("?", None, False),
        ("oa", None, True),
    ]
    port = step.option("p")
    assert port is not None
    assert port.value_span is not None
    assert text[slice(*port.value_span)] == "1414"


@pytest.mark.parametrize(
    ("text", "is_open"),
    [
        ("crtmqm $OPTIONS QMA", True),
        ('crtmqm -lc "$QM"', False),
        ("rcdmqimg -m $QM -t all x", False),
        ("rcdmqimg -m QMA $MORE", True),
    ],
)
def test_a_word_that_may_be_an_option_leaves_the_step_open(text: str, is_open: bool) -> None:
    assert only(text).open == is_open


UNFOLLOWED = [
    # scripts, and the lines of commands that may run one of MQ in a way that is not followed
    ("$a$b QMA <<E\nDEFINE QLOCAL(A)\nE\n", [1]),
    ("true\n${a,,} QMA < a.mqsc\n", [2]),
    ("./own.sh QMA <<E\nDEFINE QLOCAL(A)\nE\nbash own.sh <<E\nDEFINE QLOCAL(A)\nE\n", [1, 4]),
    ("echo 'DEFINE QLOCAL(A)' | $RUN QMA", [1]),
    ("$RUN QMA <<< 'DEFINE QLOCAL(A)'", [1]),
    ("echo runmqsc | xargs -I@ sh -c 'echo \"DEFINE QLOCAL(A)\" | @ QMA'", [1]),
    ("{strmqm,QMA}\n/opt/mqm/bin/strm?m QMA\n`echo strmqm` QMA\n", [1, 2, 3]),
    ("alias up='strmqm QMA' x=ls\nup\nx\n", [2]),
    ("alias up=strmqm x=ls\nup -x QMA\nx\n", [2]),
    ("alias up='strmqm QMA' as='nohup ' show='ls '\nas up\nshow x\nas x\n", [2]),
    (
        "`which strmqm` QMA\n`command -v strmqm` QMA\n$(realpath strmqm) QMA\n`which ls` QMA\n",
        [1, 2, 3],
    ),
    ("RUN=`which strmqm`\n$RUN QMA\n", [2]),
    ("exec < a.txt\nrunmqsc QMA\n", [1]),
    ("exec < /dev/null\nrunmqsc QMA <<E\nE\n", []),
    ("retry 3 strmqm QMA\nwith_user mqm 'strmqm QMA'\n", [1, 2]),
    ("retry 3 rdqmadm -m QMA -p\nwith_user mqm 'rdqmdr -m QMA -p'\n", [1, 2]),
    ("docker run box strmqm QMA\nssh h own.sh strmqm QMA\n", [1, 2]),
    ('awk \'BEGIN { print "x" | "runmqsc QMA" }\'', [1]),
    ("awk '{ system(\"strmqm \" $1) }' list", [1]),
    ("python3 -c \"import os; os.system('echo x | runmqsc QMA')\"", [1]),
    ('python3 -c \'subprocess.run(["strmqm", "QMA"])\'', [1]),
    ("perl -e 'open F, \"|runmqsc QMA\"'", [1]),
    ("expect -c 'spawn runmqsc QMA\nsend x'", [1]),
    ("up() { eval \"$1\"; }\nup 'strmqm QMA'\n", []),
    ('up() { sudo -u mqm $CMD x "$1"; }\nup strmqm QMA\n', [2]),
    ("echo 'strmqm QMA' | sh\necho c3RybXFt | base64 -d | sh\n", [1, 2]),
    ('strmqm QMA\neval "$(echo c3RybXFt | base64 -d)"\n', [2]),
    ("cat > up.sh <<E\n# it\nstrmqm QMA\nE\n", [3]),
    ("cat > up <<E\n#!/bin/sh\nsudo strmqm QMA\nE\necho 'strmqm QMA' >> up.sh\n", [3, 5]),
    ("cat > /tmp/up <<E\nstrmqm QMA\nE\n/tmp/up\n", [2]),
    ("echo 'strmqm QMA' >> /etc/rc.local\necho 'strmqm QMA' > /etc/cron.d/up\n", [1, 2]),
    ("echo '0 1 * * * strmqm QMA' | crontab -\necho 'x; strmqm QMA' | at now\n", [1, 2]),
    ("(crontab -l; echo '@daily /opt/mqm/bin/strmqm QMA') | crontab -\n", [1]),
    ("(crontab -l; echo '0 1 * * * ls') | crontab -\nstrmqm -x QMA\n", []),
    ("crontab <<E\n*/5 * * jan-dec 1-5 strmqm QMA\nE\n", [1]),
    ("echo '0 1 * * * mqm strmqm QMA' > /etc/cron.d/up\n", [1]),
    ("python3 - <<'E'\nsubprocess.run(['strmqm', 'QMA'])\nE\n", [1]),
    ("perl <<'E'\nsystem('strmqm QMA');\nE\npython3 <<< \"os.system('strmqm QMA')\"\n", [1, 4]),
    ("python3 - <<'E'\nprint('see strmqm QMA')\nE\nstrmqm -x QMA\n", []),
    ("python3 tool.py <<'E'\nos.system('strmqm QMA')\nE\nstrmqm -x QMA\n", []),
    ("bash <(echo 'strmqm QMA')\n", [1]),
    ("make -f - <<E\nall:\n\tstrmqm QMA\nE\ncat <<E | gmake -f-\na:\n\t@strmqm QMA\nE\n", [1, 5]),
    ("expect <<E\nspawn strmqm QMA\nE\nparallel -j 2 <<E\nstrmqm QMA\nE\n", [1, 4]),
    # texts that programs read from their input, in the language of the program
    ("docker build - <<E\nFROM x\nRUN strmqm QMA\nE\n", [1]),
    ("cat <<E | podman build -f - .\nFROM x\nRUN strmqm QMA\nE\n", [1]),
    ("docker compose -f - up <<E\nservices:\n  a:\n    command: strmqm QMA\nE\n", [1]),
    ("ansible-playbook /dev/stdin <<E\n- hosts: a\n  tasks:\n  - shell: strmqm QMA\nE\n", [1]),
    ("awk -f - a <<'E'\n{ system(\"strmqm \" $1) }\nE\nsed -nf- a <<E\ne strmqm QMA\nE\n", [1, 4]),
    ('awk -f /dev/stdin a <<\'E\'\n{ print "x" | "runmqsc QMA" }\nE\n', [1]),
    ("awk -f a.awk <<E\nstrmqm QMA\nE\ngrep -f - a <<E\nstrmqm QMA\nE\n", []),
    ("ed a <<E\n!strmqm QMA\nE\nsqlplus / <<E\nhost strmqm QMA\nE\n", [1, 4]),
    ("gdb -x - <<E\nshell strmqm QMA\nE\npsql <<E\n\\\\! strmqm QMA\nE\n", [1, 4]),
    ("m4 <<E\nsyscmd(strmqm QMA)\nE\nmail a <<E\nthe host strmqm QMA\nE\n", [1]),
    ("cp /dev/stdin up.sh <<E\nstrmqm QMA\nE\ndd of=up.sh <<E\nstrmqm QMA\nE\n", [2, 5]),
    ("cat <<E | sudo tee /etc/cron.d/up\n0 1 * * * root strmqm QMA\nE\n", [2]),
    ('set -- strmqm QMA\n"$@"\nset -e\n', [1]),
    ("jq . <<E\nstrmqm QMA\nE\nusage <<E\nstrmqm QMA\nE\n: <<E\nstrmqm QMA\nE\n", []),
    (f"own() {{ eval {'x' * 200}; }}\nown 'x; strmqm QMA'\nrun '{'y' * 200}; strmqm A'\n", [2, 3]),
    ("vim -c ':!strmqm QMA' -c q\ngdb -batch -ex 'shell strmqm QMA'\n", [1, 2]),
    ("cat > /etc/x/a.conf <<E\n[program:q]\ncommand=/opt/mqm/bin/strmqm QMA\nE\n", [3]),
    ("cat > /etc/a.service <<E\n[Service]\nExecStart=/opt/mqm/bin/strmqm QMA\nE\n", [3]),
    ("cat > a.rules <<E\nRUN+=strmqm QMA\nE\ncat > /h/.bash_logout <<E\nstrmqm QMA\nE\n", [5]),
    ('PROMPT_COMMAND=$PLAN\nexport PROMPT_COMMAND="$(curl h)"\n', [1, 2]),
    ("PS4='$(echo END | runmqsc QMA)'\nEDITOR='strmqm QMA' crontab -e\n", [1, 2]),
    ("export START='strmqm QMA'\nRUN='runmqsc QMA'\n$RUN < a\nM='strmqm QMA failed'\n", [1]),
    ("telnet h <<E\nstrmqm QMA\nE\nnc h 23 <<E\nstrmqm QMA\nE\n", [1, 4]),
    ("tar cf a --checkpoint-action=exec='strmqm QMA' b\nzip a b -T -TT 'strmqm QMA #'\n", [1, 2]),
    ("rsync -e 'sh -c \"strmqm QMA\"' a h:b\nscp -o ProxyCommand='strmqm QMA' a h:b\n", [1, 2]),
    ("sed -n '1e strmqm QMA' a\npsql -c \"COPY a FROM PROGRAM 'strmqm QMA'\"\n", [1, 2]),
    ("sqlite3 a <<E\n.shell strmqm QMA\nE\nforfiles /c 'cmd /c strmqm QMA'\n", [1, 4]),
    ("git config core.sshCommand 'sh -c \"strmqm QMA\"'\ngit -c alias.x='!strmqm QMA' x\n", [1, 2]),
    ("git bisect run strmqm QMA\ngit submodule foreach 'strmqm QMA'\n", [1, 2]),
    ("http POST https://h/ibmmq/rest/v2/admin/action/qmgr/QMA/mqsc a=b\n", [1]),
    ('curl -d "$BODY" https://h/ibmmq/rest/v2/admin/action/qmgr/QMA/mqsc\n', [1]),
    # followed, or nothing of the kind
    ("git commit -m 'strmqm QMA'\ngit -c user.name=a commit -m 'strmqm QMA'\n", []),
    ("tar cf a strmqm b\nsed 's/strmqm QMA/x/' a\nsed -i '/strmqm QMA/d' a\n", []),
    ("ip netns exec blue strmqm QMA\nSTART=/opt/mqm/bin/strmqm\n", []),
    ("curl https://h/ibmmq/rest/v2/admin/qmgr/QMA\n", []),
    ('PROMPT_COMMAND="$PROMPT_COMMAND;history -a"\nPROMPT_COMMAND=\nstrmqm -x QMA\n', []),
    ("cat > /etc/x/mq.conf <<E\n# strmqm QMA asks for it\nmqm hard nofile 10240\nE\n", []),
    ("wall '!important: strmqm QMA'\n", []),
    ("echo 'DEFINE QLOCAL(A)' | cat\necho 'strmqm QMA'\nlog_info strmqm QMA\n", []),
    ("decho $level 'strmqm -x QMA'\n", []),
    ("command -v runmqsc QMA; which strmqm x; type runmqsc; man strmqm QMA\n", []),
    ("ls -l /opt/mqm/bin/strmqm QMA; chmod 0 strmqm QMA; RUN=/opt/mqm/bin/runmqsc\n", []),
    ("grep 'strmqm QMA' x; ps -ef | grep -v 'runmqsc QMA'; awk '/strmqm QMA/ {print}'\n", []),
    ("pkill -f 'runmqlsr QMA'; require strmqm runmqsc; need_it strmqm\n", []),
    ("die 'strmqm failed'; report 'strmqm QMA failed'; call_it 'see strmqm, please'\n", []),
    ("cat > readme.txt <<E\nstrmqm QMA\nE\ncat <<E\nstrmqm QMA\nE\n", []),
    ("retry 3 dspmq -m QMA; $X dspmq; $X strmqm QMA; $KUBECTL apply -f x\n", []),
    ('up() { "$@"; }\nup strmqm QMA\ndown() { echo "$@"; }\ndown strmqm QMA\n', []),
    ("mq() { runmqsc $1; }\nmq QMA <<E\nDEFINE QLOCAL(A)\nE\n", []),
    ("docker exec box amqsput A <<E\nDEFINE QLOCAL(A)\nE\n", []),
    ('cat <<E > a.mqsc\nDEFINE QLOCAL(A)\nE\neval "$(ssh-agent)"\n', []),
]
UNSEEN = [
    # scripts, and the lines that run a text which no file shows
    ("curl -sL https://h.example/x | sh\nwget -qO- h | sudo bash -s -- -y\n", [1, 2]),
    ("bash <(curl -s h)\nsource <(wget -qO- h)\nsh < <(curl h)\n", [1, 2, 3]),
    ('bash -c "$(curl -s h)"\nbash <<< "$(curl -s h)"\neval `cat plan`\n', [1, 2, 3]),
    ("curl -fsSLo /tmp/a https://h.example/x\nchmod +x /tmp/a\nsh /tmp/a\n/tmp/a -y\n", [3, 4]),
    ("wget https://h.example/get/up.sh\n. ./up.sh\n", [2]),
    ('curl -o "$T/up" "$URL"\nsh "${T}/up"\n', [2]),
    ("aws s3 cp s3://b/up.sh - | sh\nscp h:/srv/other.sh .\nsh other.sh\n", [1, 3]),
    ("git clone https://h.example/t/tools.git\nsh tools/up.sh\n", [2]),
    ("git clone https://h.example/t/tools.git w && cd w && ./up.sh && cd sub\nsh x\n", [1, 2]),
    ("git clone https://h.example/t/tools.git\ncd tools\ncd ..\nsh up.sh\n", []),
    ("git clone https://h.example/t/tools.git\n(cd tools; ls)\nsh up.sh\n", []),
    ("git clone https://h.example/t/tools.git\n(cd tools; sh up.sh)\n", [2]),
    ("git clone https://h.example/t/tools.git\ncd tools\ncd\nsh up.sh\n", []),
    ('tar xzOf a.tgz up.sh | sh\nxz -dc up.xz | sh\nsed 1,9d "$0" | bash\n', [1, 2, 3]),
    ("echo AMQ | rev | sh\necho fg | tr a-z n-za-m | sh\nenvsubst < a.tpl | sh\n", [1, 2, 3]),
    ("printf '\\163\\164\\162\\155\\161\\155 QMA' | sh\n", [1]),
    (
        "sh steps.txt\nsh < steps.txt\ncat steps.txt | ssh h sh\nssh h bash -s < a.txt\n",
        [1, 2, 3, 4],
    ),
    ('make_it > /tmp/p; sh /tmp/p\necho "$PLAN" | sh\nsh -c "$PLAN"\n', [1, 2, 3]),
    ('Y=Z\n${!Y} QMA\nwhile read l; do eval "$l"; done < plan\n', [2, 3]),
    ("curl -s h | at now\ncurl -s h | python3 -\npython3 <(curl -s h)\n", [1, 2, 3]),
    ("curl -s h | xargs -I{} sh -c '{}'\nssh h \"$(cat up.sh)\"\n", [1, 2]),
    ("curl https://h.example/env | sh\ncurl -o a.env h\n. ./a.env\ncat a.conf | sh\n", [1, 3, 4]),
    (
        'python3 -c "$(curl h)"\ndocker run i sh -c "$(curl h)"\nsh -c "cd x; $(curl h)"\n',
        [1, 2, 3],
    ),
    ("curl h | tee >(sh) >/dev/null\nsh < /dev/tcp/h/99\nsh /dev/fd/3\n", [1, 2, 3]),
    (". /etc/os-release\n. /opt/ibm/ace-13/server/bin/mqsiprofile\nsh /srv/own/up.sh\n", []),
    # texts in the script or in a file that it names, and settings of the shell
    ("./up.sh\n. ./lib.sh\nsh up.sh\nsh up\ncat up.sh | sh\nsh < up.ksh\n", []),
    (". /etc/profile\n. ~/.bashrc\nsource /opt/mqm/bin/setmqenv -s\n. ../setup.properties\n", []),
    ('eval "$(brew shellenv)"\neval $(minikube docker-env)\nsource <(oc completion bash)\n', []),
    ('echo "A=$X" > a.env\n. ./a.env\necho "cd $X; ls" | sh\necho ls > a\nsh a\n', []),
    ("(echo 'cat <<E'; cat a.json; echo E) | sh > b.json\n", []),
    ('run() { eval "$@"; }\nrun ls\ncurl h | python3 -c "x"\ncurl -o jq h\njq .\n', []),
    ("scp up.sh h:/tmp\nssh h sh /tmp/up.sh\n", []),
]


@pytest.mark.parametrize(("script", "expected"), [*UNFOLLOWED, *UNSEEN])
def test_what_may_run_a_command_of_mq_and_is_not_followed(script: str, expected: list[int]) -> None:
    found = script_in("shell", script).unfollowed
    assert sorted(script.count("\n", 0, place) + 1 for place in found) == expected


HOSTILE = ["$(", "`", "'", '"', "\\", "${", "$((", "((", "<<E\n", "<<A <<B\n", "if ", "case ", "{ "]
HOSTILE += ["a|", "a&&", "f() {\n", "<(", "$a", "<<<", "$( case a in ", "A=b;", "cat <<E\n$("]
HOSTILE += ["(echo a)|runmqsc Q;", "((echo a)|runmqsc Q)|", "echo a>>t\n", "docker exec c "]
HOSTILE += [
    "echo a>t\nrunmqsc Q<t\n",
    "{ echo a; } | runmqsc Q | ",
    "su <<E\nssh b <<F\n",
    "(a)>t\n",
]
HOSTILE += ["a=(", "a=(b)\n", "a+=(b c)\necho ${a[@]}\n", "f(){ runmqsc A;}\nf 'DEF QL(A)'\n"]
HOSTILE += ["M='a('\necho $M|runmqsc Q\n", "M+='a('\n", "M=`echo $M 'a('`\n", "if M='a('\n"]
HOSTILE += ["runmqsc A <<E\n$x\\$\nE\n", "su -c 'a' ", "echo '\\n' | runmqsc Q\n", 'su -c "su -c ']


@pytest.mark.growth
@pytest.mark.sample(8)
@pytest.mark.parametrize("unit", HOSTILE)
def test_time_grows_with_the_text(unit: str) -> None:
    assert is_linear_in_time(lambda size: script_in("shell", unit * (size // len(unit))), 10_000)


@pytest.mark.growth
def test_a_megabyte_of_open_quotes_and_substitutions_is_read() -> None:
    def read(size: int) -> None:
        script_in("shell", '"$(' * (size // 3))
        script_in("shell", "runmqsc A <<EOF\n" + "x'\"`\n" * (size // 5))

    assert is_linear_in_time(read, 250_000)


AUTHORITIES = [
    (
        "setmqaut -m QMA -n PAY.** -t q -g clerks +put -get",
        "SET AUTHREC PROFILE('PAY.**') OBJTYPE(QUEUE) GROUP('clerks') AUTHADD(PUT) AUTHRMV(GET) ",
    ),
    (
        "setmqaut -m QMA -t qmgr -p ann -p bob -g ops +connect +inq",
        "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('ann') AUTHADD(CONNECT,INQ) \n"
        "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('bob') AUTHADD(CONNECT,INQ) \n"
        "SET AUTHREC OBJTYPE(QMGR) GROUP('ops') AUTHADD(CONNECT,INQ) ",
    ),
    (
        "setmqaut -m QMA -t qmgr -g ops +alladm +conn",
        "SET AUTHREC OBJTYPE(QMGR) GROUP('ops') AUTHADD(ALLADM,CONNECT) ",
    ),
    (
        'setmqaut -m QMA -n "$Q" -t queue -g clerks +get',
        "SET AUTHREC PROFILE('\ue000') OBJTYPE(QUEUE) GROUP('clerks') AUTHADD(GET) ",
    ),
    ("setmqaut -m QMA -n A -t queue +get", None),
    ("setmqaut -m QMA -n A -t cabbage -g clerks +get", None),
    ("setmqaut -m QMA -n A -t queue -g clerks -remove", None),
    (
        'setmqaut -m QMA -n A -t queue -g clerks "$@" +put +$MORE',
        "SET AUTHREC PROFILE('A') OBJTYPE(QUEUE) GROUP('clerks') AUTHADD(PUT,\ue000,\ue000) ",
    ),
    ('setmqaut -m QMA -n A -t queue -g clerks "$@" other', None),
    ("setmqaut -m QMA -t queue -g clerks +get", None),
    ('setmqaut -m QMA -n "it\'s" -t queue -g clerks +get', None),
]


@pytest.mark.parametrize(("text", "expected"), AUTHORITIES)
def test_setmqaut_is_the_mqsc_that_does_the_same(text: str, expected: str | None) -> None:
    script = script_in("shell", text)
    assert [step.action for step in script.steps] == ["authorise"]
    assert [embedded.text for embedded in script.embedded] == (
        [] if expected is None else expected.split("\n")
    )


def test_an_authority_of_setmqaut_stands_where_it_is_written() -> None:
    text = "x\nsetmqaut -m QMA -n A.B -t q -g clerks +put -get"
    inner = script_in("shell", text).embedded[0]
    for word in ("A.B", "clerks"):
        assert inner.host(inner.text.index(word)) == text.index(word)
    assert inner.host(inner.text.index("GET")) == text.index("get")


NAMED = [
    ("addmqinf -v Name=QMA -v Directory=QMA -v Prefix=/var/mqm", "QMA"),
    ("addmqinf -s QueueManager -v Directory=QMA", None),
    ("runmqdlq SYSTEM.DEAD.LETTER.QUEUE QMA < rules", "QMA"),
    ("runmqdlq DLQ < rules", None),
    ("migmqlog -m QMA -lc", "QMA"),
    ("rdqmadm -p -m QMA -n node1,node2", "QMA"),
    ("rdqmint -m QMA -a -f 10.0.0.7 -l eth1", "QMA"),
    ("dspmqver -f 2", None),
    ("runmqsc QMA own.mqsc", "QMA"),
    ("runmqsc own.MQSC", None),
]


@pytest.mark.parametrize(("text", "name"), NAMED)
def test_where_other_commands_name_their_queue_manager(text: str, name: str | None) -> None:
    step = only(text)
    assert step.queue_manager == name
    assert all(option.known for option in step.options)


FILTERED = [
    # a script, the text that runmqsc reads (`?` for what is not known), the files that it reads
    ("sed -e s/@Q@/A/ a.mqsc | runmqsc QMA", None, ["a.mqsc"]),
    ("sed 's/\\${Q}/A/g;s/__Q__/B/' a.mqsc b.mqsc | runmqsc QMA", None, ["a.mqsc", "b.mqsc"]),
    ('sed "s|%Q%|$Q|" < a.mqsc > b.mqsc\nrunmqsc QMA < b.mqsc', None, ["a.mqsc"]),
    ("sed -E --expression='s/\\r$//' a.mqsc | runmqsc QMA", None, ["a.mqsc"]),
    ("sed s/QNAME/A/ a.mqsc | runmqsc QMA", None, []),
    ("sed -f a.sed a.mqsc | runmqsc QMA", None, []),
    ("sed -n '/DEF/p' a.mqsc | runmqsc QMA", None, []),
    ("sed 's/@Q@/A' a.mqsc | runmqsc QMA", None, []),
    ("sed s/@Q@/A/ <<E | runmqsc QMA\nEND @Q@\nE\n", "END ???\n", []),
    ("sed s/NAME/A/ <<E | runmqsc QMA\nEND NAME\nE\n", "END ????\n", []),
    ("sed s/N.ME/A/ <<E | runmqsc QMA\nEND NAME\nE\n", None, []),
    ("cat <<'E' | sed s/NAME/A/ | runmqsc QMA\nEND NAME\nE\n", "END ????\n", []),
    ("cat <<'E' | envsubst '$Q' | runmqsc QMA\nEND\nE\n", "END\n", []),
    ("envsubst '$Q' < a.mqsc | runmqsc QMA", None, ["a.mqsc"]),
    ("cat a.mqsc b.mqsc | runmqsc QMA", None, ["a.mqsc", "b.mqsc"]),
    ("(cat a.mqsc; cat b.mqsc) | runmqsc QMA", None, ["a.mqsc", "b.mqsc"]),
    ("(cat a.mqsc; echo END) | runmqsc QMA", None, []),
    ("cat a.mqsc > b.mqsc\nrunmqsc QMA < b.mqsc", None, ["a.mqsc"]),
    ("grep -v '^#' a.mqsc | runmqsc QMA", None, ["a.mqsc"]),
    ("grep -v '^$' < a.mqsc | runmqsc QMA", None, ["a.mqsc"]),
    ("grep -v OLD a.mqsc | runmqsc QMA", None, []),
    ("grep '^#' a.mqsc | runmqsc QMA", None, []),
    ("tr -d '\\r' < a.mqsc | runmqsc QMA", None, ["a.mqsc"]),
    ("tr a-z A-Z < a.mqsc | runmqsc QMA", None, []),
    ("awk '{print}' a.mqsc | runmqsc QMA", None, []),
]
FILTERED += [
    ("cat <<E |\nEND\nE\n  runmqsc QMA\n", "END\n", []),
    ("echo END |\n\n  # to it\n  runmqsc QMA\n", "END", []),
    ("M='docker exec -i mq'\nrunmqsc QMA < <(echo END)\n", "END", []),
    ("runmqsc QMA < <(cat <<E\nEND\nE\n)\n", "END\n", []),
    ("runmqsc QMA < $FILE", None, []),
    ("M='sudo runmqsc -e'\necho END | $M QMA", "END", []),
    ("trap 'echo END | runmqsc QMA' EXIT", "END", []),
    ("PROMPT_COMMAND='echo END | runmqsc QMA'", "END", []),
    ("declare -x PROMPT_COMMAND+=';echo END | runmqsc QMA'", "END", []),
    ("echo END |& runmqsc QMA", "END", []),
    ("{ echo END; } |& runmqsc QMA", "END\n", []),
    ("runmqsc QMA |&\nprint -p END", None, []),
    ("eval echo END '|' runmqsc QMA", "END", []),
    ("strmqm QMA >> log\necho 'DEFINE QLOCAL(A)' >> $1", "DEFINE QLOCAL(A)\n", []),
]


@pytest.mark.parametrize(("script", "text", "files"), FILTERED)
def test_programs_between_a_text_and_runmqsc(
    script: str, text: str | None, files: list[str]
) -> None:
    found = script_in("shell", script)
    [step] = found.steps
    known = step.reads is not None and isinstance(step.reads.value, str)
    read = (step.reads.value, *step.also) if step.reads is not None and known else ()
    assert [*read] == files
    texts = [inner.text.replace("\ue000", "?") for inner in found.embedded]
    assert texts == ([] if text is None else [text])
    assert step.lost == (not files and text is None)


def test_the_channel_table_of_a_here_document() -> None:
    table = '{"channel": [{"name": "A.SVRCONN", "clientConnection": {}}]}'
    text = f"cat > ccdt.json <<'E'\n{table}\nE\n"
    (found,) = script_in("shell", text).declared
    assert text[slice(*found.span)].strip('"') == found.name == "A.SVRCONN"


def test_what_a_person_types_is_not_lost() -> None:
    assert not script_in("shell", "runmqsc QMA").steps[0].lost


SEVERAL = [
    # a script, what runmqsc is given
    (
        "case $1 in\n t) A=X; B=1;;\n p) A=Y; B=2;;\nesac\necho END $A $B | runmqsc $QM\n",
        ["END X 1", "END Y 2"],
    ),
    (
        "A=X\nif x; then A=Y; fi\nB=1\nif y; then B=2; fi\necho END $A $B | runmqsc QM\n",
        ["END X ?", "END Y ?", "END ? 1", "END ? 2"],
    ),
    ("if x; then A=X; fi\nrunmqsc QM <<E\nEND $A\nE\n", ["END X\n"]),
    ("if x; then A=$1; else A=Y; fi\necho END $A | runmqsc QM\n", ["END Y"]),
    ("if x; then A=X; else A=$1; fi\n. ./env\necho END $A | runmqsc QM\n", ["END ?"]),
    ("if x; then A=X; fi\nif y; then\necho END $A | runmqsc QM\nfi\n", ["END X"]),
    ("A=X\nread A\necho END $A | runmqsc QM\n", ["END ?"]),
]


@pytest.mark.parametrize(("script", "texts"), SEVERAL)
def test_a_line_is_read_for_each_value_of_a_variable(script: str, texts: list[str]) -> None:
    found = script_in("shell", script).embedded
    assert [inner.text.replace("\ue000", "?") for inner in found] == texts
    known = [inner for inner in found if "\ue000" not in inner.text]
    assert all(inner.execution.maybe and inner.execution.why == "branch" for inner in known)


def test_a_remark_at_the_beginning_of_a_file_does_not_hide_a_command_of_a_long_line() -> None:
    text = f"# jobs\nrun: {'a' * 1_100}; crtmqm QMA\n"
    assert [*unread_runs(text, [], ACTING)] == [text.index("crtmqm")]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("-d", ["container-license"]),
        ("-d -e LICENSE=accept", []),
        ("-d -eLICENSE=accept", []),
        ("-de LICENSE=accept", []),
        ("-itdeLICENSE=accept", []),
        ("-dv a:/mnt/mqm -e=LICENSE=accept", []),
        ("-d$OPTIONS", []),
        ("-dp1414:1414", ["container-license"]),
        ("-du0 -e LICENSE=accept", ["runs-as-root"]),
        ("-itu root --env LICENSE=accept", ["runs-as-root"]),
        ("-du 1001 -e LICENSE=accept", []),
    ],
)
def test_options_of_one_letter_may_share_a_word(options: str, expected: list[str]) -> None:
    text = f"docker run {options} -e MQ_QMGR_NAME=QMA icr.io/ibm-messaging/mq:9.4.2.0-r1\n"
    assert [fault.code for fault in script_in("shell", text).diagnostics] == expected


def test_a_volume_that_is_deleted_has_its_name_as_it_is_written() -> None:
    text = 'oc delete pvc data-$QM-mq-0\noc delete pvc "data-${QM}-mq-1"\noc delete pvc data-mq-2\n'
    names = [dict(fault.data)["name"] for fault in script_in("shell", text).diagnostics]
    assert names == ["data-$QM-mq-0", "data-${QM}-mq-1", "data-mq-2"]


def test_variables_of_inner_shells_are_not_compared_with_each_setting() -> None:
    def faults(count: int) -> None:
        text = "sh -c 'export MQSNOAUT=yes'\nexport MQSNOAUT=yes\n" * count
        assert len([*environment_faults(text)]) == count

    assert is_linear_in_steps(faults, 100)
