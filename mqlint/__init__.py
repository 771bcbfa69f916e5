"""mqlint: a linter and policy checker for IBM MQ configuration that needs no queue manager."""

__version__ = "0.1.0"
