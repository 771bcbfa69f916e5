"""`mqlint config`: the settings in force, and a first configuration."""
