"""mqlint.yaml: what it says, what is wrong with it, and its JSON Schema."""

import ipaddress
import json
import pickle
from importlib.resources import files
from typing import Any

import jsonschema
import pytest
import yaml

from mqlint.config import settings as words
from mqlint.config.errors import ConfigError
from mqlint.config.loader import KEYS, load_settings
from mqlint.config.schema import SCHEMA
from mqlint.config.settings import (
    Compare,
    External,
    Files,
    Inventory,
    Level,
    Migration,
    Override,
    OwnProfile,
    ParameterValue,
    Settings,
    Site,
    Target,
    Templates,
    Twins,
    parse_level,
)
from mqlint.dataclass import names_of

Json = dict[str, Any]

WHOLE = """\
parameters: {CHN007: {most: 100, names: [APP.*]}}
sites:
  leeds: {role: production, paths: ["prod/**"], networks: [10.10.0.0/16], tokens: [PRD]}
  derby:
    role: dr
    stands_in_for: leeds
    paths: ["dr/**"]
    networks: [10.20.0.0/16, "fd00:20::/32"]
    seen_as: [192.0.2.20/32]
    tokens: [DRS]
    isolation: production-ended
    reinstated_by: file-copy
queue_managers: "{site}/{queue_manager}/*"
order: ["**/base.mqsc", "**/*.mqsc"]
twins: {rename: {PRD: DRS}}
compare: {ignore: [DESCR], ignore_objects: ["SYSTEM.*"]}
target: {level: 9.4.0, platform: linux}
overrides:
  - {paths: ["zos/**"], target: {platform: zos, level: 940}, profiles: [audit]}
profiles: [production]
migration: {from: 9.2, to: 9.4.0}
inventory: {jobs: complete, objects: partial}
external: {queues: ["SHARED.*"], queue_managers: [PARTNER1]}
exclude: [attic, "*.bak"]
fail_on: warning
severity: {DR001: off, LOG002: error}
policies: [our-rules]
templates: {percent: true}
"""


def _load(text: str) -> Settings:
    return load_settings(text, "mqlint.yaml")


def test_everything_a_file_can_say() -> None:
    assert _load(WHOLE) == Settings(
        sites=(
            Site(
                "leeds",
                "production",
                paths=("prod/**",),
                networks=(ipaddress.ip_network("10.10.0.0/16"),),
                tokens=("PRD",),
            ),
            Site(
                "derby",
                "dr",
                stands_in_for="leeds",
                paths=("dr/**",),
                networks=(
                    ipaddress.ip_network("10.20.0.0/16"),
                    ipaddress.ip_network("fd00:20::/32"),
                ),
                seen_as=(ipaddress.ip_network("192.0.2.20/32"),),
                tokens=("DRS",),
                isolation="production-ended",
                reinstated_by="file-copy",
            ),
        ),
        queue_managers=("{site}/{queue_manager}/*",),
        order=("**/base.mqsc", "**/*.mqsc"),
        twins=Twins((("PRD", "DRS"),)),
        compare=Compare(("DESCR",), ("SYSTEM.*",)),
        target=Target(Level("9.4.0", (9, 4, 0)), "linux"),
        overrides=(Override(("zos/**",), Target(Level("940", (9, 4, 0)), "zos"), ("audit",)),),
        profiles=("production",),
        migration=Migration(Level("9.2", (9, 2)), Level("9.4.0", (9, 4, 0))),
        inventory=Inventory(jobs=True),
        external=External(queues=("SHARED.*",), queue_managers=("PARTNER1",)),
        exclude=("attic", "*.bak"),
        fail_on="warning",
        severity={"DR001": "off", "LOG002": "error"},
        parameters=(
            ParameterValue("CHN007", "most", 100, "mqlint.yaml", 1, 29),
            ParameterValue("CHN007", "names", ["APP.*"], "mqlint.yaml", 1, 41),
        ),
        policies=("our-rules",),
        templates=Templates(percent=True),
    )


def test_settings_ride_to_other_processes() -> None:
    loaded = _load(WHOLE)
    assert pickle.loads(pickle.dumps(loaded)) == loaded  # noqa: S301 our own bytes


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "{}"])
def test_an_empty_file_gives_the_defaults(text: str) -> None:
    assert _load(text) == Settings()


def test_a_site_whose_name_says_its_role_needs_none() -> None:
    sites = _load("sites:\n  prod: {paths: [p]}\n  dr:\n").sites
    assert [(site.role, site.stands_in_for) for site in sites] == [
        ("production", None),
        ("dr", "prod"),
    ]


def test_who_a_dr_site_stands_in_for_is_not_guessed_among_several() -> None:
    loaded = _load("sites: {a: {role: production}, b: {role: production}, dr: {}}")
    assert loaded.site("dr") == Site("dr", "dr")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("9.4.0", (9, 4, 0)),
        ("9.4", (9, 4)),
        ("9.3.0.25", (9, 3, 0, 25)),
        ("10.0.0", (10, 0, 0)),
        ("940", (9, 4, 0)),
        ("945", (9, 4, 5)),
        ("1000", (10, 0, 0)),
        ("V9.2.5", (9, 2, 5)),
        ("9", None),
        ("94", None),
        ("9.4.x", None),
        ("latest", None),
    ],
)
def test_levels(text: str, parts: tuple[int, ...] | None) -> None:
    level = parse_level(text)
    assert (level.parts if level else None) == parts
    assert level is None or level.text == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("site: {}", "1:1: unknown key 'site': did you mean 'sites'? allowed: baseline, clients,"),
        ("clients: [{files: a, host: mq.h}]", "1:28: 'mq.h' is not a path such as $.mq.host"),
        (
            "clients: [{files: a}]",
            "1:11: a client needs the path of a key: queue_manager, channel,",
        ),
        ("clients: [{files: a, hots: $.a}]", "1:22: unknown key 'hots': did you mean 'host'?"),
        ("- a", "1:1: expected 'key: value' pairs, found a list"),
        ("target: 9.4.0/linux", "found the text '9.4.0/linux'; allowed keys: level or platform"),
        ("sites:", "1:7: expected 'key: value' pairs, found nothing"),
        ("sites: {leeds: {}}", "1:9: the site 'leeds' has no role: development, dr, production or"),
        ("sites: {a: {role: Prod}}", "1:19: found 'Prod': did you mean 'production'? allowed: dev"),
        ("sites: {a: {role: dr, pahts: []}}", "1:23: unknown key 'pahts': did you mean 'paths'?"),
        (
            "sites:\n  a: {role: dr, stands_in_for: leds}\n  leeds: {role: production}",
            "2:32: unknown site 'leds': did you mean 'leeds'? allowed: leeds",
        ),
        ("sites: {dr: {stands_in_for: x}}", "1:29: unknown site 'x': no other site is defined"),
        ("sites: {dr: {stands_in_for: dr}}", "1:29: the site 'dr' cannot be its own stand-in"),
        (
            "sites:\n  prod: {paths: [a/**]}\n  dr: {paths: [b/**, ./a/**]}",
            "3:22: the pattern 'a/**' belongs to the site 'prod' already",
        ),
        (
            "sites:\n  prod: {tokens: [PRD]}\n  dr: {tokens: [DRS, prd]}",
            "3:22: the token 'prd' belongs to the site 'prod' already",
        ),
        (
            "sites:\n  prod: {stands_in_for: dr}\n  dr: {stands_in_for: prod}",
            "2:25: the site 'prod' is its own stand-in through a chain: prod for dr for prod",
        ),
        (
            "sites: {dr: {networks: [10.20.0.1/16]}}",
            "1:25: '10.20.0.1/16' is an address in a network: did you mean '10.20.0.0/16'?",
        ),
        (
            "profiles: [prodction]",
            "1:12: found 'prodction': did you mean 'production'? allowed: au",
        ),
        (
            "profiles: {'true': {extends: audit}, a: {extends: true}}",
            "1:51: found the boolean true",
        ),
        (
            "overrides: [{paths: [a], profiles: [dr]}]",
            "1:37: found 'dr': did you mean 'dr-test'?",
        ),
        ("migration: {from: 9.4.0}", "1:12: the key 'to' is missing"),
        ("migration: {from: 9.4.0, to: 9.3}", "1:30: 9.3 is older than 9.4.0"),
        ("migration: {form: 9.4.0}", "1:13: unknown key 'form': did you mean 'from'?"),
        ("migration: {from: new, to: 9.3}", "1:19: found 'new', expected a release"),
        ("parameters: {CHN007: 100}", "1:22: expected 'key: value' pairs, found the number 100"),
        ("sites: {dr: {networks: [ten]}}", "1:25: found 'ten', expected a network such as"),
        ("sites: {dr: {isolation: NO}}", "1:25: found 'NO': "),
        ("sites: {dr: {isolation: chlaut}}", "did you mean 'chlauth'? allowed: chlauth, names,"),
        ("sites: {dr: {paths: [a**]}}", "1:22: bad path pattern 'a**': '**' must stand alone"),
        ("sites: {dr: {paths: dr}}", "1:21: expected a list, found the text 'dr': put [ and ]"),
        ("queue_managers: '{site}/*'", "1:17: {queue_manager} is not in the pattern"),
        ("queue_managers: ['{qmgr}/*']", "1:18: bad path pattern '{qmgr}/*': in braces only"),
        ("order: ['{a}']", "1:9: bad path pattern '{a}': braces have no meaning here"),
        ("twins: {rename: {A: A}}", "1:18: 'A' is renamed to itself"),
        (
            f"twins: {{rename: {{{', '.join(f'A{number}: B' for number in range(1_001))}}}}}",
            "1:17: 1,001 pairs of names, but at most 1,000 are replaced",
        ),
        ("twins: {rename: {A: ''}}", "1:18: 'A' is renamed to itself, or is blank"),
        ("target: {level: 9}", "1:17: found '9', expected a release such as 9.4.0, 9.4 or a"),
        ("target: {platform: unix}", "1:20: found 'unix': "),
        ("overrides: [{target: {}}]", "1:13: the key 'paths' is missing"),
        ("overrides: [{paths: [a]}]", "1:13: an override needs a target or profiles"),
        ("inventory: {jobs: yes}", "1:19: found 'yes': allowed: complete or partial"),
        ("external: {queue: [A]}", "1:12: unknown key 'queue': did you mean 'queues'?"),
        ("external: {queues: ['A*B']}", "1:21: in 'A*B' only the last character may be '*'"),
        ("fail_on: warn", "1:10: found 'warn': did you mean 'warning'?"),
        ("severity: {DR001: fatal}", "1:19: found 'fatal': allowed: error, note, off or warning"),
        ("templates: {percent: yes}", "1:22: expected true or false, found the text 'yes'"),
        ("policies: [' ']", "1:12: the text is blank"),
        ('waivers: "a\\0b"', "1:10: the text has a NUL character"),
        ('baseline: "a\\0b"', "1:11: the text has a NUL character"),
        ('policies: ["a\\0b"]', "1:12: the text has a NUL character"),
        ('exclude: ["a\\0b"]', "1:11: the text has a NUL character"),
        ('repository: "a\\0b"', "1:13: the text has a NUL character"),
        ("policies: [1]", "1:12: found the number 1 but expected text: put it in quotes, '1'"),
    ],
)
def test_a_fault_is_said_with_its_place_and_the_right_word(text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        _load(text)
    assert str(caught.value).startswith("mqlint.yaml:")
    assert message in str(caught.value)


@pytest.fixture(scope="module")
def schema() -> Json:
    loaded: Json = json.loads(
        files("mqlint.config").joinpath("mqlint.schema.json").read_text("utf-8")
    )
    return loaded


def test_the_schema_is_one_and_takes_a_whole_file(schema: Json) -> None:
    jsonschema.Draft202012Validator.check_schema(schema)
    document = yaml.safe_load(WHOLE.replace("DR001: off", "DR001: 'off'"))
    jsonschema.Draft202012Validator(schema).validate(document)


@pytest.mark.parametrize(
    "document",
    [
        {"site": {}},
        {"sites": {"a": {"role": "prod"}}},
        {"fail_on": "never"},
        {"target": {"platform": "unix"}},
        {"profiles": ["not a name"]},
        {"profiles": {"bank": {"severity": {}}}},
        {"profiles": {"bank": {"extends": "audit", "severty": {}}}},
        {"overrides": [{"paths": ["a"], "profiles": ["1"]}]},
        {"migration": {"from": "9.2.0"}},
        {"parameters": {"CHN007": 100}},
        {"overrides": [{"paths": ["a"]}]},
        {"queue_managers": "{site}/*"},
        {"external": {"queue": []}},
    ],
)
def test_the_schema_refuses_what_the_loader_refuses(schema: Json, document: Json) -> None:
    assert not jsonschema.Draft202012Validator(schema).is_valid(document)
    with pytest.raises(ConfigError):
        _load(json.dumps(document))


def test_what_is_published_is_what_the_loader_goes_by(schema: Json) -> None:
    assert schema == SCHEMA


def test_the_schema_has_every_key_of_the_settings(schema: Json) -> None:
    top = schema["properties"]
    own = top["profiles"]["anyOf"][1]["additionalProperties"]["anyOf"][1]
    keys = {
        Site: top["sites"]["additionalProperties"],
        OwnProfile: own,
        Override: top["overrides"]["items"],
        Target: top["target"],
        Files: top["files"],
        Twins: top["twins"],
        Compare: top["compare"],
        Inventory: top["inventory"],
        External: top["external"],
        Templates: top["templates"],
        Settings: schema,
    }
    others = {"name", "own_profiles", "extends"}
    assert {section: {*names_of(section)} - others for section in keys} == {
        section: node["properties"].keys() - others for section, node in keys.items()
    }
    assert set(KEYS) == top.keys()
    assert {*top["clients"]["items"]["properties"]} == {"files", *words.CLIENT_KEYS}


def test_the_schema_describes_every_key(schema: Json) -> None:
    def bare(node: Json, path: str) -> list[str]:
        found = []
        for key, value in node.get("properties", {}).items():
            if "description" not in value:
                found.append(f"{path}.{key}")
            found += bare(value, f"{path}.{key}")
        return found

    site = schema["properties"]["sites"]["additionalProperties"]
    assert bare(schema, "") + bare(site, "site") == []


def test_a_name_that_doubles_at_every_pair_is_unknown() -> None:
    pairs = [(f"X{number:02}", f"X{number + 1:02}" * 2) for number in range(60)]
    assert Twins(tuple(pairs)).second("X00") is None
    assert Twins(tuple((new, old) for old, new in pairs)).first("X00") is None
    assert Twins((("PRD", "DRS"),)).second("PRD1") == "DRS1"
    assert Twins((("PRD", "DRS"),)).first("DRS1") == "PRD1"
