@echo off
endmqm -w DEPQM1
if errorlevel 1 exit /b 1
