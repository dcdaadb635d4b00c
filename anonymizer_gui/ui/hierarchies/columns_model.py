"""The columns that may have a hierarchy, each with its state in words."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt

from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.hierarchy.fit import Usage, contradiction_message
from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.ui.i18n import tr, whole
from anonymizer_gui.ui.widgets.indexes import Index
from anonymizer_gui.ui.widgets.plain_text import plain_tips

DISPLAY, TOOL_TIP = int(Qt.ItemDataRole.DisplayRole), int(Qt.ItemDataRole.ToolTipRole)
ACCESSIBLE = int(Qt.ItemDataRole.AccessibleTextRole)
STATE = int(Qt.ItemDataRole.UserRole)
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
        words = tr("Comparing with the data…") if is_counting else shape_words(hierarchy)
        return ColumnState(name, role, words, "")
    lacking, unused = len(usage.fit.without_place), whole(len(usage.fit.without_values))
    note = tr("Leaves without rows: {n}", n=unused) if usage.fit.without_values else ""
    if lacking:
        words = tr("{n:value|values} missing · {shape}", n=lacking, shape=shape_words(hierarchy))
        return ColumnState(name, role, words, "warning", note)
    if usage.fit.contradictions:
        words = tr("Labels contradict {n:value|values}", n=len(usage.fit.contradictions))
        return ColumnState(name, role, words, "warning", tr(contradiction_message(usage.fit.contradictions)))
    return ColumnState(name, role, tr("Fits · {shape}", shape=shape_words(hierarchy)), "done", note)


def shape_words(hierarchy: Hierarchy) -> str:
    """Say how deep and how wide a hierarchy is."""
    is_even = bool((hierarchy.depths[hierarchy.leaves] == hierarchy.height).all())
    depth, leaves = hierarchy.height, whole(hierarchy.n_leaves)
    if is_even:
        return tr("depth {depth}, {leaves:leaf|leaves}", depth=depth, leaves=leaves)
    return tr("unbalanced, depth {depth}, {leaves:leaf|leaves}", depth=depth, leaves=leaves)


@plain_tips
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

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._states)

    def data(self, index: Index, role: int = DISPLAY) -> object:
        if not index.isValid():
            return None
        state = self._states[index.row()]
        if role == DISPLAY:
            return state.name
        if role == STATE:
            return state
        if role in (TOOL_TIP, ACCESSIBLE):
            words = tr("{column} ({role}): {state}", column=state.name, role=state.role.value, state=state.words)
            return f"{words}\n{state.note}" if state.note else words
        return None
