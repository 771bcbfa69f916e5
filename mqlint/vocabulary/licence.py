"""Which releases the licences of the MQ Operator are for.

Source: "Licensing reference for mq.ibm.com/v1beta1" (pages of 9.2, 9.3 and 9.4). A licence is for
the level named here and later ones of the same release, as far as the pages tell.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from mqlint.patterns import later

_FIRST_LEVELS: Final[Mapping[tuple[int, int, int], str]] = MappingProxyType(
    {
        (9, 4, 4): "L-SJZL-NMUUCT L-JNME-56SJTB",
        (9, 4, 3): "L-CYPF-CRPF3H L-MQQP-KBWMYE",
        (9, 4, 2): "L-NUUP-23NH8Y L-QWBN-T3PKLE L-HYGL-6STWD6 L-ASCR-N5A7RX",
        (9, 3, 4): "L-VTPK-22YZPK L-QYQF-8UFZBN",
        (9, 3, 3): "L-AMRD-XH6P3Q L-AXAF-JLZ53A L-YBXJ-ADJNSM L-PYRA-849GYQ",
        (9, 3, 2): "L-UPFX-8MW49T",
        (9, 3, 1): "L-RJON-CJR2RX L-RJON-CJR2TC",
        (9, 2, 4): "L-RJON-C7QG3S L-RJON-C7QFZX",
        (9, 2, 3): (
            "L-RJON-C5CSNH L-RJON-C5CSM2 L-RJON-BZFQU2 L-RJON-BZFQSB L-APIG-BZDDDY L-APIG-BYHCL7"
        ),
        (9, 2, 0): "L-RJON-BUVMQX L-RJON-BUVMYB",
    }
)
LICENCES: Final = frozenset(word for ids in _FIRST_LEVELS.values() for word in ids.split())
"""The licences of which the release is known."""
_LEVEL = later(r"(\d+)\.(\d+)\.(\d+)\.")


def licence_fits(licence: str, version: str) -> bool | None:
    """Return whether a licence is for a version (9.4.2.0-r1); None when it is not known."""
    match = _LEVEL.match(version)
    first = next((level for level, ids in _FIRST_LEVELS.items() if licence in ids.split()), None)
    if match is None or first is None:
        return None
    level = tuple(map(int, match.groups()))
    return level[:2] == first[:2] and level >= first
