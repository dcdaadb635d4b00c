"""The three questions with their figures, below each other."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from anonymizer_gui.engine.rooms.microdata.policies.wp29_questions import SOURCE, Question
from anonymizer_gui.ui.i18n import tr
from anonymizer_gui.ui.widgets.accessibility import name_widget
from anonymizer_gui.ui.widgets.layout import clear_layout

_LARGER = 1.1


class QuestionCards(QWidget):
    """A bold question each, with the sentences that answer it."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("policy_questions")
        self.lines: list[QLabel] = []
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)

    def show_questions(self, questions: Sequence[Question], unseen: Sequence[str] = ()) -> None:
        """Show the answers, and what no rule looks at; without answers, that there is nothing to look at yet."""
        clear_layout(self._rows)
        self.lines = []
        self._add(tr("What the European regulators ask"), "question_head", larger=True)
        if not questions:
            self._add(tr("The figures are counted from a release: run an algorithm first."), "question_none")
        for question in questions:
            self._add(tr(question.title), f"question_{question.name}", bold=True)
            self._add("\n".join(tr(sentence) for sentence in question.sentences), f"answer_{question.name}")
        self._add(SOURCE, "question_source")
        if unseen:
            self._add(tr("What no rule looks at"), "unseen_head", larger=True)
            self._add("\n".join(unseen), "policy_unseen")
        self._rows.addStretch(1)

    def _add(self, text: str, name: str, *, bold: bool = False, larger: bool = False) -> None:
        line = name_widget(QLabel(text, wordWrap=True, textFormat=Qt.TextFormat.PlainText), name)
        line.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        font = line.font()
        font.setBold(bold or larger)
        if larger:
            font.setPointSizeF(font.pointSizeF() * _LARGER)
        line.setFont(font)
        self._rows.addWidget(line)
        self.lines.append(line)
