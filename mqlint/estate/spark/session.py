"""A Spark session set up for mqlint."""

from __future__ import annotations

import logging
import os
import re
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import Popen, TimeoutExpired
from threading import Timer, current_thread, main_thread
from types import FrameType

import pyspark
from pyspark import SparkConf, SparkContext
from pyspark.errors import PySparkException
from pyspark.java_gateway import launch_gateway
from pyspark.sql import SparkSession

from mqlint.estate.io.private import private_files
from mqlint.number import whole_number
from mqlint.patterns import later
from mqlint.source.child import python_environment

APPLICATION = "mqlint"

_SETTINGS = {
    "spark.driver.maxResultSize": "0",
    "spark.executorEnv.PYTHONSAFEPATH": "1",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.catalogImplementation": "in-memory",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.execution.arrow.maxBytesPerBatch": "16m",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "256",
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    "spark.sql.session.timeZone": "UTC",
}
"""Rows of a scan are few and large: Java passes them on, and Python works on them. Code made for
a query takes longer to make than it saves."""

_OWN = {
    "spark.app.name": APPLICATION,
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
"""Of a session that mqlint starts; where spark-submit does these are its user's to choose.

Java compiles quickly rather than well, which halves what a scan of any size takes of it."""

_LOCAL = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "2g",
}
"""A session on this machine listens on no other address."""

_LOCAL_MASTER = later(r"local(?:\[([^],]+)\])?\Z")
_TRIES = 4
"""How often a task is tried whose Python dies, as on a cluster: this machine's Spark tries once."""

_DEFAULT = later(r"(?m)^[ \t]*([^\s#!=:]+)[ \t]*[=: \t]")

_STANDALONE = "spark://"
_PORTS = (1 << 16) - 1
_MASTERS = 3
_ANSWERS = 15.0
"""Seconds in which one of so many masters must answer."""

_PATIENCE = 10
_RETRY_SECONDS = 0.05
_FINALIZERS = frozenset(
    "__del__ _garbage_collect_object _garbage_collect_connection _garbage_collect_proxy".split()
)
"""Functions that Python calls when an object goes; py4j's run whenever one of Java's does."""


class SessionError(Exception):
    """Spark did not start; the text says what is known, the log says more."""


@contextmanager
def session(
    master: str | None,
    *,
    log: Path,
    java_home: Path | None = None,
    checked: Path | None = None,
) -> Iterator[SparkSession]:
    """Give a session on `master`, whose Python processes run this very interpreter.

    With None it is the one of the spark-submit that started this process, with the master, the
    Python and the Java of its options. All output of Spark and Java goes to the file
    `log`. SessionError when it cannot be started. On leaving, Spark is stopped and its Java process
    ended. No program in the folder `checked` is run.
    """
    scratch = Path(tempfile.mkdtemp(prefix="mqlint-spark-"))
    if log.is_file():
        log.unlink()  # others may have been allowed to read it
    try:
        with (
            private_files(),
            log.open("ab") as stream,
            _python_logs_to(log),
            _environment(master, java_home, checked),
        ):
            if master is not None:
                _require_master(master)
            spark, java = _start(configuration(master, scratch), scratch, stream.fileno())
            try:
                yield spark
            finally:
                with suppress(Exception):  # Java may be gone: there is nothing left to stop
                    spark.stop()
                _end(java)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


@contextmanager
def set_up(spark: SparkSession) -> Iterator[None]:
    """Prepare the caller's session for a scan in the block, as far as it can still be set."""
    before: dict[str, str | None] = {}
    try:
        for name, value in _SETTINGS.items():
            if name.startswith("spark.sql.") and spark.conf.isModifiable(name):
                before[name] = spark.conf.get(name, None)
                spark.conf.set(name, value)
        yield
    finally:
        with suppress(Exception):  # the session may be gone
            for name, earlier in before.items():
                spark.conf.unset(name) if earlier is None else spark.conf.set(name, earlier)


@contextmanager
def _environment(
    master: str | None, java_home: Path | None, checked: Path | None
) -> Iterator[None]:
    """Say which Spark, Java and Python shall run, and that Python takes no module from a folder.

    Spark and pyspark ask the environment for that. pyspark would otherwise look for Spark beside
    the working folder. What was there before is there again afterwards.
    """
    before = dict(os.environ)
    ours = python_environment(checked)
    if master is not None:
        ours |= {"PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable}
    if java_home is not None:
        ours["JAVA_HOME"] = str(java_home)
    if not Path(ours.get("SPARK_HOME", "")).is_absolute():
        ours["SPARK_HOME"] = str(_spark_home())
    _replace_environment(ours)
    try:
        yield
    finally:
        _replace_environment(before)


def _spark_home() -> Path:
    """The Spark that is installed with pyspark."""
    package = Path(pyspark.__file__).absolute().parent
    downloaded = package / "spark-distribution"
    return downloaded if (downloaded / "bin").is_dir() else package


def _replace_environment(values: Mapping[str, str]) -> None:
    for name in os.environ.keys() - values.keys():
        del os.environ[name]
    os.environ.update(values)


@contextmanager
def _python_logs_to(log: Path) -> Iterator[None]:
    """Send what py4j and pyspark log to the file: py4j speaks up, in the root's name, on Ctrl-C."""
    handler = logging.FileHandler(log, encoding="utf-8")
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)
        handler.close()


def configuration(master: str | None, scratch: Path) -> SparkConf:
    """Return the settings of Spark, less those that `spark-defaults.conf` of the user sets."""
    settings = {**_SETTINGS, "spark.sql.warehouse.dir": (scratch / "warehouse").as_uri()}
    if master is not None:
        settings |= _OWN
        if master.startswith("local"):
            settings |= _LOCAL
    conf = SparkConf(loadDefaults=False)
    known = _set_by_user()
    conf.setAll([pair for pair in settings.items() if pair[0] not in known])
    if master is not None:
        conf.setMaster(_LOCAL_MASTER.sub(_with_tries, master))
    return conf


def _set_by_user() -> frozenset[str]:
    """The names of the settings in the `spark-defaults.conf` that Spark reads."""
    folder = os.environ.get("SPARK_CONF_DIR") or Path(os.environ["SPARK_HOME"], "conf")
    try:
        text = Path(folder, "spark-defaults.conf").read_text("utf-8", "replace")
    except OSError:
        return frozenset()
    return frozenset(found[1] for found in _DEFAULT.finditer(text))


def _require_master(master: str) -> None:
    """SessionError if no standalone master of a URL accepts a connection.

    Spark itself tries for a minute, and then ends without saying which address it asked.
    """
    if not master.startswith(_STANDALONE):
        return
    tried = []
    for address in master.removeprefix(_STANDALONE).split(",")[:_MASTERS]:
        host, _, port = address.rpartition(":")
        number = whole_number(port)
        if not host or number is None or number > _PORTS:
            raise SessionError(f"{address} is not HOST:PORT")
        try:
            with socket.create_connection((host.strip("[]"), number), _ANSWERS / _MASTERS):
                return
        except (OSError, UnicodeError) as error:
            reason = (getattr(error, "strerror", None) or str(error)).lower()
            tried.append(f"{address}: {reason or type(error).__name__}")
    raise SessionError(f"no master answers ({'; '.join(tried)})")


def _with_tries(found: re.Match[str]) -> str:
    return f"local[{found[1] or 1},{_TRIES}]"


def _start(conf: SparkConf, scratch: Path, log: int) -> tuple[SparkSession, Popen[bytes] | None]:
    java, before = None, signal.getsignal(signal.SIGINT)
    try:
        with _interrupts_wait():
            # Java's working folder is the scratch folder: Spark leaves files in it.
            gateway = launch_gateway(  # type: ignore[no-untyped-call]
                conf, {"stdout": log, "stderr": log, "cwd": str(scratch)}
            )
            java = gateway.proc
        spark = SparkSession(SparkContext(conf=conf, gateway=gateway))
        if _in_main_thread():
            # pyspark's own would ask Java to cancel in the middle of another question.
            # A shell has its jobs in the background ignore Ctrl-C.
            is_ignored = before is signal.SIG_IGN
            signal.signal(signal.SIGINT, before if is_ignored else _interrupt)
        return spark, java
    except BaseException as error:
        _end(java)
        if not isinstance(error, Exception):
            raise
        known = isinstance(error, PySparkException)
        words = str(error).strip().partition("\n")[0] if known else type(error).__name__
        raise SessionError(words) from error


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt, a little later where Python would drop it: in a finalizer."""
    at = frame
    while at is not None:
        if at.f_code.co_name in _FINALIZERS:
            Timer(_RETRY_SECONDS, signal.raise_signal, (number,)).start()
            return
        at = at.f_back
    raise KeyboardInterrupt


@contextmanager
def _interrupts_wait() -> Iterator[None]:
    """Delay Ctrl-C and SIGTERM: if the start of Java is interrupted, its process never ends."""
    if not _in_main_thread():
        yield
        return
    asked: list[int] = []
    before = {
        number: signal.signal(number, lambda received, frame: asked.append(received))
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if asked:
        signal.raise_signal(asked[0])


def _in_main_thread() -> bool:
    return current_thread() is main_thread()


def _end(java: Popen[bytes] | None) -> None:
    """Java ends when its standard input does; it is ended when it does not."""
    if java is None:  # not ours, as under spark-submit
        return
    if java.stdin is not None:
        java.stdin.close()
    try:
        java.wait(_PATIENCE)
    except TimeoutExpired:
        java.kill()
        java.wait()
    # The next session of this process starts a Java of its own.
    SparkContext._gateway = SparkContext._jvm = None
