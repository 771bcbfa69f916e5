$ErrorActionPreference = 'Stop'
$qmgr = 'MAYQM1'
$target = 'E:\Backup\MQ'
& dmpmqcfg -m $qmgr -a | Out-File -Encoding ascii "$target\$qmgr.mqsc"
if ($LASTEXITCODE -ne 0) { exit 1 }
& rcdmqimg -m $qmgr -t all '*'
& endmqm -w $qmgr
Copy-Item -Recurse 'C:\ProgramData\IBM\MQ\qmgrs\MAYQM1' "$target\qmgrs"
Copy-Item -Recurse 'C:\ProgramData\IBM\MQ\log\MAYQM1' "$target\log"
& strmqm $qmgr
