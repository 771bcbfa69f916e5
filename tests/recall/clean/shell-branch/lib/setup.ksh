#!/bin/ksh
QM=BRQM1
PORT=1430

crtmqm -ll -lp 12 -ls 6 -lf 8192 -u BR.DLQ "$QM" || exit 1
strmqm "$QM" || exit 1

runmqsc "$QM" <<EOF
DEFINE QLOCAL('BR.DLQ') DEFPSIST(YES) MAXDEPTH(90000) DESCR('Dead letters') REPLACE
DEFINE QLOCAL('BR.CASH') DEFPSIST(YES) MAXDEPTH(9000) DESCR('Cash orders') REPLACE
DEFINE LISTENER('BR.TCP') TRPTYPE(TCP) PORT($PORT) CONTROL(QMGR) REPLACE
START LISTENER('BR.TCP')
DEFINE CHANNEL('BRANCH.$QM') CHLTYPE(SVRCONN) TRPTYPE(TCP) +
       SSLCIPH('ANY_TLS12_OR_HIGHER') MCAUSER('nobody') MAXINST(50) MAXINSTC(10) REPLACE
SET CHLAUTH('BRANCH.$QM') TYPE(SSLPEERMAP) SSLPEER('CN=branch*,O=Wear Savings,C=GB') +
    SSLCERTI('CN=Wear CA,O=Wear Savings,C=GB') +
    USERSRC(MAP) MCAUSER('branch') ACTION(REPLACE)
EOF
[ $? -eq 0 ] || exit 1

setmqaut -m "$QM" -t qmgr -g branch +connect +inq
setmqaut -m "$QM" -t queue -n BR.CASH -g branch +put +get +inq
