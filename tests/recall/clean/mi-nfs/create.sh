#!/bin/bash
# Multi-instance queue manager FELLQM on two hosts.
set -euo pipefail
crtmqm -ll -ld /mnt/mq/log -md /mnt/mq/data -lp 20 -ls 10 -lf 16384 -u FELL.DLQ FELLQM
strmqm -x FELLQM
runmqsc FELLQM <<'EOF'
DEFINE QLOCAL('FELL.DLQ') DEFPSIST(YES) MAXDEPTH(50000) REPLACE
EOF
