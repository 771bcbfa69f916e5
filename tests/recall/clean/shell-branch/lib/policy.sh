#!/bin/sh
set -e
setmqspl -m BRQM1 -p BR.CASH -s SHA256 -a "CN=branch,O=Wear Savings,C=GB" -e AES256 -r "CN=vault,O=Wear Savings,C=GB"
