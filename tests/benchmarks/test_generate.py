"""The generated dumps are what the figures say they are."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from benchmarks.generate import generate_dump, generate_estate
from benchmarks.yardsticks import every_tenth_command, textbook_commands, words

STARTS = re.compile(r"^(ALTER QMGR|DEFINE \w+|SET \w+)", re.MULTILINE)


@cache
def dump() -> str:
    return generate_dump(2_000_000)


def commands(text: str) -> list[str]:
    starts = [match.start() for match in STARTS.finditer(text)]
    return [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]


@pytest.mark.parametrize("size", [200_000, 2_000_000, 5_000_000])
def test_the_size_is_what_was_asked_for(size: int) -> None:
    assert size <= len(generate_dump(size).encode()) < size + 20_000


def test_the_same_seed_gives_the_same_bytes_and_another_does_not() -> None:
    assert generate_dump(300_000, seed=7) == generate_dump(300_000, seed=7)
    assert generate_dump(300_000, seed=7) != generate_dump(300_000, seed=8)


def test_two_thirds_of_the_commands_are_authorities() -> None:
    found = commands(dump())
    share = sum(command.startswith("SET AUTHREC") for command in found) / len(found)
    assert 0.64 < share < 0.69


def test_a_queue_has_35_writable_attributes_in_the_mean() -> None:
    queues = [
        command
        for command in commands(dump())
        if re.match(r"DEFINE Q(LOCAL|ALIAS|REMOTE)\(", command)
    ]
    lines = [line for queue in queues for line in queue.splitlines()[1:] if line.startswith("   ")]
    assert 34 < (len(lines) - len(queues)) / len(queues) < 37


def test_read_only_attributes_stand_as_comments_inside_commands() -> None:
    local = next(
        command for command in commands(dump()) if command.startswith("DEFINE QLOCAL('APP")
    )
    for name in ("ALTDATE", "CRTIME", "CURDEPTH", "IPPROCS"):
        assert re.search(rf"^\*  {name}\(.*\) \+$", local, re.MULTILINE)


def test_channels_are_of_several_types() -> None:
    kinds = set(re.findall(r"^   CHLTYPE\((\w+)\)", dump(), re.MULTILINE))
    assert {"SDR", "RCVR", "SVRCONN", "CLNTCONN", "RQSTR"} <= kinds


def test_the_trailer_counts_what_is_there() -> None:
    found = commands(dump())
    total = re.search(r"^\* Number of objects/records: (\d+) $", dump(), re.MULTILINE)
    authorities = re.search(r"^\* AuthRec count: (\d+) $", dump(), re.MULTILINE)
    assert total is not None
    assert authorities is not None
    assert int(total[1]) == len(found)
    assert int(authorities[1]) == sum(command.startswith("SET AUTHREC") for command in found)


@pytest.mark.slow
def test_the_textbook_grammar_reads_it() -> None:
    part = every_tenth_command(dump())
    assert textbook_commands(part) == len(commands(part)) == -(-len(commands(dump())) // 10)


def test_the_pass_over_words_sees_every_word() -> None:
    assert words("ALTER QMGR +\n   FORCE\n") == 4


def tree(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_an_estate_is_the_same_for_the_same_seed(tmp_path: Path) -> None:
    one = tree(generate_estate(tmp_path / "one", 40, seed=3))
    assert one == tree(generate_estate(tmp_path / "two", 40, seed=3))
    assert one != tree(generate_estate(tmp_path / "three", 40, seed=4))


def test_an_estate_has_both_sites_and_collisions_between_them(tmp_path: Path) -> None:
    files = tree(generate_estate(tmp_path, 80))
    names, receivers, scripts = {}, {}, {}
    for site in ("prod", "dr"):
        mine = {name: text for name, text in files.items() if name.startswith(f"{site}/")}
        names[site] = {name.split("/")[1] for name in mine if name.endswith("dmpmqcfg.mqsc")}
        scripts[site] = {text for name, text in mine.items() if name.endswith("queues.mqsc")}
        clusters = b"".join(text for name, text in mine.items() if name.endswith("cluster.mqsc"))
        receivers[site] = set(re.findall(rb"CHANNEL\((\S+)\) CHLTYPE\(CLUSRCVR\)", clusters))
    assert len(names["prod"]) == len(names["dr"]) == 40
    assert names["prod"] & names["dr"]
    assert receivers["prod"] & receivers["dr"]
    assert scripts["prod"] & scripts["dr"]
