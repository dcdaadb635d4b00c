"""Files that are being written: the writer holds a lock on them, so that what a dead one left can be swept."""

import contextlib
import errno
import os
import re
import secrets
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

if sys.platform != "win32":
    import fcntl

_ABANDONED_SECONDS = 600
"""On disks that know no locks a leftover is nobody's after this time."""
_NAME = re.compile(r"\..*\.[0-9a-f]{8}\.partial(\..*)?", re.DOTALL)
_TRIES = 20


@dataclass(slots=True)
class Partial:
    """A file that is being written; the open handle holds the lock that tells others so."""

    path: Path
    handle: int
    mode: int
    """What an ordinary new file could have been read by."""

    def release(self) -> None:
        """Give the lock up."""
        handle, self.handle = self.handle, -1
        if handle >= 0:
            os.close(handle)


def partial_name(path: Path) -> Path:
    """Give a hidden name beside a file that nothing has, with the same suffix."""
    return path.with_name(f".{path.stem}.{secrets.token_hex(4)}.partial{path.suffix}")


def claim(path: Path, *, private: bool) -> Partial:
    """Make an empty file and lock it; a private one could never be opened by anybody else.

    Raises BlockingIOError when a running program writes that file, otherwise what the system raises.
    """
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    for _ in range(_TRIES):
        with owned_if_abandoned(path) as is_abandoned:
            if is_abandoned:
                path.unlink(missing_ok=True)
        with contextlib.suppress(FileExistsError):
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666)
            partial = Partial(path, handle, os.fstat(handle).st_mode & 0o777)
            # Somebody who sweeps may have been faster than our lock.
            if _lock(handle) is not False and os.fstat(handle).st_nlink:
                with contextlib.suppress(OSError):  # some disks know no modes
                    path.chmod(0o600)
                return partial
            partial.release()
    raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))


def second_name(path: Path) -> Partial:
    """Keep a file under a hidden name, too, locked so that nobody sweeps it; raises OSError without links."""
    aside = partial_name(path)
    if sys.platform == "win32":  # an open file could not be replaced there
        os.link(path, aside)
        return Partial(aside, -1, 0o600)
    handle = os.open(path, os.O_RDONLY)
    try:
        _lock(handle)
        os.link(path, aside)
        return Partial(aside, handle, os.fstat(handle).st_mode & 0o777)
    except OSError:
        os.close(handle)
        raise


def sweep(path: Path) -> None:
    """Remove what programs that do not run any more have left beside a file; it is nobody's error if that fails."""
    with contextlib.suppress(OSError):
        for leftover in path.parent.glob(f".{_literal(path.stem)}.*partial*"):
            if _NAME.fullmatch(leftover.name):
                _sweep_one(leftover)


def _sweep_one(leftover: Path) -> None:
    with contextlib.suppress(OSError), owned_if_abandoned(leftover) as is_abandoned:
        if is_abandoned:
            leftover.unlink()


@contextmanager
def owned_if_abandoned(path: Path) -> Iterator[bool]:
    """Tell whether a file was left by a program that does not run any more; until the end it is ours then."""
    if sys.platform == "win32":
        yield True  # the system refuses to move or remove a file that is open
        return
    try:
        handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
    except OSError:
        yield False
        return
    try:
        yield _is_abandoned(path, handle)
    finally:
        os.close(handle)


def _is_abandoned(path: Path, handle: int) -> bool:
    locked, about = _lock(handle), os.fstat(handle)
    if locked is None:
        return time.time() - about.st_mtime > _ABANDONED_SECONDS
    with contextlib.suppress(OSError):
        return locked and os.path.samestat(about, path.lstat())
    return False


def _lock(handle: int) -> bool | None:
    """Lock an open file; tell whether that worked, or nothing where locks are not known."""
    if sys.platform == "win32":
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def _literal(text: str) -> str:
    return "".join(f"[{c}]" if c in "*?[" else c for c in text)
