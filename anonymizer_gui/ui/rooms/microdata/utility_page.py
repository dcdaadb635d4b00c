"""Utility page."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QSplitter, QStackedLayout, QTabWidget, QVBoxLayout, QWidget

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.data.tables.table import Role, Table
from anonymizer_gui.engine.rooms.microdata.masking.effects import masking_effects
from anonymizer_gui.engine.rooms.microdata.masking.steps import is_masked
from anonymizer_gui.engine.rooms.microdata.release.output_format import untruthful_output_columns
from anonymizer_gui.engine.rooms.microdata.release.release import Release, compare_release, compare_with_source
from anonymizer_gui.engine.rooms.microdata.thresholds import GOOD_LOSS
from anonymizer_gui.engine.rooms.microdata.utility.contract import (
    METRICS,
    Comparison,
    Metric,
    MetricResult,
    measure_utility,
)
from anonymizer_gui.engine.rooms.microdata.utility.distributions import (
    Distribution,
    JointChange,
    column_distribution,
    column_distributions,
    joint_change,
)
from anonymizer_gui.engine.rooms.microdata.utility.query_error import CountQuery, QueryAnswer, ask_texts
from anonymizer_gui.engine.rooms.microdata.views.search_trace import loss_bound_of_release
from anonymizer_gui.ui.charts.plots import BarPlot, HeatmapPlot, SmallMultiplesPlot, SmallPlot
from anonymizer_gui.ui.i18n import error_text, format_integer, format_percent, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.release.release_history import ReleaseSelector
from anonymizer_gui.ui.rooms.microdata.release_texts import MicrodataDocument
from anonymizer_gui.ui.rooms.microdata.utility_tables import (
    ColumnSummaryTable,
    LearningPanel,
    MaskingEffectTable,
    UtilityMeasureTable,
    summary_pair,
)
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.combo_boxes import fill_combo
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.layout import with_selectors
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.ui.widgets.table_comparison import CountQueryPanel
from anonymizer_gui.workspace.changes import Change
from anonymizer_gui.workspace.document import Document
from anonymizer_gui.workspace.jobs import Work

UtilityResults = Mapping[str, MetricResult | AnonymizerError]


def utility_summary(release: Release, results: UtilityResults) -> tuple[str, ...]:
    """Say what was measured; what could not be measured is left out."""
    return tuple(filter(None, (_detail(release), _counts(results), _missing(release, results))))


def distance_to_optimum_text(release: Release, least: float | None) -> str:
    """Say how far the loss is from what cannot be avoided; nothing where no bound was proven."""
    lm = release.measured.lm
    if lm is None or least is None:
        return ""
    return tr(
        "It loses {lm}; it is proven that no recoding with these hierarchies and goals loses less than {least}.",
        lm=format_percent(lm),
        least=format_percent(least),
    )


def _detail(release: Release) -> str:
    losses = {name: loss for name, loss in release.measured.loss.lm_columns.items() if loss is not None}
    lm = release.measured.lm
    if lm is None or not losses:
        return ""
    most, least = max(losses, key=lambda name: losses[name]), min(losses, key=lambda name: losses[name])
    if len(losses) == 1:
        return tr(
            "A cell of “{column}” keeps {kept} of its detail on average.", column=most, kept=format_percent(1 - lm, 0)
        )
    return tr(
        "A cell keeps {kept} of its detail on average; “{most}” loses most ({most_loss}), “{least}” least "
        "({least_loss}).",
        kept=format_percent(1 - lm, 0),
        most=most,
        most_loss=format_percent(losses[most], 0),
        least=least,
        least_loss=format_percent(losses[least], 0),
    )


def _counts(results: UtilityResults) -> str:
    found = results.get("query-error")
    if not isinstance(found, MetricResult) or not found.details.get("queries"):
        return ""
    return tr(
        "A count asked of the release is typically wrong by {error}; one in twenty is wrong by more than {most}.",
        error=format_percent(found.value, 0),
        most=format_percent(found.details["p95"], 0),
    )


def _missing(release: Release, results: UtilityResults) -> str:
    rows = release.measured.rows + release.measured.suppressed
    left_out = tr(
        "{count} of {rows:row is|rows are} left out.",
        count=format_integer(release.suppressed),
        rows=format_integer(rows),
    )
    found = results.get("contingency")
    if not isinstance(found, MetricResult) or found.value != found.value:
        return left_out
    return tr(
        "{left_out} Tables of two columns against each other agree with the original in {share} of the rows.",
        left_out=left_out,
        share=format_percent(1 - found.value, 0),
    )


_MOST_VALUES, _MOST_IN_HEAT, _MOST_PANELS = 40, 12, 24

_FULL_COLOUR = 5
"""Percentage points from which on a change is shown in full colour: less is less."""

_LARGER = 1.15


class UtilityPage(Page):
    """A tab for each kind of question."""

    document: MicrodataDocument
    name = "utility"
    title = "Utility"
    order = 60
    icon = "utility"
    help = "microdata/utility"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say how much the selected release loses; green as far as the figure of the loss is."""
        release = document.selected
        if release is None:
            return StepStatus(StepState.EMPTY, tr("Run an algorithm first"))
        if document.finished.is_stale(release):
            return StepStatus(StepState.STALE, tr("Settings changed since the run"))
        lm = release.measured.lm
        if lm is None:
            return StepStatus(StepState.READY, tr("Loss {lm}", lm="–"))
        return StepStatus(
            StepState.DONE if lm <= GOOD_LOSS else StepState.WARNING, tr("Loss {lm}", lm=format_percent(lm))
        )

    def _build(self) -> None:
        drawing = self.document.drawing
        self._comparison: Comparison | None = None
        self._truth: Comparison | None = None
        self._published: Table | None = None
        self.sentences = name_widget(QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText), "utility_sentences")
        self.distance = name_widget(QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText), "utility_distance")
        self.all_columns = ChartPanel(drawing, "all_columns_chart")
        self.metrics, self.loss = UtilityMeasureTable(), ChartPanel(drawing, "loss_chart")
        self.column, self.spread = name_widget(QComboBox(), "spread_column"), ChartPanel(drawing, "spread_chart")
        self.one, self.other = name_widget(QComboBox(), "heat_rows"), name_widget(QComboBox(), "heat_columns")
        self.heat = ChartPanel(drawing, "heat_chart")
        self.queries, self.learning, self.stale = (
            CountQueryPanel(),
            LearningPanel(self.document.drawing),
            InlineMessage(),
        )
        self.chooser, self.summary, self.masks = (
            ReleaseSelector(self.document),
            ColumnSummaryTable(),
            MaskingEffectTable(),
        )
        self.empty = EmptyState(
            tr("No release yet: run an algorithm first."),
            tr("Go to Protect"),
            lambda: self.go.emit("protect"),
            icon="utility",
        )
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._laid_out())

    def _laid_out(self) -> QWidget:
        first = name_widget(QSplitter(childrenCollapsible=False), "utility_splitter")
        first.addWidget(self.metrics)
        first.addWidget(self.loss)
        first.setStretchFactor(0, 2)
        first.setStretchFactor(1, 1)
        self.tabs = name_widget(QTabWidget(documentMode=True), "utility_tabs")
        self.tabs.addTab(self._overview(), tr("Overview"))
        self.tabs.addTab(first, tr("Measures"))
        self._spread_tab = with_selectors(self.spread, (tr("Column"), self.column))
        self.tabs.addTab(self._spread_tab, tr("Distributions"))
        two = with_selectors(self.heat, (tr("Rows"), self.one), (tr("Columns"), self.other))
        self.tabs.addTab(two, tr("Two Columns"))
        self.tabs.addTab(self.summary, tr("Summary"))
        self.tabs.addTab(self.masks, tr("Masks"))
        self.tabs.addTab(self.queries, tr("Queries"))
        self.tabs.addTab(self.learning, tr("Learning"))
        whole = QWidget()
        layout = QVBoxLayout(whole)
        layout.addWidget(self.chooser)
        layout.addWidget(self.stale)
        layout.addWidget(self.tabs, 1)
        return whole

    def _overview(self) -> QWidget:
        font = self.sentences.font()
        font.setPointSizeF(font.pointSizeF() * _LARGER)
        for label in (self.sentences, self.distance):
            label.setFont(font)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        overview = QWidget()
        layout = QVBoxLayout(overview)
        layout.addWidget(self.sentences)
        layout.addWidget(self.distance)
        layout.addWidget(self.all_columns, 1)
        return overview

    def _connect(self) -> None:
        self.all_columns.chart.clicked.connect(self._on_panel)
        self.column.currentIndexChanged.connect(lambda _place: self._ask_spread())
        for box in (self.one, self.other):
            box.currentIndexChanged.connect(lambda _place: self._ask_heat())
        self.queries.asked.connect(self._on_query)
        self.learning.wanted.connect(self._on_learn)

    def _show(self, changed: frozenset[str]) -> None:
        release = self.document.selected
        self._stack.setCurrentIndex(int(release is not None))
        if release is None:
            self._comparison = self._truth = None
            return
        self.chooser.show_document()
        text = tr("The settings have changed since this run; what you see is of “{name}”.", name=release.name)
        self.stale.show_note("warn", text if self.document.finished.is_stale(release) else "")
        if is_affected(changed, Change.RESULTS, Change.RELEASES, "table"):
            self._show_release()

    def _show_release(self) -> None:
        release, table = self.document.selected, self.document.table
        if release is None or table is None:
            return
        is_other = self._published is not release.table
        self._published, self._comparison = release.table, compare_release(release, table)
        self._truth = compare_with_source(release, table)
        schema = release.project.schema
        names = [*schema.names(Role.QI), *schema.names(Role.SA)]
        for box, place in ((self.column, 0), (self.one, 0), (self.other, len(names) - 1)):
            fill_combo(box, names, place)
        self.queries.show_columns(names)
        self.learning.show_columns(names)
        if is_other:
            self._forget_answers()
        losses = {name: loss for name, loss in release.measured.loss.lm_columns.items() if loss is not None}
        self.loss.show_plot(
            BarPlot(
                tr("Loss (LM) per column"),
                list(losses),
                {"LM": list(losses.values())},
                "LM",
                sideways=True,
                shares=True,
            )
        )
        self.metrics.show_results({})
        self.sentences.setText("\n".join(utility_summary(release, {})))
        metrics = tuple(declared() for declared in METRICS if not declared.takes_long)
        self._start(tr("Measure the utility"), measure_utility, metrics, then=self._on_metrics, key="utility")
        self._ask_summary(release, table)
        self._ask_distance(release, table)
        self._ask_all(names)
        self._ask_spread()
        self._ask_heat()

    def _forget_answers(self) -> None:
        """Nothing found about another release stays; the same questions are asked of this one."""
        self.learning.forget()
        for texts in self.queries.take_queries():
            self._on_query(texts)

    def _start(self, title: str, work: Work, *args: object, then: Callable[..., None], key: str) -> None:
        """Have something computed about the comparison, which comes last of the arguments for measures."""
        self.document.jobs.start(
            title,
            work,
            *args,
            self._comparison,
            on_done=then,
            replace_key=key,
        )

    def _ask_summary(self, release: Release, table: Table) -> None:
        start, both = self.document.jobs.start, (release, table)
        start(tr("Sum up the columns"), summary_pair, *both, on_done=self.summary.show_summaries, replace_key="sums")
        start(tr("Look at the masks"), masking_effects, *both, on_done=self.masks.show_masks, replace_key="masks")

    def _ask_distance(self, release: Release, table: Table) -> None:
        self.distance.hide()
        self.document.jobs.start(
            tr("Prove how little can be lost"),
            loss_bound_of_release,
            release,
            table,
            self.document.population,
            on_done=lambda least: self._on_distance(release, least),
            replace_key="how far",
        )

    def _on_distance(self, release: Release, least: float | None) -> None:
        if release is self.document.selected:
            self.distance.setText(distance_to_optimum_text(release, least))
            self.distance.setVisible(bool(self.distance.text()))

    def _ask_all(self, names: list[str]) -> None:
        shown = tuple(names[:_MOST_PANELS])
        self.document.jobs.start(
            tr("Compare distributions"),
            column_distributions,
            self._truth,
            shown,
            on_done=self._on_all,
            replace_key="all columns",
        )

    def _on_all(self, found: tuple[Distribution, ...]) -> None:
        release = self.document.selected
        if release is None:
            return
        losses = release.measured.loss.lm_columns
        panels = [
            SmallPlot(
                each.column,
                _remark(release, each.column, losses.get(each.column)),
                each.labels,
                each.before,
                each.after,
            )
            for each in found
        ]
        title = tr("Every column in the original and as the release tells it")
        if self.column.count() > len(found):
            title = tr("The first {count:column|columns} in the original and as the release tells it", count=len(found))
        self.all_columns.show_plot(SmallMultiplesPlot(title, panels, (tr("original"), tr("release"))))

    def _on_panel(self, number: int) -> None:
        """Show the column of a small chart large."""
        plot = self.all_columns.chart.plot
        if isinstance(plot, SmallMultiplesPlot):
            self.column.setCurrentText(plot.panels[number].name)
            self.tabs.setCurrentWidget(self._spread_tab)

    def _ask_spread(self) -> None:
        name = self.column.currentText()
        if self._truth is not None and name:
            self.document.jobs.start(
                tr("Compare distributions"),
                column_distribution,
                self._truth,
                name,
                _MOST_VALUES,
                on_done=self._on_spread,
                replace_key="spread",
            )

    def _ask_heat(self) -> None:
        one, other = self.one.currentText(), self.other.currentText()
        if self._truth is not None and one and other:
            self.document.jobs.start(
                tr("Compare two columns"),
                joint_change,
                self._truth,
                one,
                other,
                _MOST_IN_HEAT,
                on_done=self._on_heat,
                replace_key="heat",
            )

    def _on_metrics(self, results: UtilityResults) -> None:
        self.metrics.show_results(results)
        if self.document.selected is not None:
            self.sentences.setText("\n".join(utility_summary(self.document.selected, results)))
        found = results.get("query-error")
        if isinstance(found, MetricResult) and found.details.get("queries"):
            self.queries.random.setText(
                tr(
                    "Of {n:random count|random counts}, half are wrong by more than {median}, "
                    "one in twenty by more than {p95}.",
                    n=found.details["queries"],
                    median=format_percent(found.value),
                    p95=format_percent(found.details["p95"]),
                )
            )

    def _on_spread(self, found: Distribution) -> None:
        series = {tr("original"): found.before, tr("release"): found.after}
        title = tr("“{column}” in the original and as the release tells it", column=found.column)
        self.spread.show_plot(BarPlot(title, found.labels, series, x=found.column, y=tr("Share of the records")))

    def _on_heat(self, found: JointChange) -> None:
        title = tr("Change of each share, in percentage points; the colour is full from {full} on", full=_FULL_COLOUR)
        x, y = self.other.currentText(), self.one.currentText()
        self.heat.show_plot(HeatmapPlot(title, found.rows, found.columns, found.change, x=x, y=y, full=_FULL_COLOUR))

    def _on_query(self, texts: dict[str, str]) -> None:
        if self._truth is None:
            return

        asked = self._published

        def done(found: tuple[QueryAnswer, CountQuery]) -> None:
            if asked is self._published:
                answer = found[0]
                self.queries.add_answer(texts, answer.truth, answer.estimate, answer.relative_error)

        def failed(error: BaseException) -> None:
            self.queries.note.show_note("bad", error_text(error))

        self.document.jobs.start(
            tr("Ask both tables"),
            ask_texts,
            self._truth,
            texts,
            on_done=done,
            on_error=failed,
            replace_key=("query", tuple(texts.items())),
        )

    def _on_learn(self, metric: Metric) -> None:
        asked = self._published

        def done(results: UtilityResults) -> None:
            if asked is self._published:
                self.learning.show_result(results[metric.name])

        self.learning.show_waiting()
        self._start(
            tr("Learn from both tables"),
            measure_utility,
            (metric,),
            then=done,
            key="learning",
        )


def _remark(release: Release, column: str, loss: float | None) -> str:
    """Say what became of a column; one that steps have changed is not called unchanged."""
    if loss is not None:
        return tr("loss {lm}", lm=format_percent(loss, 0))
    if column in untruthful_output_columns(release.project):
        return tr("masked, not truthful")
    return tr("masked") if is_masked(release.project.source, column) else tr("unchanged")
