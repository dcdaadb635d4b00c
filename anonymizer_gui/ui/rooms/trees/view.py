"""Nested records in the window: pages, actions, samples, and how a file is opened."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from anonymizer_gui.ui.i18n import format_integer, tr
from anonymizer_gui.ui.room_view import RoomView, Sample, StatusBarText

if TYPE_CHECKING:
    from anonymizer_gui.ui.actions import Action
    from anonymizer_gui.ui.page import Page
    from anonymizer_gui.ui.room_view import TourStep
    from anonymizer_gui.ui.rooms.trees.output_panel import RecordsOutputPanel
    from anonymizer_gui.ui.shell.main_window import MainWindow
    from anonymizer_gui.workspace.document import Document


class TreesView(RoomView):
    """Nested records, published as such."""

    name = "trees"
    title = "Nested records"
    summary = "Publish JSON or XML records with what hangs below them: nobody is found by their branches."
    icon = "hierarchies"
    order = 45
    samples = (
        Sample("students.anon", "Students", "400 students with their courses, grades and books, as JSON."),
        Sample("two_hospitals.anon", "Two hospitals", "The example of the lectures: flu here, antibiotics there."),
    )
    release_suffix = ".json"

    def pages(self) -> "Sequence[type[Page]]":
        """Give the six steps."""
        from anonymizer_gui.ui.release.page import ReleasePage
        from anonymizer_gui.ui.rooms.trees.attack_page import AttackPage
        from anonymizer_gui.ui.rooms.trees.compare_page import ComparePage
        from anonymizer_gui.ui.rooms.trees.data_page import DataPage, PathHierarchiesPage
        from anonymizer_gui.ui.rooms.trees.protect_page import ProtectPage

        return DataPage, AttackPage, PathHierarchiesPage, ProtectPage, ComparePage, ReleasePage

    def actions(self) -> "Sequence[Action]":
        """Give what can be done on its pages."""
        from anonymizer_gui.ui.hierarchies.actions import ACTIONS as ON_HIERARCHIES
        from anonymizer_gui.ui.release.page import ACTIONS as ON_RELEASE
        from anonymizer_gui.ui.rooms.trees.data_page import ACTIONS as ON_DATA
        from anonymizer_gui.ui.rooms.trees.protect_page import ACTIONS as ON_PROTECT

        return *ON_DATA, *ON_HIERARCHIES, *ON_PROTECT, *ON_RELEASE

    def open_source(self, window: "MainWindow", source: str) -> None:
        """Start a project about records at once; without a file it is asked for first."""
        from anonymizer_gui.ui.dialogs.file_dialogs import ask_file
        from anonymizer_gui.ui.rooms.trees.data_page import ask_file_or_folder

        def begin(path: str) -> None:
            ask_file_or_folder(window, Path(path), lambda chosen: window.document.open_table(chosen, room=self.name))

        if source:
            begin(source)
        else:
            ask_file(window, tr("Open Records (JSON, XML)"), begin)

    def leaving_panel(self, document: "Document") -> "RecordsOutputPanel":
        """Make what the Release page shows."""
        from anonymizer_gui.ui.rooms.trees.output_panel import RecordsOutputPanel

        return RecordsOutputPanel(document)

    def status(self, document: "Document") -> StatusBarText:
        """Say how many records and vertices there are, and what is promised."""
        from anonymizer_gui.engine.rooms.trees.algorithms.contract import unmeasured_promise

        trees = document.files.get("table")
        if trees is None:
            return StatusBarText()
        size = tr(
            "{records:record|records}, {vertices:vertex|vertices}",
            records=format_integer(len(trees)),
            vertices=format_integer(len(trees.vertices)),
        )
        promises = unmeasured_promise(document.project)
        short = ", ".join(tr(promise.title) for promise in promises)
        return StatusBarText(size, short, "\n".join(tr(promise.sentence) for promise in promises))

    def after_saving(self, document: "Document", is_new: bool) -> None:
        """Tell that the file holds the hierarchies, and with them values of the records."""
        if is_new and document.project.hierarchies:
            document.messages.info(tr("The project file holds the hierarchies: keep it inside."))

    def tour(self) -> "tuple[TourStep, ...]":
        """Give the chapter on the students."""
        from anonymizer_gui.ui.rooms.trees.tour import steps

        return steps()


VIEW = TreesView()
