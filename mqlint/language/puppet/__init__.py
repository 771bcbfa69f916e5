"""Resources of Puppet for queue managers: the types of the module mq_config, and their data."""

from __future__ import annotations

from mqlint.language.base import Language, Sample, Sign, contains
from mqlint.language.script.unread.mentions import NAMES_MQ, mentions
from mqlint.patterns import later

_TYPE = r"mq_(?:manager|queue|channel|topic|listener)"
_CREATED = rf"\bcreate_resources[ \t]*\(?\s{{0,20}}[\"']?{_TYPE}\b"
CREATED = later(rf"(?m)^[^#\n]{{0,200}}{_CREATED}")
"""A function that makes resources of a hash, which is not followed."""
_RESOURCE = later(rf"(?m)^[^#\n]{{0,200}}(?:\b{_TYPE}[ \t]*\{{|{_CREATED})")
_COMMAND = later(r"(?m)^[^#\n]{0,200}\b(?:exec|file)[ \t]*\{")
_KERNEL = later(r"(?m)^[^#\n]{0,200}\bsysctl(?:::\w+)?[ \t]*\{[^}]{0,200}\bkernel\.")
_LIST = later(
    r"(?m)^[ \t]*[\"']?ibm_profile::(?:mq_managers"
    r"|mq_machine::[a-z_]{1,40}::(?:queue|channel|topic|listener)_list)[\"']?[ \t]*:"
)


_has_resource = contains(_RESOURCE, mark="mq_")
_has_list = contains(_LIST, mark="ibm_profile::")


def _has_command(sample: Sample) -> bool:
    return mentions(sample.text) and _COMMAND.search(sample.text) is not None


def _sets_kernel(sample: Sample) -> bool:
    """Tell whether a class that is called after MQ sets the kernel."""
    is_set = "kernel." in sample.text and _KERNEL.search(sample.text) is not None
    return is_set and NAMES_MQ.search(f"{sample.path}\n{sample.text}") is not None


PUPPET = Language(
    name="puppet",
    signs=(
        Sign(26, {"pp"}, looks_like=_has_resource),
        Sign(26, {"pp"}, looks_like=_has_command),
        Sign(26, {"pp"}, looks_like=_sets_kernel),
    ),
    reader="mqlint.language.puppet.reader:read",
    ownership="declared",
)
HIERA = Language(
    name="hiera",
    signs=(Sign(26, {"yaml", "yml", "yaml_template", "yml_template"}, looks_like=_has_list),),
    reader="mqlint.language.puppet.reader:read_data",
    ownership="declared",
)
LANGUAGES = (PUPPET, HIERA)
