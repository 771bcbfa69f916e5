"""`mqlint plan`: the commands that change queue managers."""
