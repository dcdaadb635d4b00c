"""Columns with the state of their hierarchy."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.hierarchy.fit import Usage, contradiction_message
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import format_integer, tr
from anonymizer_gui.ui.widgets.accessibility import ModelIndex, plain_tooltips
from anonymizer_gui.ui.widgets.role_chip import role_icon

DISPLAY, TOOL_TIP = int(Qt.ItemDataRole.DisplayRole), int(Qt.ItemDataRole.ToolTipRole)

ACCESSIBLE_ROLE = int(Qt.ItemDataRole.AccessibleTextRole)

STATE_ROLE = int(Qt.ItemDataRole.UserRole)
"""The ColumnState of a row."""


@dataclass(frozen=True, slots=True)
class ColumnState:
    """A column, its role, the state of its hierarchy in words, the icon that goes with them, and what else is known."""

    name: str
    role: Role
    words: str
    icon: str
    note: str = ""


def column_state(
    name: str, role: Role, hierarchy: Hierarchy | None, usage: Usage | None, is_counting: bool = True
) -> ColumnState:
    """Say in a few words how a column and its hierarchy stand."""
    if hierarchy is None:
        words = tr("No hierarchy") if role is Role.QI else tr("No hierarchy (not needed)")
        return ColumnState(name, role, words, "empty" if role is Role.QI else "")
    if usage is None:
        words = tr("Comparing with the data…") if is_counting else shape_text(hierarchy)
        return ColumnState(name, role, words, "")
    lacking, unused = len(usage.fit.without_place), format_integer(len(usage.fit.without_values))
    note = tr("Leaves without rows: {n}", n=unused) if usage.fit.without_values else ""
    if lacking:
        words = tr("{n:value|values} missing · {shape}", n=lacking, shape=shape_text(hierarchy))
        return ColumnState(name, role, words, "warning", note)
    if usage.fit.contradictions:
        words = tr("Labels contradict {n:value|values}", n=len(usage.fit.contradictions))
        return ColumnState(name, role, words, "warning", tr(contradiction_message(usage.fit.contradictions)))
    return ColumnState(name, role, tr("Fits · {shape}", shape=shape_text(hierarchy)), "done", note)


def shape_text(hierarchy: Hierarchy) -> str:
    """Say how deep and how wide a hierarchy is."""
    is_even = bool((hierarchy.depths[hierarchy.leaves] == hierarchy.height).all())
    depth, leaves = hierarchy.height, format_integer(hierarchy.n_leaves)
    if is_even:
        return tr("depth {depth}, {leaves:leaf|leaves}", depth=depth, leaves=leaves)
    return tr("unbalanced, depth {depth}, {leaves:leaf|leaves}", depth=depth, leaves=leaves)


@plain_tooltips
class HierarchyColumnsModel(QAbstractListModel):
    """Lists the columns; states come in as they are found out."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._states: list[ColumnState] = []

    def show(self, states: Sequence[ColumnState]) -> None:
        """Show columns; the same columns with other states keep their rows."""
        if [state.name for state in states] == [state.name for state in self._states]:
            self._states = list(states)
            if states:
                self.dataChanged.emit(self.index(0), self.index(len(states) - 1))
            return
        self.beginResetModel()
        self._states = list(states)
        self.endResetModel()

    def row_of(self, name: str) -> int:
        """Give the row of a column, -1 when it is not listed."""
        return next((row for row, state in enumerate(self._states) if state.name == name), -1)

    # What Qt asks for

    def rowCount(self, parent: ModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._states)

    def data(self, index: ModelIndex, role: int = DISPLAY) -> object:
        if not index.isValid():
            return None
        state = self._states[index.row()]
        if role == DISPLAY:
            return state.name
        if role == STATE_ROLE:
            return state
        if role in (TOOL_TIP, ACCESSIBLE_ROLE):
            words = tr("{column} ({role}): {state}", column=state.name, role=state.role.value, state=state.words)
            return f"{words}\n{state.note}" if state.note else words
        return None


_TINTS = {"done": "good", "warning": "warn", "empty": "muted"}


class HierarchyColumnView(QListView):
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

    def sizeHint(self, option: QStyleOptionViewItem, index: ModelIndex) -> QSize:
        return QSize(8 * option.fontMetrics.height(), round(2.9 * option.fontMetrics.height()))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        state: ColumnState = index.data(STATE_ROLE)
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
