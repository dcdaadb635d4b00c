"""The list of columns beside the editor: name, role and state of the hierarchy of each."""

from PySide6.QtCore import QModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from anonymizer_gui.ui import theme
from anonymizer_gui.ui.hierarchies.columns_model import STATE, ColumnState, HierarchyColumnsModel
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.roles import role_icon
from anonymizer_gui.ui.widgets.indexes import Index

_TINTS = {"done": "good", "warning": "warn", "empty": "muted"}


class HierarchyColumnList(QListView):
    """Shows the columns and tells which one is looked at."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, uniformItemSizes=True)
        self.setObjectName("hierarchy_columns")
        self.columns_model = HierarchyColumnsModel(self)
        self.setModel(self.columns_model)
        self.setItemDelegate(ColumnDelegate(self))
        self.setAccessibleName(tr("Columns that may have a hierarchy"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.selectionModel().currentChanged.connect(self._on_current_changed)

    def current(self) -> str:
        """Give the column that is looked at, "" for none."""
        return str(self.currentIndex().data()) if self.currentIndex().isValid() else ""

    def choose(self, name: str) -> None:
        """Look at a column."""
        row = self.columns_model.row_of(name)
        if row >= 0 and name != self.current():
            self.setCurrentIndex(self.columns_model.index(row))

    def _on_current_changed(self, current: QModelIndex) -> None:
        if current.isValid():
            self.chosen.emit(str(current.data()))


class ColumnDelegate(QStyledItemDelegate):
    """Draws role and name on the first line, the state in words on the second."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(8 * option.fontMetrics.height(), round(2.9 * option.fontMetrics.height()))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        state: ColumnState = index.data(STATE)
        option.widget.style().drawPrimitive(
            QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, option.widget
        )
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        role = QPalette.ColorRole.HighlightedText if is_selected else QPalette.ColorRole.Text
        text_color = option.palette.color(role)
        height = option.fontMetrics.height()
        inner = option.rect.adjusted(height // 2, height // 3, -height // 3, -height // 3)
        painter.save()
        self._paint_role(painter, QRect(inner.left(), inner.top(), round(1.7 * height), height), state)
        bold = option.font
        bold.setBold(True)
        painter.setFont(bold)
        painter.setPen(text_color)
        self._paint_text(painter, inner.adjusted(round(2.1 * height), 0, 0, 0), state.name, Qt.AlignmentFlag.AlignTop)
        bold.setBold(False)
        bold.setPointSizeF(bold.pointSizeF() * 0.92)
        painter.setFont(bold)
        painter.setPen(text_color if is_selected else theme.color("muted"))
        self._paint_words(painter, inner, state)
        painter.restore()

    def _paint_role(self, painter: QPainter, badge: QRect, state: ColumnState) -> None:
        role_icon(state.role).paint(painter, badge, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

    def _paint_words(self, painter: QPainter, inner: QRect, state: ColumnState) -> None:
        side = painter.fontMetrics().height()
        if state.icon:
            place = QRect(inner.left(), inner.bottom() - side + 1, side, side)
            theme.icon(state.icon, _TINTS[state.icon]).paint(painter, place)
        self._paint_text(painter, inner.adjusted(round(1.6 * side), 0, 0, 0), state.words, Qt.AlignmentFlag.AlignBottom)

    def _paint_text(self, painter: QPainter, rect: QRect, text: str, where: Qt.AlignmentFlag) -> None:
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, where | Qt.AlignmentFlag.AlignLeft, shown)
