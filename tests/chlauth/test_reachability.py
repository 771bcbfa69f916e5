"""What may be asked of how a record stands is what is worked out."""

from __future__ import annotations

from dataclasses import fields

from mqlint.chlauth import REACHABILITY
from mqlint.chlauth.reachability import Reachability


def test_what_may_be_asked_is_what_is_worked_out() -> None:
    assert tuple(field.name for field in fields(Reachability)) == REACHABILITY
