"""Stanza files: qm.ini, mqs.ini, mqclient.ini and their relatives."""

from __future__ import annotations

from mqlint.language.base import Language, Sample, Sign
from mqlint.patterns import later

_INI_NAME = later(r"[\w-]*(?:qm|mqs|mqclient|mqat|rdqm)[\w-]*$")
_OWN_NAMES = frozenset({"qm", "mqs", "mqclient", "mqat", "rdqm"})
_ONLY_OF_MQ = _OWN_NAMES - {"qm", "mqs"}
"""Names that no other program has for a file, so that no stanza of it needs to be right."""
_ANY_STANZA = later(r"[ \t]*[A-Za-z]\w*[ \t]*:")
_STANZA = later(
    r"(?i)[ \t]*(?:Log|LogDefaults|Channels|TCP|SSL|Security|Service|ServiceComponent|ExitPath|"
    r"ExitProperties(?:Local)?|ApiExit(?:Local|Common|Template)|QMErrorLog|Diagnostic\w+Messages|"
    r"DiagnosticMessages(?:Template)?|TuningParameters|AutoConfig|AutoCluster|Variables|"
    r"NativeHA\w+|InstanceData|Filesystem|RestrictedMode|XAResourceManager|AllQueueManagers|"
    r"DefaultQueueManager|QueueManager|ClientExitPath|MessageBuffer|PreConnect|Application|"
    r"AllActivityTrace|ApplicationTrace|Node|DRGroup|AuthToken|JWKS|LU62|NETBIOS|SPX|Subpool)"
    r"[ \t]*:[ \t]*(?:[;#].*)?"
)
_SETTING = later(r"[ \t]*[A-Za-z]\w*[ \t]*=")


def _has_ini_name(sample: Sample) -> bool:
    return sample.ending == "ini" or ".ini." in sample.name


def _is_ini(sample: Sample) -> bool:
    """Return whether the first stanza is one of MQ's, written as MQ writes them."""
    settings = [line for line in sample.lines if line.lstrip()[0] not in "#;"]
    if not settings:
        return False
    if sample.stem in _ONLY_OF_MQ:
        return True
    if sample.stem in _OWN_NAMES and _ANY_STANZA.match(settings[0]):
        return True
    if sample.stem in _OWN_NAMES and any(_STANZA.fullmatch(line) for line in settings):
        return True  # the colon of the first stanza may be missing
    if not _STANZA.fullmatch(settings[0]):
        return False
    has_header = any("module name" in line.lower() and ".ini" in line for line in sample.lines)
    follows = len(settings) > 1 and _SETTING.match(settings[1]) is not None
    return has_header or _INI_NAME.match(sample.stem) is not None or follows


INI = Language(
    name="ini",
    signs=(Sign(70, frozenset(), _has_ini_name, _is_ini, decides=True),),
    reader="mqlint.language.ini.parser:read",
    settings=True,
    by_name=True,
    general=False,
)
LANGUAGES = (INI,)
