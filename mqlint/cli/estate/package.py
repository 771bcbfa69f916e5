"""`mqlint estate package`: what spark-submit sends to a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from shlex import quote

import click

from mqlint.cli.common.group import Refusal
from mqlint.cli.common.output import echo, make_folder, require_inside, unwritable
from mqlint.cli.common.project import shown_path
from mqlint.report.terminal import visible

_MIB = 1 << 20


@click.command("package", short_help="Pack mqlint for spark-submit and a cluster.")
@click.option(
    "--out",
    metavar="DIR",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder to write to.",
)
@click.option(
    "--packages",
    is_flag=True,
    help="Pack pandas, pyarrow and hdfs-native too, for executors without them.",
)
def command(out: Path, packages: bool) -> None:
    """Write into DIR what spark-submit needs to run mqlint, and say how it is started.

    \b
    mqlint.zip        mqlint, its rules and grammars, and the pure Python it needs
    mqlint-submit.py  what spark-submit starts; its arguments are those of mqlint
    packages.zip      with --packages: pandas, pyarrow, hdfs-native and what they need

    Needs no Java. docs/cluster.md has the commands for standalone, YARN and Kubernetes.
    """  # noqa: D301 a mark for click: keep these lines
    from mqlint.estate.spark.package import CODE, COMPILED, ENTRY, package

    make_folder(out)
    for name in (CODE, ENTRY, COMPILED):
        require_inside(out / name)
    try:
        written = package(out, compiled=packages)
    except PackageNotFoundError as error:
        raise Refusal(
            f"the Python package {error.name} is not installed: pip install 'mqlint[spark]'"
        ) from None
    except OSError as error:
        raise unwritable(f"to {out}", error) from None
    echo("\n".join(_lines(written)) + "\n")


def _lines(written: list[Path]) -> Iterator[str]:
    for file in written:
        yield f"{visible(shown_path(file))} ({file.stat().st_size / _MIB:.1f} MiB)"
    code, start, *packages = (quote(visible(shown_path(file))) for file in written)
    archive = "".join(
        f" \\\n    --archives {archived}#packages --conf spark.executorEnv.PYTHONPATH=packages"
        for archived in packages
    )
    yield f"start it: spark-submit --master URL --py-files {code}{archive} \\"
    yield f"    {start} estate scan ESTATE --out DIR"
