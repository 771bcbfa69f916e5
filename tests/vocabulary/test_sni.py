"""Host names of channels: which channel a host name asks for, and which ask for none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqlint.vocabulary.sni import SUFFIX, channel_of_host

HOSTS = [
    # label, the channel it stands for
    ("to2e-qmgr1", "TO.QMGR1"),  # both are examples of IBM's page
    ("74-6f-2e-71-6d-67-72-1", "to.qmgr1"),
    ("dev2e-app2e-svrconn", "DEV.APP.SVRCONN"),
    ("22e-2", "2.2"),
    ("a5f-b2f-c25-d", "A_B/C%D"),
    ("app.svrconn", None),
    ("app-svrconn", None),
    ("App", None),
    ("app20-x", None),
    ("app41-x", None),
    ("", None),
    ("abcdefghijklmnopqrstu", None),
]


@pytest.mark.parametrize(("label", "channel"), HOSTS)
def test_a_host_name_stands_for_a_channel(label: str, channel: str | None) -> None:
    assert channel_of_host(label + SUFFIX) == channel


@given(st.text(max_size=80))
def test_any_text_is_answered(text: str) -> None:
    assert channel_of_host(text) is None
    found = channel_of_host(text + SUFFIX)
    assert found is None or 0 < len(found) <= 20
