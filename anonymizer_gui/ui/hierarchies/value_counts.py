"""Labels with number of records: model and bars."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QAbstractTableModel, QLocale, QMimeData, QModelIndex, QObject, QRect, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHeaderView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from anonymizer_gui.ui import theme
from anonymizer_gui.ui.hierarchies.tree_model import VALUES_MIME, encode_values
from anonymizer_gui.ui.i18n import tr, translated_label
from anonymizer_gui.ui.widgets.accessibility import ModelIndex, plain_tooltips

DISPLAY, ALIGNMENT = int(Qt.ItemDataRole.DisplayRole), int(Qt.ItemDataRole.TextAlignmentRole)

TOOL_TIP = int(Qt.ItemDataRole.ToolTipRole)

SHARE = int(Qt.ItemDataRole.UserRole)
"""The share of the most frequent label's rows, for a bar behind the number."""

_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


@plain_tooltips
class ValueCountModel(QAbstractTableModel):
    """Shows labels and their rows in the order given."""

    def __init__(self, counted: str, draggable: bool = False, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._counted, self._draggable = counted, draggable
        self._labels: Sequence[str] = ()
        self._rows: Sequence[int] = ()
        self._most = 1
        self._locale = QLocale()

    @property
    def labels(self) -> Sequence[str]:
        """The labels that are shown."""
        return self._labels

    def show(self, labels: Sequence[str], rows: Sequence[int]) -> None:
        """Show other labels with their rows."""
        self.beginResetModel()
        self._labels, self._rows = labels, rows
        self._most = max(rows, default=0) or 1
        self.endResetModel()

    # What Qt asks for

    def rowCount(self, parent: ModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._labels)

    def columnCount(self, parent: ModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 2

    def data(self, index: ModelIndex, role: int = DISPLAY) -> object:
        if not index.isValid():
            return None
        if role == DISPLAY:
            row = index.row()
            return (
                translated_label(self._labels[row]) if index.column() == 0 else self._locale.toString(self._rows[row])
            )
        if role == TOOL_TIP:
            return translated_label(self._labels[index.row()])
        if role == ALIGNMENT:
            return _RIGHT if index.column() else None
        return self._rows[index.row()] / self._most if role == SHARE else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> object:
        if orientation == Qt.Orientation.Vertical:
            return None
        if role == DISPLAY:
            return (tr("Value"), tr(self._counted))[section]
        return _RIGHT if role == ALIGNMENT and section else None

    def flags(self, index: ModelIndex) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsDragEnabled if self._draggable and index.isValid() else flags

    def supportedDragActions(self) -> Qt.DropAction:
        return Qt.DropAction.CopyAction

    def mimeTypes(self) -> list[str]:
        return [VALUES_MIME]

    def mimeData(self, indexes: Iterable[QModelIndex]) -> QMimeData:
        return encode_values([self._labels[row] for row in sorted({index.row() for index in indexes})])


def paint_bar(painter: QPainter, rect: QRect, share: float) -> None:
    """Fill the right part of a cell in proportion to a share between 0 and 1."""
    if share > 0:
        width = max(round(rect.width() * share), 2)
        inset = max(rect.height() // 6, 2)
        bar = QRect(rect.right() - width + 1, rect.top() + inset, width, rect.height() - 2 * inset)
        painter.fillRect(bar, theme.color("info_soft"))


def set_up_count_view(view: QTableView) -> None:
    """Give a view of a CountsModel its look: compact rows, no grid, bars behind the numbers."""
    em = view.fontMetrics().height()
    view.setItemDelegateForColumn(1, CountBarDelegate(view))
    view.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
    view.setShowGrid(False)
    view.setTabKeyNavigation(False)
    view.verticalHeader().hide()
    view.verticalHeader().setDefaultSectionSize(round(1.45 * em))
    view.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    head = view.horizontalHeader()
    head.resizeSection(1, max(5 * em, head.sectionSizeHint(1)))


class CountBarDelegate(QStyledItemDelegate):
    """Draws the numbers of a CountsModel on their bars."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        if not option.state & QStyle.StateFlag.State_Selected:
            paint_bar(painter, option.rect, float(index.data(SHARE)))
        super().paint(painter, option, index)
