"""`mqlint plan`: what a change of queue managers takes."""
