"""How well one can still learn from the release: a classifier trained on both tables, judged on the same people."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.rooms.microdata.thresholds import GOOD_LEARNING_LOSS
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS, MetricResult
from anonymizer_gui.ui.charts.plots import BarPlot
from anonymizer_gui.ui.i18n import error_text, format_decimal, format_integer, format_percent, tr
from anonymizer_gui.ui.widgets.accessibility import name_widget, set_tab_order
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.ui.widgets.param_form import ParamForm
from anonymizer_gui.workspace.jobs import JobRunner


class LearningBench(QWidget):
    """The settings, the button, and the answer in words."""

    wanted = Signal(object)
    """Carries the measure with its parameters."""

    def __init__(self, drawing: JobRunner) -> None:
        super().__init__()
        self.setObjectName("learning_bench")
        self._declared = METRICS.get("learning")
        self._columns: tuple[str, ...] = ()
        self.form = ParamForm(self._declared)
        self.button = name_widget(QPushButton(tr("Learn and Compare")), "learn")
        self.note = InlineMessage()
        self.answer = name_widget(QLabel(wordWrap=True), "learning_answer")
        self._layout = QVBoxLayout(self)
        self._layout.addWidget(QLabel(tr(self._declared.summary), wordWrap=True))
        self._layout.addWidget(self.form)
        self._layout.addWidget(self.button, alignment=Qt.AlignmentFlag.AlignLeft)
        self._layout.addWidget(self.note)
        self._layout.addWidget(self.answer)
        self.chart = ChartPanel(drawing, "learning_chart")
        self.chart.setVisible(False)
        self._layout.addWidget(self.chart, 1)
        self._layout.addStretch()
        self.button.clicked.connect(self._on_clicked)

    def show_columns(self, columns: Sequence[str]) -> None:
        """Offer these columns as what is to be learned."""
        if tuple(columns) == self._columns:
            return
        self._columns = tuple(columns)
        form = ParamForm(self._declared, columns=columns)
        self._layout.replaceWidget(self.form, form)
        self.form.hide()
        self.form.deleteLater()
        self.form = form
        set_tab_order(*(field.widget for field in form.fields.values()), self.button)
        self.answer.clear()

    def forget(self) -> None:
        """Say nothing: what came out was about another release."""
        self.note.show_note("info", "")
        self.answer.clear()
        self.chart.setVisible(False)

    def show_waiting(self) -> None:
        """Say that it takes a moment."""
        self.note.show_note("info", tr("Learning…"))
        self.answer.clear()
        self.chart.setVisible(False)

    def show_result(self, found: MetricResult | AnonymizerError) -> None:
        """Say what came out."""
        if isinstance(found, AnonymizerError):
            self.note.show_note("warn", error_text(found))
            return
        self.note.show_note("good" if found.value < GOOD_LEARNING_LOSS else "warn", _sentence(found))
        self.answer.setText("\n".join(_details(found.details)))
        self.chart.show_plot(_plot(found.details))
        self.chart.setVisible(True)

    def _on_clicked(self) -> None:
        value = self.form.value()
        if value is None:
            self.note.show_note("bad", self.form.error)
        else:
            self.wanted.emit(value)


def _sentence(found: MetricResult) -> str:
    error = found.details.get("error")
    if found.value <= 0:
        return tr("Learning from the release costs no accuracy.")
    points = format_decimal(100 * found.value, 1)
    if error is None:
        return tr("Learning from the release costs {points} percentage points of accuracy.", points=points)
    return tr(
        "Learning from the release costs {points} ± {error} percentage points of accuracy.",
        points=points,
        error=format_decimal(100 * error, 1),
    )


def _details(details: Mapping[str, Any]) -> Iterator[str]:
    yield tr(
        "Predicted “{column}” for {rows:row|rows}.",
        column=details["target"],
        rows=format_integer(details["tested_rows"]),
    )
    if details["folds"] > 1:
        yield tr(
            "Cross-validation in {folds} parts, each held out once; ± is the standard error over them.",
            folds=format_integer(details["folds"]),
        )
    for name, scores in ((tr("original"), details["original"]), (tr("release"), details["release"])):
        area = "–" if scores["auc"] is None else format_decimal(scores["auc"], 3)
        accuracy = _with_error(scores["accuracy"], scores["error"])
        yield tr("Learnt from the {table}: {accuracy} right, AUC {area}.", table=name, accuracy=accuracy, area=area)
    accuracy = _with_error(details["majority"], details["majority_error"])
    yield tr("Always guessing the commonest value: {accuracy} right.", accuracy=accuracy)


def _with_error(share: float, error: float | None) -> str:
    return format_percent(share) if error is None else f"{format_percent(share)} ± {format_percent(error)}"


def _plot(details: Mapping[str, Any]) -> BarPlot:
    """Draw how often each is right, with the standard error as a bar of its own."""
    name = tr("right")
    shares = [details["majority"], details["original"]["accuracy"], details["release"]["accuracy"]]
    errors = [details["majority_error"], details["original"]["error"], details["release"]["error"]]
    labels = [tr("commonest value"), tr("original"), tr("release")]
    known = [error for error in errors if error is not None]
    return BarPlot(
        tr("How often the classifier is right"),
        labels,
        {name: shares},
        shares=True,
        errors={name: known} if len(known) == len(errors) else {},
    )
