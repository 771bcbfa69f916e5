"""Kubernetes resources and Helm values that say how a queue manager runs."""

from __future__ import annotations

from posixpath import basename

from mqlint.config.estate.roles import role_of
from mqlint.language.base import Language, Sample, Sign
from mqlint.language.client.signs import (
    has_client,
    holds_channel_table,
    names_connection,
    profile_of,
)
from mqlint.language.script.unread.mentions import MQ_IMAGE, OF_MQ, mentions
from mqlint.patterns import later
from mqlint.vocabulary.sni import SUFFIX

KUSTOMIZATIONS = ("kustomization.yaml", "kustomization.yml", "Kustomization")
"""The names of files of Kustomize."""
_COMPOSE = later(r"(?:^|/)(?:docker-)?compose\.ya?ml$")
_OVERRIDE = later(r"(?:^|/)(?:docker-)?compose\.override\.ya?ml$")


def is_compose_default(path: str) -> bool:
    """Whether Compose reads a file, and its override, without `-f`."""
    return _COMPOSE.search(path) is not None


def is_override(path: str) -> bool:
    """Whether a file overrides the one of Compose beside it."""
    return _OVERRIDE.search(path) is not None


_OF_MQ = later(
    r"(?i)\bmq|mqsc|(?<!\w)1414(?!\w)|(?<![a-z])ibm-?mq|\bq(?:ueue)?-?m(?:ana)?ge?r"
    r"|(?<!rabbit)(?<!active)(?<!rocket)mq\d|qm\d{0,3}\b|\bqmpvc\b"
)
"""What names MQ in a resource beside a queue manager; RabbitMQ and ActiveMQ are others."""
_INSTALLED = later(
    r"(?m)^(?:kind:[ \t]*[\"']?(?:Application(?:Set)?|HelmRelease)\b|helmCharts:|releases:)"
)
"""An Application of Argo CD, a HelmRelease of Flux, or charts of Kustomize or Helmfile."""
_RELEASES = later(r"(?m)^releases:")
_HELMFILE = later(r"(?:^|/)helmfile(?:\.d/[^/]+)?(?:\.ya?ml)?(?:\.gotmpl)?$")


def is_helmfile(path: str) -> bool:
    return _HELMFILE.search(path) is not None


def installs(path: str, text: str) -> bool:
    """Return whether a file may say which values a chart is installed with."""
    if basename(path) in KUSTOMIZATIONS:
        return "helmCharts:" in text
    return is_helmfile(path) or _INSTALLED.search(text) is not None


_OF_CHART = later(r"(?:^|/)(?!values-metadata\.)(?:[\w.-]*values[\w.-]*|values/[\w.-]+)\.ya?ml$")


def is_of_chart(path: str) -> bool:
    """Return whether a file is named like values of a chart."""
    return _OF_CHART.search(path) is not None


_COMMON = frozenset({"all", "base", "common", "default", "defaults", "global", "shared"})
_OF_TREE = (".yaml", ".yml", ".json", ".gotmpl")


def has_values(path: str) -> bool:
    """Return whether a file may have values of a chart by its name, or that of its folders."""
    if is_of_chart(path):
        return True
    *folders, name = path.split("/")
    stem = name.partition(".")[0].lower()
    is_tree = name.lower().endswith(_OF_TREE) and profile_of(name) is None
    if not stem or not is_tree or "templates" in folders:
        return False
    return stem in _COMMON or any(role_of(word) is not None for word in (*folders[-1:], stem))


_JOBS = later(r"(?m)^jobs:")
_SERVICES_OF_JOB = later(r"(?m)^[ \t]{3,8}services:[ \t]*(?:#[^\n]*)?\r?$")
"""The services of a job of GitHub Actions, which are containers too."""
_FAR = 20_000
"""Limit of the characters between the jobs and the services of one."""


def _is_workflow(text: str) -> bool:
    """Return whether a text is a workflow of GitHub Actions with services."""
    jobs = _JOBS.search(text)
    if jobs is None:
        return False
    return _SERVICES_OF_JOB.search(text, jobs.end(), jobs.end() + _FAR) is not None


_FLOW = later(r"(?m)(?:\A|^---[^\n]*\n)(?:[ \t]*(?:#[^\n]*)?\n)*+[ \t]*+\{(?!\{)")
"""The beginning of a document in brackets, as JSON is."""
_FLOW_KEY = later(r"[{,]\s*+[\"']?([A-Za-z_][\w./-]{0,100})[\"']?[ \t]*:[ \t]*")
_ODD = later(
    r"(?m)^[ \t]{0,8}(?:-[ \t]{1,4})?(?:[\"'](?:kind|services)[\"'][ \t]*:"
    r"|\?[ \t]{1,4}(?:kind\b|[\"']?[\w.-]{1,100}\.(?:mqsc|ini)\b)"
    r"|kind(?:[ \t]+:|:[ \t]*(?:[!&>|]|\r?$)))"
)
"""A key in quotes, or after a question mark, or one with a tag or a line break after it."""
_ODD_KEY = later(
    r"(?m)^([ \t]*+(?:-[ \t]++)*+)(?:\?[ \t]++)?[\"']?([\w.][\w./-]{0,100})[\"']?[ \t]{0,9}"
    r"(?:\r?\n[ \t]*+)?:(?=[ \t\r\n])(?:[ \t]{1,9}[!&][^\s\"']{1,200})*+"
    r"([ \t]*+(?:[>|][-+]?[ \t]*+)?\r?\n[ \t]++(?=\w{1,40}[ \t]{0,9}\r?$))?"
)
_OUTER = frozenset("apiVersion kind services jobs".split())


def _in_lines(text: str) -> str:
    """Return a text in which keys in quotes or brackets are without, each in a line of its own.

    It is only for recognition: other lines of it may be anywhere.
    """
    if _FLOW.search(text) is not None:
        return _FLOW_KEY.sub(lambda key: f"\n{'' if key[1] in _OUTER else ' '}{key[1]}: ", text)
    if _ODD.search(text) is None:
        return text
    return _ODD_KEY.sub(lambda key: f"{key[1]}{key[2]}:{' ' if key[3] else ''}", text)


_TASK = later(r"\b[cC]ontainerDefinitions\b")
_OF_TASK = later(r"(?<![$\w{])MQ_QMGR_NAME\b")


def _is_task(text: str) -> bool:
    """Return whether a text is a task definition of Amazon ECS with MQ, or a client of it."""
    is_of_mq = _OF_TASK.search(text) is not None or has_client(text)
    return is_of_mq and _TASK.search(text) is not None


def _is_json(sample: Sample) -> bool:
    """Return whether a text is a resource, or operations on one."""
    if "ontainerDefinitions" in sample.text and _is_task(sample.text):
        return True
    if '"kind"' in sample.text and '"apiVersion"' in sample.text:
        return _is_resource(_in_lines(sample.text))
    return _is_json_patch(sample)


_PATCH = later(
    r"(?m)^spec:[ \t]*(?:#[^\n]*)?\r?\n(?:[ \t][^\n]*\n)*?[ \t]{1,4}queueManager:[ \t]*\r?$"
)
"""Keys of a patch of a QueueManager, which has no kind."""
_SERVICES = later(
    r"(?m)^[ \t]{0,2}services[ \t]*:[ \t]*(?:#[^\n]*)?\r?\n"
    r"(?:[ \t]*(?:#[^\n]*)?\r?\n)*+[ \t]+[\w.\"'-]+:"
)
"""The services of Compose; those of GitLab are a list."""
_STEPS = later(
    r"(?m)^[ \t]*(?:- )?(?:jobs|stages|steps|script|tasks|[\w.]{0,60}(?:docker|podman)_container):"
)
"""The steps of a pipeline, or tasks of Ansible, which variables of a client may be for."""
_LISTED_SERVICE = later(
    rf"(?m)^[ \t]*services:[ \t]*\r?\n(?=[ \t]*-)(?:[ \t]*(?:-|#|\w+:)[^\n]*\n){{0,12}}?"
    rf"[ \t]*-[ \t]+(?:name:[ \t]*)?[\"']?{MQ_IMAGE}[\"']?[ \t]*(?:#[^\n]*)?\r?$"
)
"""A service of a pipeline of GitLab with the image of MQ."""
_SERVICE = later(
    rf"(?m)^[ \t]+image:[ \t]*[\"']?{MQ_IMAGE}[\"']?[ \t]*(?:#[^\n]*)?\r?$"
    r"|(?:^[ \t]+(?:- +)?|[{,][ \t]*)[\"']?MQ_(?:QM[A-Z_]{2,12}|ADMIN_PASSWORD|APP_PASSWORD|DEV)\b"
)
"""A service of Compose that runs the container of MQ."""
_PART_OF_SERVICE = later(r"/(?:mnt|etc|var)/mqm\b|:1414\b")
"""What a second file of Compose may add to a service of MQ: volumes and ports."""
_FILES_OF_SERVICE = later(
    r"(?m)^[ \t]+env_file:[ \t]*(?:\[[^\],\n]{1,200},"
    r"|\r?\n[ \t]*-[^\n]*\n(?:[ \t]+\w{1,20}:[^\n]*\n)*+[ \t]*-)"
)
"""Several files of variables of a service, of which a later one replaces values of the others."""
_FORM_KEY = "__metadata:"
_COLLECTION = '"_postman_id"'
"""A key of values-metadata.yaml, which describes a form for values (IBM Cloud Private)."""
_CHART = later(r"(?m)^[ \t]{0,4}queueManager:[ \t]*(?:#[^\n]*)?\r?$")
_CHART_WORD = later(
    r"(?m)^[ \t]{0,8}(?:nativeha|multiinstance|mqscConfigMaps|mqscSecrets|qminiConfigMaps"
    r"|qminiSecrets|envVariables|license):"
)


def _is_manifest(sample: Sample) -> bool:
    text = _in_lines(sample.text)
    if "services:" in text and _LISTED_SERVICE.search(text) is not None:
        return True
    if "ontainerDefinitions" in text and _is_task(text):
        return True
    if "ockerfile" in text and _INLINE_IMAGE.search(sample.text) and OF_MQ.search(sample.text):
        return True
    is_compose = "compose" in sample.name or _SERVICES.search(text) is not None
    is_compose = is_compose or ("services:" in text and _is_workflow(text))
    if is_compose and "kind:" not in text:
        names_mq = any(sign.search(text) is not None for sign in (_SERVICE, _PART_OF_SERVICE))
        is_part = _FILES_OF_SERVICE.search(text) is not None or is_override(sample.name)
        return names_mq or has_client(text) or is_part
    if is_helmfile(sample.path) and _RELEASES.search(text) is not None:
        return True  # so may be the values of its releases
    if sample.stem == "kustomization" and _COMPOSES.search(text) is not None:
        return True  # the files that it names may be about MQ
    if "kind:" in text:
        return _is_resource(text)
    if _is_json_patch(sample):
        return True
    if _STEPS.search(text) is not None and names_connection(text) and not mentions(text):
        return True
    if _PATCH.match(text) is not None:
        return True
    if is_of_chart(sample.path) and _names_mq(text):
        return True  # templates beside it may be about MQ
    is_chart = _CHART.search(text) is not None and _FORM_KEY not in text
    return is_chart and _CHART_WORD.search(text) is not None


_INLINE_IMAGE = later(r"(?m)^[ \t]+(?:- )?[\"']?dockerfile(?:_inline)?[\"']?[ \t]*:[ \t]*[|>]")
"""A Dockerfile in a BuildConfig or a file of Compose."""


def _is_json_patch(sample: Sample) -> bool:
    """Return whether a text is a list of operations on a QueueManager, or on variables of MQ."""
    text = sample.text
    if _OPERATION.search(text) is None:
        return False
    return _OF_QUEUE_MANAGER.search(text) is not None or names_connection(text)


_RESOURCE = later(r"(?m)^(?:[ \t]{0,3}- )?[a-zA-Z]{0,9}[vV]ersion:[ \t]*[\"']?mq\.ibm\.com/")
"""The version of a resource of the MQ Operator, under a key that may be a typo."""
_INSTANCE = later(r"(?m)^[ \t]*managedInstances:[ \t]*\r?$")
"""Queue managers that an IntegrationAssembly of Cloud Pak for Integration makes."""
_HOLDER = later(r"(?m)^(?:[ \t]{0,3}- )?kind:[ \t]*[\"']?(?:ConfigMap|Secret|\w{0,30}List)\b")
_ROUTE = later(r"(?m)^(?:[ \t]{0,3}- )?kind:[ \t]*[\"']?Route\b")
_HELD = later(
    r"(?m)^[ \t]+ibm\.mq\.\w|^[ \t]+ibm:[ \t]*\r?\n[ \t]+mq:"
    r"|^[ \t]+mq\.(?:queue\.manager|channel\.name|connection\.name\.list)[ \t]*[=:]"
    r"|^[ \t]+(?:agent|connection|coordination)QMgr(?:Host)?[ \t]*="
    r"|\"(?:(?:coordination|commands?)QMgr|MQ_ENDPOINTS)\"[ \t]*:|<properties\.wmqJms\b"
    r"|policyType[ \t]*=[ \t]*[\"']MQEndpoint[\"']|^[ \t]+DestinationPort[ \t]*="
    r"|^[ \t]+connection:[ \t]*\r?\n[ \t]+queueManager:"
)
"""A file of an application in an entry."""
_SECRET = later(r"(?m)^(?:[ \t]{0,3}- )?kind:[ \t]*[\"']?Secret\b")
_PASSWORD = later(r"\bmq(?:Admin|App)Password\b|\b(?:IBM_MQ|MQ_ADMIN|MQ_APP)_PASSWORD\b")
"""A password of MQ's image, or of an application, in a Secret."""
_KIND = later(r"(?m)^(?:[ \t]{0,3}- )?kind:")
_BESIDE = later(
    r"(?m)^(?:[ \t]{0,3}- )?kind:[ \t]*[\"']?"
    r"(?:Service|NetworkPolicy|Kustomization|PodDisruptionBudget|HorizontalPodAutoscaler"
    r"|Certificate|ExternalSecret|SealedSecret|VaultStaticSecret)\b"
)
_ENTRY = later(
    r"(?im)^[ \t]{1,3}[\"']?"
    r"(?=[\w.-]{0,60}(?:(?<![A-Za-z])(?:mq|qm(?![a-z]))|qmgr|queue[_.-]?manager))"
    r"[\w.-]{1,100}[\"']?[ \t]*:"
)
"""An entry of a ConfigMap that may be a variable of a client, by another name."""
_INSIDE = later(
    r"(?im)^[ \t]+(?![ \t])(?:[^\n:#]{1,200}\.(?:mqsc|ini)[\"']?[ \t]*:"
    r"|[\"']?[\w.-]{0,100}mqsc[\w.-]{0,100}[\"']?[ \t]*:[ \t]*[|>]"
    r"|[\"']?(?:[\w.-]{1,100}[_-])?ini[\"']?[ \t]*:[ \t]*\|[-+0-9]{0,2}[ \t]*\r?\n"
    r"[ \t]*(?:channels|tcp|ssl|log|security|messagebuffer|clientexitpath)[ \t]*:[ \t\r]*$"
    r"|(?:alter|alt)[ \t]+qmgr[ \t]+[a-z]{4,12}\("
    r"|(?:define|def|alter|alt|set)[ \t]+(?:q(?:local|l|remote|r|alias|a)|channel|chl|chlauth"
    r"|authrec|authinfo|listener|lstr|topic|namelist)[ \t]*\()"
)
"""An entry of MQSC or stanzas, whatever puts its name together, or a command in one."""
_VALUES_INSIDE = later(r"(?m)^[ \t]+[\"']?[\w.-]{0,40}values[\w.-]{0,40}\.ya?ml[\"']?:[ \t]*[|>]")
"""An entry that has values of a chart."""
_SIGNS_OF_RESOURCES = (
    (_RESOURCE,),
    (_HOLDER, _INSIDE),
    (_HOLDER, _HELD),
    (_HOLDER, _PASSWORD),
    (_HOLDER, _ENTRY),
    (_SECRET, _OF_MQ),
    (_BESIDE, _OF_MQ),
    (_INSTALLED, _OF_MQ),
    (_HOLDER, _VALUES_INSIDE, _OF_MQ),
)
"""A resource is about MQ if all signs of a row are found in it."""


def _is_resource(text: str) -> bool:
    """Whether a text with the kind of a resource is about MQ."""
    return (
        any(all(sign.search(text) for sign in signs) for signs in _SIGNS_OF_RESOURCES)
        or ("kind: QueueManager" in text and _INSTANCE.search(text) is not None)
        or (_HOLDER.search(text) is not None and _holds_file(text))
        or (_KIND.search(text) is not None and (has_client(text) or _has_container(text)))
        or (SUFFIX in text and _ROUTE.search(text) is not None)
    )


def _holds_file(text: str) -> bool:
    return "mqwebuser.xml" in text or holds_channel_table(text)


_CONTAINER = later(
    rf"(?m)^[ \t]+(?:-[ \t]+)?image:[ \t]*[\"']?{MQ_IMAGE}[\"']?[ \t]*(?:#[^\n]*)?\r?$"
)
"""A container of a pod with the image of MQ, or one of another program that is called `mq`."""
_OF_IBM = later(r"LICEN[CS]E|(?<![A-Z])MQ_[A-Z]|ibm|(?<!\w)1414(?!\w)")
"""What only a container of MQ has beside an image that is called `mq`."""
_TAKES = later(
    r"(?i)\b(?:configMap|secret)Ref[\"']?:\s*+\{?\s*+[\"']?name[\"']?:[ \t]*+[\"']?"
    r"(?:[\w.-]{0,100}[._-])?(?:ibm-?)?mq(?![a-z])"
)
"""A workload that has all variables of a ConfigMap or a Secret with the name of MQ."""


def _has_container(text: str) -> bool:
    """Whether a pod has a container of MQ, or variables of MQ from another file."""
    if "containers:" not in text:
        return False
    if "envFrom:" in text and _TAKES.search(text) is not None:
        return True
    return "MQ_QMGR_NAME" in text or (
        _CONTAINER.search(text) is not None and _OF_IBM.search(text) is not None
    )


_MQSC_KEY = later(
    r"(?im)^[ \t]*(?:- +)?[\"']?[\w.-]{0,100}mqsc[\w.-]{0,100}[\"']?[ \t]*:"
    r"(?:[ \t]*\r?\n[ \t]*(?:-|[\w.-]{1,100}[ \t]*:))?[ \t]*[|>\"']"
)
_VALUES = later(r"(?i)(?:^|/)(?:[\w.-]*values[\w.-]*$|(?:group_vars|host_vars|vars|defaults)/)")
"""Places of values of charts and variables of Ansible."""
_OF_ANSIBLE = later(r"(?:^|/)(?:group_vars|host_vars|vars|defaults)/")
_TERM_OF_MQ = later(
    r"(?im)^[ \t]*+[\w.-]{0,40}?"
    r"(?:(?<![a-z])qm(?:gr|_?name)?(?![a-z])|queue|channel|cluster|listener)[\w.-]{0,40}[ \t]*:"
)
"""A variable with a term of MQ in its name, which MQSC of other files may use."""


def _names_mq(text: str) -> bool:
    """Whether variables name MQ, or may be in the MQSC of other files by their names."""
    return any(pattern.search(text) is not None for pattern in (_OF_MQ, _TERM_OF_MQ))


def _holds_mqsc(sample: Sample) -> bool:
    """Return whether values of a chart or variables of Ansible are about MQ.

    They are if they have texts below a key of MQSC, or variables of a connection. The texts
    themselves are not checked. Other YAML has such keys too: that of tests, for example. Variables
    of Ansible that name MQ may be in MQSC of other files.
    """
    text = sample.text
    if _OF_ANSIBLE.search(sample.path) is not None and _names_mq(text):
        return True
    may_hold = "mqsc" in text or "MQSC" in text
    is_client = names_connection(text)
    if not (may_hold or is_client) or _VALUES.search(sample.path) is None:
        return False
    return is_client or _MQSC_KEY.search(text) is not None


_SITE = later(
    r"(?m)(?:^|[{,])[ \t]*[\"']?[\w.-]{0,40}(?:[hH]ost|[cC]onn|[aA]ddress|[sS]torage|[pP]ersist)"
    r"[\w.-]{0,40}[\"']?:|^[ \t]*[\"']?[\w.-]{0,40}[nN]ame[\"']?:"
)
"""A value that often differs between sites."""
_NESTED = later(r"(?m)^(?:apiVersion|kind|services|jobs|on|stages|version|- )\b")
"""A key at the top of what holds no values of a chart."""


def _has_site_values(sample: Sample) -> bool:
    """Return whether a file by its name may have values of a chart for a site, and is about MQ.

    Values of a chart for one site alone need not name MQ: those for all sites may.
    """
    text = sample.text
    if not has_values(sample.path) or _NESTED.search(text) or not _SITE.search(text):
        return False
    if _FORM_KEY in text or _COLLECTION in text:
        return False
    if is_of_chart(sample.path):
        return role_of(basename(sample.path).partition(".")[0]) is not None
    return _names_mq(text.replace('"', ""))


_COMPOSES = later(
    r"(?m)^(?:resources|bases|components|patches\w{0,20}|(?:configMap|secret)Generator|images|replicas|helmCharts):"
)
_OPERATION = later(r"(?m)(?:^|[-{\[,])[ \t]*+[\"']?op[\"']?[ \t]*+:")
_OF_QUEUE_MANAGER = later(
    r"[\"']?path[\"']?[ \t]*:[ \t]*[\"']?/spec/(?:queueManager|license|web|template/pod|pki)\b"
    r"|\bMQ_[A-Z]"
)
_BEGINS = later(r"(?:apiVersion|kind|metadata):")


def _begins_as_resource(sample: Sample) -> bool:
    """Tell whether a text begins as a resource of Kubernetes, and is about MQ."""
    first = next((line for line in sample.lines if not line.startswith(("#", "---"))), "")
    return _BEGINS.match(first) is not None and _is_resource(sample.text)


MANIFEST = Language(
    name="manifest",
    signs=(
        Sign(31, {"yaml", "yml", "yaml_template", "yml_template"}, looks_like=_is_manifest),
        Sign(40, {"json"}, looks_like=_is_json),
        Sign(51, {"yaml", "yml", "yaml_template"}, looks_like=_has_site_values),
        Sign(51, {"yaml", "yml"}, looks_like=_holds_mqsc, decides=True),
        Sign(52, {""}, looks_like=_begins_as_resource),
        Sign(55, {"json"}, looks_like=_has_site_values),
    ),
    reader="mqlint.language.kubernetes.document:read",
    ownership="declared",
    connects=True,
)
LANGUAGES = (MANIFEST,)
