"""How far each quasi-identifier may be generalised: a lowest and a highest level per column."""

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QSize, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QHeaderView,
    QLabel,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.rooms.microdata.protect.bounds_model import NAME, BoundsModel
from anonymizer_gui.ui.widgets.accessibility import ModelIndex
from anonymizer_gui.ui.widgets.combo_boxes import WidePopupComboBox

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
        if index.column() != NAME:
            self.edit(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the box of the current cell as one opens a box anywhere."""
        is_down = event.key() == Qt.Key.Key_Down and event.modifiers() & Qt.KeyboardModifier.AltModifier
        if self.currentIndex().column() > NAME and (event.key() in _OPENING_KEYS or is_down):
            self.edit(self.currentIndex())
        else:
            super().keyPressEvent(event)


class _LevelDelegate(QStyledItemDelegate):
    """Draws every level as a box to choose from, and makes it one while it is open."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        """Draw the name as it is, a level as a box."""
        if index.column() == NAME:
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


def levels_with_words(bounds: LevelBounds) -> QWidget:
    """Put the bounds below what they mean."""
    whole = QWidget()
    layout = QVBoxLayout(whole)
    words = tr("Level 0 is the value itself. A release may use these levels and those between them.")
    layout.addWidget(QLabel(words, wordWrap=True))
    whole.setWhatsThis(words)
    layout.addWidget(bounds)
    return whole
