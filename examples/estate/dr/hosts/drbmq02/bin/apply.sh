#!/usr/bin/env bash
# Apply what is in version control to the queue managers of this host. Each script can be run again.
set -euo pipefail
cd "$(dirname "$0")/../../.."

runmqsc -e DRSHUB2 < DRSHUB2/qmgr.mqsc
runmqsc -e DRSHUB2 < DRSHUB2/cluster.mqsc
runmqsc -e DRSHUB2 < DRSHUB2/security.mqsc

runmqsc -e DRSORD1 < DRSORD1/qmgr.mqsc
runmqsc -e DRSORD1 < DRSORD1/cluster.mqsc
runmqsc -e DRSORD1 < DRSORD1/queues.mqsc
runmqsc -e DRSORD1 < DRSORD1/channels.mqsc

runmqsc -e DRSEDGE1 < DRSEDGE1/qmgr.mqsc
runmqsc -e DRSEDGE1 < DRSEDGE1/cluster.mqsc
runmqsc -e DRSEDGE1 < DRSEDGE1/clients.mqsc
runmqsc -e DRSEDGE1 < DRSEDGE1/security.mqsc
runmqsc -e DRSEDGE1 < DRSEDGE1/partners.mqsc
