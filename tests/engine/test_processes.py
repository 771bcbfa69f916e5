"""How many processes a run uses by default."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from mqlint.engine import Analyser, Input
from mqlint.engine.judgement.shares import processes_for, processors
from mqlint.engine.loading.memory_limit import free_memory
from mqlint.engine.loading.reading_cache import ReadingCache
from mqlint.engine.run import jobs_for
from tests.shipped import shipped_vocabulary

ALL = processors(Path("/nowhere"))


@pytest.mark.parametrize(
    ("files", "there"),
    [
        ({}, ALL),
        ({"cpu.max": "max 100000\n"}, ALL),
        ({"cpu.max": "50000 100000\n"}, 1),
        ({"cpu.max": "100000 100000\n"}, 1),
        ({"cpu.max": "150000 100000\n"}, min(2, ALL)),
        ({"cpu.max": "nonsense"}, ALL),
        ({"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, ALL),
        ({"cpu/cpu.cfs_quota_us": "90000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 1),
    ],
)
def test_a_control_group_limits_the_processors(
    files: dict[str, str], there: int, tmp_path: Path
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert processors(tmp_path) == there


LIMIT = 512 << 20
USED = LIMIT - 4096


@pytest.mark.skipif(sys.platform != "linux", reason="memory is in /proc")
@pytest.mark.parametrize(
    ("names", "details", "there"),
    [
        (("memory.max", "memory.current"), "anon 8\n", 4096),
        (("memory.max", "memory.current"), "active_file 300\nanon 8\ninactive_file 4000\n", 8396),
        (("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"), "", 4096),
        (
            ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"),
            "inactive_file 300\nactive_file 4000\n",
            8396,
        ),
    ],
)
def test_files_in_memory_leave_it_free_in_a_control_group(
    names: tuple[str, str], details: str, there: int, tmp_path: Path
) -> None:
    texts = zip(
        (*names, f"{names[0].rpartition('.')[0]}.stat"), (LIMIT, USED, details), strict=True
    )
    for name, text in texts:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"{text}\n")
    assert free_memory(tmp_path) == there


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no affinity")
def test_affinity_limits_the_processors() -> None:
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        assert processors(Path("/nowhere")) == 1
        assert processes_for([1 << 30] * 9) == 1
    finally:
        os.sched_setaffinity(0, before)


@pytest.mark.parametrize("sizes", [[], [1 << 30], [1 << 20, 10], [1 << 30, 10], [300] * 200])
def test_little_work_starts_no_process(sizes: list[int]) -> None:
    assert processes_for(sizes) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no copies of processes")
def test_much_work_uses_the_processors_there_are() -> None:
    assert 1 <= processes_for([600] * 20_000) <= processors()


def test_readings_that_a_server_keeps_are_made_in_its_process() -> None:
    inputs = [Input(f"{number}.mqsc", data=b" " * 100_000) for number in range(100)]
    assert jobs_for(inputs, Analyser(shipped_vocabulary(), ReadingCache())) == 1
