#!/bin/bash
set -euo pipefail
ssh moor2 "crtmqm -sxs -fs 20G MOORQM"
ssh moor3 "crtmqm -sxs -fs 20G MOORQM"
crtmqm -sx -fs 20G -ll -lp 20 -ls 10 -lf 16384 -p 1418 MOORQM
rdqmint -m MOORQM -a -f 10.95.2.50 -l eth0
