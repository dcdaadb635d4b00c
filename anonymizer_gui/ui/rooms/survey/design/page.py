"""The first step: questions, what an answer may cost, and which protocol tells most for it."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QFormLayout, QLabel, QListWidget, QPushButton, QSplitter, QVBoxLayout, QWidget

from anonymizer_gui.engine.core.params import Int
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.data.tables.table import Table
from anonymizer_gui.engine.dp.local.design import Sharing
from anonymizer_gui.engine.hierarchy.files import FileMatch, match_file
from anonymizer_gui.engine.rooms.survey.collection import SHARING, Question
from anonymizer_gui.engine.rooms.survey.cost_preview import ProtocolPreview, levels_of, preview_protocols
from anonymizer_gui.ui.actions import Action
from anonymizer_gui.ui.dialogs.file_dialogs import ask_file
from anonymizer_gui.ui.i18n import format_percent, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus
from anonymizer_gui.ui.rooms.survey.design.comparison import Comparison
from anonymizer_gui.ui.rooms.survey.design.question_form import QuestionForm
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.combo_boxes import WidePopupComboBox
from anonymizer_gui.ui.widgets.layout import scroll_column, section
from anonymizer_gui.ui.widgets.number_fields import AmountField, EpsilonSlider, in_row
from anonymizer_gui.workspace.document import Document

_ROOM = "survey"
_LINES = 4


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
        self.form = QuestionForm()
        self.epsilon = EpsilonSlider("survey_epsilon", tr("Epsilon of one respondent"))
        self.answers = name_widget(AmountField(Int(low=1)), "expected_answers", spoken=tr("Answers expected"))
        self.sharing = name_widget(WidePopupComboBox(), "sharing", spoken=tr("Several questions"))
        self.sharing_words = name_widget(QLabel(wordWrap=True), "sharing_words")
        self.comparison = Comparison(self.document)
        for way, words in SHARING.items():
            self.sharing.addItem(tr(words), way)
        self.sharing.make_room()
        self.questions.setFixedHeight(self.fontMetrics().lineSpacing() * _LINES + 8)
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
