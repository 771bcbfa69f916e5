#!/bin/bash
set -euo pipefail
rcdmqimg -m COLQM1 -t all '*'
