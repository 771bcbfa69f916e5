#!/usr/bin/env bash
# Build the two queue managers of parcel scanning. Their secondaries are made on the other nodes by crtmqm itself.
set -euo pipefail

/opt/mqm/bin/crtmqm -sx -fs 20G -lla -lf 16384 -lp 20 -ls 10 -u PRDSCAN1.DLQ -p 1421 PRDSCAN1
/opt/mqm/bin/rdqmint -m PRDSCAN1 -a -f 10.10.4.25 -l bond0

/opt/mqm/bin/crtmqm -sx -fs 20G -lla -lf 16384 -lp 20 -ls 10 -u PRDSCAN2.DLQ -p 1422 PRDSCAN2
/opt/mqm/bin/rdqmint -m PRDSCAN2 -a -f 10.10.4.25 -l bond0
/opt/mqm/bin/rdqmadm -p -m PRDSCAN2 -n ldsrdq02
