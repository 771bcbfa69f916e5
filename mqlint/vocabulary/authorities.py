"""Authorities on objects: all of them, and those that objects of each type have.

Source: IBM q083500_, "setmqaut", the tables of authorizations.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

AUTHORITIES: Final = tuple(
    "ALTUSR BROWSE CHG CLR CONNECT CRT CTRL CTRLX DLT DSP GET INQ PASSALL PASSID PUB PUT RESUME "
    "SET SETALL SETID SUB SYSTEM".split()
)
"""The authorities that are not combinations of others."""
ALL: Final[Mapping[str, frozenset[str]]] = {
    word: frozenset(found.split())
    for word, found in {
        "QUEUE": "BROWSE CHG CLR DLT DSP GET INQ PUT PASSALL PASSID SET SETALL SETID",
        "QMGR": "ALTUSR CHG CONNECT DLT DSP INQ SET SETALL SETID CTRL SYSTEM",
        "TOPIC": "CHG CLR DLT DSP PASSALL PASSID SETALL SETID CTRL PUB SUB RESUME",
        "CHANNEL": "CHG DLT DSP CTRL CTRLX",
        "LISTENER": "CHG DLT DSP CTRL",
        "SERVICE": "CHG DLT DSP CTRL",
        "CLNTCONN": "CHG DLT DSP",
        "COMMINFO": "CHG DLT DSP",
        "AUTHINFO": "CHG DLT DSP INQ",
        "NAMELIST": "CHG DLT DSP INQ",
        "PROCESS": "CHG DLT DSP INQ SET",
    }.items()
}
"""The authorities of ALL: those of the group mqm in a dump."""
OF_TYPE: Final[Mapping[str, frozenset[str]]] = {
    **{kind: every | {"CRT", "SYSTEM"} for kind, every in ALL.items()},
    "RQMNAME": frozenset({"CRT", "PUT", "SYSTEM"}),
}
"""CRT is not one of ALL, but each type of ALL has it.

IBM's documents contradict each other about CRT of RQMNAME: one of its samples gives it.
"""
