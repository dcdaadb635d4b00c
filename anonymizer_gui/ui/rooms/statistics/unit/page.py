"""The first step: who is protected, what all releases may cost together, and what is public of the columns."""

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import (
    QFormLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedLayout,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from anonymizer_gui.engine.core.budget import ExactAmount, amount_text
from anonymizer_gui.engine.core.params import Int
from anonymizer_gui.engine.core.progress import Progress
from anonymizer_gui.engine.releases.ledger.budget import BudgetLedger
from anonymizer_gui.engine.room import Files
from anonymizer_gui.engine.rooms.statistics.cost_preview import (
    BudgetState,
    budget_state,
    ledger_account,
    preview_questions,
)
from anonymizer_gui.engine.rooms.statistics.data_kinds.contract import KIND_OPTION
from anonymizer_gui.engine.rooms.statistics.project import Project, protected_by
from anonymizer_gui.ui.actions import Action
from anonymizer_gui.ui.dialogs.file_dialogs import ask_file
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.rooms.statistics.data_columns import columns_of
from anonymizer_gui.ui.rooms.statistics.unit.public_model import ASKED, LACKS, PublicModel, public_columns
from anonymizer_gui.ui.rooms.statistics.unit.reset_dialog import ResetDialog
from anonymizer_gui.ui.rooms.statistics.unit.unit_form import UnitForm
from anonymizer_gui.ui.widgets.accessibility import name_widget, show_file_name
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.layout import scroll_column, section
from anonymizer_gui.ui.widgets.number_fields import AmountField, in_row
from anonymizer_gui.workspace.document import Document

_ROOM = "statistics"


class UnitPage(Page):
    """Who is protected at the left, what is public of each column at the right."""

    name = "unit"
    title = "Unit, Bounds"
    order = 10
    icon = "person"
    help = "statistics/statistics"

    @classmethod
    def mark(cls, document: Document) -> StepStatus:
        """Say who is protected."""
        if document.room != _ROOM or document.table is None:
            return StepStatus(StepState.EMPTY, tr("Open a table first."))
        return StepStatus(StepState.DONE, tr(protected_by(document.project)))

    def read_as(self, shape: str) -> None:
        """Read the data in another shape, and begin a plan about that."""
        path = self.document.project.source.path
        self.document.open_table(path, {KIND_OPTION: shape}, on_error=self._on_unread, room=_ROOM)

    def choose_ledger(self) -> None:
        """Ask which file remembers what was spent."""
        ask_file(self, tr("Choose the Ledger of Budgets"), self.set_ledger, new=True)

    def set_ledger(self, path: str) -> None:
        """Let a file remember what was spent; it need not be there yet."""
        self.document.set_file("ledger", path, tr("Choose the ledger of budgets"), tr("Read the ledger"))

    def ask_reset(self) -> None:
        """Look what was spent, then ask for the reason why it should not count any more."""
        project, files = self.document.project, self.document.files
        self.document.jobs.start(tr("Look at the budget"), _state, project, files, on_done=self._on_state)

    def reset(self, subject: str, reason: str) -> None:
        """Let the data begin anew; what was spent stays written, with the reason."""
        ledger = self.document.files["ledger"]
        self.document.jobs.start(
            tr("Reset the Budget"), _reset, ledger, subject, reason, on_done=lambda _none: self._on_reset()
        )

    def _build(self) -> None:
        self.unit = UnitForm()
        self.rows = name_widget(AmountField(Int(low=0)), "assumed_rows", spoken=tr("About how many rows"))
        self.total = name_widget(AmountField(ExactAmount()), "total_epsilon", spoken=tr("Epsilon of all releases"))
        self.delta = name_widget(AmountField(ExactAmount(), empty="0"), "delta", spoken=tr("Delta of all releases"))
        self.ledger = QLabel()
        self.ledger_button = name_widget(QPushButton(tr("Choose…")), "choose_ledger")
        self.ledger_button.setAccessibleName(tr("Choose the Ledger of Budgets"))
        self.reset_button = name_widget(QPushButton(tr("Reset…")), "reset_ledger")
        self.reset_button.setAccessibleName(tr("Reset the Budget"))
        self.hierarchies_button = name_widget(QPushButton(tr("Go to Hierarchies")), "go_to_hierarchies")
        self.model, self.table = PublicModel(), name_widget(QTableView(), "public_columns", spoken=tr("What is public"))
        self.empty = EmptyState(
            tr("Open a table first."), tr("Open…"), lambda: self.do.emit("file.open"), icon="person"
        )
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._laid_out())

    def _laid_out(self) -> QWidget:
        self.table.setModel(self.model)
        self.table.verticalHeader().hide()
        self.table.setWordWrap(True)
        self.table.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        for column in (ASKED, LACKS):
            self.table.horizontalHeader().setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.public_words = name_widget(QLabel(wordWrap=True), "public_words")
        self.columns = QStackedWidget()
        self.columns.addWidget(_above(in_row(self.hierarchies_button), self.table))
        self.columns.addWidget(QWidget())  # data without columns
        split = name_widget(QSplitter(childrenCollapsible=False), "unit_splitter")
        split.addWidget(scroll_column(section(tr("Who is protected"), self.unit), self._budget()))
        split.addWidget(section(tr("What is public"), self.public_words, self.columns))
        split.setStretchFactor(1, 1)
        whole = QWidget()
        QVBoxLayout(whole).addWidget(split)
        return whole

    def _budget(self) -> QWidget:
        inside = QWidget()
        form = QFormLayout(inside)
        form.setContentsMargins(0, 0, 0, 0)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        for line in (self.total, self.delta, self.rows):
            label = QLabel(line.accessibleName())
            label.setBuddy(line)
            form.addRow(label, line)
        self.rows.setToolTip(tr("For expected errors and simulated previews only; nothing of it leaves."))
        self.delta.setToolTip(tr("The chance that the promise fails; only Gaussian noise needs one."))
        ledger = QLabel(tr("Ledger of budgets"))
        ledger.setBuddy(self.ledger_button)
        form.addRow(ledger, in_row(self.ledger, self.ledger_button, self.reset_button))
        return section(tr("What all releases may cost"), inside)

    def _connect(self) -> None:
        self.unit.edited.connect(self._on_edited)
        self.unit.read_as.connect(self.read_as)
        self.total.chosen.connect(lambda text: self._edit(tr("Choose the total"), total=Fraction(text)))
        self.delta.chosen.connect(lambda text: self._edit(tr("Choose delta"), delta=Fraction(text or 0)))
        self.rows.chosen.connect(lambda rows: self._edit(tr("Say how many rows there may be"), rows=rows))
        self.ledger_button.clicked.connect(self.choose_ledger)
        self.reset_button.clicked.connect(self.ask_reset)
        self.hierarchies_button.clicked.connect(lambda: self.go.emit("domains"))

    def _show(self, changed: frozenset[str]) -> None:
        is_ours = self.document.room == _ROOM and self.document.table is not None
        self._stack.setCurrentIndex(int(is_ours))
        if not is_ours or self.document.table is None:
            return
        project, columns = self.document.project, columns_of(self.document)
        self.unit.show_project(project, columns)
        self.total.show_amount(amount_text(project.total))
        self.delta.show_amount(amount_text(project.delta))
        self.rows.show_amount(str(project.rows))
        self._show_public(bool(columns))
        show_file_name(self.ledger, project.ledger.path if project.ledger else "")
        has_spent = project.ledger is not None and Path(project.ledger.path).is_file()
        self.reset_button.setEnabled(has_spent)
        self.reset_button.setToolTip("" if has_spent else tr("Nothing was spent yet."))
        if is_affected(changed, "table", "questions", "hierarchies", "unit", "policy", "epsilon", "delta", "rows"):
            self.model.show_columns(public_columns(project, columns, preview_questions(project, columns)))

    def _show_public(self, has_columns: bool) -> None:
        words = tr(
            "Categories and bounds must not be read off the data: they come from a hierarchy, or stand in the question."
        )
        none = tr("Data of this kind has no columns: the bounds stand in the questions, and are not read off the data.")
        self.public_words.setText(words if has_columns else none)
        self.columns.setCurrentIndex(int(not has_columns))

    def _edit(self, text: str, **fields: Any) -> None:
        self.document.edit(text, **fields)

    def _on_unread(self, error: BaseException) -> None:
        self.document.jobs.tell(error)
        self.unit.show_project(self.document.project, columns_of(self.document))

    def _on_state(self, state: BudgetState) -> None:
        if not state.account.spends:
            self.document.messages.info(tr("Nothing was spent on these data yet."))
            return
        dialog = ResetDialog(state, self)
        dialog.chosen.connect(lambda reason: self.reset(state.account.subject, reason))
        dialog.open()

    def _on_reset(self) -> None:
        self.document.messages.success(tr("The budget of these data begins anew; the reason is in the ledger."))
        self.document.changed.emit(frozenset({"ledger"}))

    def _on_edited(self, text: str, fields: Mapping[str, Any]) -> None:
        self.document.edit(text, f"unit {sorted(fields)}", **fields)


def _above(above: QWidget, below: QWidget) -> QWidget:
    whole = QWidget()
    column = QVBoxLayout(whole)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(above)
    column.addWidget(below, 1)
    return whole


def _state(project: Project, files: Files, progress: Progress) -> BudgetState:
    return budget_state(project, ledger_account(project, files, progress))


def _reset(ledger: BudgetLedger, subject: str, reason: str, progress: Progress) -> None:
    ledger.reset(subject, reason)


def _has_table(document: Document) -> bool:
    return document.table is not None


def _has_ledger(document: Document) -> bool:
    return document.table is not None and document.files.get("ledger") is not None


ACTIONS = (
    Action(
        "unit.choose_ledger", "Ledger of Budgets…", lambda page: page.choose_ledger(), "Plan", "files", "history",
        status_tip="Choose the file that remembers what was spent", enabled=_has_table, reason="Open a table first.",
        page="unit",
    ),
    Action(
        "unit.reset", "Reset the Budget…", lambda page: page.ask_reset(), "Plan", "files", "history",
        status_tip="Let the data begin anew, for a reason that is kept", enabled=_has_ledger,
        reason="No ledger of budgets is chosen.", page="unit",
    ),
)  # fmt: skip
