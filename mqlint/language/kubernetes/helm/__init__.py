"""Helm: charts, their values and releases, and what their templates render."""
