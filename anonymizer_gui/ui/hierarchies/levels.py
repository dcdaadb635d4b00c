"""The level table that full-domain algorithms really use, with the choice what levels of an uneven tree mean."""

import itertools

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Uneven
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.hierarchies.level_table_model import REPEATED, LevelTableModel
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.indexes import Index
from anonymizer_gui.ui.widgets.named import named

_SAMPLED_ROWS = 50
_WIDEST = 16


class LevelTableView(QTableView):
    """One row per leaf, one column per level; what repeats the row above is quieter."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("hierarchy_level_table")
        self.level_model = LevelTableModel(self)
        self.setModel(self.level_model)
        self.setItemDelegate(RepeatedDelegate(self))
        self.setEditTriggers(QTableView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.horizontalHeader().setResizeContentsPrecision(_SAMPLED_ROWS)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.verticalHeader().setDefaultSectionSize(round(1.5 * self.fontMetrics().height()))

    def show_hierarchy(self, hierarchy: Hierarchy | None, uneven: Uneven) -> None:
        """Show the level table of a hierarchy; where one has scrolled to stays."""
        scrolled = self.verticalScrollBar().value()
        self.level_model.show(hierarchy, uneven)
        self.resizeColumnsToContents()
        widest = _WIDEST * self.fontMetrics().height()
        for column in range(self.level_model.columnCount()):
            self.setColumnWidth(column, min(self.columnWidth(column), widest))
        self.verticalScrollBar().setValue(scrolled)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy the selected cells with tabs between them, as spreadsheets take them."""
        if not event.matches(QKeySequence.StandardKey.Copy):
            super().keyPressEvent(event)
            return
        cells = sorted((index.row(), index.column(), str(index.data())) for index in self.selectedIndexes())
        rows = itertools.groupby(cells, key=lambda cell: cell[0])
        QGuiApplication.clipboard().setText("\n".join("\t".join(cell[2] for cell in row) for _, row in rows))


class HierarchyLevels(QWidget):
    """The level table of a column's hierarchy; labels can be changed in place."""

    uneven_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("hierarchy_levels")
        self.view = LevelTableView()
        self.uneven = named(QComboBox(), "hierarchy_uneven")
        self.words = named(QLabel(wordWrap=True), "hierarchy_uneven_words")
        self._wanted: tuple[Hierarchy | None, Uneven] | None = None
        self._filled: tuple[Hierarchy | None, Uneven] | None = None
        self._build()
        self.uneven.activated.connect(lambda: self.uneven_chosen.emit(self.uneven.currentData()))

    def show_hierarchy(self, hierarchy: Hierarchy | None, uneven: Uneven) -> None:
        """Show the level table once one looks at it."""
        self._wanted = (hierarchy, uneven)
        if self.isVisible():
            self._fill()

    def _build(self) -> None:
        self.uneven.addItem(tr("Lift deep values first (cap)"), "cap")
        self.uneven.addItem(tr("Climb step by step (climb)"), "climb")
        label = QLabel(tr("Uneven depth:"))
        label.setBuddy(self.uneven)
        self.uneven.setAccessibleName(tr("Reading of uneven depth"))
        self.view.setAccessibleName(tr("Level table"))
        self.view.setEditTriggers(QTableView.EditTrigger.EditKeyPressed | QTableView.EditTrigger.DoubleClicked)
        row = QHBoxLayout()
        row.addWidget(label)
        row.addWidget(self.uneven)
        row.addStretch()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(row)
        layout.addWidget(self.words)
        layout.addWidget(self.view, 1)

    def _fill(self) -> None:
        # Asked again when the rows are counted: the levels are the same then.
        if self._wanted is None or self._wanted == self._filled:
            return
        hierarchy, uneven = self._filled = self._wanted
        self.view.show_hierarchy(hierarchy, uneven)
        self.uneven.setCurrentIndex(self.uneven.findData(uneven))
        self.words.setText(_explanation(hierarchy, uneven))

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what changed while the tree was in front."""
        super().showEvent(event)
        self._fill()


class RepeatedDelegate(QStyledItemDelegate):
    """Draws a label that repeats the one above it in a quieter shade."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        if index.data(REPEATED) and not option.state & QStyle.StateFlag.State_Selected:
            option.palette.setColor(option.palette.ColorRole.Text, theme.color("muted"))


def _explanation(hierarchy: Hierarchy | None, uneven: Uneven) -> str:
    if hierarchy is None:
        return ""
    if bool((hierarchy.depths[hierarchy.leaves] == hierarchy.height).all()):
        return tr("All values are equally deep: both readings give the same table.")
    if uneven == "cap":
        return tr("Values that stand deeper are lifted first; shallower ones stay until the others have reached them.")
    return tr("Every value climbs one step per level and waits at the root.")
