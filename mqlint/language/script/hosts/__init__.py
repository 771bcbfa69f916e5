"""Files that hold scripts: crontabs, units, Dockerfiles, pipelines."""
