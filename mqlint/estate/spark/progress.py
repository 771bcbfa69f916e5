"""How far a session's work has come."""

from __future__ import annotations

from pyspark.sql import SparkSession


def tasks(spark: SparkSession) -> tuple[int, int]:
    """Return how many tasks of the stages that run now are done, and how many there are."""
    tracker = spark.sparkContext.statusTracker()
    done = total = 0
    for stage in tracker.getActiveStageIds():
        known = tracker.getStageInfo(stage)
        if known is not None:
            done += known.numCompletedTasks
            total += known.numTasks
    return done, total
