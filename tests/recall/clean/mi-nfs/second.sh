#!/bin/bash
set -euo pipefail
addmqinf -s QueueManager -v Name=FELLQM -v Prefix=/var/mqm -v Directory=FELLQM -v DataPath=/mnt/mq/data/FELLQM
strmqm -x FELLQM
