#!/usr/bin/env bash
# Build the archive writer. Its messages can be read again from the mainframe.
set -e

crtmqm -lc -lf 16384 -lp 10 -ls 5 -u SYSTEM.DEAD.LETTER.QUEUE -p 1416 ARCHIVE1
strmqm ARCHIVE1
