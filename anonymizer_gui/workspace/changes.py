"""What changed (Change, ChangeSet) and the undo command."""

import dataclasses
import time
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QUndoCommand

if TYPE_CHECKING:
    from anonymizer_gui.engine.data.tables.table import Table


class Change(StrEnum):
    """Things of a document beside the fields of its project and the roles of its files, which rooms declare."""

    EVERYTHING = "*"
    """Whatever there is: a page shows itself for the first time, or in other colours or another language."""
    RELEASES = "releases"
    """Which releases there are, their names and pins."""
    RESULTS = "results"
    """Which release is selected."""
    EXPORTED = "exported"
    CHECKS = "checks"
    """How the checklist of a release stands."""
    SAFEGUARDS = "safeguards"
    PATH = "path"
    DIRTY = "dirty"
    """Whether there are changes that are not saved."""
    ANSWERS = "answers"
    """Something that was asked for in the background is known now."""
    POINTED = "pointed"
    """A part of the data is to be shown."""


ChangeSet = frozenset[str]
"""What changed at once: each a `Change`, the name of a field of the project, or the role of a file."""

_MERGE_ID = 1


class ProjectEdit(QUndoCommand):
    """Goes from one project to another and back; steps with the same merge key become one."""

    def __init__(self, apply: Callable[[Any], None], old: Any, new: Any, text: str, merge_key: str = "") -> None:
        super().__init__()
        self.old, self.new, self.merge_key = old, new, merge_key
        self._apply = apply
        self._say(text)

    def redo(self) -> None:
        """Go to the new project."""
        self._apply(self.new)

    def undo(self) -> None:
        """Go back to the old project."""
        self._apply(self.old)

    def id(self) -> int:
        """Tell the stack whether it may try to merge this step into the one before."""
        return _MERGE_ID if self.merge_key else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take over the next step when it belongs to the same stroke, such as typing into one field."""
        if not isinstance(other, ProjectEdit) or other.merge_key != self.merge_key:
            return False
        self.new = other.new
        self._say(other.actionText())
        self.setObsolete(not changed_fields(self.old, self.new))
        return True

    def _say(self, text: str) -> None:
        # Qt shows what stands before the line break in the history, what stands after it in the menu.
        self.setText(f"{time.strftime('%H:%M')}  {text}\n{text}")


def changed_fields(old: Any, new: Any) -> frozenset[str]:
    """Name the fields in which two projects differ."""
    pairs = [(f.name, getattr(old, f.name), getattr(new, f.name)) for f in dataclasses.fields(old)]
    return frozenset(name for name, before, after in pairs if before is not after and before != after)


def changed_files(before: Mapping[str, Any], after: Mapping[str, Any]) -> frozenset[str]:
    """Name the roles whose data is another one now, or gone."""
    return frozenset(role for role in {**before, **after} if before.get(role) is not after.get(role))


def project_table(project: Any, files: Mapping[str, Any]) -> "Table | None":
    """Give the table among the files of a project; one about other data says itself which lies beside it."""
    # Imported here: the window is there before the frame of the engine is.
    from anonymizer_gui.engine.room import HasSideTable

    table: Table | None = project.table_among(files) if isinstance(project, HasSideTable) else files.get("table")
    return table
