"""The window half of the room of statistics: its pages in the order of the rail, its sample, and words."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from anonymizer_gui.ui.i18n import format_significant, tr
from anonymizer_gui.ui.room_view import RoomView, Sample, StatusBarText

if TYPE_CHECKING:
    from anonymizer_gui.ui.actions import Action
    from anonymizer_gui.ui.page import Page
    from anonymizer_gui.ui.room_view import TourStep
    from anonymizer_gui.ui.rooms.statistics.output_panel import AnswersOutputPanel
    from anonymizer_gui.ui.shell.main_window import MainWindow
    from anonymizer_gui.workspace.document import Document


class StatisticsView(RoomView):
    """Numbers about people, published with noise from a budget."""

    name = "statistics"
    title = "Statistics"
    summary = "Publish numbers about people instead of their rows: noise hides everybody, a budget keeps it so."
    icon = "utility"
    order = 20
    samples = (
        Sample("practice.anon", "Practice", "Visits to a doctor: counts, means and rankings with noise."),
        Sample("practice_models.anon", "Practice: models", "The visits as a synthetic table, clusters and a model."),
        Sample("aspirin.anon", "Aspirin", "Twelve baskets of four customers: hide an item, a basket or a customer."),
        Sample("helpers.anon", "Helpers", "Who helps whom in a village: numbers of ties that hide each of them."),
        Sample("enrolment.anon", "Enrolment", "Students and their courses: hide a student, or a single enrolment."),
    )
    release_suffix = ".csv"

    def pages(self) -> "Sequence[type[Page]]":
        """Give the eight steps."""
        from anonymizer_gui.ui.release.page import ReleasePage
        from anonymizer_gui.ui.rooms.statistics.attack_page import AttackPage
        from anonymizer_gui.ui.rooms.statistics.checker_page import MechanismCheckerPage
        from anonymizer_gui.ui.rooms.statistics.domains_page import DomainsPage
        from anonymizer_gui.ui.rooms.statistics.models_page import ModelsPage
        from anonymizer_gui.ui.rooms.statistics.plan_page import PlanPage
        from anonymizer_gui.ui.rooms.statistics.preview_page import PreviewPage
        from anonymizer_gui.ui.rooms.statistics.unit_page import PrivacyUnitPage

        return (
            PrivacyUnitPage,
            DomainsPage,
            PlanPage,
            PreviewPage,
            ModelsPage,
            AttackPage,
            MechanismCheckerPage,
            ReleasePage,
        )

    def actions(self) -> "Sequence[Action]":
        """Give what can be done on its pages."""
        from anonymizer_gui.ui.release.page import ACTIONS as ON_RELEASE
        from anonymizer_gui.ui.rooms.statistics.domains_page import ACTIONS as ON_DOMAINS
        from anonymizer_gui.ui.rooms.statistics.plan_page import ACTIONS as ON_PLAN
        from anonymizer_gui.ui.rooms.statistics.unit_page import ACTIONS as ON_UNIT

        return *ON_UNIT, *ON_DOMAINS, *ON_PLAN, *ON_RELEASE

    def open_source(self, window: "MainWindow", source: str) -> None:
        """Start a plan about a table at once: nothing of how it is read can be decided yet."""
        from anonymizer_gui.ui.dialogs.file_dialogs import ask_open

        def begin(path: object) -> None:
            window.document.open_table(str(path), room=self.name)

        if source:
            begin(source)
        else:
            ask_open(window, "", begin, tables_only=True)

    def leaving_panel(self, document: "Document") -> "AnswersOutputPanel":
        """Make what the Release page shows: the answers with their intervals."""
        from anonymizer_gui.ui.rooms.statistics.output_panel import AnswersOutputPanel

        return AnswersOutputPanel(document)

    def status(self, document: "Document") -> StatusBarText:
        """Say how many questions there are, and what they may cost; how large the table is stays private."""
        from anonymizer_gui.engine.rooms.statistics.project import protected_by

        project = document.project
        asked = tr("{questions:question|questions}", questions=len(project.questions))
        cost = tr("epsilon {epsilon}", epsilon=format_significant(float(project.epsilon), 4))
        return StatusBarText(asked, cost, tr(protected_by(project)))

    def after_saving(self, document: "Document", is_new: bool) -> None:
        """Say nothing: the file holds a plan, and no data."""

    def tour(self) -> "tuple[TourStep, ...]":
        """Give the chapter on the practice sample."""
        from anonymizer_gui.ui.rooms.statistics.tour import steps

        return steps()


VIEW = StatisticsView()
