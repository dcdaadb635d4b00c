"""The project's file: lock, stamp, atomic save, changed on disk."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QLockFile

from anonymizer_gui.engine.core.messages import message
from anonymizer_gui.workspace.messages import Messages

if TYPE_CHECKING:
    from anonymizer_gui.engine.projects.history import RunRecord
    from anonymizer_gui.workspace.recovery import Recovery


FileStamp = tuple[int, ...]


class ProjectLock:
    """Holds a lock beside the project file while it is open."""

    def __init__(self) -> None:
        self._lock: QLockFile | None = None
        self._seen: tuple[Path, FileStamp] | None = None

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


def _stamp(path: Path) -> FileStamp:
    """Tell a file from what it is after somebody else has written it; nothing when it is not there."""
    try:
        about = path.stat()
    except OSError:
        return ()
    return about.st_ino, about.st_size, about.st_mtime_ns


class ProjectSaver:
    """Keeps a project in its file, under a lock, and beside it what is not yet saved."""

    def __init__(self, recovery: "Recovery | None") -> None:
        self._recovery = recovery
        self._lock = ProjectLock()
        self.path: Path | None = None
        """The file the project is saved in."""
        self.holder = ""
        """Who else has this project open: computer and process; nothing when nobody has."""

    def move_to(self, path: Path | None) -> None:
        """Keep another project, in this file or in none yet; nothing of it has to be restored."""
        self.path = path
        self._forget_copy()
        self.holder = self._lock.take(path)

    def is_changed(self, path: Path) -> bool:
        """Say whether somebody else has written the file since it was opened or saved here."""
        return self._lock.is_changed(path)

    def save(
        self, project: Any, path: Path, releases: "tuple[RunRecord, ...]", never_over: Iterable[Path] = ()
    ) -> None:
        """Write the project, but neither over its own data nor over one of the files named; raises AnonymizerError."""
        from anonymizer_gui.engine.projects.project_file import save_project
        from anonymizer_gui.engine.storage.sources import files_of_sources, refuse_overwrite

        refuse_overwrite([path], [*files_of_sources(project.sources().values()), *never_over])
        save_project(project, path, releases)
        self._lock.note(path)
        if path.resolve() != self.path:
            self.path = path.resolve()
            self.holder = self._lock.take(self.path)
        self._forget_copy()

    def note(self, project: Any, releases: "tuple[RunRecord, ...]") -> None:
        """Keep a copy of what is not saved, for the case that the program does not end well."""
        if self._recovery is not None:
            self._recovery.note(project, self.path, releases)

    def note_saved(self) -> None:
        """Drop the copy: steps were undone to what is saved, so nothing is left to restore."""
        self._forget_copy()

    def close(self, *, keep_copy: bool) -> None:
        """Let others have the file."""
        if not keep_copy and self._recovery is not None:
            self._recovery.clear()
            self._recovery.flush()
        self._lock.release()

    @property
    def has_copies(self) -> bool:
        """Whether what is not saved is kept at all."""
        return self._recovery is not None

    def _forget_copy(self) -> None:
        if self._recovery is not None:
            self._recovery.clear()


def warn_changed_on_disk(messages: Messages, path: Path, overwrite: Callable[[], object]) -> None:
    """Tell that a project was changed by another window, and offer to overwrite what that has saved."""

    def save() -> None:
        overwrite()

    messages.warning(
        message("“{name}” was changed by another window or program since it was opened here.", name=path.name),
        "Save under another name, or overwrite what the other has saved.",
        actions=[("Overwrite It", save)],
        key="changed elsewhere",
    )
