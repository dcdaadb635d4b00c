"""The tournament of trees: what each automatic tree loses with the promises and the method as they are."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from anonymizer_gui.engine.progress import Progress
from anonymizer_gui.engine.rooms.baskets.project import Project
from anonymizer_gui.engine.rooms.baskets.tournament import Contestant, tournament
from anonymizer_gui.engine.shapes.baskets.baskets import Baskets
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import decimal, told, tr, whole
from anonymizer_gui.ui.widgets.layout_pieces import resize_in_lines
from anonymizer_gui.ui.widgets.note import Note
from anonymizer_gui.ui.widgets.rows_model import RowsModel, rows_view
from anonymizer_gui.workspace.document import Document


class TournamentDialog(QDialog):
    """A row for each tree, the least loss first; the chosen one can be taken."""

    chosen = Signal(object)
    """Carries the tree."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tournament_dialog")
        self.setWindowTitle(tr("Compare Trees of Items"))
        self._found: tuple[Contestant, ...] = ()
        head = (tr("Tree"), tr("In each group"), tr("Loss (NCP)"), tr("Values left"), tr("Deleted"))
        self.model = RowsModel(head, (1, 2, 3, 4))
        self.view = rows_view(self.model, "tournament", tr("Trees and what they lose"), 0)
        self.note = Note()
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self._build()
        self._job = document.jobs.start(
            tr("Compare trees"), _tournament, document.files["table"], document.project, on_done=self._on_found,
            on_error=lambda error: self.note.show_note("bad", told(error)), replace_key="tournament",
        )  # fmt: skip
        self.finished.connect(lambda _result: self._job.cancel())
        self.finished.connect(self.deleteLater)

    def accept(self) -> None:
        """Take the chosen tree."""
        row = self.view.currentIndex().row()
        if 0 <= row < len(self._found):
            super().accept()
            self.chosen.emit(self._found[row].tree)

    def _build(self) -> None:
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setText(tr("Take This Tree"))
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(False)
        self.buttons.button(QDialogButtonBox.StandardButton.Cancel).setText(tr("Cancel"))
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        theme.plain_buttons(self.buttons)
        words = tr(
            "The tree matters more than the method. A tree made by counting has no meaning for readers: a low loss "
            "over groups that mean nothing is of little use. Prefer a tree of your own where there is one."
        )
        layout = QVBoxLayout(self)
        layout.addWidget(QLabel(words, wordWrap=True))
        layout.addWidget(self.view, 1)
        layout.addWidget(self.note)
        layout.addWidget(self.buttons)
        self.note.show_note("info", tr("Trying the trees…"))
        resize_in_lines(self, 44, 26)

    def _on_found(self, found: tuple[Contestant, ...]) -> None:
        self._found = found
        self.note.show_note("info", "")
        self.model.show_rows([_row(each) for each in found])
        self.view.selectRow(0)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(bool(found))


def _row(each: Contestant) -> tuple[str, ...]:
    fan = whole(each.fan_out) if each.fan_out else "–"
    if each.problem is not None:
        return tr(each.title), fan, tr("not possible"), "", tr(each.problem.message)
    return tr(each.title), fan, decimal(each.ncp, 5), whole(each.values_left), whole(each.deleted)


def _tournament(baskets: Baskets, project: Project, progress: Progress) -> tuple[Contestant, ...]:
    return tournament(baskets, project, progress)
