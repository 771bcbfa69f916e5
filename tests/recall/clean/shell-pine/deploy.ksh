#!/bin/ksh
qm=FIGQM1
runmqsc $qm <<\MQSC
* prices in $ and `quotes`
DEFINE QLOCAL('FIG.ORDERS') DESCR('Orders of $HOME delivery') +
       MAXDEPTH(20000) REPLACE
DEFINE TOPIC('FIG.NEWS') TOPICSTR('$SYS/MQ/INFO/QMGR/FIGQM1/news') REPLACE
DEFINE NAMELIST('FIG.LIST') NAMES('FIG.ORDERS') DESCR('a\b') REPLACE
MQSC
for queue in FIG.A FIG.B FIG.C
do
  print "DEFINE QLOCAL('${queue}') REPLACE"
done | runmqsc $qm
