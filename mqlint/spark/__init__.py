"""The estate scan: the engine's stages over Spark DataFrames."""
