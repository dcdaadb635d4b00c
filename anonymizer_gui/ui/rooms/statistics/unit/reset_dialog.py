"""Asks why what was spent on the data should not count any more; the reason is kept in the ledger for good."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from anonymizer_gui.engine.rooms.statistics.cost_preview import BudgetState
from anonymizer_gui.ui.i18n import format_significant, tr
from anonymizer_gui.ui.widgets.accessibility import name_widget

_SHORTEST = 3


class ResetDialog(QDialog):
    """What was spent, what a reset means, and a line for the reason."""

    chosen = Signal(str)

    def __init__(self, state: BudgetState, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("reset_budget")
        self.setWindowTitle(tr("Reset the Budget"))
        self.setMinimumWidth(32 * self.fontMetrics().height())
        spent = format_significant(float(state.spent.epsilon), 6)
        words = QLabel(
            tr(
                "{spends:answer was|answers were} bought about these data for epsilon {spent}. People who saw them "
                "still know them: a reset is right only when the people in the data are others now.",
                spends=len(state.account.spends),
                spent=spent,
            ),
            wordWrap=True,
        )
        self.reason = name_widget(QLineEdit(), "reset_reason", spoken=tr("Reason, kept in the ledger"))
        self.reset = name_widget(QPushButton(tr("Reset the Budget")), "reset_now")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, parent=self)
        buttons.addButton(self.reset, QDialogButtonBox.ButtonRole.AcceptRole)
        label = QLabel(self.reason.accessibleName())
        label.setBuddy(self.reason)
        layout = QVBoxLayout(self)
        for widget in (words, label, self.reason, buttons):
            layout.addWidget(widget)
        self.reset.setEnabled(False)
        self.reason.textChanged.connect(lambda text: self.reset.setEnabled(len(text.strip()) >= _SHORTEST))
        buttons.accepted.connect(self._on_accepted)
        buttons.rejected.connect(self.reject)
        self.finished.connect(self.deleteLater)

    def _on_accepted(self) -> None:
        self.chosen.emit(self.reason.text().strip())
        self.accept()
