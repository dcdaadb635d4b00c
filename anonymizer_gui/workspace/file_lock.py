"""Tells when a project is open in another window already."""

from pathlib import Path

from PySide6.QtCore import QLockFile


class FileLock:
    """Holds a lock beside the project file while it is open."""

    def __init__(self) -> None:
        self._lock: QLockFile | None = None

    def take(self, path: Path | None) -> str:
        """Hold the lock of this file instead of the old one; say who else has it, or nothing."""
        self.release()
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

    def release(self) -> None:
        """Let others have the file."""
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None
