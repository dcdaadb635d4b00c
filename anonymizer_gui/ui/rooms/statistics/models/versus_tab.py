"""Anonymise first or noise inside? One task in three ways, on people who are made up."""

from typing import get_args

from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from anonymizer_gui.engine.rooms.statistics.benches.generalisation_vs_dp import (
    EPSILONS,
    KS,
    Task,
    TaskComparison,
    compare_ways,
)
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.rooms.statistics.models.charts import Versus
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.combo_boxes import WidePopupComboBox
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.workspace.document import Document

SEED = 7


class VersusTab(QWidget):
    """A task to choose, and one chart over both kinds of settings."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.document = document
        self.task = name_widget(WidePopupComboBox(), "versus_task", spoken=tr("Task"))
        for task in get_args(Task):
            self.task.addItem(_words()[task][0], task)
        self.task.make_room()
        self.chart = ChartPanel(document.drawing, "versus_chart")
        self.different, self.about = InlineMessage(), name_widget(QLabel(wordWrap=True), "versus_about")
        self.different.show_note(
            "info",
            tr("The axes are different promises: k hides everybody among k rows that look alike, epsilon bounds what "
               "anybody can learn from one person's being there. Equal places on the chart are not equal protection."),
        )  # fmt: skip
        self.about.setText(
            tr("Simulated: 4,000 made-up people, drawn with seed {seed}. Your table is not looked at.", seed=SEED)
        )
        row = QHBoxLayout()
        row.addWidget(QLabel(tr("The same task in three ways:")))
        row.addWidget(self.task)
        row.addStretch()
        layout = QVBoxLayout(self)
        layout.addLayout(row)
        layout.addWidget(self.different)
        layout.addWidget(self.chart, 1)
        layout.addWidget(self.about)
        self.task.currentIndexChanged.connect(lambda _at: self.ask())

    def ask(self) -> None:
        """Have the task done; what was done before is kept."""
        task = self.task.currentData()
        self.document.ask(
            f"versus {task}", compare_ways, task, SEED, then=self._on_compared, title=tr("Compare three ways")
        )

    def _on_compared(self, found: TaskComparison) -> None:
        if found.task != self.task.currentData():
            return
        title, y = _words()[found.task]
        ways = {
            tr("k-anonymous table"): found.generalised,
            tr("synthetic table (DP)"): found.synthetic,
            tr("noise inside the algorithm (DP)"): found.noisy,
        }
        epsilons = [float(epsilon) for epsilon in EPSILONS]
        best = tr("without protection")
        self.chart.show_plot(Versus(title, KS, epsilons, ways, found.best, best, y))


def _words() -> dict[str, tuple[str, str]]:
    """Name each task, and what is measured."""
    return {
        "clusters": (tr("Find three clusters"), tr("Loss (smaller is better)")),
        "classes": (tr("Learn who owns a home"), tr("Accuracy (larger is better)")),
        "queries": (tr("Count people by age and income"), tr("Error as a share of people (smaller is better)")),
    }
