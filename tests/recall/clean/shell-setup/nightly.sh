#!/bin/bash
# Backup of the definitions and media images, from cron at two.
set -euo pipefail
target=/backup/mq/ORDQM2
day=$(date +%F)
mkdir -p "$target"
dmpmqcfg -m ORDQM2 -a > "$target/ORDQM2-$day.mqsc"
rcdmqimg -m ORDQM2 -t all '*'
find "$target" -name 'ORDQM2-*.mqsc' -mtime +60 -delete
