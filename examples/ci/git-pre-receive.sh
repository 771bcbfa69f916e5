#!/bin/sh
# hooks/pre-receive of a bare repository: reject a push that adds errors.
# Each commit that is pushed is checked in an empty folder; hooks of the push never run.
set -u
zero=0000000000000000000000000000000000000000
status=0
while read -r _ new name; do
    case $name in refs/heads/*) ;; *) continue ;; esac
    if [ "$new" = "$zero" ]; then continue; fi
    folder=$(mktemp -d) || exit 1
    trap 'rm -rf "$folder"' EXIT
    git archive "$new" | tar -x -C "$folder"
    (cd "$folder" && mqlint check --no-cache --format concise .)
    found=$?
    rm -rf "$folder"
    # 3 means that no file is MQ configuration.
    if [ "$found" -ne 0 ] && [ "$found" -ne 3 ]; then
        echo "mqlint: $name is rejected" >&2
        status=1
    fi
done
exit "$status"
