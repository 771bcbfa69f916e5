"""Agents of Managed File Transfer, as their configuration and those who use them name them."""

from __future__ import annotations

from mqlint.model.facts.files.resources import resource_type

AGENT = resource_type("agent", ("part", "QMNAME"))
"""An agent, by its name in capitals. `QMNAME` is the queue manager that is given for it.

`part` is `own` in the configuration of the agent itself, and `source`, `destination` or `monitor`
where a transfer, a template or a monitor names it.
"""
