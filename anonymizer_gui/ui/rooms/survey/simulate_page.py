"""The fourth step: any column through any protocol, many times, to see what privacy costs."""

import math
from fractions import Fraction

from PySide6.QtWidgets import (
    QGridLayout,
    QLabel,
    QPushButton,
    QSpinBox,
    QSplitter,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp.local.estimation import WIDTH95
from anonymizer_gui.engine.dp.local.protocol import PROTOCOLS
from anonymizer_gui.engine.rooms.survey.collection import BEST
from anonymizer_gui.engine.rooms.survey.simulation import SimulationPlan, SimulationResult, simulate_column
from anonymizer_gui.ui.i18n import error_text, format_integer, format_significant, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.rooms.survey.charts import ErrorCurvesPlot, EstimatePlot
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.combo_boxes import WidePopupComboBox
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.figure_cards import CardRow, Figure
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.ui.widgets.number_fields import EpsilonSlider
from anonymizer_gui.workspace.document import Document

_ROOM = "survey"
_NEAR_ONE = 0.2
_SHOWN_MEANS = 20


class SimulatePage(Page):
    """Truth and estimates at the left, local against central privacy at the right."""

    name = "simulate"
    title = "Simulate"
    order = 40
    icon = "eye"
    help = "survey/simulate"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say whether there is a table to play with."""
        if document.room != _ROOM or not isinstance(document.table, Table):
            return StepStatus(StepState.EMPTY, tr("Simulating needs a table with answers."))
        return StepStatus(StepState.READY, tr("Play a survey through"))

    def _build(self) -> None:
        self.column = name_widget(WidePopupComboBox(), "simulated_column", spoken=tr("Column"))
        self.protocol = name_widget(WidePopupComboBox(), "simulated_protocol", spoken=tr("Protocol"))
        self.epsilon = EpsilonSlider("simulated_epsilon", tr("Epsilon of an answer"))
        self.repeats = name_widget(QSpinBox(), "simulated_repeats", spoken=tr("Repetitions"))
        self.repeats.setRange(1, 1000)
        self.repeats.setValue(200)
        self.seed = name_widget(QSpinBox(), "simulated_seed", spoken=tr("Seed"))
        self.seed.setRange(0, 10**6)
        self.seed.setValue(1)
        self.run_button = name_widget(QPushButton(tr("Simulate"), default=True), "run_simulation")
        self.problem, self.figures = InlineMessage(), CardRow()
        self.about = name_widget(QLabel(wordWrap=True), "simulation_about")
        self.estimates = ChartPanel(self.document.drawing, "simulated_estimates")
        self.against = ChartPanel(self.document.drawing, "local_against_central")
        self.empty = EmptyState(
            tr("Simulating needs a table with answers."), tr("Open…"), lambda: self.do.emit("file.open"), icon="eye"
        )
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._laid_out())

    def _laid_out(self) -> QWidget:
        self.protocol.addItem(tr("The best one"), BEST)
        for kind in PROTOCOLS:
            self.protocol.addItem(tr(kind.title), kind.name)
        self.protocol.make_room()
        split = name_widget(QSplitter(childrenCollapsible=False), "simulate_splitter")
        for chart in (self.estimates, self.against):
            split.addWidget(chart)
            split.setStretchFactor(split.count() - 1, 1)
        whole_page = QWidget()
        layout = QVBoxLayout(whole_page)
        layout.addLayout(self._handles())
        for widget in (self.problem, split, self.about, self.figures):
            layout.addWidget(widget, int(widget is split))
        return whole_page

    def _handles(self) -> QGridLayout:
        grid = QGridLayout()
        for row, line in enumerate(((self.column, self.protocol), (self.repeats, self.seed))):
            for at, widget in enumerate(line):
                label = QLabel(widget.accessibleName())
                label.setBuddy(widget)
                grid.addWidget(label, row, 2 * at)
                grid.addWidget(widget, row, 2 * at + 1)
        grid.addWidget(self.run_button, 1, 4)
        # In a line of its own: beside the others it would not fit a small window.
        grid.addWidget(self.epsilon, 2, 0, 1, 6)
        grid.setColumnStretch(5, 1)
        grid.setHorizontalSpacing(self.fontMetrics().height())
        return grid

    def _connect(self) -> None:
        self.run_button.clicked.connect(self.simulate)
        for combo in (self.column, self.protocol):
            combo.activated.connect(lambda _at: self.simulate())
        self.epsilon.changed.connect(lambda _epsilon: self.simulate())

    def _show(self, changed: frozenset[str]) -> None:
        table = self.document.table
        is_ready = self.document.room == _ROOM and isinstance(table, Table)
        self._stack.setCurrentIndex(int(is_ready))
        if is_ready and isinstance(table, Table) and is_affected(changed, "table", "questions", "epsilon"):
            self._take_over(table)
            self.simulate()

    def _take_over(self, table: Table) -> None:
        """Begin with the first question of the survey, as it is asked."""
        project = self.document.project
        if [self.column.itemText(at) for at in range(self.column.count())] != list(table.names):
            self.column.clear()
            self.column.addItems(list(table.names))
            self.column.make_room()
        first = next((each for each in project.questions if each.name in table.names), None)
        if first is not None:
            self.column.setCurrentText(first.name)
            self.protocol.setCurrentIndex(max(self.protocol.findData(first.protocol), 0))
        self.epsilon.show_value(project.epsilon)

    def simulate(self) -> None:
        """Play the column through the protocol."""
        table = self.document.table
        if not isinstance(table, Table) or self.document.room != _ROOM or self.column.currentIndex() < 0:
            return
        project, name = self.document.project, self.column.currentText()
        game = SimulationPlan(
            name,
            self.protocol.currentData(),
            Fraction(self.epsilon.value),
            self.repeats.value(),
            self.seed.value(),
            next((each for each in project.questions if each.name == name), None),
            str(project.source.options.get("decimal", ".")) if project.source is not None else ".",
        )
        self.problem.show_note("bad", "")
        self.document.jobs.start(
            tr("Simulate a survey"),
            simulate_column,
            game,
            table,
            on_done=self._on_played,
            on_error=self._on_failed,
            replace_key="simulate",
        )

    def _on_failed(self, error: BaseException) -> None:
        if not isinstance(error, AnonymizerError):
            self.document.jobs.tell(error)
        self.problem.show_note("bad", error_text(error))
        self.estimates.show_plot(None)
        self.against.show_plot(None)
        self.figures.show_figures(())

    def _on_played(self, played: SimulationResult) -> None:
        found = played.simulation
        self.estimates.show_plot(_counts_of(played) if played.values else _means_of(played))
        local, central = tr("Local: nobody is told"), tr("Central: one is told all, noise is added once")
        curves = {
            local: [(float(n), error) for n, error, _ in played.against],
            central: [(float(n), error) for n, _, error in played.against],
        }
        words = tr("Local against central privacy at the same epsilon")
        y = tr("Error of a share") if played.values else tr("Error of the mean, of its range")
        self.against.show_plot(ErrorCurvesPlot(words, curves, float(found.n), x=tr("Answers"), y=y))
        self.about.setText(_about(played))
        self.figures.show_figures(_figures(played))


def _counts_of(played: SimulationResult) -> EstimatePlot:
    """Draw the counts of the first repetition, the truth beside them, and what the reports say without thinking."""
    found = played.simulation
    beside = {tr("True"): found.true.tolist()}
    if played.protocol.startswith(("rr", "grr")):
        beside[tr("As told, before the chances are taken out")] = found.told.tolist()
    title = tr("First of {times:repetition|repetitions}", times=len(found.estimates))
    errors = [WIDTH95 * math.sqrt(variance) for variance in found.theory.tolist()]
    return EstimatePlot(title, played.values, found.estimates[0].tolist(), errors, beside, y=tr("people"))


def _means_of(played: SimulationResult) -> EstimatePlot:
    """Draw the mean of the first repetitions, each with its interval: 19 in 20 hold the truth."""
    found, question = played.simulation, played.question
    shown, reach = min(len(found.estimates), _SHOWN_MEANS), question.high - question.low
    means = [question.low + reach * mean for mean in found.estimates[:shown, 0].tolist()]
    error = WIDTH95 * reach * math.sqrt(float(found.theory[0]))
    true = question.low + reach * float(found.true[0])
    title = tr("Mean in the first {shown} of {times:repetition|repetitions}", shown=shown, times=len(found.estimates))
    labels, beside = [format_integer(at + 1) for at in range(shown)], {tr("True"): [true] * shown}
    return EstimatePlot(title, labels, means, [error] * shown, beside, y=question.name, from_zero=False)


def _about(played: SimulationResult) -> str:
    question, found = played.question, played.simulation
    told = tr("Simulated with seed {seed} from {rows:row|rows}; nothing of it leaves.", seed=played.seed, rows=found.n)
    if question.values:
        return told
    bounds = {"low": format_significant(question.low, 6), "high": format_significant(question.high, 6)}
    return f"{told} {tr('Numbers lie between {low} and {high}.', **bounds)}"


def _figures(played: SimulationResult) -> tuple[Figure, ...]:
    found = played.simulation
    tone = "good" if abs(found.ratio - 1) < _NEAR_ONE else "warn"
    variance = tr(
        "of the variance that the formula tells, over {times:repetition|repetitions}.", times=len(found.estimates)
    )
    bias = tr("standard errors is the largest bias of a value; beyond 4 would be suspicious.")
    price = tr("times the error of noise that is added once: the price of not being told.")
    return (
        Figure("variance", tr("Measured variance"), f"× {format_significant(found.ratio, 3)}", variance, tone),
        Figure("bias", tr("Largest bias"), format_significant(float(abs(found.bias).max()), 2), bias, "info"),
        Figure("price", tr("Price of local privacy"), f"× {format_significant(played.price, 2)}", price, "info"),
    )
