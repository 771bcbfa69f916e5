#!/usr/bin/env bash
# Apply what is in version control to the queue managers of this host. Each script can be run again.
set -euo pipefail
cd "$(dirname "$0")/../../.."

runmqsc -e DRSHUB1 < DRSHUB1/qmgr.mqsc
runmqsc -e DRSHUB1 < DRSHUB1/cluster.mqsc
runmqsc -e DRSHUB1 < DRSHUB1/security.mqsc
