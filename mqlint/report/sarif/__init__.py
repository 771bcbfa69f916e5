"""SARIF 2.1.0, the format of code scanning (docs.oasis-open.org/sarif/sarif/v2.1.0)."""
