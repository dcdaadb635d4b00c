"""Possible releases on simulated numbers, epsilon against error."""

from dataclasses import dataclass, replace
from fractions import Fraction

from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QSplitter, QStackedLayout, QVBoxLayout, QWidget

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.params import Float
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.dp.accountant import posterior_odds
from anonymizer_gui.engine.rooms.statistics.benches.simulated_releases import simulate_question
from anonymizer_gui.engine.rooms.statistics.cost_preview import (
    QuestionPreview,
    epsilon_for_error,
    error_curve,
    preview_questions,
)
from anonymizer_gui.engine.rooms.statistics.project import PlannedQuestion, Project
from anonymizer_gui.engine.rooms.statistics.question import AnswerValue
from anonymizer_gui.ui.i18n import error_text, format_integer, format_percent, format_significant, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.rooms.statistics.charts import ErrorCurvePlot, PossibleReleasesPlot
from anonymizer_gui.ui.rooms.statistics.plan_table import plan_columns
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.combo_boxes import WidePopupComboBox
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.figure_cards import CardRow, Figure
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.ui.widgets.number_fields import AmountField, EpsilonSlider
from anonymizer_gui.workspace.document import Document

SIMULATED_RELEASES = 30

_EPSILONS = tuple(Fraction(n) * Fraction(10) ** power for power in (-2, -1, 0, 1) for n in (1, 2, 3, 5, 7))


@dataclass(frozen=True, slots=True)
class PreviewResult:
    """Numbers for the charts; of a choice 1 stands for a candidate that is chosen, 0 for the others."""

    labels: tuple[str, ...]
    truth: tuple[float, ...]
    draws: tuple[tuple[float, ...], ...]
    chooses: bool
    epsilons: tuple[float, ...]
    errors: tuple[float, ...]
    error: float | None
    in_unit: str
    rows: int
    seed: int


def simulate_release(
    asked: PlannedQuestion, project: Project, epsilon: Fraction, seed: int, progress: Progress
) -> PreviewResult:
    """Draw possible releases and compute the errors, from the plan alone: the table is not even given."""
    progress(0.0, "Drawing possible releases")
    preview = simulate_question(asked, project, epsilon, seed=seed, releases=SIMULATED_RELEASES)
    progress(0.5, "Computing errors")
    *errors, error = error_curve(asked, project, (*_EPSILONS, epsilon))
    known = [(float(at), found) for at, found in zip(_EPSILONS, errors, strict=True) if found is not None]
    every = _labels(preview.labels, preview.truth)
    labels = tuple(label for label in every if label.endswith(asked.question.charted))
    return PreviewResult(
        labels,
        _numbers(preview.truth, labels),
        tuple(_numbers(told, labels) for told in preview.draws),
        isinstance(preview.truth.value, str | tuple),
        tuple(at for at, _ in known),
        tuple(found for _, found in known),
        error,
        asked.question.in_unit(),
        preview.rows,
        seed,
    )


def _labels(labels: tuple[str, ...], truth: AnswerValue) -> tuple[str, ...]:
    if isinstance(truth.value, int | float):
        return ("",)
    return tuple(label for label, _ in truth.values) if truth.values and truth.value is None else labels


def _numbers(told: AnswerValue, labels: tuple[str, ...]) -> tuple[float, ...]:
    """Give a number for each label."""
    if isinstance(told.value, str | tuple):
        chosen = {told.value} if isinstance(told.value, str) else set(told.value)
        return tuple(float(label in chosen) for label in labels)
    if told.value is not None:
        return (float(told.value),)
    found = dict(told.values)
    return tuple(float(found.get(label, 0)) for label in labels)


_ROOM = "statistics"

_HIGH, _LOW = Fraction(5), Fraction(1, 5)

_FIRST_SEED = 1


class PreviewPage(Page):
    """Possible releases at the left, error against epsilon with two handles at the right, the odds above."""

    name = "preview"
    title = "Preview"
    order = 30
    icon = "eye"
    help = "statistics/preview"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say whether there is a question to look ahead at."""
        if document.room != _ROOM or document.table is None or not document.project.questions:
            return StepStatus(StepState.EMPTY, tr("Ask something first."))
        return StepStatus(StepState.READY, tr("Possible releases on simulated numbers"))

    def _build(self) -> None:
        self._seed = _FIRST_SEED
        self._asked: PlannedQuestion | None = None
        self.question = name_widget(WidePopupComboBox(), "preview_question", spoken=tr("Question"))
        self.figures, self.problem = CardRow(), InlineMessage()
        self.about = name_widget(QLabel(wordWrap=True), "simulated")
        self.epsilon = EpsilonSlider("preview_epsilon")
        self.error = name_widget(AmountField(Float(low=0, above=True)), "error_wanted", spoken=tr("95% error wanted"))
        self.use_button = name_widget(QPushButton(tr("Use for This Question")), "use_epsilon")
        self.use_button.setToolTip(tr("Lock this epsilon in the plan"))
        self.again_button = name_widget(QPushButton(tr("Draw Again")), "draw_again")
        self.again_button.setToolTip(tr("Draw other possible releases"))
        self.releases = ChartPanel(self.document.drawing, "possible_releases")
        self.curve = ChartPanel(self.document.drawing, "error_curve")
        self.empty = EmptyState(tr("Ask something first."), tr("Go to Plan"), lambda: self.go.emit("plan"), icon="eye")
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._laid_out())

    def _laid_out(self) -> QWidget:
        split = name_widget(QSplitter(childrenCollapsible=False), "preview_splitter")
        for chart in (self.releases, self.curve):
            split.addWidget(chart)
            split.setStretchFactor(split.count() - 1, 1)
        whole = QWidget()
        layout = QVBoxLayout(whole)
        layout.addLayout(self._handles())
        layout.addWidget(self.problem)
        layout.addWidget(split, 1)
        layout.addWidget(self.about)
        layout.addWidget(self.figures)
        return whole

    def _handles(self) -> QGridLayout:
        grid = QGridLayout()
        for row, (widget, button) in enumerate(((self.question, self.again_button), (self.error, self.use_button))):
            label = QLabel(widget.accessibleName())
            label.setBuddy(widget)
            grid.addWidget(label, row, 0)
            grid.addWidget(widget, row, 1)
            grid.addWidget(button, row, 3)
        grid.addWidget(self.epsilon, 0, 2, 2, 1)
        grid.setColumnStretch(2, 1)
        grid.setHorizontalSpacing(self.fontMetrics().height())
        return grid

    def _connect(self) -> None:
        self.question.activated.connect(lambda _at: self._choose())
        self.epsilon.changed.connect(lambda _epsilon: self._ask())
        self.error.chosen.connect(self._on_error_wanted)
        self.use_button.clicked.connect(self._on_use)
        self.again_button.clicked.connect(self._on_again)

    def _show(self, changed: frozenset[str]) -> None:
        project = self.document.project
        is_ready = self.document.room == _ROOM and self.document.table is not None and bool(project.questions)
        self._stack.setCurrentIndex(int(is_ready))
        if is_ready and is_affected(changed, "table", "questions", "hierarchies", "unit", "policy", "epsilon", "delta",
                                 "rows", "ratio"):  # fmt: skip
            self._show_questions()

    def _show_questions(self) -> None:
        at = max(self.question.currentIndex(), 0)
        self._seen = preview_questions(self.document.project, plan_columns(self.document))
        self.question.clear()
        for seen in self._seen:
            self.question.addItem(seen.ask)
        self.question.setCurrentIndex(min(at, len(self._seen) - 1))
        self.question.make_room()
        self._choose()

    def _choose(self) -> None:
        """Look at another question, with the epsilon the plan gives it."""
        at = self.question.currentIndex()
        seen: QuestionPreview = self._seen[at]
        self._asked = self.document.project.questions[at]
        self.problem.show_note("bad", error_text(seen.problem) if seen.problem is not None else "")
        if seen.problem is None and seen.epsilon:
            self.epsilon.show_value(seen.epsilon)
        self._ask()

    def _ask(self) -> None:
        """Have possible releases drawn and the curve computed; both know the plan only, never the table."""
        if self._asked is None or self.problem.label.text():
            for chart in (self.releases, self.curve):
                chart.show_plot(None)
            self.figures.show_figures(())
            return
        self.document.jobs.start(
            tr("Draw possible releases"),
            simulate_release,
            self._asked,
            self.document.project,
            self.epsilon.value,
            self._seed,
            on_done=self._on_seen,
            on_error=self._on_failed,
            replace_key="preview",
        )

    def _on_seen(self, seen: PreviewResult) -> None:
        unit = tr(seen.in_unit)
        self.releases.show_plot(
            PossibleReleasesPlot(
                tr("{releases:possible release|possible releases}", releases=len(seen.draws)),
                seen.labels,
                seen.truth,
                seen.draws,
                y=tr("chosen") if seen.chooses else unit,
            )
        )
        self.curve.show_plot(
            ErrorCurvePlot(
                tr("Error against epsilon"),
                seen.epsilons,
                seen.errors,
                float(self.epsilon.value),
                seen.error,
                x=tr("Epsilon"),
                y=tr("95% error ({unit})", unit=unit),
            )
        )
        self.about.setText(_about(seen))
        self.error.show_amount(format_significant(seen.error, 6) if seen.error is not None else "")
        self.error.setEnabled(seen.error is not None)
        self.figures.show_figures(epsilon_figures(self.epsilon.value, seen))

    def _on_failed(self, error: BaseException) -> None:
        if not isinstance(error, AnonymizerError):
            self.document.jobs.tell(error)
        self.problem.show_note("bad", error_text(error))

    def _on_error_wanted(self, error: float) -> None:
        """Solve for the epsilon that brings the error wanted."""
        if self._asked is not None:
            self.document.jobs.start(
                tr("Look for an epsilon"),
                _solve,
                self._asked,
                self.document.project,
                error,
                on_done=self._on_solved,
                replace_key="solve epsilon",
            )

    def _on_solved(self, epsilon: Fraction) -> None:
        self.epsilon.show_value(epsilon)
        self._ask()

    def _on_again(self) -> None:
        self._seed += 1
        self._ask()

    def _on_use(self) -> None:
        at = self.question.currentIndex()
        questions = list(self.document.project.questions)
        if 0 <= at < len(questions):
            questions[at] = replace(questions[at], epsilon=self.epsilon.value)
            self.document.edit(tr("Lock an epsilon"), questions=tuple(questions))


def epsilon_figures(epsilon: Fraction, seen: PreviewResult) -> tuple[Figure, ...]:
    """Say what an epsilon means: how sure a guess becomes, and how far off the answer is."""
    tone = "warn" if epsilon >= _HIGH else "info"
    note = tr("Little privacy is left.") if epsilon >= _HIGH else ""
    if epsilon <= _LOW:
        note = tr("Strong privacy, much noise.")
    sure = tr(
        "A guess that is right 50 times in 100 is right at most {sure} times.",
        sure=format_significant(100 * posterior_odds(epsilon), 3),
    )
    error = "–" if seen.error is None else f"± {format_significant(seen.error, 4)}"
    return (
        Figure(
            "odds",
            tr("Odds"),
            f"{format_percent(0.5, 0)} → {format_percent(posterior_odds(epsilon))}",
            f"{sure} {note}".strip(),
            tone,
        ),
        Figure("error", tr("95% error"), error, tr(seen.in_unit), "info"),
        Figure("epsilon", tr("Epsilon"), format_significant(float(epsilon), 4), tr("of this question"), "info"),
    )


def _about(seen: PreviewResult) -> str:
    return tr(
        "Simulated: a made-up table of {rows:row|rows}, drawn with seed {seed}. Your table is not looked at.",
        rows=format_integer(seen.rows),
        seed=seen.seed,
    )


def _solve(asked: PlannedQuestion, project: Project, error: float, progress: Progress) -> Fraction:
    progress(0.0, "Looking for an epsilon")
    return epsilon_for_error(asked, project, error)
