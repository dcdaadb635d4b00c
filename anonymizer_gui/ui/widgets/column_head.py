"""The heads of columns, painted without asking the model about every row."""

from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QIcon, QPainter
from PySide6.QtWidgets import QHeaderView, QStyle, QStyleOptionHeader, QWidget

from anonymizer_gui.ui.widgets.indexes import ranges_of


class RowHead(QHeaderView):
    """Numbers of rows in a width that is given: Qt would measure hundreds of them whenever a table is laid out."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.setSectionsClickable(True)

    def sizeHint(self) -> QSize:
        """Give the width that was set."""
        return QSize(self.minimumWidth(), self.length())


class ColumnHead(QHeaderView):
    """Paints a selected column's head in bold.

    Qt's own painting asks whether a column is selected row by row, which takes seconds for a million rows; the
    ranges of the selection tell at once. Qt also measures every head many times while a table is laid out; here each
    is measured once.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        self._sizes: dict[tuple[int, bool], QSize] = {}
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsClickable(True)
        self.setHighlightSections(False)

    def is_selected(self, column: int) -> bool:
        """Tell whether a whole column is selected."""
        last = self.model().rowCount(QModelIndex()) - 1
        whole = (r for r in ranges_of(self.selectionModel()) if last >= 0 and (r.top(), r.bottom()) == (0, last))
        return any(r.left() <= column <= r.right() for r in whole)

    def sectionSizeFromContents(self, logicalIndex: int) -> QSize:
        """Give the room a head needs for its name and icon."""
        key = logicalIndex, self.isSortIndicatorShown()
        if key not in self._sizes:
            self._sizes[key] = super().sectionSizeFromContents(logicalIndex)
        return self._sizes[key]

    def sizeHint(self) -> QSize:
        """Give the height of the first head, which all share: Qt would measure two hundred of them."""
        if not self.count():
            return super().sizeHint()
        return QSize(self.length(), self.sectionSizeFromContents(0).height())

    def setModel(self, model: QAbstractItemModel | None) -> None:
        """Take the heads of a model, and measure anew what gets another name or icon."""
        if self.model() is not None:
            self.model().headerDataChanged.disconnect(self._forget_sizes)
        super().setModel(model)
        self._forget_sizes()
        if model is not None:
            model.headerDataChanged.connect(self._forget_sizes)

    def reset(self) -> None:
        """Forget the heads of another table."""
        self._forget_sizes()
        super().reset()

    def changeEvent(self, event: QEvent) -> None:
        """Measure anew with other letters."""
        self._forget_sizes()
        super().changeEvent(event)

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        """Paint one head: frame, icon and name."""
        if not rect.isValid():
            return
        option = QStyleOptionHeader()
        self.initStyleOption(option)
        option.rect = rect
        option.section = logicalIndex
        option.text = str(self._of(logicalIndex, Qt.ItemDataRole.DisplayRole) or "")
        icon = self._of(logicalIndex, Qt.ItemDataRole.DecorationRole)
        option.icon = icon if isinstance(icon, QIcon) else QIcon()
        option.iconAlignment = Qt.AlignmentFlag.AlignVCenter
        option.textAlignment = self.defaultAlignment()
        option.state |= QStyle.StateFlag.State_Raised
        font = QFont(painter.font())
        font.setBold(self.is_selected(logicalIndex))
        painter.save()
        painter.setFont(font)
        option.fontMetrics = painter.fontMetrics()
        option.text = self._elided(option)
        self.style().drawControl(QStyle.ControlElement.CE_Header, option, painter, self)
        painter.restore()

    def _forget_sizes(self) -> None:
        self._sizes = {}

    def _elided(self, option: QStyleOptionHeader) -> str:
        """Shorten each line of the name to the room there is."""
        lines, right, room = option.text.split("\n"), Qt.TextElideMode.ElideRight, self._room(option)
        return "\n".join(option.fontMetrics.elidedText(line, right, room) for line in lines)

    def _room(self, option: QStyleOptionHeader) -> int:
        """Give the width that is left for the name."""
        margin = self.style().pixelMetric(QStyle.PixelMetric.PM_HeaderMargin, option, self)
        icon = self.style().pixelMetric(QStyle.PixelMetric.PM_SmallIconSize, option, self)
        return option.rect.width() - 2 * margin - (0 if option.icon.isNull() else icon + margin)

    def _of(self, column: int, role: Qt.ItemDataRole) -> object:
        return self.model().headerData(column, Qt.Orientation.Horizontal, int(role))
