"""Is this differentially private? A small mechanism is proven, refuted by two tables, or left open."""

import math

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.budget import Budget, ExactAmount
from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.dp.checker.check import EXAMPLES, CheckResult, NeighbourComparison, check, compare_neighbours
from anonymizer_gui.engine.dp.checker.expression import FUNCTIONS
from anonymizer_gui.engine.dp.sensitivity import Neighbours, PrivacyUnit
from anonymizer_gui.ui.charts.plots import BarPlot
from anonymizer_gui.ui.i18n import error_text, format_significant, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.combo_boxes import WidePopupComboBox
from anonymizer_gui.ui.widgets.figure_cards import CardRow, Figure
from anonymizer_gui.ui.widgets.layout import scroll_column, section
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.workspace.document import Document

_ROOM = "statistics"
_AMOUNT = ExactAmount()
_CHART_LINES = 16
_NO_ROWS = "{}"


class MechanismCheckerPage(Page):
    """Examples at the left, the expression and the verdict at the right."""

    name = "checker"
    title = "Is This DP?"
    order = 50
    icon = "check"
    help = "statistics/checker"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say what can be tried."""
        if document.room != _ROOM or document.table is None:
            return StepStatus(StepState.EMPTY, tr("Open a table first."))
        return StepStatus(StepState.READY, tr("Check a mechanism of your own"))

    def choose(self, name: str) -> None:
        """Take one of the examples and check it."""
        self.examples.setCurrentRow([example.name for example in EXAMPLES].index(name))

    def check(self) -> None:
        """Check what is written."""
        try:
            claim = self._claim()
        except ValueError as rule:
            self.verdict.show_note("bad", tr("The claim must be {rule}.", rule=tr(rule.args[0])))
            return
        self.document.jobs.start(
            tr("Check the mechanism"),
            _check,
            self.expression.text(),
            PrivacyUnit(Neighbours(self.unit.currentData())),  # Qt gives a plain text back
            claim,
            on_done=self._on_checked,
            on_error=self._on_failed,
            replace_key="dp check",
        )

    def _build(self) -> None:
        self.examples = name_widget(QListWidget(), "examples", spoken=tr("Examples"))
        self.summary = QLabel(wordWrap=True)
        self.expression = name_widget(QLineEdit(), "expression", spoken=tr("Mechanism"))
        self.unit = name_widget(WidePopupComboBox(), "check_unit", spoken=tr("Neighbours"))
        self.epsilon = name_widget(QLineEdit(), "claim_epsilon", spoken=tr("Claimed epsilon"))
        self.delta = name_widget(QLineEdit(), "claim_delta", spoken=tr("Claimed delta"))
        for line in (self.epsilon, self.delta):
            line.setPlaceholderText(tr("none"))
            line.setMaximumWidth(self.fontMetrics().height() * 9)
        self.button = name_widget(QPushButton(tr("Check It"), default=True), "check_mechanism")
        self.verdict, self.figures = InlineMessage(), CardRow()
        self.verdict.setObjectName("verdict")
        self.figures.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.argument = name_widget(QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText), "argument")
        self.argument.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.chart = ChartPanel(self.document.drawing, "two_tables")
        self.chart.setMinimumHeight(self.fontMetrics().height() * _CHART_LINES)
        self.chart.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        layout = QVBoxLayout(self)
        layout.addWidget(self._laid_out())

    def _laid_out(self) -> QWidget:
        self.examples.setWordWrap(True)
        self.examples.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for example in EXAMPLES:
            item = QListWidgetItem(tr(example.title))
            item.setToolTip(f"{tr(example.summary)}\n{example.expression}")
            self.examples.addItem(item)
        kinds = {Neighbours.ROW: tr("A row more or less"), Neighbours.CHANGE: tr("A row that is changed")}
        for kind, words in kinds.items():
            self.unit.addItem(words, kind)
        self.unit.make_room()
        known = QLabel(tr("Known are: {known}", known=FUNCTIONS), wordWrap=True)
        known.setForegroundRole(known.foregroundRole().PlaceholderText)
        right = scroll_column(self._form(), self.verdict, self.figures, self.argument, self.summary, known, self.chart)
        inside = right.inside.layout()
        if isinstance(inside, QVBoxLayout):
            inside.setStretchFactor(self.chart, 1)
        split = name_widget(QSplitter(childrenCollapsible=False), "checker_splitter")
        split.addWidget(section(tr("Examples"), self.examples))
        split.addWidget(right)
        split.setStretchFactor(1, 1)
        return split

    def _form(self) -> QWidget:
        inside = QWidget()
        form = QFormLayout(inside)
        form.setContentsMargins(0, 0, 0, 0)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        row = QHBoxLayout()
        row.addWidget(self.expression, 1)
        row.addWidget(self.button)
        label = QLabel(self.expression.accessibleName())
        label.setBuddy(self.expression)
        form.addRow(label, row)
        for widget in (self.unit, self.epsilon, self.delta):
            label = QLabel(widget.accessibleName())
            label.setBuddy(widget)
            form.addRow(label, widget)
        return inside

    def _connect(self) -> None:
        self.examples.currentRowChanged.connect(self._on_example)
        self.expression.returnPressed.connect(self.check)
        self.button.clicked.connect(self.check)
        self.examples.setCurrentRow(0)  # a page that begins empty says nothing of what it can do

    def _on_example(self, row: int) -> None:
        if not 0 <= row < len(EXAMPLES):
            return
        example = EXAMPLES[row]
        self.summary.setText(tr(example.summary))
        self.expression.setText(example.expression)
        self.unit.setCurrentIndex(self.unit.findData(example.kind))
        self.epsilon.clear()
        self.delta.clear()
        self.check()

    def _claim(self) -> Budget | None:
        """Read the claim; raises ValueError with the rule."""
        typed = [line.text().strip() for line in (self.epsilon, self.delta)]
        if not any(typed):
            return None
        epsilon, delta = (_AMOUNT.parse(text) if text and text != "0" else "0" for text in typed)
        return Budget.from_json({"epsilon": epsilon, "delta": delta})

    def _on_checked(self, found: tuple[CheckResult, NeighbourComparison | None]) -> None:
        answer, drawn = found
        words = {
            "proven": ("good", tr("Proven: this is differentially private.")),
            "refuted": ("bad", tr("Refuted: this is not differentially private.")),
            "open": ("warn", tr("Open: neither proven nor refuted.")),
        }
        if self._claim() is not None and answer.verdict == "refuted":
            words["refuted"] = "bad", tr("Refuted: it does not keep what is claimed.")
        self.verdict.show_note(*words[answer.verdict])
        self.figures.show_figures(_figures(answer))
        self.argument.setText("\n".join(f"• {tr(sentence)}" for sentence in answer.argument))
        self.chart.show_plot(None if drawn is None else _plot(drawn))

    def _on_failed(self, error: BaseException) -> None:
        if not isinstance(error, AnonymizerError):
            self.document.jobs.tell(error)
        self.verdict.show_note("bad", error_text(error))
        self.figures.show_figures(())
        self.argument.clear()
        self.chart.show_plot(None)


def _figures(answer: CheckResult) -> tuple[Figure, ...]:
    """Tell what it costs, the pair with its ratio, or what sampling certifies."""
    figures = []
    if answer.spend is not None:
        figures.append(Figure("cost", tr("It costs"), tr(answer.spend.sentence()), tr("for each answer"), "info"))
    if answer.example is not None:
        first, second = (", ".join(f"{float(value):g}" for value in table) or tr("no rows")
                         for table in (answer.example.first, answer.example.second))  # fmt: skip
        pair = f"{{{first}}} ↔ {{{second}}}"
        ratio = tr("infinite") if math.isinf(answer.example.ratio) else format_significant(answer.example.ratio, 4)
        output = tr("for the answer {output}", output=answer.example.output)
        figures.append(Figure("pair", tr("Neighbours"), pair, tr("differ in one row"), "bad"))
        figures.append(Figure("ratio", tr("Ratio of probabilities"), ratio, output, "bad"))
    if answer.bound is not None:
        figures.append(
            Figure(
                "bound",
                tr("Epsilon at least"),
                format_significant(answer.bound.epsilon, 4),
                tr("certified by sampling"),
                "warn",
            )
        )
    return tuple(figures)


def _plot(drawn: NeighbourComparison) -> BarPlot:
    """Draw the answers about two neighbours side by side: the more alike, the less is told of the row between them."""
    first, second = (tr("no rows") if table == _NO_ROWS else table for table in (drawn.first, drawn.second))
    title = tr("How often each answer is given about {first} and about {second}", first=first, second=second)
    series = {first: drawn.one, second: drawn.other}
    return BarPlot(title, drawn.labels, series, x=tr("Answer"), y=tr("Share of simulated answers"), shares=True)


def _check(
    expression: str, unit: PrivacyUnit, claim: Budget | None, progress: Progress
) -> tuple[CheckResult, NeighbourComparison | None]:
    answer = check(expression, unit, claim, progress=progress)
    return answer, compare_neighbours(answer)
