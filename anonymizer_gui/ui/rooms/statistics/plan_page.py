"""Plan of questions; add by form or syntax; spend question."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QSplitter,
    QStackedLayout,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.budget import ExactAmount, amount_text
from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.rooms.statistics.cost_preview import CostPreview, preview_cost, preview_questions
from anonymizer_gui.engine.rooms.statistics.project import POLICIES, PlannedQuestion
from anonymizer_gui.engine.rooms.statistics.question import DEFAULT_DATA_KIND, QUESTIONS, questions_about
from anonymizer_gui.engine.rooms.statistics.question_syntax import parse_question, question_text
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.actions import Action
from anonymizer_gui.ui.i18n import error_text, format_significant, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.rooms.statistics.plan_table import (
    QUESTION,
    WISH,
    BudgetBar,
    PlanTableModel,
    SensitivityPanel,
    plan_columns,
)
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.combo_boxes import WidePopupComboBox
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.layout import clear_layout, scroll_column, section
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.ui.widgets.number_fields import AmountField
from anonymizer_gui.ui.widgets.param_form import ParamForm
from anonymizer_gui.workspace.changes import Change
from anonymizer_gui.workspace.document import Document

_FIRST = "count"


class QuestionSyntaxField(QWidget):
    """A line for the words of a question, as the command line takes them."""

    asked = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.shape = DEFAULT_DATA_KIND
        self.line = name_widget(QLineEdit(), "ask", spoken=tr("A question in words"))
        self.button = name_widget(QPushButton(tr("Ask")), "ask_button", tip=tr("Add the question to the plan"))
        self.mistake = InlineMessage()
        row = QHBoxLayout()
        row.addWidget(self.line, 1)
        row.addWidget(self.button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(row)
        layout.addWidget(self.mistake)
        self.line.returnPressed.connect(self._on_asked)
        self.button.clicked.connect(self._on_asked)
        self.line.textEdited.connect(lambda _text: self.mistake.show_note("bad", ""))
        self.show_shape(DEFAULT_DATA_KIND)

    def show_shape(self, shape: str) -> None:
        """Take questions about a shape of data, and show one of them."""
        self.shape = shape
        examples = {kind.verbs[0]: kind.example for kind in questions_about(shape) if kind.example}
        example = examples.get(_FIRST) or next(iter(examples.values()), "")
        self.line.setPlaceholderText(tr("A question in words, such as {example}", example=example))

    def _on_asked(self) -> None:
        if not self.line.text().strip():
            return
        try:
            asked = parse_question(self.line.text(), self.shape)
        except AnonymizerError as error:
            self.mistake.show_note("bad", error_text(error))
            return
        self.line.clear()
        self.asked.emit(asked)


class QuestionForm(QWidget):
    """The kinds of questions there are, with the fields of the one that is chosen."""

    asked = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.kind = name_widget(WidePopupComboBox(), "question_kind", spoken=tr("Kind of question"))
        self.summary = QLabel(wordWrap=True)
        self.careful = InlineMessage()
        self.words = name_widget(QLabel(wordWrap=True), "question_words")
        self.button = name_widget(QPushButton(tr("Add Question")), "add_question")
        self.form: ParamForm | None = None
        self._columns: tuple[str, ...] = ()
        self._shape = ""
        self._place = QVBoxLayout()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        for widget in (self.kind, self.summary, self.careful):
            layout.addWidget(widget)
        layout.addLayout(self._place)
        layout.addWidget(self.words)
        layout.addWidget(self.button)
        layout.addStretch()
        self.kind.currentIndexChanged.connect(self._show_form)
        self.button.clicked.connect(self._on_added)

    def show_columns(self, columns: Sequence[str], shape: str) -> None:
        """Offer the questions about a shape of data, and its columns."""
        if (tuple(columns), shape) == (self._columns, self._shape):
            return
        self._columns, self._shape = tuple(columns), shape
        chosen = self.kind.currentData()
        self.kind.blockSignals(True)
        self.kind.clear()
        for kind in questions_about(shape):
            self.kind.addItem(tr(kind.title), kind.name)
        self.kind.setCurrentIndex(max(self.kind.findData(chosen or _FIRST), 0))
        self.kind.blockSignals(False)
        self.kind.make_room()
        self._show_form()

    def choose(self, name: str) -> None:
        """Show the form of one kind of question."""
        self.kind.setCurrentIndex(self.kind.findData(name))

    def _show_form(self) -> None:
        clear_layout(self._place)
        declared = QUESTIONS.get(self.kind.currentData())
        self.summary.setText(tr(declared.summary))
        self.careful.show_note("warn", tr(declared.why_careful) if declared.why_careful else "")
        self.form = ParamForm(declared, columns=self._columns)
        self.form.changed.connect(lambda _value: self._show_words())
        self.form.invalid.connect(lambda _error: self._show_words())
        self._place.addWidget(self.form)
        self._show_words()

    def _show_words(self) -> None:
        asked, why = self._asked()
        self.words.setText(question_text(asked) if asked else why)
        self.button.setEnabled(asked is not None)

    def _asked(self) -> tuple[PlannedQuestion | None, str]:
        if self.form is None or self.form.error:
            return None, self.form.error if self.form else ""
        try:
            asked = PlannedQuestion(self.form.value())
            question_text(asked)
            if not all(asked.question.columns()):
                return None, tr("Choose the column it is about.")
        except AnonymizerError as error:
            return None, error_text(error)
        return asked, ""

    def _on_added(self) -> None:
        asked, _ = self._asked()
        if asked is not None:
            self.asked.emit(asked)


def confirm_spend(parent: QWidget, state: CostPreview, has_ledger: bool, then: Callable[[], None]) -> QMessageBox:
    """Say what a release spends; go on only when that is wanted."""
    box = QMessageBox(
        QMessageBox.Icon.Question,
        tr("Spend the Budget"),
        tr(
            "This spends epsilon {plan}; epsilon {left} is left.",
            plan=format_significant(float(state.cost.epsilon), 6),
            left=format_significant(float(state.left.epsilon), 6),
        ),
        QMessageBox.StandardButton.Cancel,
        parent,
    )
    box.setObjectName("ask_spend")
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(_remembered(has_ledger))
    spend = box.addButton(tr("Spend and Release"), QMessageBox.ButtonRole.AcceptRole)
    spend.setObjectName("spend")
    box.setDefaultButton(QMessageBox.StandardButton.Cancel)
    box.finished.connect(lambda _code: then() if box.clickedButton() is spend else None)
    box.finished.connect(box.deleteLater)
    box.open()
    for button in box.buttons():
        theme.set_icon(button, "run" if button is spend else "close")
    return box


def _remembered(has_ledger: bool) -> str:
    if has_ledger:
        return tr("The spend is written into the ledger before any answer is shown; it cannot be undone.")
    return tr("No ledger is chosen: nobody will remember what was spent. It cannot be undone.")


_ROOM = "statistics"

_TOUCHED = (
    "table", "ledger", "questions", "hierarchies", "unit", "policy", "epsilon", "delta", "total", "ratio", "rows",
    Change.RESULTS,
)  # fmt: skip


class PlanPage(Page):
    """The table of questions, a form beside it, and the budget below."""

    name = "plan"
    title = "Plan"
    order = 20
    icon = "report"
    help = "statistics/plan"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say how many questions there are, and whether they were answered."""
        if document.room != _ROOM or document.table is None:
            return StepStatus(StepState.EMPTY, tr("Open a table first."))
        questions, release = document.project.questions, document.selected
        if not questions:
            return StepStatus(StepState.EMPTY, tr("Ask something first."))
        if release is None:
            return StepStatus(StepState.READY, tr("{questions:question|questions}", questions=len(questions)))
        if document.finished.is_stale(release):
            return StepStatus(StepState.STALE, tr("Changed since the release: answering again is a new spend"))
        return StepStatus(StepState.DONE, tr("Answered"))

    def add(self, asked: PlannedQuestion) -> None:
        """Put a question at the end of the plan."""
        questions = (*self.document.project.questions, asked)
        self.document.edit(tr("Add a question"), questions=questions)
        self.table.selectRow(len(questions) - 1)

    def remove(self) -> None:
        """Take the selected question out of the plan."""
        row = self._selected()
        if row >= 0:
            questions = self.document.project.questions
            self.document.edit(tr("Remove a question"), questions=questions[:row] + questions[row + 1 :])

    def shift(self, by: int) -> None:
        """Let the selected question change places with the one above or below; halves are given from above."""
        row, questions = self._selected(), list(self.document.project.questions)
        if row >= 0 and 0 <= row + by < len(questions):
            questions[row], questions[row + by] = questions[row + by], questions[row]
            self.document.edit(tr("Move a question"), questions=tuple(questions))
            self.table.selectRow(row + by)

    def release(self) -> None:
        """Say what a release costs, and make it when that is wanted."""
        if self.run_button.isEnabled() and self.state is not None:
            confirm_spend(self, self.state, "ledger" in self.document.files, self.spend)

    def spend(self) -> None:
        """Answer the questions; what they cost is written before anything is shown."""
        project = self.document.project
        self.document.run(name=tr("Release of {name}", name=project.name or tr("the table")))

    def _build(self) -> None:
        self.state: CostPreview | None = None
        self._releases = 0
        self.model, self.table = (
            PlanTableModel(),
            name_widget(QTableView(), "plan_table", spoken=tr("Questions of the plan")),
        )
        self.words, self.form, self.bar = QuestionSyntaxField(), QuestionForm(), BudgetBar()
        self.why = SensitivityPanel(self.document)
        self.spent_note, self.problem = InlineMessage(), InlineMessage()
        self.epsilon = name_widget(AmountField(ExactAmount()), "release_epsilon", spoken=tr("Epsilon of this release"))
        self.policy = name_widget(WidePopupComboBox(), "policy", spoken=tr("How it is shared"))
        self.remove_button = name_widget(QPushButton(tr("Remove")), "remove_question")
        self.up_button = name_widget(QPushButton(tr("Up")), "question_up", tip=tr("Ask it earlier"))
        self.down_button = name_widget(QPushButton(tr("Down")), "question_down", tip=tr("Ask it later"))
        self.run_button = name_widget(QPushButton(tr("Release…"), default=True), "spend_budget")
        self.empty = EmptyState(
            tr("Open a table first."), tr("Open…"), lambda: self.do.emit("file.open"), icon="report"
        )
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._laid_out())

    def _laid_out(self) -> QWidget:
        self._dress_table()
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        for widget in (self.words, self.table, self.why):
            column.addWidget(widget, int(widget is self.table))
        column.addLayout(_row(self.remove_button, self.up_button, self.down_button, None))
        split = name_widget(QSplitter(childrenCollapsible=False), "plan_splitter")
        split.addWidget(left)
        split.addWidget(scroll_column(section(tr("Add a question"), self.form)))
        split.setStretchFactor(0, 1)
        whole = QWidget()
        layout = QVBoxLayout(whole)
        layout.addWidget(split, 1)
        layout.addWidget(self.spent_note)
        layout.addWidget(self.problem)
        layout.addLayout(self._budget_row())
        layout.addWidget(self.bar)
        return whole

    def _dress_table(self) -> None:
        self.table.setModel(self.model)
        self.table.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.table.setAlternatingRowColors(True)
        head = self.table.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(QUESTION, QHeaderView.ResizeMode.Stretch)

    def _budget_row(self) -> QHBoxLayout:
        for way, words in POLICIES.items():
            self.policy.addItem(tr(words), way)
        self.policy.make_room()
        labels = []
        for widget in (self.epsilon, self.policy):
            label = QLabel(widget.accessibleName())
            label.setBuddy(widget)
            labels.append(label)
        return _row(labels[0], self.epsilon, labels[1], self.policy, None, self.run_button)

    def _connect(self) -> None:
        self.words.asked.connect(self.add)
        self.form.asked.connect(self.add)
        self.model.edited.connect(lambda text, questions: self.document.edit(text, questions=questions))
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._show_why())
        self.epsilon.chosen.connect(
            lambda text: self.document.edit(tr("Choose the epsilon of the release"), epsilon=Fraction(text))
        )
        self.policy.activated.connect(
            lambda _at: self.document.edit(tr("Share the budget differently"), policy=self.policy.currentData())
        )
        self.remove_button.clicked.connect(self.remove)
        self.up_button.clicked.connect(lambda: self.shift(-1))
        self.down_button.clicked.connect(lambda: self.shift(1))
        self.run_button.clicked.connect(self.release)

    def _show(self, changed: frozenset[str]) -> None:
        is_ours = self.document.room == _ROOM and self.document.table is not None
        self._stack.setCurrentIndex(int(is_ours))
        if not is_ours or self.document.table is None:
            return
        project = self.document.project
        self.words.show_shape(project.shape)
        self.form.show_columns(plan_columns(self.document), project.shape)
        self.epsilon.show_amount(amount_text(project.epsilon))
        self.policy.setCurrentIndex(self.policy.findData(project.policy))
        if is_affected(changed, *_TOUCHED):
            self._show_plan()
            self._ask_state()
        self._show_spent()

    def _show_plan(self) -> None:
        project = self.document.project
        seen = preview_questions(project, plan_columns(self.document))
        self.model.show_plan(project.questions, seen, project.policy)
        self.table.setColumnHidden(WISH, project.policy not in ("weights", "error"))
        problems = dict.fromkeys(error_text(each.problem) for each in seen if each.problem is not None)
        self.problem.show_note("bad", " ".join(problems))
        self._show_why()

    def _ask_state(self) -> None:
        self.state = None
        self._show_state()
        self.document.jobs.start(
            tr("Look at the budget"),
            preview_cost,
            self.document.project,
            self.document.files,
            on_done=self._on_state,
            replace_key="budget state",
        )

    def _on_state(self, state: CostPreview) -> None:
        self.state = state
        self._show_state()

    def _show_state(self) -> None:
        self.bar.show_state(self.state)
        why = self._obstacle()
        self.run_button.setEnabled(not why)
        self.run_button.setToolTip(why or tr("Answer the questions and spend their budget; it is asked for first"))

    def _obstacle(self) -> str:
        if not self.document.project.questions:
            return tr("Ask something first.")
        if self.state is None:
            return tr("Looking at the ledger…")
        return error_text(self.state.problem) if self.state.problem is not None else ""

    def _show_spent(self) -> None:
        """Warn after a release; once one is made, its page is where the answers are."""
        releases = self.document.releases
        is_stale = bool(releases) and self.document.finished.is_stale(releases[-1])
        words = tr("There is a release already: answering a changed plan is a new release and a new spend.")
        self.spent_note.show_note("warn", words if is_stale else "")
        if len(releases) > self._releases and self.isVisible():
            self.go.emit("release")
        self._releases = len(releases)

    def _show_why(self) -> None:
        row = self._selected()
        for button in (self.remove_button, self.up_button, self.down_button):
            button.setEnabled(row >= 0)
        self.why.show_question(self.model.outlooks[row] if row >= 0 else None)

    def _selected(self) -> int:
        row = self.table.currentIndex().row()
        return row if row < self.model.rowCount() else -1


def _row(*parts: QWidget | None) -> QHBoxLayout:
    """Put widgets beside each other; nothing stands for the space that is left."""
    row = QHBoxLayout()
    for part in parts:
        if part is None:
            row.addStretch()
        else:
            row.addWidget(part)
    return row


def _has_questions(document: Document) -> bool:
    return document.table is not None and bool(document.project.questions)


def _action(name: str, title: str, callback: Any, tip: str, icon: str = "", shortcut: str = "") -> Action:
    return Action(
        f"plan.{name}", title, callback, "Plan", "plan", icon, shortcut, tip, _has_questions, "Ask something first.",
        "plan",
    )  # fmt: skip


ACTIONS = (
    _action(
        "release", "Spend and Release…", lambda page: page.release(), "Answer the questions with noise", "run", "Ctrl+R"
    ),
    _action("remove", "Remove Question", lambda page: page.remove(), "Take the selected question out", "remove"),
)
