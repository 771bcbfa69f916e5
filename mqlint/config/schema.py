"""The JSON Schema of `mqlint.yaml`, from the table that the loader reads by."""

from mqlint.config.extends import EXTENDS
from mqlint.config.forms import document, of_keys, or_nothing
from mqlint.config.loader import TABLE

SCHEMA = document(
    "mqlint.yaml",
    "Configuration of mqlint: the sites of an IBM MQ estate, the layout of its files, and what is "
    "checked.",
    or_nothing(of_keys((EXTENDS, *TABLE))),
)
