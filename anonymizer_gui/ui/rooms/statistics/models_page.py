"""Models: three ways compared, synthetic table, clusters; registered: view 75, help 113, tour 105."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, get_args

from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QSplitter,
    QStackedLayout,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.rooms.statistics.benches.generalisation_vs_dp import (
    EPSILONS,
    KS,
    Task,
    TaskComparison,
    compare_ways,
)
from anonymizer_gui.engine.rooms.statistics.benches.simulated_releases import SimulatedClusters, simulate_clusters
from anonymizer_gui.engine.rooms.statistics.benches.synthetic_utility import (
    Both,
    ColumnComparison,
    PairComparison,
    QueryComparison,
    SyntheticUtility,
    compare_column,
    compare_models,
    compare_pair,
    compare_query,
    measure_utility,
)
from anonymizer_gui.engine.rooms.statistics.dp_sgd import PlainEvaluation
from anonymizer_gui.engine.rooms.statistics.project import PlannedQuestion
from anonymizer_gui.engine.rooms.statistics.public_domains import ColumnDomain
from anonymizer_gui.engine.rooms.statistics.question_syntax import question_text
from anonymizer_gui.engine.rooms.statistics.questions.clustering import KMeans
from anonymizer_gui.engine.rooms.statistics.questions.synthetic import Synthetic
from anonymizer_gui.engine.rooms.statistics.release import ModelOutput, Release
from anonymizer_gui.ui.charts.plots import BarPlot, HeatmapPlot
from anonymizer_gui.ui.i18n import error_text, format_percent, format_significant, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.rooms.statistics.charts import ClusterPlot, LossCurvePlot, TaskComparisonPlot
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.combo_boxes import WidePopupComboBox, fill_combo
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.figure_cards import CardRow, Figure
from anonymizer_gui.ui.widgets.layout import with_selectors
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.ui.widgets.number_fields import EpsilonSlider
from anonymizer_gui.ui.widgets.table_comparison import CountQueryPanel
from anonymizer_gui.workspace.changes import Change
from anonymizer_gui.workspace.document import Document

SIMULATION_SEED = 7


class TaskComparisonTab(QWidget):
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
            tr(
                "Simulated: 4,000 made-up people, drawn with seed {seed}. Your table is not looked at.",
                seed=SIMULATION_SEED,
            )
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
            f"versus {task}",
            compare_ways,
            task,
            SIMULATION_SEED,
            then=self._on_compared,
            title=tr("Compare three ways"),
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
        self.chart.show_plot(TaskComparisonPlot(title, KS, epsilons, ways, found.best, best, y))


def _words() -> dict[str, tuple[str, str]]:
    """Name each task, and what is measured."""
    return {
        "clusters": (tr("Find three clusters"), tr("Loss (smaller is better)")),
        "classes": (tr("Learn who owns a home"), tr("Accuracy (larger is better)")),
        "queries": (tr("Count people by age and income"), tr("Error as a share of people (smaller is better)")),
    }


_FULL_COLOUR = 5


class SyntheticComparison(QTabWidget):
    """A tab for each kind of question about both tables; the first holds what is measured of all columns."""

    def __init__(self, document: Document, first: QWidget) -> None:
        super().__init__(documentMode=True)
        self.setObjectName("likeness_tabs")
        self.document = document
        self._both: Both | None = None
        self._domains: dict[str, ColumnDomain] = {}
        self.column, self.one, self.other, self.target = (
            name_widget(QComboBox(), f"likeness_{name}") for name in ("column", "rows", "columns_of", "target")
        )
        self.spread, self.heat, self.learning = (
            ChartPanel(document.drawing, f"likeness_{name}") for name in ("spread", "heat", "learning")
        )
        self.queries = CountQueryPanel()
        self.addTab(first, tr("Overview"))
        self.addTab(with_selectors(self.spread, (tr("Column"), self.column)), tr("Distributions"))
        self.addTab(with_selectors(self.heat, (tr("Rows"), self.one), (tr("Columns"), self.other)), tr("Two Columns"))
        self.addTab(self.queries, tr("Queries"))
        self.addTab(with_selectors(self.learning, (tr("Target"), self.target)), tr("Learning"))
        self.column.currentIndexChanged.connect(lambda _at: self._ask_spread())
        for box in (self.one, self.other):
            box.currentIndexChanged.connect(lambda _at: self._ask_together())
        self.target.currentIndexChanged.connect(lambda _at: self._ask_learning())
        self.queries.asked.connect(self._on_query)

    def show_tables(self, both: Both, domains: Sequence[ColumnDomain], target: str) -> None:
        """Offer the columns of a synthetic table, and compare those that are chosen."""
        is_other = self._both is None or self._both[1] is not both[1]
        self._both, self._domains = both, {domain.column: domain for domain in domains}
        names = list(self._domains)
        for box, place in ((self.column, 0), (self.one, 0), (self.other, len(names) - 1)):
            fill_combo(box, names, place)
        few = [name for name, domain in self._domains.items() if 2 <= len(domain.labels) <= 20]
        fill_combo(self.target, few, few.index(target) if target in few else len(few) - 1)
        self.queries.show_columns(names)
        for texts in self.queries.take_queries() if is_other else ():
            self._on_query(texts)
        self._ask_spread()
        self._ask_together()
        self._ask_learning()

    def _start(
        self, key: object, title: str, work: Callable[..., Any], *args: Any, then: Callable[[Any], None]
    ) -> None:
        self.document.jobs.start(title, work, self._both, *args, on_done=then, replace_key=("likeness", key))

    def _ask_spread(self) -> None:
        domain = self._domains.get(self.column.currentText())
        if domain is not None:
            self._start("spread", tr("Compare distributions"), compare_column, domain, then=self._on_spread)

    def _on_spread(self, found: ColumnComparison) -> None:
        series = {tr("original"): found.before, tr("synthetic table"): found.after}
        title = tr("“{column}” in the original and in the synthetic table", column=found.column)
        self.spread.show_plot(
            BarPlot(title, found.labels, series, x=found.column, y=tr("Share of the records"), shares=True)
        )

    def _ask_together(self) -> None:
        one, other = (self._domains.get(box.currentText()) for box in (self.one, self.other))
        if one is not None and other is not None:
            self._start("heat", tr("Compare two columns"), compare_pair, one, other, then=self._on_together)

    def _on_together(self, found: PairComparison) -> None:
        title = tr("Change of each share, in percentage points; the colour is full from {full} on", full=_FULL_COLOUR)
        x, y = self.other.currentText(), self.one.currentText()
        self.heat.show_plot(HeatmapPlot(title, found.rows, found.columns, found.change, x=x, y=y, full=_FULL_COLOUR))

    def _on_query(self, texts: dict[str, str]) -> None:
        asked = self._both

        def done(found: QueryComparison) -> None:
            if asked is self._both:
                self.queries.add_answer(texts, found.truth, found.estimate, found.error)

        self.document.jobs.start(
            tr("Ask both tables"), compare_query, self._both, texts, on_done=done,
            on_error=lambda error: self.queries.note.show_note("bad", error_text(error)),
            replace_key=("likeness query", tuple(texts.items())),
        )  # fmt: skip

    def _ask_learning(self) -> None:
        target = self.target.currentText()
        if target:
            self._start("learning", tr("Learn from both tables"), compare_models, list(self._domains.values()), target,
                        then=self._on_learned)  # fmt: skip

    def _on_learned(self, found: tuple[PlainEvaluation, PlainEvaluation] | None) -> None:
        if found is None:
            self.learning.show_plot(None)
            return
        has_area = all(each.area is not None for each in found)
        labels = [tr("Accuracy"), *(["AUC"] if has_area else [])]
        both = [[each.accuracy, *([each.area] if each.area is not None and has_area else [])] for each in found]
        series = {tr("learned from the original"): both[0], tr("learned from the synthetic table"): both[1]}
        title = tr(
            "“{column}” foretold for rows of the original that neither has seen", column=self.target.currentText()
        )
        self.learning.show_plot(BarPlot(title, labels, series, "", "", shares=True))


_MOST_PAIRS = 30


class SyntheticTab(QWidget):
    """Figures above, columns and pairs below."""

    def __init__(self, document: Document, go_to_plan: Any) -> None:
        super().__init__()
        self.document = document
        self.inside, self.figures = InlineMessage(), CardRow()
        self.columns = ChartPanel(document.drawing, "likeness_columns")
        self.pairs = ChartPanel(document.drawing, "likeness_pairs")
        self.empty = EmptyState(
            tr("No release with a synthetic table yet: add one to the plan and run it."), tr("Go to Plan"), go_to_plan,
            icon="utility",
        )  # fmt: skip
        self.inside.show_note(
            "warn",
            tr("Measured against your data without noise: for you only. Publish neither these numbers nor pictures."),
        )
        overview, shown = QWidget(), QWidget()
        inner = QVBoxLayout(overview)
        for widget, stretch in ((self.figures, 0), (self.columns, 1), (self.pairs, 2)):
            inner.addWidget(widget, stretch)
        self.tabs = SyntheticComparison(document, overview)
        layout = QVBoxLayout(shown)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.inside)
        layout.addWidget(self.tabs, 1)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(shown)

    def ask(self) -> None:
        """Measure the synthetic table of the chosen release."""
        release, table = self.document.selected, self.document.table
        made = next((each for each in (release.made if release is not None else ()) if each.table is not None), None)
        self._stack.setCurrentIndex(int(made is not None and table is not None))
        if made is not None and table is not None:
            domains, target = _asked(release, made)
            self.tabs.show_tables((table, made.table), domains, target)
            title = tr("Compare with the original")
            self.document.ask("likeness", _measured, release, made, table, then=self._on_measured, title=title)

    def _on_measured(self, found: SyntheticUtility) -> None:
        self.figures.show_figures(likeness_figures(found))
        if found.queries is not None:
            self.tabs.queries.random.setText(
                tr("Random counts are wrong by {share} of all rows on average.", share=format_percent(found.queries))
            )
        names = [name for name, _ in found.columns]
        self.columns.show_plot(
            BarPlot(tr("Rows that stand elsewhere, by column"), names,
                 {tr("synthetic table"): [distance for _, distance in found.columns]}, shares=True)
        )  # fmt: skip
        pairs = sorted(found.pairs, key=lambda pair: -pair.alone)[:_MOST_PAIRS]
        labels = [f"{pair.first} × {pair.second}" for pair in pairs]
        series = {
            tr("synthetic table"): [pair.distance for pair in pairs],
            tr("independent columns"): [pair.alone for pair in pairs],
        }
        self.pairs.show_plot(BarPlot(tr("Rows that stand elsewhere, by pair"), labels, series, shares=True))


def _asked(release: Release, made: ModelOutput) -> tuple[tuple[ColumnDomain, ...], str]:
    """Give the public values of a synthetic table, and the column that is foretold."""
    asked = release.project.questions[made.at]
    question = asked.question
    assert isinstance(question, Synthetic)
    return question.domains(release.project.public(asked)), question.target or question.columns()[-1]


def _measured(release: Release, made: ModelOutput, table: Table, progress: Progress) -> SyntheticUtility:
    assert made.table is not None
    return measure_utility(table, made.table, *_asked(release, made), progress)


def likeness_figures(found: SyntheticUtility) -> tuple[Figure, ...]:
    """Say how like the tables are, with what independent columns would give."""
    is_better = not found.pairs or found.double < found.alone
    words = tr("Independent columns: {alone}.", alone=format_percent(found.alone))
    figures = [
        Figure(
            "single", tr("Columns"), format_percent(found.single), tr("of rows stand elsewhere, on average"), "info"
        ),
        Figure("double", tr("Pairs of columns"), format_percent(found.double), words, "good" if is_better else "warn"),
    ]
    if found.queries is not None:
        figures.append(
            Figure(
                "queries", tr("Queries"), f"± {format_percent(found.queries)}", tr("of all rows, on average"), "info"
            )
        )
    if found.learned is not None:
        real, made = found.learned
        beside = tr("right guesses; learned from the original {real}.", real=format_percent(real.accuracy))
        figures.append(Figure("learned", tr("Learning"), format_percent(made.accuracy), beside, "info"))
    return tuple(figures)


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
        self.loss.show_plot(
            LossCurvePlot(title, epsilons, losses, float(self.epsilon.value), lines, x=tr("Epsilon"), y=y)
        )
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
        self.map.show_plot(ClusterPlot(title, points, before, after, seen.names[across], seen.names[up]))


_ROOM = "statistics"


class ModelsPage(Page):
    """Anonymise first or noise inside?, the synthetic table beside its original, and clusters seen ahead."""

    name = "models"
    title = "Models"
    order = 35
    icon = "compare"
    help = "statistics/models"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say what can be looked at."""
        if document.room != _ROOM or document.table is None:
            return StepStatus(StepState.EMPTY, tr("Open a table first."))
        return StepStatus(StepState.READY, tr("Anonymise first or noise inside?"))

    def _build(self) -> None:
        self.versus = TaskComparisonTab(self.document)
        self.likeness = SyntheticTab(self.document, lambda: self.go.emit("plan"))
        self.clusters = ClustersTab(self.document, lambda: self.go.emit("plan"))
        self.tabs = name_widget(QTabWidget(documentMode=True), "models_tabs")
        self.tabs.addTab(self.versus, tr("Anonymise first or noise inside?"))
        self.tabs.addTab(self.likeness, tr("Synthetic table"))
        self.tabs.addTab(self.clusters, tr("Clusters"))
        layout = QVBoxLayout(self)
        layout.addWidget(self.tabs, 1)

    def _connect(self) -> None:
        self.tabs.currentChanged.connect(lambda _at: self._ask())

    def _show(self, changed: frozenset[str]) -> None:
        if is_affected(changed, "table", "questions", Change.RELEASES, Change.RESULTS, "epsilon", "rows"):
            self._ask()

    def _ask(self) -> None:
        """Bring the tab that is shown up to date."""
        if self.document.room != _ROOM:
            return
        tab = self.tabs.currentWidget()
        if isinstance(tab, TaskComparisonTab | SyntheticTab | ClustersTab):
            tab.ask()
