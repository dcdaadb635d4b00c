"""Files that are being written: the writer holds a lock on them, so that what a dead one left can be swept."""

import contextlib
import errno
import os
import re
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from anonymizer_gui.engine.core.errors import AnonymizerError, UnwritableFile
from anonymizer_gui.engine.core.messages import join_messages, message

if sys.platform != "win32":
    import fcntl

_ABANDONED_SECONDS = 600
"""On disks that know no locks a leftover is nobody's after this time."""

_NAME = re.compile(r"\..*\.[0-9a-f]{8}\.partial(\..*)?", re.DOTALL)

_TRIES = 20


@dataclass(slots=True)
class TempFile:
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


def temp_name(path: Path) -> Path:
    """Give a hidden name beside a file that nothing has, with the same suffix."""
    return path.with_name(f".{path.stem}.{secrets.token_hex(4)}.partial{path.suffix}")


def create_locked(path: Path, *, private: bool) -> TempFile:
    """Make an empty file and lock it; a private one could never be opened by anybody else.

    Raises BlockingIOError when a running program writes that file, otherwise what the system raises.
    """
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    for _ in range(_TRIES):
        with lock_if_abandoned(path) as is_abandoned:
            if is_abandoned:
                path.unlink(missing_ok=True)
        with contextlib.suppress(FileExistsError):
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666)
            partial = TempFile(path, handle, os.fstat(handle).st_mode & 0o777)
            # Somebody who sweeps may have been faster than our lock.
            if _lock(handle) is not False and os.fstat(handle).st_nlink:
                with contextlib.suppress(OSError):  # some disks know no modes
                    path.chmod(0o600)
                return partial
            partial.release()
    raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))


def link_locked(path: Path) -> TempFile:
    """Keep a file under a hidden name, too, locked so that nobody sweeps it; raises OSError without links."""
    aside = temp_name(path)
    if sys.platform == "win32":  # an open file could not be replaced there
        os.link(path, aside)
        return TempFile(aside, -1, 0o600)
    handle = os.open(path, os.O_RDONLY)
    try:
        _lock(handle)
        os.link(path, aside)
        return TempFile(aside, handle, os.fstat(handle).st_mode & 0o777)
    except OSError:
        os.close(handle)
        raise


def sweep_abandoned(path: Path) -> None:
    """Remove what programs that do not run any more have left beside a file; it is nobody's error if that fails."""
    with contextlib.suppress(OSError):
        for leftover in path.parent.glob(f".{_literal(path.stem)}.*partial*"):
            if _NAME.fullmatch(leftover.name):
                _sweep_one(leftover)


def _sweep_one(leftover: Path) -> None:
    with contextlib.suppress(OSError), lock_if_abandoned(leftover) as is_abandoned:
        if is_abandoned:
            leftover.unlink()


@contextmanager
def lock_if_abandoned(path: Path) -> Iterator[bool]:
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


_REASONS = {
    errno.ENOSPC: ("the disk is full", "Free some space or choose another disk."),
    errno.EDQUOT: ("your share of the disk is used up", "Free some space or choose another disk."),
    errno.EACCES: ("the folder does not allow it", "Choose a folder you may write to."),
    errno.EPERM: ("the folder does not allow it", "Choose a folder you may write to."),
    errno.EROFS: ("the disk is read-only", "Choose a folder you may write to."),
    errno.ENOENT: ("the folder does not exist", "Choose another folder."),
    errno.ENOTDIR: ("the folder does not exist", "Choose another folder."),
    errno.EISDIR: ("there is a folder of that name", "Choose another name."),
    errno.ENAMETOOLONG: ("the name is too long", "Choose a shorter name."),
    errno.EAGAIN: ("another program is writing it", "Wait until that is done, then try again."),
    errno.EFBIG: ("the file would be larger than the disk allows", "Choose another disk."),
}


def _accept(path: Path) -> None:
    """Take the file as it was written."""


def replace_file(
    path: Path, write: Callable[[Path], None], check: Callable[[Path], None] = _accept, *, private: bool = False
) -> None:
    """Write beside the target, sync, check, rename; on any failure the old file is untouched.

    `write` and `check` get the temporary path, which has the same suffix. A private file can be read by its owner
    only. Raises UnwritableFile, or whatever `check` raises.
    """
    with StagedFiles() as staged:
        staged.add(path, write, check, private=private)
        staged.place()


def write_text(path: Path, text: str, *, private: bool = False) -> None:
    """Replace a text file (UTF-8, line feeds as given); what was written is read back and compared.

    A private file can be read by its owner only.
    """
    with StagedFiles() as staged:
        staged.add_text(path, text, private=private)
        staged.place()


@dataclass(slots=True)
class _Waiting:
    """A whole file beside its target, and what is needed to put it there and to take it back."""

    target: Path
    partial: TempFile
    mode: int
    is_named: bool
    """Whether it waits under a name that others look for."""
    aside: TempFile | None = None
    was_there: bool = False

    def get_ready(self) -> None:
        """Keep the old file under a second name, where the disk knows links, and open the new one up."""
        self.was_there = self.target.exists()
        if self.was_there:
            with contextlib.suppress(OSError):
                self.aside = link_locked(self.target)
        with contextlib.suppress(OSError):  # some disks know no modes
            self.partial.path.chmod(self.mode)

    def put(self) -> None:
        if os.name == "nt":  # an open file cannot be moved there
            self.partial.release()
        self.partial.path.replace(self.target)

    def take_back(self) -> None:
        """Put the old file back; a new one with a name of its own waits again, as the others may be new still."""
        if self.was_there and self.aside is None:
            raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP))
        if self.is_named:
            self.target.replace(self.partial.path)
        if self.aside is not None:
            self.aside.path.replace(self.target)
        elif not self.is_named:
            self.target.unlink()

    def clear(self, *, keep: bool = False) -> None:
        """Remove what is left beside the target."""
        for partial in filter(None, (self.partial, self.aside)):
            partial.release()
            if partial is self.aside or not keep:
                with contextlib.suppress(OSError):
                    partial.path.unlink(missing_ok=True)


def encode_text(text: str) -> bytes:
    """Encode a text; a part of a file's name that is no UTF-8 becomes a code, which JSON reads again."""
    return text.encode("utf-8", "backslashreplace")


@dataclass(slots=True)
class StagedFiles:
    """Files that are whole and wait beside their targets; `place` puts all in their places, one right after another.

    Until then nothing under the names of the targets has changed. What is not placed is removed on leaving. Waiting
    files can be read by their owner only; a placed one is as open as the one it replaces.
    """

    _waiting: list[_Waiting] = field(default_factory=list)

    def add(
        self,
        path: Path,
        write: Callable[[Path], None],
        check: Callable[[Path], None] = _accept,
        *,
        beside: Path | None = None,
        private: bool = False,
    ) -> None:
        """Write, sync and check one file; it waits under the name `beside`. Raises UnwritableFile."""
        target = path
        try:
            target = Path(os.path.realpath(path)) if path.is_symlink() else path
            if target.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            _refuse_special(path, target)
            sweep_abandoned(target)
            mode = 0o600 if private else _mode_of(target)
            partial = create_locked(beside or temp_name(target), private=mode is not None)
            self._waiting.append(_Waiting(target, partial, partial.mode if mode is None else mode, beside is not None))
            write(partial.path)
            _sync(partial.path)
            check(partial.path)
        except OSError as error:
            raise write_error(path, error) from error
        except AnonymizerError as error:
            if target.parent.is_dir():
                raise
            raise write_error(path, FileNotFoundError(errno.ENOENT, "")) from error

    def add_text(self, path: Path, text: str, *, beside: Path | None = None, private: bool = False) -> bytes:
        """Write a text file (UTF-8, line feeds as given), read it back and compare; give the bytes."""
        content = encode_text(text)

        def compare(temporary: Path) -> None:
            if temporary.read_bytes() != content:
                raise UnwritableFile(
                    message("“{name}” could not be written in full.", name=path.name), "Choose another disk."
                )

        self.add(path, lambda temporary: _write_all(temporary, content), compare, beside=beside, private=private)
        return content

    def place(self) -> None:
        """Put every file in its place, in the order they were added; on an error or a stop all are taken back.

        Raises UnwritableFile, which says so when the disk does not even allow that.
        """
        target = Path()
        try:
            for waiting in self._waiting:
                target = waiting.target
                waiting.get_ready()
            for waiting in self._waiting:
                target = waiting.target
                waiting.put()
                _sync_folder(target.parent)
        except OSError as error:
            failed = write_error(target, error)
            raise UnwritableFile(join_messages(failed.message, self._taken_back()), failed.hint) from error
        except BaseException:  # somebody stops the program
            self._taken_back()
            raise
        self._clear(keep=True)

    def _taken_back(self) -> str:
        """Put the old files back, the last one first; say what could not be, and what waits beside it."""
        placed = [waiting for waiting in self._waiting if not os.path.lexists(waiting.partial.path)]
        for waiting in reversed(placed):
            try:
                waiting.take_back()
            except OSError:
                kept = [w.partial.path.name for w in self._waiting if w.is_named and w.partial.path.exists()]
                self._clear(keep=True)
                return join_messages(
                    message("“{name}” is the new one already.", name=placed[0].target.name),
                    *(message("“{name}” beside it belongs to it.", name=name) for name in kept),
                )
        for folder in {waiting.target.parent for waiting in placed}:
            with contextlib.suppress(OSError):
                _sync_folder(folder)
        return ""

    def _clear(self, *, keep: bool = False) -> None:
        """Remove all that waits; what has a name of its own is kept when it is wanted."""
        for waiting in self._waiting:
            waiting.clear(keep=keep and waiting.is_named)
        self._waiting.clear()

    def __enter__(self) -> "StagedFiles":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._clear()


def _refuse_special(path: Path, target: Path) -> None:
    """Leave devices and pipes alone: they would be replaced by a file."""
    if target.exists() and not target.is_file():
        raise UnwritableFile(
            message("“{name}” is not an ordinary file, and is not replaced by one.", name=path.name),
            "Choose another name.",
        )


def write_error(path: Path, error: OSError) -> UnwritableFile:
    """Turn an error of the operating system into a sentence; the file's content is never part of it."""
    known, hint = _REASONS.get(error.errno or 0, ("", "Choose another place."))
    reason = message(known) if known else error.strerror or message("unknown reason")
    return UnwritableFile(message("“{name}” could not be written: {reason}.", name=path.name, reason=reason), hint)


def _write_all(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def _mode_of(path: Path) -> int | None:
    """Give the mode of the file that is replaced, if there is one."""
    with contextlib.suppress(OSError):
        return path.stat().st_mode & 0o777
    return None


def _sync(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # Windows cannot open a folder
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
