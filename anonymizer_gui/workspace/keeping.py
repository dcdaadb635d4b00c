"""The file a project lives in: who else has it open, saving it, and the copy that survives a crash."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anonymizer_gui.workspace.file_lock import FileLock

if TYPE_CHECKING:
    from anonymizer_gui.engine.projects.history import RunRecord
    from anonymizer_gui.workspace.recovery import Recovery


class Keeper:
    """Keeps a project in its file, under a lock, and beside it what is not yet saved."""

    def __init__(self, recovery: "Recovery | None") -> None:
        self._recovery = recovery
        self._lock = FileLock()
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
