"""The window half of the room of surveys: its pages in the order of the rail, its samples, and words."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from anonymizer_gui.ui.i18n import format_significant, tr
from anonymizer_gui.ui.room_view import RoomView, Sample, StatusBarText

if TYPE_CHECKING:
    from anonymizer_gui.ui.actions import Action
    from anonymizer_gui.ui.page import Page
    from anonymizer_gui.ui.room_view import TourStep
    from anonymizer_gui.ui.rooms.survey.output_panel import EstimatesOutputPanel
    from anonymizer_gui.ui.shell.main_window import MainWindow
    from anonymizer_gui.workspace.document import Document


class SurveyView(RoomView):
    """Ask without being told."""

    name = "survey"
    title = "Survey"
    summary = "Ask people without being told: a form changes every answer by chance before it is sent."
    icon = "person"
    order = 30
    samples = (
        Sample("coins.anon", "Two coins", "The example of the lectures: 80 and 20 become 65 and 35, and come back."),
        Sample("survey.anon", "New survey", "A question for people instead of a table; nothing is collected yet."),
    )
    release_suffix = ".csv"

    def pages(self) -> "Sequence[type[Page]]":
        """Give the five steps."""
        from anonymizer_gui.ui.release.page import ReleasePage
        from anonymizer_gui.ui.rooms.survey.collect_page import CollectPage
        from anonymizer_gui.ui.rooms.survey.design_page import DesignPage
        from anonymizer_gui.ui.rooms.survey.estimate_page import EstimatePage
        from anonymizer_gui.ui.rooms.survey.simulate_page import SimulatePage

        return DesignPage, CollectPage, EstimatePage, SimulatePage, ReleasePage

    def actions(self) -> "Sequence[Action]":
        """Give what can be done on its pages."""
        from anonymizer_gui.ui.release.page import ACTIONS as ON_RELEASE
        from anonymizer_gui.ui.rooms.survey.collect_page import ACTIONS as ON_COLLECT
        from anonymizer_gui.ui.rooms.survey.design_page import ACTIONS as ON_DESIGN
        from anonymizer_gui.ui.rooms.survey.estimate_page import ACTIONS as ON_ESTIMATE

        return *ON_DESIGN, *ON_COLLECT, *ON_ESTIMATE, *ON_RELEASE

    def open_source(self, window: "MainWindow", source: str) -> None:
        """Start a survey about a table, or go on with one whose reports came back."""
        from anonymizer_gui.ui.dialogs.file_dialogs import ask_open

        def begin(path: object) -> None:
            window.document.open_table(str(path), room=self.name)

        if source:
            begin(source)
        else:
            ask_open(window, "", begin, tables_only=True)

    def leaving_panel(self, document: "Document") -> "EstimatesOutputPanel":
        """Make what the Release page shows: the estimates with their intervals."""
        from anonymizer_gui.ui.rooms.survey.output_panel import EstimatesOutputPanel

        return EstimatesOutputPanel(document)

    def status(self, document: "Document") -> StatusBarText:
        """Say how many questions there are, and what an answer may cost."""
        project = document.project
        asked = tr("{questions:question|questions}", questions=len(project.questions))
        cost = tr("epsilon {epsilon}", epsilon=format_significant(float(project.epsilon), 4))
        return StatusBarText(asked, cost, tr("For all answers of one respondent together."))

    def after_saving(self, document: "Document", is_new: bool) -> None:
        """Say nothing: the file holds questions, and no data."""

    def tour(self) -> "tuple[TourStep, ...]":
        """Give the chapter on the two coins."""
        from anonymizer_gui.ui.rooms.survey.tour import steps

        return steps()


VIEW = SurveyView()
