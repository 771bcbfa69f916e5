"""mqlint: a linter and policy checker for IBM MQ configuration that needs no queue manager."""

__version__ = "0.1.0"

HOME_PAGE = ""
"""Where mqlint and its documentation are published; blank while they are nowhere. In SARIF it is
what `informationUri` and, with the id of a rule, `helpUri` lead to."""
