#!/bin/bash
set -euo pipefail
endmqm -w COLQM1
tar -czf /backup/mq/COLQM1-full.tgz /var/mqm/qmgrs/COLQM1 /var/mqm/log/COLQM1
strmqm COLQM1
