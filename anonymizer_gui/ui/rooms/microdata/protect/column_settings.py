"""Weights and level bounds per quasi-identifier."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QAbstractTableModel, QModelIndex, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QHeaderView,
    QLabel,
    QPushButton,
    QSpinBox,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QStyleOptionSlider,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.ui.i18n import format_percent, tr
from anonymizer_gui.ui.widgets.accessibility import ModelIndex, name_widget, plain_tooltips
from anonymizer_gui.ui.widgets.combo_boxes import WidePopupComboBox

NAME, WEIGHT, SHARE = range(3)

WEIGHT_STEPS = 100

DEFAULT_WEIGHT = 50
"""Where a slider stands at first: a column can come to count more as well as less."""

_NOWHERE = QModelIndex()

_ROLE = Qt.ItemDataRole

_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


@plain_tooltips
class WeightsModel(QAbstractTableModel):
    """A row per column; the shares always add up to 1."""

    edited = Signal(str, object)
    """Carries the column and the new weights."""

    def __init__(self) -> None:
        super().__init__()
        self.columns: list[str] = []
        self._steps: list[int] = []

    def show_weights(self, columns: Sequence[str], weights: Mapping[str, float]) -> None:
        """Show the weights of these columns; one without an entry counts 1, which is the middle."""
        given = [weights.get(name, 1.0) for name in columns]
        highest = max([WEIGHT_STEPS / DEFAULT_WEIGHT, *given])
        steps = [round(weight / highest * WEIGHT_STEPS) for weight in given]
        if list(columns) != self.columns:
            self.beginResetModel()
            self.columns, self._steps = list(columns), steps
            self.endResetModel()
        elif steps != self._steps:
            self._steps = steps
            self._tell_changed()

    def rowCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Count the columns of the table."""
        return 0 if parent.isValid() else len(self.columns)

    def columnCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Name, weight and share."""
        return 0 if parent.isValid() else 3

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole) -> Any:
        """Give the titles."""
        if orientation == Qt.Orientation.Vertical:
            return None
        if role == _ROLE.TextAlignmentRole and section == SHARE:
            return _RIGHT
        return (tr("Column"), tr("Weight"), tr("Share"))[section] if role == _ROLE.DisplayRole else None

    def flags(self, index: ModelIndex) -> Qt.ItemFlag:
        """Let the weights be set."""
        editable = index.column() == WEIGHT
        return super().flags(index) | (Qt.ItemFlag.ItemIsEditable if editable else Qt.ItemFlag.NoItemFlags)

    def data(self, index: ModelIndex, role: int = _ROLE.DisplayRole) -> Any:
        """Give the name, the weight in steps, or the share."""
        if role == _ROLE.TextAlignmentRole:
            return _RIGHT if index.column() == SHARE else None
        if role == _ROLE.AccessibleTextRole:
            return self._sentence(index)
        if role in (_ROLE.DisplayRole, _ROLE.EditRole):
            row = index.row()
            return (self.columns[row], self._steps[row], self._share(row))[index.column()]
        return self.columns[index.row()] if role == _ROLE.ToolTipRole and index.column() == NAME else None

    def setData(self, index: ModelIndex, value: Any, role: int = _ROLE.EditRole) -> bool:
        """Set a weight; something must count, so the last one does not become nothing."""
        if role != _ROLE.EditRole or index.column() != WEIGHT:
            return False
        steps = [*self._steps]
        steps[index.row()] = min(max(int(value), 0), WEIGHT_STEPS)
        if not any(steps):
            steps[index.row()] = 1
        if steps == self._steps:
            return False
        self._steps = steps
        self._tell_changed()
        weights = {name: step / DEFAULT_WEIGHT for name, step in zip(self.columns, steps, strict=True)}
        self.edited.emit(self.columns[index.row()], weights)
        return True

    def _share(self, row: int) -> str:
        total = sum(self._steps)
        return format_percent(self._steps[row] / total) if total else "–"

    def _sentence(self, index: ModelIndex) -> str:
        words = str(self.data(index))
        return f"{tr('Weight of {column}', column=self.columns[index.row()])}, {words}" if index.column() else words

    def _tell_changed(self) -> None:
        # The shares of all change with the weight of one; a view draws only what is in sight of it.
        if self.columns:
            self.dataChanged.emit(self.index(0, WEIGHT), self.index(len(self.columns) - 1, SHARE))


_MARGIN = 4

_STEPS_OF_KEYS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_PageDown: -10,
    Qt.Key.Key_PageUp: 10,
    Qt.Key.Key_Home: -WEIGHT_STEPS,
    Qt.Key.Key_End: WEIGHT_STEPS,
}


class WeightSliders(QWidget):
    """One slider per column; the share each gets stands beside it."""

    edited = Signal(str, object)
    """Carries the column and the new weights."""

    def __init__(self) -> None:
        super().__init__()
        self.table = WeightTable()
        intro = QLabel(
            tr("A column that matters more for the analysis gets a larger share; its detail is then kept longer."),
            wordWrap=True,
        )
        intro.setBuddy(self.table)
        self.setWhatsThis(intro.text())
        self.equal = name_widget(QPushButton(tr("All Equal")), "equal_weights")
        layout = QVBoxLayout(self)
        layout.addWidget(intro)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.equal, 0, Qt.AlignmentFlag.AlignLeft)
        self.table.weights_model.edited.connect(self.edited)
        self.equal.clicked.connect(lambda: self.edited.emit("", {}))

    def show_weights(self, columns: Sequence[str], weights: Mapping[str, float]) -> None:
        """Show the weights of these columns; one without an entry counts 1."""
        self.table.weights_model.show_weights(columns, weights)


class WeightTable(QTableView):
    """Draws a slider in every row; it is pulled with the mouse, moved by the keys of a slider, or typed as a number."""

    def __init__(self) -> None:
        super().__init__(showGrid=False)
        self.setObjectName("weights")
        self.weights_model = WeightsModel()
        self._pulled: int | None = None
        self.setModel(self.weights_model)
        self.setItemDelegateForColumn(WEIGHT, _WeightDelegate(self))
        self.setAccessibleName(tr("Weights"))
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        triggers = QTableView.EditTrigger
        self.setEditTriggers(triggers.EditKeyPressed | triggers.AnyKeyPressed | triggers.DoubleClicked)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(round(1.7 * self.fontMetrics().height()))
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        head.setSectionResizeMode(WEIGHT, QHeaderView.ResizeMode.Stretch)
        head.resizeSection(SHARE, self.fontMetrics().horizontalAdvance("100.0 %") + self.fontMetrics().height())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to pull a slider."""
        super().mousePressEvent(event)
        index = self.indexAt(event.position().toPoint())
        if index.column() == WEIGHT and event.button() == Qt.MouseButton.LeftButton:
            self._pulled = index.row()
            self._pull_to(index, event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Pull a slider."""
        if self._pulled is None:
            super().mouseMoveEvent(event)
        else:
            self._pull_to(self.weights_model.index(self._pulled, WEIGHT), event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let a slider go."""
        super().mouseReleaseEvent(event)
        self._pulled = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the current slider by the keys every slider knows."""
        key, index = Qt.Key(event.key()), self.currentIndex()
        if index.isValid() and key in _STEPS_OF_KEYS and not event.modifiers():
            weight = index.siblingAtColumn(WEIGHT)
            self.setCurrentIndex(weight)
            self.weights_model.setData(weight, self.weights_model.data(weight) + _STEPS_OF_KEYS[key])
        else:
            super().keyPressEvent(event)

    def _pull_to(self, index: QModelIndex, event: QMouseEvent) -> None:
        rect = self.visualRect(index)
        handle = self.style().pixelMetric(QStyle.PixelMetric.PM_SliderLength)
        along = event.position().toPoint().x() - rect.left() - _MARGIN - handle // 2
        steps = QStyle.sliderValueFromPosition(0, WEIGHT_STEPS, along, rect.width() - 2 * _MARGIN - handle)
        self.weights_model.setData(index, steps)


class _WeightDelegate(QStyledItemDelegate):
    """Draws a weight as a slider; a number can be typed instead."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        """Draw the slider of a row."""
        style = option.widget.style() if option.widget else QApplication.style()
        slider = QStyleOptionSlider()
        slider.initFrom(option.widget)
        slider.rect = option.rect.adjusted(_MARGIN, 0, -_MARGIN, 0)
        slider.state = option.state & ~QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_Horizontal
        slider.subControls = QStyle.SubControl.SC_SliderGroove | QStyle.SubControl.SC_SliderHandle
        slider.orientation = Qt.Orientation.Horizontal
        slider.minimum, slider.maximum = 0, WEIGHT_STEPS
        slider.sliderPosition = slider.sliderValue = int(index.data())
        style.drawComplexControl(QStyle.ComplexControl.CC_Slider, slider, painter, option.widget)

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: ModelIndex) -> QWidget:
        """Let the weight be typed."""
        field = QSpinBox(parent, minimum=0, maximum=WEIGHT_STEPS)
        field.setAccessibleName(tr("Weight of {column}", column=index.sibling(index.row(), NAME).data()))
        return field


LevelBoundsMap = dict[str, tuple[int, int]]

BOUNDS_NAME, LOWEST, HIGHEST = range(3)


@plain_tooltips
class BoundsModel(QAbstractTableModel):
    """A row per column; its levels are put into words only when they are looked at."""

    edited = Signal(str, object)
    """Carries the column and the new bounds of all columns."""

    def __init__(self) -> None:
        super().__init__()
        self.columns: list[str] = []
        self._trees: list[Hierarchy | None] = []
        self._pairs: list[tuple[int, int]] = []

    def show_bounds(
        self,
        columns: Sequence[str],
        hierarchies: Mapping[str, Hierarchy],
        bounds: Mapping[str, tuple[int, int]],
    ) -> None:
        """Show the bounds of these columns; without an entry every level is allowed."""
        trees = [hierarchies.get(name) for name in columns]
        tops = [_top(tree) for tree in trees]
        given = [bounds.get(name, (0, top)) for name, top in zip(columns, tops, strict=True)]
        pairs = [(low, min(high, top)) for (low, high), top in zip(given, tops, strict=True)]
        if list(columns) != self.columns:
            self.beginResetModel()
            self.columns, self._trees, self._pairs = list(columns), trees, pairs
            self.endResetModel()
        elif self.columns:
            self._trees, self._pairs = trees, pairs
            # A view draws only what is in sight of it.
            self.dataChanged.emit(self.index(0, LOWEST), self.index(len(self.columns) - 1, HIGHEST))

    def levels(self, row: int) -> list[str]:
        """Name each level of a column by its number and an example."""
        tree = self._trees[row]
        if tree is None:
            return [tr("0: as it is"), tr("1: *")]
        return [f"{level}: {tree.labels[int(nodes[0])]}" for level, nodes in enumerate(tree.level_table())]

    def spoken(self, index: ModelIndex) -> str:
        """Say what a cell is about."""
        if index.column() == LOWEST:
            return tr("Lowest level of {column}", column=self.columns[index.row()])
        return tr("Highest level of {column}", column=self.columns[index.row()])

    def rowCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Count the columns of the table."""
        return 0 if parent.isValid() else len(self.columns)

    def columnCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Name, lowest and highest level."""
        return 0 if parent.isValid() else 3

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole) -> Any:
        """Give the titles."""
        if orientation == Qt.Orientation.Vertical or role != _ROLE.DisplayRole:
            return None
        return (tr("Column"), tr("At least"), tr("At most"))[section]

    def flags(self, index: ModelIndex) -> Qt.ItemFlag:
        """Let the levels be chosen."""
        return super().flags(index) | (
            Qt.ItemFlag.ItemIsEditable if index.column() > BOUNDS_NAME else Qt.ItemFlag.NoItemFlags
        )

    def data(self, index: ModelIndex, role: int = _ROLE.DisplayRole) -> Any:
        """Give the name or the level: in words, or as a number to those who edit."""
        if role not in (_ROLE.DisplayRole, _ROLE.EditRole, _ROLE.ToolTipRole, _ROLE.AccessibleTextRole):
            return None
        if index.column() == BOUNDS_NAME:
            return self.columns[index.row()]
        level = self._pairs[index.row()][index.column() - LOWEST]
        if role == _ROLE.EditRole:
            return level
        words = self.levels(index.row())[level]
        return f"{self.spoken(index)}, {words}" if role == _ROLE.AccessibleTextRole else words

    def setData(self, index: ModelIndex, value: Any, role: int = _ROLE.EditRole) -> bool:
        """Choose a level; the other bound follows where it would be passed."""
        if role != _ROLE.EditRole or index.column() == BOUNDS_NAME:
            return False
        row, level = index.row(), int(value)
        low, high = self._pairs[row]
        pair = (level, max(level, high)) if index.column() == LOWEST else (min(low, level), level)
        if pair == (low, high):
            return False
        self._pairs[row] = pair
        self.dataChanged.emit(self.index(row, LOWEST), self.index(row, HIGHEST))
        self.edited.emit(self.columns[row], self._bounds())
        return True

    def _bounds(self) -> LevelBoundsMap:
        rows = zip(self.columns, self._pairs, self._trees, strict=True)
        return {name: pair for name, pair, tree in rows if pair != (0, _top(tree))}


def _top(tree: Hierarchy | None) -> int:
    return 1 if tree is None else tree.height


_OPENING_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class LevelBounds(QTableView):
    """Two boxes per column, with an example of each level in words; only the one that is open is a widget."""

    def __init__(self) -> None:
        super().__init__(showGrid=False)
        self.setObjectName("level_bounds")
        self.bounds_model = BoundsModel()
        self.edited = self.bounds_model.edited
        self.show_bounds = self.bounds_model.show_bounds
        self.setModel(self.bounds_model)
        self.setItemDelegate(_LevelDelegate(self))
        self.setAccessibleName(tr("Levels"))
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        triggers = QTableView.EditTrigger
        self.setEditTriggers(triggers.EditKeyPressed | triggers.AnyKeyPressed)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(round(2 * self.fontMetrics().height()))
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.clicked.connect(self._on_clicked)

    def _on_clicked(self, index: QModelIndex) -> None:
        if index.column() != BOUNDS_NAME:
            self.edit(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the box of the current cell as one opens a box anywhere."""
        is_down = event.key() == Qt.Key.Key_Down and event.modifiers() & Qt.KeyboardModifier.AltModifier
        if self.currentIndex().column() > BOUNDS_NAME and (event.key() in _OPENING_KEYS or is_down):
            self.edit(self.currentIndex())
        else:
            super().keyPressEvent(event)


class _LevelDelegate(QStyledItemDelegate):
    """Draws every level as a box to choose from, and makes it one while it is open."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        """Draw the name as it is, a level as a box."""
        if index.column() == BOUNDS_NAME:
            super().paint(painter, option, index)
            return
        style = option.widget.style() if option.widget else QApplication.style()
        self.initStyleOption(option, index)
        box = QStyleOptionComboBox()
        box.initFrom(option.widget)
        box.rect = option.rect.adjusted(2, 2, -2, -2)  # around it, the current cell is seen
        box.state = option.state & ~QStyle.StateFlag.State_Selected
        box.subControls = QStyle.SubControl.SC_All
        style.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, box, painter, option.widget)
        field = style.subControlRect(
            QStyle.ComplexControl.CC_ComboBox, box, QStyle.SubControl.SC_ComboBoxEditField, option.widget
        )
        box.currentText = option.fontMetrics.elidedText(option.text, Qt.TextElideMode.ElideRight, field.width() - 2)
        style.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, box, painter, option.widget)

    def sizeHint(self, option: QStyleOptionViewItem, index: ModelIndex) -> QSize:
        """Leave room for the frame of a box."""
        hint = super().sizeHint(option, index)
        return QSize(hint.width(), max(hint.height(), round(2 * option.fontMetrics.height())))

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: ModelIndex) -> QWidget:
        """Make the box of a level and open it."""
        model = index.model()
        assert isinstance(model, BoundsModel)
        box = WidePopupComboBox(parent)
        box.addItems(model.levels(index.row()))
        box.setAccessibleName(model.spoken(index))
        box.activated.connect(lambda _level: self._on_chosen(box))
        QTimer.singleShot(0, box, box.showPopup)
        return box

    def setEditorData(self, editor: QWidget, index: ModelIndex) -> None:
        """Show the level that holds."""
        assert isinstance(editor, QComboBox)
        editor.setCurrentIndex(int(index.data(Qt.ItemDataRole.EditRole)))

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: ModelIndex) -> None:
        """Take the level that was chosen."""
        assert isinstance(editor, QComboBox)
        model.setData(index, editor.currentIndex())

    def _on_chosen(self, box: QComboBox) -> None:
        self.commitData.emit(box)
        self.closeEditor.emit(box, QStyledItemDelegate.EndEditHint.NoHint)


def level_bounds_section(bounds: LevelBounds) -> QWidget:
    """Put the bounds below what they mean."""
    whole = QWidget()
    layout = QVBoxLayout(whole)
    words = tr("Level 0 is the value itself. A release may use these levels and those between them.")
    layout.addWidget(QLabel(words, wordWrap=True))
    whole.setWhatsThis(words)
    layout.addWidget(bounds)
    return whole
