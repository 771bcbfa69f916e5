"""The tables for an auditor: what was scanned, by whom, under which rules and exceptions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pyarrow as pa

from mqlint.estate.tables.columns import flag, moment, number, table, text, texts

SCANS: Final = table(
    scan_id=(text, "the id of the scan, as in the column `scan` of all tables"),
    started_at=(moment, "when the scan began, UTC"),
    ended_at=(moment, "when its results were known, UTC"),
    operator_name=(text, "the user of the operating system who ran it"),
    host_name=(text, "the machine on which it ran"),
    mqlint_version=(text, "the release of mqlint"),
    engine_name=(text, "`spark` or `process`"),
    policies_digest=(text, "SHA-256 of all rules in force, as they were compiled"),
    configuration_digest=(text, "SHA-256 of the settings of all repositories, and of the rules"),
    inventory_digest=(text, "SHA-256 of the register of queue managers; null without one"),
    options_given=(texts, "the words of the command line"),
    files_total=(number, "files that were found"),
    files_unread=(number, "files that could not be read"),
    commands_total=(number, "MQSC commands in the files that were checked"),
    commands_understood=(number, "those understood"),
)
"""One row: the scan."""

REPOSITORIES: Final = table(
    kind_name=(text, "`project`, `repository`, `dumps` or `uri`"),
    address=(text, "the path or URI that was read"),
    commit_id=(text, "the commit of Git that was read or checked out; null without Git"),
    branch_name=(text, "the branch; null without Git or at no branch"),
    read_at=(moment, "when it was read, UTC: when the scan began"),
    read_status=(text, "`whole`, `partial` (a file could not be read) or `unread`"),
    fault=(text, "why it was not read whole, the first reason"),
    files_total=(number, "files that were found"),
    files_unread=(number, "files that could not be read"),
)
"""One row a repository of the estate."""

RULES: Final = table(
    rule=(text, "the id of the rule"),
    rule_name=(text, "its name"),
    theme=(text, "as in `findings`"),
    production_severity=(text, "severity in force at a production site; null if it does not run"),
    other_severity=(text, "severity in force elsewhere; null if it does not run"),
    is_own=(flag, "whether the rule is one of the repository itself"),
    confidence=(text, "`high`, `medium` or `low`"),
    rule_summary=(text, "what the rule finds"),
    digest=(text, "SHA-256 of the compiled rule"),
)
"""One row a rule by default, with a blank `repository`, and one for each that differs in one."""

EXCEPTIONS: Final = table(
    kind_name=(text, "`waiver`, `comment` or `baseline`"),
    rule=(text, "the rule whose finding it covers"),
    owner_name=(text, "the person who is responsible for it; null without a name"),
    reason=(text, "the reason given"),
    ticket=(text, "the ticket given"),
    expires_on=(text, "the day after which a waiver does not apply, as YYYY-MM-DD"),
    file_path=(text, "the file of the finding"),
    first_line=(number, "the line of the finding, from 1"),
    site=(text, "the site of the queue manager"),
    queue_manager=(text, "null if it is not known"),
    severity=(text, "of the finding"),
    message=(text, "of the finding"),
    fingerprint=(text, "of the finding"),
)
"""One row for each finding that a waiver, a comment or a baseline covers."""

INVENTORY: Final = table(
    queue_manager=(text, "its name"),
    site=(text, "its site by the files, or by the register if no file describes it"),
    is_registered=(flag, "whether the register lists it"),
    is_described=(flag, "whether a repository describes it"),
    registered_site=(text, "its site by the register"),
    register_line=(number, "its line in the register, from 1"),
    file_path=(text, "a file that describes it"),
)
"""One row a queue manager of the register or of a repository, if a register is given."""

CONTROLS: Final = table(
    framework_name=(text, "the standard or catalogue of the control, as the mapping names it"),
    control_id=(text, "its id in that framework"),
    control_title=(text, "its title; null if the mapping has none"),
    rule=(text, "the id of a rule that the mapping assigns to it"),
    rule_name=(text, "the name of the rule"),
)
"""One row for each rule of each control of the mappings that are given."""

AUDIT: Final[Mapping[str, pa.Schema]] = {
    "scans": SCANS,
    "repositories": REPOSITORIES,
    "rules": RULES,
    "exceptions": EXCEPTIONS,
    "inventory": INVENTORY,
    "controls": CONTROLS,
}
"""Each of these tables by its name."""
