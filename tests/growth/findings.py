"""Files that give many findings, by how these are alike: for the reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.growth.texts import many

Files = Mapping[str, str]
"""Texts by path."""

_WRONG = "DEFINE QLOCAL(Q№) MAXDEPHT(1)\n"
_PROJECT = 'queue_managers: "{queue_manager}/*"\n'
_WAIVER = "  - {rule: VOC001, object: Q№, owner: a, reason: b}\n"


def _each(path: str, text: str, **others: str) -> Callable[[int], Files]:
    """So many files of one text."""

    def files(count: int) -> Files:
        numbers = (str(number) for number in range(count))
        return {path.replace("№", number): text.replace("№", number) for number in numbers} | others

    return files


FINDINGS: Mapping[str, Callable[[int], Files]] = {
    "equal": lambda count: {"a.mqsc": "DEFINE QLOCAL(A) MAXDEPHT(1)\n" * count},
    "of many objects": lambda count: {"a.mqsc": many(_WRONG)(count)},
    "of many words": lambda count: {"a.mqsc": many("DEFINE QLOCAL(A) WORD№(1)\n")(count)},
    "of one command": lambda count: {
        "a.mqsc": many(" PUT(ENABLED) +\n", "ALTER QLOCAL(A) +\n", " FORCE\n")(count)
    },
    "in one line": lambda count: {"a.mqsc": many(_WRONG.replace("\n", "; "))(count)},
    "in lines of their own length": lambda count: {
        "a.mqsc": many(f"DEFINE QLOCAL(A) DESCR('{'x' * 200}') MAXDEPHT(1)\n")(count)
    },
    "of many files": _each("№.mqsc", _WRONG),
    "of many rules": lambda count: {
        "a.mqsc": many("DEFINE QLOCAL(Q№) MAXDEPHT(1) PUT(x) LIKE(B) LIKE(C\nNO WORD\n")(count)
    },
    "of one incident": lambda count: {
        "mqlint.yaml": _PROJECT,
        **{
            f"QM{number}/a.mqsc": "DEFINE CHANNEL(TO.A) CHLTYPE(CLUSRCVR) CLUSTER(C) CONNAME('h')\n"
            for number in range(count // 4)
        },
    },
    "of many queue managers": lambda count: {
        "mqlint.yaml": _PROJECT,
        **{f"QM{number}/a.mqsc": _WRONG for number in range(count // 4)},
    },
    "that comments ignore": lambda count: {
        "a.mqsc": many("* mqlint: ignore[VOC001] known\n" + _WRONG)(count)
    },
    "that are waived": lambda count: {
        "mqlint.yaml": _PROJECT,
        "mqlint-waivers.yaml": many(_WAIVER, "waivers:\n")(count),
        "QMA/a.mqsc": many(_WRONG)(count),
    },
    "that one waiver covers": lambda count: {
        "mqlint.yaml": _PROJECT,
        "mqlint-waivers.yaml": "waivers:\n" + _WAIVER.replace("№", "*"),
        "QMA/a.mqsc": many(_WRONG)(count),
    },
    "of files that are not read": _each("№.txt", "x\n", **{"a.mqsc": _WRONG}),
}
