"""The attack bench: what exact answers about a made-up table give away, and what noise keeps."""

from PySide6.QtWidgets import QLabel, QTabWidget, QVBoxLayout, QWidget

from anonymizer_gui.engine.rooms.statistics.benches.reconstruction_attack import (
    QUESTIONS,
    SALARIES,
    DifferencingResult,
    ReconstructionResult,
    averages,
    demonstrate_differencing,
    demonstrate_reconstruction,
    reconstruction_accuracy,
)
from anonymizer_gui.ui.i18n import format_integer, format_percent, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.rooms.statistics.charts import AttackerBeliefPlot, ErrorCurvePlot
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.figure_cards import CardRow, Figure
from anonymizer_gui.ui.widgets.number_fields import EpsilonSlider
from anonymizer_gui.workspace.document import Document

_ROOM = "statistics"
_SEED = 7
_MANY_RIGHT = 0.9
_NEAR, _OFTEN = 1000, 0.2
"""A guess that comes as near to a salary is as good as the salary."""


class AttackPage(Page):
    """Differencing on one tab, reconstruction on the other; epsilon is the slider of both."""

    name = "bench"
    title = "Attack Bench"
    order = 40
    icon = "risk"
    help = "statistics/bench"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say what can be tried."""
        if document.room != _ROOM or document.table is None:
            return StepStatus(StepState.EMPTY, tr("Open a table first."))
        return StepStatus(StepState.READY, tr("Try what exact answers give away"))

    def _build(self) -> None:
        self._curve: tuple[tuple[float, float], ...] = ()
        self.epsilon = EpsilonSlider("bench_epsilon", tr("Epsilon of all questions together"))
        self.differencing_words = name_widget(QLabel(wordWrap=True), "differencing_words")
        self.reconstruction_words = name_widget(QLabel(wordWrap=True), "reconstruction_words")
        self.differencing_figures, self.reconstruction_figures = CardRow(), CardRow()
        self.differencing_chart = ChartPanel(self.document.drawing, "differencing_chart")
        self.reconstruction_chart = ChartPanel(self.document.drawing, "reconstruction_chart")
        self.tabs = name_widget(QTabWidget(documentMode=True), "bench_tabs")
        self.tabs.addTab(
            _tab(self.differencing_words, self.differencing_chart, self.differencing_figures), tr("Differencing")
        )
        self.tabs.addTab(
            _tab(self.reconstruction_words, self.reconstruction_chart, self.reconstruction_figures),
            tr("Reconstruction"),
        )
        about = tr("A small made-up table is attacked here, never yours; everything is simulated.")
        layout = QVBoxLayout(self)
        layout.addWidget(QLabel(about, wordWrap=True))
        layout.addWidget(self.epsilon)
        layout.addWidget(self.tabs, 1)

    def _connect(self) -> None:
        self.epsilon.changed.connect(lambda _epsilon: self._ask())

    def _show(self, changed: frozenset[str]) -> None:
        if self.document.room == _ROOM and is_affected(changed, "table", "epsilon"):
            self.epsilon.show_value(self.document.project.epsilon)
        if is_affected(changed, "table", "epsilon"):
            self._ask()

    def _ask(self) -> None:
        jobs, epsilon, title = self.document.jobs, self.epsilon.value, tr("Attack a made-up table")
        for attack, then in (
            (demonstrate_differencing, self._on_differencing),
            (demonstrate_reconstruction, self._on_reconstruction),
        ):
            jobs.start(title, attack, epsilon, _SEED, on_done=then, replace_key=f"bench {attack.__name__}")
        self.document.ask("shares right", reconstruction_accuracy, _SEED, then=self._on_curve, title=title)

    def _on_differencing(self, found: DifferencingResult) -> None:
        everybody, rest = averages()
        self.differencing_words.setText(
            tr(
                "{people} people earn {mean} on average; without one of them the others earn {rest}. Exact averages "
                "give {revealed}: the very salary of that person.",
                people=len(SALARIES),
                mean=format_integer(everybody),
                rest=format_integer(rest),
                revealed=format_integer(found.from_exact),
            )
        )
        words = {"guess": tr("guess from noisy averages"), "truth": tr("the salary"), "release": tr("Release")}
        title = tr("What the same two averages say under the plan")
        guesses = tuple(map(float, found.from_noisy))
        self.differencing_chart.show_plot(AttackerBeliefPlot(title, guesses, found.truth, words, tr("Salary")))
        near, tone = format_percent(found.share_near(_NEAR), 0), "bad" if found.share_near(_NEAR) > _OFTEN else "good"
        exact_words = tr("From two exact averages, to the unit.")
        near_words = tr("of the guesses come within {near} of the salary.", near=format_integer(_NEAR))
        self.differencing_figures.show_figures(
            (
                Figure("exact", tr("Without noise"), format_integer(found.from_exact), exact_words, "bad"),
                Figure("noisy", tr("Under the plan"), near, near_words, tone),
            )
        )

    def _on_reconstruction(self, found: ReconstructionResult) -> None:
        people = len(found.secret)
        self.reconstruction_words.setText(
            tr(
                "{people} people have a secret, yes or no. Somebody asks for the counts of "
                "{questions:random group|random groups} and solves for all secrets at once.",
                people=people,
                questions=QUESTIONS,
            )
        )
        tone = "bad" if found.share >= _MANY_RIGHT else "good"
        right = round(found.share * people)
        words = tr("{right} of {people} secrets come out right; half would by chance.", right=right, people=people)
        noise = tr("in 95 of 100 counts, when all share epsilon.")
        self.reconstruction_figures.show_figures(
            (
                Figure("right", tr("Reconstructed"), format_percent(found.share, 0), words, tone),
                Figure("noise", tr("Error of a count"), f"± {format_integer(found.error95)}", noise, "info"),
            )
        )
        self._draw_curve()

    def _on_curve(self, curve: tuple[tuple[float, float], ...]) -> None:
        self._curve = curve
        self._draw_curve()

    def _draw_curve(self) -> None:
        """Show the share of right guesses over epsilon, with a line at the epsilon of the slider."""
        if self._curve:
            epsilons = [epsilon for epsilon, _ in self._curve]
            self.reconstruction_chart.show_plot(
                ErrorCurvePlot(
                    tr("Secrets that come out right, by epsilon"),
                    epsilons,
                    [share for _, share in self._curve],
                    float(self.epsilon.value),
                    None,
                    x=tr("Epsilon"),
                    y=tr("Share"),
                )
            )


def _tab(words: QLabel, chart: ChartPanel, figures: CardRow) -> QWidget:
    tab = QWidget()
    layout = QVBoxLayout(tab)
    layout.addWidget(words)
    layout.addWidget(chart, 1)
    layout.addWidget(figures)
    return tab
