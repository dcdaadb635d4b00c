"""Write files so that the old ones stay until the new ones are whole and checked."""

import contextlib
import errno
import os
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from anonymizer_gui.engine.errors import UnwritableFile

_ABANDONED_SECONDS = 600
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
    with Staged() as staged:
        staged.add(path, write, check, private=private)
        staged.place()


def write_text(path: Path, text: str) -> None:
    """Replace a text file (UTF-8, line feeds as given); what was written is read back and compared."""
    with Staged() as staged:
        staged.add_text(path, text)
        staged.place()


@dataclass(slots=True)
class Staged:
    """Files that are whole and wait beside their targets; `place` puts all in their places, one right after another.

    Until then nothing under the names of the targets has changed. What is not placed is removed on leaving. Waiting
    files can be read by their owner only; a placed one is as open as the one it replaces.
    """

    _waiting: list[tuple[Path, Path, int]] = field(default_factory=list)

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
        temporary = beside or path.with_name(f".{path.stem}.{secrets.token_hex(4)}.partial{path.suffix}")
        try:
            if path.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            _sweep(path)
            mode = _create(temporary)
            self._waiting.append((path, temporary, 0o600 if private else _mode_of(path) or mode))
            write(temporary)
            _sync(temporary)
            check(temporary)
        except OSError as error:
            raise unwritable(path, error) from error

    def add_text(self, path: Path, text: str, *, beside: Path | None = None) -> None:
        """Write a text file (UTF-8, line feeds as given); what was written is read back and compared."""
        content = text.encode("utf-8")

        def compare(temporary: Path) -> None:
            if temporary.read_bytes() != content:
                raise UnwritableFile(f"“{path.name}” could not be written in full.", "Choose another disk.")

        self.add(path, lambda temporary: _write_all(temporary, content), compare, beside=beside)

    def place(self) -> None:
        """Put every file in its place, in the order they were added; raises UnwritableFile."""
        while self._waiting:
            path, temporary, mode = self._waiting[0]
            try:
                with contextlib.suppress(OSError):  # some disks know no modes
                    temporary.chmod(mode)
                temporary.replace(path)
                del self._waiting[0]
                _sync_folder(path.parent)
            except OSError as error:
                raise unwritable(path, error) from error

    def __enter__(self) -> "Staged":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for _, temporary, _ in self._waiting:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)


def unwritable(path: Path, error: OSError) -> UnwritableFile:
    """Turn an error of the operating system into a sentence; the file's content is never part of it."""
    reason, hint = _REASONS.get(error.errno or 0, (f"{error.strerror or 'unknown reason'}", "Choose another place."))
    return UnwritableFile(f"“{path.name}” could not be written: {reason}.", hint)


def _write_all(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def _create(path: Path) -> int:
    """Make an empty file nobody else can read; give the mode it would have had."""
    path.unlink(missing_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        return os.fstat(handle).st_mode & 0o777
    finally:
        os.close(handle)
        with contextlib.suppress(OSError):  # some disks know no modes
            path.chmod(0o600)


def _mode_of(path: Path) -> int:
    """Give the mode of the file that is replaced; 0 when there is none."""
    with contextlib.suppress(OSError):
        return path.stat().st_mode & 0o777
    return 0


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


def _sweep(path: Path) -> None:
    """Remove what an interrupted run left beside the target long enough ago to be nobody's."""
    for leftover in path.parent.glob(f".{_literal(path.stem)}.????????.partial{_literal(path.suffix)}"):
        with contextlib.suppress(OSError):
            if time.time() - leftover.stat().st_mtime > _ABANDONED_SECONDS:
                leftover.unlink()


def _literal(text: str) -> str:
    return "".join(f"[{c}]" if c in "*?[" else c for c in text)
