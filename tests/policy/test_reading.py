"""Which sites a value speaks of, and which hosts stand in a connection name."""

from __future__ import annotations

from ipaddress import ip_network

import pytest

from mqlint.config.settings import Site
from mqlint.model.core.value import hosts
from mqlint.policy.compile.site_names import roles

SITES = (
    Site("leeds", "production", networks=(ip_network("10.10.0.0/16"),), tokens=("PRD",)),
    Site("derby", "dr", networks=(ip_network("10.20.0.0/16"),), tokens=("DRS",)),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PRDPAY1", ("production",)),
        ("prdpay1.wharfe.example(1414)", ("production",)),
        ("PRD.TO.DRS", ("dr", "production")),
        ("10.20.4.13(1414)", ("dr",)),
        ("10.10.4.13(1414),10.20.4.13", ("dr", "production")),
        ("10.30.4.13(1414)", ()),
        ("10.10.4(1414)", ()),
        ("BANKQM", ()),
        ("", ()),
    ],
)
def test_a_token_or_an_address_tells_the_role(text: str, expected: tuple[str, ...]) -> None:
    assert roles(text, SITES) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10.1.2.3(1414)", ("production",)),
        ("10.20.4.13(1414)", ("dr",)),
        ("10.30.1.1", ("dr", "production")),
        ("fd00::1(1414)", ()),
    ],
)
def test_of_networks_within_each_other_the_narrowest_tells(
    text: str, expected: tuple[str, ...]
) -> None:
    shared = ip_network("10.30.0.0/16")
    wide = Site("leeds", "production", networks=(ip_network("10.0.0.0/8"), shared))
    narrow = Site("derby", "dr", networks=(ip_network("10.20.0.0/16"), shared))
    assert roles(text, (wide, narrow)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Host.Example", ("host.example(1414)",)),
        ("a(1415),b", ("a(1415)", "b(1414)")),
        ("a ( 1415 ) , b(1416)", ("a(1415)", "b(1416)")),
        ("::1(1414)", ("::1(1414)",)),
        (" ", ()),
    ],
)
def test_hosts_of_a_connection_name(text: str, expected: tuple[str, ...]) -> None:
    assert hosts(text) == expected
