"""How far a session's work has come."""

from __future__ import annotations

from pyspark.sql import SparkSession


def is_remote(spark: SparkSession) -> bool:
    """Whether a session is one of Spark Connect, whose driver is elsewhere."""
    return type(spark).__module__.startswith("pyspark.sql.connect")


def tasks(spark: SparkSession) -> tuple[int, int]:
    """Return how many tasks of the stages that run now are done, and how many there are."""
    if is_remote(spark):
        return 0, 0
    tracker = spark.sparkContext.statusTracker()
    done = total = 0
    for stage in tracker.getActiveStageIds():
        known = tracker.getStageInfo(stage)
        if known is not None:
            done += known.numCompletedTasks
            total += known.numTasks
    return done, total
