"""The ordered steps of scripts, crontabs and MQSC files."""
