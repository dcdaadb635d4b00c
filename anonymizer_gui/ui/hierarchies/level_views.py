"""Table of levels, column at a level."""

import itertools

from PySide6.QtCore import QAbstractTableModel, QLocale, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QSlider,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.hierarchy.fit import Usage
from anonymizer_gui.engine.hierarchy.tree import Hierarchy, Uneven
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.hierarchies.tree_model import HierarchyTexts
from anonymizer_gui.ui.hierarchies.value_counts import ValueCountModel, set_up_count_view
from anonymizer_gui.ui.i18n import format_percent, tr, translated_label
from anonymizer_gui.ui.widgets.accessibility import ModelIndex, name_widget, plain_tooltips

DISPLAY, EDIT = int(Qt.ItemDataRole.DisplayRole), int(Qt.ItemDataRole.EditRole)

TOOL_TIP = int(Qt.ItemDataRole.ToolTipRole)

REPEATED = int(Qt.ItemDataRole.UserRole)
"""Whether the cell says the same as the one above it."""


@plain_tooltips
class LevelTableModel(QAbstractTableModel):
    """Shows the label of every leaf at every level; a label can be changed in any of its cells."""

    renamed = Signal(int, str)
    """A node and the label typed for it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hierarchy: Hierarchy | None = None
        self._levels: list[list[int]] = []

    def show(self, hierarchy: Hierarchy | None, uneven: Uneven) -> None:
        """Show the level table of a hierarchy."""
        self.beginResetModel()
        self._hierarchy = hierarchy
        self._levels = hierarchy.level_table(uneven).tolist() if hierarchy else []
        self.endResetModel()

    def node(self, index: ModelIndex) -> int:
        """Give the node a cell shows."""
        return self._levels[index.column()][index.row()]

    # What Qt asks for

    def rowCount(self, parent: ModelIndex = QModelIndex()) -> int:  # noqa: B008
        return len(self._levels[0]) if self._levels and not parent.isValid() else 0

    def columnCount(self, parent: ModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._levels)

    def data(self, index: ModelIndex, role: int = DISPLAY) -> object:
        if role not in (DISPLAY, EDIT, TOOL_TIP, REPEATED) or self._hierarchy is None or not index.isValid():
            return None
        level, row = self._levels[index.column()], index.row()
        if role == REPEATED:
            return row > 0 and level[row] == level[row - 1]
        label = self._hierarchy.labels[level[row]]
        return label if role == EDIT else translated_label(label)

    def setData(self, index: ModelIndex, value: object, role: int = EDIT) -> bool:
        label = str(value).strip()
        if role != EDIT or not index.isValid() or label == self.data(index, EDIT):
            return False
        self.renamed.emit(self.node(index), label)
        return True

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> object:
        if role != DISPLAY:
            return None
        if orientation == Qt.Orientation.Vertical:
            return section + 1
        return tr("Level 0 (values)") if section == 0 else tr("Level {level}", level=section)

    def flags(self, index: ModelIndex) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.isValid() else flags


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


class LevelTable(QWidget):
    """The level table of a column's hierarchy; labels can be changed in place."""

    uneven_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("hierarchy_levels")
        self.view = LevelTableView()
        self.uneven = name_widget(QComboBox(), "hierarchy_uneven")
        self.words = name_widget(QLabel(wordWrap=True), "hierarchy_uneven_words")
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

    def initStyleOption(self, option: QStyleOptionViewItem, index: ModelIndex) -> None:
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


class LevelPreview(QWidget):
    """Shows what a release of this column alone would look like at each level."""

    def __init__(self, said: HierarchyTexts) -> None:
        super().__init__()
        self.setObjectName("hierarchy_preview")
        self._said = said
        self._usage: Usage | None = None
        self._uneven: Uneven = "cap"
        self.slider = name_widget(QSlider(Qt.Orientation.Horizontal), "hierarchy_level")
        self.level = name_widget(QLabel(), "hierarchy_level_name")
        self.words = name_widget(QLabel(wordWrap=True), "hierarchy_level_words")
        self.model = ValueCountModel(said.counted, parent=self)
        self.view = name_widget(QTableView(), "hierarchy_level_values")
        self._build()
        self.slider.valueChanged.connect(self._on_level_changed)

    def show_usage(self, usage: Usage | None, uneven: Uneven, is_other: bool = False) -> None:
        """Show a column in its hierarchy; the level stays where it is unless it is another column."""
        self._usage, self._uneven = usage, uneven
        height = usage.hierarchy.height if usage else 0
        self.slider.blockSignals(True)
        self.slider.setRange(0, height)
        if is_other:
            self.slider.setValue(min(1, height))
        self.slider.blockSignals(False)
        self.slider.setEnabled(height > 0)
        self._on_level_changed(self.slider.value())

    def _build(self) -> None:
        title = QLabel(tr(self._said.level))
        title.setBuddy(self.slider)
        self.slider.setAccessibleName(tr("Level of the preview"))
        self.slider.setToolTip(tr("Level 0 is the exact value, the last level is the root (arrow keys)"))
        self.slider.setPageStep(1)
        self.slider.setTickPosition(QSlider.TickPosition.TicksBelow)
        self.slider.setTickInterval(1)
        self.view.setModel(self.model)
        self.view.setAccessibleName(tr("Labels of the column at this level"))
        set_up_count_view(self.view)
        self.view.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head = QHBoxLayout()
        head.addWidget(title)
        head.addWidget(self.level)
        head.addStretch()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, self.fontMetrics().height() // 3, 0, 0)
        layout.addLayout(head)
        for widget in (self.slider, self.words, self.view):
            layout.addWidget(widget)

    def _on_level_changed(self, level: int) -> None:
        if self._usage is None:
            self.level.clear()
            self.words.clear()
            self.model.show((), ())
            return
        view = self._usage.at_level(level, self._uneven)
        number = QLocale().toString
        self.level.setText(tr("{level} of {height}", level=level, height=self._usage.hierarchy.height))
        rows, loss = number(view.smallest), format_percent(view.loss)
        one = tr(self._said.one_class, rows=rows, loss=loss)
        many = tr(self._said.classes, classes=number(len(view.labels)), rows=rows, loss=loss)
        self.words.setText(one if len(view.labels) == 1 else many)
        self.model.show(view.labels, view.rows)
