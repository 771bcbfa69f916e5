#!/usr/bin/env bash
# Build the gateway at Derby
set -euo pipefail

crtmqm -lla -lf 16384 -lp 20 -ls 10 -u DRSEDGE1.DLQ -p 1416 DRSEDGE1
strmqm DRSEDGE1
