"""Questions with sensitivity, cost, error; budget bar; why."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from anonymizer_gui.engine.core.budget import ExactAmount, amount_text
from anonymizer_gui.engine.core.errors import AnonymizerError
from anonymizer_gui.engine.rooms.statistics.benches.local_sensitivity import LocalSensitivity, local_sensitivity
from anonymizer_gui.engine.rooms.statistics.cost_preview import CostPreview, QuestionPreview
from anonymizer_gui.engine.rooms.statistics.data_kinds.contract import data_kind
from anonymizer_gui.engine.rooms.statistics.project import PlannedQuestion
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import error_text, format_significant, tr
from anonymizer_gui.ui.widgets.accessibility import ModelIndex, name_widget, plain_tooltips
from anonymizer_gui.ui.widgets.message_strip import InlineMessage
from anonymizer_gui.workspace.document import Document


def plan_columns(document: Document) -> tuple[str, ...]:
    """Name what the data has; nothing before it is read."""
    return data_kind(document.project.shape).columns(document.table) if document.table is not None else ()


QUESTION, SENSITIVITY, MECHANISM, EPSILON, LOCK, WISH, ERROR, SIGNAL = range(8)

_NOWHERE = QModelIndex()

_ROLE = Qt.ItemDataRole

_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

_NUMBERS = (SENSITIVITY, EPSILON, WISH, ERROR)

_AMOUNT = ExactAmount()

_CHECKED = int(Qt.CheckState.Checked.value)

_NOT = "–"


@plain_tooltips
class PlanTableModel(QAbstractTableModel):
    """A row per question; epsilon, lock, and weight or error wanted can be edited."""

    edited = Signal(str, object)
    """Carries what was done and all questions."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: tuple[PlannedQuestion, ...] = ()
        self.outlooks: tuple[QuestionPreview, ...] = ()
        self.policy = "equal"

    def show_plan(self, asked: Sequence[PlannedQuestion], outlooks: Sequence[QuestionPreview], policy: str) -> None:
        """Show other questions; the same number of them keeps what is selected."""
        is_same_length = len(asked) == len(self.asked)
        if not is_same_length:
            self.beginResetModel()
        self.asked, self.outlooks, self.policy = tuple(asked), tuple(outlooks), policy
        if not is_same_length:
            self.endResetModel()
        elif asked:
            self.dataChanged.emit(self.index(0, 0), self.index(len(asked) - 1, SIGNAL))
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, WISH, WISH)

    def rowCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Count the questions."""
        return 0 if parent.isValid() else len(self.asked)

    def columnCount(self, parent: ModelIndex = _NOWHERE) -> int:
        """Question, S, mechanism, epsilon, lock, wish, error, signal."""
        return 0 if parent.isValid() else SIGNAL + 1

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole) -> Any:
        """Give the titles, and what they mean."""
        if orientation == Qt.Orientation.Vertical:
            return section + 1 if role == _ROLE.DisplayRole else None
        if role == _ROLE.TextAlignmentRole and section in _NUMBERS:
            return _RIGHT
        if role == _ROLE.DisplayRole:
            return self._titles()[section]
        return _meanings()[section] if role == _ROLE.ToolTipRole else None

    def flags(self, index: ModelIndex) -> Qt.ItemFlag:
        """Let epsilon, lock and wish be changed."""
        flags = super().flags(index)
        if index.column() == EPSILON or (index.column() == WISH and self.policy in ("weights", "error")):
            return flags | Qt.ItemFlag.ItemIsEditable
        return flags | Qt.ItemFlag.ItemIsUserCheckable if index.column() == LOCK else flags

    def data(self, index: ModelIndex, role: int = _ROLE.DisplayRole) -> Any:
        """Give words and numbers; a question that cannot be asked says why."""
        row, column = index.row(), index.column()
        if role == _ROLE.DisplayRole:
            return self._text(row, column)
        if role == _ROLE.EditRole:
            return self._typed(row, column)
        if role == _ROLE.CheckStateRole and column == LOCK:
            return Qt.CheckState.Checked if self.asked[row].epsilon is not None else Qt.CheckState.Unchecked
        if role == _ROLE.TextAlignmentRole and column in _NUMBERS:
            return _RIGHT
        if role in (_ROLE.ToolTipRole, _ROLE.AccessibleTextRole):
            return self.explained(row)[column]
        return self._colour(row, column) if role == _ROLE.ForegroundRole else None

    def setData(self, index: ModelIndex, value: Any, role: int = _ROLE.EditRole) -> bool:
        """Lock an epsilon, unlock it, or set a wish; what is no amount is not taken."""
        row, column = index.row(), index.column()
        if role == _ROLE.CheckStateRole and column == LOCK:
            is_on = int(getattr(value, "value", value)) == _CHECKED
            return self._change(row, epsilon=self.outlooks[row].epsilon or Fraction(1) if is_on else None)
        if role != _ROLE.EditRole or column not in (EPSILON, WISH):
            return False
        try:
            amount = Fraction(_AMOUNT.parse(str(value)))
        except ValueError:
            return False
        if column == EPSILON:
            return self._change(row, epsilon=amount)
        return self._change(row, **({"error": float(amount)} if self.policy == "error" else {"weight": amount}))

    def explained(self, row: int) -> tuple[str, ...]:
        """Give a sentence for every cell of a row."""
        seen = self.outlooks[row]
        if seen.problem is not None:
            return (error_text(seen.problem),) * (SIGNAL + 1)
        all_cells = format_significant(seen.error95_all, 4) if seen.error95_all is not None else _NOT
        return (
            tr(seen.asked.question.title),
            tr(seen.why),
            tr("Scale {scale}", scale=format_significant(float(seen.scale), 4)),
            tr("Type an epsilon to lock it."),
            tr("A locked epsilon stays; the others share what is left."),
            self._titles()[WISH],
            tr("All {cells:cell|cells} at once: {error}", cells=seen.cells, error=all_cells),
            _signal_words(seen),
        )

    def _change(self, row: int, **fields: Any) -> bool:
        changed = replace(self.asked[row], **fields)
        if changed == self.asked[row]:
            return False
        questions = (*self.asked[:row], changed, *self.asked[row + 1 :])
        self.edited.emit(tr("Change the budget of {question}", question=self.outlooks[row].ask), questions)
        return True

    def _titles(self) -> tuple[str, ...]:
        wish = {"weights": tr("Weight"), "error": tr("Error wanted")}.get(self.policy, "")
        return tr("Question"), "S", tr("Mechanism"), "ε", tr("Lock"), wish, tr("95% error"), tr("Signal")

    def _text(self, row: int, column: int) -> str:
        seen, asked = self.outlooks[row], self.asked[row]
        if column == QUESTION:
            return seen.ask
        if column == WISH:
            wishes = {
                "weights": amount_text(asked.weight),
                "error": format_significant(asked.error, 6) if asked.error else _NOT,
            }
            return wishes.get(self.policy, "")
        if column == LOCK:
            return ""
        if seen.problem is not None:
            return _NOT
        return self._number(seen, column)

    def _number(self, seen: QuestionPreview, column: int) -> str:
        if column == SENSITIVITY:
            return format_significant(float(seen.sensitivity), 4)
        if column == MECHANISM:
            return tr(seen.mechanism_title)
        if column == EPSILON:
            return format_significant(float(seen.epsilon), 6)
        if column == ERROR:
            return _NOT if seen.error95 is None else f"± {format_significant(seen.error95, 4)} {tr(seen.in_unit)}"
        return {True: tr("signal"), False: tr("noise"), None: tr("unknown")}[seen.is_signal]

    def _typed(self, row: int, column: int) -> str:
        if column == EPSILON:
            return amount_text(self.asked[row].epsilon or self.outlooks[row].epsilon)
        return self._text(row, column).replace(_NOT, "")

    def _colour(self, row: int, column: int) -> Any:
        seen = self.outlooks[row]
        if seen.problem is not None:
            return theme.color("bad")
        if column == SIGNAL and seen.is_signal is not None:
            return theme.color("good" if seen.is_signal else "warn")
        return None


def _signal_words(seen: QuestionPreview) -> str:
    if seen.is_signal is None:
        return tr("Say on the first page about how many rows there are, to know whether signal exceeds noise.")
    if seen.is_signal:
        return tr("The expected error is smaller than a typical cell.")
    return tr("The expected error is larger than a typical cell: ask more coarsely, or spend more.")


def _meanings() -> tuple[str, ...]:
    return (
        tr("What is asked, in the words of the command line"),
        tr("Sensitivity: how far one unit of protection can move the answer"),
        tr("What hides that"),
        tr("What the answer costs"),
        tr("Whether the epsilon stays when the others are shared anew"),
        "",
        tr("In 95 of 100 releases the answer is no farther from the truth"),
        tr("Whether the answer is larger than its noise"),
    )


_GROUP, _LAST = 5, 10


class BudgetBar(QWidget):
    """How the budget of the data set stands, with the plan in it."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("budget")
        self.bar = _Bar()
        self.words = name_widget(QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText), "budget_words")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.bar)
        layout.addWidget(self.words)

    def show_state(self, state: CostPreview | None) -> None:
        """Show how the budget stands; nothing while that is looked up."""
        self.bar.show_state(state)
        self.words.setText(tr("Looking at the ledger…") if state is None else _words(state))
        self.bar.setAccessibleName(self.words.text())
        self.setToolTip("" if state is None else _more(state))


class _Bar(QWidget):
    """Three segments, told apart by colour and by pattern."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("budget_bar")
        self._state: CostPreview | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_state(self, state: CostPreview | None) -> None:
        self._state = state
        self.update()

    def segments(self) -> list[tuple[float, str]]:
        """Give the shares of the bar with their colours; a plan that is too dear fills what is left."""
        state = self._state
        if state is None or not state.budget.total.epsilon:
            return []
        whole = float(state.budget.total.epsilon)
        spent = min(float(state.budget.spent.epsilon) / whole, 1.0)
        plan = min(float(state.cost.epsilon) / whole, 1.0 - spent)
        return [(spent, "series_6"), (plan, "accent" if state.problem is None else "bad")]

    def sizeHint(self) -> QSize:
        """Be as high as a line."""
        return QSize(self.fontMetrics().height() * 12, self.fontMetrics().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the segments; what the plan would take is hatched."""
        painter = QPainter(self)
        whole = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.fillRect(whole, theme.color("base"))
        left = whole.left()
        for place, (share, tint) in enumerate(self.segments()):
            part = QRectF(left, whole.top(), whole.width() * share, whole.height())
            pattern = Qt.BrushStyle.SolidPattern if place == 0 else Qt.BrushStyle.BDiagPattern
            painter.fillRect(part, theme.color("base"))
            painter.fillRect(part, QBrush(theme.color(tint), pattern))
            left += part.width()
        painter.setPen(QPen(theme.color("muted")))
        painter.drawRect(whole)

    def changeEvent(self, event: QEvent) -> None:
        """Draw anew in the colours of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()


def _words(state: CostPreview) -> str:
    words = tr(
        "Spent {spent} · this plan {plan} · left after it {left}, of epsilon {total}",
        spent=format_significant(float(state.budget.spent.epsilon), 4),
        plan=format_significant(float(state.cost.epsilon), 4),
        left=format_significant(float(state.left.epsilon), 4),
        total=format_significant(float(state.budget.total.epsilon), 4),
    )
    if state.problem is not None or not state.cost.epsilon:
        return words
    more = tr("about {more:more plan|more plans} like this", more=int(state.left.epsilon / state.cost.epsilon))
    after = (state.budget.spent.epsilon + state.cost.epsilon) * _GROUP
    group = tr(
        "a group of {people} people: epsilon {epsilon}", people=_GROUP, epsilon=format_significant(float(after), 4)
    )
    return f"{words} · {more} · {group}"


def _more(state: CostPreview) -> str:
    group = format_significant(float(state.budget.group(_GROUP).epsilon), 4)
    lines = [tr("What was spent costs a group of {people} people epsilon {epsilon}.", people=_GROUP, epsilon=group)]
    if state.known:
        lines.append(tr("{known:answer is|answers are} known already and cost nothing.", known=state.known))
    spends = state.budget.account.spends[-_LAST:]
    lines += [f"{entry.created[:10]} {entry.ask}: {tr(entry.spend.sentence())}" for entry in spends]
    return "\n".join(lines)


class SensitivityPanel(QWidget):
    """The sentence why, a button that tries neighbours of the table, and what that gave, marked as not for release."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self._seen: QuestionPreview | None = None
        self.why = name_widget(QLabel(wordWrap=True), "why")
        self.button = name_widget(QPushButton(tr("Local Sensitivity")), "local_sensitivity")
        self.button.setToolTip(tr("For learning: try the neighbours of this table, and compare with S"))
        self.local = InlineMessage()
        row = QHBoxLayout()
        row.addWidget(self.why, 1)
        row.addWidget(self.button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(row)
        layout.addWidget(self.local)
        self.button.clicked.connect(self.try_neighbours)

    def show_question(self, seen: QuestionPreview | None) -> None:
        """Say why one question is as sensitive as it is; nothing is tried unasked."""
        if seen != self._seen:
            self.local.show_note("warn", "")
        self._seen = seen
        self.button.setEnabled(seen is not None and seen.problem is None)
        if seen is None:
            self.why.setText(tr("Choose a question to read why it can move as far as it can."))
        else:
            self.why.setText(error_text(seen.problem) if seen.problem is not None else f"S: {tr(seen.why)}")

    def try_neighbours(self) -> None:
        """Try the neighbours of the table."""
        document = self._document
        if self._seen is not None and document.table is not None:
            document.jobs.start(
                tr("Try neighbours"),
                local_sensitivity,
                self._seen.asked,
                document.project,
                document.table,
                on_done=self._on_tried,
                on_error=self._on_failed,
                replace_key="local sensitivity",
            )

    def _on_tried(self, found: LocalSensitivity) -> None:
        if self._seen is not None:
            words = tr(
                "Around the first {rows:row|rows} of this table the answer moves by at most {local}, and S is {most}. "
                "For learning only, not for release: this number, and noise of its size, tell something about the "
                "table.",
                rows=found.rows,
                local=format_significant(float(found.sensitivity), 4),
                most=format_significant(float(self._seen.sensitivity), 4),
            )
            self.local.show_note("warn", words)

    def _on_failed(self, error: BaseException) -> None:
        if isinstance(error, AnonymizerError):
            self.local.show_note("bad", error_text(error))
        else:
            self._document.jobs.tell(error)
