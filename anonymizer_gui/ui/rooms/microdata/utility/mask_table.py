"""What masks cost and whom they still give away: cells moved, spread kept, people linked by distance."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.rooms.microdata.masking.effects import MaskingEffects
from anonymizer_gui.ui.i18n import format_integer, format_percent, tr
from anonymizer_gui.ui.rooms.microdata.figures import number
from anonymizer_gui.ui.widgets.accessibility import name_widget


class MaskTable(QWidget):
    """A line per masked column that leaves as it is, and a sentence about linking."""

    def __init__(self) -> None:
        super().__init__()
        heads = [
            tr("Column"), tr("Cells changed"), tr("Moved, in standard deviations"), tr("Spread, after by before"),
            tr("Correlation before and after"),
        ]  # fmt: skip
        self.linked = name_widget(QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText), "masks_linked")
        self.table = name_widget(QTableWidget(0, len(heads)), "masks")
        self.table.setHorizontalHeaderLabels(heads)
        self.table.setAccessibleName(tr("What masks changed"))
        self.table.verticalHeader().hide()
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setTabKeyNavigation(False)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        layout = QVBoxLayout(self)
        layout.addWidget(self.linked)
        layout.addWidget(self.table, 1)

    def show_masks(self, masks: MaskingEffects) -> None:
        """Show what was found; a table that was not masked has no lines."""
        self.table.setRowCount(len(masks.columns))
        for row, found in enumerate(masks.columns):
            numbers = (found.moved, found.spread, found.correlation)
            texts = [
                found.column,
                format_percent(found.changed),
                *("–" if value is None else number(value) for value in numbers),
            ]
            for place, text in enumerate(texts):
                self.table.setItem(row, place, QTableWidgetItem(text))
        if not masks.columns:
            self.linked.setText(
                tr("None of the columns that leave unchanged was masked: Data > Prepare the Table… has the ways.")
            )
            return
        self.linked.setText(
            tr(
                "Whoever has the true values and takes the nearest record is right for {share} of "
                "{people:person|people} that were tried; by chance {chance} would be.",
                share=format_percent(masks.linked),
                people=format_integer(masks.people),
                chance=format_percent(masks.by_chance, 2),
            )
        )
