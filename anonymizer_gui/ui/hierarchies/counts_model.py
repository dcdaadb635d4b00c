"""Labels with the number of rows each stands for; the labels can be dragged into a hierarchy."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QAbstractTableModel, QLocale, QMimeData, QModelIndex, QObject, Qt

from anonymizer_gui.ui.hierarchies.mime import VALUES_MIME, pack_values
from anonymizer_gui.ui.i18n import shown_label, tr
from anonymizer_gui.ui.widgets.indexes import Index
from anonymizer_gui.ui.widgets.plain_text import plain_tips

DISPLAY, ALIGNMENT = int(Qt.ItemDataRole.DisplayRole), int(Qt.ItemDataRole.TextAlignmentRole)
TOOL_TIP = int(Qt.ItemDataRole.ToolTipRole)
SHARE = int(Qt.ItemDataRole.UserRole)
"""The share of the most frequent label's rows, for a bar behind the number."""
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


@plain_tips
class CountsModel(QAbstractTableModel):
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

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._labels)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 2

    def data(self, index: Index, role: int = DISPLAY) -> object:
        if not index.isValid():
            return None
        if role == DISPLAY:
            row = index.row()
            return shown_label(self._labels[row]) if index.column() == 0 else self._locale.toString(self._rows[row])
        if role == TOOL_TIP:
            return shown_label(self._labels[index.row()])
        if role == ALIGNMENT:
            return _RIGHT if index.column() else None
        return self._rows[index.row()] / self._most if role == SHARE else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> object:
        if orientation == Qt.Orientation.Vertical:
            return None
        if role == DISPLAY:
            return (tr("Value"), tr(self._counted))[section]
        return _RIGHT if role == ALIGNMENT and section else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsDragEnabled if self._draggable and index.isValid() else flags

    def supportedDragActions(self) -> Qt.DropAction:
        return Qt.DropAction.CopyAction

    def mimeTypes(self) -> list[str]:
        return [VALUES_MIME]

    def mimeData(self, indexes: Iterable[QModelIndex]) -> QMimeData:
        return pack_values([self._labels[row] for row in sorted({index.row() for index in indexes})])
