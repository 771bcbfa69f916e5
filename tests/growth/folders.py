"""Folders of many files that say something about each other, by what they say."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.growth.findings import Files

_APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {{name: mq-{number}}}
spec: {{source: {{path: mq/b{number}}}}}
"""
_MAP = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: mqsc}
data:
  a.mqsc: DEFINE QLOCAL(A)
"""
_JOB = """\
on: push
jobs:
  apply:
    strategy:
      matrix:
        site: [prod, dr]
    steps:
      - run: ssh mq-${{ matrix.site }} runmqsc QM < a.mqsc
"""


def _applications(count: int) -> Files:
    """Applications at two sites, each of a folder of its own."""
    files: dict[str, str] = {}
    for number in range(count):
        files[f"mq/b{number}/map.yaml"] = _MAP
        for site in ("prod", "dr"):
            files[f"{site}/app{number}.yaml"] = _APPLICATION.format(number=number)
    return files


def _pipelines(count: int) -> Files:
    """Scripts in pipelines, each of which runs for two sites."""
    return {f".github/workflows/p{number}.yaml": _JOB for number in range(count)}


_MANAGER = """\
apiVersion: mq.ibm.com/v1beta1
kind: QueueManager
metadata: {{name: qm{number}}}
spec: {{queueManager: {{name: QM{number}}}}}
"""
_SERVICE = """\
services:
  mq:
    image: icr.io/ibm-messaging/mq:9.4.0.0-r1
    environment: {{LICENSE: accept, MQ_QMGR_NAME: QM{number}}}
"""
_POD = """\
apiVersion: apps/v1
kind: Deployment
metadata: {{name: app{number}}}
spec:
  template:
    spec:
      containers:
        - {{name: app, image: "app{number}:1", env: [{{name: MQ_CHANNEL, value: APP}}]}}
"""
_LIBERTY = (
    '<server><jmsQueueConnectionFactory jndiName="jms/a"><properties.wmqJms transportType="CLIENT"'
    ' hostName="${host}" channel="A" queueManager="QM"/></jmsQueueConnectionFactory></server>'
)
_USER = """\
DEFINE CHANNEL(APP{number}) CHLTYPE(SVRCONN)
SET CHLAUTH('*') TYPE(USERMAP) CLNTUSER(c{number}) USERSRC(MAP) MCAUSER(u{number})
SET AUTHREC PROFILE(QM) OBJTYPE(QMGR) PRINCIPAL(u{number}) AUTHADD(CONNECT)
DEFINE QLOCAL(Q{number})
SET AUTHREC PROFILE('Q*') OBJTYPE(QUEUE) GROUP(g{number}) AUTHADD(PUT)
"""


_VALUE = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: mqsc}
data:
  a.mqsc: "DEFINE QLOCAL({{ .Values.qmName }}.IN)"
"""


def _charts(count: int) -> Files:
    """Charts without a file of values."""
    files: dict[str, str] = {}
    for number in range(count):
        files[f"c{number}/templates/map.yaml"] = _MAP
        files[f"c{number}/Chart.yaml"] = "apiVersion: v2\nname: mq\nversion: 1.0.0\n"
    return files


def _values(count: int) -> Files:
    """Charts without a file of values, and long ones of two sites elsewhere."""
    files = {f"c{number}/templates/map.yaml": _VALUE for number in range(count)}
    for number in range(8):
        lines = "".join(f"mqKey{number}x{line}: a\n" for line in range(count))
        for site in ("prod", "dr"):
            files[f"{site}/{number}/values.yaml"] = f"qmName: QM{number}\n{lines}"
    return files


def _variables(count: int) -> Files:
    """Defaults of roles, and variables of as many hosts."""
    files = {"map.yaml": _MAP}
    for number in range(count):
        names = "".join(f"mq_{number}_{name}: a\n" for name in range(9))
        files[f"roles/r{number}/defaults/main.yml"] = names
        files[f"inventories/prod/host_vars/h{number}.yml"] = names.replace("mq_", "mq_h")
    return files


def _inventory(count: int) -> Files:
    """Hosts of two sites, and as many roles of which each host has the variables of one."""
    hosts = "".join(f"{site}{n} qm_{n}=Q\n" for site in ("p", "d") for n in range(count))
    files = {"hosts": hosts.replace("d0 ", "[dr]\nd0 ").replace("p0 ", "[prod]\np0 ")}
    for number in range(count):
        files[f"roles/r{number}/templates/a.mqsc.j2"] = f"DEFINE QLOCAL({{{{ qm_{number} }}}}.IN)\n"
    return files


def _lists(count: int) -> Files:
    """Hosts with a list each, and as many roles of which each loops over the list of one."""
    hosts = "".join(f"h{number}\n" for number in range(count))
    files = {"hosts": f"[mq]\n{hosts}"}
    for number in range(count):
        files[f"roles/r{number}/tasks/main.yml"] = (
            f'- command: strmqm {{{{ item.name }}}}\n  loop: "{{{{ list_{number} }}}}"\n'
        )
        files[f"host_vars/h{number}.yml"] = f"list_{number}:\n  - {{name: QM{number}}}\n"
    return files


def _jobs(count: int) -> Files:
    """Pipelines with a job for each of two sites, and the script of each."""
    files: dict[str, str] = {}
    job = "{site}:\n  variables: {{QM: Q{number}}}\n  script: [./s{number}.sh]\n"
    for number in range(count):
        jobs = (job.format(site=site, number=number) for site in ("prod", "dr"))
        files[f"p{number}-pipeline.yml"] = "".join(jobs)
        files[f"s{number}.sh"] = 'crtmqm "$QM"\nrunmqsc "$QM" < a.mqsc\n'
    return files


def _services(count: int) -> Files:
    """Files of Compose in one folder."""
    return {f"c{number}.yaml": _SERVICE.format(number=number) for number in range(count)}


def _images(count: int) -> Files:
    """Dockerfiles, and as many pods of images."""
    files: dict[str, str] = {}
    for number in range(count):
        files[f"d{number}/Dockerfile"] = "FROM icr.io/ibm-messaging/mq\nENV MQ_QMGR_NAME=QM\n"
        files[f"pods/{number}.yaml"] = _POD.format(number=number)
    return files


def _servers(count: int) -> Files:
    """Servers of Liberty."""
    files: dict[str, str] = {}
    for number in range(count):
        files[f"s{number}/server.xml"] = _LIBERTY
        files[f"s{number}/bootstrap.properties"] = "host=a\nMQ_QMGR=QM\n"
    return files


def _patches(count: int) -> Files:
    """Resources in one file, and a patch of each, beyond what is composed."""
    resources = "---\n".join(_MANAGER.format(number=number) for number in range(count))
    patches = "".join(f"  - {{path: p.yaml, target: {{name: qm{n}}}}}\n" for n in range(count))
    listed = f"resources: [qm.yaml]\npatches:\n{patches}"
    return {"k/qm.yaml": resources, "k/p.yaml": "[]\n", "k/kustomization.yaml": listed}


def _merged(count: int) -> Files:
    """One generator that merges many files into many others."""
    files = ", ".join(f"a{number}.mqsc" for number in range(count))
    made = "configMapGenerator: [{{name: map, {more}files: [{files}]}}]\n"
    return {
        "a/kustomization.yaml": made.format(more="", files=files.replace("a", "b")),
        "o/kustomization.yaml": "resources: [../a]\n"
        + made.format(more="behavior: merge, ", files=files),
    }


def _connections(count: int) -> Files:
    """Applications of one queue manager, each with a channel and a user."""
    files = {
        "create.sh": "crtmqm QM\nrunmqsc QM < QM.mqsc\n",
        "QM.mqsc": "".join(_USER.format(number=number) for number in range(count)),
    }
    for number in range(count):
        files[f"a{number}.properties"] = (
            f"mq.queue.manager=QM\nmq.channel.name=APP{number}\nmq.queue=Q{number}\n"
            "mq.connection.name.list=host(1414)\n"
        )
    return files


_RELEASE = """\
kind: ApplicationSet
metadata: {{name: mq{number}}}
spec:
  generators: [{{git: {{files: [{{path: "mq/c{number}/*.json"}}]}}}}]
  template:
    metadata: {{name: mq}}
    spec:
      source:
        path: c{number}
        helm: {{parameters: [{{name: qmName, value: "{{{{qm}}}}"}}]}}
"""
_SUBSTITUTED = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {{name: mq}}
spec:
  path: ./apps/q{number}
  postBuild: {{substitute: {{QM_NAME: QM{number}}}}}
"""


def _releases(count: int) -> Files:
    """Charts that an ApplicationSet each installs with a file for each site."""
    files: dict[str, str] = {}
    for number in range(count):
        files[f"c{number}/templates/map.yaml"] = _VALUE
        files[f"argocd/set{number}.yaml"] = _RELEASE.format(number=number)
        for site in ("prod", "dr"):
            text = f'{{"qm": "QM{number}", "host": "mq"}}'
            files[f"mq/c{number}/{site}.json"] = text
    return files


def _substituted(count: int) -> Files:
    """Folders that Flux applies at two sites with variables."""
    files: dict[str, str] = {}
    for number in range(count):
        files[f"apps/q{number}/map.yaml"] = _MAP.replace("(A)", "(${QM_NAME}.A)")
        for site in ("prod", "dr"):
            files[f"{site}/q{number}.yaml"] = _SUBSTITUTED.format(number=number)
    return files


def _sourcing(count: int) -> Files:
    """Scripts that source one file with as many variables."""
    files = {"etc/mqenv": "".join(f"QMGR{each}=QM{each}\n" for each in range(count))}
    for each in range(count):
        script = f'. "$(dirname "$0")/../etc/mqenv"\nstrmqm $QMGR{each}\nendmqm -w $QMGR{each}\n'
        files[f"bin/do{each}.sh"] = script
    return files


FOLDERS: Mapping[str, Callable[[int], Files]] = {
    "applications of Argo CD": _applications,
    "scripts that source one file": _sourcing,
    "releases of charts": _releases,
    "folders with variables of Flux": _substituted,
    "charts without values": _charts,
    "charts and values elsewhere": _values,
    "variables of roles and hosts": _variables,
    "hosts of an inventory": _inventory,
    "lists of hosts and loops": _lists,
    "jobs and their scripts": _jobs,
    "files of Compose": _services,
    "images and pods": _images,
    "servers of Liberty": _servers,
    "patches and their targets": _patches,
    "a generator that merges": _merged,
    "connections and users": _connections,
    "pipelines with a matrix": _pipelines,
}
FOR_SITES = ("applications of Argo CD", "pipelines with a matrix")
"""Folders whose files are applied at several sites: so they are compared with each other."""
