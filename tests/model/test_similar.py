"""Misspelt names: few names are compared one by one, many by an index, with the same result."""

from __future__ import annotations

from random import Random

import pytest

from mqlint.model.core.similar import SimilarNames

FAR = [f"ZZZZZZ.{number:03d}.QQQQQQ" for number in range(100, 140)]
"""Names that none of the others is near to: with them there is an index."""


@pytest.mark.parametrize("seed", range(20))
def test_few_and_many_names_are_compared_alike(seed: int) -> None:
    random = Random(seed)  # noqa: S311 no secret
    names = ["".join(random.choices("ABORST.", k=random.randint(3, 7))) for _ in range(12)]
    few, many = SimilarNames(names), SimilarNames([*names, *FAR])
    others = SimilarNames(names[6:], SimilarNames([*names[:6], *FAR]))
    for name in names:
        for at in range(len(name)):
            for wanted in (
                name[:at] + name[at + 1 :],
                name[:at] + "X" + name[at:],
                name.lower(),
                name.replace(".", "_"),
            ):
                assert few.find(wanted) == many.find(wanted) == others.find(wanted)


def test_a_name_is_found_by_one_typing_error() -> None:
    names = SimilarNames(["APP.REQUEST", "APP.REPLY"])
    assert names.find("APP.REQEST") == "APP.REQUEST"
    assert names.find("APP.REPLY") == ""
    assert names.find("APP.OTHER") == ""
    assert names.find("APP_REQUEST") == "APP.REQUEST"
    assert names.find("AP.REQUEST") == names.find("APPP.REQUEST") == "APP.REQUEST"


def test_the_plural_of_a_short_word_is_a_typing_error() -> None:
    names = SimilarNames(["PAY.APP", "PAY.REQS.IN", "PAY.OP"])
    assert names.find("PAY.APPS") == "PAY.APP"
    assert names.find("PAY.REQ.IN") == "PAY.REQS.IN"
    assert names.find("PAY.OPS") == names.find("PAY.SAPP") == names.find("PAY.APPX") == ""


def test_a_letter_of_a_series_is_no_typing_error() -> None:
    names = SimilarNames(["APP.SET.A", "APP.SET.II", "APP.SET.CC", "APP.SET.QM1"])
    assert names.find("APP.SET.AA") == ""
    assert names.find("APP.SET.III") == ""
    assert names.find("APP.SET.C") == ""
    assert names.find("APP.SET.QMM1") == ""


def test_separators_are_no_difference_of_names() -> None:
    names = SimilarNames(["QMA.TO.QMB", "QMA.TO_QMC", "QMA_TO_QMC", *FAR])
    assert names.find("QMA_TO_QMB") == "QMA.TO.QMB"
    assert names.find("qma-to-qmb") == "QMA.TO.QMB"
    assert names.find("QMA.TO.QMC") == ""


def test_the_word_for_a_queue_is_one_letter_or_all() -> None:
    names = ["DEV.DEAD.LETTER.QUEUE", "PAY.QUEUE.IN", "STOCK.Q"]
    for known in (SimilarNames(names), SimilarNames([*names, *FAR])):
        assert known.find("DEV.DEAD.LETTER.Q") == "DEV.DEAD.LETTER.QUEUE"
        assert known.find("PAY.Q.IN") == "PAY.QUEUE.IN"
        assert known.find("STOCK.QUEUE") == "STOCK.Q"
        assert known.find("DEV.Q") == ""
