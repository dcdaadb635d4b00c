"""What can be done about sets: each way is run, and its exposed rows and losses stand side by side."""

from typing import Any, ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton

from anonymizer_gui.engine.rooms.microdata.models.contract import set_requirements
from anonymizer_gui.engine.rooms.microdata.sweep import SetAlternative, run_set_alternatives
from anonymizer_gui.ui.dialogs.alternatives import AlternativesDialog, AlternativesTexts
from anonymizer_gui.ui.i18n import format_integer, format_percent, tr
from anonymizer_gui.ui.rooms.microdata.document import MicrodataDocument
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.workspace.jobs import Work


class SetWaysDialog(AlternativesDialog):
    """A row for each way; the chosen one becomes the goal of the project."""

    name: ClassVar[str] = "set_ways"
    words: ClassVar[AlternativesTexts] = AlternativesTexts(
        title="Ways to Protect Sets",
        about="A class of few rows cannot carry varied sets. A row is exposed when fewer than k rows fit its class "
        "together with the items that somebody may know; parts that are safe alone may leave most rows exposed.",
        head=("Way", "Exposed rows", "Loss of the classes", "Loss of the sets"),
        spoken="Ways and what they lose",
        job="Try ways for sets",
        waiting="Trying the ways…",
        take="Take This Way",
    )
    lines: ClassVar[tuple[int, int]] = (58, 24)

    def work(self, document: MicrodataDocument) -> tuple[Work, *tuple[Any, ...]]:
        """Try the ways on the table."""
        return run_set_alternatives, document.table, document.project, document.population

    def row(self, way: SetAlternative) -> tuple[str, ...]:
        """Tell a way, the rows it leaves exposed, and what it loses."""
        if way.problem is not None or way.exposed is None:
            return tr(way.title), tr("not possible"), "", tr(way.problem.message) if way.problem else ""
        share = tr("{rows} ({share})", rows=format_integer(way.exposed.rows), share=format_percent(way.exposed.share))
        return tr(way.title), share, _percent(way.of_classes), _percent(way.of_sets)

    def taken(self, way: SetAlternative) -> SetAlternative | None:
        """Give the way where it is possible."""
        return way if way.problem is None else None


class SetWays(QPushButton):
    """The button that is there where a quasi-identifier is a set; the way that is taken is run at once."""

    taken = Signal()

    def __init__(self, document: MicrodataDocument) -> None:
        super().__init__(tr("Ways for Sets…"))
        name_widget(self, "set_ways_button")
        self._document = document
        tip = tr("Larger classes, fewer known items or two unlinked files: see what each loses")
        for tell in (self.setToolTip, self.setStatusTip, self.setWhatsThis):
            tell(tip)
        self.clicked.connect(self.ask)

    def show_project(self) -> None:
        """Be there where the project has sets."""
        self.setVisible(bool(self._document.project.schema.sets))

    def ask(self) -> None:
        """Try the ways and let one be chosen."""
        dialog = SetWaysDialog(self._document, self.window())
        dialog.chosen.connect(self._take)
        dialog.open()

    def _take(self, way: SetAlternative) -> None:
        self._document.edit(tr("Protect sets: {way}", way=tr(way.title)), goals=way.project.goals)
        self.taken.emit()


def bare_sets(document: MicrodataDocument) -> str:
    """Say that sets are quasi-identifiers and no goal protects them; nothing when all is well."""
    project = document.project
    if not project.schema.sets or set_requirements(project.goals):
        return ""
    return tr("No goal protects the sets of “{column}”: add (k, k^m)-anonymity.", column=project.schema.sets[0])


def _percent(loss: float | None) -> str:
    return "–" if loss is None else format_percent(loss)
