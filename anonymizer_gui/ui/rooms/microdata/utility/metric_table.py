"""The utility measures as a table: value, which way is better, and what it says."""

from collections.abc import Mapping
from math import isnan

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

from anonymizer_gui.engine.errors import AnonymizerError
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS, MetricResult
from anonymizer_gui.ui.i18n import told, tr
from anonymizer_gui.ui.rooms.microdata.figures import number
from anonymizer_gui.ui.widgets.plain_text import plain


class MetricTable(QTableWidget):
    """A row per measure."""

    def __init__(self) -> None:
        super().__init__(0, 3)
        self.setObjectName("metrics")
        self._values: dict[str, str] = {}
        self.setHorizontalHeaderLabels([tr("Measure"), tr("Value"), tr("Better when")])
        self.setAccessibleName(tr("Measures of utility"))
        self.verticalHeader().hide()
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.verticalHeader().setDefaultSectionSize(round(self.fontMetrics().height() * 1.6))
        self.setWordWrap(False)
        self.setMinimumWidth(self.fontMetrics().height() * 22)
        head = self.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)

    def show_results(self, results: Mapping[str, MetricResult | AnonymizerError]) -> None:
        """Show what was measured."""
        self.setRowCount(len(results))
        self._values = {}
        for row, (name, found) in enumerate(results.items()):
            declared = METRICS.get(name)
            about = f"{tr(declared.summary)}\n{tr(declared.formula)} ({tr(declared.range)})"
            about += f"\n{declared.reference}"
            better = tr("lower") if declared.direction == "lower" else tr("higher")
            self._values[name] = _value(found)
            texts = (tr(declared.title), self._values[name], better)
            for column, text in enumerate(texts):
                item = QTableWidgetItem(text)
                item.setToolTip(plain(told(found) if isinstance(found, AnonymizerError) else about))
                if column == 1:
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.setItem(row, column, item)

    def value(self, name: str) -> str:
        """Give the text of a measure's value."""
        return self._values[name]


def _value(found: MetricResult | AnonymizerError) -> str:
    if isinstance(found, AnonymizerError) or isnan(found.value):
        return "–"
    return number(found.value)
