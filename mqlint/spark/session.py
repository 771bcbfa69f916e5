"""A Spark session set up for mqlint."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from pyspark.sql import SparkSession

APPLICATION = "mqlint"


def start(master: str, *, partitions: int | None = None, log: Path | None = None) -> SparkSession:
    """Return a session on `master`, whose Python processes run this very interpreter.

    `partitions` is the number of parts data is shuffled into; Spark's own default otherwise.
    Spark's messages go to the file `log`.
    """
    # Spark asks the environment, not its own configuration, which Python its workers shall run.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    builder = (
        SparkSession.builder.master(master)
        .appName(APPLICATION)
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "256")
        .config("spark.sql.adaptive.enabled", "false")
        .config("spark.sql.session.timeZone", "UTC")
    )
    if partitions is not None:
        builder = builder.config("spark.sql.shuffle.partitions", str(partitions))
    if log is not None:
        builder = builder.config("spark.driver.extraJavaOptions", _logging(log))
    return builder.getOrCreate()


def _logging(log: Path) -> str:
    """Java options that send Spark's messages to a file instead of the terminal."""
    settings = log.with_suffix(".log4j2.properties")
    settings.write_text(
        "rootLogger.level = warn\n"
        "rootLogger.appenderRef.file.ref = file\n"
        "appender.file.type = File\n"
        "appender.file.name = file\n"
        f"appender.file.fileName = {log}\n"
        "appender.file.layout.type = PatternLayout\n"
        "appender.file.layout.pattern = %d %p %c{1}: %m%n\n",
        encoding="utf-8",
    )
    return f"-Dlog4j2.configurationFile={settings.as_uri()}"
