"""The estate on Spark: the stages of the engine over DataFrames.

Only this room and its command import pyspark.
"""
