"""Partitions in two columns, tree of splits."""

from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QSize, Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QHeaderView, QLabel, QTreeView, QVBoxLayout, QWidget

from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.views.release_comparison import PartitionMap, most_divided, partition_map
from anonymizer_gui.engine.rooms.microdata.views.search_trace import SplitSteps, split_steps
from anonymizer_gui.ui.charts.plots import RectanglePlot
from anonymizer_gui.ui.i18n import format_integer, tr
from anonymizer_gui.ui.rooms.microdata.release_texts import MicrodataDocument
from anonymizer_gui.ui.widgets.accessibility import ModelIndex, name_widget, plain_tooltips
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel


class PartitionMapPanel(QWidget):
    """The plane of two columns with the boxes that classes fill in it."""

    def __init__(self, document: MicrodataDocument) -> None:
        super().__init__()
        self.setObjectName("partition_panel")
        self.document = document
        self._release: Release | None = None
        self.across = name_widget(QComboBox(), "map_across")
        self.up = name_widget(QComboBox(), "map_up")
        self.count = name_widget(QLabel(), "map_count")
        self.words = name_widget(QLabel(wordWrap=True), "map_words")
        self.words.setForegroundRole(self.words.foregroundRole().PlaceholderText)
        self.panel = ChartPanel(document.drawing, "partition_map")
        row = QHBoxLayout()
        for text, box in ((tr("A&cross"), self.across), (tr("&Up"), self.up)):
            label = QLabel(text)
            label.setBuddy(box)
            row.addWidget(label)
            row.addWidget(box)
        row.addWidget(self.count, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(row)
        layout.addWidget(self.panel, 1)
        layout.addWidget(self.words)
        self.across.currentIndexChanged.connect(self._ask)
        self.up.currentIndexChanged.connect(self._ask)

    def show_release(self, release: Release) -> None:
        """Show the map of another release in the same columns, if it has them."""
        self._release = release
        names = release.project.schema.names(Role.QI)
        if [self.across.itemText(i) for i in range(self.across.count())] != list(names):
            for name, box in zip(most_divided(release), (self.across, self.up), strict=True):
                box.blockSignals(True)
                box.clear()
                box.addItems(names)
                box.setCurrentText(name)
                box.blockSignals(False)
        self._ask()

    def _ask(self) -> None:
        if self._release is None or self.document.table is None:
            return
        self.document.ask(
            "partition map",
            partition_map,
            self._release,
            self.document.table,
            self.across.currentText(),
            self.up.currentText(),
            then=self._on_map,
            title=tr("Draw the partitions"),
        )

    def _on_map(self, found: PartitionMap) -> None:
        across, up = self.across.currentText(), self.up.currentText()
        words = [
            tr(
                "{x_name}: {x}\n{y_name}: {y}\n{rows:row|rows}",
                x_name=across,
                x=x,
                y_name=up,
                y=y,
                rows=format_integer(rows),
            )
            for (x, y), rows in zip(found.cells, found.rows.tolist(), strict=True)
        ]
        boxes = [(float(x), float(y), float(w), float(h)) for x, y, w, h in found.boxes.tolist()]
        plot = RectanglePlot(
            tr("Partitions in {x} and {y}", x=across, y=up),
            boxes,
            words,
            found.rows.tolist(),
            across,
            up,
            found.x_ticks,
            found.y_ticks,
            found.density.tolist(),
        )
        text = tr("{count:box|boxes}", count=format_integer(len(boxes)))
        if found.left_out:
            text = tr(
                "{count:box|boxes}, {more:small one|small ones} not drawn",
                count=format_integer(len(boxes)),
                more=format_integer(found.left_out),
            )
        self.count.setText(text)
        self.words.setText(
            tr("Stronger colour: more rows for each pair of values. Cells that may be any value stand apart, at *.")
        )
        self.panel.show_plot(plot)


_NOWHERE = QModelIndex()

_ROLE = Qt.ItemDataRole

_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


@plain_tooltips
class SplitTreeModel(QAbstractItemModel):
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


class SplitTreePanel(QWidget):
    """The tree of splits; the first steps are open."""

    def __init__(self, document: MicrodataDocument) -> None:
        super().__init__()
        self.setObjectName("split_panel")
        self.document = document
        self.model = SplitTreeModel(round(self.fontMetrics().height() * 1.5))
        self.view = name_widget(QTreeView(), "split_tree")
        self.view.setModel(self.model)
        self.view.setUniformRowHeights(True)
        self.view.setAlternatingRowColors(True)
        self.view.setAccessibleName(tr("Tree of splits"))
        head = self.view.header()
        head.setStretchLastSection(True)
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        unit = self.fontMetrics().height()
        head.resizeSection(0, unit * 26)
        head.resizeSection(1, unit * 6)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.view)

    def show_release(self, release: Release) -> None:
        """Show the splits of another release."""
        if self.document.table is not None:
            self.document.ask(
                "splits",
                split_steps,
                release,
                self.document.table,
                then=self._on_steps,
                title=tr("Read the splits"),
            )

    def _on_steps(self, steps: SplitSteps) -> None:
        if steps is self.model.steps:
            return
        self.model.set_steps(steps)
        self.view.expandToDepth(1)
        self.view.setCurrentIndex(self.model.index(0, 0))
