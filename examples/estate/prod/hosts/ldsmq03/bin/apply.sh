#!/usr/bin/env bash
# Apply what is in version control to the queue managers of this host. Each script can be run again.
set -euo pipefail
cd "$(dirname "$0")/../../.."

runmqsc -e PRDORD1 < PRDORD1/qmgr.mqsc
runmqsc -e PRDORD1 < PRDORD1/queues.mqsc
runmqsc -e PRDORD1 < PRDORD1/cluster.mqsc
runmqsc -e PRDORD1 < PRDORD1/channels.mqsc

runmqsc -e PRDEDGE1 < PRDEDGE1/qmgr.mqsc
runmqsc -e PRDEDGE1 < PRDEDGE1/cluster.mqsc
runmqsc -e PRDEDGE1 < PRDEDGE1/clients.mqsc
runmqsc -e PRDEDGE1 < PRDEDGE1/security.mqsc
runmqsc -e PRDEDGE1 < PRDEDGE1/partners.mqsc
