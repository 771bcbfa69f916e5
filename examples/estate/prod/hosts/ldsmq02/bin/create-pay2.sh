#!/usr/bin/env bash
# Build PRDPAY2. Safe to run again: crtmqm refuses when the queue manager is there.
set -u
QM=PRDPAY2

/opt/mqm/bin/crtmqm -lla -lf 16384 -lp 20 -ls 10 -u PRDPAY2.DLQ -p 1415 "$QM" || true
/opt/mqm/bin/strmqm "$QM"

# The cluster did not see the queues on the first try; since then this is part of the build
/opt/mqm/bin/runmqsc PRDPAY2 <<EOF
REFRESH CLUSTER(PRDNET) REPOS(YES)
DISPLAY CLUSQMGR(*) QMTYPE STATUS
END
EOF
