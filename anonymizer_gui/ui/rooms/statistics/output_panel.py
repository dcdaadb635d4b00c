"""The answers of a release for Qt's views: every number as it was drawn, with the ends of its interval."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt
from PySide6.QtWidgets import QHeaderView, QSplitter, QTableView, QVBoxLayout, QWidget

from anonymizer_gui.engine.dp.accountant import posterior_odds
from anonymizer_gui.engine.rooms.statistics.answers import Answer
from anonymizer_gui.engine.rooms.statistics.question import QUESTIONS
from anonymizer_gui.engine.rooms.statistics.release import Release, output_files
from anonymizer_gui.engine.rooms.statistics.release_candidate import ReleaseCandidate
from anonymizer_gui.ui.i18n import format_percent, format_significant, tr
from anonymizer_gui.ui.release.output_panel import OutputPanel, Way
from anonymizer_gui.ui.rooms.statistics.charts import AnswersPlot, CentroidPlot, LearningCurvePlot, NoisyMapPlot
from anonymizer_gui.ui.widgets.accessibility import ModelIndex, name_widget, plain_tooltips
from anonymizer_gui.ui.widgets.chart_panel import ChartPanel
from anonymizer_gui.ui.widgets.figure_cards import Figure
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.workspace.document import Document

ASK, LABEL, VALUE, LOW, HIGH, COST = range(6)

_NOWHERE = QModelIndex()

_ROLE = Qt.ItemDataRole

_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One number of an answer in words, and the place of its answer."""

    place: int
    texts: tuple[str, str, str, str, str, str]


def answer_rows(answers: Sequence[Answer]) -> list[AnswerRow]:
    """Give a line for every number; only the first of an answer names the question and what it cost."""
    lines = []
    for place, answer in enumerate(answers):
        for at, (label, value) in enumerate(answer.cells()):
            ends = ("", "") if isinstance(value, str) else _ends(answer, value)
            shown = value if isinstance(value, str) else format_significant(value, 6)
            cost = tr("known already") if answer.is_cached else format_significant(float(answer.epsilon), 4)
            first = (answer.ask, cost) if at == 0 else ("", "")
            lines.append(AnswerRow(place, (first[0], label, shown, *ends, first[1])))
    return lines


def _ends(answer: Answer, value: int | float) -> tuple[str, str]:
    ends = answer.interval(value)
    return ("", "") if ends is None else (format_significant(ends[0], 6), format_significant(ends[1], 6))


@plain_tooltips
class AnswersModel(QAbstractTableModel):
    """A row per number."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[AnswerRow] = []

    def show_answers(self, answers: Sequence[Answer]) -> None:
        """Show the answers of another release."""
        lines = answer_rows(answers)
        if lines != self.lines:
            self.beginResetModel()
            self.lines = lines
            self.endResetModel()

    def rowCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Count the numbers."""
        return 0 if parent.isValid() else len(self.lines)

    def columnCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Question, label, answer, ends of the interval, cost."""
        return 0 if parent.isValid() else COST + 1

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole) -> Any:
        """Give the titles."""
        if orientation == Qt.Orientation.Vertical:
            return None
        if role == _ROLE.TextAlignmentRole and section >= VALUE:
            return _RIGHT
        titles = tr("Question"), tr("Cell"), tr("Answer"), tr("From"), tr("To"), "ε"
        return titles[section] if role == _ROLE.DisplayRole else None

    def data(self, index: ModelIndex, role: int = _ROLE.DisplayRole) -> Any:
        """Give the words and numbers."""
        if role in (_ROLE.DisplayRole, _ROLE.ToolTipRole):
            return self.lines[index.row()].texts[index.column()]
        return _RIGHT if role == _ROLE.TextAlignmentRole and index.column() >= VALUE else None


class AnswersOutputPanel(OutputPanel):
    """The answers above, a chart of the chosen one below; a banner says what a change would cost."""

    formats: ClassVar[Mapping[str, str]] = {"CSV": "csv", "JSON": "json", "Excel": "xlsx"}

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.way = Way(tr("Nothing to release yet: ask your questions first."), tr("Go to Plan"), "plan")
        self._release: Release | None = None
        self.model, self.table = AnswersModel(), name_widget(QTableView(), "answers", spoken=tr("Answers"))
        self.chart, self.banner, self.notes = (
            ChartPanel(document.drawing, "answer_chart"),
            InlineMessage(),
            InlineMessage(),
        )
        self.what = self._laid_out()
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._show_chart())

    def show_project(self, release: Any) -> None:
        """Show the answers of a release."""
        is_another = self._release is not release
        self._release = release
        self.model.show_answers(release.answers)
        paid = tr("These answers are paid for. Any change of the plan is a new spend.")
        self.banner.show_note("info", " ".join([paid, *_made_words(release)]))
        self.notes.show_note("warn", " ".join(tr(note) for note in release.notes))
        self.figures.show_figures(release_figures(release))
        if is_another:
            self.table.selectRow(self._first_with_cells(release))
            self.table.scrollToTop()
            self._show_chart()

    def sentence(self, leaving: ReleaseCandidate) -> str:
        """Say how many answers will leave, and for what."""
        return tr("“{name}”: {words}", name=leaving.release.name, words=tr(leaving.release.sentence()))

    def success(self, leaving: ReleaseCandidate, path: Path) -> str:
        """Say how many answers have left."""
        return tr(
            "{answers:answer|answers} went to {name}; read back and found the same.",
            answers=len(leaving.release.answers),
            name=path.name,
        )

    def file_stem(self, name: str) -> str:
        """Call a synthetic table one, where nothing else leaves."""
        release = self._release
        is_table = release is not None and [each.kind for each in release.made] == ["table"] * len(release.answers)
        return f"{name}_synthetic" if is_table else super().file_stem(name)

    def table_in(self, leaving: ReleaseCandidate, path: Path) -> Path | None:
        """Give the file of the first synthetic table."""
        places = output_files(path, leaving.release.answers, leaving.release.made)
        return next((at for at, made in places if made is not None and made.table is not None), None)

    def _laid_out(self) -> QWidget:
        self.table.setModel(self.model)
        self.table.verticalHeader().hide()
        self.table.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.horizontalHeader().setSectionResizeMode(ASK, QHeaderView.ResizeMode.Stretch)
        split = name_widget(QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False), "answers_splitter")
        split.addWidget(self.table)
        split.addWidget(self.chart)
        whole = QWidget()
        layout = QVBoxLayout(whole)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.banner)
        layout.addWidget(self.notes)
        layout.addWidget(split, 1)
        return whole

    def _first_with_cells(self, release: Release) -> int:
        places = [line.place for line in self.model.lines]
        several = [at for at, place in enumerate(places) if len(release.answers[place].values) > 1]
        return several[0] if several else 0

    def _show_chart(self) -> None:
        """Draw the answer the chosen number belongs to; a choice has nothing to draw."""
        row = self.table.currentIndex().row()
        if self._release is None or not 0 <= row < len(self.model.lines):
            return
        answer = self._release.answers[self.model.lines[row].place]
        self.chart.show_plot(_plot(answer))


def _plot(answer: Answer) -> AnswersPlot | CentroidPlot | NoisyMapPlot | LearningCurvePlot | None:
    names = answer.parameters.get("features", ())
    if answer.question == "learn":
        return _curve(answer)
    if len(names) > 1:
        return _centres(answer, names)
    if {"west", "east", "south", "north"} <= set(answer.parameters):
        return _map(answer)
    cells = [(label, value) for label, value in answer.cells() if not isinstance(value, str)] or list(answer.values)
    cells = [cell for cell in cells if cell[0].endswith(QUESTIONS.get(answer.question).charted)]
    if not cells:
        return None
    labels, values = [label for label, _ in cells], [float(value) for _, value in cells]
    error = answer.error95 if answer.interval(values[0]) is not None else None
    title = answer.ask if error is None else tr("{ask}, with intervals of 95%", ask=answer.ask)
    return AnswersPlot(title, labels, values, error, y=tr(answer.in_unit))


def _map(answer: Answer) -> NoisyMapPlot:
    """Show the cells of a map where they are."""
    told = answer.parameters
    edges = (float(told["west"]), float(told["east"]), float(told["south"]), float(told["north"]))
    across = int(told["across"]) if "across" in told else 1 << int(told["depth"])
    values = [float(value) for _, value in answer.values]
    return NoisyMapPlot(answer.ask, values, across, edges, [label for label, _ in answer.values], answer.error95)


def _curve(answer: Answer) -> LearningCurvePlot:
    """Show how accuracy grew; the first number told is that of the end."""
    told = dict(answer.values)
    looks = [(label.split()[-2], value) for label, value in answer.values if " after " in label]
    epochs = [*(float(epoch) for epoch, _ in looks), float(answer.parameters["epochs"])]
    title = tr("How the model learned, on held-out rows")
    accuracies = [*(float(value) for _, value in looks), float(told["accuracy"])]
    return LearningCurvePlot(title, epochs, accuracies, tr("Epochs"), tr("Accuracy"))


def _centres(answer: Answer, names: Sequence[str]) -> CentroidPlot:
    """Show clusters over their first two columns."""
    numbers = [float(value) for _, value in answer.values]
    each = len(names) + 1
    points = [(numbers[at], numbers[at + 1], numbers[at + each - 1]) for at in range(0, len(numbers), each)]
    return CentroidPlot(answer.ask, points, names[0], names[1], tr(answer.in_unit))


def _made_words(release: Release) -> list[str]:
    """Say what leaves beside numbers."""
    tables = [made.table for made in release.made if made.table is not None]
    words = [
        tr("A synthetic table of {rows:row|rows} leaves with them; no row is a person.", rows=table.n_rows)
        for table in tables
    ]
    if len(tables) < len(release.made):
        words.append(tr("A model leaves with them as JSON, with the lines of Python that apply it."))
    return words


def release_figures(release: Release) -> tuple[Figure, ...]:
    """Say what was spent, what is left, and what that means for a guess."""
    sure = posterior_odds(release.spent.epsilon)
    words = tr("A guess at 50% becomes at most so sure.")
    all_words = tr(
        "By all releases of these data, of {total}.", total=format_significant(float(release.total.epsilon), 4)
    )
    return (
        Figure("cost", tr("This release"), _epsilon(release.cost.epsilon), tr("were spent"), "info"),
        Figure("spent", tr("Spent in all"), _epsilon(release.spent.epsilon), all_words, "info"),
        Figure("left", tr("Still left"), _epsilon(release.left.epsilon), tr("for all that is to come"), "info"),
        Figure(
            "odds",
            tr("Odds"),
            f"{format_percent(0.5, 0)} → {format_percent(sure)}",
            words,
            "good" if sure < 0.95 else "warn",
        ),
    )


def _epsilon(amount: Any) -> str:
    return f"ε {format_significant(float(amount), 4)}"
