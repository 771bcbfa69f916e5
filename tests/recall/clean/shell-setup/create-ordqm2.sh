#!/bin/bash
# Creates ORDQM2 and its objects.
set -euo pipefail

crtmqm -ll -lp 20 -ls 10 -lf 16384 -u ORDQM2.DLQ -h 500 -p 1416 ORDQM2
strmqm ORDQM2

runmqsc ORDQM2 <<'MQSC'
DEFINE QLOCAL('ORDQM2.DLQ') DEFPSIST(YES) MAXDEPTH(50000) DESCR('Dead letters') REPLACE
DEFINE QLOCAL('ORD.IN') DEFPSIST(YES) MAXDEPTH(20000) DESCR('Orders') REPLACE
DEFINE QLOCAL('ORD.OUT') DEFPSIST(YES) MAXDEPTH(20000) DESCR('Answers') REPLACE
DEFINE QALIAS('ORDERS') TARGET('ORD.IN') DESCR('For the shop') REPLACE
DEFINE CHANNEL('SHOP.ORDQM2') CHLTYPE(SVRCONN) TRPTYPE(TCP) +
       SSLCIPH('ANY_TLS12_OR_HIGHER') SSLCAUTH(REQUIRED) +
       MCAUSER('nobody') MAXINST(100) MAXINSTC(25) REPLACE
SET CHLAUTH('SHOP.ORDQM2') TYPE(ADDRESSMAP) ADDRESS('10.81.3.*') +
    USERSRC(MAP) MCAUSER('shop') ACTION(REPLACE)
MQSC

setmqaut -m ORDQM2 -t qmgr -g shop +connect +inq
setmqaut -m ORDQM2 -t queue -n ORDERS -g shop +put +inq
setmqaut -m ORDQM2 -t queue -n ORD.OUT -g shop +get +browse +inq
setmqaut -m ORDQM2 -t queue -n 'ORD.**' -g audit +dsp +inq
