@echo off
set QM=OFFQM1
"C:\Program Files\IBM\MQ\bin64\crtmqm.exe" -ll -lp 8 -ls 4 -lf 16384 -u OFF.DLQ %QM%
if errorlevel 1 exit /b 1
strmqm %QM%
if errorlevel 1 exit /b 1
(
  echo DEFINE QLOCAL^('OFF.DLQ'^) DEFPSIST^(YES^) MAXDEPTH^(50000^) REPLACE
  echo DEFINE QLOCAL^('OFF.MAIL'^) DEFPSIST^(YES^) MAXDEPTH^(4000^) REPLACE
  echo DEFINE QALIAS^('MAIL'^) TARGET^('OFF.MAIL'^) REPLACE
) | runmqsc %QM%
if errorlevel 1 exit /b 1
setmqaut -m %QM% -t queue -n OFF.MAIL -g office +put +get
setmqaut -m %QM% -t qmgr -g office +connect
