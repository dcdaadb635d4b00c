"""Clusters seen ahead on simulated points: centres before and after noise, and the loss for each epsilon."""

from fractions import Fraction
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QLabel, QSplitter, QStackedLayout, QVBoxLayout, QWidget

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.rooms.statistics.benches.simulated_releases import SimulatedClusters, simulate_clusters
from anonymizer_gui.engine.rooms.statistics.project import PlannedQuestion
from anonymizer_gui.engine.rooms.statistics.question_syntax import question_text
from anonymizer_gui.engine.rooms.statistics.questions.clustering import KMeans
from anonymizer_gui.ui.i18n import error_text, format_significant, tr
from anonymizer_gui.ui.rooms.statistics.models.charts import ClusterMap, LossCurve
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.combo_boxes import WidePopupComboBox
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.ui.widgets.number_fields import EpsilonSlider
from anonymizer_gui.workspace.document import Document

_SEED = 3


class ClustersTab(QWidget):
    """The question and two of its columns above, the map at the left, the loss at the right."""

    def __init__(self, document: Document, go_to_plan: Any) -> None:
        super().__init__()
        self.document = document
        self._seen: SimulatedClusters | None = None
        self.question = name_widget(WidePopupComboBox(), "clusters_question", spoken=tr("Question"))
        self.across, self.up = (name_widget(WidePopupComboBox(), name) for name in ("clusters_across", "clusters_up"))
        self.across.setAccessibleName(tr("Column across"))
        self.up.setAccessibleName(tr("Column up"))
        self.epsilon = EpsilonSlider("clusters_epsilon")
        self.map, self.loss = (ChartPanel(document.drawing, name) for name in ("clusters_map", "clusters_loss"))
        self.problem, self.about = InlineMessage(), name_widget(QLabel(wordWrap=True), "clusters_about")
        self.empty = EmptyState(
            tr("The plan asks for no clusters yet: add the question “Clusters (k-means)”."), tr("Go to Plan"),
            go_to_plan, icon="eye",
        )  # fmt: skip
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._laid_out())
        self.question.currentIndexChanged.connect(lambda _at: self._choose())
        self.epsilon.changed.connect(lambda _epsilon: self._look())
        for side in (self.across, self.up):
            side.currentIndexChanged.connect(lambda _at: self._draw())

    def ask(self) -> None:
        """Offer the questions about clusters, and look ahead at the one that is chosen."""
        asked = [each for each in self.document.project.questions if isinstance(each.question, KMeans)]
        self._stack.setCurrentIndex(int(bool(asked)))
        at = max(self.question.currentIndex(), 0)
        self.question.blockSignals(True)
        self.question.clear()
        for each in asked:
            self.question.addItem(question_text(each), each)
        self.question.setCurrentIndex(min(at, len(asked) - 1))
        self.question.blockSignals(False)
        if asked:
            self._choose()

    def _laid_out(self) -> QWidget:
        row = QHBoxLayout()
        row.addWidget(self.question, 2)
        for words, side in ((tr("across"), self.across), (tr("up"), self.up)):
            row.addWidget(QLabel(words))
            row.addWidget(side, 1)
        split = name_widget(QSplitter(childrenCollapsible=False), "clusters_splitter")
        for chart in (self.map, self.loss):
            split.addWidget(chart)
            split.setStretchFactor(split.count() - 1, 1)
        shown = QWidget()
        layout = QVBoxLayout(shown)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(row)
        layout.addWidget(self.epsilon)
        layout.addWidget(self.problem)
        layout.addWidget(split, 1)
        layout.addWidget(self.about)
        return shown

    def _choose(self) -> None:
        asked: PlannedQuestion | None = self.question.currentData()
        if asked is None:
            return
        names = asked.columns()[: len(asked.question.features)] if isinstance(asked.question, KMeans) else ()
        for side, first in ((self.across, 0), (self.up, 1)):
            side.blockSignals(True)
            side.clear()
            side.addItems(list(names))
            side.setCurrentIndex(min(first, len(names) - 1))
            side.blockSignals(False)
        share = self.document.project.epsilon / max(len(self.document.project.questions), 1)
        self.epsilon.show_value(asked.epsilon or share)
        self._look()

    def _look(self) -> None:
        asked: PlannedQuestion | None = self.question.currentData()
        if asked is None:
            return
        self.problem.show_note("bad", "")
        self.document.jobs.start(
            tr("Look ahead at clusters"), simulate_clusters, asked, self.document.project, Fraction(self.epsilon.value),
            _SEED, on_done=self._on_seen, on_error=self._on_failed, replace_key="clusters ahead",
        )  # fmt: skip

    def _on_failed(self, error: BaseException) -> None:
        if not isinstance(error, AnonymizerError):
            self.document.jobs.tell(error)
        self.problem.show_note("bad", error_text(error))

    def _on_seen(self, seen: SimulatedClusters) -> None:
        self._seen = seen
        self._draw()
        epsilons, losses = zip(*seen.losses, strict=True)
        lines = {tr("a single centre"): seen.alone, tr("without noise"): seen.best}
        title, y = tr("Loss against epsilon"), tr("Mean squared distance")
        self.loss.show_plot(LossCurve(title, epsilons, losses, float(self.epsilon.value), lines, x=tr("Epsilon"), y=y))
        self.about.setText(
            tr("Simulated points, drawn with seed {seed}; your table is not looked at. Loss without noise: {best}.",
               seed=seen.seed, best=format_significant(seen.best, 3))
        )  # fmt: skip

    def _draw(self) -> None:
        """Show the two columns that are chosen; of a single one its numbers over themselves."""
        if self._seen is None:
            return
        seen, across, up = self._seen, max(self.across.currentIndex(), 0), max(self.up.currentIndex(), 0)
        points, before, after = (
            [(float(row[across]), float(row[up])) for row in part] for part in (seen.points, seen.before, seen.after)
        )
        title = tr("Centres before and after noise")
        self.map.show_plot(ClusterMap(title, points, before, after, seen.names[across], seen.names[up]))
