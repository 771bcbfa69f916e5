"""Users that a file puts into the group mqm, although other commands of it limit what they may do.

Members of the group have all authorities (IBM's page "Privileged users"), so grants to them and the
MCAUSER of a channel limit nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.script.faults.environment import settings_around
from mqlint.patterns import later

_JOINS = later(
    r"(?im)^[^#\n]{0,120}?\b(useradd|usermod|adduser|addgroup|deluser|gpasswd|localgroup"
    r"|mkuser|chuser|chgroup|chgrpmem|groupmems|dscl|dseditgroup"
    r"|(?:Add|Remove)-LocalGroupMember)[ \t]+([^\n;&|]{1,300})"
)
_TASK = later(r"(?m)^[ \t]*(?:- +)?groups?[ \t]*:[ \t]*([^\n#]{1,100})")
_LIMITED = later(
    r"(?im)\bsetmqaut\b(?P<words>[^\n;&|]{1,300})|\b(?P<kind>PRINCIPAL|MCAUSER|GROUP)[ \t]*"
    r"\([ \t]*'?(?P<user>[\w.$@{}-]{1,64})'?[ \t]*\)(?P<rest>[^\n]{0,200})"
)
_WORD = later(r"[^\s\"',]+(?:,[^\s\"']+)*|,")
_ALL = later(r"(?i)\+(?:all|alladm|crt|set)\b|\b(?:ALL|ALLADM|CRT|SET)\b")
"""Authorities of administrators."""
_ONLY_REMOVED = later(r"(?i)\bAUTHRMV\b|\bDELETE[ \t]+AUTHREC\b")
_VALUE_FOLLOWS = frozenset("-b -c -d -e -f -g -k -p -s -u --comment --home --shell --uid".split())
_LEAVES = frozenset({"-", "-d", "--delete", "-delete", "/delete"})
_NO_MEMBER = later(r"(?:admgroups|adms|sugroups)=")
"""Words of AIX about who administers a group or may become a user, without being a member."""
_AIX = frozenset({"mkuser", "chuser", "chgroup", "chgrpmem"})
_PIECE = later(r"[^=,]+")
"""A group or a user in a list, as `users=payapp,webapp` of AIX has it."""
_PRIMARY = later(
    r"(?m)\b(?:useradd|adduser)"
    r"(?=[^\n;&|]{0,300}?[ \t](?:-g|--gid|--ingroup)[ =](?P<group>[\w.-]{1,64}))"
    r"[^\n;&|#]{0,300}[ \t](?P<user>[\w.-]{1,64})[ \t]*(?:$|[;&|#>])"
)
"""A user that is created with a group of its own."""
_NEAR = 300
"""Characters before a user in which its command begins."""
_GROUP = "mqm"
_ADMINISTRATORS = frozenset({"mqm", "root"})


def member_faults(text: str) -> Iterator[Diagnostic]:
    """Yield each user that becomes a member of mqm, and has some authorities or is an MCAUSER."""
    if _GROUP not in text:
        return
    left: dict[str, int] = {}
    joining = [*_by_command(text, left), *_by_task(text)]
    limited = set(_limited(text)) if joining else set[tuple[str, str]]()
    groups = {
        found["user"] for found in _PRIMARY.finditer(text) if ("-g", found["group"]) in limited
    }
    users = groups.union(name for option, name in limited if option == "-p") - _ADMINISTRATORS
    for user, start, end in joining:
        if user in users and left.get(user, 0) < start:
            yield diagnostic("limited-member", (start, end), user=user)


def _by_command(text: str, left: dict[str, int]) -> Iterator[tuple[str, int, int]]:
    """The users that become members; `left` receives those that a command removes, and where."""
    for found in _JOINS.finditer(text):
        words = list(_WORD.finditer(text, *found.span(2)))
        verb = found[1].lower()
        if verb == "chgrpmem" and any(word[0] == "-a" for word in words):  # its administrators
            continue
        if verb in _AIX:
            words = [word for word in words if _NO_MEMBER.match(word[0]) is None]
        texts = [word[0] for word in words]
        leaves = verb not in ("useradd", "adduser", "mkuser") and _LEAVES.intersection(texts)
        is_left = leaves or verb in ("deluser", "remove-localgroupmember")
        groups = [entry.removeprefix("/Groups/").replace("=", ",").split(",") for entry in texts]
        if not any(_GROUP in entry for entry in groups):
            continue
        previous = ""
        for word in words:
            is_user = word[0][0] not in "-/" and previous not in _VALUE_FOLLOWS
            for piece in _PIECE.finditer(text, *word.span()) if is_left or is_user else ():
                user = piece[0].rpartition("\\")[2]
                if is_left:
                    left[user] = piece.start()
                else:
                    yield user, *piece.span()
            previous = word[0]


def _by_task(text: str) -> Iterator[tuple[str, int, int]]:
    """The user of a task of Ansible or Chef whose groups have mqm."""
    for found in _TASK.finditer(text):
        if _GROUP in _WORD.findall(found[1].strip("[]").replace(",", " ")):
            user, start = settings_around(text, found.start()).get("name", ("", 0))
            user = user.strip("\"'")
            yield user, start, start + len(user)


def _limited(text: str) -> Iterator[tuple[str, str]]:
    """Yield users and groups that have some authorities, with the option of setmqaut for each."""
    for found in _LIMITED.finditer(text):
        if _ALL.search(found["words"] or found["rest"] or "") is not None:
            continue
        begin = max(found.start() - _NEAR, 0)
        command = text[max(text.rfind("\n", begin, found.start()) + 1, begin) : found.end()]
        if _ONLY_REMOVED.search(command) or (found["words"] and "+" not in command):
            continue
        words = _WORD.findall(found["words"] or "")
        yield from (pair for pair in pairwise(words) if pair[0] in ("-p", "-g"))
        if found["user"]:
            yield "-g" if found["kind"].upper() == "GROUP" else "-p", found["user"]
