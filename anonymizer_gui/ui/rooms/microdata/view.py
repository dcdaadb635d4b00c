"""The window half of the room of microdata: its pages in the order of the rail, samples, and words."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from anonymizer_gui.ui.i18n import format_integer, tr
from anonymizer_gui.ui.room_view import RoomView, Sample, StatusBarText

if TYPE_CHECKING:
    from anonymizer_gui.engine.core.progress import Progress
    from anonymizer_gui.ui.actions import Action
    from anonymizer_gui.ui.page import Page
    from anonymizer_gui.ui.room_view import TourStep
    from anonymizer_gui.ui.rooms.microdata.release.panel import MicrodataPanel
    from anonymizer_gui.ui.shell.main_window import MainWindow
    from anonymizer_gui.workspace.document import Document


class MicrodataView(RoomView):
    """A table about people, published as a table."""

    name = "microdata"
    title = "Table of people"
    summary = "Publish the table itself: names are taken out, the rest is made coarse until your goals hold."
    icon = "data"
    order = 10
    samples = (
        Sample(
            "hospital.anon",
            "Hospital",
            "2,000 stays: names, zip codes, birth dates, diagnoses. Ready to protect.",
        ),
        Sample("lecture.anon", "Lecture", "12 patients: the table with which k-anonymity is explained."),
        Sample(
            "pharmacy.anon",
            "Pharmacy",
            "1,152 customers with a place and a set of medicines: classes and a few items together.",
        ),
        Sample("census.anon", "Census", "50,000 answers with nine quasi-identifiers, for trying things at size."),
    )
    release_suffix = ".csv"

    def load(self, progress: "Progress") -> None:
        """Import what reads tables, too."""
        from anonymizer_gui.engine.data.tables.io.contract import READERS

        super().load(progress)
        READERS.names()

    def pages(self) -> "Sequence[type[Page]]":
        """Give the eight steps."""
        from anonymizer_gui.ui.hierarchies.page import HierarchiesPage
        from anonymizer_gui.ui.release.page import ReleasePage
        from anonymizer_gui.ui.rooms.microdata.compare.page import ComparePage
        from anonymizer_gui.ui.rooms.microdata.data.page import DataPage
        from anonymizer_gui.ui.rooms.microdata.policy.page import PolicyPage
        from anonymizer_gui.ui.rooms.microdata.protect.page import ProtectPage
        from anonymizer_gui.ui.rooms.microdata.risk.page import RiskPage
        from anonymizer_gui.ui.rooms.microdata.utility.page import UtilityPage

        return DataPage, HierarchiesPage, ProtectPage, ComparePage, RiskPage, UtilityPage, PolicyPage, ReleasePage

    def actions(self) -> "Sequence[Action]":
        """Give what can be done on its pages."""
        from anonymizer_gui.ui.hierarchies.actions import ACTIONS as ON_HIERARCHIES
        from anonymizer_gui.ui.release.page import ACTIONS as ON_RELEASE
        from anonymizer_gui.ui.rooms.microdata.compare.page import ACTIONS as ON_COMPARE
        from anonymizer_gui.ui.rooms.microdata.data.actions import ACTIONS as ON_DATA
        from anonymizer_gui.ui.rooms.microdata.elsewhere.actions import ACTIONS as ELSEWHERE
        from anonymizer_gui.ui.rooms.microdata.protect.actions import ACTIONS as ON_PROTECT
        from anonymizer_gui.ui.rooms.microdata.recipes import ACTIONS as WITH_RECIPES

        return *WITH_RECIPES, *ON_DATA, *ON_HIERARCHIES, *ON_PROTECT, *ELSEWHERE, *ON_COMPARE, *ON_RELEASE

    def open_source(self, window: "MainWindow", source: str) -> None:
        """Show the import dialog, which starts the project."""
        from anonymizer_gui.ui.dialogs.import_table import ImportTableDialog

        dialog = ImportTableDialog(window.document, source, window)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def leaving_panel(self, document: "Document") -> "MicrodataPanel":
        """Make what the Release page shows: columns, how they leave, the figures."""
        from anonymizer_gui.ui.rooms.microdata.document import ours
        from anonymizer_gui.ui.rooms.microdata.release.panel import MicrodataPanel

        return MicrodataPanel(ours(document))

    def status(self, document: "Document") -> StatusBarText:
        """Say how many rows and columns there are, and the goals."""
        from anonymizer_gui.ui.rooms.microdata.settings_words import goals_in_words

        table, goals = document.table, document.project.goals
        if table is None:
            return StatusBarText()
        size = tr(
            "{rows:row|rows} × {columns:column|columns}", rows=format_integer(table.n_whole), columns=len(table.names)
        )
        short = goals_in_words(goals) or tr("no goal yet")
        if document.project.person:
            size = " · ".join((size, tr("people by “{column}”", column=document.project.person)))
            return StatusBarText(size, short, "\n".join(tr(goal.sentence_about_people()) for goal in goals))
        return StatusBarText(size, short, "\n".join(tr(goal.sentence()) for goal in goals))

    def after_saving(self, document: "Document", is_new: bool) -> None:
        """Tell that the file holds hierarchies, and which it does not hold."""
        from anonymizer_gui.ui.rooms.microdata.saving_notes import tell_what_is_in_it, tell_what_is_not_in_it

        if is_new:
            tell_what_is_in_it(document)
        tell_what_is_not_in_it(document)

    def tour(self) -> "tuple[TourStep, ...]":
        """Give the chapter on the hospital sample."""
        from anonymizer_gui.ui.rooms.microdata.show.chapter import steps

        return steps()


VIEW = MicrodataView()
