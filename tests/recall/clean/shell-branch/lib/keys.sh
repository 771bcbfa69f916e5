#!/bin/sh
# Key repository of BRQM1.
set -e
KEYS=/var/mqm/qmgrs/BRQM1/ssl/key
runmqakm -keydb -create -db "$KEYS.kdb" -pw "$KEYPASS" -type cms -stash
runmqakm -certreq -create -db "$KEYS.kdb" -stashed -label ibmwebspheremqbrqm1 -dn "CN=brqm1,O=Wear Savings,C=GB" -size 2048 -sig_alg SHA256WithRSA -file /tmp/brqm1.csr
