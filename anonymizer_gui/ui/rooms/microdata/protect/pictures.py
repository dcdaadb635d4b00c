"""What a large window has room for on Protect: how many share their class, and what each column loses."""

from PySide6.QtWidgets import QHBoxLayout, QWidget

from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.views.equivalence_classes import RecordsBySize
from anonymizer_gui.ui.charts.plots import BarPlot
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.rooms.microdata.size_plot import size_plot
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.workspace.jobs import JobRunner

LINES_NEEDED = 52
"""From so many lines of text in height on the page has room for pictures below the figures."""


class Pictures(QWidget):
    """Two charts side by side; the second only when there is a release."""

    def __init__(self, drawing: JobRunner) -> None:
        super().__init__()
        self.setObjectName("protect_pictures")
        self.sizes = ChartPanel(drawing, "protect_sizes")
        self.loss = ChartPanel(drawing, "protect_loss")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.sizes, 1)
        row.addWidget(self.loss, 1)
        self.setMinimumHeight(self.fontMetrics().height() * 14)

    def show_release(self, release: Release | None) -> None:
        """Show what each column of a release loses."""
        losses = release.measured.loss.lm_columns if release else {}
        known = {name: loss for name, loss in losses.items() if loss is not None}
        self.loss.setVisible(bool(known))
        if known:
            values = {"LM": list(known.values())}
            self.loss.show_plot(
                BarPlot(tr("Loss (LM) per column"), list(known), values, "LM", sideways=True, shares=True)
            )

    def show_sizes(self, sizes: RecordsBySize) -> None:
        """Show how many records, or people, are in classes of each size."""
        self.sizes.show_plot(size_plot(sizes))
