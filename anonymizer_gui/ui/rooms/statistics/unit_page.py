"""Privacy unit, total budget, ledger, public columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QSpinBox,
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
from anonymizer_gui.engine.dp.sensitivity import Neighbours, PrivacyUnit
from anonymizer_gui.engine.releases.ledger.budget import BudgetLedger
from anonymizer_gui.engine.room import Files
from anonymizer_gui.engine.rooms.statistics.cost_preview import (
    BudgetState,
    QuestionPreview,
    budget_state,
    ledger_account,
    preview_questions,
)
from anonymizer_gui.engine.rooms.statistics.data_kinds.contract import DATA_KINDS, KIND_OPTION, SURPLUS, data_kind
from anonymizer_gui.engine.rooms.statistics.project import Project, protected_by
from anonymizer_gui.engine.rooms.statistics.question import DEFAULT_DATA_KIND
from anonymizer_gui.engine.rooms.statistics.question_syntax import question_text
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.actions import Action
from anonymizer_gui.ui.dialogs.file_dialogs import ask_file
from anonymizer_gui.ui.i18n import error_text, format_significant, tr
from anonymizer_gui.ui.page import Page, StepState, StepStatus, is_affected
from anonymizer_gui.ui.rooms.statistics.plan_table import plan_columns
from anonymizer_gui.ui.widgets.accessibility import ModelIndex, name_widget, plain_tooltips, show_file_name
from anonymizer_gui.ui.widgets.combo_boxes import WidePopupComboBox
from anonymizer_gui.ui.widgets.empty_state import EmptyState
from anonymizer_gui.ui.widgets.layout import scroll_column, section
from anonymizer_gui.ui.widgets.number_fields import AmountField, in_row
from anonymizer_gui.workspace.document import Document

_MOST_ROWS = 1_000_000


class PrivacyUnitForm(QWidget):
    """Three kinds of neighbours; for people the column that names them and how many rows each may have."""

    edited = Signal(str, object)
    """Carries what was done and the fields of the project that change."""

    read_as = Signal(str)
    """Carries the shape the data is to be read in."""

    def __init__(self) -> None:
        super().__init__()
        self.kinds = {kind: name_widget(QRadioButton(), f"unit_{kind}") for kind in Neighbours}
        self.shape = name_widget(WidePopupComboBox(), "shape", spoken=tr("Kind of data"))
        self.shape_words = name_widget(QLabel(wordWrap=True), "shape_words")
        self.column = name_widget(WidePopupComboBox(), "person_column")
        self.rows = name_widget(QSpinBox(minimum=1, maximum=_MOST_ROWS), "person_rows")
        self.surplus = name_widget(WidePopupComboBox(), "surplus")
        self.sentence = name_widget(QLabel(wordWrap=True), "unit_sentence")
        self._columns: tuple[str, ...] = ()
        self._build()
        self._connect()

    def show_project(self, project: Project, columns: Sequence[str]) -> None:
        """Show who is protected now."""
        unit, shape = project.unit, data_kind(project.shape)
        self._show_shape(project)
        self._show_columns(columns)
        widgets = (*self.kinds.values(), self.column, self.rows, self.surplus)
        blockers = [QSignalBlocker(widget) for widget in widgets]
        self.kinds[unit.kind].setChecked(True)
        if unit.kind is Neighbours.PERSON:
            self.column.setCurrentIndex(self.column.findData(unit.column))
            self.rows.setValue(unit.rows)
        self.surplus.setCurrentIndex(self.surplus.findData(project.surplus))
        del blockers
        for widget in (self.column, self.rows, self.surplus):
            widget.setEnabled(unit.kind is Neighbours.PERSON)
        for kind, button in self.kinds.items():
            button.setVisible(kind in shape.units())
            button.setText(tr(shape.units().get(kind, "")))
        self.people.setVisible(Neighbours.PERSON in shape.units())
        self.kinds[Neighbours.PERSON].setEnabled(bool(columns))
        self.sentence.setText(tr(protected_by(project)))

    def _build(self) -> None:
        group, layout = QButtonGroup(self), QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        for name in DATA_KINDS.names():
            self.shape.addItem(tr(data_kind(name).title), name)
        self.shape.make_room()
        layout.addWidget(self.shape)
        layout.addWidget(self.shape_words)
        usual = data_kind(DEFAULT_DATA_KIND).units()
        for kind, button in self.kinds.items():
            button.setText(tr(usual[kind]))
            group.addButton(button)
            layout.addWidget(button)
        for way, text in SURPLUS.items():
            self.surplus.addItem(tr(text), way)
        self.surplus.make_room()
        self.people = QWidget()
        form = QFormLayout(self.people)
        form.setContentsMargins(2 * self.fontMetrics().height(), 0, 0, 0)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        rows = (
            (tr("Column of the person"), self.column),
            (tr("Rows of a person at most"), self.rows),
            (tr("What is left out"), self.surplus),
        )
        for title, widget in rows:
            label = QLabel(title)
            label.setBuddy(widget)
            widget.setAccessibleName(title)
            form.addRow(label, widget)
        layout.addWidget(self.people)
        layout.addWidget(self.sentence)
        layout.addStretch(1)

    def _connect(self) -> None:
        self.shape.activated.connect(lambda _at: self.read_as.emit(self.shape.currentData()))
        for button in self.kinds.values():
            button.clicked.connect(self._on_unit)
        self.column.currentIndexChanged.connect(self._on_unit)
        self.rows.valueChanged.connect(self._on_unit)
        self.surplus.currentIndexChanged.connect(
            lambda _at: self.edited.emit(tr("Choose which rows are left out"), {"surplus": self.surplus.currentData()})
        )

    def _show_shape(self, project: Project) -> None:
        """Show how the data is read; once something is asked about it, it cannot be read in another way."""
        self.shape.setCurrentIndex(self.shape.findData(project.shape))
        self.shape.setEnabled(not project.questions)
        why = tr("Remove the questions first: they are about this kind of data.")
        self.shape.setToolTip(why if project.questions else "")
        self.shape_words.setText(tr(data_kind(project.shape).summary))

    def _show_columns(self, columns: Sequence[str]) -> None:
        if tuple(columns) == self._columns:
            return
        self._columns = tuple(columns)
        blocker = QSignalBlocker(self.column)
        self.column.clear()
        for name in columns:
            self.column.addItem(name, name)
        del blocker

    def _on_unit(self) -> None:
        kind = next(kind for kind, button in self.kinds.items() if button.isChecked())
        if kind is not Neighbours.PERSON:
            unit = PrivacyUnit(kind)
        elif self.column.currentData():
            unit = PrivacyUnit(kind, self.column.currentData(), self.rows.value())
        else:
            return
        self.edited.emit(tr("Choose who is protected"), {"unit": unit})


ASKED, LACKS = 2, 3

_NOWHERE = QModelIndex()

_ROLE = Qt.ItemDataRole


@dataclass(frozen=True, slots=True)
class PublicColumn:
    """A column: what is public of it, the questions about it, and what they still lack."""

    name: str
    public: str
    asked: str
    lacks: str


def public_columns(project: Project, columns: Sequence[str], outlooks: Sequence[QuestionPreview]) -> list[PublicColumn]:
    """Tell what is public of each column; nothing is read off the data."""
    problems = [(seen.asked, seen.problem) for seen in outlooks if seen.problem is not None]
    rows = []
    for name in columns:
        about = [asked for asked in project.questions if name in asked.question.columns()]
        lacks = [error_text(problem) for asked, problem in problems if asked in about]
        words = "; ".join(question_text(asked) for asked in about)
        rows.append(PublicColumn(name, _public(project.hierarchies, name), words, " ".join(dict.fromkeys(lacks))))
    return rows


def _public(hierarchies: Mapping[str, Any], name: str) -> str:
    if name not in hierarchies:
        return ""
    return tr("{leaves:category|categories} of its hierarchy", leaves=len(hierarchies[name].leaves))


@plain_tooltips
class PublicColumnModel(QAbstractTableModel):
    """A row per column of the table."""

    def __init__(self) -> None:
        super().__init__()
        self.columns: list[PublicColumn] = []

    def show_columns(self, columns: list[PublicColumn]) -> None:
        """Show other columns."""
        if columns != self.columns:
            self.beginResetModel()
            self.columns = columns
            self.endResetModel()

    def rowCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Count the columns of the table."""
        return 0 if parent.isValid() else len(self.columns)

    def columnCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Name, what is public, what is asked, what is lacking."""
        return 0 if parent.isValid() else 4

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole) -> Any:
        """Give the titles."""
        if orientation == Qt.Orientation.Vertical or role != _ROLE.DisplayRole:
            return None
        return (tr("Column"), tr("Public"), tr("Asked about it"), tr("Lacking"))[section]

    def data(self, index: ModelIndex, role: int = _ROLE.DisplayRole) -> Any:
        """Give the words; what is lacking stands out."""
        row = self.columns[index.row()]
        text = (row.name, row.public or "–", row.asked, row.lacks)[index.column()]
        if role in (_ROLE.DisplayRole, _ROLE.ToolTipRole):
            return text
        if role == _ROLE.ForegroundRole and index.column() == LACKS:
            return theme.color("bad")
        return None


_SHORTEST = 3


class ResetBudgetDialog(QDialog):
    """What was spent, what a reset means, and a line for the reason."""

    chosen = Signal(str)

    def __init__(self, state: BudgetState, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("reset_budget")
        self.setWindowTitle(tr("Reset the Budget"))
        self.setMinimumWidth(32 * self.fontMetrics().height())
        spent = format_significant(float(state.spent.epsilon), 6)
        words = QLabel(
            tr(
                "{spends:answer was|answers were} bought about these data for epsilon {spent}. People who saw them "
                "still know them: a reset is right only when the people in the data are others now.",
                spends=len(state.account.spends),
                spent=spent,
            ),
            wordWrap=True,
        )
        self.reason = name_widget(QLineEdit(), "reset_reason", spoken=tr("Reason, kept in the ledger"))
        self.reset = name_widget(QPushButton(tr("Reset the Budget")), "reset_now")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, parent=self)
        buttons.addButton(self.reset, QDialogButtonBox.ButtonRole.AcceptRole)
        label = QLabel(self.reason.accessibleName())
        label.setBuddy(self.reason)
        layout = QVBoxLayout(self)
        for widget in (words, label, self.reason, buttons):
            layout.addWidget(widget)
        self.reset.setEnabled(False)
        self.reason.textChanged.connect(lambda text: self.reset.setEnabled(len(text.strip()) >= _SHORTEST))
        buttons.accepted.connect(self._on_accepted)
        buttons.rejected.connect(self.reject)
        self.finished.connect(self.deleteLater)

    def _on_accepted(self) -> None:
        self.chosen.emit(self.reason.text().strip())
        self.accept()


_ROOM = "statistics"


class PrivacyUnitPage(Page):
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
        self.unit = PrivacyUnitForm()
        self.rows = name_widget(AmountField(Int(low=0)), "assumed_rows", spoken=tr("About how many rows"))
        self.total = name_widget(AmountField(ExactAmount()), "total_epsilon", spoken=tr("Epsilon of all releases"))
        self.delta = name_widget(AmountField(ExactAmount(), empty="0"), "delta", spoken=tr("Delta of all releases"))
        self.ledger = QLabel()
        self.ledger_button = name_widget(QPushButton(tr("Choose…")), "choose_ledger")
        self.ledger_button.setAccessibleName(tr("Choose the Ledger of Budgets"))
        self.reset_button = name_widget(QPushButton(tr("Reset…")), "reset_ledger")
        self.reset_button.setAccessibleName(tr("Reset the Budget"))
        self.hierarchies_button = name_widget(QPushButton(tr("Go to Hierarchies")), "go_to_hierarchies")
        self.model, self.table = (
            PublicColumnModel(),
            name_widget(QTableView(), "public_columns", spoken=tr("What is public")),
        )
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
        project, columns = self.document.project, plan_columns(self.document)
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
        self.unit.show_project(self.document.project, plan_columns(self.document))

    def _on_state(self, state: BudgetState) -> None:
        if not state.account.spends:
            self.document.messages.info(tr("Nothing was spent on these data yet."))
            return
        dialog = ResetBudgetDialog(state, self)
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
