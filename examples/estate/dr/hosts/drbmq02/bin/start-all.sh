#!/usr/bin/env bash
# Start everything at Derby
set -u

strmqm DRSHUB2
strmqm DRSORD1
# -c because the default objects were incomplete after the copy
strmqm -c ARCHIVE1
strmqm DRSEDGE1
