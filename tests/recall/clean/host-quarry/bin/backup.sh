#!/bin/bash
set -euo pipefail
dmpmqcfg -m QRYQM -a > /nas/backup/QRYQM-$(date +%F).mqsc
