"""The second step: the questions, what each costs and how good it will be, and the budget they come from."""

from fractions import Fraction
from typing import Any

from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedLayout,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.budget import ExactAmount, amount_text
from anonymizer_gui.engine.rooms.statistics.cost_preview import CostPreview, preview_cost, preview_questions
from anonymizer_gui.engine.rooms.statistics.project import POLICIES, PlannedQuestion
from anonymizer_gui.ui.actions import Action
from anonymizer_gui.ui.i18n import error_text, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.rooms.statistics.data_columns import columns_of
from anonymizer_gui.ui.rooms.statistics.plan.add_question import QuestionForm, WordsLine
from anonymizer_gui.ui.rooms.statistics.plan.ask_spend import ask_spend
from anonymizer_gui.ui.rooms.statistics.plan.budget_bar import BudgetBar
from anonymizer_gui.ui.rooms.statistics.plan.plan_model import QUESTION, WISH, PlanModel
from anonymizer_gui.ui.rooms.statistics.plan.why_panel import WhyPanel
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.combo_boxes import WidePopupComboBox
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.layout import scroll_column, section
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.ui.widgets.number_fields import AmountField
from anonymizer_gui.workspace.changes import Change
from anonymizer_gui.workspace.document import Document

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
            ask_spend(self, self.state, "ledger" in self.document.files, self.spend)

    def spend(self) -> None:
        """Answer the questions; what they cost is written before anything is shown."""
        project = self.document.project
        self.document.run(name=tr("Release of {name}", name=project.name or tr("the table")))

    def _build(self) -> None:
        self.state: CostPreview | None = None
        self._releases = 0
        self.model, self.table = (
            PlanModel(),
            name_widget(QTableView(), "plan_table", spoken=tr("Questions of the plan")),
        )
        self.words, self.form, self.bar = WordsLine(), QuestionForm(), BudgetBar()
        self.why = WhyPanel(self.document)
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
        self.form.show_columns(columns_of(self.document), project.shape)
        self.epsilon.show_amount(amount_text(project.epsilon))
        self.policy.setCurrentIndex(self.policy.findData(project.policy))
        if is_affected(changed, *_TOUCHED):
            self._show_plan()
            self._ask_state()
        self._show_spent()

    def _show_plan(self) -> None:
        project = self.document.project
        seen = preview_questions(project, columns_of(self.document))
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
