"""Commands that close the network of a host, by their programs.

What opens it again (`-D`, `delete`, `allow`) does not match. A list of rules that is read from a
file counts as closed: a script that opens the network names the port.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from mqlint.patterns import later

_TABLES = later(
    r"(?!(?:.{0,400} )?(?:-D|--delete|-C|--check) ).{0,400}(?<![\w-])(?:DROP|REJECT)(?![\w-])"
)
_FILE = later(r"")
CLOSES: Mapping[str, re.Pattern[str]] = {
    **dict.fromkeys(("iptables", "ip6tables", "ebtables"), _TABLES),
    **dict.fromkeys(("iptables-restore", "ip6tables-restore", "ifdown"), _FILE),
    "nft": later(r"(?!delete|list|flush).{0,400}(?<![\w-])(?:drop|reject|-f|--file)(?![\w-])"),
    "firewall-cmd": later(
        r"(?!.{0,400}--(?:remove|query|list|get)-).{0,400}"
        r"(?:--panic-on|(?<![\w-])(?:drop|reject|DROP|REJECT|block)(?![\w-]))"
    ),
    "ufw": later(r"(?!.{0,80}\b(?:delete|allow|status)\b).{0,400}\b(?:deny|reject|enable)\b"),
    "pfctl": later(r".{0,200}-(?:e|f|ef)\b"),
    "unshare": later(r"(?:-\S{1,40} ){0,8}?(?:-[A-Za-z]{0,12}n[A-Za-z]{0,12}|--net)(?: |\Z)"),
    "ip": later(
        r".{0,80}\blink set\b.{0,80}\bdown\b|.{0,80}\broute del"
        r"|.{0,80}\broute add (?:blackhole|unreachable|prohibit)\b"
    ),
    "ifconfig": later(r".{0,80}\bdown\b"),
    "nmcli": later(r".{0,80}\b(?:down|disconnect|off)\b"),
    "route": later(r".{0,200}(?:-reject|-blackhole|\breject\b|\bdel(?:ete)?\b)"),
    "netsh": later(r".{0,400}(?:action=block|blockoutbound|admin=disable)", re.IGNORECASE),
    "new-netfirewallrule": later(r".{0,400}-Action Block\b", re.IGNORECASE),
    "set-netfirewallprofile": later(r".{0,400}OutboundAction Block\b", re.IGNORECASE),
    "disable-netadapter": _FILE,
    "aws": later(
        r"ec2 (?:revoke-security-group-|replace-network-acl-association\b|delete-route\b"
        r"|(?:create|replace)-network-acl-entry\b.{0,400}\bdeny\b"
        r"|modify-(?:instance|network-interface)-attribute\b.{0,400}--groups\b"
        r"|delete-(?:vpc-peering-connection|transit-gateway))"
    ),
    "az": later(
        r"network (?:nsg rule (?:create|update)\b.{0,400}--access[ =]Deny\b|vnet peering delete\b"
        r"|nic update\b.{0,400}--network-security-group\b)",
        re.IGNORECASE,
    ),
    "gcloud": later(
        r"compute (?:firewall-rules create\b.{0,400}(?:--action[ =]deny\b|--rules[ =]deny)"
        r"|networks peerings delete\b)",
        re.IGNORECASE,
    ),
}
"""The programs, and how their words begin if they close the network."""
