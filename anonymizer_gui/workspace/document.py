"""What somebody wants to see of the data, told from page to page."""

import dataclasses
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from anonymizer_gui.engine.core import FIRST_ROOM
from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.workspace.changes import Change, ProjectEdit, changed_fields, changed_files, project_table
from anonymizer_gui.workspace.engine_tasks import (
    ExportSafeguards,
    attach_files_task,
    new_project_task,
    open_project_task,
    read_file_task,
    source_key,
)
from anonymizer_gui.workspace.jobs import Job, JobRunner, OnError, Work, post_error
from anonymizer_gui.workspace.messages import Messages
from anonymizer_gui.workspace.project_saver import ProjectSaver, warn_changed_on_disk
from anonymizer_gui.workspace.recovery import RecoverableProject, Recovery
from anonymizer_gui.workspace.release_list import ReleaseList
from anonymizer_gui.workspace.result_cache import OnResult, ResultCache

if TYPE_CHECKING:
    from anonymizer_gui.engine.core.progress import Progress
    from anonymizer_gui.engine.data.tables.io import ReadOptions
    from anonymizer_gui.engine.data.tables.table import ColumnType, Table
    from anonymizer_gui.engine.projects.opening import OpenedProject
    from anonymizer_gui.engine.room import Files, ReadFile


@dataclass(frozen=True, slots=True, eq=False)
class DataSelection:
    """A part of the data and rows in it that somebody wants to see."""

    place: str
    rows: tuple[int, ...] = ()


UNDO_LIMIT = 200


class Document(QObject):
    """Holds the frozen project; every edit goes through `edit`, every change is told by `changed`."""

    changed = Signal(object)
    """Carries `Changes`: what of the document, of its project and of its files is another one now."""

    opened = Signal(object)
    """Carries what was opened, once it is there; the window tells what is remarkable about it."""

    def __init__(
        self, inline_jobs: bool = False, recovery: Recovery | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.messages = Messages(self)
        self.jobs = JobRunner(self.messages, inline_jobs, self)
        self.drawing = JobRunner(self.messages, inline_jobs, self)
        """Draws charts beside everything else, so that none waits for a long run."""
        self.undo_stack = QUndoStack(self)
        self.undo_stack.setUndoLimit(UNDO_LIMIT)
        self._answers = ResultCache(self.jobs)
        self._keeper = ProjectSaver(recovery)
        self._project: Any = None
        self._read: dict[tuple[str, str], Any] = {}
        self._safeguards = ExportSafeguards()
        self.finished = ReleaseList(self, self._on_finished)
        """The releases that were made, of which one is selected."""
        self.pointed: DataSelection | None = None
        self.undo_stack.cleanChanged.connect(self._on_clean_changed)
        self.undo_stack.indexChanged.connect(self._on_step)

    @property
    def project(self) -> Any:
        """What is decided about the files: a project of the room the document is in."""
        if self._project is None:
            # Imported here: the engine's libraries take longer to load than the whole window.
            from anonymizer_gui.engine.room import room_of

            self._project = room_of(FIRST_ROOM).project()
        return self._project

    @property
    def room(self) -> str:
        """The way to a release the project goes; an empty document does not load the engine to know."""
        return self._project.room if self._project is not None else FIRST_ROOM

    @property
    def files(self) -> "Files":
        """The data the project is about, by the role of its file, as far as it is read."""
        if self._project is None:
            return {}
        places = {role: source_key(source) for role, source in self._project.sources().items()}
        return {role: data for (role, place), data in self._read.items() if places.get(role, "") == place}

    @property
    def table(self) -> "Table | None":
        """The table the project is about, once it is read, or lies beside what it is about."""
        return project_table(self._project, self.files)

    @property
    def population(self) -> "Table | None":
        """The table that stands for the population, if there is one."""
        return self.files.get("population")

    @property
    def safeguards(self) -> ExportSafeguards:
        """Where key and ledger are, and the reason to override a failed check."""
        return self._safeguards

    @property
    def releases(self) -> tuple[Any, ...]:
        """The finished runs, oldest first."""
        return self.finished.releases

    @property
    def selected(self) -> Any:
        """The release the pages show; None when there is none."""
        return self.finished.selected

    @property
    def path(self) -> Path | None:
        """The file the project is saved in."""
        return self._keeper.path

    @property
    def is_dirty(self) -> bool:
        """Whether there are changes that are not saved."""
        return not self.undo_stack.isClean() or not self.finished.is_saved

    @property
    def is_decided_as_saved(self) -> bool:
        """Whether the file holds all that is decided now, whichever releases it keeps."""
        return self.path is not None and self.undo_stack.isClean()

    @property
    def is_empty(self) -> bool:
        """Whether there is neither a table nor anything decided about one."""
        if self._read or self._project is None:
            return not self._read
        # What asks people instead of a table has decided something without any file.
        is_decided = self._project.room != FIRST_ROOM and self._project != type(self._project)()
        return not is_decided and not self._project.sources()

    @property
    def holder(self) -> str:
        """Who else has this project open: computer and process; nothing when nobody has."""
        return self._keeper.holder

    def edit(self, text: str, merge_key: str = "", **fields: Any) -> None:
        """Replace some fields of the project as one step that can be undone; those with the same key become one."""
        self.take(replace(self.project, **fields), text, merge_key)

    def take(self, project: Any, text: str, merge_key: str = "") -> None:
        """Take another project in place of the present one, as one step that can be undone."""
        if changed_fields(self.project, project):
            self.undo_stack.push(ProjectEdit(self._apply, self.project, project, text, merge_key))

    def ask(
        self,
        key: Hashable,
        function: Work,
        *args: Any,
        then: OnResult,
        title: str = "",
        failed: OnError | None = None,
    ) -> None:
        """Have `function(*args, progress=...)` computed in the background; the answer is kept while args stay."""
        self._answers.ask(key, function, *args, then=then, title=title, failed=failed)

    def answer(self, key: Hashable, function: Work, *args: Any, title: str = "") -> Any:
        """Give an answer that is there; otherwise have it computed, give nothing, and tell `answers` once it is."""
        return self._answers.at_hand(key, function, *args, then=lambda _: self._tell(Change.ANSWERS), title=title)

    def point_to(self, place: str, rows: tuple[int, ...]) -> None:
        """Have the page of the data show a part of it and some of its rows."""
        self.pointed = DataSelection(place, rows)
        self._tell(Change.POINTED)

    def new(self) -> None:
        """Start over with nothing."""
        from anonymizer_gui.engine.projects.opening import OpenedProject
        from anonymizer_gui.engine.room import room_of

        self._take_over(OpenedProject(room_of(FIRST_ROOM).project()), None)

    def open_table(
        self,
        source: str | Path,
        options: "ReadOptions | Mapping[str, Any] | None" = None,
        on_error: OnError | None = None,
        types: "Mapping[str, tuple[ColumnType, str]] | None" = None,
        room: str = FIRST_ROOM,
    ) -> Job:
        """Read a table in the background and start a project about it; `types` overrides what seems right."""
        return self._open("Open the table", new_project_task(str(source), options, types or {}, room), None, on_error)

    def open_project(self, path: Path, as_copy: bool = False, on_error: OnError | None = None) -> Job:
        """Read a project and its table in the background; a copy has no file of its own yet."""
        return self._open("Open the project", open_project_task(path), None if as_copy else path.resolve(), on_error)

    def join_table(
        self, source: str | Path = "", on_error: OnError | None = None, *, allow_database: bool = False
    ) -> Job:
        """Read the files of this project, the table from where it is now; what is decided stays."""
        work = attach_files_task(self.project, str(source), allow_database=allow_database)

        def done(opened: "OpenedProject") -> None:
            # Steps made while the table was read stay; another place of the table is a change to be saved.
            found = self.project.with_sources(opened.project.sources())
            is_changed = self.is_dirty or bool(changed_fields(self.project, found))
            kept = self.finished.to_keep()
            self._take_over(replace(opened, project=found, releases=kept), self.path, self._safeguards)
            if is_changed:
                self._mark_changed()

        return self.jobs.start("Read the table", work, on_done=done, on_error=on_error, replace_key="open")

    def set_table(self, table: "Table", project: Any) -> None:
        """Start over with a table and a project about it that are there already."""
        from anonymizer_gui.engine.projects.opening import OpenedProject

        self._take_over(OpenedProject(project, {"table": table}), None)

    def set_population(self, source: str | Path, text: str = "") -> Job:
        """Read the table that stands for the population, as a step that can be undone."""
        return self.set_file("population", source, text or "Choose the population", "Read the population")

    def set_file(self, role: str, source: str | Path, text: str, title: str, **decided: Any) -> Job:
        """Read a further file of the project, and decide what goes with it, as a step that can be undone."""
        work = read_file_task(self.project.room, role, source)
        return self.jobs.start(
            title, work, on_done=lambda read: self.take_file(role, read, text, **decided), replace_key=role
        )

    def take_file(self, role: str, read: "ReadFile", text: str, **decided: Any) -> None:
        """Take a file that was read, a further one or the same read otherwise, as a step that can be undone."""
        self._read[role, source_key(read.source)] = read.data
        project = self.project.with_sources({**self.project.sources(), role: read.source})
        self.take(replace(project, **decided), text)

    def save(self, path: Path, *, over_others: bool = False) -> bool:
        """Write the project; a failure is told, leaves the old file as it was, and gives false.

        What somebody else has written into the file meanwhile is overwritten only after a question, and neither a table
        nor a key or ledger ever is.
        """
        if self._keeper.is_changed(path) and not over_others:
            warn_changed_on_disk(self.messages, path, lambda: self.save(path, over_others=True))
            return False
        try:
            self._keeper.save(self.project, path, self.finished.to_keep(), self._safeguards.files())
        except AnonymizerError as error:
            post_error(self.messages, error)
            return False
        self.finished.note_saved()
        self.undo_stack.setClean()
        self._tell(Change.PATH, Change.DIRTY)
        return True

    def recover(self, lost: RecoverableProject) -> None:
        """Take up the unsaved project of a program that did not end well; it counts as changed."""
        try:
            project, releases = lost.project()
        except AnonymizerError as error:
            post_error(self.messages, error)
            return

        def done(opened: "OpenedProject") -> None:
            self._take_over(replace(opened, releases=releases), lost.path)
            self._mark_changed()
            lost.discard()

        work = attach_files_task(project, is_needed=False)
        self.jobs.start("Restore the project", work, on_done=done, replace_key="open")

    def run(self, on_error: OnError | None = None, name: str = "", *, try_anyway: bool = False) -> Job | None:
        """Run the project's algorithm in the background; the release is appended under the name and selected.

        With too little memory it is not started, unless it is to be tried anyway.
        """
        files, project = self.files, self.project
        if not files:
            return None

        def work(progress: "Progress") -> Any:
            from anonymizer_gui.engine.room import room_of

            release = room_of(project.room).run(project, files, progress, try_anyway=try_anyway)
            return replace(release, name=name or release.name)

        return self.jobs.start("Protect", work, on_done=self.finished.add, on_error=on_error, replace_key="run")

    def set_safeguards(self, **changes: str) -> None:
        """Choose key file, ledger or reason for what leaves; none of it is a step or saved."""
        new = replace(self._safeguards, **changes)
        if new != self._safeguards:
            self._safeguards = new
            self._tell(Change.SAFEGUARDS)

    def close(self, keep_recovery: bool = False) -> bool:
        """Stop all work; say whether it stopped in time."""
        # A stack that is taken apart tells its listeners about every step; they may be gone. Its steps know this
        # document: left to the collector of garbage, they could go before the stack that holds them.
        self.undo_stack.blockSignals(True)
        self.undo_stack.clear()
        self._keeper.close(keep_copy=keep_recovery)
        drawn = self.drawing.close()
        return self.jobs.close() and drawn

    def _open(self, title: str, work: Work, path: Path | None, on_error: OnError | None) -> Job:
        return self.jobs.start(
            title,
            work,
            on_done=lambda opened: self._take_over(opened, path),
            on_error=on_error,
            replace_key="open",
        )

    def _take_over(
        self, opened: "OpenedProject", path: Path | None, safeguards: ExportSafeguards | None = None
    ) -> None:
        self._project = opened.project
        sources = opened.project.sources()
        self._read = {
            (role, source_key(sources[role]) if role in sources else ""): f for role, f in opened.files.items()
        }
        self._safeguards, self.pointed = safeguards or ExportSafeguards(), None
        self.finished.clear()
        self.finished.take_earlier(opened.releases)
        # What still runs is about the table before.
        self.jobs.cancel_all()
        self._answers.forget()
        self.undo_stack.clear()
        self.undo_stack.setClean()  # clearing an empty stack leaves a restored project unsaved
        self.messages.clear_all()
        self._keeper.move_to(path)
        fields = [f.name for f in dataclasses.fields(opened.project)]
        whole = (Change.SAFEGUARDS, Change.RELEASES, Change.RESULTS, Change.PATH, Change.DIRTY)
        self._tell(*fields, *opened.room.roles, *whole)
        self.opened.emit(opened)

    def _mark_changed(self) -> None:
        """Count the project as not saved, although there is no step to undo."""
        self.undo_stack.resetClean()
        self._on_step(0)

    def _apply(self, project: Any) -> None:
        names, before, table = changed_fields(self.project, project), self.files, self.table
        self._project = project
        others = changed_files({**before, "table": table}, {**self.files, "table": self.table})
        if "table" in before and "table" in others:
            self.finished.put_aside()
            self._answers.forget()
        self._tell(*names, *others)

    def _tell(self, *names: str) -> None:
        if names:
            self.changed.emit(frozenset(names))

    def _on_finished(self, *changes: Change) -> None:
        self._tell(*changes)
        if Change.RELEASES in changes:
            self._on_step(0)

    def _on_clean_changed(self, _clean: bool) -> None:
        self._tell(Change.DIRTY)

    def _on_step(self, _index: int) -> None:
        if not self._keeper.has_copies:
            return
        if self.is_dirty:
            self._keeper.note(self.project, self.finished.to_keep())
        else:
            self._keeper.note_saved()
