$ErrorActionPreference = 'Stop'
$qmgr = 'OAKQM1'
$group = 'oakapp'
$commands = @'
DEFINE QLOCAL('OAK.WORK') DESCR('Cost in $ and `cents`') REPLACE
DEFINE TOPIC('OAK.STATUS') TOPICSTR('$SYS/MQ/INFO/QMGR/OAKQM1') REPLACE
'@
$commands | & runmqsc $qmgr
if ($LASTEXITCODE -ne 0) { exit 1 }
@"
DEFINE QALIAS('OAK.IN') TARGET('OAK.WORK') DESCR('for $group') REPLACE
SET AUTHREC PROFILE('OAK.IN') OBJTYPE(QUEUE) GROUP('$group') AUTHADD(PUT)
"@ | & runmqsc $qmgr
if ($LASTEXITCODE -ne 0) { exit 1 }
& setmqaut -m $qmgr -n 'OAK.**' -t queue -g $group +put
if ($LASTEXITCODE -ne 0) { exit 1 }
"DEFINE QLOCAL('OAK.SPARE') REPLACE" | & runmqsc $qmgr
if ($LASTEXITCODE -ne 0) { exit 1 }
