#!/usr/bin/env bash
# Apply what is in version control to the queue managers of this host. Each script can be run again.
set -euo pipefail
cd "$(dirname "$0")/../../.."

runmqsc -e PRDPAY1 < PRDPAY1/queues.mqsc
