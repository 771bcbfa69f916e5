"""Which site, queue manager, target and order a path has."""

import pytest

from mqlint.config.estate.placement import MAPPED, Placement
from mqlint.config.estate.roles import role_of, roles_of_pairs
from mqlint.config.loader import load_settings
from mqlint.config.settings import Settings
from mqlint.engine.document.analyse import clients_of
from tests.linear import is_linear_in_steps


def _placement(text: str) -> Placement:
    return Placement(load_settings(text, "mqlint.yaml"))


CONFIGURED = """\
sites:
  leeds: {role: production, paths: ["prod/**"]}
  derby: {role: dr, paths: ["dr/**", "prod/failover/**"]}
  lab: {role: test}
queue_managers: ["{site}/{queue_manager}/*", "zos/**/{queue_manager}.*"]
order: ["**/base.mqsc", "**/*.mqsc"]
target: {level: 9.3, platform: linux}
profiles: [production]
overrides:
  - {paths: ["zos/**"], target: {platform: zos}}
  - {paths: ["zos/new/**"], target: {level: 9.4.0}, profiles: [audit]}
"""


@pytest.mark.parametrize(
    ("path", "site", "guessed"),
    [
        ("prod/QM1/a.mqsc", "leeds", False),
        ("dr/QM1/a.mqsc", "derby", False),
        ("prod/failover/QM1.mqsc", "derby", False),  # the more specific pattern
        ("lab/QM1/a.mqsc", "lab", False),  # {site}
        ("old/lab/QM1/x/a.mqsc", "lab", True),  # a folder of a site's name
        ("old/uat/QM1/x/a.mqsc", "lab", True),  # the only test site
        ("old/prod/QM1/x/a.mqsc", None, None),  # leeds has said which paths are its own
        ("common/a.mqsc", None, None),
    ],
)
def test_configured_sites(path: str, site: str | None, guessed: bool | None) -> None:
    match = _placement(CONFIGURED).site_of(path)
    assert (match.site.name, match.guessed) == (site, guessed) if match else site is None


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("prod/QM1.mqsc", "production"),
        ("env/PRD-uk/QM1.mqsc", "production"),
        ("live/x/QM1.mqsc", "production"),
        ("dr/QM1.mqsc", "dr"),
        ("disaster-recovery/QM1.mqsc", "dr"),
        ("Disaster Recovery/QM1.mqsc", "dr"),
        ("prod_dr/QM1.mqsc", "dr"),
        (".env.prod", "production"),
        ("mq/hosts.dr", "dr"),
        ("mq/QM1.mqsc", None),
        (".env.local", None),
        ("standby2/QM1.mqsc", "dr"),
        ("prod/test/QM1.mqsc", "test"),  # the innermost
        ("uat1/QM1.mqsc", "test"),
        ("integration-tests/QM1.mqsc", "test"),
        ("development/QM1.mqsc", "development"),
        ("mq/qm1-prod.mqsc", "production"),
        ("mq/QM1.prod.mqsc", "production"),
        ("mq/QM1.prod.dr.mqsc", "dr"),
        ("mq/QM1.prod.test.mqsc", None),
        ("drain/QM1.mqsc", None),
        ("latest/products/QM1.mqsc", None),
        ("test-dev/QM1.mqsc", None),
        ("QM1.mqsc", None),
    ],
)
def test_sites_guessed_without_configuration(path: str, role: str | None) -> None:
    match = Placement(Settings()).site_of(path)
    if role is None:
        assert match is None
    else:
        assert match is not None
        assert (match.site.name, match.site.role, match.guessed) == (role, role, True)


@pytest.mark.parametrize(
    ("paths", "roles"),
    [
        ("mq/QMPROD1/a.mqsc mq/QMDR1/a.mqsc", "QMPROD1 production, QMDR1 dr"),
        ("mq/payprda.mqsc mq/PayDrA.mqsc", "payprda production, PayDrA dr"),
        ("QMPRD1.mqsc QMTST1.mqsc QMDEV1.mqsc", "QMPRD1 production, QMTST1 test, QMDEV1 dev"),
        # As others begin, up to the word.
        ("QMPROD1.ini QMPROD2.ini QMDR1.ini", "QMPROD1 production, QMPROD2 production, QMDR1 dr"),
        ("QMPROD1.ini QMDR1.ini QMDRIVER.ini", "QMPROD1 production, QMDR1 dr"),
        # Names that begin with the word say nothing of others.
        ("PRODLIB/a.mqsc DRLIB/a.mqsc DRUM/a.mqsc", "PRODLIB production, DRLIB dr"),
        ("PRDORD1/a.mqsc DRSORD1/a.mqsc", "DRSORD1 dr, PRDORD1 production"),
        ("PRODSRC/a.mqsc DRSRC/a.mqsc", "PRODSRC production, DRSRC dr"),
        ("TESTLIB/a.mqsc DRLIB/a.mqsc", ""),
        ("PRDA/a.mqsc DRSA/a.mqsc", ""),
        # One name has no word for a role.
        ("mq/QM1/a.mqsc mq/QM1DR/a.mqsc", "QM1 production, QM1DR dr"),
        ("mq/QM1/a.mqsc mq/QM1.DR/a.mqsc", "QM1 production, QM1.DR dr"),
        ("PAY.mqsc DRPAY.mqsc", "PAY production, DRPAY dr"),
        ("prod/PAY.mqsc dr/PAYDR.mqsc", "prod production, dr dr"),
        ("QM1.mqsc QM1TEST.mqsc", "QM1TEST test"),
        # In every folder of the one, the other is beside it.
        ("a/bin/a.mqsc a/bin-dr/a.mqsc", "bin production, bin-dr dr"),
        ("a/bin/a.mqsc a/bin-dr/a.mqsc b/bin/a.mqsc", "bin-dr dr"),
        # A name of production elsewhere says nothing of two files beside each other.
        ("prod/a.mqsc b/run.sh b/run-dr.sh", "prod production, run production, run-dr dr"),
        (
            "prod/a.mqsc b/run.sh b/run-dr.sh b/run-prod.sh",
            "prod production, run-dr dr, run-prod production",
        ),
        ("prod/a.mqsc b/run.sh c/run-dr.sh", "prod production, run-dr dr"),
        ("prod/a.mqsc b/PAY.mqsc b/PAYDR.mqsc", "prod production"),
        # In small letters, the word stands alone.
        ("qm1.mqsc qm1dr.mqsc", "qm1 production, qm1dr dr"),
        ("one.mqsc drone.mqsc ad1.mqsc addr1.mqsc base.mqsc basedr.mqsc", ""),
        # No pair.
        ("QMPROD1.mqsc QMDR2.mqsc", ""),
        ("QMPROD1.mqsc QMPROD2.mqsc", ""),
        ("ci/a.mqsc cidr.mqsc", ""),
        ("address.mqsc product.mqsc", ""),
        ("QMPRODDR1.mqsc QMDRDR1.mqsc QMPROD1.mqsc", ""),
    ],
)
def test_sites_guessed_from_two_names(paths: str, roles: str) -> None:
    found = roles_of_pairs(paths.split())
    placement = Placement(Settings(), roles=found)
    words = {name for path in paths.split() for name in path.rpartition(".")[0].split("/")}
    sites = {name: placement.site_of(f"{name}/a.mqsc") for name in words}
    told = {name: match.site.role for name, match in sites.items() if match is not None}
    expected = dict(
        each.split() for each in roles.replace(" dev", " development").split(", ") if each
    )
    assert told == expected


def test_names_of_queue_managers_need_no_folder_and_no_capitals() -> None:
    assert roles_of_pairs(["pay.mqsc"], ["pay", "paydr"]) == {"pay": "production", "paydr": "dr"}
    assert roles_of_pairs(["a/QM1.mqsc"], ["QM1", "QM1_DR"]) == {
        "qm1": "production",
        "qm1_dr": "dr",
    }
    assert roles_of_pairs(["pay.mqsc"], ["paydr"]) == {}


def test_names_that_are_too_long_are_not_compared() -> None:
    assert roles_of_pairs([], ["QM" * 200 + "PROD1", "QM" * 200 + "DR1"]) == {}


def test_a_guessed_dr_site_stands_in_for_production() -> None:
    match = Placement(Settings()).site_of("dr/a")
    assert match is not None
    assert match.site.stands_in_for == "production"


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("prod/QM1/a.mqsc", "QM1"),
        ("prod/QM1/x/a.mqsc", None),
        ("zos/a/b/CSQ1.jcl", "CSQ1"),
        ("prod/not a name/a.mqsc", None),
        (f"prod/{'Q' * 49}/a.mqsc", None),
        ("README.md", None),
    ],
)
def test_queue_managers(path: str, name: str | None) -> None:
    assert _placement(CONFIGURED).queue_manager_of(path) == name


@pytest.mark.parametrize(
    ("path", "level", "platform", "profiles"),
    [
        ("prod/QM1/a.mqsc", (9, 3), "linux", ("production",)),
        ("zos/a.mqsc", (9, 3), "zos", ("production",)),
        ("zos/new/a.mqsc", (9, 4, 0), "zos", ("audit",)),
    ],
)
def test_overrides(
    path: str, level: tuple[int, ...], platform: str, profiles: tuple[str, ...]
) -> None:
    placement = _placement(CONFIGURED)
    target = placement.target_of(path)
    assert target.level is not None
    assert (target.level.parts, target.platform) == (level, platform)
    assert placement.profiles_of(path) == profiles


def test_order() -> None:
    placement = _placement(CONFIGURED)
    paths = ("p/z.mqsc", "p/base.mqsc", "p/x.sh")
    assert [placement.order_of(path) for path in paths] == [1, 0, None]


def test_answers_are_remembered() -> None:
    placement = _placement(CONFIGURED)
    assert placement.site_of("prod/QM1/a") is placement.site_of("prod/QM1/a")


def test_role_words() -> None:
    assert role_of("qa") == "test"
    assert role_of("quality") is None
    assert role_of("non-prod") is role_of("mq-pre-production") is role_of("preprod") is None
    assert role_of("mq-dr-test") == role_of("drtest_2") == role_of("dr-site") == "dr"
    assert role_of("drill") == role_of("2026-dr-drill") == role_of("prod-drills") == "dr"
    assert role_of("disaster-recovery-test") == role_of("disaster-recovery") == "dr"
    assert role_of("backup-site") == role_of("drc") == role_of("recovery_site") == "dr"
    assert role_of("backup") is role_of("recovery") is role_of("secondary") is None
    assert role_of("test-dr") is role_of("dr-uat") is role_of("drain-test-dr") is None


@pytest.mark.growth
def test_files_of_many_clients_take_steps_in_line_with_their_number() -> None:
    def work(count: int) -> None:
        rows = (f"{{files: 'app{number}/a.json', host: $.h}}" for number in range(count))
        placement = _placement(f"clients: [{', '.join(rows)}]")
        for number in range(count):
            path = f"app{number}/a.json"
            assert placement.language_of(path) == MAPPED
            assert len(clients_of(path, placement.settings.forms)) == 1

    assert is_linear_in_steps(work, 40)
