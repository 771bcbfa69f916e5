"""What configurations of Terraform give to the templates that they render."""

from __future__ import annotations

import pytest

from mqlint.language.text.hcl import Text, read_hcl
from mqlint.language.variables.terraform import of_terraform

TEMPLATE = "m/q.mqsc.tftpl"


def test_blocks_attributes_and_values_are_read() -> None:
    text = (
        'resource "a" "b" { # note }\n  x = lower(var.y) /* { */\n  n = 3\n  l = ["p", "q"]\n'
        '  m = { k : "v", "w" = each.key }\n  t = <<-EOT\n    y = "no"\n  EOT\n'
        "  c = var.a ? 1 : 2\n  in {\n    z = true\n  }\n}\n"
    )
    file = read_hcl(text)
    block = file.blocks[0]
    assert block.words == ["resource", "a", "b"]
    read = {
        name: (type(value).__name__, text[slice(*value.span)])
        for name, value in block.attributes.items()
    }
    assert read == {
        "x": ("Call", "lower(var.y)"),
        "n": ("Text", "3"),
        "l": ("Items", '["p", "q"]'),
        "m": ("Object", '{ k : "v", "w" = each.key }'),
        "t": ("Unknown", '<<-EOT\n    y = "no"\n  EOT'),
        "c": ("Unknown", "var.a ? 1 : 2"),
    }
    assert [inner.attributes for inner in block.blocks] == [{"z": Text("true", (181, 185))}]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"main.tf": 'module "m" {\n source = "./m"\n a = "x"\n}\n'}, ["x"]),
        ({"main.tf": 'module "m" {\n source = "./m"\n a = var.b\n}\n'}, [None]),
        ({"main.tf": 'module "m" {\n source = "./m"\n}\n'}, ["d"]),
        ({"main.tf": 'module "m" {\n source = "other/m"\n a = "x"\n}\n'}, [None]),
        ({"m/prod.tfvars": 'a = "x"\n', "m/dr.tfvars": "b = 1\n"}, ["d", "x"]),
        ({"m/terraform.tfvars": 'a = "x"\n'}, ["x"]),
        (
            {
                "main.tf": 'variable "s" {}\nmodule "m" {\n for_each = var.s\n'
                ' source = "./m"\n a = each.value.q\n}\n',
                "t.tfvars": 's = {\n p = { q = "x" }\n d = { q = "y" }\n}\n',
            },
            ["x", "y"],
        ),
        ({}, [None]),
        (
            {
                "main.tf": 'locals {\n l = toset(["x", "y"])\n}\n'
                'module "m" {\n for_each = local.l\n source = "./m"\n'
                ' a = "${each.key}-${each.value}"\n}\n'
            },
            ["x-x", "y-y"],
        ),
        (
            {
                "main.tf": 'variable "b" {}\nmodule "m" {\n source = "./m"\n a = upper(var.b)\n}\n',
                "t.tfvars": 'b = "q"\n',
            },
            ["Q"],
        ),
        (
            {
                "main.tf": 'locals {\n a = local.b\n b = local.a\n}\n'
                'module "m" {\n source = "./m"\n a = local.a\n}\n'
            },
            [None],
        ),
        ({"main.tf": 'module "m" {\n for_each = var.x\n source = "./m"\n a = "x"\n}\n'}, []),
        ({"x/terragrunt.hcl": 'terraform {\n source = "../m"\n}\ninputs = { a = "x" }\n'}, ["x"]),
    ],
)  # fmt: skip
def test_what_a_template_gets(files: dict[str, str], expected: list[str | None]) -> None:
    own = {
        "m/main.tf": 'variable "a" {\n  default = "d"\n}\n'
        'resource "r" "s" {\n  c = templatefile("${path.module}/q.mqsc.tftpl", { a = var.a })\n}\n'
    }
    found, undecided = of_terraform({**own, **files}, lambda path: "", {})
    assert not undecided
    assert {path for path, _ in found} <= {TEMPLATE}
    assert [each.values.get("$a") for _, each in found] == expected


@pytest.mark.parametrize(
    "text",
    [
        "".join(f'module "m{number}" {{\n source = "./"\n}}\n' for number in range(30)),
        "locals {\n"
        + "".join(f" l{at} = [{f'local.l{at + 1}, ' * 300}]\n" for at in range(3))
        + '}\nresource "r" "s" {\n for_each = local.l0\n}\n',
        'locals {\n l = ["' + '", "'.join(map(str, range(300))) + '"]\n}\n'
        + 'resource "r" "s" {\n for_each = local.l\n}\n' * 300,
    ],
)  # fmt: skip
def test_what_is_beyond_the_budget_is_reported(text: str) -> None:
    own = 'resource "r" "s" {\n  c = templatefile(var.x, {})\n}\n'
    call = 'module "m" {\n source = "./m"\n}\n'
    found, undecided = of_terraform({"main.tf": call, "m/main.tf": own + text}, lambda path: "", {})
    assert not found
    assert undecided == ["Terraform renders too many templates: not all values are followed"]


def test_a_file_that_is_too_large_is_reported() -> None:
    text = f'{200_000 * "#"}\nresource "r" "s" {{\n  c = templatefile("q.tftpl", {{}})\n}}\n'
    found, undecided = of_terraform({"main.tf": text}, lambda path: "", {})
    assert not found
    assert undecided == ["main.tf is too large: its values are not followed"]
