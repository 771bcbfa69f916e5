"""The steps by which a queue manager decides on a connection, each with its source.

`read` is True where IBM's page (or the place that quotes it) was read. A recalled step is listed in
every answer that depends on it, and makes that answer less sure.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mqlint.dataclass import frozen


@frozen
class EvaluationStep:
    """One step: its effect in one sentence, and the page that documents it."""

    id: str
    summary: str
    source: str
    read: bool = True


_STEPS = (
    EvaluationStep(
        "listener",
        "BLOCKADDR is checked before any data is read, and so before the channel is known; with"
        " WARN(YES) it lets the connection go on with a warning",
        "IBM MQ, Interaction of CHLAUTH and CONNAUTH (q132550), step 2",
    ),
    EvaluationStep(
        "channel",
        "the channel is looked up by the name in the first flow",
        "IBM MQ, Interaction of CHLAUTH and CONNAUTH (q132550), step 4",
    ),
    EvaluationStep(
        "called-back",
        "a requester may start a sender, which ends the conversation and calls the requester",
        "IBM MQ, requester-sender channels (message channels)",
        read=False,
    ),
    EvaluationStep(
        "certificate",
        "with SSLCAUTH(REQUIRED) a partner without a certificate is refused",
        "IBM MQ, channel attribute SSLCAUTH (q082220)",
        read=False,
    ),
    EvaluationStep(
        "peer",
        "SSLPEER of the channel and SSLPEER of a record must both match",
        "IBM MQ, SSLPEER (q082250)",
    ),
    EvaluationStep(
        "early-adoption",
        "with ChlauthEarlyAdopt=Y and ADOPTCTX(YES) the user with a correct password is the user"
        " for which records are evaluated",
        "IBM MQ, Interaction of CHLAUTH and CONNAUTH (q132550), step 7",
    ),
    EvaluationStep(
        "early-mapping",
        "the user that a record maps to overrides a user that was adopted early",
        "APAR IT20275",
    ),
    EvaluationStep(
        "adopted-over-channel",
        "a user that was adopted early overrides MCAUSER of the channel",
        "IBM MQ, Determining which user is used for authorization (determine_userauth)",
        read=False,
    ),
    EvaluationStep(
        "switch",
        "with CHLAUTH(DISABLED) no record is evaluated",
        "IBM MQ, Resolving CHLAUTH access issues (q132560)",
    ),
    EvaluationStep(
        "profile-order",
        "of the matching records, the one with the more specific channel name comes first",
        "IBM MQ, Resolving CHLAUTH access issues (q132560), the shipped records",
    ),
    EvaluationStep(
        "user-before-address",
        "a record for a user or queue manager comes before one for only an address",
        "IBM MQ, Creating new CHLAUTH rules for channels (q132580), second scenario",
    ),
    EvaluationStep(
        "certificate-first",
        "SSLPEERMAP comes before USERMAP, QMGRMAP and ADDRESSMAP of the same profile",
        "IBM MQ, Channel authentication records (q010250)",
        read=False,
    ),
    EvaluationStep(
        "address-order",
        "of two addresses the more specific one comes first",
        "IBM MQ, Creating new CHLAUTH rules for channels (q132580), first scenario",
    ),
    EvaluationStep(
        "host-name-last",
        "an address comes before a host name",
        "IBM MQ, Channel authentication records (q010250)",
        read=False,
    ),
    EvaluationStep(
        "partner-order",
        "of two names or distinguished names the more specific one comes first, attribute by"
        " attribute",
        "IBM MQ, Channel authentication records (q010250)",
        read=False,
    ),
    EvaluationStep(
        "patterns",
        "an asterisk replaces parts of an address, a hyphen is a range within one part",
        "IBM MQ, Generic IP addresses for channel authentication records (q086080)",
    ),
    EvaluationStep(
        "user-map",
        "USERMAP applies only to server-connection channels",
        "IBM MQ, Mapping a client user ID to an MCAUSER user ID (q013830)",
    ),
    EvaluationStep(
        "queue-manager-map",
        "QMGRMAP has no effect on a server-connection channel",
        "IBM MQ, Mapping a remote queue manager to an MCAUSER user ID (q013820)",
    ),
    EvaluationStep(
        "names",
        "distinguished names are compared without regard to case, OU values from the first one, DC"
        " values from the last one; an asterisk is a wildcard at either end of a value only",
        "IBM MQ, IBM MQ rules for SSLPEER values (q049310)",
    ),
    EvaluationStep(
        "mapping",
        "the most specific matching record is used: MAP, CHANNEL or NOACCESS",
        "IBM MQ, Interaction of CHLAUTH and CONNAUTH (q132550), step 8",
    ),
    EvaluationStep(
        "warning",
        "a record with WARN(YES) lets the connection go on, and the next matching record without"
        " a warning sets the user",
        "IBM MQ, SET CHLAUTH (q086630), WARN",
        read=False,
    ),
    EvaluationStep(
        "exit",
        "a security exit can set other credentials after the records and so undo a block",
        "IBM MQ, Interaction of CHLAUTH and CONNAUTH (q132550), steps 8 and 9",
    ),
    EvaluationStep(
        "channel-user",
        "MCAUSER of the channel overrides the user that a client sends",
        "IBM MQ, Determining which user is used for authorization (determine_userauth)",
    ),
    EvaluationStep(
        "program-user",
        "a message channel with a blank MCAUSER runs as the channel program",
        "IBM MQ, channel attribute MCAUSER (q081900)",
        read=False,
    ),
    EvaluationStep(
        "no-access-user",
        "MCAUSER(*NOACCESS) blocks every connection",
        "IBM MQ, blocking access of a channel by MCAUSER",
        read=False,
    ),
    EvaluationStep(
        "password",
        "CHCKCLNT of the object in CONNAUTH requires passwords: of no user, optional, of privileged"
        " users, of all users",
        "IBM MQ, Connection authentication: Configuration (q113250)",
    ),
    EvaluationStep(
        "late-adoption",
        "without early adoption, ADOPTCTX(YES) sets the user with a correct password after the"
        " records, whatever they map to",
        "IBM MQ, Interaction of CHLAUTH and CONNAUTH (q132550), step 11",
        read=False,
    ),
    EvaluationStep(
        "blocked-users",
        "BLOCKUSER is evaluated after mapping and exit, for the final user",
        "APAR IT25839, step 12",
    ),
    EvaluationStep(
        "one-list",
        "of the matching BLOCKUSER records, only the one with the most specific profile applies",
        "IBM MQ, Creating new CHLAUTH rules for channels (q132580), second scenario",
    ),
    EvaluationStep(
        "client-users",
        "BLOCKUSER applies only to server-connection channels",
        "IBM MQ, blocking a client user ID (q013810)",
    ),
    EvaluationStep(
        "privileged",
        "*MQADMIN matches the users that are privileged on the platform; with LDAP and an"
        " AUTHORMD other than OS only for the user who started the queue manager",
        "IBM support, *MQADMIN (swg21643861); IBM MQ, LDAP administration",
    ),
    EvaluationStep(
        "ignored-case",
        "ChlauthIgnoreUserCase=Yes lets records ignore the case of users",
        "CHLAUTH Made Simple, rev4 (ignore case, 9.2)",
    ),
    EvaluationStep(
        "record-password",
        "CHCKCLNT(REQUIRED) of the record requires a user that CONNAUTH has authenticated,"
        " CHCKCLNT(REQDADM) for privileged users; with a blank CONNAUTH both end the connection",
        "IBM MQ, Interaction of CHLAUTH and CONNAUTH (q132550), step 13",
    ),
)

STEPS: Final[Mapping[str, EvaluationStep]] = {step.id: step for step in _STEPS}
"""Every step, by its id, in the order they are taken."""


def recalled(ids: tuple[str, ...]) -> tuple[str, ...]:
    """Return the sentences of the steps among `ids` whose page was not read."""
    steps = (STEPS[step_id] for step_id in dict.fromkeys(ids))
    return tuple(f"{step.summary} (recalled: {step.source})" for step in steps if not step.read)
