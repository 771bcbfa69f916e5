"""What is fuzzed: a row for each target, with what it starts from and what must hold.

A language that mqlint reads and no row names fails a test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from zlib import crc32

from mqlint.vocabulary import Target
from tests.fuzz import seeds, words
from tests.fuzz.budget import SLACK
from tests.fuzz.checks import access, languages, reports, settings, sources, stores
from tests.fuzz.program import ANALYSER, text_of

Check = Callable[[bytes], None]
SPANS_EACH = 16


@dataclass(frozen=True)
class FuzzTarget:
    """One way into the program.

    `quick` is checked with every input, `deep` with one in `deep_each`, which the input decides;
    a campaign checks it with fewer, and with each input that it keeps. `work` is what `quick` does
    without what the checks themselves need: its memory, but for `slack` bytes, and its growth are
    measured. No input has more than `longest` bytes; `whole` is the share of inputs made from a
    whole seed instead of a few lines. A campaign tries a target at least `wanted` times.
    """

    name: str
    seeds: Callable[[], list[bytes]]
    words: Callable[[], Iterable[str]]
    quick: Check
    deep: Check
    language: str = ""
    deep_each: int = 400
    longest: int = 600
    whole: float = 0.0
    wanted: int = 100_000
    work: Check | None = None
    slack: int = SLACK

    def check(self, data: bytes, deep: bool | None = None) -> None:
        """Check one input; AssertionError, or what the program raises, where something is wrong."""
        self.quick(data)
        if crc32(data) % self.deep_each == 0 if deep is None else deep:
            self.deep(data)

    def tokens(self) -> list[bytes]:
        """The words, each with a blank behind it."""
        return [f"{word} ".encode("utf-8", "surrogatepass") for word in self.words()]


def _language(
    language: str,
    name: str,
    check: Check,
    tokens: Callable[[], Iterable[str]],
    texts: Callable[[], list[bytes]] | None = None,
    **more: object,
) -> FuzzTarget:
    """A target that is a language, in a file of some name.

    `check` reads the text again, so the campaign does it for one input in `SPANS_EACH`.
    """

    def quick(data: bytes) -> None:
        if crc32(data) % SPANS_EACH == 0:
            check(data)
        languages.read(language, name, data)

    def deep(data: bytes) -> None:
        check(data)
        languages.run(language, name, data)

    return FuzzTarget(
        language,
        texts or partial(seeds.of_language, language),
        tokens,
        quick,
        deep,
        language,
        work=partial(_analyse, language, name),
        **more,  # type: ignore[arg-type]
    )


def _analyse(language: str, name: str, data: bytes) -> None:
    ANALYSER.analyse(text_of(data), language, Target(), name)


def _nothing(data: bytes) -> None:
    """The quick check is thorough enough."""


def _of_script(*own: Iterable[str]) -> Callable[[], Iterable[str]]:
    return lambda: words.joined(*own, words.control_words())


_HOSTED = _of_script(words.HOSTED, ("\n", "\n  ", "\n- "), words.SHELL)

_ROWS = (
    _language(
        "mqsc",
        "a.mqsc",
        languages.mqsc,
        lambda: words.joined(words.MQSC, words.mqsc_words()),
        wanted=200_000,
    ),
    _language("notes", "a.txt", languages.notes, lambda: words.NOTES),
    _language("markdown", "a.md", languages.markdown, lambda: words.MARKDOWN),
    _language("ini", "qm.ini", languages.ini, lambda: words.joined(words.INI, words.ini_words())),
    _language("shell", "a.sh", languages.shell, _of_script(words.SHELL), wanted=200_000),
    _language("cmd", "a.bat", languages.cmd, _of_script(words.CMD), seeds.batch_files),
    _language(
        "powershell", "a.ps1", languages.powershell, _of_script(words.POWERSHELL), seeds.powershell
    ),
    _language("crontab", "crontab", languages.crontab, _of_script(words.CRONTAB, words.SHELL)),
    *(
        _language(
            host,
            name,
            partial(languages.hosted, host),
            _HOSTED,
            partial(seeds.hosted, host),
            whole=0.3,
        )
        for host, name in (
            ("systemd", "mq.service"),
            ("docker", "Dockerfile"),
            ("jenkins", "Jenkinsfile"),
            ("makefile", "Makefile"),
            ("upstart", "mq.conf"),
            ("terraform", "main.tf"),
            ("chef", "a.rb"),
            ("python", "a.py"),
            ("perl", "a.pl"),
            ("rexx", "a.rexx"),
            ("source", "a.java"),
            ("pipeline", ".gitlab-ci.yml"),
            ("expect", "a.exp"),
            ("task", "a.xml"),
        )
    ),
    _language("mounts", "mq.mount", languages.mounts, lambda: words.MOUNTS),
    _language("failover", "main.crm", languages.failover, lambda: words.FAILOVER),
    _language("captured", "a.txt", languages.captured, lambda: words.CAPTURED, seeds.captures),
    _language("drbd", "a.res", languages.drbd, lambda: words.DRBD, seeds.captures),
    _language("jcl", "a.jcl", languages.jcl, lambda: words.joined(words.JCL, words.jcl_words())),
    _language(
        "zparm", "a.asm", languages.zparm, lambda: words.joined(words.JCL, words.jcl_words())
    ),
    _language("keystore", "keystore.conf", languages.keystore, lambda: words.KEYSTORE),
    _language("dlq-rules", "a.rul", languages.dlq_rules, lambda: words.DLQ_RULES),
    _language("cl", "a.clle", languages.cl, lambda: words.joined(words.CL, words.cl_words())),
    _language(
        "manifest",
        "a.yaml",
        languages.manifest,
        lambda: words.MANIFEST,
        whole=0.3,
        longest=1000,
        wanted=200_000,
    ),
    _language(
        "ccdt", "a.json", languages.ccdt, lambda: words.joined(words.MANIFEST, words.ccdt_words())
    ),
    *(
        _language(language, name, partial(languages.objects, language), lambda: words.OBJECTS)
        for language, name in (
            ("rest", "a.json"),
            ("mq-commands", "a.yml"),
            ("mqdef", "a.mqdef_base"),
            ("puppet", "a.pp"),
            ("hiera", "a.yaml"),
        )
    ),
    _language("client-yaml", "application.yaml", languages.client_yaml, lambda: words.MANIFEST),
    _language(
        "client-properties",
        "application.properties",
        languages.client_properties,
        lambda: words.MANIFEST,
    ),
    _language("client-xml", "server.xml", languages.client_xml, lambda: words.CLIENT_XML),
    _language("web-server", "mqwebuser.xml", languages.web_server, lambda: words.CLIENT_XML),
    _language("connector", "a.json", languages.connector, lambda: words.CONNECTOR),
    _language(
        "connector-properties",
        "a.properties",
        languages.connector_properties,
        lambda: words.CONNECTOR,
    ),
    _language("environment", "a.env", languages.environment, lambda: words.ENVIRONMENT),
    FuzzTarget(
        "composed",
        partial(seeds.of_language, "manifest"),
        lambda: (*words.MANIFEST, *words.KUSTOMIZE),
        languages.composed_manifests,
        _nothing,
        whole=0.3,
        longest=2000,
    ),
    _language("jms-objects", "a.scp", languages.jms_objects, lambda: words.JMS_OBJECTS),
    _language(
        "transfer-properties",
        "agent.properties",
        languages.transfer_properties,
        lambda: words.TRANSFER,
    ),
    _language("transfer-json", "a.json", languages.transfer_json, lambda: words.TRANSFER),
    _language("routes", "mqipt.conf", languages.routes, lambda: words.TRANSFER),
    _language("exporter", "a.yaml", languages.transfer_json, lambda: words.TRANSFER),
    _language(
        "client-keys",
        "a.json",
        languages.client_keys,
        lambda: words.CONNECTOR,
        partial(seeds.of_language, "connector", "connector-properties"),
    ),
    FuzzTarget(
        "control",
        seeds.commands,
        lambda: ("-m", "-m v", "-", "--", "-x", "-lla", "QMA", "\ue000", "-t all", "*"),
        languages.control,
        partial(languages.run, "shell", "a.sh"),
    ),
    FuzzTarget(
        "recognise",
        seeds.everything,
        lambda: (*words.MQSC, *words.INI, *words.SHELL, *words.CMD, *words.CRONTAB, "#!/bin/sh\n"),
        sources.recognised,
        sources.recognised_and_run,
    ),
    FuzzTarget(
        "decode",
        seeds.encoded,
        lambda: ("\r", "\n", "\ufeff", "é", "ü"),
        sources.decoded,
        sources.decoded_and_run,
    ),
    FuzzTarget(
        "archive",
        seeds.archives,
        lambda: words.ARCHIVE,
        sources.archive,
        _nothing,
        longest=6000,
        whole=1.0,
        slack=16 << 20,  # tables of the packers
        wanted=200_000,
    ),
    FuzzTarget(
        "git-tree",
        seeds.trees,
        lambda: ("100644 ", "120000 ", "40000 ", "\0", ".git", "../"),
        sources.git_tree,
        _nothing,
        whole=1.0,
    ),
    FuzzTarget(
        "yaml",
        seeds.settings,
        lambda: words.YAML,
        settings.nodes,
        _nothing,
        longest=2000,
        whole=0.5,
        wanted=200_000,
    ),
    FuzzTarget(
        "project",
        seeds.settings,
        lambda: words.YAML,
        settings.project,
        settings.project_and_run,
        longest=2000,
        whole=0.5,
    ),
    FuzzTarget(
        "estate",
        seeds.settings,
        lambda: words.joined(words.ESTATE, words.YAML),
        settings.estate,
        _nothing,
        longest=2000,
        whole=0.5,
    ),
    FuzzTarget(
        "policy",
        seeds.policies,
        lambda: words.YAML,
        settings.policy,
        settings.policy_and_run,
        longest=3000,
        whole=0.5,
    ),
    FuzzTarget(
        "pattern",
        seeds.patterns,
        lambda: words.PATTERN,
        settings.pattern,
        _nothing,
        work=settings.pattern_once,
    ),
    FuzzTarget(
        "waivers",
        seeds.waivers,
        lambda: words.joined(words.WAIVERS, words.rule_words()),
        settings.waivers,
        _nothing,
        whole=0.5,
    ),
    FuzzTarget(
        "baseline", seeds.baselines, lambda: words.BASELINE, settings.baseline, _nothing, whole=0.5
    ),
    FuzzTarget(
        "comments",
        seeds.comments,
        lambda: words.joined(words.COMMENT, words.rule_words()),
        settings.comments,
        settings.comments_and_run,
    ),
    FuzzTarget("address", seeds.addresses, lambda: words.ADDRESS, access.addresses, _nothing),
    FuzzTarget("name", seeds.names, lambda: words.NAME, access.names, _nothing),
    FuzzTarget("report", seeds.hostile, lambda: words.HOSTILE, reports.names, _nothing, whole=0.5),
    FuzzTarget(
        "packed",
        seeds.packed,
        lambda: words.STORE,
        stores.packed,
        _nothing,
        longest=3000,
        whole=1.0,
    ),
    FuzzTarget("scan", seeds.stored, lambda: words.STORE, stores.scan, _nothing, whole=1.0),
)
TARGETS = {target.name: target for target in _ROWS}
