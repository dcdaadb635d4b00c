"""Every published column in a few numbers, of the original and of the release."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.rooms.microdata.masking.steps import unprepared
from anonymizer_gui.engine.rooms.microdata.release.codebook import ColumnSummary, summarise_columns
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.ui.i18n import format_integer, format_percent, tr
from anonymizer_gui.ui.rooms.microdata.figures import number
from anonymizer_gui.ui.widgets.accessibility import plain_text

Both = dict[str, tuple[ColumnSummary, ColumnSummary]]
_NUMBERS = 10


def both_summaries(release: Release, original: Table, progress: Progress) -> Both:
    """Sum up every column that is published, before and after."""
    left_out = set(release.project.left_out_columns())
    names = tuple(name for name in release.table.names if name not in left_out)
    before = summarise_columns(unprepared(original), release.project.schema, names, progress.sub(0.0, 0.5))
    after = summarise_columns(release.table, release.project.schema, names, progress.sub(0.5, 1.0))
    return {name: (before[name], after[name]) for name in names}


class SummaryTable(QTableWidget):
    """Two lines per column: as it was, and as it is published."""

    def __init__(self) -> None:
        heads = [
            tr("Column"), tr("Of"), tr("Missing"), tr("Values"), tr("Mean"), tr("Standard deviation"), tr("5 %"),
            tr("25 %"), tr("Median"), tr("75 %"), tr("95 %"), tr("Most frequent"),
        ]  # fmt: skip
        super().__init__(0, len(heads))
        self.setObjectName("summary")
        self.setHorizontalHeaderLabels(heads)
        self.setAccessibleName(tr("Summary of the columns"))
        self.verticalHeader().hide()
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        head = self.horizontalHeader()
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setStretchLastSection(True)

    def show_summaries(self, found: Both) -> None:
        """Show what was summed up."""
        self.setRowCount(2 * len(found))
        for at, (name, (before, after)) in enumerate(found.items()):
            self._write(2 * at, [name, tr("original"), *_cells(before)])
            self._write(2 * at + 1, ["", tr("release"), *_cells(after)])

    def _write(self, row: int, texts: Sequence[str]) -> None:
        for column, text in enumerate(texts):
            item = QTableWidgetItem(text)
            if 1 < column <= _NUMBERS:
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            item.setToolTip(plain_text(text))
            self.setItem(row, column, item)


def _cells(summary: ColumnSummary) -> list[str]:
    spread = [summary.mean, summary.sd, *(summary.quantiles or [None] * 5)]
    frequent = [f"{label} ({format_percent(count / max(summary.rows, 1))})" for label, count in summary.frequent]
    return [
        format_integer(summary.missing),
        format_integer(summary.distinct),
        *("" if value is None else number(value) for value in spread),
        ", ".join(frequent),
    ]
