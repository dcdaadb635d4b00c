"""The tree of splits for Qt's views: parts of the table, each with the value that tells it from its siblings."""

from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QSize, Qt

from anonymizer_gui.engine.rooms.microdata.views.search_trace import SplitSteps
from anonymizer_gui.ui.i18n import format_integer, tr
from anonymizer_gui.ui.widgets.accessibility import ModelIndex, plain_tooltips

_NOWHERE = QModelIndex()
_ROLE = Qt.ItemDataRole
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


@plain_tooltips
class SplitModel(QAbstractItemModel):
    """Shows the steps of a run; the number of a part is the id of its index."""

    def __init__(self, row_height: int) -> None:
        super().__init__()
        self._size = QSize(0, row_height)
        self.steps: SplitSteps | None = None
        self._row: list[int] = []

    def set_steps(self, steps: SplitSteps) -> None:
        """Show another tree."""
        self.beginResetModel()
        self.steps = steps
        self._row = [0] * len(steps.parent)
        for row, part in enumerate(steps.roots.tolist()):
            self._row[part] = row
        for place, part in enumerate(steps.children.tolist()):
            self._row[part] = place - int(steps.starts[steps.parent[part]])
        self.endResetModel()

    def index(self, row: int, column: int, parent: ModelIndex = _NOWHERE) -> QModelIndex:
        """Give the place of a part."""
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(row, column, int(self._parts(parent)[row]))

    def parent(self, child: ModelIndex) -> QModelIndex:  # type: ignore[override]
        """Give the part a part came from."""
        if self.steps is None or not child.isValid():
            return QModelIndex()
        above = int(self.steps.parent[child.internalId()])
        return self.createIndex(self._row[above], 0, above) if above >= 0 else QModelIndex()

    def rowCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Count the parts of a part."""
        return 0 if parent.column() > 0 else len(self._parts(parent))

    def columnCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Part, rows, and what became of it."""
        return 3

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole) -> Any:
        """Give the titles."""
        if orientation == Qt.Orientation.Vertical:
            return None
        if role == _ROLE.TextAlignmentRole and section == 1:
            return _RIGHT
        return (tr("Part"), tr("Rows"), tr("Then"))[section] if role == _ROLE.DisplayRole else None

    def data(self, index: ModelIndex, role: int = _ROLE.DisplayRole) -> Any:
        """Give the words of a part."""
        if self.steps is None:
            return None
        if role == _ROLE.TextAlignmentRole and index.column() == 1:
            return _RIGHT
        if role == _ROLE.SizeHintRole:
            return self._size
        if role not in (_ROLE.DisplayRole, _ROLE.ToolTipRole):
            return None
        part = int(index.internalId())
        return (self._name, self._rows, self._fate)[index.column()](part)

    def _parts(self, parent: ModelIndex) -> Any:
        if self.steps is None:
            return ()
        return self.steps.children_of(int(parent.internalId())) if parent.isValid() else self.steps.roots

    def _name(self, part: int) -> str:
        assert self.steps is not None
        column = int(self.steps.column[part])
        if column < 0:
            return tr("Whole table") if len(self.steps.roots) == 1 else tr("Start {number}", number=self._row[part] + 1)
        return tr("{column}: {value}", column=self.steps.columns[column], value=self.steps.labels[part])

    def _rows(self, part: int) -> str:
        assert self.steps is not None
        return format_integer(self.steps.rows[part])

    def _fate(self, part: int) -> str:
        assert self.steps is not None
        split_on = int(self.steps.split_on[part])
        if split_on >= 0:
            return tr("split by {column}", column=self.steps.columns[split_on])
        return tr("a class of the release") if self.steps.published[part] >= 0 else tr("suppressed")
