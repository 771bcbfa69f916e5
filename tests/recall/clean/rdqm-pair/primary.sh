#!/bin/bash
set -e
crtmqm -rr p -rt a -rl 10.7.1.1 -ri 10.7.1.2 -rn drb.example.com -rp 7017 -fs 20G -lla -lf 16384 DRDQM
strmqm DRDQM
