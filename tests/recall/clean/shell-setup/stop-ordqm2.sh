#!/bin/sh
# Stops ORDQM2 before the patch and starts it afterwards.
endmqm -w ORDQM2 || exit 1
/opt/orders/bin/patch.sh || exit 1
strmqm ORDQM2 || exit 1
dspmq -m ORDQM2 -o status
