"""What was captured of hosts that run, as facts: dspmq, rdqmstatus, and resource files of DRBD."""

from __future__ import annotations

from mqlint.model.facts.resources import resource_type

DSPMQ = resource_type("dspmq")
"""A queue manager in dspmq; attributes are called as dspmq writes them."""
INSTANCE = resource_type("instance")
"""An instance of a queue manager in dspmq."""
RDQM = resource_type("rdqm", ("*",))
"""A queue manager in rdqmstatus on one node."""
RDQM_PEER = resource_type("rdqm_peer", ("*",))
"""What rdqmstatus shows there of another node."""
RDQM_NODE = resource_type("rdqm_node", ("state",))
"""A node in rdqmstatus, and whether it is online."""
RDQM_HOST = resource_type("rdqm_host", ("*",))
"""The node that rdqmstatus ran on, and all its queue managers."""
DRBD = resource_type(
    "drbd", ("minors", "addresses", "ports", "hosts", "protocols", "strange", "net.*", "rdqm")
)
"""A resource file of DRBD."""
DRBD_HOST = resource_type("drbd_host", ("resource", "address", "port", "minor", "takes", "rdqm"))
"""A host of a resource of DRBD."""
DRBD_MESH = resource_type("drbd_mesh", ("hosts", "protocol", "rdqm"))
"""Hosts of DRBD each of which is connected to each."""
