"""What git knows of the files in a checkout, asked of git itself.

Only its plumbing is asked, and only for what it has: nothing is checked out or fetched, no hook,
filter or other program of the checkout is run, and nothing is written.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from mqlint.dataclass import frozen
from mqlint.patterns import later
from mqlint.source.child import environment, program

if TYPE_CHECKING:
    from subprocess import CompletedProcess, Popen
    from threading import Event

_TIMEOUT = 60.0
_LONG_TIMEOUT = 600.0
_LOOK = 1.0
"""Seconds after which git is looked at: a named pipe instead of a file makes it wait for ever."""
_PIPE = "git waits for a named pipe where it expects a file"
_OPTIONS = (
    "-c",
    "core.fsmonitor=false",  # a checkout's own configuration may name a program here
    "-c",
    "core.quotePath=false",
    "-c",
    "core.warnAmbiguousRefs=true",
)
_ID = later(r"[0-9a-f]{40}(?:[0-9a-f]{24})?\Z")
_UNFIT = later(r"[\x00-\x20\x7f]")
_LINK, _FILE, _SUBMODULE = b"120000", b"100", b"160000"


class GitError(Exception):
    """What git cannot tell; the text says why, and what can be done about it."""


@frozen
class Blob:
    """A file of a commit: its path below the top of the checkout, and the name of its content."""

    path: str
    oid: str
    is_link: bool = False


def listed(folder: Path) -> list[str] | None:
    """Return the files below `folder` that git tracks or would track, relative to it.

    None if the folder itself is ignored: whoever names it means what git does not track. GitError
    where git cannot say: not installed, no checkout, one of another owner, or too slow. Files
    deleted from disk are among the names. A submodule is one name; so is another checkout, with a
    slash at the end.
    """
    out = _ask(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    if not out and _run(folder, "check-ignore", "-q", ".") is not None:
        return None
    return sorted({os.fsdecode(name) for name in out.split(b"\0") if name})


def commit_of(folder: Path, name: str, *, or_empty: bool = False) -> str:
    """Return the id of the commit that `name` stands for in the checkout of `folder`.

    `name` is anything that git resolves to one commit (main, HEAD~1, v1.2, an id). Three dots after
    it mean the merge base of it and HEAD. With `or_empty`, HEAD is the empty tree before the first
    commit. GitError when there is none.
    """
    start = name.removesuffix("...")
    # A name must not be read as an option, and never contains a line feed.
    if not start or start.startswith("-") or _UNFIT.search(start):
        raise GitError("that is not the name of a commit")
    _ask(folder, "rev-parse", "--git-dir")
    done = _call(folder, "rev-parse", "--verify", f"{start}^{{commit}}")
    # Git takes a tag before a branch: whoever may push a tag could choose what a change is judged
    # by. A whole id stays that commit.
    if b" is ambiguous" in done.stderr and _ID.match(start) is None:
        raise GitError("several branches, tags or commits have this name: write refs/heads/ first")
    commit = done.stdout.decode("ascii", "replace").strip()
    if done.returncode != 0 or not commit:
        if or_empty and name == "HEAD" and _is_unborn(folder):
            return empty_tree(folder)
        raise GitError(f"git does not find this commit{_shallow(folder)}")
    if start == name:
        return commit
    done = _call(folder, "merge-base", commit, "HEAD")
    parted = done.stdout.decode("ascii", "replace").strip()
    if done.returncode != 0 or not parted:
        raise GitError(f"git finds no common commit of it and HEAD{_shallow(folder)}")
    return parted


def branch_of(folder: Path) -> str | None:
    """Return the branch that is checked out, or None if HEAD is at no branch."""
    done = _call(folder, "symbolic-ref", "--quiet", "--short", "HEAD")
    return done.stdout.decode("utf-8", "replace").strip() or None


def _is_unborn(folder: Path) -> bool:
    """Whether HEAD is a branch without a commit."""
    branch = _call(folder, "symbolic-ref", "--quiet", "HEAD").stdout.decode("utf-8", "replace")
    if not branch.strip():
        return False
    return _call(folder, "show-ref", "--verify", "--quiet", "--", branch.strip()).returncode != 0


def files_of(folder: Path, commit: str) -> tuple[list[Blob], list[str]]:
    out = _ask(folder, "ls-tree", "-r", "-z", "--full-tree", commit)
    blobs, submodules = [], []
    for line in out.split(b"\0"):
        head, _, path = line.partition(b"\t")
        mode, _, rest = head.partition(b" ")
        if mode == _LINK or mode.startswith(_FILE):
            oid = rest.rpartition(b" ")[2].decode("ascii")
            blobs.append(Blob(os.fsdecode(path), oid, mode == _LINK))
        elif mode == _SUBMODULE:
            submodules.append(os.fsdecode(path))
    return blobs, submodules


def submodule_at(folder: Path, commit: str, path: str) -> str | None:
    entry = _ask(folder, "ls-tree", "-z", "--full-tree", commit, "--", path)
    mode, _, rest = entry.partition(b"\t")[0].partition(b" ")
    return rest.rpartition(b" ")[2].decode("ascii") if mode == _SUBMODULE else None


def empty_tree(folder: Path) -> str:
    """Return the id of the tree without files."""
    return _ask(folder, "hash-object", "-t", "tree", "--stdin").decode("ascii").strip()


def is_tracked(folder: Path, path: str) -> bool:
    """Return whether git tracks a file, or a file in a folder, at `path` below the top `folder`.

    The path `.` is the top itself.
    """
    place = ":(top)" if path == "." else f":(top,literal){path}"
    out = _run(folder, "ls-files", "-z", "--cached", "--", place)
    return bool(out)


def contents_of(folder: Path, oids: Sequence[str], limit: int) -> Iterator[bytes | None]:
    """Yield what each of the contents `oids` is, None for one of more than `limit` bytes.

    GitError where one is not there, as in a clone without all contents.
    """
    sizes = [line.split() for line in _answer(folder, "--batch-check", oids).splitlines()]
    if any(len(words) != 3 for words in sizes):
        raise GitError("this clone does not have all contents of that commit: run git fetch")
    fitting = [oid for oid, words in zip(oids, sizes, strict=True) if int(words[2]) <= limit]
    out, at = _answer(folder, "--batch", fitting), 0
    for words in sizes:
        size = int(words[2])
        if size > limit:
            yield None
            continue
        start = out.index(b"\n", at) + 1
        at = start + size + 1
        yield out[start : at - 1]


class Contents:
    """Contents by their ids, one after the other, from one program that is asked as it runs."""

    def __init__(self, folder: Path) -> None:
        """Start git in a checkout or a bare repository; GitError when it cannot be."""
        import subprocess  # here, as files that are named need no git

        words, its_environment = _command(folder, "cat-file", "--batch")
        try:
            self._git = subprocess.Popen(  # noqa: S603 fixed words, no shell
                words,
                cwd=folder,
                env=its_environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except (OSError, ValueError) as error:
            raise GitError(f"git could not be run ({type(error).__name__})") from None

    def read(self, oid: str, limit: int) -> bytes | None:
        """Return a content, None for one of more than `limit` bytes; GitError when there is none.

        A git that waits for a named pipe is ended after seconds, one that does not answer after
        some minutes.
        """
        from threading import Event, Thread

        answered, reasons = Event(), list[str]()
        watch = Thread(target=self._watch, args=(answered, reasons), daemon=True)
        watch.start()
        try:
            return self._read(oid, limit)
        except GitError as error:
            raise GitError(*reasons or error.args) from None
        except (OSError, ValueError):
            reasons = reasons or ["git ended before its output was complete"]
            raise GitError(*reasons) from None
        finally:
            answered.set()
            watch.join()

    def _watch(self, answered: Event, reasons: list[str]) -> None:
        """End git for one of the `reasons`: it waits for a named pipe, or takes too long."""
        left, waiting = _LONG_TIMEOUT, False
        while not answered.wait(_LOOK):
            left, waited, waiting = left - _LOOK, waiting, _opens_pipe(self._git.pid)
            if (waited and waiting) or left <= 0:
                reasons.append(_PIPE if waiting else "git took too long to answer")
                self._git.kill()
                return

    def _read(self, oid: str, limit: int) -> bytes | None:
        asked, output = self._git.stdin, self._git.stdout
        if asked is None or output is None:
            raise GitError("git could not be run")
        asked.write(f"{oid}\n".encode())
        asked.flush()
        words = output.readline().split()
        if len(words) != 3:
            raise GitError("that content is missing: the repository is incomplete")
        left = int(words[2])
        if left > limit:
            while left > 0 and (chunk := output.read(min(left, 1 << 20))):
                left -= len(chunk)
            output.read(1)
            return None
        data = output.read(left)
        output.read(1)
        if len(data) != left:
            raise GitError("git ended before its output was complete")
        return data

    def close(self) -> None:
        self._git.kill()
        for stream in (self._git.stdin, self._git.stdout):
            if stream is not None:
                with suppress(OSError):  # what was written and not sent goes nowhere
                    stream.close()
        self._git.wait()


def content_id(data: bytes, like: str) -> str:
    """Return the id that git has for a content, by SHA-1 or SHA-256 as the id `like`."""
    import hashlib  # here, as most runs ask git for nothing but names

    make = hashlib.sha256 if len(like) == 64 else hashlib.sha1
    return make(b"blob %d\0" % len(data) + data).hexdigest()


def _answer(folder: Path, how: str, oids: Sequence[str]) -> bytes:
    if not oids:
        return b""
    return _ask(folder, "cat-file", how, given="".join(f"{oid}\n" for oid in oids).encode())


def _shallow(folder: Path) -> str:
    out = _run(folder, "rev-parse", "--is-shallow-repository")
    if out is None or out.strip() != b"true":
        return ""
    return (
        ": this clone is shallow, so fetch it first (git fetch --depth=1 origin COMMIT; with "
        "actions/checkout `fetch-depth: 0`)"
    )


def _ask(folder: Path, *arguments: str, given: bytes | None = None) -> bytes:
    """Return what git says; GitError in its own words when it does not."""
    done = _call(folder, *arguments, given=given)
    if done.returncode != 0:
        words = done.stderr.decode("utf-8", "replace").strip().splitlines()
        words = words or ["it gives no reason"]
        raise GitError(f"git says: {words[0].removeprefix('fatal: ')[:300]}")
    return done.stdout


def _run(folder: Path, *arguments: str) -> bytes | None:
    try:
        done = _call(folder, *arguments)
    except GitError:
        return None
    return done.stdout if done.returncode == 0 else None


def _call(folder: Path, *arguments: str, given: bytes | None = None) -> CompletedProcess[bytes]:
    import subprocess  # here, as files that are named need no git

    words, its_environment = _command(folder, *arguments)
    pipe = subprocess.PIPE
    try:
        with subprocess.Popen(  # noqa: S603 fixed words, no shell
            words, cwd=folder, env=its_environment, stdin=pipe, stdout=pipe, stderr=pipe
        ) as git:
            try:
                return _completed(git, given)
            finally:
                git.kill()
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise GitError(f"git could not be run ({type(error).__name__})") from None


def _completed(git: Popen[bytes], given: bytes | None) -> CompletedProcess[bytes]:
    """Return the output of git; GitError if it takes too long, or waits for a named pipe."""
    from subprocess import CompletedProcess, TimeoutExpired

    left = _TIMEOUT if given is None else _LONG_TIMEOUT
    while left > 0:
        waiting = _opens_pipe(git.pid)
        try:
            output, errors = git.communicate(given, _LOOK)
        except TimeoutExpired:
            if waiting and _opens_pipe(git.pid):
                raise GitError(_PIPE) from None
            left, given = left - _LOOK, None
        else:
            return CompletedProcess(git.args, git.returncode, output, errors)
    raise GitError("git took too long to answer")


def _opens_pipe(process: int) -> bool:
    """Whether a process waits for the other end of a named pipe; false if the system cannot say."""
    with suppress(OSError):
        for task in Path(f"/proc/{process}/task").iterdir():
            if (task / "wchan").read_bytes() in (b"wait_for_partner", b"fifo_open"):
                return True
    return False


def _command(folder: Path, *arguments: str) -> tuple[list[str], dict[str, str]]:
    """The words and the environment that run the git of this machine in `folder`.

    The environment is ours, less what a hook's git says of its own index and folder. Without
    optional locks a listing never blocks a commit; contents that are not there are not fetched,
    replacements of objects are ignored, and git writes no trace. GitError if git is not installed.
    """
    ours = environment(folder)
    git = program("git", ours)
    if git is None:
        raise GitError("git is not installed, or not on the PATH")
    variables = {name: value for name, value in ours.items() if not name.startswith("GIT_")}
    settings = {
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
        **dict.fromkeys(("GIT_TRACE2", "GIT_TRACE2_EVENT", "GIT_TRACE2_PERF"), "0"),
    }
    return [git, *_OPTIONS, *arguments], {**variables, **settings}
