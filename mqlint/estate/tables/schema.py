"""The tables of a scan, column by column; `docs/estate.md` says what each column means.

Schemas are Arrow's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pyarrow as pa

from mqlint.estate.tables.audit import AUDIT
from mqlint.estate.tables.columns import (
    Labels,
    Row,
    Stamp,
    flag,
    meaning_of,
    moment,
    number,
    sql_type,
    table,
    text,
    texts,
    without_labels,
)
from mqlint.finding import SCHEME, Finding

__all__ = [
    "ALWAYS",
    "JUDGEMENTS",
    "REQUIRED",
    "TABLES",
    "VIEWS",
    "Labels",
    "Row",
    "Stamp",
    "finding_row",
    "flag",
    "meaning_of",
    "number",
    "sql_type",
    "text",
    "without_labels",
]

_SITE: Final = (text, "the site of its files")
_QUEUE_MANAGER: Final = (text, "null if the file does not name it")
_PATH: Final = (text, "the file that sets it last")
_LINE: Final = (number, "the line of its name there, from 1")

FILES: Final = table(
    path=(text, "relative to the project's root, with forward slashes; escaped where unprintable"),
    status=(
        text,
        "`checked`, `without-mq` (a script or YAML file, say, without MQ configuration), "
        "`not-recognised` (no language that mqlint knows) or `unreadable`",
    ),
    language=(text, "`mqsc`, `ini`, `shell` ... where it was checked"),
    encoding=(text, "how its bytes were read"),
    reason=(text, "why it was not read, or which part expands too far and is unknown"),
    digest=(text, "SHA-256 of its bytes, where it was checked: equal files have equal digests"),
    commands=(number, "MQSC commands in it"),
    understood=(number, "how many of them parse and have only known attributes"),
    feeds=(
        pa.list_(pa.field("element", pa.struct({"file": text, "queue_manager": text}))),
        "files that it passes to `runmqsc`, and for which queue manager",
    ),
    counts=(
        pa.map_(text, number),
        "statements checked in part or not at all, by kind: `not-understood`, `may-not-run`, "
        "`unknown-value`",
    ),
    unjudged=(
        pa.list_(
            pa.field(
                "element",
                pa.struct({"line": number, "text": text, "kind": text, "reason": text}),
            )
        ),
        "the first 1,000 of these statements of each kind",
    ),
)
"""One row a file, also of those that were not read."""

COMMANDS: Final = table(
    site=_SITE,
    queue_manager=_QUEUE_MANAGER,
    path=(text, "the file"),
    command=(text, "verb and object, as in `DEFINE QLOCAL`; `?` for one that is not known"),
    number=(number, "how many of them the file gives to this queue manager"),
)
"""One row for each kind of MQSC command that a file gives to a queue manager."""

QUEUE_MANAGERS: Final = table(
    site=_SITE,
    role=(text, "the role of the site: `production`, `dr`, `test`, `development`"),
    queue_manager=(text, "its name; with the site, its identity"),
    platform=(text, "its platform, null if not known"),
    level=(text, "its release, null if not known"),
    log_type=(text, "`circular`, `linear` or `replicated`, null if not known"),
    files=(texts, "the files about it"),
    has_dump=(flag, "whether one of them is a dump"),
    dumped=(text, "time of its newest dump, from the dump"),
    complete=(
        flag,
        "whether all its objects are known, so that any other object does not exist",
    ),
    objects=(number, "its rows in `objects`"),
)
"""One row for each queue manager that a file describes."""

OBJECTS: Final = table(
    site=_SITE,
    queue_manager=_QUEUE_MANAGER,
    type=(text, "lower case: `qlocal`, `channel`, `topic`, `qmgr` ..."),
    subtype=(text, "the type of a channel or authentication object: `SDR`, `IDPWLDAP` ..."),
    name=(text, "its name"),
    attributes=(
        pa.map_(text, text),
        "attributes that commands set and whose values are known",
    ),
    path=_PATH,
    line=_LINE,
)
"""One row an object, as all commands leave it; records have tables of their own.

Where a queue manager has scripts and a dump, it is described by its scripts on top of its dump.
"""

CHLAUTH: Final = table(
    site=_SITE,
    queue_manager=_QUEUE_MANAGER,
    profile=(text, "the channels it is for, possibly with asterisks"),
    type=(text, "`ADDRESSMAP`, `USERMAP`, `QMGRMAP`, `SSLPEERMAP`, `BLOCKUSER` or `BLOCKADDR`"),
    address=(text, "ADDRESS"),
    client_user=(text, "CLNTUSER"),
    partner=(text, "QMNAME: the queue manager at the other end"),
    certificate=(text, "SSLPEER"),
    issuer=(text, "SSLCERTI"),
    source=(text, "USERSRC: `MAP`, `NOACCESS` or `CHANNEL`"),
    mapped_user=(text, "MCAUSER"),
    check_client=(text, "CHCKCLNT"),
    warns=(text, "WARN: `YES` if it only warns"),
    users=(texts, "USERLIST"),
    addresses=(texts, "ADDRLIST"),
    path=_PATH,
    line=_LINE,
)
"""One row a channel authentication record; values that are not known are null."""

AUTHORITIES: Final = table(
    site=_SITE,
    queue_manager=_QUEUE_MANAGER,
    profile=(text, "the objects it is for, possibly a generic name"),
    object_type=(text, "lower case: `queue`, `qmgr`, `topic` ..."),
    entity=(text, "the user or group"),
    is_group=(flag, "whether it is a group"),
    authorities=(texts, "its authorities, with ALL, ALLMQI and ALLADM expanded; null if unknown"),
    path=_PATH,
    line=_LINE,
)
"""One row an authority record."""

_CALLED: Final = (text, "the queue manager that it calls; null if the estate does not have it")
_CONNECTED: Final = (text, "the channel, blank if it is not set; null if unknown")

CLIENTS: Final = table(
    site=(text, "the site of the queue manager"),
    queue_manager=_CALLED,
    format=(text, "`spring`, `mft`, `ccdt`, `kafka` ..."),
    application=(text, "its name; null if it sets none"),
    channel=_CONNECTED,
    address=(text, "CONNAME: hosts and ports"),
    cipher=(text, "the CipherSpec or CipherSuite"),
    user_name=(text, "the user that it sets"),
    has_password=(flag, "whether a password is set; null if unknown"),
    reconnect=(text, "DEFRECON, in the words of MQSC"),
    instances=(text, "in how many processes it runs, if its workload or service says so"),
    path=(text, "the file that describes it"),
    line=(number, "the line there, from 1"),
)
"""One row a connection that the configuration of an application describes."""

CONNECTIONS: Final = table(
    site=(text, "the site of the queue manager"),
    queue_manager=_CALLED,
    application=(text, "its name; null if it sets none"),
    channel=_CONNECTED,
    object_type=(text, "`channel` or `queue`"),
    name=(text, "the channel or queue that it names"),
    does=(text, "`connect`, `get`, `put`, or `open` if it may be either"),
    state=(
        text,
        "of a channel `server`, `unsuitable`, `missing` or `deleted`, of a queue `defined`, "
        "`missing`, `deleted` or `elsewhere` (a cluster may have it); null if unknown",
    ),
    path=(text, "the file that names it"),
    line=(number, "the line there, from 1"),
)
"""One row a channel or queue that an application names, as it is at the queue manager."""

PROCEDURES: Final = table(
    site=_SITE,
    queue_manager=(text, "for which it runs; null if known only at run time"),
    path=(text, "the script, schedule, job or play"),
    line=(number, "the line of the step, from 1"),
    step=(number, "its place in the procedure, from 1"),
    command=(text, "as in `strmqm` or `RESET CHANNEL`"),
    does=(text, "its class: `start`, `end`, `copy`, `image` ..."),
    certain=(flag, "whether it always runs, for this queue manager, with the procedure"),
    scheduled=(flag, "whether the procedure is scheduled"),
)
"""One row a step of a script, a job, a schedule or a file of MQSC, for a queue manager."""

CHANNEL_PAIRS: Final = table(
    name=(text, "the name both ends have"),
    site=(text, "the site of the sending end"),
    queue_manager=(text, "the queue manager of the sending end"),
    type=(text, "`SDR`, `SVR` or `CLUSSDR`; null if the sender is not here"),
    path=(text, "the file of the sending end"),
    line=(number, "its line there, from 1"),
    to_repository=(text, "the repository of the receiving end"),
    to_site=(text, "its site"),
    to_queue_manager=(text, "its queue manager"),
    to_type=(text, "`RCVR`, `RQSTR` or `CLUSRCVR`; null if the receiver is not here"),
    to_path=(text, "its file"),
    to_line=(number, "its line there, from 1"),
)
"""One row for each two ends of a message channel that meet, and for each end that meets none.

Ends meet by the name of the channel and, with it, by the transmission queue (a queue manager of
the same site is called like it) or, in clusters, by the addresses in CONNAME. An end whose
CONNAME or XMITQ is not known is in no row.
"""

CLUSTERS: Final = table(
    cluster=(text, "its name"),
    site=_SITE,
    queue_manager=(text, "the member"),
    full_repository=(flag, "whether it holds a full repository; null if not known"),
    receivers=(texts, "its cluster-receiver channels for the cluster"),
    senders=(texts, "its cluster-sender channels for the cluster"),
    queues=(number, "its clustered queues"),
    topics=(number, "its clustered topics"),
    path=(text, "the file that makes it a member"),
    line=(number, "the line there, from 1"),
)
"""One row for the part of one queue manager in one cluster."""

FINDINGS: Final = table(
    rule=(text, "the rule's id"),
    name=(text, "the rule's name"),
    theme=(text, "`syntax`, `vocabulary`, or the theme of the policy"),
    severity=(text, "`error`, `warning` or `note`, at this site"),
    confidence=(text, "`high`, `medium` or `low`"),
    message=(text, "what is wrong"),
    path=(text, "the file"),
    line=(number, "the first line at fault, from 1"),
    column=(number, "the first character at fault, from 1"),
    end_line=(number, "the line in which the fault ends"),
    end_column=(number, "the character after its end"),
    site=(text, "the site of the queue manager"),
    queue_manager=(text, "none where it is not known"),
    object_type=(text, "the object, as in `objects`"),
    object_name=(text, "its name"),
    attribute=(text, "the attribute at fault, if the fault is in one"),
    incident=(text, "equal for all members of one faulty group"),
    fingerprint=(
        text,
        "with `repository` identifies the finding across scans, line moves and renamed files",
    ),
    shared_fingerprint=(text, "shared by identical findings; null for the first of them"),
    fingerprint_scheme=(text, "`v2`; null in scans of an mqlint that made fingerprints as `v1`"),
    known=(flag, "whether a baseline covers it; null in scans of an earlier mqlint"),
    first_seen=(moment, "when the first scan of an unbroken row of scans found it, UTC"),
    last_seen=(moment, "when the last scan found it, UTC: the time of this scan"),
)
"""One row a finding."""

COVERAGE: Final = table(
    status=(text, "as in `files`"),
    language=(text, "as in `files`"),
    reason=(text, "as in `files`"),
    files=(number, "number of files with equal values in these columns"),
    commands=(number, "MQSC commands in them"),
    understood=(number, "those understood"),
)
"""What became of the files, in few rows."""

JUDGEMENTS: Final = "judgements"
"""The table of verdicts."""

VERDICTS: Final = table(
    site=_SITE,
    queue_manager=(text, "its name; with the site, its identity"),
    verdict=(text, "`fail`, `unknown`, `pass` or `not-applicable`"),
    rule=(text, "the id of the rule, if the row is about one"),
    missing_value=(
        text,
        "of `unknown`: the first value that is not known, or the key that `mqlint.yaml` lacks",
    ),
    object_type=(text, "of `fail` and `unknown`: the first object, as in `objects`"),
    object_name=(text, "its name"),
    file_path=(text, "its file"),
    is_excepted=(flag, "of `fail`: whether exceptions cover all its findings"),
    rule_ids=(texts, "the ids of all rules that the row is about"),
    rules_total=(number, "how many there are"),
)
"""What each rule makes of each queue manager that has a name.

One row for each `fail` and `unknown`, and one row a queue manager for all rules that pass, and
for all that do not apply. Rules about texts (syntax, vocabulary and others without `match`) are not
in it.
"""

TABLES: Final[Mapping[str, pa.Schema]] = {
    "files": FILES,
    "commands": COMMANDS,
    "queue_managers": QUEUE_MANAGERS,
    "objects": OBJECTS,
    "chlauth": CHLAUTH,
    "authorities": AUTHORITIES,
    "clients": CLIENTS,
    "connections": CONNECTIONS,
    "procedures": PROCEDURES,
    "channel_pairs": CHANNEL_PAIRS,
    "clusters": CLUSTERS,
    "findings": FINDINGS,
    "coverage": COVERAGE,
    JUDGEMENTS: VERDICTS,
    **AUDIT,
}
"""Every table by its name."""

REQUIRED: Final = ("files", "findings", "coverage")
"""The tables that every scan has, also of an earlier mqlint."""

ALWAYS: Final = (*REQUIRED, *AUDIT)
"""The tables that are always written; `--no-tables` leaves the others out."""

VIEWS: Final[Mapping[str, tuple[str, str]]] = {
    "rule_judgements": (
        JUDGEMENTS,
        "SELECT repository, team, site, queue_manager, verdict, explode(rule_ids) AS rule_id,"
        " missing_value, object_type, object_name, file_path, is_excepted, scan, scanned"
        " FROM judgements",
    ),
    "attributes": (
        "objects",
        "SELECT repository, team, site, queue_manager, type, subtype, name,"
        " item.key AS attribute, item.value AS value, path, line, scan, scanned"
        " FROM (SELECT *, explode(map_entries(attributes)) AS item FROM objects)",
    ),
    "grants": (
        "authorities",
        "SELECT repository, team, site, queue_manager, profile, object_type, entity, is_group,"
        " explode(authorities) AS authority, path, line, scan, scanned FROM authorities",
    ),
}
"""Views with a row for each element of a column: of which table, and how, in SQL of all engines."""


def finding_row(finding: Finding) -> Row:
    """Return the row of a finding in the table `findings`, less its labels.

    Its own fingerprint, whether it is known and since when are not known yet.
    """
    rule, place, subject = finding.rule, finding.location, finding.subject
    return (
        *(finding.repository, rule.id, rule.name, rule.group),
        *(finding.severity.word, rule.confidence.word),
        *(finding.message, place.path, place.start.line, place.start.column),
        *(place.end.line, place.end.column, subject.site, subject.queue_manager),
        *(subject.object_type, subject.object_name, subject.attribute),
        *(finding.incident, finding.fingerprint, None, SCHEME, None, None, None),
    )
