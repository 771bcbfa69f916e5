#!/bin/bash
set -euo pipefail
QMGR=COLQM1
TARGET=/backup/mq/$(date +%Y%m%d)
mkdir -p "$TARGET"
dmpmqcfg -m "$QMGR" -a > "$TARGET/$QMGR.mqsc"
dmpmqcfg -m "$QMGR" -a -o setmqaut > "$TARGET/$QMGR.aut.sh"
cp /var/mqm/mqs.ini "$TARGET/mqs.ini"
cp /var/mqm/qmgrs/COLQM1/qm.ini "$TARGET/qm.ini"
cp -R /var/mqm/qmgrs/COLQM1/ssl "$TARGET/ssl"
