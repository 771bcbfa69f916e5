# Creates the queue manager of the yard.
$ErrorActionPreference = 'Stop'
$qm = 'YARDQM'
crtmqm -ll -lp 10 -ls 5 -lf 8192 -u YARD.DLQ $qm
if ($LASTEXITCODE -ne 0) { exit 1 }
strmqm $qm
if ($LASTEXITCODE -ne 0) { exit 1 }
@'
DEFINE QLOCAL('YARD.DLQ') DEFPSIST(YES) MAXDEPTH(50000) REPLACE
DEFINE QLOCAL('YARD.GATE') DEFPSIST(YES) MAXDEPTH(6000) DESCR('Gate passes') REPLACE
DEFINE QALIAS('GATE') TARGET('YARD.GATE') DESCR('For the gate') REPLACE
DEFINE LISTENER('YARD.TCP') TRPTYPE(TCP) PORT(1444) CONTROL(QMGR) REPLACE
'@ | runmqsc $qm
if ($LASTEXITCODE -ne 0) { exit 1 }
setmqaut -m $qm -t qmgr -g yard +connect +inq
setmqaut -m $qm -t queue -n YARD.GATE -g yard +put +get +inq
