"""The budget as a bar: spent, this plan, left; the same in words below it."""

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from anonymizer_gui.engine.rooms.statistics.cost_preview import CostPreview
from anonymizer_gui.ui import theme
from anonymizer_gui.ui.i18n import format_significant, tr
from anonymizer_gui.ui.widgets.accessibility import name_widget

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
