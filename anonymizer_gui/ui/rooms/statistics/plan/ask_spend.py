"""Asks before budget is spent: what it costs, what is left, and who will remember it."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from anonymizer_gui.engine.rooms.statistics.cost_preview import CostPreview
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import format_significant, tr


def ask_spend(parent: QWidget, state: CostPreview, has_ledger: bool, then: Callable[[], None]) -> QMessageBox:
    """Say what a release spends; go on only when that is wanted."""
    box = QMessageBox(
        QMessageBox.Icon.Question,
        tr("Spend the Budget"),
        tr(
            "This spends epsilon {plan}; epsilon {left} is left.",
            plan=format_significant(float(state.cost.epsilon), 6),
            left=format_significant(float(state.left.epsilon), 6),
        ),
        QMessageBox.StandardButton.Cancel,
        parent,
    )
    box.setObjectName("ask_spend")
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(_remembered(has_ledger))
    spend = box.addButton(tr("Spend and Release"), QMessageBox.ButtonRole.AcceptRole)
    spend.setObjectName("spend")
    box.setDefaultButton(QMessageBox.StandardButton.Cancel)
    box.finished.connect(lambda _code: then() if box.clickedButton() is spend else None)
    box.finished.connect(box.deleteLater)
    box.open()
    for button in box.buttons():
        theme.set_icon(button, "run" if button is spend else "close")
    return box


def _remembered(has_ledger: bool) -> str:
    if has_ledger:
        return tr("The spend is written into the ledger before any answer is shown; it cannot be undone.")
    return tr("No ledger is chosen: nobody will remember what was spent. It cannot be undone.")
