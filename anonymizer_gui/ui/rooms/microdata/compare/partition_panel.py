"""A release in the plane of two columns: the boxes that its classes fill there."""

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from anonymizer_gui.engine.data.tables.table import Role
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.views.release_comparison import PartitionMap, most_divided, partition_map
from anonymizer_gui.ui.charts.plots import RectanglePlot
from anonymizer_gui.ui.i18n import format_integer, tr
from anonymizer_gui.ui.rooms.microdata.document import MicrodataDocument
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel


class PartitionPanel(QWidget):
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
