"""Messages: a rule's template, the words that fill it, and the finding that has it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mqlint.compact import recent
from mqlint.finding import Finding, Location, Related, Rule, Severity, Subject, fingerprint
from mqlint.patterns import later
from mqlint.source.masking import shown

_PLACEHOLDER = later(r"\{([\w.-]+)\}")


def placeholders(template: str) -> tuple[str, ...]:
    """Return the names in braces in `template`, in order, each once."""
    return tuple(dict.fromkeys(_PLACEHOLDER.findall(template)))


def fill(template: str, data: Mapping[str, str]) -> str:
    """Return `template` with its placeholders replaced; one without data is `unknown`."""
    text = _PLACEHOLDER.sub(lambda found: _word(found[1], data.get(found[1], "unknown")), template)
    return shown(text)


def _word(name: str, value: str) -> str:
    """Return the value of a placeholder in a message, with object types as in MQSC."""
    if name != "object.type":
        return value
    return "queue manager" if value == "qmgr" else value.upper()


def finding_of(
    rule: Rule,
    severity: Severity,
    data: Mapping[str, str],
    location: Location,
    subject: Subject,
    *,
    detail: str = "",
    related: tuple[Related, ...] = (),
    incident: str | None = None,
) -> Finding:
    """Return what a rule finds, its message filled with `data`.

    `detail` distinguishes it from others of the rule about the subject: see `fingerprint`.
    """
    message = fill(rule.message, data)
    if location.spelling:
        from mqlint.language.objects import spelling  # few files are in such a form

        if location.spelling == spelling.SETMQAUT and "command" in data:
            message = fill(rule.message, spelling.as_setmqaut(data))
        meant = data.get("suggestion") if "value" not in data else None
        words = (subject.attribute, data.get("word"), meant)
        message = spelling.spelled(message, location.spelling, (word for word in words if word))
    return Finding(
        rule=rule,
        severity=severity,
        message=recent(message),
        location=location,
        subject=_visible(subject),
        fingerprint=recent(fingerprint(rule.id, subject, detail)),
        incident=incident,
        related=related,
        detail=detail,
    )


def _visible(subject: Subject) -> Subject:
    """A subject whose name holds no signs of this program, as a report shows it."""
    name = subject.object_name
    if name is None or name.isascii():
        return subject
    return replace(subject, object_name=shown(name))
