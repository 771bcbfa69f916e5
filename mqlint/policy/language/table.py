"""The language of policies as one table: keys, operators, operands, kinds, what each takes.

Loading, the JSON Schema, suggestions for misspelt words and docs/policy-language.md come from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mqlint.config.forms import (
    FLAG,
    TEXT,
    TEXTS,
    Form,
    Key,
    Schema,
    any_of,
    listed,
    mapping,
    ref,
    words,
)
from mqlint.config.settings import PROFILES
from mqlint.dataclass import frozen
from mqlint.patterns import later
from mqlint.policy.compile.predicate import FACT_OPERATORS
from mqlint.policy.kinds.grouped import GROUPS, PLACE, SCOPES
from mqlint.policy.kinds.places import PARTNERS, PLACES, REPORTED, USERS
from mqlint.policy.kinds.sequence import REACHES
from mqlint.policy.language.forms import (
    CONDITION,
    FILES,
    KEY,
    KEYS,
    NETWORKS,
    NUMBER,
    OBJECT,
    PAIRS,
    SCALAR,
    condition_with,
    either,
    formed,
)
from mqlint.policy.language.parameters import TYPES
from mqlint.policy.language.repair import REPAIR

ID = later(r"[A-Z]{2,4}\d{3}\Z")
NAME = later(r"[a-z][a-z0-9]*(-[a-z0-9]+)*\Z")
PARAMETER_NAME = later(r"[a-z][a-z0-9]*(_[a-z0-9]+)*\Z")


def is_id(text: str) -> bool:
    """Whether a text can be the id of a policy: two to four letters and three digits."""
    return ID.match(text) is not None


# -- operators ----------------------------------------------------------------------------------


@frozen
class Operand:
    """What an operator takes.

    `forms` are the schemas of a value that is written out, `parameters` the types of parameters
    that may stand for it, `from_fact` the keys with which it is read from a fact.
    """

    written: str
    forms: tuple[Schema, ...] = ()
    parameters: tuple[str, ...] = ()
    from_fact: tuple[str, ...] = ()

    @property
    def schema(self) -> Schema:
        forms = list(self.forms)
        if self.parameters:
            forms.append(ref("param"))
        if self.from_fact:
            forms.append(ref("key" if self.from_fact == ("key",) else "sum"))
        return any_of(*forms) if self.parameters else forms[0]


_SCALARS: Schema = {"type": "array", "minItems": 1, "items": SCALAR.schema}
WORD = Operand("word", parameters=("integer", "boolean", "text", "texts"), from_fact=("key",))
TEST = Operand("test", (ref("test"),))
TESTS = Operand("list of tests", ({"type": "array", "minItems": 1, "items": ref("test")},))
BOOLEAN = Operand("`true` or `false`", (FLAG.schema,), ("boolean",))
PATTERNS = Operand("text or list", (SCALAR.schema, _SCALARS), ("text", "texts"), ("key",))
REGEX = Operand("regular expression", (TEXT.schema,), ("regex",))
INTEGER = Operand("whole number", ({"type": "integer"},), ("integer",), ("key", "times", "plus"))
NETWORK = Operand("network or list", (TEXT.schema, NETWORKS.schema), ("networks",))
RELEASE = Operand("release", ({"type": ["string", "number"]},), ("release",))
OTHER_KEY = Operand("key", (TEXT.schema,))


@frozen
class Operator:
    """An operator of a test: what it takes, and when it holds (of "the value")."""

    takes: Operand
    about: str

    @property
    def schema(self) -> Schema:
        return {**self.takes.schema, "description": f"The value {self.about}."}


OPERATORS: Mapping[str, Operator] = {
    "is": Operator(TEST, "satisfies the test"),
    "not": Operator(TEST, "does not satisfy the test"),
    "all": Operator(TESTS, "satisfies all tests"),
    "any": Operator(TESTS, "satisfies one of the tests"),
    "blank": Operator(BOOLEAN, "is blank; an absent attribute is blank"),
    "like": Operator(PATTERNS, "fits an MQ generic name, with `*` anywhere"),
    "starts_with": Operator(PATTERNS, "starts with the text"),
    "ends_with": Operator(PATTERNS, "ends with the text"),
    "matches": Operator(REGEX, "contains a match of the pattern"),
    "lt": Operator(INTEGER, "is a number less than the operand"),
    "le": Operator(INTEGER, "is a number less than or equal to the operand"),
    "gt": Operator(INTEGER, "is a number greater than the operand"),
    "ge": Operator(INTEGER, "is a number greater than or equal to the operand"),
    "length": Operator(TEST, "has a number of characters that satisfies the test"),
    "in_network": Operator(NETWORK, "is an address in the network"),
    "older_than": Operator(RELEASE, "is an older release; unknown if omitted parts decide"),
    "known": Operator(BOOLEAN, "is known"),
    "count": Operator(TEST, "has a number of elements that satisfies the test"),
    "same": Operator(OTHER_KEY, "equals the value of another key, lists as a whole"),
}
"""The operators of a test. Those in `FACT_OPERATORS` ask of a value as a whole, and stand alone."""

TEXT_OPERATORS = tuple(name for name in OPERATORS if name not in FACT_OPERATORS)
"""The operators that may be combined with each other."""

# -- kinds --------------------------------------------------------------------------------------

OTHER = Form("object and condition", condition_with(OBJECT))
_BOUNDS = mapping(
    Key("min", NUMBER, "Smallest number; counts only with `inventory: {objects: complete}`."),
    Key("max", NUMBER, "Largest number."),
    some=True,
)
_ORDER = mapping(
    Key("required", CONDITION, "A step that must be there."),
    Key("forbidden", CONDITION, "A step that must not be there."),
    one=True,
)
_AT = Key("at", KEY, "The attribute that the finding points at.")
_CAUSE = Key(
    "cause", KEY, "The `qmgr.KEY` that is at fault for all facts: one finding, which points at it."
)
_DISTINCT = mapping(
    *(Key(group, _BOUNDS, f"Number of different values of `{GROUPS[group]}`.") for group in GROUPS),
    some=True,
)
_SEQUENCE = mapping(
    Key("before", _ORDER, "What must, or must not, come before the step."),
    Key("after", _ORDER, "What must, or must not, come after the step."),
    Key("beside", _ORDER, "What must not come before or after the step."),
    Key("undone_by", CONDITION, "A step that undoes the other one if it comes between the two."),
    Key("same", KEYS, "Keys in which all these steps are equal."),
    Key(
        "within",
        words(*REACHES),
        "`procedure`: the step must be in the same script; `read`: in any that was read.",
    ),
)
_SEQUENCE.schema["oneOf"] = [{"required": [side]} for side in ("before", "after", "beside")]

KINDS: Mapping[str, Key] = {
    key.name: key
    for key in (
        Key(
            "attributes",
            Form(
                "condition, `at`, `cause`",
                condition_with(_AT, _CAUSE),
                keys=(_AT, _CAUSE),
            ),
            "The fact must satisfy the condition.",
        ),
        Key(
            "related",
            mapping(
                Key("to", OTHER, "Type of the other fact, and a condition on it.", required=True),
                Key("by", PAIRS, "Keys in which both must be equal.", required=True),
                Key(
                    "must",
                    words("exist", "not-exist"),
                    "Whether the other fact must exist.",
                    required=True,
                ),
                Key("where", CONDITION, "What the other must satisfy; `this.KEY` is this fact's."),
                Key("agree", KEYS, "Keys that must have equal values in both."),
                Key("differ", KEYS, "Keys that must have different values in both."),
                Key("across", FLAG, "Whether the other belongs to another queue manager."),
                Key(
                    "as_read",
                    FLAG,
                    "Whether a fact that no file has is missing, even if the files are not "
                    "declared complete.",
                ),
                Key(
                    "similar",
                    FLAG,
                    "Whether a fact is only missing if the queue manager, or any one, has one of a "
                    "similar name, even if the files are not declared complete.",
                ),
                _AT,
            ),
            "Another fact must exist, or must not.",
        ),
        Key(
            "grouped",
            mapping(
                Key("by", either(KEY, KEYS), "Facts equal in these form a group.", required=True),
                Key("within", words(*SCOPES), "The part of the estate that a group is limited to."),
                Key(
                    "between",
                    words(*GROUPS, PLACE),
                    "The key that distinguishes the parties of a group. `place`: files and "
                    "folders without a site that do not tell which queue manager they are for.",
                ),
                Key("distinct", _DISTINCT, "How many parties a group may have."),
                Key("agree", KEYS, "Keys of which each must be equal in a group."),
                Key("size", _BOUNDS, "How many facts a group may have."),
                Key(
                    "against",
                    CONDITION,
                    "With `agree`: facts that are right, with which only the others are compared.",
                ),
                Key(
                    "greater",
                    FLAG,
                    "With `against`: whether only a number greater than that of the right fact is "
                    "wrong.",
                ),
                _AT,
            ),
            "Facts with equal keys must agree, or stay within bounds.",
        ),
        Key("sequence", _SEQUENCE, "Steps of one procedure must come in this order."),
        Key(
            "reaches",
            mapping(
                Key(
                    "from",
                    either(words(*PLACES), NETWORKS),
                    "The source of the connections.",
                    required=True,
                ),
                Key(
                    "as", words(*USERS), "`administrator`: partners that specify an administrator."
                ),
                Key("by", words(*PARTNERS), "`stranger`: partners that no record names."),
                Key("every", FLAG, "Whether only access for all of them is wrong."),
                Key("must", FLAG, "Whether no access is wrong instead."),
            ),
            "No connection from this source may start the channel.",
        ),
        Key("diagnostic", TEXT, "A diagnostic of mqlint, only for built-in rules."),
    )
}

PLACEHOLDERS: Mapping[str, tuple[str, ...]] = {
    "related": ("related.name", "related.site", "related.queue_manager", "related.similar"),
    "grouped": (
        "size",
        *("others.site", "others.queue_manager", "others.owner", "others.name"),
        *("others.value", "others.path", "others.group"),
    ),
    "sequence": ("related.step",),
    "reaches": REPORTED,
}
"""Words for messages besides those of the fact itself, by kind."""

# -- header and cases ---------------------------------------------------------------------------

CASE = mapping(
    Key("name", SCALAR, "What the case shows.", required=True),
    Key("files", FILES, "Texts of files by their paths.", required=True),
    Key(
        "base",
        FILES,
        "Texts of the files before a change; only new findings are flagged.",
    ),
    Key("config", Form("mapping", {"type": "object"}), "The contents of mqlint.yaml."),
    Key(
        "profiles",
        listed(words(*PROFILES), "list of profiles"),
        "The profiles of the run. Default: all in which the policy has a severity.",
    ),
    Key(
        "today",
        Form("date", {"type": ["string", "number"]}),
        "The day for which waivers are checked.",
    ),
    Key("flagged", TEXTS, "Every path:line with a finding of this policy.", required=True),
    Key(
        "fixed",
        FILES,
        "Texts of the files that `repair` changes, as they are afterwards.",
    ),
    Key("also", TEXTS, "Other rules that may report a clean case."),
)

PARAMETER = mapping(
    Key("type", words(*TYPES), "The type of its values.", required=True),
    Key(
        "default",
        Form("value", {"type": ["string", "number", "boolean", "array"]}),
        "Its value if the configuration does not set it.",
        required=True,
    ),
    Key("says", TEXT, "What it is for.", required=True),
)
_PARAMETERS = Form(
    "`{NAME: {type, default, says}}`",
    {
        "type": "object",
        "propertyNames": {"pattern": formed(PARAMETER_NAME, "").schema["pattern"]},
        "additionalProperties": PARAMETER.schema,
    },
)

SEVERITIES = words("note", "warning", "error")
CONFIDENCES = words("high", "medium", "low")
EVIDENCES = words("product", "document", "recall")
_SEVERITY = mapping(
    *(Key(profile, SEVERITIES, f"Severity in the profile {profile}.") for profile in PROFILES),
    some=True,
)
_CASES = Form("list of cases", {"type": "array", "minItems": 1, "items": ref("case")})

HEADER = (
    Key(
        "id",
        formed(ID, "letters and three digits, as in OWN001"),
        "Two to four letters and three digits, never used again.",
        required=True,
    ),
    Key(
        "name",
        formed(NAME, "words joined by hyphens"),
        "Name for readers: words joined by hyphens.",
        required=True,
    ),
    Key("summary", TEXT, "What is wrong, in one line.", required=True),
    Key(
        "severity",
        replace(_SEVERITY, written="`{PROFILE: note, warning or error}`"),
        "Severity by profile; a profile that is not listed does not run the policy.",
        required=True,
    ),
    Key("confidence", CONFIDENCES, "How certain a finding is.", required=True),
    Key(
        "evidence",
        EVIDENCES,
        "Source of the fact: output of the product, IBM's documentation, or memory.",
    ),
    Key(
        "why",
        TEXT,
        "The effect on the user's system, then its cause; at most 60 words.",
        required=True,
    ),
    Key("fix", TEXT, "What to do. Indented lines keep their breaks.", required=True),
    Key(
        "more",
        TEXT,
        "Further detail, which explain and the pages show but the report does not. "
        "Indented lines keep their breaks.",
    ),
    Key("see", TEXTS, "Addresses of the sources."),
    Key("messages", TEXTS, "Messages and reason codes that the fault causes."),
    Key("covers", TEXTS, "Rows of the catalogue."),
    Key("aliases", TEXTS, "Former ids."),
    Key(
        "yields",
        mapping(
            Key("to", TEXTS, "Ids of the policies that report the same cause.", required=True),
            Key(
                "within",
                words("object", "queue_manager"),
                "Where they report it: about the same object or on the same line (the default), "
                "or anywhere about the queue manager.",
            ),
        ),
        "Policies whose finding replaces that of this policy.",
    ),
    Key("habit", FLAG, "true if only production needs it; a note at sites for tests."),
    Key("ignorable", FLAG, "false if comments and waivers must not suppress it."),
    Key("parameters", _PARAMETERS, "What users may set in mqlint.yaml, used as {param: NAME}."),
    Key("match", OTHER, "The type of object, and the condition on it."),
    Key(
        "check",
        mapping(*KINDS.values(), one=True),
        "One kind of check with its keys.",
        required=True,
    ),
    Key("unless", CONDITION, "A condition that makes a fact exempt."),
    Key(
        "message",
        TEXT,
        "The message of a finding; {name} and other keys in braces are filled in.",
        required=True,
    ),
    Key("repair", REPAIR, "The edit with which `mqlint fix` removes a finding, if one is certain."),
    Key(
        "cases",
        _CASES,
        "Small estates with the places the policy must flag: one flagged, one clean.",
        required=True,
    ),
)
"""The keys of a policy file."""
