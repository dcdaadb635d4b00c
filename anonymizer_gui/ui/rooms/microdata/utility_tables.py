"""Utility measures, summaries, masks, learning."""

from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from typing import Any

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.rooms.microdata.masking.effects import MaskingEffects
from anonymizer_gui.engine.rooms.microdata.masking.steps import unprepared
from anonymizer_gui.engine.rooms.microdata.release.codebook import ColumnSummary, summarise_columns
from anonymizer_gui.engine.rooms.microdata.release.release import Release
from anonymizer_gui.engine.rooms.microdata.thresholds import BAD_LOSS, GOOD_LEARNING_LOSS, GOOD_LOSS
from anonymizer_gui.engine.rooms.microdata.utility.contract import METRICS, Metric, MetricResult
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.charts.plots import BarPlot
from anonymizer_gui.ui.i18n import error_text, format_decimal, format_integer, format_percent, tr
from anonymizer_gui.ui.rooms.microdata.figures import format_figure
from anonymizer_gui.ui.widgets.accessibility import ModelIndex, name_widget, plain_text, set_tab_order
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.ui.widgets.param_form import ParamForm
from anonymizer_gui.workspace.jobs import JobRunner

MEASURE, VALUE, SCALE, WORDS = range(4)

_PLACE = Qt.ItemDataRole.UserRole

_SHARES = ((0.0, 1.0), (1.0, 0.0))


class UtilityMeasureTable(QTableWidget):
    """A row per measure; the bar begins at the best value and is full at the worst."""

    def __init__(self) -> None:
        super().__init__(0, 4)
        self.setObjectName("metrics")
        self._values: dict[str, str] = {}
        self.setHorizontalHeaderLabels([tr("Measure"), tr("Value"), tr("Best to worst"), tr("In words")])
        self.setAccessibleName(tr("Measures of utility"))
        self.verticalHeader().hide()
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.verticalHeader().setMinimumSectionSize(round(self.fontMetrics().height() * 2.6))
        self.setMinimumWidth(self.fontMetrics().height() * 28)
        self.setItemDelegateForColumn(SCALE, _ScaleDelegate(self))
        head = self.horizontalHeader()
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(SCALE, QHeaderView.ResizeMode.Fixed)
        head.resizeSection(SCALE, self.fontMetrics().height() * 8)
        head.setSectionResizeMode(WORDS, QHeaderView.ResizeMode.Stretch)
        head.sectionResized.connect(lambda *_sizes: self.resizeRowsToContents())

    def show_results(self, results: Mapping[str, MetricResult | AnonymizerError]) -> None:
        """Show what was measured."""
        self.setRowCount(len(results))
        self._values = {}
        for row, (name, found) in enumerate(results.items()):
            declared = METRICS.get(name)
            self._values[name] = _value(declared, found)
            place = _place(declared, found)
            for column, text in enumerate((tr(declared.title), self._values[name], "", _words(declared, found, place))):
                item = QTableWidgetItem(text)
                item.setToolTip(
                    plain_text(error_text(found) if isinstance(found, AnonymizerError) else _about(declared))
                )
                if column == VALUE:
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                if column == SCALE:
                    item.setData(_PLACE, place)
                    item.setData(Qt.ItemDataRole.AccessibleTextRole, "" if place is None else format_percent(place, 0))
                self.setItem(row, column, item)
        self.resizeRowsToContents()

    def value(self, name: str) -> str:
        """Give the text of a measure's value."""
        return self._values[name]

    def place(self, name: str) -> float | None:
        """Say where a measure stands between the best (0) and the worst (1); None where it has no worst."""
        found: float | None = self.model().index(list(self._values).index(name), SCALE).data(_PLACE)
        return found


class _ScaleDelegate(QStyledItemDelegate):
    """Draws how far a value is from the best one, in the colour of the limits that figures have."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        """Draw a bar in its groove; nothing where there is no worst value."""
        super().paint(painter, option, index)
        place = index.data(_PLACE)
        if place is None:
            return
        unit = option.fontMetrics.height()
        groove = QRectF(option.rect).adjusted(unit / 2, 0, -unit / 2, 0)
        groove.setTop(option.rect.center().y() - unit / 4)
        groove.setHeight(unit / 2)
        tone = "good" if place <= GOOD_LOSS else "warn" if place <= BAD_LOSS else "bad"
        painter.fillRect(groove, theme.color("grid"))
        groove.setWidth(max(groove.width() * place, 2))
        painter.fillRect(groove, theme.color(tone))


def _value(declared: type[Metric], found: MetricResult | AnonymizerError) -> str:
    if isinstance(found, AnonymizerError) or isnan(found.value):
        return "–"
    return format_percent(found.value) if declared.ends in _SHARES else format_figure(found.value)


def _place(declared: type[Metric], found: MetricResult | AnonymizerError) -> float | None:
    if isinstance(found, AnonymizerError) or isnan(found.value) or declared.ends is None:
        return None
    best, worst = declared.ends
    return min(max((found.value - best) / (worst - best), 0.0), 1.0)


def _words(declared: type[Metric], found: MetricResult | AnonymizerError, place: float | None) -> str:
    if isinstance(found, AnonymizerError):
        return error_text(found)
    if place is None:
        better = tr("lower is better") if declared.direction == "lower" else tr("higher is better")
        return tr("{summary} ({better})", summary=tr(declared.summary), better=better)
    verdict = tr("good") if place <= GOOD_LOSS else tr("with care") if place <= BAD_LOSS else tr("bad")
    return tr("{summary} ({better})", summary=tr(declared.summary), better=verdict)


def _about(declared: type[Metric]) -> str:
    about = f"{tr(declared.summary)}\n{tr(declared.formula)} ({tr(declared.range)})\n{declared.reference}"
    if declared.ends is None:
        return about
    limits = tr(
        "Green up to {good} of the way from best to worst, amber up to {bad}, red beyond.",
        good=format_percent(GOOD_LOSS, 0),
        bad=format_percent(BAD_LOSS, 0),
    )
    return f"{about}\n{limits}"


SummaryPair = dict[str, tuple[ColumnSummary, ColumnSummary]]

_NUMBERS = 10


def summary_pair(release: Release, original: Table, progress: Progress) -> SummaryPair:
    """Sum up every column that is published, before and after."""
    left_out = set(release.project.left_out_columns())
    names = tuple(name for name in release.table.names if name not in left_out)
    before = summarise_columns(unprepared(original), release.project.schema, names, progress.sub(0.0, 0.5))
    after = summarise_columns(release.table, release.project.schema, names, progress.sub(0.5, 1.0))
    return {name: (before[name], after[name]) for name in names}


class ColumnSummaryTable(QTableWidget):
    """Two lines per column: as it was, and as it is published."""

    def __init__(self) -> None:
        heads = [
            tr("Column"), tr("Of"), tr("Missing"), tr("Values"), tr("Mean"), tr("Standard deviation"), tr("5 %"),
            tr("25 %"), tr("Median"), tr("75 %"), tr("95 %"), tr("Most frequent"),
        ]  # fmt: skip
        super().__init__(0, len(heads))
        self.setObjectName("summary")
        self.setHorizontalHeaderLabels(heads)
        self.setAccessibleName(tr("Summary of the columns"))
        self.verticalHeader().hide()
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        head = self.horizontalHeader()
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setStretchLastSection(True)

    def show_summaries(self, found: SummaryPair) -> None:
        """Show what was summed up."""
        self.setRowCount(2 * len(found))
        for at, (name, (before, after)) in enumerate(found.items()):
            self._write(2 * at, [name, tr("original"), *_cells(before)])
            self._write(2 * at + 1, ["", tr("release"), *_cells(after)])

    def _write(self, row: int, texts: Sequence[str]) -> None:
        for column, text in enumerate(texts):
            item = QTableWidgetItem(text)
            if 1 < column <= _NUMBERS:
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            item.setToolTip(plain_text(text))
            self.setItem(row, column, item)


def _cells(summary: ColumnSummary) -> list[str]:
    spread = [summary.mean, summary.sd, *(summary.quantiles or [None] * 5)]
    frequent = [f"{label} ({format_percent(count / max(summary.rows, 1))})" for label, count in summary.frequent]
    return [
        format_integer(summary.missing),
        format_integer(summary.distinct),
        *("" if value is None else format_figure(value) for value in spread),
        ", ".join(frequent),
    ]


class MaskingEffectTable(QWidget):
    """A line per masked column that leaves as it is, and a sentence about linking."""

    def __init__(self) -> None:
        super().__init__()
        heads = [
            tr("Column"), tr("Cells changed"), tr("Moved, in standard deviations"), tr("Spread, after by before"),
            tr("Correlation before and after"),
        ]  # fmt: skip
        self.linked = name_widget(QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText), "masks_linked")
        self.table = name_widget(QTableWidget(0, len(heads)), "masks")
        self.table.setHorizontalHeaderLabels(heads)
        self.table.setAccessibleName(tr("What masks changed"))
        self.table.verticalHeader().hide()
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setTabKeyNavigation(False)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        layout = QVBoxLayout(self)
        layout.addWidget(self.linked)
        layout.addWidget(self.table, 1)

    def show_masks(self, masks: MaskingEffects) -> None:
        """Show what was found; a table that was not masked has no lines."""
        self.table.setRowCount(len(masks.columns))
        for row, found in enumerate(masks.columns):
            numbers = (found.moved, found.spread, found.correlation)
            texts = [
                found.column,
                format_percent(found.changed),
                *("–" if value is None else format_figure(value) for value in numbers),
            ]
            for place, text in enumerate(texts):
                self.table.setItem(row, place, QTableWidgetItem(text))
        if not masks.columns:
            self.linked.setText(
                tr("None of the columns that leave unchanged was masked: Data > Prepare the Table… has the ways.")
            )
            return
        self.linked.setText(
            tr(
                "Whoever has the true values and takes the nearest record is right for {share} of "
                "{people:person|people} that were tried; by chance {chance} would be.",
                share=format_percent(masks.linked),
                people=format_integer(masks.people),
                chance=format_percent(masks.by_chance, 2),
            )
        )


class LearningPanel(QWidget):
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
