"""Path patterns, compared with a plain matcher that tries everything."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqlint.config.globs import GlobError, Globs, compile_glob
from tests.linear import is_linear_in_steps, is_linear_in_time


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("prod/**", "prod/QM1/a.mqsc", True),
        ("prod/**", "prod", False),
        ("prod/**", "reprod/a", False),
        ("prod/", "prod/a/b", True),
        ("prod", "prod/a/b", True),
        ("prod", "prod", True),
        ("prod/*", "prod/a", True),
        ("prod/*", "prod/a/b", False),
        ("**/*.mqsc", "a.mqsc", True),
        ("**/*.mqsc", "x/y/a.mqsc", True),
        ("**/*.mqsc", "x/y/a.mqsc.bak", False),
        ("a/**/b", "a/b", True),
        ("a/**/b", "a/x/y/b", True),
        ("a/**/b", "a/x/yb", False),
        ("**", "x", True),
        ("**/**/x", "x", True),
        ("./a", "a", True),
        ("q?.ini", "qm.ini", True),
        ("q?.ini", "q/.ini", False),
        ("[a-c]x", "bx", True),
        ("[!a-c]x", "bx", False),
        ("[!a-c]x", "dx", True),
        ("a[!b]c", "a/c", False),
        ("a.b", "aXb", False),
        ("*", "line\nbreak", True),
        ("Prod/*", "prod/a", False),
    ],
)
def test_matches(pattern: str, path: str, fits: bool) -> None:
    assert compile_glob(pattern).matches(path) is fits


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("*.bak", "a/b/c.bak", True),
        ("tmp", "a/tmp/x", True),
        ("a/tmp", "b/a/tmp", False),
        ("a/*", "a/b/c", True),
        ("tmp/", "tmp/x", True),
    ],
)
def test_exclusions_float_and_hold_beneath(pattern: str, path: str, fits: bool) -> None:
    assert compile_glob(pattern, beneath=True, floating=True).matches(path) is fits


@pytest.mark.parametrize(
    ("pattern", "path", "parts"),
    [
        ("{site}/{queue_manager}/*", "leeds/QM1/a.mqsc", {"site": "leeds", "queue_manager": "QM1"}),
        ("**/{queue_manager}.mqsc", "x/QM.A.mqsc", {"queue_manager": "QM.A"}),
        ("**/{queue_manager}.*", "x/QM.A.mqsc", {"queue_manager": "QM.A"}),
        ("{site}-{queue_manager}.mqsc", "dr-QM-1.mqsc", {"site": "dr", "queue_manager": "QM-1"}),
        ("{queue_manager}.*.mqsc", "QM1.channels.mqsc", {"queue_manager": "QM1"}),
        ("{queue_manager}/**", "QM1", None),
    ],
)
def test_placeholders(pattern: str, path: str, parts: dict[str, str] | None) -> None:
    assert compile_glob(pattern, placeholders=True).parts(path) == parts


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("", "empty"),
        (" ", "empty"),
        ("/prod/**", "leading '/'"),
        ("C:/prod", "leading '/'"),
        ("prod\\x", "forward slashes"),
        ("a/../b", "'..'"),
        ("a//b", "'//'"),
        ("a**/b", "stand alone"),
        ("a[b", "without its ']'"),
        ("[z-a]", "reversed"),
        ("{a,b}/c", "one pattern for each choice"),
        ("a}", "one pattern for each choice"),
    ],
)
def test_bad_patterns_say_why(pattern: str, reason: str) -> None:
    with pytest.raises(GlobError, match=re.escape(reason)):
        compile_glob(pattern)


@pytest.mark.parametrize("pattern", ["{host}/x", "{site}/{site}", "{site}*/x", "*{site}", "{site"])
def test_bad_placeholders(pattern: str) -> None:
    with pytest.raises(GlobError):
        compile_glob(pattern, placeholders=True)


def _name_fits(pattern: str, name: str) -> bool:
    if not pattern:
        return not name
    if pattern[0] == "*":
        return any(_name_fits(pattern[1:], name[at:]) for at in range(len(name) + 1))
    return bool(name) and pattern[0] in ("?", name[0]) and _name_fits(pattern[1:], name[1:])


def _path_fits(pattern: list[str], path: list[str]) -> bool:
    if not pattern:
        return not path
    if pattern == ["**"]:
        return bool(path)
    if pattern[0] == "**":
        return any(_path_fits(pattern[1:], path[at:]) for at in range(len(path) + 1))
    return bool(path) and _name_fits(pattern[0], path[0]) and _path_fits(pattern[1:], path[1:])


PIECES = str.maketrans({"A": "*a", "B": "*b", "Q": "*?"})
NAMES = st.builds(
    lambda pieces, end: pieces.translate(PIECES) + end,
    st.text("ab?ABQ", max_size=8),
    st.sampled_from(("", "*")),
).filter(bool)
"""Names without two stars side by side; made of a regular expression they take far longer."""
PATTERNS = st.lists(st.one_of(NAMES, st.just("**")), min_size=1, max_size=5)
PATHS = st.lists(st.text("ab", min_size=1, max_size=6), min_size=1, max_size=6)


@pytest.mark.slow
@settings(max_examples=400)
@given(PATTERNS, PATHS)
def test_agrees_with_a_matcher_that_tries_everything(pattern: list[str], path: list[str]) -> None:
    text = "/".join(["?*", *pattern])  # a wildcard first: no pattern is then a bare folder
    expected = _path_fits(["?*", *pattern], ["a", *path])
    assert compile_glob(text).matches("/".join(["a", *path])) is expected


@pytest.mark.slow
@settings(max_examples=400)
@given(st.lists(PATTERNS, max_size=6), PATHS, st.booleans(), st.booleans())
def test_many_patterns_match_as_each_does(
    patterns: list[list[str]], path: list[str], beneath: bool, floating: bool
) -> None:
    globs = [
        compile_glob("/".join(pattern), beneath=beneath, floating=floating) for pattern in patterns
    ]
    text = "/".join(path)
    expected = [at for at, glob in enumerate(globs) if glob.matches(text)]
    assert list(Globs(globs).matching(text)) == expected


@pytest.mark.growth
def test_many_patterns_of_names_take_steps_in_line_with_the_paths() -> None:
    def work(count: int) -> None:
        globs = Globs([compile_glob(f"**/app{number}/*.json") for number in range(count)])
        for number in range(count):
            assert list(globs.matching(f"a/app{number}/b.json")) == [number]

    assert is_linear_in_steps(work, 40)


@pytest.mark.growth
@pytest.mark.parametrize(
    ("pattern", "unit"),
    [
        ("*a*a*a*a*a*a*a*b", "a"),
        ("**/a/**/a/**/a/**/a/**/b", "a/"),
        ("**/*a*a*a*b/**/*a*a*c", "aa/"),
    ],
)
def test_hostile_paths_take_linear_time(pattern: str, unit: str) -> None:
    glob = compile_glob(pattern)
    assert is_linear_in_time(lambda size: glob.matches(unit * size + "x"), 1_000)
