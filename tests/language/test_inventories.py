"""Variables of Ansible, Terraform and shells by site."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from mqlint.language.client.dotenv import parameters_of
from mqlint.language.variables.inventories import inventories_of as found_by
from mqlint.language.variables.inventory import Inventories, Inventory
from mqlint.language.variables.inventory import applied as applied_of

PROD, DR = "inventories/prod/group_vars/all.yml", "inventories/dr/group_vars/all.yml"


def inventories_of(
    texts: dict[str, str], site_of: Callable[[str], str], *naming: str
) -> tuple[Inventory, ...]:
    """The inventories of a project whose play names queue managers by the variables `naming`."""
    return listed(found_by(texts, site_of, {"play.yml": naming})[0])


def listed(inventories: dict[str, Inventories]) -> tuple[Inventory, ...]:
    """All inventories, of one folder after the other."""
    return tuple(each for found in inventories.values() for site in found.sites for each in site)


def applied(texts: dict[str, str], path: str, used: set[str], *naming: str) -> Sequence[Inventory]:
    """The inventories for which a file of a project is applied."""
    return applied_of(found_by(texts, site_of, {"play.yml": naming})[0], path, used)[0]


def site_of(path: str) -> str:
    """The site that a word of a path shows."""
    words = path.replace(".", "/").replace("_", "/").split("/")
    return next((site for site in ("prod", "dr") if site in words), "")


@pytest.mark.parametrize(
    ("extra", "expected"),
    [
        pytest.param({}, {"dr": "D", "prod": "P"}, id="one file of each site"),
        pytest.param(
            {"roles/mq/defaults/main.yml": "name: R\n"},
            {"dr": "D", "prod": "P"},
            id="defaults of a role",
        ),
        pytest.param(
            {"roles/mq/vars/main.yml": "name: R\n"}, {"dr": "R", "prod": "R"}, id="vars of a role"
        ),
        pytest.param(
            {"inventories/dr/group_vars/mq.yml": "name: G\n"},
            {"dr": None, "prod": "P"},
            id="a group that differs from all hosts",
        ),
        pytest.param(
            {"group_vars/dr.yml": "name: G\n"}, {"dr": "G", "prod": "P"}, id="the group of a site"
        ),
        pytest.param(
            {
                "inventories/dr/group_vars/mq.yml": "name: G\n",
                "inventories/dr/group_vars/web.yml": "name: H\n",
            },
            {"dr": None, "prod": "P"},
            id="groups that differ",
        ),
        pytest.param(
            {"inventories/dr/host_vars/a.yml": "name: H\n"}, {"dr": "H", "prod": "P"}, id="a host"
        ),
        pytest.param(
            {
                "inventories/dr/host_vars/a.yml": "name: H\n",
                "inventories/dr/host_vars/b.yml": "port: 1\n",
            },
            {"dr": None, "prod": "P"},
            id="one host of two",
        ),
    ],
)
def test_the_value_with_precedence_counts(
    extra: dict[str, str], expected: dict[str, str | None]
) -> None:
    found = inventories_of({PROD: "name: P\n", DR: "name: D\n", **extra}, site_of)
    sites = [one for one in found if not one.host]
    assert {site_of(one.root): one.values.get("name") for one in sites} == expected


HOSTS = {
    "inventories/prod/group_vars/all.yml": "cluster: C\nport: 1414\n",
    "inventories/prod/host_vars/a.example.yml": "qm: PA\n",
    "inventories/prod/host_vars/b/main.yml": "qm: PB\n",
    "inventories/prod/host_vars/b/mq.yaml": "port: 1415\naddress: '{{ inventory_hostname }}'\n",
    "inventories/prod/host_vars/web.yml": "pages: 3\n",
    "inventories/dr/host_vars/c.yml": "qm: DA\nport: 1414\n",
}


@pytest.mark.parametrize(
    ("used", "expected"),
    [
        ({"qm"}, {"a.example", "b", "c's site"}),
        ({"qm", "cluster"}, {"a.example", "b", "c's site"}),
        ({"port"}, {"a.example", "b", "c's site"}),
        ({"cluster"}, set()),
        ({"pages"}, set()),
        ({"none"}, set()),
    ],
)
def test_a_text_is_applied_for_each_host_that_has_its_variables(
    used: set[str], expected: set[str]
) -> None:
    found = applied(HOSTS, "roles/mq/templates/a.mqsc.j2", used)
    assert {one.host or "c's site" for one in found} == expected


def test_hosts_have_values_of_their_site_and_their_own() -> None:
    found = {one.host: one for one in inventories_of(HOSTS, site_of, "qm")}
    assert found["a.example"].values == {
        "inventory_hostname": "a.example",
        "cluster": "C",
        "port": "1414",
        "qm": "PA",
    }
    assert found["b"].values == {
        "inventory_hostname": "b",
        "address": "b",
        "cluster": "C",
        "port": "1415",
        "qm": "PB",
    }
    managers = {name: one.queue_manager for name, one in found.items() if name}
    assert managers == {"a.example": "PA", "b": "PB", "web": None}


@pytest.mark.parametrize(
    "other", ["inventories/lab/group_vars/all.yml", "molecule/default/group_vars/all.yml"]
)
def test_values_of_another_inventory_are_not_those_of_a_site(other: str) -> None:
    texts = {
        PROD: "name: P\n",
        DR: "name: D\n",
        "roles/mq/defaults/main.yml": "user: app\n",
        "group_vars/all.yml": "port: 1414\n",
        other: "user: tester\nport: 1\n",
    }
    found = inventories_of(texts, site_of)
    assert {(one.values["user"], one.values["port"]) for one in found} == {("app", "1414")}


def test_hosts_of_no_site_have_the_values_of_their_inventory() -> None:
    texts = {
        f"inventories/{lab}/{path}": f"{lab}: yes\nname: {path[-5]}\n"
        for lab in ("red", "blue")
        for path in ("group_vars/all.yml", "host_vars/1.yml", "host_vars/2.yml")
    }
    found = inventories_of(texts, site_of)
    names = {(one.project, one.host): one.values.keys() - {"inventory_hostname"} for one in found}
    assert names == {
        (f"inventories/{lab}", host): {lab, "name"} for lab in ("red", "blue") for host in "12"
    }


def test_hosts_without_a_queue_manager_do_not_count_beside_others() -> None:
    found = applied(HOSTS, "roles/mq/a.mqsc.j2", {"port"}, "qm")
    assert {one.host for one in found} == {"a.example", "b", ""}


@pytest.mark.parametrize(
    ("naming", "expected"), [((), None), (("qm",), "PA"), (("qm", "cluster"), None)]
)
def test_one_variable_names_the_queue_manager(
    naming: tuple[str, ...], expected: str | None
) -> None:
    found = inventories_of(HOSTS, site_of, *naming)
    assert next(one for one in found if one.host == "a.example").queue_manager == expected


def test_hosts_with_equal_values_are_instances_of_one_queue_manager() -> None:
    texts = {
        f"host_vars/{host}.yml": f"qm: {name}\n" for host, name in zip("abc", "XXY", strict=True)
    }
    found = applied(texts, "templates/a.mqsc.j2", {"qm"})
    assert [one.host for one in found] == ["a", "c"]


def test_hosts_of_no_site_count_too() -> None:
    texts = {"host_vars/a.yml": "qm: A\n", "host_vars/b.yml": "qm: B\n"}
    found = applied(texts, "templates/a.mqsc.j2", {"qm"})
    assert {one.host: one.values["qm"] for one in found} == {"a": "A", "b": "B"}


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("mq: {cluster: C}\nname: '{{ mq.cluster }}.Q'\n", "C.Q"),
        ("part: '{{ other }}'\nname: '{{ part }}.Q'\nother: X\n", "X.Q"),
        ("name: '{{ missing }}.Q'\n", None),
        ("name: '{{ name }}'\n", None),
        ("name: '{{ one | lower }}.Q'\none: X\n", None),
        ("name: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  6162\n", None),
        ("name: [X]\n", None),
        (f"name: {'X' * 500}\n", None),
    ],
)
def test_a_value_is_followed_or_unknown(written: str, expected: str | None) -> None:
    found = inventories_of({PROD: "name: P\n", DR: written}, site_of)
    assert next(one.values.get("name") for one in found if one.root == DR) == expected


@pytest.mark.parametrize(
    ("path", "project"),
    [
        ("group_vars/{}.yml", ""),
        ("host_vars/{}/mq.yml", ""),
        ("inventories/{}/group_vars/all.yml", ""),
        ("inventories/{}/group_vars/all/mq.yml", ""),
        ("ansible/environments/{}/group_vars/mq.yml", "ansible"),
        ("ansible/{}/group_vars/mq.yml", "ansible"),
        ("vars/{}.yml", ""),
    ],
)
def test_the_folder_that_variables_are_for(path: str, project: str) -> None:
    texts = {path.format("prod"): "name: P\n", path.format("dr"): "name: D\n"}
    found = inventories_of(texts, site_of)
    assert [one.project for one in found] == [project, project]
    own = {name for one in found for name in one.own} - {"inventory_hostname"}
    assert own == {"name"}
    inside = f"{project}/roles/mq/templates/m.mqsc.j2".removeprefix("/")
    assert len(applied(texts, inside, {"name"})) == 2
    assert bool(applied(texts, "other/m.mqsc", {"name"})) == (not project)


@pytest.mark.parametrize(
    "texts",
    [
        {PROD: "name: P\n", "inventories/prod/group_vars/mq.yml": "name: D\n"},
        {"prod/values.yml": "name: P\n", "dr/values.yml": "name: D\n"},
        {"prod/tasks/hosts.yml": "name: P\n", "dr/tasks/hosts.yml": "name: D\n"},
    ],
)
def test_no_value_is_known(texts: dict[str, str]) -> None:
    assert inventories_of(texts, site_of) == ()


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ({PROD: "name: P\n"}, ["P"]),
        ({"a/" + PROD: "name: P\n", "b/" + DR: "name: D\n"}, ["P", "D"]),
        ({PROD: "name: P\n", "molecule/x/group_vars/all.yml": "name: D\n"}, ["P"]),
        ({PROD: "name: yes\n"}, ["True"]),
        ({PROD: "name: 'yes'\n"}, ["yes"]),
        ({PROD: "name: ~\n"}, []),
    ],
)
def test_the_only_values_of_a_project(texts: dict[str, str], expected: list[str]) -> None:
    assert [each.values["name"] for each in inventories_of(texts, site_of)] == expected


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        pytest.param(
            {
                "mq/prod.tfvars": 'qm = "P"\n',
                "mq/dr.tfvars": 'qm = "D" # new\nn = 2\nl = ["a"]\n  x = "y"\n',
                "mq/all.auto.tfvars": 'qm = "A"\nhost = "h.example"\n',
            },
            {
                "prod": {"$qm": "P", "$host": "h.example"},
                "dr": {"$qm": "D", "$n": "2", "$x": "y", "$host": "h.example"},
            },
            id="Terraform",
        ),
        pytest.param(
            {
                "mq/prod.tfvars.json": '{"qm": "P", "l": [1]}',
                "mq/dr.tfvars.json": '{"qm": "${x}", "m": {"a": "b"}}',
            },
            {"prod": {"$qm": "P"}, "dr": {}},
            id="Terraform in JSON",
        ),
        pytest.param(
            {
                "env/prod.env": "QM=P\n",
                "env/dr.env": "export QM='D'\nHOST=$OTHER\n",
                ".env": "A=b\n",
            },
            {"prod": {"$QM": "P", "$A": "b"}, "dr": {"$QM": "D", "$A": "b"}},
            id="a shell",
        ),
        pytest.param({"prod.tfvars": 'qm = "P"\n', "dr.env": "QM=D\n"}, {}, id="two forms"),
    ],
)
def test_each_form_has_its_own_values(
    texts: dict[str, str], expected: dict[str, dict[str, str]]
) -> None:
    found = inventories_of(texts, site_of)
    assert {site_of(one.root): dict(one.values) for one in found} == expected


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("/*", "*/"),
        ("l = [1] /* old", "*/"),
        ("script = <<EOT", "EOT"),
        ("script = <<-EOT", "  EOT"),
        ("script = <<EOT", ""),
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_comments_and_heredocs_hold_no_parameters(before: str, after: str, line_end: str) -> None:
    lines = ["// no /*", 'qm = "P" # <<EOT', before, 'qm = "X"', "n = 1", after, 'host = "h"']
    found = [(name, value.value) for name, value in parameters_of("a.tfvars", line_end.join(lines))]
    assert found == [("qm", "P"), ("host", "h")][: 2 if after else 1]


INVENTORY = """\
solo.example qm=S   # a host of no group
[east]
e[01:02].example qm=E cluster="C 1"
e9:2222 qm='X'
[west]
w[a:c:2] qm=W list=[1] templated="{{ cluster }}.W"

[both:children]
east
west
[both:vars]
cluster = B
; port = 1
east_only = no
[east:vars]
east_only = yes
"""
TREE = """\
all:
  hosts:
    solo.example: {qm: S}
  children:
    both:
      vars: {cluster: B, east_only: 'no'}
      children:
        east:
          vars: {east_only: 'yes'}
          hosts:
            e[01:02].example: {qm: E, cluster: C 1}
            e9: {qm: X}
        west:
          hosts:
            w[a:c:2]: {qm: W, list: [], templated: '{{ cluster }}.W'}
"""


@pytest.mark.parametrize(
    ("path", "text"),
    [("hosts", INVENTORY), ("inventory/mq.ini", INVENTORY), ("hosts.yml", TREE)],
)
def test_an_inventory_has_hosts_in_groups(path: str, text: str) -> None:
    found = {each.host: dict(each.values) for each in inventories_of({path: text}, site_of)}
    east = {"qm": "E", "cluster": "C 1", "east_only": "yes"}
    west = {"qm": "W", "cluster": "B", "east_only": "no", "templated": "B.W"}
    assert found == {
        host: {"inventory_hostname": host, **values}
        for host, values in {
            "solo.example": {"qm": "S"},
            "e01.example": east,
            "e02.example": east,
            "e9": {"qm": "X", "cluster": "B", "east_only": "yes"},
            "wa": west,
            "wc": west,
        }.items()
    }


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, "inner"),
        ({"group_vars/all.yml": "x: all\n"}, "all"),
        ({"group_vars/outer.yml": "x: group\n"}, "group"),
        ({"group_vars/outer.yml": "x: o\n", "group_vars/inner.yml": "x: i\n"}, "i"),
        ({"group_vars/other.yml": "x: o\n"}, "inner"),
        ({"group_vars/none.yml": "x: o\n", "group_vars/all.yml": "x: a\n"}, None),
        ({"host_vars/a.yml": "x: host\n"}, "host"),
        ({"roles/mq/defaults/main.yml": "x: default\n"}, "inner"),
        ({"roles/mq/vars/main.yml": "x: role\n"}, "role"),
    ],
)
def test_files_and_deeper_groups_override_others(
    files: dict[str, str], expected: str | None
) -> None:
    hosts = (
        "[all:vars]\nx=a\n[inner]\na y=1\nb y=1\n[other]\nc\n"
        "[outer:children]\ninner\n[outer:vars]\nx=outer\n[inner:vars]\nx=inner\n"
    )
    found = inventories_of({"hosts.ini": hosts, **files}, site_of)
    assert next(each.values.get("x") for each in found if each.host == "a") == expected


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("hosts", "[prod]\na[1:2] q=1\n[dr]\nb[1:2] q=1\n", {"a": "prod", "b": "dr"}),
        ("hosts", "[prod]\na[1:2] q=1\n[dr]\na[1:2]\n", {"a": ""}),
        ("hosts", "prod_a[1:2] q=1\nb[1:2] q=1\n", {"prod_a": "prod", "b": ""}),
        (
            "inventories/prod/hosts",
            "[dr]\na[1:2] q=1\ndr_b[1:2] q=1\n",
            {"a": "prod", "dr_b": "prod"},
        ),
        ("hosts", "[x]\na[1:2] q=1\n[prod:children]\nx\n", {"a": "prod"}),
    ],
)
def test_the_site_of_hosts(path: str, text: str, expected: dict[str, str]) -> None:
    hosts = [each for each in inventories_of({path: text}, site_of) if each.host]
    assert {each.host[:-1]: each.site for each in hosts} == expected
    assert all(each.site == site_of(each.root) for each in hosts)
    assert len({each.root for each in hosts}) == len(hosts)


@pytest.mark.parametrize(
    "text", ["'\n", "[]\n", "[xy:z]\n", "a[b\n", "[1:x]\n", "[:vars]\na\n", "a[9:1] b=1\n"]
)
def test_a_broken_inventory_has_no_hosts(text: str) -> None:
    assert inventories_of({"hosts.ini": f"[mq]\n{text}"}, site_of) == ()


BEYOND = "hosts in hosts are not followed after 3,000, or 100 groups of one"


def test_hosts_beyond_the_limit_are_reported() -> None:
    found, undecided = found_by({"hosts": "a[100:199][100:199] q=1\n"}, site_of, {})
    assert len(listed(found)) == 3_000
    assert undecided == (BEYOND,)


def test_groups_beyond_the_limit_are_reported() -> None:
    chain = "".join(f"[g{number}:children]\ng{number + 1}\n" for number in range(2_000))
    _, undecided = found_by({"hosts": f"[g2000]\nh1 q=1\n{chain}"}, site_of, {})
    assert undecided == (BEYOND,)


LISTS = {
    "roles/mq/defaults/main.yml": (
        "qms: [{name: A, port: 1}, {name: B}, {port: 2}]\nmap: {x: 1, y: 2}\n"
    ),
    PROD: "site: P\n",
    DR: "qms: [{name: C}]\nsite: D\nmap: {x: 3}\n",
}


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ("qms.*.name", {("prod", "A", "1"), ("prod", "B", None), ("dr", "C", None)}),
        ("qms.*.port", {("prod", "1", "1"), ("prod", "2", "2")}),
        ("other.*.name", set()),
    ],
)
def test_a_loop_gives_each_element_of_a_list(
    named: str, expected: set[tuple[str, str, str | None]]
) -> None:
    path = "roles/mq/tasks/main.yml"
    found, _ = found_by(LISTS, site_of, {path: [named]})
    elements = [each for each in applied_of(found, path, {named})[0] if each.looped]
    assert {
        (each.site, each.queue_manager, each.values.get("item.port")) for each in elements
    } == expected
    assert not any(each.looped for each in applied_of(found, path, {"site"})[0])


def test_a_mapping_replaces_all_of_another_one() -> None:
    found = {each.site: each.values for each in inventories_of(LISTS, site_of)}
    assert found["prod"]["map.y"] == "2"
    assert found["dr"]["map.x"] == "3"
    assert "map.y" not in found["dr"]
