@echo off
rem Nightly copy of the label printers' queue manager. The depot prints nothing between 02:00 and 02:10.
endmqm -w PRDLBL1
if errorlevel 1 exit /b 1
xcopy "C:\ProgramData\IBM\MQ\qmgrs\PRDLBL1" "D:\backup\qmgrs\PRDLBL1" /Y /I
xcopy "C:\ProgramData\IBM\MQ\log\PRDLBL1" "D:\backup\log\PRDLBL1" /E /Y /I
strmqm PRDLBL1
