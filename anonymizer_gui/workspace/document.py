"""The one thing all pages look at: the project with its undo steps, the table, and the releases made from it."""

import dataclasses
from collections.abc import Hashable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from anonymizer_gui.engine.errors import AnonymizerError
from anonymizer_gui.workspace.edits import Edit, changed_fields, settings_of
from anonymizer_gui.workspace.file_lock import FileLock
from anonymizer_gui.workspace.finished_runs import Shelf
from anonymizer_gui.workspace.jobs import Job, JobRunner, OnError, Work, tell_error
from anonymizer_gui.workspace.kept_answers import Answers, Then
from anonymizer_gui.workspace.messages import Messages
from anonymizer_gui.workspace.recovery import Lost, Recovery

if TYPE_CHECKING:
    from anonymizer_gui.engine.files.source import Source
    from anonymizer_gui.engine.progress import Progress
    from anonymizer_gui.engine.rooms.microdata.project import Project
    from anonymizer_gui.engine.rooms.microdata.release import Release
    from anonymizer_gui.engine.shapes.tables.io import ReadOptions, ReadReport
    from anonymizer_gui.engine.shapes.tables.suggestions import Suggestion
    from anonymizer_gui.engine.shapes.tables.table import ColumnType, Table
    from anonymizer_gui.workspace.opening import Opened

UNDO_LIMIT = 200


class Document(QObject):
    """Holds the frozen project; every edit goes through `edit`, every change is told by `changed`."""

    changed = Signal(object)
    """Carries a frozenset of names: project fields, table, population, releases, results, exported, path, dirty."""

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
        self._answers = Answers(self.jobs)
        self._recovery = recovery
        self._lock = FileLock()
        self._project: Project | None = None
        self._table: Table | None = None
        self._report: ReadReport | None = None
        self._populations: dict[str, Table] = {}
        self._suggestions: tuple[Suggestion, ...] = ()
        self._shelf = Shelf()
        self._path: Path | None = None
        self._holder = ""
        self.undo_stack.cleanChanged.connect(self._on_clean_changed)
        self.undo_stack.indexChanged.connect(self._on_step)

    @property
    def project(self) -> "Project":
        """What is decided about the table."""
        if self._project is None:
            # Imported here: the engine's libraries take longer to load than the whole window.
            from anonymizer_gui.engine.rooms.microdata.project import Project

            self._project = Project()
        return self._project

    @property
    def table(self) -> "Table | None":
        """The table the project is about, once it is read."""
        return self._table

    @property
    def report(self) -> "ReadReport | None":
        """What reading the table changed and found."""
        return self._report

    @property
    def population(self) -> "Table | None":
        """The table that stands for the population, if there is one."""
        source = self._project.population if self._project is not None else None
        return self._populations.get(source.path) if source is not None else None

    @property
    def suggestions(self) -> "tuple[Suggestion, ...]":
        """What the columns of the table seem to be."""
        return self._suggestions

    @property
    def releases(self) -> "tuple[Release, ...]":
        """The finished runs, oldest first."""
        return self._shelf.releases

    @property
    def selected(self) -> "Release | None":
        """The release the pages show."""
        return self._shelf.selected

    @property
    def path(self) -> Path | None:
        """The file the project is saved in."""
        return self._path

    @property
    def is_dirty(self) -> bool:
        """Whether there are changes that are not saved."""
        return not self.undo_stack.isClean()

    @property
    def is_empty(self) -> bool:
        """Whether there is neither a table nor anything decided about one."""
        return self._table is None and (self._project is None or self._project.source is None)

    @property
    def holder(self) -> str:
        """Who else has this project open: computer and process; nothing when nobody has."""
        return self._holder

    def edit(self, text: str, merge_key: str = "", **fields: Any) -> None:
        """Replace some fields of the project as one step that can be undone; the text says what was done.

        Steps that follow each other with the same `merge_key` become one.
        """
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

    def new(self) -> None:
        """Start over with nothing."""
        from anonymizer_gui.engine.rooms.microdata.project import Project
        from anonymizer_gui.workspace.opening import Opened

        self._take_over(Opened(Project()), None)

    def open_table(
        self,
        source: str | Path,
        options: "ReadOptions | None" = None,
        on_error: OnError | None = None,
        types: "Mapping[str, tuple[ColumnType, str]] | None" = None,
    ) -> Job:
        """Read a table in the background and start a project about it; `types` overrides what seems right."""

        def work(progress: "Progress") -> "Opened":
            from anonymizer_gui.workspace.opening import open_new_table

            return open_new_table(str(source), options, types or {}, progress)

        return self._open("Open the table", work, None, on_error)

    def open_project(self, path: Path, as_copy: bool = False, on_error: OnError | None = None) -> Job:
        """Read a project and its table in the background; a copy has no file of its own yet."""

        def work(progress: "Progress") -> "Opened":
            from anonymizer_gui.workspace.opening import open_saved_project

            return open_saved_project(path, progress)

        return self._open("Open the project", work, None if as_copy else path.resolve(), on_error)

    def join_table(self, source: str | Path, on_error: OnError | None = None) -> Job:
        """Read the table of this project from where it is now; what is decided stays."""
        project = self.project

        def work(progress: "Progress") -> "Opened":
            from anonymizer_gui.workspace.opening import join_table

            opened = join_table(project, str(source), progress)
            if opened.obstacle is not None:
                raise opened.obstacle
            return opened

        def done(opened: "Opened") -> None:
            # Steps made while the table was read stay; another place of the table is a change to be saved.
            found = replace(self.project, source=opened.project.source)
            is_changed = self.is_dirty or bool(changed_fields(self.project, found))
            self._take_over(replace(opened, project=found), self._path)
            if is_changed:
                self._mark_changed()

        return self.jobs.start("Read the table", work, on_done=done, on_error=on_error, replace_key="open")

    def set_table(self, table: "Table", project: "Project", report: "ReadReport | None" = None) -> None:
        """Start over with a table and a project about it that are there already."""
        from anonymizer_gui.workspace.opening import Opened

        self._take_over(Opened(project, table, report), None)

    def set_population(self, source: str | Path, text: str = "") -> Job:
        """Read the table that stands for the population, as a step that can be undone."""

        def work(progress: "Progress") -> "tuple[Table, Source]":
            from anonymizer_gui.workspace.opening import open_population

            return open_population(str(source), progress)

        def done(result: "tuple[Table, Source]") -> None:
            self._populations[result[1].path] = result[0]
            self._emit({"population"})
            self.edit(text or f"Take {Path(result[1].path).name} for the population", population=result[1])

        return self.jobs.start("Read the population", work, on_done=done, replace_key="population")

    def save(self, path: Path) -> bool:
        """Write the project; a failure is told, leaves the old file as it was, and gives false."""
        from anonymizer_gui.engine.projects.project_file import save_project

        try:
            save_project(self.project, path)
        except AnonymizerError as error:
            tell_error(self.messages, error)
            return False
        if path.resolve() != self._path:
            self._path = path.resolve()
            self._holder = self._lock.take(self._path)
        self.undo_stack.setClean()
        if self._recovery is not None:
            self._recovery.clear()
        self._emit({"path", "dirty"})
        return True

    def recover(self, lost: Lost) -> None:
        """Take up the unsaved project of a program that did not end well; it counts as changed."""
        try:
            project = lost.project()
        except AnonymizerError as error:
            tell_error(self.messages, error)
            return
        source = project.source

        def work(progress: "Progress") -> "Opened":
            from anonymizer_gui.workspace.opening import Opened, join_table

            return join_table(project, source.path, progress) if source is not None else Opened(project)

        def done(opened: "Opened") -> None:
            self._take_over(opened, lost.path)
            self._mark_changed()
            lost.discard()

        self.jobs.start("Restore the project", work, on_done=done, replace_key="open")

    def run(self, on_error: OnError | None = None, name: str = "", *, try_anyway: bool = False) -> Job | None:
        """Run the project's algorithm in the background; the release is appended under the name and selected.

        With too little memory it is not started, unless it is to be tried anyway.
        """
        if self._table is None:
            return None
        from anonymizer_gui.engine.rooms.microdata.anonymize import anonymize

        def work(table: "Table", project: "Project", population: "Table | None", progress: "Progress") -> "Release":
            release = anonymize(table, project, progress, population, try_anyway=try_anyway)
            return replace(release, name=name or release.name)

        return self.jobs.start(
            "Protect", work, self._table, self.project, self.population,
            on_done=self.add_release, on_error=on_error, replace_key="run",
        )  # fmt: skip

    def add_release(self, release: "Release", tried_from: "Project | None" = None) -> None:
        """Append a finished run and select it; `tried_from` are the settings several were tried from together."""
        self._shelf.add(release, tried_from)
        self._emit({"releases", "results"})

    def select(self, release: "Release | None") -> None:
        """Choose the release the pages show."""
        if release is not self._shelf.selected:
            self._shelf.selected = release
            self._emit({"results"})

    def remove_release(self, release: "Release") -> None:
        """Forget a finished run."""
        self._shelf.remove(release)
        self._emit({"releases", "results"})

    def rename_release(self, release: "Release", name: str) -> None:
        """Give a finished run another name."""
        self._shelf.rename(release, name)
        self._emit({"releases", "results"})

    def pin(self, release: "Release", pinned: bool = True) -> None:
        """Keep a finished run at hand, or not any more."""
        self._shelf.pin(release, pinned)
        self._emit({"releases"})

    def is_pinned(self, release: "Release") -> bool:
        """Tell whether a finished run is pinned."""
        return self._shelf.is_pinned(release)

    def note_export(self, release: "Release", project: "Project") -> None:
        """Remember that a release has left with these settings."""
        self._shelf.exported = (*self._shelf.exported, (release, project))
        self._emit({"exported"})

    def is_exported(self, release: "Release") -> bool:
        """Tell whether a release has left, and nothing was changed since."""
        return any(kept is release and project == self.project for kept, project in self._shelf.exported)

    def is_stale(self, release: "Release") -> bool:
        """Tell whether the settings have changed since this run, or since it was tried together with others."""
        return not any(self._is_set(project) for project in self._shelf.settings_together(release))

    def has_settings_of(self, release: "Release") -> bool:
        """Tell whether another run would give this release again."""
        return self._is_set(release.project)

    def use_settings_of(self, release: "Release", text: str) -> None:
        """Take the settings a release was made with, as one step that can be undone."""
        self.edit(text, **settings_of(release.project, self.project))

    def _is_set(self, project: "Project") -> bool:
        pairs = ((value, getattr(self.project, name)) for name, value in settings_of(project, self.project).items())
        return all(then is now or then == now for then, now in pairs)

    def close(self, keep_recovery: bool = False) -> bool:
        """Stop all work; say whether it stopped in time."""
        # A stack that is taken apart tells its listeners about every step; they may be gone.
        self.undo_stack.blockSignals(True)
        if self._recovery is not None and not keep_recovery:
            self._recovery.clear()
            self._recovery.flush()
        self._lock.release()
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

    def _take_over(self, opened: "Opened", path: Path | None) -> None:
        self._project, self._path = opened.project, path
        self._table, self._report = opened.table, opened.report
        source = opened.project.population
        self._populations = {source.path: opened.population} if source and opened.population else {}
        self._suggestions = opened.suggestions
        self._shelf = Shelf()
        # What still runs is about the table before.
        self.jobs.cancel_all()
        self._answers.forget()
        self.undo_stack.clear()
        self.undo_stack.setClean()  # clearing an empty stack leaves a restored project unsaved
        self.messages.clear_all()
        if self._recovery is not None:
            self._recovery.clear()
        self._holder = self._lock.take(path)
        fields = {f.name for f in dataclasses.fields(opened.project)}
        self._emit(fields | {"table", "population", "releases", "results", "path", "dirty"})
        self.opened.emit(opened)

    def _mark_changed(self) -> None:
        """Count the project as not saved, although there is no step to undo."""
        self.undo_stack.resetClean()
        self._on_step(0)

    def _apply(self, project: "Project") -> None:
        names = changed_fields(self.project, project)
        self._project = project
        self._emit(names)

    def _emit(self, names: frozenset[str] | set[str]) -> None:
        if names:
            self.changed.emit(frozenset(names))

    def _on_clean_changed(self, _clean: bool) -> None:
        self._emit({"dirty"})

    def _on_step(self, _index: int) -> None:
        if self._recovery is None:
            return
        if self.is_dirty:
            self._recovery.note(self.project, self._path)
        else:  # undone to what is saved: nothing is left to restore
            self._recovery.clear()
