"""Questions, epsilon per respondent, sharing."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import (
    QFormLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.params import Float, Int
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp.local.design import Sharing
from anonymizer_gui.engine.dp.local.protocol import PROTOCOLS
from anonymizer_gui.engine.hierarchy.files import FileMatch, match_file
from anonymizer_gui.engine.rooms.survey.collection import BEST, MOST_BINS, SHARING, Question
from anonymizer_gui.engine.rooms.survey.cost_preview import ProtocolPreview, levels_of, preview_protocols
from anonymizer_gui.ui.actions import Action
from anonymizer_gui.ui.dialogs.file_dialogs import ask_file
from anonymizer_gui.ui.i18n import format_percent, format_significant, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus
from anonymizer_gui.ui.rooms.survey.protocol_comparison import ProtocolComparison
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.combo_boxes import WidePopupComboBox
from anonymizer_gui.ui.widgets.layout import scroll_column, section
from anonymizer_gui.ui.widgets.number_fields import AmountField, EpsilonSlider, in_row
from anonymizer_gui.workspace.document import Document

_LINES = 6

_USUAL_BINS = 10


class SurveyQuestionForm(QWidget):
    """Edits one question; what is typed is taken when the field is left."""

    edited = Signal(object)
    """Carries the question as it is now."""
    column_wanted = Signal(str)
    """Carries the column whose values are to be taken."""
    hierarchy_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._question: Question | None = None
        self._levels: tuple[tuple[str, ...], ...] = ()
        self.name = name_widget(QLineEdit(), "question_name", spoken=tr("Short name"))
        self.text = name_widget(QLineEdit(), "question_text", spoken=tr("Question"))
        self.kind = name_widget(WidePopupComboBox(), "question_asks", spoken=tr("Asks for"))
        self.values = name_widget(
            QPlainTextEdit(tabChangesFocus=True), "question_values", spoken=tr("Values, one per line")
        )
        self.column = name_widget(WidePopupComboBox(), "values_from_column", spoken=tr("Values of a column"))
        self.tree = name_widget(
            QPushButton(tr("Hierarchy…")), "values_from_hierarchy", tip=tr("Take the values of a level")
        )
        self.level = name_widget(WidePopupComboBox(), "values_of_level", spoken=tr("Level of the hierarchy"))
        self.low = name_widget(AmountField(Float()), "question_low", spoken=tr("From"))
        self.high = name_widget(AmountField(Float()), "question_high", spoken=tr("To"))
        self.bins = name_widget(AmountField(Int(low=2, high=MOST_BINS)), "question_bins", spoken=tr("Ranges"))
        self.protocol = name_widget(WidePopupComboBox(), "question_protocol", spoken=tr("Protocol"))
        self.take = name_widget(QPushButton(tr("Take Values")), "take_values", tip=tr("Use what is typed above"))
        self._build()
        self._connect()

    def show_question(self, question: Question, columns: Sequence[str]) -> None:
        """Show a question without telling."""
        self._question = question
        for line, text in ((self.name, question.name), (self.text, question.text)):
            if line.text() != text:
                line.setText(text)
        if not self.values.hasFocus() or not question.values:
            self.values.setPlainText("\n".join(question.values))
        self.low.show_amount(format_significant(question.low, 9))
        self.high.show_amount(format_significant(question.high, 9))
        self.bins.show_amount(str(question.bins))
        self.kind.setCurrentIndex(self.kind.findData(_kind(question)))
        self._show_columns(columns)
        self._show_protocols(question)
        self._show_kind()

    def show_levels(self, levels: tuple[tuple[str, ...], ...]) -> None:
        """Offer the levels of a hierarchy that was read, and take its leaves."""
        self._levels = levels
        self.level.clear()
        for at, level in enumerate(levels):
            self.level.addItem(tr("Level {at}: {values:value|values}", at=at, values=len(level)))
        self.level.make_room()
        self.level.setVisible(bool(levels))
        if levels:
            self._edit(values=levels[0])

    def _build(self) -> None:
        self.kind.addItem(tr("One of several values"), "values")
        self.kind.addItem(tr("A number, for its mean"), "number")
        self.kind.addItem(tr("A number, for a histogram"), "ranges")
        self.values.setFixedHeight(self.fontMetrics().lineSpacing() * _LINES)
        self.level.hide()
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        for widget in (self.text, self.name, self.kind, self.values):
            self._row(widget.accessibleName(), widget)
        self._taken = QWidget()
        rows = QVBoxLayout(self._taken)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addWidget(in_row(self.take, self.column))
        rows.addWidget(in_row(self.tree, self.level))
        self._form.addRow("", self._taken)
        for widget in (self.low, self.high, self.bins, self.protocol):
            self._row(widget.accessibleName(), widget)

    def _row(self, words: str, widget: QWidget) -> None:
        label = QLabel(words)
        label.setBuddy(widget)
        self._form.addRow(label, widget)

    def _connect(self) -> None:
        self.name.editingFinished.connect(lambda: self._edit(name=self.name.text().strip()))
        self.text.editingFinished.connect(lambda: self._edit(text=self.text.text().strip()))
        self.kind.activated.connect(self._on_kind)
        self.take.clicked.connect(self._on_values)
        self.column.activated.connect(self._on_column)
        self.level.activated.connect(lambda at: self._edit(values=self._levels[at]))
        self.tree.clicked.connect(self.hierarchy_wanted)
        self.low.chosen.connect(lambda number: self._edit(low=number))
        self.high.chosen.connect(lambda number: self._edit(high=number))
        self.bins.chosen.connect(lambda number: self._edit(bins=number))
        self.protocol.activated.connect(lambda _at: self._edit(protocol=self.protocol.currentData()))

    def _on_column(self, at: int) -> None:
        if at > 0:
            self.column_wanted.emit(self.column.itemText(at))
        self.column.setCurrentIndex(0)

    def _on_kind(self, _at: int) -> None:
        kind = self.kind.currentData()
        if self._question is not None and kind != _kind(self._question):
            bounds: dict[str, Any] = {"values": (), "bins": _USUAL_BINS if kind == "ranges" else 0}
            if not self._question.low < self._question.high:
                bounds |= {"low": 0.0, "high": 100.0}
            values: dict[str, Any] = {"values": (tr("yes"), tr("no")), "bins": 0}
            self._edit(protocol=BEST, **(values if kind == "values" else bounds))

    def _on_values(self) -> None:
        lines = [line.strip() for line in self.values.toPlainText().splitlines()]
        self._edit(values=tuple(dict.fromkeys(line for line in lines if line)))

    def _edit(self, **fields: Any) -> None:
        if self._question is None:
            return
        changed = replace(self._question, **fields)
        if changed != self._question and changed.name:
            self._question = changed
            self.edited.emit(changed)

    def _show_columns(self, columns: Sequence[str]) -> None:
        known = [self.column.itemText(at) for at in range(1, self.column.count())]
        if known != list(columns) or not self.column.count():
            self.column.clear()
            self.column.addItem(tr("From a column…"))
            self.column.addItems(list(columns))
            self.column.make_room()
        self.column.setEnabled(bool(columns))

    def _show_protocols(self, question: Question) -> None:
        self.protocol.clear()
        self.protocol.addItem(tr("The best one"), BEST)
        for kind in PROTOCOLS:
            if kind.asks == question.asks and (len(question.domain) == 2 or kind.most > 2):
                self.protocol.addItem(tr(kind.title), kind.name)
        self.protocol.setCurrentIndex(max(self.protocol.findData(question.protocol), 0))
        self.protocol.make_room()

    def _show_kind(self) -> None:
        asks = self.kind.currentData()
        for widget in (self.values, self._taken):
            self._form.setRowVisible(widget, asks == "values")
        for line in (self.low, self.high):
            self._form.setRowVisible(line, asks != "values")
        self._form.setRowVisible(self.bins, asks == "ranges")


def _kind(question: Question) -> str:
    return "values" if question.values else "ranges" if question.bins else "number"


_ROOM = "survey"

_PAGE_LINES = 4


class DesignPage(Page):
    """Questions at the left, the protocols for the selected one at the right."""

    name = "design"
    title = "Design"
    order = 10
    icon = "edit"
    help = "survey/survey"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say how many questions there are."""
        if document.room != _ROOM:
            return StepStatus(StepState.EMPTY, tr("Open a survey first."))
        questions = document.project.questions
        if not questions:
            return StepStatus(StepState.EMPTY, tr("Ask something first."))
        return StepStatus(StepState.DONE, tr("{questions:question|questions}", questions=len(questions)))

    def add(self) -> None:
        """Put a question at the end of the survey."""
        questions = self._questions()
        taken = {question.name for question in questions}
        name = next(name for at in range(1, 1000) if (name := f"question_{at}") not in taken)
        made = Question(name, "", (tr("yes"), tr("no")))
        self.document.edit(tr("Add a question"), questions=(*questions, made))
        self.questions.setCurrentRow(len(questions))

    def remove(self) -> None:
        """Take the selected question out."""
        row, questions = self._row(), self._questions()
        if row >= 0:
            self.document.edit(tr("Remove a question"), questions=questions[:row] + questions[row + 1 :])

    def take_hierarchy(self, path: str) -> None:
        """Take the values of a question from a hierarchy."""
        self.document.jobs.start(
            tr("Read the hierarchy"), _read, path, on_done=self._on_hierarchy, replace_key="values of a hierarchy"
        )

    def _build(self) -> None:
        self._seen: ProtocolPreview | None = None
        self.questions = name_widget(QListWidget(), "survey_questions", spoken=tr("Questions of the survey"))
        self.add_button = name_widget(QPushButton(tr("Add Question")), "add_survey_question")
        self.remove_button = name_widget(QPushButton(tr("Remove")), "remove_survey_question")
        self.form = SurveyQuestionForm()
        self.epsilon = EpsilonSlider("survey_epsilon", tr("Epsilon of one respondent"))
        self.answers = name_widget(AmountField(Int(low=1)), "expected_answers", spoken=tr("Answers expected"))
        self.sharing = name_widget(WidePopupComboBox(), "sharing", spoken=tr("Several questions"))
        self.sharing_words = name_widget(QLabel(wordWrap=True), "sharing_words")
        self.comparison = ProtocolComparison(self.document)
        for way, words in SHARING.items():
            self.sharing.addItem(tr(words), way)
        self.sharing.make_room()
        self.questions.setFixedHeight(self.fontMetrics().lineSpacing() * _PAGE_LINES + 8)
        self._lay_out()

    def _lay_out(self) -> None:
        asked = section(tr("Questions"), self.questions, in_row(self.add_button, self.remove_button), self.form)
        split = name_widget(QSplitter(childrenCollapsible=False), "design_splitter")
        split.addWidget(scroll_column(asked, section(tr("What an answer may cost"), self.epsilon, self._cost())))
        split.addWidget(self.comparison)
        split.setStretchFactor(1, 1)
        QVBoxLayout(self).addWidget(split)

    def _cost(self) -> QWidget:
        inside = QWidget()
        form = QFormLayout(inside)
        form.setContentsMargins(0, 0, 0, 0)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        for widget in (self.answers, self.sharing):
            label = QLabel(widget.accessibleName())
            label.setBuddy(widget)
            form.addRow(label, widget)
        form.addRow(self.sharing_words)
        return inside

    def _connect(self) -> None:
        self.questions.currentRowChanged.connect(lambda _row: self._show_question())
        self.add_button.clicked.connect(self.add)
        self.remove_button.clicked.connect(self.remove)
        self.form.edited.connect(self._on_edited)
        self.form.column_wanted.connect(self._on_column)
        self.form.hierarchy_wanted.connect(lambda: ask_file(self, tr("Choose a Hierarchy"), self.take_hierarchy))
        self.epsilon.changed.connect(self._on_epsilon)
        self.answers.chosen.connect(lambda n: self._edit(tr("Say how many answers are expected"), answers=n))
        self.sharing.activated.connect(
            lambda _at: self._edit(tr("Share the budget differently"), sharing=self.sharing.currentData())
        )
        self.comparison.along.activated.connect(lambda _at: self._ask())

    def _show(self, changed: frozenset[str]) -> None:
        if self.document.room != _ROOM:
            return
        project = self.document.project
        row = self._row()
        with QSignalBlocker(self.questions):
            self.questions.clear()
            self.questions.addItems([question.text or question.name for question in project.questions])
            self.questions.setCurrentRow(min(max(row, 0), len(project.questions) - 1))
        if self.epsilon.value != project.epsilon:
            self.epsilon.show_value(project.epsilon)
        self.answers.show_amount(str(project.answers))
        self.sharing.setCurrentIndex(self.sharing.findData(project.sharing))
        self.sharing.setEnabled(len(project.questions) > 1)
        self._show_question()

    def _show_question(self) -> None:
        row = self._row()
        self.remove_button.setEnabled(row >= 0)
        self.form.setEnabled(row >= 0)
        table = self.document.table
        if row >= 0:
            self.form.show_question(self._questions()[row], table.names if isinstance(table, Table) else ())
        self._ask()

    def _ask(self) -> None:
        row = self._row()
        if row < 0:
            self.comparison.show_outlook(None, self.document.project)
            self.sharing_words.setText("")
            return
        self.document.jobs.start(
            "",
            preview_protocols,
            self.document.project,
            row,
            self.comparison.along.currentData(),
            on_done=self._on_seen,
            replace_key="survey outlook",
        )

    def _on_seen(self, seen: ProtocolPreview) -> None:
        self._seen = seen
        self.comparison.show_outlook(seen, self.document.project)
        self.sharing_words.setText("\n".join(_told(seen)))

    def _on_edited(self, question: Question) -> None:
        row, questions = self._row(), list(self._questions())
        if row >= 0:
            questions[row] = question
            self.document.edit(tr("Change a question"), f"question {row}", questions=tuple(questions))

    def _on_column(self, name: str) -> None:
        table, row = self.document.table, self._row()
        if isinstance(table, Table) and row >= 0:
            column = table.column(name)
            used = [str(label) for label, times in zip(column.labels, column.counts().tolist(), strict=True) if times]
            question = self._questions()[row]
            is_new = not any(other.name == name for other in self._questions())
            self._on_edited(replace(question, values=tuple(used), bins=0, name=name if is_new else question.name))

    def _on_hierarchy(self, found: FileMatch) -> None:
        if found.hierarchy is None or found.state == "refused":
            self.document.messages.warning(tr("This file cannot be read as a hierarchy."))
            return
        self.form.show_levels(levels_of(found.hierarchy))

    def _on_epsilon(self, epsilon: Fraction) -> None:
        self._edit(tr("Choose epsilon"), "survey epsilon", epsilon=epsilon)

    def _edit(self, text: str, merge_key: str = "", **fields: Any) -> None:
        if self.document.room == _ROOM:
            self.document.edit(text, merge_key, **fields)

    def _row(self) -> int:
        return self.questions.currentRow()

    def _questions(self) -> tuple[Question, ...]:
        return tuple(self.document.project.questions) if self.document.room == _ROOM else ()


def _told(seen: ProtocolPreview) -> Sequence[str]:
    return [_told_of(each) for each in seen.sharing]


def _told_of(way: Sharing) -> str:
    errors = {"split": format_percent(1.96 * way.split), "one": format_percent(1.96 * way.one)}
    if way.is_mean:
        return tr(
            "{name}: error of the mean ± {split} of its range when epsilon is split, ± {one} when everybody answers "
            "one question.",
            name=way.name,
            **errors,
        )
    return tr(
        "{name}: error of a share ± {split} when epsilon is split, ± {one} when everybody answers one question.",
        name=way.name,
        **errors,
    )


def _read(path: str, progress: Progress) -> FileMatch:
    progress(0.0, "Reading the hierarchy")
    return match_file(Path(path), Path(path).stem)


def _is_survey(document: Document) -> bool:
    return document.room == _ROOM


ACTIONS = (
    Action(
        "design.add", "Add Question", lambda page: page.add(), "Survey", "questions", "add",
        status_tip="Put a question at the end of the survey", enabled=_is_survey, reason="Open a survey first.",
        page="design",
    ),
    Action(
        "design.remove", "Remove Question", lambda page: page.remove(), "Survey", "questions", "remove",
        status_tip="Take the selected question out", enabled=_is_survey, reason="Open a survey first.", page="design",
    ),
)  # fmt: skip
