#!/bin/sh
# Scan an estate, and print what changed in a few lines for chat. For cron:
#   15 2 * * *  /opt/mqlint/mqlint-scan.sh /srv/mq/estate.yaml /srv/mq/tables | /usr/local/bin/post-to-chat
# Exit status: 0 no finding at or above --fail-on, 1 findings or unread files, 2 an error, 3 no file.
set -u
estate=$1
tables=$2
status=0
mqlint estate scan "$estate" --out "$tables" --quiet --fail-on-unreadable \
    --format text="$tables/summary.txt" || status=$?
case $status in
    0) echo "MQ estate: no findings that fail the check" ;;
    1) echo "MQ estate: findings or unread files" ;;
    *) echo "MQ estate: the scan failed with status $status" ; exit "$status" ;;
esac
grep '^not read whole: ' "$tables/summary.txt"
mqlint estate query --out "$tables" --format csv \
    "SELECT severity, count(*) AS findings FROM findings WHERE NOT known GROUP BY severity ORDER BY severity"
mqlint estate diff --out "$tables" --list 2>/dev/null | tail -n 20
mqlint estate evidence "$tables" --out "$tables/evidence.json" || status=$?
exit "$status"
