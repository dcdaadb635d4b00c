"""Tables that are scrolled sideways with the wheel while Shift is held, as browsers and spreadsheets do."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QTableView


class SidewaysTable(QTableView):
    """A table that knows Shift and the wheel."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll sideways with Shift; otherwise as ever."""
        turned = event.angleDelta().y()
        if event.modifiers() != Qt.KeyboardModifier.ShiftModifier or not turned:
            super().wheelEvent(event)
            return
        bar = self.horizontalScrollBar()
        bar.setValue(bar.value() - round(turned / 120 * 3 * max(bar.singleStep(), self.fontMetrics().height())))
        event.accept()
