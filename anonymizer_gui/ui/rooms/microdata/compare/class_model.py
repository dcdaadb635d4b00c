"""The equivalence classes of a release for Qt's views, in any order."""

from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt

from anonymizer_gui.engine.data.tables.sort_and_filter import Order
from anonymizer_gui.engine.rooms.microdata.views.equivalence_classes import ClassList
from anonymizer_gui.ui.i18n import format_decimal, format_integer, tr, translated_label
from anonymizer_gui.ui.widgets.accessibility import ModelIndex, plain_tooltips

_NOWHERE = QModelIndex()
_ROLE = Qt.ItemDataRole
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
ROWS, DIVERSITY, CLOSENESS, CELLS = range(4)


@plain_tooltips
class ClassModel(QAbstractTableModel):
    """Shows size, l, t and the common cells of every class."""

    def __init__(self) -> None:
        super().__init__()
        self.classes: ClassList | None = None
        self.order: Order = np.empty(0, dtype=np.int64)

    def set_classes(self, classes: ClassList, by: str) -> None:
        """Show the classes of a release, the worst in this respect first."""
        self.beginResetModel()
        self.classes, self.order = classes, classes.worst_first(by)
        self.endResetModel()

    def class_at(self, row: int) -> int:
        """Give the number of the class in a row."""
        return int(self.order[row])

    def rowCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Count the classes."""
        return 0 if parent.isValid() else len(self.order)

    def columnCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Rows, l, t, cells."""
        return 0 if parent.isValid() else 4

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole) -> Any:
        """Give the titles."""
        if orientation == Qt.Orientation.Vertical:
            return None
        if role == _ROLE.TextAlignmentRole and section != CELLS:
            return _RIGHT
        if role == _ROLE.ToolTipRole:
            return self._tips()[section]
        return (
            (tr("People") if self._are_people() else tr("Rows"), "l", "t", tr("Published as"))[section]
            if role == _ROLE.DisplayRole
            else None
        )

    def data(self, index: ModelIndex, role: int = _ROLE.DisplayRole) -> Any:
        """Give the figures and cells of a class."""
        if role == _ROLE.TextAlignmentRole:
            return None if index.column() == CELLS else _RIGHT
        if role not in (_ROLE.DisplayRole, _ROLE.ToolTipRole) or self.classes is None:
            return None
        number = self.class_at(index.row())
        if index.column() == CELLS:
            cells = [translated_label(cell) for cell in self.classes.cells(number)]
            if role == _ROLE.DisplayRole:
                return " · ".join(cells)
            return "\n".join(f"{c.name}: {cell}" for c, cell in zip(self.classes.quasi, cells, strict=True))
        return self._figure(number, index.column()) if role == _ROLE.DisplayRole else None

    def _figure(self, number: int, column: int) -> str:
        assert self.classes is not None
        if column == ROWS:
            sizes = self.classes.classes.sizes if self.classes.people is None else self.classes.people
            return format_integer(sizes[number])
        if self.classes.sensitive is None:
            return "–"
        return (
            format_integer(self.classes.l[number]) if column == DIVERSITY else format_decimal(self.classes.t[number], 3)
        )

    def _are_people(self) -> bool:
        return self.classes is not None and self.classes.people is not None

    def _tips(self) -> tuple[str, ...]:
        return (
            tr("People in the class") if self._are_people() else tr("Rows of the class"),
            tr("Different sensitive values in the class"),
            tr("Distance of the class from all published rows"),
            tr("The cells all rows of the class share"),
        )
