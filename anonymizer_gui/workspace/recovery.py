"""Keeps the project of a running program on disk after every step, so that a crash loses nothing."""

import contextlib
import json
import os
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QLockFile, QStandardPaths

from anonymizer_gui.engine.core.errors import AnonymizerError

if TYPE_CHECKING:
    from anonymizer_gui.engine.projects.history import RunRecord
    from anonymizer_gui.engine.room import Project

_LARGEST_BYTES = 256 << 20
_REST_S = 0.25
"""So long a step is shown undisturbed before it is written; several steps in a row are written once."""


@dataclass(frozen=True, slots=True)
class RecoverableProject:
    """The unsaved project of a program that did not end well."""

    file: Path
    path: Path | None
    saved_at: float
    name: str = ""
    """What the project calls itself; one that was never saved has nothing else."""

    def project(self) -> "tuple[Any, tuple[RunRecord, ...]]":
        """Read the project and what was kept of its releases; raises BadProject."""
        from anonymizer_gui.engine.projects.project_file import read_with_history

        return read_with_history(str(_entries(self.file).get("project", "")).encode())

    def discard(self) -> None:
        """Forget it."""
        for file in (self.file, _lock_path(self.file)):
            file.unlink(missing_ok=True)


class Recovery:
    """Writes the newest project to a private file on a thread of its own; `clear` removes it."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or default_folder()
        self._file = self._folder / f"{os.getpid()}-{time.time_ns()}.json"
        self._lock: QLockFile | None = None
        self._guard = threading.Lock()
        self._next: tuple[Project, Path | None, tuple[RunRecord, ...]] | None = None
        self._writer: threading.Thread | None = None
        self._hurry = threading.Event()
        self._n_cleared = 0

    def note(self, project: "Project", path: Path | None, releases: "tuple[RunRecord, ...]" = ()) -> None:
        """Write this project and what is kept of its releases soon; one that waits to be written is replaced."""
        if self._lock is None and not self._claim():
            return
        with self._guard:
            self._next = project, path, releases
            if self._writer is None:
                self._hurry.clear()
                self._writer = threading.Thread(target=self._write_all, name="recovery", daemon=True)
                self._writer.start()

    def flush(self) -> None:
        """Wait until everything is written."""
        writer = self._writer
        self._hurry.set()
        if writer is not None:
            writer.join()

    def clear(self) -> None:
        """Remove the file: everything is saved, or the user does not want it; what is being written is dropped."""
        with self._guard:
            self._next = None
            self._n_cleared += 1
            self._file.unlink(missing_ok=True)
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None

    def _claim(self) -> bool:
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError:
            return False
        self._lock = QLockFile(str(_lock_path(self._file)))
        self._lock.setStaleLockTime(0)
        return self._lock.tryLock(0)

    def _write_all(self) -> None:
        from anonymizer_gui.engine.projects.project_file import project_text

        while True:
            self._hurry.wait(_REST_S)
            with self._guard:
                if self._next is None:
                    self._writer = None
                    return
                project, path, releases = self._next
                self._next = None
                n_cleared = self._n_cleared
            # A full disk must not keep anybody from working; saving tells about it.
            with contextlib.suppress(OSError, AnonymizerError):
                self._write(project_text(project, releases=releases), project.name, path, n_cleared)

    def _write(self, text: str, name: str, path: Path | None, n_cleared: int) -> None:
        entries = {"path": str(path) if path else "", "name": name, "project": text}
        temporary = self._file.with_suffix(".part")
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(entries, file)
            file.flush()
            os.fsync(file.fileno())
        with self._guard:
            if n_cleared == self._n_cleared:
                temporary.replace(self._file)
            else:
                temporary.unlink()


def recoverable_projects(folder: Path | None = None) -> list[RecoverableProject]:
    """List what programs that do not run any more have left behind, newest first; sweep what nobody can use."""
    _sweep(folder or default_folder())
    found = []
    for file in (folder or default_folder()).glob("*.json"):
        lock = QLockFile(str(_lock_path(file)))
        lock.setStaleLockTime(0)
        if lock.tryLock(0):
            lock.unlock()
            entries = _entries(file)
            path, name = (str(entries.get(entry, "")) for entry in ("path", "name"))
            found.append(RecoverableProject(file, Path(path) if path else None, file.stat().st_mtime, name))
    return sorted(found, key=lambda lost: -lost.saved_at)


def _sweep(folder: Path) -> None:
    """Remove half-written files and locks of programs that do not run any more."""
    for file in [*folder.glob("*.part"), *folder.glob("*.lock")]:
        lock = QLockFile(str(_lock_path(file)))
        lock.setStaleLockTime(0)
        if lock.tryLock(0):
            file.with_suffix(".part").unlink(missing_ok=True)
            lock.unlock()


def default_folder() -> Path:
    """Return the private folder for unsaved projects."""
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppLocalDataLocation)) / "recovery"


def _lock_path(file: Path) -> Path:
    return file.with_suffix(".lock")


def _entries(file: Path) -> dict[str, object]:
    try:
        if file.stat().st_size > _LARGEST_BYTES:
            return {}
        entries = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return entries if isinstance(entries, dict) else {}
