"""Documents: what of them is judged, and that their parts are apart."""

from __future__ import annotations

import pytest

from mqlint.language.base import Context
from mqlint.language.markdown.reader import read
from mqlint.language.mqsc import Dialect, Parser
from mqlint.source.budget import Budget
from tests.shipped import shipped_vocabulary

PAGE = """\
# Payments

First the queue:

```
DEFINE QLOCAL(PAY.IN) MAXDEPTH(10)
```

1. Then the queue manager of the branch:

   ```bash
   crtmqm -lc BRANCH
   strmqm BRANCH
   runmqsc BRANCH <<EOF
   DEFINE QLOCAL(PAY.OUT)
   EOF
   ```

~~~yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: objects}
data:
  a.mqsc: |
    DEFINE QLOCAL(PAY.MAP)
~~~

```bash
DEFINE QLOCAL(PAY.BASH)
DEFINE CHANNEL(...) CHLTYPE(SDR)
DEFINE LISTENER(PAY.TCP) TRPTYPE(TCP) PORT(14xx)
```

```ini
Log:
   LogType=CIRCULAR
```
"""


def _read(text: str) -> list[tuple[str, str, str | None, str]]:
    vocabulary = shipped_vocabulary()
    context = Context("markdown", vocabulary, Budget(len(text)), Parser(vocabulary), Dialect())
    parsed = read(text, context)
    inner = [*parsed.embedded, *(parsed.script.embedded if parsed.script is not None else ())]
    for found in inner:
        word = found.text.split()[0]
        assert text[found.host(found.text.index(word)) :].startswith(word)
        assert found.execution.maybe
    return [
        (found.language, found.text.strip(), found.queue_manager, found.model) for found in inner
    ]


def test_the_code_blocks_of_a_document() -> None:
    found = _read(PAGE)
    assert sorted(text for _, text, _, _ in found) == [
        "DEFINE QLOCAL(PAY.BASH)",
        "DEFINE QLOCAL(PAY.IN) MAXDEPTH(10)",
        "DEFINE QLOCAL(PAY.MAP)",
        "DEFINE QLOCAL(PAY.OUT)",
        "Log:\n   LogType=CIRCULAR",
    ]
    nameless = [model for _, _, queue_manager, model in found if queue_manager is None]
    assert len(set(nameless)) == len(nameless) == 4


def test_a_fence_that_is_open_hides_nothing() -> None:
    assert [text for _, text, _, _ in _read("```\nDEFINE QLOCAL(A)\n")] == ["DEFINE QLOCAL(A)"]


def test_tags_at_the_ends_of_lines_are_not_part_of_commands() -> None:
    found = _read("define qlocal(PAY.A)<br/>\ndefine qlocal(PAY.B) put(disabled)<BR>\n")
    text = "\n".join(text for _, text, _, _ in found)
    assert [line.rstrip() for line in text.splitlines()] == [
        "define qlocal(PAY.A)",
        "define qlocal(PAY.B) put(disabled)",
    ]


def test_words_for_the_reader_to_replace_are_no_redirections() -> None:
    vocabulary = shipped_vocabulary()
    context = Context("markdown", vocabulary, Budget(200), Parser(vocabulary), Dialect())
    text = "rdqmadm -p -m QMA -n <node 2>\ncrtmqm -ll -lf <pages> <QMNAME>\nstrmqm <QMNAME>\n"
    script = read(f"```\n{text}```\n", context).script
    assert script is not None
    assert [(step.reads, [option.name for option in step.options]) for step in script.steps] == [
        (None, ["p", "m", "n"]),
        (None, ["ll", "lf"]),
        (None, []),
    ]


def test_a_here_document_with_a_resource_is_a_script() -> None:
    page = """\
```
cat > pay.yaml << EOF
apiVersion: v1
kind: ConfigMap
metadata: {name: objects}
data:
  a.mqsc: |
    DEFINE QLOCAL(PAY.MAP)
EOF
oc apply -f pay.yaml
```

```
cat > route.yaml << EOF
apiVersion: route.openshift.io/v1
kind: Route
EOF
```
"""
    assert [text for _, text, _, _ in _read(page)] == ["DEFINE QLOCAL(PAY.MAP)"]


@pytest.mark.parametrize(
    ("fence", "line", "is_listed"),
    [
        ("makefile", "\tstrmqm QM1", True),
        ("dockerfile", "RUN strmqm QM1", True),
        ("python", 'os.system("strmqm QM1")', True),
        ("python", 'print("see strmqm for more")', False),
        ("yaml", "- hosts: a\n  tasks:\n  - shell: strmqm QM1", True),
        ("ini", "[Service]\nExecStart=/opt/mqm/bin/strmqm QM1", True),
        ("json", '{"scripts": {"up": "strmqm QM1"}}', True),
        ("cron", "0 1 * * * strmqm QM1", True),
        ("diff", "+strmqm QM1", False),
        ("text", "strmqm QM1", False),
        ("text", "> DEFINE QLOCAL(A) MAXDEPTH(1)", False),
        ("console", "18 | DEFINE QLOCAL(A) +", False),
        ("output", "strmqm QM1", False),
    ],
)
def test_commands_in_blocks_for_other_tools_are_listed(
    fence: str, line: str, is_listed: bool
) -> None:
    vocabulary = shipped_vocabulary()
    context = Context("markdown", vocabulary, Budget(200), Parser(vocabulary), Dialect())
    page = f"```{fence}\n{line}\n```\n"
    found = [page[at:].split()[0] for at in read(page, context).unfollowed]
    assert found == (["strmqm"] if is_listed else [])


@pytest.mark.parametrize(
    ("page", "places"),
    [
        ("[source,bash]\n----\nstrmqm QM1\n----\n", ["strmqm"]),
        (".. code-block:: console\n\n   $ runmqsc QM1 < a.mqsc\n", ["runmqsc"]),
        ("Then:\n\n    strmqm QM1\n", ["strmqm"]),
        ('```json\n{"command": "DEFINE QLOCAL(A)"}\n```\n', ["DEFINE"]),
        ("```python\nDEFINE QLOCAL(A)\n```\n", []),
        ("runmqsc QM1\nDEFINE QLOCAL(A)\n", []),
        ("strmqm is the command; see strmqm QM1\n", []),
        ("Use `strmqm QM1` for it.\n", []),
        ("strmqm QM1 starts it again\nendmqm QM1 ends it, if you may.\n", []),
        ("- strmqm QM1 starts it\n- `strmqm` starts a queue manager\n", []),
        ("1. `strmqm QM1`\n2. `endmqm QM1`.\n", ["strmqm", "endmqm"]),
        ("| 1 | `strmqm QM1` |\n| 2 | `DEFINE QLOCAL(A)` | x |\n", ["strmqm", "DEFINE"]),
        ("Run `echo 'DEFINE QLOCAL(A)' | runmqsc QM1` on the host.\n", ["runmqsc"]),
        ("Then `runmqsc QM1 < a.mqsc` on it.\n", ["runmqsc"]),
        ("<pre><code>strmqm QM1\n</code></pre>\n", ["strmqm"]),
        ("<pre>echo 'DEFINE QLOCAL(A)' | runmqsc QM1\n</pre>\n", ["runmqsc"]),
        ("----\necho 'DEFINE QLOCAL(A)' | runmqsc QM1\n----\n", ["runmqsc"]),
        ("```yaml\nservices:\n  a:\n    image: mq\n    command: strmqm QM1\n```\n", ["strmqm"]),
    ],
)
def test_commands_on_their_own_lines_and_in_texts_of_programs_are_listed(
    page: str, places: list[str]
) -> None:
    vocabulary = shipped_vocabulary()
    context = Context("markdown", vocabulary, Budget(200), Parser(vocabulary), Dialect())
    found = [page[at:].split()[0] for at in read(page, context).unfollowed]
    assert found == places


def test_commands_after_a_fence_without_an_end_are_listed() -> None:
    vocabulary = shipped_vocabulary()
    context = Context("markdown", vocabulary, Budget(200), Parser(vocabulary), Dialect())
    page = "```sh\nstrmqm QM1\n"
    assert [*read(page, context).unfollowed] == [page.index("strmqm")]
