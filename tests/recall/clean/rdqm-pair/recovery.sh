#!/bin/bash
set -e
crtmqm -rr s -rt a -rl 10.7.1.2 -ri 10.7.1.1 -rn dra.example.com -rp 7017 -fs 20G -lla -lf 16384 DRDQM
