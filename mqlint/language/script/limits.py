"""Limits of users and settings of the kernel that are lower than IBM asks for.

Source: IBM MQ documentation, "Configuring and tuning the operating system on Linux" (q008550_).
They are found by lines: `ulimit`, `LimitNOFILE=`, limits.conf, sysctl.conf, tasks of Ansible.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mqlint.finding import Diagnostic
from mqlint.language.script.settings import settings_around
from mqlint.patterns import later
from mqlint.vocabulary.limits import KERNEL, OPEN_FILES, PROCESSES

_ULIMIT = later(r"^[ \t]*ulimit[ \t]+(?:-[HS][ \t]+)?-[HS]?([nu])[ \t]+(\d{1,9})\b", re.MULTILINE)
_LIMITS_LINE = later(
    r"""^[ \t]*(?:echo[ \t]+(?:["'][ \t]*)?)?@?mqm[ \t]+(?:soft|hard|-)[ \t]+
    (nofiles?|nprocs?|noproc)[ \t]+(\d{1,9}|-1|unlimited|infinity)\b""",
    re.MULTILINE | re.VERBOSE,
)
"""A line of limits.conf for the user mqm, as scripts write it: `mqm hard nofile 10240`."""
_KERNEL = later(
    r"^[^#;\n]{0,200}?\b(kernel\.[a-z_-]{3,12})[ \t]*=[ \t]*[\"']?"
    r"(\d{1,18}(?:[ \t]+\d{1,12}){0,3}+)",
    re.MULTILINE,
)
"""A line of sysctl.conf, or what `sysctl -w` and echo are given: `kernel.shmmni = 4096`."""
_TASK = later(r"(?m)^[ \t]*(?:- +)?(limit_item|name)[ \t]*:[ \t]*[\"']?(nofile|nproc|kernel\.\w+)")
"""A limit or a setting in a task of Ansible: pam_limits and sysctl."""
_LIMITS = {
    **dict.fromkeys(("n", "NOFILE", "nofile"), ("open files", OPEN_FILES)),
    **dict.fromkeys(("u", "NPROC", "nproc"), ("processes", PROCESSES)),
}
"""What is limited and how many IBM asks for, by the words of ulimit, systemd and pam_limits."""


def limit_faults(text: str) -> Iterator[Diagnostic]:
    """Yield the limits and settings of any text that are lower than IBM asks for."""
    yield from limits_of(_ULIMIT, text)
    yield from _limits_conf(text)
    if "kernel." in text:
        yield from kernel_faults(text)
    for found in _TASK.finditer(text) if "value:" in text else ():
        yield from _task(text, found)


def limits_of(form: re.Pattern[str], text: str) -> Iterator[Diagnostic]:
    """Yield the limits that are lower than what IBM asks for; `form` finds a name and a number."""
    for found in form.finditer(text):
        yield from _too_low(found[1], found[2], found.span(2))


def kernel_faults(text: str) -> Iterator[Diagnostic]:
    """Yield settings of the kernel in lines of sysctl.conf that are too low."""
    for found in _KERNEL.finditer(text):
        yield from kernel_fault(found[1], found[2], found.span(2))


def _limits_conf(text: str) -> Iterator[Diagnostic]:
    """Yield limits in lines of limits.conf that are too low, or whose name pam_limits ignores."""
    for found in _LIMITS_LINE.finditer(text):
        name = found[1]
        if name in _LIMITS:
            yield from _too_low(name, found[2], found.span(2))
        else:
            what, least = _LIMITS["nofile" if name.startswith("nofile") else "nproc"]
            value = f"not set ({name} is not the name of a limit)"
            data = {"value": value, "least": str(least), "what": what}
            yield Diagnostic("limit-too-low", *found.span(1), data)


def _task(text: str, found: re.Match[str]) -> Iterator[Diagnostic]:
    """Yield the limit of a task for the user mqm, or its setting of the kernel."""
    task = settings_around(text, found.start())
    value, at = task.get("value", ("", 0))
    span = at, at + len(value)
    if found[2] in _LIMITS:
        if task.get("domain", ("", 0))[0] == "mqm":
            yield from _too_low(found[2], value, span)
    else:
        yield from kernel_fault(found[2], value, span)


def kernel_fault(name: str, value: str, span: tuple[int, int]) -> Iterator[Diagnostic]:
    """Yield a setting of which a number is too low; kernel.sem has four."""
    least = KERNEL.get(name)
    numbers = value.split()
    if least is None or len(numbers) != len(least) or not all(map(str.isdigit, numbers)):
        return
    if any(int(number) < floor for number, floor in zip(numbers, least, strict=True)):
        data = {"value": value, "least": " ".join(map(str, least)), "what": name}
        yield Diagnostic("limit-too-low", *span, data)


def _too_low(name: str, value: str, span: tuple[int, int]) -> Iterator[Diagnostic]:
    what, least = _LIMITS[name]
    if value.isdigit() and int(value) < least:
        data = {"value": value, "least": str(least), "what": what}
        yield Diagnostic("limit-too-low", *span, data)
