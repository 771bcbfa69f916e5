"""`mqlint rehearse`: the calendar of a DR test."""
