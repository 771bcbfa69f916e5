@echo off
set QMGR=ELMQM1
set GROUP=elmapp
(
echo DEFINE QLOCAL('ELM.WORK'^) DESCR('50 %% off'^) REPLACE
echo DEFINE QALIAS('ELM.IN'^) TARGET('ELM.WORK'^) DESCR('in ^& out'^) REPLACE
) | runmqsc %QMGR%
echo DEFINE QLOCAL('ELM.SPARE') DESCR('a ^> b') REPLACE | runmqsc %QMGR%
setmqaut -m %QMGR% -n ELM.** -t queue -g %GROUP% +put +get
if errorlevel 1 exit /b 1
