#!/usr/bin/env bash
# Build the gateway
set -e

crtmqm -u PRDEDGE1.DLQ -p 1415 PRDEDGE1
strmqm PRDEDGE1
