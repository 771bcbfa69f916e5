"""A step that is left out, or turned round, is noticed by a scenario that is about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from mqlint.chlauth import admit, auth_record, blocked_users, decide, distinguished
from mqlint.chlauth.access import Channel, ChannelAccess
from mqlint.chlauth.address import everything, specificity
from mqlint.chlauth.auth_record import Record
from mqlint.chlauth.connection import Adoption, Outcome, Verdict, Walk
from mqlint.vocabulary.chlauth import evaluation_steps
from tests.chlauth.scenarios import SCENARIOS

STEPS = evaluation_steps()

Patch = pytest.MonkeyPatch


def _listener(patch: Patch) -> None:
    patch.setattr(decide, "listener", lambda access, connection: (None, []))


def _channel(patch: Patch) -> None:
    patch.setattr(decide, "without_channel", lambda access, channel: None)


def _called_back(patch: Patch) -> None:
    patch.setattr(Channel, "calls_back", property(lambda self: False))


def _certificate(patch: Patch) -> None:
    patch.setattr(admit, "_certificate", lambda walk: None)


def _ways(patch: Patch) -> None:
    patch.setattr(decide, "ways", lambda access, channel, one: [(one, Adoption.NONE)])


def _early_mapping(patch: Patch) -> None:
    plain = admit._user

    def user(walk: Walk, adoption: Adoption) -> str | None:
        found = plain(walk, adoption)
        return walk.connection.user if adoption is Adoption.EARLY else found

    patch.setattr(admit, "_user", user)


def _adopted_over_channel(patch: Patch) -> None:
    plain = admit._user
    patch.setattr(admit, "_user", lambda walk, _: plain(walk, Adoption.NONE))


def _switch(patch: Patch) -> None:
    patch.setattr(ChannelAccess, "enabled", True)


def _turned(name: str) -> Callable[[Patch], None]:
    """An order turned round."""

    def mutate(patch: Patch) -> None:
        plain = getattr(auth_record, name)
        turned = lambda text: tuple((-one, -two) for one, two in plain(text))  # noqa: E731
        patch.setattr(auth_record, name, turned)

    return mutate


def _rank(kind: str, number: int) -> Callable[[Patch], None]:
    return lambda patch: patch.setitem(auth_record._RANK, kind, number)


def _hosts_first(patch: Patch) -> None:
    plain = specificity
    patch.setattr(
        auth_record,
        "address_specificity",
        lambda text: ((-1, 0),) if ".ex" in text else plain(text),
    )


def _partner_order(patch: Patch) -> None:
    patch.setattr(distinguished, "specificity", lambda text: ())


def _patterns(patch: Patch) -> None:
    patch.setattr(Record, "addresses", property(lambda self: everything()))


def _clients(always: bool) -> Callable[[Patch], None]:
    return lambda patch: patch.setattr(Channel, "is_client", property(lambda self: always))


def _names(patch: Patch) -> None:
    patch.setattr(distinguished, "fits", lambda pattern, name: pattern == name)


def _mapping(patch: Patch) -> None:
    patch.setattr(decide, "_trail", lambda access, channel, connection: ((), (), ()))


def _warning(patch: Patch) -> None:
    for module in (admit, decide):
        patch.setattr(module, "only_warns", lambda one: False)


def _exit(patch: Patch) -> None:
    patch.setattr(admit, "_unless_exit", lambda walk, blocked: [blocked])


def _channel_user(patch: Patch) -> None:
    plain = ChannelAccess.channel
    patch.setattr(ChannelAccess, "channel", lambda self, name: replace(plain(self, name), user=""))


def _no_access_user(patch: Patch) -> None:
    patch.setattr(admit, "NO_ACCESS", "another word")


def _password(patch: Patch) -> None:
    patch.setattr(admit, "_password", lambda walk, user: None)


def _blocked_users(patch: Patch) -> None:
    def let_in(walk: Walk, user: str | None) -> list[Outcome]:
        return [walk.end(Verdict.ALLOWED, user, "")]

    patch.setattr(admit, "unless_blocked", let_in)


def _one_list(patch: Patch) -> None:
    plain = Record.is_for
    wide = lambda self, name: self.profile == "*" if self.is_list else plain(self, name)  # noqa: E731
    patch.setattr(Record, "is_for", wide)


def _privileged(patch: Patch) -> None:
    for module in (admit, blocked_users):
        patch.setattr(module, "is_privileged", lambda access, connection, user: False)


def _ignored_case(patch: Patch) -> None:
    patch.setattr(ChannelAccess, "ignores_case", False)


def _record_password(patch: Patch) -> None:
    patch.setattr(admit, "_of_record", lambda walk, user: None)


MUTANTS: dict[str, Callable[[Patch], None]] = {
    "listener": _listener,
    "channel": _channel,
    "called-back": _called_back,
    "certificate": _certificate,
    "peer": _certificate,
    "early-adoption": _ways,
    "early-mapping": _early_mapping,
    "adopted-over-channel": _adopted_over_channel,
    "switch": _switch,
    "profile-order": _turned("name_specificity"),
    "user-before-address": _rank("ADDRESSMAP", -1),
    "certificate-first": _rank("SSLPEERMAP", 9),
    "address-order": _turned("address_specificity"),
    "host-name-last": _hosts_first,
    "partner-order": _partner_order,
    "patterns": _patterns,
    "user-map": _clients(always=True),
    "queue-manager-map": _clients(always=False),
    "names": _names,
    "mapping": _mapping,
    "warning": _warning,
    "exit": _exit,
    "channel-user": _channel_user,
    "program-user": _clients(always=True),
    "no-access-user": _no_access_user,
    "password": _password,
    "late-adoption": _ways,
    "blocked-users": _blocked_users,
    "one-list": _one_list,
    "client-users": _clients(always=True),
    "privileged": _privileged,
    "ignored-case": _ignored_case,
    "record-password": _record_password,
}


def test_every_step_has_a_mutant() -> None:
    assert MUTANTS.keys() == STEPS.keys()


@pytest.mark.parametrize("step", STEPS)
def test_a_step_that_goes_wrong_is_noticed(step: str, monkeypatch: Patch) -> None:
    about = [scenario for scenario in SCENARIOS if step in scenario.steps]
    MUTANTS[step](monkeypatch)
    assert [
        scenario.name
        for scenario in about
        if scenario.result() != (scenario.verdict, scenario.user, scenario.record)
    ]
