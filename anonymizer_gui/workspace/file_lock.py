"""Tells when a project is open in another window already, and when its file was written by somebody else."""

from pathlib import Path

from PySide6.QtCore import QLockFile

Stamp = tuple[int, ...]


class FileLock:
    """Holds a lock beside the project file while it is open."""

    def __init__(self) -> None:
        self._lock: QLockFile | None = None
        self._seen: tuple[Path, Stamp] | None = None

    def take(self, path: Path | None) -> str:
        """Hold the lock of this file instead of the old one; say who else has it, or nothing."""
        self.release()
        self.note(path)
        if path is None:
            return ""
        lock = QLockFile(str(path.with_name(f".{path.name}.lock")))
        # A lock of a program that still runs never gets stale; Qt finds out when it does not run any more.
        lock.setStaleLockTime(0)
        if lock.tryLock(0):
            self._lock = lock
            return ""
        if lock.error() != QLockFile.LockError.LockFailedError:
            return ""  # A folder we may not write to: nobody can save over anybody there.
        pid, host, _program = lock.getLockInfo()[-3:]
        return f"{host}, {pid}"

    def note(self, path: Path | None) -> None:
        """Remember a file as it is now."""
        self._seen = None if path is None else (path.resolve(), _stamp(path))

    def is_changed(self, path: Path) -> bool:
        """Say whether somebody else has written the file since it was opened or saved here."""
        return self._seen is not None and self._seen[0] == path.resolve() and self._seen[1] != _stamp(path)

    def release(self) -> None:
        """Let others have the file."""
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None


def _stamp(path: Path) -> Stamp:
    """Tell a file from what it is after somebody else has written it; nothing when it is not there."""
    try:
        about = path.stat()
    except OSError:
        return ()
    return about.st_ino, about.st_size, about.st_mtime_ns
