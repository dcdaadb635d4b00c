"""Tables in the window: pages in the order of the rail, actions, samples, notes after opening."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from anonymizer_gui.ui.i18n import format_integer, tr
from anonymizer_gui.ui.room_view import RoomView, Sample, StatusBarText
from anonymizer_gui.workspace.document import Document

if TYPE_CHECKING:
    from anonymizer_gui.engine.core.progress import Progress
    from anonymizer_gui.ui.actions import Action
    from anonymizer_gui.ui.page import Page
    from anonymizer_gui.ui.room_view import TourStep
    from anonymizer_gui.ui.rooms.microdata.output_panel import MicrodataOutputPanel
    from anonymizer_gui.ui.shell.main_window import MainWindow


_LACKING = "project_lacks"


def report_project_contents(document: Document) -> None:
    """Say that the file holds values of the table, where it does."""
    if document.project.saved_hierarchies():
        document.messages.info(
            tr("The project holds the hierarchies, so the values of the quasi-identifiers."),
            tr("Keep it as safe as the table."),
            key="project_holds",
        )


def report_missing_contents(document: Document) -> None:
    """Name the hierarchies of identifiers, which are not saved."""
    project = document.project
    lacking = [name for name in project.hierarchies if name not in project.saved_hierarchies()]
    if not lacking:
        document.messages.clear(_LACKING)
        return
    document.messages.warning(
        tr("The hierarchies of identifiers are not saved: {columns}.", columns=", ".join(lacking)),
        tr("To keep one, give its column another role and save again before you close."),
        key=_LACKING,
    )


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
        from anonymizer_gui.ui.rooms.microdata.policy_page import PolicyPage
        from anonymizer_gui.ui.rooms.microdata.protect.page import ProtectPage
        from anonymizer_gui.ui.rooms.microdata.risk_page import RiskPage
        from anonymizer_gui.ui.rooms.microdata.utility_page import UtilityPage

        return DataPage, HierarchiesPage, ProtectPage, ComparePage, RiskPage, UtilityPage, PolicyPage, ReleasePage

    def actions(self) -> "Sequence[Action]":
        """Give what can be done on its pages."""
        from anonymizer_gui.ui.hierarchies.actions import ACTIONS as ON_HIERARCHIES
        from anonymizer_gui.ui.release.page import ACTIONS as ON_RELEASE
        from anonymizer_gui.ui.rooms.microdata.compare.page import ACTIONS as ON_COMPARE
        from anonymizer_gui.ui.rooms.microdata.data.actions import ACTIONS as ON_DATA
        from anonymizer_gui.ui.rooms.microdata.out_of_core import ACTIONS as ELSEWHERE
        from anonymizer_gui.ui.rooms.microdata.protect.page import ACTIONS as ON_PROTECT
        from anonymizer_gui.ui.rooms.microdata.recipes import ACTIONS as WITH_RECIPES

        return *WITH_RECIPES, *ON_DATA, *ON_HIERARCHIES, *ON_PROTECT, *ELSEWHERE, *ON_COMPARE, *ON_RELEASE

    def open_source(self, window: "MainWindow", source: str) -> None:
        """Show the import dialog, which starts the project."""
        from anonymizer_gui.ui.dialogs.import_table import ImportTableDialog

        dialog = ImportTableDialog(window.document, source, window)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def leaving_panel(self, document: "Document") -> "MicrodataOutputPanel":
        """Make what the Release page shows: columns, how they leave, the figures."""
        from anonymizer_gui.ui.rooms.microdata.output_panel import MicrodataOutputPanel
        from anonymizer_gui.ui.rooms.microdata.release_texts import ours

        return MicrodataOutputPanel(ours(document))

    def status(self, document: "Document") -> StatusBarText:
        """Say how many rows and columns there are, and the goals."""
        from anonymizer_gui.ui.rooms.microdata.release_texts import goals_text

        table, goals = document.table, document.project.goals
        if table is None:
            return StatusBarText()
        size = tr(
            "{rows:row|rows} × {columns:column|columns}", rows=format_integer(table.n_whole), columns=len(table.names)
        )
        short = goals_text(goals) or tr("no goal yet")
        if document.project.person:
            size = " · ".join((size, tr("people by “{column}”", column=document.project.person)))
            return StatusBarText(size, short, "\n".join(tr(goal.sentence_about_people()) for goal in goals))
        return StatusBarText(size, short, "\n".join(tr(goal.sentence()) for goal in goals))

    def after_saving(self, document: "Document", is_new: bool) -> None:
        """Tell that the file holds hierarchies, and which it does not hold."""

        if is_new:
            report_project_contents(document)
        report_missing_contents(document)

    def tour(self) -> "tuple[TourStep, ...]":
        """Give the chapter on the hospital sample."""
        from anonymizer_gui.ui.rooms.microdata.tour import steps

        return steps()


VIEW = MicrodataView()
