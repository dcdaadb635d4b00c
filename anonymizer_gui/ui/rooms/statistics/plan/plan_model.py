"""The questions of a plan for Qt's views: what each moves by, what hides that, what it costs, and its error."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt, Signal

from anonymizer_gui.engine.core.budget import ExactAmount, amount_text
from anonymizer_gui.engine.rooms.statistics.cost_preview import QuestionPreview
from anonymizer_gui.engine.rooms.statistics.project import PlannedQuestion
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import error_text, format_significant, tr
from anonymizer_gui.ui.widgets.accessibility import ModelIndex, plain_tooltips

QUESTION, SENSITIVITY, MECHANISM, EPSILON, LOCK, WISH, ERROR, SIGNAL = range(8)
_NOWHERE = QModelIndex()
_ROLE = Qt.ItemDataRole
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_NUMBERS = (SENSITIVITY, EPSILON, WISH, ERROR)
_AMOUNT = ExactAmount()
_CHECKED = int(Qt.CheckState.Checked.value)
_NOT = "–"


@plain_tooltips
class PlanModel(QAbstractTableModel):
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
