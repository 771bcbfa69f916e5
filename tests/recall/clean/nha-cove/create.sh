#!/bin/sh
set -e
crtmqm -lr node1 -lf 16384 -lp 10 -ls 5 NHAQM
cat >> /var/mqm/qmgrs/NHAQM/qm.ini <<'EOF'
NativeHALocalInstance:
   Name=node1
   KeyRepository=/var/mqm/qmgrs/NHAQM/ssl/key
   CertificateLabel=nhaqm
   CipherSpec=ANY_TLS12_OR_HIGHER
NativeHAInstance:
   Name=node1
   ReplicationAddress=node1.example.com(4444)
NativeHAInstance:
   Name=node2
   ReplicationAddress=node2.example.com(4444)
NativeHAInstance:
   Name=node3
   ReplicationAddress=node3.example.com(4444)
EOF
strmqm NHAQM
