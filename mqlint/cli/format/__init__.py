"""`mqlint format`: one layout for MQSC scripts."""
