#!/usr/bin/env bash
# Build PRDHUB1 with a linear log that manages itself, and with images taken by the queue manager.
set -euo pipefail

crtmqm -lla -lf 16384 -lp 20 -ls 10 -u PRDHUB1.DLQ -p 1414 PRDHUB1
strmqm PRDHUB1

runmqsc -e PRDHUB1 <<'EOF'
ALTER QMGR IMGSCHED(AUTO) IMGINTVL(60) IMGLOGLN(OFF)
DEFINE QLOCAL('PRDHUB1.DLQ') DESCR('Dead letters, read by runmqdlq') +
       DEFPSIST(YES) MAXDEPTH(200000) QDPHIEV(ENABLED) REPLACE
EOF
