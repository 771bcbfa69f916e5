#!/bin/bash
set -euo pipefail
crtmqm -ll -u SYSTEM.DEAD.LETTER.QUEUE -lf 16384 -lp 10 -ls 5 COLQM1
strmqm COLQM1
