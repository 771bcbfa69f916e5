"""`mqlint.yaml` to `Settings`: each word is checked, and each fault is reported with its place.

One table has the keys of the file. The JSON Schema comes from it too (`mqlint.config.schema`).
"""

from __future__ import annotations

from collections.abc import Sequence

from mqlint.config.estate.sites import SITES
from mqlint.config.forms import (
    FLAG,
    GLOBS,
    NAME,
    NAMES,
    PATHS,
    Key,
    listed,
    mapping,
    names,
    of_keys,
    read_by,
    read_keys,
    with_some,
    words,
)
from mqlint.config.node import Node
from mqlint.config.profiles import SEVERITY, own_profiles_of, profile_of, profiles_of
from mqlint.config.settings import (
    CLIENT_KEYS,
    PLATFORMS,
    THRESHOLDS,
    Client,
    Compare,
    External,
    Files,
    Inventory,
    Migration,
    Override,
    OwnProfile,
    Settings,
    Target,
    Templates,
    Twins,
)
from mqlint.config.values import (
    FILE,
    FLOATING,
    GENERIC_NAMES,
    IS_COMPLETE,
    KEY_PATH,
    PARAMETERS,
    QUEUE_MANAGERS,
    RELEASE,
    RENAME,
    TYPES,
)
from mqlint.dataclass import names_of


def load_settings(text: str, path: str) -> Settings:
    """Return the settings that the text of `mqlint.yaml` holds; an empty text gives the defaults.

    `path` is only for messages. Raises ConfigError at the first fault.
    """
    return settings_from(read_settings(text, path))


def read_settings(text: str, path: str) -> Node:
    """Return the YAML value of the text of `mqlint.yaml`; ConfigError where it is none."""
    from mqlint.config.reader import read_kind  # here, as a text in the cache needs no yaml

    return read_kind(text, path, KEYS)


def settings_from(root: Node) -> Settings:
    """Return the settings that a YAML value holds; ConfigError at the first fault.

    What it extends is in it already (`mqlint.config.extends`).
    """
    if root.is_empty:
        return Settings()
    root.keys_allowed(KEYS)
    if "extends" in root.mapping():
        raise root.pairs["extends"].key_error("extends cannot be used here: write the keys out")
    own = own_profiles_of(root.get("profiles"))
    return Settings(**read_keys(root, table_of(own)), own_profiles=own)


def _migration(node: Node) -> Migration:
    node.keys_allowed(names(_MIGRATION))
    source, to = read_keys(node, _MIGRATION).values()
    if to.parts < source.parts:
        raise node.require("to").error(f"{to.text} is older than {source.text}")
    return Migration(source, to)


def _client(node: Node) -> Client:
    """Files of an application, and where in them its keys are."""
    node.keys_allowed(names(_CLIENT))
    values = read_keys(node, _CLIENT)
    keys = [(CLIENT_KEYS[word], values[word]) for word in node.mapping() if word != "files"]
    if not keys:
        raise node.error(f"a client needs the path of a key: {', '.join(CLIENT_KEYS)}")
    return Client(values["files"], tuple(keys))


_TARGET = Key(
    "target",
    mapping(
        Key(
            "level",
            RELEASE,
            "A release as V.R.M (9.4.0), V.R (9.4, which leaves the modification open) or a "
            "command level (940).",
            notes={"examples": ["9.4.0", "9.4", 940]},
        ),
        Key(
            "platform",
            words(*PLATFORMS),
            "Where the queue managers run; multi is any platform except z/OS.",
        ),
        make=Target,
    ),
    "The release and platform that the configuration is for.",
)
_MIGRATION = (
    Key("from", RELEASE, "The release before the migration, as in target.level.", required=True),
    Key("to", RELEASE, "The release after the migration.", required=True),
)
_PARTIAL = {"default": "partial"}
_CLIENT = (
    Key(
        "files",
        FLOATING,
        "A path pattern. A pattern without a slash matches in every folder.",
        required=True,
    ),
    *(
        Key(word, KEY_PATH, f"The path of the key with {what}.")
        for word, what in {
            "queue_manager": "the name of the queue manager",
            "channel": "the channel",
            "conn_name": "the list of hosts and ports",
            "host": "the host",
            "port": "the port",
            "ccdt": "the address of the channel table",
            "cipher": "the cipher",
            "user": "the user",
            "password": "the password",
            "application": "the name of the application",
            "get": "the queue that is read",
            "put": "the queue that is written to",
            "open": "the queue that is read or written to",
        }.items()
    ),
)
_EXTERNAL = {
    **{name: name.capitalize().replace("_", " ") for name in names_of(External)},
    "authinfos": "Authentication information objects",
}
_TABLE = (
    Key(
        "repository",
        NAME,
        "A name for this project. In a scan of an estate, queue managers of one name without a "
        "configured site count as one if their repositories have the same name here.",
        notes={"examples": ["payments"]},
    ),
    Key(
        "sites",
        SITES,
        "The sites of the estate by name. A site named production, prod, dr, test, development or "
        "dev needs no role.",
        notes={
            "examples": [
                {
                    "leeds": {"role": "production", "paths": ["prod/**"]},
                    "derby": {"role": "dr", "stands_in_for": "leeds", "paths": ["dr/**"]},
                }
            ]
        },
    ),
    Key(
        "queue_managers",
        QUEUE_MANAGERS,
        "Path patterns that name the queue manager of a file: {queue_manager} matches its name, "
        "{site} the name of a site.",
        notes={"examples": ["{site}/{queue_manager}/*"]},
    ),
    Key(
        "order",
        GLOBS,
        "Path patterns of files in the order they are run against their queue manager.",
    ),
    Key(
        "twins",
        mapping(
            Key(
                "rename",
                RENAME,
                "A part of a name, and its replacement at the other site.",
                notes={"examples": [{"PRD": "DRS"}]},
            ),
            make=Twins,
        ),
        "How names of queue managers and objects at one site become the names of their twins at "
        "the other site.",
    ),
    Key(
        "compare",
        mapping(
            Key("ignore", NAMES, "Attributes: DESCR, channel.CONNAME, stanza.*."),
            Key("ignore_objects", NAMES, "Objects: SYSTEM.*, qlocal:TMP.*."),
            make=Compare,
        ),
        "What mqlint diff and mqlint plan leave out.",
    ),
    _TARGET,
    Key(
        "migration",
        read_by(_migration, of_keys(_MIGRATION)),
        "The releases before and after a migration, for the rules of the profile migration.",
        notes={"examples": [{"from": "9.2.0", "to": "9.4.0"}]},
    ),
    Key(
        "inventory",
        mapping(
            Key(
                "jobs",
                IS_COMPLETE,
                "Whether all jobs and scheduled commands are here.",
                notes=_PARTIAL,
            ),
            Key(
                "objects",
                IS_COMPLETE,
                "Whether all objects of each queue manager are here.",
                notes=_PARTIAL,
            ),
            Key(
                "scripts",
                IS_COMPLETE,
                "Whether the scripts here define every object that a queue manager must have. "
                "Other objects in its dump are then unmanaged.",
                notes=_PARTIAL,
            ),
            make=Inventory,
        ),
        "What this repository contains completely. Only then can mqlint report that something is "
        "missing.",
    ),
    Key(
        "external",
        mapping(
            *(
                Key(
                    name,
                    GENERIC_NAMES,
                    f"{what} that exist although no file here defines them; a trailing * makes a "
                    "name generic.",
                )
                for name, what in _EXTERNAL.items()
            ),
            make=External,
        ),
        "Names that exist although no file here defines them.",
    ),
    Key(
        "exclude",
        GLOBS,
        "Path patterns of files that are not read. A pattern without a slash matches at any depth, "
        "and a pattern that matches a folder matches everything in it.",
    ),
    Key(
        "files",
        mapping(
            Key(
                "types",
                TYPES,
                "Languages by path patterns; the first match applies. A pattern without a slash "
                "matches in every folder.",
                notes={"examples": [{"ops/*.txt": "mqsc"}]},
            ),
            make=Files,
        ),
        "Languages of files that neither their names nor their texts show.",
    ),
    Key(
        "fail_on",
        words(*THRESHOLDS),
        "The lowest severity of a finding that makes the run fail.",
        notes={"default": "error"},
    ),
    Key(
        "severity",
        SEVERITY,
        "A rule's id, and the severity it has in this project; off does not run it.",
        notes={"examples": [{"DR001": "error"}]},
    ),
    Key(
        "parameters",
        PARAMETERS,
        "Values for parameters of rules, by rule and name; mqlint policy show RULE lists them.",
        notes={"examples": [{"CHN007": {"most": 100}}]},
    ),
    Key("policies", NAMES, "Folders with your own policies, relative to this file."),
    Key(
        "templates",
        mapping(
            Key("percent", FLAG, "Read %NAME% as a template.", notes={"default": True}),
            Key("double_underscore", FLAG, "Read __NAME__ as a template.", notes={"default": True}),
            make=Templates,
        ),
        "Template forms that are also valid in names of MQ objects. If the names of your objects "
        "use a form, set it to false.",
    ),
    Key(
        "clients",
        listed(read_by(_client, of_keys(_CLIENT))),
        "Files of applications that have keys of their own.",
        notes={
            "examples": [
                [{"files": "appsettings.json", "host": "$.mq.host", "channel": "$.mq.channel"}]
            ]
        },
    ),
    Key(
        "waivers",
        FILE,
        "The file of waivers, relative to this file; two quotation marks for none. A file with the "
        "default name is found without this key.",
        notes={"default": "mqlint-waivers.yaml"},
    ),
    Key(
        "baseline",
        FILE,
        "The file of the baseline, relative to this file: findings in it are hidden, and only new "
        "ones count.",
        notes={"default": ""},
    ),
)
_CHOSEN = (
    "The profiles whose rules are checked, such as production or dr-test; none means only the "
    "default profile."
)


def table_of(own: Sequence[OwnProfile] = ()) -> tuple[Key, ...]:
    """Return the keys of the file but `extends`; `own` are the profiles that the file defines."""
    override = (
        Key("paths", GLOBS, PATHS, required=True),
        _TARGET,
        Key("profiles", listed(profile_of(profile.name for profile in own)), _CHOSEN),
    )

    def read_override(node: Node) -> Override:
        node.keys_allowed(names(override))
        found = Override(**read_keys(node, override))
        if found.target == Target() and found.profiles is None:
            raise node.error("an override needs a target or profiles")
        return found

    schema = with_some(of_keys(override), "target", "profiles")
    about = {"description": "Settings for some paths."}
    return (
        *_TABLE,
        Key(
            "profiles",
            profiles_of(own),
            f"{_CHOSEN} A mapping also defines profiles of your own.",
            notes={
                "examples": [
                    ["production"],
                    {"bank": {"extends": "production", "severity": {"DR001": "error"}}},
                ]
            },
        ),
        Key(
            "overrides",
            listed(read_by(read_override, {**schema, **about})),
            "Another target or other profiles for some paths; if several match, the last one "
            "applies.",
        ),
    )


TABLE = table_of()
KEYS = ("extends", *names(TABLE))
"""The keys of the file."""
