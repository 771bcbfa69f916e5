"""`mqlint check` and `mqlint baseline`: how a run is judged and what it is compared with."""
