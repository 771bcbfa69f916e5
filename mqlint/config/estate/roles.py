"""Roles of sites that the names of folders and files tell: production, DR, test, development."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from mqlint.config.settings import Role
from mqlint.grouping import agreed, grouped
from mqlint.number import is_digits
from mqlint.patterns import later

# Words in folder names that tell a role. Whole words only: "drain" and "latest" tell none.
_ROLE_WORDS: dict[str, Role] = {
    **dict.fromkeys(("prod", "production", "prd", "live"), "production"),
    **dict.fromkeys(
        (
            *("dr", "drs", "drc", "drsite", "drdrill", "drill", "drills", "disasterrecovery"),
            *("standby", "backupsite", "recoverysite", "standbysite", "coldsite", "warmsite"),
            *("failoversite", "contingency", "bcdr", "bcp", "drp", "secours", "notfall", "uitwijk"),
            *("contingencia", "contingenza"),
        ),
        "dr",
    ),
    **dict.fromkeys(
        (
            *("test", "tests", "testing", "tst", "uat", "qa", "sit", "staging", "stg"),
            *("fixture", "fixtures", "testdata"),
        ),
        "test",
    ),
    **dict.fromkeys(("dev", "development", "devel", "sandbox"), "development"),
}
_TESTS_OF_DR = frozenset({"drtest", "drtests", "drtesting", "recoverytest"})
_BESIDE_OTHERS: dict[str, Role] = {"primary": "production", "recovery": "dr"}
"""Words that tell a role beside a name for the other one: `primary` and `dr`."""
_NOT_YET = frozenset({"non", "not", "no", "pre", "post"})
"""Words before production that say that it is something else."""
_OTHER_ENVIRONMENTS = frozenset(
    "lab labs demo demos poc pilot training trng perf performance loadtest integration int preprod "
    "nonprod preview playground example examples sample samples doc docs archive archived "
    "workshop workshops course courses tutorial tutorials tests spec specs fixture fixtures mocks "
    "expected golden local docker vagrant base template templates skeleton skeletons draft drafts "
    "old orig bak previous prev history legacy obsolete retired decommissioned".split()
)
"""Words of folders that tell no role, and whose files are not those of production."""
_SOURCES_OF_TESTS = later(
    r"(?:^|/)src/(it|e2e|integration|functional|acceptance|[\w-]{0,40}Tests?|testFixtures)"
    r"/(?:resources|java|kotlin|groovy|scala)/"
)
"""Folders of sources; most of their names tell no role elsewhere."""
_UNDOING = frozenset({"backout", "rollback"})
"""Words of folders and files that take a change back."""
_SPLIT = later(r"\B(?=(?:site|drills?|recovery)\Z)")
"""Where a word for DR may be two: `disaster-recovery`."""
_WORDS_FOR_DR = "|".join(
    _SPLIT.sub("[^a-z]{0,3}", word) for word, role in _ROLE_WORDS.items() if role == "dr"
)
_DR = later(rf"(?<![a-z])(?:{_WORDS_FOR_DR})(?![a-z])|dr\d")
_WORDS_FOR_PAIRS = later(rf"(?<![a-z])(?:{'|'.join(_BESIDE_OTHERS)}|prod|production|dr)(?![a-z])")
"""A word of a name of which another one has the word for the other site."""
_BETWEEN = later(r"(?i)[|:,;/&+]|(?<![a-z])(?:and|or)(?![a-z])")
"""What is between alternatives."""
_WORDS = later(r"[a-z]+")
_PART = later(r"prod|prd|drs?|uat|test|tst|dev")
"""What may tell a role inside a word, if another name differs only in it."""
_SIGNS = "._-%"
_Part = tuple[str, str, str, str]
"""A name, and what is before the word for a role in it, the word, and what follows it."""
_LONGEST = 255
"""Characters of the longest name of a file on most systems; longer ones are not compared."""
_SHORTEST = 3
"""Characters of a name without digits that another one may have with a word for a role."""


@lru_cache(maxsize=4096)  # most files are in folders of the same names
def role_of(name: str) -> Role | None:
    """Return the role that the name of a folder tells, or None.

    Of two roles in one name only DR together with production or in front of a word for tests tell
    one: "prod-dr" is the DR of production, "dr-test" a test of it. "test-dr" may be the DR of test.
    "non-prod" and "pre-production" tell none, as "preprod" does.
    """
    words = _WORDS.findall(name.casefold())
    words += [*map("".join, pairwise(words)), "".join(words)]
    roles = {_ROLE_WORDS[word] for word in words if word in _ROLE_WORDS}
    if roles == {"production", "dr"} or _TESTS_OF_DR.intersection(words):
        return "dr"
    if "production" in roles and _NOT_YET.intersection(words):
        return None
    return roles.pop() if len(roles) == 1 else None


def sources_of_tests(path: str) -> str | None:
    """Return the folder of a path that holds sources of tests of Maven or Gradle, as `src/it`."""
    found = _SOURCES_OF_TESTS.search(path)
    return None if found is None else found[1]


def role_of_all(name: str) -> Role | None:
    """Return the role that the alternatives of a label tell, None for several: `prod|dr`."""
    roles = {role_of(part) for part in _BETWEEN.split(name)} - {None}
    return roles.pop() if len(roles) == 1 else None


def role_as(label: str) -> str:
    """Return a label, or the role that only other labels beside it make it tell: `primary`."""
    if role_of_all(label) is None:
        roles = {_BESIDE_OTHERS.get(word) for word in _WORDS.findall(label.casefold())} - {None}
        return roles.pop() or label if len(roles) == 1 else label
    return label


def word_for_site(words: Iterable[str]) -> str:
    """Return the last of some words that tells a role, blank if none does or they tell several."""
    by_role = {role: word for word in words if (role := role_of_all(word)) is not None}
    return by_role.popitem()[1] if len(by_role) == 1 else ""


def tell_both_sites(labels: Iterable[str]) -> bool:
    """Return whether one of some labels is for production, and one for DR."""
    return {"production", "dr"} <= {role_of_all(label) for label in labels}


def names_dr(text: str) -> bool:
    """Return whether a text has a word for DR, or a name such as `mqdr1`."""
    return _DR.search(text.lower()) is not None  # three times as fast as in any case


def tells_other_role(name: str) -> bool:
    """Return whether a part of a name is a word for another role than production: TSTQM1."""
    words = _PART.findall(name.casefold())
    return any(_ROLE_WORDS[word] != "production" for word in words)


def tells_other_environment(path: str) -> bool:
    """Return whether a path says that it is not of production: lab/, pre-prod/, backout.mqsc."""
    *folders, file = map(_WORDS.findall, path.casefold().split("/"))
    return not _UNDOING.isdisjoint(file) or any(
        not (_OTHER_ENVIRONMENTS | _UNDOING).isdisjoint(words)
        or (not _NOT_YET.isdisjoint(words[:-1]) and _ROLE_WORDS.get(words[-1]) == "production")
        for words in folders
    )


def roles_of_pairs(paths: Iterable[str], managers: Iterable[str] = ()) -> Mapping[str, Role]:
    """Return the roles of names that tell one only beside each other, by the name in lower case.

    The names are those of folders, of files and of the queue managers `managers`.
    `QMPROD1` and `QMDR1` are such names: each is the other with another word for a role. `QMDR2`
    then belongs to DR too, as it begins like a name of a pair up to the word. `PRODLIB` and `DRLIB`
    are a pair that says nothing of other names that begin like them. `QM1` and `QM1DR` are
    such a pair if no name says what `QM1` is. `setup` and `setup-dr` are one if they are beside
    each other in all folders, and no `setup-prod` is. A name that tells two roles has none.
    """
    paths, managers = [*paths], {*managers}
    spelled = grouped((name.casefold(), name) for name in {*managers, *_names_in(paths)})
    parts = [(name, *part) for name in sorted(spelled) for part in _parts_of(name)]
    evidence = [*_of_pairs(parts), *_beside_others(spelled)]
    is_told = any(role == "production" for _, role in evidence)
    is_told = is_told or "production" in map(role_of, spelled)
    sure = set() if is_told else {name.casefold() for name in managers}
    bases = {_without(part) for _, *part in parts if _ROLE_WORDS[part[1]] == "production"}
    copies = {
        name: original
        for name, original, is_word in _copies(parts, spelled)
        if original not in bases
        and (is_word or {name, original} <= sure or (not is_told and _has_capitals(spelled[name])))
    }
    beside = _beside(paths, copies)
    for name, original in copies.items():
        if name in beside or {name, original} <= sure:
            evidence += (name, "dr"), (original, "production")
    return agreed(evidence)


def _of_pairs(parts: Sequence[_Part]) -> Iterator[tuple[str, Role]]:
    """Yield the names that differ from another one in the word for a role, with their roles.

    With them those that begin like one of a pair up to the word. A pair that begins with the word
    says nothing of others.
    """
    pairs = grouped(((start, rest), (start, word)) for _, start, word, rest in parts)
    roles = {key: {_ROLE_WORDS[word] for _, word in found} for key, found in pairs.items()}
    beginnings = {
        start
        for (before, rest), found in pairs.items()
        if before and len(roles[before, rest]) > 1
        for start in found
    }
    for name, start, word, rest in parts:
        if not start:
            is_of_pair = len(rest) >= _SHORTEST and {"production", "dr"} <= roles[start, rest]
        else:
            is_end = not rest[:1].isalpha() or len(pairs[start, rest]) > 1
            is_of_pair = (start, word) in beginnings and is_end
        if is_of_pair:
            yield name, _ROLE_WORDS[word]


def _beside_others(names: Collection[str]) -> Iterator[tuple[str, Role]]:
    """Yield names of sites, if one of them has the word `primary`.

    Without it, a folder `recovery` beside `prod` may have what restores production.
    """
    alike = grouped(
        (_WORDS_FOR_PAIRS.sub("*", name), (name, role))
        for name in names
        if len(name) <= _LONGEST and _WORDS_FOR_PAIRS.search(name) is not None
        if (role := role_of_all(role_as(name))) is not None
    )
    for found in alike.values():
        if len({role for _, role in found}) > 1 and any("primary" in name for name, _ in found):
            yield from found


def _copies(parts: Iterable[_Part], names: Collection[str]) -> Iterator[tuple[str, str, bool]]:
    """Yield names that are another one with a word for DR, that one, and if it is a whole word."""
    for name, start, word, rest in parts:
        original = _without((start, word, rest))
        is_name = len(original) >= _SHORTEST or any(map(is_digits, original))
        if _ROLE_WORDS[word] == "dr" and original in names and is_name:
            yield name, original, not (start[-1:].isalpha() or rest[:1].isalpha())


def _without(part: Sequence[str]) -> str:
    """Return a name without the word for a role in it."""
    start, _, rest = part
    return start.rstrip(_SIGNS) + rest if start else rest.lstrip(_SIGNS)


def _has_capitals(spellings: Iterable[str]) -> bool:
    return any(map(str.isupper, spellings))


def _beside(paths: Iterable[str], copies: Mapping[str, str]) -> set[str]:
    """Return the names that are in each folder in which what they are copies of is.

    A name such as `scripts` is that of many folders, and a copy of one says nothing of others.
    """
    folders: dict[str, set[str]] = {name: set() for pair in copies.items() for name in pair}
    for path in paths if folders else ():
        around = ""
        for name in _names_in([path.casefold()]):
            if name in folders:
                folders[name].add(around)
            around = f"{around}/{name}"
    return {
        name
        for name, original in copies.items()
        if folders[original] and folders[original] <= folders[name]
    }


def _names_in(paths: Iterable[str]) -> Iterator[str]:
    """Yield the names of the folders of paths and those of their files without their endings."""
    for path in paths:
        *folders, file = path.split("/")
        yield from folders
        yield file.rpartition(".")[0] or file


def _parts_of(name: str) -> Iterator[tuple[str, str, str]]:
    """Yield what is before each word for the one role in a name, the word, and what follows it.

    DRSYS has `dr` and `drs`.
    """
    words = list(_PART.finditer(name)) if len(name) <= _LONGEST else []
    for found in words if len({_ROLE_WORDS[word.group()] for word in words}) == 1 else ():
        for word in dict.fromkeys((found.group(), found.group().removesuffix("s"))):
            yield name[: found.start()], word, name[found.start() + len(word) :]
