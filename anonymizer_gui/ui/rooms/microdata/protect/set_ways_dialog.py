"""What can be done about sets: each way is run, and its exposed rows and losses stand side by side."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPushButton, QVBoxLayout, QWidget

from anonymizer_gui.engine.rooms.microdata.privacy.k_km import KKm
from anonymizer_gui.engine.rooms.microdata.set_ways import Way, tried_ways
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import percent, told, tr, whole
from anonymizer_gui.ui.rooms.microdata.document import MicrodataDocument
from anonymizer_gui.ui.widgets.layout_pieces import resize_in_lines
from anonymizer_gui.ui.widgets.named import named
from anonymizer_gui.ui.widgets.note import Note
from anonymizer_gui.ui.widgets.rows_model import RowsModel, rows_view


class SetWaysDialog(QDialog):
    """A row for each way; the chosen one becomes the goal of the project."""

    chosen = Signal(object)
    """Carries the way."""

    def __init__(self, document: MicrodataDocument, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("set_ways_dialog")
        self.setWindowTitle(tr("Ways to Protect Sets"))
        self._found: tuple[Way, ...] = ()
        head = (tr("Way"), tr("Exposed rows"), tr("Loss of the classes"), tr("Loss of the sets"))
        self.model = RowsModel(head, (1, 2, 3))
        self.view = rows_view(self.model, "set_ways", tr("Ways and what they lose"), 0)
        self.note = Note()
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self._build()
        self._job = document.jobs.start(
            tr("Try ways for sets"), tried_ways, document.table, document.project, document.population,
            on_done=self._on_found, on_error=lambda error: self.note.show_note("bad", told(error)),
            replace_key="set ways",
        )  # fmt: skip
        self.finished.connect(lambda _result: self._job.cancel())
        self.finished.connect(self.deleteLater)

    def accept(self) -> None:
        """Take the chosen way."""
        row = self.view.currentIndex().row()
        if 0 <= row < len(self._found) and self._found[row].problem is None:
            super().accept()
            self.chosen.emit(self._found[row])

    def _build(self) -> None:
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setText(tr("Take This Way"))
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(False)
        self.buttons.button(QDialogButtonBox.StandardButton.Cancel).setText(tr("Cancel"))
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        theme.plain_buttons(self.buttons)
        words = tr(
            "A class of few rows cannot carry varied sets. A row is exposed when fewer than k rows fit its class "
            "together with the items that somebody may know; parts that are safe alone may leave most rows exposed."
        )
        layout = QVBoxLayout(self)
        layout.addWidget(QLabel(words, wordWrap=True))
        layout.addWidget(self.view, 1)
        layout.addWidget(self.note)
        layout.addWidget(self.buttons)
        self.note.show_note("info", tr("Trying the ways…"))
        resize_in_lines(self, 58, 24)

    def _on_found(self, found: tuple[Way, ...]) -> None:
        self._found = found
        self.note.show_note("info", "")
        self.model.show_rows([_row(each) for each in found])
        self.view.selectRow(0)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(bool(found))


class SetWays(QPushButton):
    """The button that is there where a quasi-identifier is a set; the way that is taken is run at once."""

    taken = Signal()

    def __init__(self, document: MicrodataDocument) -> None:
        super().__init__(tr("Ways for Sets…"))
        named(self, "set_ways_button")
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

    def _take(self, way: Way) -> None:
        self._document.edit(tr("Protect sets: {way}", way=tr(way.title)), goals=way.project.goals)
        self.taken.emit()


def bare_sets(document: MicrodataDocument) -> str:
    """Say that sets are quasi-identifiers and no goal protects them; nothing when all is well."""
    project = document.project
    if not project.schema.sets or any(isinstance(goal, KKm) for goal in project.goals):
        return ""
    return tr("No goal protects the sets of “{column}”: add (k, k^m)-anonymity.", column=project.schema.sets[0])


def _row(each: Way) -> tuple[str, ...]:
    if each.problem is not None or each.exposed is None:
        return tr(each.title), tr("not possible"), "", tr(each.problem.message) if each.problem else ""
    share = tr("{rows} ({share})", rows=whole(each.exposed.rows), share=percent(each.exposed.share))
    return tr(each.title), share, _percent(each.of_classes), _percent(each.of_sets)


def _percent(loss: float | None) -> str:
    return "–" if loss is None else percent(loss)
