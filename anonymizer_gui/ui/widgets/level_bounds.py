"""How far each quasi-identifier may be generalised: a lowest and a highest level per column."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QWidget

from anonymizer_gui.engine.hierarchy.tree import Hierarchy
from anonymizer_gui.ui.i18n import tr


class LevelBounds(QWidget):
    """Two boxes per column, with an example of each level in words."""

    edited = Signal(str, object)
    """Carries the column and the new bounds of all columns."""

    def __init__(self) -> None:
        super().__init__()
        self.boxes: dict[str, tuple[QComboBox, QComboBox]] = {}
        self._heights: dict[str, int] = {}
        self._grid = QGridLayout(self)
        self._shown: object = None

    def show_bounds(
        self,
        columns: Sequence[str],
        hierarchies: Mapping[str, Hierarchy],
        bounds: Mapping[str, tuple[int, int]],
    ) -> None:
        """Show the bounds of these columns; without an entry every level is allowed."""
        shown = [(name, hierarchies.get(name)) for name in columns]
        if shown != self._shown:
            self._shown = shown
            self._rebuild(columns, hierarchies)
        for name, (low, high) in self.boxes.items():
            lowest, highest = bounds.get(name, (0, self._heights[name]))
            for box, level in ((low, lowest), (high, min(highest, self._heights[name]))):
                box.blockSignals(True)
                box.setCurrentIndex(level)
                box.blockSignals(False)

    def _rebuild(self, columns: Sequence[str], hierarchies: Mapping[str, Hierarchy]) -> None:
        while self._grid.count():
            widget = self._grid.takeAt(0).widget()
            if widget is not None:
                widget.hide()
                widget.setParent(None)
                widget.deleteLater()
        self.boxes, self._heights = {}, {}
        for place, head in enumerate((tr("Column"), tr("At least"), tr("At most"))):
            self._grid.addWidget(QLabel(head), 0, place)
        for row, name in enumerate(columns, start=1):
            levels = _levels(hierarchies.get(name))
            self._heights[name] = len(levels) - 1
            boxes = (self._box(name, levels, lowest=True), self._box(name, levels, lowest=False))
            label = QLabel(name)
            label.setBuddy(boxes[0])
            for place, widget in enumerate((label, *boxes)):
                self._grid.addWidget(widget, row, place)
            self.boxes[name] = boxes
        self._grid.setRowStretch(len(columns) + 1, 1)
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnStretch(2, 1)

    def _box(self, name: str, levels: Sequence[str], *, lowest: bool) -> QComboBox:
        box = QComboBox(objectName=f"{'lowest' if lowest else 'highest'}_{name}")
        box.addItems(list(levels))
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(9)
        spoken = tr("Lowest level of {column}", column=name) if lowest else tr("Highest level of {column}", column=name)
        box.setAccessibleName(spoken)
        box.currentIndexChanged.connect(lambda _level: self._on_changed(name, lowest))
        return box

    def _on_changed(self, name: str, lowest: bool) -> None:
        low, high = self.boxes[name]
        if low.currentIndex() > high.currentIndex():
            leader, follower = (low, high) if lowest else (high, low)
            follower.blockSignals(True)
            follower.setCurrentIndex(leader.currentIndex())
            follower.blockSignals(False)
        bounds = {n: (a.currentIndex(), b.currentIndex()) for n, (a, b) in self.boxes.items()}
        free = {n: (0, height) for n, height in self._heights.items()}
        self.edited.emit(name, {n: pair for n, pair in bounds.items() if pair != free[n]})


def _levels(tree: Hierarchy | None) -> list[str]:
    """Name each level by its number and an example."""
    if tree is None:
        return [tr("0: as it is"), tr("1: *")]
    table = tree.level_table()
    return [f"{level}: {tree.labels[int(nodes[0])]}" for level, nodes in enumerate(table)]
