"""How much each quasi-identifier counts, for Qt's views: its weight in steps and the share that makes."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt, Signal

from anonymizer_gui.ui.i18n import format_percent, tr
from anonymizer_gui.ui.widgets.accessibility import ModelIndex, plain_tooltips

NAME, WEIGHT, SHARE = range(3)
STEPS = 100
USUAL = 50
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
        highest = max([STEPS / USUAL, *given])
        steps = [round(weight / highest * STEPS) for weight in given]
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
        steps[index.row()] = min(max(int(value), 0), STEPS)
        if not any(steps):
            steps[index.row()] = 1
        if steps == self._steps:
            return False
        self._steps = steps
        self._tell_changed()
        weights = {name: step / USUAL for name, step in zip(self.columns, steps, strict=True)}
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
