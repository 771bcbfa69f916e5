#!/usr/bin/env bash
# Apply what is in version control to the queue managers of this host. Each script can be run again.
set -euo pipefail
cd "$(dirname "$0")/../../.."

runmqsc -e PRDHUB2 < PRDHUB2/qmgr.mqsc
runmqsc -e PRDHUB2 < PRDHUB2/cluster.mqsc
runmqsc -e PRDHUB2 < PRDHUB2/security.mqsc

runmqsc -e PRDPAY2 < PRDPAY2/qmgr.mqsc
runmqsc -e PRDPAY2 < PRDPAY2/cluster.mqsc
runmqsc -e PRDPAY2 < PRDPAY2/queues.mqsc
