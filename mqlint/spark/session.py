"""A Spark session set up for mqlint."""

from __future__ import annotations

import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import Popen, TimeoutExpired

from pyspark import SparkConf, SparkContext
from pyspark.errors import PySparkException
from pyspark.java_gateway import launch_gateway
from pyspark.sql import SparkSession

APPLICATION = "mqlint"

_SETTINGS = {
    "spark.app.name": APPLICATION,
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.maxResultSize": "0",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.catalogImplementation": "in-memory",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "256",
    "spark.sql.session.timeZone": "UTC",
}
_LOCAL = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "2g",
}
"""A session on this machine is nobody else's business: it listens on no other address."""

_BRIEF = {"spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}
"""Java compiles quickly rather than well: halves the time of what takes seconds."""

_PATIENCE = 10


class SessionError(Exception):
    """Spark did not start; the text says what is known, the log says more."""


@contextmanager
def session(
    master: str, *, log: Path, java_home: Path | None = None, brief: bool = False
) -> Iterator[SparkSession]:
    """Give a session on `master`, whose Python processes run this very interpreter.

    `brief` starts Java for little work. All that Spark and Java have to say goes to the file
    `log`. SessionError when it cannot be started. On leaving, Spark is stopped and its Java
    process ended.
    """
    scratch = Path(tempfile.mkdtemp(prefix="mqlint-spark-"))
    _prepare(java_home)
    spark, java = None, None
    try:
        with log.open("wb") as stream:
            spark, java = _start(configuration(master, scratch, brief), scratch, stream.fileno())
        yield spark
    finally:
        if spark is not None:
            with suppress(Exception):  # Java may be gone: there is nothing left to stop
                spark.stop()
        if java is not None:
            _end(java)
        shutil.rmtree(scratch, ignore_errors=True)


def _prepare(java_home: Path | None) -> None:
    """Spark asks the environment, not its settings, which Java and which Python it shall run."""
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    # Its workers are started with `-m`: a file pyarrow.py in the folder scanned must not be run.
    os.environ["PYTHONSAFEPATH"] = "1"
    if java_home is not None:
        os.environ["JAVA_HOME"] = str(java_home)
    logging.getLogger("py4j").setLevel(logging.CRITICAL)


def configuration(master: str, scratch: Path, brief: bool) -> SparkConf:
    """Return what Spark is told; what it is not told is as the user's Spark has it."""
    conf = SparkConf(loadDefaults=False).setMaster(master)
    conf.setAll(list(_SETTINGS.items()))
    conf.set("spark.sql.warehouse.dir", (scratch / "warehouse").as_uri())
    if master.startswith("local"):
        conf.setAll(list((_LOCAL | (_BRIEF if brief else {})).items()))
    return conf


def _start(conf: SparkConf, scratch: Path, log: int) -> tuple[SparkSession, Popen[bytes] | None]:
    java = None
    try:
        # Java's working folder is the scratch folder: Spark leaves files where it stands.
        gateway = launch_gateway(  # type: ignore[no-untyped-call]
            conf, {"stdout": log, "stderr": log, "cwd": str(scratch)}
        )
        java = gateway.proc
        return SparkSession(SparkContext(conf=conf, gateway=gateway)), java
    except PySparkException as error:
        raise SessionError(_first_line(str(error))) from error
    except Exception as error:
        if java is not None:
            _end(java)
        raise SessionError(type(error).__name__) from error


def _first_line(message: str) -> str:
    return message.strip().partition("\n")[0]


def _end(java: Popen[bytes]) -> None:
    """Java ends when its standard input does; it is ended when it does not."""
    if java.stdin is not None:
        java.stdin.close()
    try:
        java.wait(_PATIENCE)
    except TimeoutExpired:
        java.kill()
        java.wait()
    # The next session of this process starts a Java of its own.
    SparkContext._gateway = SparkContext._jvm = None
