@echo off
rem Creates the queue manager of the depot.
setlocal
set QM=DEPQM1
crtmqm -ll -lp 10 -ls 5 -lf 8192 -u DEP.DLQ %QM%
if errorlevel 1 exit /b 1
strmqm %QM%
if errorlevel 1 exit /b 1
runmqsc %QM% < "%~dp0depot.mqsc"
if errorlevel 1 exit /b 1
setmqaut -m %QM% -t qmgr -g depot +connect +inq
setmqaut -m %QM% -t queue -n DEP.PICK -g depot +put +get +inq
