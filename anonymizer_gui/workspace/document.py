"""The one thing all pages look at: the project with its undo steps, the table, and the releases made from it."""

from collections.abc import Hashable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from anonymizer_gui.workspace.answers import Answers, Then
from anonymizer_gui.workspace.edits import Edit, changed_fields
from anonymizer_gui.workspace.jobs import JobRunner, OnError, Work
from anonymizer_gui.workspace.messages import Messages

if TYPE_CHECKING:
    from anonymizer_gui.engine.project import Project
    from anonymizer_gui.engine.table import Table

UNDO_LIMIT = 200


class Document(QObject):
    """Holds the frozen project; every edit goes through `edit`, every change is told by `changed`."""

    changed = Signal(object)
    """Carries a frozenset of names: fields of the project, and table, releases, results, path, dirty."""

    def __init__(self, inline_jobs: bool = False, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.messages = Messages(self)
        self.jobs = JobRunner(self.messages, inline_jobs, self)
        self.undo_stack = QUndoStack(self)
        self.undo_stack.setUndoLimit(UNDO_LIMIT)
        self.undo_stack.cleanChanged.connect(self._on_clean_changed)
        self._answers = Answers(self.jobs)
        self._project: Project | None = None
        self._table: Table | None = None
        self._path: Path | None = None

    @property
    def project(self) -> "Project":
        """What is decided about the table."""
        if self._project is None:
            # Imported here: the engine's libraries take longer to load than the whole window.
            from anonymizer_gui.engine.project import Project

            self._project = Project()
        return self._project

    @property
    def table(self) -> "Table | None":
        """The table the project is about, once it is read."""
        return self._table

    @property
    def path(self) -> Path | None:
        """The file the project is saved in."""
        return self._path

    @property
    def is_dirty(self) -> bool:
        """Whether there are changes that are not saved."""
        return not self.undo_stack.isClean()

    def edit(self, text: str, merge_key: str = "", **fields: Any) -> None:
        """Replace some fields of the project as one step that can be undone; the text says what was done."""
        new = replace(self.project, **fields)
        if changed_fields(self.project, new):
            self.undo_stack.push(Edit(self._apply, self.project, new, text, merge_key))

    def ask(
        self,
        key: Hashable,
        function: Work,
        *args: Any,
        then: Then,
        title: str = "",
        failed: OnError | None = None,
    ) -> None:
        """Have `function(*args, progress=...)` computed in the background; the answer is kept while args stay."""
        self._answers.ask(key, function, *args, then=then, title=title, failed=failed)

    def close(self) -> bool:
        """Stop all work; say whether it stopped in time."""
        # A stack that is taken apart tells its listeners about every step; they may be gone.
        self.undo_stack.blockSignals(True)
        return self.jobs.close()

    def _apply(self, project: "Project") -> None:
        names = changed_fields(self.project, project)
        self._project = project
        self._emit(names)

    def _emit(self, names: frozenset[str] | set[str]) -> None:
        if names:
            self.changed.emit(frozenset(names))

    def _on_clean_changed(self, _clean: bool) -> None:
        self._emit({"dirty"})
