"""What was captured of hosts that run: the types of facts and their keys.

`dspmq` is one queue manager as dspmq shows it, `instance` one of its instances; `rdqm` is one as
rdqmstatus shows it on a node, `rdqm_peer` what is said there of another node, `rdqm_node` whether
a node is online; `drbd` is a resource file of DRBD, `drbd_host` one of its hosts.
"""

from __future__ import annotations

KEYS: dict[str, tuple[str, ...]] = {
    "dspmq": (),
    "instance": (),
    "rdqm": ("*",),
    "rdqm_peer": ("*",),
    "rdqm_node": ("state",),
    "drbd": ("minors", "addresses", "ports", "hosts", "protocols", "strange"),
    "drbd_host": ("resource", "address", "port", "minor"),
}
"""The keys of each type in lower case; those of dspmq are written as it writes them."""
