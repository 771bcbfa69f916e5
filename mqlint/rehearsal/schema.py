"""The JSON Schema of a scenario, for editors, made of the keys that the reader accepts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import get_args

from mqlint.config.settings import REINSTATEMENTS
from mqlint.rehearsal.scenario import (
    ACTIONS,
    COPY_KEYS,
    KEYS,
    LONGEST,
    MOST_EVENTS,
    OPTIONS,
    Chlauth,
    Network,
    Objects,
)

Schema = Mapping[str, object]

_TEXT: Schema = {"type": "string"}
_FLAG: Schema = {"type": "boolean"}
_TEXTS: Schema = {"type": "array", "items": _TEXT}
_ONE_OR_MORE: Schema = {"anyOf": [_TEXT, _TEXTS]}
_DAY = "A day: 0 is the start of the test, -7 a week before."


def scenario_schema() -> Schema:
    """Return the JSON Schema. Names of sites and queue managers are checked only by the reader."""
    shapes: dict[str, Schema] = {
        "production": _ONE_OR_MORE,
        "dr": _TEXT,
        "days": _number(0, LONGEST),
        "network": _words(*get_args(Network)),
        "chlauth": _words(*get_args(Chlauth)),
        "last_published": _number(-30, 0),
        "made_by": _words(*REINSTATEMENTS),
        "queue_managers": {"type": "object", "additionalProperties": _copy()},
        "uses": {"type": "object", "additionalProperties": _TEXTS},
        "events": {
            "type": "array",
            "minItems": 1,
            "maxItems": MOST_EVENTS,
            "items": {"oneOf": [_event(action) for action in ACTIONS]},
        },
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A scenario of mqlint rehearse",
        "type": "object",
        "additionalProperties": False,
        "properties": {key: {**shapes[key], "description": _ABOUT[key]} for key in KEYS},
        "required": ["production", "dr", "events"],
    }


def as_text() -> str:
    return json.dumps(scenario_schema(), indent=1) + "\n"


def _number(least: int, most: int) -> Schema:
    return {"type": "integer", "minimum": least, "maximum": most}


def _words(*allowed: str) -> Schema:
    return {"enum": list(allowed)}


def _copy() -> Schema:
    """Return the schema of a queue manager that DR starts; an empty value means the defaults."""
    shapes: Mapping[str, Schema] = {
        "made_by": _words(*REINSTATEMENTS),
        "copy_of": _TEXT,
        "backup_day": _number(-LONGEST, 0),
        "connects_to": _words("production", "dr"),
        "own_address": _FLAG,
        "level": {"type": ["string", "number"]},
    }
    return {
        "type": ["object", "null"],
        "additionalProperties": False,
        "properties": {key: shapes[key] for key in COPY_KEYS},
    }


def _event(action: str) -> Schema:
    day = {**_number(-LONGEST, LONGEST), "description": _DAY}
    own = _words(*get_args(Network)) if action == "network" else _ONE_OR_MORE
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "day": day,
            action: own,
            **{option: _OPTIONS[option] for option in OPTIONS.get(action, ())},
        },
        "required": ["day", action, *(["remove"] if action == "reset" else [])],
    }


_OPTIONS: Mapping[str, Schema] = {
    "channels": _FLAG,
    "cluster": _TEXT,
    "repos": _FLAG,
    "remove": _TEXT,
    "by": _words("qmid", "qmname"),
    "queues": _FLAG,
    "objects": _words(*get_args(Objects)),
    "times": _number(1, LONGEST),
    "backup_day": _number(-LONGEST, LONGEST),
}
_ABOUT: Mapping[str, str] = {
    "production": "The production site, or a list of sites.",
    "dr": "The DR site.",
    "days": "The last day of the calendar. Default: 120.",
    "network": "The network between the sites at the start. Default: open.",
    "chlauth": "Whether production's channel authentication records refuse DR. Default: unknown, "
    "so the files decide.",
    "last_published": "The day on which production last published its records. Default: 0.",
    "made_by": "How DR gets its queue managers. Default: definitions.",
    "queue_managers": "The queue managers that DR starts, by name.",
    "uses": "The queues that applications use, by queue manager name.",
    "events": "The actions, each with its day.",
}
