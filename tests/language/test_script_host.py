"""Scripts in systemd units, Dockerfiles, Jenkinsfiles, Terraform and YAML of CI and Ansible."""

from __future__ import annotations

import pytest

from mqlint.language.registry import recognise
from mqlint.language.script.target import Play, with_names
from tests.languages import script_in
from tests.linear import is_linear_in_time
from tests.shipped import shipped_vocabulary

CONTROL = shipped_vocabulary().control

UNIT = """[Unit]
After=network.target
[Service]
User=mqm
ExecStartPre=-/usr/bin/test -d /var/mqm
ExecStart=/opt/mqm/bin/strmqm \\
  -ns QMA
ExecStop=@/opt/mqm/bin/endmqm -w %i
"""
DOCKERFILE = """FROM base
# RUN strmqm QMX
RUN apt-get update && \\
    # a remark

    crtmqm -lc QMA && \\
    strmqm QMA
RUN <<'EOF'
runmqsc QMB <<END
ALTER QMGR DEADQ(D)
END
EOF
ENTRYPOINT ["strmqm", "-x", "QMA"]
CMD ["/bin/sh", "-c", "endmqm -w QMA"]
HEALTHCHECK --interval=1m \\
  CMD dspmq -m QMA
HEALTHCHECK CMD dspmq -m QMB
HEALTHCHECK NONE
LABEL a=strmqm \\
  RUN strmqm QMX
"""
TERRAFORM = """resource "aws_instance" "mq" {
  user_data = <<-EOF
    #!/bin/bash
    crtmqm -lc QMA
    echo "$${HOME} ${var.qm}"
    runmqsc QMA <<END
    ALTER QMGR DEADQ(D)
    END
  EOF
}
resource "null_resource" "more" {
  provisioner "remote-exec" { command = <<EOT
%{ if var.on }
strmqm QMB
%{ endif }
EOT
  }
}
output "x" { value = <<EOT
strmqm QMX
EOT
}
"""
PROVISIONERS = r"""resource "null_resource" "mq" {
  triggers = { command = "strmqm QMX" }
  provisioner "local-exec" {
    command = "runmqsc QMA < ${path.module}/a.mqsc"
  }
  provisioner "remote-exec" {
    inline = ["crtmqm -lc QMB", # made once
      "echo \"DEFINE QLOCAL(A)\" | runmqsc QMB", "strmqm ${each.value}"]
  }
  provisioner "local-exec" {
    when        = destroy
    interpreter = ["/bin/bash", "-c"]
    command     = "endmqm QMA\ndltmqm QMA"
  }
  provisioner "local-exec" {
    interpreter = ["PowerShell", "-Command"]
    command     = "strmqm QMX"
  }
  provisioner "local-exec" { command = "strmqm ${lookup(var.names, "a")}" }
  provisioner "local-exec" { command = "crtmqm -md ${path.module} QMC" }
  provisioner "file" { command = "strmqm QMX" }
}
resource "aws_ecs_task_definition" "mq" { command = ["strmqm", "QMX"] }
"""
PACKER = """build {
  provisioner "shell" {
    environment_vars = ["A=strmqm QMX"]
    inline = ["crtmqm -ll QMA", "strmqm QMA"]
  }
  provisioner "shell-local" { inline = ["dspmq -m QMA"] }
  provisioner "file" { source = "strmqm QMX" }
}
"""
CONFIG_MAP = """locals { what = "strmqm QMX" }
resource "kubernetes_config_map" "mq" {
  data = {
    "a.mqsc" = <<-EOT
      * Objects
      DEFINE QLOCAL(${var.name}) +
        MAXDEPTH(5)
    EOT
    readme = <<EOT
Define queues with care.
EOT
  }
}
"""
PLAYBOOK = """- hosts: mq
  vars: {qm: QMA}
  tasks:
    - name: make it
      ansible.builtin.command: crtmqm -lla QMA creates=/var/mqm/qmgrs/QMA
      become_user: mqm
    - name: start it
      shell: |
        strmqm QMA
        runmqsc QMA <<EOF
        ALTER QMGR DEADQ(D)
        EOF
      when: fresh
    - command: "endmqm -w {{ qm }}"
    - block:
        - command:
            cmd: strmqm QMB
      when: later
    - name: strmqm QMX
      debug: {msg: strmqm QMY}
"""
GITLAB = """make:
  script:
    - crtmqm QMA
    - 'strmqm QMA'
    - |
      dspmq
      endmqm -w QMA
  rules: [x]
stop:
  after_script: [no]
  script: endmqm QMB
"""
ALIASES = """.start: &start
  - strmqm QMA
.stop: &stop "endmqm QMA"
.branches: &branches
  - strmqm QMX
check:
  script: &check
    - dspmq
  only: *branches
deploy:
  script:
    - *start
    - *stop
again:
  script: *check
"""
LINES = """a:
  script: cd /
    && strmqm
    QMA
b:
  script:
    - echo x;
      strmqm QMB
    - !!str "echo a: b;
      strmqm QMC"
    - shell: !unsafe &x |
        strmqm QMD
"""
GITHUB = """on: push
jobs:
  a:
    steps:
      - uses: x
      - name: b
        if: failure()
        run: strmqm QMA
      - run: |
          # comment
          strmqm ${{ matrix.qm }}
          strmqm QMB
"""
JENKINS = """pipeline { stages { stage('x') { steps {
  sh 'strmqm QMA'
  sh(script: "strmqm ${QM}", returnStdout: true)
  sh '''
    crtmqm QMB
    strmqm QMB
  '''
  echo 'strmqm QMX'
} } } }
"""
GUARDED = """node('leeds') {
  // sh 'strmqm QMX'
  /* sh 'strmqm QMX' */
  echo "it's sh 'strmqm QMX'"
  sh 'endmqm -w QMA'
  if (params.images == 'yes') {
    sh 'rcdmqimg -m QMA -t all \'*\''
  } else sh 'dspmq'
  try { sh 'strmqm QMA' } catch (e) { sh 'strmqm QMB' }
  stage('s') { when { expression { params.S } }
    steps { sh 'strmqm QMC' } }
  stage('t') { steps { sh 'strmqm QMD' } }
}
node('derby') { sh 'strmqm QME' }
"""
PLAY = "- hosts: {}\n  tasks:\n    - shell: dspmq\n    - shell: dspmq\n"
JOB = "  {}:\n    runs-on: x\n    steps:\n      - run: dspmq\n      - run: dspmq\n"
STAGE = "{}:\n  script:\n    - dspmq\n    - dspmq\n"
BORDERS = [
    # language, text, what stands where anything may have happened
    ("jenkins", GUARDED, ["node"]),
    ("jenkins", JENKINS, []),
    ("pipeline", PLAY.format("a"), []),
    ("pipeline", PLAY.format("a") + PLAY.format("b"), ["hosts: b"]),
    ("pipeline", PLAY.format("a") + PLAY.format("a"), []),
    ("pipeline", STAGE.format("one") + STAGE.format("two"), ["two:"]),
    ("pipeline", "jobs:\n" + JOB.format("a") + JOB.format("b"), ["runs-on: x"]),
]
WINDOWS = (
    """node { stage('x') {
  bat 'strmqm %QM% & strmqm QMA'
  powershell """
    + "'''"
    + """
    $m = 'DEFINE QLOCAL(A)'
    $m | runmqsc QMB
  """
    + "'''"
    + """
  pwsh(script: "endmqm -w QMC")
} }
"""
)
WINDOWS_YAML = """jobs:
  a:
    steps:
      - shell: pwsh
        run: |
          if ($x) { strmqm QMA }
          @('DEFINE QLOCAL(A)', 'END') | runmqsc QMA
      - run: strmqm QMB & endmqm QMC
        shell: cmd
      - powershell: $q = 'QMD'; strmqm $q
      - win_shell: strmqm QME
      - run: strmqm QMF
        shell: bash
  b:
    runs-on: [self-hosted, windows]
    steps:
      - run: $q = 'QMG'; strmqm $q
      - run: strmqm QMH
        shell: bash
"""
MAKEFILE = r"""QM ?= QMA  # the first
HOST := $(shell hostname)
MQSC = docker exec -i mq runmqsc $(QM)
NAMES = A \
  B
TWICE = 1
TWICE = 2
LOOP = $(LOOP)
define QUEUES
DEFINE QLOCAL(PAY.IN)
DEFINE QLOCAL(PAY.OUT) DESCR('$(HOST)')
endef
export QUEUES
define OTHER
ALTER QMGR DESCR("x")
endef
prod: QM2 = QMP
all: one two
one:
\t@crtmqm -lc $(QM)
\t-strmqm $(LOOP) $(QM)
ifdef START
\tstrmqm QMB
endif
two: one
\techo "$$QUEUES" | $(MQSC)
\techo "$$OTHER" | $(MQSC)
\t@for q in $(NAMES); do \
\t  echo "DEFINE QLOCAL($$q.$(HOST))" | runmqsc $(HOST); \
\tdone
\tdspmq -m $(TWICE) -o $@
\techo "CLEAR QLOCAL(A)" | runmqsc $(HOST)
""".replace("\\t", "\t")
UPSTART = r"""description "strmqm QMX"
start on runlevel [2345]
pre-start script
  crtmqm QMA
  echo "ALTER QMGR DEADQ(D)" | runmqsc QMA
end script
exec su mqm -c \
  "strmqm QMA"
post-stop exec endmqm QMA
"""
TASK = r"""<?xml version="1.0"?>
<Task version="1.4" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <Actions Context="Author">
    <Exec>
      <Command>C:\MQ\bin\strmqm</Command>
      <Arguments>-x &quot;QMA&quot;</Arguments>
    </Exec>
    <Exec><Command>endmqm</Command><Arguments>-w QMA</Arguments></Exec>
    <Exec><Command>"C:\Program Files\cmd.exe"</Command></Exec>
  </Actions>
</Task>
"""
PYTHON = r'''#!/usr/bin/env python3
"""Runs strmqm, and:
DEFINE QLOCAL(X)
"""
# os.system("strmqm QMX")
subprocess.run(["sudo", "-u", "mqm", "/opt/mqm/bin/endmqm", "-w", "QMA"], check=True)
os.system("strmqm %s" % name)
subprocess.check_call("su - mqm -c 'dltmqm " + name + "'", shell=True)
subprocess.run(["runmqsc", queue_manager], input=text)
subprocess.run(f"echo \"DISPLAY QMGR\" | runmqsc {name}", shell=True)
log.error("strmqm -x failed")
print("usage: strmqm.py NAME")
'''
PYTHON_BLOCKS = r'''
QMGR: str = "QMA"  # of this host
OTHER = "QMB"
def start(how=OTHER):
    if how:
        run(["strmqm", QMGR])
    run(["endmqm", "-w", QMGR])
    run("strmqm " + QMGR)
for OTHER in names:
    run(["endmqm", OTHER])
try:
    with open("/srv/a.mqsc") as file:
        text = """
strmqm
"""
        run(
            ["endmqm", QMGR],
        )
    if __name__ == "__main__":
        run(["runmqsc", QMGR], stdin=file)
    run(["dltmqm", OTHER])
finally:
    done()
'''
PERL = r"""#!/usr/bin/perl
# system("strmqm QMX");

=head1 NAME

strmqm QMX

=cut

my $last = $#ARGV;
system('endmqm', '-w', $name);
system("strmqm $name") == 0 or die "strmqm failed: $?";
my @out = `dspmq; endmqm -i QMA`;
open(my $out, '|-', "runmqsc $name") or die "cannot run runmqsc: $!";
"""
HOSTS = [
    (
        "a.py",
        "python",
        PYTHON,
        [*("endmqm QMA", "strmqm None", "dltmqm None"), *("runmqsc None",) * 2],
    ),
    (
        "b.py",
        "python",
        PYTHON_BLOCKS,
        [
            *("strmqm QMA?", "endmqm QMA?", "strmqm QMA?", "endmqm None?", "endmqm QMA"),
            *("runmqsc QMA", "dltmqm None"),
        ],
    ),
    (
        "tools/a",
        "perl",
        PERL,
        ["endmqm None?", "strmqm None?", "dspmq None?", "endmqm QMA?", "runmqsc None?"],
    ),
    ("a.xml", "task", TASK, ["strmqm QMA", "endmqm QMA"]),
    # name, language, text, steps: `?` behind what may not run
    ("a.service", "systemd", UNIT, ["strmqm QMA", "endmqm None"]),
    ("a.tf", "terraform", TERRAFORM, ["crtmqm QMA", "runmqsc QMA", "strmqm QMB?"]),
    (
        "c.tf",
        "terraform",
        PROVISIONERS,
        [
            *("runmqsc QMA", "crtmqm QMB", "runmqsc QMB", "strmqm None"),
            *("endmqm QMA?", "dltmqm QMA?", "strmqm None", "crtmqm QMC"),
        ],
    ),
    ("mq.pkr.hcl", "terraform", PACKER, ["crtmqm QMA", "strmqm QMA", "dspmq QMA"]),
    ("b.tf", "terraform", CONFIG_MAP, []),
    (
        "Makefile",
        "makefile",
        MAKEFILE,
        [
            *("crtmqm QMA?", "strmqm QMA?", "strmqm QMB?", "runmqsc QMA", "runmqsc QMA"),
            *("runmqsc None", "runmqsc None", "dspmq None", "runmqsc None"),
        ],
    ),
    ("mq.conf", "upstart", UPSTART, ["crtmqm QMA", "runmqsc QMA", "strmqm QMA", "endmqm QMA"]),
    (
        "Dockerfile",
        "docker",
        DOCKERFILE,
        [
            *("crtmqm QMA?", "strmqm QMA?", "runmqsc QMB", "strmqm QMA", "endmqm QMA"),
            *("dspmq QMA", "dspmq QMB"),
        ],
    ),
    (
        "play.yml",
        "pipeline",
        PLAYBOOK,
        ["crtmqm QMA", "strmqm QMA?", "runmqsc QMA?", "endmqm QMA", "strmqm QMB?"],
    ),
    (
        ".gitlab-ci.yml",
        "pipeline",
        GITLAB,
        ["crtmqm QMA?", "strmqm QMA?", "dspmq None?", "endmqm QMA?", "endmqm QMB"],
    ),
    (".gitlab-ci.yml", "pipeline", ALIASES, ["strmqm QMA", "endmqm QMA", "dspmq None?"]),
    ("ci.yaml", "pipeline", GITHUB, ["strmqm QMA?", "strmqm None", "strmqm QMB"]),
    (".gitlab-ci.yml", "pipeline", LINES, ["strmqm QMA", "strmqm QMB", "strmqm QMC", "strmqm QMD"]),
    (
        "Jenkinsfile",
        "jenkins",
        JENKINS,
        ["strmqm QMA", "strmqm None", "crtmqm QMB", "strmqm QMB"],
    ),
    ("Jenkinsfile", "jenkins", WINDOWS, ["strmqm None", "strmqm QMA", "runmqsc QMB", "endmqm QMC"]),
    (
        "a.yml",
        "pipeline",
        WINDOWS_YAML,
        [
            *("strmqm QMA?", "runmqsc QMA", "strmqm QMB", "endmqm QMC", "strmqm QMD"),
            *("strmqm QME", "strmqm QMF", "strmqm QMG", "strmqm QMH"),
        ],
    ),
    (
        "Jenkinsfile",
        "jenkins",
        GUARDED,
        [
            *("endmqm QMA", "rcdmqimg QMA?", "dspmq None?", "strmqm QMA", "strmqm QMB?"),
            *("strmqm QMC?", "strmqm QMD", "strmqm QME"),
        ],
    ),
    (
        "plays.yml",
        "pipeline",
        "- hosts: a\n  tasks:\n    - command: strmqm QMA\n      delegate_to: localhost\n",
        ["strmqm QMA?"],
    ),
    (
        "tasks/rescue.yml",
        "pipeline",
        "- name: x\n  block:\n  - command: strmqm QMA\n  rescue:\n  - command: endmqm QMA\n"
        "  - raw: dspmq -m QMA\n  always:\n  - command: dspmq -m QMB\n- command: dspmq -m QMC\n",
        ["strmqm QMA", "endmqm QMA?", "dspmq QMA?", "dspmq QMB", "dspmq QMC"],
    ),
    (
        "user-data.yaml",
        "pipeline",
        "#cloud-config\nruncmd:\n  - crtmqm QMA\n  - 'strmqm QMA'\n",
        ["crtmqm QMA", "strmqm QMA"],
    ),
    (
        "maps.yaml",
        "pipeline",
        "kind: ConfigMap\ndata:\n  a.sh: |\n    strmqm QMA\n  b: |\n    #!/bin/sh\n    endmqm QMA\n"
        "  c: |\n    strmqm QMX\n",
        ["strmqm QMA", "endmqm QMA"],
    ),
    (
        "job.yaml",
        "pipeline",
        "kind: Job\nspec:\n  command: [bash]\n  args:\n  - -c\n  - |\n    strmqm QMA\n",
        ["strmqm QMA"],
    ),
    (
        "handlers.yml",
        "pipeline",
        "- hosts: a\n  handlers:\n    - name: x\n      command: strmqm QMA\n  tasks:\n"
        "    - command: strmqm QMB\n- hosts: a\n  tasks:\n    - command: strmqm QMC\n",
        ["strmqm QMA?", "strmqm QMB", "strmqm QMC"],
    ),
]


SET_BY_FILE = [
    # language, text, queue managers of its steps
    ("systemd", '[Service]\nEnvironment=QM=QMA "X=a b"\nExecStart=strmqm ${QM}\n', ["QMA"]),
    ("systemd", '[Service]\nExecStart=strmqm $QM\nEnvironment="QM=QMA"\n', ["QMA"]),
    ("systemd", "[Service]\nEnvironment=QM=QMA\nEnvironment=\nExecStart=strmqm $QM\n", [None]),
    ("systemd", "[Service]\nEnvironment=QM=%i\nExecStart=strmqm $QM\n", [None]),
    (
        "systemd",
        "[Service]\nEnvironment=QM=QMA\nEnvironmentFile=/etc/mq\nExecStart=strmqm $QM\n",
        [None],
    ),
    ("crontab", "QM = 'QMA'\n0 1 * * * strmqm $QM\nQM=QMB\n0 2 * * * strmqm $QM\n", ["QMA", "QMB"]),
    ("crontab", "0 1 * * * strmqm $QM\nQM=QMA\nQM=$LOGNAME\n0 2 * * * strmqm $QM\n", [None, None]),
    ("crontab", "SHELL=/bin/bash\n0 1 * * * strmqm A\nSHELL=/bin/x\n0 2 * * * strmqm B\n", ["A"]),
    ("docker", "FROM a\nENV QM=QMA X=y\nRUN strmqm $QM\nFROM b\nRUN strmqm $QM\n", ["QMA", None]),
    ("docker", "FROM a\nENV QM QMA\nARG QM=QMB\nRUN strmqm $QM\nCMD strmqm $QM\n", ["QMA", None]),
    (
        "docker",
        "FROM a\nARG QM=QMB\nENV NAME=$QM\nRUN strmqm $QM\nRUN strmqm $NAME\n",
        [None, None],
    ),
]


@pytest.mark.parametrize(("language", "text", "expected"), SET_BY_FILE)
def test_variables_that_a_file_sets_for_its_commands(
    language: str, text: str, expected: list[str | None]
) -> None:
    assert [step.queue_manager for step in script_in(language, text).steps] == expected


@pytest.mark.parametrize(("name", "language", "text", "steps"), HOSTS)
def test_the_scripts_of_a_file(name: str, language: str, text: str, steps: list[str]) -> None:
    assert recognise(name, text) == language
    script = script_in(language, text)
    told = [f"{one.command} {one.queue_manager}{'?' * one.execution.maybe}" for one in script.steps]
    assert told == steps
    for step in script.steps:  # a variable of make ends with a parenthesis
        assert text[slice(*step.command_span)].endswith((step.command, ")"))


def test_mqsc_stands_where_it_is_written() -> None:
    for language, text in (("docker", DOCKERFILE), ("pipeline", PLAYBOOK)):
        (inner,) = script_in(language, text).embedded
        assert inner.text == "ALTER QMGR DEADQ(D)\n"
        assert inner.host(0) == text.index("ALTER QMGR")


PROGRAMS = [
    ("python", "run('DEFINE QLOCAL(' + name + ') MAXDEPTH(%d) '\n    'REPLACE' % 5)", 1),
    ("python", 'run("""\nDEFINE QLOCAL(A)\nALTER QMGR DEADQ(A)\n""")', 1),
    (
        "python",
        "for line in ['DEFINE QLOCAL(A)', f'ALTER QLOCAL({name})']:\n  run(line)",
        2,
    ),
    # a part is elsewhere, it describes the program, is compared, or printed for people
    ("python", "text = 'DEFINE CHANNEL(A)'\ntext += ' CHLTYPE(RCVR)'\nrun(text)", 0),
    ("python", "run('DEFINE QLOCAL(A) ' + (' '.join(more)))", 0),
    ("python", 'def run():\n    """DEFINE QLOCAL(A)\n\n    more\n    """\n', 0),
    (
        "python",
        "re.search(r'DEFINE QLOCAL\\(A\\)', text)\nif 'DEFINE QLOCAL(' in text:\n  x()",
        0,
    ),
    ("python", "log.info('DEFINE QLOCAL(A)')", 0),
    # Python keeps the backslash of what is for a shell, Perl removes it
    ("python", "run('echo DEFINE QLOCAL\\(A\\) | runmqsc QMA')", 0),
    ("python", 'run("echo \\"DEFINE QLOCAL(A)\\" | runmqsc QMA")', 1),
    ("perl", "print $out \"DEFINE QLOCAL('$q->{name}') REPLACE\\n\";", 1),
    ("perl", "print $out <<EOT;\nDEFINE QLOCAL('$name') +\n  REPLACE\nEOT\nx();\n", 1),
    (
        "perl",
        "print $out 'ALTER QMGR DEADQ(' . $name . ')' . \"\\n\";\nrun(qq{ALTER QMGR DEADQ($a)});",
        2,
    ),
    # lines of the queue and of a stem are one text; `say` is for people
    (
        "rexx",
        "queue \"DEFINE QLOCAL('\"name\"') +\"\nqueue ' REPLACE'\n"
        "queue 'ALTER QMGR DEADQ(''A'')' ,\n"
        "  'FORCE'\n'runmqsc' qm\n",
        1,
    ),
    ("rexx", "c.1 = 'DEFINE QLOCAL(A)'\nc.2 = 'DEFINE QLOCAL(B)'\n/* 'DEFINE QLOCAL(C)' */", 1),
    ("rexx", "if rc > 0 then say 'DEFINE QLOCAL(A)'\nc = 'DEFINE CHANNEL(A)'\nc = c 'DESCR(A)'", 0),
    ("source", "const text = `\nDEFINE QLOCAL('${name}')\n` // DEFINE QLOCAL(B)", 1),
    ("source", 'text = "DEFINE QLOCAL(A)\\n" + "DEFINE QLOCAL(" + name() + ")";', 1),
    ("source", 'text = """\nDEFINE QLOCAL("A")\n"""; new ProcessBuilder("strmqm", "QMA")', 1),
    # patterns, and texts that are compared
    (
        "source",
        'rx = regexp.MustCompile(`DEFINE QLOCAL\\((.*)\\)`); s.contains("ALTER QMGR DEADQ(A)")',
        0,
    ),
    # parts of a command
    (
        "source",
        'a.append("DEFINE CHANNEL(A) ").append("DESCR(A)"); a.add("DEFINE QLOCAL(A) +");',
        0,
    ),
    ("source", 'fmt.Fprintf(w, "DEFINE CHANNEL(A) "); log.info("DEFINE CHANNEL(A)")', 0),
    (
        "source",
        'c = "DEFINE CHANNEL(A)"; c = c + "DESCR(A)"; d = ["ALTER QMGR DESCR(A)", "MAXMSGL(9)"]',
        0,
    ),
    ("python", 'f.write("DEFINE CHANNEL(A) ")\nf.write("DESCR(A)\\n")', 0),
    ("perl", "my $c = 'DEFINE CHANNEL(A)';\n$c .= ' CHLTYPE(RCVR)';\n", 0),
]


@pytest.mark.parametrize(("language", "text", "count"), PROGRAMS)
def test_mqsc_in_strings_of_programs(language: str, text: str, count: int) -> None:
    script = script_in(language, text)
    assert len(script.embedded) == count
    assert count or script.unfollowed or "log" in text or '"""' in text
    for inner in script.embedded:
        assert inner.execution.maybe or inner.queue_manager
        assert text[inner.host(0) :].startswith(inner.text[:5])


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", "import shutil\nshutil.rmtree('/var/mqm/qmgrs/QMA')\n"),
        ("a.py", "print('strmqm failed')\n"),
        ("tests/a.py", "run('strmqm QMA')\n"),
        ("tools/test_a.py", "run('strmqm QMA')\n"),
        ("t/a.pl", "system('strmqm QMA');\n"),
    ],
)
def test_programs_of_tests_and_those_without_texts_for_mq_are_not_read(
    path: str, text: str
) -> None:
    assert recognise(path, text) is None


GIVEN = """\
- hosts: mq
  vars:
    own_mqsc: CLEAR QLOCAL(A)
  tasks:
  - copy:
      dest: /tmp/objects.mqsc
      content: |
        DEFINE QLOCAL({{ name }})
    when: first
  - template: {src: a.mqsc, dest: /tmp/b.mqsc}
  - copy: {dest: /tmp/notes.txt, content: DEFINE QLOCAL(NOT.HERE)}
  - command:
      cmd: runmqsc -e QMB
      stdin: PING QMGR
  - command: {cmd: sort, stdin: PING QMGR}
  - shell: echo 'END' | runmqsc QMC
"""


def test_tasks_write_mqsc_and_hand_it_over() -> None:
    found = script_in("pipeline", GIVEN).embedded
    told = [
        (embedded.text.split("(")[0], embedded.queue_manager, embedded.execution.maybe)
        for embedded in found
    ]
    assert sorted(told) == [
        ("CLEAR QLOCAL", None, False),
        ("DEFINE QLOCAL", None, True),
        ("END", "QMC", False),
        ("PING QMGR", "QMB", False),
    ]
    for embedded in found:
        assert GIVEN[embedded.host(0) :].startswith(embedded.text[:3])


OPERATED = """\
- hosts: zos
  tasks:
  - ibm.ibm_zos_core.zos_operator:
      cmd: "+MQ7A DEF QLOCAL(A) DESCR(''a b'')"
    when: first
  - zos_operator: {cmd: "{{ prefix }} DIS QLOCAL(B)"}
  - zos_operator: {cmd: "-DB2A DISPLAY THREAD(*)"}
  - zos_operator: {cmd: "DISPLAY QLOCAL(NOT.SENT)"}
  - shell: {cmd: "+MQ7A DIS QLOCAL(NOT.SENT)"}
"""


def test_cloud_init_writes_mqsc() -> None:
    text = (
        "#cloud-config\nwrite_files:\n- path: /a/b.mqsc\n  content: |\n    DIS QMGR\n"
        "- path: /a/c.mqsc\n  encoding: b64\n  content: RElTIFFMKCop\n"
        "- path: /a/d.mqsc\n  encoding: gzip\n  content: RElTIFFMKCop\n"
        "- path: /a/e.mqsc\n  encoding: b64\n  content: '%'\n- path: /a/f\n  content: DIS QMGR\n"
    )
    found = script_in("pipeline", text).embedded
    texts = [(inner.text.strip(), inner.encoded) for inner in found]
    assert texts == [("DIS QMGR", False), ("DIS QL(*)", True)]


def test_an_operator_sends_commands_behind_a_prefix() -> None:
    found = script_in("pipeline", OPERATED).embedded
    assert [(each.text, each.model, each.execution.maybe) for each in found] == [
        ("DEF QLOCAL(A) DESCR('a b')", "#+MQ7A", True),
        ("DIS QLOCAL(B)", "#{{ prefix }}", False),
    ]
    assert OPERATED[found[0].host(len("DEF QLOCAL(A) DESCR('")) :].startswith("a b")


@pytest.mark.parametrize(("language", "text"), [("systemd", UNIT), ("upstart", UPSTART)])
def test_what_a_unit_runs_is_run_at_boot(language: str, text: str) -> None:
    script = script_in(language, text)
    assert {step.execution.schedule for step in script.steps} == {"boot"}


def test_variables_of_make() -> None:
    found = script_in("makefile", MAKEFILE).embedded
    queues, other, *looped, last = found
    assert queues.queue_manager == other.queue_manager == "QMA"
    assert queues.text.startswith("DEFINE QLOCAL(PAY.IN)\nDEFINE QLOCAL(PAY.OUT) DESCR('")
    assert "\ue000" in queues.text
    assert queues.host(0) == MAKEFILE.index("DEFINE QLOCAL(PAY.IN)")
    assert queues.host(queues.text.index("DESCR")) == MAKEFILE.index("DESCR")
    assert "x" not in other.text  # a shell reads its quotation marks
    assert [inner.text.partition(".")[0] for inner in looped] == [
        "DEFINE QLOCAL(A",
        "DEFINE QLOCAL(B",
    ]
    assert last.host(0) == MAKEFILE.index("CLEAR")
    assert len({inner.model for inner in with_names([*looped, last], Play(MAKEFILE))}) == 1


@pytest.mark.parametrize(("language", "text", "places"), BORDERS)
def test_between_hosts_anything_may_happen(language: str, text: str, places: list[str]) -> None:
    script = script_in(language, text)
    found = [text[at:].splitlines()[0].strip() for at in script.calls]
    assert [one.partition("(")[0] for one in found] == places


@pytest.mark.parametrize(
    ("text", "language", "inner"),
    [
        (WINDOWS, "jenkins", "DEFINE QLOCAL(A)"),
        (WINDOWS_YAML, "pipeline", "DEFINE QLOCAL(A)\nEND"),
    ],
)
def test_mqsc_in_scripts_of_windows(text: str, language: str, inner: str) -> None:
    (found,) = script_in(language, text).embedded
    assert found.text == inner
    assert found.host(0) == text.index("DEFINE")


def test_mqsc_in_a_heredoc_stands_where_it_is_written() -> None:
    (found,) = script_in("terraform", CONFIG_MAP).embedded
    assert found.text == "* Objects\nDEFINE QLOCAL(${var.name}) +\n  MAXDEPTH(5)\n"
    for word in ("Objects", "DEFINE", "MAXDEPTH"):
        assert found.host(found.text.index(word)) == CONFIG_MAP.index(word)
    assert (found.queue_manager, found.execution.maybe) == (None, False)


UNREAD = [
    # pipelines, and the lines of commands that are in no script that is read
    ("a:\n  labels: [\"echo x | runmqsc QMA\", 'strmqm QMA']\n", [2, 2]),
    ("a:\n  variables: {X: strmqm QMA}\n  script:\n    - strmqm QMB\n", [2]),
    ("- run: |\n    os.system('x; strmqm QMA')\n  shell: python\n", [2]),
    ("- lineinfile:\n    line: /opt/mqm/bin/strmqm QMA\n- shell: strmqm QMB\n", [2]),
    ("# - strmqm QMA\n- name: strmqm QMA\n  desc: 'strmqm QMA'\n  run: strmqm QMB\n", []),
    ("- debug:\n    msg: /opt/mqm/bin/strmqm QMA\n- shell: strmqm QMB # strmqm QMC\n", []),
]


@pytest.mark.parametrize(("text", "lines"), UNREAD)
def test_commands_outside_of_scripts_are_noted(text: str, lines: list[int]) -> None:
    places = script_in("pipeline", text).unfollowed
    assert [text.count("\n", 0, at) + 1 for at in places] == lines


UNSEEN = [
    # a language, a text, and its lines that run a text which no file shows
    ("docker", "FROM x\nRUN curl -sL h | sh\nRUN sh /tmp/up.sh\n", [2]),
    ("pipeline", "steps:\n- script: |\n    curl -s h | bash\n    strmqm QMA\n", [3]),
    ("makefile", "all:\n\tcurl -s h | sh\n\tstrmqm QMA\n", [2]),
    ("makefile", "$(eval $(shell cat plan))\n${eval $(call of,a)}\n$(eval A := b)\n", [1]),
    ("cmd", "curl -o up.bat https://h.example/x\r\ncall up.bat\r\n", [2]),
    ("cmd", 'powershell -c "iex (iwr h)"\r\npowershell -File up.ps1\r\n', [1]),
]


@pytest.mark.parametrize(("language", "text", "lines"), UNSEEN)
def test_texts_that_no_file_shows_are_noted(language: str, text: str, lines: list[int]) -> None:
    script = script_in(language, text)
    places = [*script.unfollowed, *(at for name, at in script.awaited if not name)]
    assert [text.count("\n", 0, at) + 1 for at in places] == lines


FOLDED = [
    # One paragraph is one line, and an empty line ends it.
    ("DEFINE QLOCAL(A)\n    REPLACE", "DEFINE QLOCAL(A) REPLACE\n"),
    ("DEFINE QLOCAL(A)\n\n    DEFINE QLOCAL(B)", "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)\n"),
    ("DEFINE QLOCAL(A)\n\n\n    DEFINE QLOCAL(B)", "DEFINE QLOCAL(A)\n\nDEFINE QLOCAL(B)\n"),
    # Lines that are indented further keep their line ends.
    ("DEFINE QLOCAL(A)\n      REPLACE", "DEFINE QLOCAL(A)\n  REPLACE\n"),
]


@pytest.mark.parametrize(("written", "inner"), FOLDED)
def test_a_folded_scalar_joins_the_lines_of_a_paragraph(written: str, inner: str) -> None:
    text = f"steps:\n- script: >\n    set -e\n\n    echo '{written}' | runmqsc QMA\n"
    (found,) = script_in("pipeline", text).embedded
    assert found.text.rstrip() == inner.rstrip()
    last = inner.split()[-1]
    assert text[found.host(inner.rindex(last)) :].startswith(last)


NOT_HOSTS = [
    ("Makefile", "all:\n\tcc -lmqm a.c\n"),
    ("a.conf", "exec strmqm QMA\n"),
    ("a.conf", "start on boot\nexec sshd\n"),
    ("a.tf", 'resource "x" "strmqm" {}\n'),
    ("a.tf", "x = <<EOT\nhello\nEOT\n"),
    ("a.yaml", "apiVersion: v1\nkind: Pod\nspec:\n  command: [strmqm, QMA]\n"),
    ("a.yaml", "name: strmqm\n"),
    ("a.yaml", "run: make\n"),
    ("a.yaml", "match: {object: step}\ncommand: strmqm\n"),
    ("a.service", "[Service]\nExecStart=/bin/true\n"),
    ("Dockerfile", "FROM strmqm\n"),
    ("Jenkinsfile", "node { echo 'strmqm' }\n"),
]


@pytest.mark.parametrize(("name", "text"), NOT_HOSTS)
def test_a_file_that_runs_no_command_of_mq_is_none(name: str, text: str) -> None:
    assert recognise(name, text) is None


@pytest.mark.growth
@pytest.mark.sample(8)
@pytest.mark.parametrize(
    "language", ["systemd", "upstart", "docker", "jenkins", "makefile", "terraform", "pipeline"]
)
@pytest.mark.parametrize(
    "piece",
    [
        *(
            "run: a\n",
            "- ",
            "- run: |\n  x\n",
            "RUN <<E\n",
            "RUN a \\\n",
            "sh '''",
            "ExecStart=a \\\n",
            "cmd=<<E\n",
            "a.mqsc=<<E\nDIS QMGR\nE\n",
        )
    ],
)
def test_time_grows_linearly(language: str, piece: str) -> None:
    assert is_linear_in_time(lambda times: script_in(language, piece * times), 500)


@pytest.mark.growth
@pytest.mark.parametrize("piece", ["strmqm\n", " \n", "x: y\n", "run", "- "])
def test_recognition_takes_linear_time(piece: str) -> None:
    assert is_linear_in_time(lambda times: recognise("a.yml", "strmqm\n" + piece * times), 4_000)


ESCAPED = [
    ("jenkins", r"""node { sh "echo \"DEFINE QLOCAL(A)\" | runmqsc QMA" }""", "DEFINE QLOCAL(A)"),
    ("jenkins", r"""node { sh 'echo \'DEFINE QLOCAL(A)\' | runmqsc QMA' }""", "DEFINE QLOCAL(A)"),
    (
        "jenkins",
        r"""node { sh "load() { echo 'DEFINE QLOCAL('\$1')' | runmqsc QMA; }; load B" }""",
        "DEFINE QLOCAL(B)",
    ),
    (
        "chef",
        "execute 'a' do\n"
        r'''  command "echo \"DEFINE QLOCAL('A')\" | runmqsc QMA"'''
        "\nend\n",
        "DEFINE QLOCAL('A')",
    ),
    (
        "chef",
        "execute 'a' do\n"
        r"""  command 'echo \'DEFINE QLOCAL(A)\' | runmqsc QMA'"""
        "\nend\n",
        "DEFINE QLOCAL(A)",
    ),
    ("python", "path.write_text('DEFINE QLOCAL(A)')\n", "DEFINE QLOCAL(A)"),
]


@pytest.mark.parametrize(("language", "text", "inner"), ESCAPED)
def test_mqsc_in_a_string_with_its_quotes(language: str, text: str, inner: str) -> None:
    (found,) = script_in(language, text).embedded
    assert found.text.strip() == inner
