"""How much each quasi-identifier counts in the loss: sliders whose shares always add up to 1."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QHeaderView,
    QLabel,
    QPushButton,
    QSpinBox,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionSlider,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.rooms.microdata.protect.weights_model import NAME, SHARE, STEPS, WEIGHT, WeightsModel
from anonymizer_gui.ui.widgets.accessibility import ModelIndex, name_widget

_MARGIN = 4
_STEPS_OF_KEYS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_PageDown: -10,
    Qt.Key.Key_PageUp: 10,
    Qt.Key.Key_Home: -STEPS,
    Qt.Key.Key_End: STEPS,
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
        steps = QStyle.sliderValueFromPosition(0, STEPS, along, rect.width() - 2 * _MARGIN - handle)
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
        slider.minimum, slider.maximum = 0, STEPS
        slider.sliderPosition = slider.sliderValue = int(index.data())
        style.drawComplexControl(QStyle.ComplexControl.CC_Slider, slider, painter, option.widget)

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: ModelIndex) -> QWidget:
        """Let the weight be typed."""
        field = QSpinBox(parent, minimum=0, maximum=STEPS)
        field.setAccessibleName(tr("Weight of {column}", column=index.sibling(index.row(), NAME).data()))
        return field
