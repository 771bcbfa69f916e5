"""What was captured of hosts that run: the types of facts and their keys.

`dspmq` is one queue manager as dspmq shows it, `instance` one of its instances; `rdqm` is one as
rdqmstatus shows it on a node, `rdqm_peer` what is said there of another node, `rdqm_node` whether
a node is online, `rdqm_host` what it says of the node it ran on and of all its queue managers;
`drbd` is a resource file of DRBD, `drbd_host` one of its hosts, `drbd_mesh` hosts of which each is
connected to each.
"""

from __future__ import annotations

KEYS: dict[str, tuple[str, ...]] = {
    "dspmq": (),
    "instance": (),
    "rdqm": ("*",),
    "rdqm_peer": ("*",),
    "rdqm_node": ("state",),
    "rdqm_host": ("*",),
    "drbd": ("minors", "addresses", "ports", "hosts", "protocols", "strange", "net.*", "rdqm"),
    "drbd_host": ("resource", "address", "port", "minor", "takes", "rdqm"),
    "drbd_mesh": ("hosts", "protocol", "rdqm"),
}
"""The keys of each type in lower case; those of dspmq are written as it writes them."""
