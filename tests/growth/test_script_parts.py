"""Parts of scripts that are searched for apart take time in line with the text."""

from __future__ import annotations

import pytest

from mqlint.language.execution import Execution
from mqlint.language.script.command import service_words
from mqlint.language.script.faults.expansion import expansion_faults
from mqlint.language.script.faults.permissions import permission_faults
from mqlint.language.script.faults.results import result_faults
from mqlint.language.script.hosts.terraform import Terraform
from mqlint.language.script.posix.scanner import PosixScanner
from mqlint.language.script.reader import parse_embedded_command
from mqlint.language.script.unread.mentions import ACTING, encoded_commands
from mqlint.language.script.unread.unfollowed import unread_runs
from mqlint.language.text.mapped import mapped_slice
from mqlint.language.variables.arguments import Arguments
from mqlint.source.budget import Budget
from mqlint.source.secrets.signs import secret_spans
from tests.linear import Work, is_linear_in_time
from tests.shipped import shipped_vocabulary

pytestmark = pytest.mark.growth


def _cloud(size: int) -> int:
    text = "aws" + " --region=a" * size + " ec2 create-volume"
    (command,) = PosixScanner(text, Budget(len(text))).scan()
    return len(service_words(command.words))


def _encoded(size: int) -> list[int]:
    return [*encoded_commands(f"{'a' * 24}\n" * size + "aaaa_")]


def _folders(size: int) -> list[object]:
    made = "runmqakm -keydb -create -db a/key.kdb -stash\n"
    return [*permission_faults(made * size + "chmod -R 755 /app/keys\n" * size)]


def _runs(size: int) -> list[int]:
    return [*unread_runs("x: [" + "crtmqm QMA; " * size, [], ACTING)]


def _functions(size: int) -> object:
    text = "strmqm QMA\n" + "".join(f"f{number}() {{ $RUN; }}\n" for number in range(size))
    commands = shipped_vocabulary().control
    return parse_embedded_command(mapped_slice(text), Execution(), commands, Budget(len(text)))


def _entered(size: int) -> object:
    text = "cd a\nrunmqsc QMA < a.mqsc\n" * size
    commands = shipped_vocabulary().control
    return parse_embedded_command(mapped_slice(text), Execution(), commands, Budget(len(text)))


def _quotes(size: int) -> list[object]:
    return [*expansion_faults("QM=QMA\nrunmqsc QMA; echo " + "'a$QM' " * size)]


def _interpolations(size: int) -> list[object]:
    command = "strmqm QMA " + "${" * 5 * size + "}"
    text = f'provisioner "local-exec" {{\ncommand = "{command}"\n}}\n'
    return [*Terraform(text, Budget(len(text))).blocks()]


def _defaults(size: int) -> list[object]:
    return [*secret_spans("NoEcho: true\n  Default: x" + " " * size + '"x"\n')]


def _called(size: int) -> object:
    return Arguments({"b.sh": [("QM", 1)]}).given_in("./b.sh QMA; " * 20 * size)


def _results(size: int) -> list[object]:
    tests = "[ $rc -gt 10 ] && echo x\n  exit $rc\n"
    return [*result_faults("runmqsc QMA < a\nrc=$?\n" + tests * size, (), ())]


_PARTS = (
    *(_cloud, _encoded, _folders, _runs, _functions, _entered, _quotes, _interpolations),
    *(_defaults, _called, _results),
)


@pytest.mark.parametrize("work", _PARTS)
def test_a_part_of_a_script_takes_linear_time(work: Work) -> None:
    assert is_linear_in_time(work, 1_000)
