"""`mqlint estate`: the group, and what its commands share."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mqlint.cli.common.group import LazyGroup, Refusal, refusing
from mqlint.cli.common.options import option
from mqlint.cli.common.project import shown_path
from mqlint.cli.estate.java import find_java
from mqlint.cli.estate.tables_folder import TablesFolder, tables_folder
from mqlint.dataclass import frozen
from mqlint.report.terminal import visible

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    _ParamType = click.ParamType[TablesFolder]
else:
    _ParamType = click.ParamType  # no generic class before click 8.3


_FOR_TABLES = ("pyarrow",)
FOR_ESTATE = (*_FOR_TABLES, "duckdb", "pytz")
_FOR_SPARK = ("pandas", *_FOR_TABLES, "pyspark")
_FEWER = "use fewer cores, as in --master 'local[1]', or more --partitions"
_KNOWN_ENDS = {
    "No space left on device": "the disk is full",
    "OutOfMemoryError": f"Java ran out of memory: {_FEWER}",
    "MemoryError": f"a Python process ran out of memory: {_FEWER}",
    "Python worker exited unexpectedly": f"a Python process died, possibly out of memory: {_FEWER}",
    "ModuleNotFoundError": "executors lack a Python package: set PYSPARK_PYTHON to a Python with"
    " mqlint before Spark starts, or see docs/cluster.md",
    "PYTHON_VERSION_MISMATCH": "executors run a different Python release from this machine",
    "ExecutorLostFailure": "too many executors were lost",
    "Permission denied": "no permission to write there",
}
"""What the words of Spark's errors mean, the first that fits."""

_LOST = "stage with indeterminate output was failed"
"""Spark's word for lost work of which a part had been used: it does not do that again by itself."""

_KNOWN_STARTS = {
    "insufficient memory for the Java Runtime": "Java does not have enough memory",
    "Could not reserve enough space": "Java does not have enough memory",
    "No space left on device": "the disk is full",
    "All masters are unresponsive": "no master answers at this address",
    "Could not find or load main class": "Java does not find Spark: check SPARK_HOME",
    "Could not parse Master URL": "it is not the URL of a master",
    "number of cores per executor (=0)": "it needs one core or more",
    "either HADOOP_CONF_DIR or YARN_CONF_DIR": "HADOOP_CONF_DIR is not set",
    "KubernetesClientException": "Kubernetes does not answer, or refuses",
}
"""What the words of Java mean where Spark does not start."""

_TAIL = 1 << 16


@click.group(
    "estate",
    cls=LazyGroup,
    short_help="Scan a whole estate and query the findings.",
    commands_in={
        "diff": ("estate.diff", "Count or list new, fixed and remaining findings of two scans."),
        "evidence": (
            "estate.statement:evidence",
            "Write a statement of a scan that can be signed.",
        ),
        "package": ("estate.package", "Pack mqlint for spark-submit and a cluster."),
        "query": ("estate.query", "Query the tables of a scan in SQL."),
        "report": ("estate.report", "Write an HTML page about a scan."),
        "scan": ("estate.scan", "Check an estate and write tables."),
        "tables": ("estate.tables", "List tables, their columns and the stored scans."),
        "verify": ("estate.statement:verify", "Compare a statement of a scan with its files."),
    },
)
def command() -> None:
    """Scan folders of any size, and query the tables of a scan.

    Needs `pip install 'mqlint[estate]'`; on Spark `'mqlint[spark]'` and Java 17 or newer.
    """


def submitted() -> bool:
    """Whether spark-submit started this process, and with it the Java that it is to use."""
    return "PYSPARK_GATEWAY_PORT" in os.environ


def _master(context: click.Context, parameter: click.Parameter, given: str | None) -> str | None:
    if not submitted():
        return given or "local[*]"
    if given:
        raise click.BadParameter("spark-submit started mqlint: give it to spark-submit")
    return None


class Mounted(click.Path):
    """A path, not a URI: `hdfs:/x` would be a folder here, not a part of HDFS."""

    def convert(
        self,
        value: str | os.PathLike[str],
        parameter: click.Parameter | None,
        context: click.Context | None,
    ) -> str | bytes | os.PathLike[str]:
        """Convert as click does; an error does not quote a value that may hold a password."""
        from mqlint.config.estate.address import is_uri

        if is_uri(os.fspath(value)):
            hint = "name it in a file, as in `dumps: [URI]`" if self.exists else "give a path"
            self.fail(f"a URI is not read or written here: {hint}", parameter, context)
        return super().convert(value, parameter, context)


class TablesType(_ParamType):
    """A folder of tables, by a path or the URI of an object store."""

    name = "directory"

    def __init__(self, *, exists: bool = False) -> None:
        """A path may have to exist; what is in an object store is found out later."""
        self.exists = exists

    def convert(
        self,
        value: str | os.PathLike[str] | TablesFolder,
        parameter: click.Parameter | None,
        context: click.Context | None,
    ) -> TablesFolder:
        """Convert as click does; an error does not quote a value that may hold a password."""
        if isinstance(value, TablesFolder):
            return value
        try:
            folder = tables_folder(os.fspath(value))
        except ValueError as error:
            self.fail(str(error), parameter, context)
        if folder.address is None:
            paths = Mounted(exists=self.exists, file_okay=False, path_type=Path)
            paths.convert(folder.path, parameter, context)
        return folder


def reading(tables: TablesFolder) -> AbstractContextManager[None]:
    """Refuse a folder without a scan whose tables can be used."""
    from mqlint.estate.history.store import NoScanError

    return refusing(NoScanError, f"cannot use the tables of {tables}")


def out_field() -> Any:  # noqa: ANN401 as of `option`
    return option(
        "--out DIR",
        "The folder of the tables, or its URI in an object store, as in s3://bucket/mq.",
        required=True,
        type=TablesType(),
    )


def master_field() -> Any:  # noqa: ANN401 as of `option`
    return option(
        "--master URL",
        "The Spark master, such as spark://host:7077. Under spark-submit: its own.",
        callback=_master,
        show_default="local[*]",
    )


def is_master_given(master: str | None) -> bool:
    """Whether the command line names the Spark master of a command."""
    source = click.get_current_context().get_parameter_source("master")
    return source is click.core.ParameterSource.COMMANDLINE and master is not None


@frozen
class TableOptions:
    """The options that say which tables are read, and on which Spark."""

    out: TablesFolder = out_field()
    master: str | None = master_field()


def require_spark(checked: Path | None = None) -> Path | None:
    """Return the home of Java; Refusal when Java or a Python package is missing.

    Under spark-submit it is None: Java is there, and runs.
    """
    require_packages(_FOR_SPARK)
    return None if submitted() else find_java(checked)


def require_packages(names: Sequence[str] = _FOR_TABLES) -> None:
    """Refusal when a Python package is missing; by default those that tables need."""
    for name in names:
        try:
            import_module(name)
        except ImportError:
            extra = "estate" if name in FOR_ESTATE else "spark"
            raise Refusal(
                f"the Python package {name} is missing or too old:"
                f" pip install 'mqlint[{extra}]'. `mqlint check` needs none."
            ) from None


class _Hidden:
    """An importer before all others, to which numpy and pandas do not exist."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        if name in ("numpy", "pandas"):
            raise ModuleNotFoundError(name)


def require_tables(names: Sequence[str] = _FOR_TABLES) -> None:
    """Do as `require_packages`, in a process that gives no table to pandas.

    Arrow looks for numpy when it is imported, and for pandas at the first values without a type and
    at the first time with a zone. It needs neither, and they take 0.4 s and 66 MB.
    """
    sys.meta_path.insert(0, _Hidden)
    try:
        require_packages(names)
        arrow = import_module("pyarrow")
        import_module("pyarrow.compute")
        arrow.array([datetime.now(UTC)]).to_pylist()
    finally:
        sys.meta_path.remove(_Hidden)


class LostError(Exception):
    """Spark lost work that others had half read; all of it may be tried once more."""


@contextmanager
def spark_session(
    master: str | None, log: Path, java: Path | None, checked: Path | None = None
) -> Iterator[SparkSession]:
    """Give a Spark session as of `session`; Refusal, in one message, for what goes wrong in it.

    LostError for what may go well when it is tried again.
    """
    from mqlint.estate.spark.session import SessionError, session

    shown_log = visible(shown_path(log)) if master else "Spark's own log"
    more = f"{shown_log} says more"
    try:
        with session(master, log=log, java_home=java, checked=checked) as spark, _explained(more):
            yield spark
    except SessionError as error:
        reason = _meaning(_end_of(log), _KNOWN_STARTS) or visible(str(error))
        where = f" on {master}" if master else ""
        raise Refusal(f"Spark did not start{where}: {reason}; {more}") from None
    except ConnectionError:
        reason = _meaning(_end_of(log), _KNOWN_ENDS) or "its Java process has ended"
        raise Refusal(f"Spark stopped: {reason}; {more}. Earlier tables are unchanged") from None


@contextmanager
def given_session(spark: SparkSession) -> Iterator[SparkSession]:
    """Give the caller's session, with settings of mqlint while it is used.

    Refusal and LostError as of `spark_session`.
    """
    from mqlint.estate.spark.session import set_up

    with set_up(spark), _explained("Spark's own log says more"):
        yield spark


@contextmanager
def _explained(more: str) -> Iterator[None]:
    """Explain what goes wrong while there is still a Java to ask for its words."""
    from py4j.protocol import Py4JError  # type: ignore[import-untyped]
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError) as error:
        # The error's own words are not shown: they may quote a file, and a file hold a secret.
        words = str(error)
        if _LOST in words:
            raise LostError from None
        reason = _meaning(words, _KNOWN_ENDS) or type(error).__name__
        if os.environ.get("MQLINT_DEBUG"):
            raise
        raise Refusal(f"Spark stopped: {reason}; {more}. Earlier tables are unchanged") from None


def _meaning(words: str, meanings: Mapping[str, str]) -> str | None:
    """What words of Spark or Java mean; None if that is not known."""
    return next((meaning for sign, meaning in meanings.items() if sign in words), None)


def _end_of(log: Path) -> str:
    try:
        return log.read_bytes()[-_TAIL:].decode("utf-8", "replace")
    except OSError:
        return ""
