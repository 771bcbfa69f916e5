#!/bin/sh
set -e
umask 077
dmpmqcfg -m BRQM1 -a > /nas/mq/BRQM1.mqsc
cp -p /var/mqm/qmgrs/BRQM1/qm.ini /nas/mq/BRQM1.qm.ini
