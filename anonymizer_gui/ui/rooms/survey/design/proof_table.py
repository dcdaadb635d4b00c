"""The proof: the chance of every report for every answer, the largest ratio in one column, exactly."""

import math

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from anonymizer_gui.engine.rooms.survey.cost_preview import ProtocolPreview
from anonymizer_gui.ui.i18n import format_significant, tr
from anonymizer_gui.ui.widgets.accessibility import breakable, name_widget
from anonymizer_gui.ui.widgets.text_table import MarkedTableModel, marked_table_view


class ProofTable(QWidget):
    """The transition matrix of the protocol that is chosen: a row for each answer, a column for each report."""

    def __init__(self) -> None:
        super().__init__()
        self.words = name_widget(QLabel(wordWrap=True), "proof_words")
        self.exact = name_widget(QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText), "proof_exact")
        self.exact.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.model = MarkedTableModel(1)
        self.table = marked_table_view(self.model, "transition_matrix", tr("Chances of reports"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 0)
        layout.addWidget(self.words)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.exact)

    def show_outlook(self, seen: ProtocolPreview) -> None:
        """Show the chances, and the two of one column that differ most."""
        at, likely, rare = _most_telling(seen)
        self.model.show_rows(
            [tr("Answer"), *seen.reports],
            [
                [answer, *(format_significant(float(chance), 6) for chance in row)]
                for answer, row in zip(seen.answers, seen.matrix, strict=True)
            ],
        )
        words = tr(
            "Report “{report}” is likelier for “{one}” than for “{other}”, and no report tells more: {high} / {low} = "
            "{ratio}, at most e^ε = {limit}.",
            report=seen.reports[at],
            one=seen.answers[likely],
            other=seen.answers[rare],
            high=format_significant(float(seen.matrix[likely][at]), 6),
            low=format_significant(float(seen.matrix[rare][at]), 6),
            ratio=format_significant(float(seen.ratio), 9),
            limit=format_significant(math.exp(seen.epsilon), 9),
        )
        more = tr("Answers and reports that are not shown have the same chances.") if _is_part(seen) else ""
        self.words.setText(f"{words} {more}".strip())
        ratio = f"{seen.ratio.numerator} / {seen.ratio.denominator}"
        self.exact.setText(breakable(tr("Exactly: {ratio}", ratio=ratio)))


def _most_telling(seen: ProtocolPreview) -> tuple[int, int, int]:
    """Find the report with the largest ratio, and the answers it is likeliest and rarest for."""
    columns = [[row[at] for row in seen.matrix] for at in range(len(seen.reports))]
    at = max(range(len(columns)), key=lambda place: max(columns[place]) / min(columns[place]))
    return at, columns[at].index(max(columns[at])), columns[at].index(min(columns[at]))


def _is_part(seen: ProtocolPreview) -> bool:
    return any(sum(row) < 1 for row in seen.matrix) or len(seen.answers) < seen.size
